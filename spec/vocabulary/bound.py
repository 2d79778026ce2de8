"""The result record: what every engine returns, and how it is printed so that it cannot be misread."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import certain_digits, decimal_text, float_toward, in_words
from shuffleproof.spec.vocabulary.scope import SHUFFLED_REPORTS, Mechanisms, Relation, Scope
from shuffleproof.spec.vocabulary.tables import FrozenMapping, Tabular

Quantity = Literal["epsilon", "delta", "renyi"]
"""epsilon(delta), delta(epsilon), or the Renyi divergence of a stated order."""
Side = Literal["exact", "enclosure", "upper", "lower", "estimate"]
Engine = Literal["exact", "ball", "fast", "mpmath"]
_MOST_DIGITS = 400
"""Digits that are printed of a value known to more."""
_OF_ONE_SIDE = 8
"""Digits that JSON has of a number that is known from one side, at least: as many as a bracket's line."""
_LONGEST_EXACT = 60
"""Characters of an exact value that are printed; in place of a longer one 12 digits are, rounded to the side of the claim."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Bound(Tabular):
    """A number, and what it is. Hashable and picklable; equal to another with the same fields.

    quantity: "epsilon", "delta" or "renyi".
    side: what [lower, upper] is for the method's own value: "exact" (the value, no error), "enclosure" (both ends hold), "upper" or "lower"
        (only that end is informative), "estimate" (neither end is guaranteed; never called a bound).
    lower, upper: exact rationals that enclose the method's own value.
    exact: the value itself in the number grammar, where it is known exactly ("7/24", "ln 3"), else None.
    value_of: which number this is ("epsilon of the clones pair").
    claim: what follows for people; begins with "upper:", "lower:", "exact:" or "none:". mechanisms,
        relation, view: what that is about, see `scope`.
    method, statement, also, engine: how it was obtained, the ledger id that it is cited by, others that it rests on, by which engine.
    precision: working precision in bits, where that means something. rests_on: assumptions that carry no proof here.
    inputs: the parameters, as given.
    """

    quantity: Quantity
    side: Side
    lower: Fraction
    upper: Fraction
    exact: str | None = None
    value_of: str
    claim: str
    mechanisms: Mechanisms
    method: str
    statement: str
    also: tuple[str, ...] = ()
    relation: Relation
    view: str = SHUFFLED_REPORTS
    engine: Engine
    precision: int | None = None
    rests_on: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise ValueError(f"lower end {self.lower} above upper end {self.upper}")
        if self.claim_side not in ("upper", "lower", "exact", "none"):
            raise ValueError(f"claim {self.claim!r} does not say what follows")
        object.__setattr__(self, "inputs", FrozenMapping(self.inputs))

    @property
    def statements(self) -> tuple[str, ...]:
        """All ledger ids that it rests on, the one that it is cited by first."""
        return tuple(dict.fromkeys((self.statement, *self.also)))

    @property
    def scope(self) -> Scope:
        """Return what the claim is about."""
        datasets = "some" if self.claim_side == "lower" else "all"
        return Scope(mechanisms=self.mechanisms, datasets=datasets, relation=self.relation, view=self.view)

    @property
    def claim_side(self) -> str:
        """Which side of the truth the claim is on: "upper", "lower", "exact" or "none"."""
        return self.claim.partition(":")[0]

    @property
    def guarantee(self) -> float:
        """The float that may be relied on: the end that the claim protects, rounded outward. Raises UnsupportedError for an estimate."""
        return self.at_least if self.claim_side == "lower" else self.at_most

    @property
    def at_most(self) -> float:
        """Return a float that the truth does not exceed, rounded up. Raises UnsupportedError where the claim says nothing of that side."""
        self._require_claim("upper")
        return self.upper_float

    @property
    def at_least(self) -> float:
        """Return a float that the truth is not below, rounded down. Raises UnsupportedError where nothing is claimed of that side."""
        self._require_claim("lower")
        return self.lower_float

    @property
    def upper_float(self) -> float:
        """The upper end as a float, rounded up."""
        return float_toward(self.upper, direction="up")

    @property
    def lower_float(self) -> float:
        """The lower end as a float, rounded down."""
        return float_toward(self.lower, direction="down")

    def decimals(self, *, digits: int | None = None) -> tuple[str, str]:
        """(lower, upper) as decimals rounded outward; by default with two digits more than are certain, equal if exact and short."""
        if digits is None:
            certain = certain_digits(self.lower, self.upper)
            digits = 40 if certain is None else min(max(certain, 1) + 2, _MOST_DIGITS)
        return decimal_text(self.lower, digits=digits, direction="down"), decimal_text(self.upper, digits=digits, direction="up")

    @property
    def shown_upper(self) -> Fraction:
        """The upper end as the line has it: rounded up to the digits that are certain."""
        certain = certain_digits(self.lower, self.upper)
        if certain is None or self.exact is not None:
            return self.upper
        return Fraction(decimal_text(self.upper, digits=max(min(certain, _MOST_DIGITS), 3), direction="up"))

    def __repr__(self) -> str:
        return f"<Bound {self.quantity} {self._value[0]}, {self.method}>"

    def __str__(self) -> str:
        """One line: the claim's side of the value with its certain digits (three at least), and everything needed to cite it."""
        value, quality = self._value
        given = in_words(self.inputs)
        return f"{self.quantity} {value} ({quality}; {self.method}, {_cited(self.statement)}; {self.relation.value}; {given})"

    @property
    def _value(self) -> tuple[str, str]:
        """The number with its sign, and how far it can be relied on."""
        side = self.claim_side
        certain = certain_digits(self.lower, self.upper)
        shown = min(max(certain, 1), _MOST_DIGITS) if certain is not None else 30
        if self.side == "estimate":
            middle = decimal_text((self.lower + self.upper) / 2, digits=max(2, min(shown, 6)), direction="up")
            value, quality = f"~ {middle}", "estimate, not a bound"
        elif self.exact is not None:
            sign = {"upper": "<=", "lower": ">="}.get(side, "=")
            direction: Direction
            near, direction = (self.lower, "down") if side == "lower" else (self.upper, "up")
            about = decimal_text(near, digits=12, direction=direction)
            if len(self.exact) > _LONGEST_EXACT:
                value = f"{sign} {about}"
            else:
                value = f"{sign} {self.exact}" + ("" if about == self.exact else f" (about {about})")
            quality = "exact" if side == "exact" else f"{side}, exact value of the method"
        elif side == "lower":
            value = f">= {decimal_text(self.lower, digits=max(shown, 3), direction='down')}"
            quality = f"lower, {self._reliability(0 if certain == 0 else shown)}"
        else:
            value = f"<= {decimal_text(self.upper, digits=max(shown, 3), direction='up')}"
            quality = f"upper, {self._reliability(0 if certain == 0 else shown)}"
        return value, quality

    def __format__(self, specification: str) -> str:
        """The guarantee as a float would be formatted, but rounded toward its own side; without a specification, the line."""
        if not specification:
            return str(self)
        lower = self.claim_side == "lower"
        self._require_claim("lower" if lower else "upper")
        from shuffleproof.spec.vocabulary.rounding import formatted

        return formatted(self.lower if lower else self.upper, specification, direction="down" if lower else "up")

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return self.quantity

    @property
    def headline(self) -> str:
        """The number with its sign."""
        return f"{self.quantity} {self._value[0]}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what follows for people, and the line that is printed."""
        return self.claim, str(self)

    @property
    def claimed(self) -> tuple[float, float]:
        """Return (at least, at most) as floats, rounded outward; nan where nothing is claimed."""
        side = "none" if self.side == "estimate" else self.claim_side
        nothing = float("nan")
        return (self.at_least if side in ("lower", "exact") else nothing), (self.at_most if side in ("upper", "exact") else nothing)

    def columns(self) -> dict[str, list[Any]]:
        """One row: which number it is, both ends as floats, nan where nothing is claimed, and by which method."""
        low, high = self.claimed
        return {"quantity": [self.quantity], "at_least": [low], "at_most": [high], "method": [self.method]}

    def __float__(self) -> float:
        raise TypeError("a bound is a number with its side: .guarantee is what it claims as a float, rounded to its safe side")

    def __lt__(self, other: object) -> bool:
        raise TypeError("a bound is a number with its side: compare .guarantee, what it claims as a float")

    __le__ = __gt__ = __ge__ = __lt__

    def _require_claim(self, side: Literal["upper", "lower"]) -> None:
        if self.side == "estimate" or self.claim_side not in (side, "exact"):
            advice = "ask for `lower` and `upper`, the ends of the method's own value, if that is what you want"
            what = f"{'an upper' if side == 'upper' else 'a lower'} bound on {self.quantity} from {self.method!r}"
            raise UnsupportedError(what=what, reason=f"its claim is: {self.claim}", advice=advice)

    def _reliability(self, settled: int) -> str:
        """How far the printed end can be relied on, and how many digits of the value the two ends settle, if any."""
        told = settled > 0 and self.side != "upper"
        if self.engine == "fast":
            return f"sound in float64, known to {settled} digits" if told else "sound in float64"
        return f"certified to {settled} digits" if told else "certified"

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values: numbers that matter are strings.

        "lower" and "upper" enclose the method's own value; "guarantees" has the side and the number that hold for people.
        """
        one_sided = self.side in ("upper", "lower") and (certain_digits(self.lower, self.upper) or 0) < _OF_ONE_SIDE
        lower, upper = self.decimals(digits=_OF_ONE_SIDE if one_sided else None)
        protected = {"upper": upper, "lower": lower, "exact": upper}.get(self.claim_side) if self.side != "estimate" else None
        return {
            "quantity": self.quantity,
            "method": self.method,
            "engine": self.engine,
            "side": self.side,
            "lower": lower,
            "upper": upper,
            "exact": self.exact,
            "value_of": self.value_of,
            "claim": self.claim,
            "guarantees": None if protected is None else {"side": self.claim_side, "value": protected},
            "enclosure_of": "the method's own value; what bounds the truth is in guarantees and claim",
            "scope": self.scope.as_json(),
            "statement": self.statement,
            "statements": list(self.statements),
            "relation": self.relation.value,
            "precision": self.precision,
            "rests_on": list(self.rests_on),
            **self.inputs,
        }


_KINDS = {
    "Thm": "Theorem",
    "Lem": "Lemma",
    "Cor": "Corollary",
    "Prop": "Proposition",
    "Def": "Definition",
    "Alg": "Algorithm",
    "Clm": "Claim",
}


def _cited(statement: str) -> str:
    """ "FMT21.Thm3.2" as people write it: "FMT21 Theorem 3.2"."""
    paper, _, place = statement.partition(".")
    kind = place.rstrip("0123456789.")
    number = place[len(kind) :]
    if kind and kind[-1].isupper() and kind[:-1] in _KINDS:  # an appendix: "LemF.2" splits into "LemF" and ".2"
        kind, number = kind[:-1], kind[-1] + number
    return f"{paper} {_KINDS.get(kind, kind)} {number}".strip()
