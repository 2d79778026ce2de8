"""How the answers of `run` are shown: one JSON object for programs; for people they print themselves."""

from fractions import Fraction
from typing import Any

from shuffleproof.run.histogram_release import Histogram
from shuffleproof.run.sums import Sum
from shuffleproof.spec.vocabulary.numerals import decimal_text, shortest


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
