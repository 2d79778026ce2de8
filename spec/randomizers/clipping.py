"""The clipping construction of FMT21, Lemma 3.7: from an (epsilon, delta)-DP local randomizer to an epsilon-DP one nearby, exactly."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)


def deletion_delta(randomizer: LocalRandomizer[X, Y], reference: Distribution[Y], *, exp_epsilon: Fraction) -> Fraction:
    """The least delta for which this is a deletion (epsilon, delta)-DP local randomizer with this reference (FMT21, Definition 3.6).

    exp_epsilon: e^epsilon >= 1, exact. Raises DomainError below that.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    pairs = [(randomizer.distribution(x), reference) for x in randomizer.domain]
    return max(hockey_stick(p, q, exp_epsilon=exp_epsilon) for one, other in pairs for p, q in ((one, other), (other, one)))


def clipped_randomizer(randomizer: LocalRandomizer[X, Y], reference: Distribution[Y], *, exp_epsilon: Fraction) -> LocalRandomizer[X, Y]:
    """R' of FMT21, Lemma 3.7: deletion epsilon-DP with the same reference, every distribution as near as that allows.

    exp_epsilon: e^epsilon >= 1, exact. Raises DomainError below that.
    """
    laws = {x: clipped(randomizer.distribution(x), reference, exp_epsilon=exp_epsilon) for x in randomizer.domain}
    return LocalRandomizer(randomizer.domain, laws)


def clipped(law: Distribution[Y], reference: Distribution[Y], *, exp_epsilon: Fraction) -> Distribution[Y]:
    """The distribution with all likelihood ratios to the reference moved into [1/T, T], T = e^epsilon (FMT21, proof of Lemma 3.7).

    The distribution P is first cut down to T Q and raised to Q/T, Q the reference. If more was cut than raised, the lower bound is raised
    from 1/T towards 1 until both are equal; if less, the upper bound is lowered from T towards 1. The total variation to P is
    max(D_T(P || Q), D_T(Q || P)/T), the least that is possible.

    exp_epsilon: e^epsilon >= 1, exact. Raises DomainError below that.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    T = Fraction(exp_epsilon)
    outcomes = tuple(dict.fromkeys((*law.support, *reference.support)))
    pairs = [(law[y], reference[y]) for y in outcomes]
    cut = sum((max(Fraction(0), p - T * q) for p, q in pairs), Fraction(0))
    raised = sum((max(Fraction(0), q / T - p) for p, q in pairs), Fraction(0))
    low, high = 1 / T, T
    ratios = [p / q for p, q in pairs if q]
    if cut > raised:
        low = _level(lambda c: sum((max(Fraction(0), c * q - p) for p, q in pairs), Fraction(0)), cut, low, Fraction(1), ratios)
    elif raised > cut:
        high = _level(lambda c: sum((max(Fraction(0), p - c * q) for p, q in pairs), Fraction(0)), raised, Fraction(1), high, ratios)
    return Distribution({y: min(max(p, low * q), high * q) for y, (p, q) in zip(outcomes, pairs, strict=True)})


def _level(moved: Callable[[Fraction], Fraction], wanted: Fraction, low: Fraction, high: Fraction, ratios: list[Fraction]) -> Fraction:
    """c in [low, high] with moved(c) = wanted, for a continuous monotone function that is linear between the given ratios."""
    corners = sorted({low, high, *(ratio for ratio in ratios if low < ratio < high)})
    for left, right in pairwise(corners):
        at_left, at_right = moved(left), moved(right)
        if min(at_left, at_right) <= wanted <= max(at_left, at_right):
            return left if at_left == wanted else left + (wanted - at_left) / (at_right - at_left) * (right - left)
    raise AssertionError("the intermediate value theorem fails")  # moved(1) is the total variation, which is at least what is wanted
