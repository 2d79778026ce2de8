"""The report of one conformance run as a single HTML page that needs nothing else."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from shuffleproof.report.html_page import definitions, standalone, table
from shuffleproof.spec.vocabulary.numerals import decimal_text

_COLOURS = {"loose": "cyan", "conforms": "green", "unsupported": "quiet", "skipped": "quiet"}
_LONGEST_WORD = 20
_LONGEST = {"case": 120, "reason": 240, "answer": 60, "unfolded": 4000}
"""Characters of a number, and of a whole cell, that are shown, and that it unfolds to; the JSON report has them all."""

_BRACKETED = re.compile(r"([\[({]*)(.*?)([])},;:]*)", re.DOTALL)
_RATIO = re.compile(r"(\d{1,4000})/(\d{1,4000})")
_NUMBER = re.compile(r"(\d+)(\.\d*)?(e[-+]?\d{1,9})?", re.IGNORECASE)
_LONGEST_INTEGER = 17
_HEADS = ("verdict", "case", "why", "answered", "expected", "flags", "ms")

_MEANINGS = {
    "unsound": "an upper bound below the certified truth, or a lower one above it, however little",
    "mismatch": "an estimate, exact value, law or sample outside its tolerance; or an answer where a refusal is due",
    "refused": "declined a case that has an answer",
    "unskipped": "on the list of known failures, but it does not fail: take it off",
    "crashed": "the program ended, on a fresh process too",
    "timed-out": "no answer by the deadline",
    "protocol": "wrote what the protocol does not allow",
    "loose": "sound, but beyond the truth by more than the case allows: true, and not held against it",
    "conforms": "as it should be",
    "unsupported": "not declared, or answered so: never held against it",
    "skipped": "on the list of known failures: not asked, or failed as listed",
}
"""Every verdict, in the order of the rows: what speaks against a target comes first, what was not asked last."""


def page(report: Mapping[str, Any], *, code: int, again: Sequence[str] | None = None) -> str:
    """The whole page. report: as `conform run --format json` prints it; code: its exit code; again: the command that asks again."""
    about = report["implementation"]
    title = f"Conformance of {printable(about['name'])} {printable(about['version'])}"
    summary = ", ".join(f"{_coloured(verdict, f'{number} {verdict}')}" for verdict, number in report["summary"].items()) or "nothing ran"
    verdict = {0: "Nothing is held against it.", 1: "It claims what is not true, or declines what has an answer."}
    said = verdict.get(code, "Nothing ran." if code == 5 else "It failed as a program, so the other verdicts are incomplete.")
    again = again or ["shuffleproof", "conform", "run", "-i", report["connect"], "--suite", report["suite"], "--seed", report["seed"]]
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">{escape(printable(about["language"]))}, suite {escape(report["suite"])}, {len(report["cases"])} cases</p>',
        f'<p class="verdict {"green" if code == 0 else "red"}">{said}<br>{summary}</p>',
        f'<div class="dense">{table(_HEADS, map(_row, sorted(report["cases"], key=_rank)))}</div>',
        "<h2>What the verdicts mean</h2>",
        definitions((verdict, meaning) for verdict, meaning in _MEANINGS.items() if verdict in report["summary"]),
        "<h2>What was asked, and how</h2>",
        definitions(
            (
                ("to ask again", shlex.join(again) if report["suite"] != "start" else None),
                ("asked again after a crash", None if report["replayed"] == "0" else report["replayed"]),
                ("seed, digits", f"{report['seed']}, {report['digits']}"),
                ("SHA-256 of the report", report["digest"]),
                ("SHA-256 of the vectors", "; ".join(f"{name} {digest}" for name, digest in report["vectors"].items())),
            )
        ),
    ]
    return standalone(title, body)


def answered(case: Mapping[str, Any]) -> str:
    """The claim and the value that a harness has answered, in one line; empty if it has answered neither."""
    value = case["value"]
    if value is None:
        return ""
    told = ", ".join(f"{y}: {text}" for y, text in value.items()) if isinstance(value, Mapping) else value
    return f"{case['claim']} {told}"


def shortened(text: str, *, longest: int, longest_word: int) -> str:
    """A text without control characters, with long numbers, then itself, cut. longest, longest_word: characters, at least 20.

    What is left of a number has its size: an exponent outlives the cut, and a long ratio becomes a decimal.
    """
    words = (word if len(word) <= longest_word else _cut_word(word, longest_word) for word in printable(text).split(" "))
    return _cut(" ".join(words), longest)


def _cut_word(word: str, longest: int) -> str:
    before, core, after = _BRACKETED.fullmatch(word).groups()  # type: ignore[union-attr]  # it matches every word
    room = max(2, longest - len(before) - len(after))
    if (ratio := _RATIO.fullmatch(core)) and (denominator := int(ratio[2])):
        return f"{before}≈{decimal_text(Fraction(int(ratio[1]), denominator), digits=12, direction='down')}{after}"
    if number := _NUMBER.fullmatch(core):
        whole, decimals, exponent = (part or "" for part in number.groups())
        if len(whole) > _LONGEST_INTEGER and not exponent:
            return f"{before}{whole[0]}.{whole[1:12]}…e+{len(whole) - 1}{after}"
        return f"{before}{_cut(whole + decimals, room - len(exponent))}{exponent}{after}"
    return f"{before}{_cut(core, room)}{after}"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def printable(text: str) -> str:
    """A text whose control characters are written out, as `\\x1b`: what a harness says must not steer a terminal."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def _rank(case: Mapping[str, Any]) -> int:
    return list(_MEANINGS).index(case["verdict"])


def _row(case: Mapping[str, Any]) -> list[str]:
    milliseconds = "" if case["seconds"] is None else f'<span class="status">{1000 * float(case["seconds"]):.1f}</span>'
    return [
        _coloured(case["verdict"], case["verdict"]),
        _folded(case["id"], "case"),
        _folded(case["detail"], "reason"),
        _folded(answered(case), "answer"),
        _folded(case["expected"], "answer"),
        " ".join(f'<span class="status">{escape(flag)}</span>' for flag in _with_commas(case["flags"])),
        milliseconds,
    ]


def _with_commas(words: Sequence[str]) -> list[str]:
    """Words of a list in a line that may be broken between them."""
    return [*(f"{word}," for word in words[:-1]), *words[-1:]]


def _coloured(verdict: str, text: str) -> str:
    return f'<span class="status {_COLOURS.get(verdict, "red")}">{escape(text)}</span>'


def _folded(text: str, kind: str) -> str:
    """A text as HTML; a long one is cut, and unfolds."""
    short = shortened(text, longest=_LONGEST[kind], longest_word=_LONGEST_WORD)
    whole = printable(text)
    if short == whole:
        return escape(whole)
    most = _LONGEST["unfolded"]
    return f"<details><summary>{escape(short)}</summary>{escape(whole if len(whole) <= most else f'{whole[:most]}…')}</details>"
