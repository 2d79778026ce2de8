"""Randomizers, the shuffler and protocols, exactly; distributions, divergences and profiles by their definitions."""

from fractions import Fraction
from itertools import islice, pairwise, permutations, product

import pytest
from hypothesis import given, strategies as st
from strategies import distributions

from shuffleproof.spec.distribution import (
    Distribution,
    PrivacyProfile,
    bernoulli,
    binomial,
    convolution,
    events,
    exact_sum,
    hockey_stick,
    max_divergence,
    mixture,
    multinomial,
    product as product_divergence,
    renyi_moment,
    total_variation,
)
from shuffleproof.spec.model import (
    LocalRandomizer,
    Protocol,
    adaptive_shuffled_distribution,
    multiset,
    sequential_distribution,
    shuffled_distribution,
)
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

exponentials = st.fractions(min_value=Fraction(1), max_value=Fraction(50), max_denominator=20)


@given(exponentials)
def test_binary_rr_is_k_rr_with_two_categories(exp_epsilon0):
    """FMT21, appendix G and section 4.1."""
    binary, two = binary_rr(exp_epsilon0=exp_epsilon0), k_rr(k=2, exp_epsilon0=exp_epsilon0)
    assert all(binary.distribution(x) == two.distribution(x) for x in (0, 1))


POINT = Distribution.point(0)
REFUSED = [
    *(lambda T=T: binary_rr(exp_epsilon0=T) for T in (Fraction(1, 2), Fraction(0), Fraction(-1))),
    *(lambda T=T: k_rr(k=3, exp_epsilon0=T) for T in (Fraction(1, 2), Fraction(0), Fraction(-1))),
    lambda: k_rr(k=0, exp_epsilon0=Fraction(2)),
    lambda: binary_rr(exp_epsilon0=Fraction(2)).distribution(2),
    lambda: LocalRandomizer((), {}),
    lambda: LocalRandomizer((0, 1), {0: POINT}),
    lambda: Distribution({0: Fraction(1, 2)}),
    lambda: Distribution({0: Fraction(3, 2), 1: Fraction(-1, 2)}),
    lambda: Distribution({}),
    lambda: Distribution.uniform([]),
    *(lambda E=E: PrivacyProfile(POINT, POINT).delta(exp_epsilon=E) for E in (Fraction(1, 2), Fraction(0))),
    *(lambda delta=delta: PrivacyProfile(POINT, POINT).exp_epsilon(delta=delta) for delta in (Fraction(-1), Fraction(3, 2))),
    lambda: hockey_stick(POINT, POINT, exp_epsilon=Fraction(-1)),
    lambda: renyi_moment(POINT, POINT, order=1),
]


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_not_private_no_probability_or_no_order_is_refused(call):
    with pytest.raises(DomainError):
        call()


def test_a_randomizer_with_disjoint_outputs_has_no_epsilon0():
    assert LocalRandomizer((0, 1), {x: Distribution.point(x) for x in (0, 1)}).exp_epsilon0() is None


@given(st.lists(st.integers(0, 2), max_size=4), exponentials)
def test_shuffled_distribution_is_the_average_over_all_orders(dataset, exp_epsilon0):
    """FMT21, section 2: what the shuffler releases, by enumerating permutations of the reports."""
    randomizer = k_rr(k=3, exp_epsilon0=exp_epsilon0)
    orders = list(permutations(range(len(dataset))))
    weights = {}
    for messages in product(range(3), repeat=len(dataset)):
        weight = Fraction(1)
        for x, y in zip(dataset, messages, strict=True):
            weight *= randomizer.distribution(x)[y]
        for order in orders:
            shuffled = tuple(messages[i] for i in order)
            weights[shuffled] = weights.get(shuffled, 0) + weight / len(orders)
    assert Distribution(weights).map(multiset) == shuffled_distribution(randomizer, dataset)


def test_an_adaptive_sequence_sees_its_own_past_and_nothing_else():
    honest, silent = binary_rr(exp_epsilon0=Fraction(3)), binary_rr(exp_epsilon0=Fraction(1))
    law = sequential_distribution([lambda z: honest, lambda z: silent if z == (0,) else honest], (0, 1))
    assert law[(0, 0)] == law[(0, 1)] == Fraction(3, 8)
    assert (law[(1, 0)], law[(1, 1)]) == (Fraction(1, 16), Fraction(3, 16))


def test_adaptive_shuffled_distribution_averages_over_the_data_orders():
    randomizers = [lambda z: binary_rr(exp_epsilon0=Fraction(3)), lambda z: binary_rr(exp_epsilon0=Fraction(2 + sum(z)))]
    half = Fraction(1, 2)
    both = mixture([(half, sequential_distribution(randomizers, (0, 1))), (half, sequential_distribution(randomizers, (1, 0)))])
    assert adaptive_shuffled_distribution(randomizers, (0, 1)) == both
    with pytest.raises(ResourceLimitError):
        adaptive_shuffled_distribution([randomizers[0]] * 9, (0,) * 9)
    with pytest.raises(DomainError):
        sequential_distribution(randomizers, (0,))


def _user_by_user(randomizers, dataset):
    """The distribution of the outputs where every step serves a uniform one of the users that are left: no order is enumerated."""
    states = {((), tuple(range(len(dataset)))): Fraction(1)}
    for randomizer in randomizers:
        following = {}
        for (z, left), mass in states.items():
            for user in left:
                for y, chance in randomizer(z).distribution(dataset[user]).items():
                    state = ((*z, y), tuple(other for other in left if other != user))
                    following[state] = following.get(state, 0) + mass / len(left) * chance
        states = following
    return Distribution({z: mass for (z, _), mass in states.items()})


@pytest.mark.parametrize("dataset", [(0, 1, 1, 0), (0, 1, 2, 2), (2, 0, 1, 1, 0)])
def test_an_adaptive_sequence_of_four_users_and_more_averages_over_every_order(dataset):
    """An average over six orders only passed all tests: with three users that is every order."""
    randomizers = [lambda z, i=i: k_rr(k=3, exp_epsilon0=Fraction(2 + i + sum(z))) for i in range(len(dataset))]
    expected = _user_by_user(randomizers, dataset)
    assert adaptive_shuffled_distribution(randomizers, dataset) == expected
    six = [sequential_distribution(randomizers, [dataset[i] for i in order]) for order in islice(permutations(range(len(dataset))), 6)]
    assert mixture([(Fraction(1, 6), law) for law in six]) != expected


def test_a_protocol_runs_its_analyzer_on_the_view():
    protocol = Protocol(binary_rr(exp_epsilon0=Fraction(3)), analyzer=sum)
    assert protocol.output((0, 1, 1)) == protocol.view((0, 1, 1)).map(sum)
    assert protocol.output(()) == Distribution.point(0)


def test_neighbours_differ_in_one_user():
    pairs = list(neighbouring_datasets((0, 1, 2), n=2))
    assert len(pairs) == 18
    assert all(x[0] != y[0] and x[1:] == y[1:] for x, y in pairs)


def test_an_exact_sum_is_the_sum() -> None:
    """A mutant that multiplies by a denominator survived all tests of this layer."""
    assert exact_sum([Fraction(1, 2), Fraction(1, 3), Fraction(-1, 6)]) == Fraction(2, 3)
    assert exact_sum([]) == 0


orders = st.fractions(min_value=Fraction(1), max_value=Fraction(30), max_denominator=40)
deltas = st.fractions(min_value=Fraction(0), max_value=Fraction(1), max_denominator=400)


def test_outcomes_of_weight_zero_are_not_in_the_support():
    assert Distribution({0: Fraction(1), 1: Fraction(0)}).support == (0,)


@given(st.integers(0, 8), st.fractions(min_value=Fraction(0), max_value=Fraction(1), max_denominator=9))
def test_binomial_is_a_sum_of_bernoullis_and_a_margin_of_the_multinomial(n, p):
    total = Distribution.point(0)
    for _ in range(n):
        total = convolution(total, bernoulli(p))
    assert total == binomial(n, p)
    assert multinomial(n, [p, 1 - p]).map(lambda counts: counts[0]) == binomial(n, p)


@given(distributions(5), distributions(5))
def test_product_then_marginal_gives_back_the_parts(p, q):
    assert product_divergence(p, q).map(lambda pair: pair[0]) == p
    assert product_divergence(p, q).map(lambda pair: pair[1]) == q


@given(distributions(5), distributions(5))
def test_mixture_is_post_processing_by_a_kernel(p, q):
    half = Fraction(1, 2)
    assert mixture([(half, p), (half, q)]) == Distribution.uniform("pq").then({"p": p, "q": q}.__getitem__)


@given(distributions(5), distributions(5), orders)
def test_hockey_stick_is_the_largest_excess_over_events(p, q, exp_epsilon):
    excess = max(sum(p[y] for y in event) - exp_epsilon * sum(q[y] for y in event) for event in events(range(5)))
    assert hockey_stick(p, q, exp_epsilon=exp_epsilon) == excess


def test_too_many_events_are_refused():
    with pytest.raises(ResourceLimitError):
        list(events(range(17)))


@given(distributions(5), distributions(5))
def test_max_divergence_is_where_the_profile_ends(p, q):
    ratio = max_divergence(p, q)
    if ratio is None:
        assert hockey_stick(p, q, exp_epsilon=Fraction(10**9)) > 0
    else:
        assert hockey_stick(p, q, exp_epsilon=max(ratio, Fraction(1))) == 0
        assert ratio == 1 or hockey_stick(p, q, exp_epsilon=ratio * Fraction(999, 1000)) > 0


@given(distributions(5), distributions(5))
def test_total_variation_is_symmetric_and_half_the_one_norm(p, q):
    assert total_variation(p, q) == total_variation(q, p) == sum(abs(p[y] - q[y]) for y in range(5)) / 2


@given(distributions(5), distributions(5), st.integers(2, 5))
def test_renyi_divergence_grows_with_the_order(p, q, order):
    moment, following = renyi_moment(p, q, order=order), renyi_moment(p, q, order=order + 1)
    if moment is None:
        assert following is None
    else:
        assert moment >= 1
        assert moment**order <= following ** (order - 1)


@given(distributions(5), distributions(5), orders)
def test_profile_is_the_larger_direction(p, q, exp_epsilon):
    both = {hockey_stick(p, q, exp_epsilon=exp_epsilon), hockey_stick(q, p, exp_epsilon=exp_epsilon)}
    assert PrivacyProfile(p, q).delta(exp_epsilon=exp_epsilon) == max(both)


@given(distributions(5), distributions(5), deltas)
def test_inverse_profile_is_the_least_epsilon(p, q, delta):
    profile = PrivacyProfile(p, q)
    exp_epsilon = profile.exp_epsilon(delta=delta)
    if exp_epsilon is None:
        assert delta < profile.revealed() == profile.delta(exp_epsilon=max([Fraction(1), *profile.corners()]))
        return
    assert profile.revealed() <= delta
    assert profile.delta(exp_epsilon=exp_epsilon) <= delta
    if exp_epsilon > 1:
        below = 1 + (exp_epsilon - 1) * Fraction(10**9 - 1, 10**9)
        assert profile.delta(exp_epsilon=below) > delta
        assert profile.delta(exp_epsilon=exp_epsilon) == delta or exp_epsilon in profile.corners()


@given(distributions(5), distributions(5))
def test_profile_is_linear_between_corners(p, q):
    one_way = [1, *PrivacyProfile(p, q).corners()]
    for low, high in pairwise(one_way):
        middle = (Fraction(low) + high) / 2
        for a, b in ((p, q), (q, p)):
            ends = hockey_stick(a, b, exp_epsilon=Fraction(low)) + hockey_stick(a, b, exp_epsilon=Fraction(high))
            assert 2 * hockey_stick(a, b, exp_epsilon=middle) == ends


def test_weights_that_only_sum_to_1_after_rounding_are_refused():
    """0.1 + 0.2 + 0.7 is 1.0 in floats, but their binary values are not three numbers that sum to 1."""
    assert sum([0.1, 0.2, 0.7]) != sum(map(Fraction, [0.1, 0.2, 0.7]))
    with pytest.raises(DomainError):
        Distribution({0: 0.1, 1: 0.2, 2: 0.7})
