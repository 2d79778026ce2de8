"""`python small_verify.py verify ...`: the program with less to do in every part of verify, for tests that interrupt it all along."""

import sys
from functools import partial

from shuffleproof.command_line import program
from shuffleproof.conformance.third_party import environments
from shuffleproof.figures import registry
from shuffleproof.proofs_check import ledger
from shuffleproof.report import claims
from shuffleproof.verification import verify


def shortened() -> None:
    """Every twentieth statement of those that rest on no other, one table, one formula, the short suite, few cross-checks, two packages."""
    alone = [entry for entry in ledger.select() if not any(isinstance(ground, ledger.Row) for ground in entry.grounds)]
    chosen, record = alone[::20], ledger.recorded()
    kept = {entry.id: record[entry.id] for entry in chosen}
    some, all_of_them = slice(6, None, 6), environments.available()
    ledger.select, ledger.recorded = (lambda: chosen), (lambda: kept)  # type: ignore[assignment, misc]
    environments.available = lambda: all_of_them[some]  # type: ignore[assignment]
    registry.ENTRIES = (registry.entry("bc20-table1"),)
    claims.SHIPPED, claims.PUBLISHED = claims.SHIPPED[:1], claims.PUBLISHED[:1]
    verify.SUITE = "smoke"
    exact, fast = verify.exact_inside_balls, verify.fast_against_balls
    verify.exact_inside_balls = _fewer(exact)  # type: ignore[assignment]
    verify.fast_against_balls = _fewer(fast)  # type: ignore[assignment]


def _fewer(check):  # type: ignore[no-untyped-def]
    return lambda *, cases, **given: partial(check, cases=cases // 10)(**given)


if __name__ == "__main__":
    shortened()
    program.main(sys.argv[1:])
