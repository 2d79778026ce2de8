"""A named randomizer by its whole distribution, certified on a grid: by its blanket, and below by datasets whose others hold one item."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from shuffleproof.impl.ball.bounds.blanket.one_sum_profile import DIGITS, delta_of, epsilon_of, require_on_grids
from shuffleproof.impl.ball.bounds.blanket.randomizer_distributions import (
    LossDistribution,
    blanket_distributions,
    homogeneous_distributions,
)
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import BLANKET, HOMOGENEOUS
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

View = Literal["above", "below"]
_VIEWS: Mapping[View, tuple[Method, Callable[[NamedRandomizer, Epsilon], list[LossDistribution]]]] = {
    "above": (BLANKET, blanket_distributions),
    "below": (HOMOGENEOUS, homogeneous_distributions),
}


@certified(BLANKET)
def delta(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, epsilon: Epsilon, view: View = "above", digits: int = DIGITS) -> Found:
    """delta at epsilon: of the sum over the blanket, or of the pair of datasets; to at most 6 digits.

    randomizer: where k may be left out it stands for any number of items, three at least; hash functions are uniform. view: "above", an
    upper bound for all neighbouring datasets (BEYOND.any-law-above), or "below", a lower bound: these are neighbouring datasets, and
    others may be worse (BEYOND.any-law-below).
    """
    require_on_grids(digits)
    method, distributions_of = _VIEWS[view]
    if epsilon >= epsilon0:
        return replace(Found.exactly(0), method=method)
    return replace(delta_of(distributions_of(randomizer, epsilon0), n=n, epsilon0=epsilon0, epsilon=epsilon, digits=digits), method=method)


@certified(BLANKET)
def epsilon(
    *, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, delta: Fraction, view: View = "above", digits: int = DIGITS
) -> Found:
    """Least epsilon at which that delta is at most delta; exactly epsilon0 at delta = 0."""
    require_on_grids(digits)
    method, distributions_of = _VIEWS[view]
    if epsilon0.exp == 1:
        return replace(Found.exactly(0), method=method)
    return replace(epsilon_of(distributions_of(randomizer, epsilon0), n=n, epsilon0=epsilon0, delta=delta, digits=digits), method=method)
