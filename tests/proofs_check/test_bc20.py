"""BC20: the ledger's own tools against independent computations, its witnesses by hand.

BC20's ledger on sample complexity: its tools against independent computations.
"""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.impl.ball.bounds.noise import zero_sum as certified
from shuffleproof.impl.ball.bounds.samples import pointer_samples, support_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.proofs_check.papers.bc20 import section3_1_constant as constant, section3_3_local as local
from shuffleproof.proofs_check.papers.bc20.appendix_a import excess
from shuffleproof.proofs_check.papers.bc20.printed_noise import Point, divergence, smallest_n
from shuffleproof.proofs_check.papers.bc20.section3_1_accuracy import Setting, failure, noise_masses
from shuffleproof.proofs_check.papers.bc20.section3_2 import simultaneous_failure
from shuffleproof.proofs_check.papers.bc20.section3_3 import Reduction
from shuffleproof.spec.bounds.noise import histogram as two_bins
from shuffleproof.spec.distribution import binomial
from shuffleproof.spec.protocols.zero_sum import papers_p


@examples(20)
@given(st.sampled_from([Fraction(1), Fraction(1, 2)]), st.integers(1, 4), st.integers(0, 40))
def test_the_printed_noise_is_enclosed(epsilon, power, more) -> None:
    """The exact profile at both rational ends of p lies between the certified ends for the irrational p between them."""
    delta = Fraction(1, 10**power)
    at = Point(smallest_n(epsilon=epsilon, delta=delta) + more, epsilon, delta)
    low, high = divergence(at)
    for p in papers_p(n=at.n, epsilon=epsilon, delta=delta, bits=400):
        found = certified.delta(n=at.n, p=p, epsilon=epsilon, digits=10)
        assert low <= found.upper
        assert found.lower <= high


def test_the_smallest_n_is_where_the_condition_begins() -> None:
    """BC20, Theorem 3.1: n >= 100 ln 2 = 69.3 at epsilon = delta = 1."""
    assert smallest_n(epsilon=Fraction(1), delta=Fraction(1)) == 70
    assert smallest_n(epsilon=Fraction(1, 10), delta=Fraction(1, 1000)) == math.ceil(10_000 * math.log(2000))


@given(st.floats(0.001, 0.5), st.floats(0, 0.01))
def test_the_rate_of_the_proof_is_the_relative_entropy(g, width) -> None:
    """KL(s || g)/g at epsilon = 1 with s = g/(g + e (1 - g)), over points and over boxes."""
    s = g / (g + math.e * (1 - g))
    entropy = s * math.log(s / g) + (1 - s) * math.log((1 - s) / (1 - g))
    point, box = constant._rate(ball(Fraction(g))), constant._rate(ball(Fraction(g)).union(ball(Fraction(g + width))))
    to_zero = constant._rate(ball(0).union(ball(Fraction(g))))
    assert float(point.mid()) == pytest.approx(entropy / g, rel=1e-6)
    assert lower_end(box) <= upper_end(point)
    assert lower_end(to_zero) <= lower_end(point) <= upper_end(point) <= upper_end(to_zero)


@examples(30)
@given(st.sampled_from([Fraction(1), Fraction(1, 2)]), st.integers(0, 12))
def test_the_bound_of_the_proof_holds_exactly(epsilon, more) -> None:
    """Divergence <= (k/(e eps)) exp(-N KL(s || g)) at rational p, which is what the constant 4.52 rests on."""
    n, E = 20 + more, math.exp(epsilon)
    for g in (Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)):
        s = g / (g + Fraction(E) * (1 - g))
        entropy = s * math.log(s / g) + (1 - s) * math.log((1 - s) / (1 - g))
        k = (1 / (1 - g) + E / g) / (n + 1)
        assert certified.delta(n=n, p=1 - g, epsilon=epsilon).upper <= k / (math.e * epsilon) * math.exp(-(n + 1) * entropy) * (1 + 1e-9)


def test_the_failure_probability_by_hand() -> None:
    """In floats, term by term, at the smallest n of the theorem."""
    at = Setting(70, Fraction(1), Fraction(1), Fraction(1, 2))
    p, n, ones, alpha = 1 - 50 * math.log(2) / 70, 70, 40, 0.1
    expected = 0.0
    for c in range(n + 1):
        weight = math.comb(n, c) * p**c * (1 - p) ** (n - c)
        output = (ones + c) / n - p if ones + c > n else 0.0
        expected += weight * (abs(output - ones / n) > alpha)
    with precision(200):
        low, high = failure(at, ones=ones, alpha=ball(Fraction(1, 10)), masses=noise_masses(n, at.p()))
        both, _ = simultaneous_failure(at, held=(ones, ones), alpha=ball(Fraction(1, 10)), masses=noise_masses(n, at.p()))
    assert float(low) == pytest.approx(expected)
    assert float(high) == pytest.approx(expected)
    assert float(both) == pytest.approx(1 - (1 - expected) ** 2)


def test_an_empty_bin_never_fails() -> None:
    """BC20, Theorem 3.1, part iii."""
    at = Setting(70, Fraction(1), Fraction(1), Fraction(1, 2))
    assert failure(at, ones=0, alpha=ball(0), masses=noise_masses(70, at.p())) == (0, 0)


@pytest.mark.parametrize("shift", [-2, -1, 1, 2])
def test_the_bracket_of_definition_a_1_by_hand(shift) -> None:
    """Bin(3, 1/2) has weights 1, 3, 3, 1 over 8: the ratio reaches 3 at the ends only, and is infinite off the support."""
    law = binomial(3, Fraction(1, 2))
    weights = {0: 1, 1: 3, 2: 3, 3: 1}
    expected = sum(w for y, w in weights.items() if w >= 3 ** abs(shift) * weights.get(y + shift, 0))
    assert excess(law, order=Fraction(3) ** abs(shift), shift=shift) == Fraction(expected, 8)
    assert excess(law, order=Fraction(1), shift=0) == 1


def test_two_bins_need_a_fifth_of_the_printed_noise_where_they_can_be_enumerated() -> None:
    """BC20.Thm3.2-sharper at n = 60, p = 1/2, epsilon = ln 2: noise c ln(2/delta)/epsilon^2 = 30 is enough for c = 10, not for c = 2."""
    found = float(two_bins.delta(n=60, p="1/2", epsilon="ln 2").upper)
    assert 2 * math.exp(-30 * math.log(2) ** 2 / 2) < found < 2 * math.exp(-30 * math.log(2) ** 2 / 10)


def test_the_reduction_takes_hundreds_of_times_the_calibrated_samples() -> None:
    """BC20, Claim 3.4 with h = 2, epsilon = 1, delta = 1e-6."""
    each = Reduction(2, Fraction(1), Fraction(1, 10**6))
    t = 50 * math.log(2e6) + math.sqrt(200 * math.log(2e6) * math.log(800))
    assert float(each.t().mid()) == pytest.approx(t)
    assert each.k() == math.ceil(2 * t + 1)
    assert each.n() == math.ceil(21 * each.k() * 2 * math.log(2)) == 50394
    assert 300 * support_samples.shuffled(h=2, epsilon=Fraction(1), delta=Fraction(1, 10**6)).n < each.n()


def test_information_of_a_noisy_bit() -> None:
    """A uniform bit through randomized response with e^eps = 3: ln 2 - h(1/4)."""
    joint = {(x, y): Fraction(3 if x == y else 1, 8) for x, y in product((0, 1), repeat=2)}
    found = float(local._information(joint).mid())
    assert found == pytest.approx(math.log(2) + 0.25 * math.log(0.25) + 0.75 * math.log(0.75), rel=1e-12)
    assert found < float(pointer_samples.message_information(Fraction("1.0986122886681")).mid())


def test_swaps_are_permutations_and_entries_are_not() -> None:
    assert local._swapped((1, 0), 5) == (2, 1, 3, 4, 5)
    assert sorted(local._swapped((1, 1), 4)) == [1, 2, 3, 4]
    assert local._shifted((1, 0, 0), 3) == (2, 2, 3)
