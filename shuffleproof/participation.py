"""Users who take part at random: each one tosses a coin that nobody sees, and the reports of those who do are shuffled.

Who takes part is hidden, how many is not. Given their number m the sample is a uniform subset, so subsampling amplifies each m by m/n, and
the answer is the mixture over m (BEYOND.random-participation).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Unpack, cast

from shuffleproof.bounds import How
from shuffleproof.brackets import Bracket
from shuffleproof.default_choice import Candidate
from shuffleproof.keywords import keyword_record
from shuffleproof.mechanisms import Mechanism, Shuffled
from shuffleproof.protocols import BitSum, CoordinateSums, Histogram, ZeroSum
from shuffleproof.randomizers import KRR, AnyRandomizer, Parameters
from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import ONE_BIT_PARTICIPATION, RANDOM_PARTICIPATION
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    epsilon0_parameter,
    exact_fraction,
    in_words,
    parse_epsilon,
    probability,
)

if TYPE_CHECKING:
    from shuffleproof.impl.ball.random_participation import Block

_BITS = 96
_DIGITS = 6
_LARGEST = 256
_STEPS = 60
_CLOSE = Fraction(1, 10**5)
_LEAST = Fraction(1, 10**30)
"""Deltas of interest, where nobody says which."""


@keyword_record
class RandomParticipation(Mechanism):
    """One of the users' mechanisms, run by those who take part.

    one: shuffled reports, a bit sum, a zero sum or a histogram, with n for all users who may take part; rate: the probability that a user
    does, above 0 and at most 1; least: batches of fewer reports are dropped, at least 1. The coin of a bit sum's user keeps its
    probability lam/n, that of the others p. Raises DomainError.
    """

    one: Mechanism
    rate: Number
    least: Number = 1

    def __post_init__(self) -> None:
        if not isinstance(self.one, Shuffled | BitSum | ZeroSum | Histogram) or getattr(self.one, "dishonest", None):
            wanted = "shuffled reports, a bit sum, a zero sum or a histogram, of honest users alone"
            raise DomainError(parameter="one", value=self.one, requirement=wanted)
        require(0 < exact_fraction(self.rate, parameter="rate") <= 1, parameter="rate", value=self.rate, requirement="above 0, at most 1")
        count(self.least, parameter="least", maximum=count(self.one.n, parameter="n"))

    @property
    def n(self) -> Number:  # type: ignore[override]
        """All users who may take part."""
        return self.one.n

    def __str__(self) -> str:
        told = as_given(rate=self.rate, least=None if self.least == 1 else self.least)
        return f"{self.one}, taking part at random, {in_words(told)}"

    def methods(self) -> Mapping[str, Parameters]:
        """The mixture."""
        return {RANDOM_PARTICIPATION.name: {}}

    def candidates(self, quantity: Quantity, *, digits: int | None = None) -> tuple[Candidate, ...]:
        """The mixture."""
        return (Candidate(method=RANDOM_PARTICIPATION.name, parameters={}),)

    def uppers(self, epsilons: Sequence[Fraction], *, least: Fraction) -> list[Fraction]:
        """Upper bounds on delta at many epsilons."""
        return [self._upper(each, least) for each in epsilons]

    def top(self, *, beyond: Fraction) -> Fraction:
        """An epsilon at which delta is at most `beyond`."""
        return self._solved(lambda epsilon: self._upper(epsilon, beyond), beyond, upward=True)

    def carried_by(self) -> tuple[Engine, tuple[str, ...]]:
        """The engine of the deltas that are mixed, and what that rests on."""
        from shuffleproof.profile_on_grid import carried_by, of_method, source

        alone, _ = self._with(self._mean).factors()
        if isinstance(alone, ZeroSum | Histogram):
            return "ball", ()
        return of_method(alone, *source(alone)) if isinstance(alone, Shuffled) else carried_by(alone)

    def _bracket(self, quantity: Quantity, central: Parameters, engine: str | None, digits: Number | None) -> Bracket:
        if quantity == "renyi" or engine not in (None, "auto"):
            what = f"{quantity} where users take part at random, by engine {engine or 'auto'!r}"
            raise UnsupportedError(what=what, reason="the mixture is asked for epsilon and delta alone", advice="ask for these")
        found = {}
        size = probability(cast(Number, central["delta"]), parameter="delta") if quantity == "epsilon" else _LEAST

        def upper(epsilon: Fraction) -> Fraction:
            return self._upper(epsilon, size)

        for method, value in ((RANDOM_PARTICIPATION, upper), (ONE_BIT_PARTICIPATION, self._lower)):
            if method is RANDOM_PARTICIPATION or self._binary is not None:
                found[method.side] = self._bound(method, quantity, central, value)
        return Bracket(quantity=quantity, of=f"{self}, {in_words(as_given(**central))}", upper=found["upper"], lower=found.get("lower"))

    def _ask(self, quantity: Quantity, given: Parameters, **how: Unpack[How]) -> Bound:
        central = {name: value for name, value in given.items() if name != "n"}
        return self._bracket(quantity, central, how["engine"], how["digits"]).upper

    def _bound(self, method: Method, quantity: Quantity, central: Parameters, value: Callable[[Fraction], Fraction]) -> Bound:
        upper = method.side == "upper"
        if quantity == "delta":
            epsilon = parse_epsilon(cast(Number, central["epsilon"]))
            known = value(epsilon.bounds(bits=_BITS)[0 if upper else 1])
        else:
            target = probability(cast(Number, central["delta"]), parameter="delta")
            known = self._solved(value, target, upward=upper)
        engine: Engine = "ball"
        rests_on: tuple[str, ...] = ()
        if upper:
            engine, rests_on = self.carried_by()
        given = as_given(n=self.n, rate=self.rate, **central)
        low, high = (Fraction(0), known) if upper else (known, max(known, Fraction(1)))
        return method.bound(quantity, side=method.side, lower=low, upper=high, engine=engine, inputs=given, rests_on=rests_on)

    def _upper(self, epsilon: Fraction, size: Fraction) -> Fraction:
        """delta from above; size: of the deltas that matter."""
        from shuffleproof.impl.ball.random_participation import above

        E = _short(exp_bounds(epsilon, bits=_BITS)[0])
        return above(
            self._blocks,
            n=count(self.n, parameter="n"),
            E=E,
            delta_of=lambda m, order: self._delta_of(m, order, size),
            negligible=size / 1000,
        )

    def _lower(self, epsilon: Fraction) -> Fraction:
        from shuffleproof.impl.ball.random_participation import below, one_bit

        E, T = exp_bounds(epsilon, bits=_BITS)[1], self._binary
        assert T is not None
        return below(self._blocks, n=count(self.n, parameter="n"), E=E, delta_of=lambda m, order: one_bit(m, order, T=T))

    def _delta_of(self, m: int, order: Fraction, size: Fraction) -> Fraction:
        """delta of m users from above, to some digits down to a thousandth of size."""
        alone, _ = self._with(m).factors()
        epsilon = Epsilon(None, order)
        if isinstance(alone, CoordinateSums):
            low = epsilon.bounds(bits=_BITS)[0]
            return min(Fraction(1), alone.uppers([low], least=size / 1000)[0])
        if isinstance(alone, ZeroSum | Histogram):
            return alone.delta(epsilon=epsilon, method=alone.method, engine="ball", digits=_DIGITS).upper  # type: ignore[call-overload, no-any-return]
        from shuffleproof.profile_on_grid import source

        method, engine = source(self._with(self._mean))
        return min(Fraction(1), alone.delta(epsilon=epsilon, method=method, engine=engine).upper)  # type: ignore[call-overload, no-any-return]

    @property
    def _blocks(self) -> tuple[Block, ...]:
        return _blocks(count(self.n, parameter="n"), exact_fraction(self.rate, parameter="rate"), count(self.least, parameter="least"))

    @property
    def _mean(self) -> int:
        return max(1, round(count(self.n, parameter="n") * exact_fraction(self.rate, parameter="rate")))

    @property
    def _binary(self) -> Fraction | None:
        """A rational T at most e^eps0 where binary randomized response of eps0 is among what it speaks of."""
        if not isinstance(self.one, Shuffled):
            return None
        chosen = self.one.randomizer
        if not (isinstance(chosen, AnyRandomizer) or (isinstance(chosen, KRR) and chosen.k == 2)):
            return None
        local = epsilon0_parameter(chosen.epsilon0)
        return local.exp or _short(exp_bounds(local.bounds(bits=_BITS)[0], bits=_BITS)[0])

    def _with(self, m: int) -> Mechanism:
        """The same with m users."""
        if isinstance(self.one, BitSum):
            lam = exact_fraction(self.one.lam, parameter="lam") * m / count(self.n, parameter="n")
            return BitSum(n=m, lam=lam)
        return replace(self.one, n=m)  # type: ignore[type-var]

    @staticmethod
    def _solved(value: Callable[[Fraction], Fraction], target: Fraction, *, upward: bool) -> Fraction:
        """An end of a short interval of epsilons in which delta crosses the target: where it is at most that (upward), or above it."""
        low, high = Fraction(0), Fraction(1, 64)
        if value(low) <= target:
            return low
        while value(high) > target:
            low, high = high, 2 * high
            if high > _LARGEST:
                raise RegimeError(
                    statement=RANDOM_PARTICIPATION.statement,
                    condition="a delta above what batches of few reports give away",
                    given=f"delta = {decimal_text(target, digits=3, direction='down')}",
                    advice="drop small batches (least), or ask for a larger delta",
                )
        for _ in range(_STEPS):
            if high - low <= _CLOSE * high:
                break
            middle = Fraction(decimal_text((low + high) / 2, digits=9, direction="down"))
            if not low < middle < high:
                break
            low, high = (middle, high) if value(middle) > target else (low, middle)
        return high if upward else low


@lru_cache(maxsize=64)
def _blocks(n: int, rate: Fraction, least: int) -> tuple[Block, ...]:
    from shuffleproof.impl.ball.random_participation import blocks

    return blocks(n=n, rate=rate, least=least)


def _short(x: Fraction) -> Fraction:
    """At most x, at least 1, with a short denominator."""
    return max(Fraction(1), Fraction(math.floor(x * 2**60), 2**60))
