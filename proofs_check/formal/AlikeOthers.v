(* Where all others hold the same value: V_n(0) / n is the exact worst case of all adaptive sequences of T-LDP randomizers.

     alike_sum       D_E = E(sum of the losses)_+/n exactly, R_0 - E R_1 = R_2 L at every step and history;
     alike_identity  the same for one randomizer, what R_0 and R_1 send where R_2 sends nothing included: it gives itself away;
     alike_others    D_E <= V_n(0) / n for the datasets x_0, x_2, ..., x_2 and x_1, x_2, ..., x_2, whatever the adaptive T-LDP sequence;
     alike_exact     and it is reached (Attained.corners_attained). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage AnotherPlace ConvexOrder ControlledSum FiveCorners
  AdaptivePlace AdaptiveAll Attained Perspective.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Identity.
Variables (R : realFieldType) (D : Type) (S : finType) (E : R).

Theorem alike_sum (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (x2 : D) (L : seq S -> S -> R) :
    (forall j, j != i0 -> tnth w j = x2) -> (forall j, j != i0 -> tnth w' j = x2) ->
    (forall z s, randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = randomizers z x2 s * L z s) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') =
  (\sum_(s : n.+1.-tuple S) sequential (fun z => randomizers z x2) s * Num.max (losses L (fun=> true) s) 0) / n.+1%:R.
Proof.
move=> same same' loss; have n1 : 0 <= n.+1%:R^-1 :> R by rewrite invr_ge0 ler0n.
rewrite mulr_suml; apply: eq_bigr => s _.
pose m (i : 'I_n.+1) := randomizers (take i s) x2 (tnth s i).
pose loss_at (i : 'I_n.+1) := L (take i s) (tnth s i).
pose M (k i : 'I_n.+1) := if k == i0 then m i * loss_at i else m i.
rewrite (@shuffled_difference R S n i0 E _ _ _ _ M) => [|j j0|i|k i k0].
- rewrite (same_others (i0 := i0) (m := m) (L := loss_at)) // -mulrA.
  have m0 : 0 <= \prod_i m i by apply: prodr_ge0 => i _; apply: mass_ge0.
  rewrite positive_part_scale // -[RHS]mulrA; congr (_ * _).
  by rewrite [in LHS]mulrC positive_part_scale // mulrC.
- by rewrite same // same'.
- by rewrite /M eqxx; symmetry; apply: loss.
by rewrite /M (negPf k0) same.
Qed.

(* Of terms of which one at most is not 0 the positive part is the sum of theirs. *)
Lemma one_term (I : finType) (x : R) (y : I -> R) : (forall i, y i != 0 -> x = 0 /\ forall j, j != i -> y j = 0) ->
  Num.max (x + \sum_i y i) 0 = Num.max x 0 + \sum_i Num.max (y i) 0.
Proof.
move=> alone; have [i yi|none] := pickP (fun i => y i != 0).
  have [-> others] := alone i yi; rewrite maxxx !add0r (bigD1 i) //= [X in _ + X]big1 // addr0.
  by rewrite [RHS](bigD1 i) //= big1 ?addr0 // => j ji; rewrite others // maxxx.
have all0 i : y i = 0 by apply/eqP/negbFE/none.
by rewrite !big1 ?addr0 // => i _; rewrite all0 ?maxxx.
Qed.

Theorem alike_identity (randomizer : D -> dist R S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (x2 : D) (L given : S -> R) :
    (forall j, j != i0 -> tnth w j = x2) -> (forall j, j != i0 -> tnth w' j = x2) ->
    (forall s, randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = randomizer x2 s * L s + given s) ->
    (forall s, randomizer x2 s * given s = 0) ->
  hockey E (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  (\sum_(s : n.+1.-tuple S) (\prod_i randomizer x2 (tnth s i)) * Num.max (\sum_i L (tnth s i)) 0) / n.+1%:R + \sum_s Num.max (given s) 0.
Proof.
move=> same same' loss apart; rewrite (eq_hockey E (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
have n0 : 0 < n.+1%:R :> R by rewrite ltr0n.
have n1 : 0 <= n.+1%:R^-1 :> R by rewrite invr_ge0 ltW.
pose rest (s : n.+1.-tuple S) i := given (tnth s i) * \prod_(j | j != i) randomizer x2 (tnth s j).
have total (i : 'I_n.+1) : \sum_s Num.max (rest s i) 0 = \sum_y Num.max (given y) 0.
  pose F k y := if k == i then Num.max (given y) 0 else randomizer x2 y.
  rewrite (eq_bigr (fun s : n.+1.-tuple S => \prod_k F k (tnth s k))) => [|s _]; last first.
    rewrite [RHS](bigD1 i) //= /F eqxx /rest [given _ * _]mulrC positive_part_scale; last by apply: prodr_ge0 => k _; apply: mass_ge0.
    by rewrite mulrC; congr (_ * _); apply: eq_bigr => k /negPf ->.
  rewrite sum_of_products (bigD1 i) //= (_ : \prod_(k | k != i) _ = 1) ?mulr1; first by rewrite /F eqxx.
  by apply: big1 => k ki; rewrite /F (negPf ki) mass_sum1.
have -> : \sum_s Num.max (given s) 0 = (\sum_(s : n.+1.-tuple S) \sum_i Num.max (rest s i) 0) / n.+1%:R.
  by rewrite exchange_big /= (eq_bigr _ (fun i _ => total i)) sumr_const card_ord -(mulr_natl (\sum_y _)) mulrAC mulfV ?mul1r // gt_eqF.
rewrite -mulrDl -big_split /= mulr_suml; apply: eq_bigr => s _.
pose m (i : 'I_n.+1) := randomizer x2 (tnth s i).
pose M (k i : 'I_n.+1) := if k == i0 then m i * L (tnth s i) + given (tnth s i) else m i.
have m0 : 0 <= \prod_i m i by apply: prodr_ge0 => i _; apply: mass_ge0.
rewrite (@shuffled_difference R S n i0 E _ _ _ _ M) => [|j j0|i|k i k0].
- rewrite (@one_special R n i0 m (fun i => m i * L (tnth s i) + given (tnth s i))) // mulrC positive_part_scale // mulrC; congr (_ / _).
  rewrite (eq_bigr (fun i => (\prod_j m j) * L (tnth s i) + rest s i)) => [|i _]; last first.
    by rewrite mulrDl [in RHS](bigD1 i) //= [in RHS]mulrAC.
  rewrite big_split /= -mulr_sumr one_term => [|i]; first by rewrite positive_part_scale.
  rewrite mulf_eq0 negb_or => /andP[given0 _].
  have mi : m i = 0 by have /eqP := apart (tnth s i); rewrite mulf_eq0 (negPf given0) orbF => /eqP.
  split=> [|j ji]; first by rewrite (bigD1 i) //= mi !mul0r.
  by rewrite /rest (bigD1 i) ?[i == j]eq_sym //= -/(m i) mi mul0r mulr0.
- by rewrite same // same'.
- by rewrite /M eqxx /m -loss.
by rewrite /M (negPf k0) same.
Qed.

End Identity.

Section AlikeOthers.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R).
Hypotheses (T_gt1 : 1 < T) (locally_private : ldp T randomizers).

Definition whole_loss (x0 x1 x : D) (z : seq S) (s : S) : R := (randomizers z x0 s - E * randomizers z x1 s) / randomizers z x s.

Lemma whole_loss_is x0 x1 x z s : randomizers z x0 s - E * randomizers z x1 s = randomizers z x s * whole_loss x0 x1 x z s.
Proof.
rewrite /whole_loss; have [x_0|x_neq0] := eqVneq (randomizers z x s) 0; last by rewrite [RHS]mulrC divfK.
by rewrite !(zero_all (locally_private z) _ x_0) mulr0 subrr mul0r.
Qed.

Lemma whole_under x0 x1 x z : under (corner_laws T E) (atoms (randomizers z x) (whole_loss x0 x1 x z)).
Proof.
move=> f [convex_f _ _]; pose ratio y s : R := if randomizers z x s == 0 then 1 else randomizers z y s / randomizers z x s.
have scaled y s : randomizers z x s * ratio y s = randomizers z y s := ratio_scaled (locally_private z) x y s.
have [s|||| s|p [p0 p1 mixture]] := @every_loss_mixture R T E T_gt1 S (randomizers z x) (ratio x0) (ratio x1).
- exact: mass_ge0.
- exact: mass_sum1.
- by rewrite -[RHS](mass_sum1 (randomizers z x0)); apply: eq_bigr => s _; apply: scaled.
- by rewrite -[RHS](mass_sum1 (randomizers z x1)); apply: eq_bigr => s _; apply: scaled.
- exact: (ratio_hexagon T_gt1 (locally_private z)).
rewrite /mean sum_atoms; apply: (@le_trans _ _ (\sum_i p i * mean f (nth [::] (corner_laws T E) i))).
  apply: le_trans (mixture f convex_f); rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _.
  have [x_0|x_neq0] := eqVneq (randomizers z x s) 0; first by rewrite x_0 !mul0r.
  congr (_ * f _); apply: (mulfI x_neq0); rewrite -whole_loss_is mulrBr mulrCA !scaled //.
rewrite -[leRHS]mul1r -p1 mulr_suml; apply: ler_sum => i _; rewrite ler_wpmul2l // best_ge //.
by apply: mem_nth.
Qed.

Theorem alike_others n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (x2 : D) :
    (forall j, j != i0 -> tnth w j = x2) -> (forall j, j != i0 -> tnth w' j = x2) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= V (corner_laws T E) n.+1 0 / n.+1%:R.
Proof.
move=> same same'; pose L := whole_loss (tnth w i0) (tnth w' i0) x2.
have bound := @controlled_sum R S _ (@measures_corner_laws R T E T_gt1) (fun z => randomizers z x2) L (fun=> true) n.+1 0
  (fun z x => mass_ge0 (randomizers z x2) x) (fun z _ => whole_under _ _ _ z) (fun z (no : ~~ true) => False_ind _ (Bool.diff_false_true no)).
rewrite (_ : \sum_(i < n.+1) true = n.+1)%N in bound; last by rewrite sum_nat_const card_ord muln1.
rewrite (alike_sum same same' (whole_loss_is _ _ _)) ler_wpmul2r ?invr_ge0 ?ler0n //; apply: le_trans bound.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite add0r.
Qed.

End AlikeOthers.

(* For datasets whose others are alike V_n(0) / n is the largest hockey divergence of an adaptive sequence of T-LDP randomizers: no smaller number will do. *)
Theorem alike_exact (R : realFieldType) (T E delta : R) n (i0 : 'I_n.+1) : 1 < T ->
  (forall (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (w w' : n.+1.-tuple D) (x2 : D), ldp T randomizers ->
     (forall j, j != i0 -> tnth w j = x2) -> (forall j, j != i0 -> tnth w' j = x2) ->
     hockey E (shuffled randomizers w) (shuffled randomizers w') <= delta) <->
  V (corner_laws T E) n.+1 0 / n.+1%:R <= delta.
Proof.
move=> T_gt1; split=> [all|bound D S randomizers w w' x2 private_steps same same'].
  have [private_steps _ <-] := corners_attained E T_gt1 i0.
  by apply: (all _ _ _ _ _ None private_steps) => j j0; rewrite tnth_mktuple (negPf j0).
exact: le_trans (alike_others _ T_gt1 private_steps same same') bound.
Qed.
