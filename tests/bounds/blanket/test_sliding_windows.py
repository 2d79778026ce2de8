"""Mechanisms with sliding windows: all datasets of numbers on a fine grid lie below the bounds, which continuous inputs do not move."""

from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet

import shuffleproof as sp
from shuffleproof.impl.ball.bounds.blanket import any_distribution
from shuffleproof.impl.ball.bounds.lower import randomizer_lower
from shuffleproof.impl.ball.numeric.arithmetic import precision, weights_of
from shuffleproof.impl.exact.shuffled_distribution import ShuffledRandomizer
from shuffleproof.impl.fast.bounds.blanket import any_distribution as in_floats
from shuffleproof.impl.fast.bounds.swap import another_place
from shuffleproof.spec.bounds.blanket import any_distribution as exact
from shuffleproof.spec.bounds.lower import randomizer_lower as exact_lower
from shuffleproof.spec.randomizers.piecewise import Piecewise
from shuffleproof.spec.randomizers.sliding_window import SlidingWindow, sliding_window
from shuffleproof.spec.randomizers.square_wave import SquareWave
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.likelihoods import output_classes
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import named

PIECEWISE = named("piecewise")
CASES: tuple[tuple[NamedRandomizer, Fraction, Fraction, Fraction], ...] = (
    (PIECEWISE, Fraction(9, 4), Fraction(1), Fraction(3, 2)),
    (PIECEWISE, Fraction(25, 4), Fraction(1), Fraction(5, 2)),
    (named("square-wave", radius="2/5"), Fraction(2), Fraction(4, 5), Fraction(1)),
    (named("square-wave", radius="1/5"), Fraction(5), Fraction(2, 5), Fraction(1)),
)
"""Records, e^epsilon0, and the windows and ways of their scaled forms, which the declarations have as expressions."""


@pytest.mark.parametrize(("randomizer", "T", "window", "way"), CASES)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_no_dataset_of_numbers_on_a_fine_grid_is_above_the_bound_for_all_numbers(
    randomizer: NamedRandomizer, T: Fraction, window: Fraction, way: Fraction, n: int
) -> None:
    parts = 8 if n < 3 else 5
    places = tuple(way * Fraction(j, parts) for j in range(parts + 1))
    law = sliding_window(window=window, way=way, exp_epsilon0=T, places=places)
    outcomes = law.messages
    shuffled = ShuffledRandomizer([[law.distribution(x)[y] for y in outcomes] for x in law.domain])
    for E in (Fraction(1), Fraction(6, 5)):
        asked: dict[str, Any] = {"n": n, "randomizer": randomizer, "epsilon0": f"ln {T}", "epsilon": f"ln {E}"}
        truth = shuffled.worst_pair(n=n, exp_epsilon=E).delta
        assert 0 < truth <= exact.delta(**asked).upper
        assert exact.delta(**asked, view="below").upper <= exact.delta(**asked).upper


@pytest.mark.parametrize(("randomizer", "T", "window", "way"), CASES)
def test_the_engines_enclose_the_exact_values(randomizer: NamedRandomizer, T: Fraction, window: Fraction, way: Fraction) -> None:
    asked: dict[str, Any] = {"n": 4, "randomizer": randomizer, "epsilon0": f"ln {T}", "epsilon": "ln 6/5"}
    for view in ("above", "below"):
        truth = exact.delta(**asked, view=view).upper
        for found in (any_distribution.delta(**asked, view=view, digits=3), in_floats.delta(**asked, view=view)):
            assert found.lower <= truth <= found.upper
    lower = randomizer_lower.delta(**asked, digits=9)
    assert lower.lower <= exact_lower.delta(**asked).upper <= lower.upper


@pytest.mark.parametrize("randomizer", [PIECEWISE, named("square-wave")])
@pytest.mark.parametrize("epsilon0", ["1e-30", "1e-9", "2", "60"])
def test_digits_that_cancel_at_a_small_epsilon0_are_there_again(randomizer: NamedRandomizer, epsilon0: str) -> None:
    """Float64 and balls agree on a bracket that stays in order from the least epsilon0 to a large one."""
    target = min(parse_epsilon(epsilon0).bounds(bits=32)[0] / 1000, Fraction(1, 10**6))
    asked: dict[str, Any] = {"n": 2, "randomizer": randomizer, "epsilon0": epsilon0, "delta": target}
    one, other = in_floats.epsilon(**asked), any_distribution.epsilon(**asked, digits=3)
    assert meet(one, other)
    assert in_floats.epsilon(**asked, view="below").lower <= one.upper


def test_the_swap_bound_takes_the_whole_blanket_and_tends_to_what_datasets_reach() -> None:
    asked: dict[str, Any] = {"n": 10**7, "randomizer": PIECEWISE, "epsilon0": 1, "delta": "1e-6"}
    upper, lower = another_place.epsilon(**asked).upper, in_floats.epsilon(**asked, view="below").lower
    assert lower <= upper <= lower * Fraction(103, 100)


def test_the_object_is_bracketed() -> None:
    bracket = sp.shuffled(sp.Piecewise(epsilon0=2), n=1000).epsilon(delta="1e-6")
    assert bracket.upper.upper <= bracket.lower.lower * Fraction(101, 100)
    assert "BEYOND.sliding-windows" in bracket.upper.also
    with pytest.raises(DomainError):
        sp.epsilon(n=10, randomizer="piecewise", k=3, epsilon0=1, delta="1e-6")


@pytest.mark.parametrize(
    ("record", "epsilon0", "said"),
    [
        *((SquareWave(), epsilon0, said) for epsilon0, said in (("1", False), ("1.03", False), ("1.1", True), ("20", True))),
        *((Piecewise(), epsilon0, said) for epsilon0, said in (("1.38", False), ("1.39", True))),  # 2 ln 2 = 1.386
    ],
)
def test_three_windows_are_said_to_be_disjoint_only_where_they_are(record: SlidingWindow, epsilon0: str, said: bool) -> None:
    at = parse_epsilon(epsilon0)
    with precision(128):
        window, way = weights_of(output_classes((record.window, 1, 0, 0), (record.way, 0, 0, 0)), at)
        disjoint = bool(2 * window < way)
    assert (record.holds_three(at), disjoint) == (said, said)
