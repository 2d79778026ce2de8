"""The second net: a check's numbers bent by machine, and which of the bent statements its check does not reject.

A check's keyword parameters are the parts of its statement. Every number among their defaults is made a tenth larger and a tenth
smaller, every integer one larger and one smaller, and every truth value is turned; what survives is bent further. A bent statement may
well be true (a larger constant in an upper bound is): so survivors are listed beside the slack that explains them, and are no failures.
A number that survives whatever is done to it is one that nothing in the check depends on.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.ledger.statements import Budget, Statement
from shuffleproof.proofs_check.ledger.verdict import Status

_TENTH = Fraction(1, 10)
_SMALLER = (1 - _TENTH, Fraction(1, 2), _TENTH, Fraction(-1))
_LARGER = (1 + _TENTH, Fraction(2), Fraction(10))


@dataclass(frozen=True, slots=True)
class Bent:
    """A statement with one number changed. part: the parameter; was, is_now: its value before and after, as text.

    outcome: "rejected" (refuted, with no corrected statement left, or vacuous), "accepted", "undecided" (open), or "not a statement",
    where the check does not take such a value.
    """

    statement: str
    part: str
    was: str
    is_now: str
    outcome: str


def parts(entry: Statement) -> dict[str, Any]:
    """The parts of a statement that can be bent, with their values: numbers and truth values among its check's keyword defaults."""
    known = inspect.signature(entry.check).parameters.values()
    named = {parameter.name: parameter.default for parameter in known if parameter.kind is parameter.KEYWORD_ONLY}
    return {name: value for name, value in named.items() if isinstance(value, int | Fraction)}


def bend(entry: Statement, budget: Budget) -> Iterator[Bent]:
    """Run the check on every bent statement; a number is bent further, up to tenfold, until the check no longer accepts it."""
    for name, value in parts(entry).items():
        for series in _bent(value):
            for changed in series:
                outcome = _outcome(entry, budget, {name: changed})
                yield Bent(entry.id, name, str(value), str(changed), outcome)
                if outcome != "accepted":
                    break


def _bent(value: int | Fraction) -> tuple[tuple[Any, ...], ...]:
    """What a number is changed to, in either direction, the nearest first."""
    if isinstance(value, bool):
        return ((not value,),)
    if isinstance(value, int):
        return (value - 1, value // 2 if value > 3 else value - 2), (value + 1, 2 * value if value > 1 else value + 2)
    if not value:
        return (-_TENTH,), (_TENTH,)
    return tuple(tuple(value * factor for factor in factors) for factors in (_SMALLER, _LARGER))


def _outcome(entry: Statement, budget: Budget, changed: Mapping[str, Any]) -> str:
    try:
        verdict, _, _ = decide(entry, budget, changed)
    except Exception:  # whatever a check says of a number that makes no sense to it: it did not accept it
        return "not a statement"
    if verdict.status is Status.OPEN:
        return "undecided"
    killed = verdict.status is Status.VACUOUS or (verdict.status is Status.REFUTED and verdict.corrected is None)
    return "rejected" if killed else "accepted"


def without_effect(found: Iterable[Bent]) -> list[tuple[str, str]]:
    """(statement, part) of the numbers that were accepted whichever way and however far they were bent."""
    by_part: dict[tuple[str, str], set[str]] = {}
    for bent in found:
        by_part.setdefault((bent.statement, bent.part), set()).add(bent.outcome)
    return [key for key, outcomes in by_part.items() if outcomes == {"accepted"}]
