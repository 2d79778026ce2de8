"""Formulas for the epsilon of shuffled reports that public projects ship, as mathematics, each with its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Shipped:
    """A formula of somebody's. project, file: where it stands; epsilon, delta, where: as this room's formulas; note: what it speaks of."""

    name: str
    project: str
    file: str
    epsilon: str
    delta: str | None = None
    where: str | None = None
    note: str = ""


SHIPPED: tuple[Shipped, ...] = (
    Shipped(
        name="aidotnet",
        project="AiDotNet",
        file="ShuffleModelDP.cs",
        epsilon="eps0*sqrt(ln(1/delta)/n)",
        note="said for any local randomizer",
    ),
    Shipped(
        name="nssdplib",
        project="NSSDPlib",
        file="shuffle amplification",
        epsilon="eps0/sqrt(n)",
        delta="delta/sqrt(n)",
        note="the delta that goes in is the local one",
    ),
    Shipped(
        name="theorem-3.1",
        project="FMT21",
        file="Theorem 3.1, as printed",
        epsilon="ln(1 + (exp(eps0) - 1)/(exp(eps0) + 1)*(8*sqrt(exp(eps0)*ln(4/delta))/sqrt(n) + 8*exp(eps0)/n))",
        where="eps0 <= ln(n/(16*ln(2/delta)))",
        note="inside its condition: a formula that holds",
    ),
    Shipped(
        name="theorem-3.1-anywhere",
        project="optirs and others",
        file="Theorem 3.1 without its condition",
        epsilon="ln(1 + (exp(eps0) - 1)/(exp(eps0) + 1)*(8*sqrt(exp(eps0)*ln(4/delta))/sqrt(n) + 8*exp(eps0)/n))",
        note="used at every n and eps0",
    ),
)
"""What the report judges. Transcribed as mathematics; a project may have changed its file since."""


def shipped(name: str) -> Shipped:
    """The formula of this name. Raises DomainError."""
    from shuffleproof.spec.vocabulary.errors import require_one_of

    known = {each.name: each for each in SHIPPED}
    return known[require_one_of(name, known, parameter="name")]
