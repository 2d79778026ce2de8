"""Mutants: what a machine writes; what is said to be proved is proved in every number that it states.

False variants of statements that their checks once accepted are mutants of their rows. Those in which one number is changed by 1 percent,
or an integer by 1, are not repeated: `number_mutants.json` has what became of every one.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.proofs_check.ledger import (
    SYMPY,
    Budget,
    Status,
    Verdict,
    all_mutants,
    recorded,
    registry,
    run_mutants,
    statement,
    statements,
)
from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.ledger.code_changes import applied, offers, place_of, store, stored
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.number_mutants import outside_the_proof, recorded_number_mutants
from shuffleproof.proofs_check.ledger.statements import CodeChange, Mutant
from shuffleproof.proofs_check.ledger.writing import falsifying
from shuffleproof.proofs_check.papers.bc20 import section3_1
from shuffleproof.spec.vocabulary.errors import IntegrityError

ROW = "BC20.Sec3.1.remark-p"
FUNCTION = "bc20.section3_1.range_of_p"


def test_a_change_holds_inside_and_not_after() -> None:
    entry, before = registry()[ROW], section3_1.range_of_p.check.__code__  # type: ignore[attr-defined]
    change = next(offered.change for offered in offers(FUNCTION) if offered.change.was == "1 - 50 * length / (n * (100 * length / n))")
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


QUICK = Budget()
Parts = dict[str, Any]


def kept_single(fewer: int) -> Callable[..., dict[int, int]]:
    """Blocks of alike users with so many single ones fewer than there are loss types, and what is over by its binary digits."""

    def count(*, users: int, groups: list[int]) -> dict[int, int]:
        singles = [max(0, number - fewer) for number in groups]
        number, extra = divmod(users - sum(k << j for j, k in enumerate(singles)), 1 << len(groups))
        return {**{1 << j: k + (extra >> j & 1) for j, k in enumerate(singles)}, 1 << len(groups): number}

    return count


NOT_IN_THE_STEPS: tuple[tuple[str, Parts], ...] = (
    ("CSUZZ19.Thm5.5", {"noise": Fraction(1)}),
    ("CSUZZ19.Clm4.6", {"constant": Fraction(29)}),
    ("CSUZZ19.Cor4.7", {"constant": Fraction(29)}),
    ("CSUZZ19.Clm4.9", {"constant": Fraction(41)}),
    ("CSUZZ19.Clm4.10", {"constant": Fraction(350)}),
    ("CSUZZ19.Lem4.8", {"first": Fraction(41)}),
    ("CSUZZ19.Lem4.8", {"second": Fraction(350)}),
    ("CSUZZ19.Lem4.8.all", {"second": Fraction(300)}),
    ("LSZKG22.Alg1.fine-discrete-gaussian", {"share": Fraction(96, 100)}),
    ("LSZKG22.Thm5.1", {"noise": Fraction(4)}),
)
"""A number of the statement that only listed points looked at: stronger than what is proved, and left open."""


@pytest.mark.parametrize(("id", "parts"), NOT_IN_THE_STEPS)
def test_a_number_that_only_points_looked_at_is_left_open(id: str, parts: Parts) -> None:
    verdict, _, _ = decide(registry()[id], QUICK, Mutant("", parts))
    assert verdict.status is Status.OPEN


def test_as_many_single_users_as_there_are_loss_types_but_one_are_enough() -> None:
    """K_j - 1 + e_j blocks of 2^j, e the digits of S - sum (K_j - 1) 2^j: sharper than what is used, and true; with K_j - 2 it is false."""
    entry = registry()["BEYOND.any-law-alike-blocks"]
    assert decide(entry, QUICK, Mutant("", {"count": kept_single(1)}))[0].holds
    assert decide(entry, QUICK, Mutant("", {"count": kept_single(2)}))[0].status is Status.REFUTED


FEW = (
    "CSUZZ19.ThmE.1",
    "CSUZZ19.ThmE.2",
    "CSUZZ19.ThmE.3",
    "CSUZZ19.CorB.3",
    "BC20.CorA.4",
    "BC20.Thm3.2-sharper",
    "FMT21.Alg2.noise-doubled",
)
STRONGER: tuple[tuple[str, dict[str, Any]], ...] = (
    ("CSUZZ19.ThmE.3", {"factor": Fraction(69, 20)}),
    ("CSUZZ19.Thm4.11", {"factor": Fraction(42, 25)}),
    ("CSUZZ19.CorB.3", {"shrink": Fraction(99, 100)}),
    ("CSUZZ19.Clm4.4", {"constant": Fraction(3168, 100)}),  # by the next term of the exponent
    ("CSUZZ19.Thm5.4", {"constant": Fraction(792, 100)}),
    ("CSUZZ19.ThmD.1", {"times": Fraction(2)}),  # by clipping
    ("BC20.CorA.4", {"constant": Fraction(99, 2)}),
)
"""Variants that are stronger and true, by another argument than the printed one."""


@pytest.mark.parametrize(("id", "parts"), STRONGER)
def test_a_stronger_variant_that_holds_is_proved(id: str, parts: dict[str, Any]) -> None:
    assert decide(registry()[id], QUICK, Mutant("", parts))[0].status is Status.PROVED


@pytest.mark.parametrize("id", FEW)
def test_both_sides_of_every_number_of_a_proved_statement_are_decided_by_its_proof(id: str) -> None:
    assert outside_the_proof(registry()[id], QUICK) == []


@pytest.mark.deep
def test_both_sides_of_every_number_of_every_proved_statement_are_decided_by_its_proof() -> None:
    known, record = registry(), recorded()
    proved = [entry for id, entry in known.items() if id in record and record[id].own_status is Status.PROVED]
    assert {entry.id: found for entry in proved if (found := outside_the_proof(entry, QUICK))} == {}


def faults(factor_looked_at: bool, weaker: dict[str, Any], accepted: Status = Status.PROVED) -> list[str]:
    """What is found of "x <= factor x^2 at x = 1", where the proof looks at the factor or not."""

    @statement("FMT21.Xmp1", where="here", provenance="derived", says="x <= 2 x^2 at x = 1", grounds=[SYMPY], weaker=weaker)
    def example(budget: Budget, *, factor: Fraction = Fraction(2)) -> Verdict:
        if not (symbolic.holds(factor >= 1 or not factor_looked_at) and factor >= 1):
            return Verdict.refuted("x = 1", domain="x = 1", cases=1)
        return Verdict(status=Status.PROVED if factor == 2 else accepted, domain="x = 1", cases=1)

    del statements.DECLARED["FMT21.Xmp1"]
    return outside_the_proof(example, QUICK)


def test_no_changed_number_is_left_undecided() -> None:
    """Each changed by 1 percent or by 1 is rejected, or accepted with the word that its check gives it."""
    assert [mutant for each in recorded_number_mutants().values() for mutant in each if mutant.outcome == "undecided"] == []


def test_what_a_proof_does_not_decide_of_a_number_is_found() -> None:
    assert faults(True, {"factor": "larger"}) == []
    assert faults(True, {}) == ["factor: accepted however much larger, and not said to be weaker"]
    assert faults(False, {"factor": "larger"}) == ["factor: no step of the proof fails, whatever it is"]
    assert "said to be weaker, and not accepted" in faults(True, {"factor": "smaller"})[0]
    assert "is accepted, and certified" in faults(True, {"factor": "larger"}, Status.CERTIFIED)[0]


def test_without_assertions_nothing_is_checked() -> None:
    command = [sys.executable, "-O", "-m", "shuffleproof", "ledger", "check", "FMT21.Lem2.3"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONOPTIMIZE": "1"}, check=False)
    assert done.returncode == 2
    assert "without -O" in done.stderr
