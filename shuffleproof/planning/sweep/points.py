"""Which points a sweep has: lists and ranges of numbers, their grid, cut into batches."""

import json
import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, cast

from shuffleproof.bounds import answer
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.elementary import approximate_log
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    count,
    decimal_text,
    epsilon0_parameter,
    exact_fraction,
    parse_epsilon,
    probability,
    shortest,
    ungrouped,
)

Swept = Literal["epsilon", "delta"]
_MOST_POINTS = 10**7
"""Points of a sweep, which are kept in memory."""
_ONE_OR_TWO = re.compile(r"[0-9]{1,3},[0-9]{3}")
"""What is one number or two, as one reads it."""
_RANGE_DIGITS = 6
"""Digits of the members of a range."""


@dataclass(frozen=True)
class Point:
    """n users, local parameter epsilon0, and the central parameter: delta where epsilon is asked, epsilon where delta is. Texts."""

    n: str
    epsilon0: str
    central: str

    @property
    def key(self) -> str:
        """Return what distinguishes points in a file of results."""
        return json.dumps([self.n, self.epsilon0, self.central])


@dataclass(frozen=True)
class Settings:
    """Holds what all points of a sweep share; digits: of the certified engine, None for its default."""

    quantity: Swept
    method: str
    engine: str
    digits: int | None = None

    def __str__(self) -> str:
        digits = "" if self.digits is None else f", {self.digits} digits"
        return f"{self.quantity} by {self.method}, engine {self.engine}{digits}"


@dataclass(frozen=True)
class Batch:
    """Points to be answered in one go."""

    settings: Settings
    points: tuple[Point, ...]


Points = str | Number | Epsilon | Iterable[Number | Epsilon]
"""One number or many: text such as "1000,1e4, ln 3" or "1e3:1e9:13", a number, a list, an array."""


def numbers(given: Points, *, parameter: str, whole: bool = False) -> tuple[str, ...]:
    """Numbers from "1000,1e4, ln 3" or from a range FIRST:LAST:COUNT such as "1e3:1e9:13", whose steps are equal ratios; or numbers.

    whole: rounded to integers. Range members have six digits. Returns texts without repetition. Raises DomainError.
    """
    if not isinstance(given, str):
        many = given if isinstance(given, Iterable) else (given,)
        return tuple(dict.fromkeys(_exact_text(cast(Number, each), parameter) for each in many))
    text, read = given, ungrouped if whole else str
    if ":" not in text:
        found = tuple(read(part.strip()) for part in text.split(","))
        if "" in found:
            raise DomainError(parameter=parameter, value=text, requirement='numbers with commas between them, or "FIRST:LAST:COUNT"')
        if whole and (any(part.startswith("0") for part in found) or _ONE_OR_TWO.fullmatch(text.strip())):
            raise DomainError(
                parameter=parameter, value=text, requirement="numbers with commas between them, none within: 10_000, or 2, 500"
            )
        return tuple(dict.fromkeys(found))
    parts = text.split(":")
    if len(parts) != 3:
        raise DomainError(parameter=parameter, value=text, requirement='a range "FIRST:LAST:COUNT"')
    first, last = (exact_fraction(read(part.strip()), parameter=parameter) for part in parts[:2])
    size = count(parts[2].strip(), parameter=parameter, minimum=2, maximum=_MOST_POINTS)
    if not 0 < first < last:
        raise DomainError(parameter=parameter, value=text, requirement="a range from a number above 0 to a larger one")
    ratio = (approximate_log(last) - approximate_log(first)) / (size - 1)
    between = (first * Fraction(math.exp(ratio * i)) for i in range(1, size - 1))
    members = (first, *between, last)
    if whole:
        return tuple(dict.fromkeys(str(round(member)) for member in members))
    return tuple(dict.fromkeys(decimal_text(member, digits=_RANGE_DIGITS, direction="down") for member in members))


def grid(*, n: Sequence[str], epsilon0: Sequence[str], central: Sequence[str]) -> tuple[Point, ...]:
    """All combinations; those that share n and epsilon0 are neighbours. Raises DomainError above ten million points."""
    size = len(n) * len(epsilon0) * len(central)
    if not 0 < size <= _MOST_POINTS:
        raise DomainError(parameter="points", value=size, requirement=f"1 to {_MOST_POINTS}")
    return tuple(Point(users, local, third) for local in epsilon0 for users in n for third in central)


def batches(settings: Settings, points: Sequence[Point], *, size: int) -> Iterator[Batch]:
    """The points in their order, `size` at a time."""
    for start in range(0, len(points), size):
        yield Batch(settings, tuple(points[start : start + size]))


def checked(settings: Settings, *, n: Sequence[str], epsilon0: Sequence[str], central: Sequence[str]) -> None:
    """Every number inside its domain. Raises DomainError."""
    for users in n:
        count(users, parameter="n")
    for local in epsilon0:
        epsilon0_parameter(local)
    for third in central:
        if settings.quantity == "epsilon":
            probability(third, parameter="delta")
        else:
            parse_epsilon(third)


def _exact_text(value: Number | Epsilon, parameter: str) -> str:
    """A number as text that stands for the same number: a float's shortest text stands for another one."""
    return str(value) if isinstance(value, str | Epsilon) else shortest(exact_fraction(value, parameter=parameter))


COLUMNS = ("n", "eps0", "delta", "eps", "quantity", "method", "asked_engine", "digits", "engine", "side", "lower", "upper", "refused")
"""What a row may have beside its seconds; numbers that matter are texts, lower rounded down and upper rounded up."""


def answer_batch(batch: Batch) -> list[dict[str, Any]]:
    """The rows of a batch. Raises DomainError where a parameter is outside its domain; a refusal is a row with the reason.

    Points that share n and epsilon0 are answered one after the other, since an engine may keep what depends on these alone. That affects
    seconds, not bounds: a row is the same in any batch.
    """
    rows: dict[Point, dict[str, Any]] = {}
    for point in sorted(batch.points, key=lambda point: (point.epsilon0, point.n)):
        rows[point] = _row(batch.settings, point)
    return [rows[point] for point in batch.points]


def _row(settings: Settings, point: Point) -> dict[str, Any]:
    third = "delta" if settings.quantity == "epsilon" else "eps"
    row: dict[str, Any] = {"n": point.n, "eps0": point.epsilon0, third: point.central, "quantity": settings.quantity}
    row |= {"method": settings.method, "asked_engine": settings.engine, "digits": settings.digits}
    started = time.perf_counter()
    try:
        found = _answer(settings, point)
    except (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError) as refusal:
        row |= {"refused": str(refusal)}
    else:
        lower, upper = found.decimals()
        row |= {"engine": found.engine, "side": found.side, "lower": lower, "upper": upper}
    return row | {"seconds": round(time.perf_counter() - started, 6)}


def _answer(settings: Settings, point: Point) -> Bound:
    third = "delta" if settings.quantity == "epsilon" else "epsilon"
    parameters = {"n": point.n, "epsilon0": point.epsilon0, third: point.central}
    return answer(
        quantity=settings.quantity, parameters=parameters, method=settings.method, engine=settings.engine, digits=settings.digits
    ).bound


def key_of(row: Mapping[str, Any]) -> str:
    """The key of the point that a row answers. Raises KeyError where it is no row."""
    third = "delta" if row["quantity"] == "epsilon" else "eps"
    return Point(row["n"], row["eps0"], row[third]).key
