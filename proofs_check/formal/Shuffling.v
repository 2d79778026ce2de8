(* What is common to all theorems on shuffled adaptive sequences.

     shuffled_is_law         the outputs of a shuffled adaptive sequence have a law: its masses sum to 1, telescoping from the last step;
     shuffled_order_average  for a fixed transcript s adaptivity is gone: the mass at s is an average over orders of prod_i M_i(x_(sigma i))
                             with numbers M_i(x) = R^(i)(s_1 ... s_(i-1), x)(s_i), a permanent over n!;
     order_average_perm_eq   that average does not depend on the order of the data;
     order_average_expand    where every user's number is a mixture, M_i(x_j) = sum_c l_j(c) M'_i(g_j(c)), the average is the mixture of averages
                             over all users' choices c: the expansion behind "hiding among the clones".  (FMT21, section 3) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma permuted_permuted (A : Type) n (w : n.-tuple A) (sigma tau : 'S_n) : permuted (permuted w sigma) tau = permuted w (tau * sigma)%g.
Proof. by apply: eq_from_tnth => i; rewrite !tnth_mktuple permM. Qed.

Lemma permuted1 (A : Type) n (w : n.-tuple A) : permuted w 1%g = w.
Proof. by apply: eq_from_tnth => i; rewrite !tnth_mktuple perm1. Qed.

Lemma factorial_neq0 (R : realFieldType) n : n`!%:R != 0 :> R.
Proof. by rewrite pnatr_eq0 -lt0n fact_gt0. Qed.

Lemma factorial_inv_ge0 (R : realFieldType) n : 0 <= n`!%:R^-1 :> R.
Proof. by rewrite invr_ge0 ler0n. Qed.

Section OrderAverage.
Variables (R : realFieldType) (n : nat).

(* The average over all orders sigma of prod_i M_i(w_(sigma i)). *)
Definition order_average (X : Type) (M : 'I_n -> X -> R) (w : n.-tuple X) : R :=
  n`!%:R^-1 * \sum_(sigma : 'S_n) \prod_(i < n) M i (tnth w (sigma i)).

Lemma shuffled_order_average (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (w : n.-tuple D) (s : n.-tuple S) :
  shuffled randomizers w s = order_average (fun i x => randomizers (take i s) x (tnth s i)) w.
Proof.
congr (_ * _); apply: eq_bigr => sigma _; apply: eq_bigr => i _.
by rewrite tnth_mktuple.
Qed.

Lemma order_average_permuted (X : Type) (M : 'I_n -> X -> R) (w : n.-tuple X) (tau : 'S_n) :
  order_average M (permuted w tau) = order_average M w.
Proof.
congr (_ * _); rewrite [RHS](reindex_inj (mulIg tau)) /=.
by apply: eq_bigr => sigma _; apply: eq_bigr => i _; rewrite tnth_mktuple permM.
Qed.

Lemma order_average_perm_eq (X : eqType) (M : 'I_n -> X -> R) (w w' : n.-tuple X) :
  perm_eq w w' -> order_average M w = order_average M w'.
Proof.
case/tuple_permP => tau /val_inj ->.
by rewrite -/(permuted w' tau) order_average_permuted.
Qed.

Lemma order_average_expand (X Y : Type) (C : finType) (M : 'I_n -> X -> R) (N : 'I_n -> Y -> R)
    (weight : 'I_n -> C -> R) (choice : 'I_n -> C -> Y) (w : n.-tuple X) :
  (forall i j, M i (tnth w j) = \sum_c weight j c * N i (choice j c)) ->
  order_average M w =
    \sum_(f : {ffun 'I_n -> C}) (\prod_j weight j (f j)) * order_average N [tuple choice j (f j) | j < n].
Proof.
move=> mixture; rewrite /order_average.
under [RHS]eq_bigr do rewrite mulrCA.
rewrite -mulr_sumr; congr (_ * _).
under [RHS]eq_bigr do rewrite mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => sigma _.
under eq_bigr do rewrite mixture.
rewrite (reindex_inj (@perm_inj _ sigma^-1%g)) /=.
under eq_bigr do rewrite permKV.
rewrite bigA_distr_bigA /=; apply: eq_bigr => f _.
rewrite big_split /=; congr (_ * _).
rewrite [RHS](reindex_inj (@perm_inj _ sigma^-1%g)) /=.
by apply: eq_bigr => j _; rewrite tnth_mktuple permKV.
Qed.

End OrderAverage.

Section Law.
Variables (R : realFieldType) (D : Type) (S : finType).
Implicit Types randomizers : adaptive_randomizers R D S.

Lemma sum_tuples n (F : n.+1.-tuple S -> R) : \sum_s F s = \sum_x \sum_(s : n.-tuple S) F [tuple of x :: s].
Proof.
rewrite pair_big /=; apply: (reindex (fun p : S * n.-tuple S => [tuple of p.1 :: p.2])).
exists (fun s => (thead s, [tuple of behead s])) => [[x s] _|s _] /=.
  by congr pair; apply: val_inj.
by rewrite -tuple_eta.
Qed.

Lemma transcript_cons randomizers n (w : n.+1.-tuple D) x (s : n.-tuple S) :
  transcript randomizers w [tuple of x :: s] =
  randomizers [::] (thead w) x * transcript (fun z => randomizers (x :: z)) [tuple of behead w] s.
Proof.
rewrite /transcript big_ord_recl /= tnth0; congr (_ * _).
apply: eq_bigr => i _; rewrite tnth_behead tnthS /=.
by rewrite (_ : lift ord0 i = inord i.+1) //; apply: val_inj; rewrite /= inordK ?ltnS.
Qed.

Lemma transcript_is_law randomizers n (w : n.-tuple D) : is_law (transcript randomizers w).
Proof.
split=> [s|]; first by apply: prodr_ge0 => i _; apply: mass_ge0.
elim: n randomizers w => [|n IH] randomizers w.
  rewrite (bigD1 [tuple]) //= big1 ?addr0 => [|s]; first by rewrite /transcript big_ord0.
  by rewrite [s]tuple0 => /eqP.
rewrite sum_tuples -[RHS](mass_sum1 (randomizers [::] (thead w))); apply: eq_bigr => x _.
under eq_bigr do rewrite transcript_cons.
by rewrite -mulr_sumr IH mulr1.
Qed.

Lemma shuffled_is_law randomizers n (w : n.-tuple D) : is_law (shuffled randomizers w).
Proof.
split=> [s|].
  by rewrite mulr_ge0 ?factorial_inv_ge0 //; apply: sumr_ge0 => sigma _; case: (transcript_is_law randomizers (permuted w sigma)).
rewrite -mulr_sumr exchange_big /=.
rewrite (eq_bigr (fun=> 1)) => [|sigma _]; last by case: (transcript_is_law randomizers (permuted w sigma)).
by rewrite sumr_const card_Sn mulVf ?factorial_neq0.
Qed.

Lemma shuffled_perm_eq (X : eqType) (randomizers : adaptive_randomizers R X S) n (w w' : n.-tuple X) :
  perm_eq w w' -> shuffled randomizers w =1 shuffled randomizers w'.
Proof. by move=> ww' s; rewrite !shuffled_order_average; apply: order_average_perm_eq. Qed.

End Law.

Section OneRandomizer.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) (n : nat).

Lemma shuffle_messages_sum (P : n.-tuple S -> R) (s : n.-tuple S) :
  shuffle P s = n`!%:R^-1 * \sum_(sigma : 'S_n) P (permuted s sigma).
Proof.
congr (_ * _); rewrite [RHS](reindex_inj invg_inj) /=; apply: eq_bigr => sigma _.
rewrite /image_law (big_pred1 (permuted s sigma^-1)) // => m /=.
apply/eqP/eqP => [<-|->]; by rewrite permuted_permuted ?mulgV ?mulVg permuted1.
Qed.

(* For one randomizer it is the same to permute the data and then randomize, or to randomize and then shuffle the messages. *)
Lemma shuffle_messages (w : n.-tuple D) : shuffle (messages randomizer w) =1 shuffled (fun=> randomizer) w.
Proof.
move=> s; rewrite shuffle_messages_sum; congr (_ * _).
rewrite (reindex_inj invg_inj) /=; apply: eq_bigr => sigma _.
rewrite /messages /transcript (reindex_inj (@perm_inj _ sigma)) /=.
by apply: eq_bigr => i _; rewrite !tnth_mktuple permK.
Qed.

(* Counting sees nothing of the shuffler. *)
Lemma histogram_shuffle (P : n.-tuple S -> R) : image_law (@histogram S n) P =1 image_law (@histogram S n) (shuffle P).
Proof.
move=> h; rewrite /image_law; under [RHS]eq_bigr do rewrite shuffle_messages_sum.
rewrite -mulr_sumr exchange_big /= [X in _ * X](eq_bigr (fun=> \sum_(s : n.-tuple S | histogram s == h) P s)).
  by rewrite sumr_const card_Sn -[X in _ * X]mulr_natl mulKf ?factorial_neq0.
move=> sigma _; have injective_permuted : injective (fun m : n.-tuple S => permuted m sigma).
  by apply: (can_inj (g := fun m : n.-tuple S => permuted m sigma^-1%g)) => m; rewrite permuted_permuted mulVg permuted1.
rewrite [RHS](reindex_inj injective_permuted) /=.
apply: eq_bigl => s; congr (_ == h); apply/ffunP => y; rewrite !ffunE; congr inord.
have /seq.permP -> // : perm_eq s (permuted s sigma).
by rewrite perm_sym; apply/tuple_permP; exists sigma.
Qed.

End OneRandomizer.
