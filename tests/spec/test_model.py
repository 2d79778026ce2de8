"""Randomizers, the shuffler, protocols and adaptive sequences, exactly."""

from fractions import Fraction
from itertools import islice, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuffleproof.spec.distribution import Distribution, exact_sum, mixture
from shuffleproof.spec.model import LocalRandomizer, Protocol, adaptive_shuffled_law, multiset, sequential_law, shuffled_law
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.relation import neighbouring_datasets

exponentials = st.fractions(min_value=Fraction(1), max_value=Fraction(50), max_denominator=20)


@given(st.integers(1, 6), exponentials)
def test_k_rr_is_exactly_epsilon0_dp(k, exp_epsilon0):
    """FMT21, section 4.1."""
    randomizer = k_rr(k=k, exp_epsilon0=exp_epsilon0)
    assert randomizer.exp_epsilon0() == (exp_epsilon0 if k > 1 else 1)
    assert randomizer.law(0)[0] == exp_epsilon0 / (exp_epsilon0 + k - 1)


@given(exponentials)
def test_binary_rr_is_k_rr_with_two_categories(exp_epsilon0):
    """FMT21, appendix G and section 4.1."""
    binary, two = binary_rr(exp_epsilon0=exp_epsilon0), k_rr(k=2, exp_epsilon0=exp_epsilon0)
    assert all(binary.law(x) == two.law(x) for x in (0, 1))


def test_randomizers_refuse_what_is_not_private_or_not_there():
    for bad in (Fraction(1, 2), Fraction(0), Fraction(-1)):
        with pytest.raises(DomainError):
            binary_rr(exp_epsilon0=bad)
        with pytest.raises(DomainError):
            k_rr(k=3, exp_epsilon0=bad)
    with pytest.raises(DomainError):
        k_rr(k=0, exp_epsilon0=Fraction(2))
    with pytest.raises(DomainError):
        binary_rr(exp_epsilon0=Fraction(2)).law(2)
    with pytest.raises(DomainError):
        LocalRandomizer((), {})
    with pytest.raises(DomainError):
        LocalRandomizer((0, 1), {0: Distribution.point(0)})


def test_a_randomizer_with_disjoint_outputs_has_no_epsilon0():
    assert LocalRandomizer((0, 1), {x: Distribution.point(x) for x in (0, 1)}).exp_epsilon0() is None


@given(st.lists(st.integers(0, 2), max_size=4), exponentials)
def test_shuffled_law_is_the_average_over_all_orders(dataset, exp_epsilon0):
    """FMT21, section 2: what the shuffler releases, by enumerating permutations of the reports."""
    randomizer = k_rr(k=3, exp_epsilon0=exp_epsilon0)
    orders = list(permutations(range(len(dataset))))
    weights = {}
    for messages in product(range(3), repeat=len(dataset)):
        weight = Fraction(1)
        for x, y in zip(dataset, messages, strict=True):
            weight *= randomizer.law(x)[y]
        for order in orders:
            shuffled = tuple(messages[i] for i in order)
            weights[shuffled] = weights.get(shuffled, 0) + weight / len(orders)
    assert Distribution(weights).map(multiset) == shuffled_law(randomizer, dataset)


def test_an_adaptive_sequence_sees_its_own_past_and_nothing_else():
    honest, silent = binary_rr(exp_epsilon0=Fraction(3)), binary_rr(exp_epsilon0=Fraction(1))
    law = sequential_law([lambda z: honest, lambda z: silent if z == (0,) else honest], (0, 1))
    assert law[(0, 0)] == law[(0, 1)] == Fraction(3, 8)
    assert (law[(1, 0)], law[(1, 1)]) == (Fraction(1, 16), Fraction(3, 16))


def test_adaptive_shuffled_law_averages_over_the_data_orders():
    randomizers = [lambda z: binary_rr(exp_epsilon0=Fraction(3)), lambda z: binary_rr(exp_epsilon0=Fraction(2 + sum(z)))]
    half = Fraction(1, 2)
    both = mixture([(half, sequential_law(randomizers, (0, 1))), (half, sequential_law(randomizers, (1, 0)))])
    assert adaptive_shuffled_law(randomizers, (0, 1)) == both
    with pytest.raises(ResourceLimitError):
        adaptive_shuffled_law([randomizers[0]] * 9, (0,) * 9)
    with pytest.raises(DomainError):
        sequential_law(randomizers, (0,))


def _user_by_user(randomizers, dataset):
    """The law of the outputs where every step serves a uniform one of the users that are left: no order is enumerated."""
    states = {((), tuple(range(len(dataset)))): Fraction(1)}
    for randomizer in randomizers:
        following = {}
        for (z, left), mass in states.items():
            for user in left:
                for y, chance in randomizer(z).law(dataset[user]).items():
                    state = ((*z, y), tuple(other for other in left if other != user))
                    following[state] = following.get(state, 0) + mass / len(left) * chance
        states = following
    return Distribution({z: mass for (z, _), mass in states.items()})


@pytest.mark.parametrize("dataset", [(0, 1, 1, 0), (0, 1, 2, 2), (2, 0, 1, 1, 0)])
def test_an_adaptive_sequence_of_four_users_and_more_averages_over_every_order(dataset):
    """An average over six orders only passed all tests: with three users that is every order."""
    randomizers = [lambda z, i=i: k_rr(k=3, exp_epsilon0=Fraction(2 + i + sum(z))) for i in range(len(dataset))]
    expected = _user_by_user(randomizers, dataset)
    assert adaptive_shuffled_law(randomizers, dataset) == expected
    six = [sequential_law(randomizers, [dataset[i] for i in order]) for order in islice(permutations(range(len(dataset))), 6)]
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
    """A mutant that multiplies by a denominator survived all tests of this room."""
    assert exact_sum([Fraction(1, 2), Fraction(1, 3), Fraction(-1, 6)]) == Fraction(2, 3)
    assert exact_sum([]) == 0
