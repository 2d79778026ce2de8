"""`shuffleproof calibrate real-sum`: the least lambda of the real sum for several numbers of bits per user, and the best of these."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option, print_json
from shuffleproof.planning.calibrate.record import json_record, text
from shuffleproof.spec.vocabulary.numerals import decimal_text, shortest

if TYPE_CHECKING:
    from shuffleproof.impl.ball.calibration.real_sum import AtRuns, BestRuns


@click.command("real-sum")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 0.5 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta in [0, 1], such as 1e-6.")
@click.option(
    "--view", type=click.Choice(["untagged", "tagged"]), required=True, help="Whether the r runs of one-bit messages can be told apart."
)
@click.option("--r", "runs", multiple=True, metavar="COUNT", help="Bits per user to look at; repeat it. Default: 1, 2, 4, ..., 64.")
@format_option
def real_sum(n: str, epsilon: str, delta: str, view: str, runs: tuple[str, ...], as_json: bool) -> ExitCode:
    """The least lambda with which the real sum is (epsilon, delta)-DP, at each number r of bits per user, and the best r.

    \b
    shuffleproof calibrate real-sum -n 1000 --eps 1 --delta 1e-6 --view untagged
    shuffleproof calibrate real-sum -n 1000 --eps 1 --delta 1e-6 --view tagged --r 1 --r 16 --format json

    The best r is the one with the smallest mean squared error on the worst dataset, rounding included, at the certified lambda.
    """
    from shuffleproof.impl.ball.calibration.real_sum import RUNS, calibrate

    started = time.perf_counter()
    found = calibrate(n=n, epsilon=epsilon, delta=delta, view=view, runs=runs or RUNS)
    seconds = time.perf_counter() - started
    if as_json:
        record = json_record(found.calibration)
        rows = [_row(row) for row in found.rows]
        print_json({**record, "best_r": found.best, "best_r_is_decided": found.decided, "rows": rows, "seconds": round(seconds, 6)})
    else:
        click.echo(_text(found))
    return ExitCode.ANSWERED


def _row(row: AtRuns) -> dict[str, object]:
    return {
        "r": row.r,
        "value": shortest(row.value),
        "fails_at": None if row.fails_at is None else shortest(row.fails_at),
        "worst_mean_squared_error": _up(row.error),
        "worst_mean_squared_error_at_fails_at": decimal_text(row.error_at_fails_at, digits=12, direction="down"),
    }


def _text(found: BestRuns) -> str:
    certainty = "certainly the best of these" if found.decided else "the best certified; another of these may be as good"
    lines = [text(found.calibration), f"r = {found.best} is {certainty}. Worst mean squared error, rounding included, in each case:"]
    for row in found.rows:
        fails = "nothing known to fail" if row.fails_at is None else f"fails at {shortest(row.fails_at)}"
        error = _up(row.error) or "unbounded"
        lines.append(f"  r = {row.r:<5} lambda = {shortest(row.value)} ({fails}): at most {error}")
    return "\n".join(lines)


def _up(x: Fraction | None) -> str | None:
    return None if x is None else decimal_text(x, digits=12, direction="up")
