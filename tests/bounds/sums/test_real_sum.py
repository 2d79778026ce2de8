"""The real sum in both views: certified ends around exact values, the order of the views, grids, and what is refused."""

from fractions import Fraction

import pytest
from enclosures import meet

from shuffleproof.impl.ball.bounds.sums import bit_sum, real_sum
from shuffleproof.impl.ball.bounds.sums.tagged_runs import composed
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError
from shuffleproof.spec.vocabulary.numerals import Epsilon


@pytest.mark.parametrize(("n", "lam", "r", "epsilon"), [(1000, 300, 2, "0.4"), (300, 150, 8, "1"), (20000, 400, 4, "1")])
def test_untagged_is_at_most_tagged_and_close_to_it(n, lam, r, epsilon):
    untagged, tagged = (real_sum.delta(n=n, lam=lam, r=r, epsilon=epsilon, view=view, digits=2) for view in ("untagged", "tagged"))
    assert meet(untagged, tagged)
    assert tagged.upper < untagged.lower * Fraction(3, 2)


def test_where_there_is_little_noise_tags_cost_privacy():
    """n = 1000, lambda = 10, r = 8, eps = 5: a tagged dataset needs twelve times the delta of the worst untagged one."""
    untagged, tagged = (real_sum.delta(n=1000, lam=10, r=8, epsilon=5, view=view, digits=4) for view in ("untagged", "tagged"))
    assert tagged.lower > 12 * untagged.upper
    assert tagged.upper < tagged.lower * Fraction(6, 5)


def test_one_run_is_the_bit_sum_in_both_views():
    expected = bit_sum.delta(n=100, lam=30, epsilon="0.3")
    for view in ("untagged", "tagged"):
        found = real_sum.delta(n=100, lam=30, r=1, epsilon="0.3", view=view)
        assert (found.lower, found.upper) == (expected.lower, expected.upper)
        assert found.method == f"real-sum-{view}"


def test_a_finer_grid_only_tightens_and_an_infinite_loss_counts():
    run, order = Sum(49, 1, Fraction(1, 5)), Epsilon(Fraction(1), None)
    fine = composed(run, 4, least_delta=Fraction(1, 10**6))
    coarse = type(fine)(run, 4, fine.step * 4, -(-fine.points // 4), fine.left_out)
    short = type(fine)(run, 4, fine.step, fine.points // 4, fine.left_out)
    assert fine.delta(order) < coarse.delta(order)
    assert fine.delta(order) < short.delta(order)


def test_extremes():
    for view in ("untagged", "tagged"):
        assert real_sum.delta(n=2, lam=0, r=3, epsilon=1, view=view).exact == "1"
        assert real_sum.delta(n=2, lam=2, r=3, epsilon=0, view=view).exact == "0"
        assert real_sum.delta(n=2, lam=1, r=3, epsilon="ln 27", view=view).exact == "0"
        pure = real_sum.epsilon(n=2, lam=1, r=3, delta=0, view=view)
        assert pure.lower <= 3 * Epsilon(None, Fraction(3)).bounds(bits=80)[1]
        assert pure.upper >= 3 * Epsilon(None, Fraction(3)).bounds(bits=80)[0]
        assert real_sum.epsilon(n=2, lam=1, r=3, delta=1, view=view).exact == "0"
        tiny = real_sum.epsilon(n=2, lam=1, r=3, delta="1e-300", view=view)
        assert pure.lower * Fraction(99, 100) < tiny.upper <= pure.upper
        assert real_sum.delta(n=1, lam="1e-300", r=2, epsilon=700, view=view).lower > Fraction(99, 100)


@pytest.mark.parametrize(
    ("error", "changed"),
    [
        (DomainError, {"r": 0}),
        (DomainError, {"r": 10**5}),
        (DomainError, {"lam": 101}),
        (DomainError, {"view": "both"}),
        (DomainError, {"delta": -1}),
        (RegimeError, {"lam": 0}),
        (ResourceLimitError, {"view": "tagged", "r": 300}),
    ],
)
def test_what_cannot_be_answered_is_refused(error, changed):
    with pytest.raises(error):
        real_sum.epsilon(**({"n": 100, "lam": 30, "r": 2, "delta": "1e-6", "view": "untagged"} | changed))
