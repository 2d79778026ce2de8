"""Multi-party pointer jumping MPJ(s, h) by support identification: one labelled level of a tree for every sample (BC20, Definition 3.6)."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from shuffleproof.spec.protocols import support_identification
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require

Labelling = tuple[int, ...]
Path = tuple[int, ...]
MOST_ITEMS = 20_000
"""Labellings of a domain that are listed at most."""


def items(*, s: int, h: int) -> list[Labelling]:
    """All labellings of the levels 1, ..., h of the complete s-ary tree, level i with s^(i - 1) nodes, in a fixed order.

    s >= 2: then a labelling's length gives its level; h >= 1. Raises DomainError; ResourceLimitError beyond 20,000 labellings.
    """
    _require(s=s, h=h)
    number = 0
    for level in range(h):
        number += s ** min(s**level, 64)
        if number > MOST_ITEMS:
            raise ResourceLimitError(what=f"a list of the domain for s = {s}, h = {h}", needed="more items", limit=f"{MOST_ITEMS}")
    return [labels for level in range(h) for labels in product(range(s), repeat=s**level)]


def instance(levels: Sequence[Sequence[int]], *, s: int) -> tuple[Labelling, ...]:
    """The support {Z_1, ..., Z_h} of an instance. Raises DomainError unless level i has s^(i - 1) labels from 0 to s - 1."""
    _require(s=s, h=len(levels))
    for level, labels in enumerate(levels):
        fits = len(labels) == s**level and all(0 <= label < s for label in labels)
        require(fits, parameter=f"level {level + 1}", value=labels, requirement=f"{s**level} labels from 0 to {s - 1}")
    return tuple(tuple(labels) for labels in levels)


def labellings(*, s: int, h: int) -> Iterator[tuple[Labelling, ...]]:
    """All instances."""
    yield from product(*(product(range(s), repeat=s**level) for level in range(h)))


def path(levels: Sequence[Sequence[int]], *, s: int) -> Path:
    """The root-leaf path: level i has s^(i - 1) nodes, the label of the node reached names the child to go to."""
    node, taken = 0, []
    for labels in levels:
        taken.append(labels[node])
        node = node * s + labels[node]
    return tuple(taken)


def answer(identified: Iterable[Labelling], *, s: int, h: int) -> Path | None:
    """The path from the labellings that were identified; None unless there is exactly one for every level. Raises DomainError."""
    _require(s=s, h=h)
    found = list(identified)
    by_level = {len(labels): labels for labels in found}
    sizes = [s**level for level in range(h)]
    if len(found) != h or any(size not in by_level for size in sizes):
        return None
    return path([by_level[size] for size in sizes], s=s)


def solve(messages: Sequence[int], *, s: int, h: int, n: int, p: Fraction, t: Fraction = Fraction(0)) -> Path | None:
    """The whole analyzer on the shuffled messages of n users, message j for items[j - 1]. Domains and errors are those of its parts."""
    listed = items(s=s, h=h)
    bins = support_identification.solve(messages, n=n, d=len(listed), p=p, t=t)
    return answer((listed[j - 1] for j in bins), s=s, h=h)


def success(*, h: int, n: int, p: Fraction, t: Fraction = Fraction(0)) -> Fraction:
    """Pr[the path is given], and then it is right, for every instance and every s >= 2: exactly, independent of s.

    Parameters and errors as for `support_identification.success`.
    """
    return support_identification.success(h=h, n=n, p=p, t=t)


def _require(*, s: int, h: int) -> None:
    require(s >= 2, parameter="s", value=s, requirement="an integer of at least 2 (with s = 1 there is one path, and nothing to find)")
    require(h >= 1, parameter="h", value=h, requirement="an integer of at least 1")
