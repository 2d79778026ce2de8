"""Wrong answers that come of what was asked before: a table kept by too few keys, a state that an error leaves behind."""

from collections.abc import Callable, Sequence

from shuffleproof.conformance.searching.shrinking import Given, shrunk
from shuffleproof.conformance.vectors import Case

_MOST_BEFORE = 400
"""Questions before a wrong answer that are asked again in search of the one that it comes of."""
_MOST_TRIES = 40
"""Conversations in search of the question that a wrong answer comes of; and to make that one shorter."""

Fails = Callable[[Sequence[Case]], bool]
"""Whether a fresh process, asked these questions in a row, answers the last of them wrongly."""


def needed_before(case: Case, earlier: Sequence[Case], *, fails: Fails) -> tuple[Case, ...] | None:
    """Questions after which the case, which does not fail alone, fails, as few as were found; None where it does not.

    earlier: what was asked before it, in order. Large parts are left out first, then small ones.
    """
    left = _distinct(earlier)[-_MOST_BEFORE:]
    if not left or not fails([*left, case]):
        return None
    size, tries = -(-len(left) // 2), _MOST_TRIES
    while size and tries > 0:
        at = 0
        while at < len(left) and len(left) > 1 and tries > 0:
            tries -= 1
            fewer = left[:at] + left[at + size :]
            if fewer and fails([*fewer, case]):
                left = fewer
            else:
                at += size
        size //= 2
    return tuple(left)


def simplest_before(case: Case, earlier: Case, *, made: Callable[[Given], Case | None], fails: Fails) -> Case:
    """The one question before it, made simpler as long as the case still fails after it. made: the case of an input, None if it is none."""
    best = earlier

    def still(given: Given) -> bool:
        nonlocal best
        simpler = made(given)
        found = simpler is not None and simpler.id != case.id and fails([simpler, case])
        if found and simpler is not None:
            best = simpler
        return found

    shrunk(earlier.given, still, tries=_MOST_TRIES)
    return best


def _distinct(cases: Sequence[Case]) -> list[Case]:
    """Each once, at the place where it was asked last."""
    found: dict[str, Case] = {}
    for case in cases:
        found.pop(case.id, None)
        found[case.id] = case
    return list(found.values())
