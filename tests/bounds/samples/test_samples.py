"""Numbers of users that are needed and that are enough: by hand, against exact protocols, and one against the other."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.impl.ball.bounds.samples import necessary_samples as need, sufficient_samples as enough
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.impl.ball.numeric.binomial import relative_entropy
from shuffleproof.spec.distribution import binomial
from shuffleproof.spec.protocols import central, per_coordinate
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

TENTH, HALF = Fraction(1, 10), Fraction(1, 2)


def test_packings_by_hand() -> None:
    """Pure DP: e^(h eps) >= 9 for the mean (h = floor(2 alpha n) + 1), 0.9 d for selection, 9 (d - 1) for histograms."""
    given = {"epsilon": HALF, "delta": Fraction(0), "success": 1 - TENTH}
    h = math.ceil(2 * math.log(9))
    assert need.central_mean(alpha=Fraction(1, 100), **given) == (h - 1) * 50
    h = math.ceil(2 * math.log(90))
    assert need.central_selection(d=100, alpha=TENTH, **given) == (h - 1) * 10
    h = math.ceil(2 * math.log(9 * 99))
    assert need.central_histogram(d=100, alpha=TENTH, **given) == (h - 1) * 5


def test_the_local_histogram_by_hand() -> None:
    """n ln(1 + (T - 1)^2/(4 T)) >= kl(0.9 || 0.01)."""
    T = math.exp(0.1)
    kl = 0.9 * math.log(90) + 0.1 * math.log(0.1 / 0.99)
    assert need.local_histogram(d=100, alpha=TENTH, epsilon=TENTH, success=1 - TENTH) == math.ceil(
        kl / math.log(1 + (T - 1) ** 2 / (4 * T))
    )


@examples(30)
@given(st.integers(2, 12), st.sampled_from([Fraction(2), Fraction(5), Fraction(40)]), st.integers(1, 3))
def test_nobody_finds_a_common_value_more_often_than_the_information_allows(d, exp_epsilon, n) -> None:
    """k-ary randomized response of n users who hold one value: the best guess is right with an exact probability s; kl(s || 1/d) <= n I."""
    law = k_rr(k=d, exp_epsilon0=exp_epsilon).distribution(0)
    # The most frequent message, ties broken at random, by enumeration of the messages.
    best = Fraction(0)
    outcomes = [((), Fraction(1))]
    for _ in range(n):
        outcomes = [((*seen, y), w * law[y]) for seen, w in outcomes for y in range(d)]
    for seen, w in outcomes:
        top = max(map(seen.count, seen))
        winners = {y for y in seen if seen.count(y) == top}
        best += w * Fraction(1, len(winners)) if 0 in winners else 0
    if best <= Fraction(1, d) or best == 1:
        return
    with precision(128):
        each = (1 + need.local_chi_square(ball(exp_epsilon))).log()
        assert relative_entropy(ball(best), ball(Fraction(1, d))) < n * each


def test_the_widest_window_by_enumeration() -> None:
    for k in range(9):
        weights = [w for _, w in sorted(binomial(k, HALF).items())]
        for width in range(1, 12):
            largest = max(sum(weights[a : a + width]) for a in range(k + 1))
            with precision(128):
                assert need.largest_window(k, width).contains(ball(largest))


def test_randomized_response_needs_as_many_users_as_it_should() -> None:
    """The exact success of n randomized responses about fair bits is below what every n under the bound allows."""
    epsilon = Fraction(1)
    least = need.local_mean(alpha=TENTH, epsilon=epsilon, success=1 - TENTH)
    assert least == 30
    assert need.local_mean(alpha=Fraction(1, 100), epsilon=TENTH, success=1 - TENTH) > 10**5  # the information argument took over


def test_geometric_noise_is_enough_and_one_user_less_is_not() -> None:
    """Against the exact distribution at e^eps = e^(1/2), in floats far from the edge."""
    n = enough.central_bit_mean(alpha=Fraction(1, 100), epsilon=HALF, beta=TENTH)
    a = math.exp(-0.5)
    tail = [2 * a ** (math.floor(m / 100) + 1) / (1 + a) for m in (n, n - 1)]
    assert tail[0] <= 0.1 < tail[1]


def test_the_exponential_mechanism_is_as_bad_as_the_bound_says() -> None:
    """The scores of the bound: one best, all others floor(alpha n) + 1 below."""
    n = enough.central_selection(d=5, alpha=TENTH, epsilon=Fraction(1), beta=TENTH)
    gap = math.floor(n / 10) + 1
    root = Fraction(math.exp(0.5))
    assert central.selection_failure((gap, 0, 0, 0, 0), exp_half_epsilon=root, slack=Fraction(n, 10)) <= TENTH


def test_bernsteins_bound_holds_for_a_small_bit_sum() -> None:
    """The exact failure probability of a histogram of two values at n and lambda, against 2 d times the bound."""
    n, lam, alpha = 40, Fraction(10), Fraction(1, 4)
    dataset = [(1, 0)] * 25 + [(0, 1)] * 15
    exact = per_coordinate.histogram_failure(dataset, lam=lam, alpha=alpha * n)
    with precision(128):
        f = ball(lam / (2 * n))
        assert ball(exact) <= 2 * enough.bernstein(n * f * (1 - f), ball(alpha * (n - lam)))


def test_the_papers_lambda_on_both_branches() -> None:
    with precision(128):
        L = math.log(4e6)
        assert float(enough.papers_lambda(10**6, ball(HALF), ball(Fraction(1, 10**6))).mid()) == pytest.approx(64 * L * 4)
        small = enough.papers_lambda(1000, ball(HALF), ball(Fraction(1, 10**6)))
        assert float(small.mid()) == pytest.approx(1000 - 0.5 * 1000**1.5 / math.sqrt(432 * L))
        assert enough.papers_lambda(1000, ball(2), ball(HALF)) is None


@examples(25)
@given(
    st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1)]),
    st.integers(2, 5000),
    st.integers(3, 12),
    st.sampled_from([Fraction(1, 100), Fraction(1, 20), Fraction(1, 10)]),
)
def test_what_is_enough_is_never_below_what_is_needed(epsilon, d, digits, alpha) -> None:
    delta = Fraction(1, 10**digits)
    low = {"alpha": alpha, "epsilon": epsilon, "success": 1 - TENTH}
    high = {"alpha": alpha, "epsilon": epsilon, "beta": TENTH}
    assert need.central_selection(d=d, delta=delta, **low) <= enough.central_selection(d=d, **high)
    assert need.local_selection(d=d, **low) <= enough.local_selection(d=d, **high)
    assert need.one_message_selection(d=d, delta=delta, **low) <= enough.one_message_selection(d=d, delta=delta, **high)
    assert need.central_histogram(d=d, delta=delta, **low) <= enough.central_histogram(d=d, **high)
    assert need.local_histogram(d=d, **low) <= enough.local_histogram(d=d, **high)
    assert need.one_message_histogram(d=d, delta=delta, **low) <= enough.one_message_histogram(d=d, delta=delta, **high)
    assert need.central_mean(delta=delta, **low) <= enough.central_bit_mean(**high)
    assert need.local_mean(**low) <= enough.local_mean(**high)


def test_one_message_selection_grows_with_the_root_of_the_dimension() -> None:
    """CSUZZ19, Corollary 6.6 as corrected: about sqrt(d ln d), at eps = 1."""
    found = [need.one_message_selection(d=10**k, alpha=TENTH, epsilon=Fraction(1), delta=Fraction(0), success=1 - TENTH) for k in (4, 6, 8)]
    assert 8 < found[1] / found[0] < 20
    assert 8 < found[2] / found[1] < 20


def test_more_bits_a_user_pay_off_for_small_errors_only() -> None:
    given = {"epsilon": HALF, "delta": Fraction(1, 10**6), "beta": TENTH, "most_runs": 32}
    assert enough.best_shuffled_real_mean(alpha=Fraction(1, 100), **given)[1] == 1
    users, r = enough.best_shuffled_real_mean(alpha=Fraction(1, 10**4), **given)
    assert r > 1
    assert users < enough.shuffled_real_mean(alpha=Fraction(1, 10**4), epsilon=HALF, delta=Fraction(1, 10**6), beta=TENTH, r=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: need.central_mean(alpha=HALF, epsilon=HALF, delta=Fraction(0), success=1 - TENTH),
        lambda: need.local_mean(alpha=TENTH, epsilon=Fraction(0), success=1 - TENTH),
        lambda: need.local_histogram(d=1, alpha=TENTH, epsilon=HALF, success=1 - TENTH),
        lambda: need.local_histogram(d=2, alpha=TENTH, epsilon=HALF, success=HALF),
        lambda: need.central_mean(alpha=TENTH, epsilon=HALF, delta=Fraction(1), success=1 - TENTH),
        lambda: enough.local_mean(alpha=Fraction(0), epsilon=HALF, beta=TENTH),
        lambda: enough.central_bit_mean(alpha=TENTH, epsilon=HALF, beta=Fraction(1)),
        lambda: enough.central_histogram(d=1, alpha=TENTH, epsilon=HALF, beta=TENTH),
        lambda: enough.shuffled_selection(d=3, alpha=TENTH, epsilon=Fraction(2), delta=TENTH, beta=TENTH),
    ],
)
def test_bad_parameters_are_refused(call) -> None:
    with pytest.raises(DomainError):
        call()


def test_an_epsilon_without_a_proved_lambda_is_refused() -> None:
    with pytest.raises(RegimeError):
        enough.shuffled_bit_mean(alpha=TENTH, epsilon=Fraction(2), delta=TENTH, beta=TENTH)
