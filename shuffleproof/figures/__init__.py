"""The figures and tables of the papers, recomputed; one module for a family of them.

`names` lists them; `make` computes one, whose `csv()` and `text()` are its numbers; `save` writes one to a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from shuffleproof.keywords import own_arithmetic, own_names
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.files import write_whole

if TYPE_CHECKING:
    from shuffleproof.figures.chart import Figure, Table

__dir__ = own_names(__name__)

FORMS = (".svg", ".pdf", ".png", ".csv", ".txt")


def names() -> dict[str, str]:
    """Every figure and table by its name, with a line that says what it is.

    >>> names()["fig2a"]
    'FMT21, Figure 2(a): central epsilon over n, eps0 = 0.1'
    """
    from shuffleproof.figures.registry import ENTRIES

    return {known.name: known.says for known in ENTRIES}


@own_arithmetic()
def make(name: str, **own: object) -> Figure | Table:
    """Compute one, each curve with its side: seconds to minutes.

    name: as `names` has it; own: of "brackets", n (such as "100:1e6:9"), epsilon0, delta, and randomizer with its sizes.
    Raises DomainError for an unknown name, and for what it does not take.
    """
    from shuffleproof.figures.registry import entry, made

    return made(entry(name), **own)


def save(content: Figure | Table, file: str | Path) -> None:
    """Write a figure as .svg, .pdf, .png or .csv, a table also as .txt; whole or not at all. Raises DomainError for any other ending."""
    from shuffleproof.figures.chart import Table

    path = Path(file)
    if path.suffix not in FORMS:
        raise DomainError(parameter="file", value=str(file), requirement=f"a file name that ends in {', '.join(FORMS)}")
    if path.suffix == ".csv":
        data = content.csv()
    elif path.suffix == ".txt":
        if not isinstance(content, Table):
            raise DomainError(
                parameter="file", value=str(file), requirement="a name ending in .svg, .pdf, .png or .csv, since this is a figure"
            )
        data = (content.text() + "\n").encode("utf-8")
    else:
        from shuffleproof.figures.drawing import drawn

        data = drawn(content, form=cast(Literal["svg", "png", "pdf"], path.suffix[1:]))
    write_whole(path, data)
