"""CSUZZ19, section 3.2: the shuffled model, accuracy, one shuffle for several protocols, and users who do not follow the protocol."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Coq, Verdict, derived, recalled, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import ORDERS
from shuffleproof.spec.bounds.sums import bit_sum as profile
from shuffleproof.spec.distribution import Distribution, hockey_stick, product as independent
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution, shuffled_vectors_distribution
from shuffleproof.spec.protocols import bit_sum
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

Bits = tuple[int, ...]


def _sequence(randomizer: LocalRandomizer[int, int], dataset: Bits, *, permuted: bool) -> Distribution[Bits]:
    """The messages in a uniformly random order; not permuted: in the order of the users."""
    law: Distribution[Bits] = Distribution.point(())
    for x in dataset:
        law = independent(law, randomizer.distribution(x)).map(lambda pair: (*pair[0], pair[1]))
    return law.then(lambda y: Distribution.uniform(permutations(y))) if permuted else law


@statement(
    "CSUZZ19.Def3.4",
    says="P = (R, S, A) is (eps, delta)-DP if the permuted messages S(R(x_1), ..., R(x_n)) are; what counts is their multiset",
    governs=["spec.model", "spec.protocols.bit_sum"],
    mutants={"what counts is the sequence before shuffling": {"permuted": False}},
)
def shuffled_privacy(budget: Budget, *, permuted: bool = True) -> Verdict:
    largest = budget.pick(quick=3, full=4)
    noises = (Fraction(1, 2), Fraction(1), Fraction(4, 3))

    def holds(n: int, share: Fraction, order: Fraction) -> bool:
        randomizer = bit_sum.randomizer(n=n, lam=share * n / 2)
        for x, y in neighbouring_datasets((0, 1), n=n):
            sequences = [_sequence(randomizer, data, permuted=permuted) for data in (x, y)]
            multisets = [shuffled_distribution(randomizer, data) for data in (x, y)]
            ones = [bit_sum.ones_distribution(n=n, lam=share * n / 2, ones=sum(data)) for data in (x, y)]
            if len({hockey_stick(*pair, exp_epsilon=order) for pair in (sequences, multisets, ones)}) != 1:
                return False
        return True

    return exhaustive.for_all(product(range(1, largest + 1), noises, ORDERS), holds=holds).verdict(
        domain=f"the bit sum, n <= {largest}, three lambda, e^eps = 1, 3/2, 3, all neighbours, all n! orders",
        witness=lambda c: f"n = {c[0]}, lambda/n = {c[1] / 2}, e^eps = {c[2]}",
        note="given the multiset all orders are equally likely; for bits the multiset is the number of ones",
    )


@derived(
    "CSUZZ19.Def3.4.bit-sum",
    says="the least delta of the bit sum is the largest over k = 0, ..., n - 1 of that of the pair (k, k + 1) of numbers of ones, "
    "in both directions",
    range="n >= 1, lambda in [0, n], eps >= 0",
    governs=["spec.bounds.sums.bit_sum", "impl.ball.bounds.sums.bit_sum"],
    grounds=[Coq("bit_sum_profile", states="30f7c18541098093"), EXACT],
    mutants={
        "k = 0 alone: the pair (0, ..., 0), (1, 0, ..., 0)": {
            "claimed": lambda n, lam, order: profile.profiles(n=n, lam=lam)[0].delta(exp_epsilon=order)
        }
    },
)
def all_pairs(
    budget: Budget,
    *,
    claimed: Callable[[int, Fraction, Fraction], Fraction] = lambda n, lam, order: profile.worst_ones(n=n, lam=lam, exp_epsilon=order)[0],
) -> Verdict:
    """claimed(n, lambda, e^eps) against the least delta over every neighbouring pair of datasets, users' positions included."""
    largest = budget.pick(quick=4, full=6)

    def needed(n: int, lam: Fraction, order: Fraction) -> Fraction:
        views: dict[Bits, Distribution[Bits]] = {}
        randomizer = bit_sum.randomizer(n=n, lam=lam)
        for x in product((0, 1), repeat=n):
            views[x] = shuffled_distribution(randomizer, x)
        pairs = ((x, (*x[:i], 1 - x[i], *x[i + 1 :])) for x in views for i in range(n))
        return max(hockey_stick(views[x], views[y], exp_epsilon=order) for x, y in pairs)

    cases = [(n, share * n, order) for n in range(1, largest + 1) for share in map(Fraction, ("0", "1/4", "2/3", "1")) for order in ORDERS]
    return exhaustive.for_all(cases, holds=lambda c: needed(*c) == claimed(*c)).verdict(
        domain=f"n <= {largest}, lambda/n = 0, 1/4, 2/3, 1, e^eps = 1, 3/2, 3, all 2^n datasets and all their neighbours",
        witness=lambda c: (
            f"n = {c[0]}, lambda = {c[1]}, e^eps = {c[2]}: the pair named needs delta = {claimed(*c)}, some pair {needed(*c)}"
        ),
    )


@derived(
    "CSUZZ19.Def3.4.worst-pair",
    says="no single k is the worst for all lambda and eps: at n = 3, lambda = 2, e^eps = 1 the homogeneous pair needs 4/27 and k = 1 "
    "needs 5/27; at n = 3, lambda = 1, e^eps = 4 it is the other way round",
    governs=["spec.bounds.sums.bit_sum", "impl.ball.bounds.sums.bit_sum"],
    mutants={
        "k = 1 needs 1/6": {"needed": (Fraction(4, 27), Fraction(1, 6))},
        "k = 1 is the worse of the two there as well": {"other_way": (Fraction(2), Fraction(1))},
    },
)
def worst_pair(
    budget: Budget,
    *,
    needed: tuple[Fraction, Fraction] = (Fraction(4, 27), Fraction(5, 27)),
    other_way: tuple[Fraction, Fraction] = (Fraction(1), Fraction(4)),
) -> Verdict:
    """needed: the deltas of k = 0 and k = 1 at lambda = 2, e^eps = 1; other_way: lambda and e^eps where k = 0 is the worse of the two."""

    def deltas(lam: Fraction, order: Fraction) -> tuple[Fraction, Fraction]:
        found = profile.profiles(n=3, lam=lam)
        return found[0].delta(exp_epsilon=order), found[1].delta(exp_epsilon=order)

    first, second = deltas(Fraction(2), Fraction(1)), deltas(*other_way)
    told = f"n = 3, delta at k = 0 and k = 1: {first} at lambda = 2, e^eps = 1, {second} at lambda = {other_way[0]}, e^eps = {other_way[1]}"
    if first == needed and second[0] > second[1]:
        return Verdict.certified(domain="the two points named", cases=4, note=told)
    return Verdict.refuted(told, domain="the two points named", cases=4)


@statement(
    "CSUZZ19.Def3.5",
    says="P is (alpha, beta)-accurate for f if for all x: Pr[dist(P(x), f(x)) <= alpha] >= 1 - beta",
    range="all protocols, alpha >= 0, beta in [0, 1]",
    governs=["spec.protocols.bit_sum"],
    mutants={"dist < alpha for dist <= alpha": {"strictly": True}},
)
def accuracy(budget: Budget, *, strictly: bool = False) -> Verdict:
    """The smallest alpha for which the bit sum is (alpha, beta)-accurate, by all messages and from the distribution of the output."""
    largest = budget.pick(quick=3, full=6)

    def holds(n: int, share: Fraction, alpha: Fraction) -> bool:
        lam = share * n
        for dataset in product((0, 1), repeat=n):
            randomizer, fail = bit_sum.randomizer(n=n, lam=lam), Fraction(0)
            for sent, weight in _sequence(randomizer, dataset, permuted=False).items():
                error = abs(bit_sum.analyzer(n=n, lam=lam)(sent) - sum(dataset))
                fail += weight * (error >= alpha if strictly else error > alpha)
            law = bit_sum.estimate_distribution(n=n, lam=lam, ones=sum(dataset))
            if fail != sum((w for z, w in law.items() if abs(z - sum(dataset)) > alpha), Fraction(0)):
                return False
        return True

    cases = product(range(1, largest + 1), map(Fraction, ("0", "1/3", "1/2")), map(Fraction, ("0", "1/2", "1")))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"the bit sum, n <= {largest}, lambda/n = 0, 1/3, 1/2, alpha = 0, 1/2, 1, all datasets and all messages",
        witness=lambda c: f"n = {c[0]}, lambda = {c[0] * c[1]}, alpha = {c[2]}",
    )


@recalled(
    "CSUZZ19.Lem3.6",
    says="if P_1, ..., P_T are (eps, delta)-DP in the shuffled model, then so is R~(x) = (R_1(x), ..., R_T(x)) with one shuffle of all "
    "messages, with eps' = eps (e^eps - 1) T + eps sqrt(2 T ln(1/delta')) and delta' + T delta",
    range="T >= 1, delta' in (0, 1)",
    governs=["spec.model", "spec.composition"],
    grounds=["distributions-of-views#composition-of-runs", EXACT, "CSUZZ19.Lem3.3", "CSUZZ19.Lem3.2"],
    mutants={"the T messages of a user stay together": {"kept_together": True}},
    missing="that one shuffle of tagged messages is many shuffles, beyond four users and two runs",
)
def one_shuffle(budget: Budget, *, kept_together: bool = False) -> Verdict:
    """Two bit sums on the same bits: one shuffle of the tagged or untagged messages against two independent shuffles."""
    largest = budget.pick(quick=2, full=4)

    def composed(n: int, first: Fraction, second: Fraction, *, tagged: bool) -> LocalRandomizer[int, tuple[object, ...]]:
        runs = [bit_sum.randomizer(n=n, lam=lam) for lam in (first, second)]

        def distribution(x: int) -> Distribution[tuple[object, ...]]:
            both = independent(runs[0].distribution(x), runs[1].distribution(x))
            if kept_together:
                return both.map(lambda y: (y,))
            return both.map(lambda y: ((1, y[0]), (2, y[1])) if tagged else y)

        return LocalRandomizer((0, 1), {x: distribution(x) for x in (0, 1)})

    def holds(n: int, first: Fraction, second: Fraction, order: Fraction) -> bool:
        lams = (first * n, second * n)
        for x, y in neighbouring_datasets((0, 1), n=n):
            apart = [independent(*(bit_sum.ones_distribution(n=n, lam=lam, ones=sum(d)) for lam in lams)) for d in (x, y)]
            most = hockey_stick(*apart, exp_epsilon=order)
            tagged = [shuffled_vectors_distribution(composed(n, *lams, tagged=True), d) for d in (x, y)]
            untagged = [shuffled_vectors_distribution(composed(n, *lams, tagged=False), d) for d in (x, y)]
            if hockey_stick(*tagged, exp_epsilon=order) != most or hockey_stick(*untagged, exp_epsilon=order) > most:
                return False
        return True

    shares = ((Fraction(1, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(4, 5)))
    cases = ((n, *pair, order) for n, pair, order in product(range(1, largest + 1), shares, ORDERS))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"two bit sums, n <= {largest}, lambda/n = 1/3 twice or 1/3 and 4/5, e^eps = 1, 3/2, 3, all neighbours",
        witness=lambda c: f"n = {c[0]}, lambda = {c[1] * c[0]} and {c[2] * c[0]}, e^eps = {c[3]}",
        note="with tags one shuffle shows exactly what T shuffles show; without tags less. The T messages of a user must be shuffled one "
        "by one: sent as one tuple they stay linked, and the lemma fails (the mutant)",
    )


@statement(
    "CSUZZ19.Sec3.2.1.remark-local",
    says="with the identity in place of the shuffler, P is (eps, delta)-DP iff R is",
    governs=["spec.model"],
    mutants={"with the shuffler too": {"permuted": True}},
)
def local(budget: Budget, *, permuted: bool = False) -> Verdict:
    """Every delta of the n messages with their senders against that of one message."""
    largest = budget.pick(quick=3, full=5)

    def holds(n: int, flip: Fraction, order: Fraction) -> bool:
        randomizer = bit_sum.randomizer(n=1, lam=2 * flip)
        one = hockey_stick(randomizer.distribution(0), randomizer.distribution(1), exp_epsilon=order)
        pairs = neighbouring_datasets((0, 1), n=n)
        views = ([_sequence(randomizer, data, permuted=permuted) for data in pair] for pair in pairs)
        return all(hockey_stick(*view, exp_epsilon=order) == one for view in views)

    cases = product(range(1, largest + 1), map(Fraction, ("1/10", "1/3", "1/2")), ORDERS)
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"randomized response, n <= {largest}, flipped with 1/10, 1/3, 1/2, e^eps = 1, 3/2, 3, all neighbours",
        note="the other users' messages have the same distribution on both sides and are independent of the one that changes",
    )
