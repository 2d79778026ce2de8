"""The one-sided judge: what an answer is worth against what is certainly true. Every comparison is exact.

A claim of more privacy than there is can hurt people, a claim of less cannot. So a sound claim is never worse than loose, while an
"upper" claim below the certified lower end of the truth is unsound however small the distance.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from shuffleproof.conformance.judging.quantity import LARGEST_EXPONENT, Quantity, compare, parse_quantity
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.vectors import Case, Expected
from shuffleproof.spec.vocabulary.elementary import approximate_log, rounded
from shuffleproof.spec.vocabulary.numerals import decimal_text, exact_fraction, ratio_text

FAMILY_WISE_ERROR = Fraction(1, 10**9)
"""Probability that a whole run calls any honest sampler a mismatch is at most this."""
_SHOWN_BITS = 64
"""Bits that relative distances of long numbers are taken to, of which three digits are shown."""
_LONG = 4096
"""Bits of a numerator and denominator from which on a number is long: products of shorter ones take no time."""
FEWEST_SAMPLES = 1000
"""With fewer a sampler could hardly fail, and what cannot fail is not judged to conform."""


class Verdict(StrEnum):
    """Says what became of a case. "skipped": on a list of cases known to fail; "unskipped": on that list, but it does not fail."""

    CONFORMS = "conforms"
    LOOSE = "loose"
    UNSOUND = "unsound"
    MISMATCH = "mismatch"
    REFUSED = "refused"
    UNSUPPORTED = "unsupported"
    CRASHED = "crashed"
    TIMED_OUT = "timed-out"
    PROTOCOL = "protocol"
    SKIPPED = "skipped"
    UNSKIPPED = "unskipped"


SOUND = frozenset({Verdict.CONFORMS, Verdict.LOOSE})
WRONG = frozenset({Verdict.UNSOUND, Verdict.MISMATCH})
DECLINED = frozenset({Verdict.REFUSED, Verdict.UNSKIPPED})
"""No answer where there is one; or on the list of known failures without failing."""
BROKEN = frozenset({Verdict.CRASHED, Verdict.TIMED_OUT, Verdict.PROTOCOL})
"""The harness failed as a program."""
NOT_JUDGED = frozenset({Verdict.UNSUPPORTED, Verdict.SKIPPED})
UNREPROACHED = SOUND | NOT_JUDGED
"""Verdicts that speak against nobody."""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict and why.

    ratio: how far beyond the truth a loose claim is, as a decimal rounded down, or "infinite"; off: how far from the truth a wrong one is,
    relatively where the truth is not 0, as a decimal, None where that is no number.
    """

    verdict: Verdict
    detail: str
    ratio: str | None = None
    off: str | None = None


def judge(case: Case, answer: Answer, *, error: Fraction = FAMILY_WISE_ERROR) -> Judgement:
    """The verdict on one well-formed answer.

    error: the probability with which an honest sampler may be called a mismatch on this case; the runner splits FAMILY_WISE_ERROR
    evenly over the cases of a run that can be answered by samples.
    """
    expected = case.expected
    if answer.claim == "unsupported":
        return Judgement(verdict=Verdict.UNSUPPORTED, detail=answer.reason or "")
    if expected.kind == "refusal":
        if answer.claim == "refused":
            return Judgement(verdict=Verdict.CONFORMS, detail=f"refused, as it should: {answer.reason}")
        claimed = parse_quantity(answer.value) if answer.claim == "upper" and answer.value is not None else None
        if claimed is not None and expected.upper is not None and claimed >= expected.upper:
            return conforms(f"true by other means, although {expected.because}")
        return mismatch(f"answered, although {expected.because}")
    if answer.claim == "refused":
        return Judgement(verdict=Verdict.REFUSED, detail=f"there is an answer, but: {answer.reason}")
    if expected.kind == "part":
        return conforms("answered")
    if answer.table is not None and expected.distribution is not None:
        if answer.claim in ("upper", "lower", "exact", "estimate"):
            return _judge_several(case, expected.distribution, answer)
        if answer.claim == "samples":
            return _judge_samples(expected.distribution, answer.table, error=error)
        return _judge_distribution(case, expected.distribution, answer.table)
    if answer.value is not None and expected.lower is not None and expected.upper is not None:
        value = parse_quantity(answer.value)
        if answer.claim in ("upper", "lower"):
            return _judge_side(case, expected, value, upper=answer.claim == "upper")
        if answer.claim == "exact":
            if compare(value, expected.lower) >= 0 and compare(value, expected.upper) <= 0:
                return conforms("exact" if expected.kind != "bracket" else f"not decided within {expected.shown}")
            off = _distance(value, expected.lower if value < expected.lower else expected.upper)
            return mismatch(f"claimed exact, but the truth is {expected.shown}; off by {off}", off=off)
        return _judge_estimate(case, expected.lower, expected.upper, value)
    return mismatch(f'claim "{answer.claim}" does not answer this case')


_GRAVEST_FIRST = (Verdict.UNSOUND, Verdict.MISMATCH, Verdict.LOOSE, Verdict.CONFORMS)


def _judge_several(case: Case, law: Mapping[str, tuple[Fraction, Fraction]], answer: Answer) -> Judgement:
    """Each number on its own; the verdict is that of the gravest, and of those the first."""
    assert answer.table is not None
    if answer.table.keys() != law.keys():
        return mismatch(f"numbers at the places {', '.join(answer.table)} where they were asked for at {', '.join(law)}")
    asked = case.given.get("epsilons", "").split(",")
    found = []
    for place, (lower, upper) in law.items():
        ends = Quantity(lower, None), Quantity(upper, None)
        one = replace(case.expected, kind="enclosure", lower=ends[0], upper=ends[1], distribution=None, shown=shown(lower, upper))
        absolute = Fraction(1, 10**12) if upper == 0 else case.absolute_tolerance
        judged = judge(replace(case, expected=one, absolute_tolerance=absolute), Answer(claim=answer.claim, value=answer.table[place]))
        at = f"at epsilon = {asked[int(place)].strip()}: " if place.isdigit() and int(place) < len(asked) else ""
        found.append(judged if judged.verdict is Verdict.CONFORMS else replace(judged, detail=at + judged.detail))
    return min(found, key=lambda each: _GRAVEST_FIRST.index(each.verdict))


def _judge_side(case: Case, expected: Expected, value: Quantity, *, upper: bool) -> Judgement:
    """An upper claim must not be below the lower end of the truth, nor a lower claim above its upper end."""
    assert expected.lower is not None
    assert expected.upper is not None
    if (value < expected.lower) if upper else (value > expected.upper):
        side = "below" if upper else "above"
        end = expected.lower if upper else expected.upper
        off = _distance(value, end)
        return Judgement(verdict=Verdict.UNSOUND, detail=f"{off} {side} the truth, {expected.shown}", off=_number(off))
    if upper:
        claimed, truth = value.bounds()[0], expected.upper.bounds()[1]
        more, less = claimed, truth
    else:
        claimed, truth = value.bounds()[1], expected.lower.bounds()[0]
        more, less = truth, claimed
    if more - less <= case.slack * abs(less):
        if expected.kind == "bracket":
            return conforms(f"not decided within {expected.shown}")
        return conforms("sound and tight")
    if less <= 0:
        return Judgement(verdict=Verdict.LOOSE, detail=f"sound, but the truth is {expected.shown}", ratio="infinite")
    ratio = decimal_text(more / less, digits=9, direction="down")
    return Judgement(verdict=Verdict.LOOSE, detail=f"sound, beyond the truth by a factor of {ratio}", ratio=ratio)


def _judge_estimate(case: Case, lower: Quantity, upper: Quantity, value: Quantity) -> Judgement:
    """An estimate must lie within relative * truth + absolute of some point of the enclosure."""
    low, high = lower.bounds()[0], upper.bounds()[1]
    given_low, given_high = value.bounds()
    relative, absolute = case.relative_tolerance, case.absolute_tolerance
    if low - relative * abs(low) - absolute <= given_high and given_low <= high + relative * abs(high) + absolute:
        return conforms(f"not decided within {case.expected.shown}" if case.expected.kind == "bracket" else "within tolerance")
    off = _distance(value, lower if value < lower else upper)
    return mismatch(f"{off} off the truth, {case.expected.shown}", off=off)


def _judge_distribution(case: Case, law: Mapping[str, tuple[Fraction, Fraction]], table: Mapping[str, str]) -> Judgement:
    """Ratios are claims of exactness; decimals are taken as rounded, and held to the case's tolerance outcome by outcome."""
    rounded = False
    for outcome in sorted(law.keys() | table.keys()):
        lower, upper = law.get(outcome, (Fraction(0), Fraction(0)))
        text = table.get(outcome, "0")
        given = exact_fraction(text, parameter=f"probability of {outcome}", largest_exponent=LARGEST_EXPONENT)
        if lower <= given <= upper:
            continue
        off = _relative_text(lower - given if given < lower else given - upper, lower)
        if "/" in text:
            return mismatch(f"P({outcome}) = {text} is not the exact {shown(lower, upper)}", off=off)
        slack_low = case.relative_tolerance * lower + case.absolute_tolerance
        slack_high = case.relative_tolerance * upper + case.absolute_tolerance
        if not lower - slack_low <= given <= upper + slack_high:
            return mismatch(f"P({outcome}) = {text} is {off} off {shown(lower, upper)}", off=off)
        rounded = True
    return conforms("every probability within tolerance" if rounded else "every probability exact")


def _judge_samples(law: Mapping[str, tuple[Fraction, Fraction]], table: Mapping[str, str], *, error: Fraction) -> Judgement:
    """Reject only where Chernoff's bound on a binomial tail is below this outcome's share of the error (Bonferroni, two tails each).

    P(X >= x n) <= exp(-n KL(x, p)) for x >= p, and likewise below, holds for every n and p, so an honest sampler is rejected with at most
    the stated probability; it is evaluated in float64 with a margin far above its rounding error. It asks for a little more evidence
    than the exact tail would.
    """
    counts = {outcome: int(exact_fraction(text, parameter="count")) for outcome, text in table.items()}
    total = sum(counts.values())
    if total < FEWEST_SAMPLES:
        return mismatch(f"{total} samples are too few to judge; at least {FEWEST_SAMPLES} are needed")
    impossible = [outcome for outcome, number in counts.items() if number and outcome not in law]
    if impossible:
        return mismatch(f"sampled {impossible[0]!r}, which has probability 0")
    log_share = approximate_log(error / (2 * len(law)))
    for outcome, (lower, upper) in law.items():
        observed = Fraction(counts.get(outcome, 0), total)
        p = upper if observed > upper else lower if observed < lower else observed
        if _log_chernoff(observed, p, total) < log_share:
            return mismatch(
                f"{counts.get(outcome, 0)} of {total} samples are {outcome!r}, which has probability {shown(lower, upper)}: "
                f"less likely than {float(error / (2 * len(law))):.1e}"
            )
    seen = math.sqrt(-log_share / (2 * total))
    return conforms(f"{total} samples; a probability off by {seen:.2g} would have been noticed")


def _log_chernoff(x: Fraction, p: Fraction, n: int) -> float:
    """An upper bound on -n KL(x, p), the logarithm of Chernoff's bound; 0 where x = p."""
    if x == p:
        return 0.0
    if p in (0, 1):
        return -math.inf
    hit = n * float(x) * _log_ratio(p, x) if x else 0.0
    miss = n * float(1 - x) * _log_ratio(1 - p, 1 - x) if x != 1 else 0.0
    return hit + miss + 1e-6 + 1e-12 * (abs(hit) + abs(miss))


def _log_ratio(p: Fraction, x: Fraction) -> float:
    """ln(p/x) for positive p and x, to full relative precision also where they nearly agree."""
    relative = (p - x) / x
    return math.log1p(float(relative)) if abs(relative) < Fraction(1, 2) else approximate_log(p / x)


def _distance(value: Quantity, end: Quantity) -> str:
    """How far value is from end, relatively where end is not 0."""
    (a, b), (c, d) = value.bounds(), end.bounds()
    return _relative_text(max(abs(a - d), abs(b - c)), c)


def _relative_text(distance: Fraction, truth: Fraction) -> str:
    if truth <= 0:
        return decimal_text(distance, digits=3, direction="down")
    if distance and max(part.bit_length() for x in (distance, truth) for part in x.as_integer_ratio()) > _LONG:
        distance, truth = rounded(distance, bits=_SHOWN_BITS, direction="down"), rounded(truth, bits=_SHOWN_BITS, direction="up")
    return decimal_text(distance / truth, digits=3, direction="down") + " (relative)"


def shown(lower: Fraction, upper: Fraction) -> str:
    """A number between these ends, for people: exactly where that is short, else its first 17 digits."""
    text = ratio_text(lower)
    return text if lower == upper and len(text) <= 40 else decimal_text(lower, digits=17, direction="down")


def conforms(detail: str) -> Judgement:
    """The judgement on an answer that is as it should be."""
    return Judgement(verdict=Verdict.CONFORMS, detail=detail)


def mismatch(detail: str, *, off: str | None = None) -> Judgement:
    """The judgement on an answer that claims no side and is wrong. off: how far it is from the truth, as a text."""
    return Judgement(verdict=Verdict.MISMATCH, detail=detail, off=None if off is None else _number(off))


def _number(off: str) -> str:
    """The number of a distance that is shown."""
    return off.removesuffix(" (relative)")
