"""Multi-party pointer jumping simulated, for trees whose labellings are too many to list (BC20, Definition 3.6)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.impl.fast.protocols.support_identification import simulate_identification
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, count


def simulate_pointer_jumping(
    *, levels: Sequence[ArrayLike], s: Number, n: Number, p: Number, runs: Number, generator: np.random.Generator, t: Number = 0
) -> NDArray[np.int64]:
    """The paths answered to MPJ(s, h) on the instance {Z_1, ..., Z_h}: row i of h labels for run i, all -1 where a level was missed.

    levels: Z_1, ..., Z_h, level i with s^(i - 1) labels from 0 to s - 1; s at least 2; the others as for `simulate_identification`.
    Raises DomainError, ResourceLimitError.
    """
    children, labels = count(s, parameter="s", minimum=2), [np.asarray(each, dtype=np.int64) for each in levels]
    require(len(labels) > 0, parameter="levels", value=0, requirement="at least one level")
    node, path = 0, np.empty(len(labels), dtype=np.int64)
    for level, each in enumerate(labels):
        fits = each.shape == (children**level,) and int(each.min()) >= 0 and int(each.max()) < children
        wanted = f"{children**level} labels from 0 to {children - 1}"
        require(fits, parameter=f"level {level + 1}", value=each.shape, requirement=wanted)
        path[level] = each[node]
        node = node * children + int(each[node])
    named = simulate_identification(h=len(labels), n=n, p=p, t=t, runs=runs, generator=generator)
    return np.where(np.all(named, axis=1, keepdims=True), path, -1)
