(* First arrival in blocks, for many users: in each level's controlled sum, and in that of the clones with what is left, g steps are replaced by one law,
   as many times as there is room for.  (docs/mathematics/controlled-sum.md; what the engines compute beyond some hundred users)

     arrival_clones_blocks               of every adaptive sequence of epsilon0-DP randomizers;
     arrival_approximate_blocks          of (epsilon0, delta0)-DP ones, nothing thinned;
     arrival_approximate_blocks_thinned  of (epsilon0, delta0)-DP ones, all losses thinned. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum FiveCorners Blocks FirstArrival Perspective
  ArrivalAll ClonesLeft AdaptiveApproximate ArrivalApproximate.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma total_mass_clone_laws (R : realFieldType) (T E eta : R) c : c \in clone_laws T E eta -> total_mass c = 1.
Proof. by rewrite !inE => /orP[] /eqP ->; rewrite /total_mass !big_cons big_nil /=; ring. Qed.

(* B blocks of g steps stand for no fewer steps. *)
Lemma mean_in_blocks (R : realFieldType) (C : seq (loss R)) (Lambda : loss R) g B steps : measures C -> (forall c, c \in C -> total_mass c <= 1) ->
    measure Lambda -> 1 <= total_mass Lambda -> (forall t, V C g t <= positive Lambda t) -> (0 < B * g <= steps)%N ->
  V C steps 0 / steps%:R <= positives (nseq B Lambda) 0 / (B * g)%:R.
Proof.
move=> C_ge0 C_le1 Lambda0 Lambda1 above room; apply: le_trans (V_mean_antitone C_ge0 C_le1 room) _.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // (blocks_bound C_ge0 C_le1).
Qed.

(* Levels in blocks, of another length for every size r of the pool; pools of r_max users or more are told. *)
Lemma levels_in_blocks (R : realFieldType) n levels (eta : nat -> R) (C : nat -> seq (loss R)) (r_max : nat -> nat) (g B : nat -> nat -> nat)
    (Lambda : nat -> nat -> loss R) : (forall l, eta l <= eta l.+1) -> (forall l, eta l < 1) ->
    (forall l, measures (C l)) -> (forall l c, c \in C l -> total_mass c <= 1) -> (forall l, (0 < r_max l <= n.+1)%N) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> (0 < B l r * g l r <= n.+1 - r)%N /\ measure (Lambda l r)) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N ->
       1 <= total_mass (Lambda l r) /\ forall t, V (C l) (g l r) t <= positive (Lambda l r) t) ->
  \sum_(l < levels) (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r * (V (C l) (n.+1 - r) 0 / (n.+1 - r)%:R)) <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max l) binomial_mass n (step_share eta l) r * (positives (nseq (B l r) (Lambda l r)) 0 / (B l r * g l r)%:R) +
     (\sum_(r_max l <= r < n.+1) binomial_mass n (step_share eta l) r) * V (C l) 1 0).
Proof.
move=> eta_le eta_lt1 C_ge0 C_le1 r_max_range room above; apply: ler_sum => l _.
have gap : 0 < 1 - eta l by rewrite subr_gt0.
have share0 : 0 <= step_share eta l by rewrite /step_share divr_ge0 ?subr_ge0 ?eta_le ?(ltW (eta_lt1 _)).
have share1 : step_share eta l <= 1 by rewrite /step_share ler_pdivr_mulr // mul1r ler_add2r ltW.
have mass_ge0 r : 0 <= binomial_mass n (step_share eta l) r by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0.
have /andP[r_max0 r_max_n] := r_max_range l; rewrite ler_wpmul2l ?exprn_ge0 ?(ltW gap) // (big_cat_nat _ _ _ r_max0 r_max_n) /= mulr_suml.
apply: ler_add; rewrite big_nat [leRHS]big_nat; apply: ler_sum => r /andP[r0 r_n]; rewrite ler_wpmul2l //.
  have r_in : (0 < r < r_max l)%N by rewrite r0.
  have [room_r measure_r] := room l r (ltn_ord l) r_in; have [mass_r above_r] := above l r (ltn_ord l) r_in.
  exact: (mean_in_blocks (C_ge0 l) (C_le1 l)).
by have := @V_mean_antitone _ _ (C_ge0 l) (C_le1 l) 1 (n.+1 - r); rewrite divr1 subn_gt0 r_n => /(_ isT).
Qed.

Theorem arrival_clones_blocks (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R)
    n (w w' : n.+1.-tuple D) (levels : nat) (r_max : nat -> nat) (g B : nat -> nat -> nat) (Lambda : nat -> nat -> loss R) (g_left B_left : nat)
    (Lambda_left : loss R) :
    1 < T -> eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l * (T + 1) < 1) -> ldp T randomizers -> neighbours w w' ->
    (forall l, (0 < r_max l <= n.+1)%N) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> (0 < B l r * g l r <= n.+1 - r)%N /\ measure (Lambda l r)) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N ->
       1 <= total_mass (Lambda l r) /\ forall t, V (arrival_laws T E (eta l.+1)) (g l r) t <= positive (Lambda l r) t) ->
    (0 < B_left * g_left <= n.+1)%N -> measure Lambda_left -> 1 <= total_mass Lambda_left ->
    (forall t, V (clone_laws T E (eta levels)) g_left t <= positive Lambda_left t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max l) binomial_mass n (step_share eta l) r * (positives (nseq (B l r) (Lambda l r)) 0 / (B l r * g l r)%:R) +
     (\sum_(r_max l <= r < n.+1) binomial_mass n (step_share eta l) r) * V (arrival_laws T E (eta l.+1)) 1 0) +
  (1 - eta levels) ^+ n * (positives (nseq B_left Lambda_left) 0 / (B_left * g_left)%:R).
Proof.
move=> T_gt1 eta_0 eta_le eta_small private_steps near r_max_range room above room_left left0 left1 above_left.
have ge0 l : 0 <= eta l := levels_ge0 eta_0 eta_le l.
have lt1 l : eta l < 1 := levels_lt1 T_gt1 eta_0 eta_le eta_small l.
apply: le_trans (arrival_clones E T_gt1 eta_0 eta_le eta_small private_steps levels near) _; apply: ler_add; last first.
  rewrite ler_wpmul2l ?exprn_ge0 ?subr_ge0 ?(ltW (lt1 _)) //; apply: mean_in_blocks => // [|c c_in].
    exact: measures_clone_laws.
  by rewrite (total_mass_clone_laws c_in).
apply: (levels_in_blocks (C := fun l => arrival_laws T E (eta l.+1))) => // [l|l c c_in].
  by apply: measures_perspective_laws => //; apply: density_corners_gt0.
by rewrite (total_mass_perspective T_gt1 (lt1 l.+1) (shares_sum1 T_gt1) c_in).
Qed.

(* (epsilon0, delta0)-DP randomizers: beside every level delta0, and what leaks lose beyond `far`. *)
Section Approximate.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E delta0 far : R).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (eta : nat -> R) (levels : nat).
Variables (r_max : nat -> nat) (g B : nat -> nat -> nat) (Lambda : nat -> nat -> loss R).
Hypotheses (T_gt1 : 1 < T) (E_ge1 : 1 <= E) (E_le : E <= T) (delta_ge0 : 0 <= delta0) (delta_small : 3%:R * delta0 < 1).
Hypotheses (far_ge0 : 0 <= far) (far_le : far <= T).
Hypothesis locally_private : approximately_ldp T delta0 randomizers.
Hypothesis others : forall j, j != i0 -> tnth w j = tnth w' j.
Hypotheses (eta_0 : eta 0%N = 0) (eta_le : forall l, eta l <= eta l.+1) (eta_lt1 : forall l, eta l < 1).
Hypothesis r_max_range : forall l, (0 < r_max l <= n.+1)%N.
Hypothesis room : forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> (0 < B l r * g l r <= n.+1 - r)%N /\ measure (Lambda l r).

(* What the levels say together, C l the laws of level l. *)
Definition levels_value (C : nat -> seq (loss R)) : R :=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max l) binomial_mass n (step_share eta l) r * (positives (nseq (B l r) (Lambda l r)) 0 / (B l r * g l r)%:R) +
     (\sum_(r_max l <= r < n.+1) binomial_mass n (step_share eta l) r) * V (C l) 1 0 +
     (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r) * (delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).

Let leaks_in_blocks (C : nat -> seq (loss R)) : (forall l, measures (C l)) -> (forall l c, c \in C l -> total_mass c = 1) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N ->
       1 <= total_mass (Lambda l r) /\ forall t, V (C l) (g l r) t <= positive (Lambda l r) t) ->
  \sum_(l < levels) (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r *
    (V (C l) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)) <= levels_value C.
Proof.
move=> C_ge0 C_1 above; rewrite /levels_value ler_add2r.
have C_le1 l c : c \in C l -> total_mass c <= 1 by move=> c_in; rewrite (C_1 l).
have apart (l : nat) : (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r *
      (V (C l) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0 * (2%:R - far / T))) =
    (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r * (V (C l) (n.+1 - r) 0 / (n.+1 - r)%:R)) +
    (1 - eta l) ^+ n * ((\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r) * (delta0 * (2%:R - far / T))).
  by rewrite -mulrDr mulr_suml -big_split; congr (_ * _); apply: eq_bigr => r _; rewrite mulrDr.
under [leRHS]eq_bigr do rewrite mulrDr; rewrite (eq_bigr _ (fun (l : 'I_levels) _ => apart l)).
rewrite !big_split /= ler_add2r; exact: levels_in_blocks.
Qed.

Let total_mass_leaks c (e : R) hides o0 o1 o2 : c \in leaking_laws T E delta0 far hides o0 o1 o2 e -> total_mass c = 1.
Proof. by case/mapP => a _ ->; apply: total_mass_leaky_left. Qed.

Theorem arrival_approximate_blocks :
    (forall l, eta l * ((T' T delta0 + 1) * (T' T delta0 - 1)) < arrival_norm T delta0 n) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N ->
       1 <= total_mass (Lambda l r) /\ forall t, V (relative_laws T E delta0 far n (eta l.+1)) (g l r) t <= positive (Lambda l r) t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= levels_value (fun l => relative_laws T E delta0 far n (eta l.+1)).
Proof.
move=> eta_norm above; apply: le_trans (arrival_approximate levels T_gt1 E_ge1 E_le delta_ge0 delta_small far_ge0 far_le locally_private others
  eta_0 eta_le eta_lt1 eta_norm) _.
apply: (@leaks_in_blocks (fun l => relative_laws T E delta0 far n (eta l.+1))) => // [l|l c]; last exact: total_mass_leaks.
exact: relative_measures.
Qed.

Theorem arrival_approximate_blocks_thinned : (forall l, eta l * T < arrival_room_left delta0 n) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N ->
       1 <= total_mass (Lambda l r) /\ forall t, V (thinned_laws T E delta0 far n (eta l.+1)) (g l r) t <= positive (Lambda l r) t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= levels_value (fun l => thinned_laws T E delta0 far n (eta l.+1)).
Proof.
move=> eta_room above; apply: le_trans (arrival_approximate_thinned levels T_gt1 E_ge1 E_le delta_ge0 delta_small far_ge0 far_le locally_private others
  eta_0 eta_le eta_lt1 eta_room) _.
apply: (@leaks_in_blocks (fun l => thinned_laws T E delta0 far n (eta l.+1))) => // [l|l c]; last exact: total_mass_leaks.
exact: thinned_measures.
Qed.

End Approximate.
