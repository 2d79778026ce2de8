"""CSUZZ19, sections 2 and 3.2: injected messages, and users who do not follow the protocol."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import ORDERS
from shuffleproof.spec.bounds.sums import bit_sum as profile
from shuffleproof.spec.distribution import Distribution, binomial, convolution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.protocols import bit_sum, real_sum
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

IntegerDistribution = Distribution[int]


@statement(
    "CSUZZ19.Sec2.remark-injected",
    says="messages that an adversary injects do not degrade privacy, if they are independent of the honest users' data: D(S(y, z) || "
    "S(y', z)) <= D(S(y) || S(y')) at every e^eps",
    governs=["spec.model"],
    grounds=[EXACT, "CSUZZ19.Lem3.2"],
    mutants={"injected messages may repeat what the first user sent": {"copied": True}},
)
def injected_messages(budget: Budget, *, copied: bool = False) -> Verdict:
    """The number of ones with injected bits added; copied: the injected message repeats the first user's, so it depends on the data."""
    largest = budget.pick(quick=3, full=6)
    injected: tuple[IntegerDistribution, ...] = (
        Distribution.point(3),
        binomial(2, Fraction(1, 3)),
        Distribution({0: Fraction(1, 2), 5: Fraction(1, 2)}),
    )

    def seen(dataset: tuple[int, ...], lam: Fraction, extra: IntegerDistribution) -> IntegerDistribution:
        n = len(dataset)
        if not copied:
            return convolution(bit_sum.ones_distribution(n=n, lam=lam, ones=sum(dataset)), extra)
        respond = bit_sum.randomizer(n=n, lam=lam)
        return convolution(respond.distribution(dataset[0]).map(lambda y: 2 * y), *map(respond.distribution, dataset[1:]))

    def slack(n: int, share: Fraction, extra: IntegerDistribution, order: Fraction) -> Fraction:
        margins = []
        for x, y in neighbouring_datasets((0, 1), n=n):
            plain = [bit_sum.ones_distribution(n=n, lam=share * n, ones=sum(d)) for d in (x, y)]
            more = [seen(d, share * n, extra) for d in (x, y)]
            margins.append(hockey_stick(*plain, exp_epsilon=order) - hockey_stick(*more, exp_epsilon=order))
        return min(margins)

    cases = product(range(1, largest + 1), map(Fraction, ("1/3", "4/5")), injected, ORDERS)
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain=f"the bit sum, n <= {largest}, two lambda, e^eps = 1, 3/2, 3, three distributions of injected bits, all neighbours",
        witness=lambda c: f"n = {c[0]}, lambda = {c[1] * c[0]}, e^eps = {c[3]}",
        note="for all protocols: adding independent messages is a post-processing of the view. The proviso is needed: a repetition of one "
        "user's message is not covered (the mutant)",
    )


@derived(
    "CSUZZ19.Sec3.2.remark-honest",
    says="with k of n users dishonest the honest ones have exactly the profile of P_(n - k, lambda (n - k)/n): n may be replaced by a "
    "lower bound on the number of honest users, if the randomizer is set up for that number",
    range="0 <= k < n, lambda in [0, n]",
    governs=["spec.bounds.sums.bit_sum", "impl.ball.calibration"],
    mutants={"they keep the profile of P_(n, lambda)": {"as_if_all": True}},
)
def honest_users(budget: Budget, *, as_if_all: bool = False) -> Verdict:
    """k users send what they like: the honest ones' worst delta, over their data and the others' messages, is that of n - k users."""
    largest = budget.pick(quick=5, full=7)

    def holds(n: int, k: int, share: Fraction, order: Fraction) -> bool:
        if k >= n:
            return True
        respond, worst = bit_sum.randomizer(n=n, lam=share * n), Fraction(0)
        for sent in range(k + 1):  # how many of the dishonest users' bits are 1
            for x, y in neighbouring_datasets((0, 1), n=n - k):
                views = [shuffled_distribution(respond, d).map(lambda z, sent=sent: sum(z) + sent) for d in (x, y)]  # type: ignore[misc]
                worst = max(worst, hockey_stick(*views, exp_epsilon=order))
        m = n if as_if_all else n - k
        claimed, _ = profile.worst_ones(n=m, lam=share * m, exp_epsilon=order)
        return worst == claimed

    cases = product(range(2, largest + 1), (1, 2), map(Fraction, ("1/3", "4/5")), (Fraction(1), Fraction(3, 2)))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= {largest}, k = 1, 2, lambda/n = 1/3, 4/5, e^eps = 1, 3/2, all honest data, all dishonest bits",
        witness=lambda c: f"n = {c[0]}, k = {c[1]} dishonest, lambda = {c[2] * c[0]}, e^eps = {c[3]}: not the profile of all {c[0]} users",
        note="so every bound of the paper on eps and delta survives with n the number of honest users, in the randomizer too: R_(m, "
        "lambda) for m honest users, however many others there are (CSUZZ19.Sec2.remark-more-users). A randomizer set up for n users, k of "
        "them dishonest, has only the privacy of P_(n - k, lambda (n - k)/n): Lemma 4.8, Theorem 4.1 and the exact profile do not hold for "
        "it",
    )


def _messages(n: int) -> Iterator[tuple[int, ...]]:
    yield from product((0, 1), repeat=n)


def _shifted(budget: Budget, *, scaled: bool = True) -> Verdict:
    """k bits of n replaced: the output moves by at most k n/(n - lambda), and does for some; scaled: with the factor n/(n - lambda)."""
    largest = budget.pick(quick=5, full=8)

    def slack(n: int, k: int, share: Fraction) -> Fraction:
        if k > n:
            return Fraction(0)
        analyze = bit_sum.analyzer(n=n, lam=share * n)
        moved = max(abs(analyze(y) - analyze((*other, *y[k:]))) for y in _messages(n) for other in _messages(k))
        claimed = k * (1 / (1 - share) if scaled else Fraction(1))
        return claimed - moved if claimed >= moved else Fraction(-1)

    return exhaustive.least_slack(product(range(1, largest + 1), range(1, 4), map(Fraction, ("0", "1/3", "4/5"))), slack=slack).verdict(
        domain=f"all n, k, lambda: the analyzer is linear with slope n/(n - lambda); n <= {largest}, k <= 3, all messages enumerated",
        witness=lambda c: f"n = {c[0]}, k = {c[1]} users, lambda = {c[2] * c[0]}",
        note="so Theorem 4.11 and Corollary B.3 survive with k n/(n - lambda) added to the error. It is a bound only where a user sends "
        "one message (r for the real sum, one for every coordinate of a histogram): the analyzers do not count messages",
    )


@derived(
    "CSUZZ19.Sec3.2.remark-honest-accuracy",
    where="beside section 3.2 and the proof of Corollary B.3, which assumes n honest users",
    says="k users who send other bits, or k bits injected, move the output by at most k n/(n - lambda), and can; the same holds for a user "
    "who sends r other bits in the real sum",
    range="1 <= k <= n, lambda in [0, n)",
    governs=["spec.protocols.bit_sum", "spec.protocols.real_sum"],
    mutants={"by at most k": {"scaled": False}},
)
def shifted(budget: Budget, *, scaled: bool = True) -> Verdict:
    found = _shifted(budget, scaled=scaled)
    reals = [
        real_sum.estimate(ones=5 + r, n=7, lam=Fraction(3), r=r) - real_sum.estimate(ones=5, n=7, lam=Fraction(3), r=r) for r in (1, 2, 3)
    ]
    if any(move != Fraction(7, 4) for move in reals):
        return Verdict.refuted(f"n = 7, lambda = 3, one user: {reals}", domain=found.domain, cases=found.cases)
    return found


@derived(
    "CSUZZ19.Sec3.2.remark-drop-out",
    where="beside section 3.2",
    says="when k of n users send nothing the output's mean is the sum over the others minus k lambda/(2 (n - lambda))",
    range="0 <= k < n, lambda in [0, n)",
    governs=["spec.protocols.bit_sum"],
    mutants={"it stays unbiased": {"biased": False}},
)
def dropped(budget: Budget, *, biased: bool = True) -> Verdict:
    """k users send nothing: the output's mean against the honest sum minus k lambda/(2 (n - lambda)), or against the sum."""
    largest = budget.pick(quick=6, full=10)

    def holds(n: int, k: int, share: Fraction) -> bool:
        if k >= n:
            return True
        lam = share * n
        respond: LocalRandomizer[int, int] = bit_sum.randomizer(n=n, lam=lam)
        for ones in range(n - k + 1):
            law = convolution(*map(respond.distribution, (1,) * ones + (0,) * (n - k - ones)))
            mean = sum((w * bit_sum.estimate(ones=y, n=n, lam=lam) for y, w in law.items()), Fraction(0))
            if mean != ones - (k * lam / (2 * (n - lam)) if biased else 0):
                return False
        return True

    return exhaustive.for_all(product(range(1, largest + 1), (0, 1, 2), map(Fraction, ("0", "1/3", "4/5"))), holds=holds).verdict(
        domain=f"n <= {largest}, k <= 2, lambda/n = 0, 1/3, 4/5, all honest data",
        witness=lambda c: f"n = {c[0]}, {c[1]} users send nothing, lambda = {c[2] * c[0]}",
        note="the analyzer subtracts lambda/2 as if everybody had sent; it could count the messages, y of them, and subtract y lambda/(2n)",
    )
