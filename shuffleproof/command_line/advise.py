"""`shuffleproof advise`: the protocol with the least certified error for a task, and all that were considered."""

import time
from typing import Any, get_args

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Name, Verb, format_option, print_json
from shuffleproof.planning.advise.advice import Task, advise as advised
from shuffleproof.report.texts import say


@click.command("advise", cls=Verb)
@click.option("--task", type=Name(get_args(Task)), required=True, help="What is to be learned.")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 0.5 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta above 0 and below 1, such as 1e-6.")
@click.option("-k", "--k", "k", default=None, metavar="COUNT", help="Number of items (frequencies).")
@click.option("-d", "--d", "--domain-size", "d", default=None, metavar="COUNT", help="Number of bins (histogram).")
@click.option("--max-messages", "most_messages", default=None, metavar="COUNT", help="Most messages that one user may send.")
@format_option
def advise(as_json: bool, **asked: Any) -> ExitCode:
    """The protocol with the least certified error for a task at (epsilon, delta), and every other that was considered.

    The target is that of one release: for rounds on the same users write a plan (`plan init`).

    \b
    shuffleproof advise --task frequencies -n 1000000 --k 100 --eps 1 --delta 1e-6
    shuffleproof advise --task bit-sum -n 100000 --eps 0.5 --delta 1e-6
    shuffleproof advise --task histogram -n 100000 --d 1000 --eps 1 --delta 1e-6 --max-messages 1 --format json

    Errors are upper bounds for the worst dataset, at settings certified for all neighbouring datasets, or
    sound in float64 where a line says so. Least among the choices shown.
    """
    started = time.perf_counter()
    found = advised(**asked)
    if as_json:
        print_json({**found.as_json(), "seconds": round(time.perf_counter() - started, 6)})
    else:
        say(str(found))
    return ExitCode.NEGATIVE if found.best is None else ExitCode.ANSWERED
