"""CSUZZ19, sections 5 and 6 and Appendices C and D: the ledger's own tools by hand."""

from fractions import Fraction

import pytest

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.proofs_check.papers.csuzz19.appendices import appendix_c, appendix_d
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_d_theorem import binary_error
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds import information
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.section6 import local_delta, shuffled_delta
from shuffleproof.proofs_check.papers.csuzz19.real_sum import section5_theorems
from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.divergence import total_variation
from shuffleproof.spec.protocols import approx_to_pure, real_sum
from shuffleproof.spec.randomizers.binary_rr import binary_rr

HALF = Fraction(1, 2)


def test_the_reported_index_against_the_definition() -> None:
    """The corner formula of Claim D.2 for two rounds: p = (1/2, 1/4)."""
    others = binomial(1, Fraction(1, 4))
    assert appendix_d.reported(HALF, others, others[0], 2) == Fraction(3, 8) + Fraction(1, 16) + Fraction(3, 16)


def test_information_of_randomized_response_by_hand() -> None:
    """T = 3 on the first of two fair bits: messages 1 with 3/4 against 1/2 on average: chi-square 4 (1/4)^2, and 0 for the other bit."""
    R = binary_rr(exp_epsilon0=Fraction(3))
    of_vectors = information.as_vectors([R.law(x // 2) for x in range(4)])
    assert information.selection_chi_square(of_vectors, d=2, q=HALF) == Fraction(1, 4)
    assert information.histogram_chi_square([R.law(0), R.law(1)]) == Fraction(1, 4)


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
    with precision(128):
        found = section5_theorems.binomial_beyond(4, HALF, ball(Fraction(3, 2)))
    assert float(found.mid()) == pytest.approx(2 / 16)
    law = appendix_c.rounded_law((Fraction(1, 4), Fraction(3, 4)), r=2)
    assert law == Distribution({HALF: Fraction(1, 4), Fraction(1): HALF, Fraction(3, 2): Fraction(1, 4)})


def test_radii_that_are_reached_count_only_where_asked() -> None:
    law = Distribution({Fraction(0): HALF, Fraction(2): HALF})
    with precision(128):
        assert appendix_c.beyond(law, centre=Fraction(1), radius=ball(1), reached=True) == 1
        assert appendix_c.beyond(law, centre=Fraction(1), radius=ball(1)) == 0


def test_the_number_of_runs_is_the_ceiling_even_of_an_integer() -> None:
    with precision(128):
        assert appendix_c.chosen((100, Fraction(9, 10), HALF))[0] == 9
        assert appendix_c.chosen((101, Fraction(9, 10), HALF))[0] == 10
        assert appendix_c.chosen((1, Fraction(1, 10), HALF))[0] == 1


def test_bits_of_a_real_sum_are_a_larger_bit_sum() -> None:
    """Fixed bits of n users and r runs have the law of n r users with r lambda."""
    n, r, lam = 2, 2, Fraction(1, 2)
    dataset = (Fraction(1), HALF)
    assert real_sum.estimate_law(dataset, lam=lam, r=r) == appendix_c._bits_law(n, r, lam, 3)


def test_the_loss_by_clipping_is_the_best_possible_for_one_pair() -> None:
    """Every law within e^(+-eps) of rho is at least max(D, e^-eps D') from R(x): the mass outside must move."""
    E, R_x, rho = Fraction(2), Distribution({0: Fraction(4, 5), 1: Fraction(1, 5)}), Distribution.uniform((0, 1))
    inside = [p for p in (Fraction(k, 1000) for k in range(1001)) if 1 / E <= 2 * p <= E and 1 / E <= 2 * (1 - p) <= E]
    closest = min(abs(p - R_x[0]) for p in inside)
    assert closest == Fraction(1, 20) == total_variation(R_x, approx_to_pure.clipped(R_x, rho, exp_epsilon=E))
