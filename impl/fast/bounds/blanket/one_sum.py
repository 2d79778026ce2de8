"""E[(L_1 + ... + L_n)_+]/n in float64 with sound sides, for any distribution of L = u - E v: BEYOND.any-law-identity.

Distributions of few atoms, and many reports, are summed along a line (one_sum_contour); the rest on a grid, as follows.

Upper side. x -> E(s + x)_+ is convex, so that moving every atom to the two neighbouring points of a grid, its mean kept, raises the value:
T, the sum on the grid, has E[T_+] >= E[S_+] (BEYOND.any-law-grids). Lower side. For every test phi with values in [0, 1], random or not,
E[S_+] >= E[S phi]; phi = 1{T > 0} loses only what T and S differ by where S is near 0, which is of second order in the step. So every array
a_k = P(T = k h) travels with s_k = E[S; T = k h], and one pass gives both sides.

Powers by squaring: a block of 2m reports from two of m. Where an array grows too long its step is doubled: odd points go half to each
neighbour, which is a mean-preserving spread again. So any n costs about 2 log2 n products of arrays of bounded length.

Tilting. Arrays hold e^(theta T) P(T)/c^m, with theta > 0 near the saddle point of e^(n K(theta))/theta^2, K = ln E e^(theta L): the sum is
about the kink then, and delta = 1e-300 costs what 1e-6 costs. Since x_+ <= e^(theta x - 1)/theta, whatever is cut off, or wrong by e in the
sum of absolute values, contributes at most e c^n/(e theta) on the upper side; on the lower side what is cut off leaves the test.

Roundings. Every array has a bound on the sum of absolute errors: relative errors of its entries, and what `numeric.convolution` says.
"""

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.blanket import one_sum_contour
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import LARGEST_ANGLE, TRIG_ERROR, Floats
from shuffleproof.impl.fast.numeric.convolution import TRANSFORMS, convolved, one_norm
from shuffleproof.impl.fast.numeric.results import (
    EXP_ERROR,
    EXPONENTIALS,
    RESTS_ON as OF_ARITHMETIC,
    SCALAR_ERROR,
    Assumption,
    U,
    out_of_range,
    outward,
    working,
)
from shuffleproof.spec.vocabulary.errors import UnsupportedError

ASSUMPTIONS = (
    EXPONENTIALS,
    Assumption(
        what="numpy.cos and numpy.sin, beside 1", assumed=TRIG_ERROR, box=f"[-{LARGEST_ANGLE:.0e}, {LARGEST_ANGLE:.0e}]", worst=1.2e-16
    ),
    TRANSFORMS,
)
RESTS_ON = (*OF_ARITHMETIC, *(str(assumption) for assumption in ASSUMPTIONS))
_CUT = 1e-17
"""Probability, under the tilt, that trimming may cut off in all: below a rounding. A choice only: what is cut off is
added to the upper side."""
_MOST_OCTAVES = 60.0
"""Of rough tilts beyond those for the deviation of the sum, at most: losses far below 0 do not come back."""
_TILTS = 2.0 ** np.arange(-12.0, 8.0, 0.5)
_NEAR_SADDLE = 1e-6
"""The last step to the saddle point, in ln of the tilt. Any tilt is sound; a bad one makes the sides wide."""
_MOST_SADDLE_STEPS = 200
"""Steps to it at most."""
_STEEPEST = 8.0
"""The tilt from one grid point to the next is at most e^16."""
_LONGEST = 1 << 18
"""Points of a grid at most, beyond which the sum is refused."""
_LARGEST_EXPONENT = 690.0
"""Largest exponent of a tilt: e^690 = 5e299, so that sums of them stay floats."""
_FLAT = 1e-200
"""Largest loss, next to the others' size, below which the sum is taken for never positive from below: 0 is the lower side then."""
_TINY = 1e-300
"""Added to the upper side: above all that underflow takes."""
_NARROW = 1e-3
"""Sides nearer to each other than that are taken as they are."""
_NARROWER = 1e-5
"""The same of the wider smoothing: a grid may be nearer than its sides, of losses that are not far apart."""
_WIDER = 2.5e-3
"""Width of the smoothing of many atoms that have too many points at the usual one: the sides are within 1e-3 mostly."""
_MANY_ATOMS = 48
"""Atoms beyond which that is tried: fewer often stand on a lattice, where the sum on a grid is nearly exact."""
_NEARLY = 1.01
"""Factor on the doubt of the atoms' places up to which the bounds by one report are taken: a grid would not be closer."""


@dataclass(frozen=True)
class Losses:
    """A distribution of L at one order E: atoms, and 0 with the probability that is left.

    mass: probabilities; at: where an atom stands in a distribution that is above in the convex order, rounded up; worth: the mean of L
    there, rounded down. error: the relative error of a mass.
    """

    mass: Floats
    at: Floats
    worth: Floats
    error: float

    @property
    def rest(self) -> float:
        """The probability of 0 that is left, rounded up."""
        return max(0.0, 1.0 - float(self.mass.sum()) * (1 - self.error) + 2 * U) if len(self.mass) else 1.0


@dataclass(frozen=True)
class _Block:
    """The tilted distribution of a sum of some reports, from index `first` on, in steps of h = 2^level: a, and s = E[S; T].

    wrong_a, wrong_s: sums of absolute errors; lost: what has been cut off of a at most; noise: what spreading adds to cumulants, about.
    """

    first: int
    level: int
    a: Floats
    s: Floats
    wrong_a: float
    wrong_s: float
    lost: float
    noise: Floats


def sides(losses: Losses, *, n: int, length: int, width: float = one_sum_contour.WIDTH) -> tuple[float, float]:
    """Floats around E[(L_1 + ... + L_n)_+]/n, both at least 0. n: at least 1.

    length: about the number of points of a grid; width: of the smoothing, where there is none.
    """
    return summed(losses, n=n, length=length, width=width)[:2]


def summed(
    losses: Losses, *, n: int, length: int, width: float = one_sum_contour.WIDTH, both: bool = False, line_alone: bool = False
) -> tuple[float, float, bool]:
    """Return the sides, and whether a grid was summed that is nearer than the line on neither of them.

    both: whether the better of both is wanted, which a lattice of losses may make the grid; line_alone: whether it is no use to sum one.
    """
    if not len(losses.at) or float(losses.at.max()) <= 0.0:
        return 0.0, 0.0, False
    at_most = of_one(losses)
    if float(losses.at.max()) < _FLAT * max(1.0, float(np.abs(losses.at).max())):
        return 0.0, at_most, False
    at_least = _alone(losses, n)
    found, narrow = approached(losses, n=n, width=width), _NARROW
    if found is None and len(losses.at) > _MANY_ATOMS:
        found, narrow = approached(losses, n=n, width=_WIDER), _NARROWER
    if found is not None:
        at_least, at_most = max(found[0], at_least), min(found[1], at_most)
        if line_alone or (not both and (at_most - at_least <= narrow * at_most or _by_doubt(losses, n, at_least, at_most))):
            return at_least, at_most, line_alone
    try:
        lower, upper = on_a_grid(losses, n=n, length=length)
    except UnsupportedError:  # beyond the floats: what holds without a sum
        return at_least, at_most, False
    return max(lower, at_least), min(upper, at_most), found is not None and lower <= at_least and at_most <= upper


def _by_doubt(losses: Losses, n: int, at_least: float, at_most: float) -> bool:
    """Return whether the sides differ as much as the doubt about each loss makes them: a grid would not bring them together then."""
    if not at_least > 0.0:
        return False
    theta = saddle(losses, n)[0]
    tilted = losses.mass * np.exp(np.minimum(theta * losses.at, _LARGEST_EXPONENT))
    doubt = theta * n * float((tilted * (losses.at - losses.worth)).sum()) / (float(tilted.sum()) + losses.rest)
    return math.log(at_most) - math.log(at_least) <= _NARROW + _NEARLY * doubt


def on_a_grid(losses: Losses, *, n: int, length: int) -> tuple[float, float]:
    """The sides from sums on a grid, for a distribution with a loss above 0. Raises UnsupportedError beyond the floats."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # what is not finite is refused at the end
        return _Sum(losses, n, length).sides()


def by_tilts(losses: Losses, n: int) -> float:
    """E[(L_1 + ... + L_n)_+]/n at most, cheaply and roughly: x_+ <= e^(t x - 1)/t, for the best of some t.

    From 1/4 over the deviation of the sum to 32 over that of positive losses, in quarters of octaves: a few percent worse than any.
    """
    if not len(losses.at) or float(losses.at.max()) <= 0.0:
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):  # beyond the floats one report says what there is to say
        whole, gained = (
            math.sqrt(n) * math.sqrt(max(float((losses.mass * at**2).sum()), float(np.square(np.abs(at).max() / n))))
            for at in (losses.at, np.maximum(losses.at, 0.0))
        )
    if not 0.0 < gained <= whole < math.inf:
        return of_one(losses)
    tilts = 2.0 ** np.arange(-2.0, 5.0 + min(_MOST_OCTAVES, math.log2(whole / gained)), 0.25) / whole
    tilts = tilts[tilts * float(losses.at.max()) < _LARGEST_EXPONENT]
    exponents = np.maximum(np.multiply.outer(tilts, losses.at), -_LARGEST_EXPONENT)
    moments = np.exp(exponents) @ losses.mass * (1 + losses.error) + losses.rest
    doubt = (n * (len(losses.at) + 8 + 4 * _LARGEST_EXPONENT)) * 4 * U + 1e-9  # as for every tilted moment, with room to spare
    logs = n * np.log(moments) - 1 - np.log(tilts * n) + doubt
    least = float(logs.min(initial=math.inf))
    return min(of_one(losses), math.exp(least) + _TINY if least < _LARGEST_EXPONENT else math.inf)


def of_one(losses: Losses) -> float:
    """E[L_+], not less: what any number of reports gives at most."""
    return float((losses.mass * np.maximum(losses.at, 0.0)).sum()) * (1 + losses.error + 2 * len(losses.at) * U) + _TINY


def approached(losses: Losses, *, n: int, width: float) -> tuple[float, float] | None:
    """The sides without a grid, at a cost that grows with 1/width; None where there are too many atoms, or too few reports."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return one_sum_contour.sides(losses.mass, losses.at, losses.worth, error=losses.error, n=n, width=width)
    except ArithmeticError:  # beyond the floats
        return None


def _alone(losses: Losses, n: int) -> float:
    """A lower side without a sum, nearly exact where E is far above n: one report gains, and none loses much.

    The test is "some L > 0 and no L < -t". With p = P(L > 0) and b = P(L < -t) it leaves E[L_+] (1 - b)^(n - 1), 1 - (n - 1) b at least,
    for a report that gains, and takes E[-L; -t <= L < 0] min(1, (n - 1) p) at most for one that loses little; the best atom is taken for t.
    """
    order = np.argsort(-losses.worth)
    mass, worth = losses.mass[order], losses.worth[order]
    gained = int((worth > 0.0).sum())
    slack = losses.error + (2 * len(mass) + 8) * U
    gain, p = (float(x.sum()) for x in (mass[:gained] * worth[:gained], mass[:gained]))
    small = np.concatenate([[0.0], np.cumsum(-mass[gained:] * worth[gained:])])
    large = np.concatenate([np.cumsum(mass[gained:][::-1])[::-1], [0.0]])
    hidden = np.maximum(1.0 - (n - 1) * large * (1 + slack), 0.0)
    left = gain * hidden * (1 - slack) - small * min(1.0, (n - 1) * p * (1 + slack)) * (1 + slack)
    # the test "some L is one of the largest": n E[L_1; test], the others' mean at its worst; without a count of small losses
    tops, shares, total = np.cumsum(mass * worth), np.cumsum(mass), float((mass * worth).sum())
    others = np.minimum(total - tops, 0.0) * np.minimum((n - 1) * shares * (1 + slack), 1.0)
    doubt = slack * float((mass * np.abs(worth)).sum())
    of_largest = float((tops + others).max()) - 2 * doubt if len(tops) else 0.0
    return max(0.0, float(left.max()) - 8 * U * gain, of_largest)


def saddle(losses: Losses, n: int) -> tuple[float, float]:
    """(theta, ln of about E[(L_1 + ... + L_n)_+]/n) by the saddle point: a guess."""
    mass, scale = losses.mass, float(np.abs(losses.at).max())
    x = losses.at / scale
    # From where the second moment at 0 would take it.
    first, second = float((mass * x).sum()), float((mass * x * x).sum())
    t = (math.sqrt(first * first + 8 * second / n) - first) / (2 * second) if second > 0.0 else 1.0
    moments = one_sum_contour.of_many(mass, x, max(0.0, 1.0 - float(mass.sum())))
    start = math.log(t) if 0.0 < t < math.inf else 0.0
    t, guess, _ = one_sum_contour.saddle_from(start, moments, n, close=_NEAR_SADDLE, most=_MOST_SADDLE_STEPS)
    return t / scale, guess + math.log(scale) - math.log(n)


class _Sum:
    def __init__(self, losses: Losses, n: int, length: int) -> None:
        self.n, self.length = n, length
        self.theta = min(saddle(losses, n)[0], _LARGEST_EXPONENT / 2 / float(losses.at.max()))
        # What hardly counts under the tilt is cut off at once: its tilted mass is `aside`.
        self.rest = losses.rest
        tilted = _exp(self.theta * losses.at) * losses.mass
        total = float(tilted.sum()) + self.rest
        kept = tilted > _CUT / 64 / n * total
        if not kept.any():
            raise out_of_range("losses are too rare for the threshold")
        self.losses = Losses(losses.mass[kept], losses.at[kept], losses.worth[kept], losses.error)
        aside = float(tilted[~kept].sum()) * (1 + losses.error + 1e-9)
        at, tilt = self.losses.at, tilted[kept]
        mean = float((tilt * at).sum()) / total
        deviation = math.sqrt(max(float((tilt * at * at).sum()) / total - mean * mean, 0.0))
        span = float(max(at.max(), 0.0) - min(at.min(), 0.0))
        if not span / length > _TINY:
            raise out_of_range("losses are too small for a grid")
        self.level = math.floor(math.log2(span / length))
        highest = min(_STEEPEST / math.ldexp(1.0, self.level), _LARGEST_EXPONENT / 2 / float(losses.at.max()))
        if self.theta > highest:  # the grid is too coarse for it: any theta is sound, where nothing has been cut off
            self.theta, self.losses, aside = highest, losses, 0.0
            at, tilt = losses.at, _exp(self.theta * losses.at) * losses.mass
            total = float(tilt.sum()) + self.rest
            self.level = math.floor(math.log2((max(float(at.max()), 0.0) - min(float(at.min()), 0.0)) / length))
        # ln E_theta e^(t L) at some t: where the sum of m reports can be, up to probability p, is within (m K(t) - ln p)/t
        tilts = _TILTS / max(deviation, span * 1e-9)
        self.tilts = np.concatenate([tilts, -tilts])
        exponents = np.outer(self.tilts, at)
        # The largest is taken out: where one atom alone counts under the tilt they are far from 0.
        top = np.maximum(exponents.max(axis=1), 0.0 if self.rest else -math.inf)
        self.cumulants = top + np.log((np.exp(exponents - top[:, None]) @ tilt + self.rest * np.exp(-top)) / total)
        self.c, self.aside = total, aside / total * (1 + 1e-9)
        self.ones: dict[int, _Block] = {}

    def sides(self) -> tuple[float, float]:
        block, reports = self.one(self.level), 1
        for bit in bin(self.n)[3:]:
            block, reports = self._product(block, block), 2 * reports
            block = self._trimmed(block, reports)
            if bit == "1":
                block, reports = self._product(block, self.one(block.level)), reports + 1
                block = self._trimmed(block, reports)
        assert reports == self.n
        return self._ends(block)

    def one(self, level: int) -> _Block:
        if level not in self.ones:
            self.ones[level] = self._one(level)
        return self.ones[level]

    def _one(self, level: int) -> _Block:
        """One report on the grid of step 2^level."""
        at, mass, worth = self.losses.at, self.losses.mass, self.losses.worth
        h = math.ldexp(1.0, level)
        cells = np.floor(at / h)
        part = at / h - cells  # exact: a scaling, and a difference of neighbours
        below = cells.astype(np.int64)
        first = min(0, int(below.min()))
        size = max(0, int(below.max()) + 1) - first + 1
        a, s, wrong, wrong_s = np.zeros(size), np.zeros(size), 0.0, 0.0
        relative = 0.0
        for index, share in ((below, 1.0 - part), (below + 1, part)):
            exponent: Floats = (self.theta * h) * index.astype(np.float64)
            weight = mass * share * _exp(exponent) / self.c
            np.add.at(a, index - first, weight)
            np.add.at(s, index - first, weight * worth)
            error = self.losses.error + EXP_ERROR + (8 + 3 * np.abs(exponent)) * U
            wrong += float((weight * error).sum())
            wrong_s += float((weight * np.abs(worth) * error).sum())
            relative = max(relative, float(error.max()))
        rest = self.rest
        a[-first] += rest / self.c
        count = len(at) + 1
        gathered = count * U  # of sums of so many terms, at most
        wrong = (wrong + gathered * float(a.sum()) + (float(mass.sum()) * (self.losses.error + count * U) + 4 * U) / self.c) * (1 + 1e-6)
        wrong_s = (wrong_s + gathered * float(np.abs(s).sum())) * (1 + 1e-6)
        return _Block(first, level, a, s, wrong, wrong_s, self.aside, self._noise(h))

    def _product(self, x: _Block, y: _Block) -> _Block:
        assert x.level == y.level
        same = x is y
        a, fft_a = convolved(x.a, y.a)
        s, fft_s = convolved(x.s, y.a)
        if same:
            s, fft_s = 2 * s, 2 * fft_s
        else:
            other, fft_other = convolved(x.a, y.s)
            s, fft_s = s + other, fft_s + fft_other + U * (one_norm(s) + one_norm(other))
        np.maximum(a, 0.0, out=a)
        of_x, of_y, s_x, s_y = one_norm(x.a), one_norm(y.a), one_norm(x.s), one_norm(y.s)
        wrong_a = fft_a + x.wrong_a * of_y + (of_x + x.wrong_a) * y.wrong_a
        wrong_s = fft_s + x.wrong_s * of_y + (s_x + x.wrong_s) * y.wrong_a + y.wrong_s * of_x + (s_y + y.wrong_s) * x.wrong_a
        all_x, all_y = of_x + x.wrong_a + x.lost, of_y + y.wrong_a + y.lost
        lost = x.lost * all_y + all_x * y.lost
        return _Block(x.first + y.first, x.level, a, s, wrong_a * (1 + 1e-9), wrong_s * (1 + 1e-9), lost * (1 + 1e-9), x.noise + y.noise)

    def _trimmed(self, x: _Block, reports: int) -> _Block:
        """Cut to where the sum of so many reports can be, and on a coarser grid if it is still too long."""
        h = math.ldexp(1.0, x.level)
        logarithm = math.log(_CUT * reports / self.n)
        ends = (reports * self.cumulants + x.noise - logarithm) / self.tilts
        if np.isnan(ends).any():
            raise out_of_range("the tilted sums leave the floats")
        half = len(self.tilts) // 2
        high = math.ceil(min(float(ends[:half].min()) / h, 1e15)) + 2 - x.first
        low = math.floor(max(float(ends[half:].max()) / h, -1e15)) - 2 - x.first
        low, high = max(low, 0), min(high, len(x.a) - 1)
        lost = x.lost
        if low > 0 or high < len(x.a) - 1:
            lost += (float(x.a[:low].sum()) + float(x.a[high + 1 :].sum())) * (1 + 1e-9)
            x = _Block(x.first + low, x.level, x.a[low : high + 1], x.s[low : high + 1], x.wrong_a, x.wrong_s, lost, x.noise)
        while len(x.a) > self.length and self.theta * math.ldexp(1.0, x.level) < _STEEPEST:
            x = self._coarser(x)
        if len(x.a) > _LONGEST:
            raise out_of_range("the losses of one report are too far apart for the threshold")
        return x

    def _coarser(self, x: _Block) -> _Block:
        """The same on a grid of twice the step: odd points go half to each neighbour."""
        exponent = self.theta * math.ldexp(1.0, x.level)
        up, down = math.exp(exponent) / 2, math.exp(-exponent) / 2
        begin = x.first // 2
        lead = x.first - 2 * begin
        size = (len(x.a) + lead) // 2 + 1
        made = []
        for array in (x.a, x.s):
            padded = np.zeros(2 * size)
            padded[lead : lead + len(array)] = array
            even, odd = padded[0::2].copy(), padded[1::2]
            even += odd * down
            even[1:] += odd[:-1] * up
            made.append(even)
        a, s = made
        grown = (up + down) * (1 + 8 * U)
        more = (8 + 2 * exponent) * U
        return _Block(
            begin,
            x.level + 1,
            a,
            s,
            (x.wrong_a * grown + more * one_norm(x.a) * grown) * (1 + 1e-9),
            (x.wrong_s * grown + more * one_norm(x.s) * grown) * (1 + 1e-9),
            x.lost * grown,
            x.noise + self._noise(math.ldexp(1.0, x.level)),
        )

    def _noise(self, h: float) -> Floats:
        """About ln cosh((theta + t) h), which one more spread over a step h adds to the cumulants at most."""
        steep = (np.abs(self.tilts) + self.theta) * h
        noise: Floats = np.minimum(steep * steep / 2, steep)
        return noise

    def _ends(self, x: _Block) -> tuple[float, float]:
        h = math.ldexp(1.0, x.level)
        start = max(0, 1 - x.first)
        k = np.arange(x.first + start, x.first + len(x.a), dtype=np.float64)
        exponent = np.minimum(self.theta * h * k, 740.0)
        weight = np.exp(-exponent)
        roundings = EXP_ERROR + (8 + 3 * exponent) * U
        raised = x.a[start:] * (k * h) * weight
        upper = float((raised * (1 + roundings)).sum()) * (1 + len(k) * U) + (x.wrong_a + x.lost) / (math.e * self.theta) * (1 + 1e-9)
        parts = x.s[start:] * weight
        lower = float(parts.sum()) - float((np.abs(parts) * roundings).sum()) - len(k) * U * one_norm(parts) - x.wrong_s * (1 + 1e-9)
        with working():
            if not (math.isfinite(upper) and math.isfinite(lower)):
                raise out_of_range("the sums leave the floats")
            factor = (Decimal(self.c).ln() * self.n).exp() / self.n
            low = Decimal(max(lower, 0.0)) * factor * (1 - SCALAR_ERROR)
            high = Decimal(upper) * factor * (1 + SCALAR_ERROR)
            return outward(low, high)


def _exp(x: Floats) -> Floats:
    if len(x) and float(x.max()) > _LARGEST_EXPONENT:
        raise out_of_range("a loss is too large for its probability")
    y: Floats = np.exp(x)
    return y
