"""What a changed statement has in common with the statement as it is, is searched once; the rest is searched again."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import Budget, Status, Verdict, conjunction, statement, statements
from shuffleproof.proofs_check.ledger.checking import decide
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.unchanged import is_same, once, searches_of

QUICK = Budget()
asked: list[str] = []


def noted(name: str, holds: bool) -> bool:
    asked.append(name)
    return holds


def check(budget: Budget, *, low: int = 0, high: int = 9, drawn: int = 5) -> Verdict:
    """0 <= x <= 9 for three numbers, and x <= 5 for drawn ones."""
    parts = [
        exhaustive.for_all([1, 2, 3], holds=lambda x: noted("low", x >= low)),
        exhaustive.for_all([1, 2, 3], holds=lambda x: noted("high", x <= high)),
        sampled.for_all(st.integers(0, drawn), holds=lambda x: noted("drawn", x <= 5), budget=budget, quick=3, full=3),
    ]
    return conjunction([part.verdict(domain="few", witness=str) for part in parts])


def searched(parts: dict[str, int], budget: Budget = QUICK) -> tuple[set[str], Status]:
    asked.clear()
    verdict, _, _ = decide(entry, budget, parts)
    return set(asked), verdict.status


entry = statement("FMT21.Xmp2", where="here", provenance="derived", says="0 <= x <= 9")(check)
del statements.DECLARED["FMT21.Xmp2"]


def test_what_a_change_leaves_as_it_is_is_not_searched_again() -> None:
    assert searched({})[0] == {"low", "high", "drawn"}
    assert searched({"low": 2}) == ({"low"}, Status.REFUTED)
    assert searched({"high": 2}) == ({"high"}, Status.REFUTED)
    assert searched({"drawn": 6})[0] == {"drawn"}
    assert searched({"low": 0})[0] == set()


def test_a_statement_as_it_is_is_always_searched_whole() -> None:
    assert searched({})[0] == searched({})[0] == {"low", "high", "drawn"}


def test_another_depth_or_seed_is_another_search() -> None:
    searched({})
    assert searched({"low": 2}, Budget(seed=1))[0] == {"low", "high", "drawn"}
    assert searched({"low": 2}, Budget(depth="full"))[0] == {"low", "high", "drawn"}


def counted(by: int) -> Callable[[int], int]:
    def count(x: int) -> int:
        return count(x - by) + 1 if x > 0 else 0

    return count


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, Fraction(1)),
        (lambda: 1, lambda: 2),
        (counted(1).__call__, counted(2).__call__),
        (partial(max, 1), partial(max, 2)),
        ([1, [2]], [1, [3]]),
        ({"a": 1}, {"b": 1}),
        (st.integers(0, 1), st.integers(0, 2)),
        (st.integers(0, 1).map(abs), st.integers(0, 1).map(bool)),
        (np.arange(2), np.arange(2)),
        (iter([1]), iter([1])),
    ],
)
def test_only_what_is_certainly_the_same_is(one: object, other: object) -> None:
    assert is_same(one, one)
    assert not is_same(one, other)


def test_strategies_that_are_made_alike_are_the_same() -> None:
    assert is_same(st.integers(0, 1), st.integers(0, 1))
    assert is_same(st.integers(0, 1).map(abs), st.integers(0, 1).map(abs))


def test_only_what_reaches_a_changed_function_is_searched_again() -> None:
    def both() -> set[str]:
        asked.clear()
        for name, question in (("reaches", lambda: noted("", True)), ("does not", lambda: abs(1))):
            once((question,), lambda: asked.append(name))  # noqa: B023
        return set(asked)

    with searches_of("here", QUICK, changed=False):
        assert both() == {"reaches", "does not"}
    with searches_of("here", QUICK, changed=True):
        assert both() == set()
    with searches_of("here", QUICK, changed=True, function="noted"):
        assert both() == {"reaches"}
