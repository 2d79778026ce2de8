"""Reports of sliding windows are drawn with their exact distribution, whatever bits come."""

from fractions import Fraction

import pytest
from scripted_bits import decided_masses
from seeded_bits import Seeded

from shuffleproof.impl.release.sliding_window import reports
from shuffleproof.spec.randomizers.piecewise import Piecewise
from shuffleproof.spec.randomizers.sliding_window import SlidingWindow
from shuffleproof.spec.randomizers.square_wave import SquareWave
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon

CASES: tuple[tuple[SlidingWindow, Fraction, Fraction, Fraction, int], ...] = (
    (Piecewise(), Fraction(4), Fraction(1), Fraction(2), 3),  # r = 2: a window of a third
    (Piecewise(), Fraction(9, 4), Fraction(1), Fraction(3, 2), 5),
    (SquareWave(radius=Fraction(1, 4)), Fraction(3), Fraction(1, 2), Fraction(1), 6),
)
"""Records, T, windows, ways, and cells."""


@pytest.mark.parametrize(("randomizer", "T", "window", "way", "cells"), CASES)
@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 2), Fraction(1)])
def test_a_cell_has_the_mass_of_the_exact_distribution(
    randomizer: SlidingWindow, T: Fraction, window: Fraction, way: Fraction, cells: int, x: Fraction
) -> None:
    """What scripts of 9 bits decide is at most the distribution's mass, and what is open is all that is missing."""
    made = {"window": randomizer.window, "way": randomizer.way, "epsilon0": Epsilon(None, T), "inputs": [x], "cells": cells}
    decided, undecided = decided_masses(lambda source: reports(**made, source=source)[0], depth=9)  # type: ignore[arg-type]
    size, start = (window + way) / cells, way * x
    for cell in range(cells):
        left, right = cell * size, (cell + 1) * size
        inside = max(Fraction(0), min(right, start + window) - max(left, start))
        truth = (size + (T - 1) * inside) / (T * window + way)
        assert decided.get(cell, 0) <= truth <= decided.get(cell, 0) + undecided
    assert undecided < Fraction(1, 10)


def test_an_irrational_epsilon0_and_many_cells_are_drawn_and_the_mean_is_that_of_the_input() -> None:
    randomizer, r = Piecewise(), 1.6487212707001282
    made = {"window": randomizer.window, "way": randomizer.way, "epsilon0": parse_epsilon("1"), "cells": 1 << 30}
    drawn = reports(**made, inputs=[Fraction(3, 4)] * 4000, source=Seeded(3))  # type: ignore[arg-type]
    C = (r + 1) / (r - 1)
    mean = sum(2 * C * (y + 0.5) / (1 << 30) - C for y in drawn) / 4000
    assert abs(mean - 0.5) < 5 * C / 4000**0.5


def test_an_input_outside_is_refused() -> None:
    one = SquareWave()
    for wrong in ({"inputs": [Fraction(2)]}, {"cells": 0}, {"epsilon0": parse_epsilon(0)}):
        made = {"window": one.window, "way": one.way, "epsilon0": parse_epsilon(1), "inputs": [Fraction(1)], "cells": 4, **wrong}
        with pytest.raises(DomainError):
            reports(**made, source=Seeded(1))  # type: ignore[arg-type]
