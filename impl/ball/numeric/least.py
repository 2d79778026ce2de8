"""The least whole number for which a condition holds that stays true once it is."""

from bisect import bisect_left
from collections.abc import Callable


def least(holds: Callable[[int], bool], *, start: int = 1, most: int, refusal: Exception) -> int:
    """The least n >= start for which it holds, by doubling and bisection. Raises `refusal` where doubling passes `most`."""
    below, high = start - 1, start
    while not holds(high):
        below, high = high, max(2 * high, 1)
        if high > most:
            raise refusal
    return below + 1 + bisect_left(range(below + 1, high), True, key=holds)
