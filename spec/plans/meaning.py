"""The exact distribution of everything that is seen when a plan is held, for a few users.

Who tosses what, once, in which order:

1. Who is on a round's list is fixed before anything is drawn, and does not depend on data.
2. With a rate, each listed user tosses one secret coin for an attempt, once for all of its questions; or, where the round names a batch,
   one coin for all attempts of all rounds of that batch. Without a rate everybody on the list takes part.
3. How many came is public, unless neighbours differ in who is there. Where fewer than `least` came nothing else is seen, and the attempt
   is used up.
4. Each participant answers every question: a fresh report, or, where the question is memoised, the report of the first time that this
   question of this round was answered, whatever the value has become.
5. Of each question's messages is seen what the question says, and nothing links one question's messages to another's.
6. A round's dishonest users tell everything of it: whether they came, and what they sent.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.plans.questions import Message, Question, Value

Key = tuple[int, str, int, str]
"""A user, a round, an attempt and a column: where a value is held."""
Held = Mapping[Key, Value]
Coin = tuple[int, str, int]
"""A user, and whose coin it is: a batch's (attempt -1) or a round's own, for one attempt."""
_ONE = Fraction(1)
"""Certainty: the rate of a round without one."""


@dataclass(frozen=True)
class Round:
    """A round of a plan.

    lists: for each attempt the users who are on its list; rate: the probability with which each takes part, 1 for all; least: reports below
    which an attempt is dropped; batch: the batch whose coin decides, None for a coin of each attempt; questions: asked of everybody;
    dishonest: users who tell everything of this round.
    """

    name: str
    lists: tuple[tuple[int, ...], ...]
    questions: tuple[Question, ...]
    rate: Fraction = _ONE
    least: int = 1
    batch: str | None = None
    dishonest: frozenset[int] = frozenset()

    def coin(self, user: int, attempt: int) -> Coin:
        """The coin that decides whether a user takes part in an attempt."""
        return (user, self.name, attempt) if self.batch is None else (user, f"batch {self.batch}", -1)


@dataclass(frozen=True)
class Plan:
    """Rounds in order. counted: whether it is public how many came."""

    rounds: tuple[Round, ...]
    counted: bool = True


def view(plan: Plan, held: Held) -> Distribution[Hashable]:
    """The distribution of everything that is seen, all attempts of all rounds together.

    held: what each listed user holds, by round, attempt and column; missing values are nothing. The coins and the memoised reports are
    what attempts share: given these they are independent, and the mixture over these is the distribution.
    """
    found: dict[Hashable, Fraction] = {}
    for chance, came in _coins(plan):
        for weight, remembered in _memoised(plan, held, came):
            for seen, mass in _given(plan, held, came, remembered).items():
                found[seen] = found.get(seen, Fraction(0)) + chance * weight * mass
    return Distribution(found)


def _coins(plan: Plan) -> Iterator[tuple[Fraction, Mapping[Coin, bool]]]:
    """Every outcome of all coins, with its probability; a coin of a rate of 1 always says yes."""
    rates = {each.coin(user, attempt): each.rate for each in plan.rounds for attempt, listed in enumerate(each.lists) for user in listed}
    for outcome in product(*((True,) if rate == 1 else (False, True) for rate in rates.values())):
        chance = _ONE
        for rate, yes in zip(rates.values(), outcome, strict=True):
            chance *= rate if yes else 1 - rate
        yield chance, dict(zip(rates, outcome, strict=True))


def _participants(each: Round, attempt: int, came: Mapping[Coin, bool]) -> list[int]:
    return [user for user in each.lists[attempt] if came[each.coin(user, attempt)]]


def _memoised(plan: Plan, held: Held, came: Mapping[Coin, bool]) -> Iterator[tuple[Fraction, Mapping[tuple[str, str, int], Message]]]:
    """Every outcome of the memoised reports, each drawn from the value held when its question was first answered."""
    drawn: dict[tuple[str, str, int], Distribution[Message]] = {}
    for each in plan.rounds:
        for attempt in range(len(each.lists)):
            for user in _participants(each, attempt, came):
                for question in each.questions:
                    key = (each.name, question.name, user)
                    if question.memoised and key not in drawn:
                        drawn[key] = question.report(held.get((user, each.name, attempt, question.column)))
    for outcome in product(*(law.items() for law in drawn.values())):
        weight = _ONE
        for _, mass in outcome:
            weight *= mass
        yield weight, dict(zip(drawn, (message for message, _ in outcome), strict=True))


def _given(plan: Plan, held: Held, came: Mapping[Coin, bool], remembered: Mapping[tuple[str, str, int], Message]) -> Distribution[Hashable]:
    """Return what is seen, given the coins and the memoised reports: attempts and questions are independent then."""
    found: Distribution[Hashable] = Distribution.point(())
    for each in plan.rounds:
        for attempt in range(len(each.lists)):
            there = _participants(each, attempt, came)
            told = tuple(user for user in there if user in each.dishonest)
            number = len(there) if plan.counted else None
            found = found.map(lambda done, shown=(number, told): (*done, shown))  # type: ignore[misc]
            if plan.counted and len(there) < each.least:
                continue
            for question in each.questions:
                laws = [
                    Distribution.point(remembered[each.name, question.name, user])
                    if question.memoised
                    else question.report(held.get((user, each.name, attempt, question.column)))
                    for user in there
                ]
                shown = _seen(question, laws, [user in each.dishonest for user in there])
                found = found.then(lambda done, shown=shown: shown.map(lambda one, done=done: (*done, one)))  # type: ignore[misc]
    return found


def _seen(question: Question, laws: Sequence[Distribution[Message]], dishonest: Sequence[bool]) -> Distribution[Hashable]:
    """Return, for one question in one attempt, what is seen of the honest users' messages, and the dishonest ones' messages beside it."""
    found: dict[Hashable, Fraction] = {}
    for outcome in product(*(law.items() for law in laws)):
        weight = _ONE
        for _, mass in outcome:
            weight *= mass
        messages = [message for message, _ in outcome]
        told = tuple(message for message, known in zip(messages, dishonest, strict=True) if known)
        honest = [message for message, known in zip(messages, dishonest, strict=True) if not known]
        for shown, mass in question.seen(honest).items():
            found[shown, told] = found.get((shown, told), Fraction(0)) + weight * mass
    return Distribution(found)
