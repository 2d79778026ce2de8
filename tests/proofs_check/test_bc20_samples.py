"""BC20's ledger on sample complexity and on drawn randomizers: its tools against independent computations."""

import math
from fractions import Fraction
from itertools import product

import pytest

from shuffleproof.impl.ball.bounds.samples import pointer_samples, support_samples
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.proofs_check.ledger.methods.random_randomizers import described
from shuffleproof.proofs_check.papers.bc20 import section3_3_local as local
from shuffleproof.proofs_check.papers.bc20.section3_3 import Reduction
from shuffleproof.proofs_check.papers.bc20.section4 import shuffled_exp_epsilon
from shuffleproof.proofs_check.papers.bc20.section4_drawn import NUMBER, drawn
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr


def test_five_hundred_different_randomizers_are_drawn_again_from_the_seed() -> None:
    first = [described(randomizer) for randomizer in drawn(seed=3, number=NUMBER)]
    assert len(set(first)) == NUMBER == 500
    assert first == [described(randomizer) for randomizer in drawn(seed=3, number=NUMBER)]
    assert first[:5] != [described(randomizer) for randomizer in drawn(seed=4, number=5)]


@pytest.mark.parametrize("randomizer", [binary_rr(exp_epsilon0=Fraction(3)), k_rr(k=3, exp_epsilon0=Fraction(5, 2))])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_shuffling_leaves_the_pure_epsilon_of_randomized_response(randomizer: LocalRandomizer[int, int], n: int) -> None:
    assert shuffled_exp_epsilon(randomizer, n=n) == randomizer.exp_epsilon0()


def test_information_of_a_noisy_bit() -> None:
    """A uniform bit through randomized response with e^eps = 3: ln 2 - h(1/4)."""
    joint = {(x, y): Fraction(3 if x == y else 1, 8) for x, y in product((0, 1), repeat=2)}
    with precision(128):
        found = float(local._information(joint).mid())
    assert found == pytest.approx(math.log(2) + 0.25 * math.log(0.25) + 0.75 * math.log(0.75), rel=1e-12)
    with precision(128):
        assert found < float(pointer_samples.message_information(Fraction("1.0986122886681")).mid())


def test_swaps_are_permutations_and_entries_are_not() -> None:
    assert local._swapped((1, 0), 5) == (2, 1, 3, 4, 5)
    assert sorted(local._swapped((1, 1), 4)) == [1, 2, 3, 4]
    assert local._shifted((1, 0, 0), 3) == (2, 2, 3)


def test_the_papers_proof_takes_hundreds_of_times_the_calibrated_samples() -> None:
    """Claim 3.4 at h = 2, eps = 1, delta = 1e-6."""
    with precision(128):
        by_the_proof = Reduction(2, Fraction(1), Fraction(1, 10**6)).n()
    assert by_the_proof == 50394
    assert 300 * support_samples.shuffled(h=2, epsilon=Fraction(1), delta=Fraction(1, 10**6)).n < by_the_proof
