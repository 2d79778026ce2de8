"""What is simulated, by counts or message by message, has the exact law of the protocol; and so has what is drawn for real data."""

import tracemalloc
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scripted_generator import law_of

from shuffleproof.impl.fast.protocols import bit_sum, histogram, real_sum
from shuffleproof.impl.release import bit_sum as released_bit_sum
from shuffleproof.impl.release import histogram as released_histogram
from shuffleproof.impl.release.entropy import BitSource, OperatingSystem
from shuffleproof.impl.release.rounding import divided, encoded_ones, encoded_ones_of
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.protocols import bit_sum as exact_bit_sum
from shuffleproof.spec.protocols import histogram as exact_histogram
from shuffleproof.spec.protocols import real_sum as exact_real_sum
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError

P = (Fraction(1, 3), Fraction(1, 2), Fraction(1))
LAMBDAS = (Fraction(0), Fraction(1, 2), Fraction(2, 3))


def as_fractions(estimates: Any) -> tuple[Fraction, ...]:
    return tuple(Fraction(float(x)).limit_denominator(10**6) for x in np.atleast_1d(estimates))


def weights(law: Distribution[Any]) -> dict[Hashable, Fraction]:
    return dict(law.items())


@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 3), (2, 2), (3, 2), (2, 3)])
def test_a_histogram_by_bins_has_the_law_of_the_per_user_protocol(n: int, d: int) -> None:
    """BC20, Theorem 3.2: for every dataset, through the randomizer and the shuffler on one side, one binomial a bin on the other."""
    for p in P:
        randomizer, analyze = exact_histogram.randomizer(d=d, p=p), exact_histogram.analyzer(n=n, d=d, p=p)
        for dataset in product(range(1, d + 1), repeat=n):
            per_user = shuffled_law(randomizer, dataset).map(lambda view: analyze(flat(view)))  # noqa: B023
            counts = exact_histogram.counts(dataset, d=d)
            simulated = law_of(
                lambda generator: as_fractions(histogram.simulate_histogram(counts=counts, n=n, p=p, generator=generator))  # noqa: B023
            )
            assert simulated == weights(per_user)


def flat(view: Any) -> tuple[int, ...]:
    """Messages as one multiset, whether the model hands over messages or the users' vectors."""
    return tuple(message for one in view for message in (one if isinstance(one, tuple) else (one,)))


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 2), (2, 3)])
def test_histogram_messages_have_the_law_of_the_randomizer(n: int, d: int) -> None:
    p = Fraction(1, 3)
    randomizer = exact_histogram.randomizer(d=d, p=p)
    for dataset in product(range(1, d + 1), repeat=n):
        simulated = law_of(
            lambda generator: tuple(map(tuple, histogram.simulate_messages(values=dataset, d=d, p=p, generator=generator).tolist()))  # noqa: B023
        )
        expected: Distribution[Any] = Distribution.point(())
        for x in dataset:
            of_user = randomizer.law(x).map(lambda vector: tuple(vector.count(j) for j in range(1, d + 1)))
            expected = expected.then(lambda done, of_user=of_user: of_user.map(lambda row: (*done, row)))
        assert simulated == weights(expected)


def test_shuffled_messages_are_analyzed_as_the_counts_are() -> None:
    generator = np.random.default_rng(1)
    sent = histogram.simulate_messages(values=[1] * 30 + [3] * 10, d=4, p="9/10", generator=generator)
    messages = histogram.shuffled(sent, generator=generator)
    assert np.bincount(messages, minlength=5)[1:].tolist() == sent.sum(axis=0).tolist()
    law = exact_histogram.analyzer(n=40, d=4, p=Fraction(9, 10))
    assert as_fractions(histogram.analyze(messages, n=40, d=4, p="9/10")) == law(tuple(messages.tolist()))


def test_ten_million_users_and_a_million_bins_are_simulated_in_little_memory() -> None:
    generator = np.random.default_rng(2)
    counts = np.bincount(np.minimum(generator.zipf(1.3, size=10**7), 10**6) - 1, minlength=10**6)
    tracemalloc.start()
    estimates = histogram.simulate_histogram(counts=counts, n=10**7, p=1 - Fraction(700, 10**7), generator=generator)
    assert tracemalloc.get_traced_memory()[1] < 200 * 10**6
    tracemalloc.stop()
    assert not estimates[counts == 0].any()


@pytest.mark.parametrize("n", range(1, 7))
def test_a_bit_sum_by_counts_has_the_law_of_the_per_user_protocol(n: int) -> None:
    """CSUZZ19, Algorithm 1, for every dataset of at most 6 users."""
    for lam in LAMBDAS:
        respond, analyze = exact_bit_sum.randomizer(n=n, lam=lam), exact_bit_sum.analyzer(n=n, lam=lam)
        by_counts = {
            ones: law_of(lambda tape: as_fractions(bit_sum.simulate_bit_sum(ones=ones, n=n, noise=lam, generator=tape)))  # noqa: B023
            for ones in range(n + 1)
        }
        for dataset in product((0, 1), repeat=n):
            total: Distribution[int] = Distribution.point(0)
            for x in dataset:
                total = convolution(total, respond.law(x))
            per_user = total.map(lambda y: (analyze((1,) * y),))  # noqa: B023
            assert by_counts[sum(dataset)] == weights(per_user)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_bit_messages_have_the_law_of_the_randomizer(n: int) -> None:
    lam = Fraction(2, 3)
    respond = exact_bit_sum.randomizer(n=n, lam=lam)
    for dataset in product((0, 1), repeat=n):
        simulated = law_of(
            lambda generator: tuple(bit_sum.simulate_messages(values=dataset, noise=lam, generator=generator).tolist())  # noqa: B023
        )
        expected: Distribution[Any] = Distribution.point(())
        for x in dataset:
            expected = expected.then(lambda done, x=x: respond.law(x).map(lambda y: (*done, y)))
        assert simulated == weights(expected)


@pytest.mark.parametrize(("n", "r"), [(1, 1), (1, 3), (2, 2), (3, 2)])
def test_a_real_sum_by_counts_has_the_law_of_the_per_user_protocol(n: int, r: int) -> None:
    lam = Fraction(1, 2)
    for dataset in product((Fraction(0), Fraction(1, 4), Fraction(2, 3), Fraction(1)), repeat=n):
        per_user = exact_real_sum.estimate_law(dataset, lam=lam, r=r)
        floats = [[float(x) for x in dataset[: n // 2]], [float(x) for x in dataset[n // 2 :]]]
        simulated = law_of(
            lambda tape: as_fractions(real_sum.simulate_real_sum(values=iter(floats), noise=lam, r=r, generator=tape))[0]  # noqa: B023
        )
        assert simulated == weights(per_user)


@pytest.mark.parametrize("r", [1, 2])
def test_real_messages_have_the_law_of_the_randomizer(r: int) -> None:
    inputs, n = (Fraction(0), Fraction(2, 3), Fraction(1)), 2
    respond = exact_real_sum.randomizer(inputs=inputs, n=n, lam=Fraction(1, 2), r=r)
    for dataset in product(inputs, repeat=n):
        floats = [float(x) for x in dataset]
        simulated = law_of(
            lambda generator: tuple(
                map(tuple, real_sum.simulate_messages(values=floats, noise="1/2", r=r, generator=generator).tolist())  # noqa: B023
            )
        )
        expected: Distribution[Any] = Distribution.point(())
        for x in dataset:
            expected = expected.then(lambda done, x=x: respond.law(x).map(lambda y: (*done, y)))
        assert simulated == weights(expected)


def test_a_law_that_is_off_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: lambda/n instead of lambda/(2n); and an analyzer that keeps c* = 1, so that a bin of nobody can show."""
    n, lam = 3, Fraction(2, 3)
    wrong = law_of(lambda tape: int(bit_sum.simulated_ones(bits=n, ones=1, flip=float(lam / n), size=1, generator=tape)[0]))
    assert wrong != weights(exact_bit_sum.ones_law(n=n, lam=lam, ones=1))
    right = weights(exact_histogram.estimates_law((1, 1), d=2, p=Fraction(1, 2)))

    def by_bins() -> dict[Hashable, Fraction]:
        return law_of(lambda tape: as_fractions(histogram.simulate_histogram(counts=(2, 0), n=2, p="1/2", generator=tape)))

    assert by_bins() == right
    monkeypatch.setattr(histogram, "_estimates", lambda messages, n, p: np.where(messages >= n, messages / n - p, 0.0))
    assert by_bins() != right


def test_a_hundred_million_users_are_summed_as_a_stream() -> None:
    """Ten million here, a tenth of the time, in memory that does not depend on how many there are."""
    generator = np.random.default_rng(3)

    def stream() -> Iterator[Any]:
        for _ in range(100):
            yield generator.random(10**5)

    tracemalloc.start()
    estimate = real_sum.simulate_real_sum(values=stream(), noise=10**4, r=10, generator=generator)
    bit_sum.simulate_bit_sum(ones=4 * 10**7, n=10**8, noise=10**4, generator=generator, size=1000)
    assert tracemalloc.get_traced_memory()[1] < 20 * 10**6
    tracemalloc.stop()
    assert abs(estimate - 5 * 10**6) < 10**4


@pytest.mark.parametrize(
    "call",
    [
        lambda g: bit_sum.simulate_bit_sum(ones=4, n=3, noise=1, generator=g),
        lambda g: bit_sum.simulate_bit_sum(ones=1, n=3, noise=3, generator=g),
        lambda g: bit_sum.simulate_bit_sum(ones=1, n=3, noise=-1, generator=g),
        lambda g: bit_sum.simulate_messages(values=[0, 2], noise=1, generator=g),
        lambda g: bit_sum.simulate_messages(values=[], noise=0, generator=g),
        lambda g: real_sum.simulate_real_sum(values=[[0.5, float("nan")]], noise=1, r=2, generator=g),
        lambda g: real_sum.simulate_real_sum(values=[[0.5]], noise=1, r=0, generator=g),
        lambda g: real_sum.simulate_real_sum(values=[], noise=0, r=1, generator=g),
        lambda g: real_sum.simulate_real_sum(values=[[0.5, 1.0]], noise=2, r=1, generator=g),
        lambda g: real_sum.simulate_messages(values=[1.5], noise=0, r=1, generator=g),
        lambda g: histogram.simulate_histogram(counts=[1, 2], n=4, p="1/2", generator=g),
        lambda g: histogram.simulate_histogram(counts=[5, -1], n=4, p="1/2", generator=g),
        lambda g: histogram.simulate_histogram(counts=[], n=4, p="1/2", generator=g),
        lambda g: histogram.simulate_histogram(counts=[4], n=4, p="3/2", generator=g),
        lambda g: histogram.simulate_messages(values=[3], d=2, p="1/2", generator=g),
        lambda g: histogram.simulate_messages(values=[0], d=2, p="1/2", generator=g),
    ],
)
def test_simulations_refuse_what_is_outside_their_domain(call: Any) -> None:
    with pytest.raises(DomainError):
        call(np.random.default_rng(0))


def test_messages_that_would_not_fit_are_refused() -> None:
    generator = np.random.default_rng(0)
    with pytest.raises(ResourceLimitError, match="simulate_histogram"):
        histogram.simulate_messages(values=np.ones(1000, dtype=np.int64), d=10**6, p="1/2", generator=generator)
    with pytest.raises(ResourceLimitError, match="simulate_real_sum"):
        real_sum.simulate_messages(values=np.ones(1000), noise=1, r=10**6, generator=generator)


class Enumerated:
    """In the place of a binomial sampler: every draw is a choice of a tape, with its exact weight."""

    def __init__(self, tape: Any, n: int, p: Fraction) -> None:
        self._tape, self._law = tape, binomial(n, p)
        self._n = n

    def draw(self, size: int) -> Any:
        return np.array([self._tape.chosen([self._law[k] for k in range(self._n + 1)]) for _ in range(size)], dtype=np.int64)


@pytest.mark.parametrize("n", range(1, 7))
def test_released_bit_sums_have_the_exact_law(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The binomials that are drawn are those of the protocol; that they are drawn exactly is tested on their own."""

    def one(*, n: int, p: Fraction, size: int, source: Any) -> Any:
        return Enumerated(source, n, p).draw(size)

    monkeypatch.setattr(released_bit_sum, "binomial", one)
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
