"""Any finite distribution that is given, certified on a grid: its blanket from above, datasets whose others hold one input from below."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from flint import arb

from shuffleproof.impl.ball.bounds.blanket.one_sum_profile import DIGITS, delta_of, epsilon_of, require_on_grids
from shuffleproof.impl.ball.bounds.blanket.randomizer_distributions import CELLS, Row
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.given_distribution import OF_DISTRIBUTIONS, GivenDistribution, View
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WORK = 20_000
"""Pairs of inputs times outcomes."""
Reports = tuple[tuple[Fraction, Fraction, Fraction], ...]
"""m, R_0 and R_1 of output classes."""


@dataclass(frozen=True)
class _OfPair:
    reports: Reports
    dataset: str = ""

    def is_symmetric(self) -> bool:
        return sorted(self.reports) == sorted((m, second, first) for m, first, second in self.reports)

    def rows(self, *, cells: int = CELLS) -> list[Row]:
        found = []
        for m, first, second in self.reports:
            if m:
                u = ball(first / m)
                v = u if first == second else ball(second / m)
                found.append((ball(m), u, v, u, v))
        return found

    def given_away(self, E: arb, *, swapped: bool) -> arb:
        total = arb(0)
        for m, first, second in self.reports:
            if not m:
                gain = ball(second) - E * ball(first) if swapped else ball(first) - E * ball(second)
                total += gain.max(arb(0))
        return total


@certified(OF_DISTRIBUTIONS["above"])
def delta(*, n: int, distribution: GivenDistribution, epsilon: Epsilon, view: View = "above", digits: int = DIGITS) -> Found:
    """delta at epsilon: of the sum over the blanket, the largest over all pairs of inputs; or of a pair of datasets; to at most 6 digits.

    view: "above", for all neighbouring datasets (BEYOND.any-law-above), or "below", for the inputs with the largest sum of
    (R_0 - R_1)^2/R_(x_2), or with most of R_0 and R_1 where R_(x_2) is 0 (BEYOND.any-law-below).
    """
    require_on_grids(digits)
    distributions, bounded = _distributions(distribution, view), Epsilon(None, distribution.largest_ratio)
    if epsilon >= bounded:  # what is left has infinite privacy loss, whatever epsilon is
        above = view == "above"
        found = Found.exactly(distribution.given_away if above else max(_hidden_by_nothing(each.reports) for each in distributions))
    else:
        found = delta_of(distributions, n=n, epsilon0=bounded, epsilon=epsilon, digits=digits)
    return _said(found, distribution, view)


@certified(OF_DISTRIBUTIONS["above"])
def epsilon(*, n: int, distribution: GivenDistribution, delta: Fraction, view: View = "above", digits: int = DIGITS) -> Found:
    """Least epsilon at which that delta is at most delta. Raises RegimeError where no epsilon is enough."""
    require_on_grids(digits)
    bounded = distribution.covered(delta)
    if distribution.largest_ratio == 1:
        return _said(Found.exactly(0), distribution, view)
    found = epsilon_of(_distributions(distribution, view), n=n, epsilon0=bounded, delta=delta, digits=digits)
    if view == "below" and found.exact is not None and found.lower > 0:  # at delta = 0: the ratio of all inputs, which these may not reach
        found = Found(Fraction(0), found.upper, precision=64)
    return _said(found, distribution, view)


def _said(found: Found, distribution: GivenDistribution, view: View) -> Found:
    return replace(found, method=OF_DISTRIBUTIONS[view], told={**distribution.told(), **found.told})


def _distributions(distribution: GivenDistribution, view: View) -> list[_OfPair]:
    columns = list(distribution.columns.items())
    work = len(distribution.inputs) ** (2 if view == "above" else 3) * len(columns)
    if work > LARGEST_WORK * (1 if view == "above" else 10):
        limit = f'{LARGEST_WORK:.0e} (engine "fast" goes further)'
        raise ResourceLimitError(
            what="all pairs of inputs of the distribution in ball arithmetic", needed=f"{work:.1e} probabilities", limit=limit
        )
    pairs = [(x, z) for x, z in combinations(range(len(distribution.inputs)), 2) if distribution.rows[x] != distribution.rows[z]]
    if not pairs:
        return [_OfPair(())]
    if view == "above":
        found: dict[frozenset[tuple[tuple[Fraction, Fraction, Fraction], ...]], Reports] = {}
        for x, z in pairs:
            reports = _reports(columns, x, z, None)
            turned = ((m, b, a) for m, a, b in reports)
            found.setdefault(frozenset((tuple(sorted(reports)), tuple(sorted(turned)))), reports)
        return [_OfPair(reports) for reports in found.values()]
    ranked = max(((_reports(columns, x, z, held), (x, z, held)) for x, z in pairs for held in range(len(distribution.inputs))), key=_size)
    (x, z, held), names = ranked[1], distribution.inputs
    return [_OfPair(ranked[0], f"inputs {names[x]} and {names[z]}; all others hold {names[held]}")]


def _reports(columns: Sequence[tuple[tuple[Fraction, ...], int]], x: int, z: int, held: int | None) -> Reports:
    """Against R_held, or the least of all distributions."""
    return tuple(
        ((min(column) if held is None else column[held]) * times, column[x] * times, column[z] * times) for column, times in columns
    )


def _size(row: tuple[Reports, tuple[int, int, int]]) -> tuple[Fraction, Fraction]:
    """Return what nobody hides first, then the chi-square."""
    bare = sum((abs(a - b) for m, a, b in row[0] if not m), Fraction(0))
    return bare, sum(((a - b) ** 2 / m for m, a, b in row[0] if m), Fraction(0))


def _hidden_by_nothing(reports: Iterable[tuple[Fraction, Fraction, Fraction]]) -> Fraction:
    bare = [(a, b) for m, a, b in reports if not m]
    return max(sum((a for a, b in bare if not b), Fraction(0)), sum((b for a, b in bare if not a), Fraction(0)))
