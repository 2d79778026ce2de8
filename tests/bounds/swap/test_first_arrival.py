"""Adaptive sequences of eps0-DP randomizers from both sides: what is attained, how narrow brackets are, ends."""

from fractions import Fraction
from typing import Any

import pytest

import shuffleproof as sp
from shuffleproof.impl.fast.bounds.clones.clones import stronger_clones
from shuffleproof.impl.fast.bounds.swap import adaptive_pair, first_arrival
from shuffleproof.spec.bounds.swap import controlled_sum as exact
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.model import adaptive_shuffled_distribution
from shuffleproof.spec.vocabulary.errors import DomainError

_T, _E = Fraction(5, 2), Fraction(5, 4)


def test_a_sequence_attains_what_is_claimed() -> None:
    sequence = exact.worst_sequence(n=3, T=_T, exp_epsilon=_E)
    laws = [adaptive_shuffled_distribution(sequence, (b, 2, 2)) for b in (0, 1)]
    reached = hockey_stick(*laws, exp_epsilon=_E)
    assert reached == exact.attained(n=3, T=_T, exp_epsilon=_E) <= exact.first_arrival(n=3, T=_T, exp_epsilon=_E, levels=[Fraction(1, 9)])
    below = adaptive_pair.delta(n=3, epsilon0="ln 5/2", epsilon="ln 5/4").lower
    assert reached - Fraction(1, 1000) < below <= reached
    assert first_arrival.delta(n=3, epsilon0="ln 5/2", epsilon="ln 5/4").upper >= reached


@pytest.mark.parametrize(
    ("n", "epsilon0", "width"),
    [
        (100, 1, "1.002"),
        (10**4, 1, "1.002"),
        (10**6, 3, "1.002"),
        pytest.param(10**5, 5, "1.002", marks=pytest.mark.deep),
        pytest.param(10**8, 1, "1.002", marks=pytest.mark.deep),
        pytest.param(300, 1, "1.002", marks=pytest.mark.deep),
        pytest.param(1000, 3, "1.008", marks=pytest.mark.deep),
        pytest.param(300, 2, "1.008", marks=pytest.mark.deep),
        pytest.param(500, 3, "1.008", marks=pytest.mark.deep),
    ],
)
def test_adaptive_sequences_are_known_to_less_than_a_hundredth(n: int, epsilon0: int, width: str) -> None:
    upper = sp.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", method="first-arrival").upper
    lower = sp.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", method="adaptive-pair").lower
    assert lower < upper <= lower * Fraction(width)
    assert upper <= sp.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", method="stronger-clones").upper


def test_ends() -> None:
    assert sp.epsilon(n=10, epsilon0=1, delta=0, method="adaptive-pair").exact == "1"
    assert sp.delta(n=10, epsilon0=1, epsilon=1, method="first-arrival").upper == 0
    assert (
        sp.delta(n=1, epsilon0=1, epsilon="0.5", method="first-arrival").upper
        >= sp.delta(n=1, epsilon0=1, epsilon="0.5", method="adaptive-pair").lower
    )


def test_the_search_goes_on_at_the_least_delta_that_is_answered() -> None:
    """Nothing below that delta was distinguished from it, so that the first value was taken: 0.1037."""
    assert sp.epsilon(n=200_000, epsilon0=1, delta="1e-300", method="first-arrival").upper < Fraction("0.0923")


@pytest.mark.deep
@pytest.mark.parametrize("delta", ["1e-300", "1e-60", "0.3"])
def test_any_delta_is_answered(delta: str) -> None:
    upper = sp.epsilon(n=2000, epsilon0=1, delta=delta, method="first-arrival").upper
    assert sp.epsilon(n=2000, epsilon0=1, delta=delta, method="adaptive-pair").lower <= upper <= 1


@pytest.mark.parametrize("target", [1e-300, 1e-6, 1e-3, 0.4, 1.0])
def test_levels_rise_and_leave_a_distribution(target: float) -> None:
    for n, T, leak in ((2, 2, 0), (50, 100, 0), (1000, 3, 0), (10**4, 8, Fraction(1, 10**8)), (10**7, 3, 0), (10**9, 10**5, 0)):
        of_class = first_arrival.Class(Fraction(T), Fraction(1), n, Fraction(leak))
        levels = [Fraction(0), *of_class.levels(target)]
        assert levels == sorted(set(levels))
        assert all(p >= 0 for law in of_class.corner_losses(levels[-1]) for _, p in law)


def test_tiny_deltas_are_not_left_to_the_clones() -> None:
    """Pools of all sizes that count next to delta are summed: beyond them everything is revealed."""
    found = first_arrival.delta(n=10**4, epsilon0=1, epsilon="0.18")
    assert found.upper < Fraction("1e-60") < Fraction("1e-50") < stronger_clones.delta(n=10**4, epsilon0=1, epsilon="0.18").lower


@pytest.mark.parametrize("epsilon0", ["366", "ln 1e159", "690"])
def test_losses_whose_squares_leave_the_floats_need_no_warning(epsilon0: str) -> None:
    """What numpy warns of is an error in tests."""
    assert Fraction(999, 1000) < sp.delta(n=2, epsilon0=epsilon0, epsilon=0, method="adaptive-pair").lower <= 1


@pytest.mark.parametrize(("epsilon0", "epsilon"), [("9", "8.1"), ("11.9", "10.71")])
def test_sums_beyond_the_floats_say_nothing_and_need_no_warning(epsilon0: str, epsilon: str) -> None:
    """Mutants: a tilt by the reach of one loss type alone, of which others' exponents leave the floats; factors of blocks that do."""
    assert 0 < first_arrival.delta(n=10**8, epsilon0=epsilon0, epsilon=epsilon).upper < Fraction(1, 10**290)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_adaptive_sequences_next_to_no_privacy_loss_are_not_divided_by_zero(n: int) -> None:
    assert adaptive_pair.delta(n=n, epsilon0="1.5e-16", epsilon=0).lower < Fraction(1, 10**15)


def test_no_lower_end_is_a_subnormal_number() -> None:
    """Their roundings are not relative: 9.2e-310 came out here, of which nothing was certain."""
    assert adaptive_pair.delta(n=1065, epsilon0="0.05", epsilon="0.0498").lower == 0


def test_for_ten_users_adaptive_sequences_are_a_little_worse_than_binary_response() -> None:
    adaptive = sp.delta(n=10, epsilon0=1, epsilon="1/2", method="adaptive-pair")
    binary = sp.shuffled(sp.KRR(k=2, epsilon0=1), n=10).delta(epsilon="1/2").upper
    one_corner = max(sp.shuffled(sp.KRR(k=k, epsilon0=1), n=10).delta(epsilon="1/2", method="homogeneous").upper for k in (2, 3))
    assert Fraction("1.015") < adaptive.lower / binary.upper < Fraction("1.016")
    assert Fraction("1.20") < adaptive.lower / one_corner < Fraction("1.21")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"levels": [1 / (_T + 1)]}, "levels"),
        ({"levels": [_T / 100, _T / 100]}, "levels"),
        ({"T": Fraction(1)}, "T"),
        ({"exp_epsilon": 1 / _E}, "exp_epsilon"),
    ],
)
def test_a_level_that_leaves_nothing_and_orders_outside_the_theorem_are_refused(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(DomainError, match=f"^{named} = "):
        exact.first_arrival(**{"n": 3, "T": _T, "exp_epsilon": _E, **changed})
