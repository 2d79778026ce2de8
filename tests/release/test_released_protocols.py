"""What is released has the exact distribution of the protocol; histograms of users on their grids, with the noise of their sensitivity."""

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import isqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scripted_generator import Enumerated, distribution_of, enumerated

from shuffleproof.impl.ball import gaussian
from shuffleproof.impl.release import bit_sum as released_bit_sum, histogram as released_histogram, noise, user_histogram
from shuffleproof.impl.release.entropy import BitSource, OperatingSystem
from shuffleproof.impl.release.noise import Own
from shuffleproof.impl.release.rounding import divided, encoded_ones, encoded_ones_of
from shuffleproof.impl.release.user_histogram import BITS, Entries, Norm, ThresholdSettings, contributions, minimiser_units
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.protocols import (
    bit_sum as exact_bit_sum,
    histogram as exact_histogram,
    real_sum as exact_real_sum,
    thresholds as exact,
)
from shuffleproof.spec.protocols.user_histogram_grid import clip_to_grid
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.scope import Relation

P = (Fraction(1, 3), Fraction(1, 2), Fraction(1))
LAMBDAS = (Fraction(0), Fraction(1, 2), Fraction(2, 3))


def weights(law: Distribution[Any]) -> dict[Hashable, Fraction]:
    return dict(law.items())


@pytest.mark.parametrize("n", range(1, 7))
def test_released_bit_sums_have_the_exact_distribution(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The binomials that are drawn are those of the protocol; that they are drawn exactly is tested on their own."""

    monkeypatch.setattr(released_bit_sum, "binomial", enumerated)
    for lam, ones in product((*LAMBDAS, Fraction(n)), range(n + 1)):
        drawn = distribution_of(lambda tape: released_bit_sum.messages_of_one(bits=n, ones=ones, flip=lam / (2 * n), source=tape))  # noqa: B023
        assert drawn == weights(exact_bit_sum.ones_distribution(n=n, lam=lam, ones=ones))


@pytest.mark.parametrize(("n", "counts"), [(1, (1,)), (3, (2, 1)), (3, (0, 3)), (4, (1, 0, 3))])
def test_released_histograms_have_the_exact_distribution(n: int, counts: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(released_histogram, "BinomialSampler", lambda *, n, p, source: Enumerated(source, n, p))
    for p in P:
        drawn = distribution_of(
            lambda tape: tuple(
                (n + released_histogram.excess_messages(counts=np.array(counts, dtype=np.int64), n=n, p=p, source=tape)).tolist()  # noqa: B023
            )
        )
        dataset = [j for j, held in enumerate(counts, start=1) for _ in range(held)]
        assert drawn == weights(exact_histogram.messages_distribution(dataset, d=len(counts), p=p))


@pytest.mark.parametrize("r", [1, 3, 4, 1000])
def test_released_roundings_have_the_exact_distribution(r: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """E_r adds up to floor(x r) ones and one more with probability the rest (CSUZZ19, Algorithm 5)."""
    from shuffleproof.impl.release import rounding

    def enumerated(*, numerators: Any, denominator: int, source: Any) -> int:
        return sum(source.chosen([1 - Fraction(int(a), denominator), Fraction(int(a), denominator)]) for a in numerators)

    def one(*, p: Fraction, source: Any) -> bool:
        return bool(source.chosen([1 - p, p]))

    monkeypatch.setattr(rounding, "bernoulli_sum", enumerated)
    monkeypatch.setattr(rounding, "bernoulli", one)
    for x in (Fraction(0), Fraction(1), Fraction(1, 4), Fraction(2, 5), Fraction(7, 20)):
        expected = weights(exact_real_sum.encoder(x, r=r).map(sum)) if r < 10 else None
        numerators = np.array([x * 20], dtype=np.int64)
        together = distribution_of(lambda tape: encoded_ones(numerators=numerators, denominator=20, r=r, source=tape))  # noqa: B023
        alone = distribution_of(lambda tape: encoded_ones_of([x], r=r, source=tape))  # noqa: B023
        assert together == alone == (expected or together)
        assert sum(Fraction(int(str(y))) * weight for y, weight in together.items()) == x * r


def test_division_is_exact_where_the_product_does_not_fit() -> None:
    generator = np.random.default_rng(5)
    for denominator, r in ((1 << 60, 10**9), (1 << 53, 500), (1, 3), (10**18, 999_999_937), (10**17, 10), (3, 7), (1, 5)):
        numerators = generator.integers(0, denominator, size=2000, endpoint=True)
        numerators[:4] = [0, denominator, denominator - 1, denominator // 2]
        whole, rest = divided(numerators, denominator, r)
        assert [divmod(int(a) * r, denominator) for a in numerators] == list(zip(whole.tolist(), rest.tolist(), strict=True))


def test_releases_refuse_what_is_outside_their_domain() -> None:
    source: BitSource = OperatingSystem()
    counts = np.array([1, 5], dtype=np.int64)
    with pytest.raises(DomainError):
        released_histogram.excess_messages(counts=counts, n=4, p="1/2", source=source)
    with pytest.raises(DomainError):
        released_bit_sum.messages_of_one(bits=3, ones=4, flip="1/4", source=source)
    with pytest.raises(DomainError):
        released_bit_sum.messages_of_one(bits=3, ones=2, flip="3/4", source=source)
    with pytest.raises(DomainError):
        encoded_ones(numerators=counts, denominator=4, r=1, source=source)
    with pytest.raises(DomainError):
        encoded_ones(numerators=counts, denominator=5, r=0, source=source)
    assert encoded_ones(numerators=counts, denominator=5, r=10, source=source) == 12


HISTOGRAMS = list(product(range(4), repeat=2))
Dataset = Sequence[tuple[int, ...]]


def entries(dataset: Dataset) -> Entries:
    rows = [(user, item, count) for user, h in enumerate(dataset) for item, count in enumerate(h) if count]
    user, item, count = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Entries(len(dataset), user, item, count)


def neighbours() -> Iterator[tuple[Dataset, Dataset]]:
    """Up to two users who stay, and one who is replaced or (the empty pair) added."""
    for others in (*((h,) for h in HISTOGRAMS[::3]), *combinations_with_replacement(HISTOGRAMS[::4], 2)):
        for x0, x1 in product(HISTOGRAMS, repeat=2):
            yield (*others, x0), (*others, x1)
        for x0 in HISTOGRAMS:
            yield (*others, x0), others


def released(dataset: Dataset, **asked: Any) -> user_histogram.Released:
    """A release of histograms of users by Laplace noise, with one user added or removed, but for what is asked otherwise."""
    usual: dict[str, Any] = {"d": 3, "p": 1, "C": Fraction(2), "delta": None, "relation": Relation.ADD_REMOVE, "epsilon": Fraction(1)}
    return user_histogram.release(entries(dataset), sampler=Own(OperatingSystem()), **{**usual, **asked})


def settings(p: Norm, lam: Fraction) -> ThresholdSettings:
    W = Fraction(1) if p == 1 else Fraction(13, 10)  # below sqrt 2: some weights are cut off
    return ThresholdSettings(p=p, B=Fraction(4), T=Fraction(3, 2), W=W, lam=lam, epsilon=Fraction(1))


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("lam", [Fraction(1, 2), Fraction(7, 3)])
def test_one_user_moves_the_threshold_by_its_stated_sensitivity_and_no_more(p: Norm, lam: Fraction) -> None:
    """LSZKG22, Lemma A.1, on the grid; a bound a fifth smaller would be refuted."""
    chosen = settings(p, lam)
    known: dict[Dataset, int] = {}

    def units(dataset: Dataset) -> int:
        if dataset not in known:
            known[dataset] = minimiser_units(entries(dataset), chosen)
        return known[dataset]

    moved = max(abs(units(one) - units(other)) for one, other in neighbours())
    bound = min(chosen.sensitivity, 1 << BITS)
    assert 0.8 * bound < moved <= bound


@pytest.mark.parametrize("lam", [Fraction(1, 2), Fraction(7, 3)])
def test_the_threshold_is_algorithm_2s(lam: Fraction) -> None:
    chosen = settings(1, lam)
    for dataset in combinations_with_replacement(HISTOGRAMS, 3):
        found = minimiser_units(entries(dataset), chosen) * chosen.unit
        users = [exact.user(h, p=1) for h in dataset]
        wanted = exact.regularised_minimiser(users, T=chosen.T, lam=lam, B=chosen.B)
        assert abs(found - wanted) <= 4 * chosen.unit


def units_of(h: tuple[int, ...], *, p: Norm, radius: int, scale_bits: int) -> NDArray[np.int64]:
    found = np.zeros(len(h), dtype=np.int64)
    table = entries([h])
    found[table.item] = contributions(table, p=p, radius=radius, scale_bits=scale_bits)
    return found


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize(("radius", "scale_bits"), [(1, 0), (5, 1), (7, 2), (3 << 19, 20), (3 << 24, 22)])
def test_contributions_stay_in_the_ball_and_on_the_specified_grid(p: Norm, radius: int, scale_bits: int) -> None:
    C, unit = Fraction(radius, 1 << scale_bits), Fraction(1, 1 << scale_bits)
    for h in [*product(range(5), repeat=3), (10**9, 1, 3), (10**17, 10**17, 0)]:
        found = units_of(h, p=p, radius=radius, scale_bits=scale_bits)
        wanted = np.array(clip_to_grid(h, p=p, C=C, unit=unit))
        assert sum(int(x) ** p for x in found) <= radius**p
        assert found.min() >= 0
        assert np.abs(found - wanted).max() <= 1


def test_the_check_in_integers_brings_a_wrong_norm_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scaling by norms that are too small by half leaves the ball; what is released stays in it."""
    right = Entries.norms
    monkeypatch.setattr(Entries, "norms", lambda self, *, p: right(self, p=p) / 2)
    for p in (1, 2):
        found = units_of((3, 4, 1), p=p, radius=64, scale_bits=4)
        assert 0 < sum(int(x) ** p for x in found) <= 64**p


class Drawn:
    """Stands for the samplers: notes the distribution that was asked for, and draws a constant."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, constant: int = 0) -> None:
        self.asked: list[Fraction] = []
        self._constant = constant
        for name in ("discrete_laplaces", "discrete_gaussians"):
            monkeypatch.setattr(noise, name, self._many)

    def _many(self, *, size: int, scale: Any = None, variance: Any = None, **_rest: object) -> NDArray[np.int64]:
        self.asked.append(Fraction(scale if variance is None else variance))
        return np.full(size, self._constant, dtype=np.int64)


@pytest.mark.parametrize(
    ("relation", "d", "factor"), [(Relation.REPLACE_ONE, 3, 2), (Relation.REPLACE_ONE, 1, 1), (Relation.ADD_REMOVE, 3, 1)]
)
def test_the_noise_is_that_of_the_relation(monkeypatch: pytest.MonkeyPatch, relation: Relation, d: int, factor: int) -> None:
    drawn = Drawn(monkeypatch)
    known: dict[str, Any] = {"d": d, "C": Fraction(3), "relation": relation, "epsilon": Fraction(1, 2)}
    laplace, gauss = released([(1,)], **known), released([(1,)], p=2, delta="1e-6", **known)
    assert laplace.radius == gauss.radius == 3 << 23
    assert drawn.asked[0] == 2 * factor * laplace.radius
    sigma2, squared = drawn.asked[1], factor * gauss.radius**2
    known_delta = discrete_delta(sigma2, squared, d)
    assert Fraction(9, 10) * Fraction(1, 10**6) < known_delta <= Fraction(1, 10**6)
    assert discrete_delta(sigma2, squared * 101 // 100, d) > Fraction(1, 10**6)  # for a sensitivity half a percent larger it is not enough


def discrete_delta(sigma2: Fraction, squared: int, d: int) -> Fraction:
    """hs(1/2, s/sigma) + (1 + e^(1/2)) d/(8 sigma^2), rounded up."""
    multiplier = Fraction(isqrt(int(sigma2 / squared * 10**24)), 10**12)
    return gaussian.delta(noise_multiplier=multiplier, epsilon="1/2", relation=Relation.ADD_REMOVE).upper + Fraction(265, 100) * d / (
        8 * sigma2
    )


def test_coarse_grids_and_large_domains_fall_back_on_concentrated_privacy() -> None:
    fine, by = user_histogram.gaussian_variance(1 << 48, d=10, epsilon=Fraction(1), delta="1e-6")
    wide, by_other = user_histogram.gaussian_variance(1 << 48, d=10**12, epsilon=Fraction(1), delta="1e-6")
    assert (by, by_other) == ("LSZKG22.Alg1.fine-discrete-gaussian", "LSZKG22.Alg1.discrete-gaussian")
    assert wide > Fraction(11, 10) * fine


def test_the_thresholds_noise_is_that_of_its_sensitivity_and_it_is_clamped(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = settings(1, Fraction(1, 2))
    for added, wanted in ((1 << 60, chosen.B), (-(1 << 60), Fraction(0))):
        drawn = Drawn(monkeypatch, constant=added)
        assert user_histogram.private_threshold(entries([(1, 2)]), chosen, sampler=Own(OperatingSystem())) == wanted
        assert drawn.asked == [Fraction(chosen.sensitivity)]


def test_without_noise_the_release_is_the_clipped_sum_on_every_item(monkeypatch: pytest.MonkeyPatch) -> None:
    Drawn(monkeypatch)
    dataset = [(3, 0, 0, 1), (0, 0, 2, 0), (8, 8, 0, 0)]
    found = released(dataset, d=5, C=Fraction(4))
    assert [Fraction(int(x), 1 << found.scale_bits) for x in found.units] == [5, 2, 2, 1, 0]


@pytest.mark.parametrize("C", [Fraction(-1), Fraction(1, 10**11), Fraction(1 << 31)])
def test_thresholds_outside_their_range_are_refused(C: Fraction) -> None:
    with pytest.raises(DomainError, match="threshold"):
        released([(1, 2)], d=2, C=C)


def test_nobody_and_nothing_are_data_like_any_other() -> None:
    chosen = settings(2, Fraction(1, 2))
    assert minimiser_units(entries([]), chosen) == 0
    assert minimiser_units(entries([(0, 0)]), chosen) == 0
    assert released([], relation=Relation.REPLACE_ONE).units.size == 3
    assert list(released([(1, 2)], C=Fraction(0), relation=Relation.REPLACE_ONE).units) == [0, 0, 0]
