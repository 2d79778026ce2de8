"""One question of the catalogue, or the several questions of a relation."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.conformance.catalogue.inputs import together


@dataclass(frozen=True, kw_only=True)
class Relation:
    """Says what is true of the answers to several questions.

    name: "nonincreasing", "nondecreasing", "equal" or "convex"; inputs: as sent to a harness, in order; at: for "convex", the points that
    the answers belong to; because: why it is true.
    """

    name: str
    inputs: tuple[Mapping[str, str], ...]
    at: tuple[str, ...] = ()
    because: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """An input without its answer.

    given: as sent to a harness, or all inputs of a relation together; flags: from `catalogue.FLAGS`; smoke: whether it belongs to the
    short suite too; comment: what it is there for, "" if the flags say it; refusal: why there is no answer, None where there is one;
    relation: None for a single question.
    """

    given: Mapping[str, str]
    flags: tuple[str, ...] = ()
    smoke: bool = False
    comment: str = ""
    refusal: str | None = None
    relation: Relation | None = None

    @property
    def name(self) -> str:
        """The input in one line: "clones n=2 epsilon0=ln 3 delta=1/2"."""
        words = [value if key in ("method", "randomizer") else f"{key}={value}" for key, value in self.given.items()]
        return " ".join(words if self.relation is None else [self.relation.name, *words])

    @property
    def inputs(self) -> tuple[Mapping[str, str], ...]:
        """Return what a harness is sent, one after the other."""
        return (self.given,) if self.relation is None else self.relation.inputs


def question(text: str, *flags: str, smoke: bool = False, comment: str = "", refusal: str | None = None) -> Question:
    """A question from one line: "method=clones; n=2; epsilon0=ln 3; delta=1/2"."""
    return Question(given=_given(text), flags=flags, smoke=smoke, comment=comment, refusal=refusal)


def related(name: str, text: str, *flags: str, because: str) -> Question:
    """The questions of a relation from one line: "method=clones; n=10 ~ 11 ~ 12; epsilon0=ln 3; delta=1/2".

    "~" separates what one key has in the several inputs, "~~" whole inputs. The points of a convex relation are the numbers of that key,
    e to them where they are logarithms.
    """
    if "~~" in text:
        inputs = tuple(_given(part) for part in text.split("~~"))
        return Question(given=together(inputs), flags=flags, relation=Relation(name=name, inputs=inputs, because=because))
    given = _given(text)
    (key,) = (key for key, value in given.items() if "~" in value)
    values = tuple(value.strip() for value in given[key].split("~"))
    inputs = tuple({**given, key: value} for value in values)
    at = tuple(str(Fraction(value.removeprefix("ln ").replace(" ", ""))) for value in values) if name == "convex" else ()
    return Question(given=together(inputs), flags=flags, relation=Relation(name=name, inputs=inputs, at=at, because=because))


def _given(text: str) -> dict[str, str]:
    return dict(part.strip(" ").split("=", 1) for part in text.split(";"))
