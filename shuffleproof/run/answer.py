"""What a run says beside its estimates: the privacy that is certified, and how far the estimates may be off."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, decimal_text, exact_fraction, parse_epsilon, proper_share
from shuffleproof.spec.vocabulary.tables import Tabular


class Printed(Tabular):
    """A release whose notes are the lines that are printed."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines that are printed."""
        return tuple(str(self).split("\n"))


@dataclass(frozen=True)
class Target:
    """The privacy asked for. epsilon_text: as given; delta: in (0, 1]."""

    epsilon: Epsilon
    epsilon_text: str
    delta: Fraction

    @classmethod
    def parsed(cls, *, epsilon: Number | Epsilon, delta: Number) -> Target:
        """Raises DomainError unless epsilon >= 0 and delta is in (0, 1]: with delta = 0 no noise that is bounded is enough."""
        wanted = exact_fraction(delta, parameter="delta")
        require(0 < wanted <= 1, parameter="delta", value=delta, requirement="above 0 and at most 1")
        return cls(parse_epsilon(epsilon), as_given(epsilon=epsilon)["epsilon"], wanted)


@dataclass(frozen=True)
class Guarantee:
    """(epsilon, delta)-DP with a certified delta, for replacing one row.

    certified: an upper end of delta; statement: the ledger id it rests on; by: how it was obtained; protects: what one row is.
    """

    target: Target
    certified: Fraction
    statement: str
    by: str
    protects: str

    def require_met(self, *, noise: Number) -> None:
        """Raises DomainError where the certified delta exceeds the one asked for."""
        if self.certified > self.target.delta:
            asked = decimal_text(self.target.delta, digits=4, direction="down")
            factor = decimal_text(self.certified / self.target.delta, digits=4, direction="up")
            raise DomainError(
                parameter="noise",
                value=noise,
                requirement=f"enough for delta = {asked} at eps = {self.target.epsilon_text}: with this much, delta = {self.delta_text} is "
                f"what is certified ({self.by}), {factor} times as much",
            )

    @property
    def delta_text(self) -> str:
        """The certified delta, rounded up."""
        return decimal_text(self.certified, digits=6, direction="up")

    def __str__(self) -> str:
        return (
            f"({self.target.epsilon_text}, {self.delta_text})-DP, certified, when one row is replaced ({self.by}; {self.statement})\n"
            f"  protects {self.protects}; the number of rows is public"
        )

    def as_json(self) -> dict[str, str]:
        """The record as JSON-ready values."""
        return {
            "epsilon": self.target.epsilon_text,
            "delta": self.delta_text,
            "delta_asked_for": decimal_text(self.target.delta, digits=30, direction="down"),
            "relation": "replace-one",
            "statement": self.statement,
            "by": self.by,
            "protects": self.protects,
        }


def failure_probability(value: Number) -> Fraction:
    """beta, how often a statement on the error may fail: in (0, 1). Raises DomainError."""
    return proper_share(value, parameter="beta")
