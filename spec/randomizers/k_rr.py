"""k-ary randomized response, kRR (FMT21, section 4.1)."""

from __future__ import annotations

from fractions import Fraction

from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require


def k_rr(*, k: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, int]:
    """kRR on {0, ..., k - 1}: the input with probability (e^eps0 - 1)/(e^eps0 + k - 1), otherwise a uniform value.

    k: number of categories, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact. The randomizer is exactly epsilon0-DP for k >= 2.
    Raises DomainError outside these.
    """
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    uniform = Distribution.uniform(range(k))
    truth = (T - 1) / (T + k - 1)
    return LocalRandomizer(range(k), {x: mixture([(truth, Distribution.point(x)), (1 - truth, uniform)]) for x in range(k)})
