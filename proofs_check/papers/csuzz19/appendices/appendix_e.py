"""CSUZZ19, appendix E: the three concentration inequalities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, surely_less
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Row, Status, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.spec.distribution import binomial
from shuffleproof.spec.vocabulary.numerals import decimal_text

_BITS = 128
Radius = Callable[[int, Fraction, arb], arb]
"""From n, the mean p of one bit, and ln(1/delta) or ln(2/delta): how far the sum may be from its mean."""


def _tail(n: int, p: Fraction, *, radius: arb, both: bool) -> Fraction:
    """Pr[X < np - radius], or (both) Pr[|X - np| > radius], for X ~ Bin(n, p): ties, which the statement does not count, are left out."""
    total = Fraction(0)
    for y, weight in binomial(n, p).items():
        distance = n * p - y
        far = ball(abs(distance) if both else distance)
        if surely_less(radius, far):
            total += weight
    return total


def _points(budget: Budget, *, wide: bool) -> Iterator[tuple[int, Fraction, Fraction]]:
    users = (1, 5, 40) if budget.depth == "quick" else (1, 2, 5, 10, 40, 100, 300)
    means = ("1/2", "1/10", "9/10") if not wide else ("1/2", "1/3", "4/5")
    return product(users, map(Fraction, means), map(Fraction, ("9/10", "1/10", "1/10000")))


def _bounded(steps: list[bool], points: Iterator[tuple[int, Fraction, Fraction]], radius: Radius, *, both: bool, domain: str) -> Verdict:
    worst, where, cases = Fraction(0), "", len(steps)
    for n, p, delta in points:
        with precision(_BITS):
            length = ((2 if both else 1) / ball(delta)).log()
            value = radius(n, p, length)
            if not value.is_finite():
                continue
            reached = _tail(n, p, radius=value, both=both) / delta
        cases += 1
        if reached > 1:
            witness = f"n = {n}, mean {p}, delta = {delta}: the probability is {float(reached):.4g} delta"
            return Verdict(status=Status.REFUTED, domain=domain, cases=cases, witness=witness)
        if reached >= worst:
            worst, where = reached, f"n = {n}, mean {p}, delta = {delta}"
    if not all(steps):
        return Verdict(status=Status.OPEN, domain=domain, cases=cases, note=f"step {steps.index(False)} is not decided")
    slack = f"at exact points the probability is at most {decimal_text(worst, digits=3, direction='up')} of delta ({where})"
    return Verdict(status=Status.PROVED, domain=domain, cases=cases, slack=slack)


def _chernoff_steps(factor: Fraction) -> list[bool]:
    """With d = radius/(mu n), d^2 = factor ln(1/delta)/(mu n), the bound exp(-mu n ((1 - d) ln(1 - d) + d)) is at most delta.

    (1 - d) ln(1 - d) + d >= d^2/factor on [0, 1): equal with its derivative at 0, then by the second one. From d = 1 the event is empty.
    """
    d = sympy.symbols("d", positive=True)
    gap = (1 - d) * sympy.log(1 - d) + d - d**2 / symbolic.rational(factor)
    at_zero = [value.subs(d, 0) == 0 for value in (gap, sympy.diff(gap, d))]
    return [*at_zero, symbolic.is_nonnegative(sympy.diff(gap, d, 2), between={d: (0, 1)})]


@statement(
    "CSUZZ19.ThmE.1",
    where="Theorem E.1",
    provenance="recalled",
    says="for independent X_i in {0, 1} with mean mu: Pr[sum X_i < mu n - sqrt(2 mu n ln(1/delta))] <= delta",
    formula=r"\Pr\!\left[\sum_i X_i < \mu n - \sqrt{2 \mu n \ln(1/\delta)}\right] \le \delta",
    range="n >= 1, mu in [0, 1], delta in (0, 1)",
    grounds=[SYMPY, BALLS, Row("BEYOND.Markov")],
    mutants={
        "sqrt(mu n ln(1/delta)/2)": {"factor": Fraction(1, 2)},
    },
)
def chernoff(budget: Budget, *, factor: Fraction = Fraction(2)) -> Verdict:
    def radius(n: int, p: Fraction, length: arb) -> arb:
        return (ball(factor * p * n) * length).sqrt()

    return _bounded(_chernoff_steps(factor), _points(budget, wide=False), radius, both=False, domain="all n, mean, delta")


def hoeffding_steps(divisor: int | Fraction) -> list[bool]:
    """Hoeffding's lemma: ln(1 - p + p e^h) - p h has second derivative u (1 - u) <= 1/4; with h = 4 t/n the bound is exp(-2 t^2/n).

    At t^2 = n l/divisor that is exp(-2 l/divisor), and e^-l = delta/2.
    """
    length = sympy.symbols("l", positive=True)
    u, t, n = sympy.symbols("u t n", positive=True)
    p, h = sympy.symbols("p h", positive=True)
    weight = p * sympy.exp(h) / (1 - p + p * sympy.exp(h))
    second = sympy.diff(sympy.log(1 - p + p * sympy.exp(h)), h, 2)
    step = 4 * t / n
    return [
        sympy.simplify(second - weight * (1 - weight)) == 0,
        symbolic.is_nonnegative(sympy.Rational(1, 4) - u * (1 - u), between={u: (0, Fraction(1, 2))})
        and symbolic.is_nonnegative(sympy.Rational(1, 4) - u * (1 - u), between={u: (Fraction(1, 2), 1)}),
        symbolic.are_identical(-step * t + n * step**2 / 8, -2 * t**2 / n),
        symbolic.is_nonnegative(2 * length / symbolic.rational(divisor) - length, at_least={length: 0}),
    ]


@statement(
    "CSUZZ19.ThmE.2",
    where="Theorem E.2",
    provenance="recalled",
    says="for independent X_i in [0, 1] with mean mu: Pr[|sum X_i - mu n| > sqrt(n ln(2/delta)/2)] <= delta",
    formula=r"\Pr\!\left[\left|\sum_i X_i - \mu n\right| > \sqrt{\tfrac{n}{2} \ln(2/\delta)}\right] \le \delta",
    range="n >= 1, delta in (0, 1)",
    grounds=[SYMPY, BALLS, Row("BEYOND.Markov")],
    mutants={
        "sqrt(n ln(2/delta)/5)": {"divisor": 5},
    },
)
def hoeffding(budget: Budget, *, divisor: int = 2) -> Verdict:
    def radius(n: int, p: Fraction, length: arb) -> arb:
        return (n * length / divisor).sqrt()

    return _bounded(hoeffding_steps(divisor), _points(budget, wide=True), radius, both=True, domain="all n, delta, all laws on [0, 1]")


def _bernstein_steps(factor: Fraction, condition: Fraction) -> list[bool]:
    """E e^(hX) <= exp(sigma^2 h^2/(2 (1 - h/3))) as 2 * 3^(k - 2) <= k!, and h = t/(v + t/3) gives exp(-t^2/(2 (v + t/3))).

    At t = s root v, with s^2 = factor and l = root^2 v, the exponent is at least l iff factor - 2 >= (2/3) s root, and the condition
    v >= condition l says root^2 <= 1/condition: so (factor - 2)^2 >= (4/9) factor/condition, with factor >= 2, is enough.
    """
    t, v, root, s, slack = sympy.symbols("t v w s c", positive=True)
    h = t / (v + t / 3)
    exponent = -h * t + v * h**2 / (2 * (1 - h / 3))
    factorials = all(2 * 3 ** (k - 2) <= sympy.factorial(k) for k in range(2, 30))  # from k = 3 on the right side grows faster
    return [
        bool(factorials),
        symbolic.are_identical(exponent, -(t**2) / (2 * (v + t / 3))),
        symbolic.are_identical((t**2 / (2 * (v + t / 3))).subs({t: s * root * v}), s**2 * root**2 * v / (2 + 2 * s * root / 3)),
        # where s^2 is at least 2 + (2/3) s root, the quotient is at least root^2 v
        symbolic.is_nonnegative((2 + 2 * s * root / 3 + slack) / (2 + 2 * s * root / 3) - 1, at_least={s: 0, root: 0, slack: 0}),
        symbolic.is_nonnegative(symbolic.rational(factor) - 2),
        symbolic.is_nonnegative(symbolic.rational(condition * (factor - 2) ** 2 - Fraction(4, 9) * factor)),
    ]


@statement(
    "CSUZZ19.ThmE.3",
    where="Theorem E.3",
    provenance="recalled",
    says="for independent X_i with mean mu, variance sigma^2 and |X_i - mu| <= 1, if n sigma^2 >= (4/9) ln(2/delta): "
    "Pr[|sum X_i - mu n| > 2 sqrt(n sigma^2 ln(2/delta))] <= delta",
    formula=r"\Pr\!\left[\left|\sum_i X_i - \mu n\right| > 2 \sqrt{n \sigma^2 \ln(2/\delta)}\right] \le \delta, \qquad n \sigma^2 \ge "
    r"\tfrac49 \ln\frac{2}{\delta}",
    range="delta in (0, 1), n sigma^2 >= (4/9) ln(2/delta)",
    grounds=[SYMPY, BALLS, Row("BEYOND.Markov")],
    mutants={
        "sqrt(n sigma^2 ln(2/delta))": {"factor": Fraction(1)},
        "without the condition on the variance": {"condition": Fraction(0)},
    },
)
def bernstein(budget: Budget, *, factor: Fraction = Fraction(4), condition: Fraction = Fraction(4, 9)) -> Verdict:
    def radius(n: int, p: Fraction, length: arb) -> arb:
        v = ball(n * p * (1 - p))
        return (ball(factor) * v * length).sqrt() if surely_less(ball(condition) * length, v) else arb("nan")

    points = [*_points(budget, wide=False), (20, Fraction(1, 200), Fraction(1, 10**8))]
    return _bounded(
        _bernstein_steps(factor, condition), iter(points), radius, both=True, domain="all n, delta, laws with |X_i - mu| <= 1 in the range"
    )
