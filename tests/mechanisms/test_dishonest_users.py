"""`dishonest` at the front door: taken by the two protocols it means something for, checked, and repeated in the answer."""

import pytest

import shuffleproof
from shuffleproof.spec.vocabulary.errors import DomainError


@pytest.mark.parametrize("method", ["zero-sum", "histogram"])
def test_the_honest_keep_the_privacy_of_fewer_users(method: str) -> None:
    for n, silent in ((20, 8), (3000, 1000)):
        found = shuffleproof.delta(n=n, p="1/2", epsilon="ln 5/4", dishonest=silent, method=method)
        alone = shuffleproof.delta(n=n - silent, p="1/2", epsilon="ln 5/4", method=method)
        assert (found.lower, found.upper) == pytest.approx((alone.lower, alone.upper), rel=1e-14)
        assert found.inputs["dishonest"] == str(silent)
        assert f"of whom {silent} or fewer send no noise" in found.claim
        assert "dishonest" not in alone.inputs


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("clones", {"epsilon0": 1, "dishonest": 1}),
        ("zero-sum", {"p": "1/2", "dishonest": 10}),
        ("histogram", {"p": "1/2", "dishonest": "1/2"}),
    ],
)
def test_a_number_that_means_nothing_is_refused(method: str, given: dict[str, object]) -> None:
    with pytest.raises(DomainError, match="dishonest"):
        shuffleproof.delta(n=10, epsilon="ln 2", method=method, **given)  # type: ignore[arg-type]
