"""The law of d as tables: every number that is asked for against exact rationals, and the changes that this notices."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, inner_shares

from shuffleproof.impl.fast.bounds.variation_ratio import optimal_pair_laws
from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_laws import PairMasses, Tables
from shuffleproof.spec.distribution import binomial


def masses_with(share: Fraction) -> PairMasses:
    """Of p = 3, beta = 1/4, but with this share of d: tables look at nothing else."""
    return replace(PairMasses.of(n=100, p=Fraction(3), beta=Fraction(1, 4), q=Fraction(3)), share=share)


def law(N: int, share: Fraction, *, summed: int, half: int) -> dict[int, Fraction]:
    """Of N draws, of which `summed` stay within half of floor(s summed), over the probability that they do."""
    middle = math.floor(share * summed)
    kept = {d: weight for d, weight in binomial(summed, share).items() if abs(d - middle) <= half}
    kept = {d: weight for d, weight in kept.items() if weight >= max(kept.values()) / 10**250}
    total = sum(kept.values())
    result: dict[int, Fraction] = {}
    for more, weight in binomial(N - summed, share).items():
        for d, mass in kept.items():
            result[d + more] = result.get(d + more, Fraction(0)) + weight * mass / total
    return result


def wrong(tables: Tables, share: Fraction, most: int, least: int) -> list[str]:
    """What is not as Tables says."""
    half, steps, found = tables.half, tables.steps, []
    rounding = Fraction(tables.up) - 1
    for index, row in enumerate(tables.rows.tolist()):
        N = most - index
        back = (N - least) % (steps + 1)
        first = math.floor(share * (N - back)) - half
        exact, values, puts = law(N, share, summed=N - back, half=half), tables.values[row], half + 3 + steps
        if abs(Fraction(tables.centres[row]) - (share * N - first)) > Fraction(tables.width, 2**52):
            found.append(f"centre of N = {N}")
        tail = [sum(w for d, w in binomial(N - back, share).items() if side * (d - first - half) > half) for side in (-1, 1)]
        if tail[0] > tables.below or tail[1] > tables.above or tables.down > 1 - sum(tail):
            found.append(f"tails of N = {N}")
        for i in range(half + 3 + steps):
            put = sum(w * max(first + i - d, 0) for d, w in exact.items())
            if abs(Fraction(values[i]) - put) > rounding * put:
                found.append(f"put of N = {N} at {i}")
        for i in range(half - 1 - steps + back, 2 * half + steps + 1):
            call = sum(w * max(d - first - i, 0) for d, w in exact.items())
            if abs(Fraction(values[puts + i - (half - 1 - steps)]) - call) > rounding * call:
                found.append(f"call of N = {N} at {i}")
    return found


@examples(60)
@given(inner_shares, st.integers(0, 20), st.integers(0, 12), st.integers(2, 30))
def test_every_law_of_a_run_is_within_its_rounding_of_the_exact_one(share: Fraction, least: int, more: int, half: int) -> None:
    tables = Tables.of_consecutive(masses_with(share), least + more, least, half=half)
    assert len(tables.rows) == more + 1
    assert tables.steps == min(more, half - 1)
    assert tables.up < 1 + 1e-11
    assert wrong(tables, share, least + more, least) == []


@examples(20)
@given(inner_shares, st.lists(st.integers(0, 30), min_size=1, max_size=4), st.integers(2, 30))
def test_laws_that_are_summed_up_one_by_one(share: Fraction, draws: list[int], half: int) -> None:
    tables = Tables.of(masses_with(share), np.array(draws), half=half)
    for index, N in enumerate(draws):
        assert wrong(replace(tables, rows=tables.rows[index : index + 1]), share, N, N) == []


def test_many_runs_of_the_longest_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal_pair_laws, "_MOST_STEPS", 3)
    tables = Tables.of_consecutive(masses_with(Fraction(2, 7)), 50, 33, half=9)
    assert (len(tables.rows), tables.steps) == (18, 3)
    assert wrong(tables, Fraction(2, 7), 50, 33) == []


@pytest.mark.parametrize(
    "share", [Fraction(1, 10**60), pytest.param(1 - Fraction(1, 10**60), marks=pytest.mark.deep), Fraction(1, 10**15), Fraction(1, 2)]
)
def test_rare_values_are_not_multiplied_below_the_normal_floats(share: Fraction) -> None:
    tables = Tables.of_consecutive(masses_with(share), 60, 20, half=40)
    assert min(share, 1 - share) ** tables.steps >= Fraction(1, 10**40)
    positive = tables.values[tables.values > 0]
    assert positive.min() > 1e-295
    assert wrong(tables, share, 60, 20) == []


MUTANTS: dict[str, Callable[[Tables], Tables]] = {
    "rows in the order of the array": lambda tables: replace(tables, rows=np.sort(tables.rows)),
    "rows one further on": lambda tables: replace(tables, rows=np.roll(tables.rows, 1)),
    "centres of the law that was summed up": lambda tables: replace(tables, centres=np.tile(tables.centres[-1:], len(tables.centres))),
    "tails left out": lambda tables: replace(tables, below=0.0, above=0.0, down=1.0),
    "values off by 1e-11": lambda tables: replace(tables, values=tables.values * (1 + 1e-11)),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_changed_table_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal_pair_laws, "_MOST_STEPS", 3)
    share = Fraction(2, 7)
    tables = Tables.of_consecutive(masses_with(share), 30, 15, half=5)
    assert wrong(tables, share, 30, 15) == []
    assert wrong(MUTANTS[name](tables), share, 30, 15) != []


def test_steps_with_the_weights_exchanged_are_noticed() -> None:
    share = Fraction(2, 7)
    exchanged = replace(masses_with(share), share=1 - share)
    tables = Tables.of_consecutive(masses_with(share), 20, 15, half=6)
    other = Tables.of_consecutive(exchanged, 20, 15, half=6)
    assert wrong(replace(tables, values=other.values), share, 20, 15) != []
