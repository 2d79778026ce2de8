"""Figures and tables drawn as SVG, PDF or PNG with matplotlib (extra `plot`). The same numbers give the same bytes."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from shuffleproof.figures.chart import STYLES, Curve, Figure, Panel, Table
from shuffleproof.spec.vocabulary.errors import optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#000000", "#e69f00", "#7a3e9d", "#6b6b6b")
"""Okabe and Ito's, which the colour-blind tell apart, two of them darkened; each curve has a marker and its name beside it as well."""
_MARKERS = "osD^vPX*hp"
_SETTINGS: Any = {"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "shuffleproof", "pdf.fonttype": 42}
_WIDTH = 4.6  # Inches of a panel.
_HEIGHT = 4.2  # Inches of a panel.
_RESOLUTION = 150  # Dots an inch of a PNG.
_LABEL_COLUMNS = 26  # Characters of a curve's name in one line.
_LABEL_WIDTH = 2.1  # Inches for the names beside a panel.
_LINE = 0.042  # Height of a name's line, as a share of the axes.
_AT_THE_EDGE = 0.94
"""Share of the axes' width from which on a curve ends beside its name."""
_LOWEST_NAME = -0.12
"""Share of the axes' height: names do not reach into the notes below."""
_MARKED = 8  # Markers on a curve, about: enough to distinguish curves without colour.
_ROW = 0.25
"""Inches of a table's row."""
_METADATA: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


def drawn(content: Figure | Table, *, form: Literal["svg", "png", "pdf"]) -> bytes:
    """Return the picture of a figure or a table. Raises MissingExtraError without matplotlib."""
    matplotlib = optional("matplotlib", extra="plot", what="a picture", otherwise="ask for CSV")
    canvas_type = optional("matplotlib.figure", extra="plot", what="a picture").Figure
    with matplotlib.rc_context(_SETTINGS):
        canvas = _table(canvas_type, content) if isinstance(content, Table) else _figure(canvas_type, content)
        stream = io.BytesIO()
        canvas.savefig(stream, format=form, dpi=_RESOLUTION, metadata=_METADATA[form], bbox_inches="tight")
    return stream.getvalue()


def _figure(canvas_type: type[Canvas], content: Figure) -> Canvas:
    """Axes in a row, the names of the curves to the right of each, title and notes directly above and below: sizes are in inches."""
    count = len(content.panels)
    width, left, between = (_WIDTH + _LABEL_WIDTH) * count, 0.75, _LABEL_WIDTH + 0.75
    canvas = canvas_type(figsize=(width, _HEIGHT))
    axes = canvas.subplots(1, count, squeeze=False)[0]
    each = (width - left - _LABEL_WIDTH - between * (count - 1)) / count
    canvas.subplots_adjust(
        left=left / width,
        right=1 - _LABEL_WIDTH / width,
        bottom=0.15,
        top=0.87 if any(panel.title for panel in content.panels) else 0.91,
        wspace=between / each,
    )
    for axis, panel in zip(axes, content.panels, strict=True):
        _draw(axis, panel)
    canvas.suptitle(content.title, fontsize=12, x=left / width, ha="left", y=0.985)
    if content.notes:
        canvas.text(0.01, 0, _wrapped(content.notes, columns=round(15.5 * width)), fontsize=8, ha="left", va="top")
    return canvas


def _draw(axis: Any, panel: Panel) -> None:
    for number, curve in enumerate(panel.curves):
        _plot(axis, curve, number)
    axis.set_title(panel.title, fontsize=10)
    axis.set(xlabel=panel.x_label, ylabel=panel.y_label, xscale=panel.x_scale, yscale=panel.y_scale)
    axis.grid(visible=True, alpha=0.25)
    axis.margins(x=0.02)
    _name(axis, panel)


def _plot(axis: Any, curve: Curve, number: int) -> None:
    y = _values(curve)
    look: dict[str, Any] = {"color": _COLOURS[number % len(_COLOURS)], "linewidth": 1.7, "markersize": 4.5}
    if curve.side != "reference":
        marked = max(1, len(y) // _MARKED)
        look |= {"marker": _MARKERS[number % len(_MARKERS)], "markevery": (number % marked, marked)}
    axis.plot(curve.x, y, STYLES[curve.side], **look)
    if curve.error is not None:
        low, high = ([value + sign * e for value, e in zip(y, curve.error, strict=True)] for sign in (-1, 1))
        axis.fill_between(curve.x, low, high, color=look["color"], alpha=0.2, linewidth=0)


def _name(axis: Any, panel: Panel) -> None:
    """The name of each curve to the right of the axes, at the height where it ends, moved as little as keeps them apart.

    A line leads from the end of a curve to its name, within the margin: one that ends sooner has a piece of itself before its name instead,
    since a line from there would cross others.
    """
    axis.autoscale_view()
    to_share = axis.transData + axis.transAxes.inverted()
    names = []
    for number, curve in enumerate(panel.curves):
        ends = [(x, y) for x, y in zip(curve.x, _values(curve), strict=True) if y == y and (y > 0 or panel.y_scale == "linear")]
        if ends:
            told = curve.label if curve.side in ("exact", "reference") else f"{curve.label} ({curve.side})"
            place = to_share.transform(max(ends))
            names.append((place[1], place[0], textwrap.fill(told, _LABEL_COLUMNS), number))
    names.sort()
    heights = [_LINE * (text.count("\n") + 1) + 0.012 for _, _, text, _ in names]
    centres = apart([place for place, *_ in names], heights, least=_LOWEST_NAME)
    for (place, right, text, number), centre in zip(names, centres, strict=True):
        colour = _COLOURS[number % len(_COLOURS)]
        start = (right, place) if right >= _AT_THE_EDGE else (1.02, centre)
        style = "-" if right >= _AT_THE_EDGE else STYLES[panel.curves[number].side]
        axis.plot(*zip(start, (1.06, centre), strict=True), style, color=colour, linewidth=1.2, transform=axis.transAxes, clip_on=False)
        axis.text(1.07, centre, text, fontsize=8, color="#222222", va="center", transform=axis.transAxes)


def apart(places: Sequence[float], heights: Sequence[float], *, least: float = -math.inf) -> list[float]:
    """Centres in the order of the places, none overlapping: groups that touch are spread around the mean of where they belong.

    least: the lowest edge that any of them may have.
    """
    groups: list[tuple[list[int], float]] = []
    for at, place in enumerate(places):
        members, centre = [at], place
        while True:
            own = sum(heights[each] for each in members)
            centre = max(centre, least + own / 2)
            if not groups:
                break
            before = sum(heights[each] for each in groups[-1][0])
            if groups[-1][1] + before / 2 <= centre - own / 2:
                break
            members = [*groups.pop()[0], *members]
            centre = sum(places[each] for each in members) / len(members)
        groups.append((members, centre))
    found = [0.0] * len(places)
    for members, centre in groups:
        edge = centre - sum(heights[each] for each in members) / 2
        for each in members:
            found[each] = edge + heights[each] / 2
            edge += heights[each]
    return found


def _values(curve: Curve) -> list[float]:
    return [float("nan") if value is None else value for value in curve.y]


def _table(canvas_type: type[Canvas], content: Table) -> Canvas:
    from matplotlib.transforms import Bbox

    columns = [max(len(text) for text in (head, *(row[at] for row in content.rows))) + 2 for at, head in enumerate(content.columns)]
    notes = _wrapped(content.notes, columns=max(60, sum(columns)))
    canvas = canvas_type(figsize=(0.085 * sum(columns), _ROW * (len(content.rows) + 1)))
    axis = canvas.add_axes((0, 0, 1, 1))
    axis.set_axis_off()
    shares = [width / sum(columns) for width in columns]
    cells = axis.table(
        [list(row) for row in content.rows], colLabels=list(content.columns), bbox=Bbox.unit(), cellLoc="left", colWidths=shares
    )
    cells.auto_set_font_size(False)
    cells.set_fontsize(8)
    for (row, _), cell in cells.get_celld().items():
        cell.set(edgecolor="#bbbbbb", linewidth=0.6, **({"facecolor": "#eeeeee"} if row == 0 else {}))
    title = axis.text(0, 1, content.title + "\n", fontsize=11, transform=axis.transAxes, va="bottom", linespacing=0.4)
    title.set_in_layout(True)
    if content.notes:
        axis.text(0, 0, "\n" + notes, fontsize=8, transform=axis.transAxes, va="top")
    return canvas


def _wrapped(notes: Any, *, columns: int) -> str:
    return "\n".join(textwrap.fill(note, columns) for note in notes)
