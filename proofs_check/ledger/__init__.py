"""The registry of statements: what each says, what it rests on, the check that decides it and the changed statements it rejects.

`statement` declares one of a paper, `derived` one of our own, `recalled` one of a paper that was not at hand; `verdict` says what a check
found, `ground` what that rests on, `methods` are the ways of checking, `trust` computes the status that the chain of grounds allows,
`record` compares it with what `entries` has of the last run. A module is imported when one of its names is asked for: to read what is
recorded takes no way of checking.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shuffleproof.proofs_check.ledger.checking import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.entries import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.ground import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.number_mutants import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.record import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.statements import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.steps import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.trust import *  # noqa: F403
    from shuffleproof.proofs_check.ledger.verdict import *  # noqa: F403
else:
    _NAMES = {
        "number_mutants": ("NumberMutant", "is_weaker", "mutate_numbers", "recorded_number_mutants", "without_effect"),
        "checking": ("all_mutants", "check", "registry", "require_assertions", "run_mutants", "select"),
        "entries": ("Entry", "recorded"),
        "ground": ("BALLS", "EXACT", "SYMPY", "Argument", "Cited", "Coq", "Library", "Row"),
        "record": ("Finding", "judge"),
        "statements": (
            *("Budget", "Depth", "Mutant", "MutantResult", "Result", "Statement"),
            *("derived", "for_finite_sets", "recalled", "statement", "unchecked"),
        ),
        "steps": ("Steps",),
        "trust": ("compute",),
        "verdict": ("Kind", "Status", "Verdict", "conjunction", "erratum"),
    }
    """Module -> what it adds to this package."""
    _HOMES = {name: module for module, names in _NAMES.items() for name in names}

    def __getattr__(name: str) -> object:
        """Return one of these names."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
