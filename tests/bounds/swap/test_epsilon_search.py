"""The search for an epsilon stops near its target, on the side that it may claim."""

import math
from fractions import Fraction

import pytest

from shuffleproof.impl.fast.bounds.swap import search

_NEAR = 2e-3
"""Of ln delta."""


def _falls(x: Fraction) -> float:
    return math.exp(-8 - 30 * float(x) - 900 * float(x) ** 2)


def _guessed(x: Fraction) -> float:
    return 1.5 + 0.97 * math.log(_falls(x))


@pytest.mark.parametrize("target", ["1e-5", "1e-6", "1e-12", "1e-40"])
def test_both_searches_stop_near_the_target(target: str) -> None:
    wanted, last = Fraction(target), Fraction(1)
    upper = search.least(_falls, _guessed, wanted, last)
    lower = search.largest(_falls, _guessed, wanted, last, Fraction(0))
    assert _falls(lower) > wanted >= _falls(upper)
    assert math.log(_falls(lower)) - _NEAR < math.log(wanted) < math.log(_falls(upper)) + _NEAR


def test_a_search_that_stops_far_from_its_target_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutant: ten times as far."""
    monkeypatch.setattr(search, "_CLOSE", 2e-2)
    monkeypatch.setattr(search, "_AIMED", 5e-3)
    assert math.log(_falls(search.least(_falls, _guessed, Fraction("1e-6"), Fraction(1)))) + _NEAR < math.log(1e-6)
