"""The closed form for shuffled (epsilon0, delta0)-DP local randomizers, FMT21, Theorem 3.8, in mpmath."""

from typing import Any

from mpmath import exp, log, log1p, mpf, nstr, sqrt, workdps

from shuffleproof.spec.bounds import mpmath_estimate
from shuffleproof.spec.bounds.mpmath_estimate import GUARD_DIGITS, estimate, number
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import APPROX_CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, probability
from shuffleproof.spec.vocabulary.refusals import outside_approx_closed_form

_MOST_STEPS = 2000
"""Steps of the iteration, which converges linearly, at most."""


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number, digits: int = 30) -> Bound:
    """Return the least epsilon of (1) whose delta' + (e^epsilon + 1)(1 + e^-epsilon0/2) n delta0 is at most delta.  (FMT21, Theorem 3.8).

    Equation (1) falls in delta', so it is the one at the largest such delta': the limit of delta' = delta - (e^epsilon(delta') + 1)(1 +
    e^-epsilon0/2) n delta0 from delta' = delta on.
    n: users, at least 1; epsilon0 in [0, 10000]; delta0, delta in [0, 1]; digits: significant digits wanted, at least 1.
    Returns a Bound of side "estimate": mpmath gives digits without a proof of them; the ball engine certifies the same formula.
    Raises RegimeError unless there is such a delta' with epsilon0 <= ln(n/(16 ln(2/delta'))), DomainError outside the domains.
    """
    users, local = count(n, parameter="n"), epsilon0_parameter(epsilon0)
    failure, target = probability(delta0, parameter="delta0"), probability(delta, parameter="delta")
    require(digits >= 1, parameter="digits", value=digits, requirement="an integer of at least 1")
    with workdps(digits + GUARD_DIGITS + len(str(users))):
        T = mpmath_estimate.exp(local)
        T_minus_1 = mpmath_estimate.exp_minus_1(local)
        slope = (1 + 1 / (2 * T)) * users * number(failure)

        def equation_1(delta_prime: Any) -> Any:
            return log1p(T_minus_1 / (T + 1) * (8 * sqrt(T * log(4 / delta_prime)) / sqrt(users) + 8 * T / users))

        inner = number(target)
        for _ in range(_MOST_STEPS):
            following = inner if inner <= 0 else number(target) - (exp(equation_1(inner)) + 1) * slope
            if following <= 0 or abs(following - inner) <= inner * mpf(10) ** -(digits + GUARD_DIGITS // 2):
                break
            inner = following
        if following <= 0 or 16 * T * log(2 / following) > users:
            raise outside_approx_closed_form(inner=nstr(max(following, mpf(0)), 6), epsilon0=str(epsilon0))
        value = equation_1(following)
        return estimate(APPROX_CLONES_CLOSED_FORM, value, digits=digits, inputs=as_given(n=n, eps0=epsilon0, delta0=delta0, delta=delta))
