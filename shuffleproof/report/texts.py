"""Words and texts that pages and terminals share: what a verdict means, how a harness's answer is shown, how rows are counted."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from shuffleproof.spec.vocabulary.numerals import decimal_text, exact_fraction

if TYPE_CHECKING:
    from shuffleproof.report.records import CrossCheckRow, StatementRow, TargetRow

_OF_A_BOUND = 8
"""Significant digits of a bound: enough to distinguish two plans; each is rounded to the side of its claim."""
COLOURS = {
    "formal": "green",
    "proved": "green",
    "argued": "green",
    "exhausted": "green",
    "certified": "green",
    "sampled": "cyan",
    "refuted": "red",
    "vacuous": "yellow",
    "open": "yellow",
}
"""Status of a statement -> colour, strongest support first."""
VERDICT_COLOURS = {"conforms": "green", "loose": "cyan", "unsupported": "quiet", "skipped": "quiet", "refused": "yellow"}
"""Verdict on a case -> colour; red where it is not named."""
MEANINGS = {
    "unsound": "an upper bound below the certified truth, or a lower one above it, however little",
    "mismatch": "an estimate, exact value, distribution or sample outside its tolerance; or an answer where a refusal is due",
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
WIDTH_WITHOUT_TERMINAL = 140
"""Columns of tables and lists that are written to a file or a pipe."""
_LONGEST_WORD = 20
"""Characters of a number or name in a cell; a longer one is cut in its middle."""
_LONGEST = {"case": 120, "reason": 240, "answer": 60, "unfolded": 4000}
"""Characters of a cell that are shown, and that it unfolds to; the JSON report has them all."""
_BRACKETED = re.compile(r"([\[({]*)(.*?)([])},;:]*)", re.DOTALL)
_RATIO = re.compile(r"(\d{1,4000})/(\d{1,4000})")
_NUMBER = re.compile(r"(\d+)(\.\d*)?(e[-+]?\d{1,9})?", re.IGNORECASE)
_MARK = re.compile(r" *(\[[\d, ]+\] )?")
"""What the rest of a broken line stands behind: its indentation and the number of its note."""
_LONGEST_INTEGER = 17
"""Digits of an integer that is shown whole: as many as identify a float64."""


class Folded(NamedTuple):
    """A text as a cell shows it, and what it unfolds to (None where it is shown whole)."""

    short: str
    whole: str | None


def counted(rows: Iterable[StatementRow]) -> str:
    """How many statements have which status, strongest support first."""
    statuses = [row["status"] for row in rows]
    return ", ".join(f"{number} {status}" for status in COLOURS if (number := statuses.count(status))) or "none"


def mutants_counted(rows: Iterable[StatementRow]) -> str:
    """How many mutants the checks rejected."""
    mutants = [mutant for row in rows for mutant in row["mutants"]]
    return f"{sum(mutant['killed'] for mutant in mutants)} of {len(mutants)} mutants killed"


def cross_check_line(check: CrossCheckRow) -> str:
    """One comparison of engines, in one line."""
    outcome = f"{len(check['failures'])} contradictions" if check["failures"] else "none contradicted"
    refused = f", {check['refused']} more refused ({check['refused_share']} of all)" if check["refused"] else ""
    return f"{check['name']}: {check['cases']} parameter sets, {outcome}{refused}; widest enclosure {check['widest']} (relative)"


def judged_again(target: TargetRow, verb: str) -> str:
    """The command that judges a target again. verb: "run -i" for one that is connected to, "third-party" for one known by name."""
    return f"shuffleproof conform {verb} {shlex.quote(target['target'])}"


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


def folded(text: str, kind: str) -> Folded:
    """A text for a cell of this content ("case", "reason" or "answer"): a long one is cut, and unfolds."""
    short, whole = shortened(text, longest=_LONGEST[kind], longest_word=_LONGEST_WORD), printable(text)
    if short == whole:
        return Folded(whole, None)
    most = _LONGEST["unfolded"]
    return Folded(short, whole if len(whole) <= most else f"{whole[:most]}…")


def printable(text: str) -> str:
    """A text whose control characters are written out, as `\\x1b`: what a harness says must not control a terminal."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def at_most(x: Fraction | float) -> str:
    """Return an upper bound as people read it, rounded up."""
    return decimal_text(exact_fraction(x, parameter="number"), digits=_OF_A_BOUND, direction="up")


def at_least(x: Fraction | float) -> str:
    """Return a lower bound as people read it, rounded down."""
    return decimal_text(exact_fraction(x, parameter="number"), digits=_OF_A_BOUND, direction="down")


def say(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Write a text to stdout, or to stderr.

    A terminal is shown its control characters, apart from ends of lines, and not controlled by them; a file or a pipe gets from stdout what
    is said as it is, since it may be somebody's data. nl: whether a line ends there. If so, lines that are longer than a terminal is wide
    are broken between words; a text that ends its own lines is that of a file, and may be copied.
    """
    if err or sys.stdout.isatty():
        text = "\n".join(map(printable, text.split("\n")))
    if nl and not err and sys.stdout.isatty():
        text = broken(text, columns=shutil.get_terminal_size().columns)
    click.echo(text, nl=nl, err=err, color=True)  # click would take out of it what looks like a colour


def cut_to_terminal(line: str) -> str:
    """Return a line of a list, cut at the terminal's width, or at that of a page where there is none."""
    return _cut(line, shutil.get_terminal_size((WIDTH_WITHOUT_TERMINAL, 0)).columns)


def broken(text: str, *, columns: int) -> str:
    """Return a text whose lines are at most so many columns long, broken between words.

    What is broken off stands two columns further in, or behind the number of its note. Longer words, and commands behind "$ ", stay whole,
    so that they can be copied.
    """
    lines = []
    for line in text.split("\n"):
        mark = _MARK.match(line)
        assert mark is not None  # it matches an empty text
        within = " " * (len(mark[0]) + (0 if mark[1] else 2))
        short = len(line) <= columns or len(within) >= columns or line.lstrip().startswith("$ ")
        whole = {"break_long_words": False, "break_on_hyphens": False, "subsequent_indent": within}
        lines += [line] if short else textwrap.wrap(line, columns, **whole)  # type: ignore[arg-type]
    return "\n".join(lines)


def rank(case: Mapping[str, Any]) -> int:
    """Where a case stands among the others: what speaks against a target comes first."""
    return list(MEANINGS).index(case["verdict"])


def with_commas(words: Sequence[str]) -> list[str]:
    """Words of a list in a line that may be broken between them."""
    return [*(f"{word}," for word in words[:-1]), *words[-1:]]


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
