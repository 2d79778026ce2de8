"""The page of a checked plan, for people who sign: what is promised, to whom, what it rests on, and what is left if it does not hold."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction

from shuffleproof import __version__, ledger
from shuffleproof.planning.plan.answer import Evaluation
from shuffleproof.planning.plan.schema import NEIGHBOURS, RELATIONS, Question, Round
from shuffleproof.planning.plan.utility import how_well
from shuffleproof.report.pages import LEGEND, render
from shuffleproof.report.texts import at_least, at_most
from shuffleproof.spec.vocabulary.numerals import decimal_text, parse_epsilon, shortest

_SHUFFLER = (
    "a shuffler, which sees all messages and has to forget who sent which, when, and from where, and to keep the messages of one question "
    "apart from those of another"
)
_AGGREGATION = "a secure aggregation, which has to reveal the sum over all users and nothing else"
_ADDING = "a shuffler, which also has to add the messages of fake users, drawn as planned"

_BITS = 64
"""Relative precision of e^epsilon, of which four digits are shown."""
_LARGEST = 28
"""From this epsilon on e^epsilon is shown as more than 10^12: e^28 is 1.4 * 10^12, and no promise to speak of."""


def page(found: Evaluation, *, command: str) -> str:
    """Return the page as HTML that needs nothing else. command: the line with which it was made, for a shell."""
    largest = max(part.whole for part in found.parts) or 1
    rows = [
        {"part": part, "whole": at_most(part.whole), "share": round(100 * part.whole / largest), "how_well": how_well(part.utility)}
        for part in found.parts
    ]
    made = {"date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), "version": __version__, "command": command}
    return render(
        "plan.html",
        page=None,
        found=found,
        rows=rows,
        upper=at_most(found.upper),
        lower=at_least(found.lower),
        delta=at_most(found.plan.delta),
        odds=f"one in {math.floor(1 / found.plan.delta):,}" if found.plan.delta else "never",
        factor=_times(found.upper),
        verdict=found.verdict,
        relation=RELATIONS[found.plan.relation].removeprefix("neighbours "),
        neighbours=NEIGHBOURS[found.plan.neighbours],
        rounds=[(each, list(_facts(each, alone=len(found.plan.rounds) == 1))) for each in found.plan.rounds],
        trusted=[(f"{each.name}, {asked.name}", _trusted_with(asked)) for each in found.plan.rounds for asked in each.questions],
        left=list(_without_the_shuffler(found)),
        warnings=found.warnings,
        names=", ".join(each.name for each in found.plan.rounds),
        assumptions=found.assumptions,
        proved=_what_proves_it(found),
        made=made,
    )


def _times(upper: Fraction) -> str:
    """Return e^upper for people, with four digits, rounded up."""
    factor = parse_epsilon(upper).exp_bounds(bits=_BITS)[1] if upper < _LARGEST else None
    return "more than 10^12" if factor is None else f"at most {decimal_text(factor, digits=4, direction='up')}"


def _what_proves_it(found: Evaluation) -> str:
    """Return the statements that the answer rests on, and the weakest of their statuses."""
    ids = found.statements
    if not ids:
        return "nothing is amplified: each report counts with the local epsilon that its randomizer has by itself"
    weakest = ledger.weakest(ids)
    least = ", ".join(id for id in ids if ledger.weakest([id]) == weakest)
    return f"statements of the ledger, of which the weakest are {weakest} ({LEGEND[weakest]}): {least}; all of them: {', '.join(ids)}"


def _facts(each: Round, *, alone: bool) -> Iterator[tuple[str, str]]:
    """Return what the plan says of a round, as pairs of a name and a sentence. alone: whether the plan has no other round."""
    yield "held", "once" if each.repeat == 1 else f"{each.repeat} times"
    many = f"{'exactly' if each.exactly else 'at least'} {each.users:,}"
    if each.rate < 1:
        yield "users", f"{many} on a list of those who may take part"
        yield "who takes part", f"each of them with probability {shortest(each.rate)}, by a coin of their own that nobody else sees"
        if each.least > each.dishonest + 1:
            yield "batches", f"dropped if they have fewer than {each.least:,} reports"
        yield "how often one user", f"may toss the coin in at most {each.participations} of the {each.repeat} attempts"
    else:
        yield "users", f"{many} take part each time"
        often = f"in at most {each.participations} of the {each.repeat} attempts"
        if each.same_users:
            often = f"in all {each.repeat} attempts, with the same others"
        yield "how often one user", f"takes part {often if each.repeat > 1 else 'once'}"
    some = f"at most {each.dishonest:,} of the users reveal what they sent, or send nothing; they hide nobody"
    yield "dishonest", some if each.dishonest else "nobody: all users follow the plan"
    if not alone:
        yield "other rounds", "share no user with this one" if each.overlap == 0 else "may have the same users"


def _trusted_with(asked: Question) -> str:
    """Who has to be trusted with a question: by what is seen of it, a sum or messages."""
    if asked.kind == "fake-users":
        return _ADDING
    return _AGGREGATION if asked.aggregated else _SHUFFLER


def _without_the_shuffler(found: Evaluation) -> Iterator[tuple[str, str]]:
    """Return what each question still promises to a user whose messages are seen with their name: by its local epsilon0, added up."""
    known: list[tuple[Round, Fraction]] = []
    for each in found.plan.rounds:
        for asked in each.questions:
            name = f"{each.name}, {asked.name}"
            if asked.local is None:
                yield name, "nothing: the noise of one user alone is not enough"
                continue
            one = asked.local.bounds(bits=128)[1]
            times = 1 if asked.memoised else each.participations
            known.append((each, times * one))
            told = f"epsilon = {at_most(one)} ({_times(one)} times)"
            if times > 1:
                told += f" a round, and {at_most(times * one)} ({_times(times * one)} times) for all {times} rounds of one user"
            elif each.participations > 1:
                told += f" for all {each.participations} rounds together, in which a user sends one and the same report"
            yield name, told
    if len(known) > 1 and len(known) == sum(len(each.questions) for each in found.plan.rounds):
        alone = [sum((cost for of, cost in known if of is each), Fraction(0)) for each in found.plan.rounds if each.overlap == 0]
        shared = sum((cost for each, cost in known if each.overlap > 0), Fraction(0))
        most = max([shared, *alone])
        yield "all of it, for one user", f"epsilon = {at_most(most)} ({_times(most)} times), with delta = 0"
