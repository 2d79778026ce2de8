"""f_C and its inverse in float64 against balls; thresholds by sorting against the definitions; simulated algorithms against theirs."""

import math
import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.impl.ball import debiasing as certified
from shuffleproof.impl.fast import debiasing
from shuffleproof.impl.fast.numeric import thresholds
from shuffleproof.impl.fast.protocols.user_histogram import (
    Histograms,
    noise_slope,
    relative_loss,
    sensitivity,
    simulate_mean_counts,
    simulate_release,
)
from shuffleproof.spec.protocols import thresholds as exact, user_histogram as exact_histogram
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError
from shuffleproof.spec.vocabulary.scope import COUNTED_OR_NOT, Relation

COUNTS = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5)


def distance(rate: float, value: float, C: Fraction) -> float:
    """|value - f_C(rate)|/f_C(rate), rounded up a little."""
    enclosed = certified.expectation(rate=rate, C=C, digits=20)
    return float(max(abs(Fraction(value) - enclosed.lower), abs(Fraction(value) - enclosed.upper)) / enclosed.lower)


def drawn_rates(drawn: random.Random, C: float) -> list[float]:
    near = [abs(drawn.gauss(C, 3 * math.sqrt(C))) for _ in range(4)]
    return [min(9.9e5, max(1e-12, rate)) for rate in (*near, 10 ** drawn.uniform(-12, 6), C * drawn.uniform(0, 3))]


def measured(*, thresholds_drawn: int, seed: int, largest: float) -> tuple[float, float, int]:
    """(worst error of f, worst error of the inverse, points)."""
    drawn = random.Random(seed)
    worst, worst_inverse, points = 0.0, 0.0, 0
    for _ in range(thresholds_drawn):
        C = Fraction(max(1, round(10 ** drawn.uniform(0, largest)))) if drawn.random() < 0.7 else Fraction(drawn.randint(1, 3000), 7)
        rates = drawn_rates(drawn, float(C))
        values = debiasing.f(rates, C=C)
        worst = max([worst, *(distance(rate, float(value), C) for rate, value in zip(rates, values, strict=True))])
        targets = [float(value) for value in values if value < float(C) * (1 - 1e-12)]
        for rate, target in zip(debiasing.inverse(targets, C=C).tolist(), targets, strict=True):
            enclosed = certified.expectation(rate=rate, C=C, digits=20)
            worst_inverse = max(worst_inverse, float(abs(enclosed.upper - Fraction(target)) / Fraction(target)))
        points += len(rates)
    return worst, worst_inverse, points


@pytest.mark.parametrize(("thresholds_drawn", "largest"), [(80, 3), pytest.param(17_000, 6, marks=pytest.mark.deep)])
def test_f_and_its_inverse_keep_their_stated_errors(thresholds_drawn: int, largest: int) -> None:
    worst, worst_inverse, points = measured(thresholds_drawn=thresholds_drawn, seed=largest, largest=largest)
    assert points >= 5 * thresholds_drawn
    assert worst <= debiasing.F_ERROR / 8
    assert worst_inverse <= debiasing.INVERSE_ERROR / 8


def test_the_measurement_notices_a_wrong_f() -> None:
    """f_C without its second term, and f_C at C + 1, are far outside the stated error."""
    C, rate = Fraction(3), 2.5
    right = float(debiasing.f(rate, C=C))
    assert distance(rate, right, C) <= debiasing.F_ERROR
    assert distance(rate, right * (1 + 1e-11), C) > debiasing.F_ERROR
    assert distance(rate, float(debiasing.f(rate, C=4)), C) > debiasing.F_ERROR


def test_a_million_inverses_are_right_to_thirteen_digits() -> None:
    y = np.random.default_rng(0).uniform(0, 4.999, 10**6)
    rates = debiasing.inverse(y, C=5)
    assert np.max(np.abs(debiasing.f(rates, C=5) / y - 1)) < 1e-13


@pytest.mark.parametrize("C", [1, "5/2", 40])
def test_clamping_gives_every_number_an_answer(C: int | str) -> None:
    largest = 2 * float(Fraction(C))
    y = np.array([-3.0, 0.0, 0.4, float(Fraction(C)), 1e9])
    rates = debiasing.inverse_clamped(y, C=C, largest=largest)
    assert rates[0] == rates[1] == 0
    assert rates[2] == pytest.approx(float(debiasing.inverse(0.4, C=C)), rel=1e-12)
    assert rates[3] == rates[4] == largest


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda: debiasing.inverse([0.5, 2.0], C=2), DomainError),
        (lambda: debiasing.inverse(-1e-9, C=2), DomainError),
        (lambda: debiasing.inverse(math.nan, C=2), DomainError),
        (lambda: debiasing.inverse(0.5, C=-1), DomainError),
        (lambda: debiasing.f(-1.0, C=2), DomainError),
        (lambda: debiasing.f(1.0, C=10**7), UnsupportedError),
        (lambda: debiasing.f(1e7, C=2), UnsupportedError),
        (lambda: debiasing.inverse_clamped(math.inf, C=2, largest=1), DomainError),
    ],
)
def test_what_is_outside_the_box_is_refused(wrong: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        wrong()


def users_of(histograms: list[list[int]]) -> tuple[np.ndarray, np.ndarray, list[exact.User]]:
    """Norms and weights of the Laplace flavour, as arrays and exactly."""
    known = [exact.user(h, p=1) for h in histograms]
    return np.array([float(u.m) for u in known]), np.array([float(u.w) for u in known]), known


@examples(60)
@given(COUNTS, st.fractions(Fraction(1, 8), 12, max_denominator=8), st.fractions(Fraction(1, 8), 3, max_denominator=8))
def test_thresholds_agree_with_their_definitions(histograms: list[list[int]], T: Fraction, lam: Fraction) -> None:
    """LSZKG22, Lemma 4.1, Theorem 4.2, Algorithm 2."""
    m, w, known = users_of(histograms)
    assert thresholds.minimiser(m, w, T=float(T)) == exact.minimiser(known, T=T)
    assert thresholds.top_element(m, T=float(T)) == exact.top_element([u.m for u in known], T=T)
    private = thresholds.regularised_minimiser(m, w, T=float(T), lam=float(lam), B=9.0)
    assert private == pytest.approx(float(exact.regularised_minimiser(known, T=T, lam=lam, B=Fraction(9))))
    C = [Fraction(0), Fraction(5, 2), private]
    wanted = [float(exact.objective(known, C=Fraction(c), T=T)) for c in C]
    assert thresholds.objective(m, w, C=[float(c) for c in C], T=float(T)) == pytest.approx(wanted)


def test_descent_follows_the_specified_steps() -> None:
    """With the generator's noise handed to the specification, both means are the same (LSZKG22, Corollary 4.3)."""
    m, w, known = users_of([[3, 0, 0], [1, 1, 0], [0, 0, 4], [2, 0, 0]])
    steps, multiplier, T, W, B, n = 40, 0.3, 1.5, 1.0, 5.0, 4
    fast = thresholds.simulate_noisy_descent(
        m, w, T=T, W=W, B=B, n=n, steps=steps, multiplier=multiplier, generator=np.random.default_rng(5)
    )
    sigma = math.sqrt(steps) * W * multiplier
    noise = [Fraction(x) for x in np.random.default_rng(5).normal(scale=sigma, size=steps)]
    size = B / 2 / math.sqrt(steps * (max(T, n * W - T) ** 2 + sigma**2))
    path = exact.noisy_descent(known, T=Fraction(T), W=Fraction(W), B=Fraction(B), step=Fraction(size), noise=noise)
    assert fast == pytest.approx(float(sum(path)) / steps, rel=1e-9)


def test_private_quantiles_end_near_the_rank_asked_for() -> None:
    norms = np.arange(1, 1001, dtype=float)
    found = thresholds.simulate_quantile(
        norms, rank=100, B=4000.0, n=1000, steps=400, multiplier=0.05, rate=0.5, generator=np.random.default_rng(1)
    )
    assert 850 < found < 950


@examples(40)
@given(COUNTS, st.sampled_from([1, 2]), st.integers(0, 6))
def test_clipping_and_its_sensitivity_are_the_specified_ones(histograms: list[list[int]], p: int, C: int) -> None:
    data = table(histograms)
    wanted = np.zeros(3)
    for h in histograms:
        norm = math.sqrt(sum(x * x for x in h)) if p == 2 else sum(h)
        wanted += np.array(h) * min(1.0, C / norm if norm else 1.0)
    assert data.clipped_sum(p=p, C=C) == pytest.approx(wanted)  # type: ignore[arg-type]
    for relation in COUNTED_OR_NOT:
        for d in (1, 2, 5):
            squared = exact_histogram.sensitivity_squared(p=p, d=d, relation=relation, C=Fraction(1))  # type: ignore[arg-type]
            assert sensitivity(p=p, d=d, relation=relation) ** 2 == pytest.approx(float(squared))  # type: ignore[arg-type]


def table(histograms: list[list[int]]) -> Histograms:
    user, item = np.nonzero(np.array(histograms))
    return Histograms.of(user, item, np.array(histograms)[user, item], d=3, n=len(histograms))


def test_simulated_noise_has_the_stated_scale() -> None:
    """Mean absolute noise is T C/d in both flavours, under both relations."""
    data = Histograms.of([0], [0], [1.0], d=40_000, n=1)
    for p in (1, 2):
        for relation in COUNTED_OR_NOT:
            found = simulate_release(data, p=p, C=2.0, relation=relation, multiplier=1.5, generator=np.random.default_rng(3))  # type: ignore[arg-type]
            expected = 2.0 * noise_slope(p=p, d=data.d, relation=relation, multiplier=1.5) / data.d  # type: ignore[arg-type]
            assert np.abs(found).mean() == pytest.approx(expected, rel=0.03)


def test_no_clipping_and_no_noise_give_the_truth() -> None:
    data = table([[1, 2, 0], [0, 0, 3]])
    truth = data.aggregate()
    estimate = simulate_release(data, p=1, C=100.0, relation=Relation.ADD_REMOVE, multiplier=1e-12, generator=np.random.default_rng(0))
    assert relative_loss(estimate, truth=truth) < 1e-9
    assert relative_loss([0, 0, 0], truth=truth) == 1


def test_debiasing_undoes_clipping_where_all_users_are_alike() -> None:
    """LSZKG22, Theorem 5.1 with variance 0: only noise is left."""
    generator = np.random.default_rng(7)
    counts = generator.poisson(1.0, size=200_000)
    found = simulate_mean_counts(counts, n=counts.size, C=2, epsilon=1.0, largest=5 / 3, generator=generator, repeat=5)
    assert np.abs(found.debiased - 1).max() < 0.02
    assert np.abs(found.clipped - 1).min() > 0.08


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Histograms.of([0], [0], [-1], d=1, n=1),
        lambda: Histograms.of([0], [3], [1], d=3, n=1),
        lambda: table([[1, 0, 0]]).clipped_sum(p=1, C=-1.0),
        lambda: thresholds.minimiser([1.0], [1.0], T=0),
        lambda: thresholds.minimiser([-1.0], [1.0], T=1),
        lambda: thresholds.minimiser([math.nan], [1.0], T=1),
        lambda: thresholds.regularised_minimiser([1.0], [1.0], T=1, lam=0, B=1),
        lambda: relative_loss([1.0], truth=[0.0]),
    ],
)
def test_bad_simulations_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(DomainError):
        wrong()
