"""The distribution Lambda_beta of the proof: four atoms, as formulas that serve symbols and rationals alike; infinite p is x = 0.

Lemmas L2, L3 and L3': each step's summand is below the distribution Lambda_beta in convex order, and that distribution grows with beta.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy

from shuffleproof.proofs_check.ledger import SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.ledger.points import ONE
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case, general_cases, listed_parameters
from shuffleproof.proofs_check.papers.beyond.variation_ratio.one_sum import PROOF
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import Distribution, total_variation
from shuffleproof.spec.model import LocalRandomizer

CornerDistribution = Distribution[Fraction]


@dataclass(frozen=True)
class Corners:
    """Values and masses of Lambda_beta at x = 1/p, beta, q and the order E.

    a = (q/p)(p - E), b = (q/p)(1 - E p), d = q (1 - E), none = 0, with masses r, r, rho/q and the rest;
    r = alpha p/q = beta/((1 - x) q), rho = 1 - alpha (p + 1) = 1 - beta (1 + x)/(1 - x).
    """

    x: Any
    beta: Any
    q: Any
    E: Any

    @property
    def values(self) -> tuple[Any, Any, Any, Any]:
        """u - E v at (u, v) = (q, q/p), (q/p, q), (q, q), and 0."""
        return self.q * (1 - self.E * self.x), self.q * (self.x - self.E), self.q * (1 - self.E), 0 * self.q

    @property
    def masses(self) -> tuple[Any, Any, Any, Any]:
        """r, r, rho/q, the rest."""
        r, d = self.beta / ((1 - self.x) * self.q), (1 - self.beta * (1 + self.x) / (1 - self.x)) / self.q
        return r, r, d, 1 - 2 * r - d

    def distribution(self) -> CornerDistribution:
        """Return it as a distribution, for rational parameters."""
        return distribution_of(zip(self.values, self.masses, strict=True))


def corners(parameters: Parameters, E: Fraction, *, beta: Fraction | None = None) -> Corners:
    """Lambda at rational parameters; beta: another total variation, at most the clipped one. At p = 1 it is 0, and all mass is at d."""
    x = Fraction(0) if parameters.p in (None, 1) else 1 / parameters.p
    return Corners(x, parameters.clipped_beta() if beta is None else beta, parameters.q, E)


def distribution_of(atoms: Any) -> CornerDistribution:
    """The distribution of listed (value, mass) pairs; equal values are put together."""
    return Distribution(merged(atoms))


def stop_loss(law: CornerDistribution, s: Fraction) -> Fraction:
    """E (X - s)_+."""
    return sum((mass * (value - s) for value, mass in law.items() if value > s), Fraction(0))


def convex_order_margin(small: CornerDistribution, large: CornerDistribution) -> Fraction:
    """Least E (Y - s)_+ - E (X - s)_+ over all s: not negative, with equal means, iff X is below Y in convex order.

    Both sides are piecewise linear in s with corners at the atoms, equal above all of them, and differ by the means below.
    """
    points: Sequence[Fraction] = [*small.support, *large.support]
    return min(stop_loss(large, s) - stop_loss(small, s) for s in points)


def mean(law: CornerDistribution) -> Fraction:
    """E X."""
    return sum((value * mass for value, mass in law.items()), Fraction(0))


def step_distribution(randomizer: LocalRandomizer[int, int], parameters: Parameters, E: Fraction) -> CornerDistribution:
    """The distribution of L = u - E v on the blanket m = max(R_0, R_1)/q, 0 off it."""
    R_0, R_1, q = randomizer.distribution(0), randomizer.distribution(1), parameters.q
    atoms = [((R_0[y] - E * R_1[y]) / m, m) for y in randomizer.messages if (m := max(R_0[y], R_1[y]) / q)]
    return distribution_of([*atoms, (Fraction(0), 1 - sum(m for _, m in atoms))])


def orders_up_to(p: Fraction | None) -> list[Fraction]:
    """Orders E in [1, p], both ends among them."""
    top = Fraction(12) if p is None else p
    return [ONE + (top - 1) * share for share in (Fraction(0), Fraction(1, 5), Fraction(2, 3), ONE)]


def _below_the_corner_distribution(case: Case) -> Fraction:
    """Least margin of convex order over the steps and some orders; negative also where the means differ."""
    margins = []
    for randomizer, E in product(case.steps.pool, orders_up_to(case.parameters.p)):
        distance = total_variation(randomizer.distribution(0), randomizer.distribution(1))
        corner = corners(case.parameters, E, beta=distance).distribution()
        step = step_distribution(randomizer, case.parameters, E)
        margins.append(convex_order_margin(step, corner) if mean(step) == mean(corner) == 1 - E else Fraction(-1))
    return min(margins)


@derived(
    "BEYOND.LemL2",
    where=f"{PROOF}, corner distribution",
    says="with m = max(R_0, R_1)/q, max(u, v) = q, and moving (u, v) along its edge to (q, q/p), (q/p, q), (q, q) gives the convex-larger "
    "distribution Lambda_t, t = TV(R_0, R_1): (q/p)(p-E), (q/p)(1-Ep), q(1-E), 0 with masses r_t, r_t, rho_t/q and the rest; its mean is "
    "1 - E",
    range="p in (1, oo], q >= 1 + t, E >= 0",
    governs=["spec.bounds.variation_ratio.optimal_pair"],
    grounds=[SYMPY, "FMT21.Sec2.subadditivity"],
    mutants={"r_t times 1.01": {"r_factor": Fraction(101, 100)}, "rho_t/q times 1.01": {"d_factor": Fraction(101, 100)}},
    not_falsified="the random mechanisms accompany the proof, which is the identities and the inequality that is cited",
)
def lemma_2(budget: Budget, *, r_factor: Fraction = ONE, d_factor: Fraction = ONE) -> Verdict:
    x, t, q, E = sympy.symbols("x t q E", positive=True)  # x = 1/p
    law = Corners(x, t, q, E)
    r, _, d, rest = law.masses
    r, d = r * sympy.Rational(str(r_factor)), d * sympy.Rational(str(d_factor))
    points = {"a": (q, q * x), "b": (q * x, q), "d": (q, q)}
    identities = {
        "mean of u is 1": r * points["a"][0] + r * points["b"][0] + d * points["d"][0] - 1,
        "mean of v is 1": r * points["a"][1] + r * points["b"][1] + d * points["d"][1] - 1,
        "mass is (1 + t)/q": 2 * r + d - (1 + t) / q,
        "mean of L is 1 - E": sum(v * w for v, w in zip(law.values, (r, r, d, rest), strict=True)) - (1 - E),
        **{f"value at {name}": u - E * v - law.values["abd".index(name)] for name, (u, v) in points.items()},
    }
    # The three conditions determine the masses: equal weights at a and b, since the means of u and v agree and x is not 1.
    system = sympy.Matrix([[q, q * x, q], [q * x, q, q], [1, 1, 1]])
    failing = [name for name, expression in identities.items() if not symbolic.is_zero(expression)]
    if symbolic.is_zero(system.det()):
        failing.append("the masses are determined")
    domain = "all p in (1, oo], t, q, E: the corner masses solve their three linear equations; edges by Jensen's inequality"
    if failing:
        return Verdict.refuted(failing[0], domain=domain, cases=len(identities))
    found = sampled.least_slack(general_cases(largest=1), slack=_below_the_corner_distribution, budget=budget, quick=40, full=400)
    return Verdict.proved(
        domain=domain,
        cases=len(identities) + 1,
        slack="0: attained by the corners themselves",
        note=f"convex order decided exactly, at all atoms, for the steps of {found.cases} random mechanisms",
        against=None if found.counterexample is None else str(found.counterexample),
    )


def _growing() -> Iterator[tuple[Parameters, Fraction, Fraction, Fraction]]:
    for parameters in listed_parameters():
        beta = parameters.clipped_beta()
        for E, (small, large) in product(orders_up_to(parameters.p), ((Fraction(0), Fraction(1, 3)), (Fraction(1, 3), ONE))):
            yield parameters, E, beta * small, beta * large


@derived(
    "BEYOND.LemL3",
    where=f"{PROOF}, monotone in beta",
    says="for 1 <= E <= p and t <= beta, Lambda_t is below Lambda_beta in convex order: the derivative in beta is "
    "[p at a + p at b - (p+1) at d - (p-1) at 0]/((p-1) q), with b <= d <= 0 <= a",
    range="p in (1, oo], 1 <= E <= p, 0 <= t <= beta <= min((p-1)/(p+1), q-1)",
    grounds=[SYMPY, "FMT21.Sec2.subadditivity"],
    mutants={"E >= p": {"beyond_p": True}, "p + 2 for p + 1 at d": {"d_share": 2}},
)
def lemma_3(budget: Budget, *, beyond_p: bool = False, d_share: int = 1) -> Verdict:
    """beyond_p: orders E >= p; d_share: what is put in place of 1 in the share p + d_share of the derivative at d."""
    x, beta, q, s, E = sympy.symbols("x beta q s E", positive=True)
    law = Corners(x, beta, q, E)
    a, b, d, none = law.values
    derivative = [sympy.diff(mass, beta) for mass in law.masses]
    shares = [1, 1, -(1 + d_share * x), -(1 - x)]  # times 1/((1 - x) q): p, p, -(p + 1), -(p - 1) over (p - 1) q
    identities = [rate - share / ((1 - x) * q) for rate, share in zip(derivative, shares, strict=True)]
    identities += [sum(shares), sum(share * value for share, value in zip(shares, (a, b, d, none), strict=True))]
    # 1 <= E <= p is E = (1 + s)/(1 + s x), s >= 0 (the end E = p by continuity); x = w/(1 + w).
    w = sympy.Symbol("w", positive=True)
    order = 1 / x + s if beyond_p else (1 + s) / (1 + s * x)
    signs = [expression.subs(E, order).subs(x, w / (1 + w)) for expression in (a, -d, d - b)]
    at_least = dict.fromkeys((s, w, q), 0)
    proved = all(map(symbolic.is_zero, identities)) and all(symbolic.is_nonnegative(sign, at_least=at_least) for sign in signs)
    domain = "1 <= E <= p, p in (1, oo], q, beta: the derivative spreads mass from d and 0 to a and b, which lie outside"
    found = exhaustive.least_slack(
        _growing(),
        slack=lambda case: convex_order_margin(
            corners(case[0], case[1], beta=case[2]).distribution(), corners(case[0], case[1], beta=case[3]).distribution()
        ),
    )
    if not (proved and found.holds):
        witness = "E > p: a < 0, so that the mass does not move outward" if beyond_p else "mass or mean is not preserved"
        return Verdict.refuted(witness, domain=domain, cases=9)
    return Verdict.proved(
        domain=domain,
        cases=len(identities) + len(signs),
        slack="0: at E = p, a is 0",
        note=f"{found.cases} pairs of betas on a list of parameters decided exactly as well",
    )


def _star(T: Fraction, E: Fraction) -> tuple[CornerDistribution, CornerDistribution]:
    """Lambda* and Lambda°."""
    share = 1 / (T + 1)
    return distribution_of([(T - E, share), (1 - T * E, share), (Fraction(0), 1 - 2 * share)]), distribution_of(
        [(T * (1 - E), 1 / T), (Fraction(0), 1 - 1 / T)]
    )


@derived(
    "BEYOND.LemL3-prime",
    where=f"{PROOF}, the other blanket",
    says="with m = the least of all distributions and eps0-DP steps, (u, v) in [1, T]^2; the corner distribution is (T+1) a Lambda* + T "
    "w_TT Lambda° + w_11 at 1 - E, and for 1 <= E <= T all three are below Lambda* = {T-E, 1-TE with mass 1/(T+1) each, else 0} in convex "
    "order",
    range="T > 1, 1 <= E <= T",
    governs=["spec.bounds.clones.clones"],
    grounds=[SYMPY, "FMT21.Sec2.subadditivity"],
    mutants={"E >= T": {"beyond_T": True}, "1/(T+2) for 1/(T+1)": {"star_mass": 2}},
)
def lemma_3_prime(budget: Budget, *, beyond_T: bool = False, star_mass: int = 1) -> Verdict:
    """star_mass: Lambda* puts 1/(T + star_mass) on its two outer atoms."""
    T, a, w_TT, w_11, s, h = sympy.symbols("T a w_TT w_11 s h", positive=True)
    E = T + s if beyond_T else 1 + (T - 1) * h
    one = (T + 1) * a + T * w_TT + w_11  # the mean of u, and of v, is 1: equal weights a at (T, 1) and (1, T)
    share = 1 / (T + star_mass)
    mixture = {  # atom -> (mass in (T+1) a Lambda* + T w_TT Lambda° + w_11 at 1 - E, mass of the corners)
        "T - E": ((T + 1) * a * share, a),
        "1 - T E": ((T + 1) * a * share, a),
        "T (1 - E)": (w_TT, w_TT),
        "0": ((T + 1) * a * (1 - 2 * share) + T * w_TT * (1 - 1 / T), one - (2 * a + w_TT + w_11)),
    }
    identities = [left - right for left, right in mixture.values()]
    identities += [share * (T - E) + share * (1 - T * E) - (1 - E), T * (1 - E) * (1 / T) - (1 - E)]
    u = sympy.Symbol("u", nonnegative=True)
    ranges = {s: 0} if beyond_T else {}
    signs = [T * (1 - E) - (1 - T * E), (T - E) * share, -T * (1 - E)]  # left end, the value at 0, and Lambda° is not above 0
    proved = all(map(symbolic.is_zero, identities)) and all(
        symbolic.is_nonnegative(sign.subs(T, 1 + u), at_least={u: 0, **ranges}, between={} if beyond_T else {h: (0, 1)}) for sign in signs
    )
    cases = [(T_, E_) for T_ in (Fraction(9, 8), Fraction(2), Fraction(5), Fraction(100)) for E_ in orders_up_to(T_)]
    found = exhaustive.least_slack(cases, slack=lambda case: convex_order_margin(_star(*case)[1], _star(*case)[0]))
    domain = "T > 1, 1 <= E <= T: the corner distribution of [1, T]^2 is a mixture of Lambda*, Lambda° and a point, all below Lambda*"
    if not (proved and found.holds):
        witness = "E > T: the stop-loss of Lambda* at 0 is (T - E)/(T + 1) < 0" if beyond_T else "the mixture has other masses"
        return Verdict.refuted(witness, domain=domain, cases=10)
    return Verdict.proved(
        domain=domain,
        cases=len(identities) + len(signs),
        slack="0: at E = T",
        note=f"a second proof of the corollary for eps0-DP steps, with m = the least of all distributions; {found.cases} pairs decided "
        f"exactly too",
    )
