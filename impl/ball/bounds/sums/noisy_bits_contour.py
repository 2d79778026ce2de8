"""Tails of many noisy bits, certified, at a cost that does not grow with their number: sums over points of a circle.

Z = A - B, A ~ Bin(zeros, p), B ~ Bin(ones, p) independent, has E[y^Z] = (q + p y)^zeros (q + p/y)^ones = G(y), q = 1 - p. With N points
y_j = e^(theta + 2 pi i j/N) of a circle, the mean over j of G(y_j) y_j^(-u - t) is the sum over m of Pr(Z = u + t + m N) e^(theta m N): the
mass at u + t and what lies whole numbers of N away. With 1/y + ... + 1/y^T = (1 - y^-T)/(y - 1) as a factor all t from 1 to T are added up.

What is to be taken off, for theta >= 0, 0 <= t <= T and N = 2 T: v = u + t + m N, m not 0, counts e^(theta (v - u - t)) times, at most
e^(theta (v - u)), and once, as T <= N; it is at least u + N or at most u + T - N. What is beyond u + T is missing. By Markov's inequality,
for s > 0,
    E[e^(theta (Z - u)); Z >= u + N] <= e^(-s N) M(theta + s),    M(x) = G(e^x) e^(-x u),
    E[e^(theta (Z - u)); Z <= u + T - N] <= e^(-s (N - T)) M(theta - s),    Pr(Z > u + T) <= e^(-(theta + s) T) M(theta + s).
For t = -1 what counts is one nearer, and e^theta as much: e^(theta + s) times these.

Points far from the real axis are left out: |q + p y| and |q + p/y| fall, and |y - 1| rises, as y turns away from it, so that each of them
is at most what the first one left out is. theta, s, T and the number of points are choices: nothing depends on them but the width.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, fmpq

from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ball
from shuffleproof.impl.ball.numeric.budget import spend

_PER_POINT = 18.0
"""Units of work of one point at few bits."""
_LONGER_FROM = 600
"""Bits at which a point takes twice as long."""


@dataclass(frozen=True, slots=True)
class Circle:
    """The points that are counted: y_j for |j| <= points of N = 2 reach on the circle of radius e^theta; points < reach, theta > 0.

    reach: the T above. slope: the s above.
    """

    theta: float
    slope: float
    reach: int
    points: int


def tail(
    ones: int, zeros: int, p: Fraction, u: int, *, theta: float, variance: float, exponent: float, reach: int, bits: int
) -> tuple[arb, arb, arb, arb]:
    """Pr(Z = u - 1), Pr(Z = u), Pr(Z = u + 1) and Pr(Z > u), at the working precision; what is left out is about e^-exponent of M(theta).

    theta: about where e^(theta Z) tilts the mean of Z to u; variance: that of the tilted Z, at least exponent; reach: how far from its
    mean all but e^-exponent of the tilted distribution lies, by Bernstein's inequality. Cost O(exponent). Nothing but the width depends on
    them.
    """
    # |G(y)|/G(|y|) <= e^(-2 variance sin^2(angle/2)).
    angle = 2 * math.asin(math.sqrt(min(exponent / (2 * variance), 1.0)))
    points = min(math.ceil(angle * reach / math.pi), reach - 1)
    on = Circle(max(abs(theta), 1 / (8 * reach)), reach / (variance + reach / 3), reach, points)
    if theta >= 0:
        return on_circle(ones, zeros, p, u, on, bits=bits)
    following, here, before, beyond = on_circle(zeros, ones, p, -u, on, bits=bits)  # of -Z
    return before, here, following, 1 - beyond - here


def on_circle(ones: int, zeros: int, p: Fraction, u: int, on: Circle, *, bits: int) -> tuple[arb, arb, arb, arb]:
    """The same, 0 < p < 1, by these points; a good choice of them depends on u."""
    spend(on.points + 4, each=_PER_POINT * (1 + bits / _LONGER_FROM), bits=0, what=f"certified tails of {ones + zeros} noisy bits")
    chance, theta, slope = ball(p), arb(on.theta), arb(on.slope)
    wrapped = (-theta * on.reach).exp()  # y^-T, up to its sign
    before = here = following = beyond = arb(0)
    for j in range(on.points + 1):
        weight, turned = (1 if j == 0 else 2), (-wrapped if j % 2 else wrapped)
        less, density = _tilted(ones, zeros, chance, u, acb(theta, fmpq(j, on.reach) * arb.pi()))
        before += weight * (density * (1 + less)).real
        here += weight * density.real
        following += weight * (density / (1 + less)).real
        beyond += weight * (density * (1 - turned) / less).real
    less, density = _tilted(ones, zeros, chance, u, acb(theta, fmpq(on.points + 1, on.reach) * arb.pi()))
    omitted = abs(density) * arb(0, 1)
    steep, flat = (_tilted(ones, zeros, chance, u, acb(x))[1].real for x in (theta + slope, theta - slope))
    further = (-slope * on.reach).exp()
    elsewhere = UP_TO_1 * (steep * further * further + flat * further)
    rest = UP_TO_1 * (steep * further * wrapped)
    circumference = 2 * on.reach
    return (
        before / circumference + omitted * theta.exp() - elsewhere * (theta + slope).exp(),
        here / circumference + omitted - elsewhere,
        following / circumference + omitted - elsewhere,
        beyond / circumference + omitted * (1 + wrapped) / abs(less) - elsewhere + rest,
    )


def _tilted(ones: int, zeros: int, p: arb, u: int, log_y: acb) -> tuple[acb, acb]:
    """y - 1 and G(y) y^-u."""
    less = log_y.expm1()
    log_g = zeros * (p * less).log1p() + ones * (-p * less / (1 + less)).log1p()
    return less, (log_g - u * log_y).exp()
