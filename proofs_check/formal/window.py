"""What a certificate of a clones pair's delta consists of: a window, and the number that the kernel's own integers will confirm.

`window_delta` does what `window_delta_le` of Programs.v does, step by step, and gives the least fraction that the program accepts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lgamma, log, log1p
from typing import NamedTuple

from shuffleproof.spec.vocabulary.errors import UnsupportedError

NEGLIGIBLE = 40.0
"""The window ends where masses are e^-40 delta of the largest beside it; what is outside is counted: this decides tightness only."""
BITS = 64
"""Bits of the integers that masses are summed as: how tight the number is, never whether it holds."""


@dataclass(frozen=True)
class Window:
    """The parameters of `window_delta_le` that choose what is summed: they decide how tight the number is, never whether it holds."""

    first_c: int
    steps: int
    first_a: int
    to_threshold: int
    above: int
    bits: int


def plan(*, n: int, clone: Fraction, exp_epsilon0: Fraction, exp_epsilon: Fraction, log_delta: float = 0.0) -> Window:
    """A window around the bulk of C and A.

    n: users, at least 1; clone: how often another user is a clone, in (0, 1); exp_epsilon0 > 1, exp_epsilon in [1, exp_epsilon0], exact;
    log_delta: about ln delta, at most 0.
    """
    depth = NEGLIGIBLE - log_delta
    p = float(clone)
    log_other = log1p(-p) if p < 1 else log(1 - clone)

    def log_mass(c: int) -> float:
        return log_binomial(n - 1, c) + c * log(p) + (n - 1 - c) * log_other

    mode = min(n - 1, int(n * p))
    first_c, last_c = (reach(log_mass, mode, direction, low=0, high=n - 1, depth=depth) for direction in (-1, 1))
    slope = (exp_epsilon0 - 1) * (exp_epsilon + 1)
    offset = exp_epsilon * exp_epsilon0 - 1
    threshold = max(0, -(-(offset * (first_c + 1)) // slope) - 1)
    middle = first_c // 2

    def log_fair(a: int) -> float:
        return log_binomial(first_c, a)

    depth += max(0.0, log_fair(middle) - log_fair(min(threshold, first_c)))
    first_a, last_a = (reach(log_fair, middle, direction, low=0, high=first_c, depth=depth) for direction in (-1, 1))
    first_a, last_a = min(first_a, threshold), max(last_a, threshold)

    return Window(first_c, last_c - first_c + 1, first_a, threshold - first_a, last_a - threshold, BITS)


def window_delta(*, n: int, clone: Fraction, exp_epsilon0: Fraction, exp_epsilon: Fraction, window: Window) -> Fraction:
    """The least delta that `window_delta_le` accepts: an upper bound of the clones pair's delta (FMT21, Theorem 3.2; BEYOND.CorF2).

    n: users, at least 1; clone: how often another user is a clone, e^-epsilon0 in the first, 2/(e^epsilon0 + 1) in the second;
    exp_epsilon0 > 1, exp_epsilon in [1, exp_epsilon0], exact. Raises UnsupportedError where the window does not do.
    """
    t, u = exp_epsilon0.as_integer_ratio()
    cu, ct = clone.as_integer_ratio()
    e, f = exp_epsilon.as_integer_ratio()
    first_c, one = window.first_c, 1 << window.bits
    fair, scale = begun(window)
    a = window.first_a + window.to_threshold

    slope, offset = (t - u) * (e + f), e * t - f * u
    mass_low, mass_high, total, weight, c = one, one, 0, 0, first_c
    for _ in range(window.steps):
        if not (c < n and a <= c and slope * a <= offset * (c + 1) <= slope * (a + 1)):
            raise UnsupportedError(what=f"the window {window}", reason=f"it leaves users or threshold at c = {c}", advice="use plan")
        total += mass_high * ((t * f - e * u) * fair.high - (e - f) * (t + u) * fair.above)
        weight += mass_low
        up, down = (n - 1 - c) * cu, (c + 1) * (ct - cu)
        mass_low, mass_high = mass_low * up // down, quotient_up(mass_high * up, down)
        stay = offset * (c + 2) <= slope * (a + 1)
        fair = following(fair, c, a, stay=stay)
        a += not stay
        c += 1
    below_up, below_down = first_c * (ct - cu), (n - first_c) * cu
    above_up, above_down = max(0, n - 1 - c) * cu, (c + 1) * (ct - cu)
    outside = Fraction(one * below_up, below_down - below_up) + Fraction(mass_high * above_down, above_down - above_up)
    return (outside + Fraction(total, (t + u) * f * scale)) / weight


class Fair(NamedTuple):
    """Holds masses of Bin(c, 1/2), scaled: that at the threshold rounded down and up, and that above it rounded down."""

    low: int
    high: int
    above: int


def begun(window: Window) -> tuple[Fair, int]:
    """Return these masses for the first count, and the mass of the whole window, as the programs of Coq begin with them."""
    low, high, below, a = 1 << window.bits, 1 << window.bits, 0, window.first_a
    for _ in range(window.to_threshold):
        low, high, below, a = climbed(window.first_c, low, high, below, a)
    at, above = (low, high), 0
    low, high, below, a = climbed(window.first_c, low, high, below, a)
    for _ in range(window.above):
        low, high, above, a = climbed(window.first_c, low, high, above, a)
    return Fair(*at, above), below + above


def following(fair: Fair, c: int, a: int, *, stay: bool) -> Fair:
    """Return the masses for c + 1 in the place of c, the threshold a staying or one more."""
    over = 2 * (c + 1 - a) if stay else 2 * (a + 1)
    above = fair.above + fair.low // 2 if stay else fair.above - quotient_up(fair.high * (c - a), over)
    return Fair(fair.low * (c + 1) // over, quotient_up(fair.high * (c + 1), over), above)


def climbed(c: int, low: int, high: int, below: int, a: int) -> tuple[int, int, int, int]:
    """Return what `climb_step` of Programs.v gives: the mass of Bin(c, 1/2) at a + 1, rounded both ways, and what was passed."""
    left = max(0, c - a)
    return low * left // (a + 1), quotient_up(high * left, a + 1), below + low, a + 1


def quotient_up(x: int, y: int) -> int:
    """Return x/y rounded up; y > 0."""
    return -(-x // y)


def log_binomial(n: int, k: int) -> float:
    """Return ln C(n, k), rounded: it chooses windows only."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def reach(log_mass: Callable[[int], float], start: int, direction: int, *, low: int, high: int, depth: float) -> int:
    """The first place in that direction whose log-concave mass is below e^-depth times that at the start, or the end of the range."""
    end = low if direction < 0 else high
    floor = log_mass(start) - depth
    if log_mass(end) >= floor:
        return end
    inside, outside = start, end
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if log_mass(middle) >= floor else (inside, middle)
    return outside
