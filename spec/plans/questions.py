"""Questions of a plan: what one user sends, given the value that the user holds, and what is seen of all messages together."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import cast

from shuffleproof.spec.distribution import Distribution, bernoulli, binomial, independent, mixture
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.protocols.real_sum import encoder
from shuffleproof.spec.vocabulary.errors import require

Value = int | None
"""What a user holds: an item by its number, or nothing, where neighbours differ by deletion."""
Message = Hashable
Vector = tuple[int, ...]
ViewDistribution = Distribution[Hashable]
_HALF = Fraction(1, 2)
"""The probability of a fair coin."""


@dataclass(frozen=True)
class Question:
    """A question: report(value) is the distribution of one user's message; seen(messages) that of what is seen of them.

    column: which of a user's values it reads. memoised: whether the message of the first asking is sent again at every later one, whatever
    the value has become. domain: the values that a user may hold.
    """

    name: str
    column: str
    domain: tuple[int, ...]
    report: Callable[[Value], Distribution[Message]]
    seen: Callable[[Sequence[Message]], Distribution[Hashable]]
    memoised: bool = False


def shuffled_messages(messages: Sequence[Message]) -> Distribution[Hashable]:
    """Return what a shuffler shows: the messages, in no order."""
    return Distribution.point(tuple(sorted(messages, key=repr)))


def total(messages: Sequence[Vector]) -> Vector:
    """The sum of vectors, coordinate by coordinate."""
    return tuple(map(sum, zip(*messages, strict=True))) if messages else ()


def reaching(threshold: Fraction, *, estimate: Callable[[int, int], Fraction]) -> Callable[[Vector, int], Vector]:
    """The sums whose estimates reach a threshold; the others are shown as nothing. estimate: of a sum of so many messages."""
    return lambda sums, n: tuple(s if estimate(s, n) >= threshold else None for s in sums)  # type: ignore[misc]


def sums_of(
    *, items: int | None = None, kept: Callable[[Vector, int], Vector] | None = None
) -> Callable[[Sequence[Message]], ViewDistribution]:
    """The sums of the coordinates: of the first `items` alone, or of all; kept: which of these are shown, or all."""

    def seen(messages: Sequence[Message]) -> ViewDistribution:
        sums = total(messages)[:items]  # type: ignore[arg-type]
        return Distribution.point(sums if kept is None else kept(sums, len(messages)))

    return seen


def vector_of(bits: Sequence[Distribution[int]]) -> Distribution[Message]:
    """Independent bits, as a vector."""
    return cast(ViewDistribution, independent(bits))


def k_rr(value: Value, *, k: int, exp_epsilon0: Fraction) -> Distribution[Message]:
    """k-ary randomized response; of nothing, the report of an item drawn at random, which is uniform."""
    if value is None:
        return Distribution.uniform(range(k))
    T = exp_epsilon0
    return Distribution({y: (T if y == value else Fraction(1)) / (T + k - 1) for y in range(k)})


def bit_sum(value: Value, *, coin: Fraction) -> Distribution[Message]:
    """CSUZZ19's message: with probability `coin` a fair coin, else the bit; nothing is the bit 0."""
    truth = value or 0
    return bernoulli(coin * _HALF + (1 - coin) * truth).map(lambda bit: (bit,))


def randomized_by(value: Value, *, distribution: LocalRandomizer[int, Message]) -> Distribution[Message]:
    """The report of a randomizer by its exact distribution; of nothing, the report of an item drawn at random."""
    if value is not None:
        return distribution.distribution(value)
    return mixture([(Fraction(1, len(distribution.domain)), distribution.distribution(x)) for x in distribution.domain])


def unary(value: Value, *, coordinates: int, own: Fraction, other: Fraction) -> Distribution[Message]:
    """Unary encoding: the value's bit is 1 with probability own, every other one with probability other; of nothing, all are others."""
    return vector_of([bernoulli(own if at == value else other) for at in range(coordinates)])


def real_sum(value: Value, *, levels: int, r: int, coin: Fraction) -> Distribution[Message]:
    """CSUZZ19's r messages of the number value/levels: its r bits, each sent like that of a bit sum; nothing is the number 0."""
    bits = encoder(Fraction(value or 0, levels), r=r)
    return bits.then(lambda sent: vector_of([bernoulli(coin * _HALF + (1 - coin) * bit) for bit in sent]))


def shares(value: Value, *, messages: int, modulus: int, ratio: Fraction) -> Distribution[Message]:
    """Split and mix: a number and discrete Laplace noise, P(x) in proportion to ratio^|x|, in uniform shares modulo a number."""

    def split(whole: int) -> Distribution[Vector]:
        first = product(range(modulus), repeat=messages - 1)
        return Distribution.uniform((*some, (whole - sum(some)) % modulus) for some in first)

    noise = Distribution(laplace_modulo(ratio=ratio, modulus=modulus))
    return cast(ViewDistribution, noise.then(lambda x: split((x + (value or 0)) % modulus)))


def shuffled_shares(messages: Sequence[Message]) -> Distribution[Hashable]:
    """Return what a shuffler shows where each user sends several messages: all of them, in no order."""
    return Distribution.point(tuple(sorted(share for message in messages for share in cast(Vector, message))))


def with_noise_bits(value: Value, *, bins: int, p: Fraction) -> Distribution[Message]:
    """BC20's histogram (a zero sum where there is one bin): in each bin one's own bit, and a noise bit that is 1 with probability p."""
    return vector_of([bernoulli(p).map(lambda bit, own=int(at == value): bit + own) for at in range(bins)])  # type: ignore[misc]


def zero_sum(value: Value, *, p: Fraction) -> Distribution[Message]:
    """BC20's zero sum: one's own bit and a noise bit."""
    return bernoulli(p).map(lambda noise: (noise + (value or 0),))


def with_coins(value: Value, *, coins: int, p: Fraction) -> Distribution[Message]:
    """A number and the heads of one's own coins."""
    return binomial(coins, p).map(lambda heads: (heads + (value or 0),))


def in_the_clear(value: Value) -> Distribution[Message]:
    """A number without noise, which `beside_laplace` adds: an aggregator sees no single one."""
    return Distribution.point((value or 0,))


def laplace_modulo(*, ratio: Fraction, modulus: int) -> dict[int, Fraction]:
    """The discrete Laplace distribution, P(x) in proportion to ratio^|x|, modulo a number."""
    return {x: (ratio**x + ratio ** (modulus - x)) * (1 - ratio) / ((1 + ratio) * (1 - ratio**modulus)) for x in range(modulus)}


def beside_laplace(*, ratio: Fraction, parts: int, modulus: int) -> Callable[[Sequence[Message]], ViewDistribution]:
    """The sum of numbers with discrete Laplace noise, P(x) in proportion to ratio^|x|, of which everybody adds a part of 1/parts.

    It is seen modulo a number, which makes the noise finite and shows a little less. Raises DomainError where the parts are no whole
    noises: then their distribution has no rational probabilities.
    """
    one = laplace_modulo(ratio=ratio, modulus=modulus)

    def seen(messages: Sequence[Message]) -> ViewDistribution:
        wanted = f"a multiple of {parts} parts"
        require(len(messages) % parts == 0, parameter="messages", value=len(messages), requirement=wanted)
        found = Distribution.point(sum(cast(Vector, message)[0] for message in messages) % modulus)
        for _ in range(len(messages) // parts):
            found = found.then(lambda x: Distribution(one).map(lambda noise, x=x: (x + noise) % modulus))  # type: ignore[misc]
        return cast(ViewDistribution, found)

    return seen


def in_one_bin(value: Value, *, bins: int) -> Distribution[Message]:
    """A message of one bin without noise, or no message: the shuffler adds the noise."""
    return Distribution.point(tuple(int(at == value) for at in range(bins)))


def beside_fakes(
    *, bins: int, fakes: int, p: Fraction, items: int | None = None, kept: Callable[[Vector, int], Vector] | None = None
) -> Callable[[Sequence[Message]], ViewDistribution]:
    """The histogram of messages, those of fake users among them: Bin(fakes, p) in every bin. items, kept: as of `sums_of`."""
    require(fakes >= 1, parameter="fakes", value=fakes, requirement="at least 1")
    noise = vector_of([binomial(fakes, p)] * bins)

    def seen(messages: Sequence[Message]) -> ViewDistribution:
        counts = total(cast(Sequence[Vector], messages)) or (0,) * bins

        def shown(added: Message) -> Hashable:
            sums = total([counts, cast(Vector, added)])[:items]
            return sums if kept is None else kept(sums, fakes)

        return noise.map(shown)

    return seen
