"""What the engines of the optimal pair rest on: chords of a profile in e^epsilon, and chains of counts.

A profile lies below its chords in e^epsilon, and so below weaker ones in epsilon: float64's searches for epsilon.

The certified engine follows the pair's third count along chains instead of summing over it.
"""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import listed_parameters, shown
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.distribution import Distribution, binomial, hockey_stick


@derived(
    "BEYOND.Chord",
    says="delta of a pair is convex in E = e^eps; so at eps + t h, 0 <= t <= 1, it is at most u - (u - v) t/(1 + h), where u >= delta(eps) "
    "and v >= delta(eps + h), u >= v",
    range="all pairs, eps >= 0, 0 < h <= 1",
    governs=["impl.fast.bounds.variation_ratio.optimal_pair"],
    grounds=[EXACT, "sums-of-engines#chords-in-the-search-for-epsilon"],
    mutants={"the chord in epsilon": {"in_epsilon": True}, "the profile above its chords": {"above": True}},
    missing="pairs beyond the enumerated ones",
)
def chord(budget: Budget, *, in_epsilon: bool = False, above: bool = False) -> Verdict:
    """in_epsilon: the chord gone down by the part t of its way at the part t of epsilon's; above: the profile above it."""
    largest, points = budget.pick(quick=3, full=6), budget.pick(quick=4, full=8)
    factors = (Fraction(101, 100), Fraction(21, 20), Fraction(11, 10))

    def holds(n: int, parameters: Parameters, start: int, factor: Fraction) -> bool:
        pair = dominating_pair(n=n, parameters=parameters)
        E = 1 + ((4 if parameters.p is None else parameters.p) - 1) * Fraction(start, 5)
        ratio = factor**points
        h = 2 * (ratio - 1) / (ratio + 1)  # at most ln(ratio)
        first, last = (hockey_stick(*pair, exp_epsilon=order) for order in (E, E * ratio))
        for k in range(points + 1):
            value, t = hockey_stick(*pair, exp_epsilon=E * factor**k), Fraction(k, points)
            gone = (factor**k - 1) / (ratio - 1)
            shown_by_chord = first - (t if in_epsilon else t / (1 + h)) * (first - last)
            if above and not value >= first - gone * (first - last):
                return False
            if (not above and not (value <= first - gone * (first - last) or in_epsilon)) or not (value <= shown_by_chord or above):
                return False
        return True

    cases = [
        case
        for case in product(range(1, largest + 1), listed_parameters(), range(5), factors)
        if case[1].clipped_beta() and not (case[0] == 1 and case[1].q < 2)
    ]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= {largest}, a list of parameters with beta > 0, chords of {points} steps of e^eps by 1 %, 5 % and 10 %, five orders",
        witness=lambda case: f"n = {case[0]}, {shown(case[1])}, order {case[2]} of 5, steps of {case[3]}",
        slack="0: at the ends of chords",
        note="for all: delta is a sum of positive parts of functions linear in E = e^eps; e^(t h) - 1 >= t h, and e^h - 1 <= h + h^2 for "
        "h <= 1; checked with 2 (E' - E)/(E' + E) <= ln(E'/E) for h, which asks for more",
    )


_SHARES_OF_C = tuple(Fraction(share) for share in ("1/30", "2/7", "1/2", "5/6", "29/30"))


def _up_to(law: Distribution[int], k: int) -> Fraction:
    return sum((weight for d, weight in law.items() if d <= k), Fraction(0))


@derived(
    "BEYOND.Chains",
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

    return exhaustive.for_all(product(_SHARES_OF_C, range(2, largest + 1)), holds=holds).verdict(
        domain=f"N <= {largest}, c <= {largest}, s in {{{', '.join(map(str, _SHARES_OF_C))}}}, every integer k from -1 to N + 1, every b",
        slack="0: equalities",
        note="for all: F_(N-1)(k - 1) = F_N(k) - f_N(k) (N - k)/N and F_N(k) = F_(N-1)(k) - s f_(N-1)(k), twice",
    )
