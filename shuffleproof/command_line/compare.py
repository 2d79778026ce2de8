"""`shuffleproof compare`: every applicable method side by side, and the bracket of the best two."""

from collections.abc import Sequence
from typing import Any, cast

import click

from shuffleproof.answering import OfRandomizer
from shuffleproof.command_line.method_options import OF_RANDOMIZER, parameter_options, warn_of_delta
from shuffleproof.command_line.options import Verb, format_option, print_json
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.methods import METHODS
from shuffleproof.planning.comparison import Compared, compare as compared, one_sided
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.numerals import decimal_text, in_words
from shuffleproof.spec.vocabulary.parameters import EPSILON0, SIGMA, N
from shuffleproof.spec.vocabulary.scope import Mechanisms


@click.command(cls=Verb)
@parameter_options(*OF_RANDOMIZER)
@parameter_options(N, required=True)
@parameter_options(EPSILON0)
@parameter_options(SIGMA)
@click.option("--delta0", default=None, metavar="NUMBER", help="Of all (eps0, delta0)-DP randomizers.")
@click.option("--delta", default=None, metavar="NUMBER", help="Compare the epsilons for this delta.")
@click.option("--eps", "epsilon", default=None, metavar="NUMBER", help="Compare the deltas for this epsilon.")
@format_option
def compare(
    n: str,
    epsilon0: str | None,
    sigma: str | None,
    delta0: str | None,
    delta: str | None,
    epsilon: str | None,
    as_json: bool,
    **named: str | None,
) -> None:
    """Every method side by side, with its side in words, and the bracket of the best two: for all eps0-DP randomizers, or for one.

    --eps0 is what every randomizer keeps to, or its name says which one it is; Gaussian noise has --sigma instead.

    \b
    shuffleproof compare -n 10000 --eps0 1 --delta 1e-6
    shuffleproof compare --randomizer k-rr --k 10 -n 10000 --eps0 1 --delta 1e-6
    shuffleproof compare --randomizer laplace -n 10000 --eps0 1 --delta 1e-6
    shuffleproof compare -n 10000 --eps0 1 --delta0 1e-8 --delta 1e-6
    shuffleproof compare -n 10000 --sigma 1 --delta 1e-6
    """
    if (delta is None) == (epsilon is None):
        raise click.UsageError("give one of --delta (to compare epsilons) and --eps (to compare deltas)")
    own = {name: text for name, text in named.items() if text is not None}
    found = compared(n=n, epsilon0=epsilon0, delta0=delta0, sigma=sigma, delta=delta, epsilon=epsilon, **cast(OfRandomizer, own))
    warn_of_delta(n, delta)
    if as_json:
        print_json([_compared(row, found.brackets) for row in found])
    else:
        sizes = {name: text for name, text in own.items() if name != "randomizer"}
        whose = f"shuffled {', '.join([own['randomizer'], *([in_words(sizes)] if sizes else [])])}" if own else ""
        if sigma is not None:
            whose = f"shuffled numbers in [0, 1] with Gaussian noise, sigma = {sigma},"
        say(f"{found.quantity} for {found.of}\n{found.table()}")
        say()
        if found.hashing:
            whose += ", whatever the hash functions,"
        for bracket in found.brackets:
            _print_conclusion(bracket, whose=_scope(bracket.mechanisms, whose))
        if found.uniform_bracket is not None:
            _print_conclusion(found.uniform_bracket, whose=whose.replace("whatever the hash functions", "hash functions uniform"))
        say(f"\n{found.guarantees()}\n\n{found.chains()}")


def _compared(row: Compared, brackets: Sequence[Bracket]) -> dict[str, Any]:
    """A row; tightest_for: the scopes in whose bracket it is an end."""
    refused = {"method": row.name, "statement": METHODS[row.method].statement, "not_applicable": row.why_not}
    ends = [str(each.mechanisms) for each in brackets if row.bound is not None and row.bound in (each.upper, each.lower)]
    return {**(refused if row.bound is None else row.bound.as_json()), "tightest_for": ends, "seconds": round(row.seconds, 6)}


def _scope(mechanisms: Mechanisms, whose: str) -> str:
    """The mechanisms of a bracket in words; whose: the one that was named, or ""."""
    if not whose:
        return f"{mechanisms}{'' if mechanisms.adaptive else ','}"
    return f"{whose.rstrip(',')}, of functions of the data that may answer to earlier reports," if mechanisms.adaptive else whose


def _print_conclusion(bracket: Bracket, *, whose: str) -> None:
    text = f"The smallest {bracket.quantity} that holds for {whose} is "
    if bracket.lower is None:
        text += f"{one_sided(bracket.upper)}; no pair of datasets bounds it from below here."
    else:
        text += f"{one_sided(bracket.lower)} and {one_sided(bracket.upper)}"
        text += "." if bracket.ratio is None else f": a ratio of {decimal_text(bracket.ratio, digits=8, direction='up')}."
    say(text)
