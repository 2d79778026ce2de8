"""A table of claimed numbers: a row for each claim, columns by their names or by the names given for them."""

import csv
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.claims.judging import ABOUT, CHANGED, ROUNDS, Judgement, judged
from shuffleproof.spec.vocabulary.errors import DomainError, ShuffleproofError, require_one_of
from shuffleproof.spec.vocabulary.files import text_of
from shuffleproof.spec.vocabulary.numerals import Number, as_given, exact_fraction, ungrouped
from shuffleproof.spec.vocabulary.quotation_marks import require_closed
from shuffleproof.spec.vocabulary.randomizers import SIZES

COLUMNS = (*ABOUT, "epsilon")
"""What a row may say; n, eps0, delta and epsilon, the claim, are needed, in a column or for all rows."""
_ALSO = {"eps0": "epsilon0", "epsilon": "eps"}
"""What a column is called elsewhere: in Python, and on the command line."""
_COUNTS = ("n", ROUNDS, *(each.name for each in SIZES if each.metavar == "COUNT"), CHANGED)
"""Columns of whole numbers, in which 10,000 is ten thousand; an epsilon of 1,500 may be one and a half."""
MOST_ROWS = 100_000
"""Claims of one table."""
_LONGEST_CELL = 200
"""Characters of a cell."""
_LARGEST_FILE = 20 * 2**20
"""Bytes of a table: 20 MiB, as MOST_ROWS of long cells take."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table. line: of the file, or which row; given: what it says, by our names; claimed: its epsilon, as it is written."""

    line: int
    given: Mapping[str, str]
    claimed: str
    kind: str = "line"

    def judged(self) -> Judgement:
        """The claim, judged. Raises DomainError naming the line."""
        try:
            value = exact_fraction(self.claimed, parameter="epsilon")
            return judged(given=self.given, claimed=(value, value))
        except DomainError as error:
            raise DomainError(
                parameter=f"{self.kind} {self.line}, {error.parameter}", value=error.value, requirement=error.requirement
            ) from None
        except ShuffleproofError as error:
            error.add_note(f"{self.kind} {self.line}")
            raise


def read(path: Path, *, columns: Mapping[str, str] | None = None, fixed: Mapping[str, str] | None = None) -> list[Row]:
    """The rows of a CSV file.

    columns: our name -> the file's name of a column, for those that are called differently; fixed: our name -> what rows without it say.
    Raises DomainError where the file is none, or a row has no claim; what a row says is checked when it is judged.
    """
    renamed, same = _known(columns, "columns"), _known(fixed, "fixed")
    text = text_of(path, limit=_LARGEST_FILE, parameter="FILE", wanted="a CSV file that can be read")
    require_closed(text.encode(), data=str(path))
    return list(_rows(text, renamed, same))


def of_rows(
    rows: Sequence[Mapping[str, Number]], *, columns: Mapping[str, str] | None = None, fixed: Mapping[str, str] | None = None
) -> list[Row]:
    """The rows of a table that is no file: name -> number, or the name of a randomizer. The rest as for `read`."""
    renamed, same, found = _known(columns, "columns"), _known(fixed, "fixed"), []
    for at, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise DomainError(parameter=f"row {at}", value=row, requirement="a mapping of names to numbers, or the path of a CSV file")
        said = {**same, **as_given(**{name: row[head] for name in COLUMNS if (head := _head(name, renamed, row)) in row})}
        for name in ("n", "eps0", "delta", "epsilon"):
            if name not in said:
                raise DomainError(parameter=f"row {at}, {renamed.get(name, name)}", value="nothing", requirement="given with every claim")
        found.append(Row(line=at, claimed=said.pop("epsilon"), given=said, kind="row"))
    return found


def _known(given: Mapping[str, str] | None, parameter: str) -> dict[str, str]:
    for name in given or ():
        require_one_of(name, COLUMNS, parameter=parameter)
    return dict(given or {})


def _head(name: str, renamed: Mapping[str, str], heads: Container[str]) -> str:
    """Return what a column is called in a table: as was said, or by our name for it, or by the other one."""
    other = _ALSO.get(name, name)
    return renamed.get(name, other if name not in heads and other in heads else name)


def _rows(text: str, renamed: Mapping[str, str], same: Mapping[str, str]) -> Iterator[Row]:
    lines = csv.reader(text.splitlines())
    try:
        heads = [head.strip() for head in next(lines, [])]
        places = {name: heads.index(head) for name in COLUMNS if (head := _head(name, renamed, heads)) in heads}
        missing = [renamed.get(name, name) for name in ("n", "eps0", "delta", "epsilon") if name not in places and name not in same]
        missing += [head for name, head in renamed.items() if name not in places]
        if missing:
            requirement = (
                f"names with commas, {', '.join(dict.fromkeys(missing))} among them (--column NAME=HEAD where they are called differently)"
            )
            raise DomainError(parameter="first line", value=", ".join(heads)[:_LONGEST_CELL] or "nothing", requirement=requirement)
        for count, cells in enumerate(lines, start=1):
            if not any(cell.strip() for cell in cells):
                continue
            if count > MOST_ROWS or len(cells) != len(heads) or any(len(cell) > _LONGEST_CELL for cell in cells):
                requirement = f"{len(heads)} cells of at most {_LONGEST_CELL} characters, in at most {MOST_ROWS} rows"
                raise DomainError(parameter=f"line {lines.line_num}", value=f"{len(cells)} cells", requirement=requirement)
            filled = {name: cells[place].strip() for name, place in places.items() if cells[place].strip()}
            said = {**same, **{name: ungrouped(cell) if name in _COUNTS else cell for name, cell in filled.items()}}
            if "epsilon" not in said:
                raise DomainError(parameter=f"line {lines.line_num}, epsilon", value="nothing", requirement="given: it is the claim")
            claimed = said.pop("epsilon")
            yield Row(line=lines.line_num, given=said, claimed=claimed)
    except csv.Error as error:
        raise DomainError(parameter="FILE", value=str(error), requirement="CSV") from None
