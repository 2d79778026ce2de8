"""The random-swap bound by the first user in a random order who draws from the blanket: exact probabilities and sums, not below."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.swap.swap_in_order import _at_least, first_draws, in_order as engine
from shuffleproof.impl.fast.bounds.swap.user_blocks.alike_blocks import averages
from shuffleproof.spec.bounds.swap.swap_in_levels import in_order, losses, nobody


@pytest.mark.parametrize(("others", "share"), [(1, 0.3), (2, 0.9), (10, 0.01), (50, 0.999), (120, 0.4)])
def test_as_many_others_are_in_a_part_of_the_order_as_is_said(others: int, share: float) -> None:
    t, found = Fraction(share), _at_least(np.arange(1, others + 1), others, share)
    masses = [comb(others, j) * t**j * (1 - t) ** (others - j) for j in range(others + 1)]
    for i in range(1, others + 1):
        truth = sum(masses[i:], Fraction(0))
        assert truth <= Fraction(found[i - 1]) <= truth * (1 + Fraction(1, 10**8)) + Fraction(1, 10**290)


@pytest.mark.parametrize(("others", "mass"), [(1, 0.5), (10, 0.2), (299, 0.223), (10**5, 0.6), (10**9, 0.22), (3000, 0.001)])
def test_every_place_of_the_first_draw_is_in_one_interval(others: int, mass: float) -> None:
    draws = first_draws(others, mass, tail=1e-13)
    assert [first for first, _, _ in draws] == [1, *(last + 1 for _, last, _ in draws[:-1])]
    assert draws[-1][1] == others
    gamma = Fraction(mass)
    for first, last, p in draws[:40] if others < 10**6 else ():
        assert (1 - gamma) ** (first - 1) * (1 - (1 - gamma) ** (last - first + 1)) <= Fraction(p)
    assert sum(p for *_, p in draws) <= 1 + 1e-9


@pytest.mark.parametrize("n", [2, 4, 6])
@pytest.mark.parametrize("exp_epsilon", [Fraction(1), Fraction(3, 2)])
def test_the_bound_in_order_is_a_little_above_the_exact_one(n: int, exp_epsilon: Fraction) -> None:
    rows = [(2, 1, 3), (1, 2, 3), (2, 2, 2)]
    laws = [{y: Fraction(w, 6) for y, w in enumerate(row)} for row in rows]
    least = {y: min(law[y] for law in laws) for y in range(3)}
    mass = sum(least.values())
    common = {y: p / mass for y, p in least.items()}

    asked: dict[str, Any] = {"first": laws[0], "second": laws[1], "others": laws, "common": common, "exp_epsilon": exp_epsilon}

    def nobody_left(eta: float) -> float:
        return float(nobody(n=n, share=Fraction(eta), **asked)) * (1 + 1e-15)

    parts, wanted = [j / 8 for j in range(1, 8)], list[Fraction]()
    for part in map(Fraction, (0, *parts)):
        hidden = in_order(N=n - 1, mass=mass, part=part, **asked)
        wanted.append(hidden + (1 - mass * part) ** (n - 1) * nobody(n=n, share=mass * part, **asked))
    types = []
    for other in laws:
        at, p = (np.array([float(x) for x in column]) for column in zip(*losses(hiding=other, **pair(asked))[0], strict=True))
        types.append(Losses(p, at * (1 + np.sign(at) * 2**-52), at, 2.0**-50))

    def sums(numbers: Sequence[int]) -> list[float]:
        return averages(types, numbers, wanted=float(wanted[0]))

    found = engine(sums, float(mass) * (1 - 1e-15), others=n - 1, wanted=float(wanted[0]), parts=parts, told=1.0, nobody=nobody_left)
    assert min(wanted) * (1 - Fraction(1, 10**12)) <= Fraction(found) <= min(wanted) * Fraction(102, 100)


def pair(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: asked[name] for name in ("first", "second", "exp_epsilon")}
