"""What one answer may cost: a loop says before it begins what it is about to take, and an answer that takes too much is refused.

Every single evaluation has a limit of its own; a search makes many of them, and would go on for minutes below that limit. What is counted
is work, not time: the same question is answered, or refused, on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about
from shuffleproof.spec.vocabulary.progress import within_limit

MOST = 20_000_000
"""Units of work for one answer: about a microsecond each on a quiet machine, three on a busy one."""
_USUAL_BITS = 2000
"""Precision above which the length of numbers begins to count."""
_MANY_BITS = 8000
"""And from where on functions of them take longer than in proportion: a logarithm of a factorial of 57,000 bits takes a hundred times."""
_spent: ContextVar[_Account | None] = ContextVar("_spent", default=None)


@dataclass
class _Account:
    most: float
    spent: float = 0.0


@contextmanager
def one_answer(*, times: float = 1) -> Iterator[None]:
    """Count together what is spent in the block; inside another such block it is that one which counts.

    times: how many times MOST it may be, for what makes many evaluations.
    """
    if _spent.get() is not None:
        yield
        return
    token = _spent.set(_Account(times * MOST))
    within_limit(0.0)
    try:
        yield
    finally:
        _spent.reset(token)
        within_limit(0.0)


def spend(steps: float, *, each: float, bits: int, what: str) -> None:
    """Count steps that are about to be taken. each: units that one costs at usual precision. Raises ResourceLimitError beyond MOST."""
    total = require_affordable(steps, each=each, bits=bits, what=what)
    if account := _spent.get():
        account.spent = total
        within_limit(total / account.most)


def require_affordable(steps: float, *, each: float, bits: int, what: str) -> float:
    """Return what these steps, say those of a whole search, would bring the work to; they are not counted yet. Raises as `spend` does."""
    account = _spent.get()
    if account is None:
        return 0.0
    total = account.spent + steps * each * (1 + bits / _USUAL_BITS) * (1 + (bits / _MANY_BITS) ** 2)
    if total > account.most:
        shared = account.most < MOST
        advice = "ask for this one alone" if shared else "ask for fewer digits, or engine fast where it answers"
        duration = f", {'half a minute' if account.most == MOST else 'minutes' if account.most > 2 * MOST else 'most of a minute'} or so"
        limit = f"{account.most:.0e} for one answer{' of several' if shared else duration}: {advice}"
        raise ResourceLimitError(what=what, needed=f"more than {about(total)} steps in all", limit=limit)
    return total


def spent() -> float:
    """Return what was spent of this answer up to here, in units; 0 where nothing is counted."""
    account = _spent.get()
    return 0.0 if account is None else account.spent
