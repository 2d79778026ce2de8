"""Coordinate sums of RAPPOR reports: three engines against each other and against whole datasets, and what it takes to be wrong."""

import math
from fractions import Fraction
from typing import Any

import pytest
from strategies import summed_reports

from shuffleproof import CoordinateSums
from shuffleproof.impl.ball.bounds.sums import coordinate_sums as ball
from shuffleproof.impl.fast.bounds.sums import coordinate_sums as fast
from shuffleproof.impl.fast.bounds.sums.noisy_bits import Flips
from shuffleproof.spec.bounds.sums import coordinate_sums as exact
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.randomizers.unary_encoding import rappor
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon


def _asked(n: int, changed: int, T: str) -> dict[str, Any]:
    return {"n": n, "changed": changed, "epsilon0": parse_epsilon(f"ln {T}")}


def test_two_whole_reports_have_no_larger_divergence_than_the_changed_coordinates() -> None:
    """Two users, three items, every dataset: the sums of all three coordinates of the randomizer in `spec.randomizers`."""
    randomizer, found = rappor(k=3, exp_half_epsilon0=Fraction(2)), Fraction(0)
    for other in range(3):
        laws = (summed_reports(randomizer, (own, other)) for own in (0, 1))
        found = max(found, PrivacyProfile(*laws).delta(exp_epsilon=Fraction(2)))
    assert found == exact.delta(**_asked(2, 2, "4"), epsilon="ln 2").upper


def test_two_thousand_users_in_float64_and_in_balls() -> None:
    rough = fast.epsilon(n=2000, changed=2, epsilon0=3, delta="1e-6")
    assert rough.upper <= rough.lower * Fraction(105, 100)
    below = ball.delta(n=2000, changed=1, epsilon0=Fraction(3, 2), epsilon=rough.lower, digits=2)
    assert fast.delta(n=2000, changed=2, epsilon0=3, epsilon=rough.lower).upper >= below.lower  # one coordinate alone


def test_shared_bits_bound_every_rectangle_of_datasets() -> None:
    search = fast.Search(Flips.exactly(Fraction(1, 4)), 12, left_out=1e-12)
    E = fast.above(parse_epsilon("3/10"))
    whole = fast.divergence(search.law(2, 6), search.law(4, 9), E)[1]
    assert all(fast.divergence(search.law(a, a), search.law(b, b), E)[0] <= whole for a in range(2, 7) for b in range(4, 10))


def test_a_threshold_hides_little_of_symmetric_vectors() -> None:
    """Two items that 377 of 10,000 users hold, estimates of fewer than 100 dropped: both are shown, but for 1e-8 by Chernoff's bound."""
    n, holders, threshold, local = 10_000, 377, 100, Epsilon(Fraction(4), None)
    p, s = 1 / (math.exp(2) + 1), 0.125
    tau = n * p + threshold * (1 - 2 * p)
    exponents = (k * math.log(p + (1 - p) * math.exp(-s)) + (n - k) * math.log(1 - p + p * math.exp(-s)) for k in (holders, holders + 1))
    hidden = sum(math.exp(s * tau + each) for each in exponents)
    assert hidden < 1e-7
    search = fast.Search(fast._flips(local, 2), n - 1, left_out=1e-12)
    pair = search.pair((holders, n - 1 - holders))
    assert fast.divergence(*pair, fast.above(Epsilon(Fraction("0.122"), None)))[0] - hidden > 1e-6
    assert fast.epsilon(n=n, changed=2, epsilon0=4, delta="1e-6").upper < Fraction("0.127")


def test_sums_hide_more_than_shuffled_vectors_at_a_large_epsilon0() -> None:
    assert CoordinateSums(n=1000, epsilon0=6).epsilon(delta="1e-6").upper.upper < 1


def test_ends_of_the_domain() -> None:
    for engine in (fast, ball):
        assert engine.epsilon(n=4, changed=2, epsilon0=3, delta=0).exact == "3"  # type: ignore[attr-defined]
        assert engine.delta(n=4, changed=1, epsilon0=3, epsilon=3).exact == "0"  # type: ignore[attr-defined]
    with pytest.raises(UnsupportedError):
        fast.epsilon(n=10**8, changed=2, epsilon0=1, delta="1e-6")
    with pytest.raises(UnsupportedError):
        fast.epsilon(n=10, changed=2, epsilon0=1, delta="1e-61")
    with pytest.raises(UnsupportedError, match="square"):
        exact.delta(n=2, changed=2, epsilon0="ln 2", epsilon=0)
