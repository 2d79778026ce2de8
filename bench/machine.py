"""Start-up, memory, and sweeps on one and two workers with a projection to many machines."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measuring import Row, Seconds
from shuffleproof.sweep.batches import answer_batch
from shuffleproof.sweep.points import Point, Settings, batches

_IMPORT = "import time; t = time.process_time(); import shuffleproof; print(time.process_time() - t)"
_MEMORY = """
import resource
from shuffleproof import epsilon
epsilon(n=10**9, epsilon0=1, delta="1e-8", engine="ball", digits=12)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_CHILD = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True, check=True); \
u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime)"
_MACHINES, _PROCESSORS, _POINTS = 100, 2, 10**6


def start_up(*, quick: bool) -> Iterator[Row]:
    """Processor seconds of an import and of a help text, and the memory of the largest certified bound."""
    runs = 3 if quick else 7
    own = Seconds.of([float(_python("-c", _IMPORT)) for _ in range(runs)])
    yield Row("import shuffleproof", own, target="0.2 s", met=own.median < 0.2)
    own = Seconds.of([float(_python("-c", _CHILD, sys.executable, "-m", "shuffleproof", "--help")) for _ in range(runs)])
    yield Row("shuffleproof --help", own, target="0.4 s", met=own.median < 0.4)
    if not quick:
        started = time.perf_counter()
        kilobytes = int(_python("-c", _MEMORY))
        own = Seconds.of([time.perf_counter() - started])
        yield Row(
            "certified epsilon, n = 10^9, in a process, elapsed",
            own,
            target="300 MB",
            met=kilobytes < 300e3,
            note=f"{kilobytes / 1e3:.0f} MB",
        )


def sweeps(*, quick: bool) -> Iterator[Row]:
    """The same certified sweep with one and two processes, elapsed, and what a million points would take."""
    seconds = {}
    with tempfile.TemporaryDirectory() as folder:
        for workers in (1, 2):
            output = Path(folder) / f"{workers}.jsonl"
            grid = ["-n", "1e3:1e6:20" if quick else "1e3:1e6:60", "--eps0", "0.5:3:4", "--delta", "1e-8", "--engine", "ball"]
            started = time.perf_counter()
            _python("-m", "shuffleproof", "sweep", *grid, "--workers", str(workers), "-o", str(output))
            seconds[workers] = time.perf_counter() - started
            points = len(output.read_bytes().splitlines())
    one, two = (Seconds.of([seconds[workers]]) for workers in (1, 2))
    took, load = seconds[2] / seconds[1], os.getloadavg()[0]
    note = f"{points} points; two processes took {took:.2f} of the time of one, with a load of {load:.1f} on {os.cpu_count()} processors"
    yield Row("certified sweep, two processes, elapsed", two, one, "one process", note=note)

    yield _against_single_commands(10 if quick else 50)

    draw = random.Random(1)
    texts = [(str(int(10 ** draw.uniform(3, 8 if quick else 9))), f"{draw.uniform(0.2, 4):.3f}") for _ in range(12 if quick else 30)]
    each = []
    for batch in batches(Settings("epsilon", "clones", "ball"), [Point(n, epsilon0, "1e-8") for n, epsilon0 in texts], size=1):
        started = time.process_time()
        answer_batch(batch)
        each.append(time.process_time() - started)
    mean = statistics.fmean(each)
    hours = mean * _POINTS / (_MACHINES * _PROCESSORS) / 3600
    largest = "8" if quick else "9"
    note = (
        f"n log-uniform from 10^3 to 10^{largest}, eps0 uniform in [0.2, 4], 15 digits: {mean:.3g} s a point, so a million points on "
        f"{_MACHINES} machines of {_PROCESSORS} processors: {hours:.2g} h, {mean * _POINTS / 3600:.3g} processor hours (projected, not run)"
    )
    yield Row("certified epsilon, points of a large sweep", Seconds.of(each), note=note)


def _against_single_commands(side: int) -> Row:
    """A float64 sweep against a command for each point, five of them measured, and against calls in one process."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "grid.jsonl"
        grid = ["-n", f"1e3:1e9:{side}", "--eps0", f"0.1:4:{side}", "--delta", "1e-8"]
        started = time.perf_counter()
        _python("-m", "shuffleproof", "sweep", *grid, "--workers", "2", "-o", str(output))
        ours = Seconds.of([time.perf_counter() - started])
        rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    each = []
    for row in rows[:: len(rows) // 5]:
        started = time.perf_counter()
        _python("-m", "shuffleproof", "bound", "epsilon", "-n", row["n"], "--eps0", row["eps0"], "--delta", "1e-8", "--engine", "fast")
        each.append((time.perf_counter() - started) * len(rows))
    alone = sum(row["seconds"] for row in rows)
    note = f"the points themselves took {alone:.3g} s in all, {alone / len(rows) * 1e3:.3g} ms each: calls in one process share little"
    return Row(f"sweep of {side} x {side} points, two processes, elapsed", ours, Seconds.of(each), "one command a point", note=note)


def _python(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, timeout=250)
    return done.stdout.strip()


def read_rows(path: Path) -> list[dict[str, object]]:
    """Rows of an earlier run, [] if there are none that can be read."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return list(found["rows"])
    except (OSError, ValueError, KeyError, TypeError):
        return []
