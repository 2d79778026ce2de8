(* Every user chooses: Some true, Some false, or None (what is left of the own randomizer). One user i0 is special.

     exchange        a sum over choices f with k times Some true and m times Some false, in which f(i0) = Some b, is the k/(k+m)-th
                     (or m/(k+m)-th) part of the sum over f(i0) <> None, for every summand that does not change when f(i0) and f(j) are
                     exchanged: given the counts, each of the k + m positions is equally likely to be the special one;
     card_counts     there are C(n-1, k+m-1) C(k+m, k) such f with f(i0) <> None. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Counting.
Variables (R : realFieldType) (n : nat) (i0 : 'I_n).
Local Notation choices := {ffun 'I_n -> option bool}.
Implicit Types (f : choices) (c : option bool) (b : bool).

Definition number f c : nat := #|[set j | f j == c]|.
Definition deciders f : {set 'I_n} := [set j | isSome (f j)].

Lemma card_deciders f : #|deciders f| = (number f (Some true) + number f (Some false))%N.
Proof.
rewrite /number -!sum1_card big_mkcond [X in (X + _)%N]big_mkcond [X in (_ + X)%N]big_mkcond -big_split /=.
apply: eq_bigr => j _.
by rewrite !inE; case: (f j) => [[]|].
Qed.

(* The choices of i0 and j exchanged. *)
Definition exchanged f j : choices := [ffun i => f (tperm i0 j i)].

Lemma exchangedK j : involutive (exchanged^~ j).
Proof. by move=> f; apply/ffunP => i; rewrite !ffunE tpermK. Qed.

Lemma number_exchanged f j c : number (exchanged f j) c = number f c.
Proof.
rewrite /number -[RHS](card_preimset _ (@perm_inj _ (tperm i0 j))).
by apply: eq_card => i; rewrite !inE ffunE.
Qed.

Section GivenCounts.
Variables k m : nat.

Definition has_counts f := (number f (Some true) == k) && (number f (Some false) == m).

Lemma has_counts_exchanged f j : has_counts (exchanged f j) = has_counts f.
Proof. by rewrite /has_counts !number_exchanged. Qed.

Lemma has_counts_deciders f : has_counts f -> #|deciders f| = (k + m)%N.
Proof. by case/andP => /eqP <- /eqP <-; apply: card_deciders. Qed.

Lemma exchange_times (summand : choices -> R) b :
  (forall f j, f i0 -> f j -> summand (exchanged f j) = summand f) ->
  (k + m)%:R * (\sum_(f | has_counts f && (f i0 == Some b)) summand f) =
  (if b then k else m)%:R * \sum_(f | has_counts f && f i0) summand f.
Proof.
move=> invariant; transitivity (\sum_(f | has_counts f && (f i0 == Some b)) \sum_(j | j \in deciders f) summand f).
  rewrite mulr_sumr; apply: eq_bigr => f /andP[hf _].
  by rewrite sumr_const (has_counts_deciders hf) mulr_natl.
transitivity (\sum_(f | has_counts f && f i0) \sum_(j | j \in [set j | f j == Some b]) summand f); last first.
  rewrite mulr_sumr; apply: eq_bigr => f /andP[/andP[/eqP hk /eqP hm] _].
  by rewrite sumr_const -/(number f (Some b)) mulr_natl; case: b; rewrite ?hk ?hm.
rewrite (exchange_big_dep xpredT) //= [RHS](exchange_big_dep xpredT) //=; apply: eq_bigr => j _.
rewrite (reindex_inj (inv_inj (exchangedK j))) /=; apply: eq_big => [f|f].
  by rewrite !inE has_counts_exchanged !ffunE tpermL tpermR andbAC.
rewrite !inE has_counts_exchanged !ffunE tpermL tpermR => /andP[/andP[_ /eqP fj] f0].
by apply: invariant; rewrite ?fj.
Qed.

Lemma exchange (summand : choices -> R) b :
  (forall f j, f i0 -> f j -> summand (exchanged f j) = summand f) ->
  \sum_(f | has_counts f && (f i0 == Some b)) summand f =
  (if b then k else m)%:R / (k + m)%:R * \sum_(f | has_counts f && f i0) summand f.
Proof.
move=> invariant; have [km0|km] := eqVneq (k + m)%N 0%N; last first.
  by rewrite mulrAC -exchange_times // mulrAC mulfV ?mul1r // pnatr_eq0.
rewrite km0 invr0 mulr0 mul0r big_pred0 // => f; apply/negP => /andP[/has_counts_deciders].
rewrite km0 => /eqP; rewrite cards_eq0 => /eqP /setP/(_ i0).
by rewrite !inE => + /eqP fb; rewrite fb.
Qed.

Definition truths f : {set 'I_n} := [set j | f j == Some true].

Lemma sets_inj : injective (fun f => (deciders f, truths f)).
Proof.
move=> f g [/setP eq_deciders /setP eq_truths]; apply/ffunP => j.
have := eq_deciders j; have := eq_truths j; rewrite !inE.
by case: (f j) => [[]|]; case: (g j) => [[]|].
Qed.

Lemma card_containing (c : nat) : #|[set B : {set 'I_n} | (i0 \in B) && (#|B| == c.+1)]| = 'C(n.-1, c).
Proof.
have draws := card_draws [finType of 'I_n] c.+1; rewrite card_ord -(cardsID [set B : {set 'I_n} | i0 \in B]) in draws.
have without : [set B : {set 'I_n} | #|B| == c.+1] :\: [set B : {set 'I_n} | i0 \in B] =
    [set B : {set 'I_n} | (B \subset [set~ i0]) && (#|B| == c.+1)].
  by apply/setP => B; rewrite !inE subsetC sub1set inE.
have with_i0 : [set B : {set 'I_n} | #|B| == c.+1] :&: [set B : {set 'I_n} | i0 \in B] =
    [set B : {set 'I_n} | (i0 \in B) && (#|B| == c.+1)].
  by apply/setP => B; rewrite !inE andbC.
move: draws; rewrite without with_i0 cards_draws cardsC1 card_ord.
have -> : 'C(n, c.+1) = ('C(n.-1, c) + 'C(n.-1, c.+1))%N.
  by rewrite -{1}(prednK (leq_ltn_trans (leq0n i0) (ltn_ord i0))) binS addnC.
by move/addIn.
Qed.

Lemma card_counts : (0 < k + m)%N ->
  #|[set f | has_counts f && f i0]| = ('C(n.-1, (k + m).-1) * 'C(k + m, k))%N.
Proof.
move=> km; rewrite -(card_imset _ sets_inj) -(card_containing (k + m).-1) prednK //.
have -> : [set (deciders f, truths f) | f in [set f | has_counts f && f i0]] =
   [set BA : {set 'I_n} * {set 'I_n} | [&& i0 \in BA.1, #|BA.1| == (k + m)%N, BA.2 \subset BA.1 & #|BA.2| == k]].
  apply/setP => -[B A]; rewrite !inE /=; apply/imsetP/and4P => [[f]|[i0B /eqP cardB /subsetP AB /eqP cardA]].
    rewrite inE => /andP[hf f0] [-> ->]; rewrite (has_counts_deciders hf) inE f0 eqxx; split=> //.
      by apply/subsetP => j; rewrite !inE => /eqP ->.
    by case/andP: hf.
  have eqB : deciders [ffun j => if j \in B then Some (j \in A) else None] = B.
    by apply/setP => j; rewrite inE ffunE; case: ifP.
  have eqA : truths [ffun j => if j \in B then Some (j \in A) else None] = A.
    apply/setP => j; rewrite inE ffunE; case: ifPn => [_|/negP jB]; first by case: (j \in A).
    by apply/esym/negP => /AB.
  exists [ffun j => if j \in B then Some (j \in A) else None]; last by rewrite eqA eqB.
  have numberA : number [ffun j => if j \in B then Some (j \in A) else None] (Some true) = k by rewrite -cardA -[in RHS]eqA.
  rewrite inE ffunE i0B andbT /has_counts numberA eqxx /=.
  have := card_deciders [ffun j => if j \in B then Some (j \in A) else None].
  by rewrite eqB cardB numberA => /addnI <-.
rewrite -sum1dep_card.
rewrite (eq_bigl (fun BA : {set 'I_n} * {set 'I_n} =>
  ((i0 \in BA.1) && (#|BA.1| == (k + m)%N)) && ((BA.2 \subset BA.1) && (#|BA.2| == k)))); last by move=> BA; rewrite andbA.
rewrite -(pair_big_dep (fun B : {set 'I_n} => (i0 \in B) && (#|B| == (k + m)%N))
  (fun B (A : {set 'I_n}) => (A \subset B) && (#|A| == k)) (fun _ _ => 1%N)) /=.
rewrite (eq_bigr (fun=> 'C(k + m, k))) => [|B /andP[_ /eqP <-]]; last by rewrite sum1dep_card cards_draws.
by rewrite sum_nat_const cardsE.
Qed.

End GivenCounts.
End Counting.
