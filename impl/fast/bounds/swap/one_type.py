"""The controlled sum by one loss type alone, and what the others gain on it at most, in float64: BEYOND.controlled-sum-gained.

M f(s) = max over c of E f(s + L_c). One type L takes all m steps from f on: f_i(s) = E f(s + L_1 + ... + L_i). M does not fall and is
subadditive, so that

    M^m f <= f_m + sum over i < m of M^(m-1-i) e_i,    e_i = (M f_i - f_(i+1))_+,    M^k e^(ts) = Phi^k e^(ts), Phi = max_c E e^(t L_c),

and a bound e_i(s) <= a_i e^(ts) for all s is enough. With f(s) = E(s + g Z)_+, Z normal, and K_c(y) = E(L_c - y)_+ - E(L - y)_+,
which is 0 above all losses and is not positive below them, if L has been raised by a rounding or so,

    E f_i(s + L_c) - f_(i+1)(s) = E K_c(-s - g Z - L_1 - ... - L_i) = e^(ts) int K_c(y) e^(ty) q_i(-s - y) dy,

q_i the density of g Z + L_1 + ... + L_i times e^(tx). Let d be the integral of k(y) = K_c(y) e^(ty). Where d > 0, or hardly below, the last
integral is at most d_+ sup q_i + k_1 sup |q_i'|, k_j that of |k(y)| |y - y_0|^j. Where d < 0 it is at most

    d q_i + k_1 |q_i'| + k_2 sup |q_i''|/2 <= (k_1^2/(-2 d) + k_2/2) sup |q_i''|,    as q_i' <= (2 q_i sup |q_i''|)^(1/2).

Or -d q_i at two places, whose weights are positive, with the mean, the variance and the third moment of k/d, is subtracted: it is not
negative, and of k plus these two atoms the fourth absolute moment over 24 counts, times the supremum of q_i's fourth derivative, beside
what roundings leave of the first three moments. The smallest of these counts.

The suprema are at most the integrals over w >= 0 of w^j e^(g^2 (t^2 - w^2)/2) |M(t + iw)|^i/pi, M that of L, whose sum over i is a
geometric one. So the cost does not depend on the number of steps. Where variances are nearly alike, as where e^eps0 < 2, d is about 0, and
a sixth of a third cumulant is the factor of sup |q_i'|.
"""

import math
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.blanket import one_sum_contour
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import Type, deviation_of
from shuffleproof.impl.fast.numeric.results import EXP_ERROR, U, outward, working

Floats = one_sum_contour.Floats
_DEVIATIONS = 2.0
"""g at least, in deviations of a loss: it adds as much variance as four steps."""
_GAPS = (0.7, 0.85, 1.0, 1.3)
"""Those of g at least in gaps between losses that are tried: at the last the powers of a lattice, where they come back, have e^-33."""
_RARE = 1e-3
"""Losses that are no likelier make no lattice."""
_CELLS = 160
"""Cells of an interval that holds all losses, on which K_c counts with its largest value: k_c is larger by one part in a hundred."""
_CENTRES = 33
"""y_0 that are tried."""
_RATIO = 1.02
"""Of the ends of a cell of w, on which the integrand counts with its largest value."""
_FIRST = 0.05
"""The end of the first such cell, in inverse deviations of all steps: below it nothing has decayed."""
_SMALLEST = 1e-300
"""A variance at least: any cells are sound."""
_LAST = 9.0
"""g w at which the integral ends: e^-40 is left."""
_LARGEST_EXPONENT = 600.0
"""Exponents beyond it count as it, in a choice."""
_MOST_TILT = 300.0
"""Exponents t L at most, of all types: beyond the floats a gain would be no number, which the largest of several passes over."""
_MOST_SMOOTHED = 150.0
"""(g t)^2/2 at most for the least g: it is up to 3.5 times as much for the others, of which e^x is a float."""
_HOPELESS = 2.0
"""Times `lost`, what the smoothing of the widest type costs where the others are not looked at."""
_STEPS = 60
"""Steps to the tilt at most: any tilt is sound."""


def averages(laws: Sequence[Type], numbers: Sequence[int], *, lost: float = math.inf) -> list[float] | None:
    """Return a float not below V_S(0)/S for each S of `numbers`, which are alike and more than 1; None where there is no line.

    lost: of ln V, what is too much for this to be the way, None then; of what has to be added and of the smoothing.
    """
    low, high, most = min(float(law.at.min()) for law in laws), max(law.highest for law in laws), max(numbers)
    widest = max(laws, key=lambda law: law.square)
    if (_DEVIATIONS * _tilt(widest, _MOST_TILT / max(-low, high))[0]) ** 2 * widest.square / 2 > _HOPELESS * min(lost, _MOST_SMOOTHED):
        return None
    tilts = [_tilt(law, _MOST_TILT / max(-low, high)) for law in laws]
    foremost = max(range(len(laws)), key=lambda i: tilts[i][1])
    t, best = tilts[foremost][0], laws[foremost]
    gap = float(np.diff(best.at[best.mass > _RARE]).max(initial=0.0))
    widths = [max(_DEVIATIONS * deviation_of([best]), gap * gaps) for gaps in _GAPS]
    if (widths[0] * t) ** 2 / 2 > min(lost, _MOST_SMOOTHED):
        return None
    best = _raised(best, laws)
    phi, guess = (
        max(_transform(law, t) for law in (*laws, best)),
        one_sum_contour.about(list(zip(best.at.tolist(), best.mass.tolist(), strict=True)), most),
    )
    scale = math.exp(min(_LARGEST_EXPONENT, (most - 1) * math.log(phi) - guess)) / most
    gains = [_gains(law, best, t, low, high) for law in laws if law is not laws[foremost]]
    choices = [(_added(gains, integrals), g) for g, integrals in zip(widths, _integrals(best, t, most, widths), strict=True)]
    added, g = min(choices, key=lambda choice: math.log1p(choice[0] * scale) + (choice[1] * t) ** 2 / 2)
    if not math.isfinite(added) or math.log1p(added * scale) + (g * t) ** 2 / 2 > lost:
        return None
    alone = one_sum_contour.upper_after(best.mass, best.at, beside=(np.ones(1), np.zeros(1)), like=0, numbers=list(numbers), smoothed=g)
    if alone is None:
        return None
    with working():
        logarithm, gain = Decimal(phi).ln(), Decimal(added)
        gained = [(logarithm * (S - 1)).exp() * gain for S in numbers]
        return [
            (value + outward(more, more)[1] * (1 + 1e-9)) / S * (1 + 8 * U) for S, value, more in zip(numbers, alone, gained, strict=True)
        ]


def _tilt(law: Type, limit: float) -> tuple[float, float]:
    """Return about where E e^(tL) is least, 0 <= t <= limit, and the logarithm of that."""
    atoms = list(zip(law.at.tolist(), law.mass.tolist(), strict=True))
    t, last = 0.0, math.inf
    for _ in range(_STEPS):
        weights = [(x, p * math.exp(t * x)) for x, p in atoms]
        total = sum(p for _, p in weights)
        mean = sum(x * p for x, p in weights) / total
        variance = sum(x * x * p for x, p in weights) / total - mean * mean
        step = -mean / variance if variance > 0.0 else 0.0
        t = min(limit, max(0.0, t + max(-last / 2, min(last / 2, step)) if math.isfinite(last) else t + step))
        if abs(step) <= 1e-6 * t or t in (0.0, limit):
            break
        last = abs(step)
    return t, math.log(sum(p * math.exp(t * x) for x, p in atoms))


def _transform(law: Type, t: float) -> float:
    """Return E e^(tL), not less."""
    exponent = t * law.at
    errors = EXP_ERROR + (len(law.at) + 12 + 3 * np.abs(exponent)) * U
    return float((law.mass * np.exp(exponent) * (1 + errors)).sum())


def _potentials(law: Type, y: Floats) -> Floats:
    """Return E(L - y)_+, to a relative error of 2 (len + 4) U."""
    found: Floats = law.mass @ np.maximum(law.at[:, None] - y, 0.0)
    return found


def _raised(best: Type, laws: Sequence[Type]) -> Type:
    """Return `best` with masses so much larger that below all losses its E(L - y)_+ is no less than any other's.

    All these are linear there, with minus the total as slope: the totals decide, and the values at the least loss.
    """
    least = np.array([min(float(law.at.min()) for law in laws)])
    doubt = 1 + 8 * (max(len(law.at) for law in laws) + 4) * U
    own, factor = float(_potentials(best, least)[0]), 1.0
    for law in laws:
        factor = max(factor, law.total / float(best.mass.sum()), float(_potentials(law, least)[0]) / own if own > 0.0 else math.inf)
    return Type.of(best.mass * (factor * doubt * doubt), best.at)


def _gains(law: Type, best: Type, t: float, low: float, high: float) -> list[tuple[float, ...]]:
    """Return choices of the factors of sup |q_i^(j)|, j = 0, ..., 4, not less; one where d is not below 0."""
    y = np.unique(np.concatenate([np.linspace(low, high, _CELLS), law.at, best.at]))
    own, others = _potentials(best, y), _potentials(law, y)
    doubt = 4 * (max(len(law.at), len(best.at)) + 4) * U
    more, known = others - own + doubt * (own + others), 2 * doubt * (own + others)  # not less than K_c, and linear between these y
    a, b, K, M = y[:-1], y[1:], more[:-1], more[1:]
    width, middle, weight = b - a, (a + b) / 2, (b - a) * np.exp(t * b) * (1 + 1e-9)
    size, doubts = np.maximum(np.abs(K), np.abs(M)) + known[:-1], weight * known[:-1]
    weight, values = weight * size, width * np.exp(t * middle) / 6 * np.array([K, 2 * (K + M), M])
    unsure = weight * (np.expm1(t * width / 2) + 64 * U) + doubts

    def moment(j: int, centre: float) -> tuple[float, float]:
        """Integrate (y - centre)^j e^(ty) times `more` by Simpson's rule, which is exact to the third power; how wrong for K_c, at most."""
        wrong = float((unsure * np.maximum(np.abs(a - centre), np.abs(b - centre)) ** j).sum())
        if j == 3:  # width^5/2880 of the fourth derivative, 24 slopes
            wrong += float((np.exp(t * b) * width**4 * np.abs(M - K)).sum()) / 120
        return float((values * (np.array([a, middle, b]) - centre) ** j).sum()), wrong * (1 + 1e-6)

    centres = np.linspace(low, high, _CENTRES)[:, None]
    far = np.maximum(np.abs(a - centres), np.abs(b - centres))
    first, second = far @ weight, (far * far) @ weight
    d, wrong = moment(0, 0.0)
    choices: list[tuple[float, ...]] = [(max(0.0, d + wrong), float(first.min()), 0.0, 0.0, 0.0)]
    if d + wrong < 0.0:
        mass = -(d + wrong)
        choices.append((0.0, 0.0, float((first * first / (2 * mass) + second / 2).min()) * (1 + 1e-9), 0.0, 0.0))
        mean = moment(1, 0.0)[0] / d
        moments = [moment(j, mean) for j in (1, 2, 3)]
        variance, third = max(0.0, -moments[1][0] / mass), -moments[2][0] / mass
        apart = third / variance if variance > 0.0 else 0.0
        up = (apart + math.sqrt(apart * apart + 4 * variance)) / 2
        down = up - apart
        p = down / (up + down) if up + down > 0.0 else 1.0
        left = [0.0]
        for j, (value, wrong) in enumerate(moments, 1):
            of_atoms = mass * (p * up**j + (1 - p) * (-down) ** j)
            left.append((abs(value + of_atoms) + wrong + 64 * U * (abs(value) + mass * (up**j + down**j))) / math.factorial(j))
        fourth = float(weight @ np.maximum(np.abs(a - mean), np.abs(b - mean)) ** 4) + mass * (p * up**4 + (1 - p) * down**4)
        choices.append((*left, fourth / 24 * (1 + 1e-9)))
    return choices


def _added(gains: Sequence[Sequence[tuple[float, ...]]], integrals: Sequence[float]) -> float:
    """Return the sum over all steps of the largest gain, not less: each type's by the smallest of its bounds."""

    def worth(factors: Sequence[float]) -> float:
        return sum(factor * integral for factor, integral in zip(factors, integrals, strict=True))

    chosen = [min(choices, key=worth) for choices in gains]
    return worth([max(column) for column in zip(*chosen, strict=True)]) * (1 + 1e-9) if chosen else 0.0


def _integrals(best: Type, t: float, most: int, widths: Sequence[float]) -> list[list[float]]:
    """Return those over w >= 0 of w^j e^(g^2 (t^2 - w^2)/2) min(most, 1/(1 - |M(t + iw)/M(t)|))/pi, j = 0, ..., 4, not less, for each g.

    On each cell every factor counts with its largest value.
    """
    weights = best.mass * np.exp(t * best.at)
    weights = weights / weights.sum()
    deviation = math.sqrt(max(float(weights @ (best.at - float(weights @ best.at)) ** 2), _SMALLEST))
    first, last = _FIRST / (deviation * math.sqrt(most)), _LAST / min(widths)
    cells = max(1, math.ceil(math.log(last / first) / math.log(_RATIO)))
    w = np.concatenate([[0.0], first * np.power(last / first, np.arange(cells + 1) / cells)])
    low, high = w[:-1], w[1:]
    lost = np.zeros(len(low))  # 1 - |M(t + iw)/M(t)|^2, a sum of squares of sines, which are least at an end of a cell or 0 within
    for i in range(len(weights)):
        for j in range(i):
            half = abs(float(best.at[i] - best.at[j])) / 2
            squares = np.maximum(0.0, np.abs(np.sin(w * half)) - 2 * one_sum_contour.TRIG_ERROR - 4 * U * half * w) ** 2
            least = np.minimum(squares[:-1], squares[1:])
            least[np.floor(low * half / math.pi - 1e-9) != np.floor(high * half / math.pi + 1e-9)] = 0.0
            lost += 4 * weights[i] * weights[j] * least
    steps = 1 / np.maximum(lost / 2 * (1 - 1e-9), 1 / most)
    weighted, found = (high - low) * steps * np.array([high**j for j in range(5)]), []
    for g in widths:
        outside = (
            most * math.exp(-((g * last) ** 2) / 2) * 2 / (g * g)
        )  # times w^(j - 1), which grows more slowly than half of the rest falls
        factor = math.exp(g * g * t * t / 2) / math.pi * (1 + 1e-9)
        sums = weighted @ np.exp(-(g * g) * low * low / 2)
        found.append([factor * (float(each) + outside * math.pow(last, j - 1)) for j, each in enumerate(sums)])
    return found
