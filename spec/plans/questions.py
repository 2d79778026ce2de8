"""Questions of a plan: what one user sends, given the value that the user holds, and what is seen of all messages together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from shuffleproof.spec.distribution import Distribution, bernoulli, binomial
from shuffleproof.spec.vocabulary.errors import require

Value = int | None
"""What a user holds: an item by its number, or nothing, where neighbours differ by deletion."""
Message = Hashable
Vector = tuple[int, ...]
_HALF = Fraction(1, 2)


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
    """What a shuffler shows: the messages, in no order."""
    return Distribution.point(tuple(sorted(messages, key=repr)))


def total(messages: Sequence[Vector]) -> Vector:
    """The sum of vectors, coordinate by coordinate."""
    return tuple(map(sum, zip(*messages, strict=True))) if messages else ()


def summed(messages: Sequence[Message]) -> Distribution[Hashable]:
    """What a secure aggregation shows: the sums of the coordinates."""
    return Distribution.point(total(messages))  # type: ignore[arg-type]


def above(threshold: Fraction) -> Callable[[Sequence[Message]], Distribution[Hashable]]:
    """The sums that reach a threshold; the others are shown as nothing."""
    return lambda messages: Distribution.point(tuple(s if s >= threshold else None for s in total(messages)))  # type: ignore[arg-type]


def one_of(at: int) -> Callable[[Sequence[Message]], Distribution[Hashable]]:
    """The sum of one coordinate alone."""
    return lambda messages: Distribution.point(total(messages)[at] if messages else 0)  # type: ignore[arg-type]


def vector_of(bits: Sequence[Distribution[int]]) -> Distribution[Message]:
    """Independent bits, as a vector."""
    found: Distribution[Vector] = Distribution.point(())
    for bit in bits:
        found = found.then(lambda done, bit=bit: bit.map(lambda value, done=done: (*done, value)))  # type: ignore[misc]
    return found  # type: ignore[return-value]


def k_rr(value: Value, *, k: int, exp_epsilon0: Fraction) -> Distribution[Message]:
    """k-ary randomized response; of nothing, the report of an item drawn at random, which is uniform."""
    if value is None:
        return Distribution.uniform(range(k))
    T = exp_epsilon0
    return Distribution({y: (T if y == value else Fraction(1)) / (T + k - 1) for y in range(k)})


def rappor(value: Value, *, coordinates: int, exp_half: Fraction) -> Distribution[Message]:
    """Symmetric RAPPOR: the one-hot vector of the value, or of nothing, with every bit flipped with probability 1/(e^(eps0/2) + 1)."""
    flipped = 1 / (exp_half + 1)
    return vector_of([bernoulli(1 - flipped if at == value else flipped) for at in range(coordinates)])


def bit_sum(value: Value, *, coin: Fraction) -> Distribution[Message]:
    """CSUZZ19's message: with probability `coin` a fair coin, else the bit; nothing is the bit 0."""
    truth = value or 0
    return bernoulli(coin * _HALF + (1 - coin) * truth).map(lambda bit: (bit,))


def with_noise_bits(value: Value, *, bins: int, p: Fraction) -> Distribution[Message]:
    """BC20's histogram (a zero sum where there is one bin): in each bin one's own bit, and a noise bit that is 1 with probability p."""
    return vector_of([bernoulli(p).map(lambda bit, own=int(at == value): bit + own) for at in range(bins)])  # type: ignore[misc]


def zero_sum(value: Value, *, p: Fraction) -> Distribution[Message]:
    """BC20's zero sum: one's own bit and a noise bit."""
    return bernoulli(p).map(lambda noise: (noise + (value or 0),))


def in_one_bin(value: Value, *, bins: int) -> Distribution[Message]:
    """A message of one bin without noise, or no message: the shuffler adds the noise."""
    return Distribution.point(tuple(int(at == value) for at in range(bins)))


def beside_fakes(*, bins: int, fakes: int, p: Fraction, shown: int | None = None) -> Callable[[Sequence[Message]], Distribution[Hashable]]:
    """The histogram of messages, those of fake users among them: Bin(fakes, p) in every bin. shown: the one bin that is seen, or all."""
    require(fakes >= 1, parameter="fakes", value=fakes, requirement="at least 1")
    noise = vector_of([binomial(fakes, p)] * bins)

    def seen(messages: Sequence[Message]) -> Distribution[Hashable]:
        counts = total(cast(Sequence[Vector], messages)) or (0,) * bins
        whole = noise.map(lambda added: total([counts, cast(Vector, added)]))
        return cast(Distribution[Hashable], whole if shown is None else whole.map(lambda vector: vector[shown]))

    return seen
