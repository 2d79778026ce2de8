"""BC20, section 2: privacy as defined, against the functionals of the specification, and the shuffler."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import factorial

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.points import NUDGE, ORDERS
from shuffleproof.spec.bounds.noise import zero_sum as profiles
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, events, hockey_stick, product as independent
from shuffleproof.spec.model import LocalRandomizer, multiset, shuffled_vectors_distribution
from shuffleproof.spec.protocols import histogram, zero_sum
from shuffleproof.spec.randomizers.r_inf import r_inf
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_NOISE = tuple(map(Fraction, ("1/3", "1/2", "9/10")))
Reports = Distribution[tuple[int, ...]]
Views = dict[tuple[int, ...], Reports]


def satisfies(views: Views, *, order: Fraction, delta: Fraction, ordered_only: bool = False) -> bool:
    """Definition 2.1 word by word: all ordered neighbours, all events. ordered_only: x below x' only, which is not the definition."""
    for x, other in product(views, repeat=2):
        if sum(a != b for a, b in zip(x, other, strict=True)) != 1 or (ordered_only and x > other):
            continue
        p, q = views[x], views[other]
        for event in events(sorted({*p.support, *q.support}, key=repr)):
            if sum((p[y] for y in event), Fraction(0)) > order * sum((q[y] for y in event), Fraction(0)) + delta:
                return False
    return True


def _as_vectors(laws: Sequence[Distribution[int]]) -> list[Reports]:
    return [Distribution({(y,): weight for y, weight in law.items()}) for law in laws]


@statement(
    "BC20.Def2.1",
    says="M is (eps, delta)-DP iff Pr[M(x) in T] <= e^eps Pr[M(x') in T] + delta for all x ~ x' that differ in one row and all T",
    range="all M: X^n -> Z, eps >= 0, delta in [0, 1]",
    governs=["spec.vocabulary.scope", "spec.distribution"],
    mutants={"each unordered pair of neighbours in one direction only": {"ordered_only": True}},
)
def central(budget: Budget, *, ordered_only: bool = False) -> Verdict:
    """The definition by events against spec's profile over spec's neighbours, for the zero-sum protocol and for arbitrary M on {0, 1}^2."""
    largest = budget.pick(quick=3, full=5)
    laws = _as_vectors(distributions_in_parts(budget.pick(quick=2, full=3), 2))

    def cases() -> Iterator[tuple[int, Views, Fraction]]:
        for n, p, order in product(range(1, largest + 1), _NOISE, ORDERS):
            yield n, {x: shuffled_vectors_distribution(zero_sum.randomizer(p=p), x) for x in product((0, 1), repeat=n)}, order
        for chosen in product(laws, repeat=4):
            views: Views = dict(zip(product((0, 1), repeat=2), chosen, strict=True))
            if views[0, 1] == views[1, 0]:  # spec's neighbours differ in the first user, which stands for any user after a shuffler
                yield 2, views, Fraction(3, 2)

    def holds(n: int, views: Views, order: Fraction) -> bool:
        delta = max(PrivacyProfile(views[x], views[y]).delta(exp_epsilon=order) for x, y in neighbouring_datasets((0, 1), n=n))
        just_below = delta <= NUDGE or not satisfies(views, order=order, delta=delta - NUDGE, ordered_only=ordered_only)
        return satisfies(views, order=order, delta=delta, ordered_only=ordered_only) and just_below

    return exhaustive.for_all(cases(), holds=holds).verdict(
        domain=f"the zero-sum protocol for n <= {largest} and three p, e^eps = 1, 3/2, 3, and symmetric M on two users; all events"
    )


def independent_reports(laws: Sequence[Distribution[tuple[int, ...]]]) -> Distribution[tuple[int, ...]]:
    """The distribution of independent reports, one after the other."""
    joint: Distribution[tuple[int, ...]] = Distribution.point(())
    for law in laws:
        joint = independent(joint, law).map(lambda pair: pair[0] + pair[1])
    return joint


@statement(
    "BC20.Def2.3",
    where="Definitions 2.2 and 2.3",
    says="a local protocol is (eps, delta)-DP if its randomizer is, as an algorithm on datasets of size one",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.model"],
    mutants={"datasets of size two with equal rows": {"users": 2}},
)
def local(budget: Budget, *, users: int = 1) -> Verdict:
    """The least e^eps of Definition 2.3 (datasets of size one) against spec's exp_epsilon0, and the least delta at three orders."""
    laws = _as_vectors(distributions_in_parts(budget.pick(quick=5, full=7), 3))

    def holds(case: tuple[Reports, Reports]) -> bool:
        randomizer = LocalRandomizer((0, 1), dict(enumerate(case)))
        order = randomizer.exp_epsilon0()
        views: Views = {x: independent_reports([randomizer.distribution(bit) for bit in x * users]) for x in ((0,), (1,))}
        for E in ORDERS:
            delta = PrivacyProfile(*case).delta(exp_epsilon=E)
            if not satisfies(views, order=E, delta=delta) or (delta > NUDGE and satisfies(views, order=E, delta=delta - NUDGE)):
                return False
        if order is None:
            return not satisfies(views, order=Fraction(10**9), delta=Fraction(0))
        below = order <= 1 + NUDGE or not satisfies(views, order=order - NUDGE, delta=Fraction(0))
        return satisfies(views, order=order, delta=Fraction(0)) and below

    return exhaustive.for_all(product(laws, laws), holds=holds).verdict(
        domain="all randomizers on {0, 1} with three messages in parts of 1/5 (1/7 at full depth), all events, delta = 0 and e^eps = 1, "
        "3/2, 3",
        witness=lambda c: f"R(0) = {c[0]}, R(1) = {c[1]}",
    )


def _permuted(
    randomizer: LocalRandomizer[int, tuple[int, ...]], dataset: tuple[int, ...], *, within: bool
) -> Distribution[tuple[int, ...]]:
    """A uniform permutation of all messages, or (within) of the users' vectors, which stay together."""
    weights: dict[tuple[int, ...], Fraction] = {}
    for sent in product(*(randomizer.distribution(x).items() for x in dataset)):
        weight = Fraction(1)
        for _, mass in sent:
            weight *= mass
        vectors = [vector for vector, _ in sent]
        pieces = vectors if within else [(message,) for vector in vectors for message in vector]
        for order in permutations(pieces):
            sequence = tuple(message for piece in order for message in piece)
            weights[sequence] = weights.get(sequence, Fraction(0)) + weight / factorial(len(pieces))
    return Distribution(weights)


def _two_messages() -> list[LocalRandomizer[int, tuple[int, ...]]]:
    uniform: Reports = Distribution.uniform([(0, 1), (1, 1)])
    uneven: Reports = Distribution({(1, 2): Fraction(1, 3), (2, 0): Fraction(2, 3)})
    return [LocalRandomizer((0, 1), {0: uniform, 1: uneven}), LocalRandomizer((0, 1), {0: uneven, 1: Distribution.point((0, 1))})]


@statement(
    "BC20.Def2.4",
    says="the shuffler concatenates all message vectors and permutes the result uniformly: 6! permutations for three users of two messages",
    governs=["spec.model"],
    mutants={"users are permuted and their vectors stay together": {"within": True}},
)
def shuffler(budget: Budget, *, within: bool = False) -> Verdict:
    """Every order of a multiset is equally likely and the multiset is spec's view; three users with two messages: 6! permutations."""
    datasets = [(0, 1), (1, 1), (0, 1, 1)] if budget.depth == "quick" else [(0,), (1,), (0, 1), (1, 1), (0, 0, 1), (0, 1, 1), (1, 1, 1)]

    def holds(randomizer: LocalRandomizer[int, tuple[int, ...]], dataset: tuple[int, ...]) -> bool:
        law = _permuted(randomizer, dataset, within=within)
        view = shuffled_vectors_distribution(randomizer, dataset)
        if law.map(multiset) != view:
            return False
        return all(law[order] == law[multiset(y)] for y in view.support for order in set(permutations(y)))

    return exhaustive.for_all(product(_two_messages(), datasets), holds=holds).verdict(
        domain=f"two randomizers with two messages a user, {len(datasets)} datasets, all (2n)! permutations",
        witness=lambda c: f"x = {c[1]}, randomizer {[c[0].distribution(x) for x in (0, 1)]}",
        note="given the multiset, the order is uniform: releasing one or the other is the same",
    )


@statement(
    "BC20.Def2.5",
    says="a shuffled protocol is (eps, delta)-DP if S o R is: what counts is the permuted sequence, equivalently the multiset of messages",
    range="all multi-message randomizers",
    governs=["spec.model"],
    mutants={"what counts is the sequence before shuffling": {"shuffled": False}},
)
def shuffled_privacy(budget: Budget, *, shuffled: bool = True) -> Verdict:
    """The divergence between permuted sequences against that between spec's multisets, all neighbours."""
    largest = budget.pick(quick=2, full=3)
    cases = [(r, n, order) for r in (*_two_messages(), r_inf()) for n in range(1, largest + 1) for order in ORDERS]

    def holds(randomizer: LocalRandomizer[int, tuple[int, ...]], n: int, order: Fraction) -> bool:
        for x, y in neighbouring_datasets((0, 1), n=n):
            if shuffled:
                sequences = [_permuted(randomizer, data, within=False) for data in (x, y)]
            else:
                sequences = [independent_reports([randomizer.distribution(bit) for bit in data]) for data in (x, y)]
            views = [shuffled_vectors_distribution(randomizer, data) for data in (x, y)]
            if hockey_stick(*sequences, exp_epsilon=order) != hockey_stick(*views, exp_epsilon=order):
                return False
        return True

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"two randomizers with two messages a user and R^inf, n <= {largest}, e^eps = 1, 3/2, 3, all neighbours"
    )


@statement(
    "BC20.Sec2.remark-robustness",
    where="Section 2, after Definition 2.5",
    says="a user in a shuffled protocol may not have the same degree of privacy when other users deviate from it: in the zero sum "
    "delta_n(eps) <= delta_(n - k)(eps), and < for some n and k, where delta_m(eps) is the larger of D(B || 1 + B) and D(1 + B || B), B ~ "
    "Bin(m, p)",
    governs=["spec.bounds.noise.zero_sum"],
    mutants={"they have the same degree of privacy": {"unchanged": True}},
)
def robustness(budget: Budget, *, unchanged: bool = False) -> Verdict:
    """k users who send no noise leave Bin(n - k, p): the exact profile, which never improves. unchanged: claims that it stays the same."""
    most = budget.pick(quick=9, full=20)
    cases = [(n, k, p, order) for n in range(2, most + 1) for k in range(1, n) for p in _NOISE for order in ORDERS]

    def slack(n: int, k: int, p: Fraction, order: Fraction) -> Fraction:
        honest, left = (PrivacyProfile(*profiles.pair(n=users, p=p)).delta(exp_epsilon=order) for users in (n, n - k))
        return honest - left if unchanged else left - honest

    found = exhaustive.least_slack(cases, slack=slack)
    n, p = 100, Fraction(1, 2)
    sides = [profiles.delta(n=users, p=p, epsilon="ln 2") for users in (n, n // 2, 1)]
    shown = [each.lower for each in sides]
    return found.verdict(
        domain=f"the zero-sum protocol, n <= {most}, every number k of silent users, three p, e^eps = 1, 3/2, 3",
        note=f"n = 100, p = 1/2, eps = ln 2: delta is {float(shown[0]):.3g} with all users honest, {float(shown[1]):.3g} with 50 and "
        f"{float(shown[2]):.3g} with one; in a local protocol the others' behaviour changes nothing",
        given=all(more.upper < less.lower for more, less in pairwise(sides)),
    )


def _accuracy(budget: Budget, functional: Callable[..., Fraction], *, simultaneous: bool) -> Verdict:
    """Definition 2.6, or 2.7 (simultaneous), by its quantifiers over independent bins, against a functional of the joint distribution."""
    users, bins = budget.pick(quick=3, full=4), 3
    alphas = tuple(map(Fraction, ("0", "1/4", "1/2", "1")))
    cases = [
        (x, d, p, alpha)
        for d in range(1, bins + 1)
        for n in range(1, users + 1)
        for x in product(range(1, d + 1), repeat=n)
        if tuple(sorted(x)) == x
        for p in _NOISE
        for alpha in alphas
    ]

    def holds(x: tuple[int, ...], d: int, p: Fraction, alpha: Fraction) -> bool:
        n = len(x)
        truth = tuple(Fraction(x.count(j), n) for j in range(1, d + 1))
        joint = histogram.estimates_distribution(x, d=d, p=p)
        within = []
        for c in truth:
            of_bin = zero_sum.estimate_distribution(n=n, p=p, ones=int(c * n))
            within.append(sum((weight for estimate, weight in of_bin.items() if abs(estimate - c) <= alpha), Fraction(0)))
        all_within = Fraction(1)
        for probability in within:
            all_within *= probability
        return functional(joint, truth=truth, alpha=alpha) == 1 - (all_within if simultaneous else min(within))

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"P^hist on all datasets of n <= {users} users up to order, d <= {bins}, three p, four alpha"
    )


@statement(
    "BC20.Def2.6",
    says="(alpha, beta)-per-query accuracy: for all x and j, Pr[|P(x)_j - c_j(x)| <= alpha] >= 1 - beta",
    governs=["spec.protocols.histogram"],
    grounds=[EXACT, "BC20.Fig2"],
    mutants={"for all j inside the probability": {"simultaneous": True}},
)
def per_query(budget: Budget, *, simultaneous: bool = False) -> Verdict:
    return _accuracy(budget, histogram.per_query_failure, simultaneous=simultaneous)


@statement(
    "BC20.Def2.7",
    says="(alpha, beta)-simultaneous accuracy: for all x, Pr[for all j, |P(x)_j - c_j(x)| <= alpha] >= 1 - beta",
    governs=["spec.protocols.histogram"],
    grounds=[EXACT, "BC20.Fig2"],
    mutants={"for all j outside the probability": {"simultaneous": False}},
)
def simultaneous(budget: Budget, *, simultaneous: bool = True) -> Verdict:
    return _accuracy(budget, histogram.simultaneous_failure, simultaneous=simultaneous)
