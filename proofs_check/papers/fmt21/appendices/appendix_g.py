"""FMT21, appendix G, first part: shuffled binary randomized response, its sums and its divergence.

T = e^eps0, E = e^eps, q = T/(T + 1). The pair is c^0 = Bin(n, 1 - q) and c^1 = Bin(n - 1, 1 - q) + Bern(q).
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Coq, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.bounds.lower.binary_rr import pair
from shuffleproof.spec.distribution import Distribution, bernoulli, binomial, convolution, hockey_stick
from shuffleproof.spec.model import AdaptiveSequence, adaptive_shuffled_distribution, shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr

_LOCAL = tuple(map(Fraction, ("3/2", "2", "3", "9")))
_CENTRAL = tuple(map(Fraction, ("1", "9/8", "5/4", "3/2", "2", "5")))
Sums = tuple[Distribution[int], Distribution[int]]


@statement(
    "FMT21.AppG.binary-rr",
    where="Appendix G, first display",
    says="2RR, which reports x with probability e^eps0/(e^eps0 + 1) and 1 - x otherwise, is eps0-DP, and for no smaller eps",
    range="eps0 >= 0",
    governs=["spec.randomizers.binary_rr"],
    grounds=[SYMPY, EXACT],
    mutants={"its largest ratio is e^eps0 + 1": {"numerator": 1}},
)
def binary_rr_is_private(budget: Budget, *, numerator: int = 0) -> Verdict:
    """numerator: T + numerator over 1 is the claimed ratio, 0 for the statement."""
    T = sympy.Symbol("T", positive=True)
    general = symbolic.are_identical((T / (T + 1)) / (1 / (T + 1)), T + numerator)
    found = exhaustive.for_all(_LOCAL, holds=lambda local: binary_rr(exp_epsilon0=local).exp_epsilon0() == local + numerator)
    domain = "all eps0 >= 0; the specified randomizer at e^eps0 = 3/2, 2, 3, 9"
    return Verdict.proved(domain=domain, cases=found.cases + 1, against=found.described, given=general)


@cache
def _outputs(n: int, T: Fraction, data: tuple[int, ...]) -> Distribution[tuple[int, ...]]:
    steps: AdaptiveSequence = [lambda history: binary_rr(exp_epsilon0=T)] * n
    return adaptive_shuffled_distribution(steps, data)


def _exchangeable(law: Distribution[tuple[int, ...]]) -> bool:
    by_sum: dict[int, set[Fraction]] = {}
    for z, weight in law.items():
        by_sum.setdefault(sum(z), set()).add(weight)
    return all(len(weights) == 1 for weights in by_sum.values())


@statement(
    "FMT21.AppG.remark-sums",
    where="Appendix G, before equation (27)",
    says="A_s's output is characterized by its number of ones: c^0 = Bin(n, 1/(e^eps0 + 1)) on (0, ..., 0) and "
    "c^1 = Bin(n - 1, 1/(e^eps0 + 1)) + Bern(e^eps0/(e^eps0 + 1)) on (1, 0, ..., 0), sums of random variables",
    range="n >= 1, eps0 >= 0",
    governs=["spec.bounds.lower.binary_rr", "spec.model"],
    mutants={
        "c^1 with Bern(1/(e^eps0 + 1))": {
            "claimed": lambda n, T: (binomial(n, 1 / (T + 1)), convolution(binomial(n - 1, 1 / (T + 1)), bernoulli(1 / (T + 1))))
        }
    },
)
def sums(budget: Budget, *, claimed: Callable[[int, Fraction], Sums] = lambda n, T: pair(n=n, exp_epsilon0=T)) -> Verdict:
    """claimed: the distributions of c^0 and c^1. Also: given its number of ones, every order of A_s's output is equally likely."""
    users, adaptive_users = budget.pick(quick=7, full=10), budget.pick(quick=4, full=5)

    def holds(n: int, T: Fraction) -> bool:
        datasets = ((0,) * n, (1, *(0,) * (n - 1)))
        if tuple(shuffled_distribution(binary_rr(exp_epsilon0=T), data).map(sum) for data in datasets) != claimed(n, T):
            return False
        return n > adaptive_users or all(_exchangeable(_outputs(n, T, data)) for data in datasets)

    found = exhaustive.for_all(product(range(1, users + 1), _LOCAL), holds=holds)
    return found.verdict(domain=f"n <= {users} as multisets, n <= {adaptive_users} as sequences, e^eps0 = 3/2, 2, 3, 9")


@statement(
    "FMT21.Eq27",
    says="the divergence of A_s(X0) and A_s(X1) is the larger of the sums of max{c0 - e^eps c1, 0} and of max{c1 - e^eps c0, 0}",
    range="n >= 1, eps >= 0, eps0 >= 0",
    governs=["spec.bounds.lower.binary_rr", "impl.ball.bounds.lower.binary_rr"],
    grounds=[Coq("binary_pair_seen", states="89696da98ae28d22")],
    mutants={"the first sum only": {"of_sums": lambda first, second: first}},
)
def equation_27(budget: Budget, *, of_sums: Callable[[Fraction, Fraction], Fraction] = max) -> Verdict:
    """of_sums: how the two sums of (27) are combined, max for the statement."""
    sequences, users = budget.pick(quick=4, full=5), budget.pick(quick=6, full=9)

    def holds(n: int, T: Fraction, E: Fraction) -> bool:
        zero, one = pair(n=n, exp_epsilon0=T)
        value = of_sums(hockey_stick(zero, one, exp_epsilon=E), hockey_stick(one, zero, exp_epsilon=E))
        datasets = ((0,) * n, (1, *(0,) * (n - 1)))
        views = [[shuffled_distribution(binary_rr(exp_epsilon0=T), data) for data in datasets]]
        if n <= sequences:
            views.append([_outputs(n, T, data) for data in datasets])
        return all(max(hockey_stick(a, b, exp_epsilon=E), hockey_stick(b, a, exp_epsilon=E)) == value for a, b in views)

    cases = [(n, T, E) for n, T, E in product(range(1, users + 1), _LOCAL, _CENTRAL) if (n <= sequences and E <= T) or T == 2]
    found = exhaustive.for_all(cases, holds=holds)
    domain = (
        f"all of it by Coq; n <= {sequences} on sequences, n <= {users} on multisets (e^eps0 = 2 above n = {sequences}), "
        "e^eps = 1, 9/8, 5/4, 3/2, 2, 5"
    )
    return found.verdict(domain=domain)


@derived(
    "FMT21.Eq27-directions",
    says="the two sums of (27) differ, unlike those of the clones pair, and either can be the larger: both are needed",
    range="n >= 1, eps >= 0, eps0 >= 0",
    governs=["spec.bounds.lower.binary_rr", "impl.ball.bounds.lower.binary_rr"],
    mutants={
        "the second sum is the larger at n = 4, e^eps0 = 3, e^eps = 5/4, the first at e^eps0 = 2, e^eps = 9/8": {
            "first_wins": (4, Fraction(2), Fraction(9, 8)),
            "second_wins": (4, Fraction(3), Fraction(5, 4)),
        }
    },
)
def directions(
    budget: Budget,
    *,
    first_wins: tuple[int, Fraction, Fraction] = (4, Fraction(3), Fraction(5, 4)),
    second_wins: tuple[int, Fraction, Fraction] = (4, Fraction(2), Fraction(9, 8)),
) -> Verdict:
    return either_larger({f"n = {n}, e^eps0 = {T}, e^eps = {E}": (*pair(n=n, exp_epsilon0=T), E) for n, T, E in (first_wins, second_wins)})


def either_larger(points: Mapping[str, tuple[Distribution[int], Distribution[int], Fraction]]) -> Verdict:
    """That D_E(p || q) is larger than D_E(q || p) at the first of two points, by their names, and smaller at the second."""
    texts, right = [], []
    for (name, (p, q, E)), sign in zip(points.items(), (1, -1), strict=True):
        first, second = hockey_stick(p, q, exp_epsilon=E), hockey_stick(q, p, exp_epsilon=E)
        texts.append(f"{name}: {first} and {second}")
        right.append(sign * (first - second) > 0)
    domain = "the two points named"
    if all(right):
        return Verdict.certified(domain=domain, cases=2, note="; ".join(texts))
    return Verdict.refuted(texts[right.index(False)], domain=domain, cases=2)
