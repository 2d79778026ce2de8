"""`shuffleproof calibrate histogram`: the least expected noise n (1 - p) of every bin of the histogram protocol."""

from __future__ import annotations

import time

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option
from shuffleproof.planning.calibrate.record import print_calibration


@click.command("histogram")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon of the whole histogram, such as 1 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta of the whole histogram in [0, 1], such as 1e-6.")
@click.option("--dishonest", default="0", metavar="COUNT", help="How many users may send no noise, or tell theirs. Default: 0.")
@format_option
def histogram(n: str, epsilon: str, delta: str, dishonest: str, as_json: bool) -> ExitCode:
    """The least noise in every bin with which the histogram is (epsilon, delta)-DP, for any number of bins from two on.

    \b
    shuffleproof calibrate histogram -n 100000 --eps 1 --delta 1e-6
    shuffleproof calibrate histogram -n 100000 --eps 1 --delta 1e-6 --format json

    value is the smallest n (1 - p) such that it and every larger one up to n/2 meet the target by the exact profile of two bins;
    what basic composition of two bins needs, and the paper's noise for it, stand beside it.
    """
    from shuffleproof.impl.ball.calibration.histogram import calibrate

    started = time.perf_counter()
    found = calibrate(n=n, epsilon=epsilon, delta=delta, dishonest=dishonest)
    return print_calibration(found, seconds=time.perf_counter() - started, as_json=as_json)
