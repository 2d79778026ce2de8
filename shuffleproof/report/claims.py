"""The page of formulas and numbers that public projects ship, each judged against certified brackets."""

from collections.abc import Sequence

from shuffleproof.claims.judging import Judgement, Standing
from shuffleproof.claims.region import Survey
from shuffleproof.claims.shipped import PUBLISHED, SHIPPED, Published, Shipped, compared, surveyed
from shuffleproof.report.pages import render
from shuffleproof.report.records import ShippedRow
from shuffleproof.spec.vocabulary.numerals import decimal_text, in_words


def page(rows: Sequence[ShippedRow]) -> str:
    """The whole page, alone."""
    return render("claims.html", page=None, rows=rows)


def judged_now() -> list[ShippedRow]:
    """All formulas and numbers, judged: seconds."""
    return [*(of_formula(each, surveyed(each)) for each in SHIPPED), *(of_number(each, compared(each)) for each in PUBLISHED)]


def of_formula(each: Shipped, found: Survey) -> ShippedRow:
    """A formula with what was found of it."""
    return {
        "name": each.name,
        "project": each.project,
        "file": each.file,
        "note": each.note,
        "claim": f"epsilon = {each.epsilon}",
        "delta": each.delta,
        "where": each.where,
        "counts": {standing.value: found.count(standing) for standing in Standing},
        "outside": found.outside,
        "conditions": found.conditions(),
        "median": found.loose_by,
        "witness": None if found.witness is None else str(found.witness),
    }


def of_number(each: Published, found: Judgement) -> ShippedRow:
    """A number with what was found of it; its witness is what it was compared with."""
    given = dict(each.given)
    factor = found.factor if found.standing is Standing.SOUND else None
    return {
        "name": f"{each.project}-{given['eps0']}",
        "project": each.project,
        "file": each.file,
        "note": each.note,
        "claim": f"epsilon = {each.epsilon} at {in_words(given)}",
        "delta": None,
        "where": None,
        "counts": {standing.value: int(found.standing is standing) for standing in Standing},
        "outside": 0,
        "conditions": [],
        "median": None if factor is None else decimal_text(factor, digits=3, direction="down"),
        "witness": str(found),
    }
