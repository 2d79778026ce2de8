"""delta of r separately recognisable bit sums, certified: from above for all datasets, by composition of one curve that bounds every run.

A run's profile over all numbers of ones among the others is at most H, the largest of the profiles of blocks of datasets (see
`worst_dataset`). H is taken at the grid e^(i h) and joined by straight lines in e^epsilon, which for a convex function errs upward; the
result is the profile of a discrete pair with losses i h, which dominates every run, so its r-fold product dominates all runs together
(ledger: CSUZZ19.Profile.grid). Losses beyond the grid count as infinite. Every rounding is on the upper side.

From below on one dataset, the same number of ones in every run (`Dataset`): the losses of one run are rounded down to a grid, and their
weights in the first distribution down to certified lower ends, so that the r-fold convolution, a mean of (1 - e^(epsilon - loss))_+, errs
downward.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from flint import arb, arb_poly

from shuffleproof.impl.ball.bounds.sums.noisy_bits import half_window
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum, worst
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import mass
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_R = 256
"""Runs composed at most: beyond, the convolution takes minutes."""
_LARGEST_WINDOW = 20_000
"""Half width, in terms, of a run's window at most."""
_BLOCKS = 96
"""Blocks of datasets over which the curve of all runs is the largest. More make it closer."""
_PER_DEVIATION = 12
"""Steps of the grid of losses in a standard deviation of the loss of one run. More make chords closer."""
BITS = 192
"""Working precision in bits: 58 digits, of which products of r curves use a few."""
_MOST_POINTS = 1_500
"""Points of the grid of losses at most."""
_MOST_LOSSES = 8_000
"""Losses of the r-fold convolution, about: its time grows with their square."""
_FINER = 6
"""How much finer than the grid from above this one is, at most. It is rounded downward, so that any is sound."""
_NEGLIGIBLE = Fraction(1, 1000)
"""Part of delta that what lies beyond the grid may add."""
_SAFE = 12.0
"""Natural orders of magnitude below the delta in question at which something is left out."""


@dataclass(frozen=True)
class Runs:
    """r runs of a bit sum, on a grid of losses: step h, from -points h to points h.

    left_out: about e^-left_out of each distribution of noisy bits is left out of the sums, and counted in full on the upper side.
    """

    run: Sum
    r: int
    step: Fraction
    points: int
    left_out: float

    def delta(self, epsilon: Epsilon) -> Fraction:
        """Not below the delta of any dataset at epsilon."""
        with precision(BITS):
            E, infinite, weights = exp_of(epsilon), self._infinite, self._together
            start = math.floor(epsilon.bounds(bits=64)[0] / self.step)
            total = 1 - (1 - infinite) ** self.r
            for index in range(max(start, -self.r * self.points), self.r * self.points + 1):
                gain = 1 - E * ball(-self.step * index).exp()
                if not gain < 0:
                    total += weights[index + self.r * self.points] * gain.max(arb(0))
            return min(upper_end(total), Fraction(1))

    @property
    def _infinite(self) -> arb:
        return self._curve[self.points]

    @cached_property
    def _curve(self) -> list[arb]:
        """H at e^(i h), i = 0, ..., points: exact numbers, not below."""
        with precision(BITS):
            orders = [ball(self.step * i).exp() for i in range(self.points + 1)]
            best = [arb(0)] * (self.points + 1)
            others = self.run.others
            edges = sorted({(others + 1) * i // min(_BLOCKS, others + 1) for i in range(min(_BLOCKS, others + 1) + 1)})
            for least, after in pairwise(edges):
                shared = self.run.shared(least, after - 1)
                for i, value in enumerate(_profile(shared.ones, shared.zeros, self.run.p, orders, self.left_out)):
                    best[i] = best[i].max(value)
            return best

    @cached_property
    def _together(self) -> list[arb]:
        """The weights of the losses of r runs in the first distribution of the pair, from -r points h to r points h."""
        with precision(BITS):
            weights = arb_poly(_first_distribution(self._curve, [ball(self.step * i).exp() for i in range(-self.points, self.points + 1)]))
            together = power(weights, self.r)
            return together + [arb(0)] * (2 * self.r * self.points + 1 - len(together))


def composed(run: Sum, r: int, *, least_delta: Fraction) -> Runs:
    """Runs with a grid that is fine enough where delta is about least_delta or larger.

    run: changed = 1, p in (0, 1/2); r at most 256. Raises ResourceLimitError, UndecidedError.
    """
    require_affordable(r)
    variance, largest = run.dataset(0).variance, run.largest.bounds(bits=64)[1]
    wanted = math.log(least_delta.denominator) - math.log(max(least_delta.numerator, 1)) + math.log(r) + _SAFE
    if half_window(variance, wanted + _SAFE) > _LARGEST_WINDOW:
        raise ResourceLimitError(what="a run's distribution", needed=f"variance {about(variance)}", limit=f"about {_LARGEST_WINDOW} terms")
    reach = min(Fraction(math.sqrt(2 * wanted / variance)), largest)
    while reach < largest and worst(run, Epsilon(reach, None), digits=1).upper * r > least_delta * _NEGLIGIBLE:
        reach *= Fraction(9, 8)
    # In a sum of few noisy bits the losses are large and few, and the grid need not be finer than they are.
    step = Fraction(min(1 / (_PER_DEVIATION * math.sqrt(variance)), float(largest) / 64))
    points = math.ceil(min(reach, largest) / step)
    if points > _MOST_POINTS:
        points, step = _MOST_POINTS, Fraction(float(min(reach, largest)) / _MOST_POINTS * (1 + 2.0**-40))
    return Runs(run, r, step, points, wanted + _SAFE)


def power(weights: arb_poly, r: int) -> list[arb]:
    """The coefficients of the r-th power."""
    product = arb_poly([1])
    for bit in bin(r)[2:]:
        product = product * product
        product = product * weights if bit == "1" else product
    coefficients: list[arb] = product.coeffs()
    return coefficients


def distribution_of_bits(ones: int, zeros: int, p: Fraction, left_out: float) -> tuple[list[arb], arb]:
    """The distribution of the number of ones of noisy bits, in a window, and not less than what is left out of it in all."""
    (up, lost_up), (down, lost_down) = _distribution(zeros, p, left_out), _distribution(ones, p, left_out)
    return (arb_poly(up) * arb_poly(down[::-1])).coeffs(), lost_up + lost_down


def require_affordable(r: int) -> None:
    """Raise ResourceLimitError for more runs than are composed."""
    if r > LARGEST_R:
        raise ResourceLimitError(what="composition of tagged runs", needed=f"r = {r}", limit=f"r = {LARGEST_R}")


def _profile(ones: int, zeros: int, p: Fraction, orders: list[arb], left_out: float) -> list[arb]:
    """Numbers not below D(X + Ber(1 - p) || X + Ber(p)) at rising orders E, X the noisy bits: a f(t) - (E - 1) Pr(X > t) at the best t.

    a = 1 - p - E p, b = a + E - 1, and t + 1 is the first c with a f(c - 1) >= b f(c); it rises with E.
    """
    f, lost = distribution_of_bits(ones, zeros, p, left_out)
    beyond = [arb(0)] * len(f)
    for t in range(len(f) - 2, -1, -1):
        beyond[t] = beyond[t + 1] + f[t + 1]
    flip, values, t = ball(p), [], 0
    for E in orders:
        a, b = 1 - flip - E * flip, E * (1 - flip) - flip
        if not a > 0:  # at the largest loss: the divergence is at most a, or 0
            values.append(arb(a.max(arb(0)).upper()))
            continue
        while t + 1 < len(f) and a * f[t] < b * f[t + 1]:
            t += 1
        value = a * f[t] - (E - 1) * beyond[t] + lost
        if t + 1 < len(f) and not a * f[t] >= b * f[t + 1]:
            value += abs(a * f[t] - b * f[t + 1])
            if t + 2 < len(f) and not a * f[t + 1] >= b * f[t + 2]:
                raise UndecidedError(quantity="the cut of a run", enclosure=("0", "1"), precision=BITS)
        values.append(arb(value.upper()))
    return values


def _distribution(m: int, p: Fraction, left_out: float) -> tuple[list[arb], arb]:
    """The masses of Bin(m, p) in a window, and what lies outside it."""
    half = math.ceil(half_window(float(m * p * (1 - p)), left_out)) + 2
    centre = math.floor(m * p)
    first, last = max(0, centre - half), min(m, centre + half)
    odds, masses = ball(p / (1 - p)), [mass(m, p, first)]
    for c in range(first, last):
        masses.append(masses[-1] * (m - c) * odds / (c + 1))
    lost = arb(0)
    if first > 0:
        lost += _geometric(masses[0], masses[1])
    if last < m:
        lost += _geometric(masses[-1], masses[-2])
    return masses, lost


def _geometric(outer: arb, inner: arb) -> arb:
    ratio = outer / inner
    if not ratio < 1:
        raise UndecidedError(quantity="a window of a run", enclosure=("0", "1"), precision=BITS)
    return arb((outer * ratio / (1 - ratio)).upper())


def _first_distribution(curve: list[arb], orders: list[arb]) -> list[arb]:
    """P({loss i h}), i = -points, ..., points, of the pair whose profile joins the curve's points: at least them, convex, 1 at order 0.

    With slopes -S_j between e^(j h) and e^((j + 1) h): Q_(j + 1) = S_j - S_(j + 1), P = E Q. Below order 1 the curve is that of the other
    direction, which is the same one: 1 - E + E H(1/E).
    """
    points = len(curve) - 1
    heights = [curve[abs(i)] if i >= 0 else 1 - orders[i + points] * (1 - curve[-i]) for i in range(-points, points + 1)]
    weights = [arb(0)] * len(heights)
    above, slope = heights[-1], arb(0)
    for j in range(len(heights) - 2, -1, -1):
        width = orders[j + 1] - orders[j]
        height = heights[j].max(above + slope * width)
        steeper = (height - above) / width
        weights[j + 1] = orders[j + 1] * (steeper - slope)
        above, slope = height, steeper
    rest = 1 - curve[-1]
    for weight in weights:
        rest -= weight
    weights[0] = rest.max(arb(0))
    return [weight.max(arb(0)) for weight in weights]


def least_epsilon(runs: Runs, delta: Fraction, *, low: Fraction, high: Fraction, width: Fraction) -> Fraction:
    """An epsilon, at most high, at which the composition is certified to be at most delta; about the least such, to a relative width."""
    while high - low > width * high:
        middle = (low + high) / 2
        with precision(64):
            middle = lower_end(arb(ball(middle).mid()))
        if runs.delta(Epsilon(middle, None)) <= delta:
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True)
class Dataset:
    """r runs, k of the others holding 1 in each; losses on the grid of this step, from -points to points. left_out: as in `Runs`."""

    run: Sum
    r: int
    k: int
    step: Fraction
    points: int
    left_out: float

    def delta(self, epsilon: Epsilon) -> Fraction:
        """Not above the delta of this dataset at epsilon."""
        lowest, weights = self._together
        with precision(BITS):
            E, total = exp_of(epsilon), arb(0)
            start = max(math.floor(epsilon.bounds(bits=64)[1] / self.step) + 1, lowest)
            for index in range(start, lowest + len(weights)):
                total += weights[index - lowest] * (1 - E * ball(-self.step * index).exp())
            return max(lower_end(total), Fraction(0))

    @cached_property
    def _together(self) -> tuple[int, list[arb]]:
        """The smallest multiple of the step, and the weights of it and of all larger ones."""
        with precision(BITS):
            losses: dict[int, arb] = {}
            f, lost = distribution_of_bits(self.k, self.run.others - self.k, self.run.p, self.left_out)
            flip = ball(self.run.p)
            for before, here in zip([arb(0), *f], [*f, arb(0)], strict=True):
                first = flip * here + (1 - flip) * before
                second = (1 - flip) * here + flip * before + lost
                if not first > 0:
                    continue
                index = min(math.floor(ends((first / second).log())[0] / self.step), self.points)
                if index < -self.points:  # too little loss to matter
                    continue
                losses[index] = losses.get(index, arb(0)) + ball(max(lower_end(first), Fraction(0)))
            lowest = min(losses)
            weights = [losses.get(index, arb(0)) for index in range(lowest, max(losses) + 1)]
            return lowest * self.r, power(arb_poly(weights), self.r)


def datasets(runs: Runs) -> list[Dataset]:
    """Two datasets worth looking at: all of the others hold 1, and half of them."""
    finer = max(1, min(_FINER, _MOST_LOSSES // (2 * runs.points * runs.r)))
    others = runs.run.others
    return [Dataset(runs.run, runs.r, k, runs.step / finer, runs.points * finer, runs.left_out) for k in sorted({others, others // 2})]
