"""Renyi divergences of integer orders from moments of one report: who adds how often to a power of a mean, and what all others add."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

from flint import acb, arb

from shuffleproof.impl.ball import renyi_of_powers
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, normal_tail, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import merged, sum_of
from shuffleproof.proofs_check.papers.beyond.rounds.renyi_from_profiles import RANDOMIZERS
from shuffleproof.spec.distribution import renyi_moment
from shuffleproof.spec.model import shuffled_distribution

_F = Fraction
_ORDERS = (2, 3, 5)
"""Orders at which everything is enumerated: even ones, odd ones, and one beyond the number of users."""
_NEAR = _F(3, 100)
"""What the engine's integral may be above the true one, of itself."""


def _moment_at_most(name: str, first: int, second: int, n: int, order: int, *, more: int, less: int) -> Fraction:
    """The bound on the moment of order `order`, exactly: the engine's terms with moments and inverse powers by enumeration."""
    randomizer, _ = RANDOMIZERS[name]
    laws = [randomizer.distribution(x) for x in randomizer.domain]
    m = {y: min(law[y] for law in laws) for y in randomizer.messages}
    u, v = ({y: randomizer.distribution(x)[y] / m[y] for y in m} for x in (first, second))
    of_one, total = merged([(_F(0), 1 - sum(m.values(), _F(0))), *((v[y], m[y]) for y in m)]), _F(0)
    for s, term in renyi_of_powers.terms(lambda a: ball(sum((u[y] ** (a - less) * m[y] for y in m), _F(0))), n, order):
        inverse = sum((p * ((s + more + x) / n) ** (1 - order) for x, p in sum_of([of_one] * (n - s)).items()), _F(0))
        total += upper_end(term) * inverse
    return total


def _of_few_users(*, more: int, less: int, sets: int) -> Verdict:
    """Return whether it is above all moments; and whether it is the moment where all others hold x_1, with R_1 for m."""

    def slack(name: str, n: int, order: int) -> Fraction:
        randomizer, _ = RANDOMIZERS[name]
        margins = []
        for x, y in permutations(randomizer.domain, 2):
            found = _moment_at_most(name, x, y, n, order, more=more, less=less)
            for rest in product(randomizer.domain, repeat=n - 1):
                truth = renyi_moment(*(shuffled_distribution(randomizer, (each, *rest)) for each in (x, y)), order=order)
                assert truth
                margins.append(found - truth)
            p, q = (randomizer.distribution(each) for each in (x, y))
            of_ratios = {a: ball(sum((p[r] ** a * q[r] ** (1 - a) for r in q.support), _F(0))) for a in range(1, order + 1)}
            ratios = renyi_of_powers.terms(of_ratios.__getitem__, n + sets, order)
            alike = renyi_moment(*(shuffled_distribution(randomizer, (each, *(y,) * (n - 1))) for each in (x, y)), order=order)
            assert alike
            total = sum((each for _, each in ratios), arb(0))
            margins.append(_F(1, 10**12) - max(abs(lower_end(total) / alike - 1), abs(upper_end(total) / alike - 1)))
        return min(margins)

    few = product(RANDOMIZERS, (1, 2, 3), _ORDERS)
    return exhaustive.least_slack(few, slack=slack).verdict(domain="all neighbours of n <= 3 users, three randomizers, orders 2, 3 and 5")


def _of_gaussian_noise(engine: Callable[..., list[arb]], wider: Fraction) -> Verdict:
    """Return whether the engine's mean of ((1 + v)/2)^(1 - order) is that of Gaussian noise, from above and nearly."""

    def slack(sigma: Fraction, order: int) -> Fraction:
        rate = 1 / ball(sigma)

        def density(w: acb, _: bool) -> acb:  # right of the middle, in units of sigma from 0: m is R_0 there, v = R_1/R_0
            return ((1 + (rate * (w - rate / 2)).exp()) / 2) ** (1 - order) * (-w * w / 2).exp()

        right = acb.integral(density, rate / 2, rate / 2 + 30).real / (2 * arb.pi()).sqrt()
        mass = normal_tail(rate / 2)
        truth = right + mass + (1 - 2 * mass) * arb(2) ** (order - 1)
        found = engine(sigma * wider, 2, order, 1)[0] / truth
        return min(lower_end(found) - 1 + _F(1, 10**15), 1 + _NEAR - upper_end(found))

    return exhaustive.least_slack(product((_F(1, 3), _F(1), _F(4)), (2, 3, 9)), slack=slack).verdict(
        claims=Status.CERTIFIED, domain="Gaussian noise of three sigma, two users, orders 2, 3 and 9, by an integral in ball arithmetic"
    )


@derived(
    "BEYOND.Renyi-powers",
    says="let alpha >= 2 be an integer, m at most every R_k, u = R_0/m, v = R_1/m with m's mass and 0 else, M_a the integral of u^a over "
    "m. The moment of order alpha of n shuffled reports is at most the sum over s >= 1 of C(n, s) n^-alpha alpha! times the coefficient of "
    "x^alpha in (sum over a >= 1 of M_a x^a/a!)^s and the mean of ((s + the sum of n - s of v)/n)^(1 - alpha). Where all others hold x_1 "
    "and m = R_1 it is that sum without the last factor",
    range="every randomizer, n >= 1, integers alpha >= 2; the engine: Gaussian noise on [0, 1], alpha up to 128",
    governs=["impl.ball.renyi_of_powers"],
    grounds=["optimal-pair#rényi-divergences-by-powers-of-a-mean", "BEYOND.any-law-above", "BEYOND.any-law-gaussian", EXACT, BALLS],
    mutants={
        "who adds something has v = 2": {"more": 1},
        "a moment of an order less": {"less": 1},
        "sets of one user more": {"sets": 1},
        "a standard deviation a tenth larger": {"wider": _F(11, 10)},
        "the others' v as it is for one user more": {
            "engine": lambda sigma, n, order, most: renyi_of_powers.inverse_powers(sigma, n + 1, order, most)
        },
    },
    missing="users and distributions beyond the enumerated ones",
)
def renyi_powers(
    budget: Budget,
    *,
    more: int = 0,
    less: int = 0,
    sets: int = 0,
    wider: Fraction = Fraction(1),
    engine: Callable[..., list[arb]] = renyi_of_powers.inverse_powers,
) -> Verdict:
    note = "in general: powers of a sum expand, and x^(1 - alpha) falls"
    return conjunction([_of_few_users(more=more, less=less, sets=sets), _of_gaussian_noise(engine, wider)], note=note)
