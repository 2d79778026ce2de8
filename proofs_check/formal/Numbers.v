(* From theorem to number: what the programs answer, said about people's privacy.

     private_by_window   where `window_delta_le` answers true for T <= t/u, p = u/t and e/f <= E, every adaptive sequence of T-LDP randomizers
                         on n shuffled users is (E, delta)-DP;
     private_exactly     the same with the clones pair's delta itself, from `exact_delta_is`;
     stronger_private_by_window, stronger_private_exactly
                         the same from stronger clones, where p = 2u/(t + u).

   T = e^epsilon0 and E = e^epsilon may be irrational: t/u is any rational above, e/f any rational below.  (FMT21, Theorem 3.2) *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ ring.
From Shuffleproof Require Import Definitions Divergence Shuffling HidingAmongTheClones StrongerClones Programs Integers ExactNumbers WindowNumbers.

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

Lemma window_ratio cu ct numerator denominator first_c steps first_a to_threshold above bits :
  window_delta_le users t u cu ct e f numerator denominator first_c steps first_a to_threshold above bits ->
  [/\ 1 <= inR t / inR u, (0 < u)%Z & 1 <= inR e / inR f].
Proof.
rewrite /window_delta_le; cbv zeta; do 18![case/andP] => _ _ _ _ _ _ /Z.ltb_lt u_gt0 /Z.ltb_lt ut _ _ /Z.ltb_lt f_gt0 /Z.leb_le fe.
by move=> *; split=> //; [apply: ratio_T_ge1 | apply: ratio_E_ge1].
Qed.

Lemma exact_ratio cu ct numerator denominator : exact_delta_is users t u cu ct e f numerator denominator ->
  [/\ 1 <= inR t / inR u, (0 < u)%Z & 0 <= inR e / inR f].
Proof.
rewrite /exact_delta_is /exact_valid => /andP[/andP[+ _] _]; do 7![case/andP]; move=> _ /Z.ltb_lt u_gt0 /Z.leb_le ut _ _ _ /Z.ltb_lt f_gt0 /Z.leb_le e_ge0.
by split=> //; rewrite ?divr_ge0 ?of_Z_ge0 ?ler_pdivl_mulr ?mul1r ?of_Z_le ?of_Z_gt0 //; apply: Z.lt_le_incl.
Qed.

Lemma private_by_rationals delta : 1 <= inR t / inR u ->
  hockey (inR e / inR f) (@clones_P R (Z.to_nat users) (inR t / inR u)) (@clones_Q R (Z.to_nat users) (inR t / inR u)) <= delta ->
  private E delta mechanism.
Proof.
move=> T_ge1 bound; apply: private_weaken E_ge (lexx delta) _; first by move=> w s; case: (shuffled_is_law randomizers w).
exact: (clones_private T_ge1 (ldp_weaken T_le local_privacy) bound).
Qed.

Theorem private_by_window numerator denominator first_c steps first_a to_threshold above bits :
  window_delta_le users t u u t e f numerator denominator first_c steps first_a to_threshold above bits ->
  private E (inR numerator / inR denominator) mechanism.
Proof.
move=> answer; apply: private_by_rationals; first by case: (window_ratio answer).
by have := window_delta_le_sound R answer; rewrite -[inR u / inR t]invf_div.
Qed.

Theorem private_exactly numerator denominator :
  exact_delta_is users t u u t e f numerator denominator ->
  private E (inR numerator / inR denominator) mechanism.
Proof.
move=> answer; apply: private_by_rationals; first by case: (exact_ratio answer).
by have := exact_delta_is_sound R answer; rewrite -[of_Z R u / of_Z R t]invf_div => ->.
Qed.

Lemma stronger_clone_rational : (0 < u)%Z -> 1 <= inR t / inR u -> inR (2 * u)%Z / inR (t + u)%Z = 2%:R / (inR t / inR u + 1).
Proof.
move=> u_gt0 T_ge1; have u0 : inR u != 0 by rewrite gt_eqF // of_Z_gt0.
have T1 : inR t / inR u + 1 != 0 by rewrite gt_eqF // ltr_paddl ?ltr01 // (le_trans ler01).
have -> : inR (t + u)%Z = (inR t / inR u + 1) * inR u by rewrite of_ZD mulrDl divfK // mul1r.
by rewrite of_ZM of_Z2; move: (_ + 1) T1 => x x0; field; rewrite x0 u0.
Qed.

Lemma stronger_private_by_rationals delta : 1 <= inR t / inR u -> 0 <= inR e / inR f ->
  hockey (inR e / inR f) (@stronger_clones_P R (Z.to_nat users) (inR t / inR u)) (@stronger_clones_Q R (Z.to_nat users) (inR t / inR u)) <= delta ->
  private E delta mechanism.
Proof.
move=> T_ge1 E0 bound; apply: private_weaken E_ge (lexx delta) _; first by move=> w s; case: (shuffled_is_law randomizers w).
exact: (stronger_clones_private T_ge1 (ldp_weaken T_le local_privacy) E0 bound).
Qed.

Theorem stronger_private_by_window numerator denominator first_c steps first_a to_threshold above bits :
  window_delta_le users t u (2 * u) (t + u) e f numerator denominator first_c steps first_a to_threshold above bits ->
  private E (inR numerator / inR denominator) mechanism.
Proof.
move=> answer; have [T_ge1 u_gt0 E_ge1] := window_ratio answer.
apply: stronger_private_by_rationals => //; first exact: le_trans E_ge1.
by have := window_delta_le_sound R answer; rewrite stronger_clone_rational.
Qed.

Theorem stronger_private_exactly numerator denominator :
  exact_delta_is users t u (2 * u) (t + u) e f numerator denominator ->
  private E (inR numerator / inR denominator) mechanism.
Proof.
move=> answer; have [T_ge1 u_gt0 E0] := exact_ratio answer.
apply: stronger_private_by_rationals => //.
by have := exact_delta_is_sound R answer; rewrite stronger_clone_rational // => ->.
Qed.

End Numbers.
