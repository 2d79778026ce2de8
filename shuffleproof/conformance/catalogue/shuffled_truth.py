"""The truth about a named randomizer's shuffled reports, and about claims where a theorem says nothing: from the bounds of this package."""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.methods import carried_out
from shuffleproof.spec.vocabulary import bound as bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UndecidedError, UnsupportedError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, CLONES_CLOSED_FORM, K_RR_BLANKET, K_RR_PAIR
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import RANDOMIZER_LOWER, RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import of_given, with_record

_OF_RANDOMIZERS = {"upper": RANDOMIZER_PAIR, "lower": RANDOMIZER_LOWER}
_OF_K_RR = {"upper": K_RR_BLANKET, "lower": K_RR_PAIR}
_SHUFFLED_DIGITS = 6
"""Of ball arithmetic: one more than is stored."""


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
        if record.name == "krr" and (side == "upper" or int(asked["k"]) > 2):  # the pair's others hold a third item
            own = {key: text for key, text in asked.items() if key != "randomizer"}
            values.extend(_one_side(_OF_K_RR[side], "ball", quantity, side, own))
    if floats:
        for side, end in zip(("lower", "upper"), _todays(quantity, asked), strict=True):
            found[side].append(end)
    if quantity == "epsilon":
        found["upper"].append(parse_epsilon(given["epsilon0"], parameter="epsilon0").bounds(bits=64)[1])  # shuffling never hurts
    if not found["upper"]:
        raise UndecidedError(quantity=f"{quantity} of shuffled {record.name}", enclosure=("0", "infinity"), precision=_SHUFFLED_DIGITS)
    return max(found["lower"], default=Fraction(0)), min(found["upper"])


def _todays(quantity: bounds.Quantity, asked: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    """The ends of the answer that a user gets: whatever the library's default is today, so that nothing stored lags behind it.

    Of hashing the kit names no family of functions: the lower end holds for uniform ones, the upper end for any.
    """
    if asked["randomizer"] == "hash" and "family" not in asked:
        ends = [_todays(quantity, {**asked, "family": family}) for family in ("uniform", "any")]
        return ends[0][0], ends[1][1]
    from shuffleproof.mechanisms.mechanism import shuffled as reports_of
    from shuffleproof.mechanisms.randomizers import NAMED

    central = "delta" if quantity == "epsilon" else "epsilon"
    own = {name: text for name, text in asked.items() if name not in ("n", "randomizer", central)}
    one = reports_of(NAMED[of_given(asked).name](**own), n=asked["n"])
    try:
        found = one.epsilon(delta=asked["delta"]) if quantity == "epsilon" else one.delta(epsilon=asked["epsilon"])
    except (UndecidedError, ResourceLimitError, UnsupportedError, RegimeError):
        return Fraction(0), parse_epsilon(asked["epsilon0"], parameter="epsilon0").bounds(bits=64)[
            1
        ] if quantity == "epsilon" else Fraction(1)
    return Fraction(0) if found.lower is None else found.lower.lower, found.upper.upper


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
    """Return from which epsilon on a claim is true where a closed form says nothing, by Theorem 3.2; None where that is not to be had."""
    if given.get("method") != CLONES_CLOSED_FORM.name:
        return None
    own = {key: text for key, text in given.items() if key != "method"}
    try:
        return carried_out(CLONES, "ball", "epsilon")(**own, digits=_SHUFFLED_DIGITS).upper
    except (DomainError, RegimeError, UndecidedError, ResourceLimitError):
        return None
