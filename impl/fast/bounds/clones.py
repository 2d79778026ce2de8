"""The clones bound in float64 with sound sides: FMT21, Theorem 3.2.

Guaranteed range: n <= 10^9, epsilon0 = 0 or in [1e-200, 700], delta in [1e-300, 1] (and delta = 0), every epsilon. A
delta below 1e-305 is enclosed by [0, 1e-305]. Outside, and wherever sums would leave the range of floats, the engine refuses.
"""

from __future__ import annotations

from collections.abc import Iterable

from shuffleproof.impl.fast.bounds import clones_family
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_ODDS_FACTOR = 1


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta of the clones pair at epsilon, enclosed in float64: shuffled eps0-DP randomizers are (epsilon, upper)-DP (FMT21, Theorem 3.2).

    n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; epsilon >= 0. Returns an enclosure of relative width below 1e-9 where
    delta is at least 1e-300, [0, 1e-305] where it is below 1e-305; exactly 0 where epsilon >= epsilon0.
    Raises DomainError, and UnsupportedError outside its range.

    >>> delta(n=1000, epsilon0=1, epsilon="0.1").decimals(digits=9)
    ('0.00035276565', '0.000352765651')
    """
    return clones_family.delta(CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, epsilon=epsilon)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which the clones pair's delta is at most delta, enclosed in float64 (FMT21, Theorem 3.2).

    n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; delta = 0 or in [1e-300, 1]. Returns an enclosure with
    delta(lower) > delta >= delta(upper) certain at exactly these ends (side "upper", lower = 0, where delta cannot be told from
    delta(0)); exactly epsilon0 at delta = 0, exactly 0 where delta >= delta(0) is certain.
    Raises DomainError, and UnsupportedError outside its range.
    """
    return clones_family.epsilon(CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, delta=delta)


def profile(*, n: Number, epsilon0: Number | Epsilon, epsilons: Iterable[Number | Epsilon]) -> list[Bound]:
    """delta of the clones pair at each epsilon, enclosed in float64: a privacy profile (FMT21, Theorem 3.2).

    Parameters, sides and errors are those of `delta`; the relative width is mostly 2e-14. Tables that do not depend on epsilon
    are made once for each n and epsilon0 and kept for the next call: a bound is the same, to the last bit, alone or among others.
    """
    return clones_family.profile(CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, epsilons=epsilons)


def inverse_profile(*, n: Number, epsilon0: Number | Epsilon, deltas: Iterable[Number]) -> list[Bound]:
    """Least epsilon at which the clones pair's delta is at most each delta, enclosed in float64 (FMT21, Theorem 3.2).

    Parameters, sides and errors are those of `epsilon`; the relative width is mostly 1e-12. From the tables of `profile`.
    """
    return clones_family.inverse_profile(CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, deltas=deltas)
