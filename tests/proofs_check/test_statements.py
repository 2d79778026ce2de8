"""Every statement of the ledger: its verdict is the recorded one, and each of its mutants is rejected."""

import zlib

import pytest

from shuffleproof.proofs_check.ledger.checking import all_mutants, check, registry, run_mutants
from shuffleproof.proofs_check.ledger.entries import recorded
from shuffleproof.proofs_check.ledger.formal import theorems
from shuffleproof.proofs_check.ledger.record import judge
from shuffleproof.proofs_check.ledger.statements import Budget, Result, Statement
from shuffleproof.proofs_check.ledger.trust import compute
from shuffleproof.proofs_check.ledger.verdict import Status

STATEMENTS = registry()
RECORD = recorded()
QUICK = Budget()


def drift(result: Result) -> tuple[str, ...]:
    return judge([result], RECORD, statements=STATEMENTS).drift


def drawn(entry: Statement, *, one_of: int) -> bool:
    """Always the same statements: `verify` checks all and runs all their mutants, and so does the deep run."""
    return zlib.crc32(entry.id.encode()) % one_of == 0


@pytest.mark.parametrize(
    "entry", [pytest.param(entry, id=entry.id, marks=() if drawn(entry, one_of=2) else pytest.mark.deep) for entry in STATEMENTS.values()]
)
def test_the_verdict_is_the_recorded_one(entry: Statement) -> None:
    result = next(check([entry], QUICK))
    assert drift(result) == ()
    verdict = result.verdict
    if verdict.status is Status.REFUTED:
        assert verdict.witness
        assert verdict.corrected
    elif verdict.status is not Status.OPEN:
        assert entry.grounds


@pytest.mark.parametrize(
    "entry", [pytest.param(entry, id=entry.id, marks=() if drawn(entry, one_of=5) else pytest.mark.deep) for entry in STATEMENTS.values()]
)
def test_every_mutant_is_rejected(entry: Statement) -> None:
    found = list(run_mutants(entry, QUICK, entry.mutants))
    assert found or RECORD[entry.id].own_status is Status.OPEN, "a check without a mutant"
    assert [result.mutant.change for result in found if not result.killed] == []


def test_what_every_statement_rests_on_is_there_and_carries_it() -> None:
    found = compute(STATEMENTS, {id: entry.standing for id, entry in RECORD.items()}, theorems=theorems())
    assert found.problems == ()
    assert {id: trust.status for id, trust in found.by_id.items()} == {id: entry.status for id, entry in RECORD.items()}


def test_every_refutation_says_what_kind_of_mistake_it_is() -> None:
    for id, entry in RECORD.items():
        assert (entry.own_status is Status.REFUTED) == (STATEMENTS[id].kind is not None), id


def test_what_holds_instead_of_an_erratum_is_checked() -> None:
    refuted = {id: entry for id, entry in RECORD.items() if entry.own_status is Status.REFUTED}
    assert [id for id, entry in refuted.items() if entry.corrected_status in (None, Status.OPEN)] == []
    assert [id for id in refuted if not STATEMENTS[id].mutants] == []


def test_every_step_that_no_mutant_falsifies_has_a_reason() -> None:
    assert [id for id, entry in RECORD.items() if bool(entry.unreached) != bool(STATEMENTS[id].not_falsified)] == []


@pytest.mark.deep
@pytest.mark.parametrize(
    "entry", [entry for entry in STATEMENTS.values() if len(all_mutants(entry)) > len(entry.mutants)], ids=lambda entry: entry.id
)
def test_every_mutant_that_a_machine_wrote_is_rejected(entry: Statement) -> None:
    generated = [mutant for mutant in all_mutants(entry) if mutant.code is not None]
    assert [result.mutant.change for result in run_mutants(entry, QUICK, generated) if not result.killed] == []


@pytest.mark.deep
@pytest.mark.parametrize("entry", STATEMENTS.values(), ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one_at_full_depth(entry: Statement) -> None:
    assert drift(next(check([entry], Budget(depth="full", seed=1)))) == ()
