"""Engines against each other on parameters drawn at random: exact inside balls, float64 sides against balls."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.methods import METHODS, carried_out, engines_for
from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import decimal_text, in_words
from shuffleproof.verification import drawn_parameters

_DIGITS = 12
"""Digits of the certified ends against which float64 is held: more than float64 settles."""
_QUANTITIES: tuple[Quantity, Quantity] = ("epsilon", "delta")
Evaluate = Callable[..., Bound]
Case = tuple[str, Quantity, dict[str, Any]]
"""A method by name, what is asked of it, and the parameters."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """One case compared. judged: the bound under test, None without an answer; refused: an engine declined; faults: contradictions."""

    judged: Bound | None
    refused: bool
    faults: tuple[str, ...]
    seconds: float


Comparison = Callable[[Case], Compared]
Each = Callable[[Comparison, Iterable[Case]], Iterable[Compared]]
"""What has the comparison done for every case, in their order: `map`, or several at once."""


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


def compared(one: Engine, other: Engine) -> tuple[Method, ...]:
    """The methods that both engines carry, for delta and for epsilon: each of them is compared."""
    both = (*[(one, quantity) for quantity in _QUANTITIES], *[(other, quantity) for quantity in _QUANTITIES])
    return tuple(method for method in METHODS.values() if all(engine in engines_for(method, quantity) for engine, quantity in both))


def exact_inside_balls(*, cases: int, seed: int, step: Callable[[], object] = lambda: None, each: Each = map) -> CrossCheck:
    """The exact value against the certified enclosure: small n, e^eps0 (p, lambda) and e^eps rational, both quantities, all methods."""
    drawn, methods = random.Random(f"exact inside balls, {seed}"), compared("exact", "ball")
    asked = _asked(methods, lambda method, quantity: drawn_parameters.small(drawn, method, quantity), cases)
    says = "the exact rational value lies inside the certified enclosure"
    return _run("exact inside balls", says, each(exact_inside_ball, asked), step=step)


def fast_against_balls(*, cases: int, seed: int, step: Callable[[], object] = lambda: None, each: Each = map) -> CrossCheck:
    """The float64 sides against certified values: n log-uniform up to 10^9, eps0 in [0, 700], delta log-uniform down to 1e-300.

    The optimal pair, and that of named randomizers, are a sixth of the cases each, with n up to 1000 and delta from 1e-100. A float64
    epsilon is tested by the certified delta at its two ends: one certificate each instead of a search.
    """
    drawn = random.Random(f"float64 against balls, {seed}")
    methods = [method for method in compared("fast", "ball") for _ in range(drawn_parameters.SHARES.get(method.name, 1))]
    asked = _asked(methods, lambda method, quantity: drawn_parameters.large(drawn, method, quantity), cases)
    return _run("float64 against balls", "the float64 sides enclose what balls certify", each(fast_against_ball, asked), step=step)


def _asked(methods: Sequence[Method], draw: Callable[[Method, Quantity], dict[str, Any]], cases: int) -> Iterator[Case]:
    for index in range(cases):
        quantity, method = _QUANTITIES[index % 2], methods[index // 2 % len(methods)]
        yield method.name, quantity, draw(method, quantity)


def _compared(compare: Callable[[Method, Quantity, dict[str, Any]], tuple[Bound, list[str]]], case: Case) -> Compared:
    started = time.perf_counter()
    name, quantity, parameters = case
    judged: Bound | None = None
    refused, faults = False, list[str]()
    try:
        judged, faults = compare(METHODS[name], quantity, parameters)
    except UnsupportedError:
        refused = True
    except (UndecidedError, ResourceLimitError) as error:
        faults = [f"no answer: {error}"]
    return Compared(judged=judged, refused=refused, faults=tuple(faults), seconds=time.perf_counter() - started)


def exact_inside_ball(case: Case) -> Compared:
    """One case of `exact_inside_balls`."""
    return _compared(_exactly_inside, case)


def _exactly_inside(method: Method, quantity: Quantity, parameters: dict[str, Any]) -> tuple[Bound, list[str]]:
    exact = _engine(method, "exact", quantity)(**parameters)
    ball = _engine(method, "ball", quantity)(**parameters)
    return ball, contradictions(exact, ball)


def fast_against_ball(case: Case) -> Compared:
    """One case of `fast_against_balls`."""
    return _compared(_fast_around, case)


def _fast_around(method: Method, quantity: Quantity, parameters: dict[str, Any]) -> tuple[Bound, list[str]]:
    fast = _engine(method, "fast", quantity)(**parameters)
    certified_delta = _engine(method, "ball", "delta")
    if quantity == "delta":
        return fast, contradictions(fast, certified_delta(**parameters, digits=_digits(method)))
    return fast, wrong_ends(fast, certified_delta=certified_delta, digits=_digits(method), **parameters)


def contradictions(left: Bound, right: Bound) -> list[str]:
    """Why two enclosures of one number cannot both hold: they are disjoint. Empty if they can."""
    low, high = (left, right) if left.upper < right.lower else (right, left)
    if low.upper >= high.lower:
        return []
    given = in_words(right.inputs)
    top, bottom = decimal_text(low.upper, digits=20, direction="up"), decimal_text(high.lower, digits=20, direction="down")
    return [f"{low.quantity} at {given}: {low.engine} says at most {top}, {high.engine} says at least {bottom}"]


def wrong_ends(fast: Bound, *, certified_delta: Evaluate, delta: Fraction, digits: int = _DIGITS, **own: Any) -> list[str]:
    """The ends of an enclosure of epsilon that the certified profile contradicts: delta(upper) > delta, or delta(lower) < delta."""
    given = in_words(fast.inputs)
    wrong = []
    if certified_delta(**own, epsilon=fast.upper, digits=digits).lower > delta:
        wrong.append(f"epsilon at {given}: the upper end {fast.upper_float!r} is below the truth")
    if fast.lower > 0 and certified_delta(**own, epsilon=fast.lower, digits=digits).upper < delta:
        wrong.append(f"epsilon at {given}: the lower end {fast.lower_float!r} is above the truth")
    return wrong


def _run(name: str, says: str, outcomes: Iterable[Compared], *, step: Callable[[], object]) -> CrossCheck:
    done, refused, widest, seconds = 0, 0, Fraction(0), 0.0
    failures: list[str] = []
    for outcome in outcomes:
        refused += outcome.refused
        done += not outcome.refused
        failures += outcome.faults
        seconds += outcome.seconds
        if outcome.judged is not None and outcome.judged.lower > 0:
            widest = max(widest, (outcome.judged.upper - outcome.judged.lower) / outcome.judged.upper)
        step()
    return CrossCheck(name=name, says=says, cases=done, refused=refused, failures=tuple(failures), widest=widest, seconds=seconds)


def _digits(method: Method) -> int:
    """How many digits are asked of balls."""
    return min(_DIGITS, drawn_parameters.MOST_DIGITS.get(method.name, _DIGITS))


def _engine(method: Method, engine: Engine, quantity: Quantity) -> Evaluate:
    return carried_out(method, engine, quantity)
