"""The shell of the report's pages: style, a script that sorts tables, tables and lists. A page needs nothing else: no network, no font."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape

PAGES = (("index.html", "Verification"), ("errata.html", "Papers: what does not hold as printed"), ("tables.html", "Tables"))
"""File name and title of every page, in the order of the navigation."""

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --quiet: #666; --green: #1a7f37; --cyan: #1b7c83; --red: #cf222e; --yellow: #8a6000; }
@media (prefers-color-scheme: dark) { :root { --quiet: #a2a2a2; --green: #57c46c; --cyan: #56c2c9; --red: #ff7b72; --yellow: #e3b341; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin-bottom: .2rem; }
nav a { margin-right: 1.2rem; } nav a[aria-current] { font-weight: 600; text-decoration: none; color: inherit; }
.quiet { color: var(--quiet); } .verdict { font-size: 1.1rem; margin: 1rem 0; padding: .6rem .9rem; border-left: .3rem solid; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .7rem .45rem 0; }
th { border-bottom: 2px solid var(--line); font-weight: 600; } td { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid; outline-offset: 2px; }
th[aria-sort=ascending] button::after { content: " \\25B4"; } th[aria-sort=descending] button::after { content: " \\25BE"; }
.name { white-space: nowrap; overflow-wrap: normal; font-weight: 600; } .status { white-space: nowrap; }
.numbers td { overflow-wrap: normal; font-variant-numeric: tabular-nums; font-size: .9rem; }
.dense td { font-variant-numeric: tabular-nums; font-size: .9rem; }
summary { cursor: pointer; } dl { margin: .4rem 0; } dt { color: var(--quiet); font-size: .85rem; } dd { margin: 0 0 .35rem 0; }
.green { color: var(--green); } .cyan { color: var(--cyan); } .red { color: var(--red); } .yellow { color: var(--yellow); }
code { font-size: .9em; }
"""

# Numbers are compared as numbers where both cells begin with one; everything else as text, with its digits in numeric order.
_SCRIPT = """
"use strict";
const order = new Intl.Collator("en", { numeric: true });
const number = text => /^[-+]?[.\\d]/.test(text) ? parseFloat(text.replace(/,/g, "")) : NaN;
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const text = row => row.cells[column].innerText.trim();
      const compare = (a, b) => {
        const x = number(text(a)), y = number(text(b));
        return sign * (Number.isNaN(x) || Number.isNaN(y) ? order.compare(text(a), text(b)) : x - y);
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    });
  });
}
"""


def document(name: str, body: Iterable[str]) -> str:
    """A whole page. name: one of PAGES; body: HTML.

    The policy in its head lets no script run but the one above: the report quotes what other people's programs have answered.
    """
    links = " ".join(f'<a href="{file}"{" aria-current=page" if file == name else ""}>{escape(label)}</a>' for file, label in PAGES)
    return standalone(dict(PAGES)[name], [f"<nav>{links}</nav>", *body])


def standalone(title: str, body: Iterable[str]) -> str:
    """A page that belongs to no other. title: plain text; body: HTML. The same policy holds for it."""
    hashed = base64.b64encode(hashlib.sha256(_SCRIPT.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hashed}'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width"><title>shuffleproof: {escape(title)}</title><style>{_STYLE}</style></head>\n'
        "<body>\n" + "\n".join(body) + f"\n<script>{_SCRIPT}</script>\n</body></html>\n"
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, of_numbers: bool = False) -> str:
    """A table that can be sorted by every column. heads: plain text; rows: cells as HTML."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "\n".join('<tr><td class="name">' + "</td><td>".join(cells) + "</td></tr>" for cells in rows)
    kind = ' class="numbers"' if of_numbers else ""
    return (
        f'<div class="wide"><table{kind}><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>' if body else "<p>None.</p>"
    )


def listed(lines: Iterable[str]) -> str:
    """A list of lines of plain text."""
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def definitions(items: Iterable[tuple[str, str | None]]) -> str:
    """Labels with their texts; those without a text are left out."""
    return "<dl>" + "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in items if text) + "</dl>"
