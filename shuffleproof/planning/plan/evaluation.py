"""What a plan's privacy is: each question by a certified bracket, the whole horizon composed on one certified grid of privacy losses.

How the parts add up (every step a theorem, and every rounding upwards):

- A message of a colluding user tells nothing about others: the view is that of the honest users' shuffled messages, and what the colluders
  know beside it. More users than planned, each doing what was planned, only hide better: their messages can be added by post-processing.
- Relation "one-value": neighbours differ in one answer in one round, so the worst single release counts, once.
- Relation "one-user": what one user takes part in is composed adaptively, on a common grid that dominates each part (BEYOND.Envelope).
- A remembered report, sent by the same users in every round, is released once: each round shows a permutation of the same messages. Where
  the users change, differences between rounds may single a report out, and it counts with its local epsilon0, not amplified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.brackets import Bracket
from shuffleproof.mechanisms import Mechanism
from shuffleproof.planning.plan.schema import Plan, Question, Round
from shuffleproof.profile_on_grid import top, uppers
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, ShuffleproofError, UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import decimal_text

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure

CELLS, _FEWEST, _MOST = 128, 24, 1024
"""Grid points above 0 for the part with the largest losses; at least so many for the others; at most so many in all."""
_LEFT = Fraction(1, 10**4)
"""The share of delta beyond the end of the grid."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """One question over the whole horizon.

    round, question: by name; times: how often one user's answers to it are released; once: the bracket of a single release at the target's
    delta, None where it counts with its local epsilon0; whole: upper bound on its epsilon over all these times, alone; why: how it counts;
    view: what of it is released.
    """

    round: str
    question: str
    times: int
    once: Bracket | None
    whole: Fraction
    why: str
    view: str


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """A plan's answer.

    parts: in the plan's order; upper: certified, on the epsilon of everything together at the target's delta; lower: no smaller epsilon
    holds, from the worst single release; statement: what the sum rests on.
    """

    plan: Plan
    parts: tuple[Part, ...]
    upper: Fraction
    lower: Fraction
    statement: str

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where it lies between the two sides."""
        low, high = self.plan.epsilon.bounds(bits=128)
        return True if self.upper <= low else False if self.lower > high else None


def evaluate(plan: Plan, *, step: Callable[[str], object] = lambda _: None) -> Evaluation:
    """The certified privacy of a plan. step: called with what has just been finished.

    Raises UnsupportedError, RegimeError, UndecidedError or ResourceLimitError, naming the question, where a part has no answer.
    """
    parts, measures, added = [], [], Fraction(0)
    counted = list(_counted(plan))
    together = sum(times for _, _, times, _ in counted)
    grid: Fraction | None = None
    if plan.relation == "one-user" and sum(times for _, _, times, amplified in counted if amplified) > 1:
        grid = _grid([question for _, question, _, amplified in counted if amplified], plan.delta * _LEFT / together)
    for round_, question, times, amplified in counted:
        with _named(round_, question):
            if not amplified:
                assert question.local is not None
                local = question.local.bounds(bits=128)[1]
                added += local
                parts.append(
                    Part(
                        round=round_.name,
                        question=question.name,
                        times=1,
                        once=None,
                        whole=local,
                        why=_REMEMBERED_ELSEWHERE,
                        view=question.view,
                    )
                )
                continue
            once = question.mechanism.epsilon(delta=plan.delta)
            whole = once.upper.upper
            if grid is not None:
                alone, factors = question.mechanism.factors()
                measure = _measure(alone, step=grid, beyond=plan.delta * _LEFT / together)
                measures.append((measure, factors * times))
                if times > 1:
                    whole = _epsilon([(measure, factors * times)], grid, plan.delta)
            how = "one release, remembered" if question.memoised else f"{times} of {round_.repeat} rounds" if times > 1 else "once"
            parts.append(Part(round=round_.name, question=question.name, times=times, once=once, whole=whole, why=how, view=question.view))
        step(f"{round_.name}: {question.name}")
    upper = _upper(plan, parts, measures, grid, added)
    lower = max((part.once.lower.lower for part in parts if part.once is not None and part.once.lower is not None), default=Fraction(0))
    statement = "BEYOND.Envelope" if plan.relation == "one-user" else "the worst single release"
    return Evaluation(plan=plan, parts=tuple(parts), upper=upper, lower=min(lower, upper), statement=statement)


_REMEMBERED_ELSEWHERE = "remembered, and the users change: its local epsilon0, not amplified"


def most_repeats(plan: Plan, round_: str) -> int | None:
    """The most repetitions of a round with which the target is certified to be met, participations in proportion; None where not even one.

    By bisection up to twice the plan's number; the other rounds stay as they are.
    """
    known = {each.name: each for each in plan.rounds}
    require(round_ in known, parameter="round", value=round_, requirement=f"one of {', '.join(known)}")
    chosen = known[round_]
    if chosen.participations != chosen.repeat:
        raise UnsupportedError(
            what=f"the most repetitions of {round_}", reason="users do not take part every time", advice="change participations by hand"
        )

    def met(repeat: int) -> bool:
        other = replace(chosen, repeat=repeat, participations=repeat)
        rounds = tuple(other if each is chosen else each for each in plan.rounds)
        return evaluate(replace(plan, rounds=rounds)).met is True

    return _largest(met, 2 * chosen.repeat)


def _largest(met: Callable[[int], bool], top: int) -> int | None:
    if not met(1):
        return None
    low, high = 1, top + 1
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        low, high = (middle, high) if met(middle) else (low, middle)
    return low


def _counted(plan: Plan) -> Iterator[tuple[Round, Question, int, bool]]:
    """Each question with how often one user's answers are released, and whether shuffling amplifies them."""
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

    found = privacy_loss.epsilon_of(privacy_loss.together(measures, delta=delta), step=grid, delta=delta)
    if found is None:
        shown = decimal_text(delta, digits=3, direction="down")
        raise ResourceLimitError(what="all rounds together", needed=f"a delta above {shown}", limit="what lies beyond the end of the grid")
    return found


def _grid(questions: list[Question], beyond: Fraction) -> Fraction:
    """The step of a grid on which every part has points enough."""
    tops = [top(question.mechanism.factors()[0], beyond=beyond) for question in questions]
    largest, least = max(tops), min(each for each in tops if each > 0) if any(tops) else Fraction(1)
    step = min(largest / CELLS if largest else Fraction(1, CELLS), least / _FEWEST)
    step = max(step, largest / _MOST)
    return Fraction(decimal_text(step, digits=6, direction="up"))


def _measure(mechanism: Mechanism, *, step: Fraction, beyond: Fraction) -> GridMeasure:
    from shuffleproof.impl.ball.privacy_loss import envelope

    return envelope(uppers(mechanism, step=step, beyond=beyond), step=step)


class _named:  # noqa: N801 (used as a statement)
    """Errors inside name the question."""

    def __init__(self, round_: Round, question: Question) -> None:
        self._place = f"{round_.name}, {question.name}"

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, DomainError):
            raise DomainError(parameter=f"{self._place}: {error.parameter}", value=error.value, requirement=error.requirement) from None
        if isinstance(error, ShuffleproofError):
            error.add_note(self._place)
