"""What a harness leaves behind: children that left its process group, and daemons whose parent has ended."""

import contextlib
import ctypes
import os
import signal
from pathlib import Path

MARK = "SHUFFLEPROOF_HARNESS"
"""In the environment of a harness and of all that it starts, unless they empty it."""
_SET_CHILD_SUBREAPER = 36
"""The number of this request to prctl in Linux's <sys/prctl.h>."""
_GENERATIONS = 8
"""Daemons that are each other's children are looked for so many times; what may not be killed is not waited for."""
_adopting = False


def kill_marked(mark: str) -> None:
    """Kill processes that left the group but still carry the mark that only this harness's descendants can have."""
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of whatever a harness leaves behind, daemons without our mark too, and end it with the last harness.

    For a program whose only children are harnesses; on Linux, elsewhere nothing happens.
    """
    global _adopting
    with contextlib.suppress(OSError, AttributeError):
        _adopting = ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def kill_adopted() -> None:
    """Kill what became our child because its parent ended: a child in a session of its own, when no harness is left."""
    for _ in range(_GENERATIONS if _adopting else 0):  # the death of one may bring us its children
        for pid in _orphans():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _orphans() -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            _, parent, _, session = (entry / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[:4]
            if int(parent) == os.getpid() and int(session) != os.getsid(0):
                found.append(int(entry.name))
    return found
