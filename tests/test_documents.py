"""Every command, number and example that a document or a docstring shows is run and compared."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import click
import documents
import pytest

from shuffleproof.command_line.verbs import shuffleproof

TOP = Path(__file__).resolve().parents[1]
LAYERS = {"shuffleproof": "shuffleproof", **{layer: f"shuffleproof.{layer}" for layer in ("spec", "impl", "proofs_check")}}
DOCUMENTS = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").rglob("*.md"))]


def modules_with_examples() -> list[str]:
    found = []
    for layer, package in LAYERS.items():
        for path in sorted((TOP / layer).rglob("*.py")):
            if ">>> " in path.read_text("utf-8"):
                parts = path.relative_to(TOP / layer).with_suffix("").parts
                found.append(".".join([package, *parts]).removesuffix(".__init__"))
    return found


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_in_docstrings_come_out_as_shown(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(TOP).as_posix())
def test_what_a_document_shows_comes_out(path: Path, tmp_path: Path) -> None:
    documents.run(path, folder=tmp_path, deep=False)


@pytest.mark.deep
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(TOP).as_posix())
def test_what_a_document_shows_comes_out_where_it_takes_long(path: Path, tmp_path: Path) -> None:
    documents.run(path, folder=tmp_path, deep=True)


def broken_formulas(text: str) -> list[str]:
    """Lines within a formula that begin like a list, a quotation or a heading, which end the formula in Markdown."""
    found = []
    for paragraph in re.split(r"\n\s*\n", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        inside = False
        for line in paragraph.splitlines():
            if inside and re.match(r"\s*(([-+*]|1[.)])\s|[>#|])", line):
                found.append(line)
            inside ^= len(re.findall(r"(?<!\$)\$(?!\$)", line)) % 2 == 1
    return found


def test_no_formula_is_cut_by_what_looks_like_a_list() -> None:
    assert broken_formulas("1. so $a\n   - b$ and $c\n   = d$\n") == ["   - b$ and $c"]
    assert {path.name: broken_formulas(path.read_text("utf-8")) for path in DOCUMENTS if broken_formulas(path.read_text("utf-8"))} == {}


def long_lines(text: str) -> list[str]:
    """Lines of prose beyond 100 characters that a space before could end: none of code, of a table, or of a formula by itself."""
    prose = re.sub(r"```.*?```|\$\$.*?\$\$|^ *\|.*?$|^---\n.*?\n---$", "", text, flags=re.DOTALL | re.MULTILINE)
    return [line for line in prose.splitlines() if len(line) > 100 and " " in line[:100].strip()]


def test_lines_of_prose_break_at_100() -> None:
    """What programs write has long lines: tables, and all that a build of the documentation makes."""
    written = {"errata.md", "methods.md", "formal-methods.md", "targets.md", "007-words-that-changed.md"}
    ours = [path for path in (*DOCUMENTS, TOP / "CHANGELOG.md") if path.name not in written and path.parent.name != "generated"]
    assert long_lines(f"{'word ' * 20}word\n| {'cell ' * 30}|\n$$\n{'x + ' * 30}\n$$\n") == [f"{'word ' * 20}word"]
    found = {path.name: long_lines(path.read_text("utf-8")) for path in ours}
    assert {name: lines for name, lines in found.items() if lines} == {}


def unknown_verbs(text: str) -> list[str]:
    """Verbs that sentences name in code, as `shuffleproof VERB ...`, and that there are not."""
    found = []
    for words in re.findall(r"`shuffleproof ([a-z][a-z -]*)", text):
        command: click.Command | None = shuffleproof
        for word in words.split():
            if isinstance(command, click.Group) and not word.startswith("-"):
                command = command.get_command(click.Context(command), word)
        if command is None:
            found.append(words)
    return found


def test_every_verb_that_a_sentence_names_is_one() -> None:
    assert unknown_verbs("`shuffleproof bound list`, `shuffleproof methods`, `shuffleproof ledger shew ID`") == ["methods", "ledger shew "]
    assert [(path.name, verbs) for path in DOCUMENTS if (verbs := unknown_verbs(path.read_text("utf-8")))] == []


def test_the_readme_shows_commands_and_python() -> None:
    kinds = [block.kind for block in documents.blocks(TOP / "README.md") if block.when == "always"]
    assert kinds.count("console") >= 2
    assert "python" in kinds


@pytest.mark.parametrize(
    "text",
    ["```console\n$ echo 2\n3\n```\n", "```console\n$ false\n```\n", "```python\n>>> 1 + 1\n3\n\n```\n", "```python\nassert 1 == 2\n```\n"],
)
def test_a_wrong_document_is_noticed(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.md"
    path.write_text(text)
    with pytest.raises(AssertionError):
        documents.run(path, folder=tmp_path, deep=False)


@pytest.mark.parametrize(
    ("expected", "same"),
    [("a\n...\nb 1\n", True), ("a\nx\nb ...\n", True), ("...\n", True), ("a\nb 1\n", False), ("a\n...\nb\n", False), ("a ...\n", False)],
)
def test_three_dots_stand_for_lines_or_for_a_part_of_one(expected: str, same: bool) -> None:
    assert documents.shows(expected, "a\n\n  x\nb   1\n") is same
    assert documents.shows("a\n...\nb\n", "a\nb\n")


def test_blocks_run_in_order_in_one_folder_and_one_namespace(tmp_path: Path) -> None:
    path = tmp_path / "right.md"
    path.write_text(
        "```console\n$ echo 41 > number\n$ cat number\n41\n```\n<!-- not run: nothing to see -->\n```console\n$ false\n```\n"
        "```python\nfrom pathlib import Path; value = int(Path('number').read_text())\n```\n```python\n>>> value + 1\n42\n\n```\n"
        "<!-- slow -->\n```python\nassert value == 0\n```\n"
    )
    assert documents.run(path, folder=tmp_path, deep=False) == 3
    with pytest.raises(AssertionError):
        documents.run(path, folder=tmp_path, deep=True)
