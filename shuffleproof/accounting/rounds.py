"""Many adaptive rounds of a mechanism on the same users.

Those of a shuffled randomizer whose pair is known are composed in every way that `compose` knows; all others on a certified grid of privacy
losses, which needs nothing but upper values of the profile of one round (BEYOND.Envelope); so is a given distribution, too.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from shuffleproof.accounting.profile_by_chords import BEYOND
from shuffleproof.accounting.rounds_below import STATEMENT as BELOW, rounds_below
from shuffleproof.keywords import own_arithmetic, own_names
from shuffleproof.mechanisms.brackets import Answers, Bracket, Refusal
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled
from shuffleproof.mechanisms.participation import Mixture
from shuffleproof.mechanisms.protocols import factors_of
from shuffleproof.mechanisms.randomizers import FromDistribution
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ShuffleproofError, UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Number, amount, as_given, count, decimal_text, probability, proper_share
from shuffleproof.spec.vocabulary.progress import steps

if TYPE_CHECKING:
    from shuffleproof.planning.composed import Composition, Compositions

__dir__ = own_names(__name__)

_CELLS = 160
"""Points of the grid above 0."""


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """Many adaptive rounds of a mechanism on the same users. Made by `Mechanism.rounds`."""

    one: Mechanism
    rounds: Number

    def __post_init__(self) -> None:
        from shuffleproof.planning.composition import MOST_ROUNDS

        count(self.rounds, parameter="rounds", maximum=MOST_ROUNDS)

    def __str__(self) -> str:
        return f"{amount(as_given(rounds=self.rounds)['rounds'], 'round')} of {self.one}"

    @own_arithmetic()
    def epsilon(self, *, delta: Number) -> Bracket:
        """The least epsilon of all rounds together: the best way of composing from above, one pair of datasets in all rounds from below.

        delta: above 0 and below 1, for all rounds. Raises DomainError, RegimeError; UnsupportedError where no way has an answer;
        ResourceLimitError where delta is below what the grid leaves out.
        """
        refusals: tuple[Refusal, ...] = ()
        alone, below = self.one.epsilon(delta=delta), None
        if self._pair is None:
            upper = self._on_grid(delta, alone.upper)
        else:
            found = self.composition(delta=delta)
            upper, below = found.bound, found.below
            if isinstance(self.one, Shuffled) and isinstance(self.one.randomizer, FromDistribution):
                with suppress(ShuffleproofError):  # the pair has answered
                    upper = min(upper, self._by_whole_distribution(delta, alone.upper) or upper, key=lambda each: each.upper)
            refusals = tuple(Refusal(method=row.name, why=row.says) for row in found.rows if row.epsilon is None)
        told = f"{self}, delta = {as_given(delta=delta)['delta']}"
        if below is None:
            parts = [(self.one, count(self.rounds, parameter="rounds"))]
            below = rounds_below(parts, delta=probability(delta, parameter="delta"), of=str(self))
        lower = max((each for each in (alone.lower, below) if each is not None), key=lambda each: each.lower, default=None)
        return Bracket(quantity="epsilon", of=told, upper=upper, lower=lower, refusals=refusals, mechanisms=self.one.mechanisms())

    @own_arithmetic()
    def composition(self, *, delta: Number) -> Composition:
        """Every way of composing side by side; domains and errors as for `epsilon`, and UnsupportedError where there is but the grid."""
        from shuffleproof.planning.composition import compose

        if self._pair is None:
            reason, advice = "they are composed on a grid of privacy losses alone", "ask for epsilon"
            raise UnsupportedError(what=f"ways of composing {self.one}", reason=reason, advice=advice)
        return compose(n=self.one.n, rounds=self.rounds, delta=delta, **self._pair)

    @own_arithmetic()
    def renyi(self, *, order: Number) -> Bracket:
        """The Renyi divergence of all rounds together: at most, and for one pair of datasets in all rounds exactly, the sum of theirs.

        order: above 1. Raises what `Mechanism.renyi` raises.
        """
        one = self.one.renyi(order=order)
        told = f"{self.rounds} adaptive rounds, each as {one.upper.statement} has it, together satisfy (upper, alpha)-RDP, alpha the order"
        same = "lower: one neighbouring pair of datasets, the same in all rounds, reaches it"
        return replace(
            one,
            of=f"{self}, order = {as_given(order=order)['order']}",
            upper=self._times(one.upper, claim=f"upper: {told}", by="FMT21.Sec6.1.rdp-composition"),
            lower=one.lower and self._times(one.lower, claim=same, by=BELOW),
        )

    def _times(self, one: Bound, *, claim: str, by: str) -> Bound:
        """So many times a divergence of one round, by the statement that says that they add up."""
        rounds = count(self.rounds, parameter="rounds")
        return replace(
            one,
            side="enclosure" if one.side == "exact" else one.side,
            lower=rounds * one.lower,
            upper=rounds * one.upper,
            exact=None,
            value_of=f"{rounds} times {one.value_of}",
            claim=claim,
            also=(*one.also, by),
            inputs={**one.inputs, "rounds": str(rounds)},
        )

    @property
    def _pair(self) -> dict[str, Any] | None:
        """Return what `compose` takes, where it knows the mechanism."""
        if not isinstance(self.one, Shuffled):
            return None
        return cast(dict[str, Any] | None, self.one.randomizer.in_rounds())

    def _by_whole_distribution(self, delta: Number, one: Bound) -> Bound | None:
        """Compose by all that a given distribution says, where that is a gain on its optimal pair."""
        from shuffleproof.accounting.profile_by_chords import by_distribution

        return None if by_distribution(cast(Shuffled, self.one)) is None else self._on_grid(delta, one)

    def _on_grid(self, delta: Number, one: Bound) -> Bound:
        """one: of a single round."""
        from shuffleproof.accounting.profile_on_grid import answered_by, cells_for, epsilon_of, measure, top
        from shuffleproof.impl.ball import privacy_loss

        target, rounds = proper_share(delta, parameter="delta"), count(self.rounds, parameter="rounds")
        factor, times = factors_of(self.one)
        beyond = target * BEYOND / (rounds * times)
        highest = top(factor, beyond=beyond)
        # A step that is short to write; where no epsilon is needed any will do.
        cells = cells_for(factor, beyond=beyond, least=_CELLS) if highest else _CELLS
        step = Fraction(decimal_text((highest or Fraction(1)) / cells, digits=6, direction="up"))
        composed = privacy_loss.composed(measure(factor, step=step, beyond=beyond), rounds=rounds * times, delta=target, step=step)
        found = epsilon_of(composed, step=step, delta=target, what=str(self))
        by = one if isinstance(factor, Mixture) else answered_by(factor)
        own = by if factor is self.one else one  # which says what the factors are of it
        engine, rests_on = factor.carried_by() if isinstance(factor, Mixture) else (by.engine, by.rests_on)
        return Bound(
            quantity="epsilon",
            side="upper",
            lower=Fraction(0),
            upper=found,
            value_of=f"epsilon of {rounds} rounds on a certified grid of privacy losses",
            claim=f"upper: {rounds} adaptive rounds, each as {own.statement} has it, together satisfy (upper, delta)-DP",
            mechanisms=by.mechanisms,
            method=f"{by.method}, grid",
            statement="BEYOND.Envelope",
            also=tuple(dict.fromkeys((own.statement, *by.statements))),
            relation=self.one.neighbours(),
            view=self.one.seen(),
            engine=engine,
            rests_on=rests_on,
            inputs={**one.inputs, "rounds": str(rounds)},
        )


@dataclass(frozen=True, kw_only=True)
class EachRounds:
    """Several numbers of rounds, each asked by itself: epsilon over the number of rounds. Made by `Mechanism.rounds`."""

    each: tuple[Rounds, ...]

    def __post_init__(self) -> None:
        require(bool(self.each), parameter="rounds", value=(), requirement="at least one number")

    def __str__(self) -> str:
        return f"{len(self.each)} numbers of rounds of {self.each[0].one}"

    @own_arithmetic()
    def epsilon(self, *, delta: Number) -> Answers[Bracket]:
        """Epsilon of each number of rounds, as `Rounds.epsilon` answers it."""
        points = tuple(as_given(rounds=each.rounds)["rounds"] for each in self.each)
        answers = tuple(each.epsilon(delta=delta) for each in steps(self.each, of="numbers of rounds"))
        return Answers(over="rounds", points=points, answers=answers, shape=(len(points),))

    @own_arithmetic()
    def composition(self, *, delta: Number) -> Compositions:
        """Every way of composing, for each number of rounds, as `Rounds.composition` finds it; `plot` draws them."""
        from shuffleproof.planning.composed import Compositions

        found = tuple(each.composition(delta=delta) for each in steps(self.each, of="numbers of rounds"))
        return Compositions(rounds=tuple(count(each.rounds, parameter="rounds") for each in self.each), each=found)
