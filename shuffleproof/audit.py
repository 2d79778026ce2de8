"""Auditing a mechanism by its distribution, exact or rounded, or by samples of its outputs; and claims about it: a table or a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from shuffleproof.keywords import formerly, own_arithmetic, own_names
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import (
    LARGEST_EPSILON0,
    Epsilon,
    Number,
    as_given,
    count,
    epsilon0_parameter,
    float_toward,
    parse_epsilon,
    probability,
    proper_share,
)
from shuffleproof.spec.vocabulary.tables import Tabular

if TYPE_CHECKING:
    from shuffleproof.claims.judging import Judgements
    from shuffleproof.claims.region import Survey
    from shuffleproof.conformance.audit.distribution import Local
    from shuffleproof.conformance.audit.output_views import OutputType
    from shuffleproof.conformance.audit.samples import Found
    from shuffleproof.conformance.audit.shuffled import Shuffled

__dir__ = own_names(__name__)

Standing = Literal["supported", "contradicted", "undecided"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A claim about a mechanism, and what its distribution shows: "supported", "contradicted", or "undecided" within the rounding."""

    says: str
    standing: Standing


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class DistributionAudit(Tabular):
    """Holds what the distribution of a finite randomizer shows.

    inputs, outcomes: how many; local: e^epsilon0, total variation and blanket of one report; shuffled: delta of the shuffled reports, None
    where it was not asked for; claims: those that were made, judged.
    """

    inputs: int
    outcomes: int
    local: Local
    shuffled: Shuffled | None
    claims: tuple[Claim, ...]

    def __repr__(self) -> str:
        return f"<DistributionAudit of {self.inputs} inputs and {self.outcomes} outcomes: {self.standing}>"

    def __str__(self) -> str:
        """Return what was asked about, and a line for each claim."""
        lines = [f"distribution of {self.inputs} inputs and {self.outcomes} outcomes: {self.standing}"]
        return "\n".join([*lines, *(f"  {claim.standing}: {claim.says}" for claim in self.claims)])

    @property
    def headline(self) -> str:
        """The standing, and of what."""
        return f"{self.standing}: distribution of {self.inputs} inputs and {self.outcomes} outcomes"

    def columns(self) -> dict[str, list[Any]]:
        """Each claim, and what the distribution says of it."""
        return {"claim": [each.says for each in self.claims], "standing": [each.standing for each in self.claims]}

    @property
    def standing(self) -> Standing:
        """The worst of the claims: contradicted before undecided before supported, which it is where none was made."""
        seen = {claim.standing for claim in self.claims}
        return "contradicted" if "contradicted" in seen else "undecided" if "undecided" in seen else "supported"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class SampleAudit(Tabular):
    """Holds what samples show: a violation, or none found; never privacy.

    names: of the two sides; level: probability of accusing a mechanism that keeps its claim; found: the test, with the event it rests on;
    view: how outputs were distinguished; scattered: most outputs are different texts, and nothing was found in them.
    """

    names: tuple[str, str]
    level: str
    found: Found
    view: str = "as they are"
    scattered: bool = False

    def __repr__(self) -> str:
        return f"<SampleAudit at level {self.level}: {self.headline}>"

    def __str__(self) -> str:
        """One line; that nothing was found shows no privacy."""
        if self.violation:
            return f"a violation: the claim is refuted at level {self.level}, by samples of {' and '.join(self.names)}"
        return f"no violation found at level {self.level} in samples of {' and '.join(self.names)}, which does not show that there is none"

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return "probability of the event"

    @property
    def headline(self) -> str:
        """Say whether a violation was found."""
        return "a violation" if self.violation else "no violation found"

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what that shows, and of what the probabilities are."""
        return str(self), f"probabilities of the outputs that the test chose ({self.view}); both limits hold together at level {self.level}"

    def columns(self) -> dict[str, list[Any]]:
        """The two sides: samples tested, how many of them are in the event, and its probability at least, or at most, as floats."""
        found, nothing = self.found, float("nan")
        return {
            "input": [self.names[found.first], self.names[1 - found.first]],
            "tested": list(found.tested),
            "in_event": [found.in_first, found.in_second],
            "at_least": [float_toward(found.at_least, direction="down"), nothing],
            "at_most": [nothing, float_toward(found.at_most, direction="up")],
        }

    @property
    def violation(self) -> bool:
        """Return whether the claim is refuted at the level."""
        return self.found.violation


@formerly(law="distribution")
@own_arithmetic()
def distribution(
    distribution: object,
    *,
    rounding: Number | None = None,
    epsilon0: Number | Epsilon | None = None,
    n: Number | None = None,
    epsilon: Number | Epsilon | None = None,
    delta: Number | None = None,
) -> DistributionAudit:
    """A finite randomizer by its distribution, with the claims made about it.

    distribution: {input: {outcome: probability}}, an array with a row for each input, or the path of a .json or .csv file; rounding: how
    far a probability may lie from what is written, what the file says or 0 if None; epsilon0: claim that one report is epsilon0-DP; n and
    epsilon, together: delta of n shuffled reports there; delta: claim that they are (epsilon, delta)-DP. Raises DomainError naming the
    place, ResourceLimitError.

    >>> distribution([["3/4", "1/4"], ["1/4", "3/4"]], epsilon0="ln 3").standing
    'supported'
    """
    from shuffleproof.conformance.audit import distribution as auditing, shuffled
    from shuffleproof.mechanisms.distributions import read

    if (n is None) != (epsilon is None):
        missing = "n" if n is None else "epsilon"
        raise DomainError(parameter=missing, value="(nothing)", requirement="given: n and epsilon go together")
    require(delta is None or n is not None, parameter="delta", value=delta, requirement="left out, or given with n and epsilon")
    claimed = None if epsilon0 is None else epsilon0_parameter(epsilon0)
    users, order = (
        (None if n is None else count(n, parameter="n")),
        None if epsilon is None else parse_epsilon(epsilon, maximum=LARGEST_EPSILON0),
    )
    target = None if delta is None else probability(delta, parameter="delta")
    given = as_given(epsilon0=epsilon0, n=n, epsilon=epsilon, delta=delta)
    known = read(distribution, rounding=rounding)
    found = auditing.local(known)
    claims = []
    if claimed is not None:
        claims.append(Claim(says=f"one report is {given['epsilon0']}-DP", standing=auditing.local_claim(found, claimed).value))
    mixed = None
    if users is not None and order is not None:
        mixed = shuffled.shuffled(known, n=users, epsilon=order)
        if target is not None:
            says = f"the shuffled reports of {given['n']} users are ({given['epsilon']}, {given['delta']})-DP"
            claims.append(Claim(says=says, standing=mixed.delta.at_most(target).value))
    return DistributionAudit(inputs=len(known.inputs), outcomes=len(known.outcomes), local=found, shuffled=mixed, claims=tuple(claims))


law, LawAudit = distribution, DistributionAudit
"""Their former names."""


@own_arithmetic()
def samples(
    samples: str | Path | tuple[Sequence[object], Sequence[object]],
    *,
    epsilon: Number | Epsilon,
    delta: Number,
    level: Number = "0.05",
    type: OutputType = "auto",
) -> SampleAudit:
    """A lower bound on epsilon from outputs on two neighbouring inputs, independent of each other.

    samples: the path of a CSV file with the columns input and outcome, or two sequences of outputs, numbers or texts; epsilon, delta: the
    claim that is tested; level: probability of accusing a mechanism that keeps it, in (0, 1); type: what outputs are, "number", "text" or
    "bits" (texts of 0 and 1, of one length), which decides how they are distinguished; "auto" looks at half of them.
    Raises DomainError. No violation found does not mean that the mechanism is private.
    """
    from shuffleproof.conformance.audit import sample_file, samples as auditing

    order, target = parse_epsilon(epsilon, maximum=LARGEST_EPSILON0), probability(delta, parameter="delta")
    error = proper_share(level, parameter="level")
    given = sample_file.read(Path(samples), type=type) if isinstance(samples, str | Path) else sample_file.of_sides(samples, type=type)
    view, found = auditing.audited_in(given.views, epsilon=order, delta=target, level=error)
    scattered = given.scattered and not found.violation
    return SampleAudit(names=given.names, level=as_given(level=level)["level"], found=found, view=view.name, scattered=scattered)


@own_arithmetic()
def claims(
    table: str | Path | Sequence[Mapping[str, Number]], *, columns: Mapping[str, str] | None = None, fixed: Mapping[str, str] | None = None
) -> Judgements:
    """Claimed epsilons in a table, each judged against the certified bracket: impossible, undecided or sound.

    table: the path of a CSV file, or a mapping for each row, with n, eps0, delta, epsilon (the claim), rounds (1 if left out) and, for a
    named randomizer, randomizer, k, d, blocks, buckets; columns: our name -> the table's; fixed: our name -> what rows without it say.
    Raises DomainError naming the line or the row, and what judging raises.

    >>> [str(each.standing) for each in claims([{"n": 100, "eps0": 1, "delta": "1e-6", "epsilon": "0.1"}])]
    ['impossible']
    """
    from shuffleproof.claims.table import of_rows, read

    rows = (
        read(Path(table), columns=columns, fixed=fixed) if isinstance(table, str | Path) else of_rows(table, columns=columns, fixed=fixed)
    )
    from shuffleproof.claims.judging import Judgements

    return Judgements(row.judged() for row in rows)


@own_arithmetic()
def formula(
    expression: str,
    *,
    where: str | None = None,
    claimed_delta: str | None = None,
    fixed: Mapping[str, str] | None = None,
    points: Number = 40,
    seed: Number = 0,
    on_point: Callable[[], object] = lambda: None,
) -> Survey:
    """A formula for epsilon in n, eps0, delta and k, judged at simple points and at points drawn: where it is impossible, with a witness.

    expression: such as "eps0*sqrt(ln(1/delta)/n)"; where: a comparison that says where it is claimed; claimed_delta: an expression for the
    central delta of the claim, where that is not delta; fixed: values that do not vary, and "randomizer" with what it needs; points: how
    many are drawn, 0 to 10,000; seed: of these; on_point: called after each one. Raises DomainError.

    >>> str(formula("eps0*sqrt(ln(1/delta)/n)", fixed={"n": "1000", "eps0": "1", "delta": "1e-6"}, points=0).standing)
    'impossible'
    """
    from shuffleproof.claims.formula import Formula
    from shuffleproof.claims.region import survey

    return survey(
        Formula(expression),
        condition=None if where is None else Formula(where, parameter="where"),
        claimed_delta=None if claimed_delta is None else Formula(claimed_delta, parameter="claimed-delta"),
        fixed=fixed,
        points=count(points, parameter="points", minimum=0),
        seed=count(seed, parameter="seed", minimum=0),
        step=on_point,
    )


@own_arithmetic()
def shipped(name: str) -> Survey:
    """A formula that a public project ships, judged at simple points. name: as `audit shipped` prints it. Raises DomainError."""
    from shuffleproof.claims.shipped import shipped as known, surveyed

    return surveyed(known(name))
