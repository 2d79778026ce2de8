"""The closed form for shuffled (epsilon0, delta0)-DP local randomizers, FMT21, Theorem 3.8, in mpmath."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mpmath import exp, log, log1p, mpf, nstr, sqrt, workdps

from shuffleproof.spec.bounds import mpmath_estimate
from shuffleproof.spec.bounds.mpmath_estimate import GUARD_DIGITS, estimated, near, number
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.clones import APPROX_CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import outside_approx_closed_form

_MOST_STEPS = 2000
"""Steps of the iteration, which converges linearly, at most."""


@estimated(APPROX_CLONES_CLOSED_FORM)
def epsilon(*, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 30) -> Found:
    """Return the least epsilon of (1) whose delta' + (e^epsilon + 1)(1 + e^-epsilon0/2) n delta0 is at most delta.  (FMT21, Theorem 3.8).

    Equation (1) falls in delta', so it is the one at the largest such delta': the limit of delta' = delta - (e^epsilon(delta') + 1)(1 +
    e^-epsilon0/2) n delta0 from delta' = delta on. Raises RegimeError unless there is such a delta' with
    epsilon0 <= ln(n/(16 ln(2/delta'))).
    """
    with workdps(digits + GUARD_DIGITS + len(str(n))):
        T, T_minus_1 = mpmath_estimate.exp(epsilon0), mpmath_estimate.exp_minus_1(epsilon0)
        slope = (1 + 1 / (2 * T)) * n * number(delta0)

        def equation_1(delta_prime: Any) -> Any:
            return log1p(T_minus_1 / (T + 1) * (8 * sqrt(T * log(4 / delta_prime)) / sqrt(n) + 8 * T / n))

        inner = number(delta)
        for _ in range(_MOST_STEPS):
            following = inner if inner <= 0 else number(delta) - (exp(equation_1(inner)) + 1) * slope
            if following <= 0 or abs(following - inner) <= inner * mpf(10) ** -(digits + GUARD_DIGITS // 2):
                break
            inner = following
        if following <= 0 or 16 * T * log(2 / following) > n:
            raise outside_approx_closed_form(inner=nstr(max(following, mpf(0)), 6), epsilon0=inputs["eps0"])
        return near(equation_1(following), digits=digits)
