"""Lower bounds: named randomizers and the shuffled 2RR pair, below the exact truth of the shuffled reports and below every upper bound."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from enclosures import meet
from hypothesis import given, strategies as st
from strategies import examples, exponentials, logarithm, shares

import shuffleproof.spec.bounds.clones.clones as clones
import shuffleproof.spec.bounds.lower.binary_rr as exact_binary
import shuffleproof.spec.bounds.lower.randomizer_lower as exact
from shuffleproof.bounds import answer
from shuffleproof.impl.ball.bounds.k_rr import k_rr_pairs
from shuffleproof.impl.ball.bounds.lower import binary_rr, randomizer_lower as ball
from shuffleproof.impl.ball.bounds.lower.randomizer_lower_classes import wide_tells_more
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters, three_counts_search
from shuffleproof.spec.distribution import Distribution, max_divergence
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.local_hashing import local_hashing
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import named

RANDOMIZERS: tuple[tuple[str, dict[str, int]], ...] = (
    ("krr", {"k": 2}),
    ("krr", {"k": 4}),
    ("laplace", {}),
    ("rappor", {}),
    ("rappor", {"k": 2}),
    ("asymmetric-rappor", {}),
    ("asymmetric-rappor", {"k": 2}),
    ("subset", {"k": 6, "d": 2}),
    ("subset", {"k": 4, "d": 3}),
    ("subset", {"k": 2, "d": 1}),
    ("hadamard", {"k": 3, "blocks": 1}),
    ("hadamard", {"k": 5, "blocks": 2}),
    ("hadamard", {"k": 3, "blocks": 4}),
    ("hadamard", {"k": 2}),
    ("hash", {"buckets": 2}),
    ("hash", {"buckets": 3}),
    ("hash", {"buckets": 2, "k": 2}),
)
NAMES = [f"{name}-{'-'.join(map(str, own.values()))}" for name, own in RANDOMIZERS]


@pytest.mark.parametrize(("name", "own"), RANDOMIZERS, ids=NAMES)
def test_exact_values_lie_inside_the_balls(name: str, own: dict[str, int]) -> None:
    """At orders where output classes are wide, and where they are narrow."""
    for T, n in (("9/4", 4), ("9", 1), ("9", 3)):
        given: dict[str, Any] = {"n": n, "randomizer": named(name, **own), "epsilon0": f"ln {T}"}
        for E in ("1", "3/2"):
            value, found = exact.delta(**given, epsilon=f"ln {E}").upper, ball.delta(**given, epsilon=f"ln {E}", digits=12)
            assert found.lower <= value <= found.upper
            assert found.upper - found.lower <= found.upper / 10**12
        for delta in ("0", "1/50", "1"):
            least, enclosure = exact.epsilon(**given, delta=delta), ball.epsilon(**given, delta=delta, digits=12)
            assert meet(least, enclosure)
            assert enclosure.upper - enclosure.lower <= enclosure.upper / 10**12


@pytest.mark.parametrize(("name", "own"), RANDOMIZERS, ids=NAMES)
def test_the_lower_bound_is_below_the_upper_one(name: str, own: dict[str, int]) -> None:
    for epsilon0 in ("1/2", "4"):
        given: dict[str, Any] = {"n": 50, "randomizer": named(name, **own), "epsilon0": epsilon0, "delta": "1e-3", "digits": 4}
        lower, upper = ball.epsilon(**given), optimal_parameters.epsilon(**given)
        assert lower.claim_side == "lower"
        assert 0 < lower.upper <= upper.upper


def test_k_ary_response_has_the_value_of_its_own_pairs() -> None:
    given: dict[str, Any] = {"n": 100, "epsilon0": "3/2", "delta": "1e-6", "digits": 12}
    of_three, own = ball.epsilon(randomizer=named("krr", k=7), **given), k_rr_pairs.HOMOGENEOUS.epsilon(k=7, **given)
    assert (of_three.lower, of_three.upper) == (own.lower, own.upper)
    of_two, binary = ball.epsilon(randomizer=named("krr", k=2), **given), binary_rr.epsilon(**given)
    assert abs(of_two.lower - binary.lower) <= binary.lower / 10**11


@pytest.mark.parametrize(
    ("name", "own", "wide", "narrow"),
    [
        ("rappor", {}, "ln 2.6", "ln 2.63"),  # (3 + sqrt 5)/2
        ("asymmetric-rappor", {}, "ln 2.41", "ln 2.42"),  # 1 + sqrt 2
        ("subset", {"k": 6, "d": 2}, "ln 2.33", "ln 7/3"),
        ("hash", {"buckets": 3}, "ln 2.49", "ln 5/2"),
    ],
)
def test_output_classes_are_wide_up_to_the_order_where_both_say_the_same(name: str, own: dict[str, int], wide: str, narrow: str) -> None:
    """And where they are wide that is the larger bound for many users."""
    orders = parse_epsilon(wide), parse_epsilon(narrow)
    assert [wide_tells_more(named(name, **own), epsilon0) for epsilon0 in orders] == [True, False]
    if name != "rappor":
        classes = [exact.classes_of_named(randomizer=named(name, **own), epsilon0=epsilon0) for epsilon0 in orders]
        assert [any(law[exact.FOR_OTHERS] for law in each) for each in classes] == [False, True]


def test_laplace_ends_below_epsilon0_where_no_count_tells_more() -> None:
    """All at most t: (1 - 1/(2 c))/(c/(2 T)) = (4 T - 1)(2 T + 1)/(9 T) times as likely, which is 15/4 for T = 4."""
    for engine in (exact, ball):
        assert engine.delta(n=9, randomizer=named("laplace"), epsilon0="ln 4", epsilon="ln 3.75").upper == 0
        assert engine.delta(n=9, randomizer=named("laplace"), epsilon0="ln 4", epsilon="ln 3.7499").lower > 0
        assert engine.epsilon(n=9, randomizer=named("laplace"), epsilon0="ln 4", delta=0).exact == "ln 15/4"
    irrational = ball.epsilon(n=9, randomizer=named("laplace"), epsilon0=2, delta=0, digits=12)
    T = parse_epsilon(2).exp_bounds(bits=64)[0]
    ratio = parse_epsilon(f"ln {(4 * T - 1) * (2 * T + 1) / (9 * T)}").bounds(bits=64)[0]
    assert abs(irrational.lower - ratio) < Fraction(1, 10**12)
    assert ball.delta(n=9, randomizer=named("laplace"), epsilon0=2, epsilon="1.95", digits=6).upper == 0


def test_many_users_and_extreme_orders() -> None:
    assert ball.epsilon(n=10**6, randomizer=named("laplace"), epsilon0=8, delta="1e-6", digits=6).lower > Fraction("0.16")
    assert ball.epsilon(n=10**4, randomizer=named("hash", buckets=10**9), epsilon0=300, delta="1e-10", digits=6).lower > 299
    assert ball.epsilon(n=10**5, randomizer=named("subset", k=16, d=4), epsilon0=1, delta="1e-6", digits=4).lower > Fraction("0.006")
    tiny = ball.epsilon(n=100, randomizer=named("rappor"), epsilon0="1e-9", delta="1e-11", digits=6)
    assert 0 < tiny.lower < tiny.upper < Fraction(1, 10**9)


def test_local_hashing_is_epsilon0_private_and_uniform_in_its_function() -> None:
    randomizer: LocalRandomizer[int, Any] = local_hashing(k=2, buckets=3, exp_epsilon0=Fraction(5))
    assert max_divergence(randomizer.distribution(0), randomizer.distribution(1)) == 5
    assert randomizer.distribution(0).map(lambda message: message[0]) == Distribution.uniform(product(range(3), repeat=2))
    for k, buckets, T in ((0, 3, 5), (2, 1, 5), (2, 3, Fraction(1, 2))):
        with pytest.raises(DomainError):
            local_hashing(k=k, buckets=buckets, exp_epsilon0=Fraction(T))


def test_what_exact_arithmetic_cannot_do_is_refused() -> None:
    for own, error in (
        ({"randomizer": "rappor", "epsilon0": "ln 3"}, UnsupportedError),
        ({"randomizer": "laplace", "epsilon0": 1}, UnsupportedError),
        ({"randomizer": "hash", "buckets": 9, "epsilon0": "ln 4"}, ResourceLimitError),
        ({"randomizer": "subset", "k": 100, "d": 50, "epsilon0": "ln 4"}, ResourceLimitError),
    ):
        with pytest.raises(error):
            answer(quantity="delta", parameters={"n": 3, "epsilon": "ln 2", **own}, method="randomizer-lower", engine="exact")
    with pytest.raises(ResourceLimitError):
        exact.delta(n=26, randomizer=named("krr", k=3), epsilon0="ln 4", epsilon="ln 2")


def test_an_epsilon_of_hundreds_begins_with_the_window_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out of the window counts e^epsilon times: ten attempts, each with half as many bits again, took a minute."""
    attempts: list[int] = []
    evaluate = three_counts_search.evaluate
    monkeypatch.setattr(three_counts_search, "evaluate", lambda *pair, **asked: attempts.append(asked["bits"]) or evaluate(*pair, **asked))
    given: dict[str, Any] = {"n": 40, "randomizer": named("asymmetric-rappor"), "epsilon0": 700, "epsilon": "697"}
    found = ball.delta(**given, digits=6)
    assert len(attempts) == 1
    assert 0 < found.lower <= found.upper < found.lower * (1 + Fraction(1, 10**6))


@examples(50)
@given(st.integers(1, 25), exponentials(10**9), shares)
def test_the_pair_never_exceeds_the_clones_pair(n, exp_epsilon0, share):
    """FMT21, Theorem 3.2: what it says of all randomizers holds for 2RR."""
    exp_epsilon = 1 + (exp_epsilon0 - 1) * share
    below = exact_binary.delta(n=n, epsilon0=logarithm(exp_epsilon0), epsilon=logarithm(exp_epsilon))
    above = clones.delta(n=n, epsilon0=logarithm(exp_epsilon0), epsilon=logarithm(exp_epsilon))
    assert below.upper <= above.lower
    assert (below.claim_side, above.claim_side) == ("lower", "upper")


def test_many_users_and_extreme_parameters_are_answered():
    for n, epsilon0, delta in [(10**7, 1, "1e-6"), (10**6, 700, "1e-6"), (10**6, 50, "1e-300"), (10**9, "1e-9", "1e-30"), (1, 1, "1e-6")]:
        found = binary_rr.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=10)
        assert found.side == "enclosure"
        assert found.claim_side == "lower"
