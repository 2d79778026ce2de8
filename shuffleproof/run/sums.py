"""What the runs of bit sums and real sums share: options, the unbiased estimate, its error, and how it is printed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from shuffleproof.command_line.options import Command, print_json
from shuffleproof.run.answer import Guarantee, bernstein_deviation, square_root_above
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import decimal_text, exact_fraction, shortest


@dataclass(frozen=True)
class Sum:
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


def sum_options(command: Command) -> Command:
    """The options that both sums have."""
    for option in (
        click.option("-o", "--output", default=None, metavar="FILE", help="Write the answer there as JSON, too."),
        click.option("--beta", default="0.05", show_default=True, metavar="NUMBER", help="How often the stated error may be exceeded."),
        click.option("--delta", required=True, metavar="NUMBER", help="Central delta, above 0."),
        click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 1 or "ln 3".'),
        click.option("--noise", required=True, metavar="LAMBDA", help="lambda: how many of n messages are expected to be fair coins."),
        click.option("--column", required=True, metavar="NAME", help="The column that holds each user's value."),
        click.option("--data", required=True, metavar="FILE", help='CSV, Parquet, or "-" for standard input: one row for every user.'),
    ):
        command = option(command)
    return command


def noise_parameter(noise: str) -> Fraction:
    """lambda, at least 0. Raises DomainError."""
    lam = exact_fraction(noise, parameter="noise")
    require(lam >= 0, parameter="noise", value=noise, requirement="at least 0")
    return lam


def require_below(lam: Fraction, n: int, noise: str) -> None:
    """Raises DomainError unless lambda < n."""
    wanted = f"below n = {n}, where the messages say nothing about the sum"
    require(lam < n, parameter="noise", value=noise, requirement=wanted)


def estimated(
    protocol: str,
    *,
    data: str,
    column: str,
    n: int,
    lam: Fraction,
    r: int | None,
    seen: int,
    beta: Fraction,
    guarantee: Guarantee,
) -> Sum:
    """(1/r)(n/(n - lambda))(seen - lambda r/2), unbiased, and how far it may be off, for all data.

    The n r messages are independent. Those of a rounded number have variance 1/4 at most, the others q (1 - q) with q = lambda/(2n); a bit
    sum has only the latter (CSUZZ19, Claims B.1 and B.2).
    """
    runs, q = r or 1, lam / (2 * n)
    scale = n / (n - lam) / runs
    variance = n * q * (1 - q) if r is None else n * ((runs - 1) * q * (1 - q) + Fraction(1, 4))
    return Sum(
        protocol=protocol,
        data=data,
        column=column,
        n=n,
        lam=lam,
        r=r,
        estimate=scale * (seen - lam * runs / 2),
        deviation=scale * square_root_above(variance),
        error=scale * bernstein_deviation(variance=variance, beta=beta),
        beta=beta,
        guarantee=guarantee,
    )


def print_sum(found: Sum, *, as_json: bool, output: str | None) -> None:
    """The answer on stdout, and in a file where one is asked for."""
    from shuffleproof.data.writers import write_json

    answer = _as_json(found)
    if output is not None:
        write_json(output, answer)
    if as_json:
        print_json(answer)
        return
    bits = "" if found.r is None else f", r = {found.r}"
    click.echo(f"{found.protocol} of {found.data}, column {found.column!r}: {_shown(found.estimate)}")
    click.echo(f"n = {found.n}, lambda = {shortest(found.lam)}{bits}")
    click.echo(str(found.guarantee))
    click.echo(f"  unbiased; standard deviation at most {_above(found.deviation)}, whatever the data are")
    click.echo(f"  within {_above(found.error)} of the sum except with probability {_above(found.beta)} (Bernstein's inequality)")


def _as_json(found: Sum) -> dict[str, Any]:
    return {
        "protocol": found.protocol,
        "data": found.data,
        "column": found.column,
        "n": found.n,
        "lambda": shortest(found.lam),
        **({} if found.r is None else {"r": found.r}),
        "estimate": _shown(found.estimate),
        "standard_deviation_at_most": _above(found.deviation),
        "error": _above(found.error),
        "error_exceeded_with_probability_at_most": decimal_text(found.beta, digits=20, direction="up"),
        "guarantee": found.guarantee.as_json(),
    }


def _shown(x: Fraction) -> str:
    """A released number to 20 digits: exact where it is that short."""
    return decimal_text(x, digits=20, direction="down")


def _above(x: Fraction) -> str:
    return decimal_text(x, digits=6, direction="up")
