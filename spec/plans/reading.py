"""A plan's table, as it is written in TOML, read as its meaning for a few users: the guide's sentences, implemented once more.

Nothing here is shared with the reader of plans that certificates use.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from typing import Any

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.plans import questions as asked
from shuffleproof.spec.plans.meaning import Held, Key, Plan, Round
from shuffleproof.spec.plans.questions import Question, Value
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.vocabulary.errors import require, require_one_of
from shuffleproof.spec.vocabulary.named_randomizer import SETTINGS
from shuffleproof.spec.vocabulary.randomizers import NAMED, named

Table = Mapping[str, Any]
Pair = tuple[Plan, Held, Plan, Held]
"""Two neighbouring datasets, each with its plan: where neighbours differ in who is there, so do the lists."""
KINDS = (
    "any",
    *(name for name, declared in NAMED.items() if not declared.noise),
    "bit-sum",
    "real-sum",
    "zero-sum",
    "histogram",
    "fake-users",
    "binomial-sum",
    "laplace-sum",
    "split-and-mix",
)
"""Randomizers and protocols that are read here: all that have a finite distribution of rational probabilities for some parameters.

"any" is read as randomized response, one of those that it speaks of; hashing as that with a uniform function for each user; the piecewise
mechanism and the square wave of inputs at which their densities differ most. Refused are Laplace noise, Gaussian noise and the discrete
Gaussian sum, whose probabilities are irrational, and distributions from files, which are reports of one randomizer as k-ary response is.
"""
LEVELS = 2
"""The numbers that a real sum is about are 0, 1/2 and 1: what all roundings are, and one that is none where r is odd."""
VECTORS = ("rappor", "asymmetric-rappor", "unary")
"""Randomizers whose report is a vector of bits, one for each coordinate."""
MODULUS = 12
"""Sums with discrete Laplace noise are seen modulo this: a post-processing, which loses little of noise as small as in drawn plans."""
_HALF = Fraction(1, 2)
"""The probability of a fair coin."""


def exponential(epsilon0: str) -> Fraction:
    """e^epsilon0 of a text such as "ln 3"."""
    return Fraction(epsilon0.removeprefix("ln "))


def root(x: Fraction, degree: int) -> Fraction:
    """The root of a fraction that has a rational one of this degree, 1 or 2."""
    return x if degree == 1 else Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))


def question(table: Table, *, users: int, rate: Fraction = Fraction(1), parts: int = 1) -> Question:
    """A question of a round of so many users, dishonest ones too, who take part at this rate.

    parts: how many honest users' parts are the whole noise, where users add it in parts. "any" is read as one randomizer of those it speaks
    of, binary response. Estimates are those for all users. The same question is the same object, so that what is seen of it is kept.
    """
    said = tuple(sorted((key, tuple(value) if isinstance(value, list) else value) for key, value in table.items()))
    return _question(said, users=users, rate=rate, parts=parts, noise_modulo=MODULUS)


@lru_cache(maxsize=256)
def _question(said: tuple[tuple[str, Any], ...], *, users: int, rate: Fraction, parts: int, noise_modulo: int) -> Question:
    table: Table = dict(said)
    kind = require_one_of(str(table.get("randomizer", table.get("protocol"))), KINDS, parameter="kind")
    T = exponential(table["epsilon0"]) if "epsilon0" in table else Fraction(1)
    p = Fraction(table.get("p", 0))
    bins = max(2, len(table.get("items", ())))
    domain = 2
    by_messages = False
    match kind:
        case "any" | "krr":
            domain = int(table.get("k", 2))
            report: Callable[[Value], Distribution[asked.Message]] = partial(asked.k_rr, k=domain, exp_epsilon0=T)
            by_messages = True
        case "rappor" | "asymmetric-rappor" | "unary":
            domain = int(table.get("coordinates", 3))
            own, other = _bits(table, T)
            report = partial(asked.unary, coordinates=domain, own=own, other=other)
        case "real-sum":
            domain, coin = LEVELS + 1, Fraction(table["lam"]) / users
            report = partial(asked.real_sum, levels=LEVELS, r=int(table["r"]), coin=coin)
        case "split-and-mix":
            require(parts == 1, parameter="parts", value=parts, requirement="1: the distribution of a part of the noise is irrational")
            domain, ratio = int(table["sensitivity"]) + 1, 1 / root(T, int(table["sensitivity"]))
            report = partial(asked.shares, messages=int(table["messages"]), modulus=int(table["modulus"]), ratio=ratio)
        case "bit-sum":
            report = partial(asked.bit_sum, coin=Fraction(table["lam"]) / users)
        case "zero-sum":
            report = partial(asked.zero_sum, p=p)
        case "histogram":
            domain, report = bins, partial(asked.with_noise_bits, bins=bins, p=p)
        case "fake-users":
            domain, report = bins, partial(asked.in_one_bin, bins=bins)
        case "binomial-sum":
            domain, report = int(table["sensitivity"]) + 1, partial(asked.with_coins, coins=int(table["coins"]), p=p)
        case _ if kind in NAMED:
            law = exact_distribution(named(kind, **{name: table[name] for name in SETTINGS if name in table}), T)
            domain, report, by_messages = len(law.domain), partial(asked.randomized_by, distribution=law), True
        case _:
            domain, report = int(table["sensitivity"]) + 1, asked.in_the_clear
    by_messages = by_messages or (kind in VECTORS and table.get("view", "messages") == "messages")
    kept = None
    if "threshold" in table:
        kept = asked.reaching(Fraction(table["threshold"]), estimate=lambda s, n: estimate(table, s, n, users=users) / rate)
    items = 1 if len(table.get("items", ())) == 1 else None
    if kind == "laplace-sum":
        seen = asked.beside_laplace(ratio=1 / root(T, int(table["sensitivity"])), parts=parts, modulus=noise_modulo)
    elif kind == "fake-users":
        seen = asked.beside_fakes(bins=bins, fakes=int(table["fakes"]), p=p, items=items, kept=kept)
    elif kind == "split-and-mix" or (kind == "real-sum" and table.get("view", "untagged") == "untagged"):
        seen = asked.shuffled_shares
    else:
        seen = asked.shuffled_messages if by_messages else asked.sums_of(items=items, kept=kept)
    return Question(
        name=str(table["name"]),
        column=str(table.get("column", table["name"])),
        memoised=bool(table.get("memoised", False)),
        domain=tuple(range(domain)),
        report=report,
        seen=seen,
    )


def _bits(table: Table, T: Fraction) -> tuple[Fraction, Fraction]:
    """The probabilities of a 1 in the coordinate of one's own item and in every other, of a randomizer whose report is a vector."""
    match table["randomizer"]:
        case "rappor":  # every bit is flipped with probability 1/(e^(eps0/2) + 1)
            return 1 - 1 / (root(T, 2) + 1), 1 / (root(T, 2) + 1)
        case "asymmetric-rappor":
            return _HALF, 1 / (T + 1)
        case _:
            q = Fraction(table["p_other"])
            return T * q / (T * q + 1 - q), q


def estimate(table: Table, count: int, messages: int, *, users: int) -> Fraction:
    """Estimate how many of those who take part hold an item, from its sum over so many messages (of fake users: of so many of these)."""
    kind = str(table.get("randomizer", table.get("protocol")))
    T = exponential(table["epsilon0"]) if "epsilon0" in table else Fraction(1)
    p = Fraction(table.get("p", 0))
    coin = Fraction(table.get("lam", 0)) / users
    own, other = {
        **({kind: _bits(table, T)} if kind in VECTORS else {}),
        "krr": (T / (T + int(table.get("k", 2)) - 1), 1 / (T + int(table.get("k", 2)) - 1)),
        "bit-sum": (1 - coin / 2, coin / 2),
        "binomial-sum": (1 + p * int(table.get("coins", 0)), p * int(table.get("coins", 0))),
    }.get(kind, (1 + p, p))
    return (count - messages * other) / (own - other)


def meanings(table: Table, *, more: int = 0) -> Iterator[Plan]:
    """The plan for its planned number of users and `more`, once for each way in which the users of a group may be on the lists together.

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
            rounds=tuple(_round(each, on, more, specials(table)) for each, on in zip(rounds, chosen, strict=True)),
            counted=table.get("neighbours") != "add-remove",
        )


def specials(table: Table) -> int:
    """In how many users, the first ones, neighbours differ: a group, or all that are honest in every round where there are fewer."""
    return min(int(table.get("group", 1)), *(int(each["users"]) - int(each.get("dishonest", 0)) for each in table["rounds"]))


def _round(table: Table, on: tuple[bool, ...], more: int, group: int) -> Round:
    users, dishonest = int(table["users"]), int(table.get("dishonest", 0))
    rate, least = Fraction(table.get("rate", 1)), int(table.get("least", 1))
    everybody = users + more
    # Who stands on the list where the special users do not, so that it has as many users.
    substitutes = tuple(range(everybody, everybody + group))
    parts = max(1, least - dishonest) if rate < 1 else users - dishonest
    return Round(
        name=str(table["name"]),
        lists=tuple((*(range(group) if there else substitutes), *range(group, everybody)) for there in on),
        questions=tuple(question(each, users=users, rate=rate, parts=parts) for each in table["questions"]),
        rate=rate,
        least=least,
        batch=table.get("batch"),
        dishonest=frozenset(range(users - dishonest, users)),
    )


def held_by_others(table: Table, plan: Plan, value: Callable[[Key], Value]) -> dict[Key, Value]:
    """Return what everybody but the special users holds."""
    return {
        (user, each.name, attempt, one.column): value((user, each.name, attempt, one.column))
        for each in plan.rounds
        for attempt, users in enumerate(each.lists)
        for user in users
        if user >= specials(table)
        for one in each.questions
    }


def columns(plan: Plan) -> Mapping[tuple[str, str], tuple[int, ...]]:
    """Return what may be held in a column of a round: the smallest domain of those that all questions on it can be asked about."""
    found: dict[tuple[str, str], tuple[int, ...]] = {}
    for each in plan.rounds:
        for one in sorted(each.questions, key=lambda one: -len(one.domain)):
            found[each.name, one.column] = one.domain
    return found


def own_values(table: Table, plan: Plan) -> Mapping[Key, tuple[int, ...]]:
    """Where the special users hold values, and which these may be."""
    domains = columns(plan)
    return {
        (user, each.name, attempt, column): domains[each.name, column]
        for each in plan.rounds
        for attempt, users in enumerate(each.lists)
        for user in users
        if user < specials(table)
        for column in dict.fromkeys(one.column for one in each.questions)
    }


def changes(table: Table, plan: Plan) -> Sequence[tuple[Key, ...]]:
    """Which values neighbours may differ in: "one-user" in all of the special users', "one-value" in one of each of these."""
    own = own_values(table, plan)
    if table["relation"] == "one-user":
        return [tuple(own)]
    return list(product(*([key for key in own if key[0] == user] for user in sorted({key[0] for key in own}))))


def pair(
    table: Table, plan: Plan, *, others: Held, before: Mapping[Key, Value], after: Mapping[Key, Value], changed: Sequence[Key]
) -> Pair:
    """Neighbours that differ in the changed values, `before` in the first one.

    In the second one they are `after`; with deletion nothing; with add-remove neighbours the special users are on no list, or, where
    neighbours differ in one value, that value alone is not there.
    """
    relation = table.get("neighbours", "replace-one")
    if relation == "add-remove" and table["relation"] == "one-user":
        gone = Plan(tuple(_without(each, specials(table)) for each in plan.rounds), plan.counted)
        return plan, {**others, **before}, gone, others
    then: Mapping[Key, Value] = after if relation == "replace-one" else dict.fromkeys(after)
    return plan, {**others, **before}, plan, {**others, **before, **{key: then[key] for key in changed}}


def neighbours(table: Table, plan: Plan, others: Held) -> Iterator[Pair]:
    """All pairs of neighbouring datasets as the plan's relation has them, whose other users hold these values, in both orders."""
    own = own_values(table, plan)
    for changed in changes(table, plan):
        domains = [own[key] for key in changed]
        rest = [key for key in own if key not in changed]
        for kept in product(*(own[key] for key in rest)):
            fixed = dict(zip(rest, kept, strict=True))
            for values in product(*domains):
                for others_ in product(*domains) if table.get("neighbours", "replace-one") == "replace-one" else [values]:
                    before, after = ({**fixed, **dict(zip(changed, each, strict=True))} for each in (values, others_))
                    first, second, third, fourth = pair(table, plan, others=others, before=before, after=after, changed=changed)
                    if (first, second) != (third, fourth):
                        yield first, second, third, fourth
                        yield third, fourth, first, second


def _without(each: Round, group: int) -> Round:
    lists = tuple(tuple(user for user in users if user >= group) for users in each.lists)
    return replace(each, lists=lists)
