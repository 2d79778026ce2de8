"""Every verb under one name."""

from __future__ import annotations

import click

from shuffleproof import __version__
from shuffleproof.command_line.advise import advise
from shuffleproof.command_line.audit import audit
from shuffleproof.command_line.bound import bound, compare
from shuffleproof.command_line.calibrate import calibrate
from shuffleproof.command_line.compose import compose
from shuffleproof.command_line.conform import conform
from shuffleproof.command_line.figure import figure
from shuffleproof.command_line.ledger import ledger
from shuffleproof.command_line.options import Verbs, verbose_option
from shuffleproof.command_line.plan import plan
from shuffleproof.command_line.run import run
from shuffleproof.command_line.sweep import sweep
from shuffleproof.command_line.vectors import vectors
from shuffleproof.command_line.verify import verify


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, message="shuffleproof %(version)s")
@verbose_option
def shuffleproof() -> None:
    """The shuffle model of differential privacy: certified bounds, a ledger of checked statements, a conformance kit.

    The answer goes to stdout, everything else to stderr. Exit codes: 0 answered or conforms; 1 negative verdict; 2 usage, a parameter
    outside its domain, or a file that is missing, foreign or damaged; 3 undecided, or over a resource limit; 4 a harness failed;
    5 nothing ran; 70 a bug of ours; 74 output could not be written.
    """


for command in (verify, bound, compare, sweep, compose, advise, calibrate, plan, run, figure, ledger, audit, conform, vectors):
    shuffleproof.add_command(command)
