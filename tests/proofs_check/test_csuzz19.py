"""CSUZZ19, sections 2 to 4: the ledger's own bounds against exact values, its witnesses by hand.

CSUZZ19, sections 5 and 6 and Appendices C and D: the ledger's own tools by hand.
"""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.proofs_check.papers.csuzz19.appendices import appendix_c, appendix_d, appendix_e
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_b import beats_every_lambda
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_d_theorem import binary_error
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_2_theorem import FIRST, SECOND, THRESHOLD
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import Setting
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds import information
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.section6 import local_delta, shuffled_delta
from shuffleproof.proofs_check.papers.csuzz19.profiles.bit_sum_divergence import (
    coins_divergence,
    every_pair_divergence,
    homogeneous_divergence,
)
from shuffleproof.proofs_check.papers.csuzz19.real_sum import section5_theorems
from shuffleproof.spec.bounds.sums import bit_sum
from shuffleproof.spec.distribution import Distribution, binomial, hockey_stick, total_variation
from shuffleproof.spec.protocols import approx_to_pure, real_sum
from shuffleproof.spec.randomizers.binary_rr import binary_rr

orders = st.fractions(min_value=1, max_value=5, max_denominator=8)


@given(st.integers(0, 40), orders)
def test_coins_divergence_encloses_the_exact_one(s, order):
    coins = binomial(s, Fraction(1, 2))
    exact = hockey_stick(coins, coins.map(lambda y: y + 1), exp_epsilon=order)
    value = coins_divergence(s, ball(order))
    assert lower_end(value) <= exact <= upper_end(value)
    assert upper_end(value) - lower_end(value) < Fraction(1, 10**20)


@examples(60)
@given(st.integers(1, 14), st.fractions(Fraction(1, 20), 1, max_denominator=20), orders)
def test_one_pair_from_below_and_all_from_above(n, share, order):
    exact, _ = bit_sum.worst_ones(n=n, lam=share * n, exp_epsilon=order)
    first = bit_sum.profiles(n=n, lam=share * n)[0].delta(exp_epsilon=order)
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


HALF = Fraction(1, 2)


def test_the_reported_index_against_the_definition() -> None:
    """The corner formula of Claim D.2 for two rounds: p = (1/2, 1/4)."""
    others = binomial(1, Fraction(1, 4))
    assert appendix_d.reported(HALF, others, others[0], 2) == Fraction(3, 8) + Fraction(1, 16) + Fraction(3, 16)


def test_information_of_randomized_response_by_hand() -> None:
    """T = 3 on the first of two fair bits: messages 1 with 3/4 against 1/2 on average: chi-square 4 (1/4)^2, and 0 for the other bit."""
    R = binary_rr(exp_epsilon0=Fraction(3))
    of_vectors = information.as_vectors([R.distribution(x // 2) for x in range(4)])
    assert information.selection_chi_square(of_vectors, d=2, q=HALF) == Fraction(1, 4)
    assert information.histogram_chi_square([R.distribution(0), R.distribution(1)]) == Fraction(1, 4)


def test_chi_square_of_a_message_that_says_nothing() -> None:
    same = [Distribution.uniform((0, 1))] * 4
    assert information.selection_chi_square(information.as_vectors(same), d=2, q=Fraction(1, 3)) == 0
    assert information.histogram_chi_square(same) == 0


def test_local_and_shuffled_deltas_by_hand() -> None:
    """Randomized response with flip probability 1/4: 3/4 - E/4 alone; two users at E = 1: (1/2) max(3/4, 1/4)."""
    R = binary_rr(exp_epsilon0=Fraction(3))
    assert local_delta(R, Fraction(2)) == Fraction(1, 4)
    assert shuffled_delta(R, 1, Fraction(2)) == Fraction(1, 4)
    assert shuffled_delta(R, 2, Fraction(1)) == Fraction(3, 8)


def test_the_error_of_algorithm_7_at_one_round() -> None:
    """T = 1 reports rho: wrong with the probability that rho is right."""
    assert binary_error(Fraction(5), Fraction(50), 1) == Fraction(5, 6)


def test_tails_by_hand() -> None:
    found = section5_theorems.binomial_beyond(4, HALF, ball(Fraction(3, 2)))
    assert float(found.mid()) == pytest.approx(2 / 16)
    law = appendix_c.rounded_distribution((Fraction(1, 4), Fraction(3, 4)), r=2)
    assert law == Distribution({HALF: Fraction(1, 4), Fraction(1): HALF, Fraction(3, 2): Fraction(1, 4)})


def test_radii_that_are_reached_count_only_where_asked() -> None:
    law = Distribution({Fraction(0): HALF, Fraction(2): HALF})
    assert appendix_e.beyond(law, centre=Fraction(1), radius=ball(1), reached=True) == 1
    assert appendix_e.beyond(law, centre=Fraction(1), radius=ball(1)) == 0


def test_the_number_of_runs_is_the_ceiling_even_of_an_integer() -> None:
    assert appendix_c.chosen((100, Fraction(9, 10), HALF))[0] == 9
    assert appendix_c.chosen((101, Fraction(9, 10), HALF))[0] == 10
    assert appendix_c.chosen((1, Fraction(1, 10), HALF))[0] == 1


def test_bits_of_a_real_sum_are_a_larger_bit_sum() -> None:
    """Fixed bits of n users and r runs have the distribution of n r users with r lambda."""
    n, r, lam = 2, 2, Fraction(1, 2)
    dataset = (Fraction(1), HALF)
    assert real_sum.estimate_distribution(dataset, lam=lam, r=r) == appendix_c._bits_distribution(n, r, lam, 3)


def test_the_loss_by_clipping_is_the_best_possible_for_one_pair() -> None:
    """Every distribution within e^(+-eps) of rho is at least max(D, e^-eps D') from R(x): the mass outside must move."""
    E, R_x, rho = Fraction(2), Distribution({0: Fraction(4, 5), 1: Fraction(1, 5)}), Distribution.uniform((0, 1))
    inside = [p for p in (Fraction(k, 1000) for k in range(1001)) if 1 / E <= 2 * p <= E and 1 / E <= 2 * (1 - p) <= E]
    closest = min(abs(p - R_x[0]) for p in inside)
    assert closest == Fraction(1, 20) == total_variation(R_x, approx_to_pure.clipped(R_x, rho, exp_epsilon=E))
