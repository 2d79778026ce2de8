(* The privacy of many shuffled users, by a window: delta is rounded up.
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

(* n = 1000, epsilon0 = ln 3, epsilon = ln 6/5; delta is about 7.11745e-06. *)
Lemma shuffled_1000_users_computed : (window_delta_le 1000 3 1 1 3 6 5 711744541307 100000000000000000 188 303 25 86 52 64)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_1000_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 6 / of_Z R 5 <= E -> ldp T randomizers ->
  private E (of_Z R 711744541307 / of_Z R 100000000000000000) (fun w : (Z.to_nat 1000).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_by_window T_le E_ge local_privacy shuffled_1000_users_computed). Qed.

(* n = 10000, epsilon0 = ln 3, epsilon = ln 11/10; delta is about 5.96902e-11. *)
Lemma shuffled_10000_users_ln_3_computed : (window_delta_le 10000 3 1 1 3 11 10 149225420551 2500000000000000000000 2809 1063 1078 460 193 64)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_10000_users_ln_3 (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 11 / of_Z R 10 <= E -> ldp T randomizers ->
  private E (of_Z R 149225420551 / of_Z R 2500000000000000000000) (fun w : (Z.to_nat 10000).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_by_window T_le E_ge local_privacy shuffled_10000_users_ln_3_computed). Qed.
