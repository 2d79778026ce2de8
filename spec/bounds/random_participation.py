"""Random participation: of n users each takes part with probability g, on a hidden toss, and the reports of those are shuffled.

The number m of reports is seen. Given m, those who take part are a uniform subset of m users: user 1 is among them with probability m/n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.model import LocalRandomizer, shuffled_law


def view(randomizer: LocalRandomizer[Any, Any], dataset: Sequence[Any], *, rate: Fraction, least: int = 0) -> Distribution[Any]:
    """The law of the multiset of reports; a batch of fewer than `least` is dropped, and nothing but that is seen. rate in [0, 1]."""
    n, found = len(dataset), dict[Any, Fraction]()
    for m in range(n + 1):
        for present in combinations(range(n), m):
            weight = rate**m * (1 - rate) ** (n - m)
            if m < least:
                found["dropped"] = found.get("dropped", Fraction(0)) + weight
                continue
            for reports, mass in shuffled_law(randomizer, [dataset[i] for i in present]).items():
                found[reports] = found.get(reports, Fraction(0)) + weight * mass
    return Distribution(found)


def mixed(delta_of: Callable[[int, Fraction], Fraction], *, n: int, rate: Fraction, exp_epsilon: Fraction, least: int = 1) -> Fraction:
    """sum over m of Pr(Bin(n, g) = m) (m/n) delta_m(1 + (E - 1) n/m): the delta of random participation, from above where delta_m is.

    delta_of: (m, E) -> the delta of m users' shuffled reports at order E. n >= 1; rate in [0, 1]; E >= 1; least: batches of fewer are
    dropped, at least 1.
    """
    total = Fraction(0)
    for m, weight in binomial(n, rate).items():
        if m >= max(least, 1):
            total += weight * Fraction(m, n) * delta_of(m, 1 + (exp_epsilon - 1) * Fraction(n, m))
    return total
