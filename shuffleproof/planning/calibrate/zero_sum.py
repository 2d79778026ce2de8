"""`shuffleproof calibrate zero-sum`: the least expected noise n (1 - p) of the zero-sum protocol."""

from __future__ import annotations

import time

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option
from shuffleproof.planning.calibrate.record import print_calibration


@click.command("zero-sum")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 1 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta in [0, 1], such as 1e-6.")
@click.option("--dishonest", default="0", metavar="COUNT", help="How many users may send no noise, or tell theirs. Default: 0.")
@format_option
def zero_sum(n: str, epsilon: str, delta: str, dishonest: str, as_json: bool) -> ExitCode:
    """The least noise with which the zero sum (binary sums that keep zero) is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate zero-sum -n 100000 --eps 1 --delta 1e-6
    shuffleproof calibrate zero-sum -n 100000 --eps 1 --delta 1e-6 --dishonest 1000 --format json

    value is the smallest n (1 - p) such that it and every larger one up to n/2 meet the target.
    """
    from shuffleproof.impl.ball.calibration.zero_sum import calibrate

    started = time.perf_counter()
    found = calibrate(n=n, epsilon=epsilon, delta=delta, dishonest=dishonest)
    return print_calibration(found, seconds=time.perf_counter() - started, as_json=as_json)
