"""Numbers of samples with which a support is identified, certified: by the shuffled and by a central histogram (BC20, Claim 3.4, Table 2).

A bin of the shuffled histogram is distinguished from an empty one if its count N_j exceeds the number W_j ~ Bin(n, 1 - p) of additional
messages that were not sent; in the stability-based central one if N_j + noise reaches the threshold. An empty bin is never taken for a held
one, so the size of the domain does not enter. With N_j ~ Bin(n, 1/h) a union bound over the h elements is what is certified here.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.samples.sufficient_samples import geometric_beyond, stability_threshold
from shuffleproof.impl.ball.calibration.histogram import calibrate
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, surely_less, upper_end
from shuffleproof.impl.ball.numeric.least import least
from shuffleproof.spec.vocabulary.errors import RegimeError, require

SUCCESS = Fraction(99, 100)
"""Probability of a right answer for which BC20's Claim 3.4 asks."""
LARGEST_N = 10**9 - 1
"""Samples up to which a search goes: the histogram's calibration answers for as many."""
_BITS = 128
"""Working precision in bits: 38 digits, where a whole number of samples is decided."""
_DROPPED = 60
"""Outcomes of a total probability of 2^-60 are counted as failures."""


@dataclass(frozen=True, slots=True)
class Enough:
    """n samples identify any support of h elements, except with probability at most `failure`.

    noise: n (1 - p) of every bin, or the threshold of the central histogram.
    """

    h: int
    n: int
    noise: Fraction
    failure: Fraction


def shuffled(*, h: int, epsilon: Fraction, delta: Fraction) -> Enough:
    """Samples for the histogram protocol with the least noise that is certified (epsilon, delta)-DP at that n, two bins counted.

    h >= 1; epsilon > 0; delta in (0, 1). Not always the least n: within a few of where the union bound turns.
    Raises DomainError; RegimeError where no n up to 10^9 is enough.
    """
    _require(h=h, epsilon=epsilon, delta=delta)
    n, noise = _calibrated(2, epsilon, delta)  # the fewest users who can be private at all
    while True:
        wanted = _least(lambda users: _lost(h, users, noise), start=max(n, 2 * math.ceil(noise)))  # noqa: B023
        below = _calibrated(wanted, epsilon, delta)
        if wanted == below[0] and surely_enough(_lost(h, *below)):
            break
        n, noise = below
    # as a rule the noise falls with n, and what was enough with that of fewer users can be lowered
    low, high = (wanted - 1) // 2, below
    while high[0] - low > max(1, high[0] // 500):
        middle = (low + high[0]) // 2
        tried = _calibrated(middle, epsilon, delta)
        if tried[0] < high[0] and surely_enough(_lost(h, *tried)):
            high = tried
        else:
            low = middle
    return _found(h, *high, _lost(h, *high))


def shuffled_with(*, h: int, noise: Fraction) -> Enough:
    """Samples for the histogram protocol with this noise n (1 - p), whatever privacy that gives; n of at least twice the noise.

    h >= 1; noise > 0. Raises DomainError, RegimeError.
    """
    _require(h=h)
    require(noise > 0, parameter="noise", value=noise, requirement="above 0")
    n = _least(lambda users: _lost(h, users, noise), start=math.ceil(2 * noise))
    return _found(h, n, noise, _lost(h, n, noise))


def central(*, h: int, epsilon: Fraction, delta: Fraction) -> Enough:
    """Samples for the stability-based histogram: geometric noise at epsilon/2 on held bins, nothing below a threshold.

    Its privacy is (epsilon, delta) where a^(threshold - 1)/(1 + a) <= delta, a = e^(-epsilon/2). Parameters and errors as for `shuffled`.
    """
    _require(h=h, epsilon=epsilon, delta=delta)
    with precision(_BITS):
        threshold = stability_threshold(epsilon, delta)
        n = _least(lambda users: _below_threshold(h, users, threshold, ball(epsilon / 2)), start=1)
        return _found(h, n, Fraction(threshold), _below_threshold(h, n, threshold, ball(epsilon / 2)))


def surely_enough(lost: arb) -> bool:
    """Return whether the probability of losing an element is certainly at most 1 - SUCCESS."""
    with precision(_BITS):
        return surely_less(lost, ball(1 - SUCCESS))


def _calibrated(n: int, epsilon: Fraction, delta: Fraction) -> tuple[int, Fraction]:
    """(n, noise), or with the next doubled n at which the target can be met."""
    while n <= LARGEST_N:
        found = calibrate(n=n, epsilon=epsilon, delta=delta)
        if found.value is not None:
            return n, found.value
        n *= 2
    raise _none(f"no n up to {LARGEST_N:.0e} at which the histogram is private enough")


def _lost(h: int, n: int, noise: Fraction) -> arb:
    """h Pr[Bin(n, 1/h) <= Bin(n, noise/n)], enclosed from above: terms in w = Bin(n, noise/n) from 0 up, the rest counted in full."""
    with precision(_BITS):
        if h == 1:
            return ball(noise / n) ** n if noise < n else arb(1)
        silent, held = noise / n, Fraction(1, h)
        of_silent, of_held = (1 - ball(silent)) ** n, (1 - ball(held)) ** n
        odds_silent, odds_held = ball(silent / (1 - silent)), ball(held / (1 - held))
        at_most, total, left = of_held, arb(0), arb(1)
        small = arb(2) ** -_DROPPED
        for w in range(n + 1):
            total, left = total + of_silent * at_most, left - of_silent
            if w > noise and surely_less(left, small):
                break
            of_silent = of_silent * odds_silent * (n - w) / (w + 1)
            of_held = of_held * odds_held * (n - w) / (w + 1)
            at_most += of_held
        return h * (total + (left if left > 0 else arb(0).union(left)))


def _below_threshold(h: int, n: int, threshold: int, epsilon: arb) -> arb:
    """h Pr[Bin(n, 1/h) + noise < threshold] for two-sided geometric noise at this epsilon."""
    if h == 1:
        return _noise_below(threshold - n, epsilon)
    held = Fraction(1, h)
    mass, odds = (1 - ball(held)) ** n, ball(held / (1 - held))
    total, left, small = arb(0), arb(1), arb(2) ** -_DROPPED
    for c in range(n + 1):
        below = _noise_below(threshold - c, epsilon) if c else arb(1)  # an empty bin is never released
        if surely_less(below, small):  # and it falls with c
            return h * (total + below)
        total, left = total + mass * below, left - mass
        mass = mass * odds * (n - c) / (c + 1)
    return h * total


def _noise_below(z: int, epsilon: arb) -> arb:
    """Pr[noise < z]; the two tails beyond m have probability geometric_beyond(m) together."""
    if z <= 0:
        return geometric_beyond(-z, epsilon) / 2
    return 1 - geometric_beyond(z - 1, epsilon) / 2


def _least(lost: Callable[[int], arb], *, start: int) -> int:
    """An n >= start that is certainly enough, by doubling and bisection."""
    refusal = _none(f"no n up to {LARGEST_N:.0e} is certainly enough")
    return least(lambda n: surely_enough(lost(n)), start=start, most=LARGEST_N, refusal=refusal)


def _found(h: int, n: int, noise: Fraction, lost: arb) -> Enough:
    return Enough(h, n, noise, upper_end(lost))


def _none(given: str) -> RegimeError:
    return RegimeError(
        statement="BC20.Clm3.4", condition="an n with which every element of the support is found", given=given, advice="ask for less"
    )


def _require(*, h: int, epsilon: Fraction = Fraction(1), delta: Fraction = Fraction(1, 2)) -> None:
    require(h >= 1, parameter="h", value=h, requirement="an integer of at least 1")
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")
    require(0 < delta < 1, parameter="delta", value=delta, requirement="above 0 and below 1")
