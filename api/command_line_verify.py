"""`shuffleproof verify`."""

import click


@click.command()
def verify() -> None:
    """x"""
