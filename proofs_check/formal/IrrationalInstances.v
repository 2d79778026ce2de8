(* The privacy of many shuffled users where e^epsilon0 and e^epsilon are irrational: by rationals on the safe side.
   Each says: if no randomizer's law on one input exceeds T times its law on another, then what n shuffled users send is
   (epsilon, delta)-DP with e^epsilon = E, for every adaptive sequence of such randomizers.  (FMT21, Theorem 3.2; stronger clones)
   Written by `proofs_check/formal/instance.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Programs Integers Numbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* n = 10000, epsilon0 = 1, epsilon = 0.1; delta is about 6.41616e-14. *)
Lemma shuffled_10000_users_computed : (window_delta_le 10000 3133965575612453543 1152921504606846976 1152921504606846976 3133965575612453543 637087658857753037 576460752303423488 320808009553 5000000000000000000000000 3113 1144 1186 539 202 64)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_10000_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3133965575612453543 / of_Z R 1152921504606846976 -> of_Z R 637087658857753037 / of_Z R 576460752303423488 <= E -> ldp T randomizers ->
  private E (of_Z R 320808009553 / of_Z R 5000000000000000000000000) (fun w : (Z.to_nat 10000).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_by_window T_le E_ge local_privacy shuffled_10000_users_computed). Qed.

(* n = 10000, epsilon0 = 1, epsilon = 0.1; delta is about 1.76357e-18. *)
Lemma stronger_10000_users_computed : (window_delta_le 10000 3133965575612453543 1152921504606846976 (2 * 1152921504606846976) (3133965575612453543 + 1152921504606846976) 637087658857753037 576460752303423488 4408924613 2500000000000000000000000000 4743 1268 1865 763 250 64)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem stronger_10000_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3133965575612453543 / of_Z R 1152921504606846976 -> of_Z R 637087658857753037 / of_Z R 576460752303423488 <= E -> ldp T randomizers ->
  private E (of_Z R 4408924613 / of_Z R 2500000000000000000000000000) (fun w : (Z.to_nat 10000).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (stronger_private_by_window T_le E_ge local_privacy stronger_10000_users_computed). Qed.
