"""Distribution functions of integer noise, discrete Laplace and discrete Gaussian, of one term or the sum of two, certified."""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, precision
from shuffleproof.impl.ball.numeric.results import Enclosure
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon, positive

_MOST_TERMS = 4000
"""Terms of one distribution function, at most."""


@reads(epsilon=parse_epsilon)
def laplace_cdf(*, epsilon: Epsilon, terms: int, x: int, digits: int = 20) -> Enclosure:
    """P(Z <= x) for Z with mass proportional to e^(-epsilon |z|) on the integers, or for the sum of two independent ones.

    epsilon > 0; terms 1 or 2. Exact where e^epsilon is rational; else at both ends of it, which is enough since both distributions are
    symmetric and unimodal, so that their tails fall in epsilon. Raises DomainError.
    """
    require(epsilon > Epsilon(Fraction(0), Fraction(1)), parameter="epsilon", value=str(epsilon), requirement="above 0")
    require(terms in (1, 2), parameter="terms", value=terms, requirement="1 or 2")
    found = sorted(_laplace_cdf(1 / exp, terms, x) for exp in epsilon.exp_bounds(bits=4 * digits + 64))
    return Enclosure(found[0], found[1])


@reads(variance=positive)
def gaussian_cdf(*, variance: Fraction, terms: int, x: int, digits: int = 20) -> Enclosure:
    """P(Z <= x) for Z with mass proportional to e^(-z^2 / (2 variance)) on the integers, or for the sum of two independent ones.

    variance > 0; terms 1 or 2. What lies beyond the terms that are added is enclosed between 0 and a geometric series. Raises DomainError;
    ResourceLimitError for a variance, or an x, far beyond 10^4.
    """
    require(terms in (1, 2), parameter="terms", value=terms, requirement="1 or 2")
    return Enclosure(*_gaussian_cdf(variance, terms, x, digits=digits))


def _laplace_cdf(alpha: Fraction, terms: int, x: int) -> Fraction:
    """Return the distribution function by the sum of the tail beyond |x|, a geometric series, times a linear term for two."""
    if x >= 0:
        return 1 - _laplace_cdf(alpha, terms, -x - 1)
    m, c = -x, (1 - alpha) / (1 + alpha)
    if terms == 1:
        return alpha**m / (1 + alpha)
    level = (1 + alpha**2) / (1 - alpha**2)
    return c**2 * alpha**m * ((m + level) / (1 - alpha) + alpha / (1 - alpha) ** 2)


def _gaussian_cdf(variance: Fraction, terms: int, x: int, *, digits: int) -> tuple[Fraction, Fraction]:
    """Enclose the distribution function by sums over |z| <= R, with what is beyond them between 0 and a geometric series."""
    wanted = 3 * digits + x * x / (2 * terms * variance) if x else Fraction(3 * digits)
    reach = int((2 * variance * wanted * 3) ** 1) if variance < 1 else int(float(6 * variance * wanted) ** 0.5)
    reach = max(reach, abs(x)) + 2
    if reach > _MOST_TERMS:
        raise ResourceLimitError(what=f"the sum of {reach} terms", needed=str(reach), limit=str(_MOST_TERMS))
    with precision(8 * digits + 64 + int(float(wanted) * 3)):
        weights = [(-ball(Fraction(z * z) / (2 * variance))).exp() for z in range(reach + 1)]
        ratio = (-ball(Fraction(2 * reach + 1) / (2 * variance))).exp()
        beyond = weights[reach] * ratio / (1 - ratio)  # of one side: the ratios of neighbours fall
        rest = _from_zero(beyond)
        total = weights[0] + 2 * sum(weights[1:], arb(0)) + 2 * rest
        below = _tail(weights, rest, -x) if x < 0 else total - _tail(weights, rest, x + 1)
        if terms == 1:
            return ends(below / total)
        # P(Z1 + Z2 <= x): the distribution of the first, times the tail of the second
        tails = [rest] * (2 * reach + 2)
        for z in range(reach, -reach - 1, -1):
            tails[z + reach] = tails[z + reach + 1] + weights[abs(z)]
        inside = arb(0)
        for z in range(-reach, reach + 1):
            at = z - x  # the second is at least this, by symmetry
            inside += weights[abs(z)] * (total if at <= -reach else rest if at > reach else tails[at + reach])
        inside += _from_zero(2 * beyond * total)
        return ends(inside / (total * total))


def _tail(weights: list[arb], rest: arb, start: int) -> arb:
    """The weight of all integers from start on, at least 1."""
    return sum(weights[start:], arb(0)) + rest


def _from_zero(most: arb) -> arb:
    """A ball around everything from 0 to a number."""
    return arb(0).union(most)
