"""LSZKG22, Algorithm 1: sensitivities, Laplace noise, the public grid, what it loses for every noise, and the trade-off in C."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import floor

import sympy

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Kind, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.lszkg22.instances import Counts, F, histograms, with_rational_norm
from shuffleproof.spec.protocols.user_histogram import Norm, clip, clipping_bias, expected_error_laplace, laplace_scale, sensitivity_squared
from shuffleproof.spec.protocols.user_histogram_grid import (
    clip_to_grid,
    discrete_laplace_error,
    discrete_laplace_mass,
    discrete_laplace_variance,
    grid_sensitivity_squared,
)
from shuffleproof.spec.vocabulary.scope import Relation

RELATIONS = (Relation.ADD_REMOVE, Relation.REPLACE_ONE)


def _distance_squared(x: tuple[Fraction, ...], y: tuple[Fraction, ...], p: Norm) -> Fraction:
    differences = [abs(a - b) for a, b in zip(x, y, strict=True)]
    return sum(differences, F(0)) ** 2 if p == 1 else sum((each**2 for each in differences), F(0))


def _pairs(relation: Relation, d: int, data: list[Counts]) -> Iterator[tuple[Counts, Counts]]:
    """The histogram of the user that changes, before and after; add-remove: with nothing in its place."""
    yield from product(data, data) if relation is Relation.REPLACE_ONE else ((h, (0,) * d) for h in data)


@derived(
    "LSZKG22.Alg1.sensitivity",
    says="sum of clip_p(h_i, C) changes by at most C (add-remove), or 2C in l1, sqrt(2) C in l2, C if d = 1 (replace-one); attained",
    range="d >= 1, C >= 0, all histograms; add-remove and replace-one",
    governs=["spec.protocols.user_histogram", "impl.ball.user_histogram"],
    grounds=[EXACT, SYMPY],
    mutants={"half of that distance": {"factor": F(1, 4)}},
)
def sensitivity(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """Largest squared distance over all pairs of contributions, which must be the stated one times factor."""
    a, b = sympy.symbols("a b", nonnegative=True)
    # with <a, b> >= 0 the squared distance of two vectors is at most the sum of their squares, in l2
    squares = symbolic.is_nonnegative(symbolic.rational(factor) * (a**2 + b**2) - (a - b) ** 2, at_least={a: 0, b: 0})
    most, decided = budget.pick(quick=3, full=4), 0
    for d, C, relation in product((1, 2, 3), (F(1), F(5, 2)), RELATIONS):
        for p in (1, 2):
            norm: Norm = 1 if p == 1 else 2
            small = 2 if d == 3 and budget.depth == "quick" else most
            data = list(histograms(d=d, most=max(small, 3 if d < 3 else 2)) if p == 1 else with_rational_norm(d=d, most=4))
            data += [tuple(3 * (i == j) for i in range(d)) for j in range(d)]
            kept = {h: clip(h, p=norm, C=C) for h in data}
            pairs = list(_pairs(relation, d, data))
            decided += len(pairs)
            worst, h, other = max((_distance_squared(kept[h], kept[g], norm), h, g) for h, g in pairs)
            stated = sensitivity_squared(p=norm, d=d, relation=relation, C=C) * factor
            if worst != stated:
                witness = f"{relation.value}, d = {d}, p = {p}, C = {C}, h = {h}, h' = {other}: squared distance {worst}, stated {stated}"
                return Verdict.refuted(witness, domain="small histograms", cases=decided)
    return Verdict.proved(
        domain="all d, C and histograms: add-remove, one clipped vector has norm at most C; replace-one, ||a - b||_1 <= ||a||_1 + ||b||_1, "
        "||a - b||_2^2 = ||a||_2^2 + ||b||_2^2 - 2<a, b> with <a, b> >= 0, and a, b in [0, C] for d = 1; equality exhausted for d <= 3",
        cases=decided,
        given=squares,
    )


def _laplace_ratio(*, ratio: Fraction, move: tuple[int, ...], window: int) -> Fraction:
    """The largest ratio of the joint masses of discrete Laplace noise and its shift, over a window of outcomes."""
    worst = F(0)
    for z in product(range(-window, window + 1), repeat=len(move)):
        here = there = F(1)
        for zj, step in zip(z, move, strict=True):
            here, there = here * discrete_laplace_mass(zj, ratio=ratio), there * discrete_laplace_mass(zj - step, ratio=ratio)
        worst = max(worst, here / there)
    return worst


@derived(
    "LSZKG22.Alg1.laplace",
    says="noise of scale S/eps per coordinate, S the l1 sensitivity, is eps-DP: the supremum of the likelihood ratio is e^(eps ||s||_1/S), "
    "in any dimension, for continuous and for discrete noise on integer sums",
    range="eps > 0, d >= 1, either relation",
    governs=["spec.protocols.user_histogram", "spec.protocols.user_histogram_grid", "impl.ball.gaussian"],
    grounds=["noise#integer-noise-with-finite-tails", EXACT],
    mutants={"the ratio is four times smaller": {"scale_factor": 2}},
    missing="the triangle inequality, for all d; likelihood ratios are enumerated",
)
def laplace(budget: Budget, *, scale_factor: int = 1) -> Verdict:
    """e^eps = 2, sensitivity S: p^S = 1/2 needs p = 2^(-1/S); with p = 1/2 per unit, e^eps = 2^S instead, exactly."""
    moves = [move for d in (1, 2) for move in product(range(-3, 4), repeat=d) if any(move)]
    found = exhaustive.for_all(
        moves, holds=lambda move: _laplace_ratio(ratio=F(1, 2), move=move, window=4) == F(2 ** sum(map(abs, move))) / scale_factor**2
    )
    return found.verdict(
        domain="all d and outcomes: |z_j - s_j| - |z_j| <= |s_j|, summed over j; the supremum exhausted for p = 1/2, d <= 2, |s_j| <= 3; "
        "continuous Laplace noise by the same inequality",
        witness=lambda move: f"p = 1/2, shift {move}: ratio {_laplace_ratio(ratio=F(1, 2), move=move, window=4)}",
    )


@derived(
    "LSZKG22.Alg1.corresponding-noise",
    where="Algorithm 1 and section 4: the corresponding amount of noise",
    kind=Kind.READING,
    says="a reading of the lost formula: Laplace noise of scale C/eps on l1 clipped histograms is eps-DP for replace-one neighbours",
    range="eps > 0, d >= 1, replace-one",
    governs=["spec.protocols.user_histogram"],
    mutants={"corrected statement with scale 3C/(2 eps)": {"factor": F(3, 2)}},
)
def corresponding_noise(budget: Budget, *, factor: Fraction = F(2)) -> Verdict:
    """Noise of scale factor C/eps under replace-one, d = 2: (C, 0) becomes (0, C). With p^C = e^(-eps/factor)."""
    reached = _laplace_ratio(ratio=F(1, 2), move=(1, -1), window=3)  # C = 1; scale factor C/eps means p = e^(-eps/factor) = 1/2
    allowed_power = {F(1): F(2), F(2): F(4), F(3, 2): None}[factor]  # e^eps = 2^factor
    within = reached <= allowed_power if allowed_power is not None else reached**2 <= F(8)
    return erratum(
        witness="C = 1, d = 2, e^eps = 2, p = e^-eps = 1/2: replacing (1, 0) by (0, 1) multiplies P(noise = (1, 0)) by 4 = e^(2 eps)",
        is_witness=reached > 2,
        corrected="scale 2C/eps under replace-one for d >= 2, C/eps for d = 1 or under add-remove (LSZKG22.Alg1.sensitivity)",
        counterexample=None if within else f"(1, 0) becomes (0, 1): ratio 4 > 2^{factor}",
        domain="d = 2, e^eps = 2",
        cases=1,
        note="the text at hand has lost Algorithm 1's scales: it says only that the corresponding amount of noise is added. Read as in the "
        "item-level literature, C/eps, it does not fit Definition 3.1",
    )


def _rounded(h: Counts, p: Norm, C: Fraction, unit: Fraction, rounding: str) -> tuple[Fraction, ...]:
    if rounding == "each towards zero":
        return tuple(map(F, clip_to_grid(h, p=p, C=C, unit=unit)))
    fine = unit / 64  # stands for the unrounded contribution
    kept = [k * fine / unit for k in clip_to_grid(h, p=p, C=C, unit=fine)]
    if rounding == "each to the nearest":
        return tuple(F(floor(x + F(1, 2))) for x in kept)
    others = F(63, 64)  # "sum": of this contribution and of what other users hold, rounded down
    return tuple(F(floor(x + others)) for x in kept)


def _between(h: Counts, x: int, k: int, p: Norm, C: Fraction, unit: Fraction) -> bool:
    """k units <= clip_p(h, C)_j < k + 1 units, exactly; squared for p = 2."""
    if p == 1:
        total = F(sum(h))
        return k * unit <= (x if total <= C else x * C / total) < (k + 1) * unit
    squared = F(sum(y * y for y in h))
    value = F(x * x) if squared <= C**2 else x * x * C**2 / squared
    return (k * unit) ** 2 <= value < ((k + 1) * unit) ** 2


@derived(
    "LSZKG22.Alg1.grid",
    says="clipped contributions rounded towards zero onto a public grid give integer sums of no larger sensitivity: in units floor(C/u) "
    "(l1) and sqrt(floor((C/u)^2)) (l2) (add-remove), 2 and sqrt(2) times these (replace-one, d >= 2), floor(C/u) (d = 1)",
    range="d >= 1, C >= 0, unit u > 0, either relation",
    governs=["spec.protocols.user_histogram_grid", "impl.ball.user_histogram"],
    grounds=["noise#integer-noise-with-finite-tails", EXACT, "LSZKG22.Alg1.sensitivity"],
    mutants={
        "the sum is rounded, not each contribution": {"rounding": "sum"},
        "contributions are rounded to the nearest": {"rounding": "each to the nearest"},
    },
    missing="rounding towards zero for all d and C",
)
def grid(budget: Budget, *, rounding: str = "each towards zero") -> Verdict:
    """Squared distances of rounded contributions (for "sum": of rounded sums with one more user) against the stated sensitivity."""
    decided = 0
    thresholds, units = (F(1), F(3, 2), F(2)), (F(1, 3), F(1, 2), F(1))
    for d, C, unit, relation in product((1, 2), thresholds, units, RELATIONS):
        data = list(histograms(d=d, most=budget.pick(quick=3, full=5)))
        for p in (1, 2):
            norm: Norm = 1 if p == 1 else 2
            stated = grid_sensitivity_squared(p=norm, d=d, relation=relation, C=C, unit=unit)
            assert stated == certified.grid_sensitivity_squared(p=norm, d=d, relation=relation, C=C, unit=unit)
            rounded = {h: _rounded(h, norm, C, unit, rounding) for h in data}
            for h, other in _pairs(relation, d, data):
                decided += 1
                worst = _distance_squared(rounded[h], rounded[other], norm)
                exact = rounding != "each towards zero" or all(
                    _between(h, x, k, norm, C, unit) for x, k in zip(h, clip_to_grid(h, p=norm, C=C, unit=unit), strict=True)
                )
                if worst > stated or not exact:
                    witness = f"{relation.value}, d = {d}, p = {p}, C = {C}, unit {unit}, {h} and {other}: {worst} > {stated} squared units"
                    return Verdict.refuted(witness, domain="small histograms", cases=decided)
    return Verdict.certified(
        domain="all d, C, units and histograms: rounding towards zero keeps a vector non-negative and in the ball, which is all that "
        "LSZKG22.Alg1.sensitivity uses, and integer vectors have integer l1 and squared l2 norms; exhausted for d <= 2, counts <= 3",
        cases=decided,
        note="the price: at most one unit per user and non-zero count is lost, always downwards",
    )


def closed_form(budget: Budget, *, error: sympy.Expr, density: sympy.Expr, b: sympy.Symbol, first: sympy.Expr, what: str) -> Verdict:
    """E|b + Z| for symmetric Z: value E|Z| and slope 0 at b = 0, second derivative twice the density; these determine it."""
    checks = (
        sympy.simplify(error.subs(b, 0) - first) == 0,
        sympy.simplify(sympy.diff(error, b).subs(b, 0)) == 0,
        sympy.simplify(sympy.diff(error, b, 2) - 2 * density) == 0,
    )
    if not all(checks):
        failed = ("value at 0", "slope at 0", "second derivative")[checks.index(False)]
        return Verdict.refuted(f"{failed} differs", domain="b >= 0", cases=3)
    return Verdict.certified(
        domain=f"b >= 0, {what}: d^2/db^2 E|b + Z| is twice the density at b, and value and slope agree at b = 0", cases=3
    )


@derived(
    "LSZKG22.Alg1.error-laplace",
    where="Section 3.2, loss; Lemma 4.1",
    says="E||hhat - h||_1 = sum over j of b_j + beta e^(-b_j/beta), b_j what clipping takes from count j, beta the noise's scale",
    range="C, eps > 0",
    governs=["spec.protocols.user_histogram", "impl.ball.user_histogram"],
    grounds=[SYMPY, "user-histograms#clipping-and-noise"],
    mutants={"e^(-2 b_j/beta)": {"power": 2}},
    missing="the integral of a tail, for all b; certified at points",
)
def laplace_error(budget: Budget, *, power: int = 1) -> Verdict:
    b, beta, z = sympy.symbols("b beta z", positive=True)
    density = sympy.exp(-b / beta) / (2 * beta)
    first = 2 * sympy.integrate(z * sympy.exp(-z / beta) / (2 * beta), (z, 0, sympy.oo))
    error = b + beta * sympy.exp(-power * b / beta)
    verdict = closed_form(budget, error=error, density=density, b=b, first=first, what="Laplace noise of scale beta")
    data = [(2, 0), (1, 3), (5, 5)]
    for C in (F(1), F(4)):
        taken, scale = clipping_bias(data, d=2, p=1, C=C), laplace_scale(d=2, relation=Relation.REPLACE_ONE, C=C, epsilon=F(1))
        found = certified.laplace_error(data, d=2, C=C, scale=scale)
        here = expected_error_laplace(taken, scale=scale)
        assert abs(float(found.mid()) - float(here)) < 1e-12
    return verdict


@derived(
    "LSZKG22.Alg1.error-gaussian",
    where="Section 3.2, loss; Theorem 4.2",
    says="E||hhat - h||_1 = sum over j of sigma sqrt(2/pi) e^(-b_j^2/(2 sigma^2)) + b_j erf(b_j/(sigma sqrt 2))",
    range="C, eps, delta > 0",
    governs=["spec.protocols.user_histogram", "impl.ball.user_histogram"],
    grounds=[SYMPY, "user-histograms#clipping-and-noise"],
    mutants={"e^(-b_j^2/(4 sigma^2))": {"width": 4}},
    missing="the integral of a tail, for all b; certified at points",
)
def gaussian_error(budget: Budget, *, width: int = 2) -> Verdict:
    b, s = sympy.symbols("b sigma", positive=True)
    density = sympy.exp(-(b**2) / (2 * s**2)) / (s * sympy.sqrt(2 * sympy.pi))
    error = s * sympy.sqrt(2 / sympy.pi) * sympy.exp(-(b**2) / (width * s**2)) + b * sympy.erf(b / (s * sympy.sqrt(2)))
    return closed_form(budget, error=error, density=density, b=b, first=s * sympy.sqrt(2 / sympy.pi), what="Gaussian noise")


@derived(
    "LSZKG22.Alg1.error-discrete-laplace",
    says="for discrete Laplace Z with ratio p: E|b + Z| = |b| + 2 p^(|b| + 1)/(1 - p^2), Var Z = 2p/(1 - p)^2",
    range="integer b, 0 < p < 1",
    governs=["spec.protocols.user_histogram_grid"],
    grounds=[SYMPY, EXACT, "user-histograms#clipping-and-noise"],
    mutants={"p^(|b| + 2) for p^(|b| + 1)": {"extra": 2}},
    missing="the sum of a tail, for all b; certified at points",
)
def discrete_error(budget: Budget, *, extra: int = 1) -> Verdict:
    """The same three facts in differences: E|b + 1 + Z| - 2 E|b + Z| + E|b - 1 + Z| = 2 P(Z = b), and the moments by their series."""
    b, p = sympy.symbols("b p", positive=True)
    error = b + 2 * p ** (b + extra) / (1 - p**2)
    second = error.subs(b, b + 1) - 2 * error + error.subs(b, b - 1)
    whole = sympy.simplify(second / p**b - 2 * (1 - p) / (1 + p)) == 0
    at_zero = sympy.simplify(error.subs(b, 1) - error.subs(b, 0) - (1 - p) / (1 + p)) == 0  # slope above 0: P(Z = 0)
    for ratio in (F(1, 2), F(2, 3)):
        partial = sum((z * z * discrete_laplace_mass(z, ratio=ratio) for z in range(-200, 201)), F(0))
        absolute = sum((abs(2 + z) * discrete_laplace_mass(z, ratio=ratio) for z in range(-200, 201)), F(0))
        assert abs(partial - discrete_laplace_variance(ratio=ratio)) < F(1, 10**20)
        assert abs(absolute - discrete_laplace_error(2, ratio=ratio)) < F(1, 10**20)
    if not (whole and at_zero):
        return Verdict.refuted("the second difference is not 2 P(Z = b)", domain="b >= 1", cases=2)
    return Verdict.certified(
        domain="integer b >= 0, 0 < p < 1: the second difference is 2 P(Z = b), the first at 0 is P(Z = 0), E|b + Z| - b -> 0", cases=2
    )


@statement(
    "LSZKG22.Sec4.trade-off",
    where="Section 4, after Algorithm 1",
    says="small C: little noise, much bias; large C: little bias, much noise. Every b_j is non-increasing in C, the noise increases",
    range="C >= 0",
    governs=["spec.protocols.user_histogram"],
    grounds=[EXACT, "user-histograms#clipping-and-noise"],
    mutants={"the bias grows with C": {"reverse": True}},
    missing="datasets beyond the enumerated ones",
)
def trade_off(budget: Budget, *, reverse: bool = False) -> Verdict:
    """b_j falls and the noise grows with C; the sum of b_j is sum of w_i (m_i - C)_+."""
    data = list(histograms(d=2, most=3))
    steps = [F(k, 2) for k in range(9)]
    cases = [((g, h), C, D) for g, h in product(data[::3], data) for C, D in pairwise(steps)]

    def holds(users: tuple[Counts, Counts], C: Fraction, D: Fraction) -> bool:
        at_C, at_D = (clipping_bias(users, d=2, p=1, C=each) for each in (C, D))
        noisier = laplace_scale(d=2, relation=Relation.REPLACE_ONE, C=D, epsilon=F(1)) > laplace_scale(
            d=2, relation=Relation.REPLACE_ONE, C=C, epsilon=F(1)
        )
        falls = all(x >= y for x, y in zip(at_C, at_D, strict=True))
        return noisier and (falls if not reverse else all(x <= y for x, y in zip(at_C, at_D, strict=True)))

    return exhaustive.for_all(cases, holds=holds).verdict(domain="two users, d = 2, counts <= 3, C = 0, 1/2, ..., 4")
