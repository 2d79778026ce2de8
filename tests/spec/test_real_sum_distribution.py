"""CSUZZ19's real sum and BC20's protocols: views of messages, and what is refused; most of their distributions are in the ledger's rows."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.spec.bounds.sums import real_sum as bounds
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer, MultiMessageProtocol, shuffled_distribution, shuffled_vectors_distribution
from shuffleproof.spec.protocols import histogram, real_sum, zero_sum
from shuffleproof.spec.randomizers.r_gap import VECTORS, WITHOUT_TWO_ONES, r_gap
from shuffleproof.spec.randomizers.r_inf import r_inf
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError


def test_the_result_names_its_view():
    bound = bounds.tagged.delta(n=2, lam=1, r=2, epsilon=0)
    assert (bound.method, bound.inputs) == ("real-sum-tagged", {"n": "2", "lambda": "1", "r": "2", "eps": "0"})
    assert "whose r runs can be distinguished" in bound.claim
    assert "carry no tags" in bounds.untagged.delta(n=2, lam=1, r=2, epsilon=0).claim


@pytest.mark.parametrize(
    "call",
    [
        lambda: zero_sum.randomizer(p=Fraction(-1, 10)),
        lambda: zero_sum.randomizer(p=Fraction(11, 10)),
        lambda: zero_sum.analyzer(n=0, p=Fraction(1, 2)),
        lambda: zero_sum.messages_distribution(n=2, p=Fraction(1, 2), ones=3),
        lambda: histogram.protocol(n=2, d=2, p=Fraction(-1, 10)),
        lambda: histogram.protocol(n=2, d=2, p=Fraction(11, 10)),
        lambda: histogram.randomizer(d=0, p=Fraction(1, 2)),
        lambda: real_sum.encoder(Fraction(11, 10), r=2),
        lambda: real_sum.encoder(Fraction(-1, 10), r=2),
        lambda: real_sum.encoder(Fraction(1, 2), r=0),
        lambda: real_sum.run_distributions((), lam=Fraction(0), r=1),
        lambda: real_sum.estimate_distribution((Fraction(1, 2),), lam=Fraction(1), r=1),
        lambda: real_sum.analyzer(n=2, lam=Fraction(1), r=0),
        lambda: bounds.tagged.delta(n=2, lam=3, r=1, epsilon=0),
        lambda: bounds.untagged_pair(n=2, lam=Fraction(1), r=2, ones=3),
        lambda: bounds.tagged_pair(n=2, lam=Fraction(1), ones=()),
        lambda: bounds.tagged_pair(n=2, lam=Fraction(1), ones=(2,)),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(DomainError):
        call()


def test_what_the_real_sum_cannot_answer_is_refused():
    for view, n, r in (("untagged", 51, 2), ("tagged", 30, 3), ("tagged", 10**9, 10**9)):
        with pytest.raises(ResourceLimitError):
            getattr(bounds, view).delta(n=n, lam=1, r=r, epsilon=0)
    with pytest.raises(RegimeError, match="lambda > 0"):
        bounds.untagged.epsilon(n=2, lam=0, r=2, delta="1/2")


probabilities = st.fractions(min_value=0, max_value=1, max_denominator=20)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=6), probabilities)
def test_the_shuffled_messages_are_the_sum_plus_binomial_noise(dataset, p):
    """BC20, Figure 1 and the proof of Theorem 3.1, part i."""
    n, ones = len(dataset), sum(dataset)
    protocol = zero_sum.protocol(n=n, p=p)
    assert protocol.view(dataset).map(len) == zero_sum.messages_distribution(n=n, p=p, ones=ones)
    assert protocol.output(dataset) == zero_sum.estimate_distribution(n=n, p=p, ones=ones)


@examples(20)
@given(st.integers(1, 3), st.data(), probabilities)
def test_the_bins_of_the_histogram_are_independent_zero_sums(d, data, p):
    """BC20, Figure 2 and the proof of Theorem 3.2."""
    dataset = data.draw(st.lists(st.integers(1, d), min_size=1, max_size=3))
    view = histogram.protocol(n=len(dataset), d=d, p=p).view(dataset)
    assert view.map(lambda y: tuple(y.count(j) for j in range(1, d + 1))) == histogram.messages_distribution(dataset, d=d, p=p)
    assert histogram.protocol(n=len(dataset), d=d, p=p).output(dataset) == histogram.estimates_distribution(dataset, d=d, p=p)


def test_estimates_by_hand():
    """Two users with one 1, p = 1/2: 1 or 2 messages give 0, 3 messages give 3/2 - 1/2."""
    assert zero_sum.estimate_distribution(n=2, p=Fraction(1, 2), ones=1) == Distribution(
        {Fraction(0): Fraction(3, 4), Fraction(1): Fraction(1, 4)}
    )
    truth = (Fraction(1, 2), Fraction(1, 2))
    estimates = histogram.estimates_distribution((1, 2), d=2, p=Fraction(1, 2))
    assert histogram.per_query_failure(estimates, truth=truth, alpha=Fraction(1, 4)) == 1
    assert histogram.per_query_failure(estimates, truth=truth, alpha=Fraction(1, 2)) == 0
    assert histogram.simultaneous_failure(estimates, truth=truth, alpha=Fraction(1, 4)) == 1


@given(st.integers(1, 3), probabilities.filter(lambda p: 0 < p < 1))
def test_vectors_of_one_message_are_single_messages(n, p):
    one = LocalRandomizer((0, 1), {x: Distribution({0: p, 1 + x: 1 - p}) for x in (0, 1)})
    as_vectors = LocalRandomizer((0, 1), {x: one.distribution(x).map(lambda y: (y,)) for x in (0, 1)})
    dataset = (1,) + (0,) * (n - 1)
    assert shuffled_vectors_distribution(as_vectors, dataset) == shuffled_distribution(one, dataset)
    assert MultiMessageProtocol(as_vectors, len).output(dataset) == Distribution.point(n)


def test_the_counterexamples_have_the_supports_of_the_paper():
    """BC20, Claims 4.3 and 4.4."""
    assert r_inf().distribution(0) == Distribution.point((0, 1))
    assert r_inf().exp_epsilon0() is None
    assert (len(VECTORS), len(WITHOUT_TWO_ONES)) == (16, 10)
    assert (0, 0, 1, 1) in r_gap().distribution(0).support
    assert (0, 0, 1, 1) not in r_gap().distribution(1).support
    uniform = {y: Fraction(1, 16) for y in VECTORS}
    with pytest.raises(DomainError, match="positive on exactly 10 vectors"):
        r_gap(weights=(uniform, uniform))


def test_the_parameter_of_the_paper_is_enclosed():
    """BC20, Figure 1: n = 10^5, epsilon = 1, delta = 1e-6 give 1 - p = 50 ln(2e6)/10^5."""
    low, high = zero_sum.papers_p(n=100_000, epsilon=Fraction(1), delta=Fraction(1, 10**6))
    assert low < high
    assert float(1 - high) == pytest.approx(0.007254328869262)
    low, high = zero_sum.papers_p(n=70, epsilon=Fraction(1), delta=Fraction(1))
    assert Fraction(1, 2) < low < high < Fraction(51, 100)


def test_outside_the_theorem_the_condition_is_named():
    with pytest.raises(RegimeError, match=r"n >= \(100/epsilon\^2\) ln\(2/delta\) = 69.314719, got n = 69, which is 0.3148 too few"):
        zero_sum.papers_p(n=69, epsilon=Fraction(1), delta=Fraction(1))
    for epsilon, delta in [(Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(0)), (Fraction(2), Fraction(1, 2))]:
        with pytest.raises(DomainError):
            zero_sum.papers_p(n=10**6, epsilon=epsilon, delta=delta)


def test_histograms_count_values_from_1_to_d():
    with pytest.raises(DomainError, match="values from 1 to 2"):
        histogram.messages_distribution((1, 3), d=2, p=Fraction(1, 2))
