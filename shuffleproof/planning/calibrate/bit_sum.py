"""`shuffleproof calibrate bit-sum`: the least lambda of the bit sum."""

from __future__ import annotations

import time

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option
from shuffleproof.planning.calibrate.record import print_calibration


@click.command("bit-sum")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 0.5 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta in [0, 1], such as 1e-6.")
@format_option
def bit_sum(n: str, epsilon: str, delta: str, as_json: bool) -> ExitCode:
    """The least lambda (expected number of random bits) with which the bit sum is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate bit-sum -n 100000 --eps 0.5 --delta 1e-6
    shuffleproof calibrate bit-sum -n 1000 --eps 1 --delta 1e-9 --format json

    value is certified for all neighbouring datasets, and so is every lambda above it up to n.
    """
    from shuffleproof.impl.ball.calibration.bit_sum import calibrate

    started = time.perf_counter()
    found = calibrate(n=n, epsilon=epsilon, delta=delta)
    return print_calibration(found, seconds=time.perf_counter() - started, as_json=as_json)
