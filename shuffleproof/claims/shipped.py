"""Formulas and numbers for the epsilon of shuffled reports that public projects ship, as mathematics, each with its place."""

from collections.abc import Callable
from dataclasses import dataclass

from shuffleproof.claims.formula import Formula
from shuffleproof.claims.judging import Judgement, judged
from shuffleproof.claims.region import Survey, survey
from shuffleproof.spec.vocabulary.errors import require_one_of
from shuffleproof.spec.vocabulary.numerals import exact_fraction


@dataclass(frozen=True, kw_only=True)
class Shipped:
    """Somebody's formula. project, file: where it stands; epsilon, delta, where: in the grammar of `formula`; note: what it speaks of."""

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
        name="smartnoise-core",
        project="smartnoise-core",
        file="runtime-rust/src/utilities/shuffling.rs, compose_epsilon_theoretical",
        epsilon="ln(1 + (exp(eps0) - 1)/(exp(eps0) + 1)*8*(sqrt(exp(eps0)*ln(4/delta)/n) + exp(eps0)/n))",
        where="eps0 <= ln(n/(16*ln(2/delta)))",
        note="Theorem 3.1; its notes call it add/remove, and twice as much a substitution, which the theorem itself is about: it holds",
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


@dataclass(frozen=True, kw_only=True)
class Published:
    """One number of somebody's table. project, file: where it stands; given: what it is about, as `judged` takes it; epsilon: the claim."""

    project: str
    file: str
    given: tuple[tuple[str, str], ...]
    epsilon: str
    note: str


PUBLISHED: tuple[Published, ...] = tuple(
    Published(
        project="draft-wang-ppm-differential-privacy",
        file="table of aggregated RAPPOR reports",
        given=(("n", "100000"), ("eps0", eps0), ("delta", "1e-9"), ("randomizer", "coordinate-sums"), ("changed", "1")),
        epsilon=epsilon,
        note="deletion of one report, and of the reports only the sums of coordinates",
    )
    for eps0, epsilon in (("5", "0.317"), ("6.5", "0.906"), ("7", "1.528"))
)
"""Numbers that are no formula's, each judged against the bracket of what it speaks of."""


def surveyed(each: Shipped, *, step: Callable[[], object] = lambda: None) -> Survey:
    """The formula at the simple points of the region. step: called after each point."""
    return survey(
        Formula(each.epsilon),
        condition=None if each.where is None else Formula(each.where, parameter="where"),
        claimed_delta=None if each.delta is None else Formula(each.delta, parameter="claimed-delta"),
        points=0,
        step=step,
    )


def compared(each: Published) -> Judgement:
    """The number, judged."""
    value = exact_fraction(each.epsilon, parameter="epsilon")
    return judged(given=dict(each.given), claimed=(value, value))


def shipped(name: str) -> Shipped:
    """The formula of this name. Raises DomainError."""
    known = {each.name: each for each in SHIPPED}
    return known[require_one_of(name, known, parameter="name")]
