"""Any finite distribution that is given, exactly: by its privacy blanket from above, by datasets whose others hold one input from below.

Where they are few, all neighbouring datasets are gone through, and the lower side is the truth: mixed ones may be worse than those
(BEYOND.any-law-mixed-datasets).
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any

from shuffleproof.spec.bounds.blanket.one_sum import blanket_loss_types, homogeneous_loss_types, profile
from shuffleproof.spec.bounds.exact_pair import exact, of_exponential, rational_exp, require_enumerable
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.given_distribution import OF_DISTRIBUTIONS, GivenDistribution, View
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_N = 40
"""Users whose reports are enumerated: seconds; the certified engine goes further."""
MOST_OUTCOMES = 5000
"""Multisets of reports over all datasets, up to which every dataset is gone through."""


@exact(OF_DISTRIBUTIONS["above"])
def delta(*, n: int, distribution: GivenDistribution, epsilon: Epsilon, view: View = "above") -> Found:
    """delta at epsilon, the largest over all pairs of inputs and both directions; below also over what others hold.

    n: at most 40, where the sums are few; view: "above", an upper bound for all neighbouring datasets (BEYOND.any-law-above), or "below", a
    lower one: other datasets may be worse (BEYOND.any-law-below).
    """
    require_enumerable(n, LARGEST_N)
    E = rational_exp(epsilon, "epsilon")
    value, told = max(((each.delta(exp_epsilon=E), told) for each, told in _profiles(distribution, n, view)), key=lambda row: row[0])
    return replace(Found.exactly(value), method=OF_DISTRIBUTIONS[view], told={**distribution.told(), **told})


@exact(OF_DISTRIBUTIONS["above"])
def epsilon(*, n: int, distribution: GivenDistribution, delta: Fraction, view: View = "above") -> Found:
    """Least epsilon at which that delta is at most delta. Raises RegimeError where no epsilon is enough."""
    require_enumerable(n, LARGEST_N)
    distribution.covered(delta)
    best, said = Fraction(1), dict[str, str]()
    for each, told in _profiles(distribution, n, view):
        found = each.exp_epsilon(delta=delta)
        if found is not None and found >= best:
            best, said = found, told
    return replace(of_exponential(best), method=OF_DISTRIBUTIONS[view], told={**distribution.told(), **said})


def _profiles(law: GivenDistribution, n: int, view: View) -> Iterator[tuple[PrivacyProfile[Any], dict[str, str]]]:
    """Profiles of pairs, and what is said of them."""
    laws = {x: Distribution(dict(enumerate(row))) for x, row in zip(law.inputs, law.rows, strict=True)}
    randomizer = LocalRandomizer(law.inputs, laws)
    if view == "above":
        for each in blanket_loss_types(randomizer):
            yield profile(n=n, loss_types=each), {}
        return
    for (first, second, held), each in homogeneous_loss_types(randomizer):
        yield profile(n=n, loss_types=each), {"datasets": f"inputs {first} and {second}; all others hold {held}"}
    inputs, outcomes = len(law.inputs), len(law.rows[0])
    datasets = math.comb(n + inputs - 2, n - 1)
    if datasets * inputs * math.comb(n + outcomes - 1, n) > MOST_OUTCOMES:
        return
    for others in combinations_with_replacement(law.inputs, n - 1):
        if len(set(others)) > 1:
            shuffled = {x: shuffled_distribution(randomizer, (x, *others)) for x in law.inputs}
            for first, second in combinations(law.inputs, 2):
                said = f"inputs {first} and {second}; the others hold {', '.join(others)}"
                yield PrivacyProfile(shuffled[first], shuffled[second]), {"datasets": said}
