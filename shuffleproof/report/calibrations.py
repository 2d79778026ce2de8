"""How every calibration is shown: one JSON object for programs, a few lines for people."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.spec.vocabulary.calibration import Calibration
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import decimal_text, shortest

if TYPE_CHECKING:
    from shuffleproof.impl.ball.calibration.frequency import FrequencyCalibration
    from shuffleproof.impl.ball.calibration.real_sum import AtRuns, BestRuns
    from shuffleproof.impl.ball.frequency import WorstErrors

_DIGITS = 12
"""Of numbers in JSON, rounded to the side that holds."""
_SHOWN = 6
"""Of numbers in the terminal."""
Ends = tuple[Fraction, Fraction]
_RATIO_DIGITS = 3
"""Of what is compared with the paper's value."""
_STANDINGS = {"certified": "certified", "sound": "sound in float64"}


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
        more = "; nothing is claimed of more" if found.noisiest is None else f", as is everything noisier, up to {found.noisiest}"
        lines.append(f"  certified to meet the target{more}")
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
    if found.paper.statement is not None:
        lines.append(f"  {_paper(found)}")
    return "\n".join(lines)


def runs_json(found: BestRuns) -> dict[str, object]:
    """The record of every number of bits per user as JSON-ready values, with the best one's calibration."""
    rows = [_row(row) for row in found.rows]
    return {**json_record(found.calibration), "best_r": found.best, "best_r_is_decided": found.decided, "rows": rows}


def runs_text(found: BestRuns) -> str:
    """Every number of bits per user for people, and the best of them."""
    certainty = "certainly the best of these" if found.decided else "the best certified; another of these may be as good"
    lines = [text(found.calibration), f"r = {found.best} is {certainty}. Worst mean squared error, rounding included, in each case:"]
    for row in found.rows:
        fails = "nothing known to fail" if row.fails_at is None else f"fails at {shortest(row.fails_at)}"
        error = _rounded(row.error, "up") or "unbounded"
        lines.append(f"  r = {row.r:<5} lambda = {shortest(row.value)} ({fails}): at most {error}")
    return "\n".join(lines)


def frequency_json(found: FrequencyCalibration) -> dict[str, object]:
    """The record as JSON-ready values: numbers that matter are strings; value and fails_at are exact."""
    paper = found.paper
    return {
        "protocol": "frequency",
        "parameter": "epsilon0",
        "value": shortest(found.value),
        "fails_at": shortest(found.fails_at),
        "relative_distance": _rounded(found.relative_distance, "up", _RATIO_DIGITS),
        "delta_at_value": _ends(found.delta_at_value),
        "delta_at_fails_at": _ends(found.delta_at_fails_at),
        "settings": dict(found.errors.settings),
        "message_bits": found.errors.message_bits,
        "expected_noise": _rounded(found.errors.squared_l2[1], "up"),
        "worst_mean_squared_error_per_item": _ends(found.errors.per_item),
        "worst_squared_l2_error": _ends(found.errors.squared_l2),
        "papers_value": _rounded(paper.epsilon0 and paper.epsilon0[0], "down"),
        "papers_condition": paper.fails,
        "papers_statement": "FMT21.Thm5.2",
        "papers_worst_squared_l2_error": _ends(None if found.paper_errors is None else found.paper_errors.squared_l2),
        "papers_value_with_joined_branches": _ends(paper.corrected),
        "statement": found.statement,
        "standing": found.standing,
        "relation": found.relation.value,
        **found.inputs,
    }


def frequency_text(found: FrequencyCalibration) -> str:
    """The record for people: the answer, what is certified on either side of it, the error, and the paper's choice."""
    given = ", ".join(f"{name} = {each}" for name, each in found.inputs.items())
    distance = _rounded(found.relative_distance, "up", _RATIO_DIGITS)
    alike = "" if found.statement in (CLONES.statement, STRONGER_CLONES.statement) else " with the same settings"
    lines = [
        f"epsilon0 = {shortest(found.value)} (frequency, {found.statement}; {found.relation.value}; {given})",
        f"  {_STANDINGS[found.standing]} to meet the target after shuffling, as is every smaller epsilon0{alike}",
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


def _paper(found: Calibration) -> str:
    paper = found.paper
    if paper.upper is None:
        return f"the paper ({paper.statement}) gives no noise for this target: {paper.fails}"
    ratio = _ratio(found)
    times = "" if ratio is None else f", {_rounded(ratio, 'down', _RATIO_DIGITS)} times as much"
    achieved = "" if paper.delta is None else f"; its delta is at most {_rounded(paper.delta[1], 'up', _RATIO_DIGITS)}"
    what = "the published number, as recalled" if paper.recalled else "the paper's noise"
    return f"{what} ({paper.statement}): {_rounded(paper.upper, 'up')}{times}{achieved}"


def _ratio(found: Calibration) -> Fraction | None:
    """How many times the certified noise the paper's is, rounded against us."""
    if not found.value or found.paper.lower is None:
        return None
    return found.paper.lower / found.value


def _exactly(x: Fraction | None) -> str | None:
    return None if x is None else shortest(x)


def _rounded(x: Fraction | None, direction: Direction, digits: int = _DIGITS) -> str | None:
    return None if x is None else decimal_text(x, digits=digits, direction=direction)


def _ends(pair: Ends | None) -> dict[str, str | None] | None:
    return None if pair is None else {"lower": _rounded(pair[0], "down"), "upper": _rounded(pair[1], "up")}


def _row(row: AtRuns) -> dict[str, object]:
    return {
        "r": row.r,
        "value": shortest(row.value),
        "fails_at": _exactly(row.fails_at),
        "worst_mean_squared_error": _rounded(row.error, "up"),
        "worst_mean_squared_error_at_fails_at": _rounded(row.error_at_fails_at, "down"),
    }


def _errors(errors: WorstErrors) -> str:
    item, total = (decimal_text(ends[1], digits=_SHOWN, direction="up") for ends in (errors.per_item, errors.squared_l2))
    return f"worst mean squared error: {item} for one item, {total} in squared l2"
