"""Hypothesis strategies for exactly epsilon0-DP local randomizers and adaptive sequences of them.

Two constructions, so that neither's blind spots are the check's: mixtures of extreme randomizers (subset selection on merged
inputs and merged messages), which have likelihood ratios of exactly e^epsilon0, messages that nobody sends and inputs treated
alike; and arbitrary distributions drawn together just far enough to be epsilon0-DP.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.model import LocalRandomizer

Randomizer = LocalRandomizer[int, int]
History = tuple[Any, ...]


def exp_epsilon0s(*, largest: int = 20) -> st.SearchStrategy[Fraction]:
    """Rational e^epsilon0 in [1, largest], with 1 and its neighbourhood and both ends drawn often."""
    common = [Fraction(2), Fraction(3), Fraction(1), Fraction(3, 2), Fraction(101, 100), Fraction(largest)]
    return st.sampled_from(common) | st.fractions(min_value=1, max_value=largest, max_denominator=12)


@cache
def _lists(least: int, most: int, size: int) -> st.SearchStrategy[list[int]]:
    """Strategies that are drawn from again and again are made once: hypothesis examines each new one."""
    return st.lists(st.integers(least, most), min_size=size, max_size=size)


@cache
def _between(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


@cache
def _not_all_zero(size: int) -> st.SearchStrategy[list[int]]:
    return _lists(0, 4, size).filter(any)


@cache
@st.composite
def distributions(draw: st.DrawFn, *, outputs: int) -> Distribution[int]:
    """Any distribution on range(outputs) with small rational weights; point masses and missing outcomes are common."""
    weights = draw(_not_all_zero(outputs))
    return Distribution.over(sum(weights), dict(enumerate(weights)))


@cache
@st.composite
def _extreme(draw: st.DrawFn, inputs: int, outputs: int, exp_epsilon0: Fraction) -> list[Distribution[int]]:
    """Subset selection: input x prefers the d-subsets of labels that hold its own label; each subset is sent as some message."""
    labels = draw(_between(2, 3))
    size = draw(_between(1, labels - 1))
    label = draw(_lists(0, labels - 1, inputs))
    subsets = list(combinations(range(labels), size))
    message = draw(_lists(0, outputs - 1, len(subsets)))
    chosen = []
    for x in range(inputs):
        raw = [exp_epsilon0 if label[x] in subset else Fraction(1) for subset in subsets]
        chosen.append(mixture([(weight / sum(raw), Distribution.point(y)) for weight, y in zip(raw, message, strict=True)]))
    return chosen


@cache
def _weighted(inputs: int, outputs: int, exp_epsilon0: Fraction) -> st.SearchStrategy[list[tuple[int, list[Distribution[int]]]]]:
    return st.lists(st.tuples(st.integers(1, 4), _extreme(inputs, outputs, exp_epsilon0)), min_size=1, max_size=3)


@cache
@st.composite
def _mixed(draw: st.DrawFn, inputs: int, outputs: int, exp_epsilon0: Fraction) -> list[Distribution[int]]:
    parts = draw(_weighted(inputs, outputs, exp_epsilon0))
    total = sum(weight for weight, _ in parts)
    return [mixture([(Fraction(weight, total), part[x]) for weight, part in parts]) for x in range(inputs)]


@cache
@st.composite
def _contracted(draw: st.DrawFn, inputs: int, outputs: int, exp_epsilon0: Fraction) -> list[Distribution[int]]:
    """(1 - t) centre + t law_x with the largest t in [0, 1] for which all ratios are at most e^epsilon0."""
    rows = [draw(distributions(outputs=outputs)) for _ in range(inputs)]
    centre = mixture([(Fraction(1, inputs), row) for row in rows])
    odds = [
        (exp_epsilon0 - 1) * centre[y] / (row[y] - exp_epsilon0 * other[y])
        for row in rows
        for other in rows
        for y in range(outputs)
        if row[y] > exp_epsilon0 * other[y]
    ]
    t = min(odds) / (1 + min(odds)) if odds else Fraction(1)
    return [mixture([(1 - t, centre), (t, row)]) for row in rows]


@cache
def _rows(inputs: int, outputs: int, exp_epsilon0: Fraction) -> st.SearchStrategy[list[Distribution[int]]]:
    return st.one_of([construct(inputs, outputs, exp_epsilon0) for construct in (_extreme, _mixed, _contracted)])


@cache
@st.composite
def randomizers(draw: st.DrawFn, *, exp_epsilon0: Fraction, inputs: int = 3, outputs: int = 3) -> Randomizer:
    """An exactly epsilon0-DP local randomizer from range(inputs) to range(outputs)."""
    rows = draw(_rows(inputs, outputs, exp_epsilon0))
    return LocalRandomizer(range(inputs), dict(enumerate(rows)))


@dataclass(frozen=True)
class AdaptiveSteps:
    """R^(1), ..., R^(n), each an epsilon0-DP local randomizer chosen by the earlier outputs.

    Step i after outputs z_1, ..., z_(i-1) uses pool[(keys[i - 1] + sum_(j >= 1) (j + 1)(z_j + 1)) mod len(pool)].
    """

    pool: tuple[Randomizer, ...]
    keys: tuple[int, ...]

    def at(self, i: int, history: History) -> Randomizer:
        """The randomizer of step i = 0, ..., n - 1 after these outputs."""
        choice: int = self.keys[i] + sum((j + 2) * (z + 1) for j, z in enumerate(history))
        return self.pool[choice % len(self.pool)]

    @property
    def sequence(self) -> list[Callable[[History], Randomizer]]:
        """Return them as spec.model wants them: one callable of the history for each step."""
        return [lambda history, i=i: self.at(i, history) for i in range(len(self.keys))]  # type: ignore[misc]

    def __repr__(self) -> str:
        listed = ", ".join(described(randomizer) for randomizer in self.pool)
        return f"AdaptiveSteps(pool=[{listed}], keys={self.keys})"


@cache
def _pools(exp_epsilon0: Fraction, inputs: int, outputs: int, most: int) -> st.SearchStrategy[list[Randomizer]]:
    return st.lists(randomizers(exp_epsilon0=exp_epsilon0, inputs=inputs, outputs=outputs), min_size=1, max_size=most)


@cache
@st.composite
def adaptive_steps(draw: st.DrawFn, *, n: int, exp_epsilon0: Fraction, inputs: int = 3, outputs: int = 2, pool: int = 3) -> AdaptiveSteps:
    """An adaptive sequence of n exactly epsilon0-DP local randomizers."""
    drawn = draw(_pools(exp_epsilon0, inputs, outputs, pool))
    keys = draw(_lists(0, len(drawn) - 1, n))
    return AdaptiveSteps(tuple(drawn), tuple(keys))


def described(randomizer: LocalRandomizer[Any, Any]) -> str:
    """The randomizer's distributions on one line, exact."""
    rows = (f"{x}: {{{', '.join(f'{y}: {w}' for y, w in sorted(randomizer.distribution(x).items()))}}}" for x in randomizer.domain)
    return "{" + ", ".join(rows) + "}"
