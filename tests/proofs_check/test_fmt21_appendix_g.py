"""FMT21, appendix G: what the shuffled 2RR pair bounds, and what it does not."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.proofs_check.papers.fmt21.appendices.appendix_g_search import others_with_ones
from shuffleproof.spec.bounds.lower.binary_rr import pair
from shuffleproof.spec.divergence import hockey_stick, total_variation
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.randomizers.binary_rr import binary_rr

LOCAL = st.fractions(Fraction(5, 4), 12, max_denominator=6)


@examples(25)
@given(st.integers(1, 6), st.data(), LOCAL)
def test_ones_among_the_others_only_shift_the_sum(n: int, data: st.DataObject, T: Fraction) -> None:
    """The law with k ones among the other users, from the shuffle model itself."""
    k = data.draw(st.integers(0, n - 1))
    found = [shuffled_law(binary_rr(exp_epsilon0=T), (first, *(1,) * k, *(0,) * (n - 1 - k))).map(sum) for first in (0, 1)]
    assert tuple(found) == others_with_ones(n=n, k=k, T=T)


@examples(25)
@given(st.integers(1, 7), LOCAL)
def test_the_papers_pair_has_no_ones_among_the_others(n: int, T: Fraction) -> None:
    assert others_with_ones(n=n, k=0, T=T) == pair(n=n, exp_epsilon0=T)


def test_the_pair_is_not_the_worst_already_for_three_users() -> None:
    here, worse = (total_variation(*others_with_ones(n=3, k=k, T=Fraction(2))) for k in (0, 1))
    assert (here, worse) == (Fraction(4, 27), Fraction(5, 27))


def test_either_direction_can_be_the_larger() -> None:
    zero, one = pair(n=4, exp_epsilon0=Fraction(2))
    order = Fraction(9, 8)
    assert (hockey_stick(zero, one, exp_epsilon=order), hockey_stick(one, zero, exp_epsilon=order)) == (Fraction(5, 54), Fraction(7, 72))
