"""Any finite distribution that is given, in sound float64: its blanket from above, datasets whose others hold one input from below."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import delta_of, epsilon_of, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossDistribution
from shuffleproof.impl.fast.numeric.results import decimal_of, in_floats, working
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about
from shuffleproof.spec.vocabulary.given_distribution import OF_DISTRIBUTIONS, GivenDistribution, View
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WORK = 2 * 10**6
"""Pairs of inputs that differ, times outcomes that differ."""
_FEW_COLUMNS = 500
"""Outcomes beyond which pairs of inputs are not compared for equal losses: telling them apart would itself take long."""
_NEAR = 1e-9
"""Relative difference of chi-squares within which distributions count as tied for the largest."""
_TRIED = 3
"""Distributions tied for the largest that are summed. The lower bound is sound for any choice."""
_ROUNDED = Fraction(1, 10**30)
"""More than the relative error of sums of decimals."""


@in_floats(OF_DISTRIBUTIONS["above"])
def delta(*, n: int, distribution: GivenDistribution, epsilon: Epsilon, view: View = "above") -> Found:
    """delta at epsilon: of the sum over the blanket, the largest over all pairs of inputs; or of a pair of datasets.

    n: at most 10^9; view: "above", for all neighbouring datasets (BEYOND.any-law-above), or "below", for the inputs with the largest sum of
    (R_0 - R_1)^2/R_(x_2) (BEYOND.any-law-below).
    """
    supported(n)
    distributions, bounded = _DISTRIBUTIONS[view](distribution), Epsilon(None, distribution.largest_ratio)
    if epsilon < bounded:
        return _said(delta_of(distributions, n=n, epsilon0=bounded, epsilon=epsilon), distribution, view)
    if view == "above":  # what is left has infinite privacy loss, whatever epsilon is
        return _said(Found.exactly(distribution.given_away), distribution, view)
    value = max(_given_away(one, which) for one in distributions for which in (0, 1))
    return _said(Found(value * (1 - _ROUNDED), min(value * (1 + _ROUNDED), Fraction(1))), distribution, view)


@in_floats(OF_DISTRIBUTIONS["above"])
def epsilon(*, n: int, distribution: GivenDistribution, delta: Fraction, view: View = "above") -> Found:
    """Least epsilon at which that delta is at most delta, which is 0 or at least 1e-300. Raises RegimeError where no epsilon is enough."""
    supported(n)
    bounded = distribution.covered(delta)
    if distribution.largest_ratio == 1:
        return _said(Found.exactly(0), distribution, view)
    found = epsilon_of(_DISTRIBUTIONS[view](distribution), n=n, epsilon0=bounded, delta=delta)
    if view == "below" and found.exact is not None and found.lower > 0:  # at delta = 0: the ratio of all inputs, which these may not reach
        found = Found(Fraction(0), found.upper)
    return _said(found, distribution, view)


def _said(found: Found, distribution: GivenDistribution, view: View) -> Found:
    return replace(found, method=OF_DISTRIBUTIONS[view], told={**distribution.told(), **found.told})


def _given_away(distribution: LossDistribution, which: int) -> Fraction:
    return sum((Fraction(pair[which]) for pair in distribution.bare if not pair[1 - which]), Fraction(0))


@lru_cache(maxsize=16)
def _above(distribution: GivenDistribution) -> list[LossDistribution]:
    columns = list(distribution.columns.items())
    pairs = list(combinations(range(len(distribution.inputs)), 2))
    _require_work(len(pairs) * len(columns) if len(columns) > _FEW_COLUMNS else 0)
    # numbers are distinguished by their index: that of a fraction would be taken some millions of times
    numbers = {p * times: None for column, times in columns for p in column}
    index = {x: i for i, x in enumerate(numbers)}
    table = [[index[p * times] for p in column] for column, times in columns]
    cover = [index[min(column) * times] for column, times in columns]
    found: dict[object, list[tuple[int, int, int]]] = {}
    for x, z in pairs:
        rows = [(m, column[x], column[z]) for m, column in zip(cover, table, strict=True)]
        # exchanging x_0 and x_1 is tried anyway
        key = (x, z) if len(columns) > _FEW_COLUMNS else frozenset((_told(rows), _told([(m, b, a) for m, a, b in rows])))
        found.setdefault(key, rows)
    _require_work(len(found) * len(columns))
    with working():
        decimals = [decimal_of(x) for x in numbers]
        return [LossDistribution.of((decimals[m], decimals[a], decimals[b]) for m, a, b in rows) for rows in found.values()]


@lru_cache(maxsize=16)
def homogeneous_distributions(distribution: GivenDistribution) -> list[LossDistribution]:
    """The distributions of pairs of datasets in which all others hold one input, those with the largest chi-square.

    Raises ResourceLimitError.
    """
    columns = list(distribution.columns.items())
    _require_work(len(distribution.inputs) ** 2 * len(columns))
    table = np.array([[float(p) * times for p in column] for column, times in columns]).T
    ranked: list[tuple[float, tuple[int, int, int]]] = []
    for held, others in enumerate(table):
        hiding = others > 0
        scaled = table[:, hiding] / np.sqrt(others[hiding])
        inner = scaled @ scaled.T
        sizes = np.diag(inner)[:, None] + np.diag(inner)[None, :] - 2 * inner
        seen = table[:, ~hiding]
        for x, z in combinations(range(len(table)), 2):
            gap = float(np.abs(seen[x] - seen[z]).sum())
            ranked.append((float(sizes[x, z]) + (1e12 * gap if gap else 0.0), (x, z, held)))  # what nobody hides comes first
    ranked.sort(key=lambda row: -row[0])
    chosen = [triple for size, triple in ranked if size >= ranked[0][0] * (1 - _NEAR)][:_TRIED]
    distributions = []
    for x, z, held in chosen:
        rows = [(column[held] * times, column[x] * times, column[z] * times) for column, times in columns]
        said = f"inputs {distribution.inputs[x]} and {distribution.inputs[z]}; all others hold {distribution.inputs[held]}"
        distributions.append(_distribution(rows, dataset=said))
    return distributions


_DISTRIBUTIONS = {"above": _above, "below": homogeneous_distributions}


def _distribution(rows: list[tuple[Fraction, Fraction, Fraction]], *, dataset: str = "") -> LossDistribution:
    with working():
        decimals: list[tuple[Decimal, Decimal, Decimal]] = [(decimal_of(m), decimal_of(a), decimal_of(b)) for m, a, b in rows]
        return LossDistribution.of(decimals, dataset=dataset)


def _told(rows: list[tuple[int, int, int]]) -> frozenset[object]:
    return frozenset(Counter(rows).items())


def _require_work(work: int) -> None:
    if work > LARGEST_WORK:
        raise ResourceLimitError(
            what="all pairs of inputs of the distribution", needed=f"{about(work)} probabilities", limit=f"{LARGEST_WORK:.0e}"
        )
