"""What the analyzer of P^hist receives, drawn exactly: for every bin its count plus Bin(n, p) (BC20, Figure 2, Theorem 3.2)."""

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.binomial import BinomialSampler
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, count, probability


def excess_messages(*, counts: NDArray[np.int64], n: Number, p: Number, source: BitSource) -> NDArray[np.int64]:
    """For every bin, the number of its messages minus n; the analyzer estimates 0 unless that is above 0.

    All bins share n and p, so one table serves them. It is made for the users who send no additional message, Bin(n, 1 - p).
    counts: users in each bin, from 0 to n; n: users, at least 1; p in [0, 1]: probability of the additional message in every bin.
    Raises DomainError; ResourceLimitError where the table would be too large.
    """
    users, noise = count(n, parameter="n"), probability(p, parameter="p")
    if counts.size:
        least, greatest = int(counts.min()), int(counts.max())
        require(0 <= least <= greatest <= users, parameter="counts", value=(least, greatest), requirement=f"from 0 to n = {users}")
    return counts - BinomialSampler(n=users, p=1 - noise, source=source).draw(counts.size)
