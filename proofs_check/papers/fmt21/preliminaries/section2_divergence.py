"""FMT21, section 2: properties of the hockey-stick divergence, subsampling, and advanced joint convexity."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import SYMPY, Budget, Coq, Kind, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import positive_parts, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.proofs_check.ledger.methods.search import Search
from shuffleproof.spec.distribution import Distribution, bernoulli, hockey_stick, mixture

_IntegerDistribution = Distribution[int]
_orders = st.fractions(min_value=1, max_value=6, max_denominator=4)
_weights = st.fractions(min_value=0, max_value=1, max_denominator=6)
_three = distributions(outputs=3)


def _for_all_distributions(found: Search[Any], steps: Sequence[bool], *, domain: str, witness: Callable[[Any], str]) -> Verdict:
    """Proved outcome by outcome by these steps, and tried on random distributions through spec's own divergence."""
    refuted = found.verdict(domain=domain, witness=witness)
    if not found.holds:
        return refuted
    if not all(steps):
        return Verdict.refuted("the positive parts do not add up, outcome by outcome", domain=domain, cases=len(steps))
    note = f"beside the proof, spec.distribution agrees on {found.cases} random cases"
    return Verdict.proved(domain=domain, cases=len(steps), slack=refuted.slack, note=note)


@derived(
    "FMT21.Sec2.subadditivity",
    where="Section 2, behind its remarks on divergences",
    says="[a + b]_+ <= [a]_+ + [b]_+ for all reals: so where x = w_1 x_1 + ... + w_m x_m with weights w_i >= 0, [x]_+ <= w_1 [x_1]_+ + "
    "... + w_m [x_m]_+",
    range="all reals a, b; all m",
    grounds=[SYMPY, Coq("subadditivity", states="e0a6aadc5231f767")],
    mutants={"[a + b]_+ <= [a]_+ + [b]_+/2": {"second": Fraction(1, 2)}, "[a + b]_+ <= 0.9 [a]_+ + [b]_+": {"first": Fraction(9, 10)}},
)
def subadditivity(budget: Budget, *, first: Fraction = Fraction(1), second: Fraction = Fraction(1)) -> Verdict:
    """Distinguish the signs of a and b: with u = |a|, v = |b|, the right side is at least 0 and at least a + b."""
    u, v = sympy.symbols("u v", nonnegative=True)
    steps = []
    for a_sign, b_sign in product((1, -1), repeat=2):
        right = sympy.Rational(first) * (u if a_sign > 0 else 0) + sympy.Rational(second) * (v if b_sign > 0 else 0)
        for least in (sympy.S.Zero, a_sign * u + b_sign * v):
            steps.append(symbolic.is_nonnegative(right - least + 0 * u, at_least={u: 0, v: 0}))
    if not all(steps):
        return Verdict.refuted("a case of signs fails", domain="all reals", cases=len(steps))
    note = "for more terms by induction: x_1 + ... + x_m is (x_1 + ... + x_(m-1)) + x_m; weights by homogeneity, [w x]_+ = w [x]_+"
    return Verdict.proved(domain="all reals, in four cases of signs", cases=len(steps), slack="0", note=note)


@statement(
    "FMT21.Sec2.remark-post-processing",
    says="hockey-stick divergences do not increase under (randomized) post-processing",
    range="all P, Q, kernels, eps >= 0",
    governs=["spec.distribution"],
    grounds=["FMT21.Sec2.subadditivity", SYMPY],
    weaker={"smallest": "larger"},
    mutants={
        "post-processing always loses a tenth of the divergence": {"factor": Fraction(9, 10)},
        "kernels with negative entries": {"smallest": -1},
    },
)
def post_processing(budget: Budget, *, factor: Fraction = Fraction(1), smallest: int = 0) -> Verdict:
    """K(P)(z) - E K(Q)(z) is the sum over y of K(y, z) (P(y) - E Q(y)); summed over z, every y has the weight 1 in all."""
    E, p, q, rest, k = sympy.symbols("E P_y Q_y rest K")
    one_more = (rest + k * p) - E * (k * q)  # rest: what the outcomes before y add to K(P)(z) - E K(Q)(z)
    steps = [
        positive_parts.is_combination(one_more, [(1, rest), (k, p - E * q)], between={k: (smallest, 1)}),
        symbolic.are_identical(sympy.Rational(factor) * (k + (1 - k)), sympy.S.One),  # sum over z of K(y, z), all but one z together
    ]

    def slack(p: _IntegerDistribution, q: _IntegerDistribution, kernel: list[_IntegerDistribution], order: Fraction) -> Fraction:
        after = hockey_stick(p.then(kernel.__getitem__), q.then(kernel.__getitem__), exp_epsilon=order)
        return factor * hockey_stick(p, q, exp_epsilon=order) - after

    reversible = st.just([Distribution.point(y) for y in (1, 2, 0)])
    cases = st.tuples(_three, _three, reversible | st.lists(_three, min_size=3, max_size=3), _orders)
    return _for_all_distributions(
        sampled.least_slack(cases, slack=slack, budget=budget, quick=150, full=800),
        steps,
        domain="all finite distributions, kernels and orders e^eps >= 0",
        witness=lambda c: f"P = {c[0]}, Q = {c[1]}, kernel {c[2]}, order {c[3]}: post-processing gives more than {factor} D(P || Q)",
    )


@statement(
    "FMT21.Sec2.remark-convexity",
    says="hockey-stick divergences are jointly convex in (P, Q)",
    range="all P_0, P_1, Q_0, Q_1, weights in [0, 1], eps >= 0",
    governs=["spec.distribution"],
    grounds=["FMT21.Sec2.subadditivity", SYMPY],
    mutants={"jointly concave": {"sign": -1}},
)
def convexity(budget: Budget, *, sign: int = 1) -> Verdict:
    w, E, p0, p1, q0, q1 = sympy.symbols("w E P0 P1 Q0 Q1")
    mixed_term = (1 - w) * p0 + w * p1 - E * ((1 - w) * q0 + w * q1)
    parts = [(sign * (1 - w), p0 - E * q0), (sign * w, p1 - E * q1)]
    steps = [positive_parts.is_combination(mixed_term, parts, between={w: (0, 1)})]

    def slack(
        p0: _IntegerDistribution,
        p1: _IntegerDistribution,
        q0: _IntegerDistribution,
        q1: _IntegerDistribution,
        weight: Fraction,
        order: Fraction,
    ) -> Fraction:
        mixed = hockey_stick(mixture([(1 - weight, p0), (weight, p1)]), mixture([(1 - weight, q0), (weight, q1)]), exp_epsilon=order)
        apart = (1 - weight) * hockey_stick(p0, q0, exp_epsilon=order) + weight * hockey_stick(p1, q1, exp_epsilon=order)
        return sign * (apart - mixed)

    cases = st.tuples(_three, _three, _three, _three, _weights, _orders)
    return _for_all_distributions(
        sampled.least_slack(cases, slack=slack, budget=budget, quick=150, full=800),
        steps,
        domain="all finite distributions, weights and orders e^eps >= 0",
        witness=lambda c: f"P_0 = {c[0]}, P_1 = {c[1]}, Q_0 = {c[2]}, Q_1 = {c[3]}, weight {c[4]}, order {c[5]}",
    )


Data = tuple[Any, ...]
Mechanism = Mapping[Data, _IntegerDistribution]


def _worst(mechanism: Mechanism, neighbours: Callable[[Data, Data], bool], order: Fraction) -> Fraction:
    close = ((x, y) for x, y in product(mechanism, repeat=2) if neighbours(x, y))
    return max((hockey_stick(mechanism[x], mechanism[y], exp_epsilon=order) for x, y in close), default=Fraction(0))


def _subsampled(mechanism: Mechanism, data: Data, m: int) -> _IntegerDistribution:
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
    mechanism = {data: draw(distributions(outputs=2)) for data in combinations_with_replacement((0, 1, 2), m)}
    return n, m, mechanism, draw(_orders)


@statement(
    "FMT21.Sec2.remark-subsampling",
    where="Section 2, before Lemma 2.3",
    kind=Kind.READING,
    says="A is (eps, delta)-DP on D^m: A on a uniform m-subset of n > m elements is (ln(1 + (m/n)(e^eps - 1)), (m/n) delta)-DP",
    range="all A on D^m, n > m >= 1, replace-one neighbours: a reading in which A sees the order of its subset",
    governs=["spec.distribution"],
    mutants={"corrected statement with (m/n)^2 delta": {"exponent": 2}},
)
def subsampling(budget: Budget, *, exponent: int = 1) -> Verdict:
    """The order-sensitive witness; then symmetric mechanisms, at order 1 + (m/n)(e^eps - 1) against (m/n)^exponent delta."""
    T, r = Fraction(2), Fraction(1, 8)
    ordered = {(a, b): bernoulli(r * T ** ((a == "x") + (b == "u"))) for a, b in product(("x", "x'", "u", "v"), repeat=2)}
    is_private = _worst(ordered, _one_place, T) == 0
    excess = hockey_stick(
        _subsampled(ordered, ("x", "u", "v"), 2), _subsampled(ordered, ("x'", "u", "v"), 2), exp_epsilon=1 + Fraction(2, 3) * (T - 1)
    )

    def slack(n: int, m: int, mechanism: Mechanism, order: Fraction) -> Fraction:
        sampled_from = {data: _subsampled(mechanism, data, m) for data in combinations_with_replacement((0, 1, 2), n)}
        allowed = Fraction(m, n) ** exponent * _worst(mechanism, _one_element, order)
        return allowed - _worst(sampled_from, _one_element, 1 + Fraction(m, n) * (order - 1))

    found = sampled.least_slack(_symmetric_case(), slack=slack, budget=budget, quick=60, full=600)
    return erratum(
        witness="A on two ordered entries = Bern(2^([a = x] + [b = u])/8) is ln 2-DP; on X = (x, u, v), X' = (x', u, v), with 2 of 3 in "
        f"their order, the divergence at e^eps' = 1 + (2/3)(2 - 1) is {excess}, not 0",
        is_witness=is_private and excess > 0,
        corrected="true for A that does not depend on the order of its entries (or gets its subset in random order)",
        beside=found.verdict(
            domain="one exact order-sensitive A; random symmetric A with m <= 2, n <= 4, all datasets over three values, any delta"
        ),
        cases=found.cases + 1,
    )


@statement(
    "FMT21.Lem2.3",
    says="P = (1-q) P_0 + q P_1, Q = (1-q) P_0 + q Q_1, alpha' = 1 + q (alpha - 1), theta = alpha'/alpha: D_alpha'(P || Q) = "
    "q D_alpha(P_1 || (1-theta) P_0 + theta Q_1) <= q max(D_alpha(P_1 || P_0), D_alpha(P_1 || Q_1))",
    range="q in [0, 1], alpha >= 1, all distributions",
    governs=["spec.distribution"],
    grounds=["FMT21.Sec2.subadditivity", SYMPY],
    mutants={
        "theta = alpha'": {"theta": lambda alpha, beta: beta},
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
    """beta = alpha'. Pointwise P - beta Q = q (P_1 - alpha ((1 - theta) P_0 + theta Q_1)), and the second distribution is a mixture."""
    q, alpha, p0, p1, q1 = sympy.symbols("q alpha P0 P1 Q1")
    beta = 1 + q * (alpha - 1)
    t = theta(alpha, beta)
    left = ((1 - q) * p0 + q * p1) - beta * ((1 - q) * p0 + q * q1)
    mixture_term = p1 - alpha * ((1 - t) * p0 + t * q1)
    ranges: dict[str, Any] = {"at_least": {alpha: 1}, "between": {q: (0, 1)}}
    steps = [
        symbolic.are_identical(left, q * mixture_term),
        positive_parts.is_combination(mixture_term, [(1 - t, p1 - alpha * p0), (t, p1 - alpha * q1)], **ranges),
    ]

    def slack(a0: _IntegerDistribution, a1: _IntegerDistribution, b1: _IntegerDistribution, weight: Fraction, order: Fraction) -> Fraction:
        mixed = hockey_stick(
            mixture([(1 - weight, a0), (weight, a1)]), mixture([(1 - weight, a0), (weight, b1)]), exp_epsilon=1 + weight * (order - 1)
        )
        return weight * outer(hockey_stick(a1, a0, exp_epsilon=order), hockey_stick(a1, b1, exp_epsilon=order)) - mixed

    found = sampled.least_slack(st.tuples(_three, _three, _three, _weights, _orders), slack=slack, budget=budget, quick=150, full=800)
    return _for_all_distributions(
        found,
        steps,
        domain="all q in [0, 1], alpha >= 1, P_0, P_1, Q_1; max is at least the mean with weights 1 - theta, theta",
        witness=lambda c: f"P_0 = {c[0]}, P_1 = {c[1]}, Q_1 = {c[2]}, q = {c[3]}, e^eps = {c[4]}: the inequality fails",
    )
