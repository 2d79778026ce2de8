"""The composition theorems with certified upper ends, at the working precision of balls made here.

Guarantees of one round are exact rationals (round them up): epsilon of one round, and its delta. Every function returns an upper bound on
the epsilon of all rounds together; nothing here depends on what the mechanism is.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, upper_end
from shuffleproof.spec.vocabulary.errors import DomainError, require

MOST_ROUNDS = 10**6
"""Rounds of one guarantee at most: sums over rounds take seconds there."""
_BITS = 128
"""Working precision in bits, and twice those of the rounds beyond; upper ends are rounded up."""


def basic(*, epsilon: Fraction, rounds: int) -> Fraction:
    """rounds epsilon, for a total delta of rounds times that of one round (Dwork and Roth, Theorem 3.16)."""
    return rounds * epsilon


def slack_left(*, delta: Fraction, rounds: int, total_delta: Fraction) -> Fraction:
    """The largest slack with 1 - (1 - delta)^rounds (1 - slack) <= total_delta, from below to within 2^-120.

    Raises DomainError where the rounds alone take more than total_delta.
    """
    with precision(_BITS):
        kept = ball(1 - total_delta) / (ball(rounds) * _log1m(delta)).exp()
        found = upper_end(kept)
    if not found < 1:
        raise DomainError(parameter="delta", value=delta, requirement=f"below {float(total_delta)} over {rounds} rounds")
    return 1 - found


def advanced(*, epsilon: Fraction, delta: Fraction, rounds: int, total_delta: Fraction) -> Fraction:
    """Upper bound on epsilon by advanced composition: KOV15, Theorem 4.3, without its middle branch; as `spec.composition` has it.

    The privacy loss of one round of binary randomized response lies in [-epsilon, epsilon] and has mean epsilon tanh(epsilon/2):
    Hoeffding's inequality. Raises DomainError.
    """
    _check(epsilon, delta, rounds)
    slack = slack_left(delta=delta, rounds=rounds, total_delta=total_delta)
    with precision(_BITS):
        one = ball(epsilon)
        concentrated = rounds * one * (one / 2).tanh() + one * (2 * rounds * -ball(slack).log()).sqrt()
        return min(rounds * epsilon, upper_end(concentrated))


def optimal(*, epsilon: Fraction, delta: Fraction, rounds: int, total_delta: Fraction) -> Fraction:
    """Upper bound on the least epsilon that holds for all adaptive rounds of (epsilon, delta)-DP mechanisms, to about 30 digits.

    With h = slack_left and S_i = "at most i of k reports of binary randomized response are flipped", e^epsilon' = max over i of
    (P(S_i) - h)/Q(S_i), at least 1 (KOV15, Theorem 4.1, for every epsilon'). Cost O(rounds), rounds at most 10^6. Raises DomainError.
    """
    _check(epsilon, delta, rounds)
    slack = slack_left(delta=delta, rounds=rounds, total_delta=total_delta)
    with precision(_BITS + 2 * rounds.bit_length()):
        loss, h = ball(epsilon), ball(slack)
        T = loss.exp()
        in_p = weight_p = (rounds * (loss - T.log1p())).exp()
        in_q = weight_q = (-rounds * T.log1p()).exp()
        largest = arb(1)
        for i in range(rounds + 1):
            value = (in_p - h) / in_q
            # beyond the last positive part the events only lose: T^(k - i) < T^i
            largest = value.max(largest)
            if 2 * i > rounds or (in_p - h > 0 and value + 1 < largest):
                break
            step = ball(rounds - i) / (i + 1)
            weight_p, weight_q = weight_p * step / T, weight_q * step * T
            in_p, in_q = in_p + weight_p, in_q + weight_q
        return upper_end(largest.log())


def by_renyi(*, divergences: Sequence[tuple[Fraction, Fraction]], rounds: int, delta: Fraction) -> tuple[Fraction, Fraction]:
    """(epsilon, order): the least over the orders of the epsilon that (rounds tau, alpha)-RDP gives (Mir17; CKS20, Proposition 12).

    divergences: pairs (alpha, tau), tau an upper bound for one round; each of them proves a bound. delta: of all rounds, above 0.
    """
    require(len(divergences) > 0, parameter="divergences", value="none", requirement="at least one order")
    require(0 < delta <= 1, parameter="delta", value=delta, requirement="above 0, at most 1")
    with precision(_BITS):
        found = [(_from_renyi(order, rounds * tau, delta), order) for order, tau in divergences]
    least, order = min(found)
    return max(least, Fraction(0)), order


def _from_renyi(order: Fraction, tau: Fraction, delta: Fraction) -> Fraction:
    less = ball(order - 1)
    return upper_end(ball(tau) - (ball(delta).log() + ball(order).log()) / less + (less / ball(order)).log())


def _log1m(delta: Fraction) -> arb:
    return ball(-delta).log1p()


def _check(epsilon: Fraction, delta: Fraction, rounds: int) -> None:
    require(epsilon >= 0 and math.isfinite(float(epsilon)), parameter="epsilon", value=epsilon, requirement="at least 0")
    require(0 <= delta < 1, parameter="delta", value=delta, requirement="in [0, 1)")
    require(1 <= rounds <= MOST_ROUNDS, parameter="rounds", value=rounds, requirement=f"from 1 to {MOST_ROUNDS}")
