"""The registry of statements: declaring, checking, running mutants, comparing with what was recorded."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from shuffleproof.proofs_check.verdict import Status, Verdict
from shuffleproof.spec.vocabulary.errors import IntegrityError, ResourceLimitError, UndecidedError, require

Depth = Literal["quick", "full"]
Provenance = Literal["text", "recalled", "derived"]
RECORDED = Path(__file__).with_name("recorded.json")
_ID = re.compile(r"[A-Z]+(?:[0-9]{2})?\.[A-Za-z0-9.-]*[A-Za-z0-9]")
_REGISTRY: dict[str, Statement] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much work a check may do. depth: "quick" (seconds) or "full" (more cases, larger n). seed: of everything drawn at random."""

    depth: Depth = "quick"
    seed: int = 0

    def __post_init__(self) -> None:
        require(self.depth in get_args(Depth), parameter="depth", value=self.depth, requirement='"quick" or "full"')
        require(isinstance(self.seed, int) and self.seed >= 0, parameter="seed", value=self.seed, requirement="an integer, at least 0")

    def pick(self, *, quick: int, full: int) -> int:
        """The amount that goes with the depth."""
        return quick if self.depth == "quick" else full


Check = Callable[[Budget], Verdict]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A statement changed so that it is false. change: what was changed. check: the statement's check, pointed at the changed statement."""

    change: str
    check: Check


@dataclass(eq=False, slots=True, kw_only=True)
class Statement:
    """One numbered statement of a paper, or a claim its text relies on.

    id: "FMT21.Lem2.3". where: place in the paper. says: the statement, in words and formula. range: its full stated range.
    provenance: "text" (readable in the paper's text), "recalled" (from the published paper) or "derived" (here).
    governs: the code whose meaning it fixes. check: decides it. mutants: changed statements that the check must reject.
    """

    id: str
    where: str
    says: str
    range: str
    provenance: Provenance
    governs: tuple[str, ...]
    check: Check
    mutants: list[Mutant] = field(default_factory=list)

    @property
    def paper(self) -> str:
        """The paper's short name, "FMT21"."""
        return self.id.partition(".")[0]

    def mutant(self, change: str) -> Callable[[Check], Check]:
        """Register a check of the changed statement; it counts as rejected iff its verdict is refuted (none corrected) or vacuous."""

        def register(check: Check) -> Check:
            self.mutants.append(Mutant(change, check))
            return check

        return register


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict on a statement, and the seconds it took."""

    statement: Statement
    verdict: Verdict
    seconds: float


@dataclass(frozen=True, slots=True)
class MutantResult:
    """What became of a mutant: killed iff the check rejected the changed statement.

    For a statement that is itself refuted, the mutants change its corrected statement: killed means that none is left standing.
    """

    statement: Statement
    mutant: Mutant
    verdict: Verdict
    seconds: float

    @property
    def killed(self) -> bool:
        """True iff the check found the changed statement refuted, with no corrected statement beside it, or vacuous."""
        verdict = self.verdict
        return verdict.status is Status.VACUOUS or (verdict.status is Status.REFUTED and verdict.corrected is None)


def statement(
    id: str, *, where: str, provenance: Provenance, says: str, range: str = "", governs: Sequence[str] = ()
) -> Callable[[Check], Statement]:
    """Declare a statement; the decorated function is its check. Fields as in Statement. Raises ValueError for a bad or repeated id."""
    if not _ID.fullmatch(id):
        raise ValueError(f"{id!r} is not an id such as FMT21.Lem2.3")
    if provenance not in get_args(Provenance):
        raise ValueError(f"{id}: provenance {provenance!r}")

    def register(check: Check) -> Statement:
        if id in _REGISTRY:
            raise ValueError(f"{id} is declared twice")
        _REGISTRY[id] = Statement(id=id, where=where, says=says, range=range, provenance=provenance, governs=tuple(governs), check=check)
        return _REGISTRY[id]

    return register


def registry() -> dict[str, Statement]:
    """Every statement by id, papers in alphabetical order and each in its own order."""
    papers = importlib.import_module("shuffleproof.proofs_check.papers")
    names = [module.name for module in pkgutil.walk_packages(papers.__path__, prefix=papers.__name__ + ".")]
    order: list[str] = []
    for name in sorted(names, key=_reading_order):
        importlib.import_module(name)
        order += [id for id, known in _REGISTRY.items() if known.check.__module__ == name]
    return {id: _REGISTRY[id] for id in order}


def select(ids: Sequence[str] = (), *, paper: str | None = None) -> list[Statement]:
    """The statements with these ids (all if none are given), of this paper (any if none is given), in paper order.

    Raises DomainError for an id or a paper that the ledger does not have.
    """
    known = registry()
    for id in ids:
        require(id in known, parameter="id", value=id, requirement='a statement of the ledger (see "ledger list")')
    papers = {entry.paper for entry in known.values()}
    require(paper is None or paper in papers, parameter="paper", value=paper, requirement=f"one of {', '.join(sorted(papers))}")
    return [entry for id, entry in known.items() if (not ids or id in ids) and paper in (None, entry.paper)]


def check(statements: Sequence[Statement | str], budget: Budget) -> Iterator[Result]:
    """Check the statements one by one, yielding each result as it comes.

    statements: Statements or ids. A check that certified arithmetic cannot finish gives an `open` verdict; any other error is a
    fault of the ledger and propagates, with the statement's id attached.
    """
    known = registry() if any(isinstance(item, str) for item in statements) else {}
    for item in statements:
        if isinstance(item, str):
            require(item in known, parameter="id", value=item, requirement='a statement of the ledger (see "ledger list")')
    for item in statements:
        entry = known[item] if isinstance(item, str) else item
        verdict, seconds = _timed(entry.id, entry.check, budget)
        yield Result(entry, verdict, seconds)


def run_mutants(entry: Statement, budget: Budget) -> Iterator[MutantResult]:
    """Run the statement's mutants; each must come out killed."""
    for mutant in entry.mutants:
        verdict, seconds = _timed(f"{entry.id}, mutant: {mutant.change}", mutant.check, budget)
        yield MutantResult(entry, mutant, verdict, seconds)


def recorded(path: Path = RECORDED) -> dict[str, Status]:
    """The recorded status of each statement. Raises IntegrityError if the file is missing or is not such a record."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {str(id): Status(status) for id, status in entries.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise IntegrityError(path=path.name, reason=f"not a record of statuses: {error}") from error


def write_recorded(results: Iterable[Result], path: Path = RECORDED) -> None:
    """Write the statuses as the record that later runs are compared with (to a temporary name, then renamed)."""
    text = json.dumps({result.statement.id: result.verdict.status for result in results}, indent=1) + "\n"
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def drift(results: Iterable[Result], record: dict[str, Status], *, complete: bool = False) -> list[str]:
    """One line for every statement whose status is not the recorded one; with complete, also for recorded ones that are missing."""
    lines, seen = [], set()
    for result in results:
        id, status = result.statement.id, result.verdict.status
        seen.add(id)
        if id not in record:
            lines.append(f"{id}: {status}, not recorded")
        elif record[id] is not status:
            lines.append(f"{id}: {status}, recorded as {record[id]}")
        elif status is Status.REFUTED and result.verdict.corrected is None:
            lines.append(f"{id}: refuted as recorded, but its corrected statement fails as well: {result.verdict.witness}")
    return lines + (
        [f"{id}: recorded as {status}, not in the ledger" for id, status in record.items() if id not in seen] if complete else []
    )


def json_row(result: Result) -> dict[str, object]:
    """One result as JSON-ready values."""
    entry, verdict = result.statement, result.verdict
    return {
        "id": entry.id,
        "paper": entry.paper,
        "status": verdict.status.value,
        "where": entry.where,
        "says": entry.says,
        "range": entry.range,
        "provenance": entry.provenance,
        "governs": list(entry.governs),
        "domain": verdict.domain,
        "cases": verdict.cases,
        "slack": verdict.slack,
        "witness": verdict.witness,
        "corrected": verdict.corrected,
        "note": verdict.note,
        "rests_on": list(verdict.rests_on),
        "mutants": [mutant.change for mutant in entry.mutants],
        "seconds": round(result.seconds, 3),
    }


def _timed(id: str, run: Check, budget: Budget) -> tuple[Verdict, float]:
    started = time.perf_counter()
    try:
        verdict = run(budget)
    except (UndecidedError, ResourceLimitError) as error:
        verdict = Verdict(status=Status.OPEN, domain="as stated", cases=0, note=str(error))
    except Exception as error:
        error.add_note(f"while checking {id}")
        raise
    return verdict, time.perf_counter() - started


def _reading_order(module: str) -> tuple[str, bool, list[int], str]:
    """Papers by name; in each, sections before appendices, section 10 after section 9."""
    parts = module.partition(".papers.")[2].split(".")
    last = parts[-1] if len(parts) > 1 else ""
    return parts[0], last.startswith("appendix"), [int(digits) for digits in re.findall(r"\d+", last)], last
