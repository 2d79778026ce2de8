(* FMT21, Theorem 4.1, with its kernel: randomizers that share three parts, in an adaptive sequence of n >= 1 steps.

     Let R_0 = q Q_0 + (1 - q) Q and R_1 = q Q_1 + (1 - q) Q on the two values of user i0 at every step, and let every other user's law be
     p Q_0 + p Q_1 + p Q and (1 - 3p) times a law of its own, 0 < p <= 1/3, 0 <= q <= 1.

     three_clones            there is one kernel that takes the law of the counts (A + Gamma, B, C + 1 - Gamma, rest) to the law of the outputs on
                             shuffled w, and that of (A, B + Gamma, C + 1 - Gamma, rest) to the law on shuffled w', where
                             (A, B, C, rest) ~ Mult(n - 1; p, p, p, 1 - 3p) and Gamma ~ Bern(q) is independent.

   The counts are those of four messages 0, 1, d, none (`pair_counts`): the special user sends 0 (under Q: 1) with probability q, else d.

     shuffled_as_counts      the same for any special and common weights of the three parts: the kernel, given the counts, lets all assignments of
                             parts to users with these counts in which user i0 has a part be equally likely, and runs the shuffled sequence;
     exchange_parts          why that does not depend on i0's own weights: given the counts, every position with a part is equally likely i0's. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling PairDefinitions PairCounts ThreeParts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Exchange.
Variables (R : realFieldType) (n : nat) (i0 : 'I_n).
Local Notation choices := {ffun 'I_n -> 'I_4}.
Implicit Types (f : choices) (y : {ffun 'I_4 -> 'I_n.+1}) (c : 'I_4).

(* The message `none` is the last: no part is used. *)
Definition none : 'I_4 := ord_max.

Definition choice_counts f : {ffun 'I_4 -> 'I_n.+1} := histogram [tuple f j | j < n].

Definition swapped f j : choices := [ffun i => f (tperm i0 j i)].

Lemma swappedK j : involutive (swapped^~ j).
Proof. by move=> f; apply/ffunP => i; rewrite !ffunE tpermK. Qed.

Lemma choice_counts_swapped f j : choice_counts (swapped f j) = choice_counts f.
Proof.
rewrite /choice_counts -[RHS](histogram_permuted _ (tperm i0 j)); congr histogram.
by apply: eq_from_tnth => i; rewrite !tnth_mktuple ffunE.
Qed.

Lemma choice_counts_card f c : choice_counts f c = #|[set j | f j == c]| :> nat.
Proof.
rewrite histogram_count -sum1_count big_tuple /= -sum1_card; apply: eq_big => [j|//].
by rewrite inE tnth_mktuple.
Qed.

Definition with_part f : {set 'I_n} := [set j | f j != none].

Lemma card_with_part f : #|with_part f| = (n - choice_counts f none)%N.
Proof.
have -> : with_part f = ~: [set j | f j == none] by apply/setP => j; rewrite !inE.
by rewrite cardsCs setCK card_ord choice_counts_card.
Qed.

Variable y : {ffun 'I_4 -> 'I_n.+1}.
Variable summand : choices -> R.
Hypothesis invariant : forall f j, f i0 != none -> f j != none -> summand (swapped f j) = summand f.

Lemma exchange_parts_times c : c != none ->
  (n - y none)%:R * (\sum_(f | (choice_counts f == y) && (f i0 == c)) summand f) =
  (y c)%:R * \sum_(f | (choice_counts f == y) && (f i0 != none)) summand f.
Proof.
move=> c_none; transitivity (\sum_(f | (choice_counts f == y) && (f i0 == c)) \sum_(j | j \in with_part f) summand f).
  rewrite mulr_sumr; apply: eq_bigr => f /andP[/eqP fy _].
  by rewrite sumr_const card_with_part fy mulr_natl.
transitivity (\sum_(f | (choice_counts f == y) && (f i0 != none)) \sum_(j | j \in [set j | f j == c]) summand f); last first.
  rewrite mulr_sumr; apply: eq_bigr => f /andP[/eqP <- _].
  by rewrite sumr_const -choice_counts_card mulr_natl.
rewrite (exchange_big_dep xpredT) //= [RHS](exchange_big_dep xpredT) //=; apply: eq_bigr => j _.
rewrite (reindex_inj (inv_inj (swappedK j))) /=; apply: eq_big => [f|f].
  by rewrite !inE choice_counts_swapped !ffunE tpermL tpermR andbAC.
rewrite !inE choice_counts_swapped !ffunE tpermL tpermR => /andP[/andP[_ /eqP fj] f0].
by apply: invariant; rewrite ?fj.
Qed.

Lemma exchange_parts c : c != none ->
  \sum_(f | (choice_counts f == y) && (f i0 == c)) summand f =
  (y c)%:R / (n - y none)%:R * \sum_(f | (choice_counts f == y) && (f i0 != none)) summand f.
Proof.
move=> c_none; have [none_left|some] := eqVneq (n - y none)%N 0%N; last first.
  by rewrite mulrAC -exchange_parts_times // mulrAC mulfV ?mul1r // pnatr_eq0.
rewrite none_left invr0 mulr0 mul0r big_pred0 // => f; apply/negP => /andP[/eqP fy /eqP f0].
have : with_part f = set0 by apply/eqP; rewrite -cards_eq0 card_with_part fy none_left.
by move/setP/(_ i0); rewrite !inE f0 c_none.
Qed.

(* Weights that look at the special user's part, and at the counts. *)
Variable score : 'I_4 -> R.
Hypothesis score_none : score none = 0.

Lemma weighted_by_score :
  \sum_(f | choice_counts f == y) score (f i0) * summand f =
  (\sum_(c | c != none) score c * (y c)%:R / (n - y none)%:R) * \sum_(f | (choice_counts f == y) && (f i0 != none)) summand f.
Proof.
rewrite (partition_big (fun f => f i0) predT) //= (bigD1 none) //= big1 ?add0r => [|f /andP[_ /eqP ->]]; last by rewrite score_none mul0r.
rewrite mulr_suml; apply: eq_bigr => c c_none; rewrite -[score c * _ / _]mulrA -mulrA -exchange_parts // mulr_sumr.
by apply: eq_bigr => f /andP[_ /eqP ->].
Qed.

End Exchange.

Section Kernel.
Variables (R : realFieldType) (D : Type) (S : finType) (n : nat) (randomizers : adaptive_randomizers R D S).
Variables (w w' : n.+1.-tuple D) (i0 : 'I_n.+1).
Variables (part : seq S -> 'I_4 -> dist R S) (own : seq S -> 'I_n.+1 -> dist R S).
Variables (special : bool -> 'I_4 -> R) (others : 'I_4 -> R) (score : bool -> 'I_4 -> R).
Local Notation choices := {ffun 'I_n.+1 -> 'I_4}.
Local Notation data like := (if like then w else w').

(* The law of what a choice sends: a part, or what is left of the own randomizer. *)
Definition sent (z : seq S) (j : 'I_n.+1) (c : 'I_4) : dist R S := if c == none then own z j else part z c.

Hypothesis scored : forall like c, special like c = score like c * others c.
Hypothesis score_none : forall like, score like none = 0.
Hypothesis special_mixture : forall like z s, randomizers z (tnth (data like) i0) s = \sum_c special like c * sent z i0 c s.
Hypothesis others_mixture : forall like z j s, j != i0 -> randomizers z (tnth (data like) j) s = \sum_c others c * sent z j c s.

Definition hidden_parts : adaptive_randomizers R [finType of 'I_4 + 'I_n.+1] S :=
  fun z d => match d with inl c => part z c | inr j => own z j end.

Definition hidden_choice (j : 'I_n.+1) (c : 'I_4) : 'I_4 + 'I_n.+1 := if c == none then inr j else inl c.

Definition user_weight like (j : 'I_n.+1) (c : 'I_4) : R := if j == i0 then special like c else others c.

(* The law of the outputs, given everybody's choice. *)
Definition given_parts (f : choices) : n.+1.-tuple S -> R := shuffled hidden_parts [tuple hidden_choice j (f j) | j < n.+1].

Lemma given_parts_is_law f : is_law (given_parts f).
Proof. exact: shuffled_is_law. Qed.

Lemma shuffled_by_choices like s :
  shuffled randomizers (data like) s = \sum_(f : choices) (\prod_j user_weight like j (f j)) * given_parts f s.
Proof.
rewrite shuffled_order_average.
rewrite (order_average_expand (N := fun i d => hidden_parts (take i s) d (tnth s i)) (choice := hidden_choice) (weight := user_weight like)).
  by apply: eq_bigr => f _; rewrite /given_parts shuffled_order_average.
move=> i j; rewrite /user_weight; have [->|ji] := eqVneq j i0; rewrite ?special_mixture ?others_mixture //.
all: by apply: eq_bigr => c _; rewrite /hidden_choice /sent; case: eqP.
Qed.

(* Who has which part does not matter. *)
Lemma given_parts_swapped (f : choices) j s : f i0 != none -> f j != none -> given_parts (swapped i0 f j) s = given_parts f s.
Proof.
move=> /negPf f0 /negPf fj; rewrite /given_parts !shuffled_order_average -[RHS](order_average_permuted _ _ (tperm i0 j)).
congr (order_average _ _); apply: eq_from_tnth => i; rewrite !tnth_mktuple ffunE /hidden_choice.
by case: tpermP => [->|->|//]; rewrite ?f0 ?fj.
Qed.

Lemma prod_user_weight like (f : choices) : \prod_j user_weight like j (f j) = score like (f i0) * \prod_j others (f j).
Proof.
rewrite (bigD1 i0) //= [in RHS](bigD1 i0) //= mulrA -scored {1}/user_weight eqxx; congr (_ * _).
by apply: eq_bigr => j /negPf ji; rewrite /user_weight ji.
Qed.

(* The common weights of all users depend on the counts only. *)
Lemma prod_others_counts (f : choices) : \prod_j others (f j) = \prod_c others c ^+ choice_counts f c.
Proof.
rewrite (partition_big f predT) //=; apply: eq_bigr => c _.
rewrite (eq_bigr (fun=> others c)) => [|j /eqP -> //]; rewrite prodr_const choice_counts_card.
by congr (_ ^+ _); apply: eq_card => j; rewrite inE.
Qed.

Definition ways (y : {ffun 'I_4 -> 'I_n.+2}) : {set choices} := [set f | (choice_counts f == y) && (f i0 != none)].

Definition coefficient like (y : {ffun 'I_4 -> 'I_n.+2}) : R :=
  (\prod_c others c ^+ y c) * \sum_(c | c != none) score like c * (y c)%:R / (n.+1 - y none)%:R.

Lemma sum_by_counts like y (summand : choices -> R) :
    (forall (f : choices) j, f i0 != none -> f j != none -> summand (swapped i0 f j) = summand f) ->
  \sum_(f | choice_counts f == y) (\prod_j user_weight like j (f j)) * summand f = coefficient like y * \sum_(f in ways y) summand f.
Proof.
move=> invariant; rewrite (eq_bigl (fun f => (choice_counts f == y) && (f i0 != none)) summand); last by move=> f; rewrite inE.
rewrite /coefficient -mulrA -(weighted_by_score y invariant (score_none like)) mulr_sumr; apply: eq_bigr => f /eqP fy.
by rewrite prod_user_weight prod_others_counts fy [score _ _ * _]mulrC -mulrA.
Qed.

(* The law of the counts. *)
Lemma pair_counts_by_choices like y :
  pair_counts (special like) others n y = \sum_(f : choices | choice_counts f == y) \prod_j user_weight like j (f j).
Proof.
rewrite /pair_counts /image_law.
transitivity (\sum_(m : n.+1.-tuple 'I_4 | histogram m == y) score like (tnth m ord0) * weight others m).
  apply: eq_bigr => m _; rewrite /PairDefinitions.pair_messages /weight big_ord_recl mulrA -scored.
  by congr (special like _ * _).
rewrite -(any_score others (score like) y i0).
rewrite [RHS](reindex (fun m : n.+1.-tuple 'I_4 => [ffun i => tnth m i])) /=; last first.
  exists (fun f : choices => [tuple f i | i < n.+1]) => [m _|f _].
    by apply: eq_from_tnth => i; rewrite tnth_mktuple ffunE.
  by apply/ffunP => i; rewrite ffunE tnth_mktuple.
apply: eq_big => [m|m _]; last by rewrite prod_user_weight ffunE; congr (_ * _); apply: eq_bigr => i _; rewrite ffunE.
rewrite /choice_counts; congr (histogram _ == y).
by apply: eq_from_tnth => i; rewrite tnth_mktuple ffunE.
Qed.

Definition parts_mass (y : {ffun 'I_4 -> 'I_n.+2}) (s : n.+1.-tuple S) : R :=
  if ways y == set0 then shuffled randomizers w s else (\sum_(f in ways y) given_parts f s) / #|ways y|%:R.

Lemma parts_mass_is_law y : is_law (parts_mass y).
Proof.
rewrite /parts_mass; case: eqP => [_|/eqP some]; first exact: shuffled_is_law.
split=> [s|]; first by rewrite divr_ge0 ?ler0n // sumr_ge0 // => f _; case: (given_parts_is_law f).
rewrite -mulr_suml exchange_big /= (eq_bigr (fun=> 1)) => [|f _]; last by case: (given_parts_is_law f).
by rewrite sumr_const mulfV // pnatr_eq0 cards_eq0.
Qed.

Definition parts_kernel y : dist R [finType of n.+1.-tuple S] := Dist (parts_mass_is_law y).

Theorem shuffled_as_counts like : shuffled randomizers (data like) =1 push parts_kernel (pair_counts (special like) others n).
Proof.
move=> s; rewrite shuffled_by_choices (partition_big (@choice_counts n.+1) predT) //=; apply: eq_bigr => y _.
rewrite pair_counts_by_choices (sum_by_counts like y (fun f j f0 fj => given_parts_swapped s f0 fj)).
under [in RHS]eq_bigr do rewrite -[\prod_j _]mulr1.
rewrite (sum_by_counts like y (summand := fun=> 1)) // sumr_const /= /parts_mass.
have [none_left|some] := eqVneq (ways y) set0; first by rewrite none_left big_set0 cards0 mulr0 mul0r.
rewrite -mulrA; congr (_ * _); rewrite mulrC divfK // pnatr_eq0 cards_eq0; exact: some.
Qed.

End Kernel.

Section ThreeClones.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (p q : R) (Q_0 Q_1 Q : seq S -> dist R S).
Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.
Hypotheses (p_gt0 : 0 < p) (p_le : p *+ 3 <= 1) (q_ge0 : 0 <= q) (q_le1 : q <= 1).
Hypothesis parts_0 : forall z s, randomizers z (tnth w i0) s = q * Q_0 z s + (1 - q) * Q z s.
Hypothesis parts_1 : forall z s, randomizers z (tnth w' i0) s = q * Q_1 z s + (1 - q) * Q z s.
Hypothesis parts : forall z j s, j != i0 -> p * Q_0 z s + p * Q_1 z s + p * Q z s <= randomizers z (tnth w j) s.

Definition left_of (z : seq S) (j : 'I_n.+1) (s : S) : R :=
  if (j == i0) || (p *+ 3 == 1) then Q z s else (randomizers z (tnth w j) s - (p * Q_0 z s + p * Q_1 z s + p * Q z s)) / (1 - p *+ 3).

Lemma left_of_is_law z j : is_law (left_of z j).
Proof.
rewrite /left_of; case: eqVneq => [_|ji]; first exact: mass_is_law.
case: eqVneq => [_|p3] /=; first exact: mass_is_law.
have rest : 0 < 1 - p *+ 3 by rewrite subr_gt0 lt_def eq_sym p3.
split=> [s|]; first by rewrite divr_ge0 ?(ltW rest) // subr_ge0 parts.
rewrite -mulr_suml sumrB !big_split -!mulr_sumr !mass_sum1 /= !mulr1 -[X in 1 - X]/(p + p + p).
by rewrite -mulr2n -mulrSr mulfV // gt_eqF.
Qed.

Let own z j : dist R S := Dist (left_of_is_law z j).
Let part z (c : 'I_4) : dist R S := if val c == 0%N then Q_0 z else if val c == 1%N then Q_1 z else Q z.

Theorem three_clones : exists K : {ffun 'I_4 -> 'I_n.+2} -> dist R [finType of n.+1.-tuple S],
  shuffled randomizers w =1 push K (pair_counts (part_special_0 q) (part_others p) n) /\
  shuffled randomizers w' =1 push K (pair_counts (part_special_1 q) (part_others p) n).
Proof.
pose special (like : bool) := if like then part_special_0 q else part_special_1 q.
pose score (like : bool) (c : 'I_4) := if c == none then 0 else special like c / p.
have p_neq0 : p != 0 by rewrite gt_eqF.
have sums (F : 'I_4 -> R) : \sum_c F c = F (inord 0) + F (inord 1) + F (inord 2) + F none.
  by rewrite sum_messages; congr (_ + F _); apply: val_inj; rewrite /= inordK.
have scored like c : special like c = score like c * part_others p c.
  by rewrite /score /special /part_special_0 /part_special_1 /part_others; case: like; case: c => [] [|[|[|[]]]] //= _; field.
have special_is like z s : randomizers z (tnth (if like then w else w') i0) s = \sum_c special like c * sent part own z i0 c s.
  rewrite sums /sent /part /special /part_special_0 /part_special_1 -!val_eqE /= !inordK //=.
  by case: like; rewrite ?parts_0 ?parts_1 /= !inordK //=; ring.
have others_are like z j s : j != i0 -> randomizers z (tnth (if like then w else w') j) s = \sum_c part_others p c * sent part own z j c s.
  move=> ji; have -> : tnth (if like then w else w') j = tnth w j by case: like; rewrite // others_equal.
  rewrite sums /sent /part /part_others -!val_eqE /= !inordK //= /left_of (negPf ji) /=.
  case: eqVneq => [p3|p3]; last by rewrite [_ * (_ / _)]mulrC divfK ?subr_eq0 1?eq_sym // addrC subrK.
  rewrite p3 subrr mul0r addr0; apply/eqP; rewrite -subr_eq0; apply/eqP.
  apply: (psumr_eq0P (P := predT) (F := fun s => randomizers z (tnth w j) s - (p * Q_0 z s + p * Q_1 z s + p * Q z s))) => // [s' _|].
    by rewrite subr_ge0 parts.
  by rewrite sumrB !big_split -!mulr_sumr !mass_sum1 /= !mulr1 -[X in 1 - X]/(p + p + p) -mulr2n -mulrSr p3 subrr.
have score_none like : score like none = 0 by rewrite /score eqxx.
exists (parts_kernel randomizers w i0 part own).
by split; [have := shuffled_as_counts scored score_none special_is others_are true | have := shuffled_as_counts scored score_none special_is others_are false].
Qed.

End ThreeClones.
