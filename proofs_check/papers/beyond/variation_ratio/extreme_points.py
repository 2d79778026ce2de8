"""The exact supremum of D_E(A(X_0) || A(X_1)) over *all* adaptive sequences of a class of randomizers, for two or three users.

What follows a history is worth a convex, positively homogeneous function of the weights that the history gives to each set of users who
have already reported. A step's randomizer is a measure on columns (R_0(z), R_1(z), R_2(z), ..., R_n(z)); splitting a column into extreme
rays of the class's cone can only increase its worth, so the best step is a linear programme over these rays: its constraints do not
depend on the history, and its vertices are enumerated once. Exact rationals throughout.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import factorial
from typing import Any

from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters

Ray = tuple[Fraction, ...]
Weights = dict[frozenset[int], Fraction]
"""By the set of users who have reported."""
Vertex = tuple[tuple[int, Fraction], ...]
"""The positive weights of a vertex: (index of the ray, weight)."""
_SPECIAL = 0  # the user whose value changes


@dataclass(frozen=True)
class RandomizerClass:
    """rays: columns (R_0, R_1, R_2, ..., R_n) that span the cone. vertices: the extreme measures on them that are randomizers."""

    n: int
    rays: tuple[Ray, ...]
    vertices: tuple[Vertex, ...]


def locally_private(*, n: int, T: Fraction) -> RandomizerClass:
    """All epsilon0-DP randomizers on n + 1 inputs: the rays of {x_i <= T x_j} are the vectors of ones and Ts."""
    rays = tuple(ray for ray in product((Fraction(1), T), repeat=n + 1) if min(ray) == 1 and max(ray) == T)
    rays = (*rays, (Fraction(1),) * (n + 1))
    return RandomizerClass(n, rays, _vertices([list(ray) for ray in rays], [Fraction(1)] * (n + 1)))


def with_hypothesis(*, n: int, parameters: Parameters) -> RandomizerClass:
    """All randomizers with H(p, beta, q). Split where R_0 = R_1, the cone has rays on which R_0 - R_1 keeps its sign.

    They are (p, 1 | p/q, ...), (1, p | p/q, ...), (1, 1 | 1/q, ...) and one for each other user alone; for infinite p the 1 beside
    p is 0. The total variation adds up over them; a slack variable makes it a constraint.
    """
    x = Fraction(0) if parameters.p is None else 1 / parameters.p
    one, none = Fraction(1), Fraction(0)
    rest = [(none,) * (2 + k) + (one,) + (none,) * (n - 2 - k) for k in range(n - 1)]
    both = [(u, v, *((one / parameters.q,) * (n - 1))) for u, v in ((one, x), (x, one), (one, one))]
    rays = (*both, *rest, (none,) * (n + 1))
    rows = [[*ray, max(none, ray[0] - ray[1])] for ray in rays[:-1]] + [[none] * (n + 1) + [one]]
    return RandomizerClass(n, rays, _vertices(rows, [one] * (n + 1) + [parameters.beta]))


def supremum(of: RandomizerClass, *, E: Fraction) -> Fraction:
    """The supremum of D_E(A(X_0) || A(X_1)) over all adaptive sequences whose steps are randomizers of the class."""
    start = {frozenset[int](): Fraction(1)}
    return _worth(of, E, start, {}, steps_left=of.n) / factorial(of.n)


def _worth(of: RandomizerClass, E: Fraction, weights: Weights, known: dict[frozenset[Any], Fraction], *, steps_left: int) -> Fraction:
    """weights: for each set of users who have reported, what the history gives it under X_0 minus E times that under X_1.

    known: what was found for other histories; those with the same rays in another order have the same weights.
    """
    if steps_left == 0:
        return max(Fraction(0), sum(weights.values(), Fraction(0)))
    key = frozenset(weights.items())
    if key not in known:
        worth = [_worth(of, E, _after(weights, ray, of.n, E), known, steps_left=steps_left - 1) for ray in of.rays]
        known[key] = max(sum((weight * worth[i] for i, weight in vertex), Fraction(0)) for vertex in of.vertices)
    return known[key]


def _after(weights: Weights, ray: Ray, n: int, E: Fraction) -> Weights:
    following: Weights = {}
    for reported, weight in weights.items():
        for user in range(n):
            if user not in reported:
                factor = ray[0] - E * ray[1] if user == _SPECIAL else ray[user + 1]
                key = reported | {user}
                following[key] = following.get(key, Fraction(0)) + weight * factor
    return following


def _vertices(columns: Sequence[Sequence[Fraction]], total: Sequence[Fraction]) -> tuple[Vertex, ...]:
    """The basic feasible solutions of sum_i w_i columns[i] = total, w >= 0."""
    found: dict[Vertex, None] = {}
    for basis in combinations(range(len(columns)), len(total)):
        weights = _solved([columns[i] for i in basis], total)
        if weights is not None and min(weights) >= 0:
            found[tuple((i, weight) for i, weight in zip(basis, weights, strict=True) if weight)] = None
    assert found, "the class has no randomizer"
    return tuple(found)


def _solved(columns: Sequence[Sequence[Fraction]], total: Sequence[Fraction]) -> list[Fraction] | None:
    """Gauss-Jordan elimination; None where the columns are linearly dependent."""
    size = len(total)
    rows = [[column[i] for column in columns] + [total[i]] for i in range(size)]
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        inverse = 1 / rows[k][k]
        rows[k] = [entry * inverse for entry in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [entry - factor * above for entry, above in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]
