"""Many points of one privacy profile."""

import pytest

import shuffleproof
from shuffleproof import DomainError, privacy_profile


def test_every_point_contains_what_balls_say() -> None:
    epsilons = ["0", "1e-9", "0.01", "0.1", "ln 2", "0.999999", "1", "5"]
    bounds = privacy_profile(n=1000, epsilon0=1, epsilons=epsilons)
    for epsilon, bound in zip(epsilons, bounds, strict=True):
        truth = shuffleproof.delta(n=1000, epsilon0=1, epsilon=epsilon, engine="ball", digits=25)
        assert bound.lower <= truth.lower <= truth.upper <= bound.upper, epsilon
        assert bound.upper - bound.lower <= bound.upper / 10**12


def test_a_point_is_the_same_alone_and_among_others() -> None:
    epsilons = ["0.3", "0.1", "0.2"]
    assert list(privacy_profile(n=500, epsilon0=2, epsilons=epsilons)) == [
        privacy_profile(n=500, epsilon0=2, epsilons=[epsilon])[0] for epsilon in epsilons
    ]


def test_points_beyond_the_tables_and_methods_without_them_are_answered_one_by_one() -> None:
    (huge,) = privacy_profile(n=2 * 10**9, epsilon0=12, epsilons=["0.01"])
    assert huge.engine == "ball"
    (lower,) = privacy_profile(n=50, epsilon0=1, epsilons=["0.1"], method="binary-rr-pair")
    assert lower.claim_side == "lower"
    assert privacy_profile(n=50, epsilon0=1, epsilons=[]).answers == ()


def test_a_bad_point_is_named_before_any_work() -> None:
    with pytest.raises(DomainError, match="epsilon"):
        privacy_profile(n=10, epsilon0=1, epsilons=["0.1", "-1"])
    with pytest.raises(DomainError, match="method"):
        privacy_profile(n=10, epsilon0=1, epsilons=[], method="clone")
