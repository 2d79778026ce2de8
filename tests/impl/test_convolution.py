"""Products of arrays in float64: never further from the exact ones than they say, and never said to be much further than they are."""

from fractions import Fraction
from functools import reduce

import numpy as np
import pytest

from shuffleproof.impl.fast.numeric import convolution
from shuffleproof.impl.fast.numeric.convolution import AT_ONCE, Floats, LargestMeans, convolved, convolved_often, worst


def exactly(arrays: list[Floats]) -> list[int]:
    """The product, in units of 2^-1074 for each factor: floats are whole numbers of these."""
    return reduce(lambda x, y: product(x, y), [[int(Fraction(float(each)) * 2**1074) for each in x] for x in arrays])


def product(x: list[int], y: list[int]) -> list[int]:
    found = [0] * (len(x) + len(y) - 1)
    for i, one in enumerate(x):
        for j, other in enumerate(y):
            found[i + j] += one * other
    return found


def distance(found: Floats, wanted: list[int], factors: int) -> Fraction:
    unit = Fraction(1, 2 ** (1074 * factors))
    return sum((abs(Fraction(float(z)) - w * unit) for z, w in zip(found, wanted, strict=True)), Fraction(0))


def drawn(generator: np.random.Generator, length: int, kind: str) -> Floats:
    match kind:
        case "smooth":
            return generator.random(length)
        case "steep":
            return np.exp(-80 * generator.random(length))
        case "peaked":
            x = generator.random(length) * 1e-9
            x[generator.integers(length, size=3)] = 1.0
            return x
        case _:
            return np.where(generator.random(length) < 0.8, 0.0, generator.standard_normal(length))


KINDS = ("smooth", "steep", "peaked", "few and signed")


@pytest.mark.parametrize("kind", KINDS[:3])
def test_the_largest_of_several_means_is_as_near_as_it_says(kind: str) -> None:
    generator = np.random.default_rng(5)
    rows, x = np.array([drawn(generator, 40, kind) for _ in range(3)]), drawn(generator, 130, kind)
    found, error = LargestMeans(rows).of(x)
    each = [exactly([row[::-1], x])[39:130] for row in rows]
    unit = Fraction(1, 2 ** (1074 * 2))
    assert len(found) == 91
    for z, sums in zip(found, zip(*each, strict=True), strict=True):
        assert abs(Fraction(float(z)) - max(sums) * unit) <= Fraction(error)
    assert error <= 1e-12 * float(rows.sum(axis=1).max() * x.sum())


@pytest.mark.parametrize("allowed", [0.0, 1e-9])
@pytest.mark.parametrize("lengths", [(1, 1), (1, 90), (13, 14), (90, 70), (150, 40)])
def test_products_are_as_near_as_they_say(lengths: tuple[int, int], allowed: float) -> None:
    generator = np.random.default_rng(sum(lengths))
    for one in KINDS:
        for other in KINDS:
            x, y = drawn(generator, lengths[0], one), drawn(generator, lengths[1], other)
            terms = float(np.abs(x).sum() * np.abs(y).sum())
            for factors in ((x, y), (x, x)):
                z, error = convolved(*factors, allowed=allowed)
                assert distance(z, exactly(list(factors)), 2) <= Fraction(error)
            assert convolved(x, y, allowed=allowed)[1] <= max(allowed, 1e-12) * terms


@pytest.mark.parametrize("times", [1, 2, 5, AT_ONCE])
def test_several_at_once_are_as_near_as_they_say(times: int) -> None:
    generator = np.random.default_rng(times)
    for one in KINDS:
        for other in KINDS:
            x, y = drawn(generator, 20, one), drawn(generator, 9, other)
            z, error = convolved_often(x, y, times=times)
            assert distance(z, exactly([x, *[y] * times]), times + 1) <= Fraction(error)
            terms = float(np.abs(x).sum() * np.abs(y).sum() ** times)
            assert error <= (times + 1) * worst(len(z)) * terms


def test_nothing_is_peeled_where_a_transform_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    x = drawn(np.random.default_rng(5), 200, "peaked")
    whole, none = convolved(x, x), convolved(x, x, allowed=1e-9)
    assert whole[1] < none[1] / 20  # peeled, it is nearer
    monkeypatch.setattr(
        convolution, "_peeled", lambda x, norm, largest: (np.empty(0, dtype=np.int64), x, norm) if largest > 1 else pytest.fail("it is")
    )
    assert convolved(x, x, allowed=1e-9)[1] == none[1]


def test_a_bound_that_forgets_the_transform_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant that these tests are for."""
    monkeypatch.setattr(convolution, "FFT_ERROR", 0.0)
    generator = np.random.default_rng(7)
    x, y = (drawn(generator, 80, "peaked") for _ in range(2))
    for (z, error), factors in ((convolved(x, y, allowed=1e-9), [x, y]), (convolved_often(x, y, times=3), [x, y, y, y])):
        assert distance(z, exactly(factors), len(factors)) > Fraction(error)
