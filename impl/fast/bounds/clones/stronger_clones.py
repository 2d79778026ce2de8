"""The stronger clones bound in float64 with sound sides: BEYOND.CorF2 (FMT23's general pair).

Guaranteed range: n <= 10^9, epsilon0 = 0 or in [1e-200, 700], delta in [1e-300, 1] (and delta = 0), every epsilon. A
delta below 1e-305 is enclosed by [0, 1e-305]. Outside, and wherever sums would leave the range of floats, the engine refuses.
"""

from __future__ import annotations

from collections.abc import Iterable

from shuffleproof.impl.fast.bounds.clones import clones, renyi_family
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.clones import STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_ODDS_FACTOR = 2
"""k of clones.py for the stronger pair: C ~ Bin(n - 1, p) with p = 2/(e^epsilon0 + 1), whose odds are 2/(e^epsilon0 - 1)."""


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta of the stronger clones pair, enclosed in float64: shuffled eps0-DP randomizers are (epsilon, upper)-DP (BEYOND.CorF2).

    n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; epsilon >= 0. Returns an enclosure of relative width below 1e-9 where
    delta is at least 1e-300, [0, 1e-305] where it is below 1e-305; exactly 0 where epsilon >= epsilon0.
    Raises DomainError, and UnsupportedError outside its range.
    """
    return clones.pair_delta(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, epsilon=epsilon)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which the stronger clones pair's delta is at most delta, enclosed in float64 (BEYOND.CorF2).

    n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; delta = 0 or in [1e-300, 1]. Returns an enclosure with
    delta(lower) > delta >= delta(upper) certain at exactly these ends (side "upper", lower = 0, where delta cannot be told from
    delta(0)); exactly epsilon0 at delta = 0, exactly 0 where delta >= delta(0) is certain.
    Raises DomainError, and UnsupportedError outside its range.
    """
    return clones.pair_epsilon(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, delta=delta)


def profile(*, n: Number, epsilon0: Number | Epsilon, epsilons: Iterable[Number | Epsilon]) -> list[Bound]:
    """delta of the stronger clones pair at each epsilon, enclosed in float64: a privacy profile (BEYOND.CorF2).

    Parameters, sides and errors are those of `delta`; the relative width is mostly 2e-14. Tables that do not depend on epsilon
    are made once for each n and epsilon0 and kept for the next call: a bound is the same, to the last bit, alone or among others.
    """
    return clones.pair_profile(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, epsilons=epsilons)


def inverse_profile(*, n: Number, epsilon0: Number | Epsilon, deltas: Iterable[Number]) -> list[Bound]:
    """Least epsilon at which the stronger clones pair's delta is at most each delta, enclosed in float64 (BEYOND.CorF2).

    Parameters, sides and errors are those of `epsilon`; the relative width is mostly 1e-12. From the tables of `profile`.
    """
    return clones.pair_inverse_profile(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, deltas=deltas)


def renyi(*, n: Number, epsilon0: Number | Epsilon, order: Number) -> Bound:
    """Renyi divergence of the stronger clones pair, in float64: shuffled eps0-DP randomizers are (upper, order)-RDP (BEYOND.CorF2).

    n: users, 1 to 10^9; epsilon0 in [1e-3, 50], or 0; order: any number above 1, at most 10^6. Returns an enclosure of relative width
    below 1e-9. Raises DomainError, and UnsupportedError where more than 80 moments are needed (few clones, or a large order).
    """
    return renyi_family.renyi(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, order=order)
