"""Support identification by the histogram protocol: who holds what, from n samples of U_H (BC20, Definition 3.3 and Claim 3.4)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

from shuffleproof.spec.distribution import Distribution, binomial, mixture
from shuffleproof.spec.protocols import histogram, zero_sum
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about, require

Bins = frozenset[int]
MOST_DATASETS = 20_000
"""Datasets that are gone through at most."""


def chosen(estimates: Sequence[Fraction], *, n: int, t: Fraction) -> Bins:
    """Return the bins 1, ..., d whose estimated frequency is at least (t + 1)/n: the solver's answer.  (BC20, proof of Claim 3.4).

    t >= 0: the error, in counts, that is allowed for. Estimates that are not 0 are above (1 - p), so every t + 1 <= n (1 - p) + 1
    chooses the bins whose estimate is not 0. Raises DomainError.
    """
    _require(n=n, t=t)
    return frozenset(j for j, estimate in enumerate(estimates, start=1) if estimate * n >= t + 1)


def solve(messages: Sequence[int], *, n: int, d: int, p: Fraction, t: Fraction) -> Bins:
    """The whole analyzer: A^hist on the shuffled messages of n users over d bins, then `chosen`. Domains and errors as for its parts."""
    return chosen(histogram.analyzer(n=n, d=d, p=p)(tuple(messages)), n=n, t=t)


def answers_distribution(support: Sequence[int], *, n: int, d: int, p: Fraction, t: Fraction) -> Distribution[Bins]:
    """The distribution of the answer for n independent samples of U_H, by its definition: the mean over all datasets of H^n.

    support: H, distinct values in [d]. Raises DomainError; ResourceLimitError beyond 20,000 datasets: `success` has no such limit.
    """
    require(0 < len(set(support)) == len(support), parameter="support", value=support, requirement="distinct values, at least one")
    h = len(support)
    if h**n > MOST_DATASETS:
        raise ResourceLimitError(what=f"all datasets of {n} samples of {h} values", needed=f"{about(h**n)}", limit=f"{MOST_DATASETS}")
    share = Fraction(1, h**n)
    outcomes = [histogram.estimates_distribution(x, d=d, p=p).map(lambda e: chosen(e, n=n, t=t)) for x in product(support, repeat=n)]
    return mixture([(share, law) for law in outcomes])


def chosen_with(count: int, *, n: int, p: Fraction, t: Fraction) -> Fraction:
    """Pr[a bin that holds this many of n samples is chosen]: count + Bin(n, p) is above n and at least n p + t + 1.  count: 0 to n."""
    _require(n=n, t=t)
    law = zero_sum.messages_distribution(n=n, p=p, ones=count)
    return sum((weight for y, weight in law.items() if zero_sum.estimate(messages=y, n=n, p=p) * n >= t + 1), Fraction(0))


def success(*, h: int, n: int, p: Fraction, t: Fraction = Fraction(0), needed: int | None = None) -> Fraction:
    """Pr[the answer is exactly H], for every H of h elements in a domain of any size, exactly.

    A bin outside H is never chosen: its estimate is 0. Given how often each element of H was drawn, the bins are independent, so
    with s(c) the probability of `chosen_with` this is f_h(n)/h^n, where f_0(m) = 1[m = 0] and f_j(m) is the sum of
    C(m, c) s(c) f_(j-1)(m - c) over c.

    h, n: at least 1; p in [0, 1], exact; t as for `chosen`; needed: how many given elements of H have to be chosen, all if not given.
    Cost: O(h n^2) products of integers. Raises DomainError.
    """
    _require(n=n, t=t)
    require(h >= 1, parameter="h", value=h, requirement="an integer of at least 1")
    asked = h if needed is None else needed
    require(0 <= asked <= h, parameter="needed", value=asked, requirement=f"an integer from 0 to h = {h}")
    scale = Fraction(p).denominator ** n
    least = max(n + 1, _ceiling(n * p + t + 1))
    above = _numbers_above(n, p, scale)
    of_count = [above[min(max(least - c, 0), n + 1)] for c in range(n + 1)]  # s(c) scale, an integer: Pr[Bin(n, p) >= least - c] scale
    ways = [1] + [0] * n
    for _ in range(asked):
        ways = [sum(comb(m, c) * of_count[c] * ways[m - c] for c in range(m + 1) if ways[m - c]) for m in range(n + 1)]
    total = sum(comb(n, m) * way * (h - asked) ** (n - m) for m, way in enumerate(ways) if way)
    return Fraction(total, scale**asked * h**n)


def _numbers_above(n: int, p: Fraction, scale: int) -> list[int]:
    """scale Pr[Bin(n, p) >= b] for b = 0, ..., n + 1."""
    law = binomial(n, p)
    above = [0] * (n + 2)
    for b in range(n, -1, -1):
        above[b] = above[b + 1] + int(law[b] * scale)
    return above


def _ceiling(x: Fraction) -> int:
    return -(-x.numerator // x.denominator)


def _require(*, n: int, t: Fraction) -> None:
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(t >= 0, parameter="t", value=t, requirement="at least 0")
