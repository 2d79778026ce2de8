"""Relations: only what follows from the claims is judged, in exact arithmetic, and each way of contradicting oneself is named."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from harnesses import a_case
from hypothesis import given, strategies as st

from shuffleproof.conformance.judging.judge import Judgement, Verdict, judge
from shuffleproof.conformance.judging.relations import Gathering, judge_relation, questions
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.conformance.running.asking import judged
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.vectors import Case, Expected, suite_cases

ULP = Fraction(1, 10**60)


def relation(name: str, *at: int | Fraction, number: int = 2, operation: str = "delta") -> Case:
    """A relation between that many questions. Estimates may contradict each other by 1e-9."""
    points = tuple(Fraction(point) for point in at)
    return a_case(
        id="related",
        operation=operation,
        given={"n": "all"},
        inputs=tuple({"n": str(i)} for i in range(len(points) or number)),
        expected=Expected(kind="relation", relation=name, at=points, because="it is", shown=f"{name}: it is"),
        relative_tolerance=Fraction(1, 10**9),
    )


def said(case: Case, *answers: tuple[str, object]) -> Judgement:
    return judge_relation(case, [Answer(claim=claim, value=str(value)) for claim, value in answers])


def verdict(case: Case, *answers: tuple[str, object]) -> Verdict:
    return said(case, *answers).verdict


FALLING, RISING, EQUAL = relation("nonincreasing"), relation("nondecreasing"), relation("equal")
CONVEX = relation("convex", 1, 2, 4)


def test_exact_answers_must_be_in_order_and_by_whatever_little() -> None:
    x = Fraction(7, 24)
    assert verdict(FALLING, ("exact", x), ("exact", x)) is Verdict.CONFORMS
    assert verdict(FALLING, ("exact", x), ("exact", x - ULP)) is Verdict.CONFORMS
    assert verdict(FALLING, ("exact", x), ("exact", x + ULP)) is Verdict.MISMATCH
    assert verdict(RISING, ("exact", x), ("exact", x - ULP)) is Verdict.MISMATCH
    assert verdict(EQUAL, ("exact", x), ("exact", x - ULP)) is Verdict.MISMATCH
    assert verdict(EQUAL, ("exact", "ln 3"), ("exact", "ln 6/2")) is Verdict.CONFORMS
    assert verdict(EQUAL, ("exact", "ln 3"), ("exact", "1.0986122886681098")) is Verdict.MISMATCH
    three = relation("nonincreasing", number=3)
    assert verdict(three, ("exact", 3), ("exact", 1), ("exact", 2)) is Verdict.MISMATCH
    assert verdict(three, ("exact", 3), ("upper", 9), ("exact", 4)) is Verdict.MISMATCH, "also across an answer of which nothing follows"


def test_an_upper_end_below_a_lower_end_is_unsound() -> None:
    """Where f(1) >= f(2): one of the two claims is wrong, whichever."""
    assert verdict(FALLING, ("upper", 1), ("lower", 1 + ULP)) is Verdict.UNSOUND
    assert verdict(FALLING, ("upper", 1), ("exact", 1 + ULP)) is Verdict.UNSOUND
    assert verdict(FALLING, ("exact", 1), ("lower", 1 + ULP)) is Verdict.UNSOUND
    assert verdict(FALLING, ("upper", 1), ("lower", 1)) is Verdict.CONFORMS
    assert "answers 1 and 2 contradict each other" in said(FALLING, ("upper", 1), ("lower", 2)).detail


def test_bounds_need_not_be_in_order_but_one_that_could_be_tighter_is_loose() -> None:
    """Where f(1) >= f(2), an upper bound at 1 holds at 2 as well, and a lower bound at 2 holds at 1."""
    found = said(FALLING, ("upper", 1), ("upper", 2))
    assert (found.verdict, found.ratio) == (Verdict.LOOSE, "2")
    assert "answer 2, since answer 1 holds there too" in found.detail
    assert verdict(FALLING, ("upper", 2), ("upper", 1)) is Verdict.CONFORMS
    assert verdict(FALLING, ("upper", 1), ("upper", 1 + Fraction(1, 10**6))) is Verdict.CONFORMS, "within the slack"
    assert said(FALLING, ("lower", 1), ("lower", 4)).ratio == "4"
    assert said(FALLING, ("exact", 1), ("upper", 3)).ratio == "3"
    assert verdict(EQUAL, ("upper", 1), ("upper", 1)) is Verdict.CONFORMS
    assert said(EQUAL, ("upper", 3), ("upper", 1)).ratio == "3"
    assert said(FALLING, ("upper", 0), ("upper", 1)).ratio == "infinite"


def test_where_nothing_follows_nothing_is_judged() -> None:
    for claims in (("lower", "upper"), ("estimate", "upper"), ("lower", "estimate")):
        found = said(FALLING, *((claim, 1) for claim in claims))
        assert (found.verdict, found.detail) == (Verdict.UNSUPPORTED, f"nothing follows from these claims: {claims[0]}, {claims[1]}")
    assert verdict(FALLING, ("lower", 0), ("upper", 9)) is Verdict.UNSUPPORTED
    assert verdict(CONVEX, ("lower", 1), ("lower", 9), ("lower", 1)) is Verdict.UNSUPPORTED
    assert verdict(CONVEX, ("lower", 1), ("upper", 9), ("upper", 1)) is Verdict.UNSUPPORTED


def test_estimates_may_contradict_each_other_by_rounding_only() -> None:
    assert verdict(FALLING, ("estimate", "1"), ("estimate", "1.0000000009")) is Verdict.CONFORMS
    assert verdict(FALLING, ("estimate", "1"), ("estimate", "1.0000000011")) is Verdict.MISMATCH
    assert verdict(EQUAL, ("exact", "1"), ("estimate", "0.9999999")) is Verdict.MISMATCH
    assert verdict(EQUAL, ("estimate", "0"), ("estimate", "0")) is Verdict.CONFORMS


def test_convexity_of_exact_answers_is_judged_on_the_chord() -> None:
    """At 1, 2, 4 the chord at 2 is (2 f(1) + f(4))/3."""
    assert verdict(CONVEX, ("exact", 9), ("exact", 7), ("exact", 3)) is Verdict.CONFORMS
    assert verdict(CONVEX, ("exact", 9), ("exact", 7 + ULP), ("exact", 3)) is Verdict.MISMATCH
    assert verdict(CONVEX, ("upper", 9), ("exact", 7 + ULP), ("exact", 3)) is Verdict.UNSOUND
    assert verdict(CONVEX, ("upper", 9), ("lower", 7 + ULP), ("upper", 3)) is Verdict.UNSOUND
    assert verdict(CONVEX, ("upper", 9), ("lower", 7), ("upper", 3)) is Verdict.CONFORMS
    assert verdict(CONVEX, ("estimate", 9), ("estimate", "7.000000008"), ("estimate", 3)) is Verdict.CONFORMS
    assert verdict(CONVEX, ("estimate", 9), ("estimate", "7.00000001"), ("exact", 3)) is Verdict.MISMATCH
    four = relation("convex", 1, 2, 3, 4)
    assert verdict(four, ("exact", 9), ("exact", 4), ("exact", 3), ("exact", 1)) is Verdict.MISMATCH
    assert "answers 2, 3, 4" in said(four, ("exact", 9), ("exact", 4), ("exact", 3), ("exact", 1)).detail


def test_an_upper_bound_of_a_convex_function_is_loose_above_the_chord() -> None:
    assert said(CONVEX, ("upper", 9), ("upper", 14), ("upper", 3)).ratio == "2"
    assert verdict(CONVEX, ("upper", 9), ("upper", 7), ("exact", 3)) is Verdict.CONFORMS
    assert verdict(CONVEX, ("upper", 9), ("upper", 1), ("upper", 3)) is Verdict.CONFORMS


@given(
    st.lists(st.fractions(0, 2, max_denominator=50), min_size=3, max_size=3),
    st.lists(st.tuples(st.sampled_from(["exact", "upper", "lower"]), st.fractions(0, 1, max_denominator=50)), min_size=3, max_size=3),
    st.sampled_from(["nonincreasing", "nondecreasing", "equal", "convex"]),
)
def test_sound_claims_about_a_truth_that_satisfies_the_relation_never_contradict_each_other(
    raw: list[Fraction], claims: list[tuple[str, Fraction]], name: str
) -> None:
    truths = {"nonincreasing": sorted(raw, reverse=True), "nondecreasing": sorted(raw), "equal": [raw[0]] * 3}.get(name)
    if truths is None:
        truths = [raw[0], min(raw[1], (2 * raw[0] + raw[2]) / 3), raw[2]]
    off = {"exact": Fraction(0), "upper": Fraction(1), "lower": Fraction(-1)}
    answers = [(claim, truth + off[claim] * by) for truth, (claim, by) in zip(truths, claims, strict=True)]
    case = relation(name, 1, 2, 4) if name == "convex" else relation(name, number=3)
    assert verdict(case, *answers) in (Verdict.CONFORMS, Verdict.LOOSE, Verdict.UNSUPPORTED)


def distributions(*tables: Mapping[str, str], claim: str = "law") -> Verdict:
    case = relation("equal", number=len(tables), operation="randomizer_law")
    return judge_relation(case, [Answer(claim=claim, table=table) for table in tables]).verdict


def test_distributions_are_the_same_outcome_by_outcome() -> None:
    assert distributions({"0": "3/4", "1": "1/4"}, {"1": "0.25", "0": "6/8", "2": "0"}) is Verdict.CONFORMS
    assert distributions({"0": "0.75", "1": "0.25"}, {"0": "0.7500000001", "1": "0.25"}) is Verdict.CONFORMS
    assert distributions({"0": "0.75", "1": "0.25"}, {"0": "0.75", "1": "0.2500000004"}) is Verdict.MISMATCH
    assert distributions({"0": "3/4", "1": "1/4"}, {"0": "3/4", "1": "250000000000001/1000000000000000"}) is Verdict.MISMATCH
    assert distributions({"0": "3/4", "1": "1/4"}, {"0": "3/4"}) is Verdict.MISMATCH
    assert distributions({"0": "7500", "1": "2500"}, {"0": "7400", "1": "2600"}, claim="samples") is Verdict.UNSUPPORTED


def gathered(case: Case, *answers: Answer) -> CaseResult:
    """The result of a relation whose questions are answered in another order than they have."""
    gathering, found = Gathering([case]), None
    order = sorted(zip(questions(case), answers, strict=True), key=lambda pair: pair[0].given["n"], reverse=True)
    for question, answer in order:
        assert found is None
        found = gathering.heard(judged(question, judge(question, answer), answer=answer, seconds=0.5))
    assert found is not None
    return found


def test_a_relation_has_one_result_when_its_last_question_has_one() -> None:
    found = gathered(FALLING, Answer(claim="exact", value="1/2"), Answer(claim="upper", value="0.4"))
    assert (found.id, found.verdict, found.expected) == ("related", Verdict.CONFORMS, "nonincreasing: it is")
    assert (found.claim, found.value, found.seconds) == ("exact, upper", {"1": "1/2", "2": "0.4"}, 1.0)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [(Answer(claim="refused", reason="no"), Verdict.REFUSED), (Answer(claim="unsupported", reason="no"), Verdict.UNSUPPORTED)],
)
def test_a_question_without_an_answer_is_the_verdict_on_its_relation(answer: Answer, outcome: Verdict) -> None:
    found = gathered(FALLING, Answer(claim="exact", value="1/2"), answer)
    assert found.verdict is outcome
    assert found.detail.startswith("question 2: ")


def test_what_is_asked_for_a_relation_holds_nothing_of_it() -> None:
    case = next(case for case in suite_cases("all") if case.expected.kind == "relation")
    asked = questions(case)
    assert [question.given for question in asked] == list(case.inputs)
    assert {question.expected.kind for question in asked} == {"part"}
    assert len({question.id for question in asked}) == len(asked)
