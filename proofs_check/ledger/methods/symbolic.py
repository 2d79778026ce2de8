"""Decisions about rational functions: identities and signs, never by numerical guess."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from sympy.polys.domains import QQ

from shuffleproof.proofs_check.ledger.steps import step
from shuffleproof.proofs_check.ledger.verdict import Status
from shuffleproof.spec.vocabulary.errors import UnsupportedError


def rational(value: int | Fraction) -> sympy.Rational:
    """Return a number of a statement as sympy's exact rational, for the expressions of a step."""
    return _exact(value)


def holds(comparison: bool) -> bool:
    """Note a comparison of a statement's own numbers, exact or by certified balls, as a step, and give back whether it holds."""
    return step(bool(comparison), shows=Status.PROVED)


def is_zero(expression: sympy.Expr) -> bool:
    """True iff the expression is identically zero as a rational function of its symbols. Raises UnsupportedError if it is not rational."""
    numerator, _ = _numerator_and_denominator(expression)
    return step(bool(numerator.is_zero), shows=Status.PROVED)


def are_identical(left: sympy.Expr, right: sympy.Expr) -> bool:
    """True iff both sides are the same rational function."""
    return is_zero(left - right)


def are_equal_polynomials(left: object, right: object) -> bool:
    """True iff two elements of one exact polynomial ring (sympy's, over the rationals) are the same."""
    return step(bool(left == right), shows=Status.PROVED)


def is_one_by_gammas(quotient: sympy.Expr) -> bool:
    """True iff a quotient of factorials and binomials of symbols is simplified to 1 by the functional equation of the gamma function.

    False means that this did not work, not that the quotient is something else.
    """
    return step(bool(sympy.gammasimp(quotient.rewrite(sympy.gamma)) == 1), shows=Status.PROVED)


def is_nonnegative(
    expression: sympy.Expr,
    *,
    at_least: Mapping[sympy.Symbol, int | Fraction] | None = None,
    between: Mapping[sympy.Symbol, tuple[int | Fraction, int | Fraction]] | None = None,
    strict: bool = False,
) -> bool:
    """True iff this proof works: after substituting s = lower + u or s = (lower + upper u)/(1 + u), u >= 0, no coefficient is negative.

    at_least: symbols in [lower, oo). between: symbols in [lower, upper] (the upper end by continuity). Every symbol needs a range.
    strict: ask for > 0, which needs a positive constant coefficient, and then leaves out the upper ends of `between`.
    False means that this proof does not work, not that the inequality is false.
    """
    return step(_has_no_negative_coefficient(expression, at_least or {}, between or {}, strict), shows=Status.PROVED)


def _has_no_negative_coefficient(
    expression: sympy.Expr,
    at_least: Mapping[sympy.Symbol, int | Fraction],
    between: Mapping[sympy.Symbol, tuple[int | Fraction, int | Fraction]],
    strict: bool,
) -> bool:
    unbound = expression.free_symbols - set(at_least) - set(between)
    if unbound:
        raise ValueError(f"no range for {sorted(map(str, unbound))}")
    above, below = (_in_u(part, at_least, between) for part in _numerator_and_denominator(expression))
    if all(coefficient < 0 for coefficient in below.values()):
        above, below = ({powers: -coefficient for powers, coefficient in part.items()} for part in (above, below))
    if any(coefficient < 0 for part in (above, below) for coefficient in part.values()):
        return False
    origin = tuple(0 for _ in next(iter(below)))
    return bool(below.get(origin)) and (not strict or above.get(origin, 0) > 0)


def _in_u(
    polynomial: sympy.Poly,
    at_least: Mapping[sympy.Symbol, int | Fraction],
    between: Mapping[sympy.Symbol, tuple[int | Fraction, int | Fraction]],
) -> dict[tuple[int, ...], Any]:
    """Return the coefficients in u of a polynomial in s, times powers of 1 + u that clear denominators: no sign moves."""
    terms = {powers: coefficient for powers, coefficient in polynomial.rep.to_dict().items() if coefficient}
    for place, symbol in enumerate(polynomial.gens):
        lower, upper = between.get(symbol, (at_least.get(symbol, 0), 1))
        degree = max((powers[place] for powers in terms), default=0)
        over = [QQ(1), QQ(1 if symbol in between else 0)]  # 1 + u, or 1
        replaced = [_product([_line(lower, upper)] * power + [over] * (degree - power)) for power in range(degree + 1)]
        found: dict[tuple[int, ...], Any] = {}
        for powers, coefficient in terms.items():
            for power, factor in enumerate(replaced[powers[place]]):
                key = (*powers[:place], power, *powers[place + 1 :])
                found[key] = found.get(key, 0) + coefficient * factor
        terms = {powers: coefficient for powers, coefficient in found.items() if coefficient}
    return terms


def _line(lower: int | Fraction, upper: int | Fraction) -> list[Any]:
    """Return lower + upper u by its coefficients."""
    return [QQ(end.numerator, end.denominator) for end in (lower, upper)]


def _product(factors: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the coefficients of a product of polynomials in one variable."""
    found = [QQ(1)]
    for factor in factors:
        longer = [QQ(0)] * (len(found) + len(factor) - 1)
        for i, one in enumerate(found):
            for j, other in enumerate(factor):
                longer[i + j] += one * other
        found = longer
    return found


def _exact(value: int | Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


@lru_cache(maxsize=4096)
def _numerator_and_denominator(expression: sympy.Expr) -> tuple[sympy.Poly, sympy.Poly]:
    symbols = sorted(expression.free_symbols, key=str) or [sympy.Symbol("unused")]
    if not expression.is_rational_function(*symbols):
        raise UnsupportedError(what=f"a decision about {expression}", reason="not a rational function", advice="use intervals")
    if expression.is_polynomial(*symbols):  # cancelling takes a hundred times as long as expanding
        return sympy.Poly(expression, *symbols, domain="QQ"), sympy.Poly(1, *symbols, domain="QQ")
    top, bottom = sympy.fraction(sympy.cancel(sympy.together(expression)))
    return sympy.Poly(top, *symbols, domain="QQ"), sympy.Poly(bottom, *symbols, domain="QQ")
