"""Renyi divergences of shuffled reports from both sides, by privacy profiles alone (BEYOND.Renyi-chords).

From above by the methods that have values of the profile for all neighbouring datasets, the least of them at each point; from below by the
profile of one pair of datasets. What one report alone loses bounds both where little is left of delta (BEYOND.Renyi-one-report).
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Literal, NamedTuple

from shuffleproof.accounting.profile_by_chords import pure, spread
from shuffleproof.accounting.rounds_below import Pair, of_one_pair, pairs_of
from shuffleproof.impl.ball import gaussian, renyi_of_powers
from shuffleproof.impl.ball.renyi_of_profile import Beyond, Enclosed, Ends, Profile, divergence, gaussian_beyond
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import SMALLEST_DELTA
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import blanket_distributions
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled, looser
from shuffleproof.mechanisms.randomizers import KRR, AnyRandomizer, Gaussian, NamedRandomizer
from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary import randomizers as records
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, ShuffleproofError, UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import K_RR_EXHAUSTIVE, STRONGER_CLONES
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import (
    ANOTHER_PLACE,
    BLANKET,
    FIRST_ARRIVAL,
    GAUSSIAN_BLANKET,
    GAUSSIAN_HOMOGENEOUS,
    GAUSSIAN_PLACE,
    OPTIMAL_PAIR,
    RANDOMIZER_PAIR,
)
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    epsilon0_parameter,
    exact_fraction,
    in_words,
    renyi_order,
)
from shuffleproof.spec.vocabulary.scope import Relation

STATEMENT = "BEYOND.Renyi-chords"
ONE_REPORT = "BEYOND.Renyi-one-report"
POWERS = "BEYOND.Renyi-powers"
_TOLERANCE = 5e-4
"""Relative width at which no more points are asked for."""
_OF_CHORDS = 2.5e-4
"""The same from above, where chords alone count, which take two thirds of it."""
_ENOUGH = Fraction(1, 200)
"""Relative width of a bracket by quick methods at which no slower one is asked."""
_ENOUGH_OF_POWERS = Fraction(1, 25)
"""The same of what powers of a mean say of Gaussian noise, next to which chords take some seconds and say less."""
_MOST_QUICK = 240
"""Points of a profile at most: a millisecond each."""
_MOST = 34
"""The same where some hundredths of a second are taken by each."""
_MOST_SLOW = 24
"""The same where these are some tenths of a second."""
_MOST_ROUGHLY = 18
"""The same where it is seen which pair, or whether quick methods, will do."""
_LOOKS = 5
"""Of these, about so many are asked of all methods."""
_QUICK = (STRONGER_CLONES.name, RANDOMIZER_PAIR.name, OPTIMAL_PAIR.name, BLANKET.name)
"""Methods that take milliseconds."""
_SLOW_TO: Mapping[str, int] = {FIRST_ARRIVAL.name: 45_000, GAUSSIAN_BLANKET.name: 10**9, GAUSSIAN_PLACE.name: 10**9}
"""Users up to which a value takes some tenths of a second; of other methods the record says so."""
_PAIR_TO = 2500
"""Users up to which an optimal pair may help: of more users the others are smaller, and its tails take seconds."""
_START = tuple(Fraction(k, 16) for k in (0, 1, 4, 8, 12, 16))
"""Shares of the largest loss where profiles are asked first, by all methods."""
_NEAR = Fraction(5, 4)
"""A method that is above the least one by this factor at both neighbouring points is not asked in between."""
_GAIN = 1.001
"""Nor one whose value is not below this power of the quicker ones' at either."""
_ROUGHLY = 0.05
"""Relative width to which pairs are distinguished before the worst one is enclosed."""
_DEPTHS = (Fraction(1, 10**15), Fraction(1, 10**200))
"""Of Gaussian noise one report's distribution is cut where less than these is beyond: the farther, the coarser it is."""
_DIGITS = 12
"""Of a value, rounded outward: chords lose a thousandth, so that more would say nothing."""
_SHOWN = Fraction(1, 10**6)
"""Width of what is shown below the upper end, of itself: six digits; only the upper end is a bound."""
_NOTHING = 1e-6
"""The part of the divergence, about, that a value of the profile may add for it to be nothing."""
_FAR = 50.0
"""Of Gaussian noise profiles are asked to where e^-25 or so of the moment is beyond; more points are added where that is too much."""


def bracket(mechanism: Shuffled, others: Callable[[], Bracket], *, order: Number, digits: Number | None) -> Bracket:
    """The bracket of a Renyi divergence by the better one of both sides: of profiles, and of methods that have the divergence itself.

    others: asks these; where profiles leave little they are not asked. Raises DomainError, and what `others` raises where profiles have no
    upper side.
    """
    below, above, found = renyi_below(mechanism, order=order), None, None
    direct = isinstance(mechanism.randomizer, AnyRandomizer) or _is_binary(mechanism)
    if not direct:
        above = renyi_above(mechanism, order=order, below=below)
    if above is None or digits is not None:
        with suppress(*([UnsupportedError] if above else [])):
            found = others()
    if found is None:
        assert above is not None
        of = f"{mechanism}, {in_words(as_given(order=order))}"
        return Bracket(quantity="renyi", of=of, upper=above, lower=below, mechanisms=mechanism.mechanisms())
    lower = max((each for each in (found.lower, below) if each is not None), key=lambda each: each.lower, default=None)
    if direct and not (lower and found.upper.upper <= lower.lower * (1 + Fraction(_TOLERANCE))):
        above = renyi_above(mechanism, order=order)
    upper = min((each for each in (found.upper, above) if each is not None), key=lambda each: each.upper)
    beaten = [each for each, best in ((found.upper, upper), (found.lower, lower)) if each is not None and each is not best]
    told = tuple(looser(each, digits) for each in beaten) if digits is not None else ()
    return replace(found, upper=upper, lower=lower, refusals=(*found.refusals, *told))


def renyi_above(mechanism: Shuffled, *, order: Number, below: Bound | None = None) -> Bound | None:
    """An upper bound on the Renyi divergence by values of the profile, or None where no method has any.

    mechanism: of a randomizer that is eps0-DP for a finite eps0, or of Gaussian noise. order: above 1; below: a lower bound, near which
    slower methods are not asked. Raises DomainError.
    """
    alpha = renyi_order(order)
    powers = _by_powers(mechanism, alpha, "upper")
    if powers and below and powers.upper <= below.lower * (1 + _ENOUGH_OF_POWERS):
        return powers
    quick = _of_methods(mechanism, alpha, quick=True, below=below)
    if quick and below and quick.upper <= below.lower * (1 + _ENOUGH):
        return quick
    found = (powers, quick, _of_methods(mechanism, alpha, quick=False))
    return min((each for each in found if each), key=lambda each: each.upper, default=None)


def _by_powers(mechanism: Mechanism, order: Fraction, side: Literal["lower", "upper"]) -> Bound | None:
    """Return the bound of Gaussian noise by powers of a mean, or None where the order has none, or is too large."""
    randomizer = mechanism.randomizer if isinstance(mechanism, Shuffled) else None
    if not isinstance(randomizer, Gaussian) or order > renyi_of_powers.LARGEST_ORDER:
        return None
    n, sigma = count(mechanism.n, parameter="n"), exact_fraction(randomizer.sigma, parameter="sigma")
    if side == "lower" and order < 2:  # nothing is known at 1
        return None
    found = (renyi_of_powers.above if side == "upper" else renyi_of_powers.below)(sigma=sigma, n=n, order=order)
    value = Fraction(decimal_text(found, digits=_DIGITS, direction="up" if side == "upper" else "down"))
    pair, claim, method = {
        "upper": (
            "the privacy blanket of Gaussian noise on [0, 1]",
            "numbers in [0, 1], to each of which its user adds N(0, sigma^2), run on shuffled data, are (upper, alpha)-RDP, alpha the "
            "order",
            GAUSSIAN_BLANKET,
        ),
        "lower": (
            "the datasets (1, 0, ..., 0) and (0, ..., 0)",
            "these datasets have no smaller Renyi divergence; other pairs may be worse",
            GAUSSIAN_HOMOGENEOUS,
        ),
    }[side]
    return Bound(
        quantity="renyi",
        side=side,
        lower=value * (1 - _SHOWN) if side == "upper" else value,
        upper=value,
        value_of=f"the Renyi divergence of {pair}, by powers of a mean",
        claim=f"{side}: {claim}",
        mechanisms=method.mechanisms,
        method=f"{method.name}, powers",
        statement=POWERS,
        also=(method.statement, ONE_REPORT),
        relation=Relation.REPLACE_ONE,
        engine="ball",
        inputs=as_given(n=n, sigma=randomizer.sigma, order=order),
    )


def _of_methods(mechanism: Shuffled, order: Fraction, *, quick: bool, below: Bound | None = None) -> Bound | None:
    """The bound, or None where no method has any; below: a lower bound next to which quick methods are given up early."""
    try:
        uppers = _Uppers.of(mechanism, order, quick=quick)
        if uppers is None:
            return None
        likely = None if quick or uppers.noise is not None else _below(mechanism, order)
        if likely is not None:
            points = spread(likely.values, order=order, points=_MOST)[:-1]
            uppers.start = [*points[:: len(points) // _LOOKS + 1], uppers.largest]
        most = uppers.most(count(mechanism.n, parameter="n"))
        start = uppers.start
        if likely is not None and most < _MOST_QUICK:
            points = points if most == _MOST else spread(likely.values, order=order, points=most - _LOOKS)[:-1]
            start = sorted({*start, *points})
        elif quick and below is not None:
            rough = divergence(uppers, order=order, start=start, beyond=uppers.beyond, tolerance=_ROUGHLY, most=_MOST_ROUGHLY)
            if rough.lower > below.lower * (1 + _ENOUGH):
                return None
        if not uppers.used:
            if uppers.noise is None:
                return None
            uppers.used.add(next(iter(uppers.methods)))  # one report alone answers
        found = divergence(uppers, order=order, start=start, beyond=uppers.beyond, tolerance=_OF_CHORDS, most=most)
    except ShuffleproofError:  # other methods answer
        return None
    value = Fraction(decimal_text(min(found.upper, uppers.largest), digits=_DIGITS, direction="up"))
    *others, last = sorted(uppers.used, key=list(uppers.methods).index)
    one = mechanism.by_method("delta", 0, method=last, engine="fast")
    return replace(
        one,
        quantity="renyi",
        side="upper",  # nothing is claimed of the lower end
        lower=value * (1 - _SHOWN),
        upper=value,
        exact=None,
        precision=None,
        value_of="the Renyi divergence of a pair whose profile is chords through "
        f"{len(found.known)} values of {' and '.join((*others, last))}",
        claim=f"upper: what {one.statement} says of the profile at these points, and of one report, make it (upper, alpha)-RDP, alpha the "
        "order",
        method=f"{one.method}, chords",
        statement=STATEMENT,
        also=tuple(dict.fromkeys((*one.statements, *(METHODS[each].statement for each in others), ONE_REPORT))),
        inputs={**{name: text for name, text in one.inputs.items() if name not in ("eps", "epsilon")}, **as_given(order=order)},
    )


def renyi_below(mechanism: Mechanism, *, order: Number) -> Bound | None:
    """No smaller Renyi divergence of this order holds, or None where no pair of datasets is known. order: above 1. Raises DomainError."""
    alpha = renyi_order(order)
    return _by_powers(mechanism, alpha, "lower") or of_one_pair(
        "renyi", "Renyi divergence", lambda: _below_of(mechanism, alpha), [mechanism], of=str(mechanism), statement=STATEMENT, order=order
    )


def _is_binary(mechanism: Shuffled) -> bool:
    return isinstance(mechanism.randomizer, KRR) and count(mechanism.randomizer.k, parameter="k") == 2


@lru_cache(maxsize=8)
def _of_blanket(randomizer: NamedRandomizer, n: int) -> Callable[[Fraction], Fraction]:
    """Method `blanket`, on a coarser grid: in a millisecond."""
    local = epsilon0_parameter(randomizer.epsilon0)
    ends = Pair(blanket_distributions(records.of_given(randomizer.asked_with()), local)[0], n, local).profiles()[0]
    return lambda epsilon: max(high for _, high in ends(epsilon))


@lru_cache(maxsize=4096)
def _value(mechanism: Shuffled, method: str, epsilon: Fraction) -> Fraction:
    """Return delta; several orders ask for many points in common, which are computed once."""
    return mechanism.by_method("delta", epsilon, method=method, engine="fast").upper


@dataclass
class _Uppers:
    """Upper values of the profile for all neighbouring datasets: the least of the methods', and that of one report alone.

    methods: the quicker ones first, each with what it says at an epsilon; noise: sigma of Gaussian noise; largest: no divergence exceeds
    it; start: where to ask first; serving: at each point that was asked the methods that gain something there; used: those that were the
    least somewhere; order, nothing: of noise, and ln of what is nothing beside the divergence, where no further method is asked.
    """

    methods: Mapping[str, Callable[[Fraction], Fraction]]
    noise: Fraction | None
    largest: Fraction
    start: Sequence[Fraction]
    beyond: Beyond | None = None
    serving: dict[Fraction, frozenset[str]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    known: dict[Fraction, tuple[Ends, Ends]] = field(default_factory=dict)
    order: Fraction = Fraction(0)
    nothing: float = -math.inf

    @classmethod
    def of(cls, mechanism: Shuffled, order: Fraction, *, quick: bool) -> _Uppers | None:
        """None where the reports are neither eps0-DP nor with Gaussian noise, or no method knows them."""
        randomizer, users, known = mechanism.randomizer, count(mechanism.n, parameter="n"), mechanism.methods()
        wanted: tuple[Method, ...] = (BLANKET, GAUSSIAN_PLACE, GAUSSIAN_BLANKET, ANOTHER_PLACE)
        if isinstance(randomizer, AnyRandomizer):
            wanted = (STRONGER_CLONES, FIRST_ARRIVAL)
        elif _is_binary(mechanism):
            wanted = (K_RR_EXHAUSTIVE,)
        elif users <= _PAIR_TO:
            wanted = (RANDOMIZER_PAIR, OPTIMAL_PAIR, *wanted)

        methods: dict[str, Callable[[Fraction], Fraction]] = {
            each.name: partial(_value, mechanism, each.name) for each in wanted if each.name in known
        }
        if quick:
            methods = {name: value for name, value in methods.items() if name in _QUICK and name != STRONGER_CLONES.name}
        if not methods:
            return None
        if BLANKET.name in methods and isinstance(randomizer, NamedRandomizer) and pure(mechanism):
            methods[BLANKET.name] = _of_blanket(randomizer, users)
        if isinstance(randomizer, Gaussian):
            sigma = exact_fraction(randomizer.sigma, parameter="sigma")
            rate = 1 / float(sigma)
            top = rate * ((float(order) - 0.5) * rate + math.sqrt(float(order * (order - 1)) * rate**2 + _FAR + 2 * math.log(users)))
            least = renyi_of_powers.below(sigma=sigma, n=users, order=min(max(order, Fraction(2)), Fraction(renyi_of_powers.LARGEST_ORDER)))
            nothing, beyond = math.log(least * _NOTHING), partial(gaussian_beyond, sigma=sigma, order=order)
            start = [Fraction(decimal_text(Fraction(top) * share, digits=6, direction="up")) for share in _START]
            return cls(methods, sigma, order / (2 * sigma**2), start, beyond, order=order, nothing=nothing)
        local = pure(mechanism)
        return cls(methods, None, local, [local * share for share in _START]) if local else None

    def __call__(self, epsilon: Fraction) -> tuple[Ends, Ends]:
        """The upper value as both ends of both directions."""
        if epsilon in self.known:
            return self.known[epsilon]
        known = sorted(self.serving)
        place = bisect(known, epsilon)
        near = [self.serving[each] for each in known[max(0, place - 1) : place + 1]]
        found: dict[str, Fraction] = {}
        for name, ask in self.methods.items():
            if epsilon in self.start or any(name in each for each in near):
                with suppress(ResourceLimitError, UnsupportedError):
                    found[name] = ask(epsilon)
                    if self.noise is not None and math.log(max(found[name], SMALLEST_DELTA)) + self.order * epsilon < self.nothing:
                        break
        alone = self._of_one_report(epsilon)
        least = min(alone, *found.values()) if found else alone
        self.used |= {name for name, value in found.items() if value == least < alone}
        quickest, gaining = Fraction(1), set[str]()
        for name, value in found.items():
            if value <= _NEAR * least and (value < SMALLEST_DELTA or float(value) <= float(quickest) ** _GAIN):
                gaining.add(name)
            quickest = min(quickest, value)
        self.serving[epsilon] = frozenset(gaining)
        self.known[epsilon] = (least, least), (least, least)
        return self.known[epsilon]

    def most(self, n: int) -> int:
        """How many points are worth their time, by the methods that gain something where profiles are asked first."""
        for each in self.start[: None if self.beyond else -1]:
            self(each)
        asked = frozenset[str]().union(*self.serving.values()) - frozenset(_QUICK)
        slow = any(n <= max(METHODS[each].slow_until, _SLOW_TO.get(each, 0)) for each in asked)
        return _MOST_SLOW if slow else _MOST if asked else _MOST_QUICK

    def _of_one_report(self, epsilon: Fraction) -> Fraction:
        if self.noise is not None:
            return gaussian.delta(noise_multiplier=self.noise, epsilon=epsilon, relation=Relation.REPLACE_ONE, digits=6).upper
        T, E = Epsilon(self.largest, None).exp_bounds(bits=64)[1], Epsilon(epsilon, None).exp_bounds(bits=64)[0]
        return (T - E) / (T + 1)


def _below_of(mechanism: Mechanism, order: Fraction) -> tuple[Fraction, Sequence[Pair]] | None:
    found = _below(mechanism, order)
    return found and (found.value, found.pairs)


class _OfPair(NamedTuple):
    """A lower bound, the pairs of datasets that it is of, and the profile of the worst one where it was asked."""

    value: Fraction
    pairs: Sequence[Pair]
    values: Mapping[Fraction, float]


@lru_cache(maxsize=8)
def _profiles(mechanism: Mechanism) -> tuple[list[Pair], list[tuple[Profile, Fraction]]]:
    """Return its pairs, and their profiles in both directions with the largest loss; what they were asked is kept with them."""
    depths = _DEPTHS if getattr(getattr(mechanism, "randomizer", None), "sigma", None) is not None else _DEPTHS[:1]
    pairs = [pair for depth in depths for group in pairs_of(mechanism, depth) or () for pair in group]
    return pairs, [(each, pair.largest.bounds(bits=64)[1]) for pair in pairs for each in pair.profiles()]


@lru_cache(maxsize=64)
def _below(mechanism: Mechanism, order: Fraction) -> _OfPair | None:
    """The divergence of the worst pair, in its worse direction."""
    noise = getattr(getattr(mechanism, "randomizer", None), "sigma", None)
    pairs, profiles = _profiles(mechanism)
    if not profiles:
        return None
    most = _MOST_QUICK if noise is None else _MOST
    if len(profiles) > 1:
        rough = [_least(each, order, largest, tolerance=_ROUGHLY, most=_MOST_ROUGHLY).lower for each, largest in profiles]
        profiles = [profiles[max(range(len(profiles)), key=rough.__getitem__)]]
    enclosed = _least(profiles[0][0], order, profiles[0][1], tolerance=_TOLERANCE, most=most)
    found = enclosed.lower
    if noise is not None:  # that of one report, less ln n
        sigma = exact_fraction(noise, parameter="sigma")
        found = max(found, order / (2 * sigma**2) - log_bounds(Fraction(count(mechanism.n, parameter="n")), bits=64)[1])
    values = {epsilon: float(forward[1]) for epsilon, (forward, _) in enclosed.known.items()}
    return _OfPair(Fraction(decimal_text(found, digits=_DIGITS, direction="down")), pairs, values)


def _least(profile: Profile, order: Fraction, largest: Fraction, *, tolerance: float, most: int) -> Enclosed:
    return divergence(profile, order=order, start=[share * largest for share in _START], tolerance=tolerance, most=most)
