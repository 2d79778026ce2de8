"""The main job: what counts as a problem of ours, and that every such problem is noticed."""

import multiprocessing
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from harnesses import fake

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.conformance import vectors
from shuffleproof.conformance.third_party import environments
from shuffleproof.figures import registry
from shuffleproof.impl.ball.bounds.clones import clones as ball
from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import Budget, Entry, Kind, Mutant, MutantResult, Result, Statement, Status, Steps, Verdict
from shuffleproof.proofs_check.ledger.ground import Argument, Coq, Ground, Library, Row
from shuffleproof.report import claims
from shuffleproof.spec.bounds.clones import clones as exact
from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.errors import IntegrityError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.verification import cross_checks, verify
from shuffleproof.verification.cross_checks import contradictions, exact_inside_balls, wrong_ends
from shuffleproof.verification.ledger_run import LedgerRun, run_ledger
from shuffleproof.verification.verify import Findings, judge_ledger
from shuffleproof.verification.workers import Workers, side_by_side

UNSOUND = fake("unsound")


def verdict(status: Status, *, corrected: str | None = None) -> Verdict:
    return Verdict(status=status, domain="one case", cases=1, witness="x = 1", corrected=corrected, note="a note")


def statement(*, mutants: int = 1, grounds: tuple[Ground, ...] = ()) -> Statement:
    return Statement(
        id="TST21.Thm1",
        where="nowhere",
        says="x",
        range="",
        provenance="derived",
        governs=(),
        grounds=grounds,
        kind=Kind.FALSE,
        weight=None,
        check=lambda _, **parts: verdict(Status.REFUTED if parts else Status.PROVED),
        mutants=[Mutant(f"mutant {index}", {"index": index}) for index in range(mutants)],
        module=__name__,
    )


def recorded(status: Status) -> Entry:
    return Entry(own_status=status, status=status, kind=Kind.FALSE if status is Status.REFUTED else None)


def judged(
    entry: Statement,
    *,
    status: Status = Status.PROVED,
    mutant: Status = Status.REFUTED,
    record: Status | None = Status.PROVED,
    fault: str = "",
    steps: Steps | None = None,
) -> Findings:
    findings = Findings()
    run = LedgerRun(
        results=(Result(entry, verdict(status, corrected="x != 1"), 0.1, steps or Steps()),),
        mutants=tuple(MutantResult(entry, each, verdict(mutant), 0.1) for each in entry.mutants),
        faults=(fault,) if fault else (),
    )
    judge_ledger(run, [entry], {entry.id: recorded(record)} if record else {}, findings)
    return findings


def test_a_ledger_as_recorded_whose_mutants_die_is_no_problem() -> None:
    assert judged(statement()) == Findings()
    assert judged(statement(), status=Status.REFUTED, record=Status.REFUTED) == Findings()


@pytest.mark.parametrize(
    ("how", "words", "code"),
    [
        ({"status": Status.SAMPLED}, "drift", ExitCode.NEGATIVE),
        ({"record": None}, "drift", ExitCode.NEGATIVE),
        ({"mutant": Status.PROVED}, "survives", ExitCode.NEGATIVE),
        ({"mutant": Status.OPEN}, "survives", ExitCode.NEGATIVE),
        ({"steps": Steps(shows={"section1.check+3": Status.PROVED})}, "no mutant falsifies: section1.check+3", ExitCode.NEGATIVE),
        ({"fault": "TST21.Thm1: KeyError"}, "itself", ExitCode.BUG),
    ],
)
def test_every_defect_of_the_ledger_is_a_problem(how: dict[str, Any], words: str, code: ExitCode) -> None:
    findings = judged(statement(), **how)
    assert len(findings.problems) == 1
    assert words in findings.problems[0]
    assert findings.code == code


@pytest.mark.parametrize(
    ("ground", "words"),
    [
        (Row("TST21.Thm2"), "TST21.Thm1 rests on TST21.Thm2, which is not in the ledger"),
        (Row("TST21.Thm1"), "rests on itself"),
        (Argument("nearby-randomizers#no-such-heading"), "which is not written"),
        (Coq("no_such_theorem"), "of which there is no record"),
        (Library("random cases", most=Status.SAMPLED), "drift: TST21.Thm1: status sampled, recorded as proved"),
    ],
)
def test_grounds_that_do_not_carry_are_a_problem(ground: Ground, words: str) -> None:
    assert any(words in line for line in judged(statement(grounds=(ground,))).problems)


def test_a_check_without_a_mutant_is_a_problem_unless_it_is_open() -> None:
    assert "no mutant" in judged(statement(mutants=0)).problems[0]
    assert judged(statement(mutants=0), status=Status.OPEN, record=Status.OPEN) == Findings()


def test_a_recorded_statement_that_is_gone_is_drift() -> None:
    findings = Findings()
    judge_ledger(LedgerRun(results=(), mutants=(), faults=()), [], {"TST21.Thm1": recorded(Status.PROVED)}, findings)
    assert "not in the ledger" in findings.problems[0]


def test_the_ledger_runs_in_other_processes_with_the_same_outcome_as_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shuffleproof.verification.workers.MOST_WORKERS", 1)
    entries = ledger.select()[:3]
    finished: list[str] = []
    together = run_ledger(entries, Budget(), mutants=True, finished=finished.append)
    alone = [result for entry in entries for result in ledger.check([entry], Budget())]
    assert [result.verdict for result in together.results] == [result.verdict for result in alone]
    assert len(together.mutants) == sum(len(ledger.all_mutants(entry)) for entry in entries)
    assert sorted(finished) == sorted(entry.id for entry in entries)
    assert together.faults == ()


def test_a_check_that_raises_is_a_fault_and_not_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Budget) -> Verdict:
        raise ZeroDivisionError("by accident")

    entry = statement()
    entry.check = broken
    monkeypatch.setattr(ledger, "registry", lambda: {entry.id: entry})
    run = run_ledger([entry], Budget(), mutants=False)
    assert run.results == ()
    assert run.faults == ("TST21.Thm1: ZeroDivisionError: by accident",)


def moved(bound: Bound, factor: Fraction) -> Bound:
    return replace(bound, lower=bound.lower * factor, upper=bound.upper * factor)


@pytest.mark.parametrize("factor", [1 + Fraction(1, 10**12), 1 - Fraction(1, 10**12)])
def test_disjoint_enclosures_contradict_each_other(factor: Fraction) -> None:
    parameters = {"n": 10, "epsilon0": "ln 3", "epsilon": "ln 3/2"}
    true, certified = exact.delta(**parameters), ball.delta(**parameters)
    assert contradictions(true, certified) == []
    assert len(contradictions(true, moved(certified, factor))) == 1
    assert len(contradictions(moved(true, factor), certified)) == 1


def test_an_end_that_the_certified_profile_contradicts_is_wrong() -> None:
    parameters: dict[str, Any] = {"n": 1000, "epsilon0": Fraction(1), "delta": Fraction(1, 10**6)}
    found = ball.epsilon(**parameters)
    assert wrong_ends(found, certified_delta=ball.delta, **parameters) == []
    below, above = moved(found, 1 - Fraction(1, 10**9)), moved(found, 1 + Fraction(1, 10**9))
    for moved_, words in ((below, r"upper end .* below the truth"), (above, r"lower end .* above the truth")):
        (wrong,) = wrong_ends(moved_, certified_delta=ball.delta, **parameters)
        assert re.search(words, wrong)


def test_exact_values_lie_inside_balls() -> None:
    check = exact_inside_balls(cases=24, seed=1)
    assert (check.cases, check.refused, check.failures) == (24, 0, ())


def test_a_wrong_ball_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = cross_checks._engine

    def wrong(method: Method, by: Engine, quantity: Quantity) -> Any:
        right = engine(method, by, quantity)
        return (lambda **given: moved(right(**given), 1 - Fraction(1, 10**9))) if by == "ball" else right

    monkeypatch.setattr(cross_checks, "_engine", wrong)
    check = exact_inside_balls(cases=8, seed=1)
    assert len(check.failures) > 4


def test_a_refusal_is_counted_and_no_answer_at_all_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(error: Exception) -> Any:
        def engine(*_: object) -> Any:
            def answer(**_: object) -> Bound:
                raise error

            return answer

        return engine

    monkeypatch.setattr(cross_checks, "_engine", raising(UnsupportedError(what="n", reason="large", advice="balls")))
    check = exact_inside_balls(cases=3, seed=1)
    assert (check.cases, check.refused, check.refused_share) == (0, 3, 1)
    monkeypatch.setattr(cross_checks, "_engine", raising(UndecidedError(quantity="delta", enclosure=("0", "1"), precision=9)))
    assert len(exact_inside_balls(cases=3, seed=1).failures) == 3


def test_a_contradiction_between_engines_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    good = cross_checks.CrossCheck(name="a", says="", cases=1, refused=0, failures=(), widest=Fraction(0), seconds=0.0)
    monkeypatch.setattr(verify, "exact_inside_balls", lambda **_: replace(good, failures=("epsilon at n = 1",)))
    monkeypatch.setattr(verify, "fast_against_balls", lambda **_: replace(good, cases=0, refused=9))
    findings = Findings()
    verify._cross_checks("quick", verify.Nobody(), findings)
    assert len(findings.problems) == 2
    assert "epsilon at n = 1" in findings.problems[0]
    assert "nothing was compared" in findings.problems[1]
    assert findings.code == ExitCode.NEGATIVE


def without_times(report: Any) -> Any:
    """The report without what differs from run to run."""
    if isinstance(report, dict):
        return {key: without_times(value) for key, value in report.items() if key not in ("seconds", "started", "preparing")}
    return [without_times(value) for value in report] if isinstance(report, list) else report


@contextmanager
def workers_of_threads(many: int) -> Iterator[Workers]:
    """Workers that are threads of this process, which need no time to start."""
    with ThreadPoolExecutor(many) as threads:
        workers = Workers(many, threads)
        try:
            yield workers
        finally:
            workers.close(at_once=True)
            workers.ended()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The main job with two statements, one engine, the short suite, one table, one formula, no third-party package to be installed."""
    monkeypatch.setattr(verify, "side_by_side", lambda: workers_of_threads(3))
    chosen = [entry for entry in ledger.select() if entry.id in ("FMT21.Def2.2", "FMT21.LemA.1.step-quarter")]
    record = {id: known for id, known in ledger.recorded().items() if id in {entry.id for entry in chosen}}
    good = cross_checks.CrossCheck(name="a", says="", cases=1, refused=0, failures=(), widest=Fraction(0), seconds=0.0)
    monkeypatch.setattr(ledger, "select", lambda: chosen)
    monkeypatch.setattr(ledger, "recorded", lambda: record)
    monkeypatch.setattr(verify, "exact_inside_balls", lambda **_: good)
    monkeypatch.setattr(verify, "fast_against_balls", lambda **_: good)
    monkeypatch.setattr(verify, "SUITE", "smoke")
    monkeypatch.setattr(claims, "SHIPPED", claims.SHIPPED[:1])
    monkeypatch.setattr(claims, "PUBLISHED", claims.PUBLISHED[:1])
    monkeypatch.setattr(registry, "ENTRIES", (registry.entry("bc20-table1"),))
    monkeypatch.setattr(verify, "OWN_ENGINES", ("py:shuffleproof.verification.own_harness:exact",))
    monkeypatch.setattr(environments, "available", lambda: ("absent", "present"))
    monkeypatch.setattr(
        environments,
        "prepare",
        lambda name: (
            environments.Missing(name=name, reason="cannot be installed")
            if name == "absent"
            else environments.Ready(name=name, connect=UNSOUND, version="1", seconds=0.0)
        ),
    )


@pytest.mark.usefixtures("small")
@pytest.mark.deep
def test_one_lane_finds_what_three_find(monkeypatch: pytest.MonkeyPatch) -> None:
    content = verify.verify()
    monkeypatch.setattr(verify, "side_by_side", lambda: workers_of_threads(1))
    assert without_times(content) == without_times(verify.verify())


@pytest.mark.usefixtures("small")
def test_refuted_statements_and_third_party_failures_are_results() -> None:
    stages: list[str] = []

    class Watcher:
        def stage(self, name: str, total: int) -> verify.Step:
            stages.append(name)
            return lambda _: None

    content = verify.verify(watcher=Watcher())
    assert content["exit_code"] == 0
    assert content["problems"] == []
    assert [row["own_status"] for row in content["ledger"]] == ["exhausted", "refuted"]
    assert all(mutant["killed"] for row in content["ledger"] for mutant in row["mutants"])
    assert content["engines"][0]["summary"]["conforms"] > 0
    absent, present = content["third_party"]
    assert absent["failed"] == "cannot be installed"
    assert present["target"] == "present"
    assert present["summary"]["unsound"] > 0
    assert len(stages) == 5


@pytest.mark.usefixtures("small")
def test_an_unsound_engine_of_our_own_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "OWN_ENGINES", (UNSOUND, "cmd:there-is-no-such-program"))
    content = verify.verify()
    assert content["exit_code"] == 1
    assert len(content["problems"]) == 2
    assert "unsound" in content["problems"][0]
    assert "no-such-program" in content["problems"][1]


@pytest.mark.usefixtures("small")
def test_damaged_vectors_and_an_unreadable_record_are_problems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unreadable() -> dict[str, Entry]:
        raise IntegrityError(path="recorded.json", reason="cut")

    monkeypatch.setattr(ledger, "recorded", unreadable)
    monkeypatch.setattr(vectors, "DIRECTORY", tmp_path)
    content = verify.verify()
    assert content["exit_code"] == 1
    assert [problem.partition(":")[0] for problem in content["problems"]] == ["ledger", "vectors"]
    assert content["engines"] == content["third_party"] == []


@pytest.mark.usefixtures("small")
def test_an_interruption_ends_the_targets_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "side_by_side", lambda: side_by_side(1))

    def interrupted(**_: object) -> cross_checks.CrossCheck:
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "exact_inside_balls", interrupted)
    with pytest.raises(KeyboardInterrupt):
        verify.verify()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("worker")]
    assert multiprocessing.active_children() == []
