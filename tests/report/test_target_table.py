"""The table of how near the two sides are says what is answered today."""

from pathlib import Path

import pytest

from shuffleproof.report.target_table import AIMS, Aim, rows_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "mathematics" / "targets.md").read_text("utf-8")
QUICK = [i for i, aim in enumerate(AIMS) if aim.n >= 10**6 and aim.words.startswith("all")]


def test_there_is_a_row_for_every_aim() -> None:
    assert len(rows_of(PAGE)) == len(AIMS)


def test_a_row_of_another_ratio_is_noticed() -> None:
    aim, row = AIMS[QUICK[0]], rows_of(PAGE)[QUICK[0]]
    assert aim.agrees(row)
    assert not aim.agrees([*row[:5], "1.0123", *row[6:]])
    assert not aim.agrees([*row[:7], "missed"])


@pytest.mark.parametrize("i", QUICK[1:3])
def test_rows_of_many_users_are_todays(i: int) -> None:
    assert AIMS[i].agrees(rows_of(PAGE)[i])


@pytest.mark.parametrize("i", range(len(AIMS)))
def test_every_row_is_todays(i: int) -> None:
    aim: Aim = AIMS[i]
    assert aim.agrees(rows_of(PAGE)[i]), aim
