"""The closed form for shuffled k-ary randomized response, FMT21, Corollary 4.2, under a condition with which it is true, in mpmath."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from mpmath import expm1, log, log1p, mp, mpf, nstr, sqrt, workdps

from shuffleproof.spec.bound import Bound
from shuffleproof.spec.errors import require
from shuffleproof.spec.method import K_RR_CLOSED_FORM, outside_k_rr_closed_form
from shuffleproof.spec.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, probability

CONDITION = Fraction(503, 200)
"""2.515: the formula holds for n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k (FMT21.Cor4.2-condition)."""
_GUARD_DIGITS = 25


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 30) -> Bound:
    """ln(1 + (T - 1)(4 sqrt(2 (k + 1) ln(4/delta)/((T + k - 1) k n)) + 4 (k + 1)/(k n))), T = e^epsilon0.  (FMT21, Corollary 4.2)

    n: users, at least 1; k: categories, at least 2; epsilon0 in [0, 10000]; delta in (0, 1]; digits: significant digits wanted.
    Returns a Bound of side "estimate": mpmath gives digits without a proof of them; the ball engine certifies the same formula.
    Raises RegimeError unless n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k, since the printed condition is not enough; DomainError.
    """
    users, categories = count(n, parameter="n"), count(k, parameter="k", minimum=2)
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    require(digits >= 1, parameter="digits", value=digits, requirement="an integer of at least 1")
    if target == 0:
        raise outside_k_rr_closed_form(needed="infinity", n=str(n))
    with workdps(digits + _GUARD_DIGITS + len(str(users)) + len(str(categories))):
        T = _mpf(local.exp) if local.exp is not None else mp.exp(_mpf(local.bounds(bits=1)[0]))
        T_minus_1 = _mpf(local.exp - 1) if local.exp is not None else expm1(_mpf(local.bounds(bits=1)[0]))
        needed = _mpf(CONDITION) * (categories + 1) * (T + categories - 1) * log(2 / _mpf(target)) / categories
        if needed > users:
            raise outside_k_rr_closed_form(needed=nstr(needed, 6), n=str(n))
        part = mpf(categories + 1) / categories / users
        value = log1p(T_minus_1 * (4 * sqrt(2 * part * log(4 / _mpf(target)) / (T + categories - 1)) + 4 * part))
        margin = abs(value) * mpf(10) ** -digits
        lower, upper = _fraction(value - margin), _fraction(value + margin)
    return Bound(
        quantity="epsilon",
        side="estimate",
        lower=lower,
        upper=upper,
        value_of=K_RR_CLOSED_FORM.value_of("epsilon"),
        claim="none: mpmath evaluates the formula without a proved error; the ball engine certifies it",
        method=K_RR_CLOSED_FORM.name,
        statement=K_RR_CLOSED_FORM.statement,
        relation=K_RR_CLOSED_FORM.relation,
        engine="mpmath",
        inputs=as_given(n=n, k=k, eps0=epsilon0, delta=delta),
    )


def _mpf(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


def _fraction(x: Any) -> Fraction:
    sign, mantissa, exponent, _ = x._mpf_
    return (-1 if sign else 1) * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
