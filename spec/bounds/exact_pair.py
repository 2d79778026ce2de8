"""Exact delta(epsilon), epsilon(delta) and Renyi divergences of a method whose pair of distributions can be enumerated."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import renyi_moment
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    epsilon0_parameter,
    parse_epsilon,
    probability,
    renyi_order,
    shortest,
)

Pair = tuple[Distribution[Any], Distribution[Any]]
_BITS = 200
"""Bits of logarithms where an exact value has no rational one."""
LARGEST_EXACT_ORDER = 1000
"""Largest order to which rationals are raised: their numbers of digits grow with it."""


def exact_delta(
    method: Method, pair: Callable[..., Pair], *, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, largest_n: int
) -> Bound:
    """delta(epsilon) of the pair, a rational; the larger of both directions."""
    users, local, central = enumerable(n, largest_n), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    profile = PrivacyProfile(*pair(n=users, exp_epsilon0=rational_exp(local, "epsilon0")))
    value = profile.delta(exp_epsilon=rational_exp(central, "epsilon"))
    return exact_value(method, "delta", value, inputs=as_given(n=n, eps0=epsilon0, eps=epsilon))


def exact_epsilon(
    method: Method, pair: Callable[..., Pair], *, n: Number, epsilon0: Number | Epsilon, delta: Number, largest_n: int
) -> Bound:
    """The least epsilon >= 0 with delta(epsilon) <= delta, as the logarithm of a rational."""
    users, local, target = enumerable(n, largest_n), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    exp_epsilon = PrivacyProfile(*pair(n=users, exp_epsilon0=rational_exp(local, "epsilon0"))).exp_epsilon(delta=target)
    assert exp_epsilon is not None  # both distributions of these pairs have the same support
    return exact_value(method, "epsilon", exp_epsilon, inputs=as_given(n=n, eps0=epsilon0, delta=delta))


def exact_renyi(
    method: Method, pair: Callable[..., Pair], *, n: Number, epsilon0: Number | Epsilon, order: Number, largest_n: int
) -> Bound:
    """The Renyi divergence of the pair, the larger of both directions: ln(moment)/(order - 1), the moment a rational."""
    users, local, alpha = enumerable(n, largest_n), epsilon0_parameter(epsilon0), integer_order(order)
    laws = pair(n=users, exp_epsilon0=rational_exp(local, "epsilon0"))
    return renyi_of_pair(method, laws, order=alpha, inputs=as_given(n=n, eps0=epsilon0, order=order))


def renyi_of_pair(method: Method, pair: Pair, *, order: int, inputs: Mapping[str, str]) -> Bound:
    """The same for a pair of distributions with one support; order: an integer of at least 2."""
    return worst_renyi(method, [pair], order=order, inputs=inputs)


def worst_delta(method: Method, profiles: Iterable[PrivacyProfile[Any]], *, epsilon: Number | Epsilon, inputs: Mapping[str, str]) -> Bound:
    """The largest delta of many pairs; epsilon with rational exponential."""
    E = rational_exp(parse_epsilon(epsilon), "epsilon")
    return exact_value(method, "delta", max(each.delta(exp_epsilon=E) for each in profiles), inputs=inputs)


def worst_epsilon(method: Method, profiles: Iterable[PrivacyProfile[Any]], *, delta: Number, inputs: Mapping[str, str]) -> Bound:
    """The largest of the least epsilons of many pairs, all of distributions with one support."""
    target, best = probability(delta, parameter="delta"), Fraction(1)
    for each in profiles:
        found = each.exp_epsilon(delta=target)
        assert found is not None
        best = max(best, found)
    return exact_value(method, "epsilon", best, inputs=inputs)


def worst_renyi(method: Method, pairs: Iterable[Pair], *, order: int, inputs: Mapping[str, str]) -> Bound:
    """The largest of many pairs, all of distributions with one support; order: an integer of at least 2."""
    moment = Fraction(1)
    for P, Q in pairs:
        for one, other in ((P, Q), (Q, P)):
            found = renyi_moment(one, other, order=order)
            assert found is not None
            moment = max(moment, found)
    if order == 2 or moment == 1:
        return exact_value(method, "renyi", moment, inputs=inputs)
    lower, upper = (end / (order - 1) for end in log_bounds(moment, bits=_BITS))
    return method.bound("renyi", side="enclosure", lower=lower, upper=upper, engine="exact", inputs=inputs)


def exact_value(method: Method, quantity: Quantity, value: Fraction, *, inputs: Mapping[str, str]) -> Bound:
    """The Bound of an exact result. value: delta itself, or e^epsilon where the quantity is epsilon or a Renyi divergence."""
    lower, upper, exact = value, value, shortest(value)
    if quantity != "delta":
        epsilon = Epsilon(Fraction(0) if value == 1 else None, value)
        (lower, upper), exact = epsilon.bounds(bits=_BITS), str(epsilon)
    return method.bound(quantity, side="exact", lower=lower, upper=upper, exact=exact, engine="exact", inputs=inputs)


def integer_order(order: Number) -> int:
    """An order of Renyi divergences, if it is an integer of at most 1000. Raises DomainError, UnsupportedError, ResourceLimitError."""
    alpha = renyi_order(order)
    if alpha.denominator != 1:
        reason, advice = "a power of a rational that is no integer power is irrational", 'use engine "ball"'
        raise UnsupportedError(what=f"order = {order} in exact arithmetic", reason=reason, advice=advice)
    if alpha > LARGEST_EXACT_ORDER:
        what, limit = "rationals raised to the order", f'{LARGEST_EXACT_ORDER} (engine "ball" goes further)'
        raise ResourceLimitError(what=what, needed=f"order = {alpha}", limit=limit)
    return int(alpha)


def enumerable(n: Number, largest_n: int) -> int:
    """The number of users, if it is small enough. Raises DomainError, or ResourceLimitError above largest_n."""
    users = count(n, parameter="n")
    if users > largest_n:
        what = "exact arithmetic on every outcome"
        raise ResourceLimitError(what=what, needed=f"n = {users}", limit=f'n = {largest_n} (engine "ball" goes further)')
    return users


def rational_exp(epsilon: Epsilon, parameter: str) -> Fraction:
    """e^epsilon, if it is rational. Raises UnsupportedError."""
    if epsilon.exp is None:
        raise UnsupportedError(
            what=f"{parameter} = {epsilon} in exact arithmetic",
            reason=f"e^{parameter} is irrational",
            advice='write a logarithm such as "ln 3", or use engine "ball"',
        )
    return epsilon.exp
