"""E[(L_1 + ... + L_n)_+]/n certified on a grid, for any distribution of L = u - E v, at a cost of about log n: BEYOND.any-law-identity.

Fixed point: arrays hold integers in units of 2^-bits, products are products of integer polynomials, exact, and every division rounds
down by less than one unit per entry; so all errors are counted in units, as integers. Locations of atoms are exact dyadic numbers, rounded
up; masses come from balls.

Sides. A location between two points k h and (k + 1) h is spread to both, its mean kept: x -> E(s + x)_+ is convex, so that T, the sum of
what has been spread, gives an upper side (BEYOND.any-law-grids); doubling the step spreads odd points again. With s_k = E[S; T = k h]
beside a_k = P(T = k h) the same pass gives E[S; T > 0], a lower side, as E[S phi] is for every test phi.
Tilt. a_k and s_k are kept times e^(theta k h)/c^m, so that the kink is where the mass is; x_+ <= e^(theta x - 1)/theta bounds what an
amount of a that was cut off, or lost to rounding, is worth on the upper side. On the lower side what is cut off leaves the test.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from flint import arb, arb_poly, fmpz_poly

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, floors, lower_end, upper_end
from shuffleproof.impl.ball.numeric.budget import spend
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about

Atom = tuple[arb, arb, arb]
"""A mass; where it stands in a distribution that is above in the convex order; the mean of L there."""
_TILTS = tuple(sign * 2.0 ** (j / 2) for sign in (1, -1) for j in range(-24, 16))
_SADDLE_STEPS = 200
"""Steps to the saddle point at most. Any tilt is sound; a bad one makes the sides wide."""
_STEEPEST = 8.0
"""The tilt from one grid point to the next is at most e^16."""
_IN_VIEW = 400
"""Powers of 2 between the largest loss above 0 and the largest of all, within which floats see both squared."""
_FARTHEST = -(2.0**500)
"""Losses below that are as far for what floats guess."""
LONGEST = 1 << 16
"""Points of a grid, at most, beyond which an answer is undecided."""
_HOPELESS = 0.12
"""Logarithm by which the first spreading on the longest grid may raise the upper side: a probe may be 3 % wide at most."""
_LEAST_BITS = 1 << 16
"""Smaller values than 2^-65536 are not told apart where sides say nothing: a number e^(-4e9) has 700 MB."""
_USUAL_EXCESS = 20.0
"""What is cut off may cost more than it would in the middle of a normal sum by this logarithm; where it is more, less is cut off."""
_MARGIN = 6.0
"""What is cut off of one report is smaller than what trimming may cut off by this logarithm, so that it hardly adds to it."""
_GUIDED = 40.0
"""Units of work (evaluation.spend) to find the saddle point, per atom."""
_PLACED = 200.0
"""Units of work to place an atom on a grid."""
_MULTIPLIED = 1.3
"""Units of work to multiply a point of a grid. All three were fitted to times; they decide only when an answer is
refused as too costly."""
_USUAL_BITS = 400
"""Products of polynomials take longer in proportion from there on, long before single numbers do."""
_LARGE = 1 << 26
"""Bits of the two factors from which on a product takes longer than in proportion: it is no longer in the processor's cache."""
_MOST_BITS = 1 << 28
"""Of the two factors of one product: 256 Mbit take 0.7 GB. Where there is no memory left, the library ends the program."""
_PLACES = 64
"""Locations are rounded up by less than 2^-64 of a step or so."""


@dataclass(frozen=True)
class Sides:
    """lower <= E[(L_1 + ... + L_n)_+]/n <= upper; rounding: the part of upper - lower that more bits would remove."""

    lower: Fraction
    upper: Fraction
    rounding: Fraction


@dataclass(frozen=True)
class Guide:
    """Floats for guesses, which decide nothing: losses in units of 2^unit, the tilt theta, cumulants under it.

    estimate: the logarithm of about the value; excess: how far e^(n K(theta) - 1)/(n theta) is above that, which all that is lost costs.
    """

    unit: int
    theta: float
    deviation: float
    cumulants: tuple[float, ...]
    tilts: tuple[float, ...]
    estimate: float
    excess: float


def enclose(atoms: Sequence[Atom], *, n: int, length: int, bits: int, cut: float) -> Sides:
    """Both sides for n >= 1 reports on grids of about `length` points, with fixed-point numbers of so many bits after the point.

    atoms: balls; with the probability that is left L = 0. cut: the logarithm of about what may be cut off in all, below 0.
    Works at the current precision, which should exceed bits by 40 or so.
    """
    if not any(at.upper() > 0 for _, at, _ in atoms):
        return Sides(Fraction(0), Fraction(0), Fraction(0))
    problem = _Sum(atoms, n, length, bits, cut)
    return problem.sides() if problem.spread(length) <= _HOPELESS else problem.by_tilt()


def guide(atoms: Sequence[Atom], n: int) -> Guide:
    """The saddle point of e^(n K(theta))/theta^2, and ln of about E[(L_1 + ... + L_n)_+]/n."""
    spend(len(atoms), each=_GUIDED, bits=0, what=f"certified sums of losses for n = {n}")
    unit = min(max(_exponent(at) for _, at, _ in atoms), max(_exponent(at) for _, at, _ in atoms if at.upper() > 0) + _IN_VIEW)
    scale = arb(2) ** -unit
    rows = [(float(mass.log().mid()), max(float((at * scale).mid()), _FARTHEST)) for mass, at, _ in atoms if mass > 0]
    rest = 1 - sum((mass for mass, _, _ in atoms), arb(0))
    if rest.mid() > 0:
        rows.append((float(arb(rest.mid()).log()), 0.0))
    places = [x for _, x in rows]

    def moments(t: float) -> tuple[float, float, float]:
        exponents = [m + t * x for m, x in rows]
        top = max(exponents)
        weights = [math.exp(e - top) for e in exponents]
        total, weighted = sum(weights), list(map(mul, weights, places))
        mean, square = sum(weighted) / total, sum(map(mul, weighted, places)) / total
        return top + math.log(total), mean, max(square - mean * mean, 1e-300)

    low, high, y = -math.inf, math.inf, -math.log(max(places))
    for _ in range(_SADDLE_STEPS):
        t = math.exp(y)
        _, mean, variance = moments(t)
        f, slope = n * mean * t - 2.0, n * t * (mean + t * variance)
        low, high = (low, y) if f > 0 else (y, high)
        step = max(-3.0, min(3.0, -f / slope if slope > 0 else math.inf))
        if abs(step) < 1e-6 or high - low < 1e-6:
            break
        y = y + step if low < y + step < high else (low + high) / 2
    theta = math.exp(y)
    K, _, variance = moments(theta)
    estimate = n * K - 2 * y - 0.5 * math.log(2 * math.pi * (n * variance + 2 / theta**2)) - math.log(n)
    of_one = max(m + math.log(x) for m, x in rows if x > 0) + math.log(len(rows))  # as any number of reports has at most
    estimate, by_tilt = min(estimate, of_one), n * K - 1 - y - math.log(n)
    deviation = math.sqrt(variance)
    tilts = tuple(t / max(deviation, 1e-9) for t in _TILTS)
    cumulants = tuple(moments(theta + t)[0] - K for t in tilts)
    return Guide(unit, theta, deviation, cumulants, tilts, estimate + unit * math.log(2), by_tilt - estimate)


@dataclass(frozen=True)
class _Block:
    """A tilted sum of some reports from index `first` on, in steps of 2^level units: a and s, with errors in units of the last place.

    wrong_a, wrong_s: sums of absolute errors; lost: what has been cut off of a, at most; size: the sum of all |s_k| at most;
    noise: what spreading adds to its cumulants, about. No a_k < 0.
    """

    first: int
    level: int
    a: fmpz_poly
    s: fmpz_poly
    wrong_a: int
    wrong_s: int
    lost: int
    size: int
    noise: tuple[float, ...]


class _Sum:
    def __init__(self, atoms: Sequence[Atom], n: int, length: int, bits: int, cut: float) -> None:
        self.n, self.length, self.bits, self.cut, self.one_unit = n, length, bits, cut, 1 << bits
        spend(len(atoms), each=_PLACED, bits=bits, what=f"certified sums of losses for n = {n}")
        self.guide = guide(atoms, n)
        self.cut -= max(0.0, self.guide.excess - _USUAL_EXCESS)
        scale, theta = arb(2) ** -self.guide.unit, arb(self.guide.theta)
        # What hardly counts under the tilt is cut off at once; then the others need no wide grid.
        tilted = [mass * (theta * at * scale).exp() for mass, at, _ in atoms]
        least = sum(tilted, arb(0)) * arb(self.cut - _MARGIN).exp() / n
        kept = [not weight < least for weight in tilted]
        where = [float((at * scale).mid()) for _, at, _ in atoms]
        self.level = _level([x for x, keep in zip(where, kept, strict=True) if keep], length)
        if self.guide.theta > _STEEPEST * 2.0**-self.level:  # any theta is sound; but nothing has been cut off for this one
            if -math.inf in where:
                what, limit = f"certified sums of losses for n = {n}", "losses that floats tell apart"
                raise ResourceLimitError(what=what, needed="a grid over more than 2^1000 times the largest loss above 0", limit=limit)
            kept = [True] * len(where)
            self.level = _level(where, length)
        self.theta = Fraction(min(self.guide.theta, _STEEPEST * 2.0**-self.level))
        self.finest = _PLACES + 2 * n.bit_length() + length.bit_length() + max(0, -self.level)
        rows = [(mass, math.ceil(upper_end(at * scale) * (1 << self.finest)), worth * scale) for mass, at, worth in atoms]
        self.atoms = [row for row, keep in zip(rows, kept, strict=True) if keep]
        aside = sum((weight for weight, keep in zip(tilted, kept, strict=True) if not keep), arb(0))
        rest = 1 - sum((mass for mass, _, _ in atoms), arb(0))
        self.rest = rest if rest > 0 else arb(0).union(rest)
        self.c = _dyadic_middle(self._total())
        self.aside = math.ceil(upper_end(aside / self.c) * self.one_unit)
        self.ones: dict[int, _Block] = {}

    def spread(self, length: int) -> float:
        """How much spreading raises the logarithm of the upper side on the finest grid there is, about, and at least."""
        per_step = self.finest + self.level - max(0, (LONGEST // length).bit_length() - 1)
        if per_step <= 0:
            return 0.0
        tilt = ball(self.theta) * arb(2) ** -self.finest
        found = arb(0)
        for mass, location, _ in self.atoms:
            part = location & ((1 << per_step) - 1)
            found += mass * (tilt * location).exp() * part * ((1 << per_step) - part)
        return float((found * tilt * tilt / 2 / self.c * self.n).mid())

    def by_tilt(self) -> Sides:
        """Bound the sum by x_+ <= e^(theta x - 1)/theta alone; the lower side is 0."""
        upper = self._total() ** self.n / (ball(self.theta) * arb(1).exp() * self.n) * arb(2) ** self.guide.unit
        return Sides(Fraction(0), upper_end(upper.max(arb(2) ** -_LEAST_BITS)), Fraction(0))

    def sides(self) -> Sides:
        block, reports = self._one(self.level), 1
        for bit in bin(self.n)[3:]:
            block, reports = self._product(block, block), 2 * reports
            block = self._trimmed(block, reports)
            if bit == "1":
                block, reports = self._product(block, self._one(block.level)), reports + 1
                block = self._trimmed(block, reports)
        assert reports == self.n
        return self._ends(block)

    def _total(self) -> arb:
        theta = ball(self.theta)
        scale = arb(2) ** -self.finest
        return sum((mass * (theta * location * scale).exp() for mass, location, _ in self.atoms), self.rest)

    def _one(self, level: int) -> _Block:
        """One report on the grid of step 2^level."""
        if level in self.ones:
            return self.ones[level]
        per_step = self.finest + level  # log2 of how many places a step has
        tilt = ball(self.theta * Fraction(2) ** level)
        a: dict[int, int] = {}
        s: dict[int, int] = {}
        wrong_a = wrong_s = 0
        rows: list[tuple[int, arb, arb]] = [(0, self.rest * self.one_unit / self.c, arb(0))]
        factor = arb(2) ** (self.bits - max(0, per_step)) / self.c
        for mass, location, worth in self.atoms:
            below = location >> per_step if per_step >= 0 else location << -per_step
            part = location - (below << per_step) if per_step >= 0 else 0
            for index, share in ((below, (1 << max(0, per_step)) - part), (below + 1, part)):
                if share:
                    weight = mass * share * (tilt * index).exp() * factor
                    rows.append((index, weight, weight * worth))
        for index, weight, worth in rows:
            for into, value in ((a, weight), (s, worth)):
                low, high = floors(value)
                low = max(low, 0) if into is a else low
                into[index] = into.get(index, 0) + low
                if into is a:
                    wrong_a += high - low + 1
                else:
                    wrong_s += high - low + 1
        first, last = min(a), max(a)
        block = _Block(
            first,
            level,
            fmpz_poly([a.get(k, 0) for k in range(first, last + 1)]),
            fmpz_poly([s.get(k, 0) for k in range(first, last + 1)]),
            wrong_a,
            wrong_s,
            self.aside,
            sum(abs(each) for each in s.values()),
            self._noise(level),
        )
        self.ones[level] = block
        return block

    def _product(self, x: _Block, y: _Block) -> _Block:
        if (size := (x.a.length() + y.a.length()) * self.bits) > _MOST_BITS:
            what = f"certified sums of losses for n = {self.n}"
            raise ResourceLimitError(what=what, needed=f"numbers of {about(size)} bits", limit="2^28 bits, which take 0.7 GB: fewer users")
        each = _MULTIPLIED * max(1.0, self.bits / _USUAL_BITS) * (1 + size / _LARGE)
        spend(x.a.length() + y.a.length(), each=each, bits=self.bits, what=f"certified sums of losses for n = {self.n}")
        a = (x.a * y.a) // self.one_unit
        s = (2 * (x.s * x.a) if x is y else x.s * y.a + x.a * y.s) // self.one_unit
        of_x, of_y = int(x.a(1)), int(y.a(1))
        length = x.a.length() + y.a.length()
        wrong_a = self._up(x.wrong_a * of_y + (of_x + x.wrong_a) * y.wrong_a) + length
        wrong_s = self._up(x.wrong_s * of_y + (x.size + x.wrong_s) * y.wrong_a + y.wrong_s * of_x + (y.size + y.wrong_s) * x.wrong_a)
        wrong_s += length + max(x.s.length(), y.s.length())
        all_x, all_y = of_x + x.wrong_a + x.lost, of_y + y.wrong_a + y.lost
        lost = self._up(x.lost * all_y + all_x * y.lost)
        size = self._up(x.size * of_y + y.size * of_x) + length
        return _Block(x.first + y.first, x.level, a, s, wrong_a, wrong_s, lost, size, tuple(map(sum, zip(x.noise, y.noise, strict=True))))

    def _trimmed(self, x: _Block, reports: int) -> _Block:
        """Cut to where the sum of so many reports can be, and on a coarser grid if it is still too long."""
        logarithm = self.cut + math.log(reports / self.n)
        found = zip(self.guide.cumulants, x.noise, self.guide.tilts, strict=True)
        bounds = [(reports * K + noise - logarithm) / t for K, noise, t in found]
        h, half = 2.0**x.level, len(bounds) // 2
        low = math.floor(max(max(bounds[half:]) / h, -1e15)) - 2 - x.first
        high = math.ceil(min(min(bounds[:half]) / h, 1e15)) + 2 - x.first
        low, high = max(low, 0), min(high, x.a.length() - 1)
        if low > 0 or high < x.a.length() - 1:
            a, s = (array.truncate(high + 1).right_shift(low) for array in (x.a, x.s))
            lost = x.lost + int(x.a(1)) - int(a(1))
            x = _Block(x.first + low, x.level, a, s, x.wrong_a, x.wrong_s, lost, x.size, x.noise)
        while x.a.length() > self.length and float(self.theta) * 2.0**x.level < _STEEPEST:
            x = self._coarser(x)
        return x

    def _coarser(self, x: _Block) -> _Block:
        """The same on a grid of twice the step: odd points go half to each neighbour."""
        tilt = ball(self.theta * Fraction(2) ** x.level)
        up, down = (math.floor(lower_end(tilt.exp() / 2) * self.one_unit), math.floor(lower_end((-tilt).exp() / 2) * self.one_unit))
        grown = Fraction(up + down + 4, self.one_unit)
        begin, lead = x.first // 2, x.first % 2
        made, errors = [], []
        for array, wrong, norm in ((x.a, x.wrong_a, int(x.a(1))), (x.s, x.wrong_s, x.size)):
            entries = [0] * lead + array.coeffs()
            even, odd = fmpz_poly(entries[0::2]), fmpz_poly(entries[1::2])
            made.append(even + (odd * down) // self.one_unit + fmpz_poly([0, *((odd * up) // self.one_unit).coeffs()]))
            errors.append(math.ceil(wrong * grown) + len(entries) + 2 + 4 * self._up(norm))
        noise = tuple(map(sum, zip(x.noise, self._noise(x.level), strict=True)))
        lost, size = math.ceil(x.lost * grown), math.ceil(x.size * grown) + len(entries)
        return _Block(begin, x.level + 1, made[0], made[1], errors[0], errors[1], lost, size, noise)

    def _noise(self, level: int) -> tuple[float, ...]:
        """About ln cosh((theta + t) h), which one more spread over a step h adds to the cumulants at most."""
        steep = [(abs(t) + float(self.theta)) * 2.0**level for t in self.guide.tilts]
        return tuple(min(x * x / 2, x) for x in steep)

    def _ends(self, x: _Block) -> Sides:
        """Sums over T > 0, untilted."""
        theta, step = ball(self.theta), Fraction(2) ** x.level
        ratio = (-theta * ball(step)).exp()
        start = max(0, 1 - x.first)
        begin = x.first + start
        a, s = x.a.coeffs()[start:], x.s.coeffs()[start:]
        lead = ratio**begin
        above = arb_poly(fmpz_poly([k * each for k, each in enumerate(a, start=begin)]))(ratio) * lead * ball(step)
        sums = arb_poly(fmpz_poly(s))(ratio) * lead
        slack = (x.wrong_a + x.lost) / (theta * arb(1).exp())
        factor = self.c**self.n * arb(2) ** (self.guide.unit - self.bits) / self.n
        lower, upper = (sums - x.wrong_s) * factor, (above + slack) * factor
        rounding = upper_end((slack + x.wrong_s) * factor)
        return Sides(max(lower_end(lower), Fraction(0)), upper_end(upper), rounding)

    def _up(self, value: int) -> int:
        return -(-int(value) >> self.bits)


def _level(where: Sequence[float], length: int) -> int:
    """log2 of a step with which all of these and 0 lie on a grid of about `length` points."""
    span = max(*where, 0.0) - min(*where, 0.0)
    return math.floor(math.log2(max(span / length, 1e-300)))


def _exponent(x: arb) -> int:
    """e with |x| <= 2^e, near."""
    size = max(abs(end) for end in ends(x))
    return size.numerator.bit_length() - size.denominator.bit_length() + 1 if size else -(1 << 20)


def _dyadic_middle(x: arb) -> arb:
    """A float near x, as an exact ball: any c will do."""
    return ball(Fraction(float(arb(x.mid()))))
