"""What answers cite: no row that a bound, a calibration or a composition rests on is below `argued`."""

import re
from pathlib import Path

from method_records import RECORDS

from shuffleproof.proofs_check.ledger import Entry, Status, recorded, registry
from shuffleproof.proofs_check.ledger.formal import theorems
from shuffleproof.proofs_check.ledger.trust import Trust, compute

ROOT = Path(__file__).resolve().parents[2]
STATEMENTS = registry()
RECORD = recorded()
ANSWERING = ("shuffleproof/run", "impl/ball/calibration", "shuffleproof/planning/composition.py")
LOOSER = {"FMT21.Thm5.2": "refuted as printed; what is cited is the corrected statement"}


def of_methods() -> set[str]:
    return {each.statement for each in RECORDS}


def of_other_answers() -> set[str]:
    """Every id in the code that calibrates, composes and releases."""
    files = [path for place in ANSWERING for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))]
    return {id for path in files for id in re.findall(r'"([A-Z]+[0-9]*\.[\w.-]+)"', path.read_text("utf-8")) if id in STATEMENTS}


def trusts() -> dict[str, Trust]:
    return compute(STATEMENTS, {id: entry.standing for id, entry in RECORD.items()}, theorems=theorems()).by_id


def below(ids: set[str], known: dict[str, Trust]) -> dict[str, str]:
    return {id: str(known[id].chain) for id in sorted(ids) if known[id].status.weight < Status.ARGUED.weight and id not in LOOSER}


def test_no_row_that_an_answer_cites_is_below_argued() -> None:
    assert len(of_methods()) > 20
    assert "CSUZZ19.Def3.4.bit-sum" in of_other_answers()
    assert below(of_methods() | of_other_answers(), trusts()) == {}


def test_a_cited_row_that_rests_on_cases_is_noticed() -> None:
    weaker = {**RECORD, "BEYOND.LemL1": Entry(own_status=Status.SAMPLED, status=Status.SAMPLED)}
    known = compute(STATEMENTS, {id: entry.standing for id, entry in weaker.items()}, theorems=theorems()).by_id
    assert "BEYOND.any-law-above" in below(of_methods(), known)


def test_what_is_argued_and_cited_says_what_no_machine_has_checked() -> None:
    known = trusts()
    argued = {id for id in of_methods() | of_other_answers() if known[id].status is Status.ARGUED}
    assert [id for id in sorted(argued) if not any(STATEMENTS[row].missing for row, _ in known[id].chain if row in STATEMENTS)] == []
