"""The privacy profile of the histogram protocol, certified for any n: two independent bins, one count up and one down (BC20, Theorem 3.2).

Every two neighbouring datasets give this pair (BC20.Thm3.2-pair). Its two directions agree, and so do p and 1 - p. Some outcomes, with
one bin empty or full, are possible on one side only: the profile falls to their probability, p^n + (1 - p)^n - (p (1 - p))^n, which it
reaches at e^epsilon = n^2, the largest finite likelihood ratio; below it no epsilon leads.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.bounds.noise.histogram_sums import TwoBins, evaluate
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, evaluated, is_floor, refined
from shuffleproof.impl.ball.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.protocols import HISTOGRAM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_histogram

_EXACT_COMPARISON = 2_000_000
"""Bits of powers up to which delta is compared with the floor exactly, so that a tie is one."""


@certified(HISTOGRAM)
def delta(*, n: int, p: Fraction, epsilon: Epsilon, dishonest: int = 0, digits: int = 15) -> Found:
    """The least delta for which the histogram protocol is (epsilon, delta)-DP with two bins or more (BC20, Theorem 3.2).

    p: probability of the additional message in every bin. dishonest: how many users send no noise, or reveal theirs: the others keep the
    privacy of so many fewer users. Exactly 1 where p is 0 or 1. Cost O(sqrt(n p (1 - p) (digits + ln(1/delta)))) ball operations.
    """
    if p in (0, 1):
        return Found.exactly(1)
    return evaluated(profile_at(n - dishonest, p, epsilon, digits=digits + 1))


@certified(HISTOGRAM)
def epsilon(*, n: int, p: Fraction, delta: Fraction, inputs: Mapping[str, str], dishonest: int = 0, digits: int = 15) -> Found:
    """Least epsilon for which the histogram protocol is (epsilon, delta)-DP with two bins or more; exactly 0 where delta >= delta(0).

    Raises RegimeError where delta < p^n + (1 - p)^n - (p (1 - p))^n, the probability that a count gives the dataset away.
    """
    honest = n - dishonest
    if delta == 1:
        return Found.exactly(0)
    at_floor = _compared_with_floor(honest, p, delta, given=inputs["delta"])
    top = Epsilon(None, Fraction(honest * honest))
    if at_floor or honest == 1:
        return Found(*top.bounds(bits=4 * digits + 16))
    rarer = min(p, 1 - p)
    exponent = math.log(delta.denominator) - math.log(delta.numerator)
    start = Fraction(2 * math.sqrt(exponent / float(honest * rarer * (1 - rarer))) + 1e-9)
    guess = min(start, top.bounds(bits=64)[0] * Fraction(9, 10))
    return solve(partial(profile_at, honest, rarer), epsilon0=top, delta=delta, digits=digits, guess=guess)


def profile_at(n: int, p: Fraction, epsilon: Epsilon, digits: int) -> Evaluation:
    """The profile at one epsilon to a relative width of 10^-digits, 0 < p < 1. Raises UndecidedError, ResourceLimitError."""
    if Epsilon(None, Fraction(n * n)) <= epsilon:
        return _at_floor(n, p, epsilon, math.ceil(3.33 * digits) + 64)
    return _passed(n, p, epsilon, digits=digits, moment=False)[0]


def with_moment(n: int, p: Fraction, epsilon: Epsilon, *, digits: int) -> tuple[Evaluation, Fraction]:
    """The same with the sum of (P - E Q)^+ (u + v - 1) from above, for epsilon < ln(n^2)."""
    found, moment = _passed(n, p, epsilon, digits=digits, moment=True)
    assert moment is not None, "asked for"
    return found, moment


def _passed(n: int, p: Fraction, epsilon: Epsilon, *, digits: int, moment: bool) -> tuple[Evaluation, Fraction | None]:
    latest: list[TwoBins] = []

    def attempt(bits: int, spread: float) -> Evaluation:
        latest.append(evaluate(n, min(p, 1 - p), epsilon, bits=bits, spread=spread, moment=moment))
        return latest[-1].evaluation

    found = refined(attempt, digits=digits, bits=math.ceil(3.33 * digits) + 3 * n.bit_length() + 64, spread=2.31 * digits + 12)
    return found, latest[-1].moment


def _floor(n: int, p: Fraction) -> arb:
    logs = n * ball(p).log(), n * ball(1 - p).log()
    return logs[0].exp() + logs[1].exp() - (logs[0] + logs[1]).exp()


def _at_floor(n: int, p: Fraction, epsilon: Epsilon, bits: int) -> Evaluation:
    with precision(bits + 2 * n.bit_length()):
        floor = _floor(n, p)
        return Evaluation(exp_of(epsilon), floor, arb(0), max(lower_end(floor), Fraction(0)), upper_end(floor), bits)


def _compared_with_floor(n: int, p: Fraction, delta: Fraction, *, given: str) -> bool:
    """Return whether delta is the floor itself. Raises RegimeError where it is below."""
    if p in (0, 1):
        raise no_epsilon_for_histogram(revealed="1", delta=given)
    short = n * p.denominator.bit_length() <= _EXACT_COMPARISON // 4
    return is_floor(
        delta,
        exact=(lambda: p**n + (1 - p) ** n - (p * (1 - p)) ** n) if short else None,
        enclosed=lambda _: _floor(n, p),
        more_bits=n.bit_length(),
        what="p^n + (1 - p)^n - (p (1 - p))^n",
        refused=lambda floor: no_epsilon_for_histogram(revealed=floor, delta=given),
    )
