"""The transport: deadlines and caps hold whatever a harness does, and nothing of it is left afterwards."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from harnesses import bad

from shuffleproof.conformance.running import descendants, harness, runner
from shuffleproof.conformance.running.harness import Harness, command
from shuffleproof.conformance.running.protocol import LONGEST_LINE, Answer
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    HarnessCrashError,
    HarnessError,
    HarnessProtocolError,
    HarnessStartError,
    HarnessTimeoutError,
)

GIVEN = {"method": "clones", "n": "2", "epsilon0": "1", "delta": "0"}


def ask(harness: Harness, seq: int = 1) -> Answer:
    return harness.ask(seq=seq, operation="epsilon", given=GIVEN)


def started(kind: str, path: object = "-", *, deadline: float = 0.5) -> Harness:
    harness = Harness(bad(kind, path), deadline=deadline)
    harness.greet()
    harness.configure(seed=1, digits=12)
    return harness


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in ("Z", "X")


def all_gone(*pids: int) -> bool:
    until = time.monotonic() + 3
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    return not any(map(alive, pids))


def test_a_good_harness_is_heard_and_ends_by_itself() -> None:
    with started("good") as harness:
        assert ask(harness) == Answer(claim="upper", value="1")
        assert ask(harness, 2) == Answer(claim="upper", value="1")
        process = harness._process
    assert process.returncode in (0, -signal.SIGKILL)
    harness.close()


def test_letters_that_arrive_one_by_one_make_a_line() -> None:
    with started("slow-write", deadline=5) as harness:
        assert ask(harness).value == "1"


@pytest.mark.parametrize(
    ("kind", "error", "reason"),
    [
        ("hang", HarnessTimeoutError, "without an answer"),
        ("half-line", HarnessTimeoutError, "after half a line"),
        ("two-lines", HarnessProtocolError, "wrote more than one line"),
        ("flood-line", HarnessProtocolError, f"a line of more than {LONGEST_LINE} bytes"),
        ("flood-slowly", HarnessTimeoutError, "after half a line"),
        ("flood-stderr", HarnessProtocolError, "bytes for one request"),
        ("die-by-signal", HarnessCrashError, "killed by SIGSEGV"),
        ("exit", HarnessCrashError, "exited with status 1 while an answer was due; its stderr ends: 'out of memory, says the harness'"),
        ("close-stdout", HarnessCrashError, "closed its output"),
        ("die-but-child-holds-the-pipe", HarnessCrashError, "exited with status 7"),
    ],
)
def test_misbehaviour_is_ended_and_named(kind: str, error: type[HarnessError], reason: str) -> None:
    with started(kind, deadline=0.5 if error is HarnessTimeoutError else 10) as harness:
        with pytest.raises(error, match=reason):
            ask(harness)
        harness.kill()
    assert all_gone(harness._process.pid)


@pytest.mark.parametrize("kind", ["ignore-stdin", "banner", "silent-exit"])
def test_what_does_not_greet_does_not_start(kind: str) -> None:
    with Harness(bad(kind), deadline=1, start_deadline=0.5) as harness, pytest.raises(HarnessStartError, match="did not greet"):
        harness.greet()


def test_children_are_killed_also_those_that_left_the_group(tmp_path: Path) -> None:
    with started("leave-children", tmp_path / "pids", deadline=5) as harness:
        ask(harness)
        pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
        assert all(map(alive, pids))
    assert all_gone(*pids)


ADOPTING = """
import sys
from shuffleproof.conformance.running import descendants, harness
descendants.adopt_orphans()
with harness.Harness(sys.argv[1], deadline=60) as started:
    started.greet()
    started.configure(seed=1, digits=12)
    started.ask(seq=1, operation="epsilon", given={"method": "clones", "n": "2", "epsilon0": "1", "delta": "0"})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a system without subreapers")
def test_a_daemon_without_our_mark_is_ended_by_a_program_that_adopts_orphans(tmp_path: Path) -> None:
    """In a session of its own, its environment emptied, its parent gone: nothing but the adoption tells whose it is."""
    subprocess.run([sys.executable, "-c", ADOPTING, bad("leave-a-daemon", tmp_path / "pid")], check=True, timeout=120)
    assert all_gone(int((tmp_path / "pid").read_text()))


def test_the_deadline_of_a_smoke_run_is_one_of_the_greeting_too() -> None:
    with pytest.raises(HarnessStartError, match=r"did not greet.*after 0\.5 s"):
        runner.smoke(bad("ignore-stdin"), deadline=0.5)


def test_ignoring_stop_is_ended_by_force() -> None:
    harness = started("ignore-stop", deadline=5)
    harness.close()
    assert all_gone(harness._process.pid)


def test_no_file_stays_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for kind in ("good", "die-by-signal"):
        with started(kind) as harness, contextlib.suppress(HarnessError):
            ask(harness)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_command_is_not_given_to_a_shell(tmp_path: Path) -> None:
    assert command("cmd:a 'b c' $HOME; d") == ["a", "b c", "$HOME;", "d"]
    with pytest.raises(HarnessStartError, match="No such file"):
        Harness(f"cmd:{tmp_path}/nothing", deadline=1)
    (tmp_path / "file").write_text("not a program")
    with pytest.raises(HarnessStartError, match="cannot be started"):
        Harness(f"cmd:{tmp_path}/file", deadline=1)


@pytest.mark.parametrize(
    "connect", ["", "cmd:", "cmd: ", "cmd:'", "py:", "py:module", "py:a.b:", "py:a b:c", "py:a:b:c", "http://x", "cmd:''"]
)
def test_what_is_no_connection_text(connect: str) -> None:
    with pytest.raises(DomainError, match="connect"):
        command(connect)


@pytest.mark.parametrize("deadline", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_deadline_is_a_positive_number_of_seconds(deadline: float) -> None:
    with pytest.raises(DomainError, match="deadline"):
        Harness(bad("good"), deadline=deadline)


def test_interruption_leaves_no_process_behind(tmp_path: Path) -> None:
    """Ctrl-C while a harness hangs: the runner ends by KeyboardInterrupt, the harness by being killed."""
    code = (
        "import sys\n"
        "from shuffleproof.conformance.running import harness, runner\n"
        "start = harness.Harness.greet\n"
        "def greet(self):\n"
        f"    open({str(tmp_path / 'pid')!r}, 'w').write(str(self._process.pid))\n"
        "    return start(self)\n"
        "harness.Harness.greet = greet\n"
        f"runner.run(connect={bad('hang')!r}, suite='smoke', options=runner.Options(deadline=60))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 10
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert all_gone(int((tmp_path / "pid").read_text()))


def test_a_harness_that_is_just_starting_is_no_orphan_of_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    last, start = started("good"), subprocess.Popen
    closing = threading.Thread(target=last.kill)

    def slowly(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        found = start(*arguments, **options)
        closing.start()
        closing.join(0.3)  # the last one ends before this one is known
        return found

    monkeypatch.setattr(descendants, "_adopting", True)
    monkeypatch.setattr(harness.subprocess, "Popen", slowly)
    with started("good") as following:
        closing.join()
        assert ask(following) == Answer(claim="upper", value="1")
