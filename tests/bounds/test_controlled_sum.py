"""Adaptive sequences of eps0-DP randomizers from both sides: float64 sums around the rational ones, and how narrow brackets are."""

from __future__ import annotations

from fractions import Fraction

import pytest

import shuffleproof as sp
from shuffleproof.impl.fast.bounds import controlled_sum
from shuffleproof.spec.bounds import controlled_sum as exact
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import adaptive_shuffled_law

_T, _E = Fraction(5, 2), Fraction(5, 4)


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 8), Fraction(1, 4)])
def test_sums_in_floats_enclose_the_rational_ones(share: Fraction) -> None:
    given = controlled_sum.Class(_T, _E, 8, 200)
    grid = given.grid()
    assert grid is not None
    for of_floats, of_rationals in (
        (given.corner_losses(share), exact.corner_losses(T=_T, exp_epsilon=_E, share=share)),
        (given.clones_losses(share), exact.clones_losses(T=_T, exp_epsilon=_E, share=share)),
    ):
        assert [sorted(law) for law in of_floats] == [sorted(law) for law in of_rationals]
        truth = exact.controlled_sums(of_rationals, 8)
        above = controlled_sum.controlled_sums(of_floats, 8, grid)
        assert all(x <= y <= x + Fraction(1, 500) for x, y in zip(truth, map(Fraction, above), strict=True))
        assert truth[8] - Fraction(1, 500) < Fraction(controlled_sum.attained(of_floats, 8, grid)) <= truth[8]


def test_a_sequence_attains_what_is_claimed() -> None:
    sequence = exact.worst_sequence(n=3, T=_T, exp_epsilon=_E)
    laws = [adaptive_shuffled_law(sequence, (b, 2, 2)) for b in (0, 1)]
    reached = hockey_stick(*laws, exp_epsilon=_E)
    assert reached == exact.attained(n=3, T=_T, exp_epsilon=_E) <= exact.first_arrival(n=3, T=_T, exp_epsilon=_E, levels=[Fraction(1, 9)])
    below = controlled_sum.delta_below(n=3, epsilon0="ln 5/2", epsilon="ln 5/4").lower
    assert reached - Fraction(1, 1000) < below <= reached
    assert controlled_sum.delta(n=3, epsilon0="ln 5/2", epsilon="ln 5/4").upper >= reached


@pytest.mark.parametrize(
    ("n", "epsilon0", "width"),
    [
        (100, 1, "1.002"),
        (100, 2, "1.008"),
        pytest.param(300, 1, "1.002", marks=pytest.mark.deep),
        pytest.param(300, 2, "1.008", marks=pytest.mark.deep),
        pytest.param(300, 3, "1.008", marks=pytest.mark.deep),
        pytest.param(500, 3, "1.008", marks=pytest.mark.deep),
    ],
)
def test_adaptive_sequences_are_known_to_less_than_a_hundredth(n: int, epsilon0: int, width: str) -> None:
    upper = sp.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", method="first-arrival").upper
    lower = sp.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", method="adaptive-pair").lower
    assert lower < upper <= lower * Fraction(width)
    assert upper <= sp.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", method="stronger-clones").upper


def test_many_users_and_ends() -> None:
    assert sp.epsilon(n=10**5, epsilon0=1, delta="1e-6", method="first-arrival").upper < Fraction("0.0137")
    assert sp.epsilon(n=10, epsilon0=1, delta=0, method="adaptive-pair").exact == "1"
    assert sp.delta(n=10, epsilon0=1, epsilon=1, method="first-arrival").upper == 0
    assert (
        sp.delta(n=1, epsilon0=1, epsilon="0.5", method="first-arrival").upper
        >= sp.delta(n=1, epsilon0=1, epsilon="0.5", method="adaptive-pair").lower
    )
