"""A finite randomizer's law as users have it: a mapping, an array, or a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from shuffleproof.conformance.audit.law_file import Law, checked
from shuffleproof.conformance.audit.law_file import read as read_file
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import Number, exact_fraction, ratio_text


def read(law: object, *, rounding: Number | None = None) -> Law:
    """The law, checked, with exact numbers.

    law: {input: {outcome: probability}}, an array with a row for each input, or the path of a .json or .csv file; rounding: how far a
    probability may lie from what is written, what the file says or 0 if None. Raises DomainError naming the place, ResourceLimitError.
    """
    margin = Fraction(0) if rounding is None else exact_fraction(rounding, parameter="rounding")
    require(0 <= margin < Fraction(1, 2), parameter="rounding", value=rounding, requirement="at least 0 and below 1/2")
    if isinstance(law, str | Path):
        return read_file(Path(law), rounding=None if rounding is None else ratio_text(margin))
    given: dict[str, dict[str, Any]]
    try:
        rows = law.items() if isinstance(law, Mapping) else enumerate(cast(Iterable[Any], law))
        given = {str(x): {str(y): p for y, p in (row.items() if isinstance(row, Mapping) else enumerate(row))} for x, row in rows}
    except TypeError:
        wanted = "{input: {outcome: probability}}, an array with a row for each input, or the path of a file"
        raise DomainError(parameter="law", value=law, requirement=wanted) from None
    require(len(given) >= 2, parameter="law", value=len(given), requirement="the laws of at least two inputs: privacy compares them")
    try:
        return checked(given, margin)
    except DomainError as error:
        requirement = error.requirement.replace("--rounding", "rounding")
        raise DomainError(parameter=error.parameter, value=error.value, requirement=requirement) from None
