"""What is drawn for real data has the exact distribution of the protocol."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scripted_generator import Enumerated, enumerated, law_of

from shuffleproof.impl.release import bit_sum as released_bit_sum
from shuffleproof.impl.release import histogram as released_histogram
from shuffleproof.impl.release.entropy import BitSource, OperatingSystem
from shuffleproof.impl.release.rounding import divided, encoded_ones, encoded_ones_of
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.protocols import bit_sum as exact_bit_sum
from shuffleproof.spec.protocols import histogram as exact_histogram
from shuffleproof.spec.protocols import real_sum as exact_real_sum
from shuffleproof.spec.vocabulary.errors import DomainError

P = (Fraction(1, 3), Fraction(1, 2), Fraction(1))
LAMBDAS = (Fraction(0), Fraction(1, 2), Fraction(2, 3))


def weights(law: Distribution[Any]) -> dict[Hashable, Fraction]:
    return dict(law.items())


@pytest.mark.parametrize("n", range(1, 7))
def test_released_bit_sums_have_the_exact_law(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The binomials that are drawn are those of the protocol; that they are drawn exactly is tested on their own."""

    monkeypatch.setattr(released_bit_sum, "binomial", enumerated)
    for lam, ones in product((*LAMBDAS, Fraction(n)), range(n + 1)):
        drawn = law_of(lambda tape: released_bit_sum.messages_of_one(bits=n, ones=ones, flip=lam / (2 * n), source=tape))  # noqa: B023
        assert drawn == weights(exact_bit_sum.ones_law(n=n, lam=lam, ones=ones))


@pytest.mark.parametrize(("n", "counts"), [(1, (1,)), (3, (2, 1)), (3, (0, 3)), (4, (1, 0, 3))])
def test_released_histograms_have_the_exact_law(n: int, counts: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(released_histogram, "BinomialSampler", lambda *, n, p, source: Enumerated(source, n, p))
    for p in P:
        drawn = law_of(
            lambda tape: tuple(
                (n + released_histogram.excess_messages(counts=np.array(counts, dtype=np.int64), n=n, p=p, source=tape)).tolist()  # noqa: B023
            )
        )
        dataset = [j for j, held in enumerate(counts, start=1) for _ in range(held)]
        assert drawn == weights(exact_histogram.messages_law(dataset, d=len(counts), p=p))


@pytest.mark.parametrize("r", [1, 3, 4, 1000])
def test_released_roundings_have_the_exact_law(r: int, monkeypatch: pytest.MonkeyPatch) -> None:
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
        together = law_of(lambda tape: encoded_ones(numerators=numerators, denominator=20, r=r, source=tape))  # noqa: B023
        alone = law_of(lambda tape: encoded_ones_of([x], r=r, source=tape))  # noqa: B023
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
