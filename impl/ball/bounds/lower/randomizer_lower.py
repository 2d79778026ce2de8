"""Named randomizers on one neighbouring pair, their reports merged into few output classes, certified for large n: a lower bound for each.

What the output classes are stands in `spec.bounds.lower.randomizer_lower`, their masses in `randomizer_lower_kinds`. With three items the
counts are those of kRR's pairs with other masses; with two they are binomial.
"""

from __future__ import annotations

from dataclasses import replace
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
from shuffleproof.impl.ball.numeric.results import enclosed, exactly, solved
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import RANDOMIZER_LOWER
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter, parse_epsilon, probability

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.k_rr.k_rr_family import KRRPair
    from shuffleproof.impl.ball.bounds.k_rr.k_rr_sums import Pair

_THREE = 3
"""What the machinery of kRR takes for its number of categories, which decides nothing here."""


def delta(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The hockey-stick divergence of the pair at epsilon, the larger of both directions, enclosed: the randomizer has no smaller delta.

    n: users, at least 1; randomizer: a record of spec.vocabulary.randomizers; where k may be left out
    it then stands for three items or more; hash functions are uniform. epsilon0 in [0, 10000]; epsilon >= 0; digits: relative width
    of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure whose claim is a lower bound: it is one pair, and others may be worse (BEYOND.randomizer-lower).
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(RANDOMIZER_LOWER, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    of_three = three(randomizer, local)
    if of_three is None:
        make_two = two(randomizer, local)
        if randomizer.noise and central >= _top_of_laplace(make_two, local, digits=wanted):
            return exactly(RANDOMIZER_LOWER, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
        found = enclose(make_two, users, local, central, digits=wanted + 1)
        return enclosed(RANDOMIZER_LOWER, "delta", found.lower, found.upper, digits=wanted, precision=found.bits, inputs=inputs)
    counted = _counts(of_three, wide=wide_tells_more(randomizer, local))
    return replace(counted.delta(n=n, k=_THREE, epsilon0=local, epsilon=central, digits=wanted), inputs=inputs)


def epsilon(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which the pair has delta(epsilon) <= delta, enclosed: the randomizer has no smaller epsilon.

    n, digits and the randomizer: as for `delta`; delta in [0, 1].
    Returns an enclosure whose claim is a lower bound: it is one pair, and others may be worse (BEYOND.randomizer-lower).
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    of_three = None if local.exp == 1 else three(randomizer, local)
    if of_three is not None:
        counted = _counts(of_three, wide=wide_tells_more(randomizer, local))
        return replace(counted.epsilon(n=n, k=_THREE, epsilon0=local, delta=target, digits=wanted), inputs=inputs)
    if target == 1 or local.exp == 1:
        return exactly(RANDOMIZER_LOWER, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    make_two, top = two(randomizer, local), local
    if randomizer.noise:
        top = _top_of_laplace(make_two, local, digits=wanted)
    if target == 0:  # all reports of the output class are e^top times as likely on one side
        if top.exp is not None and local.exp is None:  # Laplace: rounded up, by a relative 2^-4096
            return enclosed(RANDOMIZER_LOWER, "epsilon", *_logs(make_two, local, digits=wanted), digits=wanted, inputs=inputs)
        return exactly(RANDOMIZER_LOWER, "epsilon", str(top), *top.bounds(bits=4 * wanted + 16), inputs=inputs)
    found = root(make_two, users, local, target, top=top, digits=wanted)
    return solved(RANDOMIZER_LOWER, found, digits=wanted, inputs=inputs)


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
