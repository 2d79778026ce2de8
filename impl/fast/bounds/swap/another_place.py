"""The special user's report in the place of a random other user's, in float64: BEYOND.any-law-place and BEYOND.any-law-alike-blocks.

Each of the N other users sends, with probability eta, a report of one law omega: the blanket, or its part where x_0 and x_1 do not differ.
Of those who do one is chosen at random, the special user's report stands for that one's, and all reports but those of the others who did
are told with their senders. S users are left, and delta is at most the mean of E(L_k, summed over them)_+/S, where L_k is the loss against
what is left of the law of k. Except with a probability far below delta at most r_1 users did, and S = N - r_1 + 1 is the worst of these.

Of named randomizers below 10^5 users, of Laplace noise below 3000, levels serve instead of one pool: `swap_in_levels`.

The sum that serves for all datasets is that of `users_in_blocks`. Epsilon: delta differs from what a saddle point says by a factor that
hardly depends on epsilon, so that one sum is enough, mostly, after one on a coarse grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON, saddle
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import SMALLEST_DELTA, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Kinds, kinds_of_others
from shuffleproof.impl.fast.bounds.swap.laplace_places import kinds_of_laplace, types_of_laplace
from shuffleproof.impl.fast.bounds.swap.loss_types import types_of
from shuffleproof.impl.fast.bounds.swap.swap_in_levels import InLevels
from shuffleproof.impl.fast.bounds.swap.users_in_blocks import as_losses, summed
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range, require_normal
from shuffleproof.impl.fast.numeric.scalars import exponential, working
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ANOTHER_PLACE as METHOD
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    count,
    decimal_text,
    epsilon0_parameter,
    parse_epsilon,
    probability,
)

_MANY = 10**5
"""Users from which one pool is as good as levels, for output classes: within a thousandth of epsilon either way, and quicker."""
_MANY_OF_NOISE = 3000
"""The same for Laplace noise, whose many loss types take seconds in levels."""
_NEARLY_ALIKE = Epsilon(Fraction(2), None)
"""The local epsilon of Laplace noise up to which its loss types are so few that levels take about a second."""
_FAR_APART = Epsilon(Fraction(6), None)
"""The local epsilon from which on losses may be too far apart for a grid that serves all of them."""
_ASIDE = 1e-4
"""The share of delta that is given to nobody, or too many, having drawn from the blanket, at least."""
_MOST_ASIDE = 0.1
"""The same at most."""
_CLOSE = 2.5e-3
"""Ln delta: the search for epsilon ends where the bound is below the target by less; epsilon then moves by less than a thousandth."""
_AIMED = 3e-4
"""Ln delta: how far below the target the next point is aimed, so that it is enough."""
_STEPS = 16
"""Points at which delta is asked, or guessed, at most; where they end the least that was enough is returned."""
_NEAR = 1e-3
"""Relative change of a guessed epsilon at which guessing ends."""
_TURNS = 3
"""Corrections of a guess, each of which costs a sum on a coarse grid or some saddle points."""
_HARDLY = 1e-6
"""Relative change of epsilon that is none."""
_UNSURE = 0.018
"""The share of a step in ln delta that is not relied on: it is aimed so much lower."""
_LARGE = 1e-4
"""Delta from which on epsilon = 0 is asked first."""
_BESIDE = 0.02
"""How far above an epsilon the slope of ln delta is taken for others' secants, of itself."""
_UNKNOWN = -13.8
"""Ln delta that is guessed where saddle points leave the floats: 1e-6."""
_HALVED = 2
"""How often grids are halved that only show where to search."""
_LOST = 0.6
"""The share of what a grid adds to the tilted mass that delta lacks, times sqrt(ln 1/delta)."""
_ABOVE = 2.1e-3
"""Ln delta: a margin of the same, so that what is found there is rather too small."""
_SURELY = 0.1
"""Ln delta: a change of less needs no second look."""
_LEAST_WANTED = math.exp(-667.0)
"""The least delta that may be guessed: 1e-290, which floats carry."""
_MOST_WANTED = math.exp(-7.0)
"""The largest delta that may be guessed."""
_PASSES = 10
"""How often delta is asked with what has come out as the guess, at most."""
_MUCH_LESS = 2
"""By how many times what comes out may be below the guess."""
_MUCH_MORE = 100
"""By how many times what comes out may be above the guess, which costs less."""
_SHOWN = Fraction(1, 10**6)
"""Width of what is shown beside the bound, of itself: six digits; nothing is claimed of that end."""


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, randomizer: NamedRandomizer) -> Bound:
    """delta at epsilon at most, in float64.

    n: users, 1 to 10^9; where the randomizer's k may be left out it stands for any number of items, three at least; hash functions are
    uniform unless its family is "any". epsilon0 in (0, 690]; epsilon >= 0. Returns a Bound of side "upper", for all neighbouring datasets.
    Raises DomainError, UnsupportedError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(METHOD, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = min(asked.settled(central) for asked in _asked(randomizer, local, supported(users)))
    return at_most(METHOD, "delta", Fraction(found), inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number, randomizer: NamedRandomizer) -> Bound:
    """An epsilon at which delta is at most that, in float64; exactly epsilon0 at delta = 0.

    n and the randomizer: as for `delta`; delta = 0 or in [1e-300, 1]. Returns a Bound of side "upper", for all neighbouring datasets.
    Raises DomainError, UnsupportedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    if local.exp == 1 or target == 1:
        return exactly(METHOD, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        return exactly(METHOD, "epsilon", str(local), *local.bounds(bits=64), inputs=inputs)
    if target < SMALLEST_DELTA:
        raise out_of_range(f"delta = {decimal_text(target, digits=2, direction='up')}: it answers for 0 and from 1e-300 on")
    found = min(asked.epsilon(target) for asked in _asked(randomizer, local, supported(users)))
    return at_most(METHOD, "epsilon", found, inputs)


def _asked(randomizer: NamedRandomizer, epsilon0: Epsilon, n: int) -> list[Asked | InLevels]:
    """Return what answers; the least of two where losses are so far apart that levels may claim nothing."""
    if randomizer.noise:
        few = n < _MANY_OF_NOISE and epsilon0 <= _NEARLY_ALIKE
        return [InLevels([types_of_laplace(randomizer, epsilon0)], epsilon0, n) if few else Asked(kinds_of_laplace(epsilon0), epsilon0, n)]
    one_pool = Asked(kinds_of_others(randomizer, epsilon0), epsilon0, n)
    if n >= _MANY:
        return [one_pool]
    require_normal(epsilon0)
    levels = InLevels(types_of(randomizer, epsilon0), epsilon0, n)
    return [levels] if epsilon0 < _FAR_APART else [levels, one_pool]


def at_most(method: Method, quantity: Quantity, value: Fraction, inputs: dict[str, str]) -> Bound:
    """The record of an upper side."""
    shown = value * (1 - _SHOWN)  # of side "upper": nothing is claimed of the lower end
    return method.bound(quantity, side="upper", lower=shown, upper=value, engine="fast", precision=53, rests_on=RESTS_ON, inputs=inputs)


@dataclass(frozen=True)
class Place:
    """The N others each draw from omega with probability eta: nobody, or more than r_1, with probability `aside` at most.

    hidden: the least share of R_k that is left where omega is; users: S.
    """

    aside: float
    hidden: float
    users: int


def place(*, others: int, blanket: float, aside: float) -> Place | None:
    """Choose the least eta for which nobody draws from omega with probability `aside` at most; None where there is no such one.

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

    def place(self, target: float) -> Place | None:
        """Choose the tail budget that roughly minimises the bound.

        For e times less one user more is lost, and where R_0 and R_1 differ on omega,
        of the others' laws the part of so many that draw from it.
        """
        blanket = self.kinds.blanket
        lost = 1.0 if self.kinds.even or not blanket else 1 + 1 / blanket
        share = math.log(1 / target) * lost / 2 / max(1, self.n - 1)
        return place(others=self.n - 1, blanket=blanket, aside=target * min(max(share, _ASIDE), _MOST_ASIDE))

    def guess(self, epsilon: Epsilon) -> float:
        """About delta, from 1e-290 to 1e-3: how little may be set aside."""
        return math.exp(max(-667.0, min(-7.0, self.logarithm(epsilon, None))))

    def logarithm(self, epsilon: Epsilon, found: Place | None) -> float:
        """About ln delta."""
        users, hidden = (found.users, found.hidden) if found else (self.n, 1.0)
        with working():
            E = float(exponential(epsilon))
        try:
            with np.errstate(all="ignore"):
                guessed = saddle(as_losses(self.kinds.foremost(E, hidden)), users)[1]
        except (ValueError, OverflowError, ZeroDivisionError):
            guessed = math.nan
        return guessed if math.isfinite(guessed) else _UNKNOWN

    def settled(self, epsilon: Epsilon, fitted: Callable[[float], Asked] | None = None) -> float:
        """Delta at most, asked again with what has come out where that is far from what was guessed: any guess is sound.

        fitted: the same with kinds that suit about this delta, if they depend on it.
        """
        wanted, least = self.guess(epsilon), 1.0
        for _ in range(_PASSES):
            found = (self if fitted is None else fitted(wanted)).delta(epsilon, wanted)
            least, following = min(least, found), min(_MOST_WANTED, max(_LEAST_WANTED, found))
            if wanted / _MUCH_LESS <= following <= wanted * _MUCH_MORE:
                break
            wanted = following
        return least

    def start(self, wanted: float, last: float, found: Place | None = None) -> tuple[float, float]:
        """Where ln delta is about `wanted`, and its slope, by what is guessed."""
        x = min(last / 2, math.sqrt(2 * max(1.0, -wanted) * self.kinds.chi_square() / self.n))
        slope, before = 2 * (wanted - 2) / x, None
        for _ in range(_STEPS):
            height = self.logarithm(Epsilon(Fraction(x), None), found) - wanted
            if before is not None and (height - before[1]) * (x - before[0]) < 0:
                slope = (height - before[1]) / (x - before[0])
            following = x - height / slope
            if not 0.0 < following < last or abs(following - x) < _NEAR * x:
                break
            before, x = (x, height), following
        return x, slope

    def nearer(self, x: float, slope: float, target: float, last: float, found: Place) -> float:
        """Where sums on coarse grids, less what these have added, are a little less than what is wanted; x where there are none."""
        for _ in range(_TURNS):
            with working():
                E = float(exponential(Epsilon(Fraction(x), None)))
            try:
                with np.errstate(all="ignore"):
                    value, grown = summed(self.kinds, E, hidden=found.hidden, users=found.users, halved=_HALVED)
            except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):
                break
            value += self.kinds.given_away(E)
            if not 0.0 < value < math.inf or not target > found.aside:
                break
            added = grown * (1 - 4.0**-_HALVED) * (1 - _LOST / math.sqrt(max(1.0, -math.log(target))))
            change = math.log(target - found.aside) - math.log(value) + added - _ABOVE
            there = self.moved(x, self.logarithm(Epsilon(Fraction(x), None), found), slope, change, last, found)
            if not 0.0 < there < last:
                break
            x = there
            if abs(change) < _SURELY:
                break
        return x

    def moved(self, x: float, level: float, slope: float, change: float, last: float, found: Place | None) -> float:
        """Where ln delta differs by so much from that at x, by what is guessed; level, slope: what is guessed there."""
        there = x + change / slope
        for _ in range(_TURNS):
            if not 0.0 < there < last or abs(there - x) < _HARDLY * x:
                break
            changed = self.logarithm(Epsilon(Fraction(there), None), found) - level
            if not changed * (there - x) < 0:
                break
            there = x + change * (there - x) / changed
        return there

    def delta(self, epsilon: Epsilon, target: float) -> float:
        """target: about what comes out."""
        found = self.place(target)
        if found is None:
            return 1.0
        with working():
            E = float(exponential(epsilon))
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused, or ends as 1
                of_sum = summed(self.kinds, E, hidden=found.hidden, users=found.users)[0]
                return min(1.0, (found.aside + of_sum + self.kinds.given_away(E)) * (1 + 1e-12))
        except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):  # beyond the floats: nothing is claimed
            return 1.0

    def beside(self, epsilon: Fraction, delta: Fraction) -> tuple[float, float]:
        """A start for others' secants: a little more than this epsilon, and the slope of ln delta there."""
        near, x = (float(epsilon) * (1 + each) for each in (0.0, _BESIDE))
        falls = [math.log(self.delta(Epsilon(Fraction(each), None), float(delta))) for each in (near, x)]
        return x, (falls[1] - falls[0]) / (x - near) if falls[1] < falls[0] else -1 / x

    def epsilon(self, delta: Fraction, start: tuple[float, float] | None = None) -> Fraction:
        """Search by secants of ln delta, next to what is guessed. start: where, and a slope, instead of guesses."""
        target, top = float(delta), self.epsilon0.bounds(bits=64)[1]
        last, wanted = float(self.epsilon0.bounds(bits=64)[0]), math.log(delta)
        nothing = Epsilon(Fraction(0), Fraction(1))
        if (target > _LARGE or self.guess(nothing) < 10 * target) and self.delta(nothing, target) <= delta:
            return Fraction(0)
        among = self.place(target)
        (x, slope), low, high = start or self.start(wanted, last, among), 0.0, last
        if start is None and among is not None:
            x = self.nearer(x, slope, target, last, among)
        enough, scale = top, 1.0
        before: tuple[float, float] | None = None
        seen: tuple[float, float] | None = None
        for _ in range(_STEPS):
            found = self.delta(Epsilon(Fraction(x), None), target)
            height = math.log(found) - wanted  # found is what is set aside, at least
            if found <= delta:  # not by logarithms, which are rounded
                enough = min(enough, Fraction(x))
            if -_CLOSE < height <= 0 or high - low < 1e-5 * high:
                break
            beyond = found >= 1.0 and seen is not None and x > seen[0]  # of the floats: delta does not rise
            low, high = (low, x) if height <= 0 or beyond else (x, high)
            aimed = secant = math.nan
            if found < 1.0:
                level = slope * x if start else self.logarithm(Epsilon(Fraction(x), None), among)
                if before is not None and (height - before[1]) * (level - before[0]) > 0:
                    scale = (height - before[1]) / (level - before[0])
                change = -(height + _AIMED + min(abs(height) * _UNSURE, _CLOSE / 2)) / scale
                aimed = x + change / slope if start else self.moved(x, level, slope, change, last, among)
                if seen is not None and (height - seen[1]) * (x - seen[0]) < 0:
                    secant = x - (height + _AIMED) * (x - seen[0]) / (height - seen[1])
                before, seen = (level, height), (x, height)
            x = next((each for each in (aimed, secant) if low < each < high), (low + high) / 2)
        return enough
