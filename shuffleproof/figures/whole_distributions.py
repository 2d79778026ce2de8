"""Every randomizer by its whole distribution: how far the bracket is open, what the blanket leaves open, what p, beta and q say."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations, product
from statistics import NormalDist

from shuffleproof.figures.chart import Table
from shuffleproof.mechanisms import distributions
from shuffleproof.mechanisms.mechanism import Shuffled, shuffled
from shuffleproof.mechanisms.randomizers import (
    KRR,
    RAPPOR,
    AsymmetricRAPPOR,
    FromDistribution,
    Gaussian,
    Hadamard,
    Laplace,
    LocalHashing,
    NamedRandomizer,
    Randomizer,
    Subset,
)
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import decimal_text, parse_epsilon
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.randomizers import of_given

DELTA = "1e-6"
RANDOMIZERS: Mapping[str, Callable[[str], Randomizer]] = {
    "k-rr, k = 10": lambda local: KRR(k=10, epsilon0=local),
    "k-rr, k = 2": lambda local: KRR(k=2, epsilon0=local),
    "hadamard, k = 100": lambda local: Hadamard(k=100, epsilon0=local),
    "hadamard, k = 100, blocks = 4": lambda local: Hadamard(k=100, blocks=4, epsilon0=local),
    "subset, k = 16, d = 4": lambda local: Subset(k=16, d=4, epsilon0=local),
    "asymmetric-rappor": lambda local: AsymmetricRAPPOR(epsilon0=local),
    "rappor": lambda local: RAPPOR(epsilon0=local),
    "hash, buckets = 16": lambda local: LocalHashing(buckets=16, family="uniform", epsilon0=local),
    "hash, buckets = 4": lambda local: LocalHashing(buckets=4, family="uniform", epsilon0=local),
    "hash, buckets = 2": lambda local: LocalHashing(buckets=2, family="uniform", epsilon0=local),
    "laplace": lambda local: Laplace(epsilon0=local),
    "clipped-laplace, levels = 5": lambda local: FromDistribution(distributions.clipped_laplace(levels=5, epsilon0=local)),
    "staircase, levels = 5, high = 2, beyond = 4": lambda local: FromDistribution(
        distributions.staircase(levels=5, epsilon0=local, high=2, beyond=4)
    ),
    "truncated-gaussian, levels = 5, beyond = 2, sigma^2 = 1/eps0": lambda local: FromDistribution(
        distributions.truncated_gaussian(levels=5, sigma=f"{1 / math.sqrt(float(local)):.4f}", beyond=2)
    ),
    "k-rr-by-item, eps0 and for one eps0/2": lambda local: FromDistribution(
        distributions.k_rr_by_item(epsilons=[local, local, local, f"{float(local) / 2}"])
    ),
    "gaussian, sigma^2 = 1/eps0": lambda local: Gaussian(sigma=f"{1 / math.sqrt(float(local)):.4f}"),
}
LOCAL = ("1", "3")
USERS = (10**4, 10**6)  # Numbers of users of a row.
_DIGITS = 6  # Of each end, rounded to its side.
_ABOVE = ("another-place", "gaussian-place", "k-rr-exhaustive")
_BLANKETS = ("blanket", "gaussian-blanket")
_BELOW = ("homogeneous", "gaussian-homogeneous")
_PAIRS = ("randomizer-pair", "optimal-pair")


@cache
def randomizer_brackets(local: tuple[str, ...] = LOCAL, users: tuple[int, ...] = USERS, chosen: tuple[int, ...] | None = None) -> Table:
    """For every randomizer: a lower and an upper bound, their ratio, the blanket's, chi-squares, and the optimal pair's epsilon.

    chosen: places in RANDOMIZERS, all if None.
    """
    names = list(RANDOMIZERS)
    taken = [names[i] for i in chosen] if chosen is not None else names
    places = list(product(taken, local, users))
    return Table(
        title=f"Shuffled randomizers by their whole distributions: epsilon at delta = {DELTA}, from both sides",
        columns=(
            "randomizer",
            "eps0",
            "n",
            "at least",
            "at most",
            "by",
            "ratio",
            "blanket's ratio",
            "of mu",
            "its chi-square",
            "datasets'",
            "optimal pair",
            "gained",
        ),
        rows=[_row(own, each, n) for own, each, n in steps(places, of="brackets")],
        notes=(
            "at least: neighbouring datasets in which all others hold one input (method homogeneous). at most: all neighbouring datasets, "
            "the less of methods another-place and blanket. All float64, rounded to their safe side, as is their ratio: what remains open.",
            "its chi-square, datasets': of R_0 and R_1 against the blanket, and against the others' distribution of the lower side, "
            "about; of mu: the root of their ratio, to which the blanket's ratio tends for many users; where it is 1 the blanket is tight. "
            "To that order no datasets are worse than those of the lower side, and another-place has their value "
            "(docs/mathematics/random-swap.md).",
            "optimal pair: all that p, beta and q give, float64, rounded up. gained: its epsilon over that of at most.",
        ),
    )


def _row(name: str, epsilon0: str, n: int) -> tuple[str, ...]:
    randomizer = RANDOMIZERS[name](epsilon0)
    mechanism = shuffled(randomizer, n=n)
    blanket, lower = (_asked(mechanism, of) for of in (_BLANKETS, _BELOW))
    of_many = isinstance(randomizer, KRR) and randomizer.k != 2
    place = None if of_many else _asked(mechanism, _ABOVE)
    pair = None if isinstance(randomizer, Gaussian) else _asked(mechanism, _PAIRS)
    upper = min((each for each in (blanket, place) if each is not None), key=lambda bound: bound.upper)
    above, below = chi_squares(randomizer)
    return (
        name,
        epsilon0,
        str(n),
        decimal_text(lower.lower, digits=_DIGITS, direction="down"),
        decimal_text(upper.upper, digits=_DIGITS, direction="up"),
        upper.method,
        decimal_text(upper.upper / lower.lower, digits=5, direction="up"),
        decimal_text(blanket.upper / lower.lower, digits=5, direction="up"),
        f"{math.sqrt(above / below):.4f}",
        f"{above:.4g}",
        f"{below:.4g}",
        *(
            ("", "")
            if pair is None
            else (
                decimal_text(pair.upper, digits=_DIGITS, direction="up"),
                decimal_text(pair.upper / upper.upper, digits=4, direction="down"),
            )
        ),
    )


def _asked(mechanism: Shuffled, names: tuple[str, ...]) -> Bound:
    (name,) = (each for each in names if each in mechanism.methods())
    try:
        return mechanism.by_method("epsilon", DELTA, method=name, engine="fast")
    except UnsupportedError:
        if name not in _PAIRS:
            raise
        return mechanism.by_method("epsilon", DELTA, method=name, engine="auto")


def gaussian_chi_squares(sigma: float) -> tuple[float, float]:
    """Return both of Gaussian noise on [0, 1]: the blanket is the density of the end that is farther away.

    With r = 1/sigma: 2 (e^(r^2) Phi(3r/2) - 2 Phi(r/2) + Phi(-r/2)) of the blanket, e^(r^2) - 1 of those who all hold 0.
    """
    r, below = 1 / sigma, NormalDist().cdf
    return 2 * (math.exp(r * r) * below(1.5 * r) - 2 * below(r / 2) + below(-r / 2)), math.expm1(r * r)


def chi_squares(randomizer: Randomizer) -> tuple[float, float]:
    """Return those of the blanket, and of the datasets in which all others hold one input, about; the largest."""
    if isinstance(randomizer, Gaussian):
        return gaussian_chi_squares(float(str(randomizer.sigma)))
    if isinstance(randomizer, FromDistribution):
        columns = [(tuple(map(float, column)), times) for column, times in distributions.whole(randomizer.distribution).columns.items()]
        inputs = range(len(randomizer.distribution.inputs))

        def largest(held: int | None) -> float:
            covers = [(min(column) if held is None else column[held]) / times for column, times in columns]
            rows = list(zip(columns, covers, strict=True))
            return max(sum((column[x] - column[z]) ** 2 / m for (column, _), m in rows) for x, z in combinations(inputs, 2))

        return largest(None), max(map(largest, inputs))
    from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import blanket_distributions, homogeneous_distributions

    assert isinstance(randomizer, NamedRandomizer)
    record, local = of_given(randomizer.asked_with()), parse_epsilon(randomizer.epsilon0)
    above, below = (max(law.chi_square() for law in of(record, local)) for of in (blanket_distributions, homogeneous_distributions))
    return above, below
