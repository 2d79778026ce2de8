"""The truth about a named randomizer's shuffled reports, and about claims where a theorem says nothing: from the bounds of this package."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.methods import carried_out
from shuffleproof.spec.vocabulary import bound as bounds
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    RegimeError,
    ResourceLimitError,
    UndecidedError,
    UnsupportedError,
    require,
)
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_BLANKET, K_RR_PAIR
from shuffleproof.spec.vocabulary.methods.randomizer_laws import BLANKET, HOMOGENEOUS, RANDOMIZER_LOWER, RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import of_given, with_record

_OF_RANDOMIZERS = {"upper": RANDOMIZER_PAIR, "lower": RANDOMIZER_LOWER}
_BY_LAW = {"upper": BLANKET, "lower": HOMOGENEOUS}
_OF_K_RR = {"upper": K_RR_BLANKET, "lower": K_RR_PAIR}
_SHUFFLED_DIGITS = 6


def shuffled(quantity: bounds.Quantity, given: Mapping[str, str], *, floats: bool = True) -> tuple[Fraction, Fraction]:
    """Ends around delta or epsilon of the shuffled reports of a named randomizer, over all neighbouring datasets: the best of our bounds.

    floats: also those in float64 with every rounding accounted for, which are narrower, and need not be the same on every machine.
    Raises DomainError; UndecidedError where no method of one side answers.
    """
    asked = {key: text for key, text in given.items() if key != "method"}
    require("randomizer" in asked, parameter="randomizer", value="nothing", requirement="given")
    record = of_given(asked)
    found: dict[str, list[Fraction]] = {"upper": [], "lower": []}
    for side, values in found.items():
        values.extend(_one_side(_OF_RANDOMIZERS[side], "ball", quantity, side, with_record(asked)))
        if floats:
            values.extend(_one_side(_BY_LAW[side], "fast", quantity, side, with_record(asked)))
        if record.name == "krr":
            own = {key: text for key, text in asked.items() if key != "randomizer"}
            values.extend(_one_side(_OF_K_RR[side], "ball", quantity, side, own))
    if quantity == "epsilon":
        found["upper"].append(parse_epsilon(given["epsilon0"], parameter="epsilon0").bounds(bits=64)[1])  # shuffling never hurts
    if not found["upper"]:
        raise UndecidedError(quantity=f"{quantity} of shuffled {record.name}", enclosure=("0", "infinity"), precision=_SHUFFLED_DIGITS)
    return max(found["lower"], default=Fraction(0)), min(found["upper"])


def _one_side(
    method: Method, engine: bounds.Engine, quantity: bounds.Quantity, side: str, parameters: Mapping[str, object]
) -> list[Fraction]:
    digits = {"digits": _SHUFFLED_DIGITS} if engine == "ball" else {}
    try:
        found = carried_out(method, engine, quantity)(**parameters, **digits)
    except (UndecidedError, ResourceLimitError, UnsupportedError, RegimeError):
        return []
    return [found.upper if side == "upper" else found.lower]


def holds_from(given: Mapping[str, str]) -> Fraction | None:
    """From which epsilon on a claim is true where a closed form says nothing, by Theorem 3.2; None where that is not to be had."""
    if given.get("method") != CLONES_CLOSED_FORM.name:
        return None
    own = {key: text for key, text in given.items() if key != "method"}
    try:
        return carried_out(CLONES, "ball", "epsilon")(**own, digits=_SHUFFLED_DIGITS).upper
    except (DomainError, RegimeError, UndecidedError, ResourceLimitError):
        return None
