"""How every calibration is printed: one JSON object for programs, a few lines for people, and the exit code that goes with it."""

from __future__ import annotations

from fractions import Fraction

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import print_json
from shuffleproof.spec.vocabulary.calibration import Calibration
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.numerals import decimal_text, shortest

_DIGITS = 12
_RATIO_DIGITS = 3


def print_calibration(found: Calibration, *, seconds: float, as_json: bool) -> ExitCode:
    """Print it on stdout. Returns ANSWERED, or NEGATIVE where nothing meets the target."""
    if as_json:
        print_json({**json_record(found), "seconds": round(seconds, 6)})
    else:
        click.echo(text(found))
    return ExitCode.ANSWERED if found.value is not None else ExitCode.NEGATIVE


def json_record(found: Calibration) -> dict[str, object]:
    """The record as JSON-ready values: numbers that matter are strings; value and fails_at are exact."""
    paper = found.paper
    return {
        "protocol": found.protocol,
        "parameter": found.parameter,
        "value": _exactly(found.value),
        "fails_at": _exactly(found.fails_at),
        "relative_distance": _rounded(found.relative_distance, "up", _RATIO_DIGITS),
        "expected_noise": _exactly(found.expected_noise),
        "settings": dict(found.settings),
        "meets_up_to": found.noisiest,
        "unattainable": found.unattainable,
        "papers_value": _rounded(paper.upper, "up"),
        "papers_value_lower": _rounded(paper.lower, "down"),
        "papers_condition": paper.fails,
        "papers_statement": paper.statement,
        "papers_delta": _ends(paper.delta),
        "papers_value_over_value": _rounded(_ratio(found), "down", _RATIO_DIGITS),
        "also_meets": {name: _exactly(noise) for name, noise in found.also_meets.items()},
        "certified": {name: _ends(pair) for name, pair in found.certified.items()},
        "statement": found.statement,
        "relation": found.relation.value,
        **found.inputs,
    }


def text(found: Calibration) -> str:
    """The record for people: the answer, what is certified on either side of it, and the paper's noise."""
    given = ", ".join(f"{name} = {each}" for name, each in found.inputs.items())
    cited = f"({found.protocol}, {found.statement}; {found.relation.value}; {given})"
    lines = []
    if found.value is None:
        lines.append(f"{found.parameter}: nothing meets the target {cited}")
        lines.append(f"  {found.unattainable}")
    else:
        lines.append(f"{found.parameter} = {_exactly(found.value)} {cited}")
        lines.append(f"  certified to meet the target, as is everything noisier, up to {found.noisiest}")
        for name, each in found.settings.items():
            lines.append(f"  with {name} = {each}")
        if found.fails_at is None:
            lines.append("  no smaller noise is known to fail")
        else:
            distance = _rounded(found.relative_distance, "up", _RATIO_DIGITS)
            lines.append(f"  {_exactly(found.fails_at)} is certified not to meet it (relative distance {distance})")
    for name, (lower, upper) in found.certified.items():
        lines.append(f"  {name}: between {_rounded(lower, 'down')} and {_rounded(upper, 'up')}")
    for name, noise in found.also_meets.items():
        lines.append(f"  by {name}: {'nothing' if noise is None else _exactly(noise)}")
    lines.append(f"  {_paper(found)}")
    return "\n".join(lines)


def _paper(found: Calibration) -> str:
    paper = found.paper
    if paper.upper is None:
        return f"the paper ({paper.statement}) gives no noise for this target: {paper.fails}"
    ratio = _ratio(found)
    times = "" if ratio is None else f", {_rounded(ratio, 'down', _RATIO_DIGITS)} times as much"
    achieved = "" if paper.delta is None else f"; its delta is at most {_rounded(paper.delta[1], 'up', _RATIO_DIGITS)}"
    return f"the paper's noise ({paper.statement}): {_rounded(paper.upper, 'up')}{times}{achieved}"


def _ratio(found: Calibration) -> Fraction | None:
    """How many times the certified noise the paper's is, rounded against us."""
    if not found.value or found.paper.lower is None:
        return None
    return found.paper.lower / found.value


def _exactly(x: Fraction | None) -> str | None:
    return None if x is None else shortest(x)


def _rounded(x: Fraction | None, direction: Direction, digits: int = _DIGITS) -> str | None:
    return None if x is None else decimal_text(x, digits=digits, direction=direction)


def _ends(pair: tuple[Fraction, Fraction] | None) -> dict[str, str | None] | None:
    return None if pair is None else {"lower": _rounded(pair[0], "down"), "upper": _rounded(pair[1], "up")}
