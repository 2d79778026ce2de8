"""FMT21, section 5.1: the witnesses computed again, and the steps behind the corrected Theorem 5.2."""

import math
from fractions import Fraction

import pytest

from shuffleproof.impl.ball.bounds.clones import clones, clones_closed_form
from shuffleproof.impl.ball.calibration.theorem_5_2 import prescribed
from shuffleproof.proofs_check.ledger import Status
from shuffleproof.proofs_check.papers.fmt21.applications.section5_1_shuffled import Choice, explicit_verdict
from shuffleproof.spec.protocols import frequency
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


@pytest.mark.parametrize("n", [1, 20, 300, 10**4])
@pytest.mark.parametrize("epsilon", ["0.01", "0.3", "0.99"])
@pytest.mark.parametrize("delta", ["1e-9", "0.05", "0.4", "0.7", "0.97"])
def test_the_corrected_choice_is_private_by_the_numerical_bound(n: int, epsilon: str, delta: str) -> None:
    """By Theorem 3.2's pair, at its own choice of epsilon0: everywhere, not only where the proof uses it."""
    chosen = prescribed(n=n, epsilon=parse_epsilon(epsilon), delta=Fraction(delta)).corrected
    assert chosen is not None
    assert clones.delta(n=n, epsilon0=chosen[1], epsilon=epsilon, digits=4).upper <= Fraction(delta)


def test_the_branches_meet_at_17_and_not_at_1() -> None:
    assert 17 / 16 - 2 * math.log(1.7) == pytest.approx(0, abs=2e-3)
    assert 2 * math.log(1 / 10) < -4.6


def test_a_choice_that_the_proof_does_not_reach_is_open_and_not_proved() -> None:
    verdict = explicit_verdict(Choice(constant=2815))
    assert verdict.status is Status.OPEN
    assert "error for t" in (verdict.note or "")


def test_theorem_31_alone_does_not_carry_theorem_52_at_delta_one_half() -> None:
    chosen = prescribed(n=10**10, epsilon=parse_epsilon("0.1"), delta=Fraction(1, 2)).epsilon0
    assert chosen is not None
    assert clones_closed_form.epsilon(n=10**10, epsilon0=chosen[0], delta="1/2").lower > Fraction(12, 100)
    assert clones.delta(n=10**10, epsilon0=chosen[1], epsilon="0.1", digits=4).upper < Fraction(1, 2)


def test_one_block_at_a_large_epsilon0_costs_a_term_that_does_not_fall() -> None:
    """k (T + 1)^2/(T - 1)^2 - 1 tends to k - 1, where the blocks of ASZ19 let the error fall like k/T."""
    one = frequency.hadamard_worst_error(k=10, blocks=1, exp_epsilon0=Fraction(10**6), n=1)
    many = frequency.hadamard_worst_error(k=10, blocks=16, exp_epsilon0=Fraction(10**6), n=1)
    assert one > 9
    assert many < Fraction(1, 10**4)
