"""The kinds into which `randomizer_lower` merges the reports of a named randomizer, with their masses in closed form.

T = e^eps0, r = e^(eps0/2). A report prefers one item to another where it is T times as likely for the first. With three items, alone is the
mass, under the law of x_1, of what prefers x_0 to x_1 and x_2; shared that of what prefers x_0 and x_2 to x_1. The same two numbers serve
every order of the three items. So what prefers x_0, x_1 or x_2 to both others has mass T alone under its own law, alone under the others,
and what is left has one mass, 1 - (T + 2) alone, under all three: as if by kRR with 1/alone - T + 1 categories, not an integer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.k_rr_sums import Pair
from shuffleproof.impl.ball.bounds.optimal_parameters import hadamard_shape
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.randomizers import (
    KRR,
    RAPPOR,
    AsymmetricRAPPOR,
    Hadamard,
    Laplace,
    LocalHashing,
    NamedRandomizer,
    Subset,
    unknown_randomizer,
)

_RULE_BITS = (64, 1024, 16_384)


@dataclass(frozen=True)
class Three:
    """alone, shared, and left = 1 - (T + 2) alone, as balls at the current precision."""

    alone: arb
    shared: arb
    left: arb


@dataclass(frozen=True)
class Two:
    """Chances of the one kind that is counted: p1 of any report but the special one, p0 = p1 + gap of that in the first dataset."""

    p1: arb
    gap: arb


MakeThree = Callable[[Epsilon], Three]
MakeTwo = Callable[[Epsilon], Two]


def three(randomizer: NamedRandomizer, epsilon0: Epsilon) -> MakeThree | None:
    """How the masses with three items are computed.

    None with two items, for Laplace noise, where alone is 0, and for Hadamard response in two blocks, which hold two items alike only.
    """
    if isinstance(randomizer, Laplace) or randomizer.sizes.get("k", 3) < 3:
        return None
    if isinstance(randomizer, Hadamard) and hadamard_shape(randomizer, epsilon0)[0] == 2:
        return None
    if isinstance(randomizer, RAPPOR):
        return _rappor
    if isinstance(randomizer, AsymmetricRAPPOR):
        return _asymmetric_rappor
    alone, shared, a, b = _weights(randomizer, epsilon0)
    if not alone:
        return None

    def masses(local: Epsilon) -> Three:
        T = exp_of(local)
        total = T * a + b
        return Three(alone / total, shared / total, (T * (a - alone) + (b - 2 * alone)) / total)

    return masses


def two(randomizer: NamedRandomizer, epsilon0: Epsilon) -> MakeTwo:
    """How the chances with two items are computed, for eps0 > 0: what prefers x_0 to x_1; for Laplace noise what is at most t."""
    match randomizer:
        case Laplace():
            return _laplace
        case RAPPOR():
            return lambda local: _preferring(1 / _square(exp_of(local).sqrt() + 1), local)
        case AsymmetricRAPPOR():
            c, a, b = 1, 2, 2
        case Hadamard():
            B, size = hadamard_shape(randomizer, epsilon0)
            c, a, b = (size // 2 if B > 1 else size // 4), size // 2, B * size - size // 2
        case LocalHashing(buckets=buckets):
            c, a, b = buckets - 1, buckets, buckets * (buckets - 1)
        case Subset(k=k, d=d):
            c, a, b = d * (k - d), d * (k - 1), (k - 1) * (k - d)  # in units of C(k - 1, d - 1)/(d (k - 1))
        case KRR(k=k):
            c, a, b = 1, 1, k - 1
        case _:
            raise unknown_randomizer(randomizer, "two kinds of report")
    return lambda local: _preferring(c / (exp_of(local) * a + b), local)


def wide_tells_more(randomizer: NamedRandomizer, epsilon0: Epsilon) -> bool:
    """Whether what prefers x_0 to x_1 is better not split: 0 < shared < alone and (T - 2) alone < shared, decided exactly."""
    if isinstance(randomizer, RAPPOR | AsymmetricRAPPOR):
        for bits in _RULE_BITS:
            found = {_is_below(randomizer, T) for T in epsilon0.exp_bounds(bits=bits)}
            if len(found) == 1:
                return found.pop() and epsilon0.exp != 1
        return False  # not reached unless e^eps0 is within 2^-16000 of an irrational number; either choice gives a lower bound
    alone, shared, _, _ = _weights(randomizer, epsilon0)
    return 0 < shared < alone and epsilon0 < Epsilon(None, 2 + Fraction(shared, alone))


def narrow_pair(masses: Three, n: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + c/T + z)/n, c the reports that prefer x_2, z those of no preference.

    So P = M (T - 1)(a + L)/n with L = (a + b + c/T + z)/(T - 1) = (a + b + z)/T + n/(T (T - 1)).
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    none = T * masses.alone
    return Pair(n=n, r=masses.alone, g=masses.left, none=none, scale=T_minus_1 / n, w=1 / T, y=1 / T, h=n / (T * T_minus_1))


def wide_pair(masses: Three, n: int, epsilon0: Epsilon) -> Pair:
    """P = M (x a + y b)/(z n) + M s (n - a - b)/(w n), x = T y, with y = alone + shared, z = alone + T shared of another user's report.

    s = 1 - x - y and w = 1 - 2 z are what is left. So P = M (x - y)(a + L)/(z n), L = ((z - shared/y)/w)(a + b) + s z n/(w (x - y)): the
    factor of a + b is (y - s z/w)/(x - y), and z - y = (T - 1) shared. 1 + 2 (z - shared/y)/w > 0, as shared < alone. No third kind.
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    y, z = masses.alone + masses.shared, masses.alone + T * masses.shared
    s, w = 1 - (T + 1) * y, 1 - 2 * z
    return Pair(
        n=n,
        r=z,
        g=arb(0),
        none=w,
        scale=T_minus_1 * y / (z * n),
        w=arb(1),
        y=(z - masses.shared / y) / w,
        h=s * z * n / (w * T_minus_1 * y),
    )


def _weights(randomizer: NamedRandomizer, epsilon0: Epsilon) -> tuple[int, int, int, int]:
    """(alone, shared, a, b), the first two in units of 1/(T a + b), for three items."""
    match randomizer:
        case Subset(k=k, d=d):  # in units of C(k - 3, d - 1)/(d (k - d)(k - 1 - d)), C(k - 3, d - 2) = C(k - 3, d - 1)(d - 1)/(k - 1 - d)
            others = (k - 1) * (k - 2)
            return d * (k - d) * (k - 1 - d), d * (k - d) * (d - 1), d * others, (k - d) * others
        case Hadamard():
            B, b = hadamard_shape(randomizer, epsilon0)
            return (b // 4 if B == 1 else b // 2), 0, b // 2, B * b - b // 2
        case LocalHashing(buckets=buckets):
            return (buckets - 1) ** 2, buckets - 1, buckets**2, buckets**2 * (buckets - 1)
        case KRR(k=k):
            return 1, 0, 1, k - 1
    raise unknown_randomizer(randomizer, "three kinds of report")


def _is_below(randomizer: NamedRandomizer, T: Fraction) -> bool:
    """T - 2 < shared/alone: 1/r for RAPPOR, which says T - 1 < r; 1/T for the asymmetric one."""
    return (T - 1) ** 2 < T if isinstance(randomizer, RAPPOR) else T * (T - 2) < 1


def _rappor(epsilon0: Epsilon) -> Three:
    """Own bit 1, the other two 0: r, 1 and r kept of three; own bit and x_2's 1, x_1's 0: none kept."""
    r = exp_of(epsilon0).sqrt()
    total = (r + 1) * _square(r + 1)
    return Three(r / total, 1 / total, (3 * r * r + r + 1) / total)


def _asymmetric_rappor(epsilon0: Epsilon) -> Three:
    T = exp_of(epsilon0)
    total = 2 * _square(T + 1)
    return Three(T / total, 1 / total, (T * T + 2 * T + 2) / total)


def _laplace(epsilon0: Epsilon) -> Two:
    """At most t: 1 - 1/(2 c) at 0 and c/(2 T) at 1, c = e^(eps0 t) = 3 T/(2 T + 1)."""
    T = exp_of(epsilon0)
    return Two(3 / (2 * (2 * T + 1)), expm1_of(epsilon0) * (8 * T + 1) / (6 * T * (2 * T + 1)))


def _preferring(p1: arb, epsilon0: Epsilon) -> Two:
    return Two(p1, expm1_of(epsilon0) * p1)


def _square(x: arb) -> arb:
    return x * x
