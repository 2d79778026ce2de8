"""`shuffleproof sweep`: a bound at every point of a grid, in parallel, into a file that can be continued."""

from dataclasses import asdict
from typing import Any

import click

from shuffleproof.answering import ENGINE_CHOICES
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Verb, format_option, print_json, progress_bar
from shuffleproof.report.texts import say

_LIST = "LIST"


@click.command(cls=Verb)
@click.option("-n", "n", required=True, metavar=_LIST, help='Users: "1000,1e4", or "1e3:1e9:13" for 13 numbers in equal ratios.')
@click.option("--eps0", "epsilon0", required=True, metavar=_LIST, help='Local parameters: "1,ln 3,4", or a range.')
@click.option("--delta", default=None, metavar=_LIST, help="Sweep epsilon at these deltas.")
@click.option("--eps", "epsilon", default=None, metavar=_LIST, help="Sweep delta at these epsilons: a privacy profile.")
@click.option("--method", default="clones", show_default=True, metavar="NAME", help="A method that takes n and eps0.")
@click.option("--engine", default="fast", show_default=True, metavar="|".join(ENGINE_CHOICES), help="What computes it.")
@click.option("--digits", default=None, metavar="COUNT", help="Significant digits of the certified engine.")
@click.option("--executor", "executor", default="processes", show_default=True, metavar="NAME", help='"processes" or "dask://HOST:PORT".')
@click.option("--workers", default=None, metavar="COUNT", help="Processes, or batches in flight on a cluster. Default: one a processor.")
@click.option("-o", "--output", required=True, metavar="FILE", help="Lines of JSON, or Parquet if it ends in .parquet.")
@format_option
def sweep(delta: str | None, epsilon: str | None, as_json: bool, **how: Any) -> int:
    """A bound at every point of a grid of n, eps0 and delta (or eps).

    Rows reach the disk as they are finished. Run again, stopped or not, it adds what is missing. The file is locked meanwhile.

    Lines of JSON are appended to FILE. FILE.parquet appears when it is whole: until then its rows are lines of JSON in
    FILE.parquet.jsonl, which pandas and polars read at any moment.

    \b
    shuffleproof sweep -n 1e3:1e9:50 --eps0 0.1:4:50 --delta 1e-6 -o grid.parquet
    shuffleproof sweep -n 1000000 --eps0 1 --eps 0.0005:0.008:200 -o profile.jsonl
    shuffleproof sweep -n 1e3:1e9:50 --eps0 1,4 --delta 1e-6 --engine ball --digits 20 --executor dask://localhost:8786 -o grid.jsonl
    """
    # Not at the top: the other verbs need not wait for what hands out work.
    from shuffleproof.planning.sweep.swept import sweep as swept

    if (delta is None) == (epsilon is None):
        raise click.UsageError("give one of --delta (to sweep epsilon) and --eps (to sweep delta)")
    with progress_bar() as progress:
        task = progress.add_task("points", total=None, now="")
        found = swept(
            delta=delta, epsilon=epsilon, on_progress=lambda done, total: progress.update(task, completed=done, total=total), **how
        )
    if as_json:
        print_json(asdict(found))
    else:
        say(str(found))
    return ExitCode.ANSWERED
