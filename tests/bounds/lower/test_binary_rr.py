"""The shuffled 2RR pair: its law, both directions, agreement of the engines, and that it is only a lower bound."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, exponentials, logarithm, shares

import shuffleproof.spec.bounds.clones.clones as clones
import shuffleproof.spec.bounds.lower.binary_rr as exact
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.randomizers.binary_rr import binary_rr as randomizer


@given(st.integers(1, 7), exponentials(10**9))
def test_the_pair_is_the_number_of_ones_among_shuffled_reports(n, exp_epsilon0):
    """FMT21, appendix G."""
    zeros, one = exact.pair(n=n, exp_epsilon0=exp_epsilon0)
    reports = randomizer(exp_epsilon0=exp_epsilon0)
    assert shuffled_law(reports, (0,) * n).map(sum) == zeros
    assert shuffled_law(reports, (1,) + (0,) * (n - 1)).map(sum) == one


@examples(50)
@given(st.integers(1, 25), exponentials(10**9), shares)
def test_the_pair_never_exceeds_the_clones_pair(n, exp_epsilon0, share):
    """FMT21, Theorem 3.2: what it says of all randomizers holds for 2RR."""
    exp_epsilon = 1 + (exp_epsilon0 - 1) * share
    below = exact.delta(n=n, epsilon0=logarithm(exp_epsilon0), epsilon=logarithm(exp_epsilon))
    above = clones.delta(n=n, epsilon0=logarithm(exp_epsilon0), epsilon=logarithm(exp_epsilon))
    assert below.upper <= above.lower
    assert (below.claim_side, above.claim_side) == ("lower", "upper")


def test_the_two_directions_differ():
    zeros, one = exact.pair(n=3, exp_epsilon0=Fraction(4))
    assert hockey_stick(zeros, one, exp_epsilon=Fraction(2)) != hockey_stick(one, zeros, exp_epsilon=Fraction(2))


def test_the_pair_is_not_always_the_worst_pair():
    """n = 3, T = 2: at some order another number of ones among the others gives more."""
    reports = randomizer(exp_epsilon0=Fraction(2))

    def profile(ones, exp_epsilon):
        others = (1,) * ones + (0,) * (2 - ones)
        pair = PrivacyProfile(shuffled_law(reports, (0, *others)), shuffled_law(reports, (1, *others)))
        return pair.delta(exp_epsilon=exp_epsilon)

    assert profile(1, Fraction(1)) > profile(0, Fraction(1)) == exact.delta(n=3, epsilon0="ln 2", epsilon=0).lower


def test_many_users_and_extreme_parameters_are_answered():
    for n, epsilon0, delta in [(10**7, 1, "1e-6"), (10**6, 700, "1e-6"), (10**6, 50, "1e-300"), (10**9, "1e-9", "1e-30"), (1, 1, "1e-6")]:
        found = binary_rr.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=10)
        assert found.side == "enclosure"
        assert found.claim_side == "lower"
