"""BC20, sections 1.2 and 3.1: Table 1 with constants, from both sides, and what the text says of other work, as far as it is computed."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

import sympy
from flint import arb
from hypothesis import strategies as st

from shuffleproof.impl.ball.bounds.samples import necessary_samples, simultaneous_error, sufficient_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Cited, Coq, Kind, Verdict, derived, erratum, statement, unchecked
from shuffleproof.proofs_check.ledger.methods import sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import Randomizer, described, randomizers
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed, enough_users
from shuffleproof.proofs_check.ledger.points import TENTH
from shuffleproof.spec.distribution import hockey_stick, mixture
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.vocabulary.numerals import decimal_text

_CENTRAL_RATE = 19  # of the upper and lower bounds in the central row, as the row certifies it


@st.composite
def _rare_values(draw: st.DrawFn) -> tuple[Fraction, Randomizer, Fraction]:
    """e^eps, an eps-DP randomizer on four values, and the probability g of not holding value 0."""
    T = draw(st.sampled_from(tuple(map(Fraction, ("11/10", "2", "9")))))
    g = draw(st.sampled_from(tuple(map(Fraction, ("1/100", "1/5", "2/3", "1")))))
    if draw(st.booleans()):
        coin = binary_rr(exp_epsilon0=T)
        return T, Randomizer(range(4), {x: coin.distribution(int(x == 1)) for x in range(4)}), g
    return T, draw(randomizers(exp_epsilon0=T, inputs=4)), g


@derived(
    "BC20.Tab1-local",
    where="Table 1, local row",
    says="a one-round local protocol with all d counts right up to less than (K + 1)/2, but for beta, has n ln(1 + g^2 V/((1 - g)/T + g)) "
    ">= kl(1 - beta - Pr[Bin(n, g) <= K] || 1/(d - 1)) for every g in (0, 1], T = e^eps, V = (T - 1)^2/(4 T)",
    range="eps > 0, d >= 3, n >= 1, K >= 0",
    governs=["impl.ball.bounds.samples.simultaneous_error"],
    grounds=[
        "BC20.Tab2-local",
        Cited("Fano's inequality as data processing: n ln(1 + chi-square) >= kl(Pr[right] || 1/(d - 1))", "known-facts#information"),
    ],
    mutants={"g^3 for g^2": {"power": 3}, "a quarter of the information": {"share": Fraction(1, 4)}},
)
def local_row(budget: Budget, *, power: int = 2, share: Fraction = Fraction(1)) -> Verdict:
    """The mean over the hidden j = 1, 2, 3 of chi2(M_j || M), M_j = (1 - g) R(0) + g R(j), exactly."""

    def holds(T: Fraction, randomizer: Randomizer, g: Fraction) -> bool:
        of_hidden = [
            mixture([(1 - g, randomizer.distribution(0)), (g, randomizer.distribution(j))]) if g < 1 else randomizer.distribution(j)
            for j in (1, 2, 3)
        ]
        M = mixture([(Fraction(1, 3), law) for law in of_hidden])
        found = sum(((law[y] - w) ** 2 / w for law in of_hidden for y, w in M.items()), Fraction(0)) / 3
        return found <= share * g**power * (T - 1) ** 2 / (4 * T) / ((1 - g) / T + g)

    found = sampled.for_all(_rare_values(), holds=holds, budget=budget, quick=80, full=500)
    return found.verdict(
        domain=f"all one-round eps-DP protocols; the information of one message by {found.cases} drawn randomizers too",
        witness=lambda c: f"e^eps = {c[0]}, R = {described(c[1])}, g = {c[2]}: a message reveals more",
        slack="at n = 10^5, eps = 1/2, d = 10^6: 1611 of the 7373 counts that randomized response of indicators keeps to",
        note="M >= ((1 - g)/T + g) times the mean of the R(j), and the R(j)/mean vary by (T - 1)^2/(4 T) at most. n and g are free: g of "
        "order sqrt(log d/n)/eps gives errors of order sqrt(n log d)/eps in counts, as printed, where that is below n",
    )


@statement(
    "BC20.Tab1-central",
    where="Table 1, central row",
    kind=Kind.READING,
    says="in the central model the simultaneous error is Theta((1/(eps n)) min(log d, log(1/delta)))",
    range="eps in (0, 1), delta < 1/n, constant success probability",
    governs=["impl.ball.bounds.samples.simultaneous_error", "spec.protocols.central"],
    grounds=["CSUZZ19.Sec6.2.2.remark-central", Coq("group_privacy", states="489efad78a067246"), BALLS],
    mutants={"corrected statement with an eighth for 19": {"rate": Fraction(1, 8)}},
)
def central_row(budget: Budget, *, rate: Fraction = Fraction(_CENTRAL_RATE)) -> Verdict:
    """Upper ends at success 9/10: n alpha <= rate min(log d, log(1/delta))/eps for eps <= 1, delta <= 1/n, d, n >= 2.

    Geometric: 2 d e^(-eps (m + 1)/2) <= 1/10. Stability: threshold t <= 2 + (2/eps) log(1/delta), and n e^(-eps (m - t + 1)/2)
    + 2 n e^(-eps (m + 1)/2) <= 1/10, where m = t + ceil((2/eps) ln(30 n)) is enough, and ln n <= log(1/delta).
    """
    eps, n = Fraction(1, 10**6), 100
    d, delta = 2, Fraction(1, 200)
    printed = min(ball(d).log(), ball(1 / delta).log()) / (ball(eps) * n)
    points = [(e, m, d) for e in map(Fraction, ("1", "1/8")) for m in (10**3, 10**6) for d in (2, 10**3, 10**9)]
    against = None
    ln2 = ball(2).log()
    geometric = 2 * (1 + ball(20).log() / ln2) + 1 / ln2
    stable = 2 + 2 + (3 + 2 * ball(30).log()) / ln2
    general = surely_less(geometric, ball(rate)) and surely_less(stable, ball(rate))
    for e, users, bins in points:
        target = Fraction(1, users)
        reached = min(
            simultaneous_error.reached_by_geometric_noise(d=bins, epsilon=e, beta=TENTH),
            simultaneous_error.reached_by_stability(n=users, epsilon=e, delta=target, beta=TENTH),
        )
        needed = simultaneous_error.needed_private(n=users, d=bins, epsilon=e, delta=target, beta=TENTH)
        order = min(ball(bins).log(), ball(1 / target).log()) / ball(e)
        if surely_less(ball(rate) * order, ball(needed)):
            against = f"eps = {e}, n = {users}, d = {bins}, delta = 1/n: no protocol has an error below {needed} counts"
        elif surely_less(ball(rate) * order, ball(reached)):
            against = f"eps = {e}, n = {users}, d = {bins}, delta = 1/n: the named protocols keep to {reached} counts only"
    if not general and against is None:
        return Verdict.undecided("the constant is below that of the proof", domain="eps <= 1, delta <= 1/n", cases=len(points))
    return erratum(
        witness=f"d = {d}, delta = {delta}, n = {n}, eps -> 0: (1/(eps n)) min(log d, log(1/delta)) exceeds every constant (at eps = 1e-6 "
        f"it is {float(printed.mid()):.4g}), and an error of 1 is never exceeded",
        is_witness=surely_less(ball(1000), printed),
        corrected=f"an error of {rate} (1/(eps n)) min(log d, log(1/delta)) is reached for eps <= 1, delta <= 1/n, but for 1/10; and an "
        "error below h/(2 n) is impossible for every h <= n with beta/(d - 1) e^(h eps) + delta (e^(h eps) - 1)/(e^eps - 1) < 1 - beta",
        counterexample=against,
        domain=f"the upper side for all eps <= 1, delta <= 1/n, n, d >= 2; both sides certified at {len(points)} points",
        cases=len(points) + 1,
        note="a lower bound min(1, ...) is meant",
    )


@statement(
    "BC20.Tab1-bit-sums",
    where="Table 1, the row of [8]; section 1.1",
    says="[8] gives a protocol with simultaneous error O((1/(eps n)) sqrt(log d log(1/delta))) and O(d) messages a user: "
    "80 sqrt(ln d ln(1/delta))/(eps n) at most, but for 1/10",
    range="eps < 1, d >= 2; the constant is ours, at the listed points",
    governs=["impl.ball.bounds.samples.sufficient_samples"],
    grounds=["CSUZZ19.Sec6.2.2.remark-multi-message", BALLS],
    mutants={"an eighth for 80": {"constant": Fraction(1, 8)}},
)
def bit_sums_row(budget: Budget, *, constant: Fraction = Fraction(80)) -> Verdict:
    """At n = constant sqrt(ln d ln(1/delta))/(eps alpha) rounded down: at least what is enough, or below what every protocol needs."""

    def points() -> Iterator[tuple[str, arb, int, int]]:
        for d, alpha, digits in product((2, 10**3, 10**9), map(Fraction, ("1/10", "1/200")), (6, 30)):
            delta, epsilon = Fraction(1, 10**digits), Fraction(1, 2)
            claimed = ball(constant) * (ball(d).log() * (1 / ball(delta)).log()).sqrt() / ball(epsilon * alpha)
            enough = sufficient_samples.shuffled_histogram(d=d, alpha=alpha, epsilon=epsilon, delta=delta, beta=TENTH)
            needed = necessary_samples.central_histogram(d=d, alpha=alpha, epsilon=epsilon, delta=delta, success=1 - TENTH)
            yield f"d = {d}, alpha = {alpha}, delta = 1e-{digits}", claimed, enough, needed

    return enough_users(points(), domain="12 points: d = 2, 10^3, 10^9, alpha = 1/10, 1/200, eps = 1/2, delta = 1e-6, 1e-30")


@statement(
    "BC20.Tab1-depends",
    where="Section 1.2; Table 1, the three earlier shuffled rows",
    says="all previous bounds on simultaneous error in the shuffled model depend on d: where log d is doubled each of the three rows grows",
    range="log d >= 1, 0 < eps <= 1, delta <= 1; the rows as printed",
    grounds=[SYMPY],
    mutants={"so does that of Theorem 3.2": {"all_rows": True}},
)
def rows_depend(budget: Budget, *, all_rows: bool = False) -> Verdict:
    """The squares, (eps n)^2 times, at 2 g and at g = log d; w = log g, m = log(1/delta), c = log 2, k = log(1/eps)."""
    g, w, m, c, k = sympy.symbols("g w m c k", positive=True)
    rows = {
        "[8]": (2 * g * m, g * m),
        "[13], first": (8 * g**3 * (m + w + c), g**3 * (m + w)),
        "[13], second, first term": (4 * g**2, g**2),
        "[13], second, second term": (2 * g * (m + k), g * (m + k)),
    }
    if all_rows:
        rows["Theorem 3.2"] = (m**2, m**2)
    ranges = {g: 1, w: 0, m: 0, c: 0, k: 0}
    wrong = [
        name
        for name, (twice, once) in rows.items()
        if not symbolic.is_nonnegative(twice - once, at_least={x: ranges[x] for x in (twice - once).free_symbols})
        or symbolic.is_zero(twice - once)
    ]
    domain = "the formulas of the rows, all d >= 3, n, eps <= 1, delta < 1"
    if wrong:
        return Verdict.refuted(f"the row of {wrong[0]} does not grow with d", domain=domain, cases=len(rows))
    return Verdict.proved(domain=domain, cases=len(rows), note="of the formulas; what other protocols of those papers reach is not said")


unchecked(
    "BC20.Tab1-cited",
    where="Table 1, the two rows of [13]",
    says="(cited) [13] reaches simultaneous errors O((1/(eps n)) sqrt(log^3 d log((1/delta) log d))) and O(log d/n + (1/(eps n)) "
    "sqrt(log d log(1/(eps delta)))) with few messages a user",
    range="delta < 1/log d; as cited",
    why="errors and numbers of messages of these two rows are theorems of another paper; that they grow with d is BC20.Tab1-depends",
)


@statement(
    "BC20.Sec1.2.remark-means",
    says="by [8] the mean of Bernoulli bits takes O(1/alpha^2 + log(1/delta)/(alpha eps)) shuffled users; by [5] Omega(1/(alpha eps)^2) "
    "in the local model: at most 20 (1/alpha^2 + ln(1/delta)/(alpha eps)), and at least 1/(20 (alpha eps)^2)",
    range="eps <= 1, success 9/10; the constants 20 and 1/20 are ours",
    governs=["impl.ball.bounds.samples.sufficient_samples", "impl.ball.bounds.samples.necessary_samples"],
    grounds=[BALLS, "CSUZZ19.Lem4.8.all", "CSUZZ19.Thm4.11"],
    mutants={"2 for 20": {"enough": Fraction(2)}, "1/2 for 1/20": {"needed": Fraction(1, 2)}},
)
def bernoulli_means(budget: Budget, *, enough: Fraction = Fraction(20), needed: Fraction = Fraction(1, 20)) -> Verdict:
    """Half of alpha for the sample's mean (Hoeffding), half for the bit sum; the local need from its own bound."""
    worst, least, decided = Fraction(0), None, 0
    domain = "alpha = 1/10, 1/100, 1/1000, eps = 1, 1/4, delta = 1e-6, 1e-12"
    for a, e, d in product(("1/10", "1/100", "1/1000"), ("1", "1/4"), ("1e-6", "1e-12")):
        alpha, epsilon, delta = Fraction(a), Fraction(e), Fraction(d)
        decided += 1
        protocol = sufficient_samples.shuffled_bit_mean(alpha=alpha / 2, epsilon=epsilon, delta=delta, beta=TENTH / 2)
        sample = ceil(upper_end((4 / ball(TENTH)).log() * 2 / ball(alpha) ** 2))
        order = lower_end(1 / ball(alpha) ** 2 + (1 / ball(delta)).log() / (ball(alpha) * ball(epsilon)))
        share = max(protocol, sample) / order
        local = necessary_samples.local_mean(alpha=alpha, epsilon=epsilon, success=1 - TENTH) * (alpha * epsilon) ** 2
        told = f"alpha = {a}, eps = {e}, delta = {d}"
        if share > enough:
            witness = f"{told}: the bit sum asks for {float(share):.3g} times 1/alpha^2 + ln(1/delta)/(alpha eps)"
            return Verdict.refuted(witness, domain=domain, cases=decided)
        if local < needed:
            witness = f"{told}: what is known to be needed locally is {float(local):.3g}/(alpha eps)^2"
            return Verdict.refuted(witness, domain=domain, cases=decided)
        worst, least = max(worst, share), local if least is None else min(least, local)
    assert least is not None
    texts = decimal_text(worst, digits=3, direction="up"), decimal_text(least, digits=3, direction="down")
    return Verdict.certified(domain=domain, cases=decided, slack=f"at most {texts[0]} times, and at least {texts[1]}/(alpha eps)^2")


unchecked(
    "BC20.Sec3.1.citation",
    says="(a question) privacy for a broader parameter regime, with another p, is in Theorem 4.11 of [8]",
    range="the version of [8] at hand",
    why="about another paper's numbering, which no machine checks: in the version of [8] at hand Theorem 4.11 bounds the error of the bit "
    "sum (CSUZZ19.Thm4.11); privacy in all regimes of eps is its Lemma 4.8. What the broader regime of this protocol is: "
    "BC20.Sec3.1.remark-broader",
)


@derived(
    "BC20.Sec1.2.remark-means-root",
    says="for the mean of Bernoulli bits sqrt(log(1/delta))/(alpha eps) suffices where the text has log(1/delta)/(alpha eps): "
    "60 (1/alpha^2 + sqrt(ln(1/delta))/(alpha eps)) shuffled users",
    range="eps <= 1, success 9/10; the constant 60 is ours",
    governs=["impl.ball.bounds.samples.sufficient_samples"],
    grounds=[BALLS, "CSUZZ19.Lem4.8.all", "CSUZZ19.Thm4.11"],
    mutants={"2 for 60": {"enough": Fraction(2)}, "the fourth root of ln(1/delta)": {"power": Fraction(1, 4)}},
)
def bernoulli_means_root(budget: Budget, *, enough: Fraction = Fraction(60), power: Fraction = Fraction(1, 2)) -> Verdict:
    """The row of the text is checked with delta down to 10^-10000, where another power of the logarithm shows."""

    def reached() -> Iterator[tuple[str, Fraction]]:
        for a, e, digits in product(("1/100", "1/1000"), ("1", "1/100"), (6, 10000)):
            alpha, epsilon, delta = Fraction(a), Fraction(e), Fraction(1, 10**digits)
            protocol = sufficient_samples.shuffled_bit_mean(alpha=alpha / 2, epsilon=epsilon, delta=delta, beta=TENTH / 2)
            sample = ceil(upper_end((4 / ball(TENTH)).log() * 2 / ball(alpha) ** 2))
            order = lower_end(1 / ball(alpha) ** 2 + (1 / ball(delta)).log() ** ball(power) / (ball(alpha) * ball(epsilon)))
            yield f"alpha = {a}, eps = {e}, delta = 1e-{digits}", max(protocol, sample) / order / enough

    return at_most_claimed(reached(), domain="alpha = 1/100, 1/1000, eps = 1, 1/100, delta = 1e-6, 1e-10000", slack="at most {} of them")


@derived(
    "BC20.Sec1.2.remark-one-message",
    says="in an eps-DP shuffled protocol of one message, whatever its length, a user's message changes by at most "
    "(e^eps - 1)/(e^eps + 1) = 1 - 2/(e^eps + 1) in statistical distance; binary randomized response changes by as much",
    range="all lengths and eps > 0",
    grounds=["BC20.Clm4.2", "BEYOND.LemL0", SYMPY],
    mutants={"by at most 1 - 4/(e^eps + 1)": {"kept": 4}, "by at most 1 - 1/(e^eps + 1), attained": {"kept": 1}},
)
def one_message(budget: Budget, *, kept: int = 2) -> Verdict:
    """The randomizer is eps-DP by Claim 4.2, its distributions at most (T - 1)/(T + 1) apart by Lemma L0; binary response reaches it."""
    T = sympy.Symbol("T", positive=True)
    bound = 1 - kept / (T + 1)
    holds = symbolic.are_identical(bound, (T - 1) / (T + 1))
    for order in map(Fraction, ("3/2", "3", "20")):
        law = [binary_rr(exp_epsilon0=order).distribution(x) for x in (0, 1)]
        holds = holds and hockey_stick(law[0], law[1], exp_epsilon=Fraction(1)) == 1 - Fraction(kept) / (order + 1)
    domain = "all eps > 0, with Claim 4.2 and Lemma L0; binary response at e^eps = 3/2, 3, 20"
    if holds:
        return Verdict.proved(domain=domain, cases=4)
    return Verdict.refuted("e^eps = 3: binary response is 1/2 apart", domain=domain, cases=1)


unchecked(
    "BC20.Sec1.2.remark-bounded-communication",
    says="(cited) in an eps-DP shuffled protocol of m messages of l bits a user's messages change by at most 1 - 2^(-O_eps(m^2 l)) in "
    "statistical distance [12]",
    range="m > 1, which is another paper's theorem; one message: BC20.Sec1.2.remark-one-message",
    why="the lemma for m messages is another paper's; its part for one message is a row of its own, proved and attained",
)
