"""The truth about an input that no vector stores, when it is asked for: from exact arithmetic and certified balls."""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.conformance.catalogue import shuffled_truth
from shuffleproof.conformance.catalogue.answers import certified, finite, rounds
from shuffleproof.conformance.judging.quantity import Quantity, parse_quantity
from shuffleproof.conformance.operations import OPERATIONS, SHUFFLED
from shuffleproof.conformance.vectors import Expected
from shuffleproof.methods import carried_out, engines_for, method_named
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary import bound as bounds
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    RegimeError,
    ResourceLimitError,
    UndecidedError,
    UnsupportedError,
    require,
    require_one_of,
)
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import count, decimal_text, epsilon0_parameter, parse_epsilon, ratio_text
from shuffleproof.spec.vocabulary.randomizers import with_record

DIGITS = 20
"""Of ball arithmetic: more than float64 answers have."""
_LARGEST_EXACT_N = {"bit-sum": 8, "real-sum-untagged": 3, "real-sum-tagged": 3, "optimal-pair": 6, "histogram": 6, "k-rr-exhaustive": 4}
"""Up to here, or to 40 users, exact arithmetic decides; beyond it, balls of DIGITS digits do."""
_LOGARITHMS = ("epsilon0", "epsilon", "total_epsilon")


def truth(operation: str, given: Mapping[str, str]) -> Expected:
    """Return what is certainly true of the answer: its exact value, ends around it, or that there is none.

    Raises DomainError for an operation or keys that there are not, UnsupportedError, UndecidedError or ResourceLimitError where nothing
    certain is to be had.
    """
    keys = OPERATIONS[require_one_of(operation, OPERATIONS, parameter="operation")].keys
    accepted = " or ".join(", ".join(sorted(each)) for each in keys)
    if frozenset(given) not in keys:
        raise DomainError(parameter=f"input of {operation}", value=", ".join(given) or "nothing", requirement=f"the keys {accepted}")
    if "method" in given and given["method"] != SHUFFLED:
        method_named(given["method"])
    try:
        return _truth(operation, given)
    except (DomainError, RegimeError) as error:
        true_from = shuffled_truth.holds_from(given)
        upper = None if true_from is None else Quantity(true_from, None)
        return Expected(kind="refusal", because=str(error), upper=upper, shown=f"a refusal: {error}")


def _truth(operation: str, given: Mapping[str, str]) -> Expected:
    match operation:
        case "delta" | "epsilon" as quantity:
            if given["method"] == SHUFFLED:
                return _between("bracket", *shuffled_truth.shuffled(quantity, given))
            return _of_bound(_bound(quantity, given))
        case "randomizer_law":
            return _distribution(given)
        case "debias":
            return _between("enclosure", *certified.debiased(given, digits=DIGITS))
        case "calibrate":
            return _between("bracket", *certified.least_noise(given))
        case "parameter":
            return _between("enclosure", *certified.parameter(given, digits=DIGITS))
        case "noise_cdf":
            return _between("enclosure", *certified.noise_cdf(given, digits=DIGITS))
        case "renyi_divergence":
            return _between("enclosure", *rounds.renyi_divergence(given, digits=DIGITS))
        case "profile":
            return _profile(given)
        case "compose" if given["rule"] in ("shuffled", "losses"):
            return _rounds(given)
        case _:
            if operation == "compose" and given["rule"] in ("basic", "optimal"):
                _only_logarithms(given)
            found = finite.answer(operation, given)
    if isinstance(found, str):
        return _exactly(found)
    law = {y: _read(p).bounds() for y, p in found.items()}
    return Expected(kind="law", distribution=law, shown=", ".join(f"{y}: {p}" for y, p in found.items()))


def _profile(given: Mapping[str, str]) -> Expected:
    asked = {key: text for key, text in given.items() if key != "epsilons"}
    found = [_of_bound(_bound("delta", {**asked, "epsilon": text})) for text in rounds.epsilons(given)]
    ends = [(each.lower.bounds()[0], each.upper.bounds()[1]) for each in found if each.lower is not None and each.upper is not None]
    law = {str(place): pair for place, pair in enumerate(ends)}
    return Expected(kind="law-enclosure", distribution=law, shown=", ".join(f"{place}: {each.shown}" for place, each in enumerate(found)))


def _rounds(given: Mapping[str, str]) -> Expected:
    """Exact, or between ends on a grid, which are wide: then it is a bracket."""
    if given["rule"] == "losses":
        if "ratios" not in given:
            raise DomainError(parameter="ratios", value="nothing", requirement="given with the rule losses")
        return _between("enclosure", *rounds.losses_delta(given))
    if "method" not in given:
        raise DomainError(parameter="method", value="nothing", requirement="given with the rule shuffled")
    if "delta" not in given:
        return _between("bracket", *rounds.composed_delta(given))
    ends, exp_epsilon = rounds.composed_epsilon(given)
    if exp_epsilon is None:
        return _between("bracket", *ends)
    text = "0" if exp_epsilon == 1 else f"ln {exp_epsilon}"
    return _exactly(text)


def _only_logarithms(given: Mapping[str, str]) -> None:
    for key in _LOGARITHMS:
        if key in given and parse_epsilon(given[key]).exp is None:
            raise UnsupportedError(what=f"{key} = {given[key]}", reason="e to it is irrational", advice='give it as "ln 3"')


def _bound(quantity: bounds.Quantity, given: Mapping[str, str]) -> Bound:
    """Use exact arithmetic for few users and rational e^epsilon, and balls otherwise, or where exact arithmetic has no method."""
    method = method_named(given["method"])
    names = {each.protocol_key: each.name for each in (*method.parameters, *method.optional)}
    asked = {names.get(key, key): text for key, text in given.items() if key != "method"}
    _only_its_own(method, asked)
    parameters = with_record(asked) if "randomizer" in asked else asked
    engines = engines_for(method, quantity)
    if "exact" in engines and ("ball" not in engines or _few(method.name, given)):
        try:
            found = carried_out(method, "exact", quantity)(**parameters)
        except (ResourceLimitError, UnsupportedError):  # of other parameters than n
            if "ball" not in engines:
                raise
        else:
            if found.exact is not None or "ball" not in engines:
                return found
    try:
        return carried_out(method, "ball", quantity)(**parameters, digits=DIGITS)
    except UndecidedError:  # a tie, which balls never decide
        if "exact" not in engines or count(given["n"], parameter="n") > 100:
            raise
        return carried_out(method, "exact", quantity)(**parameters)


def _only_its_own(method: Method, asked: Mapping[str, str]) -> None:
    for name in asked:
        accepted = ("n", "epsilon", "delta", *method.may_take)
        if name not in accepted:
            raise DomainError(parameter=name, value=asked[name], requirement=f"left out: the method {method.name} does not take it")
    for name in method.takes:
        require(name in asked, parameter=name, value="nothing", requirement=f"given: the method {method.name} needs it")


def _few(method: str, given: Mapping[str, str]) -> bool:
    rational = all(parse_epsilon(given[key]).exp is not None for key in _LOGARITHMS if key in given)
    return rational and count(given["n"], parameter="n") <= _LARGEST_EXACT_N.get(method, 40)


def _of_bound(bound: Bound) -> Expected:
    if bound.exact is not None:
        return _exactly(bound.exact)
    return _between("enclosure", bound.lower, bound.upper)


def _exactly(text: str) -> Expected:
    value = _read(text)
    return Expected(kind="exact", lower=value, upper=value, shown=text)


def _read(text: str) -> Quantity:
    """A number of ours, which may be longer than any that is read: then an answer cannot be compared with it."""
    try:
        return parse_quantity(text)
    except DomainError:
        needed = f"a number of {len(text)} characters"
        raise ResourceLimitError(what="the exact answer", needed=needed, limit="some thousand") from None


def _between(kind: str, lower: Fraction, upper: Fraction) -> Expected:
    if lower == upper:
        return _exactly(ratio_text(lower))
    shown = f"[{decimal_text(lower, digits=DIGITS, direction='down')}, {decimal_text(upper, digits=DIGITS, direction='up')}]"
    return Expected(kind=kind, lower=Quantity(lower, None), upper=Quantity(upper, None), shown=shown)


def _distribution(given: Mapping[str, str]) -> Expected:
    """Randomized response: the probability of the input itself increases with e^epsilon0, every other one decreases."""
    require_one_of(given["randomizer"], ("binary-rr", "k-rr"), parameter="randomizer")
    require(("k" in given) == (given["randomizer"] == "k-rr"), parameter="k", value=given.get("k"), requirement="given for k-rr, only")
    epsilon0, x = epsilon0_parameter(given["epsilon0"]), count(given["input"], parameter="input", minimum=0)
    low, high = (_randomizer(given, exp).distribution(x) for exp in epsilon0.exp_bounds(bits=4 * DIGITS))
    ends = {y: (low[y], high[y]) if y == x else (high[y], low[y]) for y in sorted({*low.support, *high.support})}
    shown = ", ".join(f"{y}: {p if p == q else decimal_text(p, digits=17, direction='down')}" for y, (p, q) in ends.items())
    return Expected(kind="law-enclosure", distribution={str(y): pair for y, pair in ends.items()}, shown=shown)


def _randomizer(given: Mapping[str, str], exp_epsilon0: Fraction) -> LocalRandomizer[int, int]:
    if given["randomizer"] == "binary-rr":
        return binary_rr(exp_epsilon0=exp_epsilon0)
    return k_rr(k=count(given["k"], parameter="k"), exp_epsilon0=exp_epsilon0)
