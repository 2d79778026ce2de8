"""CSUZZ19, sections 6.2.1 and 6.2.2: one bit sum for every coordinate, its distribution, and what two changed entries really cost."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import Budget, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.sums import bit_sum as profile
from shuffleproof.spec.composition import composed
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick
from shuffleproof.spec.protocols import bit_sum, per_coordinate
from shuffleproof.spec.vocabulary.numerals import decimal_text

Vector = tuple[int, ...]


@statement(
    "CSUZZ19.Sec6.2.1.per-coordinate",
    where="Section 6.2.1, footnote 3, and section 6.2.2",
    says="one round of the bit sum for every dimension: the numbers of ones with each tag are independent bit sums, whatever the "
    "users' vectors",
    range="n, d >= 1, lambda in [0, n]",
    governs=["spec.protocols.per_coordinate"],
    mutants={"a user's coordinates are random all together or not at all": {"shared": True}},
)
def coordinates(budget: Budget, *, shared: bool = False) -> Verdict:
    """Tagged messages of all users against independent bit sums; shared: one decision for all of a user's coordinates to be random."""
    sizes = ((1, 2), (2, 2), (1, 3)) if budget.depth == "quick" else ((1, 2), (2, 2), (3, 2), (1, 3), (2, 3))

    def distribution(n: int, lam: Fraction, dataset: tuple[Vector, ...]) -> Distribution[Vector]:
        if not shared:
            return per_coordinate.ones_distribution(dataset, lam=lam)
        d = len(dataset[0])
        counts: Distribution[Vector] = Distribution.point((0,) * d)
        coins = Distribution.uniform(per_coordinate.all_vectors(d))
        for x in dataset:
            sent = Distribution({0: 1 - lam / n, 1: lam / n}).then(lambda b, x=x: coins if b else Distribution.point(x))  # type: ignore[misc]
            counts = counts.then(lambda c, sent=sent: sent.map(lambda y: tuple(i + j for i, j in zip(c, y, strict=True))))  # type: ignore[misc]
        return counts

    def holds(case: tuple[tuple[int, int], Fraction]) -> bool:
        (n, d), share = case
        lam, vectors = share * n, per_coordinate.all_vectors(d)
        protocol = per_coordinate.protocol(inputs=vectors, n=n, lam=lam)
        for dataset in product(vectors, repeat=n):
            view = protocol.view(dataset)
            counts = view.map(lambda y: tuple(sum(bit for tag, bit in y if tag == j) for j in range(1, d + 1)))
            if counts != distribution(n, lam, dataset) or protocol.output(dataset) != per_coordinate.estimates_distribution(
                dataset, lam=lam
            ):
                return False
            estimates, truth = protocol.output(dataset).items(), per_coordinate.sums(dataset)
            for alpha in (Fraction(0), Fraction(1)):
                wrong = sum((w for e, w in estimates if truth[per_coordinate.selected(e) - 1] < max(truth) - alpha), Fraction(0))
                off = sum((w for e, w in estimates if any(abs(z - t) > alpha for z, t in zip(e, truth, strict=True))), Fraction(0))
                found = (
                    per_coordinate.selection_failure(dataset, lam=lam, alpha=alpha),
                    per_coordinate.histogram_failure(dataset, lam=lam, alpha=alpha),
                )
                if found != (wrong, off):
                    return False
        return True

    return exhaustive.for_all(product(sizes, map(Fraction, ("1/3", "4/5"))), holds=holds).verdict(
        domain=f"(n, d) = {', '.join(map(str, sizes))}, lambda/n = 1/3, 4/5, all datasets of {{0, 1}}^d, all messages",
        witness=lambda c: f"n = {c[0][0]}, d = {c[0][1]}, lambda/n = {c[1]}",
    )


def two_entries(*, n: int, lam: Fraction, order: Fraction) -> Fraction:
    """The least delta over all pairs: a of the others hold the value left, b the value entered, a + b <= n - 1; one count up, one down."""
    laws = [bit_sum.ones_distribution(n=n, lam=lam, ones=k) for k in range(n + 1)]
    worst = Fraction(0)
    for a in range(n):
        for b in range(n - a):
            pair = PrivacyProfile(*composed([(laws[a + 1], laws[a]), (laws[b], laws[b + 1])]))
            worst = max(worst, pair.delta(exp_epsilon=order))
    return worst


@derived(
    "CSUZZ19.Sec6.2.2.two-entries",
    where="Section 6.2.2, footnote 4",
    says="the least delta of the histogram is the largest over a + b <= n - 1 of that of two independent bit sums, one going from a + 1 to "
    "a ones and one from b to b + 1; it is at most 2 delta at 2 eps, and mostly less",
    range="n >= 1, d >= 3, lambda in [0, n] (for d = 2: a + b = n - 1)",
    governs=["spec.protocols.per_coordinate"],
    mutants={"a + b = n - 1 alone": {"two_values": True}},
)
def exact_cost(budget: Budget, *, two_values: bool = False) -> Verdict:
    """`two_entries` against all neighbours with three values; two_values: only datasets of two values are looked at in the claim."""
    largest = budget.pick(quick=3, full=6)
    orders = (Fraction(1), Fraction(3, 2), Fraction(3))
    smallest, domain = Fraction(1), f"n <= {largest}, d = 3, lambda/n = 1/5, 3/5, e^eps = 1, 3/2, 3, all datasets and all neighbours"
    units = per_coordinate.unit_vectors(3)
    for cases, (n, share, order) in enumerate(product(range(1, largest + 1), map(Fraction, ("1/5", "3/5")), orders), 1):
        lam, worst = share * n, Fraction(0)  # the worst of all datasets, then the one that is claimed to be
        for a in range(n):
            for b in range(n - a):
                others = [units[0]] * a + [units[1]] * b + [units[2]] * (n - 1 - a - b)
                views = [per_coordinate.ones_distribution([x, *others], lam=lam) for x in units[:2]]
                worst = max(worst, hockey_stick(*views, exp_epsilon=order), hockey_stick(*views[::-1], exp_epsilon=order))
        laws = [bit_sum.ones_distribution(n=n, lam=lam, ones=k) for k in range(n + 1)]
        if two_values:
            pairs = [composed([(laws[a + 1], laws[a]), (laws[n - 1 - a], laws[n - a])]) for a in range(n)]
            claimed = max(PrivacyProfile(*pair).delta(exp_epsilon=order) for pair in pairs)
        else:
            claimed = two_entries(n=n, lam=lam, order=order)
        if claimed != worst:
            witness = f"n = {n}, lambda = {lam}, e^eps = {order}: some pair needs {worst}, the ones looked at {claimed}"
            return Verdict.refuted(witness, domain=domain, cases=cases)
        single, _ = profile.worst_ones(n=n, lam=lam, exp_epsilon=order)
        doubled = two_entries(n=n, lam=lam, order=order**2)
        if doubled > 2 * single:
            return Verdict.refuted(f"n = {n}, lambda = {lam}, e^eps = {order}: more than 2 delta", domain=domain, cases=cases)
        if single:
            smallest = min(smallest, doubled / (2 * single))
    slack = f"at 2 eps at most 2 delta is needed, and at one place only {decimal_text(smallest, digits=3, direction='up')} of it"
    return Verdict.exhausted(domain=domain, cases=cases, slack=slack)
