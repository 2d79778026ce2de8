"""FMT21, section 3.1 and appendix C: the earlier reduction it names, and equations (18) and (19) of Lemma 3.7's proof."""

from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.exhaustive import laws_in_parts
from shuffleproof.proofs_check.ledger.points import ORDERS
from shuffleproof.proofs_check.papers.fmt21.appendices.approximate_reduction import Law
from shuffleproof.spec.divergence import hockey_stick


@statement(
    "FMT21.Sec3.1.remark-reduction",
    where="Section 3.1, before Definition 3.6",
    says="the reduction of [CSUZZ19] achieves eps0' = 8 eps0 and delta0' = O~(delta0 e^eps0/(1 - e^-eps0)); put into a bound of order "
    "e^(2.5 eps0') it gives e^(20 eps0)",
    range="all eps0 > 0, delta0; T large enough for n (1 - (1 - eta)/k)^T to be negligible",
    grounds=[SYMPY, "CSUZZ19.ClmD.2", "CSUZZ19.ClmD.5.sharp"],
    weaker={"constant": "larger", "power": "larger"},
    mutants={
        "delta0' = delta0/(1 - e^-eps0), without e^eps0 and a constant": {"constant": Fraction(1), "power": 0},
        "e^(3 eps0') gives e^(20 eps0)": {"rate": Fraction(3)},
    },
)
def reduction(budget: Budget, *, constant: Fraction = Fraction(2), power: int = 1, rate: Fraction = Fraction(5, 2)) -> Verdict:
    """Compare what is left of D.5 for large T, eta = (1 + E^-2) delta0/(1 - 1/E), E = e^eps0, with constant E^power delta0/(1 - 1/E)."""
    E = sympy.Symbol("E")
    domain = "all eps0 >= 0, delta0"
    claimed = constant.numerator * E**power / constant.denominator
    if not symbolic.holds(rate * 8 == 20):
        return Verdict.refuted(f"eps0 = 1: e^({rate * 8}), not e^20", domain=domain, cases=1)
    if not symbolic.is_nonnegative(claimed * E**2 - E**2 - 1, at_least={E: 1}):
        return Verdict.refuted("e^eps0 = 2: eta is 5/4 of delta0/(1 - e^-eps0)", domain=domain, cases=2)
    return Verdict.proved(
        domain=domain,
        cases=2,
        slack="0 as eps0 -> 0; the sharp eta has no e^eps0 at all",
        note="by the sharp form of Claim D.5; the printed one, with T = 2 e^(4 eps0) ln(n/beta) rounds, has e^(4 eps0) in the place "
        "of e^eps0",
    )


@statement(
    "FMT21.Eq19",
    where="Appendix C, proof of Lemma 3.7, equations (18) and (19), and what follows them",
    says="rho'_x = rho_x projected onto [e^-eps rho, e^eps rho] has ln(rho/rho'_x) in [-eps, eps]; tau and tau', what is cut and what is "
    "added, are at most delta; tau = tau' iff rho'_x has mass 1; and what rho_x^z adds to rho_x is added where rho > rho_x",
    range="all rho, rho_x that are (eps, delta)-indistinguishable, z >= 0",
    governs=["spec.randomizers.clipping"],
    grounds=[EXACT],
    mutants={
        "the projection onto [e^-eps rho, rho]": {"above": 0},
        "what is cut and added is at most 0.9 delta": {"share": Fraction(9, 10)},
        "what is added is added where rho < rho_x": {"side": -1},
    },
)
def projected(budget: Budget, *, above: int = 1, share: Fraction = Fraction(1), side: int = 1) -> Verdict:
    """delta: the larger of the two divergences, the least with which rho_x and rho are indistinguishable."""
    listed = laws_in_parts(budget.pick(quick=4, full=6), 3)

    def holds(law: Law, reference: Law, T: Fraction, Z: Fraction) -> bool:
        pairs = [(law[y], reference[y]) for y in dict.fromkeys((*law.support, *reference.support))]
        delta = max(hockey_stick(law, reference, exp_epsilon=T), hockey_stick(reference, law, exp_epsilon=T))
        near = [max(min(p, T**above * q), q / T) for p, q in pairs]
        tau = sum((max(Fraction(0), p - c) for (p, _), c in zip(pairs, near, strict=True)), Fraction(0))
        added = sum((max(Fraction(0), c - p) for (p, _), c in zip(pairs, near, strict=True)), Fraction(0))
        within = all(q / T <= c <= T * q for (_, q), c in zip(pairs, near, strict=True))
        at_level = [max(min(p, T * q), q / Z) for p, q in pairs]  # rho_x^z, e^z = Z
        everywhere = sum((max(Fraction(0), c - p) for (p, _), c in zip(pairs, at_level, strict=True)), Fraction(0))
        there = sum((max(p, q / Z) - p for p, q in pairs if side * (q - p) > 0), Fraction(0))
        return within and max(tau, added) <= share * delta and (tau == added) == (sum(near) == 1) and everywhere == there

    found = exhaustive.for_all(
        product(listed, listed, ORDERS, (Fraction(1), Fraction(5, 4), Fraction(2))), holds=exhaustive.unpacked(holds)
    )
    parts = budget.pick(quick=4, full=6)
    return found.verdict(
        domain=f"all rho, rho_x on 3 outcomes in parts of 1/{parts}, e^eps = 1, 3/2, 3, e^z = 1, 5/4, 2",
        witness=lambda c: f"rho_x = {c[0]}, rho = {c[1]}, e^eps = {c[2]}, e^z = {c[3]}",
    )
