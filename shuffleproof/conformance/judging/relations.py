"""Relations: several answers of one harness judged against each other, without knowing the truth.

Let f be the truth, and f(i) its value at question i. A relation says f(i) >= f(j) for some pairs (monotone; equal: both ways), or
f(2) <= w f(1) + (1 - w) f(3) for points in a row (convex). An answer says something about one f(i): "exact" both sides of it, "upper"
and "lower" one side, "estimate" nothing certain. What is judged is what follows from the two together, and nothing else:

- an upper end at i below a lower end at j, where f(i) >= f(j): one of the two is wrong. Unsound, or a mismatch if both are "exact";
- an upper claim at j above an upper end at i: that end holds for f(j) too, so the claim is beyond the truth by at least their ratio.
  Loose where that exceeds the case's slack. Lower claims are the mirror image; for a convex f the upper end is that of the chord;
- estimates are compared with estimates and exact answers only. They may contradict each other by the case's tolerance, which stands for
  rounding and is narrower than the tolerance of a single estimate: a mismatch beyond it.

An upper bound of a monotone or convex function need be neither, so that no verdict asks it to be.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from shuffleproof.conformance.judging.judge import Judgement, Verdict, conforms, mismatch, shown
from shuffleproof.conformance.judging.quantity import LARGEST_EXPONENT, Quantity, compare, parse_quantity
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.conformance.running.asking import judged
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.vectors import Case, Expected
from shuffleproof.spec.vocabulary.numerals import decimal_text, exact_fraction

_SIDES = ("upper", "lower")
_WORST_FIRST = (Verdict.CRASHED, Verdict.TIMED_OUT, Verdict.PROTOCOL, Verdict.REFUSED, Verdict.UNSUPPORTED)
_GRAVEST_FIRST = (Verdict.UNSOUND, Verdict.MISMATCH, Verdict.LOOSE)
_PART = Expected(kind="part", shown="judged together with the other answers of its relation")


def questions(case: Case) -> tuple[Case, ...]:
    """Return what is asked for a case: itself, or for a relation each of its inputs, under an id of its own and with nothing expected."""
    if case.expected.kind != "relation":
        return (case,)
    numbered = enumerate(case.inputs, start=1)
    return tuple(replace(case, id=f"{case.id}, question {i}", given=given, inputs=(), expected=_PART) for i, given in numbered)


class Gathering:
    """Collects the results of questions, and gives the result of a case when its last question has one."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = {question.id: case for case in cases for question in questions(case)}
        self._heard: dict[str, CaseResult] = {}

    def heard(self, result: CaseResult) -> CaseResult | None:
        """The result of the case that the question belongs to, or None while others of its questions are open."""
        case = self._cases[result.id]
        if case.expected.kind != "relation":
            return result
        self._heard[result.id] = result
        parts = [self._heard.get(question.id) for question in questions(case)]
        whole = [part for part in parts if part is not None]
        return _related(case, whole) if len(whole) == len(parts) else None


def judge_relation(case: Case, answers: Sequence[Answer]) -> Judgement:
    """The verdict on the answers to a relation's questions, in their order; each gives a number, or each a table."""
    if any(answer.claim == "samples" for answer in answers):
        return Judgement(verdict=Verdict.UNSUPPORTED, detail="samples are not compared with each other")
    if answers[0].table is not None:
        return _same_distributions(case, answers)
    said = [(answer.claim, parse_quantity(answer.value or "")) for answer in answers]
    followed = list(_convexity(case, said) if case.expected.relation == "convex" else _order(case, said))
    if not followed:
        claims = ", ".join(claim for claim, _ in said)
        return Judgement(verdict=Verdict.UNSUPPORTED, detail=f"nothing follows from these claims: {claims}")
    for verdict in _GRAVEST_FIRST:
        found = [judgement for judgement in followed if judgement.verdict is verdict]
        if found:
            return max(found, key=_beyond)
    return conforms(f"{case.expected.relation}: {len(followed)} comparisons hold")


def _beyond(judgement: Judgement) -> float:
    """How far beyond the truth; for choosing what to show."""
    return math.inf if judgement.ratio == "infinite" else float(judgement.ratio or 0)


def _related(case: Case, parts: Sequence[CaseResult]) -> CaseResult:
    """Return what became of a relation, from what became of its questions."""
    failed = [part for verdict in _WORST_FIRST for part in parts if part.verdict is verdict]
    if failed:
        place = 1 + next(i for i, part in enumerate(parts) if part is failed[0])
        judgement = Judgement(verdict=failed[0].verdict, detail=f"question {place}: {failed[0].detail}")
    else:
        judgement = judge_relation(case, [_answer(part) for part in parts])
    claims = list(dict.fromkeys(part.claim for part in parts if part.claim is not None))
    said = "\n".join(dict.fromkeys(part.stderr for part in parts if part.stderr is not None))
    seconds = [part.seconds for part in parts if part.seconds is not None]
    return replace(
        judged(case, judgement, seconds=sum(seconds) if seconds else None, stderr=said),
        claim=", ".join(claims) or None,
        value={str(i): _told(part) for i, part in enumerate(parts, start=1)} if claims else None,
    )


def _answer(part: CaseResult) -> Answer:
    claim = part.claim or ""
    return Answer(claim=claim, value=part.value) if isinstance(part.value, str) else Answer(claim=claim, table=part.value)


def _told(part: CaseResult) -> str:
    if part.value is None or isinstance(part.value, str):
        return part.value or part.claim or "no answer"
    return ", ".join(f"{outcome}: {text}" for outcome, text in part.value.items())


_Said = tuple[str, Quantity]
"""(claim, value)"""


def _order(case: Case, said: Sequence[_Said]) -> Iterator[Judgement]:
    """Return what follows from f(i) >= f(j), for all pairs of which the relation says so."""
    for (i, first), (j, second) in combinations(enumerate(said, start=1), 2):
        if case.expected.relation in ("nonincreasing", "equal"):
            yield from _at_least(case, (i, *first), (j, *second))
        if case.expected.relation in ("nondecreasing", "equal"):
            yield from _at_least(case, (j, *second), (i, *first))


def _at_least(case: Case, high: tuple[int, str, Quantity], low: tuple[int, str, Quantity]) -> Iterator[Judgement]:
    """Return what follows from f(high) >= f(low)."""
    (i, claim, value), (j, other, less) = high, low
    places, claims = f"answers {i} and {j}", {claim, other}
    if "estimate" in claims:
        if not claims & set(_SIDES):
            gap = less.bounds()[0] - value.bounds()[1]
            yield _by_estimates(case, places, gap, value, less)
        return
    if claim != "lower" and other != "upper":
        if compare(value, less) >= 0:
            yield conforms(places)
        else:
            wrong = Verdict.UNSOUND if claims & set(_SIDES) else Verdict.MISMATCH
            yield Judgement(
                verdict=wrong, detail=f"{places} contradict each other: {shown(*value.bounds())} is to be at least {shown(*less.bounds())}"
            )
    if claim != "lower" and other == "upper":
        yield _loose(case, f"answer {j}, since answer {i} holds there too", more=less.bounds()[0], less=value.bounds()[1])
    if claim == "lower" and other != "upper":
        yield _loose(case, f"answer {i}, since answer {j} holds there too", more=less.bounds()[0], less=value.bounds()[1])


def _convexity(case: Case, said: Sequence[_Said]) -> Iterator[Judgement]:
    """Return what follows from f(2) <= w f(1) + (1 - w) f(3), for all points in a row."""
    for places in combinations(range(len(said)), 3):
        at = [case.expected.at[place] for place in places]
        weight = (at[2] - at[1]) / (at[2] - at[0])
        (left, x), (middle, y), (right, z) = (said[place] for place in places)
        chord = weight * x.bounds()[1] + (1 - weight) * z.bounds()[1]
        claims, named = {left, middle, right}, f"answers {', '.join(str(place + 1) for place in places)}"
        if "estimate" in claims:
            if not claims & set(_SIDES):
                yield _by_estimates(case, named, y.bounds()[0] - chord, x, y, z)
        elif "lower" in (left, right):
            continue
        elif middle != "upper":
            if y.bounds()[0] <= chord:
                yield conforms(named)
            else:
                wrong = Verdict.UNSOUND if claims & set(_SIDES) else Verdict.MISMATCH
                yield Judgement(verdict=wrong, detail=f"{named} contradict each other: {shown(*y.bounds())} lies above the chord")
        else:
            yield _loose(case, f"answer {places[1] + 1}, since the chord of its neighbours holds there too", more=y.bounds()[0], less=chord)


def _by_estimates(case: Case, places: str, gap: Fraction, *values: Quantity) -> Judgement:
    """Answers that promise no side may contradict each other by the tolerance, taken relatively to the largest."""
    scale = max(abs(end) for value in values for end in value.bounds())
    if gap <= case.relative_tolerance * scale + case.absolute_tolerance:
        return conforms(places)
    by = decimal_text(gap / scale, digits=3, direction="down") + " (relative)" if scale else "0"
    return mismatch(f"{places} contradict each other by {by}")


def _loose(case: Case, whose: str, *, more: Fraction, less: Fraction) -> Judgement:
    """A sound claim is beyond the truth by at least more/less; one that is not beyond it at all is fine."""
    if more - less <= case.slack * abs(less):
        return conforms(whose)
    if less <= 0:
        return Judgement(verdict=Verdict.LOOSE, detail=f"{whose}, is beyond the truth", ratio="infinite")
    ratio = decimal_text(more / less, digits=9, direction="down")
    return Judgement(verdict=Verdict.LOOSE, detail=f"{whose}, is beyond the truth by a factor of at least {ratio}", ratio=ratio)


def _same_distributions(case: Case, answers: Sequence[Answer]) -> Judgement:
    """Outcome by outcome: ratios are claims of exactness, decimals are taken as rounded."""
    tables = [answer.table or {} for answer in answers]
    outcomes = sorted(set().union(*tables))
    for (i, one), (j, other) in combinations(enumerate(tables, start=1), 2):
        for outcome in outcomes:
            texts = one.get(outcome, "0"), other.get(outcome, "0")
            a, b = (exact_fraction(text, parameter=f"probability of {outcome}", largest_exponent=LARGEST_EXPONENT) for text in texts)
            allowed = Fraction(0) if all("/" in text for text in texts) else case.relative_tolerance * max(abs(a), abs(b))
            if abs(a - b) > allowed + case.absolute_tolerance:
                return mismatch(f"answers {i} and {j} contradict each other: P({outcome}) = {texts[0][:60]} and {texts[1][:60]}")
    return conforms(f"equal: the distributions agree on {len(outcomes)} outcomes")
