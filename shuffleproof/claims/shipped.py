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
        file="ShuffleModelDP.cs, first version",
        epsilon="eps0*sqrt(ln(1/delta)/n)",
        note="said for any local randomizer",
    ),
    Shipped(
        name="aidotnet-smaller",
        project="AiDotNet",
        file="FederatedLearning/Privacy/ShuffleModelDP.cs, ComputeEffectiveEpsilon",
        epsilon="min((1 - 1/n)*ln(1 + (exp(eps0) - 1)/n) + eps0/n, eps0*sqrt(ln(1/delta)/n))",
        where="n >= 2",
        note="the smaller of two, of which the first is said to be a pure bound: shuffling one message never improves a pure epsilon",
    ),
    Shipped(
        name="optirs",
        project="optirs",
        file="optirs-core/src/privacy/differential_privacy/amplification_analyzer.rs",
        epsilon="eps0/(1 + 0.1*sqrt(n))",
        where="n >= 2",
        note="the factor is called the amplification by shuffling; read as what the local epsilon is divided by",
    ),
    Shipped(
        name="nssdplib",
        project="NSSDPlib",
        file="dplib, shuffle_amplification(event, population)",
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
        project="several",
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
