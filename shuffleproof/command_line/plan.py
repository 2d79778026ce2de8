"""`shuffleproof plan`: a deployment's plan, answered and checked against its target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Verbs, as_typed_line, format_option, print_json, progress_bar
from shuffleproof.report.texts import at_least, at_most, say
from shuffleproof.spec.vocabulary.files import require_writable, write_whole
from shuffleproof.spec.vocabulary.numerals import decimal_text

if TYPE_CHECKING:
    from fractions import Fraction

    from shuffleproof.planning.plan.answer import Evaluation, Part
    from shuffleproof.planning.plan.schema import Plan

_PATH = click.Path(path_type=Path)


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
@click.option("--least-users", default=None, metavar="ROUND", help="Also the least users of this round that meet the target.")
@click.option("--least-noise", default=None, metavar="QUESTION", help="Also the largest epsilon0 of this question that meets the target.")
@click.option("--report", default=None, metavar="FILE", type=_PATH, help="Also write a page.")
@format_option
def plan_check(
    file: Path, most_repeats: str | None, least_users: str | None, least_noise: str | None, report: Path | None, as_json: bool
) -> int:
    """The certified privacy of a plan, question by question and over the whole horizon.

    FILE: TOML, as `plan init` writes it. Exit codes: 0 the target is certified to be met; 1 it is certified not to be met; 3 it lies
    between the two sides of the bracket.
    """
    from shuffleproof.planning.plan.evaluation import evaluate
    from shuffleproof.planning.plan.limits import require_askable
    from shuffleproof.planning.plan.reading import read
    from shuffleproof.report.plan_page import page

    given = read(file)
    if report is not None:
        require_writable(report, parameter="report")
    require_askable(given, most_repeats=most_repeats, least_users=least_users, least_noise=least_noise)
    found = evaluate(given)
    if report is not None:
        write_whole(report, page(found, command=as_typed_line()).encode("utf-8"))
    if not as_json:
        say(str(found))
    wanted = (("most_repeats", most_repeats), ("least_users", least_users), ("least_noise", least_noise))
    answers = {name: _searched(given, name, of, told=not as_json) for name, of in wanted if of is not None}
    if as_json:
        print_json({**_as_json(found), **answers})
    return {True: ExitCode.ANSWERED, False: ExitCode.NEGATIVE, None: ExitCode.UNDECIDED}[found.met]


@plan.command("run")
@click.argument("file", metavar="FILE", type=_PATH)
@click.option("--round", "round_", required=True, metavar="ROUND", help="Which round is held.")
@click.option("--data", required=True, metavar="FILE", help='CSV, Parquet, or "-" for standard input: one row for every user who is there.')
@format_option
def plan_run(file: Path, round_: str, data: str, as_json: bool) -> None:
    """Hold one round of a plan on real data: each question is released as planned, if the whole plan is certified to meet its target.

    \b
    shuffleproof plan run survey.toml --round "first country" --data answers.csv

    A question's `column` (its name, unless given) holds the answers; `items` are what can be answered; `coordinates` is the length of
    RAPPOR's vectors. Noise is of an exact distribution, from the operating system's entropy. How often a round is held is for you to count.
    """
    from shuffleproof.planning.plan.reading import read
    from shuffleproof.planning.plan.utility import how_well
    from shuffleproof.run.plan_release import release

    found = release(read(file), round_=round_, data=data)
    if as_json:
        answers = [
            {
                "question": each.question,
                "estimates": [{"item": item, "estimate": _shown(value)} for item, value in each.estimates],
                "deviation": None if each.utility is None else at_most(each.utility.error),
                "rounds": str(each.rounds),
            }
            for each in found.answers
        ]
        reports = None if found.reports is None else str(found.reports)
        print_json({"round": found.round, "reports": reports, "answers": answers, "plan": _as_json(found.evaluation)})
        return
    told = "the number of reports is not revealed" if found.reports is None else f"{found.reports} reports"
    say(f"{found.round}: {told}; the whole plan: epsilon <= {at_most(found.evaluation.upper)}")
    for each in found.answers:
        say(f"  {each.question}: {how_well(each.utility)}")
        if each.rounds > 1:
            say(f"    memoized: this is what all {each.rounds} rounds show; reports drawn again are not covered")
        for item, value in each.estimates:
            say(f"    {item}: {_shown(value)}")


def _shown(value: Fraction) -> str:
    return decimal_text(value, digits=8, direction="down") if value >= 0 else f"-{decimal_text(-value, digits=8, direction='up')}"


def _searched(plan: Plan, name: str, of: str, *, told: bool) -> str | None:
    """Search by trying, each trial shown on a terminal. told: print what is found; on an interruption the best so far is printed."""
    from shuffleproof.planning.plan import limits

    search, best, within, none = {
        "most_repeats": (limits.most_repeats, "repeat up to {}{} meets the target", "", "not even one repetition meets the target"),
        "least_users": (
            limits.least_users,
            "{} users{} are enough to meet the target",
            " (found within 1 %)",
            "no number of users up to 10^9 meets the target",
        ),
        "least_noise": (
            limits.largest_epsilon0,
            "epsilon0 up to {}{} meets the target",
            " (found within 1 %, rounded down)",
            "no epsilon0 down to 0.0001 meets the target",
        ),
    }[name]
    met: list[Fraction] = []
    with progress_bar() as progress:
        task = progress.add_task(name.replace("_", " "), total=None, now=of)

        def on_trial(number: Fraction, enough: bool) -> None:
            met.extend([number] if enough else [])
            progress.update(task, advance=1, now=f"{_tried(number)} {'meets' if enough else 'does not meet'} the target")

        try:
            found = search(plan, of, on_trial=on_trial)
        except KeyboardInterrupt:
            if met and told:
                so_far = min(met) if name == "least_users" else max(met)
                say(f"  {of}: ended before the search did; so far {best.format(_tried(so_far), '')}")
            raise
    text = None if found is None else _tried(found)
    if told:
        say(f"  {of}: {none if text is None else best.format(text, within)}")
    return text


def _tried(number: Fraction | int) -> str:
    """A number of users or repetitions in full, as fewer users might not be enough; an epsilon0 rounded down."""
    return str(number) if number.denominator == 1 else at_least(number)


def _as_json(found: Evaluation) -> dict[str, object]:
    return {
        "met": found.met,
        "advice": found.advice,
        "warnings": list(found.warnings),
        "assumptions": list(found.assumptions),
        "lower": at_least(found.lower),
        "upper": at_most(found.upper),
        "epsilon": str(found.plan.epsilon),
        "delta": at_most(found.plan.delta),
        "relation": found.plan.relation,
        "neighbours": found.plan.neighbours,
        "group": str(found.plan.group),
        "statement": found.statement,
        "parts": [_part(part) for part in found.parts],
    }


def _part(part: Part) -> dict[str, object]:
    return {
        "round": part.round,
        "question": part.question,
        "times": str(part.times),
        "upper": at_most(part.whole),
        "how": part.why,
        "view": part.view,
        "error": None if part.utility is None else at_most(part.utility.error),
        "once": None if part.once is None else part.once.as_json(),
    }
