"""Two reports compared, case by case: what was fixed, what is wrong now that was not, what merely changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting.report import UNDECIDED

_GRAVITY = {
    Verdict.REFUSED: 1,
    Verdict.UNSKIPPED: 1,
    Verdict.MISMATCH: 2,
    Verdict.UNSOUND: 3,
    Verdict.PROTOCOL: 4,
    Verdict.TIMED_OUT: 4,
    Verdict.CRASHED: 4,
}
"""What speaks against an implementation, and how much; 0 for every other verdict."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A case whose verdict is another one. old, new: the verdicts, None where a report does not have the case."""

    id: str
    old: str | None
    new: str | None
    detail: str


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Holds what became of the cases of two reports.

    worse: what speaks against the implementation now and did not, or did less, cases that are new included; fixed: what did and does not
    any more; changed: any other change of verdict; gone: cases that the new report does not have.
    """

    worse: tuple[Change, ...]
    fixed: tuple[Change, ...]
    changed: tuple[Change, ...]
    gone: tuple[Change, ...]

    @property
    def exit_code(self) -> int:
        """1 where something got worse; else 3 where cases are gone, of which nothing is known; else 0."""
        return 1 if self.worse else UNDECIDED if self.gone else 0


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
    """Compare two reports, each as `report.read` gives it. Cases are the same where their ids are."""
    before, after = ({case["id"]: case for case in report["cases"]} for report in (old, new))
    found: dict[str, list[Change]] = {"worse": [], "fixed": [], "changed": [], "gone": []}
    for name in [*after, *(name for name in before if name not in after)]:
        one, other = before.get(name), after.get(name)
        verdicts = [None if case is None else case["verdict"] for case in (one, other)]
        change = Change(id=name, old=verdicts[0], new=verdicts[1], detail=(other or one or {})["detail"])
        was, now = (0 if verdict is None else _GRAVITY.get(Verdict(verdict), 0) for verdict in verdicts)
        if other is None:
            found["gone"].append(change)
        elif now > was:
            found["worse"].append(change)
        elif was and not now and other["verdict"] in (Verdict.CONFORMS, Verdict.LOOSE):
            found["fixed"].append(change)
        elif one is not None and verdicts[0] != verdicts[1]:
            found["changed"].append(change)
    return Difference(**{name: tuple(changes) for name, changes in found.items()})
