"""FMT21, appendix A: Lemma A.1 by the exponential bound, its least constants, and where the printed proof fails.

FMT21, appendix F: the inner sum, the sum over blocks and the bisection, as printed and in exact rationals.

FMT21, appendix G: what the shuffled 2RR pair bounds, and what it does not.
"""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb
from hypothesis import given, strategies as st
from mpmath import exp, loggamma, mp, mpf
from strategies import examples

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end
from shuffleproof.proofs_check.papers.fmt21.appendices.appendix_g_search import others_with_ones
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
from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim, Point, phi, root_above, two_sided_tail, violation
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import clone_counts
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr


def test_a_violation_agrees_with_mpmath() -> None:
    """The single outcome named as a witness, in a second library: its term of the divergence exceeds delta."""
    claim, point = (
        Claim(factor=Fraction(4), condition=Fraction(16), inside=4, offset=8),
        Point(n=3_695_228, p=Fraction(1, 1000), decimals=100, a=2330, b=1162),
    )
    assert violation(claim, point) is not None
    with mp.workdps(60):
        mean, log_delta = mpf(point.n) / 1000, -100 * mp.log(10)
        assert mean >= 16 * (mp.log(2) - log_delta)
        e_eps = 1 + 8 * mp.sqrt((mp.log(4) - log_delta) / mean) / 2 + 8 / mean
        x, y, rest = point.a - 1, point.b, point.n - point.a - point.b
        log_mass = loggamma(point.n) - loggamma(x + 1) - loggamma(y + 1) - loggamma(rest + 1)
        log_mass += (x + y) * mp.log(mpf(1) / 2000) + rest * mp.log(mpf(999) / 1000)
        assert exp(log_mass - log_delta) * (1 - e_eps * point.b / point.a) > 1


def test_a_point_outside_the_hypothesis_is_no_violation() -> None:
    claim = Claim(factor=Fraction(4), condition=Fraction(16), inside=4, offset=8)
    assert violation(claim, Point(n=3_000_000, p=Fraction(1, 1000), decimals=100, a=2330, b=1162)) is None


@pytest.mark.parametrize(("k", "root"), [(16, Fraction(1, 4)), (9, Fraction(1, 3))])
def test_root_of_a_square_is_exact(k: int, root: Fraction) -> None:
    assert root_above(Fraction(k)) == root


@pytest.mark.parametrize("k", ["8", "5.03", "2.99", "40"])
def test_root_is_rounded_up(k: str) -> None:
    root = root_above(Fraction(k))
    assert root**2 >= 1 / Fraction(k) > (root - Fraction(2, 10**9)) ** 2


def test_phi_falls_from_one_towards_one_half() -> None:
    assert phi(arb(1)) == 1
    values = [phi(arb(r)) for r in (1, 2, 5, 100, 10**9)]
    assert all(later < earlier for earlier, later in pairwise(values))
    assert lower_end(values[-1]) > Fraction(1, 2)


@examples(30)
@given(st.integers(1, 9), st.fractions(Fraction(1, 20), 1, max_denominator=20), st.fractions(Fraction(11, 10), 6, max_denominator=10))
def test_the_tail_bounds_the_divergence(n: int, p: Fraction, order: Fraction) -> None:
    """D(P || Q) at e^eps is at most the probability under P that the ratio leaves [e^-eps, e^eps] (FMT21, Lemma A.1, last sentence)."""
    P, Q = clone_counts(n, p)
    tail = two_sided_tail(n=n, p=p, exp_epsilon=ball(order))
    assert tail == sum(weight for (a, b), weight in P.items() if a >= order * b or b >= order * a)
    assert hockey_stick(P, Q, exp_epsilon=order) <= tail


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


@examples(25)
@given(st.integers(1, 6), st.data(), LOCAL)
def test_ones_among_the_others_only_shift_the_sum(n: int, data: st.DataObject, T: Fraction) -> None:
    """The distribution with k ones among the other users, from the shuffle model itself."""
    k = data.draw(st.integers(0, n - 1))
    found = [shuffled_distribution(binary_rr(exp_epsilon0=T), (first, *(1,) * k, *(0,) * (n - 1 - k))).map(sum) for first in (0, 1)]
    assert tuple(found) == others_with_ones(n=n, k=k, T=T)
