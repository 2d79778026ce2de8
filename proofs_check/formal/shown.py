"""The instances that the repository states: small n exactly, as the specification has them, and large n by a window."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from shuffleproof.proofs_check.formal.instance import instance, module
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_law


def exact_instances() -> str:
    """ExactInstances.v."""
    made = {
        "shuffled_1_user": instance(n=1, epsilon0="ln 4", epsilon="ln 2", exact=True),
        "shuffled_2_users": instance(n=2, epsilon0="ln 4", epsilon=0, exact=True),
        "shuffled_10_users": instance(n=10, epsilon0="ln 3", epsilon="ln 3/2", exact=True),
        "shuffled_100_users": instance(n=100, epsilon0="ln 3", epsilon="ln 3/2", exact=True),
        "stronger_2_users": instance(n=2, epsilon0="ln 4", epsilon=0, exact=True, pair="stronger-clones"),
        "stronger_10_users": instance(n=10, epsilon0="ln 3", epsilon="ln 3/2", exact=True, pair="stronger-clones"),
        "stronger_100_users": instance(n=100, epsilon0="ln 3", epsilon="ln 3/2", exact=True, pair="stronger-clones"),
    }
    return module(made, says="The privacy of few shuffled users, with the delta of a pair itself.")


def window_instances() -> str:
    """WindowInstances.v."""
    made = {
        "shuffled_1000_users": instance(n=1000, epsilon0="ln 3", epsilon="ln 6/5"),
        "shuffled_10000_users": instance(n=10**4, epsilon0=1, epsilon="1/10"),
        "shuffled_1000000_users": instance(n=10**6, epsilon0="ln 3", epsilon="ln 101/100"),
        "stronger_1000_users": instance(n=1000, epsilon0="ln 3", epsilon="ln 6/5", pair="stronger-clones"),
        "stronger_10000_users": instance(n=10**4, epsilon0=1, epsilon="1/10", pair="stronger-clones"),
    }
    return module(made, says="The privacy of many shuffled users, by a window: delta is rounded up.")


def small_examples() -> str:
    """SmallExamples.v."""
    head = """(* Divergences of shuffled adaptive sequences, as the executable specification computes them: Definitions.v says the same.
   The randomizer of a step is the second of two where (number + sum of earlier outputs) is odd.
   Written by `proofs_check/formal/shown.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Integers SmallCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

"""
    return head + "\n".join(_small_example(name, *case) for name, case in SMALL.items())


_TERNARY = [[4, 1, 1], [1, 4, 1], [1, 1, 4]]
_BINARY = [[6, 2], [2, 6]]
_UNEVEN = [[5, 3], [4, 4]]
SMALL = {
    "ternary_response": (_TERNARY, _TERNARY, (0, 0, 0), (1, 0, 0), Fraction(37, 10)),
    "ternary_response_apart": (_TERNARY, _TERNARY, (0, 2, 2), (1, 2, 2), Fraction(2)),
    "binary_response": (_BINARY, _BINARY, (0, 1), (1, 1), Fraction(1)),
    "adaptive": (_BINARY, _UNEVEN, (0, 1, 1), (1, 1, 1), Fraction(3, 2)),
    "adaptive_reversed": (_BINARY, _UNEVEN, (1, 1, 1), (0, 1, 1), Fraction(11, 10)),
    "one_user": (_UNEVEN, _BINARY, (0,), (1,), Fraction(1)),
}
"""The randomizers' probabilities over a common denominator, by input; the two datasets; the order E."""

Table = list[list[int]]


def _small_example(name: str, even: Table, odd: Table, data: tuple[int, ...], other: tuple[int, ...], order: Fraction) -> str:
    over = sum(even[0])

    def randomizer(table: Table) -> LocalRandomizer[int, int]:
        laws = {x: Distribution({y: Fraction(weight, over) for y, weight in enumerate(row)}) for x, row in enumerate(table)}
        return LocalRandomizer(range(len(table)), laws)

    steps = [lambda z: randomizer(odd if (len(z) + sum(z)) % 2 else even)] * len(data)
    laws = [adaptive_shuffled_law(steps, dataset) for dataset in (data, other)]
    numerator, denominator = hockey_stick(laws[0], laws[1], exp_epsilon=order).as_integer_ratio()
    n, m, k = len(data), len(even), len(even[0])
    e, f = order.as_integer_ratio()
    return f"""Definition {name}_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then {_listed(odd)} else {_listed(even)})%Z x) s.

Lemma {name}_computed : small_case {name}_table {over} {n} {k} {e} {f} {_row(data)}%N {_row(other)}%N {numerator} {denominator}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (randomizers : adaptive_randomizers R 'I_{m} [finType of 'I_{k}]) (w w' : {n}.-tuple 'I_{m}) :
  (forall z x s, randomizers z x s = of_Z R ({name}_table (map (@nat_of_ord {k}) z) x s) / of_Z R {over}) ->
  map (@nat_of_ord {m}) w = {_row(data)}%N -> map (@nat_of_ord {m}) w' = {_row(other)}%N ->
  hockey (of_Z R {e} / of_Z R {f}) (shuffled randomizers w) (shuffled randomizers w') = of_Z R {numerator} / of_Z R {denominator}.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: {name}_computed. Qed.
"""


def _listed(table: Table) -> str:
    return f"[:: {'; '.join(_row(row) for row in table)}]"


def _row(row: Sequence[int]) -> str:
    return f"[:: {'; '.join(map(str, row))}]"


SHOWN = {"SmallExamples": small_examples, "ExactInstances": exact_instances, "WindowInstances": window_instances}
"""Module of the formal proofs -> what writes it."""
