"""Renyi divergences from a privacy profile, from both sides: broken lines through values at some points, and what one report alone says."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from typing import TypeVar

from flint import acb, arb

from shuffleproof.impl.ball import renyi_of_profile
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Pair
from shuffleproof.spec.distribution import Distribution, hockey_stick, renyi_moment
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds

_ORDERS = (2, 3, 6)  # integers, so that divergences are rational
_F = Fraction
_UNLIKE = LocalRandomizer(
    range(2), {0: Distribution({0: _F(6, 8), 1: _F(1, 8), 2: _F(1, 8)}), 1: Distribution({0: _F(3, 8), 1: _F(2, 8), 2: _F(3, 8)})}
)
"""Of two inputs that are not alike: no direction is the other one's mirror image."""
RANDOMIZERS = {
    "3RR, e^eps0 = 3": (k_rr(k=3, exp_epsilon0=_F(3)), _F(3)),
    "3RR, e^eps0 = 3/2": (k_rr(k=3, exp_epsilon0=_F(3, 2)), _F(3, 2)),
    "an unlike pair of distributions": (_UNLIKE, _F(3)),
}
_POINTS = (3, 13, 40)
"""How often a profile is asked at most: where it is asked first, and with points that are added."""
_GAPS = (_F(0), _F(1, 10**6), _F(1, 20))
"""Relative distances of a profile's ends."""

T = TypeVar("T")
Ends = tuple[Fraction, Fraction]
Line = list[tuple[Fraction, Fraction]]


@cache
def _neighbours(name: str, n: int) -> tuple[Pair, ...]:
    """The distributions on all neighbouring datasets, both ways round."""
    randomizer, _ = RANDOMIZERS[name]
    rests = product(randomizer.domain, repeat=n - 1)
    laws = ([shuffled_distribution(randomizer, (x, *rest)) for x in randomizer.domain] for rest in rests)
    return tuple(pair for of_rest in laws for pair in permutations(of_rest, 2))


def _integral(line: Line, a: int) -> Fraction:
    """a (a - 1) times the integral of E^(a - 2) y over a broken line of points (E, y)."""
    total = Fraction(0)
    for (x, y), (z, w) in pairwise(line):
        slope = (w - y) / (z - x)
        total += a * (y - slope * x) * (z ** (a - 1) - x ** (a - 1)) + (a - 1) * slope * (z**a - x**a)
    return total


def _profile(p: Distribution[T], q: Distribution[T], *, least: Fraction = Fraction(1)) -> Line:
    """Return every corner of E -> D_E(p || q) from `least` on."""
    ratios = sorted({p[y] / q[y] for y in q.support} | {least})
    return [(E, hockey_stick(p, q, exp_epsilon=E)) for E in ratios if least <= E]


def _identity(*, more: int, ways: tuple[int, int]) -> Verdict:
    def holds(name: str, n: int, order: int) -> bool:
        for p, q in _neighbours(name, n):
            lines = _profile(p, q), _profile(q, p)
            found = 1 + _integral(lines[ways[0]], order + more) + _integral(lines[ways[1]], 1 - order)
            if found != renyi_moment(p, q, order=order):
                return False
        return True

    return exhaustive.for_all(product(RANDOMIZERS, (1, 2, 3), _ORDERS), holds=holds).verdict(
        domain="the moment by integrals over both profiles, all neighbours of n <= 3 users, three randomizers, orders 2, 3, 6"
    )


def _enclosed(*, ends: Callable[[Ends, Ends], Ends], less: Fraction) -> Verdict:
    """The certified engine from ends of both profiles, or from the largest upper ones of all neighbours, against the exact divergence."""

    def slack(name: str, n: int, order: int, points: int, gap: Fraction) -> Fraction:
        local = log_bounds(RANDOMIZERS[name][1], bits=64)[1]
        pairs = _neighbours(name, n)[:: 2 * n - 1]
        start = [local * k / 3 for k in range(4)] if points < _POINTS[1] else [local * k / 12 for k in range(13)]

        def values(pair: Pair, epsilon: Fraction) -> Ends:
            low, high = exp_bounds(epsilon, bits=128)
            found = hockey_stick(*pair, exp_epsilon=high), hockey_stick(*pair, exp_epsilon=low)
            share = gap * ((epsilon.numerator * 7) % 11) / 10  # so that ends follow no order
            further = hockey_stick(*pair, exp_epsilon=high + (RANDOMIZERS[name][1] - 1) / 12)
            return ends((found[0] * (1 - share), found[1] * (1 + gap - share)), (further, further))

        def worst_of(epsilon: Fraction) -> tuple[Ends, Ends]:
            upper = max(values(pair, epsilon)[1] for pair in pairs)
            return (upper, upper), (upper, upper)

        margins = []
        exact = [log_bounds(renyi_moment(*pair, order=order) or Fraction(1), bits=64) for pair in pairs]
        for pair, truth in zip(pairs, exact, strict=True):
            p, q = pair
            asked = renyi_of_profile.divergence(
                lambda epsilon: (values((p, q), epsilon), values((q, p), epsilon)),  # noqa: B023 - asked at once
                order=Fraction(order),
                start=start,
                tolerance=1e-4,
                most=points,
            )
            low, high = asked.lower * (1 + less), asked.upper * (1 - less)
            margins += [truth[1] / (order - 1) - low, high - truth[0] / (order - 1)]
            if points == _POINTS[-1] and gap < _F(1, 20):
                margins.append(low * _F(102, 100) - high)  # or it says nothing
        above = renyi_of_profile.divergence(worst_of, order=Fraction(order), start=start, tolerance=1e-4, most=points)
        return min(*margins, above.upper - max(low for low, _ in exact) / (order - 1))

    few = product(RANDOMIZERS, (1,), _ORDERS, _POINTS, _GAPS)
    cases = [*few, *product(RANDOMIZERS, (2, 3), (3,), _POINTS[:2], _GAPS[1:])]
    return exhaustive.least_slack(cases, slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain="the certified engine at 3, 13 and 40 points, ends up to 5 % apart, neighbours of n <= 3 users, three randomizers: around "
        "the exact divergence, and with 40 points within 2 % of it",
    )


@derived(
    "BEYOND.Renyi-chords",
    says="the moment of order alpha of P/Q under Q is 1 + J(D_E(P || Q), alpha) + J(D_E(Q || P), 1 - alpha), J(f, a) = a (a - 1) times the "
    "integral of E^(a - 2) f(E) over E > 1; between two points each profile lies below the chord through its upper ends, and around each "
    "point above a line through its lower end whose slope lies between those of chords to upper ends on either side, so that J of these "
    "encloses the divergence",
    range="every pair of finite Renyi divergence, every alpha > 1 (checked: integers), any points, ends any distance apart",
    governs=["impl.ball.renyi_of_profile"],
    grounds=["optimal-pair#rényi-divergences-from-a-profile", EXACT, BALLS],
    mutants={
        "order alpha + 1": {"more": 1},
        "order alpha - 1": {"more": -1},
        "one direction for both": {"ways": (0, 0)},
        "the directions exchanged": {"ways": (1, 0)},
        "upper ends of a point further on": {"ends": lambda found, further: (found[0], further[1])},
        "the upper ends of the profile for the lower ones": {"ends": lambda found, further: (found[1] * _F(11, 10), found[1])},
        "ends nearer by a tenth": {"less": Fraction(1, 10)},
    },
    missing="users and distributions beyond the enumerated ones, orders that are no integers",
)
def renyi_chords(
    budget: Budget,
    *,
    more: int = 0,
    ways: tuple[int, int] = (0, 1),
    ends: Callable[[Ends, Ends], Ends] = lambda found, further: found,
    less: Fraction = Fraction(0),
) -> Verdict:
    note = "in general: chords of a convex function lie above it, lines of its slopes below, and the weights of J are positive"
    return conjunction([_identity(more=more, ways=ways), _enclosed(ends=ends, less=less)], note=note)


def _of_one_report(*, power: int, tail: int) -> Verdict:
    """n^(1 - alpha) M <= the shuffled moment <= M, M of one report; and what both profiles add to it beyond an E."""

    def slack(name: str, n: int, order: int) -> Fraction:
        randomizer, T = RANDOMIZERS[name]
        margins = []
        for x, y in permutations(randomizer.domain, 2):
            p, q = (Distribution(dict(randomizer.distribution(each).items())) for each in (x, y))
            one = renyi_moment(p, q, order=order)
            many = [
                renyi_moment(*(shuffled_distribution(randomizer, (each, *rest)) for each in (x, y)), order=order)
                for rest in product(RANDOMIZERS[name][0].domain, repeat=n - 1)
            ]
            alike = renyi_moment(*(shuffled_distribution(randomizer, (each, *(y,) * (n - 1))) for each in (x, y)), order=order)
            assert one
            assert alike
            margins += [one - (each or 0) for each in many]
            margins.append(alike - one * Fraction(n) ** (power - order))
            for E in (Fraction(1), (1 + T) / 2, 1 + (T - 1) * Fraction(9, 10)):
                ratios = {r: p[r] / q[r] for r in q.support}
                far = sum((q[r] * ratio**order for r, ratio in ratios.items() if ratio > E), Fraction(0))
                margins.append(far - _integral(_profile(p, q, least=E), order))
                back = hockey_stick(q, p, exp_epsilon=E) * (order - 1) / E ** (order + tail)
                margins.append(back - _integral(_profile(q, p, least=E), 1 - order))
        return min(margins)

    few, more = product(RANDOMIZERS, (1, 2, 3), _ORDERS), product(list(RANDOMIZERS)[2:], (4,), _ORDERS)
    return exhaustive.least_slack([*few, *more], slack=slack).verdict(
        domain="all neighbours of n <= 3 users, three randomizers, of n = 4 for one of them, orders 2, 3, 6, beyond three orders E"
    )


def _of_gaussian_noise(*, half: Fraction) -> Verdict:
    """Return whether `gaussian_beyond` is the mean of (P/Q)^alpha where P/Q is above e^epsilon, as an integral over reports."""

    def slack(sigma: Fraction, order: Fraction, epsilon: Fraction) -> Fraction:
        rate, alpha = 1 / ball(sigma), ball(order)

        def exponent(y: acb) -> acb:  # y in units of sigma, under Q = N(0, 1): ln P/Q = rate y - rate^2/2
            return -y * y / 2 + alpha * (rate * y - rate * rate / 2)

        first, peak = ball(epsilon) / rate + rate / 2, alpha * rate
        highest = exponent(acb(first if first > peak else peak)).real  # divided out: it may be e^-600
        truth = acb.integral(lambda y, _: (exponent(y) - highest).exp(), first, peak + abs(first) + 20).real / (2 * arb.pi()).sqrt()
        found = renyi_of_profile.gaussian_beyond(epsilon, sigma=sigma, order=order) * (1 + ball(half)) / highest.exp()
        return Fraction(1) if abs(found / truth - 1) < arb(10) ** -20 else Fraction(-1)

    cases = product((_F(1, 4), _F(1), _F(5)), (_F(3, 2), _F(2), _F(8)), (_F(0), _F(1), _F(7)))
    return exhaustive.least_slack(cases, slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain="Gaussian noise of three sigma, orders 3/2, 2 and 8, beyond epsilon = 0, 1 and 7, by an integral in ball arithmetic",
    )


@derived(
    "BEYOND.Renyi-one-report",
    says="shuffled reports of n users have at most the Renyi divergence of one report, and where all others hold x_1 at least that less "
    "ln n; what D_E(R_0 || R_1) adds to the moment beyond E is at most the mean of (R_0/R_1)^alpha where the ratio is above E, of Gaussian "
    "noise e^(alpha (alpha - 1)/(2 sigma^2)) Phi((alpha - 1/2)/sigma - sigma ln E), and what D_E(R_1 || R_0) adds at most "
    "(alpha - 1) E^-alpha D_E(R_1 || R_0)",
    range="every randomizer, n >= 1, alpha > 1 (checked: integers)",
    governs=["impl.ball.renyi_of_profile"],
    grounds=["optimal-pair#rényi-divergences-from-a-profile", EXACT, BALLS],
    mutants={
        "less than ln n": {"power": 2},
        "a power of E more": {"tail": 1},
        "the tail of Gaussian noise a millionth larger": {"half": Fraction(1, 10**6)},
    },
    missing="users and distributions beyond the enumerated ones, orders that are no integers",
)
def renyi_of_one_report(budget: Budget, *, power: int = 1, tail: int = 0, half: Fraction = Fraction(0)) -> Verdict:
    note = "in general: shuffling is post-processing, and the power of a sum of positive numbers is at least the sum of their powers"
    return conjunction([_of_one_report(power=power, tail=tail), _of_gaussian_noise(half=half)], note=note)
