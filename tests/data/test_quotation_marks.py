"""Quotation marks that are not closed are refused by the line where they stand, and what a CSV writer wrote never is."""

import csv
import io
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.quotation_marks import QuotationMarks, require_closed

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
