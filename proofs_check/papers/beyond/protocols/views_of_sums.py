"""What is computed from coordinate sums: estimates of all items, of one item, and sums above a threshold."""

from fractions import Fraction
from functools import cache
from operator import itemgetter

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.protocols.coordinate_sums import neighbours, sums_law
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.divergence import hockey_stick

_KINDS = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 2), Fraction(1, 5)), (1 - Fraction(1, 1 << 40), Fraction(1, 1 << 40)))
"""One's own bit is 1 with the first probability, the others with the second: symmetric, asymmetric and nearly certain bits."""


Kind = tuple[Fraction, Fraction]
Law = Distribution[tuple[int, ...]]


@cache
def _pairs(n: int, kind: Kind) -> list[tuple[tuple[int, ...], tuple[int, ...], Law, Law, dict[Fraction, Fraction]]]:
    """Neighbouring datasets of three items, the distributions of their sums, and the divergences of four orders."""
    own, other = kind
    orders = (Fraction(1), Fraction(5, 4), Fraction(2), own * (1 - other) / (other * (1 - own)) * Fraction(9, 10))
    laws = [(x, y, sums_law(x, n, own=own, other=other), sums_law(y, n, own=own, other=other)) for x, y in neighbours(n, 2)]
    return [(x, y, P, Q, {E: hockey_stick(P, Q, exp_epsilon=E) for E in orders}) for x, y, P, Q in laws]


@derived(
    "BEYOND.views-of-sums",
    where="docs/mathematics/coordinate-sums.md",
    says="let S be the sums of coordinates of noisy bits, own bits 1 with probability a and others with b < a. For neighbours that "
    "differ in one user's item every divergence of the unbiased estimates of all items is that of S; of the estimate of one item alone "
    "it is that of this item's sum; of the sums that reach a threshold, the others shown as nothing, it is at most that of S, and "
    "short of it by at most the probability that one of the two changed sums is below the threshold",
    range="n >= 1, 0 < b < a < 1, E >= 1, tau >= 0",
    governs=["spec.bounds.sums.coordinate_sums"],
    grounds=["coordinate-sums#what-is-computed-from-the-sums", EXACT, "BEYOND.coordinate-sums", "BEYOND.asymmetric-sums"],
    mutants={
        "what falls below the threshold costs nothing": {"paid": 0},
        "an estimate does not depend on the sums": {"slope": 0},
        "one item's estimate says what another item's sum says": {"at": 2},
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
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"three items, n <= {largest}, three pairs (a, b), all neighbouring datasets, tau <= n + 1, four orders",
        witness=lambda case: f"n, (a, b), threshold = {case}",
        note="for all: the estimate is an injective function of the sums; on the event that both changed sums reach the threshold so are "
        "the sums that are shown, and the rest of the sum that makes the divergence is at most the probability of the rest",
    )
