"""Parts of checks are asked in the precision in which checks run."""

from collections.abc import Iterator

import pytest

from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.proofs_check.ledger.points import BITS


@pytest.fixture(autouse=True)
def working_precision() -> Iterator[None]:
    with precision(BITS):
        yield
