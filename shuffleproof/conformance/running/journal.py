"""The journal of a run: one sealed line for each thing that is settled, so that a run ended by force goes on where it was."""

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from shuffleproof.conformance import stored_json
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError
from shuffleproof.spec.vocabulary.files import cannot_write

FORMAT = "shuffleproof-journal-1"
_BEGINNING = json.dumps({"format": FORMAT}).removesuffix("}").encode()


@dataclass(frozen=True, kw_only=True)
class Crash:
    """The first crash of a harness on a case, which will be asked once more. seconds: until it crashed."""

    id: str
    reason: str
    seconds: float


class Journal:
    """An append-only file that remembers a run; a context manager that holds it alone.

    path: the file; it is begun if it does not exist. run: what must be the same for a run to go on (suite, vectors, seed, ...); about: what
    need not be, and is kept (the date, the deadline, ...). results, crashes: what earlier runs have settled, by case; earlier: what
    those were about, each with how many answers are its.

    Each line carries a digest and is on the disk before the next question is asked. A last line that was cut off by a crash is dropped.
    Raises DomainError if the journal belongs to another run or is in use, IntegrityError if anything but its last line is damaged,
    OutputError if the disk is full.
    """

    def __init__(self, path: Path, *, run: Mapping[str, Any], about: Mapping[str, str] | None = None) -> None:
        self._path, self._about = path, dict(about or {})
        self.earlier: tuple[Mapping[str, str], ...] = ()
        self.results: dict[str, CaseResult] = {}
        self.crashes: dict[str, Crash] = {}
        self._begun = False  # here, and nothing of it is on the disk yet
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise cannot_write(str(path), error, parameter="resume") from None
        try:
            if not path.is_file():
                raise DomainError(parameter="resume", value=str(path), requirement="a file (it is something else)")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise DomainError(parameter="resume", value=str(path), requirement="used by one run at a time") from None
            self._go_on(dict(run))
        except BaseException:
            if self._begun:
                path.unlink(missing_ok=True)
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._file)

    def settle(self, result: CaseResult) -> None:
        """Remember a result for good."""
        self._append({"result": result.as_json()})

    def crashed(self, crash: Crash) -> None:
        """Remember that a case has had its first try."""
        self._append({"crash": {"id": crash.id, "reason": crash.reason, "seconds": f"{crash.seconds:.6f}"}})

    def _go_on(self, run: dict[str, Any]) -> None:
        content = stored_json.stored_bytes(self._path)
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.split(b"\n")[:-1]
        if not lines:
            if not _BEGINNING.startswith(content[: len(_BEGINNING)]):
                raise IntegrityError(path=str(self._path), reason="line 1: does not begin a journal")
            os.ftruncate(self._file, 0)
            self._begun = not content
            self._append({"format": FORMAT, "run": run, "about": self._about})
            self._begun = False
            return
        before = _remembered(self._path, lines)
        for key in run:
            if before.run.get(key) != run[key]:
                requirement = f"the journal of this run, but its {key} is {json.dumps(before.run.get(key))[:200]}"
                raise DomainError(parameter="resume", value=str(self._path), requirement=requirement)
        self.results, self.crashes, self.earlier = dict(before.results), dict(before.crashes), before.parts
        if len(whole) < len(content):  # only now: a file that is no journal stays as it is
            os.ftruncate(self._file, len(whole))
        self._append({"resumed": self._about})

    def _append(self, content: Mapping[str, Any]) -> None:
        line = json.dumps({**content, "digest": stored_json.digest(content)[:16]}, ensure_ascii=True, allow_nan=False).encode("ascii")
        unwritten = memoryview(line + b"\n")
        try:
            while unwritten:
                unwritten = unwritten[os.write(self._file, unwritten) :]
            os.fsync(self._file)
        except OSError as error:
            raise cannot_write(str(self._path), error, parameter="resume") from None


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """The content of a journal. run: of all its runs; parts: what each of them was about, with how many answers ("answers") are its."""

    run: Mapping[str, Any]
    parts: tuple[Mapping[str, str], ...]
    results: Mapping[str, CaseResult]
    crashes: Mapping[str, Crash]


def is_journal(path: Path) -> bool:
    """Return whether a file begins as a journal does."""
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


def read(path: Path) -> Remembered:
    """Return what a journal holds; a last line that was cut off is left out, and the file stays as it is. Raises IntegrityError."""
    content = stored_json.stored_bytes(path)
    return _remembered(path, content[: content.rfind(b"\n") + 1].split(b"\n")[:-1])


def _remembered(path: Path, lines: Sequence[bytes]) -> Remembered:
    entries = [_entry(path, number, line) for number, line in enumerate(lines, start=1)]
    if not entries or entries[0].get("format") != FORMAT:
        raise IntegrityError(path=str(path), reason="line 1: does not begin a journal")
    results: dict[str, CaseResult] = {}
    crashes: dict[str, Crash] = {}
    parts, counts = [entries[0].get("about", {})], [0]
    for entry in entries[1:]:
        if "crash" in entry:
            crash = entry["crash"]
            crashes[crash["id"]] = Crash(id=crash["id"], reason=crash["reason"], seconds=float(crash["seconds"]))
        elif "resumed" in entry:
            parts.append(entry["resumed"])
            counts.append(0)
        else:
            results[entry["result"]["id"]] = _result(entry["result"])
            counts[-1] += 1
    told = tuple({**part, "answers": str(number)} for part, number in zip(parts, counts, strict=True))
    return Remembered(run=entries[0]["run"], parts=told, results=results, crashes=crashes)


def _entry(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        entry = stored_json.parse(line)
    except stored_json.JsonError as error:
        raise IntegrityError(path=str(path), reason=f"line {number}: {error}") from None
    rest = {key: value for key, value in entry.items() if key != "digest"} if isinstance(entry, dict) else {}
    if len(rest.keys() & {"format", "crash", "result", "resumed"}) != 1 or stored_json.digest(rest)[:16] != entry.get("digest"):
        raise IntegrityError(path=str(path), reason=f"line {number}: content and digest differ")
    return rest


def _result(stored: Mapping[str, Any]) -> CaseResult:
    return CaseResult(
        id=stored["id"],
        operation=stored["operation"],
        given=stored["input"],
        verdict=Verdict(stored["verdict"]),
        detail=stored["detail"],
        claim=stored["claim"],
        value=stored["value"],
        expected=stored["expected"],
        ratio=stored["ratio"],
        off=stored.get("off"),
        flags=tuple(stored["flags"]),
        seconds=None if stored["seconds"] is None else float(stored["seconds"]),
        stderr=stored.get("stderr"),
    )
