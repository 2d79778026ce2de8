"""First arrival of (eps0, delta0)-DP randomizers for finitely many messages: the theorems of Coq, in levels and in blocks."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import comb
from typing import Any

from shuffleproof.proofs_check.ledger import Budget, Coq, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.papers.beyond.swap.first_arrival_approximate import known_cases, of_sequences
from shuffleproof.spec.bounds.swap import another_place, first_arrival_approximate as approximate
from shuffleproof.spec.bounds.swap.controlled_sum import Losses, controlled_sums


def _of_known(budget: Budget, bound: Callable[..., Fraction], *, users: int, thinned: bool = False) -> Verdict:
    """The bound on known randomizers, one user and two; of the first, three where blocks are asked."""
    cases = list(known_cases(budget.pick(quick=1, full=2)))
    points = [*product(cases, ((0,), (0, 0))), *([(cases[0], (0, 0, 0))] if users == 3 else [])]
    return exhaustive.for_all(points, holds=lambda point: not of_sequences([point[0]], point[1], bound, (thinned,))).verdict(
        domain=f"all of it by Coq; known randomizers, one to {users} users", witness=str
    )


def _unpaid(**asked: Any) -> Fraction:
    """Mutant: delta0 is not paid."""
    return approximate.delta(**asked) - Fraction(asked["delta0"])


@derived(
    "BEYOND.first-arrival-approximate.finite",
    where="first arrival, (eps0, delta0)",
    says="for finitely many messages: first arrival in levels for every adaptive sequence of (eps0, delta0)-DP randomizers with omega in "
    "proportion to the least over the others of T' P - Q: delta0, the controlled sums of five corner distributions of T' = T/(1 - 3 "
    "delta0) and E (1 - 2 delta0) with leaks, and (T - E)/(T + 1) where nobody has drawn from omega; what leaks lose beyond any bound may "
    "be revealed instead",
    range="eps0 > 0, 0 <= delta0 < 1/3, E in [1, T], eta_L (T'^2 - 1) < c; all n, adaptive randomizers with finitely many messages, all "
    "neighbours, in any ordered field",
    governs=["spec.bounds.swap.first_arrival_approximate"],
    grounds=[Coq("arrival_approximate", states="b409f39169b2f9f6")],
    mutants={"delta0 is not paid": {"bound": _unpaid}},
)
def arrival_approximate(budget: Budget, *, bound: Callable[..., Fraction] = approximate.delta) -> Verdict:
    return _of_known(budget, bound, users=2)


@derived(
    "BEYOND.first-arrival-approximate-thinned.finite",
    where="first arrival, (eps0, delta0)",
    says="for finitely many messages: the same with omega in proportion to the least of R_0/T and the others' distributions, all losses "
    "divided by theta = (1 - eta T/(1 - N delta0))/(1 - eta) with theta times their probability, those of leaks too",
    range="eps0 > 0, 0 <= delta0 < 1/3, E in [1, T], eta_L T < 1 - N delta0; all n, adaptive randomizers with finitely many messages, all "
    "neighbours, in any ordered field",
    governs=["spec.bounds.swap.first_arrival_approximate"],
    grounds=[Coq("arrival_approximate_thinned", states="4effb5c695e3b90a")],
    mutants={"delta0 is not paid": {"bound": _unpaid}},
)
def arrival_approximate_thinned(budget: Budget, *, bound: Callable[..., Fraction] = approximate.delta) -> Verdict:
    return _of_known(budget, bound, users=2, thinned=True)


def in_blocks(
    *, n: int, T: Fraction, delta0: Fraction, exp_epsilon: Fraction, levels: tuple[Fraction, ...] = (), thinned: bool = False
) -> Fraction:
    """Blocks of one user, below r_max = N: each the least distribution above the five with their leaks."""
    N, total = n - 1, delta0
    for before, eta in pairwise([Fraction(0), *levels]):
        d = (eta - before) / (1 - before)
        laws = approximate.leaking_losses(others=N, T=T, delta0=delta0, exp_epsilon=exp_epsilon, share=eta, thinned=thinned)
        block: list[Losses] = [tuple(another_place.least_above(list(map(merged, laws))).items())]
        sums, told = controlled_sums(block, N), controlled_sums(laws, 1)[1]
        means = [sums[N - r + 1] / (N - r + 1) if r < N else told for r in range(1, N + 1)]
        total += (1 - before) ** N * sum(comb(N, r) * d**r * (1 - d) ** (N - r) * mean for r, mean in enumerate(means, start=1))
    return total + (1 - (levels[-1] if levels else 0)) ** N * max(T - exp_epsilon, Fraction(0)) / (T + 1)


def _unpaid_in_blocks(**asked: Any) -> Fraction:
    """Mutant: delta0 is not paid."""
    return in_blocks(**asked) - Fraction(asked["delta0"])


@derived(
    "BEYOND.first-arrival-approximate-blocks.finite",
    where="first arrival, (eps0, delta0), in blocks",
    says="what is computed for (eps0, delta0)-DP randomizers with finitely many messages: at each level and for each number r of users in "
    "the pool below r_l, B blocks of g users, no more than there are outside, each one distribution Lambda whose positive parts are V_g or "
    "above; E(Lambda_1 + ... + Lambda_B)_+/(B g), larger pools revealed, V_1(0), and delta0 (2 - f/T) beside both; delta0 + (T - E)/(T + "
    "1) where the pool is empty; f <= T the loss of a leak up to which it is hidden",
    range="eps0 > 0, 0 <= delta0 < 1/3, E in [1, T], eta_L (T'^2 - 1) < c; all n, adaptive randomizers with finitely many messages, all "
    "neighbours, in any ordered field",
    governs=["spec.bounds.swap.first_arrival_approximate", "impl.fast.bounds.swap.first_arrival_approximate"],
    grounds=[Coq("arrival_approximate_blocks", states="21544cc3d9b5c454")],
    mutants={"delta0 is not paid": {"bound": _unpaid_in_blocks}},
)
def approximate_blocks(budget: Budget, *, bound: Callable[..., Fraction] = in_blocks) -> Verdict:
    return _of_known(budget, bound, users=3)


@derived(
    "BEYOND.first-arrival-approximate-blocks-thinned.finite",
    where="first arrival, (eps0, delta0), in blocks",
    says="the same where leaks are many: omega in proportion to the least of R_0/T and the others' distributions, all losses thinned",
    range="eps0 > 0, 0 <= delta0 < 1/3, E in [1, T], eta_L T < 1 - N delta0; all n, adaptive randomizers with finitely many messages, all "
    "neighbours, in any ordered field",
    governs=["spec.bounds.swap.first_arrival_approximate", "impl.fast.bounds.swap.first_arrival_approximate"],
    grounds=[Coq("arrival_approximate_blocks_thinned", states="8abe6d080b6e3e77")],
    mutants={"delta0 is not paid": {"bound": _unpaid_in_blocks}},
)
def approximate_blocks_thinned(budget: Budget, *, bound: Callable[..., Fraction] = in_blocks) -> Verdict:
    return _of_known(budget, bound, users=3, thinned=True)
