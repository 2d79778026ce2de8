"""Decisions about rational functions: identities and signs, never by numerical guess."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import sympy

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
    shifted = expression
    for symbol, lower in at_least.items():
        shifted = shifted.subs(symbol, _exact(lower) + _fresh(symbol))
    for symbol, (lower, upper) in between.items():
        u = _fresh(symbol)
        shifted = shifted.subs(symbol, (_exact(lower) + _exact(upper) * u) / (1 + u))
    unbound = (expression.free_symbols) - set(at_least) - set(between)
    if unbound:
        raise ValueError(f"no range for {sorted(map(str, unbound))}")
    numerator, denominator = _numerator_and_denominator(shifted)
    below, above = (list(part.coeffs()) for part in (denominator, numerator))
    if all(coefficient < 0 for coefficient in below):
        below, above = [-coefficient for coefficient in below], [-coefficient for coefficient in above]
        numerator, denominator = -numerator, -denominator
    if any(coefficient < 0 for coefficient in below) or any(coefficient < 0 for coefficient in above):
        return False
    origin = dict.fromkeys(numerator.gens, 0)
    if denominator.eval(origin) == 0:
        return False
    return not strict or bool(numerator.eval(origin) > 0)


def has_no_root(polynomial: sympy.Expr, *, symbol: sympy.Symbol, lower: int | Fraction, upper: int | Fraction) -> bool:
    """True iff a univariate rational polynomial has no root in [lower, upper] (Sturm's theorem: a decision)."""
    roots = int(sympy.Poly(polynomial, symbol, domain="QQ").count_roots(_exact(lower), _exact(upper)))
    return step(roots == 0, shows=Status.PROVED)


def _exact(value: int | Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def _fresh(symbol: sympy.Symbol) -> sympy.Symbol:
    return sympy.Symbol(f"u_{symbol.name}")


@lru_cache(maxsize=4096)
def _numerator_and_denominator(expression: sympy.Expr) -> tuple[sympy.Poly, sympy.Poly]:
    symbols = sorted(expression.free_symbols, key=str) or [sympy.Symbol("unused")]
    if not expression.is_rational_function(*symbols):
        raise UnsupportedError(what=f"a decision about {expression}", reason="not a rational function", advice="use intervals")
    top, bottom = sympy.fraction(sympy.cancel(sympy.together(expression)))
    return sympy.Poly(top, *symbols, domain="QQ"), sympy.Poly(bottom, *symbols, domain="QQ")
