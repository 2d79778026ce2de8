"""A finite randomizer's law as users have it, a mapping, an array, or a file; and what everything that it says bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from shuffleproof.brackets import Bracket
from shuffleproof.conformance.audit.law_file import Law, checked
from shuffleproof.conformance.audit.law_file import read as read_file
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    RegimeError,
    ResourceLimitError,
    UnsupportedError,
    require,
    require_one_of,
)
from shuffleproof.spec.vocabulary.given_law import OF_LAWS, GivenLaw, View
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, exact_fraction, ratio_text

BY_WHOLE_LAW: Mapping[str, View] = {method.name: view for view, method in OF_LAWS.items()}
"""The methods that speak of a law that is given, by name."""
_EXACT_TO = 12
_FEW = 8
"""Inputs and outcomes with which exact arithmetic is cheap."""


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


def whole(law: Law) -> GivenLaw:
    """The law for the methods that use everything it says. Raises RegimeError where its numbers are rounded."""
    if law.rounding:
        raise RegimeError(
            statement=OF_LAWS["above"].statement,
            condition="exact probabilities",
            given=f"numbers that may lie {ratio_text(law.rounding)} from the truth",
            advice='method "optimal-pair" covers every law within the rounding',
        )
    return GivenLaw(law.inputs, law.rows)


def ask(
    law: Law, quantity: Quantity, *, n: Number, central: Number | Epsilon, method: str, engine: str = "auto", digits: Number | None = None
) -> Bound:
    """delta at epsilon, or epsilon at delta, of shuffled reports with this law.

    quantity: "epsilon" or "delta", central: the other one; method: "blanket", an upper bound, or "homogeneous", a lower one; engine:
    "exact" (n up to 40), "fast" or "auto". Raises DomainError, RegimeError, ResourceLimitError, UnsupportedError.
    """
    view = BY_WHOLE_LAW[require_one_of(method, BY_WHOLE_LAW, parameter="method")]
    users, given = count(n, parameter="n"), whole(law)
    if quantity == "renyi" or engine == "ball" or digits is not None:
        what = "the Renyi divergence" if quantity == "renyi" else "certified digits"
        raise UnsupportedError(
            what=f"{what} of a law that is given", reason='engines "exact" and "fast" carry delta and epsilon', advice="leave it out"
        )
    from shuffleproof.impl.fast.bounds import given_law as fast
    from shuffleproof.spec.bounds import given_law as exact

    own: dict[str, Any] = {"n": n, "law": given, "view": view, "epsilon" if quantity == "delta" else "delta": central}
    small = users <= _EXACT_TO and len(given.inputs) <= _FEW and len(given.columns) <= _FEW
    if engine == "exact" or (engine == "auto" and small):
        try:
            found: Bound = getattr(exact, quantity)(**own)
        except (UnsupportedError, ResourceLimitError):
            if engine == "exact":
                raise
        else:
            return found
    answer: Bound = getattr(fast, quantity)(**own)
    return answer


def bracket(law: Law, quantity: Quantity, *, n: Number, central: Number | Epsilon, engine: str = "auto") -> Bracket:
    """The truth between both methods. Parameters and errors as for `ask`."""
    upper, lower = (ask(law, quantity, n=n, central=central, method=name, engine=engine) for name in BY_WHOLE_LAW)
    asked = as_given(n=n, **{"eps" if quantity == "delta" else "delta": central})
    told = ", ".join(f"{name} = {text}" for name, text in asked.items())
    return Bracket(quantity=quantity, of=f"shuffled reports with a law of {upper.inputs['law']}, {told}", upper=upper, lower=lower)
