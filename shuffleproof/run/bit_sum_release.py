"""P_(n, lambda) on a column of bits (CSUZZ19, Algorithm 1), streamed; the noise is drawn by counts."""

from fractions import Fraction

from shuffleproof.run.answer import Guarantee, Target, failure_probability
from shuffleproof.run.sums import Sum, estimated, noise_parameter, require_below
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number


def release(*, data: str, column: str, epsilon: Number | Epsilon, delta: Number, noise: Number, beta: Number) -> Sum:
    """Read the column, certify the guarantee, and only then draw. Everything is refused that the guarantee does not cover."""
    from shuffleproof.data.readers import bits
    from shuffleproof.impl.release.bit_sum import messages_of_one
    from shuffleproof.impl.release.entropy import OperatingSystem

    target, failing, lam = Target.parsed(epsilon=epsilon, delta=delta), failure_probability(beta), noise_parameter(noise)
    n = ones = 0
    for batch in bits(data=data, column=column, forgiving=True):
        n, ones = n + batch.users, ones + batch.ones
    require_below(lam, n, noise)
    guarantee = certified(n, lam, target)
    guarantee.require_met(noise=noise)
    seen = messages_of_one(bits=n, ones=ones, flip=lam / (2 * n), source=OperatingSystem())
    return estimated("bit-sum", data=data, column=column, n=n, lam=lam, r=None, seen=seen, beta=failing, guarantee=guarantee)


def certified(n: int, lam: Fraction, target: Target) -> Guarantee:
    """The delta of all neighbouring datasets, from above."""
    from shuffleproof.impl.ball.bounds.sums import bit_sum as profile

    bound = profile.delta(n=n, lam=lam, epsilon=target.epsilon, digits=6)
    return Guarantee(target, bound.upper, bound.statement, "over all neighbouring pairs", "one row: a user with one bit")
