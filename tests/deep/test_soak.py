"""The long comparison: it asks always the same, it notices what contradicts itself and makes it simple, it goes on and is reported."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.methods import METHODS, carrier_of

sys.path.insert(0, str(Path(__file__).parent))
import long_comparison
import soak

FRESH = soak.fresh(1)
GROUP = {"code": "", "asked": 80, "refused": 1, "seconds": 3600.0, "failures": {}}


def counts(state: dict[str, Any], what: str) -> int:
    return sum(group[what] for group in state["groups"].values())


def test_a_run_goes_on_where_the_last_one_ended() -> None:
    once = soak.soaked(FRESH, 0.3)
    again = soak.soaked(once, 0.1)
    assert [group["failures"] for group in again["groups"].values() if group["failures"]] == []
    assert again["next"] > once["next"] == counts(once, "asked") + counts(once, "refused") > 0
    assert soak.drawn(7, 1) == soak.drawn(7, 1) != soak.drawn(7, 2)
    assert soak.continued(again) == again
    assert 0 < soak.spent(again) < 60


def test_what_was_asked_of_code_that_is_changed_is_counted_apart_and_all_else_stays() -> None:
    """Mutants: an engine that is wrong, and one that breaks down."""
    names = ["monotone: clones", "monotone: blanket", "exact inside balls: a method that is gone"]
    groups = {name: {**GROUP, "code": long_comparison.code_of(name)} for name in names}
    groups["monotone: blanket"] = {**GROUP, "code": "of before", "failures": {"5": "wrong"}}
    groups[names[2]]["code"] = "of before"
    state = soak.continued({**FRESH, "next": 90, "groups": groups})
    assert list(state["groups"]) == ["monotone: clones"]
    assert state["earlier"] == {"comparisons": 160, "seconds": 7200.0}
    assert (state["next"], state["again"], soak.spent(state)) == (90, [5], 3600.0)
    assert soak.continued(state) == state


def test_the_code_of_a_comparison_is_what_its_engines_import_at_any_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutant: a module three imports away from the binding is changed."""
    names = ("monotone: clones", "monotone: clones, blanket", "monotone: zero-sum")
    before = {name: long_comparison.code_of(name) for name in names}
    assert len(set(before.values())) == 3
    deep = "shuffleproof.impl.ball.bounds.clones.clones_sums"
    truth = long_comparison._read
    assert deep != carrier_of(METHODS["clones"], "ball").module
    monkeypatch.setattr(long_comparison, "_read", lambda module: ("changed" if module == deep else truth(module)[0], truth(module)[1]))
    plans = {long_comparison.code_of_plans.__wrapped__()}
    after = {name: long_comparison.code_of.__wrapped__(name) for name in names}
    assert {name for name in names if before[name] != after[name]} == {"monotone: clones", "monotone: clones, blanket"}
    for other in (
        "shuffleproof.mechanisms.participation",
        "shuffleproof.spec.plans.meaning",
        "shuffleproof.impl.fast.bounds.swap.controlled_sum",
    ):
        monkeypatch.setattr(
            long_comparison, "_read", lambda module, other=other: ("changed" if module == other else truth(module)[0], truth(module)[1])
        )
        plans.add(long_comparison.code_of_plans.__wrapped__())
    assert len(plans) == 4


def test_every_method_has_its_hours_and_two_compared_count_for_both() -> None:
    group = {**GROUP, "seconds": 7200.0}
    lines = soak.by_method({"monotone: clones": GROUP, "methods in order: first-arrival, adaptive-pair": group})
    assert len(lines) == len(METHODS)
    assert [line.split() for line in lines[-3:]] == [
        ["1.000", "h", "80", "comparisons", "clones"],
        ["2.000", "h", "80", "comparisons", "adaptive-pair"],
        ["2.000", "h", "80", "comparisons", "first-arrival"],
    ]


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
    failures = {number: line for group in found["groups"].values() for number, line in group["failures"].items()}
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
