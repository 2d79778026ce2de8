"""The exact supremum of D_E(A(X_0) || A(X_1)) over *all* adaptive sequences of a class of randomizers, for a few users.

What follows a history is worth a convex, positively homogeneous function of the weights that the history gives to each set of users who
have already reported. A step's randomizer is a measure on columns (R_0(z), R_1(z), R_2(z), ...); splitting a column into extreme rays of
the class's cone can only increase its worth, so the best step is a linear programme over these rays: its constraints do not depend on the
history, and its vertices are enumerated once. Exact rationals throughout.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import factorial
from typing import TypeVar

from flint import fmpq, fmpq_mat

from shuffleproof.proofs_check.ledger.points import ONE, ZERO
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters

R = TypeVar("R", bound=tuple[Fraction, ...])
Ray = tuple[Fraction, ...]
"""How likely a report is by each input, up to a factor."""
History = frozenset[tuple[tuple[int, ...], Fraction]]
"""How many users of each input, and of the special one, have reported; what that has under X_0, minus E times what it has under X_1."""


@dataclass(frozen=True)
class RandomizerClass:
    """Randomizers on so many inputs. vertices: those that are no mixtures of others, as weights of the rays that span the cone."""

    inputs: int
    vertices: tuple[dict[Ray, Fraction], ...]


@cache
def locally_private(*, inputs: int, T: Fraction) -> RandomizerClass:
    """All epsilon0-DP randomizers: the rays of {x_i <= T x_j} are the vectors of ones and Ts."""
    rays = [ray for ray in product((ONE, T), repeat=inputs) if ONE in ray]
    return RandomizerClass(inputs, vertices(rays, rays, [ONE] * inputs))


def with_hypothesis(*, n: int, parameters: Parameters) -> RandomizerClass:
    """All randomizers on n + 1 inputs with H(p, beta, q). Split where R_0 = R_1, the cone has rays on which R_0 - R_1 keeps its sign.

    They are (p, 1 | p/q, ...), (1, p | p/q, ...), (1, 1 | 1/q, ...) and one for each other user alone; for infinite p the 1 beside
    p is 0. The total variation adds up over them; a slack variable makes it a constraint.
    """
    x = ZERO if parameters.p is None else 1 / parameters.p
    rest = [(ZERO,) * (2 + k) + (ONE,) + (ZERO,) * (n - 2 - k) for k in range(n - 1)]
    both = [(u, v, *((1 / parameters.q,) * (n - 1))) for u, v in ((ONE, x), (x, ONE), (ONE, ONE))]
    rays = [*both, *rest, (ZERO,) * (n + 1)]
    columns = [(*ray, max(ZERO, ray[0] - ray[1])) for ray in rays[:-1]] + [(*rays[-1], ONE)]
    return RandomizerClass(n + 1, vertices(rays, columns, [ONE] * (n + 1) + [parameters.beta]))


def vertices(rays: Sequence[R], columns: Sequence[Ray], total: Sequence[Fraction]) -> tuple[dict[R, Fraction], ...]:
    """The basic feasible solutions of sum_i w_i columns[i] = total, w >= 0, as weights of rays."""
    size, found = len(total), list[dict[R, Fraction]]()
    right = fmpq_mat(size, 1, [_exact(each) for each in total])
    for basis in combinations(range(len(columns)), size):
        try:
            solved = fmpq_mat(size, size, [_exact(columns[i][k]) for k in range(size) for i in basis]).solve(right)
        except ZeroDivisionError:
            continue  # these columns are linearly dependent
        weights = [Fraction(int(w.p), int(w.q)) for w in solved.entries()]
        law = {rays[i]: w for i, w in zip(basis, weights, strict=True) if w}
        if min(weights) >= 0 and law not in found:
            found.append(law)
    assert found, "the class has no randomizer"
    return tuple(found)


def _exact(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def supremum(of: RandomizerClass, *, held: Sequence[int], E: Fraction) -> Fraction:
    """The largest D_E(A(X_0) || A(X_1)) of all adaptive sequences whose steps are of the class; x_0 = 0, x_1 = 1; the others hold these."""
    numbers, n = [*(held.count(x) for x in range(of.inputs)), 1], len(held) + 1
    rays = {ray for law in of.vertices for ray in law}

    def after(history: History, ray: Ray) -> History:
        """The history and one report more, of any user who has not reported."""
        factors, found = (*ray, ray[0] - E * ray[1]), defaultdict[tuple[int, ...], Fraction](Fraction)
        for used, weight in history:
            for i, factor in enumerate(factors):
                if used[i] < numbers[i]:
                    found[*used[:i], used[i] + 1, *used[i + 1 :]] += weight * (numbers[i] - used[i]) * factor
        return frozenset(found.items())

    @cache
    def worth(history: History, left: int) -> Fraction:
        if not left:
            return max(sum((weight for _, weight in history), ZERO), ZERO)
        known = {ray: worth(after(history, ray), left - 1) for ray in rays}
        return max(sum((c * known[ray] for ray, c in law.items()), ZERO) for law in of.vertices)

    return worth(frozenset({((0,) * len(numbers), ONE)}), n) / factorial(n)
