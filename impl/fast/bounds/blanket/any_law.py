"""A named randomizer by its whole distribution, in float64 with sound sides: above by its blanket, below where all others hold one item."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import delta_of, epsilon_of, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Law, blanket_laws, homogeneous_laws
from shuffleproof.impl.fast.numeric.results import exactly
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


def delta(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, view: View = "above") -> Bound:
    """delta at epsilon, enclosed in float64: of the sum over the blanket, or of the pair of datasets.

    n: users, 1 to 10^9; randomizer: a record of spec.vocabulary.randomizers; where k may be left out it stands for any number of items,
    three at least; hash functions are uniform. epsilon0 in [0, 690]; epsilon >= 0; view: "above" or "below".
    Returns an enclosure. Above its claim is an upper bound, for all neighbouring datasets (BEYOND.any-law-above); below a lower bound:
    these are neighbouring datasets, and others may be worse (BEYOND.any-law-below).
    Raises DomainError, UnsupportedError.
    """
    method, laws = _VIEWS[view]
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(method, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    return delta_of(method, laws(randomizer, local), n=supported(users), epsilon0=local, epsilon=central, inputs=inputs)


def epsilon(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, delta: Number, view: View = "above") -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed in float64; exactly epsilon0 at delta = 0.

    n, view and the randomizer: as for `delta`; delta = 0 or in [1e-300, 1]. Returns an enclosure whose claim is as there.
    Raises DomainError, UnsupportedError.
    """
    method, laws = _VIEWS[view]
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    if local.exp == 1:
        return exactly(method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    return epsilon_of(method, laws(randomizer, local), n=supported(users), epsilon0=local, delta=target, inputs=inputs)
