"""`shuffleproof figure`: the papers' figures and tables, recomputed, as SVG, PDF, PNG or CSV."""

from pathlib import Path

import click

from shuffleproof import figures
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.method_options import OF_RANDOMIZER, parameter_options
from shuffleproof.command_line.options import Verb, refuse_idle, verbose_option
from shuffleproof.figures.registry import entry, made
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.files import require_writable
from shuffleproof.spec.vocabulary.parameters import DELTA, EPSILON0


@click.command(cls=Verb)
@click.argument("name")
@click.option(
    "-o", "outputs", multiple=True, metavar="FILE", help="Where to write: .svg, .pdf, .png or .csv (.txt for a table). May be repeated."
)
@click.option("-n", "n", metavar="LIST", help='Users: "1000,1e4", or "1e3:1e9:13" for 13 numbers in equal ratios.')
@parameter_options(EPSILON0, DELTA, *OF_RANDOMIZER)
@verbose_option
def figure(name: str, outputs: tuple[str, ...], **own: str | None) -> ExitCode:
    """A figure or table of the papers, recomputed; "list" names them.

    \b
    shuffleproof figure list
    shuffleproof figure fig2a -o fig2a.svg -o fig2a.csv
    shuffleproof figure brackets -n 100:1e8:13 --eps0 2 --delta 1e-8 --randomizer rappor -o brackets.svg

    eps0, delta and a randomizer are for "brackets", -n for it and for "literature" and "literature-table".

    Without -o a table is printed, and a figure's points are printed as CSV.
    """
    if name == "list":
        refuse_idle('beside "list"', "outputs", *own)
        for known, says in figures.names().items():
            say(f"{known:<24} {says}")
        return ExitCode.ANSWERED
    chosen = entry(name)
    paths = [_path(output) for output in outputs]
    from shuffleproof.figures.chart import Table

    content = made(chosen, **{each: value for each, value in own.items() if value is not None})
    if not paths:
        say(content.text() if isinstance(content, Table) else content.csv().decode("utf-8"), nl=isinstance(content, Table))
    for path in paths:
        figures.save(content, path)
        say(str(path))
    return ExitCode.ANSWERED


def _path(output: str) -> Path:
    path = Path(output)
    if path.suffix not in figures.FORMS:
        raise DomainError(parameter="-o", value=output, requirement=f"a file name that ends in {', '.join(figures.FORMS)}")
    require_writable(path)
    return path
