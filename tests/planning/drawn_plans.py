"""Plans drawn at random, of a few users and all features together, and their exact divergences by enumeration."""

import itertools
import json
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import pytest

from shuffleproof.accounting import profile_by_chords, profile_on_grid
from shuffleproof.impl.ball import random_participation
from shuffleproof.mechanisms import participation
from shuffleproof.planning.plan import releases
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.reading import parsed
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.plans.meaning import Held, Key, Plan, view
from shuffleproof.spec.plans.questions import Value
from shuffleproof.spec.plans.reading import MODULUS, VECTORS, Pair, changes, columns, held_by_others, meanings, neighbours, own_values, pair
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ShuffleproofError

FAMILY = 40
"""Plans in a row that share users, rate and questions: certificates of single releases are the same in many of them, and are kept."""
FAMILY_IN_LONG_RUNS = 400
"""The same where certificates are on fine grids, which take long: what is new in each plan is how its rounds are held."""
LARGEST = 600
"""Work of an enumeration, at most: some milliseconds. Drawn plans with more are not compared, but in long runs."""
LARGEST_IN_LONG_RUNS = 6000
"""The same where hours are spent."""
KEPT = 2048
"""Certificates and grids that are kept in long runs: a few hundred megabytes at most."""
OTHERS = 2
"""How often the other users' values of a drawn plan are drawn; the second time there may be more users than planned."""
OWN = 3
"""Datasets of one draw of the others' values: all that are neighbours are compared, and each dataset's distribution is found once."""
SHARED = 30
"""About as much work as so many outcomes of what is seen is one outcome of coins and memoised reports."""
HOMOGENEOUS = 1000
"""Neighbours whose other users hold one value, at most: among these a pair that reaches a lower bound is looked for."""
ROUNDING = Fraction(1, 10**6)
"""By how much of itself e^epsilon is taken smaller, when it is looked for whether a lower bound is reached."""
OF_USERS = ("krr", "krr", "krr", "any", "rappor", "asymmetric-rappor", "bit-sum", "zero-sum", "histogram", "fake-users")
MORE = ("unary", "subset", "hadamard", "hash", "piecewise", "square-wave", "real-sum", "split-and-mix")
"""What is asked beside these where certificates are compared, and no data is released."""
NUMBERS = ("laplace-sum", "binomial-sum")
SETTINGS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "unary": [{"p_other": "1/4", "epsilon0": epsilon0, "coordinates": 2} for epsilon0 in ("ln 3", "ln 9")],
    "subset": [{"k": 3, "d": d, "epsilon0": "ln 4"} for d in (1, 2)],
    "hadamard": [{"k": k, "blocks": 1, "epsilon0": "ln 3"} for k in (2, 3)],
    "hash": [{"k": 2, "buckets": 2, "family": "uniform", "epsilon0": epsilon0} for epsilon0 in ("ln 2", "ln 9")],
    "piecewise": [{"epsilon0": epsilon0} for epsilon0 in ("ln 4", "ln 9")],
    "square-wave": [{"radius": "1/4", "epsilon0": epsilon0} for epsilon0 in ("ln 2", "ln 9")],
    "real-sum": [{"lam": "1", "r": r, "view": view} for r in (1, 2, 3) for view in ("tagged", "untagged")],
    "split-and-mix": [{"messages": m, "modulus": 3, "sensitivity": 1, "epsilon0": "ln 3"} for m in (1, 2)],
}
"""How the questions of `MORE` are asked."""
MESSAGES = {"hadamard": 4, "hash": 8, "piecewise": 4, "square-wave": 4, "subset": 3, "unary": 4, "histogram": 4}
"""How many messages one user may send, at most."""
MORE_USERS = (1, 1, 2, 3)
"""How many users more than planned there are, where a certificate speaks of these too."""
BESIDE = ("rate", "batch", "same_users", "memoised", "released", "neighbours", "least")
"""Keys that a refusal names beside its own, the most telling first."""
KEYS = ("rate", "least", "exactly", "batch", "dishonest", "participations", "eligible", "same_users", "overlap", "released")
"""What may stand in a round, and is counted among the features of a plan."""


def on_coarse_grids(patch: pytest.MonkeyPatch) -> None:
    """Certify with an eighth of the grid's points and shorter searches: every setting is sound, and this one is some times quicker."""
    patch.setattr(profile_on_grid, "CELLS", 16)
    patch.setattr(profile_on_grid, "_FEWEST", 8)
    patch.setattr(profile_on_grid, "_MOST", 128)
    patch.setattr(profile_by_chords, "OF_ROUNDS", (6, 2.5))
    patch.setattr(participation, "_CELLS", 32)
    patch.setattr(random_participation, "CLOSE", Fraction(1, 1000))


def keep_certificates() -> None:
    """Keep more certificates of single releases and of compositions than one plan needs: all of some families."""
    for name in ("single", "_together", "_grid", "_measured"):
        setattr(releases, name, lru_cache(maxsize=KEPT)(getattr(releases, name).__wrapped__))


def drawn_question(draw: random.Random, at: int, kinds: tuple[str, ...]) -> dict[str, Any]:
    kind = draw.choice(kinds)
    asked: dict[str, Any] = {"name": f"q{at}"}
    if kind in ("krr", "any"):
        asked |= {"randomizer": kind, "epsilon0": draw.choice(("ln 2", "ln 3", "ln 9"))}
        asked |= {"k": draw.choice((2, 2, 3))} if kind == "krr" else {}
    elif kind in ("rappor", "asymmetric-rappor"):
        asked |= {"randomizer": kind, "epsilon0": draw.choice(("ln 4", "ln 9")), "coordinates": draw.choice((1, 2, 3))}
        of_one = {"view": draw.choice(("estimate", "thresholded-sums")), "items": ["x"]}
        asked |= draw.choice(({}, {"view": "sums"}, {"view": "estimate"}, {"view": "thresholded-sums"}, of_one))
        asked |= {"threshold": draw.choice((0, 1, 50))} if asked.get("view") == "thresholded-sums" else {}
    elif kind in SETTINGS:
        which = "protocol" if kind in ("real-sum", "split-and-mix") else "randomizer"
        asked |= {which: kind, **draw.choice(SETTINGS[kind])}
    elif kind == "bit-sum":
        asked |= {"protocol": "bit-sum", "lam": draw.choice(("1/2", "1"))}
    elif kind == "laplace-sum":
        asked |= {"protocol": kind} | draw.choice(({"sensitivity": 1, "epsilon0": "ln 3"}, {"sensitivity": 2, "epsilon0": "ln 4"}))
    elif kind == "binomial-sum":
        asked |= {"protocol": kind, "sensitivity": 1, "coins": draw.choice((1, 3)), "p": "1/2"}
    else:
        asked |= {"protocol": kind, "p": draw.choice(("1/2", "1/4"))}
        asked |= {"fakes": draw.choice((2, 3))} if kind == "fake-users" else {}
        asked |= {"items": ["x"]} if kind != "zero-sum" and draw.random() < 0.3 else {}
    return asked


@dataclass(frozen=True)
class Common:
    """What the plans of a family have in common, so that certificates of single releases and of compositions are found once for many.

    own: the keys of a round that have one value in all of them.
    """

    neighbour: str
    delta: str
    own: Mapping[str, Any]
    questions: tuple[Mapping[str, Any], ...]


def drawn_common(draw: random.Random, kinds: Sequence[str] = OF_USERS) -> Common:
    """How neighbours differ, delta, how many users take part at which rate, which batches are dropped, and what may be asked."""
    neighbour = draw.choice(("replace-one", "replace-one", "deletion", "add-remove"))
    users, rate = draw.choice((1, 1, 2, 2, 3, 4, 6)), draw.choice((None, "1/2", "1/4", "1/10"))
    kinds = ("fake-users",) if neighbour == "add-remove" else kinds if draw.random() < 0.7 else (*kinds, *NUMBERS * 4)
    asked = tuple(drawn_question(draw, at, kinds) for at in range(2))
    # Of noise in parts other numbers of users than `least` have no rational distribution; of its shares no part has one.
    shares = any(one.get("protocol") == "split-and-mix" for one in asked)
    users = 1 if shares and not rate else users
    own: dict[str, Any] = {"users": users} | ({"rate": rate} if rate else {})
    own |= {"dishonest": 1} if users > 1 and draw.random() < 0.2 else {}
    if rate and not shares and neighbour != "add-remove" and draw.random() < 0.5:
        in_parts = any(one.get("protocol") == "laplace-sum" for one in asked)
        own |= {"least": users, "exactly": True} if in_parts else {"least": draw.randint(1, users)}
        own |= {"exactly": True} if draw.random() < 0.3 else {}
    return Common(neighbour, draw.choice(("1/3", "1/10", "1/100", "1/1000")), own, asked)


@lru_cache(maxsize=4)
def family(number: int) -> Common:
    """The first drawn for a family whose questions, asked once, can be enumerated and have a certificate at its delta."""
    for at in itertools.count():
        common = drawn_common(random.Random(f"family {number}, {at}"), (*OF_USERS, *MORE))
        tables = [
            {
                "relation": "one-value",
                "neighbours": common.neighbour,
                "target": {"epsilon": 1, "delta": common.delta},
                "rounds": [{"name": "r", **common.own, "questions": [asked]}],
            }
            for asked in common.questions
        ]
        with suppress(RegimeError):  # batches of few may give away more than delta
            if all(size(table) <= LARGEST and evaluate(parsed(table), lower=False) for table in tables):
                return common
    raise AssertionError


def drawn_round(draw: random.Random, at: int, common: Common, batch: str | None) -> dict[str, Any]:
    repeat, without_rate = draw.choice((1, 1, 2, 3)), "rate" not in common.own
    each: dict[str, Any] = {"name": f"r{at}", "repeat": repeat, **common.own}
    each["questions"] = [dict(one) for one in draw.sample(common.questions, draw.choice((1, 1, 2)))]
    for one in each["questions"]:
        one["column"] = draw.choice(("a", one["name"]))
        one |= {"memoised": True} if "randomizer" in one and draw.random() < 0.3 else {}
    each |= {"batch": batch} if batch else {}
    if repeat > 1 and draw.random() < 0.4:
        each[draw.choice(("participations",) if without_rate else ("eligible", "eligible", "participations"))] = draw.randint(1, repeat)
    if without_rate and draw.random() < 0.3:
        each["same_users"] = True
    if without_rate and common.neighbour != "add-remove" and draw.random() < 0.1:
        each["released"] = "when full"
    return each | ({"overlap": 0} if draw.random() < 0.2 else {})


def drawn_plan(draw: random.Random, common: Common | None = None) -> dict[str, Any]:
    """A table of a plan, of up to two rounds, three attempts and two questions; everything that may stand in it stands there sometimes.

    common: what it shares with others of its family; None for a family of its own.
    """
    common, batch = common or drawn_common(draw), draw.choice((None, None, "b"))
    rounds = [drawn_round(draw, at, common, batch) for at in range(draw.choice((1, 1, 1, 2)))]
    table = {"relation": draw.choice(("one-user", "one-user", "one-value")), "neighbours": common.neighbour, "rounds": rounds}
    table |= {"target": {"epsilon": 1, "delta": common.delta}}
    return table | ({"group": draw.choice((2, 3))} if draw.random() < 0.08 else {})


def seen_outcomes(asked: Mapping[str, Any], users: int) -> int:
    """How many values what is seen of a question in one attempt may have, about."""
    kind, coordinates = asked.get("randomizer", asked.get("protocol")), asked.get("coordinates", 3)
    if kind in ("rappor", "asymmetric-rappor") and asked.get("view", "messages") != "messages":
        return (users + 1) ** coordinates
    if "randomizer" in asked:
        return math.comb(users + messages_of(asked) - 1, users)
    many = {"laplace-sum": MODULUS, "zero-sum": 2 * users + 1, "split-and-mix": math.comb(users * asked.get("messages", 0) + 2, 2)}
    many |= {"histogram": (2 * users + 1) ** 2, "fake-users": (asked.get("fakes", 0) + users + 1) ** 2, "real-sum": (users + 1) ** 3}
    return many.get(str(kind), users * (asked.get("coins", 0) + 1) + 1)


def messages_of(asked: Mapping[str, Any]) -> int:
    """How many reports of a randomizer there are."""
    kind = asked["randomizer"]
    return 2 ** asked["coordinates"] if kind in VECTORS else MESSAGES.get(kind, asked.get("k", 2))


def size(table: Mapping[str, Any], *, more: int = 0) -> int:
    """How much work an enumeration is, about: outcomes of coins and memoised reports, each as it is, and times all that may be seen."""
    coins, shared, memoised, seen = 0, set[str](), 1, 1
    for each in table["rounds"]:
        users, repeat = each["users"] + more, each.get("repeat", 1)
        if "rate" in each and each.get("batch") not in shared:
            coins += users * (1 if "batch" in each else repeat)
        shared |= {each["batch"]} if "batch" in each else set()
        for asked in each["questions"]:
            if "memoised" in asked:
                memoised *= messages_of(asked) ** users
            else:
                seen *= seen_outcomes(asked, users) ** repeat
    return 2**coins * memoised * (SHARED + seen)


def divergences() -> Callable[[Pair, Fraction], Fraction]:
    """The hockey-stick divergence of what is seen, the larger one of both directions; each dataset's distribution is found once."""
    known: dict[tuple[Plan, tuple[tuple[Key, Value], ...]], Distribution[Any]] = {}

    def seen(plan: Plan, held: Held) -> Distribution[Any]:
        key = (plan, tuple(sorted(held.items())))
        if key not in known:
            known[key] = view(plan, held)
        return known[key]

    def divergence(found: Pair, E: Fraction) -> Fraction:
        first, second = seen(*found[:2]), seen(*found[2:])
        return max(hockey_stick(p, q, exp_epsilon=E) for p, q in ((first, second), (second, first)))

    return divergence


def drawn_pairs(table: Mapping[str, Any], draw: random.Random, *, more: int) -> Iterator[Pair]:
    """Neighbouring datasets: mostly other users who hold one value of a column, and a user who does not change within a dataset."""
    plan = draw.choice(list(meanings(table, more=more)))
    domains, own = columns(plan), own_values(table, plan)
    usual = {column: draw.choice(domain) for column, domain in domains.items()}

    def other(key: Key) -> Value:
        return usual[key[1], key[3]] if draw.random() < 0.8 else draw.choice(domains[key[1], key[3]])

    def drawn() -> dict[Key, Value]:
        one = {column: draw.choice(domain) for column, domain in domains.items()}
        return {key: one[key[1], key[3]] if draw.random() < 0.8 else draw.choice(domain) for key, domain in own.items()}

    others, kept, changed = held_by_others(table, plan, other), drawn(), draw.choice(changes(table, plan))
    datasets: list[dict[Key, Value]] = []
    for changes_to in (drawn() for _ in range(2 * OWN)):
        dataset = {**kept, **{key: changes_to[key] for key in changed}}
        if dataset not in datasets and len(datasets) < OWN:
            datasets.append(dataset)
    replaced = table["neighbours"] == "replace-one"
    for before, after in itertools.combinations(datasets, 2) if replaced else zip(datasets, datasets, strict=True):
        yield pair(table, plan, others=others, before=before, after=after, changed=changed)


def homogeneous_pairs(table: Mapping[str, Any]) -> Iterator[Pair]:
    """Neighbouring datasets in which all other users hold one value of each column."""
    for plan in meanings(table):
        domains = columns(plan)
        for values in product(*domains.values()):
            usual = dict(zip(domains, values, strict=True))
            yield from neighbours(table, plan, held_by_others(table, plan, lambda key, usual=usual: usual[key[1], key[3]]))  # type: ignore[misc]


def readings(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a plan may be, where it speaks of all randomizers: with binary or with 3-ary response for each of these."""
    if not any(asked.get("randomizer") == "any" for each in table["rounds"] for asked in each["questions"]):
        return [table]

    def with_items(asked: Mapping[str, Any], k: int) -> Mapping[str, Any]:
        return {**asked, "randomizer": "krr", "k": k} if asked.get("randomizer") == "any" else asked

    return [
        {**table, "rounds": [{**each, "questions": [with_items(asked, k) for asked in each["questions"]]} for each in table["rounds"]]}
        for k in (2, 3)
    ]


def how_many_homogeneous(table: Mapping[str, Any]) -> int:
    """How many neighbours there are at most whose other users hold one value of each column."""
    plans = list(meanings(table))
    own = own_values(table, plans[0])
    of_one = max(math.prod(len(own[key]) for key in changed) for changed in changes(table, plans[0]))
    of_all = math.prod(map(len, own.values()))
    return 2 * len(plans) * math.prod(map(len, columns(plans[0]).values())) * len(changes(table, plans[0])) * of_all * of_one


def worst(table: Mapping[str, Any], E: Fraction, *, until: Fraction = Fraction(1)) -> Fraction:
    """The largest divergence of order E over all homogeneous neighbours, or the first one above `until`."""
    largest, divergence = Fraction(0), divergences()
    for found in homogeneous_pairs(table):
        largest = max(largest, divergence(found, E))
        if largest > until:
            break
    return largest


def features(table: Mapping[str, Any]) -> frozenset[str]:
    """What occurs in a plan, for the count of combinations."""
    found = {str(table["relation"]), str(table["neighbours"])} | ({"group"} if "group" in table else set())
    for each in table["rounds"]:
        found |= {key for key in KEYS if key in each}
        found |= {"several questions"} if len(each["questions"]) > 1 else set()
        found |= {"one column"} if len({asked["column"] for asked in each["questions"]}) < len(each["questions"]) else set()
        found |= {"several attempts"} if each.get("repeat", 1) > 1 else set()
        for asked in each["questions"]:
            found |= {str(asked.get("randomizer", asked.get("protocol")))} | {key for key in ("memoised", "items") if key in asked}
            found |= {f"view {asked['view']}"} if "view" in asked else set()
    return frozenset(found | ({"several rounds"} if len(table["rounds"]) > 1 else set()))


def covers_more_users(table: Mapping[str, Any]) -> bool:
    """Whether a certificate speaks of more users than planned, and their distribution is rational."""
    every = [asked.get("protocol") for each in table["rounds"] for asked in each["questions"]]
    return "laplace-sum" not in every and not any("exactly" in each for each in table["rounds"])


@lru_cache(maxsize=4)
def drawn_once(which: int, of_a_family: int) -> frozenset[int]:
    """The numbers of a family whose plans are none of an earlier number of it."""
    found: dict[str, int] = {}
    for number in range(which * of_a_family, (which + 1) * of_a_family):
        found.setdefault(json.dumps(drawn_plan(random.Random(number), family(which)), sort_keys=True), number)
    return frozenset(found.values())


def refused_for(table: Mapping[str, Any], refusal: ShuffleproofError) -> str:
    """The key that a plan is refused for, with the one beside it that is named; what its numbers are refused for, by its kind."""
    if not isinstance(refusal, DomainError):
        return type(refusal).__name__
    named = re.findall(r"\w+", refusal.requirement)
    beside = next((key for key in BESIDE if key in named), "")
    return f"{refusal.parameter.rpartition('.')[2]} with {beside}"


def compare(number: int, *, largest: int = LARGEST, of_a_family: int = FAMILY) -> tuple[str, frozenset[str]]:
    """Draw a plan, certify it, and hold the certificate against the exact meaning.

    Returns "held", "drawn before", "refused: KEYS" or "too large", and what occurs in the plan.
    """
    draw = random.Random(number)
    table = drawn_plan(draw, family(number // of_a_family))
    if number not in drawn_once(number // of_a_family, of_a_family):
        return "drawn before", features(table)
    if size(table) > largest:
        return "too large", features(table)
    try:
        found = evaluate(parsed(table), lower=False)
    except ShuffleproofError as refusal:
        return f"refused: {refused_for(table, refusal)}", features(table)
    delta, E, divergence = Fraction(table["target"]["delta"]), exp_bounds(found.upper, bits=96)[1], divergences()
    many = [more for more in MORE_USERS if covers_more_users(table) and size(table, more=more) <= largest]
    more_users = [0, *draw.choices(many or [0], k=OTHERS - 1)]
    for more in more_users:
        for pair_ in drawn_pairs(table, draw, more=more):
            reached = divergence(pair_, E)
            assert reached <= delta, (
                f"plan {number}: epsilon <= {float(found.upper)} is certified at {delta}, {float(reached)} is true: {table}"
            )
    return "held", features(table) | ({"more users"} if any(more_users) else set())
