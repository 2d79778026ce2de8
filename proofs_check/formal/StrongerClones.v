(* Consequences of the optimal pair.

     total_variation_ratio       R_0 <= p R_1 and R_1 <= p R_0 give TV(R_0, R_1) <= (p - 1)/(p + 1);
     total_variation_shared      R_0 <= q R_j and R_1 <= q R_j give TV(R_0, R_1) <= q - 1;
     variation_ratio_clipped     so beta may be replaced by min(beta, (p - 1)/(p + 1), q - 1) where there are two users;
     optimal_pair_in_full        the theorem for any beta so clipped, any n >= 1, both directions;
     ldp_variation_ratio_private every adaptive sequence of T-LDP randomizers of total variation at most beta has the profile of the pair
                                 (p, beta, q) = (T, beta, T), T > 1;
     stronger_clones_dominate    and, for every T >= 1, that of stronger clones without a bound on the total variation: of
                                 (A + Delta, C - A + 1 - Delta) and (A + 1 - Delta, C - A + Delta), C ~ Bin(n - 1, 2/(T + 1)), A ~ Bin(C, 1/2),
                                 Delta ~ Bern(T/(T + 1)), at every order and in both directions
                                 (Feldman, McMillan, Talwar, "Stronger Privacy Amplification by Shuffling", the general pair);
     stronger_clones_private     so that they are (epsilon, delta)-DP with that pair's delta. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition HidingAmongTheClones
  PairDefinitions PairCounts CornerLaw PairProfile OptimalPair StrongerClonesPair.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TotalVariation.
Variables (R : realFieldType) (S : finType) (R_0 R_1 : S -> R).
Hypotheses (law_0 : is_law R_0) (law_1 : is_law R_1).
Implicit Types p_inv q : R.

Lemma sum_max : \sum_s Num.max (R_0 s) (R_1 s) = 1 + hockey 1 R_0 R_1.
Proof. by have := sum_shared 1 R_0 law_1; rewrite /shared; under eq_bigr do rewrite divr1; rewrite divr1. Qed.

Lemma total_variation_ratio p_inv : 0 <= p_inv -> p_inv <= 1 ->
    (forall s, p_inv * R_0 s <= R_1 s) -> (forall s, p_inv * R_1 s <= R_0 s) ->
  hockey 1 R_0 R_1 <= (1 - p_inv) / (1 + p_inv).
Proof.
move=> p0 p1 ratio_0 ratio_1; rewrite ler_pdivl_mulr; last by rewrite ltr_spaddl ?ltr01.
suff : hockey 1 R_0 R_1 + hockey 1 R_0 R_1 <= (1 - p_inv) * (1 + hockey 1 R_0 R_1).
  by rewrite -subr_ge0 => h; rewrite -subr_ge0; apply: le_trans h _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite -sum_max -{1}(sum_above R_0 R_1) -(sum_below law_0 law_1) -big_split mulr_sumr /=; apply: ler_sum => s _.
case: (leP (R_0 s) (R_1 s)) => [h|/ltW h].
  by rewrite (max_idPr _) ?subr_le0 // (max_idPl _) ?subr_ge0 // add0r mulrBl mul1r ler_add2l ler_opp2.
by rewrite (max_idPl _) ?subr_ge0 // (max_idPr _) ?subr_le0 // addr0 mulrBl mul1r ler_add2l ler_opp2.
Qed.

Lemma total_variation_shared q (R_j : S -> R) : is_law R_j -> (forall s, R_0 s <= q * R_j s) -> (forall s, R_1 s <= q * R_j s) ->
  hockey 1 R_0 R_1 <= q - 1.
Proof.
case=> _ mass_j below_0 below_1; rewrite ler_subr_addl -sum_max -[q]mulr1 -mass_j mulr_sumr.
by apply: ler_sum => s _; rewrite le_maxl below_0 below_1.
Qed.

End TotalVariation.

Section Clipping.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S).

Definition clipped (p_inv beta q : R) : R := Num.min beta (Num.min ((1 - p_inv) / (1 + p_inv)) (q - 1)).

Lemma clipped_domain (p_inv beta q : R) : 0 <= p_inv < 1 -> 1 <= q -> 0 <= beta -> pair_domain p_inv (clipped p_inv beta q) q.
Proof.
move=> /andP[p0 p1] q1 beta0; have denominator : 0 < 1 + p_inv by rewrite ltr_spaddl ?ltr01.
split=> //; first by rewrite p0.
- by rewrite !le_minr beta0 subr_ge0 q1 andbT divr_ge0 ?subr_ge0 ?(ltW p1) ?(ltW denominator).
- by rewrite -ler_pdivl_mulr // /clipped !le_minl lexx !orbT.
by rewrite /clipped !le_minl lexx !orbT.
Qed.

Theorem variation_ratio_clipped n (w w' : n.-tuple D) (i0 j : 'I_n) (p_inv beta q : R) : 0 <= p_inv < 1 -> j != i0 ->
  variation_ratio randomizers p_inv beta q w w' i0 -> variation_ratio randomizers p_inv (clipped p_inv beta q) q w w' i0.
Proof.
move=> /andP[p0 p1] ji h z; have [ratio_0 ratio_1 variation below] := h z; split=> //.
have law x : is_law (randomizers z x) := mass_is_law _.
rewrite !le_minr variation (total_variation_ratio (law _) (law _) p0 (ltW p1)) //.
by apply: (total_variation_shared (law _) (law (tnth w j))) => s; have [] := below j s ji.
Qed.

(* The theorem in full: with beta clipped as the specification does it, both directions, and one user too, for whom any q is true. *)
Theorem optimal_pair_in_full n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (p_inv beta q E : R)
    (q' := if n is 0 then Num.max q 2%:R else q) (beta' := clipped p_inv beta q') :
    (forall j, j != i0 -> tnth w j = tnth w' j) -> 0 <= p_inv < 1 -> 1 <= q -> 0 <= beta -> 0 <= E ->
    variation_ratio randomizers p_inv beta q w w' i0 ->
  [/\ hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (pair_P p_inv beta' q' n) (pair_Q p_inv beta' q' n),
      hockey E (shuffled randomizers w') (shuffled randomizers w) <= hockey E (pair_P p_inv beta' q' n) (pair_Q p_inv beta' q' n)
    & hockey E (pair_Q p_inv beta' q' n) (pair_P p_inv beta' q' n) = hockey E (pair_P p_inv beta' q' n) (pair_Q p_inv beta' q' n)].
Proof.
move=> others_equal p1 q1 beta0 E0 h.
have q'1 : 1 <= q' by rewrite /q'; case: (n) => [|_] //; rewrite le_maxr q1.
have domain := clipped_domain p1 q'1 beta0.
have h' : variation_ratio randomizers p_inv beta' q' w w' i0.
  have [n0|n_gt0] := posnP n; last first.
    have [j ji] : exists j : 'I_n.+1, j != i0.
      have [/eqP zero|zero] := boolP (i0 == ord0); last by exists ord0; rewrite eq_sym.
      by exists ord_max; rewrite zero -val_eqE /= -lt0n.
    have q'q : q' = q by rewrite /q'; case: (n) n_gt0.
    by rewrite /beta' q'q; apply: variation_ratio_clipped p1 ji h.
  move=> z; have [ratio_0 ratio_1 variation _] := h z; have law x : is_law (randomizers z x) := mass_is_law _.
  case/andP: p1 => p0 /ltW p1'.
  have tv := total_variation_ratio (law _) (law _) p0 p1' ratio_0 ratio_1.
  have only (j : 'I_n.+1) : j = 0%N :> nat by apply/eqP; rewrite -leqn0 -n0 -ltnS ltn_ord.
  have q'2 : 2%:R <= q' by rewrite /q'; case: (n) n0 => // _; rewrite le_maxr lexx orbT.
  split=> //; last by move=> j s; rewrite -val_eqE /= !only.
  rewrite !le_minr variation tv /= ler_subr_addr; apply: le_trans q'2.
  rewrite -[2%:R]/(1 + 1) ler_add2r; apply: le_trans tv _.
  by rewrite ler_pdivr_mulr ?ltr_spaddl ?ltr01 // mul1r ler_add2l (le_trans _ p0) // oppr_le0.
split; last exact: pair_profile_swapped.
  exact: (optimal_pair_dominates others_equal domain h' E0).
apply: (optimal_pair_dominates (i0 := i0) _ domain _ E0); first by move=> j ji; rewrite others_equal.
exact: variation_ratio_sym.
Qed.

End Clipping.

Section StrongerClones.
Variables (R : realFieldType) (D : Type) (S : finType) (T : R).
Implicit Types (randomizers : adaptive_randomizers R D S) (E delta : R).

Theorem ldp_variation_ratio_private n randomizers (beta E delta : R) : 1 < T ->
    ldp T randomizers -> (forall z x x', hockey 1 (randomizers z x) (randomizers z x') <= beta) ->
    pair_domain T^-1 beta T -> 0 <= E -> hockey E (pair_P T^-1 beta T n) (pair_Q T^-1 beta T n) <= delta ->
  private E delta (fun w : n.+1.-tuple D => shuffled randomizers w).
Proof.
move=> T_gt1 private_locally variation domain E0 bound w w' [i0 others_equal]; apply/dp_iff_hockey; apply: le_trans bound.
have ratio z x x' s : T^-1 * randomizers z x s <= randomizers z x' s.
  by rewrite mulrC ler_pdivr_mulr ?(lt_trans ltr01) // mulrC private_locally.
by apply: (optimal_pair_dominates (i0 := i0)) => // z.
Qed.

Lemma ldp_variation randomizers z x x' : 1 < T -> ldp T randomizers ->
  hockey 1 (randomizers z x) (randomizers z x') <= stronger_clones_variation T.
Proof.
move=> T_gt1 private_locally; have T_gt0 : 0 < T := lt_trans ltr01 T_gt1.
have [T_neq0 T1_neq0] : T != 0 /\ T + 1 != 0 by rewrite !gt_eqF ?addr_gt0 ?ltr01.
have -> : stronger_clones_variation T = (1 - T^-1) / (1 + T^-1).
  by rewrite /stronger_clones_variation; field; rewrite ?T_neq0 ?T1_neq0.
have ratio y y' s : T^-1 * randomizers z y s <= randomizers z y' s by rewrite mulrC ler_pdivr_mulr // mulrC private_locally.
by apply: (total_variation_ratio (mass_is_law _) (mass_is_law _)); rewrite ?invr_ge0 ?invf_le1 ?(ltW T_gt0) ?(ltW T_gt1).
Qed.

Hypothesis T_ge1 : 1 <= T.

(* Stronger clones, at every order E and in both directions, which are the same number for the pair. At T = 1 they are the clones. *)
Theorem stronger_clones_dominate n randomizers (w w' : n.-tuple D) E : ldp T randomizers -> neighbours w w' -> 0 <= E ->
  [/\ hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (@stronger_clones_P R n T) (@stronger_clones_Q R n T),
      hockey E (shuffled randomizers w') (shuffled randomizers w) <= hockey E (@stronger_clones_P R n T) (@stronger_clones_Q R n T)
    & hockey E (@stronger_clones_Q R n T) (@stronger_clones_P R n T) = hockey E (@stronger_clones_P R n T) (@stronger_clones_Q R n T)].
Proof.
move=> private_locally near E0; have same := clones_law_symmetric n (2%:R / (T + 1)) T E.
have [T1|T_neq1] := eqVneq T 1.
  have p1 : 2%:R / (T + 1) = T^-1 by rewrite T1 invr1 mulfV // pnatr_eq0.
  have [] := clones_dominate T_ge1 E private_locally near.
  by move: same; rewrite /stronger_clones_P /stronger_clones_Q /clones_P /clones_Q p1 => -> -> ->.
have T_gt1 : 1 < T by rewrite lt_def T_neq1.
split; [| |exact: same]; case: n w w' near {same} => [|n] w w' near; try by case: near => -[].
  rewrite -stronger_clones_profile //; apply/dp_iff_hockey.
  by apply: (ldp_variation_ratio_private T_gt1 private_locally _ (stronger_clones_domain T_gt1) E0) near => // z x x'; apply: ldp_variation.
rewrite -stronger_clones_profile //; apply/dp_iff_hockey; move/neighbours_sym: near.
by apply: (ldp_variation_ratio_private T_gt1 private_locally _ (stronger_clones_domain T_gt1) E0) => // z x x'; apply: ldp_variation.
Qed.

(* All of it where T > 1: beside that, the pair is the optimal pair of (T, (T - 1)/(T + 1), T). *)
Theorem stronger_clones_in_full n randomizers (w w' : n.+1.-tuple D) E : 1 < T -> ldp T randomizers -> neighbours w w' -> 0 <= E ->
  [/\ hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T),
      hockey E (shuffled randomizers w') (shuffled randomizers w) <= hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T),
      hockey E (@stronger_clones_Q R n.+1 T) (@stronger_clones_P R n.+1 T) = hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T)
    & hockey E (pair_P T^-1 ((T - 1) / (T + 1)) T n) (pair_Q T^-1 ((T - 1) / (T + 1)) T n)
        = hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T)].
Proof.
by move=> T_gt1 private_locally near E0; have [] := stronger_clones_dominate private_locally near E0; split=> //; apply: stronger_clones_profile.
Qed.

Theorem stronger_clones_private n randomizers E delta :
    ldp T randomizers -> 0 <= E -> hockey E (@stronger_clones_P R n T) (@stronger_clones_Q R n T) <= delta ->
  private E delta (fun w : n.-tuple D => shuffled randomizers w).
Proof.
move=> private_locally E0 bound w w' near; apply/dp_iff_hockey; apply: le_trans bound.
by have [] := stronger_clones_dominate private_locally near E0.
Qed.

Corollary stronger_clones_histogram n (randomizer : D -> dist R S) E delta :
    (forall x x' s, randomizer x s <= T * randomizer x' s) -> 0 <= E ->
    hockey E (@stronger_clones_P R n T) (@stronger_clones_Q R n T) <= delta ->
  private E delta (fun w : n.-tuple D => image_law (@histogram S n) (messages randomizer w)).
Proof.
move=> private_locally E0 bound w w' near; apply/dp_iff_hockey.
rewrite (eq_hockey E (histogram_shuffle (messages randomizer w)) (histogram_shuffle (messages randomizer w'))).
apply: le_trans (hockey_image _ _ _ _) _; rewrite (eq_hockey E (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply/dp_iff_hockey; apply: (stronger_clones_private (randomizers := fun=> randomizer) _ E0 bound) near => z.
exact: private_locally.
Qed.

End StrongerClones.
