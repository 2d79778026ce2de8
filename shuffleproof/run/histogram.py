"""`shuffleproof run histogram`: P^hist on a column of items, over a listed domain or over all texts (BC20, Figure 2)."""

from __future__ import annotations

from typing import Any

import click

from shuffleproof.command_line.options import format_option, print_json
from shuffleproof.run.histogram_release import Histogram, release
from shuffleproof.spec.vocabulary.numerals import decimal_text, shortest


@click.command("histogram")
@click.option("--data", required=True, metavar="FILE", help='CSV, Parquet, "-" for standard input, or "stdlib-identifiers".')
@click.option("--column", default="item", show_default=True, metavar="NAME", help="The column that holds each user's item.")
@click.option("--user", default=None, metavar="NAME", help="A column that names the user of each row; one row each is required.")
@click.option("--domain", default=None, metavar="FILE", help="A file that lists the bins in a column of the same name.")
@click.option("--open", "open_universe", is_flag=True, help="Any text may be an item: only estimates that are not 0 are written.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 1 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta, above 0.")
@click.option(
    "--noise",
    default=None,
    metavar="M",
    help="n (1 - p), the expected noise in every bin; the paper's choice if not given, far more than `calibrate histogram` finds.",
)
@click.option("--beta", default="0.05", show_default=True, metavar="NUMBER", help="How often the stated errors may be exceeded.")
@click.option("-o", "--output", default=None, metavar="FILE", help="Write the estimates there as CSV.")
@format_option
def histogram(as_json: bool, output: str | None, open_universe: bool, **given: Any) -> None:
    """How many users hold each item: one item each, by BC20's histogram protocol.

    \b
    shuffleproof run histogram --data stdlib-identifiers --open --eps 1 --delta 1e-6
    shuffleproof run histogram --data votes.csv --column party --domain parties.csv --eps 1 --delta 1e-6 --noise 400
    """
    from shuffleproof.data.writers import csv_bytes, require_writable, write_bytes

    if (given["domain"] is None) != open_universe:
        raise click.UsageError("give one of --domain FILE (bins that are listed) and --open (any text)")
    require_writable(output)
    found = release(**given)
    table = csv_bytes(["item", "estimate"], [(item, shortest(estimate)) for item, estimate in found.estimates])
    if output is not None:
        write_bytes(output, table)
    if as_json:
        print_json(_as_json(found, with_estimates=output is None))
        return
    click.echo(_summary(found))
    if output is None:
        click.echo("")
        click.echo(table.decode("utf-8"), nl=False)


def _summary(found: Histogram) -> str:
    beta, confidence = decimal_text(found.confidence.beta, digits=6, direction="up"), found.confidence
    universe = "over all texts; an item without a row is estimated 0" if found.open else "over the listed domain"
    return "\n".join(
        [
            f"histogram of {found.data}: n = {found.n}, expected noise n (1 - p) = {shortest(found.noise)} in every bin, {universe}",
            str(found.guarantee),
            f"  each item's estimate is within {confidence.each} of its count except with probability {beta},",
            f"  all of them at once within {confidence.all_at_once} except with probability {beta} (certified, for all data)",
        ]
    )


def _as_json(found: Histogram, *, with_estimates: bool) -> dict[str, Any]:
    confidence = found.confidence
    answer: dict[str, Any] = {
        "protocol": "histogram",
        "data": found.data,
        "n": found.n,
        "universe": "open" if found.open else "listed",
        "expected_noise": shortest(found.noise),
        "guarantee": found.guarantee.as_json(),
        "confidence": {
            "failure_probability": decimal_text(confidence.beta, digits=20, direction="up"),
            "error_of_each_item": str(confidence.each),
            "error_of_all_items_at_once": str(confidence.all_at_once),
            "covers": "items without a row too, which are estimated 0" if found.open else "all items of the domain",
        },
    }
    if with_estimates:
        answer["estimates"] = [{"item": item, "estimate": shortest(estimate)} for item, estimate in found.estimates]
    return answer
