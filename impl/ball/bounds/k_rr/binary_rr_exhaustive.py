"""Shuffled binary randomized response over all neighbouring datasets, certified for any n: kRR with k = 2.

Its reports are the messages of a bit sum whose bits are flipped with probability p = 1/(e^eps0 + 1), and flipping some more is
post-processing (FMT21.Sec4.1.binary): where p is irrational, a p just below it bounds from above and one just above it from below. The
sums are imported where they are needed: of more items every question is refused.
"""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import ends, exp_of, precision
from shuffleproof.impl.ball.numeric.results import enclosed, exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_EXHAUSTIVE
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import require_two_items


def delta(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The least delta for which shuffled binary randomized response is (epsilon, delta)-DP, enclosed.

    n: users, at least 1; k: 2; epsilon0 in [0, 10000]; epsilon >= 0; digits: as for the bit sum.
    Returns an enclosure: lower is one dataset's delta, upper holds for all. Raises DomainError, UnsupportedError, UndecidedError,
    ResourceLimitError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of
    from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum

    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, k=k, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(K_RR_EXHAUSTIVE, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    return _joined(
        [delta_of(K_RR_EXHAUSTIVE, Sum(users - 1, 1, p), central, digits=wanted, inputs=inputs) for p in _flips(local, users, wanted)],
        wanted,
    )


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon for which shuffled binary randomized response is (epsilon, delta)-DP, enclosed; epsilon0 at delta = 0.

    n, k, epsilon0, digits: as for `delta`; delta in [0, 1].
    Returns an enclosure: some dataset exceeds delta below lower, none does at upper. Raises DomainError, UnsupportedError, UndecidedError,
    ResourceLimitError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums.noisy_sum import epsilon_of
    from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum

    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, k=k, eps0=epsilon0, delta=delta)
    if target == 1 or local <= Epsilon(Fraction(0), None):
        return exactly(K_RR_EXHAUSTIVE, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        return exactly(K_RR_EXHAUSTIVE, "epsilon", str(local), *local.bounds(bits=4 * wanted + 32), inputs=inputs)
    found = [
        epsilon_of(K_RR_EXHAUSTIVE, Sum(users - 1, 1, p), target, digits=wanted, inputs=inputs, given=str(delta))
        for p in _flips(local, users, wanted)
    ]
    return _joined(found, wanted)


def renyi(*, n: Number, k: Number, epsilon0: Number | Epsilon, order: Number, digits: int = 12) -> Bound:
    """The Renyi divergence of shuffled binary randomized response, enclosed: the largest over all datasets and both directions.

    n, k, epsilon0: as for `delta`; order above 1; digits: as for the bit sum's. Returns an enclosure (CSUZZ19.Profile.renyi).
    Raises DomainError, UnsupportedError, UndecidedError, ResourceLimitError.
    """
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums import coordinate_sums

    found = coordinate_sums.renyi(n=n, changed=1, epsilon0=epsilon0, order=order, digits=digits)
    return K_RR_EXHAUSTIVE.restated(found, inputs=as_given(n=n, k=k, eps0=epsilon0, order=order))


def _flips(epsilon0: Epsilon, n: int, digits: int) -> list[Fraction]:
    """p itself, or one just below it and one just above it."""
    if epsilon0.exp is not None:
        return [1 / (epsilon0.exp + 1)]
    with precision(4 * digits + 2 * n.bit_length() + 64):
        least, most = ends(exp_of(epsilon0))
    return [1 / (most + 1), min(1 / (least + 1), Fraction(1, 2))]


def _joined(found: list[Bound], digits: int) -> Bound:
    """The upper end of the first, the lower end of the last."""
    first, last = found[0], found[-1]
    if len(found) == 1:
        return first
    lower = last.lower if last.side in ("enclosure", "exact") else Fraction(0)
    assert first.quantity in ("delta", "epsilon")
    return enclosed(
        K_RR_EXHAUSTIVE, first.quantity, min(lower, first.upper), first.upper, digits=digits, precision=first.precision, inputs=first.inputs
    )
