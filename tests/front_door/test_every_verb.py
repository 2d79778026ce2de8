"""Every verb of the command line: what a full disk, a closed output, a missing or a foreign file make of it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance import generate, lint, vectors
from shuffleproof.verification import verify as verification

sys.path.insert(0, str(Path(__file__).parent))
import every_verb

load_all = cache(vectors.load_all)
pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without a device that is always full")


def asked(tables: dict[str, tuple[tuple[str, ...], ...]]) -> list[tuple[str, ...]]:
    return [(*verb.split(), *arguments) for verb, forms in tables.items() for arguments in forms]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    every_verb.prepare(folder)
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the files that the tables name; what takes long is not done."""
    for path in filled.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(generate, "write", lambda *_, **__: [Path("written.json")])
    monkeypatch.setattr(lint, "lint", lambda _directory: ())
    monkeypatch.setattr(verification, "verify", lambda **_: every_verb.VERIFIED)
    monkeypatch.setattr(vectors, "load_all", load_all)
    return tmp_path


def ended(arguments: tuple[str, ...]) -> int:
    with pytest.raises(SystemExit) as end:
        program.main(list(arguments))
    return int(end.value.code or 0)


def test_the_table_has_every_verb_and_no_other() -> None:
    assert set(every_verb.QUICK) == {name for name, _ in every_verb.leaves()}


def test_every_option_that_names_a_file_is_in_a_table() -> None:
    # Folders of files, which have tests of their own; and the option of `conform run` once more, where a package would be installed.
    # A search writes nothing where it finds nothing, and what it finds takes a wrong harness some time.
    elsewhere = {
        *(("vectors lint", "--directory"), ("vectors write", "--directory"), ("conform third-party", "--report")),
        ("conform search", "--save"),
    }
    for name, command in every_verb.leaves():
        tables = (*every_verb.FILES.get(name, ()), *every_verb.OUTPUTS.get(name, ()))
        for option in command.params:
            if getattr(option, "metavar", None) not in ("FILE", "DIR") or (name, option.opts[0]) in elsewhere:
                continue
            if option.param_type_name == "argument":
                assert any("FILE" in arguments for arguments in tables), (name, option.opts)
            else:
                given = [word for arguments in tables for first, word in pairwise(arguments) if first in option.opts]
                assert any(word.startswith("FILE") for word in given), (name, option.opts)


@pytest.mark.parametrize("verb", every_verb.QUICK)
def test_an_answer_for_which_there_is_no_room_is_one_line_and_exit_code_74(
    verb: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        code = ended((*verb.split(), *every_verb.QUICK[verb]))
    monkeypatch.undo()
    err = capsys.readouterr().err
    assert (code, err.count("\n")) == (74, 1), err
    assert "No space left" in err


@pytest.mark.parametrize("closed", [">&-", ">/dev/full", ">/dev/full 2>&1", ">&- 2>&-", "2>&-", "2>/dev/full"])
def test_a_whole_process_ends_so_without_a_traceback(closed: str) -> None:
    command = f'"{sys.executable}" -m shuffleproof bound list {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == (74 if "1" in closed.replace("2>&1", "") or closed.startswith(">") else 0)
    assert done.stderr.count("\n") == (1 if closed in (">&-", ">/dev/full") else 0)


def missing(path: Path) -> None:
    pass


def folder_instead(path: Path) -> None:
    path.mkdir()


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def utf_16(path: Path) -> None:
    path.write_bytes("x,y\n1,2\n".encode("utf-16"))


def other_json(path: Path) -> None:
    path.write_text('{"format": "something else", "run": 1}\n')


def other_table(path: Path) -> None:
    path.write_text("p,q\n1,2\n3\n")


@pytest.mark.parametrize("made", [missing, folder_instead, binary, utf_16, other_json, other_table])
@pytest.mark.parametrize("arguments", asked(every_verb.FILES), ids=" ".join)
def test_a_file_that_is_none_is_one_line_and_exit_code_2(
    made: Callable[[Path], None], arguments: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if made is missing and ("-o" in arguments or "--resume" in arguments):
        pytest.skip("a file that is begun if it is not there")
    suffix = ".csv" if "law" in arguments else ""
    path = folder / f"given{suffix}"
    made(path)
    before = path.read_bytes() if path.is_file() else None
    code = ended(tuple(str(path) if word == "FILE" else word for word in arguments))
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert all(character.isprintable() for character in err.rstrip("\n"))
    assert (path.read_bytes() if path.is_file() else None) == before


@contextmanager
def no_room_in_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("arguments", asked(every_verb.OUTPUTS), ids=" ".join)
def test_a_file_for_which_there_is_no_room_is_one_line_and_exit_code_74_and_nothing_is_left(
    arguments: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path.name for path in folder.iterdir())
    given = tuple(word.replace("FILE", str(folder / "made")) for word in arguments)
    with no_room_in_files():
        code = ended(given)
    err = capsys.readouterr().err
    assert (code, err.count("\n")) == (74, 1), err
    assert sorted(path.name for path in folder.iterdir() if path.name != "made") == before
