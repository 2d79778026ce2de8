"""Reports told in pairs: what the adversary learns less than from the blanket."""

from fractions import Fraction

import pytest

from shuffleproof.spec.bounds.blanket import paired_reports
from shuffleproof.spec.bounds.blanket.one_sum import kinds, profile
from shuffleproof.spec.randomizers.exact import exact_law
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR
from shuffleproof.spec.vocabulary.errors import DomainError

_QUARTERS = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}


def test_a_third_item_of_another_user_hides_more_in_pairs_than_the_blanket_says() -> None:
    randomizer = exact_law(RAPPOR(k=3), Fraction(9, 4))
    first, second, third = ({y: randomizer.law(x)[y] for y in randomizer.messages} for x in randomizer.domain)
    cover = {y: min(first[y], second[y], third[y]) for y in randomizer.messages}
    for E in (Fraction(1), Fraction(3, 2)):
        told = paired_reports.delta(n=2, first=first, second=second, cover=cover, others=[third], exp_epsilon=E)
        assert told < profile(n=2, kinds=kinds(first, second, cover)).delta(exp_epsilon=E)


def test_binary_response_gains_nothing_from_pairs() -> None:
    first, second = _QUARTERS
    cover = {0: Fraction(1, 4), 1: Fraction(1, 4)}
    told = paired_reports.delta(n=4, first=first, second=second, cover=cover, others=[first, second], exp_epsilon=Fraction(3, 2))
    assert told == profile(n=4, kinds=kinds(first, second, cover)).delta(exp_epsilon=Fraction(3, 2))


def test_the_least_law_above_two_has_their_mean_and_is_above_both() -> None:
    one = ((Fraction(1, 2), Fraction(-1)), (Fraction(1, 2), Fraction(1)))
    other = ((Fraction(2, 3), Fraction(-1, 2)), (Fraction(1, 3), Fraction(1)))
    found = paired_reports.least_above([one, other])
    assert sum(mass for mass, _ in found) == 1
    assert sum(mass * x for mass, x in found) == 0
    for law in (one, other):
        for t in (Fraction(k, 4) for k in range(-8, 9)):
            height = sum((mass * max(x - t, Fraction(0)) for mass, x in law), Fraction(0))
            assert height <= sum((mass * max(x - t, Fraction(0)) for mass, x in found), Fraction(0))


def test_a_cover_that_another_user_may_fall_below_is_refused() -> None:
    first, second = _QUARTERS
    with pytest.raises(DomainError, match="at most every other"):
        paired_reports.delta(
            n=2, first=first, second=second, cover={0: Fraction(1, 2), 1: Fraction(1, 4)}, others=[second], exp_epsilon=Fraction(1)
        )
    with pytest.raises(DomainError, match="at least 2"):
        paired_reports.delta(n=1, first=first, second=second, cover={}, others=[second], exp_epsilon=Fraction(1))
