(* The profile of the optimal pair: P and Q are the counts of the messages of one special and n - 1 other users.

     pair_profile        D_E(P || Q) = E[(sum of n independent scores of other users)_+]/n;
     pair_profile_swapped  D_E(Q || P) is the same number. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions CornerLaw.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Profile.
Variables (R : realFieldType) (p_inv beta q : R).
Local Notation another := (another p_inv beta q).
Local Notation stop_loss := (stop_loss p_inv beta q).

Local Notation pair_messages := (pair_messages p_inv beta q).
Local Notation pair_P := (pair_P p_inv beta q).
Local Notation pair_Q := (pair_Q p_inv beta q).

Definition weight n (m : n.-tuple 'I_4) : R := \prod_(i < n) another (tnth m i).

Lemma stop_loss_sum (scores : 'I_4 -> R) n t :
  stop_loss scores n t = \sum_(m : n.-tuple 'I_4) weight m * Num.max (t + \sum_(i < n) scores (tnth m i)) 0.
Proof.
elim: n t => [|n IH] t /=.
  rewrite (bigD1 [tuple]) //= [X in _ + X]big1 ?addr0 => [|m]; last by rewrite [m]tuple0 => /eqP.
  by rewrite /weight !big_ord0 mul1r addr0.
rewrite sum_tuples; apply: eq_bigr => z _; rewrite IH mulr_sumr; apply: eq_bigr => m _.
rewrite /weight big_ord_recl [in RHS]big_ord_recl !tnth0 mulrA addrA.
by congr (_ * _ * Num.max (_ + _) 0); apply: eq_bigr => i _; rewrite tnthS.
Qed.

Section SymmetricSums.
Variables (n : nat) (scores : 'I_4 -> R).

Lemma histogram_count (m : n.-tuple 'I_4) z : histogram m z = count_mem z m :> nat.
Proof. by rewrite ffunE inordK // ltnS -[X in (_ <= X)%N](size_tuple m) count_size. Qed.

Lemma sum_of_scores (m : n.-tuple 'I_4) : \sum_(i < n) scores (tnth m i) = \sum_z scores z * (histogram m z)%:R.
Proof.
under [RHS]eq_bigr do rewrite histogram_count -sum1_count big_tuple natr_sum big_mkcond mulr_sumr /=.
rewrite exchange_big /=; apply: eq_bigr => i _.
rewrite (bigD1 (tnth m i)) //= eqxx mulr1 big1 ?addr0 // => z.
by rewrite eq_sym => /negPf ->; rewrite mulr0.
Qed.

Lemma histogram_permuted (m : n.-tuple 'I_4) (sigma : 'S_n) : histogram (permuted m sigma) = histogram m.
Proof.
apply/ffunP => z; apply: val_inj; rewrite /= !histogram_count; apply/seq.permP.
by apply/tuple_permP; exists sigma.
Qed.

End SymmetricSums.

Hypothesis domain : pair_domain p_inv beta q.

Lemma weight_ge0 n (m : n.-tuple 'I_4) : 0 <= weight m.
Proof. by apply: prodr_ge0 => i _; case: (another_is_law domain). Qed.

Section Histogram.
Variables (n : nat) (first first' scores : 'I_4 -> R) (E : R).
Hypothesis scored : forall z, first z - E * first' z = scores z * another z.

Lemma scored_messages (m : n.+1.-tuple 'I_4) :
  pair_messages first m - E * pair_messages first' m = scores (tnth m ord0) * weight m.
Proof.
by rewrite /PairDefinitions.pair_messages /weight big_ord_recl [E * _]mulrA -mulrBl scored mulrA.
Qed.

(* By symmetry it does not matter whose score it is. *)
Lemma any_score (y : {ffun 'I_4 -> 'I_n.+2}) j :
  \sum_(m : n.+1.-tuple 'I_4 | histogram m == y) scores (tnth m j) * weight m =
  \sum_(m : n.+1.-tuple 'I_4 | histogram m == y) scores (tnth m ord0) * weight m.
Proof.
pose exchange (m : n.+1.-tuple 'I_4) := permuted m (tperm ord0 j).
have exchangeK : involutive exchange by move=> m; rewrite /exchange permuted_permuted tperm2 permuted1.
rewrite (reindex_inj (inv_inj exchangeK)) /=; apply: eq_big => [m|m _]; first by rewrite histogram_permuted.
rewrite tnth_mktuple tpermR; congr (_ * _); rewrite /weight (reindex_inj (@perm_inj _ (tperm ord0 j))) /=.
by apply: eq_bigr => i _; rewrite tnth_mktuple tpermK.
Qed.

Theorem histogram_profile :
  hockey E (image_law (@histogram _ n.+1) (pair_messages first (n := n))) (image_law (@histogram _ n.+1) (pair_messages first' (n := n))) =
  stop_loss scores n.+1 0 / n.+1%:R.
Proof.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
have n_ge0 : 0 <= n.+1%:R^-1 :> R by rewrite invr_ge0 ler0n.
rewrite stop_loss_sum [in RHS](partition_big (@histogram _ n.+1) predT) //= mulr_suml; apply: eq_bigr => y _.
pose total := \sum_z scores z * (y z)%:R : R.
have averaged : image_law (@histogram _ n.+1) (pair_messages first (n := n)) y
    - E * image_law (@histogram _ n.+1) (pair_messages first' (n := n)) y =
    (\sum_(m : n.+1.-tuple 'I_4 | histogram m == y) weight m) / n.+1%:R * total.
  rewrite /image_law mulr_sumr -sumrB (eq_bigr _ (fun m _ => scored_messages m)).
  apply: (mulfI n0); rewrite mulrA [n.+1%:R * (_ / _)]mulrC divfK // mulr_natl.
  rewrite -[X in _ *+ X](card_ord n.+1) -sumr_const -(eq_bigr _ (fun j _ => any_score y j)) exchange_big /= mulr_suml.
  apply: eq_bigr => m /eqP hm; rewrite -mulr_suml mulrC; congr (_ * _).
  by rewrite sum_of_scores /total hm.
rewrite averaged positive_part_scale; last first.
  by rewrite mulr_ge0 // sumr_ge0 // => m _; apply: weight_ge0.
rewrite mulrAC; congr (_ / _); rewrite mulr_suml; apply: eq_bigr => m /eqP hm.
by rewrite add0r sum_of_scores /total hm.
Qed.

End Histogram.

(* P - E Q and Q - E P differ in the order of the messages 0 and 1. *)
Definition swapped_score (E : R) (z : 'I_4) : R := nth 0 [:: q * (p_inv - E); q * (1 - p_inv * E); q * (1 - E); 0] z.

Lemma special_swapped_score E z : special_1 p_inv beta z - E * special_0 p_inv beta z = swapped_score E z * another z.
Proof.
have q0 : q != 0 by rewrite gt_eqF ?(q_gt0 domain).
by rewrite /special_0 /special_1 /swapped_score /PairDefinitions.another; case: z => [] [|[|[|[]]]] //= _; field.
Qed.

Lemma stop_loss_swapped E n t : stop_loss (swapped_score E) n t = stop_loss (score p_inv q E) n t.
Proof.
elim: n t => //= n IH t; rewrite !sum_messages !IH.
by rewrite /swapped_score /score /PairDefinitions.another !inordK //= [X in X + _ + _]addrC.
Qed.

Theorem pair_profile E n : hockey E (pair_P n) (pair_Q n) = stop_loss (score p_inv q E) n.+1 0 / n.+1%:R.
Proof. by apply: histogram_profile => z; apply: special_score. Qed.

Theorem pair_profile_swapped E n : hockey E (pair_Q n) (pair_P n) = hockey E (pair_P n) (pair_Q n).
Proof.
rewrite pair_profile -stop_loss_swapped.
by apply: histogram_profile => z; apply: special_swapped_score.
Qed.

Lemma pair_messages_is_law special n : is_law special -> is_law (pair_messages special (n := n)).
Proof.
case=> special0 special1; have [another0 another1] := another_is_law domain; split=> [m|].
  by rewrite mulr_ge0 // prodr_ge0.
rewrite sum_tuples -[RHS]special1; apply: eq_bigr => z _; rewrite -[RHS]mulr1 -[X in _ = _ * X](expr1n _ n) -another1.
rewrite -[in RHS](card_ord n) -prodr_const bigA_distr_bigA mulr_sumr /=.
rewrite [RHS](reindex (fun m : n.-tuple 'I_4 => [ffun i => tnth m i])) /=; last first.
  exists (fun f : {ffun 'I_n -> 'I_4} => [tuple f i | i < n]) => [m _|f _].
    by apply: eq_from_tnth => i; rewrite tnth_mktuple ffunE.
  by apply/ffunP => i; rewrite ffunE tnth_mktuple.
apply: eq_bigr => m _; congr (_ * _); apply: eq_bigr => i _; by rewrite tnthS ffunE.
Qed.

Lemma pair_P_is_law n : is_law (pair_P n).
Proof. by apply: image_law_is_law; apply: pair_messages_is_law; apply: special_0_is_law domain. Qed.

Lemma pair_Q_is_law n : is_law (pair_Q n).
Proof. by apply: image_law_is_law; apply: pair_messages_is_law; apply: special_1_is_law domain. Qed.

End Profile.
