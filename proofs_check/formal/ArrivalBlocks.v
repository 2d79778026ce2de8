(* First arrival in blocks, for many users: in each level's controlled sum, and in that of the clones with what is left, g steps are replaced by one law,
   as many times as there is room for.  (docs/mathematics/controlled-sum.md; what the engines compute beyond some hundred users) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum FiveCorners Blocks FirstArrival Perspective
  ArrivalAll ClonesLeft.

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

Theorem arrival_clones_blocks (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R)
    n (w w' : n.+1.-tuple D) (levels r_max : nat) (g B : nat -> nat) (Lambda : nat -> loss R) (g_left B_left : nat) (Lambda_left : loss R) :
    1 < T -> eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l * (T + 1) < 1) -> ldp T randomizers -> neighbours w w' -> (0 < r_max <= n)%N ->
    (forall l, (l < levels)%N -> (0 < B l * g l <= n.+1 - r_max)%N /\ measure (Lambda l)) ->
    (forall l, (l < levels)%N -> 1 <= total_mass (Lambda l) /\ forall t, V (arrival_laws T E (eta l.+1)) (g l) t <= positive (Lambda l) t) ->
    (0 < B_left * g_left <= n.+1)%N -> measure Lambda_left -> 1 <= total_mass Lambda_left ->
    (forall t, V (clone_laws T E (eta levels)) g_left t <= positive Lambda_left t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    ((\sum_(1 <= r < r_max) binomial_mass n (step_share eta l) r) * (positives (nseq (B l) (Lambda l)) 0 / (B l * g l)%:R) +
     (\sum_(r_max <= r < n.+1) binomial_mass n (step_share eta l) r) * V (arrival_laws T E (eta l.+1)) 1 0) +
  (1 - eta levels) ^+ n * (positives (nseq B_left Lambda_left) 0 / (B_left * g_left)%:R).
Proof.
move=> T_gt1 eta_0 eta_le eta_small private_steps near rn room above room_left left0 left1 above_left.
have ge0 l : 0 <= eta l := levels_ge0 eta_0 eta_le l.
have lt1 l : eta l < 1 := levels_lt1 T_gt1 eta_0 eta_le eta_small l.
apply: le_trans (arrival_clones_cut E levels T_gt1 eta_0 eta_le eta_small private_steps near rn) _; apply: ler_add; last first.
  rewrite ler_wpmul2l ?exprn_ge0 ?subr_ge0 ?(ltW (lt1 _)) //; apply: mean_in_blocks => // [|c c_in].
    exact: measures_clone_laws.
  by rewrite (total_mass_clone_laws c_in).
apply: ler_sum => l _; rewrite ler_wpmul2l ?exprn_ge0 ?subr_ge0 ?(ltW (lt1 _)) // ler_add2r mulr_suml big_nat [leRHS]big_nat.
apply: ler_sum => r /andP[_ r_small]; have [room_l measure_l] := room l (ltn_ord l); have [mass_l above_l] := above l (ltn_ord l).
have gap : 0 < 1 - eta l by rewrite subr_gt0.
have share0 : 0 <= step_share eta l by rewrite /step_share divr_ge0 ?subr_ge0 ?eta_le ?(ltW (lt1 _)).
have share1 : step_share eta l <= 1.
  by rewrite /step_share ler_pdivr_mulr // mul1r ler_add2r ltW.
have mass_ge0 : 0 <= binomial_mass n (step_share eta l) r by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0.
rewrite ler_wpmul2l //; apply: mean_in_blocks => // [|c c_in|].
- by apply: measures_perspective_laws => //; apply: density_corners_gt0.
- by rewrite (total_mass_perspective T_gt1 (lt1 l.+1) (shares_sum1 T_gt1) c_in).
by case/andP: room_l => -> /leq_trans -> //; rewrite leq_sub2l // ltnW.
Qed.
