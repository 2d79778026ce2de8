"""CSUZZ19, section 4.4: the accuracy of the bit sum."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Verdict, recalled
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_e import bennett_steps, beyond, far_tail
from shuffleproof.spec.protocols import bit_sum


def deviation(*, n: int, lam: Fraction, beta: Fraction, factor: Fraction = Fraction(2)) -> arb:
    """sqrt(factor lambda ln(2/beta)) n/(n - lambda)."""
    return (ball(factor * lam) * (2 / ball(beta)).log()).sqrt() * n / ball(n - lam)


Place = tuple[int, Fraction, Fraction]


def _places(budget: Budget) -> list[Place]:
    """(n, lambda, beta) with n > lambda >= 2 ln(2/beta), near both ends."""
    found: list[Place] = []
    for n, beta in product((4, 12, 30) if budget.depth == "quick" else (4, 12, 30, 60, 100), map(Fraction, ("9/10", "1/10", "1/1000"))):
        lams = (Fraction(8, 5), Fraction(5), Fraction(n, 2), Fraction(n) - Fraction(1, 2))
        least = 2 * (2 / ball(beta)).log()
        found += [(n, lam, beta) for lam in lams if surely_less(least, ball(lam)) and lam < n]
    return found


def _accurate(places: Sequence[Place], *, factor: Fraction = Fraction(2)) -> Verdict:
    def reached() -> Iterator[tuple[str, Fraction]]:
        for n, lam, beta in places:
            for ones in sorted({0, n // 3, n // 2, n}):
                law, radius = bit_sum.estimate_distribution(n=n, lam=lam, ones=ones), deviation(n=n, lam=lam, beta=beta, factor=factor)
                yield f"n = {n}, lambda = {lam}, beta = {beta}, {ones} ones", beyond(law, centre=Fraction(ones), radius=radius) / beta

    domain = f"{len(places)} certified points (n, lambda, beta), all datasets"
    return at_most_claimed(reached(), domain=domain, slack="the probability is at most {} of beta")


def error_steps(factor: Fraction = Fraction(2), condition: Fraction = Fraction(2)) -> list[bool]:
    """Check Bennett's inequality for the radius.

    Where lambda >= condition l, l = ln(2/beta), the variance v = (lambda/2)(1 - lambda/(2n)) of the number of ones is at least
    condition l/4, and the square of the radius, factor lambda l, is at least 2 factor v l: Bennett's inequality.
    """
    lam, share = sympy.symbols("lambda s", positive=True)  # s = lambda/n
    v = lam / 2 * (1 - share / 2)
    return [
        symbolic.is_nonnegative(v - lam / 4, at_least={lam: 0}, between={share: (0, 1)}),
        symbolic.is_nonnegative(lam / 2 - v, at_least={lam: 0}, between={share: (0, 1)}),
        *bennett_steps(2 * factor, condition / 4),
    ]


def too_often(factor: Fraction, *, domain: str, cases: int) -> Verdict:
    """Say what is known of the squared radius factor lambda l where Bennett's inequality does not give it: rare flips refute half of it."""
    n, beta = 10**6, Fraction(1, 10**12)
    lam = Fraction(int(2 * upper_end((2 / ball(beta)).log())) + 1)
    off = upper_end(deviation(n=n, lam=lam, beta=beta, factor=factor)) * (n - lam) / n
    far = lower_end(far_tail(n, lam / (2 * n), first=int(lam / 2 + off) + 1))
    if far > beta:
        witness = f"n = 10^6, lambda = {lam}, beta = 10^-12, x = (0, ..., 0): the probability is {float(far / beta):.3g} beta"
        return Verdict.refuted(witness, domain=domain, cases=cases + 1)
    return Verdict.undecided("not by Bennett's inequality", domain=domain, cases=cases)


@recalled(
    "CSUZZ19.Thm4.11",
    says="for n > lambda >= 2 ln(2/beta): Pr[|P_(n, lambda)(x) - sum of x_i| > sqrt(2 lambda ln(2/beta)) n/(n - lambda)] <= beta",
    range="n > lambda >= 2 ln(2/beta), beta in (0, 1), x in {0, 1}^n",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.CorB.3", SYMPY, BALLS, EXACT],
    weaker={"factor": "larger", "condition": "larger"},
    mutants={
        "without lambda >= 2 ln(2/beta)": {"places": ((20, Fraction(1, 10), Fraction(1, 10**8)),)},
        "sqrt(lambda ln(2/beta)), which n = 10^6 refutes": {"factor": Fraction(1)},
    },
)
def accurate(
    budget: Budget,
    *,
    factor: Fraction = Fraction(2),
    condition: Fraction = Fraction(2),
    places: Sequence[Place] | None = None,
    note: str | None = "the same steps prove it with 1.68 for 2; the condition cannot be left out (the mutant)",
) -> Verdict:
    points, steps = _accurate(_places(budget) if places is None else places, factor=factor), error_steps(factor, condition)
    if not points.holds:
        return points
    if not all(steps):
        return too_often(factor, domain=points.domain, cases=points.cases)
    return Verdict.proved(
        domain=f"all of the stated range; {points.domain}", cases=points.cases + len(steps), slack=points.slack, note=note
    )
