"""Masses and tails of binomial and multinomial distributions, certified: no other module of ball arithmetic computes them."""

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ball, precision
from shuffleproof.impl.ball.numeric.budget import require_affordable, spend
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about

LARGEST_TAIL = 20_000_000
"""Terms of a tail at most."""
_PER_TERM = 0.5
"""Units of work for a term: a microsecond where the odds are a long number."""
_COUNTED = 1 << 14
"""Terms that are paid for at once."""
_MANY_TERMS = 150_000
"""Terms from which on the hypergeometric function, which takes some 20 ms, is quicker than their sum."""
_OF_A_STEP = 10
"""Terms that take about as long as a step of the continued fraction, 5 to 8 microseconds."""
_MOST_BITS = 600
"""Precision up to which it takes less than half a second; from about 1,000 bits on, minutes."""
_GUARD = 4
"""Bits that it may have less than were asked for; where it has fewer, the terms are summed."""


def mass(n: int, p: Fraction, c: int) -> arb:
    """Pr(Bin(n, p) = c) at the working precision; 0 outside {0, ..., n}. 0 < p < 1."""
    return log_mass(n, c, p=ball(p), rest=ball(1 - p)).exp() if 0 <= c <= n else arb(0)


def masses(n: int, p: arb) -> list[arb]:
    """Bin(n, p), 0 < p < 1, each from the one before: powers of a polynomial take ten times as long, and their tails are wide."""
    found, odds = [(1 - p) ** n], p / (1 - p)
    for c in range(n):
        found.append(found[-1] * (n - c) / (c + 1) * odds)
    return found


def log_mass(n: int, c: int, *, p: arb, rest: arb) -> arb:
    """ln Pr(Bin(n, p) = c) for 0 <= c <= n, rest = 1 - p; where one of them is 0, c is certain."""
    return log_choose(n, c) + (c * p.log() if c else 0) + ((n - c) * rest.log() if c < n else 0)


def log_mass_by_odds(n: int, c: int, *, log_odds: arb, log_total: arb) -> arb:
    """The same for given odds p/(1 - p): log_odds is their logarithm, log_total that of 1 + odds."""
    return log_choose(n, c) + c * log_odds - n * log_total


def mass_against(n: int, c: int, against: arb) -> arb:
    """Pr(Bin(n, p) = c) for any odds (1 - p)/p = against above 0; 0 outside {0, ..., n}."""
    if not 0 <= c <= n:
        return arb(0)
    return log_mass_by_odds(n, c, log_odds=-against.log(), log_total=(1 / against).log1p()).exp()


def log_half_mass(c: int, t: int) -> arb:
    """ln Pr(Bin(c, 1/2) = t) for 0 <= t <= c."""
    return log_choose(c, t) - c * arb(2).log()


def log_multinomial(parts: Iterable[tuple[int, arb]]) -> arb:
    """ln of the probability that draws fall into parts so many times, for (count, mass) of each part; a mass of 0 has a count of 0."""
    known = list(parts)
    total = arb(sum(count for count, _ in known) + 1).lgamma()
    for count, mass_of_part in known:
        total -= arb(count + 1).lgamma()
        if count:
            total += count * mass_of_part.log()
    return total


def relative_entropy(p: arb, q: arb, *, rest: arb | None = None) -> arb:
    """kl(p || q) of two coins, q inside (0, 1); rest: 1 - q, where a difference would lose bits of it."""
    parts = ((x, y) for x, y in ((p, q), (1 - p, 1 - q if rest is None else rest)) if x != 0)
    return sum((x * (x / y).log() for x, y in parts), arb(0))


def log_choose(n: int, c: int) -> arb:
    """ln of the binomial coefficient, 0 <= c <= n."""
    return _log_factorial(n, ctx.prec) - _log_factorial(c, ctx.prec) - _log_factorial(n - c, ctx.prec)


@lru_cache(maxsize=1 << 12)
def _log_factorial(n: int, bits: int) -> arb:
    """Return ln n! at the current precision, `bits`: sums along chains ask for the same ones again and again."""
    return arb(n + 1).lgamma()


def lower_tail(n: int, p: Fraction, c: int, *, bits: int) -> arb:
    """Pr(Bin(n, p) <= c), 0 < p < 1, to a relative error of about 2^-bits; meant for c up to about the mean.

    Cost O(sqrt(n p (1 - p) bits)). Raises ResourceLimitError beyond 2 * 10^7 terms.
    """
    if not 0 <= c < n:
        return arb(0) if c < 0 else arb(1)
    over_mass = lower_tail_over_mass(n, c, against=ball((1 - p) / p), bits=bits)
    return mass(n, p, c) * over_mass


def tail_against(n: int, c: int, against: arb, *, downward: bool, bits: int) -> arb:
    """Pr(Bin(n, p) <= c), or >= c, for odds (1 - p)/p = against; meant for c on that side of the mean. Raises ResourceLimitError."""
    if not 0 <= c <= n:
        return arb(1) if (c > n) == downward else arb(0)
    down, other = (c, against) if downward else (n - c, 1 / against)
    return mass_against(n, c, against) * lower_tail_over_mass(n, down, against=other, bits=bits)


def _terms(n: int, c: int, factor: float, bits: int) -> float:
    """About how many terms are above 2^-bits: by the first factor where that is well below 1, else by the deviation."""
    return bits / max(1.0 - factor, math.sqrt(1 / c + 1 / (n - c))) if 0 < c < n else 1.0


def _steps(n: int, c: int, factor: float, bits: int) -> float:
    """About how many steps the continued fraction takes: the j-th brings e^((1 - factor)/x + x), x = sqrt(j/c + j/(n - c))."""
    if not (1 < c < n and factor < 1):
        return math.inf
    spread, wanted = math.sqrt(1 / c + 1 / (n - c)), bits * math.log(2)
    far, near = wanted * spread / (2 * (1 - factor)), 1.5 * wanted / spread
    return 1 + min(far * far, math.cbrt(near * near), c)


def lower_tail_over_mass(n: int, c: int, *, against: arb | int, bits: int) -> arb:
    """Pr(Bin(n, p) <= c)/Pr(Bin(n, p) = c) for odds (1 - p)/p = against (1: one half), to about 2^-bits.

    It is 2F1(1, -c; n - c + 1; -against): below the mean a continued fraction, of few steps where c is some deviations below it; next to
    the mean the library's function, at a cost that hardly depends on n; where few terms count, they are summed. Towards 0 each is the last
    one times k against/(n - k + 1), k the count left, a factor that falls, below 1 from somewhere under the mean on: what is left out is
    below a geometric series. Raises ResourceLimitError beyond 2 * 10^7 terms.
    """
    what = f"certified tail sums for n = {n}"

    def pay(terms: int) -> None:
        spend(terms, each=_PER_TERM, bits=bits, what=what)

    factor = float(arb(against).mid()) * c / (n - c + 1) if 0 < c < n else 0.0
    expected, steps, working = _terms(n, c, factor, bits), _steps(n, c, factor, bits), bits + n.bit_length() + _GUARD
    if _OF_A_STEP * steps < min(expected, _MANY_TERMS):
        spend(steps, each=_OF_A_STEP * _PER_TERM, bits=bits, what=what)
        with precision(max(working, ctx.prec)):
            found = _by_fraction(n, c, arb(against), bits)
        if found is not None:
            return found
    if expected > _MANY_TERMS:
        if working <= _MOST_BITS:
            with precision(max(working, ctx.prec)):  # it loses about as many bits as n has
                found = (-arb(against)).hypgeom([1, -c], [n - c + 1])
            if found.is_finite() and found.rel_accuracy_bits() >= bits - _GUARD:
                return found
        require_affordable(min(expected, c), each=_PER_TERM, bits=bits, what=what)
    total, term, smallest = arb(1), arb(1), arb(2) ** -bits
    for k in range(c, max(c - LARGEST_TAIL, 0), -1):
        if not (c - k + 1) % _COUNTED:
            pay(_COUNTED)
        term = term * (against * k) / (n - k + 1)
        total += term
        if term < smallest and k > 1:
            ratio = arb(against * (k - 1)) / (n - k + 2)
            if ratio < 1:  # short tails are paid for as well: a sum of many of them asks for one at each of its counts
                pay((c - k + 1) % _COUNTED)
                return total + UP_TO_1 * (term * ratio / (1 - ratio))
    if c <= LARGEST_TAIL:
        pay(c % _COUNTED)
        return total
    raise ResourceLimitError(what=what, needed=f"more than {about(LARGEST_TAIL)} terms", limit=f"{LARGEST_TAIL:.0e} terms")


def _by_fraction(n: int, c: int, against: arb, bits: int) -> arb | None:
    """The same for 1 < c < n by Gauss's continued fraction, contracted; None where c is not surely below the mean.

    With m = n - c + 1 and against = a, e_(2j) = a j (n + j)/((m + 2j - 2)(m + 2j - 1)) and
    e_(2j+1) = a (c - j)(m + j - 1)/((m + 2j - 1)(m + 2j)), Gauss has it as 1/(1 - e_1/(1 + e_2/(1 - e_3/(1 + ...)))), which ends with
    e_(2c+1) = 0. In pairs that is 1 + e_1/W_1, W_j = 1 - e_(2j-1) + e_(2j) + e_(2j) e_(2j+1)/W_(j+1). The odd e fall with j, so where
    e_1 < 1 all partial numerators and denominators are positive: the convergents of W_1 lie below it and above it in turn, and nothing
    cancels in them.
    """
    m, smallest = n - c + 1, arb(2) ** -bits
    first = odd = against * c / m
    if not first < 1:
        return None
    # Convergents are upper/lower; `product` is that of the partial numerators, the difference of two successive ones times both lowers.
    upper, lower, upper_before, lower_before, product, numerator = arb(1), arb(0), arb(0), arb(1), arb(1), arb(1)
    for j in range(1, c + 2):
        even = against * (j * (n + j)) / ((m + 2 * j - 2) * (m + 2 * j - 1))
        denominator = 1 - odd + even
        upper, upper_before = denominator * upper + numerator * upper_before, upper
        lower, lower_before = denominator * lower + numerator * lower_before, lower
        if j > 1 and not product > smallest * upper * lower_before:
            break
        odd = against * ((c - j) * (m + j - 1)) / ((m + 2 * j - 1) * (m + 2 * j))
        numerator = even * odd
        product *= numerator
    return arb(1 + first / (upper / lower).union(upper_before / lower_before))
