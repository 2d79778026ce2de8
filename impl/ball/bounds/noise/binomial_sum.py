"""The privacy profile of binomial noise on a sum, certified for any number of coins (BEYOND.binomial-sum).

Z ~ Bin(N, p) has log-concave masses b, so that b(t)/b(t - s) falls with t: the divergence of Z from s + Z is F(t) - E F(t - s) with t the
last at which it exceeds E. Counting tails instead of heads turns the other direction into the same with 1 - p for p. Below s the other
distribution has no mass: each direction falls to Pr(Z < s), which it reaches at the ratio of t = s, and below which no epsilon leads.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.bounds.sums.noisy_bits import tail
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, log_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_choose, lower_tail, mass
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, is_floor, larger, refined
from shuffleproof.impl.ball.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.protocols import BINOMIAL_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_binomial_sum

_EXACT_BITS = 2_000_000
"""Bits of the terms of a floor, exact rationals, up to which delta is compared with it exactly, so that a tie is one."""
_MANY = 40_000
"""Variance of the sum, and heads and tails at the cut, from which on points of a circle are faster than adding up terms."""
_LOG2 = math.log(2)
_MARGIN = Fraction(1, 1 << 40)
"""Relative distance above the largest ratio at which the search for a root ends."""


@certified(BINOMIAL_SUM)
def delta(*, n: int, sensitivity: int, coins: int, p: Fraction, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which the sum is (epsilon, delta)-DP (BEYOND.binomial-sum).

    coins: of each of the n honest users. Exactly 1 where p is 0 or 1, or the coins are fewer than the sensitivity. Cost O(digits).
    """
    N = n * coins
    if p in (0, 1) or sensitivity > N:
        return Found.exactly(1)
    return larger(*(enclose(N, sensitivity, heads, epsilon, digits + 1) for heads in (p, 1 - p)))


@certified(BINOMIAL_SUM)
def epsilon(*, n: int, sensitivity: int, coins: int, p: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """Least epsilon for which the sum is (epsilon, delta)-DP; exactly 0 where delta >= delta(0) is certified (BEYOND.binomial-sum).

    Raises RegimeError where delta is below the probability that the sum gives the data away.
    """

    def refused(floor: str) -> Exception:
        return no_epsilon_for_binomial_sum(revealed=floor, delta=inputs["delta"])

    return least_epsilon(n * coins, sensitivity, p, delta, digits=digits, refused=refused)


def least_epsilon(N: int, s: int, p: Fraction, delta: Fraction, *, digits: int, refused: Callable[[str], Exception]) -> Found:
    """The least epsilon at which both directions of Bin(N, p) and its shift by s are at most delta; refused: the error below a floor."""
    if delta == 1:
        return Found.exactly(0)
    if p in (0, 1) or s > N:
        raise refused("1")
    # "Few of the rarer value" is the larger direction where the floors do not matter: that first, and the other one only if it fails.
    rarer = min(p, 1 - p)
    first, second = (_is_floor(N, s, heads, delta, refused=refused) for heads in (rarer, 1 - rarer))
    found = _one_way(N, s, rarer, delta, digits, first)
    if rarer == 1 - rarer or enclose(N, s, 1 - rarer, Epsilon(found.upper, None), 12).upper <= delta:
        return found
    return found.or_larger(_one_way(N, s, 1 - rarer, delta, digits, second))


def _one_way(N: int, s: int, p: Fraction, target: Fraction, digits: int, at_floor: bool) -> Found:
    low, high = _corner(N, s, p, bits=4 * digits + 64 + 2 * N.bit_length())
    if at_floor or high == 0:
        return Found(low, high)
    top = Epsilon(high * (1 + _MARGIN), None)
    wanted = math.log(target.denominator) - math.log(target.numerator)
    start = Fraction(s * math.sqrt(2 * wanted / float(N * p * (1 - p))) + 1e-12)
    guess = min(start, low * Fraction(9, 10)) if low > 0 else high / 2
    return solve(partial(enclose, N, s, p), epsilon0=top, delta=target, digits=digits, guess=guess)


def _corner(N: int, s: int, p: Fraction, *, bits: int) -> tuple[Fraction, Fraction]:
    """Around the epsilon from which on each direction is at its floor: ln(C(N, s) (p/(1 - p))^s), or 0."""
    if _is_short(N, s, p):
        ratio = math.comb(N, s) * (p / (1 - p)) ** s
        return (Fraction(0), Fraction(0)) if ratio <= 1 else Epsilon(None, ratio).bounds(bits=bits)
    with precision(bits):
        corner = _log_ratio(N, s, p, s)
        return max(lower_end(corner), Fraction(0)), max(upper_end(corner), Fraction(0))


def _is_short(N: int, s: int, p: Fraction) -> bool:
    """Return whether a few sums of so many coins are done with as rationals."""
    return N * p.denominator.bit_length() * s <= _EXACT_BITS and s <= 100


def enclose(N: int, s: int, p: Fraction, epsilon: Epsilon, digits: int) -> Evaluation:
    """D_E of Z from s + Z, 1 <= s <= N, to a relative width of 10^-digits."""
    bits = math.ceil(3.33 * digits) + 3 * N.bit_length() + 64
    with precision(bits):
        if _log_ratio(N, s, p, s) < log_of(epsilon):  # only outcomes without mass on the other side are left
            floor = _cdf(N, p, s - 1, bits)
            return Evaluation(exp_of(epsilon), floor, arb(0), max(lower_end(floor), Fraction(0)), upper_end(floor), bits)
    return refined(lambda at, _: _evaluate(N, s, p, epsilon, at), digits=digits, bits=bits, spread=0.0)


def _evaluate(N: int, s: int, p: Fraction, epsilon: Epsilon, bits: int) -> Evaluation:
    E, order = exp_of(epsilon), log_of(epsilon)
    last, beyond = s - 1, N + 1  # the ratio certainly exceeds E at `last`, and is not certain to at `beyond`
    while beyond - last > 1:
        middle = (last + beyond) // 2
        last, beyond = (middle, beyond) if _log_ratio(N, s, p, middle) > order else (last, middle)
    slack, t = arb(0), last + 1
    while t <= N and not _log_ratio(N, s, p, t) < order:  # worth next to nothing: counted in full on the upper side only
        slack += abs(mass(N, p, t) - E * mass(N, p, t - s))
        t += 1
        if t > last + 3:
            raise UndecidedError(quantity="the cut of the pair", enclosure=("0", str(N)), precision=bits)
    t = max(last, min(s, N))  # where the ratio of t = s is E but for rounding, t = s is as good
    in_q = _cdf(N, p, t - s, bits)
    value = _cdf(N, p, t, bits) - E * in_q
    return Evaluation(E, value, in_q, max(lower_end(value), Fraction(0)), upper_end(value + slack), bits)


def _log_ratio(N: int, s: int, p: Fraction, t: int) -> arb:
    """ln(b(t)/b(t - s)), s <= t <= N; it falls with t."""
    return log_choose(N, t) - log_choose(N, t - s) + s * (ball(p).log() - ball(1 - p).log())


def _cdf(N: int, p: Fraction, t: int, bits: int) -> arb:
    """Pr(Bin(N, p) <= t); of many coins by `noisy_bits`, all of which are flipped from 1: -Bin(N, p) > -t - 1."""
    if N * p * (1 - p) > _MANY and _MANY < t < N - _MANY:
        return tail(N, 0, p, -t - 1, exponent=bits * _LOG2, bits=bits).beyond
    return lower_tail(N, p, t, bits=bits) if t <= N * p else 1 - lower_tail(N, 1 - p, N - t - 1, bits=bits)


def _is_floor(N: int, s: int, p: Fraction, delta: Fraction, *, refused: Callable[[str], Exception]) -> bool:
    """Return whether delta is Pr(Z < s) itself. Raises what is refused where it is below."""
    short = _is_short(N, s, p)
    return is_floor(
        delta,
        exact=(lambda: sum((math.comb(N, z) * p**z * (1 - p) ** (N - z) for z in range(s)), Fraction(0))) if short else None,
        enclosed=lambda bits: _cdf(N, p, s - 1, bits),
        more_bits=2 * N.bit_length(),
        what="Pr(Z < s)",
        refused=refused,
    )
