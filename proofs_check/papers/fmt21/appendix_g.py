"""FMT21, appendix G, first part: shuffled binary randomized response, its sums and its divergence.

T = e^eps0, E = e^eps, q = T/(T + 1). The pair is c^0 = Bin(n, 1 - q) and c^1 = Bin(n - 1, 1 - q) + Bern(q).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import sympy

from shuffleproof.proofs_check.ledger import Budget, statement
from shuffleproof.proofs_check.methods import exhaustive, symbolic
from shuffleproof.proofs_check.verdict import Status, Verdict
from shuffleproof.spec.bounds.binary_rr import pair
from shuffleproof.spec.distribution import Distribution, bernoulli, binomial, convolution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import AdaptiveSequence, adaptive_shuffled_law, shuffled_law
from shuffleproof.spec.randomizers.binary_rr import binary_rr

EXACT = "exact rationals (Fraction)"
_LOCAL = tuple(map(Fraction, ("3/2", "2", "3", "9")))
_CENTRAL = tuple(map(Fraction, ("1", "9/8", "5/4", "3/2", "2", "5")))
Sums = tuple[Distribution[int], Distribution[int]]


def _listed(case: tuple[object, ...] | None) -> str:
    return ", ".join(map(str, case or ()))


def _ratio(numerator: int) -> Verdict:
    """numerator: T + numerator over 1 is the claimed ratio, 0 for the statement."""
    T = sympy.Symbol("T", positive=True)
    general = symbolic.are_identical((T / (T + 1)) / (1 / (T + 1)), T + numerator)
    found = exhaustive.for_all(_LOCAL, holds=lambda local: binary_rr(exp_epsilon0=local).exp_epsilon0() == local + numerator)
    domain = "all eps0 >= 0; the specified randomizer at e^eps0 = 3/2, 2, 3, 9"
    rests_on = (symbolic.RESTS_ON, EXACT)
    if found.holds and general:
        return Verdict(status=Status.PROVED, domain=domain, cases=found.cases + 1, rests_on=rests_on)
    witness = f"e^eps0 = {found.counterexample}"
    return Verdict(status=Status.REFUTED, domain=domain, cases=found.cases + 1, witness=witness, rests_on=rests_on)


@statement(
    "FMT21.AppG.binary-rr",
    where="Appendix G, first display",
    provenance="text",
    says="2RR, which reports x with probability e^eps0/(e^eps0 + 1) and 1 - x otherwise, is eps0-DP, and for no smaller eps",
    range="eps0 >= 0",
    governs=["spec.randomizers.binary_rr"],
)
def binary_rr_is_private(budget: Budget) -> Verdict:
    return _ratio(0)


@binary_rr_is_private.mutant("its largest ratio is e^eps0 + 1")
def _(budget: Budget) -> Verdict:
    return _ratio(1)


def _sums(budget: Budget, claimed: Callable[[int, Fraction], Sums]) -> Verdict:
    """claimed: the laws of c^0 and c^1. Also: given its number of ones, every order of A_s's output is equally likely."""
    users, adaptive_users = budget.pick(quick=7, full=10), budget.pick(quick=4, full=5)

    def holds(case: tuple[int, Fraction]) -> bool:
        n, T = case
        datasets = ((0,) * n, (1, *(0,) * (n - 1)))
        if tuple(shuffled_law(binary_rr(exp_epsilon0=T), data).map(sum) for data in datasets) != claimed(n, T):
            return False
        return n > adaptive_users or all(_exchangeable(_outputs(n, T, data)) for data in datasets)

    found = exhaustive.for_all(product(range(1, users + 1), _LOCAL), holds=holds)
    domain = f"n <= {users} as multisets, n <= {adaptive_users} as sequences, e^eps0 = 3/2, 2, 3, 9"
    if found.holds:
        return Verdict(status=Status.EXHAUSTED, domain=domain, cases=found.cases, rests_on=(EXACT,))
    witness = f"n, e^eps0 = {_listed(found.counterexample)}"
    return Verdict(status=Status.REFUTED, domain=domain, cases=found.cases, witness=witness, rests_on=(EXACT,))


@cache
def _outputs(n: int, T: Fraction, data: tuple[int, ...]) -> Distribution[tuple[int, ...]]:
    steps: AdaptiveSequence = [lambda history: binary_rr(exp_epsilon0=T)] * n
    return adaptive_shuffled_law(steps, data)


def _exchangeable(law: Distribution[tuple[int, ...]]) -> bool:
    by_sum: dict[int, set[Fraction]] = {}
    for z, weight in law.items():
        by_sum.setdefault(sum(z), set()).add(weight)
    return all(len(weights) == 1 for weights in by_sum.values())


@statement(
    "FMT21.AppG.remark-sums",
    where="Appendix G, before equation (27)",
    provenance="text",
    says="A_s's output is characterized by its number of ones: c^0 = Bin(n, 1/(e^eps0 + 1)) on (0, ..., 0) and "
    "c^1 = Bin(n - 1, 1/(e^eps0 + 1)) + Bern(e^eps0/(e^eps0 + 1)) on (1, 0, ..., 0), sums of random variables",
    range="n >= 1, eps0 >= 0",
    governs=["spec.bounds.binary_rr", "spec.model"],
)
def sums(budget: Budget) -> Verdict:
    return _sums(budget, lambda n, T: pair(n=n, exp_epsilon0=T))


@sums.mutant("c^1 with Bern(1/(e^eps0 + 1))")
def _(budget: Budget) -> Verdict:
    return _sums(budget, lambda n, T: (binomial(n, 1 / (T + 1)), convolution(binomial(n - 1, 1 / (T + 1)), bernoulli(1 / (T + 1)))))


def _equation_27(budget: Budget, of_sums: Callable[[Fraction, Fraction], Fraction]) -> Verdict:
    """of_sums: how the two sums of (27) are combined, max for the statement."""
    sequences, users = budget.pick(quick=4, full=5), budget.pick(quick=6, full=9)

    def holds(case: tuple[int, Fraction, Fraction]) -> bool:
        n, T, E = case
        zero, one = pair(n=n, exp_epsilon0=T)
        value = of_sums(hockey_stick(zero, one, exp_epsilon=E), hockey_stick(one, zero, exp_epsilon=E))
        datasets = ((0,) * n, (1, *(0,) * (n - 1)))
        views = [[shuffled_law(binary_rr(exp_epsilon0=T), data) for data in datasets]]
        if n <= sequences:
            views.append([_outputs(n, T, data) for data in datasets])
        return all(max(hockey_stick(a, b, exp_epsilon=E), hockey_stick(b, a, exp_epsilon=E)) == value for a, b in views)

    cases = [(n, T, E) for n, T, E in product(range(1, users + 1), _LOCAL, _CENTRAL) if (n <= sequences and E <= T) or T == 2]
    found = exhaustive.for_all(cases, holds=holds)
    domain = f"n <= {sequences} on sequences, n <= {users} on multisets (e^eps0 = 2 above n = {sequences}), e^eps = 1, 9/8, 5/4, 3/2, 2, 5"
    if found.holds:
        return Verdict(status=Status.EXHAUSTED, domain=domain, cases=found.cases, rests_on=(EXACT,))
    witness = f"n, e^eps0, e^eps = {_listed(found.counterexample)}"
    return Verdict(status=Status.REFUTED, domain=domain, cases=found.cases, witness=witness, rests_on=(EXACT,))


@statement(
    "FMT21.Eq27",
    where="Appendix G, equation (27)",
    provenance="text",
    says="the divergence of A_s(X0) and A_s(X1) is the larger of the sums of max{c0 - e^eps c1, 0} and of max{c1 - e^eps c0, 0}",
    range="n >= 1, eps >= 0, eps0 >= 0",
    governs=["spec.bounds.binary_rr", "impl.ball.bounds.binary_rr"],
)
def equation_27(budget: Budget) -> Verdict:
    return _equation_27(budget, max)


@equation_27.mutant("the first sum only")
def _(budget: Budget) -> Verdict:
    return _equation_27(budget, lambda first, second: first)


def _directions(first_wins: tuple[int, Fraction, Fraction], second_wins: tuple[int, Fraction, Fraction]) -> Verdict:
    texts, right = [], []
    for (n, T, E), sign in ((first_wins, 1), (second_wins, -1)):
        zero, one = pair(n=n, exp_epsilon0=T)
        first, second = hockey_stick(zero, one, exp_epsilon=E), hockey_stick(one, zero, exp_epsilon=E)
        texts.append(f"n = {n}, e^eps0 = {T}, e^eps = {E}: {first} and {second}")
        right.append(sign * (first - second) > 0)
    domain = "the two points named"
    if all(right):
        return Verdict(status=Status.CERTIFIED, domain=domain, cases=2, rests_on=(EXACT,), note="; ".join(texts))
    return Verdict(status=Status.REFUTED, domain=domain, cases=2, witness=texts[right.index(False)], rests_on=(EXACT,))


@statement(
    "FMT21.Eq27-directions",
    where="Appendix G, equation (27)",
    provenance="derived",
    says="the two sums of (27) differ, unlike those of the clones pair, and either can be the larger: both are needed",
    range="n >= 1, eps >= 0, eps0 >= 0",
    governs=["spec.bounds.binary_rr", "impl.ball.bounds.binary_rr"],
)
def directions(budget: Budget) -> Verdict:
    return _directions((4, Fraction(3), Fraction(5, 4)), (4, Fraction(2), Fraction(9, 8)))


@directions.mutant("the second sum is the larger at n = 4, e^eps0 = 3, e^eps = 5/4, the first at e^eps0 = 2, e^eps = 9/8")
def _(budget: Budget) -> Verdict:
    return _directions((4, Fraction(2), Fraction(9, 8)), (4, Fraction(3), Fraction(5, 4)))
