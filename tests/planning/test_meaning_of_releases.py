"""What is released, admitted and handed to other libraries, against what plans mean: drawn plans, all features together."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from drawn_plans import LARGEST, covers_more_users, divergences, drawn_pairs, drawn_plan, size
from scipy.stats import binom
from seeded_bits import Seeded

from shuffleproof import Filter, PlanFilter
from shuffleproof.planning.plan.answer import Evaluation
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.reading import parsed
from shuffleproof.run import plan_release, question_draws
from shuffleproof.spec.plans.meaning import Key, view
from shuffleproof.spec.plans.questions import Value, total
from shuffleproof.spec.plans.reading import MODULUS, columns, estimate, meanings
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import RegimeError, ShuffleproofError

HELD = 120
"""How often a round is held: a distribution that is off by a tenth in total variation is noticed nearly always."""
UNLIKELY = 1e-7
"""Probability below which a deviation from the exact distribution is none of chance; the draws are the same each time, whatever else is
loaded."""
FLOATS = Fraction(1, 10**9)
"""What float64 of other libraries, which certify nothing, may lose of e^epsilon and of delta."""
EASY = {"epsilon": 1000, "delta": "1/3"}
"""A target that is met wherever there is a certificate."""
DROPPED = "dropped"
THRESHOLDED = ("bit-sum", "zero-sum", "histogram", "fake-users", "binomial-sum")


def drawn(made: Callable[[random.Random], dict[str, Any] | None], first: int) -> Iterator[tuple[dict[str, Any], random.Random]]:
    """Plans of the numbers from `first` on that are small enough, each with what else is drawn from its number."""
    for number in itertools.count(first):
        draw = random.Random(number)
        table = made(draw)
        if table is not None and size(table) <= LARGEST:
            yield table, draw


def of_one_attempt(draw: random.Random) -> dict[str, Any] | None:
    """A drawn plan of one round that is held once, with honest users alone; None where it has several, or speaks of many randomizers."""
    table = drawn_plan(draw)
    if len(table["rounds"]) > 1 or any(asked.get("randomizer") == "any" for asked in table["rounds"][0]["questions"]):
        return None
    left_out = ("repeat", "dishonest", "participations", "eligible", "same_users")
    each = {name: value for name, value in table["rounds"][0].items() if name not in left_out}
    for asked in each["questions"]:
        if asked.get("protocol") in ("histogram", "fake-users") and "items" not in asked:
            asked["items"] = ["x", "y"]
        if asked.get("view") == "thresholded-sums" or (asked.get("protocol") in THRESHOLDED and each["users"] > 1 and draw.random() < 0.3):
            asked["threshold"] = "0.37"  # which no estimate is near
    return {**table, "target": EASY, "rounds": [each]}


def text(asked: Mapping[str, Any], value: Value) -> str:
    """An answer by which a question's value is held: of vectors one that is hashed to its coordinate."""
    kind = asked.get("randomizer", asked.get("protocol"))
    if kind in ("rappor", "asymmetric-rappor"):
        d = asked["coordinates"]
        at = (value + question_draws.coordinate_of("x", d)) % d if "items" in asked else value
        return next(name for name in ("x", *map(str, range(99))) if question_draws.coordinate_of(name, d) == at)
    if kind in ("histogram", "fake-users"):
        return ("x", "y")[value]
    return str(value + 1) if kind == "krr" else str(value)


def by_sums(asked: Mapping[str, Any], shown: Any) -> Hashable:
    """What the meaning shows, as sums for each item that is asked for: estimates say no more than these."""
    kind = asked.get("randomizer", asked.get("protocol"))
    if kind == "krr":
        sums: Any = tuple(shown.count(y) for y in range(asked["k"]))
    else:
        sums = total(shown) if isinstance(shown, tuple) and shown and isinstance(shown[0], tuple) else shown
        # Of nobody's vectors there is no sum, and the run shows zeros.
        sums = (sums,) if isinstance(sums, int) else sums or (0,) * (1 if "items" in asked else asked.get("coordinates", 1))
    return sums


def released_sums(asked: Mapping[str, Any], answer: plan_release.Answer, n: int, users: int, rate: Fraction) -> Hashable:
    """The sums that estimates come from, rounded, since the run draws with a rational a little below e^epsilon0."""
    kind = asked.get("randomizer", asked.get("protocol"))
    messages = int(asked["fakes"]) if kind == "fake-users" else n
    base, one = (estimate(asked, count, messages, users=users) for count in (0, 1))
    sums = {item: round((value * rate - base) / (one - base)) for item, value in answer.estimates}
    if kind == "laplace-sum":
        return (sums["sum"] % MODULUS,)
    names = {"krr": [str(y + 1) for y in range(asked.get("k", 0))], "bit-sum": ["1"], "zero-sum": ["1"], "binomial-sum": ["sum"]}
    return tuple(sums.get(item) for item in names.get(str(kind), asked.get("items") or map(str, range(asked.get("coordinates", 0)))))


def agrees(table: Mapping[str, Any], data: Path, draw: random.Random, monkeypatch: pytest.MonkeyPatch, seed: int) -> float:
    """The probability that a round that is released as it is meant deviates by as much as this one does; 0 for the impossible."""
    (each,) = table["rounds"]
    plan, rate = parsed(table), Fraction(each.get("rate", 1))
    more = draw.choice((0, 1)) if covers_more_users(table) and table["neighbours"] != "add-remove" else 0
    (meant,) = meanings(table, more=more)
    domains = columns(meant)
    held: dict[Key, int] = {
        (user, each["name"], 0, column): draw.choice(domains[each["name"], column])
        for user in meant.rounds[0].lists[0]
        for column in dict.fromkeys(asked["column"] for asked in each["questions"])
    }
    by_column = {asked["column"]: asked for asked in each["questions"]}
    listed = meant.rounds[0].lists[0]
    rows = [",".join(text(by_column[column], held[user, each["name"], 0, column]) for column in by_column) for user in listed]
    data.write_text("\n".join([",".join(by_column), *rows]) + "\n", "utf-8")

    def shown(outcome: Any) -> Hashable:
        (number, _), *rest = outcome
        return (number, *(by_sums(asked, of_it) for asked, (of_it, _) in zip(each["questions"], rest, strict=True))) if rest else DROPPED

    law = view(meant, held).map(shown)
    found: Evaluation = evaluate(plan)
    monkeypatch.setattr(plan_release, "evaluate", lambda _, lower: found)
    source, counted = Seeded(seed), Counter[Hashable]()
    for _ in range(HELD):
        try:
            once = plan_release.release(plan, round_=each["name"], data=str(data), source=source)
        except RegimeError:
            counted[DROPPED] += 1
            continue
        sums = (
            released_sums(asked, answer, once.reports or 0, each["users"], rate)
            for asked, answer in zip(each["questions"], once.answers, strict=True)
        )
        counted[once.reports, *sums] += 1
    if any(outcome not in law.support for outcome in counted):
        return 0.0
    return tail(law.items(), counted)


def tail(law: Any, counted: Counter[Hashable]) -> float:
    """The least exact binomial tail of any outcome's number, times two for each outcome: at most this is the chance of a false alarm."""
    least, outcomes = 1.0, 0
    for outcome, mass in law:
        seen, outcomes = counted[outcome], outcomes + 1
        least = min(least, float(binom.cdf(seen, HELD, float(mass))), float(binom.sf(seen - 1, HELD, float(mass))))
    return min(1.0, 2 * outcomes * least)


def released_as_meant(first: int, plans: int, data: Path) -> None:
    compared = 0
    for table, draw in drawn(of_one_attempt, first):
        with pytest.MonkeyPatch.context() as monkeypatch:
            try:
                chance = agrees(table, data, draw, monkeypatch, draw.getrandbits(32))
            except ShuffleproofError:
                continue
        assert chance > UNLIKELY, table
        compared += 1
        if compared == plans:
            break


def test_a_round_is_released_as_it_is_meant(tmp_path: Path) -> None:
    released_as_meant(0, 4, tmp_path / "data.csv")


@pytest.mark.deep
def test_many_rounds_are_released_as_they_are_meant(tmp_path: Path) -> None:
    released_as_meant(10**6, 100, tmp_path / "data.csv")


@pytest.mark.parametrize("two_coins", [False, True])
def test_a_coin_for_each_question_is_noticed(two_coins: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run must not do: those who answer the second question are others than those who answer the first."""
    asked = [{"name": f"q{at}", "column": f"c{at}", "randomizer": "krr", "k": 2, "epsilon0": "ln 9"} for at in range(2)]
    rounds = [{"name": "r", "users": 2, "rate": "1/2", "questions": asked}]
    table = {"relation": "one-user", "neighbours": "replace-one", "target": EASY, "rounds": rounds}
    if two_coins:
        plain = plan_release._answer

        def other_users(round_: Any, question: Any, held: list[str], users: int, source: Any) -> plan_release.Answer:
            return plain(round_, question, held if question.name == "q0" or not held else ["1"] * len(held), users, source)

        monkeypatch.setattr(plan_release, "_answer", other_users)
    chance = agrees(table, tmp_path / "data.csv", random.Random(3), monkeypatch, 1)
    assert (chance > UNLIKELY) is not two_coins


def single(draw: random.Random) -> dict[str, Any] | None:
    """A drawn plan of one question, asked once, without groups, for everybody or at random."""
    table = of_one_attempt(draw)
    if table is None:
        return None
    each = {**table["rounds"][0], "questions": table["rounds"][0]["questions"][:1]}
    return {"relation": "one-user", "neighbours": table["neighbours"], "target": EASY, "rounds": [each]}


def holds(table: Mapping[str, Any], draw: random.Random, *, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether drawn neighbours of a plan have no larger divergence, whoever claims that."""
    E, divergence = exp_bounds(max(epsilon, Fraction(0)), bits=96)[1], divergences()
    return all(divergence(found, E) <= delta for _ in range(2) for found in drawn_pairs(table, draw, more=0))


def several_hold(
    made: Callable[[random.Random], dict[str, Any] | None], holds_of: Callable[[dict[str, Any], random.Random], bool], plans: int
) -> None:
    """The first so many plans that have an answer hold."""
    held = 0
    for table, draw in drawn(made, 0):
        try:
            assert holds_of(table, draw), table
        except ShuffleproofError:
            continue
        held += 1
        if held == plans:
            break


def two_releases(draw: random.Random) -> dict[str, Any] | None:
    """Releases on the same users, each with coins of its own, are the rounds of a plan."""
    one = single(draw)
    if one is None:
        return None
    asked = one["rounds"][0]["questions"][0]
    other = {**asked, "epsilon0": "ln 4"} if "epsilon0" in asked else {**asked, "name": "other"}
    return {**one, "rounds": [{**one["rounds"][0], "name": f"r{at}", "questions": [each]} for at, each in enumerate((asked, other))]}


def test_what_a_filter_admits_holds_together() -> None:
    def admitted(table: dict[str, Any], draw: random.Random) -> bool:
        budget = Filter(epsilon=1000, delta="1/2")
        for each in parsed(table).rounds:
            spent = budget.admit(each.questions[0].mechanism, delta="1/10")
        return holds(table, draw, epsilon=spent.epsilon, delta=spent.delta)

    several_hold(two_releases, admitted, 8)


def one_by_one(draw: random.Random) -> dict[str, Any] | None:
    table = {**drawn_plan(draw), "target": EASY}
    few = any(key in each for each in table["rounds"] for key in ("participations", "eligible"))
    return None if "group" in table or few else table


def test_what_a_plan_filter_holds_is_covered() -> None:
    """A plan whose attempts are held in part, as it is decided on the way."""

    def covered(table: dict[str, Any], draw: random.Random) -> bool:
        held = PlanFilter(parsed(table))
        for name in draw.sample([each["name"] for each in table["rounds"] for _ in range(each.get("repeat", 1))], 1):
            held.hold(name)
        done = {each["name"]: each.get("repeat", 1) - held.left[each["name"]] for each in table["rounds"]}
        in_part = {**table, "rounds": [{**each, "repeat": done[each["name"]]} for each in table["rounds"] if done[each["name"]]]}
        return holds(in_part, draw, epsilon=held.evaluation.upper, delta=Fraction(1, 3))

    several_hold(one_by_one, covered, 8)


def test_what_other_libraries_are_told_holds() -> None:
    """OpenDP's map is certified; of dp-accounting and autodp the floats that they make of ours are allowed for."""
    dp = pytest.importorskip("opendp.prelude")
    pytest.importorskip("dp_accounting")
    from shuffleproof.accounting.dp_accounting import ShuffledDpEvent, ShuffledPldAccountant

    dp.enable_features("contrib", "honest-but-curious")
    delta = Fraction(1, 3)

    def told_truly(table: dict[str, Any], draw: random.Random) -> bool:
        mechanism = parsed(table).rounds[0].questions[0].mechanism
        domain = dp.vector_domain(dp.atom_domain(T=int))
        epsilon, reported = mechanism.to_opendp(sum, delta="1/3", input_domain=domain).map(1)
        found = holds(table, draw, epsilon=Fraction(epsilon), delta=Fraction(reported))
        accountant = ShuffledPldAccountant(value_discretization_interval=1e-2)
        if accountant.supports(ShuffledDpEvent(mechanism)):
            accountant.compose(ShuffledDpEvent(mechanism), 1)
            told = accountant.get_epsilon(float(delta))
            found = found and holds(table, draw, epsilon=Fraction(told) + FLOATS, delta=delta + FLOATS)
        return found

    several_hold(single, told_truly, 8)


def test_what_autodp_is_told_holds() -> None:
    pytest.importorskip("autodp")
    from shuffleproof.renyi_accounting import autodp_mechanism

    delta = Fraction(1, 10)

    def told_truly(table: dict[str, Any], draw: random.Random) -> bool:
        made = autodp_mechanism(parsed(table).rounds[0].questions[0].mechanism)
        # Its own search for an order asks a hundred times; the conversion is Mironov's.
        epsilons = [Fraction(float(made.get_RDP(order))) + Fraction(math.log(1 / delta)) / (order - 1) for order in (2, 8)]
        return all(holds(table, draw, epsilon=epsilon + FLOATS, delta=delta + FLOATS) for epsilon in epsilons)

    several_hold(single, told_truly, 3)
