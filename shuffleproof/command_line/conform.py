"""`shuffleproof conform`: an implementation asked over the harness protocol, and judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from shuffleproof import conformance
from shuffleproof.command_line.conform_report import (
    PATH,
    REPORT,
    check_reports,
    conform_diff,
    conform_matrix,
    conform_show,
    shown,
    shown_search,
)
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import (
    Name,
    Verbs,
    as_typed_line,
    format_option,
    options,
    print_json,
    progress_bar,
    refuse_idle,
    verbose_option,
)
from shuffleproof.conformance.running import DEADLINE, SEED
from shuffleproof.report.texts import printable, say, shortened
from shuffleproof.spec.vocabulary.errors import HarnessError, require
from shuffleproof.spec.vocabulary.files import require_writable

if TYPE_CHECKING:
    from rich.progress import Progress

    from shuffleproof.conformance.reporting.report import CaseResult
    from shuffleproof.conformance.running.runner import Interrupted


class _counting:  # noqa: N801 (it is called as a function is)
    """Called with each result: counts them, and those that speak against the harness, on the progress bar."""

    def __init__(self, progress: Progress, name: str, *, total: int | None = None) -> None:
        self._progress, self._name, self._against = progress, name, 0
        self._task = progress.add_task(name, total=total, now="")

    def __call__(self, result: CaseResult) -> None:
        from shuffleproof.conformance.judging.judge import UNREPROACHED

        self._against += result.verdict not in UNREPROACHED
        against = f", {self._against} against it" if self._against else ""
        self._progress.update(self._task, advance=1, description=f"{self._name}{against}", now=result.id)

    def say(self, line: str) -> None:
        """A line beside the bar."""
        self._progress.update(self._task, now=line)


_target = click.option(
    "-i", "connect", required=True, metavar="CONNECT", help='"cmd:./my-harness --option" or "py:package.module:factory".'
)
_deadline = click.option("--deadline", type=float, default=DEADLINE, show_default=True, metavar="SECONDS", help="For each request.")
_suite = click.option("--suite", default="all", show_default=True, metavar="NAME", help='See "shuffleproof conform list".')
_jobs = click.option("--jobs", type=int, default=1, show_default=True, metavar="N", help="Processes of the harness, side by side.")
_seed = click.option("--seed", type=int, default=SEED, show_default=True, metavar="N", help="Sent to the harness; also shuffles the cases.")
_selection = options(
    click.option("--case", multiple=True, metavar="ID", help="Only this case; may be given several times."),
    click.option("-k", "words", default="", metavar="WORDS", help="Only cases with all these words in operation, id or flags."),
    click.option("--operation", multiple=True, metavar="NAME", help="Only cases of this operation; may be given several times."),
    click.option("--method", multiple=True, metavar="NAME", help="Only cases of this method; may be given several times."),
)


@click.group(cls=Verbs)
def conform() -> None:
    """Judge an implementation over the harness protocol.

    Does it ever claim more privacy than there is?

    \b
    shuffleproof conform run -i "cmd:./my-harness"
    shuffleproof conform run -i py:shuffleproof.verification.own_harness:ball --suite smoke
    shuffleproof conform third-party opendp
    """
    from shuffleproof.conformance.running.descendants import adopt_orphans

    adopt_orphans()


for _of_reports in (conform_show, conform_diff, conform_matrix):
    conform.add_command(_of_reports)


@conform.command("smoke")
@_target
@_deadline
@format_option
def conform_smoke(connect: str, deadline: float, as_json: bool) -> int:
    """Does the harness start, take its configuration, and answer one question of each operation that it declares?"""
    return shown(conformance.smoke(connect, deadline=deadline).as_json(), as_json=as_json)


@conform.command("run")
@_target
@_suite
@click.option("--cases", default=None, metavar="FILE", type=PATH, help="Ask these inputs (CSV or JSON) instead of a suite.")
@_selection
@_deadline
@_jobs
@_seed
@click.option(
    "--resume", default=None, metavar="FILE", type=PATH, help="Journal to keep and to go on from: what it holds is not asked again."
)
@click.option("--skip", metavar="FILE", type=PATH, help="Ids of cases that are not asked, one a line.")
@click.option("--skip-must-fail", is_flag=True, help="Ask those too, and complain about every one that does not fail.")
@REPORT
@format_option
def conform_run(
    connect: str,
    suite: str,
    cases: Path | None,
    case: tuple[str, ...],
    words: str,
    operation: tuple[str, ...],
    method: tuple[str, ...],
    skip: Path | None,
    reports: tuple[Path, ...],
    as_json: bool,
    **how: Any,
) -> int:
    """Ask every case of a suite and judge every answer.

    \b
    Exit codes: 0 everything conforms (loose, unsupported and skipped are allowed); 1 unsound, mismatch, refused where there is an
    answer, or listed in --skip without failing; 4 the harness failed as a program; 5 nothing ran.
    """
    from shuffleproof.conformance.running.runner import Interrupted
    from shuffleproof.conformance.running.selection import Selection
    from shuffleproof.conformance.vectors import suite_cases
    from shuffleproof.report.published import explained

    check_reports(reports)
    only = Selection(ids=case, words=words, operations=operation, methods=method)
    number = len(only.of(suite_cases(suite))) if cases is None else None
    try:
        with progress_bar() as progress:
            counting = _counting(progress, suite if cases is None else cases.name, total=number)
            result = conformance.run(connect, suite=suite, skip=skip or (), only=only, cases=cases, on_result=counting, **how)
    except Interrupted as end:
        raise _told(end, as_json=as_json, reports=reports) from None
    told = replace(result, command=as_typed_line(), results=tuple(map(explained, result.results))).as_json()
    alone = _right_alone(told, connect, suite=suite, cases=cases, deadline=how["deadline"], seed=how["seed"])
    return shown(told, as_json=as_json, reports=reports, right_alone=alone)


_MOST_ALONE = 5
"""Findings whose worst case is asked once more, alone, to learn whether a harness remembers what it should not."""


def _right_alone(report: dict[str, Any], connect: str, **asked: Any) -> tuple[str, ...]:
    """The worst cases of its findings, a few, that a fresh process answers rightly: what was asked before them matters."""
    from shuffleproof.conformance.catalogue.inputs import BETWEEN
    from shuffleproof.conformance.judging.judge import WRONG
    from shuffleproof.conformance.reporting.findings import findings
    from shuffleproof.conformance.running.selection import Selection

    worst = [each.cases[0] for each in findings(report["cases"]) if each.verdict in WRONG]
    single = [case["id"] for case in worst if not any(BETWEEN in text for text in case["input"].values())][:_MOST_ALONE]
    found = []
    for name in single:
        try:
            again = conformance.run(connect, only=Selection(ids=(name,)), **asked)
        except HarnessError:
            continue
        if again.exit_code == 0:
            found.append(name)
    return tuple(found)


@conform.command("search")
@_target
@click.option("--operation", multiple=True, metavar="NAME", help="Only this operation; may be given several times.")
@click.option("--method", multiple=True, metavar="NAME", help="Only this method; may be given several times.")
@click.option("--randomizer", multiple=True, metavar="NAME", help="Only questions about this randomizer; may be given several times.")
@click.option("-n", "users", default=None, metavar="N|FIRST:LAST", help="Only questions about so many users, or a range of them.")
@click.option("--seed", type=int, default=SEED, show_default=True, metavar="N", help="The same seed draws the same inputs again.")
@click.option("--time", "seconds", type=float, default=60.0, show_default=True, metavar="SECONDS", help="When it ends at the latest.")
@click.option("--most", type=int, default=1000, show_default=True, metavar="N", help="Inputs that are drawn.")
@_deadline
@click.option("--save", default=None, metavar="FILE", type=PATH, help='What is found, as cases for "conform run --cases FILE": a .json.')
@format_option
def conform_search(
    connect: str,
    operation: tuple[str, ...],
    method: tuple[str, ...],
    randomizer: tuple[str, ...],
    seed: int,
    most: int,
    save: Path | None,
    as_json: bool,
    **how: Any,
) -> int:
    """Look for inputs on which a harness is wrong, and shrink each to the simplest that still fails.

    \b
    Exit codes: 0 nothing was found, which proves nothing; 1 wrong answers; 4 it failed as a program; 5 nothing could be asked.
    """
    from shuffleproof.conformance.searching.search import search

    if save is not None:
        require(save.suffix == ".json", parameter="save", value=str(save), requirement="a file whose name ends in .json")
        require_writable(save, parameter="save")
    with progress_bar() as progress:
        task = progress.add_task("search", total=most, now="")
        found = search(
            connect,
            operations=operation,
            methods=method,
            randomizers=randomizer,
            seed=seed,
            most=most,
            save=save,
            on_asked=lambda result: progress.update(task, advance=1, now=shortened(result.id, longest=80, longest_word=30)),
            **how,
        )
    code = shown_search(found, connect=connect, seed=seed, save=save, as_json=as_json)
    if found.interruption is not None:  # another signal has another exit code
        raise found.interruption
    return code


@conform.command("third-party")
@click.argument("name", required=False)
@click.option("--source", default=None, metavar="FOLDER", type=PATH, help="Judge the package's code in this folder, not its release.")
@_suite
@_deadline
@_jobs
@_seed
@REPORT
@format_option
def conform_third_party(
    name: str | None, source: Path | None, suite: str, seed: int, reports: tuple[Path, ...], as_json: bool, **how: Any
) -> int:
    """Judge a third-party package, in its pinned environment; without a NAME, list the packages.

    The environment is made by pip, which needs a network, if it is not in the cache (the user's cache folder): SHUFFLEPROOF_CACHE=DIR
    chooses another one, and an empty one makes it anew.
    Exit codes are those of "conform run".
    """
    from shuffleproof.conformance.running.runner import Interrupted
    from shuffleproof.conformance.third_party.targets import JUDGED_EARLIER, NOT_JUDGED, TARGETS

    if name is None:
        refuse_idle("without a NAME", "source", "suite", "deadline", "jobs", "seed", "reports")
        if as_json:
            targets = [{"name": target.name, "package": target.package, "about": target.about} for target in TARGETS]
            print_json({"targets": targets, "judged_earlier": dict(JUDGED_EARLIER), "not_judged": dict(NOT_JUDGED)})
            return ExitCode.ANSWERED
        for target in TARGETS:
            say(f"{target.name:<24} {target.about}")
        for package, found in JUDGED_EARLIER.items():
            say(f"judged earlier: {package}, {found}")
        for package, why in NOT_JUDGED.items():
            say(f"not judged: {package} {why}")
        return ExitCode.ANSWERED
    check_reports(reports)
    with progress_bar() as progress:
        told = _counting(progress, name, total=conformance.suites().get(suite, 0))
        try:
            made = conformance.run_third_party(name, source=source, suite=suite, seed=seed, on_result=told, on_progress=told.say, **how)
            result = replace(made, command=as_typed_line()).as_json()
        except Interrupted as end:
            raise _told(end, as_json=as_json, reports=reports) from None
    of = ["--source", str(source)] if source is not None else []
    again = ["shuffleproof", "conform", "third-party", name, *of, "--suite", suite, "--seed", str(seed)]
    return shown(result, as_json=as_json, reports=reports, again=again)


def _told(end: Interrupted, *, as_json: bool, reports: tuple[Path, ...]) -> BaseException:
    """Report what there is of a run that was interrupted; what interrupted it."""
    shown(replace(end.report, command=as_typed_line()).as_json(), as_json=as_json, reports=reports)
    return end.__cause__ or end


@conform.command("list")
@click.option("-i", "connect", default=None, metavar="CONNECT", help="Also ask this harness what it declares.")
@_deadline
@format_option
def conform_list(connect: str | None, deadline: float, as_json: bool) -> None:
    """The suites, with the number of cases in each, and what a harness declares."""
    from shuffleproof.conformance.running.harness import Harness
    from shuffleproof.conformance.vectors import suite_cases, suites

    sizes = suites()
    if connect is None:
        refuse_idle("without -i", "deadline")
        if as_json:
            print_json({"suites": [{"suite": name, "cases": size} for name, size in sizes.items()]})
        for name, size in sizes.items() if not as_json else ():
            say(f"{name}: {size} cases")
        return
    with Harness(connect, deadline=deadline, start_deadline=deadline) as harness:
        greeting = harness.greet()
    can = {name: list(getattr(greeting, name)) for name in ("operations", "methods", "randomizers", "protocols")}
    rows = []
    for name, size in sizes.items():
        declared = sum(greeting.supports(case.operation, case.given) for case in suite_cases(name))
        rows.append({"suite": name, "cases": size, "declared": declared})
    if as_json:
        about = {"name": greeting.name, "version": greeting.version, "language": greeting.language}
        print_json({"implementation": about, "capabilities": can, "suites": rows})
        return
    say(printable(f"{greeting.name} {greeting.version} ({greeting.language})"))
    for label, names in can.items():
        say(f"  {label:<18} {printable(', '.join(names)) or 'none'}")
    for row in rows:
        say(f"  suite {row['suite']:<12} {row['declared']} of {row['cases']} cases are within that")


@conform.command("starter")
@click.argument("language", type=Name(get_args(conformance.Language)))
@verbose_option
def conform_starter(language: conformance.Language) -> None:
    """A complete harness to begin with, on stdout: the distributions of randomized response, at most 75 lines.

    \b
    shuffleproof conform starter javascript > harness.js
    shuffleproof conform run -i "cmd:node harness.js"
    """
    say(conformance.starter(language), nl=False)
