"""Neighbouring datasets in which all other users hold one item, exactly: a lower bound for a randomizer (BEYOND.any-law-below).

Of all inputs x_0, x_1, x_2 those are taken whose sum of (R_0 - R_1)^2/R_(x_2) is largest, which decides when there are many users; where
several share it, the larger value.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.spec.bounds.blanket import of_items
from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.bounds.one_sum import Kind, chi_square, homogeneous_kinds, profile
from shuffleproof.spec.bounds.optimal_parameters import finite_law
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.methods import HOMOGENEOUS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.randomizers import named

LARGEST_N = 40


def kinds_of_named(name: str, T: Fraction, own: Mapping[str, int]) -> list[tuple[tuple[int, int, int], tuple[Kind, ...]]]:
    """The inputs (x_0, x_1, x_2) of a named randomizer with the largest sum of (R_0 - R_1)^2/R_(x_2), and their kinds. T: e^epsilon0.

    kRR, subsets, RAPPOR and hashing treat all items alike: three of them are enough. Raises UnsupportedError, ResourceLimitError.
    """
    given = dict(own)
    if name == "laplace":
        advice = 'use engine "fast", or randomizer-lower'
        raise UnsupportedError(what="the whole law of 'laplace' in exact arithmetic", reason="it is continuous", advice=advice)
    if name in ("krr", "subset", "hadamard"):
        randomizer = finite_law(name, T, given)
        if name != "hadamard":
            randomizer = type(randomizer)(randomizer.domain[:3], {x: randomizer.law(x) for x in randomizer.domain[:3]})
        found = homogeneous_kinds(randomizer)
    else:
        found = homogeneous_kinds(of_items(name, T, given, min(given.get("k", 3), 3)))
    sizes = [chi_square(each) or Fraction(0) for _, each in found]
    return [row for row, size in zip(found, sizes, strict=True) if size == max(sizes)]


def delta(
    *,
    n: Number,
    randomizer: str,
    epsilon0: Number | Epsilon,
    epsilon: Number | Epsilon,
    k: Number | None = None,
    d: Number | None = None,
    blocks: Number | None = None,
    buckets: Number | None = None,
) -> Bound:
    """The hockey-stick divergence of those datasets at epsilon, the larger of both directions, exact: the randomizer has no smaller delta.

    n: users, 1 to 40, where the sums are few; randomizer: a name of spec.vocabulary.randomizers but "laplace", with k, d, blocks, buckets
    as it needs them; where k may be left out it then stands for three items or more; hash functions are uniform. epsilon0 in [0, 10000]
    and epsilon >= 0 with rational exponential, for "rappor" the square of a rational.
    Returns a Bound of side "exact" whose claim is a lower bound: other datasets may be worse (BEYOND.any-law-below).
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    users, local, central = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    T, E = rational_exp(local, "epsilon0"), rational_exp(central, "epsilon")
    values = [(profile(n=users, kinds=each).delta(exp_epsilon=E), inputs) for inputs, each in kinds_of_named(chosen.name, T, own)]
    value, dataset = max(values, key=lambda found: found[0])
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, eps=epsilon)
    return exact_value(HOMOGENEOUS, "delta", value, inputs={**inputs, "datasets": _told(dataset)})


def epsilon(
    *,
    n: Number,
    randomizer: str,
    epsilon0: Number | Epsilon,
    delta: Number,
    k: Number | None = None,
    d: Number | None = None,
    blocks: Number | None = None,
    buckets: Number | None = None,
) -> Bound:
    """Least epsilon at which that delta is at most delta, exact: the randomizer has no smaller epsilon.

    n and the randomizer: as for `delta`; delta in [0, 1].
    Returns a Bound of side "exact" whose claim is a lower bound: other datasets may be worse (BEYOND.any-law-below).
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    users, local, target = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    T = rational_exp(local, "epsilon0")
    best, dataset = Fraction(1), (0, 1, 1)
    for inputs_of, each in kinds_of_named(chosen.name, T, own):
        found = profile(n=users, kinds=each).exp_epsilon(delta=target)
        assert found is not None  # the named randomizers have one support
        if found >= best:
            best, dataset = found, inputs_of
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, delta=delta)
    return exact_value(HOMOGENEOUS, "epsilon", best, inputs={**inputs, "datasets": _told(dataset)})


def _told(dataset: tuple[int, int, int]) -> str:
    return f"items {dataset[0]} and {dataset[1]}; all others hold {dataset[2]}"
