"""CSUZZ19's real sum and BC20's protocols: encoders, views, exact laws and profiles, and what is refused."""

from fractions import Fraction
from itertools import permutations, product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.spec.bounds.sums import bit_sum as one_bit
from shuffleproof.spec.bounds.sums import real_sum as bounds
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, MultiMessageProtocol, multiset, shuffled_law, shuffled_vectors_law
from shuffleproof.spec.protocols import histogram, real_sum, zero_sum
from shuffleproof.spec.randomizers.r_gap import VECTORS, WITHOUT_TWO_ONES, r_gap
from shuffleproof.spec.randomizers.r_inf import r_inf
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

unit = st.fractions(min_value=0, max_value=1, max_denominator=12)


def test_the_papers_two_examples():
    """CSUZZ19, section 5.1: r = 1, and x = .4 with r = 4."""
    x = Fraction(2, 7)
    assert real_sum.encoder(x, r=1) == Distribution({(1,): x, (0,): 1 - x})
    law = real_sum.encoder(Fraction(4, 10), r=4)
    assert law == Distribution({(1, 1, 0, 0): Fraction(6, 10), (1, 0, 0, 0): Fraction(4, 10)})
    mean = sum(w * Fraction(sum(b), 4) for b, w in law.items())
    assert mean == Fraction(4, 10)
    assert sum(w * (Fraction(sum(b), 4) - mean) ** 2 for b, w in law.items()) == Fraction(15, 1000)


@given(unit, st.integers(1, 6))
def test_the_encoder_is_unbiased_and_rounds_one_bit(x, r):
    """CSUZZ19, Algorithm 5: variance p (1 - p)/r^2 <= 1/(4 r^2), and 0 and 1 are not rounded."""
    means = real_sum.bit_means(x, r=r)
    assert sum(means) == r * x
    assert sum(0 < m < 1 for m in means) <= 1
    assert list(means) == sorted(means, reverse=True)
    assert len(real_sum.encoder(x, r=r).support) == (1 if (x * r).denominator == 1 else 2)


@examples(15)
@given(st.lists(unit, min_size=1, max_size=2), st.integers(1, 2), st.fractions(0, Fraction(9, 10), max_denominator=10))
def test_the_aggregated_laws_are_those_of_the_messages(dataset, r, share):
    n, lam = len(dataset), share * len(dataset)
    protocol = real_sum.protocol(inputs=tuple(dict.fromkeys(dataset)), n=n, lam=lam, r=r)
    assert protocol.view(dataset).map(sum) == real_sum.untagged_law(dataset, lam=lam, r=r)
    assert protocol.output(dataset) == real_sum.estimate_law(dataset, lam=lam, r=r)
    assert real_sum.tagged_law(dataset, lam=lam, r=r).map(sum) == real_sum.untagged_law(dataset, lam=lam, r=r)


@examples(40)
@given(st.lists(unit, min_size=1, max_size=3), st.integers(1, 3), st.fractions(0, Fraction(9, 10), max_denominator=10))
def test_mean_and_mean_squared_error_are_those_of_the_law(dataset, r, share):
    lam, truth = share * len(dataset), sum(dataset)
    law = real_sum.estimate_law(dataset, lam=lam, r=r)
    error = sum(w * (z - truth) ** 2 for z, w in law.items())
    assert sum(w * z for z, w in law.items()) == truth
    assert error == real_sum.mean_squared_error(dataset, lam=lam, r=r)
    assert error <= real_sum.worst_mean_squared_error(n=len(dataset), lam=lam, r=r)


def test_the_worst_error_is_reached_half_way():
    for n, r in ((1, 1), (3, 2), (2, 5)):
        dataset = (Fraction(1, 2 * r),) * n
        worst = real_sum.worst_mean_squared_error(n=n, lam=Fraction(1, 2), r=r)
        assert real_sum.mean_squared_error(dataset, lam=Fraction(1, 2), r=r) == worst


def test_one_bit_is_the_bit_sum():
    for view in ("untagged", "tagged"):
        for n, lam in product((1, 4), ("1/3", "1")):
            assert getattr(bounds, view).delta(n=n, lam=lam, r=1, epsilon="ln 2").exact == one_bit.delta(n=n, lam=lam, epsilon="ln 2").exact


@examples(12)
@given(st.sampled_from([(1, 2), (2, 2), (3, 2), (2, 3)]), st.fractions(Fraction(1, 10), 1, max_denominator=10), st.integers(1, 3))
def test_both_profiles_are_the_worst_over_the_grid(size, share, order):
    n, r = size
    lam, grid = share * n, [Fraction(m, r) for m in range(r + 1)]
    for view, law in (("untagged", real_sum.untagged_law), ("tagged", real_sum.tagged_law)):
        worst = Fraction(0)
        for others in product(grid, repeat=n - 1):
            views = [law((x, *others), lam=lam, r=r) for x in grid]
            worst = max(worst, *(hockey_stick(p, q, exp_epsilon=Fraction(order)) for p, q in product(views, views)))
        assert getattr(bounds, view).delta(n=n, lam=lam, r=r, epsilon=f"ln {order}").lower == worst


@pytest.mark.parametrize("view", ["untagged", "tagged"])
def test_epsilon_inverts_delta_in_both_views(view):
    for delta in ("1/10", "1/1000"):
        exp = parse_epsilon(getattr(bounds, view).epsilon(n=3, lam=2, r=2, delta=delta).exact).exp
        assert getattr(bounds, view).delta(n=3, lam=2, r=2, epsilon=f"ln {exp}").upper <= Fraction(delta)
        assert getattr(bounds, view).delta(n=3, lam=2, r=2, epsilon=f"ln {exp * Fraction(999, 1000)}").upper > Fraction(delta)


def test_untagged_never_needs_more_than_tagged_and_mostly_less():
    values = [getattr(bounds, view).epsilon(n=4, lam=2, r=2, delta="1/5").upper for view in ("untagged", "tagged")]
    assert values[0] < values[1]
    equal = [getattr(bounds, view).epsilon(n=4, lam=2, r=2, delta="1/10").upper for view in ("untagged", "tagged")]
    assert equal[0] == equal[1]


def test_the_result_names_its_view():
    bound = bounds.tagged.delta(n=2, lam=1, r=2, epsilon=0)
    assert (bound.method, bound.inputs) == ("real-sum-tagged", {"n": "2", "lambda": "1", "r": "2", "eps": "0"})
    assert "whose r runs can be distinguished" in bound.claim
    assert "carry no tags" in bounds.untagged.delta(n=2, lam=1, r=2, epsilon=0).claim


@pytest.mark.parametrize(
    "call",
    [
        lambda: real_sum.encoder(Fraction(11, 10), r=2),
        lambda: real_sum.encoder(Fraction(-1, 10), r=2),
        lambda: real_sum.encoder(Fraction(1, 2), r=0),
        lambda: real_sum.run_laws((), lam=Fraction(0), r=1),
        lambda: real_sum.estimate_law((Fraction(1, 2),), lam=Fraction(1), r=1),
        lambda: real_sum.analyzer(n=2, lam=Fraction(1), r=0),
        lambda: bounds.tagged.delta(n=2, lam=3, r=1, epsilon=0),
        lambda: bounds.untagged.delta(n=2, lam=1, r=0, epsilon=0),
        lambda: bounds.untagged_pair(n=2, lam=Fraction(1), r=2, ones=3),
        lambda: bounds.tagged_pair(n=2, lam=Fraction(1), ones=()),
        lambda: bounds.tagged_pair(n=2, lam=Fraction(1), ones=(2,)),
    ],
)
def test_bad_input_to_the_real_sum_is_refused(call):
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
    assert protocol.view(dataset).map(len) == zero_sum.messages_law(n=n, p=p, ones=ones)
    assert protocol.output(dataset) == zero_sum.estimate_law(n=n, p=p, ones=ones)


@examples(20)
@given(st.integers(1, 3), st.data(), probabilities)
def test_the_bins_of_the_histogram_are_independent_zero_sums(d, data, p):
    """BC20, Figure 2 and the proof of Theorem 3.2."""
    dataset = data.draw(st.lists(st.integers(1, d), min_size=1, max_size=3))
    view = histogram.protocol(n=len(dataset), d=d, p=p).view(dataset)
    assert view.map(lambda y: tuple(y.count(j) for j in range(1, d + 1))) == histogram.messages_law(dataset, d=d, p=p)
    assert histogram.protocol(n=len(dataset), d=d, p=p).output(dataset) == histogram.estimates_law(dataset, d=d, p=p)


def test_nobody_there_is_estimated_as_zero():
    """BC20, Theorem 3.1, part iii."""
    assert zero_sum.estimate_law(n=5, p=Fraction(3, 4), ones=0) == Distribution.point(Fraction(0))
    assert zero_sum.estimate_law(n=5, p=Fraction(3, 4), ones=1) != Distribution.point(Fraction(0))


def test_estimates_by_hand():
    """Two users with one 1, p = 1/2: 1 or 2 messages give 0, 3 messages give 3/2 - 1/2."""
    assert zero_sum.estimate_law(n=2, p=Fraction(1, 2), ones=1) == Distribution({Fraction(0): Fraction(3, 4), Fraction(1): Fraction(1, 4)})
    truth = (Fraction(1, 2), Fraction(1, 2))
    estimates = histogram.estimates_law((1, 2), d=2, p=Fraction(1, 2))
    assert histogram.per_query_failure(estimates, truth=truth, alpha=Fraction(1, 4)) == 1
    assert histogram.per_query_failure(estimates, truth=truth, alpha=Fraction(1, 2)) == 0
    assert histogram.simultaneous_failure(estimates, truth=truth, alpha=Fraction(1, 4)) == 1


@given(st.integers(1, 3), st.data(), probabilities, st.fractions(min_value=0, max_value=1, max_denominator=12))
def test_simultaneous_failure_lies_between_the_worst_bin_and_the_sum(d, data, p, alpha):
    """BC20, Definitions 2.6 and 2.7."""
    dataset = data.draw(st.lists(st.integers(1, d), min_size=1, max_size=4))
    truth = tuple(Fraction(held, len(dataset)) for held in histogram.counts(dataset, d=d))
    estimates = histogram.estimates_law(dataset, d=d, p=p)
    one = histogram.per_query_failure(estimates, truth=truth, alpha=alpha)
    assert one <= histogram.simultaneous_failure(estimates, truth=truth, alpha=alpha) <= min(1, d * one)


def test_vectors_of_messages_are_shuffled_together():
    """BC20, Definition 2.4: three users with two messages each, and all 6! orders of their messages."""
    pairs = LocalRandomizer((0, 1), {0: Distribution.uniform([(0, 1), (1, 1)]), 1: Distribution.uniform([(1, 2), (2, 2), (2, 0)])})
    dataset = (0, 1, 1)
    view = shuffled_vectors_law(pairs, dataset)
    orders = {}
    for vectors in product(*(pairs.law(x).items() for x in dataset)):
        sent = tuple(message for vector, _ in vectors for message in vector)
        weight = vectors[0][1] * vectors[1][1] * vectors[2][1] / factorial(6)
        for order in permutations(sent):
            orders[order] = orders.get(order, 0) + weight
    assert Distribution(orders).map(multiset) == view
    assert len({weight for order, weight in orders.items() if multiset(order) == view.support[0]}) == 1


@given(st.integers(1, 3), probabilities.filter(lambda p: 0 < p < 1))
def test_vectors_of_one_message_are_single_messages(n, p):
    one = LocalRandomizer((0, 1), {x: Distribution({0: p, 1 + x: 1 - p}) for x in (0, 1)})
    as_vectors = LocalRandomizer((0, 1), {x: one.law(x).map(lambda y: (y,)) for x in (0, 1)})
    dataset = (1,) + (0,) * (n - 1)
    assert shuffled_vectors_law(as_vectors, dataset) == shuffled_law(one, dataset)
    assert MultiMessageProtocol(as_vectors, len).output(dataset) == Distribution.point(n)


def test_the_counterexamples_have_the_supports_of_the_paper():
    """BC20, Claims 4.3 and 4.4."""
    assert r_inf().law(0) == Distribution.point((0, 1))
    assert r_inf().exp_epsilon0() is None
    assert (len(VECTORS), len(WITHOUT_TWO_ONES)) == (16, 10)
    assert (0, 0, 1, 1) in r_gap().law(0).support
    assert (0, 0, 1, 1) not in r_gap().law(1).support
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


def test_bad_parameters_are_refused():
    for bad in (Fraction(-1, 10), Fraction(11, 10)):
        with pytest.raises(DomainError):
            zero_sum.randomizer(p=bad)
        with pytest.raises(DomainError):
            histogram.protocol(n=2, d=2, p=bad)
    with pytest.raises(DomainError):
        zero_sum.analyzer(n=0, p=Fraction(1, 2))
    with pytest.raises(DomainError):
        zero_sum.messages_law(n=2, p=Fraction(1, 2), ones=3)
    with pytest.raises(DomainError):
        histogram.randomizer(d=0, p=Fraction(1, 2))
    with pytest.raises(DomainError, match="values from 1 to 2"):
        histogram.messages_law((1, 3), d=2, p=Fraction(1, 2))
