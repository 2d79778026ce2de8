(* One step of the proof of the optimal pair of (p, beta, q), PairDefinitions.v. Against the law of another user, the special user's
   P - E Q has the scores (q/p)(p - E), (q/p)(1 - E p), q (1 - E), 0 at the messages 0, 1, d, none.

     special_score       so it is: P - E Q = score x the other user's law;
     corner_law_largest  let R_0, R_1 have ratio at most p and total variation at most beta, m = max(R_0, R_1)/q, L = (R_0 - E R_1)/m. Then
                         sum_s m(s) g(t + L(s)) + (1 - sum_s m(s)) g(t) <= E g(t + score of another user), for every convex g and 1 <= E <= p:
                         the law of the score is largest in convex order, in L as well as in beta. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Composition PairDefinitions PairCounts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Pair.
Variables (R : realFieldType) (p_inv beta q : R).

Local Notation corner := (corner p_inv beta).
Local Notation special_0 := (special_0 p_inv beta).
Local Notation special_1 := (special_1 p_inv beta).
Local Notation another := (another p_inv beta q).
Local Notation pair_domain := (pair_domain p_inv beta q).

Definition score (E : R) (z : 'I_4) : R := nth 0 [:: q * (1 - p_inv * E); q * (p_inv - E); q * (1 - E); 0] z.

Hypothesis domain : pair_domain.

Lemma p_inv_ge0 : 0 <= p_inv. Proof. by case: domain => /andP[]. Qed.
Lemma one_sub_p_inv_gt0 : 0 < 1 - p_inv. Proof. by rewrite subr_gt0; case: domain => /andP[]. Qed.
Lemma q_gt0 : 0 < q. Proof. by case: domain => _ /(lt_le_trans ltr01). Qed.
Lemma corner_ge0 : 0 <= corner.
Proof. by rewrite divr_ge0 ?(ltW one_sub_p_inv_gt0) //; case: domain. Qed.
Lemma corner_times : corner * (1 - p_inv) = beta.
Proof. by rewrite divfK ?gt_eqF ?one_sub_p_inv_gt0. Qed.
Lemma center_ge0 : 0 <= 1 - (1 + p_inv) * corner.
Proof.
by rewrite subr_ge0 /PairDefinitions.corner mulrA ler_pdivr_mulr ?one_sub_p_inv_gt0 // mul1r mulrC; case: domain.
Qed.
Lemma none_ge0 : 0 <= 1 - (1 + beta) / q.
Proof. by rewrite subr_ge0 ler_pdivr_mulr ?q_gt0 // mul1r -ler_subr_addl; case: domain. Qed.

Lemma sum_special_0 : \sum_z special_0 z = 1.
Proof. by rewrite sum_messages /special_0 !inordK //=; ring. Qed.
Lemma sum_special_1 : \sum_z special_1 z = 1.
Proof. by rewrite sum_messages /special_1 !inordK //=; ring. Qed.
Lemma sum_another : \sum_z another z = 1.
Proof. by rewrite sum_messages /PairDefinitions.another !inordK //= -{4}corner_times; ring. Qed.

Lemma special_0_is_law : is_law special_0.
Proof.
split=> [z|]; last exact: sum_special_0.
rewrite /PairDefinitions.special_0; case: z => [] [|[|[|[]]]] //= _.
all: first [exact: corner_ge0 | exact: center_ge0 | exact: mulr_ge0 p_inv_ge0 corner_ge0].
Qed.

Lemma special_1_is_law : is_law special_1.
Proof.
split=> [z|]; last exact: sum_special_1.
rewrite /PairDefinitions.special_1; case: z => [] [|[|[|[]]]] //= _.
all: first [exact: corner_ge0 | exact: center_ge0 | exact: mulr_ge0 p_inv_ge0 corner_ge0].
Qed.

Lemma another_is_law : is_law another.
Proof.
split=> [z|]; last exact: sum_another.
have q_inv : 0 <= q^-1 by rewrite invr_ge0 ltW // q_gt0.
rewrite /PairDefinitions.another; case: z => [] [|[|[|[]]]] //= _.
all: first [exact: none_ge0 | exact: mulr_ge0 corner_ge0 q_inv | exact: mulr_ge0 center_ge0 q_inv].
Qed.

Lemma special_score E z : special_0 z - E * special_1 z = score E z * another z.
Proof.
have q0 : q != 0 by rewrite gt_eqF ?q_gt0.
by rewrite /PairDefinitions.special_0 /PairDefinitions.special_1 /score /PairDefinitions.another; case: z => [] [|[|[|[]]]] //= _; field.
Qed.

Section OneStep.
Variable E : R.
Hypotheses (E_ge1 : 1 <= E) (E_le_p : p_inv * E <= 1).

(* Spreading the points q (1 - E) and 0 to the ends (q/p)(p - E) and (q/p)(1 - E p). *)
Lemma spread g t : convex g ->
  (1 + p_inv) * g (t + score E (inord 2)) + (1 - p_inv) * g t <= g (t + score E (inord 0)) + g (t + score E (inord 1)).
Proof.
move=> g_convex; rewrite /score !inordK //=; set a := q * (1 - p_inv * E); set b := q * (p_inv - E); set d := q * (1 - E).
have E1 : 0 < 1 + E by rewrite ltr_paddr ?ltr01 // (le_trans ler01).
have E1' : 1 + E != 0 by rewrite gt_eqF.
have p1 : 1 - p_inv != 0 by rewrite gt_eqF ?one_sub_p_inv_gt0.
have center : g (t + d) <= (1 + E)^-1 * g (t + a) + (1 - (1 + E)^-1) * g (t + b).
  rewrite (_ : t + d = (1 + E)^-1 * (t + a) + (1 - (1 + E)^-1) * (t + b)); last by rewrite /a /b /d; field.
  by apply: g_convex; rewrite ?invr_ge0 ?(ltW E1) // invf_le1 // ler_addl (le_trans ler01).
pose theta := (E - p_inv) / ((1 - p_inv) * (1 + E)).
have none : g t <= theta * g (t + a) + (1 - theta) * g (t + b).
  rewrite {1}(_ : t = theta * (t + a) + (1 - theta) * (t + b)); last first.
    by rewrite /a /b /theta; field; rewrite ?p1 ?E1'.
  have denominator : 0 < (1 - p_inv) * (1 + E) by rewrite mulr_gt0 ?one_sub_p_inv_gt0.
  apply: g_convex; first by rewrite divr_ge0 ?(ltW denominator) // subr_ge0 (le_trans _ E_ge1) // ltW // -subr_gt0 one_sub_p_inv_gt0.
  rewrite ler_pdivr_mulr // mul1r -subr_ge0 (_ : _ - _ = 1 - p_inv * E) ?subr_ge0 //; ring.
have p_inv1 : 0 <= 1 + p_inv by rewrite addr_ge0 ?ler01 ?p_inv_ge0.
apply: le_trans (ler_add (ler_wpmul2l p_inv1 center) (ler_wpmul2l (ltW one_sub_p_inv_gt0) none)) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /theta; field.
by rewrite ?p1 ?E1'.
Qed.

Variables (S : finType) (R_0 R_1 : S -> R).
Hypotheses (law_0 : is_law R_0) (law_1 : is_law R_1).
Hypotheses (ratio_0 : forall s, p_inv * R_0 s <= R_1 s) (ratio_1 : forall s, p_inv * R_1 s <= R_0 s).

Definition shared (s : S) : R := Num.max (R_0 s) (R_1 s) / q.
Definition likelihood (s : S) : R := (R_0 s - E * R_1 s) / shared s.

Local Notation above s := (Num.max (R_0 s - R_1 s) 0).
Local Notation below s := (Num.max (R_1 s - R_0 s) 0).
Local Notation kappa := (q * (1 - p_inv))^-1.

Lemma shared_ge0 s : 0 <= shared s.
Proof. by rewrite mulr_ge0 ?invr_ge0 ?(ltW q_gt0) // le_maxr; case: law_0 => ->. Qed.

Lemma shared_likelihood s : shared s * likelihood s = R_0 s - E * R_1 s.
Proof.
have [m0|m0] := eqVneq (shared s) 0; last by rewrite mulrC divfK.
move/eqP: m0; rewrite /likelihood mulf_eq0 invr_eq0 (gt_eqF q_gt0) orbF => /eqP max0.
have [[R_0_ge0 _] [R_1_ge0 _]] := (law_0, law_1).
have -> : R_0 s = 0 by apply/eqP; rewrite eq_le R_0_ge0 andbT -max0 le_maxr lexx.
have -> : R_1 s = 0 by apply/eqP; rewrite eq_le R_1_ge0 andbT -max0 le_maxr lexx orbT.
by rewrite mulr0 subrr mul0r mulr0.
Qed.

(* A point of the edge u = q or v = q is moved to the ends of its edge. *)
Lemma edge x y g (u v c : R) : convex g -> 0 <= y <= x -> p_inv * x <= y ->
    (forall theta, theta * (1 - p_inv) * x = x - y -> x != 0 -> c = theta * u + (1 - theta) * v) ->
  x / q * g c <= kappa * (x - y) * g u + (x / q - kappa * (x - y)) * g v.
Proof.
move=> g_convex /andP[y0 yx] pxy affine; have q0 := q_gt0; have p1 := one_sub_p_inv_gt0.
have q_neq0 : q != 0 by rewrite gt_eqF.
have p1_neq0 : 1 - p_inv != 0 by rewrite gt_eqF.
have [x0|x_neq0] := eqVneq x 0.
  have -> : y = 0 by apply/eqP; rewrite eq_le y0 -x0 yx.
  by rewrite x0 subrr !mul0r mulr0 subrr !mul0r addr0.
have x_gt0 : 0 < x by rewrite lt_def x_neq0 (le_trans y0).
pose theta := (x - y) / ((1 - p_inv) * x).
have denominator : 0 < (1 - p_inv) * x by rewrite mulr_gt0.
rewrite (affine theta) //; last by rewrite -mulrA divfK // gt_eqF.
apply: le_trans (ler_wpmul2l _ (g_convex theta u v _ _)) _.
- by rewrite divr_ge0 ?ltW.
- by rewrite divr_ge0 ?subr_ge0 // ltW.
- by rewrite ler_pdivr_mulr // mul1r mulrBl mul1r ler_add2l ler_opp2.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /theta; field; rewrite ?x_neq0 ?q_neq0 ?p1_neq0.
Qed.

Lemma moved_to_corners g t s : convex g ->
  shared s * g (t + likelihood s) <=
    kappa * (above s * g (t + score E (inord 0)) + below s * g (t + score E (inord 1)))
    + (shared s - kappa * (above s + below s)) * g (t + score E (inord 2)).
Proof.
move=> g_convex; have [[R_0_ge0 _] [R_1_ge0 _]] := (law_0, law_1).
have q_neq0 : q != 0 by rewrite gt_eqF // q_gt0.
rewrite /likelihood /shared /score !inordK //=.
have [le01|le10] := leP (R_0 s) (R_1 s).
  rewrite (max_idPr _) ?subr_le0 // (max_idPl _) ?subr_ge0 // mul0r !add0r mulrA.
  apply: edge => //; first by rewrite R_0_ge0.
  move=> theta h nonzero; apply: (mulIf nonzero).
  have -> : R_0 s = R_1 s - theta * (1 - p_inv) * R_1 s by rewrite h; ring.
  by field; rewrite ?nonzero ?q_neq0.
have le10' := ltW le10.
rewrite (max_idPl _) ?subr_ge0 // (max_idPr _) ?subr_le0 // mul0r !addr0 mulrA.
apply: edge => //; first by rewrite R_1_ge0.
move=> theta h nonzero; apply: (mulIf nonzero).
have -> : R_1 s = R_0 s - theta * (1 - p_inv) * R_0 s by rewrite h; ring.
by field; rewrite ?nonzero ?q_neq0.
Qed.

Hypothesis variation : hockey 1 R_0 R_1 <= beta.

Lemma sum_above : \sum_s above s = hockey 1 R_0 R_1.
Proof. by apply: eq_bigr => s _; rewrite mul1r. Qed.

Lemma above_sub_below s : above s = below s + (R_0 s - R_1 s).
Proof.
by rewrite -(opprB (R_0 s)); case: (ltgtP (R_0 s - R_1 s) 0) => h; rewrite /Num.max ?oppr_lt0 ?h ?(lt_gtF h) ?addNr ?add0r ?oppr0 ?ltxx ?addr0.
Qed.

Lemma sum_below : \sum_s below s = hockey 1 R_0 R_1.
Proof.
rewrite -sum_above; under [RHS]eq_bigr do rewrite above_sub_below.
by rewrite big_split sumrB /=; case: law_0 law_1 => _ -> [_ ->]; rewrite subrr addr0.
Qed.

Lemma sum_shared : \sum_s shared s = (1 + hockey 1 R_0 R_1) / q.
Proof.
rewrite -mulr_suml -sum_above; congr (_ / _); case: law_1 => _ <-; rewrite -big_split /=.
apply: eq_bigr => s _; case: (leP (R_0 s) (R_1 s)) => [h|/ltW h].
  by rewrite (max_idPr _) ?subr_le0 // addr0.
by rewrite (max_idPl _) ?subr_ge0 // addrC subrK.
Qed.

Theorem corner_law_largest g t : convex g ->
  \sum_s shared s * g (t + likelihood s) + (1 - \sum_s shared s) * g t <= \sum_z another z * g (t + score E z).
Proof.
move=> g_convex; pose tau := hockey 1 R_0 R_1.
have q_neq0 : q != 0 by rewrite gt_eqF // q_gt0.
have p1_neq0 : 1 - p_inv != 0 by rewrite gt_eqF // one_sub_p_inv_gt0.
apply: (@le_trans _ _ (kappa * (tau * g (t + score E (inord 0)) + tau * g (t + score E (inord 1)))
    + ((1 + tau) / q - kappa * (tau + tau)) * g (t + score E (inord 2)) + (1 - (1 + tau) / q) * g t)).
  rewrite sum_shared ler_add2r; apply: le_trans (ler_sum _ (fun s _ => moved_to_corners t s g_convex)) _.
  by rewrite big_split /= -mulr_sumr big_split /= -!mulr_suml sumrB -mulr_sumr big_split /= sum_above sum_below sum_shared.
have none : score E (inord 3) = 0 by rewrite /score inordK.
rewrite sum_messages none addr0 /PairDefinitions.another !inordK //= -subr_ge0.
set a := g (t + score E (inord 0)); set b := g (t + score E (inord 1)); set d := g (t + score E (inord 2)).
rewrite [X in 0 <= X](_ : _ = (beta - tau) * kappa * (a + b - ((1 + p_inv) * d + (1 - p_inv) * g t))); last first.
  by rewrite /PairDefinitions.corner; field; rewrite ?q_neq0 ?p1_neq0.
by rewrite !mulr_ge0 ?subr_ge0 ?invr_ge0 ?mulr_ge0 ?(ltW q_gt0) ?(ltW one_sub_p_inv_gt0) ?spread //.
Qed.

End OneStep.
End Pair.
