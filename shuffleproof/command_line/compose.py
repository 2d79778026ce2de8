"""`shuffleproof compose`: many rounds on the same users, every way of composing side by side."""

import time
from typing import Any

import click

from shuffleproof.command_line.method_options import OF_RANDOMIZER, parameter_options, warn_of_delta
from shuffleproof.command_line.options import Verb, format_option, print_json
from shuffleproof.ledger import weakest
from shuffleproof.report.texts import at_least, at_most, say
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import GAUSSIAN_PLACE, OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.parameters import N


@click.command(cls=Verb)
@parameter_options(*OF_RANDOMIZER, *OPTIMAL_PAIR.parameters, *GAUSSIAN_PLACE.parameters)
@parameter_options(N, required=True)
@click.option("--eps0", "epsilon0", default=None, metavar="NUMBER", help='Local parameter of each round, such as 1 or "ln 3".')
@click.option("--rounds", required=True, metavar="COUNT", help="How many rounds, each with fresh randomness of all users.")
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta of all rounds together, such as 1e-6.")
@click.option(
    "--method",
    default=None,
    metavar="NAME",
    help='"clones", "stronger-clones" (default), "optimal-pair" (default with --p), "randomizer-pair" (default with --randomizer), '
    '"first-arrival": all adaptive sequences, less than "stronger-clones"; "gaussian-place" or '
    '"gaussian-blanket" (the smaller of the two with --sigma): Gaussian noise of each user on a number in [0, 1].',
)
@click.option("--dp-accounting", "library", is_flag=True, help="Also dp-accounting's number (extra accounting): an estimate, to compare.")
@format_option
def compose(n: str, rounds: str, delta: str, method: str | None, library: bool, as_json: bool, **own: str | None) -> None:
    """The epsilon of many adaptive rounds of shuffled local randomizers together.

    \b
    shuffleproof compose -n 1000000 --eps0 1 --rounds 100 --delta 1e-6
    shuffleproof compose --method stronger-clones -n 100000 --eps0 2 --rounds 10 --delta 1e-8 --format json
    shuffleproof compose --randomizer k-rr --k 10 -n 10000 --eps0 1 --rounds 100 --delta 1e-6
    shuffleproof compose --method optimal-pair --p 4 --beta 1/2 --q 4 -n 1000 --rounds 10 --delta 1e-6
    shuffleproof compose --sigma 1 -n 1000000 --rounds 100 --delta 1e-6

    Every row is an upper bound, the data of all rounds together is (epsilon, delta)-DP: certified, or sound where one round was asked in
    float64 (an optimal pair of many users, a whole distribution); but for dp-accounting's, in float64 without a certificate. The last line
    says what no bound is below: one pair of datasets, the same in all rounds.
    """
    from shuffleproof.planning.composition import compose as composed

    started = time.perf_counter()
    asked: dict[str, Any] = {"n": n, **{name: text for name, text in own.items() if text is not None}, "rounds": rounds, "delta": delta}
    found = composed(**asked, method=method, library=library)
    warn_of_delta(n, delta)
    known = {} if found.least is None else {"statements": list(found.bound.statements), "status": weakest(found.bound.statements)}
    if not as_json:
        say(str(found))
        if known:
            say(f"rests on {', '.join(found.bound.statements)}: {known['status']}")
        return
    shown = {row.name: None if row.epsilon is None else at_most(row.epsilon) for row in found.rows}
    print_json(
        {
            "quantity": "epsilon",
            "method": found.method,
            **found.inputs,
            "relation": found.relation.value,
            "engine": found.rows[0].engine,
            "least_upper": None if found.least is None else shown[found.least.name],
            **known,
            "lower": None if found.below is None else at_least(found.below.lower),
            "rows": [
                {
                    "name": row.name,
                    "standing": row.standing,
                    "estimate" if row.standing == "estimate" else "upper": shown[row.name],
                    "statement": row.statement or None,
                    "says": row.says,
                    "seconds": round(row.seconds, 6),
                }
                for row in found.rows
            ],
            "seconds": round(time.perf_counter() - started, 6),
        }
    )
