"""Random participation where more users may be asked than planned, and where one coin decides several releases.

Random participation with finitely many outcomes: what Coq's kernel has checked for all users, data and views, on examples.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import product as all_of
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Coq, Verdict, derived, for_finite_sets
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.rounds.random_participation import (
    _distribution,
    _homogeneous,
    _pairs,
    _view,
    _worst,
    items_that_are_dropped,
    users_who_take_part_at_random,
    users_whom_nobody_counts,
)
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.distribution import Distribution, hockey_stick, product

_RATES = (Fraction(1, 3), Fraction(3, 4))  # probabilities of taking part: seldom, and mostly
_ORDERS = (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(4))  # e^epsilon: total variation first, the last the local one
Bound = Callable[..., Fraction]


_worst_binary = partial(_worst, 2)


def _from_one(n: int, rate: Fraction, E: Fraction, _: int) -> Fraction:
    """The mixture over every number of participants from 1 on, of the planned users, who answer one question."""
    return random_participation.mixed(_worst_binary, n=n, rate=rate, exp_epsilon=E)


@derived(
    "BEYOND.random-participation-at-least",
    says="let n users or more take part with probability g each on secret coins, and let batches of fewer than m_0 reports be dropped. "
    "Whatever the number of users, the delta at order E is at most the mean, over the number m >= 1 of n users who take part, of "
    "(m/n) delta_m(1 + (E - 1) n/m); the same from m_0 on is not a bound",
    range="n' >= n >= 1, g in [0, 1], m_0 >= 1, E >= 1",
    governs=["impl.ball.random_participation"],
    grounds=["random-participation#more-users-than-planned", EXACT, "BEYOND.random-participation"],
    mutants={
        "batches of the planned users from m_0 on": {
            "bound": lambda n, rate, E, least: random_participation.mixed(_worst_binary, n=n, rate=rate, exp_epsilon=E, least=least)
        },
        "a user more than planned": {"bound": lambda n, *asked: _from_one(n + 1, *asked)},
    },
    missing="more users than enumerated",
)
def at_least(budget: Budget, *, bound: Bound = _from_one) -> Verdict:
    """All neighbouring datasets of binary response, of the planned number of users and up to two more, for every threshold."""
    largest = budget.pick(quick=3, full=4)

    def holds(n: int, more: int, least: int, rate: Fraction) -> bool:
        return all(
            hockey_stick(_view(2, x, rate, least), _view(2, y, rate, least), exp_epsilon=E) <= bound(n, rate, E, least)
            for x, y in _pairs(2, n + more)
            for E in _ORDERS
        )

    cases = [
        (n, more, least, rate)
        for n in range(1, largest)
        for more in range(largest + 1 - n)
        for least in range(1, n + more + 1)
        for rate in _RATES
    ]
    cases.append((3, 0, 1, _RATES[0]))  # of two users alone n/m is n - m + 1 as well
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"binary response, e^eps0 = 4, up to {largest} users, all neighbouring datasets and thresholds, g = 1/3, 3/4, four orders"
    )


def _twice(dataset: list[int]) -> Distribution[Any]:
    """Two questions with one answer, shuffled apart."""
    one = _distribution(2, tuple(dataset))
    return product(one, one)


@cache
def _worst_twice(m: int, E: Fraction) -> Fraction:
    return max(hockey_stick(_twice(list(x)), _twice(list(y)), exp_epsilon=E) for x, y in _pairs(2, m))


def _composed_first(n: int, rate: Fraction, E: Fraction, one_value: bool) -> Fraction:
    """Everything on the coin composed for m users, then amplified once; of one value by the mixture of smaller changes.

    Of neighbours who differ in the answer to one question what the other one shows is the same.
    """
    if one_value:
        return random_participation.mixed(_worst_binary, n=n, rate=rate, exp_epsilon=E, exchanged=_worst_twice)
    return random_participation.mixed(_worst_twice, n=n, rate=rate, exp_epsilon=E)


def _amplified_first(n: int, rate: Fraction, E: Fraction, one_value: bool) -> Fraction:
    """Mutant: each question with a coin of its own, at half of the loss each (E = 1 + 2 (sqrt E - 1) at least): twice the delta."""
    root = 1 + (E - 1) / 2
    return 2 * random_participation.mixed(_worst_binary, n=n, rate=rate, exp_epsilon=root)


@derived(
    "BEYOND.random-participation-of-several",
    says="let one secret coin of each user decide whether the user takes part in several releases. Then BEYOND.random-participation holds "
    "with the delta of all releases together to m users in the place of delta_m; and where neighbours differ in the answers to some of "
    "them only, BEYOND.random-participation-deletion holds with gamma_m that of all releases, and delta_m that of those that change",
    range="n >= 1, g in [0, 1], E >= 1",
    governs=["impl.ball.random_participation"],
    grounds=[
        "random-participation#several-releases-on-one-coin",
        EXACT,
        "BEYOND.random-participation",
        "BEYOND.random-participation-deletion",
    ],
    mutants={"one question alone": {"bound": _from_one}, "a coin for each question": {"bound": _amplified_first}},
    missing="more users and releases than enumerated",
)
def several(budget: Budget, *, bound: Bound = _composed_first) -> Verdict:
    """All neighbouring datasets of two binary questions on one coin: both answers change, or one of them."""
    largest = budget.pick(quick=2, full=3)

    def distribution_of(present: list[tuple[int, int]]) -> Distribution[Any]:
        return product(_distribution(2, tuple(a for a, _ in present)), _distribution(2, tuple(b for _, b in present)))

    def holds(n: int, rate: Fraction, one_value: bool) -> bool:
        pairs = list(all_of((0, 1), repeat=2))
        for others in all_of(pairs, repeat=n - 1) if n <= largest else ([each] * (n - 1) for each in pairs):
            for mine, other in all_of(pairs, repeat=2):
                if mine == other or (one_value and mine[0] != other[0]):
                    continue
                p, q = (random_participation.seen(distribution_of, [own, *others], rate=rate, least=1) for own in (mine, other))
                if any(hockey_stick(p, q, exp_epsilon=E) > bound(n, rate, E, one_value) for E in _ORDERS):
                    return False
        return True

    cases = [(n, rate, one_value) for n in range(1, largest + 1) for rate in (Fraction(1, 10), *_RATES) for one_value in (False, True)]
    cases += [(largest + 1, _RATES[0], one_value) for one_value in (False, True)]  # of two users alone n/m is n - m + 1 as well
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"two binary questions, e^eps0 = 4, n <= {largest}, all neighbouring datasets, g = 1/10, 1/3, 3/4, four orders"
    )


RATE = Fraction(1, 3)
"""The probability of taking part, in every example."""

ORDER = Fraction(5, 4)
"""E = e^epsilon, in every example: above 1 and below e^eps0 = 4."""

VIEW = "what is seen takes finitely many values and does not depend on the order of users"
"""What the theorems ask of the view."""

Mixed = Callable[..., Fraction]


for_finite_sets(
    users_who_take_part_at_random,
    Coq("participation_private", states="b86474ac3f8c884f"),
    says="let each of n users take part with probability g on a hidden toss, and let finitely many outcomes be seen of those m who do, "
    "whatever their order (batches of fewer than a stated number dropped). If what is seen of any m users is (ln E_m, delta_m)-DP for "
    "neighbours of which one user's data is replaced, E_m = 1 + (E - 1) n/m, the delta at order E is at most the mean over m of "
    "(m/n) delta_m",
    range=f"n >= 1, g in [0, 1], E >= 1, in any ordered field; {VIEW}",
)


@derived(
    "BEYOND.random-participation-exact.finite",
    where="docs/mathematics/random-participation.md, One pair, exactly",
    says="where each of n users takes part with probability g and batches of fewer than m_0 are dropped, the divergence of (x, z, ..., z) "
    "from (z, ..., z) at order E is exactly the mean over m >= m_0 of (m/n) times that of m users at E_m = 1 + (E - 1) n/m",
    range=f"n >= 1, g in [0, 1], E >= 1, in any ordered field; {VIEW}",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=[Coq("participation_exact", states="c151e03ebcd37b2d")],
    mutants={"the pair is taken the other way round": {"forward": False}},
)
def exactly(budget: Budget, *, forward: bool = True) -> Verdict:
    def holds(case: tuple[int, int]) -> bool:
        n, least = case
        p, q = (_view(2, (own, *[1] * (n - 1)), RATE, least) for own in (0, 1))
        said = random_participation.mixed(
            lambda m, order: _homogeneous(2, m, order, forward), n=n, rate=RATE, exp_epsilon=ORDER, least=least
        )
        return hockey_stick(p, q, exp_epsilon=ORDER) == said

    return _on_few_users(holds)


def _on_few_users(holds: Callable[[tuple[int, int]], bool]) -> Verdict:
    return exhaustive.for_all([(n, least) for n in (1, 2, 3) for least in (1, 2) if least <= n], holds=holds).verdict(
        domain="all of it by Coq; binary response of up to three users, all neighbouring datasets",
        witness=lambda case: f"n, least = {case}",
    )


for_finite_sets(
    items_that_are_dropped,
    Coq("participation_changes", states="25ba44d6fc8899cc"),
    says="where each of n users takes part with probability g on a hidden toss, batches of fewer than m_0 are dropped, and deltas of m "
    "users are at most gamma_m for any replacement of a user's data, and at most delta_m for neighbours, which differ in less, the delta "
    "at order E is at most the mean over m >= m_0 of (m/n) ((1 - beta_m) gamma_m(E_m) + beta_m delta_m(E_m)), E_m = 1 + (E - 1) n/m, "
    "beta_m = E/E_m",
    range=f"n >= 1, g in [0, 1], E >= 1, any relation of neighbours' data, in any ordered field; {VIEW}",
)


for_finite_sets(
    users_whom_nobody_counts,
    Coq("uncounted_private", states="4f912a42bac37607"),
    says="let deltas of at most delta hold at order 1 + (E - 1)/g, both ways, between the finitely many outcomes seen of any users and of "
    "the same with one more. If each takes part with probability g on a hidden toss, and nothing else reveals how many do, then "
    "g delta holds at order E of the users who may take part",
    range=f"g in (0, 1], E >= 1, any number of users, in any ordered field; {VIEW}",
)


@derived(
    "BEYOND.more-users.finite",
    where="docs/mathematics/random-participation.md, For which methods",
    says="for finitely many messages: if every adaptive sequence of n users whose steps are of a class is (eps, delta)-DP when shuffled, "
    "so is every one of more users; the class may be eps0-DP randomizers, (eps0, delta0)-DP ones, or one randomizer for all",
    range="n >= 1, k >= 0, all E, any class of randomizers, in any ordered field",
    governs=["spec.bounds.random_participation", "spec.bounds.swap.first_arrival_approximate"],
    grounds=[Coq("more_users", states="151ba86932f215b6")],
    mutants={"half of it": {"share": Fraction(1, 2)}},
)
def more_users(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    return exhaustive.for_all(
        [(k, m) for k in (2, 3) for m in (1, 2)], holds=lambda k, n: _worst(k, n + 1, ORDER) <= share * _worst(k, n, ORDER)
    ).verdict(domain="all of it by Coq; k-ary response of one user and more, k = 2, 3")
