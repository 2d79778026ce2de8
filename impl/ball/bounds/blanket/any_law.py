"""A named randomizer by its whole distribution, certified on a grid: by its blanket, and below by datasets whose others hold one item."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal

from shuffleproof.impl.ball.bounds.blanket.one_sum_profile import DIGITS, certain_digits, delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.blanket.randomizer_laws import Law, blanket_laws, homogeneous_laws
from shuffleproof.impl.ball.numeric.results import exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_laws import BLANKET, HOMOGENEOUS
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter, parse_epsilon, probability

View = Literal["above", "below"]
_VIEWS: Mapping[View, tuple[Method, Callable[[NamedRandomizer, Epsilon], list[Law]]]] = {
    "above": (BLANKET, blanket_laws),
    "below": (HOMOGENEOUS, homogeneous_laws),
}


def delta(
    *,
    n: Number,
    randomizer: NamedRandomizer,
    epsilon0: Number | Epsilon,
    epsilon: Number | Epsilon,
    view: View = "above",
    digits: int = DIGITS,
) -> Bound:
    """delta at epsilon, enclosed: of the sum over the blanket, or of the pair of datasets.

    n: users, at least 1; randomizer: a record of spec.vocabulary.randomizers; where k may be left out it stands for any number of items,
    three at least; hash functions are uniform. epsilon0 in [0, 10000]; epsilon >= 0; view: "above" or "below"; digits: relative width of
    the enclosure at most 10^-digits, 1 to 6.
    Returns an enclosure. Above its claim is an upper bound, for all neighbouring datasets (BEYOND.any-law-above); below a lower bound:
    these are neighbouring datasets, and others may be worse (BEYOND.any-law-below).
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    (method, laws), wanted = _VIEWS[view], certain_digits(digits)
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(method, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = laws(randomizer, local)
    return delta_of(method, found, n=users, epsilon0=local, epsilon=central, digits=wanted, inputs=inputs)


def epsilon(
    *, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, delta: Number, view: View = "above", digits: int = DIGITS
) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed; exactly epsilon0 at delta = 0.

    n, digits, view and the randomizer: as for `delta`; delta in [0, 1]. Returns an enclosure whose claim is as there.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    (method, laws), wanted = _VIEWS[view], certain_digits(digits)
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    if local.exp == 1:
        return exactly(method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = laws(randomizer, local)
    return epsilon_of(method, found, n=users, epsilon0=local, delta=target, digits=wanted, inputs=inputs)
