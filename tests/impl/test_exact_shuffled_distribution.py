"""Shuffled distributions by polynomials, Hadamard transforms, and float64 against balls over its whole range."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import as_randomizer, examples, rows
from sympy.discrete.transforms import fwht

from shuffleproof.impl.exact.shuffled_distribution import ShuffledRandomizer
from shuffleproof.impl.fast.protocols.hadamard import fast_walsh_hadamard
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.verification import cross_checks


def counted(law: Distribution[tuple[int, ...]], outcomes: int) -> dict[tuple[int, ...], Fraction]:
    return {tuple(messages.count(y) for y in range(outcomes)): p for messages, p in law.items()}


@examples(25)
@given(rows=rows(fewest=1), n=st.integers(0, 3), data=st.data())
def test_the_distribution_is_the_specifications(rows: list[list[Fraction]], n: int, data: st.DataObject) -> None:
    dataset = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=n, max_size=n))
    found = ShuffledRandomizer(rows).distribution([dataset.count(x) for x in range(len(rows))])
    assert found == counted(shuffled_distribution(as_randomizer(rows), dataset), len(rows[0]))


@examples(15)
@given(rows=rows(fewest=1), n=st.integers(1, 3), exp_epsilon=st.fractions(1, 4, max_denominator=6))
def test_the_worst_pair_is_the_worst_of_all_neighbours(rows: list[list[Fraction]], n: int, exp_epsilon: Fraction) -> None:
    specified, inputs = as_randomizer(rows), range(len(rows))
    all_of_them = [
        hockey_stick(
            shuffled_distribution(specified, [*others, x]), shuffled_distribution(specified, [*others, y]), exp_epsilon=exp_epsilon
        )
        for others in combinations_with_replacement(inputs, n - 1)
        for x, y in permutations(inputs, 2)
    ]
    randomizer = ShuffledRandomizer(rows)
    found = randomizer.worst_pair(n=n, exp_epsilon=exp_epsilon)
    assert found.delta == max(all_of_them)
    others = list(found.dataset)
    others[found.changed[0]] -= 1
    assert randomizer.delta(others, changed=found.changed, exp_epsilon=exp_epsilon) == found.delta


def rows_of_k_rr(k: int, T: Fraction) -> list[list[Fraction]]:
    law = k_rr(k=k, exp_epsilon0=T).distribution
    return [[law(x)[y] for y in range(k)] for x in range(k)]


def test_a_distribution_of_forty_users_over_four_outcomes_sums_to_one() -> None:
    law = ShuffledRandomizer(rows_of_k_rr(4, Fraction(3))).distribution([10, 10, 10, 10])
    assert len(law) == math.comb(43, 3)
    assert sum(law.values()) == 1


def test_one_outcome_reveals_nothing() -> None:
    one = ShuffledRandomizer([[Fraction(1)], [Fraction(1)]])
    assert one.distribution([2, 1]) == {(3,): 1}
    assert one.worst_pair(n=3, exp_epsilon=Fraction(1)).delta == 0


@pytest.mark.parametrize("rows", [[], [[]], [[Fraction(1, 2)]], [[Fraction(1)], [Fraction(1), Fraction(0)]], [[Fraction(-1), Fraction(2)]]])
def test_what_is_no_randomizer_is_refused(rows: list[list[Fraction]]) -> None:
    with pytest.raises(DomainError, match="rows"):
        ShuffledRandomizer(rows)


def test_what_costs_too_much_is_refused_before_it_starts() -> None:
    big = ShuffledRandomizer(rows_of_k_rr(4, Fraction(2)))
    with pytest.raises(ResourceLimitError):
        big.distribution([1000, 0, 0, 0])
    with pytest.raises(ResourceLimitError):
        big.worst_pair(n=100, exp_epsilon=Fraction(1))
    with pytest.raises(DomainError, match="dataset"):
        big.distribution([1, 2])
    with pytest.raises(DomainError, match="exp_epsilon"):
        big.worst_pair(n=2, exp_epsilon=Fraction(1, 2))


@given(st.integers(0, 6), st.data())
def test_the_transform_is_sympys_exact_one(power: int, data) -> None:
    vector = data.draw(st.lists(st.integers(-(10**9), 10**9), min_size=1 << power, max_size=1 << power))
    assert fast_walsh_hadamard(np.array(vector)).tolist() == [int(entry) for entry in fwht(vector)]


def test_the_transform_works_on_every_row_and_twice_is_times_the_length() -> None:
    rows = np.arange(64).reshape(4, 16)
    assert (fast_walsh_hadamard(fast_walsh_hadamard(rows)) == 16 * rows).all()
    with pytest.raises(DomainError, match="power of two"):
        fast_walsh_hadamard(np.arange(3))


LARGEST_REFUSED_SHARE = Fraction(1, 10)


def agreement(seed: int, cases: int, record_property: Callable[[str, object], None]) -> None:
    found = cross_checks.fast_against_balls(cases=cases, seed=seed)
    record_property("refused_share", str(found.refused_share))
    assert found.failures == ()
    assert found.cases + found.refused == cases
    assert found.refused_share < LARGEST_REFUSED_SHARE


def test_float64_sides_hold(record_property: Callable[[str, object], None]) -> None:
    """n log-uniform up to 10^9, eps0 in [0, 700], delta down to 1e-300, eps near both ends; `verify` draws 300 sets more."""
    agreement(0, 60, record_property)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_float64_sides_hold_on_a_hundred_thousand_sets(seed: int, record_property: Callable[[str, object], None]) -> None:
    agreement(seed, 1000, record_property)
