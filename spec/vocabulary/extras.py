"""Optional packages, and one error for all that are missing."""

from importlib import import_module
from typing import Any

from shuffleproof.spec.vocabulary.errors import UnsupportedError


class MissingExtraError(UnsupportedError, ImportError):
    """An optional package is not installed. extra: that of shuffleproof with which it is, as in `pip install shuffleproof[extra]`."""

    def __init__(self, *, package: str, extra: str, what: str, otherwise: str | None = None) -> None:
        self.package, self.extra, self.otherwise = package, extra, otherwise
        install = f"pip install 'shuffleproof[{extra}]', or '.[{extra}]' in a clone"
        advice = f"install the extra `{extra}` ({install})" + (f", or {otherwise}" if otherwise else "")
        super().__init__(what=what, reason=f"{package} is not installed", advice=advice)


def optional(module: str, *, extra: str, what: str, otherwise: str | None = None) -> Any:
    """Return a module of an optional package.

    module: its import path; extra: that of shuffleproof which has it; what: what was asked for; otherwise: what can be done without.
    Raises MissingExtraError where the package is not installed.
    """
    package = module.partition(".")[0]
    try:
        import_module(package)
    except ImportError:
        raise MissingExtraError(package=package, extra=extra, what=what, otherwise=otherwise) from None
    return import_module(module)
