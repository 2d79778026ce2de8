"""Which questions the vectors ask: inputs, flags and suites. The answers are made in `generate.py`.

Chosen to hurt: edges of every range, ties, tiny and huge parameters, and the inputs on which published code has failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shuffleproof.conformance import catalogue_bounds, catalogue_laws, catalogue_refusals
from shuffleproof.conformance.question import Question

FLAGS = {
    "EDGE_CASE": "A parameter sits on the edge of its range or of a region of the formula; a failure suggests a strict comparison that "
    "should not be strict, or an index that is off by one.",
    "WRONG_SIDE": "Rounding to the nearest number, or reporting the wrong end of a bisection, puts the answer on the wrong side here.",
    "REGIME": "At or beyond the edge of the theorem's own condition; a failure means that a bound is quoted where the theorem says "
    "nothing, or withheld where it holds.",
    "CANCELLATION": "The answer is a small difference of nearly equal numbers; a failure suggests that it is computed as such in fixed "
    "precision.",
    "UNDERFLOW": "The answer or something on the way is below what float64 can hold; a failure suggests a probability that became 0.",
    "OVERFLOW": "e^epsilon0 is near or beyond what float64 can hold; a failure suggests that it became infinite.",
    "DEGENERATE": "Distributions coincide or collapse to a point (epsilon0 = 0, one user, one category); a failure suggests a division of "
    "0 by 0.",
    "GRID": "The parameters fit no round grid, or the number of users is smaller than a usual step; a failure suggests discretisation that "
    "errs on the wrong side.",
    "TIE": "Outcomes have a likelihood ratio of exactly e^epsilon, or the answer is exactly a corner of the profile; a failure suggests a "
    "tie broken by rounding.",
    "PARSE": "The same number in another notation of the grammar; a failure suggests that numbers pass through float64 on their way in.",
    "KNOWN_BUG": "Published code has failed on inputs of this kind.",
}
"""Flag -> what a failure on a case that carries it means."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Questions of one provenance. claim: which side of the truth the method is on for people; how: how expected values are made."""

    name: str
    operation: str
    statement: str
    value_of: str
    claim: str
    how: str
    questions: tuple[Question, ...]


_BOUND = (
    "Exact rational arithmetic where e^epsilon0 and e^epsilon are rational and n is small, found inside the certified ball where balls "
    "can decide; elsewhere certified balls, both ends of an epsilon confirmed by delta there."
)
_FORMULA = "The formula in certified balls, agreeing with an independent evaluation in multiple precision; regimes decided in balls."
_LAW = "Exact rationals; where e^epsilon0 is irrational, the exact law at both ends of a rational enclosure of e^epsilon0, rounded outward."
_PAIR = "the clones pair"
_STRONGER_PAIR = "the stronger clones pair"
_RR_PAIR = "shuffled 2RR on the neighbours (0, ..., 0) and (1, 0, ..., 0), in the worse direction"


def groups() -> Iterator[Group]:
    """Every group, in stored order."""
    for operation in ("delta", "epsilon"):
        for method, statement, value, claim, how in (
            ("clones", "FMT21.Thm3.2", f"{operation} of {_PAIR}", "upper", _BOUND),
            ("stronger-clones", "BEYOND.CorF2", f"{operation} of {_STRONGER_PAIR}", "upper", _BOUND),
            ("clones-closed-form", "FMT21.Thm3.1", "the right-hand side of inequality (1)", "upper", _FORMULA),
            ("binary-rr-pair", "FMT21.PropG.1", f"{operation} of {_RR_PAIR}", "lower", _BOUND),
        ):
            answerable = catalogue_bounds.questions(operation, method)
            refusals = catalogue_refusals.questions(operation, method)
            if answerable:
                questions = (*answerable, *refusals)
                yield Group(
                    name=method, operation=operation, statement=statement, value_of=value, claim=claim, how=how, questions=questions
                )
    for randomizer, statement in (("binary-rr", "FMT21.AppG"), ("k-rr", "FMT21.Sec4.1")):
        questions = (*catalogue_laws.questions(randomizer), *catalogue_refusals.questions("randomizer_law", randomizer))
        value = "the law of one report, outcome by outcome"
        yield Group(
            name=randomizer, operation="randomizer_law", statement=statement, value_of=value, claim="law", how=_LAW, questions=questions
        )
