"""The closed-form amplification bound of FMT21, Theorem 3.1, evaluated in mpmath."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from mpmath import expm1, log, log1p, mp, mpf, nstr, sqrt, workdps

from shuffleproof.spec.bound import Bound
from shuffleproof.spec.errors import require
from shuffleproof.spec.method import CLONES_CLOSED_FORM, outside_closed_form
from shuffleproof.spec.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, probability

_GUARD_DIGITS = 25


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 30) -> Bound:
    """epsilon = ln(1 + (T - 1)/(T + 1) (8 sqrt(T ln(4/delta))/sqrt(n) + 8 T/n)), T = e^epsilon0.  (FMT21, Theorem 3.1, equation (1))

    n: users, at least 1; epsilon0 in [0, 10000]; delta in (0, 1]; digits: significant digits wanted, at least 1.
    Returns a Bound of side "estimate": mpmath gives digits without a proof of them; the ball engine certifies the same formula.
    Raises RegimeError unless epsilon0 <= ln(n/(16 ln(2/delta))), DomainError outside the domains.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    require(digits >= 1, parameter="digits", value=digits, requirement="an integer of at least 1")
    if target == 0:
        raise outside_closed_form(limit="-infinity", epsilon0=str(epsilon0))
    with workdps(digits + _GUARD_DIGITS + len(str(users))):
        T = _exp(local)
        largest = log(users / (16 * log(2 / _mpf(target))))
        if log(T) > largest:
            raise outside_closed_form(limit=nstr(largest, 6), epsilon0=str(epsilon0))
        T_minus_1 = _exp_minus_1(local)
        value = log1p(T_minus_1 / (T + 1) * (8 * sqrt(T * log(4 / _mpf(target))) / sqrt(users) + 8 * T / users))
        margin = abs(value) * mpf(10) ** -digits
        lower, upper = _fraction(value - margin), _fraction(value + margin)
    return Bound(
        quantity="epsilon",
        side="estimate",
        lower=lower,
        upper=upper,
        value_of=CLONES_CLOSED_FORM.value_of("epsilon"),
        claim="none: mpmath evaluates the formula without a proved error; the ball engine certifies it",
        method=CLONES_CLOSED_FORM.name,
        statement=CLONES_CLOSED_FORM.statement,
        relation=CLONES_CLOSED_FORM.relation,
        engine="mpmath",
        inputs=as_given(n=n, eps0=epsilon0, delta=delta),
    )


def _mpf(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


def _exp(epsilon: Epsilon) -> Any:
    return _mpf(epsilon.exp) if epsilon.exp is not None else mp.exp(_mpf(epsilon.bounds(bits=1)[0]))


def _exp_minus_1(epsilon: Epsilon) -> Any:
    return _mpf(epsilon.exp - 1) if epsilon.exp is not None else expm1(_mpf(epsilon.bounds(bits=1)[0]))


def _fraction(x: Any) -> Fraction:
    sign, mantissa, exponent, _ = x._mpf_
    return (-1 if sign else 1) * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
