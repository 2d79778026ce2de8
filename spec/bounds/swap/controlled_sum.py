"""Adaptive sequences of eps0-DP randomizers, exactly: first arrival from above, and a sequence that attains the controlled sum.

The controlled sum of a set C of loss distributions: V_0(s) = s_+, V_(j+1)(s) = max over c in C of E V_j(s + L_c). Whoever chooses the
distribution of each step by the losses before it obtains V_n(0) at most, and V_n(0) if it is chosen well. G(S) = V_S(0)/S.

N = n - 1 other users, T = e^eps0, E = e^eps >= 1; every distribution of a step may depend on the reports before it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb
from typing import Any

from shuffleproof.spec.bounds.swap.another_place import corner_distributions
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require

Losses = tuple[tuple[Fraction, Fraction], ...]
"""A distribution of a loss: (value, probability)."""
Point = tuple[Fraction, Fraction]


def corner_losses(*, T: Fraction, exp_epsilon: Fraction, share: Fraction) -> list[Losses]:
    """C_l: mixtures of these dominate (R_0 - E R_1)/m_k under m_k = (R_k - eta omega)/(1 - eta) in the convex order (Lemma B).

    omega = (T R_0 - R_1)/(T - 1). With o = (T u - v)/(T - 1) and w = (1 - eta o)/(1 - eta) at the corner (u, v) = (R_0/R_k, R_1/R_k) the
    loss is (u - E v)/w with w times the corner's probability. T > 1; share: eta in [0, 1/(T + 1)).
    """
    found = []
    for law in corner_distributions(T):
        left = {(u, v): (1 - share * (T * u - v) / (T - 1)) / (1 - share) for u, v in law}
        found.append(tuple(((u - exp_epsilon * v) / left[u, v], p * left[u, v]) for (u, v), p in law.items()))
    return found


def clones_losses(*, T: Fraction, exp_epsilon: Fraction, share: Fraction) -> list[Losses]:
    """Return what stands for C where nobody has drawn from omega: clones with what is left of max(R_0, R_1)/T (Lemma C).

    At eta = 0 the first is the stronger clones pair's.
    """
    E, zero = exp_epsilon, Fraction(0)
    first, second, both = ((1 - share * o) / (1 - share) for o in (T + 1, zero, T))
    apart = (((T - E) / first, first / (T + 1)), ((1 - T * E) / second, second / (T + 1)))
    alike = ((T * (1 - E) / both, both / T),)
    return [(*atoms, (zero, 1 - sum((p for _, p in atoms), zero))) for atoms in (apart, alike)]


def controlled_sums(laws: Sequence[Losses], steps: int) -> list[Fraction]:
    """V_0(0), V_1(0), ..., V_steps(0), where the distributions of a loss at every step are these."""
    V = _controlled(tuple(laws))
    return [V(j, Fraction(0)) for j in range(steps + 1)]


def _controlled(laws: tuple[Losses, ...]) -> Callable[[int, Fraction], Fraction]:
    @cache
    def V(j: int, s: Fraction) -> Fraction:
        return max(_mean(V, j - 1, s, law) for law in laws) if j else max(s, Fraction(0))

    return V


def _mean(V: Callable[[int, Fraction], Fraction], j: int, s: Fraction, law: Losses) -> Fraction:
    return sum((p * V(j, s + value) for value, p in law), Fraction(0))


def over_pool(V: Sequence[Fraction], *, d: Fraction, uncovered: Fraction = Fraction(0)) -> Fraction:
    """The mean of G(N - r + 1) = V_(N - r + 1)(0)/(N - r + 1) over the pool r ~ Bin(N, d), r >= 1: what a level adds to Theorem A.

    V: V_0(0), ..., V_N(0), N = n - 1; d = (eta_l - eta_(l-1))/(1 - eta_(l-1)) at level l; uncovered: added to G. It is 0 at N = 0.
    """
    N = len(V) - 1
    means = {r: V[N - r + 1] / (N - r + 1) + uncovered for r in range(1, N + 1)}
    return sum((comb(N, r) * d**r * (1 - d) ** (N - r) * mean for r, mean in means.items()), Fraction(0))


def first_arrival(*, n: int, T: Fraction, exp_epsilon: Fraction, levels: Sequence[Fraction] = ()) -> Fraction:
    """An upper bound on D_E(A(X_0) || A(X_1)) for every adaptive sequence of eps0-DP randomizers and all neighbours, by these levels.

    levels: 0 < eta_1 < ... < eta_L < 1/(T + 1); without any it is the stronger clones bound. Raises DomainError.
    """
    require(T > 1, parameter="T", value=T, requirement="above 1")
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    cuts = [Fraction(0), *levels]
    rising = all(a < b for a, b in pairwise(cuts)) and cuts[-1] * (T + 1) < 1
    require(rising, parameter="levels", value=list(levels), requirement="rising, above 0 and below 1/(T + 1)")
    N, total = n - 1, Fraction(0)
    for before, eta in pairwise(cuts):
        V = controlled_sums(corner_losses(T=T, exp_epsilon=exp_epsilon, share=eta), N)
        total += (1 - before) ** N * over_pool(V, d=(eta - before) / (1 - before))
    nobody = controlled_sums(clones_losses(T=T, exp_epsilon=exp_epsilon, share=cuts[-1]), n)[n] / n
    return total + (1 - cuts[-1]) ** N * nobody


def attained(*, n: int, T: Fraction, exp_epsilon: Fraction) -> Fraction:
    """V_n(0)/n of the corner distributions: what `worst_sequence` attains (Theorem D)."""
    return controlled_sums(corner_losses(T=T, exp_epsilon=exp_epsilon, share=Fraction(0)), n)[n] / n


def worst_sequence(*, n: int, T: Fraction, exp_epsilon: Fraction) -> list[Callable[[tuple[Any, ...]], LocalRandomizer[int, Point]]]:
    """A sequence of eps0-DP randomizers whose E-divergence is V_n(0)/n on (0, 2, ..., 2) and (1, 2, ..., 2); each step sees the losses.

    A report is a corner (u, v): under input 2 it has the probability p of the corner distribution, under 0 it has p u, and under 1 p v.
    """
    corners = corner_distributions(T)
    laws = corner_losses(T=T, exp_epsilon=exp_epsilon, share=Fraction(0))
    V = _controlled(tuple(laws))

    def step(history: tuple[Any, ...]) -> LocalRandomizer[int, Point]:
        s = sum((u - exp_epsilon * v for u, v in history), Fraction(0))
        left = n - len(history) - 1
        _, best = max((_mean(V, left, s, law), -i) for i, law in enumerate(laws))
        law = corners[-best]
        by_input = {x: Distribution({at: p * (*at, Fraction(1))[x] for at, p in law.items()}) for x in (0, 1, 2)}
        return LocalRandomizer((0, 1, 2), by_input)

    return [step for _ in range(n)]
