"""Coordinate sums: what is private about RAPPOR where only the sum of each coordinate is released."""

from fractions import Fraction
from itertools import product
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.sums import coordinate_sums, real_sum
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.privacy_profile import PrivacyProfile

_FLIPS = (Fraction(1, 4), Fraction(2, 5))  # probabilities that a bit is flipped: some noise, and much
_ITEMS = 3  # all datasets of so many items are gone through


def sums_law(counts: tuple[int, ...], n: int, *, own: Fraction, other: Fraction) -> Distribution[Any]:
    """The distribution of all coordinates' sums where counts[x] of n users hold item x, the others none.

    own, other: that a bit is 1, of one's own item and of others.
    """
    found: dict[Any, Fraction] = {(): Fraction(1)}
    for holders in counts:
        law = convolution(binomial(holders, own), binomial(n - holders, other))
        found = {(*sums, s): weight * mass for sums, weight in found.items() for s, mass in law.items()}
    return Distribution(found)


def neighbours(n: int, changed: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """How often each of three items is held in two datasets that differ in one user, who holds none in the second where changed = 1."""
    found = []
    for others in product(range(n), repeat=_ITEMS):
        if sum(others) > n - 1 or (changed == 2 and sum(others) < n - 1):
            continue
        held = [tuple(k + (x == y) for y, k in enumerate(others)) for x in range(_ITEMS)]
        found += [(x, y) for x in held for y in held if x != y] if changed == 2 else [(x, others) for x in held]
    return found


@derived(
    "BEYOND.coordinate-sums",
    where="docs/mathematics/coordinate-sums.md",
    says="let every bit of n one-hot vectors over three items or more be flipped with probability p = 1/(e^(eps0/c) + 1) and the sums of "
    "the coordinates be released. Over all datasets that differ in one user's item (c = 2; c = 1: in whether a user holds an item at all) "
    "their deltas are those of the changed coordinates alone; for c = 2 those of the tagged real sum with r = 2, lambda = 2np",
    range="n >= 1, eps0 > 0, eps >= 0",
    governs=["spec.bounds.sums.coordinate_sums", "impl.ball.bounds.sums.coordinate_sums", "impl.fast.bounds.sums.coordinate_sums"],
    grounds=["coordinate-sums#coordinate-sums-what-secure-aggregation-releases", EXACT, "CSUZZ19.Sec5.3.tagged"],
    mutants={
        "one coordinate changes where an item is replaced": {"kept": 1},
        "the flips of the tagged real sum have lambda = np": {"factor": Fraction(1)},
    },
    missing="more users than enumerated",
)
def coordinate_sums_of_reports(budget: Budget, *, kept: int = 2, factor: Fraction = Fraction(2)) -> Verdict:
    """All coordinates of all neighbours, the changed coordinates, and the runs of the tagged real sum, at every corner of all profiles."""
    largest = budget.pick(quick=2, full=4)

    def holds(n: int, changed: int, p: Fraction) -> bool:
        every: list[PrivacyProfile[Any]] = [
            PrivacyProfile(*(sums_law(held, n, own=1 - p, other=p) for held in pair)) for pair in neighbours(n, changed)
        ]
        few: list[PrivacyProfile[Any]] = [*coordinate_sums.profiles(n=n, own=1 - p, other=p, changed=min(changed, kept))]
        compared = [every, few]
        if changed == 2:
            compared.append([*real_sum.tagged_profiles(n=n, lam=factor * n * p, r=2)])
        orders = {E for profiles in compared for each in profiles for E in (Fraction(1), *each.corners())}
        worst = [[max(each.delta(exp_epsilon=E) for each in profiles) for E in orders] for profiles in compared]
        return all(row == worst[0] for row in worst)

    cases = [(n, changed, p) for n in range(1, largest + 1) for changed in (1, 2) for p in _FLIPS if n < largest or changed == 1]
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"three items, n <= {largest}, p = 1/4, 2/5, all neighbouring datasets, all orders",
        witness=lambda case: f"n, c, p = {case}",
        note="for all n: the other coordinates have one distribution in both datasets and are independent of the changed ones. A run of a "
        "real sum in which b of the others hold 0 is, with 0 and 1 exchanged, a coordinate that b of the others hold; the real sum's pairs "
        "with a + b > n - 1 are those of a + b <= n - 1 with the two runs exchanged",
    )
