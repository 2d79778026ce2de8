"""`shuffleproof audit`: a mechanism judged by its distribution, or by samples of its outputs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shuffleproof import audit as auditing
from shuffleproof.command_line.audit_claims import audit_claims, audit_formula, audit_shipped
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Name, Verbs, format_option, print_json
from shuffleproof.report.texts import say

if TYPE_CHECKING:
    from shuffleproof.conformance.audit.output_views import OutputType

_PATH = click.Path(path_type=Path)
_CODES = {"supported": ExitCode.ANSWERED, "contradicted": ExitCode.NEGATIVE, "undecided": ExitCode.UNDECIDED}


@click.group(cls=Verbs)
def audit() -> None:
    """Audit a mechanism by its distribution or its samples, or numbers that somebody claims.

    \b
    shuffleproof audit distribution randomizer.json --eps0 1
    shuffleproof audit distribution randomizer.csv --rounding 5e-7 -n 1000 --eps 0.1 --delta 1e-6
    shuffleproof audit samples outputs.csv --eps 1 --delta 1e-6
    shuffleproof audit claims table.csv --column epsilon=claimed
    shuffleproof audit formula "eps0*sqrt(ln(1/delta)/n)"
    """


audit.add_command(audit_claims)
audit.add_command(audit_formula)
audit.add_command(audit_shipped)


@audit.command("distribution")
@click.argument("file", metavar="FILE", type=_PATH)
@click.option("--rounding", default=None, metavar="NUMBER", help='How far a probability may lie from what is written, such as "5e-7".')
@click.option("--eps0", "epsilon0", default=None, metavar="NUMBER", help="Claim: one report is eps0-DP.")
@click.option("-n", "n", default=None, metavar="COUNT", help="Shuffle the reports of so many users.")
@click.option("--eps", "epsilon", default=None, metavar="NUMBER", help="With -n: delta of the shuffled reports there.")
@click.option("--delta", default=None, metavar="NUMBER", help="Claim, with -n and --eps: the shuffled reports are (eps, delta)-DP.")
@format_option
def audit_distribution(
    file: Path, rounding: str | None, epsilon0: str | None, n: str | None, epsilon: str | None, delta: str | None, as_json: bool
) -> int:
    """A finite randomizer by its exact distribution, or by rounded probabilities.

    FILE: JSON, {"format": "shuffleproof-law-1", "inputs": {"0": {"a": "3/4", "b": "1/4"}, ...}}, or CSV with the columns input, outcome,
    probability. Exit codes: 0 the claims are supported, or none was made; 1 one is contradicted; 3 undecided within the rounding.
    """
    if (n is None) != (epsilon is None) or (delta is not None and n is None):
        raise click.UsageError("-n and --eps go together, and --delta needs both")
    found = auditing.distribution(file, rounding=rounding, epsilon0=epsilon0, n=n, epsilon=epsilon, delta=delta)
    if as_json:
        asked = {"rounding": rounding, "eps0": epsilon0, "n": n, "eps": epsilon, "delta": delta}
        print_json({"file": str(file), **{name: text for name, text in asked.items() if text is not None}, **found.as_json()})
    else:
        say(str(found))
    return _CODES[found.standing]


@audit.command("samples")
@click.argument("file", metavar="FILE", type=_PATH)
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help="The claim that is tested.")
@click.option("--delta", required=True, metavar="NUMBER", help="The claim that is tested.")
@click.option(
    "--level", default="0.05", show_default=True, metavar="NUMBER", help="Probability of accusing a mechanism that keeps its claim."
)
@click.option(
    "--type",
    "output_type",
    type=Name(["auto", "number", "text", "bits"]),
    default="auto",
    show_default=True,
    help="What outputs are, which decides how they are distinguished; texts with leading zeros are texts.",
)
@format_option
def audit_samples(file: Path, epsilon: str, delta: str, level: str, output_type: OutputType, as_json: bool) -> int:
    """A lower bound on epsilon from outputs on two neighbouring inputs, independent of each other.

    FILE: CSV with the columns input (two different texts) and outcome; side and output are read too. The verdict
    is "violation shown", with exit code 1, or "none found", never "private": samples cannot show that.
    """
    found = auditing.samples(file, epsilon=epsilon, delta=delta, level=level, type=output_type)
    if as_json:
        print_json({"file": str(file), "eps": epsilon, "delta": delta, **found.as_json()})
    else:
        say(str(found))
    return ExitCode.NEGATIVE if found.violation else ExitCode.ANSWERED
