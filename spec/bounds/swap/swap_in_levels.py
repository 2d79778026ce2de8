"""The random-swap bound in levels for one randomizer, exactly: first arrival with the loss types of the users' items.

Every other user k sends a report of R_k, one of finitely many distributions; which one may depend on the reports before it. omega is one
distribution with eta_L omega <= R_k for all of them. The special user's report is swapped with that of a random user who drew from omega
at the least level that anybody has; where nobody has one, it hides in what is left of the privacy blanket.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, product
from math import comb
from typing import TypeVar

from shuffleproof.spec.bounds.swap.another_place import in_blocks, left, positive
from shuffleproof.spec.bounds.swap.controlled_sum import Losses, controlled_sums, over_pool
from shuffleproof.spec.vocabulary.errors import require

Y = TypeVar("Y", bound=Hashable)
Masses = Mapping[Y, Fraction]


def losses(*, first: Masses[Y], second: Masses[Y], hiding: Masses[Y], exp_epsilon: Fraction) -> tuple[Losses, Fraction]:
    """The distribution of L = (R_0 - E R_1)/m under m, and the integral of (R_0 - E R_1)_+ where m is 0.

    hiding: m, of mass 1 at most; L is 0 with what is left.
    """
    merged: dict[Fraction, Fraction] = {Fraction(0): 1 - sum(hiding.values(), Fraction(0))}
    uncovered = Fraction(0)
    for y in dict.fromkeys((*hiding, *first, *second)):
        m, gain = hiding.get(y, Fraction(0)), first.get(y, Fraction(0)) - exp_epsilon * second.get(y, Fraction(0))
        if m:
            merged[gain / m] = merged.get(gain / m, Fraction(0)) + m
        else:
            uncovered += max(gain, Fraction(0))
    return tuple((value, p) for value, p in merged.items() if p), uncovered


def blanket_left(*, others: Sequence[Masses[Y]], common: Masses[Y], share: Fraction) -> dict[Y, Fraction]:
    """(min over k of R_k - eta omega)/(1 - eta), a sub-density below every (R_k - eta omega)/(1 - eta)."""
    messages = dict.fromkeys(y for law in (*others, common) for y in law)
    least = {y: min(law.get(y, Fraction(0)) for law in others) for y in messages}
    return {y: (least[y] - share * common.get(y, Fraction(0))) / (1 - share) for y in messages}


def fixed_sums(types: Sequence[Losses], steps: int) -> list[Fraction]:
    """The largest E(L_1 + ... + L_S)_+ of S = 0, ..., steps independent losses of these types, chosen beforehand: at most V_S(0)."""
    return [max(positive(chosen) for chosen in combinations_with_replacement(types, S)) for S in range(steps + 1)]


def sum_in_blocks(types: Sequence[Losses], users: int, *, groups: Sequence[int], start: Fraction = Fraction(0)) -> Fraction:
    """The controlled sum that takes blocks of 1, 2, 4, ..., 2^J users of one type: not below `fixed_sums`, however many are of each type.

    There are as many blocks of each size as `another_place.in_blocks` says; at every step the type that is worst is taken for a block of
    its size. groups: K_0, ..., K_(J - 1), how many types may be left over by blocks of each size, here the number of types for each;
    start: where the sum begins, r m for r users fewer, where a loss of some type has the mean -m or more. Raises DomainError.
    """
    sums, size = {1: list(types)}, 1
    for _ in groups:
        sums[2 * size] = [_twice(law) for law in sums[size]]
        size = 2 * size
    steps = [sums[g] for g, times in in_blocks(users=users, groups=groups).items() for _ in range(times)]

    @cache
    def V(j: int, s: Fraction) -> Fraction:
        return max(sum((p * V(j - 1, s + x) for x, p in law), Fraction(0)) for law in steps[j - 1]) if j else max(s, Fraction(0))

    return V(len(steps), start)


def _twice(law: Losses) -> Losses:
    """The distribution of the sum of two independent ones."""
    merged: dict[Fraction, Fraction] = {}
    for (x, p), (y, q) in product(law, law):
        merged[x + y] = merged.get(x + y, Fraction(0)) + p * q
    return tuple(merged.items())


def arrived(
    *,
    N: int,
    first: Masses[Y],
    second: Masses[Y],
    others: Sequence[Masses[Y]],
    common: Masses[Y],
    before: Fraction,
    share: Fraction,
    exp_epsilon: Fraction,
    fixed: bool = False,
) -> Fraction:
    """The mean over the pool r ~ Bin(N, d), r >= 1, of the controlled sum of N - r + 1 losses against (R_k - eta omega)/(1 - eta).

    before, share: the levels eta_(l-1) and eta_l; d = (eta_l - eta_(l-1))/(1 - eta_(l-1)); fixed: the others' data do not depend on the
    reports, so that the largest sum of types chosen beforehand serves. Raises DomainError.
    """
    types = [losses(first=first, second=second, hiding=left(law, common, share), exp_epsilon=exp_epsilon) for law in others]
    sums = fixed_sums if fixed else controlled_sums
    V, uncovered = sums([law for law, _ in types], N), max(beyond for _, beyond in types)
    return over_pool(V, d=(share - before) / (1 - before), uncovered=uncovered)


def in_order(
    *,
    N: int,
    first: Masses[Y],
    second: Masses[Y],
    others: Sequence[Masses[Y]],
    common: Masses[Y],
    mass: Fraction,
    part: Fraction,
    exp_epsilon: Fraction,
) -> Fraction:
    """The mean over the place i of the first other user who draws from omega of the largest sum of N - i + 1 losses against R_k.

    common, mass: omega and gamma, with gamma omega at most each R_k; gamma alone enters the sum. part: t, of a random order in which others
    draw from omega with probability gamma: i is the first with probability gamma (1 - gamma)^(i - 1), if so many are there. Data do not
    depend on reports. Raises DomainError.
    """
    types = [losses(first=first, second=second, hiding=law, exp_epsilon=exp_epsilon) for law in others]
    V, uncovered = fixed_sums([law for law, _ in types], N), max(beyond for _, beyond in types)
    there = {i: sum((comb(N, j) * part**j * (1 - part) ** (N - j) for j in range(i, N + 1)), Fraction(0)) for i in range(1, N + 1)}
    return sum((mass * (1 - mass) ** (i - 1) * p * (V[N - i + 1] / (N - i + 1) + uncovered) for i, p in there.items()), Fraction(0))


def nobody(
    *, n: int, first: Masses[Y], second: Masses[Y], others: Sequence[Masses[Y]], common: Masses[Y], share: Fraction, exp_epsilon: Fraction
) -> Fraction:
    """F(eta): n draws of the privacy blanket of (R_k - eta omega)/(1 - eta)."""
    cover = blanket_left(others=others, common=common, share=share)
    law, uncovered = losses(first=first, second=second, hiding=cover, exp_epsilon=exp_epsilon)
    return controlled_sums([law], n)[n] / n + uncovered


def delta(
    *,
    n: int,
    first: Masses[Y],
    second: Masses[Y],
    others: Sequence[Masses[Y]],
    common: Masses[Y],
    levels: Sequence[Fraction],
    exp_epsilon: Fraction,
    fixed: bool = False,
) -> Fraction:
    """An upper bound on D_E(A(X_0) || A(X_1)) for n users, whatever the N = n - 1 others hold, adaptively or, if fixed, not.

    first, second: R_0 and R_1; others: the distributions that another user's report may have; common: omega, a distribution; levels:
    0 < eta_1 < ... < eta_L < 1 with eta_L omega at most each of them, or none, which is the privacy blanket's bound; exp_epsilon: E >= 1.
    Raises DomainError.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    cuts = [Fraction(0), *levels]
    require(all(a < b for a, b in pairwise(cuts)) and cuts[-1] < 1, parameter="levels", value=list(levels), requirement="rising in (0, 1)")
    N, total = n - 1, Fraction(0)
    for before, eta in pairwise(cuts):
        total += (1 - before) ** N * arrived(
            N=N, first=first, second=second, others=others, common=common, before=before, share=eta, exp_epsilon=exp_epsilon, fixed=fixed
        )
    at_no_level = nobody(n=n, first=first, second=second, others=others, common=common, share=cuts[-1], exp_epsilon=exp_epsilon)
    return total + (1 - cuts[-1]) ** N * at_no_level
