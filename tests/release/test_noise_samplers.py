"""Own samplers and OpenDP's behind one face: never less noise than asked for, and the distribution that is claimed."""

from fractions import Fraction

import numpy as np
import pytest

from shuffleproof.impl.release.entropy import OperatingSystem
from shuffleproof.impl.release.noise import OpenDP, Own, Sampler

pytest.importorskip("opendp")
SCALES = (Fraction(1, 3), Fraction(10, 7), Fraction(12345678901234567890, 7))


@pytest.fixture(params=["own", "opendp"])
def sampler(request: pytest.FixtureRequest) -> Sampler:
    return OpenDP() if request.param == "opendp" else Own(OperatingSystem())


@pytest.mark.parametrize("asked", SCALES)
def test_what_is_drawn_with_is_never_less_than_what_was_asked_for(sampler: Sampler, asked: Fraction) -> None:
    assert asked <= sampler.laplace_scale(asked) <= asked * (1 + Fraction(1, 10**15))
    assert asked <= sampler.gaussian_variance(asked) <= asked * (1 + Fraction(1, 10**15))


def test_laplace_draws_have_their_distribution(sampler: Sampler) -> None:
    """Pr[X = 0] = tanh(1/(2 scale)); five standard errors."""
    scale, size = sampler.laplace_scale(Fraction(5, 2)), 20_000
    drawn = sampler.laplaces(scale=scale, size=size)
    p = float(np.tanh(1 / (2 * float(scale))))
    assert abs(np.mean(drawn == 0) - p) < 5 * np.sqrt(p * (1 - p) / size)
    assert abs(np.mean(drawn)) < 5 * np.sqrt(2) * float(scale) / np.sqrt(size)


def test_gaussian_draws_have_their_variance(sampler: Sampler) -> None:
    variance, size = sampler.gaussian_variance(Fraction(30)), 20_000
    drawn = sampler.gaussians(variance=variance, size=size)
    assert abs(np.mean(drawn)) < 5 * np.sqrt(30 / size)
    assert abs(np.mean(drawn.astype(float) ** 2) - 30) < 5 * 30 * np.sqrt(2 / size)
