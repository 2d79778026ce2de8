"""Any finite distribution that is given, in sound float64: its blanket from above, datasets whose others hold one input from below."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import delta_of, epsilon_of, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Law
from shuffleproof.impl.fast.numeric.results import enclosed, exactly
from shuffleproof.impl.fast.numeric.scalars import decimal_of, working
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about
from shuffleproof.spec.vocabulary.given_law import OF_LAWS, GivenLaw, View
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, parse_epsilon, probability, shortest

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


def delta(*, n: Number, law: GivenLaw, epsilon: Number | Epsilon, view: View = "above") -> Bound:
    """delta at epsilon, enclosed in float64: of the sum over the blanket, the largest over all pairs of inputs; or of a pair of datasets.

    n: users, 1 to 10^9; epsilon >= 0; view: "above" or "below", there for the inputs with the largest sum of (R_0 - R_1)^2/R_(x_2).
    Returns an enclosure: above its claim is an upper bound, for all neighbouring datasets (BEYOND.any-law-above); below a lower one
    (BEYOND.any-law-below). Raises DomainError, ResourceLimitError, UnsupportedError.
    """
    users, central = supported(count(n, parameter="n")), parse_epsilon(epsilon)
    inputs = {**as_given(n=n, eps=epsilon), **law.told()}
    laws = _LAWS[view](law)
    bounded = Epsilon(None, law.largest_ratio)
    if central >= bounded:  # what is left has infinite privacy loss, whatever epsilon is
        if view == "above":
            return exactly(OF_LAWS[view], "delta", shortest(law.given_away), law.given_away, law.given_away, inputs=inputs)
        value = max(_given_away(one, which) for one in laws for which in (0, 1))
        return enclosed(OF_LAWS[view], "delta", value * (1 - _ROUNDED), min(value * (1 + _ROUNDED), Fraction(1)), inputs=inputs)
    return delta_of(OF_LAWS[view], laws, n=users, epsilon0=bounded, epsilon=central, inputs=inputs)


def epsilon(*, n: Number, law: GivenLaw, delta: Number, view: View = "above") -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed in float64.

    n, view: as for `delta`; delta = 0 or in [1e-300, 1]. Returns an enclosure whose claim is as there.
    Raises DomainError, ResourceLimitError, UnsupportedError; RegimeError where no epsilon is enough.
    """
    users, target = supported(count(n, parameter="n")), probability(delta, parameter="delta")
    inputs = {**as_given(n=n, delta=delta), **law.told()}
    bounded = law.covered(target)
    if law.largest_ratio == 1:
        return exactly(OF_LAWS[view], "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = epsilon_of(OF_LAWS[view], _LAWS[view](law), n=users, epsilon0=bounded, delta=target, inputs=inputs)
    if view == "below" and found.side == "exact" and found.lower > 0:  # at delta = 0: the ratio of all inputs, which these may not reach
        return enclosed(OF_LAWS[view], "epsilon", Fraction(0), found.upper, inputs=inputs)
    return found


def _given_away(law: Law, which: int) -> Fraction:
    return sum((Fraction(pair[which]) for pair in law.bare if not pair[1 - which]), Fraction(0))


@lru_cache(maxsize=16)
def _above(law: GivenLaw) -> list[Law]:
    columns = list(law.columns.items())
    pairs = list(combinations(range(len(law.inputs)), 2))
    _require_work(len(pairs) * len(columns) if len(columns) > _FEW_COLUMNS else 0)
    # numbers are told apart by their index: that of a fraction would be taken some millions of times
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
        return [Law.of((decimals[m], decimals[a], decimals[b]) for m, a, b in rows) for rows in found.values()]


@lru_cache(maxsize=16)
def homogeneous_laws(law: GivenLaw) -> list[Law]:
    """The distributions of pairs of datasets in which all others hold one input, those with the largest chi-square.

    Raises ResourceLimitError.
    """
    columns = list(law.columns.items())
    _require_work(len(law.inputs) ** 2 * len(columns))
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
    laws = []
    for x, z, held in chosen:
        rows = [(column[held] * times, column[x] * times, column[z] * times) for column, times in columns]
        said = f"inputs {law.inputs[x]} and {law.inputs[z]}; all others hold {law.inputs[held]}"
        laws.append(_law(rows, dataset=said))
    return laws


_LAWS = {"above": _above, "below": homogeneous_laws}


def _law(rows: list[tuple[Fraction, Fraction, Fraction]], *, dataset: str = "") -> Law:
    with working():
        decimals: list[tuple[Decimal, Decimal, Decimal]] = [(decimal_of(m), decimal_of(a), decimal_of(b)) for m, a, b in rows]
        return Law.of(decimals, dataset=dataset)


def _told(rows: list[tuple[int, int, int]]) -> frozenset[object]:
    return frozenset(Counter(rows).items())


def _require_work(work: int) -> None:
    if work > LARGEST_WORK:
        raise ResourceLimitError(
            what="all pairs of inputs of the distribution", needed=f"{about(work)} probabilities", limit=f"{LARGEST_WORK:.0e}"
        )
