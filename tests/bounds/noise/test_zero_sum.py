"""The zero-sum profile: both directions, floors, agreement of the engines, and what is refused."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from strategies import examples, logarithm

import shuffleproof.spec.bounds.noise.histogram as two_bins
import shuffleproof.spec.bounds.noise.zero_sum as exact
from shuffleproof.impl.ball.bounds.noise import histogram as certified_histogram, zero_sum
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.impl.ball.numeric.binomial import lower_tail, mass
from shuffleproof.spec.distribution import binomial, hockey_stick
from shuffleproof.spec.protocols.zero_sum import papers_p
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

probabilities = st.one_of(
    st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50), max_denominator=50),
    st.sampled_from([Fraction(1, 2), Fraction(1, 10**6), 1 - Fraction(1, 10**6)]),
)
orders = st.one_of(
    st.fractions(min_value=1, max_value=4, max_denominator=30), st.fractions(min_value=4, max_value=10**6, max_denominator=3)
)


@given(st.integers(1, 30), probabilities, orders)
def test_the_two_directions_change_places_with_p_and_its_complement(n, p, exp_epsilon):
    here, there = exact.pair(n=n, p=p), exact.pair(n=n, p=1 - p)
    assert hockey_stick(*here, exp_epsilon=exp_epsilon) == hockey_stick(there[1], there[0], exp_epsilon=exp_epsilon)


def test_below_the_floor_no_epsilon_is_enough():
    for engine in (exact, zero_sum):
        with pytest.raises(RegimeError, match=r"delta >= max\(p\^n, \(1 - p\)\^n\) = 0.000976563"):
            engine.epsilon(n=10, p="1/2", delta="1e-6")
        with pytest.raises(RegimeError, match="no epsilon is enough"):
            engine.epsilon(n=10, p=1, delta="1/2")
        with pytest.raises(RegimeError):
            engine.epsilon(n=10, p="1/2", delta=0)
        at_floor = engine.epsilon(n=10, p="1/2", delta=Fraction(1, 1024))
        assert at_floor.lower <= Epsilon(None, Fraction(10)).bounds(bits=200)[1]
        assert at_floor.upper >= Epsilon(None, Fraction(10)).bounds(bits=200)[0]
        assert engine.delta(n=10, p=0, epsilon="ln 5").lower == 1


def test_at_the_papers_noise_the_guarantee_is_far_better_than_stated():
    """BC20, Theorem 3.1 at n = 10^5, epsilon = 1, delta = 1e-6."""
    low, high = papers_p(n=100_000, epsilon=Fraction(1), delta=Fraction(1, 10**6))
    for p in (low, high):
        assert zero_sum.delta(n=100_000, p=p, epsilon=1).upper < Fraction(1, 10**87)
        assert zero_sum.epsilon(n=100_000, p=p, delta="1e-6").upper < Fraction(146, 1000)


def test_many_users_and_extreme_parameters_are_answered():
    for n, p, delta in [(10**7, "1/2", "1e-30"), (10**6, "0.999", "1e-9"), (10**6, "1e-4", "1e-20"), (10**12, "1e-9", "1e-100")]:
        found = zero_sum.epsilon(n=n, p=p, delta=delta, digits=10)
        assert found.side == "enclosure"
        assert found.claim_side == "upper"
        assert zero_sum.delta(n=n, p=p, epsilon=found.upper).upper <= Fraction(delta)
        assert zero_sum.delta(n=n, p=p, epsilon=found.lower).lower > Fraction(delta)


@given(st.integers(1, 60), probabilities, st.integers(-2, 62))
def test_the_tail_contains_the_exact_tail(n, p, c):
    law = binomial(n, p)
    tail = sum((weight for k, weight in law.items() if k <= c), Fraction(0))
    assert mass(n, p, c).overlaps(ball(law[c]))
    assert lower_tail(n, p, c, bits=40).overlaps(ball(tail))


@examples(40)
@given(st.integers(1, 8), probabilities, orders)
def test_the_two_bin_epsilon_inverts_its_delta(n, p, exp_epsilon):
    delta = two_bins.delta(n=n, p=p, epsilon=logarithm(exp_epsilon)).lower
    found = two_bins.epsilon(n=n, p=p, delta=delta)
    assert found.lower <= logarithm(exp_epsilon).bounds(bits=300)[1]
    floor = p**n + (1 - p) ** n - (p * (1 - p)) ** n
    assert two_bins.epsilon(n=n, p=p, delta=floor).side == "exact"
    with pytest.raises(RegimeError, match="no epsilon is enough"):
        two_bins.epsilon(n=n, p=p, delta=floor * Fraction(999, 1000))


@pytest.mark.parametrize(
    ("error", "engine", "asked"),
    [
        (UnsupportedError, exact, {"n": 10, "p": "1/2", "epsilon": 1}),
        (ResourceLimitError, exact, {"n": 10**6, "p": "1/2", "epsilon": "ln 2"}),
        (ResourceLimitError, two_bins, {"n": 61, "p": "1/2", "epsilon": "ln 2"}),
    ],
)
def test_what_cannot_be_answered_is_refused(error, engine, asked):
    with pytest.raises(error):
        engine.delta(**asked)


@examples(25)
@given(st.integers(2, 12), st.data(), probabilities, orders)
def test_dishonest_users_take_their_noise_with_them(n, data, p, exp_epsilon):
    """BC20.Thm3.1-dishonest and BC20.Thm3.2-dishonest: the same as so many fewer users, and never better than all of them."""
    silent = data.draw(st.integers(1, n - 1))
    for engine in (exact, zero_sum, two_bins, certified_histogram):
        found = engine.delta(n=n, p=p, epsilon=logarithm(exp_epsilon), dishonest=silent)
        alone = engine.delta(n=n - silent, p=p, epsilon=logarithm(exp_epsilon))
        assert (found.lower, found.upper) == (alone.lower, alone.upper)
        assert found.upper >= engine.delta(n=n, p=p, epsilon=logarithm(exp_epsilon)).lower
        assert found.inputs["dishonest"] == str(silent)
        assert found.statement.endswith("-dishonest")
        delta = max(p, 1 - p) ** (n - silent) / 2 + Fraction(1, 2)
        assert engine.epsilon(n=n, p=p, delta=delta, dishonest=silent).upper == engine.epsilon(n=n - silent, p=p, delta=delta).upper


@pytest.mark.parametrize("silent", [10, 11, -1, "1/2", "nan"])
@pytest.mark.parametrize("engine", [exact, zero_sum, two_bins, certified_histogram])
def test_somebody_must_be_honest(engine, silent):
    with pytest.raises(DomainError, match="dishonest"):
        engine.delta(n=10, p="1/2", epsilon=0, dishonest=silent)
