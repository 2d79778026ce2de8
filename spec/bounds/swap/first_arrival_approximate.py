"""Adaptive sequences of (eps0, delta0)-DP randomizers, exactly: delta0 is paid once (BEYOND.first-arrival-approximate, Theorem E).

T = e^eps0, N = n - 1 other users. Of R_0, R_1, R_k at one step and history, what R_0 sends beyond T R_k is revealed: at most delta0. What
it then sends beyond T R_1 is a leak, which R_k hides: a loss of T with probability delta0/T at most. The rest is within T of each other.

omega, which all other users' distributions have, is the least over them of a combination like (T R_0 - R_1)/(T - 1), or where that may
leave nothing, with many users, the least of R_0/T and all of them, by which losses are thinned.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from shuffleproof.spec.bounds.swap.another_place import corner_distributions
from shuffleproof.spec.bounds.swap.controlled_sum import Losses, controlled_sums, over_pool
from shuffleproof.spec.vocabulary.errors import require

Y = TypeVar("Y", bound=Hashable)
Masses = Mapping[Y, Fraction]
Row = tuple[Fraction, Fraction, Fraction]
"""What is kept of R_0, R_1 and R_k at one report, R_k's share positive."""


@dataclass(frozen=True)
class Parts:
    """given_away: the mass of R_0 beyond T R_k, which is revealed; leaks and rest: what is left of the three, by report."""

    given_away: Fraction
    leaks: Mapping[Hashable, Row]
    rest: Mapping[Hashable, Row]

    def losses(self, exp_epsilon: Fraction) -> dict[Fraction, Fraction]:
        """The distribution of L: (R_0 - E R_1)/R_k where something is kept of R_k, under that, and 0 else."""
        rows = (*self.leaks.values(), *self.rest.values())
        found = {Fraction(0): 1 - sum((m for _, _, m in rows), Fraction(0))}
        for u, v, m in rows:
            at = (u - exp_epsilon * v) / m
            found[at] = found.get(at, Fraction(0)) + m
        return found


def parts(first: Masses[Y], second: Masses[Y], other: Masses[Y], *, exp_epsilon0: Fraction) -> Parts:
    """Split R_0, R_1 and R_k into what is revealed, the leak and the rest, as the module says. exp_epsilon0: T, above 1, exact."""
    T, zero = exp_epsilon0, Fraction(0)
    given_away, leaks, rest = zero, dict[Hashable, Row](), dict[Hashable, Row]()
    for y in dict.fromkeys((*first, *second, *other)):
        a, b, m = (law.get(y, zero) for law in (first, second, other))
        given_away += max(a - T * m, zero)
        a, b = min(a, T * m), min(b, T * m)
        leak, b = max(a - T * b, zero), min(b, T * a)
        if leak:
            leaks[y] = (leak, zero, leak / T)
        a, m = a - leak, min(m - leak / T, T * (a - leak), T * b)
        if m:
            rest[y] = (a, b, m)
    return Parts(given_away, leaks, rest)


def least_of_others(
    first: Masses[Y], second: Masses[Y], others: Sequence[Masses[Y]], *, T: Fraction, delta0: Fraction
) -> dict[Y, Fraction]:
    """omega before it is divided by its mass: the least over the others k, one or more, of |m_1| (T' P^ - Q^), as in `common`."""
    combined = []
    for other in others:
        rest = parts(first, second, other, exp_epsilon0=T).rest
        of_first, of_second, own = (sum((row[i] for row in rest.values()), Fraction(0)) for i in range(3))
        combined.append({y: own * (T / (1 - 3 * delta0) * a / of_first - b / of_second) for y, (a, b, _) in rest.items()})
    return {y: min(each.get(y, Fraction(0)) for each in combined) for y in dict.fromkeys((*first, *second))}


def common(*, others: int, T: Fraction, delta0: Fraction, thinned: bool = False) -> Fraction:
    """The mass, at least, that omega has before it is divided by it; not positive where it may be nothing. delta0: in [0, 1/3).

    It is the least over the others k of |m_1| (T' P^ - Q^), T' = T/(1 - 3 delta0), where P^ and Q^ are what is kept of R_0 and R_1, with
    mass 1, and m_1 that of R_k; thinned: the least of R_0/T and the others' distributions.
    """
    if thinned:
        return (1 - others * delta0) / T
    return T - 1 - 2 * T * others * delta0 - 2 * delta0 / (1 - 2 * delta0)


def leaking_losses(
    *, others: int, T: Fraction, delta0: Fraction, exp_epsilon: Fraction, share: Fraction, thinned: bool = False
) -> list[Losses]:
    """C_l: mixtures of these dominate the losses against (R_k - eta omega)/(1 - eta) in the increasing convex order (Theorem E).

    With probability 1 - 3 delta0 the corners of T' at E (1 - 2 delta0), each divided by what omega leaves of it; and leaks, a loss of T.
    share: eta >= 0, below `common` over T'^2 - 1, or thinned below `common` itself. Raises DomainError.
    """
    require(0 <= delta0 < Fraction(1, 3), parameter="delta0", value=delta0, requirement="in [0, 1/3)")
    kept, E, mass = 1 - 3 * delta0, exp_epsilon * (1 - 2 * delta0), common(others=others, T=T, delta0=delta0, thinned=thinned)
    wide = T / kept
    limit = mass if thinned else mass / (wide**2 - 1)
    require(0 <= share < limit, parameter="share", value=share, requirement=f"in [0, {limit})")
    found = []
    for law in corner_distributions(wide):
        taken = {(u, v): share / mass * (1 if thinned else wide * u - v) for u, v in law}
        left = {at: (1 - part) / (1 - share) for at, part in taken.items()}
        hides = (1 - share / mass if thinned else 1) / (1 - share)
        atoms = [((u - E * v) / (kept * left[u, v]), kept * p * left[u, v]) for (u, v), p in law.items()]
        atoms.append((T / hides, delta0 / T * hides))
        found.append((*atoms, (Fraction(0), 1 - sum((p for _, p in atoms), Fraction(0)))))
    return found


def delta(
    *, n: int, T: Fraction, delta0: Fraction, exp_epsilon: Fraction, levels: Sequence[Fraction] = (), thinned: bool = False
) -> Fraction:
    """An upper bound on D_E(A(X_0) || A(X_1)) for every adaptive sequence of (eps0, delta0)-DP randomizers and all neighbours.

    levels: 0 < eta_1 < ... < eta_L, as `leaking_losses` takes them. Nobody at any level: everything is revealed. Raises DomainError.
    """
    require(T > 1, parameter="T", value=T, requirement="above 1")
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    N, total = n - 1, delta0
    for before, eta in pairwise([Fraction(0), *levels]):
        V = controlled_sums(leaking_losses(others=N, T=T, delta0=delta0, exp_epsilon=exp_epsilon, share=eta, thinned=thinned), N)
        total += (1 - before) ** N * over_pool(V, d=(eta - before) / (1 - before))
    revealed = max(T - exp_epsilon, Fraction(0)) / (T + 1)
    return total + (1 - (levels[-1] if levels else 0)) ** N * revealed
