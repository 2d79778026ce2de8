(* Theorem 4.1's pair and single corner laws, at parameters that were drawn (seed 20), as the executable specification has them.
   Written by `proofs_check/formal/parts.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions PairDefinitions PairCounts ThreeParts ConvexOrder ControlledSum FiveCorners Integers SmallCases
  ControlledCases PartCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Lemma parts_0_computed : parts_V_is 5 21 2 7 6 5 4 6947 64827.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem parts_0 (R : realFieldType) :
  hockey (of_Z R 6 / of_Z R 5) (pair_counts (part_special_0 (of_Z R 2 / of_Z R 7)) (part_others (of_Z R 5 / of_Z R 21)) 3)
    (pair_counts (part_special_1 (of_Z R 2 / of_Z R 7)) (part_others (of_Z R 5 / of_Z R 21)) 3) = (of_Z R 6947 / of_Z R 64827).
Proof. exact: parts_V_is_sound parts_0_computed. Qed.

Lemma corner_0_0_computed : corner_mean_is 9 2 1 5 0 1 4 5.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_0_0 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 9 / of_Z R 2) (of_Z R 1 / of_Z R 5)) 0] 1 0 = (of_Z R 4 / of_Z R 5).
Proof. exact: corner_mean_sound (erefl : (0 < 5)%N) corner_0_0_computed. Qed.

Lemma corner_0_1_computed : corner_mean_is 4 3 1 10 1 3 27 10.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_0_1 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 4 / of_Z R 3) (of_Z R 1 / of_Z R 10)) 1] 3 0 = (of_Z R 27 / of_Z R 10).
Proof. exact: corner_mean_sound (erefl : (1 < 5)%N) corner_0_1_computed. Qed.

Lemma corner_0_2_computed : corner_mean_is 13 5 3 10 2 1 7 10.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_0_2 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 13 / of_Z R 5) (of_Z R 3 / of_Z R 10)) 2] 1 0 = (of_Z R 7 / of_Z R 10).
Proof. exact: corner_mean_sound (erefl : (2 < 5)%N) corner_0_2_computed. Qed.

Lemma corner_0_3_computed : corner_mean_is 5 3 9 10 3 1 23 80.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_0_3 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 5 / of_Z R 3) (of_Z R 9 / of_Z R 10)) 3] 1 0 = (of_Z R 23 / of_Z R 80).
Proof. exact: corner_mean_sound (erefl : (3 < 5)%N) corner_0_3_computed. Qed.

Lemma corner_0_4_computed : corner_mean_is 7 4 2 5 4 3 9 5.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_0_4 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 7 / of_Z R 4) (of_Z R 2 / of_Z R 5)) 4] 3 0 = (of_Z R 9 / of_Z R 5).
Proof. exact: corner_mean_sound (erefl : (4 < 5)%N) corner_0_4_computed. Qed.

Lemma parts_1_computed : parts_V_is 5 21 3 7 4 7 2 191 343.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem parts_1 (R : realFieldType) :
  hockey (of_Z R 4 / of_Z R 7) (pair_counts (part_special_0 (of_Z R 3 / of_Z R 7)) (part_others (of_Z R 5 / of_Z R 21)) 1)
    (pair_counts (part_special_1 (of_Z R 3 / of_Z R 7)) (part_others (of_Z R 5 / of_Z R 21)) 1) = (of_Z R 191 / of_Z R 343).
Proof. exact: parts_V_is_sound parts_1_computed. Qed.

Lemma corner_1_0_computed : corner_mean_is 13 4 7 10 0 3 9 10.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_1_0 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 13 / of_Z R 4) (of_Z R 7 / of_Z R 10)) 0] 3 0 = (of_Z R 9 / of_Z R 10).
Proof. exact: corner_mean_sound (erefl : (0 < 5)%N) corner_1_0_computed. Qed.

Lemma corner_1_1_computed : corner_mean_is 5 1 7 10 1 2 6 5.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_1_1 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 5 / of_Z R 1) (of_Z R 7 / of_Z R 10)) 1] 2 0 = (of_Z R 6 / of_Z R 5).
Proof. exact: corner_mean_sound (erefl : (1 < 5)%N) corner_1_1_computed. Qed.

Lemma corner_1_2_computed : corner_mean_is 3 2 1 2 2 3 3 2.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_1_2 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 3 / of_Z R 2) (of_Z R 1 / of_Z R 2)) 2] 3 0 = (of_Z R 3 / of_Z R 2).
Proof. exact: corner_mean_sound (erefl : (2 < 5)%N) corner_1_2_computed. Qed.

Lemma corner_1_3_computed : corner_mean_is 9 5 1 10 3 3 27 10.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_1_3 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 9 / of_Z R 5) (of_Z R 1 / of_Z R 10)) 3] 3 0 = (of_Z R 27 / of_Z R 10).
Proof. exact: corner_mean_sound (erefl : (3 < 5)%N) corner_1_3_computed. Qed.

Lemma corner_1_4_computed : corner_mean_is 11 4 1 2 4 2 709 676.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_1_4 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 11 / of_Z R 4) (of_Z R 1 / of_Z R 2)) 4] 2 0 = (of_Z R 709 / of_Z R 676).
Proof. exact: corner_mean_sound (erefl : (4 < 5)%N) corner_1_4_computed. Qed.

Lemma parts_2_computed : parts_V_is 4 21 4 7 6 7 1 31 49.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem parts_2 (R : realFieldType) :
  hockey (of_Z R 6 / of_Z R 7) (pair_counts (part_special_0 (of_Z R 4 / of_Z R 7)) (part_others (of_Z R 4 / of_Z R 21)) 0)
    (pair_counts (part_special_1 (of_Z R 4 / of_Z R 7)) (part_others (of_Z R 4 / of_Z R 21)) 0) = (of_Z R 31 / of_Z R 49).
Proof. exact: parts_V_is_sound parts_2_computed. Qed.

Lemma corner_2_0_computed : corner_mean_is 3 1 9 10 0 2 1 5.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_2_0 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 3 / of_Z R 1) (of_Z R 9 / of_Z R 10)) 0] 2 0 = (of_Z R 1 / of_Z R 5).
Proof. exact: corner_mean_sound (erefl : (0 < 5)%N) corner_2_0_computed. Qed.

Lemma corner_2_1_computed : corner_mean_is 5 1 2 5 1 1 26 35.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_2_1 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 5 / of_Z R 1) (of_Z R 2 / of_Z R 5)) 1] 1 0 = (of_Z R 26 / of_Z R 35).
Proof. exact: corner_mean_sound (erefl : (1 < 5)%N) corner_2_1_computed. Qed.

Lemma corner_2_2_computed : corner_mean_is 11 5 2 5 2 3 9 5.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_2_2 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 11 / of_Z R 5) (of_Z R 2 / of_Z R 5)) 2] 3 0 = (of_Z R 9 / of_Z R 5).
Proof. exact: corner_mean_sound (erefl : (2 < 5)%N) corner_2_2_computed. Qed.

Lemma corner_2_3_computed : corner_mean_is 2 1 4 5 3 2 8 15.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_2_3 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 2 / of_Z R 1) (of_Z R 4 / of_Z R 5)) 3] 2 0 = (of_Z R 8 / of_Z R 15).
Proof. exact: corner_mean_sound (erefl : (3 < 5)%N) corner_2_3_computed. Qed.

Lemma corner_2_4_computed : corner_mean_is 2 1 2 5 4 2 6 5.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem corner_2_4 (R : realFieldType) : V [:: nth [::] (corner_laws (of_Z R 2 / of_Z R 1) (of_Z R 2 / of_Z R 5)) 4] 2 0 = (of_Z R 6 / of_Z R 5).
Proof. exact: corner_mean_sound (erefl : (4 < 5)%N) corner_2_4_computed. Qed.
