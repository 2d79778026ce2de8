"""Where the delta of a sum of noisy bits falls through the target as lambda rises: certified for all datasets above, by one below.

Each dataset's delta falls as lambda rises (CSUZZ19.Sec5.3.monotone). Nothing is needed from lambda = 2n/(1 + e^(epsilon/r)) on, where the
randomizers themselves are private enough.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.sums.noisy_bits import divergence
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum, affordable, worst
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, log_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import shown
from shuffleproof.spec.vocabulary.elementary import approximate_log
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

_BITS = 128
"""Working precision, in bits, of the ends of the search."""
_DIGITS = 9
"""Digits of certified deltas, and as many more as 1 - delta has leading zeros."""
_MOST_STEPS = 200
"""Steps at most to where one dataset's delta crosses the target."""
_MOST_ROUNDS = 12
"""Datasets that turn out worse, and widenings of the gap, at most."""
_QUICKER = 2
"""The share of the pairs that a search takes which nothing but lambda is asked of."""
_MORE = 3.0
"""Times the gap that would bring the blocks of a search below the target, if ln delta falls like lambda: they are to be there sooner."""


@dataclass(frozen=True, slots=True)
class Target:
    """(epsilon, delta) for n users with r bits each, all of one user's bits changed, the total number of ones seen."""

    n: int
    r: int
    epsilon: Epsilon
    delta: Fraction

    def sum_at(self, lam: Fraction) -> Sum:
        """The noisy bits at this lambda."""
        return Sum((self.n - 1) * self.r, self.r, lam / (2 * self.n))

    def enough(self) -> tuple[Fraction, Fraction]:
        """Ends around 2n/(1 + e^(epsilon/r)), from which on delta is 0."""
        with precision(_BITS + 2 * self.n.bit_length()):
            if self.r == 1:
                noise = 2 * self.n / (1 + exp_of(self.epsilon))
            else:
                noise = 2 * self.n / (1 + (log_of(self.epsilon) / self.r).exp())
            return lower_end(noise), min(upper_end(noise), Fraction(self.n))

    @property
    def digits(self) -> int:
        """How closely a delta is looked at: near 1 more closely."""
        return _DIGITS + max(0, math.ceil(-approximate_log(1 - self.delta) / math.log(10)))

    def delta_of(self, k: int, lam: Fraction) -> tuple[Fraction, Fraction]:
        """Ends of the delta of the dataset with k ones among the others; lam > 0."""
        of = self.sum_at(lam)
        if lam >= self.n or (lam >= self.enough()[0] and self.epsilon >= of.largest):  # a power of rationals, if r is large
            return Fraction(0), Fraction(0)
        found = divergence(of.dataset(k), self.epsilon, digits=self.digits)
        return found.lower, found.upper


@dataclass(frozen=True, slots=True)
class Between:
    """fails_at < value: the target is missed by one dataset at one and met by all at the other. fails_at is None where nothing fails."""

    value: Fraction
    fails_at: Fraction | None
    k: int = 0
    certified: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)


def least_lambda(target: Target, *, closeness: Fraction, by_how_much: bool = True) -> Between:
    """The least lambda, to a relative distance of closeness, wider where that would take too many pairs.

    by_how_much: whether the worst delta at fails_at is looked for as well, which takes as long as all else; if not, fewer pairs, too.
    Raises UndecidedError, ResourceLimitError.
    """
    if target.delta == 1:
        return Between(Fraction(0), None)
    low, high = target.enough()
    if target.delta == 0:
        return _pure(target, low, high, closeness)
    k, guess = (target.n - 1) * target.r, _guess(target, low)
    gap, crossing = closeness, guess
    for _ in range(_MOST_ROUNDS):
        crossing, fails = _crossing(target, k, crossing, high, closeness / 4)
        value = min(_short(crossing * (1 + gap), "up"), _short(high, "up"), Fraction(target.n))
        if value >= high:
            return Between(value, fails, k, {"delta at value": (Fraction(0), Fraction(0)), **_failing(target, k, fails)})
        of = target.sum_at(value)
        pairs = affordable(of) // (1 if by_how_much else _QUICKER)
        found = worst(of, target.epsilon, digits=target.digits, target=target.delta, first=(k,), pairs=pairs)
        if found.upper <= target.delta:
            missed = _failing(target, k, fails) if by_how_much else {}
            return Between(value, fails, k, {"delta at value": (found.lower, found.upper), **missed})
        if found.lower > target.delta:
            k = found.k
        else:
            gap = max(2 * gap, gap + Fraction(_MORE * _log_ratio(found.upper, target.delta) / max(1.0, -approximate_log(target.delta))))
    raise UndecidedError(quantity="lambda", enclosure=(shown(crossing, "down"), shown(high, "up")), precision=_BITS)


def _crossing(target: Target, k: int, guess: Fraction, high: Fraction, closeness: Fraction) -> tuple[Fraction, Fraction]:
    """Around where the delta of dataset k falls through the target: lambda at or above it, and a short one below where it is missed."""
    low, at, step = Fraction(0), min(guess, high * Fraction(999, 1000)), Fraction(1, 64)
    above: tuple[float, float] | None = None
    below: tuple[float, float] | None = None
    for _ in range(_MOST_STEPS):
        least, most = target.delta_of(k, at)
        point = (approximate_log(at), _log_ratio((least + most) / 2, target.delta))
        if least > target.delta:
            low, above = at, point
        else:
            high, below = at, point
        if low > 0 and high - low <= closeness * high:
            return high, _fails(target, k, low, closeness)
        if above is None or below is None or not math.isfinite(below[1]) or above[1] <= below[1]:
            at = _outward(low, high, at, step) if above is None or below is None else (low + high) / 2
            step = min(2 * step, Fraction(3, 4))
            continue
        share = above[1] / (above[1] - below[1])
        between = _exp(above[0] + share * (below[0] - above[0]))
        margin = closeness * high / 5
        between = between + margin if least > target.delta else between - margin  # so that the other end moves as well
        at = between if low < between < high else (low + high) / 2
    raise UndecidedError(quantity="lambda", enclosure=(shown(low, "down"), shown(high, "up")), precision=_BITS)


def _outward(low: Fraction, high: Fraction, at: Fraction, step: Fraction) -> Fraction:
    """A larger step away from the guess, in the direction that is still open."""
    return at * (1 - step) if low == 0 else min(at * (1 + step), (at + high) / 2)


def _fails(target: Target, k: int, low: Fraction, closeness: Fraction) -> Fraction:
    """A short decimal just below, decided once more there."""
    short = _short(low, "down")
    for _ in range(_MOST_ROUNDS):
        if target.delta_of(k, short)[0] > target.delta:
            return short
        short = _short(short * (1 - closeness), "down")
    raise UndecidedError(quantity="lambda", enclosure=("0", shown(low, "up")), precision=_BITS)


def _failing(target: Target, k: int, fails: Fraction) -> dict[str, tuple[Fraction, Fraction]]:
    found = worst(target.sum_at(fails), target.epsilon, digits=1, first=(k,))
    return {"delta at fails_at": (max(target.delta_of(k, fails)[0], found.lower), found.upper)}


def _pure(target: Target, low: Fraction, high: Fraction, closeness: Fraction) -> Between:
    """delta = 0: the randomizers' own privacy, 2n/(1 + e^(epsilon/r)), is what it takes."""
    value = min(_short(high, "up"), Fraction(target.n))
    return Between(value, _short(low * (1 - closeness), "down"), 0, {"delta at value": (Fraction(0), Fraction(0))})


def _guess(target: Target, high: Fraction) -> Fraction:
    """Where the loss, about normal with deviation r/sqrt(r lambda/2), reaches epsilon rarely enough."""
    wanted = -approximate_log(target.delta)
    epsilon = float(min(target.epsilon.bounds(bits=64)[1], Fraction(100))) or 1e-9
    start = 2 * target.r * max(wanted, 0.1) / (epsilon * epsilon)
    return min(Fraction(start), high * Fraction(9, 10))


def _log_ratio(value: Fraction, target: Fraction) -> float:
    if value == 0:
        return -math.inf
    with precision(64):
        return float((ball(value) / ball(target)).log().mid())


def _exp(x: float) -> Fraction:
    with precision(64):
        return lower_end(arb(arb(x).exp().mid()))


def _short(x: Fraction, direction: str) -> Fraction:
    return Fraction(decimal_text(x, digits=12, direction="up" if direction == "up" else "down"))
