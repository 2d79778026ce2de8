"""What a figure or a table is before it is drawn: named curves over one axis, or rows under columns, with what must be said about them."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from shuffleproof.spec.vocabulary.errors import DomainError

Scale = Literal["linear", "log"]
Side = Literal["upper", "lower", "estimate", "simulated", "exact", "reference"]
"""What the values of a curve are; "reference": a line to compare with, which claims nothing."""


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


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure: panels side by side; notes: what a reader must know, printed below and stored with the numbers."""

    title: str
    panels: Sequence[Panel]
    notes: Sequence[str] = field(default=())

    def csv(self) -> bytes:
        """The points as CSV (UTF-8), one row for each; notes as comment lines on top. Empty where a curve has no value."""
        rows = [
            (
                panel.title,
                curve.label,
                curve.side,
                repr(x),
                "" if y is None else repr(y),
                "" if curve.error is None else repr(curve.error[at]),
            )
            for panel in self.panels
            for curve in panel.curves
            for at, (x, y) in enumerate(zip(curve.x, curve.y, strict=True))
        ]
        return _csv(self.title, self.notes, ("panel", "curve", "side", "x", "y", "standard_error"), rows)


@dataclass(frozen=True, kw_only=True)
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
