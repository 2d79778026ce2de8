(* What is seen of the messages, at parameters that were drawn (seed 20), as the executable specification computes it.
   Written by `proofs_check/formal/seen.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling ConvexOrder ControlledSum FiveCorners PureRandomizers SeveralMessages BitSum Integers
  SmallCases SeenCases ControlledCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Definition seen_0_histogram_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 1; 1]; [:: 1; 1]; [:: 1; 1]]%Z x) s.

Lemma seen_0_histogram_computed : seen_hockey_is seen_0_histogram_table 2 3 2 (seen_histogram 2) 3 2 [:: 1; 0; 0]%N [:: 1; 0; 1]%N 0 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_0_histogram (R : realFieldType) (randomizer : 'I_3 -> dist R [finType of 'I_2]) (w w' : 3.-tuple 'I_3) :
  (forall x s, randomizer x s = of_Z R (seen_0_histogram_table x s) / of_Z R 2) ->
  map (@nat_of_ord 3) w = [:: 1; 0; 0]%N -> map (@nat_of_ord 3) w' = [:: 1; 0; 1]%N ->
  hockey (of_Z R 3 / of_Z R 2) (image_law (@histogram _ 3) (messages randomizer w)) (image_law (@histogram _ 3) (messages randomizer w')) =
  (of_Z R 0 / of_Z R 1).
Proof.
move=> tabulated w_is w'_is.
apply: (seen_hockey_sound (@coding_ord 2) (erefl : (0 < 2)%Z) tabulated (@histogram_name_inj 2 3.+1) (@histogram_named 2 3)).
by rewrite w_is w'_is; apply: seen_0_histogram_computed.
Qed.

Theorem seen_0_histogram_of_all (R : realFieldType) (randomizer : 'I_3 -> dist R [finType of 'I_2]) :
  (forall x s, randomizer x s = of_Z R (seen_0_histogram_table x s) / of_Z R 2) ->
  [/\ private (of_Z R 3 / of_Z R 2) (of_Z R 0 / of_Z R 1) (fun w : 3.-tuple 'I_3 => image_law (@histogram [finType of 'I_2] 3) (messages randomizer w)), accurate (fun w : 3.-tuple 'I_3 => messages randomizer w) (fun w s => (off_by_two (map (@nat_of_ord 3) w) (map (@nat_of_ord 2) s))%:R) (of_Z R 1 / of_Z R 2)
    & ~ accurate (fun w : 3.-tuple 'I_3 => messages randomizer w) (fun w s => (off_by_two (map (@nat_of_ord 3) w) (map (@nat_of_ord 2) s))%:R) (of_Z R 999 / of_Z R 2000)].
Proof.
move=> tabulated; have den_gt0 : (0 < 2)%Z by [].
split.
- by apply/(seen_private_iff (@coding_ord 2) den_gt0 tabulated (@histogram_name_inj 2 3.+1) (@histogram_named 2 3) _ _ (erefl : (0 < 2)%Z) (erefl : (0 < 1)%Z)); vm_cast_no_check (erefl true).
- by apply/(seen_accurate_iff 3 off_by_two _ den_gt0 (erefl : (0 < 2)%Z) tabulated); vm_cast_no_check (erefl true).
- by move/(seen_accurate_iff 3 off_by_two _ den_gt0 (erefl : (0 < 2000)%Z) tabulated); vm_compute.
Qed.

Lemma seen_0_r_inf_computed :
  seen_hockey_is both_table 1 1 4 (seen_bits 2) 1 7 [:: 1]%N [:: 0]%N 6 7.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_0_r_inf (R : realFieldType) (w w' : 1.-tuple bool) :
  map nat_of_bool w = [:: 1]%N -> map nat_of_bool w' = [:: 0]%N ->
  hockey (of_Z R 1 / of_Z R 7) (view (r_inf R) w) (view (r_inf R) w') = (of_Z R 6 / of_Z R 7).
Proof.
move=> w_is w'_is.
apply: (@seen_hockey_sound R bool _ 4 (fun v : 2.-tuple bool => bits_code v) nat_of_bool (r_inf R) both_table 1 1
  (@coding_bits 2) (erefl : (0 < 1)%Z) (@r_inf_tabulated R) _ (@all_counts _ 2 1) (@bits_name _) (seen_bits 2) (@bits_name_inj _)
  (@bits_named 2 1)).
by rewrite w_is w'_is; apply: seen_0_r_inf_computed.
Qed.

Definition seen_0_r_gap_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 3; 2; 3; 2; 2; 1; 2; 1; 4; 1; 1; 1; 1; 4; 1; 3]; [:: 6; 6; 5; 0; 1; 0; 0; 1; 5; 0; 0; 2; 0; 2; 1; 3]]%Z x) s.

Theorem seen_0_r_gap_supports (R : realFieldType) (randomizer : bool -> dist R [finType of 4.-tuple bool]) :
  (forall x (v : 4.-tuple bool), randomizer x v = of_Z R (seen_0_r_gap_table x (bits_code v)) / of_Z R 32) -> r_gap_support randomizer.
Proof. by move=> tabulated; apply: (gap_table_sound (erefl : (0 < 32)%Z) tabulated). Qed.

Lemma seen_0_r_gap_computed :
  seen_hockey_is seen_0_r_gap_table 32 2 16 (seen_bits 4) 3 2 [:: 1; 0]%N [:: 0; 0]%N 45 2048.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_0_r_gap (R : realFieldType) (randomizer : bool -> dist R [finType of 4.-tuple bool]) (w w' : 2.-tuple bool) :
  (forall x (v : 4.-tuple bool), randomizer x v = of_Z R (seen_0_r_gap_table x (bits_code v)) / of_Z R 32) ->
  map nat_of_bool w = [:: 1; 0]%N -> map nat_of_bool w' = [:: 0; 0]%N ->
  hockey (of_Z R 3 / of_Z R 2) (view (randomizer) w) (view (randomizer) w') = (of_Z R 45 / of_Z R 2048).
Proof.
move=> tabulated w_is w'_is.
apply: (@seen_hockey_sound R bool _ 16 (fun v : 4.-tuple bool => bits_code v) nat_of_bool (randomizer) seen_0_r_gap_table 32 2
  (@coding_bits 4) (erefl : (0 < 32)%Z) (tabulated) _ (@all_counts _ 4 2) (@bits_name _) (seen_bits 4) (@bits_name_inj _)
  (@bits_named 4 2)).
by rewrite w_is w'_is; apply: seen_0_r_gap_computed.
Qed.

Lemma seen_0_bit_sum_computed : seen_hockey_is (bit_sum_table 2 3 4) 16 2 2 seen_ones 3 2 [:: 1; 0]%N [:: 0; 0]%N 173 512.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_0_bit_sum (R : realFieldType) (n_gt0 : (0 < 2)%N) (range : 0 <= (of_Z R 3 / of_Z R 4) <= 2%:R) (w w' : 2.-tuple bool) :
  map nat_of_bool w = [:: 1; 0]%N -> map nat_of_bool w' = [:: 0; 0]%N ->
  hockey (of_Z R 3 / of_Z R 2) (bit_sum_view n_gt0 range w) (bit_sum_view n_gt0 range w') = (of_Z R 173 / of_Z R 512).
Proof.
move=> w_is w'_is; rewrite (eq_hockey _ (image_law_shuffle _ (@ones_permuted 2)) (image_law_shuffle _ (@ones_permuted 2))).
have tabulated x s := bit_sum_tabulated n_gt0 range x s (erefl : (0 < 4)%Z).
apply: (seen_hockey_sound coding_bool (erefl : (0 < 16)%Z) tabulated (@ones_name_inj 2.+1) (@ones_named 2)).
by rewrite w_is w'_is; apply: seen_0_bit_sum_computed.
Qed.

Lemma seen_0_zero_sum_computed : seen_event_is (zero_sum_table 2 7) 7 3 3 (fun s => sumn s == 3%N) [:: 1; 1; 0]%N 150 343.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_0_zero_sum (R : realFieldType) (range : 0 <= (of_Z R 2 / of_Z R 7) <= 1) (w : 3.-tuple bool) : map nat_of_bool w = [:: 1; 1; 0]%N ->
  \sum_(m | total_ones m == 3%N) messages (zero_sum range) w m = (of_Z R 150 / of_Z R 343).
Proof.
move=> w_is; have den_gt0 : (0 < 7)%Z by [].
rewrite (eq_bigl (fun m : 3.-tuple 'I_3 => sumn (map (@nat_of_ord 3) m) == 3%N)) => [|m]; last by rewrite total_ones_named.
have tabulated x s := zero_sum_tabulated range x s den_gt0.
apply: (@seen_event_is_sound R bool _ 3 (@nat_of_ord 3) nat_of_bool _ _ _ 3 (@coding_ord 3) den_gt0 tabulated
  (fun s => sumn s == 3%N) w).
by rewrite w_is; apply: seen_0_zero_sum_computed.
Qed.

Lemma seen_0_controlled_computed : corner_V_is 7 2 11 6 1 10 27.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_0_controlled (R : realFieldType) : V (corner_laws (of_Z R 7 / of_Z R 2) (of_Z R 11 / of_Z R 6)) 1 0 = (of_Z R 10 / of_Z R 27).
Proof. exact: corner_V_is_sound seen_0_controlled_computed. Qed.

Definition seen_1_histogram_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 1; 4]; [:: 1; 4]; [:: 2; 3]]%Z x) s.

Lemma seen_1_histogram_computed : seen_hockey_is seen_1_histogram_table 5 3 2 (seen_histogram 2) 1 3 [:: 2; 0; 1]%N [:: 2; 2; 1]%N 2 3.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_1_histogram (R : realFieldType) (randomizer : 'I_3 -> dist R [finType of 'I_2]) (w w' : 3.-tuple 'I_3) :
  (forall x s, randomizer x s = of_Z R (seen_1_histogram_table x s) / of_Z R 5) ->
  map (@nat_of_ord 3) w = [:: 2; 0; 1]%N -> map (@nat_of_ord 3) w' = [:: 2; 2; 1]%N ->
  hockey (of_Z R 1 / of_Z R 3) (image_law (@histogram _ 3) (messages randomizer w)) (image_law (@histogram _ 3) (messages randomizer w')) =
  (of_Z R 2 / of_Z R 3).
Proof.
move=> tabulated w_is w'_is.
apply: (seen_hockey_sound (@coding_ord 2) (erefl : (0 < 5)%Z) tabulated (@histogram_name_inj 2 3.+1) (@histogram_named 2 3)).
by rewrite w_is w'_is; apply: seen_1_histogram_computed.
Qed.

Theorem seen_1_histogram_of_all (R : realFieldType) (randomizer : 'I_3 -> dist R [finType of 'I_2]) :
  (forall x s, randomizer x s = of_Z R (seen_1_histogram_table x s) / of_Z R 5) ->
  [/\ private (of_Z R 1 / of_Z R 3) (of_Z R 2 / of_Z R 3) (fun w : 3.-tuple 'I_3 => image_law (@histogram [finType of 'I_2] 3) (messages randomizer w)), ~ private (of_Z R 1 / of_Z R 3) (of_Z R 333 / of_Z R 500) (fun w : 3.-tuple 'I_3 => image_law (@histogram [finType of 'I_2] 3) (messages randomizer w)), accurate (fun w : 3.-tuple 'I_3 => messages randomizer w) (fun w s => (off_by_two (map (@nat_of_ord 3) w) (map (@nat_of_ord 2) s))%:R) (of_Z R 112 / of_Z R 125)
    & ~ accurate (fun w : 3.-tuple 'I_3 => messages randomizer w) (fun w s => (off_by_two (map (@nat_of_ord 3) w) (map (@nat_of_ord 2) s))%:R) (of_Z R 13986 / of_Z R 15625)].
Proof.
move=> tabulated; have den_gt0 : (0 < 5)%Z by [].
split.
- by apply/(seen_private_iff (@coding_ord 2) den_gt0 tabulated (@histogram_name_inj 2 3.+1) (@histogram_named 2 3) _ _ (erefl : (0 < 3)%Z) (erefl : (0 < 3)%Z)); vm_cast_no_check (erefl true).
- by move/(seen_private_iff (@coding_ord 2) den_gt0 tabulated (@histogram_name_inj 2 3.+1) (@histogram_named 2 3) _ _ (erefl : (0 < 3)%Z) (erefl : (0 < 500)%Z)); vm_compute.
- by apply/(seen_accurate_iff 3 off_by_two _ den_gt0 (erefl : (0 < 125)%Z) tabulated); vm_cast_no_check (erefl true).
- by move/(seen_accurate_iff 3 off_by_two _ den_gt0 (erefl : (0 < 15625)%Z) tabulated); vm_compute.
Qed.

Lemma seen_1_r_inf_computed :
  seen_hockey_is both_table 1 3 4 (seen_bits 2) 1 7 [:: 0; 0; 1]%N [:: 1; 0; 1]%N 6 7.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_1_r_inf (R : realFieldType) (w w' : 3.-tuple bool) :
  map nat_of_bool w = [:: 0; 0; 1]%N -> map nat_of_bool w' = [:: 1; 0; 1]%N ->
  hockey (of_Z R 1 / of_Z R 7) (view (r_inf R) w) (view (r_inf R) w') = (of_Z R 6 / of_Z R 7).
Proof.
move=> w_is w'_is.
apply: (@seen_hockey_sound R bool _ 4 (fun v : 2.-tuple bool => bits_code v) nat_of_bool (r_inf R) both_table 1 3
  (@coding_bits 2) (erefl : (0 < 1)%Z) (@r_inf_tabulated R) _ (@all_counts _ 2 3) (@bits_name _) (seen_bits 2) (@bits_name_inj _)
  (@bits_named 2 3)).
by rewrite w_is w'_is; apply: seen_1_r_inf_computed.
Qed.

Definition seen_1_r_gap_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 1; 5; 1; 2; 1; 1; 1; 1; 1; 1; 7; 2; 2; 3; 2; 1]; [:: 9; 5; 6; 0; 3; 0; 0; 1; 1; 0; 0; 3; 0; 2; 1; 1]]%Z x) s.

Theorem seen_1_r_gap_supports (R : realFieldType) (randomizer : bool -> dist R [finType of 4.-tuple bool]) :
  (forall x (v : 4.-tuple bool), randomizer x v = of_Z R (seen_1_r_gap_table x (bits_code v)) / of_Z R 32) -> r_gap_support randomizer.
Proof. by move=> tabulated; apply: (gap_table_sound (erefl : (0 < 32)%Z) tabulated). Qed.

Lemma seen_1_r_gap_computed :
  seen_hockey_is seen_1_r_gap_table 32 2 16 (seen_bits 4) 1 3 [:: 1; 1]%N [:: 0; 1]%N 693 1024.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_1_r_gap (R : realFieldType) (randomizer : bool -> dist R [finType of 4.-tuple bool]) (w w' : 2.-tuple bool) :
  (forall x (v : 4.-tuple bool), randomizer x v = of_Z R (seen_1_r_gap_table x (bits_code v)) / of_Z R 32) ->
  map nat_of_bool w = [:: 1; 1]%N -> map nat_of_bool w' = [:: 0; 1]%N ->
  hockey (of_Z R 1 / of_Z R 3) (view (randomizer) w) (view (randomizer) w') = (of_Z R 693 / of_Z R 1024).
Proof.
move=> tabulated w_is w'_is.
apply: (@seen_hockey_sound R bool _ 16 (fun v : 4.-tuple bool => bits_code v) nat_of_bool (randomizer) seen_1_r_gap_table 32 2
  (@coding_bits 4) (erefl : (0 < 32)%Z) (tabulated) _ (@all_counts _ 4 2) (@bits_name _) (seen_bits 4) (@bits_name_inj _)
  (@bits_named 4 2)).
by rewrite w_is w'_is; apply: seen_1_r_gap_computed.
Qed.

Lemma seen_1_bit_sum_computed : seen_hockey_is (bit_sum_table 3 7 4) 24 3 2 seen_ones 1 3 [:: 1; 1; 1]%N [:: 0; 1; 1]%N 2 3.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_1_bit_sum (R : realFieldType) (n_gt0 : (0 < 3)%N) (range : 0 <= (of_Z R 7 / of_Z R 4) <= 3%:R) (w w' : 3.-tuple bool) :
  map nat_of_bool w = [:: 1; 1; 1]%N -> map nat_of_bool w' = [:: 0; 1; 1]%N ->
  hockey (of_Z R 1 / of_Z R 3) (bit_sum_view n_gt0 range w) (bit_sum_view n_gt0 range w') = (of_Z R 2 / of_Z R 3).
Proof.
move=> w_is w'_is; rewrite (eq_hockey _ (image_law_shuffle _ (@ones_permuted 3)) (image_law_shuffle _ (@ones_permuted 3))).
have tabulated x s := bit_sum_tabulated n_gt0 range x s (erefl : (0 < 4)%Z).
apply: (seen_hockey_sound coding_bool (erefl : (0 < 24)%Z) tabulated (@ones_name_inj 3.+1) (@ones_named 3)).
by rewrite w_is w'_is; apply: seen_1_bit_sum_computed.
Qed.

Lemma seen_1_zero_sum_computed : seen_event_is (zero_sum_table 2 7) 7 3 3 (fun s => sumn s == 2%N) [:: 1; 1; 0]%N 125 343.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_1_zero_sum (R : realFieldType) (range : 0 <= (of_Z R 2 / of_Z R 7) <= 1) (w : 3.-tuple bool) : map nat_of_bool w = [:: 1; 1; 0]%N ->
  \sum_(m | total_ones m == 2%N) messages (zero_sum range) w m = (of_Z R 125 / of_Z R 343).
Proof.
move=> w_is; have den_gt0 : (0 < 7)%Z by [].
rewrite (eq_bigl (fun m : 3.-tuple 'I_3 => sumn (map (@nat_of_ord 3) m) == 2%N)) => [|m]; last by rewrite total_ones_named.
have tabulated x s := zero_sum_tabulated range x s den_gt0.
apply: (@seen_event_is_sound R bool _ 3 (@nat_of_ord 3) nat_of_bool _ _ _ 3 (@coding_ord 3) den_gt0 tabulated
  (fun s => sumn s == 2%N) w).
by rewrite w_is; apply: seen_1_zero_sum_computed.
Qed.

Lemma seen_1_controlled_computed : corner_V_is 13 4 23 8 1 3 34.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_1_controlled (R : realFieldType) : V (corner_laws (of_Z R 13 / of_Z R 4) (of_Z R 23 / of_Z R 8)) 1 0 = (of_Z R 3 / of_Z R 34).
Proof. exact: corner_V_is_sound seen_1_controlled_computed. Qed.

Definition seen_2_histogram_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 2; 2]; [:: 2; 1; 3]]%Z x) s.

Lemma seen_2_histogram_computed : seen_hockey_is seen_2_histogram_table 6 2 3 (seen_histogram 3) 5 6 [:: 1; 0]%N [:: 1; 1]%N 5 24.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_2_histogram (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_3]) (w w' : 2.-tuple 'I_2) :
  (forall x s, randomizer x s = of_Z R (seen_2_histogram_table x s) / of_Z R 6) ->
  map (@nat_of_ord 2) w = [:: 1; 0]%N -> map (@nat_of_ord 2) w' = [:: 1; 1]%N ->
  hockey (of_Z R 5 / of_Z R 6) (image_law (@histogram _ 2) (messages randomizer w)) (image_law (@histogram _ 2) (messages randomizer w')) =
  (of_Z R 5 / of_Z R 24).
Proof.
move=> tabulated w_is w'_is.
apply: (seen_hockey_sound (@coding_ord 3) (erefl : (0 < 6)%Z) tabulated (@histogram_name_inj 3 2.+1) (@histogram_named 3 2)).
by rewrite w_is w'_is; apply: seen_2_histogram_computed.
Qed.

Theorem seen_2_histogram_of_all (R : realFieldType) (randomizer : 'I_2 -> dist R [finType of 'I_3]) :
  (forall x s, randomizer x s = of_Z R (seen_2_histogram_table x s) / of_Z R 6) ->
  [/\ private (of_Z R 5 / of_Z R 6) (of_Z R 25 / of_Z R 108) (fun w : 2.-tuple 'I_2 => image_law (@histogram [finType of 'I_3] 2) (messages randomizer w)), ~ private (of_Z R 5 / of_Z R 6) (of_Z R 37 / of_Z R 160) (fun w : 2.-tuple 'I_2 => image_law (@histogram [finType of 'I_3] 2) (messages randomizer w)), accurate (fun w : 2.-tuple 'I_2 => messages randomizer w) (fun w s => (off_by_two (map (@nat_of_ord 2) w) (map (@nat_of_ord 3) s))%:R) (of_Z R 25 / of_Z R 36)
    & ~ accurate (fun w : 2.-tuple 'I_2 => messages randomizer w) (fun w s => (off_by_two (map (@nat_of_ord 2) w) (map (@nat_of_ord 3) s))%:R) (of_Z R 111 / of_Z R 160)].
Proof.
move=> tabulated; have den_gt0 : (0 < 6)%Z by [].
split.
- by apply/(seen_private_iff (@coding_ord 3) den_gt0 tabulated (@histogram_name_inj 3 2.+1) (@histogram_named 3 2) _ _ (erefl : (0 < 6)%Z) (erefl : (0 < 108)%Z)); vm_cast_no_check (erefl true).
- by move/(seen_private_iff (@coding_ord 3) den_gt0 tabulated (@histogram_name_inj 3 2.+1) (@histogram_named 3 2) _ _ (erefl : (0 < 6)%Z) (erefl : (0 < 160)%Z)); vm_compute.
- by apply/(seen_accurate_iff 2 off_by_two _ den_gt0 (erefl : (0 < 36)%Z) tabulated); vm_cast_no_check (erefl true).
- by move/(seen_accurate_iff 2 off_by_two _ den_gt0 (erefl : (0 < 160)%Z) tabulated); vm_compute.
Qed.

Lemma seen_2_r_inf_computed :
  seen_hockey_is both_table 1 1 4 (seen_bits 2) 5 7 [:: 0]%N [:: 1]%N 2 7.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_2_r_inf (R : realFieldType) (w w' : 1.-tuple bool) :
  map nat_of_bool w = [:: 0]%N -> map nat_of_bool w' = [:: 1]%N ->
  hockey (of_Z R 5 / of_Z R 7) (view (r_inf R) w) (view (r_inf R) w') = (of_Z R 2 / of_Z R 7).
Proof.
move=> w_is w'_is.
apply: (@seen_hockey_sound R bool _ 4 (fun v : 2.-tuple bool => bits_code v) nat_of_bool (r_inf R) both_table 1 1
  (@coding_bits 2) (erefl : (0 < 1)%Z) (@r_inf_tabulated R) _ (@all_counts _ 2 1) (@bits_name _) (seen_bits 2) (@bits_name_inj _)
  (@bits_named 2 1)).
by rewrite w_is w'_is; apply: seen_2_r_inf_computed.
Qed.

Definition seen_2_r_gap_table (x s : nat) : Z := nth 0%Z (nth [::] [:: [:: 2; 2; 2; 1; 2; 2; 2; 2; 2; 2; 3; 3; 1; 2; 1; 3]; [:: 4; 5; 2; 0; 7; 0; 0; 5; 2; 0; 0; 2; 0; 1; 3; 1]]%Z x) s.

Theorem seen_2_r_gap_supports (R : realFieldType) (randomizer : bool -> dist R [finType of 4.-tuple bool]) :
  (forall x (v : 4.-tuple bool), randomizer x v = of_Z R (seen_2_r_gap_table x (bits_code v)) / of_Z R 32) -> r_gap_support randomizer.
Proof. by move=> tabulated; apply: (gap_table_sound (erefl : (0 < 32)%Z) tabulated). Qed.

Lemma seen_2_r_gap_computed :
  seen_hockey_is seen_2_r_gap_table 32 2 16 (seen_bits 4) 5 6 [:: 0; 0]%N [:: 1; 0]%N 115 512.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_2_r_gap (R : realFieldType) (randomizer : bool -> dist R [finType of 4.-tuple bool]) (w w' : 2.-tuple bool) :
  (forall x (v : 4.-tuple bool), randomizer x v = of_Z R (seen_2_r_gap_table x (bits_code v)) / of_Z R 32) ->
  map nat_of_bool w = [:: 0; 0]%N -> map nat_of_bool w' = [:: 1; 0]%N ->
  hockey (of_Z R 5 / of_Z R 6) (view (randomizer) w) (view (randomizer) w') = (of_Z R 115 / of_Z R 512).
Proof.
move=> tabulated w_is w'_is.
apply: (@seen_hockey_sound R bool _ 16 (fun v : 4.-tuple bool => bits_code v) nat_of_bool (randomizer) seen_2_r_gap_table 32 2
  (@coding_bits 4) (erefl : (0 < 32)%Z) (tabulated) _ (@all_counts _ 4 2) (@bits_name _) (seen_bits 4) (@bits_name_inj _)
  (@bits_named 4 2)).
by rewrite w_is w'_is; apply: seen_2_r_gap_computed.
Qed.

Lemma seen_2_bit_sum_computed : seen_hockey_is (bit_sum_table 2 3 4) 16 2 2 seen_ones 5 6 [:: 1; 0]%N [:: 0; 0]%N 289 512.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_2_bit_sum (R : realFieldType) (n_gt0 : (0 < 2)%N) (range : 0 <= (of_Z R 3 / of_Z R 4) <= 2%:R) (w w' : 2.-tuple bool) :
  map nat_of_bool w = [:: 1; 0]%N -> map nat_of_bool w' = [:: 0; 0]%N ->
  hockey (of_Z R 5 / of_Z R 6) (bit_sum_view n_gt0 range w) (bit_sum_view n_gt0 range w') = (of_Z R 289 / of_Z R 512).
Proof.
move=> w_is w'_is; rewrite (eq_hockey _ (image_law_shuffle _ (@ones_permuted 2)) (image_law_shuffle _ (@ones_permuted 2))).
have tabulated x s := bit_sum_tabulated n_gt0 range x s (erefl : (0 < 4)%Z).
apply: (seen_hockey_sound coding_bool (erefl : (0 < 16)%Z) tabulated (@ones_name_inj 2.+1) (@ones_named 2)).
by rewrite w_is w'_is; apply: seen_2_bit_sum_computed.
Qed.

Lemma seen_2_zero_sum_computed : seen_event_is (zero_sum_table 5 7) 7 3 3 (fun s => sumn s == 1%N) [:: 0; 1; 0]%N 8 343.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_2_zero_sum (R : realFieldType) (range : 0 <= (of_Z R 5 / of_Z R 7) <= 1) (w : 3.-tuple bool) : map nat_of_bool w = [:: 0; 1; 0]%N ->
  \sum_(m | total_ones m == 1%N) messages (zero_sum range) w m = (of_Z R 8 / of_Z R 343).
Proof.
move=> w_is; have den_gt0 : (0 < 7)%Z by [].
rewrite (eq_bigl (fun m : 3.-tuple 'I_3 => sumn (map (@nat_of_ord 3) m) == 1%N)) => [|m]; last by rewrite total_ones_named.
have tabulated x s := zero_sum_tabulated range x s den_gt0.
apply: (@seen_event_is_sound R bool _ 3 (@nat_of_ord 3) nat_of_bool _ _ _ 3 (@coding_ord 3) den_gt0 tabulated
  (fun s => sumn s == 1%N) w).
by rewrite w_is; apply: seen_2_zero_sum_computed.
Qed.

Lemma seen_2_controlled_computed : corner_V_is 12 5 17 10 3 1512 4913.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem seen_2_controlled (R : realFieldType) : V (corner_laws (of_Z R 12 / of_Z R 5) (of_Z R 17 / of_Z R 10)) 3 0 = (of_Z R 1512 / of_Z R 4913).
Proof. exact: corner_V_is_sound seen_2_controlled_computed. Qed.
