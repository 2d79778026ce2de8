"""Renyi divergences of randomizers by their whole laws: from upper values of the privacy profile alone (BEYOND.Renyi-chords)."""

from dataclasses import replace
from fractions import Fraction

from shuffleproof.accounting.profile_by_chords import OF_RENYI, ShuffledReports, by_law, profile, pure
from shuffleproof.mechanisms.randomizers import AnyRandomizer
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ShuffleproofError
from shuffleproof.spec.vocabulary.numerals import Number, as_given, decimal_text, renyi_order

_LEAST = 16
"""Fewest digits of the smallest delta that is asked for: one profile serves all orders that need no more."""
_MOST = 32
"""Most digits of the smallest delta that is asked for."""
_DIGITS = 12
"""Of the value, rounded up: chords lose some thousandths, so that more would say nothing."""
_SHOWN = Fraction(1, 10**6)
"""Width of what is shown below the upper end, of itself: six digits; only the upper end is a bound."""


def renyi(mechanism: ShuffledReports, *, order: Number) -> Bound | None:
    """An upper bound on the Renyi divergence by the randomizer's whole distribution, or None where that is no gain.

    mechanism: of a randomizer that is eps0-DP for a finite eps0, which ends its profile. order: above 1. Raises DomainError.
    """
    from shuffleproof.impl.ball.renyi_of_profile import renyi as by_chords

    alpha, local = renyi_order(order), pure(mechanism)
    if not local or isinstance(mechanism.randomizer, AnyRandomizer):
        return None
    digits = 10 + (alpha - 1) * local * Fraction(4343, 10000)  # what is left beyond them is multiplied by e^((alpha - 1) eps0)
    if digits > _MOST:
        return None
    try:
        method = by_law(mechanism)
        if method is None:
            return None
        beyond = Fraction(1, 10 ** (_LEAST if digits <= _LEAST else _MOST))
        points = profile(mechanism, method=method, beyond=beyond, spacing=OF_RENYI)
        one: Bound = mechanism.delta(epsilon=0, method=method, engine="fast")
    except ShuffleproofError:  # other methods answer
        return None
    value = Fraction(decimal_text(by_chords(points, order=alpha), digits=_DIGITS, direction="up"))
    return replace(
        one,
        quantity="renyi",
        side="upper",  # nothing is claimed of the lower end
        lower=value * (1 - _SHOWN),
        upper=value,
        exact=None,
        precision=None,
        value_of=f"the Renyi divergence of a pair whose profile is chords through {len(points)} values of {one.value_of}",
        claim=f"upper: what {one.statement} says of the profile at these points, and eps0-DP, make it (upper, alpha)-RDP, alpha the order",
        method=f"{method}, chords",
        statement="BEYOND.Renyi-chords",
        also=one.statements,
        inputs={**{name: text for name, text in one.inputs.items() if name not in ("eps", "epsilon")}, **as_given(order=order)},
    )
