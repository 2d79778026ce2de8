"""`shuffleproof run PROTOCOL`: a protocol on real data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from shuffleproof import run as running
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.method_options import relation_option
from shuffleproof.command_line.options import Name, Verbs, format_option, options, print_json, refuse_idle
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.numerals import amount, shortest

if TYPE_CHECKING:
    from shuffleproof.run.histogram_release import Histogram
    from shuffleproof.run.sums import Sum
    from shuffleproof.run.user_histogram_release import Histogram as UserHistogram


@click.group(cls=Verbs)
def run() -> None:
    """A protocol on real data, with noise of an exact distribution from the operating system's entropy."""


_sum_options = options(
    click.option("--data", required=True, metavar="FILE", help='CSV, Parquet, or "-" for standard input: one row for every user.'),
    click.option("--column", required=True, metavar="NAME", help="The column that holds each user's value."),
    click.option("--lambda", "--noise", "noise", required=True, metavar="NUMBER", help="How many of n messages are fair coins on average."),
    click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 1 or "ln 3".'),
    click.option("--delta", required=True, metavar="NUMBER", help="Central delta, above 0."),
    click.option("--beta", default="0.05", show_default=True, metavar="NUMBER", help="How often the stated error may be exceeded."),
    click.option("-o", "--output", default=None, metavar="FILE", help="Write the answer there as JSON, too."),
)
"""The options that both sums have."""


@run.command("bit-sum")
@_sum_options
@format_option
def run_bit_sum(as_json: bool, output: str | None, **given: Any) -> None:
    """How many users hold 1, by CSUZZ19's one-bit protocol. A cell other than 1 counts as 0: see "run check".

    \b
    shuffleproof run bit-sum --data answers.csv --column yes --noise 2000 --eps 1 --delta 1e-6
    """
    from shuffleproof.data.writers import require_writable

    require_writable(output)
    _print_sum(running.bit_sum(**given), as_json=as_json, output=output)


@run.command("real-sum")
@_sum_options
@click.option("--r", "r", default="1", show_default=True, metavar="COUNT", help="Bits that every user sends.")
@click.option(
    "--view",
    type=Name(["untagged", "tagged"]),
    default="untagged",
    show_default=True,
    help="Whether messages are shuffled all together, or say which of the r bits they carry; the guarantee covers them.",
)
@format_option
def run_real_sum(as_json: bool, output: str | None, **given: Any) -> None:
    """The sum of the users' numbers in [0, 1], by r one-bit messages from each.

    A number outside [0, 1] counts as the nearest one inside, a cell that is no number as 0: see "run check".

    \b
    shuffleproof run real-sum --data scores.parquet --column score --noise 20000 --r 10 --eps 1 --delta 1e-6
    """
    from shuffleproof.data.writers import require_writable

    require_writable(output)
    _print_sum(running.real_sum(**given), as_json=as_json, output=output)


@run.command("histogram")
@click.option("--data", required=True, metavar="FILE", help='CSV, Parquet, "-" for standard input, or "stdlib-identifiers".')
@click.option("--column", default="item", show_default=True, metavar="NAME", help="The column that holds each user's item.")
@click.option("--user", default=None, metavar="NAME", help="A column that names the user of each row; the first row of each counts.")
@click.option("--domain", default=None, metavar="FILE", help="A file that lists the bins in a column of the same name.")
@click.option("--open", "open_universe", is_flag=True, help="Any text may be an item: only estimates that are not 0 are written.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 1 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta, above 0.")
@click.option(
    "--noise",
    default=None,
    metavar="M",
    help="n (1 - p), the expected noise in every bin; if not given, the least that is certified, rounded up.",
)
@click.option("--beta", default="0.05", show_default=True, metavar="NUMBER", help="How often the stated errors may be exceeded.")
@click.option("-o", "--output", default=None, metavar="FILE", help="Write the estimates there as CSV.")
@format_option
def run_histogram(as_json: bool, output: str | None, open_universe: bool, **given: Any) -> None:
    """How many users hold each item: one item each, by BC20's histogram protocol.

    An item that is empty or outside the domain is held in no bin, and of a user with several rows the first counts: see "run check".

    \b
    shuffleproof run histogram --data stdlib-identifiers --open --eps 1 --delta 1e-6
    shuffleproof run histogram --data votes.csv --column party --domain parties.csv --eps 1 --delta 1e-6 --noise 400
    """
    from shuffleproof.data.writers import csv_bytes, require_writable, write_bytes

    if (given["domain"] is None) != open_universe:
        raise click.UsageError("give one of --domain FILE (bins that are listed) and --open (any text)")
    if given["data"] == "stdlib-identifiers":
        refuse_idle('beside "stdlib-identifiers", which is one column', "column")
    require_writable(output)
    found = running.histogram(**given)
    table = csv_bytes(["item", "estimate"], [(item, shortest(estimate)) for item, estimate in found.estimates])
    if output is not None:
        write_bytes(output, table)
    _print_histogram(found, table, as_json=as_json, output=output)


@run.command("user-histogram")
@click.option("--data", required=True, metavar="FILE", help='CSV or Parquet, or "-" for CSV on standard input: rows of user and item.')
@click.option("--user", required=True, metavar="COLUMN", help="The column that names the user of each row.")
@click.option("--item", required=True, metavar="COLUMN", help="The column that names the item of each row.")
@click.option("--count", default=None, metavar="COLUMN", help="A column that says how often; without it every row counts once.")
@click.option("--domain", default=None, metavar="FILE", help="A file that lists the items, in a column of the item column's name.")
@click.option("--domain-size", "-d", default=None, metavar="D", help="Items are the whole numbers from 0 to D - 1.")
@relation_option
@click.option("--users", default=None, metavar="N", help="Public number of users: needed with replace; a public guess with add-remove.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help="The whole budget, threshold and release together.")
@click.option("--delta", default=None, metavar="NUMBER", help="With it L2 clipping and Gaussian noise, without L1 and Laplace (pure).")
@click.option("--threshold", default="auto", show_default=True, metavar="auto|C", help="Find the clipping threshold privately, or take C.")
@click.option("--threshold-share", default=None, metavar="NUMBER", help="Of the budget, for finding the threshold: 1/10 if not given.")
@click.option("--max-threshold", default=None, metavar="B", help="Public bound on the threshold; needed with auto.")
@click.option("--sparsity", default=None, metavar="S", help="Public guess of how many items a user has; needed with auto and --delta.")
@click.option("--regularisation", default=None, metavar="LAMBDA", help="Of Algorithm 2, public; from --users and B if not given.")
@click.option("--sampler", default="own", show_default=True, type=Name(["own", "opendp"]), help="Who draws the noise; both are exact.")
@click.option("-o", "--output", default=None, metavar="FILE", help="Write the estimates there: .json with the guarantee, else CSV.")
@format_option
def run_user_histogram(as_json: bool, output: str | None, **given: Any) -> None:
    """How often each item of a public domain occurs, all of a user's rows protected at once.

    \b
    shuffleproof run user-histogram --data words.csv --user author --item word --domain vocabulary.csv --relation add-remove \\
        --users 10000 --eps 1 --delta 1e-6 --max-threshold 100 --sparsity 50 -o counts.json

    Every item of the domain gets an estimate with noise, present or not. Items outside are dropped without a trace, and so are rows without
    a user or with a count that is no whole number up to 10^9. The domain, B, S, lambda and N must be public: chosen without the data.
    """
    from shuffleproof.data.writers import csv_bytes, require_writable, write_bytes, write_json

    require_writable(output)
    found = running.user_histogram(**given)
    table = csv_bytes(["item", "estimate"], zip(found.domain, found.estimates, strict=True))
    if output is not None and output.endswith(".json"):
        write_json(output, found.as_json(with_estimates=True))
    elif output is not None:
        write_bytes(output, table)
    _print_histogram(found, table, as_json=as_json, output=output)


@run.command("check")
@click.option("--data", required=True, metavar="FILE", help='CSV, Parquet, or "-" for standard input.')
@click.option("--column", required=True, metavar="NAME", help="The column to look at.")
@click.option("--type", "kind", required=True, type=Name(["bit", "number", "item"]), help="What bit-sum, real-sum or histogram takes.")
@click.option("--user", default=None, metavar="NAME", help="A column that must be different in every row.")
@click.option("--domain", default=None, metavar="FILE", help="A file that lists the items in a column of the same name.")
@format_option
def run_check(as_json: bool, user: str | None, kind: Any, **given: Any) -> ExitCode:
    """Which cells are no bit, number or item, before a protocol runs: for whoever holds the data, since this answer is not private.

    The protocols refuse no cell: a refusal would reveal something to everybody about one user. They count a cell that is no bit as 0, a
    number as the nearest one in [0, 1] and anything else as 0, an empty item, or one outside a domain that is listed, in no bin, and of a
    user with several rows the first. This names the places of such cells, never their values, with exit code 1 where there are any.

    \b
    shuffleproof run check --data answers.csv --column yes --type bit
    shuffleproof run check --data votes.csv --column party --type item --domain parties.csv --user voter
    """
    from shuffleproof.data.checking import check

    found = check(kind=kind, user=user, **given)
    if as_json:
        print_json({"rows": found.rows, "bad": found.bad, "places": list(found.places), "repeated_users": found.repeated})
    else:
        again = "" if user is None else f"; {amount(found.repeated, 'row')} of users who have an earlier one"
        of = "" if given["domain"] is None else " of the domain"
        say(f"{amount(found.rows, 'row')}, {found.bad} with no {kind}{of}{again}")
        if found.places:
            say(f"at {', '.join(found.places)}{', ...' if found.bad > len(found.places) else ''}")
    return ExitCode.NEGATIVE if found.bad or found.repeated else ExitCode.ANSWERED


def _print_histogram(found: Histogram | UserHistogram, table: bytes, *, as_json: bool, output: str | None) -> None:
    """The answer on stdout, with the table of estimates where no file has them."""
    if as_json:
        print_json(found.as_json(with_estimates=output is None))
        return
    say(str(found))
    if output is None:
        say("")
        say(table.decode("utf-8"), nl=False)


def _print_sum(found: Sum, *, as_json: bool, output: str | None) -> None:
    """The answer on stdout, and in a file where one is asked for."""
    from shuffleproof.data.writers import write_json

    if output is not None:
        write_json(output, found.as_json())
    if as_json:
        print_json(found.as_json())
    else:
        say(str(found))
