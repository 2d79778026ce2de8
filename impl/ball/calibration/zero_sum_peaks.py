"""The noise profile of the zero sum, as a function of its noise: pieces, peaks, and one bound for many peaks at once.

With F the CDF of Bin(N, g) and E = e^epsilon, the divergence of Bin(N, g) from its shift by one is A(g) = max over t of A_t(g),
A_t(g) = F(t) - E F(t - 1). A_t rises up to h_t, h_t/(1 - h_t) = E t/(N - t), and falls from there on; t attains the maximum for g
between g_t and g_(t+1), g_t/(1 - g_t) = E t/(N + 1 - t), and g_t <= h_t <= g_(t+1). So A has its peaks at the h_t, and nothing on an
interval [g, g'] exceeds the larger of its two ends and the peaks inside.  (BC20.Thm3.1-pieces)

A peak M(a, b) = A_a(h_a), a = t, b = N - t, is E[max(0, Z - E)] with Z = (G_a/a) (b/G_(b+1)), G_k sums of k exponential variables: it falls
in a and in b, so the peaks t = a, ..., a' of N are all at most M(a, N - a').  (BC20.Thm3.1-envelope)
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, precision
from shuffleproof.impl.ball.numeric.binomial import log_mass_by_odds, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.results import shown
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_SUM = 20_000_000
"""Terms that passing over all peaks may sum, about."""
_FIRST_BITS = 128
"""Precision, in bits, of the first attempt to compare a peak with delta."""
_LAST_BITS = 1 << 13
"""Precision, in bits, of the last, after which ties are decided in rationals or refused."""
_EXACT_COMPARISON = 2_000_000
"""Bits of powers up to which a tie is decided in rationals."""
_PATIENCE = 64
"""Bits, beyond those of n, with which many peaks at once are bounded."""


@dataclass(frozen=True, slots=True)
class Odds:
    """g/(1 - g) = factor, times E if times_order. Positive."""

    factor: Fraction
    times_order: bool = False

    def ball(self, epsilon: Epsilon) -> arb:
        """The odds at the working precision."""
        return ball(self.factor) * exp_of(epsilon) if self.times_order else ball(self.factor)

    def exactly(self, epsilon: Epsilon) -> Fraction | None:
        """The odds where they are rational."""
        if not self.times_order:
            return self.factor
        return None if epsilon.exp is None else self.factor * epsilon.exp


def odds_of(g: Fraction) -> Odds:
    """g/(1 - g), 0 < g < 1."""
    return Odds(g / (1 - g))


def peak_odds(a: int, b: int) -> Odds:
    """Where the peak M(a, b) lies, a, b >= 1."""
    return Odds(Fraction(a, b), times_order=True)


def value(n: int, t: int, odds: arb, epsilon: Epsilon, *, bits: int) -> arb:
    """A_t(g) = Pr(Y = t) - (E - 1) Pr(Y < t), Y ~ Bin(n, g), for odds g/(1 - g) of at least those of g_t; 0 <= t <= n.

    Pr(Y < t)/Pr(Y = t) is a sum of products of (t - i + 1)/((n - t + i) odds), i = 1, 2, ..., which are below 1 and fall; what is left
    is below a geometric series. Cost: the smaller of O(bits/epsilon) and O(sqrt(bits t (n - t)/n)) terms. Raises ResourceLimitError.
    """
    mass = log_mass_by_odds(n, t, log_odds=odds.log(), log_total=odds.log1p()).exp()
    if t == 0 or epsilon.exp == 1:
        return mass
    before = t / (odds * (n - t + 1))  # Pr(Y = t - 1)/Pr(Y = t)
    total = before * lower_tail_over_mass(n, t - 1, against=1 / odds, bits=bits)
    return mass * (1 - expm1_of(epsilon) * total)


def enclosed(n: int, t: int, odds: Odds, epsilon: Epsilon, *, bits: int = 2 * _FIRST_BITS) -> tuple[Fraction, Fraction]:
    """Certified ends of A_t, moved into [0, 1]."""
    with precision(bits + 2 * n.bit_length()):
        low, high = ends(value(n, t, odds.ball(epsilon), epsilon, bits=bits))
    return max(low, Fraction(0)), min(high, Fraction(1))


def at_most(n: int, t: int, odds: Odds, epsilon: Epsilon, *, delta: Fraction) -> bool:
    """Return whether A_t <= delta, decided: by balls of rising precision, in rationals where the two are equal. Raises UndecidedError."""
    bits = _FIRST_BITS
    while bits <= _LAST_BITS:
        with precision(bits + 2 * n.bit_length()):
            found, goal = value(n, t, odds.ball(epsilon), epsilon, bits=bits), ball(delta)
            if found <= goal:
                return True
            if found > goal:
                return False
        exact = _exactly(n, t, odds, epsilon)
        if exact is not None:
            return exact <= delta
        bits *= 2
    low, high = enclosed(n, t, odds, epsilon, bits=_LAST_BITS)
    raise UndecidedError(quantity="delta at one noise", enclosure=(shown(low, "down"), shown(high, "up")), precision=bits)


def surely_at_most(n: int, t: int, odds: Odds, epsilon: Epsilon, *, delta: Fraction) -> bool:
    """Return whether A_t <= delta is certified by one ball."""
    with precision(_FIRST_BITS + 2 * n.bit_length()):
        return bool(value(n, t, odds.ball(epsilon), epsilon, bits=_FIRST_BITS) <= ball(delta))


def highest_before(n: int, start: int, epsilon: Epsilon, *, delta: Fraction, step: int) -> int:
    """The first t = start, start + step, ... (step 1 or -1) whose peak exceeds delta; 0 and n, where the peaks are 1, end the search.

    Every peak passed over is certified to be at most delta, many at once: blocks double as long as their bound holds.
    Raises UndecidedError, ResourceLimitError.
    """
    t, width, blocks = start, 1, 0
    while 0 < t < n:
        blocks += 1
        if blocks > LARGEST_SUM // 200:
            raise ResourceLimitError(what=f"peaks one by one for n = {n}", needed="more blocks of them", limit=f"{blocks:.0e} blocks")
        far = min(max(t + step * (width - 1), 1), n - 1)
        a, b = min(t, far), n - max(t, far)
        if far == t:
            if not at_most(n, t, peak_odds(t, n - t), epsilon, delta=delta):
                return t
        elif not surely_at_most(a + b, a, peak_odds(a, b), epsilon, delta=delta):
            width = max(1, abs(far - t) // 2)
            continue
        t, width = far + step, 2 * (abs(far - t) + 1)
    return t


def active(n: int, odds: Fraction, epsilon: Epsilon) -> int:
    """The t that attains A(g) at rational odds g/(1 - g): the largest with t < (n + 1) g/(g + E (1 - g)), decided exactly."""

    def below(t: int) -> bool:
        return t <= 0 or (t <= n and epsilon < Epsilon(None, Fraction(n + 1 - t, t) * odds))

    with precision(_PATIENCE + 2 * n.bit_length()):
        t = math.floor(ends((n + 1) / (1 + exp_of(epsilon) / ball(odds)))[1])
    t = min(max(t, 0), n)
    while not below(t):
        t -= 1
    while t < n and below(t + 1):
        t += 1
    return t


def _exactly(n: int, t: int, odds: Odds, epsilon: Epsilon) -> Fraction | None:
    """A_t as a rational, where it is one and not too long."""
    v = odds.exactly(epsilon)
    if v is None or (t > 0 and epsilon.exp is None):
        return None
    E = epsilon.exp if epsilon.exp is not None else Fraction(1)
    if n * (v.numerator.bit_length() + v.denominator.bit_length()) > _EXACT_COMPARISON or n * t > _EXACT_COMPARISON:
        return None
    r, s = int(v.numerator), int(v.denominator)
    below: int = sum(comb(n, c) * r**c * s ** (n - c) for c in range(t))
    top: int = comb(n, t) * r**t * s ** (n - t)
    whole: int = (r + s) ** n
    return (top - (E - 1) * below) / whole
