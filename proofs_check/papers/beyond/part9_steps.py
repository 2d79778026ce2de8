"""What lets the float64 engine sum fewer laws and ask for fewer values: laws of one more draw, and chords of the profile."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.mechanisms import listed_parameters, shown
from shuffleproof.spec.bounds.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.divergence import hockey_stick

_SHARES = tuple(Fraction(share) for share in ("1/30", "1/7", "1/2", "5/6", "29/30"))


def _put(law: Distribution[int], u: int) -> Fraction:
    return sum((weight * max(u - d, 0) for d, weight in law.items()), Fraction(0))


def _call(law: Distribution[int], u: int) -> Fraction:
    return sum((weight * max(d - u, 0) for d, weight in law.items()), Fraction(0))


@statement(
    "BEYOND.More-draws",
    where="the float64 engine's laws of d",
    provenance="derived",
    says="for d_N ~ Bin(N, s), E(u - d_{N+1})_+ = (1 - s) E(u - d_N)_+ + s E(u - 1 - d_N)_+, and so for E(d_N - u)_+; where d_N is kept "
    "within half > steps of floor(s N) only, what is left out adds nothing to E(d - u)_+ at u >= s (N + k) from below, nor to E(u - d)_+ "
    "at u <= s (N + k) from above, for k <= steps draws more",
    range="all N, s in (0, 1), integers u, k <= steps < half",
    governs=["impl.fast.bounds.optimal_pair"],
    grounds=[EXACT],
    mutants={
        "the weights s and 1 - s exchanged": {"exchanged": True},
        "laws kept within one count fewer than there are more draws": {"narrower": 2},
    },
)
def more_draws(budget: Budget, *, exchanged: bool = False, narrower: int = 0) -> Verdict:
    """exchanged: the weights s and 1 - s; narrower: how much less than steps + 1 `half` is."""
    largest, most_steps = budget.pick(quick=10, full=24), budget.pick(quick=5, full=12)
    domain = f"N <= {largest}, up to {most_steps} draws more, s in {{{', '.join(map(str, _SHARES))}}}, every integer from -1 to N + 1"

    def holds(case: tuple[Fraction, int, int]) -> bool:
        s, N, steps = case
        own, following = binomial(N, s), binomial(N + 1, s)
        stay, move = (s, 1 - s) if exchanged else (1 - s, s)
        for value in (_put, _call):
            if any(value(following, u) != stay * value(own, u) + move * value(own, u - 1) for u in range(-1, N + 3)):
                return False
        half = max(steps + 1 - narrower, 0)
        first, last = floor(s * N) - half, floor(s * N) + half
        # with d < first in N draws there are at most first - 1 + k in N + k; with d > last at least last + 1
        return all(first - 1 + k <= s * (N + k) <= last + 1 for k in range(steps + 1))

    checked = exhaustive.for_all(product(_SHARES, range(largest + 1), range(most_steps + 1)), holds=holds)
    return checked.verdict(
        domain=domain,
        witness=lambda case: f"s = {case[0]}, N = {case[1]}, {case[2]} draws more",
        slack="0: equalities",
        note="for all: the draw that comes after is independent of the others; first - 1 + k <= s N + k - half - 1 < s N, and "
        "last + 1 > s N + half > s N + k >= s (N + k)",
    )


@statement(
    "BEYOND.Chord",
    where="the float64 engine's search for epsilon",
    provenance="derived",
    says="delta of a pair is convex in E = e^eps; so at eps + t h, 0 <= t <= 1, it is at most u - (u - v) t/(1 + h), where u >= delta(eps) "
    "and v >= delta(eps + h), u >= v",
    range="all pairs, eps >= 0, 0 < h <= 1",
    governs=["impl.fast.bounds.optimal_pair"],
    grounds=[EXACT],
    mutants={
        "the chord in epsilon": {"in_epsilon": True},
        "the profile above its chords": {"above": True},
    },
)
def chord(budget: Budget, *, in_epsilon: bool = False, above: bool = False) -> Verdict:
    """in_epsilon: the chord gone down by the part t of its way at the part t of epsilon's; above: the profile above it."""
    largest, points = budget.pick(quick=3, full=6), budget.pick(quick=4, full=8)
    factors = (Fraction(101, 100), Fraction(21, 20), Fraction(11, 10))
    domain = f"n <= {largest}, a list of parameters with beta > 0, chords of {points} steps of e^eps by 1 %, 5 % and 10 %, from five orders"

    def holds(case: tuple[int, Parameters, int, Fraction]) -> bool:
        n, parameters, start, factor = case
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
    checked = exhaustive.for_all(cases, holds=holds)
    return checked.verdict(
        domain=domain,
        witness=lambda case: f"n = {case[0]}, {shown(case[1])}, order {case[2]} of 5, steps of {case[3]}",
        slack="0: at the ends of chords",
        note="for all: delta is a sum of positive parts of functions linear in E = e^eps; e^(t h) - 1 >= t h, and e^h - 1 <= h + h^2 for "
        "h <= 1; checked with 2 (E' - E)/(E' + E) <= ln(E'/E) for h, which asks for more",
    )
