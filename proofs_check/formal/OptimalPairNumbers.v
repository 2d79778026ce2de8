(* The divergence of the optimal pair of (p, beta, q), computed by Coq's kernel on integers for small n: what PairDefinitions.v says is
   the same as what the executable specification computes. p = t/u (u = 0 for p = infinity), beta = b/c, q = g/h, E = e/f.

     pair_delta_exact       D_E(P || Q) = pair_numerator / pair_denominator;
     pair_delta_is_sound    where the program answers true, D_E(P || Q) is the given fraction. It takes 4^n steps: it is for n of a few users. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Composition PairDefinitions PairCounts CornerLaw PairProfile Programs Integers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Program.
Local Open Scope Z_scope.
Variables t u b c g h e f : Z.

(* The masses of another user's messages 0 and 1, d and none, times c (t - u) g; and the scores, times h t f. *)
Definition mass_side : Z := b * t * h.
Definition mass_center : Z := h * (c * (t - u) - (t + u) * b).
Definition mass_none : Z := (t - u) * (c * g - h * (c + b)).
Definition score_0 : Z := g * (t * f - u * e).
Definition score_1 : Z := g * (u * f - t * e).
Definition score_d : Z := g * t * (f - e).

Fixpoint pair_total (n : nat) (s : Z) : Z :=
  match n with
  | O => Z.max s 0
  | S n' => mass_side * (pair_total n' (s + score_0) + pair_total n' (s + score_1))
            + mass_center * pair_total n' (s + score_d) + mass_none * pair_total n' s
  end.

(* n is the number of all users *)
Definition pair_numerator (n : nat) : Z := pair_total n 0.
Definition pair_denominator (n : nat) : Z := Z.of_nat n * (h * t * f) * (c * (t - u) * g) ^ Z.of_nat n.

Definition pair_valid : bool := [&& 0 <=? u, u <? t, 0 <=? b, 0 <? c, 0 <? h, 0 <? g, 0 <? f, 0 <=? mass_center & 0 <=? mass_none].

Definition pair_delta_is (n : nat) (numerator denominator : Z) : bool :=
  [&& pair_valid, 0 <? denominator & pair_numerator n * denominator =? numerator * pair_denominator n].

End Program.

Section Soundness.
Variables (R : realFieldType) (t u b c g h e f : Z).
Hypothesis valid : pair_valid t u b c g h f.
Local Notation inR := (of_Z R).
Local Notation p_inv := (inR u / inR t).
Local Notation beta := (inR b / inR c).
Local Notation q := (inR g / inR h).
Local Notation E := (inR e / inR f).

Lemma positive : [/\ 0 < inR t, 0 < inR t - inR u, 0 < inR c, 0 < inR g & 0 < inR h /\ 0 < inR f].
Proof.
move: valid => /and5P[/Z.leb_le u0 /Z.ltb_lt ut _ /Z.ltb_lt c0 /and5P[/Z.ltb_lt h0 /Z.ltb_lt g0 /Z.ltb_lt f0 _ _]].
by rewrite -of_ZB; split; [ | | | | split]; apply: of_Z_gt0 => //; [apply: Z.le_lt_trans ut | apply/Z.lt_0_sub].
Qed.

Lemma valid_domain : pair_domain p_inv beta q.
Proof.
have [t0 ut0 c0 g0 [h0 f0]] := positive.
move: valid => /and5P[/Z.leb_le/(of_Z_ge0 R) u0 _ /Z.leb_le/(of_Z_ge0 R) b0 _ /and5P[_ _ _ /Z.leb_le/(of_Z_ge0 R) center /Z.leb_le/(of_Z_ge0 R)]].
rewrite !(of_ZM, of_ZB, of_ZD) => none; rewrite !(of_ZM, of_ZB, of_ZD) in center.
have none' : 0 <= inR c * inR g - inR h * (inR c + inR b) by rewrite -(pmulr_rge0 _ ut0).
have center' : 0 <= inR c * (inR t - inR u) - (inR t + inR u) * inR b by rewrite -(pmulr_rge0 _ h0).
have none'' : inR b / inR c <= q - 1.
  rewrite ler_pdivr_mulr // -(ler_pmul2l h0) -subr_ge0; apply: le_trans none' _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by field; rewrite gt_eqF.
have beta0 : 0 <= beta by rewrite divr_ge0 // ltW.
split=> //.
- by apply/andP; split; [rewrite divr_ge0 ?(ltW t0) | rewrite ltr_pdivr_mulr // mul1r -subr_gt0].
- by rewrite -subr_ge0; apply: le_trans none''.
rewrite -subr_ge0 -(pmulr_rge0 _ c0) -(pmulr_rge0 _ t0); apply: le_trans center' _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by field; rewrite ?gt_eqF.
Qed.

Lemma pair_total_scaled n s :
  inR (pair_total t u b c g h e f n s) =
  (inR c * (inR t - inR u) * inR g) ^+ n * (inR h * inR t * inR f)
  * stop_loss (another p_inv beta q) (score p_inv q E) n (inR s / (inR h * inR t * inR f)).
Proof.
have [t0 ut0 c0 g0 [h0 f0]] := positive.
have [t1 ut1 c1 g1] : [/\ inR t != 0, inR t - inR u != 0, inR c != 0 & inR g != 0] by split; rewrite gt_eqF.
have [h1 f1] : inR h != 0 /\ inR f != 0 by split; rewrite gt_eqF.
have scale0 : 0 < inR h * inR t * inR f by rewrite !mulr_gt0.
elim: n s => [|n IH] s.
  rewrite /= expr0 mul1r -positive_part_scale ?(ltW scale0) // mulrC divfK ?(gt_eqF scale0) // of_Z_max //.
have moved k : inR (s + k)%Z / (inR h * inR t * inR f) = inR s / (inR h * inR t * inR f) + inR k / (inR h * inR t * inR f).
  by rewrite of_ZD mulrDl.
rewrite /= !of_ZD !of_ZM of_ZD !IH sum_messages !moved.
have -> : score p_inv q E (inord 0) = inR (score_0 t u g e f) / (inR h * inR t * inR f).
  by rewrite /score inordK //= /score_0 !(of_ZM, of_ZB); field; rewrite ?t1 ?h1 ?f1.
have -> : score p_inv q E (inord 1) = inR (score_1 t u g e f) / (inR h * inR t * inR f).
  by rewrite /score inordK //= /score_1 !(of_ZM, of_ZB); field; rewrite ?t1 ?h1 ?f1.
have -> : score p_inv q E (inord 2) = inR (score_d t g e f) / (inR h * inR t * inR f).
  by rewrite /score inordK //= /score_d !(of_ZM, of_ZB); field; rewrite ?t1 ?h1 ?f1.
have -> : score p_inv q E (inord 3) = 0 by rewrite /score inordK.
rewrite addr0 /another !inordK //= /corner /mass_side /mass_center /mass_none !(of_ZM, of_ZB, of_ZD) exprS.
set G := stop_loss _ _ n; move: (G _) (G _) (G _) (G _) (_ ^+ n) => G0 G1 Gd Gn X.
by field; rewrite ?t1 ?ut1 ?c1 ?g1 ?h1.
Qed.

Theorem pair_delta_exact n :
  hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n) =
  inR (pair_numerator t u b c g h e f n.+1) / inR (pair_denominator t u c g h f n.+1).
Proof.
have [t0 ut0 c0 g0 [h0 f0]] := positive.
rewrite (pair_profile valid_domain) /pair_numerator /pair_denominator pair_total_scaled of_Z0 mul0r !of_ZM of_Z_pow !of_ZM of_ZB of_Z_nat.
have scale0 : inR h * inR t * inR f != 0 by rewrite gt_eqF // !mulr_gt0.
have mass0 : (inR c * (inR t - inR u) * inR g) ^+ n.+1 != 0 by rewrite expf_neq0 // gt_eqF // !mulr_gt0.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
move: (_ ^+ n.+1) mass0 (stop_loss _ _ _ _) (_ * inR f) scale0 (n.+1%:R) n0 => X X0 Y Z Z0 N N0.
by field; rewrite X0 Z0 N0.
Qed.

Theorem pair_delta_is_sound n numerator denominator : pair_delta_is t u b c g h e f n.+1 numerator denominator ->
  hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n) = inR numerator / inR denominator.
Proof.
move=> /and3P[_ /Z.ltb_lt/(of_Z_gt0 R) d0 /Z.eqb_spec]; rewrite pair_delta_exact => /(congr1 inR); rewrite [LHS]of_ZM [RHS]of_ZM => equal.
have [t0 ut0 c0 g0 [h0 f0]] := positive.
have D0 : inR (pair_denominator t u c g h f n.+1) != 0.
  by rewrite /pair_denominator !of_ZM of_Z_pow !of_ZM of_ZB of_Z_nat !mulf_neq0 ?expf_neq0 ?pnatr_eq0 ?mulf_neq0 // gt_eqF.
by apply/eqP; rewrite eqr_div ?(gt_eqF d0) // equal.
Qed.

End Soundness.

(* The published variation-ratio pair, which hides d, gives 1/720 and 25/4374 where the divergence is 361/11520 and 361/17496. *)
Example published_pair_is_another :
  ~~ pair_delta_is 4 1 1 2 4 1 37 10 3 1 720 && ~~ pair_delta_is 10 1 1 4 3 2 4 1 3 25 4374.
Proof. by vm_compute. Qed.
