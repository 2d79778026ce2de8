"""FMT21, section 6.1, first half: Renyi divergence, and that of the clones pair in one variable.

T = e^eps0, q = T/(T + 1), beta = (T - 1)/(T + 1); N = C + 1 counts messages, a the first count, x = (2a - N)/N.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.composition import by_likelihood_ratio
from shuffleproof.spec.distribution import Distribution, binomial, renyi_moment
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr as two_rr
from shuffleproof.spec.randomizers.k_rr import k_rr

_LOCAL = tuple(map(Fraction, ("3/2", "2", "5", "12")))
_ORDERS = (2, 3, 5)  # integers, so that divergences are rational


@statement(
    "FMT21.Def6.1",
    says="D^alpha(P || Q) = ln Exp_Q[(P/Q)^alpha]/(alpha - 1): the specified moment is that expectation, and at least 1",
    range="alpha > 1; integer alpha in exact arithmetic",
    governs=["spec.distribution"],
    mutants={"the expectation is under P": {"under": 0}},
)
def definition(budget: Budget, *, under: int = 1) -> Verdict:
    """under: 1 for the expectation of (P/Q)^alpha under Q, 0 for that under P."""
    laws = [Distribution({0: Fraction(i, 6), 1: Fraction(j, 6), 2: Fraction(6 - i - j, 6)}) for i in range(1, 5) for j in range(1, 6 - i)]

    def holds(p: Distribution[int], q: Distribution[int], order: int) -> bool:
        ratios = by_likelihood_ratio(p, q)[under]
        expected = sum(((ratio or Fraction(0)) ** order * mass for ratio, mass in ratios.items()), Fraction(0))
        return renyi_moment(p, q, order=order) == expected >= 1

    return exhaustive.for_all(product(laws, laws, _ORDERS), holds=holds).verdict(
        domain="all pairs of distributions on three outcomes with positive multiples of 1/6, orders 2, 3, 5",
        note="(alpha - 1) times the divergence is the logarithm of the moment; an outcome that Q cannot have makes it infinite",
    )


def _moment(P: Distribution[tuple[int, int]], Q: Distribution[tuple[int, int]], order: int) -> Fraction:
    moment = renyi_moment(P, Q, order=order)
    assert moment is not None
    return moment


@statement(
    "FMT21.Def6.2",
    where="Definition 6.2 and the sentence after it",
    says="A_s is (eps(alpha), alpha)-RDP, for neighbouring datasets both ways round, eps(alpha) the Renyi divergence of the clones pair",
    range="alpha > 1",
    governs=["spec.bounds.clones.clones", "impl.ball.bounds.clones.clones", "impl.fast.bounds.clones.clones"],
    grounds=[
        EXACT,
        "FMT21.Thm3.2",
        Cited(
            "Renyi divergence does not grow under post-processing (van Erven and Harremoes 2014, Theorem 9)",
            "known-facts#dominating-pairs-and-their-products",
        ),
    ],
    missing="the inequality for convex functions beyond the enumerated ones; the pair itself is Coq's",
    mutants={"the pair of four more users": {"more": 4}},
)
def suffices(budget: Budget, *, more: int = 0) -> Verdict:
    """more: the pair is taken for n + more users."""

    def cases() -> Iterator[tuple[int, int, Fraction, int]]:
        yield from ((k, n, T, order) for k, n, T, order in product((2, 3), (1, 2, 3), _LOCAL, _ORDERS))

    def slack(k: int, n: int, T: Fraction, order: int) -> Fraction:
        randomizer = two_rr(exp_epsilon0=T) if k == 2 else k_rr(k=k, exp_epsilon0=T)
        bound = _moment(*dominating_pair(n=n + more, exp_epsilon0=T), order)
        worst = Fraction(0)
        for rest in product(range(k), repeat=n - 1):
            laws = [shuffled_distribution(randomizer, (x, *rest)) for x in range(k)]
            for p, q in product(laws, laws):
                worst = max(worst, renyi_moment(p, q, order=order) or Fraction(0))
        return bound - worst

    return exhaustive.least_slack(cases(), slack=slack).verdict(
        domain="all neighbouring datasets of n <= 3 users with binary and ternary randomized response, e^eps0 3/2 to 12, orders 2, 3, 5"
    )


@derived(
    "FMT21.Sec6.1.one-variable",
    where="Section 6.1, for the numerical evaluation",
    range="n >= 1, eps0 >= 0, every order above 1",
    says="given N = C + 1, P = g(a)(1 + beta x) and Q = g(a)(1 - beta x), g the mass of Bin(N, 1/2), so that the moment of order alpha is "
    "Exp[(1 + beta x)^alpha (1 - beta x)^(1 - alpha)]",
    governs=["impl.ball.bounds.clones.clones", "impl.fast.bounds.clones.clones"],
    grounds=[SYMPY, EXACT],
    mutants={"x = (2a - N)/(N + 1)": {"shift": 1}},
)
def one_variable(budget: Budget, *, shift: int = 0) -> Verdict:
    """shift: x = (2a - N)/(N + shift)."""
    T, a, N = sympy.symbols("T a N", positive=True)
    q, beta, x = T / (T + 1), (T - 1) / (T + 1), (2 * a - N) / (N + shift)
    # over the mass of Bin(N, 1/2) at a: f(a - 1) = 2a/N, f(a) = 2(N - a)/N
    first, second = 2 * (q * a + (1 - q) * (N - a)) / N, 2 * ((1 - q) * a + q * (N - a)) / N
    general = symbolic.are_identical(first, 1 + beta * x) and symbolic.are_identical(second, 1 - beta * x)

    def holds(n: int, local: Fraction, order: int) -> bool:
        b, total = (local - 1) / (local + 1), Fraction(0)
        for c, mass in binomial(n - 1, 1 / local).items():
            for heads, inner in binomial(c + 1, Fraction(1, 2)).items():
                y = Fraction(2 * heads - c - 1, c + 1 + shift)
                total += mass * inner * (1 + b * y) ** order / (1 - b * y) ** (order - 1)
        return total == _moment(*dominating_pair(n=n, exp_epsilon0=local), order)

    found = exhaustive.for_all(product(range(1, 8), _LOCAL, _ORDERS), holds=holds)
    domain = "the distributions given N, for all a, N, T; the moments for n <= 7, e^eps0 = 3/2, 2, 5, 12, orders 2, 3, 5"
    return Verdict.proved(domain=domain, cases=found.cases + 2, against=found.described, given=general)


@derived(
    "FMT21.Sec6.1.powers",
    where="Section 6.1, for the numerical evaluation",
    range="N >= 1, j >= 1",
    says="Exp[x^2j] <= (2j - 1)!! N^-j for the mean x of N random signs, falling with N and with j",
    governs=["impl.ball.bounds.clones.clones", "impl.fast.bounds.clones.clones"],
    mutants={"with 9/10 of the right side": {"factor": Fraction(9, 10)}},
)
def powers(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """factor: claimed bound Exp[x^2j] <= factor (2j - 1)!! N^-j."""
    moments = {
        (N, j): sum((mass * Fraction(2 * a - N, N) ** (2 * j) for a, mass in binomial(N, Fraction(1, 2)).items()), Fraction(0))
        for N in range(1, 26)
        for j in range(1, 13)
    }

    def holds(case: tuple[int, int]) -> bool:
        N, j = case
        normal = factor * math.prod(range(1, 2 * j, 2)) / N**j
        return (
            moments[case] <= normal
            and moments.get((N + 1, j), Fraction(0)) <= moments[case]
            and (j == 1 or moments[case] <= moments[N, j - 1])
        )

    return exhaustive.for_all(moments, holds=holds).verdict(
        domain="N <= 25, j <= 12",
        witness=lambda case: f"N, j = {case[0]}, {case[1]}",
        note="for all: monomials with an odd power vanish, the others have mean 1 against at least 1 for normal variables; the mean of "
        "N + 1 signs is the conditional mean of the mean of N of them (Jensen)",
    )


@statement(
    "FMT21.Sec6.1.remark-large-orders",
    where="Section 6.1, on Figure 3(a)",
    says="there is amplification for small and moderate orders, but eps(alpha) approaches eps0 as alpha increases",
    range="Figure 3(a): eps0 = 5, alpha from 3 to 1e4",
    governs=["impl.ball.bounds.clones.clones"],
    grounds=[BALLS, Cited("Renyi divergences grow with the order up to the largest likelihood ratio, here e^eps0")],
    mutants={"already at alpha = 50": {"order": 50}},
)
def large_orders(budget: Budget, *, share: Fraction = Fraction(99, 100), order: int = 10_000) -> Verdict:
    ends = {(n, a): clones.renyi(n=n, epsilon0=5, order=a, digits=6) for n in (10_000, 20_000) for a in (10, order)}
    wrong = [
        n
        for n in (10_000, 20_000)
        if not (ends[n, order].lower > 5 * share and ends[n, 10].upper < Fraction(5, 2) and ends[n, order].upper <= 5)
    ]
    domain = f"eps0 = 5, n = 10000, 20000: at alpha = {order} above {share} eps0, at alpha = 10 below eps0/2"
    cases = len(ends)
    if wrong:
        n = wrong[0]
        witness = f"n = {n}: eps({order}) <= {float(ends[n, order].upper):.4f}, eps(10) <= {float(ends[n, 10].upper):.4f}"
        return Verdict.refuted(witness, domain=domain, cases=cases)
    lower = binary_rr.renyi(n=10_000, epsilon0=5, order=order, digits=6).lower
    return Verdict.certified(
        domain=domain,
        cases=cases,
        slack=f"eps({order}) >= {float(min(ends[n, order].lower for n in (10_000, 20_000))):.4f}",
        note=f"so does 2RR's own pair: at least {float(lower):.4f} at n = 10000. The outcome a = N = 1 alone gives eps(alpha) >= eps0 - "
        "O(n/alpha), so the limit is eps0 for every n",
    )
