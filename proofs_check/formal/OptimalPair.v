(* The optimal dominating pair of (p, beta, q) in PairDefinitions.v: for every n >= 1 and every adaptive sequence of randomizers with
   R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta, R_0 <= q R_j and R_1 <= q R_j,

     optimal_pair_dominates   D_E(shuffled(w) || shuffled(w')) <= D_E(P || Q), which is D_E(Q || P), for every E >= 0, be it above p or below 1.

   That no smaller pair depends on n, p, beta and q only is optimal_pair_attained, in OptimalPairAttained.v. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition
  PairDefinitions PairCounts CornerLaw SharedPart SharedProcess PairProfile.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section OptimalPair.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S).
Implicit Types (p_inv beta q E : R).

Lemma total_variation_sym (P Q : dist R S) : hockey 1 P Q = hockey 1 Q P.
Proof. by rewrite (hockey_below_one (mass_is_law P) (mass_is_law Q) ltr01) subrr add0r invr1 mul1r. Qed.

Section Domination.
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1).
Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.

Lemma variation_ratio_sym p_inv beta q : variation_ratio randomizers p_inv beta q w w' i0 -> variation_ratio randomizers p_inv beta q w' w i0.
Proof.
move=> h z; have [h1 h2 h3 h4] := h z; split=> //; first by rewrite total_variation_sym.
by move=> j s ji; rewrite -(others_equal ji); have [] := h4 j s ji.
Qed.

Variables (p_inv beta q : R).
Hypothesis domain : pair_domain p_inv beta q.

Lemma dominated_between E : variation_ratio randomizers p_inv beta q w w' i0 -> 1 <= E -> p_inv * E <= 1 ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n).
Proof.
move=> h E1 Ep; rewrite pair_profile //; have q0 := q_gt0 domain.
have law z x : is_law (randomizers z x) := mass_is_law _.
pose R_0 z := mass (randomizers z (tnth w i0)); pose R_1 z := mass (randomizers z (tnth w' i0)).
apply: (@shuffled_bounded _ _ _ randomizers n w w' i0 E (fun z => shared q (R_0 z) (R_1 z)) (fun z => likelihood q E (R_0 z) (R_1 z))
  (stop_loss (another p_inv beta q) (score p_inv q E))) => //.
- by move=> z s; apply: (shared_ge0 domain) => //; apply: law.
- move=> z j s ji; have [_ _ _ /(_ j s ji)[h0 h1]] := h z.
  by rewrite ler_pdivr_mulr // le_maxl mulrC h0.
- by move=> z s; apply: (shared_likelihood domain) => //; apply: law.
- by move=> k t; apply: (stop_loss_ge0 (another_is_law domain)).
- move=> z k t; have [h0 h1 h2 _] := h z.
  by apply: (corner_law_largest domain) => //; [apply: law | apply: law | apply: convex_stop_loss (another_is_law domain) _ _].
move=> z; have [_ _ h2 _] := h z.
rewrite (sum_shared _ _ (law z (tnth w' i0))) ler_pdivr_mulr // mul1r.
rewrite -ler_subr_addl; apply: le_trans h2 _; by case: domain.
Qed.

(* Where E > p neither side is positive. *)
Lemma shuffled_ratio s : variation_ratio randomizers p_inv beta q w w' i0 -> p_inv * shuffled randomizers w s <= shuffled randomizers w' s.
Proof.
move=> h; rewrite /shuffled mulrCA ler_wpmul2l ?factorial_inv_ge0 // mulr_sumr; apply: ler_sum => sigma _.
set j := (sigma^-1)%g i0; have sigma_j : sigma j = i0 by rewrite permKV.
rewrite /transcript (bigD1 j) //= [leRHS](bigD1 j) //= !tnth_mktuple sigma_j mulrA.
rewrite (eq_bigr (fun i : 'I_n.+1 => randomizers (take i s) (tnth (permuted w' sigma) i) (tnth s i))) => [|i ij].
  by rewrite ler_wpmul2r //; [apply: prodr_ge0 => i _; apply: mass_ge0 | have [] := h (take j s)].
rewrite !tnth_mktuple others_equal //; apply: contraNneq ij => sigma_i; by rewrite /j -sigma_i permK.
Qed.

Lemma dominated_from_one E : variation_ratio randomizers p_inv beta q w w' i0 -> 1 <= E ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n).
Proof.
move=> h E1; have [Ep|pE] := leP (p_inv * E) 1; first exact: dominated_between.
rewrite [leLHS]big1 ?hockey_ge0 // => s _; apply/max_idPr; rewrite subr_le0.
have E0 : 0 <= E := le_trans ler01 E1.
apply: le_trans (ler_wpmul2l E0 (shuffled_ratio s h)); rewrite mulrA [E * _]mulrC -[X in X <= _]mul1r ler_wpmul2r ?(ltW pE) //.
by case: (shuffled_is_law randomizers w).
Qed.

End Domination.

Theorem optimal_pair_dominates n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) p_inv beta q E :
    (forall j, j != i0 -> tnth w j = tnth w' j) -> pair_domain p_inv beta q -> variation_ratio randomizers p_inv beta q w w' i0 -> 0 <= E ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n).
Proof.
move=> others_equal domain h E0; have [E1|/ltW E1] := leP 1 E; first exact (dominated_from_one others_equal domain h E1).
have [lawP lawQ] := (pair_P_is_law domain n, pair_Q_is_law domain n).
have [laww laww'] := (shuffled_is_law randomizers w, shuffled_is_law randomizers w').
move: E0; rewrite le_eqVlt => /orP[/eqP<-|E_gt0]; first by rewrite !hockey_zero.
rewrite (hockey_below_one laww laww' E_gt0) (hockey_below_one lawP lawQ E_gt0) ler_add2l ler_wpmul2l ?(ltW E_gt0) //.
rewrite pair_profile_swapped //; apply: (dominated_from_one (i0 := i0)) => //.
- by move=> j ji; rewrite others_equal.
- exact: variation_ratio_sym.
by rewrite invf_cp1.
Qed.

End OptimalPair.
