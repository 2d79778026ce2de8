"""Blocks of users with one loss type, and sums of one type along a line: above all numbers of users of each type."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
from flint import arb
from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses as InFloats
from shuffleproof.impl.fast.bounds.swap.along_a_line.alike_line import averages as along_a_line
from shuffleproof.impl.fast.bounds.swap.user_blocks.alike_blocks import averages
from shuffleproof.impl.fast.numeric.results import U
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Coq, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.spec.bounds.swap.another_place import in_blocks, positive
from shuffleproof.spec.bounds.swap.controlled_sum import Losses
from shuffleproof.spec.bounds.swap.swap_in_levels import sum_in_blocks
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import float_toward

Types = tuple[Losses, ...]
Exact = Callable[..., Fraction]
Engine = Callable[..., list[float]]
Line = Callable[..., tuple[list[float], bool] | None]
Begun = Callable[[int, Fraction], Fraction]
_SKEWED: Types = (
    ((Fraction(2), Fraction(1, 3)), (Fraction(-1), Fraction(2, 3))),
    ((Fraction(1), Fraction(2, 3)), (Fraction(-2), Fraction(1, 3))),
    ((Fraction(3, 2), Fraction(1, 4)), (Fraction(-1, 2), Fraction(3, 4))),
)
"""Two types of mean 0 that are skewed to either side, the sum of one of each having more beyond 1 than that of two alike; one of less
variance.
"""
_SINGLE: Types = (_SKEWED[0], ((Fraction(-1, 4), Fraction(1)),), ((Fraction(5), Fraction(1, 50)), (Fraction(-1, 8), Fraction(49, 50))))
"""One that never varies, and one that is rarely large: worst one by one, and not in twos."""
_CASES = [(types[:count], users) for types in (_SKEWED, _SINGLE) for count in (1, 2, 3) for users in range(count, 8)]
_ALONE = [(_SKEWED[:1], users) for users in (7, 12, 13)]
"""One type, for blocks of eight and what is over by them: none, five and six users."""
_FALLING: list[tuple[Types, int]] = [((((Fraction(1), Fraction(1, 2)), (Fraction(-2), Fraction(1, 2))),), users) for users in (3, 6)]
"""A type that falls, so that the sum of more users has less above 0."""


@st.composite
def _few_types(draw: st.DrawFn) -> tuple[Types, int]:
    """One to three types on two or three values, of any means, and users."""
    found: list[Losses] = []
    for _ in range(draw(st.integers(1, 3))):
        values = draw(st.lists(st.integers(-9, 9), min_size=2, max_size=3, unique=True))
        weights = [draw(st.integers(1, 9)) for _ in values]
        unit = draw(st.sampled_from([1, 3, 8]))
        found.append(tuple((Fraction(x, unit), Fraction(w, sum(weights))) for x, w in zip(values, weights, strict=True)))
    return tuple(found), draw(st.integers(len(found), 7))


@lru_cache(maxsize=64)  # of blocks, of engines and of their mutants
def worst_sum(types: Types, users: int) -> Fraction:
    """Return the largest E(L_1 + ... + L_S)_+ of so many users, however many are of each type."""
    return max(map(positive, combinations_with_replacement(types, users)))


def _in_floats(types: Types) -> list[InFloats]:
    """Return these types in floats, places rounded up."""
    known = []
    for law in types:
        at = np.array([float_toward(x, direction="up") for x, _ in law])
        known.append(InFloats(np.array([float(p) for _, p in law]), at, at, 2 * U))
    return known


def _blocks_are_above(point: tuple[Types, int], blocks: Exact) -> bool:
    """Return whether no numbers of users of each type have more than blocks of two, of four, and of eight."""
    types, users = point
    worst, K = worst_sum(types, users), len(types)
    return all(
        blocks(types, users, groups=groups) >= worst
        for groups in ([], [K], [K, K], [K, K, K])
        if users >= sum(k << j for j, k in enumerate(groups))
    )


def _engine_is_above(point: tuple[Types, int], engine: Engine) -> bool:
    """Return whether float64 is above for users and one fewer, where it has a value."""
    types, users = point
    if max(x for law in types for x, _ in law) <= 0:
        return True
    try:
        found = engine(_in_floats(types), [users, max(1, users - 1)], wanted=0.1, blocks=1)
    except (UnsupportedError, ArithmeticError):  # nothing is claimed
        return True
    return all(Fraction(value) * S >= worst_sum(types, S) for value, S in zip(found, (users, max(1, users - 1)), strict=True))


def _average_type(types: Types, users: int, *, groups: Sequence[int]) -> Fraction:
    """Mutant: the mean over types, where the largest is to be taken."""
    mixed = [(x, p / len(types)) for law in types for x, p in law]
    return sum_in_blocks([tuple(mixed)], users, groups=groups)


def _none_is_missing(types: Sequence[InFloats], numbers: Sequence[int], *, wanted: float, blocks: int) -> list[float]:
    """Mutant: of fewer users the sum is where that of all is."""
    (value,) = averages(types, [max(numbers)], wanted=wanted, blocks=blocks)
    return [value * max(numbers) / S for S in numbers]


@derived(
    "BEYOND.swap-in-levels.blocks",
    says="let each of S independent losses be of one of K types, chosen beforehand. However many are of each, E(L_1 + ... + L_S)_+ is at "
    "most the controlled sum whose steps are B = floor((S - K (2^J - 1))/2^J) blocks of 2^J, and K, or K + 1 by the binary digits of what "
    "is over, blocks of 2^j for each j < J, where a step may take the sum of so many losses of any one type",
    range="all finite sets of loss types, of any means, J >= 0, S at least K (2^J - 1)",
    governs=[
        "spec.bounds.swap.swap_in_levels",
        "impl.fast.bounds.swap.user_blocks.alike_blocks",
        "impl.fast.bounds.swap.user_blocks.block_sums",
        "impl.fast.bounds.swap.user_blocks.block_steps",
    ],
    grounds=["BEYOND.any-law-grids", "controlled-sum#one-randomizer", EXACT, "BEYOND.swap-in-levels-blocks.finite"],
    mutants={
        "no one left over": {"blocks": lambda types, users, *, groups: sum_in_blocks(types, users, groups=[0 for _ in groups])},
        "one type in all blocks": {"blocks": lambda types, users, *, groups: sum_in_blocks(types[-1:], users, groups=groups)},
        "a mixture of types for the largest": {"blocks": _average_type},
        "a thousandth less than the engine says": {
            "engine": lambda types, numbers, *, wanted, blocks: [
                value * 0.999 for value in averages(types, numbers, wanted=wanted, blocks=blocks)
            ]
        },
        "the engine without a type": {
            "engine": lambda types, numbers, *, wanted, blocks: averages(types[-1:], numbers, wanted=wanted, blocks=blocks)
        },
        "the average over twice as many users": {
            "engine": lambda types, numbers, *, wanted, blocks: averages(types, [2 * S for S in numbers], wanted=wanted, blocks=blocks)
        },
        "users who are missing lose nothing": {"engine": _none_is_missing},
    },
    missing="more users and types than are enumerated: up to seven users of three types",
)
def blocks_in_turn(budget: Budget, *, blocks: Exact = sum_in_blocks, engine: Engine = averages) -> Verdict:
    def holds(point: tuple[Types, int]) -> bool:
        return _blocks_are_above(point, blocks) and _engine_is_above(point, engine)

    listed = exhaustive.for_all([*_CASES[:: budget.pick(quick=2, full=1)], *_ALONE], holds=holds)
    drawn = sampled.for_all(_few_types(), holds=holds, budget=budget, quick=10, full=300)
    cases = "skewed and rare types, all numbers of each up to seven users (every other in the ordinary run), thirteen of one type"
    return conjunction(
        [
            listed.verdict(claims=Status.ARGUED, domain=cases, witness=str),
            drawn.verdict(claims=Status.ARGUED, domain="all types by the argument; random ones", witness=str),
        ]
    )


def _tangent(t: arb) -> arb:
    """Return ln of the largest Re e^zeta with Re zeta = t Im zeta."""
    return t * t.atan() - (1 + t * t).log() / 2


def _is_below_its_tangent(point: tuple[int, int], tangent: Callable[[arb], arb], farthest: Fraction) -> bool:
    """Return whether cos y is at most e^(tangent(t) - t y), surely, if y is no farther than that times pi on the side of t."""
    t, place = (arb(point[0]) / 64 * arb.pi()).tan(), Fraction(4 * point[1] + 1, 128)  # they do not touch at these y
    if (place if point[0] >= 0 else -place) > farthest:
        return True
    return _is_below(t, place, tangent) if point[0] else True


def _is_below(t: arb, place: Fraction, tangent: Callable[[arb], arb]) -> bool:
    """Return whether cos y is at most e^(tangent(t) - t y) at y = place pi, surely."""
    y = arb(place.numerator) / place.denominator * arb.pi()
    return bool((tangent(t) - t * y).exp() >= y.cos())


def _line_is_above(point: tuple[Types, int], line: Line) -> bool:
    """Return whether the line is above for users and one fewer."""
    types, users = point
    numbers = [users, max(1, users - 1)]
    found = line(_in_floats(types), numbers)
    return found is None or all(Fraction(value) * S >= worst_sum(types, S) for value, S in zip(found[0], numbers, strict=True))


def _of_one_user_more(types: Sequence[InFloats], numbers: Sequence[int]) -> tuple[list[float], bool] | None:
    """Mutant: an average over one more user."""
    found = along_a_line(types, numbers)
    return found and ([value * S / (S + 1) for value, S in zip(found[0], numbers, strict=True)], found[1])


@derived(
    "BEYOND.swap-in-levels.line",
    says="let each of S independent losses be of one of K types, chosen beforehand, and M_c(z) = E e^(z L_c). For theta, s, tau > 0, "
    "z_j = theta + i j tau and real t_j, E(L_1 + ... + L_S)_+ is at most the largest over c of (tau/2 pi) times the sum over integers j of "
    "exp(Re zeta_j - t_j Im zeta_j + t_j arctan t_j - ln(1 + t_j^2)/2), zeta_j = S ln M_c(z_j) + s^2 z_j^2/2 - 2 ln z_j, if no type has "
    "t_j > 0 and Im zeta_j > 3 pi/2, or t_j < 0 and Im zeta_j < -3 pi/2; beyond these it fails for some t",
    range="all finite sets of loss types with M_c(z_j) finite and not 0, of any means, S >= 1",
    governs=["impl.fast.bounds.swap.along_a_line.alike_line", "impl.fast.bounds.swap.along_a_line.loss_rows"],
    grounds=["BEYOND.any-law-line", "controlled-sum#one-randomizer", BALLS, EXACT],
    mutants={
        "ln(1 + t^2) for half of it": {"tangent": lambda t: t * t.atan() - (1 + t * t).log()},
        "without t arctan t": {"tangent": lambda t: -(1 + t * t).log() / 2},
        "to 5 pi/2": {"farthest": Fraction(5, 2)},
        "the line without a type": {"line": lambda types, numbers: along_a_line(types[-1:], numbers)},
        "the average over one more user": {"line": _of_one_user_more},
    },
    missing="Hoelder's inequality and Poisson's formula for all distributions; the tangent at 61 t and 161 angles, sums of up to seven "
    "users of three types",
)
def along_one_line(
    budget: Budget, *, tangent: Callable[[arb], arb] = _tangent, farthest: Fraction = Fraction(3, 2), line: Line = along_a_line
) -> Verdict:
    if _is_below((arb(30) / 64 * arb.pi()).tan(), farthest + Fraction(1, 128), tangent):
        return Verdict.refuted(f"the tangent at t = 10 is above the cosine beyond {farthest} pi, too", domain="beyond", cases=1)
    angles = [(a, y) for a in range(-30, 31) for y in range(-80, 81)]
    tangents = exhaustive.for_all(angles, holds=lambda each: _is_below_its_tangent(each, tangent, farthest))
    listed = exhaustive.for_all([*_CASES, *_ALONE], holds=lambda point: _line_is_above(point, line))
    drawn = sampled.for_all(_few_types(), holds=lambda point: _line_is_above(point, line), budget=budget, quick=10, full=300)
    return conjunction(
        [
            tangents.verdict(claims=Status.ARGUED, domain="ln cos is concave; 61 tangents at 161 angles", witness=str),
            listed.verdict(claims=Status.ARGUED, domain="skewed and rare types, all numbers of each up to seven users", witness=str),
            drawn.verdict(claims=Status.ARGUED, domain="all types by the argument; random ones", witness=str),
        ]
    )


@derived(
    "BEYOND.swap-in-levels-blocks.finite",
    where="controlled sum",
    says="for finitely many messages: let the losses of the S users outside the pool be independent, each below one of K_0 distributions. "
    "Let two losses of each of K_j distributions be below one of the next K_(j+1), and of the blocks of 2^j keep K_j or more, so that an "
    "even number goes on in pairs. E(L_1 + ... + L_S)_+ is at most the controlled sum of these blocks, in any order; that of the blocks of "
    "S + r users serves if it begins at r m, where some loss, below one of the K_0, has a mean of -m or more",
    range="all randomizers with finitely many messages, datasets, omega and losses, in any ordered field; all orders of the blocks",
    governs=[
        "spec.bounds.swap.swap_in_levels",
        "impl.fast.bounds.swap.user_blocks.alike_blocks",
        "impl.fast.bounds.swap.user_blocks.block_sums",
        "impl.fast.bounds.swap.user_blocks.block_steps",
    ],
    grounds=[Coq("unlike_blocks", states="d1d0a90fe213c87f")],
    mutants={
        "a block less is kept": {"fewer": 1},
        "blocks of one type": {
            "blocks": lambda types, users, *, groups, start=Fraction(0): sum_in_blocks(types[-1:], users, groups=groups, start=start)
        },
        "users who are missing lose nothing": {"begun": lambda missing, falls: Fraction(0)},
    },
)
def blocks_that_are_found(
    budget: Budget, *, fewer: int = 0, blocks: Exact = sum_in_blocks, begun: Begun = lambda missing, falls: missing * falls
) -> Verdict:
    def holds(point: tuple[Types, int]) -> bool:
        types, users = point
        K, falls = len(types), min(-sum((x * p for x, p in law), Fraction(0)) for law in types)
        for groups in ([], [K], [K, K]):
            if users >= sum(k << j for j, k in enumerate(groups)):
                *kept, number = in_blocks(users=users, groups=groups).values()
                left = users
                for blocks_kept in kept:
                    if blocks_kept - fewer < K or (left - blocks_kept) % 2:
                        return False
                    left = (left - blocks_kept) // 2
                if left != number or any(
                    blocks(types, users, groups=groups, start=begun(users - S, falls)) < worst_sum(types, S) for S in range(1, users)
                ):
                    return False
        return _blocks_are_above(point, blocks)

    return exhaustive.for_all([*_CASES[::2], *_FALLING], holds=holds).verdict(
        domain="all of it by Coq; that the blocks of BEYOND.swap-in-levels.blocks are such, and sums of skewed, rare and falling types, "
        "all numbers of each up to seven users, and of fewer",
        witness=str,
    )
