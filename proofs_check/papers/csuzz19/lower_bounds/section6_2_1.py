"""CSUZZ19, section 6.2.1: the selection problem."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

import sympy
from flint import arb
from hypothesis import strategies as st

from shuffleproof.impl.ball.bounds.samples import necessary_samples, sufficient_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import relative_entropy
from shuffleproof.proofs_check.ledger import Budget, Kind, Status, Verdict, derived, erratum, recalled, statement
from shuffleproof.proofs_check.ledger.ground import BALLS, EXACT, SYMPY, Cited
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import enough_users
from shuffleproof.proofs_check.ledger.points import BITS, TENTH
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.information import (
    as_vectors,
    clipped_distributions,
    local_distributions,
    needed,
    selection_chi_square,
)
from shuffleproof.spec.distribution import Distribution, total_variation


def _nearly_attained(share: Fraction) -> str:
    """Say that one report of a random bit's place carries more than share of the bound; "" where it is not shown.

    With T = e^eps, d = T^5 bits and Pr[bit = 0] = z = (1 - T^(-3/2))/T, report y_k, k in [d], with probability (1 - 1/T)/d times T or less
    where bit k is 0, and 1/T where it is 1; else y_0. The distribution with mass (1 - 1/T)/d at y_k and 1/T at y_0 is within T of it: "or
    less" keeps Pr[y_0] >= 1/T^2 where more bits are 0 than d z (1 + T^(-3/2)/2), which has probability e^(-d z T^-3/16) at most (Chernoff).
    Given that bit j is 1, y_j has probability a = (1 - 1/T)/(d T), any other y_k (1 - 1/T)/d (z T + (1 - z)/T), but for that.
    """
    T = 10**4
    d = T**5
    with precision(8 * BITS):
        loss, w = 1 / ball(T).sqrt() ** 3, (1 - 1 / ball(T)) / d
        z = (1 - loss) / T
        rare = (-d * z * loss * loss / 16).exp()
        # what is reported where no more are 0 leaves Pr[y_0] >= 1/T^2
        kept = 1 - (1 - 1 / ball(T)) * (z * (1 + loss / 2) * T + 1 / ball(T))
        a, b = w / T, w * (z * T + (1 - z) / T).union(z * T * (1 - rare) + (1 - z) / T)
        mean = (a + (d - 1) * b) / d
        reached = d * (a * (a / mean).log() + (d - 1) * b * (b / mean).log())
        bound = ball(share) * (T - 1) ** 2 / T * z / (1 - z)
        if kept >= 1 / ball(T * T) and surely_less(bound, reached):
            share_reached = (reached / bound).str(5, radius=False)
            return f"e^eps = {T}, d = 10^20 bits that are 0 with probability about 1/{T}: {share_reached} times the bound"
    return ""


@derived(
    "CSUZZ19.Thm6.5.information",
    says="x with independent bits Ber(q), one bit j in [d] replaced by 1: an eps-DP message carries at most "
    "((e^eps - 1)^2/(4 e^eps)) (1 - q)/(q d) about j",
    range="eps >= 0, d >= 1, 0 < q < 1",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[EXACT, SYMPY, "one-message#what-a-private-message-reveals"],
    mutants={"half of it": {"share": Fraction(1, 2)}},
    missing="the orthogonality of different bits, and randomizers beyond the drawn ones",
)
def information(budget: Budget, *, clipped: bool = False, share: Fraction = Fraction(1)) -> Verdict:
    """The chi-square sum against share (T - 1)^2/(4 T) (1 - q)/q, or (T - 1)^2/T for distributions within e^(+-eps) of one distribution."""

    def slack(case: tuple[tuple[Fraction, list[Distribution[int]]], Fraction]) -> Fraction:
        (T, of_inputs), q = case
        bound = (T - 1) ** 2 / (T if clipped else 4 * T) * (1 - q) / q
        return share * bound - selection_chi_square(as_vectors(of_inputs), d=2, q=q)

    drawn = clipped_distributions() if clipped else local_distributions()
    found = sampled.least_slack(
        st.tuples(drawn, st.sampled_from((Fraction(1, 2), Fraction(1, 3)))), slack=slack, budget=budget, quick=50, full=500
    )
    T, m = sympy.symbols("T m", positive=True)
    # A ratio f of mean 1 in [m, T m] has variance at most (T m - 1)(1 - m), largest at m = (T + 1)/(2 T); with values in [1/T, T]/m it
    # contributes m (T/m - 1)(1 - 1/(T m)) = T + 1/T - m - 1/m, largest at m = 1.
    steps = (
        symbolic.are_identical((T - 1) ** 2 / (4 * T) - (T * m - 1) * (1 - m), T * (m - (T + 1) / (2 * T)) ** 2),
        symbolic.are_identical((T - 1) ** 2 / T - (T + 1 / T - m - 1 / m), (m - 1) ** 2 / m),
        symbolic.is_nonnegative((symbolic.rational(share) - 1) * (T - 1) ** 2 / T, at_least={T: 1}),
    )
    if clipped and (against := _nearly_attained(share)):
        return Verdict.refuted(against, domain="all R, d, q", cases=found.cases + 1)
    return found.verdict(
        domain="all R, d, q: (x_j - q)/sqrt(q (1 - q)) are orthonormal, so by Bessel's inequality the sum is at most (1 - q)/q times a "
        f"variance; {found.cases} drawn cases, d = 2, exactly",
        witness=lambda c: f"e^eps = {c[0][0]}, distributions on 00, 01, 10, 11: {c[0][1]}, q = {c[1]}",
        given=all(steps),
    )


@derived(
    "CSUZZ19.Cor6.6.information",
    says="x with independent bits Ber(q), one bit j in [d] replaced by 1: a message whose distribution is within e^(+-eps) of one "
    "distribution, as after clipping, carries at most ((e^eps - 1)^2/e^eps) (1 - q)/(q d) about j",
    range="eps >= 0, d >= 1, 0 < q < 1",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[EXACT, SYMPY, "one-message#what-a-private-message-reveals"],
    mutants={"a quarter of it, as for eps-DP messages": {"share": Fraction(1, 4)}},
    missing="the orthogonality of different bits, and randomizers beyond the drawn ones",
)
def clipped_information(budget: Budget, *, clipped: bool = True, share: Fraction = Fraction(1)) -> Verdict:
    return information.check(budget, clipped=clipped, share=share)


def _dense_from(d: int) -> int:
    """Return d from which on (d - 1) Pr[Bin(n, 1/2) >= 0.9 n] <= 1/10."""
    rate = relative_entropy(ball(Fraction(9, 10)), ball(Fraction(1, 2)))
    return ceil(upper_end(ball(10 * (d - 1)).log() / rate))


def _chain(d: int, constant: Fraction) -> bool:
    """n >= constant d ln d/(T - 1)^2 for every n and T at this d, where each of the three arguments excludes the rest."""
    kappa, log_d = needed(Fraction(4, 5), d), ball(d).log()
    one_user = surely_less(ball(constant) * d * log_d, (ball(Fraction(9 * d, 10)) - 1) ** 2)  # T >= 0.9 d
    # 2 <= n < dense: q = sqrt(1/(10 d)), (T - 1)^2 >= 16 V^2 and n V/(q d) >= kappa, so constant n ln d <= 1.6 kappa^2 is enough.
    few = surely_less(ball(constant) * (_dense_from(d) - 1) * log_d, ball(Fraction(8, 5)) * kappa**2)
    many = surely_less(ball(constant) * log_d, 4 * kappa)  # q = 1/2: n >= 4 T d kappa/(T - 1)^2
    return one_user and few and many


@recalled(
    "CSUZZ19.Thm6.5",
    says="an (eps, 0)-DP local protocol that solves selection with probability 9/10 has n = Omega(d log d/(e^eps - 1)^2): at least "
    "d ln d/(100 (e^eps - 1)^2)",
    range="eps > 0; the constant 1/100 is ours",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[
        "CSUZZ19.Thm6.5.information",
        Cited("Fano's inequality as data processing: I >= kl(Pr[right] || 1/d), with KL <= chi-square", "known-facts#information"),
        BALLS,
        SYMPY,
    ],
    weaker={"constant": "smaller"},
    mutants={"at least 2000 d ln d/(e^eps - 1)^2": {"constant": Fraction(2000)}},
)
def local_bound(budget: Budget, *, constant: Fraction = Fraction(1, 100)) -> Verdict:
    domain = "all d >= 2, n >= 1, eps > 0, non-interactive protocols"
    for d, epsilon in ((100, Fraction(1, 10)), (10**4, Fraction(1, 10))):
        enough = sufficient_samples.local_selection(d=d, alpha=TENTH, epsilon=epsilon, beta=TENTH)
        claimed = ball(constant) * d * ball(d).log() / (ball(epsilon).exp() - 1) ** 2
        if surely_less(arb(enough), claimed):
            witness = f"d = {d}, eps = {epsilon}: n = {enough} users are enough for randomized response on random coordinates"
            return Verdict.refuted(witness, domain=domain, cases=1)
    largest = budget.pick(quick=300, full=1000)
    small = exhaustive.for_all(range(2, largest + 1), holds=lambda d: _chain(d, constant))
    L = sympy.Symbol("L", positive=True)
    k = sympy.Rational(4, 5) * L - sympy.Rational(501, 1000)  # kappa >= 0.8 ln d - h(0.8), h(0.8) < 0.501
    half_rate = sympy.Rational(368, 1000)  # kl(0.9 || 0.5) = 0.36806...
    c = sympy.Rational(constant.numerator, constant.denominator)
    few = sympy.Rational(8, 5) * k**2 - c * L * (L + sympy.Rational(2303, 1000)) / half_rate
    start = Fraction(57, 10)  # ln 300 = 5.7037...
    large = symbolic.is_nonnegative(few, at_least={L: start}) and symbolic.is_nonnegative(4 * k - c * L, at_least={L: start})
    return Verdict.proved(
        domain=f"{domain}; d <= {largest} one by one, larger d symbolically",
        cases=small.cases + 2,
        slack="for many users n >= 4 e^eps d kl(4/5 || 1/d)/(e^eps - 1)^2",
        note="bits of mean 1/2 with one coordinate all ones, 1/sqrt(10 d) where few users could not keep the others apart, n = 1 alone",
        given=symbolic.holds(small.holds) and large,
    )


def trivially_private(d: int) -> bool:
    """n = 1, delta = 99/100: send x with probability 99/100 and else nothing; (0, delta)-DP, and right with probability 99/100."""
    laws = [Distribution({x: Fraction(99, 100), "nothing": Fraction(1, 100)}) for x in range(d)]
    return all(total_variation(p, q) <= Fraction(99, 100) < 1 for p, q in product(laws, repeat=2))


@recalled(
    "CSUZZ19.Cor6.6",
    where="Corollary 6.6 (and Theorem 2.4)",
    kind=Kind.READING,
    says="a (1, delta)-DP one-message shuffled protocol with delta < n^-8 that solves selection with probability 99/100 has "
    "n = Omega((d log d)^(1/17))",
    range="n >= 1, d >= 2",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[
        "CSUZZ19.Cor6.6.information",
        "CSUZZ19.Thm6.1.sharper",
        Cited("Fano's inequality as data processing: I >= kl(Pr[right] || 1/d), with KL <= chi-square", "known-facts#information"),
        BALLS,
        EXACT,
    ],
    mutants={"corrected statement for n >= 1": {"from_users": 1}, "corrected statement with 10^4 d ln d for its root": {"linear": 10**4}},
)
def one_message(budget: Budget, *, from_users: int = 2, linear: int | None = None) -> Verdict:
    """n^17 >= d ln d/2 for n >= 2, and n >= sqrt(d ln d)/2 for d >= 10^7; eps = 1, delta < n^-8, success 99/100.

    d <= 25000: 2^17 >= d ln d/2 already. Larger d with n^17 < d ln d/2, n >= 2 and q = sqrt(1/(10 d)): n^2 e sqrt(10/d), at most
    8.6 d^(4/17 - 1/2), falls in d, and kl(0.88 || 1/d) rises. d >= 10^7: fewer than 2.72 ln(10 d) + 1 users are excluded by the sparse bits
    (n^2/sqrt(d) falls), more by q = 1/2 unless n^2 e/d >= kl(0.88 || 1/d) >= e ln d/4.
    """
    success, edge = Fraction(22, 25), 10**7
    e = ball(1).exp()
    small = surely_less(ball(25000) * ball(25000).log() / 2, ball(2) ** 17)
    sparse = e * ball(10).sqrt() * ball(25000) ** ball(Fraction(4, 17) - Fraction(1, 2))
    larger = surely_less(sparse, needed(success, 25000))
    few = surely_less(ball(_dense_from(edge) ** 2) * e * (ball(10) / edge).sqrt(), needed(success, edge))
    root = surely_less(e * ball(edge).log() / 4, needed(success, edge))
    enough = sufficient_samples.one_message_selection(
        d=10**4, alpha=TENTH, epsilon=Fraction(1), delta=Fraction(1, 10**64), beta=Fraction(1, 100)
    )
    beaten = linear is not None and surely_less(arb(enough), ball(linear * 10**4) * ball(10**4).log())
    against = "n = 1 again" if from_users == 1 else f"d = 10^4, delta = 1e-64: n = {enough} users are enough" if beaten else None
    return erratum(
        witness="n = 1, delta = 99/100 < n^-8 = 1: send x with probability 99/100 and else nothing; this is (0, delta)-DP and solves "
        "selection with probability 99/100 for every d, so n = 1 is enough",
        is_witness=all(trivially_private(d) for d in (2, 3, 5)),
        corrected="for n >= 2: n >= (d ln d/2)^(1/17), and n >= sqrt(d ln d)/2 for d >= 10^7",
        counterexample=against,
        domain="the witness for every d; the corrected statement for all d >= 2",
        cases=5,
        slack="the exponent is 1/2 and not 1/17",
        note="the printed proof needs n delta small and n above a constant; the larger exponent comes from clipping, and from a message's "
        "variance (e^eps - 1)^2/e^eps where the paper has (e^(8 eps) - 1)^2",
        given=small and larger and few and root,
    )


@statement(
    "CSUZZ19.Sec6.2.1.remark-multi-message",
    where="Section 6.2.1, after Corollary 6.6 (and section 2.2)",
    says="one bit sum for every coordinate solves selection with O~(sqrt(d)) users: 520 sqrt(d) ln(d/delta)^(3/2)/eps of them are enough",
    range="eps < 1; the constant is ours, at the listed points",
    governs=["impl.ball.bounds.samples.sufficient_samples", "spec.protocols.per_coordinate"],
    grounds=[BALLS, "CSUZZ19.Lem4.8.all", "CSUZZ19.Thm5.4", "CSUZZ19.ThmE.3"],
    mutants={"1/20 for 520": {"constant": Fraction(1, 20)}},
)
def multi_message(budget: Budget, *, constant: Fraction = Fraction(520)) -> Verdict:
    """constant sqrt(d) ln(d/delta)^(3/2)/eps users, at points: at least the certified n of d bit sums, or fewer than any protocol needs."""

    def points() -> Iterator[tuple[str, arb, int, int]]:
        for d, epsilon, digits in product((10, 10**2, 10**4, 10**6), map(Fraction, ("1/10", "1/2")), (6, 12)):
            delta = Fraction(1, 10**digits)
            claimed = ball(constant) * ball(d).sqrt() * (ball(d / delta).log() ** 3).sqrt() / ball(epsilon)
            enough = sufficient_samples.shuffled_selection(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, beta=TENTH)
            needed = necessary_samples.central_selection(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, success=1 - TENTH)
            yield f"d = {d}, eps = {epsilon}, delta = 1e-{digits}", claimed, enough, needed

    return enough_users(
        points(),
        domain="16 points: d = 10 to 10^6, eps = 1/10, 1/2, delta = 1e-6, 1e-12; accuracy n/10 with probability 9/10",
        note="whether a multi-message protocol can do better was left open by the paper, and is not decided here",
    )


@statement(
    "CSUZZ19.Sec6.2.1.footnote-2",
    says="a lower bound for the distributional version of selection implies one for the version on datasets: who names on every dataset a "
    "coordinate within n/10 of the best, with probability 9/10, names one whose mean is within 1/10 + 2t of the best mean, with "
    "probability 9/10 - 2 d e^(-2 n t^2)",
    range="n independent samples of any distribution on {0, 1}^d, t > 0",
    grounds=[EXACT, "sums-and-selection#from-samples-to-datasets", "CSUZZ19.ThmE.2"],
    mutants={"within 1/10 + t of the best mean": {"slacks": 1}},
    missing="Hoeffding's inequality for every coordinate, and the union of d + 1 events",
)
def footnote(budget: Budget, *, slacks: int = 2) -> Verdict:
    """For every grid of sample means and means within t of them: who is within 1/10 in the sample is within 1/10 + slacks t in the mean."""
    tenths = [Fraction(k, 10) for k in range(11)]
    steps = (Fraction(1, 10), Fraction(1, 5))

    def holds(sample: tuple[Fraction, ...], sides: tuple[int, ...], t: Fraction) -> bool:
        means = [s + side * t for s, side in zip(sample, sides, strict=True)]
        named = [j for j, s in enumerate(sample) if s >= max(sample) - Fraction(1, 10)]
        return all(means[j] >= max(means) - Fraction(1, 10) - slacks * t for j in named)

    cases = product(product(tenths, repeat=2), product((-1, 0, 1), repeat=2), steps)
    return exhaustive.for_all(cases, holds=holds).verdict(
        claims=Status.ARGUED,
        domain="all n, d and distributions, by the written argument; two coordinates, sample means in tenths, means at distance 0 or t, "
        "t = 1/10, 1/5",
        witness=lambda c: f"sample means {c[0][0]}, {c[0][1]}, means at {c[1][0]} t, {c[1][1]} t from them, t = {c[2]}",
    )
