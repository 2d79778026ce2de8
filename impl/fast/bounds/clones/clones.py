"""The clones bound in float64 with sound sides, FMT21, Theorem 3.2; and every pair of its family.

Guaranteed range: n <= 10^9, epsilon0 = 0 or in [1e-200, 700], delta in [1e-300, 1] (and delta = 0), every epsilon. A
delta below 1e-305 is enclosed by [0, 1e-305]. Outside, and wherever sums would leave the range of floats, the engine refuses.

The pairs differ in one number, the odds factor of clones_constants.py: it enters the masses of the number of clones and nothing else,
so that the analysis of clones_profile.py, which holds for every distribution Bin(m, p) of that number, covers them all.
Where the search for epsilon starts, and how steep the profile is there, are estimates, on which no side rests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.impl.fast.bounds.clones.clones_profile import ClonesProfile
from shuffleproof.impl.fast.numeric.results import in_floats, out_of_range
from shuffleproof.impl.fast.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, float_toward

LARGEST_N = 10**9
"""Users. The count of roundings, and thresholds held to 140 bits, are written for as many; beyond, the engine refuses."""
SMALLEST_EPSILON0 = Fraction(1, 10**200)
"""Least epsilon0 > 0. Delta is at most about epsilon0/2, so that it and sums relative to it are normal floats down to
`SURE` with room to spare."""
LARGEST_EPSILON0 = 700
"""Largest epsilon0: e^700 is 1e304, so that e^epsilon0 and its reciprocal are normal floats."""
SMALLEST_DELTA = Fraction(1, 10**300)
"""Least delta > 0 whose epsilon is asked: five decades above `SURE`, below which values are not distinguished from 0."""
TOLERANCE = 1e-9
"""Relative distance of the ends of epsilon that is aimed for, and met where the sides of delta allow it. It is larger where delta is
within 1e-6 of 1 or, for n = 10^9, within a thousandth of delta(0)."""
_NODES = ((-math.sqrt(3.0), 1 / 6), (0.0, 2 / 3), (math.sqrt(3.0), 1 / 6))
_WIDE = 100.0
"""Mean number of clones from which the normal approximation is tried; below it Chernoff's bound guesses. Costs probes at most."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of the family. odds_factor: k of clones_constants.py; C ~ Bin(n - 1, p) with p/(1 - p) = k/(e^epsilon0 - 1)."""

    method: Method
    odds_factor: int

    @in_floats()
    def delta(self, *, n: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
        """Return delta of the pair at epsilon: shuffled eps0-DP randomizers are (epsilon, upper)-DP. 0 where epsilon >= epsilon0.

        The relative width is below 1e-9 where delta is at least 1e-300.

        >>> delta(n=1000, epsilon0=1, epsilon="0.1").decimals(digits=9)
        ('0.00035276565', '0.000352765651')
        """
        if epsilon >= epsilon0:
            return Found.exactly(0)
        lower, upper = self._profile(n, epsilon0).delta(epsilon)
        return Found(Fraction(lower), Fraction(upper))

    @in_floats()
    def epsilon(self, *, n: int, epsilon0: Epsilon, delta: Fraction) -> Found:
        """Return the least epsilon at which the pair's delta is at most delta: exactly epsilon0 at delta = 0.

        delta(lower) > delta >= delta(upper) is certain at exactly these ends (lower = 0, and not certain, where delta cannot be
        distinguished from delta(0)); exactly 0 where delta >= delta(0) is certain.
        """
        if delta == 1 or epsilon0.exp == 1:
            return Found.exactly(0)
        if delta == 0:  # C = 0 has positive probability, and there the likelihood ratio is e^eps0 itself
            return Found.exactly_epsilon(epsilon0, bits=64)
        bottom, top = epsilon0.bounds(bits=64)
        profile = self._profile(n, epsilon0)
        if delta < SMALLEST_DELTA:
            shown = decimal_text(delta, digits=2, direction="up")
            raise out_of_range("it answers for delta = 0 and delta from 1e-300 to 1", at=f"delta = {shown}")
        last = float_toward(bottom, direction="down")
        last = math.nextafter(last, 0.0) if last == bottom else last
        start = guess(m=n - 1, odds_factor=self.odds_factor, epsilon0=float(top), delta=float(delta))
        root = solve(
            lambda x: profile.delta(Epsilon(Fraction(x), None)),
            target=delta,
            top=top,
            last=last,
            guess=start.epsilon,
            slope=start.slope,
            doubt=start.doubt,
            tolerance=TOLERANCE,
        )
        return Found.exactly(0) if root.upper == 0 else root

    @in_floats()
    def renyi(self, *, n: int, epsilon0: Epsilon, order: Fraction) -> Found:
        """Return the Renyi divergence of the pair: shuffled eps0-DP randomizers are (upper, order)-RDP.

        epsilon0: in [1e-3, 50], or 0. The relative width is below 1e-9. Raises UnsupportedError where more than 80 moments are needed (few
        clones, a large order).
        """
        from shuffleproof.impl.fast.bounds.clones.renyi_family import RenyiFamily

        family = RenyiFamily(n=n, odds_factor=self.odds_factor, epsilon0=epsilon0)
        return Found.exactly(0) if epsilon0.exp == 1 else Found(*family.divergence(order=order))

    def _profile(self, n: int, epsilon0: Epsilon) -> ClonesProfile:
        """Made when it is needed: some questions are answered outside the engine's range."""
        _require_supported(n, epsilon0)
        return ClonesProfile(n=n, odds_factor=self.odds_factor, epsilon0=epsilon0)


FMT21 = Pair(CLONES, 1)
"""The clones pair: p = e^-epsilon0 (FMT21, Theorem 3.2)."""
stronger_clones = Pair(STRONGER_CLONES, 2)
"""The stronger clones pair: p = 2/(e^epsilon0 + 1) (BEYOND.CorF2, FMT23's general pair)."""


delta, epsilon, renyi = FMT21.delta, FMT21.epsilon, FMT21.renyi


def _require_supported(n: int, epsilon0: Epsilon) -> None:
    """Raise UnsupportedError outside the range in which sides are guaranteed (epsilon0 = 0 is answered before)."""
    smallest, largest = Epsilon(SMALLEST_EPSILON0, None), Epsilon(Fraction(LARGEST_EPSILON0), None)
    if n > LARGEST_N:
        raise out_of_range(f"it answers for n up to {LARGEST_N:.0e}", at=f"n = {n}")
    if not smallest <= epsilon0 <= largest:
        raise out_of_range(f"it answers for epsilon0 = 0 and from 1e-200 to {LARGEST_EPSILON0}", at="this epsilon0")


@dataclass(frozen=True)
class Guess:
    """epsilon, the slope d ln delta/d epsilon there, and the error that one step of Newton's is thought to leave of the one before it."""

    epsilon: float
    slope: float
    doubt: float = 0.05


def guess(*, m: int, odds_factor: int, epsilon0: float, delta: float) -> Guess:
    """Where to look for m other users, epsilon0 > 0, delta in (0, 1)."""
    x, y = math.exp(-epsilon0), -math.expm1(-epsilon0)  # 1/T, 1 - 1/T
    p = odds_factor * x / (1 + (odds_factor - 1) * x)  # of being a clone
    q = y / (1 + (odds_factor - 1) * x)  # 1 - p
    # Near epsilon0 only a = 0 counts: delta = (1 - e^(eps - eps0))/(1 + 1/T) (1 - p/2)^m.
    gap = delta * (1 + x) * math.exp(min(-m * math.log1p(-p / 2), 690.0))
    if gap < 1 and gap / y <= (1 + math.exp(-epsilon0)) / (m + 1):
        log_ratio = math.log1p(-gap)
        return Guess(epsilon0 + log_ratio, -math.exp(log_ratio) / gap)
    start = _chernoff(m=m, p=p, x=x, y=y, delta=delta)
    if m * p < _WIDE or not y > 1e-6:
        return Guess(start, -2 * max(-math.log(delta), 0.5) / max(start, 1e-300))
    low, high = 0.0, start
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _normal(m=m, p=p, q=q, x=x, epsilon=middle) > delta else (low, middle)
    step = high * 1e-4
    before, after = (_normal(m=m, p=p, q=q, x=x, epsilon=epsilon) for epsilon in (high - step, high + step))
    if not before > after > 0:
        return Guess(start, -2 * max(-math.log(delta), 0.5) / start)
    return Guess(high, math.log(after / before) / (2 * step), doubt=min(0.05, 10 / math.sqrt(m * p)))


def _chernoff(*, m: int, p: float, x: float, y: float, delta: float) -> float:
    """epsilon with (1 - p (1 - phi))^m = delta: mostly above the root."""
    low, high = 0.0, 1.0  # 1 - 2 rho
    for _ in range(60):
        z = (low + high) / 2
        kl = ((1 + z) * math.log1p(z) + ((1 - z) * math.log1p(-z) if z < 1 else 0.0)) / 2
        low, high = (z, high) if m * math.log1p(p * math.expm1(-kl)) > math.log(delta) else (low, z)
    rho = (1 - high) / 2
    return max(math.log1p(2 * y * high / 2 / (x + rho * y)), 1e-300)


def _normal(*, m: int, p: float, q: float, x: float, epsilon: float) -> float:
    """delta with the inner binomials taken for normal ones, the outer one for three nodes."""
    E = math.exp(epsilon)
    u, v = (1 - E * x) / (1 + x), (E - x) / (1 + x)
    total = 0.0
    for node, weight in _NODES:
        c = max(m * p + node * math.sqrt(m * p * q), 1.0)
        sigma, theta = math.sqrt(c) / 2, 4 / (c + 1)
        z = (math.log(v / u) / theta - 0.5) / sigma if u > 0 else math.inf
        inner = u * math.erfc(z / math.sqrt(2)) - v * math.exp(theta * (theta * sigma**2 - 1) / 2) * math.erfc(
            (z + theta * sigma) / math.sqrt(2)
        )
        total += weight * inner / 2
    return total
