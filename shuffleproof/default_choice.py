"""Which methods answer where none is named: on either side the best of those that are cheap, by one list with estimated costs.

`bound`, `compare`'s bracket, the objects and what is built on them ask here. A method that is to answer by itself needs one entry in UPPER
or LOWER, in the place where it would win a tie.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, cast

from shuffleproof.methods import METHODS, engines_for
from shuffleproof.methods.selection import asked_about, on_buckets, speaking_of, tells_buckets_apart
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import (
    BINARY_RR_PAIR,
    CLONES_CLOSED_FORM,
    K_RR_BLANKET,
    K_RR_EXHAUSTIVE,
    K_RR_PAIR,
    STRONGER_APPROX_CLONES,
    STRONGER_CLONES,
)
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import (
    ADAPTIVE_PAIR,
    ANOTHER_PLACE,
    BLANKET,
    FIRST_ARRIVAL,
    FIRST_ARRIVAL_APPROXIMATE,
    GAUSSIAN_BLANKET,
    GAUSSIAN_HOMOGENEOUS,
    GAUSSIAN_PLACE,
    HOMOGENEOUS,
    LEAKING_RESPONSE,
    OPTIMAL_PAIR,
    RANDOMIZER_LOWER,
    RANDOMIZER_PAIR,
)
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter
from shuffleproof.spec.vocabulary.parameters import CENTRAL, EPSILON0, Given, N, Value
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, class_named, completed, is_hashing, is_k_rr, of_given
from shuffleproof.spec.vocabulary.scope import Mechanisms

OfTruth = Literal["upper", "lower"]
SIDES: tuple[OfTruth, OfTruth] = ("upper", "lower")
CHEAP = 3.0
"""Seconds, as estimated, within which a method is asked beside the others."""
MOST_IN_FLOATS = 10**9
"""Users up to which float64 answers."""
_FEW_OF_TWO = 200
"""Users up to which both orders of all views of two items are gone through in about 0.2 s."""
_MERGED_TO = 20
"""Users beyond which the pair of `homogeneous` with its reports merged, never above it, is asked where that does not answer."""
_MOST_OF_THREE = 10**8
"""Users up to which ball arithmetic answers for k-RR of three items in about a second."""
_DIGITS_OF_THREE = 9
"""Digits to which it does."""
_MOST_IN_DIGITS = 10**6
"""Users up to which it does to more digits."""
_MANY = 20
"""Users from which the random-swap bound may be below the blanket."""
_MANY_OF_LAPLACE = 100
"""The same for Laplace noise, whose levels cost more."""
_QUICK = 0.1
"""Seconds in float64 below which balls, too, are quick."""
_OF_GRIDS = 4
"""Digits that sums on grids settle where none are asked for."""
_MOST_OF_GRIDS = 6
"""Digits that sums on grids settle at most."""
_FEWEST_OF_ARRIVALS = 20
"""Users from which on `first-arrival` may say less than stronger clones, and adaptive sequences more than randomized response."""
_MOST_STEPS = 2000
"""Users up to which `adaptive-pair` takes the steps one by one; with more it is randomized response, of which others have more digits."""
_USERS_TO_HIDE = 10
"""Users for each unit of e^eps0 from which on reports hide each other: with fewer, no adaptive sequence says more (measured to n = 500)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Holds what a question is about.

    randomizer: None where it is about all of them; digits: None where a few are enough; local: epsilon0, where it is given.
    """

    n: int
    randomizer: NamedRandomizer | None
    digits: int | None
    quantity: Quantity = "epsilon"
    local: Epsilon | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Preference:
    """A method that may answer by itself.

    seconds: about what it takes by certified balls on one core; in_floats: by float64, where that carries it; few: users up to which balls
    are quick enough for many points, 0 where float64 settles more digits; fits: whether it is worth asking, beyond taking what was given.
    """

    method: Method
    seconds: Callable[[Asked], float]
    in_floats: float = 0.01
    few: int = 100
    fits: Callable[[Asked], bool] = lambda _: True


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A method that may answer a question.

    method: its name; parameters: what it is asked with; engine: "fast" where float64 is the cheaper one that settles what is shown, else
    "auto"; seconds: about what that takes; in_floats: what float64 takes where it carries it; cheap: whether it is asked at once, or if
    others fail.
    """

    method: str
    parameters: Mapping[str, Value]
    engine: Literal["auto", "fast"] = "auto"
    seconds: float = 0.0
    in_floats: float = 0.01
    cheap: bool = True

    @property
    def hands_over(self) -> bool:
        """Return whether balls may answer where float64 cannot: not for sums on grids, which could take minutes there."""
        return self.in_floats < _QUICK


def _is_binary(asked: Asked) -> bool:
    return is_k_rr(asked.randomizer) and asked.randomizer.k == 2


def _sums_over_counts(asked: Asked) -> float:
    """Estimate the seconds of sums over k-RR's three counts."""
    return 0.012 * math.sqrt(asked.n)


def _whole_distribution(asked: Asked) -> float:
    """Sums of losses on grids, to four digits, or three times as much for each more; noise on an interval has many cells."""
    seconds = (10.0 if asked.randomizer and asked.randomizer.noise else 0.5) + 0.002 * math.sqrt(asked.n)
    return seconds * 3.0 ** ((asked.digits or _OF_GRIDS) - _OF_GRIDS)


def _settled_on_grids(asked: Asked) -> bool:
    return asked.n <= MOST_IN_FLOATS and (asked.digits is None or asked.digits <= _MOST_OF_GRIDS)


def _of_krr(asked: Asked) -> bool:
    """Return whether it is about k-RR, and the method for that is cheap."""
    return is_k_rr(asked.randomizer) and _sums_over_counts(asked) <= CHEAP


def _uniform(asked: Asked) -> bool:
    return not is_hashing(asked.randomizer) or asked.randomizer.family == "uniform"


def _of_family(asked: Asked) -> bool:
    """Return whether of hashing the family of functions is named."""
    return not is_hashing(asked.randomizer) or asked.randomizer.family is not None


def _by_one_sum(asked: Asked) -> float:
    return 0.05 + 0.0003 * math.sqrt(asked.n)


def _of_every_sequence(asked: Asked) -> bool:
    """Return whether it is about all adaptive sequences, of users enough to hide each other, and float64 has digits enough."""
    return asked.randomizer is None and asked.digits is None and _FEWEST_OF_ARRIVALS <= asked.n <= MOST_IN_FLOATS


def _hide_each_other(asked: Asked) -> bool:
    """Return whether users are so many, next to e^eps0, that they hide each other."""
    return asked.local is not None and asked.local <= Epsilon(None, Fraction(max(asked.n // _USERS_TO_HIDE, 1)))


UPPER = (
    # Never above the clones pair, for the same randomizers and neighbours (BEYOND.CorF2), at the same cost.
    Preference(method=STRONGER_CLONES, seconds=_by_one_sum, few=10**7),
    # Never above that, for the same sequences, and for many users about as small as any bound can be.
    Preference(method=FIRST_ARRIVAL, seconds=lambda _: 1.0, in_floats=1.0, few=0, fits=_of_every_sequence),
    Preference(method=CLONES_CLOSED_FORM, seconds=lambda _: 0.01, fits=lambda asked: asked.n > MOST_IN_FLOATS),
    # Never above Theorem 3.8's delta0 terms (FMT21.Thm3.8-constant).
    Preference(method=STRONGER_APPROX_CLONES, seconds=_by_one_sum),
    # It pays delta0 once, where the clones pay it about n times.
    Preference(method=FIRST_ARRIVAL_APPROXIMATE, seconds=lambda _: 1.0, in_floats=1.0, few=0, fits=_of_every_sequence),
    Preference(method=OPTIMAL_PAIR, seconds=lambda asked: 0.05 + 0.0005 * math.sqrt(asked.n)),
    # All neighbouring datasets of two items.
    Preference(
        method=K_RR_EXHAUSTIVE,
        seconds=lambda asked: 0.2 if asked.n <= _FEW_OF_TWO else 2.5 if asked.quantity == "renyi" else math.inf,
        in_floats=1.0,
        few=_FEW_OF_TWO,
        fits=_is_binary,
    ),
    Preference(method=K_RR_BLANKET, seconds=_sums_over_counts, fits=lambda asked: asked.n <= MOST_IN_FLOATS),
    Preference(
        method=RANDOMIZER_PAIR, seconds=lambda asked: 0.05 + 0.0005 * math.sqrt(asked.n), fits=lambda asked: asked.n <= MOST_IN_FLOATS
    ),
    # For k-RR it is the number of k-rr-blanket; of hashing it speaks of uniform functions, if they are promised.
    Preference(
        method=BLANKET,
        seconds=_whole_distribution,
        in_floats=0.3,
        few=0,
        fits=lambda asked: _settled_on_grids(asked) and _uniform(asked) and not _of_krr(asked),
    ),
    # Seldom below the blanket for fewer users.
    Preference(
        method=ANOTHER_PLACE,
        seconds=lambda _: 0.5,
        in_floats=0.5,
        few=0,
        fits=lambda asked: (
            not (asked.randomizer is None or is_k_rr(asked.randomizer))
            and _of_family(asked)
            and asked.digits is None
            and (_MANY_OF_LAPLACE if asked.randomizer.noise else _MANY) <= asked.n <= MOST_IN_FLOATS
        ),
    ),
    Preference(method=GAUSSIAN_BLANKET, seconds=lambda _: 2.5, in_floats=1.0, few=0, fits=_settled_on_grids),
    Preference(
        method=GAUSSIAN_PLACE,
        seconds=lambda _: 2.5,
        in_floats=1.5,
        few=0,
        fits=lambda asked: asked.digits is None and _MANY <= asked.n <= MOST_IN_FLOATS,
    ),
)
"""Bounds for all neighbouring datasets, in the order in which they win ties."""

LOWER = (
    Preference(method=BINARY_RR_PAIR, seconds=_by_one_sum, fits=lambda asked: asked.randomizer is None or _is_binary(asked)),
    Preference(method=K_RR_PAIR, seconds=_sums_over_counts, fits=lambda asked: not _is_binary(asked) and asked.n <= MOST_IN_FLOATS),
    Preference(method=RANDOMIZER_LOWER, seconds=lambda asked: 0.02 + 0.005 * math.sqrt(asked.n), fits=lambda asked: not _of_krr(asked)),
    Preference(
        method=ADAPTIVE_PAIR,
        seconds=lambda _: 1.0,
        in_floats=1.0,
        few=0,
        fits=lambda asked: _of_every_sequence(asked) and (asked.n > _MOST_OF_THREE or (asked.n <= _MOST_STEPS and _hide_each_other(asked))),
    ),
    # For k-RR it is the number of k-rr-pair.
    Preference(
        method=HOMOGENEOUS,
        seconds=_whole_distribution,
        in_floats=0.5,
        few=0,
        fits=lambda asked: _settled_on_grids(asked) and not _of_krr(asked),
    ),
    Preference(method=GAUSSIAN_HOMOGENEOUS, seconds=_whole_distribution, in_floats=0.5, few=0, fits=_settled_on_grids),
    Preference(method=LEAKING_RESPONSE, seconds=_whole_distribution, in_floats=0.3, few=0, fits=_settled_on_grids),
)
"""Neighbouring datasets that are known to reach something, likewise."""


def candidates(
    quantity: Quantity, parameters: Given, *, engine: str = "auto", digits: int | None = None, side: OfTruth = "upper", quick: bool = False
) -> list[Candidate]:
    """The methods that fit what was given: those that are cheap, or the cheapest, in the order of preference; then others by their cost.

    parameters: n, what the methods take, and the central parameter or not. engine: one of the engines, which the methods then must have,
    or "auto"; digits: those asked of the certified one. side: of the truth. quick: whether float64, with seven digits or so, is enough
    wherever it is cheaper and no digits were asked for.
    Raises DomainError where the method has to be named, and where parameters are wrong.
    """
    users = count(cast(Number, parameters["n"]), parameter="n")
    parameters = completed(parameters)
    randomizer = None
    if RANDOMIZER.name in parameters:
        class_named(parameters[RANDOMIZER.name])
        try:
            randomizer = of_given(parameters)
        except DomainError:  # the method that is asked says what is wrong, after everything that comes before it
            return [Candidate(method=RANDOMIZER_PAIR.name, parameters=dict(parameters))]
    if is_hashing(randomizer) and randomizer.family is None:  # nothing is promised
        return candidates(quantity, {**parameters, "family": "any"}, engine=engine, digits=digits, side=side, quick=quick)
    local = parameters.get(EPSILON0.name)
    asked = Asked(
        n=users, randomizer=randomizer, digits=digits, quantity=quantity, local=None if local is None else epsilon0_parameter(local)
    )
    about = asked_about(parameters)
    spoken = {each.method.name: each.parameters for each in speaking_of(parameters, quantity) if not each.translated}
    able: list[Candidate] = []
    for each in UPPER if side == "upper" else LOWER:
        speaks_of = each.method.mechanisms
        covered = speaks_of.contains(about) if side == "upper" else about.contains(speaks_of)
        if each.method.name not in spoken or not covered or not each.fits(asked):
            continue
        if engine != "auto" and engine not in engines_for(each.method, quantity):
            continue
        # What holds for all randomizers is asked where the methods for this one refuse, unless it is one of the worst.
        speaks_of_more = each.method.for_all and randomizer is not None and not _is_binary(asked)
        given = spoken[each.method.name]
        able.append(_costed(each, asked, quantity, given, engine=engine, quick=quick, own=not speaks_of_more))
    if not able:
        return [] if side == "lower" else [Candidate(method=_nearest(quantity, parameters).name, parameters=dict(parameters))]
    if side == "lower":  # nobody waits for it
        quick_ones = [each for each in able if each.seconds <= CHEAP]
        told_apart = asked.n > _MERGED_TO and any(each.method == HOMOGENEOUS.name for each in quick_ones)
        lower = [replace(each, cheap=not (told_apart and each.method == RANDOMIZER_LOWER.name)) for each in quick_ones]
        if is_hashing(randomizer) and randomizer.family == "any" and tells_buckets_apart(randomizer):
            lower += candidates(quantity, on_buckets(parameters, randomizer), engine=engine, digits=digits, side=side, quick=quick)
        most = _MOST_OF_THREE if (digits or 0) <= _DIGITS_OF_THREE else _MOST_IN_DIGITS
        if about.contains(Mechanisms.EVERY_ADAPTIVE) and users <= most and (engine == "auto" or engine in engines_for(K_RR_PAIR, quantity)):
            three = (each.parameters for each in speaking_of(parameters, quantity) if each.translated)
            lower += [Candidate(method=K_RR_PAIR.name, parameters=given, seconds=_by_one_sum(asked)) for given in three]
        return sorted(lower, key=lambda each: not each.cheap)
    own = [each for each in able if each.cheap] or able
    limit = max(CHEAP, min(each.seconds for each in own))
    ranked = [replace(each, cheap=each.cheap and each.seconds <= limit) for each in able]
    return sorted(ranked, key=lambda each: (not each.cheap, 0.0 if each.cheap else each.seconds))


def _costed(
    preference: Preference, asked: Asked, quantity: Quantity, given: Mapping[str, Value], *, engine: str, quick: bool, own: bool
) -> Candidate:
    """Return it with what it costs. own: whether it speaks of what was asked, and not of more."""
    seconds = preference.seconds(asked)
    few = asked.digits is None and asked.n <= MOST_IN_FLOATS and quantity != "renyi"
    floats = few and engine == "auto" and "fast" in engines_for(preference.method, quantity)
    floats = floats and (((quick or not preference.few) and asked.n > preference.few) or seconds > CHEAP)
    return Candidate(
        method=preference.method.name,
        parameters=given,
        engine="fast" if floats else "auto",
        seconds=preference.in_floats if floats else seconds,
        in_floats=preference.in_floats,
        cheap=own,
    )


def _nearest(quantity: Quantity, parameters: Mapping[str, Value]) -> Method:
    """The method whose refusal says best what is missing or too much. Raises DomainError where it has to be named."""
    if RANDOMIZER.name in parameters:
        return RANDOMIZER_PAIR
    own = parameters.keys() - {N.name, CENTRAL[quantity].name}
    takers = [each.name for each in METHODS.values() if quantity in each.quantities and set(each.takes) == own]
    without_quantity = [each.method for each in UPPER if set(each.method.takes) == own]
    if without_quantity:
        return without_quantity[0]
    if takers:
        told = " and ".join(sorted(own))
        raise DomainError(
            parameter="method", value="(nothing)", requirement=f"given: {', '.join(takers)} take{'s'[: len(takers) == 1]} {told}"
        )
    return STRONGER_CLONES
