"""Mechanisms that send a number as a point of an interval, with a high density on a window that slides with the number.

Scaled so that inputs are x in [0, 1]: the density on [0, w + t] is T times as high on the window [t x, t x + w] as elsewhere, T = e^eps0.
So an output prefers the inputs whose windows hold it, and the classes of inputs are lengths of intersections of windows. For w <= t, all
continuous inputs together are covered by few positions (BEYOND.sliding-windows; docs/mathematics/sliding-windows.md).
"""

from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.likelihoods import Classes, Dataset, Expression, output_classes, positive_part
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

EXTREME = 4
"""Inputs of `extreme_places`, at most."""


class SlidingWindow(NamedRandomizer):
    """A window of length w that slides over a way of length t >= w; both up to one factor."""

    alike: ClassVar[bool] = False
    continuous: ClassVar[bool] = True
    also: ClassVar[tuple[str, ...]] = ("BEYOND.sliding-windows",)

    @property
    def window(self) -> Expression:
        """w, the length of the window."""
        raise NotImplementedError

    @property
    def way(self) -> Expression:
        """t, how far the window slides from the least input to the largest."""
        raise NotImplementedError

    def holds_three(self, epsilon0: Epsilon) -> bool:
        """Return whether three windows can be disjoint, 2 w <= t; False where that is not decided."""
        raise NotImplementedError

    def against_blanket(self, epsilon0: Epsilon) -> Classes:
        """Inputs with disjoint windows. Every output is outside of some input's window: the blanket is the lower level."""
        w, t = self.window, self.way
        return output_classes((w, 1, 0, 0), (w, 0, 1, 0), (t - w, 0, 0, 0))

    def datasets(self, epsilon0: Epsilon) -> tuple[Dataset, ...]:
        """The positions of three windows of which all others are mixtures: two alike, or one between the others, as far apart as can be.

        overlap: of the window between with one of the others, while it only touches the other; 0 where three can be disjoint.
        """
        w, t = self.window, self.way
        overlap, rest = positive_part(2 * w - t), positive_part(t - 2 * w)
        free = w - overlap
        second = output_classes((w, 1, 0, 0), (w, 0, 1, 1), (t - w, 0, 0, 0))
        near_first = output_classes((overlap, 1, 0, 1), (free, 1, 0, 0), (free, 0, 0, 1), (w, 0, 1, 0), (rest, 0, 0, 0))
        near_each_other = output_classes((overlap, 1, 1, 0), (free, 1, 0, 0), (free, 0, 1, 0), (w, 0, 0, 1), (rest, 0, 0, 0))
        return (
            Dataset("the least and the largest input; all others hold the second", second),
            Dataset("inputs with disjoint windows; all others' window shares as little as can be with the first one's", near_first),
            Dataset("inputs whose windows share as little as can be; all others' window is disjoint from both", near_each_other),
        )

    def three_inputs(self, epsilon0: Epsilon) -> Classes | None:
        """Three disjoint windows."""
        w, t = self.window, self.way
        return output_classes((w, 1, 0, 0), (w, 0, 1, 0), (w, 0, 0, 1), (t - 2 * w, 0, 0, 0)) if self.holds_three(epsilon0) else None


def sliding_window(*, window: Fraction, way: Fraction, exp_epsilon0: Fraction, places: tuple[Fraction, ...]) -> LocalRandomizer[int, int]:
    """The exact distribution for inputs whose windows begin at these places of [0, way]; messages are the cells between windows' ends.

    An output's place within a cell says nothing of these inputs. window in (0, way]; exp_epsilon0: T >= 1. Raises DomainError.
    """
    require(0 < window <= way, parameter="window", value=window, requirement=f"above 0, at most {way}")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    for place in places:
        require(0 <= place <= way, parameter="places", value=place, requirement=f"from 0 to {way}")
    T = Fraction(exp_epsilon0)
    ends = sorted({Fraction(0), window + way, *places, *(place + window for place in places)})
    cells, total = list(pairwise(ends)), T * window + way
    laws = {
        x: Distribution({y: (right - left) * (T if place <= left < place + window else 1) / total for y, (left, right) in enumerate(cells)})
        for x, place in enumerate(places)
    }
    return LocalRandomizer(range(len(places)), laws)


def extreme_places(*, window: Fraction, way: Fraction) -> tuple[Fraction, ...]:
    """The least input's window, the largest one's, and those that touch one of them, where there are such."""
    return tuple(dict.fromkeys((Fraction(0), way, window, way - window)))
