"""What our engines answer about finite distributions, protocols and noise, beside the bounds: for harnesses, in the protocol's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from shuffleproof.conformance.catalogue.inputs import distribution, distributions, indices, numbers
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
    probability,
    ratio_text,
)

if TYPE_CHECKING:
    from shuffleproof.spec.distribution import Distribution

Given = Mapping[str, str]
Respond = Callable[[Given, int], Answer]
"""(input, digits wanted) -> the answer."""


def responses(engine: Engine) -> Mapping[str, Respond]:
    """The operations that an engine answers, beside delta, epsilon and what is made of them."""
    return {"exact": _EXACT, "ball": _BALL, "fast": _FAST}[engine]


def _randomizer_law(given: Given, _: int) -> Answer:
    from shuffleproof.spec.randomizers.binary_rr import binary_rr
    from shuffleproof.spec.randomizers.k_rr import k_rr

    T = _exponential(epsilon0_parameter(given["epsilon0"]), name="epsilon0")
    of_two = given["randomizer"] == "binary-rr"
    randomizer = binary_rr(exp_epsilon0=T) if of_two else k_rr(k=count(given["k"], parameter="k"), exp_epsilon0=T)
    value = exact_fraction(given["input"], parameter="input")
    require(value in randomizer.domain, parameter="input", value=given["input"], requirement=f"one of {list(randomizer.domain)[:5]}")
    return Answer(claim="law", table={str(outcome): str(weight) for outcome, weight in randomizer.distribution(int(value)).items()})


def _hockey_stick(given: Given, _: int) -> Answer:
    from shuffleproof.spec.distribution import PrivacyProfile

    order = exact_fraction(given["exp_epsilon"], parameter="exp_epsilon")
    p, q = _pair(given)
    profile = PrivacyProfile(p, q)
    profile.delta(exp_epsilon=order)  # raises what is wrong with the order
    # The divergence by its other definition: the mass of p above e^epsilon q on the event where the likelihood ratio exceeds it.
    event = [y for y in p.support if p[y] > order * q[y]]
    return _number(sum((p[y] for y in event), Fraction(0)) - order * sum((q[y] for y in event), Fraction(0)))


def _local_epsilon(given: Given, _: int) -> Answer:
    columns = list(zip(*distributions(given["laws"]), strict=True))
    possible = [column for column in columns if any(column)]
    finite = all(all(column) for column in possible)
    require(
        finite, parameter="laws", value=given["laws"], requirement="distributions with the same support: no epsilon bounds a ratio to 0"
    )
    exp_epsilon = max(max(column) / min(column) for column in possible)
    return Answer(claim="exact", value="0" if exp_epsilon == 1 else f"ln {ratio_text(exp_epsilon)}")


def _shuffle_law(given: Given, _: int) -> Answer:
    from shuffleproof.impl.exact.shuffled_distribution import ShuffledRandomizer

    randomizer = ShuffledRandomizer(distributions(given["laws"]))
    users = Counter(indices(given["dataset"], parameter="dataset", below=len(randomizer.rows)))
    found = randomizer.distribution([users[x] for x in range(len(randomizer.rows))])
    table = {}
    for counts, weight in found.items():
        if weight:
            table[",".join(str(y) for y, many in enumerate(counts) for _ in range(many))] = ratio_text(weight)
    return Answer(claim="law", table=table)


def _estimate(given: Given, _: int) -> Answer:
    from shuffleproof.spec.protocols import bit_sum, real_sum, zero_sum

    n = count(given["n"], parameter="n")
    match given["protocol"]:
        case "zero-sum":
            messages = count(given["messages"], parameter="messages", minimum=0, maximum=2 * n)
            return _number(zero_sum.estimate(messages=messages, n=n, p=probability(given["p"], parameter="p")))
        case "histogram":
            counts = indices(given["counts"], parameter="counts", below=2 * n + 1)
            chosen = count(given["bin"], parameter="bin", maximum=len(counts))
            return _number(zero_sum.estimate(messages=counts[chosen - 1], n=n, p=probability(given["p"], parameter="p")))
        case _:
            lam, r = exact_fraction(given["lambda"], parameter="lambda"), count(given.get("r", "1"), parameter="r")
            require(0 <= lam < n, parameter="lambda", value=given["lambda"], requirement=f"at least 0 and below n = {n}")
            ones = count(given["ones"], parameter="ones", minimum=0, maximum=n * r)
            return _number(real_sum.estimate(ones=ones, n=n, lam=lam, r=r) if "r" in given else bit_sum.estimate(ones=ones, n=n, lam=lam))


def _compose(given: Given, _: int) -> Answer:
    if given["rule"] in ("shuffled", "losses"):
        return _rounds(given)
    for key in {"epsilon", "total_epsilon"} & {*given}:
        _exponential(parse_epsilon(given[key]))  # raises where it is irrational
    return _of_the_specification("compose", given)


def _rounds(given: Given) -> Answer:
    """Answer for the pair itself, outcome by outcome, an infinite loss being an outcome that q never has."""
    from shuffleproof.spec import composition
    from shuffleproof.spec.bounds.clones import clones
    from shuffleproof.spec.bounds.clones.clones import stronger_clones
    from shuffleproof.spec.bounds.lower import binary_rr
    from shuffleproof.spec.distribution import Distribution, PrivacyProfile

    rounds = count(given["rounds"], parameter="rounds")
    pairs: list[tuple[Distribution[Any], Distribution[Any]]] = []
    if given["rule"] == "shuffled":
        known: Mapping[str, Callable[..., tuple[Distribution[Any], Distribution[Any]]]]
        known = {"clones": clones.dominating_pair, "stronger-clones": stronger_clones.dominating_pair, "binary-rr-pair": binary_rr.pair}
        n, local = count(given["n"], parameter="n"), epsilon0_parameter(given["epsilon0"]).exp
        if local is None or given["method"] not in known or n > 5 or rounds > 3:
            raise UnsupportedError(what="rounds of a pair", reason="only few users and rounds, and rational e^epsilon0", advice="")
        one = known[given["method"]](n=n, exp_epsilon0=local)
        profile = PrivacyProfile(*composition.composed([one] * rounds))
        if "delta" not in given:
            return _number(profile.delta(exp_epsilon=_exponential(parse_epsilon(given["epsilon"]))))
        found = profile.exp_epsilon(delta=probability(given["delta"], parameter="delta"))
        assert found is not None
        return Answer(claim="exact", value=str(Epsilon(Fraction(0) if found == 1 else None, found)))
    for ratios, masses in zip(given["ratios"].split(" "), given["masses"].split(" "), strict=True):
        p = dict(enumerate(numbers(masses, parameter="masses")))
        q = {y: p[y] / ratio for y, ratio in enumerate(numbers(ratios, parameter="ratios"))}
        require(sum(p.values()) <= 1 and sum(q.values()) <= 1, parameter="masses", value=masses, requirement="of sum at most 1")
        lost = Distribution({**p, -1: 1 - sum(p.values(), Fraction(0))}), Distribution({**q, -2: 1 - sum(q.values(), Fraction(0))})
        pairs.append(lost)
    order = _exponential(parse_epsilon(given["epsilon"]))
    P, Q = composition.composed(pairs * rounds)
    return _number(sum((max(Fraction(0), P[y] - order * Q[y]) for y in P.support), Fraction(0)))


def _threshold(given: Given, _: int) -> Answer:
    from shuffleproof.spec.protocols import thresholds

    if given["rule"] != "minimiser":
        return _of_the_specification("threshold", given)
    return _number(thresholds.laplace_minimisers(_norms(given), T=exact_fraction(given["T"], parameter="T"))[0])


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
    "randomizer_law": _randomizer_law,
    "hockey_stick": _hockey_stick,
    "local_epsilon": _local_epsilon,
    "shuffle_law": _shuffle_law,
    "estimate": _estimate,
    "renyi": lambda given, _: _of_the_specification("renyi", given),
    "compose": _compose,
    "threshold": _threshold,
}
_BALL: Mapping[str, Respond] = {"debias": _debias, "calibrate": _calibrate}
_FAST: Mapping[str, Respond] = {"debias": _debias_fast, "threshold": _threshold_fast}


def _pair(given: Given) -> tuple[Distribution[int], Distribution[int]]:
    from shuffleproof.spec.distribution import Distribution

    rows = [distribution(given[key], parameter=key) for key in ("p", "q")]
    require(
        len(rows[0]) == len(rows[1]), parameter="q", value=given["q"], requirement=f"a distribution over {len(rows[0])} outcomes, as p is"
    )
    p, q = (Distribution(dict(enumerate(row))) for row in rows)
    return p, q


def _norms(given: Given) -> tuple[Fraction, ...]:
    norms = numbers(given["norms"], parameter="norms")
    require(all(m >= 0 for m in norms), parameter="norms", value=given["norms"], requirement="at least 0 each")
    return norms


def _exponential(epsilon: Epsilon, *, name: str = "epsilon") -> Fraction:
    if epsilon.exp is None:
        raise UnsupportedError(what=f"{name} = {epsilon} in exact arithmetic", reason=f"e^{name} is irrational", advice='use "ln 3"')
    return epsilon.exp


def _of_the_specification(operation: str, given: Given) -> Answer:
    from shuffleproof.conformance.catalogue.answers import finite

    found = finite.answer(operation, given)
    assert isinstance(found, str)
    return Answer(claim="exact", value=found)


def _number(value: Fraction) -> Answer:
    return Answer(claim="exact", value=ratio_text(value))
