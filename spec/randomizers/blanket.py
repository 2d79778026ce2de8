"""What all distributions of a randomizer have in common: the privacy blanket (BBGN19), and the three numbers of BEYOND.ThmF3."""

from collections.abc import Hashable
from fractions import Fraction
from typing import TypeVar

from shuffleproof.spec.distribution import Distribution, total_variation
from shuffleproof.spec.model import LocalRandomizer

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)


def privacy_blanket(randomizer: LocalRandomizer[X, Y]) -> tuple[Fraction, Distribution[Y] | None]:
    """(gamma, omega) with R(x) = gamma omega + (1 - gamma) (x's own distribution) and gamma as large as can be; omega is None at gamma = 0.

    gamma = sum over y of min over x of R(x)(y), in [0, 1].  (BBGN19)
    """
    least = {y: min(randomizer.distribution(x)[y] for x in randomizer.domain) for y in randomizer.messages}
    gamma = sum(least.values(), Fraction(0))
    return gamma, Distribution({y: weight / gamma for y, weight in least.items()}) if gamma else None


def pair_parameters(randomizer: LocalRandomizer[X, Y]) -> tuple[Fraction | None, Fraction]:
    """(p, beta): the largest likelihood ratio, None if infinite, and the largest total variation of two distributions of the randomizer.

    With q = p these are parameters of the optimal pair for n users who all use this randomizer (BEYOND.ThmF3).
    """
    beta = max(
        total_variation(randomizer.distribution(x), randomizer.distribution(other))
        for x in randomizer.domain
        for other in randomizer.domain
    )
    return randomizer.exp_epsilon0(), beta
