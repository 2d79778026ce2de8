"""Other users hidden in groups, exactly: an upper side that depends on what they hold (BEYOND.any-law-groups, any-law-unlike-reports).

Where others are alike the blanket hides too few: the least of all laws is below each. Here the others are put in groups, which may depend
on the dataset, and which the adversary may know. With probability s a group's shuffled reports are i.i.d. draws of one law m; else they are
told. s is the least product of the ratios R_k/m of its users: by the inequality of the means no more is needed than reports that are equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TypeVar

from shuffleproof.spec.bounds.blanket.one_sum import kinds, profile
from shuffleproof.spec.vocabulary.errors import require

Y = TypeVar("Y", bound=Hashable)
Law = Mapping[Y, Fraction]


def hidden(members: Sequence[Law[Y]], target: Law[Y]) -> Fraction:
    """s: the shuffled reports of these users are i.i.d. draws of `target` with probability s, the largest there is.

    members: R_k of the users of one group; target: m, a law. For g users, multiset by multiset, the mean over the orders of the products of
    R_k/m is at least its geometric mean, the g-th root of the product over the reports y of r(y) = product over k of R_k(y)/m(y); so it is
    at least the least r, which g equal reports have.
    """
    return min(prod((law.get(y, Fraction(0)) / m for law in members), start=Fraction(1)) for y, m in target.items() if m)


def among_alike(*, hidden_users: int, first: Law[Y], second: Law[Y], target: Law[Y], exp_epsilon: Fraction) -> Fraction:
    """D(h): the divergence of one report of R_0 or R_1 among h i.i.d. ones of `target`, shuffled. It is nonincreasing in h."""
    return profile(n=hidden_users + 1, kinds=kinds(first, second, target)).delta(exp_epsilon=exp_epsilon)


def silent(others: int, alike: Fraction) -> Fraction:
    """The probability that nobody of N unlike reports is told, each the plain one with probability s = `alike`: s (N + 1)/(N + s)."""
    return alike * (others + 1) / (others + alike)


def among_unlike(alike_values: Sequence[Fraction], alike: Fraction) -> list[Fraction]:
    """Bounds g(0), g(1), ... where reports are unlike, from D(0), D(1), ...: g(N) = s_N D(N) + (1 - s_N) g(N - 1), s_N = `silent`."""
    found = [alike_values[0]]
    for N, value in enumerate(alike_values[1:], start=1):
        s = silent(N, alike)
        found.append(s * value + (1 - s) * found[-1])
    return found


def delta(
    *,
    first: Law[Y],
    second: Law[Y],
    target: Law[Y],
    groups: Iterable[Sequence[Law[Y]]],
    exp_epsilon: Fraction,
    alike: Fraction = Fraction(1),
) -> Fraction:
    """An upper bound on D_E(A(X_0) || A(X_1)) where the other users' laws are those of the groups: the mean of g over who is hidden.

    first, second: R_0 and R_1; target: m, a law, more than 0 wherever they are; exp_epsilon: E >= 1. alike: 1, or the least share of the
    plain report where hidden reports are images of m under channels that keep R_0 and R_1. Raises DomainError.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    numbers = {0: Fraction(1)}
    for members in groups:
        s, following = hidden(members, target), dict[int, Fraction]()
        require(s <= 1, parameter="target", value=dict(target), requirement="a law")
        for h, weight in numbers.items():
            for more, share in ((len(members), s), (0, 1 - s)):
                following[h + more] = following.get(h + more, Fraction(0)) + weight * share
        numbers = following
    values = [
        among_alike(hidden_users=h, first=first, second=second, target=target, exp_epsilon=exp_epsilon) for h in range(max(numbers) + 1)
    ]
    values = among_unlike(values, alike)
    return sum((weight * values[h] for h, weight in numbers.items()), Fraction(0))
