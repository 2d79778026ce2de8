"""Small faults of code, one a time: a number, sign, comparison, condition, direction or term that is changed in its syntax tree.

They are what a machine writes as mutants, of the ledger's checks (`code_changes`) and of what tests check (tests/deep/mutations.py).
"""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_OPPOSITE: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
_PAIRS = ("min max", "all any", "floor ceil", "upper_end lower_end", "upper lower", "up down", "next_up next_down")
_EXCHANGED = {name: other for pair in map(str.split, _PAIRS) for name, other in (pair, pair[::-1])}
_WORDS = ("requirement", "advice", "reason")
"""Arguments that are text for people."""

Change = Callable[[], Any]
"""A context in which the tree is changed."""


def faults(body: list[ast.stmt], *, of_calls: bool) -> Iterator[tuple[ast.stmt, ast.AST, Change]]:
    """Return (the statement, the expression to show, the change) for every fault that these statements can have.

    of_calls: with arguments exchanged, negated and a tenth larger, and conditions dropped, too.
    """
    for statement in _simple(body):
        parents = {child: node for node in ast.walk(statement) for child in ast.iter_child_nodes(node)}
        if isinstance(statement, ast.AugAssign):
            yield statement, statement, _left_out(statement)
        for node in (node for part in _heads(statement) for node in _computing(part)):
            for change in [*_of(node), *(_of_call(node) if of_calls else ())]:
                shown = node if not isinstance(node, ast.Constant) else parents.get(node, node)
                while isinstance(shown, (ast.keyword, ast.slice, ast.comprehension)) and shown in parents:
                    shown = parents[shown]
                yield statement, shown if isinstance(shown, ast.expr) else node, change


def _simple(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement, blocks' inner ones too; docstrings are none, nor what raises an error."""
    for statement in body:
        if not isinstance(statement, ast.Raise) and not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield statement
        for block in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            for field in ("body", "orelse", "finalbody"):
                yield from _simple(getattr(block, field, []))


def _heads(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement itself, without the statements inside it and without annotations."""
    for name, value in ast.iter_fields(statement):
        if name in ("annotation", "returns", "args", "decorator_list"):
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, (ast.expr, ast.withitem)):
                yield item


def _computing(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that compute: no text for people."""
    if not isinstance(node, ast.JoinedStr) and not (isinstance(node, ast.keyword) and node.arg in _WORDS):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _computing(child)


def _of(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Constant(value=bool() as said):
            yield lambda: _setting(node, value=not said)
        case ast.Constant(value=int() as number):
            yield lambda: _setting(node, value=number + 1)
            yield lambda: _setting(node, value=number - 1)
        case ast.Constant(value="up" | "down" as way):
            yield lambda: _setting(node, value=_EXCHANGED[way])
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                for other in _OPPOSITE.get(type(op), ()):
                    yield lambda place=place, other=other: _setting(node, ops=[*ops[:place], other(), *ops[place + 1 :]])  # type: ignore[misc]
        case ast.BinOp(op=op):
            for other in _OPPOSITE.get(type(op), ()):
                yield lambda other=other: _setting(node, op=other())  # type: ignore[misc]
            if isinstance(op, ast.Add):
                yield _left_out(node)
        case ast.BoolOp(op=op):
            yield lambda: _setting(node, op=_OPPOSITE[type(op)][0]())
        case ast.UnaryOp(op=ast.USub()):
            yield lambda: _setting(node, op=ast.UAdd())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield lambda: _setting(node, operand=ast.UnaryOp(ast.Not(), operand))
        case ast.Name(id=name, ctx=ast.Load()) if name in _EXCHANGED:
            yield lambda: _setting(node, id=_EXCHANGED[name])
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in _EXCHANGED:
            yield lambda: _setting(node, attr=_EXCHANGED[name])


def _of_call(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.BoolOp(values=values):
            for dropped in range(len(values)):
                rest = [*values[:dropped], *values[dropped + 1 :], ast.Constant(isinstance(node.op, ast.And))]
                yield lambda rest=rest: _setting(node, values=rest)  # type: ignore[misc]
        case ast.comprehension(ifs=[_, *_]):
            yield lambda: _setting(node, ifs=[])
        case ast.Call(args=[ast.Lambda(body=body) as given, *_]) if _is_named(node.func, "prove_on_box"):
            yield lambda: _setting(given, body=ast.UnaryOp(ast.USub(), body))
        case ast.Call(args=[first, second]) if not any(isinstance(one, ast.Starred) for one in (first, second)):
            yield lambda: _setting(node, args=[second, first])
            yield lambda: _setting(node, args=[first, _a_tenth_more(second)])
        case ast.Call(args=[first]) if not isinstance(first, (ast.Starred, ast.GeneratorExp)):
            yield lambda: _setting(node, args=[ast.UnaryOp(ast.USub(), first)])
            yield lambda: _setting(node, args=[_a_tenth_more(first)])


def _left_out(node: ast.BinOp | ast.AugAssign) -> Change:
    """Leave out what is added: times 1 is nothing, of numbers and of lists."""
    term = "right" if isinstance(node, ast.BinOp) else "value"
    return lambda: _setting(node, **{"op": ast.Mult(), term: ast.Constant(1)})


def _is_named(function: ast.expr, name: str) -> bool:
    return name == (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None))


def _a_tenth_more(expression: ast.expr) -> ast.expr:
    return ast.BinOp(ast.BinOp(ast.Constant(11), ast.Mult(), expression), ast.Div(), ast.Constant(10))


@contextmanager
def _setting(node: ast.AST, **fields: object) -> Iterator[None]:
    was = {name: getattr(node, name) for name in fields}
    vars(node).update(fields)
    try:
        yield
    finally:
        vars(node).update(was)
