"""Any finite distribution that is given, exactly: by its privacy blanket from above, by datasets whose others hold one input from below.

Where they are few, all neighbouring datasets are gone through, and the lower side is the truth: mixed ones may be worse than those
(BEYOND.any-law-mixed-datasets).
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any

from shuffleproof.spec.bounds.blanket.one_sum import blanket_kinds, homogeneous_kinds, profile
from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer, shuffled_law
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.given_law import OF_LAWS, GivenLaw, View
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, parse_epsilon, probability

LARGEST_N = 40
"""Users whose reports are enumerated: seconds; the certified engine goes further."""
MOST_OUTCOMES = 5000
"""Multisets of reports over all datasets, up to which every dataset is gone through."""


def delta(*, n: Number, law: GivenLaw, epsilon: Number | Epsilon, view: View = "above") -> Bound:
    """delta at epsilon, exact, the largest over all pairs of inputs and both directions; below also over what others hold.

    n: users, 1 to 40, where the sums are few; epsilon >= 0 with rational exponential; view: "above" or "below".
    Returns a Bound of side "exact": above its claim is an upper bound, for all neighbouring datasets (BEYOND.any-law-above); below a lower
    one: other datasets may be worse (BEYOND.any-law-below). Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    users, central = enumerable(n, LARGEST_N), parse_epsilon(epsilon)
    E = rational_exp(central, "epsilon")
    value, told = max(((each.delta(exp_epsilon=E), told) for each, told in _profiles(law, users, view)), key=lambda row: row[0])
    inputs = {**as_given(n=n, eps=epsilon), **law.told(), **told}
    return exact_value(OF_LAWS[view], "delta", value, inputs=inputs)


def epsilon(*, n: Number, law: GivenLaw, delta: Number, view: View = "above") -> Bound:
    """Least epsilon at which that delta is at most delta, exact.

    n, view: as for `delta`; delta in [0, 1]. Returns a Bound whose claim is as there.
    Raises DomainError, ResourceLimitError; RegimeError where no epsilon is enough.
    """
    users, target = enumerable(n, LARGEST_N), probability(delta, parameter="delta")
    law.covered(target)
    best, said = Fraction(1), dict[str, str]()
    for each, told in _profiles(law, users, view):
        found = each.exp_epsilon(delta=target)
        if found is not None and found >= best:
            best, said = found, told
    return exact_value(OF_LAWS[view], "epsilon", best, inputs={**as_given(n=n, delta=delta), **law.told(), **said})


def _profiles(law: GivenLaw, n: int, view: View) -> Iterator[tuple[PrivacyProfile[Any], dict[str, str]]]:
    """Profiles of pairs, and what is said of them."""
    laws = {x: Distribution(dict(enumerate(row))) for x, row in zip(law.inputs, law.rows, strict=True)}
    randomizer = LocalRandomizer(law.inputs, laws)
    if view == "above":
        for each in blanket_kinds(randomizer):
            yield profile(n=n, kinds=each), {}
        return
    for (first, second, held), each in homogeneous_kinds(randomizer):
        yield profile(n=n, kinds=each), {"datasets": f"inputs {first} and {second}; all others hold {held}"}
    inputs, outcomes = len(law.inputs), len(law.rows[0])
    datasets = math.comb(n + inputs - 2, n - 1)
    if datasets * inputs * math.comb(n + outcomes - 1, n) > MOST_OUTCOMES:
        return
    for others in combinations_with_replacement(law.inputs, n - 1):
        if len(set(others)) > 1:
            shuffled = {x: shuffled_law(randomizer, (x, *others)) for x in law.inputs}
            for first, second in permutations(law.inputs, 2):
                said = f"inputs {first} and {second}; the others hold {', '.join(others)}"
                yield PrivacyProfile(shuffled[first], shuffled[second]), {"datasets": said}
