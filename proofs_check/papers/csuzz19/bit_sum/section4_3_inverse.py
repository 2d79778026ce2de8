"""CSUZZ19, section 4.3: the inverse of eps*, which falls with lambda and does not fall to 0."""

from fractions import Fraction
from itertools import product

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import decreasing


@statement(
    "CSUZZ19.Sec4.3.remark-inverse",
    where="Section 4.3, before Lemma 4.8",
    says="eps* = sqrt(32 ln(4/delta)/g) (1 - g/n), g = lambda - sqrt(2 lambda ln(2/delta)), decreases as lambda increases",
    range="14 ln(4/delta) <= lambda <= n",
    grounds=[BALLS, SYMPY],
    weaker={"lowest": "larger"},
    mutants={"from lambda = 2 ln(2/delta) on, where g = 0, and below": {"lowest": Fraction(1, 4)}},
)
def inverse(budget: Budget, *, lowest: Fraction = Fraction(14)) -> Verdict:
    """lowest: the least lambda, as a multiple of l = ln(2/delta); eps* is defined where g > 0 and g rises from lambda = l/2 on."""
    domain = "all n, delta, lambda in the stated range"
    if not symbolic.holds(lowest > 2):
        witness = f"lambda = {lowest} ln(2/delta): g = lambda - sqrt(2 lambda ln(2/delta)) <= 0, and eps* is not defined"
        return Verdict.refuted(witness, domain=domain, cases=1)
    return Verdict.proved(domain=domain, cases=2, given=all(decreasing()))


@statement(
    "CSUZZ19.Sec4.3.inverse",
    where="Section 4.3, before Lemma 4.8",
    kind=Kind.PART,
    says="for every eps > 0 there is a lambda*(eps), the minimum lambda <= n with eps*(lambda) <= eps",
    range="eps > 0, n > 14 ln(4/delta), delta in (0, 1)",
    grounds=[BALLS, SYMPY],
    mutants={"corrected statement with eps*(n)/2 for eps*(n)": {"share": Fraction(1, 2)}},
)
def inverse_exists(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """At lambda = n: 1 - g/n = sqrt(2 l/n) > 0, so eps*(n) = sqrt(32 L/g) sqrt(2 l/n) > 0; below it no lambda is left.

    share: of eps*(n), from which on a lambda is claimed to be there; eps* is continuous and falls on [14 L, n].
    """
    falls, least, refuted, places = all(decreasing()), None, None, list(product((10**3, 10**6), map(Fraction, ("1/2", "1/1000000"))))
    for n, delta in places:
        L, short = (4 / ball(delta)).log(), (2 / ball(delta)).log()
        g = n - (2 * ball(n) * short).sqrt()
        last = (32 * L / g).sqrt() * (2 * short / n).sqrt()
        least = last if least is None else least
        if surely_less(ball(share) * last, last):
            refuted = f"n = {n}, delta = {delta}, eps = {share} eps*(n): eps*(lambda) > eps for every lambda <= n"
    positive = least is not None and surely_less(ball(0), least)
    shown = float(lower_end(least)) if least is not None else 0.0
    return erratum(
        witness=f"n = 1000, delta = 1/2: eps*(n) = {shown:.4f}, and eps* falls up to there, so no lambda has eps* <= {shown / 2:.4f}",
        is_witness=positive,
        corrected="for eps >= eps*(n) = sqrt(32 ln(4/delta)/(n - sqrt(2 n ln(2/delta)))) sqrt(2 ln(2/delta)/n)",
        counterexample=refuted,
        domain="all n, delta, eps in the range, as eps* is continuous and falls; four places in numbers",
        cases=len(places) + 2,
        note="Lemma 4.8 asks for eps > sqrt(3456) ln(4/delta)/n, which is more: it is not touched",
        given=falls,
    )
