"""delta(epsilon) and epsilon(delta) of sums of losses, certified to as many digits as grids settle: the larger of both directions."""

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb, ctx

from shuffleproof.impl.ball.bounds.blanket import one_sum_counts
from shuffleproof.impl.ball.bounds.blanket.one_sum import LONGEST, Sides, enclose, guide
from shuffleproof.impl.ball.bounds.blanket.randomizer_distributions import CELLS, Row, Rows, losses
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import shown
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.method import DIGITS_ON_GRIDS
from shuffleproof.spec.vocabulary.numerals import Epsilon

DIGITS = 4
"""Digits that are certified where nobody asks for others."""
_SHORTEST = 1 << 8
"""Points of a grid, at least."""
_USUAL = (4096, 2e-3)
"""A length of the grid, and the relative width of delta that it usually leaves; the width falls with the square of the length."""
_MOST_TRIES = 6
"""Grids and precisions tried for one delta."""
_PROBES = 60
"""Values of epsilon tried before the answer is refused as undecided."""
_GUIDED = 5
"""Of these, those that the slope chooses; then the bracket is widened and halved."""
_STEPS = 60
"""Steps of the search by saddle points at most: halvings alone come to 2^-60."""
_ROUGHLY = 0.03
"""Relative width of delta at the first probe, which shows where the root is."""
_LARGE = -4.0
"""ln of a delta from which on the root may be 0, whatever saddle points say: delta at 0 is asked first there,"""
_NEARLY = 1.0
"""and where ln delta at 0 is above the target by no more than this, about."""
_AT_ZERO = 0.01
"""Relative width of delta at epsilon = 0, which shows whether the root is 0."""
_SHARE = 0.35
"""The width of delta that is aimed for, as a part of what moves epsilon by 10^-digits."""
_NARROWEST = 1e-9
"""Relative width of delta below which no probe aims: six digits of epsilon need no less."""


def require_on_grids(digits: int) -> None:
    """Raise ResourceLimitError where no grid settles so many digits."""
    if digits > DIGITS_ON_GRIDS:
        needed = f"grids of 10^{digits - 2} points and more for {digits} digits"
        raise ResourceLimitError(what="the sum of losses", needed=needed, limit=f"{DIGITS_ON_GRIDS} digits")


def delta_of(distributions: Sequence[Rows], *, n: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int) -> Found:
    """delta at epsilon for distributions whose likelihood ratios are at most e^epsilon0; exactly 0 from there on."""
    if epsilon >= epsilon0:
        return Found.exactly(0)
    profile = _Profile(distributions, n, epsilon0)
    found = profile.sides(epsilon, 10.0**-digits)
    return Found(found.lower, min(found.upper, Fraction(1)), precision=profile.bits, told=profile.worst())


def epsilon_of(distributions: Sequence[Rows], *, n: int, epsilon0: Epsilon, delta: Fraction, digits: int) -> Found:
    """The least epsilon with delta(epsilon) <= delta, to a relative width of 10^-digits; exactly epsilon0 at delta = 0.

    Raises UndecidedError where grids do not settle the ends.
    """
    if delta == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 64)
    profile = _Profile(distributions, n, epsilon0)
    lower, upper, certified = _Search(profile, delta, digits).run()
    if upper == 0:
        return Found.exactly(0)
    return Found(lower, upper, certified, profile.bits, told=profile.worst())


def estimate(distributions: Sequence[Rows], *, n: int, epsilon0: Epsilon, epsilon: Epsilon) -> float:
    """ln delta(epsilon), about: it decides nothing."""
    return _Profile(distributions, n, epsilon0).estimate(epsilon)


class _Profile:
    """Sides of delta at any epsilon below epsilon0."""

    def __init__(self, distributions: Sequence[Rows], n: int, epsilon0: Epsilon) -> None:
        self.orders = [(each, swapped) for each in distributions for swapped in ([False] if each.is_symmetric() else [False, True])]
        self.n, self.epsilon0, self.dataset, self.bits, self.length = n, epsilon0, "", 0, _SHORTEST
        self.counted, self.known = False, dict[tuple[int, int, int], list[Row]]()

    def _rows(self, distribution: Rows, cells: int = CELLS) -> list[Row]:
        """Return the rows of a distribution at the current precision: they do not depend on epsilon."""
        if (key := (id(distribution), cells, ctx.prec)) not in self.known:
            self.known[key] = distribution.rows(cells=cells)
        return self.known[key]

    def sides(self, epsilon: Epsilon, width: float) -> Sides:
        """Sides of the largest of all distributions and both directions, to this relative width. Raises UndecidedError."""
        found: list[tuple[Sides, str]] = []
        left: UndecidedError | None = None
        for distribution, swapped in self.orders:
            sides, undecided = self._one(distribution, epsilon, width, swapped=swapped)
            found.append((sides, distribution.dataset))
            left = left or undecided
        greatest = max(found, key=lambda each: each[0].lower)
        self.dataset = greatest[1]
        upper, rounding = max(each.upper for each, _ in found), max(each.rounding for each, _ in found)
        if left is not None and upper - greatest[0].lower > upper * Fraction(width):  # else what is open lies far below the largest
            raise left
        return Sides(greatest[0].lower, upper, rounding)

    def estimate(self, epsilon: Epsilon) -> float:
        """ln delta(epsilon), about."""
        with precision(self._start() + self._cancelled()):
            E = exp_of(epsilon)
            atoms = [losses(self._rows(distribution), E, swapped=swapped) for distribution, swapped in self.orders]
            return max((guide(each, self.n).estimate for each in atoms if any(at > 0 for _, at, _ in each)), default=-math.inf)

    def worst(self) -> dict[str, str]:
        """Which datasets the last value is of, where it is of any."""
        return {"datasets": self.dataset} if self.dataset else {}

    def _start(self) -> int:
        top = math.ceil(1.45 * float(self.epsilon0.bounds(bits=32)[1]))
        return 64 + 2 * self.n.bit_length() + 2 * top

    def _cancelled(self) -> int:
        """Return how many bits more are taken for losses and cells of noise: differences of numbers from 1 to e^epsilon0."""
        least = self.epsilon0.bounds(bits=32)[0]
        return 80 + 2 * max(0, least.denominator.bit_length() - least.numerator.bit_length())

    def _one(self, distribution: Rows, epsilon: Epsilon, wanted: float, *, swapped: bool) -> tuple[Sides, UndecidedError | None]:
        """Sides of one distribution in one direction; and the refusal where they are wider than wanted."""
        if self.counted:
            return self._by_counts(distribution, epsilon, swapped=swapped), None
        length = min(LONGEST, max(_SHORTEST, math.ceil(_USUAL[0] * math.sqrt(_USUAL[1] / wanted))))
        bits, cut = self._start(), math.log(wanted) - 16
        for attempt in range(_MOST_TRIES):
            with precision(bits + self._cancelled()):
                E = exp_of(epsilon)
                atoms = losses(self._rows(distribution, CELLS << attempt), E, swapped=swapped)
                found = enclose(atoms, n=self.n, length=length, bits=bits, cut=cut)
                found = _with(found, distribution.given_away(E, swapped=swapped))
            self.bits = bits
            width = found.upper - found.lower
            if width <= found.upper * Fraction(wanted):
                return found, None
            if 2 * found.rounding > width:
                bits, cut = bits + bits // 2, cut - 12
            elif length >= LONGEST:
                break
            else:
                length = min(LONGEST, math.ceil(length * max(1.3, min(8.0, 1.1 * math.sqrt(float(width / found.upper) / wanted)))))
        if one_sum_counts.terms(atoms, self.n) <= one_sum_counts.MOST:
            self.counted = True  # a grid that is too wide here is too wide nearby
            return self._by_counts(distribution, epsilon, swapped=swapped), None
        known = (shown(found.lower, "down"), shown(found.upper, "up"))
        return found, UndecidedError(quantity="delta", enclosure=known, precision=bits)

    def _by_counts(self, distribution: Rows, epsilon: Epsilon, *, swapped: bool) -> Sides:
        """Return the sides for few users and atoms, by all counts: to the last of many bits."""
        self.bits = 2 * self._start()
        with precision(self.bits + self._cancelled()):
            E = exp_of(epsilon)
            found = one_sum_counts.enclose(losses(self._rows(distribution), E, swapped=swapped), n=self.n)
            return _with(found, distribution.given_away(E, swapped=swapped))


def _with(found: Sides, bare: arb) -> Sides:
    """And what has infinite privacy loss."""
    if bare.is_zero():
        return found
    return Sides(max(found.lower + lower_end(bare), Fraction(0)), found.upper + upper_end(bare), found.rounding)


class _Search:
    """Where a profile comes down to a target: floats give the initial guess, and only enclosures at the two ends count."""

    def __init__(self, profile: _Profile, delta: Fraction, digits: int) -> None:
        self.profile, self.delta, self.digits = profile, delta, digits
        with precision(128):
            self.wanted = float(ball(delta).log().mid())
        low, high = profile.epsilon0.bounds(bits=8 * digits + 64)
        self.top, self.last = high, _short(low * (1 - Fraction(1, 10 ** (digits + 3))))

    def run(self) -> tuple[Fraction, Fraction, bool]:
        """(lower, upper, whether the lower end is certain)."""
        zero = Epsilon(Fraction(0), Fraction(1))
        if self.wanted > min(_LARGE, self.profile.estimate(zero) - _NEARLY) and self.profile.sides(zero, _AT_ZERO).upper <= self.delta:
            return Fraction(0), Fraction(0), True
        x, slope = self._guess()
        low: Fraction | None = None
        high: Fraction | None = None
        gap = Fraction(1, 10**self.digits)
        width = _ROUGHLY
        for probe in range(_PROBES):
            at = _short(min(max(Fraction(x), self.last / 10**15), self.last))
            found = self.profile.sides(Epsilon(at, None), width)
            if found.upper <= self.delta:
                high = at if high is None else min(high, at)
            elif found.lower > self.delta:
                low = at if low is None else max(low, at)
                if (self.top - at) <= gap * at:  # delta is 0 at the top
                    return low, self.top, True
            if low is not None and high is not None and high - low <= gap * high:
                return low, high, True
            under, over = self._heights(found)
            if not probe:
                width = min(width, max(_NARROWEST, _SHARE * float(gap) * max(-slope * float(at), 1e-3)))
                x = self._inside(float(at) + (under + over) / 2 / -slope if math.isfinite(under) else math.nan, low, high)
                continue
            if probe > _GUIDED:  # the slope misleads: widen, then halve
                x = _without_slope(low, high, gap * 2 ** (probe - _GUIDED))
                if low is not None and high is not None:
                    width = max(_NARROWEST, width / 2)
            elif high is None or high - at > gap * at:  # an upper end is where the upper side is below delta
                x = float(at) + (over + width / 10) / -slope
            else:
                x = float(at) + (under - width / 10) / -slope if math.isfinite(under) else math.nan
            x = self._inside(x, low, high)
        raise UndecidedError(
            quantity="epsilon", enclosure=(shown(low or Fraction(0), "down"), shown(high or self.top, "up")), precision=self.profile.bits
        )

    def _inside(self, x: float, low: Fraction | None, high: Fraction | None) -> float:
        """x, if it lies where the root can be; else a point in the middle of that."""
        bottom, top = float(low or 0), float(self.last if high is None else high)
        if math.isfinite(x) and bottom < x < top:
            return x
        return top if high is None and (not math.isfinite(x) or x >= top) and bottom > 0.999 * top else (bottom + top) / 2

    def _heights(self, found: Sides) -> tuple[float, float]:
        """ln(delta(x)/delta) from below and from above."""
        with precision(128):
            logs = [float(ball(end).log().mid()) - self.wanted if end else -math.inf for end in (found.lower, found.upper)]
        return logs[0], logs[1]

    def _guess(self) -> tuple[float, float]:
        last = float(self.last)
        low, high, x, slope = 0.0, last, min(last / 2, 3 * math.sqrt(2 * max(-self.wanted, 1) / self.profile.n)), -1 / last
        for _ in range(_STEPS):
            at_x = self.profile.estimate(Epsilon(_short(Fraction(x)), None)) - self.wanted
            low, high = (x, high) if at_x > 0 else (low, x)
            step = 1e-5 * x
            found = (
                (self.profile.estimate(Epsilon(_short(Fraction(x + step)), None)) - self.wanted - at_x) / step
                if x + step < last
                else math.nan
            )
            if math.isfinite(found) and found < 0:
                slope, following = found, x - at_x / found
            else:
                following = math.nan
            if not low < following < high:
                following = (low + high) / 2
            if abs(following - x) <= 1e-6 * x:
                break
            x = following
        return x, slope


def _without_slope(low: Fraction | None, high: Fraction | None, step: Fraction) -> float:
    """Where to look next: below the upper end, above the lower one, or between both."""
    if low is None:
        return 0.0 if high is None else float(high * (1 - min(step, Fraction(1, 2))))
    return float(low * (1 + step)) if high is None else float((low + high) / 2)


def _short(x: Fraction) -> Fraction:
    """x > 0 to 80 significant bits."""
    scale = 80 - (x.numerator.bit_length() - x.denominator.bit_length())
    return Fraction(round(x * Fraction(2) ** scale)) / Fraction(2) ** scale
