"""The random-swap bound in levels for one randomizer, in float64: BEYOND.swap-in-levels.

Levels of eta: the special user's report is swapped with that of a random user among those who drew from omega first. Each costs one
controlled sum (`alike_blocks.averages`) of N - r + 1 losses for every size r of the pool that counts. Where nobody has drawn from omega
by the last level, the blanket that is left hides the report. Levels, and which omega: any choice is sound.

Epsilon is sought by saddle points of all loss types.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses, by_tilts, of_one, sides
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import WIDE, Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import as_losses
from shuffleproof.impl.fast.bounds.swap.controlled_sum import in_levels, levels_for
from shuffleproof.impl.fast.bounds.swap.loss_types import LossTypes, Thinned
from shuffleproof.impl.fast.bounds.swap.saddle_guesses import (
    about,
    blanket_ahead,
    counting_from,
    largest_sums,
    levels_decide,
    nodes,
    of_one_level,
    of_sums,
)
from shuffleproof.impl.fast.bounds.swap.search import least, of_normal, settled
from shuffleproof.impl.fast.bounds.swap.swap_in_order import MANY, in_order
from shuffleproof.impl.fast.bounds.swap.user_blocks.alike_blocks import ON_A_LINE, averages
from shuffleproof.impl.fast.numeric.results import U, exponential, working
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

_ENOUGH = 20.0
"""eta_L N up to which omega has to last for it to be the only one that is tried."""
_LENGTH = 1 << 12
"""Points of a grid, about, where losses of the blanket are summed on one."""
_NEAR = 30.0
"""Times what is wanted, within which what comes out shows which omega to take: far from there it may be another."""
_OF_A_GUESS = 2
"""The level by which a guess is corrected: of those that count most."""
_CLEARLY = 0.03
"""Of ln delta, by how much an omega has to be better than another for that not to be asked,"""
_CLEARLY_OF_FEW = 6.0
"""and the same over the number of users: guesses are far off where these are few."""
_CLEARLY_OF_MANY = 0.5
"""The same where guesses are not corrected: they are off by up to 0.2 where epsilon0 is large."""
_FEW = 1000
"""Users up to which it takes hardly longer to cut off far less than what is wanted."""
_CUT_OF_FEW = 1e-5
"""This part of what is cut off else, lest levels end too early, where it counts that nobody draws from omega:"""
_RARELY = 1e-3
"""where that is likelier than this many times what is wanted."""
_FAR_ABOVE = 40.0
"""Times what is wanted, from which on a rough bound is near enough: it is up to 10 times too large, 34 times at delta = 1e-300."""
_FAR_OFF = 300.0
"""Times a bound of more than these few users, from which on a rough one of the blanket, 2 to 30 times too large mostly, says it is more."""
_HIDDEN = 2e-5
"""Of what is wanted, what a rough bound of nobody's drawing may add."""
_AGAIN = 1.3
"""Times what is wanted, above which a quick bound may have been too rough: one more value takes some 20 ms."""
_NEARLY_ALL = 0.2
"""Of ln delta, how little less than at epsilon = 0 is wanted where guesses are wrong by more."""
_CLEAR = 2.0
"""Deviations of a normal mean at which it comes down to a delta that is far from that at 0, of which no guess is asked then."""
_SURELY = 2e-3
"""Of ln delta, by how much the blanket's bound has to be above or below that by levels for the larger of them not to be asked,"""
_UNEXPECTED = 1.003
"""but where levels give so many times what is wanted: they may lose more than guesses know."""
_HARDLY = 1e-7
"""Of what is wanted, sums of a level that hardly count: all levels but the last such one are left out."""
_EXPECTED = 1e-6
"""The delta that is expected where nothing is known,"""
_UNKNOWN = -13.8
"""and ln of it."""

_about = lru_cache(maxsize=64)(about)
"""Guesses, which are asked again."""


class InLevels:
    """Delta at most, for all datasets of so many users of one randomizer.

    types: by choices of omega; epsilon0: the least epsilon from which on nothing but what is uncovered counts.
    """

    def __init__(self, types: Iterable[LossTypes], epsilon0: Epsilon, n: int) -> None:
        self.types, self.epsilon0, self.n = list[LossTypes](), epsilon0, n
        for each in types:
            self.types.append(each)
            if self.types[0].most * (n - 1) > _ENOUGH:  # omega of the first lasts for all levels
                break
        self.more: list[Floats | float] = [0.0 for _ in self.types]
        self.on_a_line = True
        self.ahead = 0.0  # of ln delta, by how much the blanket alone is below levels, about, near where epsilon is sought

    def delta(self, epsilon: Epsilon, wanted: float) -> float:
        """At this epsilon. wanted: about what comes out, a choice."""
        with working():
            E = float(exponential(epsilon))
        found = [self._of(types, E, wanted) for types in self.types]
        if wanted / _NEAR < (smallest := min(found)) < min(1.0, wanted * _NEAR):  # the other omegas are not asked again: any are sound
            best = found.index(smallest)
            self.types, self.more = [self.types[best]], [self.more[best]]
        return min(1.0, smallest)

    def settled(self, epsilon: Epsilon) -> float:
        """At this epsilon, by a guess."""
        guess = math.exp(max(-660.0, min(-2.0, self.logarithm(float(epsilon.bounds(bits=64)[0])))))
        return settled(lambda wanted: self.delta(epsilon, wanted), guess)

    def epsilon(self, delta: Fraction) -> Fraction:
        """Return an epsilon at which delta is at most that, near the least such one."""
        target, last = float(delta), self.epsilon0.bounds(bits=64)[1]
        mass, at = self.types[0].foremost(1.0, np.zeros(1), many=self.n >= MANY)
        deviation = math.sqrt(float((mass * at * at).sum(axis=-1).max()) / max(1, self.n - 1))
        start = of_normal(deviation, target) if self.n >= MANY and deviation > 0.0 else math.inf
        more_at, by_sums = self._correcting(target, min(start, float(last)), surely=_CLEAR * deviation < start < math.inf)
        return least(
            lambda x: self.delta(Epsilon(x, None), target),
            lambda x: self.logarithm(float(x), target),
            delta,
            last,
            start=start,
            more_at=more_at,
            of_sums=by_sums,
            at_last=max(types.uncovered(math.exp(last)) for types in self.types),
        )

    def logarithm(self, epsilon: float, wanted: float = _EXPECTED) -> float:
        """About ln delta: of the omega with which it is least. wanted: about delta, a choice."""
        return min(self._guesses(math.exp(epsilon), wanted))

    def _guesses(self, E: float, wanted: float) -> list[float]:
        try:
            with np.errstate(all="ignore"):
                if self.n >= MANY:  # which nothing corrects
                    return [_about(types, E, self.n - 1, wanted) for types in self.types]
                return [about(types, E, self.n - 1, wanted, more) for types, more in zip(self.types, self.more, strict=True)]
        except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):
            return [_UNKNOWN for _ in self.types]

    def _correcting(self, target: float, start: float, *, surely: bool) -> tuple[Callable[[Fraction], float] | None, bool]:
        """Return what says how much ln delta is above its guess at an epsilon, and whether that is known by sums.

        surely: whether ln delta is far more than wanted at 0.
        """
        if self.n < MANY:
            return lambda x: self._correct(math.exp(x), target), False
        if of_sums(self.types[0], math.exp(start), self.n - 1, target) is not None:  # guesses are of the sums themselves
            return None, True
        if not surely and self.logarithm(0.0, target) < math.log(target) + _NEARLY_ALL:  # where guesses would point nowhere
            return lambda x: math.log(self.delta(Epsilon(x, None), target)) - self.logarithm(float(x), target), False

        def more_at(x: Fraction) -> float:
            guess, found = self._keep_near(math.exp(x), target, _CLEARLY_OF_MANY), None
            if len(self.types) > 1:
                return 0.0
            try:
                with np.errstate(all="ignore"):
                    self.ahead = blanket_ahead(self.types[0], math.exp(x), self.n - 1, target)
                    if known := of_one_level(self.types[0], math.exp(x), self.n - 1, target, self.ahead):
                        found, self.ahead = known
            except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):
                pass
            return 0.0 if found is None else found - guess

        return more_at, self.n > ON_A_LINE

    def _correct(self, E: float, wanted: float) -> float:
        """Correct guesses by sums, and take the omega with which delta is least where that is clear. Return 0: nothing is left."""
        self.more = [self._lacking(types, E, wanted) for types in self.types]
        self._keep_near(E, wanted, max(_CLEARLY, _CLEARLY_OF_FEW / self.n))
        return 0.0

    def _keep_near(self, E: float, wanted: float, apart: float) -> float:
        """Keep each omega whose guess of ln delta is less than so far from the least one, which is returned."""
        guesses = self._guesses(E, wanted)
        near = [i for i, guess in enumerate(guesses) if guess < min(guesses) + apart]
        self.types, self.more = [self.types[i] for i in near], [self.more[i] for i in near]
        return min(guesses)

    def _lacking(self, types: LossTypes, E: float, wanted: float) -> Floats | float:
        """Return what ln of sums is above its guess, about: at one level, or of thinned losses at each of the `nodes`."""
        numbers, eta = nodes(self.n - 1), 0.0
        if not isinstance(types, Thinned):
            levels = levels_for(self.n - 1, wanted, types.most)
            if len(levels) <= _OF_A_GUESS:
                return 0.0
            before, eta = map(float, levels[_OF_A_GUESS - 1 : _OF_A_GUESS + 1])
            numbers = np.array([max(1.0, round((self.n - 1) * (1 - eta + before) + 0.5))])
        with np.errstate(all="ignore"):
            (mass,), (at,) = types.foremost(E, np.array([eta]))
            try:
                known = [Losses(p, x, x, 0.0) for p, x in zip(mass, at, strict=True)]
                found = np.log(averages(known, [int(S) for S in numbers], wanted=wanted)) - largest_sums(mass[None], at[None], numbers)
            except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):
                return 0.0
        return np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0)

    def _of(self, types: LossTypes, E: float, wanted: float) -> float:
        """Return the bound with this choice of omega."""
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused, or ends as 1
                few = self.n <= _FEW and (1.0 - types.most) ** (self.n - 1) > wanted * _RARELY
                found = self._in_levels(types, E, wanted * (_CUT_OF_FEW if few else 1.0), hardly=wanted * _HARDLY)
                found = (found + types.uncovered(E)) * (1 + 4 * U)
        except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):  # beyond the floats: nothing is claimed
            return 1.0
        return found if found <= 1.0 else 1.0

    def _in_levels(self, types: LossTypes, E: float, wanted: float, *, hardly: float = 0.0) -> float:
        """The least of the blanket's bound and the sum over levels, as long as these are worth it; `hardly`: a sum that hardly counts.

        Of many users the blanket's bound is a rough one at first, and Laplace noise's sums along a line do without it.
        """
        levels, quick, first = levels_for(self.n - 1, wanted, types.most), self.n >= MANY, math.inf
        if quick and self.on_a_line and isinstance(types, Thinned) and levels:  # 1 for what may be revealed, with a tiny probability
            first = in_order(lambda numbers: types.averages(E, numbers), types.mass, others=self.n - 1, wanted=wanted)
            if first <= wanted * _AGAIN:
                return first
            quick = first == math.inf
            self.on_a_line = not quick  # there is none at other epsilons either, mostly
        told = min(1.0, *(max(map(of_one, map(as_losses, laws))) for laws in (types.others(E, 0.0), types.blanket(E, 0.0)) if laws))
        # everything may be revealed: of cells of inputs the blanket's losses are nearer
        enough = math.inf

        @cache
        def known(eta: Fraction, numbers: tuple[int, ...]) -> list[float]:
            try:
                laws, (mass, at) = types.others(E, float(eta)), types.foremost(E, np.array([float(eta)]))
                return averages([as_losses(law) for law in laws], numbers, wanted=wanted, enough=enough, like=(mass[0], at[0]))
            except UnsupportedError:  # losses against so little are too far apart: the level is not taken
                return [math.inf for _ in numbers]

        @cache
        def nobody(share: float, *, rough: bool) -> float:
            laws = [as_losses(law) for law in types.blanket(E, share)]
            found = 0.0 if laws else told
            for bound, losses in sorted(((by_tilts(law, self.n), law) for law in laws), key=itemgetter(0), reverse=True):
                far = (1.0 - share) ** (self.n - 1) * bound < wanted * _HIDDEN if share else bound > wanted * _FAR_ABOVE
                if rough and (far or (share and isinstance(types, Thinned))):  # as near as need be
                    return min(told, max(found, bound))
                if not bound <= found:
                    value = sides(losses, n=self.n, length=_LENGTH, width=WIDE)[1]
                    found = max(found, value) if math.isfinite(value) else math.inf
            return found

        def blanket_counts(found: float) -> bool:
            return self.n <= _FEW or any(by_tilts(as_losses(law), self.n) < found * _FAR_OFF for law in types.blanket(E, 0.0))

        def by_levels(*, rough: bool) -> float:
            if isinstance(types, Thinned) and levels:
                return in_order(
                    lambda numbers: known(Fraction(0), tuple(numbers)),
                    types.mass,
                    others=self.n - 1,
                    wanted=wanted,
                    parts=[float(eta) / types.mass for eta in levels],
                    told=told,
                    nobody=lambda share: nobody(share, rough=rough),
                    blanket=blanket_counts,
                )
            return in_levels(
                lambda eta, numbers, _: known(eta, tuple(numbers)),
                lambda eta: nobody(float(eta), rough=rough) if eta or not rough or self.ahead > -_SURELY else told,
                others=self.n - 1,
                levels=levels,
                wanted=wanted,
                most=told,
            )

        if isinstance(types, Thinned):
            if quick and levels_decide(types, self.n - 1, levels):
                first = by_levels(rough=True)
        else:
            levels = levels[max(0, counting_from(types, E, self.n - 1, levels, hardly) - 1) :]
            if quick:
                enough = nobody(0.0, rough=True) if self.ahead > -_SURELY else math.inf
                if self.ahead > _SURELY and enough < wanted * _FAR_ABOVE:
                    return enough
                first = by_levels(rough=True)
                if enough == math.inf and first > wanted * _UNEXPECTED:
                    first = min(first, nobody(0.0, rough=True))
                if not wanted * _FAR_ABOVE < enough < first * _FAR_ABOVE:  # what was rough is not the least
                    return first
        return first if first <= wanted * _AGAIN else min(first, by_levels(rough=False))
