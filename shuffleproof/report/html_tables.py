"""The report's page of tables, as they were computed with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from shuffleproof.report.html_page import document, listed, table

Content = Mapping[str, Any]


def page(tables: Sequence[Content]) -> str:
    """The whole page. tables: name, title, columns, rows and notes of each."""
    body = ["<h1>Tables</h1>", "<p>Each was computed for this report; <code>shuffleproof figure NAME</code> computes it again.</p>"]
    for content in tables:
        body.append(f"<h2>{escape(content['title'])}</h2>")
        body.append(f'<p class="quiet">{escape(content["name"])}, {escape(content["seconds"])} s</p>')
        if content["failed"]:
            body.append(f'<p class="verdict red">{escape(content["failed"])}</p>')
            continue
        body.append(table(content["columns"], ([escape(cell) for cell in row] for row in content["rows"]), of_numbers=True))
        body.append(listed(content["notes"]))
    return document("tables.html", body)
