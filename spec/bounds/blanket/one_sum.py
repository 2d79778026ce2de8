"""The pair of distributions that a sum of losses stands for, exactly: for any distribution of a report, and what hides it (BEYOND.any-law).

Let the special report have the distribution R_0 or R_1, and let every other user's distribution R_k be at least a sub-density m. With u =
R_0/m, v = R_1/m let L = u - E v with probability m, and L = 0 with what is left. If others send nothing but m, the rest of R_k being
revealed to everybody, then n reports give D_E = E[(L_1 + ... + L_n)_+]/n: the pair of the sums (a, b) of all u and all v, with P = a/n and
Q = b/n times their probability under n draws of m. What R_0 and R_1 send where m is 0 has infinite privacy loss.
"""

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)
LossType = tuple[Fraction, Fraction, Fraction]
"""m, R_0 and R_1 of the reports that have the same u and v."""
Outcome = tuple[Fraction, Fraction] | int
"""The sums of u and v; or the number of an output class that others never send."""
_MOST_SUMS = 200_000
"""Different sums that are enumerated: seconds."""


def loss_types(first: Mapping[Y, Fraction], second: Mapping[Y, Fraction], cover: Mapping[Y, Fraction]) -> tuple[LossType, ...]:
    """Reports merged where R_0/m and R_1/m agree: all others are as likely, whoever sent them, so that nothing is lost.

    first, second: R_0 and R_1; cover: m, a sub-density. Output classes with m = 0 are kept apart. Raises DomainError where m is none.
    """
    require(all(m >= 0 for m in cover.values()), parameter="cover", value=dict(cover), requirement="at least 0 everywhere")
    total = sum(cover.values(), Fraction(0))
    require(total <= 1, parameter="cover", value=total, requirement="a sub-density: at most 1 in all")
    merged: dict[tuple[Fraction | None, Fraction], LossType] = {}
    for y in dict.fromkeys((*cover, *first, *second)):
        m, in_first, in_second = cover.get(y, Fraction(0)), first.get(y, Fraction(0)), second.get(y, Fraction(0))
        if m + in_first + in_second:
            ratio = (in_first / m, in_second / m) if m else (None, in_first / (in_first + in_second))
            before = merged.get(ratio, (Fraction(0), Fraction(0), Fraction(0)))
            merged[ratio] = (before[0] + m, before[1] + in_first, before[2] + in_second)
    return tuple(sorted(merged.values()))


def dominating_pair(*, n: int, loss_types: Iterable[LossType]) -> tuple[Distribution[Outcome], Distribution[Outcome]]:
    """P and Q of the sums of u and v over n draws of m. n: at least 1. Raises DomainError, ResourceLimitError.

    Their hockey-stick divergence of order E is E[(L_1 + ... + L_n)_+]/n, and what has infinite privacy loss (BEYOND.any-law-identity).
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    rows = tuple(loss_types)
    covered = [(m, first / m, second / m) for m, first, second in rows if m]
    left = 1 - sum((m for m, _, _ in rows), Fraction(0))
    sums: dict[tuple[Fraction, Fraction], Fraction] = {(Fraction(0), Fraction(0)): Fraction(1)}
    for _ in range(n):
        following: dict[tuple[Fraction, Fraction], Fraction] = {at: weight * left for at, weight in sums.items() if left}
        for (a, b), weight in sums.items():
            for m, u, v in covered:
                following[a + u, b + v] = following.get((a + u, b + v), Fraction(0)) + weight * m
        sums = following
        if len(sums) > _MOST_SUMS:
            limit = f'{_MOST_SUMS} (engine "ball" goes further)'
            raise ResourceLimitError(what="exact sums of losses", needed=f"{len(sums)} of them and more", limit=limit)
    P: dict[Outcome, Fraction] = {at: weight * at[0] / n for at, weight in sums.items() if at[0]}
    Q: dict[Outcome, Fraction] = {at: weight * at[1] / n for at, weight in sums.items() if at[1]}
    for index, (m, first, second) in enumerate(rows):
        if not m:
            P, Q = {**P, index: first}, {**Q, index: second}
    return Distribution(P), Distribution(Q)


def profile(*, n: int, loss_types: Iterable[LossType]) -> PrivacyProfile[Outcome]:
    """The profile of that pair."""
    return PrivacyProfile(*dominating_pair(n=n, loss_types=loss_types))


def blanket_loss_types(randomizer: LocalRandomizer[X, Y]) -> list[tuple[LossType, ...]]:
    """For every pair of inputs x_0, x_1 its output classes against the blanket, the least of the distributions of all inputs; each once."""
    cover = {y: min(randomizer.distribution(x)[y] for x in randomizer.domain) for y in randomizer.messages}
    pairs = combinations(randomizer.domain, 2)
    return list(
        dict.fromkeys(
            loss_types(dict(randomizer.distribution(x).items()), dict(randomizer.distribution(z).items()), cover) for x, z in pairs
        )
    )


def homogeneous_loss_types(randomizer: LocalRandomizer[X, Y]) -> list[tuple[tuple[X, X, X], tuple[LossType, ...]]]:
    """For all inputs x_0, x_1 and x_2, which may be one of them, the loss types against R_(x_2); each once, with inputs that have them."""
    found: dict[tuple[LossType, ...], tuple[X, X, X]] = {}
    for x, z in combinations(randomizer.domain, 2):
        for other in randomizer.domain:
            laws = [dict(randomizer.distribution(each).items()) for each in (x, z, other)]
            found.setdefault(loss_types(*laws), (x, z, other))
    return [(inputs, of_them) for of_them, inputs in found.items()]


def chi_square(loss_types: Iterable[LossType]) -> Fraction | None:
    """Sum of (R_0 - R_1)^2/m, with whose root the epsilon of many users grows; None where m = 0 and it is infinite."""
    total = Fraction(0)
    for m, first, second in loss_types:
        if first != second:
            if not m:
                return None
            total += (first - second) ** 2 / m
    return total
