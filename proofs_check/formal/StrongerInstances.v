(* The privacy of shuffled users by stronger clones: up to 100 users with the pair's delta itself, else rounded up.
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

(* n = 2, epsilon0 = ln 4, epsilon = 0; delta is about 0.48, the stronger clones pair's delta itself. *)
Lemma stronger_2_users_computed : (exact_delta_is 2 4 1 (2 * 1) (4 + 1) 1 1 12 25)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem stronger_2_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 4 / of_Z R 1 -> of_Z R 1 / of_Z R 1 <= E -> ldp T randomizers ->
  private E (of_Z R 12 / of_Z R 25) (fun w : (Z.to_nat 2).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (stronger_private_exactly T_le E_ge local_privacy stronger_2_users_computed). Qed.

(* n = 10, epsilon0 = ln 3, epsilon = ln 3/2; delta is about 0.0574131, the stronger clones pair's delta itself. *)
Lemma stronger_10_users_computed : (exact_delta_is 10 3 1 (2 * 1) (3 + 1) 3 2 30101 524288)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem stronger_10_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 3 / of_Z R 2 <= E -> ldp T randomizers ->
  private E (of_Z R 30101 / of_Z R 524288) (fun w : (Z.to_nat 10).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (stronger_private_exactly T_le E_ge local_privacy stronger_10_users_computed). Qed.

(* n = 100, epsilon0 = ln 3, epsilon = ln 3/2; delta is about 0.000118162, the stronger clones pair's delta itself. *)
Lemma stronger_100_users_computed : (exact_delta_is 100 3 1 (2 * 1) (3 + 1) 3 2 47469664327304271251714894780400929901951477186932544551 401734511064747568885490523085290650630550748445698208825344)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem stronger_100_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 3 / of_Z R 2 <= E -> ldp T randomizers ->
  private E (of_Z R 47469664327304271251714894780400929901951477186932544551 / of_Z R 401734511064747568885490523085290650630550748445698208825344) (fun w : (Z.to_nat 100).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (stronger_private_exactly T_le E_ge local_privacy stronger_100_users_computed). Qed.

(* n = 1000, epsilon0 = ln 3, epsilon = ln 6/5; delta is about 2.59005e-07. *)
Lemma stronger_1000_users_computed : (window_delta_le 1000 3 1 (2 * 1) (3 + 1) 6 5 64751223367 250000000000000000 334 332 69 128 68 64)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem stronger_1000_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 6 / of_Z R 5 <= E -> ldp T randomizers ->
  private E (of_Z R 64751223367 / of_Z R 250000000000000000) (fun w : (Z.to_nat 1000).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (stronger_private_by_window T_le E_ge local_privacy stronger_1000_users_computed). Qed.

(* n = 10000, epsilon0 = ln 3, epsilon = ln 11/10; delta is about 1.72744e-14. *)
Lemma stronger_10000_users_ln_3_computed : (window_delta_le 10000 3 1 (2 * 1) (3 + 1) 11 10 172743848887 10000000000000000000000000 4401 1198 1752 658 239 64)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem stronger_10000_users_ln_3 (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 11 / of_Z R 10 <= E -> ldp T randomizers ->
  private E (of_Z R 172743848887 / of_Z R 10000000000000000000000000) (fun w : (Z.to_nat 10000).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (stronger_private_by_window T_le E_ge local_privacy stronger_10000_users_ln_3_computed). Qed.
