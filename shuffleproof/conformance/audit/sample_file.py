"""Outputs on two neighbouring inputs as a CSV file with the columns side and output."""

from __future__ import annotations

import csv
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from shuffleproof.conformance.audit.samples import binned, halves
from shuffleproof.spec.vocabulary.errors import DomainError

_COLUMNS = ("side", "output")
_BINS = 64
_MOST_DISTINCT = 256
_LONGEST_LINE = 1 << 20
_MOST_SAMPLES = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Samples:
    """names: of the two sides, as they first appear; choosing, testing: counts of outputs on both, from different samples.

    Which of a side's outputs choose and which test does not depend on how the file is ordered: it may be sorted.
    Numbers with more than 256 different values are counted by interval, `bin 0` to `bin 63`, quantiles of the choosing half; what is no
    finite number counts as itself. scattered: most of the choosing half are different texts, so that nothing can be found in them.
    """

    names: tuple[str, str]
    choosing: tuple[Counter[Hashable], Counter[Hashable]]
    testing: tuple[Counter[Hashable], Counter[Hashable]]
    scattered: bool


def read(path: Path) -> Samples:
    """The samples in a file; at least two on each side. Raises DomainError naming the line."""
    sides: dict[str, list[str]] = {}
    try:
        with path.open("rb") as file:
            _read_rows(file, sides)
    except OSError as error:
        raise DomainError(parameter="FILE", value=str(path), requirement=f"a file that can be read ({error.strerror})") from None
    if len(sides) != 2 or min(len(outputs) for outputs in sides.values()) < 2:
        told = {name: len(outputs) for name, outputs in sides.items()}
        raise DomainError(parameter="FILE", value=told, requirement="two sides with at least two samples each")
    (first, one), (second, two) = sides.items()
    return _divided((first, second), one, two)


def of_sides(sides: Sequence[Sequence[object]]) -> Samples:
    """Outputs on two inputs, numbers or texts, at least two of each. Raises DomainError."""
    sizes = [len(outputs) for outputs in sides]
    if len(sizes) != 2 or min(sizes) < 2 or sum(sizes) > _MOST_SAMPLES:
        requirement = f"two sequences of at least two outputs each, {_MOST_SAMPLES} in all at most"
        raise DomainError(parameter="samples", value=sizes, requirement=requirement)
    one, two = ([str(output) for output in outputs] for outputs in sides)
    return _divided(("first", "second"), one, two)


def _divided(names: tuple[str, str], one: list[str], two: list[str]) -> Samples:
    """Half of each side to choose an event, half to test it."""
    # Every second line of a sorted file is the same sample twice: what chance made of one half, the other would seem to confirm.
    order = random.Random(0)
    for outputs in (one, two):
        order.shuffle(outputs)
    (choosing_one, testing_one), (choosing_two, testing_two) = (halves(outputs) for outputs in _grouped(one, two))
    seen = choosing_one + choosing_two
    return Samples(
        names=names,
        choosing=(choosing_one, choosing_two),
        testing=(testing_one, testing_two),
        scattered=len(seen) > max(_MOST_DISTINCT, seen.total() // 2),
    )


def _read_rows(file: BinaryIO, sides: dict[str, list[str]]) -> None:
    """Read the outputs of each side. Raises DomainError naming the line."""
    lines = csv.DictReader(_lines(file), strict=True)
    number = 0
    try:
        columns = lines.fieldnames or ()
        if any(list(columns).count(column) != 1 for column in _COLUMNS):
            told = lines.fieldnames or "empty"
            raise DomainError(parameter="FILE", value=told, requirement="a CSV file with the columns side and output, once each")
        for number, row in enumerate(lines, start=1):
            if row["side"] is None or row["output"] is None or None in row:
                raise DomainError(parameter=f"line {lines.line_num}", value=dict(row), requirement="as long as the head")
            sides.setdefault(row["side"], []).append(row["output"])
            if len(sides) > 2:
                requirement = f"one of the sides {', '.join(list(sides)[:2])}"
                raise DomainError(parameter=f"line {lines.line_num}", value=row["side"], requirement=requirement)
            if number > _MOST_SAMPLES:
                raise DomainError(parameter="FILE", value=f"more than {_MOST_SAMPLES} samples", requirement="at most so many")
    except csv.Error as error:
        raise DomainError(parameter=f"line {lines.reader.line_num}", value=str(error), requirement="CSV") from None


def _lines(file: BinaryIO) -> Iterator[str]:
    """The lines of a file that may be anything, an endless one too."""
    number = 0
    while line := file.readline(_LONGEST_LINE + 1):
        number += 1
        if len(line) > _LONGEST_LINE:
            raise DomainError(parameter=f"line {number}", value="longer", requirement=f"at most {_LONGEST_LINE} bytes long")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise DomainError(parameter=f"line {number}", value="other bytes", requirement="CSV in UTF-8") from None


def _grouped(one: list[str], two: list[str]) -> tuple[list[str], list[str]]:
    """The outputs as they are, or by interval where they are numbers of a continuous kind. The choosing half alone decides how."""
    choosing = one[0::2] + two[0::2]
    if len(set(choosing)) <= _MOST_DISTINCT:
        return one, two
    numbers = [number for text in choosing if (number := _finite(text)) is not None]
    if 2 * len(numbers) < len(choosing):
        return one, two

    def grouped(texts: list[str]) -> list[str]:
        found = [_finite(text) for text in texts]
        (intervals,) = binned(numbers, [[number for number in found if number is not None]], bins=_BINS)
        at = iter(intervals)
        return [text if number is None else f"bin {next(at)}" for text, number in zip(texts, found, strict=True)]

    return grouped(one), grouped(two)


def _finite(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
