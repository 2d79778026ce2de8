"""P_(n, lambda): a sum of bits by shuffled randomized response, and the algorithms that simulate its view (CSUZZ19, section 4)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from shuffleproof.spec.distribution import Distribution, bernoulli, binomial, convolution, mixture
from shuffleproof.spec.model import Analyzer, LocalRandomizer, Protocol
from shuffleproof.spec.vocabulary.errors import require


def randomizer(*, n: int, lam: Fraction) -> LocalRandomizer[int, int]:
    """Return R_(n, lambda) on x in {0, 1}: b ~ Ber(lambda/n); send x if b = 0, else a bit from Ber(1/2).  (CSUZZ19, Algorithm 1).

    n: number of users, at least 1; lam: lambda, the expected number of random bits, in [0, n], exact. Raises DomainError.
    """
    _require_parameters(n, lam)

    def distribution(x: int) -> Distribution[int]:
        return bernoulli(lam / n).then(lambda b: Distribution.point(x) if b == 0 else bernoulli(Fraction(1, 2)))

    return LocalRandomizer((0, 1), {x: distribution(x) for x in (0, 1)})


def analyzer(*, n: int, lam: Fraction) -> Analyzer[int, Fraction]:
    """Return A_(n, lambda): (n/(n - lambda)) (sum of y_i - lambda/2).  (CSUZZ19, Algorithm 1).

    n: number of users, at least 1; lam in [0, n), exact: at lambda = n the messages say nothing. Raises DomainError.
    """
    _require_estimable(n, lam)
    return lambda y: estimate(ones=sum(y), n=n, lam=lam)


def estimate(*, ones: int, n: int, lam: Fraction) -> Fraction:
    """Return what A_(n, lambda) outputs when this many of the messages are 1."""
    return n / (n - lam) * (ones - lam / 2)


def protocol(*, n: int, lam: Fraction) -> Protocol[int, int, Fraction]:
    """P_(n, lambda) = (R_(n, lambda), A_(n, lambda)). Domains and errors are those of its parts."""
    return Protocol(randomizer(n=n, lam=lam), analyzer(n=n, lam=lam))


def ones_distribution(*, n: int, lam: Fraction, ones: int) -> Distribution[int]:
    """The distribution of the number of messages 1 on a dataset with so many ones: Bin(ones, 1 - lambda/(2n)) + Bin(n - ones, lambda/(2n)).

    It carries all of the view.  (CSUZZ19, section 4.2)
    n: at least 1; lam in [0, n]; ones from 0 to n. Raises DomainError.
    """
    _require_parameters(n, lam)
    require(0 <= ones <= n, parameter="ones", value=ones, requirement=f"an integer from 0 to {n}")
    flipped = lam / (2 * n)
    return convolution(binomial(ones, 1 - flipped), binomial(n - ones, flipped))


def estimate_distribution(*, n: int, lam: Fraction, ones: int) -> Distribution[Fraction]:
    """The distribution of the protocol's output on a dataset with this many ones. Domains as for `ones_distribution`, lam below n."""
    _require_estimable(n, lam)
    return ones_distribution(n=n, lam=lam, ones=ones).map(lambda y: estimate(ones=y, n=n, lam=lam))


def mean_squared_error(*, n: int, lam: Fraction) -> Fraction:
    """Return the variance of the unbiased output on any dataset: (n/(n - lambda))^2 (lambda/2)(1 - lambda/(2n)).  (CSUZZ19, Claim B.2).

    n: at least 1; lam in [0, n). Raises DomainError.
    """
    _require_estimable(n, lam)
    return (n / (n - lam)) ** 2 * (lam / 2) * (1 - lam / (2 * n))


def c_subset(dataset: Sequence[int], *, subset: Iterable[int]) -> Distribution[int]:
    """Return C_H: the sum of x_i over i not in H, plus Bin(|H|, 1/2).  (CSUZZ19, Algorithm 3).

    dataset: bits, at least one; subset: H, users counted from 0. Raises DomainError.
    """
    _require_bits(dataset)
    chosen = set(subset)
    for i in chosen:
        require(0 <= i < len(dataset), parameter="subset", value=i, requirement=f"users from 0 to {len(dataset) - 1}")
    kept = sum(x for i, x in enumerate(dataset) if i not in chosen)
    return binomial(len(chosen), Fraction(1, 2)).map(lambda noise: kept + noise)


def c_size(dataset: Sequence[int], *, s: int) -> Distribution[int]:
    """Return C_s: H uniform among the sets of s users, then C_H.  (CSUZZ19, Algorithm 4).

    dataset: bits, at least one; s from 0 to n. Raises DomainError.
    """
    n = len(dataset)
    require(0 <= s <= n, parameter="s", value=s, requirement=f"an integer from 0 to {n}")
    return Distribution.uniform(combinations(range(n), s)).then(lambda subset: c_subset(dataset, subset=subset))


def c_lambda(dataset: Sequence[int], *, lam: Fraction) -> Distribution[int]:
    """Return C_lambda: s ~ Bin(n, lambda/n), then C_s.  (CSUZZ19, Algorithm 2).

    dataset: bits, at least one; lam in [0, n], exact. Enumerates the 2^n sets of users. Raises DomainError.
    """
    n = len(dataset)
    _require_parameters(n, lam)
    return mixture([(weight, c_size(dataset, s=s)) for s, weight in binomial(n, lam / n).items()])


def _require_bits(dataset: Sequence[int]) -> None:
    require(len(dataset) > 0, parameter="dataset", value=dataset, requirement="at least one bit")
    for x in dataset:
        require(x in (0, 1), parameter="dataset", value=x, requirement="bits 0 and 1")


def _require_parameters(n: int, lam: Fraction) -> None:
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(0 <= lam <= n, parameter="lam", value=lam, requirement=f"from 0 to n = {n}")


def _require_estimable(n: int, lam: Fraction) -> None:
    _require_parameters(n, lam)
    require(lam < n, parameter="lam", value=lam, requirement=f"below n = {n}, where the messages say nothing about the sum")
