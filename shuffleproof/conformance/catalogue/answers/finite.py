"""Exact answers about finite distributions, randomizers, analyzers and norms, by the specification."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from shuffleproof.conformance.catalogue.inputs import distribution, distributions, indices, numbers
from shuffleproof.spec import composition
from shuffleproof.spec.distribution import Distribution, hockey_stick, renyi_moment
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.protocols import bit_sum, histogram, real_sum, thresholds, zero_sum
from shuffleproof.spec.protocols.thresholds import User
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, exact_fraction, parse_epsilon, probability, ratio_text

Given = Mapping[str, str]
Exact = str | dict[str, str]
"""A number in the grammar, or outcome -> probability."""


def answer(operation: str, given: Given) -> Exact:
    """The exact answer. Raises DomainError where there is none."""
    return _ANSWERS[operation](given)


def _hockey_stick(given: Given) -> str:
    order = exact_fraction(given["exp_epsilon"], parameter="exp_epsilon")
    require(order >= 1, parameter="exp_epsilon", value=given["exp_epsilon"], requirement="at least 1")
    return ratio_text(hockey_stick(*_pair(given), exp_epsilon=order))


def _local_epsilon(given: Given) -> str:
    found = _randomizer(given).exp_epsilon0()
    if found is None:
        requirement = "laws with the same support: no epsilon bounds the ratio of a probability to 0"
        raise DomainError(parameter="laws", value=given["laws"], requirement=requirement)
    return str(Epsilon(None, found))


def _shuffle_law(given: Given) -> dict[str, str]:
    randomizer = _randomizer(given)
    dataset = indices(given["dataset"], parameter="dataset", below=len(randomizer.domain))
    found = shuffled_distribution(randomizer, dataset)
    return {",".join(map(str, y)): ratio_text(found[y]) for y in sorted(found.support)}


def _estimate(given: Given) -> str:
    n = count(given["n"], parameter="n")
    match given["protocol"]:
        case "zero-sum":
            p = probability(given["p"], parameter="p")
            messages = count(given["messages"], parameter="messages", minimum=0, maximum=2 * n)
            return ratio_text(zero_sum.analyzer(n=n, p=p)((1,) * messages))
        case "histogram":
            p, counts = probability(given["p"], parameter="p"), indices(given["counts"], parameter="counts", below=2 * n + 1)
            chosen = count(given["bin"], parameter="bin", maximum=len(counts))
            received = tuple(j for j, many in enumerate(counts, start=1) for _ in range(many))
            return ratio_text(histogram.analyzer(n=n, d=len(counts), p=p)(received)[chosen - 1])
        case "bit-sum":
            lam = exact_fraction(given["lambda"], parameter="lambda")
            ones = count(given["ones"], parameter="ones", minimum=0, maximum=n)
            return ratio_text(bit_sum.analyzer(n=n, lam=lam)((1,) * ones + (0,) * (n - ones)))
        case "real-sum":
            lam, r = exact_fraction(given["lambda"], parameter="lambda"), count(given["r"], parameter="r")
            ones = count(given["ones"], parameter="ones", minimum=0, maximum=n * r)
            return ratio_text(real_sum.analyzer(n=n, lam=lam, r=r)((1,) * ones + (0,) * (n * r - ones)))
        case other:
            raise DomainError(parameter="protocol", value=other, requirement="zero-sum, histogram, bit-sum or real-sum")


def _renyi(given: Given) -> str:
    found = renyi_moment(*_pair(given), order=count(given["order"], parameter="order", minimum=2))
    if found is None:
        raise DomainError(parameter="q", value=given["q"], requirement="above 0 wherever p is")
    return ratio_text(found)


def _compose(given: Given) -> str:
    rounds = count(given["rounds"], parameter="rounds")
    match given["rule"]:
        case "basic":
            each = _exponential(given["epsilon"])
            return str(Epsilon(None, composition.basic_composition([(each, Fraction(0))] * rounds)[0]))
        case "optimal":
            delta = probability(given["delta"], parameter="delta")
            exps = [_exponential(given[key]) for key in ("epsilon", "total_epsilon")]
            found = composition.optimal_composition_delta(exp_epsilon=exps[0], delta=delta, rounds=rounds, exp_total=exps[1])
            return ratio_text(found)
        case "product":
            order = exact_fraction(given["exp_epsilon"], parameter="exp_epsilon")
            require(order >= 1, parameter="exp_epsilon", value=given["exp_epsilon"], requirement="at least 1")
            return ratio_text(hockey_stick(*composition.composed([_pair(given)] * rounds), exp_epsilon=order))
        case other:
            raise DomainError(parameter="rule", value=other, requirement="basic, optimal, product, shuffled or losses")


def _threshold(given: Given) -> str:
    norms, T = numbers(given["norms"], parameter="norms"), exact_fraction(given["T"], parameter="T")
    require(all(m >= 0 for m in norms), parameter="norms", value=given["norms"], requirement="at least 0 each")
    users = [User(m, Fraction(1)) for m in norms]
    match given["rule"]:
        case "minimiser":
            return ratio_text(thresholds.minimiser(users, T=T))
        case "regularised":
            lam, B = (exact_fraction(given[key], parameter=key) for key in ("lambda", "B"))
            return ratio_text(thresholds.regularised_minimiser(users, T=T, lam=lam, B=B))
        case other:
            raise DomainError(parameter="rule", value=other, requirement="minimiser or regularised")


_ANSWERS: Mapping[str, Callable[[Given], Exact]] = {
    "hockey_stick": _hockey_stick,
    "local_epsilon": _local_epsilon,
    "shuffle_law": _shuffle_law,
    "estimate": _estimate,
    "renyi": _renyi,
    "compose": _compose,
    "threshold": _threshold,
}


def _pair(given: Given) -> tuple[Distribution[int], Distribution[int]]:
    rows = [distribution(given[key], parameter=key) for key in ("p", "q")]
    require(len(rows[0]) == len(rows[1]), parameter="q", value=given["q"], requirement=f"a law over {len(rows[0])} outcomes, as p is")
    p, q = (Distribution(dict(enumerate(row))) for row in rows)
    return p, q


def _randomizer(given: Given) -> LocalRandomizer[int, int]:
    rows = distributions(given["laws"])
    return LocalRandomizer(range(len(rows)), {x: Distribution(dict(enumerate(row))) for x, row in enumerate(rows)})


def _exponential(epsilon: str) -> Fraction:
    found = parse_epsilon(epsilon).exp
    assert found is not None, "the catalogue asks for logarithms of rationals"
    return found
