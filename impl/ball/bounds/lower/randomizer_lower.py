"""Named randomizers on one neighbouring pair, their reports merged into few output classes, certified for large n: a lower bound for each.

What the output classes are stands in `spec.bounds.lower.randomizer_lower`, their masses in `randomizer_lower_kinds`. With three items the
counts are those of kRR's pairs with other masses; with two they are binomial.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.impl.ball.bounds.lower.randomizer_lower_binary import enclose, largest_ratio, root
from shuffleproof.impl.ball.bounds.lower.randomizer_lower_kinds import (
    MakeThree,
    MakeTwo,
    narrow_pair,
    three,
    two,
    wide_pair,
    wide_tells_more,
)
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified, evaluated
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import RANDOMIZER_LOWER
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.k_rr.k_rr_family import KRRPair
    from shuffleproof.impl.ball.bounds.k_rr.k_rr_sums import Pair

_THREE = 3
"""What the machinery of kRR takes for its number of categories, which decides nothing here."""


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
    from shuffleproof.impl.ball.bounds.k_rr.k_rr_family import KRRPair

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
