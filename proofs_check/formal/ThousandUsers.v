(* A number of the default bound: every adaptive sequence of 1000 users' 1-DP randomizers is (0.134, 10^-6)-DP when shuffled.
   It says: if no randomizer's law on one input exceeds T times its law on another, then what n shuffled users send is
   (epsilon, delta)-DP with e^epsilon = E, for every adaptive sequence of such randomizers.  (BEYOND.first-arrival)
   Written by `proofs_check/formal/arrival.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Programs Integers GridLaws ControlledNumbers Exponential.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* n = 1000, epsilon0 = 1, epsilon = 0.134; delta is about 1e-06. *)
Lemma shuffled_1000_adaptive_computed : arrival_delta_le 999 3133965575612453543 1152921504606846976 1318242169981371521 1152921504606846976 3 500 1 1000000 2 10 33554432 1208925819614629174706176 5 118 149
  [:: [:: (4, 44); (3, 169); (2, 1); (0, 529); (-1, 62); (-2, 1); (-4, 176); (-5, 42)]; [:: (4, 55); (3, 216); (-1, 345); (-2, 408)]; [:: (2, 121); (1, 626); (-4, 224); (-5, 53)]]%Z
  [:: [:: (4, 55); (3, 216); (0, 476); (-4, 224); (-5, 53)]]%Z 1000.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem shuffled_1000_adaptive (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  is_exp 1 T -> is_exp (of_Z R 67 / of_Z R 500) E -> ldp T randomizers ->
  private E (of_Z R 1 / of_Z R 1000000) (fun w : 1000.-tuple D => shuffled randomizers w).
Proof.
move=> T_is E_is local_privacy.
have T_le : T <= of_Z R 3133965575612453543 / of_Z R 1152921504606846976 by apply: (@exp_at_most R 1 1 20 3133965575612453543 1152921504606846976 T (erefl true)); rewrite of_Z1 divr1; exact: T_is.
have E_ge : of_Z R 1318242169981371521 / of_Z R 1152921504606846976 <= E by exact: ((@exp_at_least R 67 500 11 1318242169981371521 1152921504606846976 E (erefl true)) E_is).
exact: (private_by_arrival shuffled_1000_adaptive_computed T_le E_ge local_privacy).
Qed.
