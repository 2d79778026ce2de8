"""Named randomizers on one neighbouring pair, their reports merged into few output classes, certified for large n: a lower bound for each.

What the output classes are stands in `spec.bounds.lower.randomizer_lower`, their masses in `randomizer_lower_classes`. With three items the
counts are those of kRR's pairs with other masses; with two they are binomial: the special report is
of one output class with chance p0 or p1, all others with chance p1 < p0.

P counts Bin(n - 1, p1) + Bern(p0), Q counts Bin(n, p1). P(j)/Q(j) = (j p0/p1 + (n - j)(1 - p0)/(1 - p1))/n rises with j, so that with
E = e^eps, gap = p0 - p1 and v = p1 (1 - p1): P > E Q exactly for j > n (p1 + (E - 1) v/gap), and Q > E P exactly for
j < n (p1 - (1 - 1/E) v/gap). Each direction is one binomial tail, summed outward from its largest term.
Cost O(sqrt(n v digits)) ball operations.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from flint import arb

from shuffleproof.impl.ball.bounds.lower.randomizer_lower_classes import (
    MakeThree,
    MakeTwo,
    Two,
    narrow_pair,
    three,
    two,
    wide_pair,
    wide_tells_more,
)
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import mass_against, tail_against
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, evaluated, refined
from shuffleproof.impl.ball.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import RANDOMIZER_LOWER
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.k_rr.k_rr_pairs import KRRPair
    from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair

_THREE = 3
"""What the machinery of kRR takes for its number of categories, which decides nothing here."""
_TOP_BITS = 4096
"""Bits, beyond four a digit, of the largest likelihood ratio p0/p1: it cancels where epsilon0 is tiny, down to 1e-1000 here."""


@certified(RANDOMIZER_LOWER)
def delta(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found | Bound:
    """The hockey-stick divergence of the pair at epsilon, the larger of both directions: the randomizer has no smaller delta.

    randomizer: where k may be left out it stands for three items or more; hash functions are uniform. It is one pair, and others may be
    worse (BEYOND.randomizer-lower).
    """
    if epsilon >= epsilon0:
        return Found.exactly(0)
    of_three = three(randomizer, epsilon0)
    if of_three is None:
        make_two = two(randomizer, epsilon0)
        if randomizer.noise and epsilon >= _top_of_laplace(make_two, epsilon0, digits=digits):
            return Found.exactly(0)
        return evaluated(enclose(make_two, n, epsilon0, epsilon, digits=digits + 1))
    counted = _counts(of_three, wide=wide_tells_more(randomizer, epsilon0))
    return counted.delta(n=n, k=_THREE, epsilon0=epsilon0, epsilon=epsilon, digits=digits)


@certified(RANDOMIZER_LOWER)
def epsilon(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found | Bound:
    """Least epsilon at which the pair has delta(epsilon) <= delta: the randomizer has no smaller epsilon (BEYOND.randomizer-lower)."""
    of_three = None if epsilon0.exp == 1 else three(randomizer, epsilon0)
    if of_three is not None:
        counted = _counts(of_three, wide=wide_tells_more(randomizer, epsilon0))
        return counted.epsilon(n=n, k=_THREE, epsilon0=epsilon0, delta=delta, digits=digits)
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    make_two, top = two(randomizer, epsilon0), epsilon0
    if randomizer.noise:
        top = _top_of_laplace(make_two, epsilon0, digits=digits)
    if delta == 0:  # all reports of the output class are e^top times as likely on one side
        if top.exp is not None and epsilon0.exp is None:  # Laplace: rounded up, by a relative 2^-4096
            return Found(*_logs(make_two, epsilon0, digits=digits))
        return Found.exactly_epsilon(top, bits=4 * digits + 16)
    return root(make_two, n, epsilon0, delta, top=top, digits=digits)


def _counts(of_three: MakeThree, *, wide: bool) -> KRRPair:
    from shuffleproof.impl.ball.bounds.k_rr.k_rr_pairs import KRRPair

    form = wide_pair if wide else narrow_pair

    def make(n: int, _: int, epsilon0: Epsilon) -> Pair:
        return form(of_three(epsilon0), n, epsilon0)

    return KRRPair(method=RANDOMIZER_LOWER, least_k=_THREE, make=make)


def _top_of_laplace(make: MakeTwo, epsilon0: Epsilon, *, digits: int) -> Epsilon:
    """The logarithm of the pair's largest likelihood ratio, (4 T - 1)(2 T + 1)/(9 T); hardly more where T is irrational."""
    T = epsilon0.exp
    ratio = largest_ratio(make, epsilon0, digits=digits)[1] if T is None else (4 * T - 1) * (2 * T + 1) / (9 * T)
    return Epsilon(None, ratio)


def _logs(make: MakeTwo, epsilon0: Epsilon, *, digits: int) -> tuple[Fraction, Fraction]:
    """Ends of the logarithm of the pair's largest likelihood ratio."""
    low, high = largest_ratio(make, epsilon0, digits=digits)
    with precision(4 * digits + 64):
        return lower_end(ball(low).log()), upper_end(ball(high).log())


def enclose(make: MakeTwo, n: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int) -> Evaluation:
    """The larger of both directions at epsilon < epsilon0, epsilon0 > 0, to a relative width of 10^-digits."""
    bits = math.ceil(3.33 * digits) + 2 * n.bit_length() + 48
    return refined(lambda at, _: _evaluate(make(epsilon0), n, epsilon, at), digits=digits, bits=bits, spread=0.0)


def largest_ratio(make: MakeTwo, epsilon0: Epsilon, *, digits: int) -> tuple[Fraction, Fraction]:
    """p0/p1, the largest likelihood ratio of the pair, from below and from above."""
    with precision(4 * digits + _TOP_BITS):
        two = make(epsilon0)
        return ends(1 + two.gap / two.p1)


def root(make: MakeTwo, n: int, epsilon0: Epsilon, delta: Fraction, *, top: Epsilon, digits: int) -> Found:
    """The least epsilon with delta(epsilon) <= delta, 0 < delta < 1. top: where delta(epsilon) becomes 0, or hardly above it."""
    guess = _guess(make, n, epsilon0, delta, top=top)
    return solve(partial(enclose, make, n, epsilon0), epsilon0=top, delta=delta, digits=digits, guess=guess)


def _evaluate(two: Two, n: int, epsilon: Epsilon, bits: int) -> Evaluation:
    E, E_minus_1 = exp_of(epsilon), expm1_of(epsilon)
    step = n * two.p1 * (1 - two.p1) * E_minus_1 / two.gap
    above = _direction(n, two, E, n * two.p1 + step, upward=True, bits=bits)
    below = _direction(n, two, E, n * two.p1 - step / E, upward=False, bits=bits)
    larger = above if above.lower >= below.lower else below
    return Evaluation(E, larger.excess, larger.in_q, larger.lower, max(above.upper, below.upper), bits)


def _direction(n: int, two: Two, E: arb, cut: arb, *, upward: bool, bits: int) -> Evaluation:
    """D(P || Q) over j > cut, or D(Q || P) over j < cut."""
    low, high = ends(cut)
    first = math.floor(high) + 1 if upward else math.ceil(low) - 1
    undecided = range(math.ceil(low), first) if upward else range(first + 1, math.floor(high) + 1)
    if len(undecided) > 2:
        raise UndecidedError(quantity="the cut of the pair", enclosure=("0", str(n)), precision=bits)
    p1, p0, odds = two.p1, two.p1 + two.gap, (1 - two.p1) / two.p1
    if not -1 < first <= n:  # nothing, or everything, is beyond the cut
        tail, edge = arb(0 if (first > n) == upward else 1), arb(0)
    else:
        tail = tail_against(n - 1, first, odds, downward=not upward, bits=bits)
        edge = mass_against(n - 1, first - 1 if upward else first, odds)
    # The special report adds a piece at the inner edge, or takes it away.
    in_p, in_q = (tail + p0 * edge, tail + p1 * edge) if upward else (tail - p1 * edge, tail - p0 * edge)
    value, slack = in_p - E * in_q, arb(0)
    for j in undecided:  # the integrand all but vanishes there: counted in full on the upper side only
        here, before = mass_against(n - 1, j, odds), mass_against(n - 1, j - 1, odds)
        of_first, of_second = ((1 - p) * here + p * before for p in (p0, p1))
        slack += abs(of_first - E * of_second if upward else of_second - E * of_first)
    return Evaluation(E, value, in_q, max(lower_end(value), Fraction(0)), max(upper_end(value), Fraction(0)) + upper_end(slack), bits)


def _guess(make: MakeTwo, n: int, epsilon0: Epsilon, delta: Fraction, *, top: Epsilon) -> Fraction:
    """Where to start: the privacy loss is about normal with deviation gap/sqrt(n p1 (1 - p1)); nothing depends on it but speed."""
    with precision(128):
        two = make(epsilon0)
        deviation = float((two.gap / (n * two.p1 * (1 - two.p1)).sqrt()).mid())
    start = deviation * math.sqrt(2 * (math.log(delta.denominator) - math.log(delta.numerator)))
    ceiling = top.bounds(bits=64)[0] * Fraction(9, 10)
    return Fraction(start) if 0 < start < ceiling else ceiling
