"""Reports of mechanisms with sliding windows, drawn exactly from fair bits and rounded to cells: piecewise mechanism, square wave.

A report is the inverse of its distribution function at one uniform number U in [0, 1), which is drawn bit by bit. With density T on the
window [s, s + w] of [0, w + t] and 1 elsewhere, over Z = T w + t, and v = U Z the report is v - (1 - 1/T) min(max(v - s, 0), T w), in
balls, so that the cell is known as soon as the bits drawn so far decide it. Rounding a report to a cell is computed from the report alone.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, precision, weights_of
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.likelihoods import Classes, Expression, output_classes
from shuffleproof.spec.vocabulary.numerals import Epsilon

_OF_ESTIMATES = 128
"""Bits of the lengths from which estimates are computed: nothing that is drawn depends on them."""
_SPARE_BITS = 64
"""Of precision, beyond the bits of U that were drawn: what a dozen roundings may lose."""


def reports(
    *, window: Expression, way: Expression, epsilon0: Epsilon, inputs: Sequence[Fraction], cells: int, source: BitSource
) -> list[int]:
    """The cells, of so many equal ones of [0, window + way] counted from 0, into which these inputs' reports fall: the exact distribution.

    window, way: w and t of the mechanism; epsilon0: above 0; inputs: each in [0, 1], scaled; cells: at least 1. Raises DomainError.
    """
    require(cells >= 1, parameter="cells", value=cells, requirement="an integer of at least 1")
    require(epsilon0.exp != 1, parameter="epsilon0", value=str(epsilon0), requirement="above 0")
    for x in inputs:
        require(0 <= x <= 1, parameter="inputs", value=x, requirement="in [0, 1]")
    lengths = output_classes((window, 1, 0, 0), (way, 0, 0, 0))
    return [_cell(lengths, epsilon0, x, cells, source) for x in inputs]


def exact_lengths(*, window: Expression, way: Expression, epsilon0: Epsilon) -> tuple[Fraction, Fraction, Fraction]:
    """w, t and T as rationals near them, for estimates."""
    with precision(_OF_ESTIMATES):
        w, t = weights_of(output_classes((window, 1, 0, 0), (way, 0, 0, 0)), epsilon0)
        of_w, of_t, of_T = (ends(each) for each in (w, t, exp_of(epsilon0)))
    return of_w[0], of_t[0], of_T[0]


def _cell(lengths: Classes, epsilon0: Epsilon, x: Fraction, cells: int, source: BitSource) -> int:
    """The cell of one report: bits are drawn until it is decided, which happens with probability 1."""
    drawn, bits = 0, 0
    while True:
        drawn, bits = (drawn << source.block_bits) | source.block(), bits + source.block_bits
        with precision(bits + cells.bit_length() + _SPARE_BITS):
            w, t = weights_of(lengths, epsilon0)
            T = exp_of(epsilon0)
            U = ball(Fraction(2 * drawn + 1, 2 << bits)) + arb(0, 1) * ball(Fraction(1, 2 << bits))
            v = U * (T * w + t)
            inside = (v - t * ball(x)).max(arb(0)).min(T * w)
            low, high = (floor(end) for end in ends((v - (1 - 1 / T) * inside) * cells / (w + t)))
        if low == high or low == cells - 1:
            return min(low, cells - 1)
