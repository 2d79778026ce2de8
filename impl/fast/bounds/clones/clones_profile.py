"""The profile delta(epsilon) of a pair of the clones family with both sides in float64, by summation by parts over the number of clones.

Given C = c, order the c + 2 outcomes so that d_c(a) = P - E Q = u f_c(a) - v f_c(a - 1), f_c the PMF of Bin(c, 1/2), is positive for
a < tau_c, 0 at tau_c and negative beyond (clones_constants.py); with t_c = floor(tau_c), B(c) = sum over a <= t_c of d_c(a) is the inner
hockey-stick divergence.
One more clone averages neighbours, d_{c+1}(a) = (d_c(a) + d_c(a-1))/2, and only at a = t_c + 1 do the two signs meet. Hence, exactly,

    B(c) - B(c + 1) = D(c) = min(d_c(t), -d_c(t + 1))/2 = (u+v)/2 f_c(t) min((tau - t)/(c + 1 - t), (t + 1 - tau)/(t + 1)),

which reproves FMT21, Lemma F.2 (B is non-increasing), and for any window of c from l to R with running masses W(c) = Pr(l <= C <= c)

    sum over the window of Pr(c) B(c) = sum over the window of W(c) D(c) + W(R) B(R + 1).

All terms are positive; masses and f_c(t_c) follow from ratios of neighbours, B(R + 1) from its own positive series. Outside the window:

    B(l - j) <= v (4/3)(2 sqrt(l) + 1) f_l(t_l) phi^-j    left, slow: B(c) <= u F_c(tau) <= u r^(1/(1+r)) phi^c by Chernoff, and
        f_l(t_l) >= r^(1/(1+r)-1) phi^l times the largest mass of Bin(l, rho), at least 3/4 / (2 sqrt(l) + 1) by Chebyshev
    B(l - j) <= 2^j B(l)                                  left, steep: D(c) <= d_c(t)/2 <= B(c)/2, so B(c) <= 2 B(c + 1)
    B(R + 1 + j) <= B(R + 1)                              right, flat
    B(R + 1 + j) <= v r/(r - 1) f_{R+1}(t_{R+1}) phi^j    right, falling: B(c) <= u f_c(t)/(1 - 1/r), as f_c(a-1)/f_c(a) <= 1/r for
        a <= t; t_c is a mode of Bin(c, rho), whose largest mass does not grow with c, so f_{c+j}(t_{c+j}) <= r phi^j f_c(t_c)

Thresholds. The fractional part of tau is known to within ETA. As tau passes an integer both forms of D meet at 0, so an error of
ETA, even one that moves t by one, changes D(c) by at most (u+v)/2 f_c(t) ETA/(t + 1), and B(c) by ETA times its series without
the factors (tau - a), plus that: these slacks are added up and given to both sides.
"""

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_constants import ETA, ClonesConstants, LocalConstants, thresholds
from shuffleproof.impl.fast.bounds.clones.clones_mixture import LARGEST, SMALLEST, STEPS, Floats, Mixture, pieces, window
from shuffleproof.impl.fast.numeric.convolution import scratch
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, SURE, accumulated, out_of_range, outward, working
from shuffleproof.spec.vocabulary.numerals import Epsilon

_TAIL_SHARE = 1e-10
"""Relative size of the tails next to the upper side at which a window is wide enough: a tenth of `clones.TOLERANCE`."""
_FIRST_SPREAD = 36.0
"""Minus the logarithm of what the first window leaves out, about: e^-36 is 2e-16, a rounding. A choice only: tails are bounded."""
_WIDER = 1.25
"""Factor by which the spread grows while the tails weigh too much. Costs a new window at most."""
_MOST_SPREAD = 400.0
"""Spread beyond which windows are not widened: e^-400 is 1e-174: the tails are then added as they are."""
_SERIES_SPREAD = 36.0
"""Minus the logarithm of what the last inner sum leaves out, about: a rounding. A choice only: the rest of the series is bounded."""
_LOOSE = 2.0**-16
"""Relative slack of the tails: far more than the few dozen roundings, and the errors of thresholds, that go into them."""
_UNDERFLOW = 1e-280
"""More than 10^6 products lose by falling below the normal floats, 2^-1074 each: factors stay within SMALLEST and LARGEST."""


@dataclass(frozen=True)
class Walk:
    """f_c(t_c) relative to the one at the anchor, and where the thresholds lie, for c = left .. right + 1.

    t and a = tau - t in [0, 1], as floats; pmf: f_c(t_c)/f_anchor(t_anchor); roundings: how many went into each at most.
    Valid until the next walk, which uses the same memory.
    """

    t: Floats
    a: Floats
    pmf: Floats
    roundings: int


class ClonesProfile:
    """delta(epsilon) of the pair of one odds factor for one n <= 10^9 and one epsilon0 > 0; keeps its last window of masses."""

    def __init__(self, *, n: int, odds_factor: int, epsilon0: Epsilon) -> None:
        self.m = n - 1
        self.local = LocalConstants.at(epsilon0, odds_factor=odds_factor)
        with working():
            self.odds = float(odds_factor / self.local.T_minus_1)
        self._mixture: Mixture | None = None

    def delta(self, epsilon: Epsilon) -> tuple[float, float]:
        """Floats lower <= delta(epsilon) <= upper, for 0 <= epsilon < epsilon0; (0, SURE) if certainly below SURE.

        Raises UnsupportedError where epsilon is too near epsilon0 or sums leave the range of floats.
        """
        constants = ClonesConstants.at(self.local, epsilon)
        # delta <= u r^(1/(1+r)) (1 - p (1 - phi))^m < 1.33 exp(-m p (1 - phi)), and 1.33 e^-704 < SURE
        if self.m * self.odds / (1 + self.odds) * (1 - constants.phi_upper) > 704.0:
            return 0.0, SURE
        exact = constants.single_atom(m=self.m)
        if exact is not None:
            with working():
                return _floored(*outward(exact * (1 - SCALAR_ERROR), exact * (1 + SCALAR_ERROR)))
        spread = _FIRST_SPREAD
        while True:
            mixture = self._window(constants, spread)
            sides = _relative_sides(mixture, constants)
            if sides.tails <= sides.upper * _TAIL_SHARE or spread > _MOST_SPREAD:
                break
            spread *= _WIDER
        if not sides.tails < math.inf:
            raise out_of_range(f"the tails do not converge in a window of {len(mixture.masses)} counts")
        with working():
            scale = self.local.log_mass(m=self.m, c=mixture.anchor, t=sides.t).exp() * constants.u_plus_v
            ends = outward(Decimal(sides.lower) * scale * (1 - SCALAR_ERROR), Decimal(sides.upper) * scale * (1 + SCALAR_ERROR))
        return _floored(*ends)

    def _window(self, constants: ClonesConstants, spread: float) -> Mixture:
        """The masses kept from last time if they cover what is wanted without being far too many."""
        left, anchor, right = window(m=self.m, odds=self.odds, phi=constants.phi_upper, spread=spread)
        kept = self._mixture
        if kept is None or not (kept.left <= left and right <= kept.right and len(kept.masses) <= 1.6 * (right - left + 1)):
            kept = self._mixture = Mixture.around(m=self.m, odds=self.odds, left=left, anchor=anchor, right=right)
        return kept


@dataclass(frozen=True)
class Sides:
    """Both sides of delta divided by (u + v) Pr(C = anchor) f_anchor(t), the share of the tails in the upper one, and that t."""

    lower: float
    upper: float
    tails: float
    t: int


@np.errstate(over="ignore", under="ignore")
def _relative_sides(mixture: Mixture, constants: ClonesConstants) -> Sides:
    walk = _walk(mixture, constants)
    # Below 1, tau is known to within ETA relatively: it is k low, or the sum of two positive numbers.
    eta = ETA * min(1.0, (mixture.right + 2) * float(constants.rho) * (1 + _LOOSE))
    steep = mixture.left_tail(2.0)
    inside = uncertain = drop = 0.0  # drop: B(left) - B(R + 1), over (u + v)/2, from above; wanted only where the steep tail is finite
    for piece in pieces(len(mixture.masses)):
        t, a = walk.t[piece], walk.a[piece]
        below = t + 1
        share = a * below
        share /= mixture.counts(piece) - t
        np.minimum(share, 1 - a, out=share)
        pmf = np.divide(walk.pmf[piece], below, out=below)
        if steep < math.inf:
            drop += float((pmf * (share + eta)).sum())
        pmf *= mixture.cumulative[piece]
        uncertain += float(pmf.sum())
        pmf *= share
        inside += float(pmf.sum())

    end = _last_inner_sum(mixture.right + 2, float(walk.t[-1]), float(walk.a[-1]), eta)
    last_pmf, total = float(walk.pmf[-1]), float(mixture.cumulative[-1])
    middle = 0.5 * inside + total * last_pmf * end.sum
    slack = 0.5 * uncertain * eta + total * last_pmf * end.slack + _UNDERFLOW
    # Each term: 2 roundings for the share, 6 to weight it; 8 at most for what follows the sums; and gamma^2 for dividing by 1 - gamma.
    error = accumulated(mixture.sum_roundings + walk.roundings + len(mixture.masses) + end.roundings + 24)
    if not (1e-200 < middle < 1e200 and walk.pmf.min() > SMALLEST and walk.pmf.max() < LARGEST):
        raise out_of_range("sums leave the range of floats")

    B_after = last_pmf * (end.sum + end.slack) * (1 + _LOOSE)  # B(R + 1)/(u + v), from above
    B_first = (B_after + 0.5 * drop) * (1 + _LOOSE)
    tails = _right_tail(mixture, constants, B_after, last_pmf) + _left_tail(mixture, constants, B_first * steep, float(walk.pmf[0]))
    tails *= 1 + _LOOSE
    lower, upper = middle * (1 - error) - 2 * slack, middle * (1 + error) + 2 * slack + tails
    return Sides(max(lower, 0.0), upper, tails, int(walk.t[mixture.anchor - mixture.left]))


def _walk(mixture: Mixture, constants: ClonesConstants) -> Walk:
    """f_{c+1}(t)/f_c(t) = (c + 1)/2/(c + 1 - t) and f_{c+1}(t + 1)/f_c(t) = (c + 1)/2/(t + 1): 2 roundings a step."""
    t, a = thresholds(mixture.left + 1, len(mixture.masses) + 1, constants.rho)
    steps, middle = len(t) - 1, mixture.anchor - mixture.left
    pmf = scratch("pmf", steps + 1)
    for piece in pieces(steps):
        before, counts = t[piece], mixture.counts(piece)
        # t rises by 0 or 1 a step: tau rises by rho, 10^-9 < 1/(m + 1) < rho <= 1/2 (see single_atom), and is known to within ETA
        rises = t[piece.start + 1 : piece.stop + 1] > before
        half, divisor = counts * 0.5, np.where(rises, before + 1, counts - before)
        up = min(max(middle - piece.start, 0), len(half))
        np.divide(half[up:], divisor[up:], out=pmf[piece.start + up + 1 : piece.stop + 1])
        np.divide(divisor[:up], half[:up], out=pmf[piece.start : piece.start + up])
    pmf[middle] = 1.0
    np.cumprod(pmf[middle + 1 :], out=pmf[middle + 1 :])
    np.cumprod(pmf[:middle][::-1], out=pmf[:middle][::-1])
    return Walk(t, a, pmf, 2 * max(middle, steps - middle))


@dataclass(frozen=True)
class InnerSum:
    """B(c)/((u + v) f_c(t)): its value, what to add and subtract for thresholds and the terms left out, and its roundings."""

    sum: float
    slack: float
    roundings: int


def _last_inner_sum(c_plus_1: int, t: float, a: float, eta: float) -> InnerSum:
    """Sum over k = 0 .. t of Pi_k (a + k)/(c + 1 - t + k), Pi_k = product over j = t, ..., t - k + 1 of f_c(j - 1)/f_c(j) = j/(c + 1 - j).

    Since d_c(a) = (u + v) f_c(a) (tau - a)/(c + 1 - a). Terms after the K-th add at most Pi_K rho/(1 - (t - K)/(c + 1 - t + K)).
    """
    steepness = math.log((c_plus_1 - t) / t) if t > 0 else math.inf
    wanted = 2 * _SERIES_SPREAD / (steepness + math.sqrt(steepness**2 + 8 * _SERIES_SPREAD / c_plus_1))
    terms = int(min(t + 1, wanted + 2))
    weighted = unweighted = 0.0
    product = 1.0
    for piece in pieces(terms):
        k = STEPS[: piece.stop - piece.start] + piece.start
        ratio = scratch("ratio", len(k) + 1)
        ratio[0] = product
        above = k + (c_plus_1 - t)
        np.divide(t - k, above, out=ratio[1:])
        np.cumprod(ratio, out=ratio)  # Pi_k, one more than in the piece
        product = float(ratio[-1])
        share = np.divide(ratio[:-1], above, out=above)
        unweighted += float(share.sum())
        k += a
        k *= share
        weighted += float(k.sum())
    rest = 0.0
    if terms <= t:
        rest = product / (1 - (t - terms) / (c_plus_1 - t + terms))
    slack = eta * (unweighted + 1 / (t + 1)) + rest
    return InnerSum(weighted, slack, 3 * terms + 8)


def _left_tail(mixture: Mixture, constants: ClonesConstants, steep: float, first_pmf: float) -> float:
    """The smaller of the two bounds: steep, given, and slow."""
    v = 1 - float(constants.rho)
    factor = v * (4 / 3) * (2 * math.sqrt(mixture.left) + 1) * first_pmf * (1 + _LOOSE)
    return min(steep, factor * mixture.left_tail((1 + _LOOSE**2) / constants.phi_lower))


def _right_tail(mixture: Mixture, constants: ClonesConstants, B_after: float, last_pmf: float) -> float:
    flat = B_after * mixture.right_tail(1.0)
    if constants.y < 1e-9:
        return flat
    factor = (1 - float(constants.rho)) ** 2 / constants.y * last_pmf * (1 + _LOOSE)
    return min(flat, factor * mixture.right_tail(constants.phi_upper))


def _floored(lower: float, upper: float) -> tuple[float, float]:
    """The sides, or (0, SURE)."""
    return (lower, min(upper, 1.0)) if upper >= SURE else (0.0, SURE)
