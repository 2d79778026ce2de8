"""Algorithms 4 and 7 of FMT21: bisection on epsilon, as printed, for any function M.

epsilon is measured in units of epsilon0, so every midpoint is a dyadic rational and nothing is rounded.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

End = Literal["left", "right"]
Profile = Callable[[Fraction], Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The final epsilon^L and epsilon^R, in units of epsilon0, and every bracket on the way there."""

    left: Fraction
    right: Fraction
    history: tuple[tuple[Fraction, Fraction], ...]


def bisect(*, moves_left: Callable[[Fraction], bool], iterations: int) -> Bracket:
    """The common loop: epsilon^R moves to the midpoint where moves_left says so ("delta_t < delta"), else epsilon^L does."""
    left, right = Fraction(0), Fraction(1)
    history = [(left, right)]
    for _ in range(iterations):
        middle = (left + right) / 2
        if moves_left(middle):
            right = middle
        else:
            left = middle
        history.append((left, right))
    return Bracket(left=left, right=right, history=tuple(history))


def bin_s(*, delta: Fraction, iterations: int, M: Profile) -> Fraction:
    """Algorithm 4, BinS: returns epsilon^R."""
    return bisect(moves_left=lambda x: M(x) < delta, iterations=iterations).right


def bin_s_lower(*, delta: Fraction, iterations: int, M: Profile) -> Fraction:
    """Algorithm 7, BinSLower: returns epsilon^L."""
    return bisect(moves_left=lambda x: M(x) < delta, iterations=iterations).left


def all_runs(iterations: int) -> Iterator[tuple[Bracket, dict[Fraction, bool]]]:
    """Every possible run: one for each sequence of answers to "delta_t < delta?", with the answers by midpoint.

    Whatever M and delta are, a run is one of these: the algorithms look at M only through those answers.
    """
    for answers in product((False, True), repeat=iterations):
        given: dict[Fraction, bool] = {}
        coming = iter(answers)

        def answer(x: Fraction, given: dict[Fraction, bool] = given, coming: Iterator[bool] = coming) -> bool:
            given[x] = next(coming)
            return given[x]

        yield bisect(moves_left=answer, iterations=iterations), given


def order_at(x: Fraction, *, root: Fraction, halvings: int) -> Fraction:
    """e^epsilon at epsilon = x epsilon0, exactly, for e^epsilon0 = root^(2^halvings) and x a multiple of 2^-halvings."""
    power = x * 2**halvings
    if power.denominator != 1:
        raise ValueError(f"{x} is not a multiple of 2^-{halvings}")
    return root ** int(power)
