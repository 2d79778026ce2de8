(* One shuffled message per user, n >= 1 users with the same randomizer: what the shuffled histogram's privacy says of the randomizer itself.

     one_message_is_local        (epsilon, delta)-DP gives an (epsilon + ln n, delta)-DP local randomizer          (CSUZZ19, Theorem 6.2);
     pure_one_message_is_local   epsilon-DP gives an epsilon-DP local randomizer, whatever n                       (BC20, Claim 4.2).

   The hypothesis is on the histogram of the messages, all that a shuffler shows; for the shuffled messages themselves, shuffle_private_histogram. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section OneMessage.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S).

Lemma sum_of_products n (F : 'I_n -> S -> R) : \sum_(m : n.-tuple S) \prod_i F i (tnth m i) = \prod_i \sum_s F i s.
Proof.
rewrite bigA_distr_bigA [RHS](reindex (fun m : n.-tuple S => [ffun i => tnth m i])) /=; last first.
  exists (fun f : {ffun 'I_n -> S} => [tuple f i | i < n]) => [m _|f _].
    by apply: eq_from_tnth => i; rewrite tnth_mktuple ffunE.
  by apply/ffunP => i; rewrite ffunE tnth_mktuple.
by apply: eq_bigr => m _; apply: eq_bigr => i _; rewrite ffunE.
Qed.

(* The message of user i alone. *)
Lemma message_marginal n (w : n.-tuple D) (A : {set S}) i :
  \sum_(m : n.-tuple S | tnth m i \in A) messages randomizer w m = \sum_(s in A) randomizer (tnth w i) s.
Proof.
pose F j s := if (j == i) && (s \notin A) then 0 else randomizer (tnth w j) s.
transitivity (\sum_(m : n.-tuple S) \prod_j F j (tnth m j)).
  rewrite big_mkcond; apply: eq_bigr => m _; rewrite /F; case: ifP => [mi|/negbT mi].
    by apply: eq_bigr => j _; case: eqP => [->|_] //; rewrite mi.
  by rewrite (bigD1 i) //= eqxx mi mul0r.
rewrite sum_of_products (bigD1 i) //= [X in _ * X]big1 ?mulr1 => [|j ji]; last first.
  by rewrite /F (negPf ji) /=; apply: mass_sum1.
by rewrite [RHS]big_mkcond; apply: eq_bigr => s _; rewrite /F eqxx /=; case: (s \in A).
Qed.

Lemma messages_ge0 n (w : n.-tuple D) m : 0 <= messages randomizer w m.
Proof. by apply: prodr_ge0 => i _; apply: mass_ge0. Qed.

Lemma histogram_event n (P : n.-tuple S -> R) (event : {set {ffun S -> 'I_n.+1}}) :
  \sum_(y in event) image_law (@histogram S n) P y = \sum_(m | histogram m \in event) P m.
Proof.
rewrite [RHS](partition_big (@histogram S n) (mem event)) //=; apply: eq_bigr => y y_in.
by apply: eq_bigl => m; case: eqP => [->|]; rewrite ?y_in ?andbF.
Qed.

Lemma histogram_mass n (m : n.-tuple S) s : histogram m s = count_mem s m :> nat.
Proof. by rewrite ffunE inordK // ltnS -[X in (_ <= X)%N](size_tuple m) count_size. Qed.

Lemma shuffle_private_histogram n (E delta : R) :
  private E delta (fun w : n.-tuple D => shuffle (messages randomizer w)) ->
  private E delta (fun w : n.-tuple D => image_law (@histogram S n) (messages randomizer w)).
Proof.
move=> privacy w w' near; apply/dp_iff_hockey.
rewrite (eq_hockey E (histogram_shuffle (messages randomizer w)) (histogram_shuffle (messages randomizer w'))).
by apply/dp_iff_hockey; move: near; apply: (private_post_processing (@histogram S n) privacy).
Qed.

Variable n : nat.

(* One user has x, everybody else x'. *)
Definition one_against_all (x x' : D) : n.+1.-tuple D := [tuple of x :: nseq n x'].

Lemma one_against_all_near x x' : neighbours (one_against_all x x') (one_against_all x' x').
Proof.
exists ord0 => j; case: (unliftP ord0 j) => [i -> _|->]; last by rewrite eqxx.
by rewrite !tnthS.
Qed.

Lemma all_the_same x' i : tnth (one_against_all x' x') i = x'.
Proof. by rewrite (tnth_nth x') /= -[_ :: _]/(nseq n.+1 x') nth_nseq if_same. Qed.

Definition some_message_in (A : {set S}) : {set {ffun S -> 'I_n.+2}} :=
  [set y : {ffun S -> 'I_n.+2} | [exists s, (s \in A) && (0 < y s)%N]].

Lemma some_message_inP (A : {set S}) (m : n.+1.-tuple S) : (histogram m \in some_message_in A) = has (mem A) m.
Proof.
rewrite inE; apply/existsP/hasP => [[s /andP[sA]]|[s sm sA]].
  by rewrite histogram_mass -has_count => /hasP[s' ms' /eqP ss']; exists s'; rewrite // ss'.
exists s; apply/andP; split; first exact: sA.
by rewrite histogram_mass -has_count; apply/hasP; exists s => //=.
Qed.

Theorem one_message_is_local (E delta : R) : 0 <= E ->
    private E delta (fun w : n.+1.-tuple D => image_law (@histogram S n.+1) (messages randomizer w)) ->
  forall x x', dp (n.+1%:R * E) delta (randomizer x) (randomizer x').
Proof.
move=> E0 privacy x x' A; have := privacy _ _ (one_against_all_near x x') (some_message_in A).
rewrite !histogram_event !(eq_bigl _ _ (some_message_inP A)) => bound.
apply: (@le_trans _ _ (\sum_(m : n.+1.-tuple S | has (mem A) m) messages randomizer (one_against_all x x') m)).
  rewrite -[X in randomizer X](_ : tnth (one_against_all x x') ord0 = x) // -message_marginal.
  rewrite [leLHS]big_mkcond [leRHS]big_mkcond; apply: ler_sum => m _; case: ifP => mA; last by case: ifP => // _; apply: messages_ge0.
  by rewrite ifT //; apply/hasP; exists (tnth m ord0) => //; apply: mem_tnth.
apply: le_trans bound _; rewrite ler_add2r [_ * E]mulrC -mulrA ler_wpmul2l //.
rewrite mulr_natl -[X in _ *+ X](card_ord n.+1) -sumr_const.
rewrite (eq_bigr (fun i => \sum_(m : n.+1.-tuple S | tnth m i \in A) messages randomizer (one_against_all x' x') m)) => [|i _]; last first.
  by rewrite message_marginal all_the_same.
rewrite [leLHS]big_mkcond /=.
under [leRHS]eq_bigr do rewrite big_mkcond; rewrite exchange_big; apply: ler_sum => m _ /=.
case: ifP => [/hasP[s /tnthP[i ->] mA]|_]; last by apply: sumr_ge0 => i _; case: ifP => // _; apply: messages_ge0.
rewrite (bigD1 i) //= ifT // ler_addl; apply: sumr_ge0 => j _; case: ifP => // _; exact: messages_ge0.
Qed.

Lemma all_equal_histogram (m : n.+1.-tuple S) s : (histogram m == histogram [tuple of nseq n.+1 s]) = (m == [tuple of nseq n.+1 s]).
Proof.
apply/eqP/eqP => [|->] // /ffunP/(_ s)/(congr1 val); rewrite /= !histogram_mass /= -[_ :: _]/(nseq n.+1 s).
rewrite -/(count_mem s _) count_nseq /= eqxx mul1n => all_s; apply: val_inj => /=.
have : all (pred1 s) m by rewrite all_count all_s size_tuple.
by move/all_pred1P; rewrite size_tuple.
Qed.

Theorem pure_one_message_is_local (E : R) : 0 <= E ->
    private E 0 (fun w : n.+1.-tuple D => image_law (@histogram S n.+1) (messages randomizer w)) ->
  forall x x' s, randomizer x s <= E * randomizer x' s.
Proof.
move=> E0 privacy x x' s; have [x's0|x's_neq0] := eqVneq (randomizer x' s) 0.
  have := one_message_is_local E0 privacy x x' [set s]; by rewrite !big_set1 x's0 !mulr0 addr0.
have x's_gt0 : 0 < randomizer x' s by rewrite lt_def x's_neq0 mass_ge0.
have := privacy _ _ (one_against_all_near x x') [set histogram [tuple of nseq n.+1 s]].
have mass y : \sum_(m : n.+1.-tuple S | histogram m \in [set histogram [tuple of nseq n.+1 s]]) messages randomizer (one_against_all y x') m
    = randomizer y s * randomizer x' s ^+ n.
  rewrite (big_pred1 [tuple of nseq n.+1 s]) => [|m]; last by rewrite inE all_equal_histogram.
  rewrite /messages big_ord_recl; congr (_ * _).
  rewrite -[RHS]/(_ ^+ n) -[n in RHS](card_ord n) -prodr_const; apply: eq_bigr => i _.
  by rewrite !tnthS !(tnth_nth x') /= nth_nseq ltn_ord (tnth_nth s) /= nth_nseq ltn_ord.
by rewrite !histogram_event !mass addr0 mulrA ler_pmul2r ?exprn_gt0.
Qed.

End OneMessage.
