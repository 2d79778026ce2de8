"""Many releases: privacy profiles, rounds, filters, one coin for several releases; and the objects of dp-accounting."""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A name of `dp_accounting`, which needs the extra of that name: `from shuffleproof.accounting import ShuffledDpEvent`."""
    if name.startswith("_") or name == "dp_accounting":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    return getattr(import_module("shuffleproof.accounting.dp_accounting"), name)
