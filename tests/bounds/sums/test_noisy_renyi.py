"""Renyi divergences of the papers' sums: exact inside balls, one-coordinate laws add up, what is infinite is said to be."""

from fractions import Fraction
from itertools import pairwise

import pytest

import shuffleproof as sp
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.impl.ball.bounds.sums import bit_sum, coordinate_sums, noisy_renyi, real_sum
from shuffleproof.spec.bounds.sums import bit_sum as exact_bit_sum
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError


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
