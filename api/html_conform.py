"""The report of one conformance run as a single HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from shuffleproof.html_page import definitions, standalone, table

_COLOURS = {"loose": "cyan", "conforms": "green", "unsupported": "quiet", "skipped": "quiet"}
_LONGEST = {"value": 45, "reason": 240}
"""Characters that a cell shows; the JSON report has them all."""


_HEADS = ("verdict", "case", "why", "flags", "answered", "expected", "seconds")


def page(report: Mapping[str, Any], *, code: int) -> str:
    """The whole page. report: as `conform run --format json` prints it; code: its exit code."""
    about = report["implementation"]
    title = f"Conformance of {about['name']} {about['version']}"
    summary = ", ".join(f"{_coloured(verdict, f'{number} {verdict}')}" for verdict, number in report["summary"].items()) or "nothing ran"
    verdict = {0: "Nothing is held against it.", 1: "It claims what is not true, or declines what has an answer."}
    said = verdict.get(code, "Nothing ran." if code == 5 else "It failed as a program, so the other verdicts are incomplete.")
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">{escape(about["language"])}, suite {escape(report["suite"])}, {len(report["cases"])} cases</p>',
        f'<p class="verdict {"green" if code == 0 else "red"}">{said}<br>{summary}</p>',
        table(_HEADS, map(_row, sorted(report["cases"], key=_rank)), of_numbers=True),
        definitions(
            (
                ("asked again after a crash", report["replayed"]),
                ("connected by", report["connect"]),
                ("seed, digits", f"{report['seed']}, {report['digits']}"),
                ("SHA-256 of the report", report["digest"]),
                *((f"vectors {name}", digest) for name, digest in report["vectors"].items()),
            )
        ),
    ]
    return standalone(title, body)


def _rank(case: Mapping[str, Any]) -> int:
    """What speaks against the target comes first, what was not asked last."""
    order = list(_COLOURS)
    return 1 + order.index(case["verdict"]) if case["verdict"] in order else 0


def _row(case: Mapping[str, Any]) -> list[str]:
    value = case["value"]
    told = ", ".join(f"{y}: {text}" for y, text in value.items()) if isinstance(value, Mapping) else value
    answered = f"{case['claim']} {told}" if value is not None else ""
    values = [_short(answered, "value"), _short(case["expected"], "value"), (case["seconds"] or "")[:6]]
    cells = [_short(case["id"], "reason"), _short(case["detail"], "reason"), ", ".join(case["flags"]), *values]
    return [_coloured(case["verdict"], case["verdict"]), *map(escape, cells)]


def _coloured(verdict: str, text: str) -> str:
    return f'<span class="status {_COLOURS.get(verdict, "red")}">{escape(text)}</span>'


def _short(text: str, kind: str) -> str:
    """Long numbers, then long texts, cut."""
    words = " ".join(word if len(word) <= _LONGEST["value"] else word[: _LONGEST["value"] - 1] + "…" for word in text.split(" "))
    longest = _LONGEST[kind]
    return words if len(words) <= longest else words[: longest - 1] + "…"
