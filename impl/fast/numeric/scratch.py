"""Arrays that are used again from one evaluation to the next: fresh memory of a few megabytes costs as much as what is computed in it."""

import threading
import weakref

import numpy as np
from numpy.typing import NDArray

_LONGEST = 2**21
"""Entries of an array that is kept, at most: 16 MiB."""
_MOST_FREE = 4
"""Arrays that wait to be lent again, at most: 64 MiB together."""


class _Kept(threading.local):
    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[np.float64]] = {}


_kept = _Kept()


def scratch(name: str, length: int) -> NDArray[np.float64]:
    """An array with undefined content, valid until this thread asks for the same name again. Very long ones are not kept."""
    array = _kept.arrays.get(name)
    if array is None or len(array) < length:
        array = np.empty(length + length // 4)
        if length <= _LONGEST:
            _kept.arrays[name] = array
    return array[:length]


_free: list[NDArray[np.float64]] = []


def lent(length: int) -> NDArray[np.float64]:
    """An array of at least this length with undefined content, to be given back by `give_back_with` or forgotten."""
    try:
        array = _free.pop()
    except IndexError:
        return np.empty(length)
    return array if len(array) >= length else np.empty(length)


def give_back_with(owner: object, *arrays: NDArray[np.float64]) -> None:
    """Lend these to others as soon as their owner, the only one who shows them, is gone."""
    weakref.finalize(owner, _give_back, arrays).atexit = False


def _give_back(arrays: tuple[NDArray[np.float64], ...]) -> None:
    for array in arrays:
        if len(array) <= _LONGEST and len(_free) < _MOST_FREE:
            _free.append(array)
