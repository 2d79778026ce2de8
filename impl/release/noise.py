"""Who draws the noise: this package's exact samplers, or OpenDP's. Both have an exact distribution and no float in it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.impl.release.integer_noise import discrete_gaussians, discrete_laplaces
from shuffleproof.spec.vocabulary.errors import optional
from shuffleproof.spec.vocabulary.numerals import float_toward

Integers = NDArray[np.int64]


class Sampler(Protocol):
    """Draws discrete noise of a scale, or of a variance, that it can represent."""

    def laplace_scale(self, scale: Fraction) -> Fraction:
        """The least scale at or above the one asked for that it draws with."""
        ...

    def gaussian_variance(self, variance: Fraction) -> Fraction:
        """The least variance at or above the one asked for that it draws with, about."""
        ...

    def laplaces(self, *, scale: Fraction, size: int) -> Integers:
        """Independent draws, Pr[X = x] proportional to e^(-|x|/scale); scale: as `laplace_scale` gave it."""
        ...

    def gaussians(self, *, variance: Fraction, size: int) -> Integers:
        """Independent draws, Pr[X = x] proportional to e^(-x^2/(2 variance)); variance: as `gaussian_variance` gave it."""
        ...


@dataclass(frozen=True)
class Own:
    """The samplers of this package, on a source of uniform bits."""

    source: BitSource

    def laplace_scale(self, scale: Fraction) -> Fraction:
        """Any rational."""
        return scale

    def gaussian_variance(self, variance: Fraction) -> Fraction:
        """Any rational."""
        return variance

    def laplaces(self, *, scale: Fraction, size: int) -> Integers:
        """See Sampler."""
        return discrete_laplaces(scale=scale, size=size, source=self.source)

    def gaussians(self, *, variance: Fraction, size: int) -> Integers:
        """See Sampler."""
        return discrete_gaussians(variance=variance, size=size, source=self.source)


class OpenDP:
    """OpenDP's samplers (extra `opendp`), which take their scale as a float64, at its exact value, and their bits from the system.

    Raises MissingExtraError without the package.
    """

    def __init__(self) -> None:
        dp = optional("opendp.prelude", extra="opendp", what="OpenDP's samplers", otherwise="use this package's own")
        dp.enable_features("contrib")
        self._dp = dp

    def laplace_scale(self, scale: Fraction) -> Fraction:
        """The next float64."""
        return Fraction(float_toward(scale, direction="up"))

    def gaussian_variance(self, variance: Fraction) -> Fraction:
        """The square of the first float64 whose square is enough."""
        return Fraction(self._deviation(variance)) ** 2

    def laplaces(self, *, scale: Fraction, size: int) -> Integers:
        """See Sampler."""
        dp = self._dp
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
        return np.asarray((space >> dp.m.then_laplace(scale=float(scale)))([0] * size), dtype=np.int64)

    def gaussians(self, *, variance: Fraction, size: int) -> Integers:
        """See Sampler."""
        dp = self._dp
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
        return np.asarray((space >> dp.m.then_gaussian(scale=self._deviation(variance)))([0] * size), dtype=np.int64)

    @staticmethod
    def _deviation(variance: Fraction) -> float:
        deviation = math.sqrt(float_toward(variance, direction="up"))
        while Fraction(deviation) ** 2 < variance:
            deviation = float(np.nextafter(deviation, np.inf))
        while Fraction(float(np.nextafter(deviation, 0.0))) ** 2 >= variance:
            deviation = float(np.nextafter(deviation, 0.0))
        return deviation
