"""The closed form of FMT21, Theorem 3.1, against the certified profile of the clones pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flint import arb

from shuffleproof.impl.ball.arithmetic import ball, lower_end, precision
from shuffleproof.impl.ball.bounds import clones, clones_closed_form
from shuffleproof.proofs_check.ledger import Budget
from shuffleproof.proofs_check.papers.fmt21.likelihood_tail import Claim
from shuffleproof.spec.bounds.clones import dominating_pair
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.numerals import parse_epsilon

PRINTED = Claim(factor=Fraction(8), condition=Fraction(16), inside=4, offset=8)
RESTS_ON = ("flint arb (impl.ball.bounds.clones)", "exact rationals (Fraction) for n <= 40")
INVERSE_LOGS = (Fraction(0), Fraction(10**7, 6931471))
"""A range that holds 1/ln(2/delta) for every delta in (0, 1]: ln 2 > 0.6931471."""
_BITS = 192
_LARGEST_EXACT = 40


@dataclass(frozen=True, slots=True)
class Setting:
    """n users, T = e^epsilon0, delta."""

    n: int
    T: Fraction
    delta: Fraction

    def __str__(self) -> str:
        return f"n = {self.n}, e^eps0 = {_short(self.T)}, delta = {_short(self.delta)}"


def least_users(T: Fraction, delta: Fraction, *, condition: Fraction) -> int:
    """The least n with eps0 <= ln(n/(condition ln(2/delta))), certified (equality would need n/T transcendental)."""
    with precision(_BITS):
        needed = ball(condition * T) * ball(2 / delta).log()
        n = int(lower_end(needed)) + 1
        if not needed <= n:
            raise AssertionError(f"{needed} and {n} are not told apart")
    return n


def exp_epsilon(setting: Setting, claim: Claim) -> arb:
    """1 + q (e^eps of the claim for p = 1/T - 1), q = (T - 1)/(T + 1); the printed claim gives equation (1)."""
    T = setting.T
    inner = claim.exp_epsilon(n=setting.n, p=1 / T, delta=ball(setting.delta))
    return 1 + ball((T - 1) / (T + 1)) * (inner - 1)


def settings(budget: Budget, *, condition: Fraction) -> Iterator[Setting]:
    """n at the edge of the condition, where the bound has least to spare, and well inside it."""
    quick_T = ("1", "1001/1000", "11/10", "2", "10", "1000")
    quick_delta = ("1", "99/100", "1/2", "1e-3", "1e-9", "1e-30")
    more_T, more_delta = ("3/2", "5", "100", "100000"), ("999999/1000000", "9/10", "1e-6", "1e-100", "1e-300")
    full = budget.depth == "full"
    for T, delta in product(quick_T + more_T * full, quick_delta + more_delta * full):
        edge = least_users(Fraction(T), Fraction(delta), condition=condition)
        for scale in (1, 2, 20) + (5, 200) * full:
            yield Setting(edge * scale, Fraction(T), Fraction(delta))


def certified_share(setting: Setting, claim: Claim) -> Fraction:
    """An upper bound on D(P || Q)/delta at (a lower bound on) the claimed eps: certified to hold iff at most 1.

    By the mirror symmetry of the pair one direction is both. Up to 40 users exact rationals must say the same.
    """
    with precision(_BITS):
        E = max(Fraction(1), lower_end(exp_epsilon(setting, claim)))
    if setting.n <= _LARGEST_EXACT:
        return hockey_stick(*dominating_pair(n=setting.n, exp_epsilon0=setting.T), exp_epsilon=E) / setting.delta
    bound = clones.delta(n=setting.n, epsilon0=f"ln {setting.T}", epsilon=parse_epsilon(f"ln {E}"), digits=4)
    return bound.upper / setting.delta


def engine_agrees(setting: Setting) -> bool:
    """Whether impl.ball's closed form encloses ln of the printed claim's e^eps."""
    bound = clones_closed_form.epsilon(n=setting.n, epsilon0=f"ln {setting.T}", delta=setting.delta, digits=12)
    with precision(_BITS):
        value = exp_epsilon(setting, PRINTED).log()
        return bool(value >= ball(bound.lower) or value.overlaps(ball(bound.lower))) and bool(
            value <= ball(bound.upper) or value.overlaps(ball(bound.upper))
        )


def worst_share(cases: Iterable[Setting], claim: Claim) -> tuple[int, Fraction, Setting | None]:
    """(cases, largest share, its setting); stops at the first share above 1."""
    count, worst, place = 0, Fraction(-1), None
    for setting in cases:
        count += 1
        share = certified_share(setting, claim)
        if share > worst:
            worst, place = share, setting
        if share > 1:
            break
    return count, worst, place


def exceeds(setting: Setting, value: Fraction) -> bool:
    """Whether e^eps of equation (1) is certainly above this value."""
    with precision(_BITS):
        return bool(exp_epsilon(setting, PRINTED) > ball(value))


def _short(x: Fraction) -> str:
    if x.numerator == 1 and x.denominator > 10**6:
        digits = len(str(x.denominator)) - 1
        return f"1e-{digits}" if x.denominator == 10**digits else str(x)
    return str(x)
