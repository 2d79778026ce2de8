"""`shuffleproof run`: the verb; each protocol adds a command of its own."""

from __future__ import annotations

import click

from shuffleproof.run.bit_sum import bit_sum
from shuffleproof.run.histogram import histogram
from shuffleproof.run.real_sum import real_sum
from shuffleproof.run.user_histogram import user_histogram


@click.group()
def run() -> None:
    """A protocol on real data, with noise of an exact law from the operating system's entropy."""


for command in (histogram, bit_sum, real_sum, user_histogram):
    run.add_command(command)
