"""Sweeps into Parquet: readable at any moment, nothing lost and no point twice, and nobody else's file touched."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.planning.sweep import parts
from shuffleproof.planning.sweep.parts import Parts
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


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call of add makes a part."""
    monkeypatch.setattr(parts, "_SECONDS", 0.0)


def stopped_after(output: Path, *sizes: int) -> None:
    """A sweep that has made parts of these sizes, and ended before it was finished."""
    first = 0
    with Parts(output, SETTINGS) as results:
        for size in sizes:
            assert results.add(ROWS[first : first + size]) == size
            first += size


def read(path: Path) -> list[dict[str, Any]]:
    from pyarrow import dataset

    rows: list[dict[str, Any]] = dataset.dataset(path, format="parquet").to_table().to_pylist()
    return rows


def points_in(path: Path) -> Counter[str]:
    return Counter(key_of(row) for row in read(path))


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def folder_of(output: Path) -> Path:
    return output.with_name("grid.parquet.parts")


def test_rows_are_read_while_the_sweep_goes_on(output: Path) -> None:
    with Parts(output, SETTINGS) as results:
        results.add(ROWS[:3])
        assert points_in(folder_of(output)) == Counter(point.key for point in POINTS[:3])
        results.add(ROWS[3:])
        assert points_in(folder_of(output)) == Counter(point.key for point in POINTS)
        assert names_in(folder_of(output)) == ["part-000000.parquet", "part-000001.parquet"]
        results.finish()
    assert names_in(output.parent) == ["grid.parquet"]
    stored = [{name: value for name, value in row.items() if value is not None} for row in read(output)]
    assert stored == [{name: value for name, value in row.items() if value is not None} for row in ROWS]


def test_rows_wait_for_a_part_and_are_written_when_the_sweep_is_left(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_SECONDS", 3600.0)

    def interrupted() -> None:
        with Parts(output, SETTINGS) as results:
            for row in ROWS:
                results.add([row])
            assert sum(points_in(folder_of(output)).values()) == 1
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert names_in(folder_of(output)) == ["part-000000.parquet", "part-000001.parquet"]
    assert points_in(folder_of(output)) == Counter(point.key for point in POINTS)


def test_a_stopped_sweep_is_continued_and_a_finished_one_extended(output: Path) -> None:
    stopped_after(output, 2, 1)
    with Parts(output, SETTINGS) as results:
        assert results.done == {point.key for point in POINTS[:3]}
        assert results.add(ROWS[1:5]) == 2
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS[:5])
    with Parts(output, SETTINGS) as results:
        assert results.add(ROWS) == 3
        assert points_in(output) == Counter(point.key for point in POINTS[:5])
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS)
    assert names_in(output.parent) == ["grid.parquet"]


def test_a_crash_between_the_finished_file_and_the_removal_of_its_parts(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped_after(output, 3, 5)

    def crash(path: Path, missing_ok: bool = False) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, Parts(output, SETTINGS) as results:
        patched.setattr(Path, "unlink", crash)
        with pytest.raises(KeyboardInterrupt):
            results.finish()
    assert len(names_in(folder_of(output))) == 2
    with Parts(output, SETTINGS) as results:
        assert len(results.done) == 8
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS)
    assert names_in(output.parent) == ["grid.parquet"]


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_a_part_that_is_cut_is_named_and_kept(output: Path, keep: float) -> None:
    stopped_after(output, 2, 2)
    part = folder_of(output) / "part-000001.parquet"
    content = part.read_bytes()
    part.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(IntegrityError, match=r"part-000001.parquet: not a whole Parquet file"):
        Parts(output, SETTINGS)
    assert len(names_in(folder_of(output))) == 2
    part.unlink()
    with Parts(output, SETTINGS) as results:
        assert results.add(ROWS) == 6
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS)


def test_a_page_that_has_changed_is_found(output: Path) -> None:
    stopped_after(output, 8)
    part = folder_of(output) / "part-000000.parquet"
    content = bytearray(part.read_bytes())
    content[content.index(b"1000") + 3] ^= 1  # so that it would read 1001, which is there already
    part.write_bytes(content)
    with pytest.raises(IntegrityError, match="not a whole Parquet file"):
        Parts(output, SETTINGS)


def test_foreign_files_are_left_alone(output: Path) -> None:
    stopped_after(output, 2)
    (folder_of(output) / "notes.txt").write_text("mine")
    with pytest.raises(IntegrityError, match=r"notes\.txt, which no sweep has written"):
        Parts(output, SETTINGS)
    (folder_of(output) / "notes.txt").rename(folder_of(output) / ".notes")
    with Parts(output, SETTINGS) as results:
        results.finish()
    assert names_in(output.parent) == ["grid.parquet", "grid.parquet.parts"]
    assert names_in(folder_of(output)) == [".notes"]


def test_another_table_under_that_name_is_refused_and_kept(output: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"n": ["1"]}), output)
    before = output.read_bytes()
    with pytest.raises(IntegrityError, match="its columns are not"):
        Parts(output, SETTINGS)
    assert output.read_bytes() == before
    assert names_in(output.parent) == ["grid.parquet"]


def test_what_a_killed_writer_has_left_is_removed_and_nothing_else(output: Path) -> None:
    mine, other = output.parent / ".grid.parquet.x1_y2.unfinished", output.parent / ".grid.parquet.old.parquet.x1.unfinished"
    for path in (mine, other):
        path.write_text("")
    stopped_after(output, 1)
    assert names_in(output.parent) == [other.name, "grid.parquet.parts"]


def test_a_second_writer_is_refused_and_leaves_the_first_its_folder(output: Path) -> None:
    with Parts(output, SETTINGS) as results:
        with pytest.raises(DomainError, match="no other sweep"):
            Parts(output, SETTINGS)
        results.add(ROWS)
        results.finish()
    assert points_in(output) == Counter(point.key for point in POINTS)


def test_other_settings_and_a_point_twice_are_refused(output: Path) -> None:
    stopped_after(output, 2)
    with pytest.raises(DomainError, match="made with epsilon by clones, engine ball, 20 digits"):
        Parts(output, Settings("epsilon", "clones", "ball", 20))
    part = folder_of(output) / "part-000000.parquet"
    (folder_of(output) / "part-000007.parquet").write_bytes(part.read_bytes())
    with pytest.raises(IntegrityError, match=r"part-000007\.parquet: row 1 answers a point for the second time"):
        Parts(output, SETTINGS)


def test_a_sweep_that_cannot_begin_leaves_nothing(tmp_path: Path) -> None:
    command = [*COMMAND, "-n", "1000", "--eps0", "1", "--delta", "1e-6", "--executor", "threads", "-o", str(tmp_path / "x.parquet")]
    assert subprocess.run(command, capture_output=True).returncode == 2
    assert names_in(tmp_path) == []


def test_a_sweep_killed_half_way_is_continued_from_its_parts(output: Path) -> None:
    """kill -9 while it writes; what is there is read as a data set, and the second run adds what is missing."""
    command = [*COMMAND, "-n", "1e4:1e6:120", "--eps0", "1", "--delta", "1e-6", "--engine", "ball", "--workers", "1", "-o", str(output)]
    folder = folder_of(output)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as running:
        deadline = time.monotonic() + 100
        while running.poll() is None and (not folder.exists() or len(list(folder.iterdir())) < 2):
            assert time.monotonic() < deadline
            if folder.exists() and any(folder.iterdir()):
                assert max(points_in(folder).values()) == 1
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGKILL)
    before = points_in(folder)
    assert not output.exists()
    assert 0 < len(before) < 120
    answer = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True)
    summary = json.loads(answer.stdout)
    assert (summary["already_there"], summary["points"]) == (len(before), 120)
    found = points_in(output)
    assert len(found) == 120
    assert set(found.values()) == {1}
    assert names_in(output.parent) == ["grid.parquet"]
    assert all(Fraction(row["lower"]) < Fraction(row["upper"]) for row in read(output))
