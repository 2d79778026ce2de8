"""Answers that are irrational, enclosed by certified balls: debiasing, the least noise of a protocol, parameters, noise."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from shuffleproof.conformance.catalogue.inputs import noise_terms
from shuffleproof.impl.ball import debiasing, integer_noise
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters
from shuffleproof.impl.ball.calibration import bit_sum, frequency, histogram, real_sum, user_histogram, zero_sum
from shuffleproof.spec.vocabulary.calibration import Calibration
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, require, require_one_of
from shuffleproof.spec.vocabulary.likelihoods import exact_weights
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import of_given
from shuffleproof.spec.vocabulary.scope import Relation

_NEEDS: Mapping[str, frozenset[str]] = {
    "real-sum": frozenset({"n", "r"}),
    "real-sum-tagged": frozenset({"n", "r"}),
    "frequency": frozenset({"n", "method"}),
    "user-histogram": frozenset({"C", "d", "relation"}),
}
"""What a protocol's input has beside epsilon and delta, where it is not n alone."""
_CALIBRATIONS: Mapping[str, Callable[..., Calibration]] = {
    "zero-sum": zero_sum.calibrate,
    "histogram": histogram.calibrate,
    "bit-sum": bit_sum.calibrate,
}


def debiased(given: Mapping[str, str], *, digits: int) -> tuple[Fraction, Fraction]:
    """Ends around f_C(rate), or around the rate with f_C(rate) = y. Raises DomainError."""
    if "rate" in given:
        found = debiasing.expectation(rate=given["rate"], C=given["C"], digits=digits)
    else:
        found = debiasing.inverse(y=given["y"], C=given["C"], digits=digits)
    return found.lower, found.upper


def least_noise(given: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    """Ends around the least noise: one is certified to be enough, the other not to be. Frequency has its largest epsilon0 instead.

    Raises DomainError; RegimeError for an unattainable target.
    """
    protocol = given["protocol"]
    own = frozenset(given) - {"protocol", "epsilon", "delta"}
    needed = _NEEDS.get(protocol, frozenset({"n"}))
    told = f"of {', '.join(sorted(needed))}"
    require(own == needed, parameter=f"input of {protocol}", value=", ".join(sorted(own)), requirement=told)
    if protocol == "user-histogram":
        return _user_histogram(given)
    n, epsilon, delta = (given[key] for key in ("n", "epsilon", "delta"))
    match protocol:
        case "frequency":
            # The randomizer and k are what errors are reported of; epsilon0 is the same for all.
            most = frequency.calibrate(randomizer="k-rr", k=2, n=n, epsilon=epsilon, delta=delta, bound=given["method"])
            return most.value, most.fails_at
        case "real-sum" | "real-sum-tagged":
            view = "tagged" if protocol == "real-sum-tagged" else "untagged"
            found = real_sum.calibrate(n=n, epsilon=epsilon, delta=delta, view=view, runs=(given["r"],)).calibration
        case _ if protocol in _CALIBRATIONS:
            found = _CALIBRATIONS[protocol](n=n, epsilon=epsilon, delta=delta)
        case other:
            known = ", ".join((*_CALIBRATIONS, *_NEEDS))
            raise DomainError(parameter="protocol", value=other, requirement=f"one of {known}")
    if found.value is None or found.fails_at is None:
        why = found.unattainable or "no noise at all is needed"
        raise RegimeError(statement=found.statement, condition="noise that is just enough", given=why, advice="ask for less privacy")
    return found.fails_at, found.value


def _user_histogram(given: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    """Around the least standard deviation, or scale where there is no delta."""
    known = {relation.value: relation for relation in (Relation.REPLACE_ONE, Relation.ADD_REMOVE)}
    relation = known[require_one_of(given["relation"], known, parameter="relation")]
    epsilon, delta = given["epsilon"], given.get("delta")
    found = user_histogram.calibrate(threshold=given["C"], domain_size=given["d"], relation=relation, epsilon=epsilon, delta=delta)
    assert found.value is not None
    assert found.fails_at is not None
    return found.fails_at, found.value


def parameter(given: Mapping[str, str], *, digits: int) -> tuple[Fraction, Fraction]:
    """Ends around p, beta or q of a named randomizer. Raises DomainError."""
    which = require_one_of(given["which"], ("p", "beta", "q"), parameter="which")
    record = of_given({key: text for key, text in given.items() if key not in ("epsilon0", "which")})
    found = optimal_parameters.parameters(randomizer=record, epsilon0=given["epsilon0"], digits=digits)
    value = found[("p", "beta", "q").index(which)]
    local = parse_epsilon(given["epsilon0"], parameter="epsilon0")
    rational = not record.noise and local.exp != 1 and exact_weights(record.furthest.two_inputs(local), local) is not None
    if local.exp is not None and (rational or which != "beta" or local.exp == 1):
        return value, value  # rational: it comes out as it is
    return value / (1 + Fraction(1, 10**digits)), value


_NOISES = ("discrete-laplace", "discrete-gaussian")


def noise_cdf(given: Mapping[str, str], *, digits: int) -> tuple[Fraction, Fraction]:
    """Ends around the probability that one or two independent terms of integer noise are at most x in all. Raises DomainError."""
    noise, (terms, x) = require_one_of(given["noise"], _NOISES, parameter="noise"), noise_terms(given)
    key = "epsilon" if noise == "discrete-laplace" else "variance"
    require(key in given, parameter=key, value="nothing", requirement=f"given for {noise}")
    if noise == "discrete-gaussian":
        found = integer_noise.gaussian_cdf(variance=given["variance"], terms=terms, x=x, digits=digits)
        return found.lower, found.upper
    found = integer_noise.laplace_cdf(epsilon=given["epsilon"], terms=terms, x=x, digits=digits)
    return found.lower, found.upper
