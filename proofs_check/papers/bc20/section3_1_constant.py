"""How much noise Theorem 3.1 needs: a proof with 4.52 for 50 down to p = 1/2, with 3.81 in the theorem's own range, and what fails.

Write g = 1 - p for the probability of an absent message, Y ~ Bin(N, g), N = n + 1, E = e^eps. As C(n, y) (n + 1) = C(n + 1, y) (n + 1 - y):

    b_n(y) - E b_n(y - 1) = b_N(y) ((1 - y/N)/(1 - g) - E (y/N)/g) = b_N(y) k (N s - y),   s = g/(g + E (1 - g)), k = (1/(1 - g) + E/g)/N.

With max(0, x) <= e^(eps x)/(e eps) the divergence is at most (k/(e eps)) Exp[e^(eps (N s - Y))], and since logit s = logit g - eps that
expectation is exactly e^(-N KL(s || g)). Here KL(s || g) = -ln w - eps g e^-eps/w with w = 1 - g (1 - e^-eps), and its derivative in eps
is eps s (1 - s), where s (1 - s) falls in eps for g <= 1/2; so KL is at least eps^2 times its value at eps = 1, and what is left is one
function of g on (0, 1/2].
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import interval, symbolic
from shuffleproof.proofs_check.papers.bc20.printed_noise import Point, private_at, smallest_n
from shuffleproof.spec.bounds.noise import zero_sum as exact

SUFFICIENT = Fraction(452, 100)  # with it in place of 50 the theorem holds whatever n, and n need not be as large as printed
TOO_SMALL = Fraction(44, 10)  # with it the theorem is false at delta = 10^-347
SUFFICIENT_WITHIN = Fraction(381, 100)  # in place of 50, where n is as large as printed
TOO_SMALL_WITHIN = Fraction(37, 10)  # false there, at delta = 10^-347
_TINY = Fraction(1, 10**347)  # the delta of the counterexamples: far below any float64


def identities() -> list[bool]:
    """The symbolic steps of the proof in the module's text; E for e^eps, W = g + E (1 - g)."""
    g, E, y, N, x = sympy.symbols("g E y N x", positive=True)
    W = g + E * (1 - g)
    s = g / W
    k = (1 / (1 - g) + E / g) / N
    integrand = E * (1 - g) / W**2  # s (1 - s)/g
    other = E * (1 - g) / (1 - g + E * g) ** 2  # the same for the other direction, where logit s = logit g + eps
    below_half = {g: (0, Fraction(1, 2))}
    small = all(comb(n, c) * (n + 1) == comb(n + 1, c) * (n + 1 - c) for n in range(12) for c in range(n + 1))
    return [
        small,
        symbolic.are_identical((1 - y / N) / (1 - g) - E * (y / N) / g, k * (N * s - y)),
        symbolic.are_identical(s / (1 - s) * E, g / (1 - g)),
        # Exp[e^(-eps Y)] = (1 - g + g/E)^N and e^-KL = W e^(-eps (1 - s)): they agree up to e^(eps s)
        symbolic.are_identical((1 - g + g / E) * E, W),
        symbolic.are_identical(s * (1 - s) / g, integrand),
        # E d/dE of ln(integrand) is (g - E (1 - g))/W, not positive for g <= 1/2 and E >= 1
        symbolic.are_identical(E * sympy.diff(sympy.log(E / W**2), E), (g - E * (1 - g)) / W),
        symbolic.is_nonnegative(sympy.expand(E * (1 - g) - g), at_least={E: 1}, between=below_half),
        symbolic.is_nonnegative(sympy.expand(W - (1 - g + E * g)), at_least={E: 1}, between=below_half),
        symbolic.is_zero(sympy.simplify(other * (1 - g + E * g) ** 2 - integrand * W**2)),
        # k <= (1 + E)/(N g), and the other direction's factor (1/g + E/(1 - g))/N is at most k
        *(
            symbolic.is_nonnegative(sympy.cancel(difference * g * (1 - g)), at_least={E: 1}, between=below_half)
            for difference in ((1 + E) / g - k * N, k * N - (1 / g + E / (1 - g)))
        ),
        # x <= e^(x - 1): tangent at 1, by convexity
        sympy.diff(sympy.exp(x - 1) - x, x).subs(x, 1) == 0,
    ]


def _rate(g: arb) -> arb:
    """KL(s || g)/g at eps = 1 over a ball of g, which may reach down to 0: -ln(1 - g x)/g - e^-1/(1 - g x), x = 1 - e^-1."""
    e_inverse = (-arb(1)).exp()
    x = 1 - e_inverse
    w = 1 - g * x
    if g > 0:
        return -(w.log()) / g - e_inverse / w
    upper = g.upper()
    # -ln(1 - z)/z lies between 1 and its value at the right end
    return x * arb(1).union(-(1 - upper * x).log() / (upper * x)) - e_inverse / w


def _sufficient(constant: Fraction, *, at: Sequence[Point]) -> Verdict:
    """Every step for this constant, and exact points at the edge of its hypothesis."""
    domain = f"eps, delta in (0, 1], 1/2 <= p <= 1 - {float(constant):g} ln(2/delta)/(eps^2 n)"
    steps = identities()
    rate = interval.prove_on_box(lambda g: _rate(g) - 1 / ball(constant), box=[(0, Fraction(1, 2))])
    checked = private_at(at, constant=constant)
    if not checked.holds:
        return checked
    prefactor = _prefactor_below_1(constant)
    if not (all(steps) and rate.holds and prefactor):
        note = f"steps {steps}, rate {rate.outcome} at {rate.point}, prefactor {prefactor}"
        return Verdict.undecided(note, domain=domain, cases=len(steps))
    return Verdict.proved(
        domain=domain,
        cases=len(steps) + rate.boxes + checked.cases,
        slack=f"KL/g - 1/{float(constant):g} >= {rate.slack} on (0, 1/2] at eps = 1; {checked.slack}",
        note="so n >= (9.04/eps^2) ln(2/delta) users are enough for p = 1/2: the broader regime that section 3.1 speaks of",
    )


def _prefactor_below_1(constant: Fraction) -> bool:
    """(1 + e) eps/(e constant ln(2/delta)) is largest at eps = delta = 1."""
    factor = (1 + arb(1).exp()) / (arb(1).exp() * ball(constant) * ball(2).log())
    return surely_less(factor, arb(1))


def _edge(constant: Fraction, deltas: Sequence[Fraction], epsilons: Sequence[Fraction]) -> list[Point]:
    return [Point(smallest_n(epsilon=e, delta=d, constant=constant), e, d) for e, d in product(epsilons, deltas)]


@derived(
    "BC20.Thm3.1-constant",
    says="P^zsum with 1/2 <= p <= 1 - 4.52 ln(2/delta)/(eps^2 n) is (eps, delta)-DP: the paper's 50 is eleven times too much",
    range="eps, delta in (0, 1], n >= (9.04/eps^2) ln(2/delta)",
    governs=["spec.bounds.noise.zero_sum", "impl.ball.bounds.noise.zero_sum"],
    grounds=["BEYOND.Markov", SYMPY, BALLS, "BC20.Sec3.1.remark-view"],
    weaker={"multiple": "larger"},
    mutants={"4.4 is enough": {"multiple": TOO_SMALL, "powers": (347,)}},
)
def constant(budget: Budget, *, multiple: Fraction = SUFFICIENT, powers: tuple[int, ...] = (0, 1, 6, 30, 1200)) -> Verdict:
    epsilons = (Fraction(1), Fraction(1, 2)) if budget.depth == "quick" else (Fraction(1), Fraction(3, 5), Fraction(1, 10))
    deltas = [Fraction(1, 10**power) for power in powers]
    return _sufficient(multiple, at=_edge(multiple, deltas, epsilons))


@derived(
    "BC20.Thm3.1-limit",
    where="Section 3.1: a broader parameter regime",
    says="down to p = 1/2, beyond Theorem 3.1's own range, P^zsum with p = 1 - 4.4 ln(2/delta)/(eps^2 n) is not always (eps, delta)-DP: "
    "4.4 cannot replace 4.52 for all p >= 1/2",
    range="eps, delta in (0, 1], n >= (8.8/eps^2) ln(2/delta)",
    grounds=[BALLS, "BC20.Sec3.1.remark-view"],
    mutants={"5 cannot replace 4.52": {"too_small": Fraction(5)}},
)
def limit(budget: Budget, *, too_small: Fraction = TOO_SMALL) -> Verdict:
    found = private_at(_edge(too_small, [_TINY], [Fraction(1)]), constant=too_small)
    domain = f"c = {float(too_small):g}, eps = 1, delta = 1e-347, p just above 1/2"
    if found.status is not Status.REFUTED:
        return Verdict.refuted(f"with c = {float(too_small):g} the divergence is at most delta there", domain=domain, cases=1)
    note = f"{found.witness}; in the limit delta -> 0 at eps = 1, p = 1/2 the least c is 1/(2 (ln 2 - ln(1 + e^-1) - 1/(1 + e))) = 4.509"
    return Verdict.certified(domain=domain, cases=1, note=note)


@derived(
    "BC20.Thm3.1-constant-within",
    says="within Theorem 3.1's range 3.81 is enough: P^zsum with 1 - 0.0381 <= p <= 1 - 3.81 ln(2/delta)/(eps^2 n) is (eps, delta)-DP",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta)",
    grounds=["BC20.Thm3.1-constant", BALLS],
    weaker={"sufficient": "larger"},
    mutants={"3.7 is enough": {"sufficient": TOO_SMALL_WITHIN}},
)
def constant_within(budget: Budget, *, sufficient: Fraction = SUFFICIENT_WITHIN) -> Verdict:
    """The proof of BC20.Thm3.1-constant with its last function of g = 1 - p on (0, sufficient/100] only, and exact points at the edge."""
    most = sufficient / 100
    rate = interval.prove_on_box(lambda g: _rate(g) - 1 / ball(sufficient), box=[(0, most)])
    points = private_at(_edge(Fraction(50), [Fraction(1), Fraction(1, 10**1500)], [Fraction(1)]), constant=sufficient)
    if not points.holds:
        return points
    return Verdict.proved(
        domain="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta), 1 - p from "
        f"{float(sufficient):g} ln(2/delta)/(eps^2 n) to {float(most):g}",
        cases=1 + rate.boxes + points.cases,
        slack=f"KL/g - 1/{float(sufficient):g} >= {rate.slack} on (0, {float(most):g}] at eps = 1; {points.slack}",
        given=rate.holds and _prefactor_below_1(sufficient),
    )


@derived(
    "BC20.Thm3.1-limit-within",
    says="within Theorem 3.1's range P^zsum with p = 1 - 3.7 ln(2/delta)/(eps^2 n) is not always (eps, delta)-DP: 3.7 cannot replace 50",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta)",
    grounds=[BALLS, "BC20.Sec3.1.remark-view"],
    mutants={"3.81 cannot replace 50": {"too_small": SUFFICIENT_WITHIN}},
)
def limit_within(budget: Budget, *, too_small: Fraction = TOO_SMALL_WITHIN) -> Verdict:
    """The least n of the theorem, where 1 - p is too_small/100, its largest value in the range."""
    found = private_at(_edge(Fraction(50), [_TINY], [Fraction(1)]), constant=too_small)
    domain = f"c = {float(too_small):g}, eps = 1, delta = 1e-347, the least n of Theorem 3.1"
    if found.status is not Status.REFUTED:
        return Verdict.refuted(f"with c = {float(too_small):g} the divergence is at most delta there", domain=domain, cases=1)
    return Verdict.certified(domain=domain, cases=1, note=found.witness)


@derived(
    "BC20.Thm3.1-not-monotone",
    says="delta is not monotone in the noise, not even up to p = 1/2: for some n, eps and 1/2 <= p' < p <= 1 it is larger at p'; a p that "
    "meets a target says nothing about the p nearer to 1/2",
    range="n >= 1, 1/2 <= p <= 1",
    governs=["spec.bounds.noise.zero_sum", "impl.ball.bounds.noise.zero_sum"],
    mutants={"expected noise 0.3 gives less delta than 1.2": {"less": Fraction("0.3"), "more": Fraction("1.2")}},
)
def not_monotone(budget: Budget, *, less: Fraction = Fraction("1.185"), more: Fraction = Fraction("1.5")) -> Verdict:
    """Expected noise 3 (1 - p) at n = 3, e^eps = 2, all below n/2: whether more of it gives less delta."""
    deltas = [exact.delta(n=3, p=1 - m / 3, epsilon="ln 2").lower for m in (less, more)]
    domain = f"n = 3, e^eps = 2, expected noise {less} and {more}"
    if deltas[0] >= deltas[1]:
        return Verdict.refuted(f"delta = {deltas[0]} and {deltas[1]}: more noise is better there", domain=domain, cases=2)
    return Verdict.certified(domain=domain, cases=2, note=f"delta = {deltas[0]} and {deltas[1]}")
