"""Frequency estimation simulated: the per-user laws, the exact variances, and ten million users in seconds."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from sympy.discrete.transforms import fwht

from shuffleproof.impl.fast.protocols import hadamard as engine
from shuffleproof.impl.fast.protocols.frequency import RANDOMIZERS, simulate_frequency
from shuffleproof.impl.fast.protocols.hadamard import Blocks, fast_walsh_hadamard
from shuffleproof.spec.protocols import frequency
from shuffleproof.spec.randomizers.hadamard_response import HadamardCode, asz19_blocks
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError

T, LN_9 = Fraction(9), math.log(9)
COUNTS = np.array([120, 0, 50, 20, 10, 0])
ESTIMATORS = {
    "hadamard": frequency.hadamard(k=6, exp_epsilon0=T),
    "k-rr": frequency.k_rr(k=6, exp_epsilon0=T),
    "k-subset": frequency.k_subset(k=6, d=1, exp_epsilon0=T),
    "rappor": frequency.rappor(k=6, exp_half_epsilon0=Fraction(3)),
    "asymmetric-rappor": frequency.asymmetric_rappor(k=6, exp_epsilon0=T),
}


@given(st.integers(0, 6), st.data())
def test_the_transform_is_sympys_exact_one(power: int, data) -> None:
    vector = data.draw(st.lists(st.integers(-(10**9), 10**9), min_size=1 << power, max_size=1 << power))
    assert fast_walsh_hadamard(np.array(vector)).tolist() == [int(entry) for entry in fwht(vector)]


def test_the_transform_works_on_every_row_and_twice_is_times_the_length() -> None:
    rows = np.arange(64).reshape(4, 16)
    assert (fast_walsh_hadamard(fast_walsh_hadamard(rows)) == 16 * rows).all()
    with pytest.raises(DomainError, match="power of two"):
        fast_walsh_hadamard(np.arange(3))


@examples(60)
@given(st.integers(1, 5000), st.integers(0, 10), st.fractions(min_value=1, max_value=10**5, max_denominator=8))
def test_blocks_are_those_of_the_specification(k: int, power: int, order: Fraction) -> None:
    assert Blocks(k, 1 << power).b == HadamardCode(k, 1 << power).block_size
    assert asz19_blocks(k=k, exp_epsilon0=order) == Blocks.asz19(k=k, exp_epsilon0=float(order)).B


@pytest.mark.parametrize("blocks", [1, 2, 4])
def test_preferred_messages_are_uniform_on_the_specifications_preferred_set(blocks: int) -> None:
    """The map from a uniform y is two to one onto the preferred set: checked for every item and y of the block."""
    code, ours = HadamardCode(11, blocks), Blocks(11, blocks)

    class Every:
        """Stands in for the generator: draws every y once."""

        def integers(self, low: int, high: int, size: int) -> np.ndarray:
            return np.arange(low, high)

    for x in range(11):
        sent = ours.preferred(np.full(ours.b, x), generator=Every())  # type: ignore[arg-type]
        values, times = np.unique(sent, return_counts=True)
        assert values.tolist() == [y for y in range(code.messages) if code.entry(x, y) == 1]
        assert set(times.tolist()) == {2}


def test_the_fast_analyzer_is_the_specifications() -> None:
    estimator, ours = frequency.hadamard(k=11, exp_epsilon0=T, blocks=2), Blocks(11, 2)
    sent = np.random.default_rng(3).integers(0, 9, size=ours.messages)
    messages = tuple(int(y) for y, times in enumerate(sent) for _ in range(times))
    exact = [float(each) for each in estimator.estimates(messages)]
    assert ours.estimates(sent, excess=float(T - 1)) == pytest.approx(exact, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("randomizer", RANDOMIZERS)
def test_simulated_errors_are_within_three_standard_errors_of_the_exact_variance(randomizer: str) -> None:
    """Per item and in squared l2, at a fixed seed; the means are those of unbiased estimates."""
    generator, runs, n = np.random.default_rng(20), 700, int(COUNTS.sum())
    dataset = [x for x, held in enumerate(COUNTS) for _ in range(held)]
    exact = np.array([float(each) for each in ESTIMATORS[randomizer].variances(dataset)])
    errors = np.array(
        [simulate_frequency(counts=COUNTS, randomizer=randomizer, epsilon0=LN_9, generator=generator) - COUNTS / n for _ in range(runs)]
    )
    assert (np.abs(errors.mean(axis=0)) <= 3.5 * np.sqrt(exact / runs)).all()
    squares = np.column_stack((errors**2, (errors**2).sum(axis=1)))
    away = np.abs(squares.mean(axis=0) - np.append(exact, exact.sum())) / (squares.std(axis=0, ddof=1) / math.sqrt(runs))
    assert away[-1] <= 3
    assert away.max() <= 3.5


def test_a_variance_that_is_wrong_by_a_quarter_would_be_seen() -> None:
    generator, runs, n = np.random.default_rng(21), 700, int(COUNTS.sum())
    dataset = [x for x, held in enumerate(COUNTS) for _ in range(held)]
    exact = float(ESTIMATORS["hadamard"].squared_error(dataset))
    errors = np.array(
        [
            ((simulate_frequency(counts=COUNTS, randomizer="hadamard", epsilon0=LN_9, generator=generator) - COUNTS / n) ** 2).sum()
            for _ in range(runs)
        ]
    )
    assert abs(errors.mean() - 1.25 * exact) > 3 * errors.std(ddof=1) / math.sqrt(runs)


def test_ten_million_users_and_ten_thousand_items_take_little_memory() -> None:
    counts = np.full(10**4, 1000)
    tracemalloc.start()
    estimates = simulate_frequency(counts=counts, randomizer="hadamard", epsilon0=4, generator=np.random.default_rng(1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200 * 2**20
    exact = float(frequency.hadamard_worst_error(k=10**4, blocks=32, exp_epsilon0=Fraction(math.exp(4)), n=10**7))
    assert ((estimates - 1e-4) ** 2).sum() == pytest.approx(exact, rel=0.08)  # its relative standard deviation is sqrt(2/k) = 0.014


def test_users_are_worked_through_in_pieces_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    """With pieces of one histogram's length the law is the same: the mean error of many runs stays within its standard error."""
    monkeypatch.setattr(engine, "_CHUNK", 1)
    generator, counts = np.random.default_rng(8), np.array([500, 300, 0, 200])
    runs = np.array([simulate_frequency(counts=counts, randomizer="hadamard", epsilon0=3, generator=generator) for _ in range(300)])
    away = (runs.mean(axis=0) - counts / 1000) / (runs.std(axis=0, ddof=1) / math.sqrt(300))
    assert np.abs(away).max() < 3.5


@pytest.mark.parametrize("randomizer", RANDOMIZERS)
def test_at_a_large_epsilon0_the_estimates_are_the_frequencies(randomizer: str) -> None:
    found = simulate_frequency(counts=COUNTS, randomizer=randomizer, epsilon0=80, generator=np.random.default_rng(1))
    close = found if randomizer != "asymmetric-rappor" else np.where(COUNTS == 0, found, COUNTS / 200)  # its own bit stays a fair coin
    assert close == pytest.approx(COUNTS / 200, abs=1e-9)


@pytest.mark.parametrize(
    "changed",
    [
        {"counts": []},
        {"counts": [[1, 2]]},
        {"counts": [1.5, 2]},
        {"counts": [-1, 2]},
        {"counts": [0, 0]},
        {"counts": [3], "randomizer": "k-rr"},
        {"counts": [3], "randomizer": "k-subset"},
        {"randomizer": "hadamard response"},
        {"epsilon0": 0},
        {"epsilon0": 701},
        {"epsilon0": -1},
        {"blocks": 3},
        {"blocks": 64},
        {"blocks": 2, "randomizer": "k-rr"},
        {"subset_size": 2},
        {"subset_size": 6, "randomizer": "k-subset"},
    ],
)
def test_bad_parameters_are_refused(changed: dict[str, object]) -> None:
    given = {"counts": COUNTS, "randomizer": "hadamard", "epsilon0": 1, "generator": np.random.default_rng(0), **changed}
    with pytest.raises(DomainError):
        simulate_frequency(**given)  # type: ignore[arg-type]


def test_subset_selection_refuses_more_than_it_can_draw() -> None:
    with pytest.raises(ResourceLimitError, match="Hadamard"):
        simulate_frequency(counts=np.full(10**4, 1000), randomizer="k-subset", epsilon0=1, generator=np.random.default_rng(0))
