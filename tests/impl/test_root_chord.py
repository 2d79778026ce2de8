"""Upper ends of epsilon shown by a chord of the convex profile: certain, close, cheap, and what notices a wrong chord."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf
from strategies import examples

from shuffleproof.impl.fast.numeric import root
from shuffleproof.impl.fast.numeric.root import Root, solve

TOP = 3.0
Profile = Callable[[float], float]
PROFILES: dict[str, Profile] = {  # convex in e^x
    "linear in e^x": lambda x: 0.9 * (math.exp(TOP) - math.exp(x)) / math.expm1(TOP),
    "kinked": lambda x: max(0.5 * (1 - math.expm1(x) / math.expm1(0.4)), 0.1 * (1 - math.expm1(x) / math.expm1(TOP)), 0.0),
    "gaussian": lambda x: 0.3 * math.exp(-40 * x * x - 5 * x),
    "steep": lambda x: 0.3 * math.exp(-300 * x),
}
TARGETS = {name: (1e-3, 0.2) if name in ("kinked", "linear in e^x") else (1e-12, 1e-3, 0.2) for name in PROFILES}
"""Of those that fall to 0, floats are no convex function near the end."""


def run(profile: Profile, *, target: float, guess: float, slope: float, noise: float = 0.0, tolerance: float = 1e-7) -> tuple[Root, int]:
    probes = []

    def evaluate(x: float) -> tuple[float, float]:
        probes.append(x)
        value = profile(x)
        return value * (1 - noise), value * (1 + noise)

    last = math.nextafter(TOP, 0.0)
    found = solve(
        evaluate,
        target=Fraction(target),
        top=Fraction(TOP),
        last=last,
        guess=guess,
        slope=slope,
        tolerance=tolerance,
        doubt=5e-4,
        caution=0.75,
        convex=True,
    )
    return found, len(probes)


def true_root(profile: Profile, target: float) -> float:
    low, high = 0.0, TOP
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if profile(middle) > target else (low, middle)
    return high


@pytest.mark.parametrize(("name", "target"), [(name, target) for name in PROFILES for target in TARGETS[name]])
@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-5])
@pytest.mark.parametrize("off", [-0.3, -1e-3, 1e-6, 1e-3, 0.1, 0.8])
def test_the_root_lies_between_the_ends(name: str, noise: float, target: float, off: float) -> None:
    profile = PROFILES[name]
    truth = true_root(profile, target)
    found, _ = run(profile, target=target, guess=truth * (1 + off), slope=-2 / truth, noise=noise)
    assert found.lower < Fraction(truth) * (1 + Fraction(1, 10**14))
    assert found.upper > Fraction(truth) * (1 - Fraction(1, 10**14))
    assert profile(float(found.upper)) <= target * (1 + 1e-13)
    if name != "kinked":
        assert found.upper - found.lower < Fraction(truth) * Fraction(4 * 1e-7 + 20 * noise)


def test_two_probes_are_enough_from_a_guess_just_above_the_root() -> None:
    profile = PROFILES["gaussian"]
    truth = true_root(profile, 1e-6)
    found, probes = run(profile, target=1e-6, guess=truth * (1 + 2e-5), slope=-80 * truth - 5)
    assert probes == 2
    assert found.upper - found.lower < Fraction(2e-7) * Fraction(truth)


def certain(found: Root, profile: Profile, target: float) -> bool:
    """To within the rounding of these profiles."""
    return profile(float(found.upper)) <= target * (1 + 1e-13)


def test_a_chord_in_x_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile that is linear in e^x lies above every chord in x."""
    profile, target = PROFILES["linear in e^x"], 0.2
    truth = true_root(profile, target)

    def in_x(self: root._Bracket, noise: float) -> None:
        if self.low is not None and self.high is not None:
            way = (self.above_low - self.problem.target) / (self.above_low - self.above_high)
            self.high = float(Fraction(self.low) + way * (Fraction(self.high) - Fraction(self.low)))

    for changed in (False, True):
        with monkeypatch.context() as patched:
            if changed:
                patched.setattr(root._Bracket, "lower_by_chord", in_x)
            ends = [run(profile, target=target, guess=truth * (1 + off), slope=-1.0, tolerance=1e-2)[0] for off in (0.05, 0.01, 0.003)]
        assert all(certain(found, profile, target) for found in ends) != changed


def test_a_chord_of_lower_sides_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """delta(upper) is known to within the noise only, so that its upper side must be at most the target."""
    profile, target, noise = PROFILES["linear in e^x"], 0.2, 1e-3
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
            found, _ = run(profile, target=target, guess=truth * 1.01, slope=-0.1, noise=noise)
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
