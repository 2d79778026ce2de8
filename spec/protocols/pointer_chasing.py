"""Pointer chasing PC(k, l) by support identification, which sees two items however long the permutations are (BC20, Definition 3.5)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial

from shuffleproof.spec.protocols import support_identification
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require

Permutation = tuple[int, ...]
Item = tuple[int, Permutation]
LONGEST_LISTED = 7
"""Length of the permutations up to which all 2 l! items are listed: 10,080 at 7."""


def items(*, length: int) -> list[Item]:
    """D = {1, 2} x the permutations of 1, ..., l in a fixed order: item j of the histogram's domain is items[j - 1].

    length: l, at least 1. Raises DomainError; ResourceLimitError beyond l = 7, that is, 10,080 items.
    """
    require(length >= 1, parameter="length", value=length, requirement="an integer of at least 1")
    if length > LONGEST_LISTED:
        needed, limit = f"{2 * factorial(length):.1e} items", f"{2 * factorial(LONGEST_LISTED)} items, l = {LONGEST_LISTED}"
        raise ResourceLimitError(what=f"a list of the domain for l = {length}", needed=needed, limit=limit)
    return [(side, order) for side in (1, 2) for order in permutations(range(1, length + 1))]


def instance(a: Permutation, b: Permutation) -> tuple[Item, Item]:
    """The support {(1, a), (2, b)} of an instance. Raises DomainError unless a and b are permutations of the same 1, ..., l."""
    for name, order in (("a", a), ("b", b)):
        whole = list(range(1, len(a) + 1))
        require(len(a) > 0 and sorted(order) == whole, parameter=name, value=order, requirement="a permutation of 1, ..., l, l >= 1")
    return (1, tuple(a)), (2, tuple(b))


def chased(a: Permutation, b: Permutation, *, k: int) -> int:
    """The k-th integer of a_1, b_(a_1), a_(b_(a_1)), ... for permutations of 1, ..., l given as tuples.  k >= 1. Raises DomainError."""
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")
    at = 1
    for step in range(k):
        at = (a if step % 2 == 0 else b)[at - 1]
    return at


def answer(identified: Iterable[Item], *, k: int) -> int | None:
    """The k-th integer from the items that were identified; None where one that is needed was not: (1, a), and for k >= 2 also (2, b).

    Raises DomainError for k < 1.
    """
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")
    found: dict[int, list[Permutation]] = {1: [], 2: []}
    for side, order in identified:
        found[side].append(order)
    if len(found[1]) != 1 or (k >= 2 and len(found[2]) != 1):
        return None
    return chased(found[1][0], found[2][0] if k >= 2 else (), k=k)


def solve(messages: Sequence[int], *, k: int, length: int, n: int, p: Fraction, t: Fraction = Fraction(0)) -> int | None:
    """The whole analyzer on the shuffled messages of n users, message j for items[j - 1]. Domains and errors are those of its parts."""
    listed = items(length=length)
    bins = support_identification.solve(messages, n=n, d=len(listed), p=p, t=t)
    return answer((listed[j - 1] for j in bins), k=k)


def success(*, k: int, n: int, p: Fraction, t: Fraction = Fraction(0)) -> Fraction:
    """Pr[the answer is given], and then it is right, for every instance of every length l: exactly, independent of l.

    k = 1 needs one of the two items, k >= 2 both. Parameters and errors as for `support_identification.success`.
    """
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")
    return support_identification.success(h=2, n=n, p=p, t=t, needed=min(k, 2))
