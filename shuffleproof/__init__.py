"""The shuffle model of differential privacy, specified, certified and checked.

`shuffled(KRR(k=10, epsilon0=1), n=10_000)` and the papers' protocols are objects that are asked for `epsilon`, `delta`, `renyi`,
`profile` and `rounds`; they answer with a `Bracket` of the truth, or by a named method with a `Bound`, which says on which side of the
truth it is. The functions `epsilon`, `delta` and `renyi` ask a method by its name; `privacy_profile` answers for many epsilons at once.
`calibrate`, `audit`, `conformance`, `ledger`, `figures` and `run` have a function for each thing that the command line does; `advise`,
`compare`, `compose` and `sweep` are one each. They return frozen records. Names are imported when they are
first asked for, and engines when they compute, so that importing this package costs next to nothing. The truth is in `shuffleproof.spec`,
the checks of the papers in `shuffleproof.proofs_check`, the kit for other implementations in `shuffleproof.conformance`.
"""

import os as _os
import sys as _sys
from importlib.machinery import ModuleSpec as _ModuleSpec, PathFinder as _PathFinder

__version__ = "0.2.0"


class _Checkout:
    """Finds the packages that stand beside this one in a checkout there, whichever other copy is installed: no copy runs another's code."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> object:
        """Return what imports `spec`, `impl` or `proofs_check` of this checkout; None for all else."""
        parent, _, package = name.partition(".")
        beside = parent == __name__ and package in ("spec", "impl", "proofs_check")
        return _PathFinder.find_spec(f"{__name__}.{package}", [_TOP]) if beside else None


_TOP = _os.path.dirname(_os.path.dirname(_os.path.abspath(__file__)))
if _os.path.exists(_os.path.join(_TOP, "pyproject.toml")) and _os.path.isdir(_os.path.join(_TOP, "spec")):
    _sys.meta_path.insert(0, _Checkout)  # type: ignore[arg-type]

_IN_CLONE = _os.path.join("shuffleproof", "__init__.py")
if all(map(_os.path.exists, ("pyproject.toml", "spec", _IN_CLONE))) and not _os.path.samefile(_IN_CLONE, __file__):
    raise ImportError(f"this folder is a clone of shuffleproof, and the code of {_TOP} would run in it: use the clone's own environment")

_FORMER = {
    f"{__name__}.{module}": f"{__name__}.{package}.{module}"
    for package, modules in {
        "mechanisms": ("brackets", "participation", "protocols", "randomizers"),
        "accounting": ("filters", "one_coin", "profiles", "rounds"),
    }.items()
    for module in modules
} | {
    f"{__name__}.{module}": f"{__name__}.{now}"
    for module, now in {
        "laws": "mechanisms.distributions",
        "mechanisms.laws": "mechanisms.distributions",
        "conformance.audit.law_file": "conformance.audit.distribution_file",
        "spec.divergence": "spec.distribution",
        "spec.privacy_profile": "spec.distribution",
    }.items()
}
"""Modules whose objects people have pickled or imported, by the names that they had."""


class _Former:
    """Imports a module by its former name: what is asked of it is asked of the module that it is now."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> object:
        """Return what imports a module by its former name; None for all else."""
        return _ModuleSpec(name, _Former) if name in _FORMER else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: object) -> None:
        """Nothing: an ordinary module will do."""

    @staticmethod
    def exec_module(module: object) -> None:
        """Let the module look its names up where they are."""
        from importlib import import_module

        now = import_module(_FORMER[module.__name__])  # type: ignore[attr-defined]
        vars(module)["__getattr__"] = now.__getattribute__


_sys.meta_path.append(_Former)  # type: ignore[arg-type]

TYPE_CHECKING = False  # so named, it is true for whoever checks types; `typing` takes as long as all the rest of a start

if TYPE_CHECKING:
    from shuffleproof.public import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        """Return a subpackage, or a name of `shuffleproof.public`."""
        from importlib import import_module
        from importlib.util import find_spec

        if (former := f"{__name__}.{name}") in _FORMER:
            return import_module(_FORMER[former])
        if not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:
            return import_module(f"{__name__}.{name}")
        name = {"FromLaw": "FromDistribution"}.get(name, name)
        public = import_module(f"{__name__}.public")
        if name == "__all__":
            return public.__all__
        if name not in public.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=public)
        return getattr(public, name)

    def __dir__() -> list[str]:
        from shuffleproof import public

        return [*(name for name in globals() if name.startswith("__")), *public.__all__]
