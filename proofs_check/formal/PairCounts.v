(* Pairs of counts: how often each of four messages was sent by one special user, under P and under Q, and n - 1 other users of one law.

     counts_profile    if the special user's P - E Q is score x the others' law, then D_E(P || Q) = E[(sum of n independent scores)_+]/n,
                       the scores those of messages of other users: by symmetry the special user is as likely each of the n;
     stop_loss_sum     this expectation is the value at 0 of the recursion stop_loss, which is convex (convex_stop_loss). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Convexity.
Variable R : realFieldType.

(* Convex functions on the field. *)
Definition convex (g : R -> R) : Prop :=
  forall theta x y, 0 <= theta -> theta <= 1 -> g (theta * x + (1 - theta) * y) <= theta * g x + (1 - theta) * g y.

Lemma convex_positive_part : convex (fun x => Num.max x 0).
Proof.
move=> theta x y theta0 theta1; rewrite -!positive_part_scale ?subr_ge0 //.
exact: positive_part_add.
Qed.

Lemma sum_messages (F : 'I_4 -> R) :
  \sum_z F z = F (inord 0) + F (inord 1) + F (inord 2) + F (inord 3).
Proof.
rewrite !big_ord_recl big_ord0 addr0 !addrA.
by congr (F _ + F _ + F _ + F _); apply: val_inj; rewrite /= inordK.
Qed.

End Convexity.

Section Counts.
Variables (R : realFieldType) (others : 'I_4 -> R).

(* The expected positive part of t plus n independent scores. *)
Fixpoint stop_loss (score : 'I_4 -> R) (n : nat) (t : R) : R :=
  if n is n'.+1 then \sum_z others z * stop_loss score n' (t + score z) else Num.max t 0.

Definition weight n (m : n.-tuple 'I_4) : R := \prod_(i < n) others (tnth m i).

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

Hypothesis others_law : is_law others.

Lemma convex_stop_loss (scores : 'I_4 -> R) n : convex (stop_loss scores n).
Proof.
elim: n => [|n IH] theta x y theta0 theta1; first exact: convex_positive_part.
rewrite /= !mulr_sumr -big_split /=; apply: ler_sum => z _.
rewrite ![_ * (others z * _)]mulrCA -mulrDr ler_wpmul2l //; first by case: others_law.
rewrite [X in stop_loss _ _ X <= _](_ : _ = theta * (x + scores z) + (1 - theta) * (y + scores z)); last by ring.
exact: IH.
Qed.

Lemma stop_loss_ge0 (scores : 'I_4 -> R) n t : 0 <= stop_loss scores n t.
Proof.
elim: n t => [|n IH] t /=; first exact: positive_part_ge0.
by apply: sumr_ge0 => z _; rewrite mulr_ge0 //; case: others_law.
Qed.

Lemma weight_ge0 n (m : n.-tuple 'I_4) : 0 <= weight m.
Proof. by apply: prodr_ge0 => i _; case: others_law. Qed.

Section Histogram.
Variables (n : nat) (first first' scores : 'I_4 -> R) (E : R).
Hypothesis scored : forall z, first z - E * first' z = scores z * others z.

Lemma scored_messages (m : n.+1.-tuple 'I_4) :
  pair_messages first others m - E * pair_messages first' others m = scores (tnth m ord0) * weight m.
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

Theorem counts_profile :
  hockey E (pair_counts first others n) (pair_counts first' others n) =   stop_loss scores n.+1 0 / n.+1%:R.
Proof.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
have n_ge0 : 0 <= n.+1%:R^-1 :> R by rewrite invr_ge0 ler0n.
rewrite stop_loss_sum [in RHS](partition_big (@histogram _ n.+1) predT) //= mulr_suml; apply: eq_bigr => y _.
pose total := \sum_z scores z * (y z)%:R : R.
have averaged : pair_counts first others n y
    - E * pair_counts first' others n y =
    (\sum_(m : n.+1.-tuple 'I_4 | histogram m == y) weight m) / n.+1%:R * total.
  rewrite /pair_counts /image_law mulr_sumr -sumrB (eq_bigr _ (fun m _ => scored_messages m)).
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

Lemma pair_messages_is_law special n : is_law special -> is_law (pair_messages special others (n := n)).
Proof.
case=> special0 special1; have [others0 others1] := others_law; split=> [m|].
  by rewrite mulr_ge0 // prodr_ge0.
rewrite sum_tuples -[RHS]special1; apply: eq_bigr => z _; rewrite -[RHS]mulr1 -[X in _ = _ * X](expr1n _ n) -others1.
rewrite -[in RHS](card_ord n) -prodr_const bigA_distr_bigA mulr_sumr /=.
rewrite [RHS](reindex (fun m : n.-tuple 'I_4 => [ffun i => tnth m i])) /=; last first.
  exists (fun f : {ffun 'I_n -> 'I_4} => [tuple f i | i < n]) => [m _|f _].
    by apply: eq_from_tnth => i; rewrite tnth_mktuple ffunE.
  by apply/ffunP => i; rewrite ffunE tnth_mktuple.
apply: eq_bigr => m _; congr (_ * _); apply: eq_bigr => i _; by rewrite tnthS ffunE.
Qed.

Lemma pair_counts_is_law special n : is_law special -> is_law (pair_counts special others n).
Proof. by move=> law; apply: image_law_is_law; apply: pair_messages_is_law. Qed.

End Counts.
