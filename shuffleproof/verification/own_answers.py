"""What our engines answer about finite distributions, protocols and noise, beside the bounds: for harnesses, in the protocol's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from shuffleproof.conformance.catalogue.inputs import indices, laws, numbers
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.spec.vocabulary.bound import Engine
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    count,
    decimal_text,
    epsilon0_parameter,
    exact_fraction,
    parse_epsilon,
    ratio_text,
)

if TYPE_CHECKING:
    pass

Given = Mapping[str, str]
Respond = Callable[[Given, int], Answer]
"""(input, digits wanted) -> the answer."""


def responses(engine: Engine) -> Mapping[str, Respond]:
    """The operations that an engine answers, beside delta, epsilon and randomizer_law."""
    return {"exact": _EXACT, "ball": _BALL, "fast": _FAST}[engine]


def _of_the_specification(operation: str, given: Given, _: int) -> Answer:
    from shuffleproof.conformance.catalogue.answers import finite

    found = finite.answer(operation, given)
    assert isinstance(found, str)
    return Answer(claim="exact", value=found)


def _shuffle_law(given: Given, _: int) -> Answer:
    from shuffleproof.impl.exact.shuffled_law import ShuffledRandomizer

    randomizer = ShuffledRandomizer(laws(given["laws"]))
    users = Counter(indices(given["dataset"], parameter="dataset", below=len(randomizer.rows)))
    found = randomizer.law([users[x] for x in range(len(randomizer.rows))])
    table = {}
    for counts, weight in found.items():
        if weight:
            table[",".join(str(y) for y, many in enumerate(counts) for _ in range(many))] = ratio_text(weight)
    return Answer(claim="law", table=table)


def _compose(given: Given, _: int) -> Answer:
    if given["rule"] in ("shuffled", "losses"):
        return _rounds(given)
    for key in {"epsilon", "total_epsilon"} & {*given}:
        _exponential(given[key])  # raises where it is irrational
    return _of_the_specification("compose", given, 0)


def _rounds(given: Given) -> Answer:
    """Answer for the pair itself, outcome by outcome, an infinite loss being an outcome that q never has."""
    from shuffleproof.spec import composition
    from shuffleproof.spec.distribution import Distribution

    rounds = count(given["rounds"], parameter="rounds")
    if given["rule"] == "shuffled":
        return _shuffled_rounds(given, rounds)
    pairs = []
    for ratios, masses in zip(given["ratios"].split(" "), given["masses"].split(" "), strict=True):
        p = dict(enumerate(numbers(masses, parameter="masses")))
        q = {y: p[y] / ratio for y, ratio in enumerate(numbers(ratios, parameter="ratios"))}
        require(sum(p.values()) <= 1 and sum(q.values()) <= 1, parameter="masses", value=masses, requirement="of sum at most 1")
        lost = Distribution({**p, -1: 1 - sum(p.values(), Fraction(0))}), Distribution({**q, -2: 1 - sum(q.values(), Fraction(0))})
        pairs.append(lost)
    order = _exponential(given["epsilon"])
    P, Q = composition.composed(pairs * rounds)
    return _number(sum((max(Fraction(0), P[y] - order * Q[y]) for y in P.support), Fraction(0)))


def _shuffled_rounds(given: Given, rounds: int) -> Answer:
    from shuffleproof.conformance.catalogue.answers.rounds import composed_delta, composed_epsilon

    if epsilon0_parameter(given["epsilon0"]).exp is None or count(given["n"], parameter="n") > 5 or rounds > 3:
        raise UnsupportedError(what="rounds of a pair", reason="only few users and rounds, and rational e^epsilon0", advice="")
    if "delta" not in given:
        _exponential(given["epsilon"])  # raises where it is irrational
        return _number(composed_delta(given)[0])
    _, found = composed_epsilon(given)
    assert found is not None
    return Answer(claim="exact", value=str(Epsilon(Fraction(0) if found == 1 else None, found)))


def _threshold_fast(given: Given, _: int) -> Answer:
    from shuffleproof.impl.fast.numeric import thresholds

    exact = _norms(given)
    m, w, T = [float(norm) for norm in exact], [1.0] * len(exact), float(exact_fraction(given["T"], parameter="T"))
    if given["rule"] == "minimiser":
        found = thresholds.minimiser(m, w, T=T)
    else:
        lam, B = (float(exact_fraction(given[key], parameter=key)) for key in ("lambda", "B"))
        found = thresholds.regularised_minimiser(m, w, T=T, lam=lam, B=B)
    return Answer(claim="estimate", value=ratio_text(Fraction(found)))


def _debias(given: Given, digits: int) -> Answer:
    from shuffleproof.conformance.catalogue.answers.certified import debiased

    return Answer(claim="upper", value=decimal_text(debiased(given, digits=digits)[1], digits=digits + 2, direction="up"))


def _debias_fast(given: Given, _: int) -> Answer:
    from shuffleproof.impl.fast import debiasing

    C = exact_fraction(given["C"], parameter="C")
    if "rate" in given:
        rate = exact_fraction(given["rate"], parameter="rate")
        found = float(debiasing.f(float(rate), C=C))
    else:
        found = float(debiasing.inverse(float(exact_fraction(given["y"], parameter="y")), C=C))
    return Answer(claim="estimate", value=ratio_text(Fraction(found)))


def _calibrate(given: Given, _: int) -> Answer:
    """The certified end: of the least noise the upper one, of the largest epsilon0 for frequencies the lower one."""
    from shuffleproof.conformance.catalogue.answers.certified import least_noise

    low, high = least_noise(given)
    if given["protocol"] == "frequency":
        return Answer(claim="lower", value=decimal_text(low, digits=17, direction="down"))
    return Answer(claim="upper", value=decimal_text(high, digits=17, direction="up"))


_EXACT: Mapping[str, Respond] = {
    **{
        operation: partial(_of_the_specification, operation)
        for operation in ("hockey_stick", "local_epsilon", "estimate", "renyi", "threshold")
    },
    "shuffle_law": _shuffle_law,
    "compose": _compose,
}
_BALL: Mapping[str, Respond] = {"debias": _debias, "calibrate": _calibrate}
_FAST: Mapping[str, Respond] = {"debias": _debias_fast, "threshold": _threshold_fast}


def _norms(given: Given) -> tuple[Fraction, ...]:
    norms = numbers(given["norms"], parameter="norms")
    require(all(m >= 0 for m in norms), parameter="norms", value=given["norms"], requirement="at least 0 each")
    return norms


def _exponential(epsilon: str) -> Fraction:
    found = parse_epsilon(epsilon).exp
    if found is None:
        raise UnsupportedError(what=f"epsilon = {epsilon} in exact arithmetic", reason="e^epsilon is irrational", advice='use "ln 3"')
    return found


def _number(value: Fraction) -> Answer:
    return Answer(claim="exact", value=ratio_text(value))
