"""False variants of statements that their checks once accepted, by family of fault, each with what shows that it is false.

Those in which one number is bent by 1 percent, or an integer by 1, are not repeated here: `bent.json` has what became of every one.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from shuffleproof.proofs_check.ledger import Budget, registry
from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.papers.beyond.swap import first_arrival_approximate
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import the_pair
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.bounds.swap import another_place, controlled_sum, swap_in_levels
from shuffleproof.spec.bounds.swap import first_arrival_approximate as approximate
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters

QUICK = Budget()
Parts = dict[str, Any]


def changed(bound: Callable[..., Fraction], where: Callable[..., bool]) -> Callable[..., Fraction]:
    """The bound, half as large where it says so."""
    return lambda **asked: bound(**asked) / (2 if where(**asked) else 1)


def kept_single(fewer: int) -> Callable[..., dict[int, int]]:
    """Blocks of alike users with so many single ones fewer than there are kinds, and what is over by its binary digits."""

    def count(*, users: int, groups: list[int]) -> dict[int, int]:
        kinds = [max(0, number - fewer) for number in groups]
        number, extra = divmod(users - sum(k << j for j, k in enumerate(kinds)), 1 << len(groups))
        return {**{1 << j: k + (extra >> j & 1) for j, k in enumerate(kinds)}, 1 << len(groups): number}

    return count


def less_beta(of_users: int) -> Callable[[int, Parameters], Any]:
    """The pair, with a beta that is too small for one number of users."""
    return lambda n, asked: the_pair(n, replace(asked, beta=asked.beta * Fraction(99, 100)) if n == of_users else asked)


def one_more(of: Callable[..., Fraction], beyond: int, name: str = "n") -> Callable[..., Fraction]:
    """The bound, of one user more where there are more than so many."""
    return lambda *deltas, **asked: of(*deltas, **{**asked, name: asked[name] + (asked[name] > beyond)})


NOT_IN_THE_STEPS: tuple[tuple[str, Parts], ...] = (
    ("CSUZZ19.ClmC.2", {"factor": Fraction(1)}),  # n = 10^6, as for Theorem 4.11
    ("CSUZZ19.Thm5.5", {"noise": Fraction(1)}),
    ("CSUZZ19.Clm4.6", {"constant": Fraction(29)}),
    ("CSUZZ19.Cor4.7", {"constant": Fraction(29)}),
    ("CSUZZ19.Clm4.9", {"constant": Fraction(41)}),
    ("CSUZZ19.Clm4.10", {"constant": Fraction(350)}),
    ("CSUZZ19.Lem4.8", {"first": Fraction(41)}),
    ("CSUZZ19.Lem4.8", {"second": Fraction(350)}),
    ("CSUZZ19.Lem4.8.all", {"second": Fraction(300)}),
    ("BC20.Thm3.2-one-event", {"total": Fraction(99, 100)}),
    ("LSZKG22.Alg1.fine-discrete-gaussian", {"share": Fraction(96, 100)}),
    ("CSUZZ19.Thm4.11", {"factor": Fraction(1)}),  # n = 10^6, beta = 1e-12
    ("CSUZZ19.ThmE.3", {"condition": Fraction(2, 9)}),
    ("CSUZZ19.Clm4.4", {"constant": Fraction(288, 10)}),  # 10^5 random users
    ("CSUZZ19.ThmE.2", {"divisor": Fraction(101, 50)}),  # 10^7 fair bits
    ("LSZKG22.Thm5.1", {"noise": Fraction(4)}),
    ("FMT21.Cor4.2-condition", {"constant": Fraction(249, 100)}),  # delta = 10^-5000
    ("BBGN19.Lem5.1", {"halves": Fraction(99, 50)}),  # kRR of two values, e^eps0 = 2^400
)
"""A number of the statement that only listed points looked at: stronger than what is proved, and no longer accepted."""
ONLY_AT_THE_EXTREME: tuple[tuple[str, Parts], ...] = (
    ("CSUZZ19.Thm2.3", {"reduction": Fraction(1, 100)}),
    ("CSUZZ19.LemD.6", {"width": Fraction(99, 50)}),  # a ratio between the two ends
    ("CSUZZ19.ThmD.1.sharper", {"power": Fraction(99, 50)}),  # two laws on both ends around a third
    ("FMT21.Lem3.7-replacement", {"power": Fraction(99, 50)}),
    ("CSUZZ19.Sec6.2.2.footnote-4", {"entries": Fraction(99, 50)}),  # where one bit sum has no delta left
    ("CSUZZ19.Sec6.2.1.remark-central", {"half": Fraction(99, 50)}),  # scores far apart
    ("BEYOND.views-of-sums", {"paid": Fraction(99, 100)}),  # nearly certain bits, a threshold above n
)
"""False for cases that no small or drawn one comes near."""
NEVER_ASKED: tuple[tuple[str, Parts], ...] = (
    ("BEYOND.any-law-place", {"bound": changed(another_place.delta, lambda **asked: not asked["others"])}),  # one user
    ("BEYOND.first-arrival", {"bound": changed(controlled_sum.first_arrival, lambda **asked: asked["n"] == 1)}),
    ("BEYOND.Cor-composition", {"pair_of": less_beta(3)}),
    ("BEYOND.any-law-alike-blocks", {"count": kept_single(2)}),  # as many users as kinds
    ("BEYOND.first-arrival-approximate", {"claim": first_arrival_approximate.Claim(losses=first_arrival_approximate._one_leak)}),
)
"""False for one number of users, or one randomizer, that the check did not look at."""
THE_SAME_FOR_FEW: tuple[tuple[str, Parts], ...] = (
    ("BEYOND.first-arrival", {"bound": one_more(controlled_sum.first_arrival, 4)}),
    ("BEYOND.first-arrival-approximate", {"claim": first_arrival_approximate.Claim(bound=one_more(approximate.delta, 3))}),
    ("BEYOND.swap-in-levels", {"arrived": one_more(swap_in_levels.arrived, 2, "N")}),
    ("BEYOND.swap-in-levels", {"nobody": one_more(swap_in_levels.nobody, 3)}),
    ("BEYOND.random-participation", {"mixed": one_more(random_participation.mixed, 2)}),
)
"""The statement as it is for the few users that are enumerated, and false for more."""


def rejected(id: str, parts: Parts) -> bool:
    verdict, _, _ = decide(registry()[id], QUICK, parts)
    assert verdict.holds or verdict.witness or verdict.note, "a counterexample, or why the check leaves it open"
    return not verdict.holds


QUICKLY = (*NOT_IN_THE_STEPS[-7:], NOT_IN_THE_STEPS[0], NOT_IN_THE_STEPS[7], ONLY_AT_THE_EXTREME[0], ONLY_AT_THE_EXTREME[3])
QUICKLY += (*NEVER_ASKED[2:4], THE_SAME_FOR_FEW[2], THE_SAME_FOR_FEW[4])
ALL = (*NOT_IN_THE_STEPS, *ONLY_AT_THE_EXTREME, *NEVER_ASKED, *THE_SAME_FOR_FEW)


@pytest.mark.parametrize(("id", "parts"), [pytest.param(*each, marks=() if each in QUICKLY else pytest.mark.deep) for each in ALL])
def test_a_variant_that_was_accepted_once_is_not(id: str, parts: Parts) -> None:
    assert rejected(id, parts)


def test_one_single_user_fewer_than_there_are_kinds_is_enough() -> None:
    """K_j - 1 + e_j blocks of 2^j, e the digits of S - sum (K_j - 1) 2^j: sharper than what is used, and true."""
    assert not rejected("BEYOND.any-law-alike-blocks", {"count": kept_single(1)})
