"""The closed-form amplification bound of FMT21, Theorem 3.1, evaluated in mpmath."""

from mpmath import log, log1p, nstr, sqrt, workdps

from shuffleproof.spec.bounds import mpmath_estimate
from shuffleproof.spec.bounds.mpmath_estimate import GUARD_DIGITS, estimate, number
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, probability
from shuffleproof.spec.vocabulary.refusals import outside_closed_form


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 30) -> Bound:
    """Return ln(1 + (T - 1)/(T + 1) (8 sqrt(T ln(4/delta))/sqrt(n) + 8 T/n)), T = e^epsilon0.

    (FMT21, Theorem 3.1, equation (1))

    n: users, at least 1; epsilon0 in [0, 10000]; delta in (0, 1]; digits: significant digits wanted, at least 1.
    Returns a Bound of side "estimate": mpmath gives digits without a proof of them; the ball engine certifies the same formula.
    Raises RegimeError unless epsilon0 <= ln(n/(16 ln(2/delta))), DomainError outside the domains.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    require(digits >= 1, parameter="digits", value=digits, requirement="an integer of at least 1")
    if target == 0:
        raise outside_closed_form(limit="-infinity", epsilon0=str(epsilon0))
    with workdps(digits + GUARD_DIGITS + len(str(users))):
        T = mpmath_estimate.exp(local)
        largest = log(users / (16 * log(2 / number(target))))
        if log(T) > largest:
            raise outside_closed_form(limit=nstr(largest, 6), epsilon0=str(epsilon0))
        T_minus_1 = mpmath_estimate.exp_minus_1(local)
        value = log1p(T_minus_1 / (T + 1) * (8 * sqrt(T * log(4 / number(target))) / sqrt(users) + 8 * T / users))
        return estimate(CLONES_CLOSED_FORM, value, digits=digits, inputs=as_given(n=n, eps0=epsilon0, delta=delta))
