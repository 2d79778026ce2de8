"""CSUZZ19, section 2: the main theorems with explicit constants, and the remarks on errors and sample sizes."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Kind, Row, Verdict, erratum, recalled, unchecked
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import Setting
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.protocols import bit_sum, real_sum
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets


def _noise(at: Setting) -> Fraction:
    """A lambda that is (eps, delta)-DP: Lemma 4.8's, or -ln(2 delta - 1) rounded up for delta > 3/4."""
    if at.delta <= Fraction(3, 4):
        return at.random_users()
    return Fraction(int(upper_end(-ball(2 * at.delta - 1).log()) * 2**40) + 1, 2**40)


@recalled(
    "CSUZZ19.Thm2.2",
    says="for eps in (0, 1), delta and n there is an (eps, delta)-DP shuffled protocol for sums of bits with expected error "
    "O(sqrt(ln(1/delta))/eps), one one-bit message a user",
    range="n >= 1, eps in (0, 1), delta in (0, 1)",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.CorB.4.explicit", "CSUZZ19.Thm4.1.near-1", BALLS, SYMPY],
    mutants={"the constant 5 for this protocol and its lambda": {"constant": Fraction(5)}},
)
def bit_error(budget: Budget, *, constant: Fraction = Fraction(26)) -> Verdict:
    """Root mean squared error at most constant sqrt(ln(1/delta))/eps: the constants, and certified points."""

    def reached() -> Iterator[tuple[Setting, arb]]:
        deltas = (Fraction(999, 1000), Fraction(3, 4), Fraction(1, 10**6), Fraction(1, 10**100))
        for n, epsilon, delta in product((1, 100, 10**7), (Fraction(1), Fraction(1, 100)), deltas):
            at = Setting(n=n, epsilon=epsilon, delta=delta)
            claimed = ball(constant) ** 2 * (1 / ball(delta)).log() / ball(epsilon) ** 2
            yield at, (ball(bit_sum.mean_squared_error(n=n, lam=_noise(at))) / claimed).sqrt()

    ratio = ball(Fraction(16, 3)).log() / ball(Fraction(4, 3)).log()
    steps = [
        surely_less(108 * ratio, ball(constant) ** 2),
        # delta > 3/4: lambda <= ln 2 and lambda <= 4 ln 2 ln(1/delta); the variance is at most lambda/(2 (1 - ln 2)^2)
        surely_less(2 * ball(2).log() / (1 - ball(2).log()) ** 2, ball(constant) ** 2),
    ]
    return at_most_claimed(
        reached(),
        domain="all n >= 1, delta in (0, 1), 0 < eps <= 1; certified: n = 1 to 10^7, eps = 1, 1/100, delta = 0.999, 3/4, 10^-6, 10^-100",
        slack="at the points the error is at most {} of the bound",
        beside=len(steps),
        note="root mean squared error at most 26 sqrt(ln(1/delta))/eps on every dataset, one bit a user, no condition on n or delta; the "
        "mean absolute error is at most that",
        given=all(steps),
    )


def _composition_steps() -> list[bool]:
    """eps0 = eps/sqrt(8 r l): the two terms of Lemma 3.3 add up to at most eps, for r >= 1, l = ln(2/delta) > ln 2, eps <= 1."""
    e, r, length = sympy.symbols("e r l", positive=True)
    small = e / sympy.sqrt(8 * r * length)
    largest = 1 / (8 * ball(2).log()).sqrt()  # of eps0
    quotient = largest.expm1() / largest  # (e^x - 1)/x rises
    first = quotient / (8 * ball(2).log())
    return [
        sympy.simplify(small * sympy.sqrt(2 * r * length) - e / 2) == 0,
        sympy.simplify(small**2 * r - e**2 / (8 * length)) == 0,
        surely_less(first, ball(Fraction(1, 2))),
    ]


@recalled(
    "CSUZZ19.Thm2.1",
    says="for eps, delta in (0, 1) and n there is an (eps, delta)-DP shuffled protocol for sums of numbers in [0, 1] with expected error "
    "O(ln(n/delta)/eps), O(eps sqrt n) one-bit messages a user (at least one)",
    range="n >= 2 or delta <= 1/2, eps in (0, 1)",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.Lem3.6", "CSUZZ19.CorB.4.explicit", "CSUZZ19.Sec5.3.grid", BALLS, SYMPY],
    mutants={"432 in place of 864": {"first": Fraction(432)}},
)
def real_error(budget: Budget, *, first: Fraction = Fraction(864)) -> Verdict:
    """Put r = ceil(eps sqrt n): error^2 <= (1/4 + first ln(8r/delta) ln(2/delta))/eps^2; exact worst case at the points."""

    def reached() -> Iterator[tuple[str, arb]]:
        for n, epsilon, delta in product((4, 10**4, 10**8), (Fraction(1), Fraction(1, 10)), (Fraction(1, 2), Fraction(1, 10**9))):
            r = ceil(upper_end(ball(epsilon) * ball(n).sqrt()))
            short, long = (2 / ball(delta)).log(), (8 * r / ball(delta)).log()
            each = lower_end(ball(epsilon) / (8 * r * short).sqrt())
            lam = Setting(n=n, epsilon=Fraction(int(each * 2**60), 2**60), delta=delta / (2 * r)).random_users()
            claimed = (ball(Fraction(1, 4)) + ball(first) * long * short) / ball(epsilon) ** 2
            share = (ball(real_sum.worst_mean_squared_error(n=n, lam=lam, r=r)) / claimed).sqrt()
            yield f"n = {n}, eps = {epsilon}, delta = {delta}, r = {r}", share

    steps = _composition_steps()
    return at_most_claimed(
        reached(),
        domain="all n >= 1, delta in (0, 1), 0 < eps <= 1; certified: n = 4 to 10^8, eps = 1, 1/10, delta = 1/2, 10^-9",
        slack="at the points the error is at most {} of the bound",
        beside=len(steps),
        note="root mean squared error at most sqrt(1/4 + 864 ln(8r/delta) ln(2/delta))/eps with r = ceil(eps sqrt n) bits a user: "
        "O(ln(n/delta)/eps) for n >= 2 or delta <= 1/2. At n = 1 and delta near 1, ln(n/delta) goes to 0 and a rounding error stays",
        given=all(steps) and first >= 864,
    )


@recalled(
    "CSUZZ19.Thm2.3",
    says="if a one-message protocol is (eps, delta)-DP for n users, its randomizer is (eps + ln n, delta)-DP",
    range="n >= 1, eps >= 0, delta in [0, 1]",
    governs=["spec.model"],
    mutants={"(eps + ln(n - 1/100), delta)-DP": {"reduction": Fraction(1, 100)}},
)
def local_privacy(budget: Budget, *, reduction: int = 0) -> Verdict:
    """All randomizers on {0, 1} with three messages in parts: the shuffled delta against the local one at eps + ln(n - reduction)."""
    laws, most = distributions_in_parts(budget.pick(quick=3, full=4), 3), budget.pick(quick=2, full=3)
    orders = (Fraction(1), Fraction(3, 2))

    def slack(zero: Distribution[int], one: Distribution[int], n: int, order: Fraction) -> Fraction:
        randomizer = LocalRandomizer((0, 1), {0: zero, 1: one})
        views = [
            (shuffled_distribution(randomizer, x), shuffled_distribution(randomizer, y)) for x, y in neighbouring_datasets((0, 1), n=n)
        ]
        delta = max(hockey_stick(*pair, exp_epsilon=order) for pair in views)
        return delta - max(hockey_stick(*pair, exp_epsilon=order * (n - reduction)) for pair in ((zero, one), (one, zero)))

    q = Fraction(1, 1 << 40)
    rare = (Distribution({0: 1 - q, 1: q}), Distribution({0: q, 1: 1 - q}), 2, Fraction(1))  # CSUZZ19.Thm6.2.sharp
    cases = [rare, *product(laws, laws, range(2 if reduction else 1, most + 1), orders)]
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain="all randomizers on {0, 1} with three messages in parts of 1/3 (1/4 at full depth), n <= 2 (3), e^eps = 1, 3/2",
        note="for all randomizers: Theorem 6.2",
    )


@recalled(
    "CSUZZ19.Thm2.4",
    kind=Kind.READING,
    says="a one-message (1, 1/n^10)-DP protocol that solves selection among d coordinates with probability 99/100 needs "
    "n = Omega(d^(1/17))",
    range="n >= 1, d large enough",
    grounds=[Row("CSUZZ19.Cor6.6", corrected=True), BALLS],
    mutants={"corrected statement for n >= 1": {"from_users": 1}, "corrected statement with the constant 1": {"constant": Fraction(1)}},
)
def selection_bound(budget: Budget, *, constant: Fraction = Fraction(9, 10), from_users: int = 2) -> Verdict:
    """1/n^10 < n^-8 from n = 2 on, and (d ln d/2)^(1/17) >= (ln 2/2)^(1/17) d^(1/17); n = 1 leaves no privacy to be kept."""
    small = symbolic.holds(surely_less(ball(constant), (ball(2).log() / 2) ** ball(Fraction(1, 17))))
    below = symbolic.holds(Fraction(1, from_users**10) < Fraction(1, from_users**8))
    against = None
    if not below:
        against = "n = 1 again"
    elif not small:
        against = "d = 2: Corollary 6.6 as corrected gives less"
    return erratum(
        witness="n = 1: (1, 1)-DP is no condition, and one user who sends x lets the analyzer name a best coordinate, for every d",
        is_witness=Fraction(1, 1**10) == 1,
        corrected="for n >= 2: n >= (9/10) d^(1/17), by Corollary 6.6 as corrected, and far more for large d",
        counterexample=against,
        domain="the witness for every d; the corrected statement for all d >= 2",
        cases=3,
        note="`with high probability` is read as 99/100, for every dataset",
    )


unchecked(
    "CSUZZ19.Thm2.4.product",
    says="(cited) Theorem 2.4 holds even for users drawn from a product distribution: n = Omega(d^(1/17))",
    range="d large enough",
    provenance="recalled",
    why="rests on a lower bound for local protocols that the paper cites (Ullman 2018). Users whose bits are independent but for one "
    "are what CSUZZ19.Thm6.5.information is about; what is solved of a distribution, and how surely, the text has lost",
)
