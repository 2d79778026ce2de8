"""Columns of real data: exact values, constant memory, and every bad value named by its place before anything is returned."""

import contextlib
import io
import os
import sys
import threading
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from pyarrow import parquet
from strategies import examples

from shuffleproof import run
from shuffleproof.conformance.audit import sample_file
from shuffleproof.data import checking, readers, source, writers
from shuffleproof.data.user_items import user_items
from shuffleproof.spec.vocabulary import quotation_marks
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError
from shuffleproof.spec.vocabulary.scope import Relation


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    def written(text: str) -> str:
        path = tmp_path / "data.csv"
        path.write_bytes(text.encode("utf-8"))
        return str(path)

    return written


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., str]:
    def written(**columns: Any) -> str:
        path = tmp_path / "data.parquet"
        parquet.write_table(pa.table(columns), path)
        return str(path)

    return written


def total_bits(data: str, column: str = "x", *, forgiving: bool = False) -> tuple[int, int]:
    found = list(readers.bits(data=data, column=column, forgiving=forgiving))
    return sum(batch.users for batch in found), sum(batch.ones for batch in found)


def values_of(data: str, *, forgiving: bool = False) -> list[Fraction]:
    found: list[Fraction] = []
    for batch in readers.unit_values(data=data, column="x", forgiving=forgiving):
        found += [Fraction(int(value), batch.denominator) for value in batch.numerators] + list(batch.others)
        assert batch.users == batch.numerators.size + len(batch.others)
    return found


@pytest.mark.parametrize(
    ("text", "users", "ones"),
    [
        ("x\n0\n1\n1\n", 3, 2),
        ("x\n0\n1\n1", 3, 2),
        ("x\n0\n1\n1\n\n", 3, 2),
        ("x\r\n0\r\n\r\n1\r\n\r\n", 2, 1),
        ("\ufeffx\n1\n", 1, 1),
        ("x\r\n0\r\n1\r\n", 2, 1),
        ('"x"\n"0"\n1\n', 2, 1),
        ("y,x\n7,0\n8,1\n", 2, 1),
        ('y,x\n"a\nb",1\n8,1\n', 2, 2),
    ],
)
def test_bits_are_counted(file: Callable[[str], str], text: str, users: int, ones: int) -> None:
    assert total_bits(file(text)) == (users, ones)


def test_a_block_that_is_not_plain_is_read_row_by_row_from_where_it_begins(
    file: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_BLOCK", 8)
    assert total_bits(file("x\n" + "1\n" * 40 + '"1"\n' + "0\n" * 30)) == (71, 41)
    with pytest.raises(DomainError, match=r"line 42, column 'x' = \(a value not shown\): must be 0 or 1"):
        total_bits(file("x\n" + "1\n" * 40 + "2\n" + "0\n" * 30))
    assert sum(values_of(file("x\n" + "0.5\n" * 40 + "1/3\n" + "0.25\n" * 30))) == 20 + Fraction(1, 3) + Fraction(30, 4)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x\n0\n2\n", "line 3"),
        ("x\n0\nNaN\n", "line 3"),
        ("x\n0\n0.5\n", "line 3"),
        ("x\n-1\n", "line 2"),
        ("x\n0,1\n", "line 2"),
        ("y,x\n0,1\n1\n", "line 3"),
        ("y,x\n0,1\n1,\n", "line 3"),
        ('y,x\n"a\nb",1\n8,7\n', "line 4"),
        ('x\n"0\n', "line 2"),
        ("y\n0\n", "column"),
        ("x,x\n0,1\n", "column"),
        ("", "data"),
        ("\n", "data"),
        ("x\n", "data"),
    ],
)
def test_bad_bits_are_refused_with_their_place(file: Callable[[str], str], text: str, place: str) -> None:
    with pytest.raises(DomainError, match=place):
        total_bits(file(text))


@pytest.mark.parametrize("bad", ["nan", "NaN", "inf", "-inf", "1.0000000001", "-0.1", "2", "", "x", "0,5", "1e", "."])
@pytest.mark.parametrize("header", ["x\n0.5\n", "y,x\nq,0.5\n"])
def test_bad_values_are_refused_with_their_place(file: Callable[[str], str], header: str, bad: str) -> None:
    row = bad or '""' if header.startswith("x") else f"q,{bad}"
    with pytest.raises(DomainError, match="line 3"):
        values_of(file(header + row + "\n"))


@examples(60)
@given(st.lists(st.decimals(0, 1, places=None, allow_nan=False), min_size=1, max_size=30))
def test_decimals_are_read_exactly(tmp_path_factory: pytest.TempPathFactory, values: list[Decimal]) -> None:
    path = tmp_path_factory.mktemp("decimals") / "data.csv"
    path.write_text("x\n" + "".join(f"{value}\n" for value in values))
    assert sorted(values_of(str(path))) == sorted(Fraction(value) for value in values)


@pytest.mark.parametrize("text", ["0", "1", "0.", "1.0", "0.999999999999999999", "0.0", "1.000000000000000000", "0.1", ".5", "1/3", "2e-3"])
def test_each_form_of_a_number_is_read_exactly(file: Callable[[str], str], text: str) -> None:
    for end in ("\n", "\r\n"):
        found = values_of(file(end.join(["x", text, "0.25", ""])))
        assert sorted(found) == sorted([Fraction(text.rstrip(".")), Fraction(1, 4)])


def test_parquet_columns_are_read_exactly(table: Callable[..., str]) -> None:
    floats = [0.0, 1.0, 0.1, 2.0**-60, 1e-300, 0.007, 1 / 3]
    assert sorted(values_of(table(x=floats))) == sorted(map(Fraction, floats))
    assert values_of(table(x=pa.array([0.1], pa.float32()))) == [Fraction(float(np.float32(0.1)))]
    assert values_of(table(x=pa.array([Decimal("0.10"), Decimal("1.00")], pa.decimal128(3, 2)))) == [Fraction(1, 10), Fraction(1)]
    for bits in ([0, 1, 1], [False, True, True], [0.0, 1.0, 1.0], pa.array([0, 1, 1], pa.uint8())):
        assert total_bits(table(x=bits)) == (3, 2)
    assert list(readers.texts(data=table(x=["a", "b"], y=[3, 4]), columns=["y", "x"])) == [[("3", "a"), ("4", "b")]]
    assert list(readers.texts(data=table(x=pa.array(["a", "b"]).dictionary_encode()), columns=["x"])) == [[("a",), ("b",)]]


@pytest.mark.parametrize("bad", [[0.5, float("nan")], [0.5, float("inf")], [0.5, -1e-300], [0, 2], [0.5, None], ["a", "b"]])
def test_bad_parquet_values_are_refused(table: Callable[..., str], bad: list[Any]) -> None:
    with pytest.raises(DomainError, match=r"row 2|column 'x'"):
        values_of(table(x=bad))
    with pytest.raises(DomainError):
        total_bits(table(x=bad))


def test_parquet_without_rows_columns_or_sense_is_refused(table: Callable[..., str], tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="one of the columns 'x'"):
        total_bits(table(x=[1]), "y")
    with pytest.raises(DomainError, match="at least one row"):
        total_bits(table(x=pa.array([], pa.int64())))
    with pytest.raises(DomainError, match="texts"):
        list(readers.texts(data=table(x=[0.5]), columns=["x"]))
    with pytest.raises(DomainError, match="row 1"):
        list(readers.texts(data=table(x=[""]), columns=["x"]))
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(DomainError, match="Parquet"):
        total_bits(str(broken))


def test_parquet_without_pyarrow_says_what_to_install(table: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    data = table(x=[1])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UnsupportedError, match=r"shuffleproof\[data\]"):
        list(readers.texts(data=data, columns=["x"]))


def test_texts_of_several_columns(file: Callable[[str], str]) -> None:
    data = file('user,item\n1,"a,b"\n2,c\n')
    assert list(readers.texts(data=data, columns=["item", "user"])) == [[("a,b", "1"), ("c", "2")]]
    with pytest.raises(DomainError, match="line 3"):
        list(readers.texts(data=file("user,item\n1,a\n2,\n"), columns=["item", "user"]))


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x\n1\n0\n")))
    assert total_bits("-") == (2, 1)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="readable"):
        total_bits(str(tmp_path / "absent.csv"))
    with pytest.raises(DomainError, match="readable"):
        total_bits(str(tmp_path))
    latin = tmp_path / "latin.csv"
    latin.write_bytes("x,y\n1,é\n".encode("latin-1"))
    with pytest.raises(DomainError, match="UTF-8"):
        total_bits(str(latin))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"

    def peak(rows: int) -> int:
        path.write_bytes(b"x\n" + b"0.125\n" * rows)
        tracemalloc.start()
        assert sum(batch.users for batch in readers.unit_values(data=str(path), column="x")) == rows
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(2_000_000) < 1.2 * peak(400_000)


def test_a_result_is_written_whole_or_refused(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "out.csv"
    writers.write_bytes(str(path), writers.csv_bytes(["item", "count"], [('a"b', "3"), ("c,d", "4")]))
    assert path.read_bytes() == b'item,count\n"a""b",3\n"c,d",4\n'
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]
    writers.require_writable(str(path))
    for wrong in (tmp_path, tmp_path / "absent" / "out.csv"):
        with pytest.raises(DomainError):
            writers.require_writable(str(wrong))
        with pytest.raises(DomainError):
            writers.write_json(str(wrong), {})


@pytest.mark.parametrize(("text", "users", "ones"), [("x\n1\n2\n\\x00\n", 3, 1), ("y,x\n1\n8,1,1\n,1\n", 3, 2), ('x\n"1"z\n1\n', 2, 1)])
def test_bits_that_are_none_count_as_0_where_that_is_asked_for(file: Callable[[str], str], text: str, users: int, ones: int) -> None:
    assert total_bits(file(text), forgiving=True) == (users, ones)


def test_bytes_that_are_no_text_are_no_refusal_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(b"x\n1\n\xff\xfe\n1\n")
    with pytest.raises(DomainError, match="UTF-8"):
        total_bits(str(tmp_path / "data.csv"))
    assert total_bits(str(tmp_path / "data.csv"), forgiving=True) == (3, 2)


def test_numbers_that_are_none_count_as_the_nearest_or_0(file: Callable[[str], str], table: Callable[..., str]) -> None:
    def values(data: str) -> list[Fraction]:
        return sorted(values_of(data, forgiving=True))

    assert values(file("x\n0.5\n2\n-1\nnan\nx\n")) == [0, 0, 0, Fraction(1, 2), 1]
    assert values(file('y,x\n1,0.5\n2,"2"\n3,-1\n4,nan\n5,x\n6\n')) == [0, 0, 0, 0, Fraction(1, 2), 1]
    assert values(file('y,x\n1,0.5\n2,"0.\n5"\n3,1/3\n4,\u00bd\n')) == [0, 0, Fraction(1, 3), Fraction(1, 2)]
    assert values(table(x=[0.5, 2.0, -1.0, float("nan"), None])) == [0, 0, 0, Fraction(1, 2), 1]
    assert values(table(x=[Decimal("0.5"), Decimal(2), Decimal(-1), None])) == [0, 0, Fraction(1, 2), 1]


def test_decimals_of_one_column_of_several_are_read_all_at_once(file: Callable[[str], str]) -> None:
    """One by one, a million of them take half a minute."""
    (found,) = readers.unit_values(data=file('y,x\n1,0.25\n2,"1"\n3,0.5\n4,1e-1\n'), column="x")
    assert (sorted(found.numerators), found.denominator, found.others) == ([25, 50, 100], 100, (Fraction(1, 10),))


@pytest.mark.parametrize("content", [b"\0" * 5000, b"x\n0\n" + b"1" * 5000, b"y,x\n0,0\n" + b"1" * 5000])
def test_lines_without_an_end_are_refused(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """/dev/zero is one line: whatever reads it whole fills the memory."""
    monkeypatch.setattr(quotation_marks, "LONGEST_LINE", 4000)
    (tmp_path / "data.csv").write_bytes(content)
    for reader in (readers.bits, readers.unit_values):
        with pytest.raises(DomainError, match="a file of lines of at most"):
            list(reader(data=str(tmp_path / "data.csv"), column="x", forgiving=True))


def test_no_refusal_shows_a_value(file: Callable[[str], str], table: Callable[..., str]) -> None:
    for data in (file("x\nsecret\x1b[31m\n"), file("x\n777\n"), table(x=[777])):
        for reader in (readers.bits, readers.unit_values):
            with pytest.raises(DomainError) as refused:
                list(reader(data=data, column="x"))
            assert not any(word in str(refused.value) for word in ("secret", "777", "\x1b"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
@pytest.mark.parametrize("verb", ["bit-sum", "histogram", "user-histogram"])
def test_a_pipe_is_read_once_and_whole(verb: str, tmp_path: Path) -> None:
    """`--data <(command)`: nothing may be read from it to see what it is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "user,item,x\n" + "".join(f"{i},{'ab'[i % 2]},1\n" for i in range(2000))
    writer = threading.Thread(target=lambda: pipe.write_text(text), daemon=True)
    writer.start()
    if verb == "user-histogram":
        (tmp_path / "domain.csv").write_text("item\na\nb\n")
        found = run.user_histogram(
            data=str(pipe),
            user="user",
            item="item",
            domain=str(tmp_path / "domain.csv"),
            relation=Relation.ADD_REMOVE,
            epsilon=100,
            threshold=1,
            delta=None,
        )
        assert all(float(estimate) > 900 for estimate in found.estimates)
    elif verb == "histogram":
        assert run.histogram(data=str(pipe), column="item", epsilon=1, delta="1e-2", noise=60).n == 2000
    else:
        assert run.bit_sum(data=str(pipe), column="x", epsilon=1, delta="1e-2", noise=60).n == 2000
    writer.join(60)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
@pytest.mark.parametrize(
    "reader",
    [
        lambda pipe: list(readers.bits(data=pipe, column="outcome", forgiving=True)),
        lambda pipe: list(readers.unit_values(data=pipe, column="outcome")),
        lambda pipe: readers.domain_of(pipe, column="outcome"),
        lambda pipe: user_items(data=pipe, user="input", item="outcome", count=None, domain=["0"]),
        lambda pipe: sample_file.read(Path(pipe)),
    ],
)
def test_valid_rows_without_end_are_refused(reader: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe whose other end writes one row after the other, for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(source, "MOST_OF_A_STREAM", 1 << 20)
    monkeypatch.setattr(sample_file, "_LARGEST_FILE", 1 << 20)

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), pipe.open("wb") as stream:
            stream.write(b"input,outcome\n")
            while True:
                stream.write(b"1,0\n" * 1000)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    with pytest.raises(DomainError, match="a longer one: must be at most 1 MiB long"):
        reader(str(pipe))
    writer.join(60)


def test_a_domain_is_held_in_memory_and_may_not_fill_it(file: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "LARGEST_DOMAIN", 2)
    assert readers.domain_of(file("x\na\nb\n"), column="x") == ["a", "b"]
    with pytest.raises(DomainError, match=r"domain = .*: must be a list of at most 2 items and 256 MiB"):
        readers.domain_of(file("x\na\nb\nc\n"), column="x")
    monkeypatch.setattr(readers, "LONGEST_DOMAIN", 1 << 20)
    with pytest.raises(DomainError, match="at most 2 items and 1 MiB"):
        readers.domain_of(file("x\n" + "\n".join(["a" * (1 << 16)] * 17) + "\n"), column="x")


def test_standard_input_that_is_closed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DomainError, match="standard input is closed"):
        list(readers.bits(data="-", column="x"))


def test_truth_values_of_a_parquet_file_are_read_where_a_cell_may_be_missing(table: Callable[..., str]) -> None:
    data = table(x=[True, None, False, True])
    assert total_bits(data, forgiving=True) == (4, 2)
    assert len(values_of(data, forgiving=True)) == 4


def test_no_cell_decides_how_many_users_there_are(file: Callable[[str], str]) -> None:
    """A blank line, a very long cell and a field too many are users' cells like any other."""
    assert total_bits(file("x\n1\n\n" + "9" * 200_000 + "\n1,1\n1\n"), forgiving=True)[0] == 5
    assert list(readers.texts(data=file("x\n"), columns=["x"], forgiving=True, may_be_empty=True)) == []


def test_items_outside_a_listed_domain_are_named_by_their_places(file: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("x\na\nb\n", "utf-8")
    data, domain = file("x,u\na,1\nc,2\nb,1\n,3\n"), str(tmp_path / "items.csv")
    found = checking.check(data=data, column="x", kind="item", user="u", domain=domain)
    assert found == checking.Checked(rows=4, bad=2, places=("line 3", "line 5"), repeated=1)
    assert checking.check(data=data, column="x", kind="item").places == ("line 5",)
    with pytest.raises(DomainError, match="domain"):
        checking.check(data=data, column="x", kind="bit", domain=domain)
