"""How far the certified engine is from its floor: the ball operations of its sums, at what one such operation costs from Python.

What is above the floor: the whole numbers of a step and the loop itself; the floats that steer the search; where walks start.
"""

import statistics
import time
from collections.abc import Iterator
from functools import partial
from typing import Any
from unittest.mock import patch

from flint import arb

from bench.measuring import Row, in_turns, short
from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.clones.clones_sums import OPERATIONS_A_STEP, Constants, window
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.ball.numeric.evaluation import Evaluation

_DELTA = "1e-8"
_OPERATIONS = 80_000


def certified_floor(*, quick: bool) -> Iterator[Row]:
    """Seconds of an epsilon over steps x operations a step x the cost of one, measured in turns with it."""
    for n, digits, text in ((10**6, 30, "10^6"),) if quick else ((10**6, 30, "10^6"), (10**9, 12, "10^9")):
        for epsilon0 in ("1", "4"):
            ask = partial(clones.epsilon, n=n, epsilon0=epsilon0, delta=_DELTA, digits=digits)
            walks = _walks(ask)
            steering = statistics.median(_steering(ask) for _ in range(3))
            bits = sorted({each for _, each in walks})
            own, *costs = in_turns(ask, *(partial(operations, each) for each in bits), runs=7 if n < 10**8 else 3)
            cost = {each: seconds.median / _OPERATIONS for each, seconds in zip(bits, costs, strict=True)}
            floor = sum(steps * OPERATIONS_A_STEP * cost[each] for steps, each in walks)
            ratio = own.median / floor
            what = ", ".join(f"{steps:,} steps at {each} bits" for steps, each in walks)
            note = (
                f"{len(walks)} evaluations ({what}) of {OPERATIONS_A_STEP} operations a step, {short(min(cost.values()))} to "
                f"{short(max(cost.values()))} each from Python.\n    The floor is {short(floor)}, and this is {ratio:.2f} times that; "
                f"steering takes {steering:.0%}"
            )
            name = f"certified epsilon against its floor, {digits} digits, n = {text}, eps0 = {epsilon0}"
            yield Row(name, own, note=note, facts={"floor": floor, "times_the_floor": ratio, "steering": steering})


def _walks(ask: partial[Any]) -> list[tuple[int, int]]:
    """(steps, bits) of every evaluation that a question makes."""
    found: list[tuple[int, int]] = []
    evaluate = clones.evaluate

    def recorded(*, n: int, odds_factor: int, epsilon0: Any, epsilon: Any, bits: int, spread: float) -> Evaluation:
        low, high = window(n - 1, Constants.at(odds_factor, epsilon0, epsilon), spread=spread)
        found.append((high - low, bits))
        return evaluate(n=n, odds_factor=odds_factor, epsilon0=epsilon0, epsilon=epsilon, bits=bits, spread=spread)

    with patch.object(clones, "evaluate", recorded):
        ask()
    return found


def _steering(ask: partial[Any]) -> float:
    """The share of the time of a question that steering takes."""
    spent = 0.0
    steered = clones.steered

    def timed(**named: Any) -> Any:
        nonlocal spent
        started = time.process_time()
        found = steered(**named)
        spent = time.process_time() - started
        return found

    with patch.object(clones, "steered", timed):
        started = time.process_time()
        ask()
        return spent / (time.process_time() - started)


def operations(bits: int) -> None:
    """As many operations as are counted, in the proportions of a step: three of eight with a whole number."""
    with precision(bits):
        g, k, total = arb(1) / 3, arb(2) / 7, arb(1) / 11
        whole, larger = 123_456, 1_234_567
        for _ in range(_OPERATIONS // 8):
            total + g
            total + k
            k * whole
            g * k
            g / larger
            total * k
            total / whole
            total - g
