"""`shuffleproof run`: the verb; each protocol adds a command of its own."""

from __future__ import annotations

import click

from shuffleproof.run.histogram import histogram


@click.group()
def run() -> None:
    """A protocol on real data, with noise of an exact law from the operating system's entropy."""


run.add_command(histogram)
