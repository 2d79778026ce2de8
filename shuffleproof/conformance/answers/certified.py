"""Answers that are irrational, enclosed by certified balls: debiasing, and the least noise of a protocol from both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from shuffleproof.impl.ball import debiasing
from shuffleproof.impl.ball.calibration import bit_sum, frequency, histogram, real_sum, zero_sum
from shuffleproof.spec.vocabulary.calibration import Calibration
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

_CALIBRATIONS: Mapping[str, Callable[..., Calibration]] = {
    "zero-sum": zero_sum.calibrate,
    "histogram": histogram.calibrate,
    "bit-sum": bit_sum.calibrate,
}


def debiased(given: Mapping[str, str], *, digits: int) -> tuple[Fraction, Fraction]:
    """Ends around f_C(rate), or around the rate with f_C(rate) = y. Raises DomainError."""
    if "rate" in given:
        found = debiasing.expectation(rate=given["rate"], C=given["C"], digits=digits)
    else:
        found = debiasing.inverse(y=given["y"], C=given["C"], digits=digits)
    return found.lower, found.upper


def least_noise(given: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    """Ends around the least noise: one is certified to be enough, the other not to be. Frequency has its largest epsilon0 instead.

    Raises DomainError; RegimeError for an unattainable target.
    """
    n, epsilon, delta = (given[key] for key in ("n", "epsilon", "delta"))
    match given["protocol"]:
        case "frequency":
            # The randomizer and k are what errors are reported of; epsilon0 is the same for all.
            most = frequency.calibrate(randomizer="k-rr", k=2, n=n, epsilon=epsilon, delta=delta, bound=given["method"])
            return most.value, most.fails_at
        case "real-sum":
            found = real_sum.calibrate(n=n, epsilon=epsilon, delta=delta, view="untagged", runs=(given["r"],)).calibration
        case protocol if protocol in _CALIBRATIONS:
            found = _CALIBRATIONS[protocol](n=n, epsilon=epsilon, delta=delta)
        case other:
            raise DomainError(parameter="protocol", value=other, requirement="zero-sum, histogram, bit-sum, real-sum or frequency")
    if found.value is None or found.fails_at is None:
        why = found.unattainable or "no noise at all is needed"
        raise RegimeError(statement=found.statement, condition="noise that is just enough", given=why, advice="ask for less privacy")
    return found.fails_at, found.value
