"""Sums of bits, and of numbers in [0, 1], of a column that is streamed (CSUZZ19, Algorithms 1 and 6): the unbiased estimate, its error."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from shuffleproof.run.answer import Guarantee, Printed, Target, failure_probability
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, exact_fraction, shortest
from shuffleproof.spec.vocabulary.tables import ends_of

if TYPE_CHECKING:
    from shuffleproof.impl.release.entropy import BitSource


@dataclass(frozen=True, repr=False)
class Sum(Printed):
    """A released sum. estimate: exact; deviation: an upper end of its standard deviation; error: exceeded with probability at most beta."""

    protocol: str
    data: str
    column: str
    n: int
    lam: Fraction
    r: int | None
    estimate: Fraction
    deviation: Fraction
    error: Fraction
    beta: Fraction
    guarantee: Guarantee

    @property
    def headline(self) -> str:
        """The estimate."""
        return f"{self.protocol}: {decimal_text(self.estimate, digits=8, direction='down')}"

    def columns(self) -> dict[str, list[Any]]:
        """One row: the estimate, and between which floats the sum lies except with probability beta."""
        known = [(self.column, self.estimate - self.error, self.estimate + self.error)]
        return {"column": [self.column], "estimate": [float(self.estimate)], **ends_of(known)}

    def __str__(self) -> str:
        """The estimate, what is certified of its privacy, and how far it may be off."""
        deviation, error, beta = (decimal_text(x, digits=6, direction="up") for x in (self.deviation, self.error, self.beta))
        lines = [
            f"{self.protocol} of {self.data}, column {self.column!r}: {decimal_text(self.estimate, digits=20, direction='down')}",
            f"n = {self.n}, lambda = {shortest(self.lam)}{'' if self.r is None else f', r = {self.r}'}",
            str(self.guarantee),
            f"  unbiased; standard deviation at most {deviation}, whatever the data are",
            f"  within {error} of the sum except with probability {beta} (Bernstein's inequality)",
        ]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """The record as JSON-ready values: numbers that matter are strings."""
        return {
            "protocol": self.protocol,
            "data": self.data,
            "column": self.column,
            "n": self.n,
            "lambda": shortest(self.lam),
            **({} if self.r is None else {"r": self.r}),
            "estimate": decimal_text(self.estimate, digits=20, direction="down"),
            "standard_deviation_at_most": decimal_text(self.deviation, digits=6, direction="up"),
            "error": decimal_text(self.error, digits=6, direction="up"),
            "error_exceeded_with_probability_at_most": decimal_text(self.beta, digits=20, direction="up"),
            "guarantee": self.guarantee.as_json(),
        }


def released(
    *,
    data: str,
    column: str,
    epsilon: Number | Epsilon,
    delta: Number,
    noise: Number,
    beta: Number,
    r: Number | None = None,
    view: str = "untagged",
) -> Sum:
    """Read the column, certify the guarantee, and only then draw the noise, by counts, and answer: of bits, or of numbers in r bits each.

    The estimate is (1/r)(n/(n - lambda))(seen - lambda r/2), unbiased (CSUZZ19, Claims B.1 and B.2). Everything is refused that the
    guarantee does not cover.
    """
    from shuffleproof.impl.ball.bounds.sums.real_sum import LARGEST_R
    from shuffleproof.impl.release.accuracy import sum_deviations
    from shuffleproof.impl.release.bit_sum import messages_of_one
    from shuffleproof.impl.release.entropy import OperatingSystem

    target, failing, lam = Target.parsed(epsilon=epsilon, delta=delta), failure_probability(beta), exact_fraction(noise, parameter="noise")
    require(lam >= 0, parameter="noise", value=noise, requirement="at least 0")
    bits, source = None if r is None else count(r, parameter="r", maximum=LARGEST_R), OperatingSystem()
    n, ones = _bits(data, column) if bits is None else _encoded(data, column, bits, source)
    require(lam < n, parameter="noise", value=noise, requirement=f"below n = {n}, where the messages say nothing about the sum")
    guarantee = _of_bits(n, lam, target) if bits is None else _of_numbers(n, lam, bits, view, target)
    guarantee.require_met(noise=noise)
    runs = bits or 1
    seen = messages_of_one(bits=n * runs, ones=ones, flip=lam / (2 * n), source=source)
    deviation, error = sum_deviations(n=n, lam=lam, r=bits, beta=failing)
    return Sum(
        protocol="bit-sum" if bits is None else "real-sum",
        data=data,
        column=column,
        n=n,
        lam=lam,
        r=bits,
        estimate=n / (n - lam) / runs * (seen - lam * runs / 2),
        deviation=deviation,
        error=error,
        beta=failing,
        guarantee=guarantee,
    )


def _bits(data: str, column: str) -> tuple[int, int]:
    """How many users there are, and how many of them hold 1."""
    from shuffleproof.data.readers import bits

    n = ones = 0
    for batch in bits(data=data, column=column, forgiving=True):
        n, ones = n + batch.users, ones + batch.ones
    return n, ones


def _encoded(data: str, column: str, r: int, source: BitSource) -> tuple[int, int]:
    """How many users there are, and how many of their r bits each are 1 where their numbers are rounded to them at random."""
    from shuffleproof.data.readers import unit_values
    from shuffleproof.impl.release.rounding import encoded_ones, encoded_ones_of

    n = ones = 0
    for batch in unit_values(data=data, column=column, forgiving=True):
        n += batch.users
        ones += encoded_ones(numerators=batch.numerators, denominator=batch.denominator, r=r, source=source)
        ones += encoded_ones_of(batch.others, r=r, source=source)
    return n, ones


def _of_bits(n: int, lam: Fraction, target: Target) -> Guarantee:
    """The delta of all neighbouring datasets, from above."""
    from shuffleproof.impl.ball.bounds.sums import bit_sum

    bound = bit_sum.delta(n=n, lam=lam, epsilon=target.epsilon, digits=6)
    return Guarantee(target, bound.upper, bound.statement, "over all neighbouring pairs", "one row: a user with one bit")


def _of_numbers(n: int, lam: Fraction, r: int, view: str, target: Target) -> Guarantee:
    """The delta of all neighbouring datasets, from above, in the view that the messages give."""
    from shuffleproof.impl.ball.bounds.sums import bit_sum, real_sum

    bound = real_sum.delta(n=n, lam=lam, r=r, epsilon=target.epsilon, view=view, digits=6)
    delta, statement, by = bound.upper, bound.statement, f"{view} messages, over all neighbouring pairs"
    if view == "tagged" and r > 1 and target.epsilon.exp != 1:
        # The composed runs are discretised, which says little about a delta far below the one asked for; r shares of epsilon do.
        share = Epsilon(target.epsilon.bounds(bits=128)[0] / r, None)
        shared = r * bit_sum.delta(n=n, lam=lam, epsilon=share, digits=6).upper
        if shared < delta:
            delta, statement, by = shared, "CSUZZ19.Lem3.6", f"tagged messages: each of the r = {r} bit sums is (eps/r, delta/r)-DP"
    return Guarantee(target, delta, statement, by, "one row: a user with one number")
