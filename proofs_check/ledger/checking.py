"""All statements, in the order of the papers; checking them, and running their mutants."""

import importlib
import importlib.util
import pkgutil
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, partial

from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.proofs_check.ledger.code_changes import applied, stored
from shuffleproof.proofs_check.ledger.ground import Argument, Cited
from shuffleproof.proofs_check.ledger.points import BITS
from shuffleproof.proofs_check.ledger.statements import DECLARED, Budget, Mutant, MutantResult, Result, Statement
from shuffleproof.proofs_check.ledger.steps import Steps, recorded_steps
from shuffleproof.proofs_check.ledger.verdict import Status, Verdict
from shuffleproof.proofs_check.papers import TITLES
from shuffleproof.proofs_check.papers.reading import section_place
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    MissingExtraError,
    ResourceLimitError,
    UndecidedError,
    UnsupportedError,
    did_you_mean,
    require,
    require_one_of,
)

_EXTRA = ("hypothesis", "sympy")


def registry() -> dict[str, Statement]:
    """Every statement by id, papers in alphabetical order and each in its own order, section by section.

    Raises MissingExtraError where the packages that checks need (extra `verify`) are not installed, DomainError for a paper with no title.
    """
    for name in _EXTRA:
        if importlib.util.find_spec(name) is None:
            raise MissingExtraError(package=name, extra="verify", what="the ledger")
    order = {name: place for place, name in enumerate(_modules())}
    known = dict(sorted(((id, each) for id, each in DECLARED.items() if each.module in order), key=lambda item: order[item[1].module]))
    for each in known.values():
        require(
            each.paper in TITLES, parameter="paper", value=each.paper, requirement="named with its title in proofs_check/papers/__init__.py"
        )
    at = {id: place for place, id in enumerate(known)}

    def place(id: str) -> tuple[str, int, int, bool]:
        """Order by paper and section; a statement about finitely many messages stands behind the one that it is part of."""
        whole = id.removesuffix(".finite")
        return known[id].paper, section_place(id), at.get(whole, at[id]), whole != id

    return {id: known[id] for id in sorted(known, key=place)}


def require_assertions() -> None:
    """Refuse to check where Python drops assertions: some checks are assertions, and would hold whatever they are about.

    Raises UnsupportedError under `python -O` or PYTHONOPTIMIZE.
    """
    if not __debug__:
        advice = "run it without -O, and with PYTHONOPTIMIZE unset"
        raise UnsupportedError(
            what="checking the ledger under python -O", reason="Python drops the assertions that checks are made of", advice=advice
        )


@cache
def _modules() -> tuple[str, ...]:
    """The papers' modules by name, in reading order; imported."""
    papers = importlib.import_module("shuffleproof.proofs_check.papers")
    found = list(pkgutil.walk_packages(papers.__path__, prefix=papers.__name__ + "."))  # which imports the packages
    names = tuple(sorted((module.name for module in found if not module.ispkg), key=_reading_order))
    for name in names:
        importlib.import_module(name)
    return names


def select(ids: Sequence[str] = (), *, paper: str | None = None) -> list[Statement]:
    """The statements with these ids (all if none are given), of this paper (any if none is given), in paper order.

    Raises DomainError for an id or a paper that the ledger does not have.
    """
    known = registry()
    for id in ids:
        _require_known(id, known)
    papers = {entry.paper for entry in known.values()}
    if paper is not None:
        require_one_of(paper, sorted(papers), parameter="paper")
    return [entry for id, entry in known.items() if (not ids or id in ids) and paper in (None, entry.paper)]


def _require_known(id: str, known: Iterable[str]) -> None:
    if id not in known:
        whole = any(each.startswith(f"{id}.") for each in known)
        hint = f"; all of {id} are asked for by paper" if whole else did_you_mean(id, known)
        requirement = f'a statement of the ledger (see "ledger list"){hint}'
        raise DomainError(parameter="id", value=id, requirement=requirement)


def check(statements: Sequence[Statement | str], budget: Budget) -> Iterator[Result]:
    """Check the statements one by one, yielding each result as it comes.

    statements: Statements or ids. A check that certified arithmetic cannot finish gives an `open` verdict; any other error is a
    fault of the ledger and propagates, with the statement's id attached. Raises ValueError where a check claims more than its steps
    can show.
    """
    known = registry() if any(isinstance(item, str) for item in statements) else {}
    for item in statements:
        if isinstance(item, str):
            _require_known(item, known)
    for item in statements:
        entry = known[item] if isinstance(item, str) else item
        found = Result(entry, *_timed(entry.id, entry.check, budget))
        if found.verdict.status is Status.ARGUED and not any(isinstance(ground, Argument | Cited) for ground in entry.grounds):
            raise ValueError(f"{entry.id} claims argued, and no written argument is among its grounds")
        yield found


def all_mutants(entry: Statement) -> tuple[Mutant, ...]:
    """The statement's mutants, and those that a machine wrote for the steps that these do not reach."""
    return (*entry.mutants, *(Mutant(str(change), code=change) for change in stored().get(entry.id, ())))


def run_mutants(entry: Statement, budget: Budget, mutants: Sequence[Mutant] | None = None) -> Iterator[MutantResult]:
    """Run the statement's own check on its mutants, all of them if none are given; each must come out killed."""
    for mutant in all_mutants(entry) if mutants is None else mutants:
        yield MutantResult(entry, mutant, *decide(entry, budget, mutant))


def decide(entry: Statement, budget: Budget, mutant: Mutant) -> tuple[Verdict, float, Steps]:
    """Return what the check says of a mutant, written by hand or by machine, of its parts or of its code; with seconds and steps."""
    with applied(mutant.code) if mutant.code else nullcontext():
        return _timed(f"{entry.id}, mutant: {mutant.change}", partial(entry.check, **mutant.parts), replace(budget, shrink=False))


def _timed(id: str, run: Callable[[Budget], Verdict], budget: Budget) -> tuple[Verdict, float, Steps]:
    require_assertions()
    started = time.perf_counter()
    with recorded_steps() as steps, precision(BITS):
        try:
            verdict = _settled(run(budget), steps)
        except (UndecidedError, ResourceLimitError) as error:
            verdict = Verdict(status=Status.OPEN, domain="as stated", cases=0, note=str(error))
        except Exception as error:
            error.add_note(f"while checking {id}")
            raise
    return verdict, time.perf_counter() - started, steps


def _settled(verdict: Verdict, steps: Steps) -> Verdict:
    """The verdict, if its word is one that the steps behind it can carry; a corrected statement gets the word of all of them."""
    if verdict.status is Status.FORMAL:
        raise ValueError("formal is what Coq says, not a check")
    if verdict.status is Status.PROVED and steps.strongest() is not Status.PROVED:
        raise ValueError(f"claims proved, but no symbolic or interval step was computed: at most {steps.strongest()}")
    if verdict.status is Status.REFUTED and verdict.corrected is not None and verdict.corrected_status is None:
        return replace(verdict, corrected_status=steps.weakest())
    return verdict


def _reading_order(module: str) -> tuple[str, int, bool, list[int], str]:
    """Papers by name; in each as its package says, or else sections before appendices, section 10 after section 9."""
    above, _, inside = module.partition(".papers.")
    paper, last = inside.partition(".")[0], module.rpartition(".")[2]
    said = getattr(sys.modules.get(f"{above}.papers.{paper}"), "READING_ORDER", ())
    place = said.index(last) if last in said else len(said)
    return paper, place, last.startswith("appendix"), [int(digits) for digits in re.findall(r"\d+", last)], last
