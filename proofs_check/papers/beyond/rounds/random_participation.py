"""Random participation: users who toss a hidden coin before they report, and what their shuffled reports say."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, product as product_of
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import merged, positive_part, sum_of
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.bounds.sums.coordinate_sums import coordinate_distribution
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial, hockey_stick, product
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr

_RATES = (Fraction(1, 3), Fraction(3, 4))  # probabilities of taking part: seldom, and mostly
_ORDERS = (Fraction(1), Fraction(21, 20), Fraction(5, 4), Fraction(2), Fraction(5, 2))
"""E^epsilon: total variation first, the others below e^eps0."""
_T = Fraction(4)  # e^eps0 of k-RR
Mixed = Callable[..., Fraction]


def _pairs(k: int, n: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Neighbouring datasets of n users, up to the order of the others."""
    for others in combinations_with_replacement(range(k), n - 1):
        yield from (((x, *others), (y, *others)) for x in range(k) for y in range(k) if x != y)


@cache
def _distribution(k: int, dataset: tuple[int, ...]) -> Distribution[Any]:
    return shuffled_distribution(_randomizer(k), dataset)


@cache
def _randomizer(k: int) -> LocalRandomizer[int, int]:
    return k_rr(k=k, exp_epsilon0=_T)


@cache
def _worst(k: int, m: int, E: Fraction) -> Fraction:
    """The exact delta of m users who all take part."""
    return max(hockey_stick(_distribution(k, x), _distribution(k, y), exp_epsilon=E) for x, y in _pairs(k, m))


@cache
def _view(k: int, dataset: tuple[int, ...], rate: Fraction, least: int) -> Distribution[Any]:
    return random_participation.view(_randomizer(k), dataset, rate=rate, least=least)


def _by_the_absent(
    delta_of: Callable[[int, Fraction], Fraction], *, n: int, rate: Fraction, exp_epsilon: Fraction, least: int = 1
) -> Fraction:
    """The mixture with n - m + 1 in the place of n/m, which is the same for two users: a mistake."""
    return sum(
        (
            weight / (n - m + 1) * delta_of(m, 1 + (exp_epsilon - 1) * (n - m + 1))
            for m, weight in binomial(n, rate).items()
            if m >= max(least, 1)
        ),
        Fraction(0),
    )


def _summed(k: int, n: int, rate: Fraction, E: Fraction, absent: Fraction) -> Fraction:
    """E(L_1 + ... + L_n)_+/n: with probability `rate` u - E v of a report of the last item, else `absent`."""
    first, second, rest = (_randomizer(k).distribution(x) for x in (0, 1, k - 1))
    one = merged([(absent, 1 - rate), *(((first[y] - E * second[y]) / p, rate * p) for y, p in rest.items())])
    return positive_part(sum_of([one] * n)) / n


@derived(
    "BEYOND.random-participation-below",
    says="let each of n users take part with probability g on a hidden toss, all others hold z, and let the number of those who came be "
    "seen. The divergence at order E of (x_0, z, ..., z) from (x_1, z, ..., z) is 1/n times the mean positive part of a sum of n "
    "independent losses, each with probability g one of a report of z, R_0/R_z - E R_1/R_z, and else 1 - E; where batches of fewer than "
    "m_0 are dropped it is smaller by at most the probability that fewer come",
    range="n >= 1, g in [0, 1], E >= 1",
    governs=["accounting.rounds_below"],
    grounds=["random-participation#one-pair-from-below", EXACT, "BEYOND.any-law-below"],
    mutants={
        "whoever is absent loses nothing": {"absent": 0},
        "users come with probability 1 - g": {"turned": True},
        "dropping costs nothing": {"dropped": 0},
    },
    missing="more users than enumerated",
)
def one_pair_below(budget: Budget, *, absent: int = 1, turned: bool = False, dropped: int = 1) -> Verdict:
    """Binary and 3-ary response, up to three users, every threshold, against the exact view."""

    def holds(k: int, n: int, rate: Fraction, E: Fraction) -> bool:
        found = _summed(k, n, 1 - rate if turned else rate, E, absent * (1 - E))
        views = [[_view(k, (x, *(k - 1,) * (n - 1)), rate, least) for x in (0, 1)] for least in range(1, n + 1)]
        truths = [hockey_stick(*both, exp_epsilon=E) for both in views]
        fewer = [sum((w for m, w in binomial(n, rate).items() if m < least), Fraction(0)) for least in range(1, n + 1)]
        return truths[0] == found and all(
            found - dropped * lost <= truth <= found for truth, lost in zip(truths[1:], fewer[1:], strict=True)
        )

    return exhaustive.for_all(product_of((2, 3), (1, 2, 3), _RATES, _ORDERS), holds=holds).verdict(
        domain="binary and 3-ary response, n <= 3, two rates, five orders, every threshold"
    )


@derived(
    "BEYOND.random-participation",
    says="let each of n users take part with probability g on a hidden toss, and let the reports of those m who do be shuffled, or "
    "anything be seen of them that does not depend on their order (batches of fewer than a stated number dropped). If what is seen of "
    "any m users is (ln E_m, delta_m(E_m))-DP for neighbours of which one user's data is replaced, then at every order E the delta is at "
    "most the mean over m of (m/n) delta_m(1 + (E - 1) n/m); with the divergences of (x, z, ..., z) from (z, ..., z) in the place of "
    "delta_m it is that of this pair, exactly",
    range="n >= 1, g in [0, 1], E >= 1",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=[
        "random-participation#random-participation",
        EXACT,
        "FMT21.Lem2.3",
        "BEYOND.random-participation.finite",
        "BEYOND.random-participation-exact.finite",
    ],
    mutants={
        "every m amplifies as the mean does": {
            "mixed": lambda delta_of, *, n, rate, exp_epsilon, least=1: random_participation.mixed(
                lambda m, order: delta_of(m, 1 + (order - 1) * Fraction(m, n) / rate), n=n, rate=rate, exp_epsilon=exp_epsilon, least=least
            )
        },
        "nothing amplifies": {
            "mixed": lambda delta_of, *, n, rate, exp_epsilon, least=1: random_participation.mixed(
                lambda m, order: delta_of(m, 1 + (order - 1) * Fraction(m, n)), n=n, rate=rate, exp_epsilon=exp_epsilon, least=least
            )
        },
        "the pair is taken the other way round": {"forward": False},
        "n - m + 1 for n/m": {"mixed": _by_the_absent},
        "one user more from three on": {"mixed": lambda *deltas, n, **asked: random_participation.mixed(*deltas, n=n + (n > 2), **asked)},
    },
    missing="more users than enumerated",
)
def users_who_take_part_at_random(budget: Budget, *, mixed: Mixed = random_participation.mixed, forward: bool = True) -> Verdict:
    """All neighbouring datasets of kRR with 2 and 3 items, the whole view against the mixture; the homogeneous pair, exactly."""
    largest = budget.pick(quick=2, full=3)

    def holds(k: int, n: int, rate: Fraction, least: int) -> bool:
        for E in _ORDERS:
            bound = mixed(lambda m, order: _worst(k, m, order), n=n, rate=rate, exp_epsilon=E, least=least)
            views = ((_view(k, x, rate, least), _view(k, y, rate, least)) for x, y in _pairs(k, n))
            if any(PrivacyProfile(p, q).delta(exp_epsilon=E) > bound for p, q in views):
                return False
        return True

    def is_exact(k: int, n: int, rate: Fraction, least: int) -> bool:
        p, q = (_view(k, (own, *[1] * (n - 1)), rate, least) for own in (0, 1))
        return all(
            hockey_stick(p, q, exp_epsilon=E)
            == mixed(lambda m, order: _homogeneous(k, m, order, forward), n=n, rate=rate, exp_epsilon=E, least=least)
            for E in _ORDERS
        )

    cases = [(k, n, rate, least) for k in (2, 3) for n in range(1, largest + 1) for rate in _RATES for least in (1, 2) if least <= n]
    # Of two users alone n/m is n - m + 1 as well.
    above = exhaustive.for_all(cases, holds=holds)
    exact = exhaustive.for_all([*cases, (2, 5, _RATES[0], 2)], holds=is_exact)
    told = f"kRR of k = 2, 3 items, e^eps0 = 4, n <= {largest}"
    parts = [
        above.verdict(domain=f"{told}, all neighbouring datasets, g = 1/3, 3/4, five orders"),
        exact.verdict(domain="the pair itself, exactly, of five users of binary response too"),
    ]
    return conjunction(
        parts,
        note="for all n and all randomizers: m is seen, and given m the sample is a uniform subset; user 1 is in it with probability m/n, "
        "and the distribution without user 1 is within delta_m of the distribution with them, by exchanging user 1 for a user who is not "
        "in the sample",
    )


def _homogeneous(k: int, m: int, E: Fraction, forward: bool) -> Fraction:
    laws: Sequence[Distribution[Any]] = (_distribution(k, (0, *[1] * (m - 1))), _distribution(k, (1,) * m))
    p, q = laws if forward else laws[::-1]
    return hockey_stick(p, q, exp_epsilon=E)


Distributions = Callable[[int, int], Distribution[int]]
_NOTHING = -1  # in place of an item: the user is not there
_ITEMS = 2  # all datasets of so many items are gone through


def _noisy(of: Distributions) -> Callable[[list[int]], Distribution[Any]]:
    """The coordinates of those who take part; of: (how many they are, how many hold its item) -> the distribution of one coordinate."""

    def distribution_of(present: list[int]) -> Distribution[Any]:
        found: Distribution[Any] = Distribution.point(())
        for item in range(_ITEMS):
            found = product(found, of(len(present), present.count(item))).map(lambda pair: (*pair[0], pair[1]))
        return found

    return distribution_of


_KINDS: dict[str, Distributions] = {
    "histogram": lambda m, ones: binomial(m, Fraction(1, 2)).map(lambda z: z + ones),
    "coordinate sums": lambda m, ones: coordinate_distribution(n=m, own=Fraction(3, 4), other=Fraction(1, 4), holders=ones),
    "fake users": lambda m, ones: binomial(2, Fraction(1, 3)).map(lambda z: z + ones),
}


@cache
def _largest(kind: str, m: int, E: Fraction, dropped: bool) -> Fraction:
    """The exact delta of m users who are all there, where one user's item is dropped, or replaced."""
    law_of, found = _noisy(_KINDS[kind]), Fraction(0)
    for others in combinations_with_replacement(range(_ITEMS), m - 1):
        p, q = law_of([0, *others]), law_of([_NOTHING if dropped else 1, *others])
        found = max(found, PrivacyProfile(p, q).delta(exp_epsilon=E))
    return found


@derived(
    "BEYOND.random-participation-deletion",
    says="let each of n users take part with probability g on a hidden toss, and let what is seen of those m who do not depend on their "
    "order. If its deltas are at most gamma_m where any user's data is replaced, and at most delta_m where neighbours differ, then at "
    "every order E the delta is at most the mean over m of (m/n) ((1 - beta_m) gamma_m(E_m) + beta_m delta_m(E_m)), E_m = 1 + (E - 1) n/m, "
    "beta_m = E/E_m; the same with delta_m alone is not a bound",
    range="n >= 1, g in [0, 1], E >= 1",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=[
        "random-participation#smaller-changes",
        EXACT,
        "FMT21.Lem2.3",
        "BEYOND.random-participation",
        "BEYOND.random-participation-deletion.finite",
    ],
    mutants={
        "users are never exchanged": {
            "mixed": lambda delta_of, *, exchanged, n, rate, exp_epsilon: random_participation.mixed(
                delta_of, n=n, rate=rate, exp_epsilon=exp_epsilon
            )
        },
        "99/100 of gamma": {
            "mixed": lambda delta_of, *, exchanged, **asked: random_participation.mixed(
                delta_of, exchanged=lambda m, order: exchanged(m, order) * 99 / 100, **asked
            )
        },
        "items are replaced": {"dropped": 1},
    },
    missing="more users and items than enumerated",
)
def items_that_are_dropped(budget: Budget, *, mixed: Mixed = random_participation.mixed, dropped: int = _NOTHING) -> Verdict:
    """All datasets with and without the item of a user, the whole view against the mixture: histograms and coordinate sums."""
    largest = budget.pick(quick=3, full=4)

    def holds(kind: str, n: int, rate: Fraction) -> bool:
        law_of = _noisy(_KINDS[kind])
        for others in combinations_with_replacement(range(_ITEMS), n - 1):
            p, q = (random_participation.seen(law_of, [own, *others], rate=rate, least=1) for own in (0, dropped))
            for E in _ORDERS:
                bound = mixed(
                    lambda m, order: _largest(kind, m, order, True),
                    exchanged=lambda m, order: _largest(kind, m, order, False),
                    n=n,
                    rate=rate,
                    exp_epsilon=E,
                )
                if PrivacyProfile(p, q).delta(exp_epsilon=E) > bound:
                    return False
        return True

    def is_whole(n: int, rate: Fraction) -> bool:
        """Where the change is itself a replacement, gamma is delta, and nothing is lost."""
        p, q = (_view(2, (own, *[1] * (n - 1)), rate, 1) for own in (0, 1))
        deltas = partial(_homogeneous, 2, forward=True)
        found = [mixed(deltas, exchanged=deltas, n=n, rate=rate, exp_epsilon=E) for E in _ORDERS]
        return found == [hockey_stick(p, q, exp_epsilon=E) for E in _ORDERS]

    cases = [(kind, n, rate) for kind in ("histogram", "coordinate sums") for n in range(1, largest + 1) for rate in _RATES]
    dropping = exhaustive.for_all(cases, holds=holds)
    replaced = exhaustive.for_all(product_of((1, 3), _RATES), holds=is_whole)
    told = f"P^hist (p = 1/2) and coordinate sums (p = 1/4) of two items, n <= {largest}"
    parts = [
        dropping.verdict(domain=f"{told}, all datasets, g = 1/3, 3/4, five orders"),
        replaced.verdict(domain="binary response replaced, exactly, n = 1, 3"),
    ]
    return conjunction(parts, note="for all: convexity in the second argument splits the exchange from the change")


@derived(
    "BEYOND.random-participation-uncounted",
    says="let deltas of at most delta(E) hold, both ways, between what is seen of any users and of the same with one more. If each takes "
    "part with probability g on a hidden toss, and nothing else reveals how many do, then g delta(1 + (E - 1)/g) holds of the users who "
    "may take part; of one user who may come, measured from nobody, it is so exactly",
    range="g in (0, 1], E >= 1, any number of users",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=["random-participation#nobody-counts", EXACT, "FMT21.Lem2.3", "BEYOND.random-participation-uncounted.finite"],
    mutants={
        "the order grows twice": {"uncounted": lambda delta_of, rate, exp_epsilon: rate * delta_of(1 + (exp_epsilon - 1) / rate**2)},
        "the order stays": {"uncounted": lambda delta_of, rate, exp_epsilon: rate * delta_of(exp_epsilon)},
        "how many take part is revealed": {"counted": True},
    },
    missing="more users and fakes than enumerated",
)
def users_whom_nobody_counts(
    budget: Budget, *, uncounted: Callable[..., Fraction] = random_participation.uncounted, counted: bool = False
) -> Verdict:
    """Two fake users, all datasets with and without one user, both directions; the user alone, exactly."""
    law_of, others = _noisy(_KINDS["fake users"]), budget.pick(quick=2, full=3)

    alone, nobody = law_of([0]), law_of([])
    both = PrivacyProfile(alone, nobody)

    def holds(beside: tuple[int, ...], rate: Fraction) -> bool:
        there, gone = (random_participation.seen(law_of, data, rate=rate, counted=counted) for data in ([0, *beside], [*beside]))
        for E in _ORDERS:
            bound = uncounted(lambda order: both.delta(exp_epsilon=order), rate=rate, exp_epsilon=E)
            exactly = uncounted(lambda order: hockey_stick(alone, nobody, exp_epsilon=order), rate=rate, exp_epsilon=E)
            if PrivacyProfile(there, gone).delta(exp_epsilon=E) > bound:
                return False
            if not beside and hockey_stick(there, gone, exp_epsilon=E) != exactly:
                return False
        return True

    every = [each for n in range(others + 1) for each in combinations_with_replacement(range(_ITEMS), n)]
    return exhaustive.for_all([(each, rate) for each in every for rate in _RATES], holds=holds).verdict(
        domain=f"two fake users of p = 1/3, two bins, up to {others} users beside, g = 1/3, 3/4, five orders",
        note="for all: who else takes part may be fixed by joint convexity",
    )
