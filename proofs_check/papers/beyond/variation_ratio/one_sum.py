"""Lemma L0: the total variation is clipped. Lemma L1: the divergence of a shuffled adaptive mechanism becomes one sum.

L1 as code: the refined view w = (z, B, identities), its two distributions, and the sequential process nu; all exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled, symbolic
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case, general_cases, private_cases
from shuffleproof.spec.distribution import total_variation
from shuffleproof.spec.model import LocalRandomizer

View = tuple[tuple[Any, int | None], ...]
"""For each step its output, and who drew it from the residual; None for a step of B."""
Density = dict[Any, Fraction]
Blanket = Callable[[LocalRandomizer[int, int], Case], Density]


def larger_over_q(randomizer: LocalRandomizer[int, int], case: Case) -> Density:
    """Blanket A: m = max(R_0, R_1)/q."""
    R_0, R_1 = randomizer.distribution(0), randomizer.distribution(1)
    return {y: max(R_0[y], R_1[y]) / case.parameters.q for y in randomizer.messages if R_0[y] or R_1[y]}


def least_of_all(randomizer: LocalRandomizer[int, int], case: Case) -> Density:
    """Blanket B, for local privacy only: m = min over the inputs 0, 1, x_2, ..., x_n."""
    inputs = {0, 1, *case.others}
    return {y: least for y in randomizer.messages if (least := min(randomizer.distribution(x)[y] for x in inputs))}


@dataclass(frozen=True)
class Step:
    """One step after a history: the blanket m, the distributions R_0, R_1 and the residuals R_k - m of the users 2..n."""

    m: Density
    special: tuple[Any, Any]
    residual: Callable[[int, Any], Fraction]

    @classmethod
    def of(cls, case: Case, blanket: Blanket, i: int, history: tuple[Any, ...]) -> Step:
        """Step i of the case after these outputs."""
        randomizer = case.steps.at(i, history)
        m = blanket(randomizer, case)
        return cls(
            m,
            (randomizer.distribution(0), randomizer.distribution(1)),
            lambda user, y: randomizer.distribution(case.others[user])[y] - m.get(y, Fraction(0)),
        )

    def outputs(self) -> set[Any]:
        """Whatever the blanket or one of the special user's distributions can send (residuals add their own)."""
        return {*self.m, *self.special[0].support, *self.special[1].support}


def refined_distribution(case: Case, blanket: Blanket, b: int) -> dict[View, Fraction]:
    """The distribution of w under X_b by its definition: a uniform order of the users, each splitting into blanket and residual."""
    found: dict[View, Fraction] = {}
    orders = list(permutations(range(case.n)))
    for order in orders:
        for view, weight in _runs(case, blanket, b, order, (), Fraction(1, len(orders))):
            found[view] = found.get(view, Fraction(0)) + weight
    return found


def _runs(case: Case, blanket: Blanket, b: int, order: tuple[int, ...], view: View, weight: Fraction) -> Iterator[tuple[View, Fraction]]:
    i = len(view)
    if i == case.n:
        yield view, weight
        return
    step, user = Step.of(case, blanket, i, tuple(z for z, _ in view)), order[i] - 1  # user -1 is the special one
    branches: list[tuple[tuple[Any, int | None], Fraction]]
    if user < 0:
        branches = [((z, None), mass) for z, mass in step.special[b].items()]
    else:
        messages = case.steps.at(i, tuple(z for z, _ in view)).messages
        branches = [((z, None), mass) for z, mass in step.m.items()]
        branches += [((z, user), mass) for z in messages if (mass := step.residual(user, z))]
    for outcome, mass in branches:
        yield from _runs(case, blanket, b, order, (*view, outcome), weight * mass)


@dataclass(frozen=True)
class Path:
    """A path of nu: its view, its probability, the sums of u_j and of v_j over B, and the steps' distributions of (u, v) on the way."""

    view: View
    weight: Fraction
    u: Fraction
    v: Fraction


def sequential_paths(case: Case, blanket: Blanket, *, with_replacement: bool = False) -> Iterator[Path]:
    """The process nu without its cemetery. with_replacement: identities drawn from all of 2..n every time (a mutant)."""

    def extended(path: Path, unused: tuple[int, ...]) -> Iterator[Path]:
        i = len(path.view)
        if i == case.n:
            yield path
            return
        history = tuple(z for z, _ in path.view)
        step = Step.of(case, blanket, i, history)
        for z, mass in step.m.items():
            u, v = (law[z] / mass for law in step.special)
            yield from extended(Path((*path.view, (z, None)), path.weight * mass, path.u + u, path.v + v), unused)
        for user in unused:
            for z in case.steps.at(i, history).messages:
                if mass := step.residual(user, z):
                    weight = path.weight * mass / len(unused)
                    left = unused if with_replacement else tuple(other for other in unused if other != user)
                    yield from extended(Path((*path.view, (z, user)), weight, path.u, path.v), left)

    yield from extended(Path((), Fraction(1), Fraction(0), Fraction(0)), tuple(range(case.n - 1)))


def identity_holds(case: Case, blanket: Blanket, *, with_replacement: bool = False, users: int | None = None) -> bool:
    """Equation (1) for both b at every w, the push-forward of w to z, and equation (2) at a few orders."""
    n = case.n if users is None else users
    laws = [refined_distribution(case, blanket, b) for b in (0, 1)]
    paths = list(sequential_paths(case, blanket, with_replacement=with_replacement))
    for b, law in enumerate(laws):
        by_nu: dict[View, Fraction] = {}
        for path in paths:
            by_nu[path.view] = by_nu.get(path.view, Fraction(0)) + path.weight * (path.v if b else path.u) / n
        if {view: mass for view, mass in by_nu.items() if mass} != {view: mass for view, mass in law.items() if mass}:
            return False
        outputs: dict[Any, Fraction] = {}
        for view, mass in law.items():
            z = tuple(output for output, _ in view)
            outputs[z] = outputs.get(z, Fraction(0)) + mass
        truth = case.distribution(b)
        if any(truth[z] != mass for z, mass in outputs.items()) or sum(outputs.values()) != 1:
            return False
    return all(
        _divergence(laws, E) == sum((path.weight * max(Fraction(0), path.u - E * path.v) for path in paths), Fraction(0)) / n
        for E in (Fraction(0), Fraction(1), Fraction(3, 2), Fraction(5))
    )


def _divergence(laws: list[dict[View, Fraction]], E: Fraction) -> Fraction:
    views = {*laws[0], *laws[1]}
    return sum((max(Fraction(0), laws[0].get(w, Fraction(0)) - E * laws[1].get(w, Fraction(0))) for w in views), Fraction(0))


def coefficients_agree(*, users: int, with_replacement: bool = False) -> bool:
    """Equation (1), coefficient by coefficient: for every B and every identities outside B, the orders of the users that fit w.

    With the special user at step j of B, (|B| - 1)! orders out of n! fit, whatever j; nu gives 1/n times the product of 1/(n - 1 - t)
    over the residual steps t. Both multiply the same product of densities, so this settles the identity for all distributions.
    """
    n = users
    counts: dict[tuple[tuple[int | None, ...], int], int] = {}
    for order in permutations(range(n)):
        j = order.index(0)
        for chosen in range(1 << n):
            if chosen >> j & 1:
                pattern = tuple(None if chosen >> i & 1 else order[i] for i in range(n))
                counts[pattern, j] = counts.get((pattern, j), 0) + 1
    orders = 1
    for k in range(2, n + 1):
        orders *= k
    for (pattern, _), fitting in counts.items():
        by_nu = Fraction(1, n)
        for t in range(sum(identity is not None for identity in pattern)):
            by_nu /= n - 1 - (0 if with_replacement else t)
        if Fraction(fitting, orders) != by_nu:
            return False
    return True


PROOF = "proof of Theorem F3"


def _clipped(case: Case) -> Fraction:
    """Least of (p - 1)/(p + 1) - TV and q - 1 - TV over the steps' randomizers."""
    p, q = case.parameters.p, case.parameters.q
    distances = [total_variation(randomizer.distribution(0), randomizer.distribution(1)) for randomizer in case.steps.pool]
    return min(min(q - 1, Fraction(1) if p is None else (p - 1) / (p + 1)) - distance for distance in distances)


@derived(
    "BEYOND.LemL0",
    where=f"{PROOF}, clipping",
    says="R_0 <= p R_1 and R_1 <= p R_0 imply TV(R_0, R_1) <= (p-1)/(p+1); max(R_0, R_1) <= q R_k implies TV <= q - 1",
    range="p > 1, q >= 1, all distributions",
    governs=["spec.bounds.variation_ratio.optimal_pair"],
    grounds=[SYMPY],
    mutants={"(p-1)/(p+2) for (p-1)/(p+1)": {"lost": 1}},
    not_falsified="the random triples accompany the proof, which is the linear certificate",
)
def lemma_0(budget: Budget, *, lost: int = 0) -> Verdict:
    """lost: what is added to the denominator of (p - 1)/(p + 1)."""
    p, in_0, in_1 = sympy.symbols("p in_0 in_1", positive=True)  # R_0(S), R_1(S) for S = {R_0 > R_1}
    by_p = (p - 1) / (p + 1 + lost)
    privacy = (p * in_1 - in_0, p * (1 - in_0) - (1 - in_1))  # both at least 0
    certificate = by_p - (in_0 - in_1) - (privacy[0] + privacy[1]) / (p + 1)
    attained = by_p - (in_0 - in_1).subs({in_0: p / (p + 1), in_1: 1 / (p + 1)})
    found = sampled.least_slack(general_cases(largest=1), slack=_clipped, budget=budget, quick=40, full=400)
    domain = "all p > 1, q >= 1 and all distributions (a linear certificate); max(R_0, R_1) has mass 1 + TV and is at most q R_k"
    if not (symbolic.is_zero(certificate) and symbolic.is_zero(attained) and found.holds):
        witness = "R_0(S) = p/(p + 1), R_1(S) = 1/(p + 1) is p-indistinguishable, with total variation (p - 1)/(p + 1)"
        return Verdict.refuted(witness, domain=domain, cases=2)
    return Verdict.proved(
        domain=domain,
        cases=2,
        slack="0: attained",
        note="with x = R_0(S), y = R_1(S): (p-1)/(p+1) - (x-y) = [(p y - x) + (p (1-x) - (1-y))]/(p+1); "
        f"{found.cases} random triples agree",
    )


@derived(
    "BEYOND.LemL1",
    where=f"{PROOF}, equations (1) and (2)",
    says="with any m <= R_k (k >= 2) at each step and history, P_b(w) = nu(w)/n times the sum over B of u_j (b = 0) or v_j (b = 1), w = "
    "(outputs, blanket steps and the special one, who drew the residuals), so D_E(w_0 || w_1) = (1/n) E_nu (sum of u_i - E v_i over B)_+",
    range="all n, E >= 0, adaptive randomizers with a common m, R_0 and R_1 absolutely continuous with respect to m",
    grounds=[
        "optimal-pair#reduction-to-one-sum",
        EXACT,
        SYMPY,
        Cited("the count: |B| - 1 users fill the other steps of B in any order", "known-facts#counting-the-users-of-a-view"),
    ],
    mutants={
        "identities of the residual steps drawn with replacement": {"with_replacement": True},
        "1/(n+1) for 1/n": {"one_more_user": True},
    },
    missing="the count of orders for more than five users, and distributions that are not finite",
)
def lemma_1(budget: Budget, *, with_replacement: bool = False, one_more_user: bool = False) -> Verdict:
    largest, counted = budget.pick(quick=3, full=4), budget.pick(quick=5, full=6)
    domain = f"all n and distributions by the count of orders, confirmed for every (B, identities, special step) with n <= {counted}"
    for n in range(1, counted + 1):
        if not coefficients_agree(users=n, with_replacement=with_replacement):
            return Verdict.refuted(f"n = {n}: a coefficient of equation (1) is not (|B| - 1)!/n!", domain=domain, cases=n)

    def holds(case: Case) -> bool:
        blankets = [larger_over_q] + ([least_of_all] if case.parameters.p == case.parameters.q else [])
        users = case.n + 1 if one_more_user else None
        return all(identity_holds(case, blanket, with_replacement=with_replacement, users=users) for blanket in blankets)

    searches = [
        sampled.for_all(general_cases(largest=largest, outputs=2), holds=holds, budget=budget, quick=15, full=60),
        sampled.for_all(private_cases(largest=largest, tight=False), holds=holds, budget=budget, quick=15, full=60),
    ]
    failing = next((search.counterexample for search in searches if search.counterexample is not None), None)
    cases = sum(search.cases for search in searches)
    if failing is not None:
        return Verdict.refuted(str(failing), domain=domain, cases=cases)
    # The product of 1/(n - 1 - t) over t < N is (n - 1 - N)!/(n - 1)!: by induction on N, since the quotient of neighbours is this.
    n, N = sympy.symbols("n N")
    quotient = sympy.gammasimp(sympy.gamma(n - 1 - N) / sympy.gamma(n - N) - 1 / (n - 1 - N))
    return Verdict.sampled(
        domain=domain,
        cases=cases + counted,
        slack="0: equality of distributions",
        note=f"P_b(w), equation (2) and w's push-forward agree exactly on {cases} random adaptive mechanisms, n <= {largest}, p infinite "
        "and q unlike p among them, for m = max(R_0, R_1)/q and, where steps are eps0-DP, m = the least of all distributions",
        against="the product of 1/(n-1-t)" if quotient != 0 else None,
    )
