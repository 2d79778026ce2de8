"""E[(L_1 + ... + L_n)_+]/n in float64 with sound sides, for distributions of L of few atoms: an integral along a line, BEYOND.any-law-line.

S is the sum, M(z) = E e^(zL), Z a normal variable of its own, s a small width. x_+ <= E(x + sZ)_+ by Jensen, and with the test Phi(x/s)

    E(x + sZ)_+ - s^2 f(x) = x Phi(x/s) <= x_+,     f the density of sZ at -x.

So V - s^2 F <= E[S_+] <= V for V = E(S + sZ)_+ and F the density of S + sZ at 0: of second order in s on both sides. Both are integrals
along z = theta + i w, of M(z)^n e^(s^2 z^2/2)/(2 pi i) times 1/z^2 and 1; theta near the saddle point, so that delta = 1e-300 costs what
1e-6 costs. By Poisson's summation formula the sum over w = j tau, tau = 2 pi/P, is not only near to them: it is

    V_tau = sum over all k of e^(theta k P) E(S + sZ - kP)_+,      F_tau = sum over k of e^(theta k P) f_(S + sZ)(kP),

with terms that are not negative: V <= V_tau and F <= F_tau, whatever P is. From below the other k count, by x_+ <= e^(t x - 1)/t:
e^(theta k P) E(S + sZ - kP)_+ <= e^(-(t - theta) k P) M(t)^n e^(s^2 t^2/2)/(e t), t above theta for k > 0, below it for k < 0.

Cut off. |M(z)| <= M(theta); beyond J steps e^(-(s w)^2/2) is tiny. Where |M(z)/M(theta)|^n is below e^-40 nothing is added: the sum of all
1/|z|^2 is P coth(theta P/2)/(2 theta). So the powers are few, and what is left is one product of matrices: with j = a B + b the values
M(z_j) are sums over atoms of e^(i a B tau x) e^(i b tau x).

Roundings. M(z_j)/M(theta) is known to within kappa_j, its power to within n kappa_j (|M(z_j)/M(theta)| + kappa_j)^(n - 1); all is added up
with the weights of the terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.numeric.results import EXP_ERROR, SCALAR_ERROR, U, outward, working

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]
Moments = Callable[[float], tuple[float, float, float]]
"""ln M, and mean and variance under the tilt, as functions of it."""
TRIG_ERROR = 4 * U
"""Granted to numpy's sines and cosines of angles up to LARGEST_ANGLE, absolutely (assumed, and measured: one_sum.py).
Less than the truth would be unsound."""
LARGEST_ANGLE = 1e6
"""Largest angle, in radians, of a sine or cosine: the box in which their error was measured."""
MOST_ATOMS = 1 << 13
"""Atoms up to which the line is tried; more are summed on a grid."""
_FEWEST_REPORTS = 32
"""Reports from which the line is tried: powers of fewer do not decay, and a grid is cheap."""
_FEWEST_OF_MANY = 5000
"""The same for many atoms, whose points cost more."""
WIDTH = 2e-4
"""s over the standard deviation of S under the tilt."""
WIDE = 1e-3
"""The same where one part in 10^5 of the sum, about 10^-6 of epsilon, is well spent on five times fewer points."""
_REACH = 6.6
"""s times the largest w: e^(-_REACH^2/2) is left out beyond."""
_MOST_POINTS = 1 << 17
"""Multiples of tau up to which the integral may reach."""
_GONE = 40.0
"""Powers of |M(z)/M(theta)| below e^-40 = 4e-18 are not summed; their bound is added to both sides."""
_ALIASED = 1e-9
"""What the periods but the first may add to V, next to it. A choice of the period only: it is bounded and subtracted."""
_DISTANCES = 2.0 ** np.arange(-1.0, 5.0, 0.5)
"""Other tilts at which the periods are bounded, in inverse standard deviations from theta. The best of them counts."""
_PARTS = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85])
"""More of them, as parts of theta, below it."""
_PERIODS = 1.1 ** np.arange(40.0)
"""Periods that are tried, in four standard deviations: the least that does is taken."""
_LARGEST_EXPONENT = 690.0
"""Largest exponent of a tilt: e^690 = 5e299, so that sums of them stay floats."""
_WIDEST = 37.0
"""e^(x^2/2) is a float up to it."""
_MOST_SADDLE_STEPS = 100
"""Steps to the saddle point at most. Any tilt is sound; a bad one makes the sides wide."""
_NEAR_SADDLE = 1e-4
"""The last of these steps, in ln of the tilt."""
_FARTHEST_START = 7.0
"""ln of the tilt at which that search begins, at most, losses being at most 1: at e^7 = 1100 a mass of 1e-308 counts already."""
_HEAVY = 24
"""Atoms whose sum shows, of many atoms, where the power cannot count."""
_PART = 64
"""Atoms, and points, of one block of the sums of many atoms: they bound the roundings of a sum (`_roundings`)."""
_ALIKE = 0.6
"""Least quotient of two numbers of reports that share one line."""
_LARGEST_DOUBT = 0.1
"""Largest relative error of the n-th power with which the line answers: the analysis takes (1 + x)^n for what it is up to there."""
_SMALL = 1 << 15
"""Products of two numbers in a product of matrices so small that no library starts threads for it."""
_MOST_WORK = 1 << 26
"""Products of two numbers in the sums of many atoms, at most: they take about as long as the grid does."""
_LEAST_TILT = 1e-75
"""Of theta, whose fourth power is a normal float from there on: losses are that large where eps0 is some hundreds."""


def sides(mass: Floats, at: Floats, worth: Floats, *, error: float, n: int, width: float = WIDTH) -> tuple[float, float] | None:
    """Floats around E[(L_1 + ... + L_n)_+]/n, or None where this is not the way.

    mass: probabilities, known to the relative error, 0 having what is left; at, worth: where atoms stand, rounded up and down; width: of
    the smoothing, which is nearly all that is lost, in second order.
    """
    if len(mass) > MOST_ATOMS or n < (_FEWEST_REPORTS if len(mass) < 2 * _HEAVY else _FEWEST_OF_MANY):
        return None
    line = _Line.through(mass, at, error=error, n=n, fewest=n, width=width)
    if line is None:
        return None
    lower, upper = line.sides(n)
    # S falls by `apart` at most, and E[S_+] by that times P(S > 0) <= M(theta)^n.
    apart = n * float((at - worth).max()) * 1.5  # M(theta) is about c
    if apart <= _ALIASED * upper:
        (low, _), (_, high) = line.valued(n, lower - apart, upper)
        return low, high
    below = _Line.through(mass, worth, error=error, n=n, fewest=n, width=width)
    if below is None:
        return None
    return below.valued(n, below.sides(n)[0])[0][0], line.valued(n, upper)[0][1]


def upper_after(
    mass: Floats, at: Floats, *, beside: tuple[Floats, Floats], like: int, numbers: list[int], smoothed: float = 0.0
) -> list[float] | None:
    """Return floats not below E[(X + L_1 + ... + L_m)_+] for each m of `numbers`, from one line; None where this is not the way.

    Nor below E[(X + L_1 + ... + L_m + sZ)_+], where s is `smoothed`.

    mass, at: the measure of each L, taken as it is, and 0 with what it lacks of 1; beside: that of X, at places exactly as far from each
    other, which is about the sum of `like` such losses (a choice). The numbers are to be alike: the least at least 0.6 times the largest.
    """
    n, fewest = max(numbers), min(numbers)
    if fewest < n * _ALIKE:
        return None
    line = _Line.through(mass, at, error=0.0, n=n, fewest=fewest, width=WIDE, beside=beside, like=like, least=smoothed)
    return None if line is None else [line.valued(m, line.sides(m)[1])[0][1] * m * (1 + 2 * U) for m in numbers]


@dataclass(frozen=True)
class _Line:
    """M(z)/c at z = theta + i w for all w = j tau at which its power still counts, c about M(theta); the sums of `fewest` reports and more.

    omega: these w, J tau the last one that was looked at; phi: M(z)/c there; kappa, most_wrong: how wrong it is at most, there and
    anywhere; others: what the terms of other k add, over c^n.

    psi, psi_wrong, aside: the same of a variable X of its own that is added once: its transform over `aside`, about M_X(theta), and how
    wrong that is.
    """

    n: int
    fewest: int
    theta: float
    c: float
    s: float
    period: float
    J: int
    omega: Floats
    phi: Complex
    kappa: Floats
    most_wrong: float
    others: float
    psi: Complex
    psi_wrong: float
    aside: float

    @classmethod
    def through(
        cls,
        mass: Floats,
        at: Floats,
        *,
        error: float,
        n: int,
        fewest: int,
        width: float,
        beside: tuple[Floats, Floats] = (np.ones(1), np.zeros(1)),
        like: int = 0,
        least: float = 0.0,
    ) -> _Line | None:
        """For n reports, and as few as that; None where there would be too many points, or too much rounding. least: of s."""
        highest = float(at.max())
        if not (highest > 0.0 and np.isfinite(at).all()):
            return None
        rest = max(0.0, 1.0 - math.fsum(mass.tolist()))
        theta = min(saddle(mass, at, n + like)[0], _LARGEST_EXPONENT / 2 / max(highest, float(np.abs(beside[1]).max())))
        exponent = theta * at
        tilted = mass * np.exp(exponent)
        c = float(tilted.sum()) + rest
        w, x = np.append(tilted, rest) / c, np.append(at, 0.0)
        mean = float((w * x).sum())
        other = _Tilted.of(*beside, theta)
        variance = max(float((w * (x - mean) ** 2).sum()), 0.0)
        deviation = math.sqrt(n * variance + other.variance)
        if not (math.isfinite(c) and deviation > 0.0):
            return None
        s = max(least, width * math.sqrt(fewest * variance + other.variance))
        if s * theta > _WIDEST or theta < _LEAST_TILT:
            return None
        about = 1 / (2.6 * theta * (1 + theta * deviation))  # n E[S_+]/c^n, to know what is small beside it
        # Of M(z)/c: of the weights, of cosines and sines, of sums; and of angles, which grow with j.
        wrong = float((w[:-1] * (error + EXP_ERROR + (8 + 3 * np.abs(exponent)) * U)).sum()) + (2 * error + 4 * U) / c
        wrong += 4 * TRIG_ERROR + 4 * (_roundings(len(x)) + 4) * U
        period, others = _aliased(theta, w, x, other, n=n, s=s, deviation=deviation, wanted=_ALIASED * about, doubt=2 * n * wrong)
        tau = 2 * math.pi / period
        J = math.ceil(_REACH / (s * tau))
        if J > _MOST_POINTS or J * tau * float(np.abs(x).max()) > LARGEST_ANGLE:
            return None
        per_angle = 8 * U * float((w * np.abs(x)).sum())
        most_wrong = wrong + per_angle * J * tau
        found = _transformed(w, x, tau=tau, J=J, n=fewest, doubt=most_wrong)
        if found is None or n * most_wrong > _LARGEST_DOUBT:
            return None
        omega: Floats = tau * found[0].astype(np.float64)
        kappa: Floats = wrong + per_angle * omega
        psi_wrong = other.wrong(J * tau)
        return cls(n, fewest, theta, c, s, period, J, omega, found[1], kappa, most_wrong, others, other.at(omega), psi_wrong, other.total)

    @cached_property
    def _logarithm(self) -> Decimal:
        """Return ln c; asked for in the working precision."""
        return Decimal(self.c).ln()

    def sides(self, n: int) -> tuple[float, float]:
        """n E[S_+]/c^n from both sides, for fewest <= n <= self.n; the lower one holds for self.n only."""
        theta, s, tau, omega, kappa = self.theta, self.s, 2 * math.pi / self.period, self.omega, self.kappa
        square, size = omega * omega, np.abs(self.phi)
        over = theta * theta + square
        weight = np.where(omega == 0.0, 1.0, 2.0) * np.exp(-(s * s) * square / 2) * (tau / (2 * math.pi))
        power = _power(self.phi, n) * _turns(np.ones(1), s * s * theta * omega).ravel() * self.psi
        of_v = (power.real * (theta * theta - square) + 2 * theta * omega * power.imag) / (over * over)  # 1/z^2 = (theta - i w)^2/|z|^4
        # |x^n - y^n| <= n |x - y| max(|x|, |y|)^(n - 1); then the squarings, the turn and the weight.
        largest = np.exp((n - 1) * np.log(size + kappa)) * (1 + 1e-6)
        doubt = weight * largest * (n * kappa + (4 * n + len(omega) + 104) * U * (size + kappa))
        doubt = doubt * (1 + self.psi_wrong) + weight * largest * (size + kappa) * self.psi_wrong
        gone = math.exp(-_GONE * n / self.fewest) * (1 + 5 * n * self.most_wrong) * (1 + 2 * self.psi_wrong)
        last = self.J * tau
        beyond = math.exp(-(s * s) * last * last / 2) * (1 + 2 * self.psi_wrong)
        left_v = (gone + beyond) / (2 * theta * math.tanh(theta * self.period / 2)) * (1 + n * 4 * self.most_wrong)
        left_f = (gone * (2 * self.J + 1) * tau + beyond * 3 * (tau + 1 / (s * s * last))) / (2 * math.pi)
        slack_v, slack_f = (float((doubt / over).sum()) + left_v) * (1 + 1e-6), (float(doubt.sum()) + left_f) * (1 + 1e-6)
        value, density, factor = float((weight * of_v).sum()), float((weight * power.real).sum()), math.exp(s * s * theta * theta / 2)
        upper = factor * (value + slack_v) * (1 + 8 * U)
        return factor * (value - slack_v - s * s * (density + slack_f)) * (1 - 8 * U) - self.others, upper

    def valued(self, n: int, *sides: float) -> list[tuple[float, float]]:
        """Floats around each of them times M_X(theta) c^n/n, not below 0."""
        with working():
            factor = (self._logarithm * n).exp() * Decimal(self.aside) / n
            found = [Decimal(max(side, 0.0)) * factor for side in sides]
            return [outward(side * (1 - SCALAR_ERROR), side * (1 + SCALAR_ERROR)) for side in found]


@dataclass(frozen=True)
class _Tilted:
    """A measure at equal distances times e^(theta x), over its sum `total`; error: of that, in the sum of absolute errors."""

    w: Floats
    x: Floats
    total: float
    error: float
    variance: float

    @classmethod
    def of(cls, mass: Floats, at: Floats, theta: float) -> _Tilted:
        exponent = theta * at
        tilted = mass * np.exp(exponent)
        total = float(tilted.sum())
        w = tilted / total
        mean = float((w * at).sum())
        error = float((w * (EXP_ERROR + (8 + 3 * np.abs(exponent)) * U)).sum()) if len(at) > 1 else 0.0
        return cls(w, at, total, error, max(float((w * (at - mean) ** 2).sum()), 0.0))

    def at(self, omega: Floats) -> Complex:
        """Return the transform at theta + i omega, over the total: with k = a B + b, x_k = x_0 + k d, as a product of matrices."""
        found: Complex = np.ones(len(omega), dtype=np.complex128)
        if len(self.x) == 1 and self.x[0] == 0.0:
            return found
        B = math.isqrt(len(self.x)) + 1
        d = float(self.x[1] - self.x[0]) if len(self.x) > 1 else 0.0
        weights = np.pad(self.w, (0, B * B - len(self.w))).reshape(B, B).T.astype(np.complex128)
        rows, steps = max(1, _SMALL // (B * B)), np.arange(B).astype(np.float64)
        for first in range(0, len(omega), rows):
            part = omega[first : first + rows]
            slow = _turns(part, float(self.x[0]) + d * B * steps)
            found[first : first + rows] = ((_turns(part, d * steps) @ weights) * slow).sum(axis=1)
        return found

    def wrong(self, largest: float) -> float:
        """Return what these transforms err by at most, up to that omega: weights, angles, cosines and sines, the sums."""
        if len(self.x) == 1 and self.x[0] == 0.0:
            return 0.0
        of_angles = 16 * U * largest * float(np.abs(self.x).max())
        return self.error + 8 * TRIG_ERROR + 8 * (2 * math.isqrt(len(self.x)) + 8) * U + of_angles


def _transformed(w: Floats, x: Floats, *, tau: float, J: int, n: int, doubt: float) -> tuple[NDArray[np.int64], Complex] | None:
    """The j <= J at which |sum of w e^(i j tau x)|^n may be above e^-_GONE, and these sums; None where they are too many.

    Of many atoms a few of the heaviest ones show where that cannot be: what the others add is at most their weight.
    """
    gone = math.exp(-_GONE / n)
    heavy = np.argsort(-w)[:_HEAVY] if len(x) > 2 * _HEAVY else np.arange(len(x))
    others = float(w.sum()) - float(w[heavy].sum()) if len(heavy) < len(x) else 0.0
    B = math.isqrt(J) + 1
    slow, fast = _turns(np.arange(J // B + 1) * B, tau * x[heavy]) * w[heavy], np.ascontiguousarray(_turns(np.arange(B), tau * x[heavy]).T)
    products: Complex = np.empty((len(slow), B), dtype=np.complex128)
    rows = max(1, _SMALL // (len(heavy) * B))
    for row in range(0, len(slow), rows):
        np.matmul(slow[row : row + rows], fast, out=products[row : row + rows])
    phi: Complex = products.ravel()[: J + 1]
    least = max(0.0, gone - others - 2 * doubt) if others else gone
    j = np.flatnonzero(phi.real**2 + phi.imag**2 > least * least)
    if not others:
        return j, phi[j]
    reached = np.unique(j // _PART)
    if len(reached) * _PART * len(x) > _MOST_WORK:
        return None
    blocks, rows = -(-len(x) // _PART), _SMALL // _PART**2
    x, w = (np.pad(each, (0, blocks * _PART - len(x))).reshape(blocks, _PART) for each in (x, w))
    starts, steps = np.pad(reached * _PART, (0, -len(reached) % rows)), np.arange(_PART)
    sums = np.zeros((len(starts) // rows, rows, _PART), dtype=np.complex128)
    for angle, weight in zip(tau * x, w, strict=True):
        sums += (_turns(starts, angle) * weight).reshape(-1, rows, _PART) @ np.ascontiguousarray(_turns(steps, angle).T)
    j, phi = np.add.outer(reached * _PART, steps).ravel(), sums.reshape(-1, _PART)[: len(reached)].ravel()
    kept = (j <= J) & (np.abs(phi) > gone)
    return j[kept], phi[kept]


def _roundings(terms: int) -> int:
    """Return the roundings of one of the sums of `_transformed`, at most."""
    return terms if terms <= 2 * _HEAVY else max(2 * _HEAVY, _PART + terms // _PART + 1)


def _turns(k: NDArray[np.generic], angle: Floats) -> Complex:
    """e^(i k angle)."""
    angles: Floats = np.multiply.outer(k.astype(np.float64), angle)
    turned: Complex = np.empty(angles.shape, dtype=np.complex128)
    turned.real = np.cos(angles)
    turned.imag = np.sin(angles)
    return turned


def _power(x: Complex, n: int) -> Complex:
    """x^n, by squaring: relative errors of n sqrt(8) U at most, about."""
    power = x
    for bit in bin(n)[3:]:
        power = power * power
        if bit == "1":
            power = power * x
    return power


def _aliased(
    theta: float, w: Floats, x: Floats, other: _Tilted, *, n: int, s: float, deviation: float, wanted: float, doubt: float
) -> tuple[float, float]:
    """A period P, and a bound on what all k but 0 add to V, over c^n: not above `wanted`, if some P does that.

    doubt: of n ln M(t)/c, beside the roundings here.
    """
    t = np.concatenate([theta + _DISTANCES / deviation, theta * (1 - _PARTS), theta - _DISTANCES[:8] / deviation])
    t = t[(t > 0.0) & (np.abs(t - theta) * max(np.abs(x).max(), np.abs(other.x).max()) < _LARGEST_EXPONENT)]
    moved = np.abs(t - theta)
    with np.errstate(over="ignore"):
        log = n * np.log(np.exp(np.multiply.outer(t - theta, x)) @ w) + s * s * t * t / 2 - 1 - np.log(t)
        log += np.log(np.exp(np.multiply.outer(t - theta, other.x)) @ other.w) + 2 * other.error
    log += (n * (len(x) + 8) + len(other.x) + (n + 1) * 4 * _LARGEST_EXPONENT) * 4 * U + doubt + 1e-9
    periods = (4 * deviation) * _PERIODS
    apart = np.multiply.outer(periods, moved)
    with np.errstate(over="ignore"):  # infinite where it says nothing
        terms = np.exp(log - apart) / -np.expm1(-apart)
    up = t > theta
    total = (terms[:, up].min(axis=1, initial=math.inf) + terms[:, ~up].min(axis=1, initial=math.inf)) * (1 + 1e-6)
    enough = np.flatnonzero(total <= wanted)
    at = int(enough[0]) if len(enough) else int(np.argmin(total))
    return float(periods[at]), float(total[at])


def saddle(mass: Floats, at: Floats, n: float) -> tuple[float, float]:
    """About the theta with n theta K'(theta) = 2, K = ln M, and ln of about E[S_+]/n: choices."""
    scale, rest = float(np.abs(at).max()), max(0.0, 1.0 - float(mass.sum()))
    moments = _of_few(mass.tolist(), (at / scale).tolist(), rest) if len(at) <= _HEAVY else of_many(mass, at / scale, rest)
    t, guess, _ = _saddle(moments, n)
    return t / scale, guess - math.log(n) + math.log(scale)


def _saddle(moments: Moments, n: float) -> tuple[float, float, float]:
    """Return the first and, for losses of 1 at most, n times the second; and the variance there."""
    _, mean, variance = moments(0.0)
    root = math.sqrt(mean * mean / 4 + 2 * variance / n)  # where n t (mean + variance t) = 2
    start = math.log(2 / n / (root + mean / 2) if mean > 0.0 else (root - mean / 2) / variance)
    return saddle_from(min(start, _FARTHEST_START), moments, n, close=_NEAR_SADDLE, most=_MOST_SADDLE_STEPS)


def saddle_from(y: float, moments: Moments, n: float, *, close: float, most: int) -> tuple[float, float, float]:
    """Return the saddle point t, ln of about E[S_+], and the variance there, by at most so many steps in ln t from y to a close one.

    n t K'(t) - 2 crosses 0 once: Newton's steps of 3 at most, kept inside a bracket.
    """
    low, high = -math.inf, math.inf
    for _ in range(most):
        t = math.exp(y)
        K, mean, variance = moments(t)
        f, slope = n * mean * t - 2.0, n * t * (mean + t * variance)
        low, high = (low, y) if f > 0 else (y, high)
        step = max(-3.0, min(3.0, -f / slope if slope > 0 else math.inf))
        if abs(step) < close or high - low < close:
            break
        y = y + step if low < y + step < high else (low + high) / 2
    return t, n * K - 2 * math.log(t) - 0.5 * math.log(2 * math.pi * (n * variance + 2 / (t * t))), variance


def about(distribution: Sequence[tuple[float, float]], n: float) -> float:
    """Return ln of about E[S_+]/n by the saddle point, with the kink as it is for a normal sum.

    distribution: places and masses; n: above 0.
    """
    at, mass = zip(*distribution, strict=True)
    if not max(at) > 0.0:
        return -math.inf
    scale = max(map(abs, at))
    t, found, variance = _saddle(_of_few(mass, [x / scale for x in at], max(0.0, 1.0 - sum(mass))), n)
    found, u = found - math.log(n) + math.log(scale), t * math.sqrt(n * variance)
    z = u - 2 / u if u > 0.0 else -math.inf
    if not -30.0 < z < 30.0:  # the kink is nearly at the saddle point, or nothing is normal
        return found
    normal = math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * math.erfc(z / math.sqrt(2)) / 2
    return found + math.log(normal) - (u * (u / 2 - z) - 2 * math.log(u) - 0.5 * math.log(2 * math.pi * (1 + 2 / (u * u))))


def _of_few(mass: Sequence[float], x: Sequence[float], rest: float) -> Moments:
    """Return the moments of few atoms; rest: the mass at 0."""
    atoms, highest = list(zip(mass, x, strict=True)), max(x)

    def moments(t: float) -> tuple[float, float, float]:
        top = max(0.0, t * highest)
        total, first, second = rest * math.exp(-top), 0.0, 0.0
        for m, at in atoms:
            weight = m * math.exp(t * at - top)
            total, first, second = total + weight, first + weight * at, second + weight * at * at
        mean = first / total
        return top + math.log(total), mean, max(second / total - mean * mean, 1e-300)

    return moments


def of_many(mass: Floats, x: Floats, rest: float) -> Moments:
    """The same in arrays."""
    highest = float(x.max())

    def moments(t: float) -> tuple[float, float, float]:
        top = max(0.0, t * highest)
        weight = mass * np.exp(t * x - top)
        total = float(weight.sum()) + rest * math.exp(-top)
        mean = float((weight * x).sum()) / total
        return top + math.log(total), mean, max(float((weight * x * x).sum()) / total - mean * mean, 1e-300)

    return moments
