"""The long comparison of drawn plans goes on where it stopped, and tells what is certified below the truth."""

import itertools
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import plans


def one_in_ten_is_false(number: int) -> tuple[str, frozenset[str]]:
    assert number % 10
    if number == plans.FIRST + 7:
        raise ZeroDivisionError
    return ("held" if number % 2 else "refused: eligible with batch"), frozenset({"rate"} | ({"batch"} if number % 3 else set()))


def test_it_goes_on_and_tells_what_is_false(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(plans.time, "process_time", lambda: next(ticks) / 10_000)  # a hundred plans in 0.01 s, on any machine
    once = plans.gone_on(plans.FRESH, 0.01, one_in_ten_is_false)
    again = plans.gone_on(once, 0.01, one_in_ten_is_false)
    assert again["next"] > once["next"] > plans.FIRST + 20
    assert sum(again["outcomes"].values()) + len(again["false"]) + len(again["failed"]) == again["next"] - plans.FIRST
    assert again["combinations"] == ["batch, rate", "rate"]
    assert plans.continued(again, "") == again
    anew = plans.continued(again, "other code")
    assert (anew["outcomes"], anew["seconds"], anew["earlier"], anew["again"]) == ({}, 0.0, again["outcomes"]["held"], again["false"])
    last = plans.gone_on({**anew, "again": [*anew["again"], 7]}, 0.01, one_in_ten_is_false)
    assert set(again["false"]) < set(last["false"])
    assert (last["again"], last["next"] > again["next"], last["seconds"] > 0) == ([], True, True)
    assert f"plan {plans.FIRST}" in plans.told(again)
    assert "eligible with batch" in plans.told(again)
    assert f"plan {plans.FIRST + 7}: ZeroDivisionError()" in plans.told(again)
    assert f"rate in {again['outcomes']['held']}" in plans.told(again)
