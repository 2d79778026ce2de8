"""The approximate-to-pure transform and its clipped rival: exact laws by hand and by enumeration (CSUZZ19, Appendix D)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import distributions, examples

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick, max_divergence, total_variation
from shuffleproof.spec.protocols import approx_to_pure
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError

HALF = Fraction(1, 2)


def test_the_index_by_hand() -> None:
    """p = (1, 0): the first is accepted for sure. p = (1/2, 1/2): both or neither with probability 1/2."""
    assert approx_to_pure.index_law([Fraction(1), Fraction(0)]) == Distribution.point(0)
    assert approx_to_pure.index_law([HALF, HALF]) == Distribution.uniform((0, 1))
    # p = (1/2, 1/4): H = {0} 3/8, {1} 1/8, both 1/8, none 3/8.
    assert approx_to_pure.index_law([HALF, Fraction(1, 4)])[0] == Fraction(3, 8) + Fraction(1, 16) + Fraction(3, 16)


def test_one_round_reports_the_public_draw() -> None:
    """T = 1: the only index is reported whether it was accepted or not."""
    R = binary_rr(exp_epsilon0=Fraction(3))
    law = approx_to_pure.closed_form(R.law(1), R.law(0), exp_epsilon=Fraction(3), k=Fraction(9), T=1)
    assert law == R.law(0)


def test_many_rounds_bring_the_randomizer_back() -> None:
    """For a pure randomizer the distance is (1 - 1/k)^T at most, and falls to 0."""
    R = binary_rr(exp_epsilon0=Fraction(2))
    for T in (1, 10, 100):
        law = approx_to_pure.closed_form(R.law(1), R.law(0), exp_epsilon=Fraction(2), k=Fraction(4), T=T)
        assert total_variation(law, R.law(1)) <= Fraction(3, 4) ** T


@examples(40)
@given(distributions(3, parts=5), distributions(3, parts=5), st.sampled_from([Fraction(6, 5), Fraction(2), Fraction(5)]), st.integers(1, 3))
def test_the_distance_bound_holds(R_x, rho, exp_epsilon, T) -> None:
    delta = max(hockey_stick(R_x, rho, exp_epsilon=exp_epsilon), hockey_stick(rho, R_x, exp_epsilon=exp_epsilon))
    law = approx_to_pure.output_law(R_x, rho, exp_epsilon=exp_epsilon, k=2 * exp_epsilon**2, T=T)
    bound = approx_to_pure.distance_bound(exp_epsilon=exp_epsilon, delta=delta, k=2 * exp_epsilon**2, T=T)
    assert total_variation(law, R_x) <= bound


@examples(150)
@given(distributions(3, parts=5), distributions(3, parts=5), st.sampled_from([Fraction(1), Fraction(6, 5), Fraction(2), Fraction(5)]))
def test_clipping_moves_exactly_what_lies_outside(R_x, rho, exp_epsilon) -> None:
    """The distance is the larger of the two masses outside, so at most delta; the result lies within e^(+-eps) of rho."""
    law = approx_to_pure.clipped(R_x, rho, exp_epsilon=exp_epsilon)
    above, below = hockey_stick(R_x, rho, exp_epsilon=exp_epsilon), hockey_stick(rho, R_x, exp_epsilon=exp_epsilon) / exp_epsilon
    assert total_variation(R_x, law) == max(above, below)
    for p, q in ((law, rho), (rho, law)):
        ratio = max_divergence(p, q)
        assert ratio <= exp_epsilon


def test_clipping_a_private_randomizer_changes_nothing() -> None:
    R = binary_rr(exp_epsilon0=Fraction(3))
    clipped = approx_to_pure.clipped_randomizer(R, x0=0, exp_epsilon=Fraction(3))
    assert all(clipped.law(x) == R.law(x) for x in (0, 1))


def test_parameters() -> None:
    """T = ceil(2 * 16 ln 10^4) and ceil(4 ln 10^4) at e^eps = 2, n = 1000, beta = 1/10; ln 10^4 = 9.2103."""
    assert approx_to_pure.papers_parameters(n=1000, exp_epsilon=Fraction(2), beta=Fraction(1, 10)) == (8, 295)
    sharper = approx_to_pure.sharper_parameters(n=1000, exp_epsilon=Fraction(2), delta=Fraction(0), beta=Fraction(1, 10))
    assert sharper == (4, 37)


@pytest.mark.parametrize(("changed", "parameter"), [({"k": Fraction(3)}, "k"), ({"T": 0}, "T"), ({"exp_epsilon": HALF}, "exp_epsilon")])
def test_bad_parameters_are_named(changed, parameter) -> None:
    R = binary_rr(exp_epsilon0=Fraction(2))
    given = {"exp_epsilon": Fraction(2), "k": Fraction(4), "T": 2, **changed}
    for law in (approx_to_pure.output_law, approx_to_pure.closed_form):
        with pytest.raises(DomainError) as caught:
            law(R.law(0), R.law(1), **given)
        assert caught.value.parameter == parameter


def test_what_cannot_be_enumerated_is_refused() -> None:
    R = binary_rr(exp_epsilon0=Fraction(2))
    with pytest.raises(ResourceLimitError):
        approx_to_pure.output_law(R.law(0), R.law(1), exp_epsilon=Fraction(2), k=Fraction(4), T=40)


def test_no_bound_where_there_is_none() -> None:
    for exp_epsilon, delta in product((Fraction(1), Fraction(2)), (Fraction(-1), Fraction(2))):
        with pytest.raises(DomainError):
            approx_to_pure.outside_good_set(exp_epsilon=exp_epsilon, delta=delta)
    with pytest.raises(DomainError):
        approx_to_pure.sharper_parameters(n=10, exp_epsilon=Fraction(2), delta=HALF, beta=HALF)
    assert approx_to_pure.distance_bound(exp_epsilon=Fraction(2), delta=HALF, k=Fraction(4), T=3) == 1
