"""Distribution functions of integer noise: against sums over every integer near, symmetry, and the definition of the sum of two."""

import math
from fractions import Fraction

import pytest

from shuffleproof.impl.ball.integer_noise import gaussian_cdf, laplace_cdf


@pytest.mark.parametrize("x", [-7, -1, 0, 1, 4])
def test_laplace_noise_is_exact_and_adds_up(x: int) -> None:
    """P(S <= x) by conditioning on the first term: the second's distribution function, weighed, within what is cut off."""
    alpha, reach = Fraction(1, 3), 60
    one = laplace_cdf(epsilon="ln 3", terms=1, x=x)
    assert one.lower == one.upper == (alpha**-x / (1 + alpha) if x < 0 else 1 - alpha ** (x + 1) / (1 + alpha))
    two = laplace_cdf(epsilon="ln 3", terms=2, x=x)
    mass = {z: (1 - alpha) / (1 + alpha) * alpha ** abs(z) for z in range(-reach, reach + 1)}
    summed = sum(mass[z] * laplace_cdf(epsilon="ln 3", terms=1, x=x - z).lower for z in mass)
    assert two.lower == two.upper
    assert 0 <= two.lower - summed <= 4 * alpha ** (reach + 1)


@pytest.mark.parametrize("terms", [1, 2])
@pytest.mark.parametrize("variance", ["1/4", "3", "17/2"])
def test_gaussian_noise_is_what_floats_add_up_to(terms: int, variance: str) -> None:
    weights = {z: math.exp(-z * z / (2 * float(Fraction(variance)))) for z in range(-60, 61)}
    total = sum(weights.values())
    for x in (-4, 0, 3):
        found = gaussian_cdf(variance=variance, terms=terms, x=x)
        if terms == 1:
            near = sum(weight for z, weight in weights.items() if z <= x) / total
        else:
            near = sum(a * b for z, a in weights.items() for y, b in weights.items() if z + y <= x) / total**2
        assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**18))
        assert float(found.lower) == pytest.approx(near, rel=1e-12)


@pytest.mark.parametrize("noise", [laplace_cdf, gaussian_cdf])
@pytest.mark.parametrize("terms", [1, 2])
def test_noise_is_symmetric(noise: object, terms: int) -> None:
    """P(S <= -x - 1) = 1 - P(S <= x), between the ends."""
    scale = {"epsilon": "1/2"} if noise is laplace_cdf else {"variance": "5/2"}
    for x in (0, 2):
        left, right = (noise(**scale, terms=terms, x=at) for at in (-x - 1, x))  # type: ignore[operator]
        assert left.lower + right.lower <= 1 <= left.upper + right.upper
