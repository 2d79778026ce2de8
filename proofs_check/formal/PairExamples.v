(* Divergences of the optimal pair and of the blanket's pair of k-ary randomized response, as the executable specification
   computes them: PairDefinitions.v and ThreeParts.v say the same.  (p = infinity is p_inv = 0)
   Written by `proofs_check/formal/shown.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions PairDefinitions PairCounts ThreeParts Integers OptimalPairNumbers OptimalPairExact KaryNumbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Lemma optimal_pair_computed : pair_delta_is 4 1 1 2 4 1 2 1 3 361 1728.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair (R : realFieldType) :
  hockey (of_Z R 2 / of_Z R 1) (pair_P (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 2) (pair_Q (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 2) = of_Z R 361 / of_Z R 1728.
Proof. by apply: pair_delta_is_sound optimal_pair_computed; case/and3P: optimal_pair_computed. Qed.

Lemma optimal_pair_near_the_ratio_computed : pair_delta_is 4 1 1 2 4 1 37 10 3 361 11520.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_near_the_ratio (R : realFieldType) :
  hockey (of_Z R 37 / of_Z R 10) (pair_P (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 2) (pair_Q (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 2) = of_Z R 361 / of_Z R 11520.
Proof. by apply: pair_delta_is_sound optimal_pair_near_the_ratio_computed; case/and3P: optimal_pair_near_the_ratio_computed. Qed.

Lemma optimal_pair_of_stronger_clones_computed : pair_delta_is 4 1 3 5 4 1 3 2 3 8 25.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_of_stronger_clones (R : realFieldType) :
  hockey (of_Z R 3 / of_Z R 2) (pair_P (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 5) (of_Z R 4 / of_Z R 1) 2) (pair_Q (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 5) (of_Z R 4 / of_Z R 1) 2) = of_Z R 8 / of_Z R 25.
Proof. by apply: pair_delta_is_sound optimal_pair_of_stronger_clones_computed; case/and3P: optimal_pair_of_stronger_clones_computed. Qed.

Lemma optimal_pair_of_two_computed : pair_delta_is 4 1 3 5 4 1 1 1 2 12 25.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_of_two (R : realFieldType) :
  hockey (of_Z R 1 / of_Z R 1) (pair_P (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 5) (of_Z R 4 / of_Z R 1) 1) (pair_Q (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 5) (of_Z R 4 / of_Z R 1) 1) = of_Z R 12 / of_Z R 25.
Proof. by apply: pair_delta_is_sound optimal_pair_of_two_computed; case/and3P: optimal_pair_of_two_computed. Qed.

Lemma optimal_pair_of_little_variation_computed : pair_delta_is 2 1 1 4 3 1 3 2 2 3 32.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_of_little_variation (R : realFieldType) :
  hockey (of_Z R 3 / of_Z R 2) (pair_P (of_Z R 1 / of_Z R 2) (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 1) 1) (pair_Q (of_Z R 1 / of_Z R 2) (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 1) 1) = of_Z R 3 / of_Z R 32.
Proof. by apply: pair_delta_is_sound optimal_pair_of_little_variation_computed; case/and3P: optimal_pair_of_little_variation_computed. Qed.

Lemma optimal_pair_of_four_computed : pair_delta_is 10 1 1 4 3 2 4 1 4 6859 944784.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_of_four (R : realFieldType) :
  hockey (of_Z R 4 / of_Z R 1) (pair_P (of_Z R 1 / of_Z R 10) (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 2) 3) (pair_Q (of_Z R 1 / of_Z R 10) (of_Z R 1 / of_Z R 4) (of_Z R 3 / of_Z R 2) 3) = of_Z R 6859 / of_Z R 944784.
Proof. by apply: pair_delta_is_sound optimal_pair_of_four_computed; case/and3P: optimal_pair_of_four_computed. Qed.

Lemma optimal_pair_without_a_ratio_computed : pair_delta_is 1 0 1 2 2 1 2 1 3 5 32.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_without_a_ratio (R : realFieldType) :
  hockey (of_Z R 2 / of_Z R 1) (pair_P (of_Z R 0 / of_Z R 1) (of_Z R 1 / of_Z R 2) (of_Z R 2 / of_Z R 1) 2) (pair_Q (of_Z R 0 / of_Z R 1) (of_Z R 1 / of_Z R 2) (of_Z R 2 / of_Z R 1) 2) = of_Z R 5 / of_Z R 32.
Proof. by apply: pair_delta_is_sound optimal_pair_without_a_ratio_computed; case/and3P: optimal_pair_without_a_ratio_computed. Qed.

Lemma optimal_pair_of_ten_users_computed : pair_sum_is 4 1 1 2 4 1 3 2 10 40902983099 440301256704.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_of_ten_users (R : realFieldType) :
  hockey (of_Z R 3 / of_Z R 2) (pair_P (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 9) (pair_Q (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 9) = of_Z R 40902983099 / of_Z R 440301256704.
Proof. by apply: pair_sum_is_sound optimal_pair_of_ten_users_computed. Qed.

Lemma optimal_pair_of_a_hundred_users_computed : pair_sum_is 4 1 1 2 4 1 3 2 100 23667624957114070940241785983772708716003811569410335173484104746737405205658637914627072259802051256888448164567652014094679619096639 29162293086810542945036163539662070392776524914455073338758935990287251219804113201310591126134479797524495777954176967344800497523490816.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem optimal_pair_of_a_hundred_users (R : realFieldType) :
  hockey (of_Z R 3 / of_Z R 2) (pair_P (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 99) (pair_Q (of_Z R 1 / of_Z R 4) (of_Z R 1 / of_Z R 2) (of_Z R 4 / of_Z R 1) 99) = of_Z R 23667624957114070940241785983772708716003811569410335173484104746737405205658637914627072259802051256888448164567652014094679619096639 / of_Z R 29162293086810542945036163539662070392776524914455073338758935990287251219804113201310591126134479797524495777954176967344800497523490816.
Proof. by apply: pair_sum_is_sound optimal_pair_of_a_hundred_users_computed. Qed.

Lemma blanket_of_binary_response_computed : blanket_delta_is 3 1 2 3 2 3 27 128.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem blanket_of_binary_response (R : realFieldType) (K : finType) : #|K| = 2%N ->
  hockey (of_Z R 3 / of_Z R 2) (pair_counts (k_rr_special_0 K (of_Z R 3 / of_Z R 1)) (k_rr_others K (of_Z R 3 / of_Z R 1)) 2)
    (pair_counts (k_rr_special_1 K (of_Z R 3 / of_Z R 1)) (k_rr_others K (of_Z R 3 / of_Z R 1)) 2) = of_Z R 27 / of_Z R 128.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: blanket_of_binary_response_computed. Qed.

Lemma blanket_of_ternary_response_computed : blanket_delta_is 4 1 3 2 1 3 41 216.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem blanket_of_ternary_response (R : realFieldType) (K : finType) : #|K| = 3%N ->
  hockey (of_Z R 2 / of_Z R 1) (pair_counts (k_rr_special_0 K (of_Z R 4 / of_Z R 1)) (k_rr_others K (of_Z R 4 / of_Z R 1)) 2)
    (pair_counts (k_rr_special_1 K (of_Z R 4 / of_Z R 1)) (k_rr_others K (of_Z R 4 / of_Z R 1)) 2) = of_Z R 41 / of_Z R 216.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: blanket_of_ternary_response_computed. Qed.

Lemma blanket_of_ten_values_computed : blanket_delta_is 5 2 10 11 10 4 112836 1399205.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem blanket_of_ten_values (R : realFieldType) (K : finType) : #|K| = 10%N ->
  hockey (of_Z R 11 / of_Z R 10) (pair_counts (k_rr_special_0 K (of_Z R 5 / of_Z R 2)) (k_rr_others K (of_Z R 5 / of_Z R 2)) 3)
    (pair_counts (k_rr_special_1 K (of_Z R 5 / of_Z R 2)) (k_rr_others K (of_Z R 5 / of_Z R 2)) 3) = of_Z R 112836 / of_Z R 1399205.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: blanket_of_ten_values_computed. Qed.

Lemma blanket_of_one_user_computed : blanket_delta_is 4 1 3 1 1 1 1 2.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem blanket_of_one_user (R : realFieldType) (K : finType) : #|K| = 3%N ->
  hockey (of_Z R 1 / of_Z R 1) (pair_counts (k_rr_special_0 K (of_Z R 4 / of_Z R 1)) (k_rr_others K (of_Z R 4 / of_Z R 1)) 0)
    (pair_counts (k_rr_special_1 K (of_Z R 4 / of_Z R 1)) (k_rr_others K (of_Z R 4 / of_Z R 1)) 0) = of_Z R 1 / of_Z R 2.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: blanket_of_one_user_computed. Qed.
