"""The ledger itself: declaring, selecting, recording, and what counts as a rejected mutant."""

from __future__ import annotations

import importlib
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import (
    Budget,
    Result,
    check,
    drift,
    json_row,
    recorded,
    registry,
    run_mutants,
    select,
    write_recorded,
)
from shuffleproof.proofs_check.verdict import Status, Verdict, conjunction, erratum
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError, UndecidedError

QUICK = Budget()


def _verdict(status: Status = Status.EXHAUSTED, **changes: object) -> Verdict:
    given: dict[str, object] = {"status": status, "domain": "n <= 3", "cases": 3, "rests_on": ("exact rationals",)}
    if status is Status.REFUTED:
        given["witness"] = "n = 2"
    return Verdict(**(given | changes))  # type: ignore[arg-type]


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declarations made inside the test are forgotten after it."""
    registry()
    monkeypatch.setattr(ledger, "_REGISTRY", dict(ledger._REGISTRY))


def _declared(verdict: Verdict, id: str = "FMT21.Lem0.0") -> ledger.Statement:
    return ledger.statement(id, where="nowhere", provenance="derived", says="a test")(lambda budget: verdict)


@pytest.mark.usefixtures("scratch")
def test_a_repeated_or_malformed_id_is_refused() -> None:
    _declared(_verdict())
    with pytest.raises(ValueError, match="twice"):
        _declared(_verdict())
    for id in ("Lem2.3", "fmt21.Lem2.3", "FMT21.", "FMT21.Lem 2.3"):
        with pytest.raises(ValueError, match="not an id"):
            _declared(_verdict(), id)


def test_a_verdict_that_looked_at_nothing_found_nothing() -> None:
    for status in (Status.PROVED, Status.EXHAUSTED, Status.CERTIFIED, Status.SAMPLED, Status.REFUTED):
        with pytest.raises(ValueError, match="nothing"):
            _verdict(status, cases=0)


def test_a_refutation_needs_a_witness_and_an_open_verdict_a_reason() -> None:
    with pytest.raises(ValueError, match="witness"):
        _verdict(Status.REFUTED, witness=None)
    with pytest.raises(ValueError, match="why"):
        _verdict(Status.OPEN)


def test_a_conjunction_is_as_strong_as_its_weakest_part() -> None:
    both = conjunction([_verdict(Status.PROVED), _verdict(Status.SAMPLED, domain="random n")])
    assert both.status is Status.SAMPLED
    assert both.cases == 6
    assert "(proved)" in both.domain
    assert conjunction([_verdict(Status.PROVED), _verdict(Status.REFUTED)]).witness == "n = 2"


@pytest.mark.usefixtures("scratch")
def test_a_mutant_is_killed_by_a_refutation_that_leaves_no_corrected_statement() -> None:
    entry = _declared(_verdict())
    verdicts = {
        "refuted": _verdict(Status.REFUTED),
        "vacuous": _verdict(Status.VACUOUS),
        "proved": _verdict(Status.PROVED),
        "open": _verdict(Status.OPEN, note="undecided"),
        "corrected": _verdict(Status.REFUTED, corrected="for n >= 3"),
    }
    for change, verdict in verdicts.items():
        entry.mutant(change)(lambda budget, verdict=verdict: verdict)  # type: ignore[misc]
    killed = {found.mutant.change: found.killed for found in run_mutants(entry, QUICK)}
    assert killed == {"refuted": True, "vacuous": True, "proved": False, "open": False, "corrected": False}


def test_an_erratum_keeps_its_corrected_statement_only_while_it_stands() -> None:
    common = {"witness": "n = 1", "corrected": "n >= 2", "domain": "n <= 3", "cases": 3, "rests_on": ()}
    standing = erratum(**common, is_witness=True, counterexample=None)  # type: ignore[arg-type]
    assert (standing.status, standing.witness, standing.corrected) == (Status.REFUTED, "n = 1", "n >= 2")
    fallen = erratum(**common, is_witness=True, counterexample="n = 2")  # type: ignore[arg-type]
    assert (fallen.status, fallen.witness, fallen.corrected) == (Status.REFUTED, "n = 2", None)
    assert erratum(**common, is_witness=False, counterexample=None).status is Status.OPEN  # type: ignore[arg-type]


@pytest.mark.usefixtures("scratch")
def test_undecided_arithmetic_leaves_a_statement_open_and_any_other_error_names_it() -> None:
    def undecided(budget: Budget) -> Verdict:
        raise UndecidedError(quantity="delta", enclosure=("0", "1"), precision=64)

    def faulty(budget: Budget) -> Verdict:
        raise ZeroDivisionError

    declare = ledger.statement("FMT21.Lem0.1", where="nowhere", provenance="derived", says="a test")
    assert next(check([declare(undecided)], QUICK)).verdict.status is Status.OPEN
    declare = ledger.statement("FMT21.Lem0.2", where="nowhere", provenance="derived", says="a test")
    with pytest.raises(ZeroDivisionError) as caught:
        next(check([declare(faulty)], QUICK))
    assert "FMT21.Lem0.2" in caught.value.__notes__[0]


def test_unknown_ids_papers_and_depths_are_refused() -> None:
    with pytest.raises(DomainError, match="id"):
        select(["FMT21.Lem9.9"])
    with pytest.raises(DomainError, match="paper"):
        select(paper="FMT22")
    with pytest.raises(DomainError, match="id"):
        next(check(["FMT21.Lem9.9"], QUICK))
    with pytest.raises(DomainError, match="depth"):
        Budget(depth="deep")  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="seed"):
        Budget(seed=-1)


def test_statements_come_in_paper_order() -> None:
    order = list(registry())
    wanted = ["FMT21.Def2.1", "FMT21.Lem2.3", "FMT21.Thm3.1", "FMT21.Thm3.2", "FMT21.Lem3.5", "FMT21.LemA.1"]
    assert [id for id in order if id in wanted] == wanted


def test_select_keeps_the_order_of_the_paper_and_filters() -> None:
    assert [entry.id for entry in select(["FMT21.Thm3.1", "FMT21.Def2.1"])] == ["FMT21.Def2.1", "FMT21.Thm3.1"]
    assert len(select(paper="FMT21")) == sum(entry.paper == "FMT21" for entry in registry().values())


def test_every_statement_is_complete_and_governs_modules_that_exist() -> None:
    for entry in registry().values():
        assert entry.where, entry.id
        assert entry.says, entry.id
        assert entry.range, entry.id
        assert entry.mutants, f"{entry.id} has no mutant"
        for module in entry.governs:
            importlib.import_module(f"shuffleproof.{module}")


def test_every_recorded_status_has_a_statement_and_every_statement_a_record() -> None:
    assert set(recorded()) == set(registry())


@pytest.mark.usefixtures("scratch")
def test_drift_names_every_difference() -> None:
    results = [Result(_declared(_verdict(Status.PROVED)), _verdict(Status.PROVED), 0.1)]
    assert drift(results, {"FMT21.Lem0.0": Status.PROVED}) == []
    assert drift(results, {"FMT21.Lem0.0": Status.SAMPLED}) == ["FMT21.Lem0.0: proved, recorded as sampled"]
    assert drift(results, {}) == ["FMT21.Lem0.0: proved, not recorded"]
    gone = {"FMT21.Lem0.0": Status.PROVED, "FMT21.Lem0.3": Status.OPEN}
    assert drift(results, gone) == []
    assert drift(results, gone, complete=True) == ["FMT21.Lem0.3: recorded as open, not in the ledger"]


@pytest.mark.usefixtures("scratch")
def test_a_refuted_statement_whose_correction_fails_is_drift() -> None:
    entry, record = _declared(_verdict(Status.REFUTED)), {"FMT21.Lem0.0": Status.REFUTED}
    assert drift([Result(entry, _verdict(Status.REFUTED, corrected="n >= 3"), 0.1)], record) == []
    assert "corrected statement fails" in drift([Result(entry, _verdict(Status.REFUTED), 0.1)], record)[0]


@pytest.mark.usefixtures("scratch")
def test_the_record_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "recorded.json"
    result = Result(_declared(_verdict()), _verdict(), 0.1)
    write_recorded([result], path)
    assert recorded(path) == {"FMT21.Lem0.0": Status.EXHAUSTED}
    assert stat.S_IMODE(path.stat().st_mode) == 0o644

    def interrupted() -> Iterator[Result]:
        yield result
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_recorded(interrupted(), path)
    assert recorded(path) == {"FMT21.Lem0.0": Status.EXHAUSTED}
    assert os.listdir(tmp_path) == ["recorded.json"]


@pytest.mark.parametrize("text", ["", "[]", '{"FMT21.Lem0.0": "sure"}', '{"FMT21.Lem0.0"'])
def test_a_damaged_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recorded.json"
    path.write_text(text)
    with pytest.raises(IntegrityError):
        recorded(path)


def test_rows_carry_what_the_command_line_prints() -> None:
    result = next(check(["FMT21.Alg1"], QUICK))
    row = json.loads(json.dumps(json_row(result)))
    assert {"id", "paper", "status", "domain", "cases", "slack", "witness", "rests_on", "seconds"} <= set(row)
    assert (row["id"], row["paper"], row["status"]) == ("FMT21.Alg1", "FMT21", "refuted")
