"""Neighbouring pairs of datasets that are composed from below, and those by which noise on a sum or a histogram is tight.

Noise that does not depend on the data gives one pair for every epsilon: Z and s + Z, or two bins of a histogram, or two Gaussians. All but
binomial noise with p other than 1/2 is its own mirror image, so that what a method says of both directions is said of either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from shuffleproof.accounting.profile_on_grid import source, top
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.mechanisms.protocols import (
    BinomialSum,
    DiscreteGaussianSum,
    FakeUsers,
    Histogram,
    LaplaceSum,
    RealSum,
    SplitAndMix,
    UserHistogram,
    ZeroSum,
)
from shuffleproof.spec.vocabulary.methods.protocols import REAL_SUM_UNTAGGED
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, epsilon0_parameter, exact_fraction

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure
    from shuffleproof.impl.ball.renyi_of_profile import Ends

_FEWEST_NODES = 160
"""How often a profile is asked at least: each time takes one or two milliseconds."""
_DIGITS = 6
"""Of an untagged total's divergence."""
_FAR_ENOUGH = Fraction(1000)
"""-ln of what is lost modulo q, at most: it is below every delta then."""
_MOST_NODES = 400
"""How often at most: for noise of some thousand users each time takes ten times as long."""


class KnownBy(NamedTuple):
    """The method that a pair is of, the statements and the assumptions that ends of its profile rest on."""

    method: str
    statements: tuple[str, ...]
    rests_on: tuple[str, ...]


class OnePair:
    """Two neighbouring datasets, by ends of their divergences."""

    def epsilon(self, delta: Fraction) -> Fraction:
        """Return an epsilon at which this pair has at most that delta, in both directions."""
        raise NotImplementedError

    def directions(self, epsilons: Sequence[Fraction]) -> list[list[Ends]]:
        """Return ends of D_E(P || Q) and of D_E(Q || P) at these epsilons; of one of them where they agree."""
        raise NotImplementedError

    def known_by(self) -> KnownBy:
        """Return what these ends are known by."""
        raise NotImplementedError

    def measures(self, *, step: Fraction, top: Fraction) -> tuple[GridMeasure, GridMeasure]:
        """Return distributions below the privacy losses of both directions, on a grid of this step up to about `top`."""
        from shuffleproof.impl.ball.privacy_loss_below import beneath

        cells = math.ceil(top / step) + 1
        epsilons = self.nodes(step=step, cells=cells, top=top)
        found = self.directions(epsilons)
        first, second = ([(epsilon, *ends) for epsilon, ends in zip(epsilons, side, strict=True)] for side in (found[0], found[-1]))
        forward = beneath(first, second, step=step, cells=cells)
        return forward, forward if len(found) == 1 else beneath(second, first, step=step, cells=cells)

    def nodes(self, *, step: Fraction, cells: int, top: Fraction) -> list[Fraction]:
        """Return the epsilons at which the profile is asked: tangents at points between those of the grid meet near these."""
        apart = step / -(-_FEWEST_NODES // cells) if cells < _FEWEST_NODES else step * -(-cells // _MOST_NODES)
        return [(j + Fraction(1, 2)) * apart for j in range(math.ceil(top / apart))]


@dataclass(frozen=True, eq=False)
class AttainedPair(OnePair):
    """The pair whose divergence the protocol's own method encloses, at every epsilon.

    protocol: as it was asked for; unfair: coins, sensitivity and p of binomial noise whose two directions differ; lost: what the protocol's
    own divergence may be less, where it shows less than the mechanism.
    """

    protocol: Mechanism
    mechanism: Mechanism
    unfair: tuple[int, int, Fraction] | None = None
    lost: Fraction = Fraction(0)

    def epsilon(self, delta: Fraction) -> Fraction:
        """Return the epsilon beyond which the protocol's own delta is at most that."""
        return top(self.mechanism, beyond=delta)

    def directions(self, epsilons: Sequence[Fraction]) -> list[list[Ends]]:
        """Return ends of the protocol's own delta, or of both directions of unfair coins."""
        if self.unfair is not None:
            from shuffleproof.impl.fast.bounds.noise.binomial_sum import directions

            coins, sensitivity, p = self.unfair
            asked = [Epsilon(each, None) for each in epsilons]
            ways = directions(coins=coins, sensitivity=sensitivity, p=p)
            return [[(Fraction(low), Fraction(high)) for low, high in map(way, asked)] for way in ways]
        method, engine = source(self.mechanism)
        found = [self.mechanism.by_method("delta", each, method=method, engine=engine) for each in epsilons]
        certified = ("enclosure", "exact")  # else the lower end is none
        return [[(max(Fraction(0), each.lower - self.lost) if each.side in certified else Fraction(0), each.upper) for each in found]]

    def known_by(self) -> KnownBy:
        """Return the protocol's own method, and the statements of all that was asked."""
        method, engine = source(self.mechanism) if self.unfair is None else ("binomial-sum", "fast")
        one = self.mechanism.by_method("delta", 0, method=method, engine=engine)
        own = next(iter(self.protocol.methods()))
        if isinstance(self.protocol, SplitAndMix):
            return KnownBy(own, ("BEYOND.split-and-mix-below", *one.statements), one.rests_on)
        statements = (
            one.statements if self.protocol is self.mechanism else (*self.protocol.delta(epsilon=0).upper.statements, *one.statements)
        )
        return KnownBy(own, tuple(dict.fromkeys(statements)), one.rests_on)


@dataclass(frozen=True, eq=False)
class UntaggedPair(OnePair):
    """The total of untagged runs: one user has 0 in the one dataset, 1 in the other, and all others have 0 (CSUZZ19.Sec5.3.untagged).

    runs: bits a user, each flipped with probability p in (0, 1/2).
    """

    mechanism: RealSum
    runs: int
    p: Fraction

    def epsilon(self, delta: Fraction) -> Fraction:
        """Return the epsilon beyond which the protocol's own delta is at most that."""
        return top(self.mechanism, beyond=delta)

    def directions(self, epsilons: Sequence[Fraction]) -> list[list[Ends]]:
        """Return ends of both directions: with zeros and ones exchanged, the second is the first where all others have 1."""
        from shuffleproof.impl.ball.bounds.sums.noisy_bits import Bits, divergence

        others = (count(self.mechanism.n, parameter="n") - 1) * self.runs
        largest, asked = Bits(0, others, self.runs, self.p).largest, [Epsilon(each, None) for each in epsilons]
        seen = [each for each in asked if each < largest]
        found = [[divergence(Bits(ones, others - ones, self.runs, self.p), each, digits=_DIGITS) for each in seen] for ones in (0, others)]
        nothing = [(Fraction(0), Fraction(0))] * (len(asked) - len(seen))
        return [[*((each.lower, each.upper) for each in way), *nothing] for way in found]

    def known_by(self) -> KnownBy:
        """Return the method whose dataset it is one of, and what its divergence rests on."""
        own = REAL_SUM_UNTAGGED
        return KnownBy(own.name, (own.statement, *own.rests_also_on("delta")), ())


def attained_pair(mechanism: Mechanism) -> OnePair | None:
    """The pair by which this protocol is tight, or one that it has, where it is one pair for all epsilons and something hides it."""
    asked = mechanism
    if isinstance(mechanism, RealSum):
        users, runs = count(mechanism.n, parameter="n"), count(mechanism.r, parameter="r")
        p = exact_fraction(mechanism.lam, parameter="lam") / (2 * users)
        known = mechanism.view == "untagged" and 0 < p < Fraction(1, 2)
        return UntaggedPair(mechanism, runs, p) if known else None
    if isinstance(mechanism, SplitAndMix):
        return _of_shares(mechanism)
    if isinstance(mechanism, ZeroSum):
        honest = count(mechanism.n, parameter="n") - count(mechanism.dishonest, parameter="dishonest", minimum=0)
        asked = BinomialSum(n=honest, sensitivity=1, coins=1, p=mechanism.p)
    if isinstance(asked, BinomialSum):
        coins = count(asked.n, parameter="n") * count(asked.coins, parameter="coins")
        sensitivity, p = count(asked.sensitivity, parameter="sensitivity"), exact_fraction(asked.p, parameter="p")
        unfair = None if p == Fraction(1, 2) else (coins, sensitivity, p)
        return AttainedPair(mechanism, asked, unfair) if 0 < p < 1 and sensitivity <= coins else None
    known = isinstance(asked, DiscreteGaussianSum | FakeUsers | Histogram | LaplaceSum | UserHistogram)
    return AttainedPair(mechanism, asked) if known else None


def _of_shares(mechanism: SplitAndMix) -> AttainedPair | None:
    """The noise in the sum of all shares, less what is lost by the sum's being known modulo q alone (BEYOND.split-and-mix-below)."""
    modulus, sensitivity = count(mechanism.modulus, parameter="modulus"), count(mechanism.sensitivity, parameter="sensitivity")
    local = epsilon0_parameter(mechanism.epsilon0)
    if modulus < 2 * sensitivity or local.exp == 1:
        return None
    below = (modulus - sensitivity) // 2
    # Both exponents of a = e^(-epsilon0/sensitivity), and that of E <= 1/a^sensitivity, at most.
    exponent = local.bounds(bits=128)[0] * min(below + 1, modulus - below - 2 * sensitivity) / sensitivity
    if not exponent > 0:
        return None
    lost = 2 / Epsilon(min(exponent, _FAR_ENOUGH), None).exp_bounds(bits=128)[0]
    noise = LaplaceSum(n=mechanism.n, sensitivity=mechanism.sensitivity, epsilon0=mechanism.epsilon0)
    return AttainedPair(mechanism, noise, lost=lost)
