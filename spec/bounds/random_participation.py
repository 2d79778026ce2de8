"""Random participation (Poisson subsampling): each of n users takes part with probability g, in secret; their reports are shuffled.

The number m of reports is seen. Given m, those who take part are a uniform subset of m users: user 1 is among them with probability m/n.
What is said of shuffled reports holds of everything that is seen of m users and does not reveal in which order they came.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution

Deltas = Callable[[int, Fraction], Fraction]


def view(randomizer: LocalRandomizer[Any, Any], dataset: Sequence[Any], *, rate: Fraction, least: int = 0) -> Distribution[Any]:
    """The distribution of the multiset of reports; a batch of fewer than `least` is dropped, and nothing but that is seen.

    rate in [0, 1].
    """
    return seen(lambda present: shuffled_distribution(randomizer, present), dataset, rate=rate, least=least)


def seen(
    law_of: Callable[[list[Any]], Distribution[Any]], dataset: Sequence[Any], *, rate: Fraction, least: int = 0, counted: bool = True
) -> Distribution[Any]:
    """The distribution of what is seen of those who take part, and of how many they are, unless that is not revealed.

    law_of: of the data of those who take part, in any order; a batch of fewer than `least` is dropped, and nothing but that is seen.
    """
    n, found = len(dataset), dict[Any, Fraction]()
    for m in range(n + 1):
        for present in combinations(range(n), m):
            weight = rate**m * (1 - rate) ** (n - m)
            if m < least:
                found["dropped"] = found.get("dropped", Fraction(0)) + weight
                continue
            for outcome, mass in law_of([dataset[i] for i in present]).items():
                told = (m, outcome) if counted else outcome
                found[told] = found.get(told, Fraction(0)) + weight * mass
    return Distribution(found)


def mixed(delta_of: Deltas, *, n: int, rate: Fraction, exp_epsilon: Fraction, least: int = 1, exchanged: Deltas | None = None) -> Fraction:
    """sum over m of Pr(Bin(n, g) = m) (m/n) delta_m(1 + (E - 1) n/m): the delta of random participation, from above where delta_m is.

    delta_of: (m, E) -> the delta of m users at order E. exchanged: the same where a user's data is replaced by another user's, gamma_m, if
    neighbours differ in less; then it is (1 - beta) gamma_m + beta delta_m, beta = E/(1 + (E - 1) n/m), in the place of delta_m. n >= 1;
    rate in [0, 1]; E >= 1; least: batches of fewer are dropped, at least 1.
    """
    total = Fraction(0)
    for m, weight in binomial(n, rate).items():
        if m >= max(least, 1):
            order = 1 + (exp_epsilon - 1) * Fraction(n, m)
            value = delta_of(m, order)
            if exchanged is not None:
                beta = exp_epsilon / order
                value = (1 - beta) * exchanged(m, order) + beta * value
            total += weight * Fraction(m, n) * value
    return total


def uncounted(delta_of: Callable[[Fraction], Fraction], *, rate: Fraction, exp_epsilon: Fraction) -> Fraction:
    """g delta(1 + (E - 1)/g): where neighbours differ in whether one user is there, and nothing reveals how many take part.

    delta_of: E -> the delta of those who take part at order E, for any number of them; rate in (0, 1]; E >= 1.
    """
    return rate * delta_of(1 + (exp_epsilon - 1) / rate)
