"""Every verb under one name; the module of a verb is imported when that verb is asked for."""

from __future__ import annotations

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


class _Program(Verbs):
    """The group of all verbs, each of them loaded when it is named, or when help lists it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all verbs, sorted, as click does."""
        return sorted(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a verb and return its command; None where there is no such verb."""
        if cmd_name not in MODULES:
            return None
        command: click.Command = getattr(import_module(f"shuffleproof.command_line.{MODULES[cmd_name]}"), cmd_name)
        return command


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, message="shuffleproof %(version)s")
@verbose_option
def shuffleproof() -> None:
    """The shuffle model of differential privacy: certified bounds, a ledger of checked statements, a conformance kit.

    The answer goes to stdout, everything else to stderr. Exit codes: 0 answered or conforms; 1 negative verdict; 2 usage, a parameter
    outside its domain, or a file that is missing, foreign or damaged; 3 undecided, or over a resource limit; 4 a harness failed;
    5 nothing ran; 70 a bug of ours; 74 output could not be written.
    """
