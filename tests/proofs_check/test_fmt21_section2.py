"""FMT21, section 2: the witnesses against its remarks, computed again without the ledger's code."""

from fractions import Fraction
from itertools import combinations

import pytest

from shuffleproof.proofs_check.ledger.methods.exhaustive import laws_in_parts


def test_subsampling_an_ordered_dataset_can_fail_by_one_in_seventy_two() -> None:
    """Pr(1) of A on (a, b) is 2^([a = x] + [b = u])/8; a coordinate changes it by at most a factor 2, and 1 - it by less."""

    def probability(data: tuple[str, str]) -> Fraction:
        return Fraction(2 ** ((data[0] == "x") + (data[1] == "u")), 8)

    values = {Fraction(2**k, 8) for k in range(3)}
    assert all(p <= 2 * q and 1 - q <= 2 * (1 - p) for p in values for q in values if q <= p <= 2 * q)
    under = [sum(map(probability, combinations(data, 2)), Fraction(0)) / 3 for data in (("x", "u", "v"), ("x'", "u", "v"))]
    assert under == [Fraction(7, 24), Fraction(4, 24)]
    assert under[0] - (1 + Fraction(2, 3)) * under[1] == Fraction(1, 72)


def test_a_symmetric_mechanism_is_amplified_where_the_ordered_one_is_not() -> None:
    """The same numbers with the two orders averaged: symmetric, still ln 2-DP, and inside the bound."""

    def averaged(data: tuple[str, str]) -> Fraction:
        orders = (data, data[::-1])
        return sum((Fraction(2 ** ((a == "x") + (b == "u")), 8) for a, b in orders), Fraction(0)) / 2

    under = [sum(map(averaged, combinations(data, 2)), Fraction(0)) / 3 for data in (("x", "u", "v"), ("x'", "u", "v"))]
    assert under[0] <= Fraction(5, 3) * under[1]


def test_a_transcript_may_hide_a_step_that_is_not_private() -> None:
    """The second client leaks after a 1, which the first sends with probability 1/10: transcripts differ by 1/10 only."""
    transcripts = [{(1, x): Fraction(1, 10), (0, 0): Fraction(9, 10)} for x in (0, 1)]
    outcomes = set(transcripts[0]) | set(transcripts[1])
    zero = Fraction(0)
    assert sum((max(zero, transcripts[0].get(z, zero) - transcripts[1].get(z, zero)) for z in outcomes), zero) == Fraction(1, 10)


@pytest.mark.parametrize(("parts", "outcomes", "count"), [(4, 2, 5), (4, 3, 15), (1, 3, 3), (6, 1, 1)])
def test_all_laws_in_parts_are_listed_once(parts: int, outcomes: int, count: int) -> None:
    laws = laws_in_parts(parts, outcomes)
    assert len(laws) == len(set(laws)) == count
