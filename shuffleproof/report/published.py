"""Wrong answers that need a word: those of a paper that is wrong itself, and those below what the method that was declared gives."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.vocabulary.errors import ShuffleproofError
from shuffleproof.spec.vocabulary.randomizers import canonical_name

_NEAR = Fraction(1, 10**5)
"""Relative: solvers of other code stop about there; the published pair is too small by more than that wherever an answer is given."""
_MOST_USERS = 10**4
"""Up to here the published pair is evaluated in a second."""
_DIGITS = 10
"""Of the published pair's value: more than the solvers settle whose answers are compared with it."""
PUBLISHED = (
    "this is what the published pair of the variation-ratio reduction gives (Wang et al. 2024), and that pair is refuted: "
    "BEYOND.Published-variation-ratio. The code does what the paper says; the paper is to be corrected"
)


OF_ITS_METHOD = (
    "what is asked for is the number that the method {method} gives; other methods bound the same mechanisms by less, and code that "
    "computes one of these is to declare it"
)


def explained(case: CaseResult) -> CaseResult:
    """Return a result of `conform`; the detail of an answer below what its method gives says that, or that it is the refuted pair's."""
    method = case.given.get("method")
    if is_published(case):
        return replace(case, detail=f"{case.detail}; {PUBLISHED}")
    if case.verdict is not Verdict.UNSOUND or case.claim != "upper" or method in (None, "shuffled-randomizer"):
        return case
    return replace(case, detail=f"{case.detail}; {OF_ITS_METHOD.format(method=method)}")


def is_published(case: CaseResult) -> bool:
    """Return whether an unsound answer about shuffled k-RR equals that of the published pair, to what a solver settles."""
    given, answered = case.given, case.value
    if case.verdict is not Verdict.UNSOUND or case.claim != "upper" or case.operation not in ("epsilon", "delta"):
        return False
    if canonical_name(given.get("randomizer", "")) != KRR.name or not isinstance(answered, str):
        return False
    try:
        if int(given["n"]) > _MOST_USERS or int(given["k"]) < 3:
            return False  # of two items it hides nothing, and is right
        low, high = _claimed(case.operation, given)
        value = Fraction(answered)
    except (ValueError, KeyError, ShuffleproofError):
        return False
    return low * (1 - _NEAR) <= value <= high * (1 + _NEAR)


def _claimed(operation: str, given: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    from shuffleproof.impl.ball.bounds.variation_ratio import published_variation_ratio as published

    own = {"n": given["n"], "k": given["k"], "epsilon0": given["epsilon0"], "digits": _DIGITS}
    if operation == "epsilon":
        return published.claimed_epsilon(**own, delta=given["delta"])  # type: ignore[arg-type]
    return published.claimed_delta(**own, epsilon=given["epsilon"])  # type: ignore[arg-type]
