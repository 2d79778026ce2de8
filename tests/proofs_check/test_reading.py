"""How the papers were read: every row belongs to a section, every section is accounted for, every argument stands in the documentation."""

import re
from pathlib import Path

import pytest

from shuffleproof.proofs_check.ledger import Argument, Cited, Statement, Status, compute, recorded, registry
from shuffleproof.proofs_check.ledger.formal import theorems
from shuffleproof.proofs_check.papers.reading import SECTIONS, accounted, section_of

STATEMENTS = registry()
RECORD = recorded()
PAGES = Path(__file__).resolve().parents[2] / "docs" / "mathematics"


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lstrip("#").strip().lower()).replace(" ", "-")


def section(place: str) -> str:
    """The text under a heading of a page, up to the next heading of its level or above; "" where there is none."""
    page, _, wanted = place.partition("#")
    path = PAGES / f"{page}.md"
    parts = re.split(r"(?m)^(?=#{1,6} )", path.read_text("utf-8")) if path.is_file() else []
    return next((part for part in parts if anchor(part.partition("\n")[0]) == wanted), "")


def written(entry: Statement) -> list[str]:
    return [
        ground.id if isinstance(ground, Argument) else ground.written for ground in entry.grounds if isinstance(ground, Argument | Cited)
    ]


def test_every_row_of_the_papers_belongs_to_a_section_of_the_text() -> None:
    assert [id for id in STATEMENTS if id.partition(".")[0] in SECTIONS and section_of(id) is None] == []
    assert section_of("FMT21.Sec9.remark") is None
    assert section_of("BC20.Thm3.12") is None


@pytest.mark.parametrize("paper", SECTIONS)
def test_every_section_has_rows_or_says_why_it_has_none(paper: str) -> None:
    found = accounted(STATEMENTS, paper)
    assert [read.name for read, rows in found if not rows and not read.without] == []
    assert sum(len(rows) for _, rows in found) == sum(entry.paper == paper for entry in STATEMENTS.values())


def test_what_is_argued_by_itself_stands_in_the_documentation_in_numbered_steps() -> None:
    argued = [STATEMENTS[id] for id, entry in RECORD.items() if entry.own_status is Status.ARGUED]
    assert len(argued) > 100
    assert [entry.id for entry in argued if not any(written(entry))] == []
    assert [entry.id for entry in argued if not entry.missing] == []
    places = sorted({place for entry in STATEMENTS.values() for place in written(entry) if place})
    assert [place for place in places if not section(place)] == []
    numbered = [place for place in places if not re.search(r"(?m)^1\. ", section(place))]
    assert [
        place for place in numbered if "#" in place and "\n1. " not in (PAGES / f"{place.partition('#')[0]}.md").read_text("utf-8")
    ] == []


def test_every_argued_chain_rests_on_what_is_written() -> None:
    known = compute(STATEMENTS, {id: entry.standing for id, entry in RECORD.items()}, theorems=theorems())
    assert known.problems == ()
    argued = {id for id, trust in known.by_id.items() if trust.status is Status.ARGUED}
    loose = {id: [g.reference for g in STATEMENTS[id].grounds if isinstance(g, Cited) and not g.written] for id in argued}
    assert {id: cited for id, cited in loose.items() if cited} == {}
