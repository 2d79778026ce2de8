"""The ledger itself: declaring, selecting, recording, and what counts as a rejected mutant."""

import importlib
import json
import os
import stat
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

from shuffleproof.proofs_check.ledger import checking, statements
from shuffleproof.proofs_check.ledger.checking import check, registry, run_mutants, select
from shuffleproof.proofs_check.ledger.entries import Entry, recorded, write_recorded
from shuffleproof.proofs_check.ledger.formal import RECORDS, Theorem, theorems
from shuffleproof.proofs_check.ledger.ground import SYMPY, Argument, Cited, Coq, Ground, Row
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.number_mutants import mutate_numbers, recorded_number_mutants, without_effect, write_number_mutants
from shuffleproof.proofs_check.ledger.record import judge, unreached
from shuffleproof.proofs_check.ledger.statements import Budget, Result, Statement, statement
from shuffleproof.proofs_check.ledger.trust import Standing, compute
from shuffleproof.proofs_check.ledger.verdict import Kind, Status, Verdict, conjunction, erratum
from shuffleproof.proofs_check.papers import TITLES
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError, UndecidedError

QUICK = Budget()


def _verdict(status: Status = Status.EXHAUSTED, **changes: object) -> Verdict:
    given: dict[str, object] = {"status": status, "domain": "n <= 3", "cases": 3}
    if status is Status.REFUTED:
        given["witness"] = "n = 2"
    return Verdict(**(given | changes))  # type: ignore[arg-type]


@dataclass(frozen=True)
class _Claim:
    most: Fraction


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declarations made inside the test are forgotten after it."""
    registry()
    declared = dict(statements.DECLARED)
    monkeypatch.setattr(statements, "DECLARED", declared)
    monkeypatch.setattr(checking, "DECLARED", declared)


def _declared(verdict: Verdict, id: str = "FMT21.Lem0.0", **given: Any) -> Statement:
    described: dict[str, Any] = {"where": "nowhere", "provenance": "derived", "says": "a test"} | given
    return statement(id, **described)(lambda budget, **parts: verdict)


def _drift(results: list[Result], record: dict[str, Status], *, complete: bool = False) -> list[str]:
    known = {
        id: Entry(own_status=status, status=status, kind=Kind.FALSE if status is Status.REFUTED else None) for id, status in record.items()
    }
    declared = {result.statement.id: result.statement for result in results}
    return list(judge(results, known, statements=declared, complete=complete).drift)


@pytest.mark.usefixtures("scratch")
def test_a_repeated_or_malformed_id_is_refused() -> None:
    _declared(_verdict())
    with pytest.raises(ValueError, match="twice"):
        _declared(_verdict())
    for id in ("Lem2.3", "fmt21.Lem2.3", "FMT21.", "FMT21.Lem 2.3"):
        with pytest.raises(ValueError, match="not an id"):
            _declared(_verdict(), id)


@pytest.mark.usefixtures("scratch")
def test_a_place_is_read_from_the_id_and_grounds_from_their_text() -> None:
    for id, place in ((A, "Lemma 0.1"), ("FMT21.ThmD.1.sharper", "Theorem D.1"), ("FMT21.Sec3.1.remark-p", "Section 3.1")):
        assert _declared(_verdict(), id, where=None).where == place
    for id in ("FMT21.groups", "FMT21.Profile.blocks"):
        with pytest.raises(ValueError, match="names no place"):
            _declared(_verdict(), id, where=None)
    assert _declared(_verdict(), B, grounds=(C, "page#heading")).grounds == (Row(C), Argument("page#heading"))


def test_a_witness_against_a_statement_refutes_it_however_it_was_looked_for() -> None:
    assert Verdict.exhausted(domain="n <= 3", cases=3).status is Status.EXHAUSTED
    assert Verdict.proved(domain="all n", cases=1, against="n = 1") == _verdict(Status.REFUTED, domain="all n", cases=1, witness="n = 1")


@pytest.mark.usefixtures("scratch")
def test_an_erratum_is_about_the_text_and_only_an_erratum_has_a_weight() -> None:
    for provenance in ("recalled", "derived"):
        with pytest.raises(ValueError, match="is a reading"):
            _declared(_verdict(Status.REFUTED), kind=Kind.PART, provenance=provenance)
    for given in ({}, {"kind": Kind.READING}, {"kind": Kind.PART, "provenance": "text", "weight": ""}):
        with pytest.raises(ValueError, match="only an erratum has a weight"):
            _declared(_verdict(Status.REFUTED), **({"weight": "a bound rests on it"} | given))
    assert _declared(_verdict(Status.REFUTED), kind=Kind.PART, provenance="text", weight="a bound rests on it").weight


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


def _returned(budget: Budget, *, found: Verdict) -> Verdict:
    return found


@pytest.mark.usefixtures("scratch")
def test_a_mutant_is_killed_by_a_refutation_that_leaves_no_corrected_statement() -> None:
    verdicts = {
        "refuted": _verdict(Status.REFUTED),
        "vacuous": _verdict(Status.VACUOUS),
        "exhausted": _verdict(Status.EXHAUSTED),
        "open": _verdict(Status.OPEN, note="undecided"),
        "corrected": _verdict(Status.REFUTED, corrected="for n >= 3"),
    }
    mutants = {change: {"found": verdict} for change, verdict in verdicts.items()}
    entry = statement("FMT21.Lem0.0", where="nowhere", provenance="derived", says="a test", mutants=mutants)(_returned)
    killed = {found.mutant.change: found.killed for found in run_mutants(entry, QUICK)}
    assert killed == {"refuted": True, "vacuous": True, "exhausted": False, "open": False, "corrected": False}


def test_an_erratum_keeps_its_corrected_statement_only_while_it_stands() -> None:
    common = {"witness": "n = 1", "corrected": "n >= 2", "domain": "n <= 3", "cases": 3}
    standing = erratum(**common, is_witness=True, counterexample=None)  # type: ignore[arg-type]
    assert (standing.status, standing.witness, standing.corrected) == (Status.REFUTED, "n = 1", "n >= 2")
    fallen = erratum(**common, is_witness=True, counterexample="n = 2")  # type: ignore[arg-type]
    assert (fallen.status, fallen.witness, fallen.corrected) == (Status.REFUTED, "n = 2", None)
    assert erratum(**common, is_witness=False, counterexample=None).status is Status.OPEN  # type: ignore[arg-type]
    open_beside = Verdict.undecided("no proof", domain="n >= 2", cases=1)
    left_open = erratum(**common, is_witness=True, beside=open_beside)  # type: ignore[arg-type]
    assert (left_open.status, left_open.note) == (Status.OPEN, "no proof")
    emptied = erratum(**common, is_witness=True, beside=_verdict(Status.VACUOUS))  # type: ignore[arg-type]
    assert (emptied.status, emptied.corrected) == (Status.REFUTED, None)


@pytest.mark.usefixtures("scratch")
def test_undecided_arithmetic_leaves_a_statement_open_and_any_other_error_names_it() -> None:
    def undecided(budget: Budget) -> Verdict:
        raise UndecidedError(quantity="delta", enclosure=("0", "1"), precision=64)

    def faulty(budget: Budget) -> Verdict:
        raise ZeroDivisionError

    declare = statement("FMT21.Lem0.1", where="nowhere", provenance="derived", says="a test")
    assert next(check([declare(undecided)], QUICK)).verdict.status is Status.OPEN
    declare = statement("FMT21.Lem0.2", where="nowhere", provenance="derived", says="a test")
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


def test_a_paper_without_a_title_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TITLES, "BBGN19")
    with pytest.raises(DomainError, match="paper = BBGN19: must be named with its title"):
        registry()


def test_statements_come_in_paper_order() -> None:
    order = list(registry())
    wanted = ["FMT21.Sec1.remark-order", "FMT21.Def2.1", "FMT21.Lem2.3", "FMT21.Lem2.3.finite", "FMT21.Thm3.1", "FMT21.Thm3.2"]
    wanted += ["FMT21.Thm3.2.finite", "FMT21.Lem3.5", "FMT21.LemA.1"]
    assert [id for id in order if id in wanted] == wanted


def test_select_keeps_the_order_of_the_paper_and_filters() -> None:
    assert [entry.id for entry in select(["FMT21.Thm3.1", "FMT21.Def2.1"])] == ["FMT21.Def2.1", "FMT21.Thm3.1"]
    assert len(select(paper="FMT21")) == sum(entry.paper == "FMT21" for entry in registry().values())


def test_every_statement_is_complete_and_governs_modules_that_exist() -> None:
    for entry in registry().values():
        assert entry.where, entry.id
        assert entry.says, entry.id
        assert entry.range, entry.id
        assert entry.mutants or recorded()[entry.id].own_status is Status.OPEN, f"{entry.id} has no mutant"
        for module in entry.governs:
            importlib.import_module(f"shuffleproof.{module}")


def test_every_recorded_status_has_a_statement_and_every_statement_a_record() -> None:
    assert set(recorded()) == set(registry())


@pytest.mark.usefixtures("scratch")
def test_drift_names_every_difference() -> None:
    results = [Result(_declared(_verdict(Status.PROVED)), _verdict(Status.PROVED), 0.1)]
    assert _drift(results, {"FMT21.Lem0.0": Status.PROVED}) == []
    (line,) = _drift(results, {"FMT21.Lem0.0": Status.SAMPLED})
    assert line == "FMT21.Lem0.0: own status proved, recorded as sampled; status proved, recorded as sampled"
    assert _drift(results, {}) == ["FMT21.Lem0.0: proved, not recorded"]
    gone = {"FMT21.Lem0.0": Status.PROVED, "FMT21.Lem0.3": Status.OPEN}
    assert _drift(results, gone) == []
    assert _drift(results, gone, complete=True) == ["FMT21.Lem0.3: recorded as open, not in the ledger"]


@pytest.mark.usefixtures("scratch")
def test_a_refuted_statement_whose_correction_fails_or_whose_kind_changes_is_drift() -> None:
    entry, record = _declared(_verdict(Status.REFUTED), kind=Kind.FALSE, provenance="text"), {"FMT21.Lem0.0": Status.REFUTED}
    assert _drift([Result(entry, _verdict(Status.REFUTED, corrected="n >= 3"), 0.1)], record) == []
    assert "corrected statement fails" in _drift([Result(entry, _verdict(Status.REFUTED), 0.1)], record)[0]
    other = _declared(_verdict(Status.REFUTED), "FMT21.Lem0.1", kind=Kind.READING)
    line = _drift([Result(other, _verdict(Status.REFUTED, corrected="n >= 3"), 0.1)], {"FMT21.Lem0.1": Status.REFUTED})[0]
    assert "kind reading, recorded as false" in line


def test_the_record_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "recorded.json"
    known = {"FMT21.Lem0.0": Entry(own_status=Status.PROVED, status=Status.ARGUED, kind=Kind.GAP, unreached=("section1.check+2",))}
    write_recorded(known, path)
    assert recorded(path) == known
    assert stat.S_IMODE(path.stat().st_mode) == 0o644

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_recorded({}, path)
    assert recorded(path) == known
    assert os.listdir(tmp_path) == ["recorded.json"]


def _trust(own: dict[str, Status], grounds: dict[str, tuple[Ground, ...]], **given: Any) -> Any:
    declared = {id: _declared(_verdict(), id, grounds=grounds.get(id, ())) for id in own}
    standings = {id: Standing(status, Status.CERTIFIED if status is Status.REFUTED else None) for id, status in own.items()}
    return compute(declared, standings, **given)


A, B, C = "FMT21.Lem0.1", "FMT21.Lem0.2", "FMT21.Lem0.3"


@pytest.mark.usefixtures("scratch")
def test_a_status_is_the_weakest_along_the_chain_and_the_chain_is_shown() -> None:
    found = _trust({A: Status.PROVED, B: Status.PROVED, C: Status.SAMPLED}, {A: (SYMPY, Row(B)), B: (Row(C),)})
    assert found.problems == ()
    assert [found.by_id[id].status for id in (A, B, C)] == [Status.SAMPLED] * 3
    assert found.by_id[A].chain == ((A, Status.PROVED), (B, Status.PROVED), (C, Status.SAMPLED))
    assert found.by_id[A].grounds == ((SYMPY, Status.PROVED), (Row(B), Status.SAMPLED))
    assert (
        _trust({"FMT21.Lem0.4": Status.PROVED}, {"FMT21.Lem0.4": (Cited("Hoeffding, 1963"),)}).by_id["FMT21.Lem0.4"].status is Status.ARGUED
    )


@pytest.mark.usefixtures("scratch")
def test_a_correction_carries_with_its_own_strength_and_a_refuted_statement_carries_nothing() -> None:
    as_corrected = _trust({A: Status.PROVED, B: Status.REFUTED}, {A: (Row(B, corrected=True),)})
    assert as_corrected.problems == ()
    assert (as_corrected.by_id[A].status, as_corrected.by_id[B].status) == (Status.CERTIFIED, Status.REFUTED)


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize(
    ("own", "ground", "words"),
    [
        ({A: Status.PROVED}, Row("FMT21.Lem9.9"), "not in the ledger"),
        ({A: Status.PROVED}, Row(A), f"{A} rests on itself: {A} -> {A}"),
        ({A: Status.PROVED, B: Status.REFUTED}, Row(B), "refuted, and does not say: as corrected"),
        ({A: Status.PROVED, B: Status.PROVED}, Row(B, corrected=True), "not refuted"),
        ({A: Status.PROVED}, Coq("nothing"), "no record"),
        ({A: Status.PROVED}, Argument("page#absent"), "not written"),
        ({A: Status.PROVED}, Argument("absent#a-heading"), "not written"),
    ],
)
def test_planted_faults_of_grounds_are_noticed(own: dict[str, Status], ground: Ground, words: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# A heading\n")
    found = _trust(own, {A: (ground,)}, arguments=tmp_path)
    assert len(found.problems) == 1
    assert words in found.problems[0]
    assert found.by_id[A].status.weight < Status.PROVED.weight or ground == Row(B, corrected=True)


@pytest.mark.usefixtures("scratch")
def test_a_longer_cycle_is_noticed() -> None:
    found = _trust({A: Status.PROVED, B: Status.PROVED, C: Status.PROVED}, {A: (Row(B),), B: (Row(C),), C: (Row(A),)})
    assert any("rests on itself" in line for line in found.problems)


@pytest.mark.usefixtures("scratch")
def test_a_theorem_of_coq_makes_the_row_that_it_says_formal(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    assert theorems(path) == {}
    path.write_text(json.dumps([{"theorem": "lemma_0", "row": A, "assumptions": [], "checked_with": "Coq 8"}]))
    known = theorems(path)
    assert known == {"lemma_0": Theorem("lemma_0", A, (), "Coq 8")}
    found = _trust({A: Status.FORMAL, B: Status.PROVED}, {A: (Coq("lemma_0"),), B: (Coq("lemma_0"),)}, theorems=known)
    assert (found.by_id[A].status, found.by_id[B].status, found.problems) == (Status.FORMAL, Status.PROVED, ())
    path.write_text("[{}]")
    with pytest.raises(IntegrityError):
        theorems(path)


@pytest.mark.usefixtures("scratch")
def test_what_coq_has_checked_whole_is_not_weakened_by_what_its_check_rests_on(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    path.write_text(json.dumps([{"theorem": "lemma_0", "row": A, "assumptions": [], "checked_with": "Coq 8"}]))
    statuses = {A: Status.FORMAL, B: Status.SAMPLED, C: Status.PROVED}
    found = _trust(statuses, {A: (Coq("lemma_0"), Row(B)), B: (), C: (Row(A),)}, theorems=theorems(path))
    assert (found.by_id[A].status, found.by_id[C].status) == (Status.FORMAL, Status.PROVED)


def test_a_theorem_whose_sources_have_changed_counts_as_not_checked(tmp_path: Path) -> None:
    rows = json.loads(RECORDS.read_text("utf-8"))
    assert "hiding_among_the_clones" in theorems()
    changed = [{**row, "sources": "0" * 64} if row["theorem"] == "hiding_among_the_clones" else row for row in rows]
    (tmp_path / "records.json").write_text(json.dumps(changed))
    assert set(theorems()) - set(theorems(tmp_path / "records.json")) == {"hiding_among_the_clones"}


@pytest.mark.usefixtures("scratch")
def test_a_check_cannot_claim_more_than_its_steps_show() -> None:
    declare = statement("FMT21.Lem0.5", where="nowhere", provenance="derived", says="a check that returns a constant")
    with pytest.raises(ValueError, match="claims proved"):
        next(check([declare(lambda budget: _verdict(Status.PROVED))], QUICK))
    declare = statement("FMT21.Lem0.6", where="nowhere", provenance="derived", says="argued, without an argument")
    with pytest.raises(ValueError, match="no written argument"):
        next(check([declare(lambda budget: _verdict(Status.ARGUED))], QUICK))

    def finite(budget: Budget) -> Verdict:
        return exhaustive.for_all(range(3), holds=lambda k: k < 3).verdict(domain="k < 3", witness=str, claims=Status.PROVED)

    with pytest.raises(ValueError, match="a search cannot show"):
        finite(QUICK)


@pytest.mark.usefixtures("scratch")
def test_a_step_that_no_mutant_falsifies_is_reported() -> None:
    x = sympy.Symbol("x")

    @statement(A, where="nowhere", provenance="derived", says="two steps", mutants={"2 for 1": {"one": 2}})
    def two_steps(budget: Budget, *, one: int = 1) -> Verdict:
        holds = symbolic.are_identical(x + one, 1 + x)
        constant = symbolic.are_identical(x * 2, x + x)
        status = Status.PROVED if holds and constant else Status.REFUTED
        return Verdict(status=status, domain="all x", cases=2, witness="x = 0")

    results, mutants = list(check([two_steps], QUICK)), list(run_mutants(two_steps, QUICK))
    assert [found.killed for found in mutants] == [True]
    (place,) = unreached(results, mutants)[A]
    assert place.endswith("two_steps+3")
    finding = judge(results, {}, statements={A: two_steps}, mutants=mutants)
    assert finding.problems == (f"{A}: a step that no mutant falsifies: {place}",)
    known = {A: Entry(own_status=Status.PROVED, status=Status.PROVED, unreached=(place,))}
    assert judge(results, known, statements={A: two_steps}, mutants=mutants).problems == finding.problems
    two_steps.not_falsified = "it is an identity of constants"
    judged = judge(results, known, statements={A: two_steps}, mutants=mutants)
    assert judged.problems == ()
    assert judged.rows[0]["not_falsified"] == "it is an identity of constants"


@pytest.mark.usefixtures("scratch")
def test_numbers_changed_by_machine_are_rejected_or_listed() -> None:
    @statement(A, where="nowhere", provenance="derived", says="k^2 <= 9 for k <= 3; and a number that nothing depends on")
    def squares(budget: Budget, *, most: Fraction = Fraction(9), first: int = 0, idle: int = 5, strict: bool = False) -> Verdict:
        if first < 0:
            raise ValueError("no such case")
        cases = range(first, 4)
        return exhaustive.for_all(cases, holds=lambda k: k * k < most if strict else k * k <= most).verdict(domain="k <= 3", witness=str)

    found = {(mutant.part, mutant.is_now): mutant.outcome for mutant in mutate_numbers(squares, QUICK)}
    assert found == {
        ("most", "891/100"): "rejected",
        **dict.fromkeys((("most", value) for value in ("909/100", "99/10", "18", "90")), "exhausted"),
        ("first", "-1"): "not a statement",
        **dict.fromkeys((("first", value) for value in ("1", "2")), "exhausted"),
        **dict.fromkeys((("idle", value) for value in ("4", "2", "6", "10")), "exhausted"),
        ("strict", "True"): "rejected",
    }
    assert without_effect(mutate_numbers(squares, QUICK)) == [(A, "idle")]


@pytest.mark.usefixtures("scratch")
def test_numbers_in_records_are_changed_and_those_in_tuples_where_there_are_no_others(tmp_path: Path) -> None:
    @statement(A, where="nowhere", provenance="derived", says="a square and a place where it was tried")
    def square(budget: Budget, *, claim: _Claim = _Claim(Fraction(4)), at: tuple[int, ...] = (2,)) -> Verdict:
        return exhaustive.for_all(at, holds=lambda k: k * k <= claim.most).verdict(domain="k = 2", witness=str)

    @statement(B, where="nowhere", provenance="derived", says="places only")
    def places(budget: Budget, *, at: tuple[int, ...] = (1, 2)) -> Verdict:
        return exhaustive.for_all(at, holds=lambda k: k < 3).verdict(domain="two places", witness=str)

    found = [(mutant.part, mutant.is_now, mutant.outcome) for mutant in mutate_numbers(square, QUICK, nearest=True)]
    assert found == [("claim.most", "99/25", "rejected"), ("claim.most", "101/25", "exhausted")]
    assert [mutant.part for mutant in mutate_numbers(places, QUICK, nearest=True)] == ["at[0]", "at[0]", "at[1]", "at[1]"]
    write_number_mutants({A: list(mutate_numbers(square, QUICK, nearest=True))}, tmp_path / "number_mutants.json")
    assert [mutant.outcome for mutant in recorded_number_mutants(tmp_path / "number_mutants.json")[A]] == ["rejected", "exhausted"]
    (tmp_path / "number_mutants.json").write_text("[]")
    with pytest.raises(IntegrityError):
        recorded_number_mutants(tmp_path / "number_mutants.json")


@pytest.mark.parametrize("id", ["BC20.Sec1.2.remark-one-message", "BC20.Sec1.1.remark-polynomial-delta", "BEYOND.LemL2"])
def test_what_became_of_changed_numbers_is_derived_again(id: str) -> None:
    """`shuffleproof ledger record --mutate ID` records it."""
    assert set(recorded_number_mutants()) <= set(registry())
    assert len(set(registry()) - set(recorded_number_mutants())) <= 30
    assert tuple(mutate_numbers(registry()[id], QUICK, nearest=True)) == recorded_number_mutants()[id]


@pytest.mark.deep
def test_what_became_of_all_changed_numbers_is_derived_again() -> None:
    known = registry()
    assert {
        id: rows for id, rows in recorded_number_mutants().items() if tuple(mutate_numbers(known[id], QUICK, nearest=True)) != rows
    } == {}


@pytest.mark.usefixtures("scratch")
def test_what_its_grounds_argue_whole_is_argued_and_says_what_is_missing() -> None:
    missing = "the limit"
    entry = _declared(_verdict(), A, grounds=(Cited("Hoeffding, 1963"),), missing=missing)
    assert judge([Result(entry, _verdict(), 0.1)], {}, statements={A: entry}).entries[A].own_status is Status.ARGUED
    refuted = judge([Result(entry, _verdict(Status.REFUTED), 0.1)], {}, statements={A: entry})
    assert refuted.entries[A].own_status is Status.REFUTED
    assert judge([Result(entry, _verdict(), 0.1)], {}, statements={A: entry}).rows[0]["found"] == "exhausted"
    with pytest.raises(ValueError, match="rests on none"):
        _declared(_verdict(), B, grounds=(SYMPY,), missing=missing)


@pytest.mark.usefixtures("scratch")
def test_a_mutant_is_the_check_itself_with_other_arguments() -> None:
    @statement(A, where="nowhere", provenance="derived", says="k < 3", mutants={"k < 2": {"bound": Fraction(2)}})
    def below(budget: Budget, *, bound: Fraction = Fraction(3)) -> Verdict:
        return exhaustive.for_all(range(3), holds=lambda k: k < bound).verdict(domain="k < 3", witness=str)

    assert next(check([below], QUICK)).verdict.status is Status.EXHAUSTED
    assert [found.killed for found in run_mutants(below, QUICK)] == [True]
    with pytest.raises(ValueError, match="changes nothing"):
        statement(B, where="nowhere", provenance="derived", says="x", mutants={"nothing": {}})


@pytest.mark.parametrize(
    "text", ["", "[]", '{"FMT21.Lem0.0": "sure"}', '{"FMT21.Lem0.0": {"own_status": "sure", "status": "open"}}', '{"FMT21.Lem0.0"']
)
def test_a_damaged_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recorded.json"
    path.write_text(text)
    with pytest.raises(IntegrityError):
        recorded(path)


def test_rows_carry_what_the_command_line_prints() -> None:
    results = list(check(["FMT21.Alg1"], QUICK))
    row = json.loads(json.dumps(judge(results, recorded(), statements=registry()).rows[0]))
    assert {"id", "paper", "status", "domain", "cases", "slack", "witness", "rests_on", "seconds"} <= set(row)
    assert {"own_status", "grounds", "chain", "kind", "provenance", "corrected_status"} <= set(row)
    assert (row["id"], row["paper"], row["status"], row["kind"]) == ("FMT21.Alg1", "FMT21", "refuted", "misprint")
    assert row["grounds"] == [{"kind": "library", "id": "exact rationals (Fraction)", "status": "proved"}]
