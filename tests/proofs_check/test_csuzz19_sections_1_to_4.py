"""CSUZZ19, sections 2 to 4: the ledger's own bounds against exact values, its witnesses by hand."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_b import beats_every_lambda
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_2_theorem import FIRST, SECOND, THRESHOLD
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import Setting
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.section6_coordinates import two_entries
from shuffleproof.proofs_check.papers.csuzz19.profiles.bit_sum_divergence import (
    coins_divergence,
    every_pair_divergence,
    homogeneous_divergence,
)
from shuffleproof.spec.bounds.sums import bit_sum
from shuffleproof.spec.distribution import binomial
from shuffleproof.spec.divergence import hockey_stick

orders = st.fractions(min_value=1, max_value=5, max_denominator=8)


@given(st.integers(0, 40), orders)
def test_coins_divergence_encloses_the_exact_one(s, order):
    coins = binomial(s, Fraction(1, 2))
    exact = hockey_stick(coins, coins.map(lambda y: y + 1), exp_epsilon=order)
    with precision(128):
        value = coins_divergence(s, ball(order))
        assert lower_end(value) <= exact <= upper_end(value)
        assert upper_end(value) - lower_end(value) < Fraction(1, 10**20)


@examples(60)
@given(st.integers(1, 14), st.fractions(Fraction(1, 20), 1, max_denominator=20), orders)
def test_one_pair_from_below_and_all_from_above(n, share, order):
    exact, _ = bit_sum.worst_ones(n=n, lam=share * n, exp_epsilon=order)
    first = bit_sum.profiles(n=n, lam=share * n)[0].delta(exp_epsilon=order)
    with precision(128):
        low = homogeneous_divergence(n, share * n, ball(order))
        high = every_pair_divergence(n, share * n, ball(order))
        assert abs(upper_end(low) - first) < Fraction(1, 10**20)
        assert exact <= upper_end(high)


def test_the_lemmas_range_of_epsilon_is_empty_up_to_878_users_for_delta_1_over_n_squared():
    def lowest(n: int) -> float:
        return math.sqrt(3456) * math.log(4 * n * n) / n

    assert lowest(878) > 1 > lowest(879)


def test_the_lemmas_lambda_is_private_without_its_conditions_where_all_pairs_are_exact():
    """CSUZZ19.Lem4.8.all at n <= 60, by spec's exact enumeration at rational e^eps below e."""
    for n, delta in ((1, Fraction(1, 2)), (7, Fraction(1, 100)), (40, Fraction(9, 10))):
        at = Setting(n=n, epsilon=Fraction(1), delta=delta)
        with precision(128):
            lam = at.random_users()
        assert bit_sum.worst_ones(n=n, lam=Fraction(round(lam * 1000) + 1, 1000), exp_epsilon=Fraction(27, 10))[0] <= delta


def test_the_constants_of_theorem_4_1_in_floats():
    ratio = math.log(16 / 3) / math.log(4 / 3)
    assert 192 * ratio < THRESHOLD < 193 * ratio
    assert 64 * ratio < FIRST < 65 * ratio
    assert 1 - float(SECOND) * math.sqrt(THRESHOLD) > math.log(2)


def test_corollary_b_4_without_a_condition_on_beta_by_logarithms():
    """n = 40000: 30 sqrt(ln 8 (n ln(4n) + ln 4)) < n, and not yet at n = 20000."""
    for n, beaten in ((40_000, True), (20_000, False)):
        assert (30 * math.sqrt(math.log(8) * (n * math.log(4 * n) + math.log(4))) < n) is beaten
        assert beats_every_lambda(n=n, constant=Fraction(30)) is beaten


def test_two_changed_entries_at_one_user():
    """n = 1: two flipped coins, q = 1/4 each: (3/4)^2 - (1/4)^2 = 1/2 at e^eps = 1."""
    assert two_entries(n=1, lam=Fraction(1, 2), order=Fraction(1)) == Fraction(1, 2)
