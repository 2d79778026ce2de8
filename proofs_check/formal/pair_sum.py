"""The optimal pair's divergence by the sums of OptimalPairExact.v, for a hundred users and more: the number that Coq's kernel confirms."""

from fractions import Fraction
from math import comb, lcm

from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters


def pair_delta(*, n: int, parameters: Parameters, order: Fraction) -> Fraction:
    """D_E(P || Q) of the optimal pair of (p, beta, q), exact; a cubic number of steps in n.

    n: users, at least 1; parameters: where the pair is one of distributions; order: E >= 0.
    """
    p_inv = 0 if parameters.p is None else 1 / parameters.p
    corner = parameters.beta / (1 - p_inv)
    side, center, none = (x / parameters.q for x in (corner, 1 - (1 + p_inv) * corner, parameters.q - 1 - parameters.beta))
    scores = [parameters.q * x for x in (1 - p_inv * order, p_inv - order, 1 - order)]
    masses, mass_unit = _integers([side, center, none])
    (zero, one, both), score_unit = _integers(scores)
    total = 0
    for m in range(n + 1):
        among = 0
        for j in range(m + 1):
            start = (m - j) * both + j * one
            part = sum(comb(j, i) * max(0, start + i * (zero - one)) for i in range(j + 1))
            among += comb(m, j) * masses[0] ** j * masses[1] ** (m - j) * part
        total += comb(n, m) * masses[2] ** (n - m) * among
    return Fraction(total, n * score_unit * mass_unit**n)


def _integers(numbers: list[Fraction]) -> tuple[list[int], int]:
    """The numbers over a common denominator, and that."""
    unit = lcm(*(x.denominator for x in numbers))
    return [int(x * unit) for x in numbers], unit
