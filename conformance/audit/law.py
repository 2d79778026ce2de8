"""What the law of a finite randomizer says about its privacy, alone and shuffled, and which claims that supports or contradicts.

Where probabilities are rounded every number is an interval that holds for all laws within the rounding, and so does the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import permutations

from shuffleproof.conformance.audit.law_file import Law
from shuffleproof.impl.ball.bounds import optimal_pair
from shuffleproof.impl.exact.shuffled_law import ShuffledRandomizer
from shuffleproof.spec.errors import ResourceLimitError
from shuffleproof.spec.numerals import Epsilon

INFINITE = None
_DIGITS = 12
_BITS = 128
_ROUNDED_UP_TO = 10**30


class Support(StrEnum):
    """What a law says about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, kw_only=True)
class Between:
    """A number that lies in [lower, upper] for every law within the rounding; upper is INFINITE (None) where there may be no finite one."""

    lower: Fraction | None
    upper: Fraction | None

    def at_most(self, limit: Fraction) -> Support:
        """Whether the number is at most the limit."""
        if self.upper is not INFINITE and self.upper <= limit:
            return Support.SUPPORTED
        return Support.CONTRADICTED if self.lower is INFINITE or self.lower > limit else Support.UNDECIDED


@dataclass(frozen=True, kw_only=True)
class Local:
    """One report.

    exp_epsilon: least e^eps0; total_variation: of the two inputs furthest apart; blanket: mass that all laws have in common; worst: the
    two inputs and the outcome with the largest ratio, empty where all laws are equal.
    """

    exp_epsilon: Between
    total_variation: Between
    blanket: Between
    worst: tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class Shuffled:
    """delta of the shuffled reports of n users at one epsilon, over all neighbouring datasets. how: by which argument each end holds."""

    delta: Between
    how_lower: str
    how_upper: str


def local(law: Law) -> Local:
    """Local epsilon, total variation and blanket, exact for an exact law."""
    best, worst = Between(lower=Fraction(1), upper=Fraction(1)), ("", "", "")
    for (first, p), (second, q) in permutations(zip(law.inputs, law.rows, strict=True), 2):
        for outcome, a, b in zip(law.outcomes, p, q, strict=True):
            ratio = _ratio(a, b, law.rounding)
            if _larger(ratio.lower, best.lower):
                worst = (first, second, outcome)
            best = Between(lower=_max(best.lower, ratio.lower), upper=_max(best.upper, ratio.upper))
    variations = [_variation(p, q, law.rounding) for p, q in permutations(law.rows, 2)] or [Between(lower=Fraction(0), upper=Fraction(0))]
    blanket = sum((min(column) for column in zip(*law.rows, strict=True)), Fraction(0))
    slack = len(law.outcomes) * law.rounding
    return Local(
        exp_epsilon=best,
        total_variation=_largest(variations),
        blanket=Between(lower=max(Fraction(0), blanket - slack), upper=min(Fraction(1), blanket + slack)),
        worst=worst,
    )


def shuffled(law: Law, *, n: int, epsilon: Epsilon) -> Shuffled:
    """delta of n shuffled reports at epsilon: exact over all neighbours where that is affordable, else certified from both sides.

    Else: the upper side is that of the optimal pair of each two inputs (BEYOND.ThmF3), the lower side one of the homogeneous datasets.
    """
    if law.rounding == 0:
        try:
            return _exhausted(law, n, epsilon)
        except ResourceLimitError:
            pass
    upper = max((_upper(parameters, n, epsilon) for parameters in set(_parameters(law))), default=Fraction(0))
    lower, how_lower = _lower(law, n, epsilon)
    how_upper = "certified: the optimal pair of the laws of each two inputs (BEYOND.ThmF3)"
    return Shuffled(delta=Between(lower=lower, upper=upper), how_lower=how_lower, how_upper=how_upper)


def _exhausted(law: Law, n: int, epsilon: Epsilon) -> Shuffled:
    """Every neighbouring pair. Where e^epsilon is irrational: delta falls in it, so rationals on both sides enclose it."""
    randomizer, (low, high) = ShuffledRandomizer(law.rows), epsilon.exp_bounds(bits=_BITS)
    worst = randomizer.worst_pair(n=n, exp_epsilon=high)
    upper = worst.delta if low == high else randomizer.worst_pair(n=n, exp_epsilon=low).delta
    told = ", ".join(f"{users} with {name!r}" for name, users in zip(law.inputs, worst.dataset, strict=True) if users)
    first, second = (law.inputs[x] for x in worst.changed)
    how = f"{'exact' if low == high else 'certified'}, over all neighbouring datasets"
    worst_told = f"; the worst: {told}, one of which changes from {first!r} to {second!r}" if worst.delta else ""
    return Shuffled(delta=Between(lower=worst.delta, upper=upper), how_lower=how + worst_told, how_upper=how)


Parameters = tuple[Fraction | None, Fraction, Fraction | None]


def _parameters(law: Law) -> Iterator[Parameters]:
    """p, beta and q of every two inputs, rounded up."""
    for x, y in permutations(range(len(law.rows)), 2):
        if x < y:
            pair, all_rows = (law.rows[x], law.rows[y]), law.rows
            p = _most(pair[0], pair[1], law.rounding)
            p = _max(p, _most(pair[1], pair[0], law.rounding))
            q: Fraction | None = Fraction(1)
            for row in all_rows:
                q = _max(q, _max(_most(pair[0], row, law.rounding), _most(pair[1], row, law.rounding)))
            yield p, _variation(*pair, law.rounding).upper or Fraction(0), q


def _upper(parameters: Parameters, n: int, epsilon: Epsilon) -> Fraction:
    p, beta, q = parameters
    if p is INFINITE or q is INFINITE:
        return beta  # somebody may hide nobody: the total variation of one report is a bound at every epsilon
    try:
        found = optimal_pair.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon, digits=_DIGITS)
    except ResourceLimitError:  # the largest beta that p allows costs far less
        found = optimal_pair.delta(n=n, p=p, beta=(p - 1) / (p + 1), q=q, epsilon=epsilon, digits=_DIGITS)
    return min(found.upper, beta)


def _lower(law: Law, n: int, epsilon: Epsilon) -> tuple[Fraction, str]:
    if law.rounding != 0:
        return Fraction(0), "none, since the probabilities are rounded"
    order = epsilon.exp_bounds(bits=_BITS)[1]
    randomizer, best, told = ShuffledRandomizer(law.rows), Fraction(0), "none: exact laws of so many users are not affordable"
    try:
        for x, y in permutations(range(len(law.rows)), 2):
            for z in range(len(law.rows)):
                others = [n - 1 if at == z else 0 for at in range(len(law.rows))]
                delta = randomizer.delta(others, changed=(x, y), exp_epsilon=order)
                if delta >= best:
                    best = delta
                    told = f"one pair: all others have {law.inputs[z]!r}, one user changes from {law.inputs[x]!r} to {law.inputs[y]!r}"
    except ResourceLimitError:
        pass
    return best, told


def _ratio(a: Fraction, b: Fraction, h: Fraction) -> Between:
    """a/b within the rounding; 0/0 is no ratio at all, so 1."""
    if h == 0:
        value = Fraction(1) if a == b else a / b if b else INFINITE
        return Between(lower=value, upper=value)
    low, high = max(Fraction(0), a - h), min(Fraction(1), a + h)
    return Between(lower=low / min(Fraction(1), b + h), upper=high / (b - h) if b > h else INFINITE)


def _most(p: Sequence[Fraction], q: Sequence[Fraction], h: Fraction) -> Fraction | None:
    """The least ratio that bounds p by q for every law within the rounding, at least 1, rounded up; INFINITE where there may be none."""
    most: Fraction | None = Fraction(1)
    for a, b in zip(p, q, strict=True):
        most = _max(most, _ratio(a, b, h).upper)
    return most if most is INFINITE else _up(most)


def _variation(p: Sequence[Fraction], q: Sequence[Fraction], h: Fraction) -> Between:
    value = sum((abs(a - b) for a, b in zip(p, q, strict=True)), Fraction(0)) / 2
    return Between(lower=max(Fraction(0), value - len(p) * h), upper=min(Fraction(1), value + len(p) * h))


def _up(x: Fraction) -> Fraction:
    """A ratio of large integers as a shorter one that is not below it."""
    if x.denominator <= _ROUNDED_UP_TO:
        return x
    return Fraction(-(-x.numerator * _ROUNDED_UP_TO // x.denominator), _ROUNDED_UP_TO)


def _largest(found: Sequence[Between]) -> Between:
    """The largest of several numbers."""
    lower, upper = found[0].lower, found[0].upper
    for each in found[1:]:
        lower, upper = _max(lower, each.lower), _max(upper, each.upper)
    return Between(lower=lower, upper=upper)


def _larger(x: Fraction | None, y: Fraction | None) -> bool:
    return y is not INFINITE and (x is INFINITE or x > y)


def _max(x: Fraction | None, y: Fraction | None) -> Fraction | None:
    return x if _larger(x, y) else y


def local_claim(found: Local, epsilon0: Epsilon) -> Support:
    """Whether the randomizer is eps0-DP."""
    low, high = epsilon0.exp_bounds(bits=_BITS)
    if found.exp_epsilon.at_most(low) is Support.SUPPORTED:
        return Support.SUPPORTED
    return Support.CONTRADICTED if found.exp_epsilon.at_most(high) is Support.CONTRADICTED else Support.UNDECIDED
