"""The journal of a run: one sealed line for each thing that is settled, so that a run ended by force goes on where it was."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from shuffleproof.conformance import stored_json
from shuffleproof.conformance.judge import Verdict
from shuffleproof.conformance.report import CaseResult
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

    path: the file; it is begun if it does not exist. run: what must be the same for a run to go on (suite, vectors, seed, ...).
    results, crashes: what an earlier run has settled, by case.

    Each line carries a digest and is on the disk before the next question is asked. A last line that was cut off by a crash is dropped.
    Raises DomainError if the journal belongs to another run or is in use, IntegrityError if anything but its last line is damaged,
    OutputError if the disk is full.
    """

    def __init__(self, path: Path, *, run: Mapping[str, Any]) -> None:
        self._path = path
        self.results: dict[str, CaseResult] = {}
        self.crashes: dict[str, Crash] = {}
        self._begun = False  # here, and nothing of it is on the disk yet
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
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
        content = self._path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.split(b"\n")[:-1]
        if not lines:
            if not _BEGINNING.startswith(content[: len(_BEGINNING)]):
                raise IntegrityError(path=str(self._path), reason="line 1: does not begin a journal")
            os.ftruncate(self._file, 0)
            self._begun = not content
            self._append({"format": FORMAT, "run": run})
            self._begun = False
            return
        entries = [self._entry(number, line) for number, line in enumerate(lines, start=1)]
        if entries[0].get("format") != FORMAT:
            raise IntegrityError(path=str(self._path), reason="line 1: does not begin a journal")
        before = entries[0]["run"]
        for key in run:
            if before.get(key) != run[key]:
                requirement = f"the journal of this run, but its {key} is {json.dumps(before.get(key))[:200]}"
                raise DomainError(parameter="resume", value=str(self._path), requirement=requirement)
        for entry in entries[1:]:
            if "crash" in entry:
                crash = entry["crash"]
                self.crashes[crash["id"]] = Crash(id=crash["id"], reason=crash["reason"], seconds=float(crash["seconds"]))
            else:
                self.results[entry["result"]["id"]] = _result(entry["result"])
        if len(whole) < len(content):  # only now: a file that is no journal stays as it is
            os.ftruncate(self._file, len(whole))

    def _append(self, content: Mapping[str, Any]) -> None:
        line = json.dumps({**content, "digest": stored_json.digest(content)[:16]}, ensure_ascii=True, allow_nan=False).encode("ascii")
        unwritten = memoryview(line + b"\n")
        try:
            while unwritten:
                unwritten = unwritten[os.write(self._file, unwritten) :]
            os.fsync(self._file)
        except OSError as error:
            raise cannot_write(str(self._path), error, parameter="resume") from None

    def _entry(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            entry = stored_json.parse(line)
        except stored_json.JsonError as error:
            raise IntegrityError(path=str(self._path), reason=f"line {number}: {error}") from None
        rest = {key: value for key, value in entry.items() if key != "digest"} if isinstance(entry, dict) else {}
        if len(rest.keys() & {"format", "crash", "result"}) != 1 or stored_json.digest(rest)[:16] != entry.get("digest"):
            raise IntegrityError(path=str(self._path), reason=f"line {number}: content and digest differ")
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
        flags=tuple(stored["flags"]),
        seconds=None if stored["seconds"] is None else float(stored["seconds"]),
    )
