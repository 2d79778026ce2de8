"""Composition: the product pair against brute force, and the basic theorem against the product pair."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import distributions

from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.composition import basic_composition, by_likelihood_ratio, composed
from shuffleproof.spec.distribution import Distribution, product
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError

orders = st.fractions(min_value=Fraction(1), max_value=Fraction(20), max_denominator=20)


@given(distributions(3, parts=12), distributions(3, parts=12), orders)
def test_the_likelihood_ratio_keeps_every_hockey_stick_divergence(p, q, exp_epsilon):
    P, Q = by_likelihood_ratio(p, q)
    assert hockey_stick(P, Q, exp_epsilon=exp_epsilon) == hockey_stick(p, q, exp_epsilon=exp_epsilon)
    assert hockey_stick(Q, P, exp_epsilon=exp_epsilon) == hockey_stick(q, p, exp_epsilon=exp_epsilon)


@given(distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), orders)
def test_the_composed_pair_is_the_product_pair(p, q, other_p, other_q, exp_epsilon):
    P, Q = composed([(p, q), (other_p, other_q)])
    direct = PrivacyProfile(product(p, other_p), product(q, other_q))
    assert PrivacyProfile(P, Q).delta(exp_epsilon=exp_epsilon) == direct.delta(exp_epsilon=exp_epsilon)


@given(distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), orders, orders)
def test_basic_composition_holds_for_the_composed_pair(p, q, other_p, other_q, first, second):
    exp_epsilon, delta = basic_composition(
        [(first, PrivacyProfile(p, q).delta(exp_epsilon=first)), (second, PrivacyProfile(other_p, other_q).delta(exp_epsilon=second))]
    )
    assert PrivacyProfile(*composed([(p, q), (other_p, other_q)])).delta(exp_epsilon=exp_epsilon) <= delta


def test_half_the_delta_would_not_do():
    """Disjoint laws, half of the time: two rounds tell with probability 3/4, more than the 1/2 of one."""
    half = Fraction(1, 2)
    pair = (Distribution({"x": half, "?": half}), Distribution({"y": half, "?": half}))
    assert PrivacyProfile(*composed([pair, pair])).delta(exp_epsilon=Fraction(1)) == Fraction(3, 4)
    assert basic_composition([(Fraction(1), half), (Fraction(1), half)]) == (1, 1)


def test_rounds_of_shuffling_compose_like_their_dominating_pairs():
    pair = dominating_pair(n=5, exp_epsilon0=Fraction(3))
    profiles = [PrivacyProfile(*composed([pair] * rounds)).delta(exp_epsilon=Fraction(3, 2)) for rounds in range(4)]
    assert profiles[0] == 0
    assert profiles == sorted(profiles)
    assert profiles[1] == PrivacyProfile(*pair).delta(exp_epsilon=Fraction(3, 2))


def test_nothing_composed_reveals_nothing_and_bad_guarantees_are_refused():
    assert composed([]) == (Distribution.point(Fraction(1)), Distribution.point(Fraction(1)))
    assert basic_composition([]) == (1, 0)
    for bad in ((Fraction(1, 2), Fraction(0)), (Fraction(2), Fraction(-1)), (Fraction(2), Fraction(2))):
        with pytest.raises(DomainError):
            basic_composition([bad])
