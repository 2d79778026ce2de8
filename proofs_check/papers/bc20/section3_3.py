"""BC20, section 3.3: support identification by the histogram protocol, Claim 3.4 and its steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, comb

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Cited, Kind, Row, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.vocabulary.numerals import decimal_text

COUPON = 21  # for h >= 2, so many k h ln h samples are enough
_RATE = Fraction(22_000)  # the constant of the claim, as the row proves it


def success_without_samples(*, h: int, d: int) -> Fraction:
    """The best worst-case probability of naming H among all h-subsets of d elements without any sample: a uniform guess."""
    return Fraction(1, comb(d, h))


@statement(
    "BC20.Def3.3",
    says="the (h, d)-support identification problem: from n samples of U_H, any H of size h in a set of size d, name H with probability >= "
    "99/100; at least one sample is needed if and only if h < d",
    range="1 <= h <= d",
    mutants={"samples are needed for h = d as well": {"needs_samples_up_to": 0}},
)
def problem(budget: Budget, *, needs_samples_up_to: int = -1) -> Verdict:
    """Where no sample is needed: exactly at h = d, as far as 99/100 goes. needs_samples_up_to: the claimed largest such h is d + this."""
    most = budget.pick(quick=12, full=40)
    cases = [(h, d) for d in range(1, most + 1) for h in range(1, d + 1)]
    enough = Fraction(99, 100)
    found = exhaustive.for_all(
        cases, holds=lambda c: (success_without_samples(h=c[0], d=c[1]) < enough) == (c[0] <= c[1] + needs_samples_up_to)
    )
    return found.verdict(
        domain=f"1 <= h <= d <= {most}",
        witness=lambda c: f"h = {c[0]}, d = {c[1]}: a guess succeeds with probability {success_without_samples(h=c[0], d=c[1])}",
        note="with C(d, h) instances a guess succeeds with probability 1/C(d, h) <= 1/2 for h < d: samples are needed at h = 1 too",
    )


@dataclass(frozen=True, slots=True)
class Reduction:
    """The proof's reduction at explicit parameters: t, then k = 2 t + 1 rounded up, then n = coupon k h ln h rounded up."""

    h: int
    epsilon: Fraction
    delta: Fraction
    coupon: Fraction = Fraction(COUPON)

    def __str__(self) -> str:
        return f"h = {self.h}, eps = {self.epsilon}, delta = {decimal_text(self.delta, digits=6, direction='up')}"

    def length(self) -> arb:
        """ln(2/delta)."""
        return ball(2 / self.delta).log()

    def t(self) -> arb:
        """n times the alpha of Theorem 3.1, part ii, at failure probability 1/(200 h) for each of the h bins that hold data."""
        other = ball(400 * self.h).log()
        return 50 * self.length() / ball(self.epsilon**2) + (200 * self.length() * other).sqrt() / ball(self.epsilon)

    def k(self) -> int:
        """How often every element of H has to occur."""
        return ceil(upper_end(2 * self.t() + 1))

    def n(self) -> int:
        """The number of samples."""
        return ceil(upper_end(ball(self.coupon) * self.k() * self.h * ball(self.h).log()))

    def missed(self) -> arb:
        """The union bound on Pr[some element of H occurs less than k times]; at h = 1 that is 0 or 1."""
        n, k = self.n(), self.k()
        if self.h == 1:
            return arb(0 if n >= k else 1)
        return self.h * lower_tail(n, Fraction(1, self.h), k - 1, bits=64)


def _reductions(budget: Budget, *, coupon: Fraction = Fraction(COUPON)) -> list[Reduction]:
    """delta just inside (1/(200 h))^(1/25), and small."""
    sizes = (2, 3, 30) if budget.depth == "quick" else (2, 3, 5, 10, 100, 1000)
    found = []
    for h, epsilon in product(sizes, (Fraction(1), Fraction(1, 4))):
        edge = (-ball(200 * h).log() / 25).exp()
        inside = Fraction(int(upper_end(edge * 10**6)) - 1, 10**6)
        found += [Reduction(h, epsilon, delta, coupon) for delta in (inside, Fraction(1, 10**6))]
    return found


def _coupon_steps(coupon: Fraction) -> bool:
    """h exp(-(1 - a + a ln a) C k ln h) <= 1/200, a = 1/(C ln h), for h >= 2, k >= 1, by Chernoff; h = 2, k = 1 is worst."""
    share = 1 / (ball(coupon) * ball(2).log())
    exponent = (1 - share + share * share.log()) * ball(coupon)
    return (
        surely_less(share, arb(1))
        and surely_less(ball(200) * (ball(2).log() * (1 - exponent)).exp(), arb(1))
        and surely_less(arb(1), exponent)
    )


@statement(
    "BC20.Clm3.4.step-coupon",
    kind=Kind.READING,
    says="from n = O(k h log h) samples of U_H, each element of H appears at least k times with probability at least 199/200",
    range="h, k >= 1; h = 1 is the edge of BC20.Clm3.4",
    grounds=[Cited("Chernoff's bound for binomial tails", "known-facts#moments-and-tails"), BALLS],
    mutants={"corrected statement with n >= k h ln h": {"coupon": Fraction(1)}},
)
def coupon_step(budget: Budget, *, coupon: Fraction = Fraction(COUPON)) -> Verdict:
    """Corrected: h >= 2 with n >= 21 k h ln h. At h = 1 the printed O(k h log h) is 0 samples."""
    against, worst = None, Fraction(0)
    reductions = _reductions(budget, coupon=coupon)
    for each in reductions:
        missed = each.missed()
        worst = max(worst, upper_end(missed))
        if surely_less(arb(1) / 200, missed * (1 - missed)):  # by Bonferroni the probability is at least this up to pairs
            exact = lower_tail(each.n(), Fraction(1, each.h), each.k() - 1, bits=64)
            if surely_less(arb(1) / 200, exact):
                against = f"{each}, n = {each.n()}, k = {each.k()}: some element is missed with probability {float(exact.mid()):.4g}"
                break
    none_at_one = Reduction(1, Fraction(1), Fraction(1, 10**6)).n() == 0
    return erratum(
        witness="h = 1: k h log h = 0, so O(k h log h) samples are none, and k >= 1 occurrences are asked for",
        is_witness=none_at_one,
        corrected=f"for h >= 2 and any k >= 1, n >= {COUPON} k h ln h samples are enough; for h = 1, n = k",
        counterexample=against,
        domain=f"all h >= 2, k >= 1, by Chernoff's bound; {len(reductions)} parameters by certified tails",
        cases=len(reductions) + 2,
        slack=f"at the points the certified union bound is at most {decimal_text(worst, digits=3, direction='up')}",
        given=_coupon_steps(coupon),
    )


@statement(
    "BC20.Clm3.4.step-delta",
    kind=Kind.MISPRINT,
    says="given delta > (1/(200 h))^(1/25), every frequency is estimated up to t/n, t = O((1/eps^2) log(1/delta)), with probability "
    ">= 199/200",
    range="eps in (0, 1], h >= 1",
    grounds=[EXACT, BALLS, "BC20.Thm3.1.ii", "BC20.Thm3.1.iii"],
    mutants={"corrected statement from h delta^20 <= 1/200": {"power": 20}},
)
def direction(budget: Budget, *, power: int = 25) -> Verdict:
    """Printed in the proof: delta > (1/(200 h))^(1/25). Needed, from Theorem 3.1, part ii, for h bins: h delta^25 <= 1/200."""
    h, delta = 2, Fraction(9, 10)
    printed_holds = delta**25 * 200 * h > 1
    unusable = h * delta**25 > Fraction(1, 200)
    edge = (-ball(200 * h).log() / 25).exp()
    inside = Fraction(int(upper_end(edge * 10**6)) - 1, 10**6)
    enough = h * inside**power <= Fraction(1, 200)
    against = None if enough else f"h = {h}, delta = {float(inside):g}: h delta^{power} = {float(h * inside**power):.4g} > 1/200"
    return erratum(
        witness=f"h = {h}, delta = 9/10 > (1/(200 h))^(1/25): h delta^25 = {float(h * delta**25):.3g} > 1/200: Theorem 3.2 says nothing",
        is_witness=printed_holds and unusable,
        corrected="delta < (1/(200 h))^(1/25), as in the claim itself: then h delta^25 < 1/200, and h values occur, not n (footnote 3)",
        counterexample=against,
        domain="all h: the two conditions are each other's complement",
        cases=3,
    )


def within_rate(reductions: Sequence[Reduction], rate: Fraction) -> tuple[str | None, float]:
    """The first reduction that needs more than rate h ln h (1/eps^2) ln(1/delta) samples, and the largest share of it that is used."""
    worst = 0.0
    for each in reductions:
        share = (each.n() * ball(each.epsilon**2) / (each.h * ball(each.h).log() * ball(1 / each.delta).log())) / ball(rate)
        worst = max(worst, float(upper_end(share)))
        if surely_less(arb(1), share):
            return f"{each}: the reduction takes n = {each.n()} samples", worst
    return None, worst


@statement(
    "BC20.Clm3.4",
    kind=Kind.MISPRINT,
    says="for eps in (0, 1] and delta < (1/(200 h))^(1/25) the (h, d)-support identification problem has sample complexity "
    "O(h log h (1/eps^2) log(1/delta)) in the shuffled model under (eps, delta)-DP",
    range="1 <= h <= d",
    governs=["spec.protocols.histogram"],
    grounds=["BC20.Thm3.1.ii", "BC20.Thm3.1.iii", "BC20.Thm3.2-sharper", Row("BC20.Clm3.4.step-coupon", corrected=True), BALLS],
    mutants={"corrected statement, the reduction with the constant 2000": {"rate": Fraction(2000)}},
)
def claim(budget: Budget, *, rate: Fraction = _RATE) -> Verdict:
    """Corrected: h >= 2, with an explicit constant. All of the proof's conditions are checked at each point."""
    reductions = _reductions(budget)
    against, worst = within_rate(reductions, rate)
    conditions = all(
        surely_less(100 * each.length() / ball(each.epsilon**2), ball(each.n()))
        and each.h * each.delta**25 <= Fraction(1, 200)
        and surely_less(each.missed(), arb(1) / 200)
        for each in reductions
    )
    # m = ln(1/delta) > ln(400)/25, l = ln(2/delta) <= c m and l > 0.93: t <= (50 + 50 sqrt 2) l/eps^2, k <= 2 t + 2 <= 2 t + 3 l/eps^2,
    # and n <= 21 k h ln h + 1, where 1 < 4 h ln h m
    c = 1 + 25 * ball(2).log() / ball(400).log()
    general = COUPON * (2 * (50 + 50 * ball(2).sqrt()) + 3) * c + 4
    proved = surely_less(general, ball(rate))
    return erratum(
        witness=f"h = 1, d = 2: h log h = 0, so O(...) samples are none; without a sample the instances are distinguished with probability "
        f"{success_without_samples(h=1, d=2)} < 99/100",
        is_witness=success_without_samples(h=1, d=2) < Fraction(99, 100),
        corrected=f"for h >= 2, {int(rate)} h ln h (1/eps^2) ln(1/delta) samples are enough; for h = 1 put ln 2 for ln h",
        counterexample=against,
        domain=f"all h >= 2, eps in (0, 1], delta < (1/(200 h))^(1/25); {len(reductions)} explicit parameters",
        cases=len(reductions) + 1,
        slack=f"the reduction uses at most {worst:.3f} of that constant at the points",
        note="the proof runs P^hist at (eps, delta), where Theorem 3.2 gives (2 eps, 2 delta)-DP only: BC20.Thm3.2-sharper closes the gap",
        given=conditions and proved,
    )
