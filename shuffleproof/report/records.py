"""What the report of `verify` is made of: JSON objects with known fields. Numbers that matter are texts."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict


class MutantRow(TypedDict):
    """A changed statement, whether the check rejected it, and the status that it was given."""

    change: str
    killed: bool
    found: str
    generated: NotRequired[bool]


class StatementRow(TypedDict):
    """A statement of the ledger and what was found about it; the fields are those of `ledger check --format json`."""

    id: str
    paper: str
    status: str
    where: str
    says: str
    range: str
    provenance: str
    governs: Sequence[str]
    domain: str
    cases: int
    slack: str | None
    witness: str | None
    corrected: str | None
    note: str | None
    mutants: Sequence[MutantRow]
    recorded: str | None
    seconds: str
    source: NotRequired[str]
    own_status: NotRequired[str]
    kind: NotRequired[str | None]
    weight: NotRequired[str | None]
    theorem: NotRequired[str | None]
    checked_with: NotRequired[str | None]
    rests_on: NotRequired[Sequence[str]]
    grounds: NotRequired[Sequence[Mapping[str, str]]]
    chain: NotRequired[Sequence[Mapping[str, str]]]
    unreached: NotRequired[Sequence[str]]
    not_falsified: NotRequired[str | None]
    number_mutants: NotRequired[Sequence[Mapping[str, str | bool]]]
    number_mutants_in_all: NotRequired[int]
    missing: NotRequired[str | None]
    of_engines: NotRequired[str | None]
    found: NotRequired[str]


class CrossCheckRow(TypedDict):
    """Two engines compared on parameters drawn at random."""

    name: str
    says: str
    cases: int
    refused: int
    refused_share: str
    widest: str
    failures: Sequence[str]
    seconds: str


class TableRow(TypedDict):
    """A table computed for the report, or why it could not be."""

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str]
    failed: str | None
    seconds: str


class ShippedRow(TypedDict):
    """A formula, or a number, that a public project ships: where it stands, and at how many points it is impossible, undecided, sound."""

    name: str
    project: str
    file: str
    note: str
    claim: str
    delta: str | None
    where: str | None
    counts: Mapping[str, int]
    outside: int
    conditions: Sequence[str]
    median: str | None
    witness: str | None


class CaseRow(TypedDict):
    """Says what became of one case of the conformance suite; see conformance.reporting.report.CaseResult."""

    id: str
    operation: str
    input: Mapping[str, str]
    verdict: str
    detail: str
    claim: str | None
    value: str | Mapping[str, str] | None
    expected: str
    ratio: str | None
    flags: Sequence[str]
    seconds: str | None


class TargetRow(TypedDict):
    """A target of the conformance suite; only the first four fields where it was not judged, `failed` saying why."""

    target: str
    failed: str | None
    exit_code: int
    seconds: str
    preparing: NotRequired[str]
    implementation: NotRequired[Mapping[str, str]]
    suite: NotRequired[str]
    summary: NotRequired[Mapping[str, int]]
    cases: NotRequired[Sequence[CaseRow]]


class VerificationReport(TypedDict):
    """The whole report of `verify`. exit_code is not 0 only for what is ours: see verification.verify."""

    format: str
    shuffleproof: str
    python: str
    system: str
    started: str
    seconds: str
    depth: str
    seed: str
    exit_code: int
    problems: Sequence[str]
    ledger: Sequence[StatementRow]
    cross_checks: Sequence[CrossCheckRow]
    tables: Sequence[TableRow]
    shipped: NotRequired[Sequence[ShippedRow]]
    engines: Sequence[TargetRow]
    third_party: Sequence[TargetRow]
