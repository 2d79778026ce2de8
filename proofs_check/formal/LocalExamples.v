(* The local privacy of a few randomizers, as the executable specification computes it: epsilon0 and no less, and delta0 and
   no less at an order T below e^epsilon0. Definitions.v says the same.
   Written by `proofs_check/formal/shown.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Integers LocalCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Definition ternary_response_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 4; 1; 1]; [:: 1; 4; 1]; [:: 1; 1; 4]]%Z x) s.

Theorem ternary_response_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_3 [finType of 'I_3]) :
  (forall z x s, randomizers z x s = of_Z R (ternary_response_local_table x s) / of_Z R 6) ->
  [/\ ldp (of_Z R 4 / of_Z R 1) randomizers, ~ ldp (of_Z R 999 / of_Z R 250) randomizers,
      approximately_ldp (of_Z R 2 / of_Z R 1) (of_Z R 1 / of_Z R 3) randomizers
    & ~ approximately_ldp (of_Z R 2 / of_Z R 1) (of_Z R 333 / of_Z R 1000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 6)%Z by [].
split; first by apply/(small_ldp_iff 4 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 999 den_gt0 (erefl : (0 < 250)%Z) tabulated).
- by apply/(small_approximately_iff 2 den_gt0 (erefl : (0 < 1)%Z) tabulated 1 (erefl : (0 < 3)%Z)).
by move/(small_approximately_iff 2 den_gt0 (erefl : (0 < 1)%Z) tabulated 333 (erefl : (0 < 1000)%Z)).
Qed.

Definition binary_response_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 6; 2]; [:: 2; 6]]%Z x) s.

Theorem binary_response_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) :
  (forall z x s, randomizers z x s = of_Z R (binary_response_local_table x s) / of_Z R 8) ->
  [/\ ldp (of_Z R 3 / of_Z R 1) randomizers, ~ ldp (of_Z R 2997 / of_Z R 1000) randomizers,
      approximately_ldp (of_Z R 1 / of_Z R 1) (of_Z R 1 / of_Z R 2) randomizers
    & ~ approximately_ldp (of_Z R 1 / of_Z R 1) (of_Z R 999 / of_Z R 2000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 8)%Z by [].
split; first by apply/(small_ldp_iff 3 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 2997 den_gt0 (erefl : (0 < 1000)%Z) tabulated).
- by apply/(small_approximately_iff 1 den_gt0 (erefl : (0 < 1)%Z) tabulated 1 (erefl : (0 < 2)%Z)).
by move/(small_approximately_iff 1 den_gt0 (erefl : (0 < 1)%Z) tabulated 999 (erefl : (0 < 2000)%Z)).
Qed.

Definition uneven_response_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 5; 2; 1]; [:: 3; 3; 2]]%Z x) s.

Theorem uneven_response_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_3]) :
  (forall z x s, randomizers z x s = of_Z R (uneven_response_local_table x s) / of_Z R 8) ->
  [/\ ldp (of_Z R 2 / of_Z R 1) randomizers, ~ ldp (of_Z R 999 / of_Z R 500) randomizers,
      approximately_ldp (of_Z R 4 / of_Z R 3) (of_Z R 1 / of_Z R 8) randomizers
    & ~ approximately_ldp (of_Z R 4 / of_Z R 3) (of_Z R 999 / of_Z R 8000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 8)%Z by [].
split; first by apply/(small_ldp_iff 2 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 999 den_gt0 (erefl : (0 < 500)%Z) tabulated).
- by apply/(small_approximately_iff 4 den_gt0 (erefl : (0 < 3)%Z) tabulated 1 (erefl : (0 < 8)%Z)).
by move/(small_approximately_iff 4 den_gt0 (erefl : (0 < 3)%Z) tabulated 999 (erefl : (0 < 8000)%Z)).
Qed.
