"""What lets the float64 engine sum fewer laws: the distribution of one more draw, and how far distributions have to be kept for it."""

from fractions import Fraction
from itertools import product
from math import floor

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.distribution import Distribution, binomial

_SHARES = tuple(Fraction(share) for share in ("1/30", "1/7", "1/2", "5/6", "29/30"))


def _put(law: Distribution[int], u: int) -> Fraction:
    return sum((weight * max(u - d, 0) for d, weight in law.items()), Fraction(0))


def _call(law: Distribution[int], u: int) -> Fraction:
    return sum((weight * max(d - u, 0) for d, weight in law.items()), Fraction(0))


@derived(
    "BEYOND.More-draws",
    where="the float64 engine's distributions of d",
    says="for d_N ~ Bin(N, s), E(u - d_{N+1})_+ = (1 - s) E(u - d_N)_+ + s E(u - 1 - d_N)_+, and so for E(d_N - u)_+; where d_N is kept "
    "within half > steps of floor(s N) only, what is left out adds nothing to E(d - u)_+ at u >= s (N + k) from below, nor to E(u - d)_+ "
    "at u <= s (N + k) from above, for k <= steps draws more",
    range="all N, s in (0, 1), integers u, k <= steps < half",
    governs=["impl.fast.bounds.variation_ratio.optimal_pair"],
    grounds=[EXACT, "sums-of-engines#distributions-of-one-draw-more"],
    mutants={
        "the weights s and 1 - s exchanged": {"exchanged": True},
        "distributions kept within one count fewer than there are more draws": {"narrower": 2},
    },
    missing="draws beyond the enumerated ones",
)
def more_draws(budget: Budget, *, exchanged: bool = False, narrower: int = 0) -> Verdict:
    """exchanged: the weights s and 1 - s; narrower: how much less than steps + 1 `half` is."""
    largest, most_steps = budget.pick(quick=10, full=24), budget.pick(quick=5, full=12)
    domain = f"N <= {largest}, up to {most_steps} draws more, s in {{{', '.join(map(str, _SHARES))}}}, every integer from -1 to N + 1"

    def holds(s: Fraction, N: int, steps: int) -> bool:
        own, following = binomial(N, s), binomial(N + 1, s)
        stay, move = (s, 1 - s) if exchanged else (1 - s, s)
        for value in (_put, _call):
            if any(value(following, u) != stay * value(own, u) + move * value(own, u - 1) for u in range(-1, N + 3)):
                return False
        half = max(steps + 1 - narrower, 0)
        first, last = floor(s * N) - half, floor(s * N) + half
        # with d < first in N draws there are at most first - 1 + k in N + k; with d > last at least last + 1
        return all(first - 1 + k <= s * (N + k) <= last + 1 for k in range(steps + 1))

    return exhaustive.for_all(product(_SHARES, range(largest + 1), range(most_steps + 1)), holds=exhaustive.unpacked(holds)).verdict(
        domain=domain,
        witness=lambda case: f"s = {case[0]}, N = {case[1]}, {case[2]} draws more",
        slack="0: equalities",
        note="for all: the draw that comes after is independent of the others; first - 1 + k <= s N + k - half - 1 < s N, and "
        "last + 1 > s N + half > s N + k >= s (N + k)",
    )
