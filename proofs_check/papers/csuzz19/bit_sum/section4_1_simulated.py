"""CSUZZ19, Claims 4.2 and 4.3: the simulators have the distribution of the protocol's view, and its privacy."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_1 import Bits, datasets
from shuffleproof.spec.bounds.sums import bit_sum as profile
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.protocols import bit_sum

Law = Callable[[int, Fraction, int], Distribution[int]]


def ones_of_protocol(n: int, lam: Fraction, ones: int) -> Distribution[int]:
    """The distribution of the number of ones that the protocol's aggregated form states."""
    return bit_sum.ones_law(n=n, lam=lam, ones=ones)


def _messages(n: int, share: Fraction) -> dict[Bits, Distribution[int]]:
    """The distribution of the number of ones of every dataset of up to n users, one message after the other."""
    respond = bit_sum.randomizer(n=n, lam=share * n)
    laws: dict[Bits, Distribution[int]] = {(): Distribution.point(0)}
    for dataset in datasets(n):
        laws[dataset] = convolution(laws[dataset[:-1]], respond.law(dataset[-1]))
    return laws


def _simulated(budget: Budget, *, law: Law = ones_of_protocol) -> Verdict:
    """Per-user messages, aggregated binomials and C_lambda: one distribution, for every dataset of n <= 6 users, at n + 1 values of lambda.

    For fixed n, x and r each of the three probabilities is a polynomial in lambda of degree at most n, so n + 1 values prove it for all.
    """
    largest, simulated_to = 6, budget.pick(quick=5, full=6)
    cases = 0
    domain = (
        f"n <= {simulated_to} (messages against the aggregated distribution n <= {largest}), all 2^n datasets, all r, and all lambda: "
        "polynomials of degree n that agree at n + 1 values"
    )
    for n in range(1, largest + 1):
        shares = [Fraction(i, n) for i in range(n + 1)]
        user_by_user = {share: _messages(n, share) for share in shares}
        for dataset in product((0, 1), repeat=n):
            by_size = [bit_sum.c_size(dataset, s=s) for s in range(n + 1)] if n <= simulated_to else []
            for share in shares:
                cases += 1
                lam = share * n
                aggregated = law(n, lam, sum(dataset))
                sizes = binomial(n, share)
                simulated = {y: sum((sizes[s] * law_s[y] for s, law_s in enumerate(by_size)), Fraction(0)) for y in range(n + 1)}
                messages = user_by_user[share][dataset]
                if aggregated != messages or (by_size and Distribution(simulated) != messages):
                    witness = f"x = {dataset}, lambda = {lam}: Pr = {dict(sorted(messages.items()))} from the messages"
                    return Verdict.refuted(witness, domain=domain, cases=cases)
    return Verdict.certified(
        domain=domain,
        cases=cases,
        note="for every n: each user is in H with probability lambda/n, independently of the others (CSUZZ19.Alg2)",
    )


@derived(
    "CSUZZ19.Clm4.2",
    says="Pr[C_lambda(x) = r] = Pr[sum of R_(n, lambda)(x_i) = r]",
    range="n >= 1, x in {0, 1}^n, r = 0, ..., n, lambda in [0, n]",
    governs=["spec.protocols.bit_sum", "impl.release"],
    grounds=["laws-of-views#the-bit-sum", EXACT],
    mutants={
        "a message is flipped with lambda/n in place of lambda/(2n)": {
            "law": lambda n, lam, ones: convolution(binomial(ones, 1 - lam / n), binomial(n - ones, lam / n))
        }
    },
    missing="more than six users",
)
def simulated(budget: Budget, *, law: Law = ones_of_protocol) -> Verdict:
    return _simulated(budget, law=law)


@statement(
    "CSUZZ19.Clm4.3",
    says="if C_lambda is (eps, delta)-DP then P_(n, lambda) is (eps, delta)-DP",
    range="n >= 1, lambda in [0, n], eps >= 0, delta in [0, 1]",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=["laws-of-views#the-bit-sum", EXACT, "CSUZZ19.Lem3.2"],
    mutants={"P_(n, lambda) is (eps, 0.99 delta)-DP": {"weaker": Fraction(99, 100)}},
    missing="more users than enumerated",
)
def private_if_simulated(budget: Budget, *, weaker: Fraction = Fraction(1)) -> Verdict:
    """The divergence of the messages equals that of C_lambda; weaker: a factor on the latter."""
    largest = budget.pick(quick=3, full=5)

    def holds(rest: Bits, share: Fraction, order: Fraction) -> bool:
        n = len(rest) + 1
        pair = [(x, *rest) for x in (0, 1)]
        views = [shuffled_law(bit_sum.randomizer(n=n, lam=share * n), d) for d in pair]
        counts = [bit_sum.c_lambda(d, lam=share * n) for d in pair]
        return hockey_stick(*views, exp_epsilon=order) <= weaker * hockey_stick(*counts, exp_epsilon=order)

    rests = [(), *datasets(largest - 1)]
    cases = product(rests, map(Fraction, ("1/3", "4/5")), map(Fraction, ("1", "3/2", "3")))
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"n <= {largest}, all neighbours, lambda/n = 1/3, 4/5, e^eps = 1, 3/2, 3",
        witness=lambda c: f"others {c[0]}, lambda/n = {c[1]}, e^eps = {c[2]}",
        note="for every n: a uniformly random string with the given number of ones has the distribution of the shuffled messages",
    )


@statement(
    "CSUZZ19.Sec4.2.remark-all-coins",
    where="Section 4.2, before Theorem 4.1",
    says="at lambda = n every user's output is Ber(1/2), independent of their input, and the protocol is (0, 0)-DP",
    range="n >= 1",
    governs=["spec.bounds.sums.bit_sum"],
    mutants={"lambda = n - 1/1000": {"missing": Fraction(1, 1000)}},
)
def all_coins(budget: Budget, *, missing: Fraction = Fraction(0)) -> Verdict:
    largest = budget.pick(quick=8, full=20)
    found = exhaustive.for_all(
        range(1, largest + 1), holds=lambda n: profile.worst_ones(n=n, lam=n - missing, exp_epsilon=Fraction(1))[0] == 0
    )
    return found.verdict(
        domain=f"all n: both distributions of a message are Ber(1/2); the profile at n <= {largest}",
        witness=lambda n: f"n = {n}, lambda = {n - missing}",
        note="the analyzer divides by n - lambda = 0 there: the protocol has no output, only a view",
    )
