(* Every adaptive sequence of epsilon0-DP local randomizers, T = e^epsilon0: in another user's place with omega = R_0 of the step and its history,
   and the controlled sum of five laws, each thinned. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions OptimalPair StrongerClonesPair
  StrongerClones AnotherPlace ConvexOrder ControlledSum FiveCorners Blocks AdaptivePlace.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Thinned.
Variables (R : realFieldType).

(* With probability theta the loss over theta, else 0. *)
Definition thinned (theta : R) (a : loss R) : loss R := rcons [seq (x.1 / theta, theta * x.2) | x <- a] (0, 1 - theta).

Lemma measure_thinned theta a : 0 < theta <= 1 -> measure a -> measure (thinned theta a).
Proof.
move=> /andP[theta0 theta1] a0 x; rewrite mem_rcons inE => /orP[/eqP ->|/mapP[y y_in ->]] /=; first by rewrite subr_ge0.
by rewrite mulr_ge0 ?(ltW theta0) //; apply: a0.
Qed.

End Thinned.

Section WhatIsLeft.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) (T E eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_ge0 : 0 <= eta) (eta_lt : eta * T < 1).
Hypothesis local_privacy : forall x x' s, randomizer x s <= T * randomizer x' s.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let eta1 : 0 < 1 - eta.
Proof. by rewrite subr_gt0; apply: le_lt_trans eta_lt; rewrite -[X in X <= _]mulr1 ler_wpmul2l ?(ltW T_gt1). Qed.

Definition hidden_share : R := (1 - eta * T) / (1 - eta).

Let share0 : 0 < hidden_share. Proof. by rewrite divr_gt0 // subr_gt0. Qed.
Let share1 : hidden_share <= 1.
Proof. by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2 -[X in X <= _]mulr1 ler_wpmul2l ?(ltW T_gt1). Qed.

Definition rest_mass (x0 x : D) (s : S) : R := (randomizer x s - eta * randomizer x0 s) / (1 - eta).

Lemma rest_ge x0 x s : hidden_share * randomizer x s <= rest_mass x0 x s.
Proof.
rewrite /rest_mass /hidden_share mulrAC ler_wpmul2r ?invr_ge0 ?(ltW eta1) // mulrBl mul1r ler_add2l ler_opp2 -mulrA.
by rewrite ler_wpmul2l // local_privacy.
Qed.

Lemma rest_is_law x0 x : is_law (rest_mass x0 x).
Proof.
split=> [s|]; first by apply: le_trans (rest_ge x0 x s); rewrite mulr_ge0 ?(ltW share0) ?mass_ge0.
by rewrite -mulr_suml sumrB -mulr_sumr !mass_sum1 mulr1 divff // gt_eqF.
Qed.

Definition rest x0 x : dist R S := Dist (rest_is_law x0 x).

Lemma zero_everywhere x x' s : randomizer x s = 0 -> randomizer x' s = 0.
Proof. by move=> x_0; apply/eqP; rewrite eq_le mass_ge0 andbT -(mulr0 T) -x_0 local_privacy. Qed.

Definition loss_of x0 x1 x s : R := (randomizer x0 s - E * randomizer x1 s) / rest_mass x0 x s.

Lemma rest_neq0 x0 x s : randomizer x s != 0 -> rest_mass x0 x s != 0.
Proof.
move=> x_neq0; rewrite gt_eqF //; apply: lt_le_trans (rest_ge x0 x s).
by rewrite mulr_gt0 // lt_def x_neq0 mass_ge0.
Qed.

End WhatIsLeft.

Section Thinning.
Variables (R : realFieldType).

Lemma mean_thinned theta f (a : loss R) : mean f (thinned theta a) = theta * mean (fun x => f (x / theta)) a + (1 - theta) * f 0.
Proof.
rewrite /mean /thinned -cats1 big_cat big_seq1 /= big_map /=; congr (_ + _).
by rewrite mulr_sumr; apply: eq_bigr => x _ /=; rewrite mulrA.
Qed.

Lemma convex_scale (f : R -> R) theta : convex f -> convex (fun x => f (x / theta)).
Proof. by move=> convex_f p x y p01 /=; have := convex_f p (x / theta) (y / theta) p01; rewrite !mulrA -mulrDl. Qed.

Variables (T E : R).
Hypothesis T_gt1 : 1 < T.

Lemma measures_corner_laws : measures (corner_laws T E).
Proof.
have T0 : 0 <= T := ltW (lt_trans ltr01 T_gt1).
have p1 : 0 <= T + 1 by rewrite addr_ge0 ?ler01.
have p2 : 0 <= T + 2%:R by rewrite addr_ge0 ?ler0n.
have p3 : 0 <= 2%:R * T + 1 by rewrite addr_ge0 ?mulr_ge0 ?ler0n ?ler01.
by move=> c; rewrite !inE => c_in x; case/or4P: c_in => [/eqP->|/eqP->|/eqP->|/orP[/eqP->|/eqP->]]; rewrite !inE;
  do ?[case/orP]; move=> /eqP -> /=; rewrite ?invr_ge0 ?divr_ge0.
Qed.

(* The five laws, thinned. *)
Definition thinned_corners (theta : R) : seq (loss R) := [seq thinned theta c | c <- corner_laws T E].

Lemma measures_thinned_corners theta : 0 < theta <= 1 -> measures (thinned_corners theta).
Proof. by move=> theta01 c /mapP[b b_in ->]; apply: measure_thinned => //; apply: measures_corner_laws. Qed.

Lemma total_mass_thinned theta (a : loss R) : total_mass a = 1 -> total_mass (thinned theta a) = 1.
Proof.
move=> a1; rewrite /total_mass /thinned -cats1 big_cat big_seq1 /= big_map -mulr_sumr -/(total_mass a) a1.
by rewrite mulr1 addrC subrK.
Qed.

Lemma total_mass_corners c : c \in corner_laws T E -> total_mass c = 1.
Proof.
have T0 : 0 < T := lt_trans ltr01 T_gt1.
have p1 : T + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have p2 : T + 2%:R != 0 by rewrite gt_eqF // addr_gt0 ?ltr0n.
have p3 : 2%:R * T + 1 != 0 by rewrite gt_eqF // addr_gt0 ?mulr_gt0 ?ltr0n ?ltr01.
by rewrite !inE => c_in; case/or4P: c_in => [/eqP->|/eqP->|/eqP->|/orP[/eqP->|/eqP->]];
  rewrite /total_mass !big_cons big_nil /=; field.
Qed.

Lemma total_mass_thinned_corners theta c : c \in thinned_corners theta -> total_mass c = 1.
Proof. by case/mapP=> b b_in ->; apply: total_mass_thinned; apply: total_mass_corners. Qed.

End Thinning.

Section Below.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) (T E eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_ge0 : 0 <= eta) (eta_lt : eta * T < 1).
Hypothesis local_privacy : forall x x' s, randomizer x s <= T * randomizer x' s.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let eta1 : 0 < 1 - eta.
Proof. by rewrite subr_gt0; apply: le_lt_trans eta_lt; rewrite -[X in X <= _]mulr1 ler_wpmul2l ?(ltW T_gt1). Qed.

Local Notation theta := (hidden_share T eta).

Lemma share_range : 0 < theta <= 1.
Proof.
rewrite divr_gt0 ?subr_gt0 //= ?ler_pdivr_mulr // ?mul1r; last by rewrite -subr_gt0.
by rewrite ler_add2l ler_opp2 -[X in X <= _]mulr1 ler_wpmul2l ?(ltW T_gt1).
Qed.

Lemma loss_under x0 x1 x :
  under (thinned_corners T E theta) (atoms (rest T_gt1 eta_ge0 eta_lt local_privacy x0 x) (loss_of randomizer E eta x0 x1 x)).
Proof.
move=> f [convex_f _ f0]; have /andP[theta0 theta1] := share_range; have theta_neq0 : theta != 0 by rewrite gt_eqF.
pose u s := if randomizer x s == 0 then 1 else randomizer x0 s / randomizer x s.
pose v s := if randomizer x s == 0 then 1 else randomizer x1 s / randomizer x s.
have scaled y s : randomizer x s * (if randomizer x s == 0 then 1 else randomizer y s / randomizer x s) = randomizer y s.
  by case: eqP => [x_0|/eqP x_neq0]; [rewrite x_0 mul0r (zero_everywhere local_privacy y x_0) | rewrite mulrC divfK].
have [s|||| s|p [p0 p1 mixture]] := @every_loss_mixture R T E T_gt1 S (randomizer x) u v.
- exact: mass_ge0.
- exact: mass_sum1.
- by rewrite -[RHS](mass_sum1 (randomizer x0)); apply: eq_bigr => s _; apply: scaled.
- by rewrite -[RHS](mass_sum1 (randomizer x1)); apply: eq_bigr => s _; apply: scaled.
- rewrite /u /v; case: eqP => [_|/eqP x_neq0].
    by rewrite mulr1 invf_le1 // !(ltW T_gt1).
  have x_gt0 : 0 < randomizer x s by rewrite lt_def x_neq0 mass_ge0.
  rewrite !ler_pdivl_mulr // !ler_pdivr_mulr // !mulrA !divfK // !local_privacy.
  by rewrite !(mulrC T^-1) !ler_pdivr_mulr // ![_ * T]mulrC !local_privacy.
have total_rest : \sum_s rest_mass randomizer eta x0 x s = 1 := mass_sum1 (rest T_gt1 eta_ge0 eta_lt local_privacy x0 x).
have rest_share := rest_ge T_gt1 eta_ge0 eta_lt local_privacy x0 x.
set largest := best _ f; rewrite /mean sum_atoms /=.
apply: (@le_trans _ _ (\sum_s (theta * randomizer x s * f ((u s - E * v s) / theta) + (rest_mass randomizer eta x0 x s - theta * randomizer x s) * f 0))).
  apply: ler_sum => s _; have gap0 : 0 <= rest_mass randomizer eta x0 x s - theta * randomizer x s by rewrite subr_ge0.
  have := @perspective _ f convex_f (theta * randomizer x s) (rest_mass randomizer eta x0 x s - theta * randomizer x s) ((u s - E * v s) / theta) 0
    (loss_of randomizer E eta x0 x1 x s).
  rewrite addrCA subrr addr0 mulr0 addr0; apply=> //; first by rewrite mulr_ge0 ?mass_ge0 ?(ltW theta0).
  have -> : theta * randomizer x s * ((u s - E * v s) / theta) = randomizer x0 s - E * randomizer x1 s.
    have -> : randomizer x0 s - E * randomizer x1 s = randomizer x s * (u s - E * v s) by rewrite mulrBr mulrCA !scaled.
    by rewrite mulrC [theta * _]mulrC mulrACA mulVf // mulr1 mulrC.
  rewrite /loss_of; have [x_0|x_neq0] := eqVneq (randomizer x s) 0.
    by rewrite /rest_mass !(zero_everywhere local_privacy _ x_0) !(mulr0, subr0, mul0r).
  by rewrite mulrC divfK ?(rest_neq0 T_gt1 eta_ge0 eta_lt local_privacy).
rewrite big_split /= -mulr_suml sumrB total_rest -mulr_sumr mass_sum1 mulr1.
under eq_bigr do rewrite -mulrA; rewrite -mulr_sumr.
have bound := mixture _ (convex_scale theta convex_f).
apply: le_trans (ler_add (ler_wpmul2l (ltW theta0) bound) (lexx _)) _.
apply: (@le_trans _ _ (\sum_(i < 5) p i * mean f (thinned theta (nth [::] (corner_laws T E) i)))).
  under [leRHS]eq_bigr do rewrite mean_thinned mulrDr.
  rewrite big_split /= -mulr_suml p1 mul1r ler_add2r mulr_sumr le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => i _; rewrite mulrCA.
rewrite -[leRHS]mul1r -p1 mulr_suml; apply: ler_sum => i _; rewrite ler_wpmul2l // best_ge //.
by apply: map_f; apply: mem_nth.
Qed.

End Below.

Section AdaptiveAll.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_ge0 : 0 <= eta) (eta_lt : eta * T < 1).
Hypothesis locally_private : ldp T randomizers.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let eta1 : 0 < 1 - eta.
Proof. by rewrite subr_gt0; apply: le_lt_trans eta_lt; rewrite -[X in X <= _]mulr1 ler_wpmul2l ?(ltW T_gt1). Qed.
Let eta_range : 0 <= eta <= 1. Proof. by rewrite eta_ge0 -subr_ge0 ltW. Qed.

Local Notation theta := (hidden_share T eta).
Local Notation beta := (stronger_clones_variation T).

Definition left_by (x0 x : D) (z : seq S) : dist R S := rest T_gt1 eta_ge0 eta_lt (locally_private z) x0 x.

Lemma divergence_outside n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) : 0 <= E ->
  nobody_in_pool_divergence randomizers w w' i0 E (fun k => left_by (tnth w i0) (tnth w k)) <=
  hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n).
Proof.
move=> E0; have /andP[theta0 theta1] := share_range T_gt1 eta_ge0 eta_lt.
apply: (optimal_pair_dominates (i0 := i0)) => // [j j0||z].
- by rewrite !tnth_mktuple (negPf j0).
- have [h1 h2 h3 h4 h5] := stronger_clones_domain T_gt1.
  have TT : T <= T / theta by rewrite ler_pdivl_mulr // -[leRHS]mulr1 ler_wpmul2l ?(ltW T0).
  by split=> //; [apply: le_trans TT | apply: le_trans h5 _; rewrite ler_add2r].
have ratio x x' s : T^-1 * randomizers z x s <= randomizers z x' s by rewrite mulrC ler_pdivr_mulr // mulrC locally_private.
rewrite !tnth_mktuple eqxx; split=> [s|s||j s j0]; [exact: ratio | exact: ratio | exact: (ldp_variation _ _ _ T_gt1 locally_private) |].
rewrite tnth_mktuple (negPf j0) /=.
have below x : randomizers z x s <= T / theta * rest_mass (randomizers z) eta (tnth w i0) (tnth w j) s.
  apply: le_trans (locally_private z x (tnth w j) s) _; rewrite -mulrA ler_wpmul2l ?(ltW T0) // ler_pdivl_mull //.
  exact: (rest_ge T_gt1 eta_ge0 eta_lt (locally_private z)).
by split; apply: below.
Qed.

Theorem adaptive_for_all n (w w' : n.+1.-tuple D) : 0 <= E -> neighbours w w' ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n) +
  \sum_(1 <= r < n.+1) binomial_mass n eta r * (V (thinned_corners T E theta) (n.+1 - r) 0 / (n.+1 - r)%:R).
Proof.
move=> E0 [i0 others]; have theta01 := share_range T_gt1 eta_ge0 eta_lt.
have place := @adaptive_in_another_users_place R D S randomizers n w w' i0 E eta 0
  (fun z => randomizers z (tnth w i0)) (fun k => left_by (tnth w i0) (tnth w k))
  (fun k z => loss_of (randomizers z) E eta (tnth w i0) (tnth w' i0) (tnth w k)) (fun _ _ _ => 0)
  (thinned_corners T E theta) others eta_range.
apply: le_trans (place _ _ _ _ _ _) _ => [k z s _|k z s _||k z _|//|k z _|].
- by rewrite /= /rest_mass [X in _ + X]mulrC divfK ?gt_eqF // addrC subrK.
- rewrite addr0 /= /loss_of; have [x_0|x_neq0] := eqVneq (randomizers z (tnth w k) s) 0.
    by rewrite /rest_mass !(zero_everywhere (locally_private z) _ x_0) !(mulr0, subr0, mul0r).
  by rewrite [RHS]mulrC divfK ?(rest_neq0 T_gt1 eta_ge0 eta_lt (locally_private z)).
- exact: measures_thinned_corners.
- exact: loss_under.
- by rewrite big1 // => s _; rewrite maxxx.
apply: ler_add; first by rewrite ler_wpmul2l ?exprn_ge0 ?(ltW eta1) ?divergence_outside.
by apply: ler_sum => r _; rewrite addr0.
Qed.

(* With the sum over the pool's size cut at r_max. *)
Corollary adaptive_for_all_cut n (w w' : n.+1.-tuple D) (r_max : nat) : 0 <= E -> neighbours w w' -> (0 < r_max <= n)%N ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n) +
  \sum_(1 <= r < r_max) binomial_mass n eta r * (V (thinned_corners T E theta) (n.+1 - r) 0 / (n.+1 - r)%:R) +
  (\sum_(r_max <= r < n.+1) binomial_mass n eta r) * V (thinned_corners T E theta) 1 0.
Proof.
move=> E0 near /andP[r0 rn]; apply: le_trans (adaptive_for_all E0 near) _; rewrite -addrA ler_add2l (@big_cat_nat _ _ _ r_max) //=; last exact: ltnW.
rewrite ler_add2l mulr_suml big_nat [leRHS]big_nat; apply: ler_sum => r /andP[_ r_n].
have mass_ge0 : 0 <= binomial_mass n eta r by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0 // ltW.
rewrite ler_wpmul2l //.
have C_ge0 : measures (thinned_corners T E theta) := measures_thinned_corners T_gt1 (share_range T_gt1 eta_ge0 eta_lt).
have C_le1 c : c \in thinned_corners T E theta -> total_mass c <= 1 by move=> c_in; rewrite (total_mass_thinned_corners T_gt1 c_in).
by have := @V_mean_antitone _ _ C_ge0 C_le1 1 (n.+1 - r); rewrite divr1 subn_gt0 r_n => /(_ isT).
Qed.

(* For many users: blocks of g, B of them, where at least B g users are left outside every pool smaller than r_max. *)
Corollary adaptive_for_all_blocks n (w w' : n.+1.-tuple D) (r_max g B : nat) (Lambda : loss R) : 0 <= E -> neighbours w w' ->
    (0 < r_max <= n)%N -> (0 < B * g <= n.+1 - r_max)%N -> measure Lambda -> 1 <= total_mass Lambda ->
    (forall t, V (thinned_corners T E theta) g t <= positive Lambda t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n) +
  (\sum_(1 <= r < r_max) binomial_mass n eta r) * (positives (nseq B Lambda) 0 / (B * g)%:R) +
  (\sum_(r_max <= r < n.+1) binomial_mass n eta r) * V (thinned_corners T E theta) 1 0.
Proof.
move=> E0 near rn /andP[Bg0 Bgn] Lambda0 Lambda1 above; apply: le_trans (adaptive_for_all_cut E0 near rn) _.
rewrite ler_add2r ler_add2l mulr_suml big_nat [leRHS]big_nat; apply: ler_sum => r /andP[_ r_max_r].
have mass_ge0 : 0 <= binomial_mass n eta r by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0 // ltW.
have C_ge0 : measures (thinned_corners T E theta) := measures_thinned_corners T_gt1 (share_range T_gt1 eta_ge0 eta_lt).
have C_le1 c : c \in thinned_corners T E theta -> total_mass c <= 1 by move=> c_in; rewrite (total_mass_thinned_corners T_gt1 c_in).
rewrite ler_wpmul2l //; apply: (@le_trans _ _ (V (thinned_corners T E theta) (B * g) 0 / (B * g)%:R)).
  by apply: (V_mean_antitone C_ge0 C_le1); rewrite Bg0 (leq_trans Bgn) // leq_sub2l // ltnW.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // (blocks_bound C_ge0 C_le1).
Qed.

Corollary adaptive_for_all_private n (delta : R) : 0 <= E ->
    (1 - eta) ^+ n * hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n) +
    \sum_(1 <= r < n.+1) binomial_mass n eta r * (V (thinned_corners T E theta) (n.+1 - r) 0 / (n.+1 - r)%:R) <= delta ->
  private E delta (fun w : n.+1.-tuple D => shuffled randomizers w).
Proof. by move=> E0 bound w w' near; apply/dp_iff_hockey; apply: le_trans bound; apply: adaptive_for_all. Qed.

End AdaptiveAll.

(* One randomizer for all users: randomize, then shuffle. *)
Corollary messages_for_all (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) (T E eta : R) n (w w' : n.+1.-tuple D)
    (theta := hidden_share T eta) (beta := stronger_clones_variation T) :
    1 < T -> 0 <= eta -> eta * T < 1 -> (forall x x' s, randomizer x s <= T * randomizer x' s) -> 0 <= E -> neighbours w w' ->
  hockey E (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) <=
  (1 - eta) ^+ n * hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n) +
  \sum_(1 <= r < n.+1) binomial_mass n eta r * (V (thinned_corners T E theta) (n.+1 - r) 0 / (n.+1 - r)%:R).
Proof.
move=> T_gt1 eta_ge0 eta_lt local_privacy E0 near; rewrite (eq_hockey E (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
by apply: adaptive_for_all => // z.
Qed.
