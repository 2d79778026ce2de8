"""The privacy blanket where reports are revealed in pairs, exactly: an upper side that hides more than the blanket (BEYOND.any-law-pairs).

Every other user k draws from m with probability |m|, from R_k - m else. The blanket reveals who drew from R_k - m, and what. Here reports
are revealed in pairs at random: of each pair both reports, in no order, and who of its two senders drew from R_k - m, but not which of the
two reports is that sender's. Where one sender k of a pair did, and the reports are y and y', it is y' with the odds r(y') to r(y),
r = (R_k - m)/m, and what the pair says of the special user is the mean of L(y) and L(y') with these odds.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from shuffleproof.spec.bounds.swap.another_place import positive
from shuffleproof.spec.bounds.swap.controlled_sum import Losses
from shuffleproof.spec.vocabulary.errors import require

Y = TypeVar("Y", bound=Hashable)
Sums = tuple[tuple[Fraction, Fraction, Fraction], ...]
"""Probability, and the sums of u and v as the adversary expects them, of a pair of reports; what is left of the probability: 0 and 0."""
Share = Callable[[Fraction, Fraction], Fraction]


def posterior(at_y: Fraction, at_z: Fraction) -> Fraction:
    """The probability that y came from m and z did not, where (R_k - m)/m is at_y at y and at_z at z."""
    return at_z / (at_y + at_z)


def pairs_with(
    first: Mapping[Y, Fraction],
    second: Mapping[Y, Fraction],
    cover: Mapping[Y, Fraction],
    other: Mapping[Y, Fraction],
    *,
    share: Share = posterior,
) -> Sums:
    """The distribution of one pair where whoever draws from R_k - m has the distribution `other`.

    first, second: R_0, R_1; cover: m, at most `other`.
    """
    hiding = [y for y, m in cover.items() if m]
    u, v = ({y: law.get(y, Fraction(0)) / cover[y] for y in hiding} for law in (first, second))
    left = {y: p - cover.get(y, Fraction(0)) for y, p in other.items()}
    require(min(left.values(), default=0) >= 0, parameter="cover", value=dict(cover), requirement="at most every other user's distribution")
    merged: dict[tuple[Fraction, Fraction], Fraction] = {}

    def add(weight: Fraction, a: Fraction, b: Fraction) -> None:
        if weight:
            merged[a, b] = merged.get((a, b), Fraction(0)) + weight

    for y in hiding:
        for z in hiding:
            add(cover[y] * cover[z], u[y] + u[z], v[y] + v[z])
        for z, p in left.items():
            if not cover.get(z):  # nobody draws it from m
                add(2 * cover[y] * p, u[y], v[y])
            elif p:
                at_y, at_z = left.get(y, Fraction(0)) / cover[y], p / cover[z]
                at = share(at_y, at_z)
                add(2 * cover[y] * p, at * u[y] + (1 - at) * u[z], at * v[y] + (1 - at) * v[z])
    return tuple((weight, a, b) for (a, b), weight in sorted(merged.items()))


def losses(pairs: Sums, E: Fraction) -> Losses:
    """The distribution of U - E V."""
    merged: dict[Fraction, Fraction] = {}
    for weight, a, b in pairs:
        merged[a - E * b] = merged.get(a - E * b, Fraction(0)) + weight
    merged[Fraction(0)] = merged.get(Fraction(0), Fraction(0)) + 1 - sum(merged.values(), Fraction(0))
    return tuple(sorted(merged.items()))


def least_above(laws: Sequence[Losses]) -> Losses:
    """The least distribution on the atoms of these, of one mean, that dominates all of them in the convex order.

    At every atom t its E(L - t)_+ is the largest of theirs; between two neighbouring atoms it is the chord, which lies above the largest.
    """
    at = sorted({x for law in laws for x, _ in law})
    if len(at) == 1:
        return ((at[0], Fraction(1)),)
    heights = [max(sum((weight * max(x - t, Fraction(0)) for x, weight in law), Fraction(0)) for law in laws) for t in at]
    slopes = [Fraction(-1), *((heights[i + 1] - heights[i]) / (at[i + 1] - at[i]) for i in range(len(at) - 1)), Fraction(0)]
    return tuple((at[i], slopes[i + 1] - slopes[i]) for i in range(len(at)) if slopes[i + 1] != slopes[i])


def delta(
    *,
    n: int,
    first: Mapping[Y, Fraction],
    second: Mapping[Y, Fraction],
    cover: Mapping[Y, Fraction],
    others: Iterable[Mapping[Y, Fraction]],
    exp_epsilon: Fraction,
    share: Share = posterior,
) -> Fraction:
    """An upper bound on D_E(A(X_0) || A(X_1)), whatever the distributions of the other n - 1 users among `others` are.

    n: at least 2; first, second: R_0 and R_1; cover: m, a sub-density, at most each of `others`; exp_epsilon: E, at least 1.
    share: the posterior, but in a check that it is needed. Of an odd number of users one other is named and left out.
    Raises DomainError.
    """
    require(n >= 2, parameter="n", value=n, requirement="an integer of at least 2")
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    of_a_pair = least_above([losses(pairs_with(first, second, cover, other, share=share), exp_epsilon) for other in others])
    revealed = sum((max(first[y] - exp_epsilon * second.get(y, Fraction(0)), Fraction(0)) for y in first if not cover.get(y)), Fraction(0))
    return positive([of_a_pair] * (n // 2)) / (2 * (n // 2)) + revealed
