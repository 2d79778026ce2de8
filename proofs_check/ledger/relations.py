"""The second net, for relations: comparisons in a check bent by machine, and conditions dropped.

A statement says "<" where "<=" would do or not, "at most" and not "at least", "for all", "where c holds". Its check says so in comparisons
and conditions, in its own code and in that of the functions it calls. Each one that runs is bent: strictness ("<" for "<="), direction
(">" for "<", the other sign, the arguments exchanged), a condition left out ("some" for "all", a case that was filtered kept). What a
check accepts all the same is listed with the reason: no case that it decides has equality there, the condition is not needed at the
places tried, or the comparison only chooses what is told as the slack.
"""

from __future__ import annotations

import ast
import inspect
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType
from typing import Any

from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.ledger.code_changes import Offered, in_force, offers
from shuffleproof.proofs_check.ledger.statements import Budget, Statement
from shuffleproof.proofs_check.ledger.verdict import Status, Verdict

KINDS = ("direction", "strictness", "condition")
MOST = 6
_SLOW = ((3.0, 1), (1.0, 2), (0.4, 4))
"""Seconds of a check from which on fewer of its relations are bent, and how many."""
_COMPARING = frozenset({"surely_less", "surely_at_most", "certainly_less", "certainly_at_most", "at_most", "le", "lt"})
_STRICT = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_PAPERS = ".papers."
_LONGEST = 10.0
"""Seconds of computing, after which a check with a bent relation counts as one that does not run: a loop may not end."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A comparison or condition of a check's code, bent. kind: one of KINDS."""

    kind: str
    offered: Offered

    @property
    def part(self) -> str:
        """What was bent, for a reader: "direction in _holds"."""
        return f"{self.kind} in {self.offered.change.function.rpartition('.')[2].lstrip('_')}"


def relations(entry: Statement, budget: Budget) -> list[Relation]:
    """The relations of a statement's check that run, the check's own and the weightiest first; fewer of a slow check."""
    code = reached(entry)
    started = time.process_time()
    with _lines_run({function.__code__: path for path, function in code.items()}) as ran:
        verdict, _, _ = decide(entry, budget, {})
    seconds = time.process_time() - started
    if verdict.status is Status.OPEN:
        return []
    found = []
    for distance, path in enumerate(code):
        for offered in offers(path):
            kind = kind_of(offered.change.was, offered.change.becomes)
            if kind is not None and any(offered.first <= line <= offered.last for line in ran.get(path, ())):
                found.append((min(distance, 1), KINDS.index(kind), distance, Relation(kind, offered)))
    most = next((few for limit, few in _SLOW if seconds > limit), MOST)
    return [relation for *_, relation in sorted(found, key=lambda each: each[:3])][:most]


def bent_relation(entry: Statement, budget: Budget, relation: Relation, as_stated: Verdict) -> str:
    """What becomes of a statement with this relation bent: an outcome as in Bent, or "told" where the verdict says another slack."""
    try:
        with in_force(relation.offered), ended(_LONGEST):
            verdict, _, _ = decide(entry, budget, {})
    except Exception:  # a check that breaks did not accept the statement
        return "not a statement"
    if verdict.status is Status.OPEN and as_stated.status is not Status.OPEN:
        return "undecided"
    if verdict.status is Status.VACUOUS and as_stated.status is not Status.VACUOUS:
        return "rejected"
    if verdict.status is Status.REFUTED and (verdict.corrected is None or as_stated.status is not Status.REFUTED):
        return "rejected"
    if verdict.status is not as_stated.status:
        return "rejected"
    same = (verdict.slack, verdict.witness) == (as_stated.slack, as_stated.witness)
    return "accepted" if same or relation.kind == "condition" else "told"


def kind_of(was: str, becomes: str) -> str | None:
    """Which relation a change of code bends, if it bends one."""
    try:
        before, after = ast.parse(was, mode="eval").body, ast.parse(becomes, mode="eval").body
    except SyntaxError:
        return None
    found = _difference(before, after)
    if found is None:
        return None
    match found:
        case (ast.Compare(ops=[one]), ast.Compare(ops=[other])) if type(one) in _STRICT:
            return "strictness" if _STRICT[type(one)] is type(other) else "direction"
        case (ast.BoolOp(), ast.BoolOp()):
            return "condition"
        case (ast.comprehension(ifs=[_, *_]), ast.comprehension(ifs=[])):
            return "condition"
        case (ast.Name(id="all"), ast.Name(id="any")):
            return "condition"
        case (ast.Call() as call, ast.Call() as changed) if _name(call) in _COMPARING and len(call.args) == 2:
            exchanged = [ast.dump(each) for each in changed.args] == [ast.dump(each) for each in reversed(call.args)]
            return "direction" if exchanged else None
        case (ast.Call() as call, ast.Call(args=[ast.UnaryOp(op=ast.USub())])) if _name(call) == "is_nonnegative":
            return "direction"
        case (ast.Lambda(), ast.Lambda(body=ast.UnaryOp(op=ast.USub()))):
            return "direction"
    return None


def why_none(entry: Statement) -> str:
    """Why a statement has neither a number nor a relation that can be bent."""
    if not entry.grounds:
        return "it is open: a citation, or a question about another text, of which nothing is computed"
    return "its check compares laws, or formulas, for equality: there is nothing to bend but these, and its mutants do"


def _difference(before: ast.AST, after: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    """The innermost pair of nodes around all that differs; a call whose arguments differ is given as a whole."""
    if ast.dump(before) == ast.dump(after):
        return None
    if type(before) is not type(after) or isinstance(before, ast.Lambda):
        return before, after
    pairs = list(zip(ast.iter_child_nodes(before), ast.iter_child_nodes(after), strict=False))
    same_number = len(list(ast.iter_child_nodes(before))) == len(list(ast.iter_child_nodes(after)))
    differing = [pair for pair in pairs if ast.dump(pair[0]) != ast.dump(pair[1])]
    if not same_number or len(differing) != 1 or (isinstance(before, ast.Compare) and isinstance(differing[0][0], ast.cmpop)):
        return before, after
    one, other = differing[0]
    if isinstance(before, ast.BoolOp) and isinstance(other, ast.Constant):
        return before, after
    if isinstance(before, ast.Call) and isinstance(other, ast.UnaryOp) and isinstance(other.op, ast.USub):
        return before, after
    return _difference(one, other)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def reached(entry: Statement) -> dict[str, FunctionType]:
    """The check and the functions of the papers' modules that it names, and these, nearest first."""
    found: dict[str, FunctionType] = {}
    waiting: list[Any] = [entry.check]
    while waiting:
        function = inspect.unwrap(waiting.pop(0))
        function = inspect.unwrap(function.check) if isinstance(function, Statement) else function
        if not isinstance(function, FunctionType) or _PAPERS not in function.__module__:
            continue
        path = f"{function.__module__.partition(_PAPERS)[2]}.{function.__name__}"
        if path in found or function.__qualname__ != function.__name__ or not function.__name__.isidentifier():
            continue  # of a function without a name of its own nothing can be exchanged; where it is a default, mutants give another one
        found[path] = function
        named = [name for code in _codes(function.__code__) for name in code.co_names]
        waiting += [function.__globals__[name] for name in named if callable(function.__globals__.get(name))]
        waiting += [value for value in (function.__kwdefaults__ or {}).values() if callable(value)]
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


@contextmanager
def ended(seconds: float) -> Iterator[None]:
    """TimeoutError inside, after this much computing; without effect where signals cannot be caught."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"still running after {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _lines_run(known: dict[CodeType, str]) -> Iterator[dict[str, set[int]]]:
    """By path of a function, the lines of it and of the functions inside it that run."""
    owner = {inner: path for code, path in known.items() for inner in _codes(code)}
    ran: dict[str, set[int]] = {}

    def local(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            ran[owner[frame.f_code]].add(frame.f_lineno)
        return local

    def trace(frame: FrameType, _event: str, _: object) -> Any:
        if frame.f_code not in owner:
            return None
        ran.setdefault(owner[frame.f_code], set()).add(frame.f_lineno)
        return local

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield ran
    finally:
        sys.settrace(before)
