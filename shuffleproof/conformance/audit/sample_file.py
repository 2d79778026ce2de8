"""Outputs on two neighbouring inputs as a CSV file with the columns input and outcome."""

import csv
import io
import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.conformance.audit.distribution_file import ALIASES
from shuffleproof.conformance.audit.output_views import MOST_DISTINCT, OutputType, output_views
from shuffleproof.conformance.audit.samples import View
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.quotation_marks import Watched

_COLUMNS = ("input", "outcome")
_WEIGHTS = {"probability", "count", "counts"}
"""Columns of tables in which a line is no sample."""
_BLOCK = 1 << 20
"""Bytes that are read at once: 1 MiB."""
_LONGEST_LINE = 1 << 20
"""Bytes of a line: 1 MiB."""
_LARGEST_FILE = 1 << 29
"""Bytes of a file: 512 MiB, all of which is held in memory."""
_MOST_SAMPLES = 20_000_000
"""Samples on both sides together."""


@dataclass(frozen=True, kw_only=True)
class Samples:
    """names: of the two sides, as they first appear; choosing, testing: counts of outputs on both, from different samples.

    Which of a side's outputs choose and which test does not depend on how the file is ordered: it may be sorted.
    views: the ways in which outputs are distinguished, the plainest first, whose counts are choosing and testing (see `output_views`).
    scattered: most of the choosing half are different texts, and are distinguished as whole texts.
    """

    names: tuple[str, str]
    choosing: tuple[Counter[Hashable], Counter[Hashable]]
    testing: tuple[Counter[Hashable], Counter[Hashable]]
    scattered: bool
    views: tuple[View, ...]


def read(path: Path, *, type: OutputType = "auto") -> Samples:
    """The samples in a file; at least two on each side. type: of the outputs, see `output_views`. Raises DomainError naming the line."""
    sides: dict[str, list[str]] = {}
    try:
        with path.open("rb") as file:
            _read_rows(Watched(file, data=str(path), most=_LARGEST_FILE), sides)
    except OSError as error:
        raise DomainError(parameter="FILE", value=str(path), requirement=f"a file that can be read ({error.strerror})") from None
    if len(sides) != 2 or min(len(outputs) for outputs in sides.values()) < 2:
        told = {name: len(outputs) for name, outputs in sides.items()}
        raise DomainError(parameter="FILE", value=told, requirement="two sides with at least two samples each")
    (first, one), (second, two) = sides.items()
    return _divided((first, second), one, two, type)


def of_sides(sides: Sequence[Sequence[object]], *, type: OutputType = "auto") -> Samples:
    """Outputs on two inputs, numbers or texts, at least two of each. type: see `output_views`. Raises DomainError."""
    sizes = [len(outputs) for outputs in sides]
    if len(sizes) != 2 or min(sizes) < 2 or sum(sizes) > _MOST_SAMPLES:
        requirement = f"two sequences of at least two outputs each, {_MOST_SAMPLES} in all at most"
        raise DomainError(parameter="samples", value=sizes, requirement=requirement)
    one, two = ([str(output) for output in outputs] for outputs in sides)
    return _divided(("first", "second"), one, two, type)


def _divided(names: tuple[str, str], one: list[str], two: list[str], type: OutputType) -> Samples:
    """Half of each side to choose an event, half to test it."""
    # Every second line of a sorted file is the same sample twice: what chance made of one half, the other would seem to confirm.
    order = random.Random(0)
    for outputs in (one, two):
        order.shuffle(outputs)
    views, kind = output_views(one, two, type=type)
    first = views[0]
    seen = len({*one[0::2], *two[0::2]})
    return Samples(
        names=names,
        choosing=(Counter(first.choosing[0]), Counter(first.choosing[1])),
        testing=(Counter(first.testing[0]), Counter(first.testing[1])),
        scattered=kind != "number" and seen > max(MOST_DISTINCT, (len(one) + len(two)) // 4),
        views=views,
    )


def _read_rows(file: Watched, sides: dict[str, list[str]]) -> None:
    """Read the outputs of each side. Raises DomainError naming the line."""
    lines = csv.reader(_lines(file), strict=True)
    number = 0
    try:
        heads = next(lines, [])
        columns = [ALIASES.get(head, head) for head in heads]
        if any(columns.count(column) != 1 for column in _COLUMNS):
            told = ", ".join(heads) or "empty"
            raise DomainError(parameter="FILE", value=told, requirement="a CSV file with the columns input and outcome, once each")
        wanted = 'a line for each output, as counts and probabilities would be passed over: "audit distribution" takes the latter'
        require(not _WEIGHTS & {*columns}, parameter="FILE", value=", ".join(heads), requirement=wanted)
        side, output = map(columns.index, _COLUMNS)
        for row in lines:
            if not row:  # a blank line
                continue
            if len(row) != len(columns):
                raise DomainError(parameter=f"line {lines.line_num}", value=row, requirement="as long as the head")
            sides.setdefault(row[side], []).append(row[output])
            number += 1
            if len(sides) > 2:
                requirement = f"one of the inputs {', '.join(list(sides)[:2])}: samples of two inputs are compared"
                raise DomainError(parameter=f"line {lines.line_num}", value=row[side], requirement=requirement)
            if number > _MOST_SAMPLES:
                raise DomainError(parameter="FILE", value=f"more than {_MOST_SAMPLES} samples", requirement="at most so many")
    except csv.Error as error:
        raise DomainError(parameter=f"line {lines.line_num}", value=str(error), requirement="CSV") from None


def _lines(file: Watched) -> Iterator[str]:
    """The lines of a file that may be anything, an endless one too."""
    number = 0
    while block := file.read(_BLOCK):
        if not block.endswith(b"\n"):
            block += file.readline(_LONGEST_LINE + 1)
        for line in io.BytesIO(block):
            number += 1
            if len(line) > _LONGEST_LINE:
                raise DomainError(parameter=f"line {number}", value="longer", requirement=f"at most {_LONGEST_LINE} bytes long")
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise DomainError(parameter=f"line {number}", value="other bytes", requirement="CSV in UTF-8") from None
