"""Every verb under one name; the module of a verb is imported when that verb is asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module

import click

from shuffleproof import __version__
from shuffleproof.command_line.options import Verbs, verbose_option

VERBS = {
    "verify": "Check everything of ours, and judge third-party packages.",
    "bound": "A bound by a named method, certified unless it says otherwise.",
    "compare": "Every method side by side, and the bracket of the best two.",
    "sweep": "A bound at every point of a grid of n, eps0 and delta (or eps).",
    "compose": "The epsilon of many adaptive rounds together.",
    "advise": "The protocol with the least certified error for a task.",
    "calibrate": "The least noise that is certified to meet (epsilon, delta).",
    "plan": "A deployment: who takes part, and what must hold in the end.",
    "run": "A protocol on real data, with exact noise.",
    "figure": "A figure or table of the papers, recomputed.",
    "ledger": "The papers' statements: which hold, where, with what slack.",
    "audit": "Audit a mechanism, or numbers that somebody claims.",
    "conform": "Judge an implementation over the harness protocol.",
    "vectors": "Check or rewrite the stored test vectors.",
}
"""Verb, which is also its module in this package, -> what the list of verbs says of it."""


class _Commands(Mapping[str, click.Command]):
    """The commands of all verbs, each of them loaded when it is named."""

    def __getitem__(self, verb: str) -> click.Command:
        if verb not in VERBS:
            raise KeyError(verb)
        command: click.Command = getattr(import_module(f"shuffleproof.command_line.{verb}"), verb)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


class _Program(Verbs):
    """The group of all verbs: their list needs none of them loaded."""

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write verbs with their sentences."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(VERBS.items()))


@click.group(cls=_Program, commands=_Commands(), context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
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
