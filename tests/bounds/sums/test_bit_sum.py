"""The bit sum over all datasets: certified ends around the exact exhaustion, both engines at every extreme, and what is refused."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from flint import arb
from hypothesis import given, strategies as st
from strategies import examples, inner_shares, logarithm

from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.impl.ball.bounds.sums import bit_sum, noisy_bits
from shuffleproof.impl.ball.bounds.sums.bit_sum import epsilon_of_binary_rr
from shuffleproof.impl.ball.bounds.sums.noisy_bits import Bits, divergence, tail
from shuffleproof.impl.ball.bounds.sums.noisy_bits_contour import Circle, on_circle
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum, worst
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.spec.distribution import binomial, convolution, hockey_stick
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError
from shuffleproof.spec.vocabulary.numerals import Epsilon

flips = st.one_of(st.fractions(min_value=Fraction(1, 100), max_value=Fraction(49, 100), max_denominator=100), st.just(Fraction(1, 10**9)))


def distribution(ones, zeros, p):
    return convolution(binomial(ones, 1 - p), binomial(zeros, p))


@examples(80)
@given(st.integers(0, 9), st.integers(0, 9), flips, st.integers(-12, 12), st.sampled_from([2.0, 10.0, 40.0]))
def test_the_tail_contains_the_exact_tail(ones, zeros, p, u, exponent):
    expected = distribution(ones, zeros, p).map(lambda y: y - ones)
    with precision(120):
        found = tail(ones, zeros, p, u, exponent=exponent, bits=100)
        beyond = sum((weight for y, weight in expected.items() if y > u), Fraction(0))
        for got, truth in ((found.here, expected[u]), (found.following, expected[u + 1]), (found.beyond, beyond)):
            assert got.overlaps(ball(truth))


@pytest.mark.parametrize(
    ("ones", "zeros", "p"), [(0, 9, Fraction(2, 5)), (5, 4, Fraction(2, 5)), (9, 9, Fraction(2, 5)), (3, 6, Fraction(1, 10**9))]
)
def test_any_circle_contains_the_exact_tail(ones, zeros, p):
    """Too few points, too narrow a window: wide, never wrong."""
    expected = distribution(ones, zeros, p).map(lambda y: y - ones)
    cases = product(range(-ones - 2, zeros + 2, 3), (0.01, 0.5), (0.1, 6.0), (1, 3, 4, 9), (0, 2, 8))
    with precision(120):
        for u, theta, slope, reach, points in cases:
            if points >= reach:
                continue
            found = on_circle(ones, zeros, p, u, Circle(theta, slope, reach, points), bits=100)
            beyond = sum((weight for y, weight in expected.items() if y > u), Fraction(0))
            for got, truth in zip(found, (expected[u - 1], expected[u], expected[u + 1], beyond), strict=True):
                assert got.overlaps(ball(truth))


@pytest.mark.parametrize(("ones", "zeros"), [(0, 8000), (8000, 0), (6000, 2000)])
@pytest.mark.parametrize("deviations", [-3, 0, 5])
def test_circles_tell_of_many_bits_what_adding_up_tells(ones, zeros, deviations, monkeypatch):
    p = Fraction(1, 4)
    u = round((zeros - ones) * p) + 38 * deviations

    def told(shortest):
        monkeypatch.setattr(noisy_bits, "_LONG", shortest)
        found = tail(ones, zeros, p, u, exponent=60, bits=160)
        before = tail(ones, zeros, p, u - 1, exponent=60, bits=160).here if found.before is None else found.before
        return before, found.here, found.following, found.beyond

    with precision(160):
        by_circle, added_up = told(0), told(8000)
        for got, other in zip(by_circle, added_up, strict=True):
            assert got.overlaps(other)
            assert got.rad() < got * arb(10) ** -24
            assert got.mid() != other.mid()


@examples(80)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 4), flips, inner_shares, st.sampled_from([3, 8, 20]))
def test_one_dataset_is_enclosed_to_the_digits_asked_for(ones, zeros, changed, p, share, digits):
    top = ((1 - p) / p) ** changed
    order = 1 + (top - 1) * share**3
    truth = hockey_stick(distribution(ones + changed, zeros, p), distribution(ones, zeros + changed, p), exp_epsilon=order)
    found = divergence(Bits(ones, zeros, changed, p), logarithm(order), digits=digits)
    assert found.lower <= truth <= found.upper
    assert (found.upper - found.lower) * 10**digits <= found.upper


def test_ties_in_exact_arithmetic_are_answered():
    """n = 1, lambda = 1/2: delta(0) is exactly 1/2."""
    found = bit_sum.epsilon(n=1, lam="1/2", delta="1/2")
    assert found.lower == 0
    assert found.upper < Fraction(1, 10**12)
    assert bit_sum.delta(n=3, lam=2, epsilon=0).lower <= Fraction(5, 27) <= bit_sum.delta(n=3, lam=2, epsilon=0).upper


def test_the_homogeneous_dataset_and_one_direction_are_not_enough():
    """n = 3, lambda = 2, e^eps = 1: 4/27 for k = 0, 5/27 for k = 1. n = 1000: k = 0 and k = 999 differ by far in one direction."""
    homogeneous = divergence(Bits(0, 2, 1, Fraction(1, 3)), logarithm(Fraction(1)), digits=6)
    assert homogeneous.upper < Fraction(4, 27) * Fraction(100001, 100000) < bit_sum.delta(n=3, lam=2, epsilon=0).lower
    p, half = Fraction(3, 20), Epsilon(Fraction(1, 2), None)
    up, down = (divergence(Bits(k, 999 - k, 1, p), half, digits=6) for k in (999, 0))
    assert up.lower > 10**9 * down.upper
    whole = bit_sum.delta(n=1000, lam=300, epsilon="0.5")
    assert whole.upper >= up.lower
    assert whole.lower > 10**9 * down.upper


@pytest.mark.parametrize(("n", "lam", "epsilon"), [(40, 12, "0.4"), (60, 50, "0.1"), (60, 4, "1")])
def test_blocks_find_what_looking_at_every_dataset_finds(n, lam, epsilon):
    p, order = Fraction(lam, 2 * n), Epsilon(Fraction(epsilon), None)
    every = [divergence(Bits(k, n - 1 - k, 1, p), order, digits=14) for k in range(n)]
    found = worst(Sum(n - 1, 1, p), order, digits=12)
    assert found.lower <= max(each.upper for each in every)
    assert found.upper >= max(each.lower for each in every)
    assert found.upper <= max(each.upper for each in every) * (1 + Fraction(1, 10**11))


def test_a_search_for_a_target_says_which_dataset_misses_it():
    of, order = Sum(999, 1, Fraction(3, 20)), Epsilon(Fraction(1, 5), None)
    value = worst(of, order, digits=8)
    missed = worst(of, order, digits=8, target=value.lower * Fraction(999, 1000))
    assert divergence(of.dataset(missed.k), order, digits=8).lower > value.lower * Fraction(999, 1000)
    assert worst(of, order, digits=8, target=value.upper * Fraction(1001, 1000)).upper <= value.upper * Fraction(1001, 1000)


@pytest.mark.parametrize("n", [10**5, 10**7, 10**15])
def test_many_users_are_answered_and_twice_as_well_as_by_revealing_the_random_users(n):
    """The clones pair with e^eps0 = (2n - lambda)/lambda reveals who sends a random bit (CSUZZ19.Profile.envelope)."""
    found = bit_sum.delta(n=n, lam=1000, epsilon="1/4", digits=6)
    assert (found.upper - found.lower) * 10**3 <= found.upper
    general = stronger_clones.delta(n=n, epsilon0=Epsilon(None, Fraction(2 * n, 1000) - 1), epsilon="1/4", digits=6)
    assert found.upper < general.lower / 10
    half = bit_sum.delta(n=n, lam=500, epsilon="1/4", digits=2)
    assert half.upper > general.lower / 3


def test_extremes():
    for epsilon in (0, 1, 700):
        assert bit_sum.delta(n=5, lam=0, epsilon=epsilon).exact == "1"
        assert bit_sum.delta(n=5, lam=5, epsilon=epsilon).exact == "0"
    assert bit_sum.delta(n=10, lam=3, epsilon=700).exact == "0"
    assert bit_sum.delta(n=10, lam="1e-310", epsilon=700).lower > Fraction(99, 100)
    for n in (1, 2, 1000):
        pure = bit_sum.epsilon(n=n, lam=Fraction(n, 2), delta=0)
        assert pure.exact == "ln 3"
        tiny = bit_sum.epsilon(n=n, lam=Fraction(n, 2), delta="1e-300")
        assert pure.lower * Fraction(1, 2) < tiny.upper <= pure.upper * (1 + Fraction(1, 10**12))
        assert bit_sum.epsilon(n=n, lam=Fraction(n, 2), delta=1).exact == "0"
        assert bit_sum.epsilon(n=n, lam=n, delta=0).exact == "0"
    assert bit_sum.epsilon(n=5, lam=0, delta=1).exact == "0"


@pytest.mark.parametrize(
    ("error", "asked"), [(DomainError, {"n": 10, "lam": 11, "delta": "1e-6"}), (RegimeError, {"n": 10, "lam": 0, "delta": "1e-6"})]
)
def test_what_cannot_be_answered_is_refused(error, asked):
    with pytest.raises(error):
        bit_sum.epsilon(**asked)


@examples(30)
@given(
    st.integers(0, 10),
    st.integers(0, 10),
    st.sampled_from([Fraction(1, 10**400), Fraction(1, 10**1500), Fraction(1, 2) - Fraction(1, 10**25)]),
    st.sampled_from([1, 5, 30]),
    inner_shares,
)
def test_flips_beyond_the_range_of_floats_are_answered(ones, zeros, p, power, share):
    order = 1 + ((1 - p) / p - 1) * share**power
    truth = hockey_stick(distribution(ones + 1, zeros, p), distribution(ones, zeros + 1, p), exp_epsilon=order)
    found = divergence(Bits(ones, zeros, 1, p), logarithm(order), digits=6)
    assert found.lower <= truth <= found.upper


def test_a_noise_below_the_range_of_floats_has_an_epsilon():
    found = bit_sum.epsilon(n=2, lam="1e-5000", delta="0.9")
    assert 11512 < found.lower <= found.upper < 11513


def test_a_delta_that_is_not_told_apart_from_zero_ends_the_search_over_datasets() -> None:
    """At 0.9 eps0 a sum of 10^12 bits loses e^(-10^11) or less: more digits of it took minutes."""
    found = worst(Sum(10**12 - 1, 1, Fraction(1, 2) - Fraction(58, 10**14)), Epsilon(Fraction(2088, 10**15), None), digits=1)
    assert (found.lower, found.pairs < 30) == (0, True)
    assert found.upper < Fraction(1, 10**10000)


def test_a_cut_far_out_is_found_though_steps_of_newton_leave_it() -> None:
    """Mutant: a step of 1 where one of Newton's was taken before, 60 times at every precision up to 2^17 bits (minutes)."""
    bits = Bits(ones=13_920_858, zeros=0, changed=7_973, p=Fraction(31, 3_494))
    with one_answer(times=1e-2):
        found = divergence(bits, Epsilon(Fraction(34_049), None), digits=6)
    assert found.bits < 200
    assert found.upper < Fraction(1, 10**300)


@pytest.mark.parametrize(("n", "epsilon0"), [(10**4, "1"), (10**6, "1"), (10**6, "4"), (10**9, "8")])
def test_it_is_the_formula_rounded_up_and_above_one_pair(n: int, epsilon0: str) -> None:
    found = epsilon_of_binary_rr(n=n, epsilon0=epsilon0, delta="1e-6")
    with mpmath.workdps(80):
        lam = 2 * mpmath.mpf(n) / (mpmath.exp(epsilon0) + 1)
        g = lam - mpmath.sqrt(2 * lam * mpmath.log(2 * 10**6))
        printed = mpmath.sqrt(32 * mpmath.log(4 * 10**6) / g) * (1 - g / n)
        above = (mpmath.mpf(found.numerator) / found.denominator) / printed - 1
    assert 0 <= above < mpmath.mpf(10) ** -30
    assert found > binary_rr.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", digits=6).upper


@pytest.mark.parametrize(("n", "epsilon0", "delta"), [(10**4, "8", "1e-6"), (1, "0", "1/2"), (10**6, "1", 0), (10**6, "1", 1)])
def test_outside_its_condition_it_is_refused(n: int, epsilon0: str, delta: str | int) -> None:
    with pytest.raises(RegimeError, match=r"Clm4\.6"):
        epsilon_of_binary_rr(n=n, epsilon0=epsilon0, delta=delta)


def test_the_condition_is_certified_not_rounded() -> None:
    """Just inside: lambda is a hair above 14 ln(4/delta)."""
    assert epsilon_of_binary_rr(n=214, epsilon0=0, delta="1e-6") > Fraction(0)
    with pytest.raises(RegimeError):
        epsilon_of_binary_rr(n=212, epsilon0=0, delta="1e-6")
