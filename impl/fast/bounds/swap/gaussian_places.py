"""The random-swap bound for numbers in [0, 1] with Gaussian noise of each user, in float64: BEYOND.any-law-gaussian-triples.

The least of several bounds: one pool of others (`one_pool`), or levels for wide noise (`swap_in_levels`); large losses where few of them
decide (`gaussian_large_losses`); and the blanket where all of these are far above a pair of datasets.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from shuffleproof.impl.fast.bounds.blanket import gaussian_reports
from shuffleproof.impl.fast.bounds.blanket.gaussian_masses import tail
from shuffleproof.impl.fast.bounds.blanket.gaussian_reports import (
    blanket_distribution,
    end_for,
    ends,
    largest_ratio,
    losses_at,
    losses_too_likely,
    pair_distribution,
)
from shuffleproof.impl.fast.bounds.blanket.one_sum import approached
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import require_floats, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, LossDistribution, LossesOfOthers, thinned
from shuffleproof.impl.fast.bounds.swap import gaussian_large_losses
from shuffleproof.impl.fast.bounds.swap.gaussian_cells import GaussianLosses
from shuffleproof.impl.fast.bounds.swap.loss_types import Thinned
from shuffleproof.impl.fast.bounds.swap.one_pool import WITHIN, InOnePool, Place
from shuffleproof.impl.fast.bounds.swap.search import at_most, settled
from shuffleproof.impl.fast.bounds.swap.swap_in_levels import InLevels
from shuffleproof.impl.fast.bounds.swap.users_in_blocks import above
from shuffleproof.impl.fast.numeric.results import decimal_of, in_floats, working
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import GAUSSIAN_PLACE
from shuffleproof.spec.vocabulary.numerals import Epsilon, float_toward
from shuffleproof.spec.vocabulary.refusals import no_epsilon_at_zero

_SHARE = Fraction(1, 10**4)
"""What may be revealed, as a part of delta."""
_ROUGHLY = Fraction(1, 10**3)
"""The delta for which loss types are chosen where nothing is known of it yet."""
_LARGEST_EXPONENT = 700
"""Of a float, in a guess."""
_STEEP = 1
"""The largest sigma for which short cells are tried, and up to which one pair of datasets is the better guess."""
_WIDE = Fraction(1)
"""The least sigma for which levels are tried: of narrower noise few large losses are nearly all of delta, which blocks do not know."""
_NARROW = Fraction(3, 2)
"""From which sigma on they are not wider than one pool,"""
_MANY = 10**6
"""of fewer users: of 6 10^7 they were by 4 parts in 10,000."""
_FAR = 6.0
"""Deviations of the sum beyond which losses hardly count."""
_HARDLY = 1e-5
"""Of delta, what may be revealed of the losses of one user,"""
_LITTLE = 1e-3
"""and where more losses make the sum positive."""
_HALVED = 12
"""Times that the interval in which the logarithm of such a loss lies is halved."""
_FAR_BELOW = 30.0
"""Times the delta of a pair of datasets, from which on the blanket is asked, too: 3 to 10 times is usual."""
_ALL_ASKED = 6
"""Of several epsilons every so many are asked in all ways,"""
_NEAR = 1.1
"""and those between in those that are below so many times the least at one of the two next to them."""
_LEAST = 1e-300
"""Of a guess."""
_ROUGH = 6e-3
"""Width of the smoothing of that guess."""
_FROM = 4
"""Times the epsilon of a normal sum, where guesses begin: below the epsilon of narrow noise the pair's sides say nothing."""


@in_floats(GAUSSIAN_PLACE)
def delta(*, n: int, sigma: Fraction, epsilon: Epsilon) -> Found:
    """delta at epsilon at most, for all neighbouring datasets of numbers in [0, 1]. n: at most 10^9."""
    large = gaussian_large_losses.delta(n=n, sigma=sigma, epsilon=epsilon)
    if large and large[1]:
        return at_most(Fraction(large[0]))
    guess = _guess(sigma, supported(n), epsilon)
    found = [Fraction(large[0])] if large else [Fraction(1)]
    if sigma < _NARROW or n >= _MANY:
        found.append(Fraction(_by_one_pool(sigma, n, epsilon, guess)))
    if sigma >= _WIDE:
        known = math.log(min(found)) or _in_levels(sigma, n, _ROUGHLY).logarithm(float(epsilon.bounds(bits=64)[0]))
        found.append(Fraction(_by_levels(sigma, n, epsilon, math.exp(min(0.0, known)))))
    if _far_above(sigma, n, epsilon, min(found)):
        found.append(gaussian_reports.delta(n=n, sigma=sigma, epsilon=epsilon).upper)
    return at_most(min(found))


def uppers(*, n: int, sigma: Fraction, epsilons: Sequence[Fraction]) -> list[Fraction]:
    """delta at each of these epsilons at most, which rise from 0: `delta` takes several times as long, and says hardly less.

    Every way is asked at some; between two of them those alone that are near the least at either.
    """
    ways: dict[str, Callable[[Epsilon, float], float]] = {
        "one large loss": lambda epsilon, _: (gaussian_large_losses.delta(n=n, sigma=sigma, epsilon=epsilon) or (1.0, False))[0],
        "blanket": lambda epsilon, _: float_toward(gaussian_reports.delta(n=n, sigma=sigma, epsilon=epsilon).upper, direction="up"),
    }
    if sigma < _NARROW or n >= _MANY:
        ways["one pool"] = partial(_by_one_pool, sigma, n)
    if sigma >= _WIDE:
        ways["levels"] = partial(_by_levels, sigma, n)

    def asked(epsilon: Fraction, names: Iterable[str], wanted: float) -> dict[str, float]:
        return {name: ways[name](Epsilon(epsilon, None), wanted) for name in names}

    known = {x: asked(x, ways, _guess(sigma, supported(n), Epsilon(x, None))) for x in {*epsilons[::_ALL_ASKED], epsilons[-1]}}
    for low, high in pairwise(sorted(known)):
        ends = [(known[x], min(known[x].values())) for x in (low, high)]
        near = [name for name in ways if any(found[name] <= _NEAR * least for found, least in ends)]
        above, below = (math.log(max(least, _LEAST)) for _, least in ends)
        for x in epsilons[bisect_right(epsilons, low) : bisect_left(epsilons, high)]:
            known[x] = asked(x, near, math.exp(above + (below - above) * float((x - low) / (high - low))))
    return [Fraction(min(1.0, *known[x].values())) for x in epsilons]


@in_floats(GAUSSIAN_PLACE)
def epsilon(*, n: int, sigma: Fraction, delta: Fraction) -> Found:
    """An epsilon at which delta, at least 1e-300, is at most that. Raises RegimeError at delta = 0."""
    if not delta:
        raise no_epsilon_at_zero()
    if delta == 1:
        return Found.exactly(0)
    require_floats(delta)
    large = gaussian_large_losses.epsilon(n=supported(n), sigma=sigma, delta=delta)
    if large and large[1]:
        return at_most(large[0])
    found, top = [large[0]] if large else [], largest_ratio(sigma, _end_for(sigma, delta))
    if sigma < _NARROW or n >= _MANY:
        asked = _AskedOfNoise(loss_types_for(sigma, n, delta), top, n)
        if sigma < _STEEP and (z := end_for(sigma, delta)) is not None:
            asked.pair = pair_distribution(sigma, z)
        start = math.inf if asked.pair is None else _FROM * _normal(sigma, n, delta)
        found.append(asked.epsilon(delta, start=start, at_last=None if asked.pair is None else float(delta)))
    if sigma >= _WIDE:
        asked_in_levels = _in_levels(sigma, n, delta)
        if not found or asked_in_levels.delta(Epsilon(min(found), None), float(delta)) < delta:
            found.append(asked_in_levels.epsilon(delta))
    if _far_above(sigma, n, Epsilon(min(found), None), delta):
        found.append(gaussian_reports.epsilon(n=n, sigma=sigma, delta=delta).upper)
    return at_most(min(found))


def _far_above(sigma: Fraction, n: int, epsilon: Epsilon, delta: Fraction) -> bool:
    """Return whether this is far above what one pair of datasets attains, as far as is known: the blanket may be nearer then."""
    z = end_for(sigma, delta)
    sides = z and approached(losses_at(pair_distribution(sigma, z), float(epsilon.bounds(bits=64)[1])), n=n, width=_ROUGH)
    return not sides or sides[1] * _FAR_BELOW < delta


def _guess(sigma: Fraction, n: int, epsilon: Epsilon) -> float:
    """About delta, by one pool."""
    return _AskedOfNoise(loss_types_for(sigma, n, _ROUGHLY), epsilon, n).guess(epsilon)


def _by_one_pool(sigma: Fraction, n: int, epsilon: Epsilon, guess: float) -> float:
    """Return delta at most with one pool of others. guess: about delta."""

    def fitted(wanted: float) -> float:
        return _AskedOfNoise(loss_types_for(sigma, n, _answered(sigma, Fraction(wanted))), epsilon, n).delta(epsilon, wanted)

    return settled(fitted, guess, within=WITHIN)


def _by_levels(sigma: Fraction, n: int, epsilon: Epsilon, guess: float) -> float:
    """Return delta at most in levels. guess: about delta."""
    return settled(lambda wanted: _in_levels(sigma, n, _answered(sigma, Fraction(wanted))).delta(epsilon, wanted), guess)


def _in_levels(sigma: Fraction, n: int, delta: Fraction) -> InLevels:
    """Return what asks levels. delta: about what comes out."""
    z = _end_for(sigma, delta)
    known = _UpToOneThatCounts(loss_types_for(sigma, n, delta), blanket_distribution(sigma, z), n, float(delta))
    return InLevels([Thinned(known, known.of_blanket)], largest_ratio(sigma, z), n)


def _answered(sigma: Fraction, delta: Fraction) -> Fraction:
    """Return this delta, or one for which there are loss types."""
    try:
        _end_for(sigma, delta)
    except UnsupportedError:
        return _ROUGHLY
    return delta


def loss_types_for(sigma: Fraction, n: int, delta: Fraction) -> GaussianLosses:
    """Choose an end at which far less than delta and epsilon is revealed, and cells that cost far less than epsilon, as it is expected."""
    level = math.floor(math.log2(max(_normal(sigma, n, delta), _of_one_report(sigma, n, delta))))
    return _loss_types(sigma, _end_for(sigma, min(delta, Fraction(2) ** level)), level)


def _normal(sigma: Fraction, n: int, delta: Fraction) -> float:
    """About the epsilon of a sum that is normal."""
    return math.sqrt(2 * max(1.0, -math.log(delta)) * math.expm1(float(1 / sigma) ** 2) / n)


def _of_one_report(sigma: Fraction, n: int, delta: Fraction) -> float:
    """About the epsilon of one large loss: ln of R_1/R_0 over n, where R_1 has delta beyond."""
    rate = float(1 / sigma)
    return rate * (rate / 2 - NormalDist().inv_cdf(min(0.5, float(delta)))) - math.log(n)


def _end_for(sigma: Fraction, delta: Fraction) -> Fraction:
    """The first z beyond which far less than delta is revealed, or the last one; less than delta surely. Raises UnsupportedError."""
    with working():
        known = [(z, _away(z)) for z in ends(sigma) if z >= 3 and 2 * z % 1 == 0]
        if known[-1][1] > decimal_of(delta) / 2:
            raise losses_too_likely(sigma)
        return next((z for z, away in known if away <= decimal_of(delta * _SHARE)), known[-1][0])


@lru_cache(maxsize=256)
def _away(z: Fraction) -> Decimal:
    """2 Phi(-z)."""
    return 2 * tail(decimal_of(z))


class _UpToOneThatCounts(LossesOfOthers):
    """The losses up to one beyond which a user's are worth little, or that makes the sum of n positive mostly.

    L = min(L, c) + (L - c)_+ and (x + y)_+ <= x_+ + y_+: the mean of (L - c)_+ of one user is revealed.
    """

    def __init__(self, loss_types: GaussianLosses, blanket: LossDistribution, n: int, wanted: float) -> None:
        super().__init__(loss_types.blanket)
        self.loss_types, self._blanket, self.n, self.wanted = loss_types, blanket, n, wanted
        self._known = lru_cache(maxsize=4)(self._up_to_one)

    def _up_to_one(self, E: float) -> tuple[list[Atoms], list[Atoms], float]:
        """Return the losses of others, those against the blanket, and what is revealed."""
        own = [law for loss_type in self.loss_types.atoms(E, 1.0) for law in loss_type]
        against = self._blanket.losses(E)
        laws = [*own, (against.mass, against.at, against.error)]
        low = deviation = math.sqrt(self.chi_square())
        high, mostly = max(float(at.max()) for _, at, _ in laws), self.n * (E - 1) + _FAR * deviation * math.sqrt(self.n)
        for _ in range(_HALVED):
            last = math.sqrt(low * high)
            revealed = max(above(*law, last) for law in laws) / self.wanted
            low, high = (low, last) if revealed <= (_HARDLY if last < mostly else _LITTLE) else (last, high)
        last = high
        cut = [(mass, np.minimum(at, last), error) for mass, at, error in laws]
        return cut[:-1], cut[-1:], max(above(*law, last) for law in laws)

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """See `LossesOfOthers`."""
        return [[thinned(law, kept) for law in self._known(exp_epsilon)[0]]]

    def of_blanket(self, exp_epsilon: float) -> list[Atoms]:
        """Return the losses against the blanket."""
        return self._known(exp_epsilon)[1]

    def foremost(self, exp_epsilon: float, kept: float) -> Atoms:
        """See `LossesOfOthers`."""
        mass, at, error = self.loss_types.foremost(exp_epsilon, kept)
        return mass, np.minimum(at, max(float(law[1].max()) for law in self._known(exp_epsilon)[0])), error

    def given_away(self, exp_epsilon: float) -> float:
        """See `LossesOfOthers`."""
        return (self.loss_types.given_away(exp_epsilon) + self._known(exp_epsilon)[2]) * (1 + 1e-15)

    def chi_square(self) -> float:
        """See `LossesOfOthers`."""
        return self.loss_types.chi_square()


class _AskedOfNoise(InOnePool):
    """The same, where few large losses may be nearly all of delta: of narrow noise the saddle point knows nothing of them.

    pair: the datasets whose delta is a guess of it, if it is to be one.
    """

    loss_types: GaussianLosses
    pair: LossDistribution | None = None

    def logarithm(self, epsilon: Epsilon, found: Place | None) -> float:
        """About ln delta."""
        if self.pair is not None:
            sides = approached(losses_at(self.pair, float(epsilon.bounds(bits=64)[1])), n=self.n, width=_ROUGH)
            if sides is not None and sides[0] > 0.0:
                return math.log((sides[0] + sides[1]) / 2)
        rate, exponent = self.loss_types.rate, float(epsilon.bounds(bits=64)[1]) + math.log(self.n)
        # R_1(y > t) - n E R_0(y > t) is largest where the likelihood ratio is n E
        first, second = (math.erfc((exponent / rate + sign * rate / 2) / math.sqrt(2)) / 2 for sign in (-1, 1))
        alone = first - math.exp(exponent) * second if exponent < _LARGEST_EXPONENT else 0.0
        return max(super().logarithm(epsilon, found), math.log(alone) if alone > 0.0 else -math.inf)


@lru_cache(maxsize=16)
def _loss_types(sigma: Fraction, z: Fraction, level: int) -> GaussianLosses:
    return GaussianLosses(sigma, z, 2.0**level)
