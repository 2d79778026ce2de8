"""Windows that slide with a number: all continuous inputs are covered by few positions (piecewise mechanism, square wave)."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.ledger.points import ZERO

Lengths = dict[tuple[int, int, int], Fraction]
"""Of the outputs that prefer x_0, x_1 and x_k or not."""
Case = tuple[Fraction, Fraction, tuple[Fraction, Fraction, Fraction]]
"""Window, way, and where the windows of x_0, x_1 and x_k begin."""
_SHAPES = ((1, 1), (1, Fraction(4, 3)), (1, Fraction(3, 2)), (1, 2), (1, 3), (2, 3), (3, 5))
"""Window and way, in units of the grid: windows that overlap, touch, and do neither."""


@cache
def _lengths(window: Fraction, way: Fraction, places: tuple[Fraction, ...]) -> Lengths:
    """Return the lengths by intersecting intervals."""
    ends = sorted({ZERO, window + way, *places, *(place + window for place in places)})
    found = merged(
        (_only(*(i for i in range(3) if places[i] <= left < places[i] + window)), right - left) for left, right in pairwise(ends)
    )
    return {key: length for key, length in found.items() if length}


def _between(window: Fraction, way: Fraction, places: tuple[Fraction, ...], least: Fraction) -> list[tuple[Fraction, Lengths]]:
    """The mixture of the proof: weights and positions, as lengths of classes."""
    first, middle, last = sorted(range(3), key=lambda i: places[i])
    shared = max(ZERO, window - (places[last] - places[first]))
    x, y = (max(ZERO, window - abs(places[each] - places[middle])) - shared for each in (first, last))
    s = 1 - shared / window
    found = [(1 - s, _of_two(window, way, 0, 1, window, all_alike=True))]
    total = x + y
    of_all = s and (total - least * s) / (window - least) if window > least else s  # the weight of two windows alike
    for other, part in ((first, x), (last, y)):
        share = part / total if total else Fraction(1, 2)
        found.append((of_all * share, _of_two(window, way, other, middle, window)))
        found.append(((s - of_all) * share, _of_two(window, way, other, middle, least)))
    return found


def _of_two(window: Fraction, way: Fraction, i: int, j: int, shared: Fraction, *, all_alike: bool = False) -> Lengths:
    """Windows i and j sharing so much, the third disjoint from both; or all three alike."""
    if all_alike:
        return {(1, 1, 1): window, (0, 0, 0): way}
    third = 3 - i - j
    rows = {_only(i, j): shared, _only(i): window - shared, _only(j): window - shared, _only(third): window}
    rows[0, 0, 0] = window + way - sum(rows.values(), ZERO)
    return {key: length for key, length in rows.items() if length}


def _only(*preferred: int) -> tuple[int, int, int]:
    a, b, c = (int(i in preferred) for i in range(3))
    return a, b, c


def _is_mixture(case: Case, least: Callable[[Fraction, Fraction], Fraction]) -> bool:
    window, way, places = case
    parts = _between(window, way, places, least(window, way))
    if any(weight < 0 or any(length < 0 for length in lengths.values()) for weight, lengths in parts if weight):
        return False
    mixed = merged((key, weight * length) for weight, lengths in parts for key, length in lengths.items())
    return {key: length for key, length in mixed.items() if length} == _lengths(window, way, places)


def _value(lengths: Lengths, T: Fraction, E: Fraction, s: Fraction, left: tuple[Fraction, Fraction]) -> Fraction:
    """Z E(L + s)_+, but for the rest, where m is left[level of x_k]."""
    rows = ((T**a - E * T**b, left[c], length) for (a, b, c), length in lengths.items())
    return sum((length * max(ZERO, z + m * s) for z, m, length in rows), ZERO)


def _is_below(case: tuple[Case, Fraction, Fraction, Fraction, Fraction], *, even: bool) -> bool:
    """Return whether a position is below the worst of those in the list, for one hinge; even: with omega where R_0 = R_1 alone."""
    (window, way, places), *hinge = case
    return _worth(_lengths(window, way, places), *hinge, even=even) <= _most(window, way, *hinge, even=even)


@cache
def _most(window: Fraction, way: Fraction, T: Fraction, E: Fraction, s: Fraction, taken: Fraction, *, even: bool) -> Fraction:
    """The worst of the positions in the list, for one hinge."""
    least = max(ZERO, 2 * window - way)
    listed = [(0, 2, window), (1, 2, window), (0, 2, least), (1, 2, least), (0, 1, least)]
    return max(_worth(_of_two(window, way, i, j, shared), T, E, s, taken, even=even) for i, j, shared in listed)


def _worth(lengths: Lengths, T: Fraction, E: Fraction, s: Fraction, taken: Fraction, *, even: bool) -> Fraction:
    return _evenly(lengths, T, E, s, taken) if even else _value(lengths, T, E, s, (1 - taken, T - taken))


def _is_below_at_blanket(case: tuple[Case, Fraction, Fraction, Fraction, Fraction], *, shared: Fraction) -> bool:
    """Return whether two windows are below those that share so much of their length, where m is the lower level."""
    (window, way, places), T, E, s, _ = case
    lengths = merged(((a, b, 0), length) for (a, b, _), length in _lengths(window, way, places).items())
    alone = window * (1 - shared)
    top = {(1, 1, 0): window * shared, (1, 0, 0): alone, (0, 1, 0): alone, (0, 0, 0): way - alone}
    level = (Fraction(1), T)
    return _value(lengths, T, E, s, level) <= _value(top, T, E, s, level)


def _evenly(lengths: Lengths, T: Fraction, E: Fraction, s: Fraction, taken: Fraction) -> Fraction:
    """Take what is taken from R_k where R_0 = R_1 alone, and leave the rest at 0."""
    total = ZERO
    for (a, b, c), length in lengths.items():
        m, kept = T**c, 1 - taken if a == b else Fraction(1)
        total += length * (max(ZERO, T**a - E * T**b + kept * m * s) + (1 - kept) * m * max(ZERO, s))
    return total


@derived(
    "BEYOND.sliding-windows",
    says="density T on the window [t x, t x + w], 1 elsewhere on [0, w + t], w <= t: L against the blanket is largest, in the convex "
    "order, for disjoint windows; and for any x_0, x_1, x_k and any m_k that depends on the level of R_k alone, L_k is a mixture of "
    "distributions below those of the positions with two windows alike and one disjoint, or two sharing (2w - t)_+ and one disjoint",
    range="all inputs in [0, 1], T >= 1, E >= 1, w <= t",
    governs=["spec.randomizers.sliding_window", "spec.randomizers.piecewise", "spec.randomizers.square_wave"],
    grounds=["sliding-windows#proof", "BEYOND.any-law-above", EXACT],
    mutants={
        "windows that share as little as can be share nothing": {"least": lambda window, way: ZERO},
        "omega where R_0 = R_1 alone": {"even": True},
        "windows that share a half are the worst against the blanket": {"shared": Fraction(1, 2)},
    },
    missing="positions between those of the grids",
)
def sliding_windows(
    budget: Budget,
    *,
    least: Callable[[Fraction, Fraction], Fraction] = lambda window, way: max(ZERO, 2 * window - way),
    even: bool = False,
    shared: Fraction = ZERO,
) -> Verdict:
    parts = budget.pick(quick=4, full=12)
    cases: list[Case] = []
    for w, t in _SHAPES:
        window, way = Fraction(w), Fraction(t)
        grid = [way * Fraction(j, parts) for j in range(parts + 1)]
        cases += [(window, way, (x, y, z)) for x, y, z in product(grid, repeat=3)]
    mixed = exhaustive.for_all(cases, holds=lambda case: _is_mixture(case, least))
    domain = f"windows on grids of {parts} parts of the way, {len(_SHAPES)} shapes; hinges at T, E, s and shares that are taken"
    if not mixed.holds:
        return mixed.verdict(domain=domain, witness=lambda case: f"w = {case[0]}, t = {case[1]}, windows from {list(map(str, case[2]))}")
    hinges = [
        (T, E, s, taken)
        for T in (Fraction(3, 2), Fraction(20))
        for E in (Fraction(1), (1 + T) / 2, T * Fraction(19, 20))
        for s in (Fraction(-1, 3), Fraction(1, 9), Fraction(1), T * 3)
        for taken in (Fraction(1, 10), Fraction(1, 2))
    ]
    some = cases[:: budget.pick(quick=19, full=5)]
    compared = exhaustive.for_all(
        ((case, *hinge) for case in some for hinge in hinges),
        holds=lambda each: _is_below(each, even=even) and _is_below_at_blanket(each, shared=shared),
    )
    return compared.verdict(domain=domain, witness=lambda each: f"w, t, windows = {each[0]}, T = {each[1]}, E = {each[2]}, s = {each[3]}")
