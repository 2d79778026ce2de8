"""The operations once more, by other means than the vectors were made: what the planted bugs are planted in. Standard library only.

Exact where the answer is rational, in decimals of 50 digits where it is not; nothing here is fast.
"""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb, floor, prod

DIGITS = 50
"""Decimal digits carried: more than any tolerance of the judge asks."""


class RefusedError(Exception):
    """This input has no answer."""


def require(condition: bool, because: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise RefusedError(because)


def number(text: str) -> Fraction:
    """A rational, exactly as written."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise RefusedError(f"{text!r} is no number") from None


def whole(text: str, *, least: int, most: int = 10**18) -> int:
    """A whole number in a range."""
    value = number(text)
    require(value.denominator == 1 and least <= value <= most, f"{text!r} is no whole number from {least} to {most}")
    return int(value)


def exponential(epsilon: str) -> Fraction | None:
    """e^epsilon where that is rational, else None."""
    if epsilon.strip().startswith("ln"):
        value = number(epsilon.strip()[2:].strip(" ()"))
        require(value >= 1, "epsilon is at least 0")
        return value
    value = number(epsilon)
    require(value >= 0, "epsilon is at least 0")
    return Fraction(1) if value == 0 else None


def row(text: str) -> list[Fraction]:
    """A distribution."""
    found = [number(part) for part in text.split(",")]
    require(min(found) >= 0 and sum(found) == 1, "probabilities must have sum 1")
    return found


def rows(text: str) -> list[list[Fraction]]:
    """Several distributions over the same outcomes."""
    found = [row(part) for part in text.split(" ")]
    require(len({len(each) for each in found}) == 1, "distributions must be over the same outcomes")
    return found


def pair(given: dict[str, str]) -> tuple[list[Fraction], list[Fraction]]:
    """p and q."""
    p, q = row(given["p"]), row(given["q"])
    require(len(p) == len(q), "distributions must be over the same outcomes")
    return p, q


def divergence(p: list[Fraction], q: list[Fraction], order: Fraction) -> Fraction:
    """p(S) - order q(S) for the best event S."""
    require(order >= 1, "e^epsilon is at least 1")
    event = [y for y in range(len(p)) if p[y] >= order * q[y]]
    return sum((p[y] for y in event), Fraction(0)) - order * sum((q[y] for y in event), Fraction(0))


def local_exp_epsilon(laws: list[list[Fraction]]) -> Fraction:
    """The largest ratio of two probabilities of one outcome."""
    worst = Fraction(1)
    for one, other in product(laws, laws):
        for a, b in zip(one, other, strict=True):
            require(a == 0 or b > 0, "no epsilon bounds the ratio of a probability to 0")
            worst = max(worst, a / b) if b else worst
    return worst


def shuffled(laws: list[list[Fraction]], dataset: list[int]) -> dict[tuple[int, ...], Fraction]:
    """The distribution of the sorted messages, by going through every sequence of messages."""
    found: Counter[tuple[int, ...]] = Counter()
    for messages in product(range(len(laws[0])), repeat=len(dataset)):
        weight = prod((laws[x][y] for x, y in zip(dataset, messages, strict=True)), start=Fraction(1))
        if weight:
            found[tuple(sorted(messages))] += weight  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def moment(p: list[Fraction], q: list[Fraction], order: int) -> Fraction:
    """The expectation under q of (p/q)^order."""
    require(all(b > 0 for a, b in zip(p, q, strict=True) if a), "p has mass where q has none")
    return sum((b * (a / b) ** order for a, b in zip(p, q, strict=True) if b), Fraction(0))


def powers(p: list[Fraction], rounds: int) -> list[Fraction]:
    """The distribution of independent draws, one after the other."""
    return [prod(each, start=Fraction(1)) for each in product(p, repeat=rounds)]


def composed_delta(exp_epsilon: Fraction, delta: Fraction, rounds: int, total: Fraction) -> Fraction:
    """The profile of rounds of randomized response that fails openly with probability delta."""
    require(0 <= delta <= 1, "delta is in [0, 1]")
    whole_mass, T = (1 + exp_epsilon) ** rounds, exp_epsilon
    gaps = [comb(rounds, lies) * (T ** (rounds - lies) - total * T**lies) / whole_mass for lies in range(rounds + 1)]
    return 1 - (1 - delta) ** rounds * (1 - sum((gap for gap in gaps if gap > 0), Fraction(0)))


def binomial(n: int, p: Fraction) -> list[Fraction]:
    """The distribution of how many of n coins are heads."""
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def zero_sum_delta(n: int, p: Fraction, order: Fraction) -> Fraction:
    """The larger divergence of Bin(n, p) and its shift by one."""
    law = binomial(n, p)
    return max(divergence([*law, Fraction(0)], [Fraction(0), *law], order), divergence([Fraction(0), *law], [*law, Fraction(0)], order))


def sum_estimate(ones: int, n: int, lam: Fraction, r: int) -> Fraction:
    """(1/r) n/(n - lambda) (ones - lambda r/2)."""
    return Fraction(n) / (n - lam) * (ones - lam * r / 2) / r


def count_estimate(messages: int, n: int, p: Fraction) -> Fraction:
    """c* - p for c* > 1, else 0."""
    return Fraction(messages, n) - p if messages > n else Fraction(0)


def cost(norms: list[Fraction], C: Fraction, T: Fraction, lam: Fraction) -> Fraction:
    """Return what a threshold is to make small."""
    return sum((max(m - C, Fraction(0)) for m in norms), Fraction(0)) + T * C + lam / 2 * C**2


def least_minimiser(norms: list[Fraction], T: Fraction, lam: Fraction, B: Fraction | None) -> Fraction:
    """The least of the candidates with the least cost: 0, B, every norm, and where the slope of a piece is 0."""
    above = range(len(norms) + 1)
    flat = [(k - T) / lam for k in above] if lam else []
    candidates = [Fraction(0), *norms, *flat, *([B] if B is not None else [])]
    allowed = [C for C in candidates if C >= 0 and (B is None or C <= B)]
    return min(allowed, key=lambda C: (cost(norms, C, T, lam), C))


def clipped_mean(rate: Fraction, C: Fraction) -> Decimal:
    """E min(Poisson(rate), C) = sum over j < C of P(X > j), with the part of a step at the end."""
    with localcontext() as context:
        context.prec = 80
        mean, k = decimal(rate), floor(C)
        term, below, total = (-mean).exp(), Decimal(0), Decimal(0)
        for j in range(k + 1):
            below += term
            total += (1 - below) * (1 if j < k else decimal(C - k))
            term *= mean / (j + 1)
        return total


def clipped_inverse(y: Fraction, C: Fraction) -> Decimal:
    """The rate with that mean, by bisection."""
    with localcontext() as context:
        context.prec = 80
        low, high, target = Decimal(0), Decimal(1), decimal(y)
        while clipped_mean(Fraction(high), C) < target:
            high *= 2
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if clipped_mean(Fraction(middle), C) < target else (low, middle)
        return high


def root_below(x: Fraction, r: int) -> Fraction:
    """A rational a hair below the r-th root of a number of at least 1, which it is for r = 1."""
    guess = Fraction(float(x) ** (1 / r)) * (1 - Fraction(1, 10**12))
    return x if r == 1 else max(Fraction(1), guess.limit_denominator(10**9) * (1 - Fraction(1, 10**8)))


def text(value: Decimal) -> str:
    """A decimal of DIGITS digits."""
    with localcontext() as context:
        context.prec = DIGITS
        return str(+value).lower()


def decimal(x: Fraction) -> Decimal:
    """Return it to the digits of the context."""
    return Decimal(x.numerator) / Decimal(x.denominator)
