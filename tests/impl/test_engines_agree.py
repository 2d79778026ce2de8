"""float64 against balls over the whole stated range of float64, and how often float64 declines; the deep run draws 100,000 sets."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from shuffleproof.spec.vocabulary.methods.randomizer_laws import OPTIMAL_PAIR
from shuffleproof.verification import cross_checks

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


def test_an_end_that_is_moved_past_the_truth_is_found() -> None:
    own = {"n": 300, "p": 4, "beta": Fraction(1, 4), "q": 5}
    fast, certified = (cross_checks._engine(OPTIMAL_PAIR, "fast", "epsilon"), cross_checks._engine(OPTIMAL_PAIR, "ball", "delta"))
    found = fast(**own, delta="1e-6")
    assert not cross_checks.wrong_ends(found, certified_delta=certified, delta=Fraction(1, 10**6), **own)
    moved = replace(found, lower=found.lower * Fraction(999, 1000), upper=found.lower * Fraction(9999, 10000))
    assert "below the truth" in cross_checks.wrong_ends(moved, certified_delta=certified, delta=Fraction(1, 10**6), **own)[0]
    moved = replace(found, lower=found.upper * Fraction(10001, 10000), upper=found.upper * Fraction(1001, 1000))
    assert "above the truth" in cross_checks.wrong_ends(moved, certified_delta=certified, delta=Fraction(1, 10**6), **own)[0]
