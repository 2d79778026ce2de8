"""The API: two questions, a method by name, an engine by name; what has no end is refused before any work."""

import sys
from fractions import Fraction
from typing import Any, get_args

import pytest
from method_records import RECORDS

import shuffleproof
from shuffleproof import DomainError, RegimeError, ResourceLimitError, UnsupportedError, answering, audit, calibrate
from shuffleproof.bounds import answer
from shuffleproof.claims.formula import Formula
from shuffleproof.methods import METHODS, engines_for, functions
from shuffleproof.planning.plan import reading
from shuffleproof.planning.sweep.swept import sweep
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.methods import MethodName


def test_every_name_that_is_offered_exists() -> None:
    assert all(hasattr(shuffleproof, name) for name in shuffleproof.__all__)


def test_every_specified_method_is_offered_and_every_engine_it_names_carries_it() -> None:
    former = {alias for each in RECORDS for alias in each.aliases}
    specified = {each.name for each in RECORDS if each.parameters} - former
    assert set(METHODS) == specified == set(get_args(MethodName)) - former
    for method in METHODS.values():
        assert engines_for(method)
        for engine in engines_for(method):
            carried = [quantity for quantity in get_args(Quantity) if getattr(functions(method, engine), quantity) is not None]
            assert carried == [quantity for quantity in get_args(Quantity) if engine in engines_for(method, quantity)]
            assert set(carried) <= set(method.quantities)


def test_the_clones_epsilon_of_a_million_users() -> None:
    bound = shuffleproof.epsilon(n=10**6, epsilon0=1, delta="1e-6", method="clones")
    assert bound.engine == "ball"
    assert bound.claim_side == "upper"
    assert Fraction("0.00433451980298662") < bound.upper < Fraction("0.00433451980298664")


def test_auto_is_exact_where_that_is_cheap() -> None:
    bound = shuffleproof.delta(n=2, epsilon0="ln 4", epsilon=0)
    assert (bound.engine, bound.lower, bound.upper) == ("exact", Fraction(12, 25), Fraction(12, 25))


@pytest.mark.parametrize("parameters", [{"n": 21, "epsilon0": "ln 4"}, {"n": 2, "epsilon0": "1"}])
def test_auto_is_certified_balls_elsewhere(parameters: dict[str, Any]) -> None:
    assert shuffleproof.delta(**parameters, epsilon=0).engine == "ball"


def test_asking_for_digits_asks_for_balls() -> None:
    bound = shuffleproof.epsilon(n=5, epsilon0="ln 4", delta="1e-3", digits=25)
    assert bound.engine == "ball"
    assert (bound.upper - bound.lower) * 10**25 <= bound.upper


def test_an_engine_asked_for_by_name_answers_or_refuses() -> None:
    assert shuffleproof.epsilon(n=30, epsilon0="ln 4", delta="1e-3", engine="exact").engine == "exact"
    with pytest.raises(UnsupportedError, match="irrational"):
        shuffleproof.epsilon(n=30, epsilon0=1, delta="1e-3", engine="exact")
    with pytest.raises(ResourceLimitError):
        shuffleproof.epsilon(n=10**5, epsilon0="ln 4", delta="1e-3", engine="exact")


def test_balls_answer_where_the_fast_engine_cannot_guarantee_a_side(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def only_balls(method: Any, engine: str, quantity: str, parameters: Any, **_: Any) -> str:
        asked.append(engine)
        if engine == "fast":
            raise UnsupportedError(what="n", reason="too large", advice="use balls")
        return "a bound"

    monkeypatch.setattr(answering, "_ask", only_balls)
    result = answer(quantity="epsilon", parameters={"n": 10, "epsilon0": 1, "delta": 0}, engine="fast", method="clones")
    assert asked == ["fast", "ball"]
    assert "too large" in result.handed_over


@pytest.mark.parametrize(
    ("parameters", "parameter"),
    [
        ({"n": 0}, "n"),
        ({"n": -5}, "n"),
        ({"n": "1.5"}, "n"),
        ({"n": "1e400"}, "n"),
        ({"n": True}, "n"),
        ({"epsilon0": -1}, "epsilon0"),
        ({"epsilon0": "nan"}, "epsilon0"),
        ({"epsilon0": float("inf")}, "epsilon0"),
        ({"delta": "1.5"}, "delta"),
        ({"delta": -1e-9}, "delta"),
        ({"delta": ""}, "delta"),
        ({"method": "magic"}, "method"),
        ({"engine": "quantum"}, "engine"),
        ({"digits": 0}, "digits"),
        ({"digits": "many"}, "digits"),
        ({"digits": 10**6}, "digits"),
        ({"digits": 20, "engine": "fast"}, "digits"),
        ({"digits": 20, "engine": "exact"}, "digits"),
    ],
)
def test_a_bad_parameter_is_named(parameters: dict[str, Any], parameter: str) -> None:
    good: dict[str, Any] = {"n": 100, "epsilon0": 1, "delta": "1e-6"}
    with pytest.raises(DomainError) as refusal:
        shuffleproof.epsilon(**{**good, **parameters})
    assert refusal.value.parameter == parameter


def test_an_engines_limit_is_not_reported_before_a_bad_parameter() -> None:
    with pytest.raises(DomainError):
        shuffleproof.epsilon(n=10**5, epsilon0="ln 4", delta=2, engine="exact")


def test_the_closed_form_is_refused_outside_its_regime_and_gives_no_delta() -> None:
    with pytest.raises(RegimeError, match="clones"):
        shuffleproof.epsilon(n=100, epsilon0=4, delta="1e-6", method="clones-closed-form")
    with pytest.raises(UnsupportedError):
        shuffleproof.delta(n=100, epsilon0=1, epsilon=1, method="clones-closed-form")
    with pytest.raises(UnsupportedError, match="engine"):
        shuffleproof.epsilon(n=10**6, epsilon0=1, delta="1e-6", method="clones-closed-form", engine="exact")


def test_the_zero_sum_protocol_is_asked_about_by_its_own_parameter() -> None:
    assert shuffleproof.delta(n=3, p="1/2", epsilon="ln 2", method="zero-sum").exact == "0.25"
    bound = shuffleproof.delta(n=10**5, p="0.9996593", epsilon=1, method="zero-sum")
    assert bound.engine == "ball"
    assert Fraction("9.9e-7") < bound.upper < Fraction("1e-6")
    with pytest.raises(RegimeError, match="no epsilon is enough"):
        shuffleproof.epsilon(n=10, p="1/2", delta="1e-6", method="zero-sum")


@pytest.mark.parametrize(
    ("parameters", "parameter"),
    [
        ({"method": "zero-sum"}, "p"),
        ({"method": "zero-sum", "p": "1.5"}, "p"),
        ({"method": "zero-sum", "p": "1/2", "epsilon0": 1}, "epsilon0"),
        ({"method": "clones", "p": "1/2", "epsilon0": 1}, "p"),
        ({"method": "clones"}, "epsilon0"),
        ({"method": "zero-sum", "p": "1/2", "n": 0}, "n"),
    ],
)
def test_a_method_takes_its_own_parameters_and_no_others(parameters: dict[str, Any], parameter: str) -> None:
    with pytest.raises(DomainError) as refusal:
        shuffleproof.delta(**{"n": 100, "epsilon": 1, **parameters})
    assert refusal.value.parameter == parameter


def test_floats_that_settle_fewer_digits_than_were_asked_for_are_no_answer() -> None:
    asked = {"n": 10**9, "p": 3, "beta": "1/4", "q": 3, "epsilon": "0.0008"}
    settled = answer(quantity="delta", method="optimal-pair", parameters=asked, digits=3)
    assert settled.bound.engine == "fast"
    with pytest.raises(ResourceLimitError):
        answer(quantity="delta", method="optimal-pair", parameters=asked, digits=6)


DISTRIBUTIONS = [["3/4", "1/4"], ["1/4", "3/4"]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: calibrate.split_and_mix(n=1000, modulus=2**32, epsilon="1e300", delta="1e-6"),
        lambda: audit.distribution(DISTRIBUTIONS, epsilon0="1e10000"),
        lambda: audit.distribution(DISTRIBUTIONS, n=10, epsilon="1e10000"),
        lambda: audit.samples([["0", "1"], ["0", "1"]], epsilon="1e308", delta="1e-6"),
    ],
)
def test_an_epsilon_beyond_every_use_is_refused(call):
    with pytest.raises(DomainError, match="at most 10000"):
        call()


@pytest.mark.parametrize("content", ["a = " + "[" * 5000, "a = 1" + "0" * 100_000])
def test_a_plan_that_no_parser_takes_is_refused(tmp_path, content):
    path = tmp_path / "plan.toml"
    path.write_text(content)
    with pytest.raises(DomainError, match="TOML"):
        reading.read(path)


def test_a_formula_nested_deeper_than_the_stack_is_refused():
    def deep(frames):
        return deep(frames - 1) if frames else Formula("-" * 400 + "n").ends({"n": Fraction(3)})

    assert deep(0) == (3, 3)
    with pytest.raises(DomainError, match="nested"):
        deep(sys.getrecursionlimit() - 300)


def test_more_workers_than_any_cluster_has_are_refused(tmp_path):
    with pytest.raises(DomainError, match="10000"):
        sweep(n=[10], epsilon0=[1], delta=["1e-6"], output=tmp_path / "out.jsonl", workers="1e9")
