"""The faults that hurt most, listed in planted_faults.json: each is noticed by a test of its own layer, and not by accident elsewhere."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mutations

TOP = Path(__file__).resolve().parents[2]
FAULTS = [mutations.Planted(**row) for row in json.loads(Path(__file__).with_name("planted_faults.json").read_text("utf-8"))]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.says)
def test_the_place_of_a_fault_is_still_there(fault: mutations.Planted) -> None:
    assert (TOP / fault.path).read_text("utf-8").count(fault.was) == 1
    assert all((TOP / path).exists() for path in fault.tests.split())


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.says)
def test_a_planted_fault_is_noticed_in_its_own_layer(fault: mutations.Planted) -> None:
    source = (TOP / fault.path).read_text("utf-8").replace(fault.was, fault.now)
    found = mutations.outcome(fault.path, source, fault.tests.split())
    assert found.startswith("tests/"), found


@pytest.mark.deep
def test_what_notices_a_fault_is_told_and_what_survives_too(tmp_path: Path) -> None:
    test = tmp_path / "test_half.py"
    test.write_text("from shuffleproof.spec import distribution\n\n\ndef test_half():\n    assert distribution.bernoulli\n")
    path, text = "spec/distribution.py", (TOP / "spec/distribution.py").read_text("utf-8")
    assert mutations.outcome(path, text, [str(test)]) == "survives"
    assert "test_half" in mutations.outcome(path, text.replace("def bernoulli", "def bernoullis"), [str(test)])


def test_mutants_are_faults_of_the_code_and_not_of_its_words() -> None:
    text = 'def f(x: int) -> int:\n    """1 + 1."""\n    total = 0\n    total += x + 2\n    return -total if x <= 3 and x else max(x, 1)\n'
    found = {
        mutant.applied(text).partition("total = 0\n    ")[2].strip().replace("\n    ", "; ")
        for mutant in mutations.mutants_of("m.py", text)
    }
    total, given = "total += x + 2", "return -total if x <= 3 and x else max(x, 1)"
    for changed in ("x < 3 and x", "x <= 3 or x", "x <= 4 and x"):
        assert f"{total}; {given.replace('x <= 3 and x', changed)}" in found
    assert {f"{total}; {given.replace('max', 'min')}", f"{total}; {given.replace('-total', '+total')}"} <= found
    assert {f"total += {changed}; {given}" for changed in ("x * 1", "x - 2", "x + 3")} | {f"total *= 1; {given}"} <= found
    assert all('"""1 + 1."""' in mutant.applied(text) for mutant in mutations.mutants_of("m.py", text))
