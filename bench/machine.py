"""Start-up and memory."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measuring import Row, Seconds

_IMPORT = "import time; t = time.process_time(); import shuffleproof; print(time.process_time() - t)"
_MEMORY = """
import resource, sys
from shuffleproof import epsilon
epsilon(n=10**9, epsilon0=sys.argv[1], delta="1e-8", engine="ball", digits=12)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_CHILD = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True, check=True); \
u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime)"


def start_up(*, quick: bool) -> Iterator[Row]:
    """Processor seconds of an import and of a help text, and the memory of the largest certified bound."""
    runs = 3 if quick else 7
    own = Seconds.of([float(run_python("-c", _IMPORT)) for _ in range(runs)])
    yield Row("import shuffleproof", own, target="0.2 s", met=own.median < 0.2)
    own = Seconds.of([float(run_python("-c", _CHILD, sys.executable, "-m", "shuffleproof", "--help")) for _ in range(runs)])
    yield Row("shuffleproof --help", own, target="0.4 s", met=own.median < 0.4)
    if not quick:
        for epsilon0 in ("1", "4"):
            started = time.perf_counter()
            kilobytes = int(run_python("-c", _MEMORY, epsilon0))
            own = Seconds.of([time.perf_counter() - started])
            name = f"certified epsilon, 12 digits, n = 10^9, eps0 = {epsilon0}, in a process of its own, elapsed"
            yield Row(name, own, target="300 MB at the peak", met=kilobytes < 300e3, note=f"{kilobytes / 1e3:.0f} MB")


def run_python(*arguments: str) -> str:
    """What a command of this interpreter prints."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, timeout=250)
    return done.stdout.strip()


def read_rows(path: Path) -> list[dict[str, object]]:
    """Rows of an earlier run, [] if there are none that can be read."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return list(found["rows"])
    except (OSError, ValueError, KeyError, TypeError):
        return []
