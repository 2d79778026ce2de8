"""Coordinate sums of RAPPOR reports, symmetric and not: three engines against each other and against whole datasets."""

import math
from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet
from strategies import summed_reports

from shuffleproof import AsymmetricCoordinateSums, CoordinateSums
from shuffleproof.impl.ball.bounds.sums import asymmetric_sums as ball_asymmetric, coordinate_sums as ball
from shuffleproof.impl.fast.bounds.sums import asymmetric_sums as fast_asymmetric, coordinate_sums as fast
from shuffleproof.impl.fast.bounds.sums.coordinate_sums import above, divergence
from shuffleproof.impl.fast.bounds.sums.noisy_bits import Flips
from shuffleproof.spec.bounds.sums import coordinate_sums as exact
from shuffleproof.spec.bounds.sums.coordinate_sums import asymmetric_sums as exact_asymmetric, profiles as profiles_of_sums
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.randomizers.unary_encoding import asymmetric_rappor, rappor
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon


@pytest.mark.parametrize(
    ("randomizer", "exact_sums"),
    [(rappor(k=3, exp_half_epsilon0=Fraction(2)), exact), (asymmetric_rappor(k=3, exp_epsilon0=Fraction(4)), exact_asymmetric)],
)
def test_two_whole_reports_have_the_divergence_of_the_changed_coordinates(randomizer: Any, exact_sums: Any) -> None:
    """Two users, three items, every dataset: the sums of all three coordinates of the randomizer in `spec.randomizers`."""
    found = Fraction(0)
    for other in range(3):
        laws = (summed_reports(randomizer, (own, other)) for own in (0, 1))
        found = max(found, PrivacyProfile(*laws).delta(exp_epsilon=Fraction(2)))
    assert found == exact_sums.delta(n=2, changed=2, epsilon0="ln 4", epsilon="ln 2").upper


@pytest.mark.parametrize(("kind", "exact_sums"), [(CoordinateSums, exact), (AsymmetricCoordinateSums, exact_asymmetric)])
@pytest.mark.parametrize(("n", "T"), [(1, Fraction(3)), (1, Fraction(9)), (4, Fraction(9, 2)), (6, Fraction(2)), (6, Fraction(3))])
def test_the_profile_of_one_coordinate_is_never_below_the_exact_one(kind: Any, exact_sums: Any, n: int, T: Fraction) -> None:
    epsilon0, points = Epsilon(None, T), [Fraction(i, 10) for i in range(16)]
    uppers = kind(n=n, epsilon0=epsilon0, changed=1).uppers(points, least=Fraction(1, 10**12))
    for point, upper in zip(points, uppers, strict=True):
        E = Fraction(math.exp(point)) * (1 + Fraction(1, 10**12))  # a little above, where the delta is smaller
        assert upper >= exact_sums.delta(n=n, changed=1, epsilon0=epsilon0, epsilon=Epsilon(None, E)).lower


@pytest.mark.parametrize("engine", [fast, fast_asymmetric])
@pytest.mark.parametrize(("n", "delta"), [(10**8, "1e-6"), (10, "1e-61")])
def test_float64_refuses_many_users_and_tiny_deltas(engine: Any, n: int, delta: str) -> None:
    with pytest.raises(UnsupportedError):
        engine.epsilon(n=n, changed=2, epsilon0=1, delta=delta)


def test_two_thousand_users_in_float64_and_in_balls() -> None:
    rough = fast.epsilon(n=2000, changed=2, epsilon0=3, delta="1e-6")
    assert rough.upper <= rough.lower * Fraction(105, 100)
    below = ball.delta(n=2000, changed=1, epsilon0=Fraction(3, 2), epsilon=rough.lower, digits=2)
    assert fast.delta(n=2000, changed=2, epsilon0=3, epsilon=rough.lower).upper >= below.lower  # one coordinate alone


def test_shared_bits_bound_every_rectangle_of_datasets() -> None:
    search = fast.Search(Flips.exactly(Fraction(1, 4)), 12, left_out=1e-12)
    E = fast.above(parse_epsilon("3/10"))
    whole = fast.divergence(search.distribution(2, 6), search.distribution(4, 9), E)[1]
    assert all(
        fast.divergence(search.distribution(a, a), search.distribution(b, b), E)[0] <= whole for a in range(2, 7) for b in range(4, 10)
    )


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


def test_places_without_mass_in_floats_do_not_move_the_cut() -> None:
    """At both ends of a window masses leave the floats; likelihood ratios there are none, and in between they rise."""
    asked: Any = {"n": 40, "changed": 2, "epsilon0": 100, "epsilon": 99}
    assert fast.delta(**asked).upper >= ball.delta(**asked, digits=6).lower > Fraction(6, 10)


def test_ends_of_the_domain() -> None:
    for engine in (fast, ball):
        assert engine.epsilon(n=4, changed=2, epsilon0=3, delta=0).exact == "3"
        assert engine.delta(n=4, changed=1, epsilon0=3, epsilon=3).exact == "0"
    with pytest.raises(UnsupportedError, match="square"):
        exact.delta(n=2, changed=2, epsilon0="ln 2", epsilon=0)


def test_which_number_of_holders_is_worst_changes_with_epsilon() -> None:
    profiles = [*profiles_of_sums(n=8, own=Fraction(1, 2), other=Fraction(1, 10), changed=1)]
    worst = [max(range(8), key=lambda k, E=E: profiles[k].delta(exp_epsilon=E)) for E in (Fraction(11, 10), Fraction(49, 10))]  # type: ignore[misc]
    assert worst == [0, 7]


@pytest.mark.parametrize("changed", [1, 2])
def test_some_hundred_users_in_float64_and_in_balls(changed: int) -> None:
    """Where the ball engine certifies a delta from above, float64's lower side does not exceed it, and the other way round."""
    rough = fast_asymmetric.epsilon(n=60, changed=changed, epsilon0=3, delta="1e-6")
    assert rough.upper <= rough.lower * Fraction(105, 100)
    certified = ball_asymmetric.epsilon(n=60, changed=changed, epsilon0=3, delta="1e-6", digits=2)
    assert meet(rough, certified)
    assert certified.upper <= certified.lower * Fraction(102, 100)


def test_shared_bits_bound_every_box_of_datasets() -> None:
    search = fast_asymmetric._search(parse_epsilon("ln 3"), 13, 2, 1e-12)
    E = above(parse_epsilon("3/10"))
    whole = divergence(search.distribution_of(False, (2, 5)), search.distribution_of(True, (1, 6)), E)[1]
    assert all(
        divergence(search.distribution_of(False, (a, a)), search.distribution_of(True, (b, b)), E)[0] <= whole
        for a in range(2, 6)
        for b in range(1, 7)
    )


def test_ends_of_the_domain_asymmetric() -> None:
    for engine in (fast_asymmetric, ball_asymmetric):
        assert engine.delta(n=4, changed=2, epsilon0=3, epsilon=4).exact == "0"
        assert engine.delta(n=4, changed=1, epsilon0="ln 9", epsilon="ln 6").exact == "0"
        for changed, largest in ((1, "ln 5"), (2, "ln 9")):
            pure = engine.epsilon(n=4, changed=changed, epsilon0="ln 9", delta=0)
            assert meet(pure, exact_asymmetric.epsilon(n=4, changed=changed, epsilon0="ln 9", delta=0))
            assert exact_asymmetric.epsilon(n=4, changed=changed, epsilon0="ln 9", delta=0).exact == largest
    with pytest.raises(ResourceLimitError, match="fast"):
        ball_asymmetric.delta(n=10**6, changed=2, epsilon0=1, epsilon=0)


def test_an_epsilon0_beyond_the_precision_is_refused_in_words() -> None:
    with pytest.raises(ResourceLimitError, match="so large an epsilon0"):
        ball_asymmetric.epsilon(n=153, changed=2, epsilon0=10_000, delta="1e-300", digits=30)
