"""The fast Walsh-Hadamard transform against sympy's exact one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy.discrete.transforms import fwht

from shuffleproof.impl.fast.protocols.hadamard import fast_walsh_hadamard
from shuffleproof.spec.vocabulary.errors import DomainError


@given(st.integers(0, 6), st.data())
def test_the_transform_is_sympys_exact_one(power: int, data) -> None:
    vector = data.draw(st.lists(st.integers(-(10**9), 10**9), min_size=1 << power, max_size=1 << power))
    assert fast_walsh_hadamard(np.array(vector)).tolist() == [int(entry) for entry in fwht(vector)]


def test_the_transform_works_on_every_row_and_twice_is_times_the_length() -> None:
    rows = np.arange(64).reshape(4, 16)
    assert (fast_walsh_hadamard(fast_walsh_hadamard(rows)) == 16 * rows).all()
    with pytest.raises(DomainError, match="power of two"):
        fast_walsh_hadamard(np.arange(3))
