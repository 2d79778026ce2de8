"""The special user's report swapped with that of a random other user, exactly: an upper bound, whatever others hold (BEYOND.any-law-place).

Let every other user k send a draw of one distribution omega with probability eta, and else one of m_k: R_k = eta omega + (1 - eta) m_k. Of
those who drew from omega one, J, is chosen at random. The special user's report may be taken for J's, since J's own is but one more draw of
omega: reveal who else drew from omega, and every other report with its sender, J's being the special user's. Of S senders each is J alike.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TypeVar

from shuffleproof.spec.vocabulary.errors import require

Y = TypeVar("Y", bound=Hashable)
Masses = Mapping[Y, Fraction]


def left(law: Masses[Y], common: Masses[Y], share: Fraction) -> dict[Y, Fraction]:
    """m = (R - eta omega)/(1 - eta). Raises DomainError where that is no distribution."""
    found = {y: (law.get(y, Fraction(0)) - share * common.get(y, Fraction(0))) / (1 - share) for y in dict.fromkeys((*law, *common))}
    require(
        min(found.values()) >= 0, parameter="share", value=share, requirement="a share of omega that every other user's distribution has"
    )
    return found


def among(*, first: Masses[Y], second: Masses[Y], hiding: Sequence[Masses[Y]], exp_epsilon: Fraction) -> Fraction:
    """One report of R_0 or R_1 with independent ones of the other m_k, each revealed with its sender, in the place of a random one's.

    With L_k = (R_0 - E R_1)/m_k under m_k this is E(L_1 + ... + L_S)_+/S; what R_0 and R_1 send where m_k is 0 has infinite privacy loss.
    """
    laws, given_away = [], Fraction(0)
    for law in hiding:
        losses = {y: first.get(y, Fraction(0)) - exp_epsilon * second.get(y, Fraction(0)) for y in dict.fromkeys((*law, *first, *second))}
        given_away += sum((max(loss, Fraction(0)) for y, loss in losses.items() if not law.get(y)), Fraction(0))
        laws.append([(losses[y] / m, m) for y, m in law.items() if m])
    return (positive(laws) + given_away) / len(hiding)


def positive(laws: Iterable[Iterable[tuple[Fraction, Fraction]]]) -> Fraction:
    """E(L_1 + ... + L_S)_+ of independent losses, each given by values and their probabilities."""
    sums = {Fraction(0): Fraction(1)}
    for law in laws:
        atoms, following = list(law), dict[Fraction, Fraction]()
        for at, weight in sums.items():
            for value, mass in atoms:
                following[at + value] = following.get(at + value, Fraction(0)) + weight * mass
        sums = following
    return sum((weight * at for at, weight in sums.items() if at > 0), Fraction(0))


def delta(
    *, first: Masses[Y], second: Masses[Y], others: Sequence[Masses[Y]], common: Masses[Y], share: Fraction, exp_epsilon: Fraction
) -> Fraction:
    """An upper bound on D_E(A(X_0) || A(X_1)), the other users' distributions being these.

    first, second: R_0 and R_1; common: omega, a distribution; share: eta in [0, 1), with eta omega at most every R_k; exp_epsilon: E >= 1.
    Where nobody draws from omega nothing hides the report; r who do have probability eta^r (1 - eta)^(N - r), each r of them.
    Raises DomainError.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    require(0 <= share < 1, parameter="share", value=share, requirement="in [0, 1)")
    laws, N = [left(law, common, share) for law in others], len(others)
    bare = {y: first.get(y, Fraction(0)) - exp_epsilon * second.get(y, Fraction(0)) for y in dict.fromkeys((*first, *second))}
    total = (1 - share) ** N * sum((max(loss, Fraction(0)) for loss in bare.values()), Fraction(0))
    for S in range(1, N + 1):
        r = N - S + 1
        weight = share**r * (1 - share) ** (N - r) * Fraction(S, r)  # of one set of S senders: S choices of J, each taken with 1/r
        for chosen in combinations(laws, S):
            total += weight * among(first=first, second=second, hiding=chosen, exp_epsilon=exp_epsilon)
    return total


def least_above(laws: Sequence[Mapping[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    """The least distribution that dominates these, all of one mean, in the convex order: E(X - t)_+ is the largest of theirs for every t.

    laws: probabilities of values. Between two neighbouring values of theirs it is a maximum of lines, with corners where they cross.
    """
    points = sorted({at for law in laws for at in law})
    corners: list[Fraction] = []
    for low, high in pairwise(points):
        lines = [(_above(law, low), (_above(law, high) - _above(law, low)) / (high - low)) for law in laws]
        corners += [low + (b - a) / (s - t) for a, s in lines for b, t in lines if s != t and low < low + (b - a) / (s - t) < high]
    points = sorted({*points, *corners})
    heights = [max(_above(law, t) for law in laws) for t in points]
    slopes = [(b - a) / (high - low) for (a, b), (low, high) in zip(pairwise(heights), pairwise(points), strict=True)]
    masses = [after - before for before, after in zip([Fraction(-1), *slopes], [*slopes, Fraction(0)], strict=True)]
    return {at: mass for at, mass in zip(points, masses, strict=True) if mass}


def corner_distributions(T: Fraction) -> list[dict[tuple[Fraction, Fraction], Fraction]]:
    """All loss types of eps0-DP randomizers: distributions of (u, v) = (R_0/R_k, R_1/R_k) under R_k at corners of 1/T <= u, v, u/v <= T.

    T = e^eps0 > 1. Every distribution of (u, v) there has both means 1, and is at most a mixture of these in the convex order.
    """
    one = Fraction(1)
    low, high, first, second = (1 / T, 1 / T), (T, T), (T, one), (one, T)
    return [
        {low: T / (T + 1), high: 1 / (T + 1)},
        {low: T / (T + 2), first: 1 / (T + 2), second: 1 / (T + 2)},
        {first: 1 / (T + 1), (1 / T, one): T / (T + 1)},
        {second: 1 / (T + 1), (one, 1 / T): T / (T + 1)},
        {high: 1 / (2 * T + 1), (one, 1 / T): T / (2 * T + 1), (1 / T, one): T / (2 * T + 1)},
    ]


def in_blocks(*, users: int, groups: Sequence[int]) -> dict[int, int]:
    """How many blocks of each size 1, 2, 4, ..., g = 2^J stand for S users, however many are of each loss type.

    A block of 2^j users stands for the least distribution that dominates the sums of 2^j alike users, of every loss type. From 2^j on one
    distribution may stand for the sums of two loss types or more, dominating them: K_j distributions are left. Of each at most one block of
    2^j is left over by blocks of 2^(j + 1). users: S, at least the sum of K_j 2^j; groups: K_0, ..., K_(J - 1). Raises DomainError.
    """
    block, left = 1 << len(groups), sum(kinds << j for j, kinds in enumerate(groups))
    require(users >= left, parameter="users", value=users, requirement=f"at least {left}")
    number, extra = divmod(users - left, block)
    return {**{1 << j: kinds + (extra >> j & 1) for j, kinds in enumerate(groups)}, block: number}


def _above(law: Mapping[Fraction, Fraction], t: Fraction) -> Fraction:
    """E(X - t)_+."""
    return sum((weight * (at - t) for at, weight in law.items() if at > t), Fraction(0))
