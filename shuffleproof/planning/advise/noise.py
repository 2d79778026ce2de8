"""A sum to which everybody adds a part of the noise: under secure aggregation, in shares that are mixed, or added by one who sees all data.

Numbers are taken times a scale and rounded at random to integers, which adds at most n/(4 scale^2) to the variance of their sum; bits need
no rounding. Whoever changes one number changes the sum of integers by the scale at most.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

from shuffleproof.planning.advise.choice import AGGREGATION, CURATOR, SHUFFLER, Choice, all_of, considered
from shuffleproof.planning.advise.local import Target
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, shortest

LAPLACE_SUM = "BEYOND.laplace-sum"
GAUSSIAN_SUM = "BEYOND.discrete-gaussian-sum"
BINOMIAL_SUM = "BEYOND.binomial-sum"
SPLIT_AND_MIX = "BEYOND.split-and-mix"
LAPLACE_PARTS, GAUSSIANS = "discrete Laplace noise in parts", "discrete Gaussians from everybody"
COINS, SHARES = "coins from everybody", "split and mix"
_MODULUS = 64
"""Bits of a modulus at least: a machine word."""
_SPARE = 6
"""Bits of a modulus beyond the sum and the noise's scale: noise is e^-64 times rarer than its scale where it wraps."""
_FAR = 1000
"""An exponent beyond which e^-x is next to nothing in every error that is shown."""
_DEVIATIONS = 64
"""Standard deviations of Gaussian noise that a modulus holds beyond the sum."""
_GAUSSIAN_WRAPPED = Fraction(1, 1 << 2000)
"""At least what is off where Gaussian noise wraps, beyond 64 deviations: 2 e^-2048 times the square of a modulus below 2^200."""
_LARGEST_EPSILON = 50
"""For Gaussians, whose characteristic functions are computed within seconds up to here."""
_FAIR = Fraction(1, 2)
"""The probability of a fair coin."""
_DIGITS = 8
"""Digits of certified deltas, of which the upper end counts."""
_TRIES = 8
"""How often more coins are tried where those of the guess do not meet the target."""
_HALF_BITS = 128
"""Bits of the lower end of epsilon, of which a half is spent."""


@dataclass(frozen=True, slots=True)
class Data:
    """Says what the users hold: bits, or numbers in [0, 1] that are rounded."""

    name: str
    rounded: bool

    def rounding(self, *, n: int, scale: int) -> Fraction:
        """At most the variance that rounding adds to the sum."""
        return Fraction(n, 4 * scale**2) if self.rounded else Fraction(0)


BITS, NUMBERS = Data("bits", rounded=False), Data("numbers", rounded=True)


def of_everybody(target: Target, data: Data) -> list[Choice]:
    """Noise that everybody adds a part of, with its central counterpart, and shares that are mixed."""
    ways = {
        (LAPLACE_PARTS, LAPLACE_SUM): laplace_sums,
        (GAUSSIANS, GAUSSIAN_SUM): gaussian_sums,
        (COINS, BINOMIAL_SUM): coins,
        (SHARES, SPLIT_AND_MIX): split_and_mix,
    }
    return all_of(*(partial(considered, *named, partial(way, target, data)) for named, way in ways.items()))


def of_every_bin(target: Target, *, bins: int, unit: Fraction) -> list[Choice]:
    """A sum of bits for every bin, all with noise of their own: whoever changes an item changes two of them, of which each gets half.

    unit: what the squared errors of counts are multiplied with.
    """
    half = Epsilon(target.epsilon.bounds(bits=_HALF_BITS)[0] / 2, None)
    ways = ((LAPLACE_PARTS, LAPLACE_SUM, laplace_sums), (GAUSSIANS, GAUSSIAN_SUM, gaussian_sums), (SHARES, SPLIT_AND_MIX, split_and_mix))
    of_one = Target(target.n, half, target.delta / 2)
    found = all_of(*(partial(considered, name, statement, partial(way, of_one, BITS)) for name, statement, way in ways))
    return [_repeated(each, bins=bins, unit=unit) for each in found]


def _repeated(each: Choice, *, bins: int, unit: Fraction) -> Choice:
    """For every bin: in one message of all bins, or, where messages are shuffled, in messages that say which bin they are for."""
    if each.error is None or each.messages is None or each.bits is None:
        return each
    sent = each.messages * bins if each.trust == SHUFFLER else each.messages
    of_bin = (bins - 1).bit_length()
    size = {CURATOR: of_bin, SHUFFLER: of_bin + each.bits, AGGREGATION: bins * each.bits}[each.trust]
    return replace(
        each,
        settings={"messages for each bin" if name == "messages" else name: value for name, value in each.settings.items()},
        error=each.error * bins * unit,
        messages=sent,
        expected_messages=Fraction(sent),
        bits=size,
        note="no protocol at all, to compare with" if each.trust == CURATOR else f"{each.note}; each bin gets eps/2 and delta/2",
    )


def laplace_sums(target: Target, data: Data) -> list[Choice]:
    """Under secure aggregation, or added by one who is trusted: the error does not grow with the number of users."""
    from shuffleproof.impl.ball.calibration.least_noise import largest_epsilon0

    scale = _scale(target, data, variance=2 / _positive(target) ** 2)
    local, _ = largest_epsilon0(sensitivity=scale, epsilon=target.epsilon, delta=target.delta)
    bits = max(_MODULUS, _modulus(target, scale=scale))
    parts = Choice(
        name=LAPLACE_PARTS,
        statement=LAPLACE_SUM,
        settings=_settings(data, scale, epsilon0=shortest(local)),
        error=_laplace_error(target, data, local, scale=scale, bits=bits),
        messages=1,
        bits=bits,
        note=f"a message is a number modulo 2^{bits}; nobody may see more than their sum",
        trust=AGGREGATION,
    )
    return [parts, _central(parts, "discrete Laplace noise, central", bits=scale.bit_length())]


def split_and_mix(target: Target, data: Data) -> list[Choice]:
    """Noise that is pure, and shares to which all of delta is left; the modulus is more than twice what the sum and its noise may be."""
    from shuffleproof.impl.ball.calibration.least_noise import fewest_messages

    local = Fraction(decimal_text(_positive(target), digits=8, direction="down"))
    scale = _scale(target, data, variance=2 / local**2)
    bits = _modulus(target, scale=scale)
    messages = fewest_messages(n=target.n, modulus=1 << bits, epsilon=target.epsilon, delta=target.delta)
    return [
        Choice(
            name=SHARES,
            statement=SPLIT_AND_MIX,
            settings={"messages": str(messages), "modulus": f"2^{bits}", **_settings(data, scale, epsilon0=shortest(local))},
            error=_laplace_error(target, data, local, scale=scale, bits=bits),
            messages=messages,
            bits=bits,
            note=f"discrete Laplace noise in parts, then shares modulo 2^{bits}",
        )
    ]


def gaussian_sums(target: Target, data: Data) -> list[Choice]:
    """Numbers times about the root of n: where each user's noise is seldom 0, the noises add up to nearly a discrete Gaussian."""
    scale, each = _gaussian(target, data)
    spread = math.isqrt(math.ceil(target.n * each)) + 1
    bits = max(_MODULUS, (4 * (target.n * scale + _DEVIATIONS * spread)).bit_length())
    everybody = Choice(
        name=GAUSSIANS,
        statement=GAUSSIAN_SUM,
        settings={"scale": str(scale), "variance": shortest(each)},
        # the noise's variance is at most its parameter
        error=target.n * each / scale**2 + data.rounding(n=target.n, scale=scale) + _GAUSSIAN_WRAPPED,
        messages=1,
        bits=bits,
        note=f"{data.name} times the scale, modulo 2^{bits}; nobody may see more than their sum",
        trust=AGGREGATION,
    )
    return [everybody, _central(everybody, "discrete Gaussian noise, central", bits=scale.bit_length() if data.rounded else 1)]


def coins(target: Target, data: Data) -> list[Choice]:
    """Fair coins: the binomial distribution is nearly that of the Gaussian noise, whose variance says about how many they are."""
    from shuffleproof.impl.ball.bounds.noise import binomial_sum

    n = target.n
    of_gaussian, each = _gaussian(target, data)
    variance = n * each / of_gaussian**2
    deviation = math.isqrt(5 * n) + 1  # of all coins: what rounding adds is about a twentieth of it
    scale = math.isqrt(math.ceil(deviation**2 / variance)) + 1
    number = math.ceil(4 * scale**2 * variance / n)
    for _ in range(_TRIES):
        reached = binomial_sum.delta(n=n, sensitivity=scale, coins=number, p=_FAIR, epsilon=target.epsilon, digits=_DIGITS)
        if reached.upper <= target.delta:
            return [_of_coins(target, data, scale=scale, number=number)]
        number += max(1, number // 50)
    raise UnsupportedError(what="coins of everybody", reason="none were found", advice='"calibrate binomial-sum" searches them')


def _of_coins(target: Target, data: Data, *, scale: int, number: int) -> Choice:
    n, bits = target.n, (target.n * (scale + number)).bit_length()
    return Choice(
        name=COINS,
        statement=BINOMIAL_SUM,
        settings={"scale": str(scale), "coins": str(number), "p": "0.5"},
        error=Fraction(n * number, 4 * scale**2) + data.rounding(n=n, scale=scale),
        messages=1,
        bits=bits,
        note=f"{data.name} times the scale, and the heads of all coins, modulo 2^{bits}; nobody may see more than their sum",
        trust=AGGREGATION,
    )


def _central(parts: Choice, name: str, *, bits: int) -> Choice:
    """The same noise, added by one who sees all data."""
    return replace(parts, name=name, bits=bits, note="no protocol at all, to compare with", trust=CURATOR)


@lru_cache(maxsize=16)
def _gaussian(target: Target, data: Data) -> tuple[int, Fraction]:
    """A scale, and the least variance of each user's noise that is certified at it."""
    from shuffleproof.impl.ball.calibration.least_noise import least_variance

    epsilon = _positive(target)
    if epsilon > _LARGEST_EPSILON:
        raise UnsupportedError(
            what=f"Gaussian noise above epsilon = {_LARGEST_EPSILON}",
            reason="it is not certified within seconds",
            advice="discrete Laplace noise is less there",
        )
    guess = about(target)
    scale = _scale(target, data, variance=guess) if data.rounded else math.isqrt(math.ceil(target.n / min(guess, Fraction(1)))) + 1
    return scale, least_variance(n=target.n, sensitivity=scale, epsilon=target.epsilon, delta=target.delta, digits=4)[0]


def about(target: Target) -> Fraction:
    """The variance that Gaussian noise needs for bits, or a few times it; 1/(2 pi delta^2) is enough for epsilon = 0."""
    epsilon, needed = _positive(target), Fraction(math.log(target.delta.denominator) - math.log(target.delta.numerator))
    return min((2 * needed / epsilon + 1) / epsilon, 1 / (6 * target.delta**2))


def _scale(target: Target, data: Data, *, variance: Fraction) -> int:
    """At which rounding adds about a hundredth of the noise's variance; 1 for bits."""
    return math.isqrt(math.ceil(25 * target.n / variance)) + 1 if data.rounded else 1


def _positive(target: Target) -> Fraction:
    """epsilon, or a little less."""
    low = target.epsilon.bounds(bits=64)[0]
    require(low > 0, parameter="epsilon", value=str(target.epsilon), requirement="above 0: else the noise has no end")
    return low


def _modulus(target: Target, *, scale: int) -> int:
    """Bits that the sum and 64 times the scale of its noise fit into twice."""
    return (4 * target.n * scale).bit_length() + max(0, math.ceil(1 / _positive(target)).bit_length()) + _SPARE


def _laplace_error(target: Target, data: Data, local: Fraction, *, scale: int, bits: int) -> Fraction:
    """At least the noise's and the rounding's, and what is off where noise is so large that it wraps around: at most the modulus."""
    from shuffleproof.impl.release import accuracy

    unit = local / scale
    variance = accuracy.randomized_response_error(n=2, epsilon0=Epsilon(unit, None))  # 2 a/(1 - a)^2, a = e^-unit
    far = (1 << (bits - 1)) - target.n * scale
    wrapped = exp_bounds(-min(unit * far, Fraction(_FAR)), bits=64)[1] * (1 << (2 * bits))
    return (variance + wrapped) / scale**2 + data.rounding(n=target.n, scale=scale)


def _settings(data: Data, scale: int, *, epsilon0: str) -> dict[str, str]:
    return {"scale": str(scale), "epsilon0": epsilon0} if data.rounded else {"epsilon0": epsilon0}
