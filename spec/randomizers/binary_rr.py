"""Binary randomized response, 2RR (FMT21, appendix G)."""

from fractions import Fraction

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require


def binary_rr(*, exp_epsilon0: Fraction) -> LocalRandomizer[int, int]:
    """2RR on {0, 1}: x with probability e^eps0/(e^eps0 + 1), otherwise 1 - x.

    exp_epsilon0: e^epsilon0 >= 1, exact. The randomizer is exactly epsilon0-DP. Raises DomainError if exp_epsilon0 < 1.
    """
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    return LocalRandomizer((0, 1), {x: Distribution({x: T / (T + 1), 1 - x: 1 / (T + 1)}) for x in (0, 1)})
