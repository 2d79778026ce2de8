"""The report of a run: what became of every case, as a record, as JSON, and as a file that is trusted only if it is whole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from platform import platform, python_version
from typing import Any

from shuffleproof.conformance import stored_json
from shuffleproof.conformance.judging.judge import BROKEN, NOT_JUDGED, UNREPROACHED, Verdict
from shuffleproof.conformance.reporting import reproduction
from shuffleproof.spec.vocabulary.errors import IntegrityError
from shuffleproof.spec.vocabulary.tables import UPPER_COLOUR, Tabular, new_axes

FORMAT = "shuffleproof-report-1"
ABOUT = ("kit", "python", "platform", "date", "deadline")
"""What `circumstances` says."""
NOTHING_RAN = 5
"""Exit code where no case was judged."""
UNDECIDED = 3
"""Exit code where cases were left unasked and none failed."""
_SHOWN_CASES = 10
"""Cases that `print` shows of a report."""
_SHOWN_CHARACTERS = 120
"""Of what a harness has said, in a line that is printed."""


@dataclass(frozen=True, kw_only=True)
class CaseResult:
    """Says what became of one case.

    id, operation, given, expected, flags: the case, with the expectation as stored text; claim, value: what the harness answered, None
    where it gave no value, for a relation question by question; detail: why the verdict is what it is; ratio: of a loose claim; off: how
    far a wrong one is from the truth; seconds: that the answer took, without any start of the harness, None where it was not asked; stderr:
    what was written there, where the verdict speaks against the harness.
    """

    id: str
    operation: str
    given: Mapping[str, str]
    verdict: Verdict
    detail: str
    claim: str | None = None
    value: str | Mapping[str, str] | None = None
    expected: str
    ratio: str | None = None
    off: str | None = None
    flags: tuple[str, ...]
    seconds: float | None = None
    stderr: str | None = None

    def __repr__(self) -> str:
        return f"<CaseResult {self.verdict.value}: {_shown(self.id)}>"

    def as_json(self) -> dict[str, object]:
        """The result as JSON-ready values."""
        return {
            "id": self.id,
            "operation": self.operation,
            "input": dict(self.given),
            "verdict": self.verdict.value,
            "detail": self.detail,
            "claim": self.claim,
            "value": dict(self.value) if isinstance(self.value, Mapping) else self.value,
            "expected": self.expected,
            "ratio": self.ratio,
            **({"off": self.off} if self.off is not None else {}),
            "flags": list(self.flags),
            "seconds": None if self.seconds is None else f"{self.seconds:.6f}",
            **({"stderr": self.stderr} if self.stderr is not None else {}),
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(Tabular):
    """A whole run.

    implementation: name, version and language as the harness declared them; vectors: file -> digest; replayed: how many questions were
    asked a second time, since the harness crashed on them; unasked: how many cases an interruption has left without a result;
    cases_file: where the cases come from, None for stored vectors; about: of the kit, the day, the machine and the deadline, as
    `circumstances` gives it; command: as it was typed, None where it was not; earlier: the runs that this one took up, and how many answers
    are theirs; peak_memory: bytes that a process of the harness has held at most, None where unknown.
    """

    connect: str
    suite: str
    implementation: Mapping[str, str]
    vectors: Mapping[str, str]
    seed: int
    digits: int
    replayed: int = 0
    unasked: int = 0
    cases_file: str | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    command: str | None = None
    earlier: tuple[Mapping[str, str], ...] = ()
    peak_memory: int | None = None
    results: tuple[CaseResult, ...]

    def __str__(self) -> str:
        """Return what was judged and how many cases have which verdict; under it what speaks against it, a line each, and how many more."""
        about = " ".join(self.implementation.get(key, "") for key in ("name", "version")) or self.connect
        against = [result for result in self.results if result.verdict not in UNREPROACHED]
        lines = [f"{_shown(about)}, suite {self.suite}, {len(self.results)} case{'s' if len(self.results) != 1 else ''}: {self._counts()}"]
        lines += [f"  {result.verdict.value}: {_shown(result.id)}: {_shown(result.detail)}" for result in against[:_SHOWN_CASES]]
        more = len(against) - _SHOWN_CASES
        return "\n".join([*lines, f"  and {more} more in `results`"] if more > 0 else lines)

    @property
    def headline(self) -> str:
        """Whom it judges, and how many cases have which verdict."""
        return f"{_shown(self.implementation.get('name', self.connect))}, suite {self.suite}: {self._counts()}"

    def columns(self) -> dict[str, list[Any]]:
        """A row for each case: its verdict and why, how many times too large a loose claim is, and the seconds that its answer took."""
        nothing = float("nan")
        return {
            "case": [each.id for each in self.results],
            "operation": [each.operation for each in self.results],
            "verdict": [each.verdict.value for each in self.results],
            "detail": [each.detail for each in self.results],
            "ratio": [nothing if each.ratio is None else float(each.ratio) for each in self.results],
            "seconds": [nothing if each.seconds is None else each.seconds for each in self.results],
        }

    def plot(self, axes: Any = None) -> Any:
        """Draw how many cases have each verdict. axes: where to draw; new ones if None. Raises MissingExtraError without matplotlib."""
        axes = axes or new_axes()
        bars = axes.barh(list(self.summary), list(self.summary.values()), color=UPPER_COLOUR)
        axes.bar_label(bars, padding=3)
        axes.invert_yaxis()
        axes.set_xlabel("cases")
        axes.set_title(self.headline, fontsize="small", wrap=True)
        return axes

    def _counts(self) -> str:
        return ", ".join(f"{number} {verdict}" for verdict, number in self.summary.items()) or "nothing ran"

    @property
    def summary(self) -> dict[str, int]:
        """Verdict -> how many cases, in a fixed order, without zeros."""
        counts = {verdict.value: sum(result.verdict is verdict for result in self.results) for verdict in Verdict}
        return {verdict: number for verdict, number in counts.items() if number}

    @property
    def exit_code(self) -> int:
        """See `exit_code`."""
        return exit_code((result.verdict for result in self.results), unasked=self.unasked)

    def reproduce(self, result: CaseResult) -> dict[str, str]:
        """Two lines for a shell that ask a case again: `by_hand`, piped to the harness, and `by_the_kit`, which judges the answer too."""
        asked: dict[str, Any] = {"operation": result.operation, "given": result.given, "digits": self.digits}
        return {
            "by_hand": reproduction.by_hand(connect=self.connect, seed=self.seed, **asked),
            "by_the_kit": reproduction.by_the_kit(connect=self.connect, seed=self.seed, case_id=result.id, cases=self.cases_file),
        }

    def as_json(self) -> dict[str, Any]:
        """One object with `summary` and `cases`, sealed by a digest."""
        content = {
            "format": FORMAT,
            "connect": self.connect,
            "suite": self.suite,
            "implementation": dict(self.implementation),
            "vectors": dict(self.vectors),
            "seed": str(self.seed),
            "digits": str(self.digits),
            "replayed": str(self.replayed),
            **({"cases_file": self.cases_file} if self.cases_file is not None else {}),
            **({"unasked": str(self.unasked)} if self.unasked else {}),
            **({"about": dict(self.about)} if self.about else {}),
            **({"command": self.command} if self.command is not None else {}),
            **({"earlier": [dict(each) for each in self.earlier]} if self.earlier else {}),
            **({"peak_memory": str(self.peak_memory)} if self.peak_memory is not None else {}),
            "summary": self.summary,
            "cases": [{**result.as_json(), "reproduce": self.reproduce(result)} for result in self.results],
        }
        return stored_json.with_digest(content)


def circumstances(*, deadline: float) -> dict[str, str]:
    """Return what a run was made with: the kit's version, Python's, the platform, the date (UTC), and the deadline in seconds."""
    return {
        "kit": metadata.version("shuffleproof"),
        "python": python_version(),
        "platform": platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "deadline": f"{deadline:g}",
    }


def exit_code(verdicts: Iterable[Verdict], *, unasked: int = 0) -> int:
    """The exit code of a run; the worst, that is the largest, wins.

    0: everything conforms (loose, unsupported and skipped are allowed). 1: unsound, mismatch, refused where there is an answer, or listed
    to be skipped without failing. 4: the harness failed as a program (crashed, timed-out, protocol), so the other verdicts are incomplete,
    and 4 wins over 1. 5: nothing ran. 3 where it would be 0, but an interruption has left cases unasked.
    """
    seen = set(verdicts)
    code = NOTHING_RAN if seen <= NOT_JUDGED else 4 if seen & BROKEN else 1 if seen - UNREPROACHED else 0
    return UNDECIDED if unasked and code == 0 else code


def write(report: Report, path: Path) -> None:
    """Store a report; the file appears complete or not at all."""
    stored_json.write(path, report.as_json())


def read(path: Path) -> dict[str, Any]:
    """A stored report as JSON values. Raises IntegrityError if it is truncated, changed, or not a report."""
    content = stored_json.read(path)
    broken = stored_json.violation(content, schema="report")
    if broken is None:
        counts: dict[str, int] = {}
        for case in content["cases"]:
            counts[case["verdict"]] = counts.get(case["verdict"], 0) + 1
        if stored_json.with_digest(content) != content:
            broken = "digest: the file's content and digest differ"
        elif counts != content["summary"]:
            broken = "summary: does not count the cases"
    if broken is not None:
        raise IntegrityError(path=str(path), reason=broken)
    assert isinstance(content, dict)
    return content


def _shown(text: str) -> str:
    """Return a text that fits in a line and has no control characters."""
    shown = "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
    return shown if len(shown) <= _SHOWN_CHARACTERS else f"{shown[: _SHOWN_CHARACTERS - 1]}…"
