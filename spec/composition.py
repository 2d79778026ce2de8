"""Composition of mechanisms run on the same data, exactly: the product of pairs, and the basic composition theorem."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from shuffleproof.spec.distribution import Distribution, product
from shuffleproof.spec.errors import require

T = TypeVar("T", bound=Hashable)
Ratio = Fraction | None
"""A likelihood ratio p(y)/q(y); None where q(y) = 0."""


def by_likelihood_ratio(p: Distribution[T], q: Distribution[T]) -> tuple[Distribution[Ratio], Distribution[Ratio]]:
    """The pair of laws of the likelihood ratio p(y)/q(y) under p and under q: a sufficient statistic, so every divergence is kept.

    >>> coin = Distribution({"a": Fraction(2, 3), "b": Fraction(1, 6), "c": Fraction(1, 6)})
    >>> other = Distribution({"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)})
    >>> by_likelihood_ratio(coin, other)[0]
    Distribution({Fraction(2, 1): 2/3, Fraction(1, 2): 1/3})
    """

    def ratio(y: T) -> Ratio:
        return p[y] / q[y] if q[y] else None

    return p.map(ratio), q.map(ratio)


def composed(pairs: Sequence[tuple[Distribution[T], Distribution[T]]]) -> tuple[Distribution[Ratio], Distribution[Ratio]]:
    """The pair of the joint output of independent mechanisms, one pair (laws on two neighbouring datasets) each, as likelihood ratios.

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


def _multiplied(ratios: tuple[Ratio, Ratio]) -> Ratio:
    left, right = ratios
    return None if left is None or right is None else left * right
