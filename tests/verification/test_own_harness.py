"""Our engines as harnesses: they answer on the side that they can defend, and decline the rest in the protocol's own words."""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from shuffleproof.conformance.judging.judge import judge
from shuffleproof.conformance.judging.quantity import parse_quantity
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.running.protocol import answer_message, parse_answer
from shuffleproof.conformance.vectors import suite_cases
from shuffleproof.spec.vocabulary.bound import Engine
from shuffleproof.verification import own_harness
from shuffleproof.verification.own_harness import EngineHarness

EPSILON = {"method": "clones", "n": "30", "epsilon0": "ln 3", "delta": "1e-3"}


@pytest.mark.parametrize(("method", "claim"), [("clones", "upper"), ("binary-rr-pair", "lower")])
def test_the_certified_end_lies_on_the_claims_side_of_the_exact_value(method: str, claim: str) -> None:
    exact, ball = (harness.run("epsilon", {**EPSILON, "method": method}) for harness in (own_harness.exact(), own_harness.ball()))
    assert (exact.claim, ball.claim) == ("exact", claim)
    values = [parse_quantity(each.value) for each in ((exact, ball) if claim == "upper" else (ball, exact)) if each.value is not None]
    assert values[0] <= values[1]


def test_the_digits_asked_for_are_given() -> None:
    harness = own_harness.ball()
    harness.configure(seed=1, digits=30)
    answer = harness.run("epsilon", {**EPSILON, "n": "1000"})
    assert len(answer.value) > 30


@pytest.mark.parametrize(
    "given", [{**EPSILON, "n": "0"}, {**EPSILON, "epsilon0": "-1"}, {**EPSILON, "method": "clones-closed-form", "epsilon0": "9"}]
)
def test_what_has_no_answer_is_refused(given: dict[str, str]) -> None:
    assert own_harness.ball().run("epsilon", given).claim == "refused"


@pytest.mark.parametrize("given", [{**EPSILON, "epsilon0": "1"}, {**EPSILON, "n": "100000"}, {**EPSILON, "method": "clones-closed-form"}])
def test_what_exact_arithmetic_cannot_do_is_unsupported(given: dict[str, str]) -> None:
    assert own_harness.exact().run("epsilon", given).claim == "unsupported"


def test_the_distributions_of_randomized_response_are_exact() -> None:
    harness = own_harness.exact()
    answer = harness.run("randomizer_law", {"randomizer": "binary-rr", "epsilon0": "ln 3", "input": "0"})
    assert answer.table == {"0": "3/4", "1": "1/4"}
    answer = harness.run("randomizer_law", {"randomizer": "k-rr", "k": "3", "epsilon0": "ln 3", "input": "2"})
    assert {outcome: Fraction(weight) for outcome, weight in answer.table.items()} == {
        "0": Fraction(1, 5),
        "1": Fraction(1, 5),
        "2": Fraction(3, 5),
    }


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ({"randomizer": "binary-rr", "epsilon0": "ln 3", "input": "2"}, "refused"),
        ({"randomizer": "k-rr", "k": "0", "epsilon0": "ln 3", "input": "0"}, "refused"),
        ({"randomizer": "binary-rr", "epsilon0": "1", "input": "0"}, "unsupported"),
    ],
)
def test_a_distribution_that_cannot_be_given_is_declined(given: dict[str, str], claim: str) -> None:
    assert own_harness.exact().run("randomizer_law", given).claim == claim


def test_capabilities_are_those_of_the_table_of_methods() -> None:
    assert "clones" in own_harness.fast().capabilities["methods"]
    assert "clones-closed-form" in own_harness.ball().capabilities["methods"]
    assert own_harness.ball().capabilities["randomizers"] == []
    assert own_harness.exact().capabilities["randomizers"] == ["binary-rr", "k-rr"]


@pytest.mark.parametrize("engine", ["exact", "ball", "fast"])
def test_an_engine_conforms_in_everything_it_declares(engine: Engine) -> None:
    """Beside the bounds: the smoke suite asks each operation; nothing that is declared is left unanswered there."""
    harness = EngineHarness(engine)
    declared, answered = set(harness.capabilities["operations"]), set()
    for case in suite_cases("smoke"):
        named = OPERATIONS[case.operation].declared
        if case.operation in declared and (named is None or case.given.get(named[0], None) in (None, *harness.capabilities[named[1]])):
            answer = harness.run(case.operation, case.given)
            line = answer_message(seq=1, answer=answer)
            assert parse_answer(line, seq=1, operation=case.operation, implementation=engine) == answer
            assert judge(case, answer).verdict in ("conforms", "loose", "unsupported"), case.id
            if answer.claim != "unsupported":
                answered.add(case.operation)
    assert answered == declared


def test_an_exact_value_too_long_for_a_line_is_claimed_from_its_side() -> None:
    given = {"method": "zero-sum", "n": "1000", "p": "0.9", "delta": "1e-6"}
    exact, ball = own_harness.exact().run("epsilon", given), own_harness.ball().run("epsilon", given)
    assert exact.claim == ball.claim == "upper"
    assert abs(float(exact.value) - float(ball.value)) < 1e-9


@pytest.mark.parametrize(
    ("operation", "given"),
    [
        ("calibrate", {"protocol": "user-histogram", "n": "10", "epsilon": "1", "delta": "0.1"}),
        ("calibrate", {"protocol": "zero-sum", "n": "0", "epsilon": "1", "delta": "0.1"}),
        ("debias", {"C": "5", "y": "5"}),
    ],
)
def test_what_an_engine_cannot_say_it_declines(operation: str, given: dict[str, str]) -> None:
    assert own_harness.ball().run(operation, given).claim in ("refused", "unsupported")


SUMS = ("fake-users", "binomial-sum", "discrete-gaussian-sum", "split-and-mix", "leaking-response")
ASKED = tuple(case for case in suite_cases("all") if case.given.get("method") in SUMS and case.operation == "delta")
RIGHT = {"conforms", "unsupported"}


def verdicts(wrong: dict[str, str] | None = None, *, method: str = "") -> set[str]:
    """Of the certified engine on every delta, or on those of one method where it takes other parameters than it is given."""
    harness = own_harness.exact() if method == "leaking-response" else own_harness.ball()
    cases = [case for case in ASKED if method in ("", case.given["method"]) and (not wrong or case.expected.kind != "refusal")]
    return {judge(case, harness.run("delta", {**case.given, **_moved(case.given, wrong or {})})).verdict for case in cases}


def _moved(given: Mapping[str, str], wrong: dict[str, str]) -> dict[str, str]:
    return {key: str(Fraction(given[key]) + Fraction(by)) for key, by in wrong.items()}


def test_the_certified_engine_conforms_in_the_sums_and_histograms_under_noise() -> None:
    assert verdicts() <= RIGHT


@pytest.mark.parametrize(
    ("method", "wrong"),
    [
        ("fake-users", {"fakes": "1"}),
        ("binomial-sum", {"coins": "1"}),
        ("binomial-sum", {"n": "1"}),
        ("binomial-sum", {"sensitivity": "-1"}),
        ("discrete-gaussian-sum", {"variance": "1/100"}),
        ("discrete-gaussian-sum", {"n": "1"}),
        ("split-and-mix", {"modulus": "-1"}),
        ("split-and-mix", {"messages": "1"}),
        ("leaking-response", {"delta0": "1/1000"}),
    ],
)
def test_a_parameter_that_is_off_to_the_wrong_side_is_found(method: str, wrong: dict[str, str]) -> None:
    assert verdicts(wrong, method=method) & {"unsound", "mismatch"}
