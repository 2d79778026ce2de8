"""LSZKG22, Algorithm 1: sensitivities, Laplace noise, the public grid, and the error for either noise."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import floor

import sympy

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Kind, Verdict, derived, erratum
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.lszkg22.instances import Counts, F, histograms, with_rational_norm
from shuffleproof.spec.protocols.user_histogram import Norm, clip, sensitivity_squared
from shuffleproof.spec.protocols.user_histogram_grid import clip_to_grid, discrete_laplace_mass, grid_sensitivity_squared
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
    ratio = F(1, 2)
    reached = _laplace_ratio(ratio=ratio, move=(1, -1), window=3)  # C = 1; scale factor C/eps means p = e^(-eps/factor) = 1/2
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
