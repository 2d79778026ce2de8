(* Divergences of shuffled adaptive sequences, as the executable specification computes them: Definitions.v says the same.
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

Definition ternary_response_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 4; 1; 1]; [:: 1; 4; 1]; [:: 1; 1; 4]] else [:: [:: 4; 1; 1]; [:: 1; 4; 1]; [:: 1; 1; 4]])%Z x) s.

Lemma ternary_response_computed : small_case ternary_response_table 6 3 3 37 10 [:: 0; 0; 0]%N [:: 1; 0; 0]%N 1 45.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem ternary_response (R : realFieldType) (randomizers : adaptive_randomizers R 'I_3 [finType of 'I_3]) (w w' : 3.-tuple 'I_3) :
  (forall z x s, randomizers z x s = of_Z R (ternary_response_table (map (@nat_of_ord 3) z) x s) / of_Z R 6) ->
  map (@nat_of_ord 3) w = [:: 0; 0; 0]%N -> map (@nat_of_ord 3) w' = [:: 1; 0; 0]%N ->
  hockey (of_Z R 37 / of_Z R 10) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 1 / of_Z R 45.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: ternary_response_computed. Qed.

Definition ternary_response_apart_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 4; 1; 1]; [:: 1; 4; 1]; [:: 1; 1; 4]] else [:: [:: 4; 1; 1]; [:: 1; 4; 1]; [:: 1; 1; 4]])%Z x) s.

Lemma ternary_response_apart_computed : small_case ternary_response_apart_table 6 3 3 2 1 [:: 0; 2; 2]%N [:: 1; 2; 2]%N 41 216.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem ternary_response_apart (R : realFieldType) (randomizers : adaptive_randomizers R 'I_3 [finType of 'I_3]) (w w' : 3.-tuple 'I_3) :
  (forall z x s, randomizers z x s = of_Z R (ternary_response_apart_table (map (@nat_of_ord 3) z) x s) / of_Z R 6) ->
  map (@nat_of_ord 3) w = [:: 0; 2; 2]%N -> map (@nat_of_ord 3) w' = [:: 1; 2; 2]%N ->
  hockey (of_Z R 2 / of_Z R 1) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 41 / of_Z R 216.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: ternary_response_apart_computed. Qed.

Definition binary_response_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 6; 2]; [:: 2; 6]] else [:: [:: 6; 2]; [:: 2; 6]])%Z x) s.

Lemma binary_response_computed : small_case binary_response_table 8 2 2 1 1 [:: 0; 1]%N [:: 1; 1]%N 3 8.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem binary_response (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) (w w' : 2.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (binary_response_table (map (@nat_of_ord 2) z) x s) / of_Z R 8) ->
  map (@nat_of_ord 2) w = [:: 0; 1]%N -> map (@nat_of_ord 2) w' = [:: 1; 1]%N ->
  hockey (of_Z R 1 / of_Z R 1) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 3 / of_Z R 8.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: binary_response_computed. Qed.

Definition adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 5; 3]; [:: 4; 4]] else [:: [:: 6; 2]; [:: 2; 6]])%Z x) s.

Lemma adaptive_computed : small_case adaptive_table 8 3 2 3 2 [:: 0; 1; 1]%N [:: 1; 1; 1]%N 17 384.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) (w w' : 3.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (adaptive_table (map (@nat_of_ord 2) z) x s) / of_Z R 8) ->
  map (@nat_of_ord 2) w = [:: 0; 1; 1]%N -> map (@nat_of_ord 2) w' = [:: 1; 1; 1]%N ->
  hockey (of_Z R 3 / of_Z R 2) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 17 / of_Z R 384.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: adaptive_computed. Qed.

Definition adaptive_reversed_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 5; 3]; [:: 4; 4]] else [:: [:: 6; 2]; [:: 2; 6]])%Z x) s.

Lemma adaptive_reversed_computed : small_case adaptive_reversed_table 8 3 2 11 10 [:: 1; 1; 1]%N [:: 0; 1; 1]%N 171 640.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem adaptive_reversed (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) (w w' : 3.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (adaptive_reversed_table (map (@nat_of_ord 2) z) x s) / of_Z R 8) ->
  map (@nat_of_ord 2) w = [:: 1; 1; 1]%N -> map (@nat_of_ord 2) w' = [:: 0; 1; 1]%N ->
  hockey (of_Z R 11 / of_Z R 10) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 171 / of_Z R 640.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: adaptive_reversed_computed. Qed.

Definition one_user_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 6; 2]; [:: 2; 6]] else [:: [:: 5; 3]; [:: 4; 4]])%Z x) s.

Lemma one_user_computed : small_case one_user_table 8 1 2 1 1 [:: 0]%N [:: 1]%N 1 8.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem one_user (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) (w w' : 1.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (one_user_table (map (@nat_of_ord 2) z) x s) / of_Z R 8) ->
  map (@nat_of_ord 2) w = [:: 0]%N -> map (@nat_of_ord 2) w' = [:: 1]%N ->
  hockey (of_Z R 1 / of_Z R 1) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 1 / of_Z R 8.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: one_user_computed. Qed.
