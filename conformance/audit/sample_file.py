"""Outputs on two neighbouring inputs as a CSV file with the columns side and output."""

from __future__ import annotations

import csv
import math
import random
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.conformance.audit.samples import binned, halves
from shuffleproof.spec.errors import DomainError

_COLUMNS = ("side", "output")
_BINS = 64
_MOST_DISTINCT = 256


@dataclass(frozen=True, kw_only=True)
class Samples:
    """names: of the two sides, as they first appear; choosing, testing: counts of outputs on both, from different samples.

    Which of a side's outputs choose and which test does not depend on how the file is ordered: it may be sorted.
    Numbers with more than 256 different values are counted by interval, `bin 0` to `bin 63`, quantiles of the choosing half.
    """

    names: tuple[str, str]
    choosing: tuple[Counter[Hashable], Counter[Hashable]]
    testing: tuple[Counter[Hashable], Counter[Hashable]]


def read(path: Path) -> Samples:
    """The samples in a file; at least two on each side. Raises DomainError naming the line."""
    sides: dict[str, list[str]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.DictReader(file, strict=True)
            if not set(_COLUMNS) <= set(lines.fieldnames or ()):
                raise DomainError(parameter="FILE", value=lines.fieldnames, requirement="a CSV file with the columns side and output")
            for row in lines:
                if row["side"] is None or row["output"] is None or None in row:
                    raise DomainError(parameter=f"line {lines.line_num}", value=dict(row), requirement="as long as the head")
                sides.setdefault(row["side"], []).append(row["output"])
                if len(sides) > 2:
                    raise DomainError(
                        parameter=f"line {lines.line_num}", value=row["side"], requirement=f"one of the sides {', '.join(list(sides)[:2])}"
                    )
    except OSError as error:
        raise DomainError(parameter="FILE", value=str(path), requirement=f"a file that can be read ({error.strerror})") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DomainError(parameter="FILE", value=str(error), requirement="CSV in UTF-8") from None
    if len(sides) != 2 or min(len(outputs) for outputs in sides.values()) < 2:
        told = {name: len(outputs) for name, outputs in sides.items()}
        raise DomainError(parameter="FILE", value=told, requirement="two sides with at least two samples each")
    (first, one), (second, two) = sides.items()
    # Every second line of a sorted file is the same sample twice: what chance made of one half, the other would seem to confirm.
    order = random.Random(0)
    for outputs in (one, two):
        order.shuffle(outputs)
    counted = [halves(outputs) for outputs in _grouped(one, two)]
    return Samples(names=(first, second), choosing=(counted[0][0], counted[1][0]), testing=(counted[0][1], counted[1][1]))


def _grouped(one: list[str], two: list[str]) -> tuple[list[str], list[str]]:
    """The outputs as they are, or by interval where they are numbers of a continuous kind."""
    choosing = one[0::2] + two[0::2]
    if len(set(choosing)) <= _MOST_DISTINCT:
        return one, two
    try:
        numbers = [[float(text) for text in texts] for texts in (choosing, one, two)]
    except ValueError:
        return one, two
    if not all(math.isfinite(number) for values in numbers for number in values):
        return one, two
    intervals = binned(numbers[0], numbers[1:], bins=_BINS)
    left, right = ([f"bin {at}" for at in values] for values in intervals)
    return left, right
