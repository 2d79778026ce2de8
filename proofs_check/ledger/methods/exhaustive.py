"""Exact enumeration that counts what it looked at and keeps the worst case."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from shuffleproof.proofs_check.ledger.methods.search import Search, of_case
from shuffleproof.proofs_check.ledger.steps import step
from shuffleproof.proofs_check.ledger.verdict import Status
from shuffleproof.spec.distribution import Distribution

C = TypeVar("C")


class Enumeration(Search[C]):
    """Holds what an enumeration found; it stops at the first case that fails."""

    __slots__ = ()
    shows = Status.EXHAUSTED


def for_all(cases: Iterable[C], *, holds: Callable[..., bool]) -> Enumeration[C]:
    """Decide every case, or its parts if `holds` takes several, stopping at the first that fails."""
    asked, names = of_case(holds)
    decided = 0
    for case in cases:
        decided += 1
        if not asked(case):
            return _noted(Enumeration(decided, case, None, case, names))
    return _noted(Enumeration(decided, None, None, None, names))


def least_slack(cases: Iterable[C], *, slack: Callable[..., Fraction], strict: bool = False) -> Enumeration[C]:
    """Decide slack(case) >= 0 (> 0 if strict) for every case, stopping at the first that fails; keeps the least slack and its case."""
    asked, names = of_case(slack)
    decided, least, worst = 0, None, None
    for case in cases:
        decided += 1
        margin = asked(case)
        if least is None or margin < least:
            least, worst = margin, case
        if margin < 0 or (strict and margin == 0):
            return _noted(Enumeration(decided, case, margin, case, names))
    return _noted(Enumeration(decided, None, least, worst, names))


def _noted(found: Enumeration[C]) -> Enumeration[C]:
    step(found.holds, shows=Status.EXHAUSTED)
    return found


def distributions_in_parts(parts: int, outcomes: int) -> list[Distribution[int]]:
    """All distributions on range(outcomes) whose weights are multiples of 1/parts."""
    bars = combinations(range(parts + outcomes - 1), outcomes - 1)
    cuts = ((-1, *bar, parts + outcomes - 1) for bar in bars)
    return [Distribution({y: Fraction(cut[y + 1] - cut[y] - 1, parts) for y in range(outcomes)}) for cut in cuts]
