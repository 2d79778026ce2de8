"""The profile delta(epsilon) of the optimal pair with both sides in float64, for any n up to 10^9.

delta = (q/n) D [sum with d at its mean + what its spread adds], over a window of C = a + b; the two sums are those of
optimal_pair_sums.py, and what lies outside the windows is bounded as optimal_pair_laws.py says. A saddle point, an estimate on which no
side rests, says how wide windows should be, and the search where to start.

How wide the sides are depends on choices alone, each sound: the windows, and how many panels share a distribution of d. A panel whose N
vary by dN moves epsilon by about 2 kappa^2 s (1 - s) dN/c, relatively: d adds so much to the variance of the sum.
"""

import math
from dataclasses import dataclass
from decimal import Decimal

from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_laws import PairConstants, PairMasses, Window, log_mass
from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_sums import LONG, SHORT, added, at_the_mean, walk
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, decimal_of, out_of_range, outward, working
from shuffleproof.spec.vocabulary.numerals import Epsilon

_TAIL_SHARE = 3e-8
"""Of delta, that what lies outside the windows may be bounded by; they are widened until it is, or _MOST_SPREAD is reached."""
_FIRST_SPREAD = 15.0
"""Minus the logarithm of what the first window leaves out, beyond that of the delta that is guessed: e^-15 is 3e-7. A choice only."""
_MOST_SPREAD = 540.0
"""Spread beyond which windows are not widened: what is left out is then added as it is bounded."""
_WIDER = 1.25
"""Factor by which the spread grows while what is left out weighs too much."""
_PANEL_SHARE = 3e-7
"""Relative change of epsilon that panels may cause, about."""
FLOOR = 1e-300
"""What is smaller is not made more precise."""
_SMALLEST_KAPPA = 1e-200
"""Below it the spread of d is bounded as a whole: its terms would leave the normal floats."""
_MOST_TABLE = 3_000_000
"""Entries of a table of distributions at most: 24 MB. Fewer panels make the sides wider, not wrong."""
_FINEST = 2.0**60
"""How much finer than first thought panels may be made: more than there are counts."""
_BLUR = 3
"""Panels that are sorted into bins blur the ratios f_c(b)/f_c(t) too: about so many times as many are needed."""
_ROWS_SORTED = 15
"""Distributions, each following from another, that cost as much as a panel sorted into bins."""
_ROWS = 25
"""Distributions that cost as much as a panel summed term by term. Both measured; a wrong one costs time."""
_CHEAP = 100_000
"""Entries by which panels must be cheaper to be used at all."""
_STEPS = 60
"""Steps to the saddle point at most. It is an estimate on which no side rests."""
_LARGEST_EXPONENT = 600.0
"""Largest exponent of a tilt: e^600 = 4e260 leaves room for the moments."""
_LARGEST_LOSS = 1e30
"""Of a report of b or d, which counts for nothing long before: its fourth power, and the cube of its variance, are floats."""
_MOST_CORRECTION = 0.3
"""The saddle point's second-order correction is cut off here, where the expansion does not hold."""
_FAR = -20.0
"""Standard deviations below which the normal tail's own expansion stands for it: erfc vanishes at -38."""


class OptimalPairProfile:
    """delta(epsilon) of the pair; keeps its last window, and how much finer its panels must be than was thought."""

    def __init__(self, masses: PairMasses) -> None:
        self.masses = masses
        self._saddle = Saddle(masses)
        self._window: Window | None = None
        self._kept = (0.0, 0)
        self._finer = 1.0
        self._shortest_sorted = SHORT

    def delta(self, epsilon: Epsilon) -> tuple[float, float]:
        """Floats lower <= delta(epsilon) <= upper, for 0 <= epsilon < ln p.

        Raises UnsupportedError where epsilon is too near ln p or sums leave the range of floats.
        """
        constants = PairConstants.at(self.masses, epsilon)
        E_minus_1 = min(float(constants.E_minus_1), 1e300)
        log_delta, slope = self._saddle.log_delta(E_minus_1)
        guessed = min(max(-log_delta, 0.0), _MOST_SPREAD)
        spread = min(_FIRST_SPREAD + guessed + math.log(float(self.masses.q)), _MOST_SPREAD)
        moved = min(max(-slope * (E_minus_1 + 1) * math.log1p(E_minus_1), 1.0), 1 + guessed)  # of ln delta, by that of ln epsilon
        while True:
            window = self._windowed(constants, spread)
            sides = self._single_atom(constants, window) or self._sides(constants, window)
            lower, upper, tails = sides
            if tails > upper * _TAIL_SHARE and spread < _MOST_SPREAD:
                spread = min(spread * _WIDER, _MOST_SPREAD)
                continue
            coarse = (upper - lower - tails) / max(upper * 2 * _PANEL_SHARE * moved, FLOOR)
            if coarse <= 1 or window.tables is None or window.next_row == 0 or not self._refine(constants, spread, coarse):
                return lower, min(upper, 1.0)

    def _refine(self, constants: PairConstants, spread: float, coarse: float) -> bool:
        """Make panels finer next time, and if that has been tried sort only long ones into bins; whether that is possible."""
        before, sorted_before = self._panels(constants, spread), self._shortest_sorted
        if self._finer > 1:
            self._shortest_sorted = LONG
        wanted = before * min(max(1.25 * coarse, 2.0), 256.0)
        while self._panels(constants, spread) < wanted and self._finer < _FINEST:
            self._finer *= 2
        return self._panels(constants, spread) > before or sorted_before < self._shortest_sorted

    def _single_atom(self, constants: PairConstants, window: Window) -> tuple[float, float, float] | None:
        """Where a report of b or d outweighs every a that the window has, only b = d = 0 counts: delta is about that atom, from above.

        (q/n) A E[a; b = d = 0] = q r A (1 - r - rho/q)^(n - 1), and C outside the window adds at most q A Pr(C outside).
        """
        masses = self.masses
        with working():
            sigma = constants.A / constants.D
            if sigma * int(window.c[-1]) > min(Decimal(1), constants.kappa):
                return None
            r = masses.either / 2
            alone = ((masses.n - 1) * decimal_of(1 - r - masses.d).ln()).exp() if masses.n > 1 else Decimal(1)
            q = decimal_of(masses.q)
            atom = q * decimal_of(r) * constants.A * alone
            tails = q * constants.A * Decimal(window.outside)
            if not tails.is_finite():
                return 0.0, 1.0, math.inf
            ends = outward(atom * (1 - SCALAR_ERROR), (atom + tails) * (1 + SCALAR_ERROR))
        return *ends, float(tails)

    def _sides(self, constants: PairConstants, window: Window) -> tuple[float, float, float]:
        path = walk(window, slope=constants.slope, shift=constants.shift)
        kappa = float(constants.kappa)
        mean, spread = at_the_mean(window, path, kappa), (0.0, 0.0)
        if kappa > _SMALLEST_KAPPA:
            spread = added(window, path, kappa, shortest_sorted=self._shortest_sorted)
        anchor = window.anchor - window.left
        if not math.isfinite(mean[1] + spread[1]):
            raise out_of_range("sums leave the range of floats")
        with working():
            q = decimal_of(self.masses.q)
            tails = q * constants.A * Decimal(window.outside)
            if window.tables is not None:
                more_draws = int((window.ends[1:] - window.ends[:-1]).max()) - 1  # in the distribution of a panel than its last count has
                gained = constants.A + constants.E_minus_1 * decimal_of(self.masses.share * more_draws / self.masses.n)
                tails += q * (gained * Decimal(window.tables.below) + constants.E_minus_1 * Decimal(window.tables.above))
                if kappa <= _SMALLEST_KAPPA:  # the spread of d adds at most (q/n) D kappa E|d - s N|/2
                    tails += q * constants.E_minus_1
            if not tails.is_finite():
                return 0.0, 1.0, math.inf
            scale = log_mass(self.masses, c=window.anchor, b=int(path.b[anchor])).exp() * q * constants.D / self.masses.n
            lower = (Decimal(mean[0]) + Decimal(spread[0])) * scale * (1 - SCALAR_ERROR)
            upper = (Decimal(mean[1]) + Decimal(spread[1])) * scale * (1 + SCALAR_ERROR) + tails * (1 + SCALAR_ERROR)
        ends = outward(lower, upper)
        return max(ends[0], 0.0), ends[1], float(tails)

    def _windowed(self, constants: PairConstants, spread: float) -> Window:
        """The window kept from last time if it covers what is wanted without being far too large."""
        panels = self._panels(constants, spread)
        window, (width, parts) = self._window, self._kept
        fine = window is not None and (window.next_row == 0 or panels <= parts <= 4 * panels)
        if window is None or not (fine and spread <= width <= 1.5 * spread):
            spread, panels = 1.02 * spread, panels + panels // 16
            window = self._window = Window.of(self.masses, spread=spread, panels=panels)
            self._kept = spread, panels
        return window

    def _panels(self, constants: PairConstants, spread: float) -> int:
        n, either, share, kappa = self.masses.n, float(self.masses.either), float(self.masses.share), float(constants.kappa)
        c, draws, variance = max(n * either, 1.0), n * (1 - either), share * (1 - share)
        length = 2 * math.sqrt(2 * spread * c * (1 - either)) + spread
        width = 2 * math.sqrt(2 * spread * draws * variance) + 2 * spread
        allowed = _PANEL_SHARE / max(2 * kappa**2 * variance / c * self._finer, 1e-300)  # counts c that a panel may have, and one
        if allowed > SHORT * _BLUR:
            rows, wanted = _ROWS_SORTED, math.ceil(length * _BLUR / allowed)
        else:
            # the distributions of a panel of m counts are m + 1 draws apart, but nothing is lost by a panel for each count
            rows, wanted = _ROWS, math.ceil(length / (allowed - 1)) if allowed > 3 else 2 * math.ceil(length)
        if (length - rows * wanted) * width <= _CHEAP:
            wanted = 2 * math.ceil(length)
        return max(1, min(wanted, int(_MOST_TABLE / width)))


@dataclass
class Saddle:
    """ln delta at e^eps - 1, about, by the saddle point: where it was found last is where it is looked for next.

    delta = (q/n) E[X_+] for a sum X of n draws, and E[X_+] is the integral of Z(theta)^n/theta^2: about its value at the saddle point of
    f = n ln Z - 2 ln theta, over sqrt(2 pi f''), times 1 + f''''/(8 f''^2) - 5 f'''^2/(24 f''^3); and as much more or less as that is
    wrong for the normal distribution that X has about, tilted.
    """

    masses: PairMasses
    theta: float = 0.0

    def log_delta(self, E_minus_1: float) -> tuple[float, float]:
        """And its derivative in e^eps, which is that of n ln Z where it stands, nearly."""
        masses = self.masses
        x, r, d, n = float(masses.x), float(masses.either) / 2, float(masses.d), masses.n
        first = 1 - x - E_minus_1 * x
        if first <= 0:
            return -math.inf, -math.inf
        of_b, of_d = (max(v, -_LARGEST_LOSS) for v in (x - 1 - E_minus_1, -E_minus_1))
        atoms = ((first, r), (of_b, r), (of_d, d), (0.0, max(1 - 2 * r - d, 0.0)))
        low, high = -80.0, math.log(_LARGEST_EXPONENT / first)
        theta = min(self.theta or 1 / math.sqrt(n * max(2 * r * first**2, 1e-300)), math.exp(high))
        mean = variance = total = curvature = 0.0
        tilted: list[float] = []
        for _ in range(_STEPS):
            tilted = [w * math.exp(min(max(theta * v, -700.0), _LARGEST_EXPONENT)) for v, w in atoms]
            total = math.fsum(tilted)
            mean = sum(t * v for t, (v, _) in zip(tilted, atoms, strict=True)) / total
            variance = sum(t * (v - mean) ** 2 for t, (v, _) in zip(tilted, atoms, strict=True)) / total
            gradient, curvature = n * mean - 2 / theta, n * variance + 2 / theta**2
            place = math.log(theta)
            low, high = (place, high) if gradient < 0 else (low, place)
            step = -gradient / (curvature * theta)
            if abs(step) < 1e-7 or high - low < 1e-7:
                break
            following = place + min(max(step, -1.0), 1.0)
            theta = math.exp(following if low < following < high else (low + high) / 2)
        self.theta = theta
        third, fourth = (sum(t * (v - mean) ** k for t, (v, _) in zip(tilted, atoms, strict=True)) / total for k in (3, 4))
        scale = math.log(float(masses.q) / n) + n * math.log(total)
        value = scale - 2 * math.log(theta) - 0.5 * math.log(2 * math.pi * curvature)
        value += math.log(_corrected(theta, curvature, n * third, n * (fourth - 3 * variance**2)))
        spread = math.sqrt(n * variance)
        z = n * mean / spread - spread * theta if spread > 0 else -math.inf
        if z > _FAR:
            exact = spread * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) + z * math.erfc(-z / math.sqrt(2)) / 2)
            normal = math.log(max(exact, 1e-300)) - n * mean * theta + (spread * theta) ** 2 / 2
            value += normal + 2 * math.log(theta) + 0.5 * math.log(2 * math.pi * curvature)
            value -= math.log(_corrected(theta, curvature, 0.0, 0.0))
        slope = -n * theta * (x * tilted[0] + tilted[1] + tilted[2]) / total
        return value, slope


def _corrected(theta: float, curvature: float, third: float, fourth: float) -> float:
    """1 + f''''/(8 f''^2) - 5 f'''^2/(24 f''^3), where the sum has these cumulants."""
    correction = (fourth + 12 / theta**4) / (8 * curvature**2) - 5 * (third - 4 / theta**3) ** 2 / (24 * curvature**3)
    return 1 + min(max(correction, -_MOST_CORRECTION), _MOST_CORRECTION)
