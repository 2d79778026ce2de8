"""The optimal pair V(n, p, beta, q) in float64 with sound sides: BEYOND.ThmF3.

Guaranteed range: n <= 10^9, p up to e^700 or infinite, delta in [1e-150, 1] (and delta = 0). Outside, and wherever sums would leave the
range of floats, the engine refuses. The sum over the two counts is reduced to one over a + b (BEYOND.Reduction), so that the cost grows
with the square root of n.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from shuffleproof.impl.fast.bounds.clones.clones import Guess
from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_laws import PairMasses
from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_profile import OptimalPairProfile, Saddle
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, decimal_of, in_floats, out_of_range, value, working
from shuffleproof.impl.fast.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_laws import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, float_toward
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_optimal_pair

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
    def of(cls, *, n: int, p: Fraction | None, beta: Fraction, q: Fraction) -> _Pair:
        """Clip beta to (p-1)/(p+1) and q-1 (BEYOND.LemL0). p: None where it is infinite."""
        cover = max(q, Fraction(2)) if n == 1 else q  # of one user there is no R_k: any q is true, even one that would clip beta
        clipped = min(beta, cover - 1, Fraction(1) if p is None else (p - 1) / (p + 1))
        masses = PairMasses.of(n=n, p=p, beta=clipped, q=cover) if clipped else None
        return cls(n, clipped, None if p is None else Epsilon(None, p), masses)

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


@in_floats(OPTIMAL_PAIR)
def delta(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, epsilon: Epsilon) -> Found:
    """delta of the optimal pair at epsilon: randomizers with H(p, beta, q) are (epsilon, upper)-DP (BEYOND.ThmF3).

    n: at most 10^9; p: at most e^700, or None where it is infinite; where p, beta and q are not known exactly, round all three up. Exact
    (0) where e^epsilon >= p; else the relative width is mostly below 1e-5 where delta is at least 1e-12.

    >>> delta(n=1000, p=4, beta="1/2", q=4, epsilon="0.25").decimals(digits=6)
    ('3.77272e-8', '3.77273e-8')
    """
    pair = _Pair.of(n=n, p=p, beta=beta, q=q)
    if pair.masses is None or (pair.top is not None and epsilon >= pair.top):
        return Found.exactly(0)
    masses = _supported(pair)
    if pair.top is None and epsilon >= Epsilon(None, Fraction(pair.largest_ratio())):
        return Found(*pair.revealed())
    lower, upper = OptimalPairProfile(masses).delta(epsilon)
    # beta is the total variation of what the special report's distributions are, which nothing afterwards makes larger
    return Found(Fraction(lower), min(Fraction(upper), pair.beta))


@in_floats(OPTIMAL_PAIR)
def epsilon(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, delta: Fraction, inputs: Mapping[str, str]) -> Found:
    """Least epsilon at which the optimal pair's delta is at most delta, which is 0 or at least 1e-150 (BEYOND.ThmF3).

    delta(lower) > delta >= delta(upper) is certain at exactly these ends (lower = 0, and not certain, where delta cannot be distinguished
    from delta(0)); exactly ln p at delta = 0 for finite p, exactly 0 where delta >= delta(0) is certain. Raises RegimeError where p is
    infinite and delta is below the probability that the special report has infinite privacy loss, so that no epsilon is enough.
    """
    pair = _Pair.of(n=n, p=p, beta=beta, q=q)
    if pair.masses is None or delta >= pair.beta:  # delta(0) is at most beta, as in `delta`
        return Found.exactly(0)
    masses, top = _supported(pair), pair.top
    if top is None:
        _require_attainable(pair, delta, inputs["delta"])
        top = Epsilon(None, Fraction(pair.largest_ratio()))
        if top.exp == 1:
            return Found.exactly(0)
    elif delta == 0:  # a alone has positive probability, and there the likelihood ratio is p itself
        return Found.exactly_epsilon(top, bits=64)
    if delta < SMALLEST_DELTA:
        shown = decimal_text(delta, digits=2, direction="up")
        raise out_of_range("it answers for delta = 0 and from 1e-150 to 1", at=f"delta = {shown}")
    profile = OptimalPairProfile(masses)
    with working():
        bottom, above = (Fraction(value(top) * (1 + sign * SCALAR_ERROR)) for sign in (-1, 1))
    last = float_toward(bottom, direction="down")
    start = _guess(masses, delta=float(delta), top=last)
    root = solve(
        lambda x: profile.delta(Epsilon(Fraction(x), None)),
        target=delta,
        top=above,
        last=last,
        guess=start.epsilon,
        slope=start.slope,
        doubt=start.doubt,
        tolerance=TOLERANCE,
        caution=0.75,
        convex=True,
    )
    return Found.exactly(0) if root.upper == 0 else root


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


def _require_attainable(pair: _Pair, target: Fraction, given: str) -> None:
    """Raise RegimeError where delta is below what is revealed, UnsupportedError where that cannot be decided."""
    lower, upper = pair.revealed()
    if target < lower or target == 0:  # it is positive
        raise no_epsilon_for_optimal_pair(revealed=decimal_text(upper, digits=12, direction="up"), delta=given)
    if target <= upper:
        raise out_of_range("it cannot be distinguished from the delta that no epsilon goes below", at="this delta")


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
