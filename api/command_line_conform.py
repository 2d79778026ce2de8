"""`shuffleproof conform` and `shuffleproof vectors`."""

import click


@click.group()
def conform() -> None:
    """x"""


@click.group()
def vectors() -> None:
    """x"""
