(* No pair that depends on n, p, beta and q only is smaller than the optimal pair: the pair is itself a shuffled randomizer with these
   parameters.

     pair_variation_ratio     its three laws have ratio p, total variation beta and bound q;
     optimal_pair_attained    for every (n, p, beta, q) where the pair is one of laws, some randomizer and some data have R_0 <= p R_1,
                              R_1 <= p R_0, TV(R_0, R_1) <= beta, R_0 <= q R_j, R_1 <= q R_j, and D_E of their shuffled messages is D_E(P || Q)
                              at every E >= 0. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions PairCounts CornerLaw PairProfile OptimalPair.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Attained.
Variables (R : realFieldType) (p_inv beta q : R).
Hypothesis domain : pair_domain p_inv beta q.

(* The data: the two values of the special user, and the value of everybody else. *)
Definition pair_randomizer (x : option bool) : dist R [finType of 'I_4] :=
  match x with
  | Some true => Dist (special_0_is_law domain)
  | Some false => Dist (special_1_is_law domain)
  | None => Dist (another_is_law domain)
  end.

Definition pair_data n (b : bool) : n.+1.-tuple (option bool) := [tuple of Some b :: nseq n None].

Lemma pair_data_special n b : tnth (pair_data n b) ord0 = Some b.
Proof. by []. Qed.

Lemma pair_data_others n b j : j != ord0 -> tnth (pair_data n b) j = None.
Proof.
case: (unliftP ord0 j) => [i ->|->]; last by rewrite eqxx.
by rewrite tnthS (tnth_nth None) /= nth_nseq if_same.
Qed.

Lemma pair_data_messages n b (special := if b then special_0 p_inv beta else special_1 p_inv beta) :
  messages pair_randomizer (pair_data n b) =1 pair_messages special (another p_inv beta q) (n := n).
Proof.
move=> m; rewrite /messages /pair_messages big_ord_recl /special; congr (_ * _); first by case: b special.
by apply: eq_bigr => i _; rewrite pair_data_others.
Qed.

Lemma pair_variation_ratio n : variation_ratio (fun=> pair_randomizer) p_inv beta q (pair_data n true) (pair_data n false) ord0.
Proof.
have p0 := p_inv_ge0 domain; have c0 := corner_ge0 domain; have center0 := center_ge0 domain; have q0 := q_gt0 domain.
have p1 : p_inv <= 1 by rewrite -subr_ge0 ltW // (one_sub_p_inv_gt0 domain).
have pc : p_inv * corner p_inv beta <= corner p_inv beta by rewrite ler_pimull.
have ppc : p_inv * (p_inv * corner p_inv beta) <= corner p_inv beta by rewrite (le_trans _ pc) // ler_wpmul2l.
have center : p_inv * (1 - (1 + p_inv) * corner p_inv beta) <= 1 - (1 + p_inv) * corner p_inv beta by rewrite ler_pimull.
move=> z; rewrite !pair_data_special /=; split.
- by rewrite /special_0 /special_1; case=> [] [|[|[|[]]]] //= _; rewrite mulr0.
- by rewrite /special_0 /special_1; case=> [] [|[|[|[]]]] //= _; rewrite mulr0.
- rewrite /hockey sum_messages /special_0 /special_1 !inordK //= !mul1r !subrr !maxxx !addr0.
  rewrite (max_idPl _) ?subr_ge0 // (max_idPr _) ?subr_le0 // addr0.
  by rewrite -{1}[corner p_inv beta]mul1r -mulrBl mulrC (corner_times domain).
move=> j s j0; rewrite (pair_data_others _ j0) /= /special_0 /special_1 /another.
have back x : q * (x / q) = x by rewrite mulrC divfK // gt_eqF.
have none0 : 0 <= q * (1 - (1 + beta) / q) by rewrite mulr_ge0 ?(none_ge0 domain) ?(ltW q0).
by case: s => [] [|[|[|[]]]] //= _; rewrite ?back.
Qed.

Lemma pair_shuffled n b E : hockey E (shuffled (fun=> pair_randomizer) (pair_data n b)) (shuffled (fun=> pair_randomizer) (pair_data n (~~ b)))
  >= if b then hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n) else hockey E (pair_Q p_inv beta q n) (pair_P p_inv beta q n).
Proof.
apply: le_trans (hockey_image (@histogram _ n.+1) _ _ _).
have counts c : image_law (@histogram _ n.+1) (shuffled (fun=> pair_randomizer) (pair_data n c)) =1
    image_law (@histogram _ n.+1) (pair_messages (if c then special_0 p_inv beta else special_1 p_inv beta) (another p_inv beta q) (n := n)).
  move=> y; transitivity (image_law (@histogram _ n.+1) (messages pair_randomizer (pair_data n c)) y).
    by rewrite [RHS]histogram_shuffle; apply: eq_bigr => s _; rewrite shuffle_messages.
  by apply: eq_bigr => m _; apply: pair_data_messages.
by rewrite (eq_hockey E (counts b) (counts (~~ b))); case: b.
Qed.

End Attained.

Theorem optimal_pair_attained (R : realFieldType) (p_inv beta q : R) n : pair_domain p_inv beta q ->
  exists (randomizer : option bool -> dist R [finType of 'I_4]) (w w' : n.+1.-tuple (option bool)) (i0 : 'I_n.+1),
    [/\ forall j, j != i0 -> tnth w j = tnth w' j, variation_ratio (fun=> randomizer) p_inv beta q w w' i0
      & forall E, 0 <= E -> hockey E (shuffled (fun=> randomizer) w) (shuffled (fun=> randomizer) w')
                            = hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n)].
Proof.
move=> domain; exists (pair_randomizer domain), (pair_data n true), (pair_data n false), ord0.
have others j : j != ord0 -> tnth (pair_data n true) j = tnth (pair_data n false) j by move=> j0; rewrite !pair_data_others.
have parameters := pair_variation_ratio domain n.
split=> // E E0; apply/eqP; rewrite eq_le (pair_shuffled domain n true E) andbT.
exact: (optimal_pair_dominates others domain parameters E0).
Qed.
