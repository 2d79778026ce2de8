"""dp-accounting (extra `accounting`): its own numbers, in float64 and never a certificate; and our mechanisms as its objects."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from shuffleproof.accounting.profile_on_grid import measure
from shuffleproof.keywords import own_names
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.spec.vocabulary.errors import MissingExtraError
from shuffleproof.spec.vocabulary.numerals import Number, float_toward, positive, proper_share
from shuffleproof.spec.vocabulary.scope import Relation

try:
    import attr
    from dp_accounting import dp_event, pld, privacy_accountant
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution as PrivacyLossDistribution
except ModuleNotFoundError:
    raise MissingExtraError(package="dp_accounting", extra="accounting", what="dp-accounting's objects") from None

__dir__ = own_names(__name__)


def composed_epsilon(deltas: Sequence[float], *, step: float, rounds: int, delta: float) -> float:
    """epsilon of so many rounds of a pair that is its own mirror image, from its profile at 0, step, 2 step, ...; an estimate."""
    last = len(deltas) - 1
    mirrored = [-math.expm1(-k * step) + math.exp(-k * step) * deltas[k] for k in range(last, 0, -1)]
    pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(
        discretization=step,
        rounded_epsilon_lower=-last,
        rounded_epsilon_upper=last,
        deltas=np.minimum.accumulate(np.array([*mirrored, *deltas])),
    )
    composed = PrivacyLossDistribution(pmf).self_compose(rounds)
    return float(composed.get_epsilon_for_delta(delta))


MOST_POINTS = 20_000
"""Points of a distribution that is handed over, at most."""
_TAIL = Fraction(1, 10**15)
"""Probability mass that may be moved to infinite loss, unless another is asked for."""


def privacy_loss_distribution(mechanism: Mechanism, *, interval: float = 1e-4, tail: Number = _TAIL) -> PrivacyLossDistribution:
    """A pessimistic privacy loss distribution of a mechanism, for dp-accounting.

    mechanism: what `shuffled` or a protocol made; interval: the grid of losses, above 0; tail: the mass that may go to an infinite loss,
    in (0, 1). The masses are those of a pair on the grid that dominates the mechanism (BEYOND.Envelope), from certified upper values of
    its profile, each mass rounded up: its hockey-stick divergences are nowhere below the mechanism's, in either direction. What
    dp-accounting computes with it from there on is float64 without a certificate.
    Raises DomainError; ResourceLimitError where the grid would have more than 20,000 points; what `mechanism.delta` raises.
    """
    from shuffleproof.impl.ball.privacy_loss import BITS

    step, kept = positive(interval, parameter="interval"), proper_share(tail, parameter="tail")
    found = measure(mechanism, step=step, beyond=kept, most=MOST_POINTS)
    unit = Fraction(1, 2**BITS)
    masses = {found.low + at: float_toward(mass * unit, direction="up") for at, mass in enumerate(map(int, found.masses.coeffs())) if mass}
    infinite = float_toward(found.infinite * unit, direction="up")
    pmf = pld_pmf.create_pmf(masses, float(interval), infinite, pessimistic_estimate=True)
    return PrivacyLossDistribution(pmf)


@attr.s(frozen=True, auto_attribs=True)
class ShuffledDpEvent(dp_event.DpEvent):  # type: ignore[misc]  # the library is not typed
    """One use of a mechanism of shuffled messages, as an event of dp-accounting's. mechanism: what `shuffled` or a protocol made."""

    mechanism: Mechanism


class ShuffledPldAccountant(pld.PLDAccountant):  # type: ignore[misc]  # the library is not typed
    """dp-accounting's accountant, which also knows ShuffledDpEvent: of replace-one neighbours, others are refused.

    Its numbers are float64 without a certificate; the distributions that it composes for shuffled mechanisms are pessimistic.
    """

    def __init__(self, value_discretization_interval: float = 1e-4) -> None:
        super().__init__(privacy_accountant.NeighboringRelation.REPLACE_ONE, value_discretization_interval)

    def _maybe_compose(self, event: dp_event.DpEvent, count: int, do_compose: bool) -> Any:
        if not isinstance(event, ShuffledDpEvent):
            return super()._maybe_compose(event, count, do_compose)
        if event.mechanism.neighbours() is not Relation.REPLACE_ONE:
            told = f"{event.mechanism} is not about replace-one neighbours"
            return self.CompositionErrorDetails(invalid_event=event, error_message=told)
        if do_compose:
            one = privacy_loss_distribution(event.mechanism, interval=self._value_discretization_interval)
            self._pld: PrivacyLossDistribution = self._pld.compose(one.self_compose(count))
        return None
