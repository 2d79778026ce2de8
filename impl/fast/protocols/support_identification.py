"""Support identification simulated: n samples of U_H through the histogram protocol, many times (BC20, Claim 3.4)."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about, require
from shuffleproof.spec.vocabulary.numerals import count, exact_fraction, probability

MOST_BINS = 10**8
"""Bins of all runs together at most."""


@reads(h=count, n=count, runs=count, p=probability, t=exact_fraction)
def simulate_identification(
    *, h: int, n: int, p: Fraction, runs: int, generator: np.random.Generator, t: Fraction = Fraction(0)
) -> NDArray[np.bool_]:
    """Which elements of H the solver names, in every run: entry (run, j), True where bin j is estimated at (t + 1)/n or more.

    Only the h bins that can hold anybody are drawn: the others are estimated 0 whatever is drawn for them, in a domain of any size.
    h, n, runs: at least 1; p in [0, 1], taken as the nearest float; t >= 0. Raises DomainError; ResourceLimitError beyond 10^8 entries.
    """
    require(t >= 0, parameter="t", value=str(t), requirement="at least 0")
    if h * runs > MOST_BINS:
        raise ResourceLimitError(what=f"{runs} runs over {h} bins", needed=f"{about(h * runs)} entries", limit=f"{MOST_BINS:.0e}")
    messages = generator.multinomial(n, np.full(h, 1.0 / h), size=runs)
    messages += generator.binomial(n, float(p), size=messages.shape)
    edge = n * p + t + 1
    least = max(n + 1, -(-edge.numerator // edge.denominator))
    return messages >= least
