"""What a verdict rests on: a library's computation, another row, a cited theorem, a theorem of Coq, a written argument."""

from dataclasses import dataclass
from typing import ClassVar

from shuffleproof.proofs_check.ledger.verdict import Status


@dataclass(frozen=True, slots=True)
class Library:
    """A computation by a library, as strong as what was computed can be (`most`)."""

    kind: ClassVar[str] = "library"
    name: str
    most: Status = Status.PROVED

    @property
    def id(self) -> str:
        """Its name."""
        return self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Row:
    """Another statement of the ledger, by id: as printed, or as corrected beside its refutation."""

    kind: ClassVar[str] = "row"
    id: str
    corrected: bool = False

    def __str__(self) -> str:
        return f"{self.id} as corrected" if self.corrected else self.id


@dataclass(frozen=True, slots=True)
class Cited:
    """A theorem of the literature that is used and not checked here, with where it stands or the name that textbooks give it.

    written: where its proof, or what is needed of it, is written out here, by page and heading in `docs/mathematics`; "" if nowhere.
    """

    kind: ClassVar[str] = "cited"
    reference: str
    written: str = ""

    @property
    def id(self) -> str:
        """The reference."""
        return self.reference

    def __str__(self) -> str:
        return self.reference


@dataclass(frozen=True, slots=True)
class Coq:
    """A theorem checked by Coq's kernel, by its name in `proofs_check/formal`.

    states: the digest of the reviewed statement (`formal/Statements.v`) with the definitions under it; a theorem that is checked against
    another one carries nothing.
    """

    kind: ClassVar[str] = "coq"
    theorem: str
    states: str = ""

    @property
    def id(self) -> str:
        """The theorem's name."""
        return self.theorem

    def __str__(self) -> str:
        return f"Coq: {self.theorem}"


@dataclass(frozen=True, slots=True)
class Argument:
    """A written argument, by page and heading in `docs/mathematics`: "arguments#subadditivity"."""

    kind: ClassVar[str] = "argument"
    id: str

    def __str__(self) -> str:
        return f"docs/mathematics/{self.id.replace('#', '.md#')}"


Ground = Library | Row | Cited | Coq | Argument

EXACT = Library("exact rationals (Fraction)")
SYMPY = Library("sympy (exact polynomial arithmetic over the rationals)")
BALLS = Library("flint arb (ball arithmetic with the inclusion principle)")
