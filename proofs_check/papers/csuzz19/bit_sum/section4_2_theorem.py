"""CSUZZ19, Theorem 4.1: constants with which it holds for all n >= 1, all delta in (0, 1) and 0 < eps <= 1.

Write r = ln(1/delta), L = ln(4/delta), k = ln(16/3)/ln(4/3) = 5.818...; the lambda is that of Lemma 4.8 for delta <= 3/4, where L <= k r.
Beyond 3/4 it is -ln(2 delta - 1): a set H of at least one other user or the user alone leaves a total variation of at most 1/2, and H is
empty with probability at most e^-lambda, so the protocol is (0, 1/2 + e^-lambda/2)-DP.
"""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Cited, Verdict, derived, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3_lambda import steps_without_conditions
from shuffleproof.proofs_check.papers.csuzz19.profiles.bit_sum_divergence import homogeneous_divergence
from shuffleproof.spec.bounds.sums import bit_sum as profile
from shuffleproof.spec.vocabulary.numerals import decimal_text

THRESHOLD = Fraction(1120)  # kappa_3; kappa_1 and kappa_2 may be 0
FIRST = Fraction(373)  # kappa_4
SECOND = Fraction(1, 120)  # kappa_5


def _steps(kappa_4: Fraction) -> list[bool]:
    """Lemma 4.8 with kappa_4/6 for 64, as L/r < 6: it is kappa_4 r/eps^2 at least."""
    first = kappa_4 / 6
    ratio = ball(Fraction(16, 3)).log() / ball(Fraction(4, 3)).log()  # L/r = 1 + ln 4/r is largest at delta = 3/4
    threshold, second = ball(THRESHOLD), ball(SECOND)
    left = 1 - second * threshold.sqrt()  # what the second branch of the theorem allows, at least, as a share of n
    return [
        *steps_without_conditions(first, Fraction(432)),
        surely_less(ratio, ball(6)),
        surely_less(3 * ball(first) * ratio, threshold),
        surely_less(second, 1 / (432 * ratio).sqrt()),
        surely_less(ball(Fraction(1, 3)), left),
        # delta > 3/4, y = 1 - delta < 1/4: -ln(1 - 2y) is convex, so at most 4 ln 2 y <= ln 2, and r >= y
        surely_less(ball(2).log(), left),
        surely_less(4 * ball(2).log(), ball(kappa_4)),
    ]


def _nobody(*, first: Fraction, n: int, epsilon: Fraction, delta: Fraction) -> Verdict:
    """Return whether the largest lambda allowed in the first branch, and so by monotonicity every one, fails on the homogeneous pair."""
    domain = f"n = {n}, eps = {epsilon}, delta = {delta}"
    allowed = Fraction(int(upper_end(ball(first) * (1 / ball(delta)).log() / ball(epsilon) ** 2) * 2**40) + 1, 2**40)
    low = homogeneous_divergence(n, allowed, ball(epsilon).exp())
    if surely_less(ball(delta), low):
        text = decimal_text(lower_end(low / ball(delta)), digits=3, direction="down")
        witness = f"{domain}: with lambda = {float(allowed):.4g}, and so with any smaller one, a pair needs at least {text} delta"
        return Verdict.refuted(witness, domain=domain, cases=1)
    return Verdict.certified(domain=domain, cases=1)


@recalled(
    "CSUZZ19.Thm4.1",
    says="there are absolute constants with: for kappa_2 ln(1/delta)/n <= eps <= 1 some lambda makes P_(n, lambda) (eps, delta)-DP, with "
    "lambda <= kappa_4 ln(1/delta)/eps^2 if eps >= sqrt(kappa_3 ln(1/delta)/n), else lambda <= n - kappa_5 eps n^(3/2)/sqrt(ln(1/delta))",
    range="n >= 1, delta in (0, 1)",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=["CSUZZ19.Lem4.8.all", "CSUZZ19.Thm4.1.near-1", "CSUZZ19.Sec5.3.monotone", BALLS],
    mutants={"kappa_4 = 1/2": {"first": Fraction(1, 2)}},
)
def theorem(budget: Budget, *, first: Fraction = FIRST) -> Verdict:
    allowed = _nobody(first=first, n=4000, epsilon=Fraction(9, 10), delta=Fraction(1, 1000))
    if not allowed.holds:
        return allowed
    steps = _steps(first)
    return Verdict.certified(
        domain="all n >= 1, delta in (0, 1), 0 < eps <= 1",
        cases=len(steps),
        note=f"with kappa_3 = {THRESHOLD}, kappa_4 = {first}, kappa_5 = {SECOND} and no condition on n or from below on eps. It holds "
        "up to delta = 1 too, though Lemma 4.8 by itself, with ln(4/delta), does not give it there",
        given=all(steps),
    )


@derived(
    "CSUZZ19.Thm4.1.near-1",
    says="for delta > 3/4, P_(n, lambda) with lambda = -ln(2 delta - 1), at most 4 ln 2 (1 - delta) <= 2.78 ln(1/delta), is (0, delta)-DP",
    range="n >= 1, 3/4 < delta < 1",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=[
        EXACT,
        Cited("joint convexity of total variation", "known-facts#post-processing-and-convexity"),
        Cited("max over y of Pr[Bin(s, 1/2) = y] <= 1/2 for s >= 1"),
    ],
    mutants={
        "a quarter of that lambda": {"share": Fraction(1, 4)},
        "at most 3.9 ln 2 (1 - delta)": {"slope": Fraction(39, 10)},
        "<= 2.77 ln(1/delta)": {"rate": Fraction(277, 100)},
    },
)
def near_one(
    budget: Budget, *, share: Fraction = Fraction(1), slope: Fraction = Fraction(4), rate: Fraction = Fraction(278, 100)
) -> Verdict:
    """(0, delta)-DP with lambda = share of -ln(2 delta - 1), rounded down, exact over all pairs; and how large that is."""
    largest = budget.pick(quick=8, full=20)
    deltas = tuple(map(Fraction, ("76/100", "9/10", "999/1000", "99999/100000")))
    for delta in deltas:  # y = 1 - delta: -ln(1 - 2 y) is convex, and 4 ln 2 y at y = 0 and y = 1/4
        chord = ball(slope * (1 - delta)) * ball(2).log()
        if not (surely_less(-ball(2 * delta - 1).log(), chord) and surely_less(chord, ball(rate) * (1 / ball(delta)).log())):
            return Verdict.refuted(f"delta = {delta}: lambda is {-ball(2 * delta - 1).log()}", domain="lambda", cases=1)

    def slack(n: int, delta: Fraction) -> Fraction:
        lam = Fraction(int(upper_end(-ball(share) * ball(2 * delta - 1).log()) * 2**40) + 1, 2**40)
        return delta - profile.worst_ones(n=n, lam=lam, exp_epsilon=Fraction(1))[0]

    return exhaustive.least_slack(((n, delta) for n in range(1, largest + 1) for delta in deltas), slack=slack).verdict(
        domain=f"all n, delta: total variation at most Pr[H empty] + 1/2 Pr[H not empty]; n <= {largest}, three delta, all pairs exact"
    )
