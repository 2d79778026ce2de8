"""Two facts that tail bounds rest on: Markov's inequality, and three bounds on the exponential and the logarithm.

Each is an inequality between functions, proved for all real numbers of its range: pointwise, or from equal values and slopes at one
point and the sign of the second derivative.

From finitely many messages to jointly measurable kernels: one sequence of densities on [0, 1] whose second step sees the first output.

In m cells a step everything is a rational number: what the cells of the outputs are like, and the finite sequence of the argument.
"""

from fractions import Fraction
from functools import cache
from itertools import product

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.points import ONE, ZERO
from shuffleproof.spec.distribution import Distribution, hockey_stick, total_variation


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


_FIRST = tuple(map(Fraction, ("-1/3", "1/3", "0")))
"""The slopes c of the first step's densities 1 + c (2 s - 1), a data point each."""
_SECOND = tuple(map(Fraction, ("0", "1/4", "-1/4")))
"""The slopes of the second step's densities after the output 0."""
_BY_HISTORY = tuple(map(Fraction, ("1/2", "-1/2", "1/4")))
"""What an output of 1 adds to them."""
_DENSITY = Fraction(7, 4)
"""No density is larger: 1 + |slope|, with slopes up to 3/4."""
_VARIES = 2 * Fraction(1, 3) + 2 * Fraction(3, 4) + Fraction(1, 2)
"""By how much the densities of both steps vary together over a cell, times m: twice each slope for its output, 1/2 for the history."""


def _cell(slope: Fraction, m: int, k: int) -> Fraction:
    """The mass of the k-th of m cells under 1 + slope (2 s - 1)."""
    return Fraction(1, m) + slope * (Fraction(2 * k + 1, m) - 1) / m


def _by_moments(first: int, second: int, m: int, j: int, k: int) -> Fraction:
    """The mass of the cells j, k of both outputs, `first` served first: the second slope is affine in the first output."""
    low, high = Fraction(j, m), Fraction(j + 1, m)
    square, cube = (high**2 - low**2) / 2, (high**3 - low**3) / 3
    seen = square + _FIRST[first] * (2 * cube - square)
    middle = (Fraction(2 * k + 1, m) - 1) / m
    return _cell(_FIRST[first], m, j) * (Fraction(1, m) + _SECOND[second] * middle) + _BY_HISTORY[second] * seen * middle


def _slope(x: int, z: Fraction) -> Fraction:
    return _SECOND[x] + _BY_HISTORY[x] * z


@cache
def _cells(data: tuple[int, int], m: int) -> Distribution[tuple[int, int]]:
    """The cells of the outputs on shuffled data."""
    orders = [(data[0], data[1]), (data[1], data[0])]
    return Distribution({(j, k): sum((_by_moments(*order, m, j, k) for order in orders), ZERO) / 2 for j, k in product(range(m), repeat=2)})


@cache
def _finite(data: tuple[int, int], m: int, *, forgets: bool) -> Distribution[tuple[int, int]]:
    """The finite sequence on shuffled data: after the cell j the second step takes the history j/m. forgets: always 0, for a mutant."""
    orders = [(data[0], data[1]), (data[1], data[0])]
    at = [Fraction(0) if forgets else Fraction(j, m) for j in range(m)]
    return Distribution(
        {
            (j, k): sum((_cell(_FIRST[x], m, j) * _cell(_slope(y, at[j]), m, k) for x, y in orders), ZERO) / 2
            for j, k in product(range(m), repeat=2)
        }
    )


@derived(
    "BEYOND.measurable-messages",
    says="what bounds D_E for every sequence with finitely many messages whose steps satisfy a condition that survives post-processing, at "
    "every history, bounds it for all jointly measurable kernels that do",
    range="all n, E >= 0; messages in a countably generated measurable space; conditions on the distributions of one step at one history",
    governs=["spec.model"],
    grounds=["measurable-messages#kernels", EXACT],
    mutants={
        "the second step forgets the first output": {"forgets": True},
        "a hundredth of what the cells cost": {"price": Fraction(1, 100)},
    },
    missing="the argument for all kernels; one sequence of two steps is computed",
)
def measurable(budget: Budget, *, forgets: bool = False, price: Fraction = ONE) -> Verdict:
    """price: by which the cost of the cells is multiplied, 1 for the statement."""
    datasets, finest = ((0, 2), (1, 2)), budget.pick(quick=24, full=48)

    def holds(m: int, order: Fraction, i: int) -> bool:
        finite = [_finite(data, m, forgets=forgets) for data in datasets]
        near = all(total_variation(_cells(data, m), found) <= price / (8 * m) for data, found in zip(datasets, finite, strict=True))
        cost = price * (1 + order) * (Fraction(1, 8 * m) + 2 * _DENSITY * _VARIES / m)
        outputs = [_cells(data, finest) for data in datasets]
        told = hockey_stick(outputs[i], outputs[1 - i], exp_epsilon=order)
        return near and told <= hockey_stick(finite[i], finite[1 - i], exp_epsilon=order) + cost and _as_private(m)

    def _as_private(m: int) -> bool:
        """The finite steps' likelihood ratios are no larger than the densities'."""
        ends = [[1 + s * _slope(x, z) for x in range(3)] for z in (Fraction(0), Fraction(1)) for s in (1, -1)]
        most = max(a / b for at in ends for a in at for b in at)
        laws = [[_cell(_slope(x, Fraction(j, m)), m, k) for x in range(3)] for j, k in product(range(m), repeat=2)]
        return max(a / b for at in laws for a in at for b in at) <= most

    cases = product((2, 4, 8, 12), (Fraction(1), Fraction(6, 5)), (0, 1))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"one sequence of two steps with three data points, 2 to 12 cells a step against {finest}, e^eps = 1, 6/5, both ways"
    )
