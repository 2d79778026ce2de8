"""The coordinate sums of RAPPOR reports over all neighbouring datasets, certified for any n.

Where an item is dropped, one coordinate's sum is that of a bit sum: shuffled binary randomized response. Where it is replaced, the two
sums are the runs of a tagged real sum with r = 2 (BEYOND.coordinate-sums). Flipping a bit once more is post-processing: where p is
irrational, a p just below it bounds from above and one just above it from below.
"""

from fractions import Fraction

from shuffleproof.impl.ball.bounds.sums import real_sum
from shuffleproof.impl.ball.bounds.sums.noisy_renyi import all_alike, renyi_ends
from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.impl.ball.numeric.arithmetic import ends, exp_of, precision
from shuffleproof.impl.ball.numeric.results import enclosed, exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import COORDINATE_SUMS
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    epsilon0_parameter,
    parse_epsilon,
    probability,
    renyi_order,
)


def delta(*, n: Number, changed: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The least delta for which the coordinate sums are (epsilon, delta)-DP, enclosed.

    n: users, at least 1; changed: 1 or 2 coordinates; epsilon0 in [0, 10000], of the whole change; epsilon >= 0; digits: as for the bit
    sum, while an enclosure for two coordinates is some percent wide.
    Returns an enclosure: lower is one dataset's delta, upper holds for all. Raises DomainError, UndecidedError, ResourceLimitError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    coordinates, wanted = count(changed, parameter="changed", maximum=2), count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(COORDINATE_SUMS, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = []
    for p in _flips(local, coordinates, users, wanted):
        if coordinates == 1:
            found.append(delta_of(COORDINATE_SUMS, Sum(users - 1, 1, p), central, digits=wanted, inputs=inputs))
        else:
            found.append(real_sum.delta(n=users, lam=2 * users * p, r=2, epsilon=central, view="tagged", digits=wanted))
    lower, upper = min(_lower(found[-1]), found[0].upper), found[0].upper
    return enclosed(COORDINATE_SUMS, "delta", lower, upper, digits=wanted, precision=found[0].precision, inputs=inputs)


def epsilon(*, n: Number, changed: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon for which the coordinate sums are (epsilon, delta)-DP, enclosed; epsilon0 at delta = 0.

    n, changed, epsilon0, digits: as for `delta`; delta in [0, 1].
    Returns an enclosure: some dataset exceeds delta below lower, none does at upper. Raises DomainError, UndecidedError or
    ResourceLimitError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    coordinates, wanted = count(changed, parameter="changed", maximum=2), count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, delta=delta)
    if target == 1 or local <= Epsilon(Fraction(0), None):
        return exactly(COORDINATE_SUMS, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        return exactly(COORDINATE_SUMS, "epsilon", str(local), *local.bounds(bits=4 * wanted + 32), inputs=inputs)
    found = []
    for p in _flips(local, coordinates, users, wanted):
        if coordinates == 1:
            of = Sum(users - 1, 1, p)
            found.append(epsilon_of(COORDINATE_SUMS, of, target, digits=wanted, inputs=inputs, given=str(delta)))
        else:
            found.append(real_sum.epsilon(n=users, lam=2 * users * p, r=2, delta=target, view="tagged", digits=wanted))
    lower, upper = min(_lower(found[-1]), found[0].upper), found[0].upper
    return enclosed(COORDINATE_SUMS, "epsilon", lower, upper, digits=wanted, precision=found[0].precision, inputs=inputs)


def renyi(*, n: Number, changed: Number, epsilon0: Number | Epsilon, order: Number, digits: int = 12) -> Bound:
    """The Renyi divergence of the coordinate sums, enclosed: the largest over all neighbouring datasets and both directions.

    n, changed, epsilon0: as for `delta`; order above 1; digits: as for the bit sum. Two coordinates are independent given the data, so that
    their divergences add up; with k ones in one and n - 1 - k in the other, which some dataset has, both are the largest.
    Returns an enclosure. Raises DomainError, UndecidedError, ResourceLimitError (CSUZZ19.Profile.renyi).
    """
    users, local, alpha = count(n, parameter="n"), epsilon0_parameter(epsilon0), renyi_order(order)
    coordinates, wanted = count(changed, parameter="changed", maximum=2), count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, order=order)
    if local <= Epsilon(Fraction(0), None):
        return exactly(COORDINATE_SUMS, "renyi", "0", Fraction(0), Fraction(0), inputs=inputs)
    flips = _flips(local, coordinates, users, wanted)
    lower, upper = renyi_ends(COORDINATE_SUMS, Sum(users - 1, 1, flips[0]), alpha, digits=wanted)
    if len(flips) > 1:
        lower = all_alike(Sum(users - 1, 1, flips[1]), alpha, digits=wanted)
    return enclosed(COORDINATE_SUMS, "renyi", coordinates * min(lower, upper), coordinates * upper, digits=wanted, inputs=inputs)


def _lower(found: Bound) -> Fraction:
    return found.lower if found.side in ("enclosure", "exact") else Fraction(0)


def _flips(epsilon0: Epsilon, changed: int, n: int, digits: int) -> list[Fraction]:
    """p = 1/(e^(epsilon0/changed) + 1) itself, or one just below it and one just above it."""
    if epsilon0.exp is not None and changed == 1:
        return [1 / (epsilon0.exp + 1)]
    with precision(4 * digits + 2 * n.bit_length() + 64):
        T = exp_of(epsilon0)
        least, most = ends(T if changed == 1 else T.sqrt())
    if least == most:
        return [1 / (least + 1)]
    return [1 / (most + 1), min(1 / (least + 1), Fraction(1, 2))]
