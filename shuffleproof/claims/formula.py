"""Expressions in n, eps0, delta and k, evaluated in ball arithmetic: what is written is what is computed, and both ends of it are known."""

from __future__ import annotations

import ast
import contextlib
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import exact_fraction

if TYPE_CHECKING:
    from flint import arb

VARIABLES = ("n", "eps0", "delta", "k")
_ALIASES = {"epsilon0": "eps0", "eps_0": "eps0", "epsilon": "eps0", "eps": "eps0"}
_LEFT_SIDE = re.compile(r"^\s*eps(ilon)?\s*=(?!=)\s*")
"""What people write before a formula for epsilon; it is taken off."""
_LONGEST = 1000
"""Characters of a formula."""
_BITS = 160
"""Working precision in bits: 48 digits, so that a claim is compared with the bracket of the truth, not with rounding."""
_LARGEST_EXPONENT = 10**6
"""Largest exponent of a power: beyond, the number is no claim about privacy, and takes long to compute."""


class Formula:
    """A parsed expression. text: as it was written; condition: whether it is a comparison.

    Signs: + - * / ** and parentheses; functions sqrt, ln, log, log2, log10, exp, expm1, log1p, min, max, abs; constants e and pi;
    comparisons < <= > >= joined by `and`. Numbers are taken as they are written, exactly.
    Raises DomainError naming what is not understood.
    """

    def __init__(self, text: str, *, parameter: str = "expression") -> None:
        if len(text) > _LONGEST:
            raise DomainError(parameter=parameter, value=f"{text[:40]}...", requirement=f"at most {_LONGEST} characters")
        text = _LEFT_SIDE.sub("", text, count=1)
        self.text, self._parameter = text, parameter
        try:
            self._tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self._refusal("an expression such as sqrt(ln(1/delta)/n)") from None
        self.condition = isinstance(self._tree, ast.Compare | ast.BoolOp)
        self._source = text.strip().replace("^", "**")
        self.variables: set[str] = set()
        with self._refusing_depth():
            self._check(self._tree)

    def __str__(self) -> str:
        return self.text

    def ends(self, given: Mapping[str, Fraction | arb]) -> tuple[Fraction, Fraction] | None:
        """Rational ends of the value; None where there is none (a logarithm of 0, say). given: a value for each variable."""
        from shuffleproof.impl.ball.numeric.arithmetic import ends, precision

        with precision(_BITS), self._refusing_depth():
            value = self._value(self._tree, given)
            return ends(value) if value.is_finite() else None

    def holds(self, given: Mapping[str, Fraction | arb]) -> bool | None:
        """Return whether a condition holds; None where ball arithmetic cannot tell."""
        from shuffleproof.impl.ball.numeric.arithmetic import precision

        with precision(_BITS), self._refusing_depth():
            return self._truth(self._tree, given)

    @contextlib.contextmanager
    def _refusing_depth(self) -> Iterator[None]:
        try:
            yield
        except RecursionError:
            raise self._refusal("an expression that is not nested so deeply") from None

    def _check(self, node: ast.expr, *, of_conditions: bool = True) -> None:
        if isinstance(node, ast.BoolOp) and of_conditions and isinstance(node.op, ast.And):
            for part in node.values:
                if not isinstance(part, ast.Compare | ast.BoolOp):
                    raise self._refusal("with a comparison on each side of `and`")
                self._check(part)
        elif isinstance(node, ast.Compare) and of_conditions and all(type(op) in _COMPARISONS for op in node.ops):
            for part in (node.left, *node.comparators):
                self._check(part, of_conditions=False)
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
            self._check(node.left, of_conditions=False)
            self._check(node.right, of_conditions=False)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            self._check(node.operand, of_conditions=False)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in _FUNCTIONS
            and node.args
            and not node.keywords
        ):
            if len(node.args) > 1 and node.func.id not in ("min", "max"):
                raise self._refusal(f"with one argument for {node.func.id}")
            for part in node.args:
                self._check(part, of_conditions=False)
        elif isinstance(node, ast.Name):
            name = _ALIASES.get(node.id, node.id)
            if name in VARIABLES:
                self.variables.add(name)
            elif name not in ("e", "pi"):
                raise self._refusal(f"written in {', '.join(VARIABLES)}, e and pi: {node.id!r} is none of them")
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            self._number(node)
        else:
            raise self._refusal(f"made of + - * / **, comparisons, {', '.join(_FUNCTIONS)}")

    def _refusal(self, requirement: str) -> DomainError:
        return DomainError(parameter=self._parameter, value=self.text, requirement=requirement)

    def _number(self, node: ast.Constant) -> Fraction:
        written = ast.get_source_segment(self._source, node) or str(node.value)
        return exact_fraction(written.replace("_", ""), parameter=self._parameter)

    def _value(self, node: ast.expr, given: Mapping[str, Fraction | arb]) -> arb:
        from flint import arb

        from shuffleproof.impl.ball.numeric.arithmetic import ball

        if isinstance(node, ast.Constant):
            return ball(self._number(node))
        if isinstance(node, ast.Name):
            name = _ALIASES.get(node.id, node.id)
            if name not in VARIABLES:
                return arb(1).exp() if name == "e" else arb.pi()
            if name not in given:
                raise DomainError(parameter=name, value="nothing", requirement=f"given: {self.text} speaks of it")
            value = given[name]
            return ball(value) if isinstance(value, Fraction) else value
        if isinstance(node, ast.UnaryOp):
            inner = self._value(node.operand, given)
            return -inner if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left, given), self._value(node.right, given)
            if isinstance(node.op, ast.Pow) and not abs(right) <= _LARGEST_EXPONENT:
                return arb("nan")
            return _OPERATIONS[type(node.op)](left, right)
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        return _FUNCTIONS[node.func.id](*(self._value(part, given) for part in node.args))

    def _truth(self, node: ast.expr, given: Mapping[str, Fraction | arb]) -> bool | None:
        if isinstance(node, ast.BoolOp):
            parts = [self._truth(part, given) for part in node.values]
            return False if False in parts else None if None in parts else True
        assert isinstance(node, ast.Compare)
        told: list[bool | None] = []
        left = self._value(node.left, given)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._value(comparator, given)
            true, false = _COMPARISONS[type(op)]
            told.append(True if true(left, right) else False if false(left, right) else None)
            left = right
        return False if False in told else None if None in told else True


_OPERATIONS: Mapping[type[ast.operator], Callable[[arb, arb], arb]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_COMPARISONS: Mapping[type[ast.cmpop], tuple[Callable[[arb, arb], bool], Callable[[arb, arb], bool]]] = {
    ast.Lt: (operator.lt, operator.ge),
    ast.LtE: (operator.le, operator.gt),
    ast.Gt: (operator.gt, operator.le),
    ast.GtE: (operator.ge, operator.lt),
}
"""What a comparison says, and what says the opposite: of balls neither may be true."""
_FUNCTIONS: Mapping[str, Callable[..., arb]] = {
    "sqrt": lambda x: x.sqrt(),
    "ln": lambda x: x.log(),
    "log": lambda x: x.log(),
    "log2": lambda x: x.log() / (0 * x + 2).log(),
    "log10": lambda x: x.log() / (0 * x + 10).log(),
    "exp": lambda x: x.exp(),
    "expm1": lambda x: x.expm1(),
    "log1p": lambda x: x.log1p(),
    "min": lambda *values: reduce(lambda x, y: x.min(y), values),
    "max": lambda *values: reduce(lambda x, y: x.max(y), values),
    "abs": abs,
}
