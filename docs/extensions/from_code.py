"""Pages that the code writes about itself: the reference of the command line; docstrings as paragraphs."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from sphinx.application import Sphinx

_FOLDER = "generated"
_MYST_SIGNS = re.compile(r"([\\`*_{}\[\]<>#$|^~])")
_CODE = re.compile(r"(\{\".*\}|(?<![\w^-])--?[a-z][\w-]*)")
_REST_SIGNS = re.compile(r"([\\*_|])")


def command_line() -> str:
    """Every verb with its options, as a page."""
    from shuffleproof.command_line.verbs import shuffleproof

    lines = ["# Command line", "", *_help(shuffleproof.help), ""]
    lines += list(_described(shuffleproof, ("shuffleproof",), depth=2))
    return "\n".join(lines)


def _described(command: click.Command, path: tuple[str, ...], *, depth: int) -> Any:
    children = command.commands.items() if isinstance(command, click.Group) else ()
    for name, child in children:
        whole = (*path, name)
        yield from ("#" * min(depth, 4) + " " + " ".join(whole), "", *_help(child.help), "")
        context = click.Context(child, info_name=" ".join(whole))
        rows = [parameter.get_help_record(context) for parameter in child.params]
        for option, told in (row for row in rows if row):
            yield from (f"`{option}`", f": {_text(told) or '-'}", "")
        yield from _described(child, whole, depth=depth + 1)


def _help(text: str | None) -> Iterator[str]:
    """A help text's paragraphs; lines that the program does not wrap, which begin with a mark, stay lines."""
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        kept = paragraph.removeprefix("\b\n")
        yield from ([_text(paragraph), ""] if kept == paragraph else ["```text", kept, "```", ""])


def _text(text: str | None) -> str:
    """Plain text as MyST: options and JSON are code, whose dashes and quotation marks stay; signs that would mean something are escaped."""
    pieces = _CODE.split(" ".join((text or "").split()))
    return "".join(f"`{piece}`" if at % 2 else _MYST_SIGNS.sub(r"\\\1", piece) for at, piece in enumerate(pieces))


def _generate(app: Sphinx) -> None:
    folder = Path(app.srcdir) / _FOLDER
    folder.mkdir(exist_ok=True)
    (folder / "command-line.md").write_text(command_line(), "utf-8")


def _paragraphs(_app: Sphinx, _what: str, _name: str, _of: object, _options: object, lines: list[str]) -> None:
    """A docstring of ours is plain text: its paragraphs as reStructuredText, names in backquotes as code, examples left alone."""
    text = inspect.cleandoc("\n".join(lines))
    made: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.lstrip().startswith(">>>"):
            made += [*inspect.cleandoc(paragraph).splitlines(), ""]
            continue
        words = " ".join(paragraph.split())
        pieces = [
            f"``{piece}``" if at % 2 and piece.strip() else _REST_SIGNS.sub(r"\\\1", piece) for at, piece in enumerate(words.split("`"))
        ]
        made += ["".join(pieces), ""]
    lines[:] = made


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before the others are read."""
    app.connect("builder-inited", _generate)
    app.connect("autodoc-process-docstring", _paragraphs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
