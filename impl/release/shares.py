"""Shares of a number modulo q, drawn exactly, and the sum that all of them together have (BEYOND.split-and-mix)."""

from collections.abc import Iterable

from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.impl.release.uniform import uniform_below
from shuffleproof.spec.vocabulary.errors import require


def split(x: int, *, messages: int, modulus: int, source: BitSource) -> list[int]:
    """So many numbers below the modulus, uniform with the sum x modulo it. Raises DomainError.

    messages: at least 1; modulus: at least 2.
    """
    require(messages >= 1, parameter="messages", value=messages, requirement="at least 1")
    require(modulus >= 2, parameter="modulus", value=modulus, requirement="at least 2")
    shares = [uniform_below(m=modulus, source=source) for _ in range(messages - 1)]
    return [*shares, (x - sum(shares)) % modulus]


def mixed(numbers: Iterable[int], *, messages: int, modulus: int, source: BitSource) -> list[int]:
    """The shares of all numbers, sorted: what shuffling leaves of them. Domains and errors as for `split`."""
    return sorted(share for x in numbers for share in split(x, messages=messages, modulus=modulus, source=source))


def total(shares: Iterable[int], *, modulus: int) -> int:
    """Their sum modulo q, as an integer next to 0: from -q/2 on, below q/2."""
    found = sum(shares) % modulus
    return found - modulus if 2 * found >= modulus else found
