"""BC20, sections 1.1 and 3: what the text says of P^hist beside other protocols, models and regimes of delta."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.bounds.samples import necessary_samples, simultaneous_error
from shuffleproof.impl.ball.bounds.samples.sufficient_samples import papers_lambda
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Verdict, conjunction, statement, unchecked
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.spec.protocols import histogram, zero_sum


@statement(
    "BC20.Sec1.1.remark-polynomial-delta",
    where="Section 1.1, after Theorem 1.1",
    says="for delta = Theta(poly(1/n)) the condition log(1/delta) = o(log d) is satisfied when log n = o(log d), as ln(1/delta)/ln d = c "
    "(ln n)/(ln d) for delta = n^-c",
    range="delta = n^-c, c > 0",
    grounds=[SYMPY],
    mutants={"delta = n^(-c ln n), which is below every polynomial": {"power": 2}},
)
def polynomial_delta(budget: Budget, *, power: int = 1) -> Verdict:
    """Put l = ln n and g = ln n/ln d: ln(1/delta) = c l^power, so the quotient is c g, which tends to 0 with g."""
    c, log_n, g = sympy.symbols("c l g", positive=True)
    log_d = log_n / g
    domain = "delta = n^-c, all c > 0, n >= 2, d >= 2"
    if symbolic.are_identical(c * log_n**power / log_d, c * g):
        return Verdict.proved(domain=domain, cases=1, slack="0: the two quotients differ by the factor c")
    return Verdict.refuted("ln d = (ln n)^(3/2): log n = o(log d), and log(1/delta)/log d = c sqrt(ln n) grows", domain=domain, cases=1)


def _held_bins_only(budget: Budget, *, all_bins: bool) -> Verdict:
    """Pr[all errors <= alpha] as a product over bins: over those that are held, by P^zsum(0, ..., 0) = 0."""

    def holds(data: tuple[int, ...], d: int, p: Fraction, alpha: Fraction) -> bool:
        n = len(data)
        held = histogram.counts(data, d=d)
        truth = tuple(Fraction(c, n) for c in held)
        together = 1 - histogram.simultaneous_failure(histogram.estimates_distribution(data, d=d, p=p), truth=truth, alpha=alpha)
        alone = Fraction(1)
        for ones in held if all_bins else tuple(c for c in held if c):
            noise = zero_sum.messages_distribution(n=n, p=p, ones=ones)
            if all_bins:  # independent noise on every bin, and no truncation
                within = sum((w for c, w in noise.items() if abs(Fraction(c, n) - p - Fraction(ones, n)) <= alpha), Fraction(0))
            else:
                law = zero_sum.estimate_distribution(n=n, p=p, ones=ones)
                within = sum((w for e, w in law.items() if abs(e - Fraction(ones, n)) <= alpha), Fraction(0))
            alone *= within
        return together == alone and sum(1 for c in held if c) <= min(n, d)

    datasets = [(data, d) for n, d in ((1, 2), (2, 3), (3, 3)) for data in product(range(1, d + 1), repeat=n)]
    cases = ((data, d, p, a) for (data, d), p, a in product(datasets, (Fraction(1, 2), Fraction(4, 5)), (Fraction(1, 6), Fraction(1, 3))))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain="all datasets of (n, d) = (1, 2), (2, 3), (3, 3), p = 1/2, 4/5, alpha = 1/6, 1/3"
    )


_N = 10**6  # users at which the two protocols are compared
_EPSILON = Fraction(1)  # the largest of the theorem's range
_DELTA = Fraction(1, 10**6)  # for each protocol


@lru_cache
def median_error_of_bit_sums(d: int) -> tuple[Fraction, Fraction]:
    """d bit sums of all zeros with CSUZZ19's lambda for (eps/2, delta/2): a certified lower end of the median of the largest error.

    In counts, beside the deviation sqrt(Var) of one estimate; both in numbers of users. The noise of each is Bin(n, lambda/(2n)).
    """
    lam = papers_lambda(_N, ball(_EPSILON / 2), ball(_DELTA / 2))
    assert lam is not None
    share = lower_end(lam / (2 * _N))  # a smaller lambda has less noise
    stretch = 1 / (1 - 2 * share)
    deviation = stretch * upper_end((_N * ball(share * (1 - share))).sqrt())
    mean = _N * share
    low, high = 0, int(mean)

    def rarely_within(t: int) -> bool:
        """Return whether d independent sums are all above mean - t with probability at most 1/2: (1 - tail)^d <= e^(-d tail)."""
        tail = lower_tail(_N, share, int(mean) - t, bits=96)
        return surely_less(ball(2).log(), d * tail)

    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rarely_within(middle) else (low, middle)
    return stretch * low, deviation


@statement(
    "BC20.Sec3.remark-log-n",
    where="Section 3, before section 3.1",
    says="the simultaneous error of P^hist is the largest of the independent errors of the non-zero counts, of which there are at most n; "
    "independent noise on all counts has its largest error over all d, which introduces a log d instead of a log n factor",
    range="all n, d; the factor sqrt(log d) at n = 10^6, eps = 1, delta = 1e-6, d = 10^2 to 10^16",
    governs=["spec.protocols.histogram", "impl.ball.bounds.samples.simultaneous_error"],
    grounds=[EXACT, BALLS, "BC20.Thm3.1.iii", "BC20.Fig2"],
    mutants={
        "P^hist errs on all d counts too": {"all_bins": True},
        "the largest of d errors is at most 3/4 of the deviation times sqrt(2 ln d)": {"share": Fraction(3, 4), "direction": -1},
        "it is at least the deviation times sqrt(2 ln d)": {"share": Fraction(1)},
    },
)
def log_n(budget: Budget, *, all_bins: bool = False, share: Fraction = Fraction(3, 4), direction: int = 1) -> Verdict:
    """The product over held bins, exactly; and d bit sums, whose median error is at least share sqrt(2 ln d) deviations."""
    held = _held_bins_only(budget, all_bins=all_bins)
    if not held.holds:
        return held

    def reached() -> Iterator[tuple[str, arb]]:
        for power in (2, 4, 8, 16):
            low, deviation = median_error_of_bit_sums(10**power)
            yield f"d = 10^{power}", (ball(share * deviation / low) * (2 * power * ball(10).log()).sqrt()) ** direction

    grown = at_most_claimed(
        reached(),
        domain="d bit sums, n = 10^6, eps = 1, delta = 1e-6, d = 10^2, 10^4, 10^8, 10^16",
        slack=f"{share} deviations times sqrt(2 ln d) are at most {{}} of the median",
    )
    return conjunction([held, grown])


@statement(
    "BC20.Clm3.4.remark-other-protocol",
    where="Section 3.3, after the proof of Claim 3.4",
    says="with the histogram protocol of [8] in the place of P^hist, t = Omega((1/eps) sqrt(log d log(1/delta))) would depend on d, and so "
    "would the sample complexity",
    range="the lambda of CSUZZ19, Lemma 4.8, at (eps/2, delta/2) for every bin; n = 10^6, eps = 1, delta = 1e-6; the constant 10 is ours",
    grounds=[BALLS, "BC20.Sec3.remark-log-n"],
    mutants={"with the constant 40": {"constant": Fraction(40)}},
)
def other_protocol(budget: Budget, *, constant: Fraction = Fraction(10)) -> Verdict:
    """The error that is exceeded half of the time, over the order in the text."""

    def reached() -> Iterator[tuple[str, arb]]:
        for power in (2, 4, 8, 16):
            order = (power * ball(10).log() * (1 / ball(_DELTA)).log()).sqrt() / ball(_EPSILON)
            yield f"d = 10^{power}", ball(constant) * order / ball(median_error_of_bit_sums(10**power)[0])

    slack = f"{float(constant):g} times the order is at most {{}} of what is certain of t"
    return at_most_claimed(reached(), domain="d = 10^2, 10^4, 10^8, 10^16", slack=slack)


@statement(
    "BC20.Sec3.2.remark-central",
    where="Section 3.2, after Theorem 3.2",
    says="in the central model a stability-based algorithm has simultaneous error O((1/(eps n)) ln(1/delta)) [7]",
    range="delta <= 1/n, eps <= 1, success 9/10, all d; the constant 6 is ours",
    governs=["impl.ball.bounds.samples.simultaneous_error"],
    grounds=[BALLS, "CSUZZ19.Sec6.2.2.remark-central"],
    mutants={"with the constant 3": {"constant": Fraction(3)}},
)
def stable(budget: Budget, *, constant: Fraction = Fraction(6)) -> Verdict:
    def reached() -> Iterator[tuple[str, arb]]:
        for n, epsilon in product((10**2, 10**4, 10**6), (Fraction(1), Fraction(1, 10))):
            for delta in (Fraction(1, n), Fraction(1, n**2), Fraction(1, 10**12)):
                error = simultaneous_error.reached_by_stability(n=n, epsilon=epsilon, delta=delta, beta=Fraction(1, 10))
                share = ball(error * epsilon / constant) / (1 / ball(delta)).log()
                yield f"n = {n}, eps = {epsilon}, delta = {float(delta):.1g}", share

    return at_most_claimed(
        reached(),
        domain="n = 10^2, 10^4, 10^6, eps = 1, 1/10, delta = 1/n, n^-2, 1e-12, beta = 1/10, any d",
        slack=f"at most {{}} of {float(constant):g} ln(1/delta)/(eps n)",
    )


@statement(
    "BC20.Sec3.2.remark-strict-subclass",
    where="Section 3.2, after Theorem 3.2",
    says="P^hist is proof that the single-message model is a strict subclass of the multi-message model: the error of single-message "
    "histograms grows with d [8]: where n ln(1 + (T - 1)^2/T) < kl(9/10 - n delta || 1/d), T = n e^eps, none has the error of P^hist, at "
    "most 1/10",
    range="n = 12000, eps = 1, delta = 1e-8, error 1/10 on all bins with probability 9/10",
    governs=["impl.ball.bounds.samples.necessary_samples", "impl.ball.bounds.samples.simultaneous_error"],
    grounds=[BALLS, "BC20.Thm3.2-sharper", "BC20.Thm3.2.iii", "CSUZZ19.Thm6.7.information", "CSUZZ19.Thm6.2"],
    mutants={"already for a domain of 10^50000 values": {"digits": 50_000}, "P^hist keeps to an error of 1/11": {"alpha": Fraction(1, 11)}},
)
def strict_subclass(budget: Budget, *, digits: int = 65_000, alpha: Fraction = Fraction(1, 10)) -> Verdict:
    """Return what P^hist reaches for every d, against what one message a user needs for a domain of 10^digits values."""
    n, delta = 12_000, Fraction(1, 10**8)
    domain = f"n = {n}, d = 10^{digits}"
    reached = simultaneous_error.printed(n=n, epsilon=Fraction(1), delta=delta, beta=Fraction(1, 10))
    if reached > alpha * n:
        witness = f"the error of P^hist is bounded by {reached} users, {float(Fraction(reached, n)):.4f} n, only"
        return Verdict.refuted(witness, domain=domain, cases=2)
    told = n * (1 + necessary_samples.one_message_chi_square(n, ball(1).exp())).log()
    left: arb = ball(Fraction(9, 10) - n * delta)
    asked = left * (left.log() + digits * ball(10).log()) + (1 - left) * (1 - left).log()  # at most kl(left || 1/d)
    excluded = surely_less(told, asked)
    room = lower_end(asked / told)
    if not excluded:
        witness = f"one message a user may reveal {float(told.mid()):.6g} nats, {float(asked.mid()):.6g} are asked for"
        return Verdict.refuted(witness, domain=domain, cases=2)
    slack = f"P^hist errs by at most {reached} users; one message a user would have to reveal {float(room):.4f} times what it can"
    return Verdict.certified(domain=domain, cases=2, slack=slack)


unchecked(
    "BC20.Sec3.2.footnote-2",
    says="(cited) an unbiased single-message estimator of a sum of reals in [0, 1] has error Omega(n^(1/6)) [2], a multi-message one "
    "O(1/eps) [1]",
    range="as in [1] and [2]",
    why="theorems of other papers, neither of which is at hand: [2]'s lower bound is for unbiased protocols of one message, [1]'s protocol "
    "sends shares of a noisy sum; what one message reaches here is CSUZZ19.Thm5.3",
)
