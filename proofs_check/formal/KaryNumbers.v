(* The divergence of the blanket's pair of k-ary randomized response, computed by Coq's kernel on integers for a few users: what ThreeParts.v
   defines is the same as what the executable specification computes. T = t/u, E = e/f.

     blanket_delta_exact     D_E(P || Q) = blanket_total / blanket_denominator;
     blanket_delta_is_sound  where the program answers true, D_E(P || Q) is the given fraction. It takes 4^n steps. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Composition PairDefinitions PairCounts ThreeParts Programs Integers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Program.
Local Open Scope Z_scope.
Variables t u k e f : Z.

(* The masses of another user's messages, times t + (k - 1) u: u, u, (k - 2) u, t - u; and the scores, times u f. *)
Definition own_score : Z := t * f - u * e.
Definition other_score : Z := u * f - e * t.
Definition common_score : Z := u * (f - e).

Fixpoint blanket_total (n : nat) (s : Z) : Z :=
  match n with
  | O => Z.max s 0
  | S n' => u * (blanket_total n' (s + own_score) + blanket_total n' (s + other_score))
            + (k - 2) * u * blanket_total n' (s + common_score) + (t - u) * blanket_total n' s
  end.

Definition blanket_denominator (n : nat) : Z := Z.of_nat n * (u * f) * (t + (k - 1) * u) ^ Z.of_nat n.

Definition blanket_delta_is (n : nat) (numerator denominator : Z) : bool :=
  [&& 0 <? u, u <=? t, 2 <=? k, 0 <? f, 0 <? denominator & blanket_total n 0 * denominator =? numerator * blanket_denominator n].

End Program.

Section Soundness.
Variables (R : realFieldType) (K : finType) (t u e f : Z).
Hypotheses (u_gt0 : (0 < u)%Z) (ut : (u <= t)%Z) (f_gt0 : (0 < f)%Z) (k_ge2 : (1 < #|K|)%N).
Local Notation inR := (of_Z R).
Local Notation T := (inR t / inR u).
Local Notation E := (inR e / inR f).
Local Notation k := (Z.of_nat #|K|).
Local Notation den := (inR t + (#|K|%:R - 1) * inR u).

Let u0 : 0 < inR u. Proof. exact: of_Z_gt0. Qed.
Let f0 : 0 < inR f. Proof. exact: of_Z_gt0. Qed.
Let u_neq0 : inR u != 0. Proof. by rewrite gt_eqF. Qed.
Let f_neq0 : inR f != 0. Proof. by rewrite gt_eqF. Qed.
Let T_ge1 : 1 <= T. Proof. by rewrite ler_pdivl_mulr // mul1r of_Z_le. Qed.

Let den_gt0 : 0 < den.
Proof.
have t0 : 0 < inR t := of_Z_gt0 R (Z.lt_le_trans _ _ _ u_gt0 ut).
by rewrite ltr_spaddl // mulr_ge0 ?(ltW u0) // subr_ge0 ler1n ltnW.
Qed.
Let den_neq0 : den != 0. Proof. by rewrite gt_eqF. Qed.

Let r : R := (T + #|K|%:R - 1)^-1.
Let rE : r = inR u / den.
Proof.
have -> : den = (T + #|K|%:R - 1) * inR u by rewrite -addrA [RHS]mulrDl divfK.
by rewrite invfM mulrCA mulfV ?mulr1.
Qed.

Lemma blanket_total_scaled n s :
  inR (blanket_total t u k e f n s) =
  den ^+ n * (inR u * inR f) * stop_loss (k_rr_others K T) (k_rr_score T E) n (inR s / (inR u * inR f)).
Proof.
have scale0 : 0 < inR u * inR f by rewrite mulr_gt0.
elim: n s => [|n IH] s.
  rewrite /= expr0 mul1r -positive_part_scale ?(ltW scale0) // mulrC divfK ?(gt_eqF scale0) // of_Z_max //.
have moved j : inR (s + j)%Z / (inR u * inR f) = inR s / (inR u * inR f) + inR j / (inR u * inR f) by rewrite of_ZD mulrDl.
have k2 : inR (k - 2)%Z = (#|K| - 2)%N%:R by rewrite -of_Z_nat; congr (inR _); clear -k_ge2; lia.
have k2R : (#|K| - 2)%N%:R = #|K|%:R - 2%:R :> R by rewrite natrB.
rewrite [blanket_total _ _ _ _ _ _ _]/= !of_ZD !of_ZM of_ZD k2 of_ZB !IH [stop_loss _ _ n.+1 _]/= sum_messages !moved.
have -> : k_rr_score T E (inord 0) = inR (own_score t u e f) / (inR u * inR f).
  by rewrite /k_rr_score inordK //= /own_score of_ZB !of_ZM; field; rewrite u_neq0 f_neq0.
have -> : k_rr_score T E (inord 1) = inR (other_score t u e f) / (inR u * inR f).
  by rewrite /k_rr_score inordK //= /other_score of_ZB !of_ZM; field; rewrite u_neq0 f_neq0.
have -> : k_rr_score T E (inord 2) = inR (common_score u e f) / (inR u * inR f).
  by rewrite /k_rr_score inordK //= /common_score of_ZM of_ZB; field; rewrite u_neq0 f_neq0.
have -> : k_rr_score T E (inord 3) = 0 by rewrite /k_rr_score inordK.
rewrite addr0 /k_rr_others !inordK //= -/r rE exprS.
set G := stop_loss _ _ n; move: (G _) (G _) (G _) (G _) (den ^+ n) ((#|K| - 2)%N%:R) => G0 G1 Gd Gn X c.
by move: den den_neq0 => d d0; field; rewrite u_neq0 d0.
Qed.

Theorem blanket_delta_exact n :
  hockey E (pair_counts (k_rr_special_0 K T) (k_rr_others K T) n) (pair_counts (k_rr_special_1 K T) (k_rr_others K T) n) =
  inR (blanket_total t u k e f n.+1 0) / inR (blanket_denominator t u k f n.+1).
Proof.
rewrite (@counts_profile _ _ (k_rr_others_is_law T_ge1 k_ge2) n _ _ (k_rr_score T E) E); last first.
  by rewrite /k_rr_special_0 /k_rr_special_1 /k_rr_others /k_rr_score; case=> [] [|[|[|[]]]] //= _; ring.
have denE : inR (t + (k - 1) * u)%Z = den by rewrite of_ZD of_ZM of_ZB of_Z_nat.
rewrite blanket_total_scaled of_Z0 mul0r /blanket_denominator 2!of_ZM of_Z_pow denE of_Z_nat [inR (u * f)%Z]of_ZM.
have scale0 : inR u * inR f != 0 by rewrite mulf_neq0.
have mass0 : den ^+ n.+1 != 0 by rewrite expf_neq0.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
move: (_ ^+ n.+1) mass0 (stop_loss _ _ _ _) (inR u * inR f) scale0 (n.+1%:R) n0 => X X0 Y Z Z0 N N0.
by field; rewrite X0 Z0 N0.
Qed.

End Soundness.

Theorem blanket_delta_is_sound (R : realFieldType) (K : finType) (t u e f : Z) n numerator denominator
    (T := of_Z R t / of_Z R u) (E := of_Z R e / of_Z R f) :
  blanket_delta_is t u (Z.of_nat #|K|) e f n.+1 numerator denominator ->
  hockey E (pair_counts (k_rr_special_0 K T) (k_rr_others K T) n) (pair_counts (k_rr_special_1 K T) (k_rr_others K T) n) =
  of_Z R numerator / of_Z R denominator.
Proof.
move=> /and5P[/Z.ltb_lt u_gt0 /Z.leb_le ut /Z.leb_le k2 /Z.ltb_lt f_gt0 /andP[/Z.ltb_lt/(of_Z_gt0 R) d0 /Z.eqb_spec]].
have k_ge2 : (1 < #|K|)%N by clear -k2; lia.
move=> /(congr1 (of_Z R)); rewrite [LHS]of_ZM [RHS]of_ZM /E /T (blanket_delta_exact _ e u_gt0 ut f_gt0 k_ge2) => equal.
have D0 : of_Z R (blanket_denominator t u (Z.of_nat #|K|) f n.+1) != 0.
  rewrite gt_eqF // of_Z_gt0 // /blanket_denominator; apply: Z.mul_pos_pos.
    by apply: Z.mul_pos_pos; [apply: Z_succ_gt0 | apply: Z.mul_pos_pos].
  by apply: Z.pow_pos_nonneg => //; clear -k2 u_gt0 ut; nia.
by apply/eqP; rewrite eqr_div ?(gt_eqF d0) // equal.
Qed.
