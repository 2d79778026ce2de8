"""Number mutants: statements with one number changed by machine, and what their check says of them.

A check's keyword parameters are the parts of its statement. Every number among their defaults is made 1 percent larger and smaller, every
integer one larger and one smaller, and every truth value is turned; what is accepted is changed further. A mutant that is accepted is
another statement that holds, with the word that its check gives it: a weaker one, or a stronger one for which there is slack. Of a proved
statement both sides of every number are decided by its proof (`outside_the_proof`). A number that is accepted whatever is done to it is one
that nothing in the check depends on.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.ledger.entries import read_mutants, write_mutants
from shuffleproof.proofs_check.ledger.statements import Budget, Mutant, Statement
from shuffleproof.proofs_check.ledger.verdict import Status

RECORD = Path(__file__).resolve().parents[1] / "number_mutants.json"
NOT_ACCEPTED = ("rejected", "undecided", "not a statement")
"""What may become of a mutant that its check does not accept: refuted or vacuous; open; a value that the check does not take."""
_SMALLER = (Fraction(99, 100), Fraction(9, 10), Fraction(1, 2), Fraction(1, 10), Fraction(-1))
"""Factors of a number that is made smaller, one after the other while the check accepts it."""
_LARGER = (Fraction(101, 100), Fraction(11, 10), Fraction(2), Fraction(10))
"""The same of one that is made larger."""
_STEP = Fraction(1, 100)
"""By how much 0 is changed, of which no share is to be had."""
_SHARES = tuple(Fraction(percent, 100) for percent in (1, 10, 50, 90, 900))
"""How far a number of a proved statement is changed, of itself, until its check no longer accepts it."""


@dataclass(frozen=True, slots=True)
class NumberMutant:
    """A statement with one number changed. part: the parameter; was, is_now: as text.

    outcome: one of NOT_ACCEPTED, or the word with which the check accepts the mutant ("proved", "certified", ...).
    """

    statement: str
    part: str
    was: str
    is_now: str
    outcome: str

    @property
    def is_accepted(self) -> bool:
        """Return whether the check takes the mutant for a statement that holds."""
        return self.outcome not in NOT_ACCEPTED


Build = Callable[[Any], dict[str, Any]]
"""From a number to the check's arguments with this number in its place."""


def parts(entry: Statement) -> dict[str, Any]:
    """The parts of a statement that can be mutated, with their values: numbers and truth values among its check's keyword defaults.

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


def mutate_numbers(entry: Statement, budget: Budget, *, nearest: bool = False) -> Iterator[NumberMutant]:
    """Run the check on every mutant; a number is changed further, up to tenfold, until the check no longer accepts it.

    nearest: only as little as there is, 1 percent or 1, either way.
    """
    for name, value, build in _places(entry):
        for series in _changed(value):
            for changed in series[:1] if nearest else series:
                found = NumberMutant(entry.id, name, str(value), str(changed), _outcome(entry, budget, build, changed))
                yield found
                if not found.is_accepted:
                    break


def outside_the_proof(entry: Statement, budget: Budget) -> list[str]:
    """Return what of a proved statement's numbers its proof does not decide, a line each: there it is not proved.

    A number is changed by 1 percent and further, to either side, until its check no longer accepts it. What is accepted must be proved, and
    is a stronger statement if the check rejects what is changed further; where it never does, the row has to say that this side is weaker.
    What is rejected is false by a witness, or a step that shows a proof fails; one does on at least one side, or no step looks at the
    number.
    """
    return [
        f"{name}: {fault}"
        for name, value, build in _places(entry)
        if not isinstance(value, bool)
        for fault in _undecided_by_proof(entry, budget, name, value, build)
    ]


def _undecided_by_proof(entry: Statement, budget: Budget, name: str, value: int | Fraction, build: Build) -> Iterator[str]:
    looked_at = False
    for side, sign in (("smaller", -1), ("larger", 1)):
        rejected, accepted = False, False
        for changed in _ever_further(value, sign):
            try:
                verdict, _, steps = decide(entry, budget, Mutant(name, build(changed)))
            except Exception:  # a check that does not take such a number says nothing of it
                continue
            rejected = verdict.rejects
            if rejected:
                by_proof = any(steps.shows[place] is Status.PROVED for place in steps.failed)
                looked_at |= by_proof
                if not by_proof and verdict.status is Status.OPEN:
                    yield f"{changed} is left open, and no step of the proof fails"
                break
            accepted = True
            if verdict.status is not Status.PROVED:
                yield f"{changed} is accepted, and {verdict.status}"
                break
        weaker = entry.weaker.get(name) == side
        if accepted and not rejected and not weaker:
            yield f"accepted however much {side}, and not said to be weaker"
        if rejected and weaker:
            yield f"said to be weaker, and not accepted, where it is {side}"
    if not looked_at:
        yield "no step of the proof fails, whatever it is"


def _ever_further(value: int | Fraction, sign: int) -> Iterator[int | Fraction]:
    if isinstance(value, int):
        yield from (value + sign * by for by in (1, 2, max(3, abs(value)), max(4, 2 * abs(value))))
    size = abs(Fraction(value)) or Fraction(1)
    yield from (value + sign * share * size for share in _SHARES)


def _changed(value: int | Fraction) -> tuple[tuple[Any, ...], ...]:
    """Return what a number is changed to, in either direction, the nearest first."""
    if isinstance(value, bool):
        return ((not value,),)
    if isinstance(value, int):
        return (value - 1, value // 2 if value > 3 else value - 2), (value + 1, 2 * value if value > 1 else value + 2)
    if not value:
        return (-_STEP,), (_STEP,)
    return tuple(tuple(value * factor for factor in factors) for factors in (_SMALLER, _LARGER))


def _outcome(entry: Statement, budget: Budget, build: Build, changed: Any) -> str:
    try:
        verdict, _, _ = decide(entry, budget, Mutant(str(changed), build(changed)))
    except Exception:  # whatever a check says of a number that makes no sense to it: it did not accept it
        return "not a statement"
    if verdict.status is Status.OPEN:
        return "undecided"
    return "rejected" if verdict.rejects else (verdict.corrected_status or verdict.status).value


def is_weaker(entry: Statement, mutant: NumberMutant) -> bool:
    """Return whether the row says of this number that the statement is a weaker one on the side to which it was changed."""
    side = entry.weaker.get(mutant.part)
    return side is not None and (Fraction(mutant.is_now) > Fraction(mutant.was)) is (side == "larger")


def without_effect(found: Iterable[NumberMutant]) -> list[tuple[str, str]]:
    """(statement, part) of the numbers that were accepted whichever way and however far they were changed."""
    by_part: dict[tuple[str, str], set[str]] = {}
    for mutant in found:
        by_part.setdefault((mutant.statement, mutant.part), set()).add(mutant.outcome)
    return [key for key, outcomes in by_part.items() if not outcomes & set(NOT_ACCEPTED)]


def recorded_number_mutants(path: Path = RECORD) -> dict[str, tuple[NumberMutant, ...]]:
    """Return by statement what became of its numbers when they were last changed as little as there is. Raises IntegrityError."""
    return read_mutants(path, lambda *fields: NumberMutant(*map(str, fields)), what="a list of mutated numbers")


def write_number_mutants(found: Mapping[str, Sequence[NumberMutant]], path: Path = RECORD) -> None:
    """Keep what was found (in a temporary file, then renamed)."""
    write_mutants(path, {id: [astuple(one)[1:] for one in each] for id, each in found.items()})
