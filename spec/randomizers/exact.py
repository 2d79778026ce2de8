"""The exact distributions of the named randomizers, for rational e^epsilon0: what their declarations are held against."""

from fractions import Fraction
from typing import Any

from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.named_randomizer import LARGEST_DISTRIBUTION, NamedRandomizer


def exact_distribution(
    randomizer: NamedRandomizer, T: Fraction, *, most: int | None = None, largest: int = LARGEST_DISTRIBUTION
) -> LocalRandomizer[int, Any]:
    """The distribution of a named randomizer with e^epsilon0 = T on its inputs, or as many of them; of any number of items with so many.

    most: at least 2; of unary encodings and hashing so many items are encoded at most: further bits have one distribution under all of
    these; largest: inputs times messages, at most.
    Raises UnsupportedError where it has no list of masses, or irrational ones; ResourceLimitError where that is too long.
    """
    inputs, messages, made = randomizer.exact(T, most)
    if inputs * messages > largest:
        what = f"the distribution of {randomizer.name!r}"
        limit = f'{largest} (engine "ball" has closed forms)'
        raise ResourceLimitError(what=what, needed=f"{inputs} inputs times {messages} messages", limit=limit)
    whole: LocalRandomizer[int, Any] = made()
    some = whole.domain[:most]
    return whole if some == whole.domain else LocalRandomizer(some, {x: whole.distribution(x) for x in some})


def prefers(message: Any, x: int) -> bool:
    """Return whether a vector of bits, or a hash function with a bucket, prefers item x."""
    return bool(message[0][x] == message[1] if isinstance(message[0], tuple) else message[x])
