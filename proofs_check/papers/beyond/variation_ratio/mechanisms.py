"""Adaptive mechanisms with H(p, beta, q) at every step: drawn at random, written down, and compared with a pair at every order."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, adaptive_steps, distributions, exp_epsilon0s
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, exact_sum, hockey_stick, mixture, total_variation
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution, shuffled_distribution

Pair = tuple[Distribution[Any], Distribution[Any]]
PairOf = Callable[[int, Parameters], Pair]
"""(n, parameters) -> a pair that is claimed to dominate."""


@dataclass(frozen=True)
class Case:
    """Adaptive steps and the neighbours X_b = (b, x_2, ..., x_n), with H(p, beta, q) at every step."""

    parameters: Parameters
    steps: AdaptiveSteps
    others: tuple[int, ...]

    @property
    def n(self) -> int:
        """The number of users."""
        return len(self.others) + 1

    def distribution(self, b: int) -> Distribution[tuple[Any, ...]]:
        """The distribution of A(X_b)."""
        return adaptive_shuffled_distribution(self.steps.sequence, (b, *self.others))

    def __str__(self) -> str:
        return f"{self.parameters}, {self.steps}, (x_2..x_n) = {self.others}"


def least_parameters(pool: Iterable[LocalRandomizer[int, int]], others: Iterable[int]) -> Parameters:
    """The least (p, beta, q) with which these randomizers meet the hypothesis for the inputs 0 and 1 and these others."""
    p: Fraction | None = Fraction(1)
    beta, q = Fraction(0), Fraction(1)
    for randomizer in pool:
        R_0, R_1 = randomizer.distribution(0), randomizer.distribution(1)
        beta = max(beta, total_variation(R_0, R_1))
        for y in randomizer.messages:
            low, high = sorted((R_0[y], R_1[y]))
            if high:
                p = max(p, high / low) if low and p is not None else None
                q = max([q, *(high / randomizer.distribution(x)[y] for x in others)])
    return Parameters(p, beta, q)


@st.composite
def general_cases(draw: st.DrawFn, *, largest: int, outputs: int = 3) -> Case:
    """Cases with p finite or not, q far from p, and others who send what 0 and 1 never do (so that nothing is locally private).

    R_k = max(R_0, R_1)/q + the rest of the mass anywhere: every distribution with max(R_0, R_1) <= q R_k is one of these.
    """
    n = draw(st.integers(1, largest))
    q_more = draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1), Fraction(4)]))
    rows = [_two_distributions(draw, outputs) for _ in range(draw(st.integers(1, 2)))]
    q = 1 + max(total_variation(*pair) for pair in rows) + q_more
    pool = []
    for R_0, R_1 in rows:
        covered = Distribution({y: max(R_0[y], R_1[y]) / (1 + total_variation(R_0, R_1)) for y in {*R_0.support, *R_1.support}})
        weight = (1 + total_variation(R_0, R_1)) / q
        R_k = [mixture([(weight, covered), (1 - weight, draw(distributions(outputs=outputs)))]) for _ in range(2)]
        pool.append(LocalRandomizer(range(4), dict(enumerate([R_0, R_1, *R_k]))))
    keys = tuple(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    others = tuple(draw(st.lists(st.integers(2, 3), min_size=n - 1, max_size=n - 1)))
    found = least_parameters(pool, (2, 3))
    return Case(Parameters(found.p, found.beta, q), AdaptiveSteps(tuple(pool), keys), others)


@st.composite
def private_cases(draw: st.DrawFn, *, largest: int, tight: bool = True) -> Case:
    """Exactly epsilon0-DP steps; the other users may hold 0 or 1 too. tight: the least (p, beta, q), not (T, (T-1)/(T+1), T)."""
    n, T = draw(st.integers(1, largest)), draw(exp_epsilon0s())
    steps = draw(adaptive_steps(n=n, exp_epsilon0=T))
    others = tuple(draw(st.lists(st.integers(0, 2), min_size=n - 1, max_size=n - 1)))
    return Case(least_parameters(steps.pool, others) if tight else Parameters(T, Fraction(1), T), steps, others)


def _two_distributions(draw: st.DrawFn, outputs: int) -> Pair:
    """Distributions for the two inputs that differ: any two, or with a common part, so that p is finite."""
    R_0, R_1, common = (draw(distributions(outputs=outputs)) for _ in range(3))
    weight = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(5, 6)]))
    if weight:
        common = mixture([(Fraction(1, 2), common), (Fraction(1, 2), Distribution.uniform(range(outputs)))])
    return mixture([(weight, common), (1 - weight, R_0)]), mixture([(weight, common), (1 - weight, R_1)])


def slack(case: Case, pair_of: PairOf) -> Fraction:
    """Least D(pair) - D(mechanism) over both directions and every order that can decide: 0, the corners of either, their inverses."""
    return least_margin(pair_of(case.n, case.parameters), (case.distribution(0), case.distribution(1)))


def least_margin(pair: Pair, mechanism: Pair) -> Fraction:
    """Least D_E(pair) - D_E(mechanism), both directions. Both are piecewise linear, so their corners (below 1 too) decide all E >= 0."""
    pair, mechanism = _by_ratio(*pair), _by_ratio(*mechanism)
    above = {Fraction(1), *PrivacyProfile(*pair).corners(), *PrivacyProfile(*mechanism).corners()}
    orders = {Fraction(0), *above, *(1 / order for order in above), max(above) + 1}
    return min(
        hockey_stick(pair[i], pair[1 - i], exp_epsilon=E) - hockey_stick(mechanism[i], mechanism[1 - i], exp_epsilon=E)
        for E in orders
        for i in (0, 1)
    )


def _by_ratio(p: Distribution[Any], q: Distribution[Any]) -> Pair:
    """The pair with all outcomes of one likelihood ratio as one outcome: max(0, p - E q) of them adds up, whatever E is."""
    alike: defaultdict[Fraction | None, list[Any]] = defaultdict(list)
    for y in dict.fromkeys((*p.support, *q.support)):
        alike[p[y] / q[y] if q[y] else None].append(y)
    numbered = list(enumerate(alike.values()))
    first, second = (Distribution({number: exact_sum(law[y] for y in outcomes) for number, outcomes in numbered}) for law in (p, q))
    return first, second


def self_witness(n: int, parameters: Parameters) -> Pair:
    """The mechanism that attains the bound: everybody sends one of {a, b, d, none} by the pair's distributions; its shuffled views."""
    R_0, R_1 = parameters.special_distribution()
    randomizer = LocalRandomizer((0, 1, 2), {0: R_0, 1: R_1, 2: parameters.other_distribution()})
    first, second = (shuffled_distribution(randomizer, (b, *(2,) * (n - 1))) for b in (0, 1))
    return first, second


def listed_parameters() -> tuple[Parameters, ...]:
    """Parameters that span the theorem: p finite and infinite, beta at its largest, inside and zero, q at 1 + beta and far above."""
    half, third, quarter = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
    return (
        Parameters(Fraction(4), Fraction(3, 5), Fraction(4)),
        Parameters(Fraction(4), half, Fraction(4)),
        Parameters(Fraction(2), quarter, Fraction(3)),
        Parameters(Fraction(10), quarter, Fraction(3, 2)),
        Parameters(Fraction(3), half, Fraction(3, 2)),
        Parameters(Fraction(5, 4), Fraction(1, 20), Fraction(2)),
        Parameters(None, half, Fraction(2)),
        Parameters(None, third, Fraction(4, 3)),
        Parameters(Fraction(7), Fraction(0), Fraction(2)),
    )


def shown(parameters: Parameters) -> str:
    """The parameters in words."""
    p = "infinite" if parameters.p is None else parameters.p
    return f"p = {p}, beta = {parameters.beta}, q = {parameters.q}"
