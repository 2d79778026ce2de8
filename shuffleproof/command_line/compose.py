"""`shuffleproof compose`: many rounds on the same users, every way of composing side by side."""

import time
from typing import Any

import click

from shuffleproof.command_line.method_options import OF_RANDOMIZER, parameter_options, warn_of_delta
from shuffleproof.command_line.options import Verb, format_option, print_json
from shuffleproof.ledger import weakest
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import GAUSSIAN_PLACE, OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import decimal_text, in_words
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
    given = {name: text for name, text in own.items() if text is not None}
    asked: dict[str, Any] = {"n": n, **given, "rounds": rounds, "delta": delta}
    found = composed(**asked, method=method, library=library)
    warn_of_delta(n, delta)
    if "family" in found.inputs:  # of hashing also where it was not typed
        given["family"] = asked["family"] = found.inputs["family"]
    rows, least, below = found.rows, found.least, found.below
    at_least = None if below is None else decimal_text(below.lower, digits=8, direction="down")
    shown = {row.name: None if row.epsilon is None else decimal_text(row.epsilon, digits=8, direction="up") for row in rows}
    if as_json:
        print_json(
            {
                "quantity": "epsilon",
                "method": found.method,
                **_as_typed(asked),
                "relation": "replace-one",
                "engine": rows[0].engine,
                "least_upper": None if least is None else shown[least.name],
                **({} if least is None else {"statements": list(found.bound.statements), "status": weakest(found.bound.statements)}),
                "lower": at_least,
                "rows": [
                    {
                        "name": row.name,
                        "standing": row.standing,
                        "estimate" if row.standing == "estimate" else "upper": shown[row.name],
                        "statement": row.statement or None,
                        "says": row.says,
                        "seconds": round(row.seconds, 6),
                    }
                    for row in rows
                ],
                "seconds": round(time.perf_counter() - started, 6),
            }
        )
        return
    told = in_words(_as_typed(given))
    say(f"epsilon of {rounds} rounds together (replace-one; n = {n}, {told} each round, delta = {delta} in all)")
    say(f"  the pair is that of {found.method}")
    if rows[0].engine == "fast":
        say("  one round's epsilon and delta by engine fast: sides sound in float64, on its stated assumptions about rounding")
    for row in rows:
        say(str(row))
    if least is not None:
        alone = "; basic composition, as no better way has an answer" if least.name.startswith("basic composition") else ""
        say(f"upper: {rounds} adaptive rounds of {found.whose} on shuffled data satisfy ({shown[least.name]}, {delta})-DP{alone}")
        say(f"rests on {', '.join(found.bound.statements)}: {weakest(found.bound.statements)}")
    if at_least is not None:
        say(f"lower: one neighbouring pair of datasets, the same in all rounds, has no epsilon below {at_least} (engine fast)")


def _as_typed(given: dict[str, Any]) -> dict[str, Any]:
    """Under the names of the options."""
    return {"eps0" if name == "epsilon0" else name: text for name, text in given.items()}
