"""What lets the certified engine follow the optimal pair's third count along chains instead of summing over it."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.spec.distribution import Distribution, binomial

_SHARES = tuple(Fraction(share) for share in ("1/30", "2/7", "1/2", "5/6", "29/30"))


def _up_to(law: Distribution[int], k: int) -> Fraction:
    return sum((weight for d, weight in law.items() if d <= k), Fraction(0))


@derived(
    "BEYOND.Chains",
    where="the certified engine's sums over d and b",
    says="with f_N, F_N the mass function and CDF of Bin(N, s): F_(N-2)(k - 1) = F_N(k) - f_N(k) (N - k)/N (1 - k/((N - 1)(1 - s))), "
    "F_(N-2)(k - 2) = F_N(k) - f_N(k) (N - k)/N (1 + k/((N - 1) s)), and sum over d <= k of d f_N(d) = s (N F_N(k) - (N - k) f_N(k)); "
    "with those of Bin(c, 1/2), b <= c: F_(c+2)(b + 1) = F_c(b) + f_c(b) (c - 2b - 1)/(4 (b + 1)), and the sum of (c - 2 i) f_c(i) over "
    "i <= b is (c - b) f_c(b)",
    range="all N >= 2, s in (0, 1), integers k; all c and 0 <= b <= c",
    governs=["impl.ball.bounds.variation_ratio.optimal_pair"],
    grounds=[EXACT, "sums-of-engines#chains-of-counts"],
    mutants={"s and 1 - s exchanged": {"exchanged": True}, "one draw more": {"more": 1}, "the half-binomial without its -1": {"shift": 0}},
    missing="counts beyond the enumerated ones",
)
def chains(budget: Budget, *, exchanged: bool = False, more: int = 0, shift: int = 1) -> Verdict:
    """exchanged: the shares in the first two; more: added to N in the moment; shift: what is taken from c - 2b."""
    largest = budget.pick(quick=9, full=25)
    domain = f"N <= {largest}, c <= {largest}, s in {{{', '.join(map(str, _SHARES))}}}, every integer k from -1 to N + 1, every b"

    def holds(s: Fraction, N: int) -> bool:
        own, fewer, halves, later = binomial(N, s), binomial(N - 2, s), binomial(N, HALF), binomial(N + 2, HALF)
        stay, move = (s, 1 - s) if exchanged else (1 - s, s)
        for k in range(-1, N + 2):
            f, F, left = own[k], _up_to(own, k), Fraction(N - k, N)
            if _up_to(fewer, k - 1) != F - f * left * (1 - k / ((N - 1) * stay)):
                return False
            if _up_to(fewer, k - 2) != F - f * left * (1 + k / ((N - 1) * move)):
                return False
            if sum(d * weight for d, weight in own.items() if d <= k) != s * ((N + more) * F - (N - k) * f):
                return False
        for b in range(N + 1):
            if _up_to(later, b + 1) != _up_to(halves, b) + halves[b] * Fraction(N - 2 * b - shift, 4 * (b + 1)):
                return False
            if sum((N - 2 * i) * weight for i, weight in halves.items() if i <= b) != (N - b) * halves[b]:
                return False
        return True

    return exhaustive.for_all(product(_SHARES, range(2, largest + 1)), holds=exhaustive.unpacked(holds)).verdict(
        domain=domain,
        witness=lambda case: f"s = {case[0]}, N = c = {case[1]}",
        slack="0: equalities",
        note="for all: F_(N-1)(k - 1) = F_N(k) - f_N(k) (N - k)/N and F_N(k) = F_(N-1)(k) - s f_(N-1)(k), twice",
    )
