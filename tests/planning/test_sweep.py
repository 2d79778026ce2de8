"""Sweeps: the same answers as point by point, nothing lost and no point twice, whatever dies."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import shuffleproof
from shuffleproof.planning.sweep import execution
from shuffleproof.planning.sweep.execution import run
from shuffleproof.planning.sweep.executors import OnCluster, named_executor
from shuffleproof.planning.sweep.journal import Journal
from shuffleproof.planning.sweep.points import Point, Settings, answer_batch, batches, checked, grid, key_of, numbers
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError, ResourceLimitError

sys.path.insert(0, str(Path(__file__).parent))
import sweep_work

SETTINGS = Settings("epsilon", "clones", "fast")
COMMAND = [sys.executable, "-m", "shuffleproof", "sweep"]


def points_of(size: int) -> tuple[Point, ...]:
    return grid(n=[str(1000 + i) for i in range(size)], epsilon0=["1"], central=["1e-6"])


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def keys(rows: list[dict[str, object]]) -> Counter[str]:
    return Counter(key_of(row) for row in rows)


def test_lists_and_ranges_of_numbers() -> None:
    assert numbers("1, ln 3,1", parameter="epsilon0") == ("1", "ln 3")
    assert numbers("1e3:1e9:4", parameter="n", whole=True) == ("1000", "100000", "10000000", "1000000000")
    assert len(numbers("0.1:4:50", parameter="epsilon0")) == 50
    assert Fraction(numbers("0.1:4:3", parameter="epsilon0")[1]) ** 2 == pytest.approx(0.4, rel=1e-4)


@pytest.mark.parametrize("text", ["1,,2", "", "1:2", "2:1:5", "0:1:5", "1:2:1", "1:2:x", "a:2:3"])
def test_what_is_neither_a_list_nor_a_range_is_refused(text: str) -> None:
    with pytest.raises(DomainError):
        numbers(text, parameter="n")


@pytest.mark.parametrize("text", ["2,500", "100,200", "1,000,000"])
def test_what_may_be_one_whole_number_or_a_list_is_refused(text: str) -> None:
    with pytest.raises(DomainError, match="none within"):
        numbers(text, parameter="n", whole=True)
    assert numbers("2,500", parameter="epsilon0") == ("2", "500")
    assert numbers("2, 500", parameter="n", whole=True) == ("2", "500")


def test_bad_points_are_refused_before_any_work() -> None:
    for n, epsilon0, central in ((["0"], ["1"], ["1e-6"]), (["1"], ["x"], ["1e-6"]), (["1"], ["1"], ["2"])):
        with pytest.raises(DomainError):
            checked(SETTINGS, n=n, epsilon0=epsilon0, central=central)


@pytest.mark.parametrize(
    ("settings", "central"), [(Settings("epsilon", "clones", "ball"), "1e-6"), (Settings("delta", "clones", "ball", 20), "0.05")]
)
def test_a_row_has_the_sides_of_a_point_asked_alone(settings: Settings, central: str) -> None:
    points = grid(n=["1000", "20000"], epsilon0=["1", "ln 3"], central=[central])
    with ThreadPoolExecutor(1) as executor:
        rows = {key_of(row): row for found in run(batches(settings, points, size=3), renew=lambda: executor) for row in found}
    assert len(rows) == len(points)
    for point in points:
        row = rows[point.key]
        asked: dict[str, Any] = {"n": point.n, "epsilon0": point.epsilon0, "method": "clones", "engine": settings.engine}
        asked |= {} if settings.digits is None else {"digits": settings.digits}
        central_of = {"epsilon": "delta", "delta": "epsilon"}[settings.quantity]
        alone = getattr(shuffleproof, settings.quantity)(**asked, **{central_of: point.central})
        assert (row["lower"], row["upper"]) == alone.decimals()
        assert (row["engine"], row["side"]) == (alone.engine, alone.side)
        assert Fraction(row["lower"]) <= alone.lower <= alone.upper <= Fraction(row["upper"])


def test_a_refusal_is_a_row_with_its_reason() -> None:
    (batch,) = batches(Settings("epsilon", "clones-closed-form", "ball"), grid(n=["10"], epsilon0=["4"], central=["1e-6"]), size=1)
    (row,) = answer_batch(batch)
    assert "FMT21" in row["refused"]
    assert "upper" not in row


def test_a_cut_last_line_is_answered_again_and_nothing_else(tmp_path: Path) -> None:
    path, points = tmp_path / "rows.jsonl", points_of(6)
    rows = [row for batch in batches(SETTINGS, points, size=6) for row in answer_batch(batch)]
    with Journal(path, SETTINGS) as journal:
        assert journal.add(rows[:4]) == 4
        assert journal.add(rows[2:5]) == 1
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    with Journal(path, SETTINGS) as journal:
        assert journal.done == {point.key for point in points[:4]}
        assert journal.add(rows) == 2
        assert keys(lines(path)) == Counter(point.key for point in points)


def test_a_sweep_that_cannot_begin_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with pytest.raises(DomainError, match="processes"), Journal(path, SETTINGS), named_executor("threads", workers=1):
        pass
    assert not path.exists()


def test_damage_other_settings_and_a_second_writer_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    (batch,) = batches(SETTINGS, points_of(2), size=2)
    with Journal(path, SETTINGS) as journal:
        journal.add(answer_batch(batch))
        with pytest.raises(DomainError, match="no other sweep"):
            Journal(path, SETTINGS)
    with pytest.raises(DomainError, match="made with"):
        Journal(path, Settings("epsilon", "clones", "ball"))
    content = path.read_bytes()
    path.write_bytes(content + content)
    with pytest.raises(IntegrityError, match="second time"):
        Journal(path, SETTINGS)
    path.write_bytes(b"{}\n" + content)
    with pytest.raises(IntegrityError, match="line 1"):
        Journal(path, SETTINGS)
    assert path.read_bytes() == b"{}\n" + content


def test_a_worker_killed_in_its_batch_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sweep_work.FOLDER, str(tmp_path))
    made: list[ProcessPoolExecutor] = []

    def renew() -> Executor:
        made.append(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
        return made[-1]

    try:
        found = run(batches(SETTINGS, points_of(12), size=3), renew=renew, in_flight=2, work=sweep_work.dying_once)
        rows = [row for some in found for row in some]
    finally:
        for pool in made:
            pool.shutdown(cancel_futures=True)
    assert (tmp_path / "died").exists()
    assert len(made) == 2
    assert keys(rows) == Counter(point.key for point in points_of(12))


class Dying(Executor):
    """Breaks whatever it is given."""

    def submit(self, *arguments, **named):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        future.set_exception(BrokenExecutor("the worker died"))
        return future


def test_a_batch_that_kills_every_worker_is_given_up() -> None:
    made: list[Dying] = []

    def renew() -> Executor:
        made.append(Dying())
        return made[-1]

    with pytest.raises(ResourceLimitError, match="n = 1000, eps0 = 1"):
        list(run(batches(SETTINGS, points_of(2), size=1), renew=renew, in_flight=1))
    assert len(made) <= 8


class GoneCluster:
    """A client whose scheduler is gone: what was handed out stays where it is, and a question to the scheduler runs into its limit."""

    scheduler = SimpleNamespace(identity=None)

    def get_executor(self, *, pure: bool) -> Executor:
        return Silent()

    def sync(self, question: object, *, callback_timeout: float) -> None:
        raise TimeoutError


def test_a_number_that_has_changed_on_the_disk_is_noticed(tmp_path: Path) -> None:
    """Rows of earlier versions carry no digest, and are continued."""
    path = tmp_path / "rows.jsonl"
    (batch,) = batches(SETTINGS, points_of(2), size=2)
    with Journal(path, SETTINGS) as journal:
        journal.add(answer_batch(batch))
    first, second = path.read_text().splitlines()
    upper = json.loads(second)["upper"]
    path.write_text(f"{first}\n{second.replace(upper, upper[:-1] + str((int(upper[-1]) + 1) % 10))}\n")
    with pytest.raises(IntegrityError, match="line 2: row and digest differ"):
        Journal(path, SETTINGS)
    for line in (first, second):
        row = json.loads(line)
        del row["digest"]
        path.write_text(json.dumps(row) + "\n")
        with Journal(path, SETTINGS) as journal:
            assert len(journal.done) == 1


class Silent(Executor):
    def submit(self, *work, **named):  # type: ignore[no-untyped-def]
        return Future()


def test_a_scheduler_that_is_gone_ends_the_sweep_and_the_rows_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "_LOOK_SECONDS", 0.01)
    path = tmp_path / "rows.jsonl"
    with Journal(path, SETTINGS) as journal:
        journal.add(answer_batch(next(batches(SETTINGS, points_of(2), size=2))))
        with pytest.raises(ResourceLimitError, match=r"dask://here:1: would take a scheduler that answers .* rows so far are kept"):
            list(run(batches(SETTINGS, points_of(4), size=1), renew=lambda: OnCluster(GoneCluster(), "dask://here:1"), in_flight=2))
    assert len(lines(path)) == 2


@pytest.mark.deep
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["dies", "hangs"])
def test_a_dask_scheduler_that_dies_or_hangs_ends_the_sweep(tmp_path: Path, how: signal.Signals) -> None:
    """Real ones: exit code 3, one line that says so, and what was written is gone on from."""
    pytest.importorskip("distributed")
    python, output, scheduler = [sys.executable, "-m"], tmp_path / "rows.jsonl", tmp_path / "scheduler.json"
    said = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begun = [
        subprocess.Popen(
            [*python, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", f"--scheduler-file={scheduler}"], **said
        )
    ]  # type: ignore[call-overload]
    try:
        while not scheduler.exists():
            time.sleep(0.1)
        address = json.loads(scheduler.read_text("utf-8"))["address"]
        begun.append(
            subprocess.Popen([*python, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"], **said)
        )  # type: ignore[call-overload]
        grid_of = ["-n", "1e3:1e6:400", "--eps0", "1", "--delta", "1e-6", "--engine", "ball", "--digits", "30", "-o", str(output)]
        sweep = subprocess.Popen([*COMMAND, *grid_of, "--executor", address.replace("tcp", "dask")], stderr=subprocess.PIPE, text=True)
        while sweep.poll() is None and not (output.exists() and b"\n" in output.read_bytes()):
            time.sleep(0.1)
        begun[0].send_signal(how)
        _, err = sweep.communicate(timeout=300)
        assert sweep.returncode == 3, err
        assert "scheduler that answers" in err.splitlines()[-1]
        assert lines(output)
    finally:
        for process in begun:
            process.kill()
            process.wait()


def test_a_script_that_calls_it_unguarded_is_told_so_at_once(tmp_path: Path) -> None:
    """Each worker imports the script, which would begin workers: they end with a line each, and nobody begins others."""
    script = tmp_path / "script.py"
    script.write_text('import shuffleproof as sp\nsp.sweep(n=[9, 10], epsilon0=1, delta="1e-2", workers=2, output="rows.jsonl")\n', "utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "UnsupportedError: worker processes: none begins" in done.stderr.splitlines()[-1]
    assert 'the call stands under `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
    assert 1 <= done.stderr.count("a worker imports this script, which begins workers again") <= 2
    assert not (tmp_path / "rows.jsonl").exists()


def test_a_worker_in_a_long_call_of_a_library_ends_with_what_is_interrupted() -> None:
    """A sum of a range holds the interpreter's lock for minutes: until it ends, no thread of the worker hears that it is to end."""
    given: list[Future[int]] = []

    def interrupted() -> None:
        with named_executor("processes", workers=1) as renew:
            workers = renew()
            given.extend([workers.submit(len, "begun"), workers.submit(sum, range(10**12))])
            while not (given[0].done() and given[1].running()):
                time.sleep(0.1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert given[1].exception() is not None


@pytest.mark.parametrize(
    ("name", "waiting", "least", "asked"),
    [
        ("grid.jsonl", "grid.jsonl", 20, ["-n", "1e3:1e5:150"]),
        ("grid.parquet", "grid.parquet.jsonl", 2, ["-n", "1e4:1e6:120", "--engine", "ball"]),
    ],
)
def test_a_sweep_killed_half_way_is_continued(name: str, waiting: str, least: int, asked: list[str], tmp_path: Path) -> None:
    """kill -9 while it writes; the second run adds what is missing."""
    if name != waiting:
        pytest.importorskip("pyarrow")
    output, journal, points = tmp_path / name, tmp_path / waiting, int(asked[1].rpartition(":")[2])
    command = [*COMMAND, *asked, "--eps0", "1", "--delta", "1e-6", "--workers", "1", "-o", str(output)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as running:
        deadline = time.monotonic() + 100
        while running.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") < least):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        os.killpg(running.pid, signal.SIGKILL)
    before = journal.read_bytes().count(b"\n")
    assert least <= before < points
    assert output == journal or not output.exists()
    answer = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True)
    summary = json.loads(answer.stdout)
    rows = lines(output) if output == journal else pytest.importorskip("pyarrow.parquet").read_table(output).to_pylist()
    assert (summary["already_there"], summary["points"], len(rows)) == (before, points, points)
    assert set(keys(rows).values()) == {1}
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert all(Fraction(row["lower"]) < Fraction(row["upper"]) for row in rows)


def test_a_dask_cluster_that_loses_a_worker_half_way_loses_no_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real local cluster: two worker processes, one of them killed after the first rows."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    points, path = points_of(60), tmp_path / "rows.jsonl"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with (
            distributed.LocalCluster(
                n_workers=2,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=50,
                scheduler_kwargs={"dashboard": False},
            ) as cluster,
            named_executor(cluster.scheduler_address.replace("tcp://", "dask://"), workers=2) as renew,
            Journal(path, SETTINGS) as journal,
        ):
            victim = next(iter(cluster.workers.values())).pid
            killed = False
            for rows in run(batches(SETTINGS, points, size=2), renew=renew, in_flight=6, work=sweep_work.slow):
                assert journal.add(rows) == len(rows)
                if not killed and len(journal.done) >= 16:
                    os.kill(victim, signal.SIGKILL)
                    killed = True
            assert killed
            assert keys(lines(path)) == Counter(point.key for point in points)
