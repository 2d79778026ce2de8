"""The closed form for shuffled k-ary randomized response, FMT21, Corollary 4.2, under a condition with which it is true, in mpmath."""

from collections.abc import Mapping
from fractions import Fraction

from mpmath import log, log1p, mpf, nstr, sqrt, workdps

from shuffleproof.spec.bounds import mpmath_estimate
from shuffleproof.spec.bounds.mpmath_estimate import GUARD_DIGITS, estimated, near, number
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.clones import K_RR_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import outside_k_rr_closed_form

CONDITION = Fraction(503, 200)
"""2.515: the formula holds for n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k (FMT21.Cor4.2-condition)."""


@estimated(K_RR_CLOSED_FORM)
def epsilon(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str], digits: int = 30) -> Found:
    """Return ln(1 + (T - 1)(4 sqrt(2 (k + 1) ln(4/delta)/((T + k - 1) k n)) + 4 (k + 1)/(k n))), T = e^epsilon0.  (FMT21, Corollary 4.2).

    Raises RegimeError unless n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k, since the printed condition is not enough.
    """
    if delta == 0:
        raise outside_k_rr_closed_form(needed="infinity", n=inputs["n"])
    with workdps(digits + GUARD_DIGITS + len(str(n)) + len(str(k))):
        T, target = mpmath_estimate.exp(epsilon0), number(delta)
        needed = number(CONDITION) * (k + 1) * (T + k - 1) * log(2 / target) / k
        if needed > n:
            raise outside_k_rr_closed_form(needed=nstr(needed, 6), n=inputs["n"])
        part, T_minus_1 = mpf(k + 1) / k / n, mpmath_estimate.exp_minus_1(epsilon0)
        return near(log1p(T_minus_1 * (4 * sqrt(2 * part * log(4 / target) / (T + k - 1)) + 4 * part)), digits=digits)
