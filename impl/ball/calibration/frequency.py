"""The largest local epsilon0 that is certified to give (epsilon, delta) after shuffling, and the errors of frequency estimation there."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from flint import arb

from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.clones.clones import rough_epsilon0, stronger_clones
from shuffleproof.impl.ball.calibration.crossing import GUESS_BITS, crossing, short
from shuffleproof.impl.ball.calibration.prescriptions import Prescription, prescribed
from shuffleproof.impl.ball.frequency import RANDOMIZERS, WorstErrors, worst_errors
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import (
    LARGEST_EPSILON0,
    Epsilon,
    Number,
    count,
    decimal_text,
    float_toward,
    in_words,
    parse_epsilon,
    probability,
)
from shuffleproof.spec.vocabulary.scope import Relation
from shuffleproof.spec.vocabulary.tables import FrozenMapping, Tabular, ends_of

LARGEST_N = 10**9
"""Users at most: as the bounds that decide."""
CLOSENESS = Fraction(1, 10**9)
"""The largest relative distance of value and fails_at."""
_METHODS: dict[str, Method] = {CLONES.name: CLONES, STRONGER_CLONES.name: STRONGER_CLONES}
BOUNDS = tuple(_METHODS)
_DIGITS = (12, 16, 25, 40)
"""Digits to which epsilon0 is rounded, tried in turn: the fewest that still meet the target."""
_DECIDING_DIGITS = (4, 10, 20, 40, 80)
"""Digits of certified deltas that decide whether an epsilon0 meets the target, tried in turn."""
_NEARBY_DIGITS = (14, 20, 40, 80)
"""The same near the crossing, where few decide nothing."""
_MOST_STEPS = 12
"""Steps at most of the search that shows where to begin."""
_NEARLY = 1e-9
"""Relative step that is its last."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class FrequencyCalibration(Tabular):
    """The largest epsilon0 that a bound certifies, in a bracket, and what frequency estimation costs there.

    randomizer, k: what the errors are of. statement: the ledger id of the bound. value: an epsilon0; every sequence of value-DP
    randomizers, and so of all more private ones, is certified (epsilon, delta)-DP once shuffled. fails_at: a larger epsilon0 that the
    bound certainly does not certify; the randomizer itself may do better. errors: at value. paper: Theorem 5.2's choice.
    paper_errors: at that choice, where there is one. inputs: the parameters, as given. standing: "certified", or "sound" where float64 with
    sound sides met the target.
    """

    randomizer: str
    k: int
    statement: str
    value: Fraction
    fails_at: Fraction
    delta_at_value: tuple[Fraction, Fraction]
    delta_at_fails_at: tuple[Fraction, Fraction]
    errors: WorstErrors
    paper: Prescription
    paper_errors: WorstErrors | None
    inputs: Mapping[str, str]
    relation: Relation = Relation.REPLACE_ONE
    standing: Literal["certified", "sound"] = "certified"

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", FrozenMapping(self.inputs))

    @property
    def headline(self) -> str:
        """The local epsilon0 that meets the target."""
        return f"{self.randomizer}: epsilon0 = {decimal_text(self.value, digits=8, direction='down')}"

    def __str__(self) -> str:
        """Return the local epsilon0 that meets the target, the one at which the bound does not say so, and the error of an item."""
        fails = decimal_text(self.fails_at, digits=8, direction="up")
        error = decimal_text(self.errors.per_item[1], digits=6, direction="up")
        return (
            f"{self.headline} meets the target; at {fails} {self.statement} does not say so; worst mean squared error of an item {error} "
            f"({in_words(self.inputs)})"
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """The line that is printed."""
        return (str(self),)

    def columns(self) -> dict[str, list[Any]]:
        """The largest epsilon0 that the bound certifies, and the paper's, between floats; the worst error of an item at each, at most."""
        known, errors = [(f"the largest epsilon0 by {self.statement}", self.value, self.fails_at)], [self.errors]
        if self.paper.epsilon0 is not None and self.paper_errors is not None:
            known, errors = [*known, ("the paper's, FMT21.Thm5.2", *self.paper.epsilon0)], [*errors, self.paper_errors]
        worst = [float_toward(each.per_item[1], direction="up") for each in errors]
        return {"epsilon0": [name for name, _, _ in known], **ends_of(known), "error_at_most": worst}

    @property
    def relative_distance(self) -> Fraction:
        """(fails_at - value)/value: how much more the bound might certify."""
        return (self.fails_at - self.value) / self.value


def _target(value: Number, *, parameter: str) -> Fraction:
    target = probability(value, parameter=parameter)
    wanted = "at least 1e-300 and below 1; at 0 shuffling gains nothing and epsilon0 = epsilon is the answer"
    require(Fraction(1, 10**300) <= target < 1, parameter=parameter, value=value, requirement=wanted)
    return target


@reads(
    n=partial(count, maximum=LARGEST_N),
    k=partial(count, minimum=2, maximum=10**9),
    epsilon=partial(parse_epsilon, maximum=1000),
    delta=_target,
)
def calibrate(
    *, randomizer: str, n: int, k: int, epsilon: Epsilon, delta: Fraction, bound: str = STRONGER_CLONES.name, inputs: dict[str, str]
) -> FrequencyCalibration:
    """The largest epsilon0 for which the bound certifies (epsilon, delta)-DP of n shuffled reports, and the errors of frequency estimation.

    randomizer: a name of `RANDOMIZERS`; n: users, 1 to 10^9; k: items, 2 to 10^9; epsilon in [0, 1000]; delta in (0, 1), at least 1e-300;
    bound: "stronger-clones" or "clones". value and fails_at are exact, at a relative distance of at most 1e-9.
    Cost: about 10 evaluations of the bound, O(sqrt(n e^-epsilon0)) each. Raises DomainError, UndecidedError, ResourceLimitError.
    """
    require(randomizer in RANDOMIZERS, parameter="randomizer", value=randomizer, requirement=f"one of {', '.join(RANDOMIZERS)}")
    require(bound in _METHODS, parameter="bound", value=bound, requirement=f"one of {', '.join(BOUNDS)}")
    profile = _Profile(bound, n, epsilon, delta)
    value, fails_at = profile.bracket()
    paper = prescribed(n=n, epsilon=epsilon, delta=delta)
    chosen = paper.epsilon0
    return FrequencyCalibration(
        randomizer=randomizer,
        k=k,
        statement=_METHODS[bound].statement,
        value=value,
        fails_at=fails_at,
        delta_at_value=profile.certified(value, meets=True),
        delta_at_fails_at=profile.certified(fails_at, meets=False),
        errors=worst_errors(randomizer=randomizer, k=k, n=n, epsilon0=value),
        paper=paper,
        paper_errors=None if chosen is None else worst_errors(randomizer=randomizer, k=k, n=n, epsilon0=chosen[0]),
        inputs={"randomizer": randomizer, **inputs},
    )


@dataclass(frozen=True, slots=True)
class _Profile:
    """delta of the bound's pair at one central epsilon, as a function of epsilon0, against a target."""

    bound: str
    n: int
    epsilon: Epsilon
    delta: Fraction

    def at(self, epsilon0: Fraction, digits: int) -> Bound:
        if self.bound == CLONES.name:
            return clones.delta(n=self.n, epsilon0=epsilon0, epsilon=self.epsilon, digits=digits)
        return stronger_clones.delta(n=self.n, epsilon0=epsilon0, epsilon=self.epsilon, digits=digits)

    def meets(self, epsilon0: Fraction, *, nearby: bool = False) -> bool:
        """Return whether delta at epsilon0 is at most the target, decided with as many digits as it takes. Raises UndecidedError.

        nearby: it is known that few digits will not do.
        """
        for digits in _NEARBY_DIGITS if nearby else _DECIDING_DIGITS:
            found = self.at(epsilon0, digits)
            if found.upper <= self.delta:
                return True
            if found.lower > self.delta:
                return False
        enclosure = decimal_text(found.lower, digits=12, direction="down"), decimal_text(found.upper, digits=12, direction="up")
        raise UndecidedError(quantity="delta", enclosure=enclosure, precision=found.precision or 0)

    def certified(self, epsilon0: Fraction, *, meets: bool) -> tuple[Fraction, Fraction]:
        """Ends of delta at a point that has been decided."""
        found = self.at(epsilon0, 6)
        return (found.lower, min(found.upper, self.delta)) if meets else (max(found.lower, self.delta), found.upper)

    def bracket(self) -> tuple[Fraction, Fraction]:
        """(value, fails_at): next to where a few steps see the crossing, or else by a search that decides at every step.

        In g = 1/epsilon0 the profile falls: noise, as `crossing` wants it.
        """
        if near := self._guessed():
            good, bad = (Fraction(decimal_text(near, digits=_DIGITS[0], direction=each)) for each in ("down", "up"))
            if good < bad and self.meets(good, nearby=True) and not self.meets(bad, nearby=True):
                return good, bad
        low = self._certainly()
        high = 2 * low
        while self.meets(high):
            low, high = high, 2 * high
            if high > LARGEST_EPSILON0:
                raise ResourceLimitError(what="the largest epsilon0", needed=f"above {LARGEST_EPSILON0}", limit=str(LARGEST_EPSILON0))
        found = crossing(meets=lambda g: self.meets(1 / g), height=self._height, fails_at=1 / high, meets_at=1 / low)
        for digits in _DIGITS:
            good = Fraction(decimal_text(1 / found.meets, digits=digits, direction="down"))
            bad = Fraction(decimal_text(1 / found.fails, digits=digits, direction="up"))
            if bad - good <= CLOSENESS * good and self.meets(good) and not self.meets(bad):
                return good, bad
        enclosure = decimal_text(1 / found.meets, digits=12, direction="down"), decimal_text(1 / found.fails, digits=12, direction="up")
        raise UndecidedError(quantity="epsilon0", enclosure=enclosure, precision=GUESS_BITS)

    def _guessed(self) -> Fraction | None:
        """The crossing to about 14 digits, nothing certified: the secant's steps, from where the normal approximation has it.

        -ln delta goes about with e^-epsilon0, so that its logarithm is nearly a line.
        """
        factor, central = 1 if self.bound == CLONES.name else 2, self.epsilon.bounds(bits=64)[1]
        at = rough_epsilon0(n=self.n, odds_factor=factor, epsilon=central, delta=self.delta)
        wanted = math.log(self.delta.numerator) - math.log(self.delta.denominator)
        slope, before, earlier = -1.0, math.nan, math.nan
        for _ in range(_MOST_STEPS):
            if not (central < at < LARGEST_EPSILON0 and wanted < 0):
                return None
            relative = float(self._height(1 / Fraction(at), _NEARBY_DIGITS[0]).mid()) / wanted
            if not -1 < relative < math.inf:
                return None
            reached = math.log1p(relative)
            if before != at and reached != earlier and not math.isnan(before):
                slope = (reached - earlier) / (at - before)
            before, earlier, at = at, reached, at - reached / slope
            if abs(at - before) <= _NEARLY * at:
                return Fraction(at)
        return None

    def _certainly(self) -> Fraction:
        """An epsilon0 that meets: epsilon itself, or 2 delta, since the total variation is at most (T - 1)/(T + 1) <= epsilon0/2."""
        return short(max(self.epsilon.bounds(bits=64)[0], 2 * self.delta) * Fraction(2**40 - 1, 2**40))

    def _height(self, g: Fraction, digits: int = 6) -> arb:
        found = self.at(1 / g, digits)
        with precision(GUESS_BITS):
            ratio = ball(found.upper) / ball(self.delta)
            return arb(ratio.log().mid()) if ratio > 0 else arb("nan")
