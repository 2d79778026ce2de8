"""The search for an epsilon stops near its target, on the side that it may claim."""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from shuffleproof.impl.fast.bounds.swap import search
from shuffleproof.spec.vocabulary.numerals import float_toward

_NEAR = 2e-3
"""Of ln delta."""


def _falls(x: Fraction) -> float:
    return math.exp(-8 - 30 * float(x) - 900 * float(x) ** 2)


def _guessed(x: Fraction) -> float:
    return 1.5 + 0.97 * math.log(_falls(x))


def _recorded(function: Callable[[Fraction], float]) -> tuple[Callable[[Fraction], float], list[float]]:
    """The same function, and the values that it has given."""
    values: list[float] = []

    def asked(x: Fraction) -> float:
        values.append(function(x))
        return values[-1]

    return asked, values


@pytest.mark.parametrize("target", ["1e-5", "1e-6", "1e-12", "1e-40"])
def test_both_searches_stop_near_the_target(target: str) -> None:
    wanted, last = Fraction(target), Fraction(1)
    upper = search.least(_falls, _guessed, wanted, last)
    lower = search.largest(_falls, _guessed, wanted, last, Fraction(0))
    assert _falls(lower) > wanted >= _falls(upper)
    assert math.log(_falls(lower)) - _NEAR < math.log(wanted) < math.log(_falls(upper)) + _NEAR


@pytest.mark.parametrize("name", ["", "_CLOSE", "_AIMED"])
def test_a_search_that_stops_far_from_its_target_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guesses are off by a hundredth. Mutants: each of these ten times as large."""
    if name:
        monkeypatch.setattr(search, name, 10 * getattr(search, name))
    found = search.largest(_falls, lambda x: math.log(_falls(x)) - 0.01, Fraction("1e-6"), Fraction(1), Fraction(0))
    assert (math.log(_falls(found)) - _NEAR > math.log(1e-6)) is bool(name)


@pytest.mark.parametrize(("target", "guesses"), [("1e-5", 22), ("1e-6", 22), ("1e-12", 22), ("1e-40", 17)])
def test_both_searches_ask_for_delta_three_times_and_guess_by_secants(target: str, guesses: int) -> None:
    """Each delta is a tenth of a second or more; halving alone would guess some thirty times for each of them."""
    for find, more in ((search.least, ()), (search.largest, (Fraction(0),))):
        (falls, asked), (guessed, guessed_at) = _recorded(_falls), _recorded(_guessed)
        find(falls, guessed, Fraction(target), Fraction(1), *more)
        assert len(asked) == 3
        assert len(guessed_at) <= guesses


def test_where_guesses_are_of_the_sums_themselves_one_value_is_asked() -> None:
    falls, asked = _recorded(lambda x: _falls(x) * (1 + 1e-6))
    found = search.least(falls, lambda x: math.log(_falls(x)), Fraction("1e-6"), Fraction(1), at_last=0.0)
    assert len(asked) == 1
    assert 1e-6 * (1 - 1e-4) < _falls(found) < asked[0] <= 1e-6


def test_where_guesses_are_near_one_value_on_either_side_is_asked() -> None:
    """Mutant: a chord that ends at the upper value, or none."""
    falls, asked = _recorded(_falls)
    found = search.least(falls, lambda x: 0.1 + math.log(_falls(x)), Fraction("1e-6"), Fraction(1), more_at=lambda _: -0.1, at_last=0.0)
    assert len(asked) == 2
    assert asked[1] < 1e-6 < asked[0]
    assert 1e-6 * (1 - 1e-6) < _falls(found) <= 1e-6


def test_where_delta_is_as_large_as_the_target_up_to_the_last_epsilon_the_search_goes_on() -> None:
    """Mutant: it ends after one value, near the last epsilon."""
    target = Fraction("1e-6")
    found = search.least(_falls, lambda x: 0.1 + math.log(_falls(x)), target, Fraction(1), more_at=lambda _: -0.1, at_last=float(target))
    assert 1e-6 * (1 - 1e-6) < _falls(found) <= 1e-6


def test_where_delta_hardly_moves_the_search_goes_on() -> None:
    """Mutant: a secant of what hardly falls points out of the floats."""
    assert search.least(lambda x: 9e-6 - 1e-14 * float(x), lambda x: -11 - 5 * float(x), Fraction("1e-5"), Fraction(1), at_last=1e-9) < 0.1


def test_of_all_chords_the_lowest_is_taken() -> None:
    """A bound on (2 - e^x)/2, which it is but from 0.2 to 0.6. Mutant: the chord between the two nearest, at 0.51."""

    def jumps(x: Fraction) -> float:
        return (2 - math.exp(x)) / 2 * (1 if x < 0.2 or x > 0.6 else 1.2)

    found = search.least(jumps, lambda _: -1.0, Fraction(1, 5), Fraction("0.69"), at_last=0.01)
    assert math.log(1.6) <= found < 0.48


@pytest.mark.parametrize(
    ("guess", "expected"), [(0.5, [math.exp(-2), 1e-9]), (1e-300, [math.exp(-667), 1e-9]), (2e-9, [2e-9]), (4e-8, [4e-8, 1e-9])]
)
def test_delta_is_asked_again_where_the_guess_was_far(guess: float, expected: list[float]) -> None:
    """What comes out is the least of the answers, each of which is a bound."""
    asked: list[float] = []

    def delta_at(wanted: float) -> float:
        asked.append(wanted)
        return 1e-9 * (1 + wanted)

    found = search.settled(delta_at, guess)
    assert asked == pytest.approx(expected, rel=0.2)
    assert found == min(1e-9 * (1 + wanted) for wanted in asked)


@pytest.mark.parametrize("slope", [Fraction(1, 1000), Fraction(1, 2)])
def test_between_two_values_delta_is_where_the_chord_in_the_exponential_says(slope: Fraction) -> None:
    """Delta is linear in e^epsilon here, so that nothing is to spare. Mutants: a chord in epsilon, and one that goes on from below."""

    def line(x: Fraction) -> float:
        return float_toward(slope * (3 - exact_exponential(x)), direction="up")

    target = slope * Fraction(7, 5)
    found = search.least(line, lambda x: math.log(line(x)) + 0.3 * math.sin(40 * float(x)), target, Fraction(1))
    assert target * Fraction(999_999, 10**6) < slope * (3 - exact_exponential(found)) <= target


@pytest.mark.parametrize("apart", ["1/1000", "1", "30", "230", "690"])
@pytest.mark.parametrize("left", ["9/10", "1e-9", "6e-16", "1e-17"])
def test_a_chord_is_followed_no_farther_than_it_is_known(apart: str, left: str) -> None:
    """Digits cancel where the upper value is next to the target, and epsilons are far apart. Mutant: by one logarithm for all."""
    share, far = 1 - Fraction(left), Fraction(apart)
    with localcontext() as context:
        context.prec = 400
        below_one = 1 - exact_exponential(-far, digits=400)
        truth = Fraction(-(1 - Decimal(share.numerator) / share.denominator * Decimal(below_one.numerator) / below_one.denominator).ln())
    assert truth * (1 - Fraction(1, 10**11)) <= search._fallen(far, share) <= truth


def exact_exponential(x: Fraction, *, digits: int = 50) -> Fraction:
    """Return e^x to so many digits."""
    with localcontext() as context:
        context.prec = digits
        return Fraction((Decimal(x.numerator) / Decimal(x.denominator)).exp())
