"""What a plan could still afford: the most repetitions of a round, its least users, the least noise of a question, each by trying.

Each trial is a certified evaluation of the plan; where to try next is interpolated between the two nearest trials.
"""

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.reading import parsed
from shuffleproof.planning.plan.schema import Plan, Round
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

OnTrial = Callable[[Fraction, bool], object]
_NOBODY: OnTrial = lambda _number, _met: None  # noqa: E731
_CLOSE = Fraction(1, 100)
"""Relative distance of what meets the target and what does not, at which a search ends."""
_BEYOND = 0.004
"""By which part of the number a trial goes beyond the likely crossing, to fall on its other side: less than half of the above."""
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


def most_repeats(plan: Plan, round_: str, *, on_trial: OnTrial = _NOBODY) -> int | None:
    """The most repetitions of a round with which the target is certified to be met, participations in proportion; None where not even one.

    Looked for up to twice the plan's number, within 1 %; the other rounds stay as they are. on_trial: called after each trial with the
    repetitions, and whether they meet the target.
    """
    chosen = _repeated(plan, round_)

    def excess(repeat: Fraction) -> float:
        other = replace(chosen, repeat=int(repeat), participations=int(repeat))
        rounds = tuple(other if each is chosen else each for each in plan.rounds)
        return _excess(replace(plan, rounds=rounds), in_words=True)

    trials = _Trials(excess, on_trial)
    if not trials.met(Fraction(1)):
        return None
    top = Fraction(2 * chosen.repeat)
    return int(top if trials.met(top) else trials.between(Fraction(1), top, rounded=lambda repeat: Fraction(int(repeat))))


def least_users(plan: Plan, round_: str, *, on_trial: OnTrial = _NOBODY) -> int | None:
    """The least users of a round, within 1 %, with which the target is certified to be met; None where not even 10^9 of them are enough.

    The rest of the round stays as it is written, and so do the other rounds; a bit sum's lambda, which is about all users, stays too.
    on_trial: called after each trial with the users, and whether they are enough. Raises DomainError where the plan has no such round.
    """
    at = _place(plan, round_)
    fewest = max(plan.rounds[at].dishonest + 1, _fewest(plan.content["rounds"][at]))
    trials = _Trials(lambda users: _excess(_changed(plan, at, {"users": int(users)})), on_trial)
    high = max(plan.rounds[at].users, fewest)
    low = fewest
    while not trials.met(Fraction(high)):
        if high >= _MOST_USERS:
            return None
        low, high = high, min(4 * high, _MOST_USERS)
    if low == fewest and trials.met(Fraction(fewest)):
        return fewest
    return int(trials.between(Fraction(high), Fraction(low), rounded=lambda users: Fraction(math.ceil(users))))


def largest_epsilon0(plan: Plan, question: str, *, on_trial: OnTrial = _NOBODY) -> Fraction | None:
    """The largest local epsilon0 of a question, within 1 %, with which the target is certified to be met: the least noise; None for none.

    question: by its name, or "round: question" where several have it; asked by a randomizer with epsilon0. on_trial: called after each
    trial with the epsilon0, and whether it meets the target. Raises DomainError.
    """
    at, place = _question(plan, question)
    local = plan.rounds[at].questions[place].local
    assert local is not None

    def excess(epsilon0: Fraction) -> float:
        questions = [dict(each) for each in plan.content["rounds"][at]["questions"]]
        questions[place]["epsilon0"] = epsilon0
        return _excess(_changed(plan, at, {"questions": questions}))

    trials = _Trials(excess, on_trial)
    high = max(local.bounds(bits=32)[1], Fraction(1, 100))
    low: Fraction | None = None
    while trials.met(high):
        low, high = high, 2 * high
        if high > _MOST_LOCAL:
            return low
    tried = high
    while low is None:
        tried /= 4
        if tried < _LEAST_LOCAL:
            return None
        low, high = (tried, high) if trials.met(tried) else (None, tried)
    return trials.between(low, high, rounded=lambda epsilon0: Fraction(decimal_text(epsilon0, digits=4, direction="down")))


class _Trials:
    """Evaluations of a plan at one number, each asked once; excess: how far it is above its target, met where that is at most 0."""

    def __init__(self, excess: Callable[[Fraction], float], on_trial: OnTrial) -> None:
        self._excess, self._on_trial, self._known = excess, on_trial, dict[Fraction, float]()

    def met(self, number: Fraction) -> bool:
        if number not in self._known:
            self._known[number] = self._excess(number)
            self._on_trial(number, self._known[number] <= 0)
        return self._known[number] <= 0

    def between(self, met: Fraction, unmet: Fraction, *, rounded: Callable[[Fraction], Fraction]) -> Fraction:
        """The number nearest to `unmet` that meets the target, within 1 %; both ends have been tried, and rounded says which may be."""
        while abs(unmet - met) > _CLOSE * min(met, unmet):
            span = math.log(unmet) - math.log(met)
            below, above = self._known[met], self._known[unmet]
            # Epsilon is nearly a power of each of these numbers: a line between logarithms. A step beyond the crossing closes in.
            share = 0.5 if math.isinf(above - below) else below / (below - above)
            step = _BEYOND / abs(span)
            share += step if share < 0.5 else -step
            tried = rounded(Fraction(math.exp(math.log(met) + min(0.95, max(0.05, share)) * span)))
            if tried in (met, unmet):
                tried = rounded((met + unmet) / 2)
                if tried in (met, unmet):
                    break
            met, unmet = (tried, unmet) if self.met(tried) else (met, tried)
        return met


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
    near = "" if found else did_you_mean(question, [*names, *(name.partition(": ")[2] for name in names)])
    wanted = f"one of {', '.join(names)}{near}"
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


def _excess(plan: Plan, *, in_words: bool = False) -> float:
    """The natural logarithm of epsilon over its target: at most 0 where the target is certified to be met, infinite without an answer.

    in_words: whether a plan without an answer raises what its evaluation does.
    """
    try:
        found = evaluate(plan, lower=False)
    except (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError):
        if in_words:
            raise
        return math.inf
    target = plan.epsilon.bounds(bits=128)[0]
    if not found.upper:
        return -math.inf
    ratio = found.upper / target if target else None
    excess = math.inf if ratio is None else math.log(ratio.numerator) - math.log(ratio.denominator)  # of any size, unlike floats
    return min(0.0, excess) if found.met else max(sys.float_info.min, excess)
