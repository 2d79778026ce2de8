"""The report's page on the papers: what is refuted, vacuous or open in each, with witness and correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from shuffleproof.report.html_page import definitions, document
from shuffleproof.report.ledger_text import COLOURS, counted

Row = Mapping[str, Any]
_KINDS = (
    ("refuted", "False, or misprinted: a certified counterexample lies inside the stated range"),
    ("vacuous", "Vacuous in part of the stated range"),
    ("open", "Not machine-checked"),
)


def page(rows: Sequence[Row]) -> str:
    """The whole page, for the rows of the ledger."""
    body = [
        "<h1>The papers: what does not hold as printed</h1>",
        "<p>Every statement here was taken at its word over its whole stated range. A witness can be run again with "
        "<code>shuffleproof ledger check ID</code>.</p>",
    ]
    for paper in dict.fromkeys(row["paper"] for row in rows):
        own = [row for row in rows if row["paper"] == paper]
        body += [f"<h2>{escape(paper)}</h2>", f"<p>{len(own)} statements: {escape(counted(own))}.</p>"]
        for status, heading in _KINDS:
            chosen = [row for row in own if row["status"] == status]
            if chosen:
                body.append(f"<h3>{escape(heading)} ({len(chosen)})</h3>")
                body += [_entry(row) for row in chosen]
        noted = [row for row in own if row["corrected"] and row["status"] not in dict(_KINDS)]
        if noted:
            body.append(f"<h3>Holds, and can be said better ({len(noted)})</h3>")
            body += [_entry(row) for row in noted]
    return document("errata.html", body)


def _entry(row: Row) -> str:
    labels = (("range", "range"), ("witness", "witness"), ("holds instead", "corrected"), ("note", "note"), ("place", "where"))
    summary = f'<summary><span class="name {COLOURS[row["status"]]}">{escape(row["id"])}</span> {escape(row["says"])}</summary>'
    return f"<details open>{summary}{definitions((label, row[key]) for label, key in labels)}</details>"
