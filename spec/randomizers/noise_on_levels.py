"""Noise on a number that is rounded to levels, and k-RR with a setting for each item, by their exact distributions."""

from collections.abc import Sequence
from fractions import Fraction

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require


def by_distance(*, levels: int, weights: Sequence[Fraction], beyond: int = 0) -> LocalRandomizer[int, int]:
    """Level x in {0, ..., levels - 1} sent as y in {-beyond, ..., levels - 1 + beyond} with probability in proportion to weights[|y - x|].

    levels: at least 2; weights: for the distances 0 to levels - 1 + beyond, at least 0, the first above; beyond: at least 0. Laplace,
    Gaussian and staircase noise that is truncated to an interval. Raises DomainError.
    """
    require(levels >= 2, parameter="levels", value=levels, requirement="an integer of at least 2")
    require(beyond >= 0, parameter="beyond", value=beyond, requirement="an integer of at least 0")
    farthest = levels - 1 + beyond
    require(len(weights) == farthest + 1, parameter="weights", value=len(weights), requirement=f"{farthest + 1} of them")
    require(min(weights) >= 0 and weights[0] > 0, parameter="weights", value=min(weights), requirement="at least 0, the first above")
    return LocalRandomizer(
        range(levels), {x: _in_proportion({y: weights[abs(y - x)] for y in _range(levels, beyond)}) for x in range(levels)}
    )


def clipped_laplace(*, levels: int, ratio: Fraction) -> LocalRandomizer[int, int]:
    """Noise z with probability ratio^|z| (1 - ratio)/(1 + ratio) on a level; what leaves {0, ..., levels - 1} is set to the nearer end.

    levels: at least 2; ratio: in (0, 1), e^(-eps0/(levels - 1)) for eps0-DP. Raises DomainError.
    """
    require(levels >= 2, parameter="levels", value=levels, requirement="an integer of at least 2")
    require(0 < ratio < 1, parameter="ratio", value=ratio, requirement="in (0, 1)")
    a, last = Fraction(ratio), levels - 1

    def mass(x: int, y: int) -> Fraction:
        # a/(1 + a) + (1 - a)/(1 + a) = 1/(1 + a) at the ends: the noise's own mass there, and its tail
        return a ** abs(y - x) / (1 + a) * (1 if y in (0, last) else 1 - a)

    return LocalRandomizer(range(levels), {x: Distribution({y: mass(x, y) for y in range(levels)}) for x in range(levels)})


def staircase_weights(*, levels: int, exp_epsilon0: Fraction, high: int, beyond: int = 0) -> list[Fraction]:
    """The weights of the staircase mechanism on levels, for `by_distance`: of each stair of levels - 1 steps the first `high` stand higher.

    exp_epsilon0: at least 1; high: from 1 to levels - 1, gamma (levels - 1) of Geng and Viswanath. Raises DomainError.

    >>> [str(weight) for weight in staircase_weights(levels=4, exp_epsilon0=Fraction(2), high=2, beyond=2)]
    ['1', '1', '1/2', '1/2', '1/2', '1/4']
    """
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    stair = levels - 1
    require(1 <= high <= stair, parameter="high", value=high, requirement=f"an integer from 1 to {stair}")
    return [1 / Fraction(exp_epsilon0) ** (z // stair + (z % stair >= high)) for z in range(levels + beyond)]


def k_rr_by_item(*, exp_epsilons: Sequence[Fraction]) -> LocalRandomizer[int, int]:
    """k-RR in which item x is reported truthfully with odds T_x to 1 against each other item. exp_epsilons: T_x >= 1, two or more of them.

    Raises DomainError.
    """
    k = len(exp_epsilons)
    require(k >= 2, parameter="exp_epsilons", value=k, requirement="two items or more")
    require(min(exp_epsilons) >= 1, parameter="exp_epsilons", value=min(exp_epsilons), requirement="at least 1")
    return LocalRandomizer(
        range(k), {x: _in_proportion({y: Fraction(T) if x == y else Fraction(1) for y in range(k)}) for x, T in enumerate(exp_epsilons)}
    )


def _range(levels: int, beyond: int) -> range:
    return range(-beyond, levels + beyond)


def _in_proportion(weights: dict[int, Fraction]) -> Distribution[int]:
    total = sum(weights.values(), Fraction(0))
    return Distribution({y: w / total for y, w in weights.items()})
