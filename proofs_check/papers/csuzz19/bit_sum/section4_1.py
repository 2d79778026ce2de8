"""CSUZZ19, Algorithms 1 to 4: the bit sum, and the algorithms that simulate its view."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived, recalled, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.spec.bounds.sums import bit_sum as profile
from shuffleproof.spec.distribution import Distribution, binomial, convolution, hockey_stick, product as independent
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.protocols import bit_sum

Bits = tuple[int, ...]


def datasets(largest: int) -> Iterator[Bits]:
    """All datasets of up to this many bits."""
    for n in range(1, largest + 1):
        yield from product((0, 1), repeat=n)


@recalled(
    "CSUZZ19.Alg1",
    says="R_(n, lambda)(x): b ~ Ber(lambda/n); x if b = 0, else Ber(1/2). A_(n, lambda): (n/(n - lambda)) (sum of y_i - lambda/2)",
    range="n >= 1, lambda in [0, n], for the analyzer [0, n)",
    governs=["spec.protocols.bit_sum"],
    mutants={"lambda in place of lambda/2": {"shift": Fraction(1)}},
)
def algorithm_1(budget: Budget, *, shift: Fraction = HALF) -> Verdict:
    """The specified protocol against the steps written out once more; and that its output is unbiased, which is what lambda/2 is for."""
    largest = budget.pick(quick=3, full=5)

    def by_steps(dataset: Bits, lam: Fraction) -> Distribution[Fraction]:
        n = len(dataset)
        totals: dict[Fraction, Fraction] = {}
        for kept in product((True, False), repeat=n):
            for drawn in product((0, 1), repeat=n):
                weight = Fraction(1)
                for keeps in kept:
                    weight *= (1 - lam / n if keeps else lam / n) * HALF  # the coin is drawn, and looked at where the bit is not kept
                y = [x if keeps else coin for x, keeps, coin in zip(dataset, kept, drawn, strict=True)]
                z = n / (n - lam) * (sum(y) - lam * shift)
                totals[z] = totals.get(z, Fraction(0)) + weight
        return Distribution(totals)

    def holds(dataset: Bits, share: Fraction) -> bool:
        lam = share * len(dataset)
        law = by_steps(dataset, lam)
        return bit_sum.protocol(n=len(dataset), lam=lam).output(dataset) == law

    return exhaustive.for_all(product(datasets(largest), map(Fraction, ("0", "1/3", "4/5"))), holds=holds).verdict(
        domain=f"all datasets of n <= {largest} users, lambda/n = 0, 1/3, 4/5",
        witness=lambda c: f"x = {c[0]}, lambda = {c[1] * len(c[0])}",
        note="the analyzer needs lambda < n; at lambda = n the randomizer is still defined, and its messages are coins",
    )


def _by_order(dataset: Bits, *, subset: Sequence[int], noise: Fraction = HALF) -> Distribution[int]:
    """Algorithm 3 user by user: a coin for each user of H, the bit of each other one."""
    return convolution(*(binomial(1, noise) if i in subset else Distribution.point(x) for i, x in enumerate(dataset)))


@derived(
    "CSUZZ19.Alg3",
    says="C_H(x): the sum of x_i over i not in H, plus Bin(|H|, 1/2)",
    range="x in {0, 1}^n, H a set of users",
    governs=["spec.protocols.bit_sum"],
    mutants={"Bin(|H|, 1/3)": {"noise": Fraction(1, 3)}},
)
def algorithm_3(budget: Budget, *, noise: Fraction = HALF) -> Verdict:
    largest = budget.pick(quick=4, full=6)
    cases = ((x, h) for x in datasets(largest) for s in range(len(x) + 1) for h in combinations(range(len(x)), s))
    return exhaustive.for_all(cases, holds=lambda x, H: bit_sum.c_subset(x, subset=H) == _by_order(x, subset=H, noise=noise)).verdict(
        domain=f"all datasets of n <= {largest} users, all H"
    )


@derived(
    "CSUZZ19.Alg4",
    says="C_s(x): H uniform among the sets of s users, then C_H(x)",
    range="x in {0, 1}^n, s = 0, ..., n",
    governs=["spec.protocols.bit_sum"],
    mutants={"H by increasing draws, each uniform among those that leave enough": {"ordered": True}},
)
def algorithm_4(budget: Budget, *, ordered: bool = False) -> Verdict:
    """H by drawing one user after the other; ordered: only increasing draws are made, which is not uniform."""
    largest = budget.pick(quick=3, full=5)

    def drawn(n: int, s: int) -> Distribution[tuple[int, ...]]:
        law: Distribution[tuple[int, ...]] = Distribution.point(())
        for step in range(s):

            def extended(h: tuple[int, ...], step: int = step) -> Distribution[tuple[int, ...]]:
                first = h[-1] + 1 if ordered and h else 0
                left = [i for i in range(first, n - (s - 1 - step if ordered else 0)) if i not in h]
                return Distribution.uniform([(*h, i) for i in left])

            law = law.then(extended)
        return law

    def holds(dataset: Bits, s: int) -> bool:
        by_draws = drawn(len(dataset), s).then(lambda h: _by_order(dataset, subset=h))
        return bit_sum.c_size(dataset, s=s) == by_draws

    return exhaustive.for_all(((x, s) for x in datasets(largest) for s in range(len(x) + 1)), holds=holds).verdict(
        domain=f"all datasets of n <= {largest} users, all s"
    )


@derived(
    "CSUZZ19.Alg2",
    says="C_lambda(x): s ~ Bin(n, lambda/n), H uniform of size s, then C_H(x)",
    range="x in {0, 1}^n, lambda in [0, n]",
    governs=["spec.protocols.bit_sum"],
    mutants={"s = lambda, not drawn": {"both": False}},
)
def algorithm_2(budget: Budget, *, both: bool = True) -> Verdict:
    """The size of H and then H, against every user joining H independently; both: with the size drawn, else fixed at its mean."""
    largest = budget.pick(quick=3, full=5)

    def independently(dataset: Bits, lam: Fraction) -> Distribution[int]:
        n = len(dataset)
        chosen: Distribution[tuple[int, ...]] = Distribution.point(())
        for i in range(n):
            chosen = independent(chosen, binomial(1, lam / n)).map(lambda pair, i=i: (*pair[0], i) if pair[1] else pair[0])  # type: ignore[misc]
        return chosen.then(lambda h: _by_order(dataset, subset=h))

    def claimed(dataset: Bits, lam: Fraction) -> Distribution[int]:
        return bit_sum.c_lambda(dataset, lam=lam) if both else bit_sum.c_size(dataset, s=int(lam))

    cases = ((x, Fraction(s)) for x in datasets(largest) for s in range(len(x) + 1))
    return exhaustive.for_all(cases, holds=lambda c: claimed(*c) == independently(*c)).verdict(
        domain=f"all datasets of n <= {largest} users, lambda = 0, ..., n",
        witness=lambda c: f"x = {c[0]}, lambda = {c[1]}",
        note="every user is in H independently of the others: what makes CSUZZ19.Clm4.5.independent possible",
    )


DistributionOf = Callable[[int, Fraction, int], Distribution[int]]


def ones_of_protocol(n: int, lam: Fraction, ones: int) -> Distribution[int]:
    """The distribution of the number of ones that the protocol's aggregated form states."""
    return bit_sum.ones_distribution(n=n, lam=lam, ones=ones)


def _messages(n: int, share: Fraction) -> dict[Bits, Distribution[int]]:
    """The distribution of the number of ones of every dataset of up to n users, one message after the other."""
    respond = bit_sum.randomizer(n=n, lam=share * n)
    laws: dict[Bits, Distribution[int]] = {(): Distribution.point(0)}
    for dataset in datasets(n):
        laws[dataset] = convolution(laws[dataset[:-1]], respond.distribution(dataset[-1]))
    return laws


@derived(
    "CSUZZ19.Clm4.2",
    says="Pr[C_lambda(x) = r] = Pr[sum of R_(n, lambda)(x_i) = r]",
    range="n >= 1, x in {0, 1}^n, r = 0, ..., n, lambda in [0, n]",
    governs=["spec.protocols.bit_sum", "impl.release"],
    grounds=["distributions-of-views#the-bit-sum", EXACT],
    mutants={
        "a message is flipped with lambda/n in place of lambda/(2n)": {
            "distribution": lambda n, lam, ones: convolution(binomial(ones, 1 - lam / n), binomial(n - ones, lam / n))
        }
    },
    missing="more than six users",
)
def simulated(budget: Budget, *, distribution: DistributionOf = ones_of_protocol) -> Verdict:
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
                aggregated = distribution(n, lam, sum(dataset))
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


@statement(
    "CSUZZ19.Clm4.3",
    says="if C_lambda is (eps, delta)-DP then P_(n, lambda) is (eps, delta)-DP",
    range="n >= 1, lambda in [0, n], eps >= 0, delta in [0, 1]",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=["distributions-of-views#the-bit-sum", EXACT, "CSUZZ19.Lem3.2"],
    mutants={"P_(n, lambda) is (eps, 0.99 delta)-DP": {"weaker": Fraction(99, 100)}},
    missing="more users than enumerated",
)
def private_if_simulated(budget: Budget, *, weaker: Fraction = Fraction(1)) -> Verdict:
    """The divergence of the messages equals that of C_lambda; weaker: a factor on the latter."""
    largest = budget.pick(quick=3, full=5)

    def holds(rest: Bits, share: Fraction, order: Fraction) -> bool:
        n = len(rest) + 1
        pair = [(x, *rest) for x in (0, 1)]
        views = [shuffled_distribution(bit_sum.randomizer(n=n, lam=share * n), d) for d in pair]
        counts = [bit_sum.c_lambda(d, lam=share * n) for d in pair]
        return hockey_stick(*views, exp_epsilon=order) <= weaker * hockey_stick(*counts, exp_epsilon=order)

    rests = [(), *datasets(largest - 1)]
    cases = product(rests, map(Fraction, ("1/3", "4/5")), map(Fraction, ("1", "3/2", "3")))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= {largest}, all neighbours, lambda/n = 1/3, 4/5, e^eps = 1, 3/2, 3",
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
