"""What a plan could still afford: the most repetitions of a round, its least users, the least noise of a question, each by trying."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.schema import Plan, Round, parsed
from shuffleproof.spec.vocabulary.errors import (
    RegimeError,
    ResourceLimitError,
    UndecidedError,
    UnsupportedError,
    did_you_mean,
    require,
    require_one_of,
)
from shuffleproof.spec.vocabulary.numerals import count, decimal_text, exact_fraction

_MOST_USERS = 10**9
"""Users up to which a plan's target is looked for: as many as float64 answers for."""
_MOST_LOCAL = Fraction(64)
"""Epsilon0 above which no local guarantee is left to speak of: no limit is named there."""
_LEAST_LOCAL = Fraction(1, 10**4)
"""Epsilon0 below which none is looked for: a report is then a fair coin to four digits."""


def require_askable(plan: Plan, *, most_repeats: str | None, least_users: str | None, least_noise: str | None) -> None:
    """Raise, before any work starts, what these functions raise for names that the plan does not have, and for rounds they do not take."""
    if most_repeats is not None:
        _repeated(plan, most_repeats)
    if least_users is not None:
        _place(plan, least_users)
    if least_noise is not None:
        _question(plan, least_noise)


def most_repeats(plan: Plan, round_: str) -> int | None:
    """The most repetitions of a round with which the target is certified to be met, participations in proportion; None where not even one.

    By bisection up to twice the plan's number; the other rounds stay as they are.
    """
    chosen = _repeated(plan, round_)

    def met(repeat: int) -> bool:
        other = replace(chosen, repeat=repeat, participations=repeat)
        rounds = tuple(other if each is chosen else each for each in plan.rounds)
        return evaluate(replace(plan, rounds=rounds), lower=False).met is True

    return _largest(met, 2 * chosen.repeat)


def least_users(plan: Plan, round_: str) -> int | None:
    """The least users of a round, within 1 %, with which the target is certified to be met; None where not even 10^9 of them are enough.

    The rest of the round stays as it is written, and so do the other rounds; a bit sum's lambda, which is about all users, stays too.
    Raises DomainError where the plan has no such round.
    """
    at = _place(plan, round_)
    fewest = max(plan.rounds[at].dishonest + 1, _fewest(plan.content["rounds"][at]))

    def met(users: int) -> bool:
        return _met(_changed(plan, at, {"users": users}))

    high = max(plan.rounds[at].users, fewest)
    while not met(high):
        if high >= _MOST_USERS:
            return None
        high = min(4 * high, _MOST_USERS)
    low = fewest - 1
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if met(middle) else (middle, high)
    return high


def largest_epsilon0(plan: Plan, question: str) -> Fraction | None:
    """The largest local epsilon0 of a question, within 1 %, with which the target is certified to be met: the least noise; None for none.

    question: by its name, or "round: question" where several have it; asked by a randomizer with epsilon0. Raises DomainError.
    """
    at, place = _question(plan, question)
    local = plan.rounds[at].questions[place].local
    assert local is not None

    def met(epsilon0: Fraction) -> bool:
        questions = [dict(each) for each in plan.content["rounds"][at]["questions"]]
        questions[place]["epsilon0"] = epsilon0
        return _met(_changed(plan, at, {"questions": questions}))

    high = max(local.bounds(bits=32)[1], Fraction(1, 100))
    low: Fraction | None = None
    while met(high):
        low, high = high, 2 * high
        if high > _MOST_LOCAL:
            return low
    tried = high
    while low is None:
        tried /= 4
        if tried < _LEAST_LOCAL:
            return None
        low = tried if met(tried) else None
    while high - low > low / 100:
        middle = Fraction(decimal_text((low + high) / 2, digits=4, direction="down"))
        if not low < middle < high:
            break
        low, high = (middle, high) if met(middle) else (low, middle)
    return low


def _place(plan: Plan, round_: str) -> int:
    known = [each.name for each in plan.rounds]
    return known.index(require_one_of(round_, known, parameter="round"))


def _repeated(plan: Plan, round_: str) -> Round:
    """Return the round of this name, in which users take part every time."""
    chosen = plan.rounds[_place(plan, round_)]
    if chosen.participations != chosen.repeat:
        raise UnsupportedError(
            what=f"the most repetitions of {round_}", reason="users do not take part every time", advice="change participations by hand"
        )
    return chosen


def _question(plan: Plan, question: str) -> tuple[int, int]:
    """Return the places of a question's round and of itself, which has an epsilon0."""
    every = [(f"{each.name}: {asked.name}", at, place) for at, each in enumerate(plan.rounds) for place, asked in enumerate(each.questions)]
    found = [each for each in every if question in (each[0], each[0].removeprefix(f"{plan.rounds[each[1]].name}: "))]
    names = [name for name, _, _ in every]
    wanted = f"one of {', '.join(names)}{did_you_mean(question, [*names, *(name.partition(': ')[2] for name in names)])}"
    require(len(found) == 1, parameter="question", value=question, requirement=wanted)
    _, at, place = found[0]
    asked = plan.rounds[at].questions[place]
    require(asked.local is not None, parameter="question", value=question, requirement="asked by a randomizer with an epsilon0 of its own")
    return at, place


def _fewest(given: Mapping[str, Any]) -> int:
    """Users below which what is written of a round makes no sense."""
    noise = [math.ceil(exact_fraction(each["lam"], parameter="lam")) for each in given["questions"] if "lam" in each]
    return max([1, *noise, count(given.get("least", 1), parameter="least")])


def _changed(plan: Plan, at: int, entries: Mapping[str, Any]) -> Plan:
    rounds = [dict(each) for each in plan.content["rounds"]]
    rounds[at].update(entries)
    return parsed({**plan.content, "rounds": rounds}, folder=plan.folder)


def _met(plan: Plan) -> bool:
    try:
        return evaluate(plan, lower=False).met is True
    except (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError):
        return False


def _largest(met: Callable[[int], bool], top: int) -> int | None:
    if not met(1):
        return None
    low, high = 1, top + 1
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        low, high = (middle, high) if met(middle) else (low, middle)
    return low
