"""The closed form of FMT21, Theorem 3.1, against the certified profile of the clones pair."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flint import arb

from shuffleproof.impl.ball.bounds.clones import clones, clones_closed_form
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, lower_end, precision
from shuffleproof.proofs_check.ledger import Budget
from shuffleproof.proofs_check.ledger.points import BITS
from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

PRINTED = Claim(factor=Fraction(8), condition=Fraction(16), inside=4, offset=8)
INVERSE_LOGS = (Fraction(0), Fraction(10**7, 6931471))
"""A range that holds 1/ln(2/delta) for every delta in (0, 1]: ln 2 > 0.6931471."""
_LARGEST_EXACT = 40  # users up to which the pair's profile is summed exactly


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
    with precision(BITS):
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


def certified_share(setting: Setting, claim: Claim) -> tuple[Fraction, Fraction]:
    """Bounds on D(P || Q)/delta at the claimed eps, an enclosure of it on either side: the claim holds if the upper one is at most 1.

    By the mirror symmetry of the pair one direction is both. Up to 40 users the shares are computed in exact rationals.
    """
    with precision(BITS):
        lower_E, upper_E = (max(Fraction(1), end) for end in ends(exp_epsilon(setting, claim)))
    if setting.n <= _LARGEST_EXACT:
        P, Q = dominating_pair(n=setting.n, exp_epsilon0=setting.T)
        lower, upper = (hockey_stick(P, Q, exp_epsilon=E) for E in (upper_E, lower_E))
    else:
        lower, upper = _certified(setting, upper_E)[0], _certified(setting, lower_E)[1]
    return lower / setting.delta, upper / setting.delta


def _certified(setting: Setting, E: Fraction) -> tuple[Fraction, Fraction]:
    bound = clones.delta(n=setting.n, epsilon0=f"ln {setting.T}", epsilon=parse_epsilon(f"ln {E}"), digits=4)
    return bound.lower, bound.upper


def engine_agrees(setting: Setting) -> bool:
    """Return whether impl.ball's closed form encloses ln of the printed claim's e^eps."""
    bound = clones_closed_form.epsilon(n=setting.n, epsilon0=f"ln {setting.T}", delta=setting.delta, digits=12)
    with precision(BITS):
        value = exp_epsilon(setting, PRINTED).log()
        return bool(value >= ball(bound.lower) or value.overlaps(ball(bound.lower))) and bool(
            value <= ball(bound.upper) or value.overlaps(ball(bound.upper))
        )


@dataclass(frozen=True, slots=True)
class Shares:
    """cases decided; the largest upper bound on D/delta and its setting; violation: a setting where D certainly exceeds delta."""

    cases: int
    largest: Fraction
    place: Setting | None
    violation: Setting | None


def worst_share(cases: Iterable[Setting], claim: Claim) -> Shares:
    """Certify the claim at every setting; stops at the first certain violation."""
    largest, place = Fraction(-1), None
    for count, setting in enumerate(cases, 1):
        lower, upper = certified_share(setting, claim)
        if upper > largest:
            largest, place = upper, setting
        if lower > 1:
            return Shares(count, lower, setting, setting)
    return Shares(count, largest, place, None)


def exceeds(setting: Setting, value: Fraction) -> bool:
    """Return whether e^eps of equation (1) is certainly above this value."""
    with precision(BITS):
        return bool(exp_epsilon(setting, PRINTED) > ball(value))


def _short(x: Fraction) -> str:
    if x.numerator == 1 and x.denominator > 10**6:
        digits = len(str(x.denominator)) - 1
        return f"1e-{digits}" if x.denominator == 10**digits else str(x)
    return str(x)
