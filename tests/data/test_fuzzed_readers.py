"""Every reader, fed with bytes of any kind and with good files in which something was changed: an answer, or an error of ours."""

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import example, given, strategies as st
from pyarrow import parquet

from shuffleproof.conformance import stored_json, vectors
from shuffleproof.conformance.audit import distribution_file, sample_file
from shuffleproof.conformance.reporting import report
from shuffleproof.conformance.running import protocol
from shuffleproof.conformance.running.journal import Journal as RunJournal
from shuffleproof.conformance.running.selection import known_to_fail
from shuffleproof.data import checking, readers
from shuffleproof.data.user_items import user_items
from shuffleproof.mechanisms import users_file
from shuffleproof.planning.sweep.growing_table import GrowingTable
from shuffleproof.planning.sweep.journal import Journal
from shuffleproof.planning.sweep.points import Settings
from shuffleproof.report import stored
from shuffleproof.spec.vocabulary.errors import ShuffleproofError

CSV = b'side,output,item,user,x\n0,a,"a",u,1\n1,b,b,v,0.5\n0,"a\nb",c,w,1/3\n'
DISTRIBUTION = b"input,outcome,probability\n0,a,3/4\n0,b,1/4\n1,a,1/4\n1,b,3/4\n"
INPUTS = b'{"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}}'
USERS = b'{"format": "shuffleproof-users-1", "users": [{"count": 3, "inputs": ' + INPUTS + b"}]}"
COLUMNS = ("bits", "bits, forgiving", "numbers", "numbers, forgiving", "texts", "texts, forgiving", "user items", "check", "samples")
SWEPT = (
    b'{"n": "1000", "eps0": "1", "delta": "1e-6", "quantity": "epsilon", "method": "clones", "asked_engine": "fast", "digits": null, '
    b'"engine": "fast", "side": "upper", "lower": "0.1", "upper": "0.2", "seconds": 0.1}\n'
)
SETTINGS = Settings("epsilon", "clones", "fast")
GREETING = json.dumps(
    {
        "protocol": "shuffleproof-conformance-1",
        "implementation": {"name": "x", "version": "1", "language": "y"},
        "capabilities": {"operations": ["epsilon"], "methods": ["clones"], "randomizers": []},
    }
).encode()
ANSWER = b'{"seq": 1, "result": {"value": "0.5", "claim": "upper"}}'


def table() -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        columns = {"side": ["0", "1"], "output": ["a", "b"], "item": ["a", "b"], "user": ["u", "v"], "x": [1.0, 0.5]}
        parquet.write_table(pyarrow.table(columns), file.name)
        return Path(file.name).read_bytes()


TABLE = table()


def reading(name: str, path: Path) -> Callable[[], object]:
    """What reads a file under this name."""
    data = str(path)
    found: dict[str, Callable[[], object]] = {
        "bits": lambda: list(readers.bits(data=data, column="x")),
        "bits, forgiving": lambda: list(readers.bits(data=data, column="x", forgiving=True)),
        "numbers": lambda: list(readers.unit_values(data=data, column="x")),
        "numbers, forgiving": lambda: list(readers.unit_values(data=data, column="x", forgiving=True)),
        "texts": lambda: list(readers.texts(data=data, columns=["item", "user"])),
        "texts, forgiving": lambda: list(readers.texts(data=data, columns=["item", "user"], forgiving=True)),
        "user items": lambda: user_items(data=data, user="user", item="item", count=None, domain=["a", "b"]),
        "check": lambda: checking.check(data=data, column="x", kind="number", user="user"),
        "distribution.csv": lambda: distribution_file.read(path),
        "law.json": lambda: distribution_file.read(path),
        "samples": lambda: sample_file.read(path),
        "users": lambda: users_file.read(path),
        "skips": lambda: known_to_fail(path, known={"a", "b"}),
        "report": lambda: report.read(path),
        "swept.jsonl": lambda: closed(Journal(path, SETTINGS)),
        "journal": lambda: closed(RunJournal(path, run={"suite": "smoke"})),
        "vectors.json": lambda: vectors.load(path),
        "verified": lambda: stored.read(path.parent),
        "swept.parquet": lambda: closed(GrowingTable(path, SETTINGS)),
    }
    return found[name]


def closed(journal: Any) -> None:
    with journal:
        pass


GOOD = {
    **dict.fromkeys(COLUMNS, (CSV, TABLE)),
    "distribution.csv": (DISTRIBUTION,),
    "law.json": (b'{"format": "shuffleproof-law-1", "inputs": {"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}}}',),
    "users": (USERS,),
    "skips": (b"a # because\n# remark\nb\n",),
    "report": (b'{"format": "shuffleproof-report-1"}\n',),
    "swept.jsonl": (SWEPT,),
    "journal": (b'{"format": "shuffleproof-journal-1", "run": {"suite": "smoke"}, "digest": "0"}\n',),
    "vectors.json": ((vectors.DIRECTORY / "debias.json").read_bytes()[:4000],),
    "verified": (b'{"format": "shuffleproof-verification-2"}\n',),
    "swept.parquet": (TABLE,),
}
FILE_NAMES = {"verified": stored.JSON_NAME}

edit = st.tuples(st.sampled_from(["cut", "flip", "insert", "repeat"]), st.floats(0, 1), st.binary(min_size=1, max_size=6))
changes = st.lists(edit, min_size=1, max_size=4)


def changed(content: bytes, edits: list[tuple[str, float, bytes]]) -> bytes:
    for kind, share, new in edits:
        place = int(share * len(content))
        if kind == "cut":
            content = content[:place]
        elif kind == "flip":
            content = content[:place] + new + content[place + len(new) :]
        elif kind == "insert":
            content = content[:place] + new + content[place:]
        else:
            content = content[:place] + content[place // 2 :]
    return content


def read_or_refused(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE_NAMES.get(name, name if "." in name else "file")
        path.write_bytes(content)
        with suppress(ShuffleproofError):
            reading(name, path)()


@pytest.mark.parametrize("name", GOOD)
@given(st.binary(max_size=300))
@example(b"")
@example(b"\xff\xfe")
@example("x,y\n1,2\n".encode("utf-16"))
@example(b"PAR1")
@example(b"PAR1" * 4)
@example(bytes(range(256)) * 40)
@example(b"[" * 100_000)
@example(b"x\n" + b"9" * 200_000 + b"\n")
@example(b'{"a": 1e999999999}')
@example(b"x\n1e999999999\n1/0\n")
@example(b"x" * 200_000)
@example(b'x\n"' + b"1\n" * 100_000)
def test_bytes_of_any_kind(name: str, content: bytes) -> None:
    read_or_refused(name, content)


@pytest.mark.parametrize("name", GOOD)
@given(st.data(), changes)
def test_good_files_in_which_something_was_changed(name: str, data: st.DataObject, edits: list[tuple[str, float, bytes]]) -> None:
    read_or_refused(name, changed(data.draw(st.sampled_from(GOOD[name])), edits))


@given(st.one_of(st.binary(max_size=300), st.builds(changed, st.sampled_from([GREETING, ANSWER]), changes)))
@example(b'{"seq": 1, "result": ' + b"[" * 50_000)
def test_lines_of_a_harness(line: bytes) -> None:
    for parse in (
        lambda: protocol.parse_greeting(line, implementation="x"),
        lambda: protocol.parse_answer(line, seq=1, operation="epsilon", implementation="x"),
        lambda: stored_json.parse(line),
    ):
        with suppress(ShuffleproofError, stored_json.JsonError):
            parse()
