"""All adaptive sequences of eps0-DP randomizers from above, in float64: BEYOND.first-arrival; with leaks first-arrival-approximate.

The bound of levels eta_1 < ... < eta_L is a mean of controlled sums (controlled_sum.in_levels) of the five corner distributions. T is
rounded up and E down, to floats, since it rises with T and falls with E; values and probabilities are rationals then, and rounded once.
Levels, and the points at which an epsilon is sought, are choices: any are sound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import cast

import numpy as np

from shuffleproof.impl.fast.bounds.blanket import one_sum_contour
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import supported
from shuffleproof.impl.fast.bounds.clones.clones import SMALLEST_DELTA, stronger_clones
from shuffleproof.impl.fast.bounds.swap.controlled_sum import (
    AT_ONCE,
    MANY,
    ONE_LEVEL,
    about_in_levels,
    averages,
    in_levels,
    levels_for,
    none_in,
)
from shuffleproof.impl.fast.bounds.swap.search import LARGE, at_most, least, of_normal, settled
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, U, decimal_of, exponential, in_floats, working
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import FIRST_ARRIVAL
from shuffleproof.spec.vocabulary.numerals import Epsilon, float_toward

Atoms = Sequence[tuple[Fraction, Fraction]]
LARGEST = Epsilon(Fraction(12), None)
"""A local epsilon up to which losses are near enough to each other for a grid."""
MOST_SHARE = 0.9
"""eta_L (T + 1) at most: nearer to 1 the losses against what is left grow without bound."""
_FARTHEST = 64
"""Times T' - 1, the loss of a leak at most: of smaller eps0 the rest of it is revealed, since grids have no room for it."""
_LARGEST_EXPONENT = 600.0
"""Exponents beyond it count as it, in a choice."""
_NEARLY = 0.3
"""Distributions that are so near to the largest at one tilt are compared by saddle points."""
_FEWEST_DRAWS = 1.2
"""Of omega, by all others in the mean, at most: of fewer nothing was smaller than clones, at any epsilon0, delta or epsilon."""
_REST = 5e-4
"""Of delta, what is revealed where nobody has drawn from omega, rather than summed: of epsilon that is 2 parts in 10^5 or less."""
_THREE = 1 / 8
"""Of the users from which on one level is enough, those from which on three are: epsilon is larger by 10^-4 of itself, or less."""
_SMALL = 3.5
"""T up to which levels count less, from _MANY_OF_SMALL users on."""
_MANY_OF_SMALL = 1500
"""Users from which on a small T has the levels of a large delta, which are fewer: epsilon is larger by 7 in 10^5 of itself, or less."""
_COSTLIER = 4.4
"""T + 1, from which on one level is enough of more users only, as many times: epsilon is larger by 5 in 10^4 of itself, or less."""
_DEARER = 2.8
"""The same where that costs two more milliseconds, from epsilon0 = 2 on, and epsilon is smaller by 4 in 10^4 of itself."""
_LESS = 0.25
"""Of the users from which on one level is enough, those from which on levels are so much less than clones that these decide nothing."""
_AS_LIKELY = 0.6
"""That nobody has drawn from omega, at the level by which a guess is corrected: 0.5 in the first levels, of which it is the third."""
_OF_A_GUESS = 0.15
"""How much that value counts: it decides where delta is asked first."""
_GUESSED = 3 * MANY
"""Users from which on guesses are near enough as they are, where T is 2 at least: below it two types have one variance at E = 1."""
_UNSURE = 7e-4
"""Of ln delta, by how much less is aimed at where a type has to be added to another or blocks are long, lest it is asked twice."""
_RAISED = Decimal("1e-40")
"""Times T'^2, by how much places in decimals are raised where there are leaks."""
_ENOUGH = 55
"""Times e^eps0, users from which on that is near enough."""


@dataclass(frozen=True)
class Class:
    """All (eps0, delta0)-DP randomizers at one order, for n users: T, E are rationals that are floats; leak: delta0."""

    T: Fraction
    E: Fraction
    n: int
    leak: Fraction = Fraction(0)

    @classmethod
    def at(cls, local: Epsilon, central: Epsilon, n: int, leak: Fraction = Fraction(0), *, upper: bool = True) -> Class:
        """T rounded up and E down, or the other way for what is attained."""
        return cls(_rounded(local, up=upper), max(Fraction(1), _rounded(central, up=not upper)), n, leak)

    @cached_property
    def kept(self) -> Fraction:
        """1 - 3 delta0: the mass that is left without leaks."""
        return 1 - 3 * self.leak

    @cached_property
    def widened(self) -> Fraction:
        """T' = T/(1 - 3 delta0)."""
        return self.T / self.kept

    @cached_property
    def thinned(self) -> bool:
        """Return whether omega is the least of R_0/T and all others', by which losses are thinned.

        (T R_0 - R_1)/(T - 1) is better, but leaves less where all leaks are many.
        """
        return 4 * self.T * (self.n - 1) * self.leak > self.T - 1

    @cached_property
    def norm(self) -> Fraction:
        """Return what the mass of omega is at least, before it is divided by it; 0 or less where leaks leave nothing of it."""
        if self.thinned:
            return (1 - (self.n - 1) * self.leak) / self.T
        return self.T - 1 - 2 * self.T * (self.n - 1) * self.leak - 2 * self.leak / (1 - 2 * self.leak)

    def most(self) -> Fraction:
        """The largest eta there may be; 0 where there is none."""
        return _most(self.T, self.n, self.leak)

    @cached_property
    def farthest(self) -> Fraction:
        """The loss of a leak up to which it is hidden: (x + y)_+ <= x_+ + y_+ for the rest."""
        return min(self.T, _FARTHEST * (self.widened - 1))

    @property
    def told(self) -> float:
        """Return the delta of one report, revealed, at most; beside the leak."""
        return float((self.T - self.E) / (self.T + 1)) * (1 + 4 * U)

    @property
    def one_loss(self) -> float:
        """Return what the mean positive part of one loss is at most, at every level: without leaks that of one report, revealed."""
        if not self.leak:
            return self.told
        with working():
            laws = self._in_decimals(Class.corner_losses, Fraction(0))
            return math.nextafter(float(max(sum(p * at for at, p in law if at > 0) for law in laws)), math.inf)

    def corner_losses(self, share: Fraction, which: slice = slice(None)) -> list[Atoms]:
        """C_l, against (R_k - eta omega)/(1 - eta): (value, probability) at the corners (u, v), and a leak."""
        T, E, one, part = self.widened, self.E * (1 - 2 * self.leak), type(self.T)(1), self.kept
        taken = share / self.norm
        low, high, first, second, under, over = (1 / T, 1 / T), (T, T), (T, one), (one, T), (1 / T, one), (one, 1 / T)
        laws = [
            [(low, T / (T + 1)), (high, 1 / (T + 1))],
            [(low, T / (T + 2)), (first, 1 / (T + 2)), (second, 1 / (T + 2))],
            [(first, 1 / (T + 1)), (under, T / (T + 1))],
            [(second, 1 / (T + 1)), (over, T / (T + 1))],
            [(high, 1 / (2 * T + 1)), (over, T / (2 * T + 1)), (under, T / (2 * T + 1))],
        ]
        corners = (low, high, first, second, under, over)
        left = {at: (1 - taken * (1 if self.thinned else T * at[0] - at[1])) / (1 - share) for at in corners}
        hides = (1 - taken if self.thinned else one) / (1 - share)
        leaks = [(self.farthest / hides, self.leak / self.T * hides)] if self.leak else []
        return [[*(((at[0] - E * at[1]) / (part * left[at]), part * p * left[at]) for at, p in law), *leaks] for law in laws[which]]

    def clones_losses(self, share: Fraction) -> list[Atoms]:
        """Return the losses of clones with what is left of max(R_0, R_1)/T, without leaks."""
        T, E = self.T, self.E
        a, b, d = (1 - share * (T + 1)) / (1 - share), 1 / (1 - share), (1 - share * T) / (1 - share)
        return [[((T - E) / a, a / (T + 1)), ((1 - T * E) / b, b / (T + 1))], [(T * (1 - E) / d, d / T)]]

    def types(self, share: Fraction) -> list[Losses]:
        """C_l in floats."""
        return self._in_floats(Class.corner_losses, share)

    def _in_floats(self, losses: Callable[[Class, Fraction], list[Atoms]], share: Fraction) -> list[Losses]:
        """Return these loss types in floats."""
        with working():
            return as_floats(self._in_decimals(losses, share))

    def _in_decimals(self, losses: Callable[[Class, Fraction], list[Atoms]], share: Fraction) -> list[Atoms]:
        """Return these loss types by decimals of 60 digits: masses to a relative error of 1e-50, and so are places without leaks.

        A leak makes differences as small as they like: those of the class itself are rounded once, from rationals, and places are raised by
        more than they are wrong, since what is subtracted is T'^2 at most and what it is divided by 1/40 at least.
        """
        known = self.of_numbers(decimal_of)
        if self.leak:
            exact = {name: decimal_of(getattr(self, name)) for name in ("kept", "widened", "norm", "farthest")}
            known.__dict__.update(exact, thinned=self.thinned)  # cached properties
        more = known.widened * known.widened * cast(Fraction, _RAISED) if self.leak else 0
        return [[(at + more, p) for at, p in law] for law in losses(known, cast(Fraction, decimal_of(share)))]

    def of_numbers(self, number: Callable[[Fraction], object]) -> Class:
        """Return the same class with other numbers that stand for rationals: floats are near enough for choices."""
        T, E, leak = (cast(Fraction, number(x)) for x in (self.T, self.E, self.leak))
        return Class(T, E, self.n, leak)

    @property
    def alone(self) -> float:
        """Return from how many users on one level is enough: the larger T, the more a pool of one level costs."""
        return ONE_LEVEL * max(1.0, float(self.T + 1) / _COSTLIER)

    def levels(self, target: float) -> list[Fraction]:
        """eta_1 < ... < eta_L: enough of them for about this delta."""
        most, large = float(self.most()), self.n >= _MANY_OF_SMALL and self.T < _SMALL
        if not self.leak and (self.n - 1) * most < _FEWEST_DRAWS:
            return []
        alone = max(self.alone, ONE_LEVEL * float(self.T + 1) / _DEARER)
        return levels_for(self.n - 1, target, most, alone=alone, three=_THREE * self.alone, large=large)

    def delta(self, target: float, clones: float = 1.0) -> float:
        """Delta at most, beside the leak; target: about what comes out; clones: what is known of it."""
        told = self.told
        most, beside = min(told, clones), self.leak * (1 - self.farthest / self.T)
        hides = self.n > 1 and 1 - self.E * (1 - 2 * self.leak) < told  # else losses are no less than what is revealed
        if not (hides and (levels := self.levels(target))):
            return most

        def sums(eta: Fraction, numbers: Sequence[int], weight: float) -> list[float]:
            return averages(self.types(eta), numbers, wanted=target, weight=weight)

        def nobody(eta: Fraction) -> float:
            if not eta:
                return most
            if self.leak or told * none_in(self.n - 1, eta) < _REST * target:
                return told
            return min(told, averages(self._in_floats(Class.clones_losses, eta), [self.n], wanted=target)[0])

        found = in_levels(sums, nobody, others=self.n - 1, levels=levels, wanted=target, most=self.one_loss)
        return min(most, (found + float(beside)) * (1 + 4 * U))

    def guess(self, target: float | None = None) -> float:
        """Return about ln delta by the saddle point of one corner distribution: the mean over levels, or where few draw from omega."""
        return self.guesses(target)(float(self.E))

    def guesses(self, target: float | None = None) -> Callable[[float], float]:
        """Return the same as a function of E."""
        near, N = self.of_numbers(float), max(1, self.n - 1)
        levels = list(map(float, near.levels(target))) if target else []
        first = levels[0] if levels else min(1 / N, float(near.most()) / 2)

        def guess(E: float) -> float:
            at_E = Class(near.T, cast(Fraction, E), self.n, near.leak)
            laws = at_E.corner_guesses(first)
            worst = _worst(laws, E, N)
            if not levels:
                return one_sum_contour.about(laws[worst], N)

            def about(eta: float, users: float) -> float:
                return one_sum_contour.about(laws[worst] if eta == first else at_E.corner_guesses(eta, slice(worst, worst + 1))[0], users)

            return about_in_levels(about, others=N, levels=levels, most=at_E.told)

        return guess

    def normal(self, target: float) -> float:
        """Return where sums of a normal type would give that, of the largest variance: a place to begin from."""
        N = max(1, self.n - 1)
        laws = Class(self.T, Fraction(1), self.n).of_numbers(float).corner_guesses(min(1 / N, float(self.most()) / 2))
        return of_normal(math.sqrt(max(sum(x * x * p for x, p in law) for law in laws) / N), target)

    def hopeless(self, target: float) -> bool:
        """Return whether no less than that is to be expected: of the first of several levels, since sums grow with eta."""
        levels = self.levels(target)
        if len(levels) < 2:
            return not levels or self.guess(target) > math.log(target)
        laws = self.of_numbers(float).corner_guesses(float(levels[0]))
        return max(one_sum_contour.about(law, self.n - 1) for law in laws) > math.log(target)

    def corner_guesses(self, share: float, which: slice = slice(None)) -> list[list[tuple[float, float]]]:
        """Return C_l where a float may stand for any number: choices."""
        return cast(list[list[tuple[float, float]]], self.corner_losses(cast(Fraction, share), which))

    def more_than_guessed(self, target: float) -> float:
        """Return about ln of what delta is over its guess, by the one level at which somebody draws from omega as likely as not."""
        levels = self.levels(target)
        if not levels:
            return 0.0
        eta = next((eta for eta in levels if none_in(self.n - 1, eta) < _AS_LIKELY), levels[-1])
        laws, users = self.of_numbers(float).corner_guesses(float(eta)), self.n - 1
        found = averages(self.types(eta), [users], wanted=target, weight=_OF_A_GUESS)[0]
        return math.log(max(found, 1e-300)) - one_sum_contour.about(laws[_worst(laws, float(self.E), users)], users)


@lru_cache(maxsize=64)
def _most(T: Fraction, n: int, leak: Fraction) -> Fraction:
    """Return `Class.most`, at any E."""
    known = Class(T, Fraction(1), n, leak)
    if not (T > 1 and known.norm > 0):
        return Fraction(0)
    return Fraction(MOST_SHARE) * known.norm / (1 if known.thinned else (known.widened + 1) * (known.widened - 1))


@lru_cache(maxsize=64)
def _rounded(epsilon: Epsilon, *, up: bool) -> Fraction:
    """Return a float not below e^epsilon, or not above it, as a rational."""
    with working():
        found = exponential(epsilon) * (1 + (SCALAR_ERROR if up else -SCALAR_ERROR))
    return Fraction(float_toward(Fraction(found), direction="up" if up else "down"))


def _worst(laws: Sequence[Sequence[tuple[float, float]]], E: float, N: int) -> int:
    """Return which of these gives the largest sums, about: all have one mean, and are compared at the tilt at which sums are about 0."""
    tilt = (E - 1) / max(1e-300, *(sum(x * x * p for x, p in law) for law in laws))
    means = [sum(p * math.expm1(min(tilt * x, _LARGEST_EXPONENT)) for x, p in law) for law in laws]
    close = [i for i, mean in enumerate(means) if mean >= max(means) - _NEARLY * abs(max(means))]
    return max(close, key=lambda i: one_sum_contour.about(laws[i], N)) if len(close) > 1 else close[0]


def as_floats(laws: Sequence[Atoms]) -> list[Losses]:
    """Return the loss types with places rounded up, and masses to one rounding or two.

    Decimals are wrong by less than a rounding of floats: differences of floats lose 16 of 60 digits.
    """
    found = []
    for law in laws:
        at = np.array([math.nextafter(float(x), math.inf) if x else 0.0 for x, _ in law])
        found.append(Losses(np.array([float(p) for _, p in law]), at, at, 2 * U))
    return found


@in_floats(FIRST_ARRIVAL)
def delta(*, n: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """delta at epsilon at most, for every adaptive sequence of eps0-DP randomizers: never above stronger clones."""
    clones = stronger_clones.delta(n=n, epsilon0=epsilon0, epsilon=epsilon)
    if epsilon >= epsilon0:
        return Found.exactly(0)
    found = float_toward(clones.upper, direction="up")
    if epsilon0 <= LARGEST and found > 0:
        of_class, known = Class.at(epsilon0, epsilon, n), found
        found = settled(lambda wanted: of_class.delta(wanted, known), known, known=known)
    return at_most(Fraction(found))


@in_floats(FIRST_ARRIVAL)
def epsilon(*, n: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """An epsilon at which delta is at most that for every adaptive sequence of eps0-DP randomizers: never above stronger clones."""
    top = epsilon0.bounds(bits=64)[1]
    clones: Bound | None = None
    beyond = found = top  # the clones' epsilon is above `beyond`

    @cache
    def clones_delta(x: Fraction) -> Bound:
        return stronger_clones.delta(n=n, epsilon0=epsilon0, epsilon=x)

    def clones_at(x: Fraction) -> float:
        return float_toward(clones_delta(x).upper, direction="up")

    def clones_near(x: Fraction) -> tuple[Fraction, bool]:
        nonlocal clones, beyond
        if not clones and x < top and clones_delta(x).lower > delta:
            beyond = x
            return top, False
        clones = clones or stronger_clones.epsilon(n=n, epsilon0=epsilon0, delta=delta)
        last = clones.upper
        return last, x >= last and n >= MANY and Class.at(epsilon0, Epsilon(last, None), n).hopeless(float(delta))

    if n < MANY or not SMALLEST_DELTA <= delta <= LARGE or not Epsilon(Fraction(0), None) < epsilon0 <= LARGEST:
        clones = stronger_clones.epsilon(n=n, epsilon0=epsilon0, delta=delta)
    if (clones is None or (clones.side != "exact" and clones.upper > 0)) and epsilon0 <= LARGEST:
        found = least_of(lambda x: Class.at(epsilon0, Epsilon(x, None), supported(n)), delta, top, known=clones_at, known_at=clones_near)
    if not clones and found > beyond:
        clones_near(found)
    if clones is not None and clones.side == "exact":
        return Found(clones.lower, clones.upper, exact=clones.exact)
    return at_most(min(found, clones.upper) if clones else found)


def least_of(
    class_at: Callable[[Fraction], Class],
    target: Fraction,
    last: Fraction,
    *,
    known: Callable[[Fraction], float] = lambda _: 1.0,
    known_at: Callable[[Fraction], tuple[Fraction, bool]] | None = None,
) -> Fraction:
    """Return an epsilon at which delta is `target` at most, beside the leak, near the least one; last: one of which that is known.

    known: delta at most, known otherwise, which decides nothing of many users and is not asked then; known_at: as for `search.least`.
    """
    wanted, first = float(target), class_at(Fraction(0))
    alone, guess = first.n >= _LESS * first.alone, first.guesses(wanted)

    def delta_at(x: Fraction) -> float:
        return class_at(x).delta(wanted, 1.0 if alone else known(x))

    def more_at(x: Fraction) -> float:
        return class_at(x).more_than_guessed(wanted) + unsure if looks_first else 0.0

    unsure = _UNSURE if first.n >= AT_ONCE or first.T < 2 else 0.0
    looks_first = first.n >= _ENOUGH * first.T and (first.n < _GUESSED or first.T < 2)
    start = first.normal(wanted)
    return least(delta_at, lambda x: guess(math.exp(x)), target, last, more_at=more_at, known_at=known_at, start=start)
