"""Tables of users and items, quotation marks in them, and files that are written whole."""

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from hypothesis import example, given, strategies as st
from pyarrow import parquet

from shuffleproof.data import user_items as module
from shuffleproof.data.user_items import user_items
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.files import unfinished, whole_file
from shuffleproof.spec.vocabulary.quotation_marks import QuotationMarks, require_closed

ROWS = [("ann", "a", 3), ("bob", "a", 1), ("ann", "b", 4), ("ann", "a", 2), ("bob", "zzz", 5), ("cy", "c", 0), ("dee", "zzz", 1)]
DOMAIN = ["a", "b", "c", "d"]


def csv_of(path: Path, rows: list[tuple[object, ...]], header: str = "user,item,n") -> str:
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return str(path)


def grouped(data: str, *, count: str | None = "n") -> Counter[tuple[int, str]]:
    """(number of the user's counts in all, item) -> count: users have no names any more."""
    found = user_items(data=data, user="user", item="item", count=count, domain=DOMAIN)
    totals = np.bincount(found.user, weights=found.count, minlength=found.users)
    assert (np.diff(found.user) >= 0).all()
    assert found.users == len(set(found.user.tolist()))
    counted: Counter[tuple[int, str]] = Counter()
    for user, item, count_of in zip(found.user, found.item, found.count, strict=True):
        counted[int(totals[user]), DOMAIN[item]] += int(count_of)
    return counted


def test_pairs_are_added_up_and_items_outside_leave_no_trace(tmp_path: Path) -> None:
    data = csv_of(tmp_path / "rows.csv", ROWS)
    assert grouped(data) == {(9, "a"): 5, (9, "b"): 4, (1, "a"): 1}
    assert grouped(data, count=None) == {(3, "a"): 2, (3, "b"): 1, (1, "a"): 1, (1, "c"): 1}


def test_every_format_and_every_size_of_batch_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"u{k % 7}", DOMAIN[k % 3] if k % 5 else "other", k % 4) for k in range(300)]
    data = csv_of(tmp_path / "rows.csv", rows)
    whole = grouped(data)
    columns = {"user": [r[0] for r in rows], "item": [r[1] for r in rows], "n": [r[2] for r in rows]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "rows.parquet", row_group_size=50)
    assert grouped(str(tmp_path / "rows.parquet")) == whole
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(data).read_bytes())))
    assert grouped("-") == whole
    for name, size in (("_WAITING_ROWS", 10), ("_BLOCK", 200), ("_ROWS", 17)):
        monkeypatch.setattr(module, name, size)
    assert grouped(data) == whole
    assert grouped(str(tmp_path / "rows.parquet")) == whole
    assert grouped(data, count=None) == grouped(str(tmp_path / "rows.parquet"), count=None)


def test_users_and_items_may_be_numbers(tmp_path: Path) -> None:
    table = pyarrow.table({"user": [5, 5, 6], "item": [0, 1, 7]})
    parquet.write_table(table, tmp_path / "rows.parquet")
    found = user_items(data=str(tmp_path / "rows.parquet"), user="user", item="item", count=None, domain=["0", "1", "2"])
    assert (found.users, found.item.tolist(), found.count.tolist()) == (1, [0, 1], [1, 1])


@pytest.mark.parametrize(
    "row", [("", "a", 1), ("x", "a", -1), ("x", "a", "1.5"), ("x", "a", ""), ("x", "outside", -1), ("x", "a", 10**9 + 1)]
)
def test_bad_rows_leave_no_trace(tmp_path: Path, row: tuple[object, ...]) -> None:
    """A refusal would reveal something to everybody about one user."""
    assert grouped(csv_of(tmp_path / "more.csv", [*ROWS, row])) == grouped(csv_of(tmp_path / "rows.csv", ROWS))


def test_bad_rows_of_parquet_files_leave_none_either(tmp_path: Path) -> None:
    path, other = tmp_path / "rows.parquet", tmp_path / "other.parquet"
    parquet.write_table(pyarrow.table({"user": ["x"], "item": ["a"], "n": [1]}), other)
    for n in ([1, -2], [1, None], [1, 10**12]):
        parquet.write_table(pyarrow.table({"user": ["x", "y"], "item": ["a", "b"], "n": n}), path)
        assert grouped(str(path)) == grouped(str(other))
    parquet.write_table(pyarrow.table({"user": ["x", None], "item": ["a", "b"]}), path)
    assert grouped(str(path), count=None) == grouped(str(other), count=None)
    parquet.write_table(pyarrow.table({"user": ["x"], "item": ["a"], "n": [2.5]}), path)
    with pytest.raises(DomainError, match="whole numbers"):
        grouped(str(path))
    parquet.write_table(pyarrow.table({"user": ["x"], "item": [0.5]}), path)
    with pytest.raises(DomainError, match="'item'"):
        grouped(str(path), count=None)


@pytest.mark.parametrize("row", [b"x,secret\xff,1", b"x,secret,1,1", b"x,secret"])
def test_no_error_names_an_item_outside_the_domain(tmp_path: Path, row: bytes) -> None:
    (tmp_path / "rows.csv").write_bytes(b"user,item,n\n" + row + b"\n")
    with pytest.raises(DomainError, match=r"not UTF-8|another number of fields") as refused:
        grouped(str(tmp_path / "rows.csv"))
    assert "secret" not in str(refused.value)


def test_unknown_columns_and_unreadable_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = csv_of(tmp_path / "rows.csv", ROWS)
    with pytest.raises(DomainError, match="'user', 'item', 'n'"):
        user_items(data=data, user="who", item="item", count=None, domain=DOMAIN)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(data).read_bytes())))
    with pytest.raises(DomainError, match="column"):
        user_items(data="-", user="who", item="item", count=None, domain=DOMAIN)
    with pytest.raises(DomainError, match="different columns"):
        user_items(data=data, user="item", item="item", count=None, domain=DOMAIN)
    with pytest.raises(DomainError, match="readable file"):
        grouped(str(tmp_path / "absent.csv"))
    (tmp_path / "bad.csv").write_text("")
    with pytest.raises(DomainError):
        grouped(str(tmp_path / "bad.csv"))


def test_no_rows_are_data_like_others(tmp_path: Path) -> None:
    """One user added to nobody is a neighbour: a refusal of nobody would distinguish them."""
    path = tmp_path / "rows.csv"
    path.write_text("user,item\n", encoding="utf-8")
    found = user_items(data=str(path), user="user", item="item", count=None, domain=["a"])
    assert (found.users, found.user.size, found.item.size, found.count.size) == (0, 0, 0, 0)


cells = st.text(st.sampled_from('a",\n\r ;'), max_size=5)
tables = st.lists(st.lists(cells, min_size=2, max_size=3), min_size=1, max_size=4)


def pieces(content: bytes, cuts: list[int]) -> Iterator[bytes]:
    places = sorted({0, *(cut % (len(content) + 1) for cut in cuts), len(content)})
    yield from (content[first:last] for first, last in pairwise(places))


def refused(content: bytes, cuts: list[int]) -> str | None:
    marks = QuotationMarks("FILE")
    try:
        for piece in pieces(content, cuts):
            marks.feed(piece)
        marks.end()
    except DomainError as error:
        return str(error)
    return None


def strictly(text: str) -> str | None:
    try:
        list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        return str(error)
    return None


@given(tables, st.lists(st.integers(0, 200)), st.booleans())
def test_what_a_writer_wrote_is_never_refused(rows: list[list[str]], cuts: list[int], order_mark: bool) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    assert refused(b"\xef\xbb\xbf" * order_mark + text.getvalue().encode(), cuts) is None


@given(st.text(st.sampled_from('a",\n'), max_size=12), st.lists(st.integers(0, 12)))
@example('"\n"x\n', [])
@example('"x"y\n', [])
@example('a"\nb"c', [])
@example('""""""""', [1, 2, 3])
def test_a_strict_reader_agrees_wherever_a_cell_has_more_than_one_line(text: str, cuts: list[int]) -> None:
    """Within one line a reader may be lenient; over more, what is refused is what Python's strict reader refuses."""
    said = refused(text.encode(), cuts)
    assert said == refused(text.encode(), [])
    assert said is None or strictly(text) is not None
    assert said is not None or "end of data" not in (strictly(text) or "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'x\n1\n"1\n0\n',
            'FILE, line 3 = a quotation mark that is never closed: must be closed where its cell ends ("" is one inside a cell)',
        ),
        ('x,y\n1,"2\n3"\n4,"5""\n6,7\n', "FILE, line 4 = a quotation mark that is never closed"),
        ('x\n"1\n0\n"1\n', "FILE, line 2 = a quotation mark that line 4 closes in the midst of a cell"),
        ('"x', "FILE, line 1 = a quotation mark that is never closed"),
    ],
)
def test_the_line_where_the_mark_stands_is_told(text: str, told: str) -> None:
    with pytest.raises(DomainError) as refusal:
        require_closed(text.encode(), data="FILE")
    assert str(refusal.value).startswith(told)


def test_a_file_of_marks_alone_takes_no_time() -> None:
    assert refused(b'"' * (1 << 22), [*range(0, 1 << 22, 1 << 12)]) is None


def test_a_file_appears_when_its_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "x.bin"
    with whole_file(target) as temporary:
        temporary.write_bytes(b"whole")
        assert not target.exists()
        assert unfinished(target) == [temporary]
    assert target.read_bytes() == b"whole"
    assert unfinished(target) == []


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "x.bin"
    target.write_bytes(b"before")

    def fails() -> None:
        with whole_file(target) as temporary:
            temporary.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert [path.name for path in tmp_path.iterdir()] == ["x.bin"]
    assert target.read_bytes() == b"before"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="a file that can be written"), whole_file(tmp_path / "no" / "x"):
        pass


def test_only_the_unfinished_files_of_a_path_are_found(tmp_path: Path) -> None:
    for name in (".x.ab_1.unfinished", ".x.y.ab.unfinished", "x.ab.unfinished", ".x.ab", ".xz.ab.unfinished"):
        (tmp_path / name).touch()
    assert [path.name for path in unfinished(tmp_path / "x")] == [".x.ab_1.unfinished"]
