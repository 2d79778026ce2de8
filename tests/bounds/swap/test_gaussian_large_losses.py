"""The random-swap bound of narrow Gaussian noise, where one large loss decides."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shuffleproof.impl.fast.bounds.blanket import gaussian_reports, one_large_loss
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.swap import gaussian_places, means_beyond


@pytest.mark.parametrize(
    ("sigma", "n", "delta", "within"),
    [
        ("1/4", 10**4, "1e-2", 1.005),
        ("1/4", 10**4, "1e-3", 1.003),
        ("1/4", 10**4, "1e-12", 1.002),
        ("1/3", 10**4, "3e-2", 1.03),
        ("1/3", 10**4, "1e-2", 1.011),
        ("1/3", 10**4, "1e-3", 1.004),
        ("1/3", 10**4, "1e-6", 1.0015),
        ("1/5", 10**6, "1e-6", 1.001),
        ("1/2", 1000, "1e-6", 1.007),
        ("1/4", 1000, "1e-3", 1.015),
    ],
)
def test_brackets_of_narrow_noise(sigma: str, n: int, delta: str, within: float) -> None:
    asked: dict[str, Any] = {"n": n, "sigma": sigma, "delta": delta}
    above, below = gaussian_places.epsilon(**asked), gaussian_reports.epsilon_below(**asked)
    assert 1 < float(above.upper / below.lower) < within
    back = gaussian_places.delta(n=n, sigma=sigma, epsilon=str(float(above.upper)))
    assert float(Fraction(delta)) * 0.98 < float(back.upper) < float(Fraction(delta)) * 1.001


@pytest.mark.parametrize(
    ("sigma", "n", "epsilon"), [("1/4", 1, "3"), ("1/4", 2, "9"), ("1/10", 10, "40"), ("1/3", 300, "5"), ("5", 10**6, "0.01")]
)
def test_few_users_and_wide_noise_are_above_one_pair(sigma: str, n: int, epsilon: str) -> None:
    asked: dict[str, Any] = {"n": n, "sigma": sigma, "epsilon": epsilon}
    assert gaussian_reports.delta_below(**asked).lower <= gaussian_places.delta(**asked).upper <= 1


@pytest.mark.parametrize(
    ("sigma", "n", "delta", "within"),
    [("2", 1000, "1e-12", 1.2), ("2", 100, "1e-2", 1.11), ("3/2", 1000, "1e-6", 1.04), ("1", 1000, "1e-2", 1.13), ("30", 2, "1e-6", 1.1)],
)
def test_brackets_of_wide_noise_in_levels(sigma: str, n: int, delta: str, within: float) -> None:
    asked: dict[str, Any] = {"n": n, "sigma": sigma, "delta": delta}
    assert 1 < float(gaussian_places.epsilon(**asked).upper / gaussian_reports.epsilon_below(**asked).lower) < within


def test_where_one_pool_leaves_the_floats_the_blanket_is_asked() -> None:
    asked: dict[str, Any] = {"n": 3346263, "sigma": "0.813", "delta": "1e-12"}
    assert gaussian_places.epsilon(**asked).upper <= gaussian_reports.epsilon(**asked).upper < Fraction("0.008")


@pytest.mark.parametrize(("n", "wanted"), [(1000, 1e-6), (10**6, 1e-3)])
def test_what_is_revealed_of_large_losses_is_all_that_they_are_lowered_by(n: int, wanted: float) -> None:
    loss_types, E = gaussian_places.loss_types_for(Fraction(1), n, Fraction(wanted)), 1.05
    blanket = gaussian_reports.blanket_distribution(Fraction(1), Fraction(7))
    asked = gaussian_places._UpToOneThatCounts(loss_types, blanket, n, wanted)
    plain = [law for loss_type in loss_types.atoms(E, 1.0) for law in loss_type]
    lowered, revealed = [law for loss_type in asked.atoms(E, 1.0) for law in loss_type], asked.given_away(E) - loss_types.given_away(E)
    last = max(float(at.max()) for _, at, _ in lowered)
    for t in (-3.0, 0.0, 20.0, last):
        lost = max(
            float((mass * np.maximum(at - t, 0.0)).sum() - (less * np.maximum(cut - t, 0.0)).sum())
            for (mass, at, _), (less, cut, _) in zip(plain, lowered, strict=True)
        )
        assert 0.0 < lost <= revealed <= 1e-3 * wanted


def test_a_distribution_above_several_keeps_their_means_beyond_each_threshold() -> None:
    knots = np.array([-4.0, -1.0, 0.0, 0.5, 3.0])
    beyond = np.array([4.2, 1.3, 0.5, 0.3, 0.0])
    found = means_beyond.above(beyond + np.minimum(knots, 0.0), knots)
    held = [float((found.mass * np.maximum(found.at - t, 0.0)).sum()) + max(0.0, -t) * (1.0 - float(found.mass.sum())) for t in knots]
    assert all(here >= least * (1 - 1e-15) for here, least in zip(held, beyond, strict=True))
    assert held == pytest.approx(beyond, rel=1e-6)
    assert bool((found.mass >= 0.0).all())


@pytest.mark.parametrize("seed", range(20))
def test_what_is_above_several_distributions_is_so_at_every_threshold(seed: int) -> None:
    drawn, knots = np.random.default_rng(seed), means_beyond.knots_to(0.1, 3.0, 1e3, 1.02 + seed % 2 / 4)
    laws = [(drawn.dirichlet(np.full(30, 0.3)) * drawn.choice([1.0, 0.9]), drawn.standard_cauchy(30), 1e-14) for _ in range(4)]
    laws = [(mass, np.clip(at, -900.0, 900.0), error) for mass, at, error in laws]
    means = np.max([means_beyond.means_beyond(law, knots) for law in laws], axis=0)
    found = means_beyond.above(means, knots)
    for t in (*knots[::9], *drawn.standard_normal(9), -2e3):
        beyond = [
            float((mass * np.maximum(at - t, 0.0)).sum()) + max(0.0, -t) * (1.0 - float(mass.sum()))
            for mass, at in [*(law[:2] for law in laws), (found.mass, found.at)]
        ]
        assert max(beyond[:-1]) <= beyond[-1] + 1e-15 * abs(t)


def test_two_equal_classes_are_one() -> None:
    at = np.array([-2.0, 0.5, 4e5])
    losses = Losses(np.array([0.9, 0.099999, 0.000001]), at, at, 0.0)
    one, two = one_large_loss.upper_side(losses, n=700), one_large_loss.of_two_classes(losses, losses, losses, n=700)
    assert one is not None
    assert two is not None
    assert math.isclose(one, two, rel_tol=3e-3)


@pytest.mark.parametrize(("sigma", "n"), [("2", 100), ("1/2", 1000), ("1", 2)])
def test_a_profile_at_once_is_no_lower_than_a_pair_and_hardly_above_what_is_asked_alone(sigma: str, n: int) -> None:
    """Mutants: a way is asked where it is the least at both ends alone; values stand at other epsilons."""
    top = gaussian_reports.epsilon(n=n, sigma=sigma, delta="1e-9").upper
    epsilons = [top * k / 12 for k in range(13)]
    found = gaussian_places.uppers(n=n, sigma=Fraction(sigma), epsilons=epsilons)
    for epsilon, upper in zip(epsilons, found, strict=True):
        alone = gaussian_places.delta(n=n, sigma=sigma, epsilon=epsilon).upper
        assert gaussian_reports.delta_below(n=n, sigma=sigma, epsilon=epsilon).lower <= upper <= alone * Fraction(11, 10)
