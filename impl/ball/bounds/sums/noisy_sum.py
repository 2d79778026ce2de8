"""delta and epsilon of a sum of noisy bits over all neighbouring datasets, certified: what the bit sum and the untagged real sum share.

Lower ends come from one dataset, found by the search for the worst; upper ends hold for every dataset.
"""

import math
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.bounds.sums.noisy_bits import divergence
from shuffleproof.impl.ball.bounds.sums.worst_dataset import SAYS_NOTHING, Sum, affordable, worst
from shuffleproof.impl.ball.numeric.root import ZERO, solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MOST_ROUNDS = 12
"""Searches over datasets for one epsilon, at most."""


def delta_of(of: Sum, epsilon: Epsilon, *, digits: int) -> Found:
    """The least delta for all datasets at epsilon; p from 0 to 1/2, its ends included."""
    if of.p == 0:
        return Found.exactly(1)
    if of.p == SAYS_NOTHING or epsilon >= of.largest:
        return Found.exactly(0)
    found = worst(of, epsilon, digits=digits + 1)
    return Found(found.lower, found.upper, precision=found.bits)


def epsilon_of(of: Sum, delta: Fraction, *, digits: int) -> Found:
    """The least epsilon for all datasets at delta; p from 0, if delta is 1, to 1/2, its ends included."""
    if delta == 1 or of.p == SAYS_NOTHING:
        return Found.exactly(0)
    if delta == 0:  # the number of ones is as large, or as small, as it can be
        return _pure(of, digits=digits)
    return _least_epsilon(of, delta, digits)


def _pure(of: Sum, *, digits: int) -> Found:
    """changed * ln((1 - p)/p), the loss at the largest number of ones on every dataset."""
    lower, upper = Epsilon(None, (1 - of.p) / of.p).bounds(bits=4 * digits + 32)
    return Found(of.changed * lower, of.changed * upper, exact=str(of.largest) if of.changed == 1 else None)


def _least_epsilon(of: Sum, delta: Fraction, digits: int) -> Found:
    """One dataset's epsilon from below; just above it all datasets are certified, a wider gap where that takes too long."""
    start = worst(of, ZERO, digits=digits, target=delta)
    if start.upper <= delta:
        return Found(Fraction(0), Fraction(0), precision=start.bits)
    guess = _guess(of, delta)
    rough = worst(of, Epsilon(guess, None), digits=1)
    k, gap = rough.k, Fraction(1, 10**digits)
    coarse = max(gap, Fraction(2, affordable(of)))
    top = of.largest.bounds(bits=4 * digits + 64)[1]
    root = _of_dataset(of, k, delta, digits, guess)
    for _ in range(_MOST_ROUNDS):
        # Where the root may be 0 a relative gap is none.
        upper = root.upper * (1 + gap) if root.lower_certified and root.lower > 0 else root.upper + gap * guess
        upper = min(_short(upper, digits + 8), top)
        if not Epsilon(upper, None) < of.largest:
            return Found(root.lower, top, root.lower_certified, root.precision)
        found = worst(of, Epsilon(upper, None), digits=digits + 4, target=delta, first=(k,))
        if found.upper <= delta:
            return Found(root.lower, upper, root.lower_certified and root.lower > 0, found.bits)
        if found.lower > delta:  # a worse dataset
            k = found.k
            root = _of_dataset(of, k, delta, digits, min(upper, guess))
        else:
            gap = coarse if gap < coarse else 2 * gap
    return Found(root.lower, top, root.lower_certified, root.precision)


def _of_dataset(of: Sum, k: int, delta: Fraction, digits: int, guess: Fraction) -> Found:
    return solve(partial(divergence, of.dataset(k)), epsilon0=of.largest, delta=delta, digits=digits, guess=guess)


def _guess(of: Sum, delta: Fraction) -> Fraction:
    """Where to start: the loss is about normal with deviation changed/sqrt(variance), less (1 - 2p) times that where p is near 1/2."""
    wanted = math.log(delta.denominator) - math.log(delta.numerator)
    ceiling = of.largest.bounds(bits=64)[0] * Fraction(9, 10)
    start = of.changed * math.sqrt(2 * wanted / of.dataset(0).variance)
    if start >= ceiling:
        start *= float(1 - 2 * of.p)
    return ceiling if start >= ceiling else max(Fraction(start), ceiling / 10**9)


def _short(x: Fraction, digits: int) -> Fraction:
    """x rounded up a little, to a short fraction."""
    scale = 10**digits * x.denominator // max(x.numerator, 1) + 1
    return Fraction(math.ceil(x * scale), scale)
