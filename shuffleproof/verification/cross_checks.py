"""Engines against each other on parameters drawn at random: exact inside balls, float64 sides against balls."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import INFINITE, decimal_text, parse_epsilon, probability

_DIGITS = 12
_WHOLE_RANGE_TO = 10**4
"""Up to this n every epsilon below eps0 is drawn, above it only where delta >= 1e-299: to certify a delta of 1e-1000000 is slow."""
Evaluate = Callable[..., Bound]
Parameters = dict[str, Any]
Comparison = Callable[[int], tuple[Bound, list[str]]]
"""Draws case number i and compares: the bound under test, and every contradiction found."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CrossCheck:
    """Two engines compared. cases: how many were compared; refused: how many more one of them declined; failures: contradictions, in words.

    widest: the largest relative width among the enclosures under test whose lower end is not 0; seconds: what it took.
    """

    name: str
    says: str
    cases: int
    refused: int
    failures: tuple[str, ...]
    widest: Fraction
    seconds: float

    @property
    def refused_share(self) -> Fraction:
        """The share of the drawn cases that an engine declined."""
        return Fraction(self.refused, max(1, self.refused + self.cases))


def exact_inside_balls(*, cases: int, seed: int, step: Callable[[], object] = lambda: None) -> CrossCheck:
    """The exact value against the certified enclosure: n <= 40, e^eps0 (p, lambda) and e^eps rational, both quantities, five bounds."""
    drawn = random.Random(f"exact inside balls, {seed}")

    def compare(index: int) -> tuple[Bound, list[str]]:
        quantity = "delta" if index % 2 else "epsilon"
        module = ("clones", "binary_rr", "stronger_clones", "zero_sum", "bit_sum")[index // 2 % 5]
        parameters = {"zero_sum": _small_zero_sum, "bit_sum": _small_bit_sum}.get(module, _small_rational)(drawn, quantity)
        exact = _engine("spec", module, quantity)(**parameters)
        ball = _engine("impl.ball", module, quantity)(**parameters)
        return ball, contradictions(exact, ball)

    return _run("exact inside balls", "the exact rational value lies inside the certified enclosure", compare, cases=cases, step=step)


def fast_against_balls(*, cases: int, seed: int, step: Callable[[], object] = lambda: None) -> CrossCheck:
    """The float64 sides against certified values: n log-uniform up to 10^9, eps0 in [0, 700], delta log-uniform down to 1e-300.

    The optimal pair is a fifth of the cases, with n up to 1000 and delta from 1e-100. A float64 epsilon is tested by the certified delta
    at its two ends: one certificate each instead of a search.
    """
    drawn = random.Random(f"float64 against balls, {seed}")

    def compare(index: int) -> tuple[Bound, list[str]]:
        quantity = "delta" if index % 2 else "epsilon"
        module = ("clones", "stronger_clones", "clones", "stronger_clones", "optimal_pair")[index // 2 % 5]
        parameters = _optimal_pair(drawn, quantity) if module == "optimal_pair" else _large(drawn, module, quantity)
        fast = _engine("impl.fast", module, quantity)(**parameters)
        certified_delta = _engine("impl.ball", module, "delta")
        if quantity == "delta":
            return fast, contradictions(fast, certified_delta(**parameters, digits=_DIGITS))
        return fast, wrong_ends(fast, certified_delta=certified_delta, **parameters)

    return _run("float64 against balls", "the float64 sides enclose what balls certify", compare, cases=cases, step=step)


def contradictions(left: Bound, right: Bound) -> list[str]:
    """Why two enclosures of one number cannot both hold: they are disjoint. Empty if they can."""
    low, high = (left, right) if left.upper < right.lower else (right, left)
    if low.upper >= high.lower:
        return []
    given = ", ".join(f"{name} = {text}" for name, text in right.inputs.items())
    top, bottom = decimal_text(low.upper, digits=20, direction="up"), decimal_text(high.lower, digits=20, direction="down")
    return [f"{low.quantity} at {given}: {low.engine} says at most {top}, {high.engine} says at least {bottom}"]


def wrong_ends(fast: Bound, *, certified_delta: Evaluate, delta: Fraction, **own: Any) -> list[str]:
    """The ends of an enclosure of epsilon that the certified profile contradicts: delta(upper) > delta, or delta(lower) < delta."""
    given = ", ".join(f"{name} = {text}" for name, text in fast.inputs.items())
    wrong = []
    if certified_delta(**own, epsilon=fast.upper, digits=_DIGITS).lower > delta:
        wrong.append(f"epsilon at {given}: the upper end {fast.upper_float!r} is below the truth")
    if fast.lower > 0 and certified_delta(**own, epsilon=fast.lower, digits=_DIGITS).upper < delta:
        wrong.append(f"epsilon at {given}: the lower end {fast.lower_float!r} is above the truth")
    return wrong


def _run(name: str, says: str, compare: Comparison, *, cases: int, step: Callable[[], object]) -> CrossCheck:
    started = time.perf_counter()
    done, refused, widest = 0, 0, Fraction(0)
    failures: list[str] = []
    for index in range(cases):
        try:
            judged, faults = compare(index)
        except UnsupportedError:
            refused += 1
        except (UndecidedError, ResourceLimitError) as error:
            done += 1
            failures.append(f"no answer: {error}")
        else:
            done += 1
            failures += faults
            if judged.lower > 0:
                widest = max(widest, (judged.upper - judged.lower) / judged.upper)
        step()
    seconds = time.perf_counter() - started
    return CrossCheck(name=name, says=says, cases=done, refused=refused, failures=tuple(failures), widest=widest, seconds=seconds)


def _engine(room: str, module: str, quantity: str) -> Evaluate:
    function: Evaluate = getattr(import_module(f"shuffleproof.{room}.bounds.{module}"), quantity)
    return function


def _small_rational(drawn: random.Random, quantity: str) -> Parameters:
    n = drawn.randint(1, 40)
    local = 1 + Fraction(drawn.randint(0, 400), drawn.randint(1, 60))
    if quantity == "delta":
        central = 1 + (local - 1) * Fraction(drawn.randint(0, 66), 60)
        return {"n": n, "epsilon0": parse_epsilon(f"ln {local}"), "epsilon": parse_epsilon(f"ln {central}")}
    delta = Fraction(1, 10 ** drawn.randint(0, 12)) * Fraction(drawn.randint(0, 60), 60)
    return {"n": n, "epsilon0": parse_epsilon(f"ln {local}"), "delta": delta}


def _small_zero_sum(drawn: random.Random, quantity: str) -> Parameters:
    n, p = drawn.randint(1, 40), Fraction(drawn.randint(1, 59), 60)
    if quantity == "delta":
        central = 1 + Fraction(drawn.randint(0, 400), drawn.randint(1, 60))
        return {"n": n, "p": p, "epsilon": parse_epsilon(f"ln {central}")}
    floor = max(p, 1 - p) ** n  # below it no epsilon is enough
    return {"n": n, "p": p, "delta": floor + (1 - floor) * Fraction(1, 10 ** drawn.randint(0, 12)) * Fraction(drawn.randint(0, 60), 60)}


def _small_bit_sum(drawn: random.Random, quantity: str) -> Parameters:
    n = drawn.randint(1, 12)
    lam = Fraction(drawn.randint(1, 59), 60) * n
    if quantity == "delta":
        central = 1 + ((2 * n - lam) / lam - 1) * Fraction(drawn.randint(0, 66), 60)
        return {"n": n, "lam": lam, "epsilon": parse_epsilon(f"ln {central}")}
    return {"n": n, "lam": lam, "delta": Fraction(1, 10 ** drawn.randint(0, 12)) * Fraction(drawn.randint(0, 60), 60)}


def _optimal_pair(drawn: random.Random, quantity: str) -> Parameters:
    """p finite or not; beta up to the largest that p and q allow, and often just that."""
    n, ratio = round(10 ** drawn.uniform(0, 3)), Fraction(round(1 + math.exp(drawn.uniform(-6, 6)), 6)).limit_denominator(10**6)
    infinite = drawn.random() < 0.2
    p = INFINITE if infinite else ratio
    q = 1 + Fraction(round(math.exp(drawn.uniform(-4, 3)), 6)).limit_denominator(10**6)
    largest = min(Fraction(1) if infinite else (ratio - 1) / (ratio + 1), q - 1)
    beta = largest * drawn.choice([Fraction(1), Fraction(drawn.randint(1, 60), 60)])
    own = {"n": n, "p": p, "beta": beta, "q": q}
    if quantity == "delta":
        top = Fraction(math.log(max(n, 2) if infinite else ratio) * drawn.choice([10 ** drawn.uniform(-9, 0), drawn.uniform(0, 1.01)]))
        return {**own, "epsilon": top.limit_denominator(10**12)}
    floor = beta if infinite else Fraction(0)  # from the probability that the special report gives itself away on
    share = Fraction(10) ** math.floor(drawn.choice([drawn.uniform(-12, 0), drawn.uniform(-100, 0)]))
    return {**own, "delta": floor + (1 - floor) * share}


def _large(drawn: random.Random, module: str, quantity: str) -> Parameters:
    n = max(1, round(10 ** drawn.uniform(0, 9)))
    local = Fraction(round(drawn.choice([drawn.uniform(0, 3), drawn.uniform(0, 12), drawn.uniform(0, 700)]), 6)).limit_denominator(10**6)
    if quantity == "epsilon":
        exponent = drawn.choice([drawn.uniform(-12, 0), drawn.uniform(-300, 0)])
        return {"n": n, "epsilon0": local, "delta": probability(f"1e{math.floor(exponent)}", parameter="delta")}
    # Near the two ends of the range, and in between on both scales: where the profile is flat, steep, and vanishing.
    share = Fraction(drawn.choice([10 ** drawn.uniform(-9, 0), drawn.uniform(0, 1), 1 - 10 ** drawn.uniform(-9, -1)]))
    top = local if n <= _WHOLE_RANGE_TO else _engine("impl.fast", module, "epsilon")(n=n, epsilon0=local, delta="1e-299").upper
    return {"n": n, "epsilon0": local, "epsilon": (top * share).limit_denominator(10**12)}
