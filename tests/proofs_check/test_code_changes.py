"""Mutants that a machine writes: one expression of a check's code is changed, for everybody who calls it, and put back."""

from pathlib import Path

import pytest

from shuffleproof.proofs_check.ledger import Budget, Status, all_mutants, registry, run_mutants
from shuffleproof.proofs_check.ledger.code_changes import applied, offers, place_of, store, stored
from shuffleproof.proofs_check.ledger.statements import CodeChange
from shuffleproof.proofs_check.ledger.writing import falsifying
from shuffleproof.proofs_check.papers.bc20 import section3_1
from shuffleproof.spec.vocabulary.errors import IntegrityError

ROW = "BC20.Sec3.1.remark-p"
FUNCTION = "bc20.section3_1.range_of_p"


def test_a_change_holds_inside_and_not_after() -> None:
    entry, before = registry()[ROW], section3_1.range_of_p.check.__code__  # type: ignore[attr-defined]
    change = next(offered.change for offered in offers(FUNCTION) if offered.change.was == "50 / (100 + t)")
    with applied(change):
        assert entry.check.__code__ is not before  # type: ignore[attr-defined]
    assert entry.check.__code__ is before  # type: ignore[attr-defined]


def test_a_change_that_no_longer_fits_the_code_is_an_error() -> None:
    with pytest.raises(ValueError, match="no longer fits"), applied(CodeChange(FUNCTION, "51 / (100 + t)", "50 / (100 + t)")):
        pass


def test_a_step_that_no_argument_falsifies_gets_a_mutant_that_its_own_check_rejects() -> None:
    entry = registry()[ROW]
    place = next(step for mutant in run_mutants(entry, Budget()) for step in mutant.steps.shows)
    assert place_of(place, entry) is not None
    assert place_of("nowhere.nothing+3", entry) is None
    found = falsifying(entry, [place], Budget())
    assert set(found) == {place}
    (outcome,) = run_mutants(entry, Budget(), [mutant for mutant in all_mutants(entry) if mutant.code is not None][:1])
    assert outcome.killed
    assert outcome.verdict.status in (Status.REFUTED, Status.OPEN)


def test_what_is_offered_names_itself_and_changes_something() -> None:
    known = offers(FUNCTION)
    assert len({offered.change for offered in known}) == len(known) > 10
    assert all(offered.change.was != offered.change.becomes and offered.first <= offered.last for offered in known)


def test_stored_changes_are_read_back_and_damage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "generated.json"
    changes = {ROW: (CodeChange(FUNCTION, "1 - x", "1 + x", 1),)}
    store(changes, path)
    assert stored(path) == changes
    for damaged in ("", "[1]", '{"a": [{"function": "f"}]}'):
        path.write_text(damaged)
        with pytest.raises(IntegrityError):
            stored(path)
