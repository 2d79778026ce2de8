"""Polya (negative binomial) variables of a rational share, drawn exactly, and the parts of discrete Laplace noise (BEYOND.laplace-sum)."""

from fractions import Fraction

from shuffleproof.impl.release.bernoulli import bernoulli, bernoulli_exp
from shuffleproof.impl.release.discrete_laplace import discrete_laplace
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, exact_fraction, positive


def polya(*, share: Number, scale: Number, source: BitSource) -> int:
    """One draw: Pr(X = k) = (1 - a)^share share (share + 1) ... (share + k - 1)/k! a^k, a = e^(-1/scale).

    share: in (0, 1], exact; scale: above 0, exact. A geometric variable is drawn and accepted with the product of (share + i)/(1 + i), i
    below it; (1 - a)^(share - 1) trials on average. Raises DomainError.
    """
    part, wide = exact_fraction(share, parameter="share"), positive(scale, parameter="scale")
    require(0 < part <= 1, parameter="share", value=share, requirement="above 0, at most 1")
    while True:
        found = 0
        while bernoulli_exp(x=1 / wide, source=source):
            if not bernoulli(p=(part + found) / (1 + found), source=source):
                break
            found += 1
        else:
            return found


def noise_of(*, users: int, honest: int, scale: Number, source: BitSource) -> int:
    """Draw what so many users add together, each the honest-th part of discrete Laplace noise: whole noises, and the part left over.

    users: at least 1; honest: at least 1; scale: above 0. Raises DomainError.
    """
    require(users >= 1, parameter="users", value=users, requirement="at least 1")
    require(honest >= 1, parameter="honest", value=honest, requirement="at least 1")
    whole, left = divmod(Fraction(users, honest), 1)
    total = sum(discrete_laplace(scale=scale, source=source) for _ in range(int(whole)))
    if left:
        total += polya(share=left, scale=scale, source=source) - polya(share=left, scale=scale, source=source)
    return total
