(* Lemma C: clones with what is left.  Nobody is at any level; all others' residuals share (max(R_0, R_1) / T - eta omega) / (1 - eta), omega = (T R_0 - R_1) / (T - 1),
   linear where R_0 >= R_1 and where R_0 <= R_1, so that the loss is spread to the rays R_0 / R_1 = T, 1, 1/T; the ends of the total variation are two laws.

     clones_left_step    one step, for every convex function;
     clones_left_bound   F(eta) = V_n(0) / n of these two laws, n steps;
     arrival_clones      Theorem A with Lemma B and Lemma C for every adaptive sequence of T-LDP randomizers. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition SharedPart SharedProcess AnotherPlace ConvexOrder
  ControlledSum FiveCorners Blocks AdaptivePlace FirstArrival Perspective ArrivalAll.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section OneStep.
Variables (R : realFieldType) (T E eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_ge0 : 0 <= eta) (eta_small : eta * (T + 1) < 1).

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let T1 : 0 < T - 1. Proof. by rewrite subr_gt0. Qed.
Let p1 : 0 < T + 1. Proof. by rewrite addr_gt0 ?ltr01. Qed.
Let eta1 : 0 < 1 - eta. Proof. by rewrite subr_gt0 (level_lt1 T_gt1 eta_ge0). Qed.

Definition w_a : R := (1 - eta * (T + 1)) / (1 - eta).
Definition w_b : R := (1 - eta)^-1.
Definition w_d : R := (1 - eta * T) / (1 - eta).

Definition clone_laws : seq (loss R) :=
  [:: [:: ((T - E) / w_a, w_a / (T + 1)); ((1 - T * E) / w_b, w_b / (T + 1)); (0, 1 - (w_a + w_b) / (T + 1))];
      [:: (T * (1 - E) / w_d, w_d / T); (0, 1 - w_d / T)]].

Lemma w_a_gt0 : 0 < w_a. Proof. by rewrite divr_gt0 // subr_gt0. Qed.
Lemma w_b_gt0 : 0 < w_b. Proof. by rewrite invr_gt0. Qed.
Lemma w_d_gt0 : 0 < w_d.
Proof.
rewrite divr_gt0 // subr_gt0; apply: le_lt_trans eta_small.
by rewrite ler_wpmul2l // ler_addl ler01.
Qed.

Lemma rest_1 : 0 <= 1 - (w_a + w_b) / (T + 1).
Proof.
have -> : 1 - (w_a + w_b) / (T + 1) = (T - 1) / (T + 1) / (1 - eta).
  by rewrite /w_a /w_b; field; rewrite !gt_eqF.
by rewrite !divr_ge0 ?ltW.
Qed.

Lemma rest_2 : 0 <= 1 - w_d / T.
Proof.
have -> : 1 - w_d / T = (T - 1) / T / (1 - eta) by rewrite /w_d; field; rewrite !gt_eqF.
by rewrite !divr_ge0 ?ltW.
Qed.

Lemma measures_clone_laws : measures clone_laws.
Proof.
have [a0 b0 d0] := And3 w_a_gt0 w_b_gt0 w_d_gt0.
have q1 : 0 <= w_a / (T + 1) by rewrite divr_ge0 ?ltW.
have q2 : 0 <= w_b / (T + 1) by rewrite divr_ge0 ?ltW.
have q3 : 0 <= w_d / T by rewrite divr_ge0 ?ltW.
have q4 := rest_1; have q5 := rest_2.
by move=> c; rewrite !inE => /orP[/eqP->|/eqP->] x; rewrite !inE; do ?[case/orP]; move=> /eqP -> /=.
Qed.

Variables (S : finType) (P Q : dist R S).
Hypotheses (PQ : forall s, P s <= T * Q s) (QP : forall s, Q s <= T * P s).

Definition alpha s : R := Num.max (P s - Q s) 0 / (T - 1).
Definition beta s : R := Num.max (Q s - P s) 0 / (T - 1).
Definition delta s : R := P s - T * alpha s - beta s.
Definition shared_left s : R := (Num.max (P s) (Q s) / T - eta * ((T * P s - Q s) / (T - 1))) / (1 - eta).
Definition shared_loss s : R := (P s - E * Q s) / shared_left s.

Lemma alpha_ge0 s : 0 <= alpha s. Proof. by rewrite divr_ge0 ?positive_part_ge0 ?ltW. Qed.
Lemma beta_ge0 s : 0 <= beta s. Proof. by rewrite divr_ge0 ?positive_part_ge0 ?ltW. Qed.

Lemma rays s : [/\ 0 <= delta s, Q s = alpha s + T * beta s + delta s & Num.max (P s) (Q s) = T * alpha s + T * beta s + delta s].
Proof.
have T1n : T - 1 != 0 by rewrite gt_eqF.
rewrite /delta /alpha /beta; have [le_PQ|/ltW le_QP] := leP (P s) (Q s).
  have -> : Num.max (P s - Q s) 0 = 0 by apply/max_idPr; rewrite subr_le0.
  have -> : Num.max (Q s - P s) 0 = Q s - P s by apply/max_idPl; rewrite subr_ge0.
  have d_is : P s - T * (0 / (T - 1)) - (Q s - P s) / (T - 1) = (T * P s - Q s) / (T - 1) by field.
  rewrite d_is; split; [by rewrite divr_ge0 ?subr_ge0 // ltW | by field | by field].
have -> : Num.max (Q s - P s) 0 = 0 by apply/max_idPr; rewrite subr_le0.
have -> : Num.max (P s - Q s) 0 = P s - Q s by apply/max_idPl; rewrite subr_ge0.
have d_is : P s - T * ((P s - Q s) / (T - 1)) - 0 / (T - 1) = (T * Q s - P s) / (T - 1) by field.
by rewrite d_is; split; [rewrite divr_ge0 ?subr_ge0 // ltW | field | field].
Qed.

Lemma P_rays s : P s = T * alpha s + beta s + delta s.
Proof. by rewrite /delta; ring. Qed.

Lemma shared_rays s : shared_left s = alpha s * w_a + beta s * w_b + delta s * (w_d / T).
Proof.
have [_ Q_is max_is] := rays s; rewrite /shared_left max_is Q_is P_rays /w_a /w_b /w_d.
by move: (alpha s) (beta s) (delta s) => a b d; field; rewrite !gt_eqF.
Qed.

Lemma shared_left_ge0 s : 0 <= shared_left s.
Proof.
have [d0 _ _] := rays s; rewrite shared_rays.
have [wa wb wd] := And3 (ltW w_a_gt0) (ltW w_b_gt0) (ltW w_d_gt0).
apply: addr_ge0; last by apply: mulr_ge0 => //; apply: divr_ge0 => //; apply: ltW.
by apply: addr_ge0; apply: mulr_ge0 => //; [apply: alpha_ge0 | apply: beta_ge0].
Qed.

(* Jensen on the rays. *)
Lemma on_rays f s : ControlledSum.convex f -> exists2 z, shared_left s * z = P s - E * Q s &
  shared_left s * f z <= alpha s * w_a * f ((T - E) / w_a) + beta s * w_b * f ((1 - T * E) / w_b) + delta s * (w_d / T) * f (T * (1 - E) / w_d).
Proof.
move=> convex_f; have [d0 Q_is _] := rays s; have [wa wb wd] := And3 w_a_gt0 w_b_gt0 w_d_gt0.
pose r := [:: ((T - E) / w_a, alpha s * w_a); ((1 - T * E) / w_b, beta s * w_b); (T * (1 - E) / w_d, delta s * (w_d / T))].
have [|z] := @jensen_seq R f r convex_f.
  by move=> x; rewrite !inE => /orP[/eqP->|/orP[/eqP->|/eqP->]]; apply: mulr_ge0;
    do ?[exact: alpha_ge0 | exact: beta_ge0 | exact: d0 | exact: ltW | apply: divr_ge0].
rewrite !big_cons !big_nil /= !addr0 !addrA -shared_rays => z_is z_le; exists z => //.
rewrite z_is Q_is P_rays; move: (alpha s) (beta s) (delta s) => a b d.
by field; rewrite !gt_eqF.
Qed.

Lemma shared_score s : shared_left s * shared_loss s = P s - E * Q s.
Proof.
have convex0 : ControlledSum.convex (fun=> 0 : R) by move=> p x y _; rewrite !mulr0 addr0.
have [z z_is _] := on_rays s convex0.
rewrite /shared_loss; have [m0|m0] := eqVneq (shared_left s) 0; last by rewrite mulrC divfK.
by rewrite -z_is m0 !mul0r.
Qed.

Let A : R := \sum_s alpha s.

Lemma sum_beta : \sum_s beta s = A.
Proof.
apply: (mulfI (lt0r_neq0 T1)); apply/eqP; rewrite -subr_eq0 -mulrBr; apply/eqP.
transitivity (\sum_s (Q s - P s)); last by rewrite sumrB !mass_sum1 subrr.
rewrite /A -sumrB mulr_sumr; apply: eq_bigr => s _; have [_ Q_is _] := rays s; rewrite Q_is P_rays; ring.
Qed.

Lemma sum_delta : \sum_s delta s = 1 - (T + 1) * A.
Proof. by rewrite !sumrB mass_sum1 -mulr_sumr sum_beta -/A; ring. Qed.

Lemma A_range : 0 <= (T + 1) * A <= 1.
Proof.
rewrite mulr_ge0 ?(ltW p1) //=; last by apply: sumr_ge0 => s _; apply: alpha_ge0.
by rewrite -subr_ge0 -sum_delta; apply: sumr_ge0 => s _; have [] := rays s.
Qed.

Lemma sum_rays x y z : \sum_s (alpha s * x + beta s * y + delta s * z) = A * x + A * y + (1 - (T + 1) * A) * z.
Proof.
have lin (F : S -> R) c : \sum_s F s * c = (\sum_s F s) * c by rewrite mulr_suml.
by rewrite !big_split /= (lin alpha) (lin beta) (lin delta) sum_beta sum_delta.
Qed.

Lemma sum_shared_left : \sum_s shared_left s = A * (w_a + w_b) + (1 - (T + 1) * A) * (w_d / T).
Proof.
under eq_bigr do rewrite shared_rays.
by rewrite sum_rays; ring.
Qed.

Lemma sum_shared_le1 : \sum_s shared_left s <= 1.
Proof.
have /andP[A0 A1] := A_range; rewrite -subr_ge0 sum_shared_left.
have -> : 1 - (A * (w_a + w_b) + (1 - (T + 1) * A) * (w_d / T)) =
    ((T + 1) * A) * (1 - (w_a + w_b) / (T + 1)) + (1 - (T + 1) * A) * (1 - w_d / T).
  by move: (w_a) (w_b) (w_d) => a b d; field; rewrite !gt_eqF.
by rewrite addr_ge0 // mulr_ge0 ?rest_1 ?rest_2 ?subr_ge0.
Qed.

Theorem clones_left_step f : ControlledSum.convex f ->
  \sum_s shared_left s * f (shared_loss s) + (1 - \sum_s shared_left s) * f 0 <= best clone_laws f.
Proof.
move=> convex_f; have /andP[A0 A1] := A_range.
set fa := f ((T - E) / w_a); set fb := f ((1 - T * E) / w_b); set fd := f (T * (1 - E) / w_d).
apply: (@le_trans _ _ (A * (w_a * fa + w_b * fb) + (1 - (T + 1) * A) * (w_d / T) * fd + (1 - \sum_s shared_left s) * f 0)).
  rewrite ler_add2r; apply: (@le_trans _ _ (\sum_s (alpha s * w_a * fa + beta s * w_b * fb + delta s * (w_d / T) * fd))).
    apply: ler_sum => s _; have [z z_is z_le] := on_rays s convex_f; apply: le_trans z_le.
    have [m0|m0] := eqVneq (shared_left s) 0; first by rewrite m0 !mul0r.
    by rewrite /shared_loss -z_is [shared_left s * z]mulrC mulfK.
  have lin s : alpha s * w_a * fa + beta s * w_b * fb + delta s * (w_d / T) * fd = alpha s * (w_a * fa) + beta s * (w_b * fb) + delta s * (w_d / T * fd) by ring.
  by under eq_bigr do rewrite lin; rewrite sum_rays le_eqVlt; apply/orP; left; apply/eqP; ring.
have in1 : nth [::] clone_laws 0 \in clone_laws by rewrite inE eqxx.
have in2 : nth [::] clone_laws 1 \in clone_laws by rewrite !inE eqxx orbT.
apply: (@le_trans _ _ (((T + 1) * A) * best clone_laws f + (1 - (T + 1) * A) * best clone_laws f)); last by rewrite -mulrDl addrC subrK mul1r.
apply: le_trans (ler_add (ler_wpmul2l A0 (best_ge f in1)) (ler_wpmul2l _ (best_ge f in2))); rewrite ?subr_ge0 //.
rewrite sum_shared_left /mean !big_cons !big_nil /= -/fa -/fb -/fd le_eqVlt; apply/orP; left; apply/eqP.
move: fa fb fd (f 0) (w_a) (w_b) (w_d) => fa fb fd f0 a b d; by field; rewrite !gt_eqF.
Qed.

End OneStep.

Section WhatIsLeft.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_ge0 : 0 <= eta) (eta_small : eta * (T + 1) < 1) (locally_private : ldp T randomizers).

(* F(eta): clones with what is left. *)
Theorem clones_left_bound n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (m : 'I_n.+1 -> seq S -> dist R S) :
    (forall k z s, k != i0 -> (1 - eta) * m k z s =
       randomizers z (tnth w k) s - eta * ((T * randomizers z (tnth w i0) s - randomizers z (tnth w' i0) s) / (T - 1))) ->
  nobody_in_pool_divergence randomizers w w' i0 E m <= V (clone_laws T E eta) n.+1 0 / n.+1%:R.
Proof.
move=> what_is_left; have T1 : 0 < T - 1 by rewrite subr_gt0.
have e1 : 0 < 1 - eta by rewrite subr_gt0 (level_lt1 T_gt1 eta_ge0 eta_small).
have C_ge0 := @measures_clone_laws R T E eta T_gt1 eta_ge0 eta_small.
set x0 := tnth w i0; set x1 := tnth w' i0.
pose shared z := shared_left T eta (randomizers z x0) (randomizers z x1).
pose L z := shared_loss T E eta (randomizers z x0) (randomizers z x1).
apply: (@shuffled_bounded R _ S _ n (outside_data i0 true) (outside_data i0 false) i0 E shared L (V (clone_laws T E eta))).
- by move=> j j0; rewrite !tnth_mktuple (negPf j0).
- by move=> z s; apply: shared_left_ge0.
- move=> z j s j0; rewrite tnth_mktuple (negPf j0) /= /shared /shared_left ler_pdivr_mulr // [X in _ <= X]mulrC what_is_left //.
  by rewrite ler_add2r ler_pdivr_mulr ?(lt_trans ltr01) // le_maxl ![_ * T]mulrC !locally_private.
- by move=> z s; rewrite !tnth_mktuple eqxx /=; apply: shared_score.
- by move=> t; rewrite /= lexx.
- by move=> k t; apply: V_ge0.
- move=> z k t; have [convex_V _ _] := test_shift t (V_test k C_ge0).
  have := clones_left_step E T_gt1 eta_ge0 eta_small (fun s => locally_private z x0 x1 s) (fun s => locally_private z x1 x0 s) convex_V.
  by rewrite addr0.
by move=> z; apply: sum_shared_le1.
Qed.

End WhatIsLeft.

Section ClonesLeft.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R).
Hypotheses (T_gt1 : 1 < T) (eta_0 : eta 0%N = 0) (eta_le : forall l, eta l <= eta l.+1) (eta_small : forall l, eta l * (T + 1) < 1).
Hypothesis locally_private : ldp T randomizers.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let T1 : 0 < T - 1. Proof. by rewrite subr_gt0. Qed.

Theorem arrival_clones n (w w' : n.+1.-tuple D) (levels : nat) : neighbours w w' ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r * (V (arrival_laws T E (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R)) +
  (1 - eta levels) ^+ n * (V (clone_laws T E (eta levels)) n.+1 0 / n.+1%:R).
Proof.
case=> i0 others; apply: le_trans (@arrival_up_to R D S randomizers T E eta T_gt1 eta_0 eta_le eta_small locally_private n w w' i0 others levels) _.
have eta1 : 0 < 1 - eta levels by rewrite subr_gt0 (levels_lt1 T_gt1 eta_0 eta_le eta_small).
rewrite ler_add2l ler_wpmul2l ?exprn_ge0 ?(ltW eta1) //; apply: clones_left_bound => // [|k z s _].
  exact: (levels_ge0 eta_0 eta_le).
by rewrite /= /left_mass /share_0 /share_1 mulrC divfK ?gt_eqF //; ring.
Qed.

Corollary arrival_clones_private n (delta : R) (levels : nat) :
    \sum_(l < levels) (1 - eta l) ^+ n *
      (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r * (V (arrival_laws T E (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R)) +
    (1 - eta levels) ^+ n * (V (clone_laws T E (eta levels)) n.+1 0 / n.+1%:R) <= delta ->
  private E delta (fun w : n.+1.-tuple D => shuffled randomizers w).
Proof. by move=> bound w w' near; apply/dp_iff_hockey; apply: le_trans bound; apply: arrival_clones. Qed.

End ClonesLeft.

Section Masses.
Variables (R : realFieldType) (T E o0 o1 o2 eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_lt1 : eta < 1) (o_sum1 : o0 + o1 + o2 = 1).

Lemma total_mass_perspective c : c \in perspective_laws T E o0 o1 o2 eta -> total_mass c = 1.
Proof.
have T0 : 0 < T := lt_trans ltr01 T_gt1.
have n0 : T != 0 by rewrite gt_eqF.
have n1 : T + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have n2 : T + 2%:R != 0 by rewrite gt_eqF // addr_gt0 ?ltr0n.
have n3 : 2%:R * T + 1 != 0 by rewrite gt_eqF // addr_gt0 ?mulr_gt0 ?ltr0n ?ltr01.
have n4 : 1 - eta != 0 by rewrite gt_eqF // subr_gt0.
have o_is : o0 = 1 - o1 - o2 by rewrite -o_sum1; ring.
case/mapP=> l l_in ->; rewrite /total_mass big_map; move: l_in; rewrite !inE => l_in.
by case/or4P: l_in => [/eqP->|/eqP->|/eqP->|/orP[/eqP->|/eqP->]]; rewrite !big_cons big_nil /left_density /density o_is /=; field;
  rewrite ?n0 ?n1 ?n2 ?n3 ?n4.
Qed.

End Masses.

Lemma pool_cut (R : realFieldType) (C : seq (loss R)) n (d : R) (r_max : nat) : measures C -> (forall c, c \in C -> total_mass c <= 1) ->
    0 <= d <= 1 -> (0 < r_max <= n)%N ->
  \sum_(1 <= r < n.+1) binomial_mass n d r * (V C (n.+1 - r) 0 / (n.+1 - r)%:R) <=
  \sum_(1 <= r < r_max) binomial_mass n d r * (V C (n.+1 - r) 0 / (n.+1 - r)%:R) + (\sum_(r_max <= r < n.+1) binomial_mass n d r) * V C 1 0.
Proof.
move=> C_ge0 C_le1 /andP[d0 d1] /andP[r0 rn]; rewrite (@big_cat_nat _ _ _ r_max) //=; last exact: ltnW.
rewrite ler_add2l mulr_suml big_nat [leRHS]big_nat; apply: ler_sum => r /andP[_ r_n].
have mass_ge0 : 0 <= binomial_mass n d r by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0 // subr_ge0.
rewrite ler_wpmul2l //.
by have := @V_mean_antitone _ _ C_ge0 C_le1 1 (n.+1 - r); rewrite divr1 subn_gt0 r_n => /(_ isT).
Qed.

(* Theorem A, Lemmas B and C, each level's pool told from r_max on. *)
Theorem arrival_clones_cut (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R)
    n (w w' : n.+1.-tuple D) (levels r_max : nat) :
    1 < T -> eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l * (T + 1) < 1) -> ldp T randomizers -> neighbours w w' -> (0 < r_max <= n)%N ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max) binomial_mass n (step_share eta l) r * (V (arrival_laws T E (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R) +
     (\sum_(r_max <= r < n.+1) binomial_mass n (step_share eta l) r) * V (arrival_laws T E (eta l.+1)) 1 0) +
  (1 - eta levels) ^+ n * (V (clone_laws T E (eta levels)) n.+1 0 / n.+1%:R).
Proof.
move=> T_gt1 eta_0 eta_le eta_small private_steps near rn.
have ge0 l : 0 <= eta l := levels_ge0 eta_0 eta_le l.
have lt1 l : eta l < 1 := levels_lt1 T_gt1 eta_0 eta_le eta_small l.
apply: le_trans (arrival_clones E T_gt1 eta_0 eta_le eta_small private_steps levels near) _.
rewrite ler_add2r; apply: ler_sum => l _; rewrite ler_wpmul2l ?exprn_ge0 ?subr_ge0 ?(ltW (lt1 l)) //.
apply: pool_cut => // [|c c_in|].
- by apply: measures_perspective_laws => //; apply: density_corners_gt0.
- by rewrite (total_mass_perspective T_gt1 (lt1 l.+1) (shares_sum1 T_gt1) c_in).
have gap : 0 < 1 - eta l by rewrite subr_gt0.
rewrite /step_share divr_ge0 ?subr_ge0 ?eta_le ?(ltW (lt1 l)) //= ler_pdivr_mulr // mul1r ler_add2r.
exact: ltW.
Qed.
