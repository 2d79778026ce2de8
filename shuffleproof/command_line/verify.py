"""`shuffleproof verify`: the main job, watched on stderr, answered on stdout, kept in a report folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shuffleproof.command_line.options import Verb, depth_option, format_option, print_json, progress_bar, refuse_idle

if TYPE_CHECKING:
    from rich.progress import Progress

    from shuffleproof.proofs_check.ledger import Depth
    from shuffleproof.verification.verify import Step


@click.command(cls=Verb)
@depth_option
@click.option("--report", default=None, metavar="DIR", type=click.Path(path_type=Path), help="Also write the report there.")
@click.option("--show", default=None, metavar="DIR", type=click.Path(path_type=Path), help="Show an earlier report instead of working.")
@format_option
def verify(depth: Depth, report: Path | None, show: Path | None, as_json: bool) -> int:
    """Check everything of ours, and judge third-party packages.

    The ledger with its mutants; the engines against each other; our engines and third-party packages through the conformance suite.
    A refuted statement and a third party's verdict are results. Environments of third-party packages are made by pip, which needs a
    network, and kept (SHUFFLEPROOF_CACHE=DIR, else the user's cache folder); without one such a package is not judged. Exit code 1 means
    that something of our own is wrong: an engine, a stored vector, a mutant that survives, a status that is not the recorded one.
    """
    from shuffleproof.report import stored
    from shuffleproof.report.terminal import print_report
    from shuffleproof.verification.verify import verify as do_it

    if show is not None:
        if report is not None:
            raise click.UsageError("give one of --report (work, and write a report) and --show (an earlier one)")
        refuse_idle("beside --show", "depth")
        content = stored.read(show)
    else:
        if report is not None:
            stored.prepare(report)
        with progress_bar() as progress:
            content = do_it(depth=depth, watcher=_Bars(progress))
        if report is not None:
            stored.write(report, content)
    if as_json:
        print_json(content)
    else:
        print_report(content, folder=str(report or show) if report or show else None)
    return int(content["exit_code"])


class _Bars:
    """A bar for every stage, and one until the first begins: reading the statements takes seconds."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._before = progress.add_task("statements are read", total=None, now="")

    def stage(self, name: str, total: int) -> Step:
        self._progress.update(self._before, visible=False)
        task = self._progress.add_task(name, total=total, now="")
        return lambda done: self._progress.update(task, advance=1, now=done)
