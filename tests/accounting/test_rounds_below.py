"""Many rounds are bracketed: one pair of datasets, the same in all of them, bounds their epsilon from below."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shuffleproof as sp
from shuffleproof.accounting import rounds_below
from shuffleproof.impl.ball import privacy_loss
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.spec.composition import composed
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.elementary import log_bounds

MANY = (
    (sp.shuffled(sp.KRR(k=50, epsilon0=4), n=200_000), 52, "1.001"),
    (sp.shuffled(sp.RAPPOR(epsilon0=1), n=10**6), 100, "1.004"),
    (sp.shuffled(sp.Subset(k=10, d=3, epsilon0=1), n=10**6), 100, "1.004"),
    (sp.shuffled(sp.LocalHashing(buckets=4, epsilon0=1), n=10**6), 100, "1.001"),
)


def _of_homogeneous_krr(n: int, k: int, T: Fraction, rounds: int, delta: Fraction) -> Fraction:
    """e^epsilon of so many rounds of (1, k, ..., k) against (2, k, ..., k), in rationals."""
    rest = (k - 1,) * (n - 1)
    pair = tuple(shuffled_law(k_rr(k=k, exp_epsilon0=T), (x, *rest)) for x in (0, 1))
    found = PrivacyProfile(*composed([(pair[0], pair[1])] * rounds)).exp_epsilon(delta=delta)
    assert found is not None
    return found


@given(
    n=st.integers(1, 3),
    k=st.integers(2, 4),
    T=st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(4)]),
    rounds=st.integers(1, 3),
    delta=st.sampled_from([Fraction(1, 10), Fraction(1, 50), Fraction(1, 1000)]),
)
@settings(max_examples=5, deadline=None)
def test_rounds_of_few_users_stay_below_the_exact_composition_and_near_it(
    n: int, k: int, T: Fraction, rounds: int, delta: Fraction
) -> None:
    mechanism = sp.shuffled(sp.KRR(k=k, epsilon0=f"ln {T}"), n=n)
    found = rounds_below.rounds_below([(mechanism, rounds)], delta=delta, of="rounds")
    low, high = log_bounds(_of_homogeneous_krr(n, k, T, rounds, delta), bits=64)
    assert found.lower <= high
    assert found.lower >= low - Fraction(3, 200) * rounds * log_bounds(T, bits=64)[1]


@pytest.mark.parametrize(("mechanism", "rounds", "ratio"), MANY, ids=lambda each: str(each))
def test_a_year_of_rounds_is_bracketed_closely(mechanism: Mechanism, rounds: int, ratio: str) -> None:
    found = mechanism.rounds(rounds).epsilon(delta="1e-6")
    assert found.lower.statement == "BEYOND.rounds-below"
    assert 1 <= found.ratio <= Fraction(ratio)


def test_losses_rounded_up_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from shuffleproof.impl.ball import privacy_loss_below

    honest = privacy_loss_below.beneath

    def up(*nodes: Any, **grid: Any) -> privacy_loss.GridMeasure:
        found = honest(*nodes, **grid)
        return privacy_loss.GridMeasure(found.low + 1, found.masses, 0, below=True)

    monkeypatch.setattr(privacy_loss_below, "beneath", up)
    found = rounds_below.rounds_below([(sp.shuffled(sp.KRR(k=3, epsilon0="ln 2"), n=3), 3)], delta=Fraction(1, 1000), of="rounds")
    assert found.lower > log_bounds(_of_homogeneous_krr(3, 3, Fraction(2), 3, Fraction(1, 1000)), bits=64)[1]


def test_unlike_rounds_lose_more_than_either_and_less_than_their_sum() -> None:
    first, second = sp.shuffled(sp.KRR(k=4, epsilon0=1), n=1000), sp.shuffled(sp.RAPPOR(epsilon0=1), n=1000)
    delta = Fraction(1, 10**6)
    both = rounds_below.rounds_below([(first, 2), (second, 3)], delta=delta, of="both")
    alone = [rounds_below.rounds_below([part], delta=delta, of="one") for part in ((first, 2), (second, 3))]
    assert all(each is not None and each.lower < both.lower for each in alone)
    assert both.lower < sum(each.lower for each in alone if each is not None)


def test_a_mechanism_without_a_pair_has_no_lower_bound_of_its_rounds() -> None:
    assert rounds_below.rounds_below([(sp.LaplaceSum(n=10, sensitivity=1, epsilon0=1), 2)], delta=Fraction(1, 100), of="two") is None


def test_compose_says_what_no_bound_is_below() -> None:
    found = sp.compose(n=10_000, epsilon0=1, rounds=10, delta="1e-6", engine="fast")
    assert found.below.lower <= found.bound.upper
    assert sp.compose(n=20, method="optimal-pair", p=4, beta="1/2", q=4, rounds=2, delta="1e-3", engine="fast").below is None


@pytest.mark.parametrize("order", [Fraction(3, 2), 2, 9])
def test_renyi_divergences_of_few_users_stay_below_the_exact_one_and_near_it(order: Fraction) -> None:
    rest = (2, 2)
    P, Q = (shuffled_law(k_rr(k=3, exp_epsilon0=Fraction(3)), (x, *rest)) for x in (0, 1))
    exact = math.log(sum(float(P[y]) ** order * float(Q[y]) ** (1 - order) for y in P.support)) / (float(order) - 1)
    found = rounds_below.renyi_below([(sp.shuffled(sp.KRR(k=3, epsilon0="ln 3"), n=3), 2)], order=order, of="two rounds")
    assert 0.97 * 2 * exact <= float(found.lower) <= 2 * exact


def test_renyi_divergences_of_named_randomizers_are_bracketed() -> None:
    for randomizer, ratio in ((sp.LocalHashing(buckets=4, epsilon0=1), "1.002"), (sp.Subset(k=10, d=3, epsilon0=1), "1.01")):
        found = sp.shuffled(randomizer, n=10_000).rounds(20).renyi(order=2)
        assert found.lower.also[-1] == "BEYOND.rounds-below"
        assert 1 <= found.ratio <= Fraction(ratio)
