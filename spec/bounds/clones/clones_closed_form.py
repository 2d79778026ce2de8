"""The closed-form amplification bound of FMT21, Theorem 3.1, evaluated in mpmath."""

from collections.abc import Mapping
from fractions import Fraction

from mpmath import log, log1p, nstr, sqrt, workdps

from shuffleproof.spec.bounds import mpmath_estimate
from shuffleproof.spec.bounds.mpmath_estimate import GUARD_DIGITS, estimated, near, number
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.clones import CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import outside_closed_form


@estimated(CLONES_CLOSED_FORM)
def epsilon(*, n: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str], digits: int = 30) -> Found:
    """Return ln(1 + (T - 1)/(T + 1) (8 sqrt(T ln(4/delta))/sqrt(n) + 8 T/n)), T = e^epsilon0.

    (FMT21, Theorem 3.1, equation (1))

    Raises RegimeError unless epsilon0 <= ln(n/(16 ln(2/delta))).
    """
    if delta == 0:
        raise outside_closed_form(limit="-infinity", epsilon0=inputs["eps0"])
    with workdps(digits + GUARD_DIGITS + len(str(n))):
        T, target = mpmath_estimate.exp(epsilon0), number(delta)
        largest = log(n / (16 * log(2 / target)))
        if log(T) > largest:
            raise outside_closed_form(limit=nstr(largest, 6), epsilon0=inputs["eps0"])
        T_minus_1 = mpmath_estimate.exp_minus_1(epsilon0)
        return near(log1p(T_minus_1 / (T + 1) * (8 * sqrt(T * log(4 / target)) / sqrt(n) + 8 * T / n)), digits=digits)
