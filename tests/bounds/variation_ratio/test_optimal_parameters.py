"""p, beta and q of named randomizers: from their laws and by closed forms, and the optimal pair with them."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import shuffleproof
import shuffleproof.spec.bounds.variation_ratio.optimal_parameters as exact
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters as ball
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
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


@pytest.mark.parametrize(("name", "own"), NAMED)
@pytest.mark.parametrize("root", [Fraction(1), Fraction(3, 2), Fraction(5)])
def test_closed_forms_are_what_the_laws_give(name: str, own: dict[str, Any], root: Fraction) -> None:
    truth = exact.of_named(randomizer=named(name, **own), epsilon0=f"ln {root**2}")
    p, beta, q = ball.parameters(randomizer=named(name, **own), epsilon0=f"ln {root**2}")
    assert (p, q) == (truth.p, truth.q) == (root**2, root**2)
    assert truth.beta <= beta <= truth.beta * (1 + Fraction(1, 10**30))


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
        exact.of_law(split)
