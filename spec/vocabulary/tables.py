"""What records have in common: columns by name, a table of pandas, a picture, HTML for notebooks; and mappings that never change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, overload

from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import UnsupportedError, optional
from shuffleproof.spec.vocabulary.numerals import decimal_text, float_toward, shortest

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas as pd

K = TypeVar("K")
V = TypeVar("V")
UPPER_COLOUR = "#0072b2"
LOWER_COLOUR = "#d55e00"
"""Of upper and lower bounds in pictures: a pair that the colour-blind tell apart."""
_WIDE = 30
"""An axis is logarithmic where its largest number is more than this many times its least: on a linear one half of them would touch 0."""

_MOST_ROWS = 20
"""Rows of a table in a notebook: what fits on a screen."""


class Tabular(ABC):
    """A record of one row or several: `columns` is its table, from which `to_pandas`, `plot` and the HTML of notebooks are made."""

    __slots__ = ()

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """The table by the names of its columns; numbers are floats, rounded toward the side that their column claims."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The one line that is large in a notebook."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.headline}>"

    @property
    def notes(self) -> Sequence[str]:
        """Lines that stand small under the table."""
        return ()

    @property
    def measured(self) -> str:
        """Return what the ends `at_least` and `at_most` are of: the name of the picture's axis."""
        return ""

    def rounded(self, column: str, table: Mapping[str, Sequence[Any]]) -> Sequence[Direction | None]:
        """Return to which side each number of that column is rounded where few digits are shown: up where its name ends in `at_most`.

        None: it is no claim, what was asked or a time, and is shown as it was written.
        """
        return [None if column == "seconds" else "up" if column.endswith("at_most") else "down"] * len(table[column])

    def to_pandas(self) -> pd.DataFrame:
        """Return `columns` as a table of pandas. Raises UnsupportedError without pandas (extra `pandas`)."""
        pandas = optional("pandas", extra="pandas", what="a table of pandas", otherwise="take `columns()`")
        table: pd.DataFrame = pandas.DataFrame(self.columns())
        return table

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw a row for each claim, with its upper and its lower bound, on a logarithmic axis where they differ much.

        axes: where to draw; new ones if None. Raises UnsupportedError without matplotlib (extra `plot`), or where nothing is claimed.
        """
        axes = axes or new_axes()
        table = self.columns()
        names = next(iter(table.values()))
        drawn = False
        for column, label, look in (("at_most", "at most", "<"), ("at_least", "at least", ">")):
            numbers = [x if isinstance(x, float) else float("nan") for x in table.get(column, [])]
            if any(x == x for x in numbers):
                colour = UPPER_COLOUR if column == "at_most" else LOWER_COLOUR
                axes.plot(numbers, range(len(numbers)), look, color=colour, label=label)
                drawn = True
        if not drawn:
            raise UnsupportedError(what="a picture", reason="no row has a bound", advice="print the record: it says why")
        axes.set_xlabel(self.measured)
        axes.set_yticks(range(len(names)), [str(name) for name in names])
        axes.invert_yaxis()
        claimed = [x for column in ("at_most", "at_least") for x in table.get(column, []) if isinstance(x, float) and x == x]
        if logarithmic(claimed):
            axes.set_xscale("log")
        axes.set_title(self.headline, fontsize="small", wrap=True)
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        table = self.columns()
        shown = [map(_cell, column, self.rounded(name, table)) for name, column in table.items()]
        return page(self.headline, list(table), list(zip(*shown, strict=True)), self.notes)


class Rows(Tabular, Sequence[V], Generic[V]):
    """A record that is the sequence of its rows, in their order."""

    __slots__ = ()

    @property
    @abstractmethod
    def _each(self) -> Sequence[V]:
        """The rows."""

    def __len__(self) -> int:
        return len(self._each)

    @overload
    def __getitem__(self, place: int) -> V: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[V]: ...

    def __getitem__(self, place: int | slice) -> V | Sequence[V]:
        return self._each[place]


def ends_of(known: Iterable[tuple[str, Fraction | None, Fraction | None]]) -> dict[str, list[Any]]:
    """Return the columns `at_least` and `at_most` of (name, lower, upper): floats rounded outward, nan where an end is not known."""
    rows = list(known)
    return {
        "at_least": [float("nan") if low is None else float_toward(low, direction="down") for _, low, _ in rows],
        "at_most": [float("nan") if high is None else float_toward(high, direction="up") for _, _, high in rows],
    }


def page(headline: str, header: Sequence[str], rows: Sequence[Sequence[object]], notes: Sequence[str] = ()) -> str:
    """Return HTML: a large line, a table, and small lines under it. header: names of the columns, no table if empty."""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(x))}</td>" for x in row) + "</tr>" for row in rows[:_MOST_ROWS])
    if len(rows) > _MOST_ROWS:
        notes = (f"and {len(rows) - _MOST_ROWS} rows more: to_pandas() has them all", *notes)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if header else ""
    small = "".join(f"<br><small>{escape(note)}</small>" for note in notes)
    return f'<div><span style="font-size: 1.4em">{escape(headline)}</span>{table}{small}</div>'


def new_axes() -> matplotlib.axes.Axes:
    """Return empty axes of a new figure. Raises UnsupportedError without matplotlib (extra `plot`)."""
    pyplot = optional("matplotlib.pyplot", extra="plot", what="a picture", otherwise="take `columns()`")
    axes: matplotlib.axes.Axes = pyplot.figure(layout="constrained").add_subplot()
    return axes


def logarithmic(numbers: Sequence[float]) -> bool:
    """Return whether an axis with these numbers should be logarithmic: all are above 0, and the largest is many times the least."""
    return bool(numbers) and min(numbers) > 0 and max(numbers) > _WIDE * min(numbers)


def _cell(x: object, direction: Direction | None) -> str:
    """A number in eight digits, rounded to that side; None: the shortest decimal of which it is the float, 1e-6 and not 9.9999999e-7.

    That in full: an epsilon at a delta that is rounded down would be less than what holds there.
    """
    if x is None or (isinstance(x, float) and x != x):
        return ""
    if not isinstance(x, float) or not isfinite(x):
        return str(x)
    return decimal_text(Fraction(x), digits=8, direction=direction) if direction else shortest(Fraction(repr(float(x))))


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
