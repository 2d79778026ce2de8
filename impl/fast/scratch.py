"""Arrays that are used again from one evaluation to the next: fresh memory of a few megabytes costs as much as what is computed in it."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

_LONGEST = 2**21


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
