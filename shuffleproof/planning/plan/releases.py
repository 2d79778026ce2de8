"""What a plan releases, how often to one user, and the certified epsilon of it: of one release, and of several on one grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from shuffleproof.accounting.one_coin import OneCoin
from shuffleproof.accounting.profile_by_chords import BEYOND
from shuffleproof.accounting.profile_on_grid import common_step, epsilon_of, measure
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.mechanisms.protocols import BitSum, CoordinateSums, LaplaceSum, ZeroSum, factors_of
from shuffleproof.planning.plan.schema import OF_ONE_ITEM, VECTORS, VIEWS, Plan, Question, Round
from shuffleproof.spec.vocabulary.errors import DomainError, ShuffleproofError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import shortest
from shuffleproof.spec.vocabulary.scope import Relation

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure

_THREE_ITEMS = 3
"""Coordinates that the neighbouring pair of a vector's lower bound needs: two that change, and one that all others hold."""
_DELETED = (BitSum, ZeroSum, CoordinateSums, LaplaceSum)
"""Mechanisms of deletion whose lower sides are about deletion too."""
_KEPT = 64
"""Answers of single releases, and of compositions, that are kept: a search for the most repeats or the least noise asks many again."""


class Release(NamedTuple):
    """A question with how often one user's answers are released, and whether shuffling amplifies them."""

    round: Round
    question: Question
    times: int
    amplified: bool


def of_plan(plan: Plan) -> Iterator[Release]:
    """Return everything that is asked, and how often of one user. Raises UnsupportedError."""
    for round_ in plan.rounds:
        for question in round_.questions:
            if plan.relation == "one-value" and not question.memoised:
                yield Release(round_, question, 1, True)
            elif question.memoised:
                alone = round_.repeat == 1 or round_.same_users or round_.batch is not None
                if not alone and question.local is None:
                    raise UnsupportedError(
                        what=f"{question.name}, memoised by users who change",
                        reason="the distribution has no epsilon0 of its own here",
                        advice="same_users = true where they do not change, or a fresh report each time",
                    )
                yield Release(round_, question, 1, alone)
            else:
                yield Release(round_, question, round_.participations, True)


def as_mechanisms(counted: Sequence[Release]) -> list[tuple[Mechanism, int]]:
    """Return what is amplified, as mechanisms with randomness of their own and how often each is run: all that one coin decides is one."""
    found: list[tuple[Mechanism, int]] = []
    coins: dict[tuple[str, str], list[Release]] = {}
    for each in counted:
        round_, question, times, amplified = each
        if amplified and round_.rate == 1:
            found.append((question.mechanism, times))
        elif amplified:
            coins.setdefault(coin_of(round_), []).append(each)
    for decided in coins.values():
        first = decided[0].round
        parts = on_the_coin(decided)
        one: Mechanism = parts[0][0] if len(parts) == 1 and parts[0][1] == 1 else OneCoin(parts=parts)
        found.append((one, max(times for _, _, times, _ in decided) if first.batch is None else 1))
    return found


def coin_of(round_: Round) -> tuple[str, str]:
    """Return whose coin it is that a user tosses for an attempt of this round: the batch's, or one for each attempt."""
    return ("batch", round_.batch) if round_.batch is not None else ("round", round_.name)


def on_the_coin(decided: Sequence[Release]) -> tuple[tuple[RandomParticipation, int], ...]:
    """Return what one coin decides, each with how often: in a batch all attempts of a question, but one release of a memoised one."""
    return tuple(
        (cast(RandomParticipation, question.mechanism), 1 if question.memoised or round_.batch is None else round_.repeat)
        for round_, question, _, _ in decided
    )


@contextmanager
def naming(counted: Sequence[Release]) -> Iterator[None]:
    """Errors raised inside name the questions."""
    place = "; ".join(f"{round_.name}, {question.name}" for round_, question, _, _ in counted)
    try:
        yield
    except DomainError as error:
        raise DomainError(parameter=f"{place}: {error.parameter}", value=error.value, requirement=error.requirement) from None
    except ShuffleproofError as error:
        error.add_note(place)
        raise


def single_release(plan: Plan, question: Question) -> Bracket:
    """A single release at the target's delta."""
    once = single(question.mechanism, plan.delta)
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


def epsilon_of_changed(plan: Plan, once: Sequence[Release], decided: Sequence[Release]) -> Fraction:
    """Bound questions that read one changed value, each released once; decided: all that is released on the same coin, if there is one."""
    if once[0].round.rate < 1:
        changed = tuple(one for one, _ in on_the_coin(once))
        return single(OneCoin(parts=on_the_coin(decided), changed=changed), plan.delta).upper.upper
    beyond = plan.delta * BEYOND / len(once)
    released = as_mechanisms(once)
    return CommonGrid(tuple(each for each, _ in released), beyond).epsilon(released, plan.delta)


@dataclass(frozen=True)
class CommonGrid:
    """Epsilons of several mechanisms on one grid that suits all of them."""

    mechanisms: tuple[Mechanism, ...]
    beyond: Fraction

    def epsilon(self, released: Sequence[tuple[Mechanism, int]], delta: Fraction) -> Fraction:
        """The epsilon of all these together."""
        if len(released) == 1 and released[0][1] == 1:
            return single(released[0][0], delta).upper.upper
        return _together(self, tuple(released), delta)


@lru_cache(maxsize=_KEPT)
def single(mechanism: Mechanism, delta: Fraction) -> Bracket:
    """One release at this delta: asked once where it is released in several ways, or a search tries many plans."""
    return mechanism.epsilon(delta=shortest(delta).replace("e-0", "e-"))  # which the answer repeats as people type it


@lru_cache(maxsize=_KEPT)
def _together(on: CommonGrid, released: tuple[tuple[Mechanism, int], ...], delta: Fraction) -> Fraction:
    """The epsilon of several releases, on the grid."""
    from shuffleproof.impl.ball import privacy_loss

    step, measures = _grid(on), []
    for mechanism, times in released:
        alone, factors = factors_of(mechanism)
        measures.append((_measured(alone, step, on.beyond), factors * times))
    return epsilon_of(privacy_loss.together(measures, delta=delta), step=step, delta=delta, what="all rounds together")


@lru_cache(maxsize=_KEPT)
def _grid(on: CommonGrid) -> Fraction:
    """The step of a grid that suits all of them."""
    return common_step([factors_of(each)[0] for each in on.mechanisms], beyond=on.beyond)


@lru_cache(maxsize=_KEPT)
def _measured(mechanism: Mechanism, step: Fraction, beyond: Fraction) -> GridMeasure:
    """The pair on the grid that dominates one release."""
    return measure(mechanism, step=step, beyond=beyond)
