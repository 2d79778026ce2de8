"""How much private messages say about a hidden index: chi-square sums, exactly, and what Fano's inequality then needs."""

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from flint import arb
from hypothesis import strategies as st

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.impl.ball.numeric.binomial import relative_entropy
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions, randomizers
from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.protocols import approx_to_pure
from shuffleproof.spec.randomizers.binary_rr import binary_rr

_Distributions = list[Distribution[int]]


def selection_chi_square(of_vectors: dict[tuple[int, ...], Distribution[int]], *, d: int, q: Fraction) -> Fraction:
    """sum over j of chi2(M_j || M): M the distribution of a message on bits Ber(q), M_j the same with bit j equal to 1."""

    def message(forced: int | None) -> Distribution[int]:
        def weight(x: tuple[int, ...]) -> Fraction:
            return prod(((q if b else 1 - q) for j, b in enumerate(x) if j != forced), start=Fraction(1))

        possible = [x for x in product((0, 1), repeat=d) if forced is None or x[forced]]
        return mixture([(weight(x), of_vectors[x]) for x in possible])

    M = message(None)
    return sum(((message(j)[y] - w) ** 2 / w for j in range(d) for y, w in M.items()), Fraction(0))


def histogram_chi_square(of_values: _Distributions) -> Fraction:
    """The mean over j of chi2(R(j) || M), M the mean of the distributions."""
    d = len(of_values)
    M = mixture([(Fraction(1, d), law) for law in of_values])
    return sum(((law[y] - w) ** 2 / w for law in of_values for y, w in M.items()), Fraction(0)) / d


@st.composite
def local_distributions(draw: st.DrawFn) -> tuple[Fraction, _Distributions]:
    """e^eps and the distributions of an exactly eps-DP randomizer on four inputs; randomized response on the first of two bits often."""
    E = draw(st.sampled_from(tuple(map(Fraction, ("11/10", "2", "5")))))
    if draw(st.booleans()):
        R: LocalRandomizer[Any, Any] = binary_rr(exp_epsilon0=E)
        return E, [R.distribution(x // 2) for x in range(4)]
    drawn = draw(randomizers(exp_epsilon0=E, inputs=4))
    return E, [drawn.distribution(x) for x in range(4)]


@st.composite
def clipped_distributions(draw: st.DrawFn) -> tuple[Fraction, _Distributions]:
    """e^eps and four distributions within e^(+-eps) of one distribution; often both limits are reached, with mean 1."""
    E = draw(st.sampled_from(tuple(map(Fraction, ("11/10", "2", "5")))))
    if draw(st.booleans()):
        high = Distribution({0: E / (E + 1), 1: 1 / (E + 1)})
        low = Distribution({0: 1 / (E * (E + 1)), 1: 1 - 1 / (E * (E + 1))})
        return E, [high if x == 3 else low for x in range(4)]
    rho = draw(distributions(outputs=3))
    return E, [approx_to_pure.clipped(draw(distributions(outputs=3)), rho, exp_epsilon=E) for _ in range(4)]


def as_vectors(of_inputs: _Distributions) -> dict[tuple[int, ...], Distribution[int]]:
    """Four distributions as those of {0, 1}^2."""
    return dict(zip(product((0, 1), repeat=2), of_inputs, strict=True))


def needed(success: Fraction | int, d: int) -> arb:
    """kl(success || 1/d) at the working precision."""
    return relative_entropy(ball(success), ball(Fraction(1, d)))
