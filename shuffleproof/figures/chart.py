"""What a figure or a table is before it is drawn: named curves over one axis, or rows under columns, with what must be said about them."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.tables import Tabular, new_axes, page

Scale = Literal["linear", "log"]
Side = Literal["upper", "lower", "estimate", "simulated", "exact", "reference"]
"""What the values of a curve are; "reference": a line to compare with, which claims nothing."""
STYLES: dict[Side, str] = {"upper": "-", "lower": "--", "exact": "-", "estimate": ":", "simulated": "-.", "reference": ":"}
"""How each is drawn, as matplotlib names lines."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One curve.

    label: for the legend; side: what its values are; x, y: the points, y None where there is no value; error: standard errors of y.
    """

    label: str
    side: Side
    x: Sequence[float]
    y: Sequence[float | None]
    error: Sequence[float] | None = None

    def __post_init__(self) -> None:
        lengths = {len(self.x), len(self.y), len(self.error) if self.error is not None else len(self.x)}
        if len(lengths) != 1:
            raise DomainError(parameter="y", value=f"{len(self.y)} values", requirement=f"as many as the {len(self.x)} points of x")


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One pair of axes with its curves."""

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    x_scale: Scale = "linear"
    y_scale: Scale = "linear"


def log_panel(x_label: str, y_label: str, curves: Sequence[Curve]) -> Panel:
    """Return a panel without a title of its own, both of whose axes are logarithmic."""
    return Panel(title="", x_label=x_label, y_label=y_label, curves=curves, x_scale="log", y_scale="log")


@dataclass(frozen=True, kw_only=True, repr=False)
class Figure(Tabular):
    """A figure: panels side by side; notes: what a reader must know, printed below and stored with the numbers."""

    title: str
    panels: Sequence[Panel]
    notes: Sequence[str] = field(default=())

    @property
    def headline(self) -> str:
        """The title."""
        return self.title

    def __str__(self) -> str:
        """The title, a line for each curve, and the notes."""
        named = (f"{panel.title}: " if panel.title else "" for panel in self.panels for _ in panel.curves)
        curves = (curve for panel in self.panels for curve in panel.curves)
        lines = (f"  {name}{curve.label} ({curve.side}), {len(curve.x)} points" for name, curve in zip(named, curves, strict=True))
        return "\n".join([self.title, *lines, *self.notes])

    def columns(self) -> dict[str, list[Any]]:
        """A row for each point of each curve, as in the CSV; nan where there is no value."""
        points = [(panel, curve, at) for panel in self.panels for curve in panel.curves for at in range(len(curve.x))]
        nothing = float("nan")
        return {
            "panel": [panel.title for panel, _, _ in points],
            "curve": [curve.label for _, curve, _ in points],
            "side": [curve.side for _, curve, _ in points],
            "x": [curve.x[at] for _, curve, at in points],
            "y": [nothing if (y := curve.y[at]) is None else y for _, curve, at in points],
            "standard_error": [nothing if curve.error is None else curve.error[at] for _, curve, at in points],
        }

    def rounded(self, column: str, table: Mapping[str, Sequence[Any]]) -> Sequence[Direction | None]:
        """See `Tabular`; a value is rounded to the side of its curve."""
        return [None if column == "x" else "up" if column == "y" and side == "upper" else "down" for side in table["side"]]

    def plot(self, axes: Any = None) -> Any:
        """Draw the curves of all panels over the first one's axes; `save` draws the panels side by side. axes: new ones if None."""
        axes = axes or new_axes()
        for panel in self.panels:
            for curve in panel.curves:
                name = f"{panel.title}: {curve.label}" if panel.title else curve.label
                axes.plot(curve.x, [float("nan") if y is None else y for y in curve.y], STYLES[curve.side], label=f"{name} ({curve.side})")
        first = self.panels[0]
        axes.set(title=self.title, xlabel=first.x_label, ylabel=first.y_label, xscale=first.x_scale, yscale=first.y_scale)
        axes.legend()
        return axes

    def csv(self) -> bytes:
        """The points as CSV (UTF-8), one row for each; notes as comment lines on top. Empty where a curve has no value."""
        table = self.columns()
        texts = [[x if isinstance(x, str) else "" if x != x else repr(x) for x in column] for column in table.values()]
        return _csv(self.title, self.notes, tuple(table), list(zip(*texts, strict=True)))


@dataclass(frozen=True, kw_only=True, repr=False)
class Table:
    """A table: every cell is a text that is already rounded to its safe side."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = field(default=())

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise DomainError(parameter="rows", value=row, requirement=f"rows of {len(self.columns)} cells")

    def __repr__(self) -> str:
        return f"<Table of {len(self.rows)} rows: {self.title}>"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return page(self.title, self.columns, self.rows, self.notes)

    def csv(self) -> bytes:
        """The rows as CSV (UTF-8); notes as comment lines on top."""
        return _csv(self.title, self.notes, self.columns, self.rows)

    def text(self) -> str:
        """The table for a terminal, columns aligned."""
        lines = [self.columns, *self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.columns))]
        body = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
        body.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join([self.title, "", *body, *([""] if self.notes else []), *self.notes])


def _csv(title: str, notes: Sequence[str], head: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    stream = io.StringIO()
    for line in (title, *notes):
        stream.write(f"# {line}\n")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue().encode("utf-8")
