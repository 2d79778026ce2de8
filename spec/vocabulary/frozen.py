"""Mappings that records can hold: equal to a dict with the same entries, but never changed, and so hashable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenMapping(Mapping[K, V], Generic[K, V]):
    """The entries of a mapping, in its order, for good.

    >>> FrozenMapping({"n": "10"}) == {"n": "10"}, len({FrozenMapping({"n": "10"}), FrozenMapping({"n": "10"})})
    (True, 1)
    """

    __slots__ = ("_entries",)
    _entries: dict[K, V]

    def __init__(self, entries: Mapping[K, V]) -> None:
        object.__setattr__(self, "_entries", dict(entries))

    def __getitem__(self, key: K) -> V:
        return self._entries[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is never changed")

    def __reduce__(self) -> tuple[type[FrozenMapping[K, V]], tuple[dict[K, V]]]:
        return type(self), (self._entries,)

    def __repr__(self) -> str:
        return repr(self._entries)
