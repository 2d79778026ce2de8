"""Linting stored vectors: beyond their seals, whether they make sense together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

from shuffleproof.conformance import vectors
from shuffleproof.conformance.catalogue.generate import code_digests
from shuffleproof.conformance.judging.quantity import Quantity, parse_quantity
from shuffleproof.conformance.judging.relations import questions
from shuffleproof.conformance.operations import OPERATIONS, SHUFFLED
from shuffleproof.conformance.vectors import Case, VectorsFile
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import count, decimal_text, parse_epsilon, probability
from shuffleproof.spec.vocabulary.progress import steps

WIDEST = Fraction(1, 10**30)
"""The largest relative width of a stored enclosure."""
WIDEST_BRACKET = Fraction(1, 10**3)
"""The largest relative distance between a noise that fails and one that is enough."""


_ORDERED = ("delta", "epsilon", "randomizer_law")
"""Operations whose answers do not increase in the number of users, and fall in the last parameter."""


_SIZES = ("method", "randomizer", "k", "d", "buckets", "delta0", "changed", "sensitivity", "messages", "modulus")
"""Parameters that two answers must share to be ordered by users, epsilon0 and the last parameter."""


@dataclass(frozen=True)
class Finding:
    """Something that does not make sense. place: file and position; message: what."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class _Placed:
    """A case with its parameters parsed: users, epsilon0, and epsilon or delta."""

    case: Case
    n: int
    local: Quantity
    last: Quantity


def lint(directory: Path | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with the vectors of a directory (by default the packaged ones); empty if nothing is.

    Checks the flags' explanations, the generating code's digests, inputs and enclosures of every case, that distributions sum to 1, and
    that answers are ordered as their parameters demand. Raises IntegrityError for a file that is not what was written.
    """
    files, code = vectors.load_all(directory), code_digests()
    return (
        *about_edition(directory, files),
        *(finding for file in steps(files, of="files") for finding in (*_about_file(file, code), *_about_cases(file))),
    )


def about_edition(directory: Path | None, files: Sequence[VectorsFile] = ()) -> Iterator[Finding]:
    """A folder that says which edition it is holds the cases of that edition. files: loaded before, if they were."""
    said = vectors.edition(directory)
    if said is not None and said[1] != (found := vectors.cases_digest(files or vectors.load_all(directory))):
        yield Finding(vectors.VERSION, f"the cases are not those of version {said[0]}: give them another one, with cases {found}")


def _about_file(file: VectorsFile, code: Mapping[str, str]) -> Iterator[Finding]:
    path = str(file.path)
    if file.path.stem != file.content["operation"]:
        yield Finding(path, f"holds the operation {file.content['operation']}")
    used = {flag for case in file.cases for flag in case.flags}
    for flag in sorted(used ^ set(file.content["flags"])):
        yield Finding(path, f"flag {flag} is " + ("not explained" if flag in used else "explained but not used"))
    for name, stored in file.content["generator"].items():
        if code.get(name) != stored:
            yield Finding(path, f"made by another {name} than the one here: write the vectors again")


def _about_cases(file: VectorsFile) -> Iterator[Finding]:
    sensible = []
    for case in file.cases:
        faults = [fault for question in questions(case) for fault in _input_faults(question)] or [*_expectation_faults(case)]
        yield from (Finding(case.place, message) for message in faults)
        if not faults and case.expected.lower is not None and "epsilon0" in case.given and case.operation in ("delta", "epsilon"):
            sensible.append(case)
    alike: dict[tuple[str | None, ...], list[_Placed]] = {}
    for case in sensible:
        alike.setdefault(tuple(case.given.get(key) for key in _SIZES), []).append(_Placed(case, *_parameters(case)))
    for first, second in (pair for placed in alike.values() for pair in combinations(placed, 2)):
        if _disordered(first, second):
            yield Finding(first.case.place, f"ordered against their parameters: {first.case.id!r} and {second.case.id!r}")


def _input_faults(case: Case) -> Iterator[str]:
    """An input has the keys of its operation; it parses unless a refusal is expected."""
    if frozenset(case.given) not in OPERATIONS[case.operation].keys:
        yield f"input has the keys {sorted(case.given)}"
    elif case.given.get("randomizer") == "k-rr" and "k" not in case.given:
        yield "input has no k"
    elif case.expected.kind != "refusal" and "epsilon0" in case.given and case.operation in _ORDERED:
        try:
            _parameters(case)
        except DomainError as error:
            yield f"is expected to be answered, but {error}"


def _expectation_faults(case: Case) -> Iterator[str]:
    """Enclosures are narrow and in range, distributions sum to 1, and the type of the expectation suits the operation."""
    expected = case.expected
    if expected.kind == "refusal":
        return
    if expected.kind == "relation":
        yield from _relation_faults(case)
        return
    operation = OPERATIONS[case.operation]
    if (expected.distribution is not None) != (operation.table or operation.several):
        yield f"an expectation of type {expected.kind} does not suit the operation"
    elif expected.distribution is not None:
        yield from (f"P({y}): {fault}" for y, ends in expected.distribution.items() for fault in _interval_faults(*ends))
        low, high = (sum(ends) for ends in zip(*expected.distribution.values(), strict=True))
        if operation.table and not low <= 1 <= high:
            yield "the probabilities do not sum to 1"
    elif expected.lower is not None and expected.upper is not None:
        if expected.lower > expected.upper:
            yield "lower end above upper end"
        elif expected.kind in ("enclosure", "bracket"):
            widest = WIDEST if expected.kind == "enclosure" else None if _between_bounds(case) else WIDEST_BRACKET
            yield from _interval_faults(expected.lower.bounds()[0], expected.upper.bounds()[1], widest=widest)
        largest = _largest(case)
        if case.operation != "estimate" and expected.lower.negative:
            yield "the value is below 0" if largest is None else f"the value is outside [0, {largest[0]}]"
        elif largest is not None and expected.upper > _next_decimal(largest[1]):
            yield f"the value is outside [0, {largest[0]}]"


def _relation_faults(case: Case) -> Iterator[str]:
    """A relation of distributions is that they are equal; the points of a convex one are in order, one for each input."""
    relation, at = case.expected.relation, case.expected.at
    if OPERATIONS[case.operation].table and relation != "equal":
        yield f"the relation {relation} does not suit distributions"
    elif relation == "convex" and (len(at) != len(case.inputs) or any(x >= y for x, y in pairwise(at))):
        yield "the points of a convex relation must increase, one for each input"


def _largest(case: Case) -> tuple[str, Quantity] | None:
    """The name and the value of what no answer can exceed."""
    if case.operation in ("delta", "hockey_stick"):
        return "1", parse_quantity("1")
    if case.operation == "noise_cdf" or case.given.get("which") == "beta":
        return "1", parse_quantity("1")
    bounded = "epsilon0" in case.given and "which" not in case.given and "rounds" not in case.given and not _between_bounds(case)
    return ("epsilon0", parse_quantity(case.given["epsilon0"])) if bounded else None


def _next_decimal(largest: Quantity) -> Quantity:
    """Largest, widened as a stored enclosure may be."""
    return Quantity(largest.bounds()[1] * (1 + WIDEST), None)


def _between_bounds(case: Case) -> bool:
    """Return whether the truth is known between bounds that no search makes narrower."""
    return case.given.get("method") == SHUFFLED or case.given.get("protocol") == "real-sum-tagged"


def _interval_faults(lower: Fraction, upper: Fraction, *, widest: Fraction | None = WIDEST) -> Iterator[str]:
    if lower > upper:
        yield "lower end above upper end"
    elif lower < 0:
        yield "negative"
    elif widest is not None and (upper - lower) > widest * lower:
        yield f"enclosure wider than {decimal_text(widest, digits=1, direction='up')}"


def _disordered(first: _Placed, second: _Placed) -> bool:
    """Return whether two answers contradict that delta(epsilon) and epsilon(delta) fall, and that privacy does not with more users."""
    if first.local != second.local or ("messages" in first.case.given and first.n != second.n):  # few shares of more users show more
        return False
    if first.n >= second.n and first.last >= second.last and _certainly_above(first.case, second.case):
        return True
    return first.n <= second.n and first.last <= second.last and _certainly_above(second.case, first.case)


def _certainly_above(first: Case, second: Case) -> bool:
    low, high = first.expected.lower, second.expected.upper
    return low is not None and high is not None and low > high


def _parameters(case: Case) -> tuple[int, Quantity, Quantity]:
    """(n, epsilon0, epsilon or delta) of a bound, (k, epsilon0, input) of a distribution. Raises DomainError."""
    given = case.given
    parse_epsilon(given["epsilon0"], parameter="epsilon0")
    epsilon0 = parse_quantity(given["epsilon0"], parameter="epsilon0")
    if case.operation == "randomizer_law":
        k = count(given.get("k", "2"), parameter="k")
        return k, epsilon0, Quantity(Fraction(count(given["input"], parameter="input", minimum=0, maximum=k - 1)), None)
    if case.operation == "delta":
        parse_epsilon(given["epsilon"], parameter="epsilon")
        return count(given["n"], parameter="n"), epsilon0, parse_quantity(given["epsilon"], parameter="epsilon")
    return count(given["n"], parameter="n"), epsilon0, Quantity(probability(given["delta"], parameter="delta"), None)
