"""Long verbs that are interrupted, terminated and killed, and run again: nothing is lost, nothing is there twice, nobody is left behind."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import weakref
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import every_verb
import pytest

from shuffleproof.command_line import program
from shuffleproof.command_line.verbs import shuffleproof
from shuffleproof.conformance.reporting import report
from shuffleproof.planning.sweep.points import key_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="a system that does not list processes in /proc")

PROGRAM = [sys.executable, "-m", "shuffleproof"]
GUARD = 300
"""Seconds after which a test that waits gives up; nothing is asserted about less."""
LITTLE = [sys.executable, str(Path(__file__).parent / "small_verify.py")]
"""The same with less to do in every part of verify: twenty moments of a run of minutes are seldom in the last of them."""
TARGET = "py:shuffleproof.verification.own_harness:ball"


def sweep(output: Path, points: int) -> list[str]:
    given = ["-n", f"1e3:1e4:{points}", "--eps0", "1", "--delta", "1e-6", "--engine", "ball", "--workers", "2", "-o", str(output)]
    return [*PROGRAM, "sweep", *given]


def _heard() -> None:
    """A shell in the background, and nohup, have what they start ignore signals."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def begun(command: list[str], **more: Any) -> subprocess.Popen[str]:
    """The program in a session of its own, whose processes can be found by a mark in their environment."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_heard,
        env={**os.environ, "SHUFFLEPROOF_TEST_MARK": mark},
        **more,
    )
    process.mark = mark  # type: ignore[attr-defined]
    return process


def alive(process: subprocess.Popen[str]) -> list[int]:
    """Processes that carry the mark of this one and have not ended."""
    wanted = f"SHUFFLEPROOF_TEST_MARK={process.mark}".encode()  # type: ignore[attr-defined]
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + GUARD
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.02)


def rows_of(output: Path) -> list[dict[str, Any]]:
    """The rows of a file of results, whole or not, from wherever they are at the moment."""
    is_table = output.suffix == ".parquet"
    journal = output.with_name(output.name + ".jsonl") if is_table else output
    try:
        waiting = [json.loads(line) for line in journal.read_bytes().rpartition(b"\n")[0].splitlines()]
    except FileNotFoundError:
        waiting = []
    if not is_table or not output.exists():
        return waiting
    there: list[dict[str, Any]] = pytest.importorskip("pyarrow.parquet").read_table(output).to_pylist()
    known = {key_of(row) for row in there}
    return there if all(key_of(row) in known for row in waiting) else there + waiting


def swept_with_interruptions(output: Path, *, points: int, numbers: Collection[signal.Signals], moment: Callable[[], None] | None) -> None:
    """Interrupt a sweep so often, by the group as a terminal does or the process alone, then let it end, and compare with the whole."""
    codes = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 143, signal.SIGKILL: -9}
    for number in numbers:
        before = len(rows_of(output))
        running = begun(sweep(output, points))
        if moment is None:
            until(lambda: running.poll() is not None or len(rows_of(output)) > before)  # noqa: B023
        else:
            moment()
        if number is signal.SIGINT:
            os.killpg(running.pid, number)
        else:
            running.send_signal(number)
        out, err = running.communicate(timeout=GUARD)
        until(lambda: not alive(running))  # noqa: B023
        if running.returncode not in (0, -signal.SIGINT, -number):  # it may have been ready, or not yet have begun
            assert running.returncode == codes[number]
            assert (out, err.count("\n")) == ("", 1), err
        if number is not signal.SIGKILL and moment is None:
            assert "Traceback" not in err
        assert all(count == 1 for count in Counter(key_of(row) for row in rows_of(output)).values())
    subprocess.run(sweep(output, points), check=True, capture_output=True, timeout=GUARD)
    whole = output.with_name(f"whole{output.suffix}")
    subprocess.run(sweep(whole, points), check=True, capture_output=True, timeout=GUARD)
    assert sorted(map(stable, rows_of(output))) == sorted(map(stable, rows_of(whole)))
    assert len(rows_of(output)) == points


def stable(row: dict[str, Any]) -> str:
    own = {name: value for name, value in row.items() if name not in ("seconds", "digest")}  # the digest is of the seconds, too
    return json.dumps({name: None if value is None else str(value) for name, value in own.items()}, sort_keys=True)


@pytest.mark.parametrize("name", ["grid.jsonl", pytest.param("grid.parquet", marks=pytest.mark.deep)])
def test_a_sweep_by_balls_that_is_interrupted_and_run_again_is_whole(tmp_path: Path, name: str) -> None:
    swept_with_interruptions(tmp_path / name, points=40, numbers=(signal.SIGINT, signal.SIGTERM), moment=None)


def test_workers_of_a_sweep_that_is_killed_end(tmp_path: Path) -> None:
    """kill -9 leaves nobody to tell them: they watch a pipe."""
    running = begun(sweep(tmp_path / "grid.jsonl", 400))
    until(lambda: len(rows_of(tmp_path / "grid.jsonl")) > 0)
    assert len(alive(running)) > 1
    running.kill()
    running.communicate(timeout=GUARD)
    until(lambda: not alive(running))


@pytest.mark.deep
def test_workers_of_a_ledger_run_that_is_killed_end() -> None:
    running = begun([*PROGRAM, "ledger", "mutate", "--paper", "FMT21"])
    until(lambda: len(alive(running)) > 2)
    running.kill()
    running.communicate(timeout=GUARD)
    until(lambda: not alive(running))


def test_an_interruption_in_the_imports_of_the_program_is_one_line() -> None:
    """What is imported before there is somebody to hear a signal is next to nothing: the package's names are not."""
    program = "import sys, shuffleproof.command_line.program; print(*(name for name in sys.modules if name.startswith('shuffleproof')))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert set(done.stdout.split()) == {"shuffleproof", "shuffleproof.command_line", "shuffleproof.command_line.program"}
    early = "import os, signal, sys; sys.modules['click'] = None; import shuffleproof.command_line.program as p\n"
    early += "p._run = lambda given: os.kill(os.getpid(), signal.SIGINT) or signal.pause(); p.main(['bound', 'list'])"
    ended = subprocess.run([sys.executable, "-c", early], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, "shuffleproof: interrupted\n")


@pytest.mark.parametrize("place", ["imports", "verb"])
def test_an_interruption_while_a_class_is_made_is_one_line(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python 3.11 hides what is raised in __set_name__ in a RuntimeError."""

    def interrupted(*_: object, **__: object) -> int:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    if place == "imports":
        monkeypatch.setattr(program, "_run", interrupted)
    else:
        monkeypatch.setattr(shuffleproof, "invoke", interrupted)
    with pytest.raises(SystemExit) as ended:
        program.main(["bound", "list"])
    assert (ended.value.code, capsys.readouterr().err) == (130, "shuffleproof: interrupted\n")


def test_an_interruption_that_a_callback_swallows_is_heard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every import has such a callback: Python prints a traceback of what is raised there, and goes on as if nothing had been."""

    class Watched:
        pass

    def swallowing(_: object) -> int:
        thing = Watched()
        watch = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
        del thing
        assert watch() is None
        end = time.monotonic() + 10
        while time.monotonic() < end:
            time.sleep(0.001)
        return 0

    monkeypatch.setattr(program, "_run", swallowing)
    before = sys.unraisablehook
    with pytest.raises(SystemExit) as ended:
        program.main(["bound", "list"])
    assert (ended.value.code, capsys.readouterr().err) == (130, "shuffleproof: interrupted\n")
    assert sys.unraisablehook is before


DRAWN = ("run histogram", "run real-sum", "conform search", "verify")
"""Verbs that do not say the same each time: noise, a search by the clock, the seconds of each part."""


def answered(verb: str, folder: Path, program: list[str]) -> tuple[int, str, dict[str, bytes], float]:
    """How a long verb ends that nobody interrupts: its code, what it says but for seconds, the files it wrote, and how long it took."""
    started = time.monotonic()
    command = [*program, *verb.split(), *every_verb.LONG[verb]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=20 * GUARD)
    assert "Traceback" not in done.stderr
    timed = re.compile(r"[0-9.]+ s\b| +[0-9]+\.[0-9]{2}$", re.MULTILINE)  # in words, and as a table's last column
    said = "" if verb in DRAWN else timed.sub("", done.stdout)
    made = {path.name: b"" if verb in DRAWN or path.is_dir() else undated(path) for path in folder.glob("OUT*")}
    return done.returncode, said, made, time.monotonic() - started


def undated(path: Path) -> bytes:
    """What a file says but for the minute at which it was made, which pages name."""
    return re.sub(rb"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC", b"", path.read_bytes())


def before_the_program(code: int, err: str) -> bool:
    """Return whether the signal hit the interpreter's own start, of which no line is ours: it cannot be heard there."""
    starting = "Fatal Python error" in err or "could not import site" in err or "<frozen site>" in err
    ours = "shuffleproof" in re.sub(r"__editable__\S*", "", err.replace(os.getcwd(), ""))  # the interpreter reads where an editable one is
    return code in (1, -signal.SIGINT, -signal.SIGTERM) and starting and not ours


@pytest.mark.parametrize(
    ("code", "err", "early"),
    [
        (1, "Fatal Python error: init_import_site: Failed to import the site module\nKeyboardInterrupt\n", True),
        (-2, "could not import site\n", True),
        (1, 'Fatal Python error: init_import_site\n  File "lib/__editable___shuffleproof_0_2_0_finder.py", line 1\n', True),
        (1, 'Traceback (most recent call last):\n  File "shuffleproof/__main__.py", line 3\nKeyboardInterrupt\n', False),
        (1, 'Fatal Python error: Aborted\n  File "shuffleproof/answering.py"\n', False),
        (70, "Fatal Python error: init_import_site\n", False),
        (1, "", False),
    ],
)
def test_only_the_interpreters_start_is_excused(code: int, err: str, early: bool) -> None:
    assert before_the_program(code, err) == early


@pytest.mark.deep
@pytest.mark.parametrize(("verb", "program"), [*((verb, PROGRAM) for verb in every_verb.LONG), ("verify", LITTLE)])
def test_a_verb_that_is_interrupted_at_any_moment_leaves_nothing_behind(verb: str, program: list[str], tmp_path: Path) -> None:
    """Twenty times, at any moment of its run: one line or the whole answer, no process, no half file; then it answers as it had before."""
    for name in ("whole", "interrupted"):
        (tmp_path / name).mkdir()
        every_verb.prepare(tmp_path / name)
    folder, before = tmp_path / "interrupted", {path.name for path in (tmp_path / "interrupted").iterdir()}
    *whole, seconds = answered(verb, tmp_path / "whole", program)
    command = [*program, *verb.split(), *every_verb.LONG[verb]]
    chance = random.Random(f"interruptions of {verb}")
    for number in [signal.SIGINT, signal.SIGTERM] * 10:
        running = begun(command, cwd=folder)
        time.sleep(chance.uniform(0.1, min(seconds, GUARD)))
        running.send_signal(number)
        _, err = running.communicate(timeout=GUARD)
        until(lambda: not alive(running))  # noqa: B023
        if before_the_program(running.returncode, err):
            pass
        elif running.returncode in (130, 143):
            assert err.endswith(f"shuffleproof: {'interrupted' if number is signal.SIGINT else 'terminated'}\n")
            assert "Traceback" not in err
        else:  # ready, or not yet begun
            assert running.returncode in (0, 1, 3, -number), err
            assert running.returncode == -number or "Traceback" not in err
        assert {path.name for path in folder.iterdir()} - before <= {word for word in every_verb.LONG[verb] if word.startswith("OUT")}
        for path in folder.glob("OUT*"):  # whole, from a run that was ready before
            assert verb in DRAWN or undated(path) == undated(tmp_path / "whole" / path.name)
    *again, _ = answered(verb, folder, program)
    assert again == whole


@pytest.mark.deep
@pytest.mark.parametrize("name", ["grid.jsonl", "grid.parquet"])
def test_a_sweep_that_is_interrupted_twenty_times_at_any_moment_is_whole(tmp_path: Path, name: str) -> None:
    chance = random.Random(f"interruptions of {name}")
    kinds = [chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)) for _ in range(20)]
    swept_with_interruptions(tmp_path / name, points=150, numbers=kinds, moment=lambda: time.sleep(chance.uniform(0.2, 4)))


def asked(log: Path) -> int:
    return log.read_text("utf-8").count("\n") if log.exists() else 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_conformance_run_that_is_interrupted_reports_what_it_has(tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "report.json"
    command = [*PROGRAM, "conform", "run", "-i", TARGET, "--suite", "fmt21", "--jobs", jobs, "--report", str(path)]
    running = begun([*command, "--resume", str(tmp_path / "journal")])
    until(lambda: asked(tmp_path / "journal") > 5 or running.poll() is not None)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=GUARD)
    assert (running.returncode, err) == (130, "shuffleproof: interrupted\n")
    found = report.read(path)
    assert len(found["cases"]) >= 4
    assert f"interrupted: {found['unasked']} cases were not asked" in out
    until(lambda: not alive(running))
    shown = subprocess.run([*PROGRAM, "conform", "show", str(path)], capture_output=True, text=True, check=False)
    assert shown.returncode == 3  # never as if all had been asked


@pytest.mark.deep
def test_a_conformance_run_that_is_interrupted_twenty_times_asks_nothing_twice(tmp_path: Path) -> None:
    chance = random.Random("interruptions of a run")
    journal, path = tmp_path / "journal", tmp_path / "report.json"
    command = [*PROGRAM, "conform", "run", "-i", TARGET, "--suite", "fmt21", "--jobs", "2", "--resume", str(journal)]
    for _ in range(20):
        running = begun(command)
        time.sleep(chance.uniform(0.2, 5))
        running.send_signal(chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)))
        running.communicate(timeout=GUARD)
        until(lambda: not alive(running))  # noqa: B023
    subprocess.run([*command, "--report", str(path)], check=True, capture_output=True, timeout=GUARD)
    settled = [json.loads(line)["result"]["id"] for line in journal.read_text("utf-8").splitlines() if "result" in json.loads(line)]
    assert len(settled) == len(set(settled))
    whole = tmp_path / "whole.json"
    once = [*PROGRAM, "conform", "run", "-i", TARGET, "--suite", "fmt21", "--report", str(whole)]
    subprocess.run(once, check=True, capture_output=True, timeout=GUARD)
    first, second = ({case["id"]: case["verdict"] for case in report.read(file)["cases"]} for file in (path, whole))
    assert first == second
