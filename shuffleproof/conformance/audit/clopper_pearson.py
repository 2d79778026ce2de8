"""Clopper and Pearson's exact limits for a binomial probability, rounded outward so that each error is certainly at most alpha."""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail
from shuffleproof.spec.vocabulary.errors import require

_BITS = 96
"""Working precision in bits, beyond which ends are rounded outward."""
_STEPS = 44
"""Halvings: the limit is known to 2^-44, far less than sampling leaves open. Coarser limits are sound, and weaker."""


def lower_limit(successes: int, trials: int, *, alpha: Fraction) -> Fraction:
    """A limit that lies above the true probability with probability at most alpha, whatever it is.

    successes in {0, ..., trials}; trials at least 1; 0 < alpha < 1. It is the largest p on a grid of 2^-44 at which as many successes, or
    more, are certified to have probability at most alpha; 0 where there is none. Raises DomainError.
    """
    return 1 - upper_limit(trials - successes, trials, alpha=alpha)


def upper_limit(successes: int, trials: int, *, alpha: Fraction) -> Fraction:
    """A limit that lies below the true probability with probability at most alpha, whatever it is; parameters as for `lower_limit`."""
    require(trials >= 1, parameter="trials", value=trials, requirement="at least 1")
    require(0 <= successes <= trials, parameter="successes", value=successes, requirement=f"an integer from 0 to {trials}")
    require(0 < alpha < 1, parameter="alpha", value=alpha, requirement="above 0 and below 1")
    if successes == trials:
        return Fraction(1)
    # Pr(Bin(trials, p) <= successes) falls in p; below the observed share it is never as small as any alpha of interest.
    low, high = Fraction(successes, trials), Fraction(1)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        middle = Fraction(round(middle * 2**_STEPS), 2**_STEPS)
        if not low < middle < high:
            break
        with precision(_BITS):
            surely = upper_end(lower_tail(trials, middle, successes, bits=_BITS)) <= alpha
        low, high = (low, middle) if surely else (middle, high)
    return high
