"""Where a profile meets a target, found by other means than the vectors were: by its corners, or by halving. Exact, for few users only."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import erfc, exp, sqrt

from shuffleproof.conformance.fakes import second_opinion as right
from shuffleproof.conformance.fakes.enumeration import clones_delta
from shuffleproof.conformance.fakes.second_opinion import require

_HALVINGS = 20
"""Halvings: six digits, as an implementation in floats might have."""


def least_exp_epsilon(pairs: list[tuple[Fraction, Fraction]], delta: Fraction) -> Fraction:
    """The least e^epsilon >= 1 at which delta of a pair (P, Q) is at most delta: walk along its corners, the steepest piece last.

    Q is nowhere 0, and the two are as far apart in both directions.
    """
    mass, other = Fraction(0), Fraction(0)
    for p, q in sorted(pairs, key=lambda pair: pair[0] / pair[1], reverse=True):
        if p <= q or mass - p / q * other > delta:
            break
        mass, other = mass + p, other + q
    return max(Fraction(1), (mass - delta) / other) if other else Fraction(1)


def in_rounds(pairs: list[tuple[Fraction, Fraction]], rounds: int) -> list[tuple[Fraction, Fraction]]:
    """(P, Q) of so many rounds, outcomes of one ratio taken together."""
    found = {Fraction(1): (Fraction(1), Fraction(1))}
    for _ in range(rounds):
        after: dict[Fraction, tuple[Fraction, Fraction]] = {}
        for one, other in found.values():
            for p, q in pairs:
                seen = after.get(one * p / (other * q), (Fraction(0), Fraction(0)))
                after[one * p / (other * q)] = (seen[0] + one * p, seen[1] + other * q)
        require(len(after) <= 3000, "only few users and rounds")
        found = after
    return list(found.values())


def gaussian_spread(epsilon: float, delta: float) -> float:
    """The least standard deviation for sensitivity 1, in floats, a hair above: by halving the exact condition."""

    def meets(sigma: float) -> bool:
        near, far = 1 / (2 * sigma) - epsilon * sigma, -1 / (2 * sigma) - epsilon * sigma
        return erfc(-near / sqrt(2)) / 2 - exp(epsilon) * erfc(-far / sqrt(2)) / 2 <= delta

    low, high = 0.0, 1.0
    while not meets(high):
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return high * (1 + 1e-9)


def largest_exp_epsilon0(n: int, order: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """e^epsilon0 on both sides of the largest at which the clones pair still meets (epsilon, delta): one that does, one that does not."""
    high = 2 * order
    while clones_delta(n, high, order) <= delta:
        require(high < 10**9, "no epsilon0 is too large")
        high *= 2
    fails, meets = _halved(lambda T: clones_delta(n, T, order) <= delta, high, Fraction(1))
    return meets, fails


def histogram_noise(n: int, order: Fraction, delta: Fraction, *, bins: int) -> Fraction:
    """n g for a g at which noise of that rate in each of one or two bins meets (epsilon, delta), and with a little less does not."""
    require(bins_delta(n, Fraction(1, 2), order, bins=bins) <= delta, "even p = 1/2 does not meet it")
    return n * _halved(lambda g: bins_delta(n, g, order, bins=bins) <= delta, Fraction(0), Fraction(1, 2))[1]


def bins_delta(n: int, g: Fraction, order: Fraction, *, bins: int) -> Fraction:
    """The larger divergence when one user moves to the first of two bins, or is added to one bin."""
    if bins == 1:
        return right.zero_sum_delta(n, g, order)
    noise = right.binomial(n, g)
    there, here = [*noise, Fraction(0)], [Fraction(0), *noise]
    moved = [a * b for a in there for b in here]
    stayed = [b * a for b in here for a in there]
    return right.divergence(moved, stayed, order)


@cache
def sum_noise(n: int, r: int, order: Fraction, delta: Fraction) -> Fraction:
    """A lambda at which n users with r bits each meet (epsilon, delta) on all datasets, and with a little less do not."""
    return _halved(lambda lam: sum_delta(n, r, lam, order) <= delta, Fraction(0), Fraction(n))[1]


def sum_delta(n: int, r: int, lam: Fraction, order: Fraction) -> Fraction:
    """The largest divergence of the numbers of ones: one user's bits change, j of them, and of the others h are 1."""
    lie = lam / (2 * n)
    worst = Fraction(0)
    for j in range(1, r + 1):
        for h in range(n * r - j + 1):
            others = _ones(h, n * r - j - h, lie)
            one, other = _sum(others, _ones(j, 0, lie)), _sum(others, _ones(0, j, lie))
            worst = max(worst, right.divergence(one, other, order), right.divergence(other, one, order))
    return worst


def _ones(ones: int, zeros: int, lie: Fraction) -> list[Fraction]:
    """The distribution of how many messages are 1, each bit flipped with probability lie."""
    return _sum(right.binomial(ones, 1 - lie), right.binomial(zeros, lie))


def _sum(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
    found = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            found[i + j] += a * b
    return found


def _halved(meets: Callable[[Fraction], bool], fails: Fraction, enough: Fraction) -> tuple[Fraction, Fraction]:
    """Both ends after halving the way between a point that fails and one that meets."""
    for _ in range(_HALVINGS):
        middle = (fails + enough) / 2
        fails, enough = (fails, middle) if meets(middle) else (middle, enough)
    return fails, enough
