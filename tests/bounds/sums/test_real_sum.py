"""The real sum in both views, the float64 engine of the bit sum, and Renyi divergences of the papers' sums."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from enclosures import meet

import shuffleproof as sp
from shuffleproof.impl.ball.bounds.k_rr import binary_rr_exhaustive as ball_binary
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.impl.ball.bounds.sums import bit_sum, coordinate_sums, noisy_bits as ball_bits, noisy_renyi, real_sum
from shuffleproof.impl.ball.bounds.sums.tagged_runs import composed
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.impl.fast.bounds.k_rr import binary_rr_exhaustive as fast_binary
from shuffleproof.impl.fast.bounds.sums import bit_sum as fast, noisy_bits as bits
from shuffleproof.spec.bounds.sums import bit_sum as exact_bit_sum
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon


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
        (DomainError, {"r": 10**5}),
        (DomainError, {"lam": 101}),
        (DomainError, {"view": "both"}),
        (RegimeError, {"lam": 0}),
        (ResourceLimitError, {"view": "tagged", "r": 300}),
    ],
)
def test_what_cannot_be_answered_is_refused(error, changed):
    with pytest.raises(error):
        real_sum.epsilon(**({"n": 100, "lam": 30, "r": 2, "delta": "1e-6", "view": "untagged"} | changed))


@pytest.mark.parametrize(
    ("ones", "zeros", "p", "epsilon"),
    [
        (0, 0, "1/3", "0.3"),
        (0, 999, "0.27", "0.1"),
        (999, 0, "0.27", "0.1"),
        (500, 99_499, "0.05", "0.02"),
        (30_000, 69_999, "0.4999", "0.000001"),
        (0, 10**6 - 1, "1/100000", "3"),
        (10**6 - 1, 0, "1/100000", "11.5"),
        (500_000, 499_999, "1/100000", "3"),
        (10**4, 10**4, "0.3", "0"),
    ],
)
def test_its_sides_hold_the_certified_divergence_of_one_dataset(ones: int, zeros: int, p: str, epsilon: str) -> None:
    flips, central = bits.Flips.exactly(Fraction(p)), parse_epsilon(epsilon)
    lower, upper = bits.sides(flips, bits.Order.of(flips, central), ones=ones, zeros=zeros)
    truth = ball_bits.divergence(ball_bits.Bits(ones, zeros, 1, Fraction(p)), central, digits=17)
    assert lower <= truth.upper
    assert truth.lower <= upper
    assert upper - lower <= 1e-6 * upper


def test_shared_bits_bound_every_dataset_of_their_block() -> None:
    flips, order = bits.Flips.exactly(Fraction(1, 5)), bits.Order.of(bits.Flips.exactly(Fraction(1, 5)), parse_epsilon("1/10"))
    block = bits.sides(flips, order, ones=20, zeros=99 - 30)[1]
    assert all(bits.sides(flips, order, ones=k, zeros=99 - k)[0] <= block for k in range(20, 31))


def test_one_dataset_alone_is_not_the_worst() -> None:
    """A search that looked at the first dataset only would be below the truth."""
    flips, central = bits.Flips.exactly(Fraction(1, 10)), parse_epsilon("1/2")
    found = fast.worst(flips, 99, central, gap=1e-6)
    assert bits.sides(flips, bits.Order.of(flips, central), ones=0, zeros=99)[1] < found.lower


def test_it_agrees_with_balls_on_many_users() -> None:
    n, lam = 10**4, 40
    found = fast.epsilon(n=n, lam=lam, delta="1e-6")
    assert found.upper <= found.lower * Fraction(1002, 1000)
    above, below = (fast.delta(n=n, lam=lam, epsilon=found.lower), bit_sum.delta(n=n, lam=lam, epsilon=found.upper, digits=2))
    assert above.upper >= Fraction("1e-6") >= below.lower


def test_binary_randomized_response_of_irrational_terms_agrees_between_engines() -> None:
    asked: dict[str, Any] = {"n": 500, "k": 2, "epsilon0": 1, "delta": "1e-6"}
    one, other = ball_binary.epsilon(**asked, digits=3), fast_binary.epsilon(**asked)
    assert meet(one, other)
    assert other.upper <= other.lower * Fraction(1002, 1000)


@pytest.mark.parametrize("engine", [fast_binary, ball_binary])
def test_other_numbers_of_items_are_for_exact_arithmetic(engine: Any) -> None:
    with pytest.raises(UnsupportedError, match="exact"):
        engine.delta(n=5, k=3, epsilon0=1, epsilon="1/2")


def test_ends_of_the_domain() -> None:
    assert fast.epsilon(n=5, lam=5, delta="1e-9").exact == "0"
    assert fast.epsilon(n=5, lam=2, delta=0).exact == "ln 4"
    assert fast.delta(n=5, lam=0, epsilon=3).exact == "1"
    assert fast.delta(n=5, lam=2, epsilon="ln 4").exact == "0"
    with pytest.raises(RegimeError):
        fast.epsilon(n=5, lam=0, delta="0.1")
    with pytest.raises(UnsupportedError):
        fast.epsilon(n=5, lam=2, delta="1e-301")
    with pytest.raises(UnsupportedError):
        fast.delta(n=10**10, lam=2, epsilon=1)
    with pytest.raises(DomainError, match="lambda"):
        fast.delta(n=5, lam=6, epsilon=1)


def test_a_divergence_rises_with_its_order_up_to_the_largest_loss() -> None:
    orders = ("1.001", 2, "5/2", 40, 10**6)
    found = [bit_sum.renyi(n=50, lam=10, order=order, digits=6) for order in orders]
    assert all(less.lower <= more.upper for less, more in pairwise(found))
    assert found[0].upper < found[-1].lower
    assert found[-1].upper <= bit_sum.epsilon(n=50, lam=10, delta=0).upper


def test_the_lower_end_is_the_binary_pair_with_all_others_alike() -> None:
    """e^epsilon0 = 2n/lambda - 1."""
    pair = binary_rr.renyi(n=60, epsilon0="ln 5", order=3, digits=8)
    found = bit_sum.renyi(n=60, lam=20, order=3, digits=8)
    assert abs(found.lower - pair.lower) <= found.lower / 10**7
    assert found.upper >= pair.lower


def test_without_noise_a_divergence_is_refused_and_with_all_of_it_it_is_zero() -> None:
    assert bit_sum.renyi(n=10, lam=10, order=2).upper == 0
    assert coordinate_sums.renyi(n=10, changed=2, epsilon0=0, order=2).upper == 0
    for refuse in (bit_sum.renyi, exact_bit_sum.renyi):
        with pytest.raises(RegimeError, match="lambda > 0"):
            refuse(n=10, lam=0, order=2)


@pytest.mark.parametrize(
    "protocol",
    [
        sp.ZeroSum(n=20, p="0.9"),
        sp.Histogram(n=20, p="0.9", dishonest=3),
        sp.shuffled(sp.ApproximateRandomizer(epsilon0=1, delta0="1e-9"), n=20),
    ],
)
def test_what_gives_itself_away_has_no_finite_divergence(protocol: sp.Mechanism) -> None:
    for ask in (protocol, protocol.rounds(3)):
        with pytest.raises(RegimeError, match="every Renyi divergence is infinite"):
            ask.renyi(order=2)


def test_a_histogram_of_users_has_the_divergence_of_its_gaussian_noise() -> None:
    replaced, added = (
        sp.UserHistogram(threshold=3, domain_size=10, sigma=2, relation=relation).renyi(order="5/2")
        for relation in (sp.Relation.REPLACE_ONE, sp.Relation.ADD_REMOVE)
    )
    assert replaced.upper.upper == Fraction(5, 2) * 18 / (2 * 4)
    assert added.upper.upper == replaced.upper.upper / 2
    assert replaced.lower.lower == replaced.upper.upper


def test_rounds_of_a_protocol_add_up() -> None:
    once = sp.RealSum(n=20, lam=5, r=3, view="tagged").renyi(order=4, method="real-sum-tagged", digits=8)
    assert sp.RealSum(n=20, lam=5, r=3, view="tagged").rounds(7).renyi(order=4).upper.upper <= 7 * once.upper * (1 + Fraction(1, 10**6))


def test_two_items_have_a_divergence_below_that_of_all_randomizers() -> None:
    found = sp.shuffled(sp.KRR(k=2, epsilon0=1), n=100).renyi(order=8)
    assert found.upper.method == "k-rr-exhaustive"
    assert found.lower is not None
    assert found.upper.upper < Fraction(3, 4) * sp.renyi(n=100, epsilon0=1, order=8, method="stronger-clones").upper


def test_a_search_that_takes_too_long_is_refused_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noisy_renyi, "_window", None)
    with pytest.raises(ResourceLimitError, match="Renyi divergences"):
        real_sum.renyi(n=10**5, lam=1000, r=1000, order=10, view="untagged", digits=30)


def test_beyond_what_polynomials_carry_the_largest_loss_is_the_upper_end() -> None:
    """p is e^-5000 and the order 10^6: thousands of masses times thousands, each pair of another order of magnitude."""
    found = coordinate_sums.renyi(n=20_000, changed=2, epsilon0=10_000, order=10**6, digits=30)
    assert 9_990 < found.lower <= found.upper <= Fraction("10000.0000000000001")
