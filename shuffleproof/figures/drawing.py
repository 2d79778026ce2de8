"""Figures and tables drawn as SVG or PNG with matplotlib (extra `plot`). The same numbers give the same bytes."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING, Any, Literal

from shuffleproof.figures.chart import Curve, Figure, Panel, Table
from shuffleproof.spec.vocabulary.errors import UnsupportedError

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_STYLES = {"upper": "-", "lower": "--", "exact": "-", "estimate": ":", "simulated": "-.", "reference": ":"}
_SETTINGS: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "shuffleproof",
    "legend.frameon": False,
}
_CURVES_INSIDE = 5
_WIDTH, _HEIGHT, _RESOLUTION = 6.4, 4.4, 150


def drawn(content: Figure | Table, *, form: Literal["svg", "png"]) -> bytes:
    """The picture of a figure or a table. Raises UnsupportedError without matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise UnsupportedError(
            what="a picture", reason="matplotlib is not installed", advice="install the extra `plot`, or ask for CSV"
        ) from None
    with matplotlib.rc_context(_SETTINGS):
        canvas = _table(Canvas, content) if isinstance(content, Table) else _figure(Canvas, content)
        stream = io.BytesIO()
        metadata = {"Date": None} if form == "svg" else {}
        canvas.savefig(stream, format=form, dpi=_RESOLUTION, metadata=metadata, bbox_inches="tight")
    return stream.getvalue()


def _figure(canvas_type: type[Canvas], content: Figure) -> Canvas:
    count = len(content.panels)
    notes = _wrapped(content.notes, columns=100 * count)
    # Constrained layout takes the room for notes and outer legends from the axes: give it back.
    extra = 0.14 * max(0, notes.count("\n") - 1) + (0.9 if any(len(panel.curves) > _CURVES_INSIDE for panel in content.panels) else 0)
    canvas = canvas_type(figsize=(_WIDTH * count, _HEIGHT + extra), layout="constrained")
    axes = canvas.subplots(1, count, squeeze=False)[0]
    for axis, panel in zip(axes, content.panels, strict=True):
        _draw(axis, panel)
    canvas.suptitle(content.title, fontsize=12)
    if content.notes:
        canvas.supxlabel(notes, fontsize=8, x=0.01, ha="left")
    return canvas


def _draw(axis: Any, panel: Panel) -> None:
    for number, curve in enumerate(panel.curves):
        _plot(axis, curve, number)
    axis.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label, xscale=panel.x_scale, yscale=panel.y_scale)
    axis.grid(visible=True, alpha=0.25)
    if len(panel.curves) <= _CURVES_INSIDE:
        axis.legend(fontsize=8)
    else:  # no corner is free of so many curves
        axis.legend(fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.17))


def _plot(axis: Any, curve: Curve, number: int) -> None:
    y = [float("nan") if value is None else value for value in curve.y]
    label = curve.label if curve.side in ("exact", "reference") else f"{curve.label} ({curve.side})"
    line = axis.plot(curve.x, y, _STYLES[curve.side], color=f"C{number % 10}", label=label, linewidth=1.6)[0]
    if curve.error is not None:
        low, high = ([value + sign * e for value, e in zip(y, curve.error, strict=True)] for sign in (-1, 1))
        axis.fill_between(curve.x, low, high, color=line.get_color(), alpha=0.2, linewidth=0)


def _table(canvas_type: type[Canvas], content: Table) -> Canvas:
    columns = [max(len(text) for text in (head, *(row[at] for row in content.rows))) + 2 for at, head in enumerate(content.columns)]
    notes = _wrapped(content.notes, columns=max(60, sum(columns)))
    # Constrained layout takes the room for notes from the rows: give it back.
    extra = 0.1 * (notes.count("\n") + 1) if content.notes else 0
    canvas = canvas_type(figsize=(0.085 * sum(columns), 0.3 * (len(content.rows) + 2) + extra), layout="constrained")
    axis = canvas.subplots()
    axis.set_axis_off()
    axis.set_title(content.title, fontsize=11)
    shares = [width / sum(columns) for width in columns]
    cells = axis.table(
        [list(row) for row in content.rows], colLabels=list(content.columns), loc="upper center", cellLoc="left", colWidths=shares
    )
    cells.auto_set_font_size(False)
    cells.set_fontsize(8)
    cells.scale(1, 1.3)
    if content.notes:
        canvas.supxlabel(notes, fontsize=8, x=0.01, ha="left")
    return canvas


def _wrapped(notes: Any, *, columns: int) -> str:
    return "\n".join(textwrap.fill(note, columns) for note in notes)
