(* Examples with parameters that were drawn (seed 37), as the executable specification computes them: Coq confirms each.
   Written by `proofs_check/formal/shown.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling OneMessage PairDefinitions ThreeParts Integers SmallCases LocalCases
  OptimalPairNumbers OptimalPairExact KaryNumbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Definition drawn_0_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 3; 1]; [:: 2; 2]] else [:: [:: 2; 2]; [:: 1; 3]])%Z x) s.

Lemma drawn_0_adaptive_computed : small_case drawn_0_adaptive_table 4 3 2 0 1 [:: 0; 1; 1]%N [:: 0; 0; 1]%N 1 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_0_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) (w w' : 3.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (drawn_0_adaptive_table (map (@nat_of_ord 2) z) x s) / of_Z R 4) ->
  map (@nat_of_ord 2) w = [:: 0; 1; 1]%N -> map (@nat_of_ord 2) w' = [:: 0; 0; 1]%N ->
  hockey (of_Z R 0 / of_Z R 1) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 1 / of_Z R 1.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_0_adaptive_computed. Qed.

Definition drawn_0_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 2]; [:: 1; 3]]%Z x) s.

Lemma drawn_0_computed : small_case drawn_0_table 4 3 2 0 1 [:: 0; 1; 1]%N [:: 0; 0; 1]%N 1 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_0 (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_2]) (w w' : 3.-tuple 'I_2) :
  (forall x s, randomizer x s = of_Z R (drawn_0_table [::] x s) / of_Z R 4) ->
  map (@nat_of_ord 2) w = [:: 0; 1; 1]%N -> map (@nat_of_ord 2) w' = [:: 0; 0; 1]%N ->
  hockey (of_Z R 0 / of_Z R 1) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 1 / of_Z R 1.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 2 2 (fun=> randomizer) drawn_0_table 4 3 w w' 0 1 1 1).
  by rewrite w_is w'_is; apply: drawn_0_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_0_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 3; 1]; [:: 1; 3]; [:: 2; 2]; [:: 1; 3]]%Z x) s.

Theorem drawn_0_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_4 [finType of 'I_2]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_0_local_table x s) / of_Z R 4) ->
  [/\ ldp (of_Z R 3 / of_Z R 1) randomizers, ~ ldp (of_Z R 2997 / of_Z R 1000) randomizers,
      approximately_ldp (of_Z R 3 / of_Z R 2) (of_Z R 3 / of_Z R 8) randomizers
    & ~ approximately_ldp (of_Z R 3 / of_Z R 2) (of_Z R 2997 / of_Z R 8000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 4)%Z by [].
split; first by apply/(small_ldp_iff 3 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 2997 den_gt0 (erefl : (0 < 1000)%Z) tabulated).
- by apply/(small_approximately_iff 3 den_gt0 (erefl : (0 < 2)%Z) tabulated 3 (erefl : (0 < 8)%Z)).
by move/(small_approximately_iff 3 den_gt0 (erefl : (0 < 2)%Z) tabulated 2997 (erefl : (0 < 8000)%Z)).
Qed.

Lemma drawn_0_blanket_computed : blanket_delta_is 13 1 81 0 1 3 1 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_0_blanket (R : realFieldType) (K : finType) : #|K| = 81%N ->
  hockey (of_Z R 0 / of_Z R 1) (pair_counts (k_rr_special_0 K (of_Z R 13 / of_Z R 1)) (k_rr_others K (of_Z R 13 / of_Z R 1)) 2)
    (pair_counts (k_rr_special_1 K (of_Z R 13 / of_Z R 1)) (k_rr_others K (of_Z R 13 / of_Z R 1)) 2) = of_Z R 1 / of_Z R 1.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_0_blanket_computed. Qed.

Lemma drawn_0_pair_computed : pair_sum_is 13 1 5 24 5 4 0 1 6 1 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_0_pair (R : realFieldType) :
  hockey (of_Z R 0 / of_Z R 1) (pair_P (of_Z R 1 / of_Z R 13) (of_Z R 5 / of_Z R 24) (of_Z R 5 / of_Z R 4) 5) (pair_Q (of_Z R 1 / of_Z R 13) (of_Z R 5 / of_Z R 24) (of_Z R 5 / of_Z R 4) 5) = of_Z R 1 / of_Z R 1.
Proof. by apply: pair_sum_is_sound drawn_0_pair_computed. Qed.

Definition drawn_1_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 1; 2; 1]; [:: 1; 1; 2]] else [:: [:: 1; 2; 1]; [:: 2; 1; 1]])%Z x) s.

Lemma drawn_1_adaptive_computed : small_case drawn_1_adaptive_table 4 3 3 3 4 [:: 1; 1; 0]%N [:: 1; 1; 1]%N 19 64.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_1_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_3]) (w w' : 3.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (drawn_1_adaptive_table (map (@nat_of_ord 3) z) x s) / of_Z R 4) ->
  map (@nat_of_ord 2) w = [:: 1; 1; 0]%N -> map (@nat_of_ord 2) w' = [:: 1; 1; 1]%N ->
  hockey (of_Z R 3 / of_Z R 4) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 19 / of_Z R 64.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_1_adaptive_computed. Qed.

Definition drawn_1_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 1; 2; 1]; [:: 2; 1; 1]]%Z x) s.

Lemma drawn_1_computed : small_case drawn_1_table 4 3 3 3 4 [:: 1; 1; 0]%N [:: 1; 1; 1]%N 19 64.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_1 (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_3]) (w w' : 3.-tuple 'I_2) :
  (forall x s, randomizer x s = of_Z R (drawn_1_table [::] x s) / of_Z R 4) ->
  map (@nat_of_ord 2) w = [:: 1; 1; 0]%N -> map (@nat_of_ord 2) w' = [:: 1; 1; 1]%N ->
  hockey (of_Z R 3 / of_Z R 4) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 19 / of_Z R 64.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 2 3 (fun=> randomizer) drawn_1_table 4 3 w w' 3 4 19 64).
  by rewrite w_is w'_is; apply: drawn_1_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_1_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 1; 1]; [:: 1; 1; 2]; [:: 1; 2; 1]; [:: 2; 1; 1]]%Z x) s.

Theorem drawn_1_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_4 [finType of 'I_3]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_1_local_table x s) / of_Z R 4) ->
  [/\ ldp (of_Z R 2 / of_Z R 1) randomizers, ~ ldp (of_Z R 999 / of_Z R 500) randomizers,
      approximately_ldp (of_Z R 4 / of_Z R 3) (of_Z R 1 / of_Z R 6) randomizers
    & ~ approximately_ldp (of_Z R 4 / of_Z R 3) (of_Z R 333 / of_Z R 2000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 4)%Z by [].
split; first by apply/(small_ldp_iff 2 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 999 den_gt0 (erefl : (0 < 500)%Z) tabulated).
- by apply/(small_approximately_iff 4 den_gt0 (erefl : (0 < 3)%Z) tabulated 1 (erefl : (0 < 6)%Z)).
by move/(small_approximately_iff 4 den_gt0 (erefl : (0 < 3)%Z) tabulated 333 (erefl : (0 < 2000)%Z)).
Qed.

Lemma drawn_1_blanket_computed : blanket_delta_is 13 4 11 3 4 1 19 53.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_1_blanket (R : realFieldType) (K : finType) : #|K| = 11%N ->
  hockey (of_Z R 3 / of_Z R 4) (pair_counts (k_rr_special_0 K (of_Z R 13 / of_Z R 4)) (k_rr_others K (of_Z R 13 / of_Z R 4)) 0)
    (pair_counts (k_rr_special_1 K (of_Z R 13 / of_Z R 4)) (k_rr_others K (of_Z R 13 / of_Z R 4)) 0) = of_Z R 19 / of_Z R 53.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_1_blanket_computed. Qed.

Lemma drawn_1_pair_computed : pair_sum_is 13 4 3 17 2 1 3 4 6 4273122395 15641144712.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_1_pair (R : realFieldType) :
  hockey (of_Z R 3 / of_Z R 4) (pair_P (of_Z R 4 / of_Z R 13) (of_Z R 3 / of_Z R 17) (of_Z R 2 / of_Z R 1) 5) (pair_Q (of_Z R 4 / of_Z R 13) (of_Z R 3 / of_Z R 17) (of_Z R 2 / of_Z R 1) 5) = of_Z R 4273122395 / of_Z R 15641144712.
Proof. by apply: pair_sum_is_sound drawn_1_pair_computed. Qed.

Definition drawn_2_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 1; 1; 4]; [:: 1; 1; 4]; [:: 2; 1; 3]] else [:: [:: 1; 4; 1]; [:: 2; 1; 3]; [:: 4; 1; 1]])%Z x) s.

Lemma drawn_2_adaptive_computed : small_case drawn_2_adaptive_table 6 4 3 9 5 [:: 2; 2; 0; 0]%N [:: 2; 0; 0; 0]%N 17 486.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_2_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_3 [finType of 'I_3]) (w w' : 4.-tuple 'I_3) :
  (forall z x s, randomizers z x s = of_Z R (drawn_2_adaptive_table (map (@nat_of_ord 3) z) x s) / of_Z R 6) ->
  map (@nat_of_ord 3) w = [:: 2; 2; 0; 0]%N -> map (@nat_of_ord 3) w' = [:: 2; 0; 0; 0]%N ->
  hockey (of_Z R 9 / of_Z R 5) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 17 / of_Z R 486.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_2_adaptive_computed. Qed.

Definition drawn_2_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 1; 4; 1]; [:: 2; 1; 3]; [:: 4; 1; 1]]%Z x) s.

Lemma drawn_2_computed : small_case drawn_2_table 6 4 3 9 5 [:: 2; 2; 0; 0]%N [:: 2; 0; 0; 0]%N 149 2160.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_2 (R : realFieldType) (randomizer : 'I_3 -> dist R [finType of 'I_3]) (w w' : 4.-tuple 'I_3) :
  (forall x s, randomizer x s = of_Z R (drawn_2_table [::] x s) / of_Z R 6) ->
  map (@nat_of_ord 3) w = [:: 2; 2; 0; 0]%N -> map (@nat_of_ord 3) w' = [:: 2; 0; 0; 0]%N ->
  hockey (of_Z R 9 / of_Z R 5) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 149 / of_Z R 2160.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 3 3 (fun=> randomizer) drawn_2_table 6 4 w w' 9 5 149 2160).
  by rewrite w_is w'_is; apply: drawn_2_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_2_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 4; 1; 1]; [:: 1; 1; 4]; [:: 1; 4; 1]; [:: 2; 1; 3]; [:: 4; 1; 1]]%Z x) s.

Theorem drawn_2_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_5 [finType of 'I_3]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_2_local_table x s) / of_Z R 6) ->
  [/\ ldp (of_Z R 4 / of_Z R 1) randomizers, ~ ldp (of_Z R 999 / of_Z R 250) randomizers,
      approximately_ldp (of_Z R 7 / of_Z R 4) (of_Z R 3 / of_Z R 8) randomizers
    & ~ approximately_ldp (of_Z R 7 / of_Z R 4) (of_Z R 2997 / of_Z R 8000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 6)%Z by [].
split; first by apply/(small_ldp_iff 4 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 999 den_gt0 (erefl : (0 < 250)%Z) tabulated).
- by apply/(small_approximately_iff 7 den_gt0 (erefl : (0 < 4)%Z) tabulated 3 (erefl : (0 < 8)%Z)).
by move/(small_approximately_iff 7 den_gt0 (erefl : (0 < 4)%Z) tabulated 2997 (erefl : (0 < 8000)%Z)).
Qed.

Lemma drawn_2_blanket_computed : blanket_delta_is 5 1 2 9 5 2 4 9.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_2_blanket (R : realFieldType) (K : finType) : #|K| = 2%N ->
  hockey (of_Z R 9 / of_Z R 5) (pair_counts (k_rr_special_0 K (of_Z R 5 / of_Z R 1)) (k_rr_others K (of_Z R 5 / of_Z R 1)) 1)
    (pair_counts (k_rr_special_1 K (of_Z R 5 / of_Z R 1)) (k_rr_others K (of_Z R 5 / of_Z R 1)) 1) = of_Z R 4 / of_Z R 9.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_2_blanket_computed. Qed.

Lemma drawn_2_pair_computed : pair_sum_is 5 1 5 9 2 1 9 5 8 833725872181 22568879259648.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_2_pair (R : realFieldType) :
  hockey (of_Z R 9 / of_Z R 5) (pair_P (of_Z R 1 / of_Z R 5) (of_Z R 5 / of_Z R 9) (of_Z R 2 / of_Z R 1) 7) (pair_Q (of_Z R 1 / of_Z R 5) (of_Z R 5 / of_Z R 9) (of_Z R 2 / of_Z R 1) 7) = of_Z R 833725872181 / of_Z R 22568879259648.
Proof. by apply: pair_sum_is_sound drawn_2_pair_computed. Qed.

Definition drawn_3_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 2; 1; 5]; [:: 1; 1; 6]] else [:: [:: 2; 3; 3]; [:: 5; 2; 1]])%Z x) s.

Lemma drawn_3_adaptive_computed : small_case drawn_3_adaptive_table 8 1 3 9 7 [:: 1]%N [:: 0]%N 17 56.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_3_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_3]) (w w' : 1.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (drawn_3_adaptive_table (map (@nat_of_ord 3) z) x s) / of_Z R 8) ->
  map (@nat_of_ord 2) w = [:: 1]%N -> map (@nat_of_ord 2) w' = [:: 0]%N ->
  hockey (of_Z R 9 / of_Z R 7) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 17 / of_Z R 56.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_3_adaptive_computed. Qed.

Definition drawn_3_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 3; 3]; [:: 5; 2; 1]]%Z x) s.

Lemma drawn_3_computed : small_case drawn_3_table 8 1 3 9 7 [:: 1]%N [:: 0]%N 17 56.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_3 (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_3]) (w w' : 1.-tuple 'I_2) :
  (forall x s, randomizer x s = of_Z R (drawn_3_table [::] x s) / of_Z R 8) ->
  map (@nat_of_ord 2) w = [:: 1]%N -> map (@nat_of_ord 2) w' = [:: 0]%N ->
  hockey (of_Z R 9 / of_Z R 7) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 17 / of_Z R 56.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 2 3 (fun=> randomizer) drawn_3_table 8 1 w w' 9 7 17 56).
  by rewrite w_is w'_is; apply: drawn_3_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_3_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 6; 1; 1]; [:: 1; 1; 6]; [:: 2; 3; 3]; [:: 5; 2; 1]]%Z x) s.

Theorem drawn_3_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_4 [finType of 'I_3]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_3_local_table x s) / of_Z R 8) ->
  [/\ ldp (of_Z R 6 / of_Z R 1) randomizers, ~ ldp (of_Z R 2997 / of_Z R 500) randomizers,
      approximately_ldp (of_Z R 2 / of_Z R 1) (of_Z R 1 / of_Z R 2) randomizers
    & ~ approximately_ldp (of_Z R 2 / of_Z R 1) (of_Z R 999 / of_Z R 2000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 8)%Z by [].
split; first by apply/(small_ldp_iff 6 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 2997 den_gt0 (erefl : (0 < 500)%Z) tabulated).
- by apply/(small_approximately_iff 2 den_gt0 (erefl : (0 < 1)%Z) tabulated 1 (erefl : (0 < 2)%Z)).
by move/(small_approximately_iff 2 den_gt0 (erefl : (0 < 1)%Z) tabulated 999 (erefl : (0 < 2000)%Z)).
Qed.

Lemma drawn_3_blanket_computed : blanket_delta_is 9 2 11 9 7 1 45 203.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_3_blanket (R : realFieldType) (K : finType) : #|K| = 11%N ->
  hockey (of_Z R 9 / of_Z R 7) (pair_counts (k_rr_special_0 K (of_Z R 9 / of_Z R 2)) (k_rr_others K (of_Z R 9 / of_Z R 2)) 0)
    (pair_counts (k_rr_special_1 K (of_Z R 9 / of_Z R 2)) (k_rr_others K (of_Z R 9 / of_Z R 2)) 0) = of_Z R 45 / of_Z R 203.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_3_blanket_computed. Qed.

Lemma drawn_3_pair_computed : pair_sum_is 9 2 7 33 12 1 9 7 7 2100576929314175 14139776537137152.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_3_pair (R : realFieldType) :
  hockey (of_Z R 9 / of_Z R 7) (pair_P (of_Z R 2 / of_Z R 9) (of_Z R 7 / of_Z R 33) (of_Z R 12 / of_Z R 1) 6) (pair_Q (of_Z R 2 / of_Z R 9) (of_Z R 7 / of_Z R 33) (of_Z R 12 / of_Z R 1) 6) = of_Z R 2100576929314175 / of_Z R 14139776537137152.
Proof. by apply: pair_sum_is_sound drawn_3_pair_computed. Qed.

Definition drawn_4_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 9; 1; 1]; [:: 1; 7; 3]; [:: 2; 8; 1]] else [:: [:: 2; 2; 7]; [:: 2; 1; 8]; [:: 1; 9; 1]])%Z x) s.

Lemma drawn_4_adaptive_computed : small_case drawn_4_adaptive_table 11 3 3 3 2 [:: 2; 1; 0]%N [:: 0; 1; 0]%N 2227 7986.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_4_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_3 [finType of 'I_3]) (w w' : 3.-tuple 'I_3) :
  (forall z x s, randomizers z x s = of_Z R (drawn_4_adaptive_table (map (@nat_of_ord 3) z) x s) / of_Z R 11) ->
  map (@nat_of_ord 3) w = [:: 2; 1; 0]%N -> map (@nat_of_ord 3) w' = [:: 0; 1; 0]%N ->
  hockey (of_Z R 3 / of_Z R 2) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 2227 / of_Z R 7986.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_4_adaptive_computed. Qed.

Definition drawn_4_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 2; 7]; [:: 2; 1; 8]; [:: 1; 9; 1]]%Z x) s.

Lemma drawn_4_computed : small_case drawn_4_table 11 3 3 3 2 [:: 2; 1; 0]%N [:: 0; 1; 0]%N 739 2662.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_4 (R : realFieldType) (randomizer : 'I_3 -> dist R [finType of 'I_3]) (w w' : 3.-tuple 'I_3) :
  (forall x s, randomizer x s = of_Z R (drawn_4_table [::] x s) / of_Z R 11) ->
  map (@nat_of_ord 3) w = [:: 2; 1; 0]%N -> map (@nat_of_ord 3) w' = [:: 0; 1; 0]%N ->
  hockey (of_Z R 3 / of_Z R 2) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 739 / of_Z R 2662.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 3 3 (fun=> randomizer) drawn_4_table 11 3 w w' 3 2 739 2662).
  by rewrite w_is w'_is; apply: drawn_4_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_4_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 9; 1; 1]; [:: 1; 1; 9]; [:: 2; 2; 7]; [:: 2; 1; 8]; [:: 1; 9; 1]]%Z x) s.

Theorem drawn_4_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_5 [finType of 'I_3]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_4_local_table x s) / of_Z R 11) ->
  [/\ ldp (of_Z R 9 / of_Z R 1) randomizers, ~ ldp (of_Z R 8991 / of_Z R 1000) randomizers,
      approximately_ldp (of_Z R 5 / of_Z R 1) (of_Z R 4 / of_Z R 11) randomizers
    & ~ approximately_ldp (of_Z R 5 / of_Z R 1) (of_Z R 999 / of_Z R 2750) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 11)%Z by [].
split; first by apply/(small_ldp_iff 9 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 8991 den_gt0 (erefl : (0 < 1000)%Z) tabulated).
- by apply/(small_approximately_iff 5 den_gt0 (erefl : (0 < 1)%Z) tabulated 4 (erefl : (0 < 11)%Z)).
by move/(small_approximately_iff 5 den_gt0 (erefl : (0 < 1)%Z) tabulated 999 (erefl : (0 < 2750)%Z)).
Qed.

Lemma drawn_4_blanket_computed : blanket_delta_is 13 2 2 3 2 2 26 45.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_4_blanket (R : realFieldType) (K : finType) : #|K| = 2%N ->
  hockey (of_Z R 3 / of_Z R 2) (pair_counts (k_rr_special_0 K (of_Z R 13 / of_Z R 2)) (k_rr_others K (of_Z R 13 / of_Z R 2)) 1)
    (pair_counts (k_rr_special_1 K (of_Z R 13 / of_Z R 2)) (k_rr_others K (of_Z R 13 / of_Z R 2)) 1) = of_Z R 26 / of_Z R 45.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_4_blanket_computed. Qed.

Lemma drawn_4_pair_computed : pair_sum_is 13 2 11 45 5 1 3 2 6 1114189422749 10379707031250.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_4_pair (R : realFieldType) :
  hockey (of_Z R 3 / of_Z R 2) (pair_P (of_Z R 2 / of_Z R 13) (of_Z R 11 / of_Z R 45) (of_Z R 5 / of_Z R 1) 5) (pair_Q (of_Z R 2 / of_Z R 13) (of_Z R 11 / of_Z R 45) (of_Z R 5 / of_Z R 1) 5) = of_Z R 1114189422749 / of_Z R 10379707031250.
Proof. by apply: pair_sum_is_sound drawn_4_pair_computed. Qed.

Definition drawn_5_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 5; 5]; [:: 7; 3]] else [:: [:: 9; 1]; [:: 6; 4]])%Z x) s.

Lemma drawn_5_adaptive_computed : small_case drawn_5_adaptive_table 10 2 2 7 4 [:: 1; 0]%N [:: 0; 0]%N 3 40.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_5_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) (w w' : 2.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (drawn_5_adaptive_table (map (@nat_of_ord 2) z) x s) / of_Z R 10) ->
  map (@nat_of_ord 2) w = [:: 1; 0]%N -> map (@nat_of_ord 2) w' = [:: 0; 0]%N ->
  hockey (of_Z R 7 / of_Z R 4) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 3 / of_Z R 40.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_5_adaptive_computed. Qed.

Definition drawn_5_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 9; 1]; [:: 6; 4]]%Z x) s.

Lemma drawn_5_computed : small_case drawn_5_table 10 2 2 7 4 [:: 1; 0]%N [:: 0; 0]%N 51 400.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_5 (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_2]) (w w' : 2.-tuple 'I_2) :
  (forall x s, randomizer x s = of_Z R (drawn_5_table [::] x s) / of_Z R 10) ->
  map (@nat_of_ord 2) w = [:: 1; 0]%N -> map (@nat_of_ord 2) w' = [:: 0; 0]%N ->
  hockey (of_Z R 7 / of_Z R 4) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 51 / of_Z R 400.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 2 2 (fun=> randomizer) drawn_5_table 10 2 w w' 7 4 51 400).
  by rewrite w_is w'_is; apply: drawn_5_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_5_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 9; 1]; [:: 1; 9]; [:: 9; 1]; [:: 6; 4]]%Z x) s.

Theorem drawn_5_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_4 [finType of 'I_2]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_5_local_table x s) / of_Z R 10) ->
  [/\ ldp (of_Z R 9 / of_Z R 1) randomizers, ~ ldp (of_Z R 8991 / of_Z R 1000) randomizers,
      approximately_ldp (of_Z R 13 / of_Z R 5) (of_Z R 16 / of_Z R 25) randomizers
    & ~ approximately_ldp (of_Z R 13 / of_Z R 5) (of_Z R 1998 / of_Z R 3125) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 10)%Z by [].
split; first by apply/(small_ldp_iff 9 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 8991 den_gt0 (erefl : (0 < 1000)%Z) tabulated).
- by apply/(small_approximately_iff 13 den_gt0 (erefl : (0 < 5)%Z) tabulated 16 (erefl : (0 < 25)%Z)).
by move/(small_approximately_iff 13 den_gt0 (erefl : (0 < 5)%Z) tabulated 1998 (erefl : (0 < 3125)%Z)).
Qed.

Lemma drawn_5_blanket_computed : blanket_delta_is 5 1 2 7 4 4 1633 5184.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_5_blanket (R : realFieldType) (K : finType) : #|K| = 2%N ->
  hockey (of_Z R 7 / of_Z R 4) (pair_counts (k_rr_special_0 K (of_Z R 5 / of_Z R 1)) (k_rr_others K (of_Z R 5 / of_Z R 1)) 3)
    (pair_counts (k_rr_special_1 K (of_Z R 5 / of_Z R 1)) (k_rr_others K (of_Z R 5 / of_Z R 1)) 3) = of_Z R 1633 / of_Z R 5184.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_5_blanket_computed. Qed.

Lemma drawn_5_pair_computed : pair_sum_is 5 1 4 9 13 2 7 4 8 1549039372521973 10804471617851028.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_5_pair (R : realFieldType) :
  hockey (of_Z R 7 / of_Z R 4) (pair_P (of_Z R 1 / of_Z R 5) (of_Z R 4 / of_Z R 9) (of_Z R 13 / of_Z R 2) 7) (pair_Q (of_Z R 1 / of_Z R 5) (of_Z R 4 / of_Z R 9) (of_Z R 13 / of_Z R 2) 7) = of_Z R 1549039372521973 / of_Z R 10804471617851028.
Proof. by apply: pair_sum_is_sound drawn_5_pair_computed. Qed.

Definition drawn_6_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 1; 2]; [:: 1; 2]] else [:: [:: 1; 2]; [:: 1; 2]])%Z x) s.

Lemma drawn_6_adaptive_computed : small_case drawn_6_adaptive_table 3 3 2 8 7 [:: 0; 1; 1]%N [:: 0; 1; 0]%N 0 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_6_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_2]) (w w' : 3.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (drawn_6_adaptive_table (map (@nat_of_ord 2) z) x s) / of_Z R 3) ->
  map (@nat_of_ord 2) w = [:: 0; 1; 1]%N -> map (@nat_of_ord 2) w' = [:: 0; 1; 0]%N ->
  hockey (of_Z R 8 / of_Z R 7) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 0 / of_Z R 1.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_6_adaptive_computed. Qed.

Definition drawn_6_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 1; 2]; [:: 1; 2]]%Z x) s.

Lemma drawn_6_computed : small_case drawn_6_table 3 3 2 8 7 [:: 0; 1; 1]%N [:: 0; 1; 0]%N 0 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_6 (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_2]) (w w' : 3.-tuple 'I_2) :
  (forall x s, randomizer x s = of_Z R (drawn_6_table [::] x s) / of_Z R 3) ->
  map (@nat_of_ord 2) w = [:: 0; 1; 1]%N -> map (@nat_of_ord 2) w' = [:: 0; 1; 0]%N ->
  hockey (of_Z R 8 / of_Z R 7) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 0 / of_Z R 1.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 2 2 (fun=> randomizer) drawn_6_table 3 3 w w' 8 7 0 1).
  by rewrite w_is w'_is; apply: drawn_6_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_6_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 1]; [:: 1; 2]; [:: 1; 2]; [:: 1; 2]]%Z x) s.

Theorem drawn_6_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_4 [finType of 'I_2]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_6_local_table x s) / of_Z R 3) ->
  [/\ ldp (of_Z R 2 / of_Z R 1) randomizers, ~ ldp (of_Z R 999 / of_Z R 500) randomizers,
      approximately_ldp (of_Z R 3 / of_Z R 2) (of_Z R 1 / of_Z R 6) randomizers
    & ~ approximately_ldp (of_Z R 3 / of_Z R 2) (of_Z R 333 / of_Z R 2000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 3)%Z by [].
split; first by apply/(small_ldp_iff 2 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 999 den_gt0 (erefl : (0 < 500)%Z) tabulated).
- by apply/(small_approximately_iff 3 den_gt0 (erefl : (0 < 2)%Z) tabulated 1 (erefl : (0 < 6)%Z)).
by move/(small_approximately_iff 3 den_gt0 (erefl : (0 < 2)%Z) tabulated 333 (erefl : (0 < 2000)%Z)).
Qed.

Lemma drawn_6_blanket_computed : blanket_delta_is 3 2 3 8 7 5 2629 117649.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_6_blanket (R : realFieldType) (K : finType) : #|K| = 3%N ->
  hockey (of_Z R 8 / of_Z R 7) (pair_counts (k_rr_special_0 K (of_Z R 3 / of_Z R 2)) (k_rr_others K (of_Z R 3 / of_Z R 2)) 4)
    (pair_counts (k_rr_special_1 K (of_Z R 3 / of_Z R 2)) (k_rr_others K (of_Z R 3 / of_Z R 2)) 4) = of_Z R 2629 / of_Z R 117649.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_6_blanket_computed. Qed.

Lemma drawn_6_pair_computed : pair_sum_is 1 0 1 30 5 4 8 7 6 2256877159 166113281250.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_6_pair (R : realFieldType) :
  hockey (of_Z R 8 / of_Z R 7) (pair_P (of_Z R 0 / of_Z R 1) (of_Z R 1 / of_Z R 30) (of_Z R 5 / of_Z R 4) 5) (pair_Q (of_Z R 0 / of_Z R 1) (of_Z R 1 / of_Z R 30) (of_Z R 5 / of_Z R 4) 5) = of_Z R 2256877159 / of_Z R 166113281250.
Proof. by apply: pair_sum_is_sound drawn_6_pair_computed. Qed.

Definition drawn_7_adaptive_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then [:: [:: 1; 3; 2]; [:: 1; 2; 3]] else [:: [:: 2; 3; 1]; [:: 3; 1; 2]])%Z x) s.

Lemma drawn_7_adaptive_computed : small_case drawn_7_adaptive_table 6 1 3 4 5 [:: 1]%N [:: 0]%N 13 30.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_7_adaptive (R : realFieldType) (randomizers : adaptive_randomizers R 'I_2 [finType of 'I_3]) (w w' : 1.-tuple 'I_2) :
  (forall z x s, randomizers z x s = of_Z R (drawn_7_adaptive_table (map (@nat_of_ord 3) z) x s) / of_Z R 6) ->
  map (@nat_of_ord 2) w = [:: 1]%N -> map (@nat_of_ord 2) w' = [:: 0]%N ->
  hockey (of_Z R 4 / of_Z R 5) (shuffled randomizers w) (shuffled randomizers w') = of_Z R 13 / of_Z R 30.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: drawn_7_adaptive_computed. Qed.

Definition drawn_7_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 3; 1]; [:: 3; 1; 2]]%Z x) s.

Lemma drawn_7_computed : small_case drawn_7_table 6 1 3 4 5 [:: 1]%N [:: 0]%N 13 30.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_7 (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_3]) (w w' : 1.-tuple 'I_2) :
  (forall x s, randomizer x s = of_Z R (drawn_7_table [::] x s) / of_Z R 6) ->
  map (@nat_of_ord 2) w = [:: 1]%N -> map (@nat_of_ord 2) w' = [:: 0]%N ->
  hockey (of_Z R 4 / of_Z R 5) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R 13 / of_Z R 30.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R 2 3 (fun=> randomizer) drawn_7_table 6 1 w w' 4 5 13 30).
  by rewrite w_is w'_is; apply: drawn_7_computed.
by move=> z x s; apply: tabulated.
Qed.

Definition drawn_7_local_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 4; 1; 1]; [:: 1; 1; 4]; [:: 2; 3; 1]; [:: 3; 1; 2]]%Z x) s.

Theorem drawn_7_local (R : realFieldType) (randomizers : adaptive_randomizers R 'I_4 [finType of 'I_3]) :
  (forall z x s, randomizers z x s = of_Z R (drawn_7_local_table x s) / of_Z R 6) ->
  [/\ ldp (of_Z R 4 / of_Z R 1) randomizers, ~ ldp (of_Z R 999 / of_Z R 250) randomizers,
      approximately_ldp (of_Z R 5 / of_Z R 2) (of_Z R 1 / of_Z R 4) randomizers
    & ~ approximately_ldp (of_Z R 5 / of_Z R 2) (of_Z R 999 / of_Z R 4000) randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < 6)%Z by [].
split; first by apply/(small_ldp_iff 4 den_gt0 (erefl : (0 < 1)%Z) tabulated).
- by move/(small_ldp_iff 999 den_gt0 (erefl : (0 < 250)%Z) tabulated).
- by apply/(small_approximately_iff 5 den_gt0 (erefl : (0 < 2)%Z) tabulated 1 (erefl : (0 < 4)%Z)).
by move/(small_approximately_iff 5 den_gt0 (erefl : (0 < 2)%Z) tabulated 999 (erefl : (0 < 4000)%Z)).
Qed.

Lemma drawn_7_blanket_computed : blanket_delta_is 11 2 10 4 5 2 1727 4205.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_7_blanket (R : realFieldType) (K : finType) : #|K| = 10%N ->
  hockey (of_Z R 4 / of_Z R 5) (pair_counts (k_rr_special_0 K (of_Z R 11 / of_Z R 2)) (k_rr_others K (of_Z R 11 / of_Z R 2)) 1)
    (pair_counts (k_rr_special_1 K (of_Z R 11 / of_Z R 2)) (k_rr_others K (of_Z R 11 / of_Z R 2)) 1) = of_Z R 1727 / of_Z R 4205.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: drawn_7_blanket_computed. Qed.

Lemma drawn_7_pair_computed : pair_sum_is 11 2 9 26 2 1 4 5 8 34608708042131 133649321328640.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem drawn_7_pair (R : realFieldType) :
  hockey (of_Z R 4 / of_Z R 5) (pair_P (of_Z R 2 / of_Z R 11) (of_Z R 9 / of_Z R 26) (of_Z R 2 / of_Z R 1) 7) (pair_Q (of_Z R 2 / of_Z R 11) (of_Z R 9 / of_Z R 26) (of_Z R 2 / of_Z R 1) 7) = of_Z R 34608708042131 / of_Z R 133649321328640.
Proof. by apply: pair_sum_is_sound drawn_7_pair_computed. Qed.
