"""What is said to be proved is proved in every number that it states, and the ledger checks nothing where assertions are dropped."""

import os
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from shuffleproof.proofs_check.ledger import SYMPY, Budget, Status, Verdict, recorded, registry, statement, statements
from shuffleproof.proofs_check.ledger.bending import outside_the_proof, recorded_bent
from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.ledger.methods import symbolic

QUICK = Budget()
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
    assert decide(registry()[id], QUICK, parts)[0].status is Status.PROVED


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


def test_no_bent_number_is_left_undecided() -> None:
    """Each bent by 1 percent or by 1 is rejected, or accepted with the word that its check gives it."""
    assert [bent for each in recorded_bent().values() for bent in each if bent.outcome == "undecided"] == []


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
