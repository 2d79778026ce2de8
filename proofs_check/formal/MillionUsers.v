(* The privacy of a million shuffled users, by a window: delta is rounded up.
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

(* n = 1000000, epsilon0 = ln 3, epsilon = ln 101/100; delta is about 1.32051e-12. *)
Lemma shuffled_1000000_users_computed : (window_delta_le 1000000 3 1 1 3 101 100 132050636203 100000000000000000000000 327869 10944 160232 5334 2071 64)%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_1000000_users (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R 3 / of_Z R 1 -> of_Z R 101 / of_Z R 100 <= E -> ldp T randomizers ->
  private E (of_Z R 132050636203 / of_Z R 100000000000000000000000) (fun w : (Z.to_nat 1000000).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: (private_by_window T_le E_ge local_privacy shuffled_1000000_users_computed). Qed.
