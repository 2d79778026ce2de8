"""How the profile of the zero sum depends on its noise: pieces, peaks, an envelope of the peaks, and the least noise for a target.

Write A(g) = D(Bin(N, g) || 1 + Bin(N, g)) at E = e^eps, b for the PMF, F for the CDF: A(g) = max over t of A_t(g), A_t = F(t) - E F(t - 1).

The envelope. At its peak, g/(1 - g) = E a/b with a = t, b = N - t, the value M(a, b) has the derivative -F(a - 1) in E (the derivative in
g vanishes there), and F(a - 1) = Pr(Beta(a, b + 1) > g) = Pr(G_a/G_(b+1) > E a/b), G_k a sum of k independent exponential variables, the
two sums independent. As M vanishes for large E, M(a, b) = Exp[max(0, Z - E)] with Z = (G_a/a) (b/G_(b+1)).
G_a = G_(a+1) Beta(a, 1) makes G_(a+1)/(a + 1) the conditional mean of G_a/a given G_(a+1), and G_(b+1) = G_(b+2) Beta(b + 1, 1) makes
(b + 1)/G_(b+2) the conditional mean of b/G_(b+1) given G_(b+2). By Jensen's inequality M falls with a, and with b.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb

import sympy

from shuffleproof.impl.ball.bounds.noise import zero_sum as certified
from shuffleproof.impl.ball.calibration.zero_sum import calibrate
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.bounds.noise import zero_sum as exact
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.calibration import Calibration
from shuffleproof.spec.vocabulary.numerals import decimal_text

_ORDERS = tuple(map(Fraction, ("1", "21/20", "3/2", "2", "7", "60")))
Odds = Callable[[int, int, Fraction], Fraction]


def tail_difference(n: int, t: int, odds: Fraction, order: Fraction) -> Fraction:
    """A_t at g/(1 - g) = odds: F(t) - E F(t - 1)."""
    weights = [comb(n, c) * odds**c for c in range(t + 1)]
    return (sum(weights) - order * sum(weights[:-1])) / (1 + odds) ** n


def slopes() -> list[bool]:
    """d b(c)/dg = N (b'(c - 1) - b'(c)), b' the PMF of Bin(N - 1, g), so d A_t/dg = N (E b'(t - 1) - b'(t)); and its sign."""
    N, c, g, E, t = sympy.symbols("N c g E t", positive=True)
    before, here = c / (N * g), (N - c) / (N * (1 - g))  # b'(c - 1)/b(c) and b'(c)/b(c)
    ratio = (N - t) * g / (t * (1 - g))  # b'(t)/b'(t - 1)
    h = E * t / (N - t + E * t)
    return [
        symbolic.are_identical(N * (before - here), c / g - (N - c) / (1 - g)),
        symbolic.are_identical(here.subs(c, t) / before.subs(c, t), ratio),
        symbolic.are_identical(ratio.subs(g, h), E),
        symbolic.are_identical(sympy.diff(ratio, g), (N - t) / (t * (1 - g) ** 2)),
        # t attains the maximum where b(t) > E b(t - 1) and b(t + 1) <= E b(t): between g_t and g_(t+1)
        symbolic.are_identical(((N + 1 - t) * g / (t * (1 - g))).subs(g, E * t / (N + 1 - t + E * t)), E),
    ]


@derived(
    "BC20.Thm3.1-pieces",
    says="D(Bin(N, g) || 1 + Bin(N, g)) = max over t of A_t(g) = F(t) - E F(t - 1); A_t rises up to the odds E t/(N - t) and falls from "
    "there on: on an interval of g nothing exceeds the two ends and the peaks between them",
    range="N >= 1, 0 <= t <= N, g in (0, 1), E >= 1",
    governs=["impl.ball.calibration.zero_sum_peaks", "impl.ball.calibration.zero_sum"],
    grounds=[SYMPY, EXACT, "histograms#pieces-of-the-profile"],
    mutants={
        "the peaks are at the odds E t/(N + 1 - t), where the threshold changes": {"peaks": lambda n, t, order: order * t / (n + 1 - t)}
    },
    missing="N beyond the enumerated ones",
)
def pieces(budget: Budget, *, peaks: Odds = lambda n, t, order: order * t / (n - t)) -> Verdict:
    """Nothing on [g, g'] exceeds the larger of both ends and of A at the peaks between them; grids of exact values."""
    most = budget.pick(quick=7, full=14)
    grid = [Fraction(i, 24) for i in range(1, 24)]

    def divergence(n: int, g: Fraction, order: Fraction) -> Fraction:
        return hockey_stick(*exact.pair(n=n, p=g), exp_epsilon=order)

    def cases() -> Iterator[tuple[int, Fraction, Fraction, Fraction, Fraction]]:
        for n, order in product(range(1, most + 1), _ORDERS):
            values = {g: divergence(n, g, order) for g in grid}
            tops = [(odds / (1 + odds), odds, t) for t in range(1, n) for odds in (peaks(n, t, order),)]
            heights = [(g, tail_difference(n, t, odds, order)) for g, odds, t in tops]
            for left, right in ((0, 22), (0, 11), (5, 16), (11, 22)):
                inside = [height for g, height in heights if grid[left] <= g <= grid[right]]
                bound = max(values[grid[left]], values[grid[right]], *inside, Fraction(0))
                highest = max(grid[left : right + 1], key=lambda g: values[g])
                yield n, order, highest, values[highest], bound

    found = exhaustive.for_all(cases(), holds=lambda case: case[3] <= case[4])
    steps = slopes()
    return found.verdict(
        domain=f"all N, t, g in (0, 1), E >= 1 (five identities); exact divergences at N <= {most}, 23 g, six orders",
        witness=lambda c: f"N = {c[0]}, E = {c[1]}, g = {c[2]}: A(g) = {float(c[3]):.6g}, above {float(c[4]):.6g}",
        given=all(steps),
    )


def conditional_means() -> list[bool]:
    """The steps of the envelope: the two means, the two representations, at symbols or at small whole numbers as polynomials in E."""
    x, k, E = sympy.symbols("x k E", positive=True)
    steps = [
        # Beta(k, 1) has the density k x^(k-1): Exp[Beta(k, 1)] = k/(k + 1) and Exp[1/Beta(k + 1, 1)] = (k + 1)/k, antiderivatives at 1
        sympy.simplify(sympy.diff(k * x ** (k + 1) / (k + 1), x) - x * k * x ** (k - 1)) == 0,
        sympy.simplify(sympy.diff((k + 1) * x**k / k, x) - (k + 1) * x**k / x) == 0,
    ]
    for a, b in product(range(1, 5), range(1, 5)):
        odds, n = E * a / b, a + b
        tails = [sum(comb(n, c) * odds**c for c in range(top)) / (1 + odds) ** n for top in (a, a + 1)]
        steps.append(symbolic.is_zero(sympy.diff(tails[1] - E * tails[0], E) + tails[0]))  # M' = -F(a - 1)
        # Pr(G_a/G_(b+1) > v) has the density of Beta prime(a, b + 1): v^(a-1) (1 + v)^-(n+1) / B(a, b + 1)
        beta = sympy.Rational(1, a * comb(n, a))
        steps.append(symbolic.is_zero(sympy.diff(tails[0], E) * b / a + odds ** (a - 1) / ((1 + odds) ** (n + 1) * beta)))
    return steps


@derived(
    "BC20.Thm3.1-envelope",
    says="the peak M(a, b) = max over g of A_a(g), N = a + b, falls with a at fixed b and with b at fixed a: so the peaks t = a, ..., a' "
    "of N are all at most M(a, N - a'), one evaluation for all of them",
    range="a, b >= 1, E >= 1",
    governs=["impl.ball.calibration.zero_sum_peaks"],
    grounds=[Cited("Jensen's inequality", "known-facts#convex-functions"), Cited("binomial tails as beta integrals"), SYMPY, EXACT],
    mutants={"it falls with a at fixed a + b": {"moves": ((1, -1),)}, "it rises with b": {"moves": ((0, -1),)}},
)
def envelope(budget: Budget, *, moves: tuple[tuple[int, int], ...] = ((1, 0), (0, 1))) -> Verdict:
    """moves: what to add to (a, b); M may not rise."""
    most = budget.pick(quick=14, full=40)

    def height(a: int, b: int, order: Fraction) -> Fraction:
        return tail_difference(a + b, a, order * a / b, order)

    def slack(case: tuple[int, int, Fraction, tuple[int, int]]) -> Fraction:
        a, b, order, (more_a, more_b) = case
        return height(a, b, order) - height(a + more_a, b + more_b, order)

    cases = (case for case in product(range(1, most + 1), range(1, most + 1), _ORDERS, moves) if case[1] + case[3][1])
    found = exhaustive.least_slack(cases, slack=slack)
    steps = conditional_means() if found.holds else []
    return found.verdict(
        domain=f"all a, b >= 1, E >= 1, by the proof in the module's text ({len(steps)} steps by machine); exact values at a, b <= {most}",
        witness=lambda c: f"a = {c[0]}, b = {c[1]}, E = {c[2]}: M rises by {c[3]}",
        given=all(steps),
    )


@derived(
    "BC20.Thm3.1-calibrated",
    says="at n = 10^5, eps = 1, delta = 1e-6 every expected noise n(1 - p) from 34.06797168273 to n/2 meets the target, and 34.06797168272 "
    "does not; the paper's is more than 21 times as much",
    governs=["impl.ball.calibration.zero_sum", "impl.ball.bounds.noise.zero_sum"],
    grounds=[BALLS, "BC20.Thm3.1-pieces", "BC20.Thm3.1-envelope"],
    mutants={
        "34.06797168272 meets it": {"value": Fraction("34.06797168272"), "fails_at": Fraction("34")},
        "34.06797168273 does not meet it": {"value": Fraction("34.07"), "fails_at": Fraction("34.06797168273")},
        "the paper's is more than 22 times as much": {"times": Fraction(22)},
    },
)
def calibrated(
    budget: Budget,
    *,
    value: Fraction = Fraction("34.06797168273"),
    fails_at: Fraction = Fraction("34.06797168272"),
    times: Fraction = Fraction(21),
) -> Verdict:
    """n = 10^5, eps = 1, delta = 1e-6: the two noises by the calibration and by the profile's own engine, and the paper's."""
    found = calibrate(n=10**5, epsilon=1, delta=Fraction(1, 10**6))
    assert found.paper.delta is not None
    note = f"with delta(1) below {decimal_text(found.paper.delta[1], digits=2, direction='up')}"
    return between_noises(found, certified.delta, value=value, fails_at=fails_at, times=times, note=note)


def between_noises(
    found: Calibration, profile: Callable[..., Bound], *, value: Fraction, fails_at: Fraction, times: Fraction, note: str
) -> Verdict:
    """Decide at n = 10^5, eps = 1, delta = 1e-6 that `value` meets the target, `fails_at` does not, and the paper's is `times` as much."""
    n, delta, domain = 10**5, Fraction(1, 10**6), "n = 10^5, eps = 1, delta = 1e-6; every noise from the value to n/2"
    good, bad = (profile(n=n, p=1 - m / n, epsilon=1, digits=15) for m in (value, fails_at))
    assert found.value is not None
    assert found.fails_at is not None
    assert found.paper.lower is not None
    assert found.paper.upper is not None
    for m, wrong in ((value, good.lower > delta or value <= found.fails_at), (fails_at, bad.upper <= delta or fails_at >= found.value)):
        if wrong:
            witness = f"m = {float(m):.14g} is on the other side: the crossing lies between {found.fails_at} and {found.value}"
            return Verdict.refuted(witness, domain=domain, cases=2)
    ratio = found.paper.lower / found.value
    printed = decimal_text(found.paper.upper, digits=9, direction="up")
    return Verdict.certified(
        domain=domain,
        cases=2,
        slack=f"relative distance {float((value - fails_at) / value):.1e}",
        note=f"the paper's noise is {printed}, {float(ratio):.3g} times as much, {note}",
        given=value >= found.value and good.upper <= delta and bad.lower > delta,
        against=f"the paper's noise is {float(ratio):.4g} times as much" if ratio < times else None,
    )
