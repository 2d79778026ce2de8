"""What is printed of the objects that people get: one short line as `repr`, at most a screen as `str`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import shuffleproof as sp

LAW = [["3/4", "1/4"], ["1/4", "3/4"]]
GOT: dict[str, Callable[[], object]] = {
    "bracket": lambda: sp.shuffled(sp.KRR(k=3, epsilon0=1), n=50).epsilon(delta="1e-3"),
    "comparison": lambda: sp.compare(n=50, epsilon0=1, delta="1e-3"),
    "composition": lambda: sp.compose(n=50, epsilon0=1, rounds=2, delta="1e-3", cells=24),
    "calibration": lambda: sp.calibrate.zero_sum(n=1000, epsilon=1, delta="1e-6"),
    "unattainable": lambda: sp.calibrate.zero_sum(n=1, epsilon=1, delta="1e-6"),
    "law": lambda: sp.audit.law(LAW, epsilon0="ln 3"),
    "advice": lambda: sp.advise(task="bit-sum", n=1000, epsilon=1, delta="1e-6"),
}


@pytest.mark.parametrize("name", GOT)
def test_a_line_and_at_most_a_screen(name: str) -> None:
    got = GOT[name]()
    line, screen = repr(got), str(got)
    assert line.startswith(f"<{type(got).__name__} ")
    assert len(line) <= 140
    assert "\n" not in line
    assert 1 <= len(screen.splitlines()) <= 40
    assert max(map(len, screen.splitlines())) <= 250
    assert "Fraction(" not in line + screen


def test_a_comparison_is_a_table_with_the_tightest_first() -> None:
    found = sp.compare(n=50, epsilon0=1, delta="1e-3")
    uppers = [row.bound.upper for row in found.tightest_first() if row.bound is not None and row.bound.claim_side == "upper"]
    lowers = [row.bound.lower for row in found.tightest_first() if row.bound is not None and row.bound.claim_side == "lower"]
    assert uppers == sorted(uppers)
    assert lowers == sorted(lowers, reverse=True)
    assert str(found).splitlines()[2].split()[:2] == ["[1]", found.tightest_first()[0].name]
    assert [line.partition("]")[0] for line in found.guarantees().splitlines()] == [f"[{at}" for at in range(1, len(found) + 1)]
    assert all(str(bracket) in str(found) for bracket in found.brackets)


@pytest.mark.parametrize("asked", [float, lambda it: it < 1, lambda it: it >= 1], ids=["float", "below", "above"])
def test_a_bracket_is_no_number_and_says_what_is(asked: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=r"\.guarantee"):
        asked(GOT["bracket"]())
