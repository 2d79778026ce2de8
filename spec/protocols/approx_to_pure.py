"""R~_(k,T): a purely private local randomizer from an approximately private one (CSUZZ19, Algorithm 7); and by clipping instead."""

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeVar

from shuffleproof.spec.distribution import Distribution, bernoulli, mixture
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)
LARGEST_ENUMERATION = 100_000
"""Sequences v_1, ..., v_T that are enumerated at most."""


def in_good_set(ratio: Fraction | None, *, exp_epsilon: Fraction) -> bool:
    """Return whether y is in G: e^(-2 eps) <= Pr[R(x) = y] / rho(y) <= e^(2 eps); None stands for a ratio over rho(y) = 0."""
    return ratio is not None and exp_epsilon**-2 <= ratio <= exp_epsilon**2


def acceptance(R_x: Distribution[Y], rho: Distribution[Y], *, exp_epsilon: Fraction, k: Fraction) -> dict[Y, Fraction]:
    """Return p(y) for every y that rho can produce (CSUZZ19, Algorithm 7).

    It is r/k with r = Pr[R(x) = y]/rho(y) where y is in G, and 1/k elsewhere.

    R_x: the distribution of R(x); rho: the public distribution R(x0); exp_epsilon: e^eps >= 1, exact; k >= e^(2 eps). Raises DomainError.
    """
    _require(exp_epsilon, k)
    ratios = {y: R_x[y] / weight for y, weight in rho.items()}
    return {y: (r if in_good_set(r, exp_epsilon=exp_epsilon) else 1) / k for y, r in ratios.items()}


def index_distribution(p: Sequence[Fraction]) -> Distribution[int]:
    """The distribution of g on {0, ..., T - 1} given v: b_t ~ Ber(p_t), H = {t : b_t = 1} (all t if there is none), g uniform in H.

    (CSUZZ19, Algorithm 7.) p: the acceptance probabilities of v_1, ..., v_T, at least one, each in [0, 1]. Raises DomainError.
    """
    require(len(p) > 0, parameter="p", value=p, requirement="at least one probability")
    accepted: Distribution[tuple[int, ...]] = Distribution.point(())
    for p_t in p:
        accepted = accepted.then(lambda b, p_t=p_t: bernoulli(p_t).map(lambda b_t: (*b, b_t)))  # type: ignore[misc]
    return accepted.then(lambda b: Distribution.uniform([t for t, b_t in enumerate(b) if b_t] or range(len(b))))


def output_distribution(R_x: Distribution[Y], rho: Distribution[Y], *, exp_epsilon: Fraction, k: Fraction, T: int) -> Distribution[Y]:
    """Return the distribution of v_g by the definition: every v_1, ..., v_T ~ rho, then the index.  (CSUZZ19, Algorithm 7).

    T: at least 1; the others as for `acceptance`. Raises DomainError, and ResourceLimitError for more than 10^5 sequences v.
    """
    p: dict[Y, Fraction] = acceptance(R_x, rho, exp_epsilon=exp_epsilon, k=k)
    _require_T(T)
    if len(p) ** T > LARGEST_ENUMERATION:
        raise ResourceLimitError(
            what="enumerating the public strings", needed=f"{len(p)}^{T} of them", limit=f"{LARGEST_ENUMERATION}: use closed_form"
        )
    parts: list[tuple[Fraction, Distribution[Y]]] = []
    for v in product(rho.support, repeat=T):
        g = index_distribution([p[y] for y in v])
        parts.append((math.prod((rho[y] for y in v), start=Fraction(1)), g.map(lambda t, v=v: v[t])))  # type: ignore[misc]
    return mixture(parts)


def closed_form(R_x: Distribution[Y], rho: Distribution[Y], *, exp_epsilon: Fraction, k: Fraction, T: int) -> Distribution[Y]:
    """The distribution of v_g in closed form, for any T.

    With Z = sum over y of rho(y) p(y):  R~(y) = rho(y) (p(y) (1 - (1 - Z)^T)/Z + (1 - p(y)) (1 - Z)^(T - 1)).
    Parameters and errors as for `output_distribution`, without its limit.
    """
    p: dict[Y, Fraction] = acceptance(R_x, rho, exp_epsilon=exp_epsilon, k=k)
    _require_T(T)
    Z = sum((weight * p[y] for y, weight in rho.items()), Fraction(0))
    # Z >= e^(-2 eps)/k > 0: no p(y) is smaller.
    chosen, fallen_back = (1 - (1 - Z) ** T) / Z, (1 - Z) ** (T - 1)
    return Distribution({y: weight * (p[y] * chosen + (1 - p[y]) * fallen_back) for y, weight in rho.items()})


def transformed(randomizer: LocalRandomizer[X, Y], *, x0: X, exp_epsilon: Fraction, k: Fraction, T: int) -> LocalRandomizer[X, Y]:
    """Return R~_(k,T) as a local randomizer that sends v_g, with rho = R(x0): (8 eps, 0)-DP whatever R is.  (CSUZZ19, Claim D.2).

    Parameters and errors as for `closed_form`; x0: any input of the domain.
    """
    rho = randomizer.distribution(x0)
    laws = {x: closed_form(randomizer.distribution(x), rho, exp_epsilon=exp_epsilon, k=k, T=T) for x in randomizer.domain}
    return LocalRandomizer(randomizer.domain, laws)


def outside_good_set(*, exp_epsilon: Fraction, delta: Fraction) -> Fraction:
    """eta = (1 + e^(-2 eps)) delta/(1 - e^-eps): neither R(x) nor rho puts more on the complement of G if R is (eps, delta)-DP.

    The sharp form of CSUZZ19, Lemma D.6, whose bound is 2 delta/(1 - e^-eps). exp_epsilon > 1; delta in [0, 1]. Raises DomainError.
    """
    require(exp_epsilon > 1, parameter="exp_epsilon", value=exp_epsilon, requirement="above 1")
    require(0 <= delta <= 1, parameter="delta", value=delta, requirement="in [0, 1]")
    return (1 + exp_epsilon**-2) * delta / (1 - 1 / exp_epsilon)


def distance_bound(*, exp_epsilon: Fraction, delta: Fraction, k: Fraction, T: int) -> Fraction:
    """An upper bound on the total variation distance of R~(x) and R(x), for every (eps, delta)-DP R and all x: (1 - (1 - eta)/k)^T + eta.

    At most 1. Parameters as for `outside_good_set` and `output_distribution`. Raises DomainError.
    """
    _require(exp_epsilon, k)
    _require_T(T)
    eta = outside_good_set(exp_epsilon=exp_epsilon, delta=delta)
    return Fraction(1) if eta >= 1 else min(Fraction(1), (1 - (1 - eta) / k) ** T + eta)


def papers_parameters(*, n: int, exp_epsilon: Fraction, beta: Fraction) -> tuple[Fraction, int]:
    """Return k = 2 e^(2 eps) and T = ceil(2 e^(4 eps) ln(n/beta)).  (CSUZZ19, Appendix D.2, Setting parameters).

    n: users, at least 1; exp_epsilon: e^eps >= 1, exact; beta in (0, 1). Raises DomainError.
    """
    _require_users(n, beta)
    return 2 * exp_epsilon**2, _rounds(2 * exp_epsilon**4, n=n, beta=beta)


def sharper_parameters(*, n: int, exp_epsilon: Fraction, delta: Fraction, beta: Fraction) -> tuple[Fraction, int]:
    """k = e^(2 eps) and T = ceil(k ln(n/beta)/(1 - eta)): n (1 - (1 - eta)/k)^T <= beta still holds, with fewer rounds.

    Parameters as for `papers_parameters` and `outside_good_set`. Raises DomainError where eta >= 1.
    """
    _require_users(n, beta)
    eta = outside_good_set(exp_epsilon=exp_epsilon, delta=delta)
    require(eta < 1, parameter="delta", value=delta, requirement="below (1 - e^-eps)/(1 + e^(-2 eps))")
    return exp_epsilon**2, _rounds(exp_epsilon**2 / (1 - eta), n=n, beta=beta)


def clipped(R_x: Distribution[Y], rho: Distribution[Y], *, exp_epsilon: Fraction) -> Distribution[Y]:
    """A distribution within e^(+-eps) of rho pointwise, at distance max(D(R_x || rho), e^-eps D(rho || R_x)) <= delta from R_x.

    R_x is clipped to [e^-eps rho, e^eps rho]; what is then missing (left over) is spread in proportion to the distance from the upper
    (lower) limit. Any two such distributions are 2 eps-close: this is CSUZZ19, Theorem D.1 with 2 eps for 8 eps and nothing
    sampled.

    exp_epsilon: e^eps >= 1, exact. Raises DomainError.
    """
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    low = {y: weight / exp_epsilon for y, weight in rho.items()}
    high = {y: weight * exp_epsilon for y, weight in rho.items()}
    inside = {y: min(max(R_x[y], low[y]), high[y]) for y in rho.support}
    missing = 1 - sum(inside.values(), Fraction(0))
    limit = high if missing > 0 else low
    distance = {y: abs(limit[y] - inside[y]) for y in inside}
    share = missing / sum(distance.values(), Fraction(0)) if missing else Fraction(0)
    return Distribution({y: inside[y] + share * distance[y] for y in inside})


def clipped_randomizer(randomizer: LocalRandomizer[X, Y], *, x0: X, exp_epsilon: Fraction) -> LocalRandomizer[X, Y]:
    """Every distribution of the randomizer clipped around R(x0). Parameters and errors as for `clipped`."""
    rho = randomizer.distribution(x0)
    return LocalRandomizer(
        randomizer.domain, {x: clipped(randomizer.distribution(x), rho, exp_epsilon=exp_epsilon) for x in randomizer.domain}
    )


def _rounds(factor: Fraction, *, n: int, beta: Fraction) -> int:
    """ceil(factor ln(n/beta)): ln of a rational other than 1 is irrational, so the two ends come to agree."""
    bits = 64
    while True:
        low, high = (math.ceil(factor * end) for end in log_bounds(n / beta, bits=bits))
        if low == high:
            return high
        bits *= 2


def _require(exp_epsilon: Fraction, k: Fraction) -> None:
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    require(k >= exp_epsilon**2, parameter="k", value=k, requirement="at least e^(2 epsilon), so that every p(y) is a probability")


def _require_T(T: int) -> None:
    require(T >= 1, parameter="T", value=T, requirement="an integer of at least 1")


def _require_users(n: int, beta: Fraction) -> None:
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(0 < beta < 1, parameter="beta", value=beta, requirement="above 0 and below 1")
