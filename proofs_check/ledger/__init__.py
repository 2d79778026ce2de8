"""The registry of statements: what each says, what it rests on, the check that decides it and the changed statements it rejects.

`statement` declares one of a paper, `derived` one of our own, `recalled` one of a paper that was not at hand; `verdict` says what a check
found, `ground` what that rests on, `methods` are the ways of checking, `trust` computes the status that the chain of grounds allows,
`record` keeps what was found for later runs to be compared with.
"""

from shuffleproof.proofs_check.ledger.bending import Bent, bend, is_weaker, recorded_bent, without_effect
from shuffleproof.proofs_check.ledger.checking import all_mutants, check, registry, require_assertions, run_mutants, select
from shuffleproof.proofs_check.ledger.ground import BALLS, EXACT, SYMPY, Argument, Cited, Coq, Library, Row
from shuffleproof.proofs_check.ledger.record import Entry, Finding, judge, recorded
from shuffleproof.proofs_check.ledger.statements import Budget, Depth, Mutant, MutantResult, Result, Statement, derived, recalled, statement
from shuffleproof.proofs_check.ledger.steps import Steps
from shuffleproof.proofs_check.ledger.trust import compute
from shuffleproof.proofs_check.ledger.verdict import Kind, Status, Verdict, conjunction, erratum

__all__ = [
    "BALLS",
    "EXACT",
    "SYMPY",
    "Argument",
    "Bent",
    "Budget",
    "Cited",
    "Coq",
    "Depth",
    "Entry",
    "Finding",
    "Kind",
    "Library",
    "Mutant",
    "MutantResult",
    "Result",
    "Row",
    "Statement",
    "Status",
    "Steps",
    "Verdict",
    "all_mutants",
    "bend",
    "check",
    "compute",
    "conjunction",
    "derived",
    "erratum",
    "is_weaker",
    "judge",
    "recalled",
    "recorded",
    "recorded_bent",
    "registry",
    "require_assertions",
    "run_mutants",
    "select",
    "statement",
    "without_effect",
]
