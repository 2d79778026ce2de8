"""P^R_(n, lambda, r) on a column of numbers in [0, 1] (CSUZZ19, Algorithm 6), streamed."""

from fractions import Fraction

from shuffleproof.run.answer import Guarantee, Target, failure_probability
from shuffleproof.run.sums import Sum, estimated, noise_parameter, require_below
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count

_LARGEST_R = 10_000
"""Bits a user at most: as the bounds on the real sum."""


def release(
    *, data: str, column: str, epsilon: Number | Epsilon, delta: Number, noise: Number, beta: Number, r: Number, view: str = "untagged"
) -> Sum:
    """Read and round the column, certify the guarantee, and only then draw the noise and answer."""
    from shuffleproof.data.readers import unit_values
    from shuffleproof.impl.release.bit_sum import messages_of_one
    from shuffleproof.impl.release.entropy import OperatingSystem
    from shuffleproof.impl.release.rounding import encoded_ones, encoded_ones_of

    target, failing, lam = Target.parsed(epsilon=epsilon, delta=delta), failure_probability(beta), noise_parameter(noise)
    runs, source = count(r, parameter="r", maximum=_LARGEST_R), OperatingSystem()
    n = ones = 0
    for batch in unit_values(data=data, column=column, forgiving=True):
        n += batch.users
        ones += encoded_ones(numerators=batch.numerators, denominator=batch.denominator, r=runs, source=source)
        ones += encoded_ones_of(batch.others, r=runs, source=source)
    require_below(lam, n, noise)
    guarantee = certified(n, lam, runs, view, target)
    guarantee.require_met(noise=noise)
    seen = messages_of_one(bits=n * runs, ones=ones, flip=lam / (2 * n), source=source)
    return estimated("real-sum", data=data, column=column, n=n, lam=lam, r=runs, seen=seen, beta=failing, guarantee=guarantee)


def certified(n: int, lam: Fraction, r: int, view: str, target: Target) -> Guarantee:
    """The delta of all neighbouring datasets, from above, in the view that the messages give."""
    from shuffleproof.impl.ball.bounds.sums import bit_sum, real_sum

    bound = real_sum.delta(n=n, lam=lam, r=r, epsilon=target.epsilon, view=view, digits=6)
    delta, statement, by = bound.upper, bound.statement, f"{view} messages, over all neighbouring pairs"
    if view == "tagged" and r > 1 and target.epsilon.exp != 1:
        # The composed runs are discretised, which tells little about a delta far below the one asked for; r shares of epsilon do.
        share = Epsilon(target.epsilon.bounds(bits=128)[0] / r, None)
        shared = r * bit_sum.delta(n=n, lam=lam, epsilon=share, digits=6).upper
        if shared < delta:
            delta, statement, by = shared, "CSUZZ19.Lem3.6", f"tagged messages: each of the r = {r} bit sums is (eps/r, delta/r)-DP"
    return Guarantee(target, delta, statement, by, "one row: a user with one number")
