"""Sums along a line of independent losses of any types: above those of each type alone from below, and near them."""

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from shuffleproof.impl.fast.bounds.blanket import one_sum_contour
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import as_losses
from shuffleproof.impl.fast.bounds.swap.along_a_line.alike_line import _Line, averages
from shuffleproof.impl.fast.bounds.swap.along_a_line.loss_rows import Rows
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import measures_of
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS
from shuffleproof.impl.fast.bounds.swap.laplace_places import LaplaceLosses
from shuffleproof.impl.fast.bounds.swap.loss_types import types_of
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


def one_by_one(types: list[Losses], users: int) -> float:
    """Return the largest lower side of a sum of one type."""
    sides = (one_sum_contour.sides(law.mass, law.at, law.at, error=law.error, n=users) for law in types)
    return max(found[0] for found in sides if found)


@pytest.mark.parametrize("randomizer", [RAPPOR(), LocalHashing(buckets=4)], ids=str)
@pytest.mark.parametrize(("users", "epsilon"), [(1_000, 0.3), (100_000, 0.009), (10**8, 0.0005), (10**9, 1e-4)])
def test_a_sum_along_a_line_is_a_little_above_that_of_the_worst_type(randomizer: NamedRandomizer, users: int, epsilon: float) -> None:
    (*_, types) = types_of(randomizer, parse_epsilon("1"))
    known = [as_losses(law) for law in types.others(math.exp(epsilon), 1 / users)]
    found = averages(known, [users, users * 9 // 10])
    assert found is not None
    for S, value in zip([users, users * 9 // 10], found[0], strict=True):
        worst = one_by_one(known, S)
        assert worst <= value <= worst * (1 + 2e-3)


@pytest.mark.parametrize(("epsilon0", "users", "epsilon"), [(1.0, 100_000, 0.009), (3.0, 10**7, 0.003), (5.0, 10**6, 0.034)])
def test_sums_of_laplace_noise_in_parts_are_a_little_above_those_of_every_row(epsilon0: float, users: int, epsilon: float) -> None:
    known, E = LaplaceLosses(epsilon0), math.exp(epsilon)
    found = known.averages(E, [users])
    assert found is not None
    rows = known._of(known.cells, 1024, even=True).losses(E)  # far finer than those of blocks
    types = sorted(
        (as_losses((mass, at, rows[2])) for mass, at in zip(*rows[:2], strict=True)), key=lambda law: -float(law.mass @ law.at**2)
    )
    worst = one_by_one(types[:4], users)
    assert worst <= found[0] <= worst * (1 + 3e-3)


@pytest.mark.parametrize(("epsilon0", "E"), [(0.01, 1.0), (2.0, 1.01), (2.0, 1.5), (6.0, 1.1)])
def test_parts_of_laplace_noise_have_the_transforms_of_its_losses(epsilon0: float, E: float) -> None:
    """Of R_0, R_1 and R_c by their densities in the middles of many cells; reports inside of a cell of inputs have two places."""
    known = LaplaceLosses(epsilon0)
    parts = known.parts.in_parts(E, 1e-13)
    theta, tau, points = 0.03 * math.exp(-epsilon0), 0.1 * math.exp(-epsilon0), 300
    found, doubt = parts.transforms(theta, tau, points)
    y = (np.arange(1 << 17) + 0.5) / (1 << 17)
    reports = np.concatenate([[-1.0], y, [2.0]])
    cells = np.concatenate([[1 / epsilon0], np.full(len(y), 1 / len(y)), [1 / epsilon0]]) * epsilon0 / 2

    def relative(x: int) -> Any:
        return np.exp(-epsilon0 * np.abs(np.clip(reports, 0, 1) - x / POINTS))

    rows, one = iter(range(len(found))), relative(POINTS)
    for cell in known.cells:
        share, inside = known.kept(cell), (cell.low < reports * POINTS) & (reports * POINTS < cell.high)
        for x, part in product(sorted({cell.low, cell.high}), (1.0,) if cell.curve == "between" else (1.0, share)):
            row, own = next(rows), part * relative(x)
            first, second, m = {
                "between": (relative(0), one, share * own),
                "first": (own, one, relative(0)),
                "second": (one, own, relative(0)),
            }[cell.curve]
            mass, at = cells * np.where(inside & (cell.curve != "between"), 0.0, m), (first - E * second) / m
            mass, at = np.append(mass, parts.mass[row, -3:-1]), np.append(at, parts.at[row, -3:-1])
            assert mass @ at == pytest.approx(1 - E, abs=1e-9)
            for j in (0, 1, 17, points):
                exact = (mass * np.exp((theta + 1j * tau * j) * at)).sum() + 1 - mass.sum()
                assert abs(found[row, j] - exact) <= doubt[row, j] + 1e-9
    assert next(rows, None) is None


@pytest.mark.parametrize(("theta", "near"), [(1e-3, 0.999), (1.0, 0.690)])
def test_a_transform_is_wrong_by_no_more_than_a_part_that_reaches_to_one_side_makes_it(theta: float, near: float) -> None:
    """Nearly all of it lies at one loss, and 1 part in 10^4 at the other end of its reach; near: of the doubt, what it is wrong by."""
    few, far, place = 1e-4, 0.5, 0.3
    mean = place - far * few / (1 - few)
    row = _in_parts([1.0], [place], variance=far * far * few / (1 - few), reach=far)
    found, doubt = row.transforms(theta, 0.1, 4)
    z = theta + 0.1j * np.arange(5)
    wrong = np.abs(found[0] - (1 - few) * np.exp(z * mean) - few * np.exp(z * (place + far)))
    assert (wrong <= doubt[0]).all()
    assert wrong[1:] / doubt[0, 1:] == pytest.approx(near, abs=1e-3)


_FAIR = ([0.5, 0.5], [1.0, -1.0])


@pytest.mark.parametrize(
    ("mass", "at", "more", "theta", "first", "last", "least"),
    [
        (*_FAIR, {"variance": 0.01, "reach": 0.5}, 1.0, 0.25, 0.4, 0.99736),  # these four by moments
        (*_FAIR, {"variance": 0.3, "reach": 0.1}, 0.01, 0.25, 0.4, 0.98076),
        (*_FAIR, {"wrong": 0.001, "apart": 0.003}, 0.5, 0.3, 0.4, 0.96847),
        ([0.99, 0.01], [-0.1, 10.0], {"variance": 0.2, "wrong": 2e-4}, 0.01, 0.16, 0.19, 0.99692),
        ([0.9, 0.1], [-0.5, 4.0], {}, 0.1, 0.3, 0.7, 0.92356),
        (*_FAIR, {"variance": 0.01, "reach": 0.5}, 1.0, 0.5, 0.9, 0.96711),
        ([0.5, 0.45, 0.05], [1.0, -1.0, 0.0], {"variance": [0.0, 0.0, 50.0], "reach": [0.0, 0.0, 0.5]}, 1.0, 0.8, 1.5, 0.99624),
        (*_FAIR, {"wrong": 0.001, "apart": 0.05}, 0.5, 0.8, 1.4, 0.86361),
        (*_FAIR, {}, 1e-3, 1.45, 1.65, 0.97203),  # in the steps next to pi
        ([0.22, 0.22, 0.46, 0.1], [1.0, -1.0, 0.0, 0.5], {}, 1e-3, 2.2, 8.0, 0.80209),  # which come back at 2 pi
    ],
)
def test_powers_decay_by_what_is_proved_of_them(
    mass: list[float], at: list[float], more: dict[str, Any], theta: float, first: float, last: float, least: float
) -> None:
    """least: what they are at most by the bounds that `decays` has, of which every number is noticed."""
    law = _in_parts(mass, at, **more)
    assert law.decays(theta, first, last, least + 2e-5)
    assert not law.decays(theta, first, last, least - 2e-5)


def test_parts_that_are_one_have_what_each_has() -> None:
    parts: dict[str, Any] = {"variance": 0.001, "reach": [0.5, 0.2, 0.1, 0.1], "wrong": 0.001, "apart": [0.001, 0.02, 0.0, 0.0]}
    law = _in_parts([0.25] * 4, [1.1, 0.9, -1.1, -0.9], **parts).together(2)
    assert law.decays(0.5, 0.8, 1.4, 0.82711)
    assert not law.decays(0.5, 0.8, 1.4, 0.82707)


def _in_parts(mass: list[float], at: list[float], *, wrong: float = 0.0, **parts: float | list[float]) -> Rows:
    """Return one row of these parts."""

    def filled(part: float | list[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.append(np.broadcast_to(part, len(mass)), np.zeros(3))[None]

    variance, reach, apart = (filled(parts.get(name, 0.0)) for name in ("variance", "reach", "apart"))
    return Rows(filled(mass), filled(at), variance, reach, wrong, apart)


@pytest.mark.parametrize("first", [0.02, 0.2, 0.7])
def test_powers_decay_where_they_are_said_to(first: float) -> None:
    rng, claimed = np.random.default_rng(round(100 * first)), 0
    w = np.linspace(first, 8 * first, 2000)
    for _ in range(300):
        mass = rng.dirichlet(np.full(6, rng.choice([0.2, 1.0])))
        at, theta = rng.normal(size=6) * np.array([1, 1, 1, 1, 1, 1 + 4 * rng.random()]), rng.choice([1e-3, 0.3])
        powers = np.abs((mass * np.exp(np.multiply.outer(theta + 1j * w, at))).sum(axis=1)) / (mass @ np.exp(theta * at))
        law = Rows(mass[None], at[None], np.zeros((1, 6)), np.zeros((1, 6)))
        assert not law.decays(theta, first, 8 * first, float(powers.max()) * (1 - 1e-6))
        claimed += law.decays(theta, first, 8 * first, float(powers.max()) ** 0.7)
    assert claimed > 100, claimed


def test_types_far_behind_have_the_same_t() -> None:
    """Mutants: types far behind left out; t is 0 for them; their powers elsewhere as small as those of others."""
    known, users = LaplaceLosses(2.56), 401_230
    rows = known.parts.in_parts(1 + 7.87 * math.sqrt(known.chi_square() / users), 1e-13)
    line = _Line.through(rows, users, users, 2.0)
    assert line is not None
    far = users * (line.at_theta.max() - line.at_theta) > 10.0
    assert 0 < far.sum() < len(line.size) == len(rows.mass)
    assert line.outside[far].min() > 1e6 * line.outside[line.best]
    phases = users * line.angle + line.turn
    t = np.tan(np.clip(phases[line.best], -1.2, 1.2))  # which nothing holds back
    heights = users * line.size + line.weight - t * phases + t * np.arctan(t) - np.log1p(t * t) / 2
    assert heights[~far].max() < heights[far].max() < line.logarithms(t, [users])[0]


def test_points_that_are_not_looked_at_count() -> None:
    (*_, types) = types_of(RAPPOR(), parse_epsilon("1"))
    users = 100_000
    line = _Line.through(Rows.of(measures_of([as_losses(law) for law in types.others(1.009, 1 / users)])), users, users, 2.0)
    assert line is not None
    (found,), (more,) = (each.averages([users])[0] for each in (line, replace(line, outside=1e3 + line.outside)))
    assert more == pytest.approx(found + 1e3 * math.exp(users * float(line.at_theta.max())) / users, rel=1e-3)
