"""Which cases of a suite are asked: by id, by words, by operation, by method; and those that are known to fail."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from shuffleproof.conformance.catalogue.inputs import BETWEEN
from shuffleproof.conformance.judging.judge import NOT_JUDGED, SOUND, Judgement, Verdict
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.files import text_of


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


_LARGEST_FILE = 1 << 22
"""Bytes of a list of cases known to fail: 4 MiB."""


def known_to_fail(path: Path, *, known: Collection[str]) -> frozenset[str]:
    """The ids listed in a file, one a line; what follows " #" is a remark, and so is a line that begins with "#".

    known: every id there is. Raises DomainError naming the line for an id that is unknown or listed twice, or if the file cannot be read.
    """
    text = text_of(path, limit=_LARGEST_FILE, parameter="skip", wanted="a file of case ids that can be read")
    listed: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        name = "" if line.lstrip().startswith("#") else line.partition(" #")[0].strip()
        if not name:
            continue
        place = f"{path}, line {number}"
        require(name in known, parameter=place, value=name, requirement="the id of a case of the suite")
        require(name not in listed, parameter=place, value=name, requirement="listed once")
        listed.add(name)
    return frozenset(listed)


def left_out() -> Judgement:
    """The judgement on a listed case that is not asked."""
    return Judgement(verdict=Verdict.SKIPPED, detail="listed to be skipped")


def held_to_failing(judgement: Judgement) -> Judgement:
    """The judgement on a listed case that is asked because it must fail: one that does not fail is listed wrongly."""
    if judgement.verdict in NOT_JUDGED:
        return judgement
    if judgement.verdict in SOUND:
        detail = f"listed to be skipped, but it does not fail any more ({judgement.verdict.value}): take it off the list"
        return Judgement(verdict=Verdict.UNSKIPPED, detail=detail)
    return Judgement(verdict=Verdict.SKIPPED, detail=f"fails, as listed: {judgement.verdict.value}: {judgement.detail}")
