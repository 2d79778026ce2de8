"""p, beta and q of named randomizers and of users' own: from their distributions, by closed forms, and the optimal pair with them."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st
from strategies import examples

import shuffleproof
import shuffleproof.spec.bounds.variation_ratio.optimal_parameters as exact
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair, optimal_parameters as ball
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_parameters import of_distribution, of_users
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer, Multiset, shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import named

NAMED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("krr", {"k": 5}),
    ("laplace", {}),
    ("rappor", {"k": 10}),
    ("asymmetric-rappor", {}),
    ("subset", {"k": 6, "d": 2}),
    ("hadamard", {"k": 7}),
    ("hadamard", {"k": 7, "blocks": 4}),
    ("hash", {"buckets": 4}),
)


@examples(60)
@given(st.sampled_from(NAMED), st.fractions(min_value=Fraction(1, 10**30), max_value=50, max_denominator=10**40), st.integers(1, 60))
def test_parameters_are_rounded_up_and_close_for_irrational_orders(drawn: tuple[str, dict[str, Any]], local: Fraction, digits: int) -> None:
    name, own = drawn
    coarse, fine = (ball.parameters(randomizer=named(name, **own), epsilon0=local, digits=each) for each in (digits, digits + 40))
    low, high = parse_epsilon(local).exp_bounds(bits=600)
    for rounded, closer in zip(coarse, fine, strict=True):
        assert closer * (1 - Fraction(1, 10 ** (digits + 39))) <= rounded <= closer * (1 + Fraction(1, 10**digits))
    assert low <= fine[0] == fine[2]
    assert high <= fine[0] * (1 + Fraction(1, 10**30))


@pytest.mark.parametrize("local", [1, "ln 9/4"])
def test_a_randomizer_is_never_worse_than_all_of_them(local: Any) -> None:
    for name, own in NAMED:
        found = ball.epsilon(n=60, randomizer=named(name, **own), epsilon0=local, delta="1e-4", digits=6)
        assert found.upper < stronger_clones.epsilon(n=60, epsilon0=local, delta="1e-4").lower
        p, beta, q = ball.parameters(randomizer=named(name, **own), epsilon0=local)
        assert abs(optimal_pair.epsilon(n=60, p=p, beta=beta, q=q, delta="1e-4", digits=6).upper / found.upper - 1) < Fraction(1, 10**5)


def test_the_public_interface_takes_a_randomizer_by_name() -> None:
    bound = shuffleproof.delta(n=3, randomizer="krr", k=3, epsilon0="ln 4", epsilon="ln 2", method="randomizer-pair")
    assert (bound.method, bound.exact, bound.upper) == ("randomizer-pair", "361/1728", Fraction(361, 1728))
    named, own = {"randomizer": "laplace", "epsilon0": 1}, shuffleproof.epsilon
    pair = own(n=50, delta="1e-6", method="randomizer-pair", **named)  # type: ignore[arg-type]
    assert pair.engine == "ball"
    assert own(n=50, delta="1e-6", **named).upper <= pair.upper  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "parameter"),
    [
        ({"randomizer": "nonsense"}, "randomizer"),
        ({"randomizer": "krr"}, "k"),
        ({"randomizer": "krr", "k": 1}, "k"),
        ({"randomizer": "krr", "k": 3, "d": 2}, "d"),
        ({"randomizer": "subset", "k": 4, "d": 4}, "d"),
        ({"randomizer": "hadamard", "k": 4, "blocks": 3}, "blocks"),
        ({"randomizer": "hash"}, "buckets"),
        ({"randomizer": "laplace", "k": 3}, "k"),
        ({"k": 3, "method": "randomizer-pair"}, "randomizer"),
        ({"randomizer": "krr", "k": 3, "method": "clones"}, "randomizer"),
        ({"randomizer": "krr", "k": 3, "epsilon0": -1}, "epsilon0"),
    ],
)
def test_a_bad_parameter_is_named(asked: dict[str, Any], parameter: str) -> None:
    with pytest.raises(DomainError) as refusal:
        shuffleproof.epsilon(**{"n": 100, "epsilon0": 1, "delta": "1e-6", **asked})
    assert refusal.value.parameter == parameter


def test_what_exact_arithmetic_cannot_do_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="square"):
        exact.of_named(randomizer=named("rappor"), epsilon0="ln 2")
    with pytest.raises(UnsupportedError, match="irrational"):
        exact.of_named(randomizer=named("krr", k=3), epsilon0=1)
    for own in (
        {"randomizer": "krr", "k": 100},
        {"randomizer": "subset", "k": 10**9, "d": 5 * 10**8},
        {"randomizer": "hadamard", "k": 10**9},
    ):
        with pytest.raises(ResourceLimitError):
            exact.of_named(epsilon0="ln 4", randomizer=named(**own))
    assert ball.parameters(randomizer=named("subset", k=10**9, d=5 * 10**8), epsilon0="ln 4")[1] < Fraction(31, 100)


def test_messages_of_some_inputs_only_leave_nothing_to_hide_behind() -> None:
    split = LocalRandomizer(range(2), {0: Distribution.point("a"), 1: Distribution.point("b")})
    with pytest.raises(RegimeError):
        exact.of_distribution(split)


Owned = LocalRandomizer[int, int]
weights = st.lists(st.integers(1, 9), min_size=3, max_size=3)


def of_weights(rows: list[list[int]]) -> Owned:
    laws = {x: Distribution({y: Fraction(w, sum(row)) for y, w in enumerate(row)}) for x, row in enumerate(rows)}
    return LocalRandomizer(range(len(rows)), laws)


def on(randomizer: Owned, first: int) -> Owned:
    """The same, with messages counted from `first`."""
    return LocalRandomizer(randomizer.domain, {x: randomizer.distribution(x).map(lambda y: y + first) for x in randomizer.domain})


def view(randomizers: list[Owned], dataset: tuple[int, ...]) -> Distribution[Multiset[int]]:
    """The shuffled messages of users who each use their own: records are (user, value), one randomizer for all of them."""
    laws = {(i, x): each.distribution(x) for i, each in enumerate(randomizers) for x in each.domain}
    return shuffled_distribution(LocalRandomizer(tuple(laws), laws), tuple(enumerate(dataset)))


@examples(40)
@given(st.lists(st.lists(weights, min_size=2, max_size=2), min_size=2, max_size=3), st.fractions(0, 4, max_denominator=8), st.data())
def test_the_pair_dominates_users_with_their_own_randomizers(rows: list[list[list[int]]], order: Fraction, data: st.DataObject) -> None:
    """Exactly, at any order from 0 on, whoever is the user that changes."""
    randomizers = [of_weights(each) for each in rows]
    n = len(randomizers)
    P, Q = dominating_pair(n=n, parameters=of_users(randomizers))
    dataset = list(data.draw(st.tuples(*[st.integers(0, 1)] * n)))
    changed = data.draw(st.integers(0, n - 1))
    neighbour = [1 - x if i == changed else x for i, x in enumerate(dataset)]
    truth = hockey_stick_of_any_order(view(randomizers, tuple(dataset)), view(randomizers, tuple(neighbour)), order)
    assert truth <= hockey_stick_of_any_order(P, Q, order)


def hockey_stick_of_any_order(p: Distribution[Any], q: Distribution[Any], order: Fraction) -> Fraction:
    return sum((max(Fraction(0), p[y] - order * q[y]) for y in p.support), Fraction(0))


def test_one_randomizer_for_all_is_what_its_own_distribution_gives() -> None:
    R = k_rr(k=3, exp_epsilon0=Fraction(4))
    assert of_users([R, R, R]) == of_distribution(R) == Parameters(Fraction(4), Fraction(1, 2), Fraction(4))


def test_different_alphabets_are_refused_with_the_reason() -> None:
    """User 0 with 2RR on {0, 1}, user 1 on {2, 3}, or with 3RR: eps0 alone would say too little (BEYOND.Scope-users)."""
    wide, narrow = k_rr(k=3, exp_epsilon0=Fraction(4)), binary_rr(exp_epsilon0=Fraction(4))
    for users, sent, other in (([narrow, on(narrow, 2)], 0, 1), ([wide, narrow], 0, 1), ([narrow, wide], 1, 0)):
        with pytest.raises(RegimeError, match=rf"messages of user {sent} that user {other} never sends.*whose they are"):
            of_users(users)


def test_a_user_whose_messages_are_far_from_the_others_needs_a_larger_q() -> None:
    """Both are 4-ratio randomizers on {0, 1}, but what one sends mostly the other sends rarely."""
    often = of_weights([[16, 1, 1], [4, 1, 1]])
    rarely = of_weights([[1, 16, 1], [1, 4, 1]])
    found = of_users([often, rarely])
    assert found.q > 4 > found.p


def test_no_q_is_needed_of_a_single_user_and_none_is_made_up() -> None:
    with pytest.raises(DomainError, match="at least two users"):
        of_users([binary_rr(exp_epsilon0=Fraction(4))])
