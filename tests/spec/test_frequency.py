"""Frequency estimation by exact distributions: private, unbiased, and with the closed-form errors."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.protocols import frequency
from shuffleproof.spec.protocols.frequency import FrequencyEstimator, frequencies
from shuffleproof.spec.randomizers.blanket import pair_parameters, privacy_blanket
from shuffleproof.spec.randomizers.hadamard_response import HadamardCode, asz19_blocks, hadamard_response
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.randomizers.k_subset import k_subset
from shuffleproof.spec.randomizers.unary_encoding import asymmetric_rappor, rappor
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import Epsilon

T = Fraction(4)
ALL: dict[str, FrequencyEstimator] = {
    "hadamard": frequency.hadamard(k=3, exp_epsilon0=T),
    "hadamard, one block": frequency.hadamard(k=3, exp_epsilon0=T, blocks=1),
    "k-rr": frequency.k_rr(k=3, exp_epsilon0=T),
    "k-subset": frequency.k_subset(k=4, d=2, exp_epsilon0=T),
    "rappor": frequency.rappor(k=3, exp_half_epsilon0=Fraction(2)),
    "asymmetric-rappor": frequency.asymmetric_rappor(k=3, exp_epsilon0=T),
}
orders = st.fractions(min_value=Fraction(11, 10), max_value=40, max_denominator=10)


@pytest.mark.parametrize("name", ALL)
def test_every_randomizer_has_exactly_its_epsilon0(name: str) -> None:
    assert ALL[name].randomizer.exp_epsilon0() == T


@pytest.mark.parametrize("name", ALL)
def test_every_estimate_is_unbiased_and_its_variance_is_that_of_the_protocols_output(name: str) -> None:
    """Against the distribution of the whole protocol: shuffled messages, analyzer and all."""
    estimator, dataset = ALL[name], (0, 2)
    output = estimator.protocol().output(dataset)
    truth = frequencies(dataset, k=estimator.k)
    for x in range(estimator.k):
        mean = sum(weight * estimates[x] for estimates, weight in output.items())
        second = sum(weight * estimates[x] ** 2 for estimates, weight in output.items())
        assert mean == truth[x]
        assert second - mean**2 == estimator.variances(dataset)[x]


@examples(30)
@given(st.integers(2, 6), orders, st.data())
def test_subset_selections_error_is_the_same_on_every_dataset(k: int, order: Fraction, data) -> None:
    d = data.draw(st.integers(1, k - 1))
    dataset = data.draw(st.lists(st.integers(0, k - 1), min_size=1, max_size=3))
    own, other = frequency.subset_support(k=k, d=d, exp_epsilon0=order)
    estimator = frequency.k_subset(k=k, d=d, exp_epsilon0=order)
    assert estimator.squared_error(dataset) == frequency.support_error(k=k, own=own, other=other, n=len(dataset))
    share = frequencies(dataset, k=k)
    assert estimator.variances(dataset) == tuple(
        frequency.support_variance(own=own, other=other, n=len(dataset), of_item=share[x]) for x in range(k)
    )


def test_subsets_of_one_item_are_k_ary_randomized_response() -> None:
    subsets, values = k_subset(k=5, d=1, exp_epsilon0=T), k_rr(k=5, exp_epsilon0=T)
    assert all(subsets.distribution(x).map(lambda subset: subset[0]) == values.distribution(x) for x in range(5))


def test_nothing_is_shared_by_distributions_with_disjoint_supports() -> None:
    points = LocalRandomizer((0, 1), {x: Distribution.point(x) for x in (0, 1)})
    assert privacy_blanket(points) == (0, None)
    assert pair_parameters(points) == (None, 1)


@examples(60)
@given(st.integers(1, 10**6), st.integers(0, 20))
def test_codes_have_room_for_every_item_and_no_more_than_they_need(k: int, power: int) -> None:
    code = HadamardCode(k, 1 << power)
    assert code.blocks * (code.block_size - 1) >= k
    assert code.block_size == 2 or code.blocks * (code.block_size // 2 - 1) < k
    assert code.fullest <= code.block_size - 1


@pytest.mark.parametrize(
    ("order", "blocks"),
    [(Fraction(1), 1), (Fraction(2), 1), (Fraction(21, 10), 2), (Fraction(4), 2), (Fraction(5), 4), (Fraction(10**6), 128)],
)
def test_the_number_of_blocks_follows_asz19(order: Fraction, blocks: int) -> None:
    assert asz19_blocks(k=100, epsilon0=Epsilon(None, Fraction(order))) == blocks


@pytest.mark.parametrize(
    "bad",
    [
        lambda: hadamard_response(k=0, exp_epsilon0=T),
        lambda: hadamard_response(k=3, exp_epsilon0=T, blocks=3),
        lambda: hadamard_response(k=3, exp_epsilon0=Fraction(1, 2)),
        lambda: k_subset(k=1, d=1, exp_epsilon0=T),
        lambda: k_subset(k=4, d=4, exp_epsilon0=T),
        lambda: rappor(k=2, exp_half_epsilon0=Fraction(1, 2)),
        lambda: asymmetric_rappor(k=0, exp_epsilon0=T),
        lambda: frequency.hadamard(k=3, exp_epsilon0=Fraction(1)),
        lambda: frequency.k_rr(k=3, exp_epsilon0=Fraction(1)),
        lambda: frequencies([], k=2),
        lambda: ALL["k-rr"].variances([]),
        lambda: ALL["k-rr"].estimates(()),
    ],
)
def test_bad_parameters_are_refused(bad) -> None:
    with pytest.raises(DomainError):
        bad()
