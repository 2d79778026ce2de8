"""P^R_(n, lambda, r): a sum of numbers in [0, 1] by r bit sums of their randomized roundings (CSUZZ19, section 5.1).

Two views, always named. Tagged: the r runs can be distinguished, and what is seen is the number of ones of every run. Untagged: the one-bit
messages of all runs are shuffled together, and what is seen is the total number of ones.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from shuffleproof.spec.distribution import Distribution, bernoulli, convolution, independent
from shuffleproof.spec.model import Analyzer, LocalRandomizer, MultiMessageProtocol
from shuffleproof.spec.protocols import bit_sum
from shuffleproof.spec.vocabulary.errors import require

Bits = tuple[int, ...]
Tagged = tuple[int, int]
"""A message that names its run: (j, bit), j = 1, ..., r."""


def encoder(x: Fraction, *, r: int) -> Distribution[Bits]:
    """Return E_r(x): mu = ceil(x r), p = x r - mu + 1, the bits 1 for j < mu, Ber(p) for j = mu, 0 for j > mu.  (CSUZZ19, Algorithm 5).

    x in [0, 1], exact; r: number of bits, at least 1. The mean of the bits has expectation x and variance p (1 - p)/r^2.
    Raises DomainError.
    """
    _require_input(x)
    _require_runs(r)
    mu = ceil(x * r)
    if mu == 0:
        return Distribution.point((0,) * r)
    return bernoulli(x * r - mu + 1).map(lambda b: (1,) * (mu - 1) + (b,) + (0,) * (r - mu))


def bit_means(x: Fraction, *, r: int) -> tuple[Fraction, ...]:
    """Return E[b_1], ..., E[b_r] for b from E_r(x): one at most is not 0 or 1, so the bits are independent.  (CSUZZ19, Algorithm 5).

    Domains and errors as for `encoder`.
    """
    law = encoder(x, r=r)
    return tuple(sum((weight for bits, weight in law.items() if bits[j]), Fraction(0)) for j in range(r))


def randomizer(*, inputs: Sequence[Fraction], n: int, lam: Fraction, r: int) -> LocalRandomizer[Fraction, Bits]:
    """Return R^R: b from E_r(x), then R_(n, lambda)(b_1), ..., R_(n, lambda)(b_r), messages without tags.  (CSUZZ19, Algorithm 6).

    inputs: the finitely many x in [0, 1] to have distributions for; n, lam as in `bit_sum.randomizer`; r at least 1. Raises DomainError.
    """
    respond = bit_sum.randomizer(n=n, lam=lam)

    def responses(bits: Bits) -> Distribution[Bits]:
        return independent(map(respond.distribution, bits))

    return LocalRandomizer(inputs, {x: encoder(x, r=r).then(responses) for x in inputs})


def tagged_randomizer(*, inputs: Sequence[Fraction], n: int, lam: Fraction, r: int) -> LocalRandomizer[Fraction, tuple[Tagged, ...]]:
    """R^R with every message naming its run: (1, y_1), ..., (r, y_r). Domains and errors as for `randomizer`."""
    untagged = randomizer(inputs=inputs, n=n, lam=lam, r=r)
    return LocalRandomizer(inputs, {x: untagged.distribution(x).map(lambda bits: tuple(enumerate(bits, start=1))) for x in inputs})


def analyzer(*, n: int, lam: Fraction, r: int) -> Analyzer[int, Fraction]:
    """Return A^R: (1/r)(n/(n - lambda))(sum of all y_ij - lambda r/2), a function of the untagged view.  (CSUZZ19, Algorithm 6).

    n at least 1; lam in [0, n), exact; r at least 1. Raises DomainError.
    """
    _require_estimable(n, lam, r)
    return lambda y: estimate(ones=sum(y), n=n, lam=lam, r=r)


def estimate(*, ones: int, n: int, lam: Fraction, r: int) -> Fraction:
    """Return what A^R outputs when this many of the n r messages are 1."""
    return n / (n - lam) * (ones - lam * r / 2) / r


def protocol(*, inputs: Sequence[Fraction], n: int, lam: Fraction, r: int) -> MultiMessageProtocol[Fraction, int, Fraction]:
    """P^R = (R^R, A^R), untagged. Domains and errors are those of its parts."""
    return MultiMessageProtocol(randomizer(inputs=inputs, n=n, lam=lam, r=r), analyzer(n=n, lam=lam, r=r))


def run_distributions(dataset: Sequence[Fraction], *, lam: Fraction, r: int) -> tuple[Distribution[int], ...]:
    """The distributions of the numbers of ones of runs 1, ..., r, which are independent on every dataset: each a sum of n independent bits.

    A message of user i in run j is 1 with probability lambda/(2n) + (1 - lambda/n) E[b_ij].
    dataset: numbers in [0, 1], at least one; lam in [0, n]; r at least 1. Raises DomainError.
    """
    require(len(dataset) > 0, parameter="dataset", value=dataset, requirement="at least one number")
    _require_runs(r)
    n = len(dataset)
    respond = bit_sum.randomizer(n=n, lam=lam)
    means = [bit_means(x, r=r) for x in dataset]

    return tuple(convolution(*(bernoulli(mean[j]).then(respond.distribution) for mean in means)) for j in range(r))


def tagged_distribution(dataset: Sequence[Fraction], *, lam: Fraction, r: int) -> Distribution[tuple[int, ...]]:
    """The distribution of the tagged view: the number of ones of each run. Domains and errors as for `run_distributions`."""
    return independent(run_distributions(dataset, lam=lam, r=r))


def untagged_distribution(dataset: Sequence[Fraction], *, lam: Fraction, r: int) -> Distribution[int]:
    """The distribution of the untagged view: the total number of ones. Domains and errors as for `run_distributions`."""
    return convolution(*run_distributions(dataset, lam=lam, r=r))


def estimate_distribution(dataset: Sequence[Fraction], *, lam: Fraction, r: int) -> Distribution[Fraction]:
    """The distribution of the protocol's output. Domains as for `run_distributions`, lam below n."""
    n = len(dataset)
    _require_estimable(n, lam, r)
    return untagged_distribution(dataset, lam=lam, r=r).map(lambda y: estimate(ones=y, n=n, lam=lam, r=r))


def mean_squared_error(dataset: Sequence[Fraction], *, lam: Fraction, r: int) -> Fraction:
    """The variance of the unbiased output: that of the n r independent messages, times (n/((n - lambda) r))^2.

    Domains and errors as for `estimate_distribution`.
    """
    n = len(dataset)
    _require_estimable(n, lam, r)
    chances = [lam / (2 * n) + (1 - lam / n) * mean for x in dataset for mean in bit_means(x, r=r)]
    return (n / ((n - lam) * r)) ** 2 * sum((q * (1 - q) for q in chances), Fraction(0))


def worst_mean_squared_error(*, n: int, lam: Fraction, r: int) -> Fraction:
    """The largest `mean_squared_error` over all datasets: (n/((n - lambda) r))^2 n ((r - 1)(lambda/(2n))(1 - lambda/(2n)) + 1/4).

    A message whose bit has mean m is 1 with probability q = lambda/(2n) + (1 - lambda/n) m and has variance q (1 - q), largest at
    m = 1/2; one bit of each user can have that, and does for x = 1/(2r).
    n at least 1; lam in [0, n); r at least 1. Raises DomainError.
    """
    _require_estimable(n, lam, r)
    flipped = lam / (2 * n)
    return (n / ((n - lam) * r)) ** 2 * n * ((r - 1) * flipped * (1 - flipped) + Fraction(1, 4))


def _require_input(x: Fraction) -> None:
    require(0 <= x <= 1, parameter="x", value=x, requirement="in [0, 1]")


def _require_runs(r: int) -> None:
    require(r >= 1, parameter="r", value=r, requirement="an integer of at least 1")


def _require_estimable(n: int, lam: Fraction, r: int) -> None:
    _require_runs(r)
    bit_sum.analyzer(n=n, lam=lam)
