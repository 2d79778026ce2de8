"""FMT21, appendix F: the inner sum, the sum over blocks and the bisection, as printed and in exact rationals."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import (
    all_runs,
    bin_s,
    bin_s_lower,
    bisect,
    block_sum,
    clones_delta,
    inner_sum,
    order_at,
)
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.divergence import hockey_stick

LOCAL = st.fractions(Fraction(5, 4), 30, max_denominator=8)
SHARE = st.fractions(0, Fraction(19, 20), max_denominator=20)


@examples(30)
@given(st.integers(1, 7), LOCAL, SHARE)
def test_the_sum_over_c_is_the_divergence_of_theorem_32(n: int, T: Fraction, share: Fraction) -> None:
    E = 1 + share * (T - 1)
    assert clones_delta(n=n, T=T, E=E) == hockey_stick(*dominating_pair(n=n, exp_epsilon0=T), exp_epsilon=E)


def test_a_step_larger_than_n_covers_everything_in_one_block() -> None:
    found = block_sum(n=4, T=Fraction(3), delta_u=Fraction(1), S=9, E=Fraction(1))
    assert (found.exit, found.covered) == ("end", 1)
    assert found.value == inner_sum(0, Fraction(1), Fraction(3), "+")


@pytest.mark.parametrize("order", ["1", "3/2", "2", "29/10"])
def test_unit_blocks_enclose_delta_between_what_is_done_and_what_is_left(order: str) -> None:
    found = block_sum(n=6, T=Fraction(3), delta_u=Fraction(1), S=1, E=Fraction(order))
    true = clones_delta(n=6, T=Fraction(3), E=Fraction(order))
    assert found.delta_p <= true <= found.value <= found.delta_p + (1 - found.covered)


def test_no_iteration_returns_the_whole_bracket() -> None:
    run = bisect(moves_left=lambda x: True, iterations=0)
    assert (run.left, run.right, len(run.history)) == (0, 1, 1)


def test_delta_zero_returns_epsilon0_and_a_large_delta_tends_to_zero() -> None:
    assert bin_s(delta=Fraction(0), iterations=5, M=lambda x: Fraction(0)) == 1
    assert bin_s(delta=Fraction(1), iterations=5, M=lambda x: Fraction(1, 2)) == Fraction(1, 32)
    assert bin_s_lower(delta=Fraction(1), iterations=5, M=lambda x: Fraction(1, 2)) == 0


def test_all_runs_are_all_answers() -> None:
    ends = {(run.left, run.right) for run, _ in all_runs(4)}
    assert ends == {(Fraction(j, 16), Fraction(j + 1, 16)) for j in range(16)}


def test_orders_between_halvings_are_refused() -> None:
    assert order_at(Fraction(3, 4), root=Fraction(2), halvings=2) == 8
    with pytest.raises(ValueError, match="multiple"):
        order_at(Fraction(1, 8), root=Fraction(2), halvings=2)
