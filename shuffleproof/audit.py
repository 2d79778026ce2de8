"""Auditing a mechanism by its distribution, exact or rounded, or by samples of its outputs; and claims about it: a table or a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shuffleproof.conformance.audit.distribution import Claim, DistributionAudit
from shuffleproof.conformance.audit.distribution_file import quoted
from shuffleproof.keywords import formerly, own_arithmetic, own_names
from shuffleproof.spec.vocabulary.elementary import Direction, log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import (
    LARGEST_EPSILON0,
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
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
    from shuffleproof.conformance.audit.output_views import OutputType
    from shuffleproof.conformance.audit.samples import Found

__dir__ = own_names(__name__)

_SHOWN = 10
"""Outputs of an event that are listed."""
_DIGITS = 6
"""Significant digits of what samples show."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class SampleAudit(Tabular):
    """Holds what samples show: a violation, or none found; never privacy.

    names: of the two sides; claim: what is tested; level: probability of accusing a mechanism that keeps it; found: the test, with its
    event; view: how outputs were distinguished; scattered: most outputs are different texts, and nothing was found in them.
    """

    names: tuple[str, str]
    claim: str
    level: str
    found: Found
    view: str = "as they are"
    scattered: bool = False

    def __repr__(self) -> str:
        return f"<SampleAudit at level {self.level}: {self.headline}>"

    def __str__(self) -> str:
        """The verdict, the lower bound on epsilon, and the event that it rests on; that nothing was found shows no privacy."""
        found = self.found
        first, second = quoted(self.names[found.first]), quoted(self.names[1 - found.first])
        outputs = sorted((str(output) for output in found.event), key=lambda text: (len(text), text))
        more = f", ... ({len(outputs)} outputs)" if len(outputs) > _SHOWN else ""
        lines = [
            f"{self.verdict}: {self.claim}, at level {self.level}",
            f"  epsilon >= {self.epsilon_at_least} at this delta, except with probability {self.level}",
            f"  event {{{', '.join(map(quoted, outputs[:_SHOWN]))}{more}}}, outputs distinguished {self.view}; chosen on one half of the "
            "samples and tested on the other:",
            f"  {found.in_first} of {found.tested[0]} at {first}, so at least {_decimal(found.at_least, 'down')};",
            f"  {found.in_second} of {found.tested[1]} at {second}, so at most {_decimal(found.at_most, 'up')}",
        ]
        lines += [] if self.violation else ["  This does not say that the mechanism is private."]
        scattered = "  Most of these outputs are different texts, seen once or twice: nothing is found in them unless they are grouped."
        return "\n".join([*lines, *([scattered] if self.scattered else [])])

    @property
    def verdict(self) -> str:
        """Say whether a violation was found."""
        return "violation shown" if self.violation else "none found"

    @property
    def epsilon_at_least(self) -> str:
        """Return what epsilon is at least at the claim's delta, but for the level, rounded down."""
        if self.found.exp_epsilon is None:
            return "infinity"
        return _decimal(log_bounds(self.found.exp_epsilon, bits=64)[0], "down") if self.found.exp_epsilon > 1 else "0"

    def as_json(self) -> dict[str, Any]:
        """The record as JSON-ready values: numbers that matter are strings."""
        found = self.found
        return {
            "verdict": self.verdict,
            "level": self.level,
            "epsilon_at_least": self.epsilon_at_least,
            "event": {
                "outputs": [str(output) for output in sorted(found.event, key=repr)],
                "likelier_at": self.names[found.first],
                "tested": [str(size) for size in found.tested],
                "counts": [str(found.in_first), str(found.in_second)],
                "probability_at_least": _decimal(found.at_least, "down"),
                "probability_at_most": _decimal(found.at_most, "up"),
            },
            "view": self.view,
            "scattered": self.scattered,
        }

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return "probability of the event"

    @property
    def headline(self) -> str:
        """The verdict on the claim."""
        return str(self).partition("\n")[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what that shows, and of what the probabilities are."""
        return *map(str.strip, str(self).split("\n")[1:]), f"both limits hold together at level {self.level}"

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
        claims.append(Claim(says=f"one report is {given['epsilon0']}-DP", standing=auditing.local_claim(found, claimed)))
    mixed = None
    if users is not None and order is not None:
        mixed = shuffled.shuffled(known, n=users, epsilon=order)
        if target is not None:
            says = f"the shuffled reports of {given['n']} users are ({given['epsilon']}, {given['delta']})-DP"
            claims.append(Claim(says=says, standing=mixed.delta.at_most(target)))
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
    said = as_given(epsilon=epsilon, delta=delta, level=level)
    claim = f"({said['epsilon']}, {said['delta']})-DP"
    return SampleAudit(names=given.names, claim=claim, level=said["level"], found=found, view=view.name, scattered=scattered)


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


def _decimal(x: Fraction, direction: Direction) -> str:
    return decimal_text(x, digits=_DIGITS, direction=direction)
