"""`shuffleproof audit`: a mechanism judged by its distribution, or by samples of its outputs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shuffleproof import audit as auditing
from shuffleproof.command_line.audit_claims import audit_claims, audit_formula, audit_shipped
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Name, Verbs, format_option, print_json
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.numerals import decimal_text, ratio_text

if TYPE_CHECKING:
    from fractions import Fraction

    from shuffleproof.audit import DistributionAudit
    from shuffleproof.conformance.audit.distribution import Between
    from shuffleproof.conformance.audit.output_views import OutputType
    from shuffleproof.conformance.audit.samples import Found

_PATH = click.Path(path_type=Path)
_SHOWN = 10
"""Digits of an end that is not shown as a ratio; and outputs of an event that are listed."""
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
        print_json({"file": str(file), **{name: text for name, text in asked.items() if text is not None}, **_distribution_as_json(found)})
    else:
        _print_distribution(found)
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
        asked = {"file": str(file), "eps": epsilon, "delta": delta}
        print_json({**asked, **_found_as_json(found.found, found.names, level), "view": found.view, "scattered": found.scattered})
    else:
        _print_found(found.found, found.names, epsilon, delta, level, found.view)
        if found.scattered:
            say("  Most of these outputs are different texts, seen once or twice: nothing is found in them unless they are grouped.")
    return ExitCode.NEGATIVE if found.violation else ExitCode.ANSWERED


def _ends(found: Between) -> dict[str, str]:
    return {name: "infinity" if end is None else ratio_text(end) for name, end in (("lower", found.lower), ("upper", found.upper))}


def _distribution_as_json(found: DistributionAudit) -> dict[str, Any]:
    mixed = found.shuffled
    local = {name: _ends(getattr(found.local, name)) for name in ("exp_epsilon", "total_variation", "blanket")}
    shuffled = None if mixed is None else {"delta": _ends(mixed.delta), "how_lower": mixed.how_lower, "how_upper": mixed.how_upper}
    worst = dict(zip(("first", "second", "outcome"), found.local.worst, strict=True))
    return {
        "local": {**local, "worst": worst},
        "shuffled": shuffled,
        "claims": [{"claim": each.says, "law": each.standing} for each in found.claims],
    }


def _print_distribution(found: DistributionAudit) -> None:
    from shuffleproof.conformance.audit.distribution_file import quoted

    local, mixed = found.local, found.shuffled
    say(f"{found.inputs} inputs, {found.outcomes} outcomes")
    say(f"  e^epsilon0       {_shown(local.exp_epsilon)}{_logarithm(local.exp_epsilon)}")
    if any(local.worst):
        first, second, outcome = map(quoted, local.worst)
        say(f"                   outcome {outcome} at input {first} against {second}")
    say(f"  total variation  {_shown(local.total_variation)}")
    say(f"  blanket          {_shown(local.blanket)}")
    if mixed is not None:
        say(f"  shuffled delta   {_shown(mixed.delta)}")
        alike = mixed.how_lower.startswith(mixed.how_upper)  # the lower end may name its pair of datasets besides
        for how in [mixed.how_lower] if alike else [f"at least: {mixed.how_lower}", f"at most: {mixed.how_upper}"]:
            say(f"                   {how}")
    for each in found.claims:
        say(f"{each.standing}: {each.says}")


def _shown(found: Between) -> str:
    if found.lower is None:
        return "infinite"
    if found.lower == found.upper and len(ratio_text(found.lower)) <= 40:
        return ratio_text(found.lower)
    upper = "infinity" if found.upper is None else decimal_text(found.upper, digits=_SHOWN, direction="up")
    return f"between {decimal_text(found.lower, digits=_SHOWN, direction='down')} and {upper}"


def _logarithm(found: Between) -> str:
    if found.upper is None:
        return ""
    return f", so epsilon0 <= {decimal_text(log_bounds(found.upper, bits=64)[1], digits=_SHOWN, direction='up')}"


def _found_as_json(found: Found, names: tuple[str, str], level: str) -> dict[str, Any]:
    return {
        "verdict": "violation shown" if found.violation else "none found",
        "level": level,
        "epsilon_at_least": _epsilon_at_least(found.exp_epsilon),
        "event": {
            "outputs": [str(output) for output in sorted(found.event, key=repr)],
            "likelier_at": names[found.first],
            "tested": [str(size) for size in found.tested],
            "counts": [str(found.in_first), str(found.in_second)],
            "probability_at_least": _decimal(found.at_least, "down"),
            "probability_at_most": _decimal(found.at_most, "up"),
        },
    }


def _print_found(found: Found, names: tuple[str, str], epsilon: str, delta: str, level: str, view: str) -> None:
    from shuffleproof.conformance.audit.distribution_file import quoted

    first, second = quoted(names[found.first]), quoted(names[1 - found.first])
    outputs = sorted((str(output) for output in found.event), key=lambda text: (len(text), text))
    listed = ", ".join(map(quoted, outputs[:_SHOWN])) + (f", ... ({len(outputs)} outputs)" if len(outputs) > _SHOWN else "")
    say(f"{'violation shown' if found.violation else 'none found'}: ({epsilon}, {delta})-DP, at level {level}")
    say(f"  epsilon >= {_epsilon_at_least(found.exp_epsilon)} at this delta, except with probability {level}")
    say(f"  event {{{listed}}}, outputs distinguished {view}; chosen on one half of the samples and tested on the other:")
    say(f"  {found.in_first} of {found.tested[0]} at {first}, so at least {_decimal(found.at_least, 'down')};")
    say(f"  {found.in_second} of {found.tested[1]} at {second}, so at most {_decimal(found.at_most, 'up')}")
    if not found.violation:
        say("  This does not say that the mechanism is private.")


def _epsilon_at_least(exp_epsilon: Fraction | None) -> str:
    if exp_epsilon is None:
        return "infinity"
    return _decimal(log_bounds(exp_epsilon, bits=64)[0], "down") if exp_epsilon > 1 else "0"


def _decimal(x: Fraction, direction: Any) -> str:
    return decimal_text(x, digits=6, direction=direction)
