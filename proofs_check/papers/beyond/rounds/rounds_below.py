"""Rounds from below: a polygon under the profile of one pair of datasets, and its compositions, against exact ones."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from flint import fmpz_poly

from shuffleproof.impl.ball import privacy_loss
from shuffleproof.impl.ball.privacy_loss_below import Node, beneath
from shuffleproof.impl.fast.bounds.noise import binomial_sum as binomial_sums
from shuffleproof.impl.fast.bounds.noise.noise_window import Sides
from shuffleproof.proofs_check.ledger import BALLS, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.noise import binomial_sum, fake_users, histogram, laplace_sum
from shuffleproof.spec.composition import composed
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds
from shuffleproof.spec.vocabulary.numerals import Epsilon

Pair = tuple[Distribution[object], Distribution[object]]
_STEP = Fraction(1, 20)  # of the grid, in epsilon
_DELTA = Fraction(1, 50)  # the delta of all rounds
_CELLS = 40
"""Of both signs: losses up to 2, which is above the largest one of every pair below."""
_SKEWED: Pair = (
    Distribution({"a": Fraction(1, 2), "b": Fraction(3, 8), "c": Fraction(1, 8)}),
    Distribution({"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)}),
)
"""No mirror image of itself: the two directions differ."""
_BITS = 120  # of powers of e^step


def _homogeneous(n: int, k: int, T: Fraction) -> Pair:
    """(1, z, ..., z) and (2, z, ..., z), z the last of k items."""
    randomizer, rest = k_rr(k=k, exp_epsilon0=T), (k - 1,) * (n - 1)
    P, Q = (shuffled_distribution(randomizer, (x, *rest)) for x in (0, 1))
    return Distribution(dict(P.items())), Distribution(dict(Q.items()))


def _pairs() -> list[Pair]:
    shapes = [(1, 3, Fraction(2)), (2, 3, Fraction(4)), (3, 3, Fraction(3, 2)), (4, 2, Fraction(3)), (2, 4, Fraction(2))]
    return [*(_homogeneous(*shape) for shape in shapes), _SKEWED]


def _nodes(pair: Pair, *, gap: Fraction) -> list[Node]:
    """Ends of D_E(P || Q) half way between points of the grid; gap: their relative distance, which follows no order."""
    found = []
    for j in range(_CELLS):
        epsilon = (j + Fraction(1, 2)) * _STEP
        low, high = exp_bounds(epsilon, bits=_BITS)
        share = gap * ((7 * j * j + 3 * j) % 11) / 10
        below, above = (hockey_stick(*pair, exp_epsilon=E) for E in (high, low))
        found.append((epsilon, below * (1 - share), above * (1 + gap - share)))
    return found


Ends = Callable[[Node], Node]
Measure = privacy_loss.GridMeasure


@cache
def _under(index: int, *, gap: Fraction, ends: Ends) -> Measure:
    pair = _pairs()[index]
    first, second = ([ends(node) for node in _nodes(each, gap=gap)] for each in (pair, (pair[1], pair[0])))
    return beneath(first, second, step=_STEP, cells=_CELLS)


def _value(measure: Measure, E: Fraction) -> Fraction:
    """Not below the measure's profile at E."""
    total = Fraction(0)
    for i, mass in enumerate(measure.masses.coeffs()):
        growth = exp_bounds((measure.low + i) * _STEP, bits=_BITS)[1]
        total += Fraction(int(mass), 2**privacy_loss.BITS) * max(Fraction(0), 1 - E / growth)
    return total


def _one_round(*, ends: Ends, moved: Callable[[Measure], Measure]) -> Verdict:
    """The polygon against the profile, at every order where that has a corner: between two of them the polygon is convex."""

    def slack(case: tuple[int, Fraction]) -> Fraction:
        pair = pairs[case[0]]
        measure = moved(_under(case[0], gap=case[1], ends=ends))
        ratios = {pair[0][y] / pair[1][y] for y in pair[0].support}
        orders = [Fraction(0), *sorted(ratios), 2 * max(ratios)]
        rounding = Fraction(1, 2**100)  # of the exponentials, at a corner that both have
        return min(hockey_stick(*pair, exp_epsilon=E) + rounding - _value(measure, E) for E in orders)

    pairs = _pairs()
    return exhaustive.least_slack(product(range(len(pairs)), _GAPS), slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain="six pairs, one of them no mirror image of itself, ends equal, a thousandth and a tenth apart: the polygon on the grid "
        "1/20 at every order where the profile has a corner",
        witness=lambda case: f"pair {case[0]}, gap {case[1]}",
    )


_GAPS = tuple(map(Fraction, ("0", "1/1000", "1/10")))


def _many_rounds(*, ends: Ends, moved: Callable[[Measure], Measure], more: Fraction) -> Verdict:
    """Epsilon of all rounds against the exact composition, of like rounds and of unlike ones."""

    def slack(chosen: tuple[int, ...], gap: Fraction) -> Fraction:
        parts = [(moved(_under(i, gap=gap, ends=ends)), 1) for i in chosen]
        if len(set(chosen)) == 1:
            parts = [(parts[0][0], len(chosen))]
        found = privacy_loss.epsilon_of(privacy_loss.together(parts, delta=_DELTA), step=_STEP, delta=_DELTA)
        truth = _least_order(*composed([pairs[i] for i in chosen]))
        low, high = log_bounds(truth, bits=_BITS)
        if found is None or (gap == 0 and found < low - len(chosen) * _STEP):
            return Fraction(-1)  # an answer that says nothing
        return high - found - more

    pairs = _pairs()
    cases = product(((0, 0), (1, 1, 1), (2, 2), (5, 5, 5), (0, 1), (2, 4, 5)), _GAPS)
    return exhaustive.least_slack(cases, slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain=f"two and three rounds of like and unlike pairs, delta = {_DELTA}: at most the exact composition, and with ends that are "
        "equal within a step a round of it",
    )


def _least_order(P: Distribution[Fraction | None], Q: Distribution[Fraction | None]) -> Fraction:
    """The least E >= 1 with D_E(P || Q) <= delta, in this direction alone: P is given by likelihood ratios, all of them finite."""
    ratios = sorted((ratio for ratio in P.support if ratio is not None), reverse=True)
    in_p = in_q = Fraction(0)
    largest = Fraction(1)
    for ratio in ratios:
        in_p, in_q = in_p + P[ratio], in_q + Q[ratio]
        if ratio > 1:
            largest = max(largest, (in_p - _DELTA) / in_q)
    return largest


Ways = Callable[..., tuple[Sides, ...]]


def _protocols(*, ways: Ways, heads: Fraction) -> Verdict:
    """The two directions of noise on sums and histograms: one, or each between its ends in float64."""

    def mirrored(P: Distribution[Any], Q: Distribution[Any]) -> bool:
        orders = {P[y] / Q[y] for y in P.support if Q[y]} | {Q[y] / P[y] for y in Q.support if P[y]}
        return all(hockey_stick(P, Q, exp_epsilon=E) == hockey_stick(Q, P, exp_epsilon=E) for E in (Fraction(0), *orders))

    def between(coins: int, sensitivity: int, p: Fraction) -> bool:
        P, Q = binomial_sum.pair(coins=coins, p=p, sensitivity=sensitivity)
        found = ways(coins=coins, sensitivity=sensitivity, p=p)
        exact = [[hockey_stick(*pair, exp_epsilon=E) for E in _WHOLE] for pair in ((P, Q), (Q, P))]
        sides = [[way(Epsilon(None, E)) for E in _WHOLE] for way in (found[0], found[-1])]
        return all(
            low <= delta <= high for deltas, way in zip(exact, sides, strict=True) for delta, (low, high) in zip(deltas, way, strict=True)
        )

    shapes = list(product((1, 2, 4), (1, 2)))
    pairs: list[tuple[Distribution[Any], Distribution[Any]]] = [
        *(laplace_sum.pair(alpha=Fraction(1, 1 + n), sensitivity=s) for n, s in shapes),
        *(binomial_sum.pair(coins=n, p=heads, sensitivity=s) for n, s in shapes),
        *(fake_users.pair(fakes=n, p=Fraction(s, 3)) for n, s in shapes),
        *(histogram.pair(n=n, p=Fraction(s, 3)) for n, s in shapes),
    ]
    unfair = product((3, 8), (1, 2), (Fraction(1, 2), Fraction(1, 3), Fraction(4, 5)))
    return conjunction(
        [
            exhaustive.for_all(pairs, holds=mirrored).verdict(
                domain="Laplace, fair binomial, fake users' and histogram noise of up to four users, shifts 1 and 2: both directions agree "
                "at every order where either has a corner"
            ),
            exhaustive.for_all(unfair, holds=between).verdict(
                domain="3 and 8 coins, shifts 1 and 2, p = 1/2, 1/3 and 4/5, five orders: each direction between its ends in float64"
            ),
        ]
    )


_WHOLE = tuple(map(Fraction, ("1", "6/5", "3/2", "2", "5")))


@derived(
    "BEYOND.rounds-below",
    says="one neighbouring pair of datasets, the same in all rounds, bounds the truth of any number of rounds from below, of unlike rounds "
    "too; a convex polygon with corners on a grid, below lines that ends of its profile put under it, is the profile of masses on the "
    "grid, and products of these, masses rounded down and dropped, and losses moved down, stay below: masses p_k at losses k h with the "
    "sum of p_k (1 - E e^(-k h))_+ at most D_E(P || Q) for all E > 0 have that of p_(k_1) ... p_(k_j) (1 - E e^(-(k_1 + ... + k_j) h))_+ "
    "at most D_E(P^j || Q^j). Noise that does not depend on the data gives one pair at all orders, its own mirror image: Z and s + Z of "
    "discrete Laplace noise, of sums of discrete Gaussians and of fair coins, N(mu, 1) and N(0, 1), and two bins of the histogram, with "
    "its own noise or that of fake users; of coins with another p, and so of the zero sum, the two directions are those of p and 1 - p",
    range="every pair of distributions, ends of its profile at any orders, every number of rounds",
    governs=["impl.ball.privacy_loss_below", "impl.ball.privacy_loss", "accounting.attained_pairs"],
    grounds=["optimal-pair#rounds-from-below", "BEYOND.any-law-below", BALLS],
    mutants={
        "losses one step up": {"moved": lambda measure: Measure(measure.low + 1, measure.masses, 0, below=True)},
        "masses a thousandth too large": {
            "moved": lambda measure: Measure(
                measure.low, fmpz_poly([int(mass) * 1001 // 1000 for mass in measure.masses.coeffs()]), 0, below=True
            )
        },
        "the upper ends of the profile for the lower ones": {"ends": lambda node: (node[0], node[2], node[2])},
        "an epsilon larger by a fifth": {"more": Fraction(1, 5)},
        "the two directions of coins exchanged": {"ways": lambda **asked: binomial_sums.directions(**asked)[::-1]},
        "coins with p = 1/3 taken for their mirror image": {"heads": Fraction(1, 3)},
    },
    missing="pairs and rounds beyond the enumerated ones",
)
def rounds_below(
    budget: Budget,
    *,
    ends: Ends = lambda node: node,
    moved: Callable[[Measure], Measure] = lambda measure: measure,
    more: Fraction = Fraction(0),
    ways: Ways = binomial_sums.directions,
    heads: Fraction = Fraction(1, 2),
) -> Verdict:
    rounds = [_one_round(ends=ends, moved=moved), _many_rounds(ends=ends, moved=moved, more=more)]
    return conjunction([*rounds, _protocols(ways=ways, heads=heads)])
