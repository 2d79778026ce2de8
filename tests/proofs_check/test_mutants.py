"""Mutants: what a machine writes and what was accepted once; what is said to be proved is proved in every number that it states.

False variants of statements that their checks once accepted stand by family of fault, each with what shows that it is false. Those in
which one number is changed by 1 percent, or an integer by 1, are not repeated here: `number_mutants.json` has what became of every one.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
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
from shuffleproof.proofs_check.papers.beyond.swap import first_arrival_approximate
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import the_pair
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.bounds.swap import another_place, controlled_sum, swap_in_levels
from shuffleproof.spec.bounds.swap import first_arrival_approximate as approximate
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
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


QUICK = Budget()
Parts = dict[str, Any]


def changed(bound: Callable[..., Fraction], where: Callable[..., bool]) -> Callable[..., Fraction]:
    """The bound, half as large where it says so."""
    return lambda **asked: bound(**asked) / (2 if where(**asked) else 1)


def kept_single(fewer: int) -> Callable[..., dict[int, int]]:
    """Blocks of alike users with so many single ones fewer than there are loss types, and what is over by its binary digits."""

    def count(*, users: int, groups: list[int]) -> dict[int, int]:
        singles = [max(0, number - fewer) for number in groups]
        number, extra = divmod(users - sum(k << j for j, k in enumerate(singles)), 1 << len(groups))
        return {**{1 << j: k + (extra >> j & 1) for j, k in enumerate(singles)}, 1 << len(groups): number}

    return count


def less_beta(of_users: int) -> Callable[[int, Parameters], Any]:
    """The pair, with a beta that is too small for one number of users."""
    return lambda n, asked: the_pair(n, replace(asked, beta=asked.beta * Fraction(99, 100)) if n == of_users else asked)


def one_more(of: Callable[..., Fraction], beyond: int, name: str = "n") -> Callable[..., Fraction]:
    """The bound, of one user more where there are more than so many."""
    return lambda *deltas, **asked: of(*deltas, **{**asked, name: asked[name] + (asked[name] > beyond)})


NOT_IN_THE_STEPS: tuple[tuple[str, Parts], ...] = (
    ("CSUZZ19.ClmC.2", {"factor": Fraction(1)}),  # n = 10^6, as for Theorem 4.11
    ("CSUZZ19.Thm5.5", {"noise": Fraction(1)}),
    ("CSUZZ19.Clm4.6", {"constant": Fraction(29)}),
    ("CSUZZ19.Cor4.7", {"constant": Fraction(29)}),
    ("CSUZZ19.Clm4.9", {"constant": Fraction(41)}),
    ("CSUZZ19.Clm4.10", {"constant": Fraction(350)}),
    ("CSUZZ19.Lem4.8", {"first": Fraction(41)}),
    ("CSUZZ19.Lem4.8", {"second": Fraction(350)}),
    ("CSUZZ19.Lem4.8.all", {"second": Fraction(300)}),
    ("BC20.Thm3.2-one-event", {"total": Fraction(99, 100)}),
    ("LSZKG22.Alg1.fine-discrete-gaussian", {"share": Fraction(96, 100)}),
    ("CSUZZ19.Thm4.11", {"factor": Fraction(1)}),  # n = 10^6, beta = 1e-12
    ("CSUZZ19.ThmE.3", {"condition": Fraction(2, 9)}),
    ("CSUZZ19.Clm4.4", {"constant": Fraction(288, 10)}),  # 10^5 random users
    ("CSUZZ19.ThmE.2", {"divisor": Fraction(101, 50)}),  # 10^7 fair bits
    ("LSZKG22.Thm5.1", {"noise": Fraction(4)}),
    ("FMT21.Cor4.2-condition", {"constant": Fraction(249, 100)}),  # delta = 10^-5000
    ("BBGN19.Lem5.1", {"halves": Fraction(99, 50)}),  # kRR of two values, e^eps0 = 2^400
)
"""A number of the statement that only listed points looked at: stronger than what is proved, and no longer accepted."""
ONLY_AT_THE_EXTREME: tuple[tuple[str, Parts], ...] = (
    ("CSUZZ19.Thm2.3", {"reduction": Fraction(1, 100)}),
    ("CSUZZ19.LemD.6", {"width": Fraction(99, 50)}),  # a ratio between the two ends
    ("CSUZZ19.ThmD.1.sharper", {"power": Fraction(99, 50)}),  # two distributions on both ends around a third
    ("FMT21.Lem3.7-replacement", {"power": Fraction(99, 50)}),
    ("CSUZZ19.Sec6.2.2.footnote-4", {"entries": Fraction(99, 50)}),  # where one bit sum has no delta left
    ("CSUZZ19.Sec6.2.1.remark-central", {"half": Fraction(99, 50)}),  # scores far apart
    ("BEYOND.views-of-sums", {"paid": Fraction(99, 100)}),  # nearly certain bits, a threshold above n
)
"""False for cases that no small or drawn one comes near."""
NEVER_ASKED: tuple[tuple[str, Parts], ...] = (
    ("BEYOND.any-law-place", {"bound": changed(another_place.delta, lambda **asked: not asked["others"])}),  # one user
    ("BEYOND.first-arrival", {"bound": changed(controlled_sum.first_arrival, lambda **asked: asked["n"] == 1)}),
    ("BEYOND.Cor-composition", {"pair_of": less_beta(3)}),
    ("BEYOND.any-law-alike-blocks", {"count": kept_single(2)}),  # as many users as loss types
    ("BEYOND.first-arrival-approximate", {"claim": first_arrival_approximate.Claim(losses=first_arrival_approximate._one_leak)}),
)
"""False for one number of users, or one randomizer, that the check did not look at."""
THE_SAME_FOR_FEW: tuple[tuple[str, Parts], ...] = (
    ("BEYOND.first-arrival", {"bound": one_more(controlled_sum.first_arrival, 4)}),
    ("BEYOND.first-arrival-approximate", {"claim": first_arrival_approximate.Claim(bound=one_more(approximate.delta, 3))}),
    ("BEYOND.swap-in-levels", {"arrived": one_more(swap_in_levels.arrived, 2, "N")}),
    ("BEYOND.swap-in-levels", {"nobody": one_more(swap_in_levels.nobody, 3)}),
    ("BEYOND.random-participation", {"mixed": one_more(random_participation.mixed, 2)}),
)
"""The statement as it is for the few users that are enumerated, and false for more."""


def rejected(id: str, parts: Parts) -> bool:
    verdict, _, _ = decide(registry()[id], QUICK, Mutant("", parts))
    assert verdict.holds or verdict.witness or verdict.note, "a counterexample, or why the check leaves it open"
    return not verdict.holds


QUICKLY = (*NOT_IN_THE_STEPS[-7:], NOT_IN_THE_STEPS[0], NOT_IN_THE_STEPS[7], ONLY_AT_THE_EXTREME[0], ONLY_AT_THE_EXTREME[3])
QUICKLY += (*NEVER_ASKED[2:4], THE_SAME_FOR_FEW[2], THE_SAME_FOR_FEW[4])
ALL = (*NOT_IN_THE_STEPS, *ONLY_AT_THE_EXTREME, *NEVER_ASKED, *THE_SAME_FOR_FEW)


@pytest.mark.parametrize(("id", "parts"), [pytest.param(*each, marks=() if each in QUICKLY else pytest.mark.deep) for each in ALL])
def test_a_variant_that_was_accepted_once_is_not(id: str, parts: Parts) -> None:
    assert rejected(id, parts)


def test_one_single_user_fewer_than_there_are_loss_types_is_enough() -> None:
    """K_j - 1 + e_j blocks of 2^j, e the digits of S - sum (K_j - 1) 2^j: sharper than what is used, and true."""
    assert not rejected("BEYOND.any-law-alike-blocks", {"count": kept_single(1)})


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
