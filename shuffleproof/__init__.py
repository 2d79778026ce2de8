"""The shuffle model of differential privacy, specified, certified and checked.

`shuffled(KRR(k=10, epsilon0=1), n=10_000)` and the papers' protocols are objects that are asked for `epsilon`, `delta`, `renyi`,
`profile` and `rounds`; they answer with a `Bracket` of the truth, or by a named method with a `Bound`, which says on which side of the
truth it is. The functions `epsilon`, `delta` and `renyi` ask a method by its name; `privacy_profile` answers for many epsilons at once.
`calibrate`, `audit`, `conformance`, `ledger`, `figures` and `run` have a function for each thing that the command line does; `advise`,
`compare`, `compose` and `sweep` are one each. They return frozen records. Names are imported when they are
first asked for, and engines when they compute, so that importing this package costs next to nothing. The truth is in `shuffleproof.spec`,
the checks of the papers in `shuffleproof.proofs_check`, the kit for other implementations in `shuffleproof.conformance`.
"""

__version__ = "0.2.0"
TYPE_CHECKING = False  # so named, it is true for whoever checks types; `typing` takes as long as all the rest of a start

if TYPE_CHECKING:
    from shuffleproof.public import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        """A room of the package, or a name of `shuffleproof.public`."""
        from importlib import import_module
        from importlib.util import find_spec

        if not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:
            return import_module(f"{__name__}.{name}")
        public = import_module(f"{__name__}.public")
        if name == "__all__":
            return public.__all__
        if name not in public.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=public)
        return getattr(public, name)

    def __dir__() -> list[str]:
        from shuffleproof import public

        return [*globals(), *public.__all__]
