"""A finite randomizer's distribution as users have it, a mapping, an array, or a file; and what everything that it says bounds."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from shuffleproof.conformance.audit.distribution_file import RoundedDistribution, checked, read as read_file
from shuffleproof.keywords import formerly, own_names
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers import noise_on_levels
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError, require, require_one_of
from shuffleproof.spec.vocabulary.given_distribution import MOST_USERS, OF_DISTRIBUTIONS, PLACE_OF_DISTRIBUTION, GivenDistribution, View
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    exact_fraction,
    in_words,
    parse_epsilon,
    positive,
    ratio_text,
)

__dir__ = own_names(__name__)

DistributionMapping = dict[str, dict[str, Fraction]]
_VIEWS: Mapping[str, View] = {method.name: view for view, method in OF_DISTRIBUTIONS.items()}
BY_WHOLE_DISTRIBUTION = {
    **{name: OF_DISTRIBUTIONS[view] for name, view in _VIEWS.items()},
    PLACE_OF_DISTRIBUTION.name: PLACE_OF_DISTRIBUTION,
}
"""The methods that speak of a distribution that is given, by name."""
PLACE_FROM = 400
"""Users from which on the random-swap bound is asked: for fewer the blanket's is seldom larger."""
_IN_FLOATS = "for numbers in floats, FromDistribution(..., normalize=True) divides each row by its sum; rounding: how far the truth may lie"
_EXACT_TO = 12
"""Users up to which exact arithmetic is cheap, where inputs and outcomes are few."""
_FEW = 8
"""Inputs and outcomes with which exact arithmetic is cheap."""


def _of_file(path: Path, *, rounding: str | None) -> RoundedDistribution:
    try:
        return read_file(path, rounding=rounding)
    except DomainError as error:
        parameter = "distribution" if error.parameter == "FILE" else error.parameter
        raise DomainError(parameter=parameter, value=error.value, requirement=error.requirement.replace("--rounding", "rounding")) from None


@formerly(law="distribution")
def read(distribution: object, *, rounding: Number | None = None) -> RoundedDistribution:
    """The distribution, checked, with exact numbers.

    distribution: {input: {outcome: probability}}, an array with a row for each input, or the path of a .json or .csv file; rounding: how
    far a probability may lie from what is written, what the file says or 0 if None. Raises DomainError naming the place,
    ResourceLimitError.
    """
    margin = Fraction(0) if rounding is None else exact_fraction(rounding, parameter="rounding")
    require(0 <= margin < Fraction(1, 2), parameter="rounding", value=rounding, requirement="at least 0 and below 1/2")
    if isinstance(distribution, str | Path):
        return _of_file(Path(distribution), rounding=None if rounding is None else ratio_text(margin))
    given: dict[str, dict[str, Any]]
    try:
        rows = list(distribution.items() if isinstance(distribution, Mapping) else enumerate(cast(Iterable[Any], distribution)))
        given = {str(x): {str(y): p for y, p in (row.items() if isinstance(row, Mapping) else enumerate(row))} for x, row in rows}
    except TypeError:
        wanted = "{input: {outcome: probability}}, an array with a row for each input, or the path of a file"
        raise DomainError(parameter="distribution", value=distribution, requirement=wanted) from None
    if not isinstance(distribution, Mapping) and (bare := [(x, row) for x, row in rows if not isinstance(row, Mapping)]):
        first = len(given[str(bare[0][0])])
        for x, _ in bare:  # a row that is too short is a mistake, and no outcome that never comes
            found, place = len(given[str(x)]), f"distribution at input {str(x)!r}"
            require(found == first, parameter=place, value=found, requirement=f"{first} probabilities, as in the first row")
    wanted = "the distributions of at least two inputs: privacy compares them"
    require(len(given) >= 2, parameter="distribution", value=len(given), requirement=wanted)
    try:
        return checked(given, margin)
    except DomainError as error:
        requirement = error.requirement.replace("--rounding says how far the numbers may lie from the truth", _IN_FLOATS)
        raise DomainError(parameter=error.parameter, value=error.value, requirement=requirement) from None


@formerly(law="distribution")
def normalized(distribution: object, *, within: Number = "1e-9") -> DistributionMapping:
    """A distribution in floats with each row divided by its exact sum: for `FromDistribution`, which takes exact numbers.

    distribution: as for `read`; within: how far a row's sum may be from 1, from 0 to 1/2. The distribution is these exact rationals, and is
    what has to be sampled. Raises DomainError naming the place, ResourceLimitError.
    """
    margin = exact_fraction(within, parameter="within")
    require(0 <= margin < Fraction(1, 2), parameter="within", value=within, requirement="at least 0 and below 1/2")
    found = read(distribution, rounding=margin)
    sums = [sum(row, Fraction(0)) for row in found.rows]
    for name, total in zip(found.inputs, sums, strict=True):
        told = f"within {ratio_text(margin)} of 1"
        require(abs(total - 1) <= margin, parameter=f"sum of the distribution at input {name!r}", value=float(total), requirement=told)
    rows = zip(found.inputs, found.rows, sums, strict=True)
    return {name: {y: p / total for y, p in zip(found.outcomes, row, strict=True)} for name, row, total in rows}


def clipped_laplace(*, levels: Number, epsilon0: Number | Epsilon) -> DistributionMapping:
    """Discrete Laplace noise on a number in [0, 1] that is rounded to levels, clipped to them: for `FromDistribution`.

    levels: 2 to 1000; epsilon0: above 0, at most 690. Probabilities are exact rationals; e^(-eps0/(levels - 1)) is rounded up to 64
    bits, so that the distribution is epsilon0-DP. Raises DomainError.
    """
    count_of_levels, local = _levels(levels), _local(epsilon0)
    return _mapping(noise_on_levels.clipped_laplace(levels=count_of_levels, ratio=_exponential(-local / (count_of_levels - 1))))


def truncated_gaussian(*, levels: Number, sigma: Number, beyond: Number = 0) -> DistributionMapping:
    """Discrete Gaussian noise on a number in [0, 1] rounded to levels, drawn again until it is among them: for `FromDistribution`.

    levels: 2 to 1000; sigma: above 0, in units of [0, 1]; beyond: levels on either side that may be sent too. Weights are exp(-z^2/(2
    sigma^2)) rounded up to 64 bits: the distribution is these exact rationals, and is what has to be sampled. Raises DomainError.
    """
    count_of_levels, further, scale = (
        _levels(levels),
        count(beyond, parameter="beyond", minimum=0, maximum=1000),
        positive(sigma, parameter="sigma"),
    )
    step = Fraction(1, count_of_levels - 1)
    weights = [_exponential(-((z * step / scale) ** 2) / 2) for z in range(count_of_levels + further)]
    return _mapping(noise_on_levels.by_distance(levels=count_of_levels, weights=weights, beyond=further))


def staircase(*, levels: Number, epsilon0: Number | Epsilon, high: Number, beyond: Number = 0) -> DistributionMapping:
    """The staircase mechanism on a number in [0, 1] that is rounded to levels, truncated to them and `beyond` more: for `FromDistribution`.

    levels: 2 to 1000; epsilon0: above 0, at most 690, for noise that is not truncated; high: steps of each stair that stand higher, 1 to
    levels - 1; beyond: levels on either side that may be sent too. Raises DomainError.
    """
    count_of_levels, further = _levels(levels), count(beyond, parameter="beyond", minimum=0, maximum=1000)
    weights = noise_on_levels.staircase_weights(
        levels=count_of_levels, exp_epsilon0=1 / _exponential(-_local(epsilon0)), high=count(high, parameter="high"), beyond=further
    )
    return _mapping(noise_on_levels.by_distance(levels=count_of_levels, weights=weights, beyond=further))


def k_rr_by_item(*, epsilons: Iterable[Number | Epsilon]) -> DistributionMapping:
    """k-RR with a setting for each item: item x is reported with odds e^epsilon_x to 1 against each other item: for `FromDistribution`.

    epsilons: two or more, each above 0 and at most 690; their exponentials are rounded down to 64 bits. Raises DomainError.
    """
    of_items = [1 / _exponential(-_local(each)) for each in epsilons]
    require(len(of_items) >= 2, parameter="epsilons", value=len(of_items), requirement="two items or more")
    return _mapping(noise_on_levels.k_rr_by_item(exp_epsilons=of_items))


_MADE: Mapping[str, tuple[Callable[..., DistributionMapping], Mapping[str, str]]] = {
    "clipped-laplace": (clipped_laplace, {"levels": "levels", "eps0": "epsilon0"}),
    "truncated-gaussian": (truncated_gaussian, {"levels": "levels", "sigma": "sigma", "beyond": "beyond"}),
    "staircase": (staircase, {"levels": "levels", "eps0": "epsilon0", "high": "high", "beyond": "beyond"}),
    "k-rr-by-item": (k_rr_by_item, {"eps0": "epsilons"}),
}
"""By the names that they have on the command line, with what each takes there and here."""
_FORMER = {"krr-by-item": "k-rr-by-item"}


def of_text(text: str) -> DistributionMapping | None:
    """The distribution that a text such as "staircase:levels=5,eps0=1,high=2" or "k-rr-by-item:eps0=1,eps0=2" names, or None.

    Raises DomainError.
    """
    name, colon, rest = text.partition(":")
    name = _FORMER.get(name, name)
    if not colon or name not in _MADE:
        return None
    make, takes = _MADE[name]
    wanted = f"{name}:{','.join(f'{each}=...' for each in takes)}"
    given: dict[str, list[str]] = {}
    for each in rest.split(","):
        key, _, value = (part.strip() for part in each.partition("="))
        require(key in takes and bool(value), parameter="distribution", value=text, requirement=wanted)
        given.setdefault(takes[key], []).append(value)
    several = {key: values for key, values in given.items() if len(values) > 1 and key != "epsilons"}
    require(not several, parameter="distribution", value=text, requirement="one value of each")
    try:
        return make(**{key: values if key == "epsilons" else values[0] for key, values in given.items()})
    except TypeError:
        raise DomainError(parameter="distribution", value=text, requirement=wanted) from None


def _levels(levels: Number) -> int:
    return count(levels, parameter="levels", minimum=2, maximum=1000)


def _local(epsilon0: Number | Epsilon) -> Fraction:
    """Not above epsilon0, and nearer than 2^-64."""
    low, _ = parse_epsilon(epsilon0, parameter="epsilon0").bounds(bits=64)
    require(0 < low <= 690, parameter="epsilon0", value=epsilon0, requirement="above 0 and at most 690")
    return low


def _exponential(x: Fraction) -> Fraction:
    """e^x for x <= 0, rounded up to 64 significant bits."""
    with localcontext(prec=60):
        power = Fraction((Decimal(x.numerator) / Decimal(x.denominator)).exp())
    if not power:
        return power
    scale = Fraction(2) ** (64 - (power.numerator.bit_length() - power.denominator.bit_length()))
    return min(Fraction(1), Fraction(-(-(power * scale).numerator // (power * scale).denominator) + 1) / scale)


def _mapping(randomizer: LocalRandomizer[int, int]) -> DistributionMapping:
    return {str(x): {str(y): p for y, p in randomizer.distribution(x).items()} for x in randomizer.domain}


def whole(distribution: RoundedDistribution) -> GivenDistribution:
    """The distribution for the methods that use everything it says. Raises RegimeError where its numbers are rounded."""
    if distribution.rounding:
        raise RegimeError(
            statement=OF_DISTRIBUTIONS["above"].statement,
            condition="exact probabilities",
            given=f"numbers that may lie {ratio_text(distribution.rounding)} from the truth",
            advice='method "optimal-pair" covers every distribution within the rounding',
        )
    return GivenDistribution(distribution.inputs, distribution.rows)


def ask(
    distribution: RoundedDistribution,
    quantity: Quantity,
    *,
    n: Number,
    central: Number | Epsilon,
    method: str,
    engine: str = "auto",
    digits: Number | None = None,
) -> Bound:
    """delta at epsilon, or epsilon at delta, of shuffled reports with this distribution.

    quantity: "epsilon" or "delta", central: the other one; method: "blanket" or "another-place", upper bounds, or "homogeneous", a lower
    one; engine: "exact" (n up to 40), "ball" (few inputs and outcomes; digits, 1 to 6, are its own), "fast" or "auto"; float64 alone
    carries "another-place". Raises DomainError, RegimeError, ResourceLimitError, UndecidedError, UnsupportedError.
    """
    record = BY_WHOLE_DISTRIBUTION[require_one_of(method, BY_WHOLE_DISTRIBUTION, parameter="method")]
    users, given = count(n, parameter="n", maximum=MOST_USERS), whole(distribution)
    if quantity == "renyi" and any(min(column) == 0 < max(column) for column in given.columns):
        raise RegimeError(
            statement=record.statement,
            condition="outcomes that every dataset can have",
            given="others: where everybody else never sends what one user may, the report reveals that user's input",
            advice="every Renyi divergence is infinite: ask for epsilon or delta",
        )
    if quantity == "renyi":
        raise UnsupportedError(
            what="the Renyi divergence by a given distribution", reason="it has delta and epsilon", advice='use "optimal-pair"'
        )
    if digits is not None and engine not in ("auto", "ball"):
        raise DomainError(parameter="digits", value=digits, requirement=f"left out with engine {engine!r}")
    from shuffleproof.impl.fast.bounds.blanket import given_distribution as fast
    from shuffleproof.impl.fast.bounds.swap import given_distribution_places as places
    from shuffleproof.spec.bounds.blanket import given_distribution as exact

    own: dict[str, Any] = {"n": n, "distribution": given, "epsilon" if quantity == "delta" else "delta": central}
    if record is PLACE_OF_DISTRIBUTION:
        if engine not in ("auto", "fast") or digits is not None:
            carried = f'method "{method}" by engine "{engine if digits is None else "ball"}"'
            raise UnsupportedError(what=carried, reason="float64 alone carries it", advice='use "blanket"')
        of_place: Bound = getattr(places, quantity)(**own)
        return of_place
    own["view"] = _VIEWS[method]
    if engine == "ball" or digits is not None:
        from shuffleproof.impl.ball.bounds.blanket import given_distribution as balls
        from shuffleproof.impl.ball.numeric.budget import one_answer

        with one_answer():
            certified: Bound = getattr(balls, quantity)(**own, **({} if digits is None else {"digits": count(digits, parameter="digits")}))
        return certified
    small = users <= _EXACT_TO and len(given.inputs) <= _FEW and len(given.columns) <= _FEW
    if engine == "exact" or (engine == "auto" and small):
        try:
            found: Bound = getattr(exact, quantity)(**own)
        except (UnsupportedError, ResourceLimitError):
            if engine == "exact":
                raise
        else:
            return found
    answer: Bound = getattr(fast, quantity)(**own)
    return answer


def bracket(
    distribution: RoundedDistribution,
    quantity: Quantity,
    *,
    n: Number,
    central: Number | Epsilon,
    engine: str = "auto",
    digits: Number | None = None,
) -> Bracket:
    """The truth between the best of the upper sides and the lower one. Parameters and errors as for `ask`."""
    upper, lower = (ask(distribution, quantity, n=n, central=central, method=name, engine=engine, digits=digits) for name in _VIEWS)
    if engine in ("auto", "fast") and digits is None and count(n, parameter="n") >= PLACE_FROM:
        with suppress(ResourceLimitError, UnsupportedError):
            upper = min(
                upper, ask(distribution, quantity, n=n, central=central, method=PLACE_OF_DISTRIBUTION.name), key=lambda each: each.upper
            )
    asked = as_given(n=n, **{"eps" if quantity == "delta" else "delta": central})
    told = in_words(asked)
    return Bracket(quantity=quantity, of=f"shuffled reports with a distribution of {upper.inputs['law']}, {told}", upper=upper, lower=lower)
