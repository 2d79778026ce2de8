"""What the distribution of a finite randomizer says about one report, and which claims that supports or contradicts.

Where probabilities are rounded every number is an interval that holds for all distributions within the rounding, and so does the verdict.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from shuffleproof.conformance.audit.distribution_file import RoundedDistribution
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon

INFINITE = None
_BITS = 128
"""Bits of e^epsilon, from both sides, where claims are compared with it."""
_MOST_COMPARISONS = 100_000_000
"""Of probabilities, over all pairs of inputs: about half a minute."""
_SHORT = 4096
"""Bits of a common denominator up to which rows are compared as integers."""


class Support(StrEnum):
    """Says what a distribution decides about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, kw_only=True)
class Between:
    """A number in [lower, upper] for every distribution within the rounding; upper is INFINITE (None) where there may be no finite one."""

    lower: Fraction | None
    upper: Fraction | None

    def at_most(self, limit: Fraction) -> Support:
        """Return whether the number is at most the limit."""
        if self.upper is not INFINITE and self.upper <= limit:
            return Support.SUPPORTED
        return Support.CONTRADICTED if self.lower is INFINITE or self.lower > limit else Support.UNDECIDED


@dataclass(frozen=True, kw_only=True)
class Local:
    """One report.

    exp_epsilon: least e^eps0; total_variation: of the two inputs furthest apart; blanket: mass that all distributions have in common;
    worst: the two inputs and the outcome with the largest ratio, empty where all distributions are equal.
    """

    exp_epsilon: Between
    total_variation: Between
    blanket: Between
    worst: tuple[str, str, str]


def local(law: RoundedDistribution) -> Local:
    """Local epsilon, total variation and blanket, exact for an exact distribution.

    The largest ratio at an outcome is that of its largest to its smallest probability. Raises ResourceLimitError (`distances`).
    """
    best, worst = Between(lower=Fraction(1), upper=Fraction(1)), ("", "", "")
    for at, outcome in enumerate(law.outcomes):
        column = [row[at] for row in law.rows]
        first, second = max(range(len(column)), key=column.__getitem__), min(range(len(column)), key=column.__getitem__)
        if len(column) == 1:
            break
        ratio = ratio_within(column[first], column[second], law.rounding)
        if larger(ratio.lower, best.lower):
            worst = (law.inputs[first], law.inputs[second], outcome)
        best = Between(lower=largest(best.lower, ratio.lower), upper=largest(best.upper, ratio.upper))
    furthest = max((distance for _, _, distance in distances(law)), default=Fraction(0))
    blanket = sum((min(column) for column in zip(*law.rows, strict=True)), Fraction(0))
    slack = len(law.outcomes) * law.rounding
    return Local(
        exp_epsilon=best,
        total_variation=Between(lower=max(Fraction(0), furthest - slack), upper=min(Fraction(1), furthest + slack)),
        blanket=Between(lower=max(Fraction(0), blanket - slack), upper=min(Fraction(1), blanket + slack)),
        worst=worst,
    )


def distances(law: RoundedDistribution) -> Iterator[tuple[int, int, Fraction]]:
    """The total variation of every two distributions as they are written: two inputs by number, the first the smaller, and it.

    Within the rounding it is off by at most (number of outcomes) times the rounding. Raises ResourceLimitError.
    """
    pairs = math.comb(len(law.rows), 2)
    common = common_denominator(law.rows)
    cost = pairs * len(law.outcomes) * (1 if common else 20)
    if cost > _MOST_COMPARISONS:
        what = f"the total variation of every two of {len(law.rows)} distributions over {len(law.outcomes)} outcomes"
        raise ResourceLimitError(what=what, needed=f"{about(cost)} comparisons", limit=f"{_MOST_COMPARISONS:.0e}")
    if common:
        whole = [[p.numerator * (common // p.denominator) for p in row] for row in law.rows]
        for (x, p), (y, q) in combinations(enumerate(whole), 2):
            yield x, y, Fraction(sum(abs(a - b) for a, b in zip(p, q, strict=True)), 2 * common)
        return
    shared = [common_denominator([row]) for row in law.rows]
    for (x, one), (y, other) in combinations(enumerate(law.rows), 2):
        if (s := shared[x]) and (t := shared[y]):  # whole numbers: no common divisor is looked for
            apart = sum(
                abs(a.numerator * (s // a.denominator) * t - b.numerator * (t // b.denominator) * s)
                for a, b in zip(one, other, strict=True)
            )
            yield x, y, Fraction(apart, 2 * s * t)
        else:
            yield x, y, sum((abs(a - b) for a, b in zip(one, other, strict=True)), Fraction(0)) / 2


def common_denominator(rows: Sequence[Sequence[Fraction]]) -> int | None:
    """That of all probabilities, or None where it is long."""
    common = 1
    for row in rows:
        for p in row:
            common = math.lcm(common, p.denominator)
            if common.bit_length() > _SHORT:
                return None
    return common


def local_claim(found: Local, epsilon0: Epsilon) -> Support:
    """Return whether the randomizer is eps0-DP."""
    low, high = epsilon0.exp_bounds(bits=_BITS)
    if found.exp_epsilon.at_most(low) is Support.SUPPORTED:
        return Support.SUPPORTED
    return Support.CONTRADICTED if found.exp_epsilon.at_most(high) is Support.CONTRADICTED else Support.UNDECIDED


def ratio_within(a: Fraction, b: Fraction, rounding: Fraction) -> Between:
    """a/b within the rounding, which grows with a and falls with b; 0/0 is no ratio at all, so 1."""
    if rounding == 0:
        value = Fraction(1) if a == b else a / b if b else INFINITE
        return Between(lower=value, upper=value)
    low, high = max(Fraction(0), a - rounding), min(Fraction(1), a + rounding)
    return Between(lower=low / min(Fraction(1), b + rounding), upper=high / (b - rounding) if b > rounding else INFINITE)


def larger(x: Fraction | None, y: Fraction | None) -> bool:
    """Return whether x > y, where None is infinite."""
    return y is not INFINITE and (x is INFINITE or x > y)


def largest(x: Fraction | None, y: Fraction | None) -> Fraction | None:
    """The larger of two numbers, where None is infinite."""
    return x if larger(x, y) else y
