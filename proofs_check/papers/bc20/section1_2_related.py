"""BC20, sections 1.2 and 3.1: what the text says of other work, as far as it can be computed here."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

import sympy

from shuffleproof.impl.ball.bounds.samples import necessary_samples, sufficient_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Verdict, derived, statement, unchecked
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.ledger.points import TENTH
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.vocabulary.numerals import decimal_text


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
    slack = f"at most {texts[0]} times, and at least {texts[1]}/(alpha eps)^2"
    return Verdict.certified(domain=domain, cases=decided, slack=slack)


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

    domain = "alpha = 1/100, 1/1000, eps = 1, 1/100, delta = 1e-6, 1e-10000"
    return at_most_claimed(reached(), domain=domain, slack="at most {} of them")


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
