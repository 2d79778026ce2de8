"""CSUZZ19, appendix E: the three concentration inequalities."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import floor

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Status, Verdict, recalled
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.vocabulary.numerals import decimal_text

Radius = Callable[[int, Fraction, arb], arb]
"""From n, the mean p of one bit, and ln(1/delta) or ln(2/delta): how far the sum may be from its mean."""


_LARGE = 1000
"""Users from which on a tail is bounded from below by equal terms, not summed."""
FAR = Fraction(1, 10**390)
"""A delta so small that a constant that is 1 percent below that of Chernoff's or Hoeffding's inequality is too small."""


def beyond(law: Distribution[Fraction], *, centre: Fraction, radius: arb, reached: bool = False) -> Fraction:
    """Pr[|Z - centre| > radius] (>= radius if reached), exact. Raises ValueError where a ball cannot tell."""
    total = Fraction(0)
    for z, weight in law.items():
        distance = ball(abs(z - centre))
        if surely_less(radius, distance) or (reached and radius == distance):
            total += weight
        elif not surely_less(distance, radius) and radius != distance:
            raise ValueError("not decided")
    return total


def far_tail(n: int, p: Fraction, *, first: int) -> arb:
    """A lower bound on Pr[Bin(n, p) >= first], first above the mean: terms over which they fall by about e, each at least the last."""
    terms = max(1, int(n * p * (1 - p) / (first - n * p)))
    last = first + terms - 1
    if last > n:
        return arb(0)
    ways = arb(n + 1).lgamma() - arb(last + 1).lgamma() - arb(n - last + 1).lgamma()
    return terms * (ways + last * ball(p).log() + (n - last) * ball(1 - p).log()).exp()


def _tail(n: int, p: Fraction, *, radius: arb, both: bool) -> Fraction:
    """Pr[X < np - radius], or (both) Pr[|X - np| > radius], for X ~ Bin(n, p): ties, which the statement does not count, are left out.

    Of many users a lower bound, by one side or by two that are alike.
    """
    if n > _LARGE:
        above = floor(n * (1 - p) + upper_end(radius)) + 1  # users who are not counted
        return (2 if both and p == Fraction(1, 2) else 1) * lower_end(far_tail(n, 1 - p, first=above))
    total = Fraction(0)
    for y, weight in binomial(n, p).items():
        distance = n * p - y
        far = ball(abs(distance) if both else distance)
        if surely_less(radius, far):
            total += weight
    return total


def _points(budget: Budget, *, wide: bool) -> list[tuple[int, Fraction, Fraction]]:
    users = (1, 5, 40) if budget.depth == "quick" else (1, 2, 5, 10, 40, 100, 300)
    means = ("1/2", "1/10", "9/10") if not wide else ("1/2", "1/3", "4/5")
    large = (10**7, Fraction(1, 2), FAR) if wide else (10**16, Fraction(1, 10**6), FAR)
    return [*product(users, map(Fraction, means), map(Fraction, ("9/10", "1/10", "1/10000"))), large]


def _bounded(steps: list[bool], points: Iterable[tuple[int, Fraction, Fraction]], radius: Radius, *, both: bool, domain: str) -> Verdict:
    def reached() -> Iterator[tuple[str, Fraction]]:
        for n, p, delta in points:
            length = ((2 if both else 1) / ball(delta)).log()
            value = radius(n, p, length)
            if not value.is_finite():
                continue
            share = _tail(n, p, radius=value, both=both) / delta
            yield f"n = {n}, mean {p}, delta = {decimal_text(delta, digits=3, direction='up')}", share

    slack = "at exact points the probability is at most {} of delta"
    return at_most_claimed(reached(), domain=domain, slack=slack, holds=Status.PROVED, beside=len(steps), given=all(steps))


def _chernoff_steps(factor: Fraction) -> list[bool]:
    """Put d = radius/(mu n), d^2 = factor ln(1/delta)/(mu n): the bound exp(-mu n ((1 - d) ln(1 - d) + d)) is at most delta.

    (1 - d) ln(1 - d) + d >= d^2/factor on [0, 1): equal with its derivative at 0, then by the second one. From d = 1 the event is empty.
    """
    d = sympy.symbols("d", positive=True)
    gap = (1 - d) * sympy.log(1 - d) + d - d**2 / symbolic.rational(factor)
    at_zero = [value.subs(d, 0) == 0 for value in (gap, sympy.diff(gap, d))]
    return [*at_zero, symbolic.is_nonnegative(sympy.diff(gap, d, 2), between={d: (0, 1)})]


@recalled(
    "CSUZZ19.ThmE.1",
    says="for independent X_i in {0, 1} with mean mu: Pr[sum X_i < mu n - sqrt(2 mu n ln(1/delta))] <= delta",
    range="n >= 1, mu in [0, 1], delta in (0, 1)",
    grounds=[SYMPY, BALLS, "BEYOND.Markov"],
    weaker={"factor": "larger"},
    mutants={"sqrt(mu n ln(1/delta)/2)": {"factor": Fraction(1, 2)}},
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


def not_by_hoeffding(factor: Fraction, *, cases: int) -> Verdict:
    """Return what is known of the radius sqrt(factor n ln(2/beta)) where Hoeffding's inequality does not give it: fair bits refute it."""
    n, domain = 10**7, "all n, x, beta"
    far = _tail(n, Fraction(1, 2), radius=(ball(factor * n) * (2 / ball(FAR)).log()).sqrt(), both=True)
    if far > FAR:
        witness = f"x = (1/2, ..., 1/2), n = 10^7, beta = 10^-390: the probability is {float(far / FAR):.3g} beta"
        return Verdict.refuted(witness, domain=domain, cases=cases + 1)
    return Verdict.undecided("not by Hoeffding's inequality", domain=domain, cases=cases)


@recalled(
    "CSUZZ19.ThmE.2",
    says="for independent X_i in [0, 1] with mean mu: Pr[|sum X_i - mu n| > sqrt(n ln(2/delta)/2)] <= delta",
    range="n >= 1, delta in (0, 1)",
    grounds=[SYMPY, BALLS, "BEYOND.Markov"],
    mutants={"2.02 for 2, which n = 10^7 refutes": {"divisor": Fraction(101, 50)}},
)
def hoeffding(budget: Budget, *, divisor: int | Fraction = 2) -> Verdict:
    def radius(n: int, p: Fraction, length: arb) -> arb:
        return (n * length / ball(divisor)).sqrt()

    return _bounded(
        hoeffding_steps(divisor), _points(budget, wide=True), radius, both=True, domain="all n, delta, all distributions on [0, 1]"
    )


def bennett_steps(factor: Fraction, condition: Fraction) -> list[bool]:
    """Check Bennett's inequality: |X - mu| <= 1 and the variance v of the sum give exp(-v h(w)) at t = v w.

    h(w) = (1 + w) ln(1 + w) - w: E e^(sX) <= e^(s'), s' =
    sigma^2 (e^s - 1 - s), at s = ln(1 + w).

    At t^2 = factor v l the exponent v h(w) rises with v, since h - (w/2) h' = (1 + w/2) ln(1 + w) - w vanishes at 0 with its derivative and
    is convex; so v = condition l, the least, decides: condition h(sqrt(factor/condition)) >= 1. Many rare events attain it.
    """
    w = sympy.symbols("w", positive=True)
    log = sympy.log(1 + w)
    h = (1 + w) * log - w
    exponent, rising = -w * log + (w - log), h - w / 2 * sympy.diff(h, w)
    at = (ball(factor) / ball(condition)).sqrt() if condition > 0 else arb(0)
    decided = surely_less(arb(1), ball(condition) * ((1 + at) * (1 + at).log() - at))
    return [
        symbolic.holds(sympy.expand(exponent + h) == 0),
        symbolic.holds(all(value.subs(w, 0) == 0 for value in (rising, sympy.diff(rising, w)))),
        symbolic.is_nonnegative(sympy.diff(rising, w, 2), at_least={w: 0}),
        symbolic.holds(decided),
    ]


@recalled(
    "CSUZZ19.ThmE.3",
    says="for independent X_i with mean mu, variance sigma^2 and |X_i - mu| <= 1, if n sigma^2 >= (4/9) ln(2/delta): "
    "Pr[|sum X_i - mu n| > 2 sqrt(n sigma^2 ln(2/delta))] <= delta",
    range="delta in (0, 1), n sigma^2 >= (4/9) ln(2/delta)",
    grounds=[SYMPY, BALLS, "BEYOND.Markov"],
    weaker={"factor": "larger", "condition": "larger"},
    mutants={"sqrt(n sigma^2 ln(2/delta))": {"factor": Fraction(1)}, "n sigma^2 >= (2/9) ln(2/delta)": {"condition": Fraction(2, 9)}},
)
def bernstein(budget: Budget, *, factor: Fraction = Fraction(4), condition: Fraction = Fraction(4, 9)) -> Verdict:
    def radius(n: int, p: Fraction, length: arb) -> arb:
        v = ball(n * p * (1 - p))
        return (ball(factor) * v * length).sqrt() if surely_less(ball(condition) * length, v) else arb("nan")

    rare = [(10**9, 1 - Fraction(missing, 10**9), FAR) for missing in (200, 400)]
    points = [*_points(budget, wide=False), (20, Fraction(1, 200), Fraction(1, 10**8)), *rare]
    domain = "all n, delta, distributions with |X_i - mu| <= 1 in the range, by Bennett's inequality: 3.45 for 4 does"
    return _bounded(bennett_steps(factor, condition), points, radius, both=True, domain=domain)
