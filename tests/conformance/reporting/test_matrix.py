"""Reports side by side: what speaks against whom, counted by operation and by flag, and told by a badge."""

import xml.etree.ElementTree as Tree
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.conformance.reporting.matrix import badge, badges, matrix
from shuffleproof.report.conform import matrix_page


def report(name: str, *verdicts: tuple[str, str, str]) -> dict[str, Any]:
    rest = {"input": {"method": "clones", "n": "2"}, "detail": "", "value": "0", "claim": "upper", "expected": "1", "seconds": None}
    cases = [
        {**rest, "id": f"{operation} {place}", "operation": operation, "verdict": verdict, "flags": [flag]}
        for place, (operation, verdict, flag) in enumerate(verdicts)
    ]
    return {"implementation": {"name": name, "version": "1", "language": "c"}, "suite": "all", "cases": cases}


GOOD = report("<good>", ("delta", "conforms", "TIE"), ("delta", "loose", "GRID"), ("epsilon", "conforms", "TIE"))
BAD = report("bad", ("delta", "unsound", "TIE"), ("delta", "conforms", "GRID"), ("epsilon", "unsupported", "TIE"))


def test_rows_are_operations_or_flags_and_columns_are_implementations() -> None:
    found = matrix([GOOD, BAD, BAD])
    assert found.columns == ("<good> 1", "bad 1 (1)", "bad 1 (2)")
    texts = {name: [cell.text if cell else None for cell in cells] for name, cells in found.rows.items()}
    assert texts == {
        "delta of clones": ["2 of 2, 1 loose", "1 of 2, wrong", "1 of 2, wrong"],
        "epsilon of clones": ["1 of 1", "not answered", "not answered"],
    }
    flags = {name: [cell.colour if cell else None for cell in cells] for name, cells in matrix([GOOD, BAD], by="flag").rows.items()}
    assert flags == {"GRID": ["green", "green"], "TIE": ["green", "red"]}
    assert [cell.colour for cell in found.totals] == ["green", "red", "red"]


def test_a_badge_is_svg_whatever_the_implementation_is_called(tmp_path: Path) -> None:
    found = matrix([GOOD, BAD])
    written = badges(found, tmp_path)
    assert [path.name for path in written] == ["good-1.svg", "bad-1.svg"]
    for path in written:
        Tree.parse(path)
    assert "<script" not in badge("<script>", found.totals[0])


def test_the_page_says_who_fails_and_runs_nothing() -> None:
    page = matrix_page(matrix([GOOD, BAD]), matrix([GOOD, BAD], by="flag"))
    assert "&lt;good&gt; 1" in page
    assert '<span class="red">1 of 2, wrong</span>' in page


@pytest.mark.parametrize("verdict", ["crashed", "refused", "mismatch"])
def test_every_failure_counts_against_it(verdict: str) -> None:
    (total,) = matrix([report("x", ("delta", verdict, "TIE"))]).totals
    assert (total.against, total.sound) == (1, 0)
