(* A number of k-ary randomized response's privacy blanket.
   It says: k-ary randomized response with e^epsilon0 = T to any function of the data, which may depend on what was sent before, is
   (epsilon, delta)-DP with e^epsilon = E when n users' messages are shuffled.  (BEYOND.k-rr-blanket)
   Written by `proofs_check/formal/kary.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions ThreeParts Programs Integers SlidingNumbers KaryWindow.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* n = 10000, k = 10, epsilon0 = ln 3, epsilon = ln 21/20; delta is about 1.49912e-12. *)
Lemma k_rr_10000_users_computed : (kary_delta_le 10000 3 1 10 21 20 37478030943 25000000000000000000000 7635 40 1237940039285380274899124224 59
  [:: (3557191837648105, SlidingWindow 1342 667 527 256 32 59);
   (3074261397863134, SlidingWindow 1342 667 527 257 31 59);
   (2655442366651412, SlidingWindow 1342 667 527 257 31 59);
   (2292413791869677, SlidingWindow 1342 667 526 259 31 59);
   (1977945174143328, SlidingWindow 1342 667 526 259 31 59);
   (1705672705847195, SlidingWindow 1342 667 525 261 31 59);
   (1470083404499666, SlidingWindow 1342 667 525 261 31 59);
   (1266334812390886, SlidingWindow 1342 667 524 263 31 59);
   (1090231722047268, SlidingWindow 1342 667 524 263 31 59);
   (938101066366000, SlidingWindow 1342 667 523 265 31 59);
   (806758879115706, SlidingWindow 1342 667 523 265 31 59);
   (693427080090249, SlidingWindow 1342 667 523 266 30 59);
   (595689083544034, SlidingWindow 1342 667 523 266 30 59);
   (511444444594049, SlidingWindow 1342 667 522 268 30 59);
   (438874752775602, SlidingWindow 1342 667 522 268 30 59);
   (376393926511851, SlidingWindow 1342 667 521 270 30 59);
   (322632665157193, SlidingWindow 1342 667 521 270 30 59);
   (276397458853968, SlidingWindow 1342 667 520 272 30 59);
   (236658984769850, SlidingWindow 1342 667 520 272 30 59)])%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem k_rr_10000_users (R : realFieldType) (K : finType) (T E : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (F : seq K -> D -> K) :
  #|K| = 10%N -> T <= of_Z R 3 / of_Z R 1 -> of_Z R 21 / of_Z R 20 <= E ->
  private E (of_Z R 37478030943 / of_Z R 25000000000000000000000) (fun w : (Z.to_nat 10000).-tuple D => shuffled (k_rr_of T_ge1 k_ge2 F) w).
Proof. by move=> k_is T_le E_ge; apply: (private_by_kary_window _ _ _ k_rr_10000_users_computed _ T_le E_ge); rewrite k_is. Qed.
