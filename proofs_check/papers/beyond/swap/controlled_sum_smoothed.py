"""What a loss type gains on the one that takes all steps, against bounds by moments and by Fourier integrals, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise

from flint import acb, arb

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import merged, sum_of

Masses = tuple[tuple[Fraction, Fraction], ...]
_F = Fraction
_ALIKE: Masses = ((_F(-1), _F(1, 2)), (_F(1), _F(1, 2)))
_WIDER: Masses = ((_F(-2), _F(1, 2)), (_F(2), _F(1, 2)))
_RARE: Masses = ((_F(-2), _F(1, 16)), (_F(0), _F(7, 8)), (_F(2), _F(1, 16)))
"""Of half the variance of `_ALIKE`, and wider."""
_LEFT: Masses = ((_F(-2), _F(1, 3)), (_F(1), _F(2, 3)))
_RIGHT: Masses = ((_F(-1), _F(2, 3)), (_F(2), _F(1, 3)))
"""Of one variance, skewed to either side."""
_NUMBERS: Mapping[str, Fraction] = {
    name: _F(value)
    for name, value in {"mass": 1, "first": 1, "square": 2, "second": 2, "fourth": 24, "pi": 1, "exponent": 2, "sum": 1, "sines": 4}.items()
}
"""Those of the statement, by the names that mutants change."""
_CENTRE = _F(1, 8)
"""y_0."""
_PLACES = 120
"""Points of x at which q and its derivatives, and gains, are compared."""
_ROUNDING = _F(1, 10**12)
"""Some bounds are equalities: shares are floats."""
_DENSE = 1 + _F(1, 50)
"""A supremum over these points may be short of the true one by less than this factor: between them q hardly changes."""


@dataclass(frozen=True)
class _Case:
    """Type `other` beside `best` after `steps` steps of that, with the tilt t and the smoothing g."""

    best: Masses
    other: Masses
    t: Fraction
    g: Fraction
    steps: int

    @cached_property
    def sums(self) -> dict[Fraction, Fraction]:
        """The distribution of L_1 + ... + L_i."""
        return sum_of([merged(self.best)] * self.steps)

    @cached_property
    def places(self) -> list[arb]:
        """Points that hold all of q that counts."""
        first, last = min(self.sums) - 7 * self.g + self.t * self.g**2, max(self.sums) + 7 * self.g + self.t * self.g**2
        return [ball(first + (last - first) * i / _PLACES) for i in range(_PLACES + 1)]

    def density(self, x: arb) -> list[arb]:
        """q and its first four derivatives: of g Z + L_1 + ... + L_i, times e^(t x)."""
        t, g, found = ball(self.t), ball(self.g), [arb(0)] * 5
        for a, p in self.sums.items():
            z = (x - ball(a)) / g - t * g
            height = ball(p) * (t * ball(a) + (t * g) ** 2 / 2 - z * z / 2).exp() / (g * (2 * arb.pi()).sqrt())
            hermite = (arb(1), -z, z**2 - 1, 3 * z - z**3, z**4 - 6 * z**2 + 3)
            found = [known + height * h / g**j for j, (known, h) in enumerate(zip(found, hermite, strict=True))]
        return found

    def gain(self, s: arb) -> arb:
        """Return what the other type gains at s, E f(s + L_1 + ... + L_i + L_c) less that with L, over e^(t s)."""
        g, root = ball(self.g), arb(2).sqrt()

        def smoothed(m: arb) -> arb:
            z = m / g
            return m * (-z / root).erfc() / 2 + g * (-z * z / 2).exp() / (2 * arb.pi()).sqrt()

        after = (
            (sign * ball(p * q), ball(x + y))
            for sign, law in ((1, self.other), (-1, self.best))
            for x, p in law
            for y, q in self.sums.items()
        )
        return sum((weight * smoothed(s + at) for weight, at in after), arb(0)) / (ball(self.t) * s).exp()

    def moments(self, centre: arb, *, absolute: bool) -> list[arb]:
        """Integrals of k(y) (y - centre)^j, j = 0, ..., 4, k(y) = K_c(y) e^(t y), or of their absolute values."""
        knots, t, found = self._knots, ball(self.t), [arb(0)] * 5
        for (a, K), (b, M) in pairwise(knots):
            ends = [ball(a), *([centre] if ball(a) < centre and centre < ball(b) else []), ball(b)]
            slope = ball((M - K) / (b - a))
            for low, high in pairwise(ends):
                parts = [_integral(ball(K) - slope * ball(a), slope, t, centre, j, low, high) for j in range(5)]
                found = [known + (abs(part) if absolute else part) for known, part in zip(found, parts, strict=True)]
        return found

    @cached_property
    def _knots(self) -> list[tuple[Fraction, Fraction]]:
        """K_c at all losses, and where it changes its sign between."""

        def part(law: Masses, y: Fraction) -> Fraction:
            return sum((p * max(x - y, _F(0)) for x, p in law), _F(0))

        at = sorted({x for law in (self.best, self.other) for x, _ in law})
        known = [(y, part(self.other, y) - part(self.best, y)) for y in at]
        crossed = [(a + (b - a) * K / (K - M), _F(0)) for (a, K), (b, M) in pairwise(known) if K * M < 0]
        return sorted({*known, *crossed})

    def transform_squared(self, w: acb) -> acb:
        """|M(t + i w)|^2 for real w, M the transform of L."""
        t = ball(self.t)
        return sum((ball(p * q) * (t * ball(x + y)).exp() * (w * ball(x - y)).cos() for x, p in self.best for y, q in self.best), acb(0))


def _integral(K: arb, slope: arb, t: arb, centre: arb, j: int, low: arb, high: arb) -> arb:
    """The integral of (K + slope y) e^(t y) (y - centre)^j."""
    return acb.integral(lambda y, _: (K + slope * y) * (t * y).exp() * (y - centre) ** j, low, high).real


def _by_moments(case: _Case, numbers: Mapping[str, Fraction]) -> dict[str, float]:
    """How much of each bound on what the other type gains is reached, at every place."""
    of = {name: ball(number) for name, number in numbers.items()}
    known = [(x, case.density(x), case.gain(-x)) for x in case.places]
    suprema = [max((abs(q[j]) for _, q, _ in known), key=float) * ball(_DENSE) for j in range(5)]
    centre = ball(_CENTRE)
    d, k = case.moments(arb(0), absolute=False)[0], case.moments(centre, absolute=True)
    positive = d if d > 0 else arb(0)
    found = {"first": max(gain for _, _, gain in known) / (of["mass"] * positive * suprema[0] + of["first"] * k[1] * suprema[1])}
    near = [(case.density(x - centre), gain) for x, _, gain in known]
    more = [(abs(gain - d * q[0]), of["first"] * k[1] * abs(q[1]) + k[2] / of["second"] * suprema[2]) for q, gain in near]
    found["Taylor's formula"] = max(left / right for left, right in more)
    found["a square"] = max(q[1] ** 2 / (of["square"] * q[0] * suprema[2]) for _, q, _ in known)
    if not d < 0:
        return {name: float(share) for name, share in found.items()}
    second = k[1] ** 2 / (-of["square"] * d) + k[2] / of["second"]
    found["second"] = max(gain for _, _, gain in known) / (second * suprema[2])
    mean = case.moments(arb(0), absolute=False)[1] / d
    about = case.moments(mean, absolute=False)
    variance, third = about[2] / d, about[3] / d
    if variance > 0:  # atoms `up` above and `down` below the mean
        apart = third / variance
        up = (apart + (apart**2 + 4 * variance).sqrt()) / 2
        down = up - apart
        share = down / (up + down)
        fourth = case.moments(mean, absolute=True)[4] - d * (share * up**4 + (1 - share) * down**4)
        atoms = (share * case.density(x - mean - up)[0] + (1 - share) * case.density(x - mean + down)[0] for x, _, _ in known)
        left = max(abs(gain - d * q) for (_, _, gain), q in zip(known, atoms, strict=True))
        found["fourth"] = left / (fourth / of["fourth"] * suprema[4])
    return {name: float(share) for name, share in found.items()}


def _by_fourier(case: _Case, j: int, numbers: Mapping[str, Fraction]) -> arb:
    """The bound on the supremum of |q^(j)|, for an even number of steps."""
    t, g, of = ball(case.t), ball(case.g), {name: ball(number) for name, number in numbers.items()}

    def height(w: acb, _: bool) -> acb:
        return w**j * (g**2 * (t**2 - w * w) / of["exponent"]).exp() * case.transform_squared(w) ** (case.steps // 2)

    return acb.integral(height, 0, 14 / g).real * of["pi"] / arb.pi()


def _geometric(case: _Case, numbers: Mapping[str, Fraction]) -> bool:
    """1 - rho^2 is a sum of squares of sines, 2 (1 - rho) no less, and the sum of rho^i over i < m at most min(m, 1/(1 - rho))."""
    t, of = ball(case.t), {name: ball(number) for name, number in numbers.items()}
    weights = [(ball(p) * (t * ball(x)).exp(), ball(x)) for x, p in case.best]
    total = sum((p for p, _ in weights), arb(0))
    for w in (ball(_F(k, 7)) for k in range(1, 40)):
        squared = case.transform_squared(acb(w)).real / total**2
        sines = (p * q * (w * (x - y) / 2).sin() ** 2 for (p, x), (q, y) in combinations(weights, 2))
        if not (1 - squared).overlaps(of["sines"] * sum(sines, arb(0)) / total**2):
            return False
        rho = squared.max(arb(0)).sqrt()
        if 1 - rho**2 > 2 * (1 - rho) * of["sum"] or any(
            sum((rho**i for i in range(m)), arb(0)) > of["sum"] * min(arb(m), 1 / (1 - rho), key=float) for m in (1, 3, 200)
        ):
            return False
    return True


def _shares(case: _Case, numbers: Mapping[str, Fraction]) -> dict[str, float]:
    """How much of each bound is reached."""
    known = [case.density(x) for x in case.places]
    largest = [max((abs(each[j]) for each in known), key=float) for j in range(5)]
    of_suprema = {f"q^({j})": float(largest[j] / _by_fourier(case, j, numbers)) for j in range(5)}
    return of_suprema | _by_moments(case, numbers)


_CASES = [
    *(_Case(_WIDER, _ALIKE, t, g, steps) for t, g, steps in ((_F(0), _F(2), 0), (_F(1, 4), _F(6), 4))),
    _Case(_ALIKE, _WIDER, _F(1, 4), _F(6), 4),
    *(_Case(_LEFT, _RIGHT, t, g, 4) for t, g in ((_F(0), _F(1, 2)), (_F(0), _F(6)), (_F(1, 4), _F(2)))),
    *(_Case(_RIGHT, _LEFT, _F(1, 4), g, 4) for g in (_F(1, 2), _F(2))),
    *(_Case(_ALIKE, _RARE, t, _F(1, 2), 4) for t in (_F(0), _F(1, 4))),
]


@derived(
    "BEYOND.controlled-sum-smoothed",
    says="let q be the density of g Z + L_1 + ... + L_i times e^(t x), q_j its j-th derivative, k(y) = K_c(y) e^(t y), d its integral and "
    "k_j that of |k(y)| |y - y_0|^j. What L_c gains at s, over e^(t s), is the integral of k(y) q(-s - y). It is at most d_+ sup q + k_1 "
    "sup |q_1|; if d < 0 at most (k_1^2/(-2 d) + k_2/2) sup |q_2|, since it is within k_1 |q_1| + (k_2/2) sup |q_2| of d q, and q_1^2 <= 2 "
    "q sup |q_2|; and within sup |q_4|/24 times the absolute fourth moment of k and of two atoms of mass -d, which have the mean, variance "
    "and third moment of k/d, of d times the mean of q there. sup |q_j| is at most 1/pi times the integral over w > 0 of w^j e^(g^2 (t^2 - "
    "w^2)/2) |M(t + i w)|^i. With rho = |M(t + i w)|/M(t), 1 - rho^2 is 4 times the sum over pairs of atoms of their tilted probabilities "
    "and of sin^2 of w times half their distance, 1 - rho^2 <= 2 (1 - rho), and the sum of rho^i over i < m is at most m and 1/(1 - rho)",
    range="finitely many distributions of finitely many values, all t, g > 0, i and m",
    governs=["impl.fast.bounds.swap.one_type"],
    grounds=["controlled-sum#many-users", BALLS],
    mutants={
        "half of the mass d": {"numbers": {"mass": _F(1, 2)}},
        "nine tenths of k_1": {"numbers": {"first": _F(9, 10)}},
        "q_1^2 <= q sup |q_2|/2": {"numbers": {"square": _F(1, 2)}},
        "k_2/10 for k_2/2": {"numbers": {"second": _F(10)}},
        "1/120 for 1/24": {"numbers": {"fourth": _F(120)}},
        "suprema smaller by a hundredth": {"numbers": {"pi": _F(99, 100)}},
        "g^2 (t^2 - w^2)": {"numbers": {"exponent": _F(1)}},
        "2 for 4 before the squares of sines": {"numbers": {"sines": _F(2)}},
        "sums smaller by a tenth": {"numbers": {"sum": _F(9, 10)}},
    },
    missing="distributions, tilts and widths beyond the listed ones, odd numbers of steps",
)
def smoothed(budget: Budget, *, numbers: Mapping[str, Fraction] | None = None) -> Verdict:
    used = {**_NUMBERS, **(numbers or {})}

    def slack(case: _Case) -> Fraction:
        return Fraction(1) - Fraction(max(_shares(case, used).values())) + _ROUNDING if _geometric(case, used) else Fraction(-1)

    return exhaustive.least_slack(_CASES, slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain="five pairs of types, up to two tilts and three widths, no and four steps, at 121 places each: the share of every bound "
        "that is reached",
        witness=lambda case: f"{case.best} and {case.other}, t = {case.t}, g = {case.g}, {case.steps} steps",
    )
