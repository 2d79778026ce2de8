"""Certified sums for the optimal pair at one epsilon, over the counts c = a + b and d among n draws from (r, r, rho/q, none).

With x = 1/p (0 for infinite p), E = e^eps < p and M(c, d) the multinomial mass, BEYOND.LemL5 gives
    delta = (q/n) sum over (c, d) of M(c, d) E[(a (1 - E x) + b (x - E) - d (E - 1))_+],   b ~ Bin(c, 1/2), a = c - b,
positive where b < tau = sigma c - kappa d, sigma = (1 - E x)/D <= 1/2, kappa = (E - 1)/D, D = (1 - x)(1 + E). With f, F the PMF and
CDF of Bin(c, 1/2) at t = floor(tau), S1 = sum M f (c - t) and S2 = sum M F (c (1 + x)/2 + d),
    P(S) = (q/n) (S2 + (1 - x)/2 S1),   Q(S) = (q/n) (S2 - (1 - x)/2 S1),   delta = P(S) - E Q(S).
*Any* event S gives a lower bound. For the upper side a threshold off by err < 1/4 misses, or adds, one b with |tau - b| <= err, and
f(t + 1) <= f(t) (c - t): in all at most (q/n) D err S1.

Window. (y)_+ <= e^(theta y)/(e theta) for every theta > 0, so whatever lies outside a set of (c, d) contributes at most
(q/(n e theta)) Z^n times its probability under the multinomial tilted by e^(theta y), Z its normalisation. The set is a rectangle, both
counts are binomial, and Pr(Bin(n, s) beyond k) <= exp(-n KL(k/n || s)). theta, near the saddle point, and the rectangle are choices.

Cost: one step of about 3 microseconds for each (c, d) of the rectangle: O(n digits), O(sqrt(n digits)) where rho = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_multinomial, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.budget import one_answer, spend
from shuffleproof.impl.ball.numeric.evaluation import Evaluation
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WINDOW = 8_000_000
_EACH = 1.4
"""Units of work of a step."""
_EVALUATIONS = 2.9
"""Of the size of the last one, in a search: a rough one, one at the root, and one just above it."""


@dataclass(frozen=True)
class Masses:
    """The pair at exact parameters: x = 1/p (0: infinite p), q, and for one of n draws the masses 2r of a or b, d, none."""

    x: Fraction
    q: Fraction
    either: Fraction
    d: Fraction
    none: Fraction

    @classmethod
    def of(cls, *, x: Fraction, beta: Fraction, q: Fraction) -> Masses:
        """For 0 <= x < 1 and a beta that is clipped and positive."""
        p_alpha = beta / (1 - x)
        rho = 1 - p_alpha * (1 + x)
        return cls(x, q, 2 * p_alpha / q, rho / q, 1 - (1 + beta) / q)


@dataclass(frozen=True)
class Order:
    """What depends on E too: the values A = 1 - E x > 0 of a, B = x - E of b, -(E - 1) of d; D, sigma, kappa as above."""

    E: arb
    E_minus_1: arb
    A: arb
    B: arb
    D: arb
    sigma: arb
    kappa: arb

    @classmethod
    def at(cls, x: Fraction, epsilon: Epsilon) -> Order:
        """For 1 <= E < p. Raises UndecidedError if the precision does not separate E from p."""
        E, E_minus_1 = exp_of(epsilon), expm1_of(epsilon)
        A = 1 - ball(x) * E
        if not A > 0:
            raise UndecidedError(quantity="p - e^eps", enclosure=("0", "?"), precision=0)
        D = ball(1 - x) * (1 + E)
        return cls(E, E_minus_1, A, ball(x) - E, D, A / D, E_minus_1 / D)


@dataclass(frozen=True)
class Rectangle:
    """Ranges of c and d, both ends included, and a certified bound on what lies outside."""

    c: tuple[int, int]
    d: tuple[int, int]
    outside: arb


def evaluate(*, n: int, masses: Masses, epsilon: Epsilon, bits: int, spread: float) -> Evaluation:
    """Enclosure of the pair's profile at epsilon with e^epsilon < p, with working precision `bits` (the caller sets it)."""
    order = Order.at(masses.x, epsilon)
    window = affordable_rectangle(n, masses, order, spread=spread)
    spend(_steps(window), each=_EACH, bits=bits, what=f"certified sums of the optimal pair for n = {n}")
    s1, s2, error = _walk(n, masses, order, window, bits=bits)
    scale = ball(masses.q / n)
    value = scale * (order.D / 2 * s1 - order.E_minus_1 * s2)
    in_q = scale * (s2 - ball((1 - masses.x) / 2) * s1)
    slack = scale * order.D * ball(error) * s1
    return Evaluation(order.E, value, in_q, max(lower_end(value), Fraction(0)), upper_end(value + slack + window.outside), bits)


def affordable_rectangle(n: int, masses: Masses, order: Order, *, spread: float) -> Rectangle:
    """The rectangle of an evaluation. Raises ResourceLimitError if it is too large."""
    window = rectangle(n, masses, order, spread=spread)
    steps = _steps(window)
    if steps > LARGEST_WINDOW:
        what = f"certified sums of the optimal pair for n = {n}"
        raise ResourceLimitError(what=what, needed=f"{steps:.1e} steps", limit=f"{LARGEST_WINDOW:.0e} steps, about half a minute")
    return window


def affordable_search(n: int, masses: Masses, order: Order, *, spread: float) -> None:
    """Raises ResourceLimitError where a search whose last evaluation has this order and spread would take too much; nothing is begun."""
    steps = _steps(affordable_rectangle(n, masses, order, spread=spread))
    with one_answer():
        spend(_EVALUATIONS * steps, each=_EACH, bits=0, what=f"a search by certified sums of the optimal pair for n = {n}")


def _steps(window: Rectangle) -> int:
    return (window.c[1] - window.c[0] + 1) * (window.d[1] - window.d[0] + 1)


def rectangle(n: int, masses: Masses, order: Order, *, spread: float) -> Rectangle:
    """Where the tilted multinomial has all but about e^-spread of its mass. Raises UndecidedError where the precision does not say."""
    values = tuple(float(value.mid()) for value in (order.A, order.B, -order.E_minus_1))
    theta = ball(Fraction(saddle(n, masses, values)))
    either = ball(masses.either / 2) * ((theta * order.A).exp() + (theta * order.B).exp())
    d = ball(masses.d) * (-theta * order.E_minus_1).exp()
    none = ball(masses.none)
    Z = either + d + none
    if not (either / Z).is_finite():  # A is known too roughly for theta A
        raise UndecidedError(quantity="p - e^eps", enclosure=("0", "?"), precision=0)
    scale = ball(masses.q) / (n * arb(1).exp() * theta) * (n * Z.log()).exp()
    ranges, tails = [], arb(0)
    for part, rest in ((either, d + none), (d, either + none)):
        if part == 0 or rest == 0:
            ranges.append((0, 0) if part == 0 else (n, n))
            continue
        share, p = (part / Z, rest / Z), min(max(float((part / Z).mid()), 0.0), 1.0)
        half = math.sqrt(2 * spread * n * p * (1 - p)) + spread
        low, high = max(0, math.floor(n * p - half)), min(n, math.ceil(n * p + half))
        ranges.append((low, high))
        tails += (_chernoff(n, low - 1, *share) if low > 0 else 0) + (_chernoff(n, high + 1, *share) if high < n else 0)
    return Rectangle(ranges[0], ranges[1], scale * tails)


def tilted(theta: float, masses: Masses, values: tuple[float, ...]) -> list[float]:
    """The masses of a, b, d and none times e^(theta value), for the values of a, b, d."""
    weights = (float(masses.either) / 2, float(masses.either) / 2, float(masses.d), float(masses.none))
    return [w * math.exp(min(theta * v, 600.0)) for v, w in zip((*values, 0.0), weights, strict=True)]


def saddle(n: int, masses: Masses, values: tuple[float, ...]) -> float:
    """About the minimum of n ln Z(theta) - ln theta over theta > 0, for the values of a, b, d; only a choice."""

    def slope(theta: float) -> float:
        weights = tilted(theta, masses, values)
        return n * theta * sum(v * w for v, w in zip(values, weights, strict=False)) / max(sum(weights), 1e-300) - 1

    low, high = -80.0, 690.0
    for _ in range(64):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(math.exp(middle)) < 0 else (low, middle)
    return min(math.exp(low), 500.0 / max(values[0], 1e-300))


def _chernoff(n: int, k: int, share: arb, rest: arb) -> arb:
    """Pr(Bin(n, share) at k or further away from its mean) <= exp(-n KL(k/n || share)); 1 where k is not surely off the mean."""
    y = ball(Fraction(k, n))
    if not (share < y or share > y):
        return arb(1)
    kl = (y * (y / share).log() if k > 0 else arb(0)) + ((1 - y) * ((1 - y) / rest).log() if k < n else arb(0))
    return arb((-n * kl).exp())


def _walk(n: int, masses: Masses, order: Order, window: Rectangle, *, bits: int) -> tuple[arb, arb, Fraction]:
    """S1, S2 over the rectangle, and a bound on the error of the thresholds.

    For each d, c walks upwards with g = M f_c(t), G = M F_c(t), as in clones_sums: M(c + 1)/M(c) = (either/none) (n - d - c)/(c + 1).
    """
    scale = bits + (n + 1).bit_length() + 8
    sigma, kappa = _scaled(order.sigma, scale), _scaled(order.kappa, scale)
    error = Fraction((sigma[1] - sigma[0]) * (n + 1) + (kappa[1] - kappa[0]) * (n + 1), 1 << scale)
    if error * 4 >= 1:
        raise UndecidedError(quantity="thresholds of the optimal pair", enclosure=("0", "1"), precision=bits)
    s1, by_c, by_d = arb(0), arb(0), arb(0)
    odds, half = ball(masses.either / masses.none) if masses.none else arb(0), arb(0.5)
    for d in range(window.d[0], window.d[1] + 1):
        # The first c whose threshold may not be negative; the last c that the window, and n, leave.
        low = max(window.c[0], 1, -(-d * kappa[0] // sigma[1]) if d else 1)
        high = min(window.c[1], n - d)
        if not masses.none:  # c + d = n: there is one c for each d, and no step between two
            low = max(low, n - d)
        if low > high:
            continue
        position = low * sigma[0] - d * kappa[1]
        t = max(position >> scale, 0)
        parts = ((low, ball(masses.either)), (d, ball(masses.d)), (n - low - d, ball(masses.none)))
        g = (log_multinomial(parts) + log_half_mass(low, t)).exp()
        G = g * lower_tail_over_mass(low, t, against=1, bits=bits)
        of_d = arb(0)
        for c in range(low, high):
            s1 += g * (c - t)
            by_c += G * c
            of_d += G
            k = odds * (n - d - c)
            G = (G - g * half) * k / (c + 1)
            position += sigma[0]
            if position >> scale > t:
                t += 1
                g = g * k / (2 * t)
                G += g
            else:
                g = g * k / (2 * (c + 1 - t))
        s1 += g * (high - t)
        by_c += G * high
        by_d += (of_d + G) * d
    return s1, ball((1 + masses.x) / 2) * by_c + by_d, error


def _scaled(x: arb, scale: int) -> tuple[int, int]:
    """Integers around x 2^scale."""
    low, high = lower_end(x), upper_end(x)
    return math.floor(low * 2**scale), math.ceil(high * 2**scale)
