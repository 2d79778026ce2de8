"""What the distribution of a finite randomizer says about one report, and which claims that supports or contradicts.

Where probabilities are rounded every number is an interval that holds for all distributions within the rounding, and so does the verdict.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Any

from shuffleproof.conformance.audit.distribution_file import RoundedDistribution, quoted
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, ratio_text
from shuffleproof.spec.vocabulary.tables import Tabular

INFINITE = None
_BITS = 128
"""Bits of e^epsilon, from both sides, where claims are compared with it."""
_MOST_COMPARISONS = 100_000_000
"""Of probabilities, over all pairs of inputs: about half a minute."""
_SHORT = 4096
"""Bits of a common denominator up to which rows are compared as integers."""
_SHOWN = 10
"""Significant digits of an end that is not shown as a ratio."""
_LONGEST_RATIO = 40
"""Characters of a ratio that is shown."""


class Support(StrEnum):
    """Says what a distribution decides about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"

    __repr__ = str.__repr__  # as its users write it


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

    def __str__(self) -> str:
        if self.lower is None:
            return "infinite"
        if self.lower == self.upper and len(ratio_text(self.lower)) <= _LONGEST_RATIO:
            return ratio_text(self.lower)
        upper = "infinity" if self.upper is None else decimal_text(self.upper, digits=_SHOWN, direction="up")
        return f"between {decimal_text(self.lower, digits=_SHOWN, direction='down')} and {upper}"

    def as_json(self) -> dict[str, str]:
        """Both ends as exact ratios."""
        ends = (("lower", self.lower), ("upper", self.upper))
        return {name: "infinity" if end is None else ratio_text(end) for name, end in ends}


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


@dataclass(frozen=True, kw_only=True)
class Shuffled:
    """delta of the shuffled reports of n users at one epsilon, over all neighbouring datasets. how: by which argument each end holds."""

    delta: Between
    how_lower: str
    how_upper: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A claim about a mechanism, and what its distribution shows: undecided is what holds for some distributions within the rounding."""

    says: str
    standing: Support


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class DistributionAudit(Tabular):
    """Holds what the distribution of a finite randomizer shows.

    inputs, outcomes: how many; local: e^epsilon0, total variation and blanket of one report; shuffled: delta of the shuffled reports, None
    where it was not asked for; claims: those that were made, judged.
    """

    inputs: int
    outcomes: int
    local: Local
    shuffled: Shuffled | None
    claims: tuple[Claim, ...]

    def __repr__(self) -> str:
        return f"<DistributionAudit of {self.inputs} inputs and {self.outcomes} outcomes: {self.standing}>"

    def __str__(self) -> str:
        """Say what holds of one report and of the shuffled reports, with a line for each claim."""
        ratio, mixed = self.local.exp_epsilon, self.shuffled
        end = "" if ratio.upper is None else decimal_text(log_bounds(ratio.upper, bits=64)[1], digits=_SHOWN, direction="up")
        lines = [f"{self.inputs} inputs, {self.outcomes} outcomes", f"  e^epsilon0       {ratio}{end and f', so epsilon0 <= {end}'}"]
        if any(self.local.worst):
            first, second, outcome = map(quoted, self.local.worst)
            lines.append(f"                   outcome {outcome} at input {first} against {second}")
        lines += [f"  total variation  {self.local.total_variation}", f"  blanket          {self.local.blanket}"]
        if mixed is not None:
            alike = mixed.how_lower.startswith(mixed.how_upper)  # the lower end may name its pair of datasets besides
            how = [mixed.how_lower] if alike else [f"at least: {mixed.how_lower}", f"at most: {mixed.how_upper}"]
            lines += [f"  shuffled delta   {mixed.delta}", *(f"                   {each}" for each in how)]
        return "\n".join([*lines, *(f"{each.standing}: {each.says}" for each in self.claims)])

    @property
    def headline(self) -> str:
        """The standing, and of what."""
        return f"{self.standing}: distribution of {self.inputs} inputs and {self.outcomes} outcomes"

    def columns(self) -> dict[str, list[Any]]:
        """Each claim, and what the distribution says of it."""
        return {"claim": [each.says for each in self.claims], "standing": [each.standing.value for each in self.claims]}

    @property
    def standing(self) -> Support:
        """The worst of the claims: contradicted before undecided before supported, which it is where none was made."""
        seen = {claim.standing for claim in self.claims}
        return next((each for each in (Support.CONTRADICTED, Support.UNDECIDED) if each in seen), Support.SUPPORTED)

    def as_json(self) -> dict[str, Any]:
        """The record as JSON-ready values: numbers are exact ratios."""
        mixed = self.shuffled
        local = {name: getattr(self.local, name).as_json() for name in ("exp_epsilon", "total_variation", "blanket")}
        shuffled = mixed and {"delta": mixed.delta.as_json(), "how_lower": mixed.how_lower, "how_upper": mixed.how_upper}
        return {
            "local": {**local, "worst": dict(zip(("first", "second", "outcome"), self.local.worst, strict=True))},
            "shuffled": shuffled,
            "claims": [{"claim": each.says, "law": each.standing} for each in self.claims],
        }


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
