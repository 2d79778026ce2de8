"""What a plan's privacy is: each question by a certified bracket, the whole horizon composed on one certified grid of privacy losses.

How the parts add up (every step a theorem, and every rounding upwards):

- A colluding user's message reveals nothing about others: the view is that of the honest users' shuffled messages, and what the colluders
  know beside it. More users than planned, each doing what was planned, only hide better: their messages can be added by post-processing.
- Relation "one-value": neighbours differ in one value of one column in one attempt of one round: all questions that read it are composed,
  and the worst column counts.
- Relation "one-user": what one user takes part in is composed adaptively, on a common grid that dominates each part (BEYOND.Envelope).
- Random participation: everything that one coin decides, all questions of an attempt and all attempts of a batch, is composed for those
  who come, and amplified once (BEYOND.random-participation). Unchanged answers on the same coin show who came, and count as such.
- Rounds without overlap share no user with the others: what one user takes part in is one of them, or all the rest, and the worst counts.
- Deletion: the report of an item drawn at random is a mixture of reports: what holds for replacements holds for it (joint convexity).
- A group of g users: from a neighbour to the next, (g eps, delta (1 + e^eps + ... + e^((g - 1) eps))) where one user has (eps, delta).
- A memoised report (drawn once, whatever the value becomes), sent by the same users in every round, is released once: each round shows a
  permutation of the same messages. Where the users change, differences between rounds may single a report out, and it counts with its
  local epsilon0, not amplified.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from shuffleproof.accounting.one_coin import TOGETHER, OneCoin
from shuffleproof.accounting.profile_on_grid import answered_by, common_step, epsilon_of, measure
from shuffleproof.accounting.rounds_below import rounds_below
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.keywords import own_arithmetic, own_names
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.mechanisms.participation import Mixture, RandomParticipation
from shuffleproof.mechanisms.protocols import BitSum, CoordinateSums, LaplaceSum, ZeroSum, factors_of
from shuffleproof.planning.plan import conditions
from shuffleproof.planning.plan.schema import NEIGHBOURS, OF_ONE_ITEM, RELATIONS, VECTORS, VIEWS, Plan, Question, Round, plan_of
from shuffleproof.planning.plan.utility import Utility, how_well, utility
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, ShuffleproofError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import decimal_text, float_toward, shortest
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.scope import Relation
from shuffleproof.spec.vocabulary.tables import Tabular

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure

__dir__ = own_names(__name__)

Counted = tuple[Round, Question, int, bool]
"""A question with how often one user's answers are released, and whether shuffling amplifies them."""
_TRIALS = 4
"""Deltas at which a plan for groups is certified: the second one does where epsilon grows as it usually does."""
_SPARE = 0.5
"""Natural logarithms by which a group's next delta is smaller than what seems needed: epsilon may grow a little faster."""
_SMALLEST_LOG = 690
"""e^-690 is near the smallest float64 that is not subnormal: engines go no further."""
_THREE_ITEMS = 3
"""Coordinates that the neighbouring pair of a vector's lower bound needs: two that change, and one that all others hold."""
_DELETED = (BitSum, ZeroSum, CoordinateSums, LaplaceSum)
"""Mechanisms of deletion whose lower sides are about deletion too."""
_KEPT = 64
"""Answers of single releases, and of compositions, that are kept: a search for the most repeats or the least noise asks many again."""
ENVELOPE, VIEW_OF_ONE, BASIC, GROUPS = "BEYOND.Envelope", "BEYOND.views-of-sums", "FMT21.Sec6.1.basic", "BEYOND.groups"
"""The ledger's ids of sums on a grid, of one coordinate alone, of local guarantees that are added, and of several users at once."""
_WORST = "the worst single release"
"""What the sum rests on where neighbours differ in one value."""
_SHARE_OF_ALL = 1.5
"""How many times what one answer may cost a whole plan may, all its questions, trials and grids: most of a minute on a busy machine."""
_LEFT = Fraction(1, 10**4)
"""The share of delta beyond the end of the grid."""
_SHOWN = 8
"""Significant digits of an epsilon in a line, rounded to the side of its claim: enough to distinguish two plans."""
_BAR = 12
"""Columns of the longest bar."""


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


@dataclass(frozen=True, kw_only=True, repr=False)
class Evaluation(Tabular):
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
    def measured(self) -> str:
        """See `Tabular`."""
        return "epsilon over the whole horizon"

    @property
    def headline(self) -> str:
        """Whether the target is met, and both sides of everything together."""
        delta = shortest(self.plan.delta)
        return f"{self.verdict}: {self.ends} at delta = {delta}, target ({self.plan.wanted}, {delta})"

    @property
    def verdict(self) -> str:
        """Return whether the target is met, in words."""
        return {True: "the target is met", False: "the target is not met", None: "undecided: the target lies within the bracket"}[self.met]

    @property
    def ends(self) -> str:
        """Both sides of everything together, rounded outward, as an inequality."""
        above = f"epsilon <= {decimal_text(self.upper, digits=_SHOWN, direction='up')}"
        if not self.lower and self.upper:
            return f"{above} (no lower bound is known)"
        return f"{decimal_text(self.lower, digits=_SHOWN, direction='down')} <= {above}"

    def __str__(self) -> str:
        """The headline, what to know beside it, what is promised, each question with a bar, and what has to be true."""
        relation, neighbours = self.plan.relation, self.plan.neighbours
        lines = [*self.warnings, *filter(None, [self.advice]), f"{relation}: {RELATIONS[relation]} ({self.statement})"]
        lines.append(f"{neighbours}: {NEIGHBOURS[neighbours]}")
        if self.alone is not None:
            most, delta = (decimal_text(each, digits=_SHOWN, direction="up") for each in self.alone)
            lines.append(f"{self.plan.group} users at once; each one alone: epsilon <= {most} at delta = {delta}")
        largest = max((part.whole for part in self.parts), default=None)
        for part in self.parts:
            bar = "#" * max(1, round(_BAR * part.whole / largest if largest else 0))
            most = decimal_text(part.whole, digits=_SHOWN, direction="up")
            lines.append(f"{part.round}, {part.question}: epsilon <= {most}, {part.why}  {bar}")
            if part.once is not None:
                lines.append(f"  one release: {part.once}")
            lines += [f"  what is seen: {part.view}", f"  how well: {how_well(part.utility)}"]
        return "\n  ".join([self.headline, *lines, "what has to be true:", *(f"  {each}" for each in self.assumptions)])

    def columns(self) -> dict[str, list[Any]]:
        """Each question: how often it is released to one user's account, its epsilon over all these times at most, and how it counts."""
        return {
            "question": [f"{each.round}, {each.question}" for each in self.parts],
            "times": [each.times for each in self.parts],
            "at_most": [float_toward(each.whole, direction="up") for each in self.parts],
            "counted": [each.why for each in self.parts],
        }

    @property
    def met(self) -> bool | None:
        """Return whether the target is met; None where it lies between the two sides."""
        low, high = self.plan.epsilon.bounds(bits=128)
        return True if self.upper <= low else False if self.lower > high else None

    @property
    def statements(self) -> tuple[str, ...]:
        """The ledger's ids that the answer rests on: of single releases, of what one coin decides together, of the sum and the group."""
        counted = list(_counted(self.plan))
        ids = [id for part in self.parts if part.once is not None for id in part.once.upper.statements]
        released = _released(counted)
        if any(isinstance(each, OneCoin) for each, _ in released):
            ids += TOGETHER
        of_column = Counter((round_.name, question.column) for round_, question, _, amplified in counted if amplified)
        one_user = self.plan.relation == "one-user"
        if sum(times for _, times in released) > 1 if one_user else max(of_column.values(), default=0) > 1:
            factors = (factors_of(each)[0] for each, _ in released)
            ids += [id for each in factors if not isinstance(each, Mixture) for id in answered_by(each).statements]
            ids.append(ENVELOPE)
        further = {
            VIEW_OF_ONE: any(question.view in OF_ONE_ITEM.values() for _, question, _, _ in counted),
            BASIC: len(self.parts) > 1 and any(part.once is None for part in self.parts),
            GROUPS: self.plan.group > 1,
        }
        return tuple(dict.fromkeys([*ids, *(id for id, needed in further.items() if needed)]))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what is computed as written and hardly meant: a delta that lets a user be published, batches that mostly drop."""
        return tuple(conditions.warnings(self.plan))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Return everything that has to be true for the promise to hold, and that no computation here can check, a sentence each."""
        return tuple(conditions.assumptions(self.plan))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what to know beside the numbers: warnings, what to change, and what has to be true."""
        return (*self.warnings, *filter(None, [self.advice]), *self.assumptions)

    @property
    def advice(self) -> str | None:
        """Return what to change where the target is not certified to be met: by what takes most of it, or alone makes it impossible."""
        if self.met is True:
            return None
        # Of a group the parts are one user's, at a smaller delta: what they lose there at least says nothing of the group's epsilon.
        alone = self.parts if self.plan.group == 1 else ()
        lower = {id(part): part.once.lower.lower for part in alone if part.once is not None and part.once.lower is not None}
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
        return f"{why}; plan it with {how}: {', '.join(asked)} {'says' if len(asked) == 1 else 'say'} how far to go"


def evaluate(plan: Plan, *, lower: bool = True) -> Evaluation:
    """Return the certified privacy of a plan.

    lower: whether the lower side of all rounds together is asked too, which takes as long again. Without it the lower side is that of the
    worst single release, 0 for a group; whether the target is certified to be met does not depend on it.

    Raises UnsupportedError, RegimeError, UndecidedError or ResourceLimitError, naming the question, where a part has no answer.
    """
    with one_answer(times=_SHARE_OF_ALL):
        return _one_user(plan, lower=lower) if plan.group == 1 else _of_group(plan, lower=lower)


@own_arithmetic()
def check_plan(plan: Plan | str | Path | Mapping[str, Any], *, lower: bool = True) -> Evaluation:
    """The certified privacy of a plan, question by question and over the whole horizon, as `plan check` prints it.

    plan: the path of a TOML file, as `plan init` writes one, or its values; lower: whether no smaller epsilon is looked for as well, which
    takes as long again. Raises DomainError naming the line and the key, and what the questions raise where one has no answer.
    """
    return evaluate(plan_of(plan), lower=lower)


def _of_group(plan: Plan, *, lower: bool) -> Evaluation:
    """For g users at once: one user's epsilon at a smaller delta, found by trying, and every trial is a bound."""
    delta = plan.delta / plan.group
    for _ in range(_TRIALS):
        found = _one_user(replace(plan, group=1, delta=delta), lower=False)
        E = exp_bounds(found.upper, bits=64)[1]
        paid = sum((E**i for i in range(plan.group)), Fraction(0))
        if delta * paid <= plan.delta:
            # A group loses no less than one of its users.
            below = _one_user(replace(plan, group=1), lower=True).lower if lower else Fraction(0)
            return replace(found, plan=plan, upper=plan.group * found.upper, lower=below, alone=(found.upper, delta))
        smaller = _small_enough(plan, float(found.upper), at=delta)
        if smaller is None:
            break
        delta = smaller
    advice = "plan for a smaller group, or less epsilon for each user"
    raise UnsupportedError(what=f"a group of {plan.group} users", reason="one user's epsilon is too large for it", advice=advice)


def _small_enough(plan: Plan, epsilon: float, *, at: Fraction) -> Fraction | None:
    """One user's delta that may do for the group: epsilon grows about as the root of ln 1/delta. None where none above e^-690 may.

    epsilon: one user's at the delta `at`. A guess: what it is worth is decided by certifying the plan there.
    """
    known, wanted = -math.log(at), -math.log(plan.delta)

    def missing(x: float) -> float:
        """How far e^-x is from small enough, in natural logarithms; paid is a geometric series."""
        grown = epsilon * math.sqrt(x / known)
        whole = plan.group * grown
        return wanted + whole - grown + math.log(-math.expm1(-whole)) - math.log(-math.expm1(-grown)) + _SPARE - x

    x = next((x for x in range(math.ceil(known), _SMALLEST_LOG) if missing(x) <= 0), None)
    return None if x is None else Fraction(decimal_text(Fraction(math.exp(-x)), digits=6, direction="down"))


def _one_user(plan: Plan, *, lower: bool) -> Evaluation:
    every = list(_counted(plan))
    shared = [each for each in every if each[0].overlap > 0]
    apart = [[each for each in every if each[0] is round_] for round_ in plan.rounds if round_.overlap == 0]
    clusters = [counted for counted in (shared, *apart) if counted]
    found: list[tuple[list[Part], Fraction]] = []
    losses = [Fraction(0)]
    for counted, above in steps([(each, above) for above in (True, False)[: 1 + lower] for each in clusters], of="parts of the plan"):
        if above:
            found.append(_cluster(plan, counted))
        else:
            losses.append(_below(plan, counted, [part for some, _ in found for part in some]))
    order = [(round_.name, question.name) for round_, question, _, _ in every]
    parts = sorted((part for some, _ in found for part in some), key=lambda part: order.index((part.round, part.question)))
    upper = _one_value(plan, every, parts) if plan.relation == "one-value" else max(upper for _, upper in found)
    below = max(*losses, *(part.once.lower.lower for part in parts if part.once is not None and part.once.lower is not None), Fraction(0))
    statement = ENVELOPE if plan.relation == "one-user" else _WORST
    return Evaluation(plan=plan, parts=tuple(parts), upper=upper, lower=min(below, upper), statement=statement)


def _below(plan: Plan, counted: Sequence[Counted], parts: Sequence[Part]) -> Fraction:
    """Return what somebody loses at least who takes part in all of it, by the questions whose single releases have a lower bound.

    Of several questions on one column of a round the first one counts: the pairs of neighbouring datasets by which two questions lose most
    need not be one pair, and the users hold one value. Of several on one coin the first one counts, too, and none of a batch on one coin.
    """
    known = {(part.round, part.question) for part in parts if part.once is not None and part.once.lower is not None}
    by_column: dict[tuple[str, str], tuple[Mechanism, int]] = {}
    for round_, question, times, _ in counted:
        if (round_.name, question.name) in known and (round_.rate == 1 or round_.batch is None):
            of_column = question.column if round_.rate == 1 else ""
            by_column.setdefault((round_.name, of_column), (question.mechanism, times))
    released = list(by_column.values())
    if plan.relation != "one-user" or sum(times for _, times in released) <= 1:
        return Fraction(0)
    found = rounds_below(released, delta=plan.delta, of="the plan")
    return Fraction(0) if found is None else found.lower


def _cluster(plan: Plan, counted: Sequence[Counted]) -> tuple[list[Part], Fraction]:
    """Return what one user may take part in all of, and, where all of it may change, the epsilon of all of it."""
    parts, added = [], Fraction(0)
    one_user = plan.relation == "one-user"
    beyond = plan.delta * _LEFT / sum(times for _, _, times, _ in counted)
    released = _released(counted)
    several = one_user and sum(times for _, _, times, amplified in counted if amplified) > 1
    alone = [release for each in counted for release, _ in _released([each])]
    composed = _Composed(tuple(dict.fromkeys((*alone, *(each for each, _ in released)))), beyond)
    whole_sum = Fraction(0)
    for each in steps([*counted, *([None] if several else [])], of="questions and their sum"):
        if each is None:
            with _named(counted):
                whole_sum = composed.epsilon(released, plan.delta)
            break
        round_, question, times, amplified = each
        with _named([each]):
            once = _once(plan, question) if amplified else None
            # What is not amplified costs its local epsilon0.
            if once is None:
                assert question.local is not None
                whole, how = question.local.bounds(bits=128)[1], _MEMOISED_ELSEWHERE
                added += whole
            else:
                whole = once.upper.upper
                if not one_user and round_.rate < 1 and _on_the_coin([each])[0][1] > 1:
                    whole = _epsilon_of_changed(plan, [each], [each])
                how = "one release, memoised" if question.memoised else f"{times} of {round_.repeat} rounds" if times > 1 else "once"
                if several and times > 1:
                    whole = composed.epsilon(_released([each]), plan.delta)
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
    amplified_parts = [part for part in parts if part.once is not None]
    return parts, added + (whole_sum if several else sum((part.whole for part in amplified_parts), Fraction(0)))


@dataclass(frozen=True)
class _Composed:
    """Epsilons of several mechanisms on one grid that suits all of them."""

    mechanisms: tuple[Mechanism, ...]
    beyond: Fraction

    def epsilon(self, released: Sequence[tuple[Mechanism, int]], delta: Fraction) -> Fraction:
        """The epsilon of all these together."""
        if len(released) == 1 and released[0][1] == 1:
            return _single(released[0][0], delta).upper.upper
        return _together(self, tuple(released), delta)


@lru_cache(maxsize=_KEPT)
def _single(mechanism: Mechanism, delta: Fraction) -> Bracket:
    """One release at this delta: asked once where it is released in several ways, or a search tries many plans."""
    return mechanism.epsilon(delta=shortest(delta).replace("e-0", "e-"))  # which the answer repeats as people type it


@lru_cache(maxsize=_KEPT)
def _together(on: _Composed, released: tuple[tuple[Mechanism, int], ...], delta: Fraction) -> Fraction:
    """The epsilon of several releases, on the grid."""
    from shuffleproof.impl.ball import privacy_loss

    step, measures = _grid(on), []
    for mechanism, times in released:
        alone, factors = factors_of(mechanism)
        measures.append((_measured(alone, step, on.beyond), factors * times))
    return epsilon_of(privacy_loss.together(measures, delta=delta), step=step, delta=delta, what="all rounds together")


@lru_cache(maxsize=_KEPT)
def _grid(on: _Composed) -> Fraction:
    """The step of a grid that suits all of them."""
    return common_step([factors_of(each)[0] for each in on.mechanisms], beyond=on.beyond)


@lru_cache(maxsize=_KEPT)
def _measured(mechanism: Mechanism, step: Fraction, beyond: Fraction) -> GridMeasure:
    """The pair on the grid that dominates one release."""
    return measure(mechanism, step=step, beyond=beyond)


def _released(counted: Sequence[Counted]) -> list[tuple[Mechanism, int]]:
    """Return what is amplified, as mechanisms with randomness of their own and how often each is run: all that one coin decides is one."""
    found: list[tuple[Mechanism, int]] = []
    coins: dict[tuple[str, str], list[Counted]] = {}
    for each in counted:
        round_, question, times, amplified = each
        if amplified and round_.rate == 1:
            found.append((question.mechanism, times))
        elif amplified:
            coins.setdefault(_coin(round_), []).append(each)
    for decided in coins.values():
        first = decided[0][0]
        parts = _on_the_coin(decided)
        one: Mechanism = parts[0][0] if len(parts) == 1 and parts[0][1] == 1 else OneCoin(parts=parts)
        found.append((one, max(times for _, _, times, _ in decided) if first.batch is None else 1))
    return found


def _coin(round_: Round) -> tuple[str, str]:
    """Return whose coin it is that a user tosses for an attempt of this round: the batch's, or one for each attempt."""
    return ("batch", round_.batch) if round_.batch is not None else ("round", round_.name)


def _one_value(plan: Plan, every: Sequence[Counted], parts: Sequence[Part]) -> Fraction:
    """The worst over all columns of all rounds: what one value in one attempt changes, composed, each release of it once."""
    whole = {(part.round, part.question): part.whole for part in parts}
    columns: dict[tuple[str, str], list[Counted]] = {}
    for each in every:
        columns.setdefault((each[0].name, each[1].column), []).append(each)
    worst = Fraction(0)
    for changed in columns.values():
        round_ = changed[0][0]
        local = sum((whole[round_.name, question.name] for _, question, _, amplified in changed if not amplified), Fraction(0))
        once = [(round_, question, 1, True) for _, question, _, amplified in changed if amplified]
        if not once:
            worst = max(worst, local)
            continue
        decided = [each for each in every if each[3] and _coin(each[0]) == _coin(round_)] if round_.rate < 1 else once
        if len(once) == len(decided) == 1:
            worst = max(worst, local + whole[round_.name, once[0][1].name])
            continue
        with _named(changed):
            worst = max(worst, local + _epsilon_of_changed(plan, once, decided))
    return worst


def _epsilon_of_changed(plan: Plan, once: Sequence[Counted], decided: Sequence[Counted]) -> Fraction:
    """Bound questions that read one changed value, each released once; decided: all that is released on the same coin, if there is one."""
    if once[0][0].rate < 1:
        changed = tuple(one for one, _ in _on_the_coin(once))
        return _single(OneCoin(parts=_on_the_coin(decided), changed=changed), plan.delta).upper.upper
    beyond = plan.delta * _LEFT / len(once)
    released = _released(once)
    return _Composed(tuple(each for each, _ in released), beyond).epsilon(released, plan.delta)


def _on_the_coin(decided: Sequence[Counted]) -> tuple[tuple[RandomParticipation, int], ...]:
    """Return what one coin decides, each with how often: in a batch all attempts of a question, but one release of a memoised one."""
    return tuple(
        (cast(RandomParticipation, question.mechanism), 1 if question.memoised or round_.batch is None else round_.repeat)
        for round_, question, _, _ in decided
    )


def _once(plan: Plan, question: Question) -> Bracket:
    """A single release at the target's delta."""
    once = _single(question.mechanism, plan.delta)
    if plan.neighbours == "replace-one" and question.view in OF_ONE_ITEM.values():
        # Any replacement changes the one coordinate that is seen, at most.
        lower = None if once.lower is None else replace(once.lower, relation=Relation.REPLACE_ONE)
        once = replace(once, upper=replace(once.upper, relation=Relation.REPLACE_ONE), lower=lower)
    about_replacements = plan.neighbours == "deletion" and not isinstance(question.mechanism, _DELETED)
    return replace(once, lower=None) if about_replacements or _may_show_less(question) else once


def _may_show_less(question: Question) -> bool:
    """Return whether what is released may say less than what the lower bound is about, so that no lower bound is claimed.

    That is so above a threshold; of the estimates of some items, which may be hashed to one coordinate; of one bin alone, where
    users may hold something else; and of vectors with fewer than three coordinates, which have no third item for others to hold.
    """
    if question.threshold is not None or question.view in (VIEWS["thresholded-sums"], OF_ONE_ITEM["thresholded-sums"]):
        return True
    vectors = question.kind in VECTORS
    if vectors and 0 < question.coordinates < _THREE_ITEMS:
        return True
    if len(question.items) == 1 and question.kind in ("histogram", "fake-users"):
        return True
    return question.view == VIEWS["estimate"] and bool(question.items) and question.kind != "krr"


_MEMOISED_ELSEWHERE = "memoised, and the users change: its local epsilon0, not amplified"


def _counted(plan: Plan) -> Iterator[Counted]:
    """Everything that is asked."""
    for round_ in plan.rounds:
        for question in round_.questions:
            if plan.relation == "one-value" and not question.memoised:
                yield round_, question, 1, True
            elif question.memoised:
                alone = round_.repeat == 1 or round_.same_users or round_.batch is not None
                if not alone and question.local is None:
                    raise UnsupportedError(
                        what=f"{question.name}, memoised by users who change",
                        reason="the distribution has no epsilon0 of its own here",
                        advice="same_users = true where they do not change, or a fresh report each time",
                    )
                yield round_, question, 1, alone
            else:
                yield round_, question, round_.participations, True


@contextmanager
def _named(counted: Sequence[Counted]) -> Iterator[None]:
    """Errors inside name the questions."""
    place = "; ".join(f"{round_.name}, {question.name}" for round_, question, _, _ in counted)
    try:
        yield
    except DomainError as error:
        raise DomainError(parameter=f"{place}: {error.parameter}", value=error.value, requirement=error.requirement) from None
    except ShuffleproofError as error:
        error.add_note(place)
        raise
