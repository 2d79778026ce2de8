"""Support identification simulated: n samples of U_H through the histogram protocol, many times (BC20, Claim 3.4)."""

import numpy as np
from numpy.typing import NDArray

from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about, require
from shuffleproof.spec.vocabulary.numerals import Number, count, exact_fraction, probability

MOST_BINS = 10**8
"""Bins of all runs together at most."""


def simulate_identification(
    *, h: Number, n: Number, p: Number, runs: Number, generator: np.random.Generator, t: Number = 0
) -> NDArray[np.bool_]:
    """Which elements of H the solver names, in every run: entry (run, j), True where bin j is estimated at (t + 1)/n or more.

    Only the h bins that can hold anybody are drawn: the others are estimated 0 whatever is drawn for them, in a domain of any size.
    h, n, runs: at least 1; p in [0, 1], taken as the nearest float; t >= 0. Raises DomainError; ResourceLimitError beyond 10^8 entries.
    """
    bins, users, times = count(h, parameter="h"), count(n, parameter="n"), count(runs, parameter="runs")
    noise, allowed = probability(p, parameter="p"), exact_fraction(t, parameter="t")
    require(allowed >= 0, parameter="t", value=t, requirement="at least 0")
    if bins * times > MOST_BINS:
        raise ResourceLimitError(what=f"{times} runs over {bins} bins", needed=f"{about(bins * times)} entries", limit=f"{MOST_BINS:.0e}")
    messages = generator.multinomial(users, np.full(bins, 1.0 / bins), size=times)
    messages += generator.binomial(users, float(noise), size=messages.shape)
    edge = users * noise + allowed + 1
    least = max(users + 1, -(-edge.numerator // edge.denominator))
    return messages >= least
