"""Renyi divergences of randomizers by their whole laws: from upper values of the privacy profile alone (BEYOND.Renyi-chords)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from shuffleproof.mechanisms import Shuffled
from shuffleproof.randomizers import FromLaw, NamedRandomizer
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ShuffleproofError
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ANOTHER_PLACE, BLANKET, OPTIMAL_PAIR, RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.numerals import Number, as_given, decimal_text, epsilon0_parameter, renyi_order

_POINTS = 40
"""Asked of the profile, each a hundredth of a second or more; the divergence is then some thousandths too large."""
_WIDER = 2.0
"""How much wider they stand where little is left: as sinh does up to here."""
_LEAST, _MOST = 16, 32
"""Digits of the smallest delta that is asked for: one profile serves all orders that need no more."""
_PROBE = Fraction(1, 10**6)
_GAIN = Fraction(98, 100)
"""Of the optimal pair's epsilon: closer to it, its own Renyi divergences are seldom above the chords."""
_DIGITS = 12


def renyi(mechanism: Shuffled, *, order: Number) -> Bound | None:
    """An upper bound on the Renyi divergence by the randomizer's whole law, or None where that is no gain.

    mechanism: of a randomizer that is eps0-DP for a finite eps0, which ends its profile. order: above 1. Raises DomainError.
    """
    from shuffleproof.impl.ball.renyi_of_profile import renyi as by_chords

    alpha, local = renyi_order(order), _pure(mechanism)
    if not local:
        return None
    digits = 10 + (alpha - 1) * local * Fraction(4343, 10000)  # what is left beyond them is multiplied by e^((alpha - 1) eps0)
    if digits > _MOST:
        return None
    try:
        method = _method(mechanism)
        if method is None:
            return None
        points = _profile(mechanism, method, _LEAST if digits <= _LEAST else _MOST)
        one = mechanism.delta(epsilon=0, method=method, engine="fast")  # type: ignore[call-overload]
    except ShuffleproofError:  # other methods answer
        return None
    value = Fraction(decimal_text(by_chords(points, order=alpha), digits=_DIGITS, direction="up"))
    return Bound(
        quantity="renyi",
        side="upper",
        lower=Fraction(0),
        upper=value,
        value_of=f"the Renyi divergence of a pair whose profile is chords through {len(points)} values of {one.value_of}",
        claim=f"upper: what {one.statement} says of the profile at these points, and eps0-DP, make it (upper, alpha)-RDP, alpha the order",
        method=f"{method}, chords",
        statement="BEYOND.Renyi-chords",
        relation=mechanism.neighbours(),
        engine=one.engine,
        rests_on=one.rests_on,
        inputs={**{name: text for name, text in one.inputs.items() if name not in ("eps", "epsilon")}, **as_given(order=order)},
    )


def _pure(mechanism: Shuffled) -> Fraction | None:
    """An eps0, rounded up, for which the reports are eps0-DP, or None."""
    randomizer = mechanism.randomizer
    if isinstance(randomizer, NamedRandomizer):
        return epsilon0_parameter(randomizer.epsilon0).bounds(bits=64)[1]
    if isinstance(randomizer, FromLaw) and isinstance(randomizer.p, Fraction):
        from shuffleproof.spec.vocabulary.elementary import log_bounds

        return log_bounds(randomizer.p, bits=64)[1]
    return None


@lru_cache(maxsize=64)
def _method(mechanism: Shuffled) -> str | None:
    """The method of whole laws whose profile is the least, in float64 with sound sides; None where the optimal pair is as good."""
    pair = RANDOMIZER_PAIR.name if isinstance(mechanism.randomizer, NamedRandomizer) else OPTIMAL_PAIR.name
    enough = mechanism.epsilon(delta=_PROBE, method=pair, engine="fast").upper * _GAIN  # type: ignore[call-overload]
    found: list[tuple[Fraction, str]] = []
    for each in (ANOTHER_PLACE.name, BLANKET.name):
        if each in mechanism.methods():
            bound = mechanism.epsilon(delta=_PROBE, method=each, engine="fast")  # type: ignore[call-overload]
            if bound.claim_side == "upper" and bound.upper < enough:
                found.append((bound.upper, each))
    return min(found)[1] if found else None


@lru_cache(maxsize=64)
def _profile(mechanism: Shuffled, method: str, digits: int) -> tuple[tuple[Fraction, Fraction], ...]:
    """Upper values from 0 to where delta is 10^-digits, then 0 at eps0."""
    local = _pure(mechanism)
    assert local is not None
    top = mechanism.epsilon(delta=Fraction(1, 10**digits), method=method, engine="fast").upper  # type: ignore[call-overload]
    shares = [math.sinh(_WIDER * k / _POINTS) / math.sinh(_WIDER) for k in range(1, _POINTS + 1)]
    within = (Fraction(decimal_text(top * Fraction(share), digits=6, direction="up")) for share in shares)
    epsilons = [Fraction(0), *(epsilon for epsilon in within if epsilon < local)]
    values = [mechanism.delta(epsilon=each, method=method, engine="fast").upper for each in epsilons]  # type: ignore[call-overload]
    return (*((epsilon, min(Fraction(1), value)) for epsilon, value in zip(epsilons, values, strict=True)), (local, Fraction(0)))
