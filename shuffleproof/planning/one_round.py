"""One round of shuffling, as composition asks about it: epsilon, the profile on a grid, Renyi divergences, each certified from above."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from shuffleproof.accounting.profile_by_chords import BEYOND, Points, cells_of, profile
from shuffleproof.answering import answer_by
from shuffleproof.default_choice import Candidate, candidates
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_sums import WALK
from shuffleproof.impl.ball.numeric.budget import require_affordable
from shuffleproof.mechanisms.mechanism import shuffled
from shuffleproof.mechanisms.randomizers import randomizer_of
from shuffleproof.methods import method_named
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import (
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
    require,
)
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import K_RR_BLANKET, K_RR_EXHAUSTIVE, STRONGER_CLONES
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import ANOTHER_PLACE, BLANKET, OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import INFINITE, Epsilon, Number, decimal_text
from shuffleproof.spec.vocabulary.parameters import N

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import PairRenyi

_SMALL_N = 300
"""Users up to which Renyi divergences of clones take the quicker of two routes; with more always that by moments."""
_CLONES_DIGITS = 12
"""Of clones' delta at each point of a grid: the grid itself loses far more."""
_DIGITS = 9
"""Of the optimal pair in ball arithmetic: its envelope takes any gap."""
_SPREAD = 2.31 * _DIGITS + 12
_LARGEST_WORK = 12_000_000
"""Terms of all certified sums of the optimal pair together: most of a minute."""
_ALSO_ASKED = 64
"""Values of delta that the search for the grid's end and the envelope's gap take beside its cells, about."""
_DISTRIBUTION_CELLS = 28
"""Of a grid by the whole distribution, each a tenth of a second or so: up to half a percent lost."""
_DISTRIBUTION_SECONDS = 1.5
"""Estimated, of one epsilon by the whole distribution, beyond which a grid would take long."""
_BY_DISTRIBUTION = (K_RR_EXHAUSTIVE.name, K_RR_BLANKET.name, BLANKET.name, ANOTHER_PLACE.name)
_SHORT = Fraction(1, 100)
"""Where a grid ends of a round that loses next to nothing."""
_FINER = 2
"""Times as many cells where points between a few take no time: of many rounds epsilon is up to a hundredth smaller."""
_GAIN = Fraction(98, 100)
"""Of the other's epsilon: closer to it a grid as coarse as its own loses what was gained."""
_RENYI_DIGITS = 4
"""Of a Renyi divergence of the optimal pair."""
_RENYI_WORK = 300_000
"""Terms of one order's sums: less than a second; orders that would take longer are left out."""


@dataclass(frozen=True)
class GridPoint:
    """Certified ends of delta at one epsilon."""

    epsilon: Fraction
    lower: Fraction
    upper: Fraction


class Round(ABC):
    """Answers what is asked about a single round, each question once.

    method, n, own: what is asked, with the method's own parameters; largest: about the largest loss; engine: as `answer` takes it, with
    so many digits where it is "ball".
    """

    def __init__(self, *, method: Method, n: int, own: Mapping[str, Number | Epsilon], largest: Fraction, engine: str, digits: int) -> None:
        self.method, self.n, self.own, self.engine = method, n, own, engine
        self._largest, self._digits = largest, digits if engine == "ball" else None
        self._epsilons: dict[Fraction, Fraction] = {}
        self._too_much: tuple[Fraction, ResourceLimitError] | None = None

    @property
    def renyi_engine(self) -> str:
        """Return what Renyi divergences are asked of."""
        return self.engine

    @abstractmethod
    def divergences(self, orders: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """(order, upper bound on the Renyi divergence) for those orders that are not too expensive."""

    def epsilon(self, delta: Fraction) -> Fraction:
        """An upper bound on epsilon for a delta."""
        if delta not in self._epsilons:
            if self._too_much is not None and delta <= self._too_much[0]:
                raise self._too_much[1]  # it took half a minute to find out, and a smaller delta takes no less
            try:
                self._epsilons[delta] = self._ask("epsilon", delta=delta).upper
            except ResourceLimitError as refusal:
                self._too_much = delta, refusal
                raise
        return self._epsilons[delta]

    def epsilon_near(self, delta: Fraction, *, beyond: Fraction) -> Fraction:
        """The same, where it takes long a little more; beyond: the least delta that is asked of this round."""
        return self.epsilon(delta)

    def gains_on(self, other: Round, delta: Fraction) -> bool:
        """Return whether its epsilon at delta is so much less that a grid as coarse as its own keeps some of that."""
        return self.epsilon(delta) <= _GAIN * other.epsilon(delta)

    def profile(self, *, rounds: int, delta: Fraction, cells: int) -> list[GridPoint]:
        """delta at k h, k = 0 .. cells, up to where all rounds together have little of delta left to lose."""
        top = self._top(delta * BEYOND / rounds) or min(_SHORT, self._largest / 2)
        step = Fraction(decimal_text(top / cells, digits=6, direction="up"))
        asked = [(k * step, self._ask("delta", epsilon=k * step)) for k in range(cells + 1)]
        return [GridPoint(epsilon, found.lower, found.upper) for epsilon, found in asked]

    def _top(self, delta: Fraction) -> Fraction:
        return self.epsilon(delta)

    def _ask(self, quantity: Literal["epsilon", "delta"], **central: Fraction) -> Bound:
        parameters: dict[str, Number | Epsilon] = {"n": self.n, **self.own, **central}
        return answer_by(quantity=quantity, parameters=parameters, method=self.method.name, engine=self.engine, digits=self._digits).bound


class OneRound(Round):
    """A round of any eps0-DP randomizers, by the clones pair or the stronger clones pair.

    engine: None for balls where a grid of so many cells takes them less than about a minute, or float64 has no answer, else float64
    with sound sides.
    """

    def __init__(self, *, method: Method, n: int, epsilon0: Epsilon, cells: int, engine: str | None = None) -> None:
        from shuffleproof.impl.fast.bounds.clones.clones import LARGEST_N  # numpy: asked for here, so that balls do without it

        largest = epsilon0.bounds(bits=64)[0]
        self.epsilon0, self._odds_factor = epsilon0, 2 if method is STRONGER_CLONES else 1
        clone = self._odds_factor / (math.expm1(min(float(largest), 700)) + self._odds_factor)
        self._steps = _terms(n, clone)
        engine = engine or ("ball" if n > LARGEST_N else _affordable(self._steps, cells))
        super().__init__(method=method, n=n, own={"epsilon0": epsilon0}, largest=largest, engine=engine, digits=_CLONES_DIGITS)

    def profile(self, *, rounds: int, delta: Fraction, cells: int) -> list[GridPoint]:
        """delta on a grid; raises ResourceLimitError before the first of its points where all of them would take too much."""
        if self.engine == "ball":
            require_affordable((cells + 1) * self._steps, each=WALK.each, bits=0, what=f"a grid of certified sums for n = {self.n}")
        return super().profile(rounds=rounds, delta=delta, cells=cells)

    def divergences(self, orders: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """(order, upper bound) for those orders that are not too expensive."""
        if self._too_much is not None:  # an order takes as long
            raise self._too_much[1]
        if self.engine == "fast":
            from shuffleproof.impl.fast.bounds.clones.renyi_family import RenyiFamily as Fast

            quick = Fast(n=self.n, odds_factor=self._odds_factor, epsilon0=self.epsilon0)
            return each_order(orders, lambda order: quick.divergence(order=order)[1])
        from shuffleproof.impl.ball.bounds.clones.renyi_family import RenyiFamily

        family, small = RenyiFamily(n=self.n, odds_factor=self._odds_factor, epsilon0=self.epsilon0), self.n <= _SMALL_N
        return each_order(orders, lambda order: family.divergence(order=order, digits=7, route="auto" if small else "moments")[1])


class PairRound(Round):
    """A round by the optimal pair V(n, p, beta, q); p is None where it is infinite.

    engine: None for balls where a grid of so many cells takes them less than about a minute, else float64 with sound sides.
    Raises DomainError where beta is 0, clipped to what p and q allow.
    """

    def __init__(self, *, n: int, p: Fraction | None, beta: Fraction, q: Fraction, cells: int, engine: str | None = None) -> None:
        from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Pair

        self.parameters: dict[str, Number] = {"p": INFINITE if p is None else p, "beta": beta, "q": q}
        self._pair = Pair.of(n=n, p=p, beta=beta, q=q)
        self._family: PairRenyi | None = None
        masses, wanted = self._pair.masses, "above 0, and p and q above 1: else nothing is lost"
        require(masses is not None, parameter="beta", value=beta, requirement=wanted)
        assert masses is not None
        super().__init__(
            method=method_named(OPTIMAL_PAIR.name),
            n=n,
            own={**self.parameters},
            largest=Fraction(1) if self._pair.top is None else self._pair.top.bounds(bits=64)[0],
            engine=engine or _affordable(_terms(n, float(masses.either)) * _terms(n, float(masses.d)), cells),
            digits=_DIGITS,
        )

    @property
    def renyi_engine(self) -> str:
        """Balls at any size."""
        return "ball"

    def check(self, *, rounds: int, delta: Fraction) -> None:
        """Raises RegimeError where some round gives its input away with a probability above delta: then no epsilon is enough."""
        from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision

        lower, _ = self._revealed()
        with precision(256):
            revealed = lower_end(-(rounds * ball(-lower).log1p()).expm1()) if lower < 1 else lower
        if revealed > delta:
            shown = decimal_text(revealed, digits=6, direction="up")
            raise RegimeError(
                statement=OPTIMAL_PAIR.statement,
                condition=f"delta >= {shown}, the probability that one of {rounds} rounds gives its input away, where p is infinite",
                given=f"delta = {decimal_text(delta, digits=6, direction='down')}",
                advice="no epsilon is enough: ask for a larger delta or fewer rounds, or give a finite p that the randomizer meets",
            )

    def divergences(self, orders: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """(order, upper bound) for those orders that are not too expensive. Raises RegimeError where p is infinite."""
        from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import PairRenyi

        if self._family is None:
            self._family = PairRenyi(self._pair)
        family = self._family
        return each_order(orders, lambda order: family.divergence(order=order, digits=_RENYI_DIGITS, most=_RENYI_WORK)[1])

    def _top(self, delta: Fraction) -> Fraction:
        return super()._top(min(Fraction(1), delta + self._revealed()[1]))

    def _revealed(self) -> tuple[Fraction, Fraction]:
        """Ends of the probability of an infinite loss: delta at infinite epsilon."""
        if self._pair.top is not None:
            return Fraction(0), Fraction(0)
        from shuffleproof.impl.ball.numeric.arithmetic import ends, precision

        with precision(256):
            return ends(self._pair.revealed())


class DistributionRound(Round):
    """A round of a named randomizer by everything that its distribution says: over all datasets of two items, else by its blanket."""

    def __init__(self, *, candidate: Candidate, n: int, epsilon0: Epsilon) -> None:
        own = {name: value for name, value in candidate.parameters.items() if name != N.name}
        engine = "fast" if candidate.engine == "fast" or candidate.method == K_RR_EXHAUSTIVE.name else "ball"
        largest = epsilon0.bounds(bits=64)[0]
        super().__init__(method=method_named(candidate.method), n=n, own=own, largest=largest, engine=engine, digits=_DIGITS)
        self.epsilon0 = epsilon0

    @classmethod
    def where_cheap(cls, *, n: int, own: Mapping[str, Number | Epsilon], epsilon0: Epsilon, delta: Fraction) -> Round | None:
        """Where its distribution is among what answers by itself: by whatever says most at this delta."""
        able = [
            each
            for each in candidates("epsilon", {N.name: n, **own}, quick=True)
            if each.cheap and each.method in _BY_DISTRIBUTION and each.seconds <= _DISTRIBUTION_SECONDS
        ]
        if not able:
            return None
        first = cls(candidate=able[0], n=n, epsilon0=epsilon0)
        if not any(each.method == ANOTHER_PLACE.name for each in able):
            return first
        place = PlaceRound(method=ANOTHER_PLACE, n=n, own=own)
        with suppress(ShuffleproofError):  # where one of them has no answer, its rows say so
            return place if first.method is ANOTHER_PLACE or place.gains_on(first, delta) else first
        return place

    def profile(self, *, rounds: int, delta: Fraction, cells: int) -> list[GridPoint]:
        """On a coarser grid than others; of two items all points at once, from above alone."""
        if self.method is not K_RR_EXHAUSTIVE:
            return super().profile(rounds=rounds, delta=delta, cells=min(cells, _DISTRIBUTION_CELLS))
        from shuffleproof.impl.fast.bounds.sums.coordinate_sums import one_coordinate

        least = delta * BEYOND / rounds
        step = Fraction(decimal_text(self.epsilon(least) / cells, digits=6, direction="up"))
        epsilons = [k * step for k in range(cells + 1)]
        uppers = one_coordinate(n=self.n, epsilon0=self.epsilon0, epsilons=epsilons, least=least)
        return [GridPoint(epsilon, Fraction(0), upper) for epsilon, upper in zip(epsilons, uppers, strict=True)]

    def divergences(self, orders: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """None: the pair's are for less."""
        return []


class PlaceRound(Round):
    """A round by its whole distribution in float64: upper values at a few points, and the pair of the chords through them.

    method: the random-swap bound of a named randomizer or of all eps0-DP ones, then one for all users of a round and no adaptive ones;
    or of Gaussian noise, with sigma.
    """

    def __init__(self, *, method: Method, n: int, own: Mapping[str, Number | Epsilon]) -> None:
        super().__init__(method=method, n=n, own=own, largest=Fraction(1), engine="fast", digits=_DIGITS)
        self._mechanism = shuffled(randomizer_of(own), n)

    def profile(self, *, rounds: int, delta: Fraction, cells: int) -> list[GridPoint]:
        """Return the profile from above alone."""
        from shuffleproof.impl.ball.privacy_loss import epsilon_on_chords, on_chords

        beyond, cells = delta * BEYOND / rounds, _FINER * cells
        points = self._points(beyond)
        top = epsilon_on_chords(points, delta=beyond)
        end = points[-1][0] if top is None else top or _SHORT
        cells = cells_of(points, top=end, least=cells)
        step = Fraction(decimal_text(end / cells, digits=6, direction="up"))
        uppers = on_chords(points, step=step, cells=cells)
        return [GridPoint(k * step, Fraction(0), upper) for k, upper in enumerate(uppers)]

    def epsilon_near(self, delta: Fraction, *, beyond: Fraction) -> Fraction:
        """On the chords of the profile that the grid is of, down to `beyond`."""
        from shuffleproof.impl.ball.privacy_loss import epsilon_on_chords

        found = epsilon_on_chords(self._points(beyond), delta=delta)
        return self.epsilon(delta) if found is None else found

    def _points(self, beyond: Fraction) -> Points:
        return profile(self._mechanism, method=self.method.name, beyond=beyond)

    def divergences(self, orders: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """None: large orders would need values that floats do not have, and the grid is for less."""
        return []

    def or_better(self, other: PlaceRound, delta: Fraction) -> PlaceRound:
        """The one with the smaller epsilon there; this one where neither has one."""
        known: list[tuple[Fraction, PlaceRound]] = []
        for each in (self, other):
            with suppress(ShuffleproofError):  # the rows say so
                known.append((each.epsilon(delta), each))
        return min(known, key=lambda each: each[0], default=(delta, self))[1]


def _affordable(steps: float, cells: int) -> str:
    """Balls where sums of so many terms, at every point of the grid and in a few searches for an epsilon, take less than a minute."""
    return "ball" if steps * (cells + _ALSO_ASKED) <= _LARGEST_WORK else "fast"


def _terms(n: int, share: float) -> int:
    """About how many counts of n users, each of whom counts with this probability, a certified sum goes through."""
    return min(n, math.ceil(2 * (math.sqrt(2 * _SPREAD * n * share * (1 - share)) + _SPREAD))) + 1


def each_order(orders: Sequence[Fraction], divergence: Callable[[Fraction], Fraction]) -> list[tuple[Fraction, Fraction]]:
    """(order, divergence) for every order at which there is an affordable answer."""
    found = []
    for order in sorted(orders, reverse=True):
        try:
            found.append((order, divergence(order)))
        except (UndecidedError, UnsupportedError, ResourceLimitError):
            continue  # other orders prove a bound too
    return found
