"""Bits from a script, and the tree of all scripts: what a sampler has decided after k bits, and with which dyadic mass."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.entropy import BitSource


class ExhaustedError(Exception):
    """The script has no more bits."""


class ScriptedBits:
    """A source whose bits are those of `script`, most significant first; ExhaustedError after the last one."""

    def __init__(self, script: str, *, block_bits: int = 1) -> None:
        self.block_bits = block_bits
        self._script, self._next = script, 0

    def block(self) -> int:
        return self.bits(self.block_bits)

    def blocks(self, count: int) -> NDArray[np.uint64]:
        return np.array([self.block() for _ in range(count)], dtype=np.uint64)

    def bits(self, count: int) -> int:
        taken = self._script[self._next : self._next + count]
        if len(taken) < count:
            raise ExhaustedError
        self._next += count
        return int(taken, 2) if taken else 0


def decided_masses(
    sampler: Callable[[BitSource], Hashable], *, depth: int, block_bits: int = 1
) -> tuple[dict[Hashable, Fraction], Fraction]:
    """(outcome -> mass of the scripts that decide on it within `depth` bits, mass of the scripts that are still undecided).

    The tree is walked one block at a time, so a script that decides early is not extended.
    """
    masses: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    undecided, open_scripts = Fraction(0), [""]
    while open_scripts:
        script = open_scripts.pop()
        try:
            outcome = sampler(ScriptedBits(script, block_bits=block_bits))
        except ExhaustedError:
            if len(script) + block_bits > depth:
                undecided += Fraction(1, 1 << len(script))
            else:
                open_scripts += [script + format(u, f"0{block_bits}b") for u in range(1 << block_bits)]
        else:
            masses[outcome] += Fraction(1, 1 << len(script))
    return dict(masses), undecided


def bracketed(masses: Mapping[Hashable, Fraction], undecided: Fraction, law: Callable[[Hashable], tuple[Fraction, Fraction]]) -> bool:
    """Whether every decided mass is at most the outcome's probability, and misses no more than what is undecided.

    law: outcome -> rationals on both sides of its probability.
    """
    return all(mass <= law(y)[1] and law(y)[0] <= mass + undecided for y, mass in masses.items())
