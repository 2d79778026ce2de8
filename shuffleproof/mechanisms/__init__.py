"""The objects that users ask how private they are: randomizers, their shuffled reports, the papers' protocols; brackets as answers."""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A name of `mechanism`: programs and pickled objects know it by this package."""
    if name.startswith("_") or name == "mechanism":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    return getattr(import_module("shuffleproof.mechanisms.mechanism"), name)
