"""Certified debiasing and shuffled SGD against mpmath, quadrature and simulation; refusals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from mpmath import mp, mpf, quad
from strategies import examples

from shuffleproof.figures.shuffled_sgd import synthetic
from shuffleproof.impl.ball import debiasing, gaussian
from shuffleproof.impl.ball.bounds.clones.approx_clones import stronger_approx_clones
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.ball.shuffled_sgd import SENSITIVITY, guarantee
from shuffleproof.impl.fast.protocols.shuffled_sgd import accuracy, clipped, logistic_gradients, simulate_shuffled_sgd
from shuffleproof.spec.protocols import debiasing as specified
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.scope import Relation

F = Fraction

thresholds = st.fractions(min_value=F(1, 5), max_value=150, max_denominator=5)


@examples(30)
@given(thresholds, st.fractions(min_value=F(1, 10**6), max_value=1 - F(1, 10**6), max_denominator=10**6))
def test_the_inverse_has_fifty_digits(C, share) -> None:
    y = C * share
    low, high = debiasing.inverse(y=y, C=C)
    assert high - low <= high / 10**50
    assert debiasing.expectation(rate=low, C=C, digits=90).lower <= y <= debiasing.expectation(rate=high, C=C, digits=90).upper


def test_both_ways_of_computing_f_meet() -> None:
    """The polynomial up to C = 64, one tail beyond, between integers too."""
    for C, rate in ((F(64), F(60)), (F(65), F(60)), (F(129, 2), F(70)), (F(300), F(299)), (F(300), F(310))):
        found = debiasing.expectation(rate=rate, C=C, digits=30)
        with mp.workdps(45):
            reference = specified.f(rate, C=C)
            assert abs(mpf(found.upper.numerator) / found.upper.denominator - reference) < mpf(10) ** -28 * reference


def test_a_large_threshold_takes_a_moment_only() -> None:
    low, high = debiasing.inverse(y=10**6 - 2, C=10**6, digits=20)
    assert 1_002_503 < low <= high < 1_002_504


def test_ends_of_the_domain() -> None:
    assert debiasing.inverse(y=0, C=3) == (0, 0)
    assert debiasing.expectation(rate=0, C=3) == (0, 0)
    for y, C in ((-1, 2), (2, 2), (1, 0), (1, 10**6 + 1)):
        with pytest.raises(DomainError):
            debiasing.inverse(y=y, C=C)
    with pytest.raises(DomainError):
        debiasing.expectation(rate=-1, C=2)


def _by_quadrature(rates, C, epsilon, largest):
    """E(psi(y) - lbar)^2 straight from the distribution of y, in mpmath."""
    n, lbar = len(rates), sum(rates, F(0)) / len(rates)
    law = {0: mpf(1)}
    for rate in rates:
        l_ = mpf(rate.numerator) / rate.denominator
        masses = [mp.exp(-l_) * l_**k / mp.factorial(k) for k in range(C)]
        masses.append(1 - sum(masses))
        law = {t: sum(law.get(t - k, 0) * m for k, m in enumerate(masses)) for t in range(max(law) + C + 1)}
    b, target = mpf(C) / mpf(epsilon), mpf(lbar.numerator) / lbar.denominator
    top = specified.f(largest, C=F(C))
    total = mpf(0)
    for k, weight in law.items():

        def density(y, k=k):
            return n * mp.exp(-abs(n * y - k) / b) / (2 * b)

        below = mp.exp(-mpf(k) / b) / 2
        above = mp.exp(-(n * top - k) / b) / 2 if n * top >= k else 1 - mp.exp((n * top - k) / b) / 2
        cuts = sorted({mpf(0), top, *([mpf(k) / n] if 0 < mpf(k) / n < top else [])})
        inner = quad(lambda y, d=density: d(y) * (specified.inverse(y, C=F(C)) - target) ** 2, cuts)
        total += weight * (below * target**2 + inner + above * (mpf(largest.numerator) / largest.denominator - target) ** 2)
    return total


def test_the_error_of_algorithm_4_against_direct_integration() -> None:
    """No formula in common: the distribution of y, the inverse under the integral, and its two atoms."""
    with mp.workdps(12):
        for rates, C, epsilon, largest in (([F(1, 2), F(2)], 2, 2, F(5, 3)), ([F(1)], 1, 1, F(2))):
            low, high = debiasing.debiased_error(rates=rates, C=C, epsilon=F(epsilon), largest=largest)
            reference = _by_quadrature(rates, C, epsilon, largest)
            assert abs(mpf(low.numerator) / low.denominator - reference) < mpf(10) ** -7
            assert low <= high


def test_the_error_of_the_clipped_mean_by_hand() -> None:
    """One user with rate 0: only the noise is left, 2 (C/eps)^2."""
    low, high = debiasing.clipped_error(rates=[F(0)], C=3, epsilon=F(2))
    assert low <= F(9, 2) <= high


def test_the_distribution_of_the_clipped_sum_sums_to_one() -> None:
    with precision(100):
        law = debiasing.clipped_distribution([F(1), F(2), F(1, 3)], C=3)
        total = sum(law)
        assert len(law) == 10
        assert abs(total - 1) < 1e-25


def test_refusals() -> None:
    with pytest.raises(DomainError):
        debiasing.debiased_error(rates=[], C=1, epsilon=F(1), largest=F(1))
    with pytest.raises(DomainError):
        debiasing.debiased_error(rates=[F(1)], C=1, epsilon=F(0), largest=F(1))
    with pytest.raises(DomainError):
        debiasing.debiased_error(rates=[F(1)], C=1, epsilon=F(1), largest=F(0))
    with pytest.raises(DomainError):
        debiasing.clipped_error(rates=[F(-1)], C=1, epsilon=F(1))
    with pytest.raises(ResourceLimitError):
        debiasing.debiased_error(rates=[F(1)] * 3000, C=2, epsilon=F(1), largest=F(1))


def test_no_gradient_reaches_the_sum_unclipped() -> None:
    """Algorithm 2 as printed adds the gradient as it is: then two datasets would differ by far more than SENSITIVITY."""
    gradients = np.array([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0], [1e300, 0.0]])
    norms = np.linalg.norm(clipped(gradients), axis=1)
    assert norms == pytest.approx([1.0, 0.5, 0.0, 1.0])


def test_a_replaced_user_moves_one_step_by_at_most_the_sensitivity() -> None:
    """With the noise switched off the first step's parameters move by at most 2 eta/batch, for extreme users too."""
    generator = np.random.default_rng(1)
    features, labels = generator.normal(size=(4, 3)) * 100, np.array([1.0, -1.0, 1.0, -1.0])
    other = features.copy()
    other[2] = -1e6
    first, second = (
        simulate_shuffled_sgd(
            features=rows, labels=labels, sigma=0.0, batch=4, passes=1, learning_rate=1.0, generator=np.random.default_rng(2)
        )
        for rows in (features, other)
    )
    assert np.linalg.norm(first - second) <= SENSITIVITY / 4 + 1e-12


def test_gradients_are_those_of_the_logistic_loss() -> None:
    theta, features, labels = np.array([0.3, -0.2]), np.array([[1.0, 2.0], [-3.0, 0.5]]), np.array([1.0, -1.0])

    def loss(at: np.ndarray) -> np.ndarray:
        return np.log1p(np.exp(-labels * (features @ at)))

    step = 1e-6
    numeric = np.column_stack([(loss(theta + step * e) - loss(theta - step * e)) / (2 * step) for e in np.eye(2)])
    assert logistic_gradients(theta, features, labels) == pytest.approx(numeric, abs=1e-8)


def test_every_user_is_in_one_step_of_a_pass() -> None:
    """A pass that used somebody twice, or in the given order, would not be what the theorem covers."""
    seen: list[np.ndarray] = []

    class Watched(np.random.Generator):
        def permutation(self, x: int, axis: int = 0) -> np.ndarray:  # type: ignore[override]
            seen.append(super().permutation(x, axis))
            return seen[-1]

    simulate_shuffled_sgd(
        features=np.ones((6, 1)), labels=np.ones(6), sigma=1.0, batch=2, passes=3, learning_rate=1.0, generator=Watched(np.random.PCG64(5))
    )
    assert [sorted(order) for order in seen] == [list(range(6))] * 3
    assert len({tuple(order) for order in seen}) > 1


def test_the_guarantee_of_one_pass_is_its_two_steps() -> None:
    found = guarantee(users=20_000, batch=2, passes=1, sigma=8, delta="1e-6")
    assert found.amplified
    local, pass_ = found.steps
    alone = gaussian.epsilon(noise_multiplier=Fraction(8, 2), delta=local.delta, relation=Relation.REPLACE_ONE, digits=8)
    assert local.epsilon == alone.upper
    shuffled = stronger_approx_clones.epsilon(n=10_000, epsilon0=local.epsilon, delta0=local.delta, delta="1e-6", digits=8)
    assert pass_.epsilon == found.epsilon <= shuffled.upper
    assert found.epsilon < found.local / 5


def test_sensitivity_one_would_claim_too_much() -> None:
    """The mutant: noise for distance 1 claims an epsilon that the exact profile at distance 2 refutes."""
    wrong = gaussian.epsilon(noise_multiplier=Fraction(8), delta="1e-6", relation=Relation.REPLACE_ONE).upper
    truth = gaussian.delta(noise_multiplier=Fraction(8, SENSITIVITY), epsilon=wrong, relation=Relation.REPLACE_ONE).lower
    assert truth > Fraction(1, 10**6)
    assert guarantee(users=1, batch=1, passes=1, sigma=8, delta="1e-6").epsilon > wrong


def test_one_batch_has_nothing_to_hide_among() -> None:
    found = guarantee(users=50, batch=50, passes=1, sigma=8, delta="1e-6")
    assert not found.amplified
    assert found.epsilon == found.local


def test_more_noise_more_users_and_fewer_passes_are_never_worse() -> None:
    base = guarantee(users=10_000, batch=1, passes=1, sigma=6, delta="1e-6").epsilon
    assert guarantee(users=10_000, batch=1, passes=1, sigma=7, delta="1e-6").epsilon < base
    assert guarantee(users=40_000, batch=1, passes=1, sigma=6, delta="1e-6").epsilon < base
    assert guarantee(users=10_000, batch=1, passes=3, sigma=6, delta="1e-6").epsilon > base


@pytest.mark.parametrize(
    "change", [{"batch": 3}, {"batch": 0}, {"sigma": 0}, {"sigma": "nan"}, {"delta": 0}, {"delta": 1}, {"passes": 0}, {"users": 0}]
)
def test_a_guarantee_is_not_given_outside_its_domain(change: dict[str, object]) -> None:
    with pytest.raises(DomainError):
        guarantee(**{"users": 10, "batch": 2, "passes": 1, "sigma": 1, "delta": "1e-6", **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"features": np.array([[np.nan]])},
        {"features": np.ones(3)},
        {"labels": np.array([0.0, 1.0])},
        {"sigma": -1.0},
        {"sigma": float("nan")},
        {"batch": 3},
        {"passes": 0},
        {"learning_rate": 0.0},
    ],
)
def test_a_simulation_refuses_bad_input(change: dict[str, object]) -> None:
    given: dict[str, object] = {"features": np.ones((2, 1)), "labels": np.array([1.0, -1.0]), "sigma": 1.0, "batch": 1, "passes": 1}
    with pytest.raises(DomainError):
        simulate_shuffled_sgd(**{**given, "learning_rate": 1.0, "generator": np.random.default_rng(1), **change})  # type: ignore[arg-type]


def test_without_noise_it_learns() -> None:
    features, labels, held_out, answers = synthetic()
    theta = simulate_shuffled_sgd(
        features=features[:5000], labels=labels[:5000], sigma=0.0, batch=10, passes=1, learning_rate=4.0, generator=np.random.default_rng(1)
    )
    assert accuracy(theta, held_out, answers) > 0.88
