"""`shuffleproof calibrate user-histogram`: the least noise of a histogram that protects all rows of a user."""

from __future__ import annotations

import time

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option
from shuffleproof.planning.calibrate.record import print_calibration
from shuffleproof.spec.vocabulary.relation import Relation

_RELATIONS = {"replace": Relation.REPLACE_ONE, "add-remove": Relation.ADD_REMOVE}


@click.command("user-histogram")
@click.option("--threshold", required=True, metavar="C", help="Where each user's histogram is clipped: in l2, without --delta in l1.")
@click.option("--domain-size", required=True, metavar="D", help="Number of items.")
@click.option(
    "--relation", required=True, type=click.Choice(sorted(_RELATIONS)), help="Protect replacing one user, or adding or removing one."
)
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Epsilon of the release, such as 1 or "ln 3".')
@click.option("--delta", default=None, metavar="NUMBER", help="With it Gaussian noise, without it Laplace noise (pure).")
@format_option
def user_histogram(threshold: str, domain_size: str, relation: str, epsilon: str, delta: str | None, as_json: bool) -> ExitCode:
    """The least noise on every item with which clipped sums of users' histograms are (epsilon, delta)-DP, whatever the number of users.

    \b
    shuffleproof calibrate user-histogram --threshold 10 --domain-size 1000 --relation add-remove --eps 1 --delta 1e-6
    shuffleproof calibrate user-histogram --threshold 10 --domain-size 1000 --relation replace --eps 1

    value is the standard deviation of Gaussian noise, or the scale of Laplace noise. `run user-histogram` draws discrete noise, exactly.
    """
    from shuffleproof.impl.ball.calibration.user_histogram import calibrate

    started = time.perf_counter()
    found = calibrate(threshold=threshold, domain_size=domain_size, relation=_RELATIONS[relation], epsilon=epsilon, delta=delta)
    return print_calibration(found, seconds=time.perf_counter() - started, as_json=as_json)
