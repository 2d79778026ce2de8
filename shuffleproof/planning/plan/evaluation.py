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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from shuffleproof.accounting.profile_by_chords import BEYOND
from shuffleproof.accounting.rounds_below import rounds_below
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.keywords import own_arithmetic, own_names
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.planning.plan import releases
from shuffleproof.planning.plan.answer import ENVELOPE, Evaluation, Part
from shuffleproof.planning.plan.reading import plan_of
from shuffleproof.planning.plan.releases import Release
from shuffleproof.planning.plan.schema import Plan
from shuffleproof.planning.plan.utility import utility
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.progress import steps

__dir__ = own_names(__name__)

_TRIALS = 4
"""Deltas at which a plan for groups is certified: the second one does where epsilon grows as it usually does."""
_SPARE = 0.5
"""Natural logarithms by which a group's next delta is smaller than what seems needed: epsilon may grow a little faster."""
_SMALLEST_LOG = 690
"""e^-690 is near the smallest float64 that is not subnormal: engines go no further."""
_WORST = "the worst single release"
"""What the sum rests on where neighbours differ in one value."""
_SHARE_OF_ALL = 1.5
"""How many times what one answer may cost a whole plan may, all its questions, trials and grids: most of a minute on a busy machine."""
_MEMOISED_ELSEWHERE = "memoised, and the users change: its local epsilon0, not amplified"


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
    every = list(releases.of_plan(plan))
    shared = [each for each in every if each.round.overlap > 0]
    apart = [[each for each in every if each.round is round_] for round_ in plan.rounds if round_.overlap == 0]
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


def _below(plan: Plan, counted: Sequence[Release], parts: Sequence[Part]) -> Fraction:
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


def _cluster(plan: Plan, counted: Sequence[Release]) -> tuple[list[Part], Fraction]:
    """Return what one user may take part in all of, and, where all of it may change, the epsilon of all of it."""
    parts, added = [], Fraction(0)
    one_user = plan.relation == "one-user"
    beyond = plan.delta * BEYOND / sum(times for _, _, times, _ in counted)
    released = releases.as_mechanisms(counted)
    several = one_user and sum(times for _, _, times, amplified in counted if amplified) > 1
    alone = [release for each in counted for release, _ in releases.as_mechanisms([each])]
    composed = releases.CommonGrid(tuple(dict.fromkeys((*alone, *(each for each, _ in released)))), beyond)
    whole_sum = Fraction(0)
    for each in steps([*counted, *([None] if several else [])], of="questions and their sum"):
        if each is None:
            with releases.naming(counted):
                whole_sum = composed.epsilon(released, plan.delta)
            break
        round_, question, times, amplified = each
        with releases.naming([each]):
            once = releases.single_release(plan, question) if amplified else None
            # What is not amplified costs its local epsilon0.
            if once is None:
                assert question.local is not None
                whole, how = question.local.bounds(bits=128)[1], _MEMOISED_ELSEWHERE
                added += whole
            else:
                whole = once.upper.upper
                if not one_user and round_.rate < 1 and releases.on_the_coin([each])[0][1] > 1:
                    whole = releases.epsilon_of_changed(plan, [each], [each])
                how = "one release, memoised" if question.memoised else f"{times} of {round_.repeat} rounds" if times > 1 else "once"
                if several and times > 1:
                    whole = composed.epsilon(releases.as_mechanisms([each]), plan.delta)
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


def _one_value(plan: Plan, every: Sequence[Release], parts: Sequence[Part]) -> Fraction:
    """The worst over all columns of all rounds: what one value in one attempt changes, composed, each release of it once."""
    whole = {(part.round, part.question): part.whole for part in parts}
    columns: dict[tuple[str, str], list[Release]] = {}
    for each in every:
        columns.setdefault((each.round.name, each.question.column), []).append(each)
    worst = Fraction(0)
    for changed in columns.values():
        round_ = changed[0].round
        local = sum((whole[round_.name, question.name] for _, question, _, amplified in changed if not amplified), Fraction(0))
        once = [each._replace(times=1) for each in changed if each.amplified]
        if not once:
            worst = max(worst, local)
            continue
        coin = releases.coin_of(round_)
        decided = [each for each in every if each.amplified and releases.coin_of(each.round) == coin] if round_.rate < 1 else once
        if len(once) == len(decided) == 1:
            worst = max(worst, local + whole[round_.name, once[0].question.name])
            continue
        with releases.naming(changed):
            worst = max(worst, local + releases.epsilon_of_changed(plan, once, decided))
    return worst
