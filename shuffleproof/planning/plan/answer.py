"""The answer to a plan: each question and everything together, whether the target is met, what to change, and what has to be true."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.accounting.one_coin import TOGETHER, OneCoin
from shuffleproof.accounting.profile_on_grid import answered_by
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.participation import Mixture
from shuffleproof.mechanisms.protocols import factors_of
from shuffleproof.planning.plan import releases
from shuffleproof.planning.plan.schema import NEIGHBOURS, OF_ONE_ITEM, RELATIONS, Plan
from shuffleproof.planning.plan.utility import Utility, how_well
from shuffleproof.spec.vocabulary.numerals import decimal_text, float_toward, shortest
from shuffleproof.spec.vocabulary.tables import Tabular

ENVELOPE, VIEW_OF_ONE, BASIC, GROUPS = "BEYOND.Envelope", "BEYOND.views-of-sums", "FMT21.Sec6.1.basic", "BEYOND.groups"
"""The ledger's ids of sums on a grid, of one coordinate alone, of local guarantees that are added, and of several users at once."""
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
        """Say whether the target is met, and give both sides of the whole plan."""
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
        counted = list(releases.of_plan(self.plan))
        ids = [id for part in self.parts if part.once is not None for id in part.once.upper.statements]
        released = releases.as_mechanisms(counted)
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
        return tuple(_warnings(self.plan))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Return everything that has to be true for the promise to hold, and that no computation here can check, a sentence each."""
        return tuple(_assumptions(self.plan))

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


def _assumptions(plan: Plan) -> Iterator[str]:
    """Return everything that has to be true for the promise to hold, and that no computation here can check, a sentence each."""
    yield "Every device draws its randomness from a source that nobody can predict, and runs exactly the randomizers of this plan."
    yield "Nothing about the users is released but what is listed as “what is seen”: no times, addresses or sizes of messages."
    for each in plan.rounds:
        # Who is there, and who decides that.
        many = f"{'exactly' if each.exactly else 'at least'} {each.users:,} users"
        follow = f"all but {each.dishonest:,} of whom follow the plan" if each.dishonest else "all of whom follow the plan"
        if each.rate < 1:
            yield f"{each.name}: every attempt has {many} on its list, {follow}."
            yield (
                f"{each.name}: each device on the list decides by a secret coin of probability {shortest(each.rate)}, whatever it holds, "
                "whether it takes part; nobody else learns what the coin said, and no log shows who came. A share of people who answer "
                "is no such coin: for that, users are those who answer, without rate."
            )
        else:
            fewer = "" if plan.neighbours == "add-remove" else "; of an attempt with fewer nothing is released"
            yield f"{each.name}: {many} take part in every attempt, {follow}{fewer}."
        # How often one user is there, and in what else.
        if each.same_users and each.repeat > 1:
            yield f"{each.name}: the same users send a report in every attempt; a user who misses one is not covered by this promise."
        if each.rate == 1 and each.participations < each.repeat:
            most = f"{each.participations} of the {each.repeat} attempts"
            yield f"{each.name}: no user takes part in more than {most}, which has to be counted."
        if each.overlap == 0 and len(plan.rounds) > 1:
            yield f"{each.name}: nobody who may take part in it may take part in another round."
        if any(asked.memoised for asked in each.questions):
            yield f"{each.name}: a memoised report is drawn once, kept, and sent again unchanged, whatever the value has become."
    if plan.relation == "one-value":
        yield "The promise is about one answer of one user, not about all that a user sends over time."


def _warnings(plan: Plan) -> Iterator[str]:
    """Return what is computed as written and hardly meant: a delta that lets a user be published, batches that mostly drop."""
    fewest = min(plan.rounds, key=lambda each: each.users)
    if plan.delta * fewest.users > 1:
        told = f"delta = {shortest(plan.delta)} is above one over the {fewest.users:,} users of {fewest.name}"
        yield f"{told}; publishing the data of one user drawn at random is (0, 1/n)-DP too"
    for each in plan.rounds:
        mean = each.users * each.rate
        if each.rate < 1 and each.least > math.ceil(mean):  # a binomial's median is at most the mean, rounded up
            on_average = f"{math.floor(mean):,} of {each.users:,} users come on average"
            yield f"{each.name}: at least half of its batches are dropped: {on_average}, and least = {each.least:,}"
