"""One round of a plan on real data: every question released as planned, by exact distributions and the operating system's entropy."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

from shuffleproof.impl.release.entropy import BitSource, OperatingSystem
from shuffleproof.mechanisms.mechanism import Shuffled
from shuffleproof.planning.plan.answer import Evaluation
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.schema import VECTORS, Plan, Question, Round
from shuffleproof.planning.plan.utility import Utility, utility
from shuffleproof.run.question_draws import RELEASES, as_drawn
from shuffleproof.spec.vocabulary.errors import RegimeError, UnsupportedError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import count, decimal_text


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Holds what is released of a question.

    estimates: unbiased, for all users, exact rationals of what was drawn; utility: how far they may be off, None if thresholded; rounds: in
    how many it is to be shown as it is, reports being memoized: the plan does not cover that they are drawn again.
    """

    question: str
    estimates: tuple[tuple[str, Fraction], ...]
    utility: Utility | None
    rounds: int = 1


@dataclass(frozen=True, kw_only=True)
class Released:
    """One round. reports: how many there were, None where neighbours differ in that; evaluation: what holds of the whole plan."""

    round: str
    reports: int | None
    answers: tuple[Answer, ...]
    evaluation: Evaluation


def release(plan: Plan, *, round_: str, data: str, source: BitSource | None = None) -> Released:
    """One holding of a round. The plan must be certified to meet its target; then the data are read, and only then is drawn.

    round_: by name; data: CSV or Parquet with one row for each user who is there, at least as many as planned; source: of bits, the
    operating system's unless given. Raises RegimeError where the plan is not met or the batch is too small; DomainError; UnsupportedError
    where a question cannot be released here; what `evaluate` raises.
    """
    from shuffleproof.data.readers import texts

    known = {each.name: each for each in plan.rounds}
    chosen = known[require_one_of(round_, known, parameter="round")]
    for question in chosen.questions:
        _require_released(question)
        if question.memoised and chosen.repeat > 1 and not chosen.same_users and chosen.batch is None:
            reason = "users who change have to remember their reports themselves, and here they would be drawn again"
            raise UnsupportedError(
                what=f"a release of {question.name}", reason=reason, advice="same_users = true, where they do not change"
            )
    asked = sum(each.repeat for each in plan.rounds if each is chosen or (each.batch is not None and each.batch == chosen.batch))
    if chosen.rate < 1 and chosen.batch is not None and asked > 1:
        raise UnsupportedError(
            what=f"a release of {chosen.name} with rate = {chosen.rate}, where its batch {chosen.batch!r} is asked {asked} times",
            reason="one coin of each user decides all of these, and here it would be tossed again",
            advice="a round that is held once, or no batch: then each attempt has coins of its own, and is counted so",
        )
    found = evaluate(plan, lower=False)
    if found.met is not True:
        upper = decimal_text(found.upper, digits=8, direction="up")
        advice = "nothing was read: see `plan check` for what would do"
        raise RegimeError(
            statement=found.statement, condition=f"a plan that meets epsilon <= {plan.wanted}", given=f"epsilon <= {upper}", advice=advice
        )
    columns = [question.column for question in chosen.questions]
    hidden = plan.neighbours == "add-remove"  # nothing may tell how many there are, and the noise does not depend on it
    rows = [row for batch in texts(data=data, columns=columns, forgiving=True, may_be_empty=hidden) for row in batch]
    wanted = f"users = {chosen.users} rows, as exactly = true says" if chosen.exactly else f"at least users = {chosen.users} rows"
    enough = len(rows) == chosen.users if chosen.exactly else len(rows) >= chosen.users
    require(hidden or enough, parameter="data", value=f"{len(rows)} rows", requirement=wanted)
    bits = source or OperatingSystem()
    users = chosen.users if hidden else len(rows)
    if chosen.rate < 1:
        rows = [row for row, there in zip(rows, _present(len(rows), chosen.rate, bits), strict=True) if there]
    if not hidden and len(rows) < min(chosen.least, chosen.users):
        advice = f"the batch is dropped, and counts as one of the round's {chosen.repeat} attempts: hold the next one, if one is left"
        raise RegimeError(
            statement=found.statement, condition=f"a batch of at least {chosen.least} reports", given=f"{len(rows)}", advice=advice
        )
    answers = tuple(_answer(chosen, question, [row[at] for row in rows], users, bits) for at, question in enumerate(chosen.questions))
    return Released(round=round_, reports=None if hidden else len(rows), answers=answers, evaluation=found)


def _require_released(question: Question) -> None:
    """Require that it can be released here. Raises UnsupportedError."""
    if question.kind not in RELEASES:
        raise UnsupportedError(
            what=f"a release of {question.name}", reason=f"{question.kind} is not drawn here", advice=f"ask it by {', '.join(RELEASES)}"
        )
    k = getattr(question.one.randomizer, "k", None) if isinstance(question.one, Shuffled) and question.kind not in VECTORS else None
    length, items = "given: the length of the vectors, into which texts are hashed", len(question.items)
    needed: tuple[tuple[tuple[str, ...], bool, str, object, str], ...] = (
        ((question.kind,), k is None or items == count(k, parameter="k"), "items", items, f"as many as k = {k}"),
        (VECTORS, question.coordinates > 0, "coordinates", question.coordinates or "nothing", length),
        (("histogram", "fake-users"), items > 0, "items", "nothing", 'given, or the histogram asked by "run histogram --open"'),
    )
    for kinds, holds, name, value, wanted in needed:
        require(question.kind not in kinds or holds, parameter=f"{question.name}.{name}", value=value, requirement=wanted)


def _present(users: int, rate: Fraction, source: BitSource) -> Sequence[bool]:
    from shuffleproof.impl.release.uniform import uniforms_below

    return cast(Sequence[bool], uniforms_below(m=rate.denominator, size=users, source=source) < rate.numerator)


def _answer(round_: Round, question: Question, held: list[str], users: int, source: BitSource) -> Answer:
    """The estimates for all users: where they take part at random, those for the reports divided by the rate."""
    drawn = RELEASES[question.kind](question, held, source)
    estimates = [(item, value / round_.rate) for item, value in drawn]
    if question.threshold is not None:
        estimates = [each for each in estimates if each[1] >= question.threshold]
    known = None if question.threshold is not None else utility(replace(round_, users=users), as_drawn(question))
    return Answer(question=question.name, estimates=tuple(estimates), utility=known, rounds=round_.repeat if question.memoised else 1)
