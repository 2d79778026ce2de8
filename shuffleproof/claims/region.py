"""A formula for epsilon, judged over a region: where it is impossible, where it holds, and the simplest witness."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from shuffleproof.claims.formula import Formula
from shuffleproof.claims.judging import ABOUT, Judgement, Judgements, Standing, judged
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    RegimeError,
    ResourceLimitError,
    UndecidedError,
    UnsupportedError,
    require,
    require_one_of,
)
from shuffleproof.spec.vocabulary.numerals import count, decimal_text, epsilon0_parameter, exact_fraction, probability
from shuffleproof.spec.vocabulary.tables import Tabular

if TYPE_CHECKING:
    import matplotlib.axes

_SIMPLE: Mapping[str, tuple[str, ...]] = {
    "n": ("1", "2", "10", "100", "1000", "10000", "100000", "1000000"),
    "eps0": ("1", "2", "1/2", "4", "1/10", "8", "1/100"),
    "delta": ("1e-6", "1e-9", "1e-3", "1e-12"),
}
"""Values that a reader takes in at a glance, the simplest first for eps0 and delta."""
_DRAWN: Mapping[str, tuple[float, float]] = {"n": (0, 7), "eps0": (-2, 1), "delta": (-12, -2)}
"""Decimal exponents between which points are drawn."""
_DOMAINS: Mapping[str, Callable[[str], object]] = {
    "n": partial(count, parameter="n"),
    "eps0": epsilon0_parameter,
    "delta": partial(probability, parameter="delta"),
}
"""What reads a value that does not vary."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Survey(Tabular):
    """A formula over a region.

    formula, condition: as they were written; judgements: of every point asked; outside: points at which the condition does not hold, or the
    formula has no value that is at least 0; refused: points at which no bracket was to be had. witness: the simplest impossible one, None
    where there is none.
    """

    formula: str
    condition: str | None
    judgements: tuple[Judgement, ...]
    outside: int
    refused: int
    witness: Judgement | None

    def __str__(self) -> str:
        """The formula and how many points have each standing, and the simplest witness against it."""
        return f"epsilon = {self.formula}: {self.headline}" + ("" if self.witness is None else f"\n  {self.witness}")

    @property
    def headline(self) -> str:
        """How many of the points asked have each standing."""
        return f"{len(self.judgements)} points: " + ", ".join(f"{self.count(each)} {each}" for each in Standing)

    @property
    def notes(self) -> tuple[str, ...]:
        """The simplest witness against the formula, if there is one."""
        return () if self.witness is None else (str(self.witness),)

    def columns(self) -> dict[str, list[Any]]:
        """A row for each point asked, as of a table of claims."""
        return Judgements(self.judgements).columns()

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw by which factor the formula is too small or loose at each point, as a table of claims does."""
        return Judgements(self.judgements).plot(axes)

    def count(self, standing: Standing) -> int:
        """How many points have this standing."""
        return sum(each.standing is standing for each in self.judgements)

    @property
    def standing(self) -> Standing:
        """The worst of all points. Raises DomainError where none was judged."""
        if not self.judgements:
            raise DomainError(parameter="where", value=self.condition, requirement="a condition that holds somewhere in the region")
        return next(each for each in Standing if self.count(each))

    @property
    def loose_by(self) -> str | None:
        """Return by which factor it is loose where it is sound, at least: the median of these points; None where there are none."""
        factors = sorted(each.factor for each in self.judgements if each.standing is Standing.SOUND and each.factor is not None)
        return decimal_text(factors[len(factors) // 2], digits=3, direction="down") if factors else None

    def region(self) -> str:
        """Return between which values the points lie that were judged: of a point between them nothing is said."""
        ends = []
        for name in _SIMPLE:
            values = [exact_fraction(each.given[name], parameter=name) for each in self.judgements]
            least, most = (decimal_text(end, digits=6, direction="down") for end in (min(values), max(values)))
            ends.append(f"{name} = {least}" if least == most else f"{name} from {least} to {most}")
        return ", ".join(ends)

    def conditions(self) -> list[str]:
        """Half lines of one variable on which every point asked is impossible, three points at least: found, not proved."""
        found = []
        for name in ("n", "eps0", "delta"):
            values = sorted({exact_fraction(each.given[name], parameter=name) for each in self.judgements})
            for sign, kept in (("<=", lambda x, edge: x <= edge), (">=", lambda x, edge: x >= edge)):
                edges = [edge for edge in values if self._all_impossible(name, edge, kept)]
                if edges:
                    # Rounded into the half line: what is said of it is then said of asked points alone.
                    edge = decimal_text(max(edges), digits=6, direction="down")
                    found.append(f"{name} {sign} {edge if sign == '<=' else decimal_text(min(edges), digits=6, direction='up')}")
        return found

    def _all_impossible(self, name: str, edge: Fraction, kept: Callable[[Fraction, Fraction], bool]) -> bool:
        there = [each for each in self.judgements if kept(exact_fraction(each.given[name], parameter=name), edge)]
        return len(there) >= 3 and all(each.standing is Standing.IMPOSSIBLE for each in there)


def survey(
    formula: Formula,
    *,
    condition: Formula | None = None,
    claimed_delta: Formula | None = None,
    fixed: Mapping[str, str] | None = None,
    points: int = 60,
    seed: int = 0,
    step: Callable[[], object] = lambda: None,
) -> Survey:
    """Judge a formula for the epsilon of shuffled reports at simple points and at points drawn from a seed.

    formula: of epsilon, in n, eps0, delta, k; condition: where it is claimed, everywhere if None; claimed_delta: of the central delta, in
    the same variables, delta itself if None; fixed: values that do not vary, and "randomizer" with what it needs; points: drawn ones, from
    0 to 10,000, n to 10^7, eps0 from 1/100 to 10, delta from 1e-12 to 1e-2. step: called after each point. Raises DomainError.
    """
    require(0 <= points <= 10_000, parameter="points", value=points, requirement="from 0 to 10000")
    require(not formula.condition, parameter="expression", value=formula.text, requirement="a number, and no comparison")
    for each, name in ((condition, "where"), (claimed_delta, "claimed-delta")):
        if each is not None:
            require(
                each.condition == (name == "where"), parameter=name, value=each.text, requirement="a comparison for where, else a number"
            )
    same = dict(fixed or {})
    for name, text in same.items():
        require_one_of(name, ABOUT, parameter="fixed")
        if name in _DOMAINS:
            _DOMAINS[name](text)
    judgements: list[Judgement] = []
    outside = refused = 0
    known: dict[frozenset[tuple[str, str]], Judgement | str | None] = {}  # where all is fixed, points are one point
    for given in _points(same, points, seed):
        of = frozenset(given.items())
        if of not in known:
            known[of] = _judged(formula, condition, claimed_delta, given)
        judgement = known[of]
        if isinstance(judgement, Judgement):
            judgements.append(judgement)
        else:
            outside, refused = outside + (judgement is None), refused + (judgement is not None)
        step()
    impossible = [each for each in judgements if each.standing is Standing.IMPOSSIBLE]
    witness = min(impossible, key=lambda each: _plainness(each.given), default=None)
    return Survey(
        formula=formula.text,
        condition=condition.text if condition else None,
        judgements=tuple(judgements),
        outside=outside,
        refused=refused,
        witness=witness,
    )


def size(fixed: Mapping[str, str], points: int) -> int:
    """How many points a survey asks."""
    return points + len(list(_grid(fixed)))


def _judged(formula: Formula, condition: Formula | None, claimed_delta: Formula | None, given: Mapping[str, str]) -> Judgement | str | None:
    """The point's judgement; None where nothing is claimed there; else why there is no bracket."""
    values = {name: exact_fraction(given[name], parameter=name) for name in ("n", "eps0", "delta", "k") if name in given}
    if condition is not None and not condition.holds(values):
        return None
    claimed = formula.ends(values)
    delta = None
    if claimed_delta is not None:
        at = claimed_delta.ends(values)
        if at is None or not 0 <= at[1] <= 1:
            return None
        delta = max(at[0], Fraction(0)), at[1]
    if claimed is None or claimed[0] < 0:
        return None
    try:
        return judged(given=given, claimed=claimed, delta=delta, quick=True)
    except (RegimeError, ResourceLimitError, UndecidedError, UnsupportedError) as refusal:
        return str(refusal)


def _points(fixed: Mapping[str, str], points: int, seed: int) -> Iterator[dict[str, str]]:
    yield from _grid(fixed)
    drawn = random.Random(f"survey, {seed}")
    for _ in range(points):
        exponents = {name: drawn.uniform(*between) for name, between in _DRAWN.items()}
        point = {
            "n": str(round(10 ** exponents["n"])),
            "eps0": f"{10 ** exponents['eps0']:.3g}",
            "delta": f"{10 ** exponents['delta']:.2e}",
        }
        yield {**point, **fixed}


def _grid(fixed: Mapping[str, str]) -> Iterator[dict[str, str]]:
    axes: list[Sequence[str]] = [(fixed[name],) if name in fixed else _SIMPLE[name] for name in ("n", "eps0", "delta")]
    coarse = [axis if len(axis) <= 4 else axis[:: 2 if at == 0 else 1][:4] for at, axis in enumerate(axes)]
    for n, eps0, delta in product(*coarse):
        yield {**fixed, "n": n, "eps0": eps0, "delta": delta}


def _plainness(given: Mapping[str, str]) -> tuple[int, ...]:
    """Small for a point that a reader takes in at a glance."""
    places = [list(_SIMPLE[name]).index(given[name]) if given[name] in _SIMPLE[name] else 100 for name in ("eps0", "delta", "n")]
    return (sum(place == 100 for place in places), *places)
