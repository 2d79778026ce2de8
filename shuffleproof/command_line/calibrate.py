"""`shuffleproof calibrate`: the verb; each protocol adds a command of its own."""

from __future__ import annotations

import click

from shuffleproof.planning.calibrate.bit_sum import bit_sum
from shuffleproof.planning.calibrate.frequency import frequency
from shuffleproof.planning.calibrate.histogram import histogram
from shuffleproof.planning.calibrate.real_sum import real_sum
from shuffleproof.planning.calibrate.user_histogram import user_histogram
from shuffleproof.planning.calibrate.zero_sum import zero_sum


@click.group()
def calibrate() -> None:
    """The least noise that is certified to meet (epsilon, delta), beside noise that is certified not to; or the largest local epsilon0."""


calibrate.add_command(zero_sum)
calibrate.add_command(histogram)
calibrate.add_command(bit_sum)
calibrate.add_command(real_sum)
calibrate.add_command(frequency)
calibrate.add_command(user_histogram)
