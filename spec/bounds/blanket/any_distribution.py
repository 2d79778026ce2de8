"""A named randomizer by its whole distribution, exactly: above by its privacy blanket, below by datasets in which all others hold one item.

Above (BEYOND.any-law-above): for all neighbouring datasets. Below (BEYOND.any-law-below): of all inputs x_0, x_1, x_2 those are taken whose
sum of (R_0 - R_1)^2/R_(x_2) is largest, which decides when there are many users; where several share it, the larger value.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from shuffleproof.spec.bounds.blanket.one_sum import LossType, blanket_loss_types, chi_square, homogeneous_loss_types, loss_types, profile
from shuffleproof.spec.bounds.exact_pair import exact, of_exponential, rational_exp, require_enumerable
from shuffleproof.spec.randomizers.exact import exact_distribution, prefers
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import BLANKET, HOMOGENEOUS
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

View = Literal["above", "below"]
METHODS: Mapping[View, Method] = {"above": BLANKET, "below": HOMOGENEOUS}
LARGEST_N = 40
"""Users whose reports are enumerated: seconds; the certified engine goes further."""
_LARGEST_DISTRIBUTION = 8_000
"""Inputs times messages of a distribution that is enumerated here: seconds, as its messages merge into few output classes."""
_THREE = 3
"""Items that are listed where all are alike: two neighbours' and the others'."""


def against_blanket(randomizer: NamedRandomizer, T: Fraction) -> list[tuple[LossType, ...]]:
    """For every pair of inputs of a named randomizer its output classes against the blanket, each once. T: e^epsilon0.

    Where k is not given any number of items is meant: then some item of another user's is not preferred by a report, whatever the report,
    and the blanket is the least that a report's distribution can be. Raises UnsupportedError, ResourceLimitError.
    """
    if not randomizer.for_items or getattr(randomizer, "k", None) is not None:
        return blanket_loss_types(exact_distribution(randomizer, T, largest=_LARGEST_DISTRIBUTION))
    two = exact_distribution(randomizer, T, most=2, largest=_LARGEST_DISTRIBUTION)
    first, second = (dict(two.distribution(x).items()) for x in two.domain)
    cover = {y: min(first[y], second[y]) for y in two.messages}
    for y in two.messages:
        if all(prefers(y, x) for x in two.domain):  # T times as likely for an item that is preferred as for one that is not
            cover[y] /= T
    return [loss_types(first, second, cover)]


def on_homogeneous(randomizer: NamedRandomizer, T: Fraction) -> list[tuple[tuple[int, int, int], tuple[LossType, ...]]]:
    """The inputs (x_0, x_1, x_2) of a named randomizer with the largest sum of (R_0 - R_1)^2/R_(x_2), and their loss types. T: e^epsilon0.

    Where all inputs are alike three of them are enough. Raises UnsupportedError, ResourceLimitError.
    """
    law = exact_distribution(randomizer, T, most=_THREE if randomizer.alike else None, largest=_LARGEST_DISTRIBUTION)
    found = homogeneous_loss_types(law)
    sizes = [chi_square(each) or Fraction(0) for _, each in found]
    return [row for row, size in zip(found, sizes, strict=True) if size == max(sizes)]


@exact(BLANKET)
def delta(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, epsilon: Epsilon, view: View = "above") -> Found:
    """delta at epsilon: of the sum over the blanket, the largest over all pairs of inputs; or the one that datasets reach.

    n: at most 40, where the sums are few; randomizer: with a finite distribution; where k may be left out it then stands for any number of
    items, below for three or more; hash functions are uniform. view: "above", an upper bound for all neighbouring datasets, or "below", a
    lower bound: other datasets may be worse.
    """
    require_enumerable(n, LARGEST_N)
    T, E = rational_exp(epsilon0, "epsilon0"), rational_exp(epsilon, "epsilon")
    found = [(profile(n=n, loss_types=each).delta(exp_epsilon=E), told) for told, each in _loss_types(randomizer, T, view)]
    value, told = max(found, key=lambda row: row[0])
    return replace(Found.exactly(value), method=METHODS[view], told=told)


@exact(BLANKET)
def epsilon(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, delta: Fraction, view: View = "above") -> Found:
    """Least epsilon at which that delta is at most delta."""
    require_enumerable(n, LARGEST_N)
    T = rational_exp(epsilon0, "epsilon0")
    best: tuple[Fraction, Mapping[str, str]] = (Fraction(1), {})
    for told, each in _loss_types(randomizer, T, view):
        found = profile(n=n, loss_types=each).exp_epsilon(delta=delta)
        assert found is not None  # the named randomizers have one support
        if found >= best[0]:
            best = found, told
    return replace(of_exponential(best[0]), method=METHODS[view], told=best[1])


def _loss_types(randomizer: NamedRandomizer, T: Fraction, view: View) -> list[tuple[Mapping[str, str], tuple[LossType, ...]]]:
    """Output classes, and which datasets they are of where they are of any."""
    if view == "above":
        return [({}, each) for each in against_blanket(randomizer, T)]
    return [
        ({"datasets": f"items {first} and {second}; all others hold {held}"}, each)
        for (first, second, held), each in on_homogeneous(randomizer, T)
    ]
