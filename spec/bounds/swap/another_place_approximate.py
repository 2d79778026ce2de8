"""All (eps0, delta0)-DP randomizers together, exactly: what delta0 costs in another user's place (BEYOND.any-law-all-approximate).

T = e^eps0. Of three laws R_0, R_1, R_k of one such randomizer, what R_0 sends beyond T R_k is given away: at most delta0. What it then
sends beyond T R_1 is a leak, which R_k hides: a loss of T with probability delta0/T at most. The rest is within T of each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import TypeVar

from shuffleproof.spec.bounds.swap.another_place import corner_laws, positive
from shuffleproof.spec.vocabulary.errors import require

Y = TypeVar("Y", bound=Hashable)
Law = Mapping[Y, Fraction]
Row = tuple[Fraction, Fraction, Fraction]
"""What is kept of R_0, R_1 and R_k at one report, R_k's share positive."""


@dataclass(frozen=True)
class Parts:
    """given_away: what R_0 loses before; leaks and rest: what it keeps, by report."""

    given_away: Fraction
    leaks: tuple[Row, ...]
    rest: tuple[Row, ...]

    def losses(self, exp_epsilon: Fraction) -> dict[Fraction, Fraction]:
        """The law of L: (R_0 - E R_1)/R_k where something is kept of R_k, under that, and 0 else."""
        rows = (*self.leaks, *self.rest)
        found = {Fraction(0): 1 - sum((m for _, _, m in rows), Fraction(0))}
        for u, v, m in rows:
            at = (u - exp_epsilon * v) / m
            found[at] = found.get(at, Fraction(0)) + m
        return found


def parts(first: Law[Y], second: Law[Y], other: Law[Y], *, exp_epsilon0: Fraction) -> Parts:
    """Of R_0, R_1 and R_k."""
    T, zero = exp_epsilon0, Fraction(0)
    given_away, leaks, rest = zero, [], []
    for y in dict.fromkeys((*first, *second, *other)):
        a, b, m = (law.get(y, zero) for law in (first, second, other))
        given_away += max(a - T * m, zero)
        a, b = min(a, T * m), min(b, T * m)
        leak, b = max(a - T * b, zero), min(b, T * a)
        if leak:
            leaks.append((leak, zero, leak / T))
        a, m = a - leak, min(m - leak / T, T * (a - leak), T * b)
        if m:
            rest.append((a, b, m))
    return Parts(given_away, tuple(leaks), tuple(rest))


def kinds(
    *, exp_epsilon0: Fraction, delta0: Fraction, exp_epsilon: Fraction, kept: Fraction = Fraction(1)
) -> list[dict[Fraction, Fraction]]:
    """Laws of L that are together above those of all (eps0, delta0)-DP randomizers, in the increasing convex order.

    exp_epsilon0: T >= 1; delta0: in (0, 1/3); exp_epsilon: E >= 1; kept: the share of R_k that is left, in (0, 1]. The corners' laws of
    T/(1 - 3 delta0) at E (1 - 2 delta0), with the probability 1 - 3 delta0, and T with delta0/T. Raises DomainError.
    """
    require(0 < delta0 < Fraction(1, 3), parameter="delta0", value=delta0, requirement="in (0, 1/3)")
    T, left, E = exp_epsilon0, 1 - 3 * delta0, exp_epsilon * (1 - 2 * delta0)
    found = []
    for corners in corner_laws(T / left):
        law = {T / kept: kept * delta0 / T}
        for (u, v), mass in corners.items():
            at = (u - E * v) / (left * kept)
            law[at] = law.get(at, Fraction(0)) + mass * left * kept
        law[Fraction(0)] = law.get(Fraction(0), Fraction(0)) + 1 - sum(law.values(), Fraction(0))
        found.append(law)
    return found


def common(*, others: int, exp_epsilon0: Fraction, delta0: Fraction) -> Fraction:
    """The mass, at least, of the least of R_0/T and so many other users' laws; not positive where it may be nothing."""
    return (1 - others * delta0) / exp_epsilon0


def delta(*, others: int, exp_epsilon0: Fraction, delta0: Fraction, share: Fraction, exp_epsilon: Fraction) -> Fraction:
    """An upper bound on D_E(A(X_0) || A(X_1)), for every (eps0, delta0)-DP randomizer that all users have.

    others: N; share: eta in (0, 1), below the mass of `common`; the rest as for `kinds`. Where nobody draws from omega nothing hides the
    report; else delta0 is given away, and each of the S that are told may be of any kind. Raises DomainError.
    """
    mass = common(others=others, exp_epsilon0=exp_epsilon0, delta0=delta0)
    require(0 < share < mass, parameter="share", value=share, requirement=f"in (0, {mass})")
    several = kinds(exp_epsilon0=exp_epsilon0, delta0=delta0, exp_epsilon=exp_epsilon, kept=1 - share / mass)
    total = (1 - share) ** others
    for S in range(1, others + 1):
        r = others - S + 1
        worst = max(positive(law.items() for law in chosen) for chosen in combinations_with_replacement(several, S)) / S
        total += comb(others, r) * share**r * (1 - share) ** (others - r) * (delta0 + worst)
    return total
