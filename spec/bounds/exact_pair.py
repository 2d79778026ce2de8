"""Exact delta(epsilon), epsilon(delta) and Renyi divergences of a method whose pairs of distributions can be enumerated."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from shuffleproof.spec.distribution import PrivacyProfile, renyi_moment
from shuffleproof.spec.vocabulary.asking import EngineFunction, Found
from shuffleproof.spec.vocabulary.bound import Bound, Quantity, Side
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

_BITS = 200
"""Bits of logarithms where an exact value has no rational one."""
LARGEST_EXACT_ORDER = 1000
"""Largest order to which rationals are raised: their numbers of digits grow with it."""
Refused = Callable[[Fraction, str, Mapping[str, Any]], RegimeError]
"""The error where no epsilon is enough, from the probability of infinite privacy loss, delta as it was given, and what the method takes."""


def exact(method: Method | None = None) -> Callable[[Callable[..., Found | Bound]], EngineFunction]:
    """Declare a function of exact values as what exact arithmetic answers for the quantity of its name.

    method: None for pairs that have theirs as a field.
    """
    return partial(EngineFunction, method, finish=_finish)


class Answers(NamedTuple):
    """A method's three quantities, of which it may have fewer."""

    delta: EngineFunction
    epsilon: EngineFunction
    renyi: EngineFunction


def answers(
    method: Method | None,
    profiles: Callable[..., Iterable[PrivacyProfile[Any]]],
    *,
    largest_n: int | None = None,
    largest_n_renyi: int | None = None,
    refused: Refused | None = None,
    refused_renyi: Callable[[], RegimeError] | None = None,
) -> Answers:
    """delta, epsilon and the Renyi divergence of a method: each the largest over its pairs of distributions, and over both directions.

    method: as for `exact`; profiles: of all pairs, from what the method takes, with exp_epsilon0, a rational, for epsilon0; largest_n,
    largest_n_renyi: users whose outcomes are enumerated, and raised to an order; refused, refused_renyi: the errors where no epsilon is
    enough, and where the divergence is infinite; both None where all distributions of a pair have one support. Values are exact, but for
    logarithms of moments of an order other than 2.
    """

    def asked(most: int | None, of: tuple[Any, ...], values: dict[str, Any]) -> Iterable[PrivacyProfile[Any]]:
        if most is not None:
            require_enumerable(values["n"], most)
        if "epsilon0" in values:
            values["exp_epsilon0"] = rational_exp(values.pop("epsilon0"), "epsilon0")
        return profiles(*of, **values)

    @exact(method)
    def delta(*of: Any, epsilon: Epsilon, **values: Any) -> Found:
        found, E = asked(largest_n, of, values), rational_exp(epsilon, "epsilon")
        return Found.exactly(max(each.delta(exp_epsilon=E) for each in found))

    @exact(method)
    def epsilon(*of: Any, delta: Fraction, inputs: Mapping[str, str], **values: Any) -> Found:
        best = Fraction(1)
        for each in asked(largest_n, of, values):
            found = each.exp_epsilon(delta=delta)
            if found is None:
                assert refused is not None
                raise refused(each.revealed(), inputs["delta"], values)
            best = max(best, found)
        return of_exponential(best)

    @exact(method)
    def renyi(*of: Any, order: Fraction, **values: Any) -> Found:
        found_pairs = asked(largest_n_renyi or largest_n, of, values)
        moment, alpha = Fraction(1), integer_order(order)
        for each in found_pairs:
            for one, other in ((each.p, each.q), (each.q, each.p)):
                found = renyi_moment(one, other, order=alpha)
                if found is None:
                    assert refused_renyi is not None
                    raise refused_renyi()
                moment = max(moment, found)
        if alpha == 2 or moment == 1:
            return of_exponential(moment)
        lower, upper = (end / (alpha - 1) for end in log_bounds(moment, bits=_BITS))
        return Found(lower, upper)

    return Answers(delta, epsilon, renyi)


def upward(probability: Fraction) -> str:
    """A probability as a refusal shows it: to six digits, rounded up, so that as large a delta is enough."""
    return decimal_text(probability, digits=6, direction="up")


def of_exponential(value: Fraction) -> Found:
    """An exact epsilon or Renyi divergence, from its exponential."""
    return Found.exactly_epsilon(Epsilon(None, value), bits=_BITS)


def halved(reached: Callable[[int, Fraction], bool], low: Fraction, high: Fraction, *, steps: int) -> tuple[Fraction, Fraction]:
    """Enclose the least x in [low, high] from which on a delta is reached, by halving; `reached` holds at high on both sides.

    reached: by the delta's lower end (side 0), which encloses x from below, and by its upper end (side 1), from above.
    """
    ends = []
    for side in (0, 1):
        below, above = low, low if reached(side, low) else high
        for _ in range(steps if above > below else 0):
            middle = (below + above) / 2
            below, above = (below, middle) if reached(side, middle) else (middle, above)
        ends.append((below, above)[side])
    return ends[0], ends[1]


def integer_order(order: Fraction) -> int:
    """An order of Renyi divergences, if it is an integer of at most 1000. Raises UnsupportedError, ResourceLimitError."""
    if order.denominator != 1:
        reason, advice = "a power of a rational that is no integer power is irrational", 'use engine "ball"'
        raise UnsupportedError(what=f"order = {order} in exact arithmetic", reason=reason, advice=advice)
    if order > LARGEST_EXACT_ORDER:
        what, limit = "rationals raised to the order", f'{LARGEST_EXACT_ORDER} (engine "ball" goes further)'
        raise ResourceLimitError(what=what, needed=f"order = {order}", limit=limit)
    return int(order)


def require_enumerable(n: int, largest_n: int) -> None:
    """Raise ResourceLimitError for more users."""
    if n > largest_n:
        what = "exact arithmetic on every outcome"
        raise ResourceLimitError(what=what, needed=f"n = {n}", limit=f'n = {largest_n} (engine "ball" goes further)')


def rational_exp(epsilon: Epsilon, parameter: str) -> Fraction:
    """e^epsilon, if it is rational. Raises UnsupportedError."""
    if epsilon.exp is None:
        raise UnsupportedError(
            what=f"{parameter} = {epsilon} in exact arithmetic",
            reason=f"e^{parameter} is irrational",
            advice='write a logarithm such as "ln 3", or use engine "ball"',
        )
    return epsilon.exp


def _finish(method: Method, quantity: Quantity, found: Found, inputs: Mapping[str, str], _: Any) -> Bound:
    side: Side = "enclosure" if found.exact is None else "exact"
    return method.bound(quantity, side=side, lower=found.lower, upper=found.upper, exact=found.exact, engine="exact", inputs=inputs)
