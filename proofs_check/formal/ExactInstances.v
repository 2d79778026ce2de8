(* The privacy of few shuffled users, with the clones pair's delta itself.
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

(* n = 1, epsilon0 = ln 4, epsilon = ln 2; delta is about 0.4, the clones pair's delta itself. *)
Lemma shuffled_1_user_computed : (exact_delta_is 1 4 1 1 4 2 1 2 5)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_1_user (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 4 / of_Z R 1 -> of_Z R 2 / of_Z R 1 <= E -> ldp T randomizers ->
  private E (of_Z R 2 / of_Z R 5) (fun w : (Z.to_nat 1).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_exactly T_le E_ge local_privacy shuffled_1_user_computed). Qed.

(* n = 2, epsilon0 = ln 4, epsilon = 0; delta is about 0.525, the clones pair's delta itself. *)
Lemma shuffled_2_users_computed : (exact_delta_is 2 4 1 1 4 1 1 21 40)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_2_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 4 / of_Z R 1 -> of_Z R 1 / of_Z R 1 <= E -> ldp T randomizers ->
  private E (of_Z R 21 / of_Z R 40) (fun w : (Z.to_nat 2).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_exactly T_le E_ge local_privacy shuffled_2_users_computed). Qed.

(* n = 10, epsilon0 = ln 3, epsilon = ln 3/2; delta is about 0.0935698, the clones pair's delta itself. *)
Lemma shuffled_10_users_computed : (exact_delta_is 10 3 1 1 3 3 2 1885937 20155392)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_10_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 3 / of_Z R 2 <= E -> ldp T randomizers ->
  private E (of_Z R 1885937 / of_Z R 20155392) (fun w : (Z.to_nat 10).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_exactly T_le E_ge local_privacy shuffled_10_users_computed). Qed.

(* n = 100, epsilon0 = ln 3, epsilon = ln 3/2; delta is about 0.000769805, the clones pair's delta itself. *)
Lemma shuffled_100_users_computed : (exact_delta_is 100 3 1 1 3 3 2 27940451979491807022142577490737599927593100029470804294310324305644815161 36295479083337272560927237064336545585396872804053048419059553687194285637632)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_100_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 3 / of_Z R 2 <= E -> ldp T randomizers ->
  private E (of_Z R 27940451979491807022142577490737599927593100029470804294310324305644815161 / of_Z R 36295479083337272560927237064336545585396872804053048419059553687194285637632) (fun w : (Z.to_nat 100).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_exactly T_le E_ge local_privacy shuffled_100_users_computed). Qed.
