"""Central baselines by hand: the exponential mechanism, geometric noise, the stability-based histogram."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.protocols import central
from shuffleproof.spec.vocabulary.errors import DomainError

TWO, THREE = Fraction(2), Fraction(3)


def test_the_exponential_mechanism_by_hand() -> None:
    """Scores 2, 1, 0 at e^(eps/2) = 2: weights 4, 2, 1."""
    law = central.exponential_mechanism((2, 1, 0), exp_half_epsilon=TWO)
    assert [law[j] for j in range(3)] == [Fraction(4, 7), Fraction(2, 7), Fraction(1, 7)]
    assert central.selection_failure((2, 1, 0), exp_half_epsilon=TWO, slack=Fraction(1)) == Fraction(1, 7)
    assert central.selection_failure((2, 1, 0), exp_half_epsilon=TWO, slack=Fraction(2)) == 0


def test_geometric_noise_by_hand() -> None:
    """a = 1/2: masses 1/3, 1/6, 1/12, ... on both sides."""
    assert [central.geometric_at(z, exp_epsilon=TWO) for z in (0, 1, -2)] == [Fraction(1, 3), Fraction(1, 6), Fraction(1, 12)]
    assert central.geometric_above(0, exp_epsilon=TWO) == Fraction(1, 3)
    assert central.geometric_above(-1, exp_epsilon=TWO) == Fraction(2, 3)


@examples(60)
@given(st.integers(-30, 30), st.sampled_from([Fraction(3, 2), TWO, Fraction(10)]))
def test_the_tail_is_the_sum_of_the_masses(z, exp_epsilon) -> None:
    steps = central.geometric_above(z, exp_epsilon=exp_epsilon) - central.geometric_above(z + 1, exp_epsilon=exp_epsilon)
    assert steps == central.geometric_at(z + 1, exp_epsilon=exp_epsilon)


def test_clamping_keeps_all_mass() -> None:
    """Distribution itself refuses weights that do not sum to 1."""
    assert central.geometric_count(3, exp_epsilon=TWO, low=0, high=0).support == (0,)
    law = central.geometric_count(3, exp_epsilon=TWO, low=2, high=4)
    assert (law[2], law[3], law[4]) == (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))


def test_an_empty_bin_is_never_released() -> None:
    assert central.stability_bin(0, exp_epsilon_bin=TWO, threshold=1, high=5).support == (0,)
    law = central.stability_bin(2, exp_epsilon_bin=TWO, threshold=3, high=5)
    assert set(law.support) == {0, 3, 4, 5}
    assert law[0] == central.geometric_above(-1, exp_epsilon=TWO)  # noise below 1


def test_the_threshold_is_the_least() -> None:
    delta = Fraction(1, 10**6)
    threshold = central.stability_threshold(exp_epsilon_bin=TWO, delta=delta)
    assert central.stability_delta(exp_epsilon_bin=TWO, threshold=threshold) <= delta
    assert central.stability_delta(exp_epsilon_bin=TWO, threshold=threshold - 1) > delta
    assert central.stability_threshold(exp_epsilon_bin=TWO, delta=Fraction(9, 10)) == 1


@pytest.mark.parametrize("threshold", [1, 2, 4])
def test_the_stability_histogram_is_as_private_as_stated_and_not_more(threshold) -> None:
    """One user moves from a bin of its own to another one."""
    laws = [
        central.stability_histogram(counts, exp_epsilon_bin=THREE, threshold=threshold, high=threshold + 2) for counts in ((1, 0), (0, 1))
    ]
    assert hockey_stick(*laws, exp_epsilon=THREE**2) == central.stability_delta(exp_epsilon_bin=THREE, threshold=threshold)


def test_a_histogram_is_a_product_of_its_bins() -> None:
    law = central.geometric_histogram((1, 2), exp_epsilon_bin=TWO, low=0, high=3)
    first, second = (central.geometric_count(c, exp_epsilon=TWO, low=0, high=3) for c in (1, 2))
    assert law[(1, 3)] == first[1] * second[3]


@pytest.mark.parametrize(
    "call",
    [
        lambda: central.exponential_mechanism((), exp_half_epsilon=TWO),
        lambda: central.exponential_mechanism((1,), exp_half_epsilon=Fraction(1, 2)),
        lambda: central.geometric_at(0, exp_epsilon=Fraction(1)),
        lambda: central.geometric_count(0, exp_epsilon=TWO, low=2, high=1),
        lambda: central.stability_bin(-1, exp_epsilon_bin=TWO, threshold=1, high=2),
        lambda: central.stability_bin(0, exp_epsilon_bin=Fraction(1), threshold=1, high=2),
        lambda: central.stability_bin(1, exp_epsilon_bin=TWO, threshold=0, high=2),
        lambda: central.stability_bin(1, exp_epsilon_bin=TWO, threshold=3, high=2),
        lambda: central.stability_threshold(exp_epsilon_bin=TWO, delta=Fraction(0)),
    ],
)
def test_bad_parameters_are_refused(call) -> None:
    with pytest.raises(DomainError):
        call()
