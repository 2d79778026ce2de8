"""The second net: a check's numbers and relations bent by machine, and which of the bent statements its check does not reject.

A check's keyword parameters are the parts of its statement. Every number among their defaults is made a tenth larger and a tenth
smaller, every integer one larger and one smaller, and every truth value is turned; what survives is bent further. A bent statement may
well be true (a larger constant in an upper bound is): so survivors are listed beside the slack that explains them, and are no failures.
A number that survives whatever is done to it is one that nothing in the check depends on. Comparisons and conditions: `relations`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.ledger.relations import KINDS, bent_relation, relations
from shuffleproof.proofs_check.ledger.statements import Budget, Statement
from shuffleproof.proofs_check.ledger.verdict import Status, Verdict
from shuffleproof.spec.vocabulary.errors import IntegrityError
from shuffleproof.spec.vocabulary.files import write_whole

BENT = Path(__file__).resolve().parents[1] / "bent.json"
_TENTH = Fraction(1, 10)
_SMALLER = (1 - _TENTH, Fraction(1, 2), _TENTH, Fraction(-1))
_SHARES = tuple(Fraction(percent, 100) for percent in (1, 10, 50, 90, 900))
"""How far a number of a proved statement is bent, of itself, until a step of its proof fails."""
_LARGER = (1 + _TENTH, Fraction(2), Fraction(10))


@dataclass(frozen=True, slots=True)
class Bent:
    """A statement with one number or relation changed. part: the parameter, or "strictness in" a function; was, is_now: as text.

    outcome: "rejected" (refuted, with no corrected statement left, or vacuous), "accepted", "undecided" (open), "not a statement",
    where the check does not take such a value, or "told", where it holds all the same and the verdict says another slack.
    """

    statement: str
    part: str
    was: str
    is_now: str
    outcome: str

    @property
    def kind(self) -> str:
        """ "number", or which relation: "direction", "strictness", "condition"."""
        first = self.part.partition(" ")[0]
        return first if first in KINDS else "number"


Build = Callable[[Any], dict[str, Any]]
"""From a number to the check's arguments with this number in its place."""


def parts(entry: Statement) -> dict[str, Any]:
    """The parts of a statement that can be bent, with their values: numbers and truth values among its check's keyword defaults.

    Those inside a tuple are named "at[0]", those of a record "claim.factor".
    """
    return {label: value for label, value, _ in _places(entry)}


def _places(entry: Statement) -> list[tuple[str, int | Fraction, Build]]:
    """Numbers in tuples, which are places that were tried as a rule, only where there are no others."""
    found = list(_all_places(entry))
    return [place for place in found if "[" not in place[0]] or found


def _all_places(entry: Statement) -> Iterator[tuple[str, int | Fraction, Build]]:
    for parameter in inspect.signature(entry.check).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            name = parameter.name
            for label, value, rebuilt in _inside(parameter.default):
                yield name + label, value, lambda changed, name=name, rebuilt=rebuilt: {name: rebuilt(changed)}  # type: ignore[misc]


def _inside(value: Any) -> Iterator[tuple[str, int | Fraction, Callable[[Any], Any]]]:
    if isinstance(value, int | Fraction):
        yield "", value, lambda changed: changed
    elif isinstance(value, tuple):
        for at, item in enumerate(value):
            for label, number, rebuilt in _inside(item):
                yield f"[{at}]{label}", number, lambda new, at=at, rebuilt=rebuilt: (*value[:at], rebuilt(new), *value[at + 1 :])  # type: ignore[misc]
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            for label, number, rebuilt in _inside(getattr(value, field.name)):
                yield f".{field.name}{label}", number, lambda new, name=field.name, rebuilt=rebuilt: replace(value, **{name: rebuilt(new)})  # type: ignore[misc]


def bend(entry: Statement, budget: Budget, *, nearest: bool = False) -> Iterator[Bent]:
    """Run the check on every bent statement; a number is bent further, up to tenfold, until the check no longer accepts it.

    nearest: only as little as there is, a tenth or 1, either way.
    """
    for name, value, build in _places(entry):
        for series in _bent(value):
            for changed in series[:1] if nearest else series:
                outcome = _outcome(entry, budget, build, changed)
                yield Bent(entry.id, name, str(value), str(changed), outcome)
                if outcome != "accepted":
                    break
    yield from bend_relations(entry, budget)


def outside_the_proof(entry: Statement, budget: Budget) -> list[str]:
    """The numbers of a proved statement that no symbolic or interval step looks at: it is not proved in what they say.

    A number is bent by 1 % and further, either way, until the check no longer accepts the statement; it is looked at where a step that
    shows a proof fails then. What only listed points refute is certified there, whatever the other steps prove.
    """
    return [name for name, value, build in _places(entry) if not isinstance(value, bool) and not _is_looked_at(entry, budget, value, build)]


def _is_looked_at(entry: Statement, budget: Budget, value: int | Fraction, build: Build) -> bool:
    for sign in (-1, 1):
        for changed in _ever_further(value, sign):
            try:
                verdict, _, steps = decide(entry, budget, build(changed))
            except Exception:  # a check that does not take such a number says nothing of it
                continue
            if _is_rejected(verdict):
                if any(steps.shows[place] is Status.PROVED for place in steps.failed):
                    return True
                break
    return False


def _ever_further(value: int | Fraction, sign: int) -> Iterator[int | Fraction]:
    if isinstance(value, int):
        yield from (value + sign * by for by in (1, 2, max(3, abs(value)), max(4, 2 * abs(value))))
    size = abs(Fraction(value)) or Fraction(1)
    yield from (value + sign * share * size for share in _SHARES)


def bend_relations(entry: Statement, budget: Budget) -> Iterator[Bent]:
    """Run the check with each of its comparisons and conditions bent."""
    known = relations(entry, budget)
    if known:
        as_stated, _, _ = decide(entry, budget, {})
        for relation in known:
            change = relation.offered.change
            outcome = bent_relation(entry, budget, relation, as_stated)
            yield Bent(entry.id, relation.part, change.was, change.becomes, outcome)


def _bent(value: int | Fraction) -> tuple[tuple[Any, ...], ...]:
    """What a number is changed to, in either direction, the nearest first."""
    if isinstance(value, bool):
        return ((not value,),)
    if isinstance(value, int):
        return (value - 1, value // 2 if value > 3 else value - 2), (value + 1, 2 * value if value > 1 else value + 2)
    if not value:
        return (-_TENTH,), (_TENTH,)
    return tuple(tuple(value * factor for factor in factors) for factors in (_SMALLER, _LARGER))


def _outcome(entry: Statement, budget: Budget, build: Build, changed: Any) -> str:
    try:
        verdict, _, _ = decide(entry, budget, build(changed))
    except Exception:  # whatever a check says of a number that makes no sense to it: it did not accept it
        return "not a statement"
    if verdict.status is Status.OPEN:
        return "undecided"
    return "rejected" if _is_rejected(verdict) else "accepted"


def _is_rejected(verdict: Verdict) -> bool:
    return verdict.status in (Status.VACUOUS, Status.OPEN) or (verdict.status is Status.REFUTED and verdict.corrected is None)


def without_effect(found: Iterable[Bent]) -> list[tuple[str, str]]:
    """(statement, part) of the numbers that were accepted whichever way and however far they were bent."""
    by_part: dict[tuple[str, str], set[str]] = {}
    for bent in found:
        if bent.kind == "number":
            by_part.setdefault((bent.statement, bent.part), set()).add(bent.outcome)
    return [key for key, outcomes in by_part.items() if outcomes == {"accepted"}]


def recorded_bent(path: Path = BENT) -> dict[str, tuple[Bent, ...]]:
    """By statement, what became of its numbers when they were last bent as little as there is. Raises IntegrityError for a damaged file."""
    try:
        listed = json.loads(path.read_text("utf-8"))
        return {str(id): tuple(Bent(str(id), *map(str, each)) for each in rows) for id, rows in listed.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise IntegrityError(path=path.name, reason=f"not a list of bent numbers: {error}") from error


def write_bent(found: Mapping[str, Sequence[Bent]], path: Path = BENT) -> None:
    """Keep what was found (in a temporary file, then renamed)."""
    rows = [f" {json.dumps(id)}: {json.dumps([[b.part, b.was, b.is_now, b.outcome] for b in each])}" for id, each in found.items()]
    write_whole(path, ("{\n" + ",\n".join(rows) + "\n}\n").encode())
