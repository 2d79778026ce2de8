"""Which cases of a suite are asked: by id, by words, by operation, by method."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from shuffleproof.conformance.catalogue.inputs import BETWEEN
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import DomainError, require_one_of


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Says what a case must be to be asked; what is empty selects everything.

    ids: the case is one of these; words: each of them occurs in its operation, its id or its flags, in any case of letters; operations,
    methods: it asks for one of these.
    """

    ids: Collection[str] = ()
    words: str = ""
    operations: Collection[str] = ()
    methods: Collection[str] = ()

    def of(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """Those of these cases that are meant, in their order; there may be none.

        Raises DomainError for an id that no case has, an operation that there is not, or a method that no case asks for, each with the
        nearest names.
        """
        known = [case.id for case in cases]
        for name in self.ids:
            if name not in known:
                raise DomainError(parameter="case", value=name, requirement=f"the id of a case{_nearest(name, known)}")
        for name in self.operations:
            require_one_of(name, OPERATIONS, parameter="operation")
        for name in self.methods:
            require_one_of(name, sorted({method for case in cases for method in _methods(case)}), parameter="method")
        return tuple(case for case in cases if self._means(case))

    def _means(self, case: Case) -> bool:
        told = " ".join((case.operation, case.id, *case.flags)).lower()
        return (
            (not self.ids or case.id in self.ids)
            and (not self.operations or case.operation in self.operations)
            and (not self.methods or not _methods(case).isdisjoint(self.methods))
            and all(word in told for word in self.words.lower().split())
        )


EVERYTHING = Selection()


def _methods(case: Case) -> set[str]:
    return set(case.given["method"].split(BETWEEN)) if "method" in case.given else set()


def _nearest(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; the nearest: {', '.join(map(repr, near))}" if near else ', as "conform run --format json" lists them'
