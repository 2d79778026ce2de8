"""What composing returns: every way side by side for one number of rounds, and epsilon over many numbers of rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, cast

from shuffleproof.mechanisms.brackets import draw_between
from shuffleproof.spec.vocabulary.bound import Bound, Engine
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import amount, decimal_text, float_toward, in_words
from shuffleproof.spec.vocabulary.scope import Relation
from shuffleproof.spec.vocabulary.tables import FrozenMapping, Rows, logarithmic, new_axes

if TYPE_CHECKING:
    import matplotlib.axes

RENYI_CONVERSION = "FMT21.Sec6.1.conversion"
_LOOKS = ("^:", "v:", "d:", "x:", "+:", "*:", "1:")
"""Of the ways of composing in a picture: markers distinguish them without colour."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One way of composing.

    name: for users; statement: the ledger id of the composition; method: whose value one round has; engine: what one round was asked of,
    "ball", or "fast" for float64 with sound sides, or None for a number of a library in float64; epsilon: of all rounds, None where the row
    has no answer, and why in says; seconds: what it took.
    """

    name: str
    statement: str
    method: Method
    engine: str | None
    epsilon: Fraction | None
    says: str
    seconds: float

    @property
    def also(self) -> tuple[str, ...]:
        """The ledger ids that it rests on beside its own."""
        divergences = self.statement == RENYI_CONVERSION
        added = ("FMT21.Sec6.1.rdp-composition",) if divergences else ()
        return (*added, self.method.statement, *self.method.rests_also_on("renyi" if divergences else "delta"))

    def __str__(self) -> str:
        """One line: its name, epsilon rounded up, how far that can be relied on, seconds, and what it says."""
        value = "no answer" if self.epsilon is None else decimal_text(self.epsilon, digits=8, direction="up")
        sign = "" if self.epsilon is None else "~ " if self.standing == "estimate" else "<= "
        standing = "UNCERTIFIED" if self.standing == "estimate" else self.standing
        return f"  {self.name:<34} {sign + value:<15} {standing:<11} {self.seconds:6.2f} s   {self.says}"

    @property
    def standing(self) -> Literal["certified", "sound", "estimate"]:
        """How far epsilon can be relied on; the first two are upper bounds."""
        return "estimate" if self.engine is None else _held(self.engine)


@dataclass(frozen=True, kw_only=True, repr=False)
class Composition(Rows[Row]):
    """Every way of composing, side by side; a sequence of its rows.

    method: whose pair is composed; below: no smaller epsilon holds, None where no pair of datasets is known; inputs: what was asked, as
    texts.
    """

    method: str
    rows: tuple[Row, ...]
    below: Bound | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", FrozenMapping(self.inputs))

    def __repr__(self) -> str:
        return f"<Composition by {len(self.rows)} ways: {in_words(self.inputs)}>"

    def __str__(self) -> str:
        """A table of its rows, below it what the least upper bound and the lower bound say."""
        n, rounds, delta = (self.inputs[name] for name in ("n", "rounds", "delta"))
        each = in_words({name: text for name, text in self.inputs.items() if name not in ("n", "rounds", "delta")})
        lines = [
            f"epsilon of {rounds} rounds together ({self.relation.value}; n = {n}, {each} each round, delta = {delta} in all)",
            f"  the pair is that of {self.method}",
        ]
        if self.rows[0].engine == "fast":
            lines += ["  one round's epsilon and delta by engine fast: sides sound in float64, on its stated assumptions about rounding"]
        lines += map(str, self.rows)
        low, high = self._ends
        if high is not None:
            lines += [self.bound.claim.replace("(upper, delta)", f"({high}, {delta})")]
        if low is not None:
            lines += [f"lower: one neighbouring pair of datasets, the same in all rounds, has no epsilon below {low}"]
        return "\n".join(lines)

    @property
    def _ends(self) -> tuple[str | None, str | None]:
        """The lower and the least upper bound as people read them, each where it is known."""
        low = None if self.below is None else decimal_text(self.below.lower, digits=8, direction="down")
        return low, None if self.least is None else decimal_text(self.bound.upper, digits=8, direction="up")

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return "epsilon of all rounds together"

    @property
    def headline(self) -> str:
        """Both bounds of all rounds together, each where it is known."""
        low, high = self._ends
        ends = f"{'' if low is None else f'{low} <= '}epsilon{'' if high is None else f' <= {high}'}"
        return f"{ends}, {amount(self.inputs['rounds'], 'round')} together"

    def columns(self) -> dict[str, list[Any]]:
        """Way, both ends (floats rounded outward, nan where nothing is claimed), how far each can be relied on, and seconds."""
        nothing = float("nan")
        known = [None if row.standing == "estimate" else row.epsilon for row in self.rows]
        table: dict[str, list[Any]] = {
            "way": [row.name for row in self.rows],
            "at_least": [nothing for _ in self.rows],
            "at_most": [nothing if each is None else float_toward(each, direction="up") for each in known],
            "standing": [row.standing if row.epsilon is not None else None for row in self.rows],
            "seconds": [round(row.seconds, 3) for row in self.rows],
        }
        if self.below is not None:
            for column, cell in zip(
                table, (self.below.method, self.below.at_least, nothing, _held(self.below.engine), nothing), strict=True
            ):
                table[column].append(cell)
        return table

    @property
    def _each(self) -> tuple[Row, ...]:
        return self.rows

    @property
    def least(self) -> Row | None:
        """The row with the least upper bound; None where no way has an answer that holds."""
        known = [row for row in self.rows if row.standing != "estimate" and row.epsilon is not None]
        return min(known, key=lambda row: cast(Fraction, row.epsilon), default=None)

    @property
    def bound(self) -> Bound:
        """The least upper bound. Raises UnsupportedError where no way has an answer that holds."""
        least = self.least
        if least is None or least.epsilon is None:
            reason = "; ".join(f"{row.name}: {row.says}" for row in self.rows)
            raise UnsupportedError(what="epsilon of all rounds together", reason=reason, advice="ask for fewer rounds or a larger delta")
        alone = "; by basic composition, as no better way has an answer" if least.name.startswith("basic composition") else ""
        return Bound(
            quantity="epsilon",
            side="upper",
            lower=Fraction(0),
            upper=least.epsilon,
            value_of=f"epsilon of {self.inputs['rounds']} rounds by {least.name}",
            claim=f"upper: {self.inputs['rounds']} adaptive rounds of {self.whose} on shuffled data together satisfy (upper, delta)-DP"
            + alone,
            mechanisms=least.method.mechanisms,
            method=least.name if least.method.name in least.name else f"{self.method}, {least.name}",
            statement=least.statement,
            also=least.also,
            relation=self.relation,
            engine=cast(Engine, least.engine),
            inputs=self.inputs,
        )

    @property
    def whose(self) -> str:
        """The randomizers of which the bounds speak, in words."""
        if self.method == OPTIMAL_PAIR.name:
            return "local randomizers with R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta and R_0, R_1 <= q R_k at every step"
        if "sigma" in self.inputs:
            return f"numbers in [0, 1], to each of which its user adds N(0, sigma^2) with sigma = {self.inputs['sigma']},"
        if "randomizer" in self.inputs:
            functions = ", of any functions of the data" if self.least is None or self.least.method.mechanisms.adaptive else ""
            family = f" with {self.inputs['family']} hash functions" if "family" in self.inputs else ""
            return f"the randomizer {self.inputs['randomizer']}{family}, used by every user{functions}"
        return "adaptive sequences of eps0-DP local randomizers"


def _held(engine: str) -> Literal["certified", "sound"]:
    return "sound" if engine == "fast" else "certified"


@dataclass(frozen=True, kw_only=True, repr=False)
class Compositions(Rows[Composition]):
    """Epsilon over the number of rounds: a `Composition` for each, in the order asked. rounds: the numbers; each: what was found there."""

    rounds: tuple[int, ...]
    each: tuple[Composition, ...]

    @property
    def _each(self) -> tuple[Composition, ...]:
        return self.each

    @property
    def headline(self) -> str:
        """Say what is composed, over which numbers of rounds."""
        asked = {name: text for name, text in self.each[0].inputs.items() if name != "rounds"}
        return f"epsilon of {min(self.rounds)} to {max(self.rounds)} rounds together ({in_words(asked)})"

    def __str__(self) -> str:
        """The headline, and a line for each number of rounds."""
        return "\n".join([self.headline, *(f"  {one.headline}" for one in self.each)])

    def columns(self) -> dict[str, list[Any]]:
        """Rounds, both ends (floats rounded outward, nan where there is none), which way gave the upper one, and each way's own bound."""
        tables = [one.columns() for one in self.each]
        ways = dict.fromkeys(row.name for one in self.each for row in one.rows)
        known = [dict(zip(table["way"], table["at_most"], strict=True)) for table in tables]
        nothing = float("nan")
        return {
            "rounds": list(self.rounds),
            "at_least": [nothing if one.below is None else one.below.at_least for one in self.each],
            "at_most": [nothing if one.least is None else one.bound.at_most for one in self.each],
            "upper_by": [None if one.least is None else one.least.name for one in self.each],
            **{f"{way}, at_most": [there.get(way, nothing) for there in known] for way in ways},
        }

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw epsilon over the number of rounds: both sides of the truth, shaded between, and each way of composing as a thin line.

        axes: where to draw; new ones if None. Raises MissingExtraError without matplotlib (extra `plot`).
        """
        axes, table = axes or new_axes(), self.columns()
        order = sorted(range(len(self)), key=lambda place: self.rounds[place])
        columns = {name: [column[place] for place in order] for name, column in table.items()}
        at, ways = columns["rounds"], [name for name in columns if name.endswith(", at_most")]
        for number, way in enumerate(ways):
            if any(x == x for x in columns[way]):
                grey = str(round(0.35 + 0.4 * number / len(ways), 2))
                axes.plot(
                    at, columns[way], _LOOKS[number % len(_LOOKS)], color=grey, linewidth=0.9, markersize=4, label=way[: -len(", at_most")]
                )
        draw_between(axes, at, columns["at_least"], columns["at_most"])
        axes.set(xlabel="rounds", ylabel="epsilon of all rounds together", title=self.headline)
        axes.title.set(fontsize="small", wrap=True)
        axes.set_yscale("log" if logarithmic([x for way in ("at_least", *ways) for x in columns[way] if x == x]) else "linear")
        axes.legend(fontsize="small")
        return axes
