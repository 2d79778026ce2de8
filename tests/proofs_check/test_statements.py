"""Every statement of the ledger: its verdict is the recorded one, and each of its mutants is rejected."""

from __future__ import annotations

import pytest

from shuffleproof.proofs_check.ledger import Budget, Statement, check, drift, recorded, registry, run_mutants
from shuffleproof.proofs_check.verdict import Status

STATEMENTS = list(registry().values())
QUICK = Budget()


@pytest.mark.parametrize("entry", STATEMENTS, ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one(entry: Statement) -> None:
    result = next(check([entry], QUICK))
    assert drift([result], recorded()) == []
    verdict = result.verdict
    if verdict.status is Status.REFUTED:
        assert verdict.witness
        assert verdict.corrected
    elif verdict.status is not Status.OPEN:
        assert verdict.rests_on


@pytest.mark.parametrize("entry", STATEMENTS, ids=lambda entry: entry.id)
def test_every_mutant_is_rejected(entry: Statement) -> None:
    found = list(run_mutants(entry, QUICK))
    assert found, "a check without a mutant"
    assert [result.mutant.change for result in found if not result.killed] == []


@pytest.mark.deep
@pytest.mark.parametrize("entry", STATEMENTS, ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one_at_full_depth(entry: Statement) -> None:
    assert drift(check([entry], Budget(depth="full", seed=1)), recorded()) == []
