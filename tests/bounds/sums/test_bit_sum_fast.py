"""The float64 engine of the bit sum: around the exact values, around the certified ones, and what it refuses."""

from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet

from shuffleproof.impl.ball.bounds.k_rr import binary_rr_exhaustive as ball_binary
from shuffleproof.impl.ball.bounds.sums import bit_sum as ball
from shuffleproof.impl.ball.bounds.sums import noisy_bits as ball_bits
from shuffleproof.impl.fast.bounds.k_rr import binary_rr_exhaustive as fast_binary
from shuffleproof.impl.fast.bounds.sums import bit_sum as fast
from shuffleproof.impl.fast.bounds.sums import noisy_bits as bits
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


@pytest.mark.parametrize(
    ("ones", "zeros", "p", "epsilon"),
    [
        (0, 0, "1/3", "0.3"),
        (0, 999, "0.27", "0.1"),
        (999, 0, "0.27", "0.1"),
        (500, 99_499, "0.05", "0.02"),
        (30_000, 69_999, "0.4999", "0.000001"),
        (0, 10**6 - 1, "1/100000", "3"),
        (10**6 - 1, 0, "1/100000", "11.5"),
        (500_000, 499_999, "1/100000", "3"),
        (10**4, 10**4, "0.3", "0"),
    ],
)
def test_its_sides_hold_the_certified_divergence_of_one_dataset(ones: int, zeros: int, p: str, epsilon: str) -> None:
    flips, central = bits.Flips.exactly(Fraction(p)), parse_epsilon(epsilon)
    lower, upper = bits.sides(flips, bits.Order.of(flips, central), ones=ones, zeros=zeros)
    truth = ball_bits.divergence(ball_bits.Bits(ones, zeros, 1, Fraction(p)), central, digits=17)
    assert lower <= truth.upper
    assert truth.lower <= upper
    assert upper - lower <= 1e-6 * upper


def test_shared_bits_bound_every_dataset_of_their_block() -> None:
    flips, order = bits.Flips.exactly(Fraction(1, 5)), bits.Order.of(bits.Flips.exactly(Fraction(1, 5)), parse_epsilon("1/10"))
    block = bits.sides(flips, order, ones=20, zeros=99 - 30)[1]
    assert all(bits.sides(flips, order, ones=k, zeros=99 - k)[0] <= block for k in range(20, 31))


def test_one_dataset_alone_is_not_the_worst() -> None:
    """A search that looked at the first dataset only would be below the truth."""
    flips, central = bits.Flips.exactly(Fraction(1, 10)), parse_epsilon("1/2")
    found = fast.worst(flips, 99, central, gap=1e-6)
    assert bits.sides(flips, bits.Order.of(flips, central), ones=0, zeros=99)[1] < found.lower


def test_it_agrees_with_balls_on_many_users() -> None:
    n, lam = 10**4, 40
    found = fast.epsilon(n=n, lam=lam, delta="1e-6")
    assert found.upper <= found.lower * Fraction(1002, 1000)
    above, below = (fast.delta(n=n, lam=lam, epsilon=found.lower), ball.delta(n=n, lam=lam, epsilon=found.upper, digits=2))
    assert above.upper >= Fraction("1e-6") >= below.lower


def test_binary_randomized_response_of_irrational_terms_agrees_between_engines() -> None:
    asked: dict[str, Any] = {"n": 500, "k": 2, "epsilon0": 1, "delta": "1e-6"}
    one, other = ball_binary.epsilon(**asked, digits=3), fast_binary.epsilon(**asked)
    assert meet(one, other)
    assert other.upper <= other.lower * Fraction(1002, 1000)


@pytest.mark.parametrize("engine", [fast_binary, ball_binary])
def test_other_numbers_of_items_are_for_exact_arithmetic(engine: Any) -> None:
    with pytest.raises(UnsupportedError, match="exact"):
        engine.delta(n=5, k=3, epsilon0=1, epsilon="1/2")
    assert engine.delta(n=5, k=2, epsilon0=0, epsilon="1/2").exact == "0"
    assert engine.epsilon(n=5, k=2, epsilon0=0, delta=0).exact == "0"
    assert engine.epsilon(n=5, k=2, epsilon0=2, delta=0).exact == "2"
    assert engine.delta(n=5, k=2, epsilon0=2, epsilon=2).exact == "0"


def test_ends_of_the_domain() -> None:
    assert fast.epsilon(n=5, lam=5, delta="1e-9").exact == "0"
    assert fast.epsilon(n=5, lam=2, delta=0).exact == "ln 4"
    assert fast.delta(n=5, lam=0, epsilon=3).exact == "1"
    assert fast.delta(n=5, lam=2, epsilon="ln 4").exact == "0"
    with pytest.raises(RegimeError):
        fast.epsilon(n=5, lam=0, delta="0.1")
    with pytest.raises(UnsupportedError):
        fast.epsilon(n=5, lam=2, delta="1e-301")
    with pytest.raises(UnsupportedError):
        fast.delta(n=10**10, lam=2, epsilon=1)
    with pytest.raises(DomainError, match="lambda"):
        fast.delta(n=5, lam=6, epsilon=1)
