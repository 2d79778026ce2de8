(* From theorem to number: what the programs answer, said about people's privacy.

     private_by_window   where `window_delta_le` answers true for T <= t/u and e/f <= E, every adaptive sequence of T-LDP randomizers on n
                         shuffled users is (E, delta)-DP;
     private_exactly     the same with the clones pair's delta itself, from `exact_delta_is`.

   T = e^epsilon0 and E = e^epsilon may be irrational: t/u is any rational above, e/f any rational below.  (FMT21, Theorem 3.2) *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ.
From Shuffleproof Require Import Definitions Divergence Shuffling HidingAmongTheClones Programs Integers ExactNumbers WindowNumbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* An irrational T = e^epsilon0 is covered by every rational above it. *)
Lemma ldp_weaken (R : realFieldType) (D : Type) (S : finType) (T T' : R) (randomizers : adaptive_randomizers R D S) :
  T <= T' -> ldp T randomizers -> ldp T' randomizers.
Proof.
by move=> TT' h z x x' s; rewrite (le_trans (h z x x' s)) // ler_wpmul2r // mass_ge0.
Qed.

Section Numbers.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (users t u e f : Z).
Local Notation inR := (of_Z R).
Hypotheses (T_le : T <= inR t / inR u) (E_ge : inR e / inR f <= E) (local_privacy : ldp T randomizers).
Local Notation mechanism := (fun w : (Z.to_nat users).-tuple D => shuffled randomizers w).

Lemma private_by_rationals delta : 1 <= inR t / inR u ->
  hockey (inR e / inR f) (@clones_P R (Z.to_nat users) (inR t / inR u)) (@clones_Q R (Z.to_nat users) (inR t / inR u)) <= delta ->
  private E delta mechanism.
Proof.
move=> T_ge1 bound; apply: private_weaken E_ge (lexx delta) _; first by move=> w s; case: (shuffled_is_law randomizers w).
exact: (clones_private T_ge1 (ldp_weaken T_le local_privacy) bound).
Qed.

Theorem private_by_window numerator denominator first_c steps first_a to_threshold above bits :
  window_delta_le users t u e f numerator denominator first_c steps first_a to_threshold above bits ->
  private E (inR numerator / inR denominator) mechanism.
Proof.
move=> answer; apply: private_by_rationals; last exact: window_delta_le_sound answer.
move: answer; rewrite /window_delta_le; cbv zeta; do 16![case/andP]; move=> _ _ _ _ _ _ /Z.ltb_lt u_gt0 /Z.ltb_lt ut.
by move=> *; apply: ratio_T_ge1.
Qed.

Theorem private_exactly numerator denominator :
  exact_delta_is users t u e f numerator denominator ->
  private E (inR numerator / inR denominator) mechanism.
Proof.
move=> answer; apply: private_by_rationals; last by rewrite (exact_delta_is_sound R answer).
move: answer; rewrite /exact_delta_is /exact_valid => /andP[/andP[/andP[/andP[/andP[_ /Z.ltb_lt u_gt0] /Z.leb_le ut] _] _] _].
by rewrite ler_pdivl_mulr ?mul1r ?of_Z_le // of_Z_gt0.
Qed.

End Numbers.
