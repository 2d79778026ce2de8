"""FMT21, appendix B: where amplification ends for shuffled 2RR and for the clones pair."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.proofs_check.papers.fmt21.appendices import appendix_b
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import clones_delta
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


def test_at_the_dotted_line_shuffled_2rr_is_still_amplified() -> None:
    two_rr, _ = appendix_b._share_of_epsilon0(10_000, 6, Fraction(1, 2))
    assert two_rr < Fraction(1, 5)


def test_at_the_dotted_line_the_clones_bound_has_almost_stopped() -> None:
    _, clones = appendix_b._share_of_epsilon0(1000, 2, Fraction(1, 2))
    assert clones > Fraction(9, 10)


def test_the_misprinted_condition_admits_a_false_bound() -> None:
    """n e^eps0/16 = 6250 is far above ln(2/delta) = 14.5, and the closed form is not an upper bound there."""
    n, T, delta = 100, Fraction(1000), Fraction(1, 10**6)
    E = appendix_b._closed_form(n=n, T=T, delta=delta)
    assert clones_delta(n=n, T=T, E=E, up_to=3) > delta
