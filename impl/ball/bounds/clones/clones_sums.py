"""Certified sums for a pair of the clones family at one epsilon: the masses P(S), Q(S) of the event S that the divergence takes.

With T = e^eps0, E = e^eps, C ~ Bin(n - 1, p) of odds p/(1 - p) = k/(T - 1), k the odds factor (1 for the clones pair, where p = 1/T;
2 for the stronger clones pair, where p = 2/(T + 1)) and, given C = c, F and f the CDF and PMF of Bin(c, 1/2):
S is {a < tau_c}, tau_c = (c + 1) beta, beta = (T - E)/((T - 1)(E + 1))   (FMT21, Lemma F.1, in the orientation of equation (25)),
and with t = ceil(tau_c) - 1, summed over c with weights Pr(C = c):   P(S) = sum F - f/(T + 1),   Q(S) = sum F - f T/(T + 1).

*Any* event S gives D_E'(P || Q) >= P(S) - E' Q(S) for every E', so the lower side needs no exact thresholds. For the upper side
a threshold off by err < 1/4 costs at most f |g|, |g| <= (u + v) err/(c + 1 - a): the integrand vanishes at a = tau_c.

Tails. F_c(t) <= Pr(r A - (c - A) < 1) <= r^(1/(1+r)) phi^c by Chernoff's bound, where r = v/u, u = (T - E)/(T + 1),
v = (E T - 1)/(T + 1), phi = r^(1/(1+r)) (1 + 1/r)/2. So c contributes at most W(c) = Pr(C = c) u r^(1/(1+r)) phi^c, a multiple of
the *tilted* binomial with odds k phi/(T - 1); the window of c is centred on that, and its width does not depend on delta.

Cost: O(sqrt(n p' digits)) steps of eight ball operations, p' the tilted probability; 2 microseconds a step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_difference, exp_of, expm1_of, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass_by_odds, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.budget import spend
from shuffleproof.impl.ball.numeric.results import Evaluation
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WINDOW = 20_000_000
"""Steps of the walk over c at most: about a minute at 15 digits; reached at n of about 10^12."""
EACH = 1.0
"""Units of work of a step: two microseconds on a quiet machine, three on a busy one."""


@dataclass(frozen=True)
class Constants:
    """The quantities of the pair at one epsilon, as balls at the precision they were made with."""

    E: arb
    E_minus_1: arb
    T_minus_1: arb
    u: arb
    v: arb
    q: arb
    beta: arb
    r: arb
    log_phi: arb
    log_kappa: arb
    odds: arb
    log_odds: arb

    @classmethod
    def at(cls, odds_factor: int, epsilon0: Epsilon, epsilon: Epsilon) -> Constants:
        """For 0 <= epsilon < epsilon0. Raises UndecidedError if the precision does not separate them."""
        T, E = exp_of(epsilon0), exp_of(epsilon)
        T_minus_1, E_minus_1, gap = expm1_of(epsilon0), expm1_of(epsilon), exp_difference(epsilon0, epsilon)
        if not gap > 0:
            raise UndecidedError(quantity="e^eps0 - e^eps", enclosure=("0", "?"), precision=0)
        u, v = gap / (T + 1), (E_minus_1 * T + T_minus_1) / (T + 1)
        r = v / u
        log_r = r.log()
        log_kappa = log_r / (1 + r)
        log_phi = log_kappa + ((1 + 1 / r) / 2).log()
        beta = gap / (T_minus_1 * (E + 1))
        odds, log_odds = odds_factor / T_minus_1, arb(odds_factor).log() - T_minus_1.log()
        return cls(E, E_minus_1, T_minus_1, u, v, T / (T + 1), beta, r, log_phi, log_kappa, odds, log_odds)


def window(m: int, constants: Constants, *, spread: float) -> tuple[int, int]:
    """The range of c outside which the tilted binomial has mass about e^-spread; only a choice, never trusted."""
    log_odds = min(_approximate(constants.log_phi), 0.0) + min(_approximate(constants.log_odds), 700.0)
    odds = math.exp(max(log_odds, -745.0))
    tilted = odds / (1 + odds) if math.isfinite(odds) else 1.0
    centre, width = m * tilted, math.sqrt(2 * spread * m * tilted * (1 - tilted))
    below, above = math.floor(centre - width - spread), math.ceil(centre + width + spread)
    return max(0, min(below, m)), max(0, min(m, above))


def evaluate(*, n: int, odds_factor: int, epsilon0: Epsilon, epsilon: Epsilon, bits: int, spread: float) -> Evaluation:
    """Enclosure of the pair's profile at epsilon in [0, epsilon0), with working precision `bits` (the caller sets it)."""
    m = n - 1
    constants = Constants.at(odds_factor, epsilon0, epsilon)
    low, high = window(m, constants, spread=spread)
    if high - low > LARGEST_WINDOW:
        what = f"certified sums for n = {n}"
        raise ResourceLimitError(what=what, needed=f"{about(high - low)} steps", limit=f"{LARGEST_WINDOW:.0e} steps, about a minute")
    spend(high - low + 1, each=EACH, bits=bits, what=f"certified sums for n = {n}")
    sum_f, sum_F, slack = _walk(m, low, high, constants, bits=bits)
    in_q = sum_F - sum_f * constants.q
    value = constants.v * sum_f - constants.E_minus_1 * sum_F
    outside = _tail(m, low, constants, downward=True) + _tail(m, high, constants, downward=False)
    return Evaluation(constants.E, value, in_q, max(lower_end(value), Fraction(0)), upper_end(value + slack + outside), bits)


def _walk(m: int, low: int, high: int, constants: Constants, *, bits: int) -> tuple[arb, arb, arb]:
    """sum Pr(C = c) f_c(t_c), sum Pr(C = c) F_c(t_c) over low <= c <= high, and what inexact thresholds may cost.

    Walks c upwards with h = Pr(C = c) f_c(t)/2 and M = Pr(C = c) (F_c(t) - f_c(t)/2), k = odds (m - c). As F_(c+1)(t) = F_c(t) - f_c(t)/2:
    M' = M k/(c + 1) - h', h' = h k/(2 (c + 1 - t)) where t stays; M' = M k/(c + 1) + h', h' = h k/(2 (t + 1)) where it is raised to t + 1.
    """
    beta_low, beta_high = lower_end(constants.beta), upper_end(constants.beta)
    scale = bits + (m + 1).bit_length() + max(0, -_log2_floor(beta_low)) + 8
    step, one = math.floor(beta_low * 2**scale), 1 << scale
    position = (low + 1) * step
    t = position >> scale
    next_t = (t + 1) << scale
    log_g, ratio = log_start(m, low, t, constants, bits=bits)
    h = log_g.exp() / 2
    M = h * (2 * ratio - 1)
    sum_h, sum_M, odds = arb(0), arb(0), constants.odds
    twice_t, twice_rest = 2 * t, 2 * (low + 1 - t)  # 2 (c + 1 - t)
    for following, others in zip(range(low + 1, high + 1), range(m - low, m - high, -1), strict=True):  # c + 1 and m - c
        sum_h += h
        sum_M += M
        k = odds * others
        position += step
        if position < next_t:
            h = h * k / twice_rest
            M = M * k / following - h
            twice_rest += 2
        else:
            next_t += one
            twice_t += 2
            h = h * k / twice_t
            M = M * k / following + h
    sum_h += h
    sum_M += M
    error = (beta_high - Fraction(step, one)) * (m + 1)
    if error * 4 >= 1:
        raise UndecidedError(quantity="thresholds of the clones pair", enclosure=("0", "1"), precision=bits)
    sum_f = 2 * sum_h
    # a <= (c + 1)/2 + 1/4 and f at a disputed a is at most (m + 1) times f at the threshold taken: |g| <= 4 err (u + v) f/(c + 1).
    slack = ball(4 * error) * (m + 1) * (constants.u + constants.v) * sum_f
    return sum_f, sum_M + sum_h, slack


def log_start(m: int, c: int, t: int, constants: Constants, *, bits: int) -> tuple[arb, arb]:
    """ln(Pr(C = c) f_c(t)) and F_c(t)/f_c(t), where a walk begins."""
    return _log_clones(m, c, constants.log_odds) + log_half_mass(c, t), lower_tail_over_mass(c, t, against=1, bits=bits)


def _tail(m: int, c: int, constants: Constants, *, downward: bool) -> arb:
    """Upper bound on what all counts below (above) c contribute: W(c) rho/(1 - rho), rho the first ratio of the geometric majorant."""
    if c == (0 if downward else m):
        return arb(0)
    odds = constants.log_phi.exp() * constants.odds
    rho = c / (odds * (m - c + 1)) if downward else odds * (m - c) / (c + 1)
    if not rho < 1:
        return constants.u  # all mass of C, times the largest inner value
    log_w = _log_clones(m, c, constants.log_odds) + constants.log_kappa + c * constants.log_phi
    return log_w.exp() * constants.u * rho / (1 - rho)


def _log_clones(m: int, c: int, log_odds: arb) -> arb:
    """ln Pr(C = c)."""
    return log_mass_by_odds(m, c, log_odds=log_odds, log_total=log_odds.exp().log1p())


def _approximate(x: arb) -> float:
    return float(x.mid())


def _log2_floor(x: Fraction) -> int:
    if x <= 0:
        raise UndecidedError(quantity="thresholds of the clones pair", enclosure=("0", "1"), precision=0)
    return x.numerator.bit_length() - x.denominator.bit_length() - 1
