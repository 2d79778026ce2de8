"""CSUZZ19, tails of many noisy bits by points of a circle: what the points add up to, what wraps around, and what is left out.

`ones` bits equal to 1 and `zeros` equal to 0, each flipped with probability p, q = 1 - p; Z is the number of ones minus `ones`.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.distribution import Distribution, binomial, convolution

_FLIPS = tuple(map(Fraction, ("1/20", "2/5", "1/2")))
_RADII = tuple(map(Fraction, ("9/8", "3")))
_STEPS = tuple(map(Fraction, ("5/4", "6")))
_COSINES = tuple(map(Fraction, ("1", "24/25", "4/5", "3/5", "0", "-3/5", "-1")))
_QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # of a turn, as complex numbers: where the circle's points are exact
Complex = tuple[Fraction, Fraction]
Case = tuple[int, int, Fraction, int, Fraction, Fraction, int]
"""ones, zeros, p, u, e^theta, e^s and T."""


def _times(x: Complex, y: Complex) -> Complex:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def _inverse(x: Complex) -> Complex:
    size = x[0] ** 2 + x[1] ** 2
    return x[0] / size, -x[1] / size


def _power(x: Complex, n: int) -> Complex:
    base, found = (x if n >= 0 else _inverse(x)), (Fraction(1), Fraction(0))
    for _ in range(abs(n)):
        found = _times(found, base)
    return found


def _tilted(ones: int, zeros: int, p: Fraction, u: int, y: Complex) -> Complex:
    """(q + p y)^zeros (q + p/y)^ones y^-u."""
    over = _inverse(y)
    heads, tails = _power((1 - p + p * y[0], p * y[1]), zeros), _power((1 - p + p * over[0], p * over[1]), ones)
    return _times(_times(heads, tails), _power(y, -u))


@cache
def _falls(ones: int, zeros: int, p: Fraction, radius: Fraction) -> bool:
    """Return whether |G(y)|/|y - 1| falls along half a circle."""
    q = 1 - p

    def squared(cosine: Fraction) -> Fraction:
        heads = q * q + p * p * radius**2 + 2 * p * q * radius * cosine
        tails = q * q + p * p / radius**2 + 2 * p * q * cosine / radius
        return heads**zeros * tails**ones / (radius**2 + 1 - 2 * radius * cosine)

    return all(squared(after) <= squared(before) for before, after in pairwise(_COSINES))


@cache
def _noisy_sum(ones: int, zeros: int, p: Fraction) -> Distribution[int]:
    """Return the distribution of Z, by how much flips change the number of ones."""
    return convolution(binomial(ones, 1 - p), binomial(zeros, p)).map(lambda y: y - ones)


@derived(
    "CSUZZ19.Profile.circle",
    where="Definition 3.4 for Algorithms 1 and 6",
    says="with G(y) = (q + p y)^zeros (q + p/y)^ones, M(x) = G(x) x^-u and the 2 T points of the circle of radius rho > 1: the mean of "
    "G(y) y^-u times 1, 1/y or (1 - y^-T)/(y - 1) exceeds Pr(Z = u), Pr(Z = u + 1) or Pr(u < Z <= u + T) by at most "
    "sigma^(-2 T) M(rho sigma) + sigma^-T M(rho/sigma) and is not below; times y "
    "it exceeds Pr(Z = u - 1) by rho sigma times that; Pr(Z > u + T) <= (rho sigma)^-T M(rho sigma); and |G(y)| and "
    "|G(y)/(y - 1)| fall as y turns away from the real axis",
    range="all numbers of bits, p in (0, 1), all u, T >= 1, rho > 1, sigma > 1",
    governs=["impl.ball.bounds.sums.noisy_bits_contour"],
    grounds=[EXACT, "sums-of-engines#tails-on-a-circle"],
    mutants={
        "T points": {"turns": 1},
        "all that is wrapped from below is 2 T away": {"below": 2},
        "nothing is wrapped from above": {"above": 0},
        "what is beyond T is e^(-2 T) times less": {"beyond": 2},
        "1/(y - 1)": {"closed": False},
        "times y as much as times 1": {"nearer": 0},
    },
    missing="sizes, radii and T beyond the enumerated ones",
)
def points_of_a_circle(
    budget: Budget, *, turns: int = 2, above: int = 1, below: int = 1, beyond: int = 1, closed: bool = True, nearer: int = 1
) -> Verdict:
    """The mean over 2 and 4 points of a circle, in Gaussian rationals, against the distribution; and how |G(y)/(y - 1)| falls."""

    def holds(ones: int, zeros: int, p: Fraction, u: int, radius: Fraction, step: Fraction, T: int) -> bool:
        law = _noisy_sum(ones, zeros, p)
        means = [Fraction(0)] * 4
        for turn in _QUARTERS[:: 4 // (turns * T)]:
            y = radius * turn[0], radius * turn[1]
            density, over = _tilted(ones, zeros, p, u, y), _inverse(y)
            last = _power(over, T) if closed else (Fraction(0), Fraction(0))
            kernel = _times((1 - last[0], -last[1]), _inverse((y[0] - 1, y[1])))
            for i, factor in enumerate(((Fraction(1), Fraction(0)), over, kernel, y)):
                means[i] += _times(density, factor)[0] / (turns * T)
        up, down = (_tilted(ones, zeros, p, u, (at, Fraction(0)))[0] for at in (radius * step, radius / step))
        wrapped, further = above * up / step ** (2 * T) + down / step ** (below * T), up / (radius * step) ** (beyond * T)
        within = sum((w for z, w in law.items() if u < z <= u + T), Fraction(0))
        rest = sum((w for z, w in law.items() if z > u + T), Fraction(0))
        sides = [(law[u], wrapped), (law[u + 1], wrapped), (within, wrapped), (law[u - 1], (radius * step) ** nearer * wrapped)]
        near = all(truth <= mean <= truth + most for mean, (truth, most) in zip(means, sides, strict=True))
        return near and rest <= further and _falls(ones, zeros, p, radius)

    largest = budget.pick(quick=3, full=7)
    cases = (
        (ones, zeros, p, u, radius, step, T)
        for ones, zeros, p, radius, step, T in product(range(largest + 1), range(largest + 1), _FLIPS, _RADII, _STEPS, (1, 2))
        for u in range(-ones - 1, zeros + 1, 2)
    )
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"ones, zeros <= {largest}, every second u, three p, two radii, two sigma, 2 and 4 points, seven angles",
        note="for all sizes: the points count what lies a multiple of 2 T away, to which Markov's inequality applies",
    )
