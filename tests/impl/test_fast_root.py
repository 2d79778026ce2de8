"""The certified search for epsilon: whatever the guess, both ends are decided by the sides of delta and by nothing else."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from shuffleproof.impl.fast.numeric.root import Evaluate, Root, solve

TOP = 3.0
PROFILES: dict[str, Callable[[float], float]] = {
    "gaussian": lambda x: math.exp(-40 * x * x) * (1 - x / TOP),
    "steep": lambda x: 0.3 * math.exp(-300 * x) * (1 - x / TOP),
    "flat, then down at the end": lambda x: 1 - (x / TOP) ** 400,
    "straight": lambda x: 0.9 * (1 - x / TOP),
    "kinked": lambda x: max(0.5 - 0.4 * x, (1 - x / TOP) * 1e-3),
}


def with_noise(profile: Callable[[float], float], noise: float) -> Evaluate:
    return lambda x: (profile(x) * (1 - noise), profile(x) * (1 + noise))


LAST = math.nextafter(TOP, 0.0)


def run(evaluate: Evaluate, *, target: float | Fraction, guess: float, slope: float, tolerance: float = 1e-9, **options: Any) -> Root:
    return solve(evaluate, target=Fraction(target), top=Fraction(TOP), last=LAST, guess=guess, slope=slope, tolerance=tolerance, **options)


def ends_are_certain(root: Root, evaluate: Evaluate, target: float) -> bool:
    """delta(upper) <= target by its upper side, delta(lower) > target by its lower side."""
    above = root.upper == Fraction(TOP) or evaluate(float(root.upper))[1] <= target
    return above and (not root.lower_certified or evaluate(float(root.lower))[0] > target)


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("noise", [1e-13, 1e-9, 1e-3])
@pytest.mark.parametrize("target", [1e-290, 1e-12, 1e-3, 0.2, 0.4])
def test_both_ends_are_certain_and_close_for_every_guess(name: str, noise: float, target: float) -> None:
    evaluate = with_noise(PROFILES[name], noise)
    for guess, slope in ((0.3, -10.0), (0.0, -1.0), (1e300, -1e-300), (-1.0, 1.0), (math.nan, math.nan), (2.9999, -1e9)):
        root = run(evaluate, target=target, guess=guess, slope=slope)
        assert ends_are_certain(root, evaluate, target)
        if root.upper > 0 and name in ("gaussian", "steep", "straight") and noise < 1e-3:
            assert root.lower_certified
            assert root.upper - root.lower <= (Fraction(1, 10**6) + 200 * Fraction(noise)) * root.upper


def test_zero_is_the_root_only_if_the_upper_side_says_so() -> None:
    evaluate = with_noise(PROFILES["gaussian"], 1e-6)
    assert run(evaluate, target=1 - 1e-9, guess=0.1, slope=-1.0).upper > 0
    assert run(lambda x: (0.5 * PROFILES["gaussian"](x), 0.6 * PROFILES["gaussian"](x)), target=0.7, guess=0.1, slope=-1.0).upper == 0


def test_an_undecided_zero_leaves_the_lower_end_uncertified() -> None:
    evaluate = with_noise(PROFILES["gaussian"], 1e-6)
    root = run(evaluate, target=1.0 - 2.0**-40, guess=0.1, slope=-1.0)
    assert (root.lower, root.lower_certified) == (0, False)
    assert ends_are_certain(root, evaluate, 1.0 - 2.0**-40)
    assert 0 < root.upper < Fraction(1, 10)


@pytest.mark.parametrize("name", ["gaussian", "steep", "straight"])
def test_a_search_that_trusts_the_wrong_side_is_noticed(name: str) -> None:
    """The same check, on ends found from sides that are swapped."""
    evaluate = with_noise(PROFILES[name], 1e-4)
    swapped = run(lambda x: evaluate(x)[::-1], target=1e-6, guess=0.3, slope=-10.0)  # type: ignore[arg-type, return-value]
    assert not ends_are_certain(swapped, evaluate, 1e-6)


def test_the_search_needs_few_probes_from_a_good_guess() -> None:
    probes = []

    def evaluate(x: float) -> tuple[float, float]:
        probes.append(x)
        return with_noise(PROFILES["gaussian"], 1e-12)(x)

    exact = run(with_noise(PROFILES["gaussian"], 0.0), target=1e-6, guess=0.5, slope=-50.0, tolerance=1e-14)
    run(evaluate, target=1e-6, guess=float(exact.upper) * (1 + 1e-4), slope=-48.0)
    assert len(probes) <= 6


@pytest.mark.parametrize("target", [0.9, math.nextafter(0.9, 1.0), math.nextafter(0.9, 0.0)])
@pytest.mark.parametrize("guess", [-1e-20, -1.0, 0.0, 1e-20])
def test_below_zero_nothing_is_probed_and_the_search_ends(target: float, guess: float) -> None:
    """With the root at 0 or beside it, a guess and Newton's steps fall below 0."""
    evaluate, probed = with_noise(PROFILES["straight"], 1e-16), []

    def recorded(x: float) -> tuple[float, float]:
        probed.append(x)
        assert len(probed) < 1000
        return evaluate(x)

    root = run(recorded, target=target, guess=guess, slope=-1 / TOP)
    assert min(probed) >= 0
    assert 0 <= root.lower <= root.upper < 1e-6


@pytest.mark.parametrize("guess", [0.0, 0.9, 2.5])
@pytest.mark.parametrize("convex", [False, True])
@pytest.mark.parametrize("target", [0.5, 0.7, 0.9 - 1e-9])
def test_where_the_sides_say_nothing_the_search_stops(guess: float, convex: bool, target: float) -> None:
    """Below 1.5, and so at the root: with nothing to be seen at 0, and where only the end of that region is left."""
    probes = []

    def evaluate(x: float) -> tuple[float, float]:
        probes.append(x)
        assert len(probes) <= 80
        return (0.0, 1.0) if x < 1.5 else with_noise(PROFILES["straight"], 1e-9)(x)

    root = run(evaluate, target=target, guess=guess, slope=-1.0, tolerance=4e-7, doubt=5e-4, convex=convex)
    assert (root.lower, root.lower_certified) == (0, False)
    assert Fraction(3, 2) <= root.upper <= Fraction(3, 2) * (1 + Fraction(1, 10**6))


def test_without_noise_the_search_leaves_zero() -> None:
    """As a float the target is delta(0), which is above it all the same."""
    probes = []

    def evaluate(x: float) -> tuple[float, float]:
        probes.append(x)
        assert len(probes) <= 80
        return (PROFILES["straight"](x),) * 2

    target = Fraction(PROFILES["straight"](0.0)) - Fraction(1, 10**30)
    root = run(evaluate, target=target, guess=0.0, slope=-1.0)
    assert root.lower_certified
    assert root.upper < Fraction(1, 10**10)


@pytest.mark.parametrize("target", [1e-7, 1e-9, 1e-12, 1e-15])
@pytest.mark.parametrize("noise", [1e-9, 0.1])
def test_nothing_is_probed_beyond_the_last_float(target: float, noise: float) -> None:
    """Near the end a slope from far away shows the root beyond it."""

    def evaluate(x: float) -> tuple[float, float]:
        assert 0 <= x <= LAST
        return with_noise(lambda x: -1e-3 * math.expm1(x - TOP), noise)(x)

    for guess in (0.0, 1e-6, 0.5, 2.0, 2.9999, 2.9999999):
        for slope in (-1e-3, -1 / TOP, -10.0, -1e4):
            for doubt in (5e-4, 0.05, 1.0):
                options = {"doubt": doubt, "caution": 0.75, "convex": True}
                root = run(evaluate, target=target, guess=guess, slope=slope, tolerance=4e-7, **options)
                assert ends_are_certain(root, evaluate, target)


def test_what_sides_leave_open_above_a_certain_end_is_not_halved_down_to_neighbouring_floats() -> None:
    """Below 1 both sides decide, above it the lower one is 0: 200 probes before, each half a second for Gaussian noise."""
    probes: list[float] = []

    def evaluate(x: float) -> tuple[float, float]:
        probes.append(x)
        above = math.exp(-10 * x)
        return (above * 0.9 if x < 1 else 0.0), above

    root = run(evaluate, target=1e-9, guess=2.9, slope=-1.0, tolerance=1e-6)
    assert ends_are_certain(root, evaluate, 1e-9)
    assert len(probes) < 40
    assert 0.8 < root.lower < 1
    assert 0 < root.upper - Fraction(math.log(1e9) / 10) < 1e-5
