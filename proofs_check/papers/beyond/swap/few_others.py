"""Sums along a line where few users have another loss type than that which is worst alone, and where more have."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses as InFloats
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Complex, Floats
from shuffleproof.impl.fast.bounds.swap.along_a_line.alike_line import lines
from shuffleproof.impl.fast.bounds.swap.along_a_line.loss_rows import Rows
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import measures_of
from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.beyond.swap.swap_in_levels_blocks import worst_sum
from shuffleproof.spec.bounds.swap.controlled_sum import Losses

Types = tuple[Losses, ...]
Engine = Callable[[Types, Sequence[int]], list[list[float]]]
Raised = Callable[[Complex], Floats]


def _law(*losses: tuple[int, int]) -> Losses:
    """Return the loss type with these losses, of these weights."""
    total = sum(weight for _, weight in losses)
    return tuple((Fraction(x), Fraction(weight, total)) for x, weight in losses)


_RARE: Types = (_law((5, 1), (-1, 9)), _law((2, 1), (-1, 4)), _law((-1, 3), (1, 1)))
_SKEWED: Types = (_law((2, 1), (-1, 2)), _law((1, 2), (-2, 1)), _law((3, 1), (-1, 3)))
_JUMPS: Types = (_law((20, 1), (-1, 30)), _law((1, 5), (-9, 1)))
_CASES = [(types, users) for types in (_RARE, _SKEWED, _JUMPS, _RARE[:2], _SKEWED[1:]) for users in (2, 5, 9)]
_PARTS = [(types, users, m, points) for types, users in _CASES for m in (0.2, 0.7, 2.0, 5.0) for points in (1, 60)]
"""points: of one, powers are all that there is."""


def _at_most(terms: Complex, moved: Complex, half: float, raised: Raised) -> float:
    """Return what sums are at most where few users have other types: moved are m_c ln(M_c/M_b)."""
    second = half * (np.abs(terms) * raised(moved) * np.abs(moved) ** 2).sum(axis=1)
    return float(terms.real.sum() + max(0.0, ((terms * moved).real.sum(axis=1) + second).max()))


def _largest(moved: Complex) -> Floats:
    """Return the largest of e^(Re d_c) and 1."""
    found: Floats = np.exp(np.maximum(0.0, moved.real.max(axis=0)))
    return found


def _few_are_below(point: tuple[Types, int, float, int], half: float, raised: Raised, reach: float) -> bool:
    """Return whether sums with few others, as many as `reach` says, are no larger."""
    types, users, m, points = point
    z = 0.4 + 0.25j * np.arange(points)
    M = np.array([sum(float(p) * np.exp(z * float(x)) for x, p in law) for law in types])
    weights = np.where(z.imag == 0.0, 1.0, 2.0) * np.exp(0.02 * z * z) / z**2
    terms, moved = weights * M[0] ** users, m * np.log(M[1:] / M[0])
    shares = [y for y in product(np.linspace(0.0, reach, 13), repeat=len(moved)) if sum(y) <= reach * (1 + 1e-9)]
    sums = [(terms * np.exp(np.array(y) @ moved)).real.sum() for y in shares]
    return bool(max(sums) <= _at_most(terms, moved, half, raised) + 1e-9 * np.abs(terms).sum())


def _near_one_type(types: Types, numbers: Sequence[int]) -> list[list[float]]:
    """Return the engine's averages by each of its lines."""
    laws = [(np.array([float(p) for _, p in law]), np.array([float(x) for x, _ in law])) for law in types]
    rows = Rows.of(measures_of([InFloats(mass, at, at, 1e-15) for mass, at in laws]))
    with np.errstate(all="ignore"):
        return [line.near_one_type(numbers)[0] for line in lines(rows, max(numbers), min(numbers))]


def _engine_is_above(point: tuple[Types, int], engine: Engine) -> bool:
    """Return whether the engine is above the worst of all numbers of each type, for users and one fewer."""
    types, users = point
    numbers = [users, users - 1]
    return all(
        Fraction(value) * S >= worst_sum(types, S)
        for found in engine(types, numbers)
        for value, S in zip(found, numbers, strict=True)
        if value < np.inf
    )


@derived(
    "BEYOND.swap-in-levels.few-others",
    says="let F(x) be the sum along a line of BEYOND.any-law-line where x_c of S independent losses are of type c, all others of type b, "
    "w_j its terms at x = 0 with the factor tau/(2 pi), m_c > 0, and d_jc = m_c ln(M_c(z_j)/M_b(z_j)), any logarithm. If the sum of "
    "x_c/m_c is at most 1, F(x) is at most F(0) + max(0, the largest over c of the sum over j of Re(w_j d_jc) + |w_j| |d_jc|^2 "
    "max(1, e^(Re d_jk) for any k)/2); all other x with a sum of at most S are mixtures of x_c = m_c and x_c = S, for one c each",
    range="all finite sets of loss types with M_c(z_j) not 0, of any means, S >= 1",
    governs=["impl.fast.bounds.swap.along_a_line.few_others", "impl.fast.bounds.swap.along_a_line.alike_line"],
    grounds=["BEYOND.swap-in-levels.line", "controlled-sum#one-randomizer", EXACT],
    mutants={
        "a third of the second order": {"half": 1 / 6},
        "powers as at 0": {"raised": lambda moved: np.ones(moved.shape[1])},
        "twice as many others": {"reach": 2.0},
        "the engine without a type": {"engine": lambda types, numbers: _near_one_type(types[1:], numbers)},
        "the engine's average over one more user": {
            "engine": lambda types, numbers: [
                [value * S / (S + 1) for value, S in zip(found, numbers, strict=True)] for found in _near_one_type(types, numbers)
            ]
        },
    },
    missing="Taylor's formula for all distributions; sums of three types with up to twelve parts of few others, in floats, and all "
    "numbers of up to nine users of three types by the engine",
)
def few_others(
    budget: Budget, *, half: float = 0.5, raised: Raised = _largest, reach: float = 1.0, engine: Engine = _near_one_type
) -> Verdict:
    few = exhaustive.for_all(_PARTS, holds=lambda point: _few_are_below(point, half, raised, reach))
    all_of_them = exhaustive.for_all(_CASES[:: budget.pick(quick=2, full=1)], holds=lambda point: _engine_is_above(point, engine))
    return conjunction(
        [
            few.verdict(claims=Status.ARGUED, domain="rare, skewed and jumping types, parts of few others in twelfths", witness=str),
            all_of_them.verdict(claims=Status.ARGUED, domain="the same, all numbers of each up to nine users", witness=str),
        ]
    )
