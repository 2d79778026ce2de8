"""The distribution of a finite randomizer as a file: JSON (schema `distribution`), or CSV with the columns input, outcome, probability."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from shuffleproof.conformance import stored_json
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.numerals import exact_fraction, shortest
from shuffleproof.spec.vocabulary.quotation_marks import require_closed

_COLUMNS = ("input", "outcome", "probability")
ALIASES = {"side": "input", "output": "outcome"}
"""Other heads of the columns that files of distributions and of samples share."""
_LARGEST_FILE = 1 << 26
"""Bytes of a file: 64 MiB."""
_LONGEST_NAME = 40
"""Characters of a name that a message shows."""
_LONGEST_DENOMINATOR = 200_000
"""Bits of all different denominators of one distribution: a common one takes a tenth of a second."""


@dataclass(frozen=True, kw_only=True)
class RoundedDistribution:
    """inputs and outcomes by name; rows: probabilities as written, a row for each input; rounding: how far the truth may lie from them."""

    inputs: tuple[str, ...]
    outcomes: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    rounding: Fraction


Law = RoundedDistribution
"""Its former name, for what was pickled."""


def read(path: Path, *, rounding: str | None = None) -> RoundedDistribution:
    """The distribution in a file.

    path: ends in .json or .csv. rounding: half the unit of the last place that is written, such as "5e-7"; "0" for exact numbers; None to
    take what the JSON file says, or 0. A written row must be able to sum to 1 within the rounding.
    Raises DomainError naming the place: not readable, not the form, a bad number, a probability outside [0, 1], a row that cannot sum to 1,
    fewer than two inputs; ResourceLimitError where no common denominator of a distribution is of reasonable length.
    """
    if path.suffix not in (".json", ".csv"):
        raise DomainError(parameter="FILE", value=str(path), requirement="named .json or .csv")
    content = beginning(path, parameter="FILE", size=_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise DomainError(parameter="FILE", value=str(path), requirement=f"at most {_LARGEST_FILE} bytes long")
    if path.suffix == ".csv":
        require_closed(content, data=str(path))
    given, written = _from_json(content) if path.suffix == ".json" else (_from_csv(content), None)
    margin = exact_fraction(rounding if rounding is not None else written or "0", parameter="rounding")
    if not 0 <= margin < Fraction(1, 2):
        raise DomainError(parameter="rounding", value=shortest(margin), requirement="at least 0 and below 1/2")
    law = checked(given, margin)
    if len(law.inputs) < 2:
        told = ", ".join(map(quoted, law.inputs)) or "no input"
        raise DomainError(parameter="FILE", value=told, requirement="the distributions of at least two inputs: privacy compares them")
    return law


def beginning(path: Path, *, parameter: str, size: int) -> bytes:
    """The first bytes of a file, at most `size` of them. Raises DomainError, naming the parameter, where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise DomainError(parameter=parameter, value=str(path), requirement=f"a file that can be read ({error.strerror})") from None
    except ValueError:  # a null byte in the name
        raise DomainError(parameter=parameter, value=str(path), requirement="the name of a file") from None


def quoted(name: str) -> str:
    """An input or outcome as a message shows it: in one line, cut if it is long."""
    return repr(name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…")


def denominator_bits(row: Sequence[Fraction]) -> int:
    """At most so many bits has a common denominator."""
    return sum(denominator.bit_length() for denominator in {p.denominator for p in row})


def checked(given: dict[str, dict[str, str]], rounding: Fraction) -> RoundedDistribution:
    """The distribution that is written as input -> outcome -> probability. Errors as for `read`."""
    outcomes = tuple(dict.fromkeys(outcome for law in given.values() for outcome in law))
    rows = []
    for name, law in given.items():
        row = []
        for outcome in outcomes:
            place = f"probability of {quoted(outcome)} at input {quoted(name)}"
            p = exact_fraction(law[outcome], parameter=place) if outcome in law else Fraction(0)
            if not 0 <= p <= 1:
                raise DomainError(parameter=place, value=shortest(p), requirement="in [0, 1]")
            row.append(p)
        if (bits := denominator_bits(row)) > _LONGEST_DENOMINATOR:
            what = f"the sum of the distribution at input {quoted(name)}"
            raise ResourceLimitError(what=what, needed=f"a denominator of {bits} bits", limit=f"{_LONGEST_DENOMINATOR} bits")
        if abs(sum(row, Fraction(-1))) > len(law) * rounding:
            exactly = "1; --rounding says how far the numbers may lie from the truth"
            requirement = exactly if rounding == 0 else f"within {shortest(len(law) * rounding)} of 1"
            raise DomainError(
                parameter=f"sum of the distribution at input {quoted(name)}", value=shortest(sum(row, Fraction(0))), requirement=requirement
            )
        rows.append(tuple(row))
    return RoundedDistribution(inputs=tuple(given), outcomes=outcomes, rows=tuple(rows), rounding=rounding)


def _from_json(content: bytes) -> tuple[dict[str, dict[str, str]], str | None]:
    try:
        value = stored_json.parse(content)
    except stored_json.JsonError as error:
        raise DomainError(parameter="FILE", value=str(error), requirement="strict JSON") from None
    broken = stored_json.violation(value, schema="law")
    if broken is not None:
        raise DomainError(parameter="FILE", value=broken, requirement="of the form of conformance/schema/law.json")
    return value["inputs"], value.get("rounding")


def _from_csv(content: bytes) -> dict[str, dict[str, str]]:
    try:
        lines = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        lines.fieldnames = [ALIASES.get(head, head) for head in lines.fieldnames or ()]
        if tuple(lines.fieldnames) != _COLUMNS:
            told = lines.fieldnames or "empty"
            raise DomainError(parameter="FILE", value=told, requirement=f"a CSV file with the columns {', '.join(_COLUMNS)}")
        given: dict[str, dict[str, str]] = {}
        for row in lines:
            if None in row or None in row.values():
                raise DomainError(parameter=f"line {lines.line_num}", value=dict(row), requirement="of three cells")
            of_input = given.setdefault(row["input"], {})
            if row["outcome"] in of_input:
                raise DomainError(
                    parameter=f"line {lines.line_num}", value=row["outcome"], requirement="an outcome given once for its input"
                )
            of_input[row["outcome"]] = row["probability"]
    except UnicodeDecodeError as error:
        raise DomainError(parameter="FILE", value=f"byte {error.start}", requirement="CSV in UTF-8") from None
    except csv.Error as error:
        raise DomainError(parameter=f"line {lines.reader.line_num}", value=str(error), requirement="CSV") from None
    return given
