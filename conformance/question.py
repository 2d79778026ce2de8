"""One question of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Question:
    """An input without its answer.

    given: as sent to a harness; flags: from `catalogue.FLAGS`; smoke: whether it belongs to the short suite too; comment: what it is
    there for, "" if the flags say it; refusal: why there is no answer, None where there is one.
    """

    given: Mapping[str, str]
    flags: tuple[str, ...] = ()
    smoke: bool = False
    comment: str = ""
    refusal: str | None = None

    @property
    def name(self) -> str:
        """The input in one line: "clones n=2 epsilon0=ln 3 delta=1/2"."""
        return " ".join(value if key in ("method", "randomizer") else f"{key}={value}" for key, value in self.given.items())


def question(text: str, *flags: str, smoke: bool = False, comment: str = "", refusal: str | None = None) -> Question:
    """A question from one line: "method=clones; n=2; epsilon0=ln 3; delta=1/2"."""
    given = dict(part.strip(" ").split("=", 1) for part in text.split(";"))
    return Question(given=given, flags=flags, smoke=smoke, comment=comment, refusal=refusal)
