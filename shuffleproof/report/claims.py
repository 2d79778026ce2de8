"""The page of formulas that public projects ship, each judged against certified brackets."""

from __future__ import annotations

from collections.abc import Sequence

from shuffleproof.claims.judging import Standing
from shuffleproof.claims.region import Survey
from shuffleproof.claims.shipped import Shipped
from shuffleproof.report.pages import render
from shuffleproof.spec.vocabulary.numerals import decimal_text


def page(surveys: Sequence[tuple[Shipped, Survey]]) -> str:
    """The whole page. surveys: each formula with what was found of it."""
    rows = []
    for each, found in surveys:
        factors = sorted(one.factor for one in found.judgements if one.standing is Standing.SOUND and one.factor is not None)
        median = decimal_text(factors[len(factors) // 2], digits=3, direction="down") if factors else None
        counts = {standing.value: found.count(standing) for standing in Standing}
        rows.append({"of": each, "found": found, "counts": counts, "median": median, "conditions": found.conditions()})
    return render("claims.html", page=None, rows=rows)
