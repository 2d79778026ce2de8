"""Many bounds at once: a privacy profile and a grid of (n, eps0), from tables against point by point."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from bench.measuring import Row, Seconds, in_turns
from shuffleproof.impl.ball.bounds.clones import clones as ball
from shuffleproof.impl.fast.bounds.clones import clones as fast
from shuffleproof.impl.fast.bounds.clones import clones_table
from shuffleproof.spec.vocabulary.bound import Bound

_POINTS = 200
_DELTA, _SMALLEST_DELTA = "1e-8", "1e-12"
_TARGET, _AIM = "5 times cheaper than point by point, at as many digits", 5.0
_BALLS = "balls, point by point"
_FLOATS = "float64 without tables, point by point"


def profile(*, quick: bool) -> Iterator[Row]:
    """delta at 200 epsilon, from 0 to where it is 10^-12; the tables are made anew in each run."""
    for n, epsilon0 in [(10**3, 1), (10**6, 1), (10**6, 4)] + ([] if quick else [(10**9, 1), (10**9, 4)]):
        last = fast.inverse_profile(n=n, epsilon0=epsilon0, deltas=[_SMALLEST_DELTA])[0].upper
        epsilons = [last * i / _POINTS for i in range(_POINTS)]
        every = 1 if n < 10**9 else 20  # seconds of balls are for every so many of the points

        def ours(n: int = n, epsilon0: int = epsilon0, epsilons: list[Fraction] = epsilons) -> list[Bound]:
            _forget()
            return fast.profile(n=n, epsilon0=epsilon0, epsilons=epsilons)

        digits = _digits(ours())
        alone = partial(_each, partial(fast.delta, n=n, epsilon0=epsilon0), "epsilon", epsilons)
        certified = partial(_each, partial(ball.delta, n=n, epsilon0=epsilon0, digits=digits), "epsilon", epsilons[::every])
        name = f"a profile of {_POINTS} points, n = 10^{round(math.log10(n))}, eps0 = {epsilon0}"
        yield from _rows(name, digits, _digits(alone()), *in_turns(ours, certified, alone, runs=3 if n < 10**9 else 1), every=float(every))


def grid(*, quick: bool) -> Iterator[Row]:
    """epsilon at one delta over a grid, n and eps0 in equal ratios. No two points share a table: what is saved is the cost of a step."""
    size, exponent, every = (10, 6, 1) if quick else (50, 9, 27)  # balls answer every 27th of 2,500 points: all n, all eps0
    numbers = [round(10 ** (3 + (exponent - 3) * i / (size - 1))) for i in range(size)]
    locals_ = [f"{0.1 * 40 ** (i / (size - 1)):.6g}" for i in range(size)]
    points = [(n, epsilon0) for n in numbers for epsilon0 in locals_]

    def ours() -> list[Bound]:
        return [fast.inverse_profile(n=n, epsilon0=epsilon0, deltas=[_DELTA])[0] for n, epsilon0 in points]

    def alone() -> list[Bound]:
        return [fast.epsilon(n=n, epsilon0=epsilon0, delta=_DELTA) for n, epsilon0 in points]

    digits = _digits(ours())

    def certified() -> list[Bound]:
        return [ball.epsilon(n=n, epsilon0=epsilon0, delta=_DELTA, digits=digits) for n, epsilon0 in points[::every]]

    name = f"epsilon over a {size} x {size} grid, n = 10^3 ... 10^{exponent}, eps0 = 0.1 ... 4"
    measured = in_turns(ours, certified, alone, runs=1)
    yield from _rows(name, digits, _digits(alone()), *measured, every=len(points) / len(points[::every]))


def _rows(name: str, digits: int, fewer: int, ours: Seconds, certified: Seconds, alone: Seconds, *, every: float) -> Iterator[Row]:
    scaled = Seconds(certified.median * every, certified.least * every, certified.largest * every, certified.runs)
    note = f"{digits} digits of each, by tables and by balls"
    if every > 1:
        note += f"; the seconds of balls are {every:.1f} times those for one point in so many"
    met = scaled.median >= _AIM * ours.median
    yield Row(name, ours, scaled, _BALLS, target=_TARGET, met=met, note=note)
    yield Row(name, ours, alone, _FLOATS, note=f"{digits} digits against {fewer}")


def _each(ask: Callable[..., Bound], parameter: str, values: list[Fraction]) -> list[Bound]:
    return [ask(**{parameter: value}) for value in values]


def _digits(bounds: list[Bound]) -> int:
    """Digits in which the sides of all of them agree."""
    widest = max((bound.upper - bound.lower) / bound.upper for bound in bounds if bound.side == "enclosure")
    return math.floor(-math.log10(widest))


def _forget() -> None:
    clones_table._kept.tables.clear()
