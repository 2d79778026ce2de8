"""A stand-in for a numpy generator that walks through every outcome of every draw, with exact weights."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shuffleproof.spec.distribution import binomial


def exact(p: float) -> Fraction:
    """The simple rational that a float stands for."""
    return Fraction(float(p)).limit_denominator(10**6)


class Tape:
    """Draws, each the next choice of a script; a draw beyond its end takes the first choice and makes the script longer."""

    def __init__(self, script: list[int]) -> None:
        self._script, self._next = script, 0
        self.weight = Fraction(1)
        self.choices: list[int] = []

    def chosen(self, weights: list[Fraction]) -> int:
        """An index into the weights. Only choices of positive weight are walked through."""
        possible = [i for i, weight in enumerate(weights) if weight]
        at = self._script[self._next] if self._next < len(self._script) else 0
        self._next += 1
        self.choices.append(len(possible))
        self.weight *= weights[possible[at]]
        return possible[at]

    def binomial(self, n: int, p: float, size: int | tuple[int, ...]) -> NDArray[np.int64]:
        chance = exact(p)
        weights = [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
        return np.array([self.chosen(weights) for _ in range(int(np.prod(size)))], dtype=np.int64).reshape(size)

    def multinomial(self, n: int, shares: Any, size: int) -> NDArray[np.int64]:
        chances = [exact(share) for share in shares]
        drawn = np.zeros((size, len(chances)), dtype=np.int64)
        for row in drawn:
            for _ in range(n):
                row[self.chosen(chances)] += 1
        return drawn

    def random(self, size: int | tuple[int, ...]) -> Any:
        return _Uniforms(self, size if isinstance(size, tuple) else (size,))

    def integers(self, low: int, high: int, size: int | tuple[int, ...], dtype: Any) -> Any:
        shape = size if isinstance(size, tuple) else (size,)
        even = [Fraction(1, high - low)] * (high - low)
        return np.array([low + self.chosen(even) for _ in range(int(np.prod(shape)))], dtype=dtype).reshape(shape)


class _Uniforms:
    """Uniform numbers that are only compared with probabilities."""

    def __init__(self, tape: Tape, shape: tuple[int, ...]) -> None:
        self._tape, self._shape = tape, shape

    def __lt__(self, p: Any) -> NDArray[np.bool_]:
        chances = [exact(one) for one in np.broadcast_to(np.asarray(p, dtype=np.float64), self._shape).ravel()]
        return np.array([self._tape.chosen([1 - one, one]) == 1 for one in chances]).reshape(self._shape)


def distribution_of(experiment: Callable[[Any], Hashable]) -> dict[Hashable, Fraction]:
    """The exact distribution of an experiment that draws from a generator."""
    law: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    script: list[int] | None = []
    while script is not None:
        tape = Tape(script)
        outcome = experiment(tape)
        law[outcome] += tape.weight
        script = _next(script, tape.choices)
    return {outcome: weight for outcome, weight in law.items() if weight}


def _next(script: list[int], choices: list[int]) -> list[int] | None:
    full = script + [0] * (len(choices) - len(script))
    for at in range(len(full) - 1, -1, -1):
        if full[at] + 1 < choices[at]:
            return [*full[:at], full[at] + 1]
    return None


class Enumerated:
    """In the place of a binomial sampler: every draw is a choice of a tape, with its exact weight."""

    def __init__(self, tape: Tape, n: int, p: Fraction) -> None:
        self._tape, self._weights = tape, [binomial(n, p)[k] for k in range(n + 1)]

    def draw(self, size: int) -> NDArray[np.int64]:
        return np.array([self._tape.chosen(self._weights) for _ in range(size)], dtype=np.int64)


def enumerated(*, n: int, p: Fraction, size: int, source: Tape) -> NDArray[np.int64]:
    """In the place of exact binomial draws, of a source that is a tape."""
    return Enumerated(source, n, p).draw(size)
