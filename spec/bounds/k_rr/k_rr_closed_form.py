"""The closed form for shuffled k-ary randomized response, FMT21, Corollary 4.2, under a condition with which it is true, in mpmath."""

from fractions import Fraction

from mpmath import log, log1p, mpf, nstr, sqrt, workdps

from shuffleproof.spec.bounds import mpmath_estimate
from shuffleproof.spec.bounds.mpmath_estimate import GUARD_DIGITS, estimate, number
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, probability
from shuffleproof.spec.vocabulary.refusals import outside_k_rr_closed_form

CONDITION = Fraction(503, 200)
"""2.515: the formula holds for n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k (FMT21.Cor4.2-condition)."""


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 30) -> Bound:
    """Return ln(1 + (T - 1)(4 sqrt(2 (k + 1) ln(4/delta)/((T + k - 1) k n)) + 4 (k + 1)/(k n))), T = e^epsilon0.  (FMT21, Corollary 4.2).

    n: users, at least 1; k: categories, at least 2; epsilon0 in [0, 10000]; delta in (0, 1]; digits: significant digits wanted.
    Returns a Bound of side "estimate": mpmath gives digits without a proof of them; the ball engine certifies the same formula.
    Raises RegimeError unless n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k, since the printed condition is not enough; DomainError.
    """
    users, categories = count(n, parameter="n"), count(k, parameter="k", minimum=2)
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    require(digits >= 1, parameter="digits", value=digits, requirement="an integer of at least 1")
    if target == 0:
        raise outside_k_rr_closed_form(needed="infinity", n=str(n))
    with workdps(digits + GUARD_DIGITS + len(str(users)) + len(str(categories))):
        T = mpmath_estimate.exp(local)
        T_minus_1 = mpmath_estimate.exp_minus_1(local)
        needed = number(CONDITION) * (categories + 1) * (T + categories - 1) * log(2 / number(target)) / categories
        if needed > users:
            raise outside_k_rr_closed_form(needed=nstr(needed, 6), n=str(n))
        part = mpf(categories + 1) / categories / users
        value = log1p(T_minus_1 * (4 * sqrt(2 * part * log(4 / number(target)) / (T + categories - 1)) + 4 * part))
        return estimate(K_RR_CLOSED_FORM, value, digits=digits, inputs=as_given(n=n, k=k, eps0=epsilon0, delta=delta))
