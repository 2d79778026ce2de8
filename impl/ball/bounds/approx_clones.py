"""Shuffled (epsilon0, delta0)-DP local randomizers, certified for any n (FMT21, Theorem 3.8, with the clones pair's own profile)."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds import approx_clones_family
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import APPROX_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The least delta'(epsilon') + (e^epsilon' + 1)(1 + e^-epsilon0/2) n delta0 over epsilon' <= epsilon, enclosed (FMT21, Theorem 3.8).

    delta' is the clones pair's. From epsilon0 on it is delta0, which holds without shuffling.
    n: users, at least 1; epsilon0 in [0, 10000]; delta0 in [0, 1]; epsilon >= 0; digits: relative width of the enclosure at most
    10^-digits, 1 to 1000. Raises DomainError, ResourceLimitError (n above about 10^12), UndecidedError.
    """
    return approx_clones_family.delta(APPROX_CLONES, _cost, n=n, epsilon0=epsilon0, delta0=delta0, epsilon=epsilon, digits=digits)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed: epsilon0 itself where there is none below it (FMT21, Theorem 3.8).

    n, epsilon0, delta0, digits: as for `delta`; delta in [0, 1].
    Raises DomainError, ResourceLimitError, UndecidedError; RegimeError where delta < delta0, for which no epsilon is enough.
    """
    return approx_clones_family.epsilon(APPROX_CLONES, _cost, n=n, epsilon0=epsilon0, delta0=delta0, delta=delta, digits=digits)


def _cost(n: int, T: arb, delta0: Fraction) -> tuple[arb, arb]:
    return (1 + 1 / (2 * T)) * ball(n * delta0), arb(0)
