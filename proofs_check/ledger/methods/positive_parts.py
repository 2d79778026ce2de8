"""Inequalities between positive parts that hold outcome by outcome, so for all distributions: hockey-stick divergences are their sums.

If x = w_1 x_1 + ... + w_m x_m with w_i >= 0, then [x]_+ <= w_1 [x_1]_+ + ... + w_m [x_m]_+ (the positive part is subadditive and
homogeneous). Summed over the outcomes of any distributions this bounds one divergence by others, whatever the distributions are.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy

from shuffleproof.proofs_check.ledger.methods import symbolic

Part = tuple[sympy.Expr | int, sympy.Expr]
"""A weight and what it multiplies."""


def is_combination(
    whole: sympy.Expr,
    parts: Sequence[Part],
    *,
    at_least: Mapping[sympy.Symbol, int | Fraction] | None = None,
    between: Mapping[sympy.Symbol, tuple[int | Fraction, int | Fraction]] | None = None,
) -> bool:
    """True iff whole = sum of weight times part identically and no weight is negative: two steps of a proof, as in the module's text.

    at_least, between: the ranges of the symbols in the weights, as for symbolic.is_nonnegative.
    """
    total = sum((sympy.sympify(weight) * part for weight, part in parts), sympy.S.Zero)
    identity = symbolic.are_identical(whole, total)
    weights = [sympy.sympify(weight) for weight, _ in parts]
    return identity and all(_not_negative(weight, at_least or {}, between or {}) for weight in weights)


def _not_negative(
    weight: sympy.Expr,
    at_least: Mapping[sympy.Symbol, int | Fraction],
    between: Mapping[sympy.Symbol, tuple[int | Fraction, int | Fraction]],
) -> bool:
    if not weight.free_symbols:
        return bool(weight >= 0)
    known = weight.free_symbols
    return symbolic.is_nonnegative(
        weight,
        at_least={symbol: lower for symbol, lower in at_least.items() if symbol in known},
        between={symbol: ends for symbol, ends in between.items() if symbol in known},
    )
