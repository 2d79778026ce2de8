"""Pairs on a grid of privacy losses whose profile is certified to lie below that of a given pair: rounds from below.

f(E) = D_E(P || Q) is convex in E > 0, does not increase, and is at least max(0, 1 - E). From ends of f at some nodes its slopes are
bounded by those of chords, so that f lies above the lines through its lower ends to the right and to the left of each node. Between two
nodes these lines meet in a corner. A convex polygon p that lies below all nodes and corners lies below f everywhere, as p is convex and the
lower bound is linear between them. If p has its corners at E_k = e^(k h), comes from (0, 1) on the left and is 0 on the right,

    p(E) = sum of p_k (1 - E/E_k)_+,     p_k = E_k (slope after k - slope before k) >= 0,     sum of p_k = 1.

D_E of two rounds is the mean of f(E e^-loss) over the loss of the other one, so a smaller profile gives a smaller composition
(BEYOND.rounds-below). Masses are rounded down, products too; what is cut off on the right is moved to the last loss that is kept, what is
cut off on the left is dropped.

The polygon gives up h^2/12 or so of the variance of a loss, and no mass: what is lost does not grow with the number of rounds.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb, fmpz_poly

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.privacy_loss import BITS, GridMeasure
from shuffleproof.spec.vocabulary.errors import require

Node = tuple[Fraction, Fraction, Fraction]
"""epsilon > 0, and ends of the profile there."""
_WORKING = 256
"""Precision, in bits, in which corners are computed before they are rounded down."""
_MARGIN = Fraction(1, 2**190)
"""Taken from every corner: far more than balls of 256 bits leave open where corners are chosen by rationals nearby."""
_REACH = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Nodes to the side with which chords bound the slope: far ones where the ends of near ones are too far apart."""


def beneath(first: Sequence[Node], second: Sequence[Node], *, step: Fraction, cells: int) -> GridMeasure:
    """A measure on the grid, losses from -cells to cells steps, whose profile lies below that of a pair (P, Q).

    first, second: ends of D_E(P || Q) and of D_E(Q || P), each at rising epsilons above 0. Raises DomainError.
    """
    rising = all(x[0] < y[0] for side in (first, second) for x, y in pairwise(side))
    known = all(side and side[0][0] > 0 for side in (first, second))
    require(rising and known, parameter="nodes", value=len(first), requirement="at least one on each side, rising from above 0")
    with precision(_WORKING):
        E = [(ball(step) * k).exp() for k in range(-cells, cells + 1)]
        bound = _LowerBound(first, second)
        heights = [bound.at(x) for x in E]
        excess = [arb(0)] * len(E)
        cell = 0
        for x, y in bound.corners():  # the chord between grid points must not lie above any of them
            while cell + 2 < len(E) and E[cell + 1] < x:
                cell += 1
            for at in {max(cell - 1, 0), cell, min(cell + 1, len(E) - 2)}:
                if x > E[at + 1] or x < E[at]:
                    continue
                over = heights[at] + (heights[at + 1] - heights[at]) * (x - E[at]) / (E[at + 1] - E[at]) - y
                excess[at], excess[at + 1] = excess[at].max(over), excess[at + 1].max(over)
        lowered = [lower_end(height - over) - _MARGIN for height, over in zip(heights, excess, strict=True)]
        return _of_corners(lowered, E, cells)


def _of_corners(heights: list[Fraction], E: list[arb], cells: int) -> GridMeasure:
    """The measure of the lower convex hull of these heights, cut where they leave 1 - E on the left and 0 on the right."""
    near = [lower_end(x) for x in E]
    first = max((i for i, x in enumerate(near) if i <= cells and heights[i] <= 1 - x), default=-1) + 1
    last = min((i for i in range(cells, len(E)) if heights[i] <= 0), default=len(E)) - 1
    if not first < cells < last:  # no loss is left: the profile of two equal distributions is below all others
        return GridMeasure(0, fmpz_poly([1 << BITS]), 0, below=True)
    heights[first], heights[last] = min(heights[first], 1 - upper_end(E[first]) - _MARGIN), Fraction(0)
    kept = [first]
    for i in range(first + 1, last + 1):
        while len(kept) >= 2:
            a, b = kept[-2:]
            if (heights[b] - heights[a]) * (near[i] - near[b]) < (heights[i] - heights[b]) * (near[b] - near[a]):
                break
            kept.pop()
        kept.append(i)
    slopes = [
        (ball(heights[first]) - 1) / E[first],
        *((ball(heights[j]) - ball(heights[i])) / (E[j] - E[i]) for i, j in pairwise(kept)),
        arb(0),
    ]
    masses = [0] * len(E)
    for i, (before, after) in zip(kept, pairwise(slopes), strict=True):
        masses[i] = max(0, int(lower_end(E[i] * (after - before)) * (1 << BITS) // 1))
    return GridMeasure(-cells, fmpz_poly(masses), 0, below=True)


def slopes_at(at: Sequence[arb], low: Sequence[arb], high: Sequence[arb], i: int, reaches: Sequence[int]) -> tuple[arb, arb]:
    """Bounds on the slope of a profile at a point, at least -1 and at most 0: those of chords from its lower end there to upper ends.

    reaches: how many points to either side these ends are.
    """
    least, most = arb(-1), arb(0)
    for reach in reaches:
        if i >= reach:
            least = least.max((low[i] - high[i - reach]) / (at[i] - at[i - reach]))
        if i + reach < len(at):
            most = most.min((high[i + reach] - low[i]) / (at[i + reach] - at[i]))
    return least, most


class _LowerBound:
    """Lines below f: from each node to the right with the least slope that f may have there, to the left with the largest."""

    def __init__(self, first: Sequence[Node], second: Sequence[Node]) -> None:
        turned = [(1 / ball(epsilon).exp(), low, high) for epsilon, low, high in reversed(second)]
        self.at_nodes = [x for x, _, _ in turned] + [ball(epsilon).exp() for epsilon, _, _ in first]
        # f(1/E) = 1 - 1/E + D_E(Q || P)/E
        self.low = [1 - x * (1 - ball(low)) for x, low, _ in turned] + [ball(low) for _, low, _ in first]
        high = [1 - x * (1 - ball(top)) for x, _, top in turned] + [ball(top) for _, _, top in first]
        self.right, self.left = [], []
        for i, (x, y) in enumerate(zip(self.at_nodes, self.low, strict=True)):
            least, most = slopes_at(self.at_nodes, self.low, high, i, _REACH)
            self.right.append(
                least.max((y - 1) / x) - ball(_MARGIN)
            )  # f(0) = 1; so that lines of two nodes are never parallel, nor to 1 - E
            self.left.append(most + ball(_MARGIN))

    def at(self, x: arb) -> arb:
        """A lower bound on f there."""
        after = next((i for i, node in enumerate(self.at_nodes) if not node < x), len(self.at_nodes))
        found = (1 - x).max(arb(0))
        for i in (after - 1, after):
            if 0 <= i < len(self.at_nodes):
                # at the node itself either line will do
                slope = self.right[i] if i < after else self.left[i]
                found = found.max(self.low[i] + slope * (x - self.at_nodes[i]))
        return found

    def corners(self) -> list[tuple[arb, arb]]:
        """The nodes, and where lines of neighbours meet between them, from left to right; at both ends with 1 - E and with 0."""
        x, y = self.at_nodes, self.low
        found = []
        meeting = (y[0] - self.left[0] * x[0] - 1) / (-1 - self.left[0])
        if meeting > 0 and not meeting > x[0]:
            found.append((meeting, 1 - meeting))
        for i in range(len(x)):
            found.append((x[i], y[i]))
            if i + 1 < len(x):
                gap = y[i + 1] - y[i] - self.left[i + 1] * (x[i + 1] - x[i])
                meeting = x[i] + gap / (self.right[i] - self.left[i + 1])
                if not (meeting < x[i] or meeting > x[i + 1]):
                    found.append((meeting, y[i] + self.right[i] * (meeting - x[i])))
        if self.right[-1] < 0:
            found.append((x[-1] - y[-1] / self.right[-1], arb(0)))
        return found
