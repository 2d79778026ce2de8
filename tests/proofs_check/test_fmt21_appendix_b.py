"""FMT21, appendix B: where amplification ends for shuffled 2RR and for the clones pair."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.spec.bounds.lower.binary_rr import pair
from shuffleproof.spec.privacy_profile import PrivacyProfile


@examples(40)
@given(st.integers(1, 12), st.fractions(Fraction(3, 2), 20, max_denominator=6), st.fractions(0, Fraction(49, 50), max_denominator=50))
def test_beyond_all_zeros_shuffling_buys_nothing(n: int, T: Fraction, share: Fraction) -> None:
    """Below q^n (1 - E/T) the least e^eps of the shuffled 2RR pair lies above E."""
    E = 1 + share * (T - 1)
    level = (T / (T + 1)) ** n * (1 - E / T)
    profile = PrivacyProfile(*pair(n=n, exp_epsilon0=T))
    found = profile.exp_epsilon(delta=level * Fraction(999, 1000))
    assert found is not None
    assert found > E
