"""How the float64 engine sums the optimal pair over one count: each step as an exact identity or inequality."""

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
