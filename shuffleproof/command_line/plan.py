"""`shuffleproof plan`: a deployment's plan, answered and checked against its target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Verbs, format_option, print_json, progress_bar
from shuffleproof.report.texts import say

if TYPE_CHECKING:
    from fractions import Fraction

    from shuffleproof.planning.plan.evaluation import Evaluation, Part

_PATH = click.Path(path_type=Path)
_BAR = 30


@click.group(cls=Verbs)
def plan() -> None:
    """A deployment: rounds, questions, who takes part, and what must hold in the end.

    \b
    shuffleproof plan init > plan.toml
    shuffleproof plan check plan.toml
    """


@plan.command("init")
def plan_init() -> int:
    """A commented plan to begin with, on stdout."""
    from shuffleproof.planning.plan.schema import EXAMPLE

    say(EXAMPLE, nl=False)
    return ExitCode.ANSWERED


@plan.command("check")
@click.argument("file", metavar="FILE", type=_PATH)
@click.option("--most-repeats", default=None, metavar="ROUND", help="Also the most repetitions of this round that meet the target.")
@click.option("--report", default=None, metavar="FILE", type=_PATH, help="Also write a page.")
@format_option
def plan_check(file: Path, most_repeats: str | None, report: Path | None, as_json: bool) -> int:
    """The certified privacy of a plan, question by question and over the whole horizon.

    FILE: TOML, as `plan init` writes it. Exit codes: 0 the target is certified to be met; 1 it is certified not to be met; 3 it lies
    between the two sides of the bracket.
    """
    from shuffleproof.planning.plan.evaluation import evaluate
    from shuffleproof.planning.plan.evaluation import most_repeats as most
    from shuffleproof.planning.plan.schema import read
    from shuffleproof.spec.vocabulary.files import require_writable, write_whole

    given = read(file)
    if report is not None:
        require_writable(report, parameter="report")
    largest: int | None = None
    with progress_bar() as progress:
        task = progress.add_task("questions", total=sum(len(each.questions) for each in given.rounds), now="")
        found = evaluate(given, step=lambda name: progress.update(task, advance=1, now=name))
        if most_repeats is not None:
            progress.add_task("repetitions", total=None, now=most_repeats)
            largest = most(given, most_repeats)
    if report is not None:
        write_whole(report, page(found).encode("utf-8"))
    if as_json:
        print_json({**_as_json(found), **({} if most_repeats is None else {"most_repeats": None if largest is None else str(largest)})})
    else:
        _print(found)
        if most_repeats is not None:
            say(f"  {most_repeats}: {f'up to {largest} repetitions meet' if largest else 'not even one repetition meets'} the target")
    return {True: ExitCode.ANSWERED, False: ExitCode.NEGATIVE, None: ExitCode.UNDECIDED}[found.met]


def page(found: Evaluation) -> str:
    """The answer as a page that needs nothing else."""
    from shuffleproof.report.pages import render

    largest = max(part.whole for part in found.parts) or 1
    rows = [{"part": part, "whole": _up(part.whole), "share": round(100 * part.whole / largest)} for part in found.parts]
    return render("plan.html", page=None, found=found, rows=rows, upper=_up(found.upper), lower=_down(found.lower), verdict=_verdict(found))


def _verdict(found: Evaluation) -> str:
    return {True: "the target is met", False: "the target is not met", None: "undecided: the target lies within the bracket"}[found.met]


def _print(found: Evaluation) -> None:
    from shuffleproof.planning.plan.schema import RELATIONS

    target = f"({found.plan.epsilon}, {_up(found.plan.delta)})"
    say(f"{_verdict(found)}: {_down(found.lower)} <= epsilon <= {_up(found.upper)} at delta = {_up(found.plan.delta)}, target {target}")
    say(f"  {found.plan.relation}: {RELATIONS[found.plan.relation]}")
    largest = max((part.whole for part in found.parts), default=None)
    for part in found.parts:
        share = _BAR * part.whole / largest if largest else 0
        say(f"  {part.round}, {part.question}: epsilon <= {_up(part.whole)}, {part.why}  {'#' * max(1, round(share))}")
        if part.once is not None:
            say(f"    one release: {part.once}")
        say(f"    what is seen: {part.view}")


def _as_json(found: Evaluation) -> dict[str, object]:
    return {
        "met": found.met,
        "lower": _down(found.lower),
        "upper": _up(found.upper),
        "epsilon": str(found.plan.epsilon),
        "delta": _up(found.plan.delta),
        "relation": found.plan.relation,
        "statement": found.statement,
        "parts": [_part(part) for part in found.parts],
    }


def _part(part: Part) -> dict[str, object]:
    return {
        "round": part.round,
        "question": part.question,
        "times": str(part.times),
        "upper": _up(part.whole),
        "how": part.why,
        "view": part.view,
        "once": None if part.once is None else part.once.as_json(),
    }


def _up(x: Fraction) -> str:
    from shuffleproof.spec.vocabulary.numerals import decimal_text

    return decimal_text(x, digits=8, direction="up")


def _down(x: Fraction) -> str:
    from shuffleproof.spec.vocabulary.numerals import decimal_text

    return decimal_text(x, digits=8, direction="down")
