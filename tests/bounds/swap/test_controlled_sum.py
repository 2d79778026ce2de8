"""The controlled sum in floats around the rational one: all steps on the grid, one type alone from some step on, and blocks."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.swap import adaptive_pair, controlled_sum, one_type
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import Grid, Passed, Reached, Type, power, summed, types_of
from shuffleproof.impl.fast.bounds.swap.first_arrival import Class, as_floats
from shuffleproof.spec.bounds.swap import controlled_sum as exact

_T, _E = Fraction(5, 2), Fraction(5, 4)
_SMALL = [Fraction(0), Fraction(1, 8), Fraction(1, 4)]


def on_integers(laws: Sequence[dict[int, Fraction]], steps: int) -> list[Fraction]:
    """V_0(0), ..., V_steps(0) of losses that are integers."""
    least, most = min(0, *(min(law) for law in laws)), max(0, *(max(law) for law in laws))
    whole = math.lcm(*(p.denominator for law in laws for p in law.values()))
    weights = [[(x, int(p * whole)) for x, p in law.items()] for law in laws]
    V, found = {s: max(s, 0) for s in range(steps * least, steps * most + 1)}, [Fraction(0)]  # times whole^j, an integer
    for j in range(1, steps + 1):
        inside = range((steps - j) * least, (steps - j) * most + 1)
        V = {s: max(sum(p * V[s + x] for x, p in law) for law in weights) for s in inside}
        found.append(Fraction(V[0], whole**j))
    return found


def in_floats(laws: Sequence[dict[int, Fraction]]) -> list[Losses]:
    return as_floats([[(Fraction(x), p) for x, p in law.items()] for law in laws])


@pytest.mark.parametrize("share", _SMALL)
def test_sums_in_floats_enclose_the_rational_ones(share: Fraction) -> None:
    of_class = Class(_T, _E, 8)
    grid = adaptive_pair.grid_for(of_class)
    assert grid is not None
    for of_floats, of_rationals in (
        (of_class.corner_losses(share), exact.corner_losses(T=_T, exp_epsilon=_E, share=share)),
        (of_class.clones_losses(share), exact.clones_losses(T=_T, exp_epsilon=_E, share=share)),
    ):
        assert [sorted(law) for law in of_floats] == [sorted(atom for atom in law if atom[0]) for law in of_rationals]
        truth = exact.controlled_sums(of_rationals, 8)
        above = controlled_sum.averages(as_floats(of_floats), range(1, 9), wanted=1e-2)
        assert all(truth[S] <= S * Fraction(x) <= truth[S] + Fraction(1, 500) for S, x in enumerate(above, 1))
        if of_floats[0][0][0] != of_class.clones_losses(share)[0][0][0]:
            assert truth[8] - Fraction(1, 500) < Fraction(adaptive_pair.attained(of_floats, 8, grid)) <= truth[8]


_TWO = [{2: Fraction(1, 5), -1: Fraction(4, 5)}, {-1: Fraction(1, 2), 0: Fraction(2, 5), 1: Fraction(1, 10)}]
_ALIKE = [{3: Fraction(1, 4), -1: Fraction(3, 4) - Fraction(1, 8), -2: Fraction(1, 8)}, {1: Fraction(1, 2), -1: Fraction(1, 2)}]


@pytest.mark.parametrize("laws", [_TWO, _ALIKE], ids=["one wins", "both win"])
def test_one_type_alone_and_blocks_stay_above_and_come_near(laws: list[dict[int, Fraction]]) -> None:
    truth = on_integers(laws, 90)
    types = types_of(in_floats(laws))
    for S in (41, 90):
        value = float(truth[S] / S)
        alone = controlled_sum._continued(types, [S, S - 1], 24, value)
        blocks = controlled_sum._in_blocks(types, [S, S - 1, S - 7], value, 1.0)
        for S_found, x in zip((S, S - 1, S - 7), blocks, strict=True):
            assert truth[S_found] / S_found <= Fraction(x) <= truth[S_found] / S_found * Fraction(3, 2)
        if alone is not None:
            assert truth[S] / S <= Fraction(alone[0]) <= truth[S] / S * Fraction(102, 100)
            assert truth[S - 1] / (S - 1) <= Fraction(alone[1])
    assert laws is _ALIKE or controlled_sum._continued(types, [90], 24, float(truth[90] / 90)) is not None


def test_blocks_before_one_type_and_without_their_ends_stay_above(monkeypatch: pytest.MonkeyPatch) -> None:
    types, steps = types_of(in_floats(_TWO)), 20
    truth = on_integers(_TWO, 130)
    passed = Passed.of(types, Grid.until(types, steps, 1e-9, fine=8.0), steps)
    twice = summed([(passed.reached(steps), 2)])
    for cut in (twice, twice.trimmed(1e-7), twice.trimmed(1e-2), twice.trimmed(1e9)):
        for S, s in ((40, 0.0), (40, 2.0)):  # V does not rise faster than s
            assert truth[S] <= Fraction((float(cut.mass @ np.maximum(cut.at + s, 0.0)) + cut.below) * cut.raised)
    places = -twice.at
    whole, cut = (np.maximum(places[:, None] + x.at, 0.0) @ x.mass + x.below for x in (twice, twice.trimmed(1e-7)))
    assert (cut >= whole).all()
    assert (cut <= whole + 3e-7).all()
    monkeypatch.setattr(controlled_sum, "_ADDED", 0.1)
    monkeypatch.setattr(controlled_sum, "_LEAST_OF_SMOOTHING", 8)
    value = float(truth[130] / 130)
    found = controlled_sum._continued(types, [130, 129], 24, value)
    assert found is not None
    assert truth[130] / 130 <= Fraction(found[0]) <= truth[130] / 130 * Fraction(105, 100)
    assert truth[129] / 129 <= Fraction(found[1])


def test_a_grid_whose_points_move_stays_above() -> None:
    laws = [{2: Fraction(1, 5), -1: Fraction(4, 5)}, {-2: Fraction(1, 3), 1: Fraction(2, 3)}]
    types, truth = types_of(in_floats(laws)), on_integers(laws, 40)
    for moves in (0.0, 0.25, -0.375, 0.5):
        grid = Grid(0.75, 80, 161, 1, moves=moves)
        found = Passed.of(types, grid, 40).at_zero
        assert all(truth[j] <= Fraction(found[j]) <= truth[j] + 2 for j in range(41))


def test_a_loss_one_rounding_above_a_point_of_the_grid_is_not_moved_down_to_it() -> None:
    place, p = math.nextafter(5.0, 6.0), 2.0**-60
    law = Type.of(np.array([1.0 - 2.0**-53, p]), np.array([-5.0, place]))
    found = Passed.of([law], Grid(1.0, 20, 41, 1), 2).at_zero
    chance, x = Fraction(p), Fraction(place)
    assert chance**2 * 2 * x + 2 * chance * (1 - Fraction(1, 2**53)) * (x - 5) <= Fraction(found[2])


def test_a_type_is_left_out_only_where_another_one_dominates_it_everywhere() -> None:
    narrow = {1: Fraction(1, 2), -1: Fraction(1, 2)}
    wide = {2: Fraction(1, 4), 0: Fraction(1, 2), -2: Fraction(1, 4)}
    wider = {4: Fraction(1, 8), 0: Fraction(3, 4), -4: Fraction(1, 8)}
    skew = {3: Fraction(1, 10), 0: Fraction(7, 10), -1: Fraction(1, 5)}  # of less variance than `wide`, but not below it at 2
    for laws, left in (([narrow, wide, wider], 1), ([narrow, skew], 2), ([wide, skew], 2), ([wide, wide], 1)):
        types = types_of(in_floats(laws))
        assert len(types) == left
        truth = on_integers(laws, 12)
        found = controlled_sum.averages(in_floats(laws), range(1, 13), wanted=1.0)
        assert all(truth[S] <= S * Fraction(x) <= truth[S] * Fraction(1001, 1000) for S, x in enumerate(found, 1))


def test_losses_that_are_all_positive_are_summed_like_any() -> None:
    for laws in ([{2: Fraction(1)}], [{1: Fraction(1, 2), 3: Fraction(1, 2)}, {2: Fraction(3, 4), 5: Fraction(1, 4)}]):
        truth = on_integers(laws, 12)
        found = controlled_sum.averages(in_floats(laws), range(1, 13), wanted=1.0)
        assert all(truth[S] <= S * Fraction(x) <= truth[S] * Fraction(1001, 1000) for S, x in enumerate(found, 1))


@st.composite
def _distributions(draw: st.DrawFn) -> list[dict[int, Fraction]]:
    """One to three distributions on small integers, of any means, some of mass below 1."""
    laws = []
    for _ in range(draw(st.integers(1, 3))):
        weights = draw(st.dictionaries(st.integers(-3, 4), st.integers(1, 6), min_size=1, max_size=4))
        whole = sum(weights.values()) + draw(st.integers(0, 3))
        law = {x: Fraction(w, whole) for x, w in weights.items()}
        law[0] = law.get(0, Fraction(0)) + 1 - sum(law.values())
        laws.append(law)
    return laws


@settings(max_examples=4)
@given(distributions=_distributions())
def test_no_way_falls_below_the_truth(distributions: list[dict[int, Fraction]]) -> None:
    truth = on_integers(distributions, 30)
    types = types_of(in_floats(distributions))
    wanted = max(1e-12, float(truth[30] / 30))
    asked = [30, 29, 21]
    if max(max(law) for law in distributions) <= 0:
        assert controlled_sum.averages(in_floats(distributions), asked, wanted=wanted) == [0.0, 0.0, 0.0]
        return
    ways = [
        controlled_sum.averages(in_floats(distributions), asked, wanted=wanted),
        controlled_sum._continued(types, asked, 8, wanted),
        controlled_sum._in_blocks(types, asked, wanted, 4.0),
        one_type.averages(types, asked),
    ]
    for found in ways:
        assert found is None or all(Fraction(x) * S >= truth[S] for S, x in zip(asked, found, strict=True))


_SKEW = [{2: Fraction(1, 3), -1: Fraction(2, 3)}, {-2: Fraction(1, 3), 1: Fraction(2, 3)}]
"""Two types of one variance, neither of which wins."""


def test_one_type_alone_and_what_the_other_gains_stay_above_and_come_near() -> None:
    falling = [{8 * x - 1: p for x, p in law.items()} for law in _SKEW]
    truth = on_integers(falling, 100)
    found = one_type.averages(types_of(in_floats(falling)), [100, 90, 70])
    assert found is not None
    for S, x in zip((100, 90, 70), found, strict=True):
        assert truth[S] / S <= Fraction(x) <= truth[S] / S * Fraction(3, 2)


@pytest.mark.parametrize("tilt", [0.0, 0.05])
@pytest.mark.parametrize("other", [_SKEW[1], {-1: Fraction(1, 2), 1: Fraction(1, 2)}, {-2: Fraction(1, 2), 2: Fraction(1, 2)}])
def test_what_another_type_gains_at_each_step_is_at_most_what_is_added(other: dict[int, Fraction], tilt: float) -> None:
    """Of the same variance, of less and of more; from f(s) = E(s + gZ)_+, whose second derivative is a normal density, to a sum.

    No bound of an integral is rough. Mutants: no distance to y_0, no d, no division by pi, a moment that the atoms do not have.
    """
    best, law = types_of(in_floats([_SKEW[0]]))[0], types_of(in_floats([other]))[0]
    g, steps = 3.0, 12
    s, y = np.linspace(-40.0, 40.0, 801), np.linspace(-2.0, 2.0, 101)
    K = (one_type._potentials(law, y) - one_type._potentials(best, y)) * (y[1] - y[0])
    masses, gained = np.array([1.0]), 0.0
    for i in range(steps):
        apart = -(s[:, None] + y)[:, :, None] - (3.0 * np.arange(i + 1) - i)
        density = np.exp(-((apart / g) ** 2) / 2) @ masses / math.sqrt(2 * math.pi) / g
        gained += max(0.0, float((density @ K * np.exp(-tilt * s)).max())) / one_type._transform(best, tilt) ** i
        masses = np.convolve(masses, [2 / 3, 1 / 3])
    gains, (integrals, _) = one_type._gains(law, best, tilt, -2.0, 2.0), one_type._integrals(best, tilt, steps, [g, 2 * g])
    bounds = [sum(x * integral for x, integral in zip(choice, integrals, strict=True)) for choice in gains]
    assert gained <= min(bounds) <= one_type._added([gains], integrals) * (1 + 1e-9)
    assert bounds[0] < 2.5 * gained or len(bounds) == 3
    tilted, far = K * np.exp(tilt * y), np.abs(y[:, None] - y)
    assert gains[0][0] == pytest.approx(max(0.0, float(tilted.sum())), rel=0.02, abs=0.01 * gains[0][1])
    assert gains[0][1] == pytest.approx(float((far @ np.abs(tilted)).min()), rel=0.07)
    if tilted.sum() < -0.05:
        d, first, second = -float(tilted.sum()), far @ np.abs(tilted), far**2 @ np.abs(tilted)
        assert gains[1][2] == pytest.approx(float((first**2 / (2 * d) + second / 2).min()), rel=0.1)
        mean = float(tilted @ y) / -d
        assert float(np.abs(tilted) @ (y - mean) ** 4) / 24 < gains[2][4]
        assert max(gains[2][:4]) < 0.02 * gains[2][4]
    w = np.linspace(0.0, 12 / g, 20_001)
    part = np.abs(np.exp((tilt + 1j * w)[:, None] * best.at) @ best.mass) / one_type._transform(best, tilt)
    for j, integral in enumerate(integrals):
        terms = w**j * np.exp(g * g * (tilt * tilt - w * w) / 2) * np.minimum(steps, 1 / np.maximum(1 - part**2, 1e-9) * 2)
        fine = float(terms.sum()) * (w[1] - w[0]) / math.pi
        assert fine * 0.999 <= integral <= fine * 1.12


def test_levels_enclose_the_rational_bound() -> None:
    levels = [Fraction(1, 20), Fraction(1, 9)]
    of_class = Class(_T, _E, 4)
    nobody = exact.controlled_sums(exact.clones_losses(T=_T, exp_epsilon=_E, share=levels[-1]), 4)[4] / 4

    def sums(eta: Fraction, numbers: Sequence[int], _: float) -> list[float]:
        return controlled_sum.averages(of_class.types(eta), numbers, wanted=1e-1)

    found = controlled_sum.in_levels(sums, lambda eta: float(nobody) * (1 + 1e-12) if eta else 1.0, others=3, levels=levels, wanted=1e-3)
    truth = exact.first_arrival(n=4, T=_T, exp_epsilon=_E, levels=levels)
    assert truth <= Fraction(found) <= truth + Fraction(1, 500)
    arrived, rest = controlled_sum.in_the_pool(10**6, Fraction(1, 50_000), tail=1e-12)
    assert abs(sum(p for _, p in arrived) + rest - 1 + np.exp(-20)) < 1e-6


@pytest.mark.parametrize("most", [0.0, 5e-324, 1e-310])
def test_levels_rise_from_above_0_where_all_that_is_shared_is_lost_in_floats(most: float) -> None:
    """Mutant: the last level whatever it is, 0 where epsilon0 is thousands, with which `in_levels` ends in an internal error."""
    levels = controlled_sum.levels_for(572, 1e-8, most)
    assert all(level > 0 for level in levels)
    assert levels == sorted(set(levels))


def _reached(masses: Sequence[float]) -> Reached:
    H = 0.25
    return Reached(np.array(masses), 0.75 - H * np.arange(len(masses)), H, 0.0, 1.0)


def _parts(reached: Reached, law: Type, s: Fraction) -> tuple[Fraction, Fraction]:
    """E(s + L + X)_+ and E(s + L + X)_-, exactly, of floats as they are."""
    calls = puts = Fraction(0)
    for p, x in zip(law.mass.tolist(), law.at.tolist(), strict=True):
        for q, y in zip(reached.mass.tolist(), reached.at.tolist(), strict=True):
            value = Fraction(p) * Fraction(q) * (s + Fraction(x) + Fraction(y))
            calls, puts = calls + max(value, Fraction(0)), puts + max(-value, Fraction(0))
    return calls, puts


def test_positive_and_negative_parts_are_as_wrong_as_they_say() -> None:
    """Mutants: negative parts by a quotient, none at the last place, doubts of nothing or of everything."""
    reached, law = _reached([0.1, 0.2, 0.3, 0.25, 0.1, 0.05]), Type.of(np.array([0.3, 0.5, 0.2]), np.array([-0.6, 0.05, 0.7]))
    points = np.concatenate([np.linspace(-2.5, 2.5, 17), [-0.75 - 0.05, 0.5 - 0.05, -8.0, 8.0]])
    found = reached._means(law, points)
    for i, s in enumerate(points.tolist()):
        for value, doubt, truth in zip(
            (found[0][i], found[1][i]), (found[2][i], found[3][i]), _parts(reached, law, Fraction(s)), strict=True
        ):
            assert abs(Fraction(float(value)) - truth) <= Fraction(float(doubt)) < Fraction(1, 10**10)


@pytest.mark.parametrize("tail", [0.02, 0.3])
@pytest.mark.parametrize("share", [0.0, 0.01])
def test_what_goes_on_with_one_type_makes_up_for_the_others_or_says_what_is_left(tail: float, share: float) -> None:
    """A type of rare large losses wins far out. Mutants: what is left by the largest gap, in place of the least; no helper's share."""
    best = Type.of(np.array([0.5, 0.5]), np.array([-0.5, 0.5]))
    rare = Type.of(np.array([1 - tail / 4, tail / 4]), np.array([-tail / 4, 1.25]))
    reached = _reached([0.05, 0.1, 0.35, 0.35, 0.1, 0.05])
    taken, wider, left = reached.continued(best, [best, rare], e=1e-12, share=share)
    for s in (Fraction(k, 16) for k in range(-64, 65, 6)):
        least = _parts(wider, taken, s)[0] + Fraction(left)
        assert least >= max(_parts(wider, law, s)[0] for law in (best, rare))
    assert sum(wider.mass) <= sum(reached.mass) * (1 + share) * (1 + 1e-12)


@pytest.mark.parametrize("drift", [-1.5, -0.25, 0.75, 4.0])
@pytest.mark.parametrize("times", [(1, 0), (2, 0), (1, 1), (3, 2), (5, 4)])
def test_few_blocks_are_summed_from_halves_and_not_below_the_exact_sum(drift: float, times: tuple[int, int]) -> None:
    """Mutants: nothing beyond the last place of a half, a place less, half of an odd number twice, sums of one kind alone."""
    masses = ([0.05, 0.1, 0.35, 0.35, 0.1, 0.05], [0.2, 0.0, 0.5, 0.3])
    blocks = [(Reached(np.array(p), drift - 0.25 * np.arange(len(p)), 0.25, 0.0, 1.0), t) for p, t in zip(masses, times, strict=True)]
    law = {Fraction(0): Fraction(1)}
    for block, number in blocks:
        for _ in range(number):
            added: dict[Fraction, Fraction] = {}
            for x, p in law.items():
                for y, q in zip(block.at.tolist(), block.mass.tolist(), strict=True):
                    added[x + Fraction(y)] = added.get(x + Fraction(y), Fraction(0)) + p * Fraction(q)
            law = added
    truth = sum(p * max(x, Fraction(0)) for x, p in law.items())
    assert truth <= Fraction(power(blocks, 64)) <= truth * (1 + Fraction(1, 10**10))


@pytest.mark.parametrize("tail", [1e-3, 0.02, 0.1])
def test_ends_that_are_trimmed_are_made_up_for(tail: float) -> None:
    """Mutants: the lower end is left out, or the upper one; nothing is added to `below` for the upper end."""
    reached, nothing = _reached([0.01, 0.04, 0.15, 0.3, 0.3, 0.15, 0.04, 0.01]), Type.of(np.ones(1), np.zeros(1))
    trimmed = reached.trimmed(tail)
    assert len(trimmed.mass) < len(reached.mass) or tail < 0.0025
    for s in (Fraction(k, 16) for k in range(-40, 41)):
        least, truth = (_parts(each, nothing, s)[0] + Fraction(each.below) for each in (trimmed, reached))
        assert truth <= least <= truth + 2 * Fraction(tail)
