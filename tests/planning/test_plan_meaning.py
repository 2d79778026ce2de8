"""Certificates of plans against what plans mean: drawn plans of a few users, all features together, by exact enumeration."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.schema import parsed
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.plans import meaning
from shuffleproof.spec.plans.meaning import Coin, Held, Plan, view
from shuffleproof.spec.plans.reading import meanings, neighbours
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import ShuffleproofError

LARGEST = 400
"""Outcomes of coins, reports and values together, at most: plans with more are not enumerated here."""


def drawn_question(draw: random.Random, at: int, kinds: tuple[str, ...]) -> dict[str, Any]:
    kind = draw.choice(kinds)
    asked: dict[str, Any] = {"name": f"q{at}", "column": draw.choice(("a", f"c{at}"))}
    if kind == "krr":
        asked |= {"randomizer": "krr", "k": draw.choice((2, 2, 3)), "epsilon0": draw.choice(("ln 2", "ln 3", "ln 9"))}
    elif kind == "rappor":
        asked |= {"randomizer": "rappor", "epsilon0": draw.choice(("ln 4", "ln 9")), "coordinates": draw.choice((2, 3))}
        asked |= draw.choice(({}, {"view": "sums"}, {"view": "thresholded-sums", "threshold": draw.choice((0, 1, 5))}))
    elif kind == "bit-sum":
        asked |= {"protocol": "bit-sum", "lam": draw.choice(("1/2", "1"))}
    else:
        asked |= {"protocol": kind, "p": draw.choice(("1/2", "1/4"))}
        asked |= {"fakes": draw.choice((2, 3))} if kind == "fake-users" else {}
        asked |= {"items": ["x"]} if kind != "zero-sum" and draw.random() < 0.3 else {}
    if "randomizer" in asked and draw.random() < 0.3:
        asked["memoised"] = True
    return asked


def drawn_plan(draw: random.Random) -> dict[str, Any]:
    """A table of a plan, of up to two rounds, three attempts and two questions; most of what may stand in it stands there sometimes."""
    neighbour = draw.choice(("replace-one", "replace-one", "deletion", "add-remove"))
    kinds = (
        ("fake-users",) if neighbour == "add-remove" else ("krr", "krr", "krr", "rappor", "bit-sum", "zero-sum", "histogram", "fake-users")
    )
    users, rounds = draw.choice((1, 1, 2, 2, 3)), []
    batch = draw.choice((None, None, "b"))
    rate = draw.choice((None, "1/2", "1/4", "1/10"))
    for at in range(draw.choice((1, 1, 1, 2))):
        repeat = draw.choice((1, 1, 2, 3))
        each: dict[str, Any] = {"name": f"r{at}", "users": users, "repeat": repeat}
        each["questions"] = [drawn_question(draw, number, kinds) for number in range(draw.choice((1, 1, 2)))]
        each |= {"rate": rate} if rate else {}
        each |= {"least": draw.randint(1, users)} if rate and neighbour != "add-remove" and draw.random() < 0.5 else {}
        each |= {"batch": batch} if batch else {}
        each |= {"dishonest": 1} if users > 1 and draw.random() < 0.2 else {}
        if repeat > 1 and draw.random() < 0.4:
            each[draw.choice(("participations", "eligible"))] = draw.randint(1, repeat)
        if not rate and draw.random() < 0.3:
            each["same_users"] = True
        each |= {"overlap": 0} if draw.random() < 0.2 else {}
        rounds.append(each)
    relation = draw.choice(("one-user", "one-user", "one-value"))
    target = {"epsilon": 1, "delta": draw.choice(("1/10", "1/100", "1/1000"))}
    table = {"relation": relation, "neighbours": neighbour, "target": target, "rounds": rounds}
    return table | ({"group": 1} if draw.random() < 0.1 else {})


def size(table: dict[str, Any]) -> int:
    """How many outcomes an enumeration has at most: those of all coins and memoised reports, times those of all fresh reports."""
    coins, shared, fresh, memoised = 0, set[str](), 0, 1
    for each in table["rounds"]:
        users, repeat = each["users"] + ("rate" in each), each.get("repeat", 1)
        if "rate" in each and each.get("batch") not in shared:
            coins += users * (1 if "batch" in each else repeat)
        shared |= {each["batch"]} if "batch" in each else set()
        for asked in each["questions"]:
            own = {"krr": asked.get("k", 2), "rappor": 2 ** asked.get("coordinates", 3), "histogram": 4, "fake-users": 1}
            outcomes = own.get(asked.get("randomizer", asked.get("protocol")), 2) ** users
            if "memoised" in asked:
                memoised *= outcomes
            else:
                fresh += outcomes * repeat
    return 2**coins * memoised * (1 + fresh) * (3 if len(table["rounds"]) > 1 else 1)


def pairs(table: dict[str, Any], more: int) -> Iterator[tuple[Plan, Held, Plan, Held]]:
    for plan in meanings(table, more=more):
        every = sorted((q for each in plan.rounds for q in each.questions), key=lambda q: -len(q.domain))
        domains = {q.column: q.domain for q in every}  # the smallest, where several questions read a column
        for values in product(*((domain[0], domain[-1]) for domain in domains.values())):
            yield from neighbours(table, plan, dict(zip(domains, values, strict=True)))


def worst(table: dict[str, Any], E: Fraction, *, more: int = 0, most: int = 6, draw: random.Random | None = None) -> Fraction:
    """The largest divergence of order E over neighbouring pairs, at most so many of them, drawn where there are more."""
    found = list(pairs(table, more))
    if len(found) > most:
        found = (draw or random.Random(1)).sample(found, most)
    return max(
        (hockey_stick(view(*first), view(*second), exp_epsilon=E) for *first, a, b in found for second in [(a, b)]), default=Fraction(0)
    )


def features(table: dict[str, Any]) -> frozenset[str]:
    """What occurs in a plan, for the count of combinations."""
    found = {str(table["relation"]), str(table["neighbours"])}
    for each in table["rounds"]:
        found |= {
            key for key in ("rate", "least", "batch", "dishonest", "participations", "eligible", "same_users", "overlap") if key in each
        }
        found |= {"several questions"} if len(each["questions"]) > 1 else set()
        found |= {"several attempts"} if each.get("repeat", 1) > 1 else set()
        for asked in each["questions"]:
            found |= {str(asked.get("randomizer", asked.get("protocol")))} | {key for key in ("memoised", "view", "items") if key in asked}
    return frozenset(found | ({"several rounds"} if len(table["rounds"]) > 1 else set()))


def compare(seed: int) -> tuple[str, frozenset[str]]:
    """Draw a plan, certify it, and hold the certificate against the exact meaning: "held", "refused: KEY" or "too large"."""
    draw = random.Random(seed)
    table = drawn_plan(draw)
    if size(table) > LARGEST:
        return "too large", features(table)
    try:
        found = evaluate(parsed(table))
    except ShuffleproofError as refusal:
        return f"refused: {getattr(refusal, 'parameter', type(refusal).__name__)}", features(table)
    delta = Fraction(table["target"]["delta"])
    E = exp_bounds(found.upper, bits=96)[1]
    for more in (
        (0, 1) if any("rate" in each for each in table["rounds"]) and not any("exactly" in each for each in table["rounds"]) else (0,)
    ):
        reached = worst(table, E, more=more, draw=draw)
        assert reached <= delta, f"seed {seed}: epsilon <= {float(found.upper)} is certified at {delta}, {float(reached)} is true: {table}"
    return "held", features(table)


@pytest.mark.parametrize("block", range(4))
def test_certificates_of_drawn_plans_hold(block: int) -> None:
    outcomes = Counter(compare(seed)[0].partition(":")[0] for seed in range(60 * block, 60 * block + 60))
    assert outcomes["held"] >= 10


@pytest.mark.parametrize("seed", [11792, 13078, 19779, 20375])
def test_a_round_without_dishonest_users_has_none(seed: int) -> None:
    """Drawn plans in which only one of two rounds has a dishonest user."""
    assert compare(seed)[0] == "held"


def test_a_column_of_two_questions_holds_what_both_can_be_asked_about() -> None:
    asked = [{"name": f"q{k}", "column": "a", "randomizer": "krr", "k": k, "epsilon0": "ln 3"} for k in (2, 3)]
    target = {"epsilon": 1, "delta": "1/100"}
    for order in (asked, asked[::-1]):
        table = {"relation": "one-user", "target": target, "rounds": [{"name": "r", "users": 2, "questions": order}]}
        assert worst(table, Fraction(2)) > Fraction(1, 100)


def test_who_is_in_a_round_without_overlap_alone_is_enumerated() -> None:
    asked = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 3"}
    rounds = [{"name": name, "users": 1, "questions": [asked], **overlap} for name, overlap in (("r", {"overlap": 0}), ("s", {}))]
    found = list(meanings({"relation": "one-user", "rounds": rounds}))
    assert sorted([0 in each.lists[0] for each in plan.rounds] for plan in found) == [[False, True], [True, False]]


def test_two_coins_for_two_questions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A meaning in which each attempt of a batch has coins of its own gives other divergences."""
    asked = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 9"}
    table = {
        "relation": "one-user",
        "target": {"epsilon": 1, "delta": "1/100"},
        "rounds": [{"name": "r", "users": 2, "repeat": 2, "rate": "1/4", "batch": "b", "questions": [asked]}],
    }
    as_meant = worst(table, Fraction(3))

    def own_coin(self: meaning.Round, user: int, attempt: int) -> Coin:
        return user, self.name, attempt

    monkeypatch.setattr(meaning.Round, "coin", own_coin)
    assert worst(table, Fraction(3)) < as_meant


def test_a_lower_bound_is_reached_by_a_pair() -> None:
    for users, rate in ((2, None), (3, None), (2, "1/2")):
        asked = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 3"}
        each = {"name": "r", "users": users, "questions": [asked], **({"rate": rate} if rate else {})}
        table = {"relation": "one-user", "target": {"epsilon": 1, "delta": "1/100"}, "rounds": [each]}
        found = evaluate(parsed(table))
        E = exp_bounds(found.lower, bits=96)[0]
        assert found.lower > 0
        assert worst(table, E * (1 - Fraction(1, 10**6)), most=10**6) > Fraction(1, 100)
