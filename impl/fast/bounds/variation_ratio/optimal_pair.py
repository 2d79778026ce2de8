"""The optimal pair V(n, p, beta, q) in float64 with sound sides: BEYOND.ThmF3.

Guaranteed range: n <= 10^9, p up to e^700 or infinite, delta in [1e-150, 1] (and delta = 0). Outside, and wherever sums would leave the
range of floats, the engine refuses. The sum over the two counts is reduced to one over a + b (BEYOND.Reduction), so that the cost grows
with the square root of n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from shuffleproof.impl.fast.bounds.clones.clones_guess import Guess
from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_laws import PairMasses
from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_profile import OptimalPairProfile, Saddle
from shuffleproof.impl.fast.numeric.results import enclosed, exactly, out_of_range
from shuffleproof.impl.fast.numeric.root import solve
from shuffleproof.impl.fast.numeric.rounding import SCALAR_ERROR
from shuffleproof.impl.fast.numeric.scalars import decimal_of, value, working
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.methods.randomizer_laws import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    exact_fraction,
    float_toward,
    parse_epsilon,
    probability,
    ratio_bound,
)

LARGEST_N = 10**9
"""Users. Roundings and thresholds are counted for as many; beyond, the engine refuses."""
LARGEST_LN_P = 700
"""Largest finite ln p: e^700 is 1e304, so that p and 1/p are normal floats."""
SMALLEST_DELTA = Fraction(1, 10**150)
"""Least delta > 0 whose epsilon is asked: products of two numbers of that size are normal floats."""
SMALLEST_MASS = Fraction(1, 10**280)
"""Least probability of a report: above the least normal float, 2.2e-308, by more than the factors that multiply it."""
_UNSEEN = Decimal("1e-1000")
"""What is revealed with a smaller probability is enclosed by [0, 2e-1000]: the floats of an answer do not show it."""
TOLERANCE = 4e-7
"""Relative distance of the ends of epsilon that is aimed for, and met within a factor of ten where the sides of delta allow it."""
_FEW = 10
"""Reports of a, and three times their mean, are more than there are."""
_NEAR = 1e-3
"""Relative step, of the nearer of epsilon and its distance to the top, that ends the search for a guess."""
_ABOVE = 2e-5
"""The guess is put above the root by this part: a probe there and one below the root are enough, as delta is convex."""
_DOUBT = 5e-4
"""Error that a step of Newton's is thought to leave of the one before it. Costs probes at most."""


@dataclass(frozen=True)
class _Pair:
    """The pair at clipped parameters. top: ln p, None for infinite p; masses: None where beta is 0."""

    n: int
    beta: Fraction
    top: Epsilon | None
    masses: PairMasses | None

    @classmethod
    def parsed(cls, *, n: Number, p: Number, beta: Number, q: Number) -> _Pair:
        """Read numbers as people write them; p may be "infinity". beta is clipped to (p-1)/(p+1) and q-1 (BEYOND.LemL0)."""
        users = count(n, parameter="n")
        ratio = ratio_bound(p, parameter="p")
        distance, cover = probability(beta, parameter="beta"), exact_fraction(q, parameter="q")
        require(cover >= 1, parameter="q", value=q, requirement="at least 1")
        if users == 1:  # there is no R_k, so that any q is true, even one that would clip beta
            cover = max(cover, Fraction(2))
        clipped = min(distance, cover - 1, Fraction(1) if ratio is None else (ratio - 1) / (ratio + 1))
        top = None if ratio is None else Epsilon(Fraction(0) if ratio == 1 else None, ratio)
        return cls(users, clipped, top, PairMasses.of(n=users, p=ratio, beta=clipped, q=cover) if clipped else None)

    def largest_ratio(self) -> int:
        """For infinite p, the largest finite likelihood ratio (a + d)/(b + d): n where d exists, else n - 1; at least 1."""
        assert self.masses is not None
        return max(1, self.n if self.masses.d else self.n - 1)

    def revealed(self) -> tuple[Fraction, Fraction]:
        """For infinite p, around the probability that the special report has infinite privacy loss: it is a, and nobody else sends b or d.

        beta (1 - r - rho/q)^(n - 1) > 0: relative error 1e-40, n - 1 times that of a logarithm. (0, 2e-1000) where it is below
        1e-1000: the digits of a rational would be as many as n.
        """
        assert self.masses is not None
        alone = 1 - self.masses.either / 2 - self.masses.d
        if alone == 0 and self.n > 1:
            return Fraction(0), Fraction(0)
        with working():
            revealed = decimal_of(self.beta) * ((self.n - 1) * decimal_of(alone).ln()).exp() if self.n > 1 else decimal_of(self.beta)
            if revealed < _UNSEEN:
                return Fraction(0), Fraction(2 * _UNSEEN)
            return Fraction(revealed * (1 - SCALAR_ERROR)), Fraction(revealed * (1 + SCALAR_ERROR))


def delta(*, n: Number, p: Number, beta: Number, q: Number, epsilon: Number | Epsilon) -> Bound:
    """delta of the optimal pair at epsilon, enclosed in float64: randomizers with H(p, beta, q) are (epsilon, upper)-DP (BEYOND.ThmF3).

    n: users, 1 to 10^9; p: at least 1, at most e^700, or "infinity"; beta in [0, 1]; q: at least 1; where they are not known exactly,
    round all three up. epsilon >= 0. Returns an enclosure, exact (0) where e^epsilon >= p; its relative width is mostly below 1e-5 where
    delta is at least 1e-12. Raises DomainError, and UnsupportedError outside its range.

    >>> delta(n=1000, p=4, beta="1/2", q=4, epsilon="0.25").decimals(digits=6)
    ('3.77272e-8', '3.77273e-8')
    """
    pair, central = _Pair.parsed(n=n, p=p, beta=beta, q=q), parse_epsilon(epsilon)
    inputs = as_given(n=n, p=p, beta=beta, q=q, eps=epsilon)
    if pair.masses is None or (pair.top is not None and central >= pair.top):
        return exactly(OPTIMAL_PAIR, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    masses = _supported(pair)
    if pair.top is None and central >= _logarithm(pair.largest_ratio()):
        return enclosed(OPTIMAL_PAIR, "delta", *pair.revealed(), inputs=inputs)
    lower, upper = OptimalPairProfile(masses).delta(central)
    # beta is the total variation of what the special report's distributions are, which nothing afterwards makes larger
    return enclosed(OPTIMAL_PAIR, "delta", Fraction(lower), min(Fraction(upper), pair.beta), inputs=inputs)


def epsilon(*, n: Number, p: Number, beta: Number, q: Number, delta: Number) -> Bound:
    """Least epsilon at which the optimal pair's delta is at most delta, enclosed in float64 (BEYOND.ThmF3).

    n, p, beta, q: as for `delta`; delta = 0 or in [1e-150, 1].
    Returns an enclosure with delta(lower) > delta >= delta(upper) certain at exactly these ends (side "upper", lower = 0, where delta
    cannot be told from delta(0)); exactly ln p at delta = 0 for finite p, exactly 0 where delta >= delta(0) is certain.
    Raises DomainError; UnsupportedError outside its range; RegimeError where p is infinite and delta is below the probability that the
    special report has infinite privacy loss, so that no epsilon is enough.
    """
    pair, target = _Pair.parsed(n=n, p=p, beta=beta, q=q), probability(delta, parameter="delta")
    inputs = as_given(n=n, p=p, beta=beta, q=q, delta=delta)
    if pair.masses is None or target >= pair.beta:  # delta(0) is at most beta, as in `delta`
        return exactly(OPTIMAL_PAIR, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    masses, top = _supported(pair), pair.top
    if top is None:
        _require_attainable(pair, target, delta)
        top = _logarithm(pair.largest_ratio())
        if top.exp == 1:
            return exactly(OPTIMAL_PAIR, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    elif target == 0:  # a alone has positive probability, and there the likelihood ratio is p itself
        return exactly(OPTIMAL_PAIR, "epsilon", str(top), *top.bounds(bits=64), inputs=inputs)
    if target < SMALLEST_DELTA:
        shown = decimal_text(target, digits=2, direction="up")
        raise out_of_range("it answers for delta = 0 and from 1e-150 to 1", at=f"delta = {shown}")
    profile = OptimalPairProfile(masses)
    with working():
        bottom, above = (Fraction(value(top) * (1 + sign * SCALAR_ERROR)) for sign in (-1, 1))
    last = float_toward(bottom, direction="down")
    start = _guess(masses, delta=float(target), top=last)
    root = solve(
        lambda x: profile.delta(Epsilon(Fraction(x), Fraction(1) if x == 0 else None)),
        target=target,
        top=above,
        last=last,
        guess=start.epsilon,
        slope=start.slope,
        doubt=start.doubt,
        tolerance=TOLERANCE,
        caution=0.75,
        convex=True,
    )
    if root.upper == 0:
        return exactly(OPTIMAL_PAIR, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    return enclosed(OPTIMAL_PAIR, "epsilon", root.lower, root.upper, lower_certified=root.lower_certified, inputs=inputs)


def _guess(masses: PairMasses, *, delta: float, top: float) -> Guess:
    """epsilon in (0, top) where that estimate is delta, by Newton's steps in a bracket, and the slope there."""
    if (near_top := _near_top(masses, delta=delta, top=top)) is not None:
        return near_top
    wanted, saddle = math.log(delta), Saddle(masses)
    low, high = 0.0, min(top, 700.0)

    def at(epsilon: float) -> tuple[float, float]:
        value, slope = saddle.log_delta(math.expm1(epsilon))
        return value, slope * math.exp(epsilon)

    if at(1e-12 * high)[0] <= wanted:
        return Guess(1e-9 * high, -1 / high, 1.0)
    epsilon = min(high / 2, math.sqrt(2 * max(-wanted, 1.0) * float(masses.q) / masses.n))
    for turn in range(60):
        value, slope = at(epsilon)
        low, high = (epsilon, high) if value > wanted else (low, epsilon)
        following = (low + high) / 2
        usable = -math.inf < slope < 0 and value < 0 and wanted < 0
        if usable and turn % 8 != 7:  # -ln delta is about quadratic, so its root is nearly linear
            step = 2 * math.sqrt(-value) * (math.sqrt(-wanted) - math.sqrt(-value)) / -slope
            following = epsilon + step if low < epsilon + step < high else following
        moved, epsilon = abs(following - epsilon), following
        if moved < _NEAR * min(epsilon, top - epsilon):
            break
    step = _NEAR * min(epsilon, top - epsilon)
    slope = (at(epsilon + step)[0] - at(epsilon - step)[0]) / (2 * step) if step > 0 else -math.inf
    above = epsilon + _ABOVE * min(epsilon, top - epsilon)  # a probe there and one below the root are enough: delta is convex
    return Guess(above, slope if -math.inf < slope < 0 else -1 / max(epsilon, 1e-300), _DOUBT)


def _near_top(masses: PairMasses, *, delta: float, top: float) -> Guess | None:
    """Near ln p only a report of a alone counts: delta = q r A (1 - r - d)^(n - 1), A = 1 - e^(eps - ln p); from slightly above."""
    r = float(masses.either) / 2
    if masses.top is None or r + float(masses.d) >= 1:
        return None
    alone = (masses.n - 1) * math.log1p(-r - float(masses.d))
    A = (1 - 1e-9) * math.exp(min(math.log(delta) - math.log(float(masses.q)) - math.log(r) - alone, 1.0))
    if A >= 1 or not A * (_FEW + 3 * masses.n * r) <= math.expm1(min(top + math.log1p(-A), 700.0)):
        return None
    return Guess(top + math.log1p(-A), -(1 - A) / A, 1e-6)


def _require_attainable(pair: _Pair, target: Fraction, delta: Number) -> None:
    """Raise RegimeError where delta is below what is revealed, UnsupportedError where that cannot be told."""
    lower, upper = pair.revealed()
    if target < lower or target == 0:  # it is positive
        revealed = decimal_text(upper, digits=12, direction="up")
        raise RegimeError(
            statement=OPTIMAL_PAIR.statement,
            condition=f"delta >= {revealed}, the probability that the special report has infinite privacy loss, where p is infinite",
            given=f"delta = {delta}",
            advice="no epsilon is enough: ask for a larger delta, or give a finite p that the randomizer meets",
        )
    if target <= upper:
        raise out_of_range("it cannot be told from the delta that no epsilon goes below", at="this delta")


def _supported(pair: _Pair) -> PairMasses:
    """The masses, where they are within the range of the engine; else UnsupportedError."""
    masses = pair.masses
    assert masses is not None
    if pair.n > LARGEST_N:
        raise out_of_range(f"it answers for n up to {LARGEST_N:.0e}", at=f"n = {pair.n}")
    if pair.top is not None and pair.top > Epsilon(Fraction(LARGEST_LN_P), None):
        raise out_of_range(f"it answers for p up to e^{LARGEST_LN_P}, and for infinite p", at="this p")
    rarest = min(mass for mass in (masses.either, 1 - masses.either, masses.share, 1 - masses.share, pair.beta) if mass)
    if rarest < SMALLEST_MASS:
        raise out_of_range("a report has a probability below 1e-280")
    return masses


def _logarithm(ratio: int) -> Epsilon:
    return Epsilon(Fraction(0) if ratio == 1 else None, Fraction(ratio))
