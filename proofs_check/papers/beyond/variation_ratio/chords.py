"""The float64 engine's search for epsilon: a profile lies below its chords in e^epsilon, and so below weaker ones in epsilon."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import listed_parameters, shown
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.divergence import hockey_stick


@derived(
    "BEYOND.Chord",
    where="the float64 engine's search for epsilon",
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
    domain = f"n <= {largest}, a list of parameters with beta > 0, chords of {points} steps of e^eps by 1 %, 5 % and 10 %, from five orders"

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
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=domain,
        witness=lambda case: f"n = {case[0]}, {shown(case[1])}, order {case[2]} of 5, steps of {case[3]}",
        slack="0: at the ends of chords",
        note="for all: delta is a sum of positive parts of functions linear in E = e^eps; e^(t h) - 1 >= t h, and e^h - 1 <= h + h^2 for "
        "h <= 1; checked with 2 (E' - E)/(E' + E) <= ln(E'/E) for h, which asks for more",
    )
