"""A plan's table, as it is written in TOML, read as its meaning for a few users: the guide's sentences, implemented once more.

Nothing here is shared with the reader of plans that certificates use.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from shuffleproof.spec.plans import questions as asked
from shuffleproof.spec.plans.meaning import Held, Key, Plan, Round
from shuffleproof.spec.plans.questions import Question, Value
from shuffleproof.spec.vocabulary.errors import require_one_of

Table = Mapping[str, Any]
SPECIAL = 0
"""The user in whom neighbours differ; never a dishonest one."""


def exponential(epsilon0: str) -> Fraction:
    """e^epsilon0 of a text such as "ln 3"."""
    return Fraction(epsilon0.removeprefix("ln "))


def question(table: Table, *, users: int) -> Question:
    """A question of a round of so many users. Protocols with noise of infinite support are not here."""
    kind = str(table.get("randomizer", table.get("protocol")))
    named: dict[str, Any] = {
        "name": str(table["name"]),
        "column": str(table.get("column", table["name"])),
        "memoised": bool(table.get("memoised", False)),
    }
    bins = max(2, len(table.get("items", ())))
    p = Fraction(table.get("p", 0))
    seen: Any = asked.summed
    match require_one_of(kind, ("krr", "rappor", "bit-sum", "zero-sum", "histogram", "fake-users"), parameter="kind"):
        case "krr":
            k = int(table["k"])
            report: Any = partial(asked.k_rr, k=k, exp_epsilon0=exponential(table["epsilon0"]))
            return Question(**named, domain=tuple(range(k)), report=report, seen=asked.shuffled_messages)
        case "rappor":
            bins = int(table.get("coordinates", 3))
            T = exponential(table["epsilon0"])
            half = Fraction(math.isqrt(T.numerator), math.isqrt(T.denominator))
            report = partial(asked.rappor, coordinates=bins, exp_half=half)
            seen = asked.shuffled_messages if table.get("view", "messages") == "messages" else asked.summed
            if table.get("view") == "thresholded-sums":
                seen = asked.above(Fraction(table["threshold"]))
            if table.get("view") == "estimate" and len(table.get("items", ())) == 1:
                seen = asked.one_of(0)
        case "bit-sum":
            bins, report, seen = 2, partial(asked.bit_sum, coin=Fraction(table["lam"]) / users), asked.summed
        case "zero-sum":
            bins, report, seen = 2, partial(asked.zero_sum, p=p), asked.summed
        case "histogram":
            report, seen = partial(asked.with_noise_bits, bins=bins, p=p), asked.summed
            if len(table.get("items", ())) == 1:
                seen = asked.one_of(0)
        case _:
            report = partial(asked.in_one_bin, bins=bins)
            shown = 0 if len(table.get("items", ())) == 1 else None
            seen = asked.beside_fakes(bins=bins, fakes=int(table["fakes"]), p=p, shown=shown)
    return Question(**named, domain=tuple(range(bins)), report=report, seen=seen)


def meanings(table: Table, *, more: int = 0) -> Iterator[Plan]:
    """The plan for its planned number of users and `more`, once for each way in which the special user may be on the lists.

    A user is asked in at most `participations` (beside rate `eligible`) of the attempts; of rounds with overlap 0 nobody is on the list of
    another round. Everybody else is on all lists.
    """
    rounds = table["rounds"]
    apart = len(rounds) > 1 and any(Fraction(each.get("overlap", 1)) == 0 for each in rounds)  # then one may be on no list of some
    patterns = []
    for each in rounds:
        repeat = int(each.get("repeat", 1))
        most = int(each.get("eligible", each.get("participations", repeat)))
        on = [pattern for pattern in product((True, False), repeat=repeat) if sum(pattern) == most]
        patterns.append([*on, (False,) * repeat] if apart else on)
    for chosen in product(*patterns):
        alone = [at for at, (each, on) in enumerate(zip(rounds, chosen, strict=True)) if any(on) and Fraction(each.get("overlap", 1)) == 0]
        elsewhere = sum(any(on) for on in chosen)
        if (alone and elsewhere > 1) or not elsewhere:
            continue
        yield Plan(
            rounds=tuple(_round(each, on, more) for each, on in zip(rounds, chosen, strict=True)),
            counted=table.get("neighbours") != "add-remove",
        )


def _round(table: Table, on: tuple[bool, ...], more: int) -> Round:
    users = int(table["users"])
    rate = Fraction(table.get("rate", 1))
    least = int(table.get("least", 1))
    others = range(1, users + (more if rate < 1 else 0))
    substitute = users + more  # who stands on the list where the special user does not, so that it has as many users
    return Round(
        name=str(table["name"]),
        lists=tuple(((SPECIAL, *others) if there else (substitute, *others)) for there in on),
        questions=tuple(question(each, users=users) for each in table["questions"]),
        rate=rate,
        least=least,
        batch=table.get("batch"),
        dishonest=frozenset(range(users - int(table.get("dishonest", 0)), users)),
    )


def neighbours(table: Table, plan: Plan, others: Mapping[str, Value]) -> Iterator[tuple[Plan, Held, Plan, Held]]:
    """Pairs of neighbouring datasets as the plan's relation has them, all others holding the value of their column in `others`.

    Each pair is a plan and a dataset, twice. With add-remove neighbours the special user is on no list of the second one; where neighbours
    differ in one value, that value alone is not there.
    """
    listed = [
        (user, each.name, attempt, question_)
        for each in plan.rounds
        for attempt, users in enumerate(each.lists)
        for user in users
        for question_ in each.questions
    ]
    held: dict[Key, Value] = {(user, name, attempt, q.column): others[q.column] for user, name, attempt, q in listed}
    smallest = sorted(listed, key=lambda each: -len(each[3].domain))  # of questions on one column, what all of them can be asked about
    own = [(key, q.domain) for key, q in {(user, name, at, q.column): q for user, name, at, q in smallest}.items() if key[0] == SPECIAL]
    relation = table.get("neighbours", "replace-one")
    if relation == "add-remove" and table["relation"] == "one-user":
        gone = Plan(tuple(_without_special(each) for each in plan.rounds), plan.counted)
        for values in product(*(domain for _, domain in own)):
            there = {**held, **{key: value for (key, _), value in zip(own, values, strict=True)}}
            yield plan, there, gone, held
            yield gone, held, plan, there
        return
    changes = [own] if table["relation"] == "one-user" else [[each] for each in own]
    for change in changes:
        domains = [domain for _, domain in change]
        for before in product(*domains):
            for after in product(*domains) if relation == "replace-one" else [(None,) * len(change)]:
                if before == after:
                    continue
                first, second = ({**held, **{key: v for (key, _), v in zip(change, values, strict=True)}} for values in (before, after))
                yield plan, first, plan, second
                yield plan, second, plan, first


def _without_special(each: Round) -> Round:
    lists = tuple(tuple(user for user in users if user != SPECIAL) for users in each.lists)
    return replace(each, lists=lists)
