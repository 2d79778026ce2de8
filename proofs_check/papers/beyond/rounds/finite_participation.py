"""Random participation with finitely many outcomes: what Coq's kernel has checked for all users, data and views, on examples."""

from collections.abc import Callable
from fractions import Fraction

from shuffleproof.proofs_check.ledger import Budget, Coq, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.rounds.random_participation import (
    _KINDS,
    _by_rate,
    _homogeneous,
    _largest,
    _noisy,
    _not_exchanged,
    _pairs,
    _view,
    _worst,
)
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.privacy_profile import PrivacyProfile

RATE = Fraction(1, 3)
"""The probability of taking part, in every example."""

ORDER = Fraction(5, 4)
"""E = e^epsilon, in every example: above 1 and below e^eps0 = 4."""

VIEW = "what is seen takes finitely many values and does not depend on the order of users"
"""What the theorems ask of the view."""

Mixed = Callable[..., Fraction]


@derived(
    "BEYOND.random-participation.finite",
    where="docs/mathematics/random-participation.md",
    says="let each of n users take part with probability g on a hidden toss, and let finitely many outcomes be seen of those m who do, "
    "whatever their order (batches of fewer than a stated number dropped). If what is seen of any m users is (ln E_m, delta_m)-DP for "
    "neighbours of which one user's data is replaced, E_m = 1 + (E - 1) n/m, the delta at order E is at most the mean over m of "
    "(m/n) delta_m",
    range=f"n >= 1, g in [0, 1], E >= 1, in any ordered field; {VIEW}",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=[Coq("participation_private", states="b86474ac3f8c884f")],
    mutants={"every m amplifies as the mean does": {"mixed": _by_rate}},
)
def above(budget: Budget, *, mixed: Mixed = random_participation.mixed) -> Verdict:
    def holds(case: tuple[int, int]) -> bool:
        n, least = case
        bound = mixed(lambda m, order: _worst(2, m, order), n=n, rate=RATE, exp_epsilon=ORDER, least=least)
        views = ((_view(2, x, RATE, least), _view(2, y, RATE, least)) for x, y in _pairs(2, n))
        return all(PrivacyProfile(p, q).delta(exp_epsilon=ORDER) <= bound for p, q in views)

    return _on_few_users(holds)


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


@derived(
    "BEYOND.random-participation-deletion.finite",
    where="docs/mathematics/random-participation.md, Smaller changes",
    says="where each of n users takes part with probability g on a hidden toss, batches of fewer than m_0 are dropped, and deltas of m "
    "users are at most gamma_m for any replacement of a user's data, and at most delta_m for neighbours, which differ in less, the delta "
    "at order E is at most the mean over m >= m_0 of (m/n) ((1 - beta_m) gamma_m(E_m) + beta_m delta_m(E_m)), E_m = 1 + (E - 1) n/m, "
    "beta_m = E/E_m",
    range=f"n >= 1, g in [0, 1], E >= 1, any relation of neighbours' data, in any ordered field; {VIEW}",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=[Coq("participation_changes", states="25ba44d6fc8899cc")],
    mutants={"users are never exchanged": {"mixed": _not_exchanged}},
)
def changes(budget: Budget, *, mixed: Mixed = random_participation.mixed) -> Verdict:
    law_of = _noisy(_KINDS["histogram"])

    def holds(others: tuple[int, ...]) -> bool:
        p, q = (random_participation.seen(law_of, [own, *others], rate=RATE, least=1) for own in (0, -1))
        deltas = {dropped: lambda m, order, dropped=dropped: _largest("histogram", m, order, dropped) for dropped in (True, False)}
        bound = mixed(deltas[True], exchanged=deltas[False], n=len(others) + 1, rate=RATE, exp_epsilon=ORDER)
        return PrivacyProfile(p, q).delta(exp_epsilon=ORDER) <= bound

    return exhaustive.for_all([(), (0,), (1,), (1, 1)], holds=holds).verdict(
        domain="all of it by Coq; histograms of up to three users, an item that is dropped", witness=lambda case: f"others = {case}"
    )


@derived(
    "BEYOND.random-participation-uncounted.finite",
    where="docs/mathematics/random-participation.md, Nobody counts",
    says="let deltas of at most delta hold at order 1 + (E - 1)/g, both ways, between the finitely many outcomes seen of any users and of "
    "the same with one more. If each takes part with probability g on a hidden toss, and nothing else tells how many do, then "
    "g delta holds at order E of the users who may take part",
    range=f"g in (0, 1], E >= 1, any number of users, in any ordered field; {VIEW}",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=[Coq("uncounted_private", states="4f912a42bac37607")],
    mutants={"the order grows twice": {"again": RATE}},
)
def uncounted(budget: Budget, *, again: Fraction = Fraction(1)) -> Verdict:
    law_of = _noisy(_KINDS["fake users"])
    alone, nobody = law_of([0]), law_of([])

    def holds(others: tuple[int, ...]) -> bool:
        there, gone = (random_participation.seen(law_of, data, rate=RATE, counted=False) for data in ([0, *others], [*others]))
        order = 1 + (ORDER - 1) / again
        # A user more is the same shift of the counts, whoever is there.
        bound = random_participation.uncounted(lambda E: hockey_stick(alone, nobody, exp_epsilon=E), rate=RATE, exp_epsilon=order)
        return hockey_stick(there, gone, exp_epsilon=ORDER) <= bound

    return exhaustive.for_all([(), (0,), (1,)], holds=holds).verdict(
        domain="all of it by Coq; two fake users of p = 1/3, two bins, up to two users", witness=lambda case: f"others = {case}"
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
        [(k, m) for k in (2, 3) for m in (1, 2)], holds=lambda case: _worst(case[0], case[1] + 1, ORDER) <= share * _worst(*case, ORDER)
    ).verdict(domain="all of it by Coq; k-ary response of one user and more, k = 2, 3", witness=lambda case: f"k, n = {case}")
