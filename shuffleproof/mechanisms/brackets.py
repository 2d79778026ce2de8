"""Answers of the objects: the truth between two bounds, and many answers at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from shuffleproof.keywords import own_names
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import decimal_text, parse_epsilon
from shuffleproof.spec.vocabulary.scope import Mechanisms
from shuffleproof.spec.vocabulary.tables import LOWER_COLOUR, UPPER_COLOUR, Rows, Tabular, logarithmic, new_axes

if TYPE_CHECKING:
    import matplotlib.axes
    import numpy as np
    import numpy.typing as npt

__dir__ = own_names(__name__)

_SHOWN = 8
"""Significant digits of an end in a line: more than anybody compares by eye, fewer than are certified."""
_NAMES: dict[Quantity, str] = {"epsilon": "epsilon", "delta": "delta", "renyi": "Renyi divergence"}


DIGITS_OF_LOOSER = "digits of a looser bound"
"""What is said of a method that has the digits asked for, where another one without them is tighter."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A method that was asked and whose answer is no end of the bracket. method: its name; why: what it said."""

    method: str
    why: str

    def __str__(self) -> str:
        return f"{self.method}: {self.why}"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Bracket(Tabular):
    """The truth between two bounds: the least of the upper ones that were asked, and the greatest of the lower ones.

    quantity: "epsilon", "delta" or "renyi"; of: what it is about; upper, lower: the bounds, lower None where no pair of datasets is known
    that bounds it from below at a small cost; refusals: methods that were asked and had no answer, or a looser one with the digits asked
    for; mechanisms: those of which the truth is the worst: the upper bound speaks of all of them, the lower one of one of them.
    """

    quantity: Quantity
    of: str
    upper: Bound
    lower: Bound | None = None
    refusals: tuple[Refusal, ...] = ()
    mechanisms: Mechanisms = Mechanisms.ONE

    def __post_init__(self) -> None:
        if not self.upper.mechanisms.contains(self.mechanisms):
            raise ValueError(f"the upper bound, of {self.upper.mechanisms}, does not hold for {self.mechanisms}")
        if self.lower is not None and not self.mechanisms.contains(self.lower.mechanisms):
            raise ValueError(f"the lower bound, of {self.lower.mechanisms}, says nothing of {self.mechanisms}")
        if self.upper.claim_side not in ("upper", "exact") or (self.lower is not None and self.lower.claim_side not in ("lower", "exact")):
            raise ValueError(f"the claims do not bracket the truth: {self.upper.claim}; {self.lower and self.lower.claim}")
        if self.lower is not None and self.lower.lower > self.upper.upper:
            raise ValueError(f"the lower bound {self.lower.lower} lies above the upper bound {self.upper.upper}")

    @property
    def guarantee(self) -> float:
        """Return what may be published: the upper end, as a float, rounded up."""
        return self.upper.at_most

    @property
    def at_most(self) -> float:
        """The same."""
        return self.upper.at_most

    @property
    def at_least(self) -> float:
        """Return what the truth does not fall below, as a float, rounded down. Raises UnsupportedError where no lower bound is known."""
        if self.lower is None:
            advice = "ask for a lower method by name, such as method='randomizer-lower'; 0 is always one"
            raise UnsupportedError(
                what=f"a lower bound on the {_NAMES[self.quantity]} of {self.of}", reason="none is known here", advice=advice
            )
        return self.lower.at_least

    @property
    def ratio(self) -> Fraction | None:
        """How many times the lower end the upper end is: exact; None where there is no lower end above 0."""
        if self.lower is None or not self.lower.lower > 0:
            return None
        return self.upper.upper / self.lower.lower

    def __getattr__(self, name: str) -> Any:
        told = "; its ends are the bounds .upper and .lower, and .guarantee and .at_least are floats" if hasattr(Bound, name) else ""
        raise AttributeError(f"'Bracket' object has no attribute {name!r}{told}", name=name, obj=self)

    def __float__(self) -> float:
        raise TypeError(
            "a bracket is two numbers: .guarantee is its upper end as a float, rounded up, .at_least its lower end, rounded down"
        )

    def __lt__(self, other: object) -> bool:
        raise TypeError("a bracket is two numbers: compare .guarantee, its upper end, or .at_least, its lower end")

    __le__ = __gt__ = __ge__ = __lt__

    def __repr__(self) -> str:
        return f"<Bracket {self.ends}>"

    @property
    def ends(self) -> str:
        """Both ends, rounded outward, as an inequality."""
        above = f"{_NAMES[self.quantity]} <= {decimal_text(self.upper.upper, digits=_SHOWN, direction='up')}"
        return above if self.lower is None else f"{decimal_text(self.lower.lower, digits=_SHOWN, direction='down')} <= {above}"

    def __str__(self) -> str:
        """One line: both ends rounded outward, what it is about, and which methods gave them."""
        return f"{self.ends} ({self.of}; {self.source})"

    @property
    def source(self) -> str:
        """Which methods gave the ends, how far these can be relied on, and what they are about."""
        told = f"upper: {self.upper.method}, {_standing(self.upper)}"
        told += "; no lower bound" if self.lower is None else f"; lower: {self.lower.method}, {_standing(self.lower)}"
        looser = [each.method for each in self.refusals if DIGITS_OF_LOOSER in each.why]
        told += f"; as many digits as asked for have only looser bounds ({', '.join(looser)}): see refusals" if looser else ""
        return f"{told}; {self.upper.relation.value}" + (f"; {self.mechanisms}" if self.mechanisms.rank else "")

    def __format__(self, specification: str) -> str:
        """The upper end as a float would be formatted, rounded up; without a specification, the line."""
        return format(self.upper, specification) if specification else str(self)

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return _NAMES[self.quantity]

    @property
    def headline(self) -> str:
        """Both ends."""
        return self.ends

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what each end claims, and its method."""
        ends = (("at most", self.upper), ("at least", self.lower))
        return tuple(f"{side}: {each.claim} ({each.method})" for side, each in ends if each is not None)

    def columns(self) -> dict[str, list[Any]]:
        """One row: which number it is, both ends as floats rounded outward, nan where none is known, and by which methods."""
        (low, high), (lower_by, upper_by) = claimed_ends(self), _by(self)
        return {"quantity": [self.quantity], "at_least": [low], "at_most": [high], "lower_by": [lower_by], "upper_by": [upper_by]}

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values: numbers that matter are strings."""
        return {
            "quantity": self.quantity,
            "bracket_of": "the truth",
            "of": self.of,
            "mechanisms": str(self.mechanisms),
            "upper": self.upper.as_json(),
            "lower": None if self.lower is None else self.lower.as_json(),
            "refusals": [{"method": each.method, "why": each.why} for each in self.refusals],
        }


T = TypeVar("T", Bound, Bracket)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Answers(Rows[T], Generic[T]):
    """One answer for each of many points, in their order.

    over: what the points are, "delta", "epsilon" or "order"; points: as texts, as they were given; answers: a Bound or a Bracket for each;
    shape: that of what was asked.
    """

    over: str
    points: tuple[str, ...]
    answers: tuple[T, ...]
    shape: tuple[int, ...]

    @property
    def _each(self) -> Sequence[T]:
        return self.answers

    def __str__(self) -> str:
        return "\n".join(map(str, self.answers))

    def to_numpy(self) -> npt.NDArray[np.float64]:
        """An array with the shape of what was asked, and (at least, at most) at each place; nan where nothing is claimed."""
        import numpy as np

        return np.array([claimed_ends(each) for each in self.answers], dtype=np.float64).reshape((*self.shape, 2))

    @property
    def headline(self) -> str:
        """Return what is answered, over what, and at how many points."""
        quantity = _NAMES[self.answers[0].quantity] if self.answers else "nothing"
        return f"{quantity} at {len(self.answers)} values of {self.over}"

    def columns(self) -> dict[str, list[Any]]:
        """A table's columns by name: the points and both ends as floats, nan where nothing is claimed, and by which methods."""
        ends, by = [claimed_ends(each) for each in self.answers], [_by(each) for each in self.answers]
        return {
            self.over: [_position(x) for x in self.points],
            "at_least": [low for low, _ in ends],
            "at_most": [high for _, high in ends],
            "lower_by": [low for low, _ in by],
            "upper_by": [high for _, high in by],
        }

    def rounded(self, column: str, table: Mapping[str, Sequence[Any]]) -> Sequence[Direction | None]:
        """See `Tabular`."""
        return [None] * len(self) if column == self.over else Tabular.rounded(self, column, table)

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw both ends over the points, shaded between; an axis is logarithmic where its numbers differ much.

        axes: where to draw; new ones if None. Raises MissingExtraError without matplotlib (extra `plot`).
        """
        axes = axes or new_axes()
        table = self.columns()
        order = sorted(range(len(self)), key=lambda place: table[self.over][place])
        at = [table[self.over][place] for place in order]
        lower: list[float] = [table["at_least"][place] for place in order]
        upper: list[float] = [table["at_most"][place] for place in order]
        draw_between(axes, at, lower, upper)
        if logarithmic([x for x in (*lower, *upper) if x == x]):
            axes.set_yscale("log")
        axes.set_xlabel(self.over)
        if self.answers:
            axes.set_ylabel(_NAMES[self.answers[0].quantity])
            axes.legend()
        return axes


def draw_between(axes: matplotlib.axes.Axes, at: Sequence[float], lower: Sequence[float], upper: Sequence[float]) -> None:
    """Draw both ends of many brackets over their places, shaded between; nan where an end is not known."""
    for ends, label, look, colour in ((upper, "at most", "o-", UPPER_COLOUR), (lower, "at least", "s--", LOWER_COLOUR)):
        if any(x == x for x in ends):
            axes.plot(at, ends, look, color=colour, label=label)
    axes.fill_between(at, lower, upper, alpha=0.2, color=UPPER_COLOUR)
    axes.set_xscale("log" if logarithmic(at) else "linear")


def _standing(bound: Bound) -> str:
    return "sound in float64" if bound.engine == "fast" else "exact" if bound.side == "exact" else "certified"


def claimed_ends(answer: Bound | Bracket | None) -> tuple[float, float]:
    """Return (at least, at most) as floats, rounded outward; nan where nothing is claimed."""
    nothing = float("nan")
    if answer is None:
        return nothing, nothing
    if isinstance(answer, Bracket):
        return (nothing if answer.lower is None else answer.at_least), answer.at_most
    return answer.claimed


def _by(answer: Bound | Bracket) -> tuple[str | None, str | None]:
    if isinstance(answer, Bracket):
        return None if answer.lower is None else answer.lower.method, answer.upper.method
    lower, upper = claimed_ends(answer)
    return answer.method if lower == lower else None, answer.method if upper == upper else None


def _position(text: str) -> float:
    return float(parse_epsilon(text, parameter="point").bounds(bits=60)[0])
