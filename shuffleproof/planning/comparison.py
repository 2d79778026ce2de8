"""Every method that speaks of one thing, side by side: for all eps0-DP randomizers, for one of them by its name, or for Gaussian noise."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack, cast

from shuffleproof.answering import OfRandomizer, answer_by, given
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.keywords import by_keyword, own_arithmetic, own_names
from shuffleproof.mechanisms.brackets import Bracket, Refusal, claimed_ends
from shuffleproof.methods import METHODS
from shuffleproof.methods.selection import asked_about, speaking_of
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UndecidedError, UnsupportedError, require
from shuffleproof.spec.vocabulary.named_randomizer import SETTINGS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, decimal_text, in_words
from shuffleproof.spec.vocabulary.parameters import CENTRAL, DELTA0, EPSILON0, SIGMA, N
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.randomizers import HASHING, canonical_name, completed
from shuffleproof.spec.vocabulary.scope import Mechanisms
from shuffleproof.spec.vocabulary.tables import Rows

__dir__ = own_names(__name__)

_DIGITS = 9
"""Digits asked for of a named randomizer's bounds, eight of which are shown."""
_SHARED_BEYOND = 10**9
"""Users beyond which all methods together may cost what one answer does: float64 takes nothing over there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """One method. name: with parameters of its own, if any; method: its name; bound: its answer, or None, and why not; seconds: taken."""

    name: str
    method: str
    bound: Bound | None
    why_not: str | None
    seconds: float

    @property
    def value(self) -> str:
        """The end of the enclosure that the claim speaks of, rounded to that side, with the side in words."""
        return "not applicable" if self.bound is None else one_sided(self.bound)

    @property
    def _place(self) -> tuple[int, Fraction]:
        """Upper bounds, then lower bounds, each the tightest first; then what is no bound."""
        if self.bound is None or self.bound.side == "estimate":
            return 3 if self.bound is None else 2, Fraction(0)
        return (1, -self.bound.lower) if self.bound.claim_side == "lower" else (0, self.bound.upper)

    @property
    def of_uniform(self) -> bool:
        """Return whether its answer is about hashing with uniform functions."""
        return self.bound is not None and self.bound.inputs.get("family") == "uniform"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Comparison(Rows[Compared]):
    """Every method side by side; a sequence of its rows.

    quantity: what is compared; of: what it is about, in words; hashing: whether that is local hashing with no family of functions named:
    some methods speak of the worst family and some of uniform functions; mechanisms: the widest scope that it is about.
    """

    quantity: Quantity
    of: str
    rows: tuple[Compared, ...]
    hashing: bool = False
    mechanisms: Mechanisms = Mechanisms.ONE

    @property
    def _each(self) -> tuple[Compared, ...]:
        return self.rows

    def tightest_first(self) -> tuple[Compared, ...]:
        """The rows: upper bounds from the least on, then lower bounds from the greatest on, then estimates and what has no answer."""
        return tuple(sorted(self.rows, key=lambda row: row._place))

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.rows)} methods: {self.quantity} for {self.of}>"

    def __str__(self) -> str:
        """The table, and one bracket for each scope."""
        lines = [f"{self.quantity} for {self.of}", self.table()]
        with suppress(UnsupportedError):
            lines += ["", *(f"{each.ends} ({each.source})" for each in self.brackets)]
        return "\n".join(lines)

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return self.quantity

    @property
    def headline(self) -> str:
        """The widest bracket, or what is compared where there is none."""
        with suppress(UnsupportedError):
            return self.bracket.ends
        return f"{self.quantity} for {self.of}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The brackets, and what the rows claim, by the names of their methods."""
        rows = self.tightest_first()
        told = [f"{', '.join(rows[number - 1].name for number in numbers)}: {claim}" for claim, numbers in self._claims().items()]
        with suppress(UnsupportedError):
            return *map(str, self.brackets), *told
        return tuple(told)

    def columns(self) -> dict[str, list[Any]]:
        """Method, both ends (floats rounded outward, nan where nothing is claimed), engine and seconds; tightest first."""
        rows = self.tightest_first()
        ends = [claimed_ends(row.bound) for row in rows]
        return {
            "method": [row.name for row in rows],
            "at_least": [low for low, _ in ends],
            "at_most": [high for _, high in ends],
            "engine": [None if row.bound is None else row.bound.engine for row in rows],
            "seconds": [round(row.seconds, 3) for row in rows],
        }

    def table(self) -> str:
        """Method, value, engine and seconds, tightest first; a row's number is that of its guarantee (see `guarantees`)."""
        cells: list[tuple[str, ...]] = [("", "method", self.quantity, "engine", "seconds")]
        for number, row in enumerate(self.tightest_first(), 1):
            engine = "" if row.bound is None else row.bound.engine
            cells.append((f"[{number}]", row.name, row.value, engine, f"{row.seconds:.2f}"))
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in cells)

    def guarantees(self) -> str:
        """Return what the rows of the table say, under their numbers: rows of one claim together, then what does not apply, and why."""
        return "\n".join(f"[{', '.join(map(str, numbers))}] {claim}" for claim, numbers in self._claims().items())

    def _claims(self) -> dict[str, list[int]]:
        """Return what the rows claim, or why one does not apply, each with the numbers of the rows that say so."""
        told: dict[str, list[int]] = {}
        for number, row in enumerate(self.tightest_first(), 1):
            told.setdefault(f"not applicable: {row.why_not}" if row.bound is None else row.bound.claim, []).append(number)
        return told

    def chains(self) -> str:
        """Return which statements the ends of the brackets rest on, under the numbers of their rows."""
        ends = [bound for each in self.brackets for bound in (each.upper, each.lower)]
        rows = enumerate(self.tightest_first(), 1)
        return "\n".join(f"[{at}] rests on {', '.join(row.bound.statements)}" for at, row in rows if row.bound and row.bound in ends)

    @property
    def bracket(self) -> Bracket:
        """The least upper and the greatest lower bound of the widest scope; of hashing with no family named those for the worst one.

        Raises UnsupportedError where no method has an upper one.
        """
        return self._bracket(self.of, self._of_worst_hashing, self.mechanisms)

    @property
    def brackets(self) -> tuple[Bracket, ...]:
        """One bracket for each scope in which one is known, adaptive mechanisms first; one that says what `bracket` does is left out."""
        scopes = sorted((each for each in Mechanisms if each.rank == self.mechanisms.rank), key=lambda each: not each.adaptive)
        found: dict[Mechanisms, Bracket] = {}
        for scope in scopes:
            with suppress(UnsupportedError):
                found[scope] = self._bracket(self.of, self._of_worst_hashing, scope)
        main = found.get(self.mechanisms)
        ends = [(each.upper.upper, each.lower and each.lower.lower) for each in (main,) if each is not None]
        return tuple(each for each in found.values() if each is main or (each.upper.upper, each.lower and each.lower.lower) not in ends)

    @property
    def uniform_bracket(self) -> Bracket | None:
        """That of hashing with uniform functions; None where it is about something else."""
        known = [row for row in self.rows if row.of_uniform or METHODS[row.method].side == "upper"]
        return self._bracket(f"{self.of}, uniform hash functions", known, self.mechanisms) if self.hashing else None

    @property
    def _of_worst_hashing(self) -> list[Compared]:
        return [row for row in self.rows if not (self.hashing and row.of_uniform and METHODS[row.method].side == "upper")]

    def _bracket(self, of: str, rows: Sequence[Compared], scope: Mechanisms) -> Bracket:
        known = [row.bound for row in rows if row.bound is not None and row.bound.side != "estimate"]
        uppers = [each for each in known if each.claim_side == "upper" and each.mechanisms.contains(scope)]
        lowers = [each for each in known if each.claim_side == "lower" and scope.contains(each.mechanisms)]
        refusals = tuple(Refusal(method=row.name, why=row.why_not) for row in self.rows if row.why_not is not None)
        if not uppers:
            reason = "; ".join(f"{each.method}: {each.why}" for each in refusals)
            raise UnsupportedError(what=f"an upper bound on {self.quantity}", reason=reason, advice="ask for other parameters")
        return Bracket(
            quantity=self.quantity,
            of=of,
            upper=min(uppers, key=lambda each: each.upper),
            lower=max(lowers, key=lambda each: each.lower, default=None),
            refusals=refusals,
            mechanisms=scope,
        )


def one_sided(bound: Bound) -> str:
    """The end of the enclosure that the claim speaks of, rounded to that side, with the side in words."""
    if bound.side == "estimate":
        return f"about {decimal_text((bound.lower + bound.upper) / 2, digits=4, direction='up')}, an estimate, not a bound"
    if bound.claim_side == "lower":
        return f"at least {decimal_text(bound.lower, digits=8, direction='down')}"
    return f"at most {decimal_text(bound.upper, digits=8, direction='up')}"


@by_keyword
@own_arithmetic()
def compare(
    *,
    n: Number,
    epsilon0: Number | Epsilon | None = None,
    delta0: Number | None = None,
    sigma: Number | None = None,
    delta: Number | None = None,
    epsilon: Number | Epsilon | None = None,
    **randomizer: Unpack[OfRandomizer],
) -> Comparison:
    """Every method that speaks of all eps0-DP randomizers, or of a named one, each with its side, its bound and its cost.

    n: users; epsilon0: local parameter; delta0: where it is given, all (eps0, delta0)-DP randomizers are meant; sigma: instead of both,
    the standard deviation of Gaussian noise on numbers in [0, 1], which has no local parameter; one of delta (to compare epsilons) and
    epsilon (to compare deltas); randomizer: its name, with what it needs (see `shuffleproof.answering.OfRandomizer`), or left out.
    Raises DomainError before any work starts; a method that has no answer says why in its row.
    """
    if (delta is None) == (epsilon is None):
        raise DomainError(
            parameter="delta", value=delta, requirement="given to compare epsilons, or epsilon to compare deltas, but not both"
        )
    quantity: Quantity = "epsilon" if delta is not None else "delta"
    named = given(OfRandomizer, randomizer, to=compare)
    if sigma is not None:
        for name, value in {"epsilon0": epsilon0, "delta0": delta0, **named}.items():
            require(value is None, parameter=name, value=value, requirement="left out: sigma says what every user sends")
    # Everything is read here, once: methods are asked with exact values, and results repeat what was typed.
    numbers = {N: n, EPSILON0: epsilon0, DELTA0: delta0, SIGMA: sigma, CENTRAL[quantity]: delta if epsilon is None else epsilon}
    exact = {each.name: each.read(value, {}) for each, value in numbers.items() if value is not None}
    central = {name: exact.pop(name) for name in (N.name, CENTRAL[quantity].name)}
    own = {name: SETTINGS[name](value) if name in SETTINGS else value for name, value in named.items()}
    about = completed({**own, **exact})
    if epsilon0 is None and sigma is None and (epsilon0 := cast("Epsilon | None", about.get("epsilon0"))) is None:
        wanted = "given beside randomizer" if own else "given, or sigma for Gaussian noise on numbers in [0, 1]"
        raise DomainError(parameter="epsilon0", value="(nothing)", requirement=wanted)
    require(delta0 is None or not own, parameter="delta0", value=delta0, requirement="left out where a randomizer is named")
    require("randomizer" in own or not own, parameter="randomizer", value="(nothing)", requirement="given with its sizes")
    typed = as_given(n=n, sigma=sigma, epsilon0=epsilon0, delta0=delta0, delta=delta, epsilon=epsilon)
    rows, methods = [], [each for each in speaking_of(about) if not each.again]
    # Beyond that many users float64 takes nothing over, and all methods together may cost what one answer does.
    share = 1 / len(methods) if central["n"] > _SHARED_BEYOND else 1
    for each in steps(methods, of="methods"):
        started = time.perf_counter()
        bound, why = None, None
        try:
            asked = {**central, **each.parameters}
            digits = _DIGITS if each.parameters.keys() - {EPSILON0.name, DELTA0.name} else None
            with one_answer(times=share):
                bound = answer_by(
                    quantity=quantity, parameters=asked, method=each.method.name, digits=digits, or_fewer=True, typed=typed
                ).bound
        except (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError) as refusal:
            why = str(refusal)
        beside = as_given(**{name: value for name, value in each.parameters.items() if about.get(name) != value})
        name = ", ".join([each.method.name, *(f"{setting} = {text}" for setting, text in beside.items())])
        rows.append(Compared(name=name, method=each.method.name, bound=bound, why_not=why, seconds=time.perf_counter() - started))
    hashing = "randomizer" in own and canonical_name(own["randomizer"]) == HASHING and "family" not in own
    return Comparison(
        quantity=quantity,
        of=in_words(as_given(n=n, **named, sigma=sigma, eps0=epsilon0, delta0=delta0, delta=delta, eps=epsilon)),
        rows=tuple(rows),
        hashing=hashing,
        mechanisms=asked_about(about),
    )
