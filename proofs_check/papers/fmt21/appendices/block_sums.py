"""Algorithms 5 and 6 of FMT21, appendix F, line by line in exact rationals, beside what they are meant to compute.

T = e^epsilon0 and E = e^epsilon are rational here, so every cut-off and every probability is. Algorithm 6's T, the number of
blocks, is called `last` to keep it apart.

Algorithms 4 and 7 of FMT21: bisection on epsilon, as printed, for any function M.

epsilon is measured in units of epsilon0, so every midpoint is a dyadic rational and nothing is rounded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, floor
from typing import Literal

from shuffleproof.proofs_check.ledger.points import HALF

Sign = Literal["+", "-"]
SIGNS: tuple[Sign, Sign] = ("+", "-")


@cache
def binomial_mass(n: int, p: Fraction, k: int) -> Fraction:
    """Pr(Bin(n, p) = k), zero off {0, ..., n}."""
    return comb(n, k) * p**k * (1 - p) ** (n - k) if 0 <= k <= n else Fraction(0)


def fair_cdf(c: int, tau: Fraction) -> Fraction:
    """Pr(Bin(c, 1/2) <= tau) for any rational tau."""
    return Fraction(sum(comb(c, j) for j in range(min(floor(tau), c) + 1)), 2**c)


def cut_off(*, c: int, E: Fraction, T: Fraction, sign: Sign) -> Fraction:
    """tau of Algorithm 5. Needs 1/T < E < T: outside, the printed logarithm is not defined."""
    q = T / (T + 1)
    ratio = ((E + 1) * q - 1) / ((E + 1) * q - E)  # e^(eps_{q, eps})
    return (c + 1) / (ratio + 1) if sign == "+" else (c + 1) / (1 / ratio + 1)


def inner_sum(c: int, E: Fraction, T: Fraction, sign: Sign, *, tau: Fraction | None = None) -> Fraction:
    """Algorithm 5, B(c, eps, eps0, b), as printed (its four arguments in its order); tau: another cut-off than its own."""
    q = T / (T + 1)
    tau = cut_off(c=c, E=E, T=T, sign=sign) if tau is None else tau
    at, before = fair_cdf(c, tau), fair_cdf(c, tau - 1)
    gamma_p, gamma_q = q * at + (1 - q) * before, (1 - q) * at + q * before
    return gamma_p - E * gamma_q if sign == "+" else (1 - gamma_q) - E * (1 - gamma_p)


def conditional_distributions(c: int, T: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """The distributions P_c, Q_c of the first coordinate of equation (25) given C = c, on 0, ..., c + 1."""
    q = T / (T + 1)
    A = [binomial_mass(c, HALF, a) for a in range(-1, c + 2)]
    P = [q * A[a + 1] + (1 - q) * A[a] for a in range(c + 2)]
    Q = [(1 - q) * A[a + 1] + q * A[a] for a in range(c + 2)]
    return P, Q


def positive_part(c: int, E: Fraction, T: Fraction, sign: Sign) -> Fraction:
    """Return what Algorithm 5 is for, by the definition: sum over a of max(0, P_c(a) - E Q_c(a)), P and Q exchanged for "-"."""
    P, Q = conditional_distributions(c, T)
    left, right = (P, Q) if sign == "+" else (Q, P)
    return sum((max(Fraction(0), x - E * y) for x, y in zip(left, right, strict=True)), Fraction(0))


def clones_delta(*, n: int, T: Fraction, E: Fraction, up_to: int | None = None) -> Fraction:
    """D(P || Q) of the clones pair at order E >= 1, summed over C; with up_to only over C <= up_to, which is a lower bound."""
    last = n - 1 if up_to is None else min(up_to, n - 1)
    if E >= T:
        return Fraction(0)
    return sum((binomial_mass(n - 1, 1 / T, c) * inner_sum(c, E, T, "+") for c in range(last + 1)), Fraction(0))


Exit = Literal["step 1", "step 2", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockSum:
    """Holds what Algorithm 6 returned, where it stopped, its two running sums and how much of C it had covered."""

    value: Fraction
    exit: Exit
    delta_p: Fraction
    delta_q: Fraction
    covered: Fraction


def block_sum(
    *,
    n: int,
    T: Fraction,
    delta_u: Fraction,
    S: int,
    E: Fraction,
    order: Sequence[int] | None = None,
    of_both_ends: Callable[[Fraction, Fraction], Fraction] = max,
    rest_counts: bool = True,
) -> BlockSum:
    """Algorithm 6, M1(n, eps0, delta^U, S, eps), as printed.

    order: in which the blocks 0, ..., floor(n/S) are processed. of_both_ends (max) and rest_counts (True) are what mutants change:
    the value taken for a block from its two ends, and whether step 2 adds the mass not covered.
    """
    delta_p = delta_q = covered = Fraction(0)
    last = n // S
    for t in range(last + 1) if order is None else order:
        start, end = t * S, t * S + S - 1
        if max(delta_p, delta_q) > delta_u:
            return BlockSum(value=delta_u, exit="step 1", delta_p=delta_p, delta_q=delta_q, covered=covered)
        rest = 1 - covered
        if rest < delta_p and rest < delta_q:
            value = max(delta_p, delta_q) + (rest if rest_counts else 0)
            return BlockSum(value=value, exit="step 2", delta_p=delta_p, delta_q=delta_q, covered=covered)
        mass = sum((binomial_mass(n - 1, 1 / T, c) for c in range(start, min(end, n - 1) + 1)), Fraction(0))
        delta_p += mass * of_both_ends(_remembered(end, E, T, "+"), _remembered(start, E, T, "+"))
        delta_q += mass * of_both_ends(_remembered(end, E, T, "-"), _remembered(start, E, T, "-"))
        covered += mass
    return BlockSum(value=max(delta_p, delta_q), exit="end", delta_p=delta_p, delta_q=delta_q, covered=covered)


_remembered = cache(inner_sum)


End = Literal["left", "right"]
Profile = Callable[[Fraction], Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The final epsilon^L and epsilon^R, in units of epsilon0, and every bracket on the way there."""

    left: Fraction
    right: Fraction
    history: tuple[tuple[Fraction, Fraction], ...]


def bisect(*, moves_left: Callable[[Fraction], bool], iterations: int) -> Bracket:
    """The common loop: epsilon^R moves to the midpoint where moves_left says so ("delta_t < delta"), else epsilon^L does."""
    left, right = Fraction(0), Fraction(1)
    history = [(left, right)]
    for _ in range(iterations):
        middle = (left + right) / 2
        if moves_left(middle):
            right = middle
        else:
            left = middle
        history.append((left, right))
    return Bracket(left=left, right=right, history=tuple(history))


def bin_s(*, delta: Fraction, iterations: int, M: Profile) -> Fraction:
    """Algorithm 4, BinS: returns epsilon^R."""
    return bisect(moves_left=lambda x: M(x) < delta, iterations=iterations).right


def bin_s_lower(*, delta: Fraction, iterations: int, M: Profile) -> Fraction:
    """Algorithm 7, BinSLower: returns epsilon^L."""
    return bisect(moves_left=lambda x: M(x) < delta, iterations=iterations).left


def all_runs(iterations: int) -> Iterator[tuple[Bracket, dict[Fraction, bool]]]:
    """Every possible run: one for each sequence of answers to "delta_t < delta?", with the answers by midpoint.

    Whatever M and delta are, a run is one of these: the algorithms look at M only through those answers.
    """
    for answers in product((False, True), repeat=iterations):
        given: dict[Fraction, bool] = {}
        coming = iter(answers)

        def answer(x: Fraction, given: dict[Fraction, bool] = given, coming: Iterator[bool] = coming) -> bool:
            given[x] = next(coming)
            return given[x]

        yield bisect(moves_left=answer, iterations=iterations), given


def order_at(x: Fraction, *, root: Fraction, halvings: int) -> Fraction:
    """e^epsilon at epsilon = x epsilon0, exactly, for e^epsilon0 = root^(2^halvings) and x a multiple of 2^-halvings."""
    power = x * 2**halvings
    if power.denominator != 1:
        raise ValueError(f"{x} is not a multiple of 2^-{halvings}")
    return root ** int(power)
