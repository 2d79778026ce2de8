"""An answer names what its code uses: every statement that governs code which a method's engines reach is in the method's chain.

What answers cite: no row that a bound, a calibration or a composition rests on is below `argued`.
"""

import ast
import importlib.util
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from method_records import RECORDS

from shuffleproof.impl.ball.bounds.blanket import given_distribution as balls_of_given
from shuffleproof.impl.fast.bounds.blanket import given_distribution as floats_of_given
from shuffleproof.impl.fast.bounds.swap import given_distribution_places as places_of_given
from shuffleproof.methods import METHODS, engines_for, functions
from shuffleproof.proofs_check.ledger import Entry, Row, Status, recorded, registry
from shuffleproof.proofs_check.ledger.formal import theorems
from shuffleproof.proofs_check.ledger.trust import Trust, compute
from shuffleproof.report.formal_table import FOR_FINITE_MESSAGES
from shuffleproof.spec.vocabulary.bound import Engine, Quantity
from shuffleproof.spec.vocabulary.given_distribution import OF_DISTRIBUTIONS, PLACE_OF_DISTRIBUTION
from shuffleproof.spec.vocabulary.method import Method

Name = tuple[str, str]
"""A module, and what is called so at its top."""

SAYS_MORE = {
    "FMT21.Alg5": "that two printed signs and cut-offs are one",
    "FMT21.Alg6": "the printed algorithm, which the engines do not follow",
    "FMT21.PropF.3": "the printed bisection, which the engines do not follow",
    "FMT21.Eq25": "that the printed pair is that of Theorem 3.2",
    "FMT21.Lem3.5": "the closed form",
    "BC20.Thm3.1-constant": "a closed form that is sharper than the printed one",
    "CSUZZ19.Lem4.8": "a closed form",
    "CSUZZ19.Sec5.3.ordering": "that one view is never worse than another",
    "FMT21.Thm4.1-bound": "a closed form",
}
"""Rows about code that many answers use, but on which none of these rests, each with what it says."""
CLOSED = ("clones-closed-form", "approximate-clones-closed-form")
ONLY_FOR = {
    "BEYOND.LemL5": tuple(name for name in METHODS if name not in ("clones", "approximate-clones", "stronger-approximate-clones", *CLOSED)),
    **dict.fromkeys(("FMT21.Thm3.2-mirror", "FMT21.LemF.1"), tuple(name for name in METHODS if name not in CLOSED)),
    "FMT21.LemA.1": CLOSED,
    "FMT21.Thm4.1-condition": ("k-rr-closed-form",),
    "BEYOND.any-law-grids": tuple(name for name in METHODS if name not in ("clones", "stronger-clones")),
    "BEYOND.any-law-worst-pair": ("blanket",),
    "BEYOND.any-law-one-large-loss-of-classes": ("gaussian-place",),
    **dict.fromkeys((f"BC20.Thm3.{number}-dishonest" for number in (1, 2)), ()),
    **dict.fromkeys(
        ("BEYOND.any-law-all-randomizers", *(f"BEYOND.controlled-sum-{each}" for each in ("continued", "gained", "smoothed"))),
        ("first-arrival", "first-arrival-approximate"),
    ),
    **dict.fromkeys((f"BEYOND.swap-in-{each}" for each in ("levels", "levels.blocks", "order")), ("another-place", "gaussian-place")),
}
"""Rows that govern a part of a module that only these methods use; dishonest users have a method's record of their own."""
NOT_RUN = (("adaptive-pair", {"n": 30, "epsilon0": 1, "epsilon": "1/4"}, "shuffleproof.impl.fast.bounds.swap.first_arrival.averages"),)
"""Methods whose code mentions what such a row governs, a question, and that code: it is not run."""


@cache
def module(name: str) -> tuple[Mapping[str, ast.AST], Mapping[str, Name]]:
    """What stands at a module's top by name, and what it imports from the package, inside functions too: (module, its attribute or "")."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    imported: dict[str, Name] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("shuffleproof."):
            for each in node.names:
                whole = f"{node.module}.{each.name}"
                imported[each.asname or each.name] = (whole, "") if is_module(whole) else (str(node.module), each.name)
    top: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            top[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            top |= {each.id: node for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return top, imported


@cache
def is_module(name: str) -> bool:
    """Whether a dotted name is one of the package's modules."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def outside_parameters(node: ast.AST, hidden: frozenset[str] = frozenset()) -> Iterator[ast.AST]:
    """A node and all below it, but the names of parameters: `epsilon` is a number there, not the function."""
    if isinstance(node, ast.Name) and node.id in hidden:
        return
    yield node
    for field, value in ast.iter_fields(node):
        inside = isinstance(node, ast.FunctionDef | ast.Lambda) and field == "body"
        own = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)} if inside else ()  # type: ignore[attr-defined]
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from outside_parameters(each, hidden.union(own))


@cache
def mentioned(name: Name) -> frozenset[Name]:
    """What a function, class or constant mentions by name."""
    top, imported = module(name[0])
    if name[1] not in top:
        return frozenset([imported[name[1]]] if imported.get(name[1], ("", ""))[1] else [])
    found: set[Name] = set()
    for node in outside_parameters(top[name[1]]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and imported.get(node.value.id, ("", "-"))[1] == "":
            found.add((imported[node.value.id][0], node.attr))
        elif isinstance(node, ast.Name) and node.id in top:
            found.add((name[0], node.id))
        elif isinstance(node, ast.Name) and imported.get(node.id, ("", ""))[1]:
            found.add(imported[node.id])
    return frozenset(found)


@cache
def reached(function: Name) -> frozenset[str]:
    """The engines' modules of which a function uses something, as the ledger names them."""
    seen: set[Name] = set()
    waiting = [function]
    while waiting:
        name = waiting.pop()
        if name not in seen and name[0].startswith("shuffleproof.impl."):
            seen.add(name)
            waiting += mentioned(name)
    return frozenset(each.removeprefix("shuffleproof.") for each, _ in seen)


def answering() -> Iterator[tuple[Method, Engine, Quantity, Name]]:
    """Every numeric engine's function of every method, those of given distributions among them."""
    for method in METHODS.values():
        for quantity in method.quantities:
            for engine in set(engines_for(method, quantity)) & {"ball", "fast"}:
                function = getattr(functions(method, engine), quantity)
                while isinstance(function, partial):
                    function = function.func
                function = inspect.unwrap(function)
                yield method, engine, quantity, (function.__module__, function.__name__)
    quantities: tuple[Quantity, ...] = ("epsilon", "delta")
    for quantity in quantities:
        for method in OF_DISTRIBUTIONS.values():
            yield method, "ball", quantity, (balls_of_given.__name__, quantity)
            yield method, "fast", quantity, (floats_of_given.__name__, quantity)
        yield PLACE_OF_DISTRIBUTION, "fast", quantity, (places_of_given.__name__, quantity)


def with_what_below(ids: Iterable[str]) -> set[str]:
    """These rows, and all that they rest on."""
    seen: set[str] = set()
    waiting, rows = list(ids), registry()
    while waiting:
        id = waiting.pop()
        if id not in seen:
            seen.add(id)
            waiting += [ground.id for ground in rows[id].grounds if isinstance(ground, Row)]
    return seen


@cache
def governing() -> dict[str, set[str]]:
    """By module, the rows that hold for all of their range and govern it, but not remarks, points, and what methods are cited by."""
    found: dict[str, set[str]] = {}
    known, own = recorded(), {method.statement for method in METHODS.values()}
    own |= {id for statement in own for id in FOR_FINITE_MESSAGES.get(statement, ()) if id.endswith(".finite")}
    for id, entry in registry().items():
        held = known[id].own_status.value not in ("refuted", "vacuous", "open", "certified", "sampled")
        if held and "remark" not in id and id not in own and id not in SAYS_MORE:
            for place in entry.governs:
                found.setdefault(place, set()).add(id)
    return found


def absent(method: Method, engine: Engine, quantity: Quantity, function: Name) -> set[str]:
    """The rows that govern what a function uses and that are not in the chain of the method's answer about Laplace noise, its longest."""
    chain = with_what_below([method.statement, *method.rests_also_on(quantity, engine, {"randomizer": "laplace"})])
    rows, renyi = governing(), {id for each in METHODS.values() for id in each.renyi_also}
    used = {id for place in reached(function) for id in rows.get(place, ()) if method.name in ONLY_FOR.get(id, (method.name,))}
    # A row for all distributions says what its row for finite sets says.
    finite = {id for id in used if id.removesuffix(".finite") in chain}
    return used - chain - finite - (set() if quantity == "renyi" else renyi)


def test_every_answer_names_the_statements_that_govern_the_code_it_comes_from() -> None:
    found = {(method.name, engine, quantity): absent(method, engine, quantity, name) for method, engine, quantity, name in answering()}
    assert {key: rows for key, rows in found.items() if rows} == {}
    assert len(found) > 80


@pytest.mark.parametrize(
    ("name", "engine", "quantity", "field"),
    [
        ("clones", "fast", "epsilon", "fast_also"),
        ("stronger-clones", "ball", "delta", "also"),
        ("blanket", "fast", "epsilon", "laplace_also"),
        ("gaussian-blanket", "fast", "delta", "on_grids"),
        ("bit-sum", "ball", "epsilon", "ball_also"),
        ("optimal-pair", "ball", "renyi", "renyi_also"),
    ],
)
def test_a_method_that_names_less_is_noticed(name: str, engine: Engine, quantity: Quantity, field: str) -> None:
    function = next(code for method, by, of, code in answering() if (method.name, by, of) == (name, engine, quantity))
    assert absent(replace(METHODS[name], **{field: ()}), engine, quantity, function)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "asked", "code"), NOT_RUN, ids=[name for name, *_ in NOT_RUN])
def test_what_only_other_methods_rest_on_is_not_run(name: str, asked: dict[str, Any], code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, **__: object) -> None:
        raise AssertionError(f"{name} runs {code}")

    monkeypatch.setattr(code, run)
    delta = functions(METHODS[name], "fast").delta
    assert delta is not None
    assert delta(**asked).upper < 1


def test_a_distribution_that_is_given_names_its_own_statement() -> None:
    for method in (*OF_DISTRIBUTIONS.values(), PLACE_OF_DISTRIBUTION):
        assert "BEYOND.any-law-given" in method.rests_also_on("epsilon", "fast")
    assert recorded()["BEYOND.any-law-given"].status == "argued"


ROOT = Path(__file__).resolve().parents[2]
STATEMENTS = registry()
RECORD = recorded()
ANSWERING = ("shuffleproof/run", "impl/ball/calibration", "shuffleproof/planning/composition.py")
LOOSER = {"FMT21.Thm5.2": "refuted as printed; what is cited is the corrected statement"}


def of_methods() -> set[str]:
    return {each.statement for each in RECORDS}


def of_other_answers() -> set[str]:
    """Every id in the code that calibrates, composes and releases."""
    files = [path for place in ANSWERING for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))]
    return {id for path in files for id in re.findall(r'"([A-Z]+[0-9]*\.[\w.-]+)"', path.read_text("utf-8")) if id in STATEMENTS}


def trusts() -> dict[str, Trust]:
    return compute(STATEMENTS, {id: entry.standing for id, entry in RECORD.items()}, theorems=theorems()).by_id


def below(ids: set[str], known: dict[str, Trust]) -> dict[str, str]:
    return {id: str(known[id].chain) for id in sorted(ids) if known[id].status.weight < Status.ARGUED.weight and id not in LOOSER}


def test_no_row_that_an_answer_cites_is_below_argued() -> None:
    assert len(of_methods()) > 20
    assert "CSUZZ19.Def3.4.bit-sum" in of_other_answers()
    assert below(of_methods() | of_other_answers(), trusts()) == {}


def test_a_cited_row_that_rests_on_cases_is_noticed() -> None:
    weaker = {**RECORD, "BEYOND.LemL1": Entry(own_status=Status.SAMPLED, status=Status.SAMPLED)}
    known = compute(STATEMENTS, {id: entry.standing for id, entry in weaker.items()}, theorems=theorems()).by_id
    assert "BEYOND.any-law-above" in below(of_methods(), known)


def test_what_is_argued_and_cited_says_what_no_machine_has_checked() -> None:
    known = trusts()
    argued = {id for id in of_methods() | of_other_answers() if known[id].status is Status.ARGUED}
    assert [id for id in sorted(argued) if not any(STATEMENTS[row].missing for row, _ in known[id].chain if row in STATEMENTS)] == []
