"""CSUZZ19, appendix A: the steps of the proof of Claim 4.6."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail
from shuffleproof.proofs_check.ledger import BALLS, Budget, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.ledger.points import BITS


@derived(
    "CSUZZ19.AppA.eq11",
    where="Appendix A, equation 11",
    says="Pr[s < lambda - sqrt(2 lambda ln(2/delta))] <= delta/2 for s ~ Bin(n, lambda/n)",
    range="delta in (0, 1), 14 ln(4/delta) <= lambda <= n",
    grounds=["CSUZZ19.ThmE.1", BALLS],
    mutants={"a quarter of that distance from the mean": {"lowered": Fraction(1, 4)}},
)
def few_random(budget: Budget, *, lowered: Fraction = Fraction(1), users: tuple[int, ...] = (40, 300, 3000)) -> Verdict:
    """Pr[s < g] <= delta/2; lowered: a factor on the distance sqrt(2 lambda l) of g from the mean."""

    def reached() -> Iterator[tuple[str, arb]]:
        for n, share, delta in product(users, map(Fraction, ("1/2", "9/10")), map(Fraction, ("1/2", "1/1000"))):
            lam = share * n
            if surely_less(ball(lam), 14 * (4 / ball(delta)).log()):
                continue
            g = ball(lam) - ball(lowered) * (2 * ball(lam) * (2 / ball(delta)).log()).sqrt()
            below = lower_tail(n, share, ceil(upper_end(g)) - 1, bits=BITS) / (ball(delta) / 2)
            yield f"n = {n}, lambda = {lam}, delta = {delta}", below

    domain = f"all of the stated range; certified: n = {', '.join(map(str, users))}"
    return at_most_claimed(reached(), domain=domain, slack="the probability is at most {} of delta/2")


def _enough(*, least: Fraction) -> Verdict:
    """Put w^2 = lambda/L: g > L (w^2 - sqrt(2) w) as l < L; it rises in w, and at w^2 = least it is compared with 8 L."""
    domain = f"lambda >= {least} L, delta in (0, 1)"
    w = ball(least).sqrt()
    value: arb = w * w - ball(2).sqrt() * w
    holds = surely_less(ball(8), value)
    tiny = Fraction(1, 10**30)  # a small delta, where l/L is near 1 and the bound is nearly reached
    length, short = (4 / ball(tiny)).log(), (2 / ball(tiny)).log()
    fails = surely_less(ball(least) * length - (2 * ball(least) * length * short).sqrt(), 8 * length)
    if holds:
        return Verdict.certified(domain=domain, cases=1, slack=f"g > {value.str(5, radius=False)} L")
    if fails:
        return Verdict.refuted(f"lambda = {least} L, delta = 10^-30: g < 8 L", domain=domain, cases=1)
    return Verdict.undecided("neither", domain=domain, cases=1)


@statement(
    "CSUZZ19.AppA.step-large",
    where="Appendix A, after equation 11",
    says="lambda is large enough for g = lambda - sqrt(2 lambda ln(2/delta)) > 8 ln(4/delta), so that Claim 4.5 applies to each term",
    range="lambda >= 14 ln(4/delta); 13.13 ln(4/delta) would do",
    grounds=[BALLS],
    mutants={"lambda >= 13 ln(4/delta)": {"least": Fraction(13)}},
)
def enough(budget: Budget, *, least: Fraction = Fraction(1313, 100)) -> Verdict:
    wider = _enough(least=least)
    return _enough(least=Fraction(14)) if wider.holds else wider


@statement(
    "CSUZZ19.AppA.step-decreasing",
    where="Appendix A, last step",
    says="sqrt(32 L/s) (1 - s/n) decreases with s, so over s >= g it is largest at g",
    range="0 < g <= s <= n",
    mutants={"sqrt(32 L s) (1 - s/n)": {"power": 1}},
)
def decreasing(budget: Budget, *, power: int = -1) -> Verdict:
    """The largest of s^power (1 - s/n)^2 over s = g, ..., n is at s = g; power -1 is the square of the printed term."""
    cases, domain = 0, "all s, n: a product of two falling factors; n <= 20 enumerated"
    for n in range(2, 21):
        for g in range(1, n):
            cases += 1
            values = [Fraction(s) ** power * (1 - Fraction(s, n)) ** 2 for s in range(g, n + 1)]
            if max(values) != values[0]:
                return Verdict.refuted(f"n = {n}, g = {g}: larger at s = {g + values.index(max(values))}", domain=domain, cases=cases)
    return Verdict.certified(domain=domain, cases=cases)
