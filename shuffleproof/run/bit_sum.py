"""`shuffleproof run bit-sum`: P_(n, lambda) on a column of bits (CSUZZ19, Algorithm 1), streamed; the noise is drawn by counts."""

from __future__ import annotations

from fractions import Fraction

import click

from shuffleproof.command_line.options import format_option
from shuffleproof.run.answer import Guarantee, Target, failure_probability
from shuffleproof.run.sums import Sum, estimated, noise_parameter, print_sum, require_below, sum_options


@click.command("bit-sum")
@sum_options
@format_option
def bit_sum(as_json: bool, output: str | None, **given: str) -> None:
    """How many users hold 1, by CSUZZ19's one-bit protocol.

    \b
    shuffleproof run bit-sum --data answers.csv --column yes --noise 2000 --eps 1 --delta 1e-6
    """
    from shuffleproof.data.writers import require_writable

    require_writable(output)
    found = release(**given)
    print_sum(found, as_json=as_json, output=output)


def release(*, data: str, column: str, epsilon: str, delta: str, noise: str, beta: str) -> Sum:
    """Read the column, certify the guarantee, and only then draw. Everything is refused that the guarantee does not cover."""
    from shuffleproof.data.readers import bits
    from shuffleproof.impl.release.bit_sum import messages_of_one
    from shuffleproof.impl.release.entropy import OperatingSystem

    target, failing, lam = Target.parsed(epsilon=epsilon, delta=delta), failure_probability(beta), noise_parameter(noise)
    n = ones = 0
    for batch in bits(data=data, column=column):
        n, ones = n + batch.users, ones + batch.ones
    require_below(lam, n, noise)
    guarantee = certified(n, lam, target)
    guarantee.require_met(noise=noise)
    seen = messages_of_one(bits=n, ones=ones, flip=lam / (2 * n), source=OperatingSystem())
    return estimated("bit-sum", data=data, column=column, n=n, lam=lam, r=None, seen=seen, beta=failing, guarantee=guarantee)


def certified(n: int, lam: Fraction, target: Target) -> Guarantee:
    """The delta of all neighbouring datasets, from above."""
    from shuffleproof.impl.ball.bounds import bit_sum as profile

    bound = profile.delta(n=n, lam=lam, epsilon=target.epsilon, digits=6)
    return Guarantee(target, bound.upper, bound.statement, "over all neighbouring pairs", "one row: a user with one bit")
