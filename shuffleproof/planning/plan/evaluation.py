"""What a plan's privacy is: each question by a certified bracket, the whole horizon composed on one certified grid of privacy losses.

How the parts add up (every step a theorem, and every rounding upwards):

- A message of a colluding user tells nothing about others: the view is that of the honest users' shuffled messages, and what the colluders
  know beside it. More users than planned, each doing what was planned, only hide better: their messages can be added by post-processing.
- Relation "one-value": neighbours differ in one answer in one round, so the worst single release counts, once.
- Relation "one-user": what one user takes part in is composed adaptively, on a common grid that dominates each part (BEYOND.Envelope).
- Rounds without overlap share no user with the others: what one user takes part in is one of them, or all the rest, and the worst counts.
- Deletion: the report of an item drawn at random is a mixture of reports: what holds for replacements holds for it (joint convexity).
- A group of g users: from a neighbour to the next, (g eps, delta (1 + e^eps + ... + e^((g - 1) eps))) where one user has (eps, delta).
- A remembered report, sent by the same users in every round, is released once: each round shows a permutation of the same messages. Where
  the users change, differences between rounds may single a report out, and it counts with its local epsilon0, not amplified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.brackets import Bracket
from shuffleproof.planning.plan.schema import OF_ONE_ITEM, VIEWS, Plan, Question, Round
from shuffleproof.planning.plan.utility import Utility, utility
from shuffleproof.profile_on_grid import epsilon_of, measure, top
from shuffleproof.protocols import BitSum, CoordinateSums, LaplaceSum, ZeroSum
from shuffleproof.rounds_below import rounds_below
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    ShuffleproofError,
    UnsupportedError,
)
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.progress import steps

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure

Counted = tuple[Round, Question, int, bool]
"""A question with how often one user's answers are released, and whether shuffling amplifies them."""
CELLS, _FEWEST, _MOST = 128, 24, 1024
"""Grid points above 0 for the part with the largest losses; at least so many for the others; at most so many in all."""
_TRIALS = 8
_DELETED = (BitSum, ZeroSum, CoordinateSums, LaplaceSum)
"""Mechanisms of deletion whose lower sides are about deletion too."""
_LEFT = Fraction(1, 10**4)
"""The share of delta beyond the end of the grid."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """One question over the whole horizon.

    round, question: by name; times: how often one user's answers to it are released; once: the bracket of a single release at the target's
    delta, None where it counts with its local epsilon0; whole: upper bound on its epsilon over all these times, alone; why: how it counts;
    view: what of it is released; utility: how far the estimate of one release is off, None where that is not known.
    """

    round: str
    question: str
    times: int
    once: Bracket | None
    whole: Fraction
    why: str
    view: str
    utility: Utility | None = None


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """A plan's answer.

    parts: in the plan's order; upper: certified, on the epsilon of everything together at the target's delta; lower: no smaller epsilon
    holds, from the worst single release, or from one pair of datasets in all rounds; statement: what the sum rests on; alone: of a plan
    about a group of users, the certified epsilon of one of them, and the delta at which it was asked.
    """

    plan: Plan
    parts: tuple[Part, ...]
    upper: Fraction
    lower: Fraction
    statement: str
    alone: tuple[Fraction, Fraction] | None = None

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where it lies between the two sides."""
        low, high = self.plan.epsilon.bounds(bits=128)
        return True if self.upper <= low else False if self.lower > high else None

    @property
    def advice(self) -> str | None:
        """What to change where the target is not certified to be met: by what takes most of it, or alone makes it impossible."""
        if self.met is True:
            return None
        lower = {id(part): part.once.lower.lower for part in self.parts if part.once is not None and part.once.lower is not None}
        by_one = max(lower.values(), default=Fraction(0)) > self.plan.epsilon.bounds(bits=128)[1]
        worst = max(self.parts, key=lambda part: lower.get(id(part), Fraction(0)) if by_one else part.whole)
        chosen = next(each for each in self.plan.rounds if each.name == worst.round)
        local = next(each for each in chosen.questions if each.name == worst.question).local
        asked = [f'--least-users "{worst.round}"', *([f'--least-noise "{worst.question}"'] if local is not None else [])]
        if not by_one and chosen.repeat > 1:
            asked.append(f'--most-repeats "{worst.round}"')
        name = f"{worst.round}, {worst.question}"
        why = f"{name}: one release of it alone is more than the target" if by_one else f"{name} takes most of it"
        how = "more users or more noise" if by_one else "more users, more noise or fewer rounds"
        return f"{why}; plan it with {how}: {', '.join(asked)} say how far to go"


def evaluate(plan: Plan) -> Evaluation:
    """The certified privacy of a plan.

    Raises UnsupportedError, RegimeError, UndecidedError or ResourceLimitError, naming the question, where a part has no answer.
    """
    return _one_user(plan) if plan.group == 1 else _of_group(plan)


def _of_group(plan: Plan) -> Evaluation:
    """For g users at once: one user's epsilon at a smaller delta, found by trying, and every trial is a bound."""
    from shuffleproof.spec.vocabulary.elementary import exp_bounds

    delta = plan.delta / plan.group
    for _ in range(_TRIALS):
        found = _one_user(replace(plan, group=1, delta=delta))
        E = exp_bounds(found.upper, bits=64)[1]
        paid = sum((E**i for i in range(plan.group)), Fraction(0))
        if delta * paid <= plan.delta:
            single = _one_user(replace(plan, group=1))  # a group loses no less than one of its users
            return replace(found, plan=plan, upper=plan.group * found.upper, lower=single.lower, alone=(found.upper, delta))
        delta = Fraction(decimal_text(plan.delta / paid * Fraction(9, 10), digits=6, direction="down"))
    advice = "plan for a smaller group, or less epsilon for each user"
    raise UnsupportedError(what=f"a group of {plan.group} users", reason="one user's epsilon is too large for it", advice=advice)


def _one_user(plan: Plan) -> Evaluation:
    every = list(_counted(plan))
    shared = [each for each in every if each[0].overlap > 0]
    apart = [[each for each in every if each[0] is round_] for round_ in plan.rounds if round_.overlap == 0]
    found = [_cluster(plan, counted) for counted in (shared, *apart) if counted]
    order = [(round_.name, question.name) for round_, question, _, _ in every]
    parts = sorted((part for some, _ in found for part in some), key=lambda part: order.index((part.round, part.question)))
    upper = max(upper for _, upper in found)
    lower = max((part.once.lower.lower for part in parts if part.once is not None and part.once.lower is not None), default=Fraction(0))
    lower = max(lower, *(_below(plan, counted, parts) for counted in (shared, *apart)))
    statement = "BEYOND.Envelope" if plan.relation == "one-user" else "the worst single release"
    return Evaluation(plan=plan, parts=tuple(parts), upper=upper, lower=min(lower, upper), statement=statement)


def _below(plan: Plan, counted: Sequence[Counted], parts: Sequence[Part]) -> Fraction:
    """What somebody loses at least who takes part in all of it, by the questions whose single releases have a lower bound."""
    known = {(part.round, part.question) for part in parts if part.once is not None and part.once.lower is not None}
    released = [(question.mechanism, times) for round_, question, times, _ in counted if (round_.name, question.name) in known]
    if plan.relation != "one-user" or sum(times for _, times in released) <= 1:
        return Fraction(0)
    found = rounds_below(released, delta=plan.delta, of="the plan")
    return Fraction(0) if found is None else found.lower


def _cluster(plan: Plan, counted: Sequence[Counted]) -> tuple[list[Part], Fraction]:
    """What one user may take part in all of, and the epsilon of all of it."""
    parts, measures, added = [], [], Fraction(0)
    together = sum(times for _, _, times, _ in counted)
    grid: Fraction | None = None
    if plan.relation == "one-user" and sum(times for _, _, times, amplified in counted if amplified) > 1:
        grid = _grid([each for each in counted if each[3]], plan.delta * _LEFT / together)
    for round_, question, times, amplified in steps(counted, of="questions"):
        with _named(round_, question):
            once = _once(plan, question) if amplified else None
            if once is None:
                assert question.local is not None
                whole, how = question.local.bounds(bits=128)[1], _REMEMBERED_ELSEWHERE
                added += whole
            else:
                whole = once.upper.upper
                how = "one release, remembered" if question.memoised else f"{times} of {round_.repeat} rounds" if times > 1 else "once"
                if grid is not None:
                    alone, factors = question.mechanism.factors()
                    measures.append((measure(alone, step=grid, beyond=plan.delta * _LEFT / together), factors * times))
                    if times > 1:
                        whole = _epsilon(measures[-1:], grid, plan.delta)
            parts.append(
                Part(
                    round=round_.name,
                    question=question.name,
                    times=times,
                    once=once,
                    whole=whole,
                    why=how,
                    view=question.view,
                    utility=utility(round_, question),
                )
            )
    return parts, _upper(plan, parts, measures, grid, added)


def _once(plan: Plan, question: Question) -> Bracket:
    """A single release at the target's delta."""
    once = question.mechanism.epsilon(delta=plan.delta)
    about_replacements = plan.neighbours == "deletion" and not isinstance(question.mechanism, _DELETED)
    return replace(once, lower=None) if about_replacements or _may_show_less(question) else once


def _may_show_less(question: Question) -> bool:
    """Than the sums that bound it: what is above a threshold, or estimates of some items, which may be hashed to one coordinate."""
    if question.view in (VIEWS["thresholded-sums"], OF_ONE_ITEM["thresholded-sums"]):
        return True
    return question.view == VIEWS["estimate"] and bool(question.items) and question.kind != "krr"


_REMEMBERED_ELSEWHERE = "remembered, and the users change: its local epsilon0, not amplified"


def _counted(plan: Plan) -> Iterator[Counted]:
    """Everything that is asked."""
    for round_ in plan.rounds:
        for question in round_.questions:
            if plan.relation == "one-value" and not question.memoised:
                yield round_, question, 1, True
            elif question.memoised:
                alone = round_.repeat == 1 or round_.same_users
                if not alone and question.local is None:
                    raise UnsupportedError(
                        what=f"{question.name}, remembered by users who change",
                        reason="the law has no epsilon0 of its own here",
                        advice="same_users = true where they do not change, or a fresh report each time",
                    )
                yield round_, question, 1, alone
            else:
                yield round_, question, round_.participations, True


def _upper(plan: Plan, parts: list[Part], measures: list[tuple[GridMeasure, int]], grid: Fraction | None, added: Fraction) -> Fraction:
    if plan.relation == "one-value":
        return max(part.whole for part in parts)
    amplified = [part for part in parts if part.once is not None]
    if len(amplified) <= 1:
        return added + sum((part.whole for part in amplified), Fraction(0))
    assert grid is not None
    return added + _epsilon(measures, grid, plan.delta)


def _epsilon(measures: list[tuple[GridMeasure, int]], grid: Fraction, delta: Fraction) -> Fraction:
    from shuffleproof.impl.ball import privacy_loss

    return epsilon_of(privacy_loss.together(measures, delta=delta), step=grid, delta=delta, what="all rounds together")


def _grid(counted: Sequence[Counted], beyond: Fraction) -> Fraction:
    """The step of a grid on which every part has points enough."""
    tops = []
    for round_, question, _, _ in steps(counted, of="privacy profiles"):
        with _named(round_, question):
            tops.append(top(question.mechanism.factors()[0], beyond=beyond))
    largest, least = max(tops), min(each for each in tops if each > 0) if any(tops) else Fraction(1)
    step = min(largest / CELLS if largest else Fraction(1, CELLS), least / _FEWEST)
    step = max(step, largest / _MOST)
    return Fraction(decimal_text(step, digits=6, direction="up"))


@contextmanager
def _named(round_: Round, question: Question) -> Iterator[None]:
    """Errors inside name the question."""
    place = f"{round_.name}, {question.name}"
    try:
        yield
    except DomainError as error:
        raise DomainError(parameter=f"{place}: {error.parameter}", value=error.value, requirement=error.requirement) from None
    except ShuffleproofError as error:
        error.add_note(place)
        raise
