"""Sweeps: what a second worker gains, what a Dask cluster costs, and what a million points would take on a hundred machines.

Elapsed seconds, since processor seconds do not see what workers gain. Executors are opened and warmed before anything is measured, and
take turns, so that a busy machine is busy for all of them; every turn has points of its own, so that nothing is cached.
"""

import json
import os
import random
import statistics
import tempfile
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.machine import run_python
from bench.measuring import Row, Seconds
from shuffleproof.planning.sweep.execution import run
from shuffleproof.planning.sweep.executors import PROCESSES, named_executor
from shuffleproof.planning.sweep.points import Point, Settings, answer_batch, batches, grid, numbers

ONE, TWO, DASK = "one process", "two processes", "Dask, two local workers"
MACHINES, PROCESSORS, MANY = 100, 2, 10**6
_DELTA = "1e-8"
_BATCHES = 16
_NO_DASK = 'skipped: dask is not installed; install "shuffleproof[sweep]"'


def sweeps(*, quick: bool) -> Iterator[Row]:
    """The same sweep on one process, on two, and on a Dask cluster of two workers of this machine, certified and in float64."""
    with ExitStack() as stack:
        executors: dict[str, Executor] = {}
        for name, workers in ((ONE, 1), (TWO, 2)):
            executors[name] = stack.enter_context(named_executor(PROCESSES, workers=workers))()
        address = stack.enter_context(_cluster())
        if address is not None:
            executors[DASK] = stack.enter_context(named_executor(address, workers=2))()
        for engine, side in (("ball", 10 if quick else 30), ("fast", 10 if quick else 100)):
            yield from _in_turns(engine, side, executors, runs=3 if quick else 5)


def _in_turns(engine: str, side: int, executors: dict[str, Executor], *, runs: int) -> Iterator[Row]:
    kind = "certified" if engine == "ball" else "float64"
    times: dict[str, list[float]] = {name: [] for name in executors}
    for turn in range(-1, runs):  # the first is not counted: workers start and import
        points = _points(side, turn)
        for name, executor in executors.items():
            seconds = _elapsed(engine, points, executor, workers=1 if name == ONE else 2)
            if turn >= 0:
                times[name].append(seconds)
    one, two = Seconds.of(times[ONE]), Seconds.of(times[TWO])
    speed_up = statistics.median(a / b for a, b in zip(times[ONE], times[TWO], strict=True))
    note = (
        f"{len(points)} points, n to 10^7; two processes are {speed_up:.2f} times as fast as one (median of {runs} turns), with a load of "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    )
    facts = {"points": len(points), "one": one.median, "two": two.median, "speed_up": speed_up}
    if DASK in times:
        facts["dask"] = statistics.median(times[DASK])
    yield Row(f"{kind} sweep, {TWO}, elapsed", two, one, ONE, note=note, facts=facts)
    if DASK in times:
        yield Row(f"{kind} sweep, {TWO}, elapsed", two, Seconds.of(times[DASK]), DASK)
    else:
        yield Row(f"{kind} sweep, {TWO}, elapsed", two, note=f"{DASK}: {_NO_DASK}")


def projection(*, quick: bool) -> Iterator[Row]:
    """What a million points cost, from a sample of them: processor seconds, and hours of a hundred machines."""
    largest, size = (7, 12) if quick else (9, 40)
    draw = random.Random(1)
    for engine, kind in (("ball", "certified, 15 digits"), ("fast", "float64")):
        texts = [(str(int(10 ** draw.uniform(3, largest))), f"{draw.uniform(0.2, 4):.3f}") for _ in range(size)]
        each = []
        for batch in batches(Settings("epsilon", "clones", engine), [Point(n, epsilon0, _DELTA) for n, epsilon0 in texts], size=1):
            started = time.process_time()
            answer_batch(batch)
            each.append(time.process_time() - started)
        mean, error = statistics.fmean(each), statistics.stdev(each) / size**0.5
        hours = mean * MANY / (MACHINES * PROCESSORS) / 3600
        note = (
            f"a sample of {size}, n log-uniform from 10^3 to 10^{largest}, eps0 uniform in [0.2, 4]: {mean:.3g} s a point in the mean "
            f"(standard error {error:.1g}).\n    Projected, not run: {MANY:,} of them take {mean * MANY / 3600:.3g} processor hours, "
            f"{hours:.2g} h on {MACHINES} machines of {PROCESSORS} processors, no time lost between them"
        )
        facts = {"seconds_a_point": mean, "projected_hours": hours}
        yield Row(f"epsilon at points of a large sweep, {kind}", Seconds.of(each), note=note, facts=facts)


def single_commands(*, quick: bool) -> Iterator[Row]:
    """A float64 sweep against a command for each point, five of them measured, and against calls in one process."""
    side = 10 if quick else 50
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "grid.jsonl"
        users, locals_ = f"1e3:1e9:{side}", f"0.1:4:{side}"
        started = time.perf_counter()
        run_python("-m", "shuffleproof", "sweep", "-n", users, "--eps0", locals_, "--delta", _DELTA, "--workers", "2", "-o", str(output))
        ours = Seconds.of([time.perf_counter() - started])
        rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    each = []
    for row in rows[:: len(rows) // 5]:
        started = time.perf_counter()
        command = ["-m", "shuffleproof", "bound", "epsilon", "-n", row["n"], "--eps0", row["eps0"], "--delta", _DELTA, "--engine", "fast"]
        run_python(*command)
        each.append((time.perf_counter() - started) * len(rows))
    alone = sum(row["seconds"] for row in rows)
    note = f"the points themselves took {alone:.3g} s in all, {alone / len(rows) * 1e3:.3g} ms each"
    name = f"sweep of {side} x {side} points, float64, {TWO}, elapsed, start included"
    yield Row(name, ours, Seconds.of(each), "one command a point (five run, times the number of points)", note=note)


def _points(side: int, turn: int) -> tuple[Point, ...]:
    """Four local parameters that no other turn has."""
    locals_ = [f"{epsilon0 + (turn + 1) / 1000:.3f}" for epsilon0 in (0.5, 1, 2, 4)]
    return grid(n=numbers(f"1e3:1e7:{side}", parameter="n", whole=True), epsilon0=locals_, central=[_DELTA])


def _elapsed(engine: str, points: tuple[Point, ...], executor: Executor, *, workers: int) -> float:
    work = list(batches(Settings("epsilon", "clones", engine), points, size=max(1, len(points) // _BATCHES)))
    started = time.perf_counter()
    answered = sum(len(rows) for rows in run(work, renew=lambda: executor, in_flight=2 * workers))
    seconds = time.perf_counter() - started
    if answered != len(points):
        raise RuntimeError(f"{answered} of {len(points)} points came back")
    return seconds


@contextmanager
def _cluster() -> Iterator[str | None]:
    """The address of a Dask cluster of two processes of this machine, or None without dask."""
    try:
        from distributed import LocalCluster
    except ImportError:
        yield None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        no_page = {"dashboard_address": None, "scheduler_kwargs": {"dashboard": False}}
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, silence_logs=50, **no_page) as cluster:
            yield cluster.scheduler_address.replace("tcp://", "dask://")
