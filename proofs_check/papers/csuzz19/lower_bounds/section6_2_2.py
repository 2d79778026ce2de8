"""CSUZZ19, section 6.2.2: histograms."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.bounds.samples import necessary_samples, sufficient_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import Budget, Kind, Verdict, conjunction, derived, erratum, recalled, statement
from shuffleproof.proofs_check.ledger.ground import BALLS, EXACT, Cited, Coq
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import enough_users
from shuffleproof.proofs_check.ledger.points import TENTH
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.information import (
    clipped_distributions,
    histogram_chi_square,
    local_distributions,
    needed,
)
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.section6_2_1 import trivially_private
from shuffleproof.spec.bounds.sums import bit_sum
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.protocols import per_coordinate


def _information(budget: Budget, *, clipped: bool, share: Fraction = Fraction(1)) -> Verdict:
    def slack(T: Fraction, of_values: list[Distribution[int]]) -> Fraction:
        return share * (T - 1) ** 2 / (T if clipped else 4 * T) - histogram_chi_square(of_values)

    found = sampled.least_slack(
        clipped_distributions() if clipped else local_distributions(), slack=slack, budget=budget, quick=50, full=500
    )
    T = sympy.Symbol("T", positive=True)
    # k-RR on T + 1 values with odds T^2 is within T of the uniform distribution, and carries ((T - 1)/(T + 1)) ln T
    E = 10**4
    reached, bound = ball(Fraction(E - 1, E + 1)) * ball(E).log(), (1 + ball(share * Fraction((E - 1) ** 2, E))).log()
    if clipped and surely_less(bound, reached):
        witness = f"e^eps = {E}, k-RR on {E + 1} values with odds {E}^2: {reached.str(8, radius=False)} > {bound.str(8, radius=False)}"
        return Verdict.refuted(witness, domain="all R and d", cases=found.cases + 1)
    return found.verdict(
        domain=f"all R and d: the variance of a ratio, as in CSUZZ19.Thm6.5.information; {found.cases} drawn cases, d = 4, exactly",
        given=symbolic.is_nonnegative((symbolic.rational(share) - 1) * (T - 1) ** 2 / T, at_least={T: 1}),
    )


@derived(
    "CSUZZ19.Thm6.7.information",
    says="an eps-DP message on a value uniform in [d] carries at most ln(1 + (e^eps - 1)^2/(4 e^eps)) about it; one whose distributions "
    "are within e^(+-eps) of one distribution at most ln(1 + (e^eps - 1)^2/e^eps)",
    range="eps >= 0, d >= 1",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[EXACT, "CSUZZ19.Thm6.5.information", "CSUZZ19.Cor6.6.information", "one-message#what-a-private-message-reveals"],
    mutants={"half of the first variance": {"first": Fraction(1, 2)}, "a quarter of the second variance": {"second": Fraction(1, 4)}},
    missing="the chain rule for n messages, and randomizers beyond the drawn ones",
)
def information(budget: Budget, *, first: Fraction = Fraction(1), second: Fraction = Fraction(1)) -> Verdict:
    """first, second: factors on the two variances."""
    return conjunction([_information(budget, clipped=False, share=first), _information(budget, clipped=True, share=second)])


@recalled(
    "CSUZZ19.Thm6.7",
    says="a local (eps, 0)-DP protocol that finds all d frequencies up to 1/10 with probability 9/10 has n = Omega(log d/(e^eps - 1)^2), "
    "at least 2 ln d/(e^eps - 1)^2",
    range="eps > 0, d >= 2; the constant 2 is ours",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[
        "CSUZZ19.Thm6.7.information",
        Cited("Fano's inequality as data processing: I >= kl(Pr[right] || 1/d), with KL <= chi-square", "known-facts#information"),
        BALLS,
    ],
    mutants={"at least 10^4 ln d/(e^eps - 1)^2": {"constant": 10**4}},
)
def local_bound(budget: Budget, *, constant: int = 2) -> Verdict:
    """n (T - 1)^2 >= 8 kl(9/10 || 1/d) >= constant ln d: d = 2 by itself, then kl >= 0.9 ln d - 0.326.

    A message's distribution given x over its mean distribution is at least 1/T =: a, and (x ln x - x + 1)/(x - 1)^2 falls in x, so by the
    variance of a ratio n (T - 1)^2/(4 T) (a ln a - a + 1)/(a - 1)^2 = n (T - 1 - ln T)/4 >= kl, and T - 1 - ln T <= (T - 1)^2/2.
    """
    T, a, log_T, t = sympy.symbols("T a log_T t", positive=True)
    falls = 2 * (T - 1) / T - 2 * (T - 1)  # the derivative of 2 (T - 1 - ln T) - (T - 1)^2, which is 0 at T = 1
    variance = [
        symbolic.are_identical((T - 1) ** 2 / (4 * T) * (-log_T / T - 1 / T + 1) / (1 / T - 1) ** 2, (T - 1 - log_T) / 4),
        symbolic.is_nonnegative(-falls, at_least={T: 1}),
        # x ln x - x + 1 is the integral of (1 - t) (x - 1)^2/(1 + t (x - 1)) over t in [0, 1]; its second derivative in x is 1/x
        symbolic.are_identical(sympy.diff(sympy.diff(a * sympy.log(a) - a + 1, a), a), 1 / a),
        symbolic.is_nonnegative(-sympy.diff((1 - t) / (1 + t * (a - 1)), a), at_least={a: 0}, between={t: (0, 1)}),
    ]
    domain = "all d >= 2, n >= 1, eps > 0, non-interactive protocols"
    enough = sufficient_samples.local_histogram(d=10**6, alpha=TENTH, epsilon=TENTH, beta=TENTH)
    claimed = ball(constant) * ball(10**6).log() / (ball(TENTH).exp() - 1) ** 2
    if surely_less(arb(enough), claimed):
        witness = f"d = 10^6, eps = 1/10: n = {enough} users are enough for randomized response on indicators"
        return Verdict.refuted(witness, domain=domain, cases=1)
    two = surely_less(constant * ball(2).log(), 8 * needed(Fraction(9, 10), 2))
    # For d >= 3: 8 (0.9 ln d - 0.326) >= constant ln d iff ln d >= 2.608/(7.2 - constant), and ln 3 = 1.0986.
    more = constant < Fraction(72, 10) and surely_less(ball(Fraction(2608, 1000)) / ball(Fraction(72, 10) - constant), ball(3).log())
    entropy = surely_less(-(ball(TENTH) * ball(TENTH).log() + ball(1 - TENTH) * ball(1 - TENTH).log()), ball(Fraction(326, 1000)))
    return Verdict.certified(
        domain=domain,
        cases=3 + len(variance),
        slack="4 for 2 as well: n >= 4 kl(9/10 || 1/d)/(e^eps - 1 - eps), and n ln(1 + (e^eps - 1)^2/(4 e^eps)) >= kl(9/10 || 1/d) for "
        "large eps",
        note="all users hold one value, which an answer within 1/10 of all frequencies reveals",
        given=all(variance) and two and more and entropy,
    )


@recalled(
    "CSUZZ19.Cor6.8",
    kind=Kind.READING,
    says="a (1, delta)-DP one-message shuffled protocol with delta < n^-8 that estimates all d frequencies up to 1/10 with probability "
    "99/100 has n = Omega(log^(1/17) d)",
    range="n >= 1, d >= 2",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[
        "CSUZZ19.Thm6.7.information",
        "CSUZZ19.Thm6.1.sharper",
        Cited("Fano's inequality as data processing: I >= kl(Pr[right] || 1/d), with KL <= chi-square", "known-facts#information"),
        BALLS,
        EXACT,
    ],
    mutants={"corrected statement for n >= 1": {"from_users": 1}, "corrected statement with n >= 10^4 ln d": {"linear": 10**4}},
)
def one_message(budget: Budget, *, from_users: int = 2, linear: int | None = None) -> Verdict:
    """n ln(n e) >= kl(0.98 || 1/d) for n >= 2; n^2 >= n (1 + ln n) and kl(0.98 || 1/d) >= 0.98 ln d - 0.0981 >= 4 ln d/5."""
    entropy = -(ball(Fraction(98, 100)) * ball(Fraction(98, 100)).log() + ball(Fraction(2, 100)) * ball(Fraction(2, 100)).log())
    rate = surely_less(entropy, ball(Fraction(981, 10000)))
    two = surely_less(ball(Fraction(4, 5)) * ball(2).log(), needed(Fraction(98, 100), 2))
    more = surely_less(ball(Fraction(981, 10000)), ball(Fraction(18, 100)) * ball(3).log())
    enough = sufficient_samples.one_message_histogram(
        d=10**6, alpha=TENTH, epsilon=Fraction(1), delta=Fraction(1, 10**40), beta=Fraction(1, 100)
    )
    beaten = linear is not None and surely_less(arb(enough), linear * ball(10**6).log())
    against = "n = 1 again" if from_users == 1 else f"d = 10^6, delta = 1e-40: n = {enough} users are enough" if beaten else None
    return erratum(
        witness="n = 1, delta = 99/100 < n^-8 = 1: send x with probability 99/100 and else nothing; this is (0, delta)-DP and finds the "
        "histogram of one user with probability 99/100 for every d, so n = 1 is enough",
        is_witness=all(trivially_private(d) for d in (2, 3, 5)),
        corrected="for n >= 2: n (1 + ln n) >= kl(0.98 || 1/d), so n^2 >= (4/5) ln d: n = Omega(log d/log log d), not only log^(1/17) d",
        counterexample=against,
        domain="the witness for every d; the corrected statement for all d >= 2",
        cases=5,
        given=rate and two and more,
    )


@recalled(
    "CSUZZ19.Sec6.2.2.remark-multi-message",
    where="Section 6.2.2, after Corollary 6.8",
    says="one bit sum for every value estimates all frequencies with error O(sqrt(log(1/delta) log d)/(eps n)): "
    "n = 45 sqrt(ln(1/delta) ln d)/(alpha eps) is enough",
    range="eps < 1; the constant is ours, at the listed points",
    governs=["impl.ball.bounds.samples.sufficient_samples", "spec.protocols.per_coordinate"],
    grounds=[BALLS, "CSUZZ19.Lem4.8.all", "CSUZZ19.ThmE.3", "CSUZZ19.Sec6.2.2.footnote-4"],
    mutants={"1/4 for 45": {"constant": Fraction(1, 4)}},
)
def multi_message(budget: Budget, *, constant: Fraction = Fraction(45)) -> Verdict:
    """constant sqrt(ln(1/delta) ln d)/(alpha eps) users, at points: at least the certified n, or fewer than any protocol needs."""

    def points() -> Iterator[tuple[str, arb, int, int]]:
        for d, epsilon, digits in product((10**2, 10**4, 10**6), map(Fraction, ("1/10", "1/2")), (6, 12)):
            delta = Fraction(1, 10**digits)
            claimed = ball(constant) * (ball(1 / delta).log() * ball(d).log()).sqrt() / ball(epsilon * TENTH)
            enough = sufficient_samples.shuffled_histogram(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, beta=TENTH)
            needed = necessary_samples.central_histogram(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, success=1 - TENTH)
            yield f"d = {d}, eps = {epsilon}, delta = 1e-{digits}", claimed, enough, needed

    domain = "12 points: d = 10^2 to 10^6, eps = 1/10, 1/2, delta = 1e-6, 1e-12; error 1/10 with probability 9/10"
    return enough_users(points(), domain=domain)


@statement(
    "CSUZZ19.Sec6.2.2.footnote-4",
    says="one user's data changes two entries of a histogram, so the parameters scale by 2: bit sums that are (eps, delta)-DP give a "
    "(2 eps, 2 delta)-DP histogram, however many values there are",
    range="d >= 2",
    governs=["spec.protocols.per_coordinate"],
    grounds=[EXACT, Coq("basic_composition", states="c98e8e8210b666c4")],
    mutants={"as if 1.98 entries changed": {"entries": Fraction(99, 50)}},
)
def two_entries(budget: Budget, *, entries: int = 2) -> Verdict:
    """The profile of the histogram at entries eps against entries delta(eps) of one bit sum; and no dependence on the domain."""
    users = budget.pick(quick=3, full=4)
    orders = tuple(map(Fraction, ("1", "6/5", "3/2", "2")))

    def cases() -> Iterator[tuple[int, Fraction, tuple[int, ...]]]:
        for n in range(1, users + 1):
            for lam in (Fraction(n, 2), Fraction(n, 5)):
                yield from ((n, lam, others) for others in product(range(3), repeat=n - 1))

    def profile(n: int, lam: Fraction, others: tuple[int, ...], d: int) -> PrivacyProfile[tuple[int, ...]]:
        unit = per_coordinate.unit_vectors(d)
        views = [per_coordinate.ones_distribution([unit[x], *(unit[y] for y in others)], lam=lam) for x in (0, 1)]
        return PrivacyProfile(*views)

    def holds(n: int, lam: Fraction, others: tuple[int, ...]) -> bool:
        three = profile(n, lam, others, 3)
        four = profile(n, lam, others, 4) if n < 3 else three
        for E in (*orders, (2 * n - lam) / lam):  # from the last one on a single bit sum has no delta left
            single, _ = bit_sum.worst_ones(n=n, lam=lam, exp_epsilon=E)
            delta = three.delta(exp_epsilon=E**entries)
            if delta > entries * single or delta != four.delta(exp_epsilon=E**entries):
                return False
        return True

    found = exhaustive.for_all(cases(), holds=holds)
    return found.verdict(
        domain=f"all n, lambda, d: the other coordinates have the same distribution; exact for {found.cases} datasets of n <= {users}, "
        "d = 3, and 4 for n <= 2"
    )
