"""Products of arrays in float64, with bounds on the sum of absolute errors, by the assumption on numpy.fft in `TRANSFORMS`.

A transform of length N errs by c = FFT_ERROR log2(N) in the Euclidean norm, so that |z - x*y|_2 <= 4 c (|x|_2 |y|_1 + |x|_1 |y|_2): c for
each of the three transforms, and the rest for roundings. In the same way z, x times t arrays y, errs by at most
4 c |y|_1^(t - 1) (|x|_2 |y|_1 + t |x|_1 |y|_2) as long as t products of complex numbers, 4 U each, take no more than 2 c: up to `AT_ONCE`.

Arrays are used again from one evaluation to the next (`scratch`): fresh memory of a few megabytes costs as much as what is computed in it.
"""

import math
import threading
import weakref

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.numeric.results import Assumption, U

_LONGEST = 2**21
"""Entries of an array that is kept, at most: 16 MiB."""
_MOST_FREE = 4
"""Arrays that wait to be lent again, at most: 64 MiB together."""
Floats = NDArray[np.float64]
FFT_ERROR = 4 * U
"""Granted to a transform of length N, times log2 N: relative error in the Euclidean norm (measured: below 0.75 U log2 N)."""
TRANSFORMS = Assumption(
    what="numpy.fft.rfft and irfft, in the Euclidean norm, over log2 of the length", assumed=FFT_ERROR, box="2^4 to 2^20", worst=8.5e-17
)
AT_ONCE = 8
"""Powers of one transform at once, at most: t products of 4 U each stay within 2 c = 8 U log2(N) for every N >= 2^4.
More would be unsound."""
_FEW = 64
"""Entries of the shorter factor up to which a product is summed directly, which adds hardly an error."""
_VERY_FEW = 12
"""The same where a transform's error does no harm: up to so many entries the direct sum is the faster one too."""
_UNDERFLOW = 2.0**-1074
"""More than a product loses that leaves the normal floats."""
_PEELED = 1 / 64
"""Entries above this part of the sum are multiplied directly, fewer than 64 of them, so that a transform's error is
relative to small ones."""


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


def one_norm(x: Floats) -> float:
    """The sum of absolute values, not less."""
    return float(np.abs(x).sum()) * (1 + len(x) * U)


def convolved(x: Floats, y: Floats, *, allowed: float = 0.0) -> tuple[Floats, float]:
    """x * y, and a bound on the sum of absolute errors.

    Directly where few terms meet; else what a few large entries give is added directly, so that the transform sees small ones only.
    allowed: next to the sum of absolute terms so much hardly matters: a transform of all entries is enough where it does no more harm.
    """
    squared, few = x is y, int(np.count_nonzero(x))
    if not squared and (fewer := int(np.count_nonzero(y))) < few:
        x, y, few = y, x, fewer
    norm_x, size = one_norm(x), len(x) + len(y) - 1
    norm_y = norm_x if squared else one_norm(y)
    of_both, largest = norm_x * norm_y, math.inf if worst(size) <= allowed else _PEELED
    if few <= (_FEW if largest < 1.0 else _VERY_FEW):
        z = np.zeros(size)
        _add_shifted(z, x, np.flatnonzero(x), y)
        return z, (few + 1) * U * of_both
    heavy_x, rest_x, norm_x = _peeled(x, norm_x, largest)
    heavy_y, rest_y, norm_y = (heavy_x, rest_x, norm_x) if squared else _peeled(y, norm_y, largest)
    N = _transformed(size)
    transform = np.fft.rfft(rest_x, N)
    z = np.fft.irfft(transform * (transform if squared else np.fft.rfft(rest_y, N)), N)[:size]
    _add_shifted(z, x, heavy_x, y)
    _add_shifted(z, y, heavy_y, rest_x)
    length_x = _two_norm(rest_x)
    norms = length_x * norm_y + (length_x if squared else _two_norm(rest_y)) * norm_x
    return z, (worst(size) / 2 * norms + (len(heavy_x) + len(heavy_y) + 2) * U * of_both) * (1 + 1e-6)


def convolved_often(x: Floats, y: Floats, *, times: int) -> tuple[Floats, float]:
    """x * y * ... * y by one transform, y so many times, 1 to AT_ONCE; and a bound on the sum of absolute errors."""
    size = len(x) + times * (len(y) - 1)
    N = _transformed(size)
    one, product = np.fft.rfft(y, N), np.fft.rfft(x, N)
    for _ in range(times):
        product *= one
    norm_x, norm_y = one_norm(x), one_norm(y)
    norms = (_two_norm(x) * norm_y + times * norm_x * _two_norm(y)) * norm_y ** (times - 1)
    return np.fft.irfft(product, N)[:size], worst(size) / 2 * norms * (1 + 1e-6)


def squares(x: Floats) -> tuple[Floats, Floats]:
    """x * x of each row, of numbers that are not negative, cut off at 0; and a bound on each error, for every row."""
    size = 2 * x.shape[1] - 1
    N = _transformed(size)
    transform = np.fft.rfft(x, N)
    found = np.maximum(np.fft.irfft(transform * transform, N)[:, :size], 0.0)
    return found, 8 * FFT_ERROR * math.log2(2 * N) * np.sqrt((x * x).sum(axis=1)) * x.sum(axis=1) * (1 + 1e-6)


class LargestMeans:
    """The largest of several sums w_0 x_k + w_1 x_(k+1) + ... for every k, by transforms; those of the weights are kept."""

    def __init__(self, weights: Floats) -> None:
        """weights: rows of numbers that are not negative."""
        self.weights, self.length = weights, weights.shape[1]
        self.norms = max(map(one_norm, weights)), max(map(_two_norm, weights))
        self.known = dict[int, NDArray[np.complex128]]()

    def of(self, x: Floats) -> tuple[Floats, float]:
        """At all k for which no term is missing; and a bound on each error."""
        N, size = _transformed(len(x)), len(x) - self.length + 1
        if size == 1:  # directly, which is also nearer
            terms = self.weights * x
            error = ((self.length + 1) * U * float(np.abs(terms).sum(axis=1).max()) + self.length * _UNDERFLOW) * (1 + 1e-6)
            return terms.sum(axis=1).max(initial=0.0, keepdims=True), error
        if N not in self.known:
            self.known[N] = np.fft.rfft(self.weights, N).conj()
        found = np.fft.irfft(np.fft.rfft(x, N) * self.known[N], N)[:, :size].max(axis=0, initial=0.0)
        return found, 4 * FFT_ERROR * math.log2(2 * N) * (_two_norm(x) * self.norms[0] + one_norm(x) * self.norms[1]) * (1 + 1e-6)


def worst(size: int) -> float:
    """Return what a transform of so many entries adds at most to the sum of absolute errors, next to that of absolute terms."""
    return 8 * FFT_ERROR * math.log2(2 * _transformed(size)) * math.sqrt(size)


def _transformed(size: int) -> int:
    N = max(16, 1 << (size - 1).bit_length())
    return 3 * N // 4 if size <= 3 * N // 4 else N


def _two_norm(x: Floats) -> float:
    """No product of matrices, for which libraries start threads."""
    return math.sqrt(float((x * x).sum()))


def _peeled(x: Floats, norm: float, largest: float) -> tuple[NDArray[np.int64], Floats, float]:
    """Where entries are larger than this next to the norm; the rest, and its norm."""
    if largest >= 1.0:
        return np.empty(0, dtype=np.int64), x, norm
    sizes = np.abs(x)
    if float(sizes.max()) <= largest * norm:
        return np.empty(0, dtype=np.int64), x, norm
    heavy, rest = np.flatnonzero(sizes > largest * norm), x.copy()
    rest[heavy] = 0.0
    return heavy, rest, one_norm(rest)


def _add_shifted(z: Floats, x: Floats, places: NDArray[np.int64], y: Floats) -> None:
    """Add x_k y, from k on, to z for these places k."""
    for k in places:
        z[k : k + len(y)] += x[k] * y
