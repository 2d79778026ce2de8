"""The one place where test vectors are made: answers to the catalogue's questions, from the specification and certified balls.

Only the brackets of a named randomizer's shuffled reports are also from float64, with every rounding counted.

What is stored is canonical, so that making the vectors again gives the same bytes: exact values as they are, others as the two decimals
of 32 digits next to the truth, found from an enclosure that is far narrower.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from shuffleproof.conformance import stored_json, vectors
from shuffleproof.conformance.catalogue import shuffled_truth
from shuffleproof.conformance.catalogue.answers import certified, finite, related, rounds
from shuffleproof.conformance.catalogue.catalogue import FLAGS, Group, groups
from shuffleproof.conformance.catalogue.question import Question, Relation
from shuffleproof.conformance.operations import OPERATIONS, SHUFFLED
from shuffleproof.conformance.stored_json import code_digest as digest
from shuffleproof.methods import carried_out, engines_for, method_named
from shuffleproof.spec.bounds.clones import clones_closed_form as mpmath_closed_form
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.bound import Bound, Engine
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UndecidedError, require
from shuffleproof.spec.vocabulary.methods.clones import CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    compare,
    count,
    epsilon0_parameter,
    exact_fraction,
    padded_decimal_text as decimal_text,  # what is stored keeps its bytes
    parse_epsilon,
    probability,
    ratio_text,
)

STORED_DIGITS = 32
"""Of the ends that are stored: twice as many as float64 has."""
COMPUTED_DIGITS = 40
"""Of what is computed to be stored, so that rounding to the stored digits is decided."""
CONFIRMING_DIGITS = 60
"""Of the profile that confirms an epsilon from both sides, so that its neighbours are distinguished."""
LARGEST_EXACT_N = {
    "approximate-clones": 40,
    "asymmetric-coordinate-sums": 8,
    "bit-sum": 12,
    "coordinate-sums": 8,
    "discrete-gaussian-sum": 4,
    "fake-users": 10**12,
    "leaking-response": 6,
    "optimal-pair": 8,
    "k-rr-blanket": 6,
    "k-rr-clones": 6,
    "k-rr-pair": 6,
    "real-sum-untagged": 4,
    "split-and-mix": 10,
}
"""Up to here exact arithmetic is fast enough, if it takes the other parameters; 100 for every other method."""
_BALL_DIGITS = {"leaking-response": 3}
"""Balls on grids; COMPUTED_DIGITS for every other method."""
_SHUFFLED_DIGITS = 5
"""Of bounds for any randomizer that are stored, which are brackets and wider than that."""
_BRACKET_DIGITS = {"zero-sum": 8, "histogram": 8, "bit-sum": 5, "real-sum": 6, "real-sum-tagged": 6, "frequency": 8}
_BRACKET_DIGITS["user-histogram"] = 16
"""Significant digits of the ends of a calibration that are stored, by protocol: all that its certified search settles."""
_SLACK = "1e-6"
_TOLERANCE = {False: "1e-6", True: "1e-9"}
"""Of an estimate, and of each probability of a distribution."""
_RELATION_TOLERANCE = {(False, False): "1e-9", (False, True): "1e-7", (True, False): "1e-10"}
"""(distribution, convex) -> how far estimates may contradict each other. Rounding keeps order and equality, but not convexity."""
_CODE = (
    "answers/certified.py",
    "answers/finite.py",
    "answers/related.py",
    "answers/rounds.py",
    "catalogue.py",
    "catalogue_bounds.py",
    "catalogue_finite.py",
    "catalogue_distributions.py",
    "catalogue_protocols.py",
    "catalogue_refusals.py",
    "catalogue_randomizers.py",
    "catalogue_relations.py",
    "catalogue_rounds.py",
    "generate.py",
    "inputs.py",
    "question.py",
    "shuffled_truth.py",
)

Step = Callable[[str], object]


class GenerationError(AssertionError):
    """Two engines disagree, or an answer is not of the quality that a vector must have: nothing is written."""


def write(directory: Path | None = None, *, step: Step | None = None) -> tuple[Path, ...]:
    """Make every vectors file and store it in a directory (by default the packaged one). Returns the paths.

    step: called with each case's id, for progress. Everything is computed before anything is written. Raises GenerationError.
    """
    where = vectors.DIRECTORY if directory is None else directory
    require(where.is_dir(), parameter="directory", value=str(where), requirement="an existing directory")
    made = {operation: content(operation, step=step) for operation in OPERATIONS}
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
            "about": OPERATIONS[operation].about,
            "generator": code_digests(),
            "flags": {flag: meaning for flag, meaning in FLAGS.items() if flag in used},
            "groups": made,
        }
    )


@cache
def code_digests() -> dict[str, str]:
    """The digest of each file of the generating code."""
    here = Path(__file__).parent
    return {name: digest((here / name).read_text("utf-8")) for name in _CODE}


def _group(group: Group, step: Step) -> dict[str, Any]:
    return {
        "name": group.name,
        "provenance": {"statement": group.statement, "value_of": group.value_of, "claim": group.claim, "how": group.how},
        "cases": [_case(group.operation, question, step, suite=group.suite) for question in group.questions],
    }


def _case(operation: str, question: Question, step: Step, *, suite: str = "fmt21") -> dict[str, Any]:
    name = f"{operation} {question.name}"
    step(name)
    relative = _TOLERANCE[OPERATIONS[operation].table]
    asked: dict[str, Any] = {"input": dict(question.given)}
    if question.relation is not None:
        expected, engines = _relation(name, operation, question.relation)
        asked = {"inputs": [dict(given) for given in question.inputs]}
        relative = _RELATION_TOLERANCE[OPERATIONS[operation].table, question.relation.name == "convex"]
    elif question.refusal is not None:
        expected, engines = _refusal(operation, question), _refusing(operation)
    else:
        expected, engines = _expected(name, operation, question.given)
    return {
        "id": name,
        **asked,
        "expected": expected,
        "engines": engines,
        "slack": _SLACK,
        "tolerance": {"relative": relative, "absolute": "1e-12" if expected.get("value") == "0" else "0"},
        "flags": list(question.flags),
        "suites": ["smoke", suite, "all"] if question.smoke else [suite, "all"],
        "comment": question.comment,
    }


def _relation(name: str, operation: str, relation: Relation) -> tuple[dict[str, Any], list[str]]:
    """A relation, after making sure that our own answers satisfy it, and the engines behind those."""
    answers = [_expected(name, operation, given) for given in relation.inputs]
    if not related.certain(relation, [expected for expected, _ in answers]):
        raise GenerationError(f"{name}: our own answers do not satisfy it for certain")
    at = {"at": list(relation.at)} if relation.at else {}
    engines = list(dict.fromkeys(engine for _, behind in answers for engine in behind))
    return {"kind": "relation", "relation": relation.name, **at, "because": relation.because}, engines


def _expected(name: str, operation: str, given: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The expected answer and the engines behind it."""
    match operation:
        case "delta" | "epsilon":
            return _shuffled(operation, given) if given["method"] == SHUFFLED else _bound(name, operation, given)
        case "parameter" | "noise_cdf":
            of = certified.parameter if operation == "parameter" else certified.noise_cdf
            low, high = of(given, digits=COMPUTED_DIGITS)
            return ({"kind": "exact", "value": str(low)} if low == high else {"kind": "enclosure", **_decimals(name, low, high)}), ["ball"]
        case "randomizer_law":
            return _distribution(given), ["exact"]
        case "profile":
            return _profile(name, given)
        case "renyi_divergence":
            low, high = rounds.renyi_divergence(given, digits=COMPUTED_DIGITS)
            return ({"kind": "exact", "value": "0"} if low == high == 0 else {"kind": "enclosure", **_decimals(name, low, high)}), ["ball"]
        case "compose" if given["rule"] in ("shuffled", "losses"):
            return _composed(name, given), ["exact"]
        case "debias":
            low, high = certified.debiased(given, digits=COMPUTED_DIGITS)
            exact = {"kind": "exact", "value": "0"} if low == high == 0 else None
            return exact or {"kind": "enclosure", **_decimals(name, low, high)}, ["ball"]
        case "calibrate":
            low, high = certified.least_noise(given)
            digits = _BRACKET_DIGITS[given["protocol"]]
            ends = {"lower": decimal_text(low, digits=digits, direction="down"), "upper": decimal_text(high, digits=digits, direction="up")}
            return {"kind": "bracket", **ends}, ["ball"]
        case _:
            found = finite.answer(operation, given)
            return ({"kind": "law", "law": found} if isinstance(found, dict) else {"kind": "exact", "value": found}), ["exact"]


def _profile(name: str, given: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """delta at each epsilon, by whatever a question of one would have been answered."""
    asked = {key: text for key, text in given.items() if key != "epsilons"}
    found = [_bound(name, "delta", {**asked, "epsilon": text}) for text in rounds.epsilons(given)]
    ends = {end: {str(place): stored.get("value") or stored[end] for place, (stored, _) in enumerate(found)} for end in ("lower", "upper")}
    return {"kind": "law-enclosure", **ends}, list(dict.fromkeys(engine for _, behind in found for engine in behind))


def _composed(name: str, given: Mapping[str, str]) -> dict[str, Any]:
    """Return what rounds have together, of few users and rounds."""
    if "delta" in given:
        _, exp_epsilon = rounds.composed_epsilon(given)
        if exp_epsilon is None:
            raise GenerationError(f"{name}: not exact")
        return {"kind": "exact", "value": str(Epsilon(Fraction(0) if exp_epsilon == 1 else None, exp_epsilon))}
    low, high = rounds.losses_delta(given) if given["rule"] == "losses" else rounds.composed_delta(given)
    return {"kind": "exact", "value": ratio_text(low)} if low == high else {"kind": "enclosure", **_decimals(name, low, high)}


def _shuffled(operation: str, given: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The best bounds on both sides that this package has, certified or float64 with every rounding counted, rounded outward.

    Another machine's floats may differ in their last digits, and so, seldom, in the last of these: every such bracket holds.
    """
    low, high = shuffled_truth.shuffled("delta" if operation == "delta" else "epsilon", given)
    texts = {
        "lower": decimal_text(low, digits=_SHUFFLED_DIGITS, direction="down"),
        "upper": decimal_text(high, digits=_SHUFFLED_DIGITS, direction="up"),
    }
    return {"kind": "bracket", **texts}, ["ball", "fast"]


def _refusing(operation: str) -> list[str]:
    """The engines that have been seen to refuse."""
    if operation in ("delta", "epsilon"):
        return ["exact", "ball"]
    return ["ball"] if operation in ("debias", "calibrate", "parameter", "noise_cdf", "profile", "renyi_divergence") else ["exact"]


def _parameters(given: Mapping[str, str]) -> dict[str, str]:
    """The arguments of a method's functions, which need not be called as in the harness protocol."""
    method = method_named(given["method"])
    names = {each.protocol_key: each.name for each in (*method.parameters, *method.optional)}
    return {names.get(key, key): text for key, text in given.items() if key != "method"}


def _engine(method: str, engine: Engine, operation: str) -> Callable[..., Bound]:
    return carried_out(method_named(method), engine, "delta" if operation == "delta" else "epsilon")


def _has_exact(method: str) -> bool:
    return "exact" in engines_for(method_named(method))


def _bound(name: str, operation: str, given: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The expected delta or epsilon and the engines behind it."""
    method = given["method"]
    parameters = _parameters(given)
    ball_of = partial(_engine(method, "ball", operation), **parameters, digits=_BALL_DIGITS.get(method, COMPUTED_DIGITS))
    exact = _exactly(method, operation, parameters)
    if exact is not None and exact.exact is not None:
        return {"kind": "exact", "value": exact.exact}, ["exact", *_second_opinion(name, parse_epsilon(exact.exact), ball_of)]
    if operation == "epsilon" and _has_exact(method):
        stored = enclosed_epsilon(name, given, ball_of)
        return stored, ["ball", *_agreeing(name, exact, stored)]
    ball = ball_of()
    if method == CLONES_CLOSED_FORM.name:
        _check_closed_form(name, parameters, ball)
    stored = _stored(name, ball)
    return stored, ["ball", *_agreeing(name, exact, stored)]


def _exactly(method: str, operation: str, parameters: Mapping[str, str]) -> Bound | None:
    """Return what the specification says, its value or rationals around it; None where it would take too long."""
    if not _has_exact(method) or not _exactly_computable(method, parameters):
        return None
    try:
        return _engine(method, "exact", operation)(**parameters)
    except ResourceLimitError:  # of other parameters than n
        return None


def _agreeing(name: str, exact: Bound | None, stored: Mapping[str, str]) -> list[str]:
    """["exact"] if the specification's rationals around the value meet what is stored from balls."""
    if exact is None:
        return []
    low, high = (exact_fraction(stored.get("value") or stored[end], parameter=end) for end in ("lower", "upper"))
    if exact.upper < low or high < exact.lower:
        raise GenerationError(f"{name}: exact [{exact.lower}, {exact.upper}] apart from [{low}, {high}]")
    return ["exact"]


def _second_opinion(name: str, value: Epsilon, certified: Callable[[], Bound]) -> list[str]:
    """["ball"] if the exact value lies inside the certified ball, [] if ball arithmetic cannot decide this case (a tie, for instance)."""
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
    parameters = {key: text for key, text in _parameters(given).items() if key != "delta"}
    profile = partial(_engine(given["method"], "ball", "delta"), **parameters, digits=CONFIRMING_DIGITS)
    try:
        stored = _stored(name, certified())
    except UndecidedError:  # the search for the root has failed, not the profile
        if "epsilon0" not in given:
            raise
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


def _exactly_computable(method: str, parameters: Mapping[str, str]) -> bool:
    if count(parameters["n"], parameter="n") > LARGEST_EXACT_N.get(method, 100):
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


def _distribution(given: Mapping[str, str]) -> dict[str, Any]:
    epsilon0, x = epsilon0_parameter(given["epsilon0"]), count(given["input"], parameter="input", minimum=0)
    low_exp, high_exp = epsilon0.exp_bounds(bits=4 * COMPUTED_DIGITS)
    low, high = (_randomizer(given, exp).distribution(x) for exp in (low_exp, high_exp))
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
    attempts: list[Callable[[], object]]
    if operation not in ("delta", "epsilon") or question.given["method"] == SHUFFLED:
        attempts = [lambda: _expected(question.name, operation, question.given)]
    else:
        method, parameters = question.given["method"], _parameters(question.given)
        second: Callable[..., Bound] = _engine(method, "exact", operation) if _has_exact(method) else mpmath_closed_form.epsilon
        attempts = [partial(each, **parameters) for each in (_engine(method, "ball", operation), second)]
    for attempt in attempts:
        try:
            attempt()
        except (DomainError, RegimeError):
            continue
        raise GenerationError(f"{operation} {question.name}: is answered, although {question.refusal}")
    true_from = shuffled_truth.holds_from(question.given)
    beyond = {} if true_from is None else {"holds_from": decimal_text(true_from, digits=_SHUFFLED_DIGITS, direction="up")}
    return {"kind": "refusal", "because": question.refusal, **beyond}
