"""Renyi divergences from upper values of a privacy profile: chords in e^epsilon, ended where pure local privacy ends it."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product

from shuffleproof.impl.ball import renyi_of_profile
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Pair
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick, renyi_moment
from shuffleproof.spec.model import LocalRandomizer, shuffled_law
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds

_ORDERS = (2, 3, 6)  # integers, so that divergences are rational
_F = Fraction
_UNLIKE = LocalRandomizer(
    range(2), {0: Distribution({0: _F(6, 8), 1: _F(1, 8), 2: _F(1, 8)}), 1: Distribution({0: _F(3, 8), 1: _F(2, 8), 2: _F(3, 8)})}
)
"""Of two inputs that are not alike: no direction is the other one's mirror image."""
_UNLIKE_NAME = "an unlike pair of distributions"
_RANDOMIZERS = {
    "3RR, e^eps0 = 3": (k_rr(k=3, exp_epsilon0=_F(3)), _F(3)),
    "3RR, e^eps0 = 3/2": (k_rr(k=3, exp_epsilon0=_F(3, 2)), _F(3, 2)),
    _UNLIKE_NAME: (_UNLIKE, _F(3)),
}
_ORDERED_POINTS = {"no point": (), "two points": (_F(1, 8), _F(1, 2)), "eleven points": tuple(_F(k, 12) for k in range(1, 12))}
"""Where E stands between 1 and e^eps0."""


@cache
def _neighbours(name: str, n: int) -> tuple[Pair, ...]:
    """The distributions on all neighbouring datasets, both ways round."""
    randomizer, _ = _RANDOMIZERS[name]
    rests = product(randomizer.domain, repeat=n - 1)
    laws = ([shuffled_law(randomizer, (x, *rest)) for x in randomizer.domain] for rest in rests)
    return tuple(pair for of_rest in laws for pair in permutations(of_rest, 2))


@cache
def _largest_moment(name: str, n: int, order: int) -> Fraction:
    """Return the largest moment of all neighbours."""
    return max(renyi_moment(*pair, order=order) or Fraction(0) for pair in _neighbours(name, n))


@cache
def _largest_divergence(name: str, n: int, E: Fraction) -> Fraction:
    """Return the largest divergence of all neighbours."""
    return max(hockey_stick(*pair, exp_epsilon=E) for pair in _neighbours(name, n))


def _moment(corners: list[tuple[Fraction, Fraction]], order: int) -> Fraction:
    """Return the moment of the broken line from (0, 1) through these (E, D_E), 0 from the last on: E^order times the change of slope."""
    slopes = [(corners[0][1] - 1) / corners[0][0], *((v - u) / (F - E) for (E, u), (F, v) in pairwise(corners)), Fraction(0)]
    return sum((E**order * (after - before) for (E, _), (before, after) in zip(corners, pairwise(slopes), strict=True)), Fraction(0))


def _identity(*, more: int = 0) -> Verdict:
    """more: added to the order on the right."""

    def holds(name: str, n: int, order: int) -> bool:
        for p, q in _neighbours(name, n):
            ratios = sorted({p[y] / q[y] for y in q.support})
            line = [(E, hockey_stick(p, q, exp_epsilon=E)) for E in ratios]
            if _moment(line, order + more) != renyi_moment(p, q, order=order):
                return False
        return True

    return exhaustive.for_all(product(_RANDOMIZERS, (1, 2, 3), _ORDERS), holds=exhaustive.unpacked(holds)).verdict(
        domain="the moment by changes of slope of the profile itself, all neighbours of n <= 3 users, three randomizers, orders 2, 3, 6",
        witness=lambda case: f"{case[0]}, n = {case[1]}, order {case[2]}",
    )


def _chords(*, shift: int = 0, one_way: bool = False) -> Verdict:
    """shift: upper values are those of so many points further on; one_way: of neighbours in one direction only."""

    def slack(name: str, n: int, points: str, order: int) -> Fraction:
        T = _RANDOMIZERS[name][1]
        E = [Fraction(1), *(1 + (T - 1) * share for share in _ORDERED_POINTS[points]), T]
        if one_way and name == _UNLIKE_NAME:  # of two inputs: every second one is the other way round
            uppers = [max(hockey_stick(*pair, exp_epsilon=at) for pair in _neighbours(name, n)[::2]) for at in E]
        else:
            uppers = [_largest_divergence(name, n, at) for at in E]
        uppers = uppers[shift:] + [Fraction(0)] * shift
        right = list(zip(E, uppers, strict=True))
        corners: list[tuple[Fraction, Fraction]] = []
        for x, y in (*((1 / at, 1 - (1 - u) / at) for at, u in reversed(right[1:])), *right):
            while len(corners) >= 2 and (corners[-1][1] - corners[-2][1]) * (x - corners[-2][0]) >= (y - corners[-2][1]) * (
                corners[-1][0] - corners[-2][0]
            ):
                corners.pop()
            corners.append((x, y))
        worst = _largest_moment(name, n, order)
        pure = (T**order + T ** (1 - order)) / (T + 1)
        bound = _moment(corners, order)
        return min(bound - worst, pure - bound)

    cases = product(_RANDOMIZERS, (1, 2, 3), _ORDERED_POINTS, _ORDERS)
    return exhaustive.least_slack(cases, slack=exhaustive.unpacked(slack)).verdict(
        domain="chords through 2, 4, 13 points against all neighbours of n <= 3 users, three randomizers, orders 2, 3, 6: not below the "
        "largest moment, not above binary response's",
        witness=lambda case: f"{case[0]}, n = {case[1]}, {case[2]}, order {case[3]}",
    )


def _certified(*, less: Fraction = Fraction(0)) -> Verdict:
    """less: the part of the divergence that is taken off."""

    def slack(name: str, n: int, order: int) -> Fraction:
        T, cells = _RANDOMIZERS[name][1], 24
        local = log_bounds(T, bits=64)[1]
        points = []
        for k in range(cells):
            epsilon = local * k / cells
            low = exp_bounds(epsilon, bits=64)[0]
            points.append((epsilon, _largest_divergence(name, n, low)))
        found = renyi_of_profile.renyi([*points, (local, Fraction(0))], order=Fraction(order)) * (1 - less)
        worst = _largest_moment(name, n, order)
        truth = log_bounds(worst, bits=64)[0] / (order - 1)
        return min(found - truth, truth * Fraction(5, 4) - found, local * (1 + Fraction(1, 2**40)) - found)

    return exhaustive.least_slack(product(_RANDOMIZERS, (2, 3), _ORDERS), slack=exhaustive.unpacked(slack)).verdict(
        claims=Status.CERTIFIED,
        domain="the certified engine, 25 points, n = 2, 3, three randomizers, orders 2, 3, 6: from the truth to 25 % above, at most eps0",
        witness=lambda case: f"{case[0]}, n = {case[1]}, order {case[2]}",
    )


@derived(
    "BEYOND.Renyi-chords",
    where="Renyi divergences from a profile",
    says="where D_E <= u_k at E_k, 1 = E_0 < ... < E_K, for all neighbours both ways round, and 0 at E_K = e^eps0, the moment of order "
    "alpha of each, which is 1 + alpha (alpha - 1) times the integral over E > 0 of E^(alpha - 2) (D_E(P || Q) - (1 - E)_+), is at most "
    "the sum over the corners of the points' and their mirror images' lower convex envelope of E^alpha (slope after - slope before), which "
    "is at most binary response's",
    range="all neighbours both ways round, eps0 finite, alpha > 1 (checked: integers), any number of points, every gap",
    governs=["impl.ball.renyi_of_profile"],
    grounds=["optimal-pair#rényi-divergences-from-a-profile", EXACT, BALLS],
    mutants={
        "order alpha + 1": {"more": 1},
        "upper values one point to the left: chords of the wrong side": {"shift": 1},
        "neighbours in one direction only": {"one_way": True},
        "a divergence smaller by a tenth": {"less": Fraction(1, 10)},
    },
    missing="users and distributions beyond the enumerated ones, orders that are no integers",
)
def renyi_chords(budget: Budget, *, more: int = 0, shift: int = 0, one_way: bool = False, less: Fraction = Fraction(0)) -> Verdict:
    note = "in general: chords lie above a convex profile, and E^(alpha - 2) is positive, so that a larger profile has a larger moment"
    return conjunction([_identity(more=more), _chords(shift=shift, one_way=one_way), _certified(less=less)], note=note)
