"""What hypothesis draws in more than one test, and how many examples a property has.

The cases that once hurt are in the strategies' corners (e^eps0 next to 1 and beyond float64, a share of exactly 0, 1 or next to it, rows
alike, messages that nobody sends), or beside the property as `@example`.
"""

import os
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import settings, strategies as st

from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import Distribution, product
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
TIMES_DEEPER = 10


def examples(most: int) -> settings:
    """How many examples a property has in `make test`; in `make deep` ten times as many, others each time."""
    return settings(max_examples=most * TIMES_DEEPER if DEEP else most)


def logarithm(exp_epsilon: Fraction) -> Epsilon:
    """ln of an exact e^epsilon."""
    return Epsilon(Fraction(0) if exp_epsilon == 1 else None, exp_epsilon)


def exponentials(largest: int = 10**12) -> st.SearchStrategy[Fraction]:
    """An exact e^eps0: ordinary, next to 1 and 1 itself, and beyond everything that is used."""
    return st.one_of(
        st.fractions(Fraction(1), Fraction(60), max_denominator=30),
        st.fractions(Fraction(1), Fraction(1001, 1000), max_denominator=10**6),
        st.fractions(Fraction(1000), Fraction(largest), max_denominator=3),
    )


shares = st.fractions(Fraction(0), Fraction(1), max_denominator=50) | st.sampled_from([Fraction(1, 10**12), 1 - Fraction(1, 10**12)])
"""Of an interval: where between 1 and e^eps0 the central e^eps lies, or a delta."""

inner_shares = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)
"""A share that is neither 0 nor 1."""

central_orders = st.one_of(
    st.just(Fraction(1)), st.fractions(Fraction(1), Fraction(6), max_denominator=8), st.integers(7, 400).map(Fraction)
)
"""An exact e^eps of the shuffled output."""

optimal_pairs = st.builds(
    Parameters,
    st.none() | st.fractions(min_value=1, max_value=20, max_denominator=6),
    st.fractions(min_value=0, max_value=1, max_denominator=12),
    st.fractions(min_value=1, max_value=20, max_denominator=6),
)
"""(p, beta, q) of the optimal pair, p infinite too."""


@st.composite
def rows(draw: st.DrawFn, *, fewest: int = 2, most: int = 3, fewest_inputs: int = 2, most_inputs: int = 3) -> list[list[Fraction]]:
    """A distribution over the same outcomes for each input, zeros and equal rows included."""
    outcomes = draw(st.integers(fewest, most))
    weights = st.lists(st.integers(0, 8), min_size=outcomes, max_size=outcomes).filter(any)
    return [[Fraction(w, sum(row)) for w in row] for row in draw(st.lists(weights, min_size=fewest_inputs, max_size=most_inputs))]


def distributions(outcomes: int, *, parts: int = 20) -> st.SearchStrategy[Distribution[int]]:
    """Any distribution over so many outcomes with weights of at most so many parts, zeros included."""
    weights = st.lists(st.integers(0, parts), min_size=outcomes, max_size=outcomes).filter(any)
    return weights.map(lambda drawn: Distribution({y: Fraction(w, sum(drawn)) for y, w in enumerate(drawn)}))


def as_randomizer(laws: list[list[Fraction]]) -> LocalRandomizer[int, int]:
    """The randomizer whose input x has the x-th distribution."""
    return LocalRandomizer(range(len(laws)), {x: Distribution(dict(enumerate(row))) for x, row in enumerate(laws)})


def summed_reports(randomizer: LocalRandomizer[int, tuple[int, ...]], dataset: Sequence[int]) -> Distribution[tuple[int, ...]]:
    """The distribution of the coordinates' sums of these users' vectors."""
    first, *others = (randomizer.distribution(held) for held in dataset)
    for law in others:
        first = product(first, law).map(lambda pair: tuple(a + b for a, b in zip(*pair, strict=True)))
    return first
