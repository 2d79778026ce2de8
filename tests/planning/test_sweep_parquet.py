"""Sweeps into Parquet: a journal until it is a table, nothing lost and no point twice, and nobody else's file touched."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.planning.sweep.growing_table import GrowingTable
from shuffleproof.planning.sweep.points import Settings, answer_batch, batches, grid, key_of
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError

pytest.importorskip("pyarrow")

SETTINGS = Settings("epsilon", "clones", "fast")
POINTS = grid(n=[str(1000 + i) for i in range(8)], epsilon0=["1"], central=["1e-6"])
ROWS = [row for batch in batches(SETTINGS, POINTS, size=8) for row in answer_batch(batch)]
COMMAND = [sys.executable, "-m", "shuffleproof", "sweep"]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "grid.parquet"


def stopped_after(output: Path, size: int) -> None:
    """A sweep that has answered so many points, and ended before it was finished."""
    with GrowingTable(output, SETTINGS) as results:
        assert results.add(ROWS[:size]) == size


def finished(output: Path, rows: list[dict[str, Any]], settings: Settings = SETTINGS) -> int:
    """How many of these rows a sweep that goes on, and is finished, has added."""
    with GrowingTable(output, settings) as results:
        added = results.add(rows)
        results.finish()
    return added


def read(path: Path) -> list[dict[str, Any]]:
    from pyarrow import parquet

    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


def points_in(path: Path) -> Counter[str]:
    return Counter(key_of(row) for row in read(path))


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def waiting(output: Path) -> list[dict[str, Any]]:
    """The rows that wait, as any reader of lines of JSON finds them."""
    return [json.loads(line) for line in output.with_name("grid.parquet.jsonl").read_text("utf-8").splitlines()]


def test_rows_are_read_while_the_sweep_goes_on(output: Path) -> None:
    with GrowingTable(output, SETTINGS) as results:
        results.add(ROWS[:3])
        assert [key_of(row) for row in waiting(output)] == [point.key for point in POINTS[:3]]
        results.add(ROWS[3:])
        assert [key_of(row) for row in waiting(output)] == [point.key for point in POINTS]
        results.finish()
    assert names_in(output.parent) == ["grid.parquet"]
    stored = [{name: value for name, value in row.items() if value is not None} for row in read(output)]
    assert stored == [{name: value for name, value in row.items() if value is not None} for row in ROWS]


def test_a_stopped_sweep_is_continued_and_a_finished_one_extended(output: Path) -> None:
    stopped_after(output, 3)
    with GrowingTable(output, SETTINGS) as results:
        assert results.done == {point.key for point in POINTS[:3]}
        assert results.add(ROWS[1:5]) == 2
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS[:5])
    with GrowingTable(output, SETTINGS) as results:
        assert results.add(ROWS) == 3
        assert points_in(output) == Counter(point.key for point in POINTS[:5])
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS)
    before = output.stat()
    assert finished(output, ROWS) == 0
    assert (output.stat().st_ino, names_in(output.parent)) == (before.st_ino, ["grid.parquet"])


def test_digits_and_refusals_survive_the_table(output: Path) -> None:
    settings = Settings("epsilon", "clones-closed-form", "ball", 20)
    points = grid(n=["10", "100000"], epsilon0=["4"], central=["1e-6"])
    rows = [row for batch in batches(settings, points, size=2) for row in answer_batch(batch)]
    finished(output, rows, settings)
    with GrowingTable(output, settings) as results:
        assert (results.done, results.refused) == ({point.key for point in points}, 1)


def test_a_crash_between_the_table_and_the_removal_of_the_journal(output: Path) -> None:
    stopped_after(output, 8)
    journal = output.with_name("grid.parquet.jsonl")
    content = journal.read_bytes()
    finished(output, [])
    journal.write_bytes(content)
    with GrowingTable(output, SETTINGS) as results:
        assert (len(results.done), waiting(output)) == (8, [])
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS)
    assert names_in(output.parent) == ["grid.parquet"]


def test_a_point_twice_is_refused(output: Path) -> None:
    stopped_after(output, 2)
    content = output.with_name("grid.parquet.jsonl").read_bytes()
    with GrowingTable(output, SETTINGS) as results:
        results.finish()
        results.add(ROWS[2:3])
    with output.with_name("grid.parquet.jsonl").open("ab") as journal:
        journal.write(content)
    with pytest.raises(IntegrityError, match=r"answers points of grid\.parquet for the second time"):
        GrowingTable(output, SETTINGS)


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_a_table_that_is_cut_is_named_and_kept(output: Path, keep: float) -> None:
    finished(output, ROWS[:4])
    content = output.read_bytes()
    output.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(IntegrityError, match=r"grid.parquet: not a whole Parquet file"):
        GrowingTable(output, SETTINGS)
    assert names_in(output.parent) == ["grid.parquet"]


def test_a_page_that_has_changed_is_found(output: Path) -> None:
    finished(output, ROWS)
    content = bytearray(output.read_bytes())
    content[content.index(b"1000") + 3] ^= 1  # so that it would read 1001, which is there already
    output.write_bytes(content)
    with pytest.raises(IntegrityError, match="not a whole Parquet file"):
        GrowingTable(output, SETTINGS)


def test_parts_of_an_earlier_version_are_left_alone(output: Path) -> None:
    (output.parent / "grid.parquet.parts").mkdir()
    with pytest.raises(DomainError, match=r"grid\.parquet\.parts beside it: finish that sweep with version 0\.1"):
        GrowingTable(output, SETTINGS)
    assert names_in(output.parent) == ["grid.parquet.parts"]


def test_another_table_under_that_name_is_refused_and_kept(output: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"n": ["1"]}), output)
    before = output.read_bytes()
    with pytest.raises(IntegrityError, match="its columns are not"):
        GrowingTable(output, SETTINGS)
    assert output.read_bytes() == before
    assert names_in(output.parent) == ["grid.parquet"]


def test_what_a_killed_writer_has_left_is_removed_and_nothing_else(output: Path) -> None:
    mine, other = output.parent / ".grid.parquet.x1_y2.unfinished", output.parent / ".grid.parquet.old.parquet.x1.unfinished"
    for path in (mine, other):
        path.write_text("")
    stopped_after(output, 1)
    assert names_in(output.parent) == [other.name, "grid.parquet.jsonl"]


def test_a_second_writer_is_refused(output: Path) -> None:
    with GrowingTable(output, SETTINGS) as results:
        with pytest.raises(DomainError, match="no other sweep"):
            GrowingTable(output, SETTINGS)
        results.add(ROWS)
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS)


def test_other_settings_are_refused_of_the_table_too(output: Path) -> None:
    stopped_after(output, 2)
    for _ in range(2):
        with pytest.raises(DomainError, match="made with epsilon by clones, engine ball, 20 digits"):
            GrowingTable(output, Settings("epsilon", "clones", "ball", 20))
        finished(output, [])
    assert points_in(output) == Counter(point.key for point in POINTS[:2])


def test_a_sweep_that_cannot_begin_leaves_nothing(tmp_path: Path) -> None:
    command = [*COMMAND, "-n", "1000", "--eps0", "1", "--delta", "1e-6", "--executor", "threads", "-o", str(tmp_path / "x.parquet")]
    assert subprocess.run(command, capture_output=True).returncode == 2
    assert names_in(tmp_path) == []
