(* Randomizers near private ones: the reduction by which FMT21, Theorem 3.8, follows from Theorem 3.2 and a nearby local randomizer.

     hockey_nearby             D_E(P || Q) <= D_E(P' || Q') + TV(P, P') + E TV(Q', Q)                 (FMT21, Lemma C.1);
     shuffled_nearby           adaptive sequences within total variation d(x) of each other at every step are within the sum of d over all users'
                               values, shuffled or not;
     nearby_private            so if one is (epsilon, delta)-DP when shuffled, the other is (epsilon, delta + (e^epsilon + 1) n delta0)-DP.

   That (epsilon0, delta0)-DP local randomizers have such neighbours is in ApproximateRandomizers.v. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Nearby.
Variable R : realFieldType.

Theorem hockey_nearby (A : finType) (E : R) (P P' Q Q' : A -> R) : 0 <= E ->
  hockey E P Q <= hockey E P' Q' + hockey 1 P P' + E * hockey 1 Q' Q.
Proof.
move=> E0; rewrite -{1}[E]mul1r; apply: le_trans (hockey_triangle _ _ P' _ ler01) _.
rewrite mul1r -{1}[E]mulr1 [_ + hockey 1 P P']addrC -addrA ler_add2l.
exact: hockey_triangle.
Qed.

Variables (D : Type) (S : finType).
Implicit Types randomizers : adaptive_randomizers R D S.

Lemma transcript_nearby randomizers randomizers' (distance : D -> R) n (w : n.-tuple D) :
    (forall z x, hockey 1 (randomizers z x) (randomizers' z x) <= distance x) ->
  hockey 1 (transcript randomizers w) (transcript randomizers' w) <= \sum_(i < n) distance (tnth w i).
Proof.
elim: n randomizers randomizers' w => [|n IH] randomizers randomizers' w near.
  rewrite big_ord0 [leLHS]big1 // => s _; rewrite mul1r /transcript !big_ord0 subrr; exact: maxxx.
rewrite /hockey sum_tuples big_ord_recl.
pose first := randomizers [::] (thead w); pose first' := randomizers' [::] (thead w); pose tail := [tuple of behead w].
apply: (@le_trans _ _ (\sum_x (Num.max (first x - 1 * first' x) 0
    + first' x * hockey 1 (transcript (fun z => randomizers (x :: z)) tail) (transcript (fun z => randomizers' (x :: z)) tail)))).
  apply: ler_sum => x _; have [t0 t1] := transcript_is_law (fun z => randomizers (x :: z)) tail.
  rewrite [X in X + _](_ : _ = \sum_s Num.max (first x - 1 * first' x) 0 * transcript (fun z => randomizers (x :: z)) tail s); last first.
    by rewrite -mulr_sumr t1 mulr1.
  rewrite mulr_sumr -big_split /=; apply: ler_sum => s _.
  rewrite !transcript_cons -/first -/first' -/tail.
  rewrite [X in _ <= X + _]mulrC -positive_part_scale // -positive_part_scale ?mass_ge0 //.
  apply: le_trans (positive_part_add _ _); rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (Num.max _ 0).
  set t := transcript _ _ _; set t' := transcript (fun z => randomizers' (x :: z)) _ _.
  by move: t t' (mass first x) (mass first' x) => t t' a a'; ring.
rewrite big_split /= ler_add //; first exact: near.
rewrite (eq_bigr (fun i => distance (tnth tail i))) => [|i _]; last first.
  by congr distance; rewrite tnth_behead; congr (tnth w _); apply: val_inj; rewrite /= inordK ?ltnS.
rewrite [leRHS](_ : _ = \sum_x first' x * \sum_(i < n) distance (tnth tail i)); last by rewrite -mulr_suml mass_sum1 mul1r.
apply: ler_sum => x _.
apply: ler_wpmul2l; [exact: mass_ge0 | exact (IH _ _ tail (fun z y => near (x :: z) y))].
Qed.

Theorem shuffled_nearby randomizers randomizers' (distance : D -> R) n (w : n.-tuple D) :
    (forall z x, hockey 1 (randomizers z x) (randomizers' z x) <= distance x) ->
  hockey 1 (shuffled randomizers w) (shuffled randomizers' w) <= \sum_(i < n) distance (tnth w i).
Proof.
move=> near.
have mixture (rs : adaptive_randomizers R D S) : shuffled rs w =1 (fun s => \sum_(sigma : 'S_n) n`!%:R^-1 * transcript rs (permuted w sigma) s).
  by move=> s; rewrite /shuffled mulr_sumr.
rewrite (eq_hockey 1 (mixture randomizers) (mixture randomizers')).
apply: le_trans (hockey_joint_convexity _ _ _ _) _ => [sigma|]; first exact: factorial_inv_ge0.
apply: (@le_trans _ _ (\sum_(sigma : 'S_n) n`!%:R^-1 * \sum_(i < n) distance (tnth w i))).
  apply: ler_sum => sigma _; rewrite ler_wpmul2l ?factorial_inv_ge0 //.
  apply: le_trans (transcript_nearby _ near) _; rewrite [leRHS](reindex_inj (@perm_inj _ sigma)) /=.
  by apply: ler_sum => i _; rewrite tnth_mktuple.
by rewrite sumr_const card_Sn -mulr_natl mulrA mulfV ?factorial_neq0 // mul1r.
Qed.

Theorem nearby_private randomizers randomizers' E delta delta0 n : 0 <= E ->
    (forall z x, hockey 1 (randomizers z x) (randomizers' z x) <= delta0) ->
    private E delta (fun w : n.-tuple D => shuffled randomizers' w) ->
  private E (delta + (E + 1) * (n%:R * delta0)) (fun w : n.-tuple D => shuffled randomizers w).
Proof.
move=> E0 near privacy w w' close; apply/dp_iff_hockey.
apply: le_trans (hockey_nearby _ (shuffled randomizers' w) _ (shuffled randomizers' w') E0) _.
have back z x : hockey 1 (randomizers' z x) (randomizers z x) <= delta0.
  by rewrite (hockey_below_one (mass_is_law _) (mass_is_law _) ltr01) subrr add0r invr1 mul1r.
have sum_distance (v : n.-tuple D) : \sum_(i < n) (fun=> delta0) (tnth v i) = n%:R * delta0 by rewrite sumr_const card_ord mulr_natl.
rewrite mulrDl mul1r [E * _ + _]addrC addrA ler_add ?ler_add ?ler_wpmul2l //; first by apply/dp_iff_hockey; apply: privacy.
  by rewrite -(sum_distance w); apply: shuffled_nearby.
by rewrite -(sum_distance w'); apply: shuffled_nearby.
Qed.

End Nearby.
