"""`shuffleproof sweep`: a bound at every point of a grid, in parallel, into a file that can be continued."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shuffleproof.bounds import ENGINE_CHOICES
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option, print_json, progress_bar
from shuffleproof.methods import method_named
from shuffleproof.planning.sweep.points import Settings, Swept, batches, checked, grid, numbers
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import count

if TYPE_CHECKING:
    from shuffleproof.planning.sweep.results import Results

_PARQUET = ".parquet"
_BATCHES_A_WORKER = 8
_LARGEST_BATCH = 64
_LIST = "LIST"


@click.command()
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
def sweep(
    n: str,
    epsilon0: str,
    delta: str | None,
    epsilon: str | None,
    method: str,
    engine: str,
    digits: str | None,
    executor: str,
    workers: str | None,
    output: str,
    as_json: bool,
) -> int:
    """A bound at every point of a grid of n, eps0 and delta (or eps).

    Rows reach the disk as they are finished. Run again, stopped or not, it adds what is missing. The file is locked meanwhile.

    Lines of JSON are appended to FILE. FILE.parquet appears when it is whole: until then its rows are in the folder FILE.parquet.parts,
    a dataset of whole Parquet files that pandas, polars and pyarrow.dataset read at any moment.

    \b
    shuffleproof sweep -n 1e3:1e9:50 --eps0 0.1:4:50 --delta 1e-6 -o grid.parquet
    shuffleproof sweep -n 1000000 --eps0 1 --eps 0.0005:0.008:200 -o profile.jsonl
    shuffleproof sweep -n 1e3:1e9:50 --eps0 1,4 --delta 1e-6 --engine ball --digits 20 --executor dask://localhost:8786 -o grid.jsonl
    """
    # Not at the top: the other verbs need not wait for what reads and writes files.
    from shuffleproof.planning.sweep.execution import run
    from shuffleproof.planning.sweep.executors import named_executor

    if (delta is None) == (epsilon is None):
        raise click.UsageError("give one of --delta (to sweep epsilon) and --eps (to sweep delta)")
    quantity: Swept = "epsilon" if delta is not None else "delta"
    settings = Settings(quantity, method, engine, None if digits is None else count(digits, parameter="digits"))
    _require_sweepable(settings)
    third = numbers(delta or epsilon or "", parameter="delta" if delta is not None else "epsilon")
    users, locals_ = numbers(n, parameter="n", whole=True), numbers(epsilon0, parameter="epsilon0")
    checked(settings, n=users, epsilon0=locals_, central=third)
    points = grid(n=users, epsilon0=locals_, central=third)
    at_once = (os.cpu_count() or 1) if workers is None else count(workers, parameter="workers")
    started = time.perf_counter()
    with _results(output, settings) as results:
        missing = [point for point in points if point.key not in results.done]
        before = len(points) - len(missing)
        if missing:
            largest = _LARGEST_BATCH if engine == "fast" else 1  # other points take long: each row reaches the disk as it is finished
            size = max(1, min(largest, len(missing) // (at_once * _BATCHES_A_WORKER)))
            with named_executor(executor, workers=at_once) as renew, progress_bar() as progress:
                task = progress.add_task("points", total=len(points), completed=before, now="")
                for rows in run(batches(settings, missing, size=size), renew=renew, in_flight=2 * at_once):
                    progress.advance(task, results.add(rows))
        results.finish()
    summary = {"output": output, "points": len(points), "already_there": before, "refused": results.refused}
    summary |= {"seconds": round(time.perf_counter() - started, 3)}
    if as_json:
        print_json(summary)
    else:
        click.echo(f"{output}: {len(points)} points, {before} of them already there, {results.refused} refused; {summary['seconds']} s")
    return ExitCode.ANSWERED


def _require_sweepable(settings: Settings) -> None:
    chosen = method_named(settings.method)
    if settings.engine not in ENGINE_CHOICES:
        raise DomainError(parameter="engine", value=settings.engine, requirement=f"one of {', '.join(ENGINE_CHOICES)}")
    if not chosen.for_all or settings.quantity not in chosen.quantities:
        wanted = f"a method that answers {settings.quantity} for n and eps0 alone"
        raise DomainError(parameter="method", value=settings.method, requirement=wanted)
    if settings.digits is not None and settings.engine in ("fast", "exact"):
        requirement = f"left out with engine {settings.engine!r}, whose precision is not chosen"
        raise DomainError(parameter="digits", value=settings.digits, requirement=requirement)


def _results(output: str, settings: Settings) -> Results:
    """What keeps the rows. Raises DomainError, IntegrityError, UnsupportedError where it cannot begin."""
    from shuffleproof.data.writers import require_writable

    require_writable(output)
    if output.endswith(_PARQUET):
        from shuffleproof.planning.sweep.parts import Parts

        return Parts(Path(output), settings)
    from shuffleproof.planning.sweep.journal import Journal

    return Journal(Path(output), settings)
