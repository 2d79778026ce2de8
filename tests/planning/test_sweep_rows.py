"""Sweeps with the float64 engine: rows are the same alone, in a batch, in another order and on another worker."""

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from shuffleproof.planning.sweep.points import Batch, Point, Settings, Swept, answer_batch, grid, key_of

CENTRAL: dict[Swept, tuple[str, ...]] = {"epsilon": ("1e-6", "1e-12", "0", "1e-290", "0.9"), "delta": ("0.05", "0.3", "0", "0.9999", "2")}


def without_seconds(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {key_of(row): {name: value for name, value in row.items() if name != "seconds"} for row in rows}


def points_of(quantity: Swept) -> list[Point]:
    return list(grid(n=["1", "3", "1000", "200000"], epsilon0=["1", "ln 3", "1e-6"], central=CENTRAL[quantity]))


@pytest.mark.parametrize("quantity", ["epsilon", "delta"])
@pytest.mark.parametrize("method", ["clones", "stronger-clones"])
def test_a_row_is_the_same_in_any_batch(quantity: Swept, method: str) -> None:
    """Alone, in one batch, in shuffled batches, and by another process: the same texts."""
    settings, points, draw = Settings(quantity, method, "fast"), points_of(quantity), random.Random(5)
    whole = answer_batch(Batch(settings, tuple(points)))
    assert [key_of(row) for row in whole] == [point.key for point in points]
    expected = without_seconds(whole)
    alone: list[dict[str, Any]] = []
    for point in points:
        alone += answer_batch(Batch(settings, (point,)))
    assert without_seconds(alone) == expected
    shuffled = draw.sample(points, len(points))
    assert (
        without_seconds([row for i in range(0, len(points), 7) for row in answer_batch(Batch(settings, tuple(shuffled[i : i + 7])))])
        == expected
    )


def test_a_row_from_another_process_is_the_same() -> None:
    settings = Settings("delta", "clones", "fast")
    batch = Batch(settings, tuple(points_of("delta")))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert without_seconds(pool.submit(answer_batch, batch).result()) == without_seconds(answer_batch(batch))


def test_where_floats_do_not_reach_balls_answer() -> None:
    (row,) = answer_batch(Batch(Settings("epsilon", "clones", "fast"), (Point("100", "1", "1e-301"),)))
    assert row["engine"] == "ball"
    (row,) = answer_batch(Batch(Settings("epsilon", "clones", "fast"), (Point("2000000000", "4", "1e-6"),)))
    assert row["engine"] == "ball"
