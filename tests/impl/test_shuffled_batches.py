"""Shuffled mini-batches from below: the certified value against mpmath, its domain, and that it never exceeds what is known exactly."""

from fractions import Fraction

import pytest
from mpmath import mp, mpf

from shuffleproof.impl.ball import gaussian, shuffled_batches
from shuffleproof.spec.bounds.noise.gaussian import shuffled_batches_demand
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.relation import Relation


@pytest.mark.parametrize(("batches", "z"), [(1, "1"), (10, "1/2"), (1000, "1"), (10**6, "4/5")])
def test_the_value_is_that_of_the_reference_at_the_same_cut(batches: int, z: str) -> None:
    found = shuffled_batches.epsilon(batches=batches, noise_multiplier=z, delta="1e-6")
    cut = shuffled_batches._best_cut(batches, float(Fraction(z)), 1e-6)
    with mp.workdps(60):
        ratio = Fraction(z)
        demand = shuffled_batches_demand(
            batches=batches,
            noise_multiplier=mpf(ratio.numerator) / ratio.denominator,
            cut=mpf(cut.numerator) / cut.denominator,
            delta="1e-6",
        )
        text = mp.nstr(demand, 40)
    assert found.lower <= Fraction(text) <= found.upper


@pytest.mark.parametrize("z", ["1/2", "1", "4"])
def test_one_batch_is_the_gaussian_mechanism_and_demands_no_more(z: str) -> None:
    exact = gaussian.epsilon(noise_multiplier=z, delta="1e-6", relation=Relation.ADD_REMOVE)
    found = shuffled_batches.epsilon(batches=1, noise_multiplier=z, delta="1e-6")
    assert exact.upper * Fraction(95, 100) < found.lower <= exact.upper


def test_more_batches_and_more_noise_demand_no_more() -> None:
    lowers = [shuffled_batches.epsilon(batches=T, noise_multiplier=z, delta="1e-6").lower for T, z in ((10, 1), (1000, 1), (1000, 2))]
    assert lowers == sorted(lowers, reverse=True)


def test_ends_of_the_domain() -> None:
    assert shuffled_batches.epsilon(batches=10**9, noise_multiplier=1000, delta="1/2").exact == "0"
    for wrong in (
        {"batches": 0},
        {"noise_multiplier": 0},
        {"noise_multiplier": "1e-400"},
        {"noise_multiplier": "1e400"},
        {"delta": 0},
        {"delta": 1},
    ):
        with pytest.raises(DomainError, match=next(iter(wrong))):
            shuffled_batches.epsilon(**{"batches": 10, "noise_multiplier": 1, "delta": "1e-6", **wrong})  # type: ignore[arg-type]
