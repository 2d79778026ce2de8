"""Keys of a plan that have no theorem together: the guide's table has exactly these, and each is refused with its keys named."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from drawn_plans import drawn_plan

from shuffleproof.planning.plan.schema import parsed
from shuffleproof.spec.vocabulary.errors import DomainError

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "plan-a-deployment.md").read_text("utf-8")
BITS = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 3"}
FAKES = {"name": "f", "protocol": "fake-users", "fakes": 100, "p": "1/2"}
AT_RANDOM = {"rate": "1/2"}
OTHER = {"name": "other", "users": 10, "questions": [{**BITS, "name": "another"}]}


def plan(*questions: dict[str, Any], other: dict[str, Any] | None = None, neighbours: str = "replace-one", **own: Any) -> dict[str, Any]:
    rounds = [{"name": "r", "users": 10, "questions": list(questions or (BITS,)), **own}, *([{**OTHER, **other}] if other else [])]
    return {"relation": "one-user", "neighbours": neighbours, "target": {"epsilon": 1, "delta": "1/100"}, "rounds": rounds}


REFUSED = {
    "`rate` with `participations` below `repeat`": [plan(**AT_RANDOM, repeat=3, participations=2)],
    "`batch`, or `same_users`, with `participations` or `eligible` below `repeat`": [
        plan(batch="b", repeat=2, participations=1),
        plan(same_users=True, repeat=2, participations=1),
        plan(**AT_RANDOM, batch="b", repeat=2, eligible=1),
    ],
    "`memoised` with `rate` and `repeat` above 1, beside a fresh question, without `batch`": [
        plan(BITS, {**BITS, "name": "m", "memoised": True}, **AT_RANDOM, repeat=2)
    ],
    "`memoised` under one question name in two rounds": [
        plan({**BITS, "memoised": True}, other={"questions": [{**BITS, "memoised": True}]})
    ],
    "`batch` with rounds that differ in `rate`, `users`, `dishonest`, `least` or `exactly`": [
        plan(**AT_RANDOM, batch="b", other={"batch": "b", **AT_RANDOM, **change})
        for change in ({"rate": "1/3"}, {"users": 11}, {"dishonest": 1}, {"least": 3})
    ]
    + [plan(**AT_RANDOM, batch="b", least=3, other={"batch": "b", **AT_RANDOM, "least": 3, "exactly": True})],
    "`batch` in two rounds, with `overlap = 0`": [plan(batch="b", overlap=0, other={"batch": "b"})],
    "a protocol with `memoised`": [plan({**FAKES, "memoised": True})],
    "`rate = 1` with `least`; `least` without `rate`; `exactly` without `least`": [
        plan(rate=1, least=2),
        plan(least=2),
        plan(**AT_RANDOM, exactly=True),
    ],
    "`eligible` without `rate`": [plan(repeat=2, eligible=1)],
    '`rate` with `same_users`, or with `released = "when full"`': [
        plan(**AT_RANDOM, same_users=True),
        plan(**AT_RANDOM, released="when full"),
    ],
    '`neighbours = "add-remove"` with `least`, `released = "when full"`, or anything but `fake-users`': [
        plan(FAKES, neighbours="add-remove", **AT_RANDOM, least=2),
        plan(FAKES, neighbours="add-remove", released="when full"),
        plan(neighbours="add-remove"),
    ],
    "a `view` of sums of anything but RAPPOR, symmetric or not, and k-RR": [plan({**BITS, "randomizer": "subset", "d": 1, "view": "sums"})],
    "a `threshold` below 0": [plan({**FAKES, "threshold": -1})],
}
"""The guide's rows, and plans that each of them refuses."""
ONE_EACH = [(row, table) for row, tables in REFUSED.items() for table in tables]


def rows() -> list[str]:
    """The first cells of the guide's table of what is refused together."""
    table = GUIDE.partition("### What is refused together")[2].partition("###")[0]
    return [cell.strip() for cell in re.findall(r"^\| (.+?) \| .+ \|$", table, re.M)[1:]]


def test_the_guides_table_is_complete() -> None:
    assert [row for row in rows() if not set(row) <= {":", "-"}] == list(REFUSED)


@pytest.mark.parametrize(("row", "table"), ONE_EACH)
def test_it_is_refused_by_a_key_of_its_row(row: str, table: dict[str, Any]) -> None:
    with pytest.raises(DomainError) as refused:
        parsed(table)
    assert refused.value.parameter.rpartition(".")[2] in re.findall(r"\w+", row)


def test_without_one_of_these_keys_it_is_a_plan() -> None:
    for table in (plan(), plan(FAKES), plan(**AT_RANDOM), plan(FAKES, neighbours="add-remove"), plan(other={"batch": "b"}, batch="b")):
        parsed(table)


def test_what_drawn_plans_are_refused_for_is_in_the_table() -> None:
    """Of a thousand drawn plans, those that are no plans: what they are refused for is a key of the table."""
    keys, found = set(re.findall(r"\w+", " ".join(REFUSED))), set[str]()
    for number in range(1000):
        try:
            parsed(drawn_plan(random.Random(number)))
        except DomainError as refused:
            found.add(refused.parameter.rpartition(".")[2])
    assert found
    assert found <= keys
