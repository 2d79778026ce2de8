"""Frequencies of k items, or a histogram of d bins: one message by each local randomizer, or one for every bin, by P^hist or bit sums."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from shuffleproof.planning.advise import noise
from shuffleproof.planning.advise.choice import ADDING, AGGREGATION, NOBODY, Choice, all_of, considered
from shuffleproof.planning.advise.local import (
    ANY_RANDOMIZER,
    CLOSE_ENOUGH,
    DIGITS_NEARBY,
    MANY_USERS,
    OWN_PARAMETERS,
    Allowed,
    Target,
    around,
    balls_search,
    by_distribution,
    confirmed,
    confirmed_largest,
    distribution_of,
    for_any,
    for_one,
    meets,
)
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, exact_fraction, parse_epsilon, probability, shortest
from shuffleproof.spec.vocabulary.randomizers import named

if TYPE_CHECKING:
    from shuffleproof.impl.ball.calibration.frequency import FrequencyCalibration
    from shuffleproof.impl.ball.frequency import WorstErrors

HISTOGRAM = "BC20.Thm3.2"
PAIRED = "BC20.Thm3.2-paired"
FAKE_USERS = "BEYOND.fake-users"
BIT_SUMS = "CSUZZ19.Sec6.2.2.footnote-4"
_RANDOMIZERS = ("k-rr", "k-subset", "hadamard", "rappor", "asymmetric-rappor")
_MOST_ROUNDS = 3
"""How often settings and the epsilon0 that they allow are improved in turn; the first round does nearly all."""
_BITS = 128
"""Bits of the lower end of epsilon, of which a half is spent."""
_MOST_NOISE = 10**7
"""In every bin, for which the fewest fake users are found within a second."""


def choices(target: Target, *, k: int, unit: Fraction) -> list[Choice]:
    """All of them. unit: 1 for frequencies, n^2 for counts, which is what their squared errors are multiplied with."""

    def one_message() -> list[Choice]:
        known = for_any(target)

        def alone(name: str) -> list[Choice]:
            return considered(name, OWN_PARAMETERS, lambda: [_own(target, name, k, unit, known)])

        return all_of(*(partial(alone, name) for name in _RANDOMIZERS))

    return all_of(
        partial(considered, "one message a user", ANY_RANDOMIZER, one_message),
        partial(considered, "P^hist", HISTOGRAM, lambda: _histogram(target, k, unit)),
        partial(considered, "bit sum of every bin", BIT_SUMS, lambda: [_bit_sums(target, k, unit)]),
        partial(considered, "P^hist, few fake users", FAKE_USERS, lambda: [_few_fakes(target, k, unit)]),
        partial(noise.of_every_bin, target, bins=k, unit=unit / target.n**2),
        partial(considered, "without shuffling", "definition", lambda: [_unshuffled(target, k, unit)]),
    )


@dataclass(frozen=True, slots=True)
class _Best:
    """The largest epsilon0 found for a randomizer, the errors there, and what meets the target."""

    allowed: Allowed
    errors: WorstErrors
    statement: str


def _best(target: Target, name: str, k: int, known: Fraction) -> _Best:
    """A randomizer's setting and its epsilon0 depend on each other: both are taken together."""
    from shuffleproof.impl.ball.frequency import worst_errors

    allowed = Allowed(known, "certified")
    errors = tried = worst_errors(randomizer=name, k=k, n=target.n, epsilon0=known)
    for _ in range(_MOST_ROUNDS):
        own = _with_settings(name, k, tried.settings)
        larger = for_one(target, randomizer=own, known=allowed.epsilon0)
        if larger is None:
            break
        tried = worst_errors(randomizer=name, k=k, n=target.n, epsilon0=larger.epsilon0)
        now = _with_settings(name, k, tried.settings)
        if now == own or meets(target, larger, randomizer=now):
            if tried.squared_l2[1] < errors.squared_l2[1]:
                allowed, errors = larger, tried
            if now == own or balls_search(target, known):
                break
    statement = OWN_PARAMETERS if allowed.epsilon0 > known else ANY_RANDOMIZER
    own = _with_settings(name, k, errors.settings)
    further = by_distribution(target, randomizer=own, known=allowed.epsilon0)
    if further is not None:
        tried = worst_errors(randomizer=name, k=k, n=target.n, epsilon0=further.epsilon0)
        if _with_settings(name, k, tried.settings) == own and tried.squared_l2[1] < errors.squared_l2[1]:
            allowed, errors, statement = further, tried, distribution_of(own)
    if statement == OWN_PARAMETERS:
        allowed = confirmed(target, allowed, randomizer=_with_settings(name, k, errors.settings))
    return _Best(allowed, errors, statement)


def improved(found: FrequencyCalibration, *, epsilon: Number | Epsilon, delta: Number) -> FrequencyCalibration:
    """A calibration for all epsilon0-DP randomizers, or a larger epsilon0 where the randomizer's own bounds allow one."""
    n = count(exact_fraction(found.inputs["n"], parameter="n"), parameter="n")
    target = Target(n, parse_epsilon(epsilon), probability(delta, parameter="delta"))
    best = _best(target, found.randomizer, found.k, found.value)
    if best.allowed.epsilon0 <= found.value:
        return found
    own = _with_settings(found.randomizer, found.k, best.errors.settings)
    at_value, fails_at, at_fails_at = around(target, best.allowed, randomizer=own, statement=best.statement)
    return replace(
        found,
        statement=best.statement,
        standing=best.allowed.standing,
        value=best.allowed.epsilon0,
        fails_at=fails_at,
        delta_at_value=at_value,
        delta_at_fails_at=at_fails_at,
        errors=best.errors,
    )


def _own(target: Target, name: str, k: int, unit: Fraction, known: Fraction) -> Choice:
    """The randomizer at the largest epsilon0 found for it."""
    best = _best(target, name, k, known)
    allowed, errors, statement = best.allowed, best.errors, best.statement
    return Choice(
        name=name,
        statement=statement,
        standing=allowed.standing,
        settings={"epsilon0": shortest(allowed.epsilon0), **errors.settings},
        error=errors.squared_l2[1] * unit,
        messages=1,
        bits=_bits(name, k, errors),
        note="a subset of one item: k-rr" if errors.settings.get("subset_size") == "1" else None,
    )


def _bits(name: str, k: int, errors: WorstErrors) -> int:
    """Return the bits of one message: a small subset is shorter as a list of its items than as k bits."""
    if name == "k-subset":
        return min(errors.message_bits, int(errors.settings["subset_size"]) * (k - 1).bit_length())
    return errors.message_bits


def _with_settings(name: str, k: int, settings: Mapping[str, str]) -> NamedRandomizer:
    """The randomizer with the sizes at which its error is smallest."""
    return named(name, k=k, d=settings.get("subset_size"), blocks=settings.get("blocks"))


def _histogram(target: Target, k: int, unit: Fraction) -> list[Choice]:
    """P^hist with its own analyzer, which says 0 where nobody is, and with the unbiased estimate from the same messages."""
    from shuffleproof.impl.ball.calibration.histogram import calibrate
    from shuffleproof.impl.release import accuracy

    n, m = target.n, _noise_by_pairs(target) if target.n >= MANY_USERS else None
    statement = HISTOGRAM if m is None else PAIRED
    if m is None and (m := (found := calibrate(n=n, epsilon=target.epsilon, delta=target.delta)).value) is None:
        return [Choice(name="P^hist", statement=HISTOGRAM, excluded=found.unattainable)]
    g = m / n
    unbiased, own = (error * unit / n**2 for error in accuracy.zero_sum_errors(n=n, silent=m))

    def choice(name: str, error: Fraction, note: str) -> Choice:
        return Choice(
            name=name,
            statement=statement,
            settings={"n (1 - p)": shortest(m)},
            error=error,
            messages=k + 1,
            expected_messages=1 + k * (1 - g),
            bits=(k - 1).bit_length(),
            note=note,
        )

    fakes = replace(
        choice("P^hist, fake users", k * unbiased, f"every user sends one item; the shuffler adds the noise of {n} fake users"),
        messages=1,
        expected_messages=Fraction(1),
        statement=FAKE_USERS,
        trust=ADDING,
    )
    summed = replace(
        choice("binomial noise, secure aggregation", k * unbiased, "an item and a coin for every bin in one message; only sums are seen"),
        messages=1,
        expected_messages=Fraction(1),
        bits=k * (2 * n).bit_length(),
        trust=AGGREGATION,
    )
    return [
        fakes,
        summed,
        choice("P^hist, unbiased", k * unbiased, "the estimate c* - p of every bin, whatever c* is: post-processing of the same messages"),
        choice("P^hist", min(k, n) * own, "exactly 0 for empty bins; the error is that of bins with few users"),
    ]


def _noise_by_pairs(target: Target) -> Fraction | None:
    """Expected noise in every bin that is certified, and all larger noise with it; None where none is found.

    With pairs (first bin, second bin) of noise revealed the profile is that of an optimal pair of one user more, at least the histogram's,
    and falls as the noise rises (BC20.Thm3.2-paired); one user's noise is revealed where those would be more than the pair takes.
    """
    from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair as balls
    from shuffleproof.impl.ball.calibration.frequency import LARGEST_N
    from shuffleproof.impl.fast.bounds.variation_ratio import optimal_pair as floats

    def asked(m: Fraction) -> dict[str, Any]:
        g = min(m / target.n, Fraction(1, 2))
        return {"n": min(target.n + 1, LARGEST_N), "p": "infinity", "beta": 1, "q": 1 / (g * (1 - g)), "epsilon": target.epsilon}

    return confirmed_largest(
        lambda m: floats.delta(**asked(m)).upper,
        lambda m: balls.delta(**asked(m), digits=DIGITS_NEARBY).upper,
        at=lambda x: Fraction(decimal_text(Fraction(math.exp(-x)), digits=13, direction="up")),
        delta=target.delta,
        start=-math.log(noise.about(target)),
        least=-math.log(target.n / 2),
    )


def _few_fakes(target: Target, k: int, unit: Fraction) -> Choice:
    """Return the fewest fake users that are enough where each sends every item with probability 1/2: as many fair coins are the noise."""
    from shuffleproof.impl.ball.calibration.least_noise import fewest_fakes

    if noise.about(target) > _MOST_NOISE:
        raise UnsupportedError(what="so many fake users", reason="they are not searched here", advice='"calibrate fake-users" goes further')
    fakes, _ = fewest_fakes(p=Fraction(1, 2), epsilon=target.epsilon, delta=target.delta)
    added = shortest(Fraction(k * fakes, 2))
    return Choice(
        name="P^hist, few fake users",
        statement=FAKE_USERS,
        settings={"fakes": str(fakes), "p": "0.5"},
        error=Fraction(k * fakes, 4) * unit / target.n**2,
        messages=1,
        bits=(k - 1).bit_length(),
        note=f"every user sends one item; by fair coins the shuffler adds {added} messages on average",
        trust=ADDING,
    )


def _bit_sums(target: Target, k: int, unit: Fraction) -> Choice:
    """One bit sum for every bin, each bit tagged with its bin (CSUZZ19, section 6.2.2).

    Two bins of a user change, whatever k is, and the bins' messages are independent given the data: bit sums that are each
    (eps/2, delta/2)-DP compose to (eps, delta). Every bin has the mean squared error of its own bit sum, the same on every dataset.
    """
    from shuffleproof.impl.ball.calibration.bit_sum import calibrate
    from shuffleproof.impl.release import accuracy

    n = target.n
    found = calibrate(n=n, epsilon=_half(target.epsilon), delta=target.delta / 2, closeness=CLOSE_ENOUGH, by_how_much=False).value
    if found is None or found >= n:
        return Choice(name="bit sum of every bin", statement=BIT_SUMS, excluded="only messages that say nothing meet the target")
    of_bin = accuracy.bit_sum_error(n=n, lam=found) / n**2
    return Choice(
        name="bit sum of every bin",
        statement=BIT_SUMS,
        settings={"lambda": shortest(found)},
        error=k * of_bin * unit,
        messages=k,
        bits=(k - 1).bit_length() + 1,
        note="a message is a bin and a bit; each bin gets eps/2 and delta/2, as a user changes two of them",
    )


def _half(epsilon: Epsilon) -> Epsilon:
    """epsilon/2, rounded down where it is known by its exponential only."""
    half = epsilon.bounds(bits=_BITS)[0] / 2
    return Epsilon(half, None)


def _unshuffled(target: Target, k: int, unit: Fraction) -> Choice:
    from shuffleproof.impl.ball.frequency import worst_errors

    found = {name: worst_errors(randomizer=name, k=k, n=target.n, epsilon0=target.epsilon) for name in _RANDOMIZERS}
    name, errors = min(found.items(), key=lambda pair: pair[1].squared_l2[1])
    return Choice(
        name=f"{name}, without shuffling",
        statement="definition",
        settings={"epsilon0": "eps", **errors.settings},
        error=errors.squared_l2[1] * unit,
        messages=1,
        bits=_bits(name, k, errors),
        note="the best of the local randomizers with epsilon0 = eps: nobody is trusted to shuffle, and delta is 0",
        trust=NOBODY,
    )
