"""docs/errata.md, from the ledger: `python -m shuffleproof.report.errata_table > docs/errata.md`."""

from shuffleproof.ledger import Recorded, statements

ABOUT = """# Errata of the papers

Made by `python -m shuffleproof.report.errata_table` from the ledger: {count} places where a paper's own text, as printed, does not
hold. `shuffleproof ledger list --errata` lists them, `shuffleproof ledger show ID` has the witness and what holds instead, and
`shuffleproof ledger check ID` decides one again. *False*: not only at the edge of its range; *false in part* of its range; a *gap* in
a proof whose result stands; a *misprint*, of which what is meant is plain. Readings that the text does not force, recalled formulas
and questions are refuted rows as well (`kind` is `reading`), and no errata.
"""
MOST_SERIOUS_FIRST = ("false", "false in part", "gap", "misprint")


def markdown() -> str:
    """Return the page: what something people use depends on, then the rest, the most serious mistakes first."""
    found = sorted(statements(errata=True), key=lambda each: MOST_SERIOUS_FIRST.index(str(each.kind)))
    parts = {
        "What something people use depends on": [each for each in found if each.weight],
        "The rest": [each for each in found if not each.weight],
    }
    return ABOUT.format(count=len(found)) + "".join(
        f"\n## {title}\n\n{''.join(_item(each) for each in own)}" for title, own in parts.items()
    )


def _item(row: Recorded) -> str:
    weight = f" What depends on it: {row.weight}." if row.weight else ""
    return f"- **{row.id}**, {row.kind} ({row.where}): ``{row.says}``.{weight}\n"


if __name__ == "__main__":
    print(markdown(), end="")
