"""Two facts that tail bounds rest on: Markov's inequality, and three bounds on the exponential and the logarithm.

Each is an inequality between functions, proved for all real numbers of its range: pointwise, or from equal values and slopes at one
point and the sign of the second derivative.
"""

from fractions import Fraction

import sympy

from shuffleproof.proofs_check.ledger import SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import symbolic


@derived(
    "BEYOND.Markov",
    where="docs/mathematics/known-facts.md, Moments and tails",
    says="y 1[Y >= y] <= Y for Y >= 0 and y > 0, so Pr[Y >= y] <= E Y/y; with Y = e^(lambda X), Pr[X >= x] <= e^(-lambda x) E e^(lambda X)",
    range="all distributions of Y >= 0, all y > 0",
    grounds=[SYMPY],
    weaker={"share": "larger", "least": "larger"},
    mutants={"9/10 of it": {"share": Fraction(9, 10)}, "for Y >= -1": {"least": -1}},
)
def markov(budget: Budget, *, share: Fraction = Fraction(1), least: int = 0) -> Verdict:
    """Where Y = y + u the left side is y, where Y < y it is 0; the mean keeps an inequality between functions."""
    y, u = sympy.symbols("y u")
    part = sympy.Rational(share)
    steps = [
        symbolic.is_nonnegative(part * (y + u) - y, at_least={y: 0, u: 0}),
        symbolic.is_nonnegative(part * (u + least), at_least={u: 0}),
    ]
    domain = "all Y >= 0, y > 0, in two cases"
    if all(steps):
        return Verdict.proved(domain=domain, cases=2, slack="0, where Y is y or 0")
    return Verdict.refuted("Y = y for sure" if share < 1 else "Y = -1 for sure", domain=domain, cases=2)


@derived(
    "BEYOND.exponential-bounds",
    where="docs/mathematics/known-facts.md, Moments and tails",
    says="1 - v <= e^-v for all v; ln t >= 1 - 1/t for t > 0; 1 - e^-u >= u - u^2/2 for u >= 0",
    range="all real v, t > 0, u >= 0",
    grounds=[SYMPY],
    weaker={"curve": "smaller", "square": "larger"},
    mutants={
        "1 - 0.9 v <= e^-v": {"slope": Fraction(9, 10)},
        "1 - v + v^2/2 <= e^-v": {"curve": Fraction(1)},
        "ln t >= 1 - 1.1/t + 0.1": {"weight": Fraction(11, 10)},
        "ln t >= 1 - 0.9/t - 0.1": {"weight": Fraction(9, 10)},
        "1 - e^-u >= u - 0.45 u^2": {"square": Fraction(45, 100)},
    },
)
def exponential_bounds(
    budget: Budget,
    *,
    slope: Fraction = Fraction(1),
    curve: Fraction = Fraction(0),
    weight: Fraction = Fraction(1),
    square: Fraction = Fraction(1, 2),
) -> Verdict:
    """Value and slope at the point of contact, then signs; w stands for the exponential, which is positive, and at most 1 for u >= 0."""
    v, u = sympy.symbols("v u", real=True)
    t, w = sympy.symbols("t w", positive=True)
    first = sympy.exp(-v) - 1 + sympy.Rational(slope) * v - sympy.Rational(curve) * v**2 / 2
    second = sympy.log(t) - 1 + sympy.Rational(weight) / t - (sympy.Rational(weight) - 1)
    third = 1 - sympy.exp(-u) - u + sympy.Rational(square) * u**2
    contacts = [
        symbolic.is_zero(sympy.sympify(value))
        for value in (
            first.subs(v, 0),
            sympy.diff(first, v).subs(v, 0),
            second.subs(t, 1),
            third.subs(u, 0),
            sympy.diff(third, u).subs(u, 0),
        )
    ]
    rate = sympy.cancel(sympy.diff(second, t) * t**2)  # the sign of the derivative
    signs = [
        symbolic.is_nonnegative(sympy.diff(first, v, 2).subs(sympy.exp(-v), w), at_least={w: 0}),
        symbolic.is_nonnegative(rate, at_least={t: 1}),  # it rises from t = 1 on, and falls before
        symbolic.is_nonnegative(-rate, between={t: (0, 1)}),
        symbolic.is_nonnegative(sympy.diff(third, u, 2).subs(sympy.exp(-u), w), between={w: (0, 1)}),
    ]
    domain = "all real v, t > 0, u >= 0: equal at 0, 1 and 0, then by the sign of a derivative"
    if all(contacts) and all(signs):
        return Verdict.proved(domain=domain, cases=len(contacts) + len(signs), slack="0 at v = 0, t = 1, u = 0")
    return Verdict.refuted(_violated(slope, curve, weight), domain=domain, cases=len(contacts) + len(signs))


def _violated(slope: Fraction, curve: Fraction, weight: Fraction) -> str:
    if slope != 1 or curve:
        return "v = 1/10: the left side is above e^(-1/10)"
    if weight != 1:
        return f"t = {'21/20' if weight > 1 else '19/20'}: the right side is the larger one"
    return "u = 1/10: the right side is the larger one"
