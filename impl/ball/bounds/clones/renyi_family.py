"""Renyi divergences of a pair of the clones family, certified for any n and every real order above 1, by two routes.

Direct: every count of every number of messages. Moments: the expectations of x^2j, x a mean of N random signs, for all N of a window
at once, from cosh(sqrt(u))^N = sum over j of Exp[(sum of N signs)^2j] u^j/(2j)!, one short product for each N (renyi_series.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import arb, arb_series, ctx

from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ends, expm1_of, power_to, precision
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass_by_odds, tail_against
from shuffleproof.impl.ball.numeric.budget import spend
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon

Route = Literal["auto", "direct", "moments"]
MOST_TERMS = 400
"""Powers of x^2 up to which the route by moments is chosen over the direct one, whose cost does not depend on the order."""
LARGEST_WORK = 8_000_000
"""Pairs (N, a) of the direct route at most: about a minute."""
_EACH_PAIR = 2.0
"""Units of work of a pair."""
LARGEST_PRODUCTS = 60_000_000
"""Coefficients of the short products, over the whole window."""
_EACH_PRODUCT = 0.8
"""Units of work of a coefficient of a product of few terms."""
_LONGER_BY = 20
"""Terms more for which it costs another such unit: the library's products take more than linear time."""
_ATTEMPTS = 7
"""Attempts, each with half as many bits again and twice the spread: the last has 17 times the bits of the first."""
_TAIL_BITS = 32
"""Bits of what a window leaves out."""


@dataclass(frozen=True)
class Window:
    """N - 1 ~ Bin(m, p), p/(1 - p) = odds, summed over low <= N <= high; mean and deviation of N, as floats for guesses."""

    m: int
    odds: arb
    low: int
    high: int
    mean: float

    @classmethod
    def of(cls, *, n: int, odds_factor: int, epsilon0: Epsilon, spread: float, below: float | None = None) -> Window:
        """The window that leaves out a mass of about e^-spread, e^-below on its left."""
        below = spread if below is None else below
        m, odds = n - 1, odds_factor / expm1_of(epsilon0)
        ratio = min(float(odds.mid()), 1e300)
        p = ratio / (1 + ratio)
        mean, variance = 1 + m * p, m * p * (1 - p)
        low = math.floor(mean - math.sqrt(2 * below * variance) - below / 3)
        high = math.ceil(mean + math.sqrt(2 * spread * variance) + spread)
        return cls(m, odds, min(max(1, low), n), max(1, min(n, high)), mean)

    def mass(self, N: int) -> arb:
        """Pr(N)."""
        return log_mass_by_odds(self.m, N - 1, log_odds=self.odds.log(), log_total=self.odds.log1p()).exp()

    def masses(self) -> Iterator[arb]:
        """Pr(N) for low <= N <= high, one after the other: there may be millions."""
        mass = self.mass(self.low)
        yield mass
        for c in range(self.low - 1, self.high - 1):
            mass = mass * self.odds * (self.m - c) / (c + 1)
            yield mass

    def outside(self, series: Series, *, smallest: arb) -> arb:
        """An upper bound on what N outside the window adds to Exp H(N) - 1, by levels: H(N) does not increase with N."""
        total, level, step = arb(0), self.low, max(1, math.ceil(self.mean - self.low))
        if self.high <= self.m:
            total += self._tail(self.high, downward=False) * series.beyond(terms=1, N=self.high + 1, smallest=smallest)
        while level > 1:
            following = max(1, level - step)
            total += self._tail(level - 2, downward=True) * series.beyond(terms=1, N=following, smallest=smallest)
            level, step = following, 2 * step
        return total

    def _tail(self, c: int, *, downward: bool) -> arb:
        """Pr(N - 1 <= c), or >= c."""
        return tail_against(self.m, c, 1 / self.odds, downward=downward, bits=_TAIL_BITS)


@dataclass(frozen=True)
class _Moments:
    """Exp[x^2j; N in the window], j = 0, 1, ..., which serve every order."""

    window: Window
    values: list[arb]
    bits: int


class RenyiFamily:
    """The pair for one n and one epsilon0; expectations of powers are kept between orders."""

    def __init__(self, *, n: int, odds_factor: int, epsilon0: Epsilon) -> None:
        self.n, self.epsilon0 = n, epsilon0
        self.odds_factor = odds_factor
        self._kept: _Moments | None = None

    def divergence(self, *, order: Fraction, digits: int, route: Route = "auto") -> tuple[Fraction, Fraction, int]:
        """Certified ends, to `digits` digits, and the bits they took, for epsilon0 > 0.

        Raises UndecidedError, and ResourceLimitError beyond about a minute.
        """
        bits = math.ceil(3.33 * digits) + 3 * self.n.bit_length() + 2 * (order.numerator // order.denominator).bit_length() + 64
        bits += math.ceil(1.45 * float(self.epsilon0.bounds(bits=64)[1]))  # 1 - beta is about e^-epsilon0
        spread = 2.31 * digits + 12
        known = (Fraction(0), Fraction(0))
        for _ in range(_ATTEMPTS):
            with precision(bits):
                value = self._value(order, digits, bits, spread, route).log1p() / (arb(order.numerator) / order.denominator - 1)
                known = ends(value) if value.is_finite() else known
            if known[0] > 0 and (known[1] - known[0]) * 10**digits <= known[1]:
                return *known, bits
            bits, spread = bits + bits // 2, 2 * spread
        raise UndecidedError(quantity="the Renyi divergence", enclosure=(str(float(known[0])), str(float(known[1]))), precision=bits)

    def _value(self, order: Fraction, digits: int, bits: int, spread: float, route: Route) -> arb:
        """Exp H(N) - 1, enclosed."""
        series = Series.of(epsilon0=self.epsilon0, order=order)
        window = Window.of(n=self.n, odds_factor=self.odds_factor, epsilon0=self.epsilon0, spread=spread)
        # Exp H(N) - 1 >= H(Exp N) - 1 is about this
        target = series.coefficient(1) / max(1.0, window.mean) / arb(10) ** (digits + 2)
        if route != "direct":
            terms = series.terms(N=window.low, target=target, most=MOST_TERMS if route == "auto" else 4 * MOST_TERMS)
            if terms is not None:
                return self._by_moments(series, window, terms, target, bits)
            if route == "moments":
                raise UndecidedError(quantity="the series of the Renyi moment", enclosure=("0", "?"), precision=bits)
        return self._directly(series, order, spread, target)

    def _by_moments(self, series: Series, window: Window, terms: int, target: arb, bits: int) -> arb:
        kept = self._kept
        if kept is None or kept.bits < bits or len(kept.values) < terms or kept.window.low > window.low or kept.window.high < window.high:
            if (products := (window.high - window.low + 1) * terms) > LARGEST_PRODUCTS:
                what, limit = f"certified Renyi moments for n = {self.n}", f"{LARGEST_PRODUCTS:.0e} coefficients, about a minute"
                raise ResourceLimitError(what=what, needed=f"{about(products)} coefficients", limit=limit)
            spend(products, each=_EACH_PRODUCT + terms / _LONGER_BY, bits=0, what=f"certified Renyi moments for n = {self.n}")
            kept = self._kept = _Moments(window, _expectations(window, terms), bits)
        total = arb(0)
        for j in range(1, terms):
            total += series.coefficient(j) * kept.values[j]
        rest = series.beyond(terms=terms, N=kept.window.low, smallest=target) + kept.window.outside(series, smallest=target)
        return total + rest * UP_TO_1

    def _directly(self, series: Series, order: Fraction, spread: float, target: arb) -> arb:
        """Every count a of every N; with x = (2a - N)/N > 0 both a and N - a are counted, h(x) + h(-x) - 2 each."""
        far = spread + float(order) * float(self.epsilon0.bounds(bits=64)[1])
        window = Window.of(n=self.n, odds_factor=self.odds_factor, epsilon0=self.epsilon0, spread=spread, below=far)
        reach = [min(N, math.ceil(math.sqrt(2 * far * N))) for N in (window.low, window.high)]
        work = (window.high - window.low + 1) * sum(reach) // 4
        what = f"a certified Renyi divergence of order {float(order):g} for n = {self.n}"
        if work > LARGEST_WORK:
            raise ResourceLimitError(what=what, needed=f"{about(work)} terms", limit=f"{LARGEST_WORK:.0e} terms, about a minute")
        spend(work, each=_EACH_PAIR, bits=0, what=what)
        total, left_out = arb(0), arb(0)
        for N, mass in enumerate(window.masses(), start=window.low):
            inside, rest = _given_count(N, series.beta, order, min(N, math.ceil(math.sqrt(2 * far * N))))
            total += mass * inside
            left_out += mass * rest
        left_out = left_out * (series.edge_minus_1 + 1) + window.outside(series, smallest=target)
        return total + left_out * UP_TO_1


def _given_count(N: int, beta: arb, order: Fraction, reach: int) -> tuple[arb, arb]:
    """H(N) - 1 summed over 0 < 2a - N <= reach, and the mass of |2a - N| > reach from above."""
    first = N // 2 + 1
    last = (N + reach) // 2
    mass, total = log_half_mass(N, N - first).exp(), arb(0)
    power = power_to(order)
    for a in range(first, last + 1):
        shift = beta * (2 * a - N)
        above, below = N + shift, N - shift
        raised = power(above / below)
        total += mass * ((below * raised + above / raised) / N - 2)
        mass = mass * (N - a) / (a + 1)
    if last >= N:
        return total, arb(0)
    return total, 2 * mass / (1 - arb(N - last - 1) / (last + 2))


def _expectations(window: Window, terms: int) -> list[arb]:
    """Exp[x^2j; low <= N <= high] for j < terms: with u = v/mid, x^2j = (2j)! [v^j] (mid/N)^2j mid^-j."""
    middle = max(1, round(window.mean))
    before = ctx.cap
    ctx.cap = terms
    try:
        totals = [arb(0)] * terms
        for N, mass, powers in _powers(window, terms, middle):
            weight, shrink = mass, arb(middle) * middle / (arb(N) * N)
            for j, coefficient in enumerate(powers):
                totals[j] += weight * coefficient
                weight = weight * shrink
    finally:
        ctx.cap = before
    return [total * arb(2 * j).fac() / arb(middle) ** j for j, total in enumerate(totals)]


def _powers(window: Window, terms: int, middle: int) -> Iterator[tuple[int, arb, list[arb]]]:
    """Pr(N) and the coefficients of cosh(sqrt(v/middle))^N for every N of the window."""
    coefficients, term = [], arb(1)
    for j in range(terms):
        coefficients.append(term)
        term = term / ((2 * j + 1) * (2 * j + 2) * middle)
    cosh = arb_series(coefficients, terms)
    power = cosh**window.low
    for N, mass in enumerate(window.masses(), start=window.low):
        found = power.coeffs()
        yield N, mass, [*found, *[arb(0)] * (terms - len(found))]
        power = power * cosh
