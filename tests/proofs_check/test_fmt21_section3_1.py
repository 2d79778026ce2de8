"""FMT21, section 3.1 and appendix C: the nearby randomizers, the witnesses by hand."""

from fractions import Fraction
from math import erfc, exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.proofs_check.ledger.methods.random_randomizers import laws
from shuffleproof.proofs_check.papers.fmt21.appendices.approximate_reduction import (
    Law,
    least_delta,
    least_delta0,
    middle,
    one_sided,
    one_sided_other,
    printed,
)
from shuffleproof.proofs_check.papers.fmt21.clones.section3_1 import _delta
from shuffleproof.spec.bounds.clones import approx_clones
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick, total_variation
from shuffleproof.spec.model import LocalRandomizer, shuffled_law

orders = st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(4)])
three = laws(outputs=3)


@examples(60)
@given(three, three, three, orders)
def test_the_nearby_randomizers_decompose_and_are_near(r0: Law, r1: Law, other: Law, T: Fraction) -> None:
    """Equations (20) to (22): as printed within (1 + 1/(2T)) delta0, one-sided within 3/(2T) delta0."""
    randomizer = LocalRandomizer(range(3), {0: r0, 1: r1, 2: other})
    delta0 = least_delta0(randomizer, T)
    for nearby, allowed in ((printed, 1 + 1 / (2 * T)), (one_sided, 3 / (2 * T))):
        near = nearby(randomizer, T)
        assert near.law(0) == r0
        assert least_delta(near.law(0), near.law(1), T) == 0
        half = middle(near.law(0), near.law(1))
        assert all(half[y] <= T * near.law(2)[y] for y in range(3))
        assert total_variation(near.law(1), r1) <= delta0
        assert total_variation(near.law(2), other) <= allowed * delta0


@given(three, three, orders)
def test_one_sided_moves_exactly_what_is_missing(r: Law, wanted: Law, T: Fraction) -> None:
    near = one_sided_other(r, wanted, T)
    assert all(wanted[y] <= T * near[y] for y in range(3))
    assert total_variation(r, near) == hockey_stick(wanted, r, exp_epsilon=T) / T


def test_a_randomizer_that_tells_with_probability_delta0_attains_the_stronger_price_for_one_user() -> None:
    """n = 1, order e^eps0: the clones pair has divergence 0 there, the randomizer delta0; Theorem 3.8 says more than three times that."""
    T, delta0 = Fraction(2), Fraction(1, 10)
    tells = LocalRandomizer((0, 1), {0: Distribution({0: delta0, 2: 1 - delta0}), 1: Distribution({1: delta0, 2: 1 - delta0})})
    assert least_delta0(tells, T) == delta0
    laws_of_both = [shuffled_law(tells, (x,)) for x in (0, 1)]
    assert hockey_stick(*laws_of_both, exp_epsilon=T) == delta0
    slope, once = approx_clones.smaller_cost(1, T, delta0)
    assert slope * (T + 1) + once == delta0
    assert approx_clones.printed_cost(1, T, delta0)[0] * (T + 1) == Fraction(15, 4) * delta0


def test_the_gaussian_divergence_is_the_known_formula() -> None:
    for epsilon, shift in ((0.0, 1.0), (0.5, 1.0), (2.0, 3.0)):
        below = lambda x: erfc(-x / sqrt(2)) / 2  # noqa: E731
        expected = below(shift / 2 - epsilon / shift) - exp(epsilon) * below(-shift / 2 - epsilon / shift)
        from flint import arb

        assert float(_delta(arb(epsilon), arb(shift)).mid()) == pytest.approx(expected, rel=1e-12)
