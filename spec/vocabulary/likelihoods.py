"""What a local randomizer's declaration is written in: expressions in T = e^epsilon0, and output classes with their weights.

A declaration is data, said once in `spec/randomizers/`; the exact engine, balls and float64 each evaluate it in their own arithmetic.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeVar

from shuffleproof.spec.vocabulary.numerals import Epsilon

Real = TypeVar("Real")
"""A number of an engine's arithmetic: it adds, subtracts, multiplies and divides, and has integer powers."""
Symbol = Literal["T", "root", "epsilon0"]
Operation = Literal["+", "-", "*", "/"]
_OPERATIONS: Mapping[Operation, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


@dataclass(frozen=True)
class Expression:
    """A real number, as a tree of operations on rationals, T = e^epsilon0, its square root and epsilon0 itself."""

    def __add__(self, other: Expression | Fraction | int) -> Expression:
        return _Operated("+", self, constant(other))

    def __radd__(self, other: Fraction | int) -> Expression:
        return _Operated("+", constant(other), self)

    def __sub__(self, other: Expression | Fraction | int) -> Expression:
        return _Operated("-", self, constant(other))

    def __rsub__(self, other: Fraction | int) -> Expression:
        return _Operated("-", constant(other), self)

    def __mul__(self, other: Expression | Fraction | int) -> Expression:
        return _Operated("*", self, constant(other))

    def __rmul__(self, other: Fraction | int) -> Expression:
        return _Operated("*", constant(other), self)

    def __truediv__(self, other: Expression | Fraction | int) -> Expression:
        return _Operated("/", self, constant(other))

    def __rtruediv__(self, other: Fraction | int) -> Expression:
        return _Operated("/", constant(other), self)

    def __pow__(self, exponent: int) -> Expression:
        return _Power(self, exponent)


@dataclass(frozen=True)
class _Constant(Expression):
    value: Fraction


@dataclass(frozen=True)
class _Named(Expression):
    symbol: Symbol


@dataclass(frozen=True)
class _Operated(Expression):
    operation: Operation
    left: Expression
    right: Expression


@dataclass(frozen=True)
class _Power(Expression):
    base: Expression
    exponent: int


@dataclass(frozen=True)
class _PositivePart(Expression):
    inside: Expression


T = _Named("T")
"""e^epsilon0."""
ROOT = _Named("root")
"""e^(epsilon0/2)."""
EPSILON0 = _Named("epsilon0")


def constant(x: Expression | Fraction | int) -> Expression:
    """A rational as an expression; an expression as it is."""
    return x if isinstance(x, Expression) else _Constant(Fraction(x))


def positive_part(x: Expression) -> Expression:
    """max(0, x)."""
    return _PositivePart(x)


def rational_value(x: Expression) -> Fraction | None:
    """The number itself where no symbol occurs in it, else None."""
    return None if symbols(x) else evaluate(x, number=lambda value: value, symbol={})


def symbols(x: Expression) -> frozenset[Symbol]:
    """The symbols that occur in an expression."""
    match x:
        case _Named(symbol):
            return frozenset({symbol})
        case _Operated(_, left, right):
            return symbols(left) | symbols(right)
        case _Power(base, _) | _PositivePart(base):
            return symbols(base)
    return frozenset()


def subtracts(x: Expression) -> bool:
    """Return whether an expression with symbols has differences, so that digits may cancel in it where epsilon0 is small."""
    match x:
        case _Operated(operation, left, right):
            return bool(operation == "-" and symbols(x)) or subtracts(left) or subtracts(right)
        case _Power(base, _) | _PositivePart(base):
            return subtracts(base)
    return False


def evaluate(
    x: Expression, *, number: Callable[[Fraction], Real], symbol: Mapping[Symbol, Real], larger: Callable[[Any, Any], Any] = max
) -> Real:
    """The value of an expression in an engine's arithmetic.

    number: makes a number of a rational; symbol: the values of the symbols that occur; larger: the maximum of two numbers, where numbers
    are not totally ordered. Raises KeyError for a symbol that is not there.
    """

    def value(y: Expression) -> Real:
        return evaluate(y, number=number, symbol=symbol, larger=larger)

    match x:
        case _Constant(rational):
            return number(rational)
        case _Named(name):
            return symbol[name]
        case _Power(base, exponent):
            base_value: Any = value(base)
            power: Real = base_value**exponent
            return power
        case _PositivePart(inside):
            part: Real = larger(number(Fraction(0)), value(inside))
            return part
        case _Operated(operation, left, right):
            result: Real = _OPERATIONS[operation](value(left), value(right))
            return result
    raise TypeError(f"no expression: {x!r}")


@dataclass(frozen=True)
class OutputClass:
    """Outputs that have one likelihood vector (R_0, R_1, R_2) up to a factor, of a randomizer with two levels of probability.

    weight: how many they are, or how long, times the factor; first, second, third: 1 where an output is T times as likely for that input
    as the lower level, else 0. Under x_0 the class has probability weight T^first/Z, Z the sum over all classes, likewise under the
    others.
    """

    weight: Expression
    first: int
    second: int
    third: int


Classes = tuple[OutputClass, ...]
"""All outputs of a randomizer, for one choice of x_0, x_1 and a third input, or with its blanket in the third place."""


def exact_weights(classes: Classes, epsilon0: Epsilon) -> list[Fraction] | None:
    """The weights as rationals, or None where they are not, or e^epsilon0 is not."""
    used = frozenset[Symbol]().union(*(symbols(each.weight) for each in classes))
    if epsilon0.exp is None or "epsilon0" in used:
        return None
    at: dict[Symbol, Fraction] = {"T": epsilon0.exp}
    if "root" in used:
        root = Fraction(math.isqrt(epsilon0.exp.numerator), math.isqrt(epsilon0.exp.denominator))
        if root**2 != epsilon0.exp:
            return None
        at["root"] = root
    return [evaluate(each.weight, number=Fraction, symbol=at) for each in classes]


@dataclass(frozen=True)
class Dataset:
    """Neighbouring datasets (x_0, x_2, ..., x_2) and (x_1, x_2, ..., x_2). held: what is said of the inputs; classes: for all three."""

    held: str
    classes: Classes


def output_classes(*rows: tuple[Expression | Fraction | int, int, int, int]) -> Classes:
    """Classes from rows (weight, first, second, third); those that are known to be empty are left out."""
    known = [OutputClass(constant(weight), first, second, third) for weight, first, second, third in rows]
    return tuple(each for each in known if rational_value(each.weight) != 0)


def beyond_first_two(classes: Classes) -> Classes:
    """The same where all others hold x_1."""
    return tuple(OutputClass(each.weight, each.first, each.second, each.second) for each in classes)


def third_or_second(three: Classes | None, two: Classes) -> tuple[Dataset, ...]:
    """All others hold a third item, where three items can be distinguished, or x_1."""
    second = Dataset("all others hold the second item", beyond_first_two(three or two))
    return (Dataset("all others hold a third item", three), second) if three else (second,)
