"""Alike users in blocks: one sum that is above those of all datasets, for the random-swap bound."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.swap.loss_types import Classes, types_of
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Part, Tilt
from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.masses import positive_part, sum_of
from shuffleproof.spec.bounds.swap import another_place
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.randomizers.hadamard_response import Hadamard
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.k_subset import Subset
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import epsilon0_parameter

Count = Callable[..., dict[int, int]]
Merge = Callable[[Tilt, list[Part]], Part]
Over = Callable[[list[dict[Fraction, Fraction]]], dict[Fraction, Fraction]]
ALL_KINDS: tuple[NamedRandomizer, ...] = (
    KRR(k=2),
    KRR(k=4),
    RAPPOR(k=3),
    AsymmetricRAPPOR(k=3),
    LocalHashing(buckets=3, k=3),
    LocalHashing(buckets=2, k=3, family="any"),
    LocalHashing(buckets=3, k=3, family="any"),
    Subset(k=5, d=2),
    Hadamard(k=3, blocks=1),
    Hadamard(k=5, blocks=1),
    Hadamard(k=6, blocks=2),
    Hadamard(k=8, blocks=4),
)


@st.composite
def _few_loss_types(draw: st.DrawFn) -> list[dict[Fraction, Fraction]]:
    """Two or three distributions of a loss on small integers with the mean -1/4, each on two or three values."""
    found = []
    for _ in range(draw(st.integers(2, 3))):
        low, high = Fraction(-draw(st.integers(1, 4))), Fraction(draw(st.integers(0, 4)))
        share, middle = (Fraction(-1, 4) - low) / (high - low), draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(3, 4)]))
        law = {low: (1 - share) * (1 - middle), high: share * (1 - middle)}
        law[Fraction(-1, 4)] = law.get(Fraction(-1, 4), Fraction(0)) + middle
        found.append({at: mass for at, mass in law.items() if mass})
    return found


_SKEWED = [{Fraction(-1): Fraction(2, 3), Fraction(2): Fraction(1, 3)}, {Fraction(1): Fraction(2, 3), Fraction(-2): Fraction(1, 3)}]
"""Two loss types of mean 0: beyond 1 the sum of one of each has more than that of two alike, so that as many as there are types stay
single."""


def _blocks_hold(several: list[dict[Fraction, Fraction]], over: Over, count: Count) -> bool:
    """Return whether the blocks' sum is above that of S users for all numbers of each loss type, and the float64 engine's above it."""
    single, double = over(several), over([sum_of([law, law]) for law in several])
    for S, groups, blocks in (
        (len(several), [len(several)], {1: single, 2: double}),
        (len(several) + 1, [len(several)], {1: single, 2: double}),
        (4, [len(several)], {1: single, 2: double}),
        (5, [len(several)], {1: single, 2: double}),
        (
            len(several) + 3,
            [len(several), 1],
            {1: single, 2: double, 4: sum_of([double, double])},
        ),  # one distribution for all loss types, from 2 on
    ):
        number = count(users=S, groups=groups)
        total = sum_of([blocks[size] for size, times in number.items() for _ in range(times)])
        shifts = (Fraction(-3, 2), Fraction(0), Fraction(1, 2), Fraction(S, 2))
        most = [positive_part({at + shift: mass for at, mass in total.items()}) for shift in shifts]
        for held in combinations_with_replacement(several, S):
            alone = sum_of(held)
            for shift, largest in zip(shifts, most, strict=True):
                if positive_part({at + shift: mass for at, mass in alone.items()}) > largest:
                    return False
    return True


def _engine_is_above(several: list[dict[Fraction, Fraction]], grown: float, merge: Merge) -> bool:
    """Return whether the float64 parts are above the exact sums, for several tilts, those of one distribution for all loss types too."""
    for theta, times in product((0.05, 0.7), (1, 5)):
        tilt = Tilt(theta, 1 << 10)
        parts: list[Part] = []
        for law in several:
            mass, at = (np.array([float(x) for x in column]) for column in (law.values(), law.keys()))
            parts.append(tilt.of(mass, at, level=-2, error=2.0**-50))
        both = tilt.power(tilt.above([tilt.product(part, part) for part in parts]), times)
        exact = sum_of([another_place.least_above([sum_of([law, law]) for law in several])] * times)
        if not positive_part(exact) <= Fraction(tilt.positive(both) * grown):
            return False
        together = Fraction(tilt.positive(tilt.power(merge(tilt, parts), times)) * (1 + 1e-9))
        if any(positive_part(sum_of([law] * times)) > together for law in several):
            return False
    return True


def _none_left_over(*, users: int, groups: list[int]) -> dict[int, int]:
    """Mutant: as if numbers of each loss type were multiples of the block."""
    block = 1 << len(groups)
    return {block: users // block, 1: users % block}


@derived(
    "BEYOND.any-law-alike-blocks",
    says="let each of S independent losses be of one of K_0 loss types, all of one mean, and put alike ones in blocks of g = 2^J. From "
    "blocks of 2^j on a distribution above those of two loss types or more may take the place of these, so that K_j are left. The sum of "
    "all losses is at most, in the convex order, that of B = floor((S - sum of K_j 2^j over j < J)/g) copies of the least distribution "
    "above all of g, and K_j, or K_j + 1 by the binary digits of what is over, of those of 2^j",
    range="all distributions of one mean, numbers of each loss type, g a power of two, S at least the sum of K_j 2^j",
    governs=[
        "spec.bounds.swap.another_place",
        "impl.fast.bounds.swap.unlike_sums",
        "impl.fast.bounds.swap.users_in_blocks",
        "impl.fast.bounds.swap.one_pool",
    ],
    grounds=["BEYOND.any-law-rare-losses", "BEYOND.any-law-grids", "random-swap#blocks-of-users-with-one-loss-type", EXACT],
    mutants={
        "one loss type's distribution for all": {"over": lambda several: several[0]},
        "no one left over": {"count": _none_left_over},
        "a thousandth less than the engine says": {"grown": 0.999},
        "the widest of several for all of them": {
            "merge": lambda tilt, parts: max(parts, key=lambda part: math.ldexp(part.total, part.doubled))
        },
        "loss types of others without x_0": {"fewer": 1},
    },
    missing="more users and loss types than are enumerated",
)
def alike_blocks(
    budget: Budget,
    *,
    over: Over = lambda parts: another_place.least_above(parts),
    count: Count = another_place.in_blocks,
    grown: float = 1.0,
    merge: Merge = lambda tilt, parts: tilt.merged(parts, 1e9)[0][0],
    fewer: int = 0,
) -> Verdict:
    if not _blocks_hold(_SKEWED, over, count):
        return Verdict.refuted(f"loss types {_SKEWED}", domain="two skewed loss types", cases=1)
    random_loss_types = sampled.for_all(
        _few_loss_types(),
        holds=lambda several: _blocks_hold(several, over, count) and _engine_is_above(several, grown, merge),
        budget=budget,
        quick=8,
        full=100,
    )
    named = exhaustive.for_all(ALL_KINDS[:: 2 if budget.depth == "quick" else 1], holds=lambda each: not _unknown_kind(each, fewer))
    return conjunction(
        [
            random_loss_types.verdict(
                claims=Status.ARGUED,
                domain="all distributions by the argument; random loss types with all numbers of each for up to six users",
                witness=lambda several: f"loss types {several}",
            ),
            named.verdict(
                claims=Status.ARGUED,
                domain="the loss types of named randomizers by all inputs of theirs",
                witness=lambda each: f"{each}: {_unknown_kind(each, fewer)}",
            ),
        ]
    )


def _unknown_kind(named: NamedRandomizer, fewer: int) -> str:
    """Inputs x_0, x_1 and another user's whose distribution of (u, v) is none of the float64 engine's loss types, or nothing."""
    *_, types = types_of(named, epsilon0_parameter("ln 9/4"))
    assert isinstance(types, Classes)
    both_orders = types.reports[2 * fewer :]
    known = [_rounded(zip(law.mass, law.u, law.v, strict=True)) for law in both_orders]
    for randomizer in _by_functions(named):
        for x, z in permutations(tuple(randomizer.domain), 2):
            for k in randomizer.domain:
                rows = (
                    (float(m), float(randomizer.distribution(x)[y] / m), float(randomizer.distribution(z)[y] / m))
                    for y, m in randomizer.distribution(k).items()
                )
                if _rounded(rows) not in known:
                    return f"inputs {x} and {z}, another user's {k}"
    return ""


def _by_functions(named: NamedRandomizer) -> list[LocalRandomizer[Any, Any]]:
    """Itself; of hashing with any functions kRR after each of them: its distributions are mixtures of these."""
    if not (isinstance(named, LocalHashing) and named.family == "any"):
        return [by_items(named)]
    buckets: LocalRandomizer[Any, Any] = by_items(KRR(k=named.buckets))
    items = range(named.k or 0)
    functions = product(buckets.domain, repeat=len(items))
    return [LocalRandomizer(items, {x: buckets.distribution(function[x]) for x in items}) for function in functions]


def _rounded(rows: Iterable[tuple[float, float, float]]) -> dict[tuple[float, float], float]:
    """Masses of (u, v), both to eight digits."""
    found: dict[tuple[float, float], float] = {}
    for mass, u, v in rows:
        at = round(float(u), 8), round(float(v), 8)
        found[at] = found.get(at, 0.0) + float(mass)
    return {at: round(mass, 8) for at, mass in found.items() if mass}


def by_items(named: NamedRandomizer) -> LocalRandomizer[Any, Any]:
    """Its distribution with its number of items, at e^eps0 = 9/4."""
    T = Fraction(9, 4)
    return exact_distribution(named, T)
