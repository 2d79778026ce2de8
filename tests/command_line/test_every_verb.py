"""Every verb of the command line: what a full disk, a closed output, a missing or a foreign file make of it."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import click
import every_verb
import pytest
from commands import ended

from shuffleproof.command_line.options import as_typed
from shuffleproof.command_line.verbs import shuffleproof
from shuffleproof.spec.vocabulary.errors import DomainError

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without a device that is always full")


def asked(tables: dict[str, tuple[tuple[str, ...], ...]]) -> list[tuple[str, ...]]:
    return [(*verb.split(), *arguments) for verb, forms in tables.items() for arguments in forms]


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
        code, _, err = ended(capsys, *verb.split(), *every_verb.QUICK[verb])
    assert (code, err.count("\n")) == (74, 1), err
    assert "No space left" in err


REQUIRED = [
    (verb, option.opts)
    for verb, command in every_verb.leaves()
    for option in command.get_params(click.Context(command))
    if isinstance(option, click.Option) and option.required
]


@pytest.mark.parametrize(("verb", "spelled"), REQUIRED, ids=lambda each: each if isinstance(each, str) else each[0])
def test_an_option_that_is_needed_and_missing_is_named(
    verb: str, spelled: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = list(every_verb.QUICK[verb])
    (at,) = (at for at, word in enumerate(given) if word in spelled)
    code, out, err = ended(capsys, *verb.split(), *given[:at], *given[at + 2 :])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"Missing option '{spelled[0]}'" in err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("advise --task bitsun -n 10 --eps 1 --delta 1e-6", "--task bitsun: must be one of .* (did you mean 'bit-sum'?)"),
        ("conform starter pyton", "LANGUAGE pyton: must be one of .* (did you mean 'python'?)"),
        ("conform run -i py:a:b --suite smoek", "--suite smoek: must be one of .* (did you mean 'smoke'?)"),
        ("figure fig55", "NAME fig55: must be one of .* (did you mean 'fig5'?)"),
        ("ledger show FMT21.Lem2.33", "ID FMT21.Lem2.33: must be a statement .* (did you mean 'FMT21.Lem2.3'?)"),
        ("ledger check --paper FMT1", "--paper FMT1: must be one of .* (did you mean 'FMT21'?)"),
        ("audit distribution plan.toml", "FILE plan.toml: must be named .json or .csv"),
        ("vectors export /dev/null", "FOLDER /dev/null: must be a folder that can be written .*"),
        ("vectors export .", "FOLDER .: must be an empty folder, or one that holds test vectors alone"),
        ("vectors write --directory .", "--directory .: must be an empty folder, or one that holds test vectors alone"),
        ("bound delta -n 10 --eps0 1 --eps 0.5 --formal a-b.v", "--formal a-b.v: must be named as Coq names files.*"),
        ("audit shipped --only aidotnets", "--only aidotnets: must be one of .* (did you mean 'aidotnet'?)"),
        ("conform show run.html", "FILE run.html: must be a report in .json: .* and not read"),
        ("conform third-party autodpp", "NAME autodpp: must be one of .* (did you mean 'autodp'?)"),
        ("plan check plan.toml --most-repeats rr", "--most-repeats rr: must be one of r (did you mean 'r'?)"),
        ("plan check plan.toml --least-noise xx", "--least-noise xx: must be one of r: x (did you mean 'x'?)"),
        ("plan run plan.toml --round rr --data bits.csv", "--round rr: must be one of r (did you mean 'r'?)"),
        ("audit formula eps0*", "EXPRESSION eps0*: must be an expression"),
        ("bound delta --distribution none.csv -n 10 --eps 1", "--distribution none.csv: must be a file that can be read"),
        ("bound epsilon -n 10 --eps0 1 --delta 1e-6 --format jsn", "--format jsn: must be one of text, json (did you mean 'json'?)"),
        ("bound list --fromat json", "No such option.*?"),  # in the words of this version of click
        ("compose -n 10 --eps0 1 --rounds 2 --delta 1e-6 --rate 0.3", ".*stands in a plan: shuffleproof plan init > plan.toml"),
        ("bound epsilon -n 10 --delta 1e-6", "--eps0: must be given, or a method by its name that takes something else"),
        ("bound epsilon --users 20,000 --delta 1e-6", "--users 20,000: must be a file .* (-n is how many there are)"),
        ("ledger check FMT21", "ID FMT21: must be a statement .*; all of FMT21 are asked for by paper"),
        ("bound epsilonn", "No such command 'epsilonn'. Did you mean 'epsilon'?"),
        ("nonsense", "No such command 'nonsense'.*"),
        ("compare -n 5 --eps0 1", ".*"),
        ("bound epsilon --eps0 1 --delta 1e-3", "Missing option '-n'.*"),
    ],
)
def test_what_is_wrong_is_named_as_it_was_typed_with_the_nearest_that_there_is(
    typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ended(capsys, *typed.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    begun, _, ended_with = said.partition(".*")
    assert err.startswith(f"shuffleproof: {begun}")
    assert err.rstrip("\n").endswith(ended_with)


def test_a_dependency_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "click", None)
    code, _, err = ended(capsys, "bound", "list")
    assert code == 2
    assert err.startswith("shuffleproof: click is not installed: install shuffleproof with its dependencies")


def test_a_name_that_several_options_may_hold_is_told_by_its_place() -> None:
    wrong = DomainError(parameter="round", value="nobody", requirement="one of r")
    typed = ["plan", "check", "plan.toml", "--least-users", "nobody"]
    assert as_typed(wrong, program=shuffleproof, arguments=typed) == "--least-users nobody: must be one of r"


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
    path = folder / ("given.csv" if {"distribution", "--distribution"} & {*arguments} else "given")
    made(path)
    before = path.read_bytes() if path.is_file() else None
    code, out, err = ended(capsys, *(str(path) if word == "FILE" else word for word in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert all(character.isprintable() for character in err.rstrip("\n"))
    assert (path.read_bytes() if path.is_file() else None) == before


TABLES = [(verb, word) for verb, words in every_verb.QUICK.items() for word in words if word.endswith(".csv") and "-o" not in words]
TABLES += [("bound epsilon --distribution distribution.csv -n 100 --delta 1e-6", "distribution.csv"), ("run histogram", "domain.csv")]


@pytest.mark.parametrize(("verb", "name"), TABLES)
def test_a_quotation_mark_that_is_not_closed_does_not_make_one_cell_of_the_rest(
    verb: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (folder / name).read_text("utf-8").splitlines()
    before, comma, cell = lines[-1].rpartition(",")
    (folder / name).unlink()
    (folder / name).write_text("\n".join([*lines, f'{before}{comma}"{cell}', lines[-1], lines[-1]]) + "\n", "utf-8")
    own = [*every_verb.QUICK.get(verb, ())]
    if name == "domain.csv" and "--open" in own:
        own[own.index("--open")] = "--domain=domain.csv"
    code, out, err = ended(capsys, *verb.split(), *own)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert f"{name}, line {len(lines) + 1} = a quotation mark that is never closed" in err


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
        code, _, err = ended(capsys, *given)
    assert (code, err.count("\n")) == (74, 1), err
    assert sorted(path.name for path in folder.iterdir() if path.name != "made") == before


def too_long(path: Path, suffix: str) -> Path:
    return path.with_name("a" * 300 + suffix)


def ring(path: Path, suffix: str) -> Path:
    made = path.with_name(f"ring{suffix}")
    made.symlink_to(made.name)
    return made


def a_folder(path: Path, suffix: str) -> Path:
    made = path.with_name(f"folder{suffix}")
    made.mkdir()
    return made


def in_no_folder(path: Path, suffix: str) -> Path:
    return path.with_name("none") / f"made{suffix}"


@pytest.mark.parametrize("made", [too_long, ring, a_folder, in_no_folder])
@pytest.mark.parametrize("arguments", [given for given in asked(every_verb.OUTPUTS) if "verify" not in given], ids=" ".join)
def test_a_place_where_no_file_can_be_is_one_line_and_exit_code_2(
    made: Callable[[Path, str], Path], arguments: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (word,) = (word for word in arguments if word.startswith("FILE"))
    path = made(folder / "made", word.removeprefix("FILE"))
    code, out, err = ended(capsys, *(str(path) if each == word else each for each in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert "internal error" not in err


def read_and_written() -> Iterator[tuple[str, ...]]:
    """Arguments of verbs that read a file, which stands as READ, and write one."""
    known = {"bits.csv", "items.csv", "domain.csv", "plan.toml", "conform.json", "distribution.csv", "claims.csv"}
    for arguments in asked(every_verb.OUTPUTS):
        for word in dict.fromkeys(word for word in arguments if word in known):
            yield (word, *arguments)


@pytest.mark.parametrize("arguments", [*read_and_written()], ids=" ".join)
def test_what_is_read_is_never_replaced(arguments: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By another name either: a link."""
    read, *given = arguments
    (word,) = (word for word in given if word.startswith("FILE"))
    other = folder / f"other{word.removeprefix('FILE')}"
    other.symlink_to(folder / read)
    before = (folder / read).read_bytes()
    code, _, err = ended(capsys, *(str(other) if each == word else each for each in given))
    assert (code, err.count("\n")) == (2, 1), err
    assert "which it would replace" in err
    assert (folder / read).read_bytes() == before


def test_a_link_stays_a_link_and_its_file_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "link.csv").symlink_to("made.csv")
    assert ended(capsys, "figure", "fig5", "-o", "link.csv").code == 0
    assert (folder / "link.csv").is_symlink()
    assert (folder / "made.csv").read_bytes().startswith(b"#")


EVIL = "\x1b[2J\x9b31m\u202e\x07"


@pytest.mark.parametrize("verb", sorted({*every_verb.FILES} - {"verify", "sweep", "bound epsilon", "bound delta", "bound renyi"}))
def test_a_terminal_is_steered_by_nobodys_text(
    verb: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Columns, items, names of files and of questions that hold control characters are written out."""
    for path in [each for each in folder.iterdir() if each.suffix in (".csv", ".toml")]:
        text = path.read_text("utf-8")
        path.unlink()
        in_toml = text.replace('name = "x"', 'name = "\\u001b[2J\\u009b31m\\u202e"')
        in_table = text.replace("a\n", f"a{EVIL}\n").replace(",a,", f",a{EVIL},").replace("x\n", f"x{EVIL}\n", 1)
        (folder / f"{path.stem}{EVIL}{path.suffix}").write_text(in_toml if path.suffix == ".toml" else in_table, "utf-8")
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("CI", "1")  # no bars
    given = [f"x{EVIL}" if word == "x" else word for word in every_verb.QUICK[verb]]
    _, out, err = ended(capsys, *verb.split(), *(word.replace(".csv", f"{EVIL}.csv").replace(".toml", f"{EVIL}.toml") for word in given))
    assert "\\x1b" in out + err or verb.startswith(("conform", "audit claims", "run check"))
    assert all(character.isprintable() or character == "\n" for character in out + err)
