"""Every verb under one name; the module of a verb is imported when that verb is asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module

import click

from shuffleproof import __version__
from shuffleproof.command_line.options import Verbs, verbose_option

MODULES = {
    "verify": "verify",
    "bound": "bound",
    "compare": "compare",
    "sweep": "sweep",
    "compose": "compose",
    "advise": "advise",
    "calibrate": "calibrate",
    "plan": "plan",
    "run": "run",
    "figure": "figure",
    "ledger": "ledger",
    "audit": "audit",
    "conform": "conform",
    "vectors": "vectors",
}
"""Verb -> the module of this package that defines the command of that name."""


class _Commands(Mapping[str, click.Command]):
    """The commands of all verbs, each of them loaded when it is named, or when help lists it."""

    def __getitem__(self, verb: str) -> click.Command:
        command: click.Command = getattr(import_module(f"shuffleproof.command_line.{MODULES[verb]}"), verb)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


@click.group(cls=Verbs, commands=_Commands(), context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, message="shuffleproof %(version)s")
@verbose_option
def shuffleproof() -> None:
    """The shuffle model of differential privacy: certified bounds, a ledger of checked statements, a conformance kit.

    The answer goes to stdout, everything else to stderr. Exit codes: 0 answered or conforms; 1 negative verdict; 2 usage, a parameter
    outside its domain, or a file that is missing, foreign or damaged; 3 undecided, or over a resource limit; 4 a harness failed;
    5 nothing ran; 70 a bug of ours; 74 output could not be written.

    Options may be written as they are called in Python, too: --epsilon0 for --eps0, --epsilon for --eps. Where stderr is a terminal,
    whatever takes longer than two seconds says there how far it is; into a file or a pipe, and in a CI, it is silent.
    """
