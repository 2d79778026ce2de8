"""The number of ones among bits that are each flipped with probability p: its tails, and the divergence of two datasets, certified.

With `ones` bits equal to 1 and `zeros` equal to 0 the number of ones is ones + Z, Z = A - B, A ~ Bin(zeros, p), B ~ Bin(ones, p)
independent. Pr(Z = u) = sum over i of Pr(B = i) Pr(A = u + i), and likewise with Pr(A > u + i): products of log-concave sequences, so
log-concave in i, summed over a window with the rest below geometric series; where that is long, by `noisy_bits_contour` instead.

Where `changed` bits are 0 in one dataset and 1 in the other, the likelihood ratio of the numbers of ones rises with the number: each
changed bit adds Ber(1 - p) in the place of Ber(p) to a log-concave distribution. So the divergence is that of one upper tail.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from flint import arb

from shuffleproof.impl.ball.bounds.sums import noisy_bits_contour
from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ball, exp_of, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail, mass
from shuffleproof.impl.ball.numeric.budget import spend
from shuffleproof.impl.ball.numeric.results import Evaluation, refined
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MOST_MOVES = 60
"""Steps from the guessed cut to the best one, at most, before the answer is refused."""
_STEPS_OF_NEWTON = 12
"""Steps after which the cut is looked for by halves: far out the variance, and with it each step, may be anything."""
_STEEPEST = 1000.0
"""Largest tilt, as an exponent, that a guess of the cut takes."""
_LONG = 400
"""Numbers of ones on one side of a cut from which on points of a circle are faster than adding up terms."""
_OF_A_CIRCLE = 1600
"""Terms that take about as long as the points of a circle."""


@dataclass(frozen=True, slots=True)
class Bits:
    """Bits before they are flipped: how many are 1, how many are 0, how many differ between the datasets, and p in (0, 1/2)."""

    ones: int
    zeros: int
    changed: int
    p: Fraction

    @property
    def largest(self) -> Epsilon:
        """The largest privacy loss, changed * ln((1 - p)/p), from which on the divergence is 0."""
        return Epsilon(None, ((1 - self.p) / self.p) ** self.changed)

    def terms(self, digits: int) -> int:
        """About how many terms one evaluation adds up, or takes the time of, at few digits."""
        return min(4 * math.ceil(half_window(self.variance / 4, self.exponent(digits)) + 8), _OF_A_CIRCLE)

    @property
    def variance(self) -> float:
        """Return the variance of the number of ones, the same for all datasets; approximate."""
        return max(float((self.ones + self.zeros + self.changed) * self.p * (1 - self.p)), 1e-300)

    def exponent(self, digits: int) -> float:
        """How many natural orders of magnitude a window keeps, so that what cancels leaves the digits asked for; a first try."""
        return 2.31 * digits + 8 + 1.5 * math.log1p(self.variance)


def divergence(bits: Bits, epsilon: Epsilon, digits: int) -> Evaluation:
    """D(P_1 || P_0) at e^epsilon, epsilon < bits.largest, to a relative width of at most 10^-digits: changed bits 1 against 0.

    Raises UndecidedError, ResourceLimitError.
    """
    count = bits.ones + bits.zeros + bits.changed
    first, exponent = math.ceil(3.33 * digits) + 2 * count.bit_length() + 40, bits.exponent(digits)
    # More precision without a wider window is of no use: the two grow together.
    return refined(lambda at, _: _evaluate(bits, epsilon, exponent + 0.69 * (at - first), at), digits=digits, bits=first, spread=0.0)


@dataclass(frozen=True, slots=True)
class Tail:
    """Pr(Z = u), Pr(Z = u + 1) and Pr(Z > u); Pr(Z = u - 1) where it is known besides."""

    here: arb
    following: arb
    beyond: arb
    before: arb | None = None

    def beside_bit(self, chance: arb) -> Self:
        """The same for Z and a bit that is 1 with this probability; `before` is known."""
        assert self.before is not None
        rest = 1 - chance
        here, following = chance * self.before + rest * self.here, chance * self.here + rest * self.following
        return type(self)(here, following, self.beyond + chance * self.here)


@dataclass(frozen=True, slots=True)
class _Cut:
    """The tails of P_1 and P_0 at a cut, and `apart`, what P_1 has more than E P_0 in each."""

    one: Tail
    zero: Tail
    apart: Tail

    @classmethod
    def of_one_bit(cls, others: Tail, p: arb, E: arb) -> Self:
        """Where one bit is changed, from the others' tail, with less to cancel: beyond, it is c Pr(Z = u) - (E - 1) Pr(Z > u)."""
        assert others.before is not None
        c, rise = 1 - p - E * p, E - E * p - p
        here, following = c * others.before - rise * others.here, c * others.here - rise * others.following
        apart = Tail(here, following, c * others.here - (E - 1) * others.beyond)
        return cls(others.beside_bit(1 - p), others.beside_bit(p), apart)


def tail(ones: int, zeros: int, p: Fraction, u: int, *, exponent: float, bits: int) -> Tail:
    """The tail of Z beyond u for 0 < p < 1, at the working precision; what is left out of the sums is about e^-exponent of them.

    ones, zeros at least 0; u any integer. Cost O(exponent + bits). Raises UndecidedError.
    """
    if u < -ones:
        return Tail(arb(0), mass(ones, p, ones) * mass(zeros, p, 0) if u == -ones - 1 else arb(0), arb(1))
    if u >= zeros:
        return Tail(mass(ones, p, 0) * mass(zeros, p, zeros) if u == zeros else arb(0), arb(0), arb(0))
    if known := by_circle(ones, zeros, p, u, exponent=exponent, bits=bits):
        return known
    theta, of_a, of_b = _tilt(ones, zeros, p, u)
    highest = min(ones, zeros - u)
    centre, down, up = _window(ones * _logistic(-theta - _log_odds(p)), theta, of_a, of_b, exponent)
    while True:
        first, last = max(0, min(highest, centre) - down), min(highest, max(0, centre, -u) + up)
        sums, edges = _summed(ones, zeros, p, u, first, last, bits)
        above = [_rest(*edge) for edge in edges[0]] if last < highest else [arb(0)] * 3
        below = [_rest(*edge) for edge in edges[1]] if first > 0 else [arb(0)] * 3
        if all(rest.is_finite() for rest in above + below):
            return Tail(*(total + more + less for total, more, less in zip(sums, above, below, strict=True)))
        if first == 0 and last == highest:
            raise UndecidedError(quantity="a tail of noisy bits", enclosure=("0", "1"), precision=bits)
        down, up = 2 * down, 2 * up


def by_circle(ones: int, zeros: int, p: Fraction, u: int, *, exponent: float, bits: int) -> Tail | None:
    """The same by points of a circle, `before` included; None where terms are added up, or u is outside of what Z may be."""
    if not -ones <= u < zeros:
        return None
    theta, of_a, of_b = _tilt(ones, zeros, p, u)
    variance = of_a + of_b
    sharp = exponent + math.log1p(variance) / 2 + 1  # the mass at u is about 1/sqrt(variance) of what is spread around it
    if (reach := math.ceil(half_window(variance, sharp))) <= _LONG or variance <= sharp:
        return None
    found = noisy_bits_contour.tail(ones, zeros, p, u, theta=theta, variance=variance, exponent=sharp, reach=reach, bits=bits)
    before, here, following, beyond = found
    return Tail(here, following, beyond, before)


Edge = tuple[arb, arb]


def _summed(ones: int, zeros: int, p: Fraction, u: int, first: int, last: int, bits: int) -> tuple[list[arb], list[list[Edge]]]:
    """The three sums over i from last down to first, and their outermost terms on both sides, each beside the next one inward."""
    spend(last - first + 1, each=1 + bits / 500, bits=0, what=f"certified tails of {ones + zeros} noisy bits")
    odds, top = ball((1 - p) / p), u + last
    b, a, a_after = mass(ones, p, last), mass(zeros, p, top), mass(zeros, p, top + 1)
    beyond = lower_tail(zeros, 1 - p, zeros - top - 1, bits=bits)  # Pr(A > u + i)
    here_sum = following_sum = beyond_sum = arb(0)
    ends: list[tuple[arb, arb, arb]] = []
    for i in range(last, first - 1, -1):
        s = u + i
        here, following, further = b * a, b * a_after, b * beyond
        here_sum, following_sum, beyond_sum = here_sum + here, following_sum + following, beyond_sum + further
        if i > last - 2 or i < first + 2:
            ends.append((here, following, further))
        beyond = beyond + a
        a, a_after = (a * s * odds / (zeros - s + 1) if s > 0 else arb(0)), a
        b = b * i * odds / (ones - i + 1)
    ends += ends if len(ends) == 1 else []
    upper_edges = list(zip(ends[0], ends[1], strict=True))
    lower_edges = list(zip(ends[-1], ends[-2], strict=True))
    return [here_sum, following_sum, beyond_sum], [upper_edges, lower_edges]


def _rest(outer: arb, inner: arb) -> arb:
    """Return what a log-concave sequence adds up to beyond its last two terms: at most outer ratio/(1 - ratio), ratio = outer/inner."""
    if outer == 0:
        return arb(0)
    ratio = outer / inner
    if not ratio < 1:  # the window is too narrow
        return arb("nan")
    return UP_TO_1 * (outer * ratio / (1 - ratio))


def _evaluate(bits: Bits, epsilon: Epsilon, exponent: float, precision: int) -> Evaluation:
    E, ones, zeros, changed, p = exp_of(epsilon), bits.ones, bits.zeros, bits.changed, bits.p

    def at(u: int) -> _Cut:
        """Return what is known of the cut beyond the number ones + u."""
        if changed == 1:
            sparing = exponent - math.log1p(bits.variance)  # of one deviation in what is beyond, and of one in the masses at the cut
            if others := by_circle(ones, zeros, p, u, exponent=sparing, bits=precision):
                return _Cut.of_one_bit(others, ball(p), E)
        one = tail(ones + changed, zeros, p, u - changed, exponent=exponent, bits=precision)
        zero = tail(ones, zeros + changed, p, u, exponent=exponent, bits=precision)
        return _Cut(one, zero, Tail(one.here - E * zero.here, one.following - E * zero.following, one.beyond - E * zero.beyond))

    u, low, high = _cut(bits, epsilon), -ones - 1, zeros + changed
    for move in range(_MOST_MOVES):
        found = at(u)
        one, zero, here, following = found.one, found.zero, found.apart.here, found.apart.following
        if here > 0:  # then the cut is lower down
            high = u - 1
            u = _moved(u, one.here, zero.here, bits, E, down=True)
        elif following < 0:
            low = u + 1
            u = _moved(u, one.following, zero.following, bits, E, down=False)
        else:
            break
        if move >= _STEPS_OF_NEWTON or not low <= u <= high:
            u = (low + high) // 2
    else:
        raise UndecidedError(quantity="the cut of the pair", enclosure=(str(-ones), str(zeros + changed)), precision=precision)
    value, slack = found.apart.beyond, arb(0)
    # At most one number of ones where the distributions all but meet: counted in full on the upper side.
    if not here <= 0:
        slack += abs(here)
        settled = at(u - 1).apart.here <= 0 and following >= 0
    elif not following >= 0:
        slack += abs(following)
        settled = bool(at(u + 1).apart.following >= 0)
    else:
        settled = True
    if not settled:
        raise UndecidedError(quantity="the cut of the pair", enclosure=(str(-ones), str(zeros + changed)), precision=precision)
    return Evaluation(E, value, zero.beyond, max(lower_end(value), Fraction(0)), upper_end(value + slack), precision)


def _cut(bits: Bits, epsilon: Epsilon) -> int:
    """About the last u whose likelihood ratio is at most e^epsilon: a saddle point in floating point, where to start from."""
    low, high = -bits.ones, bits.zeros + bits.changed - 1
    loss = float(min(epsilon.bounds(bits=64)[1], Fraction(10**6))) / bits.changed
    limit = _log_odds(bits.p)
    if loss >= limit:
        return high
    # (p + q y)/(q + p y) = e^loss, y = e^theta
    theta = loss + math.log(-math.expm1(-loss - limit)) - math.log(-math.expm1(loss - limit))
    mean, second, third = _cumulants(bits, theta)
    if second > 1:
        mean = _cumulants(bits, theta - third / (2 * second * second))[0]
    return min(max(math.ceil(mean) - 1, low), high)


def _moved(u: int, in_p: arb, in_q: arb, bits: Bits, E: arb, *, down: bool) -> int:
    """One step of Newton's method on the logarithm of the likelihood ratio, at least 1 in the direction that is known to be right."""
    gap = abs((in_p / in_q / E).log()) if in_p > 0 and in_q > 0 else arb(0)
    step = max(1, math.floor(float(gap.mid()) * bits.variance / bits.changed)) if gap.is_finite() else 1
    return u - step if down else u + step


def _cumulants(bits: Bits, theta: float) -> tuple[float, float, float]:
    """The first three of the number of ones minus `ones`, tilted by e^theta, half-way between the two datasets."""
    up = _logistic(theta - _log_odds(bits.p))
    down = _logistic(-theta - _log_odds(bits.p))
    zeros, ones = bits.zeros + bits.changed / 2, bits.ones + bits.changed / 2
    mean = zeros * up - ones * down + bits.changed / 2
    second = zeros * up * (1 - up) + ones * down * (1 - down)
    third = zeros * up * (1 - up) * (1 - 2 * up) - ones * down * (1 - down) * (1 - 2 * down)
    return mean, second, third


def _tilt(ones: int, zeros: int, p: Fraction, u: int) -> tuple[float, float, float]:
    """theta at which e^(theta Z) tilts the mean of Z to u, and the variances of A and B there; approximate."""
    log_odds = _log_odds(p)
    low, high = -log_odds - _STEEPEST, log_odds + _STEEPEST
    for _ in range(80):
        theta = (low + high) / 2
        if zeros * _logistic(theta - log_odds) - ones * _logistic(-theta - log_odds) < u:
            low = theta
        else:
            high = theta
    up, down = _logistic(low - log_odds), _logistic(-low - log_odds)
    return low, zeros * up * (1 - up), ones * down * (1 - down)


def _window(centre: float, theta: float, of_a: float, of_b: float, exponent: float) -> tuple[int, int, int]:
    """The centre of the terms that make up Pr(Z = u), and how many matter below and above it; approximate, the edges are checked.

    Pr(Z > u) has its terms further down as well: those that make up Pr(Z = u') for the u' > u that matter.
    """
    share = of_b / (of_a + of_b) if of_a + of_b > 0 else 0.0
    half = math.ceil(half_window(of_a * share, exponent)) + 2
    reach = half_window(of_a + of_b, exponent)
    further = share * (min(reach, exponent / theta) if theta > 0 else reach)
    return round(centre), half + math.ceil(further), half


def half_window(variance: float, exponent: float) -> float:
    """Return a half width beyond which less than e^-exponent lies, by Bernstein's inequality."""
    third = exponent / 3
    return third + math.sqrt(third * third + 2 * exponent * variance)


def _log_odds(p: Fraction) -> float:
    """ln((1 - p)/p)."""
    q = 1 - p
    if 4 * p > 1:
        return math.log1p(float((q - p) / p))
    return math.log(q.numerator) - math.log(q.denominator) - math.log(p.numerator) + math.log(p.denominator)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
