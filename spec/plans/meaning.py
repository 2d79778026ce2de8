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
6. A round's dishonest users reveal everything of it: whether they came, and what they sent.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, cast

from shuffleproof.spec.distribution import Distribution, bernoulli, independent, product as product_of
from shuffleproof.spec.plans.questions import Message, Question, Value, ViewDistribution

Key = tuple[int, str, int, str]
"""A user, a round, an attempt and a column: where a value is held."""
Held = Mapping[Key, Value]
Coin = tuple[int, str, int]
"""A user, and whose coin it is: a batch's (attempt -1) or a round's own, for one attempt."""
Came = frozenset[Coin]
"""The coins that said yes."""
Memo = tuple[str, str, int]
"""A round, a question and a user: whose memoised report it is."""
_ONE = Fraction(1)
"""Certainty: the rate of a round without one."""


@dataclass(frozen=True)
class Round:
    """A round of a plan.

    lists: for each attempt the users who are on its list; rate: the probability with which each takes part, 1 for all; least: reports below
    which an attempt is dropped; batch: the batch whose coin decides, None for a coin of each attempt; questions: asked of everybody;
    dishonest: users who reveal everything of this round.
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


Source = tuple[str, Hashable]
"""Where a message comes from: a "value", which is reported afresh, or a memoised "message"."""


class Sent(NamedTuple):
    """The reports to one question in one attempt: by honest users, in an order that says nothing, and by dishonest ones, in theirs."""

    question: Question
    honest: tuple[Source, ...]
    dishonest: tuple[Source, ...]


def view(plan: Plan, held: Held) -> Distribution[Hashable]:
    """The distribution of everything that is seen, all attempts of all rounds together.

    held: what each listed user holds, by round, attempt and column; missing values are nothing. The coins and the memoised reports are
    what attempts share: given these they are independent, and the mixture over these is the distribution.
    """

    def released(came: Came) -> Distribution[tuple[Hashable, ...]]:
        return _memoised(plan, held, came).map(lambda kept: tuple(_released(plan, held, came, dict(kept))))

    return _coins(plan).then(released).then(_together)


def _coins(plan: Plan) -> Distribution[Came]:
    """The distribution of which coins say yes; a coin of a rate of 1 always does."""
    rates = {each.coin(user, attempt): each.rate for each in plan.rounds for attempt, listed in enumerate(each.lists) for user in listed}

    def tossed(coin: Coin, rate: Fraction) -> Distribution[tuple[Coin, ...]]:
        return bernoulli(rate).map(lambda yes: (coin,) * yes)

    return independent(tossed(*each) for each in rates.items()).map(lambda said: frozenset(chain(*said)))


def _participants(each: Round, attempt: int, came: Came) -> list[int]:
    return [user for user in each.lists[attempt] if each.coin(user, attempt) in came]


def _memoised(plan: Plan, held: Held, came: Came) -> Distribution[tuple[tuple[Memo, Message], ...]]:
    """The distribution of the memoised reports, each drawn from the value held when its question was first answered."""
    drawn: dict[Memo, Distribution[Message]] = {}
    for each in plan.rounds:
        for attempt in range(len(each.lists)):
            for user in _participants(each, attempt, came):
                for question in each.questions:
                    key = (each.name, question.name, user)
                    if question.memoised and key not in drawn:
                        drawn[key] = question.report(held.get((user, each.name, attempt, question.column)))
    return independent(drawn.values()).map(lambda reports: tuple(zip(drawn, reports, strict=True)))


def _released(plan: Plan, held: Held, came: Came, memoized: Mapping[Memo, Message]) -> Iterator[Hashable]:
    """Yield what each attempt shows, given coins and memoised reports: how many came, which dishonest ones, and a `Sent` a question."""
    for each in plan.rounds:
        for attempt in range(len(each.lists)):
            there = _participants(each, attempt, came)
            told = tuple(user for user in there if user in each.dishonest)
            yield (len(there) if plan.counted else None), told
            if plan.counted and len(there) < each.least:
                continue
            for question in each.questions:
                sources: dict[int, Source] = {
                    user: ("message", memoized[each.name, question.name, user])
                    if question.memoised
                    else ("value", held.get((user, each.name, attempt, question.column)))
                    for user in there
                }
                honest = sorted((source for user, source in sources.items() if user not in each.dishonest), key=_order)
                yield Sent(question, tuple(honest), tuple(sources[user] for user in told))


def _together(released: Iterable[Hashable]) -> Distribution[Hashable]:
    """Return the distribution of all that is released: attempts and questions are independent, given what they share."""
    return cast(ViewDistribution, independent(_seen(one) if isinstance(one, Sent) else Distribution.point(one) for one in released))


@lru_cache(maxsize=4096)
def _seen(sent: Sent) -> ViewDistribution:
    """Return what is seen of the honest users' messages, and the dishonest ones' messages beside it.

    Nothing that is seen of the honest ones' messages depends on their order, so they are kept in one order as users are added.
    """
    messages: Distribution[tuple[Message, ...]] = Distribution.point(())
    for source in sent.honest:
        messages = product_of(messages, _message(sent.question, source)).map(lambda pair: tuple(sorted((*pair[0], pair[1]), key=_order)))
    told = independent(_message(sent.question, source) for source in sent.dishonest)
    return cast(ViewDistribution, product_of(messages.then(sent.question.seen), told))


@lru_cache(maxsize=4096)
def _order(source: Hashable) -> str:
    """One order of what has none: that of how it is written."""
    return repr(source)


def _message(question: Question, source: Source) -> Distribution[Message]:
    kind, of = source
    return Distribution.point(of) if kind == "message" else question.report(cast(Value, of))
