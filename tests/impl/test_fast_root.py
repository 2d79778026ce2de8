"""Searches for epsilon: whatever the guess, both ends are decided by the sides of delta; and chords of the profile between them."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st
from mpmath import mp, mpf
from strategies import examples

from shuffleproof.impl.fast.numeric import root
from shuffleproof.impl.fast.numeric.root import Evaluate, solve
from shuffleproof.spec.vocabulary.asking import Found

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


def run(evaluate: Evaluate, *, target: float | Fraction, guess: float, slope: float, tolerance: float = 1e-9, **options: Any) -> Found:
    return solve(evaluate, target=Fraction(target), top=Fraction(TOP), last=LAST, guess=guess, slope=slope, tolerance=tolerance, **options)


def counted(evaluate: Evaluate, most: int = 1000) -> tuple[Evaluate, list[float]]:
    """The same sides, at most so many times, and where they were asked for."""
    probes: list[float] = []

    def asked(x: float) -> tuple[float, float]:
        probes.append(x)
        assert len(probes) <= most
        return evaluate(x)

    return asked, probes


def ends_are_certain(root: Found, evaluate: Evaluate, target: float) -> bool:
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
    evaluate, probes = counted(with_noise(PROFILES["gaussian"], 1e-12))
    exact = run(with_noise(PROFILES["gaussian"], 0.0), target=1e-6, guess=0.5, slope=-50.0, tolerance=1e-14)
    run(evaluate, target=1e-6, guess=float(exact.upper) * (1 + 1e-4), slope=-48.0)
    assert len(probes) <= 6


@pytest.mark.parametrize("target", [0.9, math.nextafter(0.9, 1.0), math.nextafter(0.9, 0.0)])
@pytest.mark.parametrize("guess", [-1e-20, -1.0, 0.0, 1e-20])
def test_below_zero_nothing_is_probed_and_the_search_ends(target: float, guess: float) -> None:
    """With the root at 0 or beside it, a guess and Newton's steps fall below 0."""
    evaluate, probed = counted(with_noise(PROFILES["straight"], 1e-16))
    root = run(evaluate, target=target, guess=guess, slope=-1 / TOP)
    assert min(probed) >= 0
    assert 0 <= root.lower <= root.upper < 1e-6


@pytest.mark.parametrize("guess", [0.0, 0.9, 2.5])
@pytest.mark.parametrize("convex", [False, True])
@pytest.mark.parametrize("target", [0.5, 0.7, 0.9 - 1e-9])
def test_where_the_sides_say_nothing_the_search_stops(guess: float, convex: bool, target: float) -> None:
    """Below 1.5, and so at the root: with nothing to be seen at 0, and where only the end of that region is left."""
    evaluate, _ = counted(lambda x: (0.0, 1.0) if x < 1.5 else with_noise(PROFILES["straight"], 1e-9)(x), most=80)
    root = run(evaluate, target=target, guess=guess, slope=-1.0, tolerance=4e-7, doubt=5e-4, convex=convex)
    assert (root.lower, root.lower_certified) == (0, False)
    assert Fraction(3, 2) <= root.upper <= Fraction(3, 2) * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize("guess", [0.5, 2.0, LAST])
@pytest.mark.parametrize("convex", [False, True])
def test_a_lower_end_is_found_where_the_sides_say_nothing_next_to_the_root_and_beyond(guess: float, convex: bool) -> None:
    evaluate, _ = counted(lambda x: with_noise(PROFILES["straight"], 1e-9)(x) if x < 2.9 else (0.0, 0.1 * (TOP - x)), most=80)
    root = run(evaluate, target=1e-6, guess=guess, slope=-1.0, tolerance=4e-7, convex=convex)
    assert ends_are_certain(root, evaluate, 1e-6)
    assert root.lower > 2


def test_without_noise_the_search_leaves_zero() -> None:
    """As a float the target is delta(0), which is above it all the same."""
    evaluate, _ = counted(with_noise(PROFILES["straight"], 0.0), most=80)
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
    evaluate, probes = counted(lambda x: (math.exp(-10 * x) * 0.9 if x < 1 else 0.0, math.exp(-10 * x)))
    root = run(evaluate, target=1e-9, guess=2.9, slope=-1.0, tolerance=1e-6)
    assert ends_are_certain(root, evaluate, 1e-9)
    assert len(probes) < 40
    assert 0.8 < root.lower < 1
    assert 0 < root.upper - Fraction(math.log(1e9) / 10) < 1e-5


Profile = Callable[[float], float]
PROFILES_CHORD: dict[str, Profile] = {  # convex in e^x
    "linear in e^x": lambda x: 0.9 * (math.exp(TOP) - math.exp(x)) / math.expm1(TOP),
    "kinked": lambda x: max(0.5 * (1 - math.expm1(x) / math.expm1(0.4)), 0.1 * (1 - math.expm1(x) / math.expm1(TOP)), 0.0),
    "gaussian": lambda x: 0.3 * math.exp(-40 * x * x - 5 * x),
    "steep": lambda x: 0.3 * math.exp(-300 * x),
}
TARGETS = {name: (1e-3, 0.2) if name in ("kinked", "linear in e^x") else (1e-12, 1e-3, 0.2) for name in PROFILES_CHORD}
"""Of those that fall to 0, floats are no convex function near the end."""


def run_chord(
    profile: Profile, *, target: float, guess: float, slope: float, noise: float = 0.0, tolerance: float = 1e-7
) -> tuple[Found, int]:
    evaluate, probes = counted(with_noise(profile, noise))
    options = {"doubt": 5e-4, "caution": 0.75, "convex": True}
    return run(evaluate, target=target, guess=guess, slope=slope, tolerance=tolerance, **options), len(probes)


def true_root(profile: Profile, target: float) -> float:
    low, high = 0.0, TOP
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if profile(middle) > target else (low, middle)
    return high


@pytest.mark.parametrize(("name", "target"), [(name, target) for name in PROFILES_CHORD for target in TARGETS[name]])
@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-5])
@pytest.mark.parametrize("off", [-0.3, -1e-3, 1e-6, 1e-3, 0.1, 0.8])
def test_the_root_lies_between_the_ends(name: str, noise: float, target: float, off: float) -> None:
    profile = PROFILES_CHORD[name]
    truth = true_root(profile, target)
    found, _ = run_chord(profile, target=target, guess=truth * (1 + off), slope=-2 / truth, noise=noise)
    assert found.lower < Fraction(truth) * (1 + Fraction(1, 10**14))
    assert found.upper > Fraction(truth) * (1 - Fraction(1, 10**14))
    assert profile(float(found.upper)) <= target * (1 + 1e-13)
    if name != "kinked":
        assert found.upper - found.lower < Fraction(truth) * Fraction(4 * 1e-7 + 20 * noise)


def test_two_probes_are_enough_from_a_guess_just_above_the_root() -> None:
    profile = PROFILES_CHORD["gaussian"]
    truth = true_root(profile, 1e-6)
    found, probes = run_chord(profile, target=1e-6, guess=truth * (1 + 2e-5), slope=-80 * truth - 5)
    assert probes == 2
    assert found.upper - found.lower < Fraction(2e-7) * Fraction(truth)


def test_a_chord_in_x_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile that is linear in e^x lies above every chord in x."""
    profile, target = PROFILES_CHORD["linear in e^x"], 0.2
    truth = true_root(profile, target)

    def in_x(self: root._Bracket, noise: float) -> None:
        if self.low is not None and self.high is not None:
            way = (self.above_low - self.problem.target) / (self.above_low - self.above_high)
            self.high = float(Fraction(self.low) + way * (Fraction(self.high) - Fraction(self.low)))

    for changed in (False, True):
        with monkeypatch.context() as patched:
            if changed:
                patched.setattr(root._Bracket, "lower_by_chord", in_x)
            ends = [
                run_chord(profile, target=target, guess=truth * (1 + off), slope=-1.0, tolerance=1e-2)[0] for off in (0.05, 0.01, 0.003)
            ]
        assert all(profile(float(found.upper)) <= target * (1 + 1e-13) for found in ends) != changed


def test_a_chord_of_lower_sides_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """delta(upper) is known to within the noise only, so that its upper side must be at most the target."""
    profile, target, noise = PROFILES_CHORD["linear in e^x"], 0.2, 1e-3
    truth = true_root(profile, target)
    before = root._Bracket.lower_by_chord

    def of_lower_sides(self: root._Bracket, believed: float) -> None:
        kept = self.above_low, self.above_high
        self.above_low, self.above_high = (each * (1 - 2 * Fraction(noise)) for each in kept)
        before(self, believed)
        self.above_low, self.above_high = kept

    def sure(changed: bool) -> bool:
        with monkeypatch.context() as patched:
            if changed:
                patched.setattr(root._Bracket, "lower_by_chord", of_lower_sides)
            found, _ = run_chord(profile, target=target, guess=truth * 1.01, slope=-0.1, noise=noise)
        return profile(float(found.upper)) * (1 + noise) <= target * (1 + 1e-13)

    assert sure(False)
    assert not sure(True)


@examples(200)
@given(st.floats(0.0, 2.0), st.floats(1e-9, 0.999), st.floats(1e-6, 1.0))
def test_how_far_the_chord_has_gone_down(low: float, part: float, h: float) -> None:
    """(e^(t h) - 1)/(e^h - 1) >= t/(1 + h) for h <= 1, so that the chord is at the target no later than where it is said to be."""
    high = low + h
    problem = root._Problem(lambda _: (0.5, 0.5), Fraction(1, 2), Fraction(9), 8.9, 1e-9, 0.75, True)
    bracket = root._Bracket(problem, low, high, Fraction(1, 2) + Fraction(part) / 4, Fraction(1, 4))
    bracket.lower_by_chord(0.0)
    with mp.workdps(60):
        gone = (mp.exp(bracket.high) - mp.exp(low)) / (mp.exp(high) - mp.exp(low))
        assert mpf(1) / 2 + mpf(part) / 4 - gone * (mpf(1) / 4 + mpf(part) / 4) <= mpf(1) / 2
