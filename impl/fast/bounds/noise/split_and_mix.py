"""Sums by shares that are mixed, in float64 with a sound upper side (BEYOND.split-and-mix).

Binomial coefficients are integers, and their quotients are rounded once; all sums are of positive terms. Up to so many users as in the
certified engine E[q^(c - 1)] - 1 is computed, and beyond them bounded by what is known of fewer.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from shuffleproof.impl.fast.bounds.noise import laplace_sum
from shuffleproof.impl.fast.numeric.results import accumulated, in_floats, out_of_range
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.protocols import SPLIT_AND_MIX
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import too_few_shares

COMPUTED_TO = 120
"""Users up to which moments are computed; beyond them the induction in impl/ball/bounds/noise/split_and_mix.py bounds them."""
LARGEST_SHARES = 10**9
"""Shares of all users together, at most: binomial coefficients of exact integers stay affordable."""
_LARGEST = Epsilon(Fraction(600), None)
_HALVINGS = 60
"""Halvings for epsilon at most: an interval of floats is exhausted by about as many."""


@in_floats(SPLIT_AND_MIX)
def delta(*, n: int, messages: int, modulus: int, sensitivity: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """delta of the noise in the sum, and (1 + e^epsilon) times the distance of the shares, from above (BEYOND.split-and-mix).

    messages: of each of the n honest users, at most 10^9 of all together; sensitivity, epsilon0: of the noise, epsilon0 at most 600.
    """
    apart = _apart(n, messages, modulus)
    _require_supported(epsilon0)
    return Found(Fraction(0), _delta(apart, sensitivity, epsilon0, epsilon), False)


@in_floats(SPLIT_AND_MIX)
def epsilon(
    *, n: int, messages: int, modulus: int, sensitivity: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str]
) -> Found:
    """An epsilon at which that delta is reached, next to the least; the rest as for `delta`.

    Raises RegimeError where delta is below (1 + e^epsilon0) times the distance of the shares: more messages are needed.
    """
    apart = _apart(n, messages, modulus)
    _require_supported(epsilon0)
    if _delta(apart, sensitivity, epsilon0, epsilon0) > delta:
        raise too_few_shares(delta=inputs["delta"])
    low, high = Fraction(0), epsilon0.bounds(bits=64)[1]
    if _delta(apart, sensitivity, epsilon0, Epsilon(low, Fraction(1))) <= delta:
        return Found.exactly(0)
    for _ in range(_HALVINGS):
        middle = Fraction(float(low + high) / 2)
        if not low < middle < high:
            break
        low, high = (low, middle) if _delta(apart, sensitivity, epsilon0, Epsilon(middle, None)) <= delta else (middle, high)
    return Found(Fraction(0), high, False)


def _delta(apart: float, sensitivity: int, local: Epsilon, central: Epsilon) -> Fraction:
    noise = laplace_sum.delta(n=1, sensitivity=sensitivity, epsilon0=local, epsilon=central).upper
    E = (central if central <= local else local).exp_bounds(bits=64)[1]
    return min(noise + (1 + E) * Fraction(apart), Fraction(1))


@lru_cache(maxsize=32)
def _apart(n: int, m: int, q: int) -> float:
    """At least sqrt(E[q^(c - 1)] - 1)/2, at most 1."""
    if n * m > LARGEST_SHARES:
        raise out_of_range("n messages exceeds 10^9")
    if n == 1:
        return 0.0
    last = min(n - 1, COMPUTED_TO)
    rare, connected, moments, roundings = [1.0], [0.0], [1.0], 0  # connected from below and from above, E[q^c] from above
    for j in range(1, last + 1):
        split = [_u(j, k, m) * (k / j) for k in range(1, j)]
        roundings += j + 8
        error = accumulated(8 * roundings)
        most, least = (sum(part * each[k] for k, part in enumerate(split, 1)) for each in (connected, rare))
        rare.append(max(0.0, 1 - most * (1 + error)) * (1 - error))
        connected.append(min(1.0, max(0.0, 1 - least * (1 - error)) * (1 + error)))
        parts = (part * connected[k] * moments[j - k] for k, part in enumerate(split, 1))
        moments.append(float(q) * (sum(parts) + connected[j]) * (1 + error))
    if not moments[-1] < 1e290:
        raise out_of_range("its moments leave the range of floats")
    if n <= COMPUTED_TO:
        excess = sum(_u(n, k, m) * (k / n) * connected[k] * (moments[n - k] - 1) for k in range(1, n))  # of a moment of at least 2
    else:
        if m < 3 or not _beyond(COMPUTED_TO + 1, m, q, moments, for_all_larger=True) * (1 + accumulated(8 * roundings)) < 1:
            raise out_of_range("so few messages each are not shown to be near the sum alone: send more")
        excess = _beyond(n, m, q, moments, for_all_larger=False)
    found = math.sqrt(excess * (1 + accumulated(8 * roundings + 4 * COMPUTED_TO))) / 2
    return min(math.nextafter(math.nextafter(found, 2.0), 2.0), 1.0)


def _beyond(n: int, m: int, q: int, moments: list[float], *, for_all_larger: bool) -> float:
    """At least E[q^(c - 1); c > 1] for n > R users, if E[q^c] <= 2 q for every number between R and n, but for roundings.

    for_all_larger: with terms that all fall with n, or as small as they are for this one.
    """
    R = len(moments) - 1
    few = R if for_all_larger else min(R, n - R - 1)  # of a part with more than R others
    parts = [_u(n, r, m) for r in range(1, R + 1)]
    shares = [1.0 if for_all_larger else (n - r) / n for r in range(1, R + 1)]
    total = sum(share * part * each for share, part, each in zip(shares, parts, moments[1:], strict=True))
    total += 2.0 * q * sum(part * (k / n) for k, part in enumerate(parts[:few], 1))
    wide = max(n, 2 * R + 2)  # both parts above R: at most n of them, each below C(n, R + 1)^(2 - m), which falls with n
    return total + 2.0 * q * wide / float(min(math.comb(wide, R + 1), 10**300))


def _u(n: int, k: int, m: int) -> float:
    """C(n, k)^2/C(n m, k m), rounded up next to it; below 10^-300 it is that, and C(N, K) >= 2^K, where 2 K <= N, may show it."""
    k = min(k, n - k)
    top = math.comb(n, k) ** 2
    if k * m - top.bit_length() >= 1000:
        return 1e-300
    below = _choose(n * m, k * m)
    return math.nextafter(float(Fraction(top, below)), 2.0) if below.bit_length() - top.bit_length() < 1000 else 1e-300


@lru_cache(maxsize=4096)
def _choose(n: int, k: int) -> int:
    return math.comb(n, k)


def _require_supported(epsilon0: Epsilon) -> None:
    if not epsilon0 <= _LARGEST:
        raise out_of_range("epsilon0 exceeds 600")
