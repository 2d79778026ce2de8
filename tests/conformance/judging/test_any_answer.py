"""Numbers that a harness may write, and verdicts on any answer at all."""

import json
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from shuffleproof.conformance import vectors
from shuffleproof.conformance.judging import relations
from shuffleproof.conformance.judging.judge import Verdict, judge
from shuffleproof.conformance.judging.quantity import Quantity, compare, parse_quantity
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.reporting import findings, junit, measures
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.conformance.running.asking import judged
from shuffleproof.conformance.running.protocol import Answer, HarnessAnswerError, parse_answer
from shuffleproof.conformance.stored_json import violation
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import decimal_text

SEED = 20261123
SIZES = ("0", "1", "2", "7", ".5", "0.1", "3.", "1" * 40, "9" * 400, "0." + "0" * 300 + "1", "1." + "0" * 500 + "1")
FAR = ("e-10000", "e10000", "e-20000", "e20000", "e-99999", "e99999")
POWERS = (*[""] * 8, *("e-6", "E+5", "e-320", "e400", "e+00007") * 4, *FAR)
"""Those that make numbers of 100,000 digits are a fifth: they take nearly all of the time."""


def number(draw: random.Random) -> str:
    parts = [draw.choice(("", "", "", "+", "-")) + draw.choice(SIZES) + draw.choice(POWERS) for _ in range(draw.choice((1, 1, 2)))]
    return draw.choice(("/", " / ")).join(parts)


def quantity(draw: random.Random, case: Case) -> str:
    close = [end.bounds()[0] for end in (case.expected.lower, case.expected.upper) if end is not None]
    if close and draw.random() < 0.2:
        return decimal_text(draw.choice(close), digits=17, direction="down")
    text = number(draw)
    return draw.choice((text, text, f"ln {text}", f"ln({text})"))


def line(draw: random.Random, case: Case) -> bytes:
    """An answer of the grammar to a case: mostly of the form that was asked for."""
    if draw.random() < 0.05:
        return json.dumps({"seq": 1, draw.choice(("refused", "unsupported")): "no\u202e\x00"}).encode()
    asked = OPERATIONS[case.operation]
    claim: str = draw.choice(("law", "samples") if asked.table else ("upper", "lower", "exact", "estimate"))
    value: object
    if asked.table or asked.several:
        places = list(case.expected.distribution or {"0": None, "1": None})
        places = draw.sample(places, draw.randint(1, len(places)))[:6] if draw.random() < 0.3 else places
        one = (lambda: str(draw.choice((0, 1, 999, 10**17)))) if claim == "samples" else lambda: number(draw)
        value = {place: quantity(draw, case) if asked.several and not asked.table else one() for place in places}
    else:
        value = quantity(draw, case)
    return json.dumps({"seq": 1, "claim": claim, "value": value}).encode()


def verdict_of(case: Case, text: bytes) -> CaseResult:
    try:
        answer = parse_answer(text, seq=1, operation=case.operation, implementation="liar")
    except HarnessAnswerError as error:
        return replace(judged(case, judge(case, Answer(claim="unsupported", reason=str(error)))), verdict=Verdict.PROTOCOL)
    return judged(case, judge(case, answer), answer=answer)


def fuzz(seed: int, answers: int) -> dict[str, int]:
    """How many of so many answers got which verdict."""
    draw, counts = random.Random(seed), dict[str, int]()
    cases = [case for file in vectors.load_all() for case in file.cases]
    results: list[CaseResult] = []
    for _ in range(answers):
        case = draw.choice(cases)
        asked = relations.questions(case)
        gathering, said = relations.Gathering([case]), []
        for question in asked:
            said.append(line(draw, question))
            assert violation(json.loads(said[-1]), schema="protocol", definition="answer") is None or b"value" in said[-1]
            whole = gathering.heard(verdict_of(question, said[-1]))
        counts[whole.verdict.value] = counts.get(whole.verdict.value, 0) + 1
        results.append(whole)
    stored = [json.loads(json.dumps(result.as_json())) for result in results]
    assert findings.findings(stored)
    measures.looseness(stored)
    about = {"name": "liar", "version": "1"}
    junit.junit(
        dict.fromkeys(("connect", "seed", "digits", "replayed", "digest"), "1") | {"suite": "all", "cases": stored, "implementation": about}
    )
    return counts


def test_answers_of_a_grammar_all_get_a_verdict():
    counts = fuzz(SEED, 120)
    assert sum(counts.values()) == 120
    assert {"unsound", "mismatch", "loose", "conforms"} <= counts.keys()


@pytest.mark.deep
@pytest.mark.parametrize("part", range(200))
def test_a_hundred_thousand_answers_get_a_verdict(part):
    """In parts, each of which is reported by itself: what is found in a report costs more than in proportion."""
    print(SEED + 1 + part, fuzz(SEED + 1 + part, 500))


@pytest.mark.parametrize(
    ("value", "verdict"), [("1e10000", "loose"), ("1e10000/1e-10000", "loose"), ("1e-20000", "unsound"), ("1e-99999", "unsound")]
)
def test_numbers_beyond_every_truth_are_judged(value, verdict):
    case = next(
        case
        for file in vectors.load_all()
        for case in file.cases
        if case.operation == "delta" and case.expected.lower is not None and case.expected.lower.bounds()[0] > 0
    )
    result = verdict_of(case, json.dumps({"seq": 1, "claim": "upper", "value": value}).encode())
    assert result.verdict.value == verdict, result.detail
    assert not result.detail.startswith("not ")
    findings.findings([result.as_json()])


ORDERED = [
    "-2",
    "ln 1/3",
    "-1",
    "ln 1/2",
    "-1e-300",
    "0",
    "1e-300",
    "ln 1.000000001",
    "0.5",
    "ln 2",
    "0.7",
    "1",
    "ln 3",
    "1.0986122886681099",
]
QUANTITIES = st.fractions(-50, 50, max_denominator=1000).map(lambda x: Quantity(x, None)) | st.fractions(
    Fraction(1, 1000), 1000, max_denominator=1000
).map(lambda x: parse_quantity(f"ln {x}"))


def test_the_order_of_known_numbers() -> None:
    for i, left in enumerate(ORDERED):
        for j, right in enumerate(ORDERED):
            assert compare(parse_quantity(left), parse_quantity(right)) == (i > j) - (i < j), (left, right)
    assert parse_quantity("ln 1") == parse_quantity("0")


@pytest.mark.parametrize("text", ["", "ln", "ln3", "ln 0", "ln -1", "nan", "inf", "1/0", "ln ln 2", "one", "ln(2"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(DomainError, match="value"):
        parse_quantity(text)


@given(QUANTITIES, QUANTITIES)
def test_comparison_agrees_with_the_enclosures(left: Quantity, right: Quantity) -> None:
    order = compare(left, right)
    assert order == -compare(right, left)
    (a, b), (c, d) = left.bounds(), right.bounds()
    assert a <= b
    if b < c:
        assert order == -1
    if a > d:
        assert order == 1
    if left == right:
        assert order == 0
