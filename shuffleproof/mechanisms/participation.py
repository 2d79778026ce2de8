"""Users who take part at random: each one tosses a coin that nobody sees, and the reports of those who do are shuffled, or added up.

Who takes part is hidden, how many is not. Given their number m the sample is a uniform subset, so subsampling amplifies each m by m/n, and
the answer is the mixture over m (BEYOND.random-participation). The search for an epsilon is `impl.ball.random_participation`'s.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, Unpack, cast

from shuffleproof.answering import How
from shuffleproof.default_choice import Candidate
from shuffleproof.keywords import keyword_record, own_names
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled, WithProfile, from_above
from shuffleproof.mechanisms.protocols import (
    BinomialSum,
    BitSum,
    CoordinateSums,
    DiscreteGaussianSum,
    FakeUsers,
    Histogram,
    LaplaceSum,
    Protocol,
    RealSum,
    SplitAndMix,
    ZeroSum,
    factors_of,
)
from shuffleproof.mechanisms.randomizers import KRR, AnyRandomizer, NamedRandomizer, Parameters, VariationRatio
from shuffleproof.methods import METHODS, engines_for
from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError, require, require_one_of
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods import MethodName
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import ONE_BIT_PARTICIPATION, RANDOM_PARTICIPATION
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import FIRST_ARRIVAL, RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    epsilon0_parameter,
    exact_fraction,
    in_words,
    parse_epsilon,
    probability,
)
from shuffleproof.spec.vocabulary.scope import Mechanisms, Relation

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure
    from shuffleproof.impl.ball.random_participation import Block

__dir__ = own_names(__name__)

BITS = 96
"""Bits of the rational below an epsilon: what is lost of it is less than 1e-28."""
_DIGITS = 6
"""Of each certified delta of a protocol, of which hundreds may be asked."""
_CELLS = 256
"""Grid points from 0 to the largest epsilon of a single release."""
_OF_QUICK = 200, 2.5
"""Points of a profile by what answers quickly, of which finer grids are chords: epsilon of many rounds is 10^-4 larger, or less."""
_NEAR_TOP = Fraction(1, 50)
"""How near the end of a grid is to the least epsilon that would do."""
_FEW = 2000
"""Users who take part on average, below which first arrival takes a second or more for a delta, of which dozens are asked."""
LEAST = Fraction(1, 10**30)
"""The delta below which nothing is resolved where nobody says which delta matters."""
_FEW_IN_BALLS = 64
"""Participants up to whom sums in balls take a fifth of the time of those in float64, if not less."""
_CHORDS_FROM = 1000
"""Participants from which on a coordinate's profile is kept by chords: each epsilon anew takes half a second, and hundreds are asked."""
_CHORDS = 1024
"""Chords of such a profile: delta is then too large by less than 10^-3 of itself, and epsilon by about what its search leaves open."""
_BEYOND_CHORDS = Fraction(1, 10**6)
"""The part of the delta that matters at which the chords end."""
_DECADES = 24
"""Deltas that matter are taken down to a power of 10^-24, so that several questions share a profile."""
_OF_ITS_USERS = (Shuffled, BitSum, ZeroSum, Histogram, RealSum, CoordinateSums, BinomialSum, DiscreteGaussianSum)
"""What m users do by themselves, each as if m were all of them."""
_IN_PARTS = (LaplaceSum, SplitAndMix)
"""Noise that is whole where at least so many users add their parts."""
Change = Literal["replace-one", "deletion", "add-remove"]
_CHANGES = ("replace-one", "deletion", "add-remove")
_ADVICE = "shuffled reports of one randomizer for all, a protocol or coordinate sums, of honest users alone"


class Mixture(WithProfile):
    """Something whose upper bound is that of random participation, found one epsilon at a time."""

    def seen(self) -> str:
        """Return what the adversary sees: the reports of those who take part."""
        return RANDOM_PARTICIPATION.view

    def carried_by(self) -> tuple[Engine, tuple[str, ...]]:
        """The engine of the deltas that are mixed, and what that rests on."""
        raise NotImplementedError

    def methods(self) -> Mapping[str, Parameters]:
        """The mixture."""
        return {RANDOM_PARTICIPATION.name: {}}

    def candidates(self, quantity: Quantity, *, digits: int | None = None) -> tuple[Candidate, ...]:
        """The mixture."""
        return (Candidate(method=RANDOM_PARTICIPATION.name, parameters={}),)

    def uppers(self, epsilons: Sequence[Fraction], *, least: Fraction) -> list[Fraction]:
        """Upper bounds on delta at many epsilons; least: the smallest delta that matters."""
        return [self._upper(each, least) for each in epsilons]

    def top(self, *, beyond: Fraction) -> Fraction:
        """An epsilon at which delta is at most `beyond`."""
        from shuffleproof.impl.ball.random_participation import crossing

        return crossing(lambda epsilon: self._upper(epsilon, beyond), beyond, upward=True, close=_NEAR_TOP)

    def _upper(self, epsilon: Fraction, size: Fraction) -> Fraction:
        """An upper bound on delta; size: of the least delta that matters."""
        raise NotImplementedError

    @staticmethod
    def _require_mixed(quantity: Quantity, engine: str | None, *, of: str) -> None:
        """Raise UnsupportedError for what no mixture is asked for. of: what is mixed, in words."""
        if quantity == "renyi" or engine not in (None, "auto"):
            what = f"{quantity} {of}, by engine {engine or 'auto'!r}"
            raise UnsupportedError(what=what, reason="the mixture is asked for epsilon and delta alone", advice="ask for these")


@keyword_record
class RandomParticipation(Mixture):
    """One of the users' mechanisms, run by those who take part.

    one: shuffled reports of one randomizer for all, a protocol or coordinate sums, with n for all users who may take part; rate: the
    probability that a user does, above 0 and at most 1; least: batches of fewer reports are dropped, at least 1. The coin of a user of a
    bit sum or a real sum keeps its probability lam/n; noise that is added in parts is added in parts of 1/least. change: "replace-one",
    "deletion" (a histogram's user has no item; a vector's neither, as where changed = 1), or "add-remove" (fake users alone, and no least:
    every batch is released, the noise of an empty one too): what neighbours differ in. at_least: whether more users than n may be asked, so
    that more batches reach least; else n is exact. Raises DomainError.
    """

    one: Mechanism
    rate: Number
    least: Number = 1
    change: Change = "replace-one"
    at_least: bool = False

    def __post_init__(self) -> None:
        unlike = isinstance(self.one, Shuffled) and isinstance(self.one.randomizer, VariationRatio)
        if not isinstance(self.one, (*_OF_ITS_USERS, *_IN_PARTS, FakeUsers)) or unlike or getattr(self.one, "dishonest", None):
            raise DomainError(parameter="one", value=self.one, requirement=_ADVICE)
        require(0 < exact_fraction(self.rate, parameter="rate") <= 1, parameter="rate", value=self.rate, requirement="above 0, at most 1")
        least = count(self.least, parameter="least", maximum=count(self.one.n, parameter="n"))
        require_one_of(self.change, _CHANGES, parameter="change")
        if self.change == "add-remove":
            wanted = '"replace-one" or "deletion": only the noise of fake users hides whether a user is there'
            require(isinstance(self.one, FakeUsers), parameter="change", value=self.change, requirement=wanted)
            wanted = "left out where neighbours differ in who is there: a batch that is dropped would show it"
            require(least == 1, parameter="least", value=self.least, requirement=wanted)

    @property
    def n(self) -> Number:  # type: ignore[override]
        """All users who may take part."""
        return self.one.n

    def __str__(self) -> str:
        told = as_given(rate=self.rate, least=None if self.least == 1 else self.least)
        every = ", no batch dropped" if self.change == "add-remove" else ""
        changed = "" if self.change == "replace-one" else f", {self.change}{every}"
        return f"{self.one}, taking part at random, {in_words(told)}{changed}"

    def neighbours(self) -> Relation:
        """Those whose difference it hides."""
        if self.change != "replace-one":
            return Relation(self.change)
        return self.one.neighbours()

    def uppers(self, epsilons: Sequence[Fraction], *, least: Fraction) -> list[Fraction]:
        """Upper bounds on delta at many epsilons: of reports on chords through some of them, of one randomizer by what answers quickly."""
        from shuffleproof.accounting.profile_by_chords import TAIL, spaced, spacing_of
        from shuffleproof.impl.ball.random_participation import short_order

        slower = self._slower
        if slower is not None and slower[0] != FIRST_ARRIVAL.name:
            slower = None
        points = spacing_of(self._typical, slower[0]) if slower else _OF_QUICK
        if not isinstance(self.one, Shuffled) or len(epsilons) <= points[0]:
            return [self._upper(each, least) for each in epsilons]
        asked = spaced(max(epsilons), points)
        chords = []
        for each in asked:
            quick = self._upper(each, least)
            chords.append((short_order(each), quick if not slower or quick <= TAIL * least else self._upper(each, least, slower)))
        return [_on_chords(chords, short_order(each)) for each in epsilons]

    def mechanisms(self) -> Mechanisms:
        """Those of which its answers are the worst: what those who take part run."""
        return self.one.mechanisms()

    def carried_by(self) -> tuple[Engine, tuple[str, ...]]:
        """The engine of the deltas that are mixed, and what that rests on."""
        found = self._mixed()
        return found[0].engine, tuple(dict.fromkeys(row for each in found for row in each.rests_on))

    def governed_by(self, *, often: bool = False) -> tuple[str, ...]:
        """The ledger's ids of the mixture and of the deltas that are mixed; often: as for `profile_on_grid.measure`."""
        ids = [self._statement, *(["BEYOND.random-participation-at-least"] if self.at_least else [])]
        return tuple(dict.fromkeys([*ids, *(id for each in self._mixed(often=often) for id in each.statements)]))

    def _mixed(self, *, often: bool = False) -> list[Bound]:
        """Answers at epsilon = 0 by the methods that are mixed: what is said in them beside the number holds for all."""
        from shuffleproof.accounting.profile_on_grid import source

        alone, _ = self._alone(self._mean)
        if isinstance(alone, Shuffled):
            ways = [source(alone), *([(self._slower[0], "fast")] if self._slower and not often else [])]
            return [_at_zero(alone, method, engine) for method, engine in ways]
        zero = Epsilon(Fraction(0), None)
        return [alone.delta(epsilon=0).upper if isinstance(alone, CoordinateSums) else _of_protocol(cast(Protocol, alone), zero)]

    @property
    def _typical(self) -> Shuffled:
        """The reports of as many as come on average."""
        return cast(Shuffled, self._exchanged(self._mean)[0])

    @property
    def _slower(self) -> tuple[MethodName, Fraction] | None:
        """First arrival, or the whole distribution, where it is a gain on what answers quickly, and its part of that one's epsilon.

        Not of noise, nor of all randomizers where few take part: each delta takes seconds.
        """
        from shuffleproof.accounting.profile_by_chords import epsilon, gains
        from shuffleproof.accounting.profile_on_grid import source

        one = self._exchanged(self._mean)[0]
        if not (isinstance(one, Shuffled) and isinstance(one.randomizer, AnyRandomizer | NamedRandomizer)):
            return None
        if isinstance(one.randomizer, NamedRandomizer) and one.randomizer.kind.noise:
            return None
        if isinstance(one.randomizer, AnyRandomizer) and self._mean < _FEW:
            return None
        quick = epsilon(one, source(one)[0])
        method = gains(one, on=quick) if quick else None
        return None if method is None else (cast(MethodName, method), epsilon(one, method) / quick)

    def _bracket(self, quantity: Quantity, central: Parameters, engine: str | None, digits: Number | None) -> Bracket:
        upper, lowers = self._by_mixture(quantity, central, engine), []
        size = self._size(quantity, central)
        if self._binary is not None:
            lowers.append(self._bound(ONE_BIT_PARTICIPATION, quantity, central, self._lower))
        if quantity == "epsilon" and 0 < size < 1:
            lowers.append(from_above("rounds_below")([(self, 1)], delta=size, of=str(self)))
        lower = max((each for each in lowers if each is not None), key=lambda each: each.lower, default=None)
        of = f"{self}, {in_words(as_given(**central))}"
        return Bracket(quantity=quantity, of=of, upper=upper, lower=lower, mechanisms=self.mechanisms())

    def _ask(self, quantity: Quantity, given: Parameters, **how: Unpack[How]) -> Bound:
        return self._by_mixture(quantity, {name: value for name, value in given.items() if name != "n"}, how["engine"])

    def _by_mixture(self, quantity: Quantity, central: Parameters, engine: str | None) -> Bound:
        self._require_mixed(quantity, engine, of="where users take part at random")
        size = self._size(quantity, central)
        return self._bound(RANDOM_PARTICIPATION, quantity, central, lambda epsilon: self._upper(epsilon, size))

    def _size(self, quantity: Quantity, central: Parameters) -> Fraction:
        """Return the least delta that matters."""
        return probability(cast(Number, central["delta"]), parameter="delta") if quantity == "epsilon" else LEAST

    def _bound(self, method: Method, quantity: Quantity, central: Parameters, value: Callable[[Fraction], Fraction]) -> Bound:
        from shuffleproof.impl.ball.random_participation import ASIDE, CLOSE, crossing, crossing_by_shape

        upper = method.side == "upper"
        slower = self._slower if upper else None
        if quantity == "delta":
            epsilon = parse_epsilon(cast(Number, central["epsilon"])).bounds(bits=BITS)[0 if upper else 1]
            known = value(epsilon) if slower is None else self._upper(epsilon, LEAST, slower)
        else:
            target = probability(cast(Number, central["delta"]), parameter="delta")
            kept: Callable[[Fraction], Fraction] = lru_cache(maxsize=None)(value)  # searches begin alike
            known = crossing(kept, target, upward=upper, close=CLOSE if slower is None else ASIDE)
            if slower is not None:
                first = known * slower[1]
                less = crossing_by_shape(lambda x: self._upper(x, target, slower), target, shape=kept, at=known, first=first)
                known = less if less < known else crossing(kept, target, upward=upper)
        engine, rests_on = self.carried_by() if upper else ("ball", ())
        given = as_given(n=self.n, rate=self.rate, **central)
        low, high = (Fraction(0), known) if upper else (known, max(known, Fraction(1)))
        found = method.bound(quantity, side=method.side, lower=low, upper=high, engine=engine, inputs=given, rests_on=rests_on)
        if not upper:
            return replace(found, relation=self.neighbours(), statement=self._statement, also=found.statements)
        statement, *also = self.governed_by()
        told = {"statement": statement, "also": (*also, *found.statements), "mechanisms": self.mechanisms()}
        return replace(found, relation=self.neighbours(), **told)  # type: ignore[arg-type]

    def _upper(self, epsilon: Fraction, size: Fraction, slower: tuple[MethodName, Fraction] | None = None) -> Fraction:
        """delta from above; size: of the deltas that matter; slower: a method that is asked where it counts."""
        from shuffleproof.impl.ball.random_participation import above, short_order, uncounted

        E = short_order(epsilon)
        if self.change == "add-remove":
            rate = exact_fraction(self.rate, parameter="rate")
            return uncounted(rate=rate, E=E, delta_of=lambda order: self._delta_of(*self._alone(1), order, size))
        return above(
            self.blocks,
            n=count(self.n, parameter="n"),
            E=E,
            delta_of=lambda m, order: self._delta_of(*self._alone(m), order, size),
            negligible=size / 1000,
            exchanged=(lambda m, order: self._delta_of(*self._exchanged(m), order, size)) if self.changes_less else None,
            closer=None if slower is None else lambda m, order: self._closer(m, order, slower[0]),
        )

    def _closer(self, m: int, order: Fraction, method: MethodName) -> Fraction:
        """The delta of m participants' reports at this order from above, by a method that takes longer."""
        return self._exchanged(m)[0].by_method("delta", Epsilon(None, order), method=method, engine="fast").upper

    def _lower(self, epsilon: Fraction) -> Fraction:
        from shuffleproof.impl.ball.random_participation import below, exponential_above, one_bit

        E, T = exponential_above(epsilon), self._binary
        assert T is not None
        n, rate, least = count(self.n, parameter="n"), exact_fraction(self.rate, parameter="rate"), count(self.least, parameter="least")
        # Only numbers of users that there may be count: n of them, or twice as many until `least` come on average. Those who make up what
        # a batch of few lacks hide the others, so what is above for every number of users is below for none.
        asked = [n]
        while self.at_least and asked[-1] * rate < least:
            asked.append(2 * asked[-1])
        return max(below(_blocks(each, rate, least), n=each, E=E, delta_of=lambda m, order: one_bit(m, order, T=T)) for each in asked)

    def _delta_of(self, alone: Mechanism, times: int, order: Fraction, size: Fraction) -> Fraction:
        """delta of so many of them from above, to some digits down to a thousandth of size."""
        epsilon = Epsilon(None, order)
        if isinstance(alone, CoordinateSums):
            low = epsilon.bounds(bits=BITS)[0]
            if times > 1 or isinstance(self.one, CoordinateSums):
                return _composed(alone, times, size / 1000, low)
            if count(alone.n, parameter="n") >= _CHORDS_FROM and type(alone) is CoordinateSums:
                return _on_chords(_chords(alone, _decades_below(size)), order)
            return min(Fraction(1), alone.uppers([low], least=size / 1000)[0])
        if isinstance(alone, Protocol):
            return min(Fraction(1), _of_protocol(alone, epsilon).upper)
        from shuffleproof.accounting.profile_on_grid import source

        method, engine = source(self._typical)
        in_balls = method == RANDOMIZER_PAIR.name and count(alone.n, parameter="n") <= _FEW_IN_BALLS
        engine, digits = ("ball", _DIGITS) if in_balls else (engine, None)
        return min(Fraction(1), alone.by_method("delta", epsilon, method=method, engine=engine, digits=digits).upper)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """How many of the n users take part, in blocks.

        Where more users may be asked, those among them who take part make up what a batch of few of the n lacks, so that every number
        counts from 1 on (BEYOND.random-participation-at-least).
        """
        fewest = 1 if self.at_least else count(self.least, parameter="least")
        return _blocks(count(self.n, parameter="n"), exact_fraction(self.rate, parameter="rate"), fewest)

    @property
    def _mean(self) -> int:
        return max(1, round(count(self.n, parameter="n") * exact_fraction(self.rate, parameter="rate")))

    @property
    def _binary(self) -> Fraction | None:
        """A rational T at most e^eps0 where binary randomized response of eps0 is among what it speaks of."""
        from shuffleproof.impl.ball.random_participation import rational_below

        if not isinstance(self.one, Shuffled) or self.change != "replace-one":
            return None
        chosen = self.one.randomizer
        if not (isinstance(chosen, AnyRandomizer) or (isinstance(chosen, KRR) and chosen.k == 2)):
            return None
        return rational_below(epsilon0_parameter(chosen.epsilon0))

    @property
    def _statement(self) -> str:
        """The ledger's id of what is mixed."""
        if self.change == "add-remove":
            return "BEYOND.random-participation-uncounted"
        return "BEYOND.random-participation-deletion" if self.changes_less else RANDOM_PARTICIPATION.statement

    @property
    def changes_less(self) -> bool:
        """Return whether the neighbours' change is smaller than an exchange of two users."""
        one = self.one
        return (isinstance(one, CoordinateSums) and count(one.changed, parameter="changed", maximum=2) == 1) or (
            self.change != "replace-one" and isinstance(one, Histogram | FakeUsers | CoordinateSums)
        )

    def of_participants(self, m: int, *, exchanged: bool) -> tuple[Mechanism, int]:
        """Return what bounds m participants' release, and how often: for the exchange of two users, or for the neighbours' own change."""
        return self._exchanged(m) if exchanged else self._alone(m)

    def delta_of_participants(self, m: int, order: Fraction, size: Fraction, *, exchanged: bool) -> Fraction:
        """The delta of m participants' release from above, at this order; size: of the deltas that matter."""
        return self._delta_of(*self.of_participants(m, exchanged=exchanged), order, size)

    def _alone(self, m: int) -> tuple[Mechanism, int]:
        """Return what bounds the neighbours' change of m users, and how often."""
        found, times = self._exchanged(m)
        if not self.changes_less:
            return found, times
        if isinstance(found, CoordinateSums):
            return found, 1
        noise = found.fakes if isinstance(found, FakeUsers) else m
        return ZeroSum(n=noise, p=cast(Histogram | FakeUsers, found).p), 1

    def _exchanged(self, m: int) -> tuple[Mechanism, int]:
        """Return what bounds the exchange of one for another of m users, and how often."""
        one = self.one
        if isinstance(one, BitSum):
            lam = exact_fraction(one.lam, parameter="lam") * m / count(self.n, parameter="n")
            return BitSum(n=m, lam=lam).factors()
        if isinstance(one, RealSum):  # r bit sums that are distinguished
            lam = exact_fraction(one.lam, parameter="lam") * m / count(self.n, parameter="n")
            alone, _ = BitSum(n=m, lam=lam).factors()
            return alone, count(one.r, parameter="r")
        if isinstance(one, _IN_PARTS):  # whole in every batch that is released
            return replace(one, n=self.least).factors()
        alone, times = factors_of(replace(one, n=m))  # type: ignore[type-var]
        return alone, 2 if isinstance(one, CoordinateSums) else times


def _of_protocol(alone: Protocol, epsilon: Epsilon) -> Bound:
    """Its delta, in float64 where that is carried."""
    if "fast" in engines_for(METHODS[alone.method], "delta"):
        with suppress(UnsupportedError):
            return alone.by_method("delta", epsilon, method=alone.method, engine="fast")
    return alone.by_method("delta", epsilon, method=alone.method, engine="ball", digits=_DIGITS)


@lru_cache(maxsize=64)
def _blocks(n: int, rate: Fraction, least: int) -> tuple[Block, ...]:
    from shuffleproof.impl.ball.random_participation import blocks

    return blocks(n=n, rate=rate, least=least)


def _decades_below(size: Fraction) -> Fraction:
    """A power of 10^-24 that is at most this."""
    found = Fraction(1)
    while found > size:
        found /= 10**_DECADES
    return found


@lru_cache(maxsize=256)
def _chords(alone: CoordinateSums, size: Fraction) -> tuple[tuple[Fraction, Fraction], ...]:
    """Orders, rising from 1, each with an upper value of one coordinate's delta there, down to a small part of size.

    What an epsilon at or below the logarithm of an order has is no less than what the order has.
    """
    from shuffleproof.impl.ball.random_participation import short_order

    least = max(size * _BEYOND_CHORDS, Fraction(1, 10**60))
    step = alone.top(beyond=least) / _CHORDS
    orders = sorted({short_order(k * step) for k in range(_CHORDS + 1)})
    values = alone.uppers([Epsilon(None, each).bounds(bits=BITS)[0] for each in orders], least=least)
    return tuple(zip(orders, (min(Fraction(1), each) for each in values), strict=True))


@lru_cache(maxsize=64)  # of first arrival half a second, and an answer asks twice: for its engine and for its statements
def _at_zero(alone: Shuffled, method: str, engine: str) -> Bound:
    """The delta of these reports at epsilon = 0."""
    return alone.by_method("delta", 0, method=method, engine=engine)


def _on_chords(chords: Sequence[tuple[Fraction, Fraction]], order: Fraction) -> Fraction:
    """Bound a profile, which is convex in the order and does not increase, by the chord, or by the last value beyond it."""
    at = bisect_right(chords, order, key=lambda each: each[0])
    if at == len(chords):
        return chords[-1][1]
    (left, high), (right, low) = chords[at - 1], chords[at]
    return high + (order - left) * (low - high) / (right - left)


@lru_cache(maxsize=128)
def _profile(alone: CoordinateSums, times: int, beyond: Fraction) -> tuple[GridMeasure, Fraction]:
    """So many coordinates on a grid, and its step."""
    from shuffleproof.accounting.profile_on_grid import measure, top
    from shuffleproof.impl.ball import privacy_loss

    step = max(top(alone, beyond=beyond) / _CELLS, Fraction(1, 10**9))
    return privacy_loss.composed(measure(alone, step=step, beyond=beyond), rounds=times, delta=beyond), step


def _composed(alone: CoordinateSums, times: int, beyond: Fraction, epsilon: Fraction) -> Fraction:
    """The delta of so many independent coordinates from above."""
    from shuffleproof.impl.ball.privacy_loss import delta_of

    found, step = _profile(alone, times, beyond / times)
    return delta_of(found, step=step, epsilon=epsilon)
