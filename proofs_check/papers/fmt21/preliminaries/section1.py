"""FMT21, abstract and section 1: what is said of the theorem's order, of other bounds, and of what follows."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.impl.ball.bounds.samples.sufficient_samples import amplified
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed, between
from shuffleproof.spec.vocabulary.numerals import decimal_text


@statement(
    "FMT21.Sec1.remark-both-regimes",
    where="Section 1, after the displayed bound; the abstract",
    says="the bound is asymptotically optimal in both regimes, eps0 < 1 and eps0 > 1: shuffled binary randomized response needs "
    "eps of that order, (1 - e^-eps0) sqrt(e^eps0 ln(1/delta)/n)",
    range="delta = n^-2; n = 10^3, 10^5, 10^7, eps0 from 1/100 up to the condition of Theorem 3.1; the constant 3/5 is ours",
    governs=["impl.ball.bounds.lower.binary_rr"],
    grounds=[BALLS, "FMT21.Thm3.1", "FMT21.PropG.1"],
    mutants={
        "with the constant 2": {"constant": Fraction(2)},
        "of the order (1 - e^-eps0) sqrt(e^(3 eps0/2) ln(1/delta)/n), constant 3/5": {"power": Fraction(3, 2)},
    },
)
def both_regimes(budget: Budget, *, constant: Fraction = Fraction(3, 5), power: Fraction = Fraction(1)) -> Verdict:
    """A lower end of 2RR's least epsilon over the order; Theorem 3.1 is at most 16 times the order, so at most that over constant off."""

    def reached() -> Iterator[tuple[str, arb]]:
        for n, local in product((10**3, 10**5, 10**7), ("0.01", "0.1", "1", "2", "4", "8")):
            delta = Fraction(1, n**2)
            T, length = ball(Fraction(local)).exp(), (1 / ball(delta)).log()
            if n / (16 * (2 / ball(delta)).log()) >= T:
                order = (1 - 1 / T) * (ball(power * Fraction(local)).exp() * length / n).sqrt()
                needed = binary_rr.epsilon(n=n, epsilon0=local, delta=delta, digits=6)
                yield f"n = {n}, eps0 = {local}", ball(constant) * order / between(needed)

    return at_most_claimed(
        reached(),
        domain="n = 10^3, 10^5, 10^7, eps0 = 1/100, 1/10, 1, 2, 4, 8 where Theorem 3.1 applies, delta = n^-2",
        slack=f"{float(constant):g} times the order is at most {{}} of what binary response needs",
        note="of the dependence on eps0, n and delta together, for delta polynomially small; for a fixed delta the least epsilon is 0 "
        "once n is so large that the total variation is below delta",
    )


@statement(
    "FMT21.Sec1.remark-off-by-root-k",
    where="Section 1, on Section 5.1",
    says="getting the correct bound requires taking eps0 up to ln k, where k e^eps0/(e^eps0 - 1)^2 <= 4; with e^eps0/sqrt(n) in the place "
    "of e^(eps0/2)/sqrt(n) the result is off by a factor of sqrt(k)",
    range="k >= 2, rates only",
    grounds=[SYMPY],
    weaker={"share": "larger"},
    mutants={"off by a factor of k": {"power": 2}, "eps0 up to (1/2) ln k is enough": {"share": 1}},
)
def off_by_root_k(budget: Budget, *, power: int = 1, share: int = 2) -> Verdict:
    """u = sqrt(k), e^eps0 = u^share: the quotient of the rates, and n times the error of Theorem 5.1, k T/(T - 1)^2, at most 4."""
    u, n = sympy.symbols("u n", positive=True)
    T = u**2
    rates = symbolic.are_identical((T / n) ** 2 / (T / n**2), u ** (2 * power))
    local = u**share
    error = symbolic.is_nonnegative(4 * (local - 1) ** 2 - u**2 * local, at_least={u: 2})
    at_two = all(Fraction(k * k, (k - 1) ** 2) <= 4 for k in (2, 3))
    domain = "k >= 2, all n"
    if not rates:
        return Verdict.refuted("e^eps0 = k: the quotient of the rates is sqrt(k)", domain=domain, cases=1)
    if not (error and at_two):
        witness = "k = 10^4, e^eps0 = 100: the error of Theorem 5.1 is more than 100/n, against 1/n of the samples"
        return Verdict.refuted(witness, domain=domain, cases=2)
    return Verdict.proved(domain=domain, cases=4, slack="the error is at most 4/n at eps0 = ln k, with equality at k = 2")


@statement(
    "FMT21.Sec1.remark-logarithmic",
    where="Section 1, on the consequences",
    says="for a constant central eps, eps0 may and has to grow logarithmically with n: eps0 = ln n - O(ln ln(1/delta)) at eps = 1",
    range="eps = 1, delta = 1e-6, n = 10^4, 10^6, 10^8; `logarithmically` taken as between ln n - 6 and ln n",
    grounds=[BALLS, "FMT21.Thm3.1", "FMT21.PropG.1"],
    mutants={"Theorem 3.1 allows ln n - 5": {"below": 5}, "binary response at eps0 = ln n - 8 is not (1, 1e-6)-DP": {"above": 8}},
)
def logarithmic(budget: Budget, *, below: int = 6, above: int = 0) -> Verdict:
    """Theorem 3.1's largest eps0 for eps = 1, and binary response at eps0 = ln n - above, which is not (1, delta)-DP."""
    delta, domain, gap = Fraction(1, 10**6), "eps = 1, delta = 1e-6, n = 10^4, 10^6, 10^8", None
    for power in (4, 6, 8):
        n = 10**power
        log_n = power * ball(10).log()
        missing = upper_end(log_n - ball(amplified(n, Fraction(1), delta)))
        there = lower_end(log_n - above)
        if missing > below:
            return Verdict.refuted(f"n = {n}: Theorem 3.1 allows no more than ln n - {float(missing):.3f}", domain=domain, cases=6)
        if binary_rr.delta(n=n, epsilon0=there, epsilon=1, digits=6).lower <= delta:
            return Verdict.refuted(f"n = {n}: binary response at eps0 = ln n - {above} is (1, 1e-6)-DP", domain=domain, cases=6)
        gap = missing if gap is None else max(gap, missing)
    assert gap is not None
    slack = f"Theorem 3.1 allows eps0 >= ln n - {decimal_text(gap, digits=4, direction='up')}"
    return Verdict.certified(domain=domain, cases=6, slack=slack)


@statement(
    "FMT21.Sec1.remark-renyi",
    where="Section 1, follow-up work",
    says="for eps0 > 1 the earlier bounds on the Renyi divergence of order alpha, O(alpha e^(6 eps0)) and O(alpha e^(2 eps0)), are "
    "asymptotically suboptimal: that of the clones pair is at most 4 alpha e^eps0/n",
    range="sufficiently small orders: alpha = 2, 4; eps0 = 1, 2, 4, 6, n = 10^5, 10^6; the constant 4 is ours",
    governs=["impl.ball.bounds.clones.clones"],
    grounds=[BALLS, "FMT21.Def6.2"],
    mutants={"at most (1/10) alpha e^eps0/n": {"constant": Fraction(1, 10)}, "at most 4 alpha e^(eps0/2)/n": {"power": Fraction(1, 2)}},
)
def renyi_order(budget: Budget, *, constant: Fraction = Fraction(4), power: Fraction = Fraction(1)) -> Verdict:
    def reached() -> Iterator[tuple[str, arb]]:
        for order, local, n in product((2, 4), (1, 2, 4, 6), (10**5, 10**6)):
            found = clones.renyi(n=n, epsilon0=local, order=order, digits=6)
            rate = ball(constant * order / n) * ball(power * local).exp()
            yield f"alpha = {order}, eps0 = {local}, n = {n}", between(found) / rate

    return at_most_claimed(
        reached(),
        domain="alpha = 2, 4, eps0 = 1, 2, 4, 6, n = 10^5, 10^6",
        slack=f"at most {{}} of {float(constant):g} alpha e^eps0/n",
        note="what the earlier papers prove is not checked; the 1/n of their bounds is left out in the text",
    )
