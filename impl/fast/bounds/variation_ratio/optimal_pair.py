"""The optimal pair V(n, p, beta, q) in float64 with sound sides: BEYOND.ThmF3.

With x = 1/p (0 for infinite p), E = e^eps < p and counts a, b, d of n draws, BEYOND.LemL5 gives delta = E[X_1 + ... + X_n]_+/n, where each
draw adds q (1 - E x), q (x - E), q (1 - E) or 0: the sum of losses that `one_sum` encloses.

Guaranteed range: n <= 10^9, p up to e^700 or infinite, delta in [1e-300, 1] (and delta = 0). Outside, and wherever sums would leave the
range of floats, the engine refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON, Losses, summed
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import LENGTH, epsilon_of, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossDistribution
from shuffleproof.impl.fast.numeric.results import (
    SCALAR_ERROR,
    U,
    decimal_of,
    exponential_difference,
    exponential_minus_1,
    in_floats,
    out_of_range,
    outward,
    working,
)
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_optimal_pair

LARGEST_LN_P = 700
"""Largest finite ln p: e^700 is 1e304, so that p and 1/p are normal floats."""
SMALLEST_MASS = Fraction(1, 10**280)
"""Least probability of a report: above the least normal float, 2.2e-308, by more than the factors that multiply it."""
_UNSEEN = Decimal("1e-1000")
"""What is revealed with a smaller probability is enclosed by [0, 2e-1000]: the floats of an answer do not show it."""


@dataclass(frozen=True)
class _Pair:
    """The pair at clipped parameters: top is ln p, None for infinite p; x = 1/p; a, b: the probability of each in one draw; d: of d."""

    n: int
    beta: Fraction
    top: Epsilon | None
    x: Fraction
    q: Fraction
    a: Fraction
    d: Fraction

    @classmethod
    def of(cls, *, n: int, p: Fraction | None, beta: Fraction, q: Fraction) -> _Pair | None:
        """Clip beta to (p-1)/(p+1) and q-1 (BEYOND.LemL0); None where it is 0. Raises UnsupportedError beyond the engine's range."""
        cover = max(q, Fraction(2)) if n == 1 else q  # of one user there is no R_k: any q is true, even one that would clip beta
        clipped = min(beta, cover - 1, Fraction(1) if p is None else (p - 1) / (p + 1))
        if not clipped:
            return None
        top, x = (None, Fraction(0)) if p is None else (Epsilon(None, p), 1 / p)
        first = clipped / (1 - x)
        if top is not None and top > Epsilon(Fraction(LARGEST_LN_P), None):
            raise out_of_range(f"it answers for p up to e^{LARGEST_LN_P}, and for infinite p", at="this p")
        pair = cls(supported(n), clipped, top, x, cover, first / cover, (1 - first * (1 + x)) / cover)
        if min(mass for mass in (pair.a, pair.d, 1 - 2 * pair.a - pair.d, clipped) if mass) < SMALLEST_MASS:
            raise out_of_range("a report has a probability below 1e-280")
        return pair

    def distribution(self) -> LossDistribution:
        """Return the distribution of (u, v) of one draw, L being u - E v: (q, q x), (q x, q), (q, q), and 0."""
        with working():
            a, d, q, x = map(decimal_of, (self.a, self.d, self.q, self.x))
            return LossDistribution.of([(a, a * q, a * q * x), (a, a * q * x, a * q), *([(d, d * q, d * q)] if d else [])])

    def sides(self, epsilon: Epsilon) -> tuple[float, float]:
        """Return floats around delta at epsilon below ln p, the values of L within a few roundings however near to ln p that is.

        Its unit is its largest value at epsilon = 0, q (1 - x): sums that are 0 stand on the grid there, where a part of a step would show.
        """
        E_minus_1 = exponential_minus_1(epsilon) if epsilon.exp != 1 else Decimal(0)
        difference = Decimal(1) if self.top is None else exponential_difference(self.top, epsilon)
        with working():
            apart = decimal_of(1 - self.x)
            first = difference if self.top is None else difference * decimal_of(self.x)
            at = [first / apart, -(E_minus_1 + apart) / apart, -E_minus_1 / apart]
            below, above = np.array([outward(y - abs(y) * SCALAR_ERROR, y + abs(y) * SCALAR_ERROR) for y in at]).T
            mass = np.array([float(decimal_of(each)) for each in (self.a, self.a, self.d)])
        lower, upper, _ = summed(Losses(mass, above, below, 2 * U), n=self.n, length=LENGTH)
        with working():
            unit = decimal_of(self.q) * apart
            return outward(Decimal(lower) * unit * (1 - SCALAR_ERROR), Decimal(upper) * unit * (1 + SCALAR_ERROR))

    def largest_ratio(self) -> int:
        """For infinite p, the largest finite likelihood ratio (a + d)/(b + d): n where d exists, else n - 1; at least 1."""
        return max(1, self.n if self.d else self.n - 1)

    def revealed(self) -> tuple[Fraction, Fraction]:
        """For infinite p, around the probability that the special report has infinite privacy loss: it is a, and nobody else sends b or d.

        beta (1 - r - rho/q)^(n - 1) > 0: relative error 1e-40, n - 1 times that of a logarithm. (0, 2e-1000) where it is below
        1e-1000: the digits of a rational would be as many as n.
        """
        alone = 1 - self.a - self.d
        if alone == 0 and self.n > 1:
            return Fraction(0), Fraction(0)
        with working():
            revealed = decimal_of(self.beta) * ((self.n - 1) * decimal_of(alone).ln()).exp() if self.n > 1 else decimal_of(self.beta)
            if revealed < _UNSEEN:
                return Fraction(0), Fraction(2 * _UNSEEN)
            return Fraction(revealed * (1 - SCALAR_ERROR)), Fraction(revealed * (1 + SCALAR_ERROR))


@in_floats(OPTIMAL_PAIR)
def delta(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, epsilon: Epsilon) -> Found:
    """delta of the optimal pair at epsilon: randomizers with H(p, beta, q) are (epsilon, upper)-DP (BEYOND.ThmF3).

    n: at most 10^9; p: at most e^700, or None where it is infinite; where p, beta and q are not known exactly, round all three up. Exact
    (0) where e^epsilon >= p; else the relative width is mostly below 1e-5 where delta is at least 1e-12.

    >>> delta(n=1000, p=4, beta="1/2", q=4, epsilon="0.25").decimals(digits=6)
    ('3.77272e-8', '3.77274e-8')
    """
    pair = _Pair.of(n=n, p=p, beta=beta, q=q)
    if pair is None or (pair.top is not None and epsilon >= pair.top):
        return Found.exactly(0)
    if pair.top is None and epsilon >= Epsilon(None, Fraction(pair.largest_ratio())):
        return Found(*pair.revealed())
    lower, upper = pair.sides(epsilon)
    # beta is the total variation of what the special report's distributions are, which nothing afterwards makes larger
    return Found(Fraction(lower), min(Fraction(upper), pair.beta), rests_on=RESTS_ON)


@in_floats(OPTIMAL_PAIR)
def epsilon(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, delta: Fraction, inputs: Mapping[str, str]) -> Found:
    """Least epsilon at which the optimal pair's delta is at most delta, which is 0 or at least 1e-300 (BEYOND.ThmF3).

    delta(lower) > delta >= delta(upper) is certain at exactly these ends (lower = 0, and not certain, where delta cannot be distinguished
    from delta(0)); exactly ln p at delta = 0 for finite p, exactly 0 where delta >= delta(0) is certain. Raises RegimeError where p is
    infinite and delta is below the probability that the special report has infinite privacy loss, so that no epsilon is enough.
    """
    pair = _Pair.of(n=n, p=p, beta=beta, q=q)
    if pair is None or delta >= pair.beta:  # delta(0) is at most beta, as in `delta`
        return Found.exactly(0)
    top = pair.top
    if top is None:
        _require_attainable(pair, delta, inputs["delta"])
        top = Epsilon(None, Fraction(pair.largest_ratio()))
        if top.exp == 1:
            return Found.exactly(0)
    found = epsilon_of([pair.distribution()], n=n, epsilon0=top, delta=delta)
    # at 0 the unit's sides are nearer than those of the search
    return Found.exactly(0) if found.lower == 0 and pair.sides(Epsilon(Fraction(0), None))[1] <= delta else found


def _require_attainable(pair: _Pair, target: Fraction, given: str) -> None:
    """Raise RegimeError where delta is below what is revealed, UnsupportedError where that cannot be decided."""
    lower, upper = pair.revealed()
    if target < lower or target == 0:  # it is positive
        raise no_epsilon_for_optimal_pair(revealed=decimal_text(upper, digits=12, direction="up"), delta=given)
    if target <= upper:
        raise out_of_range("it cannot be distinguished from the delta that no epsilon goes below", at="this delta")
