"""Coordinate sums: what is private about RAPPOR where only the sum of each coordinate is released.

Coordinate sums of asymmetric RAPPOR: what is private where one's own bit is a fair coin, and the others are rare.

What is computed from coordinate sums: estimates of all items, of one item, and sums above a threshold.
"""

from fractions import Fraction
from functools import cache
from itertools import product as tuples
from operator import itemgetter
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.spec.bounds.sums import coordinate_sums, real_sum
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, bernoulli, binomial, convolution, hockey_stick, product

_FLIPS = (Fraction(1, 4), Fraction(2, 5))  # probabilities that a bit is flipped: some noise, and much
_ITEMS = 3  # all datasets of so many items are gone through


def sums_distribution(counts: tuple[int, ...], n: int, *, own: Fraction, other: Fraction) -> Distribution[Any]:
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
    for others in tuples(range(n), repeat=_ITEMS):
        if sum(others) > n - 1 or (changed == 2 and sum(others) < n - 1):
            continue
        held = [tuple(k + (x == y) for y, k in enumerate(others)) for x in range(_ITEMS)]
        found += [(x, y) for x in held for y in held if x != y] if changed == 2 else [(x, others) for x in held]
    return found


@derived(
    "BEYOND.coordinate-sums",
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
            PrivacyProfile(*(sums_distribution(held, n, own=1 - p, other=p) for held in pair)) for pair in neighbours(n, changed)
        ]
        few: list[PrivacyProfile[Any]] = [*coordinate_sums.profiles(n=n, own=1 - p, other=p, changed=min(changed, kept))]
        compared = [every, few]
        if changed == 2:
            compared.append([*real_sum.tagged_profiles(n=n, lam=factor * n * p, r=2)])
        orders = {E for profiles in compared for each in profiles for E in (Fraction(1), *each.corners())}
        worst = [[max(each.delta(exp_epsilon=E) for each in profiles) for E in orders] for profiles in compared]
        return all(row == worst[0] for row in worst)

    cases = [(n, changed, p) for n in range(1, largest + 1) for changed in (1, 2) for p in _FLIPS if n < largest or changed == 1]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"three items, n <= {largest}, p = 1/4, 2/5, all neighbouring datasets, all orders",
        note="for all n: the other coordinates have one distribution in both datasets and are independent of the changed ones. A run of a "
        "real sum in which b of the others hold 0 is, with 0 and 1 exchanged, a coordinate that b of the others hold; the real sum's pairs "
        "with a + b > n - 1 are those of a + b <= n - 1 with the two runs exchanged",
    )


_OTHERS = (Fraction(1, 3), Fraction(1, 10))  # probabilities that another item's bit is 1: usual, and rare


def _changed(n: int, q: Fraction, least: int, most: int, *, gains: bool, more: int, turned: bool) -> tuple[Distribution[int], ...]:
    """The two distributions of a coordinate that loses a user, or gains one, zeros counted: what least to most holders share."""
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
            PrivacyProfile(*(sums_distribution(held, n, own=HALF, other=q) for held in pair)) for pair in neighbours(n, changed)
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
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"three items, n <= {largest}, q = 1/3, 1/10, all neighbouring datasets, all orders; all blocks at three orders",
        note="for all n: other coordinates have one distribution in both datasets and are independent of the changed ones; bits that are "
        "not shared are an independent summand; sums of independent bits are log-concave, so that S + Ber(a) has a rising ratio to S + "
        "Ber(b) for a > b",
    )


_KINDS = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 2), Fraction(1, 5)), (1 - Fraction(1, 1 << 40), Fraction(1, 1 << 40)))
"""One's own bit is 1 with the first probability, the others with the second: symmetric, asymmetric and nearly certain bits."""


Kind = tuple[Fraction, Fraction]
CountsDistribution = Distribution[tuple[int, ...]]


@cache
def _pairs(
    n: int, kind: Kind
) -> list[tuple[tuple[int, ...], tuple[int, ...], CountsDistribution, CountsDistribution, dict[Fraction, Fraction]]]:
    """Neighbouring datasets of three items, the distributions of their sums, and the divergences of four orders."""
    own, other = kind
    orders = (Fraction(1), Fraction(5, 4), Fraction(2), own * (1 - other) / (other * (1 - own)) * Fraction(9, 10))
    laws = [
        (x, y, sums_distribution(x, n, own=own, other=other), sums_distribution(y, n, own=own, other=other)) for x, y in neighbours(n, 2)
    ]
    return [(x, y, P, Q, {E: hockey_stick(P, Q, exp_epsilon=E) for E in orders}) for x, y, P, Q in laws]


@derived(
    "BEYOND.views-of-sums",
    says="let S be the sums of coordinates of noisy bits, own bits 1 with probability a and others with b < a. For neighbours that "
    "differ in one user's item every divergence of the unbiased estimates of all items is that of S; of the estimate of one item alone "
    "it is that of this item's sum; of the sums that reach a threshold, the others shown as nothing, it is at most that of S, and "
    "short of it by at most the probability that one of the two changed sums is below the threshold",
    range="n >= 1, 0 < b < a < 1, E >= 1, tau >= 0",
    governs=["spec.bounds.sums.coordinate_sums"],
    grounds=["coordinate-sums#what-is-computed-from-the-sums", EXACT, "BEYOND.coordinate-sums", "BEYOND.asymmetric-sums"],
    mutants={
        "an estimate does not depend on the sums": {"slope": 0},
        "one item's estimate says what another item's sum says": {"at": 2},
        "99/100 of what falls below the threshold": {"paid": Fraction(99, 100)},
    },
    missing="more users than enumerated",
)
def views_of_sums(budget: Budget, *, paid: int = 1, slope: int = 1, at: int = 0) -> Verdict:
    """All neighbouring datasets of three items: images of the distribution of the sums, divergence by divergence."""
    largest = budget.pick(quick=2, full=3)

    def estimates(case: tuple[int, Kind]) -> bool:
        n, (own, other) = case

        def estimate(sums: tuple[int, ...]) -> tuple[Fraction, ...]:
            return tuple((s - n * other) * slope / (own - other) for s in sums)

        for x, y, P, Q, divergences in _pairs(n, (own, other)):
            one, another = (j for j in range(3) if x[j] != y[j])
            told = [each.map(estimate) for each in (P, Q)]
            alone = [each.map(itemgetter(one)) for each in told]
            shown = one if at == 0 else another
            laws = [convolution(binomial(z[shown], own), binomial(n - z[shown], other)) for z in (x, y)]
            for E, whole in divergences.items():
                if hockey_stick(*told, exp_epsilon=E) != whole:
                    return False
                if hockey_stick(*alone, exp_epsilon=E) != hockey_stick(*laws, exp_epsilon=E):
                    return False
        return True

    def holds(n: int, kind: Kind, threshold: int) -> bool:
        for x, y, P, Q, divergences in _pairs(n, kind):
            changed = [j for j in range(3) if x[j] != y[j]]
            cut = sum((mass for sums, mass in P.items() if any(sums[j] < threshold for j in changed)), Fraction(0))
            above = [each.map(lambda sums: tuple(s if s >= threshold else None for s in sums)) for each in (P, Q)]
            for E, whole in divergences.items():
                if not whole - paid * cut <= hockey_stick(*above, exp_epsilon=E) <= whole:
                    return False
        return True

    told = exhaustive.for_all([(n, kind) for n in range(1, largest + 1) for kind in _KINDS], holds=estimates)
    if not told.holds:
        return told.verdict(domain=f"three items, n <= {largest}, all neighbouring datasets", witness=lambda case: f"n, (a, b) = {case}")
    cases = [(n, kind, threshold) for n in range(1, largest + 1) for kind in _KINDS for threshold in range(n + 2)]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"three items, n <= {largest}, three pairs (a, b), all neighbouring datasets, tau <= n + 1, four orders",
        note="for all: the estimate is an injective function of the sums; on the event that both changed sums reach the threshold so are "
        "the sums that are shown, and the rest of the sum that makes the divergence is at most the probability of the rest",
    )
