"""The page of the errata is what the ledger says, and what the report counts."""

from pathlib import Path

from shuffleproof.ledger import statements
from shuffleproof.report import errata_table
from shuffleproof.report.pages import is_erratum

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errata.md"


def test_the_page_is_what_the_code_writes() -> None:
    assert PAGE.read_text("utf-8") == errata_table.markdown(), "run python -m shuffleproof.report.errata_table > docs/errata.md"


def test_the_errata_are_those_of_the_report() -> None:
    refuted = statements(status="refuted")
    told = [each.id for each in refuted if is_erratum({"provenance": each.provenance, "kind": each.kind})]  # type: ignore[typeddict-item]
    assert [each.id for each in statements(errata=True)] == told
