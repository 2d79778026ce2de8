"""Three inputs of Laplace noise: the losses of the random swap, on three curves."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS, Cell
from shuffleproof.impl.fast.bounds.swap.laplace_places import LaplaceLosses
from shuffleproof.impl.fast.bounds.swap.laplace_rows import Ratios
from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive

_FINER = 2  # times as many cells as the engine has: a grid of another width
_TRIPLES = ((0, 64, 3), (3, 64, 0), (64, 5, 0), (10, 40, 50), (60, 20, 64), (30, 10, 20), (1, 63, 0), (0, 1, 64), (20, 20, 30), (64, 0, 64))
"""Inputs in 64ths: ends, middles, and neighbours, in several orders."""


def _masses_of_noise(epsilon0: float, x: float) -> Any:
    """R_x of y <= 0, of cells of [0, 1] and of y >= 1, x one of their ends."""
    y = np.arange(_FINER * POINTS + 1) / (_FINER * POINTS)
    below = np.where(y <= x, np.exp(-epsilon0 * np.abs(y - x)) / 2, 1 - np.exp(-epsilon0 * np.abs(y - x)) / 2)
    return np.concatenate([below[:1], np.diff(below), 1 - below[-1:]])


def in_64ths(first: int, second: int, other: int) -> tuple[str, Fraction]:
    """The curve of three inputs, two of them apart at least, and s there: scaled so that they reach from 0 to 1, and reflected."""
    low, high = min(first, second, other), max(first, second, other)
    first_at, second_at, other_at = (Fraction(x - low, high - low) for x in (first, second, other))
    if {first_at, second_at} == {0, 1}:
        return "between", other_at if first_at == 0 else 1 - other_at
    if {first_at, other_at} == {0, 1}:
        return "second", second_at if other_at == 0 else 1 - second_at
    return "first", first_at if other_at == 0 else 1 - first_at


def _mirrored(first: int, second: int, other: int) -> tuple[str, Fraction]:
    """Mutant: the other way round."""
    curve, s = in_64ths(first, second, other)
    return curve, 1 - s


class _Whole(LaplaceLosses):
    """Mutant: R_s is a mixture of R_a and R_b alone."""

    def kept(self, cell: Cell) -> float:
        return 1.0


class _Mean(LaplaceLosses):
    """Mutant: reports in the cell of s have the mean u and v of R_a or R_b."""

    def inside(self, a: float, b: float, *, whole: bool) -> Ratios:
        known = super().inside(a, b, whole=whole)
        return Ratios(known.mass, *[known.u] * 3, *[known.v] * 3)


def _weights(epsilon0: float, cell: Cell, s: float) -> list[float]:
    """The shares of the cell's distributions in the mixture that is above that of s, by steps 4 and 5 of the argument."""
    if cell.low == cell.high:
        return [1.0]
    low, high = (epsilon0 * (x - s) / POINTS for x in (cell.low, cell.high))
    alpha, beta = math.sinh(high) / math.sinh(high - low), math.sinh(-low) / math.sinh(high - low)
    first, most = alpha / (alpha + beta), 1 - 1 / math.cosh((high - low) / 2)
    if cell.curve == "between":
        return [first, 1 - first]
    taken = min(1.0, (1 - alpha - beta) / most)
    return [first * (1 - taken), first * taken, (1 - first) * (1 - taken), (1 - first) * taken]


def worth(atoms: Atoms, t: float) -> float:
    """E(L - t)_+, 0 having what is left."""
    mass, at, _ = atoms
    return float((mass * np.maximum(at - t, 0.0)).sum()) + max(0.0, 1 - float(mass.sum())) * max(-t, 0.0)


def _triple_fails(known: LaplaceLosses, triple: tuple[int, int, int], E: float, curve: Callable[..., tuple[str, Fraction]]) -> str:
    """A threshold at which the distribution of L for inputs in 64ths is above that of its point of a curve, or of the cell; or nothing.

    Its own E(L - t)_+ is summed over merged cells, which is a lower side.
    """
    first, second, other = (_masses_of_noise(known.epsilon0, x / 64) for x in triple)
    name, s = curve(*triple)
    at = float(s * POINTS)
    around = [cell for cell in known.cells if cell.curve == name and cell.low <= at <= cell.high]
    near = math.floor(at / 2) * 2
    exact = [Cell(name, near, near)] if at == near else []
    laws_of_losses = [(cell, known.distributions_of(cell, E), _weights(known.epsilon0, cell, at)) for cell in around + exact]
    top = float(((first - E * second) / other).max())
    for t in (*np.linspace(-E * math.exp(known.epsilon0), 0.0, 9), *np.linspace(0.05, 0.98, 8) * max(top, 0.1)):
        own = float(np.maximum(first - E * second - t * other, 0.0).sum())
        for cell, laws, weights in laws_of_losses:
            if own > sum(w * worth(atoms, float(t)) for w, atoms in zip(weights, laws, strict=True)) + 1e-11:
                return f"threshold {t:.4f}, {cell}"
    return "" if around else "no cell"


@derived(
    "BEYOND.any-law-laplace-triples",
    says="of Laplace noise on [0, 1], for all x_0, x_1 and x_2, the distribution of L = (R_(x_0) - E R_(x_1))/R_(x_2) is at most, in the "
    "convex order, that of the triple stretched to reach from 0 to 1, which up to reflection is (0, 1, s), (s, 1, 0) or (1, "
    "s, 0); and a mixture of the cells' distributions of the float64 engine is above that of each of their s",
    range="all inputs, eps0 > 0, E >= 1 and t",
    governs=["impl.fast.bounds.swap.laplace_places", "impl.fast.bounds.swap.laplace_rows", "impl.fast.bounds.swap.input_triples"],
    grounds=["noise-on-an-interval#three-inputs-of-laplace-noise", EXACT],
    mutants={
        "stretched the other way round": {"curve": _mirrored},
        "nothing of R_s inside the cell": {"engine": _Whole},
        "reports in the cell at their mean": {"engine": _Mean},
    },
    missing="inputs, orders and thresholds other than those compared",
)
def laplace_triples(
    budget: Budget, *, curve: Callable[..., tuple[str, Fraction]] = in_64ths, engine: Callable[[float], LaplaceLosses] = LaplaceLosses
) -> Verdict:
    quick = budget.depth == "quick"
    engines = {epsilon0: engine(epsilon0) for epsilon0 in ((1.0, 3.0) if quick else (0.3, 1.0, 3.0, 6.0))}
    triples = _TRIPLES if quick else tuple(permutations(range(0, 65, 7), 3))

    def fails(epsilon0: float, triple: tuple[int, int, int], E: float) -> str:
        return _triple_fails(engines[epsilon0], triple, E, curve)

    cases = product(engines, triples, (1.0, 1.7) if quick else (1.0, 1.05, 1.7, 5.0))
    return exhaustive.for_all(cases, holds=lambda case: not fails(*case)).verdict(
        claims=Status.ARGUED,
        domain="all inputs by the argument; triples and orders, at 17 thresholds each",
        witness=lambda case: f"eps0 = {case[0]}, inputs {case[1]} in 64ths, E = {case[2]}: {fails(*case)}",
    )
