"""Unary encoding: every bit of the item's indicator vector through a channel of its own (EPK14; Wang et al. 2017; FT21)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.likelihoods import ROOT, Classes, Dataset, Expression, T, constant, output_classes, third_or_second
from shuffleproof.spec.vocabulary.named_randomizer import LARGEST_DISTRIBUTION, Exact, NamedRandomizer, half_power
from shuffleproof.spec.vocabulary.numerals import Epsilon

Bits = tuple[int, ...]


class OneBitEach(NamedRandomizer):
    """Randomizers whose report has an independent bit for each item, the bit of the user's own with another distribution.

    A report prefers the items whose bit is 1. Another user's bit is 0 with odds z = `not_preferred` to 1, so that a pattern of bits has
    weight z^(number of zeros), and the user's own bit is 1 with odds T to z.
    """

    for_items: ClassVar[Mapping[str, str]] = {"upper": "any number of items", "lower": "three items or more"}
    k: int | None

    def listed(self, most: int | None) -> int:
        """Return how many items to list: as many as were asked for, or all of them. Raises UnsupportedError for any number of them."""
        given = [each for each in (self.k, most) if each is not None]
        if not given:
            raise UnsupportedError(
                what=f"the whole distribution of {self.name!r}", reason="its number of items is left out", advice="give k"
            )
        return min(given)

    def vectors(self, most: int | None, made: Callable[[int], LocalRandomizer[int, Bits]]) -> Exact:
        """The exact distribution that is made for so many items, of 2^k messages, or too many."""
        k = self.listed(most)
        return k, 1 << min(k, LARGEST_DISTRIBUTION), lambda: made(k)

    @property
    def not_preferred(self) -> Expression:
        """The odds z that another user's bit is 0."""
        raise NotImplementedError

    def two_inputs(self, epsilon0: Epsilon) -> Classes:
        """Any two items."""
        z = self.not_preferred
        return output_classes((z**2, 0, 0, 0), (z, 0, 1, 0), (z, 1, 0, 0), (1, 1, 1, 0))

    def against_blanket(self, epsilon0: Epsilon) -> Classes:
        """Any two items. The blanket takes the higher level where all items are preferred: never, where there may be any number."""
        *apart, both = self.two_inputs(epsilon0)
        if self.k is None:
            return (*apart, both)
        all_ones = (1 + self.not_preferred) ** -(self.k - 2)
        return (*apart, *output_classes((1 - all_ones, 1, 1, 0), (all_ones, 1, 1, 1)))

    def datasets(self, epsilon0: Epsilon) -> tuple[Dataset, ...]:
        """All others hold a third item, or x_1."""
        return third_or_second(self.three_inputs(epsilon0), self.two_inputs(epsilon0))

    def three_inputs(self, epsilon0: Epsilon) -> Classes | None:
        """Where there are three items, or may be."""
        z, threes = self.not_preferred, [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
        return output_classes(*((z ** (3 - a - b - c), a, b, c) for a, b, c in threes)) if (self.k or 3) > 2 else None


@dataclass(frozen=True, kw_only=True)
class UnaryEncoding(OneBitEach):
    """The bit of the user's item is 1 with probability p, every other one with q < p (Wang et al. 2017): e^eps0 = p (1 - q)/(q (1 - p)).

    p_own: p, or None where epsilon0 and q say it; p_other: q. Symmetric unary encoding (RAPPOR) is p = 1 - q, optimized p = 1/2.
    """

    name = "unary"
    aliases = ("unary-encoding",)
    says = "unary encoding"
    p_other: Fraction
    p_own: Fraction | None = None
    k: int | None = None

    def check(self) -> None:
        """q below p."""
        if self.p_own is not None:
            require(self.p_own > self.p_other, parameter="p_own", value=self.p_own, requirement=f"above p_other = {self.p_other}")

    @property
    def implied_epsilon0(self) -> Epsilon | None:
        """Return the epsilon0 that p and q imply; None where they are not given."""
        p, q = self.p_own, self.p_other
        return None if p is None else Epsilon(None, p * (1 - q) / (q * (1 - p)))

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """The bits of the items."""
        q = self.p_other
        return self.vectors(most, lambda k: unary_encoding(k=k, p_own=T * q / (T * q + 1 - q), p_other=q))

    @property
    def not_preferred(self) -> Expression:
        """(1 - q)/q."""
        return constant((1 - self.p_other) / self.p_other)


@dataclass(frozen=True, kw_only=True)
class RAPPOR(OneBitEach):
    """Symmetric unary encoding (p = 1 - q): each bit flipped with probability 1/(e^(eps0/2) + 1). k: any number of items where left out."""

    name = "rappor"
    aliases = ("sue", "symmetric-unary-encoding")
    says = "RAPPOR, one report"
    k: int | None = None

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """The bits of the items, where e^(eps0/2) is rational."""
        self.listed(most)  # refused first
        root = half_power(T, self.name)
        return self.vectors(most, lambda k: rappor(k=k, exp_half_epsilon0=root))

    @property
    def not_preferred(self) -> Expression:
        """e^(eps0/2)."""
        return ROOT


@dataclass(frozen=True, kw_only=True)
class AsymmetricRAPPOR(OneBitEach):
    """Optimized unary encoding: p = 1/2, q = 1/(T + 1). k: any number of items where left out."""

    name = "asymmetric-rappor"
    aliases = ("oue", "optimized-unary-encoding")
    says = "optimized unary encoding"
    k: int | None = None

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """The bits of the items."""
        return self.vectors(most, lambda k: asymmetric_rappor(k=k, exp_epsilon0=T))

    @property
    def not_preferred(self) -> Expression:
        """T."""
        return T


def rappor(*, k: int, exp_half_epsilon0: Fraction) -> LocalRandomizer[int, Bits]:
    """Keep each of the k indicator bits with probability r/(r + 1), r = e^(eps0/2), else flip it.  (EPK14).

    k: number of items, at least 1; exp_half_epsilon0: r >= 1, exact. Exactly epsilon0-DP, e^epsilon0 = r^2, for k >= 2.
    Raises DomainError.
    """
    require(exp_half_epsilon0 >= 1, parameter="exp_half_epsilon0", value=exp_half_epsilon0, requirement="at least 1")
    r = Fraction(exp_half_epsilon0)
    return _bit_by_bit(k=k, own=r / (r + 1), other=1 / (r + 1))


def asymmetric_rappor(*, k: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, Bits]:
    """Make one's own bit 1 with probability 1/2, each other one with probability 1/(e^eps0 + 1).  (FT21; "optimized unary encoding").

    k: number of items, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact. Exactly epsilon0-DP for k >= 2. Raises DomainError.
    """
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    return _bit_by_bit(k=k, own=Fraction(1, 2), other=1 / (Fraction(exp_epsilon0) + 1))


def unary_encoding(*, k: int, p_own: Fraction, p_other: Fraction) -> LocalRandomizer[int, Bits]:
    """Make one's own bit 1 with probability p, each other one with q, 0 < q <= p < 1.  (Wang et al. 2017).

    k: number of items, at least 1. Exactly epsilon0-DP, e^epsilon0 = p (1 - q)/(q (1 - p)), for k >= 2. Raises DomainError.
    """
    require(0 < p_other <= p_own < 1, parameter="p_own", value=p_own, requirement="from p_other on, and p_other above 0, below 1")
    return _bit_by_bit(k=k, own=Fraction(p_own), other=Fraction(p_other))


def _bit_by_bit(*, k: int, own: Fraction, other: Fraction) -> LocalRandomizer[int, Bits]:
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")

    def distribution(x: int) -> Distribution[Bits]:
        weights = {}
        for bits in product((0, 1), repeat=k):
            weight = Fraction(1)
            for j, bit in enumerate(bits):
                one = own if j == x else other
                weight *= one if bit else 1 - one
            weights[bits] = weight
        return Distribution(weights)

    return LocalRandomizer(range(k), {x: distribution(x) for x in range(k)})
