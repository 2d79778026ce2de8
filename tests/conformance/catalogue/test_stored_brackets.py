"""What the kit expects of named randomizers is derived from today's bounds: a stored bracket is no wider than what the library says."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from shuffleproof import shuffled
from shuffleproof.conformance import vectors
from shuffleproof.conformance.judging.judge import judge
from shuffleproof.conformance.operations import SHUFFLED
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.vectors import Case
from shuffleproof.mechanisms.randomizers import NAMED
from shuffleproof.spec.vocabulary.numerals import decimal_text

_DIGITS = 5
"""Digits of a stored end, which is rounded outward."""


def stored(operation: str) -> Iterator[Case]:
    for case in vectors.load(vectors.DIRECTORY / f"{operation}.json").cases:
        if case.given.get("method") == SHUFFLED and case.expected.kind == "bracket":
            yield case


def ends(case: Case) -> tuple[Fraction, Fraction]:
    return case.expected.lower.bounds()[1], case.expected.upper.bounds()[0]


def answered(value: Fraction) -> Answer:
    return Answer(claim="upper", value=str(value))


def wider(case: Case, lower: Fraction, upper: Fraction) -> str:
    """How the stored bracket is wider than today's: its text, or nothing."""
    today = Fraction(decimal_text(lower, digits=_DIGITS, direction="down")), Fraction(decimal_text(upper, digits=_DIGITS, direction="up"))
    low, high = ends(case)
    # float64 bounds may differ in their last digit from one machine to another
    unit = 1 + Fraction(2, 10 ** (_DIGITS - 1))
    return "" if low * unit >= today[0] and high <= today[1] * unit else f"{case.id}: [{float(low)}, {float(high)}] is stored"


def todays(case: Case) -> tuple[Fraction, Fraction]:
    """What the library says today; of hashing, whose family of functions the kit does not name, what holds for each."""
    given = {name: text for name, text in case.given.items() if name not in ("method", "n", "randomizer")}
    central = {name: given.pop(name) for name in ("delta", "epsilon") if name in given}
    families = [{"family": "uniform"}, {"family": "any"}] if case.given["randomizer"] == "hash" else [{}]
    found = []
    for family in families:
        one = shuffled(NAMED[case.given["randomizer"]](**given, **family), n=int(case.given["n"]))
        found.append(one.epsilon(**central) if "delta" in central else one.delta(**central))  # type: ignore[call-overload]
    return Fraction(0) if found[0].lower is None else found[0].lower.lower, found[-1].upper.upper


@pytest.mark.parametrize("operation", ["epsilon", "delta"])
def test_a_stored_bracket_is_no_wider_than_todays(operation: str) -> None:
    chosen = [case for case in stored(operation) if int(case.given["n"]) <= 1000][:: 13 if operation == "epsilon" else 11]
    assert len(chosen) >= 5
    assert [found for case in chosen if (found := wider(case, *todays(case)))] == []


@pytest.mark.deep
@pytest.mark.parametrize("operation", ["epsilon", "delta"])
def test_no_stored_bracket_is_wider_than_todays(operation: str) -> None:
    assert [found for case in stored(operation) if (found := wider(case, *todays(case)))] == []


def test_there_are_many_of_every_size() -> None:
    found = [case for operation in ("epsilon", "delta") for case in stored(operation)]
    assert len(found) >= 200
    assert {case.given["n"] for case in found} >= {"10", "100", "1000", "10000", "1000000"}
    assert {case.given["randomizer"] for case in found} >= {"laplace", "rappor", "asymmetric-rappor", "krr", "hadamard", "subset", "hash"}


def test_a_widened_bracket_is_noticed() -> None:
    case = next(case for case in stored("epsilon") if case.given["n"] == "1000" and case.given["randomizer"] == "rappor" and ends(case)[0])
    low, high = ends(case)
    assert not wider(case, low, high)
    assert wider(case, low * Fraction(101, 100), high)
    assert wider(case, low, high * Fraction(99, 100))


def test_an_answer_inside_a_bracket_is_not_decided() -> None:
    case = next(case for case in stored("epsilon") if case.given["n"] == "1000" and case.given["randomizer"] == "laplace")
    low, high = ends(case)
    inside = judge(case, answered((low + high) / 2))
    assert "not decided within" in inside.detail
    assert judge(case, answered(low * Fraction(99, 100))).verdict.value == "unsound"
    assert "tight" not in judge(case, answered(high)).detail
    for claim in ("exact", "estimate"):
        assert "not decided within" in judge(case, Answer(claim=claim, value=str((low + high) / 2))).detail
