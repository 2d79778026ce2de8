"""The optimal pair where p or q has no float: only where the search starts is a float, so that the answer is the exact one."""

from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet

from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair as certified
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair import renyi as certified_renyi
from shuffleproof.spec.bounds.variation_ratio import optimal_pair as exact
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import renyi as exact_renyi


@pytest.mark.parametrize(("p", "beta"), [("1e400", "1"), ("3", "1/2")])
def test_parameters_beyond_the_range_of_floats_are_answered(p: str, beta: str) -> None:
    for delta in ("1e-500", "1e-6"):
        found = certified.epsilon(n=3, p=p, beta=beta, q="1e400", delta=delta)
        truth = exact.epsilon(n=3, p=p, beta=beta, q="1e400", delta=delta)
        assert meet(found, truth)
    of_order_two = certified_renyi(n=3, p=p, beta=beta, q="1e400", order=2)
    truth = exact_renyi(n=3, p=p, beta=beta, q="1e400", order=2)
    assert meet(of_order_two, truth)


def test_where_few_bits_do_not_tell_epsilon_from_ln_p_more_are_taken() -> None:
    """theta A was a ball without an end there, and the window's counts no numbers."""
    given: dict[str, Any] = {"n": 2, "p": "1.00000001", "beta": "1/2", "q": "1e200"}
    found = certified.delta(**given, epsilon="9.999985e-9", digits=4)
    above, below = (exact.delta(**given, epsilon=f"ln 1.00000000{digits}").upper for digits in ("9999985", "9999986"))
    assert below < found.upper
    assert found.lower < above
    assert found.upper < found.lower * Fraction(1001, 1000)
