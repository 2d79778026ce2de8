"""The distribution Lambda_beta of the proof: four atoms, as formulas that serve symbols and rationals alike; infinite p is x = 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import Distribution

Law = Distribution[Fraction]


@dataclass(frozen=True)
class Corners:
    """Values and masses of Lambda_beta at x = 1/p, beta, q and the order E.

    a = (q/p)(p - E), b = (q/p)(1 - E p), d = q (1 - E), none = 0, with masses r, r, rho/q and the rest;
    r = alpha p/q = beta/((1 - x) q), rho = 1 - alpha (p + 1) = 1 - beta (1 + x)/(1 - x).
    """

    x: Any
    beta: Any
    q: Any
    E: Any

    @property
    def values(self) -> tuple[Any, Any, Any, Any]:
        """u - E v at (u, v) = (q, q/p), (q/p, q), (q, q), and 0."""
        return self.q * (1 - self.E * self.x), self.q * (self.x - self.E), self.q * (1 - self.E), 0 * self.q

    @property
    def masses(self) -> tuple[Any, Any, Any, Any]:
        """r, r, rho/q, the rest."""
        r, d = self.beta / ((1 - self.x) * self.q), (1 - self.beta * (1 + self.x) / (1 - self.x)) / self.q
        return r, r, d, 1 - 2 * r - d

    def law(self) -> Law:
        """Return it as a distribution, for rational parameters."""
        return law_of(zip(self.values, self.masses, strict=True))


def corners(parameters: Parameters, E: Fraction, *, beta: Fraction | None = None) -> Corners:
    """Lambda at rational parameters; beta: another total variation, at most the clipped one. At p = 1 it is 0, and all mass is at d."""
    x = Fraction(0) if parameters.p in (None, 1) else 1 / parameters.p
    return Corners(x, parameters.clipped_beta() if beta is None else beta, parameters.q, E)


def law_of(atoms: Any) -> Law:
    """The distribution of listed (value, mass) pairs; equal values are put together."""
    masses: dict[Fraction, Fraction] = {}
    for value, mass in atoms:
        masses[value] = masses.get(value, Fraction(0)) + mass
    return Distribution(masses)


def stop_loss(law: Law, s: Fraction) -> Fraction:
    """E (X - s)_+."""
    return sum((mass * (value - s) for value, mass in law.items() if value > s), Fraction(0))


def convex_order_margin(small: Law, large: Law) -> Fraction:
    """Least E (Y - s)_+ - E (X - s)_+ over all s: not negative, with equal means, iff X is below Y in convex order.

    Both sides are piecewise linear in s with corners at the atoms, equal above all of them, and differ by the means below.
    """
    points: Sequence[Fraction] = [*small.support, *large.support]
    return min(stop_loss(large, s) - stop_loss(small, s) for s in points)


def mean(law: Law) -> Fraction:
    """E X."""
    return sum((value * mass for value, mass in law.items()), Fraction(0))
