"""The exact privacy profile of discrete Laplace noise on a sum, which users add in parts.

Z has mass (1 - a)/(1 + a) a^|z| on the integers, a = e^(-eps0/s), s the sensitivity; the pair is Z and s + Z. Up to 0, and from s on, their
likelihood ratio is constant, so that each of these tails is one outcome.

>>> delta(n=10, sensitivity=2, epsilon0="ln 4", epsilon="ln 2").exact
'1/3'
"""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.methods.protocols import LAPLACE_SUM

LARGEST_SENSITIVITY = 100
"""Sensitivity up to which outcomes are enumerated; the certified engine goes further."""


def part(*, share: Fraction, alpha: Fraction, terms: int) -> list[Fraction]:
    """The masses of a Polya(share, a) variable at 0, 1, ..., terms - 1, divided by that at 0, which is (1 - a)^share.

    Pr(X = k) = (1 - a)^share share (share + 1) ... (share + k - 1)/k! a^k. One user adds X - Y, both with share 1/n.
    """
    found = [Fraction(1)]
    for k in range(1, terms):
        found.append(found[-1] * (share + k - 1) / k * alpha)
    return found


def pair(*, alpha: Fraction, sensitivity: int) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of min(max(Z, 0), s) and min(max(s + Z, 0), s); alpha in (0, 1), exact."""
    tail = 1 / (1 + alpha)
    inside = {z: (1 - alpha) * tail * alpha**z for z in range(1, sensitivity)}
    masses = {0: tail, **inside, sensitivity: alpha**sensitivity * tail}
    return Distribution(masses), Distribution({sensitivity - z: mass for z, mass in masses.items()})


def _profiles(*, n: int, sensitivity: int, exp_epsilon0: Fraction) -> list[PrivacyProfile[int]]:
    """The profile of the one pair, which does not depend on n; at epsilon0 = 0, where noise has no bound, both distributions are one."""
    s, T = sensitivity, exp_epsilon0
    if s > LARGEST_SENSITIVITY:
        raise ResourceLimitError(what="exact arithmetic", needed=f"sensitivity = {s}", limit=f"{LARGEST_SENSITIVITY}: use engine 'ball'")
    unit = Fraction(_root(T.numerator, s), _root(T.denominator, s))
    if unit**s != T:
        raise UnsupportedError(
            what=f"e^epsilon0 = {T} with sensitivity {s} in exact arithmetic",
            reason="e^(epsilon0/sensitivity) is irrational",
            advice=f'give e^epsilon0 as a power of {s}, such as "ln {2**s}", or use engine "ball"',
        )
    one = Distribution({0: Fraction(1)})
    return [PrivacyProfile(one, one) if unit == 1 else PrivacyProfile(*pair(alpha=1 / unit, sensitivity=s))]


delta, epsilon, _ = answers(LAPLACE_SUM, _profiles)


def _root(x: int, s: int) -> int:
    """The largest integer whose s-th power is at most x, by bisection."""
    low, high = 1, 1 << (x.bit_length() // s + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**s <= x else (low, middle)
    return low
