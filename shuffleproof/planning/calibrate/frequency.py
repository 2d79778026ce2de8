"""`shuffleproof calibrate frequency`: the largest local epsilon0 for frequency estimation, and the error that it leaves."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option, print_json
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.numerals import decimal_text, shortest

if TYPE_CHECKING:
    from shuffleproof.impl.ball.calibration.frequency import FrequencyCalibration
    from shuffleproof.impl.ball.frequency import WorstErrors

RANDOMIZERS = ("hadamard", "k-rr", "k-subset", "rappor", "asymmetric-rappor")
_ALIASES = {"krr": "k-rr", "subset": "k-subset"}
"""The names that `bound` and `compare` use."""
BOUNDS = ("stronger-clones", "clones")
_DIGITS = 12
_SHOWN = 6
Ends = tuple[Fraction, Fraction]


@click.command("frequency")
@click.option("--randomizer", type=click.Choice([*RANDOMIZERS, *_ALIASES]), required=True, help="What every user runs.")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("-k", "k", required=True, metavar="COUNT", help="Number of items, at least 2.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 0.5 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta above 0 and below 1, such as 1e-6.")
@click.option("--bound", type=click.Choice(BOUNDS), default=BOUNDS[0], show_default=True, help="What certifies the amplification.")
@format_option
def frequency(randomizer: str, n: str, k: str, epsilon: str, delta: str, bound: str, as_json: bool) -> ExitCode:
    """The largest local epsilon0 that is certified to give (epsilon, delta) after shuffling, with the exact worst error there.

    \b
    shuffleproof calibrate frequency --randomizer hadamard -n 1000000 -k 1000 --eps 0.5 --delta 1e-6
    shuffleproof calibrate frequency --randomizer k-rr -n 1e6 -k 100 --eps 1 --delta 1e-6 --bound clones --format json

    value is an epsilon0: it and everything below is certified for all neighbouring datasets; at fails_at the bound no longer certifies.
    """
    from shuffleproof.impl.ball.calibration.frequency import calibrate

    started = time.perf_counter()
    found = calibrate(randomizer=_ALIASES.get(randomizer, randomizer), n=n, k=k, epsilon=epsilon, delta=delta, bound=bound)
    seconds = time.perf_counter() - started
    if as_json:
        print_json({**json_record(found), "seconds": round(seconds, 6)})
    else:
        click.echo(text(found))
    return ExitCode.ANSWERED


def json_record(found: FrequencyCalibration) -> dict[str, object]:
    """The record as JSON-ready values: numbers that matter are strings; value and fails_at are exact."""
    paper = found.paper
    return {
        "protocol": "frequency",
        "parameter": "epsilon0",
        "value": shortest(found.value),
        "fails_at": shortest(found.fails_at),
        "relative_distance": decimal_text(found.relative_distance, digits=3, direction="up"),
        "delta_at_value": _ends(found.delta_at_value),
        "delta_at_fails_at": _ends(found.delta_at_fails_at),
        "settings": dict(found.errors.settings),
        "message_bits": found.errors.message_bits,
        "expected_noise": decimal_text(found.errors.squared_l2[1], digits=_DIGITS, direction="up"),
        "worst_mean_squared_error_per_item": _ends(found.errors.per_item),
        "worst_squared_l2_error": _ends(found.errors.squared_l2),
        "papers_value": None if paper.epsilon0 is None else decimal_text(paper.epsilon0[0], digits=_DIGITS, direction="down"),
        "papers_condition": paper.fails,
        "papers_statement": "FMT21.Thm5.2",
        "papers_worst_squared_l2_error": None if found.paper_errors is None else _ends(found.paper_errors.squared_l2),
        "papers_value_with_joined_branches": None if paper.corrected is None else _ends(paper.corrected),
        "statement": found.statement,
        "relation": found.relation.value,
        **found.inputs,
    }


def text(found: FrequencyCalibration) -> str:
    """The record for people: the answer, what is certified on either side of it, the error, and the paper's choice."""
    given = ", ".join(f"{name} = {each}" for name, each in found.inputs.items())
    distance = decimal_text(found.relative_distance, digits=3, direction="up")
    lines = [
        f"epsilon0 = {shortest(found.value)} (frequency, {found.statement}; {found.relation.value}; {given})",
        "  certified to meet the target after shuffling, as is every smaller epsilon0",
        f"  at {shortest(found.fails_at)} the bound certifies it no longer (relative distance {distance}); the randomizer may do better",
        *(f"  with {name} = {each}" for name, each in found.errors.settings.items()),
        f"  {_errors(found.errors)}; one message of at most {found.errors.message_bits} bits a user",
    ]
    paper = found.paper
    if paper.epsilon0 is None or found.paper_errors is None:
        lines.append(f"the paper (FMT21.Thm5.2) gives no epsilon0 for this target: {paper.fails}")
        if paper.corrected is not None:
            joined = decimal_text(paper.corrected[0], digits=_SHOWN, direction="down")
            lines.append(f"  with its branches joined (FMT21.Thm5.2.explicit): epsilon0 = {joined}")
    else:
        chosen = decimal_text(paper.epsilon0[0], digits=_SHOWN, direction="down")
        times = decimal_text(found.paper_errors.squared_l2[0] / found.errors.squared_l2[1], digits=3, direction="down")
        lines.append(f"the paper's choice (FMT21.Thm5.2): epsilon0 = {chosen}, with {times} times that squared l2 error")
    return "\n".join(lines)


def _errors(errors: WorstErrors) -> str:
    item, total = (decimal_text(ends[1], digits=_SHOWN, direction="up") for ends in (errors.per_item, errors.squared_l2))
    return f"worst mean squared error: {item} for one item, {total} in squared l2"


def _ends(pair: Ends) -> dict[str, str]:
    sides: tuple[tuple[str, Fraction, Direction], ...] = (("lower", pair[0], "down"), ("upper", pair[1], "up"))
    return {name: decimal_text(x, digits=_DIGITS, direction=direction) for name, x, direction in sides}
