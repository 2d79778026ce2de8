"""Noise that everybody adds to a sum: coins, and discrete Gaussians."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from shuffleproof.proofs_check.ledger import EXACT, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.noise import binomial_sum, discrete_gaussian_sum
from shuffleproof.spec.distribution import binomial, convolution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.elementary import exp_bounds

_ORDERS = (Fraction(1), Fraction(11, 10), Fraction(3))  # e^epsilon, beside the profile's corners
_PI_SQUARED = Fraction(986, 100)
"""A little below pi^2, so that what falls with it is not too small."""
_BITS = 120  # of enclosures
_CLOSE = Fraction(1, 10**20)  # enclosures of 120 bits are closer than that


def _half_lines(masses: Sequence[Fraction], shift: int, E: Fraction, step: int) -> Fraction:
    """The largest F(t) - E F(t - shift), masses at 0, 1, ..."""
    sums = [Fraction(0)]
    for mass in masses:
        sums.append(sums[-1] + mass)
    return max(sums[t] - E * sums[max(t - shift - step, 0)] for t in range(len(sums)))


@derived(
    "BEYOND.binomial-sum",
    where="docs/mathematics/noise-in-parts.md",
    says="let each of N >= n honest users add the heads of m coins Bern(p) to their integer; only the sum is seen. For data that one user "
    "moves by at most s its deltas are at most those of Bin(n m, p) and its shift by s, which are the larger of max over t of F(t) - E F(t "
    "- s) for p and for 1 - p, F the distribution function; with n honest users and data that move it by s they are these",
    range="n >= 1, m >= 1, s >= 1, p in [0, 1], E >= 1",
    governs=[
        "spec.bounds.noise.binomial_sum",
        "impl.ball.bounds.noise.binomial_sum",
        "impl.fast.bounds.noise.binomial_sum",
        "impl.fast.bounds.noise.noise_window",
    ],
    grounds=["noise-in-parts#coins-from-everybody", EXACT],
    mutants={"one coin more for each user": {"more": 1}, "the shift is one larger": {"step": 1}, "one direction alone": {"ways": 1}},
    missing="more coins and larger shifts than enumerated",
)
def coins_from_everybody(budget: Budget, *, more: int = 0, step: int = 0, ways: int = 2) -> Verdict:
    """n-fold sums of binomials are binomial; the profile of the pair is that of half-lines in both directions; smaller shifts say less."""
    largest = budget.pick(quick=4, full=6)

    def holds(n: int, m: int, s: int, p: Fraction) -> bool:
        law, mirrored = reduce(convolution, [binomial(m, p)] * n), binomial(n * m, 1 - p)
        if law != binomial(n * m + more, p):
            return False
        profile = PrivacyProfile(*binomial_sum.pair(coins=n * m, p=p, sensitivity=s))
        smaller = [PrivacyProfile(*binomial_sum.pair(coins=n * m, p=p, sensitivity=shift)) for shift in range(1, s)]
        masses = [[each[z] for z in range(n * m + 1)] for each in (law, mirrored)]
        for E in sorted({*_ORDERS, *profile.corners()}):
            value = profile.delta(exp_epsilon=E)
            if value != max(_half_lines(each, s, E, step) for each in masses[:ways]):
                return False
            if any(each.delta(exp_epsilon=E) > value for each in smaller):
                return False
        return True

    cases = [
        (n, m, s, p)
        for n in (1, 2, 3)
        for m in (1, 2)
        for s in range(1, largest - 1)
        for p in (Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))
        if n * m <= largest
    ]
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"n <= 3, m <= 2, n m <= {largest}, s <= {largest - 2}, p = 1/3, 1/2, 9/10, all corners of the profile",
        witness=lambda case: f"n, m, s, p = {case}",
        note="for all: binomial masses are log-concave, so that the ratio to the shift's falls; what further users add is post-processing",
    )


@derived(
    "BEYOND.discrete-gaussian-sum",
    where="docs/mathematics/noise-in-parts.md",
    says="let each of N >= n honest users add discrete Gaussian noise of sigma^2 to their integer; only the sum is seen. For "
    "data that one user moves by at most s its deltas are at most max over t of F(t) - E F(t - s), F the distribution "
    "function of the sum of n such noises; with n honest users and data that move it by s they are these. The masses of "
    "that sum, times e^(x^2/(2 n sigma^2)), are within a factor prod over k < n of (1 + r_k)/(1 - r_k) of each other, r_k"
    " = 2 sum over j >= 1 of e^(-2 pi^2 j^2 sigma^2 k/(k + 1)), where all r_k < 1",
    range="n >= 1, s >= 1, sigma > 0, E >= 1",
    governs=[
        "spec.bounds.noise.discrete_gaussian_sum",
        "impl.ball.bounds.noise.discrete_gaussian_sum",
        "impl.fast.bounds.noise.discrete_gaussian_sum",
        "impl.release.discrete_gaussian",
    ],
    grounds=[
        "noise-in-parts#discrete-gaussians-from-everybody",
        EXACT,
        Cited("Poisson summation", "noise-in-parts#discrete-gaussians-from-everybody"),
        Cited("convolutions of log-concave sequences are log-concave", "noise-in-parts#discrete-gaussians-from-everybody"),
        Cited("Jacobi's triple product", "noise-in-parts#discrete-gaussians-from-everybody"),
    ],
    mutants={
        "the shift is one larger": {"step": 1},
        "the exponents of r_k are twice as large": {"rate": 2},
        "the sum is the discrete Gaussian of its variance": {"factors": 0},
    },
    missing="more users, other variances and larger shifts than looked at",
)
def discrete_gaussians_from_everybody(budget: Budget, *, step: int = 0, rate: int = 1, factors: int = 1) -> Verdict:
    """Convolutions between rationals: the definition against half-lines and smaller shifts, the masses against a discrete Gaussian's."""
    largest = budget.pick(quick=3, full=4)

    def holds(n: int, s: int, variance: Fraction) -> bool:
        law = discrete_gaussian_sum.total(discrete_gaussian_sum.one(variance), n)
        unit = discrete_gaussian_sum.UNIT
        low, high = ([Fraction(x, unit) for x in side] for side in (law.low, law.high))
        for E in _ORDERS:
            value = discrete_gaussian_sum.hockey_stick(law, shift=s, exp_epsilon=(E, E))
            if not all(value[0] - _CLOSE <= _half_lines(side, s, E, step) <= value[1] + _CLOSE for side in (low, high)):
                return False
            if any(discrete_gaussian_sum.hockey_stick(law, shift=r, exp_epsilon=(E, E))[0] > value[1] for r in range(1, s)):
                return False
        near = range(-4, 5)
        raised = [
            [ends[x - law.first] * exp_bounds(Fraction(x * x) / (2 * n * variance), bits=_BITS)[side] for x in near]
            for side, ends in enumerate((low, high))
        ]
        return max(raised[0]) <= min(raised[1]) * _factor(n, variance, rate) ** factors

    cases = [(n, s, variance) for n in range(1, largest + 1) for s in (1, 3) for variance in (Fraction(1, 3), Fraction(1), Fraction(3))]
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"n <= {largest}, s = 1, 3, sigma^2 = 1/3, 1, 3, E = 1, 11/10, 3, masses at |x| <= 4, all to 10^-20",
        witness=lambda case: f"n, s, sigma^2 = {case}",
        note="for all: sums of log-concave variables are log-concave, so that the ratio to the shift's mass falls; Poisson summation "
        "bounds what one more convolution does to the masses",
    )


def _factor(n: int, variance: Fraction, rate: int) -> Fraction:
    """prod of (1 + r_k)/(1 - r_k), from above."""
    found = Fraction(1)
    for k in range(1, n):
        exponents = (2 * rate * _PI_SQUARED * variance * k * j * j / (k + 1) for j in (1, 2, 3, 4))
        r = 2 * sum((exp_bounds(-each, bits=_BITS)[1] for each in exponents), Fraction(1, 10**30))
        found *= (1 + r) / (1 - r)
    return found
