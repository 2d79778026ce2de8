"""Users who take part at random: blocks of counts and mixtures against the exact ones; answers against whole views at small n."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shuffleproof import KRR, AnyRandomizer, BitSum, CoordinateSums, ZeroSum, shuffled
from shuffleproof.impl.ball import random_participation as ball
from shuffleproof.participation import RandomParticipation
from shuffleproof.spec.bounds import binary_rr
from shuffleproof.spec.bounds import random_participation as exact
from shuffleproof.spec.distribution import binomial
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError


@pytest.mark.parametrize(("n", "rate", "least"), [(1, "1/3", 1), (2, "1", 2), (7, "9/10", 3), (300, "1/50", 1), (300, "49/50", 290)])
def test_blocks_hold_every_count_once_with_its_probability(n: int, rate: str, least: int) -> None:
    g = Fraction(rate)
    parts = ball.blocks(n=n, rate=g, least=least)
    assert [m for part in parts for m in range(part.least, part.most + 1)] == list(range(n if g == 1 else least, n + 1))
    law = binomial(n, g)
    for part in parts:
        share = sum((law[m] * Fraction(m, n) for m in range(part.least, part.most + 1)), Fraction(0))
        assert part.below <= share <= part.above <= share + Fraction(1, 10**20)


def test_two_tails_are_below_the_divergence_of_the_pair() -> None:
    for m in (1, 2, 9):
        zero, one = binary_rr.pair(n=m, exp_epsilon0=Fraction(3))
        for E in (Fraction(1), Fraction(11, 10), Fraction(2), Fraction(29, 10), Fraction(4)):
            truth = hockey_stick(one, zero, exp_epsilon=E)
            assert truth - Fraction(1, 10**20) <= ball.one_bit(m, E, T=Fraction(3)) <= truth


@pytest.mark.parametrize("least", [1, 3])
def test_the_bracket_holds_the_homogeneous_pair_of_the_whole_view(least: int) -> None:
    """Binary randomized response of four users: below every bound, and what the lower side is of."""
    randomizer, rate = k_rr(k=2, exp_epsilon0=Fraction(3)), Fraction(1, 2)
    views = [exact.view(randomizer, data, rate=rate, least=least) for data in ((1, 0, 0, 0), (0, 0, 0, 0))]
    one = RandomParticipation(one=shuffled(KRR(k=2, epsilon0="ln 3"), n=4), rate=rate, least=least)
    for E in ("1", "11/10", "3/2"):
        found = one.delta(epsilon=f"ln {E}")
        truth = hockey_stick(*views, exp_epsilon=Fraction(E))
        assert found.lower is not None
        assert found.lower.lower <= truth <= found.upper.upper
        assert truth == 0 or found.lower.lower >= truth * Fraction(9, 10) or len(ball.blocks(n=4, rate=rate, least=least)) < 4


def test_everybody_taking_part_is_the_mechanism_itself() -> None:
    one = shuffled(AnyRandomizer(epsilon0=1), n=100)
    found = RandomParticipation(one=one, rate=1).epsilon(delta="1e-4")
    alone = one.epsilon(delta="1e-4")
    assert alone.lower is not None
    assert alone.lower.lower <= found.upper.upper <= alone.upper.upper * Fraction(1001, 1000)


@pytest.mark.parametrize(
    "one",
    [shuffled(AnyRandomizer(epsilon0=2), n=2000), pytest.param(BitSum(n=30, lam=12), marks=pytest.mark.deep), ZeroSum(n=200, p="1/2")],
)
def test_taking_part_seldom_hides_better(one: object) -> None:
    often, seldom = (RandomParticipation(one=one, rate=rate).epsilon(delta="1e-2").upper.upper for rate in ("1/2", "1/4"))  # type: ignore[arg-type]
    assert seldom < often


@pytest.mark.deep
def test_many_rounds_of_it_are_composed() -> None:
    one = RandomParticipation(one=shuffled(AnyRandomizer(epsilon0=1), n=100), rate="1/2")
    assert one.epsilon(delta="1e-3").upper.upper < one.rounds(3).epsilon(delta="1e-3").upper.upper


def test_what_is_not_carried_is_refused() -> None:
    one = shuffled(AnyRandomizer(epsilon0=1), n=10)
    for rate in (0, 2):
        with pytest.raises(DomainError, match="rate"):
            RandomParticipation(one=one, rate=rate)
    with pytest.raises(DomainError, match="one"):
        RandomParticipation(one=CoordinateSums(n=10, epsilon0=1), rate="1/2")
    with pytest.raises(DomainError, match="one"):
        RandomParticipation(one=ZeroSum(n=10, p="1/2", dishonest=1), rate="1/2")
    with pytest.raises(RegimeError, match="least"):
        RandomParticipation(one=ZeroSum(n=4, p="1/2"), rate="1/2").epsilon(delta="1e-6")
    with pytest.raises(UnsupportedError):
        RandomParticipation(one=one, rate="1/2").renyi(order=2)
