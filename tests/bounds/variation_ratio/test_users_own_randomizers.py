"""Randomizers that belong to users: covered where every user may send whatever any other may, refused otherwise."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_parameters import of_law, of_users
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, Multiset, shuffled_law
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

Owned = LocalRandomizer[int, int]
weights = st.lists(st.integers(1, 9), min_size=3, max_size=3)


def of_weights(rows: list[list[int]]) -> Owned:
    laws = {x: Distribution({y: Fraction(w, sum(row)) for y, w in enumerate(row)}) for x, row in enumerate(rows)}
    return LocalRandomizer(range(len(rows)), laws)


def on(randomizer: Owned, first: int) -> Owned:
    """The same, with messages counted from `first`."""
    return LocalRandomizer(randomizer.domain, {x: randomizer.law(x).map(lambda y: y + first) for x in randomizer.domain})


def view(randomizers: list[Owned], dataset: tuple[int, ...]) -> Distribution[Multiset[int]]:
    """The shuffled messages of users who each use their own: records are (user, value), one randomizer for all of them."""
    laws = {(i, x): each.law(x) for i, each in enumerate(randomizers) for x in each.domain}
    return shuffled_law(LocalRandomizer(tuple(laws), laws), tuple(enumerate(dataset)))


@examples(40)
@given(st.lists(st.lists(weights, min_size=2, max_size=2), min_size=2, max_size=3), st.fractions(0, 4, max_denominator=8), st.data())
def test_the_pair_dominates_users_with_their_own_randomizers(rows: list[list[list[int]]], order: Fraction, data: st.DataObject) -> None:
    """Exactly, at any order from 0 on, whoever is the user that changes."""
    randomizers = [of_weights(each) for each in rows]
    n = len(randomizers)
    P, Q = dominating_pair(n=n, parameters=of_users(randomizers))
    dataset = list(data.draw(st.tuples(*[st.integers(0, 1)] * n)))
    changed = data.draw(st.integers(0, n - 1))
    neighbour = [1 - x if i == changed else x for i, x in enumerate(dataset)]
    truth = hockey_stick_of_any_order(view(randomizers, tuple(dataset)), view(randomizers, tuple(neighbour)), order)
    assert truth <= hockey_stick_of_any_order(P, Q, order)


def hockey_stick_of_any_order(p: Distribution[Any], q: Distribution[Any], order: Fraction) -> Fraction:
    return sum((max(Fraction(0), p[y] - order * q[y]) for y in p.support), Fraction(0))


def test_one_randomizer_for_all_is_what_its_own_law_gives() -> None:
    R = k_rr(k=3, exp_epsilon0=Fraction(4))
    assert of_users([R, R, R]) == of_law(R) == Parameters(Fraction(4), Fraction(1, 2), Fraction(4))


def test_different_alphabets_are_refused_with_the_reason() -> None:
    """User 0 with 2RR on {0, 1}, user 1 on {2, 3}: the truth at T = 4, E = 2 is 2/5, and eps0 alone would have said 8/25."""
    rr = binary_rr(exp_epsilon0=Fraction(4))
    randomizers = [rr, on(rr, 2)]
    with pytest.raises(RegimeError, match=r"messages of user 0 that user 1 never sends.*whose they are"):
        of_users(randomizers)
    truth = hockey_stick(view(randomizers, (0, 0)), view(randomizers, (1, 0)), exp_epsilon=Fraction(2))
    claimed = hockey_stick(*stronger_clones.dominating_pair(n=2, exp_epsilon0=Fraction(4)), exp_epsilon=Fraction(2))
    assert (truth, claimed) == (Fraction(2, 5), Fraction(8, 25))


def test_alphabets_that_overlap_only_in_part_are_refused_too() -> None:
    wide, narrow = k_rr(k=3, exp_epsilon0=Fraction(4)), binary_rr(exp_epsilon0=Fraction(4))
    with pytest.raises(RegimeError, match="messages of user 0 that user 1 never sends"):
        of_users([wide, narrow])
    with pytest.raises(RegimeError, match="messages of user 1 that user 0 never sends"):
        of_users([narrow, wide])


def test_a_user_whose_messages_are_far_from_the_others_needs_a_larger_q() -> None:
    """Both are 4-ratio randomizers on {0, 1}, but what one sends mostly the other sends rarely."""
    often = of_weights([[16, 1, 1], [4, 1, 1]])
    rarely = of_weights([[1, 16, 1], [1, 4, 1]])
    found = of_users([often, rarely])
    assert found.q > 4 > found.p


def test_no_q_is_needed_of_a_single_user_and_none_is_made_up() -> None:
    with pytest.raises(DomainError, match="at least two users"):
        of_users([binary_rr(exp_epsilon0=Fraction(4))])
