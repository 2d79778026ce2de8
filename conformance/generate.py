"""The one place where test vectors are made: answers to the catalogue's questions, from the specification and certified balls only.

What is stored is canonical, so that making the vectors again gives the same bytes: exact values as they are, others as the two decimals
of 32 digits next to the truth, found from an enclosure that is far narrower.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from shuffleproof.conformance import stored_json, vectors
from shuffleproof.conformance.catalogue import FLAGS, Group, groups
from shuffleproof.conformance.question import Question
from shuffleproof.impl.ball.bounds import binary_rr as ball_pair
from shuffleproof.impl.ball.bounds import clones as ball_clones
from shuffleproof.impl.ball.bounds import clones_closed_form as ball_closed_form
from shuffleproof.impl.ball.bounds import stronger_clones as ball_stronger
from shuffleproof.spec.bound import Bound
from shuffleproof.spec.bounds import binary_rr as exact_pair
from shuffleproof.spec.bounds import clones as exact_clones
from shuffleproof.spec.bounds import clones_closed_form as mpmath_closed_form
from shuffleproof.spec.bounds import stronger_clones as exact_stronger
from shuffleproof.spec.errors import DomainError, RegimeError, UndecidedError, require
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.numerals import Epsilon, compare, count, decimal_text, epsilon0_parameter, exact_fraction, parse_epsilon, probability
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr

STORED_DIGITS = 32
COMPUTED_DIGITS = 40
CONFIRMING_DIGITS = 60
LARGEST_EXACT_N = 100
_SLACK = "1e-6"
_ABOUT = {
    "delta": "delta(epsilon) of a method's pair of distributions: the least delta at which they are (epsilon, delta)-indistinguishable.",
    "epsilon": "epsilon(delta) of a method: the least epsilon >= 0 at which its delta is at most delta; for a closed form, its value.",
    "randomizer_law": "The law of one report of a local randomizer: outcome -> probability.",
}
_EXACT: Mapping[str, Any] = {"clones": exact_clones, "stronger-clones": exact_stronger, "binary-rr-pair": exact_pair}
_BALL: Mapping[str, Any] = {
    "clones": ball_clones,
    "stronger-clones": ball_stronger,
    "binary-rr-pair": ball_pair,
    "clones-closed-form": ball_closed_form,
}
_CODE = ("catalogue.py", "catalogue_bounds.py", "catalogue_laws.py", "catalogue_refusals.py", "generate.py", "question.py")

Step = Callable[[str], object]


class GenerationError(AssertionError):
    """Two engines disagree, or an answer is not of the quality that a vector must have: nothing is written."""


def write(directory: Path | None = None, *, step: Step | None = None) -> tuple[Path, ...]:
    """Make every vectors file and store it in a directory (by default the packaged one). Returns the paths.

    step: called with each case's id, for progress. Everything is computed before anything is written. Raises GenerationError.
    """
    where = vectors.DIRECTORY if directory is None else directory
    require(where.is_dir(), parameter="directory", value=str(where), requirement="an existing directory")
    made = {operation: content(operation, step=step) for operation in _ABOUT}
    for operation, stored in made.items():
        stored_json.write(where / f"{operation}.json", stored)
    return tuple(where / f"{operation}.json" for operation in made)


def content(operation: str, *, step: Step | None = None) -> dict[str, Any]:
    """One vectors file as stored, with its digests."""
    made = [_group(group, step or (lambda _: None)) for group in groups() if group.operation == operation]
    used = {flag for group in made for case in group["cases"] for flag in case["flags"]}
    return vectors.sealed(
        {
            "format": vectors.FORMAT,
            "operation": operation,
            "about": _ABOUT[operation],
            "generator": code_digests(),
            "flags": {flag: meaning for flag, meaning in FLAGS.items() if flag in used},
            "groups": made,
        }
    )


@cache
def code_digests() -> dict[str, str]:
    """SHA-256 of each file of the generating code."""
    here = Path(__file__).parent
    return {name: hashlib.sha256((here / name).read_bytes()).hexdigest() for name in _CODE}


def _group(group: Group, step: Step) -> dict[str, Any]:
    return {
        "name": group.name,
        "provenance": {"statement": group.statement, "value_of": group.value_of, "claim": group.claim, "how": group.how},
        "cases": [_case(group.operation, question, step) for question in group.questions],
    }


def _case(operation: str, question: Question, step: Step) -> dict[str, Any]:
    name = f"{operation} {question.name}"
    step(name)
    if question.refusal is not None:
        expected, engines = _refusal(operation, question), ["exact", "ball"] if operation != "randomizer_law" else ["exact"]
    elif operation == "randomizer_law":
        expected, engines = _law(question.given), ["exact"]
    else:
        expected, engines = _bound(name, operation, question.given)
    return {
        "id": name,
        "input": dict(question.given),
        "expected": expected,
        "engines": engines,
        "slack": _SLACK,
        "tolerance": {
            "relative": "1e-9" if operation == "randomizer_law" else "1e-6",
            "absolute": "1e-12" if expected.get("value") == "0" else "0",
        },
        "flags": list(question.flags),
        "suites": ["smoke", "fmt21"] if question.smoke else ["fmt21"],
        "comment": question.comment,
    }


def _bound(name: str, operation: str, given: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The expected delta or epsilon and the engines behind it."""
    method = given["method"]
    parameters = {key: text for key, text in given.items() if key != "method"}
    certified = partial(getattr(_BALL[method], operation), **parameters, digits=COMPUTED_DIGITS)
    if method in _EXACT and _exactly_computable(parameters):
        exact: Bound = getattr(_EXACT[method], operation)(**parameters)
        assert exact.exact is not None
        return {"kind": "exact", "value": exact.exact}, ["exact", *_second_opinion(name, parse_epsilon(exact.exact), certified)]
    if operation == "epsilon" and method in _EXACT:
        return enclosed_epsilon(name, given, certified), ["ball"]
    ball = certified()
    if method == "clones-closed-form":
        _check_closed_form(name, parameters, ball)
    return _stored(name, ball), ["ball"]


def _second_opinion(name: str, value: Epsilon, certified: Callable[[], Bound]) -> list[str]:
    """["ball"] if the exact value lies inside the certified ball, [] if balls cannot decide this case (a tie, for instance)."""
    try:
        ball = certified()
    except UndecidedError:
        return []
    if not Epsilon(ball.lower, None) <= value <= Epsilon(ball.upper, None):
        raise GenerationError(f"{name}: exact {value} outside the ball [{ball.lower}, {ball.upper}]")
    return ["ball"]


def enclosed_epsilon(name: str, given: Mapping[str, str], certified: Callable[[], Bound]) -> dict[str, Any]:
    """The enclosure of epsilon(delta), each of its two stored ends confirmed by delta there: delta(lower) > delta >= delta(upper)."""
    target = probability(given["delta"], parameter="delta")
    profile = partial(_BALL[given["method"]].delta, n=given["n"], epsilon0=given["epsilon0"], digits=CONFIRMING_DIGITS)
    try:
        stored = _stored(name, certified())
    except UndecidedError:  # the search for the root has failed, not the profile
        stored = {"kind": "enclosure", **_decimals(name, *_bisected(profile, epsilon0_parameter(given["epsilon0"]), target))}
    if stored["kind"] == "enclosure" and not profile(epsilon=stored["lower"]).lower > target >= profile(epsilon=stored["upper"]).upper:
        raise GenerationError(f"{name}: delta at the ends of [{stored['lower']}, {stored['upper']}] does not confirm them")
    return stored


def _bisected(profile: Callable[..., Bound], epsilon0: Epsilon, target: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals lower < epsilon(delta) <= upper within 10^-COMPUTED_DIGITS of each other, by bisection."""
    low, high = Fraction(0), epsilon0.bounds(bits=4 * COMPUTED_DIGITS)[1]
    while (high - low) * 10**COMPUTED_DIGITS > low:
        middle = (low + high) / 2
        low, high = (middle, high) if profile(epsilon=middle).lower > target else (low, middle)
    return low, high


def _stored(name: str, ball: Bound) -> dict[str, Any]:
    if ball.exact is not None or ball.lower == ball.upper == 0:
        return {"kind": "exact", "value": ball.exact or "0"}
    return {"kind": "enclosure", **_decimals(name, ball.lower, ball.upper)}


def _exactly_computable(parameters: Mapping[str, str]) -> bool:
    if count(parameters["n"], parameter="n") > LARGEST_EXACT_N:
        return False
    return all(parse_epsilon(parameters[key]).exp is not None for key in ("epsilon0", "epsilon") if key in parameters)


def _check_closed_form(name: str, parameters: Mapping[str, str], ball: Bound) -> None:
    """An independent evaluation agrees; and the formula is below epsilon0, so that nobody is blamed for capping it there."""
    second = mpmath_closed_form.epsilon(**parameters, digits=COMPUTED_DIGITS - 5)
    if ball.upper < second.lower or ball.lower > second.upper:
        raise GenerationError(f"{name}: the formula's two evaluations disagree")
    if compare(Epsilon(ball.upper, None), epsilon0_parameter(parameters["epsilon0"])) > 0:
        raise GenerationError(f"{name}: the formula exceeds epsilon0 here; ask where it does not")


def _decimals(name: str, lower: Fraction, upper: Fraction) -> dict[str, str]:
    """The two neighbouring decimals of STORED_DIGITS digits around the truth."""
    texts = {
        "lower": decimal_text(lower, digits=STORED_DIGITS, direction="down"),
        "upper": decimal_text(upper, digits=STORED_DIGITS, direction="up"),
    }
    low, high = (exact_fraction(text, parameter="enclosure") for text in texts.values())
    if not 0 < low <= high or (high - low) * 10**30 > low:
        raise GenerationError(f"{name}: enclosure [{texts['lower']}, {texts['upper']}] wider than 1e-30")
    return texts


def _law(given: Mapping[str, str]) -> dict[str, Any]:
    epsilon0, x = epsilon0_parameter(given["epsilon0"]), count(given["input"], parameter="input", minimum=0)
    low_exp, high_exp = epsilon0.exp_bounds(bits=4 * COMPUTED_DIGITS)
    low, high = (_randomizer(given, exp).law(x) for exp in (low_exp, high_exp))
    if low_exp == high_exp:
        return {"kind": "law", "law": {str(y): str(low[y]) for y in sorted(low.support)}}
    # The probability of the input itself increases with e^epsilon0, every other one decreases.
    ends = {str(y): (low[y], high[y]) if y == x else (high[y], low[y]) for y in sorted(low.support)}
    texts = {y: _decimals(f"{given} at {y}", *pair) for y, pair in ends.items()}
    return {"kind": "law-enclosure", **{end: {y: pair[end] for y, pair in texts.items()} for end in ("lower", "upper")}}


def _randomizer(given: Mapping[str, str], exp_epsilon0: Fraction) -> LocalRandomizer[int, int]:
    if given["randomizer"] == "binary-rr":
        return binary_rr(exp_epsilon0=exp_epsilon0)
    return k_rr(k=count(given["k"], parameter="k"), exp_epsilon0=exp_epsilon0)


def _refusal(operation: str, question: Question) -> dict[str, Any]:
    """A refusal, after making sure that our own code refuses too."""
    parameters = {key: text for key, text in question.given.items() if key != "method"}
    if operation == "randomizer_law":
        attempts: list[Callable[[], object]] = [lambda: _law(question.given)]
    else:
        method = question.given["method"]
        modules = (_BALL[method], _EXACT.get(method, mpmath_closed_form))
        attempts = [lambda module=module: getattr(module, operation)(**parameters) for module in modules]  # type: ignore[misc]
    for attempt in attempts:
        try:
            attempt()
        except (DomainError, RegimeError):
            continue
        raise GenerationError(f"{operation} {question.name}: is answered, although {question.refusal}")
    return {"kind": "refusal", "because": question.refusal}
