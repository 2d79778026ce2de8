"""The clones bound in float64 with sound sides, FMT21, Theorem 3.2; and every pair of its family.

Guaranteed range: n <= 10^9, epsilon0 = 0 or in [1e-200, 700], delta in [1e-300, 1] (and delta = 0), every epsilon. A
delta below 1e-305 is enclosed by [0, 1e-305]. Outside, and wherever sums would leave the range of floats, the engine refuses.

The pairs differ in one number, the odds factor of clones_constants.py: it enters the masses of the number of clones and nothing else,
so that the analyses of clones_profile.py and clones_table.py, which hold for every distribution Bin(m, p) of that number, cover them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from shuffleproof.impl.fast.bounds.clones.clones_guess import guess
from shuffleproof.impl.fast.bounds.clones.clones_profile import ClonesProfile
from shuffleproof.impl.fast.numeric.results import enclosed, exactly, out_of_range
from shuffleproof.impl.fast.numeric.root import solve
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    epsilon0_parameter,
    float_toward,
    parse_epsilon,
    probability,
)

LARGEST_N = 10**9
"""Users. The count of roundings, and thresholds held to 140 bits, are written for as many; beyond, the engine refuses."""
SMALLEST_EPSILON0 = Fraction(1, 10**200)
"""Least epsilon0 > 0. Delta is at most about epsilon0/2, so that it and sums relative to it are normal floats down to
FLOOR with room to spare."""
LARGEST_EPSILON0 = 700
"""Largest epsilon0: e^700 is 1e304, so that e^epsilon0 and its reciprocal are normal floats."""
SMALLEST_DELTA = Fraction(1, 10**300)
"""Least delta > 0 whose epsilon is asked: five decades above clones_profile.FLOOR, below which values are not told from 0."""
TOLERANCE = 1e-9
"""Relative distance of the ends of epsilon that is aimed for, and met where the sides of delta allow it. It is larger where delta is
within 1e-6 of 1 or, for n = 10^9, within a thousandth of delta(0)."""
TABLE_TOLERANCE = 1e-12
"""The same with tables, whose sides of delta are closer by four digits."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of the family. odds_factor: k of clones_constants.py; C ~ Bin(n - 1, p) with p/(1 - p) = k/(e^epsilon0 - 1)."""

    method: Method
    odds_factor: int

    def delta(self, *, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
        """Return delta of the pair at epsilon, enclosed in float64: shuffled eps0-DP randomizers are (epsilon, upper)-DP.

        n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; epsilon >= 0. Returns an enclosure of relative width below 1e-9 where
        delta is at least 1e-300, [0, 1e-305] where it is below 1e-305; exactly 0 where epsilon >= epsilon0.
        Raises DomainError, and UnsupportedError outside its range.

        >>> delta(n=1000, epsilon0=1, epsilon="0.1").decimals(digits=9)
        ('0.00035276565', '0.000352765651')
        """
        return _Question(self, n, epsilon0, ClonesProfile).delta(epsilon)

    def epsilon(self, *, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
        """Return the least epsilon at which the pair's delta is at most delta, enclosed in float64.

        n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; delta = 0 or in [1e-300, 1]. Returns an enclosure with
        delta(lower) > delta >= delta(upper) certain at exactly these ends (side "upper", lower = 0, where delta cannot be told from
        delta(0)); exactly epsilon0 at delta = 0, exactly 0 where delta >= delta(0) is certain.
        Raises DomainError, and UnsupportedError outside its range.
        """
        return _Question(self, n, epsilon0, ClonesProfile).epsilon(delta, TOLERANCE)

    def profile(self, *, n: Number, epsilon0: Number | Epsilon, epsilons: Iterable[Number | Epsilon]) -> list[Bound]:
        """Return delta of the pair at each epsilon, enclosed in float64: a privacy profile.

        Parameters, sides and errors are those of `delta`; the relative width is mostly 2e-14. Tables that do not depend on epsilon
        are made once for each n and epsilon0 and kept for the next call: a bound is the same, to the last bit, alone or among others.
        """
        question = self._by_table(n, epsilon0)
        return [question.delta(epsilon) for epsilon in epsilons]

    def inverse_profile(self, *, n: Number, epsilon0: Number | Epsilon, deltas: Iterable[Number]) -> list[Bound]:
        """Return the least epsilon at which the pair's delta is at most each delta, enclosed in float64.

        Parameters, sides and errors are those of `epsilon`; the relative width is mostly 1e-12. From the tables of `profile`.
        """
        question = self._by_table(n, epsilon0)
        return [question.epsilon(delta, TABLE_TOLERANCE) for delta in deltas]

    def _by_table(self, n: Number, epsilon0: Number | Epsilon) -> _Question:
        from shuffleproof.impl.fast.bounds.clones.clones_table import table  # which a single answer does without

        return _Question(self, n, epsilon0, table)

    def renyi(self, *, n: Number, epsilon0: Number | Epsilon, order: Number) -> Bound:
        """Return the Renyi divergence of the pair, enclosed in float64: shuffled eps0-DP randomizers are (upper, order)-RDP.

        n: users, 1 to 10^9; epsilon0 in [1e-3, 50], or 0; order: any number above 1, at most 10^6. Returns an enclosure of relative
        width below 1e-9. Raises DomainError, and UnsupportedError where more than 80 moments are needed (few clones, a large order).
        """
        from shuffleproof.impl.fast.bounds.clones import renyi_family

        return renyi_family.renyi(self.method, self.odds_factor, n=n, epsilon0=epsilon0, order=order)


FMT21 = Pair(CLONES, 1)
"""The clones pair: p = e^-epsilon0 (FMT21, Theorem 3.2)."""
stronger_clones = Pair(STRONGER_CLONES, 2)
"""The stronger clones pair: p = 2/(e^epsilon0 + 1) (BEYOND.CorF2, FMT23's general pair)."""
delta, epsilon, renyi = FMT21.delta, FMT21.epsilon, FMT21.renyi
profile, inverse_profile = FMT21.profile, FMT21.inverse_profile


class _Evaluator(Protocol):
    """One pair's profile."""

    def delta(self, epsilon: Epsilon) -> tuple[float, float]: ...


class _Make(Protocol):
    """Where the profile of a pair comes from."""

    def __call__(self, *, n: int, odds_factor: int, epsilon0: Epsilon) -> _Evaluator: ...


class _Question:
    """Holds what is asked about the pair of one method, one n and one epsilon0."""

    def __init__(self, pair: Pair, n: Number, epsilon0: Number | Epsilon, make: _Make) -> None:
        self.method, self.odds_factor, self.make = pair.method, pair.odds_factor, make
        self.users, self.local = count(n, parameter="n"), epsilon0_parameter(epsilon0)
        self.given = as_given(n=n, eps0=epsilon0)

    def delta(self, epsilon: Number | Epsilon) -> Bound:
        central = parse_epsilon(epsilon)
        inputs = {**self.given, **as_given(eps=epsilon)}
        if central >= self.local:
            return exactly(self.method, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
        lower, upper = self.profile.delta(central)
        return enclosed(self.method, "delta", Fraction(lower), Fraction(upper), inputs=inputs)

    def epsilon(self, delta: Number, tolerance: float) -> Bound:
        target = probability(delta, parameter="delta")
        inputs = {**self.given, **as_given(delta=delta)}
        if target == 1 or self.local.exp == 1:
            return exactly(self.method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
        bottom, top = self.local.bounds(bits=64)
        if target == 0:  # C = 0 has positive probability, and there the likelihood ratio is e^eps0 itself
            return exactly(self.method, "epsilon", str(self.local), bottom, top, inputs=inputs)
        profile = self.profile
        if target < SMALLEST_DELTA:
            shown = decimal_text(target, digits=2, direction="up")
            raise out_of_range("it answers for delta = 0 and delta from 1e-300 to 1", at=f"delta = {shown}")
        last = float_toward(bottom, direction="down")
        last = math.nextafter(last, 0.0) if last == bottom else last
        start = guess(m=self.users - 1, odds_factor=self.odds_factor, epsilon0=float(top), delta=float(target))
        root = solve(
            lambda x: profile.delta(Epsilon(Fraction(x), Fraction(1) if x == 0 else None)),
            target=target,
            top=top,
            last=last,
            guess=start.epsilon,
            slope=start.slope,
            doubt=start.doubt,
            tolerance=tolerance,
        )
        if root.upper == 0:
            return exactly(self.method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
        return enclosed(self.method, "epsilon", root.lower, root.upper, lower_certified=root.lower_certified, inputs=inputs)

    @cached_property
    def profile(self) -> _Evaluator:
        """Made when it is needed: some questions are answered outside the engine's range."""
        _require_supported(self.users, self.local)
        return self.make(n=self.users, odds_factor=self.odds_factor, epsilon0=self.local)


def _require_supported(n: int, epsilon0: Epsilon) -> None:
    """Raise UnsupportedError outside the range in which sides are guaranteed (epsilon0 = 0 is answered before)."""
    smallest, largest = Epsilon(SMALLEST_EPSILON0, None), Epsilon(Fraction(LARGEST_EPSILON0), None)
    if n > LARGEST_N:
        raise out_of_range(f"it answers for n up to {LARGEST_N:.0e}", at=f"n = {n}")
    if not smallest <= epsilon0 <= largest:
        raise out_of_range(f"it answers for epsilon0 = 0 and from 1e-200 to {LARGEST_EPSILON0}", at="this epsilon0")
