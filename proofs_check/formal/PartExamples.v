(* Theorem 4.1's pair and single corner laws, at parameters that were drawn (seed 20), as the executable specification has them.
   Written by `proofs_check/formal/parts.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions PairDefinitions PairCounts ThreeParts ConvexOrder ControlledSum FiveCorners Integers SmallCases
  ControlledCases PartCases Perspective ArrivalAll ClonesLeft AdaptiveApproximate Programs GridLaws LawCases
  ArrivalApproximate LeakCases TypeBlocks OneRandomizer NamedParameters.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

From mathcomp Require Import ring.

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

Lemma level_0_arrival_computed : arrival_laws_is 12 5 9 5 9 34
  [:: [:: ((-100, 363), (363, 425)); ((-120, 31), (62, 425))];
    [:: ((-100, 363), (33, 50)); ((75, 17), (17, 550)); ((-83, 34), (17, 55))];
    [:: ((75, 17), (1, 25)); ((-415, 408), (24, 25))];
    [:: ((-83, 34), (2, 5)); ((5, 17), (3, 5))];
    [:: ((-120, 31), (62, 725)); ((5, 17), (51, 145)); ((-415, 408), (408, 725))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_0_arrival (R : realFieldType) : arrival_laws (of_Z R 12 / of_Z R 5) (of_Z R 9 / of_Z R 5) (of_Z R 9 / of_Z R 34) =
  [:: [:: ((of_Z R (-100) / of_Z R 363), (of_Z R 363 / of_Z R 425)); ((of_Z R (-120) / of_Z R 31), (of_Z R 62 / of_Z R 425))];
    [:: ((of_Z R (-100) / of_Z R 363), (of_Z R 33 / of_Z R 50)); ((of_Z R 75 / of_Z R 17), (of_Z R 17 / of_Z R 550)); ((of_Z R (-83) / of_Z R 34), (of_Z R 17 / of_Z R 55))];
    [:: ((of_Z R 75 / of_Z R 17), (of_Z R 1 / of_Z R 25)); ((of_Z R (-415) / of_Z R 408), (of_Z R 24 / of_Z R 25))];
    [:: ((of_Z R (-83) / of_Z R 34), (of_Z R 2 / of_Z R 5)); ((of_Z R 5 / of_Z R 17), (of_Z R 3 / of_Z R 5))];
    [:: ((of_Z R (-120) / of_Z R 31), (of_Z R 62 / of_Z R 725)); ((of_Z R 5 / of_Z R 17), (of_Z R 51 / of_Z R 145)); ((of_Z R (-415) / of_Z R 408), (of_Z R 408 / of_Z R 725))]].
Proof. exact: arrival_laws_is_sound level_0_arrival_computed. Qed.

Lemma level_0_clone_computed : clone_laws_is 12 5 9 5 9 34
  [:: [:: ((75, 17), (1, 25)); ((-83, 34), (2, 5)); ((0, 1), (14, 25))];
    [:: ((-120, 31), (31, 150)); ((0, 1), (119, 150))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_0_clone (R : realFieldType) : clone_laws (of_Z R 12 / of_Z R 5) (of_Z R 9 / of_Z R 5) (of_Z R 9 / of_Z R 34) =
  [:: [:: ((of_Z R 75 / of_Z R 17), (of_Z R 1 / of_Z R 25)); ((of_Z R (-83) / of_Z R 34), (of_Z R 2 / of_Z R 5)); ((of_Z R 0 / of_Z R 1), (of_Z R 14 / of_Z R 25))];
    [:: ((of_Z R (-120) / of_Z R 31), (of_Z R 31 / of_Z R 150)); ((of_Z R 0 / of_Z R 1), (of_Z R 119 / of_Z R 150))]].
Proof. exact: clone_laws_is_sound level_0_clone_computed. Qed.

Lemma level_0_leaking_computed : approximate_corners_is 5 3 2 1 4 25 1 36 4
  [:: [:: ((2, 1), (1, 72)); ((0, 1), (1, 18)); ((-16, 25), (275, 558)); ((-256, 121), (605, 2232)); ((0, 1), (1, 6))];
    [:: ((2, 1), (1, 72)); ((0, 1), (1, 18)); ((-16, 25), (275, 756)); ((-56, 605), (605, 3024)); ((-1928, 605), (605, 3024)); ((0, 1), (1, 6))];
    [:: ((2, 1), (1, 72)); ((0, 1), (1, 18)); ((-56, 605), (605, 2232)); ((-482, 275), (275, 558)); ((0, 1), (1, 6))];
    [:: ((2, 1), (1, 72)); ((0, 1), (1, 18)); ((-1928, 605), (605, 2232)); ((-14, 275), (275, 558)); ((0, 1), (1, 6))];
    [:: ((2, 1), (1, 72)); ((0, 1), (1, 18)); ((-256, 121), (605, 3672)); ((-14, 275), (275, 918)); ((-482, 275), (275, 918)); ((0, 1), (1, 6))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_0_leaking (R : realFieldType) : approximate_corners (of_Z R 5 / of_Z R 3) (of_Z R 2 / of_Z R 1) (of_Z R 4 / of_Z R 25) (of_Z R 1 / of_Z R 36) 4 =
  [:: [:: ((of_Z R 2 / of_Z R 1), (of_Z R 1 / of_Z R 72)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 18)); ((of_Z R (-16) / of_Z R 25), (of_Z R 275 / of_Z R 558)); ((of_Z R (-256) / of_Z R 121), (of_Z R 605 / of_Z R 2232)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 6))];
    [:: ((of_Z R 2 / of_Z R 1), (of_Z R 1 / of_Z R 72)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 18)); ((of_Z R (-16) / of_Z R 25), (of_Z R 275 / of_Z R 756)); ((of_Z R (-56) / of_Z R 605), (of_Z R 605 / of_Z R 3024)); ((of_Z R (-1928) / of_Z R 605), (of_Z R 605 / of_Z R 3024)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 6))];
    [:: ((of_Z R 2 / of_Z R 1), (of_Z R 1 / of_Z R 72)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 18)); ((of_Z R (-56) / of_Z R 605), (of_Z R 605 / of_Z R 2232)); ((of_Z R (-482) / of_Z R 275), (of_Z R 275 / of_Z R 558)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 6))];
    [:: ((of_Z R 2 / of_Z R 1), (of_Z R 1 / of_Z R 72)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 18)); ((of_Z R (-1928) / of_Z R 605), (of_Z R 605 / of_Z R 2232)); ((of_Z R (-14) / of_Z R 275), (of_Z R 275 / of_Z R 558)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 6))];
    [:: ((of_Z R 2 / of_Z R 1), (of_Z R 1 / of_Z R 72)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 18)); ((of_Z R (-256) / of_Z R 121), (of_Z R 605 / of_Z R 3672)); ((of_Z R (-14) / of_Z R 275), (of_Z R 275 / of_Z R 918)); ((of_Z R (-482) / of_Z R 275), (of_Z R 275 / of_Z R 918)); ((of_Z R 0 / of_Z R 1), (of_Z R 1 / of_Z R 6))]].
Proof. exact: approximate_corners_is_sound level_0_leaking_computed. Qed.

Definition level_0_relative_listed := [:: [:: ((written_q 287453359 114535239), (written_q 3949491 574906718)); ((written_q 0 1), (written_q 37284087 574906718)); ((written_q (-862360077) 5298166426), (written_q 130627206710 180808162811)); ((written_q (-37090756) 23084985), (written_q 1200419220 5832521381))];
    [:: ((written_q 287453359 114535239), (written_q 3949491 574906718)); ((written_q 0 1), (written_q 37284087 574906718)); ((written_q (-862360077) 5298166426), (written_q 65313603355 114118983523)); ((written_q 72150793109 37312056705), (written_q 16726094385 114118983523)); ((written_q (-3736893667) 1225354900), (written_q 23894420550 114118983523))];
    [:: ((written_q 287453359 114535239), (written_q 3949491 574906718)); ((written_q 0 1), (written_q 37284087 574906718)); ((written_q 72150793109 37312056705), (written_q 53183130 287453359)); ((written_q (-11210681001) 10337539520), (written_q 213653440 287453359))];
    [:: ((written_q 287453359 114535239), (written_q 3949491 574906718)); ((written_q 0 1), (written_q 37284087 574906718)); ((written_q (-3736893667) 1225354900), (written_q 75975900 287453359)); ((written_q 72150793109 133903441595), (written_q 190860670 287453359))];
    [:: ((written_q 287453359 114535239), (written_q 3949491 574906718)); ((written_q 0 1), (written_q 37284087 574906718)); ((written_q (-37090756) 23084985), (written_q 1200419220 10135049077)); ((written_q 72150793109 133903441595), (written_q 120051361430 314186521387)); ((written_q (-11210681001) 10337539520), (written_q 134388013760 314186521387))]].
Lemma level_0_relative_computed : relative_laws_is (written_q 8 3) (written_q 3 2) (written_q 1 58) (written_q 8 3) 3 (written_q 17973945 305427304) level_0_relative_listed.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_0_relative (R : realFieldType) : relative_laws (of_Q R (written_q 8 3)) (of_Q R (written_q 3 2)) (of_Q R (written_q 1 58)) (of_Q R (written_q 8 3)) 3 (of_Q R (written_q 17973945 305427304)) =
  [seq law_q R c | c <- level_0_relative_listed].
Proof. exact: relative_laws_is_sound level_0_relative_computed. Qed.

Definition level_0_thinned_listed := [:: [:: ((written_q 955 196), (written_q 4 955)); ((written_q 0 1), (written_q 491 955)); ((written_q (-25021) 60025), (written_q 22540 64367)); ((written_q (-25021) 8464), (written_q 8464 64367))];
    [:: ((written_q 955 196), (written_q 4 955)); ((written_q 0 1), (written_q 491 955)); ((written_q (-25021) 60025), (written_q 22540 81939)); ((written_q 4857703 2073680), (written_q 8464 81939)); ((written_q (-13561) 2116), (written_q 8464 81939))];
    [:: ((written_q 955 196), (written_q 4 955)); ((written_q 0 1), (written_q 491 955)); ((written_q 4857703 2073680), (written_q 8464 64367)); ((written_q (-13561) 5635), (written_q 22540 64367))];
    [:: ((written_q 955 196), (written_q 4 955)); ((written_q 0 1), (written_q 491 955)); ((written_q (-13561) 2116), (written_q 8464 64367)); ((written_q 4857703 5522300), (written_q 22540 64367))];
    [:: ((written_q 955 196), (written_q 4 955)); ((written_q 0 1), (written_q 491 955)); ((written_q (-25021) 8464), (written_q 4232 55581)); ((written_q 4857703 5522300), (written_q 11270 55581)); ((written_q (-13561) 5635), (written_q 11270 55581))]].
Lemma level_0_thinned_computed : thinned_laws_is (written_q 5 2) (written_q 8 5) (written_q 1 49) (written_q 5 2) 4 (written_q 54 245) level_0_thinned_listed.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_0_thinned (R : realFieldType) : thinned_laws (of_Q R (written_q 5 2)) (of_Q R (written_q 8 5)) (of_Q R (written_q 1 49)) (of_Q R (written_q 5 2)) 4 (of_Q R (written_q 54 245)) =
  [seq law_q R c | c <- level_0_thinned_listed].
Proof. exact: thinned_laws_is_sound level_0_thinned_computed. Qed.

Definition blocks_0_numbers : seq (seq (Z * Z)) := [:: [:: (4, 1); (-5, 4)]]%Z.
Lemma blocks_0_computed : blocks_V_is 2 (nseq 0 (625%Z, (doubled_numbers (doubled_numbers (blocks_0_numbers)))) ++ nseq 2 (25%Z, (doubled_numbers (blocks_0_numbers))) ++ nseq 1 (5%Z, (blocks_0_numbers))) 56 625.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem blocks_0 (R : realFieldType) (rest : seq (nat * seq (loss R)) := [:: (1%N, (scaled R 2 25%Z (doubled_numbers (blocks_0_numbers)))); (2%N, (scaled R 2 625%Z (doubled_numbers (doubled_numbers (blocks_0_numbers)))))]) :
  enough_kept (scaled R 2 5%Z (blocks_0_numbers)) rest 5 /\ V_steps (rev (steps_of (scaled R 2 5%Z (blocks_0_numbers)) rest 5)) 0 = (of_Z R 56 / of_Z R 625).
Proof.
split; last by apply: (blocks_V_is_sound blocks_0_computed); exact: erefl.
by rewrite /rest; do ?[split; [exact: measures_scaled | exact: doubled_scaled | by [] | by [] |]].
Qed.

Definition unlike_0_users : seq (bool * seq (Z * Z)) := [:: (false, [:: (-1, 3); (7, 1); (-5, 2)]); (false, [:: (1, 1); (5, 1); (-6, 4)]); (true, [:: (1, 2); (1, 1); (1, 3)])]%Z.
Definition unlike_0_omega : seq Z := [:: 2; 1; 3]%Z.
Lemma unlike_0_computed : unlike_is 3 6 unlike_0_omega unlike_0_users 1 3.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem unlike_0 (R : realFieldType) (of_user := fun k : 'I_3 => nth (false, [::]) unlike_0_users k)
    (at_report := fun k (s : 'I_3) => nth (0%Z, 0%Z) (of_user k).2 s) :
  unlike_sum (fun s : 'I_3 => of_Z R (nth 0%Z unlike_0_omega s) / of_Z R 6) (fun k s => of_Z R (at_report k s).2 / of_Z R 6)
    (fun k s => of_Z R (at_report k s).1 / of_Z R 3) [set k | (of_user k).1] = (of_Z R 1 / of_Z R 3).
Proof. exact: (unlike_is_sound R (erefl : size unlike_0_users = 3%N) unlike_0_computed). Qed.

Theorem named_0_unary (R : realFieldType) (x : 'I_4) (s : {ffun 'I_4 -> bool}) :
  x = 3%N :> nat -> (forall j : 'I_4, s j = nth false [:: false; false; false; false] j) ->
  unary_mass (5%:R / 7%:R) ((1%:R / 7%:R) : R) x s = (432%:R / 2401%:R).
Proof.
move=> x_is s_is; rewrite /unary_mass !big_ord_recl big_ord0 !s_is -!val_eqE /= x_is /= /bernoulli_mass.
by field; rewrite ?pnatr_eq0.
Qed.

Theorem named_0_k_rr (R : realFieldType) (T_ge1 : 1 <= (8%:R / 3%:R) :> R) (k_ge2 : (1 < #|'I_4|)%N) (x y : 'I_4) :
  x = 3%N :> nat -> y = 1%N :> nat -> k_rr T_ge1 k_ge2 x y = (3%:R / 17%:R).
Proof.
move=> x_is y_is; rewrite /= /k_rr_mass -val_eqE /= x_is y_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.

Theorem named_0_hash (R : realFieldType) (T_ge1 : 1 <= (8%:R / 3%:R) :> R) (k_ge2 : (1 < #|'I_2|)%N)
    (chosen : dist R [finType of {ffun 'I_4 -> 'I_2}]) (x : 'I_4) (h : {ffun 'I_4 -> 'I_2}) (y : 'I_2) :
  chosen h = (1%:R / 16%:R) -> x = 3%N :> nat ->
  (forall j : 'I_4, h j = nth 0%N [:: 0; 0; 0; 0]%N j :> nat) -> y = 1%N :> nat ->
  hashed T_ge1 k_ge2 chosen (fun h x => h x) x (h, y) = (3%:R / 176%:R).
Proof.
move=> chosen_is x_is h_is y_is; rewrite /= /hashed_mass /= chosen_is /k_rr_mass -val_eqE /= h_is y_is x_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.

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

Lemma level_1_arrival_computed : arrival_laws_is 3 2 13 10 1 25
  [:: [:: ((-72, 365), (73, 120)); ((-108, 235), (47, 120))];
    [:: ((-72, 365), (73, 168)); ((16, 75), (15, 56)); ((-114, 125), (25, 84))];
    [:: ((16, 75), (3, 8)); ((-76, 125), (5, 8))];
    [:: ((-114, 125), (5, 12)); ((24, 175), (7, 12))];
    [:: ((-108, 235), (47, 192)); ((24, 175), (35, 96)); ((-76, 125), (25, 64))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_1_arrival (R : realFieldType) : arrival_laws (of_Z R 3 / of_Z R 2) (of_Z R 13 / of_Z R 10) (of_Z R 1 / of_Z R 25) =
  [:: [:: ((of_Z R (-72) / of_Z R 365), (of_Z R 73 / of_Z R 120)); ((of_Z R (-108) / of_Z R 235), (of_Z R 47 / of_Z R 120))];
    [:: ((of_Z R (-72) / of_Z R 365), (of_Z R 73 / of_Z R 168)); ((of_Z R 16 / of_Z R 75), (of_Z R 15 / of_Z R 56)); ((of_Z R (-114) / of_Z R 125), (of_Z R 25 / of_Z R 84))];
    [:: ((of_Z R 16 / of_Z R 75), (of_Z R 3 / of_Z R 8)); ((of_Z R (-76) / of_Z R 125), (of_Z R 5 / of_Z R 8))];
    [:: ((of_Z R (-114) / of_Z R 125), (of_Z R 5 / of_Z R 12)); ((of_Z R 24 / of_Z R 175), (of_Z R 7 / of_Z R 12))];
    [:: ((of_Z R (-108) / of_Z R 235), (of_Z R 47 / of_Z R 192)); ((of_Z R 24 / of_Z R 175), (of_Z R 35 / of_Z R 96)); ((of_Z R (-76) / of_Z R 125), (of_Z R 25 / of_Z R 64))]].
Proof. exact: arrival_laws_is_sound level_1_arrival_computed. Qed.

Lemma level_1_clone_computed : clone_laws_is 3 2 13 10 1 25
  [:: [:: ((16, 75), (3, 8)); ((-114, 125), (5, 12)); ((0, 1), (5, 24))];
    [:: ((-108, 235), (47, 72)); ((0, 1), (25, 72))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_1_clone (R : realFieldType) : clone_laws (of_Z R 3 / of_Z R 2) (of_Z R 13 / of_Z R 10) (of_Z R 1 / of_Z R 25) =
  [:: [:: ((of_Z R 16 / of_Z R 75), (of_Z R 3 / of_Z R 8)); ((of_Z R (-114) / of_Z R 125), (of_Z R 5 / of_Z R 12)); ((of_Z R 0 / of_Z R 1), (of_Z R 5 / of_Z R 24))];
    [:: ((of_Z R (-108) / of_Z R 235), (of_Z R 47 / of_Z R 72)); ((of_Z R 0 / of_Z R 1), (of_Z R 25 / of_Z R 72))]].
Proof. exact: clone_laws_is_sound level_1_clone_computed. Qed.

Lemma level_1_leaking_computed : approximate_corners_is 11 2 2 1 27 550 1 40 4
  [:: [:: ((523, 70), (7, 2092)); ((0, 1), (217, 4184)); ((-4707, 21175), (156695, 268822)); ((-75312, 9583), (105413, 1075288)); ((0, 1), (138, 523))];
    [:: ((523, 70), (7, 2092)); ((0, 1), (217, 4184)); ((-4707, 21175), (22385, 43932)); ((3131724, 527065), (15059, 175728)); ((-1594104, 105413), (15059, 175728)); ((0, 1), (138, 523))];
    [:: ((523, 70), (7, 2092)); ((0, 1), (217, 4184)); ((3131724, 527065), (105413, 1075288)); ((-398526, 156695), (156695, 268822)); ((0, 1), (138, 523))];
    [:: ((523, 70), (7, 2092)); ((0, 1), (217, 4184)); ((-1594104, 105413), (105413, 1075288)); ((782931, 783475), (156695, 268822)); ((0, 1), (138, 523))];
    [:: ((523, 70), (7, 2092)); ((0, 1), (217, 4184)); ((-75312, 9583), (105413, 1995768)); ((782931, 783475), (156695, 498942)); ((-398526, 156695), (156695, 498942)); ((0, 1), (138, 523))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_1_leaking (R : realFieldType) : approximate_corners (of_Z R 11 / of_Z R 2) (of_Z R 2 / of_Z R 1) (of_Z R 27 / of_Z R 550) (of_Z R 1 / of_Z R 40) 4 =
  [:: [:: ((of_Z R 523 / of_Z R 70), (of_Z R 7 / of_Z R 2092)); ((of_Z R 0 / of_Z R 1), (of_Z R 217 / of_Z R 4184)); ((of_Z R (-4707) / of_Z R 21175), (of_Z R 156695 / of_Z R 268822)); ((of_Z R (-75312) / of_Z R 9583), (of_Z R 105413 / of_Z R 1075288)); ((of_Z R 0 / of_Z R 1), (of_Z R 138 / of_Z R 523))];
    [:: ((of_Z R 523 / of_Z R 70), (of_Z R 7 / of_Z R 2092)); ((of_Z R 0 / of_Z R 1), (of_Z R 217 / of_Z R 4184)); ((of_Z R (-4707) / of_Z R 21175), (of_Z R 22385 / of_Z R 43932)); ((of_Z R 3131724 / of_Z R 527065), (of_Z R 15059 / of_Z R 175728)); ((of_Z R (-1594104) / of_Z R 105413), (of_Z R 15059 / of_Z R 175728)); ((of_Z R 0 / of_Z R 1), (of_Z R 138 / of_Z R 523))];
    [:: ((of_Z R 523 / of_Z R 70), (of_Z R 7 / of_Z R 2092)); ((of_Z R 0 / of_Z R 1), (of_Z R 217 / of_Z R 4184)); ((of_Z R 3131724 / of_Z R 527065), (of_Z R 105413 / of_Z R 1075288)); ((of_Z R (-398526) / of_Z R 156695), (of_Z R 156695 / of_Z R 268822)); ((of_Z R 0 / of_Z R 1), (of_Z R 138 / of_Z R 523))];
    [:: ((of_Z R 523 / of_Z R 70), (of_Z R 7 / of_Z R 2092)); ((of_Z R 0 / of_Z R 1), (of_Z R 217 / of_Z R 4184)); ((of_Z R (-1594104) / of_Z R 105413), (of_Z R 105413 / of_Z R 1075288)); ((of_Z R 782931 / of_Z R 783475), (of_Z R 156695 / of_Z R 268822)); ((of_Z R 0 / of_Z R 1), (of_Z R 138 / of_Z R 523))];
    [:: ((of_Z R 523 / of_Z R 70), (of_Z R 7 / of_Z R 2092)); ((of_Z R 0 / of_Z R 1), (of_Z R 217 / of_Z R 4184)); ((of_Z R (-75312) / of_Z R 9583), (of_Z R 105413 / of_Z R 1995768)); ((of_Z R 782931 / of_Z R 783475), (of_Z R 156695 / of_Z R 498942)); ((of_Z R (-398526) / of_Z R 156695), (of_Z R 156695 / of_Z R 498942)); ((of_Z R 0 / of_Z R 1), (of_Z R 138 / of_Z R 523))]].
Proof. exact: approximate_corners_is_sound level_1_leaking_computed. Qed.

Definition level_1_relative_listed := [:: [:: ((written_q 45843 18460), (written_q 9230 1237761)); ((written_q 0 1), (written_q 120658 1237761)); ((written_q (-106967) 2323035), (written_q 877591 1084951)); ((written_q (-412587) 300560), (written_q 120224 1394937))];
    [:: ((written_q 45843 18460), (written_q 9230 1237761)); ((written_q 0 1), (written_q 120658 1237761)); ((written_q (-106967) 2323035), (written_q 79781 122248)); ((written_q 23624426 1333735), (written_q 266747 12102552)); ((written_q (-31219083) 13337350), (written_q 1333735 6051276))];
    [:: ((written_q 45843 18460), (written_q 9230 1237761)); ((written_q 0 1), (written_q 120658 1237761)); ((written_q 23624426 1333735), (written_q 3757 137529)); ((written_q (-3468787) 4707300), (written_q 13260 15281))];
    [:: ((written_q 45843 18460), (written_q 9230 1237761)); ((written_q 0 1), (written_q 120658 1237761)); ((written_q (-31219083) 13337350), (written_q 37570 137529)); ((written_q 23624426 30362085), (written_q 9503 15281))];
    [:: ((written_q 45843 18460), (written_q 9230 1237761)); ((written_q 0 1), (written_q 120658 1237761)); ((written_q (-412587) 300560), (written_q 120224 2455875)); ((written_q 23624426 30362085), (written_q 674713 1910125)); ((written_q (-3468787) 4707300), (written_q 188292 382025))]].
Lemma level_1_relative_computed : relative_laws_is (written_q 3 1) (written_q 6 5) (written_q 1 54) (written_q 3 1) 2 (written_q 3179 18460) level_1_relative_listed.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_1_relative (R : realFieldType) : relative_laws (of_Q R (written_q 3 1)) (of_Q R (written_q 6 5)) (of_Q R (written_q 1 54)) (of_Q R (written_q 3 1)) 2 (of_Q R (written_q 3179 18460)) =
  [seq law_q R c | c <- level_1_relative_listed].
Proof. exact: relative_laws_is_sound level_1_relative_computed. Qed.

Definition level_1_thinned_listed := [:: [:: ((written_q 199 48), (written_q 1 199)); ((written_q 0 1), (written_q 81 398)); ((written_q (-30049) 141120), (written_q 8820 14129)); ((written_q (-30049) 10125), (written_q 4725 28258))];
    [:: ((written_q 199 48), (written_q 1 199)); ((written_q 0 1), (written_q 81 398)); ((written_q (-30049) 141120), (written_q 4410 8557)); ((written_q 20099 7560), (written_q 4725 34228)); ((written_q (-455113) 70875), (written_q 4725 34228))];
    [:: ((written_q 199 48), (written_q 1 199)); ((written_q 0 1), (written_q 81 398)); ((written_q 20099 7560), (written_q 4725 28258)); ((written_q (-455113) 264600), (written_q 8820 14129))];
    [:: ((written_q 199 48), (written_q 1 199)); ((written_q 0 1), (written_q 81 398)); ((written_q (-455113) 70875), (written_q 4725 28258)); ((written_q 20099 28224), (written_q 8820 14129))];
    [:: ((written_q 199 48), (written_q 1 199)); ((written_q 0 1), (written_q 81 398)); ((written_q (-30049) 10125), (written_q 4725 50546)); ((written_q 20099 28224), (written_q 8820 25273)); ((written_q (-455113) 264600), (written_q 8820 25273))]].
Lemma level_1_thinned_computed : thinned_laws_is (written_q 7 2) (written_q 17 10) (written_q 1 48) (written_q 7 2) 4 (written_q 11 210) level_1_thinned_listed.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_1_thinned (R : realFieldType) : thinned_laws (of_Q R (written_q 7 2)) (of_Q R (written_q 17 10)) (of_Q R (written_q 1 48)) (of_Q R (written_q 7 2)) 4 (of_Q R (written_q 11 210)) =
  [seq law_q R c | c <- level_1_thinned_listed].
Proof. exact: thinned_laws_is_sound level_1_thinned_computed. Qed.

Definition blocks_1_numbers : seq (seq (Z * Z)) := [:: [:: (3, 1); (-5, 4)]; [:: (1, 3); (-5, 2)]; [:: (7, 4); (-1, 1)]]%Z.
Lemma blocks_1_computed : blocks_V_is 1 (nseq 1 (25%Z, (doubled_numbers (blocks_1_numbers))) ++ nseq 3 (5%Z, (blocks_1_numbers))) 16876 625.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem blocks_1 (R : realFieldType) (rest : seq (nat * seq (loss R)) := [:: (3%N, (scaled R 1 25%Z (doubled_numbers (blocks_1_numbers))))]) :
  enough_kept (scaled R 1 5%Z (blocks_1_numbers)) rest 5 /\ V_steps (rev (steps_of (scaled R 1 5%Z (blocks_1_numbers)) rest 5)) 0 = (of_Z R 16876 / of_Z R 625).
Proof.
split; last by apply: (blocks_V_is_sound blocks_1_computed); exact: erefl.
by rewrite /rest; do ?[split; [exact: measures_scaled | exact: doubled_scaled | by [] | by [] |]].
Qed.

Definition unlike_1_users : seq (bool * seq (Z * Z)) := [:: (true, [:: (1, 1); (1, 8)]); (false, [:: (-2, 8); (-4, 1)])]%Z.
Definition unlike_1_omega : seq Z := [:: 1; 8]%Z.
Lemma unlike_1_computed : unlike_is 3 9 unlike_1_omega unlike_1_users 0 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem unlike_1 (R : realFieldType) (of_user := fun k : 'I_2 => nth (false, [::]) unlike_1_users k)
    (at_report := fun k (s : 'I_2) => nth (0%Z, 0%Z) (of_user k).2 s) :
  unlike_sum (fun s : 'I_2 => of_Z R (nth 0%Z unlike_1_omega s) / of_Z R 9) (fun k s => of_Z R (at_report k s).2 / of_Z R 9)
    (fun k s => of_Z R (at_report k s).1 / of_Z R 3) [set k | (of_user k).1] = (of_Z R 0 / of_Z R 1).
Proof. exact: (unlike_is_sound R (erefl : size unlike_1_users = 2%N) unlike_1_computed). Qed.

Theorem named_1_unary (R : realFieldType) (x : 'I_2) (s : {ffun 'I_2 -> bool}) :
  x = 0%N :> nat -> (forall j : 'I_2, s j = nth false [:: false; true] j) ->
  unary_mass (8%:R / 9%:R) ((1%:R / 9%:R) : R) x s = (1%:R / 81%:R).
Proof.
move=> x_is s_is; rewrite /unary_mass !big_ord_recl big_ord0 !s_is -!val_eqE /= x_is /= /bernoulli_mass.
by field; rewrite ?pnatr_eq0.
Qed.

Theorem named_1_k_rr (R : realFieldType) (T_ge1 : 1 <= (9%:R / 2%:R) :> R) (k_ge2 : (1 < #|'I_2|)%N) (x y : 'I_2) :
  x = 0%N :> nat -> y = 0%N :> nat -> k_rr T_ge1 k_ge2 x y = (9%:R / 11%:R).
Proof.
move=> x_is y_is; rewrite /= /k_rr_mass -val_eqE /= x_is y_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.

Theorem named_1_hash (R : realFieldType) (T_ge1 : 1 <= (9%:R / 2%:R) :> R) (k_ge2 : (1 < #|'I_2|)%N)
    (chosen : dist R [finType of {ffun 'I_2 -> 'I_2}]) (x : 'I_2) (h : {ffun 'I_2 -> 'I_2}) (y : 'I_2) :
  chosen h = (1%:R / 4%:R) -> x = 0%N :> nat ->
  (forall j : 'I_2, h j = nth 0%N [:: 1; 1]%N j :> nat) -> y = 1%N :> nat ->
  hashed T_ge1 k_ge2 chosen (fun h x => h x) x (h, y) = (9%:R / 44%:R).
Proof.
move=> chosen_is x_is h_is y_is; rewrite /= /hashed_mass /= chosen_is /k_rr_mass -val_eqE /= h_is y_is x_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.

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

Lemma level_2_arrival_computed : arrival_laws_is 3 2 9 5 8 25
  [:: [:: ((-136, 295), (59, 85)); ((-102, 65), (26, 85))];
    [:: ((-136, 295), (59, 119)); ((-51, 50), (10, 119)); ((-289, 250), (50, 119))];
    [:: ((-51, 50), (2, 17)); ((-289, 375), (15, 17))];
    [:: ((-289, 250), (10, 17)); ((-51, 175), (7, 17))];
    [:: ((-102, 65), (13, 68)); ((-51, 175), (35, 136)); ((-289, 375), (75, 136))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_2_arrival (R : realFieldType) : arrival_laws (of_Z R 3 / of_Z R 2) (of_Z R 9 / of_Z R 5) (of_Z R 8 / of_Z R 25) =
  [:: [:: ((of_Z R (-136) / of_Z R 295), (of_Z R 59 / of_Z R 85)); ((of_Z R (-102) / of_Z R 65), (of_Z R 26 / of_Z R 85))];
    [:: ((of_Z R (-136) / of_Z R 295), (of_Z R 59 / of_Z R 119)); ((of_Z R (-51) / of_Z R 50), (of_Z R 10 / of_Z R 119)); ((of_Z R (-289) / of_Z R 250), (of_Z R 50 / of_Z R 119))];
    [:: ((of_Z R (-51) / of_Z R 50), (of_Z R 2 / of_Z R 17)); ((of_Z R (-289) / of_Z R 375), (of_Z R 15 / of_Z R 17))];
    [:: ((of_Z R (-289) / of_Z R 250), (of_Z R 10 / of_Z R 17)); ((of_Z R (-51) / of_Z R 175), (of_Z R 7 / of_Z R 17))];
    [:: ((of_Z R (-102) / of_Z R 65), (of_Z R 13 / of_Z R 68)); ((of_Z R (-51) / of_Z R 175), (of_Z R 35 / of_Z R 136)); ((of_Z R (-289) / of_Z R 375), (of_Z R 75 / of_Z R 136))]].
Proof. exact: arrival_laws_is_sound level_2_arrival_computed. Qed.

Lemma level_2_clone_computed : clone_laws_is 3 2 9 5 8 25
  [:: [:: ((-51, 50), (2, 17)); ((-289, 250), (10, 17)); ((0, 1), (5, 17))];
    [:: ((-102, 65), (26, 51)); ((0, 1), (25, 51))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_2_clone (R : realFieldType) : clone_laws (of_Z R 3 / of_Z R 2) (of_Z R 9 / of_Z R 5) (of_Z R 8 / of_Z R 25) =
  [:: [:: ((of_Z R (-51) / of_Z R 50), (of_Z R 2 / of_Z R 17)); ((of_Z R (-289) / of_Z R 250), (of_Z R 10 / of_Z R 17)); ((of_Z R 0 / of_Z R 1), (of_Z R 5 / of_Z R 17))];
    [:: ((of_Z R (-102) / of_Z R 65), (of_Z R 26 / of_Z R 51)); ((of_Z R 0 / of_Z R 1), (of_Z R 25 / of_Z R 51))]].
Proof. exact: clone_laws_is_sound level_2_clone_computed. Qed.

Lemma level_2_leaking_computed : approximate_corners_is 9 5 9 5 1 7 1 28 4
  [:: [:: ((108, 49), (7, 432)); ((0, 1), (77, 1080)); ((-470, 1029), (735, 1508)); ((-40608, 21875), (4375, 18096)); ((0, 1), (11, 60))];
    [:: ((108, 49), (7, 432)); ((0, 1), (77, 1080)); ((-470, 1029), (735, 2008)); ((14472, 30625), (4375, 24096)); ((-71088, 21875), (4375, 24096)); ((0, 1), (11, 60))];
    [:: ((108, 49), (7, 432)); ((0, 1), (77, 1080)); ((14472, 30625), (4375, 18096)); ((-5924, 3675), (735, 1508)); ((0, 1), (11, 60))];
    [:: ((108, 49), (7, 432)); ((0, 1), (77, 1080)); ((-71088, 21875), (4375, 18096)); ((402, 1715), (735, 1508)); ((0, 1), (11, 60))];
    [:: ((108, 49), (7, 432)); ((0, 1), (77, 1080)); ((-40608, 21875), (4375, 30192)); ((402, 1715), (735, 2516)); ((-5924, 3675), (735, 2516)); ((0, 1), (11, 60))]]%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_2_leaking (R : realFieldType) : approximate_corners (of_Z R 9 / of_Z R 5) (of_Z R 9 / of_Z R 5) (of_Z R 1 / of_Z R 7) (of_Z R 1 / of_Z R 28) 4 =
  [:: [:: ((of_Z R 108 / of_Z R 49), (of_Z R 7 / of_Z R 432)); ((of_Z R 0 / of_Z R 1), (of_Z R 77 / of_Z R 1080)); ((of_Z R (-470) / of_Z R 1029), (of_Z R 735 / of_Z R 1508)); ((of_Z R (-40608) / of_Z R 21875), (of_Z R 4375 / of_Z R 18096)); ((of_Z R 0 / of_Z R 1), (of_Z R 11 / of_Z R 60))];
    [:: ((of_Z R 108 / of_Z R 49), (of_Z R 7 / of_Z R 432)); ((of_Z R 0 / of_Z R 1), (of_Z R 77 / of_Z R 1080)); ((of_Z R (-470) / of_Z R 1029), (of_Z R 735 / of_Z R 2008)); ((of_Z R 14472 / of_Z R 30625), (of_Z R 4375 / of_Z R 24096)); ((of_Z R (-71088) / of_Z R 21875), (of_Z R 4375 / of_Z R 24096)); ((of_Z R 0 / of_Z R 1), (of_Z R 11 / of_Z R 60))];
    [:: ((of_Z R 108 / of_Z R 49), (of_Z R 7 / of_Z R 432)); ((of_Z R 0 / of_Z R 1), (of_Z R 77 / of_Z R 1080)); ((of_Z R 14472 / of_Z R 30625), (of_Z R 4375 / of_Z R 18096)); ((of_Z R (-5924) / of_Z R 3675), (of_Z R 735 / of_Z R 1508)); ((of_Z R 0 / of_Z R 1), (of_Z R 11 / of_Z R 60))];
    [:: ((of_Z R 108 / of_Z R 49), (of_Z R 7 / of_Z R 432)); ((of_Z R 0 / of_Z R 1), (of_Z R 77 / of_Z R 1080)); ((of_Z R (-71088) / of_Z R 21875), (of_Z R 4375 / of_Z R 18096)); ((of_Z R 402 / of_Z R 1715), (of_Z R 735 / of_Z R 1508)); ((of_Z R 0 / of_Z R 1), (of_Z R 11 / of_Z R 60))];
    [:: ((of_Z R 108 / of_Z R 49), (of_Z R 7 / of_Z R 432)); ((of_Z R 0 / of_Z R 1), (of_Z R 77 / of_Z R 1080)); ((of_Z R (-40608) / of_Z R 21875), (of_Z R 4375 / of_Z R 30192)); ((of_Z R 402 / of_Z R 1715), (of_Z R 735 / of_Z R 2516)); ((of_Z R (-5924) / of_Z R 3675), (of_Z R 735 / of_Z R 2516)); ((of_Z R 0 / of_Z R 1), (of_Z R 11 / of_Z R 60))]].
Proof. exact: approximate_corners_is_sound level_2_leaking_computed. Qed.

Definition level_2_relative_listed := [:: [:: ((written_q 4596524 4768335), (written_q 27885 4596524)); ((written_q 0 1), (written_q 707327 4596524)); ((written_q (-171220519) 2604377880), (written_q 7107464 12640441)); ((written_q (-171220519) 948008880), (written_q 3511144 12640441))];
    [:: ((written_q 4596524 4768335), (written_q 27885 4596524)); ((written_q 0 1), (written_q 707327 4596524)); ((written_q (-171220519) 2604377880), (written_q 21322392 54009157)); ((written_q 464248924 233648415), (written_q 2186184 54009157)); ((written_q (-688329469) 1967565600), (written_q 21861840 54009157))];
    [:: ((written_q 4596524 4768335), (written_q 27885 4596524)); ((written_q 0 1), (written_q 707327 4596524)); ((written_q 464248924 233648415), (written_q 66248 1149131)); ((written_q (-688329469) 2670267600), (written_q 899080 1149131))];
    [:: ((written_q 4596524 4768335), (written_q 27885 4596524)); ((written_q 0 1), (written_q 707327 4596524)); ((written_q (-688329469) 1967565600), (written_q 662480 1149131)); ((written_q 116062231 267026760), (written_q 302848 1149131))];
    [:: ((written_q 4596524 4768335), (written_q 27885 4596524)); ((written_q 0 1), (written_q 707327 4596524)); ((written_q (-171220519) 948008880), (written_q 202566 1149131)); ((written_q 116062231 267026760), (written_q 192192 1149131)); ((written_q (-688329469) 2670267600), (written_q 570570 1149131))]].
Lemma level_2_relative_computed : relative_laws_is (written_q 4 3) (written_q 11 10) (written_q 1 171) (written_q 4 3) 4 (written_q 440314 1589445) level_2_relative_listed.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_2_relative (R : realFieldType) : relative_laws (of_Q R (written_q 4 3)) (of_Q R (written_q 11 10)) (of_Q R (written_q 1 171)) (of_Q R (written_q 4 3)) 4 (of_Q R (written_q 440314 1589445)) =
  [seq law_q R c | c <- level_2_relative_listed].
Proof. exact: relative_laws_is_sound level_2_relative_computed. Qed.

Definition level_2_thinned_listed := [:: [:: ((written_q 266 53), (written_q 1 266)); ((written_q 0 1), (written_q 115 266)); ((written_q (-6251) 25281), (written_q 11925 27797)); ((written_q (-6251) 2500), (written_q 3750 27797))];
    [:: ((written_q 266 53), (written_q 1 266)); ((written_q 0 1), (written_q 115 266)); ((written_q (-6251) 25281), (written_q 11925 34447)); ((written_q 102011 33125), (written_q 3750 34447)); ((written_q (-47747) 7500), (written_q 3750 34447))];
    [:: ((written_q 266 53), (written_q 1 266)); ((written_q 0 1), (written_q 115 266)); ((written_q 102011 33125), (written_q 3750 27797)); ((written_q (-47747) 23850), (written_q 11925 27797))];
    [:: ((written_q 266 53), (written_q 1 266)); ((written_q 0 1), (written_q 115 266)); ((written_q (-47747) 7500), (written_q 3750 27797)); ((written_q 204022 210675), (written_q 11925 27797))];
    [:: ((written_q 266 53), (written_q 1 266)); ((written_q 0 1), (written_q 115 266)); ((written_q (-6251) 2500), (written_q 1875 24472)); ((written_q 204022 210675), (written_q 11925 48944)); ((written_q (-47747) 23850), (written_q 11925 48944))]].
Lemma level_2_thinned_computed : thinned_laws_is (written_q 3 1) (written_q 3 2) (written_q 1 53) (written_q 3 1) 1 (written_q 26 159) level_2_thinned_listed.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem level_2_thinned (R : realFieldType) : thinned_laws (of_Q R (written_q 3 1)) (of_Q R (written_q 3 2)) (of_Q R (written_q 1 53)) (of_Q R (written_q 3 1)) 1 (of_Q R (written_q 26 159)) =
  [seq law_q R c | c <- level_2_thinned_listed].
Proof. exact: thinned_laws_is_sound level_2_thinned_computed. Qed.

Definition blocks_2_numbers : seq (seq (Z * Z)) := [:: [:: (4, 4); (-7, 4)]; [:: (7, 5); (-5, 3)]; [:: (5, 2); (-2, 6)]]%Z.
Lemma blocks_2_computed : blocks_V_is 3 (nseq 1 (64%Z, (doubled_numbers (blocks_2_numbers))) ++ nseq 4 (8%Z, (blocks_2_numbers))) 355625 65536.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem blocks_2 (R : realFieldType) (rest : seq (nat * seq (loss R)) := [:: (4%N, (scaled R 3 64%Z (doubled_numbers (blocks_2_numbers))))]) :
  enough_kept (scaled R 3 8%Z (blocks_2_numbers)) rest 6 /\ V_steps (rev (steps_of (scaled R 3 8%Z (blocks_2_numbers)) rest 6)) 0 = (of_Z R 355625 / of_Z R 65536).
Proof.
split; last by apply: (blocks_V_is_sound blocks_2_computed); exact: erefl.
by rewrite /rest; do ?[split; [exact: measures_scaled | exact: doubled_scaled | by [] | by [] |]].
Qed.

Definition unlike_2_users : seq (bool * seq (Z * Z)) := [:: (true, [:: (1, 2); (1, 3); (1, 1)]); (false, [:: (-4, 4); (1, 1); (5, 1)]); (false, [:: (-4, 1); (4, 1); (-3, 4)])]%Z.
Definition unlike_2_omega : seq Z := [:: 2; 3; 1]%Z.
Lemma unlike_2_computed : unlike_is 2 6 unlike_2_omega unlike_2_users 23 72.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem unlike_2 (R : realFieldType) (of_user := fun k : 'I_3 => nth (false, [::]) unlike_2_users k)
    (at_report := fun k (s : 'I_3) => nth (0%Z, 0%Z) (of_user k).2 s) :
  unlike_sum (fun s : 'I_3 => of_Z R (nth 0%Z unlike_2_omega s) / of_Z R 6) (fun k s => of_Z R (at_report k s).2 / of_Z R 6)
    (fun k s => of_Z R (at_report k s).1 / of_Z R 2) [set k | (of_user k).1] = (of_Z R 23 / of_Z R 72).
Proof. exact: (unlike_is_sound R (erefl : size unlike_2_users = 3%N) unlike_2_computed). Qed.

Theorem named_2_unary (R : realFieldType) (x : 'I_2) (s : {ffun 'I_2 -> bool}) :
  x = 0%N :> nat -> (forall j : 'I_2, s j = nth false [:: false; true] j) ->
  unary_mass (5%:R / 8%:R) ((5%:R / 8%:R) : R) x s = (15%:R / 64%:R).
Proof.
move=> x_is s_is; rewrite /unary_mass !big_ord_recl big_ord0 !s_is -!val_eqE /= x_is /= /bernoulli_mass.
by field; rewrite ?pnatr_eq0.
Qed.

Theorem named_2_k_rr (R : realFieldType) (T_ge1 : 1 <= (5%:R / 1%:R) :> R) (k_ge2 : (1 < #|'I_2|)%N) (x y : 'I_2) :
  x = 0%N :> nat -> y = 0%N :> nat -> k_rr T_ge1 k_ge2 x y = (5%:R / 6%:R).
Proof.
move=> x_is y_is; rewrite /= /k_rr_mass -val_eqE /= x_is y_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.

Theorem named_2_hash (R : realFieldType) (T_ge1 : 1 <= (5%:R / 1%:R) :> R) (k_ge2 : (1 < #|'I_2|)%N)
    (chosen : dist R [finType of {ffun 'I_2 -> 'I_2}]) (x : 'I_2) (h : {ffun 'I_2 -> 'I_2}) (y : 'I_2) :
  chosen h = (1%:R / 4%:R) -> x = 0%N :> nat ->
  (forall j : 'I_2, h j = nth 0%N [:: 1; 1]%N j :> nat) -> y = 0%N :> nat ->
  hashed T_ge1 k_ge2 chosen (fun h x => h x) x (h, y) = (1%:R / 24%:R).
Proof.
move=> chosen_is x_is h_is y_is; rewrite /= /hashed_mass /= chosen_is /k_rr_mass -val_eqE /= h_is y_is x_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.
