"""Discrete Laplace noise in parts: three engines against each other, the law of what is drawn, and the ends of the domain."""

from fractions import Fraction
from typing import Any

import pytest
from seeded_bits import Seeded

from shuffleproof import LaplaceSum
from shuffleproof.impl.ball.bounds.noise import laplace_sum as ball
from shuffleproof.impl.fast.bounds.noise import laplace_sum as fast
from shuffleproof.impl.release.polya import noise_of, polya
from shuffleproof.spec.bounds.noise import laplace_sum as exact
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon


@pytest.mark.parametrize("T", [Fraction(4) ** 70, Fraction(10**6 + 1, 10**6) ** 2])
def test_the_lower_end_is_not_above_a_delta_close_to_1_or_to_0(T: Fraction) -> None:
    asked: dict[str, Any] = {"n": 1, "sensitivity": 2, "epsilon0": Epsilon(None, T), "epsilon": 0}
    found, truth = fast.delta(**asked), exact.delta(**asked).upper
    assert found.lower <= truth <= found.upper
    assert any("math.exp" in line for line in found.rests_on)


def test_without_delta_it_costs_epsilon0_and_with_it_less() -> None:
    one = LaplaceSum(n=100, sensitivity=10, epsilon0=1)
    assert one.epsilon(delta=0).upper.exact == "1"
    found = one.epsilon(delta="1e-2")
    assert Fraction(9, 10) < found.lower.lower <= found.upper.upper < 1


@pytest.mark.parametrize("engine", [exact, ball, fast])
def test_ends_of_the_domain(engine: Any) -> None:
    asked: dict[str, Any] = {"n": 1, "sensitivity": 2, "epsilon0": "ln 4"}
    assert engine.delta(**asked, epsilon="ln 4").exact == "0"
    assert engine.epsilon(**asked, delta=0).exact == "ln 4"
    assert engine.epsilon(**asked, delta=1).upper == 0
    assert engine.delta(**{**asked, "epsilon0": 0}, epsilon=0).exact == "0"
    assert engine.epsilon(**{**asked, "epsilon0": 0}, delta="1e-300").exact == "0"
    for wrong in ({"n": 0}, {"sensitivity": 0}, {"epsilon0": -1}):
        with pytest.raises(DomainError):
            engine.delta(**{**asked, **wrong}, epsilon=0)


def test_what_an_engine_does_not_carry_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="irrational"):
        exact.delta(n=1, sensitivity=2, epsilon0="ln 3", epsilon=0)
    with pytest.raises(ResourceLimitError):
        exact.delta(n=1, sensitivity=101, epsilon0="ln 3", epsilon=0)
    with pytest.raises(UnsupportedError):
        fast.delta(n=1, sensitivity=1, epsilon0=701, epsilon=0)
    assert ball.epsilon(n=1, sensitivity=10**18, epsilon0=700, delta="1e-300").upper <= 700 * (1 + Fraction(1, 10**12))


def test_parts_are_drawn_from_their_law_and_add_up_to_discrete_laplace_noise() -> None:
    """Frequencies within five standard deviations of a part's masses, and the variance 2 a/(1 - a)^2 of all parts together, twice over."""
    source, runs = Seeded(11), 3000
    share = exact.part(share=Fraction(1, 3), alpha=Fraction(3678794412, 10**10), terms=3)
    zero = float(1 - Fraction(3678794412, 10**10)) ** (1 / 3)
    drawn = [polya(share="1/3", scale=1, source=source) for _ in range(runs)]
    for k, mass in enumerate(share):
        p = zero * float(mass)
        assert abs(drawn.count(k) - runs * p) <= 5 * (runs * p * (1 - p)) ** 0.5
    a = 0.36787944
    noise = [noise_of(users=7, honest=4, scale=1, source=source) for _ in range(runs)]
    wanted = 7 / 4 * 2 * a / (1 - a) ** 2
    assert abs(sum(x * x for x in noise) / runs - wanted) <= 0.2 * wanted
    assert abs(sum(noise)) <= 5 * (runs * wanted) ** 0.5


@pytest.mark.parametrize("given", [{"share": 0}, {"share": 2}, {"scale": 0}])
def test_a_wrong_part_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        polya(**{"share": "1/2", "scale": 1, **given}, source=Seeded(1))
