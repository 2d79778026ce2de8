"""The losses of Gaussian noise on cells of inputs, in float64: BEYOND.any-law-gaussian-triples.

N(0, sigma^2) is d N(0, sigma^2) and independent N(0, (1 - d^2) sigma^2), so that three inputs are no worse than those stretched to reach
from 0 to 1: the three curves of `input_triples`.

Between: m = min(R_a, R_b) is below R_s for all s of [a, b]. First, second: R_s is near the mixture M of R_a and R_b of its mean, and
R_s - M has no mass. On near reports what they differ by is spread, which costs no mean; on far ones the loss is raised. All of it is
convex in M, so that one distribution for each end is enough.

Reports outside of [-z, 1/sigma + z] are revealed: no input has more than 2 Phi(-z) there.
"""

import math
from fractions import Fraction
from functools import cached_property

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.gaussian_masses import tail
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, thinned, widest
from shuffleproof.impl.fast.bounds.swap.gaussian_inputs import Inputs, beside_mixture, losses_of, ranges
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS, Cell, TripleLosses
from shuffleproof.impl.fast.bounds.swap.means_beyond import above, knots_to, means_beyond
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Part, Tilt
from shuffleproof.impl.fast.numeric.results import decimal_of, working

_COMPARED = 1 << 14
"""Grid points to each side of 0 on which loss types are compared."""
_FINE = 8
"""Such points to a deviation of the largest loss type."""
_NEAR = (14.0, 9.0, 4.0)
"""Squared deviations from a cell's middle up to which reports are near, as they are tried: little is far at the first."""
_LARGE = 0.25
"""The epsilon from which on all reports are far: to raise means costs little then, and large losses decide, which are not spread."""
_USUAL = 9.0
"""The same of the shortest cells, of which none has to serve."""
_RAISED = 1e-3
"""What means may be raised by, as a part of epsilon."""
_HEAVIER = 1e-2
"""How much more may be beyond any loss than of the ends' own distributions and the two extreme ones, as a part of these."""
_TOGETHER = 1.003
"""Cells share a distribution where that keeps its chi-square this near to the largest."""
_VERY_SKEWED = 30.0
"""Chi-square, from which on large losses of both signs decide, and one distribution for each is quicker than one for each cell."""
_KNOTS = 48
"""Knots to a deviation, to which losses of these are moved: to the variance this adds a part in 10,000, at most,"""
_CLOSE = 3.0
"""up to so many deviations;"""
_RATIO = 1.02
"""and from one to the next beyond: as little."""
_LEVELS = 64
"""Losses at which that is compared."""


class GaussianLosses(Inputs, TripleLosses):
    """Gaussian noise. z: reports beyond z sigma of [0, 1] are revealed; epsilon: about what comes out, a choice."""

    within = 1.002
    """See `TripleLosses`."""

    def __init__(self, sigma: Fraction, z: Fraction, epsilon: float) -> None:
        Inputs.__init__(self, sigma, z)
        self.epsilon = epsilon
        with working():
            self.away = 2.001 * float(tail(decimal_of(z)))
        self.deviation = math.sqrt(math.expm1(self.rate**2))
        self.level = math.floor(math.log2(self.deviation / _FINE))
        self.end = math.ldexp(_COMPARED, self.level)
        self._tried: tuple[float, ...] = _NEAR if epsilon < _LARGE else (0.0,)
        self._usual = _USUAL if epsilon < _LARGE else 0.0
        self._near, self._beyond = dict[tuple[int, int], float](), dict[tuple[str, int], Floats]()
        self._known: tuple[float, list[Atoms]] = (0.0, [])
        blanket = math.erfc(self.rate / 2 / math.sqrt(2)) * (1 - 1e-9)
        TripleLosses.__init__(self, blanket)

    def distributions_of(self, cell: Cell, E: float) -> list[Atoms]:
        """See `TripleLosses`: of the ends of a cell, each for all of it."""
        if cell.curve == "between":
            return [losses_of(ranges(*self.least(cell.low, cell.high), *self.distribution(0), *self.distribution(POINTS)), E)]
        far, more, less = self.beside_mixture(cell.low, cell.high)
        ends = [self.distribution(x) for x in (cell.low, cell.high)]
        apart = np.maximum(more - 1, 1 - less)
        near = far <= self._near.get((cell.low, cell.high), self._usual)
        kept = min(float(mass[near].sum()) for mass, _ in ends) * (1 - 1e-9)
        if kept < 0.5:
            return [self._of_end(cell.curve, end, E, more, less) for end in ends]
        eta = (max(float((mass * apart)[~near].sum()) for mass, _ in ends) / kept + 2 * self.away) * (1 + 1e-9)
        bare = [self._of_end(cell.curve, end, E, np.where(near, 1 + eta, more), np.where(near, 1 - eta, less)) for end in ends]
        # so that no near report's ratio to R_0 is spread by more than a deviation of the losses
        q = min(0.5, 1e-12 + 2 * float(apart[near].max()) / min(1.0, self.deviation))
        m, at_m = self.distribution(0)
        twice, found = np.concatenate([near, near]), []
        for (mass, at, error), (_, at_end) in zip(bare, ends, strict=True):
            spread = ((apart + eta) * (at_end / at_m).max(axis=0))[near] * ((1.0 if cell.curve == "first" else E) * 2 / q * (1 + 1e-9))
            masses = [mass[twice] * (1 - q), mass[~twice], m[near] * (q / 2), m[near] * (q / 2)]
            places = [at[twice] / (1 - q) + 1e-15 * np.abs(at[twice]), at[~twice], spread, -spread]
            found.append((np.concatenate(masses), np.concatenate(places), error))
        return found

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """See `LossesOfOthers`: where losses are far more skewed than sums of many, one for users near 0 and one for those near 1."""
        if self.worst < _VERY_SKEWED:
            of_groups = ([law for cell in cells for law in self.distributions_of(cell, exp_epsilon)] for cells, _ in self._grouped)
            return [[thinned(law, kept) for law in laws] for laws in of_groups]
        if self._known[0] != exp_epsilon:
            near = [cell for cell in self.cells if cell.curve == "first" or (cell.curve == "between" and cell.high <= POINTS // 2)]
            far = [cell for cell in self.cells if cell not in near]
            self._known = exp_epsilon, [self._law(cells, exp_epsilon) for cells in (near, far)]
        return [[thinned(law, kept)] for law in self._known[1]]

    def foremost(self, exp_epsilon: float, kept: float) -> Atoms:
        """See `LossesOfOthers`: that of the cell where it is at E = 1, as wide as the distribution of its group is there."""
        mass, at, error = widest(self.distributions_of(self.extreme[0], exp_epsilon))
        return thinned((mass, at * self.wider, error), kept)

    @cached_property
    def wider(self) -> float:
        """How much wider the widest distribution of a group is than that of the foremost cell."""
        return math.sqrt(max(_mean_square(part) for _, part in self._grouped) / self._largest_square(self.extreme[0]))

    @cached_property
    def _grouped(self) -> list[tuple[list[Cell], Part]]:
        """Groups of cells, and the distribution of each."""
        tilt = Tilt(1e-9 / self.end, 2 * _COMPARED)
        found: list[tuple[list[Cell], Part]] = []
        for cell in self.cells:
            part = tilt.above(
                [
                    tilt.of(mass, np.clip(at, -self.end, self.end), level=self.level, error=0.0)
                    for mass, at, _ in self.distributions_of(cell, 1.0)
                ]
            )
            for i, (cells, known) in enumerate(found):
                both = tilt.above([known, part])
                if _mean_square(both) <= _TOGETHER * self.worst:
                    found[i] = [*cells, cell], both
                    break
            else:
                found.append(([cell], part))
        return found

    def _law(self, cells: list[Cell], E: float) -> Atoms:
        """Return a distribution above those of all s of these cells."""
        laws = [law for cell in cells for law in self.distributions_of(cell, E)]
        knots = knots_to(self.deviation / _KNOTS, _CLOSE * self.deviation, max(float(np.abs(at).max()) for _, at, _ in laws), _RATIO)
        law = above(np.max([means_beyond(each, knots) for each in laws], axis=0), knots)
        there = law.mass > 0.0
        return law.mass[there], law.at[there], law.error

    def _of_end(self, curve: str, end: tuple[Floats, Floats], E: float, more: Floats | float, less: Floats) -> Atoms:
        """Return the losses where R_s is this end's distribution, more or less of it."""
        other, (mass, at) = self.distribution(POINTS), end
        if curve == "first":
            return losses_of(ranges(*self.distribution(0), mass * more, at * more, *other), E)
        return losses_of(ranges(*self.distribution(0), *other, mass * less, at * less), E)

    def beside_mixture(self, low: int, high: int) -> tuple[Floats, float, Floats]:
        """Return squared deviations from the cell's middle, and R_s/M at most and at least, on each cell of reports."""
        far = self.farthest((low + high) / 2)
        return far**2, *beside_mixture((high - low) * self.rate / POINTS, far)

    def given_away(self, exp_epsilon: float) -> float:
        """See `LossesOfOthers`."""
        del exp_epsilon
        return self.away

    def _serves(self, curve: str, low: int, high: int) -> bool:
        """See `TripleLosses`: both curves have the same cells, with the first near reports that serve."""
        if curve == "between":
            return super()._serves(curve, low, high)
        return any(self._hardly_heavier(low, high, near) for near in self._tried)

    def _hardly_heavier(self, low: int, high: int, near: float) -> bool:
        """Return whether all of such a cell costs little more than its ends alone, or than the extreme inputs."""
        self._near[low, high] = near
        extreme = {curve: self._beyond_any(curve, 0) for curve in ("first", "second")}
        for (curve, own), other in zip(extreme.items(), reversed(extreme.values()), strict=True):
            for x, law in zip((low, high), self.distributions_of(Cell(curve, low, high), 1.0), strict=True):
                mass, at, _ = law
                if mass @ at > _RAISED * self.epsilon + 5 * self.away or mass @ at**2 > self.within * self.worst:
                    return False
                most = (1 + _HEAVIER) * np.maximum(own, self._beyond_any(curve, x)) + _HEAVIER * other + self.away
                if np.any(self._beyond_levels(law) > most):
                    return False
        return True

    def _beyond_any(self, curve: str, x: int) -> Floats:
        """The same of one input alone."""
        if (curve, x) not in self._beyond:
            self._beyond[curve, x] = self._beyond_levels(self._of_end(curve, self.distribution(x), 1.0, 1.0, np.ones(1)))
        return self._beyond[curve, x]

    def _beyond_levels(self, law: Atoms) -> Floats:
        """About E(L - c)_+ and E(-L - c)_+ at several c, from a part of the largest deviation on."""
        mass, at, _ = law
        order = np.argsort(at)
        at, mass = at[order], mass[order]
        levels = math.sqrt(self.worst) / 4 * 2.0 ** (np.arange(_LEVELS) / 2)
        sums = [np.concatenate([[0.0], np.cumsum(each)]) for each in (mass, mass * at)]
        up, down = (np.searchsorted(at, each) for each in (levels, -levels))
        return np.stack([sums[1][-1] - sums[1][up] - levels * (sums[0][-1] - sums[0][up]), -sums[1][down] - levels * sums[0][down]])


def _mean_square(part: Part) -> float:
    """Return the mean square of hardly tilted losses, about."""
    k = (part.first + np.arange(len(part.a))) * math.ldexp(1.0, part.level)
    return float((part.a * k * k).sum()) * 2.0**part.doubled
