"""`shuffleproof audit claims` and `audit formula`: numbers and formulas for epsilon that somebody claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shuffleproof import audit
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Verb, format_option, print_json, progress_bar, refuse_idle
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.errors import DomainError, ShuffleproofError, require
from shuffleproof.spec.vocabulary.files import require_writable, write_whole
from shuffleproof.spec.vocabulary.numerals import amount, count

if TYPE_CHECKING:
    from shuffleproof.claims.judging import Judgement
    from shuffleproof.claims.region import Survey


def _pairs(_context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE, again and again."""
    found: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not name or name in found:
            raise click.BadParameter(f"{text!r}: must be NAME=VALUE, each name once", param=parameter)
        found[name] = value
    return found


@click.command("claims", cls=Verb)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--column", "columns", multiple=True, callback=_pairs, metavar="NAME=HEAD", help="The column in which NAME stands.")
@click.option("--set", "fixed", multiple=True, callback=_pairs, metavar="NAME=VALUE", help="For all rows that do not say it themselves.")
@format_option
def audit_claims(file: Path, columns: dict[str, str], fixed: dict[str, str], as_json: bool) -> int:
    """A table of claimed epsilons, judged row by row against the certified bracket.

    FILE: CSV with the columns n, eps0, delta, epsilon (the claim); rounds, where the same users take part in several,
    each with fresh randomness; and where the claim is about one randomizer: randomizer, k, d, blocks, buckets.
    A row is impossible (below a certified lower side), sound (at or above a certified upper side, and how loose), or undecided.
    Exit codes: 0 all sound; 1 one is impossible; 2 one cannot be read; 3 one is undecided, or has no bracket.
    """
    from shuffleproof.claims.table import read

    rows = read(file, columns=columns, fixed=fixed)
    told: list[tuple[int, Judgement | ShuffleproofError]] = []
    with progress_bar() as progress:
        task = progress.add_task("claims", total=len(rows), now="")
        for row in rows:
            try:
                told.append((row.line, row.judged()))
            except ShuffleproofError as error:  # the others are judged all the same
                told.append((row.line, error))
            if not as_json:
                say(f"line {row.line}: {_said(told[-1][1]).replace(f'line {row.line}, ', '', 1)}")
            progress.update(task, advance=1, now=f"line {row.line}")
    if as_json:
        print_json(
            [{"line": line, **({"refused": str(found)} if isinstance(found, Exception) else found.as_json())} for line, found in told]
        )
    if not told:
        say("shuffleproof: no claim in this table", err=True)
        return ExitCode.NOTHING_RAN
    if not as_json and len(told) > 1:
        kinds = ["not judged" if isinstance(found, Exception) else found.standing.value for _, found in told]
        say(f"{len(told)} claims: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)))
    return min((_code(found) for _, found in told), key=(ExitCode.NEGATIVE, ExitCode.USAGE, ExitCode.UNDECIDED, ExitCode.ANSWERED).index)


def _said(found: Judgement | ShuffleproofError) -> str:
    return f"not judged: {found}" if isinstance(found, ShuffleproofError) else str(found)


@click.command("formula", cls=Verb)
@click.argument("expression", metavar="EXPRESSION", required=False)
@click.option("--shipped", default=None, metavar="NAME", help="A formula that a public project ships, in the place of EXPRESSION.")
@click.option("--where", default=None, metavar="CONDITION", help='Where it is claimed, such as "eps0 <= ln(n/(16*ln(2/delta)))".')
@click.option("--claimed-delta", default=None, metavar="EXPRESSION", help="The central delta of the claim, where it is not delta.")
@click.option(
    "--set", "fixed", multiple=True, callback=_pairs, metavar="NAME=VALUE", help="A value that does not vary, or randomizer=NAME."
)
@click.option("--points", default="40", show_default=True, metavar="COUNT", help="Points drawn beside the simple ones.")
@click.option("--seed", default="0", show_default=True, metavar="COUNT", help="Of the points drawn.")
@format_option
def audit_formula(
    expression: str | None,
    shipped: str | None,
    where: str | None,
    claimed_delta: str | None,
    fixed: dict[str, str],
    points: str,
    seed: str,
    as_json: bool,
) -> int:
    """A formula for epsilon in n, eps0, delta and k, judged over a region.

    \b
    shuffleproof audit formula "eps0*sqrt(ln(1/delta)/n)"
    shuffleproof audit formula "eps0/sqrt(n)" --set randomizer=k-rr --set k=10

    Signs: + - * / **, sqrt, ln, log, log2, log10, exp, min, max, abs, e, pi. It is computed in ball arithmetic, and compared with the
    certified bracket at simple points and at points drawn. Exit codes: 0 nothing is impossible; 1 something is; 5 it is claimed nowhere.
    """
    from shuffleproof.claims.region import size
    from shuffleproof.claims.shipped import shipped as known

    if (expression is None) == (shipped is None):
        raise click.UsageError("give EXPRESSION, or --shipped NAME")
    if shipped is not None:
        if where is not None or claimed_delta is not None:
            raise click.UsageError("--where and --claimed-delta go with EXPRESSION: a shipped formula has its own")
        found = known(shipped)
        expression, where, claimed_delta = found.epsilon, found.where, found.delta
    assert expression is not None
    drawn = count(points, parameter="points", minimum=0)
    if drawn == 0:
        refuse_idle("beside --points 0", "seed")
    with progress_bar() as progress:
        task = progress.add_task("points", total=size(fixed, drawn), now="")
        result = audit.formula(
            expression,
            where=where,
            claimed_delta=claimed_delta,
            fixed=fixed,
            points=drawn,
            seed=seed,
            on_point=lambda: progress.update(task, advance=1, now=""),
        )
    if as_json:
        print_json(_as_json(result))
    else:
        _print(result)
    if not result.judgements:
        return ExitCode.NOTHING_RAN
    return ExitCode.NEGATIVE if result.witness is not None else ExitCode.ANSWERED


@click.command("shipped", cls=Verb)
@click.option("--only", multiple=True, metavar="NAME", help="Only this formula; may be given several times.")
@click.option(
    "-o", "--output", "page", default=None, metavar="FILE", type=click.Path(path_type=Path), help="Also write a page there: a .html."
)
@format_option
def audit_shipped(only: tuple[str, ...], page: Path | None, as_json: bool) -> int:
    """The formulas and numbers that public projects ship, each cited by project and file: formulas judged at simple points.

    \b
    Exit codes: 0 none of them is impossible anywhere; 1 one is.
    """
    from shuffleproof.claims.region import size
    from shuffleproof.claims.shipped import PUBLISHED, SHIPPED, compared, shipped as known, surveyed
    from shuffleproof.report.claims import of_formula, of_number, page as page_of

    if page is not None:
        require(page.suffix == ".html", parameter="output", value=str(page), requirement="a file whose name ends in .html")
        require_writable(page)
    formulas = tuple(known(name) for name in dict.fromkeys(only)) or SHIPPED
    numbers = () if only else PUBLISHED
    rows, told, impossible = [], [], False
    with progress_bar() as progress:
        task = progress.add_task("points", total=len(formulas) * size({}, 0) + len(numbers), now="")
        for each in formulas:
            found = surveyed(each, step=lambda: progress.update(task, advance=1, now=""))
            rows.append(of_formula(each, found))
            about = {"name": each.name, "project": each.project, "file": each.file, "note": each.note}
            told.append({**about, **_as_json(found)})
            impossible |= found.witness is not None
            if not as_json:
                say(f"{each.name}: {each.project}, {each.file}{f' ({each.note})' if each.note else ''}")
                _print(found)
        for number in numbers:
            judgement = compared(number)
            rows.append(of_number(number, judgement))
            about = {"name": rows[-1]["name"], "project": number.project, "file": number.file, "note": number.note}
            told.append({**about, **judgement.as_json()})
            impossible |= judgement.standing.value == "impossible"
            progress.update(task, advance=1, now="")
            if not as_json:
                say(f"{number.project}, {number.file} ({number.note})\n  {judgement}")
    if page is not None:
        write_whole(page, page_of(rows).encode("utf-8"))
    if as_json:
        print_json(told)
    return ExitCode.NEGATIVE if impossible else ExitCode.ANSWERED


def _code(found: Judgement | ShuffleproofError) -> ExitCode:
    if isinstance(found, ShuffleproofError):
        return ExitCode.USAGE if isinstance(found, DomainError) else ExitCode.UNDECIDED
    return {"impossible": ExitCode.NEGATIVE, "undecided": ExitCode.UNDECIDED}.get(found.standing.value, ExitCode.ANSWERED)


def _print(found: Survey) -> None:
    from shuffleproof.claims.judging import Standing

    counts = ", ".join(f"{found.count(standing)} {standing.value}" for standing in Standing)
    say(f"epsilon = {found.formula}{f', where {found.condition}' if found.condition else ''}")
    say(
        f"  {amount(len(found.judgements), 'point')} judged: {counts}; {found.outside} outside the claim, {found.refused} without a bracket"
    )
    if found.judgements:
        say(f"  the points: {found.region()}")
    for condition in found.conditions():
        say(f"  impossible at every point asked with {condition}")
    if found.witness is not None:
        say("  " + str(found.witness).replace("\n", "\n  "))
    if found.loose_by is not None:
        say(f"  where it is sound it is loose by a factor of {found.loose_by} (median)")


def _as_json(found: Survey) -> dict[str, object]:
    from shuffleproof.claims.judging import Standing

    return {
        "formula": found.formula,
        "where": found.condition,
        "points": len(found.judgements),
        **{standing.value: found.count(standing) for standing in Standing},
        "outside": found.outside,
        "refused": found.refused,
        "conditions": found.conditions(),
        "witness": None if found.witness is None else found.witness.as_json(),
        "judgements": [each.as_json() for each in found.judgements],
    }
