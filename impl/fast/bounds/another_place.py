"""The special user's report in the place of a random other user's, in float64: BEYOND.any-law-place and BEYOND.any-law-alike-blocks.

Each of the N other users sends, with probability eta, a report of one law omega: the blanket, or its part where x_0 and x_1 do not differ.
Of those who do one is chosen at random, the special user's report stands for that one's, and all reports but those of the others who did
are told with their senders. S users are left, and delta is at most the mean of E(L_k, summed over them)_+/S, where L_k is the loss against
what is left of the law of k. Except with a probability far below delta at most r_1 users did, and S = N - r_1 + 1 is the worst of these.

Datasets. Laws of L come in a few kinds: for each, S_c users. Users of one kind are put in blocks of g, those left over in blocks of g/2,
g/4, ..., 1; every block is replaced by a law above all kinds' (`unlike_sums.Tilt.above`). So one sum serves for all datasets, and the price
falls with g, since sums of g losses of any kind are nearly normal. Any g and theta are sound: both are guessed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.laplace_places import kinds_of_laplace
from shuffleproof.impl.fast.bounds.one_sum import RESTS_ON, Losses, saddle
from shuffleproof.impl.fast.bounds.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.one_sum_profile import SMALLEST_DELTA, supported
from shuffleproof.impl.fast.bounds.randomizer_laws import Atoms, Kinds, kinds_of_all, kinds_of_others
from shuffleproof.impl.fast.bounds.unlike_sums import Tilt
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range
from shuffleproof.impl.fast.numeric.rounding import U
from shuffleproof.impl.fast.numeric.scalars import exponential, working
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ANOTHER_PLACE, ANOTHER_PLACE_FOR_ALL, ANOTHER_PLACE_OF_ANY_HASHING
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    epsilon0_parameter,
    parse_epsilon,
    probability,
)
from shuffleproof.spec.vocabulary.parameters import Value
from shuffleproof.spec.vocabulary.randomizers import Laplace, LocalHashing, NamedRandomizer

_LENGTH = 1 << 12
_ASIDE = 1e-4
"""The share of delta that is given to nobody, or too many, having drawn from the blanket."""
_LEFT_OVER = 4
"""About this many times as many users are in blocks as are left over."""
_COARSE, _FINE, _FAR, _LONGEST, _LONG, _RARE = 8, 12, 6, 1 << 18, 1 << 17, 1e-2
"""The deviation of losses over the step of a grid; sums beyond so many hardly count; most points, and if none is rare; what is rare."""
_CLOSE, _AIMED, _STEPS, _NEAR, _LARGE = 2e-3, 7e-4, 16, 1e-3, 1e-4
_BESIDE = 0.02
_OUTGROWN, _RETILTED = 15.0, 3
"""So much in the logarithm is more than the roundings of a sum may be; and how often theta is chosen anew."""
_SHOWN = Fraction(1, 10**6)


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, randomizer: NamedRandomizer | None = None) -> Bound:
    """delta at epsilon at most, in float64.

    n: users, 1 to 10^9; randomizer: a named one, or None for all eps0-DP ones; where k may be left out it stands for any number of items,
    three at least; hash functions are uniform unless its family is "any". epsilon0 in (0, 690]; epsilon >= 0. Returns a Bound of side
    "upper", for all neighbouring datasets. Raises DomainError, UnsupportedError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    method, inputs = _asked_of(randomizer, n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(method, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    asked = Asked(_kinds(randomizer, local), local, supported(users))
    found = asked.delta(central, asked.guess(central))
    return at_most(method, "delta", Fraction(found), inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number, randomizer: NamedRandomizer | None = None) -> Bound:
    """An epsilon at which delta is at most that, in float64; exactly epsilon0 at delta = 0.

    n and the randomizer: as for `delta`; delta = 0 or in [1e-300, 1]. Returns a Bound of side "upper", for all neighbouring datasets.
    Raises DomainError, UnsupportedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    method, inputs = _asked_of(randomizer, n=n, eps0=epsilon0, delta=delta)
    if local.exp == 1 or target == 1:
        return exactly(method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        return exactly(method, "epsilon", str(local), *local.bounds(bits=64), inputs=inputs)
    if target < SMALLEST_DELTA:
        raise out_of_range(f"delta = {decimal_text(target, digits=2, direction='up')}: it answers for 0 and from 1e-300 on")
    return at_most(method, "epsilon", Asked(_kinds(randomizer, local), local, supported(users)).epsilon(target), inputs)


def _asked_of(randomizer: NamedRandomizer | None, **asked: Value) -> tuple[Method, dict[str, str]]:
    if randomizer is None:
        return ANOTHER_PLACE_FOR_ALL, as_given(**asked)
    any_functions = isinstance(randomizer, LocalHashing) and randomizer.family == "any"
    return ANOTHER_PLACE_OF_ANY_HASHING if any_functions else ANOTHER_PLACE, randomizer.inputs(**asked)


def _kinds(randomizer: NamedRandomizer | None, epsilon0: Epsilon) -> Kinds:
    match randomizer:
        case None:
            return kinds_of_all(epsilon0)
        case Laplace():
            return kinds_of_laplace(epsilon0)
    return kinds_of_others(randomizer, epsilon0)


def at_most(method: Method, quantity: Quantity, value: Fraction, inputs: dict[str, str]) -> Bound:
    """The record of an upper side."""
    shown = value * (1 - _SHOWN)  # of side "upper": nothing is claimed of the lower end
    return method.bound(quantity, side="upper", lower=shown, upper=value, engine="fast", precision=53, rests_on=RESTS_ON, inputs=inputs)


@dataclass(frozen=True)
class Place:
    """Of N others each draws from omega with probability eta: nobody, or more than r_1, with probability `aside` at most.

    hidden: the least share of R_k that is left where omega is; users: S.
    """

    aside: float
    hidden: float
    users: int


def place(*, others: int, blanket: float, aside: float) -> Place | None:
    """With the least eta for which nobody draws from omega with probability `aside` at most; None where there is no such one.

    blanket: the mass of the part of R_k that omega may be, at most. By Bennett's inequality r > r_1 has at most the probability
    exp(-mean h(r_1/mean)), h(x) = x ln x - x + 1.
    """
    level = -math.log(aside) * (1 + 1e-9)
    if others < 1:
        return None
    eta = -math.expm1(-level / others) * (1 + 1e-9)
    if not eta < 0.9 * blanket:
        return None
    mean = others * eta
    most = math.ceil(mean)
    while mean * ((most / mean) * math.log(most / mean) - most / mean + 1) < level:
        most += 1
    left = others - most + 1
    return Place(2 * aside * (1 + 1e-6), (1 - eta / blanket) * (1 - 1e-12), left) if left >= 1 else None


class Asked:
    """Delta at most, for all datasets of so many users. epsilon0: from there on delta is at most what the kinds give away."""

    def __init__(self, kinds: Kinds, epsilon0: Epsilon, n: int) -> None:
        self.kinds, self.epsilon0, self.n = kinds, epsilon0, n

    def guess(self, epsilon: Epsilon) -> float:
        """About delta, from 1e-290 to 1e-3: how little may be set aside."""
        with working():
            E = float(exponential(epsilon))
        try:
            with np.errstate(all="ignore"):
                return math.exp(max(-667.0, min(-7.0, saddle(_widest(self.kinds.atoms(E, 1.0)), self.n)[1])))
        except (ValueError, OverflowError, ZeroDivisionError):
            return 1e-6

    def start(self, wanted: float, last: float) -> tuple[float, float]:
        """Where ln delta is about `wanted`, and its slope, by what is guessed."""
        x = min(last / 2, math.sqrt(2 * max(1.0, -wanted) * self.kinds.chi_square() / self.n))
        slope, before = 2 * (wanted - 2) / x, None
        for _ in range(_STEPS):
            height = math.log(self.guess(Epsilon(Fraction(x), None))) - wanted
            if before is not None and (height - before[1]) * (x - before[0]) < 0:
                slope = (height - before[1]) / (x - before[0])
            following = x - height / slope
            if not 0.0 < following < last or abs(following - x) < _NEAR * x:
                break
            before, x = (x, height), following
        return x, slope

    def delta(self, epsilon: Epsilon, target: float) -> float:
        """target: about what comes out."""
        found = place(others=self.n - 1, blanket=self.kinds.blanket, aside=target * _ASIDE)
        if found is None:
            return 1.0
        with working():
            E = float(exponential(epsilon))
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused, or ends as 1
                return min(1.0, (found.aside + self.summed(E, found) + self.kinds.given_away(E)) * (1 + 1e-12))
        except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):  # beyond the floats: nothing is claimed
            return 1.0

    def summed(self, E: float, found: Place) -> float:
        """E(L_1 + ... + L_S)_+/S at most, whatever the others hold."""
        S, laws = found.users, _laws(self.kinds.atoms(E, found.hidden), found.users, E)
        tilt = Tilt(laws.theta, laws.length, laws.cut)
        alike = [tilt.above([tilt.of(mass, at, level=laws.level, error=error) for mass, at, error in kind]) for kind in laws.kinds]
        blocks, g = [tilt.above(alike)], 1
        while 2 * g * len(alike) * _LEFT_OVER <= S:
            g = 2 * g
            tilt = replace(tilt, length=max(_LENGTH, math.ceil(laws.length / math.sqrt(g))))
            alike = [tilt.product(x, x) for x in alike]
            blocks.append(tilt.above(alike))
        number, extra = divmod(S - len(alike) * (g - 1), g)
        total = tilt.power(blocks[-1], number)
        for j, block in enumerate(blocks[:-1]):
            total = tilt.product(total, tilt.power(block, len(alike) + (extra >> j & 1)))
        if laws.rare:
            large = tilt.above([tilt.of(mass, at, level=total.level, error=error, all_of_it=False) for mass, at, error in laws.rare])
            total = tilt.product(total, tilt.compound(large, S))
        return (tilt.positive(total) / S + laws.beyond) * (1 + 1e-12)

    def beside(self, epsilon: Fraction, delta: Fraction) -> tuple[float, float]:
        """A start for others' secants: a little more than this epsilon, and the slope of ln delta there."""
        near, x = (float(epsilon) * (1 + each) for each in (0.0, _BESIDE))
        falls = [math.log(self.delta(Epsilon(Fraction(each), None), float(delta))) for each in (near, x)]
        return x, (falls[1] - falls[0]) / (x - near) if falls[1] < falls[0] else -1 / x

    def epsilon(self, delta: Fraction, start: tuple[float, float] | None = None) -> Fraction:
        """By secants of ln delta. start: where, and a slope; or what is guessed."""
        target, top = float(delta), self.epsilon0.bounds(bits=64)[1]
        last, wanted = float(self.epsilon0.bounds(bits=64)[0]), math.log(delta)
        nothing = Epsilon(Fraction(0), Fraction(1))
        if (target > _LARGE or self.guess(nothing) < 10 * target) and self.delta(nothing, target) <= delta:
            return Fraction(0)
        (x, slope), low, high = start or self.start(wanted, last), 0.0, last
        enough = top
        before: tuple[float, float] | None = None
        for _ in range(_STEPS):
            found = self.delta(Epsilon(Fraction(x), None), target)
            height = math.log(found) - wanted  # found is what is set aside, at least
            if found <= delta:  # not by logarithms, which are rounded
                enough = min(enough, Fraction(x))
            if -_CLOSE < height <= 0 or high - low < 1e-5 * high:
                break
            if before is not None and (height - before[1]) * (x - before[0]) < 0:
                slope = (height - before[1]) / (x - before[0])
            low, high = (low, x) if height <= 0 else (x, high)
            aimed = x - (height + _AIMED) / slope if found < 1.0 else math.nan
            before = (x, height) if found < 1.0 else before
            x = aimed if low < aimed < high else (low + high) / 2
        return enough


def _widest(kinds: list[list[Atoms]], *, least: float = -math.inf) -> Losses:
    """The law that decides where the sum is tilted: the one with the largest mean square of the losses that are not less than `least`."""
    mass, at, error = max(
        (atoms for kind in kinds for atoms in kind), key=lambda each: float((each[0] * np.maximum(each[1], least) ** 2).sum())
    )
    return Losses(mass, at, at, error)


@dataclass(frozen=True)
class _Laws:
    """What is summed on a grid of this level and length, of losses of each kind; and the rest of them.

    rare: losses beyond the grid, by kind, with what their user's others are worth below 0; beyond: what is above the last of these is
    worth at most.
    """

    kinds: list[list[Atoms]]
    theta: float
    level: int
    length: int
    cut: float
    rare: list[Atoms]
    beyond: float


def _laws(kinds: list[list[Atoms]], users: int, E: float) -> _Laws:
    """On a grid as fine as the range of losses lets it be, or where that is far above their deviation, rare ones aside.

    L = min(L, c) + (L - c)_+ and (x + y)_+ <= x_+ + y_+ for every c: where sums seldom come to -c that costs little.
    """
    widest = _widest(kinds)
    theta, span = _tilted(kinds, widest, users), max(float(np.abs(at).max()) for kind in kinds for _, at, _ in kind)
    level, deviation = math.floor(math.log2(2 * span / _LENGTH)), math.sqrt(float((widest.mass * widest.at**2).sum()))
    plain = _Laws(kinds, theta, level, _LENGTH, Tilt.cut, [], 0.0)
    if math.ldexp(1.0, level) <= deviation / _COARSE:
        return plain
    last = users * (E - 1) + _FAR * deviation * math.sqrt(users)
    beyond = max(_above(*atoms, last) for kind in kinds for atoms in kind)
    kinds = [[(mass, np.clip(at, -last, last), error) for mass, at, error in kind] for kind in kinds]
    theta = saddle(_widest(kinds, least=0.0), users)[0]
    end = 8 * deviation
    while end < span and users * max(float(mass[np.abs(at) > end].sum()) for kind in kinds for mass, at, _ in kind) > _RARE:
        end *= 1.25
    level = max(math.floor(math.log2(deviation / _FINE)), math.ceil(math.log2(2 * end / _LONGEST)))
    parts = [[divided(atoms, end) for atoms in kind] for kind in kinds]
    rare = [large for kind in parts for _, large in kind if len(large[0])]
    length, cut = max(_LENGTH, math.ceil(4 * end / 2.0**level)), min(1e-11, max(Tilt.cut, 1e-5 / users))
    if not rare and length > _LONG:  # it would take long, and help little
        return plain
    return _Laws([[small for small, _ in kind] for kind in parts], theta, level, length, cut, rare, beyond)


def _tilted(kinds: list[list[Atoms]], widest: Losses, users: int) -> float:
    """theta: the widest law's, or where others then grow far above it, that of the one that grows most."""
    found = saddle(widest, users)[0]
    for _ in range(_RETILTED):
        own = _grown(widest.mass, widest.at, found, users)
        mass, at, error = max((atoms for kind in kinds for atoms in kind), key=lambda each: _grown(each[0], each[1], found, users))
        if not _grown(mass, at, found, users) > own + _OUTGROWN:
            break
        widest = Losses(mass, at, at, error)
        found = saddle(widest, users)[0]
    return found


def _grown(mass: Floats, at: Floats, theta: float, users: int) -> float:
    """The logarithm of the tilted mass of a sum, about."""
    top = max(0.0, theta * float(at.max()))
    rest = max(0.0, 1.0 - float(mass.sum())) * math.exp(-top)
    return users * (top + math.log(float((mass * np.exp(theta * at - top)).sum()) + rest))


def _above(mass: Floats, at: Floats, error: float, last: float) -> float:
    """E(L - last)_+ at most."""
    return float((mass * np.maximum(at - last, 0.0)).sum()) * (1 + error + 4 * len(at) * U)


def divided(atoms: Atoms, end: float) -> tuple[Atoms, Atoms]:
    """Losses up to `end`, 0 where one is larger; and those that are, raised by what the mean of the others is below 0."""
    mass, at, error = atoms
    small = np.abs(at) <= end
    kept, of_kept = mass[small], at[small]
    below = -float((kept * of_kept).sum()) + float((kept * np.abs(of_kept)).sum()) * (error + 4 * len(at) * U)
    return (kept, of_kept, error), (mass[~small], at[~small] + max(0.0, below), error)
