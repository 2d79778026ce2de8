"""The theorem beyond the papers: its witnesses computed again, and the machinery of its checks tried on what is known otherwise."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.papers.beyond.variation_ratio.all_sequences import locally_private, supremum, with_hypothesis
from shuffleproof.proofs_check.papers.beyond.variation_ratio.corner_distributions import (
    convex_order_margin,
    corners,
    distribution_of,
    mean,
    stop_loss,
)
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import least_parameters, listed_parameters
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import the_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.randomizers.k_rr import k_rr

HALF = Fraction(1, 2)


def test_one_user_has_nobody_to_be_compared_with() -> None:
    """n = 1: any q is true, and must not make the pair smaller than the special user's own distributions."""
    pair = the_pair(1, Parameters(Fraction(2), Fraction(1, 3), Fraction(1)))
    assert hockey_stick(*pair, exp_epsilon=Fraction(1)) == Fraction(1, 3)


def test_the_supremum_is_at_least_what_random_mechanisms_reach() -> None:
    """One user: D_E of the pair (p, 1), (1, p) over p + 1, by hand."""
    for beta, expected in ((Fraction(1), Fraction(2, 5)), (HALF, Fraction(1, 3))):
        of = with_hypothesis(n=1, parameters=Parameters(Fraction(4), beta, Fraction(4)))
        assert supremum(of, held=(), E=Fraction(2)) == expected
    assert supremum(locally_private(inputs=2, T=Fraction(4)), held=(), E=Fraction(2)) == Fraction(2, 5)


def test_extreme_points_are_randomizers() -> None:
    for of in (locally_private(inputs=3, T=Fraction(3)), with_hypothesis(n=3, parameters=listed_parameters()[1])):
        for law in of.vertices:
            assert all(weight > 0 for weight in law.values())
            assert all(sum(weight * ray[x] for ray, weight in law.items()) == 1 for x in range(of.inputs))


def test_least_parameters_by_hand() -> None:
    randomizer = k_rr(k=3, exp_epsilon0=Fraction(4))
    assert least_parameters([randomizer], (2, 2)) == Parameters(Fraction(4), HALF, Fraction(4))
    assert least_parameters([randomizer], ()) == Parameters(Fraction(4), HALF, Fraction(1))


def test_convex_order_is_decided_at_the_atoms() -> None:
    point, spread = distribution_of([(Fraction(1), Fraction(1))]), distribution_of([(Fraction(0), HALF), (Fraction(2), HALF)])
    assert mean(point) == mean(spread)
    assert convex_order_margin(point, spread) == 0
    assert convex_order_margin(spread, point) == -HALF
    assert stop_loss(spread, Fraction(1)) == HALF


def test_the_corner_distribution_has_mean_one_minus_the_order() -> None:
    for parameters, E in product(listed_parameters(), (Fraction(1), Fraction(5, 2))):
        assert mean(corners(parameters, E).distribution()) == 1 - E
