"""CSUZZ19's bit sum, and one for every coordinate: exact laws three ways, the profile over all pairs, and what is refused."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.spec.bounds.sums import bit_sum as bounds
from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.protocols import bit_sum, per_coordinate
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import lambda_parameter, parse_epsilon

shares = st.fractions(min_value=0, max_value=1, max_denominator=12)
HALF = Fraction(1, 2)


@examples(60)
@given(st.lists(st.integers(0, 1), min_size=1, max_size=5), shares)
def test_messages_simulator_and_aggregated_law_agree(dataset, share):
    """CSUZZ19, Claim 4.2, and the protocol's own view."""
    n, lam = len(dataset), share * len(dataset)
    law = bit_sum.ones_law(n=n, lam=lam, ones=sum(dataset))
    assert bit_sum.c_lambda(dataset, lam=lam) == law
    if lam < n:
        protocol = bit_sum.protocol(n=n, lam=lam)
        assert protocol.view(dataset).map(sum) == law
        assert protocol.output(dataset) == bit_sum.estimate_law(n=n, lam=lam, ones=sum(dataset))


def test_two_users_by_hand():
    """n = 2, lambda = 1: a message is flipped with probability 1/4."""
    law = Distribution({0: Fraction(9, 16), 1: Fraction(6, 16), 2: Fraction(1, 16)})
    assert bit_sum.ones_law(n=2, lam=Fraction(1), ones=0) == law
    assert bit_sum.estimate(ones=1, n=2, lam=Fraction(1)) == 1
    assert bit_sum.mean_squared_error(n=2, lam=Fraction(1)) == 4 * Fraction(3, 8)


@given(st.integers(1, 12), st.fractions(min_value=0, max_value=Fraction(99, 100), max_denominator=100), st.data())
def test_the_output_is_unbiased_with_the_stated_variance(n, share, data):
    """CSUZZ19, Claim B.2."""
    ones = data.draw(st.integers(0, n))
    law = bit_sum.estimate_law(n=n, lam=share * n, ones=ones)
    assert sum(w * z for z, w in law.items()) == ones
    assert sum(w * (z - ones) ** 2 for z, w in law.items()) == bit_sum.mean_squared_error(n=n, lam=share * n)


def test_a_fixed_set_of_random_users():
    """CSUZZ19, Algorithm 3: the users of the set contribute coins, the others their bits."""
    assert bit_sum.c_subset((1, 1, 0), subset=(0, 2)) == binomial(2, HALF).map(lambda y: y + 1)
    assert bit_sum.c_size((1, 0), s=0) == Distribution.point(1)
    assert bit_sum.c_size((1, 0), s=1) == Distribution({0: Fraction(1, 4), 1: HALF, 2: Fraction(1, 4)})


def test_the_homogeneous_pair_is_not_the_worst():
    """n = 3, lambda = 2, e^eps = 1: 4/27 where the others hold 0, 5/27 where one of them holds 1."""
    deltas = [profile.delta(exp_epsilon=Fraction(1)) for profile in bounds.profiles(n=3, lam=Fraction(2))]
    assert deltas == [Fraction(4, 27), Fraction(5, 27), Fraction(4, 27)]
    assert bounds.delta(n=3, lam=2, epsilon=0).exact == str(Fraction(5, 27))


@examples(40)
@given(st.integers(1, 6), shares, st.fractions(min_value=1, max_value=4, max_denominator=6))
def test_delta_is_the_largest_over_all_datasets(n, share, order):
    """By enumeration of the numbers of ones, in both directions."""
    lam = share * n
    laws = [bit_sum.ones_law(n=n, lam=lam, ones=k) for k in range(n + 1)]
    pairs = [(p, q) for p, q in product(laws, laws) if abs(laws.index(p) - laws.index(q)) <= 1]
    worst = max(hockey_stick(p, q, exp_epsilon=order) for p, q in pairs)
    assert bounds.worst_ones(n=n, lam=lam, exp_epsilon=order)[0] == worst


@examples(30)
@given(st.integers(1, 6), st.fractions(min_value=Fraction(1, 20), max_value=1, max_denominator=20), st.fractions(0, 1, max_denominator=50))
def test_epsilon_inverts_delta(n, share, target):
    lam = share * n
    exp = parse_epsilon(bounds.epsilon(n=n, lam=lam, delta=target).exact).exp
    assert bounds.worst_ones(n=n, lam=lam, exp_epsilon=exp)[0] <= target
    if exp > 1:
        assert bounds.worst_ones(n=n, lam=lam, exp_epsilon=1 + (exp - 1) * Fraction(999, 1000))[0] > target


def test_more_noise_is_never_worse():
    """CSUZZ19, used in Theorem 5.4: DP is monotone in lambda."""
    for order in (Fraction(1), Fraction(3, 2)):
        deltas = [bounds.worst_ones(n=5, lam=Fraction(i, 4), exp_epsilon=order)[0] for i in range(21)]
        assert deltas == sorted(deltas, reverse=True)
        assert deltas[-1] == 0


def test_the_result_names_its_inputs_and_its_claim():
    bound = bounds.delta(n=3, lam="2", epsilon="ln 2")
    assert bound.inputs == {"n": "3", "lambda": "2", "eps": "ln 2"}
    assert bound.claim.startswith("upper: the bit sum of n users with parameter lambda satisfies (eps, upper)-DP")
    assert (bound.method, bound.side, bound.statement) == ("bit-sum", "exact", "CSUZZ19.Def3.4.bit-sum")


@pytest.mark.parametrize(
    "call",
    [
        lambda: bit_sum.randomizer(n=0, lam=Fraction(0)),
        lambda: bit_sum.randomizer(n=3, lam=Fraction(7, 2)),
        lambda: bit_sum.randomizer(n=3, lam=Fraction(-1)),
        lambda: bit_sum.analyzer(n=3, lam=Fraction(3)),
        lambda: bit_sum.ones_law(n=3, lam=Fraction(1), ones=4),
        lambda: bit_sum.c_subset((0, 2), subset=()),
        lambda: bit_sum.c_subset((0, 1), subset=(2,)),
        lambda: bit_sum.c_subset((), subset=()),
        lambda: bit_sum.c_size((0, 1), s=3),
        lambda: bit_sum.c_lambda((0, 1), lam=Fraction(3)),
        lambda: bounds.pair(n=3, lam=Fraction(1), ones=3),
        lambda: bounds.delta(n=3, lam=4, epsilon=0),
        lambda: bounds.delta(n=3, lam="nan", epsilon=0),
        lambda: bounds.delta(n=0, lam=0, epsilon=0),
        lambda: bounds.delta(n=3, lam=1, epsilon=-1),
        lambda: bounds.epsilon(n=3, lam=1, delta="1.5"),
        lambda: lambda_parameter("-1e-9", n=2),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(DomainError):
        call()


def test_what_has_no_answer_or_costs_too_much_is_refused():
    with pytest.raises(RegimeError, match="lambda > 0"):
        bounds.epsilon(n=3, lam=0, delta="1/2")
    assert bounds.epsilon(n=3, lam=0, delta=1).exact == "0"
    assert bounds.delta(n=3, lam=0, epsilon="ln 5").exact == "1"
    with pytest.raises(ResourceLimitError):
        bounds.delta(n=101, lam=1, epsilon=0)
    with pytest.raises(UnsupportedError):
        bounds.delta(n=3, lam=1, epsilon=1)


SHARE = Fraction(1, 3)


@pytest.mark.parametrize("dataset", [((0, 1),), ((1, 1), (0, 1)), ((0, 0), (1, 0))])
def test_coordinates_are_independent_bit_sums(dataset):
    n = len(dataset)
    protocol = per_coordinate.protocol(inputs=per_coordinate.all_vectors(2), n=n, lam=SHARE * n)
    counts = protocol.view(dataset).map(lambda y: tuple(sum(bit for tag, bit in y if tag == j) for j in (1, 2)))
    assert counts == per_coordinate.ones_law(dataset, lam=SHARE * n)
    assert protocol.output(dataset) == per_coordinate.estimates_law(dataset, lam=SHARE * n)
    for j in (0, 1):
        ones = sum(x[j] for x in dataset)
        assert counts.map(lambda c, j=j: c[j]) == bit_sum.ones_law(n=n, lam=SHARE * n, ones=ones)


def test_failures_by_hand():
    """One user with (1, 0) and no noise is never wrong; with a fifth of the messages flipped, wrong when both are."""
    dataset = ((1, 0),)
    assert per_coordinate.selection_failure(dataset, lam=Fraction(0), alpha=Fraction(0)) == 0
    assert per_coordinate.selection_failure(dataset, lam=Fraction(2, 5), alpha=Fraction(0)) == Fraction(1, 25)
    assert per_coordinate.selection_failure(dataset, lam=Fraction(2, 5), alpha=Fraction(1)) == 0
    assert per_coordinate.histogram_failure(dataset, lam=Fraction(0), alpha=Fraction(0)) == 0
    assert per_coordinate.histogram_failure(dataset, lam=Fraction(2, 5), alpha=Fraction(1)) == 1 - Fraction(16, 25)


def test_ties_go_to_the_first_coordinate():
    assert per_coordinate.selected([Fraction(1), Fraction(2), Fraction(2)]) == 2
    assert per_coordinate.unit_vectors(3) == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert per_coordinate.ones_law([(1, 0)], lam=Fraction(0)) == Distribution.point((1, 0))


@pytest.mark.parametrize(
    "call",
    [
        lambda: per_coordinate.ones_law([], lam=Fraction(0)),
        lambda: per_coordinate.ones_law([()], lam=Fraction(0)),
        lambda: per_coordinate.ones_law([(0, 1), (1,)], lam=Fraction(0)),
        lambda: per_coordinate.ones_law([(0, 2)], lam=Fraction(0)),
        lambda: per_coordinate.estimates_law([(0, 1)], lam=Fraction(1)),
        lambda: per_coordinate.analyzer(n=1, d=0, lam=Fraction(0)),
    ],
)
def test_bad_vectors_are_refused(call):
    with pytest.raises(DomainError):
        call()
