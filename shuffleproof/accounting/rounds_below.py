"""What many rounds lose at least: one neighbouring pair of datasets, the same in all of them, composed on a grid from below.

The pair of a shuffled randomizer is that of two datasets in which all other users hold one input (BEYOND.any-law-below); that of noise on
a sum is the one by which its own method is tight (`attained_pairs`). Its privacy loss is composed with itself, and with those of other
mechanisms, on an optimistic grid (BEYOND.rounds-below).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from shuffleproof.accounting.attained_pairs import KnownBy, OnePair, attained_pair
from shuffleproof.accounting.profile_by_chords import BEYOND, DEVIATION
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.mechanisms.protocols import AsymmetricCoordinateSums, BitSum, CoordinateSums, RealSum
from shuffleproof.mechanisms.randomizers import AnyRandomizer, ApproximateRandomizer, FromDistribution, Gaussian, NamedRandomizer
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.vocabulary import named_randomizer, randomizers as records
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import ShuffleproofError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import HOMOGENEOUS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, epsilon0_parameter, exact_fraction
from shuffleproof.spec.vocabulary.scope import Relation

if TYPE_CHECKING:
    from shuffleproof.impl.ball.renyi_of_profile import Ends, Profile
    from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossDistribution

STATEMENT = "BEYOND.rounds-below"
AT_RANDOM = "BEYOND.random-participation-below"
_CELLS = 160
"""Grid points above 0 of the mechanism with the largest losses: about 5e-4 of epsilon is lost."""
_MOST_CELLS = 1024
"""Grid points above 0 where other mechanisms have far smaller losses."""
_FINEST_CELLS = 4096
"""Grid points above 0 where rare losses are far larger than all others, of up to `_FEW_ROUNDS` rounds,"""
_FEW_ROUNDS = 100
"""and with more as many fewer as the deviation of all losses together has grown."""
_OF_A_DEVIATION = Fraction(1, 10)
"""Of the deviation of a loss, what a step is at most there: about 1e-3 of epsilon is lost."""
_RARE = 12
"""Deviations, beyond which a largest loss is that of a rare report."""
_ONE_ROUND_OF = 100
"""Rounds at most by whose share of delta such reports are cut off: cut off later, all sums are coarser."""
_NEARLY_NOTHING = Fraction(1, 1000)
"""Of the largest loss, where the divergence is still that at 0, about."""
_NODES_APART = 0.07
"""Of an epsilon far out, how far the next one is at which the profile is asked; near 0 of a deviation."""
_FEWEST_CELLS = 32
"""Grid points above 0 of the mechanism with the smallest losses, if that is possible."""
_JUST_BELOW = Fraction(1, 10**6)
"""Of a step, by which it is shorter than what divides the largest loss: a mass at that loss loses as much of it."""

_REMEMBERED = 2048
"""Epsilons at most: several orders ask for some hundreds each."""
_SURELY = 1e-14
"""Taken off a divergence of coins: more than its roundings."""


@dataclass(frozen=True, eq=False)
class Pair(OnePair):
    """Two neighbouring datasets of n users, by the distribution of a report's likelihood ratios.

    largest: no loss exceeds it; lost: the probability, at most, that nothing is seen.
    """

    distribution: LossDistribution
    n: int
    largest: Epsilon
    lost: Fraction = Fraction(0)

    def epsilon(self, delta: Fraction) -> Fraction:
        """Return the epsilon of the whole distribution that many reports with these ratios have."""
        from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import epsilon_of

        return epsilon_of([self.distribution], n=self.n, epsilon0=self.largest, delta=delta).upper

    def known_by(self) -> KnownBy:
        """Return the method of datasets in which all others hold one item."""
        from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON

        return KnownBy(HOMOGENEOUS.name, (HOMOGENEOUS.statement,), RESTS_ON)

    def profiles(self) -> list[Profile]:
        """Ends of both directions' divergences at an epsilon, computed once; and of the pair turned round, where that is another one."""

        @lru_cache(maxsize=_REMEMBERED)
        def ends(epsilon: Fraction) -> tuple[Ends, Ends]:
            found = self.directions([epsilon])
            return found[0][0], found[-1][0]

        def turned(epsilon: Fraction) -> tuple[Ends, Ends]:
            first, second = ends(epsilon)
            return second, first

        both: list[Profile] = [ends, turned]
        return both[: 1 if self.distribution.is_symmetric() else 2]

    def deviation(self, top: Fraction) -> Fraction:
        """Return about the deviation of a loss, by the divergence at nearly 0."""
        return DEVIATION * max(side[0][1] for side in self.directions([top * _NEARLY_NOTHING]))

    def has_rare(self, beyond: Fraction) -> bool:
        """Return whether the loss beyond which little is left is far larger than most others."""
        return (top := self.epsilon(beyond)) > _RARE * self.deviation(top)

    def nodes(self, *, step: Fraction, cells: int, top: Fraction) -> list[Fraction]:
        """Return the epsilons at which the profile is asked: as for all pairs, or ever farther apart where rare losses are large."""
        if cells <= _CELLS + 2:
            return super().nodes(step=step, cells=cells, top=top)
        near = step / _OF_A_DEVIATION
        points = math.ceil(math.asinh(float(top / near)) / _NODES_APART)
        sizes = (math.sinh(_NODES_APART * (j + 0.5)) for j in range(points))
        return [Fraction(decimal_text(near * Fraction(size), digits=9, direction="up")) for size in sizes]

    def directions(self, epsilons: Sequence[Fraction]) -> list[list[Ends]]:
        """Return ends of both directions, less the probability that nothing is seen."""
        from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import profile_of

        return [
            [(max(Fraction(0), low - self.lost), high) for low, high in profile_of(law, n=self.n, epsilons=epsilons)]
            for law in ([self.distribution] if self.distribution.is_symmetric() else [self.distribution, self.distribution.swapped()])
        ]


def rounds_below(parts: Sequence[tuple[Mechanism, int]], *, delta: Fraction, of: str) -> Bound | None:
    """No smaller epsilon holds at delta for all of these mechanisms together, each for so many rounds, in whatever order.

    Those of which no pair of datasets is known are left out: who sees less learns less. None where none is left, or float64 does not carry
    it. delta: above 0 and below 1; of: what is composed, in words.
    """
    at_random = (AT_RANDOM,) if any(isinstance(each, RandomParticipation) for each, _ in parts) else ()
    return of_one_pair("epsilon", "epsilon", lambda: _epsilon(parts, delta), [each for each, _ in parts], of=of, also=at_random)


def of_one_pair(
    quantity: Quantity,
    words: str,
    found: Callable[[], tuple[Fraction, Sequence[OnePair]] | None],
    mechanisms: Sequence[Mechanism],
    *,
    of: str,
    statement: str = STATEMENT,
    also: tuple[str, ...] = (),
    **asked: Number,
) -> Bound | None:
    """Return the lower bound, or None where nothing is found: one round is a lower bound, and so is 0.

    found: the value, and the pairs that it is of; mechanisms: what it is a lower bound for, all together.
    """
    try:
        value, pairs = found() or (None, ())
        known = [pair.known_by() for pair in pairs]
    except ShuffleproofError:
        return None
    if value is None:
        return None
    relations = {each.neighbours() for each in mechanisms}
    return Bound(
        quantity=quantity,
        side="lower",
        lower=value,
        upper=value,
        value_of=f"{words} of one pair of datasets in {of}, on a grid of privacy losses from below",
        claim=f"lower: one neighbouring pair of datasets, the same in all rounds, has no smaller {words}; other pairs may be worse",
        mechanisms=HOMOGENEOUS.mechanisms,
        method=f"{' and '.join(dict.fromkeys(one.method for one in known))}, grid",
        statement=statement,
        also=tuple(dict.fromkeys((*(each for one in known for each in one.statements), *also))),
        relation=relations.pop() if len(relations) == 1 else Relation.REPLACE_ONE,
        view=" and ".join(dict.fromkeys(each.seen() for each in mechanisms)),
        engine="fast",
        rests_on=tuple(dict.fromkeys(each for one in known for each in one.rests_on)),
        inputs=as_given(**asked),
    )


def _epsilon(parts: Sequence[tuple[Mechanism, int]], delta: Fraction) -> tuple[Fraction, list[OnePair]] | None:
    from shuffleproof.impl.ball import privacy_loss

    together = sum(times for _, times in parts)
    found: dict[OnePair, int] = {}
    for mechanism, times in parts:
        groups: Sequence[Sequence[OnePair]] = pairs_of(mechanism, delta, rounds=together) or ()
        if (attained := attained_pair(mechanism)) is not None:
            groups = [[attained]]
        for pairs in groups:
            if pairs:
                worst = max(pairs, key=lambda pair: pair.epsilon(delta / together)) if len(pairs) > 1 else pairs[0]
                found[worst] = found.get(worst, 0) + times
    if not found:
        return None
    tops = {pair: top for pair in found if (top := pair.epsilon(delta * BEYOND / together))}  # what loses nothing adds nothing
    if not tops:
        return Fraction(0), list(found)
    largest, least = max(tops.values()), min(tops.values())
    step = max(min(largest / _CELLS, least / _FEWEST_CELLS), largest / _MOST_CELLS)
    steps = [pair.deviation(top) * _OF_A_DEVIATION for pair, top in tops.items() if isinstance(pair, Pair)]
    if len(steps) == len(tops):
        finest = max(_CELLS, int(_FINEST_CELLS * math.sqrt(min(1.0, _FEW_ROUNDS / sum(found.values())))))
        step = min(step, max(*steps, largest / finest))
    # Of a largest loss that is reached the last point of the grid lies just below it, not a step.
    step = Fraction(decimal_text(step * (1 - _JUST_BELOW), digits=6, direction="down"))
    measures = [(pair.measures(step=step, top=top), found[pair]) for pair, top in tops.items()]
    answers = []
    for way in (0, 1) if any(forward is not backward for (forward, backward), _ in measures) else (0,):
        composed = privacy_loss.together([(both[way], times) for both, times in measures], delta=delta)
        answers.append(privacy_loss.epsilon_of(composed, step=step, delta=delta))
    return max(each for each in answers if each is not None), list(tops)


def pairs_of(mechanism: Mechanism, delta: Fraction, *, rounds: int = 1) -> list[list[Pair]] | None:
    """For each independent part of its view the pairs among which the worst is taken; None where none is known.

    delta: that of so many rounds together, by which reports of noise are merged.
    """
    if isinstance(mechanism, BitSum | RealSum | CoordinateSums):
        return _of_bits(mechanism)
    if isinstance(mechanism, RandomParticipation):
        return _at_random(mechanism, delta)
    if not isinstance(mechanism, Shuffled):
        return None
    n, randomizer = count(mechanism.n, parameter="n"), mechanism.randomizer
    if isinstance(randomizer, AnyRandomizer | ApproximateRandomizer):
        local = epsilon0_parameter(randomizer.epsilon0)
        return [[pair for k in (2, 3) for pair in _of_named(KRR(k=k), local, n)]]
    if isinstance(randomizer, NamedRandomizer):
        record, local = records.of_given(randomizer.asked_with()), epsilon0_parameter(randomizer.epsilon0)
        pairs = _of_named(record, local, n)
        if isinstance(record, LocalHashing) and record.family == "any" and (record.k or record.buckets) >= record.buckets:
            pairs += _of_named(KRR(k=record.buckets), local, n)  # functions that keep so many items apart
        return [pairs]
    if isinstance(randomizer, Gaussian):
        sigma = exact_fraction(randomizer.sigma, parameter="sigma")
        pair = _of_noise(sigma, n, delta)
        if rounds > 1 and pair.has_rare(delta * BEYOND / rounds):
            pair = _of_noise(sigma, n, delta / min(rounds, _ONE_ROUND_OF))
        return [[pair]]
    if isinstance(randomizer, FromDistribution) and not randomizer.distribution.rounding:
        from shuffleproof.impl.fast.bounds.blanket import given_distribution
        from shuffleproof.mechanisms.distributions import whole

        given = whole(randomizer.distribution)
        return [[Pair(each, n, Epsilon(None, given.largest_ratio)) for each in given_distribution.homogeneous_distributions(given)]]
    return None


def _at_random(mechanism: RandomParticipation, delta: Fraction) -> list[list[Pair]] | None:
    """Those of all users, each of whom comes with the same probability (BEYOND.random-participation-below)."""
    known = pairs_of(mechanism.one, delta) if isinstance(mechanism.one, Shuffled) and mechanism.change == "replace-one" else None
    rate, n = exact_fraction(mechanism.rate, parameter="rate"), count(mechanism.n, parameter="n")
    fewer = count(mechanism.least, parameter="least") - 1
    if known is None or rate == 1 or not fewer < n * rate:
        return known if rate == 1 else None
    g, p = float(rate), fewer / n
    apart = (p * math.log(p / g) if p else 0.0) + (1 - p) * (math.log1p(-p) - math.log1p(-g))
    lost = Fraction(math.exp(-n * max(0.0, apart - _SURELY))) * (1 + Fraction(1, 10**6)) if fewer else Fraction(0)
    return [[replace(pair, distribution=pair.distribution.with_coins(rate), lost=lost) for pair in group] for group in known]


def _of_named(record: named_randomizer.NamedRandomizer, epsilon0: Epsilon, n: int) -> list[Pair]:
    from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import homogeneous_distributions

    return [Pair(law, n, epsilon0) for law in homogeneous_distributions(record, epsilon0)] if epsilon0.exp != 1 else []


def _of_noise(sigma: Fraction, n: int, delta: Fraction) -> Pair:
    from shuffleproof.impl.fast.bounds.blanket.gaussian_reports import homogeneous_distribution

    law, largest = homogeneous_distribution(sigma, delta)
    return Pair(law, n, largest)


def _of_bits(mechanism: BitSum | RealSum | CoordinateSums) -> list[list[Pair]] | None:
    """All others send zeros: each coordinate that changes is a noisy bit, one from 1 to 0 and the other from 0 to 1; and each run."""
    n = count(mechanism.n, parameter="n")
    if isinstance(mechanism, BitSum | RealSum):
        noise = exact_fraction(mechanism.lam, parameter="lam")
        if not 0 < noise < n or (isinstance(mechanism, RealSum) and mechanism.view != "tagged"):
            return None
        runs = count(mechanism.r, parameter="r") if isinstance(mechanism, RealSum) else 1
        return [_of_named(KRR(k=2), Epsilon(None, 2 * n / noise - 1), n)] * runs
    changed, local = count(mechanism.changed, parameter="changed"), epsilon0_parameter(mechanism.epsilon0)
    if isinstance(mechanism, AsymmetricCoordinateSums):
        one = [Pair(_asymmetric_bit(local), n, local)] if local.exp != 1 else []
    else:
        local = local if changed == 1 else Epsilon(local.bounds(bits=128)[0] / changed, None)
        one = _of_named(KRR(k=2), local, n)
    return [one] if changed == 1 else [one, [Pair(each.distribution.swapped(), n, local) for each in one]]


def _asymmetric_bit(epsilon0: Epsilon) -> LossDistribution:
    """The own bit, which is fair, against that of every other item, where no other user holds it."""
    from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossDistribution
    from shuffleproof.impl.fast.numeric.results import exponential, working

    with working():
        other, half = 1 / (exponential(epsilon0) + 1), Decimal("0.5")
        return LossDistribution.of([(other, half, other), (1 - other, half, 1 - other)])
