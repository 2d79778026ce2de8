"""The main job: the ledger with its mutants, engines against each other, our own and other people's code through the conformance suite."""

from __future__ import annotations

import inspect
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol, cast

from shuffleproof import __version__
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.conformance import vectors
from shuffleproof.conformance.lint import lint
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.conformance.running import runner
from shuffleproof.conformance.third_party import environments
from shuffleproof.figures import registry
from shuffleproof.figures.chart import Table
from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import Budget, Depth, Entry, Finding, NumberMutant, Statement, Status
from shuffleproof.report.claims import judged_now
from shuffleproof.report.records import CrossCheckRow, StatementRow, TableRow, TargetRow, VerificationReport
from shuffleproof.report.stored import FORMAT
from shuffleproof.spec.vocabulary.errors import HarnessError, IntegrityError
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.verification.cross_checks import CrossCheck, Each, exact_inside_balls, fast_against_balls
from shuffleproof.verification.ledger_run import LedgerRun, begin_ledger, run_number_mutants
from shuffleproof.verification.workers import Workers, side_by_side

OWN_ENGINES = tuple(f"py:shuffleproof.verification.own_harness:{engine}" for engine in ("exact", "ball", "fast"))
SUITE = "all"
SEED = 20210911
"""Of everything that is drawn: two runs check the same cases."""

Step = Callable[[str], object]
"""Called with what has just been finished."""


class Watcher(Protocol):
    """Somebody who wants to know how far the work is."""

    def stage(self, name: str, total: int) -> Step:
        """A stage of so many steps begins."""
        ...


class Nobody:
    """A watcher that does not watch."""

    def stage(self, name: str, total: int) -> Step:
        """Nothing is done with it."""
        return lambda _: None


@dataclass
class Findings:
    """Holds what a verification found. problems: what is wrong with our own part, a line each; code: the exit code that follows."""

    problems: list[str] = field(default_factory=list)
    code: ExitCode = ExitCode.ANSWERED

    def problem(self, line: str, code: ExitCode = ExitCode.NEGATIVE) -> None:
        """Something of ours is wrong."""
        self.problems.append(line)
        self.code = max(self.code, code)

    def add(self, others: Findings) -> None:
        """Append what was found elsewhere to what was found here."""
        self.problems += others.problems
        self.code = max(self.code, others.code)


def verify(*, depth: Depth = "quick", watcher: Watcher | None = None) -> VerificationReport:
    """Do all of it, and return the report as JSON-ready values (see shuffleproof.report.stored).

    depth: "quick" or "full". `exit_code` is not 0 only for our own engines, vectors, a mutant that survives, ledger drift or a check
    that itself goes wrong: a refuted statement and a third party's verdict are results.
    """
    watched, findings = watcher or Nobody(), Findings()
    started, clock = datetime.now(UTC), time.perf_counter()
    vectors_wrong = Findings()
    cases = _suite_size(vectors_wrong)  # before there are threads: reading code is not safe beside others that do in CPython 3.11
    with side_by_side() as workers:
        # What is one long piece comes first, and small pieces fill the end; other people's environments are made beside the ledger.
        judged = _judging(workers, watched, cases)
        own = [judged(connect) for connect in OWN_ENGINES] if judged else []
        ledger_rows = _ledger(workers, Budget(depth=depth), watched)
        others = _third_party(judged, watched) if judged else []
        tables_made = _tables(workers, watched)
        shipped = workers.computing(judged_now)
        crossed_findings = Findings()
        crossed = _cross_checks(depth, watched, crossed_findings, each=workers.each)
        # Problems are listed in this order, whatever ended first.
        rows = ledger_rows(findings)
        findings.add(vectors_wrong)
        findings.add(crossed_findings)
        tables = tables_made(findings)
        shipped_rows = shipped.result()
        engines = [row.result() for row in own]
        third_party = [cast(TargetRow, {**(running.result() if running else {}), **row}) for row, running in others]
    for row in engines:
        if row["exit_code"]:
            findings.problem(f"{row['target']}: {row['failed'] or row['summary']}")
    return {
        "format": FORMAT,
        "shuffleproof": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "started": started.isoformat(timespec="seconds"),
        "seconds": _seconds(time.perf_counter() - clock),
        "depth": depth,
        "seed": str(SEED),
        "exit_code": int(findings.code),
        "problems": findings.problems,
        "ledger": rows,
        "cross_checks": crossed,
        "tables": tables,
        "shipped": shipped_rows,
        "engines": engines,
        "third_party": third_party,
    }


def _ledger(workers: Workers, budget: Budget, watcher: Watcher) -> Callable[[Findings], list[StatementRow]]:
    """Begin the ledger; what is returned waits for it, and judges it."""
    entries = ledger.select()
    step = watcher.stage("ledger", len(entries))
    begun = begin_ledger(workers, entries, budget, mutants=True, finished=step)

    def judged(findings: Findings) -> list[StatementRow]:
        record = _recorded(findings)
        run = begun()
        found = judge_ledger(run, entries, record, findings)
        changed = _number_mutants(entries, budget, watcher) if budget.depth == "full" else _recorded_number_mutants(findings)
        return _statement_rows(run, found, record, changed)

    return judged


def _statement_rows(
    run: LedgerRun, found: Finding, record: dict[str, Entry] | None, changed: Mapping[str, Sequence[NumberMutant]]
) -> list[StatementRow]:
    killed = {(result.statement.id, result.mutant.change): result for result in run.mutants}
    rows = []
    for result, computed in zip(run.results, found.rows, strict=True):
        mutants = [
            {"change": mutant.change, "killed": outcome.killed, "found": outcome.verdict.status.value, "generated": mutant.code is not None}
            for mutant in ledger.all_mutants(result.statement)
            if (outcome := killed.get((result.statement.id, mutant.change))) is not None
        ]
        # Of changed numbers the page shows only those whose statement holds as well.
        was = record.get(result.statement.id) if record else None
        more = {
            "mutants": mutants,
            "number_mutants": [
                {
                    "part": each.part,
                    "was": each.was,
                    "is_now": each.is_now,
                    "holds": each.outcome,
                    "weaker": ledger.is_weaker(result.statement, each),
                }
                for each in changed.get(result.statement.id, ())
                if each.is_accepted
            ],
            "number_mutants_in_all": len(changed.get(result.statement.id, ())),
            "recorded": was.status.value if was else None,
            "seconds": _seconds(result.seconds),
        }
        rows.append(cast(StatementRow, {**computed, **more, "source": source_of(result.statement)}))
    return rows


def _number_mutants(entries: Sequence[Statement], budget: Budget, watcher: Watcher) -> Mapping[str, Sequence[NumberMutant]]:
    """Return by statement its number mutants: which of them hold as well, by its check."""
    step = watcher.stage("numbers changed by machine", len(entries))
    found: dict[str, list[NumberMutant]] = {}
    for mutant in run_number_mutants(entries, Budget(seed=budget.seed), finished=step):
        found.setdefault(mutant.statement, []).append(mutant)
    return found


def _recorded_number_mutants(findings: Findings) -> Mapping[str, Sequence[NumberMutant]]:
    try:
        return ledger.recorded_number_mutants()
    except IntegrityError as error:
        findings.problem(f"ledger: {error}")
        return {}


def source_of(entry: Statement) -> str:
    """The code of a statement's check, as it stands in the repository."""
    return inspect.getsource(inspect.unwrap(entry.check))


def _recorded(findings: Findings) -> dict[str, Entry] | None:
    try:
        return ledger.recorded()
    except IntegrityError as error:
        findings.problem(f"ledger: {error}")
        return None


def judge_ledger(run: LedgerRun, entries: Sequence[Statement], record: dict[str, Entry] | None, findings: Findings) -> Finding:
    """Return what is wrong with a run of the ledger: drift, grounds that do not carry, surviving mutants, steps that none reaches, faults.

    record: None if it could not be read; then there is nothing to drift from.
    """
    statements = {entry.id: entry for entry in entries}
    found = ledger.judge(run.results, record or {}, statements=statements, mutants=run.mutants, complete=True)
    for line in found.drift if record is not None else ():
        findings.problem(f"ledger drift: {line}")
    for line in found.problems if record is not None else ():
        findings.problem(f"ledger: {line}")
    for survivor in (mutant for mutant in run.mutants if not mutant.killed):
        findings.problem(f"{survivor.statement.id}: a mutant survives: {survivor.mutant.change}")
    open_ones = {result.statement.id for result in run.results if result.verdict.status is Status.OPEN}
    for entry in entries:
        if not entry.mutants and entry.id not in open_ones:
            findings.problem(f"{entry.id}: no mutant shows that its check can fail")
    for fault in run.faults:
        findings.problem(f"a check itself failed: {fault}", ExitCode.BUG)
    return found


def _cross_checks(depth: Depth, watcher: Watcher, findings: Findings, *, each: Each = map) -> list[CrossCheckRow]:
    sizes = {"quick": (60, 192), "full": (400, 4000)}[depth]  # at least every method, of floats with its shares twice
    step = watcher.stage("engines against each other", sum(sizes))
    checks = [
        exact_inside_balls(cases=sizes[0], seed=SEED, step=lambda: step("exact inside balls"), each=each),
        fast_against_balls(cases=sizes[1], seed=SEED, step=lambda: step("float64 against balls"), each=each),
    ]
    for check in checks:
        for failure in check.failures:
            findings.problem(f"{check.name}: {failure}")
        if not check.cases:
            findings.problem(f"{check.name}: nothing was compared")
    return [_cross_check_row(check) for check in checks]


def _cross_check_row(check: CrossCheck) -> CrossCheckRow:
    return {
        "name": check.name,
        "says": check.says,
        "cases": check.cases,
        "refused": check.refused,
        "refused_share": decimal_text(check.refused_share, digits=3, direction="up"),
        "widest": decimal_text(check.widest, digits=3, direction="up"),
        "failures": list(check.failures),
        "seconds": _seconds(check.seconds),
    }


def _tables(workers: Workers, watcher: Watcher) -> Callable[[Findings], list[TableRow]]:
    """Begin the tables of the report; what is returned waits for them. One that cannot be computed is a problem of ours."""
    chosen = [known for known in registry.ENTRIES if known.in_report]
    step = watcher.stage("tables", len(chosen))
    pending = [workers.computing(_table, known) for known in chosen]
    for known, future in zip(chosen, pending, strict=True):
        future.add_done_callback(lambda _, name=known.name: step(name))  # type: ignore[misc]

    def made(findings: Findings) -> list[TableRow]:
        rows = [future.result() for future in pending]
        for row in rows:
            if row["failed"]:
                findings.problem(f"table {row['name']}: {row['failed']}", ExitCode.BUG)
        return rows

    return made


def _table(known: registry.Entry) -> TableRow:
    clock = time.perf_counter()
    row: TableRow = {"name": known.name, "title": known.says, "columns": [], "rows": [], "notes": [], "failed": None, "seconds": ""}
    try:
        content = registry.made(known)
        if not isinstance(content, Table):
            raise TypeError(f"{known.name} is a figure: only tables are computed for the report")
        row["title"], row["columns"], row["notes"] = content.title, list(content.columns), list(content.notes)
        row["rows"] = [list(cells) for cells in content.rows]
    except Exception as error:
        row["failed"] = f"{type(error).__name__}: {error}"
    row["seconds"] = _seconds(time.perf_counter() - clock)
    return row


Judged = Callable[[str], Future[TargetRow]]


def _judging(workers: Workers, watcher: Watcher, size: int) -> Judged | None:
    """A function that has a target judged by the conformance suite; its own process does the work. None if there is no suite."""
    step = watcher.stage("targets of the conformance suite", size * (len(OWN_ENGINES) + len(environments.available())))

    def on_result(result: CaseResult) -> None:
        if workers.stopped.is_set():
            raise KeyboardInterrupt
        step(result.id)

    def judge(connect: str) -> TargetRow:
        return _conformance_row(connect, on_result)

    return (lambda connect: workers.waiting(partial(judge, connect))) if size else None


def _third_party(judged: Judged, watcher: Watcher) -> list[tuple[dict[str, Any], Future[TargetRow] | None]]:
    """Every package in an environment of its own; one that cannot be installed or imported is a row with the reason."""
    step = watcher.stage("environments of third-party packages", len(environments.available()))
    rows: list[tuple[dict[str, Any], Future[TargetRow] | None]] = []
    for name in environments.available():
        clock = time.perf_counter()
        made = environments.prepare(name)
        row: dict[str, Any] = {"target": name, "preparing": _seconds(time.perf_counter() - clock)}
        if isinstance(made, environments.Missing):
            rows.append(({**row, "failed": made.reason, "exit_code": int(ExitCode.HARNESS), "seconds": "0"}, None))
        else:
            rows.append((row, judged(made.connect)))
        step(name)
    return rows


def _suite_size(findings: Findings) -> int:
    """How many cases the suite has; whatever is wrong with the stored vectors is a problem of ours."""
    try:
        for finding in lint():
            findings.problem(f"vectors: {finding}")
        return len(vectors.suite_cases(SUITE))
    except IntegrityError as error:
        findings.problem(f"vectors: {error}")
        return 0


def _conformance_row(connect: str, on_result: Callable[[CaseResult], None]) -> TargetRow:
    """One target through the suite; a target that does not start is a row with the reason."""
    clock = time.perf_counter()
    try:
        report = runner.run(connect=connect, suite=SUITE, on_result=on_result)
    except HarnessError as error:
        return {
            "target": connect,
            "failed": str(error),
            "exit_code": int(ExitCode.HARNESS),
            "seconds": _seconds(time.perf_counter() - clock),
        }
    stored = report.as_json()
    return {
        "target": connect,
        "failed": None,
        "exit_code": report.exit_code,
        "seconds": _seconds(time.perf_counter() - clock),
        "implementation": stored["implementation"],
        "suite": stored["suite"],
        "summary": stored["summary"],
        "cases": stored["cases"],
    }


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f}"
