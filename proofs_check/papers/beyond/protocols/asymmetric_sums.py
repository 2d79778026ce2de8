"""Coordinate sums of asymmetric RAPPOR: what is private where one's own bit is a fair coin, and the others are rare."""

from fractions import Fraction
from itertools import product as tuples
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.beyond.protocols.coordinate_sums import neighbours, sums_law
from shuffleproof.spec.bounds.sums import coordinate_sums
from shuffleproof.spec.distribution import Distribution, bernoulli, binomial, convolution, product
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.privacy_profile import PrivacyProfile

_OTHERS = (Fraction(1, 3), Fraction(1, 10))  # probabilities that another item's bit is 1: usual, and rare


def _changed(n: int, q: Fraction, least: int, most: int, *, gains: bool, more: int, turned: bool) -> tuple[Distribution[int], ...]:
    """The two laws of a coordinate that loses a user, or of one that gains a user, its zeros counted: what least to most holders share."""
    rare = n - 1 - most + more
    if gains and turned:
        shared = convolution(binomial(least, HALF), binomial(rare, 1 - q))
        return convolution(shared, bernoulli(1 - q)), convolution(shared, bernoulli(HALF))
    shared = convolution(binomial(least, HALF), binomial(rare, q))
    laws = convolution(shared, bernoulli(HALF)), convolution(shared, bernoulli(q))
    return laws[::-1] if gains else laws


def _rises(P: Distribution[int], Q: Distribution[int]) -> bool:
    ratios = [P[s] / Q[s] for s in sorted(P.support)]
    return ratios == sorted(ratios)


def _divergence(one: tuple[Distribution[int], ...], other: tuple[Distribution[int], ...], E: Fraction) -> Fraction:
    return hockey_stick(product(one[0], other[0]), product(one[1], other[1]), exp_epsilon=E)


@derived(
    "BEYOND.asymmetric-sums",
    where="docs/mathematics/coordinate-sums.md",
    says="let each of n users over three items or more send a vector whose own bit is 1 with probability 1/2 and every other one with "
    "probability q = 1/(e^eps0 + 1), and the sums of the coordinates be released. Over all datasets that differ in one user's item (c = 2; "
    "c = 1: in whether a user holds an item at all) their deltas are those of the c changed coordinates alone. Where k to k' of the others "
    "hold the item of a coordinate they are at most those with k fair bits and n - 1 - k' bits of q beside the changed one, and the "
    "likelihood ratios rise in the ones of the coordinate that loses a user and in the zeros of the one that gains a user. The "
    "largest loss is eps0 for c = 2 and ln((e^eps0 + 1)/2) for c = 1",
    range="n >= 1, eps0 > 0, eps >= 0",
    governs=["spec.bounds.sums.coordinate_sums", "impl.ball.bounds.sums.asymmetric_sums", "impl.fast.bounds.sums.asymmetric_sums"],
    grounds=["coordinate-sums#asymmetric-vectors", EXACT, "CSUZZ19.Profile.blocks"],
    mutants={
        "one coordinate changes where an item is replaced": {"kept": 1},
        "a block of datasets shares one more bit of q": {"more": 1},
        "of the coordinate that gains a user the ones are counted": {"turned": False},
        "one changed coordinate loses half of eps0 at most": {"halved": True},
    },
    missing="more users than enumerated",
)
def asymmetric_sums_of_reports(budget: Budget, *, kept: int = 2, more: int = 0, turned: bool = True, halved: bool = False) -> Verdict:
    """All coordinates of all neighbours against the changed ones at every corner; blocks against their datasets; ratios; largest losses."""
    largest = budget.pick(quick=2, full=3)

    def holds(n: int, changed: int, q: Fraction) -> bool:
        every: list[PrivacyProfile[Any]] = [
            PrivacyProfile(*(sums_law(held, n, own=HALF, other=q) for held in pair)) for pair in neighbours(n, changed)
        ]
        few: list[PrivacyProfile[Any]] = [*coordinate_sums.profiles(n=n, own=HALF, other=q, changed=min(changed, kept))]
        orders = {E for profiles in (every, few) for each in profiles for E in (Fraction(1), *each.corners())}
        worst = [[max(each.delta(exp_epsilon=E) for each in profiles) for E in orders] for profiles in (every, few)]
        T = 1 / q - 1
        top = T if changed == 2 else (T + 1) / 2
        if halved and changed == 1:
            top = T * T / top**2
        pure = max(each.exp_epsilon(delta=Fraction(0)) or Fraction(0) for each in every)
        return worst[0] == worst[1] and pure == top and (changed == 1 or _blocks(n, q))

    def _blocks(n: int, q: Fraction) -> bool:
        sides = [(False, True), (True, False)]
        laws = {
            (gains, a, b): _changed(n, q, a, b, gains=gains, more=more if a < b else 0, turned=turned)
            for gains in (False, True)
            for a in range(n)
            for b in range(a, n)
        }
        if not all(_rises(*pair) for pair in laws.values()):
            return False
        for (one, other), (a, b), (c, d) in tuples(sides, tuples(range(n), repeat=2), tuples(range(n), repeat=2)):
            if a > b or c > d:
                continue
            for E in (Fraction(1), 1 + (1 / q - 2) / 8, (1 / q - 1) * Fraction(9, 10)):
                above = _divergence(laws[one, a, b], laws[other, c, d], E)
                inside = (_divergence(laws[one, k, k], laws[other, j, j], E) for k in range(a, b + 1) for j in range(c, d + 1))
                if any(each > above for each in inside):
                    return False
        return True

    cases = [(n, changed, q) for n in range(1, largest + 1) for changed in (1, 2) for q in _OTHERS]
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"three items, n <= {largest}, q = 1/3, 1/10, all neighbouring datasets, all orders; all blocks at three orders",
        witness=lambda case: f"n, c, q = {case}",
        note="for all n: other coordinates have one distribution in both datasets and are independent of the changed ones; bits that are "
        "not shared are an independent summand; sums of independent bits are log-concave, so that S + Ber(a) has a rising ratio to S + "
        "Ber(b) for a > b",
    )
