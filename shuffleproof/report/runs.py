"""How the answers of `run` are shown: one JSON object for programs, a few lines for people."""

from fractions import Fraction
from typing import Any

from shuffleproof.run.histogram_release import Histogram
from shuffleproof.run.sums import Sum
from shuffleproof.spec.vocabulary.numerals import decimal_text, shortest


def sum_text(found: Sum) -> str:
    """The estimate, what is certified of its privacy, and how far it may be off."""
    bits = "" if found.r is None else f", r = {found.r}"
    return "\n".join(
        [
            f"{found.protocol} of {found.data}, column {found.column!r}: {_shown(found.estimate)}",
            f"n = {found.n}, lambda = {shortest(found.lam)}{bits}",
            str(found.guarantee),
            f"  unbiased; standard deviation at most {_above(found.deviation)}, whatever the data are",
            f"  within {_above(found.error)} of the sum except with probability {_above(found.beta)} (Bernstein's inequality)",
        ]
    )


def sum_json(found: Sum) -> dict[str, Any]:
    """The record as JSON-ready values: numbers that matter are strings."""
    return {
        "protocol": found.protocol,
        "data": found.data,
        "column": found.column,
        "n": found.n,
        "lambda": shortest(found.lam),
        **({} if found.r is None else {"r": found.r}),
        "estimate": _shown(found.estimate),
        "standard_deviation_at_most": _above(found.deviation),
        "error": _above(found.error),
        "error_exceeded_with_probability_at_most": decimal_text(found.beta, digits=20, direction="up"),
        "guarantee": found.guarantee.as_json(),
    }


def histogram_text(found: Histogram) -> str:
    """Return what was asked, what is certified, and how far estimates may be off; without the estimates."""
    beta, confidence = decimal_text(found.confidence.beta, digits=6, direction="up"), found.confidence
    universe = "over all texts; an item without a row is estimated 0" if found.open else "over the listed domain"
    return "\n".join(
        [
            f"histogram of {found.data}: n = {found.n}, expected noise n (1 - p) = {shortest(found.noise)} in every bin, {universe}",
            str(found.guarantee),
            f"  each item's estimate is within {confidence.each} of its count except with probability {beta},",
            f"  all of them at once within {confidence.all_at_once} except with probability {beta} (certified, for all data)",
        ]
    )


def histogram_json(found: Histogram, *, with_estimates: bool) -> dict[str, Any]:
    """The record as JSON-ready values: numbers that matter are strings."""
    confidence = found.confidence
    answer: dict[str, Any] = {
        "protocol": "histogram",
        "data": found.data,
        "n": found.n,
        "universe": "open" if found.open else "listed",
        "expected_noise": shortest(found.noise),
        "guarantee": found.guarantee.as_json(),
        "confidence": {
            "failure_probability": decimal_text(confidence.beta, digits=20, direction="up"),
            "error_of_each_item": str(confidence.each),
            "error_of_all_items_at_once": str(confidence.all_at_once),
            "covers": "items without a row too, which are estimated 0" if found.open else "all items of the domain",
        },
    }
    if with_estimates:
        answer["estimates"] = [{"item": item, "estimate": shortest(estimate)} for item, estimate in found.estimates]
    return answer


def _shown(x: Fraction) -> str:
    """A released number to 20 digits: exact where it is that short."""
    return decimal_text(x, digits=20, direction="down")


def _above(x: Fraction) -> str:
    return decimal_text(x, digits=6, direction="up")
