"""The long comparison: it asks always the same, it notices what contradicts itself and makes it simple, it goes on and is reported."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.methods import METHODS

sys.path.insert(0, str(Path(__file__).parent))
import soak

FRESH = soak.fresh(1)


def test_a_run_goes_on_where_the_last_one_ended() -> None:
    once = soak.soaked(FRESH, 0.3)
    again = soak.soaked(once, 0.1)
    assert again["failures"] == {}
    assert again["next"] > once["next"] > once["refused"] >= 0
    assert sum(once["asked"].values()) >= once["next"] - once["refused"] > 0
    assert soak.drawn(7, 1) == soak.drawn(7, 1) != soak.drawn(7, 2)
    assert soak.continued(again) == again
    assert 0 < again["seconds"] < 60
    assert again["spent"].keys() == again["asked"].keys()
    assert 0 < max(again["spent"].values()) <= again["seconds"]


def test_where_the_code_has_changed_the_count_begins_again_and_what_was_wrong_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {"asked": {"clones": 80}, "spent": {"clones": 9.5}, "next": 90, "failures": {"5": "wrong"}}
    assert soak.continued({**FRESH, **before, "code": "of before"}) == {**FRESH, "next": 90, "again": [5]}
    assert soak.code_of("spec") != soak.code_of("spec", "impl") == FRESH["code"] != soak.code_of("spec", "impl", "shuffleproof/planning")
    monkeypatch.setattr(soak, "digest", lambda source: "changed" if "def shuffled_distribution" in source else "")
    assert soak.code_of.__wrapped__("spec") != soak.code_of.__wrapped__("impl")


def test_every_method_takes_part() -> None:
    """Mutant: an order that is left out of ORDERS."""
    compared = {method.name for pair in (("exact", "ball"), ("fast", "ball")) for method in soak.cross_checks.compared(*pair)}  # type: ignore[arg-type]
    assert {method for order in soak.ORDERS for method in order} | compared >= {*METHODS}


@pytest.mark.parametrize("order", soak.ORDERS, ids="-".join)
def test_all_orders_have_something_to_compare(order: tuple[str, str]) -> None:
    """Both sides say something, so that an upper bound that is too small would be noticed."""
    central = {"epsilon": soak.Fraction(1, 5)}
    asked: dict[str, Any] = {"quantity": "delta", "engine": "fast", "given": {"n": 12, "epsilon0": soak.Fraction(1), **central}}
    if "delta" not in METHODS[order[0]].quantities:
        asked = {
            "quantity": "epsilon",
            "engine": "ball",
            "given": {"n": 3000, "epsilon0": soak.Fraction(1), "delta": soak.Fraction(1, 10**6)},
        }
    asked |= {"k": 3, "randomizer": {"randomizer": "krr", "k": 4}, "methods": order}
    assert soak.contradiction("methods in order", asked) is None
    low, high = soak.value(asked, order[1]).lower, soak.value(asked, order[0]).upper
    assert 0 < low < high


def test_what_breaks_down_or_is_wrong_is_a_line_and_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def broken(kind: str, _asked: soak.Question) -> str | None:
        seen.append(kind)
        if len(seen) == 1:
            return "it is wrong"
        raise ZeroDivisionError("and breaks down")

    monkeypatch.setattr(soak, "contradiction", broken)
    monkeypatch.setattr(soak, "simplest", lambda _, asked: asked)
    found = soak.soaked({**FRESH, "next": 90, "again": [5]}, 0.001)
    failures = found["failures"]
    assert found["again"] == []
    assert next(iter(failures)) == "5"
    assert "ZeroDivisionError: and breaks down" in failures["5"]
    assert seen[0] == soak.drawn(5, 1)[0]


def test_methods_in_the_wrong_order_are_noticed_and_made_simple() -> None:
    kind, asked = next((kind, asked) for kind, asked in (soak.drawn(n, 1) for n in range(2, 400, 4)) if asked["engine"] == "ball")
    asked = {**asked, "methods": ("binary-rr-pair", "clones"), "given": {**asked["given"], "n": 300}}
    assert soak.contradiction(kind, asked) is not None
    least = soak.simplest(kind, asked)
    assert least["given"]["n"] < 300
    assert "binary-rr-pair is below clones" in soak.one_line(kind, least, str(soak.contradiction(kind, least)))


@pytest.mark.parametrize("by", ["n", "central", "epsilon0"])
def test_a_bound_that_goes_the_wrong_way_is_noticed(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"quantity": "epsilon", "engine": "ball", "given": {"n": 50, "epsilon0": soak.Fraction(1), "delta": soak.Fraction(1, 100)}}
    asked |= {"methods": ("clones",), "by": by, "factor": soak.Fraction(3), "k": 3, "randomizer": {}}
    assert soak.contradiction("monotone", asked) is None
    truth = soak.value
    monkeypatch.setattr(soak, "value", lambda *given, **changed: _turned(truth(*given, **changed)))
    assert soak.contradiction("monotone", asked) is not None


def _turned(bound: Any) -> Any:
    return replace(bound, lower=1 / bound.upper, upper=1 / bound.lower)
