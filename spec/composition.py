"""Composition of mechanisms run on the same data, exactly: the product of pairs, and the composition theorems.

Basic, optimal and by Renyi moments in rationals; advanced, which takes a square root and a logarithm, to chosen digits with mpmath.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

import mpmath

from shuffleproof.spec.distribution import Distribution, product
from shuffleproof.spec.vocabulary.errors import require

T = TypeVar("T", bound=Hashable)
Ratio = Fraction | None
"""A likelihood ratio p(y)/q(y); None where q(y) = 0."""


def by_likelihood_ratio(p: Distribution[T], q: Distribution[T]) -> tuple[Distribution[Ratio], Distribution[Ratio]]:
    """The pair of distributions of the likelihood ratio p(y)/q(y) under p and under q: a sufficient statistic, so every divergence is kept.

    >>> coin = Distribution({"a": Fraction(2, 3), "b": Fraction(1, 6), "c": Fraction(1, 6)})
    >>> other = Distribution({"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)})
    >>> by_likelihood_ratio(coin, other)[0]
    Distribution({Fraction(2, 1): 2/3, Fraction(1, 2): 1/3})
    """

    def ratio(y: T) -> Ratio:
        return p[y] / q[y] if q[y] else None

    return p.map(ratio), q.map(ratio)


def composed(pairs: Sequence[tuple[Distribution[T], Distribution[T]]]) -> tuple[Distribution[Ratio], Distribution[Ratio]]:
    """The pair of independent mechanisms' joint output, one pair (of distributions on neighbouring datasets) each, as likelihood ratios.

    If each pair dominates its mechanism, this pair dominates their composition, adaptive too. With no pairs it is a pair of equal points.
    """
    one: Ratio = Fraction(1)
    P: Distribution[Ratio] = Distribution.point(one)
    Q: Distribution[Ratio] = Distribution.point(one)
    for pair in pairs:
        p, q = by_likelihood_ratio(*pair)
        P, Q = product(P, p).map(_multiplied), product(Q, q).map(_multiplied)
    return P, Q


def basic_composition(guarantees: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """(e^epsilon, delta) of mechanisms with the listed guarantees (e^epsilon_i, delta_i), run one after the other, adaptively too.

    epsilon = sum of epsilon_i and delta = sum of delta_i, at most 1.  (Dwork and Roth, Theorem 3.16)
    Raises DomainError if some e^epsilon_i < 1 or some delta_i is not in [0, 1].
    """
    exp_epsilon, delta = Fraction(1), Fraction(0)
    for each_exp_epsilon, each_delta in guarantees:
        require(each_exp_epsilon >= 1, parameter="exp_epsilon", value=each_exp_epsilon, requirement="at least 1")
        require(0 <= each_delta <= 1, parameter="delta", value=each_delta, requirement="in [0, 1]")
        exp_epsilon, delta = exp_epsilon * each_exp_epsilon, delta + each_delta
    return exp_epsilon, min(delta, Fraction(1))


def advanced_composition(
    *, epsilon: Fraction, delta: Fraction, rounds: int, slack: Fraction, digits: int = 30
) -> tuple[mpmath.mpf, Fraction]:
    """(epsilon', delta') of `rounds` adaptive runs of (epsilon, delta)-DP mechanisms, delta' = 1 - (1 - delta)^rounds (1 - slack).

    epsilon' = min(k epsilon, k epsilon (e^epsilon - 1)/(e^epsilon + 1) + epsilon sqrt(2 k ln(1/slack))), k = rounds: two of the three
    branches of KOV15, Theorem 4.3. epsilon >= 0, delta in [0, 1], slack in (0, 1], digits of epsilon'. Raises DomainError.
    """
    require(epsilon >= 0, parameter="epsilon", value=epsilon, requirement="at least 0")
    _require_rounds(delta, rounds)
    require(0 < slack <= 1, parameter="slack", value=slack, requirement="above 0, at most 1")
    with mpmath.workdps(digits + 10):
        one, wider = mpmath.mpf(epsilon.numerator) / epsilon.denominator, mpmath.mpf(slack.denominator) / slack.numerator
        concentrated = rounds * one * mpmath.tanh(one / 2) + one * mpmath.sqrt(2 * rounds * mpmath.log(wider))
        return min(rounds * one, concentrated), 1 - (1 - delta) ** rounds * (1 - slack)


def optimal_composition_delta(*, exp_epsilon: Fraction, delta: Fraction, rounds: int, exp_total: Fraction) -> Fraction:
    """The least delta' for which every `rounds` adaptive runs of (epsilon, delta)-DP mechanisms are (epsilon', delta')-DP.

    1 - (1 - delta)^k (1 - D), D = sum over l of choose(k, l) max(0, T^(k - l) - E T^l)/(1 + T)^k, T = e^epsilon, E = e^epsilon',
    k = rounds: D is the profile of k runs of binary randomized response.  (KOV15, Theorem 4.1, for every epsilon')

    exp_epsilon, exp_total: at least 1; delta in [0, 1]; rounds: at least 1. Raises DomainError.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    require(exp_total >= 1, parameter="exp_total", value=exp_total, requirement="at least 1")
    _require_rounds(delta, rounds)
    divergence = max((in_p - exp_total * in_q for in_p, in_q in _likeliest_events(exp_epsilon, rounds)), default=Fraction(0))
    return 1 - (1 - delta) ** rounds * (1 - max(divergence, Fraction(0)))


def optimal_composition(*, exp_epsilon: Fraction, delta: Fraction, rounds: int, total_delta: Fraction) -> Fraction | None:
    """The least e^epsilon' >= 1 for which every `rounds` adaptive runs of (epsilon, delta)-DP mechanisms are (epsilon', total_delta)-DP.

    None where there is none: total_delta < 1 - (1 - delta)^rounds. Raises DomainError as `optimal_composition_delta` does.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    require(0 <= total_delta <= 1, parameter="total_delta", value=total_delta, requirement="in [0, 1]")
    _require_rounds(delta, rounds)
    if total_delta == 1:
        return Fraction(1)
    if (1 - delta) ** rounds < 1 - total_delta:
        return None
    target = 1 - (1 - total_delta) / (1 - delta) ** rounds
    return max(Fraction(1), *((in_p - target) / in_q for in_p, in_q in _likeliest_events(exp_epsilon, rounds)))


def renyi_composition(moments: Sequence[Fraction]) -> Fraction:
    """Return the moment of p^alpha q^(1 - alpha) of mechanisms run one after the other, adaptively too: the product.  (Mir17, Prop. 1).

    moments: at least 1 each, of one order; e^((alpha - 1) tau) for (tau, alpha)-RDP. Raises DomainError.
    """
    for moment in moments:
        require(moment >= 1, parameter="moment", value=moment, requirement="at least 1")
    return math.prod(moments, start=Fraction(1))


def renyi_to_delta(*, moment: Fraction, order: int, exp_epsilon: Fraction) -> Fraction:
    """The delta that a moment of one order gives at epsilon: moment e^(-(alpha - 1) epsilon) (1 - 1/alpha)^(alpha - 1)/alpha, at most 1.

    moment: e^((alpha - 1) tau) for (tau, alpha)-RDP; order: alpha, an integer of at least 2; exp_epsilon >= 1.  (CKS20, Proposition 12)
    Raises DomainError.
    """
    require(order >= 2, parameter="order", value=order, requirement="an integer of at least 2")
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    require(moment >= 1, parameter="moment", value=moment, requirement="at least 1")
    return min(Fraction(1), moment / exp_epsilon ** (order - 1) * Fraction(order - 1, order) ** (order - 1) / order)


def _require_rounds(delta: Fraction, rounds: int) -> None:
    require(0 <= delta <= 1, parameter="delta", value=delta, requirement="in [0, 1]")
    require(rounds >= 1, parameter="rounds", value=rounds, requirement="an integer of at least 1")


def _likeliest_events(T: Fraction, rounds: int) -> Iterator[tuple[Fraction, Fraction]]:
    """(P(S), Q(S)) for S = "at most i of the reports are flipped", i = 0, 1, ..., of so many runs of binary randomized response.

    Every order's best event is among them, so the profile is the largest P(S) - E Q(S).
    """
    in_p = in_q = Fraction(0)
    for i in range(rounds + 1):
        weight = math.comb(rounds, i) / (1 + T) ** rounds
        in_p, in_q = in_p + weight * T ** (rounds - i), in_q + weight * T**i
        yield in_p, in_q


def _multiplied(ratios: tuple[Ratio, Ratio]) -> Ratio:
    left, right = ratios
    return None if left is None or right is None else left * right
