"""Declaring a statement: what it says, what its verdict rests on, its check and the changed statements that the check must reject."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, Protocol, get_args

from shuffleproof.proofs_check.ledger.ground import EXACT, Argument, Cited, Coq, Ground, Row
from shuffleproof.proofs_check.ledger.steps import Steps
from shuffleproof.proofs_check.ledger.verdict import Kind, Status, Verdict
from shuffleproof.spec.vocabulary.errors import require

Depth = Literal["quick", "full"]
_OF_FLOATS = (
    "float64: the code, its counts of roundings, what its tails leave out, and what is granted to libraries (exponentials and logarithms, "
    "numpy's Fourier transforms; `rests_on` of an answer lists it) are held against balls and exact arithmetic by tests alone"
)
_OF_BALLS = "balls: the code and what its tails leave out are held against exact arithmetic by tests alone; radii are flint's"
Provenance = Literal["text", "recalled", "derived"]
_ID = re.compile(r"[A-Z]+(?:[0-9]{2})?\.[A-Za-z0-9.-]*[A-Za-z0-9]")
_PLACES = {
    "Alg": "Algorithm",
    "App": "Appendix",
    "Clm": "Claim",
    "Cor": "Corollary",
    "Def": "Definition",
    "Eq": "Equation",
    "Fig": "Figure",
    "Lem": "Lemma",
    "Prop": "Proposition",
    "Sec": "Section",
    "Tab": "Table",
    "Thm": "Theorem",
}
"""What the first letters of an id stand for."""
DECLARED: dict[str, Statement] = {}
"""Every statement declared so far, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much work a check may do. depth: "quick" (seconds) or "full" (more cases, larger n). seed: of everything drawn at random.

    shrink: whether a drawn counterexample is made small, which nobody reads of a statement that was changed on purpose.
    """

    depth: Depth = "quick"
    seed: int = 0
    shrink: bool = True

    def __post_init__(self) -> None:
        require(self.depth in get_args(Depth), parameter="depth", value=self.depth, requirement='"quick" or "full"')
        require(isinstance(self.seed, int) and self.seed >= 0, parameter="seed", value=self.seed, requirement="an integer, at least 0")

    def pick(self, *, quick: int, full: int) -> int:
        """The amount that goes with the depth."""
        return quick if self.depth == "quick" else full


class Check(Protocol):
    """Decides a statement. Its keyword parameters are the parts of the statement; with their defaults it is the statement as it is."""

    __module__: str
    __name__: str

    def __call__(self, budget: Budget, /, **parts: Any) -> Verdict:
        """The verdict, with these parts changed."""
        ...


@dataclass(frozen=True, slots=True)
class CodeChange:
    """One expression of the code behind a check, changed.

    function: "bc20.section3_1._view". was, becomes: the expression, before and after. nth: which of the places in the function where this
    can be done, from 0.
    """

    function: str
    was: str
    becomes: str
    nth: int = 0

    def __str__(self) -> str:
        return f"{self.function.rpartition('.')[2].lstrip('_')}: {self.was} becomes {self.becomes}"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A statement changed so that it is false, for its own check. change: what was changed. parts: the check's arguments that say so.

    code: for a mutant that a machine wrote, what is changed in the check's code instead.
    """

    change: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    code: CodeChange | None = None


@dataclass(eq=False, slots=True, kw_only=True)
class Statement:
    """One numbered statement of a paper, or a claim its text relies on.

    id: "FMT21.Lem2.3". where: place in the paper. says: the statement, whole, in words. range: its full stated range.
    provenance: "text" (readable in the paper's text), "recalled" (from the published paper) or "derived" (here).
    governs: the code whose meaning it fixes. grounds: what its verdict rests on. kind: of a refuted statement, what is wrong with it.
    weight: of an erratum, a sentence on what people use that depends on it; None where nothing does.
    check: decides it. mutants: changed statements that the check must reject. module: where it is declared.
    not_falsified: why some steps of the check are falsified by no mutant; None where every one is.
    missing: of a statement that is argued by its grounds over all of its range, what no machine has checked of that, in a line.
    weaker: numbers of the statement that make it a weaker one, whatever they are, on one side: part -> "larger" or "smaller".
    """

    id: str
    where: str
    says: str
    range: str
    provenance: Provenance
    governs: tuple[str, ...]
    grounds: tuple[Ground, ...]
    kind: Kind | None
    weight: str | None
    check: Check
    mutants: list[Mutant]
    module: str
    not_falsified: str | None = None
    missing: str | None = None
    weaker: Mapping[str, str] = field(default_factory=dict)

    @property
    def paper(self) -> str:
        """The paper's short name, "FMT21"."""
        return self.id.partition(".")[0]

    @property
    def of_engines(self) -> str | None:
        """Return what of the numeric engines that it governs no statement of the ledger reaches; None where it governs none."""
        floats, balls = (any(each.startswith(f"impl.{engine}.") for each in self.governs) for engine in ("fast", "ball"))
        told = [_OF_FLOATS] if floats else []
        return "; ".join([*told, *([_OF_BALLS] if balls else [])]) or None


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict on a statement, the seconds it took, and the steps that were computed for it."""

    statement: Statement
    verdict: Verdict
    seconds: float
    steps: Steps = field(default_factory=Steps)


@dataclass(frozen=True, slots=True)
class MutantResult:
    """Holds what became of a mutant: killed iff the check rejected the changed statement.

    For a statement that is itself refuted, the mutants change its corrected statement: killed means that none is left standing. A change
    of the code that leaves a step undecided is rejected as well: a proof that does not go through is one that was not accepted.
    """

    statement: Statement
    mutant: Mutant
    verdict: Verdict
    seconds: float
    steps: Steps = field(default_factory=Steps)

    @property
    def killed(self) -> bool:
        """True iff the check found the changed statement refuted, with no corrected statement beside it, or vacuous."""
        return self.verdict.rejects and (self.mutant.code is not None or self.verdict.status is not Status.OPEN)


def statement(
    id: str,
    *,
    where: str | None = None,
    provenance: Provenance = "text",
    says: str,
    range: str = "as it says",
    governs: Sequence[str] = (),
    grounds: Sequence[Ground | str] = (EXACT,),
    kind: Kind | None = None,
    weight: str | None = None,
    mutants: Mapping[str, Mapping[str, Any]] | None = None,
    not_falsified: str | None = None,
    missing: str | None = None,
    weaker: Mapping[str, Literal["larger", "smaller"]] | None = None,
) -> Callable[[Callable[..., Verdict]], Statement]:
    """Declare a statement that is read in the paper; the decorated function is its check. Fields as in Statement.

    where: by default the place that the id names, "Lemma 2.3" of "FMT21.Lem2.3", or where its argument is written. grounds: by default
    exact arithmetic; an id of a row, or a page and heading of docs/mathematics, may stand as text. mutants: change -> the check's arguments
    for it. What is not read there is declared with `derived` or `recalled`, and what no machine checks with `unchecked`.

    Raises ValueError for a bad or repeated id, for a mutant that changes nothing, for an erratum that is not about the paper's text, for
    the weight of what is none, and for what is missing of an argument where there is none.
    """
    if not _ID.fullmatch(id):
        raise ValueError(f"{id!r} is not an id such as FMT21.Lem2.3")
    if provenance not in get_args(Provenance):
        raise ValueError(f"{id}: provenance {provenance!r}")
    if any(not parts for parts in (mutants or {}).values()):
        raise ValueError(f"{id}: a mutant that changes nothing")
    is_erratum = kind not in (None, Kind.READING)
    if is_erratum and provenance != "text":
        raise ValueError(f"{id}: what is {provenance}, and not read in the text, is a reading")
    if weight is not None and not (is_erratum and weight):
        raise ValueError(f"{id}: only an erratum has a weight, and it is a sentence")
    rests_on = tuple(_ground(text) if isinstance(text, str) else text for text in grounds)
    if missing is not None and not any(isinstance(ground, Argument | Cited) for ground in rests_on):
        raise ValueError(f"{id}: says what is missing of an argument, and rests on none")
    module = str(sys._getframe(1).f_globals["__name__"])

    def register(check: Callable[..., Verdict]) -> Statement:
        if id in DECLARED:
            raise ValueError(f"{id} is declared twice")
        DECLARED[id] = Statement(
            id=id,
            where=where or _place(id, rests_on),
            says=says,
            range=range,
            provenance=provenance,
            governs=tuple(governs),
            grounds=rests_on,
            kind=kind,
            weight=weight,
            check=check,
            mutants=[Mutant(change, parts) for change, parts in (mutants or {}).items()],
            module=module,
            not_falsified=not_falsified,
            missing=missing,
            weaker=dict(weaker or {}),
        )
        return DECLARED[id]

    return register


def _ground(text: str) -> Ground:
    return Argument(text) if "#" in text else Row(text)


def _place(id: str, rests_on: Sequence[Ground]) -> str:
    """Return the place in the paper that an id names, else of the written argument. Raises ValueError without either: say `where`."""
    found = re.match(r"[A-Z0-9]+\.([A-Z][a-z]+)([A-Z0-9](?:\.?[0-9]+)*)(?:\.([iv]+)\b)?(?:\.(step|footnote-([0-9]+)))?", id)
    if found is None or found[1] not in _PLACES:
        for argument in rests_on:
            if isinstance(argument, Argument):
                return str(argument)
        raise ValueError(f"{id} names no place of the paper: say where it stands")
    place = f"{_PLACES[found[1]]} {found[2]}" + (f", part {found[3]}" if found[3] else "") + (f", footnote {found[5]}" if found[5] else "")
    return f"Proof of {place}" if found[4] == "step" and found[1] != "App" else place


derived = partial(statement, provenance="derived")
"""Declare a statement that is derived here, in no paper's words."""
recalled = partial(statement, provenance="recalled")
"""Declare a statement of a published paper whose text was not at hand."""


def for_finite_sets(of: Statement, theorem: Coq, *, says: str, range: str, governs: Sequence[str] | None = None) -> Statement:
    """Declare what a theorem of Coq says of another statement for finite sets: its check and its mutants are that statement's.

    The check tries the specification's own numbers, and may say that all else is argued; that it holds for all is Coq's verdict.
    governs: by default what the other one does.
    """
    made = derived(
        f"{of.id}.finite",
        where=of.where,
        says=says,
        range=range,
        governs=of.governs if governs is None else governs,
        grounds=[theorem, *(ground for ground in of.grounds if isinstance(ground, Argument))],
        mutants={mutant.change: mutant.parts for mutant in of.mutants},
        not_falsified=of.not_falsified,
        weaker=of.weaker,  # type: ignore[arg-type]
    )(of.check)
    made.module = str(sys._getframe(1).f_globals["__name__"])
    return made


def unchecked(id: str, *, why: str, **fields: Any) -> Statement:
    """Declare a sentence that no machine checks here, such as another paper's theorem that is cited; why: the reason. Fields as there."""

    def check(budget: Budget) -> Verdict:
        return Verdict.undecided(why, domain="a citation", cases=0)

    made = statement(id, grounds=[], **fields)(check)
    made.module = str(sys._getframe(1).f_globals["__name__"])
    return made
