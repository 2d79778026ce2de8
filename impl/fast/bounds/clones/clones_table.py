"""The profile of one pair of the clones family at many epsilon, from tables that do not depend on epsilon (clones_weights.py).

Summation by parts as in clones_profile.py: with d_c(a) = (u+v) c! 2^-c (tau_c - a)/(a! (c+1-a)!), tau_c = (c+1) rho, t = floor(tau_c),

    delta = sum over the window l .. R of W(c) D(c) + W(R) B(R+1) + tails,   D(c) = min(d_c(t), -d_c(t+1))/2,   B(c) = sum_{a<=t} d_c(a),

where W(c) is the mass from the tables' first count L <= l up to c. What this leaves out on the left, sum_{c<L} Pr(c) B(c) and
sum_{L<=c<l} W(c) D(c) = sum_{L<=c<l} Pr(c) (B(c) - B(l)), is at least 0 and at most sum_{c<l} Pr(c) B(c), the left tail bounded there.

Which of the two in D(c) is the smaller? With a = tau_c - t, d_c(t) <= -d_c(t+1) iff a (t+1) <= (1-a) (c+1-t) iff a (c+2) <= c+1-t iff
tau_{c+1} = tau_c (c+2)/(c+1) <= t+1. So it is the one at i = floor(tau_{c+1}), be that t or t + 1 (at t + 1 = tau_{c+1} both agree):

    W(c) D(c) = (u+v)/2 W(c) c! 2^-c/(i! (c+1-i)!) |f - rho| = (u+v) K/2 X(c) H(i) H(c+1-i) |f - rho|,   f = tau_{c+1} - i,
    W(R) B(R+1) = (u+v) K W(R)/P(R+1) sum over k = 0 .. t of H(t-k) H(R+2-t+k) (f + k),   t and f those of tau_{R+1}.

All terms are positive, so relative errors add up: 10 roundings for X, 5 for the product of entries of H, 3 more. Sums fold the array
onto itself, a rounding a fold, and end in math.fsum: 8 at most. A dozen follow: fewer than the 48 granted.

Thresholds. f is known to within U (1 + 2^-18), and where it is below 1 in floats tau_{c+1} is below the next integer; so an integer k is
at most taken too early, within that. D(c) is continuous in tau_{c+1} there, as (1-rho) H(k-1) H(c+2-k) = rho H(k) H(c+1-k) at
(c+2) rho = k; taking k too early costs at most 3 U of H(k) H(c+1-k), the larger of the two products. With the rounding of rho, 5 U of
X(c) H(i) H(c+1-i) in each term cover all this, and 5 U of H(t-k) H(R+2-t+k). Where all tau are below 1 they are known relatively.

A value depends on n, epsilon0 and epsilon alone, to the last bit: windows are chosen for epsilon, entries of tables do not depend on
the range asked for, and nothing else is kept. Where floats do not reach, or tails are heavy, clones_profile.py answers, starting afresh.
"""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_constants import LONG, ClonesConstants, LocalConstants, scaled, split
from shuffleproof.impl.fast.bounds.clones.clones_mixture import STEPS, Floats, pieces, window
from shuffleproof.impl.fast.bounds.clones.clones_profile import FLOOR, ClonesProfile
from shuffleproof.impl.fast.numeric.convolution import scratch
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, U, accumulated, outward, working
from shuffleproof.spec.vocabulary.numerals import Epsilon

if TYPE_CHECKING:
    from shuffleproof.impl.fast.bounds.clones.clones_weights import ClonesWeights

ETA = 5 * U
"""What thresholds cost, as a part of a term without its factor |f - rho|."""
SPREAD = 48.0
"""Minus the logarithm of what windows and series leave out, about: e^-48 is 1.4e-21, far below TAIL_SHARE. A choice
only: tails are bounded."""
TAIL_SHARE = 1e-13
"""Tails above this part of the value are clones_profile.py's to narrow down."""
ROUNDINGS = 48
"""Roundings granted to a value; the module's text counts 38 at most. Fewer would be unsound."""
_DEEPEST = 704.0
"""Minus the logarithm of delta, nearly, from which it is certainly below FLOOR: 1.33 e^-704 < 1e-305 (clones_profile.py)."""
_LOOSE = 1 + 2.0**-16
"""Factor on tails: more than the few dozen roundings, and the errors of thresholds, that go into them, 1e-14 together."""
_LEAST = 1e-200
"""Least sum that is answered here, relative to the anchor: a hundred decades above the subnormal floats, so that no
term that counts is one."""
_LEAST_PRODUCT = 1e-300
"""Least product of two entries of H in reach: above the least normal float, 2.2e-308, so that the count of roundings holds."""
_IOTA = np.arange(len(STEPS) + 1, dtype=np.intp)
_FOLDED = 256
"""Length from which math.fsum adds an array: pieces of 2^14 come down to it in six foldings, which the count of
roundings has. Halving it adds a rounding."""
_MOST_KEPT = 4
"""Tables kept from one call to the next, the least recently used dropped: each takes megabytes at n = 10^9."""
_MORE = 32
"""Entries by which a table H grows beyond what is asked, with an eighth of its length: the next epsilon wants them.
Costs time at most."""


class ClonesTable:
    """delta(epsilon) of the pair of one odds factor for one n <= 10^9 and one epsilon0 in [1e-200, 700]. For one thread at a time."""

    def __init__(self, *, n: int, odds_factor: int, epsilon0: Epsilon) -> None:
        self.n, self.m = n, n - 1
        self.local = LocalConstants.at(epsilon0, odds_factor=odds_factor)
        with working():
            self.odds = float(odds_factor / self.local.T_minus_1)
            self.mean = float(self.m * odds_factor / self.local.total)
        self._weights: ClonesWeights | None = None
        self._usable = True

    def delta(self, epsilon: Epsilon) -> tuple[float, float]:
        """Floats lower <= delta(epsilon) <= upper, for 0 <= epsilon < epsilon0; (0, FLOOR) if certainly below FLOOR.

        Raises UnsupportedError where epsilon is too near epsilon0 or sums leave the range of floats.
        """
        constants = ClonesConstants.at(self.local, epsilon)
        if self.mean * (1 - constants.phi_upper) > _DEEPEST:  # see clones_profile.py
            return 0.0, FLOOR
        exact = constants.single_atom(m=self.m)
        if exact is None:
            sides = self._sides(constants)
            if sides is None:
                return ClonesProfile(n=self.n, odds_factor=self.local.odds_factor, epsilon0=self.local.epsilon0).delta(epsilon)
            lower, upper = sides
        else:
            with working():
                lower, upper = outward(exact * (1 - SCALAR_ERROR), exact * (1 + SCALAR_ERROR))
        return (lower, min(upper, 1.0)) if upper >= FLOOR else (0.0, FLOOR)

    def _sides(self, constants: ClonesConstants) -> tuple[float, float] | None:
        """Both sides of delta, or None where the tables do not do."""
        if self._weights is None and self._usable:
            from shuffleproof.impl.fast.bounds.clones.clones_weights import ClonesWeights

            least_phi = max(0.5, 1 - _DEEPEST / max(self.mean, 1.0))
            self._weights = ClonesWeights.of(self.local, m=self.m, least_phi=least_phi, spread=SPREAD)
            self._usable = self._weights is not None
        if self._weights is None:
            return None
        left, _, right = window(m=self.m, odds=self.odds, phi=constants.phi_upper, spread=SPREAD)
        left, right = max(left, self._weights.left), min(right, self._weights.right)
        if left > right:
            return None
        return Sum(self._weights, constants, left, right).sides()


class _Kept(threading.local):
    def __init__(self) -> None:
        self.tables: dict[tuple[int, int, Epsilon], ClonesTable] = {}


_kept = _Kept()


def table(*, n: int, odds_factor: int, epsilon0: Epsilon) -> ClonesTable:
    """The table of a pair; those last asked for by this thread are kept."""
    key = (n, odds_factor, epsilon0)
    found = _kept.tables.pop(key, None) or ClonesTable(n=n, odds_factor=odds_factor, epsilon0=epsilon0)
    _kept.tables[key] = found
    if len(_kept.tables) > _MOST_KEPT:
        del _kept.tables[next(iter(_kept.tables))]
    return found


class Sum:
    """The sum over c = left .. right at one epsilon, in units of (u + v) K."""

    def __init__(self, weights: ClonesWeights, constants: ClonesConstants, left: int, right: int) -> None:
        self.weights, self.constants, self.left, self.right = weights, constants, left, right
        self.scaled_rho = scaled(constants.rho)  # cut off: at most 2^30 2^-140 of tau, and rho > 10^-9
        self.rho = float(constants.rho)

    @np.errstate(under="ignore")  # a term may be next to nothing; fewer than 10^6 of them lose less than 10^-317
    def sides(self) -> tuple[float, float] | None:
        """Both sides of delta, or None where floats do not reach or tails are heavy."""
        from shuffleproof.impl.fast.bounds.clones.clones_weights import H_AT_ANCHOR

        t, f = self._threshold(self.right + 2)
        length = self._series_length(t)
        X = self.weights.X[self.left - self.weights.left : self.right - self.weights.left + 1]
        if not self._within_reach(t, length, float(X.min())):
            return None
        inside, of_inside = self._window(X)
        last, of_last, rest = self._last_inner_sum(t, f, length)
        ratio = float(X[-1]) * (self.right + 1) / float(self.weights.P.x)  # W(R)/P(R + 1)
        middle = 0.5 * inside + ratio * last
        tails = (ratio * rest + self._right_tail(t, last + of_last * ETA + rest) + self._left_tail()) * _LOOSE
        if not (middle > _LEAST and tails <= TAIL_SHARE * middle):
            return None
        eta = ETA * min(1.0, (self.right + 3) * self.rho) * _LOOSE
        slack = eta * (0.5 * of_inside + ratio * of_last)
        error = accumulated(ROUNDINGS)
        scale = self.weights.K * float(self.constants.u_plus_v)
        # The powers of two that H carries are taken out one by one: everything stays normal where delta is FLOOR or more.
        lower, upper = max(middle * (1 - error) - slack, 0.0), middle * (1 + error) + slack + tails
        return lower / H_AT_ANCHOR * scale / H_AT_ANCHOR, upper / H_AT_ANCHOR * scale / H_AT_ANCHOR

    def _within_reach(self, t: int, length: int, least_X: float) -> bool:
        """Have the entries of H that are wanted; whether the products of two of them, and of X, are all normal.

        H has one mode, so in a range it is least at an end. In the window these are i from t_l - 2 to t + 2 and j from l - t_l - 2 to
        R + 4 - t; in the last inner sum H(t-k) H(R+2-t+k) falls with k, as H is log-concave and t <= R + 2 - t.
        """
        H, first = self.weights.H, max(self._threshold(self.left + 1)[0] - 2, 0)
        low, middle, high = max(min(first, t - length), 0), self.right + 4 - t, self.right + 4 - t + length
        if not H.first <= low <= high <= H.last:  # some more than is wanted now: the next epsilon will want it
            more = _MORE + (high - low) // 8
            H.cover(max(low - more, 0), high + more)
            if not H.first <= low <= high <= H.last:
                return False
        least_i, least_j = min(H.at(first), H.at(t + 2)), min(H.at(max(self.left - first - 4, low)), H.at(middle))
        return min(least_i * least_j * min(least_X, 1.0), H.at(low) * H.at(high)) > _LEAST_PRODUCT

    def _window(self, X: Floats) -> tuple[float, float]:
        """Sum over c of X(c) H(i) H(c+1-i) |f - rho|, and without the last factor.

        In each piece tau_{c+1} = (its integer part at the start) + x + y, x = F + j R with F < 1 and R < 1/2 multiples of 2^-36 and
        j < 2^14, exact in floats, and y < 2^-21 from the rest of both: all positive.
        """
        H = self.weights.H
        high, low = split(self.scaled_rho)
        sums, of_sums = [], 0.0
        for piece in pieces(len(X)):
            length, c = piece.stop - piece.start, self.left + piece.start
            whole, fraction = divmod((c + 2) * self.scaled_rho, 2**LONG)
            start, rest = split(fraction)
            j = STEPS[:length]
            f, risen, terms = (scratch(name, length) for name in ("f", "risen", "terms"))
            np.multiply(j, high, out=f)
            f += start
            np.floor(f, out=risen)
            f -= risen
            np.multiply(j, low, out=terms)
            terms += rest
            f += terms
            if f.max() >= 1:
                over = f >= 1
                risen += over
                f -= over
            f -= self.rho
            np.abs(f, out=f)
            by = risen.astype(np.intp)
            spare = int(c + 1 - whole > H.first)  # one more below: `by` may exceed j by one
            np.take(H.values[whole - H.first :], by, mode="clip", out=terms)
            np.subtract(_IOTA[spare : spare + length], by, out=by)
            np.take(H.values[c + 1 - whole - spare - H.first :], by, mode="clip", out=risen)
            terms *= risen
            terms *= X[piece]
            of_sums += float(terms.sum())
            terms *= f
            sums.append(total(terms))
        return math.fsum(sums), of_sums

    def _last_inner_sum(self, t: int, f: float, length: int) -> tuple[float, float, float]:
        """Sum over k = 0 .. t of H(t-k) H(R+2-t+k) (f + k): the first `length` terms, them without the last factor, a bound on the rest.

        (tau - a)/(c + 1 - a) <= rho for a >= 0, and masses of Bin(c, 1/2) fall at least geometrically from a on: so, for c = R + 1 and a =
        t - length, the rest is below H(a) H(c+1-a) (c+1-a) rho/(1 - a/(c+1-a)).
        """
        H, above = self.weights.H, self.right + 2 - t
        sums, of_sums = [], 0.0
        for piece in pieces(length):
            k, size = piece.start, piece.stop - piece.start
            terms = (
                H.values[t - k - size + 1 - H.first : t - k + 1 - H.first][::-1]
                * H.values[above + k - H.first : above + k + size - H.first]
            )
            of_sums += float(terms.sum())
            terms *= STEPS[:size] + (k + f)
            sums.append(total(terms))
        rest, a = 0.0, t - length
        if a >= 0:
            rest = H.at(a) * H.at(above + length) * (above + length) * self.rho / (1 - a / (above + length))
        return math.fsum(sums), of_sums, rest * _LOOSE

    def _left_tail(self) -> float:
        """(1-rho) (4/3) (2 sqrt(l) + 1) f_l(t_l) times the sum of Pr(l - j) phi^-j: see clones_profile.py."""
        left, weights = self.left, self.weights
        t, _ = self._threshold(left + 1)
        mass = weights.H.at(t) * weights.H.at(left + 1 - t) * (left + 1 - t) / weights.P.at(left)
        factor = (1 - self.rho) * (4 / 3) * (2 * math.sqrt(left) + 1) * mass
        return factor * weights.left_tail(left, _LOOSE / self.constants.phi_lower)

    def _right_tail(self, t: int, last: float) -> float:
        """The smaller of B(R+1) times the mass beyond R, and (1-rho)^2/y f_{R+1}(t_{R+1}) times the sum of Pr(R+1+j) phi^j."""
        right, weights, constants = self.right, self.weights, self.constants
        flat = last * weights.right_tail(right, 1.0)
        if constants.y >= 1e-9:
            mass = weights.H.at(t) * weights.H.at(right + 2 - t) * (right + 2 - t)
            flat = min(flat, (1 - self.rho) ** 2 / constants.y * mass * weights.right_tail(right, constants.phi_upper) * _LOOSE)
        return flat / weights.P.at(right + 1)

    def _threshold(self, k: int) -> tuple[int, float]:
        """Integer and fractional part of k rho; the fraction within U, and at most 1."""
        whole, fraction = divmod(k * self.scaled_rho, 2**LONG)
        return whole, fraction / 2**LONG

    def _series_length(self, t: int) -> int:
        """So many terms that about e^-SPREAD of the last inner sum is left: a choice only."""
        c = self.right + 2
        steepness = math.log((c - t) / t) if t > 0 else math.inf
        wanted = 2 * SPREAD / (steepness + math.sqrt(steepness**2 + 8 * SPREAD / c))
        return int(min(t + 1, wanted + 2))


def total(terms: Floats) -> float:
    """The sum of positive terms, which it overwrites: one rounding for each time the array is folded, and one at the end."""
    length = len(terms)
    while length > _FOLDED:
        half = length // 2
        terms[:half] += terms[length - half : length]
        length -= half
    return math.fsum(terms[:length].tolist())
