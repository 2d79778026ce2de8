"""What the documents of the repository claim, taken out of them: commands with their output, Python with its output.

A fenced block marked `console` is run line by line with `bash`, all blocks of a document in one folder and in their order; what follows a
command is its expected output (`...` stands for anything). A block marked `python` is run in one namespace for the document; `>>>` examples
in it are compared. A comment in front of a block says otherwise: `<!-- slow -->` leaves it to the
deep run, `<!-- not run: why -->` to people.
"""

import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

_BLOCK = re.compile(r"(?:^<!-- (?P<mark>slow|not run: [^\n]+) -->\n+)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CHECKER = doctest.OutputChecker()
_SHOWN = 2000
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a document. when: with all tests, in the deep run, or never (a person's to try)."""

    document: Path
    line: int
    kind: str
    text: str
    when: Literal["always", "deep", "never"]


def blocks(document: Path) -> Iterator[Block]:
    """The blocks of a document that can be run."""
    content = document.read_text("utf-8")
    for found in _BLOCK.finditer(content):
        mark = found["mark"]
        when: Literal["always", "deep", "never"] = "always" if mark is None else "deep" if mark == "slow" else "never"
        if found["kind"] in ("console", "python"):
            line = content.count("\n", 0, found.start("text"))
            yield Block(document=document, line=line, kind=found["kind"], text=found["text"], when=when)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block with its expected output; a line that ends with a backslash goes on."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    for part in parts[1:]:
        command = re.match(r"(?:[^\n]*\\\n)*[^\n]*\n?", part)
        yield command[0].strip(), part[command.end() :]


def shows(expected: str, found: str) -> bool:
    """Whether an output is what is shown: a line of three dots stands for any lines or none, three dots in a line for any part of it."""
    pattern = "".join(
        r"(?:[^\n]*\n)*?" if line == "..." else re.escape(line).replace(re.escape("..."), r"[^\n]*?") + r"\n" for line in _lines(expected)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(found))) is not None


def _lines(text: str) -> list[str]:
    return [words for line in text.splitlines() if (words := " ".join(line.split()))]


def run_console(block: Block, *, folder: Path) -> None:
    """Run a console block. Raises AssertionError where the output, both streams together, is not the one shown."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for command, expected in commands(block.text):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path, "COLUMNS": "140"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        if expected.strip() and not shows(expected, done.stdout):
            raise AssertionError(f"{block.document.name}:{block.line}: $ {command}\nshown:\n{expected}\nfound:\n{done.stdout[:_SHOWN]}")
        if not expected.strip() and done.returncode != 0:
            raise AssertionError(f"{block.document.name}:{block.line}: $ {command}\nends with {done.returncode}:\n{done.stdout}")


def run_python(block: Block, *, namespace: dict[str, Any]) -> None:
    """Run a Python block, comparing its `>>>` examples. Raises AssertionError where an output is not the one shown."""
    if ">>>" not in block.text:
        exec(compile("\n" * block.line + block.text, str(block.document), "exec"), namespace)
        return
    name = f"{block.document.name}:{block.line}"
    test = doctest.DocTestParser().get_doctest(block.text, namespace, name, str(block.document), block.line)
    report = io.StringIO()
    runner = doctest.DocTestRunner(checker=_CHECKER, optionflags=_FLAGS, verbose=False)
    runner.run(test, out=report.write, clear_globs=False)
    namespace.update(test.globs)
    if runner.failures:
        raise AssertionError(f"{name}\n{report.getvalue()}")


def run(document: Path, *, folder: Path, deep: bool) -> int:
    """Run a document's blocks in their order; returns how many. deep: those too that take long."""
    done, namespace = 0, {"__name__": "document"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in blocks(document):
            if block.when == "always" or (deep and block.when == "deep"):
                if block.kind == "console":
                    run_console(block, folder=folder)
                else:
                    run_python(block, namespace=namespace)
                done += 1
    finally:
        os.chdir(before)
    return done
