"""FMT21, section 2: properties of the hockey-stick divergence, subsampling, and advanced joint convexity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, Argument, Budget, Kind, Status, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import laws
from shuffleproof.proofs_check.ledger.methods.search import Search
from shuffleproof.spec.distribution import Distribution, bernoulli, mixture
from shuffleproof.spec.divergence import hockey_stick

_Law = Distribution[int]
_RAYS = [(Fraction(a), Fraction(b)) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))]
_orders = st.fractions(min_value=1, max_value=6, max_denominator=4)
_weights = st.fractions(min_value=0, max_value=1, max_denominator=6)
_three = laws(outputs=3)


def _subadditivity() -> Search[tuple[Fraction, Fraction]]:
    zero = Fraction(0)
    return exhaustive.least_slack(_RAYS, slack=lambda ray: max(zero, ray[0]) + max(zero, ray[1]) - max(zero, ray[0] + ray[1]))


def _pointwise_proof(found: Search[Any], *, domain: str, witness: Callable[[Any], str], identities: int = 0) -> Verdict:
    """Proved for all laws by subadditivity of the positive part, and tried on random laws through spec's own divergence.

    identities: how many identities were decided before, for the count of cases; random cases do not count as part of a proof.
    """
    pointwise = _subadditivity()
    if pointwise.counterexample is not None:
        raise AssertionError(f"the positive part is not subadditive at {pointwise.counterexample}")
    verdict = found.verdict(
        domain=domain,
        witness=witness,
        note=f"beside the proof, spec.divergence agrees on {found.cases} random cases",
    )
    return replace(verdict, cases=pointwise.cases + identities) if found.holds else verdict


@statement(
    "FMT21.Sec2.remark-post-processing",
    where="Section 2",
    provenance="text",
    says="hockey-stick divergences do not increase under (randomized) post-processing",
    range="all P, Q, kernels, eps >= 0",
    governs=["spec.divergence", "spec.distribution"],
    grounds=[Argument("arguments#subadditivity-of-the-positive-part"), EXACT],
    mutants={
        "post-processing always loses a tenth of the divergence": {"factor": Fraction(9, 10)},
    },
)
def post_processing(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    def slack(case: tuple[_Law, _Law, list[_Law], Fraction]) -> Fraction:
        p, q, kernel, order = case
        after = hockey_stick(p.then(kernel.__getitem__), q.then(kernel.__getitem__), exp_epsilon=order)
        return factor * hockey_stick(p, q, exp_epsilon=order) - after

    reversible = st.just([Distribution.point(y) for y in (1, 2, 0)])
    cases = st.tuples(_three, _three, reversible | st.lists(_three, min_size=3, max_size=3), _orders)
    return _pointwise_proof(
        sampled.least_slack(cases, slack=slack, budget=budget, quick=150, full=800),
        domain="all finite laws, kernels and orders e^eps >= 0",
        witness=lambda c: f"P = {c[0]}, Q = {c[1]}, kernel {c[2]}, order {c[3]}: post-processing gives more than {factor} D(P || Q)",
    )


@statement(
    "FMT21.Sec2.remark-convexity",
    where="Section 2",
    provenance="text",
    says="hockey-stick divergences are jointly convex in (P, Q)",
    range="all P_0, P_1, Q_0, Q_1, weights in [0, 1], eps >= 0",
    governs=["spec.divergence", "spec.distribution"],
    grounds=[Argument("arguments#subadditivity-of-the-positive-part"), EXACT],
    mutants={
        "jointly concave": {"sign": -1},
    },
)
def convexity(budget: Budget, *, sign: int = 1) -> Verdict:
    def slack(case: tuple[_Law, _Law, _Law, _Law, Fraction, Fraction]) -> Fraction:
        p0, p1, q0, q1, weight, order = case
        mixed = hockey_stick(mixture([(1 - weight, p0), (weight, p1)]), mixture([(1 - weight, q0), (weight, q1)]), exp_epsilon=order)
        apart = (1 - weight) * hockey_stick(p0, q0, exp_epsilon=order) + weight * hockey_stick(p1, q1, exp_epsilon=order)
        return sign * (apart - mixed)

    cases = st.tuples(_three, _three, _three, _three, _weights, _orders)
    return _pointwise_proof(
        sampled.least_slack(cases, slack=slack, budget=budget, quick=150, full=800),
        domain="all finite laws, weights and orders e^eps >= 0",
        witness=lambda c: f"P_0 = {c[0]}, P_1 = {c[1]}, Q_0 = {c[2]}, Q_1 = {c[3]}, weight {c[4]}, order {c[5]}",
    )


Data = tuple[Any, ...]
Mechanism = Mapping[Data, _Law]


def _worst(mechanism: Mechanism, neighbours: Callable[[Data, Data], bool], order: Fraction) -> Fraction:
    close = ((x, y) for x, y in product(mechanism, repeat=2) if neighbours(x, y))
    return max((hockey_stick(mechanism[x], mechanism[y], exp_epsilon=order) for x, y in close), default=Fraction(0))


def _subsampled(mechanism: Mechanism, data: Data, m: int) -> _Law:
    """A'(X): run A on a uniform m-subset of X, in X's order."""
    subsets = list(combinations(range(len(data)), m))
    return mixture([(Fraction(1, len(subsets)), mechanism[tuple(data[i] for i in subset)]) for subset in subsets])


def _one_place(x: Data, y: Data) -> bool:
    changed: int = sum(a != b for a, b in zip(x, y, strict=True))
    return changed == 1


def _one_element(x: Data, y: Data) -> bool:
    shared = sum(min(x.count(a), y.count(a)) for a in set(x))
    return len(x) == shared + 1


@st.composite
def _symmetric_case(draw: st.DrawFn) -> tuple[int, int, Mechanism, Fraction]:
    m = draw(st.integers(1, 2))
    n = draw(st.integers(m + 1, 4))
    mechanism = {data: draw(laws(outputs=2)) for data in combinations_with_replacement((0, 1, 2), m)}
    return n, m, mechanism, draw(_orders)


@statement(
    "FMT21.Sec2.remark-subsampling",
    where="Section 2, before Lemma 2.3",
    provenance="text",
    kind=Kind.FALSE,
    says="A is (eps, delta)-DP on D^m: A on a uniform m-subset of n > m elements is (ln(1 + (m/n)(e^eps - 1)), (m/n) delta)-DP",
    range="all A on D^m, n > m >= 1, replace-one neighbours",
    governs=["spec.divergence"],
    grounds=[EXACT],
    mutants={
        "corrected statement with (m/n)^2 delta": {"exponent": 2},
    },
)
def subsampling(budget: Budget, *, exponent: int = 1) -> Verdict:
    """The order-sensitive witness; then symmetric mechanisms, at order 1 + (m/n)(e^eps - 1) against (m/n)^exponent delta."""
    T, r = Fraction(2), Fraction(1, 8)
    ordered = {(a, b): bernoulli(r * T ** ((a == "x") + (b == "u"))) for a, b in product(("x", "x'", "u", "v"), repeat=2)}
    is_private = _worst(ordered, _one_place, T) == 0
    excess = hockey_stick(
        _subsampled(ordered, ("x", "u", "v"), 2), _subsampled(ordered, ("x'", "u", "v"), 2), exp_epsilon=1 + Fraction(2, 3) * (T - 1)
    )

    def slack(case: tuple[int, int, Mechanism, Fraction]) -> Fraction:
        n, m, mechanism, order = case
        sampled_from = {data: _subsampled(mechanism, data, m) for data in combinations_with_replacement((0, 1, 2), n)}
        allowed = Fraction(m, n) ** exponent * _worst(mechanism, _one_element, order)
        return allowed - _worst(sampled_from, _one_element, 1 + Fraction(m, n) * (order - 1))

    found = sampled.least_slack(_symmetric_case(), slack=slack, budget=budget, quick=60, full=600)
    against = found.counterexample
    return erratum(
        witness="A on two ordered entries = Bern(2^([a = x] + [b = u])/8) is ln 2-DP; on X = (x, u, v), X' = (x', u, v), with 2 of 3 in "
        f"their order, the divergence at e^eps' = 1 + (2/3)(2 - 1) is {excess}, not 0",
        is_witness=is_private and excess > 0,
        corrected="true for A that does not depend on the order of its entries (or gets its subset in random order)",
        counterexample=None if against is None else f"n, m = {against[:2]}, A = {dict(against[2])}, e^eps = {against[3]}",
        domain="one exact order-sensitive A; random symmetric A with m <= 2, n <= 4, all datasets over three values, any delta",
        cases=found.cases + 1,
    )


@statement(
    "FMT21.Lem2.3",
    where="Lemma 2.3",
    provenance="text",
    says="P = (1-q) P_0 + q P_1, Q = (1-q) P_0 + q Q_1, alpha' = 1 + q (alpha - 1), theta = alpha'/alpha: D_alpha'(P || Q) = "
    "q D_alpha(P_1 || (1-theta) P_0 + theta Q_1) <= q max(D_alpha(P_1 || P_0), D_alpha(P_1 || Q_1))",
    range="q in [0, 1], alpha >= 1, all distributions",
    governs=["spec.divergence"],
    grounds=[Argument("arguments#subadditivity-of-the-positive-part"), EXACT],
    mutants={
        "theta = alpha/alpha'": {"theta": lambda alpha, beta: alpha / beta},
        "min instead of max in the consequence": {"outer": min},
    },
)
def advanced_joint_convexity(
    budget: Budget,
    *,
    theta: Callable[[Any, Any], Any] = lambda alpha, beta: beta / alpha,
    outer: Callable[[Fraction, Fraction], Fraction] = max,
) -> Verdict:
    """beta = alpha'. Pointwise P - beta Q = q (P_1 - alpha ((1 - theta) P_0 + theta Q_1)); positive parts and sums give the lemma."""
    q, alpha, p0, p1, q1 = sympy.symbols("q alpha P0 P1 Q1")
    beta = 1 + q * (alpha - 1)
    t = theta(alpha, beta)
    left = ((1 - q) * p0 + q * p1) - beta * ((1 - q) * p0 + q * q1)
    right = q * (p1 - alpha * ((1 - t) * p0 + t * q1))
    identity = symbolic.are_identical(left, right)
    ranges = {"at_least": {alpha: 1}, "between": {q: (0, 1)}}
    in_range = symbolic.is_nonnegative(t, **ranges) and symbolic.is_nonnegative(1 - t, **ranges)  # type: ignore[arg-type]
    domain = "all q in [0, 1], alpha >= 1, P_0, P_1, Q_1"
    if not (identity and in_range):
        witness = "the two integrands differ as rational functions of q, alpha, P_0, P_1, Q_1, or theta leaves [0, 1]"
        return Verdict(status=Status.REFUTED, domain=domain, cases=3, witness=witness)

    def slack(case: tuple[_Law, _Law, _Law, Fraction, Fraction]) -> Fraction:
        a0, a1, b1, weight, order = case
        mixed = hockey_stick(
            mixture([(1 - weight, a0), (weight, a1)]), mixture([(1 - weight, a0), (weight, b1)]), exp_epsilon=1 + weight * (order - 1)
        )
        return weight * outer(hockey_stick(a1, a0, exp_epsilon=order), hockey_stick(a1, b1, exp_epsilon=order)) - mixed

    found = sampled.least_slack(st.tuples(_three, _three, _three, _weights, _orders), slack=slack, budget=budget, quick=150, full=800)
    return _pointwise_proof(
        found,
        domain=domain,
        witness=lambda c: f"P_0 = {c[0]}, P_1 = {c[1]}, Q_1 = {c[2]}, q = {c[3]}, e^eps = {c[4]}: the inequality fails",
        identities=3,
    )
