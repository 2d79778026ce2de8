"""One claimed epsilon against the certified bracket of the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from shuffleproof.accounting.rounds import Rounds
from shuffleproof.mechanisms.brackets import Bracket, claimed_ends
from shuffleproof.mechanisms.mechanism import Mechanism, shuffled
from shuffleproof.mechanisms.protocols import CoordinateSums
from shuffleproof.mechanisms.randomizers import NAMED, AnyRandomizer, Randomizer
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UndecidedError, UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import count, decimal_text, float_toward, in_words, parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES, named, one_of
from shuffleproof.spec.vocabulary.tables import LOWER_COLOUR, UPPER_COLOUR, Tabular, logarithmic, new_axes

if TYPE_CHECKING:
    import matplotlib.axes

RANDOMIZERS: Mapping[str, Callable[..., Randomizer]] = {"any": AnyRandomizer, **NAMED}
"""What a claim may be about: every eps0-DP randomizer, or a named one."""
ROUNDS = "rounds"
"""In how many rounds the same users take part, each with fresh randomness: 1 where it is left out."""
SUMS, CHANGED = "coordinate-sums", "changed"
"""Or the sums of the coordinates of RAPPOR reports, and nothing else of them; there `changed` is 2, or 1 where an item is dropped."""
ABOUT = ("n", "eps0", "delta", ROUNDS, RANDOMIZER.name, *(each.name for each in SIZES), CHANGED)
"""What may be said of a claim beside its epsilon."""

_LOOKS: Mapping[str, tuple[str, str]] = {"impossible": ("v", LOWER_COLOUR), "undecided": ("|", "0.3"), "sound": ("o", UPPER_COLOUR)}
"""Marks and colours of a picture: an impossible claim lies below a lower bound, a sound one above an upper bound."""

_DIGITS = 17
"""Digits to which ends of delta are rounded outward before epsilon is asked at them: as many as a float's text has."""
_REFUSED = (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError)
"""What one method may answer where others have a bracket."""


class Standing(StrEnum):
    """Says what is known of a claim, the worst first."""

    IMPOSSIBLE = "impossible"
    """Below a certified lower side: there are neighbouring datasets that it is false for."""
    UNDECIDED = "undecided"
    """Between the two sides of the bracket."""
    SOUND = "sound"
    """At or above a certified upper side."""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A claim, and what is known of it.

    given: what it is about, as texts; claimed: (lower, upper) ends of the claimed epsilon, equal where it is written exactly; bracket: of
    the least epsilon that holds. standing: see Standing.
    """

    given: Mapping[str, str]
    claimed: tuple[Fraction, Fraction]
    bracket: Bracket

    @property
    def standing(self) -> Standing:
        """Impossible only where the whole claim lies below the lower side, sound only where all of it is at or above the upper one."""
        low, high = self.claimed
        if self.bracket.lower is not None and high < self.bracket.lower.lower:
            return Standing.IMPOSSIBLE
        return Standing.SOUND if low >= self.bracket.upper.upper else Standing.UNDECIDED

    @property
    def factor(self) -> Fraction | None:
        """How many times too small an impossible claim is at least; how many times too large a sound one at least; None where unknown."""
        low, high = self.claimed
        below = self.bracket.lower.lower if self.bracket.lower is not None else Fraction(0)
        if self.standing is Standing.IMPOSSIBLE:
            return below / high if high > 0 else None
        if self.standing is Standing.SOUND and self.bracket.upper.upper > 0:
            return low / self.bracket.upper.upper
        return None

    @property
    def ratio(self) -> float | None:
        """The claimed epsilon divided by the known one: below 1 if impossible, 1 if undecided, else 1 or more; None where it is unknown."""
        if self.standing is Standing.UNDECIDED:
            return 1.0
        factor = 1 / self.factor if self.standing is Standing.IMPOSSIBLE and self.factor else self.factor
        return None if factor is None else float_toward(factor, direction="down")

    def __str__(self) -> str:
        told = in_words(self.given)
        claimed = decimal_text(self.claimed[1], digits=6, direction="up")
        factor = "" if self.factor is None else f", by a factor of at least {decimal_text(self.factor, digits=3, direction='down')}"
        word = {Standing.IMPOSSIBLE: "too small", Standing.SOUND: "loose"}.get(self.standing, "")
        how = f" ({word}{factor})" if factor else ""
        return f"{self.standing}: epsilon = {claimed} at {told}{how}\n  known: {self.bracket.ends} ({self.bracket.source})"

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values: numbers that matter are strings."""
        return {
            **self.given,
            "claimed": decimal_text(self.claimed[1], digits=17, direction="up"),
            "standing": self.standing.value,
            "factor": None if self.factor is None else decimal_text(self.factor, digits=6, direction="down"),
            "bracket": self.bracket.as_json(),
        }


class Judgements(tuple[Judgement, ...], Tabular):
    """Claims in their order, each judged; a tuple that prints as two lines for each."""

    __slots__ = ()

    __repr__ = Tabular.__repr__  # a tuple has one of its own

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or self.headline

    @property
    def headline(self) -> str:
        """How many claims there are of each standing."""
        counts = {each: sum(one.standing is each for one in self) for each in Standing}
        return f"{len(self)} claims: " + ", ".join(f"{number} {each}" for each, number in counts.items())

    def columns(self) -> dict[str, list[Any]]:
        """Return what each claim is about, the epsilon it claims, both ends of the bracket (floats rounded outward), and its standing."""
        names = dict.fromkeys(name for one in self for name in one.given)
        ends = [claimed_ends(one.bracket) for one in self]
        return {
            **{name: [one.given.get(name) for one in self] for name in names},
            "claimed": [float_toward(one.claimed[1], direction="up") for one in self],
            "at_least": [low for low, _ in ends],
            "at_most": [high for _, high in ends],
            "standing": [one.standing.value for one in self],
        }

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw by which factor each claim is too small (below 1) or loose (above 1), over the parameter that takes the most values.

        axes: where to draw; new ones if None. A claim between both ends of its bracket lies at 1; one without a finite factor is left out.
        Raises UnsupportedError without matplotlib (extra `plot`), or where no claim has a factor.
        """
        drawn = [(one, one.ratio) for one in self if one.ratio is not None]
        if not drawn:
            raise UnsupportedError(what="a picture", reason="no claim has a finite factor", advice="print the record: it says why")
        axes = axes or new_axes()
        texts = {name: [one.given[name] for one, _ in drawn] for name in ("n", "eps0", "delta")}
        over = max(texts, key=lambda name: len(set(texts[name])))  # the first of them where all take as many
        at = [float(parse_epsilon(text, parameter=over).bounds(bits=60)[0]) for text in texts[over]]
        for standing, (look, colour) in _LOOKS.items():
            mine = [place for place, (one, _) in enumerate(drawn) if one.standing == standing]
            if mine:
                axes.plot([at[k] for k in mine], [drawn[k][1] for k in mine], look, color=colour, label=f"{standing}: {len(mine)}")
        axes.axhline(1.0, color="0.5", linewidth=0.8)
        if logarithmic(at):
            axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(over)
        axes.set_ylabel("claimed epsilon / certified bound")
        axes.legend()
        return axes


def judged(
    *, given: Mapping[str, str], claimed: tuple[Fraction, Fraction], delta: tuple[Fraction, Fraction] | None = None, quick: bool = False
) -> Judgement:
    """A claim about shuffled reports, judged.

    given: "n", "eps0", "delta", and "randomizer" with what it needs (k, d, blocks, buckets), as texts; any eps0-DP randomizer where none
    is named. claimed: ends of the claimed epsilon, at least 0. delta: ends of that of the claim, where it is not the one given:
    the claim is false where it is for the larger one, and holds where it does for the smaller one. quick: whether, of all randomizers,
    a wider bracket is enough where it decides: the tightest one takes a second, which many points do not need.
    Raises DomainError naming what is wrong, and what the objects raise.
    """
    for name in ("n", "eps0", "delta"):
        if name not in given:
            raise DomainError(parameter=name, value="nothing", requirement="given with every claim")
    if claimed[0] < 0:
        raise DomainError(parameter="epsilon", value=decimal_text(claimed[0], digits=6, direction="down"), requirement="at least 0")
    if given.get("randomizer") == SUMS:
        sums = CoordinateSums(n=given["n"], epsilon0=given["eps0"], changed=given.get(CHANGED, "2"))
        return _against(_repeated(sums, given).epsilon, given, claimed, delta)
    require(CHANGED not in given, parameter=CHANGED, value=given.get(CHANGED), requirement=f"left out, or given with randomizer={SUMS}")
    name = one_of(given.get("randomizer", "any"), (*RANDOMIZERS, SUMS), parameter="randomizer")
    own = {each.name: given[each.name] for each in SIZES if each.name in given}
    if name == "any":
        for size, text in own.items():
            raise DomainError(parameter=size, value=text, requirement="left out, or given with the randomizer that it is of")
    else:
        named(name, **own)
    reports = shuffled(RANDOMIZERS[name](epsilon0=given["eps0"], **own), n=given["n"])
    asked = _repeated(reports, given)
    if name != "any" or asked is not reports:
        return _against(asked.epsilon, given, claimed, delta)
    if quick:
        with suppress(*_REFUSED):
            found = _against(partial(_of_all_quickly, reports), given, claimed, delta)
            if found.standing is not Standing.UNDECIDED:
                return found
    return _against(partial(_of_all, reports), given, claimed, delta)


@lru_cache(maxsize=1024)  # formulas are asked at the same points, 64 at first
def _of_all(reports: Mechanism, *, delta: str) -> Bracket:
    """The tightest bracket of all randomizers, kept."""
    return reports.epsilon(delta=delta)


@lru_cache(maxsize=1024)
def _of_all_quickly(reports: Mechanism, *, delta: str) -> Bracket:
    """A bracket of all randomizers by two methods in a few hundredths of a second, kept."""
    # The lower side first: where it is refused, among the most users, the upper one takes half a minute.
    lower, upper = (reports.epsilon(delta=delta, method=each, engine="fast") for each in ("binary-rr-pair", "stronger-clones"))
    of = f"{reports}, {in_words({'delta': delta})}"
    return Bracket(quantity="epsilon", of=of, upper=upper, lower=lower, mechanisms=reports.mechanisms())


def _repeated(one: Mechanism, given: Mapping[str, str]) -> Mechanism | Rounds:
    """Return the mechanism of all rounds that the claim is about; one round is no composition, whose grid would take a minute."""
    return one if ROUNDS not in given or count(given[ROUNDS], parameter=ROUNDS) == 1 else Rounds(one=one, rounds=given[ROUNDS])


def _against(
    epsilon: Callable[..., Any], given: Mapping[str, str], claimed: tuple[Fraction, Fraction], delta: tuple[Fraction, Fraction] | None
) -> Judgement:
    """The claim against the bracket that `epsilon(delta=...)` gives."""
    if delta is None:
        return Judgement(given=dict(given), claimed=claimed, bracket=epsilon(delta=given["delta"]))
    # Rounded outward to short texts: nothing is accused or acquitted by that.
    least, most = decimal_text(delta[0], digits=_DIGITS, direction="down"), decimal_text(delta[1], digits=_DIGITS, direction="up")
    found = Judgement(given=dict(given), claimed=claimed, bracket=epsilon(delta=most))
    if least == most or found.standing is Standing.IMPOSSIBLE:  # which it is for the smaller delta all the more
        return found
    return replace(found, bracket=replace(found.bracket, upper=epsilon(delta=least).upper))
