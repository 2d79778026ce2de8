"""Every engine of every method against exact arithmetic, where that answers: parameters drawn at random, and corners that once hurt."""

import random
from fractions import Fraction
from typing import Any, get_args

import pytest
from strategies import DEEP, TIMES_DEEPER, logarithm

from shuffleproof.methods import METHODS, carried_out, engines_for
from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.errors import RegimeError, UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import LEAKING_RESPONSE
from shuffleproof.spec.vocabulary.numerals import INFINITE, parse_epsilon
from shuffleproof.verification.cross_checks import contradictions
from shuffleproof.verification.drawn_parameters import MOST_DIGITS, small

DIGITS = 20
CASES = 30
DRAWN = {("clones", "epsilon"): 310}
"""Of what most users ask, how many are drawn."""
WIDE = {"bit-sum", "coordinate-sums", "asymmetric-coordinate-sums", "k-rr-exhaustive", "real-sum-tagged"}
"""Whose balls are not promised to be close: elsewhere they are by the digits that are asked of them."""
FLOATS: dict[str, tuple[float, float]] = {
    "asymmetric-coordinate-sums": (0.05, 0.05),
    "binomial-sum": (1e-12, 2e-9),
    "bit-sum": (1e-12, 1e-3),
    "blanket": (1e-4, 1e-6),
    "clones": (1e-12, 1e-9),
    "coordinate-sums": (2e-3, 1e-3),
    "discrete-gaussian-sum": (0.1, 0.01),
    "fake-users": (1e-12, 1e-3),
    "homogeneous": (1e-4, 1e-6),
    "k-rr-exhaustive": (1e-12, 1e-3),
    "laplace-sum": (1e-11, 1e-9),
    "optimal-pair": (1e-5, 1e-6),  # sums that are 0 are off by up to a step of the grid, where no unit puts them on it
    "randomizer-pair": (1e-5, 1e-6),
    "stronger-clones": (1e-12, 1e-9),
}
"""The greatest relative widths of delta and of epsilon in floats, as measured over what is asked here."""
POWERS = ((1 + Fraction(1, 10**6)) ** 60, Fraction(2) ** 60)
"""e^eps0 next to 1 and beyond what is used, with the roots that exact arithmetic takes of it."""
TINY = Fraction(1, 10**12)
"""A share next to 0 or 1, and of delta about what is lost where it is the difference of numbers next to 1."""

CARRIED = [
    (method.name, engine, quantity)
    for method in METHODS.values()
    if method is not LEAKING_RESPONSE  # its outcomes are many: tests/bounds/blanket/test_gaussian_reports.py has a few
    for quantity in get_args(Quantity)
    for engine in ("ball", "fast")
    if {"exact", engine} <= set(engines_for(method, quantity))
    # Moments in floats settle for more users than these: test_clones_renyi.py has them.
    if (quantity, engine) != ("renyi", "fast")
]

LOOSE_BELOW, BLIND = "asymmetric-coordinate-sums", Fraction(98, 100)
"""Next to epsilon0, above this part of it, floats that sum this one's losses know a lower end only far down, and had none before."""


def enclosed(name: str, engine: Engine, quantity: Quantity, asked: dict[str, Any]) -> bool:
    """Whether both answer: the engine's ends hold the exact value, say the same of it, and are as close as asked; or both refuse."""
    method = METHODS[name]
    digits = {"digits": min(DIGITS, MOST_DIGITS.get(name, DIGITS))} if engine == "ball" else {}
    try:
        truth = carried_out(method, "exact", quantity)(**asked)
    except RegimeError:
        with pytest.raises(RegimeError):
            carried_out(method, engine, quantity)(**asked, **digits)
        return False
    except UnsupportedError:
        return False  # a density, of which exact arithmetic has no distribution
    try:
        found: Bound = carried_out(method, engine, quantity)(**asked, **digits)
    except UnsupportedError:
        assert engine == "fast", asked
        return False
    assert contradictions(truth, found) == []
    # A lower bound names its datasets, which engines choose.
    assert method.side == "lower" or (truth.claim, truth.inputs) == (found.claim, found.inputs)
    if found.side == "enclosure" and engine == "fast":
        share = FLOATS[name][quantity == "epsilon"]
        if quantity == "epsilon" and name == LOOSE_BELOW and found.upper > parse_epsilon(asked["epsilon0"]).bounds(bits=64)[0] * BLIND:
            return True
        assert found.upper - found.lower <= found.upper * Fraction(share) + (0 if quantity == "epsilon" else 4 * TINY), asked
    elif found.side == "enclosure" and name not in WIDE:
        assert found.upper - found.lower <= found.upper * 2 / 10 ** digits["digits"]
    return True


@pytest.mark.parametrize(("name", "engine", "quantity"), CARRIED)
def test_exact_values_lie_inside_the_ends_of_every_engine(name: str, engine: Engine, quantity: Quantity) -> None:
    drawn, compared = random.Random(f"{name} {engine} {quantity}"), 0
    for case in range(DRAWN.get((name, quantity), CASES) * (TIMES_DEEPER if DEEP else 1)):
        asked = small(drawn, METHODS[name], "delta" if quantity == "renyi" else quantity)
        if "epsilon0" in asked and case % 6 == 5 and quantity != "renyi":
            T, n = drawn.choice(POWERS), min(asked["n"], 8)
            asked |= {"n": n, "epsilon0": logarithm(T)}
            if "epsilon" in asked:
                asked["epsilon"] = logarithm(1 + (T - 1) * drawn.choice([0, TINY, Fraction(1, 3), 1 - TINY, 1]))
        if quantity == "renyi":
            del asked["epsilon"]
            asked["order"] = drawn.randint(2, 12)
        compared += enclosed(name, engine, quantity, asked)
    assert compared


CORNERS: list[tuple[str, dict[str, Any], list[Fraction | int], list[Fraction | int]]] = [
    ("clones", {"n": 1, "epsilon0": 0}, [1], [1]),  # nothing to hide
    ("clones", {"n": 2, "epsilon0": "ln 4"}, [1, 4], [0, Fraction(21, 40)]),  # the target is delta at 0, which ball arithmetic cannot tell
    ("clones", {"n": 12, "epsilon0": logarithm(1 + Fraction(1, 10**9))}, [1 + (1 - TINY) / 10**9], [TINY**40]),
    ("clones", {"n": 3, "epsilon0": logarithm(1 / TINY)}, [1 + (1 / TINY - 1) * TINY], [Fraction(1, 50) ** 40]),
    ("stronger-clones", {"n": 1, "epsilon0": 0}, [1], [1]),
    ("stronger-clones", {"n": 2, "epsilon0": "ln 4"}, [1], [Fraction(12, 25)]),  # the target is delta at 0
    ("stronger-clones", {"n": 20, "epsilon0": logarithm(1 + Fraction(1, 10**9))}, [1 + (1 - TINY) / 10**9], [TINY**40]),
    ("optimal-pair", {"n": 1, "p": INFINITE, "beta": 1, "q": 1}, [1], [0]),  # everything has infinite privacy loss
    ("optimal-pair", {"n": 2, "p": 1, "beta": 0, "q": 1}, [1], [1, Fraction(1, 10)]),  # nothing to tell apart
    ("optimal-pair", {"n": 8, "p": 20, "beta": 1, "q": 20}, [20], [1, TINY]),  # epsilon at ln p
    ("optimal-pair", {"n": 4, "p": INFINITE, "beta": "1/3", "q": "3/2"}, [1, 12], [Fraction(1, 40), Fraction(1, 3)]),
    ("bit-sum", {"n": 1, "lam": Fraction(2, 3)}, [2], [Fraction(1, 2)]),  # (1 - p)/p itself
    ("bit-sum", {"n": 2, "lam": 1}, [1], [Fraction(1, 2)]),
    ("bit-sum", {"n": 6, "lam": Fraction(12, 10**9)}, [10**8], [TINY]),
    ("zero-sum", {"n": 10, "p": "9/10"}, [2, 10**6], [Fraction(9, 10) ** 10, Fraction(9, 10) ** 10 * (1 + TINY), 1]),  # the floor
    ("zero-sum", {"n": 60, "p": 1 - Fraction(1, 10**6)}, [1, 4], [(1 - Fraction(1, 10**6)) ** 60]),
    ("zero-sum", {"n": 80, "p": Fraction(1, 10**6)}, [1, 10**6], [1 - TINY]),
    ("binomial-sum", {"n": 4, "sensitivity": 7, "coins": 10, "p": "9/10"}, [1, 40], [Fraction(1, 2)]),
    ("binomial-sum", {"n": 5, "sensitivity": 3, "coins": 8, "p": "1/20"}, [1, 2, 40], []),
    ("fake-users", {"n": 5, "fakes": 12, "p": "1/60"}, [1, 2, 144], []),
    ("split-and-mix", {"n": 12, "messages": 12, "modulus": 1000, "sensitivity": 2, "epsilon0": "ln 4"}, [1, 2, 9], [Fraction(1, 2)]),
    ("k-rr-exhaustive", {"n": 3, "k": 2, "epsilon0": "ln 40"}, [Fraction(49, 10), 39], [Fraction(1, 10)]),
    ("k-rr-clones", {"n": 9, "k": 3, "epsilon0": "ln 1001/1000"}, [1, Fraction(10005, 10000)], [TINY]),
    ("k-rr-pair", {"n": 8, "k": 8, "epsilon0": "ln 1000"}, [2, 999], [TINY]),
]


@pytest.mark.parametrize(("name", "own", "exponentials", "deltas"), CORNERS)
def test_corners_lie_inside_the_ends_of_every_engine(name: str, own: dict[str, Any], exponentials: list[Any], deltas: list[Any]) -> None:
    for engine in [each for each in get_args(Engine) if each != "exact" and each in engines_for(METHODS[name], "delta")]:
        for E in exponentials:
            enclosed(name, engine, "delta", {**own, "epsilon": logarithm(Fraction(E))})
        for delta in deltas:
            enclosed(name, engine, "epsilon", {**own, "delta": delta})
