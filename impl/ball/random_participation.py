"""Random participation, certified: how many users take part, in blocks, and the mixture (BEYOND.random-participation).

delta(E) <= sum over m of Pr(Bin(n, g) = m) (m/n) delta_m(1 + (E - 1) n/m), and (m/n) Pr(Bin(n, g) = m) = g Pr(Bin(n - 1, g) = m - 1). In a
block from m to m', delta_m falls with m and the order is least at m', so the block adds at most g Pr(block) delta_m(1 + (E - 1) n/m').

Where the neighbours' change is smaller than the exchange of two users, delta_m is (1 - beta) gamma_m + beta delta_m, beta = E/E_m, gamma_m
that of the exchange: no less than delta_m, so that the least beta of a block, the one of m, is its worst.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import tail_against
from shuffleproof.spec.vocabulary.elementary import approximate_log, exp_bounds
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, about
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import RANDOM_PARTICIPATION
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

LARGEST_N = 10**10
"""Users at most: the terms of a tail are about the root of that many."""
_BITS = 128
"""Working precision, in bits, of binomial tails; upper ends are rounded up."""
_DEVIATIONS = (-38, -20, -12, -8, -6, -4.5, -3.25, -2.25, -1.25, -0.5, 0.25, 1, 2, 3.5, 6, 11)
"""Where blocks of counts begin, in standard deviations from the mean."""
_BITS_OF_E = 96
"""Bits of e^epsilon as a rational."""
_LARGEST = 256
"""Largest epsilon that a search tries: beyond it the target is refused."""
_STEPS = 60
"""Halvings at most."""
_HALVED_EVERY = 3
"""Of the steps of a search one in so many halves the interval, whatever the secant says."""
CLOSE = Fraction(1, 10**5)
"""Relative width of epsilon at which they stop."""
_APART = Fraction(17, 16)
"""Times an epsilon that is near, the end of an interval that holds the one that is looked for."""
_COUNTS = Fraction(1, 100)
"""The share of delta from which on a block is asked by a slower method, too: what is left of epsilon by smaller ones is some 10^-3."""
_BY_SHAPE = 4
"""Steps at most of a search that knows the shape of what it looks for: two are mostly enough."""
_NEAR = Fraction(1, 500)
"""Of an epsilon: a step that would be shorter is not made."""
ASIDE = Fraction(1, 5000)
"""Of an epsilon: by how much more is asked than the shape says, so that the target is mostly met."""
Deltas = Callable[[int, Fraction], Fraction]


@dataclass(frozen=True)
class Block:
    """Users who take part, from least to most, user 1 among them; share: above and below the probability of that."""

    least: int
    most: int
    above: Fraction
    below: Fraction


def blocks(*, n: int, rate: Fraction, least: int = 1) -> tuple[Block, ...]:
    """All counts from `least` (at least 1) to n in blocks; n >= 1, rate in (0, 1]; empty where least exceeds n."""
    if least > n:
        return ()
    if rate == 1:
        return (Block(n, n, Fraction(1), Fraction(1)),)
    if n > LARGEST_N:
        raise ResourceLimitError(what="random participation", needed=f"tails of {about(n)} users", limit=f"{about(LARGEST_N)} users")
    mean, deviation = float(n * rate), math.sqrt(float(n * rate * (1 - rate)))
    starts = {round(mean + z * deviation) for z in _DEVIATIONS}
    edges = sorted({least, n + 1} | {start for start in starts if least < start <= n})
    with precision(_BITS):
        return tuple(_block(n, rate, low, high - 1) for low, high in pairwise(edges))


def _block(n: int, rate: Fraction, low: int, high: int) -> Block:
    """g Pr(low - 1 <= Bin(n - 1, g) <= high - 1), from the tail on the side of the mean where it is small."""
    upward = low - 1 > (n - 1) * rate
    inside = _at_least(n - 1, rate, low - 1) - _at_least(n - 1, rate, high) if upward else 0
    if not upward:
        inside = _at_most(n - 1, rate, high - 1) - _at_most(n - 1, rate, low - 2)
    mass = ball(rate) * inside
    return Block(low, high, min(upper_end(mass), rate), max(lower_end(mass), Fraction(0)))


@lru_cache(maxsize=64)  # the end of one block is the beginning of the next
def _at_most(n: int, p: Fraction, c: int) -> arb:
    if c < 0 or c >= n:
        return arb(0 if c < 0 else 1)
    if c > n * p:
        return 1 - _at_least(n, p, c + 1)
    return tail_against(n, c, ball((1 - p) / p), downward=True, bits=_BITS)


@lru_cache(maxsize=64)
def _at_least(n: int, p: Fraction, c: int) -> arb:
    if c <= 0 or c > n:
        return arb(1 if c <= 0 else 0)
    if c <= n * p:
        return 1 - _at_most(n, p, c - 1)
    return tail_against(n, c, ball((1 - p) / p), downward=False, bits=_BITS)


def order(E: Fraction, *, n: int, m: int) -> Fraction:
    """1 + (E - 1) n/m."""
    return 1 + (E - 1) * Fraction(n, m)


def above(
    parts: tuple[Block, ...],
    *,
    n: int,
    E: Fraction,
    delta_of: Deltas,
    negligible: Fraction,
    exchanged: Deltas | None = None,
    closer: Deltas | None = None,
) -> Fraction:
    """An upper bound on delta at order E, or at any larger one.

    delta_of: (m, order) -> upper bound on the delta of m users, at most 1; exchanged: the same where a user's data is replaced by another
    user's, None where delta_of says that too; negligible: blocks of at most this share count in full; closer: asked instead of delta_of in
    blocks that make up a part of the sum, if it takes longer.
    """
    terms: dict[Block, Fraction] = {}
    for part in parts:
        terms[part] = part.above
        if part.above <= negligible:
            continue
        at = order(E, n=n, m=part.most)
        value = delta_of(part.least, at)
        if exchanged is not None:
            same = E / order(E, n=n, m=part.least)
            value += (1 - same) * max(Fraction(0), exchanged(part.least, at) - value)
        terms[part] *= value
    total = sum(terms.values(), Fraction(0))
    if closer is not None:
        for part in [part for part in parts if part.above > negligible and terms[part] > total * _COUNTS]:
            terms[part] = min(terms[part], part.above * closer(part.least, order(E, n=n, m=part.most)))
        total = sum(terms.values(), Fraction(0))
    return min(Fraction(1), total)


def uncounted(*, rate: Fraction, E: Fraction, delta_of: Callable[[Fraction], Fraction]) -> Fraction:
    """An upper bound on delta where a user is there or not and nothing reveals how many take part: g delta(1 + (E - 1)/g).

    delta_of: order -> upper bound on the delta of those who take part, for any number of them.
    """
    return min(Fraction(1), rate * delta_of(1 + (E - 1) / rate))


def below(parts: tuple[Block, ...], *, n: int, E: Fraction, delta_of: Deltas) -> Fraction:
    """A lower bound where delta_of is one for the pair (x, z, ..., z), (z, ..., z), that way round."""
    return sum((part.below * delta_of(part.most, order(E, n=n, m=part.least)) for part in parts), Fraction(0))


def short_order(epsilon: Fraction) -> Fraction:
    """At most e^epsilon, at least 1, with a short denominator."""
    return shortened(exp_bounds(epsilon, bits=_BITS_OF_E)[0])


def exponential_above(epsilon: Fraction) -> Fraction:
    """At least e^epsilon."""
    return exp_bounds(epsilon, bits=_BITS_OF_E)[1]


def rational_below(epsilon0: Epsilon) -> Fraction:
    """e^epsilon0 where that is rational, else a short number of at least 1 below it."""
    return epsilon0.exp or shortened(exp_bounds(epsilon0.bounds(bits=_BITS_OF_E)[0], bits=_BITS_OF_E)[0])


def shortened(x: Fraction) -> Fraction:
    """At most x, at least 1, with a short denominator."""
    return max(Fraction(1), Fraction(math.floor(x * 2**60), 2**60))


def crossing(
    value: Callable[[Fraction], Fraction], target: Fraction, *, upward: bool, close: Fraction | None = None, near: Fraction | None = None
) -> Fraction:
    """An end of a short interval of epsilons in which delta crosses the target: where it is at most that (upward), or above it.

    value: epsilon -> a bound on delta; close: the interval's relative width, `CLOSE` where it is None; near: where to look first.
    Raises RegimeError where no epsilon is enough.
    """
    largest, close = Fraction(_LARGEST), CLOSE if close is None else close
    if target == 0 and value(largest) > 0:  # of noise without bounds each epsilon would be asked in vain
        raise _no_epsilon(target)
    low, high = Fraction(0), near or Fraction(1, 64)
    at_low = value(low)
    if at_low <= target:
        return low
    at_high = value(high)
    if near and at_high <= target:
        below = near / _APART
        at_below = value(below)
        low, at_low, high, at_high = (below, at_below, high, at_high) if at_below > target else (low, at_low, below, at_below)
    while at_high > target:
        low, at_low, high = high, at_high, (_APART if near else 2) * high
        if high > largest:
            raise _no_epsilon(target)
        at_high = value(high)
    for step in range(_STEPS):
        if high - low <= close * high:
            break
        margin = close * high * Fraction(2, 5)
        share = Fraction(1, 2)
        if at_high > 0 and step % _HALVED_EVERY:
            # A secant of ln delta, a little to either side in turn, so that both ends come near.
            above, whole = approximate_log(at_low) - approximate_log(target), approximate_log(at_low) - approximate_log(at_high)
            share = Fraction(above / whole) if whole > 0 else share
        middle = low + (high - low) * share + (margin if step % 2 else -margin)
        middle = Fraction(decimal_text(min(max(middle, low + margin), high - margin), digits=9, direction="down"))
        if not low < middle < high:
            break
        at = value(middle)
        if at > target:
            low, at_low = middle, at
        else:
            high, at_high = middle, at
    return high if upward else low


def _no_epsilon(delta: Fraction) -> RegimeError:
    return RegimeError(
        statement=RANDOM_PARTICIPATION.statement,
        condition="a delta above what batches of few reports reveal",
        given=f"delta = {decimal_text(delta, digits=3, direction='down')}",
        advice="drop small batches (least), or ask for a larger delta",
    )


def crossing_by_shape(
    value: Callable[[Fraction], Fraction], target: Fraction, *, shape: Callable[[Fraction], Fraction], at: Fraction, first: Fraction
) -> Fraction:
    """The least epsilon found at which a delta that takes long is at most the target; at most `at`, where it must be.

    value: epsilon -> an upper bound on delta; shape: a quicker and larger one that falls about as fast, at most the target from `at` on;
    first: where to begin.
    """
    best, x = at, first
    for _ in range(_BY_SHAPE):
        found = value(x)
        best = min(best, x) if found <= target else best
        if not (found and x):
            break
        following = min(at, crossing(shape, min(Fraction(1), target * shape(x) / found), upward=True, close=ASIDE, near=x) * (1 + ASIDE))
        if following >= best * (1 - _NEAR):
            break
        x = following
    return best


def one_bit(m: int, E: Fraction, *, T: Fraction) -> Fraction:
    """Lower bound on D_E(B || A) of binary randomized response with T = e^eps0, A of (0, ..., 0), B of (1, 0, ..., 0), m users.

    B(c)/A(c) grows with c, so the divergence is B(c >= t) - E A(c >= t) at the best t; at any other t it is below.
    """
    p = 1 / (T + 1)
    if T == 1 or E >= T:
        return Fraction(0)
    # B(c)/A(c) = ((m - c)/T + c T)/m = E
    t = math.ceil((m * E - m / T) / (T - 1 / T))
    with precision(_BITS):
        rest, last = _at_least(m - 1, p, t), _at_least(m - 1, p, t - 1)
        in_b = ball(p) * rest + ball(1 - p) * last if t >= 1 else arb(1)
        in_a = ball(1 - p) * rest + ball(p) * last if t >= 1 else arb(1)
        return max(Fraction(0), lower_end(in_b - ball(E) * in_a))
