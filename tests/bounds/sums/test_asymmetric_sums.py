"""Coordinate sums of asymmetric RAPPOR reports: three engines against each other and against whole datasets."""

import math
from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet
from strategies import summed_reports

from shuffleproof import AsymmetricCoordinateSums
from shuffleproof.impl.ball.bounds.sums import asymmetric_sums as ball
from shuffleproof.impl.fast.bounds.sums import asymmetric_sums as fast
from shuffleproof.impl.fast.bounds.sums.coordinate_sums import above, divergence
from shuffleproof.spec.bounds.sums.coordinate_sums import asymmetric_sums as exact
from shuffleproof.spec.bounds.sums.coordinate_sums import profiles as profiles_of_sums
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.randomizers.unary_encoding import asymmetric_rappor
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon


def _asked(n: int, changed: int, T: str) -> dict[str, Any]:
    return {"n": n, "changed": changed, "epsilon0": parse_epsilon(f"ln {T}")}


def test_two_whole_reports_have_the_divergence_of_the_changed_coordinates() -> None:
    """Two users, three items, every dataset: the sums of all three coordinates of the randomizer in `spec.randomizers`."""
    randomizer, found = asymmetric_rappor(k=3, exp_epsilon0=Fraction(4)), Fraction(0)
    for other in range(3):
        laws = (summed_reports(randomizer, (own, other)) for own in (0, 1))
        found = max(found, PrivacyProfile(*laws).delta(exp_epsilon=Fraction(2)))
    assert found == exact.delta(**_asked(2, 2, "4"), epsilon="ln 2").upper


def test_which_number_of_holders_is_worst_changes_with_epsilon() -> None:
    profiles = [*profiles_of_sums(n=8, own=Fraction(1, 2), other=Fraction(1, 10), changed=1)]
    worst = [max(range(8), key=lambda k, E=E: profiles[k].delta(exp_epsilon=E)) for E in (Fraction(11, 10), Fraction(49, 10))]  # type: ignore[misc]
    assert worst == [0, 7]


@pytest.mark.parametrize("changed", [1, 2])
def test_some_hundred_users_in_float64_and_in_balls(changed: int) -> None:
    """Where the ball engine certifies a delta from above, float64's lower side does not exceed it, and the other way round."""
    rough = fast.epsilon(n=60, changed=changed, epsilon0=3, delta="1e-6")
    assert rough.upper <= rough.lower * Fraction(105, 100)
    certified = ball.epsilon(n=60, changed=changed, epsilon0=3, delta="1e-6", digits=2)
    assert meet(rough, certified)
    assert certified.upper <= certified.lower * Fraction(102, 100)


def test_shared_bits_bound_every_box_of_datasets() -> None:
    search = fast._search(parse_epsilon("ln 3"), 13, 2, 1e-12)
    E = above(parse_epsilon("3/10"))
    whole = divergence(search.law_of(False, (2, 5)), search.law_of(True, (1, 6)), E)[1]
    assert all(
        divergence(search.law_of(False, (a, a)), search.law_of(True, (b, b)), E)[0] <= whole for a in range(2, 6) for b in range(1, 7)
    )


def test_the_profile_of_one_coordinate_is_never_below_the_exact_one() -> None:
    for n, T in ((1, Fraction(9)), (6, Fraction(3))):
        epsilon0, points = Epsilon(None, T), [Fraction(i, 10) for i in range(16)]
        uppers = AsymmetricCoordinateSums(n=n, epsilon0=epsilon0, changed=1).uppers(points, least=Fraction(1, 10**12))
        for point, upper in zip(points, uppers, strict=True):
            E = Fraction(math.exp(point)) * (1 + Fraction(1, 10**12))  # a little above, where the delta is smaller
            assert upper >= exact.delta(n=n, changed=1, epsilon0=epsilon0, epsilon=Epsilon(None, E)).lower


def test_ends_of_the_domain() -> None:
    for engine in (fast, ball):
        assert engine.delta(n=4, changed=2, epsilon0=3, epsilon=4).exact == "0"  # type: ignore[attr-defined]
        assert engine.delta(n=4, changed=1, epsilon0="ln 9", epsilon="ln 6").exact == "0"  # type: ignore[attr-defined]
        for changed, largest in ((1, "ln 5"), (2, "ln 9")):
            pure = engine.epsilon(n=4, changed=changed, epsilon0="ln 9", delta=0)  # type: ignore[attr-defined]
            assert meet(pure, exact.epsilon(n=4, changed=changed, epsilon0="ln 9", delta=0))
            assert exact.epsilon(n=4, changed=changed, epsilon0="ln 9", delta=0).exact == largest
    with pytest.raises(UnsupportedError):
        fast.epsilon(n=10**8, changed=2, epsilon0=1, delta="1e-6")
    with pytest.raises(UnsupportedError):
        fast.epsilon(n=10, changed=2, epsilon0=1, delta="1e-61")
    with pytest.raises(ResourceLimitError, match="fast"):
        ball.delta(n=10**6, changed=2, epsilon0=1, epsilon=0)


def test_an_epsilon0_beyond_the_precision_is_refused_in_words() -> None:
    with pytest.raises(ResourceLimitError, match="so large an epsilon0"):
        ball.epsilon(n=153, changed=2, epsilon0=10_000, delta="1e-300", digits=30)
