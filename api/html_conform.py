"""The report of one conformance run as a single HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from shuffleproof.html_page import definitions, standalone, table

_COLOURS = {"conforms": "green", "loose": "cyan", "unsupported": "quiet", "skipped": "quiet"}
_LONGEST = 300


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
        table(("case", "verdict", "answered", "expected", "why", "flags", "seconds"), map(_row, _worst_first(report["cases"]))),
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


def _worst_first(cases: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(cases, key=lambda case: case["verdict"] in _COLOURS)


def _row(case: Mapping[str, Any]) -> list[str]:
    value = case["value"]
    told = ", ".join(f"{y}: {text}" for y, text in value.items()) if isinstance(value, Mapping) else value
    answered = f"{case['claim']} {told}" if value is not None else ""
    texts = (answered, case["expected"], case["detail"], " ".join(case["flags"]), case["seconds"] or "")
    return [escape(case["id"]), _coloured(case["verdict"], case["verdict"]), *(escape(_short(text)) for text in texts)]


def _coloured(verdict: str, text: str) -> str:
    return f'<span class="status {_COLOURS.get(verdict, "red")}">{escape(text)}</span>'


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
