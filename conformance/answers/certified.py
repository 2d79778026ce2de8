"""Answers that are irrational, enclosed by certified balls: debiasing, and the least noise of a protocol from both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from shuffleproof.impl.ball import debiasing
from shuffleproof.impl.ball.calibration import bit_sum, zero_sum
from shuffleproof.spec.calibration import Calibration
from shuffleproof.spec.errors import DomainError, RegimeError

_CALIBRATIONS: Mapping[str, Callable[..., Calibration]] = {"zero-sum": zero_sum.calibrate, "bit-sum": bit_sum.calibrate}


def debiased(given: Mapping[str, str], *, digits: int) -> tuple[Fraction, Fraction]:
    """Ends around f_C(rate), or around the rate with f_C(rate) = y. Raises DomainError."""
    if "rate" in given:
        found = debiasing.expectation(rate=given["rate"], C=given["C"], digits=digits)
    else:
        found = debiasing.inverse(y=given["y"], C=given["C"], digits=digits)
    return found.lower, found.upper


def least_noise(given: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    """A noise that is certified not to be enough, and one that is. Raises DomainError; RegimeError for an unattainable target."""
    if given["protocol"] not in _CALIBRATIONS:
        raise DomainError(parameter="protocol", value=given["protocol"], requirement="zero-sum or bit-sum")
    found = _CALIBRATIONS[given["protocol"]](n=given["n"], epsilon=given["epsilon"], delta=given["delta"])
    if found.value is None or found.fails_at is None:
        why = found.unattainable or "no noise at all is needed"
        raise RegimeError(statement=found.statement, condition="noise that is just enough", given=why, advice="ask for less privacy")
    return found.fails_at, found.value
