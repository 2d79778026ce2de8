"""How the float64 engine sums the optimal pair over one count: each step as an exact identity or inequality.

What lets the float64 engine sum fewer laws: the distribution of one more draw, and how far distributions have to be kept for it.

The float64 engine's search for epsilon: a profile lies below its chords in e^epsilon, and so below weaker ones in epsilon.

What lets the certified engine follow the optimal pair's third count along chains instead of summing over it.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import floor

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import listed_parameters, shown
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.divergence import hockey_stick

_SHARES = tuple(Fraction(k, 5) for k in range(5))
"""E = 1 + (p - 1) times these, or 1 + 3 times these where p is infinite."""


@dataclass(frozen=True)
class _Sum:
    """(q/n) D E[(tau - b)_+] of one case in the engine's terms: C ~ Bin(n, either), d | C ~ Bin(n - C, s), b | C ~ Bin(C, 1/2)."""

    n: int
    parameters: Parameters
    E: Fraction

    @cached_property
    def x(self) -> Fraction:
        return Fraction(0) if self.parameters.p is None else 1 / self.parameters.p

    @cached_property
    def either(self) -> Fraction:
        return 2 * self.parameters.clipped_beta() / ((1 - self.x) * self.parameters.q)

    @cached_property
    def s(self) -> Fraction:
        d = (1 + self.parameters.clipped_beta()) / self.parameters.q - self.either
        return d / (1 - self.either) if self.either < 1 else Fraction(0)

    @cached_property
    def D(self) -> Fraction:
        return (1 - self.x) * (1 + self.E)

    @property
    def sigma(self) -> Fraction:
        return (1 - self.E * self.x) / self.D

    @property
    def kappa(self) -> Fraction:
        return (self.E - 1) / self.D

    def total(self, inner: dict[int, Fraction]) -> Fraction:
        """delta, from the sum over d and b for each c."""
        return self.parameters.q / self.n * self.D * sum(weight * inner[c] for c, weight in binomial(self.n, self.either).items())

    def threshold(self, c: int, d: Fraction) -> Fraction:
        return self.sigma * c - self.kappa * d

    def at_the_mean(self, c: int, *, whole: bool = False) -> Fraction:
        """The sum over b with d at its mean; whole: at the integer below it."""
        mean = self.s * (self.n - c)
        return _positive_part(c, self.threshold(c, Fraction(floor(mean)) if whole else mean))

    def with_law_of(self, c: int, draws: int) -> Fraction:
        """The sum over b and d, where d - s (n - c) has the distribution of the centred Bin(draws, s)."""
        mean = self.s * (self.n - c)
        return sum(
            (weight * _positive_part(c, self.threshold(c, mean + d - self.s * draws)) for d, weight in binomial(draws, self.s).items()),
            Fraction(0),
        )

    def by_tables(self, c: int) -> Fraction:
        """The sum at the mean, and what the spread of d adds to it: put and call at the integers, and lines between them."""
        law, centre = binomial(self.n - c, self.s), self.s * (self.n - c)
        tau = self.threshold(c, centre)
        added = Fraction(0)
        for b, weight in binomial(c, HALF).items():
            u = centre + (tau - b) / self.kappa
            part = u - floor(u)
            added += weight * self.kappa * ((1 - part) * _stop(law, floor(u), u < centre) + part * _stop(law, floor(u) + 1, u < centre))
        return self.at_the_mean(c) + added

    def closed_form(self, c: int, *, of_c_only: bool) -> Fraction:
        """(c - t)/2 f_c(t) - kappa m_c F_c(t) for the sum at the mean; of_c_only: m_c without its part for n - c."""
        tau = self.threshold(c, self.s * (self.n - c))
        if tau < 0:
            return Fraction(0)
        law, t = binomial(c, HALF), floor(tau)
        moment = (1 + self.x) / 2 * c + (Fraction(0) if of_c_only else self.s * (self.n - c))
        below = sum((weight for b, weight in law.items() if b <= t), Fraction(0))
        return Fraction(c - t, 2) * law[t] - self.kappa * moment * below


def _positive_part(c: int, tau: Fraction) -> Fraction:
    return sum((weight * max(tau - b, Fraction(0)) for b, weight in binomial(c, HALF).items()), Fraction(0))


def _stop(law: Distribution[int], u: int, put: bool) -> Fraction:
    return sum((weight * max(Fraction(u - d if put else d - u), Fraction(0)) for d, weight in law.items()), Fraction(0))


def _holds(case: _Sum, *, fewer_draws: bool, whole: bool, of_c_only: bool, mean_alone: bool) -> bool:
    counts = [c for c, _ in binomial(case.n, case.either).items()]
    exact = hockey_stick(*dominating_pair(n=case.n, parameters=case.parameters), exp_epsilon=case.E)
    middle = (counts[0] + counts[-1]) // 2
    panels = [[c for c in counts if c <= middle], [c for c in counts if c > middle]]
    ends = {c: (case.n - panel[-1], case.n - panel[0]) for panel in panels for c in panel}
    own = case.total({c: case.with_law_of(c, case.n - c) for c in counts})
    at_mean = {c: case.at_the_mean(c, whole=whole) for c in counts}
    lower = case.total({c: case.with_law_of(c, ends[c][0]) for c in counts})
    upper = case.total(at_mean if mean_alone else {c: case.with_law_of(c, ends[c][0 if fewer_draws else 1]) for c in counts})
    identities = own == exact and all(case.closed_form(c, of_c_only=of_c_only) == case.at_the_mean(c) for c in counts)
    if case.kappa:
        identities = identities and case.total({c: case.by_tables(c) for c in counts}) == exact
    return identities and case.total(at_mean) <= lower <= exact <= upper


def _cases(largest: int) -> list[_Sum]:
    found = []
    for n, parameters, share in product(range(1, largest + 1), listed_parameters(), _SHARES):
        if n == 1 and parameters.q < 2:  # without a second user q is replaced
            continue
        if parameters.clipped_beta():
            found.append(_Sum(n, parameters, 1 + (Fraction(3) if parameters.p is None else parameters.p - 1) * share))
    return found


@derived(
    "BEYOND.Reduction",
    where="the float64 engine's sum over one count",
    says="delta = (q/n) D E[(tau - b)_+] is the sum over C = a + b with d at its mean, (C - t)/2 f(t) - kappa m F(t) for each C, plus the "
    "sum of f(b) psi(tau - b), psi from E(u - d)_+ and E(d - u)_+ at integers; the sum at the mean <= that with the centred distribution "
    "of d for the fewest draws n - C of a panel of counts C <= delta <= that for the most draws",
    range="all n, p in (1, oo], beta > 0, q, 1 <= E < p",
    governs=["impl.fast.bounds.variation_ratio.optimal_pair"],
    grounds=["BEYOND.LemL5", EXACT, "sums-of-engines#a-sum-over-one-count"],
    mutants={
        "the distribution for the fewest draws on the upper side": {"fewer_draws": True},
        "d at the integer below its mean on the lower side": {"whole": True},
        "the sum at the mean on the upper side": {"mean_alone": True},
        "m without the draws that are neither a nor b": {"of_c_only": True},
    },
    missing="users beyond the enumerated ones",
)
def reduction(
    budget: Budget, *, fewer_draws: bool = False, whole: bool = False, of_c_only: bool = False, mean_alone: bool = False
) -> Verdict:
    """Changed statements: see `_holds`."""
    largest = budget.pick(quick=4, full=8)
    domain = f"n <= {largest}, a list of parameters with beta > 0, five orders in [1, p) each; two panels of counts c"
    checked = exhaustive.for_all(
        _cases(largest), holds=lambda case: _holds(case, fewer_draws=fewer_draws, whole=whole, of_c_only=of_c_only, mean_alone=mean_alone)
    )
    return checked.verdict(
        domain=domain,
        witness=lambda case: f"n = {case.n}, {shown(case.parameters)}, E = {case.E}",
        slack="0: equalities, and equal sides where d does not vary or no panel has two counts",
        note="for all n and parameters: E_b (tau - b)_+ is convex in tau, so Jensen gives the first inequality; Bin(N + 1, s) - s (N + 1) "
        "is Bin(N, s) - s N plus an independent term of mean 0, so it is larger in convex order, which gives the other two",
    )


_DRAWN = tuple(Fraction(share) for share in ("1/30", "1/7", "1/2", "5/6", "29/30"))


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
    domain = f"N <= {largest}, up to {most_steps} draws more, s in {{{', '.join(map(str, _DRAWN))}}}, every integer from -1 to N + 1"

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

    return exhaustive.for_all(product(_DRAWN, range(largest + 1), range(most_steps + 1)), holds=exhaustive.unpacked(holds)).verdict(
        domain=domain,
        witness=lambda case: f"s = {case[0]}, N = {case[1]}, {case[2]} draws more",
        slack="0: equalities",
        note="for all: the draw that comes after is independent of the others; first - 1 + k <= s N + k - half - 1 < s N, and "
        "last + 1 > s N + half > s N + k >= s (N + k)",
    )


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


_SHARES_OF_C = tuple(Fraction(share) for share in ("1/30", "2/7", "1/2", "5/6", "29/30"))


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
    domain = f"N <= {largest}, c <= {largest}, s in {{{', '.join(map(str, _SHARES_OF_C))}}}, every integer k from -1 to N + 1, every b"

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

    return exhaustive.for_all(product(_SHARES_OF_C, range(2, largest + 1)), holds=exhaustive.unpacked(holds)).verdict(
        domain=domain,
        witness=lambda case: f"s = {case[0]}, N = c = {case[1]}",
        slack="0: equalities",
        note="for all: F_(N-1)(k - 1) = F_N(k) - f_N(k) (N - k)/N and F_N(k) = F_(N-1)(k) - s f_(N-1)(k), twice",
    )
