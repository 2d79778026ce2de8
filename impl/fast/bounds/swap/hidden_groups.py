"""Other users hidden in groups, in float64 with sound sides: BEYOND.any-law-groups and BEYOND.any-law-unlike-reports.

Of randomizers whose report is one coordinate per item, independent ones, where the user's own has another law: RAPPOR, asymmetric RAPPOR,
and hashing with uniform functions (whether an item falls into the bucket that was sent). V_0 is the law of a coordinate, V that of the own
one; W, W_0, W_1 are the laws of the coordinates of x_0 and x_1 under a third item, x_0 and x_1.

Hidden reports. Other users are put in groups, p at x_0, q at x_1 and r <= 1 at a third item k. With probability s a group sends reports
that are i.i.d.: m for the first two coordinates, V' for that of k, V_0 for the rest (V' only where r = 1). s is the least of
W_0^p W_1^q W^r/m^(p + q + r) times that of V^r V_0^(g - r)/V'^g. Else the group is told. H users are hidden; their number is at least a
sum of independent variables, whose tail is bounded by Chernoff's inequality.

Unlike reports. Reports that are hidden prefer items of their own. Up to J users, geometric with the least V'/V_0, they hide what
H - J alike ones hide (BEYOND.any-law-unlike-reports), where L = (W_0 - E W_1)/m times V_0/V' under m x V'.

Which dataset it is is known to us as to the adversary: shares of items at x_0, x_1 and third ones lie in a triangle of a grid, and the
number that groups hide is a concave function of them, so that its values at the corners bound it. Of few ways to hide one is taken for
each triangle. Any choice is sound: m, V' and the groups are guessed in floats, what follows from them is rounded down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON, of_one, upper_sides
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats, saddle
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import SMALLEST_DELTA, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Law, bit_laws
from shuffleproof.impl.fast.numeric.results import enclosed, exactly
from shuffleproof.impl.fast.numeric.scalars import exponential, working
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_laws import HIDDEN_GROUPS
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, epsilon0_parameter, parse_epsilon, probability

GROUPS = np.array([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (2, 1, 0), (1, 2, 0), (1, 1, 1), (2, 0, 1), (0, 2, 1)])
"""Users at x_0, at x_1 and at a third item, of groups in which they may be hidden together."""
_SIZES = GROUPS.sum(axis=1)
_TYPES, _GRID = 3, 32
_POWERS, _TILTS = 6, 6
_DOWN = 1 - 1e-9
"""Covers the roundings of a dozen operations, with much to spare."""
_LEVELS = (0.4, 1.2, 2.6, 5.0, 9.0)
"""Minus the logarithms of the probabilities with which fewer users are hidden than a sum is computed for; then one far below delta."""
_BELOW_DELTA, _MIDDLE = 5.0, 1.2
_SHORT, _ROUGH = 1 << 12, 1e-3
"""Points of a grid, whose error is a thousandth of delta, and the width of the smoothing where there is none: some 1e-5 of it."""
_CLOSE, _AIMED, _STEPS = 1e-3, 3e-4, 12
"""How far below the target ln delta may stay, and is aimed at."""
_SHOWN = Fraction(1, 10**6)
"""Digits that are shown of it."""
_LARGE = 1e-4
"""From here on epsilon may be 0."""
_TINY = 1e-305
"""Above everything that a product of probabilities can lose below the smallest float."""
_SIGMAS = 1.3
"""About what Chernoff's inequality costs, in standard deviations of the number of hidden users."""


@dataclass(frozen=True)
class Hiding:
    """One way to hide.

    law: L's, under m x V'; share: of the other users that groups of at most `largest` hide, at least, for the datasets that it serves;
    alike: the least V'/V_0; hidden: of each of GROUPS, its users times the probability that it is hidden.
    """

    law: Law
    share: float
    largest: int
    alike: float
    hidden: Floats


@dataclass(frozen=True)
class _Way:
    """m on the coordinates of x_0 and x_1, and V', as they were chosen: they sum to about 1, and are divided by their sums later."""

    m: Floats
    own: Floats
    hidden: Floats
    chi_square: float
    alike: float


def delta(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon at most, in float64.

    n: users, 1 to 10^9; randomizer: "rappor", "asymmetric-rappor" or "hash" (uniform functions), where k may be left out it stands for any
    number of items; epsilon0 in (0, 690]; epsilon >= 0. Returns a Bound of side "upper", for all neighbouring datasets.
    Raises DomainError, UnsupportedError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(HIDDEN_GROUPS, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    return _at_most("delta", Fraction(_Asked(randomizer, local, supported(users)).delta(central)), inputs)


def epsilon(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """An epsilon at which delta is at most that, in float64; exactly epsilon0 at delta = 0.

    n and the randomizer: as for `delta`; delta = 0 or in [1e-300, 1]. Returns a Bound of side "upper", for all neighbouring datasets.
    Raises DomainError, UnsupportedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    if local.exp == 1 or target == 1:
        return exactly(HIDDEN_GROUPS, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        return exactly(HIDDEN_GROUPS, "epsilon", str(local), *local.bounds(bits=64), inputs=inputs)
    if target < SMALLEST_DELTA:
        shown = decimal_text(target, digits=2, direction="up")
        raise _refused(f"delta = {shown}: it answers for 0 and from 1e-300 on")
    return _at_most("epsilon", _Asked(randomizer, local, supported(users)).epsilon(target), inputs)


def _refused(reason: str) -> UnsupportedError:
    return UnsupportedError(what="the float64 engine at these parameters", reason=reason, advice='use method "blanket", with engine "ball"')


def _at_most(quantity: Quantity, value: Fraction, inputs: dict[str, str]) -> Bound:
    shown = value * (1 - _SHOWN)  # of side "upper": nothing is claimed of the lower end
    return enclosed(HIDDEN_GROUPS, quantity, shown, value, lower_certified=False, inputs=inputs, rests_on=RESTS_ON)


class _Asked:
    """Delta at most, for all datasets of so many users."""

    def __init__(self, randomizer: NamedRandomizer, epsilon0: Epsilon, n: int) -> None:
        self.epsilon0, self.n = epsilon0, n
        self.ways = ways(randomizer, epsilon0, n)
        with np.errstate(over="ignore"):
            worst_first = sorted(self.ways, key=lambda way: -way.law.chi_square() / way.share)
        self.laws = [(way, law) for way in worst_first for law in ([way.law] if way.law.is_symmetric() else [way.law, way.law.swapped()])]

    def delta(self, epsilon: Epsilon) -> float:
        return min(1.0, max(self._of(each, epsilon) for each in self.laws))

    def _of(self, hidden: tuple[Hiding, Law], epsilon: Epsilon) -> float:
        with working():
            E = float(exponential(epsilon))
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite says nothing
            return hidden_delta(hidden[1], hidden[0], n=self.n, exp_epsilon=E)

    def epsilon(self, delta: Fraction) -> Fraction:
        """What is enough for one law after the other: an epsilon that is enough for a law stays enough as it grows."""
        if (delta >= _LARGE or delta >= self.epsilon0.bounds(bits=64)[0]) and self.delta(Epsilon(Fraction(0), Fraction(1))) <= delta:
            return Fraction(0)
        wanted, last = math.log(delta), float(self.epsilon0.bounds(bits=64)[0])
        x, slope = self._guess(wanted, last)
        low = 0.0
        for each in self.laws:
            found = self._enough(each, wanted, x, low=low, last=last, slope=slope)
            if found is None:
                return self.epsilon0.bounds(bits=64)[1]
            x = low = found
        return Fraction(x)

    def _guess(self, wanted: float, last: float) -> tuple[float, float]:
        """About where ln delta is `wanted`, and its slope: by saddle points, for the first law and about as many users as it hides."""
        way, law = self.laws[0]
        hidden = 1 + at_least_hidden(self.n - 1, way.share, _MIDDLE, largest=way.largest)
        with np.errstate(over="ignore", invalid="ignore"):
            x = min(last / 2, math.sqrt(2 * max(1.0, -wanted) * law.chi_square() / hidden)) or last / 2
        slope, before = 2 * (wanted - 2) / x, None
        for _ in range(_STEPS):
            with np.errstate(over="ignore", invalid="ignore"):
                losses = law.losses(math.exp(x))
            if not (np.isfinite(losses.at).all() and float(losses.at.max()) > 0):
                break
            try:
                height = saddle(losses.mass, losses.at, hidden)[1] - wanted
            except (ValueError, OverflowError, ZeroDivisionError):
                break
            if before is not None and (height - before[1]) * (x - before[0]) < 0:
                slope = (height - before[1]) / (x - before[0])
            following = x - height / slope
            if not 0.0 < following < last or abs(following - x) < _ROUGH * x:
                break
            before, x = (x, height), following
        return x, slope

    def _enough(self, hidden: tuple[Hiding, Law], wanted: float, x: float, *, low: float, last: float, slope: float) -> float | None:
        """An x >= low at which ln delta of this law is at most `wanted`, near to the least one; by secants. None where none is found."""
        high, found = last, None
        before: tuple[float, float] | None = None
        for _ in range(_STEPS):
            value = self._of(hidden, Epsilon(Fraction(x), Fraction(1) if x == 0 else None))
            height = math.log(value) - wanted if value > 0 else -math.inf
            if height <= 0:
                found = x if found is None else min(found, x)
                if height > -_CLOSE or x == low or high - low < 1e-5 * high:
                    break
            low, high = (low, x) if height <= 0 else (x, high)
            if before is not None and math.isfinite(height) and (height - before[1]) * (x - before[0]) < 0:
                slope = (height - before[1]) / (x - before[0])
            before = (x, height) if math.isfinite(height) else before
            aimed = x - (height + _AIMED) / slope
            x = aimed if low < aimed < high else (low + high) / 2
        return found


def hidden_delta(law: Law, way: Hiding, *, n: int, exp_epsilon: float) -> float:
    """An upper side of E D(H - J), D(h) being the sum of h + 1 reports' positive part over h + 1.

    D is nonincreasing; the levels h_1 > h_2 > ... have probabilities P(H - J < h_i) <= p_i, and sum (p_(i-1) - p_i) D(h_i), p_0 = 1,
    with D = E L_+ after the last, is an upper side.
    """
    losses = law.losses(exp_epsilon)
    if not np.isfinite(losses.at).all():
        return 1.0
    guessed = max(1, int((n - 1) * way.share))
    try:
        far = max(20.0, -saddle(losses.mass, losses.at, guessed)[1] + _BELOW_DELTA)
    except (ValueError, OverflowError, ZeroDivisionError):
        return of_one(losses)
    weights, numbers, before = [], [], 1.0
    for level in (*_LEVELS, far):
        if level > far:
            continue
        twice = 1 if way.alike >= 1 else 2
        hidden = at_least_hidden(n - 1, way.share, level + 1e-9, largest=way.largest) - told_by_unlike(way.alike, level)
        p = min(1.0, twice * math.exp(-level))
        weights.append(max(0.0, before - p))
        numbers.append(1 + max(hidden, 0))
        before = min(before, p)
        if hidden <= 0:
            break
    values = upper_sides(losses, numbers=numbers, length=_SHORT, width=_ROUGH)
    total = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return (total + before * min(1.0, of_one(losses))) * (1 + 1e-12) + _TINY


@lru_cache(maxsize=256)
def at_least_hidden(others: int, share: float, level: float, *, largest: int) -> int:
    """h such that fewer than h users are hidden with probability e^-level at most.

    The most that moments give: E e^(-lambda H) <= (1 - share (1 - e^(-lambda G)))^(others/G), G the `largest` group, since a group of g
    counts as its users, each with the 1/g-th power; one group of each kind may be left over.
    """
    G, share = largest, min(share, 1 - 1e-12)
    left_over = _TYPES * G
    low, high = 1e-12, 50.0
    best = 0.0
    for _ in range(80):  # the best lambda, by the golden section in effect: (level + ln moment)/lambda has one largest value
        one, other = low * (high / low) ** 0.4, low * (high / low) ** 0.6
        values = [-(others / G * math.log1p(-share * -math.expm1(-x * G)) + level) / x for x in (one, other)]
        best = max(best, *values)
        low, high = (low, other) if values[0] > values[1] else (one, high)
    return max(0, math.floor(best * _DOWN) - left_over)


def hides(way: Hiding, shares: Sequence[Sequence[float]]) -> Floats:
    """The share of the other users that it hides at least, of datasets with these shares at x_0, x_1 and third items."""
    hidden: Floats = _hidden_shares(np.array(shares), way.hidden[None, :], way.largest)[:, 0]
    return hidden


def told_by_unlike(alike: float, level: float) -> int:
    """j such that more than j users have to be told, where reports are unlike, with probability e^-level at most."""
    return 0 if alike >= 1 else math.ceil(level / -math.log1p(-alike * _DOWN)) + 1


@lru_cache(maxsize=32)
def ways(randomizer: NamedRandomizer, epsilon0: Epsilon, n: int) -> tuple[Hiding, ...]:
    """A few ways to hide, one of which serves for each dataset; chosen for about n users, sound for any number."""
    with working():
        base, own, third = bit_laws(randomizer, epsilon0)
        corners, cells = _triangles(third=third)
        with np.errstate(all="ignore"):
            tried = _candidates(*(np.array([float(x) for x in law]) for law in (base, own)), third=third)
            found = [way for way in tried if way.m.all() and way.own.all() and np.isfinite([*way.hidden, way.chi_square]).all()]
        if not found:
            raise _refused("laws of reports leave the floats")
        alike, chi_square = np.array([way.alike for way in found]), np.array([way.chi_square for way in found])
        told = _SIGMAS / np.maximum(-np.log1p(-np.minimum(alike, 1 - 1e-16)), 1e-9)
        rows, worths = [], []
        for largest in range(1, int(_SIZES.max()) + 1):
            shares = _hidden_shares(corners, np.array([way.hidden for way in found]), largest)
            of_cells = np.array([shares[list(cell)].min(axis=0) for cell in cells])
            doubt = _SIGMAS * np.sqrt(largest * of_cells / n) + (told + _TYPES * largest) / n
            worths.append(np.maximum(of_cells - doubt, of_cells * 1e-9) / chi_square)
            rows.append(of_cells)
        worth, of_cells = np.concatenate(worths, axis=1), np.concatenate(rows, axis=1)
        enough = worth.max(axis=1).min() * (1 - 1e-3)
        left, taken = np.ones(len(cells), dtype=bool), []
        while left.any():
            best = int(np.argmax((worth[left] >= enough).sum(axis=0)))
            covered = left & (worth[:, best] >= enough)
            largest, at = divmod(best, len(found))
            taken.append(_exact(found[at], base, own, share=float(of_cells[covered, best].min()) * _DOWN, largest=largest + 1))
            left &= ~covered
    return tuple(taken)


def _exact(way: _Way, base: tuple[Decimal, ...], own: tuple[Decimal, ...], *, share: float, largest: int) -> Hiding:
    """With m and V' taken as they are and divided by their sums; what that changes in a share is within its rounding."""
    m, bit = ([Decimal(float(x)) for x in law] for law in (way.m, way.own))
    m, bit = [x / sum(m) for x in m], [x / sum(bit) for x in bit]
    rows = []
    for (i, (a, b)), c in product(enumerate(product((0, 1), (0, 1))), (0, 1)):
        rows.append((m[i] * bit[c], own[a] * base[b] * base[c], base[a] * own[b] * base[c]))
    alike = min(1.0, float(min(x / y for x, y in zip(bit, base, strict=True))))
    return Hiding(Law.of(rows), share, largest, alike, way.hidden)


def _candidates(V0: Floats, V: Floats, *, third: bool) -> Iterator[_Way]:
    """Geometric means of W_0, W_1 and W, and of them and the least of the three; V' likewise between V_0 and V."""
    W0, W1, W = np.outer(V, V0).ravel(), np.outer(V0, V).ravel(), np.outer(V0, V0).ravel()
    apart = (W0 - W1) ** 2
    least = np.minimum(np.minimum(W0, W1), W)
    bits = [V**t * V0 ** (1 - t) for t in (np.linspace(0, 1, _TILTS + 1) if third else (0.0,))]
    for i, j in product(range(_POWERS + 1), repeat=2):
        if i + j > _POWERS or (not third and i + j < _POWERS):
            continue
        mean = W0 ** (i / _POWERS) * W1 ** (j / _POWERS) * W ** (1 - (i + j) / _POWERS)
        for power in (0.0, 0.5, 1.0) if (i, j) == (_POWERS // 2, _POWERS // 2) or not i + j else (0.0, 0.5):
            m = least**power * mean ** (1 - power)
            m = m / m.sum()
            log = [np.log(law / m) for law in (W0, W1, W)]
            for bit in bits:
                bit = bit / bit.sum()
                alone, other = np.log(V / bit), np.log(V0 / bit)
                hidden = [
                    g
                    * math.exp(float((p * log[0] + q * log[1] + r * log[2]).min()) + (float((alone + (g - 1) * other).min()) if r else 0.0))
                    for p, q, r in GROUPS.tolist()
                    for g in [p + q + r]
                ]
                chi = max(_TINY, float((apart / m).sum()) * float((V0**2 / bit).sum()))
                yield _Way(m, bit, np.array(hidden), chi, float((bit / V0).min()))


@lru_cache(maxsize=2)
def _triangles(*, third: bool) -> tuple[Floats, tuple[tuple[int, ...], ...]]:
    """Shares at x_0, x_1 and third items on a grid, as multiples of 1/_GRID; and the cells between them with at least as many at x_0.

    Where fewer are at x_0 the names of x_0 and x_1, and both orders, are exchanged.
    """
    steps = range(_GRID + 1)
    places = [(i, j) for i in steps for j in steps if (i + j <= _GRID if third else i + j == _GRID)]
    index = {place: at for at, place in enumerate(places)}
    cells = []
    for i, j in places:
        shapes = [((i, j), (i + 1, j), (i, j + 1)), ((i + 1, j + 1), (i + 1, j), (i, j + 1))] if third else [((i, j), (i + 1, j - 1))]
        cells += [
            tuple(index[p] for p in shape) for shape in shapes if all(p in index for p in shape) and sum(a - b for a, b in shape) >= 0
        ]
    return np.array([(i, j, _GRID - i - j) for i, j in places]) / _GRID, tuple(cells)


def _hidden_shares(corners: Floats, hidden: Floats, largest: int) -> Floats:
    """The most that groups of at most `largest` hide, for each corner and way: over all threes of groups that make these shares."""
    best = np.zeros((len(corners), len(hidden)))
    for chosen in combinations(np.flatnonzero(largest >= _SIZES).tolist(), _TYPES):
        matrix = GROUPS[list(chosen)].T.astype(float)
        if abs(np.linalg.det(matrix)) < 0.5:  # an integer
            continue
        amounts = np.linalg.solve(matrix, corners.T).T
        fits = (amounts >= -1e-12).all(axis=1)
        amounts[amounts < 1e-12] = 0.0  # multiples of 1/_GRID over a small integer: the others are far larger, and their errors relative
        best[fits] = np.maximum(best[fits], amounts[fits] @ hidden[:, list(chosen)].T)
    return best
