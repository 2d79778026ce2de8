"""The privacy profile of the histogram protocol, certified for any n: two independent bins, one count up and one down (BC20, Theorem 3.2).

Every two neighbouring datasets give this pair (BC20.Thm3.2-pair). Its two directions agree, and so do p and 1 - p. Some outcomes, with
one bin empty or full, are possible on one side only: the profile falls to their probability, p^n + (1 - p)^n - (p (1 - p))^n, which it
reaches at e^epsilon = n^2, the largest finite likelihood ratio; below it no epsilon leads.
"""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.noise.histogram_sums import TwoBins, evaluate
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.evaluation import MOST_BITS, Evaluation, refined
from shuffleproof.impl.ball.numeric.results import enclosed, exactly, solved
from shuffleproof.impl.ball.numeric.root import Root, solve
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.protocols import HISTOGRAM, with_dishonest
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    honest_count,
    parse_epsilon,
    probability,
    told,
)
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_histogram

_EXACT_COMPARISON = 2_000_000
"""Bits of powers up to which delta is compared with the floor exactly, so that a tie is one."""


def delta(*, n: Number, p: Number, epsilon: Number | Epsilon, dishonest: Number = 0, digits: int = 15) -> Bound:
    """The least delta for which the histogram protocol is (epsilon, delta)-DP with two bins or more, enclosed (BC20, Theorem 3.2).

    n: users, at least 1; p in [0, 1]: probability of the additional message in every bin, exact; epsilon >= 0; dishonest: how many
    users send no noise, or tell theirs, 0 to n - 1: the others keep the privacy of so many fewer users; digits: relative width of
    the enclosure at most 10^-digits, 1 to 1000. Cost O(sqrt(n p (1 - p) (digits + ln(1/delta)))) ball operations.
    Returns an enclosure; exactly 1 where p is 0 or 1. Raises DomainError, ResourceLimitError, UndecidedError.
    """
    users, noise, central = count(n, parameter="n"), probability(p, parameter="p"), parse_epsilon(epsilon)
    honest = honest_count(users, dishonest)
    method = with_dishonest(HISTOGRAM, users - honest)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, eps=epsilon, **told(dishonest))
    if noise in (0, 1):
        return exactly(method, "delta", "1", Fraction(1), Fraction(1), inputs=inputs)
    found = profile_at(honest, noise, central, digits=wanted + 1)
    return enclosed(method, "delta", found.lower, found.upper, digits=wanted, precision=found.bits, inputs=inputs)


def epsilon(*, n: Number, p: Number, delta: Number, dishonest: Number = 0, digits: int = 15) -> Bound:
    """Least epsilon for which the histogram protocol is (epsilon, delta)-DP with two bins or more, enclosed (BC20, Theorem 3.2).

    n: users, at least 1; p in [0, 1]: probability of the additional message in every bin, exact; delta in [0, 1]; dishonest: as for
    `delta`; digits: relative width of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure; exactly 0 where delta >= delta(0) is certified. Raises DomainError, ResourceLimitError, UndecidedError;
    RegimeError where delta < p^n + (1 - p)^n - (p (1 - p))^n, the probability that a count gives the dataset away.
    """
    users, noise, target = count(n, parameter="n"), probability(p, parameter="p"), probability(delta, parameter="delta")
    honest = honest_count(users, dishonest)
    method = with_dishonest(HISTOGRAM, users - honest)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, delta=delta, **told(dishonest))
    if target == 1:
        return exactly(method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    at_floor = _compared_with_floor(honest, noise, target, given=str(delta))
    top = _logarithm(honest * honest)
    if at_floor or honest == 1:
        return solved(method, Root(*top.bounds(bits=4 * wanted + 16)), digits=wanted, inputs=inputs)
    rarer = min(noise, 1 - noise)
    exponent = math.log(target.denominator) - math.log(target.numerator)
    start = Fraction(2 * math.sqrt(exponent / float(honest * rarer * (1 - rarer))) + 1e-9)
    root = solve(
        lambda central, accuracy: profile_at(honest, rarer, central, digits=accuracy),
        epsilon0=top,
        delta=target,
        digits=wanted,
        guess=min(start, top.bounds(bits=64)[0] * Fraction(9, 10)),
    )
    return solved(method, root, digits=wanted, inputs=inputs)


def profile_at(n: int, p: Fraction, epsilon: Epsilon, *, digits: int) -> Evaluation:
    """The profile at one epsilon to a relative width of 10^-digits, 0 < p < 1. Raises UndecidedError, ResourceLimitError."""
    if _logarithm(n * n) <= epsilon:
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


def _logarithm(x: int) -> Epsilon:
    return Epsilon(Fraction(0) if x == 1 else None, Fraction(x))


def _floor(n: int, p: Fraction) -> arb:
    logs = n * ball(p).log(), n * ball(1 - p).log()
    return logs[0].exp() + logs[1].exp() - (logs[0] + logs[1]).exp()


def _at_floor(n: int, p: Fraction, epsilon: Epsilon, bits: int) -> Evaluation:
    with precision(bits + 2 * n.bit_length()):
        floor = _floor(n, p)
        return Evaluation(exp_of(epsilon), floor, arb(0), max(lower_end(floor), Fraction(0)), upper_end(floor), bits)


def _compared_with_floor(n: int, p: Fraction, delta: Fraction, *, given: str) -> bool:
    """Return whether delta is the floor itself. Raises RegimeError where it is below, UndecidedError where neither is certain."""
    if p in (0, 1):
        raise no_epsilon_for_histogram(revealed="1", delta=given)
    if n * p.denominator.bit_length() <= _EXACT_COMPARISON // 4:
        exact = p**n + (1 - p) ** n - (p * (1 - p)) ** n
        if delta < exact:
            raise no_epsilon_for_histogram(revealed=decimal_text(exact, digits=6, direction="up"), delta=given)
        return delta == exact
    bits = 128
    while bits <= MOST_BITS:
        with precision(bits + n.bit_length()):
            floor = _floor(n, p)
            if floor < ball(delta):
                return False
            if floor > ball(delta):
                raise no_epsilon_for_histogram(revealed=decimal_text(upper_end(floor), digits=6, direction="up"), delta=given)
        bits *= 2
    raise UndecidedError(quantity="p^n + (1 - p)^n - (p (1 - p))^n - delta", enclosure=("?", "?"), precision=bits)
